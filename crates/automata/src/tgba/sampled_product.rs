//! The size of an automaton's product with a few random systems: what the automaton costs in model
//! checking, where it is multiplied.
//!
//! An automaton with more states or transitions can have the smaller product: states that few
//! letters lead to are rarely met, and a nondeterministic choice is met on every letter that has
//! it. The sample is the same for all automata, so sizes of automata with the same propositions can
//! be compared.
//!
//! A system has 64 states with 11 successors each and random letters, much like those with which
//! translations are usually compared. A set of its states is one word: the states that a label
//! allows, those that are paired with a state of the automaton, and their successors. The system
//! may begin in any state. The first letter often decides between quite different parts of an
//! automaton, so all initial states count; those with the same transitions are explored once.

use std::sync::LazyLock;

use kermode_base::Rng;
use kermode_ltl::Proposition;

use super::graph::{State, Tgba};

/// The number of systems.
const SYSTEMS: usize = 2;
/// The number of successors of each state of a system.
const SUCCESSORS: u32 = 11;

/// A set of states of a system.
type SystemStates = u64;

/// The size of the products together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProductSize {
    /// Reachable pairs of states.
    pub states: u64,
    /// Transitions between them.
    pub transitions: u64,
}

impl ProductSize {
    /// States and transitions as one number. Both count alike if the automaton is deterministic and
    /// complete.
    pub fn cost(self) -> u64 {
        self.states + self.transitions / u64::from(SUCCESSORS)
    }

    /// The size of the products of an automaton with the sample.
    pub fn of(automaton: &Tgba) -> ProductSize {
        let propositions = automaton.propositions().iter();
        let letters: Vec<[SystemStates; SYSTEMS]> = propositions.map(|&p| letters(p)).collect();
        let labels = |state| -> Vec<[SystemStates; SYSTEMS]> {
            let successors = automaton.successors(state).iter();
            successors.map(|t| t.label.eval_bits(|v| letters[v.index()])).collect()
        };
        let labels: Vec<_> = automaton.states().map(labels).collect();
        let mut size = ProductSize::default();
        for (system, successors) in SUCCESSOR_SETS.iter().enumerate() {
            let label = |state: State, t: usize| labels[state.index()][t][system];
            let product = Product { automaton, successors, label };
            product.each_start(|times, start| {
                let from = product.size(start);
                size.states += times * from.states;
                size.transitions += times * from.transitions;
            });
        }
        size
    }
}

/// The product with one system, given the states of the system that satisfy the label of a state's
/// transition.
struct Product<'a, L> {
    automaton: &'a Tgba,
    successors: &'a [SystemStates],
    label: L,
}

impl<L: Fn(State, usize) -> SystemStates> Product<'_, L> {
    /// The states of the system by the transitions that the automaton has on them at the beginning:
    /// how many these are, and one of them.
    fn each_start(&self, mut visit: impl FnMut(u64, usize)) {
        let mut parts = vec![SystemStates::MAX];
        for &state in self.automaton.initial() {
            for step in 0..self.automaton.successors(state).len() {
                let label = (self.label)(state, step);
                let split = |part: &SystemStates| [part & label, part & !label];
                parts = parts.iter().flat_map(split).filter(|&part| part != 0).collect();
            }
        }
        for part in parts {
            visit(u64::from(part.count_ones()), part.trailing_zeros() as usize);
        }
    }

    /// The size of the product if the system begins in one state.
    fn size(&self, start: usize) -> ProductSize {
        let mut size = ProductSize::default();
        for (state, here) in self.automaton.states().zip(self.reachable(start)) {
            size.states += u64::from(here.count_ones());
            let steps = 0..self.automaton.successors(state).len();
            let pairs: u32 = steps.map(|t| (here & (self.label)(state, t)).count_ones()).sum();
            size.transitions += u64::from(pairs * SUCCESSORS);
        }
        size
    }

    /// For each state of the automaton the states of the system with which it is reachable.
    fn reachable(&self, start: usize) -> Vec<SystemStates> {
        let mut reached = vec![0; self.automaton.state_count()];
        let mut fresh = reached.clone();
        let mut todo = self.automaton.initial().to_vec();
        todo.iter().for_each(|state| fresh[state.index()] = 1 << start);
        while let Some(state) = todo.pop() {
            let new = std::mem::take(&mut fresh[state.index()]);
            reached[state.index()] |= new;
            for (step, transition) in self.automaton.successors(state).iter().enumerate() {
                let target = transition.target.index();
                let after = image(self.successors, new & (self.label)(state, step));
                let found = after & !reached[target];
                if found != 0 && fresh[target] == 0 {
                    todo.push(transition.target);
                }
                fresh[target] |= found;
            }
        }
        reached
    }
}

