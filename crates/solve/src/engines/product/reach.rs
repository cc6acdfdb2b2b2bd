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
//! result does not depend on the machine: the states that few steps reach, all states, the states
//! that the product can reach if these can be computed, and else those that the model can reach.

use kermode_bdd::Bdd;
use kermode_system::Model;

use crate::compiled::states::SystemStates;
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::BddContext;
use crate::fixpoint::emptiness::{self, FairRun, TwoWaySpace};
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
pub(super) const ALL_NODES: u64 = 1 << 16;

/// The nodes that the reachable states of the product may take.
const PRODUCT_NODES: u64 = 1 << 25;

/// A space over diagrams whose backward steps can be restricted to a region.
pub(super) trait BoundedSpace: TwoWaySpace {
    /// Restricts all further steps to a region, or to none in particular. Forward steps may leave
    /// it unless it is closed. The direction must be set afterwards.
    fn bound_by(&mut self, states: Option<Self::Region>, is_closed: bool);

    /// Restricts all further steps to the reachable states of the product.
    fn bound_by_closure(&mut self) -> Result<(), Stop>;

    /// Restricts all further steps to states that the model can reach, a factor of the product.
    fn bound_by_factor(&mut self, model: &Model) -> Result<(), Stop>;

    /// Lets the following work create this many nodes.
    fn begin_attempt(&mut self, nodes: u64);

    /// Permits any number of nodes again. Returns whether the attempt has used up its own.
    fn end_attempt(&mut self) -> bool;
}

impl BoundedSpace for SystemStates<'_> {
    fn bound_by(&mut self, states: Option<Bdd>, is_closed: bool) {
        SystemStates::bound_by(self, states, is_closed);
    }

    fn bound_by_closure(&mut self) -> Result<(), Stop> {
        SystemStates::bound_by_closure(self)
    }

    fn bound_by_factor(&mut self, model: &Model) -> Result<(), Stop> {
        SystemStates::bound_by_factor(self, model)
    }

    fn begin_attempt(&mut self, nodes: u64) {
        BddContext::begin_attempt(self.context(), nodes);
    }

    fn end_attempt(&mut self) -> bool {
        BddContext::end_attempt(self.context())
    }
}

/// What is known of the states within which a search works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchedStates {
    /// Nothing.
    Any,
    /// All of them are reachable, and no step leaves them.
    Reachable,
}

/// A search in a space that faces backward.
pub(super) type BackwardSearch<'w, S, T> =
    dyn FnMut(&mut S, SearchedStates) -> Result<Option<T>, Stop> + 'w;

/// Searches for a fair run.
pub(super) fn fair_run<S: BoundedSpace>(
    space: &mut S,
    searched: SearchedStates,
) -> Result<Option<FairRun<S::Region>>, Stop> {
    match searched {
        SearchedStates::Any => emptiness::search(space),
        SearchedStates::Reachable => emptiness::search_reachable(space),
    }
}

/// Searches backward, within the states that the option says. The space is the product with the
/// model, if there is one.
pub(super) fn search_backward<S: BoundedSpace, T>(
    space: &mut S,
    reach: Reach,
    model: Option<&Model>,
    search: &mut BackwardSearch<S, T>,
) -> Result<Option<T>, Stop> {
    let searched = match (reach, model) {
        (Reach::Off, _) | (Reach::Auto, None) => SearchedStates::Any,
        (Reach::Product, _) | (Reach::Model, None) => {
            space.bound_by_closure()?;
            SearchedStates::Reachable
        }
        (Reach::Model, Some(model)) => {
            space.bound_by_factor(model)?;
            SearchedStates::Any
        }
        (Reach::Auto, Some(model)) => {
            // The relations are no part of the attempt.
            let initial = space.initial()?;
            space.bound_by(Some(initial), false);
            space.face(Direction::Backward)?;
            space.bound_by(None, true);
            space.face(Direction::Forward)?;
            let near = attempt(space, NEAR_NODES, |space| near_initial(space, search))?;
            if let Some(found) = near {
                return Ok(found);
            }
            space.bound_by(None, true);
            space.face(Direction::Backward)?;
            let among_all = |space: &mut S| search(space, SearchedStates::Any);
            if let Some(found) = attempt(space, ALL_NODES, among_all)? {
                return Ok(found);
            }
            space.bound_by(None, true);
            space.face(Direction::Backward)?;
            if attempt(space, PRODUCT_NODES, S::bound_by_closure)?.is_some() {
                SearchedStates::Reachable
            } else {
                space.face(Direction::Backward)?;
                space.bound_by_factor(model)?;
                SearchedStates::Any
            }
        }
    };
    search(space, searched)
}

/// Runs a search that may create this many nodes. Returns nothing if that is not enough; then bound
/// and direction must be set again.
pub(super) fn attempt<S: BoundedSpace, T>(
    space: &mut S,
    nodes: u64,
    search: impl FnOnce(&mut S) -> Result<T, Stop>,
) -> Result<Option<T>, Stop> {
    space.begin_attempt(nodes);
    let result = search(space);
    match (space.end_attempt(), result) {
        (true, Err(Stop::Limit(_))) => Ok(None),
        (_, result) => result.map(Some),
    }
}

/// Searches among the states that few steps reach. Whenever the number of steps is doubled, it
/// searches among the states so far.
fn near_initial<S: BoundedSpace, T>(
    space: &mut S,
    search: &mut BackwardSearch<S, T>,
) -> Result<Option<T>, Stop> {
    space.face(Direction::Forward)?;
    let initial = space.initial()?;
    let (mut growth, _) = Growth::new(&mut space.plain(), &initial)?;
    let mut steps: usize = 0;
    loop {
        let is_complete = growth.is_complete(&space.plain());
        if is_complete || steps.is_power_of_two() {
            space.bound_by(Some(growth.all().clone()), is_complete);
            space.face(Direction::Backward)?;
            let found = search(space, SearchedStates::Any)?;
            if found.is_some() || is_complete {
                return Ok(found);
            }
            space.bound_by(None, true);
            space.face(Direction::Forward)?;
        }
        growth.step(&mut space.plain())?;
        steps += 1;
    }
}
