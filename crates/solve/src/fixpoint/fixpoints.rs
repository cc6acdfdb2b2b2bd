//! The fixpoints of \[DDMR08\], section 3: what can be reached, which states have an infinite path,
//! and which have a fair one. `Image` is `Post` or `Pre`, as the algebra works forward or backward.

use super::{Images, Regions};
use crate::frame::budget::Stop;

/// Ends a fixpoint early: it gets a region and says whether that is enough.
pub type Enough<'e, R> = dyn FnMut(&mut R, &<R as Regions>::Region) -> Result<bool, Stop> + 'e;

/// `mu x. (Image(x) + seed)`, or nothing if `enough` ends the search: it is called after every step
/// with the states that are new.
pub fn reachable<R: Images>(
    regions: &mut R,
    seed: &R::Region,
    enough: &mut Enough<R>,
) -> Result<Option<R::Region>, Stop> {
    reachable_within(regions, seed, None, enough)
}

/// The same, where it may be known that nothing beyond a region is reached.
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

/// `nu y. Image(y)`, from a region that its image does not leave: backward the states that have an
/// infinite path, forward those at the end of one. Or nothing if `enough` ends the search: it is
/// called with what is left.
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

/// `nu y. mu x. (Image(x) + Image_alpha(y))`, where `Image_alpha` takes steps with the mark:
/// forward it is `F'`, the states before which marked steps can have been taken infinitely often,
/// backward it is `F`, those from which they can be. Several marks take turns \[EL86\], until each
/// has left all as it was. Or nothing if `enough` ends the search: it is called after every turn
/// with what is left.
///
/// The greatest fixpoint begins with `start`. Forward that is all that is reached; everything
/// computed from there is reachable, so that `R_alpha` need not be intersected with.
pub fn fair_states<R: Images>(
    regions: &mut R,
    start: R::Region,
    enough: &mut Enough<R>,
) -> Result<Option<R::Region>, Stop> {
    let (mut left, mut unchanged) = (start, 0);
    for mark in (0..regions.mark_count()).cycle() {
        let seed = regions.marked_image(&left, mark)?;
        // No step leaves what is left.
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
