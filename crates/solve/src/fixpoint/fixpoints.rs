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

/// The same, where a region may be known that includes the result.
fn reachable_within<R: Images>(
    regions: &mut R,
    seed: &R::Region,
    bound: Option<&R::Region>,
    enough: &mut Enough<R>,
) -> Result<Option<R::Region>, Stop> {
    let (mut all, mut frontier) = (regions.none(), regions.none());
    let mut new = regions.add(&mut all, seed)?;
    loop {
        regions.add(&mut frontier, &new)?;
        if enough(regions, &new)? {
            return Ok(None);
        }
        let is_full = bound.is_some_and(|bound| regions.are_identical(bound, &all));
        if is_full || regions.is_empty(&frontier) {
            return Ok(Some(all));
        }
        let part = regions.pick(&mut frontier);
        let next = regions.image(&part)?;
        new = regions.add(&mut all, &next)?;
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
        let after = reachable_within(regions, &seed, Some(&left), &mut |_, _| Ok(false))?;
        let after = after.unwrap_or_else(|| regions.none());
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
