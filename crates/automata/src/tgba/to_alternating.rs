//! A generalised Büchi automaton as an alternating one, for engines that support no other: it is
//! degeneralised to accepting states, then each state becomes a location whose transition is a
//! disjunction. Labels become expressions node by node, so that they share what their diagrams
//! share.

use kermode_bdd::{Bdd, Variable};
use kermode_ltl::{Proposition, WordKind};
use rustc_hash::FxHashMap;

use super::degeneralise::{Buchi, degeneralise};
use super::graph::{State, Tgba};
use crate::alternating::{AlternatingAutomaton, Location};
use crate::expression::{Expression, Expressions};

/// An alternating Büchi automaton with the same language.
pub fn to_alternating<E>(
    automaton: &Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<AlternatingAutomaton, E> {
    let mut buchi = degeneralise(automaton, Buchi::OnStates, interrupt)?;
    // If the table of labels is full, parallel transitions stay disjuncts of their own.
    let _ = buchi.merge_transitions();
    let propositions = automaton.propositions().to_vec();
    let mut labels = Labels::new(&propositions);
    let mut alternating = AlternatingAutomaton::new(WordKind::Infinite, propositions.clone());
    for state in buchi.states() {
        let accepting = buchi.state_marks(state).is_some_and(|marks| !marks.is_empty());
        let number = state.index().to_string();
        alternating.add_location(buchi.name(state).unwrap_or(&number), accepting);
    }
    for state in buchi.states() {
        interrupt()?;
        let expressions = alternating.expressions_mut();
        let mut ways: Vec<Expression> = Vec::new();
        for transition in buchi.successors(state) {
            let label = labels.expression(expressions, &transition.label);
            let target = expressions.location(location(transition.target));
            ways.push(expressions.and(label, target));
        }
        let transition = expressions.any(ways);
        alternating.set_transition(location(state), transition);
    }
    let expressions = alternating.expressions_mut();
    let initial: Vec<Expression> =
        buchi.initial().iter().map(|&state| expressions.location(location(state))).collect();
    let initial = expressions.any(initial);
    alternating.set_initial(initial);
    Ok(alternating)
}

fn location(state: State) -> Location {
    Location::from_index(state.index())
}

/// Labels as expressions of one owner.
pub(crate) struct Labels<'a> {
    propositions: &'a [Proposition],
    known: FxHashMap<Bdd, Expression>,
}

impl<'a> Labels<'a> {
    pub(crate) fn new(propositions: &'a [Proposition]) -> Self {
        Labels { propositions, known: FxHashMap::default() }
    }

    /// The expression of a label: for each node, its variable and one child, or its negation and
    /// the other child.
    pub(crate) fn expression(&mut self, expressions: &mut Expressions, label: &Bdd) -> Expression {
        let mut todo = vec![label.clone()];
        while let Some(node) = todo.pop() {
            let expression = match node.decision() {
                None => expressions.constant(node.is_top()),
                Some((variable, [low, high])) => {
                    match (self.known.get(&low), self.known.get(&high)) {
                        (Some(&low), Some(&high)) => self.decide(expressions, variable, low, high),
                        _ => {
                            todo.extend([node, low, high]);
                            continue;
                        }
                    }
                }
            };
            self.known.insert(node, expression);
        }
        self.known[label]
    }

    fn decide(
        &self,
        expressions: &mut Expressions,
        variable: Variable,
        low: Expression,
        high: Expression,
    ) -> Expression {
        let proposition = self.propositions[variable.index()];
        let [no, yes] = [false, true].map(|value| expressions.literal(proposition, value));
        let (low, high) = (expressions.and(no, low), expressions.and(yes, high));
        expressions.or(low, high)
    }
}
