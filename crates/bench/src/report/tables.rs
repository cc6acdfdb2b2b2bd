//! The tables of figures: tools over all inputs, and tools by family.

use super::document::{Align, Block, Field, Section, Table, plain};
use super::results::{Input, Results, Tool};
use super::score::{Score, median};
use super::sections::{left, right, tool_field, tool_line};

fn scores(results: &Results, inputs: &[Input]) -> Vec<Score> {
    (0..results.tools.len()).map(|tool| Score::of_tool(inputs, tool)).collect()
}

pub(crate) fn summary_section(results: &Results) -> Section {
    let [yes, no] = results.answer_words().map(|word| match word {
        "satisfiable" => "sat",
        "unsatisfiable" => "unsat",
        word => word,
    });
    let titles = [
        "solved",
        yes,
        no,
        "unique",
        "wrong",
        "crash",
        "time",
        "memory",
        "gave up",
        "not run",
        "PAR-2",
        "median s",
        "median MB",
        "most MB",
    ];
    let scores = scores(results, &results.inputs);
    let mut rows: Vec<Vec<Field>> =
        results.tools.iter().zip(&scores).map(|(tool, score)| summary_row(tool, score)).collect();
    let best = Score::of_virtual_best(&results.inputs);
    if results.tools.len() > 1 {
        let mut row = vec![Field::default(); titles.len() + 1];
        row[0] = Field::text("virtual best");
        row[1] = Field::text(best.solved().to_string());
        row[11] = Field::text(number(best.par2));
        row[12] = Field::text(median(&best.seconds).map(number).unwrap_or_default());
        rows.push(row);
    }
    let columns = [left("tool")].into_iter().chain(titles.map(right)).collect();
    let table = Table { columns, rows, has_total: results.tools.len() > 1 };
    let text = plain(
        "Best PAR-2 first. Unique is what a tool alone solved while others tried. Time and memory are runs past these \
         limits. Medians and peaks are over what the tool solved; the virtual best takes on each input the least \
         CPU time of a right answer.",
    );
    Section { title: "Summary", blocks: vec![Block::Table(table), Block::Paragraph(vec![text])] }
}

fn summary_row(tool: &Tool, score: &Score) -> Vec<Field> {
    let counts = [
        score.solved(),
        score.yes,
        score.no,
        score.unique,
        score.wrong,
        score.crashed,
        score.out_of_time,
        score.out_of_memory,
        score.gave_up,
        score.not_run,
    ];
    let megabytes = |bytes: f64| number(bytes / super::MEGABYTE);
    let measures = [
        Some(number(score.par2)),
        median(&score.seconds).map(number),
        median(&score.peaks).map(megabytes),
        score.peaks.last().copied().map(megabytes),
    ];
    let counts = counts.map(|count| Field::text(count.to_string()));
    let measures = measures.map(|text| Field::text(text.unwrap_or_default()));
    [tool_field(tool)].into_iter().chain(counts).chain(measures).collect()
}

/// A number with three digits that count.
pub(crate) fn number(value: f64) -> String {
    match value {
        value if value >= 99.95 => format!("{value:.0}"),
        value if value >= 9.995 => format!("{value:.1}"),
        value if value >= 0.9995 => format!("{value:.2}"),
        value => format!("{value:.3}"),
    }
}

pub(crate) fn family_section(results: &Results) -> Section {
    let solved = |score: &Score| match score.unique {
        0 => score.solved().to_string(),
        unique => format!("{} ({unique})", score.solved()),
    };
    let solved = family_table(results, solved, |score| -(score.solved() as f64));
    let par2 = family_table(results, |score| number(score.par2), |score| score.par2);
    Section {
        title: "Families",
        blocks: vec![
            Block::Subtitle("Solved, and in brackets what no other tool solved".to_owned()),
            solved,
            Block::Subtitle("PAR-2, in CPU seconds".to_owned()),
            par2,
        ],
    }
}

/// A row a family, a column a tool; where `cost` is least the field is the best of its row, and
/// where the tool ran nothing there is a dash.
fn family_table(
    results: &Results,
    shown: impl Fn(&Score) -> String,
    cost: impl Fn(&Score) -> f64,
) -> Block {
    let row = |family: Field, inputs: &[Input]| {
        let scores = scores(results, inputs);
        let least = scores.iter().map(&cost).fold(f64::INFINITY, f64::min);
        let field = |score: &Score| {
            let ran = score.not_run < inputs.len();
            let best = ran && scores.len() > 1 && score.solved() > 0 && cost(score) <= least;
            Field::text(if ran { shown(score) } else { "–".to_owned() }).best_if(best)
        };
        let count = Field::text(inputs.len().to_string());
        let virtual_best = Field::text(shown(&Score::of_virtual_best(inputs)));
        let fields = scores.iter().map(field).chain([virtual_best]);
        [family, count].into_iter().chain(fields).collect::<Vec<Field>>()
    };
    let families = results.families().map(|(family, inputs)| row(Field::name(family), inputs));
    let rows: Vec<_> = families.chain([row(Field::text("all"), &results.inputs)]).collect();
    let tools = results.tools.iter().map(|tool| (tool_line(tool), Align::Right));
    let columns = [left("family"), right("inputs")].into_iter().chain(tools);
    let columns = columns.chain([right("virtual best")]).collect();
    Block::Table(Table { columns, rows, has_total: true })
}
