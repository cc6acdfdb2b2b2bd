//! The searches on the fly: states per second of CPU time, and bytes per state beside the vectors.
//!
//! `cargo bench -p kermode-solve --bench on_the_fly` prints the table of
//! `docs/results/on-the-fly.md`. With arguments `FAMILY SIZE PROPERTY ENGINE`, it measures one
//! case; with `interpreter`, it compares the two ways to the successors of a state.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::ops::ControlFlow;
use std::time::Duration;

use kermode_base::VectorSet;
use kermode_smv::encoding::Limits;
use kermode_smv::families::{MODEL_FAMILIES, ModelRequest, build};
use kermode_smv::interpreter::{Interpreter, explore};
use kermode_smv::{ReadOptions, SmvModel};
use kermode_solve::check::{CheckSettings, CheckWorker, Checker, PropertyRequest};
use kermode_solve::{Budget, Silent, WitnessPolicy};
use kermode_system::{Batch, ExplicitModel};

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
    match arguments.as_slice() {
        [word] if word == "interpreter" => {
            println!(
                "| model | states | steps | compiled states/s | interpreted states/s | ratio |"
            );
            println!("|---|---:|---:|---:|---:|---:|");
            INTERPRETED.into_iter().for_each(interpreted);
        }
        [family, size, property, engine] => {
            print_head();
            measure((family, size, property), engine);
        }
        _ => {
            print_head();
            for case in CASES {
                ENGINES.iter().for_each(|engine| measure(case, engine));
            }
        }
    }
}

fn print_head() {
    println!(
        "| model | property | engine | verdict | states | transitions | depth | states/s | transitions/s | vector | bytes/state |"
    );
    println!("|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|");
}

/// Members that the interpreter explores in a few seconds.
const INTERPRETED: [(&str, &str); 3] = [("philosophers", "12"), ("bakery", "3"), ("lcr", "5")];

/// Measures how many states can be expanded per second of CPU time, by the compiled relation and by
/// the interpreter. Both expand all reachable states once, in the order of a breadth-first search
/// of their own, which is not measured.
fn interpreted((family, size): (&str, &str)) {
    let model = member(family, size);
    let mut relation = ExplicitModel::new(&model.encoded.model, &[]);
    let mut batch = Batch::default();
    let states = reachable(&mut relation, &mut batch);
    let (mut steps, began) = (0, thread_time());
    for number in 0..states.len() as u32 {
        compiled_steps(&mut relation, states.get(number), &mut batch, &mut |_| steps += 1);
    }
    let compiled = states.len() as f64 / (thread_time() - began).as_secs_f64();

    let mut interpreter = Interpreter::new(&model.flat);
    let explored = explore(&mut interpreter, usize::MAX, &mut || Ok::<(), ()>(()))
        .expect("nothing interrupts");
    assert_eq!(explored.states.len(), states.len(), "both find the same states");
    let (mut targets, began) = (0, thread_time());
    for state in &explored.states {
        let mut visit = |_| {
            targets += 1;
            ControlFlow::Continue(())
        };
        interpreter
            .successors(state, &mut visit, &mut || Ok::<(), ()>(()))
            .expect("nothing interrupts");
    }
    let interpreted = states.len() as f64 / (thread_time() - began).as_secs_f64();
    assert!(targets <= steps, "steps may differ in inputs only");
    println!(
        "| {family} {size} | {} | {steps} | {compiled:.0} | {interpreted:.0} | {:.0} |",
        states.len(),
        compiled / interpreted,
    );
}

fn reachable(relation: &mut ExplicitModel, batch: &mut Batch) -> VectorSet {
    let (mut states, mut position) = (VectorSet::new(relation.width()), None);
    loop {
        position = relation
            .initial(position.as_ref(), batch, &mut || Ok::<(), ()>(()))
            .expect("nothing interrupts");
        for lane in batch.each_lane() {
            states.insert(batch.target(lane));
        }
        if position.is_none() {
            break;
        }
    }
    let mut number = 0;
    while (number as usize) < states.len() {
        let state = states.get(number).to_vec();
        compiled_steps(relation, &state, batch, &mut |target| {
            states.insert(target);
        });
        number += 1;
    }
    states
}

fn compiled_steps(
    relation: &mut ExplicitModel,
    state: &[u32],
    batch: &mut Batch,
    visit: &mut dyn FnMut(&[u32]),
) {
    let mut position = None;
    loop {
        let next = relation.steps(state, position.as_ref(), batch, &mut || Ok::<(), ()>(()));
        position = next.expect("nothing interrupts");
        batch.each_lane().for_each(|lane| visit(batch.target(lane)));
        if position.is_none() {
            return;
        }
    }
}

fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
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
