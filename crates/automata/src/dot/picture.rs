//! The parts of a picture: states, edges with labels of several lines, and marks.
//!
//! Marks are numbers on coloured discs, each number with its colour. The discs are cells of tables
//! in Graphviz's HTML-like labels, since few fonts have characters for them. On an edge, each line
//! of the label is a row and each mark has its column. A label without marks is plain text.
//! Automata are drawn from left to right; the arrow to an initial state comes from nowhere.
//!
//! Loops are above their states with their labels. So that no other edge crosses these, edges that
//! lead to the right leave a state at its right side and reach the next at its left side, and
//! edges that lead back leave and arrive below (`direction.rs`).

use kermode_base::BitSet;

use super::direction::returning;

/// The invisible node from which the initial arrows come.
pub const BEGINNING: &str = "initial";

/// The first lines of a picture.
pub const OPENING: [&str; 5] = [
    "digraph automaton {",
    "  rankdir=LR",
    "  graph [fontname=\"Helvetica\", nodesep=0.5, ranksep=1.1]",
    "  node [fontname=\"Helvetica\", fontsize=12, shape=ellipse]",
    "  edge [fontname=\"Helvetica\", fontsize=11, arrowsize=0.7]",
];

/// The invisible node from which the initial arrows come.
pub fn beginning() -> String {
    format!("  {BEGINNING} [shape=point, style=invis]")
}

/// A text between the quotes of DOT.
pub fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// A text in an HTML-like label.
fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The longest name that is shown in a state.
const LONGEST_NAME: usize = 16;

/// What to write into the states: their names if all of them are short and different, otherwise
/// numbers.
pub(crate) fn shown_names(names: &[Option<&str>]) -> Vec<String> {
    let is_short = |name: &&str| !name.is_empty() && name.chars().count() <= LONGEST_NAME;
    let mut distinct: Vec<&str> = names.iter().copied().flatten().filter(is_short).collect();
    distinct.sort_unstable();
    distinct.dedup();
    match distinct.len() == names.len() {
        true => names.iter().copied().flatten().map(str::to_owned).collect(),
        false => (0..names.len()).map(|number| number.to_string()).collect(),
    }
}

/// How a state is drawn.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StateStyle<'a> {
    /// What is shown as tooltip.
    pub(crate) name: Option<&'a str>,
    /// Whether it has a double border.
    pub(crate) accepting: bool,
    /// The marks below its label.
    pub(crate) marks: Option<&'a BitSet>,
}

/// One line of the label of an edge.
#[derive(Clone, Debug, Default)]
pub(crate) struct EdgeLine {
    /// The text.
    pub(crate) text: String,
    /// The marks after the text.
    pub(crate) marks: BitSet,
}

/// A picture under construction.
pub(crate) struct Picture {
    lines: Vec<String>,
    points: usize,
    /// The edges with labels: the line, the source and the target.
    edges: Vec<(usize, String, String)>,
}

impl Picture {
    /// A picture of an automaton whose states show these texts.
    pub(crate) fn new(shown: &[String]) -> Self {
        let mut picture = Picture { lines: Vec::new(), points: 0, edges: Vec::new() };
        OPENING.iter().for_each(|line| picture.line(line));
        let is_number = |text: &String| text.bytes().all(|byte| byte.is_ascii_digit());
        picture.line(match shown.iter().all(is_number) {
            true => "  node [shape=circle, width=0.4, height=0.4, margin=0.03]",
            false => "  node [shape=box, style=rounded, width=0.4, height=0.4, margin=0.08]",
        });
        picture
    }

    pub(crate) fn line(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }

    /// A state with the text that it shows.
    pub(crate) fn state(&mut self, node: &str, shown: &str, style: StateStyle) {
        let marks = style.marks.filter(|marks| !marks.is_empty());
        let label = match marks {
            Some(marks) => {
                let columns = marks.len();
                let shown = format!("<TD COLSPAN=\"{columns}\">{}</TD>", escape_html(shown));
                table(&[shown, marks.iter().map(disc).collect()])
            }
            None => format!("\"{}\"", escape(shown)),
        };
        let name = style.name.filter(|&name| name != shown);
        let tooltip = name.map(|name| format!(", tooltip=\"{}\"", escape(name)));
        let border = if style.accepting { ", peripheries=2" } else { "" };
        let tooltip = tooltip.unwrap_or_default();
        self.line(&format!("  {node} [label={label}{border}{tooltip}]"));
    }

