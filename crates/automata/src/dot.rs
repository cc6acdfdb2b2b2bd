//! Automata as pictures for Graphviz, drawn as figure 1 of \[DDMR08\]: one arrow per disjunct of
//! the transition, labelled with its literals, and forked if it has several locations. An arrow
//! without a location has no target. Accepting locations have a double border.
//!
//! The disjunctive normal form may be exponential. If it is too large, the expression itself is
//! drawn: boxes for its connectives, shared as they are stored.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use kermode_ltl::{Proposition, Store};

use crate::alternating::{AlternatingAutomaton, Location};
use crate::expression::{Expression, Term};

/// The largest number of disjuncts of a transition that are drawn as arrows.
const MOST_DISJUNCTS: usize = 24;
const MOST_CONJUNCTS: usize = 24;

/// The invisible node from which the initial arrows come.
pub const BEGINNING: &str = "initial";

/// Writes an automaton whose propositions are of the store.
pub fn to_dot(store: &Store, automaton: &AlternatingAutomaton) -> String {
    let forms = normal_forms(automaton);
    let mut picture = DotWriter { store, automaton, out: String::new(), points: 0 };
    OPENING.iter().for_each(|line| picture.line(line));
    picture.locations();
    let mut undrawn: Vec<Expression> = Vec::new();
    picture.line(&beginning());
    picture.condition(BEGINNING, automaton.initial(), &forms, &mut undrawn);
    for location in automaton.locations() {
        let transition = automaton.transition(location);
        picture.condition(&node(location), transition, &forms, &mut undrawn);
    }
    picture.expressions(&automaton.expressions().below(&undrawn));
    picture.line("}");
    picture.out
}

/// The first lines of a picture.
pub const OPENING: [&str; 4] = [
    "digraph automaton {",
    "  rankdir=LR",
    "  node [shape=ellipse, fontsize=12]",
    "  edge [arrowsize=0.7, fontsize=11]",
];

/// The invisible node from which the initial arrows come.
pub fn beginning() -> String {
    format!("  {BEGINNING} [shape=point, style=invis]")
}

/// A conjunction of literals and locations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct TransitionCube {
    literals: BTreeSet<(Proposition, bool)>,
    locations: BTreeSet<Location>,
}

impl TransitionCube {
    /// The conjunction, unless it is contradictory.
    fn and(&self, other: &TransitionCube) -> Option<TransitionCube> {
        let contradicts =
            |&(p, positive): &(Proposition, bool)| other.literals.contains(&(p, !positive));
        if self.literals.iter().any(contradicts) {
            return None;
        }
        Some(TransitionCube {
            literals: &self.literals | &other.literals,
            locations: &self.locations | &other.locations,
        })
    }

    fn len(&self) -> usize {
        self.literals.len() + self.locations.len()
    }

    fn implies(&self, other: &TransitionCube) -> bool {
        self.literals.is_superset(&other.literals) && self.locations.is_superset(&other.locations)
    }
}

/// A disjunction of cubes of which none implies another; nothing if there are too many.
type Form = Option<Vec<TransitionCube>>;

/// The disjunctive normal form of each expression.
fn normal_forms(automaton: &AlternatingAutomaton) -> Vec<Form> {
    let mut forms: Vec<Form> = vec![None; automaton.expressions().len()];
    for expression in automaton.used_expressions() {
        let of = |e: Expression| forms[e.index()].as_deref();
        let form = match automaton.expressions().term(expression) {
            Term::Constant(true) => Some(vec![TransitionCube::default()]),
            Term::Constant(false) => Some(Vec::new()),
            Term::Literal { proposition, positive } => Some(vec![TransitionCube {
                literals: [(proposition, positive)].into(),
                ..TransitionCube::default()
            }]),
            Term::Location(l) => {
                Some(vec![TransitionCube { locations: [l].into(), ..TransitionCube::default() }])
            }
            Term::Or(a, b) => {
                of(a).zip(of(b)).and_then(|(a, b)| minimal(a.iter().chain(b).cloned()))
            }
            Term::And(a, b) => of(a).zip(of(b)).and_then(|(a, b)| {
                minimal(a.iter().flat_map(|a| b.iter().filter_map(|b| a.and(b))))
            }),
        };
        forms[expression.index()] = form;
    }
    forms
}

