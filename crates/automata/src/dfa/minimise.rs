//! The minimal automaton of the same language: its states are the Myhill-Nerode classes of the
//! reachable states \[Hop71\].
//!
//! A partition of the states is refined until states of one class agree in acceptance and, letter
//! by letter, in the class of their next state. The *signature* of a state is its diagram with
//! classes in place of states. Diagrams are canonical, so two states agree exactly if their
//! signatures are the same node. When a class is split, its largest part keeps the number, and only
//! states with a successor in another part get a new signature. So, as in Hopcroft's algorithm,
//! each successor of a state causes at most logarithmically many new signatures.
//!
//! The states of the result are numbered breadth first from the initial state, low values of
//! propositions first. So two automata over the same propositions have the same language exactly if
//! their minimal automata are identical.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::diagram::{Diagram, Diagrams};
use super::graph::{Dfa, DfaState};

/// How often signatures are built between two calls of `interrupt`.
const PACE: usize = 256;

impl Dfa {
    /// The minimal automaton of the same language.
    pub fn minimised<E>(&self, interrupt: &mut dyn FnMut() -> Result<(), E>) -> Result<Dfa, E> {
        let reached = reached(self);
        let mut refinement = Refinement::new(self, &reached);
        refinement.run(interrupt)?;
        let classes = refinement.classes;
        Ok(quotient(self, &reached, &classes))
    }
}

/// The reachable states, breadth first.
fn reached(automaton: &Dfa) -> Vec<u32> {
    let mut seen = vec![false; automaton.state_count()];
    seen[0] = true;
    let mut order = vec![0];
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        for target in automaton.targets(state) {
            if !std::mem::replace(&mut seen[target as usize], true) {
                order.push(target);
            }
        }
        next += 1;
    }
    order
}

struct Refinement<'a> {
    automaton: &'a Dfa,
    /// The class of each state.
    classes: Vec<u32>,
    /// The states of each class.
    members: Vec<Vec<u32>>,
    /// The place of each state among the members of its class.
    places: Vec<usize>,
    /// The common signature of the members of each class that are not to be examined.
    common: Vec<Option<Diagram>>,
    /// The reachable predecessors of each state.
    predecessors: Vec<Vec<u32>>,
    /// Diagrams whose leaves are classes.
    signatures: Diagrams,
}

/// States of one class by their signatures.
type Parts = IndexMap<Diagram, Vec<u32>, FxBuildHasher>;

impl<'a> Refinement<'a> {
    fn new(automaton: &'a Dfa, reached: &[u32]) -> Self {
        let count = automaton.state_count();
        let mut predecessors = vec![Vec::new(); count];
        for &state in reached {
            for target in automaton.targets(state) {
                predecessors[target as usize].push(state);
            }
        }
        let mut refinement = Refinement {
            automaton,
            classes: vec![0; count],
            members: Vec::new(),
            places: vec![0; count],
            common: Vec::new(),
            predecessors,
            signatures: Diagrams::default(),
        };
        let (accepting, rejecting): (Vec<u32>, Vec<u32>) =
            reached.iter().partition(|&&state| automaton.is_accepting(state));
        for states in [accepting, rejecting] {
            refinement.add_class(states, None);
        }
        refinement
    }

    fn add_class(&mut self, states: Vec<u32>, common: Option<Diagram>) {
        self.members.push(Vec::new());
        self.common.push(None);
        self.fill_class(self.members.len() - 1, states, common);
    }

    fn fill_class(&mut self, class: usize, states: Vec<u32>, common: Option<Diagram>) {
        for (place, &state) in states.iter().enumerate() {
            self.classes[state as usize] = class as u32;
            self.places[state as usize] = place;
        }
        self.members[class] = states;
        self.common[class] = common;
    }

    fn remove(&mut self, state: u32) {
        let place = self.places[state as usize];
        let members = &mut self.members[self.classes[state as usize] as usize];
        members.swap_remove(place);
        if let Some(&last) = members.get(place) {
            self.places[last as usize] = place;
        }
    }

