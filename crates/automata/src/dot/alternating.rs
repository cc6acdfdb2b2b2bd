//! Alternating automata as pictures for Graphviz, drawn as figure 1 of \[DDMR08\]: one arrow per
//! set of locations of the transition's disjuncts, labelled with their literals, and forked if it
//! has several locations. An arrow without a location has no target. Accepting locations have a
//! double border.
//!
//! The disjunctive normal form may be exponential. If it is too large, the expression itself is
//! drawn: boxes for its connectives, shared as they are stored.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use kermode_ltl::{Proposition, Store};
use rustc_hash::FxBuildHasher;

use super::label::{broken, literal};
use super::picture::{BEGINNING, EdgeLine, Picture, StateStyle, beginning, escape, shown_names};
use crate::alternating::{AlternatingAutomaton, Location};
use crate::expression::{Expression, Term};

/// The largest number of disjuncts of a transition that are drawn as arrows.
const MOST_DISJUNCTS: usize = 24;
const MOST_CONJUNCTS: usize = 24;

/// Writes an automaton whose propositions are of the store.
pub fn to_dot(store: &Store, automaton: &AlternatingAutomaton) -> String {
    let forms = normal_forms(automaton);
    let names: Vec<Option<&str>> =
        automaton.locations().map(|location| Some(automaton.label(location))).collect();
    let shown = shown_names(&names);
    let mut writer = DotWriter { store, automaton, picture: Picture::new(&shown) };
    writer.locations(&shown);
    let mut undrawn: Vec<Expression> = Vec::new();
    writer.picture.line(&beginning());
    writer.condition(BEGINNING, automaton.initial(), &forms, &mut undrawn);
    for location in automaton.locations() {
        let transition = automaton.transition(location);
        writer.condition(&node(location), transition, &forms, &mut undrawn);
    }
    writer.expressions(&automaton.expressions().below(&undrawn));
    writer.picture.finished()
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

struct DotWriter<'a> {
    store: &'a Store,
    automaton: &'a AlternatingAutomaton,
    picture: Picture,
}

impl DotWriter<'_> {
    fn locations(&mut self, shown: &[String]) {
        for (location, shown) in self.automaton.locations().zip(shown) {
            let style = StateStyle {
                name: Some(self.automaton.label(location)),
                accepting: self.automaton.is_accepting(location),
                marks: None,
            };
            self.picture.state(&node(location), shown, style);
        }
    }

    /// The arrows of a condition, or an arrow to its expression.
    fn condition(
        &mut self,
        source: &str,
        condition: Expression,
        forms: &[Form],
        undrawn: &mut Vec<Expression>,
    ) {
        let Some(cubes) = &forms[condition.index()] else {
            undrawn.push(condition);
            self.picture.line(&format!("  {source} -> e{}", condition.index()));
            return;
        };
        let mut arrows: IndexMap<&BTreeSet<Location>, Vec<&TransitionCube>, FxBuildHasher> =
            IndexMap::default();
        for cube in cubes {
            arrows.entry(&cube.locations).or_default().push(cube);
        }
        for (locations, cubes) in arrows {
            // No letter is read at the beginning.
            let cubes = cubes.into_iter().filter(|_| source != BEGINNING);
            let parts: Vec<Vec<String>> = cubes.map(|cube| self.literals(cube)).collect();
            let lines = broken(&parts, "&", "|").into_iter();
            let lines = lines.map(|text| EdgeLine { text, ..EdgeLine::default() });
            self.arrow(source, locations, &lines.collect::<Vec<_>>());
        }
    }

    /// One arrow, forked if it leads to several locations.
    fn arrow(&mut self, source: &str, locations: &BTreeSet<Location>, lines: &[EdgeLine]) {
        let targets: Vec<String> = locations.iter().map(|&location| node(location)).collect();
        match &targets[..] {
            [] => {
                let void = self.picture.point("width=0, style=invis");
                self.picture.edge(source, &void, lines);
            }
            [target] => self.picture.edge(source, target, lines),
            _ => {
                let fork = self.picture.point("width=0.06");
                self.picture.stem(source, &fork, lines);
                for target in targets {
                    self.picture.line(&format!("  {fork} -> {target}"));
                }
            }
        }
    }

    fn literals(&self, cube: &TransitionCube) -> Vec<String> {
        let literals = cube.literals.iter().map(|&(p, positive)| literal(self.store, p, positive));
        match cube.literals.is_empty() {
            true => vec!["true".to_owned()],
            false => literals.collect(),
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
            self.picture.line(&match term {
                Term::Location(_) => format!("  {name} [shape=point, width=0.06]"),
                _ => format!("  {name} [shape=box, style=\"\", label=\"{label}\"]"),
            });
            if let Term::Location(location) = term {
                self.picture.line(&format!("  {name} -> {}", node(location)));
            }
            for operand in term.operands() {
                self.picture.line(&format!("  {name} -> e{} [style=dashed]", operand.index()));
            }
        }
    }
}
