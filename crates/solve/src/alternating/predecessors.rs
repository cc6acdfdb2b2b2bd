//! Greatest predecessors, by decision diagrams [DR07].
//!
//! With a letter, a set of locations can go on as a set `t` iff `t` satisfies the transition of
//! each of them there. So there is one greatest set for each letter: all locations whose transition
//! holds. Over all letters the greatest of these are wanted without a look at each letter. Let
//! `x_l` say that `l` is *left out*: the sets that are left out are the models of
//!
//! ```text
//! exists P. /\_l (x_l | delta(l)[t])
//! ```
//!
//! which is monotone; the minimal ones leave the greatest sets. For two demands at once, such as on
//! `s` and on `o`, each location has a second variable `y_l` and a second such clause.

use kermode_automata::Location;
use kermode_base::BitSet;
use kermode_bdd::{Bdd, OutOfNodes};

use super::conjunctions::{Conjunctions, Part, Rules};
use super::layout::Meaning;
use super::transitions::{Transitions, X};
use crate::frame::budget::{Budget, Stop};

/// The copy of a location's variable for the second demand.
const Y: usize = 1;

/// Where a step leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Goal {
    /// Where all locations go.
    pub(crate) all: BitSet,
    /// Where those go that owe a visit to an accepting location, if there are to be any.
    pub(crate) owing: Option<BitSet>,
    /// A location that must not be followed by itself.
    pub(crate) leaving: Option<usize>,
}

/// Finds predecessors, and remembers results for parts of goals.
pub(crate) struct Predecessors {
    conjunctions: Conjunctions<Goal>,
    /// The locations that matter to each node of the tree of conjunctions.
    targets: Vec<BitSet>,
    /// All locations that can be reached; and of these, those that are not accepting.
    reachable: BitSet,
    can_owe: BitSet,
}

impl Predecessors {
    fn new(transitions: &Transitions) -> Result<Self, OutOfNodes> {
        let automaton = transitions.automaton;
        let reachable = || transitions.layout.reachable();
        let can_owe = reachable().filter(|&l| !automaton.is_accepting(l));
        Ok(Predecessors {
            conjunctions: Conjunctions::new(transitions)?,
            targets: targets(transitions),
            can_owe: can_owe.map(Location::index).collect(),
            reachable: reachable().map(Location::index).collect(),
        })
    }

    /// What is there, or what is made now.
    pub(crate) fn made<'p>(
        there: &'p mut Option<Self>,
        transitions: &Transitions,
    ) -> Result<&'p mut Self, OutOfNodes> {
        match there {
            Some(made) => Ok(made),
            not_yet => Ok(not_yet.insert(Predecessors::new(transitions)?)),
        }
    }

    /// All locations that can be reached.
    pub(crate) fn reachable(&self) -> &BitSet {
        &self.reachable
    }

    /// Of these, those that are not accepting.
    pub(crate) fn can_owe(&self) -> &BitSet {
        &self.can_owe
    }

    /// The greatest sets, with those of their locations that may owe, from which a letter leads to
    /// a goal.
    pub(crate) fn greatest(
        &mut self,
        transitions: &Transitions,
        goal: &Goal,
        budget: &Budget,
    ) -> Result<Vec<(BitSet, BitSet)>, Stop> {
        let targets = &self.targets;
        let mut rules = Rules {
            of_part: &|goal: &Goal, part: Part| {
                (part.from < part.to).then(|| goal.of(part, targets))
            },
            of_location: &mut |location, goal| clauses(transitions, location, goal),
        };
        let function = self.conjunctions.quantified(&transitions.manager, goal, &mut rules)?;
        let models = function.minimal_models(&mut || budget.check())?;
        let locations = transitions.automaton.location_count();
        let element = |variable| match transitions.layout.meaning(variable) {
            Meaning::Location(location, copy) => location.index() + copy * locations,
            Meaning::Proposition(_) => unreachable!("propositions are quantified"),
        };
        let mut found = Vec::new();
        for left_out in models.sets_of(element) {
            budget.check()?;
            let (mut all, mut owing) = (self.reachable.clone(), self.can_owe.clone());
            all.subtract(&left_out.within(0..locations));
            left_out.iter().filter(|&e| e >= locations).for_each(|e| {
                owing.remove(e - locations);
            });
            found.push((all, owing));
        }
        Ok(found)
    }
}

impl Goal {
    /// All locations go to the same set.
    pub(crate) fn set(all: BitSet) -> Self {
        Goal { all, owing: None, leaving: None }
    }

    /// What of a goal concerns a part: what its transitions speak about.
    fn of(&self, part: Part, targets: &[BitSet]) -> Goal {
        let concerned = |set: &BitSet| {
            let mut set = set.clone();
            set.intersect_with(&targets[part.node]);
            set
        };
        Goal {
            all: concerned(&self.all),
            owing: self.owing.as_ref().map(concerned),
            leaving: self.leaving.filter(|location| (part.from..part.to).contains(location)),
        }
    }
}

/// A location goes to the goal or is left out.
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
    match &goal.owing {
        Some(owing) if !transitions.automaton.is_accepting(location) => {
            all.and(&clause(Y, &|target| owing.contains(target.index()))?)
        }
        _ => Ok(all),
    }
}

/// For each node of the tree of conjunctions, the locations of which the transitions below it
/// speak.
fn targets(transitions: &Transitions) -> Vec<BitSet> {
    let locations = transitions.automaton.location_count();
    let mut targets = vec![BitSet::new(); 4 * locations.max(1)];
    let mut parts = vec![Part::root(locations)];
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
