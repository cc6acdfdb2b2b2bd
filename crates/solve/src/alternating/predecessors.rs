//! Maximal predecessors, by decision diagrams \[DR07\].
//!
//! On a letter, a set of locations has a step to a set `t` iff `t` satisfies the transition of each
//! of them. So there is one maximal set per letter: all locations whose transition is true. The
//! maximal sets over all letters are computed without enumerating letters. Let `x_l` say that `l`
//! is *left out*: the sets that can be left out are the models of
//!
//! ```text
//! exists P. /\_l (x_l | delta(l)[t])
//! ```
//!
//! which is monotone; the minimal ones give the maximal sets. For two demands at once, such as on
//! `s` and on `o`, each location has a second variable `y_l` and a second such clause.

use kermode_automata::Location;
use kermode_base::BitSet;
use kermode_bdd::{Bdd, OutOfNodes};

use super::conjunctions::{Conjunctions, DemandRules, Subtree};
use super::layout::Meaning;
use super::transitions::{Transitions, X};
use crate::frame::budget::{Budget, Stop};

/// The copy of a location's variable for the second demand.
const Y: usize = 1;

/// The target of a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Goal {
    /// The target of all locations.
    pub(crate) all: BitSet,
    /// The target of obligations, if there are any.
    pub(crate) obligations: Option<BitSet>,
    /// A location that must not be followed by itself.
    pub(crate) leaving: Option<usize>,
}

/// Computes predecessors, and caches results for parts of goals.
pub(crate) struct Predecessors {
    conjunctions: Conjunctions<Goal>,
    /// The locations that occur below each node of the tree of conjunctions.
    targets: Vec<BitSet>,
    /// All reachable locations; the non-accepting ones among them.
    reachable: BitSet,
    possible_obligations: BitSet,
}

impl Predecessors {
    fn new(transitions: &Transitions) -> Result<Self, OutOfNodes> {
        Ok(Predecessors::through(Conjunctions::new(transitions)?, transitions))
    }

    /// Predecessors whose letters are not quantified.
    pub(crate) fn by_letter(transitions: &Transitions) -> Self {
        Predecessors::through(Conjunctions::by_letter(transitions), transitions)
    }

    fn through(conjunctions: Conjunctions<Goal>, transitions: &Transitions) -> Self {
        let automaton = transitions.automaton;
        let reachable = || transitions.layout.reachable();
        let possible_obligations = reachable().filter(|&l| !automaton.is_accepting(l));
        Predecessors {
            conjunctions,
            targets: targets(transitions),
            possible_obligations: possible_obligations.map(Location::index).collect(),
            reachable: reachable().map(Location::index).collect(),
        }
    }