    fn run<E>(&mut self, interrupt: &mut dyn FnMut() -> Result<(), E>) -> Result<(), E> {
        let mut examined: Vec<u32> = self.members.concat();
        while !examined.is_empty() {
            let mut moved: Vec<u32> = Vec::new();
            for (class, parts) in self.sign(&examined, interrupt)? {
                moved.extend(self.split(class as usize, parts));
            }
            examined =
                moved.iter().flat_map(|&q| &self.predecessors[q as usize]).copied().collect();
            examined.sort_unstable();
            examined.dedup();
        }
        Ok(())
    }

    /// The signatures of states with respect to the present classes, by class.
    fn sign<E>(
        &mut self,
        states: &[u32],
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<IndexMap<u32, Parts, FxBuildHasher>, E> {
        let mut copies = FxHashMap::default();
        let mut signed: IndexMap<u32, Parts, FxBuildHasher> = IndexMap::default();
        let (diagrams, classes) = (self.automaton.diagrams(), &self.classes);
        for (count, &state) in states.iter().enumerate() {
            if count.is_multiple_of(PACE) {
                interrupt()?;
            }
            let successors = self.automaton.successors(state);
            let class = |state: u32| classes[state as usize];
            let signature = diagrams.copy(successors, &mut self.signatures, &mut copies, class);
            let parts = signed.entry(class(state)).or_default();
            parts.entry(signature).or_default().push(state);
        }
        Ok(signed)
    }

    /// Splits a class, given the signatures of its examined members. Returns the states that have
    /// moved to new classes.
    fn split(&mut self, class: usize, mut parts: Parts) -> Vec<u32> {
        let examined: usize = parts.values().map(Vec::len).sum();
        let is_whole = examined == self.members[class].len();
        if let Some(common) = self.common[class].filter(|_| !is_whole) {
            parts.swap_remove(&common);
        }
        let Some(largest) = (0..parts.len()).max_by_key(|&i| parts[i].len()) else {
            return Vec::new();
        };
        parts.values().flatten().for_each(|&state| self.remove(state));
        // The largest part keeps the number.
        if parts[largest].len() > self.members[class].len() {
            let (signature, part) = parts.swap_remove_index(largest).expect("it is there");
            let (rest, common) = (std::mem::take(&mut self.members[class]), self.common[class]);
            self.fill_class(class, part, Some(signature));
            if let Some(common) = common.filter(|_| !rest.is_empty()) {
                parts.insert(common, rest);
            }
        }
        let moved = parts.values().flatten().copied().collect();
        parts.into_iter().for_each(|(signature, part)| self.add_class(part, Some(signature)));
        moved
    }
}

/// The automaton of the classes, numbered breadth first.
fn quotient(automaton: &Dfa, reached: &[u32], classes: &[u32]) -> Dfa {
    let mut number: FxHashMap<u32, u32> = FxHashMap::default();
    let mut representatives: Vec<u32> = Vec::new();
    let mut enter = |state: u32, representatives: &mut Vec<u32>| {
        number.entry(classes[state as usize]).or_insert_with(|| {
            representatives.push(state);
            representatives.len() as u32 - 1
        });
    };
    enter(reached[0], &mut representatives);
    let mut next = 0;
    while let Some(&state) = representatives.get(next) {
        let targets = automaton.targets(state);
        targets.into_iter().for_each(|target| enter(target, &mut representatives));
        next += 1;
    }
    let (mut diagrams, mut copies) = (Diagrams::default(), FxHashMap::default());
    let states = representatives.iter().map(|&state| DfaState {
        accepting: automaton.is_accepting(state),
        successors: automaton.diagrams().copy(
            automaton.successors(state),
            &mut diagrams,
            &mut copies,
            |target| number[&classes[target as usize]],
        ),
    });
    let states = states.collect();
    Dfa::new(automaton.propositions().to_vec(), diagrams, states)
}
