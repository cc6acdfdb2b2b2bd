//! Intersection and union.
//!
//! A state of the intersection is a pair of states, and a step is a letter that both read. The
//! marks of the second automaton are numbered after those of the first, so that both must accept.
//! Only reachable pairs are built. The union has the states of both automata side by side, with the
//! initial states of both. The automaton with fewer marks gets the missing ones on all transitions.

use indexmap::IndexSet;
use kermode_bdd::{CannotStart, OutOfNodes};
use rustc_hash::FxBuildHasher;

use super::graph::{Marks, State, Tgba};
use super::letters::in_common;

/// The intersection of two languages.
pub fn intersection<E>(
    a: &Tgba,
    b: &Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<OutOfNodes> + From<CannotStart>,
{
    let (a, b) = in_common::<E>(a, b)?;
    let automaton = a.sibling(a.mark_count() + b.mark_count());
    let mut product = PairBuilder { a: &a, b: &b, automaton, pairs: IndexSet::default() };
    for &first in a.initial() {
        for &second in b.initial() {
            let state = product.place((first, second));
            product.automaton.add_initial(state);
        }
    }
    let mut next = 0;
    while let Some(&pair) = product.pairs.get_index(next) {
        interrupt()?;
        product.step(State::from_index(next), pair)?;
        next += 1;
    }
    Ok(product.automaton)
}

struct PairBuilder<'a> {
    a: &'a Tgba,
    b: &'a Tgba,
    automaton: Tgba,
    /// The pairs of states, in the order of the states that they are.
    pairs: IndexSet<(State, State), FxBuildHasher>,
}

impl PairBuilder<'_> {
    /// The state of a pair, with both names if it has them.
    fn place(&mut self, pair: (State, State)) -> State {
        let (index, is_new) = self.pairs.insert_full(pair);
        if is_new {
            let state = self.automaton.add_state();
            if let Some((first, second)) = self.a.name(pair.0).zip(self.b.name(pair.1)) {
                self.automaton.set_name(state, format!("{first}, {second}"));
            }
        }
        State::from_index(index)
    }

    /// The transitions of a pair.
    fn step(&mut self, source: State, (first, second): (State, State)) -> Result<(), OutOfNodes> {
        for s in self.a.successors(first) {
            for t in self.b.successors(second) {
                let label = s.label.and(&t.label)?;
                if label.is_bottom() {
                    continue;
                }
                let mut marks = s.marks.clone();
                marks.extend(t.marks.iter().map(|mark| mark + self.a.mark_count()));
                let target = self.place((s.target, t.target));
                self.automaton.add_transition(source, target, label, marks);
            }
        }
        Ok(())
    }
}

/// The union of two languages.
pub fn union<E>(a: &Tgba, b: &Tgba) -> Result<Tgba, E>
where
    E: From<OutOfNodes> + From<CannotStart>,
{
    let (a, b) = in_common::<E>(a, b)?;
    let mark_count = a.mark_count().max(b.mark_count());
    let mut both = a.sibling(mark_count);
    for part in [&a, &b] {
        let first = both.state_count();
        both.include(part, |label| Ok::<_, E>(label.clone()))?;
        let lacking: Marks = (part.mark_count()..mark_count).collect();
        if !lacking.is_empty() {
            (first..both.state_count()).for_each(|s| both.mark_all(State::from_index(s), &lacking));
        }
    }
    Ok(both)
}
