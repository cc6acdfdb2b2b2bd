//! The sets of a proof, by fixpoints over diagrams.
//!
//! Fair paths: from all states, or from those that the model can reach, states without an infinite
//! path are removed, and then states without a path to a justice constraint, as in \[EL86\], until
//! no initial state is left. Each round that removes states is a round of the proof. As for
//! `product:syntactic/el`, a first attempt among all states may create a limited number of nodes.
//!
//! States and steps: the reachable states, or those that reach no goal; again with limited attempts
//! at first.

use kermode_bdd::Bdd;
use kermode_certificate::{Goal, JusticeName, Product};

use super::reduction::Reduction;
use crate::compiled::compiled_model::Justice;
use crate::compiled::states::SystemStates;
use crate::fixpoint::emptiness::FairSpace;
use crate::fixpoint::{Direction, Images};
use crate::frame::budget::Stop;

/// The nodes that a first attempt may create.
const ATTEMPT_NODES: u64 = 1 << 16;
/// With justice constraints, at most this many rounds remove states without an infinite path.
const MOST_ENDING: usize = 64;

/// The sets of a proof.
pub(super) enum ProofSets {
    NoFairPath { start: Bdd, rounds: Vec<ProofRound> },
    Inductive(Bdd),
}

pub(super) struct ProofRound {
    pub(super) justice: JusticeName,
    pub(super) reach: Bdd,
    pub(super) left: Bdd,
}

/// The sets that prove the claim of a product, if it is true.
pub(super) fn prove(
    states: &mut SystemStates,
    product: &Product,
    reduction: &Reduction,
) -> Result<Option<ProofSets>, Stop> {
    match product.goal {
        Goal::FairPath => no_fair_path(states, product, reduction),
        _ => Ok(inductive(states, product, reduction)?.map(ProofSets::Inductive)),
    }
}

fn no_fair_path(
    states: &mut SystemStates,
    product: &Product,
    reduction: &Reduction,
) -> Result<Option<ProofSets>, Stop> {
    states.face(Direction::Backward)?;
    if reduction.factor.order.is_empty() {
        return rounds(states, product, None);
    }
    if let Some(sets) = attempt(states, |states| rounds(states, product, None))? {
        return Ok(sets);
    }
    states.bound_by_factor(&reduction.factor)?;
    states.face(Direction::Backward)?;
    let bound = states.all();
    rounds(states, product, Some(bound))
}

/// Runs some work that may create a limited number of nodes. Nothing if that is not enough.
fn attempt<T>(
    states: &mut SystemStates,
    work: impl FnOnce(&mut SystemStates) -> Result<T, Stop>,
) -> Result<Option<T>, Stop> {
    states.context().begin_attempt(ATTEMPT_NODES);
    let result = work(states);
    match (states.context().end_attempt(), result) {
        (true, Err(Stop::Limit(_))) => Ok(None),
        (_, result) => result.map(Some),
    }
}

/// The rounds that remove all initial states, if there are any such rounds. Steps are backward, and
/// within the bound, which is closed.
fn rounds(
    states: &mut SystemStates,
    product: &Product,
    bound: Option<Bdd>,
) -> Result<Option<ProofSets>, Stop> {
    let initial = states.initial()?;
    let just: Vec<(JusticeName, Bdd)> = product
        .justice
        .iter()
        .zip(&states.model().justice)
        .map(|(&name, justice)| match justice {
            Justice::OfStates(constraint) => (name, constraint.clone()),
            Justice::OfSteps(_) => unreachable!("inputs of justice constraints are in states"),
        })
        .collect();
    let (start, mut left) = match bound {
        Some(bound) => (bound.clone(), bound),
        None => (states.manager().top(), states.legal()?),
    };
    let mut rounds: Vec<ProofRound> = Vec::new();
    while just.is_empty() || rounds.len() < MOST_ENDING {
        if left.and(&initial)?.is_bottom() {
            return Ok(Some(ProofSets::NoFairPath { start, rounds }));
        }
        let next = states.step_where(&left, None)?.and(&left)?;
        if next == left {
            break;
        }
        let reach = std::mem::replace(&mut left, next);
        rounds.push(ProofRound { justice: JusticeName::Always, reach, left: left.clone() });
    }
    let mut unchanged = 0;
    for (justice, constraint) in just.iter().cycle() {
        if unchanged == just.len() {
            break;
        }
        let seed = left.and(constraint)?;
        let reach = match seed == left {
            true => seed,
            false => states.within(left.clone()).closure(&seed, Some(&left))?,
        };
        let next = states.step_where(&reach, None)?.and(&left)?;
        unchanged += 1;
        if next != left {
            (left, unchanged) = (next.clone(), 0);
            rounds.push(ProofRound { justice: *justice, reach, left: next });
            if left.and(&initial)?.is_bottom() {
                return Ok(Some(ProofSets::NoFairPath { start, rounds }));
            }
        }
    }
    Ok(None)
}

/// A set that includes the initial states and its successors, and has no goal.
fn inductive(
    states: &mut SystemStates,
    product: &Product,
    reduction: &Reduction,
) -> Result<Option<Bdd>, Stop> {
    let goal = goal_states(states, product, reduction)?;
    let forward = |states: &mut SystemStates| {
        let reached = states.closure_of_initial()?;
        Ok(reached.and(&goal)?.is_bottom().then_some(reached))
    };
    let backward = |states: &mut SystemStates| {
        states.bound_by(None, true);
        states.face(Direction::Backward)?;
        let leading = states.plain().closure(&goal, None)?;
        let meets = !leading.and(&states.initial()?)?.is_bottom();
        Ok(if meets { None } else { Some(leading.not()?) })
    };
    if let Some(set) = attempt(states, forward)? {
        return Ok(set);
    }
    if let Some(set) = attempt(states, backward)? {
        return Ok(set);
    }
    forward(states)
}

/// The states that must not be reached.
fn goal_states(
    states: &mut SystemStates,
    product: &Product,
    reduction: &Reduction,
) -> Result<Bdd, Stop> {
    let legal = states.legal()?;
    match product.goal {
        Goal::FairPath => unreachable!("fair paths have no last state"),
        Goal::State(goal) => Ok(states.compile(&reduction.model, goal)?.and(&legal)?),
        Goal::Step(goal) => {
            let goal = states.compile(&reduction.model, goal)?;
            states.face(Direction::Backward)?;
            states.step_where(&legal, Some(&goal))
        }
        Goal::DeadEnd(goal) => {
            let goal = states.compile(&reduction.model, goal)?.and(&legal)?;
            Ok(goal.and_not(&states.with_successor_in(&reduction.factor)?)?)
        }
    }
}
