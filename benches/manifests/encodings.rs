//! The tables of `docs/results/encodings.md` and those about encodings in `docs/results/hybrid.md`,
//! from records: how far each form and each order goes, what is fastest where, and how often each
//! of the thirty encodings is. They compare encodings as Figs. 4-11 of [RV11] do.
//!
//! CPU times of milliseconds are noise on any machine. So an input is *telling* if some encodings
//! take at least [`NOISE`] longer than the fastest, or do not decide it, and only these are counted
//! as won; an encoding is *near* if it is not that much slower, or by no more than a tenth, and
//! wins *alone* if no other is. Nodes of decision diagrams are no matter of chance.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The seconds by which times differ for no reason.
const NOISE: f64 = 0.01;

const FORMS: [&str; 5] =
    ["bnf/fussy/gba", "nnf/fussy/gba", "nnf/sloppy/gba", "nnf/fussy/tgba", "nnf/sloppy/tgba"];
const ORDERS: [&str; 6] = ["default", "naive", "lexp", "lexm", "mcs-max", "mcs-min"];

/// Whether the paper names it among the seven that never win. It prints one of them twice; that it
/// never found `lexm` best tells which one is missing.
fn never_wins(form: &str, order: &str) -> bool {
    order == "lexm" || form == "nnf/sloppy/tgba" && order.starts_with("mcs")
}

/// One encoding on one input.
#[derive(Clone)]
struct Run {
    campaign: String,
    family: String,
    input: String,
    parameter: f64,
    form: String,
    order: String,
    /// The CPU time, if the input was decided.
    seconds: Option<f64>,
    nodes: u64,
}

/// All tables, from the records of several campaigns. Inputs that some encodings were not run on
/// are left out: the campaign has not come to an end.
pub(crate) fn tables(records: &[PathBuf]) -> String {
    tables_of(&records.iter().flat_map(|path| whole(read(path))).collect::<Vec<Run>>())
}

/// All tables, from the records of a campaign that leaves out runs on large members after limits:
/// what was not run is not decided.
pub(crate) fn tables_of_stopped(records: &Path) -> String {
    tables_of(&filled(read(records)))
}

fn tables_of(runs: &[Run]) -> String {
    let mut text = "## The largest parameter decided, and by how many encodings\n\n".to_owned();
    reach(&mut text, runs, &FORMS, |run| &run.form);
    reach(&mut text, runs, &ORDERS, |run| &run.order);
    text += "## CPU seconds of each form in its best order\n\n";
    fastest(&mut text, runs);
    text += "## How often each encoding is fastest\n\n";
    for campaign in distinct(runs, |run| &run.campaign) {
        let part: Vec<&Run> = runs.iter().filter(|run| run.campaign == campaign).collect();
        wins(&mut text, campaign, &part);
    }
    text
}

fn read(path: &Path) -> Vec<Run> {
    let campaign = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path).expect("records");
    let records = text.lines().map(|line| serde_json::from_str(line).expect("a record"));
    records.map(|record| Run::of(&campaign, &record)).collect()
}

/// The runs on inputs that all encodings were run on.
fn whole(runs: Vec<Run>) -> Vec<Run> {
    let all: Vec<&Run> = runs.iter().collect();
    let groups = by_input(&all).into_iter().filter(|group| group.len() == encodings().count());
    let inputs: HashSet<String> = groups.map(|group| group[0].input.clone()).collect();
    runs.into_iter().filter(|run| inputs.contains(&run.input)).collect()
}

/// The runs, and an undecided one for each that was not made.
fn filled(runs: Vec<Run>) -> Vec<Run> {
    let all: Vec<&Run> = runs.iter().collect();
    let mut missing = Vec::new();
    for group in by_input(&all) {
        let is_missing = |(form, order): &(&str, &str)| !group.iter().any(|r| r.is_by(form, order));
        let like = |(form, order): (&str, &str)| Run {
            form: form.to_owned(),
            order: order.to_owned(),
            seconds: None,
            nodes: u64::MAX,
            ..group[0].clone()
        };
        missing.extend(encodings().filter(is_missing).map(like));
    }
    runs.into_iter().chain(missing).collect()
}

