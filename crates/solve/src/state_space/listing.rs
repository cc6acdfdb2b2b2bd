//! Reachable states one by one, as values of the symbols of a model.

use kermode_base::{BitSet, Natural};
use kermode_bdd::Bdd;
use kermode_system::{Expression, Model, Symbol, SymbolKind};

use super::states;
use crate::compiled::states::SystemStates;
use crate::fixpoint::bdd_context::WorkCounters;
use crate::fixpoint::emptiness::FairSpace;
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;

/// A state of a model: the indices in [`Model::order`] of the variables that are true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State(pub(super) BitSet);

impl State {
    /// The state symbols of the model with their values, in the order of the model.
    pub fn values<'m>(&self, model: &'m Model) -> Vec<(&'m Symbol, String)> {
        let is_true = |variable| {
            let place = model.order.iter().position(|&other| other == variable);
            place.is_some_and(|place| self.0.contains(place))
        };
        let symbols = model.symbols.iter().filter(|symbol| symbol.kind != SymbolKind::Input);
        let valued = symbols.map(|symbol| {
            let value = symbol.value(is_true).map_or_else(String::new, |value| value.to_owned());
            (symbol, value)
        });
        valued.collect()
    }

    fn of(model: &BitSet) -> State {
        // Current variables have even numbers.
        State(model.iter().map(|variable| variable / 2).collect())
    }
}

/// Some of the reachable states that satisfy a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateList {
    /// The states.
    pub states: Vec<State>,
    /// The number of all such states.
    pub total: Natural,
}

/// The reachable states in which an expression over current state variables holds, at most this
/// many of them.
pub fn list_states(
    model: &Model,
    condition: Expression,
    most: usize,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<StateList, Stop> {
    let mut work = WorkCounters::default();
    let mut states = states(model, budget, observer, &mut work)?;
    let condition = states.compile(model, condition)?;
    states.bound_by_reached()?;
    let region = states.all().and(&condition)?;
    let total = region.model_count(states.model().state_pairs.len());
    Ok(StateList { states: some_states(&states, &region, most)?, total })
}

/// At most this many states of a region.
pub(super) fn some_states(
    states: &SystemStates,
    region: &Bdd,
    most: usize,
) -> Result<Vec<State>, Stop> {
    let current = states.model().state_pairs.iter().map(|&(current, _)| current);
    let variables = region.manager().variable_set(current)?;
    Ok(region.models(&variables).take(most).map(|model| State::of(&model)).collect())
}
