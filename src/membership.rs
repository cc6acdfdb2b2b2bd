//! `eval --automaton`: does an automaton accept a word? For a file with several automata there is
//! one verdict each.

use std::path::Path;

use kermode::automata::Automaton;
use kermode::ltl::word::{read_word, word_to_json};
use kermode::ltl::{Store, Word};
use kermode::solve::Budget;
use serde_json::{Value, json};

use crate::args::Eval;
use crate::automaton::{Entry, File, Unread};
use crate::eval::{refuse, warn_of_unmentioned, word_text};
use crate::report::{self, complain, error_json, print_line};
use crate::status::Status;

/// Evaluates each automaton of a file on the word.
pub(crate) fn run(args: &Eval, file: &Path, budget: &Budget) -> anyhow::Result<Status> {
    let word_text = word_text(args, [&args.first, &args.second].into_iter().flatten(), budget)?;
    let mut store = Store::new();
    let word = match read_word(&mut store, &word_text.text) {
        Ok(word) => word,
        Err(error) => {
            report::diagnostics(word_text.source(), std::slice::from_ref(&error));
            return refuse(args, &word_text, &error);
        }
    };
    let known = store.proposition_count();
    let file = File::read(&mut store, file, budget);
    let membership = Membership { args, store, word, known, budget };
    let statuses: anyhow::Result<Vec<Status>> =
        file.entries.iter().map(|entry| membership.show(&file, entry)).collect();
    Ok(Status::of_all(statuses?))
}

/// The data that all automata of a file share.
struct Membership<'a> {
    args: &'a Eval,
    store: Store,
    word: Word,
    /// The number of propositions that the word mentions.
    known: usize,
    budget: &'a Budget,
}

impl Membership<'_> {
    /// Shows whether an automaton accepts the word, or that it could not be read.
    fn show(&self, file: &File, entry: &Entry) -> anyhow::Result<Status> {
        let (verdict, status) = match &entry.automaton {
            Err(Unread::Stopped(stop)) => return Err(stop.clone().into()),
            Err(Unread::Bad(_)) => ("error", Status::Bad),
            Ok(automaton) => {
                warn_of_unmentioned(&self.store, automaton.propositions(), self.known);
                self.warn_of_other_words(automaton);
                match automaton.accepts(&self.word, &mut || self.budget.check())? {
                    true => ("accepted", Status::Yes),
                    false => ("rejected", Status::No),
                }
            }
        };
        match (file.has_several(), status) {
            _ if self.args.json => print_line(&self.json(file, entry, verdict).to_string())?,
            (true, _) if !self.args.quiet => {
                print_line(&format!("{}: {verdict}", file.label(entry)))?;
            }
            // The error was reported, and the output of a single automaton needs no line in its
            // place.
            (false, Status::Bad) => {}
            _ => print_line(verdict)?,
        }
        Ok(status)
    }

    fn json(&self, file: &File, entry: &Entry, verdict: &str) -> Value {
        let mut object = json!({ "command": "eval", "file": file.name });
        if let Some(name) = &entry.name {
            object["name"] = json!(name);
        }
        if file.has_several() {
            object["line"] = json!(entry.line);
        }
        match &entry.automaton {
            Ok(_) => {
                object["words"] = json!(self.word.kind().name());
                object["word"] = json!(word_to_json(&self.store, &self.word));
                object["verdict"] = json!(verdict);
            }
            Err(Unread::Bad(error)) => object["error"] = error_json(Some(error)),
            Err(Unread::Stopped(stop)) => object["reason"] = json!(stop.to_string()),
        }
        object
    }

    /// Warns if the word is of the other kind; an automaton never accepts such a word.
    fn warn_of_other_words(&self, automaton: &Automaton) {
        let words = automaton.words();
        if words != self.word.kind() {
            let (about, kind) = (words.name(), self.word.kind().name());
            complain(&format!(
                "warning: the automaton is about {about} words, the word is {kind}\n"
            ));
        }
    }
}
