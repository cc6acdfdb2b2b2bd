//! `l2s` with few copies: a search for loops that saves all states at once, and copies only the
//! variables that it needs.
//!
//! A loop leaves a saved state by a step with the *anchor*, a mark that every fair loop has, takes
//! a step with each other mark in turn, and returns to the saved state. (A fair loop can be taken
//! several times, so the order of the marks does not matter.) All saved states are followed
//! together: a region is a set of pairs, a state that was saved, in the copies, and a state that
//! is reached from it.
//!
//! With copies of some variables only, a loop is *spurious* if it returns to another state with
//! the same values of the copied variables. If there is no loop, there is no fair run. Otherwise
//! one state that loops return to is taken alone. If it does return to itself, that is a fair
//! lasso. If not, more variables are copied, as many as it takes to tell the state from those
//! that it is reached from. The next round saves only the states that loops return to, and stays
//! among the states on paths between these.
//!
//! Invariant: `within` includes all fair loops of the part that is searched, and `saved` a state of
//! each with the anchor. Each round copies at least one variable more, and with copies of all
//! variables no loop is spurious, so the search ends.
//!
//! Departs from \[BAS02\], where all variables are copied, one bit per justice constraint is a part
//! of the state, and the search goes breadth first from the initial states (`to_safety.rs`).

use kermode_base::{BitSet, Natural};
use kermode_bdd::{Bdd, Manager};

use super::copies::CopiedModel;
use super::mistakes::Mistake;
use super::partition::{PairState, Partition, PartitionedStates};
use super::reach::BoundedSpace;
use crate::compiled::states::SystemStates;
use crate::fixpoint::emptiness::{FairSpace, LassoIn};
use crate::fixpoint::fixpoints::reachable;
use crate::fixpoint::path_search::{self, Side};
use crate::fixpoint::trace::{Lasso, Traces, Walk, approach};
use crate::fixpoint::{Direction, Images, Regions};
use crate::frame::budget::Stop;

/// How many states are taken alone before the next round.
const CANDIDATES: usize = 8;

/// A space over diagrams whose regions may have copies.
pub(super) trait CopyingSpace: BoundedSpace {
    fn manager(&self) -> &Manager;

    /// The diagrams of a region.
    fn parts(region: &mut Self::Region) -> &mut [Bdd];

    /// The region with one state.
    fn only(&self, state: &Self::State) -> Result<Self::Region, Stop>;

    /// The part of a state in the model.
    fn in_model(state: &Self::State) -> &BitSet;
}

impl CopyingSpace for SystemStates<'_> {
    fn manager(&self) -> &Manager {
        SystemStates::manager(self)
    }

    fn parts(region: &mut Bdd) -> &mut [Bdd] {
        std::slice::from_mut(region)
    }

    fn only(&self, state: &BitSet) -> Result<Bdd, Stop> {
        Ok(self.manager().cube(&self.model().cube(state, false))?)
    }

    fn in_model(state: &BitSet) -> &BitSet {
        state
    }
}

impl CopyingSpace for PartitionedStates<'_> {
    fn manager(&self) -> &Manager {
        self.system.manager()
    }

    fn parts(region: &mut Partition) -> &mut [Bdd] {
        region
    }

    fn only(&self, state: &PairState) -> Result<Partition, Stop> {
        let states = self.system.only(&state.system)?;
        Ok(self.region(&states, |property| property == state.property))
    }

    fn in_model(state: &PairState) -> &BitSet {
        &state.system
    }
}

/// What the loops of a search have in common.
pub(super) struct LoopKind {
    /// The mark of the step that leaves the saved state, if there is one.
    anchor: Option<usize>,
    /// The other marks.
    marks: Vec<usize>,
    mistake: Option<Mistake>,
}

impl LoopKind {
    /// The loops with all of the first marks. If `is_anchored`, the last of them is the anchor.
    pub(super) fn new(mark_count: usize, is_anchored: bool, mistake: Option<Mistake>) -> Self {
        let is_missing = mistake == Some(Mistake::JusticeBitIsMissing);
        let mut marks: Vec<usize> =
            (0..mark_count.saturating_sub(usize::from(is_missing))).collect();
        let anchor = if is_anchored { marks.pop() } else { None };
        LoopKind { anchor, marks, mistake }
    }
}

