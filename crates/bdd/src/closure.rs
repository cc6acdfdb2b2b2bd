//! Upward and downward closure: the assignments reached from the models of a function by setting
//! variables to true, or to false.
//!
//! The upward closure of `x ? h : l` is `x ? up(h) | up(l) : up(l)`: a model with `x` true may stem
//! from one with `x` false. One bottom-up pass over a copy of the diagram computes it for all
//! variables at once. The downward closure exchanges both values.

use crate::function::Bdd;
use crate::graph::DiagramGraph;
use crate::manager::OutOfNodes;
use crate::variable::VariableSet;

impl Bdd {
    /// The least function above this one that stays true when some of the variables become true.
    pub fn upward_closure<E: From<OutOfNodes>>(
        &self,
        variables: &VariableSet,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Bdd, E> {
        self.closure(variables, |[low, high]| Ok([low.clone(), high.or(low)?]), interrupt)
    }

    /// The least function above this one that stays true when some of the variables become false.
    pub fn downward_closure<E: From<OutOfNodes>>(
        &self,
        variables: &VariableSet,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Bdd, E> {
        self.closure(variables, |[low, high]| Ok([low.or(high)?, high.clone()]), interrupt)
    }

    /// Rebuilds the diagram and applies the closure at the given variables.
    fn closure<E: From<OutOfNodes>>(
        &self,
        variables: &VariableSet,
        join: impl Fn([&Bdd; 2]) -> Result<[Bdd; 2], OutOfNodes>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Bdd, E> {
        let (graph, manager) = (DiagramGraph::of(self), self.manager());
        let mut closed = vec![manager.bottom(), manager.top()];
        for node in &graph.nodes[2..] {
            interrupt()?;
            let operands = [node.low, node.high].map(|operand| &closed[operand as usize]);
            let [low, high] = match variables.contains(node.variable) {
                true => join(operands)?,
                false => operands.map(Bdd::clone),
            };
            closed.push(manager.variable(node.variable)?.ite(&high, &low)?);
        }
        Ok(closed.swap_remove(graph.root as usize))
    }
}
