//! Timelines: one row per proposition or subformula, one column per position, the
//! loop marked above.
//!
//! ```
//! use kermode_ltl::{Store, Timeline, word::read_word};
//!
//! let mut store = Store::new();
//! let word = read_word(&mut store, "a & !b; cycle{b & !a; a & b}").expect("a word");
//! let propositions = ["a", "b"].map(|name| store.proposition(name));
//! let shown = Timeline::of_word(&store, &word, &propositions).to_string();
//! assert_eq!(shown, "  time  0 1 2\n  loop    ╭─╮\n  a     1 · 1\n  b     · 1 1\n");
//! ```

use std::fmt;
use std::ops::Range;

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use crate::dialect::{write_abbreviated, write_name};
use crate::semantics;
use crate::store::{Proposition, Store};
use crate::text::visible;
use crate::word::Word;

/// One row: its label, and where it holds.
pub struct Row<'t> {
    /// What it is about.
    pub label: String,
    /// Whether that holds at a position.
    pub holds: Box<dyn Fn(usize) -> bool + 't>,
}

/// A table of what holds where along a word.
pub struct Timeline<'t> {
    /// The number of positions.
    pub length: usize,
    /// Where the loop begins, if there is one.
    pub loop_start: Option<usize>,
    /// The rows, from the top.
    pub rows: Vec<Row<'t>>,
    /// Whether the last rows are the important ones if there are too many.
    pub outermost_last: bool,
}

/// How much of a timeline is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// What fits on one screen, and the name of the option that shows the rest.
    Screen(&'static str),
    /// Everything, in blocks as wide as the screen.
    All,
}

/// The most rows that are shown on a screen.
const SCREEN_ROWS: usize = 40;

/// The screen that a timeline is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// How many columns it has.
    pub columns: usize,
    /// Whether it shows bold letters by escape sequences.
    pub styled: bool,
}

impl Default for Screen {
    fn default() -> Self {
        Screen { columns: 100, styled: false }
    }
}

impl<'t> Timeline<'t> {
    /// A word, one row per proposition.
    pub fn of_word(store: &Store, word: &'t Word, propositions: &[Proposition]) -> Self {
        let row = |&proposition: &Proposition| {
            let holds = move |time: usize| word.letters()[time].contains(proposition);
            Row { label: write_name(store, proposition), holds: Box::new(holds) }
        };
        let rows = propositions.iter().map(row).collect();
        Timeline { length: word.len(), loop_start: word.loop_start(), rows, outermost_last: false }
    }

    /// Subformulas from the smallest to the whole: at most this many of the outermost ones, each
    /// written with about this many bytes.
    pub fn of_subformulas(
        store: &Store,
        truth: &'t semantics::Table,
        most_rows: usize,
        label: usize,
    ) -> Self {
        let row = |subformula| Row {
            label: write_abbreviated(store, subformula, label),
            holds: Box::new(move |position| truth.holds(subformula, position)),
        };
        let subformulas = truth.subformulas().iter().rev();
        let mut rows: Vec<Row> = subformulas.take(most_rows).map(row).collect();
        rows.reverse();
        let (length, loop_start) = (truth.word().len(), truth.word().loop_start());
        Timeline { length, loop_start, rows, outermost_last: true }
    }

    /// The timeline as text, each line indented by two blanks.
    pub fn render(&self, extent: Extent, screen: Screen) -> String {
        let rows = match extent {
            Extent::Screen(_) => self.screen_rows(),
            Extent::All => &self.rows,
        };
        let labels: Vec<String> = rows.iter().map(|row| visible(&row.label)).collect();
        let layout = Layout::new(&labels, self.length, screen);
        let shown = match extent {
            Extent::Screen(_) => self.length.min(layout.columns),
            Extent::All => self.length,
        };
        let mut out = String::new();
        for start in (0..shown).step_by(layout.columns) {
            if start > 0 {
                out.push('\n');
            }
            let block = start..(start + layout.columns).min(shown);
            self.render_block(rows, &labels, &layout, block, &mut out);
        }
        if let Extent::Screen(show_all) = extent {
            self.render_omissions(rows.len(), shown, show_all, &mut out);
        }
        out
    }

    fn screen_rows(&self) -> &[Row<'_>] {
        let count = self.rows.len().min(SCREEN_ROWS);
        match self.outermost_last {
            true => &self.rows[self.rows.len() - count..],
            false => &self.rows[..count],
        }
    }

