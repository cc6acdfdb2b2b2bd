//! From formulas to small automata.
//!
//! Rewriting makes the formula smaller, Couvreur's construction \[Cou99\] an automaton of it, and what is left over is reduced. A
//! [`Level`] says how much is done for it: more takes longer and never gives a larger automaton.

use kermode_bdd::{CannotStart, OutOfNodes};
use kermode_ltl::classes::{Class, Classes};
use kermode_ltl::normal::negation_normal_form;
use kermode_ltl::rewrite::{RuleSet, simplify_unless, spread};
use kermode_ltl::{Formula, Store, WordKind};

use crate::couvreur::{Construction, to_tgba};
use crate::from_ltl::Untranslatable;
use crate::tgba::{self, Buchi, Effort, Offer, Tgba, degeneralise, reduce_on_states};

/// How much is done for a small automaton.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The construction as the paper has it: no rewriting, no reduction.
    Raw,
    /// Rewriting, merged nodes, direct simulation once.
    Low,
    /// Direct and reverse simulation until nothing changes.
    Medium,
    /// All that is known.
    #[default]
    High,
}

/// The automaton of a formula over infinite words, without past and bounded operators. Unless the level is
/// [`Level::Raw`], the formula is rewritten by rules that keep its language; at [`Level::High`] it is so in several ways, of which the one is
/// taken that has the smallest automaton.
pub fn translate<E>(
    store: &mut Store,
    formula: Formula,
    level: Level,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<OutOfNodes> + From<CannotStart> + From<Untranslatable>,
{
    let words = WordKind::Infinite;
    if level == Level::Raw {
        return translate_as_it_is(store, formula, level, interrupt);
    }
    let rules = RuleSet::all();
    let simplified = simplify_unless(store, formula, words, &rules, interrupt)?.formula;
    let mut formulas = vec![simplified];
    if level == Level::High {
        let normal = negation_normal_form(store, simplified, words);
        formulas.push(simplify_unless(store, normal, words, &rules, interrupt)?.formula);
        formulas.push(spread(store, normal, interrupt)?);
        formulas.dedup();
    }
    smallest(store, &formulas, level, interrupt)
}

/// The same, of a formula that nothing rewrites before.
pub fn translate_as_it_is<E>(
    store: &mut Store,
    formula: Formula,
    level: Level,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<OutOfNodes> + From<CannotStart> + From<Untranslatable>,
{
    smallest(store, &[formula], level, interrupt)
}

/// The smallest of the automata of formulas that have the same language.
fn smallest<E>(
    store: &mut Store,
    formulas: &[Formula],
    level: Level,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<OutOfNodes> + From<CannotStart> + From<Untranslatable>,
{
    let (first, others) = formulas.split_first().expect("there is a formula");
    let mut best = reduced(store, *first, level, interrupt)?;
    for &formula in others {
        let automaton = reduced(store, formula, level, interrupt)?;
        if size(&automaton) < size(&best) {
            best = automaton;
        }
    }
    match level {
        Level::High => smaller_if_obligation(store, *first, best, interrupt),
        _ => Ok(best),
    }
}

fn reduced<E>(
    store: &mut Store,
    formula: Formula,
    level: Level,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<OutOfNodes> + From<CannotStart> + From<Untranslatable>,
{
    let construction = if level == Level::Raw { Construction::PLAIN } else { Construction::SMALL };
    reduce(to_tgba(store, formula, construction, interrupt)?, level, interrupt)
}

/// An automaton with the same language that is made smaller.
pub fn reduce<E: From<OutOfNodes>>(
    automaton: Tgba,
    level: Level,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    match level {
        Level::Raw => Ok(automaton),
        Level::Low => tgba::reduce(&automaton, Effort::Once, interrupt),
        Level::Medium | Level::High => tgba::reduce(&automaton, Effort::Repeated, interrupt),
    }
}

/// An automaton with the same language whose only mark is on states.
pub fn to_buchi<E: From<OutOfNodes>>(
    automaton: &Tgba,
    level: Level,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let on_states = degeneralise(automaton, Buchi::OnStates, interrupt)?;
    match level {
        Level::Raw => Ok(on_states),
        _ => reduce_on_states(&on_states, interrupt),
    }
}

/// The automaton of a formula, or a deterministic weak one, if the formula is an obligation and that makes it smaller.
fn smaller_if_obligation<E>(
    store: &mut Store,
    formula: Formula,
    automaton: Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<OutOfNodes> + From<CannotStart> + From<Untranslatable>,
{
    let Some(offer) = Offer::of(&automaton, interrupt)? else { return Ok(automaton) };
    let smaller = reduce(offer.automaton.clone(), Level::High, interrupt)?;
    if size(&smaller) >= size(&automaton) {
        return Ok(automaton);
    }
    let is_right = Classes::of(store, formula, WordKind::Infinite).contains(Class::Obligation) || {
        let negation = store.not(formula);
        let complement = reduced(store, negation, Level::Low, interrupt)?;
        offer.is_right(&automaton, &complement, interrupt)?
    };
    Ok(if is_right { smaller } else { automaton })
}

fn size(automaton: &Tgba) -> (usize, usize) {
    (automaton.state_count(), automaton.edge_count())
}
