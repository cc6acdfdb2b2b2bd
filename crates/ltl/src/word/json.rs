//! Words in JSON: `{"prefix": [["a"], []], "loop": [["b"]]}`, and `{"word": [["a"]]}` for finite
//! ones.
//!
//! A letter is the list of the propositions that hold, or an object with the value of each: `{"a":
//! true, "b": false}`. Propositions that are not mentioned do not hold.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::store::Store;
use crate::word::{Letter, Word, WordKind};

/// A word as it stands in JSON, with names for propositions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordJson {
    /// The letters before the loop; may be left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<Vec<LetterJson>>,
    /// The letters of the loop of an infinite word.
    #[serde(rename = "loop", default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<Vec<LetterJson>>,
    /// All letters of a finite word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub word: Option<Vec<LetterJson>>,
}

/// The names of the propositions that hold. Written as a list, read from a list or from an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LetterJson(pub Vec<String>);

/// Why a [`WordJson`] is no word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordJsonError {
    /// Neither a loop nor a finite word.
    #[error("a word needs a `loop`, or `word` when it is finite")]
    Missing,
    /// Both.
    #[error("a word has a `loop`, or it is finite and has `word` alone")]
    Both,
    /// A loop without letters.
    #[error("the loop is empty")]
    EmptyLoop,
}

/// The JSON of a word.
pub fn word_to_json(store: &Store, word: &Word) -> WordJson {
    let letter = |letter: &Letter| {
        let names = letter.iter().map(|p| store.name(p).to_owned());
        LetterJson(names.collect())
    };
    let letters = |letters: &[Letter]| Some(letters.iter().map(letter).collect());
    match word.kind() {
        WordKind::Infinite => {
            WordJson { prefix: letters(word.prefix()), cycle: letters(word.cycle()), word: None }
        }
        WordKind::Finite => WordJson { word: letters(word.letters()), ..WordJson::default() },
    }
}

/// The word of a JSON value.
pub fn word_from_json(store: &mut Store, json: &WordJson) -> Result<Word, WordJsonError> {
    let mut letters = |letters: &[LetterJson]| -> Vec<Letter> {
        let mut letter = |letter: &LetterJson| {
            let names = letter.0.iter();
            names.map(|name| store.proposition(name)).collect()
        };
        letters.iter().map(&mut letter).collect()
    };
    match (&json.prefix, &json.cycle, &json.word) {
        (_, Some(cycle), None) if cycle.is_empty() => Err(WordJsonError::EmptyLoop),
        (prefix, Some(cycle), None) => {
            let prefix = letters(prefix.as_deref().unwrap_or_default());
            Ok(Word::lasso(prefix, letters(cycle)))
        }
        (None, None, Some(word)) => Ok(Word::finite(letters(word))),
        (_, None, None) => Err(WordJsonError::Missing),
        (_, _, Some(_)) => Err(WordJsonError::Both),
    }
}

impl Serialize for LetterJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for name in &self.0 {
            list.serialize_element(name)?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for LetterJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LetterVisitor)
    }
}

struct LetterVisitor;

impl<'de> Visitor<'de> for LetterVisitor {
    type Value = LetterJson;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a letter: a list of propositions, or an object from propositions to truth")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<LetterJson, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = list.next_element()? {
            names.push(name);
        }
        Ok(LetterJson(names))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<LetterJson, A::Error> {
        let mut literals: BTreeMap<String, bool> = BTreeMap::new();
        while let Some((name, holds)) = object.next_entry::<String, bool>()? {
            if literals.get(&name) == Some(&!holds) {
                let message = format!("the letter contradicts itself: `{name}` and `!{name}`");
                return Err(A::Error::custom(message));
            }
            literals.insert(name, holds);
        }
        let held = literals.into_iter().filter(|&(_, holds)| holds);
        Ok(LetterJson(held.map(|(name, _)| name).collect()))
    }
}