    /// An arrow from nowhere to an initial state.
    pub(crate) fn initial(&mut self, node: &str) {
        let origin = self.point("width=0, style=invis");
        self.line(&format!("  {origin} -> {node}"));
    }

    /// A node without a label: where an arrow begins, forks or ends.
    pub(crate) fn point(&mut self, style: &str) -> String {
        let name = format!("p{}", self.points);
        self.points += 1;
        self.line(&format!("  {name} [shape=point, label=\"\", {style}]"));
        name
    }

    /// An edge with a label.
    pub(crate) fn edge(&mut self, source: &str, target: &str, lines: &[EdgeLine]) {
        let label = label(lines);
        self.edges.push((self.lines.len(), source.to_owned(), target.to_owned()));
        self.line(&format!("  {source} -> {target} [label={label}]"));
    }

    /// The part of a forked edge before the fork.
    pub(crate) fn stem(&mut self, source: &str, fork: &str, lines: &[EdgeLine]) {
        let label = label(lines);
        self.line(&format!("  {source} -> {fork} [label={label}, dir=none]"));
    }

    /// The text of the whole picture.
    pub(crate) fn finished(mut self) -> String {
        let ends = self.edges.iter().map(|(_, source, target)| (source.as_str(), target.as_str()));
        let returning = returning(ends);
        for ((line, source, target), returns) in self.edges.iter().zip(returning) {
            let sides = match returns {
                _ if source == target => continue,
                true => ", tailport=sw, headport=se]",
                false => ", tailport=e, headport=w]",
            };
            self.lines[*line].pop();
            self.lines[*line].push_str(sides);
        }
        self.line("}");
        self.lines.join("\n") + "\n"
    }
}

/// The label of an edge. A space on both sides keeps it off the arrow.
fn label(lines: &[EdgeLine]) -> String {
    let mut marks = BitSet::new();
    lines.iter().for_each(|line| marks.union_with(&line.marks));
    if lines.is_empty() {
        return "\"\"".to_owned();
    }
    if marks.is_empty() {
        let lines: Vec<String> = lines.iter().map(|line| escape(&line.text)).collect();
        return format!("\" {} \"", lines.join(" \\n "));
    }
    let cell = |line: &EdgeLine, mark: usize| match line.marks.contains(mark) {
        true => disc(mark),
        false => "<TD></TD>".to_owned(),
    };
    let row = |line: &EdgeLine| {
        let text = format!("<TD ALIGN=\"LEFT\"> {} </TD>", escape_html(&line.text));
        let cells = marks.iter().map(|mark| cell(line, mark));
        [text].into_iter().chain(cells).collect()
    };
    table(&lines.iter().map(row).collect::<Vec<String>>())
}

/// A label that is a table.
fn table(rows: &[String]) -> String {
    let rows: String = rows.iter().map(|row| format!("<TR>{row}</TR>")).collect();
    format!(
        "<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"1\" CELLPADDING=\"0\">{rows}</TABLE>>"
    )
}

/// Colours that people with any kind of colour vision can tell apart, dark enough for
/// white digits.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#b04a86", "#8a6d00", "#2f86c0", "#7f3f00", "#555555"];

/// A cell with a mark.
fn disc(mark: usize) -> String {
    let colour = COLOURS[mark % COLOURS.len()];
    let width = 13 + 5 * mark.checked_ilog10().unwrap_or(0);
    format!(
        "<TD FIXEDSIZE=\"TRUE\" WIDTH=\"{width}\" HEIGHT=\"13\" STYLE=\"ROUNDED\" \
         BGCOLOR=\"{colour}\"><FONT COLOR=\"white\" POINT-SIZE=\"9\">{mark}</FONT></TD>"
    )
}
