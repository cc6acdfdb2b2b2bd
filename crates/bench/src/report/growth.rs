//! Fitted growth: how a measure grows with a parameter `n`.
//!
//! Two laws are fitted, `c b^n` and `c n^k`. The logarithm of either is a line, in `n` or in `log
//! n`, so both are fitted by least squares of logarithms, and their residuals can be compared: the
//! law with the smaller ones is better. `R²` is the share of the variance of the logarithms that it
//! explains. The fit describes the given points only and predicts nothing beyond them.

use std::fmt;

/// With fewer points a law of two numbers fits almost anything.
pub(crate) const FEWEST_POINTS: usize = 4;

/// A law of growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Law {
    /// `c b^n`
    Exponential,
    /// `c n^k`
    Polynomial,
}

/// A law with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fit {
    pub(crate) law: Law,
    /// The logarithm of `c`.
    intercept: f64,
    /// The logarithm of `b`, or `k`.
    slope: f64,
    /// The share of variance that is explained; none where nothing varies.
    pub(crate) r2: Option<f64>,
}

/// The better law, and the other one where both make sense.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Growth {
    pub(crate) best: Fit,
    pub(crate) other: Option<Fit>,
}

/// The laws for points with positive values; none if there are too few with different parameters.
pub(crate) fn growth(points: &[(f64, f64)]) -> Option<Growth> {
    let mut parameters: Vec<f64> = points.iter().map(|point| point.0).collect();
    parameters.sort_by(f64::total_cmp);
    parameters.dedup();
    if parameters.len() < FEWEST_POINTS || points.iter().any(|point| point.1 <= 0.0) {
        return None;
    }
    let exponential = Fit::new(Law::Exponential, points);
    if parameters[0] <= 0.0 {
        return Some(Growth { best: exponential, other: None });
    }
    let polynomial = Fit::new(Law::Polynomial, points);
    let (best, other) = match polynomial.r2 > exponential.r2 {
        true => (polynomial, exponential),
        false => (exponential, polynomial),
    };
    Some(Growth { best, other: Some(other) })
}

impl Fit {
    /// The line of least squares through the logarithms.
    fn new(law: Law, points: &[(f64, f64)]) -> Self {
        let logs: Vec<(f64, f64)> =
            points.iter().map(|&(n, y)| (law.abscissa(n), y.ln())).collect();
        let count = logs.len() as f64;
        let mean_x = logs.iter().map(|log| log.0).sum::<f64>() / count;
        let mean_y = logs.iter().map(|log| log.1).sum::<f64>() / count;
        let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
            logs.iter().map(|&(x, y)| term(x - mean_x, y - mean_y)).sum()
        };
        let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
        let slope = xy / xx;
        // Below this, the variation is rounding of logarithms.
        let varies = yy > 1e-18 * count;
        let r2 = varies.then(|| (xy * xy / (xx * yy)).min(1.0));
        Fit { law, intercept: mean_y - slope * mean_x, slope, r2 }
    }

    /// The value at a parameter.
    pub(crate) fn at(&self, n: f64) -> f64 {
        (self.intercept + self.slope * self.law.abscissa(n)).exp()
    }

    /// `b` or `k`.
    fn rate(&self) -> f64 {
        match self.law {
            Law::Exponential => self.slope.exp(),
            Law::Polynomial => self.slope,
        }
    }
}

impl Law {
    fn abscissa(self, n: f64) -> f64 {
        match self {
            Law::Exponential => n,
            Law::Polynomial => n.ln(),
        }
    }
}

/// `1.7^n`, `n^3.1` or `constant`.
impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self.r2, self.law) {
            (None, _) => f.write_str("constant"),
            (_, Law::Exponential) => write!(f, "{}^n", base(self.rate())),
            (_, Law::Polynomial) => write!(f, "n^{:.1}", self.rate()),
        }
    }
}

/// A base with two digits of its difference from 1: `1.7`, `12.3`, `1.003`.
fn base(rate: f64) -> String {
    let distance = (rate - 1.0).abs().max(1e-9).log10().floor();
    let decimals = (1.0 - distance).clamp(1.0, 9.0) as usize;
    let digits = format!("{rate:.decimals$}");
    let digits = digits.trim_end_matches('0');
    if digits.ends_with('.') { format!("{digits}0") } else { digits.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(law: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        (2..12).map(f64::from).map(|n| (n, law(n))).collect()
    }

    #[test]
    fn known_growth_is_recovered() {
        let shown = |law: fn(f64) -> f64| {
            let growth = growth(&points(law)).expect("enough points");
            assert!(growth.best.r2.unwrap() > 0.999_999);
            assert!(growth.other.unwrap().r2 < growth.best.r2);
            growth.best.to_string()
        };
        assert_eq!(shown(|n| 0.01 * 1.7_f64.powf(n)), "1.7^n");
        assert_eq!(shown(|n| 3.0 * 1.003_f64.powf(n)), "1.003^n");
        assert_eq!(shown(|n| 1e-5 * n.powf(3.1)), "n^3.1");
        assert_eq!(shown(|n| 0.5 * 4.0_f64.powf(n)), "4.0^n");
        assert_eq!(shown(|n| 2.0 * 0.5_f64.powf(n)), "0.5^n");
    }

    #[test]
    fn noise_lowers_what_is_explained() {
        let noisy = points(|n| 2.0_f64.powf(n) * if n % 2.0 == 0.0 { 1.3 } else { 0.8 });
        let growth = growth(&noisy).expect("enough points");
        let explained = growth.best.r2.unwrap();
        assert!(explained > 0.9 && explained < 0.999, "{explained}");
        assert!((growth.best.rate() - 2.0).abs() < 0.1, "{}", growth.best);
        // By hand: ln 1, ln 2, ln 2, ln 4 over 0, 1, 2, 3 has slope 0.6 ln 2 and R² 0.9.
        let growth = super::growth(&[(0.0, 1.0), (1.0, 2.0), (2.0, 2.0), (3.0, 4.0)]).unwrap();
        assert!((growth.best.slope - 0.6 * 2.0_f64.ln()).abs() < 1e-12);
        assert!((growth.best.r2.unwrap() - 0.9).abs() < 1e-12);
        assert!(growth.other.is_none(), "no power of 0");
        assert!((growth.best.at(1.5) - 2.0_f64.powf(1.0)).abs() < 1e-12);
    }

    #[test]
    fn what_cannot_be_fitted_is_not() {
        assert_eq!(growth(&[]), None);
        assert_eq!(growth(&points(|n| n)[..3]), None);
        assert_eq!(growth(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0), (1.0, 4.0)]), None);
        assert_eq!(growth(&points(|_| 0.0)), None);
        let constant = growth(&points(|_| 0.3)).expect("enough points");
        assert_eq!(constant.best.to_string(), "constant");
        assert_eq!(constant.best.r2, None);
    }
}
