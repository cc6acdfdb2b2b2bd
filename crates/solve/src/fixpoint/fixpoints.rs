//! The fixpoints of \[DDMR08\], section 3: the reachable states, the states with an infinite path,
//! and the fair states. `Image` is `Post` if the algebra works forward, `Pre` if it works backward.

use super::{Images, Regions};
use crate::frame::budget::Stop;

/// A test that ends a fixpoint early: true if this region is enough.
pub type Enough<'e, R> = dyn FnMut(&mut R, &<R as Regions>::Region) -> Result<bool, Stop> + 'e;

/// `mu x. (Image(x) + seed)`, or nothing if `enough` ends the search. `enough` is called after
/// every step with the new states.
pub fn reachable<R: Images>(
    regions: &mut R,
    seed: &R::Region,
    enough: &mut Enough<R>,
) -> Result<Option<R::Region>, Stop> {
    reachable_within(regions, seed, None, enough)
}

/// `mu x. (Image(x) + seed)`, by one step after the other from all states. `bound`, if given,
/// includes the result.
pub fn breadth_first<R: Images>(
    regions: &mut R,
    seed: &R::Region,
    bound: Option<&R::Region>,
) -> Result<R::Region, Stop> {
    let all = reachable_within(regions, seed, bound, &mut |_, _| Ok(false))?;
    Ok(all.unwrap_or_else(|| regions.none()))
}

/// The same as [`reachable`], where a region may be known that includes the result.
fn reachable_within<R: Images>(
    regions: &mut R,
    seed: &R::Region,
    bound: Option<&R::Region>,
    enough: &mut Enough<R>,
) -> Result<Option<R::Region>, Stop> {
    let (mut growth, mut new) = Growth::new(regions, seed)?;
    loop {
        if enough(regions, &new)? {
            return Ok(None);
        }
        let is_full = bound.is_some_and(|bound| regions.are_identical(bound, growth.all()));
        if is_full || growth.is_complete(regions) {
            return Ok(Some(growth.all));
        }
        new = growth.step(regions)?;
    }
}

/// A least fixpoint `mu x. (Image(x) + seed)` in progress.
pub struct Growth<T> {
    all: T,
    frontier: T,
}

impl<T> Growth<T> {
    /// The seed, and its states as the first new ones.
    pub fn new<R: Images<Region = T>>(regions: &mut R, seed: &T) -> Result<(Self, T), Stop> {
        let (mut all, mut frontier) = (regions.none(), regions.none());
        let new = regions.add(&mut all, seed)?;
        regions.add(&mut frontier, &new)?;
        Ok((Growth { all, frontier }, new))
    }

    /// All states so far.
    pub fn all(&self) -> &T {
        &self.all
    }

    /// The same, at the end.
    pub fn into_all(self) -> T {
        self.all
    }

    /// The states that are not expanded yet.
    pub fn frontier(&self) -> &T {
        &self.frontier
    }

    /// Whether there is nothing left to expand.
    pub fn is_complete<R: Images<Region = T>>(&self, regions: &R) -> bool {
        regions.is_empty(&self.frontier)
    }

    /// Expands a part of the frontier. Returns the new states.
    pub fn step<R: Images<Region = T>>(&mut self, regions: &mut R) -> Result<T, Stop> {
        let part = regions.pick(&mut self.frontier);
        let next = regions.image(&part)?;
        let new = regions.add(&mut self.all, &next)?;
        regions.add(&mut self.frontier, &new)?;
        Ok(new)
    }
}

/// `nu y. Image(y)`, from a region that is closed under the image: backward the states with an
/// infinite path, forward those at the end of one. Nothing if `enough` ends the search; it is
/// called with the remaining states.
pub fn with_infinite_path<R: Images>(
    regions: &mut R,
    start: R::Region,
    enough: &mut Enough<R>,
) -> Result<Option<R::Region>, Stop> {
    let mut before = start;
    loop {
        if enough(regions, &before)? {
            return Ok(None);
        }
        let after = regions.image(&before)?;
        if regions.includes(&after, &before)? {
            return Ok(Some(after));
        }
        before = after;
    }
}

/// `nu y. mu x. (Image(x) + Image_alpha(y))`, where `Image_alpha` takes steps with the mark.
/// Forward it is `F'`, the states that have infinitely many marked steps behind them. Backward it
/// is `F`, the states that can have infinitely many marked steps before them. Several marks take
/// turns \[EL86\] until none of them changes the region. Nothing if `enough` ends the search; it is
/// called after every turn with the remaining states.
///
/// The greatest fixpoint begins with `start`. Forward that is the set of reachable states. All
/// regions computed from it are reachable, so no intersection with `R_alpha` is needed.
pub fn fair_states<R: Images>(
    regions: &mut R,
    start: R::Region,
    enough: &mut Enough<R>,
) -> Result<Option<R::Region>, Stop> {
    let (mut left, mut unchanged) = (start, 0);
    for mark in (0..regions.mark_count()).cycle() {
        let seed = regions.marked_image(&left, mark)?;
        // No step leaves the remaining states.
        let after = regions.closure(&seed, Some(&left))?;
        if enough(regions, &after)? {
            return Ok(None);
        }
        let same = regions.includes(&after, &left)? && regions.includes(&left, &after)?;
        unchanged = if same { unchanged + 1 } else { 0 };
        left = after;
        if unchanged == regions.mark_count() {
            break;
        }
    }
    Ok(Some(left))
}
