//! One successor or predecessor of one state, with a letter between them: the step of a word.
//!
//! The constraints are those of `steps`, restricted to one of both states. The other state is found
//! over current variables, which regions use, so nothing is renamed.

use kermode_automata::Location;
use kermode_base::BitSet;
use kermode_bdd::{Bdd, Cube, OutOfNodes};
use rustc_hash::FxHashMap;

use super::encoding::{Demand, StateEncoding, TimePoint};
use super::miyano_hayashi::Pair;

/// The kind of states between which a step is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Between {
    /// Pairs.
    Pairs,
    /// Sets; optionally the step must leave a location.
    Sets(Option<Location>),
}

impl Between {
    /// The demand on a location of `s`.
    fn demand(self, location: Location, breakpoints: bool) -> Demand {
        match self {
            Between::Pairs if breakpoints => Demand::Discharge,
            Between::Sets(Some(left)) if left == location => Demand::Leave,
            _ => Demand::Follow,
        }
    }
}

/// Searches successors of one state after the other. The states of a walk are similar: for each
/// region the search caches the restriction by the demands that all queries so far had in common.
#[derive(Default)]
pub(crate) struct SuccessorSearch {
    usual: FxHashMap<Bdd, (BitSet, Bdd)>,
}

impl SuccessorSearch {
    /// A successor in a region, and a letter.
    pub(crate) fn successor(
        &mut self,
        encoding: &mut StateEncoding,
        state: &Pair,
        region: &Bdd,
        between: Between,
    ) -> Result<Option<Cube>, OutOfNodes> {
        let mut demands = demands(state, between);
        let known = self.usual.get(region).filter(|(usual, _)| usual.is_subset(&demands));
        let (usual, left) = match known {
            Some(known) => known.clone(),
            None => self.learn(encoding, &demands, region)?,
        };
        demands.subtract(&usual);
        let top = encoding.manager().top();
        Ok(left.and(&met(encoding, &demands, top)?)?.pick_cube())
    }

    /// Removes cached demands that the current query does not have.
    fn learn(
        &mut self,
        encoding: &mut StateEncoding,
        demands: &BitSet,
        region: &Bdd,
    ) -> Result<(BitSet, Bdd), OutOfNodes> {
        let mut usual = demands.clone();
        if let Some((before, _)) = self.usual.get(region) {
            usual.intersect_with(before);
        }
        let left = met(encoding, &usual, region.clone())?;
        self.usual.insert(region.clone(), (usual.clone(), left.clone()));
        Ok((usual, left))
    }
}

/// In the order of their numbers in [`demands`].
const DEMANDS: [Demand; 3] = [Demand::Follow, Demand::Discharge, Demand::Leave];

/// The demands of a state, as numbers of pairs of location and demand.
fn demands(state: &Pair, between: Between) -> BitSet {
    let number = |index: usize, demand| {
        let place = DEMANDS.iter().position(|&other| other == demand);
        DEMANDS.len() * index + place.unwrap_or(0)
    };
    let of_s = |index| between.demand(Location::from_index(index), state.o.is_empty());
    let all = state.s.iter().map(|index| number(index, of_s(index)));
    all.chain(state.o.iter().map(|index| number(index, Demand::Discharge))).collect()
}

/// The letters and states of a region that satisfy demands.
fn met(encoding: &mut StateEncoding, demands: &BitSet, region: Bdd) -> Result<Bdd, OutOfNodes> {
    demands.iter().try_fold(region, |allowed, number| {
        let location = Location::from_index(number / DEMANDS.len());
        let demand = DEMANDS[number % DEMANDS.len()];
        allowed.and(&encoding.transition(location, demand, TimePoint::Current)?)
    })
}

/// A predecessor in a region, and a letter.
pub(crate) fn predecessor(
    encoding: &StateEncoding,
    state: &Pair,
    region: &Bdd,
    between: Between,
) -> Result<Option<Cube>, OutOfNodes> {
    if between != Between::Pairs {
        return predecessor_of_kind(encoding, state, region.clone(), true, between);
    }
    let breakpoints = region.and(encoding.breakpoints())?;
    let cube = predecessor_of_kind(encoding, state, breakpoints, true, between)?;
    if cube.is_some() {
        return Ok(cube);
    }
    let obligations = region.and_not(encoding.breakpoints())?;
    predecessor_of_kind(encoding, state, obligations, false, between)
}

/// A predecessor in a region of states that all have obligations, or all have none.
fn predecessor_of_kind(
    encoding: &StateEncoding,
    state: &Pair,
    region: Bdd,
    breakpoints: bool,
    between: Between,
) -> Result<Option<Cube>, OutOfNodes> {
    let mut constraints = Vec::new();
    for location in encoding.locations() {
        let letters = encoding.letters(location, between.demand(location, breakpoints), state)?;
        constraints.push((encoding.x(location, TimePoint::Current)?, letters));
        if encoding.may_be_obligation(location) && !breakpoints {
            let letters = encoding.letters(location, Demand::Discharge, state)?;
            constraints.push((encoding.y(location, TimePoint::Current)?, letters));
        }
    }
    // Locations that are possible on no letter come first: they leave a small region for the
    // others.
    constraints.sort_by_key(|(_, letters)| !letters.is_bottom());
    let allowed = constraints.iter().try_fold(region, |allowed, (location, letters)| {
        allowed.and(&location.implies(letters)?)
    })?;
    Ok(allowed.pick_cube())
}