    /// The existing value, or a new one.
    pub(crate) fn made<'p>(
        there: &'p mut Option<Self>,
        transitions: &Transitions,
    ) -> Result<&'p mut Self, OutOfNodes> {
        match there {
            Some(made) => Ok(made),
            not_yet => Ok(not_yet.insert(Predecessors::new(transitions)?)),
        }
    }

    /// All reachable locations.
    pub(crate) fn reachable(&self) -> &BitSet {
        &self.reachable
    }

    /// The non-accepting ones among them.
    pub(crate) fn possible_obligations(&self) -> &BitSet {
        &self.possible_obligations
    }

    /// The maximal sets, with their possible obligations, that have a step to a goal on some
    /// letter.
    pub(crate) fn greatest(
        &mut self,
        transitions: &Transitions,
        goal: &Goal,
        budget: &Budget,
    ) -> Result<Vec<(BitSet, BitSet)>, Stop> {
        let function = self.function(transitions, goal)?;
        self.greatest_of(transitions, &function, budget)
    }

    /// The locations that can be left out if there is a step to a goal: a monotone function of
    /// them, and of the letter if the predecessors are by letter.
    pub(crate) fn function(
        &mut self,
        transitions: &Transitions,
        goal: &Goal,
    ) -> Result<Bdd, OutOfNodes> {
        let targets = &self.targets;
        let mut rules = DemandRules {
            of_part: &|goal: &Goal, part: Subtree| {
                (part.from < part.to).then(|| goal.of(part, targets))
            },
            of_location: &mut |location, goal| clauses(transitions, location, goal),
        };
        self.conjunctions.quantified(&transitions.manager, goal, &mut rules)
    }

    /// The maximal sets, with their possible obligations, of a function without propositions.
    pub(crate) fn greatest_of(
        &self,
        transitions: &Transitions,
        function: &Bdd,
        budget: &Budget,
    ) -> Result<Vec<(BitSet, BitSet)>, Stop> {
        let models = function.minimal_models(&mut || budget.check())?;
        let locations = transitions.automaton.location_count();
        let element = |variable| match transitions.layout.meaning(variable) {
            Meaning::Location(location, copy) => location.index() + copy * locations,
            Meaning::Proposition(_) => unreachable!("propositions are quantified"),
        };
        let mut found = Vec::new();
        for left_out in models.sets_of(element) {
            budget.check()?;
            let (mut all, mut obligations) =
                (self.reachable.clone(), self.possible_obligations.clone());
            all.subtract(&left_out.within(0..locations));
            left_out.iter().filter(|&e| e >= locations).for_each(|e| {
                obligations.remove(e - locations);
            });
            found.push((all, obligations));
        }
        Ok(found)
    }
}

impl Goal {
    /// A goal without obligations.
    pub(crate) fn set(all: BitSet) -> Self {
        Goal { all, obligations: None, leaving: None }
    }

    /// The part of a goal that occurs in the transitions of a subtree.
    fn of(&self, part: Subtree, targets: &[BitSet]) -> Goal {
        let concerned = |set: &BitSet| {
            let mut set = set.clone();
            set.intersect_with(&targets[part.node]);
            set
        };
        Goal {
            all: concerned(&self.all),
            obligations: self.obligations.as_ref().map(concerned),
            leaving: self.leaving.filter(|location| (part.from..part.to).contains(location)),
        }
    }
}

/// A location has a step to the goal, or is left out.
fn clauses(transitions: &Transitions, location: Location, goal: &Goal) -> Result<Bdd, OutOfNodes> {
    if !transitions.layout.has(location) {
        return Ok(transitions.manager.top());
    }
    let clause = |copy, follows: &dyn Fn(Location) -> bool| {
        let left_out = transitions.manager.variable(transitions.layout.location(location, copy))?;
        transitions.letters(location, follows)?.or(&left_out)
    };
    let leaves = goal.leaving == Some(location.index());
    let in_all = |target: Location| goal.all.contains(target.index());
    let all = clause(X, &|target| in_all(target) && !(leaves && target == location))?;
    match &goal.obligations {
        Some(obligations) if !transitions.automaton.is_accepting(location) => {
            all.and(&clause(Y, &|target| obligations.contains(target.index()))?)
        }
        _ => Ok(all),
    }
}

/// For each node of the tree of conjunctions, the locations that occur in the transitions below it.
fn targets(transitions: &Transitions) -> Vec<BitSet> {
    let locations = transitions.automaton.location_count();
    let mut targets = vec![BitSet::new(); 4 * locations.max(1)];
    let mut parts = vec![Subtree::root(locations)];
    let mut next = 0;
    while let Some(&part) = parts.get(next) {
        next += 1;
        if !part.is_leaf() {
            parts.extend(part.halves());
        }
    }
    for part in parts.into_iter().rev().filter(|part| part.from < part.to) {
        if part.is_leaf() {
            targets[part.node] = transitions.targets_of(Location::from_index(part.from));
        } else {
            for half in part.halves() {
                let below = targets[half.node].clone();
                targets[part.node].union_with(&below);
            }
        }
    }
    targets
}
