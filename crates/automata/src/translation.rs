//! From formulas to small automata.
//!
//! Rewriting simplifies the formula, Couvreur's construction \[Cou99\] translates it, and the
//! automaton is reduced. A [`Level`] chooses the effort: a higher level takes longer and never
//! gives more states.

use kermode_bdd::{CannotStart, Manager, OutOfNodes};
use kermode_ltl::classes::{Class, Classes};
use kermode_ltl::normal::negation_normal_form;
use kermode_ltl::rewrite::{RuleSet, simplify_unless, spread};
use kermode_ltl::{Formula, Store, WordKind};

use crate::couvreur::{Construction, Tableau, new_manager, to_tgba_in};
use crate::from_ltl::Untranslatable;
use crate::tgba::{self, Buchi, Effort, ObligationCandidate, ProductSize, Tgba, degeneralise, reduce_on_states};

/// The effort for a small automaton.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The plain construction of the paper: no rewriting, no reduction.
    Raw,
    /// Rewriting, merged nodes, direct simulation once.
    Low,
    /// Direct and reverse simulation until nothing changes.
    Medium,
    /// All reductions.
    #[default]
    High,
}

/// The automaton of a formula over infinite words, without past and bounded operators. Unless the
/// level is [`Level::Raw`], rules that preserve the language rewrite the formula. [`Level::High`]
/// tries several sets of rules and takes the smallest automaton.
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
        let again = simplify_unless(store, normal, words, &rules, interrupt)?.formula;
        let spread = spread(store, normal, interrupt)?;
        for formula in [again, spread] {
            if !formulas.contains(&formula) {
                formulas.push(formula);
            }
        }
    }
    smallest(store, &formulas, level, interrupt)
}

/// The same without rewriting.
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

/// The smallest of the automata of formulas with the same language.
fn smallest<E>(
    store: &mut Store,
    formulas: &[Formula],
    level: Level,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<OutOfNodes> + From<CannotStart> + From<Untranslatable>,
{
    let construction = if level == Level::Raw { Construction::PLAIN } else { Construction::SMALL };
    let negation = (level == Level::High).then(|| store.not(formulas[0]));
    let mut tableaux = Vec::new();
    for &formula in formulas.iter().chain(&negation) {
        tableaux.push(Tableau::new(store, formula, construction)?);
    }
    // One manager for all: starting one takes longer than translating a small formula.
    let variables = tableaux.iter().map(Tableau::variable_count).max().unwrap_or(0);
    let manager = new_manager(variables)?;
    let negation = negation.and_then(|_| tableaux.pop());
    let mut tableaux = tableaux.into_iter();
    let first = tableaux.next().expect("there is a formula");
    let mut calls = 0;
    let mut counted = || {
        calls += 1;
        interrupt()
    };
    let mut best = reduced(first, &manager, level, &mut counted)?;
    let mut attempts = Attempts { calls: 4 * calls + 10_000, interrupt };
    for tableau in tableaux {
        let other = attempts.make(|interrupt| reduced(tableau, &manager, level, interrupt))?;
        best = other.filter(|other| ProductSize::of(other).cost() < ProductSize::of(&best).cost()).unwrap_or(best);
    }
    let Some(negation) = negation else { return Ok(best) };
    let mut counted2 = || Ok::<(), E>(());
    let neg2 = store.not(formulas[0]);
    let t2 = Tableau::new(store, neg2, construction)?;
    let c2 = reduced(t2, &manager, Level::High, &mut counted2)?;
    let c2 = c2.over(&manager, &best.propositions().iter().copied().chain(c2.propositions().iter().copied()).collect())?;
    let b2 = best.over(&manager, &best.propositions().iter().copied().chain(c2.propositions().iter().copied()).collect())?;
    let mut b2 = b2;
    while let Some(m) = crate::tgba::merged_by_language(&b2, &c2)? {
        b2 = reduce(m, Level::High, &mut counted2)?;
        if ProductSize::of(&b2).cost() < ProductSize::of(&best).cost() { best = b2.clone(); }
    }
    let complement = (!is_obligation(store, formulas[0])).then_some((negation, &manager));
    let candidate =
        attempts.make(|interrupt| smaller_if_obligation(&best, complement, interrupt))?;
    Ok(candidate.flatten().unwrap_or(best))
}

/// Attempts to find a smaller automaton. An attempt is abandoned when it runs out of nodes or takes
/// much longer than the first automaton.
struct Attempts<'i, E> {
    /// How often each attempt may call `interrupt`.
    calls: u64,
    interrupt: &'i mut dyn FnMut() -> Result<(), E>,
}

/// Why an attempt ends without a result.
enum AttemptEnd<E> {
    GivenUp,
    Stopped(E),
}

impl<E> From<OutOfNodes> for AttemptEnd<E> {
    fn from(_: OutOfNodes) -> Self {
        AttemptEnd::GivenUp
    }
}

impl<E> From<CannotStart> for AttemptEnd<E> {
    fn from(_: CannotStart) -> Self {
        AttemptEnd::GivenUp
    }
}

impl<E> Attempts<'_, E> {
    fn make<T>(
        &mut self,
        work: impl FnOnce(&mut dyn FnMut() -> Result<(), AttemptEnd<E>>) -> Result<T, AttemptEnd<E>>,
    ) -> Result<Option<T>, E> {
        let mut left = self.calls;
        let mut limited = || {
            left = left.checked_sub(1).ok_or(AttemptEnd::GivenUp)?;
            (self.interrupt)().map_err(AttemptEnd::Stopped)
        };
        match work(&mut limited) {
            Ok(result) => Ok(Some(result)),
            Err(AttemptEnd::GivenUp) => Ok(None),
            Err(AttemptEnd::Stopped(stop)) => Err(stop),
        }
    }
}

fn reduced<E: From<OutOfNodes>>(
    tableau: Tableau,
    manager: &Manager,
    level: Level,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    reduce(to_tgba_in(tableau, manager.clone(), interrupt)?, level, interrupt)
}

fn is_obligation(store: &Store, formula: Formula) -> bool {
    Classes::of(store, formula, WordKind::Infinite).contains(Class::Obligation)
}

/// A smaller automaton with the same language.
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

/// A deterministic weak automaton of the same language, if there is one and it is smaller. Unless
/// the language is known to be an obligation, a tableau of its complement is given, to find out.
fn smaller_if_obligation<E>(
    automaton: &Tgba,
    complement: Option<(Tableau, &Manager)>,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Tgba>, E>
where
    E: From<OutOfNodes> + From<CannotStart>,
{
    let Some(candidate) = ObligationCandidate::of(automaton, interrupt)? else { return Ok(None) };
    let smaller = reduce(candidate.automaton.clone(), Level::High, interrupt)?;
    if ProductSize::of(&smaller).cost() >= ProductSize::of(automaton).cost() {
        return Ok(None);
    }
    let is_right = match complement {
        Some((tableau, manager)) => {
            let complement = reduced(tableau, manager, Level::Low, interrupt)?;
            candidate.is_right(automaton, &complement, interrupt)?
        }
        None => true,
    };
    Ok(is_right.then_some(smaller))
}
