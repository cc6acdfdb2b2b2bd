//! Axes: positions of values, ticks and labels.
//!
//! Zero has no logarithm: values below the low end of an axis are drawn at that end, and values
//! above the high end at the other, so nothing leaves the frame.

/// An axis from its low to its high end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
}

/// The approximate number of labelled ticks.
const TICKS: f64 = 7.0;

impl Axis {
    /// A logarithmic axis from the power of ten below `low`, never empty.
    pub(crate) fn logarithmic(low: f64, high: f64) -> Self {
        let low = 10_f64.powf(low.max(f64::MIN_POSITIVE).log10().floor());
        Axis { low, high: high.max(2.0 * low), logarithmic: true }
    }

    /// A logarithmic axis from one positive value to another that is larger.
    pub(crate) fn logarithmic_between(low: f64, high: f64) -> Self {
        Axis { low, high, logarithmic: true }
    }

    /// A linear axis, never empty.
    pub(crate) fn linear(low: f64, high: f64) -> Self {
        match high > low {
            true => Axis { low, high, logarithmic: false },
            false => Axis { low: low - 1.0, high: low + 1.0, logarithmic: false },
        }
    }

    pub(crate) fn low(&self) -> f64 {
        self.low
    }

    pub(crate) fn high(&self) -> f64 {
        self.high
    }

    /// The position of a value, from 0 at the low end to 1 at the high end.
    pub(crate) fn share(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        match self.logarithmic {
            true => (value / self.low).ln() / (self.high / self.low).ln(),
            false => (value - self.low) / (self.high - self.low),
        }
    }

    /// The value at a position.
    pub(crate) fn value(&self, share: f64) -> f64 {
        match self.logarithmic {
            true => self.low * (self.high / self.low).powf(share),
            false => self.low + (self.high - self.low) * share,
        }
    }

    /// The values with a label.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        match self.logarithmic {
            false => self.linear_ticks(),
            true if self.decades() < 1.2 => self.multiples(&[1, 2, 3, 5, 7]),
            true if self.decades() < 2.5 => self.multiples(&[1, 2, 5]),
            true => self.multiples(&[1]),
        }
    }

    /// The values with a faint line only.
    pub(crate) fn faint_ticks(&self) -> Vec<f64> {
        match self.logarithmic && self.decades() < 7.0 {
            true => self.multiples(&[2, 3, 4, 5, 6, 7, 8, 9]),
            false => Vec::new(),
        }
    }

    /// The label of a tick. If one needs a power of ten, all have one.
    pub(crate) fn label(&self, tick: f64) -> String {
        let exponent = tick.log10().round();
        let power = self.logarithmic && tick == times(1, exponent as i32);
        match power && self.high >= 1e6 && exponent > 1.0 {
            true => {
                format!("10{}", exponent.to_string().chars().map(superscript).collect::<String>())
            }
            false => label(tick),
        }
    }

    fn decades(&self) -> f64 {
        (self.high / self.low).log10()
    }

    /// Multiples of powers of ten; with very many powers, only some of them.
    fn multiples(&self, factors: &[i32]) -> Vec<f64> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let step = (self.decades() / (TICKS + 1.0)).ceil().max(1.0) as usize;
        let powers = (first..=last).step_by(step);
        let values =
            powers.flat_map(|power| factors.iter().map(move |&factor| times(factor, power)));
        let slack = 1.0 + 1e-9;
        values.filter(|&value| value * slack >= self.low && value <= self.high * slack).collect()
    }

    /// Multiples of a step, which is whole if several whole numbers fit on the axis: parameters and
    /// counts are.
    fn linear_ticks(&self) -> Vec<f64> {
        let length = self.high - self.low;
        let least = if length >= 2.0 { 1.0 } else { 0.0 };
        let step = nice(length / TICKS).max(least);
        let slack = step * 1e-9;
        let (first, last) = ((self.low - slack) / step, (self.high + slack) / step);
        (first.ceil() as i64..=last.floor() as i64).map(|index| index as f64 * step).collect()
    }
}

/// `factor` times a power of ten, as exact as its text.
fn times(factor: i32, power: i32) -> f64 {
    format!("{factor}e{power}").parse().unwrap_or_default()
}

/// The least of 1, 2, 5, 10, 20, ... and their tenths that is not smaller.
fn nice(step: f64) -> f64 {
    let power = step.log10().floor() as i32;
    let factors = [1, 2, 5, 10];
    let fits = factors.into_iter().map(|factor| times(factor, power));
    fits.into_iter().find(|&candidate| candidate >= step * 0.999).unwrap_or(step)
}

/// A value in the usual notation: `0.001`, `20`, `10000`, and beyond that `10⁶` and `2·10⁶`.
pub(crate) fn label(value: f64) -> String {
    if value == 0.0 || (1e-4..=1e5).contains(&value.abs()) {
        let text = format!("{value:.6}");
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    let text = format!("{value:e}");
    let (factor, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: String = power.chars().map(superscript).collect();
    match factor {
        "1" => format!("10{power}"),
        factor => format!("{factor}·10{power}"),
    }
}

fn superscript(digit: char) -> char {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    digit.to_digit(10).map_or('⁻', |digit| digits[digit as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: Axis) -> Vec<String> {
        axis.ticks().into_iter().map(|tick| axis.label(tick)).collect()
    }

    #[test]
    fn ticks_are_numbers_that_people_write() {
        assert_eq!(labels(Axis::logarithmic(0.003, 10.0)), ["0.001", "0.01", "0.1", "1", "10"]);
        assert_eq!(labels(Axis::logarithmic(1.0, 40.0)), ["1", "2", "5", "10", "20"]);
        assert_eq!(labels(Axis::logarithmic(1.0, 4.0)), ["1", "2", "3"]);
        assert_eq!(labels(Axis::linear(2.0, 20.0)), ["5", "10", "15", "20"]);
        assert_eq!(labels(Axis::linear(1.9, 5.1)), ["2", "3", "4", "5"]);
        assert_eq!(labels(Axis::linear(0.0, 1.0)), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(labels(Axis::linear(0.0, 1866.0)), ["0", "500", "1000", "1500"]);
        let large = labels(Axis::logarithmic(1.0, 1e16));
        assert_eq!(large[..4], ["1", "10²", "10⁴", "10⁶"]);
        assert_eq!(label(2.5e-7), "2.5·10⁻⁷");
    }

    #[test]
    fn values_stay_on_the_axis() {
        let axis = Axis::logarithmic(0.001, 10.0);
        assert_eq!(axis.share(0.0), 0.0);
        assert_eq!(axis.share(1e9), 1.0);
        assert!((axis.share(0.1) - 0.5).abs() < 1e-9);
        assert!((axis.value(axis.share(0.7)) - 0.7).abs() < 1e-9);
    }

    #[test]
    fn axes_are_never_empty() {
        for axis in
            [Axis::logarithmic(0.0, 0.0), Axis::logarithmic(1.0, 1.0), Axis::linear(3.0, 3.0)]
        {
            assert!(axis.share(axis.low()) == 0.0 && axis.share(axis.high()) == 1.0, "{axis:?}");
            assert!(!axis.ticks().is_empty() && axis.ticks().len() < 12, "{axis:?}");
        }
    }
}
