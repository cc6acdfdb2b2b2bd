//! Elimination of past operators, finite words and bounded operators, so that engines need not
//! support them. The result is satisfiable if and only if the original formula is, and its words
//! can be mapped back.
//!
//! [`eliminate_finite`] encodes finite words as infinite words that are `alive` for a while.
//! [`eliminate_past`] introduces a proposition for each past operator. Both keep all models: the
//! models of the original formula are exactly the models of the result, without the fresh
//! propositions and cut at the end of the finite word. [`to_future_infinite`] applies all steps in
//! the cheapest order.
//!
//! Invariant: the fresh propositions of a step have consecutive numbers, after all earlier ones of
//! the store. Each is recognised by one comparison, so mapping a witness back takes as long as
//! copying it.

mod counters;
mod finite;
mod past;

pub use finite::eliminate_finite;
pub use past::{Defined, Memory, define_past, eliminate_past};

use std::ops::Range;

use crate::normal::ExpansionTooLarge;
use crate::store::{Formula, Proposition, Store};
use crate::word::{Letter, Word, WordKind};

/// A formula that is satisfiable if and only if the original one is, and the map of its words back.
#[derive(Clone, Debug)]
pub struct Eliminated {
    /// The formula to decide.
    pub formula: Formula,
    /// Turns a word that satisfies [`Eliminated::formula`] into one that satisfies the original
    /// formula.
    pub restore: Restore,
}

/// Maps a witness back to the original formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restore {
    /// The numbers of the fresh propositions.
    fresh: Range<usize>,
    /// The proposition that holds as long as the finite word lasts, for finite words.
    alive: Option<Proposition>,
}

impl Restore {
    /// The word for the original formula: of its kind, and without the fresh propositions.
    ///
    /// The word is not checked here. A word that does not satisfy the eliminated formula gives some
    /// word, perhaps the empty one, and the replay on the original formula rejects it.
    pub fn word(&self, word: &Word) -> Word {
        let project = |letter: &Letter| letter.iter().filter(|&p| !self.adds(p)).collect();
        let loop_start = word.loop_start().filter(|_| self.alive.is_none());
        let letters = word.letters().iter().take_while(|letter| self.lasts(letter));
        Word::from_letters(letters.map(project).collect(), loop_start)
    }

    /// Whether a proposition is fresh.
    pub fn adds(&self, proposition: Proposition) -> bool {
        self.fresh.contains(&proposition.index())
    }

    fn lasts(&self, letter: &Letter) -> bool {
        self.alive.is_none_or(|alive| letter.contains(alive))
    }
}

/// A formula over infinite words, without past and bounded operators, that is satisfiable if and
/// only if `root` is satisfiable over words of the given kind. A formula that is already of this
/// form is returned unchanged.
///
/// Finite words are eliminated first, because that step keeps past and bounded operators. Bounded
/// operators are then replaced over infinite words, as in [`to_future`], and the memories of past
/// operators are constrained only while the word lasts.
pub fn to_future_infinite(
    store: &mut Store,
    root: Formula,
    words: WordKind,
    limit: u64,
) -> Result<Eliminated, ExpansionTooLarge> {
    let first = store.proposition_count();
    let (formula, alive) = match words {
        WordKind::Infinite => (root, None),
        WordKind::Finite => {
            let Eliminated { formula, restore } = eliminate_finite(store, root);
            (formula, restore.alive)
        }
    };
    let while_alive = alive.map(|alive| store.atom(alive));
    let formula =
        future(store, formula, WordKind::Infinite, while_alive, (counters::WRITTEN_OUT, limit))?;
    Ok(Eliminated { formula, restore: Restore { fresh: first..store.proposition_count(), alive } })
}

/// A formula over words of the same kind, without past and bounded operators, that is satisfiable
/// if and only if `root` is. Bounded operators become counters, or are written out if their bounds
/// are small or no counter fits. Writing out adds at most `limit` subformulas.
pub fn to_future(
    store: &mut Store,
    root: Formula,
    words: WordKind,
    limit: u64,
) -> Result<Eliminated, ExpansionTooLarge> {
    to_future_counting(store, root, words, counters::WRITTEN_OUT, limit)
}

/// A formula over words of the same kind without bounded operators, which are replaced as in
/// [`to_future`]. Past operators stay.
pub fn to_unbounded(
    store: &mut Store,
    root: Formula,
    words: WordKind,
    limit: u64,
) -> Result<Eliminated, ExpansionTooLarge> {
    let first = store.proposition_count();
    let formula = counters::count_windows(store, root, words, counters::WRITTEN_OUT, limit)?;
    let fresh = first..store.proposition_count();
    Ok(Eliminated { formula, restore: Restore { fresh, alive: None } })
}

/// Replaces bounded operators as [`to_future`] does, and past operators by memories. Adds no
/// constraints on the memories.
pub fn to_memories(
    store: &mut Store,
    root: Formula,
    words: WordKind,
    limit: u64,
) -> Result<Defined, ExpansionTooLarge> {
    let formula = counters::count_windows(store, root, words, counters::WRITTEN_OUT, limit)?;
    Ok(past::define_unbounded(store, formula))
}

/// The same, with counters for bounds above `near` only.
pub fn to_future_counting(
    store: &mut Store,
    root: Formula,
    words: WordKind,
    near: u32,
    limit: u64,
) -> Result<Eliminated, ExpansionTooLarge> {
    let first = store.proposition_count();
    let formula = future(store, root, words, None, (near, limit))?;
    let fresh = first..store.proposition_count();
    Ok(Eliminated { formula, restore: Restore { fresh, alive: None } })
}

/// Replaces bounded operators by counters or writes them out, and replaces past operators by
/// memories, which are constrained as long as `scope` holds.
fn future(
    store: &mut Store,
    root: Formula,
    words: WordKind,
    scope: Option<Formula>,
    (near, limit): (u32, u64),
) -> Result<Formula, ExpansionTooLarge> {
    let formula = counters::count_windows(store, root, words, near, limit)?;
    let defined = past::define_unbounded(store, formula);
    Ok(defined.constrained_within(store, words, scope))
}

/// Unused names, made from a stem and a number. Creating many names takes time linear in their
/// number and the number of existing names.
struct Fresh {
    stem: &'static str,
    next: u32,
}

impl Fresh {
    fn new(stem: &'static str) -> Self {
        Fresh { stem, next: 0 }
    }

    fn proposition(&mut self, store: &mut Store) -> Proposition {
        loop {
            let name = format!("{}{}", self.stem, self.next);
            self.next += 1;
            if store.find_proposition(&name).is_none() {
                return store.proposition(&name);
            }
        }
    }
}
