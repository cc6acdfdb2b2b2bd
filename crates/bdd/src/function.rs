//! Boolean functions and their operations.
//!
//! A [`Bdd`] keeps its nodes alive. Two functions of a manager are equal exactly if they have the
//! same node, so comparing and hashing take no time. Operations on functions of different managers
//! panic: that is a bug of the caller.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst};
use oxidd_core::util::EdgeDropGuard;
use oxidd_core::{HasLevel, Manager as _, Node};

use crate::graph::Graph;
use crate::manager::{Manager, OutOfNodes, Shared};
use crate::package::{PackageFunction, operands};
use crate::relation::Renaming;
use crate::stack::{LEVELS_HERE, with_stack};
use crate::variable::{Cube, Variable, VariableSet};

/// A Boolean function over the variables of its manager.
#[derive(Clone)]
pub struct Bdd {
    pub(crate) function: PackageFunction,
    pub(crate) shared: Arc<Shared>,
}

impl Bdd {
    /// The manager it belongs to.
    pub fn manager(&self) -> Manager {
        Manager(Arc::clone(&self.shared))
    }

    /// Whether it is true everywhere.
    pub fn is_top(&self) -> bool {
        self.function.valid()
    }

    /// Whether it is false everywhere.
    pub fn is_bottom(&self) -> bool {
        !self.function.satisfiable()
    }

    /// The negation.
    pub fn not(&self) -> Result<Bdd, OutOfNodes> {
        self.operate(&[], || self.function.not())
    }

    /// The conjunction.
    pub fn and(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.operate(&[other], || self.function.and(&other.function))
    }

    /// The disjunction.
    pub fn or(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.operate(&[other], || self.function.or(&other.function))
    }

    /// Where exactly one of both is true.
    pub fn xor(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.operate(&[other], || self.function.xor(&other.function))
    }

    /// Where the other is true if this one is.
    pub fn implies(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.operate(&[other], || self.function.imp(&other.function))
    }

    /// Where both have the same value.
    pub fn iff(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.operate(&[other], || self.function.equiv(&other.function))
    }

    /// Where this one is true and the other is not.
    pub fn and_not(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.operate(&[other], || other.function.imp_strict(&self.function))
    }

    /// `yes` where this one is true, else `no`.
    pub fn ite(&self, yes: &Bdd, no: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.operate(&[yes, no], || self.function.ite(&yes.function, &no.function))
    }

    /// Whether the other is true wherever this one is.
    pub fn entails(&self, other: &Bdd) -> Result<bool, OutOfNodes> {
        Ok(self.and_not(other)?.is_bottom())
    }

    /// Whether some values of the variables make it true.
    pub fn exists(&self, variables: &VariableSet) -> Result<Bdd, OutOfNodes> {
        let variables = &variables.conjunction;
        self.operate(&[variables], || self.function.exists(&variables.function))
    }

    /// Whether all values of the variables make it true.
    pub fn forall(&self, variables: &VariableSet) -> Result<Bdd, OutOfNodes> {
        let variables = &variables.conjunction;
        self.operate(&[variables], || self.function.forall(&variables.function))
    }

    /// `exists` of the conjunction, which itself is not built.
    pub fn and_exists(&self, other: &Bdd, variables: &VariableSet) -> Result<Bdd, OutOfNodes> {
        let variables = &variables.conjunction;
        self.operate(&[other, variables], || {
            let (f, g) = (&self.function, &other.function);
            f.apply_exists(BooleanOperator::And, g, &variables.function)
        })
    }

    /// The function with the values of a cube put in.
    pub fn cofactor(&self, cube: &Cube) -> Result<Bdd, OutOfNodes> {
        let values = self.manager().cube(cube)?;
        self.operate(&[&values], || self.function.restrict(&values.function))
    }

    /// The function with variables replaced, all at once.
    pub fn rename(&self, renaming: &Renaming) -> Result<Bdd, OutOfNodes> {
        let levels = self.shared.capacity.variables;
        let substitute = || self.function.substitute(&renaming.substitution);
        let function = with_stack(levels, || self.shared.attempt(substitute))?;
        Ok(self.sibling(function))
    }

