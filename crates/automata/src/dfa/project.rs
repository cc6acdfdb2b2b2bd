//! Projection: the automaton that accepts a word if some values of the removed propositions make it
//! accepted. Guessing the values makes the automaton nondeterministic, and the subset construction
//! \[RS59\] makes it deterministic again. States from which nothing is accepted are left out of the
//! subsets. So, if each word has at most one extension that matters, as with the memories of past
//! operators, all subsets have at most one state, and the automaton does not grow.

use indexmap::IndexSet;
use kermode_ltl::Proposition;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::diagram::{Diagram, DiagramNode, DiagramPair, Diagrams};
use super::graph::{Dfa, DfaState};

/// How often successors are built between two calls of `interrupt`.
const PACE: usize = 64;

impl Dfa {
    /// The automaton without the propositions for which `removed` is true.
    pub fn projected<E>(
        &self,
        removed: impl Fn(Proposition) -> bool,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Dfa, E> {
        let removed: Vec<bool> = self.propositions().iter().map(|&p| removed(p)).collect();
        let mut subsets = SubsetConstruction::new(self);
        let choices = self.states().iter().map(|state| subsets.choices(state.successors, &removed));
        let choices: Vec<Diagram> = choices.collect();
        // The reachable subsets. Unions build more.
        let mut reached: IndexSet<u32, FxBuildHasher> =
            [subsets.number(vec![0])].into_iter().collect();
        let mut states: Vec<DfaState> = Vec::new();
        while let Some(&number) = reached.get_index(states.len()) {
            if states.len().is_multiple_of(PACE) {
                interrupt()?;
            }
            let state = subsets.state(number, &choices);
            reached.extend(subsets.diagrams.leaves(state.successors));
            states.push(state);
        }
        Ok(self.renumbered(&removed, &subsets.diagrams, &reached, &states))
    }

    /// The automaton of the reachable subsets, without numbers for removed propositions.
    fn renumbered(
        &self,
        removed: &[bool],
        diagrams: &Diagrams,
        reached: &IndexSet<u32, FxBuildHasher>,
        states: &[DfaState],
    ) -> Dfa {
        let kept: Vec<u32> = (0..removed.len() as u32).filter(|&v| !removed[v as usize]).collect();
        let place = |v: u32| kept.binary_search(&v).expect("it is kept") as u32;
        let (mut target, mut copies) = (Diagrams::default(), FxHashMap::default());
        let number = |subset: u32| reached.get_index_of(&subset).expect("it is reached") as u32;
        let renumbered = states.iter().map(|state| DfaState {
            successors: diagrams.copy_renamed(
                state.successors,
                &mut target,
                &mut copies,
                place,
                number,
            ),
            ..*state
        });
        let states = renumbered.collect();
        let propositions = kept.iter().map(|&v| self.propositions()[v as usize]).collect();
        Dfa::new(propositions, target, states)
    }
}

struct SubsetConstruction<'a> {
    automaton: &'a Dfa,
    sink: Option<u32>,
    /// Sorted sets of states.
    subsets: IndexSet<Vec<u32>, FxBuildHasher>,
    /// Diagrams whose leaves are numbers of subsets.
    diagrams: Diagrams,
    copies: FxHashMap<Diagram, Diagram>,
    unions: FxHashMap<DiagramPair, Diagram>,
}

impl<'a> SubsetConstruction<'a> {
    fn new(automaton: &'a Dfa) -> Self {
        SubsetConstruction {
            automaton,
            sink: automaton.sink(),
            subsets: IndexSet::default(),
            diagrams: Diagrams::default(),
            copies: FxHashMap::default(),
            unions: FxHashMap::default(),
        }
    }

    fn number(&mut self, mut subset: Vec<u32>) -> u32 {
        subset.retain(|&state| Some(state) != self.sink);
        self.subsets.insert_full(subset).0 as u32
    }

    /// The set of next states for each letter, for all values of the removed propositions.
    fn choices(&mut self, successors: Diagram, removed: &[bool]) -> Diagram {
        for part in self.automaton.diagrams().below(successors) {
            if self.copies.contains_key(&part) {
                continue;
            }
            let copy = match self.automaton.diagrams().node(part) {
                DiagramNode::Leaf(state) => {
                    let subset = self.number(vec![state]);
                    self.diagrams.leaf(subset)
                }
                DiagramNode::Decision(variable, parts) => {
                    let parts = parts.map(|part| self.copies[&part]);
                    match removed[variable as usize] {
                        true => self.union(parts),
                        false => self.diagrams.decision(variable, parts),
                    }
                }
            };
            self.copies.insert(part, copy);
        }
        self.copies[&successors]
    }

    fn union(&mut self, [a, b]: [Diagram; 2]) -> Diagram {
        let subsets = &mut self.subsets;
        self.diagrams.join((a, b), &mut self.unions, |x, y| {
            let members = [x, y].map(|number| subsets[number as usize].iter().copied());
            let mut union: Vec<u32> = members.into_iter().flatten().collect();
            union.sort_unstable();
            union.dedup();
            subsets.insert_full(union).0 as u32
        })
    }

    /// The data of a subset, whose successors are numbers of subsets.
    fn state(&mut self, number: u32, choices: &[Diagram]) -> DfaState {
        let members = self.subsets[number as usize].clone();
        let accepting = members.iter().any(|&state| self.automaton.is_accepting(state));
        let empty = self.number(Vec::new());
        let mut successors = self.diagrams.leaf(empty);
        for state in members {
            successors = self.union([successors, choices[state as usize]]);
        }
        DfaState { accepting, successors }
    }
}
