//! Timelines: one row per proposition, subformula or variable, one column per position, the loop
//! marked above.
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

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use crate::dialect::{write_abbreviated, write_name};
use crate::semantics;
use crate::store::{Proposition, Store};
use crate::text::visible;
use crate::word::Word;

/// What a row shows at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Whether something holds: `1` or `·`.
    Mark(bool),
    /// A value. It is left blank where it is the same as in the column before.
    Value(String),
    /// A text that is always shown.
    Text(String),
}

impl Cell {
    /// The width of the text with a blank before it. Marks fit into every column.
    fn width(&self) -> usize {
        match self {
            Cell::Mark(_) => 0,
            Cell::Value(text) | Cell::Text(text) => visible(text).width() + 1,
        }
    }
}

/// One row: its label, and what it shows.
pub struct Row<'t> {
    /// What it is about.
    pub label: String,
    /// What is shown at a position.
    pub cell: Box<dyn Fn(usize) -> Cell + 't>,
}

impl<'t> Row<'t> {
    /// A row with marks where something holds.
    pub fn marks(label: String, holds: impl Fn(usize) -> bool + 't) -> Self {
        Row { label, cell: Box::new(move |position| Cell::Mark(holds(position))) }
    }
}

/// A table of what holds where along a word, or of values along a trace.
pub struct Timeline<'t> {
    /// The number of positions.
    pub length: usize,
    /// Where the loop begins, if there is one.
    pub loop_start: Option<usize>,
    /// The rows, from the top.
    pub rows: Vec<Row<'t>>,
    /// Whether the last rows are the important ones if there are too many.
    pub outermost_last: bool,
    /// What the positions are called: letters or states.
    pub unit: &'static str,
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

/// Columns are as wide as the widest value, up to this width; columns with wider values are wider.
const COMMON_WIDTH: usize = 9;

