//! The searches on the fly: states per second of CPU time, and bytes per state beside the vectors.
//!
//! `cargo bench -p kermode-solve --bench on_the_fly` prints the table of
//! `docs/results/on-the-fly.md`. With arguments `FAMILY SIZE PROPERTY ENGINE`, it measures one case.

use kermode_smv::encoding::Limits;
use kermode_smv::families::{MODEL_FAMILIES, ModelRequest, build};
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
        [family, size, property, engine] => measure((family, size, property), engine),
        _ => {
            for case in CASES {
                ENGINES.iter().for_each(|engine| measure(case, engine));
            }
        }
    }
}

fn measure((family, size, property): (&str, &str, &str), engine: &str) {
    let request = ModelRequest::find(MODEL_FAMILIES, family, &[size]).expect("a family");
    let instance = request.expect("a size").instances().next().expect("a member");
    let (options, limits) = (ReadOptions::default(), Limits::default());
    let budget = Budget::unlimited();
    let model = SmvModel::read(&build(&instance).text, &options, &limits, &mut || budget.check());
    let requests = [PropertyRequest::Selected(property.to_owned())];
    let model = model.expect("a model");
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
