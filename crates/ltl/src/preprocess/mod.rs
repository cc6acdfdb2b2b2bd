//! Preprocessing: the steps before an engine, and the map of its words back to the original
//! formula.
//!
//! Rewriting preserves the language of any subformula at any position. The rules of this module do
//! not: past operators at the first position, pure literals, definitions, short windows and
//! splitting. Each rule that changes words records how to map them back. [`Preprocessed::restore`]
//! applies these records and turns words of the parts into a word of the original formula.

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

/// The rules are applied until nothing changes, or until they have visited this many subformulas.
const MOST_LOOKS: usize = 20_000_000;

/// A change of the formula that must be undone in its words.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// Propositions that were set to a constant.
    Literals(Vec<(Proposition, bool)>),
    /// Propositions that were replaced by formulas.
    Definitions(Vec<(Proposition, Formula)>),
}

/// The result of preprocessing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preprocessed {
    /// The formula is satisfiable if and only if each part is. Several parts have no common
    /// propositions and occur on infinite words only.
    pub parts: Vec<Formula>,
    /// For each part whose windows were shortened, the map back.
    stretches: Vec<Option<Stretch>>,
    steps: Vec<Step>,
}

/// Applies the rules of the set that are sound on words of the given kind.
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

/// The same, with an `interrupt` whose error is returned.
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
    /// Whether the formula is satisfiable, if preprocessing decides it.
    pub fn decided(&self, store: &Store) -> Option<bool> {
        let is = |value| move |&part: &Formula| store.node(part) == Node::Constant(value);
        if self.parts.iter().any(is(false)) {
            return Some(false);
        }
        self.parts.iter().all(is(true)).then_some(true)
    }

    /// A word of the original formula from one word per part; `None` if it has more than `limit`
    /// letters.
    pub fn restore(&self, store: &Store, words: &[Word], limit: usize) -> Option<Word> {
        match self.restore_unless(store, words, limit, &mut || Ok::<(), Infallible>(())) {
            Ok(word) => word,
        }
    }

    /// The same, with an `interrupt` whose error is returned.
    pub fn restore_unless<E>(
        &self,
        store: &Store,
        words: &[Word],
        limit: usize,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Word>, E> {
        // The values of propositions that do not occur in a part are ignored.
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

/// The word with each of these propositions constant. The word does not mention them yet.
fn with_literals(word: &Word, literals: &[(Proposition, bool)]) -> Word {
    let held: Vec<Proposition> =
        literals.iter().filter(|(_, value)| *value).map(|(p, _)| *p).collect();
    let with_held = |letter: &Letter| letter.iter().chain(held.iter().copied()).collect();
    Word::from_letters(word.letters().iter().map(with_held).collect(), word.loop_start())
}

/// The word in which each of these propositions holds exactly where its formula does. The word does
/// not mention them yet. Formulas with past operators unroll it.
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
