//! Each planted mistake is found by comparison with explicit labelling on random models.

use std::collections::HashMap;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};

use kermode_base::Rng;
use kermode_ltl::Store;
use kermode_smv::interpreter::State;
use kermode_smv::judge::{Graph, Labelling, Limits, label};
use kermode_smv::property::{CtlSpecification, ctl_formula};
use kermode_smv::random::{ModelShape, random_model};
use kermode_smv::syntax::PropertyKind;
use kermode_smv::{ReadOptions, SmvModel};

use super::*;
use crate::frame::decide::judge;
use crate::frame::observer::Silent;

/// All mistakes.
const MISTAKES: [Mistake; 16] = [
    Mistake::NextIgnoresFairness,
    Mistake::UntilIgnoresFairness,
    Mistake::GloballyIgnoresJustice,
    Mistake::JusticeIsForgotten,
    Mistake::DeadEndsAreVisible,
    Mistake::UnfairInitialStatesCount,
    Mistake::OneInitialStateIsEnough,
    Mistake::LastStepIsExcluded,
    Mistake::FirstStepIsTooEarly,
    Mistake::UntilWaitsInTimeOnly,
    Mistake::AllUntilIsWeak,
    Mistake::ExistsUntilIsWeak,
    Mistake::AllEventuallyIsSome,
    Mistake::PathsIgnoreFairness,
    Mistake::EverythingIsShown,
    Mistake::LoopIsLate,
];

fn engine(mistake: Option<Mistake>) -> CtlEngine {
    CtlEngine { reach: true, sifting: true, cluster: 500, mistake }
}

/// A formula about a random model, with its labels.
struct Case {
    model: SmvModel,
    formula: CtlSpecification,
    numbers: HashMap<State, usize>,
    labelling: Labelling,
    holds: bool,
}

/// From 3 a path may stay there, which is fair, go to 1 and stay there, or end in 0. The initial
/// state 4 has no successor.
const FEW_STATES: &str = "\
MODULE main
VAR s : 0..4; b : boolean;
INIT s in {3, 4}
TRANS s = 3 & next(s) in {1, 2, 3} | s = 1 & next(s) = 1 | s = 2 & next(s) = 0
FAIRNESS s = 3
FAIRNESS b
SPEC EX s = 1
SPEC AX s = 3
SPEC EF s = 0
SPEC AG s = 3
SPEC AX AX s = 3
SPEC E [s = 3 U s = 2]
SPEC AF s != 3
SPEC EG !b
SPEC AF b
SPEC !EX (b & s = 3)
SPEC !EF (!b & EX b)
SPEC AG AX AX b
SPEC AG s != 4
SPEC !EX (s = 3 -> b)
SPEC !EX (s = 3 -> !b)
SPEC !EX TRUE
";

fn random_cases(seed: u64) -> Vec<Case> {
    let shape = ModelShape { bits: 6, properties: 10, ..ModelShape::default() };
    cases(&random_model(&mut Rng::new(seed), &shape).text())
}

fn cases(text: &str) -> Vec<Case> {
    let (options, limits) = (ReadOptions::default(), Default::default());
    let mut model = SmvModel::read::<()>(text, &options, &limits, &mut || Ok(())).expect("a model");
    let flat = model.flat.clone();
    let limits = Limits { states: 500, steps: 10_000 };
    let never = &mut || Ok::<(), Infallible>(());
    let Ok(graph) = Graph::new(&flat, [], limits, never) else { return Vec::new() };
    let properties = flat.properties.iter();
    let formulas = properties.filter(|p| p.kind == PropertyKind::Ctl).map(|p| p.operands[0]);
    let states = graph.states.iter().cloned().enumerate();
    let numbers: HashMap<State, usize> = states.map(|(number, state)| (state, number)).collect();
    formulas
        .map(|expression| {
            let formula = ctl_formula(&flat, &mut model.encoded, expression);
            let Ok(labelling) = label(&graph, &[expression], never);
            let holds = labelling.holds(&graph, expression);
            Case { model: model.clone(), formula, numbers: numbers.clone(), labelling, holds }
        })
        .collect()
}

impl Case {
    /// Whether an engine answers rightly, with a path that the judges accept.
    fn is_right(&self, engine: &CtlEngine) -> bool {
        let store = Store::new();
        let problem = Problem::branches(&store, &self.model.encoded.model, &self.formula.formula);
        let budget = Budget::unlimited();
        let solve = || engine.solve(&problem, &budget, &mut Silent::default());
        // A wrong label may break an invariant of the search for a path.
        let Ok(Ok(answer)) = catch_unwind(AssertUnwindSafe(solve)) else { return false };
        let said = matches!(answer, Answer::Empty(_));
        let Answer::Nonempty(Ok(Witness::Branch(branch))) = &answer else {
            return said && self.holds;
        };
        !self.holds
            && self.claims_are_true(branch)
            && judge(&problem, answer.clone(), &budget, "mutant").is_ok()
    }

    fn claims_are_true(&self, branch: &BranchTrace) -> bool {
        let trace = self.model.encoded.decode(&self.model.flat, &branch.run.trace);
        let states = trace.expect("values").states;
        let numbers: Option<Vec<usize>> =
            states.iter().map(|state| self.numbers.get(state).copied()).collect();
        let Some(numbers) = numbers else { return false };
        let mut claims = branch.evidence.shown.iter().chain(&branch.evidence.not_shown);
        numbers.iter().all(|&number| self.labelling.fair().contains(number))
            && claims.all(|claim| {
                let label = self.labelling.states(self.formula.origin(claim.formula));
                label.expect("a subformula").contains(numbers[claim.time]) == claim.holds
            })
    }
}

#[test]
fn each_mistake_is_found() {
    let mut missed: Vec<Mistake> = MISTAKES.to_vec();
    for seed in 0..500 {
        let cases = if seed == 0 { cases(FEW_STATES) } else { random_cases(seed) };
        for case in cases {
            assert!(case.is_right(&engine(None)), "seed {seed}");
            missed.retain(|&mistake| case.is_right(&engine(Some(mistake))));
        }
        if missed.is_empty() {
            return;
        }
    }
    panic!("not found: {missed:?}");
}