    fn render_block(
        &self,
        rows: &[Row],
        labels: &[String],
        layout: &Layout,
        block: Range<usize>,
        out: &mut String,
    ) {
        let cell = layout.cell;
        let times: String = block.clone().map(|time| format!("{time:>cell$}")).collect();
        layout.line("time", &times, out);
        if let Some(start) = self.loop_start {
            let marks: String =
                block.clone().map(|time| self.loop_mark(start, time, cell)).collect();
            layout.line("loop", &marks, out);
        }
        for (row, label) in rows.iter().zip(labels) {
            let marks: String = block.clone().map(|time| layout.mark((row.holds)(time))).collect();
            layout.line(label, &marks, out);
        }
    }

    fn loop_mark(&self, start: usize, time: usize, cell: usize) -> String {
        let last = self.length - 1;
        let (fill, mark) = match time {
            time if time < start => (' ', ' '),
            time if time == start && time == last => (' ', '○'),
            time if time == start => (' ', '╭'),
            time if time == last => ('─', '╮'),
            _ => ('─', '─'),
        };
        let mut text = String::from(fill).repeat(cell - 1);
        text.push(mark);
        text
    }

    fn render_omissions(&self, rows: usize, shown: usize, show_all: &str, out: &mut String) {
        if shown < self.length {
            let more = self.length - shown;
            let back = match self.loop_start {
                Some(start) => format!(", then back to {start}"),
                None => String::new(),
            };
            out.push_str(&format!("  … and {more} more letters{back}; {show_all} shows them\n"));
        }
        if rows < self.rows.len() {
            let more = self.rows.len() - rows;
            out.push_str(&format!("  … and {more} more rows; {show_all} shows them\n"));
        }
    }
}

/// All of it, without styles.
impl fmt::Display for Timeline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.render(Extent::All, Screen::default()))
    }
}

impl fmt::Debug for Timeline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The widths of a timeline.
struct Layout {
    label: usize,
    cell: usize,
    /// The columns of a block.
    columns: usize,
    strong: Style,
}

impl Layout {
    fn new(labels: &[String], length: usize, screen: Screen) -> Self {
        let label = labels.iter().map(|label| label.width()).chain([4]).max().unwrap_or(4);
        let cell = length.saturating_sub(1).to_string().len() + 1;
        let columns = (screen.columns.saturating_sub(label + 3) / cell).max(1);
        let strong = if screen.styled { Style::new().bold() } else { Style::new() };
        Layout { label, cell, columns, strong }
    }

    fn line(&self, label: &str, text: &str, out: &mut String) {
        let blanks = " ".repeat(self.label - label.width() + 1);
        out.push_str(format!("  {label}{blanks}{text}").trim_end());
        out.push('\n');
    }

    fn mark(&self, holds: bool) -> String {
        let (cell, strong) = (self.cell, self.strong);
        match holds {
            true => format!("{}{strong}1{strong:#}", " ".repeat(cell - 1)),
            false => format!("{:>cell$}", "·"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{Dialect, parse};
    use crate::word::read_word;

    #[test]
    fn a_screen_shows_what_fits_and_says_what_is_missing() {
        let mut store = Store::new();
        let word = read_word(&mut store, "a; !a; a; !a; a; cycle{a}").expect("a word");
        let a = store.proposition("a");
        let timeline = Timeline::of_word(&store, &word, &[a]);
        let narrow = Screen { columns: 13, styled: false };
        let shown = timeline.render(Extent::Screen("--full"), narrow);
        assert!(shown.starts_with("  time  0 1 2\n"), "{shown}");
        let missing = "  … and 3 more letters, then back to 5; --full shows them\n";
        assert!(shown.ends_with(missing), "{shown}");
        let all = timeline.render(Extent::All, narrow);
        assert_eq!(all.lines().filter(|line| line.contains("time")).count(), 2);
        let styled = timeline.render(Extent::All, Screen { styled: true, ..narrow });
        assert!(styled.contains("\u{1b}[1m1"), "{styled:?}");
    }

    #[test]
    fn subformulas_stand_below_their_operands() {
        let mut store = Store::new();
        let word = read_word(&mut store, "a; cycle{!a}").expect("a word");
        let finally = parse(&mut store, "F a", Dialect::Kermode.into()).expect("a formula").formula;
        let truth = semantics::evaluate_all(&store, finally, &word);
        let timeline = Timeline::of_subformulas(&store, &truth, 10, 48);
        assert_eq!(timeline.to_string(), "  time  0 1\n  loop    ○\n  a     1 ·\n  F a   1 ·\n");
        assert_eq!(Timeline::of_subformulas(&store, &truth, 1, 48).rows.len(), 1);
    }
}
