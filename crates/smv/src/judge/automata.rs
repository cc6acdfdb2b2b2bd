//! Does an automaton accept the word of some path of a model, and does it reject one?
//!
//! **Infinite words.** An alternating automaton becomes a nondeterministic one by the oracle of
//! `crates/automata`, others are taken as they are read, with their acceptance conditions. Nothing
//! is complemented: [`lassos`](super::lassos) goes through all lassos of the model up to an
//! equivalence that respects acceptance.
//!
//! **Finite words.** The locations from which an automaton accepts the rest of a word depend on the
//! next letter and on the locations after it. So a backward search from the ends of paths, with
//! sets of locations, has all paths.

use kermode_automata::emerson_lei::{Atom, Condition};
use kermode_automata::explicit::Explicit;
use kermode_automata::{AlternatingAutomaton, Automaton, Tgba};
use kermode_ltl::{Letter, Proposition};
use rustc_hash::FxHashSet;

use super::lassos::{Nondeterministic, Step, classify};
use super::{Ending, Graph, Unjudged};
use crate::interpreter::Fairness;
use crate::property::FlatAtoms;

/// The words of some paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Acceptance {
    /// Whether the automaton accepts the word of some path.
    pub accepts_some: bool,
    /// Whether it rejects the word of some path.
    pub rejects_some: bool,
}

impl Acceptance {
    pub(super) fn add(&mut self, is_accepted: bool) {
        match is_accepted {
            true => self.accepts_some = true,
            false => self.rejects_some = true,
        }
    }

    /// Whether there is nothing more to find.
    pub(super) fn is_full(self) -> bool {
        self.accepts_some && self.rejects_some
    }
}

/// The letters of a graph as an automaton over some propositions reads them, by their numbers.
fn letters(graph: &Graph<'_>, propositions: &[Proposition], atoms: &FlatAtoms) -> Vec<Letter> {
    let place = |&p: &Proposition| {
        let expression = atoms.expression(p).expect("an atom of the model");
        (p, graph.place(expression).expect("an observed expression"))
    };
    let places: Vec<(Proposition, usize)> = propositions.iter().map(place).collect();
    let read = |values: &[bool]| -> Letter {
        places.iter().filter(|(_, place)| values[*place]).map(|&(p, _)| p).collect()
    };
    (0..graph.letter_count()).map(|number| read(graph.letter(number as u32))).collect()
}

/// Considers the infinite fair paths of a model from its initial states.
///
/// # Errors
/// If the model or the automaton is too large, or if `interrupt` returns an error.
///
/// # Panics
/// When the automaton has finite words, or when a proposition is no atom of the model or is not
/// observed by the graph.
pub fn fair_words<E>(
    graph: &Graph<'_>,
    automaton: &Automaton,
    atoms: &FlatAtoms,
    fairness: Fairness,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Acceptance, Unjudged<E>> {
    let letters = letters(graph, automaton.propositions(), atoms);
    let automaton = match automaton {
        Automaton::Tgba(automaton) => {
            let marks = (0..automaton.mark_count()).map(|mark| Atom::Inf(mark).into());
            of_graph(automaton, Condition::all(marks), &letters)
        }
        Automaton::EmersonLei(automaton) => {
            of_graph(automaton.graph(), automaton.condition().clone(), &letters)
        }
        Automaton::Alternating(automaton) => {
            let explicit = Explicit::new(automaton);
            let explicit = explicit.map_err(|error| Unjudged::TooLarge {
                what: "locations of an automaton",
                limit: error.locations - 1,
            })?;
            of_explicit(&explicit, &letters)
        }
    };
    classify(graph, &automaton, fairness, interrupt)
}

fn of_graph(graph: &Tgba, condition: Condition, letters: &[Letter]) -> Nondeterministic {
    let steps = letters.iter().map(|letter| {
        let read = graph.transitions().filter(|(_, t)| graph.reads(&t.label, letter));
        let step = read.map(|(source, t)| Step {
            source: source.index(),
            target: t.target.index(),
            marks: t.marks.clone(),
        });
        step.collect()
    });
    Nondeterministic {
        initial: graph.initial().iter().map(|state| state.index()).collect(),
        steps: steps.collect(),
        condition,
    }
}

/// Steps that leave accepting states have a mark.
fn of_explicit(explicit: &Explicit, letters: &[Letter]) -> Nondeterministic {
    let steps = letters.iter().map(|letter| {
        let states = 0..explicit.state_count();
        let step = states.flat_map(|source| {
            let marks = (0..1).filter(|_| explicit.is_accepting(source)).collect();
            let step = move |target| Step { source, target, marks: Clone::clone(&marks) };
            explicit.successors(source, letter).map(step)
        });
        step.collect()
    });
    Nondeterministic {
        initial: explicit.initial().collect(),
        steps: steps.collect(),
        condition: Atom::Inf(0).into(),
    }
}

/// Considers the nonempty finite paths of a model from its initial states.
///
/// # Errors
/// If `interrupt` returns an error.
///
/// # Panics
/// When the automaton has infinite words, or when a proposition is no atom of the model or is not
/// observed by the graph.
pub fn finite_words<E>(
    graph: &Graph<'_>,
    automaton: &AlternatingAutomaton,
    atoms: &FlatAtoms,
    ending: Ending,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Acceptance, Unjudged<E>> {
    let letters = letters(graph, automaton.propositions(), atoms);
    // The locations from which a word is accepted, given those after its first letter.
    let before = |letter: u32, after: &[bool]| -> Vec<bool> {
        let values = automaton.values(&letters[letter as usize], |l| after[l.index()]);
        automaton.locations().map(|l| values[automaton.transition(l).index()]).collect()
    };
    let mut predecessors: Vec<Vec<(usize, u32)>> = vec![Vec::new(); graph.states.len()];
    for source in 0..graph.states.len() {
        for edge in &graph.edges[graph.leaving(source)] {
            predecessors[edge.target as usize].push((source, edge.letter));
        }
    }
    let alpha: Vec<bool> = automaton.locations().map(|l| automaton.is_accepting(l)).collect();
    let may_end = |&state: &usize| ending == Ending::Anywhere || graph.leaving(state).is_empty();
    let ends = (0..graph.states.len()).filter(may_end);
    let mut todo: Vec<(usize, Vec<bool>)> =
        ends.map(|state| (state, before(graph.state_letters[state], &alpha))).collect();
    let mut seen: FxHashSet<(usize, Vec<bool>)> = todo.iter().cloned().collect();
    let mut found = Acceptance::default();
    while let Some((state, accepted)) = todo.pop() {
        interrupt().map_err(Unjudged::Interrupted)?;
        if state < graph.initial {
            let values = automaton.values(&Letter::default(), |l| accepted[l.index()]);
            found.add(values[automaton.initial().index()]);
        }
        for &(source, letter) in &predecessors[state] {
            let node = (source, before(letter, &accepted));
            if seen.insert(node.clone()) {
                todo.push(node);
            }
        }
    }
    Ok(found)
}
