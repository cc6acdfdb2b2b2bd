//! The complement of a nondeterministic Büchi automaton by *slices* \[KW08\], state by state.
//!
//! The runs of a word form a tree of sets of states. The successors of a set split: to the left
//! those that a marked transition reaches, to the right the others. A state that is in several sets
//! of one level stays in the leftmost only. A level is a *slice*, an ordered list of disjoint sets.
//! The word is accepted exactly if some infinite branch turns left infinitely often, and there are
//! at most as many infinite branches as states. So the word is rejected exactly if from some level
//! on no infinite branch turns left.
//!
//! The complement follows slices deterministically and guesses that level. From then on the right
//! children of *lasting* sets are lasting, and everything left of them is *doomed*: it must die
//! out. As in the breakpoint construction, states that become doomed wait until those before them
//! have died; then the step is marked. All sets are lasting at the guessed level: of those that are
//! not on infinite branches, both the right and the left descendants die anyway.
//!
//! Departures from the paper: marks are on transitions; nothing is guessed but the level, so the
//! second phase is deterministic; neighbouring doomed sets are joined, since the order inside of
//! them does not matter for the sets behind.

use std::fmt;

use indexmap::IndexSet;
use kermode_base::BitSet;
use kermode_bdd::{Bdd, OutOfNodes};
use rustc_hash::FxBuildHasher;

use super::degeneralise::{Buchi, degeneralise};
use super::graph::{Marks, State, Tgba};
use super::reduce::LetterClasses;
use crate::complement::ComplementTooLarge;

/// The largest number of slices of a complement that is written out.
const MOST_SLICES: usize = 1 << 18;

/// The largest number of transitions, one per class of letters, before they are merged.
const MOST_TRANSITIONS: usize = 1 << 22;

/// A set of a slice, with what is doomed to its left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Part {
    doomed: BitSet,
    waiting: BitSet,
    lasting: BitSet,
}

/// A state of the complement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    /// Whether the level was guessed from which on no infinite branch turns left.
    guessed: bool,
    parts: Vec<Part>,
}

/// The sets from left to right; doomed ones in parentheses, a bar after a guess.
impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let numbers =
            |set: &BitSet| set.iter().map(|state| state.to_string()).collect::<Vec<_>>().join(" ");
        f.write_str(if self.guessed { "|" } else { "" })?;
        for Part { doomed, waiting, lasting } in &self.parts {
            for doomed in [doomed, waiting].into_iter().filter(|set| !set.is_empty()) {
                write!(f, "({})", numbers(doomed))?;
            }
            write!(f, "{{{}}}", numbers(lasting))?;
        }
        Ok(())
    }
}

/// The successors of a state on a class of letters, and those that marked transitions reach.
#[derive(Clone, Debug, Default)]
struct Successors {
    all: BitSet,
    marked: BitSet,
}

/// A complement whose states are built on demand.
pub struct SliceComplement {
    automaton: Tgba,
    classes: Vec<Bdd>,
    /// By state and class, row by row.
    successors: Vec<Successors>,
}

