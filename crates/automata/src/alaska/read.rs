//! From a text to an automaton: the fields are checked against each other, and everything that is
//! wrong with them is said at once.

use std::ops::Range;

use indexmap::map::Entry;
use kermode_base::Diagnostic;
use kermode_ltl::{Proposition, Store, WordKind};

use super::condition::{Role, Symbol, Symbols, read_condition};
use super::fields::{Fields, read_fields};
use super::{BUCHI, FINITE};
use crate::alternating::{AlternatingAutomaton, Location};
use crate::expression::Expression;
use crate::name::Name;

/// Reads an automaton, which is all of the text. Its propositions become propositions of the store,
/// and the names of locations their labels.
pub fn read(store: &mut Store, text: &str) -> Result<AlternatingAutomaton, Vec<Diagnostic>> {
    read_with_places(store, text).map(|(automaton, _)| automaton)
}

/// The same, with the places where its propositions are declared, in their order.
pub(crate) fn read_with_places(
    store: &mut Store,
    text: &str,
) -> Result<(AlternatingAutomaton, Vec<Range<usize>>), Vec<Diagnostic>> {
    let fields = read_fields(text).map_err(|error| vec![error])?;
    let mut reading = FieldReader { text, symbols: Symbols::default(), errors: Vec::new() };
    let words = reading.words(&fields.automaton_type);
    let propositions = reading.declare(store, &fields);
    let mut automaton = AlternatingAutomaton::new(words, propositions);
    reading.locations(&fields, &mut automaton);
    reading.transitions(&fields, &mut automaton);
    if let Some(initial) = reading.condition(&fields.initial, Role::Initial, &mut automaton) {
        automaton.set_initial(initial);
    }
    match reading.errors.is_empty() {
        true => {
            let places = fields.propositions.into_iter().map(|name| name.span).collect();
            Ok((automaton, places))
        }
        false => {
            reading.errors.sort_by_key(|error| error.span.start);
            Err(reading.errors)
        }
    }
}

struct FieldReader<'t> {
    text: &'t str,
    symbols: Symbols,
    errors: Vec<Diagnostic>,
}

impl FieldReader<'_> {
    fn error(&mut self, place: &Name, message: String, label: &str) {
        self.errors.push(Diagnostic::error(place.span.clone(), message).label(label));
    }

    fn words(&mut self, automaton_type: &Name) -> WordKind {
        match automaton_type.name.as_str() {
            FINITE => return WordKind::Finite,
            BUCHI => {}
            other => {
                let message = format!("unknown type of automaton `{other}`");
                let help = format!(
                    "`{BUCHI}` is an alternating Büchi automaton, `{FINITE}` one over finite words"
                );
                let error = Diagnostic::error(automaton_type.span.clone(), message);
                self.errors
                    .push(error.label(format!("expected `{BUCHI}` or `{FINITE}`")).help(help));
            }
        }
        WordKind::Infinite
    }

    /// Gives every name its meaning.
    fn declare(&mut self, store: &mut Store, fields: &Fields) -> Vec<Proposition> {
        for (index, name) in fields.locations.iter().enumerate() {
            self.declare_one(name, Symbol::Location(Location::from_index(index)));
        }
        let mut propositions = Vec::new();
        for name in &fields.propositions {
            let proposition = store.proposition(&name.name);
            self.declare_one(name, Symbol::Proposition(proposition));
            propositions.push(proposition);
        }
        propositions
    }

    fn declare_one(&mut self, name: &Name, symbol: Symbol) {
        let taken = match self.symbols.entry(name.name.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(symbol);
                return;
            }
            Entry::Occupied(entry) => *entry.get(),
        };
        let (message, label) = match (taken, symbol) {
            (Symbol::Location(_), Symbol::Proposition(_)) => {
                ("is a location and a proposition", "the name of a location already")
            }
            (Symbol::Location(_), _) => ("is declared twice", "a location already"),
            (Symbol::Proposition(_), _) => ("is declared twice", "a proposition already"),
        };
        self.error(name, format!("`{}` {message}", name.name), label);
    }

    /// The location of a name, or an error.
    fn location(&mut self, name: &Name) -> Option<Location> {
        if let Some(&Symbol::Location(location)) = self.symbols.get(&name.name) {
            return Some(location);
        }
        self.error(name, format!("unknown location `{}`", name.name), "not among the `locations`");
        None
    }

    fn locations(&mut self, fields: &Fields, automaton: &mut AlternatingAutomaton) {
        let mut accepting = vec![false; fields.locations.len()];
        for name in &fields.accepting {
            if let Some(location) = self.location(name) {
                accepting[location.index()] = true;
            }
        }
        for (name, accepting) in fields.locations.iter().zip(accepting) {
            automaton.add_location(name.name.clone(), accepting);
        }
    }

    fn transitions(&mut self, fields: &Fields, automaton: &mut AlternatingAutomaton) {
        let mut has_transition = vec![false; fields.locations.len()];
        for (name, condition) in &fields.transitions {
            let transition = self.condition(condition, Role::Transition, automaton);
            let Some(location) = self.location(name) else { continue };
            if std::mem::replace(&mut has_transition[location.index()], true) {
                let message = format!("location `{}` has two transitions", name.name);
                self.error(name, message, "it has one above");
            }
            if let Some(transition) = transition {
                automaton.set_transition(location, transition);
            }
        }
        for (name, index) in fields.locations.iter().zip(0..).filter(|&(_, i)| !has_transition[i]) {
            // Of a location that is declared twice the first declaration counts.
            if self.location(name).is_none_or(|location| location.index() != index) {
                continue;
            }
            let message = format!("location `{}` has no transition", name.name);
            let help = "add it to `transition_function`; from a location with `\"false\"` nothing is accepted";
            let error = Diagnostic::error(name.span.clone(), message);
            self.errors.push(error.label("declared here").help(help));
        }
    }

    fn condition(
        &mut self,
        part: &Range<usize>,
        role: Role,
        automaton: &mut AlternatingAutomaton,
    ) -> Option<Expression> {
        let expressions = automaton.expressions_mut();
        match read_condition(self.text, part.clone(), role, &self.symbols, expressions) {
            Ok(condition) => Some(condition),
            Err(error) => {
                self.errors.push(error);
                None
            }
        }
    }
}
