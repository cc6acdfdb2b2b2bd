//! Plots, as SVG texts.
//!
//! `axis` places values, `picture` draws, `legend` has the looks of tools; `cactus`, `scatter` and
//! `scaling` are the plots. A tool has the same look in all plots.

mod axis;
mod cactus;
mod legend;
mod picture;
mod scaling;
mod scatter;

pub(crate) use cactus::cactus;
pub(crate) use scaling::scaling;
pub(crate) use scatter::{Scatter, scatter};

use axis::{Axis, label};
use legend::{Entry, draw_legend, legend_height, legend_width};
use picture::{Drawn, Frame, Look, Picture, Place, SCALE, Side, TEXT, draw, width};

/// CPU times below a millisecond are drawn as one millisecond: they are not resolved, and zero has
/// no logarithm.
const LEAST_SECONDS: f64 = 0.001;

/// The longest title.
const MOST_CHARACTERS: usize = 52;

/// How limits are drawn.
const LIMIT: Look = Look { color: picture::GREY, mark: None, dash: Some((10, 8)), width: 2 };

/// The common parts of all plots: a frame with titles, and a legend beside it.
struct Plot<'p> {
    title: Option<&'p str>,
    x: Axis,
    x_title: &'p str,
    y: Axis,
    y_title: &'p str,
    /// The inside of the frame, in pixels; it grows with the legend.
    inside: (i32, i32),
    entries: Vec<Entry>,
}

impl Plot<'_> {
    /// Draws the frame, what is in it, and the legend.
    fn draw(&self, content: impl FnOnce(&Picture, &Frame) -> Drawn) -> anyhow::Result<String> {
        let frame = self.frame();
        let legend: Place = (frame.right + TEXT, frame.top);
        let width = legend.0 + legend_width(&self.entries) + TEXT / 2;
        let height = frame.bottom + TEXT * 7 / 2;
        draw((width / SCALE + 1, height / SCALE + 1), |picture| {
            if let Some(title) = self.title {
                picture.title(&shortened(title), (frame.left, TEXT))?;
            }
            frame.draw(picture, self.x_title, self.y_title)?;
            content(picture, &frame)?;
            draw_legend(picture, &self.entries, legend)
        })
    }

    fn frame(&self) -> Frame {
        let labels = self.y.ticks().into_iter().map(|tick| width(&self.y.label(tick)));
        let left = labels.max().unwrap_or(0) + TEXT * 5 / 2;
        let top = if self.title.is_some() { TEXT * 2 } else { TEXT };
        let high = (self.inside.1 * SCALE).max(legend_height(&self.entries));
        let (right, bottom) = (left + self.inside.0 * SCALE, top + high);
        Frame { left, top, right, bottom, x: self.x, y: self.y }
    }
}

/// A text with its middle left out if it would be wider than a frame.
fn shortened(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= MOST_CHARACTERS {
        return text.to_owned();
    }
    let half = MOST_CHARACTERS / 2 - 1;
    let (first, last) = (&characters[..half], &characters[characters.len() - half..]);
    first.iter().chain(&['…']).chain(last).collect()
}

/// A limit of CPU time as a level line, if it is inside the frame.
fn limit_line(picture: &Picture, frame: &Frame, limit: f64) -> Drawn {
    if limit > frame.y.high() || limit < frame.y.low() {
        return Ok(());
    }
    let y = frame.row(limit);
    picture.line(&[(frame.left, y), (frame.right, y)], LIMIT)?;
    let text = format!("limit {} s", label(limit));
    frame.note(picture, &text, (frame.left + TEXT / 2, y + TEXT), Side::Left)
}

/// An axis of CPU seconds for values, up to the limit if they come near it.
fn seconds_axis(values: impl Iterator<Item = f64> + Clone, limit: f64, with_limit: bool) -> Axis {
    let values = values.map(|value| value.max(LEAST_SECONDS));
    let low = values.clone().min_by(f64::total_cmp).unwrap_or(LEAST_SECONDS);
    let high = values.max_by(f64::total_cmp).unwrap_or(1.0);
    let decade = 10_f64.powf(high.log10().ceil());
    match with_limit || decade >= limit {
        true => Axis::logarithmic(low, high.max(limit) * 1.25),
        false => Axis::logarithmic(low, decade),
    }
}

#[cfg(test)]
mod tests;
