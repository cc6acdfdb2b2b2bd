//! Loops at dead ends: states without successor get a step to themselves.
//!
//! A *flag* is a variable that is true exactly in the dead ends. There nothing changes, and inputs
//! are free within their domains. So the new relation is total on the states of the old one, each
//! path of the old model to a dead end has one infinite continuation, and the flag tells it from
//! the others.
//!
//! Definitions `next(x) <-> e` stay definitions, `next(x) <-> (flag ? x : e)`, for searches that
//! compute next values.

use rustc_hash::FxHashSet;

use crate::graph::{Expression, Graph, Term, Variable};
use crate::model::{Model, SymbolKind};

impl Model {
    /// Adds a step from each dead end to itself. `dead` holds in the states without successor, and
    /// the flag, which no constraint mentions, is true there and nowhere else.
    pub fn loop_dead_ends(&mut self, flag: Variable, dead: Expression) {
        let inputs = self.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Input);
        let inputs: FxHashSet<Variable> = inputs.flat_map(|symbol| &symbol.bits).copied().collect();
        let Model { graph, system, .. } = self;
        let is_dead = graph.current(flag);
        let (mut steps, mut defined) = (Vec::new(), FxHashSet::default());
        for &step in system.transition() {
            steps.push(match definition(graph, step) {
                Some((variable, value)) if defined.insert(variable) => {
                    let (now, next) = (graph.current(variable), graph.next(variable));
                    let value = graph.if_then_else(is_dead, now, value);
                    graph.iff(next, value)
                }
                _ => graph.or(is_dead, step),
            });
        }
        // The next value of the flag follows from the next state.
        let others = system.variables().iter().copied().filter(|variable| {
            *variable != flag && !inputs.contains(variable) && !defined.contains(variable)
        });
        for variable in others {
            let (now, next) = (graph.current(variable), graph.next(variable));
            let stays = graph.iff(next, now);
            steps.push(graph.implies(is_dead, stays));
        }
        system.replace_transition(steps);
        let meaning = graph.iff(is_dead, dead);
        system.add_invariant(graph, meaning);
    }
}

/// The variable whose next value a constraint defines, and that value.
fn definition(graph: &mut Graph, step: Expression) -> Option<(Variable, Expression)> {
    let Term::Iff(a, b) = graph.term(step) else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(side, value)| {
        let (side, is_negated) = match graph.term(side) {
            Term::Not(inner) => (inner, true),
            _ => (side, false),
        };
        let Term::Next(variable) = graph.term(side) else { return None };
        Some((variable, if is_negated { graph.not(value) } else { value }))
    })
}
