//! Models compiled to decision diagrams, and the sets of their states as an algebra for the
//! fixpoints.

mod ahead;
mod algebra;
pub(crate) mod compiled_model;
pub(crate) mod equal_signals;
pub(crate) mod expressions;
pub(crate) mod label;
mod one_way;
pub(crate) mod path_search;
pub(crate) mod reduced;
pub(crate) mod states;
pub(crate) mod traces;

use kermode_bdd::Manager;
use kermode_system::{Expression, Model};

use crate::fixpoint::bdd_context::{BddContext, WorkCounters};
use crate::frame::bdd_manager::manager_with;
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;
use crate::frame::shared_diagrams::{SharedDiagrams, model_capacity};
use compiled_model::{CompiledModel, pair, variable_count};

/// An error if the system does not declare the variables of the model and of some expressions
/// exactly once.
pub(crate) fn check_declared(model: &Model, expressions: &[Expression]) -> Result<(), Stop> {
    let mentioned = model.graph.variables(expressions).into_iter();
    let mut unknown = mentioned.filter(|v| !model.system.variables().contains(v));
    match model.undeclared().or_else(|| unknown.next()) {
        None => Ok(()),
        Some(variable) => {
            let name = model.graph.name(variable);
            Err(Stop::Unsupported(format!("the model does not declare `{name}` once")))
        }
    }
}

/// How a model is compiled.
#[derive(Clone, Copy)]
pub(crate) struct Compilation<'d> {
    /// Whether variables are sifted when diagrams get large.
    pub(crate) sifting: bool,
    /// This many of the first variables of the model stay above all others.
    pub(crate) top: usize,
    /// Diagrams that the problem shares with others about the same model.
    pub(crate) shared: Option<&'d SharedDiagrams>,
}

impl Compilation<'_> {
    /// Compiles a model.
    pub(crate) fn of<'o>(
        &self,
        model: &Model,
        budget: &'o Budget,
        observer: &'o mut dyn Observer,
        work: &'o mut WorkCounters,
    ) -> Result<(CompiledModel, BddContext<'o>), Stop> {
        let shared = self.shared.filter(|shared| shared.serve(model));
        let manager = match shared {
            Some(shared) => shared.manager(model.order.len(), budget)?,
            None => manager_with(model_capacity(variable_count(model)), budget)?,
        };
        let groups = self.sifting.then(|| pairs(&manager));
        let mut context = BddContext::new(manager, groups, budget, observer, work);
        context.keep_on_top(2 * self.top);
        context.shared = shared.cloned();
        let compile = |context: &mut BddContext| CompiledModel::new(model, shared, context);
        let compiled = context.prepare(compile)?;
        Ok((compiled, context))
    }
}

/// The pairs of a current and a next variable, which stay together during sifting.
fn pairs(manager: &Manager) -> Vec<Vec<kermode_bdd::Variable>> {
    let places = 0..manager.capacity().variables / 2;
    places.map(pair).map(|(now, next)| vec![now, next]).collect()
}
