//! Specifications that are automata: every path in question has a word that the automaton accepts,
//! or no path has.
//!
//! The propositions of an automaton are Boolean expressions of the model, or are defined as such. A
//! text may have several automata, each of which is a property. A path violates a property if its
//! word is in a difference of automata; automata of assumptions accept the word as well.

use std::ops::Range;

use kermode_automata::of_formula::{alternating, generalised};
use kermode_automata::translation::Level;
use kermode_automata::{Automaton, Difference, ReadAutomaton, read_automata};
use kermode_base::{Diagnostic, Source};
use kermode_ltl::rewrite::Rewriting;
use kermode_ltl::{Formula, Proposition, Store, WordKind};

use super::mistakes::{Mistake, as_read, is_planted};
use crate::frame::budget::{Budget, Stop};

/// An automaton of a text.
#[derive(Clone, Debug)]
pub(super) struct Specification {
    pub(super) name: Option<String>,
    /// The line in which it begins, if the text has several.
    pub(super) line: Option<usize>,
    pub(super) automaton: Automaton,
}

/// The automata of a text.
#[derive(Default)]
pub(super) struct Specifications {
    pub(super) all: Vec<Specification>,
    /// The propositions, with the places where they are declared.
    pub(super) propositions: Vec<(Proposition, Range<usize>)>,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) errors: Vec<Diagnostic>,
}

impl Specifications {
    /// Reads a text with automata over words of a kind.
    pub(super) fn read(
        store: &mut Store,
        text: &str,
        words: WordKind,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let mut read = read_automata(store, text, &mut || budget.check())?;
        if is_planted(Mistake::OnlyTheFirst) {
            read.truncate(1);
        }
        let several = read.len() > 1;
        let mut specifications = Specifications::default();
        if read.is_empty() {
            let error = Diagnostic::error(0..0, "there is no automaton");
            specifications.errors.push(error.label("expected an automaton in HOA format"));
        }
        for automaton in read {
            specifications.add(text, automaton, words, several);
        }
        Ok(specifications)
    }

    fn add(&mut self, text: &str, read: ReadAutomaton, words: WordKind, several: bool) {
        let ReadAutomaton { name, span, proposition_places, automaton, warnings } = read;
        self.warnings.extend(warnings);
        let automaton = match automaton {
            Ok(automaton) => automaton,
            Err(errors) => return self.errors.extend(errors),
        };
        if automaton.words() != words {
            return self.errors.push(other_words(text, span.start, automaton.words()));
        }
        let propositions = automaton.propositions().iter().copied();
        self.propositions.extend(propositions.zip(proposition_places));
        let (line, _) = Source { name: "", text }.line_and_column(span.start);
        let automaton = as_read(automaton);
        self.all.push(Specification { name, line: several.then_some(line), automaton });
    }
}

/// The error for an automaton over words of another kind than those of the paths.
fn other_words(text: &str, start: usize, words: WordKind) -> Diagnostic {
    let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
    let start = start.min(end);
    let (message, help) = match words {
        WordKind::Infinite => (
            "this automaton is about infinite words, and `--finite` about finite paths",
            "automata over finite words have the type `sAFW` in ALASKA's syntax",
        ),
        WordKind::Finite => (
            "this automaton is about finite words, and paths are infinite",
            "`--finite` and `--finite=maximal` ask about finite paths",
        ),
    };
    Diagnostic::error(start..end, message).label("it begins here").help(help)
}

/// The words that violate a property.
pub(super) fn violation(automaton: Automaton, none: bool) -> Difference {
    match none != is_planted(Mistake::PolarityIsSwapped) {
        true => Difference::of(automaton),
        false => Difference::outside(automaton),
    }
}

/// The automaton of an assumption.
pub(super) fn assumed(
    store: &mut Store,
    formula: Formula,
    words: WordKind,
    budget: &Budget,
) -> Result<Automaton, Stop> {
    let (rewriting, interrupt) = (&Rewriting::Standard, &mut || budget.check());
    match words {
        WordKind::Infinite => {
            let automaton = generalised::<Stop>(store, formula, Level::High, rewriting, interrupt)?;
            Ok(automaton.into())
        }
        WordKind::Finite => {
            Ok(alternating::<Stop>(store, formula, words, rewriting, interrupt)?.into())
        }
    }
}