impl Run {
    fn of(campaign: &str, record: &Value) -> Run {
        let text = |key: &str| record[key].as_str().unwrap_or_default().to_owned();
        let tool = text("tool");
        let options = tool.split(':');
        let named = options.clone().find_map(|option| option.strip_prefix("encoding="));
        let encoding = named.or_else(|| options.clone().nth(1)).expect("an encoding");
        let (form, order) = encoding.rsplit_once('/').expect("a form and an order");
        let verdicts = ["satisfiable", "unsatisfiable", "holds", "violated"];
        let decided = verdicts.contains(&text("outcome").as_str());
        Run {
            campaign: campaign.to_owned(),
            family: format!("{} {}", text("family"), text("property")).trim_end().to_owned(),
            input: text("input"),
            parameter: record["parameter"].as_f64().expect("a parameter"),
            form: form.to_owned(),
            order: order.to_owned(),
            seconds: decided.then(|| record["cpu_seconds"].as_f64().expect("a time")),
            nodes: record["statistics"]["peak_nodes"].as_u64().unwrap_or(u64::MAX),
        }
    }

    fn is_by(&self, form: &str, order: &str) -> bool {
        self.form == form && self.order == order
    }
}

/// A row a family: the largest parameter up to which an encoding of the column decides everything,
/// and how many of the column do.
fn reach(text: &mut String, runs: &[Run], columns: &[&str], column: fn(&Run) -> &String) {
    row(text, "family", columns.iter().map(ToString::to_string));
    rule(text, columns.len());
    for family in distinct(runs, |run| &run.family) {
        let part: Vec<&Run> = runs.iter().filter(|run| run.family == family).collect();
        let field = |name: &&str| {
            let runs: Vec<&Run> = part.iter().filter(|run| column(run) == name).copied().collect();
            let ends: Vec<f64> = encodings().map(|(f, o)| end(&runs, f, o)).collect();
            let most = ends.iter().copied().fold(0.0, f64::max);
            let reached = ends.iter().filter(|&&end| end > 0.0 && end >= most).count();
            format!("{most} ({reached})")
        };
        row(text, family, columns.iter().map(field));
    }
    text.push('\n');
}

/// The largest parameter of an encoding such that nothing up to it is undecided; 0 if there is
/// none.
fn end(runs: &[&Run], form: &str, order: &str) -> f64 {
    let own = || runs.iter().filter(|run| run.is_by(form, order));
    let failed = own().filter(|run| run.seconds.is_none()).map(|run| run.parameter);
    let first = failed.fold(f64::INFINITY, f64::min);
    own().map(|run| run.parameter).filter(|&parameter| parameter < first).fold(0.0, f64::max)
}

/// A row a family and parameter: the least time over all its inputs in each form, and its order.
fn fastest(text: &mut String, runs: &[Run]) {
    row(text, "inputs", FORMS.iter().map(ToString::to_string).chain(["decided by".to_owned()]));
    rule(text, FORMS.len() + 1);
    for family in distinct(runs, |run| &run.family) {
        let part: Vec<&Run> = runs.iter().filter(|run| run.family == family).collect();
        let mut parameters: Vec<f64> = part.iter().map(|run| run.parameter).collect();
        parameters.sort_by(f64::total_cmp);
        parameters.dedup();
        for parameter in parameters {
            let same = part.iter().filter(|run| run.parameter == parameter);
            let same: Vec<&Run> = same.copied().collect();
            let decided = encodings().filter(|&(f, o)| total(&same, f, o).is_some()).count();
            let fields = FORMS.iter().map(|form| best_order(&same, form));
            let name = format!("{family}, {parameter}");
            row(text, &name, fields.chain([decided.to_string()]));
        }
    }
    text.push('\n');
}

fn best_order(runs: &[&Run], form: &str) -> String {
    let totals = ORDERS.iter().filter_map(|order| Some((total(runs, form, order)?, order)));
    let best = totals.min_by(|one, other| one.0.total_cmp(&other.0));
    best.map_or_else(|| "none".to_owned(), |(seconds, order)| format!("{seconds:.2} {order}"))
}

