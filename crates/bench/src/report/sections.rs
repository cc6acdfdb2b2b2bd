//! What a report says, from what matters most: conflicts, what was compared, the summary, families,
//! plots, growth, crashes.

use super::Comparison;
use super::conflicts::{Conflict, Crash, conflicts, crashes};
use super::document::{Align, Block, Document, Field, Line, Section, Table, name, plain};
use super::figures::plots_section;
use super::growing::growth_sections;
use super::results::{Results, Tool};
use super::scaling::Wanted;
use super::tables::{family_section, summary_section};
use crate::record::Outcome;

/// The most inputs with the same crash that are named.
const MOST_NAMES: usize = 5;

/// A report, and how many conflicts it tells of.
pub(crate) fn document(
    results: &Results,
    comparison: &Comparison,
    pairs: &[[usize; 2]],
    wanted: &Wanted,
) -> anyhow::Result<(Document, usize)> {
    let (found, broken) = (conflicts(results), crashes(results));
    let mut sections =
        vec![conflict_section(results, &found), compared_section(results, comparison)];
    if !results.inputs.is_empty() && !comparison.growth_only {
        sections.extend([summary_section(results), family_section(results)]);
        sections.push(plots_section(results, pairs)?);
    }
    sections.extend(growth_sections(results, wanted)?);
    if !broken.is_empty() {
        sections.push(crash_section(results, &broken));
    }
    Ok((Document { title: "Campaign report".to_owned(), sections }, found.len()))
}

pub(crate) fn left(title: &str) -> (Line, Align) {
    (vec![plain(title)], Align::Left)
}

pub(crate) fn right(title: &str) -> (Line, Align) {
    (vec![plain(title)], Align::Right)
}

/// A tool, with its mark where its runs were published.
pub(crate) fn tool_line(tool: &Tool) -> Line {
    let mark = tool.published.then(|| plain(" †"));
    [name(&tool.name)].into_iter().chain(mark).collect()
}

pub(crate) fn tool_field(tool: &Tool) -> Field {
    Field { line: tool_line(tool), best: false }
}

fn verdict(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Satisfiable => "satisfiable",
        Outcome::Holds => "holds",
        Outcome::Violated => "violated",
        _ => "unsatisfiable",
    }
}

fn conflict_section(results: &Results, conflicts: &[Conflict]) -> Section {
    let blocks = match conflicts.len() {
        0 => vec![Block::Paragraph(vec![plain(
            "None: no two tools contradict each other, and no tool contradicts a verdict that is known.",
        )])],
        count => {
            let inputs = if count == 1 { "input".to_owned() } else { format!("{count} inputs") };
            let text = format!(
                "Not everybody can be right about the {inputs} below. Nothing else in this report \
                 matters before this is settled."
            );
            vec![Block::Warning(vec![plain(text)]), conflict_table(results, conflicts)]
        }
    };
    Section { title: "Conflicts", blocks }
}

fn conflict_table(results: &Results, conflicts: &[Conflict]) -> Block {
    let tools = |places: &[usize]| {
        let lines = places.iter().map(|&place| tool_line(&results.tools[place]));
        Field { line: enumeration(lines), best: false }
    };
    let row = |conflict: &Conflict| {
        let expected: Vec<&str> = conflict.expected.iter().map(|known| verdict(*known)).collect();
        let expected =
            if expected.is_empty() { "nothing".to_owned() } else { expected.join(" and ") };
        vec![
            Field::name(conflict.input),
            Field::name(conflict.family),
            Field::text(expected),
            tools(&conflict.said_yes),
            tools(&conflict.said_no),
        ]
    };
    let said = results.answer_words().map(|word| left(&format!("said {word}")));
    let columns = ["input", "family", "known"].map(left).into_iter().chain(said).collect();
    let rows = conflicts.iter().map(row).collect();
    Block::Table(Table { columns, rows, has_total: false })
}

fn compared_section(results: &Results, comparison: &Comparison) -> Section {
    let mut items = vec![sources(comparison), vec![plain(counts(results))]];
    items.push(limits(results, comparison));
    if results.repetitions > 1 {
        items.push(vec![plain(format!(
            "Runs were made up to {} times. The median run stands for all of them; of an even number, the worse \
             of the two in the middle. One wrong answer makes the run wrong.",
            results.repetitions
        ))]);
    }
    items.extend(not_run(results));
    items.extend(set_aside(results));
    let mut blocks = vec![Block::List(items)];
    if results.has_published() {
        blocks.push(Block::Warning(vec![plain(
            "† Published runs, made on another machine and perhaps under other limits of memory. Times move from \
             machine to machine by a factor of two and more: small differences mean nothing.",
        )]));
    }
    Section { title: "What is compared", blocks }
}

