//! The minimal deterministic weak automaton of an *obligation*, a Boolean combination of safety and
//! guarantee.
//!
//! Obligations are the languages of deterministic weak automata. The powerset of any automaton of
//! such a language becomes one if its components are declared accepting or rejecting: each is so as
//! a whole, and a single loop decides which \[DEK07\]. Such automata are minimised like automata on
//! finite words, after components without a loop have been given the colour of their successors
//! \[Loe01\]. Determinism may save states or cost some, so the result is a candidate only.
//!
//! If the language is not an obligation, the deterministic automaton has another language. An
//! automaton of the negation detects that: the automaton must not accept a word that the candidate
//! rejects, and the negation must not accept a word that the candidate accepts.

use std::hash::Hash;

use indexmap::IndexSet;
use kermode_bdd::{CannotStart, OutOfNodes};
use rustc_hash::FxBuildHasher;

use super::letter_classes::LetterClasses;
use super::powerset::Powerset;
use crate::tgba::combine::intersection;
use crate::tgba::graph::{Marks, State, Tgba};
use crate::tgba::trim::trim;

/// A candidate: a deterministic weak automaton with the language of another one, if that is an
/// obligation.
pub(crate) struct ObligationCandidate {
    /// The automaton, which is complete.
    pub(crate) automaton: Tgba,
}

impl ObligationCandidate {
    /// The candidate for an automaton, unless its powerset is large.
    pub(crate) fn of<E: From<OutOfNodes>>(
        automaton: &Tgba,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Self>, E> {
        let letters = LetterClasses::of(automaton, interrupt)?;
        let Some(powerset) = Powerset::of(automaton, &letters, interrupt)? else {
            return Ok(None);
        };
        let accepting = accepting(&powerset, interrupt)?;
        let (blocks, representatives) = minimised(&powerset, &accepting, interrupt)?;
        let classes = letters.classes().unwrap_or_default();
        let mut weak = automaton.sibling(1);
        for _ in &representatives {
            weak.add_state();
        }
        weak.add_initial(State::from_index(blocks[0]));
        for (block, &set) in representatives.iter().enumerate() {
            let marks: Marks = accepting[set].then_some(0).into_iter().collect();
            for (class, &target) in powerset.steps(set).iter().enumerate() {
                let [source, target] = [block, blocks[target]].map(State::from_index);
                weak.add_transition(source, target, classes[class].clone(), marks.clone());
            }
        }
        weak.merge_transitions()?;
        Ok(Some(ObligationCandidate { automaton: weak }))
    }

    /// The candidate with acceptance flipped.
    pub(super) fn complement(&self) -> Tgba {
        let accepts =
            |state: State| self.automaton.successors(state).iter().any(|t| !t.marks.is_empty());
        let accepting: Vec<bool> = self.automaton.states().map(accepts).collect();
        let mut flipped = self.automaton.clone();
        flipped.replace_marks(1, |source, _| {
            (!accepting[source.index()]).then_some(0).into_iter().collect()
        });
        flipped
    }

    /// Whether the candidate has the language of an automaton, given an automaton of its
    /// complement.
    pub(crate) fn is_right<E: From<OutOfNodes> + From<CannotStart>>(
        &self,
        automaton: &Tgba,
        complement: &Tgba,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        Ok(are_disjoint(automaton, &self.complement(), interrupt)?
            && are_disjoint(&self.automaton, complement, interrupt)?)
    }
}

fn are_disjoint<E: From<OutOfNodes> + From<CannotStart>>(
    a: &Tgba,
    b: &Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    Ok(trim(&intersection(a, b, interrupt)?).initial().is_empty())
}

/// The accepting sets: those of accepting components, and before those, as the later components
/// determine.
///
/// Components have colours: the last ones the highest, and none a higher one than its successors;
/// even colours accept. A component without a loop has the lowest colour of its successors, any
/// other the highest of its own parity that is possible.
fn accepting<E>(
    powerset: &Powerset,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<bool>, E> {
    let component = powerset.components(interrupt)?;
    let count = component.iter().max().map_or(0, |last| last + 1);
    let mut members = vec![Vec::new(); count];
    component.iter().enumerate().for_each(|(set, &part)| members[part].push(set));
    let mut colours = vec![2 * count + 2; count];
    for part in 0..count {
        interrupt()?;
        let behind = members[part].iter().flat_map(|&set| powerset.steps(set));
        let behind = behind.map(|&target| component[target]).filter(|&target| target != part);
        let lowest = behind.map(|target| colours[target]).min().unwrap_or(colours[part]);
        let first = members[part][0];
        colours[part] = match powerset.loop_of(first, &component) {
            None => lowest,
            Some(letters) if powerset.accepts(first, &letters) => lowest & !1,
            Some(_) => (lowest - 1) | 1,
        };
    }
    Ok(component.into_iter().map(|part| colours[part] % 2 == 0).collect())
}

/// Sets that no word distinguishes are in one block: the block of each set, and one set per block.
fn minimised<E>(
    powerset: &Powerset,
    accepting: &[bool],
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<(Vec<usize>, Vec<usize>), E> {
    let mut blocks: Vec<usize> = accepting.iter().map(|&accepts| usize::from(accepts)).collect();
    let mut count = 0;
    loop {
        interrupt()?;
        let signature = |set: usize| {
            let behind = powerset.steps(set).iter().map(|&target| blocks[target]);
            std::iter::once(blocks[set]).chain(behind).collect::<Vec<usize>>()
        };
        let (finer, representatives) = numbered((0..powerset.len()).map(signature));
        if representatives.len() == count {
            return Ok((finer, representatives));
        }
        (blocks, count) = (finer, representatives.len());
    }
}

/// Equal values get equal numbers, in the order of first occurrence; also the index of each first
/// occurrence.
fn numbered<T: Hash + Eq>(things: impl Iterator<Item = T>) -> (Vec<usize>, Vec<usize>) {
    let mut known: IndexSet<T, FxBuildHasher> = IndexSet::default();
    let (mut numbers, mut first) = (Vec::new(), Vec::new());
    for (place, thing) in things.enumerate() {
        let (number, is_new) = known.insert_full(thing);
        numbers.push(number);
        if is_new {
            first.push(place);
        }
    }
    (numbers, first)
}
