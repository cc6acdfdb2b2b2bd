//! The cactus plot: how many inputs a tool solves within a time per input.
//!
//! The right answers of a tool are ordered by their CPU time; the `k`-th is at `k`. Further right
//! and lower is better. No curve is left of the virtual best.

use super::legend::{Entry, look};
use super::picture::{Drawn, Frame, INK, Look, Picture, Place, SCALE};
use super::{Axis, Plot, limit_line, seconds_axis};
use crate::report::results::{Input, Tool};
use crate::report::score::Score;

/// The approximate number of marks on a curve.
const MARKS: usize = 9;

const VIRTUAL_BEST: Look = Look { color: INK, mark: None, dash: Some((4, 5)), width: 4 };

/// The cactus plot over inputs.
pub(crate) fn cactus(tools: &[Tool], inputs: &[Input]) -> anyhow::Result<String> {
    let scores: Vec<Score> = (0..tools.len()).map(|tool| Score::of_tool(inputs, tool)).collect();
    let best = Score::of_virtual_best(inputs);
    let limit = inputs.iter().map(|input| input.limit).fold(0.0, f64::max);
    let times = scores.iter().flat_map(|score| score.seconds.iter().copied());
    let plot = Plot {
        title: None,
        x: Axis::linear(0.0, inputs.len().max(1) as f64),
        x_title: "inputs solved",
        y: seconds_axis(times, limit, false),
        y_title: "CPU seconds per input",
        inside: (560, 360),
        entries: entries(tools, &scores, &best),
    };
    plot.draw(|picture, frame| {
        limit_line(picture, frame, limit)?;
        for (tool, score) in scores.iter().enumerate().rev() {
            curve(picture, frame, &score.seconds, look(tool), tool)?;
        }
        if tools.len() > 1 { curve(picture, frame, &best.seconds, VIRTUAL_BEST, 0) } else { Ok(()) }
    })
}

fn entries(tools: &[Tool], scores: &[Score], best: &Score) -> Vec<Entry> {
    let solved = |score: &Score| Some(format!("{} solved", score.solved()));
    let tool = |(place, tool): (usize, &Tool)| {
        Entry::line(look(place), &tool.to_string(), solved(&scores[place]))
    };
    let mut entries: Vec<Entry> = tools.iter().enumerate().map(tool).collect();
    if tools.len() > 1 {
        entries.push(Entry::line(VIRTUAL_BEST, "virtual best", solved(best)));
    }
    entries
}

/// One curve, with marks at other positions than those of other curves.
fn curve(picture: &Picture, frame: &Frame, seconds: &[f64], look: Look, tool: usize) -> Drawn {
    let place = |(index, &seconds): (usize, &f64)| frame.place(((index + 1) as f64, seconds));
    let places: Vec<Place> = seconds.iter().enumerate().map(place).collect();
    picture.line(&corners(&places), look)?;
    let step = places.len().div_ceil(MARKS).max(1);
    let (first, last) = (tool * step / 5 % step, places.len().saturating_sub(1));
    let marked = places.iter().enumerate();
    let mut marked = marked.filter(|(index, _)| index % step == first || *index == last);
    marked.try_for_each(|(_, &place)| picture.mark(look, place, 4 * SCALE, true))
}

/// The points without redundant ones: of a sequence in the same row or column only the ends stay.
fn corners(places: &[Place]) -> Vec<Place> {
    let mut kept: Vec<Place> = Vec::new();
    for &place in places {
        let in_line = |axis: fn(Place) -> i32, a: Place, b: Place| {
            axis(a) == axis(place) && axis(b) == axis(place)
        };
        if let [.., a, b] = kept[..]
            && (in_line(|place| place.0, a, b) || in_line(|place| place.1, a, b))
        {
            kept.pop();
        }
        kept.push(place);
    }
    kept
}
