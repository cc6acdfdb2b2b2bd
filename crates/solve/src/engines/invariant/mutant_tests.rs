//! Each planted mistake is found by comparison with the explicit judge on random models.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};

use kermode_base::Rng;
use kermode_bdd::{Bdd, Variable};
use kermode_ltl::Store;
use kermode_smv::judge::{Graph, Limits, violation as explicit_violation};
use kermode_smv::property::violation;
use kermode_smv::random::{ModelShape, random_model};
use kermode_smv::syntax::PropertyKind;
use kermode_smv::{ReadOptions, SmvModel};

use super::*;
use crate::fixpoint::emptiness::FairSpace;
use crate::frame::decide::judge;
use crate::frame::observer::Silent;

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    /// A state without successor is checked by an invariant about steps.
    DeadEndsAreChecked,
    /// The inputs of the violation are not those of the step.
    InputsOfAnotherStep,
    /// `next` is ignored.
    NextIsCurrent,
    /// Only infinite paths count.
    FinitePathsAreIgnored,
    /// States count that violate `INVAR`.
    InvariantsAreIgnored,
    /// Initial states are not checked.
    InitialStatesAreSkipped,
    /// The path to a step ends before the step.
    LastStepIsMissing,
}

const MISTAKES: [Mistake; 7] = [
    Mistake::DeadEndsAreChecked,
    Mistake::InputsOfAnotherStep,
    Mistake::NextIsCurrent,
    Mistake::FinitePathsAreIgnored,
    Mistake::InvariantsAreIgnored,
    Mistake::InitialStatesAreSkipped,
    Mistake::LastStepIsMissing,
];

/// The goal with a mistake.
pub(super) fn mistaken(
    mistake: Option<Mistake>,
    goal: Goal,
    states: &mut SystemStates,
    model: &Model,
    target: Target,
) -> Result<Goal, Stop> {
    let (Some(mistake), Some(expression)) = (mistake, target.expression()) else { return Ok(goal) };
    let (legal, wanted) = (states.legal()?, states.compile(model, expression)?);
    let direction = states.direction();
    states.face(Direction::Backward)?;
    let goal = match (mistake, goal.step) {
        (Mistake::DeadEndsAreChecked, Some(step)) => {
            let (inputs, pairs) = (&states.model().inputs, &states.model().state_pairs);
            let next = pairs.iter().map(|pair| pair.1);
            let chosen = inputs.iter().copied().chain(next);
            let any = wanted.exists(&states.manager().variable_set(chosen)?)?;
            let dead = legal.and_not(&states.step_where(&legal, None)?)?;
            let seen = goal.states.or(&dead.and(&any)?)?;
            Goal { states: seen, step: Some(step) }
        }
        (Mistake::InputsOfAnotherStep, Some(_)) => {
            let inputs = states.model().inputs.clone();
            let any = wanted.exists(&states.manager().variable_set(inputs)?)?;
            Goal { states: states.step_where(&legal, Some(&any))?, step: Some(any) }
        }
        (Mistake::NextIsCurrent, Some(_)) => {
            let swapped: Vec<(Variable, Variable)> =
                states.model().state_pairs.iter().map(|&(now, next)| (next, now)).collect();
            let now: Bdd = wanted.rename(&states.manager().renaming(&swapped)?)?;
            Goal { states: states.step_where(&legal, Some(&now))?, step: Some(now) }
        }
        (Mistake::FinitePathsAreIgnored, step) => {
            let infinite = states.fair_within(legal)?;
            Goal { states: goal.states.and(&infinite)?, step }
        }
        (Mistake::InvariantsAreIgnored, None) => Goal { states: wanted, step: None },
        (Mistake::InitialStatesAreSkipped, step) => {
            Goal { states: goal.states.and_not(&states.initial()?)?, step }
        }
        (Mistake::LastStepIsMissing, Some(_)) => Goal { states: goal.states, step: None },
        (_, step) => Goal { states: goal.states, step },
    };
    states.face(direction)?;
    Ok(goal)
}

/// An invariant of a random model, and its judge's verdict.
pub(crate) struct Case {
    pub(crate) model: SmvModel,
    pub(crate) target: Target,
    pub(crate) is_violated: bool,
}

/// A counter that stops at 5. Its steps to 6 and 7 lead to states that `INVAR` forbids.
const COUNTER: &str = "\
MODULE main
IVAR i : boolean;
VAR x : 0..7;
INIT x = 0
INVAR x < 6
TRANS next(x) = x + 1 & x < 7
INVARSPEC x < 5
INVARSPEC x < 6
INVARSPEC x < 5 & (i | !i)
INVARSPEC x != 6
";

/// The invariants of the random model with a number, as far as the judge decides them.
pub(crate) fn cases(seed: u64) -> Vec<Case> {
    let shape = ModelShape { bits: 6, properties: 10, ..ModelShape::default() };
    let text = match seed {
        0 => COUNTER.to_owned(),
        _ => random_model(&mut Rng::new(seed), &shape).text(),
    };
    let (options, limits) = (ReadOptions::default(), Default::default());
    let read = SmvModel::read::<()>(&text, &options, &limits, &mut || Ok(()));
    let mut model = read.expect("a model");
    let flat = model.flat.clone();
    let properties = flat.properties.iter().filter(|p| p.kind == PropertyKind::Invariant);
    let mut cases = Vec::new();
    for invariant in properties.map(|property| property.operands[0]) {
        let limits = Limits { states: 500, steps: 10_000 };
        let never = &mut || Ok::<(), Infallible>(());
        let Ok(graph) = Graph::new(&flat, [invariant], limits, never) else { continue };
        let is_violated = explicit_violation(&graph, invariant).is_some();
        let target = violation(&flat, &mut model.encoded, invariant);
        cases.push(Case { model: model.clone(), target, is_violated });
    }
    cases
}

impl Case {
    /// Whether an engine answers rightly, with a path that the judge accepts.
    fn is_right(&self, side: Side, mistake: Option<Mistake>) -> bool {
        let engine = InvariantEngine { side, sifting: true, cluster: 500, mistake };
        let store = Store::new();
        let problem = Problem::paths(&store, &self.model.encoded.model, self.target);
        let budget = Budget::unlimited();
        let solve = || engine.solve(&problem, &budget, &mut Silent::default());
        // A wrong goal may break an invariant of the search for a path.
        let Ok(Ok(answer)) = catch_unwind(AssertUnwindSafe(solve)) else { return false };
        let is_violated = matches!(answer, Answer::Nonempty(_));
        is_violated == self.is_violated && judge(&problem, answer, &budget, "mutant").is_ok()
    }
}

#[test]
fn each_mistake_is_found() {
    for side in [Side::Initial, Side::Target, Side::Cheaper] {
        let mut missed: Vec<Mistake> = MISTAKES.to_vec();
        // From the initial states, states that violate `INVAR` are never reached.
        missed.retain(|&mistake| side == Side::Target || mistake != Mistake::InvariantsAreIgnored);
        for case in (0..400).flat_map(cases) {
            assert!(case.is_right(side, None));
            missed.retain(|&mistake| case.is_right(side, Some(mistake)));
            if missed.is_empty() {
                break;
            }
        }
        assert!(missed.is_empty(), "{side:?}, not found: {missed:?}");
    }
}
