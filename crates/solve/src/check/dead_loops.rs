//! The loops of dead ends in the encoded model (`check --dead`).
//!
//! The set of states without successor is computed once, as a decision diagram, before any engine
//! begins. It becomes an expression of the model, in which all engines see ordinary steps. Traces
//! are replayed by the interpreter, which searches for the successors of a state by itself.

use kermode_bdd::Bdd;
use kermode_smv::SmvModel;
use kermode_system::{Expression, Graph, Model, Target};
use rustc_hash::FxHashMap;

use crate::compiled::Compilation;
use crate::compiled::compiled_model::pair;
use crate::compiled::expressions::DiagramExpressions;
use crate::compiled::path_search::Goal;
use crate::compiled::states::SystemStates;
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::WorkCounters;
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Silent;

/// The largest number of nodes of a joined part of the transition relation.
const CLUSTER: usize = 500;

/// Gives the dead ends of a model loops, if they should have some.
pub(super) fn loop_dead_ends(model: &mut SmvModel, budget: &Budget) -> Result<(), Stop> {
    let Some(variable) = model.flat.dead_loop else { return Ok(()) };
    let flag = model.encoded.bits(variable)[0];
    let dead = dead_ends(&model.encoded.model, budget)?;
    let dead = expression(&mut model.encoded.model, &dead, budget)?;
    model.encoded.model.loop_dead_ends(flag, dead);
    Ok(())
}

/// The states without successor.
fn dead_ends(model: &Model, budget: &Budget) -> Result<Bdd, Stop> {
    let (mut work, observer) = (WorkCounters::default(), &mut Silent::default());
    let compilation = Compilation { sifting: true, top: 0, shared: None };
    let (compiled, context) = compilation.of(model, budget, observer, &mut work)?;
    let mut states = SystemStates::new(compiled, Direction::Backward, CLUSTER, context)?;
    let goal = Goal::new(&mut states, model, Target::DeadEnd)?;
    // Only states that satisfy the invariants count.
    goal.states.restrict(&states.legal()?, &mut || budget.check())
}

/// The expression of a diagram over current variables.
fn expression(model: &mut Model, root: &Bdd, budget: &Budget) -> Result<Expression, Stop> {
    let Model { graph, order, .. } = model;
    let names = order.iter().enumerate().map(|(place, &variable)| (pair(place).0, variable));
    let names: FxHashMap<_, _> = names.collect();
    let current = |graph: &mut Graph, variable| graph.current(names[&variable]);
    DiagramExpressions::default().expression(graph, root, current, budget)
}