fn image(successors: &[SystemStates], mut states: SystemStates) -> SystemStates {
    let mut image = 0;
    while states != 0 && image != SystemStates::MAX {
        image |= successors[states.trailing_zeros() as usize];
        states &= states - 1;
    }
    image
}

/// The successors of each state of each system.
static SUCCESSOR_SETS: LazyLock<[Vec<SystemStates>; SYSTEMS]> =
    LazyLock::new(|| std::array::from_fn(successors));

/// The successors of each state of a system: one in a ring, so that all are reachable, and others
/// at random.
fn successors(system: usize) -> Vec<SystemStates> {
    let mut rng = Rng::new(system as u64);
    let choose = |state: u32| {
        let mut chosen: SystemStates = 1 << ((state + 1) % SystemStates::BITS);
        while chosen.count_ones() < SUCCESSORS {
            chosen |= 1 << rng.below(SystemStates::BITS as usize);
        }
        chosen
    };
    (0..SystemStates::BITS).map(choose).collect()
}

/// For each system its states in which a proposition holds.
fn letters(proposition: Proposition) -> [SystemStates; SYSTEMS] {
    let mut rng = Rng::new(!(proposition.index() as u64));
    std::array::from_fn(|_| rng.next_u64())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kermode_bdd::{Capacity, Manager, Variable};
    use kermode_ltl::Store;

    use super::*;
    use crate::tgba::RandomTgba;

    /// The pairs that are reachable, and the number of transitions between them, one by one.
    fn explored(automaton: &Tgba, system: usize, start: usize) -> ProductSize {
        let successors = successors(system);
        let allows = |label: &kermode_bdd::Bdd, state: usize| {
            let letters = |v: Variable| letters(automaton.propositions()[v.index()]);
            label.eval(|v| letters(v)[system] >> state & 1 == 1)
        };
        let mut pairs: BTreeSet<(State, usize)> = BTreeSet::new();
        let mut todo: Vec<_> = automaton.initial().iter().map(|&q| (q, start)).collect();
        let mut transitions = 0;
        while let Some((q, s)) = todo.pop() {
            if !pairs.insert((q, s)) {
                continue;
            }
            for t in automaton.successors(q).iter().filter(|t| allows(&t.label, s)) {
                let after = (0..64).filter(|next| successors[s] >> next & 1 == 1);
                let after: Vec<_> = after.map(|next| (t.target, next)).collect();
                transitions += after.len() as u64;
                todo.extend(after);
            }
        }
        ProductSize { states: pairs.len() as u64, transitions }
    }

    #[test]
    fn sizes_are_those_of_the_explored_product() {
        let mut rng = Rng::new(100);
        let mut store = Store::new();
        let propositions = ["a", "b", "c"].map(|name| store.proposition(name)).to_vec();
        let manager = Manager::new(Capacity::small(3)).expect("a small manager");
        for states in 1..60 {
            let propositions = propositions.clone();
            let random =
                RandomTgba { states: 1 + states % 6, marks: 0, propositions, transitions: 2 };
            let automaton = random.draw(&manager, &mut rng).expect("room for labels");
            let label = |state: State, t: usize| {
                let letters = |v: Variable| letters(automaton.propositions()[v.index()]);
                automaton.successors(state)[t].label.eval_bits(letters)[0]
            };
            let product = Product { automaton: &automaton, successors: &successors(0), label };
            let mut begins = 0;
            product.each_start(|times, start| {
                begins += times;
                assert_eq!(product.size(start), explored(&automaton, 0, start));
            });
            assert_eq!(begins, 64);
        }
    }
}
