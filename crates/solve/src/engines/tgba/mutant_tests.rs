//! Each planted mistake is found by comparison with the explicit judge on random cases.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use kermode_automata::Difference;
use kermode_automata::of_formula::generalised;
use kermode_ltl::rewrite::Rewriting;

use super::*;
use crate::engines::product::mutant_tests::Case;
use crate::frame::decide::judge;
use crate::frame::observer::Silent;
use crate::frame::problem::RunProperty;

const MISTAKES: [(Mistake, SearchAlgorithm); 10] = [
    (Mistake::JusticeIsForgotten, SearchAlgorithm::Couvreur),
    (Mistake::JusticeIsForgotten, SearchAlgorithm::Magic),
    (Mistake::PromisesAreKept, SearchAlgorithm::Couvreur),
    (Mistake::PromisesAreKept, SearchAlgorithm::Magic),
    (Mistake::LettersAreForgotten, SearchAlgorithm::Couvreur),
    (Mistake::OneStepIsEnough, SearchAlgorithm::Couvreur),
    (Mistake::OneStepIsEnough, SearchAlgorithm::Magic),
    (Mistake::RoundsEndEarly, SearchAlgorithm::Magic),
    (Mistake::BitsAreTrusted, SearchAlgorithm::Magic),
    (Mistake::RejectingAccepts, SearchAlgorithm::Couvreur),
];

/// An engine. The table of bits is so small that it misses states.
fn engine(check: SearchAlgorithm, mistake: Option<Mistake>, in_bits: bool) -> OnTheFly {
    let table = if in_bits { StateTable::Bits(6) } else { StateTable::Exact };
    let engine = OnTheFly::new(&Options::default(), check).expect("the defaults are right");
    OnTheFly { mistake, table, ..engine }
}

/// Whether an engine answers rightly, with a run that the judge accepts. It need not answer.
fn is_right(case: &Case, property: RunProperty, engine: &OnTheFly) -> bool {
    let problem = Problem::runs(&case.store, &case.model, property);
    let budget = Budget::within(Duration::from_secs(10)).in_steps();
    let solve = || engine.solve(&problem, &budget, &mut Silent::default());
    let Ok(answer) = catch_unwind(AssertUnwindSafe(solve)) else { return false };
    match answer {
        Ok(answer) => {
            matches!(answer, Answer::Empty(_)) == case.holds
                && judge(&problem, answer, &budget, "mutant").is_ok()
        }
        Err(stop) => engine.table != StateTable::Exact && matches!(stop, Stop::Limit(_)),
    }
}

#[test]
fn each_mistake_is_found() {
    let mut missed: Vec<(Mistake, SearchAlgorithm)> = MISTAKES.to_vec();
    for seed in 0..120 {
        let mut case = Case::new(seed);
        let interrupt = &mut || Ok::<(), Stop>(());
        // The automaton accepts what the formula allows, and each counterexample is outside.
        let formula = case.store.not(case.negated);
        let rewriting = &Rewriting::Standard;
        let automaton =
            generalised::<Stop>(&mut case.store, formula, Level::Low, rewriting, interrupt);
        let difference = automaton.ok().map(Difference::outside);
        let properties =
            [Some(RunProperty::Formula(case.negated)), difference.as_ref().map(Into::into)];
        missed.retain(|&(mistake, check)| {
            let in_bits = mistake == Mistake::BitsAreTrusted;
            properties.iter().flatten().all(|&property| {
                let right = engine(check, None, in_bits);
                assert!(is_right(&case, property, &right), "seed {seed}, {check:?}");
                is_right(&case, property, &engine(check, Some(mistake), in_bits))
            })
        });
        if missed.is_empty() {
            return;
        }
    }
    panic!("not found: {missed:?}");
}
