//! The scatter plot: two tools, a point an input.
//!
//! On the diagonal both take the same time; the fine lines beside it are a factor of ten away. What
//! a tool did not solve stands behind the line of its limit, on the border. Only inputs that both
//! ran are there.

use std::collections::BTreeSet;

use super::legend::{Entry, NO, UNSOLVED, YES};
use super::picture::{Drawn, Frame, GREY, Look, Picture, SCALE, Side, TEXT};
use super::{Axis, LEAST_SECONDS, LIMIT, Plot, label, shortened};
use crate::report::results::{Cell, Input, Results};

/// A scatter plot, and what it shows in numbers.
pub(crate) struct Scatter {
    pub(crate) svg: String,
    /// Inputs that both ran.
    pub(crate) inputs: usize,
    /// Inputs on which the first, or the second, is better.
    pub(crate) better: [usize; 2],
}

/// One input: what each tool took, none if it has no right answer, and the answer.
struct Point {
    times: [Option<f64>; 2],
    answer: Option<bool>,
}

/// The scatter plot of two tools.
pub(crate) fn scatter(results: &Results, tools: [usize; 2]) -> anyhow::Result<Scatter> {
    let inputs: Vec<&Input> = results
        .inputs
        .iter()
        .filter(|input| tools.iter().all(|&tool| input.cells[tool].is_some()))
        .collect();
    let points: Vec<Point> = inputs.iter().map(|input| point(input, tools)).collect();
    let limits = tools.map(|tool| limit(&inputs, tool));
    let axis = axis(&points, limits);
    let names = tools.map(|tool| shortened(&format!("{}, CPU seconds", results.tools[tool])));
    let plot = Plot {
        title: None,
        x: axis,
        x_title: &names[0],
        y: axis,
        y_title: &names[1],
        inside: (420, 420),
        entries: entries(&points, results.answer_words()),
    };
    let svg = plot.draw(|picture, frame| {
        guides(picture, frame, limits)?;
        dots(picture, frame, &points)
    })?;
    let better = [0, 1].map(|side| points.iter().filter(|point| point.is_better(side)).count());
    Ok(Scatter { svg, inputs: points.len(), better })
}

fn point(input: &Input, tools: [usize; 2]) -> Point {
    let cells = tools.map(|tool| input.cells[tool].as_ref());
    let answered = cells.iter().flatten().find(|cell| cell.is_right());
    Point {
        times: cells.map(|cell| cell.and_then(Cell::right_seconds)),
        answer: answered.and_then(|cell| cell.run().outcome.answer()),
    }
}

impl Point {
    fn is_better(&self, side: usize) -> bool {
        match (self.times[side], self.times[1 - side]) {
            (Some(own), Some(other)) => own < other,
            (own, other) => own.is_some() && other.is_none(),
        }
    }

    fn look(&self) -> Look {
        match self.answer {
            Some(true) => YES,
            Some(false) => NO,
            None => UNSOLVED,
        }
    }
}

/// The longest limit of a tool.
fn limit(inputs: &[&Input], tool: usize) -> f64 {
    let cells = inputs.iter().filter_map(|input| input.cells[tool].as_ref());
    cells.map(|cell| cell.run().cpu_limit_seconds).fold(LEAST_SECONDS, f64::max)
}

/// One axis for both, with room behind the larger limit.
fn axis(points: &[Point], limits: [f64; 2]) -> Axis {
    let times = points.iter().flat_map(|point| point.times.into_iter().flatten());
    let least = times.min_by(f64::total_cmp).unwrap_or(LEAST_SECONDS).max(LEAST_SECONDS);
    Axis::logarithmic(least, limits[0].max(limits[1]) * 2.2)
}

fn entries(points: &[Point], [yes, no]: [&str; 2]) -> Vec<Entry> {
    let count = |wanted: fn(&Point) -> bool| points.iter().filter(|point| wanted(point)).count();
    let said_yes = count(|point| point.answer == Some(true));
    let said_no = count(|point| point.answer == Some(false));
    let neither = count(|point| point.answer.is_none());
    vec![
        Entry::mark(YES, &format!("{yes} ({said_yes})")),
        Entry::mark(NO, &format!("{no} ({said_no})")),
        Entry::mark(UNSOLVED, &format!("solved by neither ({neither})")),
    ]
}

/// The diagonal, its neighbours and the limits.
fn guides(picture: &Picture, frame: &Frame, limits: [f64; 2]) -> Drawn {
    let (low, high) = (frame.x.low(), frame.x.high());
    let diagonal = [frame.place((low, low)), frame.place((high, high))];
    picture.line(&diagonal, Look::plain(GREY, 2))?;
    for [from, to] in
        [[(low, low * 10.0), (high / 10.0, high)], [(low * 10.0, low), (high, high / 10.0)]]
    {
        picture.line(&[frame.place(from), frame.place(to)], Look::dashed(GREY, 1, (4, 6)))?;
    }
    let (x, y) = (frame.column(limits[0]), frame.row(limits[1]));
    picture.line(&[(x, frame.bottom), (x, frame.top)], LIMIT)?;
    picture.line(&[(frame.left, y), (frame.right, y)], LIMIT)?;
    limit_notes(picture, frame, limits)
}

/// What the limits are, where points are rare: a tool seldom fails where the other takes no time at
/// all.
fn limit_notes(picture: &Picture, frame: &Frame, [across, up]: [f64; 2]) -> Drawn {
    let text = |limit: f64| format!("limit {} s", label(limit));
    let place = (frame.column(across) - TEXT / 2, frame.bottom - TEXT);
    frame.note(picture, &text(across), place, Side::Right)?;
    if across == up {
        return Ok(());
    }
    frame.note(picture, &text(up), (frame.left + TEXT / 2, frame.row(up) + TEXT), Side::Left)
}

/// The points; those that fall together are drawn once.
fn dots(picture: &Picture, frame: &Frame, points: &[Point]) -> Drawn {
    let border = frame.x.high();
    let mut drawn = BTreeSet::new();
    for point in points {
        let [x, y] = point.times.map(|time| time.unwrap_or(border));
        let (place, look) = (frame.place((x, y)), point.look());
        if drawn.insert((place, look.mark.map(|mark| mark as u8))) {
            picture.dot(look, place, 7 * SCALE / 2)?;
        }
    }
    Ok(())
}
