//! The size of a state space, in exact numbers.
//!
//! One forward fixpoint gives the reachable states and their layers. One backward step from them
//! shows which of them have no successor. The fair states are a greatest fixpoint within the
//! reachable ones. Totality is about all states that satisfy the invariants, and needs one more
//! step unless a reachable state lacks a successor.

use std::time::Duration;

use kermode_base::Natural;
use kermode_system::{Model, SymbolKind};

use super::states;
use crate::compiled::states::SystemStates;
use crate::fixpoint::bdd_context::WorkCounters;
use crate::fixpoint::emptiness::FairSpace;
use crate::fixpoint::{Direction, Images};
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;

/// Whether every state that satisfies the invariants has a successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Totality {
    /// Every state has one.
    Total,
    /// Only unreachable states lack one.
    UnreachableDeadlocks,
    /// A reachable state lacks one.
    Deadlocks,
}

/// The size of the state space of a model. A number is missing if the work stopped before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateSpace {
    /// The number of bits of a state.
    pub state_bits: usize,
    /// The number of bits of the inputs of a step.
    pub input_bits: usize,
    /// The initial states.
    pub initial: Option<Natural>,
    /// The reachable states.
    pub reachable: Option<Natural>,
    /// The layers of a breadth-first search: one if only initial states are reachable, none if
    /// there are none.
    pub depth: Option<usize>,
    /// The reachable states without a successor.
    pub deadlocks: Option<Natural>,
    /// The reachable states from which a path satisfies every justice constraint infinitely often;
    /// without justice, those with an infinite path.
    pub fair: Option<Natural>,
    /// Whether every state has a successor.
    pub totality: Option<Totality>,
    /// The number of nodes of the diagram of the reachable states.
    pub reachable_nodes: Option<usize>,
    /// The largest number of nodes in use.
    pub peak_nodes: usize,
    /// The wall-clock time.
    pub time: Duration,
    /// Why numbers are missing.
    pub stop: Option<Stop>,
}

/// Measures the state space of a model. `found` is called after each number with all numbers so
/// far.
pub fn state_space(
    model: &Model,
    budget: &Budget,
    observer: &mut dyn Observer,
    found: &mut dyn FnMut(&StateSpace),
) -> StateSpace {
    let mut space = StateSpace::default();
    let inputs = model.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Input);
    space.input_bits = inputs.map(|symbol| symbol.bits.len()).sum();
    space.state_bits = model.order.len().saturating_sub(space.input_bits);
    let mut work = WorkCounters::default();
    found(&space);
    let stop = match states(model, budget, observer, &mut work) {
        Ok(mut states) => space.measure(&mut states, budget, found).err(),
        Err(stop) => Some(stop),
    };
    space.stop = stop;
    space.peak_nodes = work.peak();
    space.time = budget.elapsed();
    space
}

impl StateSpace {
    fn measure(
        &mut self,
        states: &mut SystemStates,
        budget: &Budget,
        found: &mut dyn FnMut(&StateSpace),
    ) -> Result<(), Stop> {
        let bits = self.state_bits;
        let mut show = |space: &mut StateSpace| {
            space.time = budget.elapsed();
            found(space);
        };
        self.initial = Some(states.model().initial.model_count(bits));
        show(self);
        self.depth = Some(states.bound_by_reached()?);
        let reached = states.all();
        self.reachable = Some(reached.model_count(bits));
        self.reachable_nodes = Some(reached.node_count());
        show(self);
        states.face(Direction::Backward)?;
        let with_successor = states.plain().image(&reached)?;
        let deadlocks = reached.and_not(&with_successor)?;
        self.deadlocks = Some(deadlocks.model_count(bits));
        if !deadlocks.is_bottom() {
            self.totality = Some(Totality::Deadlocks);
        }
        show(self);
        self.fair = Some(states.fair_within(with_successor)?.model_count(bits));
        show(self);
        if self.totality.is_none() {
            self.totality = Some(match states.is_total()? {
                true => Totality::Total,
                false => Totality::UnreachableDeadlocks,
            });
        }
        states.tell(2 * (self.state_bits + self.input_bits));
        Ok(())
    }
}
