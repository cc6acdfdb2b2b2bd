//! Automata of formulas as people write them, with past and bounded operators.
//!
//! What constructions do not know is replaced first: the formula is simplified by rules that keep
//! its language, bounded operators are written out, and for generalised Büchi automata past
//! operators become propositions that remember, which are projected away afterwards. A word has one
//! way to remember its past, so that the automaton accepts the words that satisfy the formula.
//! Alternating automata have no projection, and refuse past operators.

use kermode_bdd::{CannotStart, OutOfNodes};
use kermode_ltl::eliminate::to_future_counting;
use kermode_ltl::normal::{ExpansionTooLarge, expand_bounded};
use kermode_ltl::rewrite::Rewriting;
use kermode_ltl::{Formula, Store, WordKind};

use crate::alternating::AlternatingAutomaton;
use crate::from_ltl::{Untranslatable, from_ltl};
use crate::tgba::Tgba;
use crate::translation::{self, Level, to_buchi};
use crate::trim::trim;

/// How many subformulas bounded operators are written out to; each may become a location.
pub const EXPANSION_LIMIT: u64 = 1 << 20;

/// The alternating automaton of a formula over words of a kind. Locations with the same transitions
/// become one, unless nothing is rewritten.
pub fn alternating<E>(
    store: &mut Store,
    formula: Formula,
    words: WordKind,
    rewriting: &Rewriting,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<AlternatingAutomaton, E>
where
    E: From<Untranslatable> + From<ExpansionTooLarge>,
{
    let simplified = rewriting.simplified(store, formula, words, interrupt)?;
    let unbounded = expand_bounded(store, simplified, words, EXPANSION_LIMIT)?;
    let plain = from_ltl(store, unbounded, words)?;
    let automaton = if *rewriting == Rewriting::None { plain } else { trim(&plain) };
    interrupt()?;
    Ok(automaton)
}

/// The generalised Büchi automaton of a formula over infinite words. At [`Level::Raw`] nothing is
/// rewritten, whatever `rewriting` says.
pub fn generalised<E>(
    store: &mut Store,
    formula: Formula,
    level: Level,
    rewriting: &Rewriting,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<Untranslatable> + From<ExpansionTooLarge> + From<OutOfNodes> + From<CannotStart>,
{
    let words = WordKind::Infinite;
    let rewriting = if level == Level::Raw { &Rewriting::None } else { rewriting };
    let simplified = rewriting.simplified(store, formula, words, interrupt)?;
    // An automaton has a state for each distance anyway.
    let future = to_future_counting(store, simplified, words, u32::MAX, EXPANSION_LIMIT)?;
    // Levels rewrite what they get, unless somebody has said what is to be done.
    let translate = match rewriting {
        Rewriting::Standard => translation::translate::<E>,
        Rewriting::Rules(_) | Rewriting::None => translation::translate_as_it_is::<E>,
    };
    let automaton = translate(store, future.formula, level, interrupt)?;
    let remembers = |proposition| future.restore.adds(proposition);
    match automaton.propositions().iter().any(|&proposition| remembers(proposition)) {
        true => translation::reduce(automaton.projected(remembers)?, level, interrupt),
        false => Ok(automaton),
    }
}

/// The Büchi automaton of a formula over infinite words, whose mark is on states.
pub fn buchi<E>(
    store: &mut Store,
    formula: Formula,
    level: Level,
    rewriting: &Rewriting,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<Untranslatable> + From<ExpansionTooLarge> + From<OutOfNodes> + From<CannotStart>,
{
    let automaton = generalised(store, formula, level, rewriting, interrupt)?;
    to_buchi(&automaton, level, interrupt)
}
