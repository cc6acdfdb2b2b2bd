//! What an engine need not know: past operators, finite words and bounded operators, each turned
//! into something simpler that is satisfiable on the same occasions, with the way back for the
//! witness.
//!
//! [`eliminate_finite`] reads finite words as infinite ones that are `alive` for a while, and
//! [`eliminate_past`] gives each past operator a proposition that remembers. Neither loses a model:
//! models of the result, with the fresh propositions taken away and cut where they end, are exactly
//! the models of what was given. [`to_future_infinite`] does everything in the order that costs
//! least.
//!
//! Invariant: the propositions that a step adds are numbered in a row, behind all that the store
//! had. Taking them away is one comparison each, so a witness comes back in the time it takes to
//! copy it.

mod counters;
mod finite;
mod past;

pub use finite::eliminate_finite;
pub use past::{Defined, Memory, define_past, eliminate_past};

use std::ops::Range;

use crate::normal::ExpansionTooLarge;
use crate::store::{Formula, Proposition, Store};
use crate::word::{Letter, Word, WordKind};

/// A formula that is satisfiable just when another is, and the way back to that one's words.
#[derive(Clone, Debug)]
pub struct Eliminated {
    /// What there is to decide now.
    pub formula: Formula,
    /// What turns a word that satisfies [`Eliminated::formula`] into one that satisfies the
    /// original.
    pub restore: Restore,
}

/// The way back for a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restore {
    /// The numbers of the propositions that were added.
    fresh: Range<usize>,
    /// What says how long the finite word lasts, if one is wanted.
    alive: Option<Proposition>,
}

impl Restore {
    /// The word as the original formula reads it: of its kind, and without the propositions that
    /// were added.
    ///
    /// Nothing is judged here. A word that does not satisfy the eliminated formula comes back as
    /// some word, perhaps an empty one, which the replay on the original formula rejects.
    pub fn word(&self, word: &Word) -> Word {
        let project = |letter: &Letter| letter.iter().filter(|&p| !self.adds(p)).collect();
        let loop_start = word.loop_start().filter(|_| self.alive.is_none());
        let letters = word.letters().iter().take_while(|letter| self.lasts(letter));
        Word::from_letters(letters.map(project).collect(), loop_start)
    }

    /// Whether a proposition is one of those that were added.
    pub fn adds(&self, proposition: Proposition) -> bool {
        self.fresh.contains(&proposition.index())
    }

    fn lasts(&self, letter: &Letter) -> bool {
        self.alive.is_none_or(|alive| letter.contains(alive))
    }
}

/// A formula over infinite words, without past and without bounded operators, that is satisfiable
/// just when `root` is over words of a kind. What has none of these comes back as it is.
///
/// Finite words go first, because past and bounded operators pass through that step unchanged:
/// bounded ones are then written out with plain nexts, adding at most `limit` subformulas, and the
/// past is remembered only while the word lasts.
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

/// A formula over words of the same kind, without past and without bounded operators, that is
/// satisfiable just when `root` is. Bounded operators are written out, adding at most `limit`
/// subformulas.
pub fn to_future(
    store: &mut Store,
    root: Formula,
    words: WordKind,
    limit: u64,
) -> Result<Eliminated, ExpansionTooLarge> {
    to_future_counting(store, root, words, counters::WRITTEN_OUT, limit)
}

/// The same with bounds up to `near` written out and counters for larger ones.
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

/// Writes out bounded operators and gives the past its memories, which last as long as `scope`
/// does.
fn future(
    store: &mut Store,
    root: Formula,
    words: WordKind,
    scope: Option<Formula>,
    (near, limit): (u32, u64),
) -> Result<Formula, ExpansionTooLarge> {
    let formula = counters::count_windows(store, root, words, near, limit)?;
    let defined = past::define_unbounded(store, formula);
    Ok(defined.constrained(store, words, scope))
}

/// Names that nothing has, made from a stem and a number. Asking for many takes time linear in
/// their number and that of the names already there.
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
