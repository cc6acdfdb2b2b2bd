//! Truth by time: a row a proposition or subformula, a column a moment, the loop marked above.

use std::ops::Range;

use anstyle::Style;
use kermode::ltl::text::visible;
use unicode_width::UnicodeWidthStr;

use crate::report::styled;

/// One row: what it is about, and where it holds.
pub(crate) struct Row<'t> {
    pub(crate) label: String,
    pub(crate) holds: Box<dyn Fn(usize) -> bool + 't>,
}

/// A word as a table.
pub(crate) struct Table<'t> {
    pub(crate) length: usize,
    pub(crate) loop_start: Option<usize>,
    pub(crate) rows: Vec<Row<'t>>,
    /// Whether the last rows matter most where there are too many.
    pub(crate) outermost_last: bool,
}

/// How much of a table is shown.
#[derive(Clone, Copy)]
pub(crate) enum Extent {
    /// What fits on one screen; the option that shows the rest is named.
    Screen(&'static str),
    /// Everything, in blocks as wide as the screen.
    All,
}

/// The most rows that are shown on a screen.
const SCREEN_ROWS: usize = 40;

impl Table<'_> {
    /// The table for people, each line indented by two blanks.
    pub(crate) fn render(&self, extent: Extent) -> String {
        let rows = match extent {
            Extent::Screen(_) => self.screen_rows(),
            Extent::All => &self.rows,
        };
        let labels: Vec<String> = rows.iter().map(|row| visible(&row.label)).collect();
        let layout = Layout::new(&labels, self.length);
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

/// The widths of a table.
struct Layout {
    label: usize,
    cell: usize,
    /// The columns of a block.
    columns: usize,
    strong: Style,
}

impl Layout {
    fn new(labels: &[String], length: usize) -> Self {
        let label = labels.iter().map(|label| label.width()).chain([4]).max().unwrap_or(4);
        let cell = length.saturating_sub(1).to_string().len() + 1;
        let columns = (screen_width().saturating_sub(label + 3) / cell).max(1);
        let strong = if styled() { Style::new().bold() } else { Style::new() };
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

/// How wide the output may be: the terminal's width where there is one, or what `COLUMNS` says.
fn screen_width() -> usize {
    let from_environment = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let from_terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    from_environment.or_else(from_terminal).filter(|&columns: &usize| columns > 0).unwrap_or(100)
}
