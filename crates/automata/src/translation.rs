//! From formulas to small automata.
//!
//! Rewriting simplifies the formula, Couvreur's construction \[Cou99\] translates it, and the
//! automaton is reduced. A [`Level`] chooses the effort. At the highest level there are several
//! automata to choose from, and a [`Preference`] says which one is best:
//! - one for each way to write the formula;
//! - each with states merged by language, for which the negated formula is translated as well;
//! - the minimal deterministic weak automaton of an obligation;
//! - the deterministic automaton of a recurrence formula by the breakpoint construction.
//!
//! All but the first are attempts: they are given up when they take much longer than that one. If
//! the best one for the formula alone is deterministic, the others are skipped, because their
//! products are hardly ever smaller. They may have fewer states.

use kermode_bdd::{CannotStart, Manager, OutOfNodes};
use kermode_ltl::classes::{Class, Classes};
use kermode_ltl::normal::negation_normal_form;
use kermode_ltl::rewrite::{RuleSet, simplify_unless, spread, suspend};
use kermode_ltl::{Formula, Store, WordKind};

use crate::couvreur::{Construction, Tableau, new_manager, to_tgba_in};
use crate::from_ltl::Untranslatable;
use crate::tgba::{
    self, Buchi, Effort, ObligationCandidate, ProductSize, Tgba, degeneralise, small_buchi,
};

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

/// What to prefer among automata of the same language at [`Level::High`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preference {
    /// Small products with systems, by [`ProductSize`].
    #[default]
    Product,
    /// Few states, then few edges.
    Small,
    /// Deterministic automata, then small products.
    Deterministic,
}

/// Which automaton of a formula is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Goal {
    /// The effort.
    pub level: Level,
    /// The choice among several automata.
    pub preference: Preference,
}

impl From<Level> for Goal {
    fn from(level: Level) -> Self {
        Goal { level, ..Goal::default() }
    }
}

impl Preference {
    /// The better of two automata has the lower rank.
    fn rank(self, automaton: &Tgba) -> Result<[u64; 4], OutOfNodes> {
        let product = ProductSize::of(automaton).cost();
        let (states, edges) = automaton.size();
        let size = [states as u64, edges as u64];
        Ok(match self {
            Preference::Product => [product, size[0], size[1], 0],
            Preference::Small => [size[0], size[1], product, 0],
            Preference::Deterministic => {
                [u64::from(!automaton.is_deterministic()?), product, size[0], size[1]]
            }
        })
    }
}

