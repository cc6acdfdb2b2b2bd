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
use crate::tgba::{Effort, Offer, Tgba, reduce};

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

/// The automaton of a formula over infinite words, without past and bounded operators.
pub fn translate<E>(
    store: &mut Store,
    formula: Formula,
    level: Level,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<OutOfNodes> + From<CannotStart> + From<Untranslatable>,
{
    if level == Level::Raw {
        return to_tgba(store, formula, Construction::PLAIN, interrupt);
    }
    let rules = RuleSet::all();
    let simplified =
        simplify_unless(store, formula, WordKind::Infinite, &rules, interrupt)?.formula;
    match level {
        Level::Raw | Level::Low => reduced(store, simplified, Effort::Once, interrupt),
        Level::Medium => reduced(store, simplified, Effort::Repeated, interrupt),
        Level::High => smallest(store, simplified, interrupt),
    }
}

/// The smallest automaton of those that are known.
fn smallest<E>(
    store: &mut Store,
    formula: Formula,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<OutOfNodes> + From<CannotStart> + From<Untranslatable>,
{
    let mut formulas = vec![formula];
    let normal = negation_normal_form(store, formula, WordKind::Infinite);
    let rules = RuleSet::all();
    formulas.push(simplify_unless(store, normal, WordKind::Infinite, &rules, interrupt)?.formula);
    formulas.push(spread(store, normal, interrupt)?);
    formulas.dedup();
    let mut best: Option<Tgba> = None;
    for &formula in &formulas {
        let automaton = reduced(store, formula, Effort::Repeated, interrupt)?;
        best = match best {
            Some(best) if size(&best) <= size(&automaton) => Some(best),
            _ => Some(automaton),
        };
    }
    let best = best.expect("there is at least one formula");
    smaller_if_obligation(store, formula, best, interrupt)
}

fn reduced<E>(
    store: &mut Store,
    formula: Formula,
    effort: Effort,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<OutOfNodes> + From<CannotStart> + From<Untranslatable>,
{
    let automaton = to_tgba(store, formula, Construction::SMALL, interrupt)?;
    reduce(&automaton, effort, interrupt)
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
    let smaller = reduce(&offer.automaton, Effort::Repeated, interrupt)?;
    if size(&smaller) >= size(&automaton) {
        return Ok(automaton);
    }
    let is_right = Classes::of(store, formula, WordKind::Infinite).contains(Class::Obligation) || {
        let negation = store.not(formula);
        let complement = reduced(store, negation, Effort::Once, interrupt)?;
        offer.is_right(&automaton, &complement, interrupt)?
    };
    Ok(if is_right { smaller } else { automaton })
}

fn size(automaton: &Tgba) -> (usize, usize) {
    (automaton.state_count(), automaton.edge_count())
}
