//! State spaces of alternating automata on demand: sets of locations for finite words and very weak
//! automata, pairs of Miyano and Hayashi for others. Their successors are computed by decision
//! diagrams in one of two ways.

pub(crate) mod afa_subset;
pub(crate) mod algorithm_one;
pub(crate) mod by_letter;
#[cfg_attr(not(test), expect(dead_code, reason = "engines that mix both encodings are to come"))]
pub(crate) mod closed;
pub(crate) mod conjunctions;
pub(crate) mod encoding;
pub(crate) mod ending;
pub(crate) mod kripke;
pub(crate) mod layout;
pub(crate) mod miyano_hayashi;
pub(crate) mod neighbours;
#[cfg(test)]
#[path = "../../../system/tests/oracle/mod.rs"]
pub(crate) mod oracle;
pub(crate) mod order;
pub(crate) mod predecessors;
pub(crate) mod steps;
pub(crate) mod symbolic;
#[cfg(test)]
mod symbolic_tests;
pub(crate) mod transitions;
pub(crate) mod very_weak;

use kermode_automata::space::{AllSteps, Ordered, Reversible, Space, Step};
use kermode_automata::{AlternatingAutomaton, AlternatingStatistics, Location};
use kermode_base::BitSet;
use kermode_bdd::SetFamily;
use kermode_ltl::{Letter, WordKind};

use crate::frame::budget::{Budget, Stop};
use afa_subset::AfaSubset;
use by_letter::ByLetter;
use miyano_hayashi::MiyanoHayashi;
use order::Orders;
use very_weak::VeryWeak;

/// The method for minimal successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Successors {
    /// As minimal models of a monotone function.
    MinimalModels,
    /// By Algorithm 1 of the paper.
    AlgorithmOne,
}

/// A space whose order can be made sharper between two searches.
pub(crate) trait Sharpen: Ordered<Stop = Stop> {
    /// Computes the relations that the orders need.
    fn sharpen(&mut self, orders: Orders) -> Result<(), Stop>;
}

/// A space whose states are sets of locations, for other ways to find its steps.
pub(crate) trait SetSpace: Sharpen + Space<State = BitSet> {
    /// Whether a location has an acceptance mark.
    fn is_marked(&self, location: usize) -> bool;

    /// Whether a step with some marks leaves a location that has a mark.
    fn leaves(&self, location: usize, marks: &BitSet) -> bool;

    /// The locations of a set whose transitions are enough for the steps of the set.
    fn demanding(&self, set: &BitSet) -> BitSet;

    /// The step to a set of locations, if locations with a mark stay that follow themselves.
    /// Nothing if no word is accepted from the set.
    fn step_of(&self, next: BitSet, stays: &BitSet) -> Option<Step<BitSet>>;
}

/// An operation for any state space of an automaton.
pub(crate) trait InSpace {
    /// Its result.
    type Output;

    /// Runs it in a space.
    fn run<S>(self, space: S) -> Self::Output
    where
        S: Sharpen + ByLetter + Reversible<Cursor = AllSteps<<S as Space>::State>>;
}

/// Runs an operation in the state space of an automaton: sets of locations for finite words and, if
/// the orders include it, for very weak automata; otherwise pairs.
pub(crate) fn in_space_of<W: InSpace>(
    automaton: &AlternatingAutomaton,
    successors: Successors,
    orders: Orders,
    budget: &Budget,
    work: W,
) -> Result<W::Output, Stop> {
    match automaton.words() {
        WordKind::Finite => Ok(work.run(AfaSubset::new(automaton, successors, orders, budget)?)),
        WordKind::Infinite
            if orders.very_weak && AlternatingStatistics::of(automaton).very_weak =>
        {
            Ok(work.run(VeryWeak::new(automaton, orders, budget)?))
        }
        WordKind::Infinite => {
            Ok(work.run(MiyanoHayashi::new(automaton, successors, orders, budget)?))
        }
    }
}

/// Checks that a family that is to be enumerated has at most this many sets.
pub(crate) fn check_length(family: &SetFamily, most: Option<u128>) -> Result<(), Stop> {
    match most {
        Some(most) if family.len() > most => {
            Err(Stop::Limit(format!("a state has more than {most} least successors")))
        }
        _ => Ok(()),
    }
}

/// The labels of the locations of a set.
pub(crate) fn labels(automaton: &AlternatingAutomaton, set: &BitSet) -> String {
    let labels: Vec<&str> =
        set.iter().map(|index| automaton.label(Location::from_index(index))).collect();
    format!("{{{}}}", labels.join(", "))
}

/// The accepting locations of an automaton.
pub(crate) fn accepting(automaton: &AlternatingAutomaton) -> BitSet {
    let accepting = automaton.locations().filter(|&location| automaton.is_accepting(location));
    accepting.map(Location::index).collect()
}

/// Whether a set of locations satisfies the initial condition.
pub(crate) fn is_above_initial(automaton: &AlternatingAutomaton, set: &BitSet) -> bool {
    let values = automaton.values(&Letter::default(), |location| set.contains(location.index()));
    values[automaton.initial().index()]
}

/// The union of all words of a set as one word.
pub(crate) fn folded(set: &BitSet) -> u64 {
    set.words().iter().fold(0, |all, word| all | word)
}