fn minimal(cubes: impl Iterator<Item = TransitionCube>) -> Form {
    let mut kept: Vec<TransitionCube> = Vec::new();
    for cube in cubes {
        if !kept.iter().any(|other| cube.implies(other)) {
            kept.retain(|other| !other.implies(&cube));
            kept.push(cube);
        }
        if kept.len() > MOST_DISJUNCTS || kept.iter().any(|cube| cube.len() > MOST_CONJUNCTS) {
            return None;
        }
    }
    Some(kept)
}

fn node(location: Location) -> String {
    format!("l{}", location.index())
}

/// A text between the quotes of DOT.
pub fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// A proposition or its negation, for display.
pub(crate) fn literal(store: &Store, proposition: Proposition, positive: bool) -> String {
    format!("{}{}", if positive { "" } else { "!" }, store.name(proposition))
}

struct DotWriter<'a> {
    store: &'a Store,
    automaton: &'a AlternatingAutomaton,
    out: String,
    points: usize,
}

impl DotWriter<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{text}");
    }

    fn locations(&mut self) {
        for location in self.automaton.locations() {
            let label = escape(self.automaton.label(location));
            let border = if self.automaton.is_accepting(location) { ", peripheries=2" } else { "" };
            self.line(&format!("  {} [label=\"{label}\"{border}]", node(location)));
        }
    }

    /// A node without a label: where an arrow begins, forks or ends.
    fn point(&mut self, style: &str) -> String {
        let name = format!("p{}", self.points);
        self.points += 1;
        self.line(&format!("  {name} [shape=point, width=0.04, {style}]"));
        name
    }

    /// The arrows of a condition, or an arrow to its expression.
    fn condition(
        &mut self,
        source: &str,
        condition: Expression,
        forms: &[Form],
        undrawn: &mut Vec<Expression>,
    ) {
        match &forms[condition.index()] {
            Some(cubes) => cubes.iter().for_each(|cube| self.arrow(source, cube)),
            None => {
                undrawn.push(condition);
                self.line(&format!("  {source} -> e{}", condition.index()));
            }
        }
    }

    /// One arrow, forked if it leads to several locations.
    fn arrow(&mut self, source: &str, cube: &TransitionCube) {
        // No letter is read at the beginning.
        let label = if source == BEGINNING { String::new() } else { escape(&self.literals(cube)) };
        let targets: Vec<String> = cube.locations.iter().map(|&l| node(l)).collect();
        match &targets[..] {
            [] => {
                let void = self.point("style=invis");
                self.line(&format!("  {source} -> {void} [label=\"{label}\"]"));
            }
            [target] => self.line(&format!("  {source} -> {target} [label=\"{label}\"]")),
            _ => {
                let fork = self.point("style=filled");
                self.line(&format!("  {source} -> {fork} [label=\"{label}\", dir=none]"));
                targets.iter().for_each(|target| self.line(&format!("  {fork} -> {target}")));
            }
        }
    }

    fn literals(&self, cube: &TransitionCube) -> String {
        let literals = cube.literals.iter().map(|&(p, positive)| literal(self.store, p, positive));
        match cube.literals.is_empty() {
            true => "true".to_owned(),
            false => literals.collect::<Vec<_>>().join(" & "),
        }
    }

    /// Boxes for expressions that are not drawn as arrows.
    fn expressions(&mut self, expressions: &[Expression]) {
        for &expression in expressions {
            let name = format!("e{}", expression.index());
            let term = self.automaton.expressions().term(expression);
            let label = match term {
                Term::Constant(value) => value.to_string(),
                Term::Literal { proposition, positive } => {
                    literal(self.store, proposition, positive)
                }
                Term::Location(_) => String::new(),
                Term::And(..) => "&".to_owned(),
                Term::Or(..) => "|".to_owned(),
            };
            let label = escape(&label);
            match term {
                Term::Location(location) => {
                    self.line(&format!("  {name} [shape=point, width=0.04]"));
                    self.line(&format!("  {name} -> {}", node(location)));
                }
                _ => self.line(&format!("  {name} [shape=box, label=\"{label}\"]")),
            }
            for operand in term.operands() {
                self.line(&format!("  {name} -> e{} [style=dashed]", operand.index()));
            }
        }
    }
}
