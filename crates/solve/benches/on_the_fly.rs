//! The searches on the fly: states per second of CPU time, and bytes per state beside the vectors.
//!
//! `cargo bench -p kermode-solve --bench on_the_fly` prints the table of
//! `docs/results/on-the-fly.md`. With arguments `FAMILY SIZE PROPERTY ENGINE`, it measures one
//! case; with `interpreter`, it compares the compiled relation with the interpreter.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::time::Instant;

use kermode_smv::encoding::Limits;
use kermode_smv::families::{MODEL_FAMILIES, ModelRequest, build};
use kermode_smv::interpreter::{Interpreter, explore};
use kermode_smv::{ReadOptions, SmvModel};
use kermode_solve::check::{CheckSettings, CheckWorker, Checker, PropertyRequest};
use kermode_solve::{Budget, Silent, WitnessPolicy};

const CASES: [(&str, &str, &str); 8] = [
    ("philosophers", "16", "neighbours"),
    ("philosophers", "16", "progress"),
    ("bakery", "3", "ddmr08_mutex"),
    ("bakery", "3", "ddmr08_fairness"),
    ("bakery", "4", "ddmr08_mutex"),
    ("lcr", "6", "greatest_leader"),
    ("lcr", "7", "greatest_leader"),
    ("lcr", "5", "stv05_chain_true"),
];

const ENGINES: [&str; 2] = ["tgba:couvreur", "tgba:magic"];

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    println!(
        "| model | property | engine | verdict | states | transitions | depth | states/s | transitions/s | vector | bytes/state |"
    );
    println!("|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|");
    match arguments.as_slice() {
        [word] if word == "interpreter" => INTERPRETED.into_iter().for_each(interpreted),
        [family, size, property, engine] => measure((family, size, property), engine),
        _ => {
            for case in CASES {
                ENGINES.iter().for_each(|engine| measure(case, engine));
            }
        }
    }
}

/// Members that are small enough for the interpreter.
const INTERPRETED: [(&str, &str, &str); 3] = [
    ("philosophers", "9", "neighbours"),
    ("bakery", "2", "ddmr08_mutex"),
    ("lcr", "4", "greatest_leader"),
];

/// Measures the states per second of the interpreter, and then of the search.
fn interpreted(case: (&str, &str, &str)) {
    let model = member(case.0, case.1);
    let began = Instant::now();
    let found = explore(&mut Interpreter::new(&model.flat), usize::MAX, &mut || Ok::<(), ()>(()));
    let states = found.expect("nothing interrupts").states.len();
    let rate = states as f64 / began.elapsed().as_secs_f64();
    println!("| {} {} | | interpreter | | {states} | | | {rate:.0} | | | |", case.0, case.1);
    measure(case, ENGINES[0]);
}

fn member(family: &str, size: &str) -> SmvModel {
    let request = ModelRequest::find(MODEL_FAMILIES, family, &[size]).expect("a family");
    let instance = request.expect("a size").instances().next().expect("a member");
    let (options, limits) = (ReadOptions::default(), Limits::default());
    let text = build(&instance).text;
    SmvModel::read::<()>(&text, &options, &limits, &mut || Ok(())).expect("a model")
}

fn measure((family, size, property): (&str, &str, &str), engine: &str) {
    let (model, budget) = (member(family, size), Budget::unlimited());
    let requests = [PropertyRequest::Selected(property.to_owned())];
    let checker = Checker::new(model, &requests, &[], None, &budget).expect("a property");
    let engines = vec![engine.parse().expect("an engine")];
    let witness = WitnessPolicy { wanted: false, ..WitnessPolicy::default() };
    let settings = CheckSettings { engines, witness, ..CheckSettings::default() };
    let worker = CheckWorker::new(&checker, &settings);
    let outcome = worker.check(&checker.properties()[0], &budget, &mut Silent::default());
    let verdict = outcome.result.expect("a verdict");
    let count = |name: &str| {
        let found = outcome.statistics.iter().find(|(known, _)| *known == name);
        found.map_or(0, |(_, value)| value)
    };
    let (states, transitions) = (count("states_met"), count("transitions_touched"));
    let rate = count("states_per_cpu_second");
    println!(
        "| {family} {size} | {property} | {engine} | {} | {states} | {transitions} | {} | {rate} | {} | {} | {:.1} |",
        verdict.word(),
        count("search_depth"),
        rate * transitions / states.max(1),
        count("vector_bytes"),
        count("search_bytes") as f64 / states.max(1) as f64,
    );
}