/// A state on a fair loop, and the states among which the loop is.
pub(super) struct SavedLoop<S: FairSpace> {
    state: S::State,
    within: S::Region,
}

/// A search in progress.
pub(super) struct LoopSearch<'c, S: CopyingSpace> {
    space: &'c mut S,
    copies: &'c CopiedModel,
    kind: &'c LoopKind,
    /// The copies in use, by number.
    used: BitSet,
    saved: S::Region,
    within: S::Region,
}

impl<'c, S: CopyingSpace> LoopSearch<'c, S> {
    /// A search for loops through one of the saved states. `within` has all states of such loops.
    pub(super) fn new(
        space: &'c mut S,
        copies: &'c CopiedModel,
        kind: &'c LoopKind,
        saved: S::Region,
        within: S::Region,
    ) -> Self {
        LoopSearch { space, copies, kind, used: BitSet::new(), saved, within }
    }

    /// A state on a fair loop.
    pub(super) fn run(mut self) -> Result<Option<SavedLoop<S>>, Stop> {
        self.anchored()?;
        loop {
            if !self.round()? {
                return Ok(None);
            }
            if self.used.len() == self.copies.len() {
                let state = self.space.plain().some_state(&self.saved);
                return Ok(Some(SavedLoop { state, within: self.within }));
            }
            self.surround()?;
            if let Some(state) = self.refine()? {
                return Ok(Some(SavedLoop { state, within: self.within }));
            }
        }
    }

    /// Saves only states with a step that has the anchor.
    fn anchored(&mut self) -> Result<(), Stop> {
        self.space.face(Direction::Backward)?;
        let within = self.within.clone();
        let before = self.first_step(&within)?;
        self.saved = self.space.plain().intersection(&self.saved, &before)?;
        Ok(())
    }

    /// Follows the saved states, and keeps those that loops return to. Returns whether there are
    /// any.
    fn round(&mut self) -> Result<bool, Stop> {
        self.space.face(Direction::Forward)?;
        let equal = self.copies.equal(&self.used, self.space.manager())?;
        let pairs = self.constrained(&self.saved, &equal)?;
        let after = self.first_step(&pairs)?;
        let end = self.around(after)?;
        let returned = self.space.plain().intersection(&end, &self.saved)?;
        let mut returned = match self.kind.mistake {
            Some(Mistake::SpuriousLoopsCount) => returned,
            _ => self.constrained(&returned, &equal)?,
        };
        let copies = self.copies.variables(&self.used, self.space.manager())?;
        for part in S::parts(&mut returned) {
            *part = part.exists(&copies)?;
        }
        self.saved = returned;
        Ok(!self.space.plain().is_empty(&self.saved))
    }

    /// The states after, or before, the step between a saved state and the next one.
    fn first_step(&mut self, region: &S::Region) -> Result<S::Region, Stop> {
        let mut paths = self.space.within(self.within.clone());
        match self.kind.anchor {
            Some(mark) => paths.marked_image(region, mark),
            None => paths.image(region),
        }
    }

    /// The states at the other end of paths with all marks.
    fn around(&mut self, region: S::Region) -> Result<S::Region, Stop> {
        let mut marks = self.kind.marks.clone();
        if self.space.direction() == Direction::Backward {
            marks.reverse();
        }
        let mut paths = self.space.within(self.within.clone());
        let mut region = region;
        for mark in marks {
            let all = paths.closure(&region, None)?;
            region = paths.marked_image(&all, mark)?;
        }
        paths.closure(&region, None)
    }

    /// Restricts the search to the states on paths between saved ones.
    fn surround(&mut self) -> Result<(), Stop> {
        for direction in [Direction::Forward, Direction::Backward] {
            self.space.face(direction)?;
            let mut paths = self.space.within(self.within.clone());
            self.within = paths.closure(&self.saved, Some(&self.within))?;
        }
        Ok(())
    }

    /// Takes some of the saved states alone. Returns one that is on a fair loop, or copies more
    /// variables.
    fn refine(&mut self) -> Result<Option<S::State>, Stop> {
        self.space.face(Direction::Backward)?;
        let mut left = self.saved.clone();
        for _ in 0..CANDIDATES {
            if self.space.plain().is_empty(&left) {
                break;
            }
            let state = self.space.plain().some_state(&left);
            let only = self.space.only(&state)?;
            let leading_there = self.around(only.clone())?;
            let before = self.first_step(&leading_there)?;
            if self.space.plain().contains(&before, &state) {
                return Ok(Some(state));
            }
            self.distinguish(&state, before)?;
            left = without::<S>(left, only)?;
            left = without::<S>(left, leading_there)?;
        }
        Ok(None)
    }

