//! Deterministic automata in the format in which MONA prints them (`mona -w`) \[KM01\]: one line
//! per path of a state's diagram, with `0`, `1` or `X` (either) for each proposition.
//!
//! MONA's automata of formulas begin with a state in which the values of first-order variables are
//! read. There is no such state here.

use kermode_base::quoting::quote;
use kermode_ltl::{Proposition, Store};

use super::diagram::{Diagram, DiagramNode};
use super::edges::Extent;
use super::graph::Dfa;

/// How many lines there may be.
const LIMIT: u64 = 1_000_000;

/// The automaton has too many paths to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the automaton has {lines} paths, more than {LIMIT}")]
pub struct TooManyPaths {
    /// How many lines there would be, or the largest number.
    pub lines: u64,
}

impl Dfa {
    /// Writes an automaton whose propositions are of the store.
    pub fn to_mona(&self, store: &Store, extent: Extent) -> Result<String, TooManyPaths> {
        let lines = self.path_count();
        if lines > LIMIT {
            return Err(TooManyPaths { lines });
        }
        let hidden = self.hidden(extent);
        let number = |state: u32| state - u32::from(hidden.is_some_and(|hidden| state > hidden));
        let states = (0..self.state_count() as u32).filter(|&state| Some(state) != hidden);
        let states: Vec<u32> = states.collect();
        let list = |accepting: bool| {
            let chosen = states.iter().filter(|&&state| self.is_accepting(state) == accepting);
            chosen.map(|&state| format!(" {}", number(state))).collect::<String>()
        };
        let names = self.propositions().iter().map(|&p| format!(" {}", name(store, p)));
        let mut text = format!(
            "DFA for formula with free variables:{}\nInitial state: 0\nAccepting states:{}\n\
             Rejecting states:{}\n\nAutomaton has {} states and {} BDD-nodes\nTransitions:\n",
            names.collect::<String>(),
            list(true),
            list(false),
            states.len(),
            self.diagrams().len(),
        );
        for &state in &states {
            for (values, target) in self.paths(self.successors(state)) {
                if Some(target) != hidden {
                    let (state, target) = (number(state), number(target));
                    text.push_str(&format!("State {state}: {values} -> state {target}\n"));
                }
            }
        }
        Ok(text)
    }

    /// The number of paths of all diagrams.
    fn path_count(&self) -> u64 {
        let mut paths: Vec<u64> = Vec::new();
        for diagram in self.diagrams().all() {
            paths.push(match self.diagrams().node(diagram) {
                DiagramNode::Leaf(_) => 1,
                DiagramNode::Decision(_, parts) => {
                    parts.iter().fold(0, |sum, part| sum.saturating_add(paths[part.index()]))
                }
            });
        }
        let roots = self.states().iter().map(|state| paths[state.successors.index()]);
        roots.fold(0, u64::saturating_add)
    }

    /// The paths of a diagram with the states at their ends.
    fn paths(&self, diagram: Diagram) -> Vec<(String, u32)> {
        let width = self.propositions().len();
        let mut found = Vec::new();
        let mut todo = vec![(diagram, vec![b'X'; width])];
        while let Some((diagram, values)) = todo.pop() {
            match self.diagrams().node(diagram) {
                DiagramNode::Leaf(state) => {
                    found.push((values.into_iter().map(char::from).collect(), state));
                }
                DiagramNode::Decision(variable, [low, high]) => {
                    let set = |value: u8| {
                        let mut values = values.clone();
                        values[variable as usize] = value;
                        values
                    };
                    todo.extend([(high, set(b'1')), (low, set(b'0'))]);
                }
            }
        }
        found
    }
}

/// The name of a proposition, in quotes if it is more than one word.
fn name(store: &Store, proposition: Proposition) -> String {
    let name = store.name(proposition);
    let is_plain = |c: char| c.is_alphanumeric() || "_.-$#@".contains(c);
    if name.chars().all(is_plain) { name.to_owned() } else { quote(name) }
}
