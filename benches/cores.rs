//! Cores, as in `docs/results/cores.md`: `cargo bench --bench cores` makes 60 sets of 100 to 500
//! requirements with planted conflicts, enumerates cores for five seconds each and prints whether
//! the planted ones are among the first five. With `-- fret` it does the same for the requirement
//! sets of FRET, which stand in a folder `shared` beside the repository, with one requirement
//! negated or strengthened.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::Path;
use std::time::{Duration, Instant};

use kermode::ltl::dialect::{Atoms, ReadMode, read_document};
use kermode::ltl::families::conflict::RequirementSet;
use kermode::ltl::{Dialect, Formula, Store, WordKind};
use kermode::solve::cores::{CoreQuestion, Cores};
use kermode::solve::{Budget, Problem, Silent, Solver};

/// The time for each set.
const TIME: Duration = Duration::from_secs(5);
/// The number of cores among which a planted one must be.
const FIRST: usize = 5;

/// What was measured of one set.
struct Row {
    name: String,
    /// When the last planted core was found, and when the search ended.
    planted_after: Option<f64>,
    wall: f64,
    cpu: f64,
    found: Cores,
}

fn main() {
    let fret = std::env::args().any(|argument| argument == "fret");
    let rows = if fret { fret_rows() } else { (0..60).map(planted_row).collect() };
    println!(
        "| set | planted after | ended after | CPU | problems | cores | corrections | complete |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for row in &rows {
        let planted = match row.planted_after {
            Some(seconds) => format!("{seconds:.2} s"),
            None => "not among the first five".to_owned(),
        };
        let sizes: Vec<String> =
            row.found.cores.iter().map(|core| core.members.len().to_string()).collect();
        println!(
            "| {} | {planted} | {:.2} s | {:.2} s | {} | {} | {} | {} |",
            row.name,
            row.wall,
            row.cpu,
            row.found.calls,
            sizes.join(", "),
            row.found.corrections.len(),
            if row.found.complete { "yes" } else { "no" },
        );
    }
    let hits = rows.iter().filter(|row| row.planted_after.is_some()).count();
    let shown = rows.iter().flat_map(|row| &row.found.cores);
    let (mut minimal, mut confirmed, mut cores) = (0, 0, 0);
    for core in shown {
        cores += 1;
        minimal += usize::from(core.is_minimal());
        confirmed += usize::from(core.confirmed_by.is_some());
    }
    println!("\nplanted cores among the first five: {hits} of {} sets", rows.len());
    println!("cores: {cores}, shown to be minimal: {minimal}, confirmed: {confirmed}");
}

/// A set with one to three planted conflicts.
fn planted_row(seed: usize) -> Row {
    let (count, members) = (100 + seed * 400 / 59, 2 + seed % 11);
    let conflicts = 1 + seed % 3;
    let mut store = Store::new();
    let set = RequirementSet::new(&mut store, count, members, conflicts, seed as u64);
    let assumptions = Vec::new();
    let question =
        CoreQuestion { store, members: set.requirements, assumptions, words: WordKind::Infinite };
    let name = format!("conflict {count} {members} {conflicts} {seed}");
    measured(name, &question, set.conflicts)
}

/// Enumerates cores, and looks for the planted ones.
fn measured(name: String, question: &CoreQuestion, mut planted: Vec<Vec<usize>>) -> Row {
    planted.iter_mut().for_each(|conflict| conflict.sort_unstable());
    let (solver, budget, start) = (Solver::default(), Budget::within(TIME), Instant::now());
    let decide = &mut |problem: &Problem, budget: &Budget| {
        solver.decide(problem, budget, &mut Silent::default())
    };
    let mut planted_after = None;
    let report = &mut |core: &kermode::solve::cores::Core| {
        if planted.contains(&core.members) {
            planted_after = Some(start.elapsed().as_secs_f64());
        }
    };
    let found = question.all(None, &budget, decide, report).expect("no engine is wrong");
    let mut first = found.cores.iter().take(FIRST);
    let is_listed = first.any(|core| planted.contains(&core.members));
    let (wall, cpu) = (start.elapsed().as_secs_f64(), budget.cpu_elapsed().as_secs_f64());
    Row { name, planted_after: planted_after.filter(|_| is_listed), wall, cpu, found }
}

/// The sets of FRET, each requirement in turn contradicted by another one.
fn fret_rows() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/bench/requirements/fret");
    let mut rows = Vec::new();
    for project in ["liquid-mixer", "lift-plus-cruise"] {
        let Ok(text) = std::fs::read_to_string(folder.join(format!("{project}.json"))) else {
            println!("{project} is skipped: there is no such file");
            continue;
        };
        let requirements = requirements(&text);
        for changed in 0..requirements.len() {
            for strengthened in [false, true] {
                rows.extend(fret_row(project, &requirements, changed, strengthened));
            }
        }
    }
    rows
}

/// The names and formulas over infinite words of a project.
fn requirements(text: &str) -> Vec<(String, String)> {
    let json: serde_json::Value = serde_json::from_str(text).expect("JSON");
    let list = json["requirements"].as_array().expect("requirements");
    let pair = |requirement: &serde_json::Value| {
        let formula = requirement["semantics"]["ftInfAUExpanded"].as_str()?;
        Some((requirement["reqid"].as_str()?.to_owned(), formula.to_owned()))
    };
    list.iter().filter_map(pair).collect()
}

/// One set: a requirement is contradicted by its negation, which is new or joins the next
/// requirement.
fn fret_row(
    project: &str,
    requirements: &[(String, String)],
    changed: usize,
    strengthened: bool,
) -> Option<Row> {
    let mut all = requirements.to_vec();
    let (name, formula) = all[changed].clone();
    let other = if strengthened { (changed + 1) % all.len() } else { all.len() };
    match strengthened {
        true => all[other].1 = format!("({}) & !({formula})", all[other].1),
        false => all.push((format!("not-{name}"), format!("!({formula})"))),
    }
    let lines: Vec<String> =
        all.iter().map(|(name, formula)| format!("{name}: {formula}\n")).collect();
    let mut store = Store::new();
    let syntax = Dialect::Nusmv.into();
    let document = read_document(&mut store, &lines.concat(), syntax, ReadMode::Lines);
    let formulas = document.entries.iter().map(|entry| entry.formula.ok());
    let Some(members) = formulas.collect::<Option<Vec<Formula>>>() else {
        println!("{project} with {name} is skipped: it cannot be read");
        return None;
    };
    let Atoms { assumptions, .. } = Atoms::of(&mut store, &members, Dialect::Nusmv);
    let question = CoreQuestion { store, members, assumptions, words: WordKind::Infinite };
    let kind = if strengthened { "strengthened" } else { "negated" };
    Some(measured(format!("{project}, {name} {kind}"), &question, vec![vec![changed, other]]))
}
