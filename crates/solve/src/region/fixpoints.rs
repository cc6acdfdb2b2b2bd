//! The fixpoints of [DDMR08], section 3: what can be reached, and what can be visited infinitely often. `Step` is `Post` or
//! `Pre`, as the algebra works forward or backward.

use super::Regions;
use crate::budget::Stop;

/// What ends a fixpoint early: told what there is, it says whether that is enough.
pub type Enough<'e, R> = dyn FnMut(&mut R, &<R as Regions>::Region) -> Result<bool, Stop> + 'e;

/// `mu x. (Step(x) + seed)`, or nothing if `enough` ends the search: it is asked after every step and told what was
/// new.
pub fn reachable<R: Regions>(
    regions: &mut R,
    seed: &R::Region,
    enough: &mut Enough<R>,
) -> Result<Option<R::Region>, Stop> {
    let (mut all, mut frontier) = (regions.none(), regions.none());
    let mut new = regions.add(&mut all, seed)?;
    loop {
        regions.add(&mut frontier, &new)?;
        if enough(regions, &new)? {
            return Ok(None);
        }
        if regions.is_empty(&frontier) {
            return Ok(Some(all));
        }
        let part = regions.pick(&mut frontier);
        let next = regions.step(&part)?;
        new = regions.add(&mut all, &next)?;
    }
}

/// `mu x. (Step(x) + seed)`.
fn all_reachable<R: Regions>(regions: &mut R, seed: &R::Region) -> Result<R::Region, Stop> {
    let reached = reachable(regions, seed, &mut |_, _| Ok(false))?;
    Ok(reached.unwrap_or_else(|| regions.none()))
}

/// `nu y. mu x. (Step(x) + Step_alpha(y))`, where `Step_alpha` takes steps with the mark: forward it is `F'`, the states
/// before which marked steps can have been taken infinitely often, backward it is `F`, those from which they can be. With
/// several marks each has its turn in every round [EL86]. Or nothing, if `enough` ends the search: it is asked after
/// every round and told what is left.
///
/// The greatest fixpoint begins with `start`. Forward that is all that is reached; everything computed from there is
/// reachable, so that `R_alpha` need not be intersected with.
pub fn infinitely_often<R: Regions>(
    regions: &mut R,
    start: R::Region,
    enough: &mut Enough<R>,
) -> Result<Option<R::Region>, Stop> {
    let mut before = start;
    loop {
        let after = round(regions, &before)?;
        if enough(regions, &after)? {
            return Ok(None);
        }
        if regions.includes(&after, &before)? && regions.includes(&before, &after)? {
            return Ok(Some(after));
        }
        before = after;
    }
}

/// What remains if each mark is seen once more.
fn round<R: Regions>(regions: &mut R, before: &R::Region) -> Result<R::Region, Stop> {
    if regions.mark_count() == 0 {
        return regions.step(before);
    }
    let mut after = None;
    for mark in 0..regions.mark_count() {
        let seed = regions.marked_step(after.as_ref().unwrap_or(before), mark)?;
        after = Some(all_reachable(regions, &seed)?);
    }
    Ok(after.unwrap_or_else(|| regions.none()))
}
