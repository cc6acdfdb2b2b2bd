//! Models compiled to decision diagrams, and the sets of their states as an algebra for the
//! fixpoints.

mod ahead;
pub(crate) mod compiled_model;
pub(crate) mod states;

use kermode_bdd::Capacity;
use kermode_system::Model;

use crate::fixpoint::bdd_context::{BddContext, WorkCounters};
use crate::frame::bdd_manager::{MOST_NODES, manager_with};
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;
pub(crate) use compiled_model::InputPlace;
use compiled_model::{CompiledModel, pair, variable_count};

/// Compiles a model within a new manager.
pub(crate) fn compile<'o>(
    model: &Model,
    inputs: InputPlace,
    sifting: bool,
    budget: &'o Budget,
    observer: &'o mut dyn Observer,
    work: &'o mut WorkCounters,
) -> Result<(CompiledModel, BddContext<'o>), Stop> {
    let variables = variable_count(model);
    let cache = (variables * 1024).next_power_of_two().clamp(1 << 12, 1 << 20);
    let manager = manager_with(Capacity { variables, nodes: MOST_NODES, cache }, budget)?;
    let pairs = (0..model.order.len()).map(pair);
    let groups = sifting.then(|| pairs.map(|(now, next)| vec![now, next]).collect());
    let mut context = BddContext::new(manager, groups, budget, observer, work);
    let compiled = context.prepare(|context| CompiledModel::new(model, inputs, context))?;
    Ok((compiled, context))
}
