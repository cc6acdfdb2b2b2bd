//! Decision diagrams that several problems about one model share: the manager with its variable
//! order, and the diagrams of the model's constraints.
//!
//! A problem may extend the model: a property brings variables and constraints of its own. These
//! come after those of the model, in the graph and in the variable order, and are not shared: the
//! next problem uses the same diagram variables for something else.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kermode_bdd::{Bdd, Capacity, Manager};
use kermode_system::{Expression, Model, System, Variable};
use rustc_hash::FxHashMap;

use super::bdd_manager::{allowed, manager_with};
use super::budget::{Budget, Stop};

/// The least number of further variables for which a manager has room.
const FURTHER_VARIABLES: usize = 16;

/// The diagrams of a model that are kept from problem to problem. Clones share them.
#[derive(Clone)]
pub struct SharedDiagrams {
    /// The order of the model's variables.
    order: Arc<[Variable]>,
    /// The number of expressions of the model.
    expressions: usize,
    kept: Arc<Mutex<Option<Kept>>>,
}

/// The constraints that determine the reachable states: initial ones, those of steps, invariants.
type ReachKey = [Vec<Expression>; 3];

/// Which diagrams of an expression: over current variables, or with current values over next ones.
pub(crate) type DiagramKey = (Expression, bool);

struct Kept {
    manager: Manager,
    known: FxHashMap<DiagramKey, Bdd>,
    /// The states with fair paths, by the constraints that determine them.
    fair: FxHashMap<Vec<Expression>, Bdd>,
    /// The reachable states, by the constraints that determine them.
    reached: FxHashMap<ReachKey, Bdd>,
}

impl SharedDiagrams {
    /// Nothing yet. Problems that share the diagrams are about this model or extensions of it.
    pub fn new(model: &Model) -> Self {
        SharedDiagrams {
            order: model.order.clone().into(),
            expressions: model.graph.len(),
            kept: Arc::default(),
        }
    }

    /// Whether a model is the one that shares these diagrams, or an extension.
    pub(crate) fn serve(&self, model: &Model) -> bool {
        model.order.starts_with(&self.order) && model.graph.len() >= self.expressions
    }

    /// The manager, which has at least this many pairs of variables. It is replaced if the budget
    /// allows many more nodes than the one for which it was made.
    pub(crate) fn manager(&self, pairs: usize, budget: &Budget) -> Result<Manager, Stop> {
        let mut kept = self.lock();
        let further = pairs.saturating_sub(self.order.len());
        let variables = 2 * (self.order.len() + (2 * further).max(FURTHER_VARIABLES));
        if let Some(Kept { manager, .. }) = &*kept
            && manager.capacity().variables >= 2 * pairs
            && manager.capacity().nodes >= allowed(model_capacity(variables), budget).nodes / 4
        {
            manager.collect_garbage();
            return Ok(manager.clone());
        }
        let manager = manager_with(model_capacity(variables), budget)?;
        *kept = Some(Kept {
            manager: manager.clone(),
            known: FxHashMap::default(),
            fair: FxHashMap::default(),
            reached: FxHashMap::default(),
        });
        Ok(manager)
    }

    /// A diagram that was kept.
    pub(crate) fn get(&self, manager: &Manager, key: DiagramKey) -> Option<Bdd> {
        let kept = self.lock();
        let kept = kept.as_ref().filter(|kept| kept.manager == *manager)?;
        kept.known.get(&key).cloned()
    }

    /// Keeps a diagram, if it belongs to the model.
    pub(crate) fn put(&self, manager: &Manager, key: DiagramKey, diagram: &Bdd) {
        if key.0.index() < self.expressions
            && let Some(kept) = self.lock().as_mut().filter(|kept| kept.manager == *manager)
        {
            kept.known.insert(key, diagram.clone());
        }
    }

    /// The states with fair paths under these constraints, if they were kept.
    pub(crate) fn fair_states(&self, manager: &Manager, constraints: &[Expression]) -> Option<Bdd> {
        let kept = self.lock();
        let kept = kept.as_ref().filter(|kept| kept.manager == *manager)?;
        kept.fair.get(constraints).cloned()
    }

    /// Keeps the states with fair paths, if all constraints belong to the model.
    pub(crate) fn put_fair_states(
        &self,
        manager: &Manager,
        constraints: Vec<Expression>,
        states: &Bdd,
    ) {
        if constraints.iter().all(|constraint| constraint.index() < self.expressions)
            && let Some(kept) = self.lock().as_mut().filter(|kept| kept.manager == *manager)
        {
            kept.fair.insert(constraints, states.clone());
        }
    }

    /// The reachable states of a system, if they were kept.
    pub(crate) fn reachable_states(&self, manager: &Manager, system: &System) -> Option<Bdd> {
        let kept = self.lock();
        let kept = kept.as_ref().filter(|kept| kept.manager == *manager)?;
        kept.reached.get(&reach_key(system)).cloned()
    }

    /// Keeps the reachable states of a system, if all constraints belong to the model.
    pub(crate) fn put_reachable_states(&self, manager: &Manager, system: &System, states: &Bdd) {
        let key = reach_key(system);
        if key.iter().flatten().all(|constraint| constraint.index() < self.expressions)
            && let Some(kept) = self.lock().as_mut().filter(|kept| kept.manager == *manager)
        {
            kept.reached.insert(key, states.clone());
        }
    }

    /// The model's variables in the present order of the diagrams, if there are any diagrams.
    pub(crate) fn present_order(&self) -> Option<Vec<Variable>> {
        let kept = self.lock();
        let levels = kept.as_ref()?.manager.order().into_iter();
        // Each variable has a diagram variable with an even number for its current value.
        let current = levels.filter(|variable| variable.index().is_multiple_of(2));
        Some(current.filter_map(|v| self.order.get(v.index() / 2).copied()).collect())
    }

    /// Drops everything. Useful after a problem that ran out of nodes.
    pub(crate) fn clear(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<Kept>> {
        // A panic of another engine leaves the diagrams as they are.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for SharedDiagrams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedDiagrams").field("variables", &self.order.len()).finish()
    }
}

fn reach_key(system: &System) -> ReachKey {
    [system.initial(), system.transition(), system.invariants()].map(<[Expression]>::to_vec)
}

/// The capacity of a manager for models with this many diagram variables.
pub(crate) fn model_capacity(variables: usize) -> Capacity {
    let cache = (variables * 1024).next_power_of_two().clamp(1 << 12, 1 << 20);
    Capacity { variables, nodes: super::bdd_manager::MOST_NODES, cache }
}