/// The automaton of a formula over infinite words, without past and bounded operators. Unless the
/// level is [`Level::Raw`], rules that preserve the language rewrite the formula. [`Level::High`]
/// tries several sets of rules and several constructions, and takes the preferred automaton.
pub fn translate<E>(
    store: &mut Store,
    formula: Formula,
    goal: impl Into<Goal>,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<OutOfNodes> + From<CannotStart> + From<Untranslatable>,
{
    let words = WordKind::Infinite;
    let goal = goal.into();
    if goal.level == Level::Raw {
        return translate_as_it_is(store, formula, goal, interrupt);
    }
    let rules = RuleSet::all();
    let simplified = simplify_unless(store, formula, words, &rules, interrupt)?.formula;
    let mut formulas = vec![simplified];
    if goal.level == Level::High {
        let normal = negation_normal_form(store, simplified, words);
        let again = simplify_unless(store, normal, words, &rules, interrupt)?.formula;
        let spread = spread(store, normal, interrupt)?;
        for formula in [again, spread] {
            if !formulas.contains(&formula) {
                formulas.push(formula);
            }
        }
        let suspended = suspend(store, normal, interrupt)?;
        if !formulas.contains(&suspended) {
            // First, so that it bounds the effort: the others may be exponentially larger.
            formulas.insert(0, suspended);
        }
    }
    preferred(store, &formulas, goal, interrupt)
}

/// The same without rewriting.
pub fn translate_as_it_is<E>(
    store: &mut Store,
    formula: Formula,
    goal: impl Into<Goal>,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<OutOfNodes> + From<CannotStart> + From<Untranslatable>,
{
    preferred(store, &[formula], goal.into(), interrupt)
}

/// The preferred automaton of formulas with the same language.
fn preferred<E>(
    store: &mut Store,
    formulas: &[Formula],
    Goal { level, preference }: Goal,
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
    let first = reduced(first, &manager, level, &mut counted)?;
    let Some(negation) = negation else { return Ok(first) };
    let mut attempts = Attempts { calls: calls + 12_000, interrupt };
    let mut best = Best::new(first, preference)?;
    for tableau in tableaux {
        if best.automaton.state_count() <= 1 && best.automaton.is_deterministic()? {
            break;
        }
        let other = attempts.make(|interrupt| reduced(tableau, &manager, level, interrupt))?;
        best.offer(other)?;
    }
    if best.is_settled()? {
        return Ok(best.automaton);
    }
    let complement =
        attempts.make(|interrupt| reduced(negation, &manager, Level::Medium, interrupt))?;
    let Some(complement) = complement else { return Ok(best.automaton) };
    let obligation = is_obligation(store, formulas[0]);
    attempts.make(|interrupt| best.merge(&complement, interrupt))?;
    let weak =
        attempts.make(|interrupt| best.try_obligation(&complement, obligation, interrupt))?;
    if weak != Some(true) && !obligation {
        attempts.make(|interrupt| best.try_breakpoints(&complement, interrupt))?;
    }
    Ok(best.automaton)
}

/// The best automaton so far.
struct Best {
    automaton: Tgba,
    preference: Preference,
    rank: [u64; 4],
}

impl Best {
    fn new(automaton: Tgba, preference: Preference) -> Result<Self, OutOfNodes> {
        let rank = preference.rank(&automaton)?;
        Ok(Best { automaton, preference, rank })
    }

    /// Whether a better automaton is unlikely: this one is deterministic and, if few states are
    /// preferred, has only one.
    fn is_settled(&self) -> Result<bool, OutOfNodes> {
        let may_be_smaller =
            self.preference == Preference::Small && self.automaton.state_count() > 1;
        Ok(!may_be_smaller && self.automaton.is_deterministic()?)
    }

    /// Whether a candidate is better.
    fn is_worse_than(&self, candidate: &Tgba) -> Result<bool, OutOfNodes> {
        Ok(self.preference.rank(candidate)? < self.rank)
    }

    /// Takes a candidate of the same language, if it is better.
    fn offer(&mut self, candidate: Option<Tgba>) -> Result<(), OutOfNodes> {
        let Some(automaton) = candidate else { return Ok(()) };
        let rank = self.preference.rank(&automaton)?;
        if rank < self.rank {
            (self.automaton, self.rank) = (automaton, rank);
        }
        Ok(())
    }

    /// Tries the minimal deterministic weak automaton, if the language has one. Returns whether it
    /// is better.
    fn try_obligation<E>(
        &mut self,
        complement: &Tgba,
        is_obligation: bool,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<bool, E>
    where
        E: From<OutOfNodes> + From<CannotStart>,
    {
        let Some(candidate) = ObligationCandidate::of(&self.automaton, interrupt)? else {
            return Ok(false);
        };
        let weak = reduce(candidate.automaton.clone(), Level::High, interrupt)?;
        let is_better = self.is_worse_than(&weak)?
            && (is_obligation || candidate.is_right(&self.automaton, complement, interrupt)?);
        if is_better {
            self.offer(Some(weak))?;
            self.merge(complement, interrupt)?;
        }
        Ok(is_better)
    }

    /// Tries the deterministic automaton of a recurrence formula.
    fn try_breakpoints<E>(
        &mut self,
        complement: &Tgba,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E>
    where
        E: From<OutOfNodes> + From<CannotStart>,
    {
        let Some(candidate) = tgba::breakpoint_complement(complement, interrupt)? else {
            return Ok(());
        };
        let candidate = reduce(candidate, Level::High, interrupt)?;
        if self.is_worse_than(&candidate)? {
            self.offer(Some(candidate))?;
            self.merge(complement, interrupt)?;
        }
        Ok(())
    }

    /// Merges states by language as long as that is possible.
    fn merge<E>(
        &mut self,
        complement: &Tgba,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E>
    where
        E: From<OutOfNodes> + From<CannotStart>,
    {
        let mut merged = tgba::merged_by_language(&self.automaton, complement, interrupt)?;
        while let Some(smaller) = merged {
            let smaller = reduce(smaller, Level::High, interrupt)?;
            merged = tgba::merged_by_language(&smaller, complement, interrupt)?;
            self.offer(Some(smaller))?;
        }
        Ok(())
    }
}

/// Attempts to find a smaller automaton. An attempt is abandoned when it runs out of nodes, or when
/// it takes longer than the first automaton of a large formula. For small formulas it may take much
/// longer than that: they take little time anyway.
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
    match level {
        Level::Raw => degeneralise(automaton, Buchi::OnStates, interrupt),
        _ => small_buchi(automaton, interrupt),
    }
}
