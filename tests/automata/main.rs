//! Automata on the command line: `kermode empty`, `kermode translate` and `kermode eval
//! --automaton`. This file has what their tests share.

mod alternating;
#[path = "../command/mod.rs"]
mod command;
mod differences;
mod emptiness;
mod generalised;
mod hoa;
mod smv;

use std::path::PathBuf;

use command::kermode;
use kermode::automata::{AlternatingAutomaton, from_ltl, trim};
use kermode::base::Rng;
use kermode::ltl::normal::expand_bounded;
use kermode::ltl::random::{Operators, RandomFormula};
use kermode::ltl::rewrite::{RuleSet, simplify};
use kermode::ltl::{Formula, Store, WordKind};
use kermode::solve::{Budget, EngineSpec, Problem, Silent, Verdict, decide};
use serde_json::Value;
use tempfile::TempDir;

/// The automaton of figure 1 of the paper on ALASKA.
const ALASKA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/alaska.abw");
/// The formula of that figure.
const FORMULA: &str = "(a & X !b) U (a & X b)";

/// A short automaton over `a`.
fn text(kind: &str, locations: &str, initial: &str, accepting: &str, transitions: &str) -> String {
    format!(
        "(automaton_type = \"{kind}\", locations = [{locations}], propositions = [\"a\"],\n  \
         initial_constraint = \"{initial}\", accepting_locations = [{accepting}],\n  \
         transition_function = {{{transitions}}})\n"
    )
}

/// Location 0 is accepting and demands `a`, location 1 is not and waits for `!a`. They reach each
/// other, so the automaton is not weak. Location 2 demands `a` for ever.
fn not_weak(initial: &str) -> String {
    let transitions = r#"0 : "a & 1", 1 : "a & 1 | ~a & 0", 2 : "a & 2""#;
    text("sABW", "0, 1, 2", initial, "0, 2", transitions)
}

/// Accepts finite words of `a` only, the empty one among them.
fn only_a(initial: &str) -> String {
    text("sAFW", "0, 1", initial, "0", r#"0 : "a & 0", 1 : "true""#)
}

/// Files in a folder that goes with them.
fn files(texts: &[&str]) -> (TempDir, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |(index, text): (usize, &&str)| {
        let path: PathBuf = folder.path().join(format!("{index}.abw"));
        std::fs::write(&path, text).expect("a file is written");
        path.display().to_string()
    };
    let paths = texts.iter().enumerate().map(write).collect();
    (folder, paths)
}

#[track_caller]
fn json(line: &str) -> Value {
    serde_json::from_str(line).expect("JSON")
}

/// The fields of an object.
fn keys(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// Infinitely often `p`; the automaton is not weak.
const OFTEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/often.abw");

/// A file with the automaton of a formula, by `translate`.
fn formula_file(folder: &TempDir, name: &str, formula: &str, options: &[&str]) -> String {
    let path = folder.path().join(name);
    let output = kermode(&[&["translate", formula], options].concat());
    std::fs::write(&path, output.stdout).expect("a file is written");
    path.display().to_string()
}

/// Two states and two sets on edges: `a` and `b` infinitely often.
const GENERALISED: &str = r#"HOA: v1
name: "GF a & GF b"
Start: 0
AP: 2 "a" "b"
Acceptance: 2 Inf(0) & Inf(1)
--BODY--
State: 0
[0&1] 0 {0 1}
[0&!1] 0 {0}
[!0&1] 0 {1}
[!0&!1] 0
--END--
"#;

/// What `translate` writes, in either way.
fn translated(
    store: &mut Store,
    formula: Formula,
    words: WordKind,
    rewriting: bool,
) -> AlternatingAutomaton {
    let formula = match rewriting {
        true => simplify(store, formula, words, &RuleSet::all()).formula,
        false => formula,
    };
    let formula = expand_bounded(store, formula, words, 1000).expect("bounds are small");
    let automaton = from_ltl(store, formula, words).expect("no past operators");
    if rewriting { trim(&automaton) } else { automaton }
}

fn is_satisfiable(problem: &Problem, engine: &str) -> bool {
    let engine: EngineSpec = engine.parse().expect("an engine of the table");
    let budget = Budget::unlimited();
    match decide(problem, &engine, &budget, &mut Silent::default()) {
        Ok(Verdict::Nonempty(_)) => true,
        Ok(Verdict::Empty(_)) => false,
        other => panic!("{other:?}"),
    }
}

/// A conjunction, so that enough of them cannot be satisfied.
fn random_formula(store: &mut Store, rng: &mut Rng, size: usize) -> Formula {
    let propositions = vec![store.proposition("a"), store.proposition("b")];
    let operators = Operators::future().with_weak_next().with_bounds(2);
    let random = RandomFormula { size, propositions, operators };
    let parts: Vec<Formula> = (0..4).map(|_| random.draw(store, rng)).collect();
    store.all(parts)
}
