//! One successor or predecessor of one state, with a letter between them: what a word is made of.
//!
//! The constraints are those of `steps`, with one of both states put in. The other is found over
//! current variables, where regions are, so that nothing is renamed.

use kermode_automata::Location;
use kermode_base::BitSet;
use kermode_bdd::{Bdd, Cube, OutOfNodes};
use rustc_hash::FxHashMap;

use super::encoding::{Demand, Encoding, Moment};
use super::miyano_hayashi::Pair;

/// What the states are between which a step is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Between {
    /// Pairs.
    Pairs,
    /// Sets; perhaps a location must be left.
    Sets(Option<Location>),
}

impl Between {
    /// What is demanded of a location of `s`.
    fn demand(self, location: Location, settled: bool) -> Demand {
        match self {
            Between::Pairs if settled => Demand::Owe,
            Between::Sets(Some(left)) if left == location => Demand::Leave,
            _ => Demand::Follow,
        }
    }
}

/// Looks for successors of one state after the other. States of a walk resemble each other: for
/// each region it is remembered what is left of it by the demands that came every time so far.
#[derive(Default)]
pub(crate) struct Ahead {
    usual: FxHashMap<Bdd, (BitSet, Bdd)>,
}

impl Ahead {
    /// A successor in a region, and a letter.
    pub(crate) fn successor(
        &mut self,
        encoding: &mut Encoding,
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

    /// Takes demands out of the usual ones that did not come this time.
    fn learn(
        &mut self,
        encoding: &mut Encoding,
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
const DEMANDS: [Demand; 3] = [Demand::Follow, Demand::Owe, Demand::Leave];

/// What a state demands, as numbers of locations with demands.
fn demands(state: &Pair, between: Between) -> BitSet {
    let number = |index: usize, demand| {
        let place = DEMANDS.iter().position(|&other| other == demand);
        DEMANDS.len() * index + place.unwrap_or(0)
    };
    let of_s = |index| between.demand(Location::from_index(index), state.o.is_empty());
    let all = state.s.iter().map(|index| number(index, of_s(index)));
    all.chain(state.o.iter().map(|index| number(index, Demand::Owe))).collect()
}

/// The letters and states of a region that meet demands.
fn met(encoding: &mut Encoding, demands: &BitSet, region: Bdd) -> Result<Bdd, OutOfNodes> {
    demands.iter().try_fold(region, |allowed, number| {
        let location = Location::from_index(number / DEMANDS.len());
        let demand = DEMANDS[number % DEMANDS.len()];
        allowed.and(&encoding.transition(location, demand, Moment::Current)?)
    })
}

/// A predecessor in a region, and a letter.
pub(crate) fn predecessor(
    encoding: &Encoding,
    state: &Pair,
    region: &Bdd,
    between: Between,
) -> Result<Option<Cube>, OutOfNodes> {
    if between != Between::Pairs {
        return predecessor_of_kind(encoding, state, region.clone(), true, between);
    }
    let settled = region.and(encoding.settled())?;
    let cube = predecessor_of_kind(encoding, state, settled, true, between)?;
    if cube.is_some() {
        return Ok(cube);
    }
    let owing = region.and_not(encoding.settled())?;
    predecessor_of_kind(encoding, state, owing, false, between)
}

/// A predecessor in a region of states that all are settled, or none.
fn predecessor_of_kind(
    encoding: &Encoding,
    state: &Pair,
    region: Bdd,
    settled: bool,
    between: Between,
) -> Result<Option<Cube>, OutOfNodes> {
    let mut constraints = Vec::new();
    for location in encoding.locations() {
        let letters = encoding.letters(location, between.demand(location, settled), state)?;
        constraints.push((encoding.x(location, Moment::Current)?, letters));
        if encoding.may_owe(location) && !settled {
            let letters = encoding.letters(location, Demand::Owe, state)?;
            constraints.push((encoding.y(location, Moment::Current)?, letters));
        }
    }
    // Locations that can be there on no letter first: that leaves a small region for the others.
    constraints.sort_by_key(|(_, letters)| !letters.is_bottom());
    let allowed = constraints.iter().try_fold(region, |allowed, (location, letters)| {
        allowed.and(&location.implies(letters)?)
    })?;
    Ok(allowed.pick_cube())
}
