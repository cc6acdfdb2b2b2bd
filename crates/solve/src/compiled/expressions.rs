//! Expressions of decision diagrams, built from the leaves: one `if-then-else` per node, shared as
//! the nodes are.

use kermode_bdd::{Bdd, Variable};
use kermode_system::{Expression, Graph};
use rustc_hash::FxHashMap;

use crate::frame::budget::{Budget, Stop};

/// The expressions of the diagrams that were asked for, and of their parts.
#[derive(Default)]
pub(crate) struct DiagramExpressions {
    known: FxHashMap<Bdd, Expression>,
}

impl DiagramExpressions {
    /// The expression of a diagram. `atom` is the expression of a variable, the same at each call.
    pub(crate) fn expression(
        &mut self,
        graph: &mut Graph,
        root: &Bdd,
        atom: impl Fn(&mut Graph, Variable) -> Expression,
        budget: &Budget,
    ) -> Result<Expression, Stop> {
        let mut todo = vec![root.clone()];
        while let Some(function) = todo.last() {
            budget.check()?;
            if self.known.contains_key(function) {
                todo.pop();
                continue;
            }
            let Some((variable, [low, high])) = function.decision() else {
                self.known.insert(function.clone(), graph.constant(function.is_top()));
                continue;
            };
            match (self.known.get(&low).copied(), self.known.get(&high).copied()) {
                (Some(no), Some(yes)) => {
                    let condition = atom(graph, variable);
                    self.known.insert(function.clone(), graph.if_then_else(condition, yes, no));
                }
                (no, yes) => {
                    let missing = [(no, low), (yes, high)].into_iter();
                    let missing = missing.filter(|(known, _)| known.is_none());
                    todo.extend(missing.map(|(_, function)| function));
                }
            }
        }
        Ok(self.known[root])
    }
}