impl SliceComplement {
    /// The complement of an automaton, unless its labels distinguish too many letters.
    pub fn of<E: From<OutOfNodes>>(
        automaton: &Tgba,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Self>, E> {
        let automaton = degeneralise(automaton, Buchi::OnTransitions, interrupt)?;
        let letters = LetterClasses::of(&automaton, interrupt)?;
        let Some(classes) = letters.classes().map(<[Bdd]>::to_vec) else { return Ok(None) };
        let mut successors = vec![Successors::default(); automaton.state_count() * classes.len()];
        for (source, transition) in automaton.transitions() {
            interrupt()?;
            for class in letters.of_label(&transition.label).needed.iter() {
                let row = &mut successors[source.index() * classes.len() + class];
                row.all.insert(transition.target.index());
                if !transition.marks.is_empty() {
                    row.marked.insert(transition.target.index());
                }
            }
        }
        Ok(Some(SliceComplement { automaton, classes, successors }))
    }

    /// The initial states.
    pub(super) fn initial_slices(&self) -> Vec<Slice> {
        let states = self.automaton.initial().iter().map(|state| state.index()).collect();
        let parts = vec![Part { lasting: states, ..Part::default() }];
        both_phases(Slice { guessed: false, parts: normal(parts) })
    }

    /// The letters of each class.
    pub(super) fn classes(&self) -> &[Bdd] {
        &self.classes
    }

    /// The automaton that is complemented, with one mark.
    pub(super) fn automaton(&self) -> &Tgba {
        &self.automaton
    }

    /// The successors of a state on a class of letters, each with whether the step is marked.
    pub(super) fn steps_on_class(&self, slice: &Slice, class: usize) -> Vec<(Slice, bool)> {
        if slice.guessed {
            return vec![self.after_guess(slice, class)];
        }
        let (mut parts, mut seen) = (Vec::new(), BitSet::new());
        for part in &slice.parts {
            for lasting in self.children(&part.lasting, class, &mut seen) {
                parts.push(Part { lasting, ..Part::default() });
            }
        }
        let next = Slice { guessed: false, parts: normal(parts) };
        both_phases(next).into_iter().map(|slice| (slice, false)).collect()
    }

    /// The step of a state behind the guess.
    fn after_guess(&self, slice: &Slice, class: usize) -> (Slice, bool) {
        let mut seen = BitSet::new();
        let mut parts: Vec<Part> = Vec::with_capacity(slice.parts.len());
        for part in &slice.parts {
            let doomed = self.fresh(&part.doomed, class, &mut seen);
            let mut waiting = self.fresh(&part.waiting, class, &mut seen);
            let [left, lasting] = self.children(&part.lasting, class, &mut seen);
            waiting.union_with(&left);
            parts.push(Part { doomed, waiting, lasting });
        }
        let breakpoint = parts.iter().all(|part| part.doomed.is_empty());
        if breakpoint {
            parts.iter_mut().for_each(|part| std::mem::swap(&mut part.doomed, &mut part.waiting));
        }
        (Slice { guessed: true, parts: normal(parts) }, breakpoint)
    }

    /// The left and the right child of a set.
    fn children(&self, set: &BitSet, class: usize, seen: &mut BitSet) -> [BitSet; 2] {
        let mut left = self.union(set, class, |successors| &successors.marked);
        left.subtract(seen);
        seen.union_with(&left);
        [left, self.fresh(set, class, seen)]
    }

    /// The successors of a set that are not further left.
    fn fresh(&self, set: &BitSet, class: usize, seen: &mut BitSet) -> BitSet {
        let mut fresh = self.union(set, class, |successors| &successors.all);
        fresh.subtract(seen);
        seen.union_with(&fresh);
        fresh
    }

    fn union(&self, set: &BitSet, class: usize, which: impl Fn(&Successors) -> &BitSet) -> BitSet {
        let mut union = BitSet::new();
        let row = |state: usize| &self.successors[state * self.classes.len() + class];
        set.iter().for_each(|state| union.union_with(which(row(state))));
        union
    }

    /// The whole complement, which has one mark. Its states are reachable.
    pub fn written_out<E: From<OutOfNodes> + From<ComplementTooLarge>>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Tgba, E> {
        self.written_within(MOST_SLICES, MOST_TRANSITIONS, interrupt)
    }

    fn written_within<E: From<OutOfNodes> + From<ComplementTooLarge>>(
        &self,
        most_slices: usize,
        most_transitions: usize,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Tgba, E> {
        let mut complement = self.automaton.sibling(1);
        let mut slices: IndexSet<Slice, FxBuildHasher> = IndexSet::default();
        for slice in self.initial_slices() {
            slices.insert(slice);
            let state = complement.add_state();
            complement.add_initial(state);
        }
        let (mut next, mut transitions) = (0, 0);
        while let Some(slice) = slices.get_index(next).cloned() {
            for (class, label) in self.classes.iter().enumerate() {
                interrupt()?;
                for (target, marked) in self.steps_on_class(&slice, class) {
                    let (target, is_new) = slices.insert_full(target);
                    if is_new {
                        complement.add_state();
                    }
                    let marks: Marks = marked.then_some(0).into_iter().collect();
                    let [source, target] = [next, target].map(State::from_index);
                    complement.add_transition(source, target, label.clone(), marks);
                    transitions += 1;
                }
                if slices.len() > most_slices || transitions > most_transitions {
                    return Err(ComplementTooLarge::Slices.into());
                }
            }
            next += 1;
        }
        complement.merge_transitions()?;
        Ok(complement)
    }
}

/// A state before the guess, and the one that guesses now. Without runs there is nothing to guess.
fn both_phases(slice: Slice) -> Vec<Slice> {
    let guessed = Slice { guessed: true, parts: slice.parts.clone() };
    match slice.parts.is_empty() {
        true => vec![guessed],
        false => vec![slice, guessed],
    }
}

/// The parts without empty sets: doomed states move to the next part with a lasting set.
fn normal(parts: Vec<Part>) -> Vec<Part> {
    let mut normal: Vec<Part> = Vec::with_capacity(parts.len());
    let mut gap = Part::default();
    for part in parts {
        gap.doomed.union_with(&part.doomed);
        gap.waiting.union_with(&part.waiting);
        if !part.lasting.is_empty() {
            gap.lasting = part.lasting;
            normal.push(std::mem::take(&mut gap));
        }
    }
    if gap != Part::default() {
        normal.push(gap);
    }
    normal
}

#[cfg(test)]
mod tests {
    use kermode_base::Rng;
    use kermode_bdd::{Capacity, Manager};
    use kermode_ltl::Store;

    use super::*;
    use crate::tgba::{RandomTgba, Uncomplemented};

    /// States and transitions have a limit each.
    #[test]
    fn large_complements_are_refused() {
        let propositions = vec![Store::new().proposition("a")];
        let manager = Manager::new(Capacity::small(1)).expect("a manager");
        let shape = RandomTgba { states: 4, marks: 1, propositions, transitions: 3 };
        let automaton = shape.draw(&manager, &mut Rng::new(7)).expect("room for labels");
        let go_on = &mut || Ok::<(), Uncomplemented>(());
        let slices = SliceComplement::of(&automaton, go_on).expect("room").expect("few letters");
        let whole = slices.written_out(go_on).expect("it is small");
        let (most_slices, merged) = (whole.state_count(), whole.transitions().count());
        assert!(merged > 4);
        let refused = Err(Uncomplemented::TooLarge(ComplementTooLarge::Slices));
        let mut size = |slices_limit: usize, transitions: usize| {
            let written = slices.written_within(slices_limit, transitions, go_on);
            written.map(|complement| complement.state_count())
        };
        assert_eq!(size(most_slices, usize::MAX), Ok(most_slices));
        assert_eq!(size(most_slices - 1, usize::MAX), refused);
        assert_eq!(size(usize::MAX, merged - 1), refused);
        assert_eq!(size(usize::MAX, 4 * merged), Ok(most_slices));
    }
}
