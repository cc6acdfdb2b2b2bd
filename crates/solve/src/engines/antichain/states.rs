//! The discovered states of a space by number, with the queries of antichains.

use indexmap::IndexSet;
use kermode_automata::space::Ordered;
use rustc_hash::FxBuildHasher;

use crate::fixpoint::antichain::Elements;

/// States by number.
pub(super) struct StateTable<S: Ordered> {
    all: IndexSet<S::State, FxBuildHasher>,
    sizes: Vec<u32>,
    signatures: Vec<u64>,
}

/// The order of an antichain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateOrder {
    /// A state is below those that it subsumes.
    Subsumed,
    /// A state is below those that it simulates.
    Simulated,
    /// A state is below those that simulate it: antichains have maximal states.
    Reversed,
}

/// States with an order.
pub(super) struct Compared<'s, S: Ordered> {
    space: &'s S,
    states: &'s StateTable<S>,
    order: StateOrder,
}

impl<S: Ordered> StateTable<S> {
    pub(super) fn new() -> Self {
        StateTable { all: IndexSet::default(), sizes: Vec::new(), signatures: Vec::new() }
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The state with a number.
    pub(super) fn get(&self, number: u32) -> &S::State {
        &self.all[number as usize]
    }

    /// The number of a state, and whether it is new.
    pub(super) fn number(&mut self, space: &S, state: S::State) -> (u32, bool) {
        let (size, signature) = (space.size(&state) as u32, space.signature(&state));
        let (index, is_new) = self.all.insert_full(state);
        if is_new {
            self.sizes.push(size);
            self.signatures.push(signature);
        }
        (index as u32, is_new)
    }

    pub(super) fn compared<'s>(&'s self, space: &'s S, order: StateOrder) -> Compared<'s, S> {
        Compared { space, states: self, order }
    }
}

impl<S: Ordered> Elements for Compared<'_, S> {
    fn size(&self, element: u32) -> usize {
        let size = self.states.sizes[element as usize] as usize;
        match self.order {
            StateOrder::Reversed => self.space.largest_size() - size,
            StateOrder::Subsumed | StateOrder::Simulated => size,
        }
    }

    fn sizes_are_strict(&self) -> bool {
        self.space.sizes_are_strict()
    }

    fn signature(&self, element: u32) -> u64 {
        let signature = self.states.signatures[element as usize];
        if self.order == StateOrder::Reversed { !signature } else { signature }
    }

    fn is_below(&self, small: u32, large: u32) -> bool {
        let [small, large] = [small, large].map(|state| self.states.get(state));
        match self.order {
            StateOrder::Subsumed => self.space.subsumes(small, large),
            StateOrder::Simulated => self.space.simulates(small, large),
            StateOrder::Reversed => self.space.simulates(large, small),
        }
    }
}

/// Implements the algebra of antichains for a search, which knows how states are compared and kept.
macro_rules! antichain_regions {
    ($search:ident, $space:ident) => {
        impl<S: $space<Stop = Stop>> Regions for $search<'_, S> {
            type Region = Antichain;

            fn none(&self) -> Antichain {
                Antichain::default()
            }

            fn is_empty(&self, region: &Antichain) -> bool {
                region.is_empty()
            }

            fn add(&mut self, region: &mut Antichain, more: &Antichain) -> Result<Antichain, Stop> {
                let mut new = Antichain::default();
                for state in more.iter() {
                    self.budget.check()?;
                    if self.keep(region, state) {
                        new.insert(state, &self.compared());
                    }
                }
                self.counts.largest = self.counts.largest.max(region.len());
                Ok(new)
            }

            fn includes(&mut self, larger: &Antichain, smaller: &Antichain) -> Result<bool, Stop> {
                larger.includes(smaller, &self.compared(), &mut || self.budget.check())
            }

            fn pick(&mut self, region: &mut Antichain) -> Antichain {
                region.take_smallest(&self.compared())
            }
        }
    };
}

pub(super) use antichain_regions;