    /// Its value where variables have these values; `value` must not use the manager, which is
    /// locked.
    pub fn eval(&self, value: impl Fn(Variable) -> bool) -> bool {
        self.function.with_manager_shared(|manager, root| {
            let mut edge = root;
            while let Node::Inner(node) = manager.get_node(edge) {
                let [low, high] = operands(node);
                let variable = Variable(manager.level_to_var(node.level()));
                edge = if value(variable) { high } else { low };
            }
            let top = EdgeDropGuard::new(manager, PackageFunction::t_edge(manager));
            edge == top.borrowed()
        })
    }

    /// The variables on which it depends, by number.
    pub fn support(&self) -> Vec<Variable> {
        Graph::of(self).support()
    }

    /// How many nodes it has, constants not counted.
    pub fn node_count(&self) -> usize {
        Graph::of(self).len()
    }

    /// The same function in another manager that has its variables, in whatever order.
    ///
    /// # Panics
    /// When the other manager lacks a variable.
    pub fn copy_to(&self, manager: &Manager) -> Result<Bdd, OutOfNodes> {
        self.copy_renamed(manager, |variable| variable)
    }

    /// As [`Bdd::copy_to`], with another variable in place of each.
    ///
    /// # Panics
    /// When the other manager lacks a variable.
    pub fn copy_renamed(
        &self,
        manager: &Manager,
        renamed: impl Fn(Variable) -> Variable,
    ) -> Result<Bdd, OutOfNodes> {
        let graph = Graph::of(self);
        let mut copies = vec![manager.bottom(), manager.top()];
        for node in &graph.nodes[2..] {
            let variable = manager.variable(renamed(node.variable))?;
            let [low, high] = [node.low, node.high].map(|operand| &copies[operand as usize]);
            copies.push(variable.ite(high, low)?);
        }
        Ok(copies.swap_remove(graph.root as usize))
    }

    /// The variable that is decided first, and what is left where it is false and where it is true;
    /// nothing of a constant.
    pub fn decision(&self) -> Option<(Variable, [Bdd; 2])> {
        let variable = self.topmost_variable(&[])?;
        Some((variable, self.cofactors(variable)))
    }

    /// Does an operation of the package where it has room for its recursion.
    fn operate(
        &self,
        others: &[&Bdd],
        operation: impl Fn() -> AllocResult<PackageFunction> + Send + Sync,
    ) -> Result<Bdd, OutOfNodes> {
        let levels = self.levels_below(others);
        let function = with_stack(levels, || self.shared.attempt(operation))?;
        Ok(self.sibling(function))
    }

    /// How many levels there are from the topmost operand on, at most.
    fn levels_below(&self, others: &[&Bdd]) -> usize {
        let levels = self.shared.capacity.variables;
        if levels <= LEVELS_HERE {
            return levels;
        }
        let top = others.iter().map(|other| other.level()).fold(self.level(), usize::min);
        levels.saturating_sub(top)
    }

    /// The topmost variable on which it or one of the others depends, if it is no constant.
    pub(crate) fn topmost_variable(&self, others: &[Bdd]) -> Option<Variable> {
        let level = others.iter().map(Bdd::level).fold(self.level(), usize::min);
        self.function.with_manager_shared(|manager, _| {
            let level = u32::try_from(level).ok().filter(|&level| level < manager.num_levels())?;
            Some(Variable(manager.level_to_var(level)))
        })
    }

    /// The function where a variable is false and where it is true. The variable must be the
    /// topmost one or above.
    pub(crate) fn cofactors(&self, variable: Variable) -> [Bdd; 2] {
        self.function.with_manager_shared(|manager, edge| match manager.get_node(edge) {
            Node::Inner(node) if manager.level_to_var(node.level()) == variable.0 => operands(node)
                .map(|edge| self.sibling(PackageFunction::from_edge_ref(manager, edge))),
            _ => [self.clone(), self.clone()],
        })
    }

    fn level(&self) -> usize {
        self.function.with_manager_shared(|manager, edge| manager.get_node(edge).level() as usize)
    }

    fn sibling(&self, function: PackageFunction) -> Bdd {
        Bdd { function, shared: Arc::clone(&self.shared) }
    }
}

impl PartialEq for Bdd {
    fn eq(&self, other: &Bdd) -> bool {
        self.function == other.function
    }
}

impl Eq for Bdd {}

impl Hash for Bdd {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.hash(state);
    }
}

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let node = self.function.with_manager_shared(|_, edge| edge.node_id());
        write!(f, "Bdd({node})")
    }
}
