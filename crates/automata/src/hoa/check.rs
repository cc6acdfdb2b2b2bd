//! Errors in an automaton whose text is well formed: numbers that are too large, duplicate states
//! and names, missing labels. All are reported together.

use std::ops::Range;

use kermode_base::Diagnostic;
use kermode_bdd::MOST_VARIABLES;
use rustc_hash::FxHashSet;

use super::acceptance::no_such_set;
use super::body::{ParsedEdge, StateItem};
use super::formula::Item;
use super::header::Header;
use super::label::{Label, Leaf};
use super::reader::Number;

/// The largest number of reported errors.
const MOST_ERRORS: usize = 100;

/// All errors, by place.
pub(super) fn check(text: &str, header: &Header, states: &[StateItem]) -> Vec<Diagnostic> {
    let mut check =
        AutomatonCheck { text, header, aliases: FxHashSet::default(), errors: Vec::new() };
    check.header();
    check.states(states);
    check.errors.sort_by_key(|error| error.span.start);
    check.errors.truncate(MOST_ERRORS);
    check.errors
}

struct AutomatonCheck<'t> {
    text: &'t str,
    header: &'t Header,
    /// The aliases that may be used.
    aliases: FxHashSet<&'t str>,
    errors: Vec<Diagnostic>,
}

impl<'t> AutomatonCheck<'t> {
    fn error(&mut self, span: &Range<usize>, message: String, label: impl Into<String>) {
        self.errors.push(Diagnostic::error(span.clone(), message).label(label));
    }

    fn proposition_count(&self) -> usize {
        self.header.propositions.as_ref().map_or(0, Vec::len)
    }

    fn header(&mut self) {
        let header = self.header;
        match &header.acceptance {
            Some(acceptance) => acceptance.check(&mut self.errors),
            None => {
                let missing = Diagnostic::error(header.span.clone(), "`Acceptance:` is missing");
                let help = "write `Acceptance: 0 t` if every run accepts";
                self.errors.push(missing.label("the header begins here").help(help));
            }
        }
        self.propositions();
        for (name, label) in &header.aliases {
            self.label(label);
            let alias = &self.text[name.clone()];
            if !self.aliases.insert(alias) {
                self.error(
                    name,
                    format!("alias `{alias}` is defined twice"),
                    "it has a meaning already",
                );
            }
        }
        header.starts.iter().flatten().for_each(|state| self.state(state));
    }

    fn propositions(&mut self) {
        let Some(names) = &self.header.propositions else { return };
        if let Some(excess) = names.get(MOST_VARIABLES) {
            let message = format!("{} propositions are too many", names.len());
            self.error(&excess.span, message, format!("at most {MOST_VARIABLES} can be handled"));
        }
        let mut seen = FxHashSet::default();
        for name in names.iter().filter(|name| !seen.insert(&name.name)) {
            self.error(
                &name.span,
                format!("`{}` is declared twice", name.name),
                "a proposition already",
            );
        }
    }

    /// A state that is named.
    fn state(&mut self, state: &Number) {
        if let Some(declared) = self.header.states.as_ref().filter(|n| state.value >= n.value) {
            let label = format!("`States:` declares {}", declared.value);
            self.error(&state.span, format!("there is no state {}", state.value), label);
        }
    }

    fn marks(&mut self, marks: &[Number]) {
        let Some(acceptance) = &self.header.acceptance else { return };
        let sets = acceptance.sets.value;
        let missing = marks.iter().filter(|mark| mark.value >= sets);
        self.errors.extend(missing.map(|mark| no_such_set(mark, sets)));
    }

    /// The leaves of a label.
    fn label(&mut self, label: &Label) {
        let count = self.proposition_count();
        for item in label {
            match item {
                Item::Leaf(Leaf::Proposition(number)) if number.value >= count as u64 => {
                    let message = format!("there is no proposition {}", number.value);
                    self.error(&number.span, message, format!("`AP:` declares {count}"));
                }
                Item::Leaf(Leaf::Alias(name))
                    if !self.aliases.contains(&self.text[name.clone()]) =>
                {
                    let message = format!("unknown alias `{}`", &self.text[name.clone()]);
                    self.error(name, message, "not defined by an `Alias:` above");
                }
                _ => {}
            }
        }
    }

    fn states(&mut self, states: &[StateItem]) {
        let mut defined = FxHashSet::default();
        for state in states {
            if !defined.insert(state.number.value) {
                let message = format!("state {} is there twice", state.number.value);
                self.error(&state.number.span, message, "its edges stand above");
            }
            self.state(&state.number);
            self.marks(&state.marks);
            state.label.iter().for_each(|label| self.label(label));
            for edge in &state.edges {
                edge.label.iter().for_each(|label| self.label(label));
                edge.targets.iter().for_each(|target| self.state(target));
                self.marks(&edge.marks);
            }
            self.labelling(state);
        }
    }

    /// Whether the labels are where they should be: on the state, on all of its edges, or on none
    /// of them.
    fn labelling(&mut self, state: &StateItem) {
        let labelled = |edge: &&ParsedEdge| edge.label.is_some();
        let with = state.edges.iter().find(labelled);
        let without = state.edges.iter().find(|edge| !labelled(edge));
        match (&state.label, with, without) {
            (Some(_), Some(edge), _) => {
                let message = "both the state and this edge have a label".to_owned();
                self.error(
                    &edge.span,
                    message,
                    "a label stands on the state or on all of its edges",
                );
            }
            (None, Some(_), Some(edge)) => {
                let message = "this edge has no label, and others of its state do".to_owned();
                self.error(&edge.span, message, "expected a label in brackets before it");
            }
            (None, None, Some(_)) => self.implicit(state),
            _ => {}
        }
    }

    /// Edges without labels: the first is that of the letter without propositions, and so on.
    fn implicit(&mut self, state: &StateItem) {
        let (edges, propositions) = (state.edges.len(), self.proposition_count());
        let letters = u32::try_from(propositions).ok().and_then(|n| 1usize.checked_shl(n));
        if letters != Some(edges) {
            let number = state.number.value;
            let message = format!("state {number} has {edges} edges without labels");
            let label = format!("expected 2^{propositions}: one for each letter");
            self.error(&state.number.span, message, label);
        }
    }
}
