//! `log`: the explicit automaton of a property written into the model in logarithmic encoding
//! \[STV05\].
//!
//! A state is a number, and the bits of the number are variables of the model. The transitions are
//! one constraint, a disjunction: each has the code of its source, its label, and the code of its
//! target in the next state. Numbers that are no states have no transition, so no invariant is
//! needed. A mark is a justice constraint: on states if the transitions of each state agree, on
//! pairs of states if the transitions between each pair agree, otherwise on labels, too.

use kermode_system::{Expression, Model, Variable};

use super::automaton::{PropertyAutomaton, PropertyEdge};

/// The variables of a property in a model.
pub(super) struct LogEncoding {
    bits: Vec<Variable>,
}

impl LogEncoding {
    /// Restricts the paths of a model to those that a property accepts; without `with_marks`, to
    /// those on which it has a run.
    pub(super) fn add(
        model: &mut Model,
        property: &PropertyAutomaton,
        with_marks: bool,
    ) -> LogEncoding {
        let last = property.state_count.saturating_sub(1);
        let width = usize::BITS - last.leading_zeros();
        let bits = (0..width).map(|bit| model.auxiliary(&format!("property.{bit}"))).collect();
        let encoding = LogEncoding { bits };
        let initial = encoding.any(model, property.initial.iter().copied());
        model.system.add_initial(&model.graph, initial);
        let steps: Vec<Expression> =
            property.edges.iter().map(|edge| encoding.step(model, edge)).collect();
        let steps = model.graph.any(steps);
        model.system.add_transition(&model.graph, steps);
        for mark in (0..property.mark_count).filter(|_| with_marks) {
            let justice = encoding.justice(model, property, mark);
            model.system.add_justice(justice);
        }
        encoding
    }

    /// The condition that the state is one of some.
    pub(super) fn any(
        &self,
        model: &mut Model,
        states: impl IntoIterator<Item = usize>,
    ) -> Expression {
        let codes: Vec<Expression> =
            states.into_iter().map(|state| self.code(model, state, false)).collect();
        model.graph.any(codes)
    }

    /// The condition that the state, or the next one, is this one.
    fn code(&self, model: &mut Model, state: usize, next: bool) -> Expression {
        let graph = &mut model.graph;
        let mut code = graph.constant(true);
        for (place, &bit) in self.bits.iter().enumerate() {
            let value = if next { graph.next(bit) } else { graph.current(bit) };
            let literal = if state >> place & 1 == 1 { value } else { graph.not(value) };
            code = graph.and(code, literal);
        }
        code
    }

    fn pair(&self, model: &mut Model, source: usize, target: usize) -> Expression {
        let (now, next) = (self.code(model, source, false), self.code(model, target, true));
        model.graph.and(now, next)
    }

    fn step(&self, model: &mut Model, edge: &PropertyEdge) -> Expression {
        let pair = self.pair(model, edge.source, edge.target);
        model.graph.and(pair, edge.label)
    }

    /// The steps with a mark.
    fn justice(&self, model: &mut Model, property: &PropertyAutomaton, mark: usize) -> Expression {
        // Marks of other transitions are no obstacle: a run takes them finitely often.
        let stays = |edge: &&PropertyEdge| {
            property.is_accepting[edge.source]
                && property.component[edge.source] == property.component[edge.target]
        };
        let inner: Vec<&PropertyEdge> = property.edges.iter().filter(stays).collect();
        let agree = |same: &dyn Fn(&PropertyEdge, &PropertyEdge) -> bool| {
            let differs = |one: &PropertyEdge, other: &PropertyEdge| {
                same(one, other) && one.marks.contains(mark) != other.marks.contains(mark)
            };
            !inner.iter().any(|one| inner.iter().any(|other| differs(one, other)))
        };
        let by_state = agree(&|one, other| one.source == other.source);
        let by_pair = agree(&|one, other| one.source == other.source && one.target == other.target);
        let marked = inner.iter().filter(|edge| edge.marks.contains(mark));
        let steps: Vec<Expression> = marked
            .map(|edge| match (by_state, by_pair) {
                (true, _) => self.code(model, edge.source, false),
                (false, true) => self.pair(model, edge.source, edge.target),
                (false, false) => self.step(model, edge),
            })
            .collect();
        model.graph.any(steps)
    }
}
