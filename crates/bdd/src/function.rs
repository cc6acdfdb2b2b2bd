//! Boolean functions and their operations.
//!
//! A [`Bdd`] keeps its nodes alive. Two functions of a manager are equal exactly if they have the
//! same node, so comparing and hashing take constant time. Operations on functions of different
//! managers panic: that is a bug of the caller.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use kermode_base::BitSet;
use oxidd::util::AllocResult;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Subst,
};
use oxidd_core::util::EdgeDropGuard;
use oxidd_core::{HasLevel, Manager as _, Node};

use crate::graph::{DiagramGraph, visit_nodes};
use crate::manager::{Manager, OutOfNodes, SharedManager};
use crate::package::{PackageFunction, operands};
use crate::relation::{Renaming, Substitution};
use crate::stack::{LEVELS_HERE, with_stack};
use crate::variable::{Cube, Variable, VariableSet};

/// A Boolean function over the variables of its manager.
#[derive(Clone)]
pub struct Bdd {
    pub(crate) function: PackageFunction,
    pub(crate) shared: Arc<SharedManager>,
}

impl Bdd {
    /// The manager of the function.
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

    /// The exclusive or.
    pub fn xor(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.operate(&[other], || self.function.xor(&other.function))
    }

    /// The implication.
    pub fn implies(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.operate(&[other], || self.function.imp(&other.function))
    }

    /// The equivalence.
    pub fn iff(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.operate(&[other], || self.function.equiv(&other.function))
    }

    /// The conjunction with the negation of the other.
    pub fn and_not(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.operate(&[other], || other.function.imp_strict(&self.function))
    }

    /// If-then-else: `yes` where this function is true, else `no`.
    pub fn ite(&self, yes: &Bdd, no: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.operate(&[yes, no], || self.function.ite(&yes.function, &no.function))
    }

    /// Whether this function implies the other.
    pub fn entails(&self, other: &Bdd) -> Result<bool, OutOfNodes> {
        Ok(self.and_not(other)?.is_bottom())
    }

    /// Existential quantification.
    pub fn exists(&self, variables: &VariableSet) -> Result<Bdd, OutOfNodes> {
        let variables = &variables.conjunction;
        self.operate(&[variables], || self.function.exists(&variables.function))
    }

    /// Universal quantification.
    pub fn forall(&self, variables: &VariableSet) -> Result<Bdd, OutOfNodes> {
        let variables = &variables.conjunction;
        self.operate(&[variables], || self.function.forall(&variables.function))
    }

    /// Existential quantification of the conjunction, without building the conjunction.
    pub fn and_exists(&self, other: &Bdd, variables: &VariableSet) -> Result<Bdd, OutOfNodes> {
        let variables = &variables.conjunction;
        self.operate(&[other, variables], || {
            let (f, g) = (&self.function, &other.function);
            f.apply_exists(BooleanOperator::And, g, &variables.function)
        })
    }

    /// The function with the variables of the cube fixed to its values.
    pub fn cofactor(&self, cube: &Cube) -> Result<Bdd, OutOfNodes> {
        let values = self.manager().cube(cube)?;
        self.operate(&[&values], || self.function.restrict(&values.function))
    }

    /// The function with variables replaced, all at once.
    pub fn rename(&self, renaming: &Renaming) -> Result<Bdd, OutOfNodes> {
        self.replace(&renaming.substitution)
    }

    /// The function with variables replaced by functions, all at once.
    pub fn substitute(&self, substitution: &Substitution) -> Result<Bdd, OutOfNodes> {
        self.replace(&substitution.substitution)
    }

    fn replace(&self, substitution: &Subst<PackageFunction>) -> Result<Bdd, OutOfNodes> {
        let levels = self.shared.capacity.variables;
        let substitute = || self.function.substitute(substitution);
        let function = with_stack(levels, || self.shared.attempt(substitute))?;
        Ok(self.sibling(function))
    }

    /// The value under an assignment. `value` must not use the manager, which is locked.
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
        let mut found = BitSet::new();
        visit_nodes(self, |variable| {
            found.insert(variable.index());
            true
        });
        found.iter().map(|index| Variable(index as u32)).collect()
    }

    /// The number of nodes without constants.
    pub fn node_count(&self) -> usize {
        let mut count = 0;
        visit_nodes(self, |_| {
            count += 1;
            true
        });
        count
    }

    /// Whether there are at most this many nodes without constants. Visits hardly more than that.
    pub fn has_at_most(&self, nodes: usize) -> bool {
        let mut count = 0;
        visit_nodes(self, |_| {
            count += 1;
            count <= nodes
        });
        count <= nodes
    }

    /// The same function in another manager that has its variables, in any order.
    ///
    /// # Panics
    /// When the other manager lacks a variable.
    pub fn copy_to(&self, manager: &Manager) -> Result<Bdd, OutOfNodes> {
        self.copy_renamed(manager, |variable| variable)
    }

    /// As [`Bdd::copy_to`], with each variable replaced by another.
    ///
    /// # Panics
    /// When the other manager lacks a variable.
    pub fn copy_renamed(
        &self,
        manager: &Manager,
        renamed: impl Fn(Variable) -> Variable,
    ) -> Result<Bdd, OutOfNodes> {
        let graph = DiagramGraph::of(self);
        let mut copies = Vec::with_capacity(graph.nodes.len());
        copies.extend([manager.bottom(), manager.top()]);
        for node in &graph.nodes[2..] {
            let variable = manager.variable(renamed(node.variable))?;
            let [low, high] = [node.low, node.high].map(|operand| &copies[operand as usize]);
            copies.push(variable.ite(high, low)?);
        }
        Ok(copies.swap_remove(graph.root as usize))
    }

    /// The topmost variable and the cofactors where it is false and where it is true. Constants
    /// have none.
    pub fn decision(&self) -> Option<(Variable, [Bdd; 2])> {
        let variable = self.topmost_variable(&[])?;
        Some((variable, self.cofactors(variable)))
    }

    /// Runs an operation of the package on a stack with enough space for its recursion.
    fn operate(
        &self,
        others: &[&Bdd],
        operation: impl Fn() -> AllocResult<PackageFunction> + Send + Sync,
    ) -> Result<Bdd, OutOfNodes> {
        let levels = self.levels_below(others);
        let function = with_stack(levels, || self.shared.attempt(operation))?;
        Ok(self.sibling(function))
    }

    /// An upper bound on the number of levels from the topmost operand down.
    fn levels_below(&self, others: &[&Bdd]) -> usize {
        let levels = self.shared.capacity.variables;
        if levels <= LEVELS_HERE {
            return levels;
        }
        let top = others.iter().map(|other| other.level()).fold(self.level(), usize::min);
        levels.saturating_sub(top)
    }

    /// The topmost variable of this function and the others, if they are not all constant.
    pub(crate) fn topmost_variable(&self, others: &[Bdd]) -> Option<Variable> {
        let level = others.iter().map(Bdd::level).fold(self.level(), usize::min);
        self.function.with_manager_shared(|manager, _| {
            let level = u32::try_from(level).ok().filter(|&level| level < manager.num_levels())?;
            Some(Variable(manager.level_to_var(level)))
        })
    }

    /// The cofactors where a variable is false and where it is true. The variable must be the
    /// topmost one or above it.
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
