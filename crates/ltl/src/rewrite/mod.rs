//! Rewriting: smaller formulas with the same language.
//!
//! A [`Rule`] has a name, a class of words on which it is sound, and an example. [`simplify`]
//! applies a [`RuleSet`] from the leaves up until no rule fires. Each distinct subformula is
//! simplified once. The results of rules are simplified by the same machine, so the final formula
//! is a normal form of the rules.
//!
//! Conjunctions and disjunctions are chains of any length. A chain ends at a subformula that is
//! used elsewhere, because splitting that one would enlarge the formula.
//!
//! Nothing is recursive. A rule does not build formulas but *terms*, which are formulas still to be
//! simplified. The machine has its own stack of terms.

mod bounded;
mod chains;
mod implication;
mod machine;
mod purity;
mod rule;
mod spread;
mod suspend;
mod temporal;

#[cfg(test)]
mod mutants;

pub(crate) use rule::{BEGINNING, DEFINITIONS, PURE_LITERALS, SEGMENTS, SPLIT};
pub use rule::{Keeps, RULES, Rule, RuleSet, Soundness, UnknownRule};
pub use spread::SPREADING;
pub use suspend::suspend;

use std::convert::Infallible;

use crate::measure::Measure;
use crate::operator::BinaryOp;
use crate::store::{Formula, Store};
use crate::word::WordKind;

/// A simplified formula, and how often each rule fired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simplified {
    /// The formula; it has the language of the original.
    pub formula: Formula,
    /// The number of times that each rule of [`RULES`] fired.
    pub fired: Vec<u64>,
}

/// Simplifies a formula over words of the given kind. The result has no more distinct subformulas
/// than the original.
pub fn simplify(
    store: &mut Store,
    formula: Formula,
    words: WordKind,
    rules: &RuleSet,
) -> Simplified {
    match simplify_unless(store, formula, words, rules, &mut || Ok::<(), Infallible>(())) {
        Ok(simplified) => simplified,
    }
}

/// The same, with an `interrupt` whose error is returned.
pub fn simplify_unless<E>(
    store: &mut Store,
    formula: Formula,
    words: WordKind,
    rules: &RuleSet,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Simplified, E> {
    let sound = rules.sound_on(words);
    let simplified = machine::run(store, formula, words, RULES, sound.flags(), interrupt)?;
    let distinct = |store: &Store, formula| Measure::of(store, formula).distinct;
    let size = distinct(store, formula);
    if distinct(store, simplified.formula) <= size {
        return Ok(simplified);
    }
    // Rules that merge operators can add subformulas if their operands are used elsewhere.
    let careful = sound.without_merging();
    let careful = machine::run(store, formula, words, RULES, careful.flags(), interrupt)?;
    Ok(match distinct(store, careful.formula) <= size {
        true => careful,
        false => Simplified { formula, fired: vec![0; RULES.len()] },
    })
}

/// The rewriting before a translation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Rewriting {
    /// All rules that preserve the language, and others that help the translation.
    #[default]
    Standard,
    /// Only these rules.
    Rules(RuleSet),
    /// No rewriting.
    None,
}

impl Rewriting {
    /// The formula, simplified by these rules.
    pub fn simplified<E>(
        &self,
        store: &mut Store,
        formula: Formula,
        words: WordKind,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Formula, E> {
        let all = RuleSet::all();
        let rules = match self {
            Rewriting::Standard => &all,
            Rewriting::Rules(rules) => rules,
            Rewriting::None => return Ok(formula),
        };
        Ok(simplify_unless(store, formula, words, rules, interrupt)?.formula)
    }
}

/// Rewrites a formula over infinite words for a translation into automata. It uses all rules that
/// preserve the language and the rules of [`SPREADING`]. The result may be larger. The formula
/// stays unchanged if the result is more than twice as large or if rewriting takes too long: these
/// rules have no common measure that decreases, so termination is not guaranteed.
pub fn spread<E>(
    store: &mut Store,
    formula: Formula,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Formula, E> {
    let words = WordKind::Infinite;
    let rules: Vec<Rule> = RULES.iter().chain(SPREADING).copied().collect();
    let mut enabled = RuleSet::all().sound_on(words).flags().to_vec();
    enabled.resize(rules.len(), true);
    let size = Measure::of(store, formula).distinct;
    let mut calls = 0;
    let mut limited = || {
        calls += 1;
        match calls > 64 + size / 16 {
            true => Err(None),
            false => interrupt().map_err(Some),
        }
    };
    let spread = match machine::run(store, formula, words, &rules, &enabled, &mut limited) {
        Ok(simplified) => simplified.formula,
        Err(None) => return Ok(formula),
        Err(Some(stop)) => return Err(stop),
    };
    Ok(if Measure::of(store, spread).distinct <= 2 * size { spread } else { formula })
}

/// The conjuncts of a formula, from left to right.
pub fn conjuncts(store: &Store, formula: Formula) -> Vec<Formula> {
    match machine::chain_op(store.node(formula)) {
        Some(BinaryOp::And) => machine::chain_operands(store, formula, |_| true),
        _ => vec![formula],
    }
}
