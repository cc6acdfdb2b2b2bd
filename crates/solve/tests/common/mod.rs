//! What tests of engines share: questions to engines, and the oracle's answers.

#![allow(dead_code, unreachable_pub)]

use std::convert::Infallible;

use kermode_ltl::dialect::Dialect;
use kermode_ltl::reference::tableau;
use kermode_ltl::{Formula, Store, WordKind};
use kermode_solve::{Budget, EngineSpec, Problem, Silent, Verdict, Witness, WitnessPolicy, decide};

pub const KINDS: [WordKind; 2] = [WordKind::Infinite, WordKind::Finite];

/// Whether there is a word; one that is shown was replayed.
pub fn is_nonempty(problem: &Problem, engine: &EngineSpec) -> bool {
    let (policy, budget) = (WitnessPolicy::default(), Budget::unlimited());
    match decide(problem, engine, policy, &budget, &mut Silent::default()) {
        Ok(Verdict::Satisfiable(Witness::Replayed(_))) => true,
        Ok(Verdict::Unsatisfiable) => false,
        other => panic!("{engine}: {other:?}"),
    }
}

pub fn expected(store: &Store, formula: Formula, words: WordKind) -> Option<bool> {
    let word = tableau(store, formula, words, &mut || Ok::<(), Infallible>(()));
    word.ok().map(|word| word.is_some())
}

pub fn compare(store: &Store, formula: Formula, words: WordKind, engines: &[EngineSpec]) {
    let Some(expected) = expected(store, formula, words) else { return };
    let problem = Problem::satisfiability(store, formula, words);
    for engine in engines {
        let shown = || kermode_ltl::dialect::write(store, formula, Dialect::Kermode.into());
        assert_eq!(is_nonempty(&problem, engine), expected, "{engine}, {words:?}: {:?}", shown());
    }
}
