//! The synchronous product of two systems over one graph: its runs are the runs of both.
//!
//! The caller says which variables are shared, as pairs; [`by_name`] pairs those of the same name.
//! A variable without a pair belongs to its system only, whatever its name. The product has all
//! constraints of both. So a fair run of the product, restricted to the variables of one system, is
//! a fair run of it, and runs that agree on shared variables form one of the product.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Expression, Graph, Variable};
use crate::system::System;

/// A variable of the second system, and the equal variable of the first.
pub type Shared = (Variable, Variable);

/// The product. The variables of the first system come first.
pub fn product(graph: &mut Graph, first: &System, second: &System, shared: &[Shared]) -> System {
    let shared: FxHashMap<Variable, Variable> = shared.iter().copied().collect();
    let renamed = rename(graph, second, |variable| *shared.get(&variable).unwrap_or(&variable));
    let mut product = first.clone();
    let mut declared: FxHashSet<Variable> = first.variables().iter().copied().collect();
    for &variable in renamed.variables().iter().filter(|&&variable| declared.insert(variable)) {
        product.add_variable(variable);
    }
    product.extend(renamed);
    product
}

/// The pairs of variables of the same name: each variable of the second system with the first match
/// in the first system.
pub fn by_name(graph: &Graph, first: &System, second: &System) -> Vec<Shared> {
    let mut names: FxHashMap<&str, Variable> = FxHashMap::default();
    for &variable in first.variables() {
        names.entry(graph.name(variable)).or_insert(variable);
    }
    let pair = |&variable: &Variable| Some((variable, *names.get(graph.name(variable))?));
    second.variables().iter().filter_map(pair).collect()
}

/// The system with variables replaced.
fn rename(graph: &mut Graph, system: &System, name: impl Fn(Variable) -> Variable) -> System {
    let mut renamed = System::new();
    system.variables().iter().for_each(|&variable| renamed.add_variable(name(variable)));
    let mut all = |expressions: &[Expression]| graph.rename(expressions, &name);
    let (initial, transition) = (all(system.initial()), all(system.transition()));
    let (invariants, justice) = (all(system.invariants()), all(system.justice()));
    let defined: Vec<Expression> = system.definitions().iter().map(|d| d.expression).collect();
    let defined = all(&defined);
    initial.into_iter().for_each(|constraint| renamed.add_initial(graph, constraint));
    transition.into_iter().for_each(|constraint| renamed.add_transition(graph, constraint));
    invariants.into_iter().for_each(|constraint| renamed.add_invariant(graph, constraint));
    justice.into_iter().for_each(|constraint| renamed.add_justice(constraint));
    for (definition, expression) in system.definitions().iter().zip(defined) {
        renamed.add_definition(definition.name.clone(), expression);
    }
    renamed
}
