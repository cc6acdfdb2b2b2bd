//! One neighbour of a state: the step of a lasso.
//!
//! A walk asks for the neighbours of many states within few regions. At first each query restricts
//! the parts of the relation to the state and conjoins the results. When a walk has visited a
//! region often, the steps into that region are conjoined once and copied, if the conjunction is
//! not too large. From then on a query is a descent through the copy ([`Completion`]).

use kermode_base::BitSet;
use kermode_bdd::{Bdd, Completion, Literal, OutOfNodes, Relation, Variable};
use rustc_hash::FxHashMap;

use super::compiled_model::CompiledModel;
use crate::fixpoint::Direction;
use crate::frame::budget::{Budget, Stop};

/// The largest number of nodes of the conjoined steps into a region.
const MOST_NODES: usize = 1 << 16;
/// How many queries about a region precede the conjunction.
const OFTEN: usize = 1 << 7;
/// How many regions are stored before all are dropped.
const MOST_REGIONS: usize = 1 << 8;

/// The steps in question.
pub(super) struct StepQuery<'s> {
    pub(super) model: &'s CompiledModel,
    pub(super) relation: &'s Relation,
    /// A constraint that the step must satisfy as well.
    pub(super) constraint: Option<&'s Bdd>,
    /// The direction of fixpoints; a walk goes against it.
    pub(super) direction: Direction,
}

/// The other end of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Neighbour {
    pub(super) state: BitSet,
    /// The inputs of the step, if they do not belong to states.
    pub(super) inputs: BitSet,
}

/// What is stored about a region.
enum RegionEntry {
    /// The number of queries so far.
    Asked(usize),
    TooLarge,
    Joined(Completion),
}

/// The visited regions, with their constraints.
#[derive(Default)]
pub(super) struct NeighbourSearch {
    known: FxHashMap<(Bdd, Option<Bdd>), RegionEntry>,
}

impl NeighbourSearch {
    /// A successor of a state in a region if fixpoints are backward, else a predecessor.
    pub(super) fn neighbour(
        &mut self,
        steps: &StepQuery,
        state: &BitSet,
        region: &Bdd,
        budget: &Budget,
    ) -> Result<Option<Neighbour>, Stop> {
        let key = (region.clone(), steps.constraint.cloned());
        if self.known.len() > MOST_REGIONS {
            self.known.clear();
        }
        match self.known.get_mut(&key) {
            Some(RegionEntry::Joined(completion)) => return Ok(steps.completed(completion, state)),
            Some(RegionEntry::TooLarge) => {}
            Some(RegionEntry::Asked(times)) if *times < OFTEN => *times += 1,
            Some(often) => *often = steps.joined(region, budget)?,
            None => drop(self.known.insert(key, RegionEntry::Asked(1))),
        }
        steps.neighbour(state, region)
    }
}

impl StepQuery<'_> {
    /// The region over the variables of the other moment.
    fn other(&self, region: &Bdd) -> Result<Bdd, OutOfNodes> {
        match self.direction {
            Direction::Backward => self.relation.as_next(region),
            Direction::Forward => Ok(region.clone()),
        }
    }

    fn joined(&self, region: &Bdd, budget: &Budget) -> Result<RegionEntry, Stop> {
        let mut all = self.other(region)?;
        for part in self.relation.parts().chain(self.constraint) {
            budget.check()?;
            all = all.and(part)?;
            if !all.has_at_most(MOST_NODES) {
                return Ok(RegionEntry::TooLarge);
            }
        }
        Ok(RegionEntry::Joined(Completion::of(&all)))
    }

    /// Current variables have even numbers, next variables odd numbers.
    fn is_given(&self, variable: Variable) -> bool {
        let is_current = variable.index().is_multiple_of(2);
        is_current == (self.direction == Direction::Backward) && !self.model.is_input(variable)
    }

    fn completed(&self, completion: &mut Completion, state: &BitSet) -> Option<Neighbour> {
        let given = |variable: Variable| {
            self.is_given(variable).then(|| state.contains(variable.index() / 2))
        };
        let literals = completion.find(given)?;
        let other = literals.iter().filter(|literal| !self.is_given(literal.variable));
        Some(self.read(other))
    }

    /// The neighbour with the values of these literals; other values are false.
    fn read<'l>(&self, literals: impl Iterator<Item = &'l Literal>) -> Neighbour {
        let mut found = Neighbour { state: BitSet::new(), inputs: BitSet::new() };
        for literal in literals.filter(|literal| literal.positive) {
            let is_input = self.model.is_input(literal.variable);
            let place = literal.variable.index() / 2;
            if is_input { &mut found.inputs } else { &mut found.state }.insert(place);
        }
        found
    }

    fn neighbour(&self, state: &BitSet, region: &Bdd) -> Result<Option<Neighbour>, Stop> {
        let given = self.model.cube(state, self.direction == Direction::Forward);
        let mut all = self.other(region)?;
        for part in self.relation.parts().chain(self.constraint) {
            all = all.and(&part.cofactor(&given)?)?;
        }
        let cube = all.pick_cube();
        Ok(cube.map(|cube| self.read(cube.literals().iter())))
    }
}