/// The files, by their names alone.
fn sources(comparison: &Comparison) -> Line {
    let files = comparison.records.iter().chain(&comparison.peers);
    let names = files.map(|path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy());
    let names = enumeration(names.map(|file| vec![name(file)]));
    [plain("Runs of ")].into_iter().chain(names).chain([plain(".")]).collect()
}

fn counts(results: &Results) -> String {
    let (tools, inputs, families) =
        (results.tools.len(), results.inputs.len(), results.families().count());
    format!(
        "{} on {} of {}.",
        many(tools, "tool", "tools"),
        many(inputs, "input", "inputs"),
        many(families, "family", "families")
    )
}

fn limits(results: &Results, comparison: &Comparison) -> Line {
    let seconds: Vec<String> = results.limits.iter().map(|limit| format!("{limit} s")).collect();
    let mut line = match &seconds[..] {
        [] => vec![plain("There are no runs.")],
        [only] => vec![plain(format!("The CPU limit is {only}."))],
        several => vec![
            plain(format!(
                "There are different CPU limits: {}. Each run counts by its own; ",
                several.join(", ")
            )),
            name("--cpu-limit"),
            plain(" with the least of them makes them equal."),
        ],
    };
    if let Some(limit) = comparison.cpu_limit.map(|limit| limit.as_secs_f64()) {
        line.push(plain(format!(
            " Answers that took more than {limit} s are counted as unsolved."
        )));
    }
    if !comparison.growth_only {
        line.push(plain(
            " PAR-2 is the sum of CPU seconds, where what is unsolved, wrong, crashed or not run counts as \
             twice the limit.",
        ));
    }
    line
}

/// Who did not run everything.
fn not_run(results: &Results) -> Option<Line> {
    if !results.left_out.is_empty() {
        let inputs = many(results.left_out.len(), "input", "inputs");
        return Some(vec![plain(format!("Left out, since some tool did not run it: {inputs}."))]);
    }
    let missing =
        |tool: usize| results.inputs.iter().filter(|input| input.cells[tool].is_none()).count();
    let places = (0..results.tools.len()).filter(|&place| missing(place) > 0);
    let tools = enumeration(places.map(|place| {
        let on = plain(format!(" on {}", many(missing(place), "input", "inputs")));
        tool_line(&results.tools[place]).into_iter().chain([on]).collect()
    }));
    let start = plain("Not run, and counted as unsolved: ");
    let end = [plain(". "), name("--common"), plain(" compares on the inputs that all tools ran.")];
    (!tools.is_empty()).then(|| [start].into_iter().chain(tools).chain(end).collect())
}

fn set_aside(results: &Results) -> Option<Line> {
    let inputs = many(results.disputed.len(), "disputed input", "disputed inputs");
    let text = format!(
        "Set aside: {inputs}, about which answers differ and nothing decides. Nobody is counted as wrong there, or as \
         right; they are in no table and no plot."
    );
    (!results.disputed.is_empty()).then(|| vec![plain(text)])
}

fn crash_section(results: &Results, crashes: &[Crash]) -> Section {
    let row = |crash: &Crash| {
        let detail = if crash.detail.is_empty() { plain("nothing") } else { name(crash.detail) };
        vec![
            tool_field(&results.tools[crash.tool]),
            Field { line: vec![detail], best: false },
            Field::text(crash.runs.to_string()),
            Field::text(crash.inputs.len().to_string()),
            some_names(crash.inputs.iter().copied()),
        ]
    };
    let rows = crashes.iter().map(row).collect();
    let columns =
        vec![left("tool"), left("what it said"), right("runs"), right("inputs"), left("which")];
    let table = Block::Table(Table { columns, rows, has_total: false });
    Section { title: "Crashes", blocks: vec![table] }
}

/// The first of many names.
fn some_names<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> Field {
    let more = names.len().saturating_sub(MOST_NAMES);
    let mut line = enumeration(names.take(MOST_NAMES).map(|known| vec![name(known)]));
    if more > 0 {
        line.push(plain(format!(" and {more} more")));
    }
    Field { line, best: false }
}

/// Things with commas between them.
fn enumeration(things: impl Iterator<Item = Line>) -> Line {
    let mut line: Line = Vec::new();
    for thing in things {
        if !line.is_empty() {
            line.push(plain(", "));
        }
        line.extend(thing);
    }
    line
}

/// `1 input`, `2 inputs`.
fn many(count: usize, one: &str, more: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {more}"),
    }
}
