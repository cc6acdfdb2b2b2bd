//! From an automaton to ALASKA's text, laid out as the paper does.
//!
//! Sharing is lost: the text of a transition is as large as its tree, which can be exponential in
//! what is stored. That is counted first and refused past a limit. Chains of one connective need no
//! parentheses, so reading back gives the same expressions up to the grouping of chains.

use kermode_base::quoting::quote;
use kermode_ltl::{Store, WordKind};
use rustc_hash::FxHashSet;

use super::fields::number;
use super::{BUCHI, FINITE, constant, is_name_character};
use crate::alternating::{AlternatingAutomaton, Location};
use crate::expression::{Expression, Term};

/// How many leaves all conditions together may have.
const LIMIT: u64 = 10_000_000;

/// What locations are called in the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LocationNames {
    /// Numbers, with the label of each in a comment.
    #[default]
    Numbers,
    /// Their labels; numbers, too, if two locations have one label or a proposition has it as its
    /// name.
    Labels,
}

/// The conditions are too large to be written without sharing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the conditions written out have {leaves} leaves, more than {LIMIT}")]
pub struct TextTooLarge {
    /// How many there would be, or the largest number.
    pub leaves: u64,
}

/// Writes an automaton whose propositions are of the store.
pub fn write(
    store: &Store,
    automaton: &AlternatingAutomaton,
    names: LocationNames,
) -> Result<String, TextTooLarge> {
    let leaves = written_leaves(automaton);
    if leaves > LIMIT {
        return Err(TextTooLarge { leaves });
    }
    let names = match names {
        LocationNames::Labels => labels(store, automaton),
        LocationNames::Numbers => None,
    };
    let names = names.unwrap_or_else(|| numbers(store, automaton));
    Ok(Writer { store, automaton, names }.write())
}

/// The leaves of all conditions as trees.
fn written_leaves(automaton: &AlternatingAutomaton) -> u64 {
    let mut leaves: Vec<u64> = Vec::new();
    for (_, term) in automaton.expressions().iter() {
        let sum = term.operands().fold(0u64, |sum, e| sum.saturating_add(leaves[e.index()]));
        leaves.push(sum.max(1));
    }
    let transitions = automaton.locations().map(|l| automaton.transition(l));
    let roots = transitions.chain([automaton.initial()]);
    roots.fold(0, |sum, root| sum.saturating_add(leaves[root.index()]))
}

/// The labels, unless one is that of two locations or the name of a proposition.
fn labels(store: &Store, automaton: &AlternatingAutomaton) -> Option<Vec<String>> {
    let mut taken = proposition_names(store, automaton);
    let label = |l| taken.insert(automaton.label(l)).then(|| automaton.label(l).to_owned());
    automaton.locations().map(label).collect()
}

/// Numbers from 0, without those that are names of propositions.
fn numbers(store: &Store, automaton: &AlternatingAutomaton) -> Vec<String> {
    let taken = proposition_names(store, automaton);
    let numbers = (0u64..).map(|number| number.to_string());
    numbers.filter(|n| !taken.contains(n.as_str())).take(automaton.location_count()).collect()
}

fn proposition_names<'s>(store: &'s Store, automaton: &AlternatingAutomaton) -> FxHashSet<&'s str> {
    automaton.propositions().iter().map(|&p| store.name(p)).collect()
}

struct Writer<'a> {
    store: &'a Store,
    automaton: &'a AlternatingAutomaton,
    names: Vec<String>,
}

impl Writer<'_> {
    fn write(&self) -> String {
        let automaton = self.automaton;
        let automaton_type = match automaton.words() {
            WordKind::Infinite => BUCHI,
            WordKind::Finite => FINITE,
        };
        let list = |items: Vec<String>| items.join(",");
        let locations = list(automaton.locations().map(|l| self.declared(l)).collect());
        let propositions = automaton.propositions().iter();
        let propositions = list(propositions.map(|&p| quote(self.store.name(p))).collect());
        let accepting = automaton.locations().filter(|&l| automaton.is_accepting(l));
        let accepting = list(accepting.map(|l| self.declared(l)).collect());
        let initial = self.condition(automaton.initial());
        let transitions: String = automaton.locations().map(|l| self.transition(l)).collect();
        format!(
            "(\n    automaton_type = \"{automaton_type}\"\n  , locations = [{locations}]\n  , \
             propositions = [{propositions}]\n  , initial_constraint = \"{initial}\"\n  , \
             accepting_locations = [{accepting}]\n  , transition_function = {{\n{transitions}    \
             }}\n)\n"
        )
    }

    /// A line for the transition of a location, one for its label before it if numbers are written.
    fn transition(&self, location: Location) -> String {
        let separator = if location.index() == 0 { "     " } else { "    ," };
        let label = self.automaton.label(location);
        let comment = match label == self.names[location.index()] {
            true => String::new(),
            false => format!("      # {}\n", label.replace(char::is_control, " ")),
        };
        let condition = self.condition(self.automaton.transition(location));
        format!("{comment}{separator} {} : \"{condition}\"\n", self.declared(location))
    }

    /// A location outside of conditions: a number, or a name in quotes.
    fn declared(&self, location: Location) -> String {
        let name = &self.names[location.index()];
        match number(name) == Some(name) {
            true => name.clone(),
            false => quote(name),
        }
    }

    /// A condition, with an explicit stack of what is still to be written, last first.
    fn condition(&self, root: Expression) -> String {
        let mut out = String::new();
        let mut todo = vec![Todo::Expression(root)];
        while let Some(next) = todo.pop() {
            let expression = match next {
                Todo::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Todo::Expression(expression) => expression,
            };
            match self.automaton.expressions().term(expression) {
                Term::Constant(value) => out.push_str(if value { "true" } else { "false" }),
                Term::Literal { proposition, positive } => {
                    out.push_str(if positive { "" } else { "~" });
                    out.push_str(&name(self.store.name(proposition)));
                }
                Term::Location(location) => out.push_str(&name(&self.names[location.index()])),
                term @ (Term::And(a, b) | Term::Or(a, b)) => {
                    let conjunction = matches!(term, Term::And(..));
                    self.push_operand(&mut todo, b, conjunction);
                    todo.push(Todo::Text(if conjunction { " & " } else { " | " }));
                    self.push_operand(&mut todo, a, conjunction);
                }
            }
        }
        out
    }

    /// An operand, in parentheses if it has the other connective. Those around conjunctions are for
    /// people.
    fn push_operand(&self, todo: &mut Vec<Todo>, operand: Expression, conjunction: bool) {
        let parentheses = match self.automaton.expressions().term(operand) {
            Term::And(..) => !conjunction,
            Term::Or(..) => conjunction,
            _ => false,
        };
        if parentheses {
            todo.extend([Todo::Text(")"), Todo::Expression(operand), Todo::Text("(")]);
        } else {
            todo.push(Todo::Expression(operand));
        }
    }
}

enum Todo {
    Expression(Expression),
    Text(&'static str),
}

/// A name inside a condition: plain, or in quotes where it would not be read as that name.
fn name(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(is_name_character);
    let canonical = number(name).is_none_or(|digits| digits == name);
    match plain && canonical && constant(name).is_none() {
        true => name.to_owned(),
        false => quoted_inside(name),
    }
}

/// A name in single quotation marks, inside of double ones.
fn quoted_inside(name: &str) -> String {
    let double = quote(name);
    format!("'{}'", double[1..double.len() - 1].replace('\'', "\\'"))
}
