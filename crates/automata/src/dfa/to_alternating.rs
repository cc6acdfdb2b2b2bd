//! A deterministic automaton as an alternating one: one location per state, whose transition has
//! one disjunct per product of letters. A label that would have many products becomes an expression
//! node by node.

use kermode_bdd::{Bdd, CannotStart, Cube, OutOfNodes};
use kermode_ltl::{Proposition, WordKind};

use super::edges::{Edges, Extent};
use super::graph::Dfa;
use crate::alternating::{AlternatingAutomaton, Location};
use crate::dot::small_cover;
use crate::expression::{Expression, Expressions};
use crate::tgba::Labels;

/// How many products a label may have.
const MOST_PRODUCTS: usize = 32;

impl Dfa {
    /// An alternating automaton with the same language and the same states, labelled by their
    /// numbers.
    pub fn to_alternating<E>(
        &self,
        extent: Extent,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<AlternatingAutomaton, E>
    where
        E: From<OutOfNodes> + From<CannotStart>,
    {
        let edges = Edges::of(self, extent, interrupt)?;
        let propositions = self.propositions();
        let mut alternating = AlternatingAutomaton::new(WordKind::Finite, propositions.to_vec());
        for (number, row) in edges.rows().iter().enumerate() {
            alternating.add_location(number.to_string(), row.accepting);
        }
        let mut labels = Labels::new(propositions);
        for (number, row) in edges.rows().iter().enumerate() {
            interrupt()?;
            let expressions = alternating.expressions_mut();
            let mut ways: Vec<Expression> = Vec::new();
            for (target, label) in &row.edges {
                let target = expressions.location(Location::from_index(*target));
                for letters in disjuncts(expressions, &mut labels, propositions, label) {
                    ways.push(expressions.and(letters, target));
                }
            }
            let transition = expressions.any(ways);
            alternating.set_transition(Location::from_index(number), transition);
        }
        let initial = alternating.expressions_mut().location(Location::from_index(0));
        alternating.set_initial(initial);
        Ok(alternating)
    }
}

/// The products of a label, or the whole label if there are many.
fn disjuncts(
    expressions: &mut Expressions,
    labels: &mut Labels,
    propositions: &[Proposition],
    label: &Bdd,
) -> Vec<Expression> {
    let Some(cover) = small_cover(label, MOST_PRODUCTS) else {
        return vec![labels.expression(expressions, label)];
    };
    let product = |cube: &Cube| {
        let literals: Vec<Expression> = cube
            .literals()
            .iter()
            .map(|l| expressions.literal(propositions[l.variable.index()], l.positive))
            .collect();
        expressions.all(literals)
    };
    cover.iter().map(product).collect()
}
