//! The lines of NuSMV's output, and the blocks of values in them.
//!
//! Banner, warnings, verdicts and other lines without blanks before them are skipped, so that the
//! whole output can be read. A trace ends with a line that begins with `--` and is no mark of a
//! loop, or with the heading of the next one. Indentation does not matter otherwise.

use std::ops::Range;

use kermode_base::Diagnostic;

use crate::trace::values::MOST_ERRORS;

/// Whether a block has the values of a state or of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    State,
    Input,
}

/// A header with its values.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    /// The number of the trace, and that of the state.
    pub(super) number: (usize, usize),
    /// The header.
    pub(super) span: Range<usize>,
    /// The mark of a loop before the header.
    pub(super) mark: Option<Range<usize>>,
    /// Names and values.
    pub(super) entries: Vec<Entry>,
}

/// `name = value`.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: Range<usize>,
    pub(super) value: Range<usize>,
}

/// The blocks of one trace.
#[derive(Clone, Debug, Default)]
pub(super) struct RawTrace {
    pub(super) blocks: Vec<Block>,
    pub(super) span: Range<usize>,
}

/// The meaning of a line.
enum Line {
    Heading,
    Header(BlockKind, Option<(usize, usize)>),
    Mark,
    /// A line of NuSMV after which no trace continues.
    End,
    Blank,
    Other,
}

/// Splits a text into traces. `is_known` tells whether a name is one of the model.
pub(super) fn split(
    text: &str,
    is_known: &dyn Fn(&str) -> bool,
) -> (Vec<RawTrace>, Vec<Diagnostic>) {
    let mut splitter = Splitter {
        text,
        is_known,
        traces: Vec::new(),
        errors: Vec::new(),
        mark: None,
        open: false,
    };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        splitter.line(start, line);
        start += line.len();
        if splitter.errors.len() >= MOST_ERRORS {
            break;
        }
    }
    (splitter.traces, splitter.errors)
}

struct Splitter<'t> {
    text: &'t str,
    is_known: &'t dyn Fn(&str) -> bool,
    traces: Vec<RawTrace>,
    errors: Vec<Diagnostic>,
    /// A mark of a loop whose state did not come yet.
    mark: Option<Range<usize>>,
    /// Whether a trace was begun and has not ended.
    open: bool,
}

impl Splitter<'_> {
    fn line(&mut self, start: usize, line: &str) {
        let content = line.trim();
        let first = start + line.len() - line.trim_start().len();
        let span = first..first + content.len();
        match meaning(content) {
            Line::Blank => {}
            Line::Heading => {
                // `Trace Type:` continues the heading that `Trace Description:` begins.
                let is_begun = self.open && self.traces.last().is_some_and(|t| t.blocks.is_empty());
                if !is_begun {
                    self.begin(&span);
                }
            }
            Line::Mark => self.mark = Some(span),
            Line::End => (self.open, self.mark) = (false, None),
            Line::Header(kind, Some(number)) => self.header(kind, number, span),
            Line::Header(_, None) => {
                let error = Diagnostic::error(span, "this header has no number of a state")
                    .label("expected `-> State: 1.1 <-` or `-> Input: 1.2 <-`");
                self.errors.push(error);
            }
            Line::Other => self.other(line, span),
        }
    }

    fn begin(&mut self, span: &Range<usize>) {
        self.traces.push(RawTrace { blocks: Vec::new(), span: span.clone() });
        (self.open, self.mark) = (true, None);
    }

    fn header(&mut self, kind: BlockKind, number: (usize, usize), span: Range<usize>) {
        let last = self.traces.last().and_then(|trace| trace.blocks.last());
        let is_other = last.is_some_and(|last| last.number.0 != number.0 && number.1 == 1);
        if !self.open || is_other {
            let mark = self.mark.take();
            self.begin(&span);
            self.mark = mark;
        }
        let mark = if kind == BlockKind::State { self.mark.take() } else { None };
        if let Some(trace) = self.traces.last_mut() {
            trace.span.end = span.end;
            trace.blocks.push(Block { kind, number, span, mark, entries: Vec::new() });
        }
    }

    /// A line with a value, or one that has no place in a trace.
    fn other(&mut self, line: &str, span: Range<usize>) {
        let trace = self.traces.last_mut().filter(|_| self.open);
        let Some(block) = trace.and_then(|trace| trace.blocks.last_mut()) else { return };
        let content = &self.text[span.clone()];
        let is_indented = line.starts_with([' ', '\t']);
        match value_sign(content, self.is_known) {
            Some(sign) if is_indented || is_name(&content[..sign]) => {
                let (name, value) = (content[..sign].trim_end(), content[sign + 1..].trim_start());
                let name = span.start..span.start + name.len();
                let value = span.end - value.len()..span.end;
                block.entries.push(Entry { name, value });
                if let Some(trace) = self.traces.last_mut() {
                    trace.span.end = span.end;
                }
            }
            None if is_indented => {
                let error = Diagnostic::error(span, "this is no line of a trace")
                    .label("expected `name = value`, `-> State: 1.2 <-` or `-> Input: 1.2 <-`");
                self.errors.push(error);
            }
            _ => {}
        }
    }
}

fn meaning(content: &str) -> Line {
    if content.is_empty() {
        Line::Blank
    } else if content.starts_with("Trace Description:") || content.starts_with("Trace Type:") {
        Line::Heading
    } else if content == "-- Loop starts here" {
        Line::Mark
    } else if content.starts_with("--") || content.starts_with("<!--") {
        Line::End
    } else if let Some(rest) = content.strip_prefix("-> State:") {
        Line::Header(BlockKind::State, number(rest))
    } else if let Some(rest) = content.strip_prefix("-> Input:") {
        Line::Header(BlockKind::Input, number(rest))
    } else {
        Line::Other
    }
}

/// ` 1.2 <-`.
fn number(text: &str) -> Option<(usize, usize)> {
    let (trace, state) = text.trim().strip_suffix("<-")?.trim_end().split_once('.')?;
    Some((trace.parse().ok()?, state.parse().ok()?))
}

/// The place of `=` between name and value. A name in quotation marks may have that sign too.
fn value_sign(content: &str, is_known: &dyn Fn(&str) -> bool) -> Option<usize> {
    let signs = content.match_indices('=').map(|(at, _)| at);
    let known = signs.clone().find(|&at| is_known(content[..at].trim_end()));
    known.or_else(|| signs.into_iter().next()).filter(|&at| !content[..at].trim().is_empty())
}

/// Whether a text can be a name.
fn is_name(text: &str) -> bool {
    let text = text.trim_end();
    !text.is_empty() && !text.contains(char::is_whitespace)
}
