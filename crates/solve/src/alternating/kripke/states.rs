//! The states of the product of a model and a property, for the fixpoints.
//!
//! Marks of the product are the justice constraints of the model and the marks of the property.
//! Fixpoints without marks may use an order that subsumes more than the order of simulation: then
//! a region is closed again when it is lifted to the marked algebra.

use kermode_base::BitSet;
use kermode_bdd::Bdd;
use rustc_hash::FxHashMap;

use super::algebra::KripkeAlgebra;
use super::mistakes::{Mistake, is_planted};
use super::property::{OrderInUse, PropertyStates};
use super::region::Region;
use crate::alternating::by_letter::ByLetter;
use crate::compiled::states::SystemStates;
use crate::fixpoint::emptiness::FairSpace;
use crate::fixpoint::{Direction, Images};
use crate::frame::budget::Stop;

/// A search that drops at least one in this many states of the property is not given up.
const DROPPED_OF: usize = 20;

/// A state of the product.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KripkeState {
    pub(crate) property: u32,
    /// The true variables of the model.
    pub(crate) system: BitSet,
}

/// What a mark of the product is.
pub(crate) enum KripkeMark {
    /// A justice constraint of the model.
    System(usize),
    /// A mark of the property.
    Property(usize),
    /// There are no marks: all steps have the only one.
    None,
}

/// Counters of the work on regions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KripkeCounts {
    /// How many pairs of a diagram and a state of the property were expanded.
    pub(crate) steps: u64,
    /// The largest number of pairs of a region.
    pub(crate) largest: usize,
}

/// A preimage, with the set that it belongs to.
pub(super) struct KnownPreimage {
    pub(super) of: Bdd,
    pub(super) preimage: Bdd,
}

/// The states of the product.
pub(crate) struct KripkeStates<'o, S: ByLetter> {
    pub(crate) system: SystemStates<'o>,
    pub(crate) property: PropertyStates<S>,
    /// The states of the property with which searches begin.
    pub(crate) first: Vec<u32>,
    /// The states of the model to which backward steps are restricted; no step leaves them.
    pub(super) bound: Option<Bdd>,
    /// The last preimage of the part of each state of the property.
    pub(super) known: FxHashMap<u32, KnownPreimage>,
    pub(crate) counts: KripkeCounts,
    /// If the search is watched, the number of steps after which growth is checked.
    pub(crate) patience: Option<u64>,
}

impl<'o, S: ByLetter> KripkeStates<'o, S> {
    /// The states of a product. Both factors face the same direction.
    pub(crate) fn new(
        system: SystemStates<'o>,
        mut property: PropertyStates<S>,
    ) -> Result<Self, Stop> {
        let first = property.first()?;
        let (known, counts) = (FxHashMap::default(), KripkeCounts::default());
        Ok(KripkeStates { system, property, first, bound: None, known, counts, patience: None })
    }

    /// The number of justice constraints of the model.
    fn justice_count(&self) -> usize {
        match is_planted(Mistake::JusticeIsIgnored) {
            true => 0,
            false => self.system.model().justice.len(),
        }
    }

    /// The number of marks, perhaps none.
    pub(crate) fn mark_count(&self) -> usize {
        let dropped = usize::from(is_planted(Mistake::MarkIsDropped));
        self.justice_count() + self.property.mark_count().saturating_sub(dropped)
    }

    /// Stops the search if it is watched and the antichains are about to blow up: many steps were
    /// taken, and hardly any state of the property was dropped in favour of another.
    pub(super) fn check_growth(&self) -> Result<(), Stop> {
        let Some(patience) = self.patience else { return Ok(()) };
        let (met, kept) = (self.property.len(), self.counts.largest);
        match self.counts.steps >= patience && met.saturating_sub(kept) * DROPPED_OF < met {
            true => Err(Stop::Limit("the antichains hardly drop any states".to_owned())),
            false => Ok(()),
        }
    }

    /// A mark by its number.
    pub(crate) fn mark(&self, number: usize) -> KripkeMark {
        match number.checked_sub(self.justice_count()) {
            _ if self.mark_count() == 0 => KripkeMark::None,
            None => KripkeMark::System(number),
            Some(place) => KripkeMark::Property(place),
        }
    }

    /// The region with the same states of the model for some states of the property.
    pub(crate) fn region(
        &self,
        order: OrderInUse,
        properties: &[u32],
        states: &Bdd,
    ) -> Result<Region, Stop> {
        let mut region = Region::default();
        for &property in properties {
            region.insert(self.property.order(order), property, states)?;
        }
        Ok(region)
    }

    /// Restricts all further backward steps to states of the model that no step leaves.
    pub(crate) fn bound_by(&mut self, states: Bdd) -> Result<(), Stop> {
        // The model needs to know only that there is a bound.
        self.system.bound_by(Some(self.system.manager().top()), true);
        self.system.face(Direction::Backward)?;
        self.known.clear();
        self.bound = Some(states);
        Ok(())
    }

    /// An algebra over this order whose steps lead to a region, if one is given.
    pub(crate) fn algebra(
        &mut self,
        order: OrderInUse,
        within: Option<Region>,
    ) -> KripkeAlgebra<'_, 'o, S> {
        KripkeAlgebra { states: self, order, within }
    }
}

/// The forward space. Backward searches begin with all states of the property, whatever the initial
/// ones are, and have their own end.
impl<'o, S: ByLetter> FairSpace for KripkeStates<'o, S> {
    type Region = Region;
    type State = KripkeState;
    type Label = BitSet;
    type Plain<'s>
        = KripkeAlgebra<'s, 'o, S>
    where
        Self: 's;
    type Marked<'s>
        = KripkeAlgebra<'s, 'o, S>
    where
        Self: 's;

    fn direction(&self) -> Direction {
        self.property.direction()
    }

    fn all(&self) -> Region {
        let states = self.bound.clone().unwrap_or_else(|| self.system.manager().top());
        let all = self.region(OrderInUse::Simulated, &self.first, &states);
        all.unwrap_or_default()
    }

    fn initial(&self) -> Result<Region, Stop> {
        self.region(OrderInUse::Subsumed, &self.first, &self.system.initial()?)
    }

    fn is_safety(&self) -> bool {
        self.mark_count() == 0
    }

    fn plain(&mut self) -> KripkeAlgebra<'_, 'o, S> {
        self.algebra(OrderInUse::Subsumed, None)
    }

    fn marked(&mut self) -> Result<KripkeAlgebra<'_, 'o, S>, Stop> {
        Ok(self.algebra(OrderInUse::Simulated, None))
    }

    /// Closes a region under the steps to states that others subsume and do not simulate.
    fn lift(&mut self, region: &Region) -> Result<Region, Stop> {
        match self.property.exchanges() {
            true => self.marked()?.closure(region, None),
            false => Ok(region.clone()),
        }
    }

    fn lower(&self, state: KripkeState) -> KripkeState {
        state
    }
}
