//! Truth by time: a row a proposition or subformula, a column a moment, the loop marked above.

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

/// One row: what it is about, and where it holds.
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) holds: Vec<bool>,
}

/// A word as a table.
pub(crate) struct Table {
    pub(crate) length: usize,
    pub(crate) loop_start: Option<usize>,
    pub(crate) rows: Vec<Row>,
}

/// How much of a table is shown.
#[derive(Clone, Copy)]
pub(crate) enum Extent {
    /// What fits on one screen of this width.
    Screen(usize),
    /// Everything, in blocks of this width.
    All(usize),
}

/// The most rows that are shown on a screen.
const SCREEN_ROWS: usize = 40;

impl Table {
    /// The table for people, each line indented by two blanks. `show_all` is the option that shows what
    /// is left out.
    pub(crate) fn render(&self, extent: Extent, show_all: &str) -> String {
        let (width, rows) = match extent {
            Extent::Screen(width) => (width, self.rows.len().min(SCREEN_ROWS)),
            Extent::All(width) => (width, self.rows.len()),
        };
        let rows = &self.rows[..rows];
        let labels = rows.iter().map(|row| row.label.width()).chain([4]).max().unwrap_or(4);
        let cell = self.length.saturating_sub(1).to_string().len() + 1;
        let columns = (width.saturating_sub(labels + 3) / cell).max(1);
        let shown = match extent {
            Extent::Screen(_) => self.length.min(columns),
            Extent::All(_) => self.length,
        };
        let mut out = String::new();
        for start in (0..shown).step_by(columns) {
            if start > 0 {
                out.push('\n');
            }
            let block = start..(start + columns).min(shown);
            self.render_block(rows, labels, cell, block, &mut out);
        }
        self.render_omissions(rows.len(), shown, show_all, &mut out);
        out
    }

    fn render_block(
        &self,
        rows: &[Row],
        labels: usize,
        cell: usize,
        block: std::ops::Range<usize>,
        out: &mut String,
    ) {
        let strong = Style::new().bold();
        let mut line = |label: &str, text: &str| {
            let blanks = " ".repeat(labels - label.width() + 1);
            out.push_str(format!("  {label}{blanks}{text}").trim_end());
            out.push('\n');
        };
        let times: String = block.clone().map(|time| format!("{time:>cell$}")).collect();
        line("time", &times);
        if let Some(start) = self.loop_start {
            let marks: String =
                block.clone().map(|time| self.loop_mark(start, time, cell)).collect();
            line("loop", &marks);
        }
        for row in rows {
            let marks = block.clone().map(|time| match row.holds[time] {
                true => format!("{}{strong}1{strong:#}", " ".repeat(cell - 1)),
                false => format!("{:>cell$}", "·"),
            });
            line(&row.label, &marks.collect::<String>());
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

/// How wide the output may be: the terminal's width where there is one.
pub(crate) fn screen_width() -> usize {
    let from_environment = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    from_environment.filter(|&columns: &usize| columns >= 20).unwrap_or(100)
}
