//! How backward fixpoints use reachable states.
//!
//! Backward fixpoints from all states take few steps for many models, and grow without limit for
//! others whose unreachable states have no structure. Then the reachable states help, of the
//! product or of the model alone: the latter are a superset, and cheaper, because the automaton of
//! the property does not move while the processes of the model take turns.
//!
//! Violated properties often have a short counterexample. A fair run may stay among the states that
//! a few steps reach, and fixpoints within these states are small.
//!
//! `auto` tries in this order, and all but the last with a limited number of nodes, so that the
//! result does not depend on the machine: the states that few steps reach, all states, and the
//! states that the model can reach.

use kermode_bdd::Bdd;
use kermode_system::Model;

use crate::compiled::states::SystemStates;
use crate::fixpoint::Direction;
use crate::fixpoint::emptiness::{FairRun, FairSpace, search};
use crate::fixpoint::fixpoints::Growth;
use crate::frame::budget::Stop;
use crate::frame::options::Choice;

/// The states within which backward fixpoints work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    Auto,
    Off,
    Model,
    Product,
}

pub(super) const REACH: Choice<Reach> = Choice {
    key: "reach",
    help: "the states within which backward fixpoints work; forward ones are within those of the product",
    values: &[
        ("auto", "all states, unless that gets large; for models only", Reach::Auto),
        ("off", "all states", Reach::Off),
        ("model", "those that the model can reach", Reach::Model),
        ("product", "those that its product with the formula can reach", Reach::Product),
    ],
};

/// The nodes that the search near the initial states may create.
const NEAR_NODES: u64 = 1 << 15;
/// The nodes that the search among all states may create.
const ALL_NODES: u64 = 1 << 16;

/// Searches for a fair run backward. The states are those of a product with the model, if there is
/// one.
pub(super) fn search_backward(
    states: &mut SystemStates,
    reach: Reach,
    model: Option<&Model>,
) -> Result<Option<FairRun<Bdd>>, Stop> {
    match (reach, model) {
        (Reach::Off, _) | (Reach::Auto, None) => return search(states),
        (Reach::Product, _) | (Reach::Model, None) => states.bound_by_closure()?,
        (Reach::Model, Some(model)) => states.bound_by_factor(model)?,
        (Reach::Auto, Some(model)) => {
            // The relations are no part of the attempt.
            states.bound_by(Some(states.initial()?), false);
            states.face(Direction::Backward)?;
            states.bound_by(None, true);
            states.face(Direction::Forward)?;
            if let Some(found) = states.attempt(NEAR_NODES, near_initial)? {
                return Ok(found);
            }
            states.bound_by(None, true);
            states.face(Direction::Backward)?;
            if let Some(found) = states.attempt(ALL_NODES, search)? {
                return Ok(found);
            }
            states.bound_by_factor(model)?;
        }
    }
    search(states)
}

/// Searches among the states that few steps reach. Whenever the number of steps is doubled, it
/// searches for a fair run among the states so far.
fn near_initial(states: &mut SystemStates) -> Result<Option<FairRun<Bdd>>, Stop> {
    states.face(Direction::Forward)?;
    let initial = states.initial()?;
    let (mut growth, _) = Growth::new(&mut states.plain(), &initial)?;
    let mut steps: usize = 0;
    loop {
        let is_complete = growth.is_complete(&states.plain());
        if is_complete || steps.is_power_of_two() {
            states.bound_by(Some(growth.all().clone()), is_complete);
            states.face(Direction::Backward)?;
            let found = search(states)?;
            if found.is_some() || is_complete {
                return Ok(found);
            }
            states.bound_by(None, true);
            states.face(Direction::Forward)?;
        }
        growth.step(&mut states.plain())?;
        steps += 1;
    }
}
