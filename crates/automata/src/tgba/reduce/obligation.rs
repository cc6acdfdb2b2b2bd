//! The least deterministic weak automaton of an *obligation*, a Boolean combination of safety and
//! guarantee.
//!
//! Obligations are the languages of deterministic weak automata, and the powerset of any automaton
//! of such a language becomes one if its components are said to accept or to reject: as each does
//! as a whole, a single loop tells which \[DEK07\]. Such automata are minimised like automata on
//! finite words, after components without a loop have been put on the side of what comes behind
//! them \[Loe01\]. Nondeterminism may save states or cost some, so the result is an offer.
//!
//! If the language is no obligation, the deterministic automaton has another one. That is found out
//! with an automaton of the negation: neither may the automaton accept what the offer rejects, nor
//! may the negation accept what the offer accepts.

use std::hash::Hash;

use indexmap::IndexSet;
use kermode_bdd::{CannotStart, OutOfNodes};
use rustc_hash::FxBuildHasher;

use super::letter_classes::LetterClasses;
use super::powerset::Powerset;
use crate::tgba::combine::intersection;
use crate::tgba::graph::{Marks, State, Tgba};
use crate::tgba::trim::trim;

/// A deterministic weak automaton that accepts what another one does, if that is an obligation.
pub(crate) struct Offer {
    /// The automaton, which is complete.
    pub(crate) automaton: Tgba,
    /// It with its verdicts exchanged.
    pub(super) complement: Tgba,
}

impl Offer {
    /// The offer for an automaton, unless its powerset is large.
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
        let weak = |verdict: bool| -> Result<Tgba, OutOfNodes> {
            let mut weak = automaton.sibling(1);
            for _ in &representatives {
                weak.add_state();
            }
            weak.add_initial(State::from_index(blocks[0]));
            for (block, &set) in representatives.iter().enumerate() {
                let marks: Marks = (accepting[set] == verdict).then_some(0).into_iter().collect();
                for (class, &target) in powerset.steps(set).iter().enumerate() {
                    let [source, target] = [block, blocks[target]].map(State::from_index);
                    weak.add_transition(source, target, classes[class].clone(), marks.clone());
                }
            }
            weak.merge_transitions()?;
            Ok(weak)
        };
        Ok(Some(Offer { automaton: weak(true)?, complement: weak(false)? }))
    }

    /// Whether the offer has the language of an automaton, of which the other one is the
    /// complement.
    pub(crate) fn is_right<E: From<OutOfNodes> + From<CannotStart>>(
        &self,
        automaton: &Tgba,
        complement: &Tgba,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        Ok(are_disjoint(automaton, &self.complement, interrupt)?
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

/// Which sets accept: those of a component that does, and before those, as the components behind
/// do.
///
/// Components get colours, the last ones the highest, none a higher one than what it leads to; even
/// ones accept. One without a loop has the lowest colour behind it, all others the highest of their
/// own kind that is left to them.
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

/// Sets that no word tells apart are in one block: the block of each set, and a set of each block.
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

/// Equal things get equal numbers, in the order in which they come; also where each number came
/// first.
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
