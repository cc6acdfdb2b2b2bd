//! Rewriting: smaller formulas with the same language.
//!
//! A [`Rule`] has a name, says on which words it is sound, and shows an example. [`simplify`]
//! applies a [`RuleSet`] from the leaves up until no rule fires any more: each distinct subformula
//! is simplified once, and what a rule builds goes through the same machine, so that the result is
//! a normal form of the rules.
//!
//! Conjunctions and disjunctions are handled as chains of any length. A chain ends at a subformula
//! that something else uses too: taking that apart would only add to the formula.
//!
//! Nothing recurses. A rule does not build formulas but *terms*, formulas still to be simplified,
//! and the machine keeps its own stack of them.

mod bounded;
mod chains;
mod implication;
mod machine;
mod purity;
mod rule;
mod spread;
mod temporal;

#[cfg(test)]
mod mutants;

pub(crate) use rule::{BEGINNING, DEFINITIONS, PURE_LITERALS, SEGMENTS, SPLIT};
pub use rule::{Keeps, RULES, Rule, RuleSet, Soundness, UnknownRule};
pub use spread::SPREADING;

use std::convert::Infallible;

use crate::measure::Measure;
use crate::operator::BinaryOp;
use crate::store::{Formula, Store};
use crate::word::WordKind;

/// A simplified formula, and how often each rule fired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simplified {
    /// The formula; it has the language of the original one.
    pub formula: Formula,
    /// For each rule of [`RULES`] how often it fired.
    pub fired: Vec<u64>,
}

/// Simplifies a formula over words of a kind. The result has at most as many distinct subformulas.
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

/// The same, under an `interrupt` whose error is passed on.
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
    // Rules that merge operators pay only where their operands are used nowhere else.
    let careful = sound.without_merging();
    let careful = machine::run(store, formula, words, RULES, careful.flags(), interrupt)?;
    Ok(match distinct(store, careful.formula) <= size {
        true => careful,
        false => Simplified { formula, fired: vec![0; RULES.len()] },
    })
}

/// Which rewriting goes before a translation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Rewriting {
    /// All rules that keep the language, and whatever else suits the translation.
    #[default]
    Standard,
    /// These rules and nothing else.
    Rules(RuleSet),
    /// Nothing is rewritten.
    None,
}

impl Rewriting {
    /// The formula as these rules simplify it.
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

/// Takes a formula over infinite words apart as suits a translation into automata: by all rules
/// that keep the language, and those that part what is always from what is once. The result may be
/// larger. Where it would be more than twice as large, or is not there after much work, the formula
/// is left as it is: these rules have no measure that all of them make smaller.
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
pub(crate) fn conjuncts(store: &Store, formula: Formula) -> Vec<Formula> {
    match machine::chain_op(store.node(formula)) {
        Some(BinaryOp::And) => machine::chain_operands(store, formula, |_| true),
        _ => vec![formula],
    }
}