/// The time of an encoding on these inputs, if it decides them all.
fn total(runs: &[&Run], form: &str, order: &str) -> Option<f64> {
    runs.iter().filter(|run| run.is_by(form, order)).map(|run| run.seconds).sum()
}

/// A row an encoding: how many inputs it decides, on how many telling ones it is fastest or near,
/// and where it has fewest nodes.
fn wins(text: &mut String, campaign: &str, runs: &[&Run]) {
    let inputs: Vec<Vec<&Run>> =
        by_input(runs).into_iter().filter(|runs| is_telling(runs)).collect();
    let _ = writeln!(text, "{campaign}, {} telling inputs:\n", inputs.len());
    row(
        text,
        "encoding",
        ["decided", "CPU s", "fastest", "alone", "near", "least nodes"].map(str::to_owned),
    );
    rule(text, 6);
    for (form, order) in encodings() {
        let own: Vec<&Run> = runs.iter().filter(|run| run.is_by(form, order)).copied().collect();
        let times: Vec<f64> = own.iter().filter_map(|run| run.seconds).collect();
        let count = |good: fn(&Run, &[&Run]) -> bool| {
            let won = |runs: &&Vec<&Run>| {
                runs.iter().any(|run| run.is_by(form, order) && good(run, runs))
            };
            inputs.iter().filter(won).count().to_string()
        };
        let decided = format!("{} of {}", times.len(), own.len());
        let seconds = format!("{:.1}", times.iter().sum::<f64>());
        let counts = [is_fastest, is_alone, is_near, has_least_nodes].map(count);
        let fields = [decided, seconds].into_iter().chain(counts);
        let mark = if never_wins(form, order) { " *" } else { "" };
        row(text, &format!("{form}/{order}{mark}"), fields);
    }
    text.push('\n');
}

fn by_input<'r>(runs: &[&'r Run]) -> Vec<Vec<&'r Run>> {
    let mut groups: Vec<Vec<&Run>> = Vec::new();
    for run in runs {
        match groups.iter_mut().rev().find(|group| group[0].input == run.input) {
            Some(group) => group.push(run),
            None => groups.push(vec![run]),
        }
    }
    groups
}

fn least(runs: &[&Run]) -> f64 {
    runs.iter().filter_map(|run| run.seconds).fold(f64::INFINITY, f64::min)
}

/// Whether encodings differ here, in time or in what they decide.
fn is_telling(runs: &[&Run]) -> bool {
    let limit = least(runs) + NOISE;
    limit.is_finite() && runs.iter().any(|run| run.seconds.is_none_or(|seconds| seconds > limit))
}

fn is_fastest(run: &Run, runs: &[&Run]) -> bool {
    run.seconds.is_some_and(|seconds| seconds <= least(runs))
}

fn is_near(run: &Run, runs: &[&Run]) -> bool {
    let least = least(runs);
    run.seconds.is_some_and(|seconds| seconds <= (least + NOISE).max(1.1 * least))
}

/// Whether it wins by more than chance.
fn is_alone(run: &Run, runs: &[&Run]) -> bool {
    is_near(run, runs) && runs.iter().filter(|other| is_near(other, runs)).count() == 1
}

fn has_least_nodes(run: &Run, runs: &[&Run]) -> bool {
    let decided = runs.iter().filter(|run| run.seconds.is_some());
    run.seconds.is_some() && decided.map(|run| run.nodes).min() == Some(run.nodes)
}

fn encodings() -> impl Iterator<Item = (&'static str, &'static str)> {
    FORMS.iter().flat_map(|form| ORDERS.iter().map(move |order| (*form, *order)))
}

/// The different values, in the order in which they come.
fn distinct(runs: &[Run], key: fn(&Run) -> &String) -> Vec<&str> {
    let mut values: Vec<&str> = Vec::new();
    for value in runs.iter().map(key) {
        if !values.contains(&value.as_str()) {
            values.push(value);
        }
    }
    values
}

fn row(text: &mut String, first: &str, fields: impl IntoIterator<Item = String>) {
    let fields: Vec<String> = fields.into_iter().collect();
    let _ = writeln!(text, "| {first} | {} |", fields.join(" | "));
}

fn rule(text: &mut String, columns: usize) {
    let _ = writeln!(text, "|---|{}", "---|".repeat(columns));
}
