//! Automata of formulas with all operators, past and bounded ones included.
//!
//! First the formula is simplified by rules that preserve its language, and bounded operators are
//! expanded. For generalised Büchi automata, past operators become fresh propositions that store
//! their values, which are projected away afterwards. A word determines these values, so the
//! automaton accepts exactly the words that satisfy the formula. Alternating automata have no
//! projection, so there past operators are refused.

use kermode_bdd::{CannotStart, OutOfNodes};
use kermode_ltl::eliminate::to_future_counting;
use kermode_ltl::normal::{ExpansionTooLarge, expand_bounded};
use kermode_ltl::rewrite::Rewriting;
use kermode_ltl::{Formula, Store, WordKind};

use crate::alternating::AlternatingAutomaton;
use crate::from_ltl::{Untranslatable, from_ltl};
use crate::tgba::Tgba;
use crate::translation::{self, Goal, Level, Preference, to_buchi};
use crate::trim::trim;

/// The largest number of subformulas after expansion of bounded operators; each may become a
/// location.
pub const EXPANSION_LIMIT: u64 = 1 << 20;

/// The alternating automaton of a formula over words of a kind. Locations with the same transitions
/// are merged, unless rewriting is off.
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

/// The generalised Büchi automaton of a formula over infinite words. [`Level::Raw`] never rewrites,
/// whatever `rewriting` is.
pub fn generalised<E>(
    store: &mut Store,
    formula: Formula,
    goal: impl Into<Goal>,
    rewriting: &Rewriting,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<Untranslatable> + From<ExpansionTooLarge> + From<OutOfNodes> + From<CannotStart>,
{
    let words = WordKind::Infinite;
    let goal = goal.into();
    let level = goal.level;
    let rewriting = if level == Level::Raw { &Rewriting::None } else { rewriting };
    let simplified = rewriting.simplified(store, formula, words, interrupt)?;
    // An automaton has a state for each distance anyway.
    let future = to_future_counting(store, simplified, words, u32::MAX, EXPANSION_LIMIT)?;
    // A level rewrites its formula, unless the caller has chosen the rules.
    let automaton = match rewriting {
        Rewriting::Standard => translation::translate(store, future.formula, goal, interrupt)?,
        Rewriting::Rules(_) | Rewriting::None => {
            translation::translate_as_it_is(store, future.formula, goal, interrupt)?
        }
    };
    let remembers = |proposition| future.restore.adds(proposition);
    match automaton.propositions().iter().any(|&proposition| remembers(proposition)) {
        true => translation::reduce(automaton.projected(remembers)?, level, interrupt),
        false => Ok(automaton),
    }
}

/// The Büchi automaton of a formula over infinite words, with its mark on states. Unless it is to
/// be deterministic, automata with few states are preferred.
pub fn buchi<E>(
    store: &mut Store,
    formula: Formula,
    goal: impl Into<Goal>,
    rewriting: &Rewriting,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<Untranslatable> + From<ExpansionTooLarge> + From<OutOfNodes> + From<CannotStart>,
{
    let mut goal = goal.into();
    if goal.preference == Preference::Product {
        // Levels multiply states, so few states come first.
        goal.preference = Preference::Small;
    }
    let automaton = generalised(store, formula, goal, rewriting, interrupt)?;
    to_buchi(&automaton, goal.level, interrupt)
}
