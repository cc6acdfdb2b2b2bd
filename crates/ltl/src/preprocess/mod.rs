//! Preprocessing: what is done to a formula before an engine sees it, and the way back for its
//! words.
//!
//! Rewriting keeps the language, of any subformula at any position. The rules here do not: what the
//! past is at the first position, pure literals, definitions and splitting. Those of them that
//! change words leave a step of the way back, and [`Preprocessed::restore`] takes these steps: from
//! words of the parts to a word of the original formula.

mod beginning;
mod conjuncts;
mod definitions;
mod pure_literals;
mod segments;
mod split;

use std::convert::Infallible;

use self::segments::Stretch;
use crate::rewrite::{
    BEGINNING, DEFINITIONS, PURE_LITERALS, RuleSet, SEGMENTS, SPLIT, simplify_unless,
};
use crate::semantics::{evaluate_several, unrolled_length_of_all};
use crate::store::{Formula, Node, Proposition, Store, Subformulas};
use crate::word::{Letter, Word, WordKind};

/// The rules are gone through until nothing changes, or until they have looked at so many
/// subformulas.
const MOST_LOOKS: usize = 20_000_000;

/// A step of the way back.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// Propositions that have one value everywhere.
    Literals(Vec<(Proposition, bool)>),
    /// Propositions that hold where a formula does.
    Definitions(Vec<(Proposition, Formula)>),
}

/// What is left of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preprocessed {
    /// The formula is satisfiable if and only if each of these is: one, or several without common
    /// propositions (on infinite words).
    pub parts: Vec<Formula>,
    /// For each part whose windows were made short, the way back.
    stretches: Vec<Option<Stretch>>,
    steps: Vec<Step>,
}

/// Applies the rules of a set that are sound on words of the kind.
pub fn preprocess(
    store: &mut Store,
    formula: Formula,
    words: WordKind,
    rules: &RuleSet,
) -> Preprocessed {
    match preprocess_unless(store, formula, words, rules, &mut || Ok::<(), Infallible>(())) {
        Ok(preprocessed) => preprocessed,
    }
}

/// The same, under an `interrupt` whose error is passed on.
pub fn preprocess_unless<E>(
    store: &mut Store,
    formula: Formula,
    words: WordKind,
    rules: &RuleSet,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Preprocessed, E> {
    let sound = rules.sound_on(words);
    let mut steps = Vec::new();
    let mut simplify = |store: &mut Store, formula| {
        interrupt()?;
        simplify_unless(store, formula, words, rules, interrupt)
            .map(|simplified| simplified.formula)
    };
    let mut formula = simplify(store, formula)?;
    let mut looks = 0;
    while looks < MOST_LOOKS {
        let before = formula;
        looks += store.subformulas(formula).len();
        if sound.has(BEGINNING) {
            let left = beginning::at_the_beginning(store, formula);
            formula = if left == formula { formula } else { simplify(store, left)? };
        }
        if sound.has(PURE_LITERALS)
            && let Some((left, literals)) = pure_literals::set_pure_literals(store, formula)
        {
            formula = simplify(store, left)?;
            steps.push(Step::Literals(literals));
        }
        if sound.has(DEFINITIONS)
            && let Some((left, definitions)) = definitions::apply_definitions(store, formula)
        {
            formula = simplify(store, left)?;
            steps.push(Step::Definitions(definitions));
        }
        if formula == before {
            break;
        }
    }
    let mut parts = match sound.has(SPLIT) {
        true => split::split(store, formula),
        false => vec![formula],
    };
    let mut stretches = vec![None; parts.len()];
    if sound.has(SEGMENTS) {
        for (part, stretch) in parts.iter_mut().zip(&mut stretches) {
            if let Some((short, way_back)) = segments::shorten(store, *part, words) {
                (*part, *stretch) = (simplify(store, short)?, Some(way_back));
            }
        }
    }
    Ok(Preprocessed { parts, stretches, steps })
}

impl Preprocessed {
    /// Whether the formula is satisfiable, if that is settled.
    pub fn decided(&self, store: &Store) -> Option<bool> {
        let is = |value| move |&part: &Formula| store.node(part) == Node::Constant(value);
        if self.parts.iter().any(is(false)) {
            return Some(false);
        }
        self.parts.iter().all(is(true)).then_some(true)
    }

    /// A word of the original formula from a word of each part, unless it has more than `limit`
    /// letters.
    pub fn restore(&self, store: &Store, words: &[Word], limit: usize) -> Option<Word> {
        match self.restore_unless(store, words, limit, &mut || Ok::<(), Infallible>(())) {
            Ok(word) => word,
        }
    }

    /// The same, under an `interrupt` whose error is passed on.
    pub fn restore_unless<E>(
        &self,
        store: &Store,
        words: &[Word],
        limit: usize,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Word>, E> {
        // What an engine says of propositions that are not in its part is nobody's business.
        let parts = self.parts.iter().zip(&self.stretches).zip(words);
        let words = parts.map(|((&part, stretch), word)| {
            let word = word.restricted(&store.propositions(part));
            match stretch {
                Some(stretch) => stretch.word(&word, limit),
                None => Some(word),
            }
        });
        let Some(words) = words.collect::<Option<Vec<Word>>>() else { return Ok(None) };
        let joined = match words.as_slice() {
            [word] => Some(word.clone()),
            words => split::join(words, limit),
        };
        let Some(mut word) = joined else { return Ok(None) };
        for step in self.steps.iter().rev() {
            interrupt()?;
            word = match step {
                Step::Literals(literals) => with_literals(&word, literals),
                Step::Definitions(definitions) => {
                    match with_definitions(store, &word, definitions, limit, interrupt)? {
                        Some(word) => word,
                        None => return Ok(None),
                    }
                }
            };
        }
        Ok(Some(word.shortened()))
    }
}

/// The word with each of these propositions set to its value everywhere; it speaks of none of them
/// yet.
fn with_literals(word: &Word, literals: &[(Proposition, bool)]) -> Word {
    let held: Vec<Proposition> =
        literals.iter().filter(|(_, value)| *value).map(|(p, _)| *p).collect();
    let with_held = |letter: &Letter| letter.iter().chain(held.iter().copied()).collect();
    Word::from_letters(word.letters().iter().map(with_held).collect(), word.loop_start())
}

/// The word with each of these propositions, of which it does not speak yet, holding where its
/// formula does. Formulas with past unroll it.
fn with_definitions<E>(
    store: &Store,
    word: &Word,
    definitions: &[(Proposition, Formula)],
    limit: usize,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Word>, E> {
    let meanings: Vec<Formula> = definitions.iter().map(|&(_, meaning)| meaning).collect();
    let subformulas = Subformulas::of(store, &meanings);
    if unrolled_length_of_all(store, &subformulas, word) > limit {
        return Ok(None);
    }
    let truth = evaluate_several(store, subformulas, word, interrupt)?;
    let with = |(position, letter): (usize, &Letter)| -> Letter {
        let held = definitions.iter().filter(|(_, meaning)| truth.holds(*meaning, position));
        letter.iter().chain(held.map(|(proposition, _)| *proposition)).collect()
    };
    let letters = truth.word().letters().iter().enumerate().map(with).collect();
    Ok(Some(Word::from_letters(letters, truth.word().loop_start())))
}