/// The number of positions that are looked at to find the widest value.
const MEASURED: usize = 200;

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
            Row::marks(write_name(store, proposition), holds)
        };
        let rows = propositions.iter().map(row).collect();
        Timeline {
            length: word.len(),
            loop_start: word.loop_start(),
            rows,
            outermost_last: false,
            unit: "letters",
        }
    }

    /// Subformulas from the smallest to the whole: at most this many of the outermost ones, each
    /// written with about this many bytes.
    pub fn of_subformulas(
        store: &Store,
        truth: &'t semantics::Table,
        most_rows: usize,
        label: usize,
    ) -> Self {
        let row = |subformula| {
            let label = write_abbreviated(store, subformula, label);
            Row::marks(label, move |position| truth.holds(subformula, position))
        };
        let subformulas = truth.subformulas().iter().rev();
        let mut rows: Vec<Row> = subformulas.take(most_rows).map(row).collect();
        rows.reverse();
        let (length, loop_start) = (truth.word().len(), truth.word().loop_start());
        Timeline { length, loop_start, rows, outermost_last: true, unit: "letters" }
    }

    /// The timeline as text, each line indented by two blanks.
    pub fn render(&self, extent: Extent, screen: Screen) -> String {
        let rows = match extent {
            Extent::Screen(_) => self.screen_rows(),
            Extent::All => &self.rows,
        };
        let labels: Vec<String> = rows.iter().map(|row| visible(&row.label)).collect();
        let mut layout = Layout::new(&labels, self.length, screen);
        layout.narrowest = layout.narrowest.max(self.common_width(rows));
        let (mut out, mut shown) = (String::new(), 0);
        while shown < self.length {
            if shown > 0 {
                out.push('\n');
            }
            let block = self.block(rows, &layout, shown);
            self.render_block(&labels, &layout, &block, &mut out);
            shown += block.len();
            if matches!(extent, Extent::Screen(_)) {
                break;
            }
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

    /// The width of columns that gives most tables of values a regular grid.
    fn common_width(&self, rows: &[Row]) -> usize {
        let positions = 0..self.length.min(MEASURED);
        let cells = positions.flat_map(|time| rows.iter().map(move |row| (row.cell)(time)));
        cells.map(|cell| cell.width()).max().unwrap_or(0).min(COMMON_WIDTH)
    }

    /// As many columns from a position on as fit beside each other, at least one.
    fn block(&self, rows: &[Row], layout: &Layout, start: usize) -> Vec<Column> {
        let (mut columns, mut used): (Vec<Column>, usize) = (Vec::new(), 0);
        let mut before: Vec<Cell> = Vec::new();
        for time in start..self.length {
            let cells: Vec<Cell> = rows.iter().map(|row| (row.cell)(time)).collect();
            // Where the loop begins, two columns come before.
            let previous = if Some(time) == self.loop_start { &[] } else { before.as_slice() };
            let column = layout.column(time, &cells, previous);
            used += column.width;
            if used > layout.room && !columns.is_empty() {
                break;
            }
            columns.push(column);
            before = cells;
        }
        columns
    }

    fn render_block(&self, labels: &[String], layout: &Layout, block: &[Column], out: &mut String) {
        let times = block.iter().map(|column| padded(&column.time.to_string(), column.width));
        layout.line("time", &times.collect::<String>(), out);
        if let Some(start) = self.loop_start {
            let marks = block.iter().map(|column| self.loop_mark(start, column.time, column.width));
            layout.line("loop", &marks.collect::<String>(), out);
        }
        for (row, label) in labels.iter().enumerate() {
            let cells = block.iter().map(|column| layout.cell(&column.cells[row], column.width));
            layout.line(label, &cells.collect::<String>(), out);
        }
    }

    fn loop_mark(&self, start: usize, time: usize, width: usize) -> String {
        let last = self.length - 1;
        let (fill, mark) = match time {
            time if time < start => (' ', ' '),
            time if time == start && time == last => (' ', '○'),
            time if time == start => (' ', '╭'),
            time if time == last => ('─', '╮'),
            _ => ('─', '─'),
        };
        let mut text = String::from(fill).repeat(width - 1);
        text.push(mark);
        text
    }

    fn render_omissions(&self, rows: usize, shown: usize, show_all: &str, out: &mut String) {
        if shown < self.length {
            let (more, unit) = (self.length - shown, self.unit);
            let back = match self.loop_start {
                Some(start) => format!(", then back to {start}"),
                None => String::new(),
            };
            out.push_str(&format!("  … and {more} more {unit}{back}; {show_all} shows them\n"));
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

/// One position of a block.
struct Column {
    time: usize,
    /// With the blank before it.
    width: usize,
    /// By row; values that are left blank are empty texts.
    cells: Vec<Cell>,
}

/// The widths of a timeline.
struct Layout {
    label: usize,
    /// The least width of a column.
    narrowest: usize,
    /// The width of all columns of a block.
    room: usize,
    strong: Style,
}

impl Layout {
    fn new(labels: &[String], length: usize, screen: Screen) -> Self {
        let label = labels.iter().map(|label| label.width()).chain([4]).max().unwrap_or(4);
        let narrowest = length.saturating_sub(1).to_string().len() + 1;
        let room = screen.columns.saturating_sub(label + 3);
        let strong = if screen.styled { Style::new().bold() } else { Style::new() };
        Layout { label, narrowest, room, strong }
    }

    /// The column with these cells, after one with the others.
    fn column(&self, time: usize, cells: &[Cell], before: &[Cell]) -> Column {
        let shown = |(row, cell): (usize, &Cell)| match cell {
            Cell::Mark(holds) => Cell::Mark(*holds),
            Cell::Value(_) if before.get(row) == Some(cell) => Cell::Text(String::new()),
            Cell::Value(text) | Cell::Text(text) => Cell::Text(visible(text)),
        };
        let cells: Vec<Cell> = cells.iter().enumerate().map(shown).collect();
        let widths = cells.iter().map(Cell::width);
        let width = widths.chain([self.narrowest]).max().unwrap_or(0);
        Column { time, width, cells }
    }

    fn line(&self, label: &str, text: &str, out: &mut String) {
        let blanks = " ".repeat(self.label - label.width() + 1);
        out.push_str(format!("  {label}{blanks}{text}").trim_end());
        out.push('\n');
    }

    fn cell(&self, cell: &Cell, width: usize) -> String {
        let strong = self.strong;
        match cell {
            Cell::Mark(true) => format!("{}{strong}1{strong:#}", " ".repeat(width - 1)),
            Cell::Mark(false) => padded("·", width),
            Cell::Value(text) | Cell::Text(text) => padded(text, width),
        }
    }
}

/// A text with blanks before it.
fn padded(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(text.width())))
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

    #[test]
    fn values_are_shown_where_they_change() {
        let value = |texts: [&'static str; 4]| {
            Box::new(move |time: usize| Cell::Value(texts[time].to_owned()))
        };
        let rows = vec![
            Row { label: "mode".to_owned(), cell: value(["idle", "busy", "busy", "busy"]) },
            Row { label: "x".to_owned(), cell: value(["1", "1", "1", "20"]) },
            Row::marks("b".to_owned(), |time| time == 1),
            Row {
                label: "i".to_owned(),
                cell: Box::new(|time| Cell::Text(["0", "0", "0", ""][time].to_owned())),
            },
        ];
        let timeline = Timeline {
            length: 4,
            loop_start: Some(2),
            rows,
            outermost_last: false,
            unit: "states",
        };
        let expected = "  time     0    1    2    3\n  loop               ╭────╮\n  mode  idle busy busy\n  \
                        x        1         1   20\n  b        ·    1    ·    ·\n  i        0    0    0\n";
        assert_eq!(timeline.to_string(), expected);
        let narrow = timeline.render(Extent::All, Screen { columns: 20, styled: false });
        let second = narrow.split("\n\n").nth(1).expect("two blocks");
        assert!(second.contains("mode  busy\n") && second.contains("x        1   20"), "{narrow}");
        let wide = |time: usize| Cell::Value(["a", "much wider than others", "b"][time].to_owned());
        let rows = vec![Row { label: "w".to_owned(), cell: Box::new(wide) }];
        let other =
            Timeline { length: 3, loop_start: None, rows, outermost_last: false, unit: "states" };
        let expected = "  time         0                      1        2\n  \
                        w            a much wider than others        b\n";
        assert_eq!(other.to_string(), expected);
        let cut = timeline.render(Extent::Screen("--full"), Screen { columns: 20, styled: false });
        assert!(cut.contains("… and 2 more states, then back to 2"), "{cut}");
    }
}
