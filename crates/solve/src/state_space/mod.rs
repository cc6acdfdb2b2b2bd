//! The state space of a model: its size, its states and its graph.
//!
//! Inputs belong to steps here, and states have no inputs: two steps between the same states with
//! different inputs are one edge. A state satisfies the invariants of the model. Everything else is
//! computed by decision diagrams and the fixpoints of `fixpoint/`.

mod agreement;
mod graph;
mod listing;
mod statistics;

use kermode_system::Model;

use crate::compiled::states::SystemStates;
use crate::compiled::{Compilation, check_declared};
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::WorkCounters;
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;

pub use agreement::{Agreement, compare};
pub use graph::{GraphError, StateGraph, state_graph};
pub use listing::{State, StateList, list_states};
pub use statistics::{StateSpace, Totality, state_space};

/// The largest number of nodes of a joined part of the transition relation.
const CLUSTER: usize = 2_000;

/// Compiles a model for forward steps.
fn states<'o>(
    model: &Model,
    budget: &'o Budget,
    observer: &'o mut dyn Observer,
    work: &'o mut WorkCounters,
) -> Result<SystemStates<'o>, Stop> {
    check_declared(model, &[])?;
    let compilation = Compilation { sifting: true, top: 0, shared: None };
    let (compiled, context) = compilation.of(model, budget, observer, work)?;
    SystemStates::new(compiled, Direction::Forward, CLUSTER, context)
}
