//! The looks of tools: colours for the colour-blind, marks, dashes; and the legend, which stands
//! beside the frame so that it hides nothing.
//!
//! The colours are those of \[OI08\] without black and yellow, and two of \[Tol21\]. Marks and
//! dashes change from tool to tool as well, so that pictures survive a black-and-white printer.

use plotters::style::RGBColor;
use unicode_width::UnicodeWidthStr;

use super::picture::{Drawn, GREY, INK, Look, Mark, Picture, Place, SCALE, Side, TEXT, width};

const COLORS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(136, 34, 85),
    RGBColor(153, 153, 51),
];

const MARKS: [Mark; 6] =
    [Mark::Circle, Mark::Triangle, Mark::Square, Mark::Diamond, Mark::Cross, Mark::Wedge];

const DASHES: [Option<(i32, i32)>; 4] = [None, Some((18, 8)), Some((8, 6)), Some((30, 8))];

/// The look of the tool at a rank, the same in all plots.
pub(crate) fn look(tool: usize) -> Look {
    Look {
        color: COLORS[tool % COLORS.len()],
        mark: Some(MARKS[tool % MARKS.len()]),
        dash: DASHES[(tool + tool / COLORS.len()) % DASHES.len()],
        width: 3,
    }
}

/// How answers are drawn: yes, no, none.
pub(crate) const YES: Look =
    Look { color: COLORS[0], mark: Some(Mark::Circle), dash: None, width: 3 };
pub(crate) const NO: Look =
    Look { color: COLORS[1], mark: Some(Mark::Triangle), dash: None, width: 3 };
pub(crate) const UNSOLVED: Look =
    Look { color: GREY, mark: Some(Mark::Square), dash: None, width: 3 };

/// The columns of a line of the legend.
const COLUMNS: usize = 30;

/// The lines of an entry before it is cut short.
const MOST_LINES: usize = 4;

/// The sample and the gap behind it.
const SAMPLE: i32 = 40 * SCALE;
const GAP: i32 = 8 * SCALE;
const LINE: i32 = TEXT * 5 / 4;

/// One line of the legend: look, name, and a remark.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    look: Look,
    /// Whether there is a line, or marks alone.
    with_line: bool,
    lines: Vec<String>,
    more: Option<String>,
}

impl Entry {
    pub(crate) fn line(look: Look, label: &str, more: Option<String>) -> Self {
        Entry { look, with_line: true, lines: broken(label), more }
    }

    pub(crate) fn mark(look: Look, label: &str) -> Self {
        Entry { look, with_line: false, lines: broken(label), more: None }
    }

    fn texts(&self) -> impl Iterator<Item = (&str, RGBColor)> {
        let lines = self.lines.iter().map(|line| (line.as_str(), INK));
        lines.chain(self.more.as_deref().map(|more| (more, GREY)))
    }

    fn height(&self) -> i32 {
        self.texts().count() as i32 * LINE + LINE / 3
    }

    fn draw(&self, picture: &Picture, (x, y): Place) -> Drawn {
        let middle = y + LINE / 2;
        if self.with_line {
            picture.line(&[(x, middle), (x + SAMPLE, middle)], self.look)?;
        }
        picture.mark(self.look, (x + SAMPLE / 2, middle), 4 * SCALE, true)?;
        for (index, (text, color)) in self.texts().enumerate() {
            let place = (x + SAMPLE + GAP, middle + index as i32 * LINE);
            picture.text(text, place, Side::Left, color)?;
        }
        Ok(())
    }
}

/// How wide a legend is, in units.
pub(crate) fn legend_width(entries: &[Entry]) -> i32 {
    let widths = entries.iter().flat_map(|entry| entry.texts().map(|(text, _)| width(text)));
    SAMPLE + GAP + widths.max().unwrap_or(0)
}

/// How high a legend is, in units.
pub(crate) fn legend_height(entries: &[Entry]) -> i32 {
    entries.iter().map(Entry::height).sum()
}

pub(crate) fn draw_legend(picture: &Picture, entries: &[Entry], place: Place) -> Drawn {
    let (x, mut y) = place;
    for entry in entries {
        entry.draw(picture, (x, y))?;
        y += entry.height();
    }
    Ok(())
}

/// A label in lines, broken after words and options if possible, cut off if there are too many.
fn broken(label: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in label.split_inclusive([':', ' ', '/', ',']).flat_map(pieces) {
        match lines.last_mut() {
            Some(line) if line.width() + part.width() <= COLUMNS => line.push_str(&part),
            _ => lines.push(part),
        }
    }
    if lines.len() > MOST_LINES {
        let last = lines.last().cloned().unwrap_or_default();
        lines.truncate(MOST_LINES - 1);
        lines.push(format!("… {last}"));
    }
    lines
}

/// A text in pieces that fit on a line.
fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(COLUMNS).map(|piece| piece.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_broken_where_options_end() {
        let lines = broken("antichain:forward:post=minimal:order=direct");
        assert_eq!(lines, ["antichain:forward:", "post=minimal:order=direct"]);
        assert_eq!(broken("aalta"), ["aalta"]);
        let lines = broken(&"x".repeat(100));
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [30, 30, 30, 10]);
        let lines = broken(&"x".repeat(1000));
        assert_eq!(lines.len(), 4);
        assert!(lines[3].starts_with('…'));
    }

    #[test]
    fn no_two_tools_look_alike() {
        let looks: Vec<_> = (0..24)
            .map(|tool| {
                let look = look(tool);
                format!("{:?} {:?} {:?}", look.color, look.mark, look.dash)
            })
            .collect();
        let different: std::collections::BTreeSet<_> = looks.iter().collect();
        assert_eq!(different.len(), 24);
    }
}
