//! The scaling plot: how CPU time, or what an engine counted, grows with the parameter of a family.
//!
//! Values are on a logarithmic axis, where exponential growth is a straight line; where most of the
//! fitted growth is polynomial the parameter is on one as well, and then that is straight. Fitted
//! growth is drawn over the points it was fitted to; fine lines join all points. Hollow marks on
//! the limit are parameters that were not solved, up to the first beyond all that were.

use super::legend::{Entry, look};
use super::picture::{Drawn, Frame, Look, Picture, Place, SCALE};
use super::{Axis, LEAST_SECONDS, Plot, limit_line, seconds_axis};
use crate::report::growth::Law;
use crate::report::results::Tool;
use crate::report::scaling::{Chart, Curve, Curves, Measure};

/// The pieces of the line of a fitted growth.
const PIECES: i32 = 40;

/// A scaling plot of all curves, or of some.
pub(crate) fn scaling(
    tools: &[Tool],
    chart: &Chart,
    curves: Option<&Curves>,
) -> anyhow::Result<String> {
    let shown = |curve: &&Curve| curves.is_none_or(|curves| curves.matches(&tools[curve.tool]));
    let curves: Vec<&Curve> = chart.curves.iter().filter(shown).collect();
    let y_title = match &chart.measure {
        Measure::Cpu => "CPU seconds",
        Measure::Statistic(name) => name,
    };
    let entry = |curve: &Curve| {
        Entry::line(look(curve.tool), &tools[curve.tool].to_string(), Some(curve.in_words()))
    };
    let plot = Plot {
        title: Some(&chart.title()),
        x: parameter_axis(chart),
        x_title: "parameter n",
        y: value_axis(chart),
        y_title,
        inside: (460, 320),
        entries: curves.iter().copied().map(entry).collect(),
    };
    plot.draw(|picture, frame| {
        if chart.measure == Measure::Cpu {
            limit_line(picture, frame, chart.limit)?;
        }
        let mut curves = curves.iter().rev();
        curves.try_for_each(|curve| draw_curve(picture, frame, curve, chart.limit))
    })
}

/// Linear, unless most of the growth is polynomial and there is some width to it.
fn parameter_axis(chart: &Chart) -> Axis {
    let solved = chart.curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.0));
    let unsolved = chart.curves.iter().flat_map(|curve| curve.unsolved.iter().map(|one| one.0));
    let (low, high) = solved
        .chain(unsolved)
        .fold((f64::MAX, f64::MIN), |(low, high), n| (low.min(n), high.max(n)));
    let laws = chart.curves.iter().filter_map(|curve| Some(curve.growth?.best.law));
    let (polynomial, exponential): (Vec<Law>, _) = laws.partition(|law| *law == Law::Polynomial);
    match polynomial.len() > exponential.len() && low > 0.0 && high >= 4.0 * low {
        true => Axis::logarithmic_between(low / 1.1, high * 1.1),
        false => {
            let room = (high - low) / 40.0;
            Axis::linear(low - room, high + room)
        }
    }
}

fn value_axis(chart: &Chart) -> Axis {
    let values = chart.curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1));
    if chart.measure == Measure::Cpu {
        let unsolved = chart.curves.iter().any(|curve| !curve.unsolved.is_empty());
        return seconds_axis(values, chart.limit, unsolved);
    }
    let positive = values.filter(|value| *value > 0.0);
    let low = positive.clone().min_by(f64::total_cmp).unwrap_or(LEAST_SECONDS);
    Axis::logarithmic(low, positive.max_by(f64::total_cmp).unwrap_or(1.0) * 1.25)
}

fn draw_curve(picture: &Picture, frame: &Frame, curve: &Curve, limit: f64) -> Drawn {
    let look = look(curve.tool);
    let places: Vec<Place> = curve.points.iter().map(|&point| frame.place(point)).collect();
    let width = if curve.growth.is_some() { 1 } else { 2 };
    picture.line(&places, Look { width, dash: None, ..look })?;
    fitted(picture, frame, curve, look)?;
    places.into_iter().try_for_each(|place| picture.mark(look, place, 4 * SCALE, true))?;
    let mut unsolved = limits_reached(curve).map(|n| frame.place((n, limit)));
    unsolved.try_for_each(|place| picture.mark(look, place, 4 * SCALE, false))
}

/// The parameters that were not solved although larger ones were, and the first of the others.
fn limits_reached(curve: &Curve) -> impl Iterator<Item = f64> {
    let solved = curve.points.last().map_or(f64::MIN, |point| point.0);
    let beyond = curve.unsolved.iter().position(|unsolved| unsolved.0 > solved);
    let shown = beyond.map_or(curve.unsolved.len(), |first| first + 1);
    curve.unsolved[..shown].iter().map(|unsolved| unsolved.0)
}

/// The fitted growth.
fn fitted(picture: &Picture, frame: &Frame, curve: &Curve, look: Look) -> Drawn {
    let Some((growth, (first, last))) = curve.growth.zip(curve.fitted_range()) else {
        return Ok(());
    };
    let (from, to) = (frame.x.share(first), frame.x.share(last));
    let step = (to - from) / f64::from(PIECES);
    let parameters = (0..=PIECES).map(|piece| frame.x.value(from + step * f64::from(piece)));
    let places: Vec<Place> = parameters.map(|n| frame.place((n, growth.best.at(n)))).collect();
    picture.line(&places, look)
}
