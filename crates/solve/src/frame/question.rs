//! The questions of the commands, their words for yes and no, and answers as text and JSON.
//!
//! Engines know one question: is there a word? This file translates their answer for the other
//! questions.

use kermode_ltl::word::word_to_json;
use kermode_ltl::{BinaryOp, Dialect, Formula, Node, Store, Syntax, UnaryOp, WordKind};
use serde_json::{Map, Value, json};

use crate::frame::answer::{InternalError, Verdict};
use crate::frame::budget::Stop;

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Is there a word that satisfies the formula?
    Sat,
    /// Does every word satisfy the formula?
    Valid,
    /// Do two formulas have the same words?
    Equiv,
    /// Does every word of the first formula satisfy the second?
    Implies,
    /// Is the language of an automaton empty?
    Empty,
    /// Does an automaton accept every word of another one?
    Contains,
    /// Do two automata accept the same words?
    SameLanguage,
}

impl Question {
    /// The command that asks it.
    pub fn command(self) -> &'static str {
        match self {
            Question::Sat => "sat",
            Question::Valid => "valid",
            Question::Equiv => "equiv",
            Question::Implies => "implies",
            Question::Empty => "empty",
            Question::Contains => "contains",
            Question::SameLanguage => "automaton",
        }
    }

    /// The words for yes and no.
    pub fn answer(self, yes: bool) -> &'static str {
        match (self, yes) {
            (Question::Sat, true) => "satisfiable",
            (Question::Sat, false) => "unsatisfiable",
            (Question::Valid, true) => "valid",
            (Question::Valid, false) => "not valid",
            (Question::Equiv | Question::SameLanguage, true) => "equivalent",
            (Question::Equiv | Question::SameLanguage, false) => "not equivalent",
            (Question::Implies, true) => "implied",
            (Question::Implies, false) => "not implied",
            (Question::Empty, true) => "empty",
            (Question::Empty, false) => "nonempty",
            (Question::Contains, true) => "contained",
            (Question::Contains, false) => "not contained",
        }
    }

    /// Whether it is about two formulas.
    pub fn is_about_two(self) -> bool {
        matches!(self, Question::Equiv | Question::Implies)
    }

    /// Whether it is about automata.
    pub fn is_about_automata(self) -> bool {
        matches!(self, Question::Empty | Question::Contains | Question::SameLanguage)
    }

    /// Whether a word means yes; for the other questions it is a counterexample.
    pub fn word_means_yes(self) -> bool {
        self == Question::Sat
    }

    /// Whether a verdict means yes, unless it is unknown.
    pub fn is_yes(self, verdict: &Verdict) -> Option<bool> {
        match verdict {
            Verdict::Nonempty(_) => Some(self.word_means_yes()),
            Verdict::Empty(_) => Some(!self.word_means_yes()),
            Verdict::Unknown(_) => None,
        }
    }

    /// The formula whose words decide the question. It is not simplified here.
    pub fn formula(self, store: &mut Store, first: Formula, second: Formula) -> Formula {
        let node = match self {
            Question::Sat | Question::Empty | Question::Contains | Question::SameLanguage => {
                return first;
            }
            Question::Valid => Node::Unary(UnaryOp::Not, first),
            Question::Equiv => Node::Binary(BinaryOp::Xor, first, second),
            Question::Implies => {
                let not_second = store.intern(Node::Unary(UnaryOp::Not, second));
                Node::Binary(BinaryOp::And, first, not_second)
            }
        };
        store.intern(node)
    }

    /// The verdict in words.
    pub fn verdict_words(self, verdict: &Verdict) -> &'static str {
        self.is_yes(verdict).map_or("unknown", |yes| self.answer(yes))
    }

    /// The result in one line, with the reason if the verdict is unknown.
    pub fn line(self, result: &Result<Verdict, InternalError>) -> String {
        match result {
            Err(_) => "internal error".to_owned(),
            Ok(Verdict::Unknown(stop)) => unknown(stop),
            Ok(verdict) => self.verdict_words(verdict).to_owned(),
        }
    }

    /// The verdict as JSON, with its word or the reason why there is none.
    pub fn verdict_json(self, store: &Store, verdict: &Verdict) -> Map<String, Value> {
        let mut object = Map::new();
        let mut set = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
        set("verdict", json!(self.verdict_words(verdict)));
        match verdict {
            Verdict::Unknown(stop) => set("reason", json!(stop.to_string())),
            Verdict::Nonempty(Ok(witness)) => {
                set("replayed", json!(true));
                set("witness", json!(word_to_json(store, witness.word())));
            }
            Verdict::Nonempty(Err(reason)) => {
                set("replayed", json!(false));
                set("left_out", json!(reason.to_string()));
            }
            Verdict::Empty(_) => {}
        }
        object
    }

    /// The command line that runs an engine; `arguments` are quoted for the shell.
    pub fn command_line(self, engine: &str, arguments: &str) -> String {
        format!("kermode {} --engine {engine} {arguments}", self.command())
    }
}

/// The text of an unknown verdict with its reason.
pub fn unknown(stop: &Stop) -> String {
    format!("unknown ({stop})")
}

/// Formulas as arguments of a command line, with the options for their syntax.
pub fn formula_arguments(syntax: Syntax, formulas: &[String]) -> String {
    let dialect = match syntax.dialect {
        Dialect::Kermode => String::new(),
        dialect => format!("--syntax {} ", dialect.name()),
    };
    let words = if syntax.words == WordKind::Finite { "--finite " } else { "" };
    let formulas: Vec<String> = formulas.iter().map(|formula| shell_word(formula)).collect();
    dialect + words + &formulas.join(" ")
}

/// A text, quoted so that the shell reads it as one word.
pub fn shell_word(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::answer::LeftOut;

    #[test]
    fn a_word_is_a_yes_or_a_counterexample() {
        let word = Verdict::Nonempty(Err(LeftOut::NotAsked));
        let words = |question: Question| {
            [&word, &Verdict::Empty(None), &Verdict::Unknown(Stop::Timeout)]
                .map(|verdict| question.verdict_words(verdict))
        };
        assert_eq!(words(Question::Sat), ["satisfiable", "unsatisfiable", "unknown"]);
        assert_eq!(words(Question::Valid), ["not valid", "valid", "unknown"]);
        assert_eq!(words(Question::Empty), ["nonempty", "empty", "unknown"]);
        assert_eq!(words(Question::Contains), ["not contained", "contained", "unknown"]);
        assert_eq!(words(Question::SameLanguage), ["not equivalent", "equivalent", "unknown"]);
    }

    #[test]
    fn formulas_are_typed_again_as_they_were_read() {
        let syntax = Syntax { dialect: Dialect::Spin, words: WordKind::Finite };
        let formulas = ["a".to_owned(), "'b c'".to_owned()];
        let arguments = formula_arguments(syntax, &formulas);
        assert_eq!(arguments, r"--syntax spin --finite 'a' ''\''b c'\'''");
    }
}