    /// Copies variables until their values tell a state from all saved states in a region.
    fn distinguish(&mut self, state: &S::State, region: S::Region) -> Result<(), Stop> {
        let state = S::in_model(state);
        let manager = self.space.manager().clone();
        let values = manager.cube(&self.copies.values(&self.used, state))?;
        let region = self.space.plain().intersection(&region, &self.saved)?;
        let mut equal = self.constrained(&region, &values)?;
        while !self.space.plain().is_empty(&equal) {
            let mut best: Option<(Natural, usize, S::Region)> = None;
            for copy in (0..self.copies.len()).filter(|&copy| !self.used.contains(copy)) {
                let literal = self.copies.literal(copy, state);
                let literal = manager.literal(literal.variable, literal.positive)?;
                let mut rest = self.constrained(&equal, &literal)?;
                let mut count = Natural::ZERO;
                for part in S::parts(&mut rest) {
                    count.add(&part.model_count(manager.capacity().variables));
                }
                if best.as_ref().is_none_or(|(least, ..)| count < *least) {
                    best = Some((count, copy, rest));
                }
            }
            let (_, copy, rest) = best.expect("the state differs from all in the region");
            self.used.insert(copy);
            equal = rest;
        }
        Ok(())
    }

    fn constrained(&self, region: &S::Region, condition: &Bdd) -> Result<S::Region, Stop> {
        let mut region = region.clone();
        for part in S::parts(&mut region) {
            *part = part.and(condition)?;
        }
        Ok(region)
    }
}

/// The states of a region that are not in another one.
fn without<S: CopyingSpace>(
    mut region: S::Region,
    mut others: S::Region,
) -> Result<S::Region, Stop> {
    for (part, others) in S::parts(&mut region).iter_mut().zip(S::parts(&mut others)) {
        *part = part.and_not(others)?;
    }
    Ok(region)
}

impl<S: CopyingSpace> SavedLoop<S> {
    /// The lasso with this loop, unless it gets too long.
    pub(super) fn lasso(
        &self,
        space: &mut S,
        kind: &LoopKind,
        longest: usize,
    ) -> Result<Option<LassoIn<S>>, Stop> {
        let only = space.only(&self.state)?;
        let Some(meeting) = path_search::search(space, &only, Side::Cheaper)? else {
            return Ok(None);
        };
        if meeting.length() > longest {
            return Ok(None);
        }
        let (prefix, _) = meeting.path(space)?;
        space.face(Direction::Backward)?;
        let rings = self.rings(space, kind, only)?;
        let mut paths = space.within(self.within.clone());
        let mut walk = Walk::from(self.state.clone());
        let marks = kind.marks.iter().copied().map(Some);
        for (mark, rings) in std::iter::once(kind.anchor).chain(marks).zip(rings.iter().rev()) {
            let mut all = paths.none();
            for ring in rings {
                paths.add(&mut all, ring)?;
            }
            walk.step(paths.neighbour(&walk.here, &all, mark)?);
            approach(&mut paths, rings, &mut walk)?;
        }
        Ok(Some(Lasso { prefix, cycle: walk.in_time(Direction::Backward) }))
    }

    /// For each leg of the loop, the last first: the rings around its end.
    fn rings(
        &self,
        space: &mut S,
        kind: &LoopKind,
        only: S::Region,
    ) -> Result<Vec<Vec<S::Region>>, Stop> {
        let mut paths = space.within(self.within.clone());
        let (mut legs, mut end) = (Vec::new(), only);
        for mark in kind.marks.iter().rev().copied().map(Some).chain([None]) {
            let mut rings = Vec::new();
            let all = reachable(&mut paths, &end, &mut |_, ring| {
                rings.push(ring.clone());
                Ok(false)
            })?;
            legs.push(rings);
            if let (Some(mark), Some(all)) = (mark, all) {
                end = paths.marked_image(&all, mark)?;
            }
        }
        Ok(legs)
    }
}
