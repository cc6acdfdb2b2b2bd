//! The fixpoints of [DDMR08], section 3: what can be reached, and what can be visited infinitely often. `Step` is `Post` or
//! `Pre`, as the algebra works forward or backward.

use super::Regions;
use crate::budget::Stop;

/// `mu x. (Step(x) + seed)`, or nothing if `enough` ends the search: it is asked after every step.
pub(crate) fn reachable<R: Regions>(
    regions: &mut R,
    seed: &R::Region,
    enough: &mut dyn FnMut(&mut R) -> Result<bool, Stop>,
) -> Result<Option<R::Region>, Stop> {
    let (mut all, mut frontier) = (regions.none(), regions.none());
    let new = regions.add(&mut all, seed)?;
    regions.add(&mut frontier, &new)?;
    while !regions.is_empty(&frontier) {
        if enough(regions)? {
            return Ok(None);
        }
        let part = regions.pick(&mut frontier);
        let next = regions.step(&part)?;
        let new = regions.add(&mut all, &next)?;
        regions.add(&mut frontier, &new)?;
    }
    Ok(Some(all))
}

/// `mu x. (Step(x) + seed)`.
fn all_reachable<R: Regions>(regions: &mut R, seed: &R::Region) -> Result<R::Region, Stop> {
    let reached = reachable(regions, seed, &mut |_| Ok(false))?;
    Ok(reached.unwrap_or_else(|| regions.none()))
}

/// `nu y. mu x. (Step(x) + (Step(y) & alpha))`: forward it is `F'`, the states before which accepting states can have
/// been visited infinitely often, backward it is `F`, those from which they can be. Or nothing, if `enough` ends the search:
/// it is asked after every round and told what is left.
///
/// The greatest fixpoint begins with `start`. Forward that is all that is reached; everything computed from there is
/// reachable, so that `R_alpha` need not be intersected with: being accepting is enough.
pub(crate) fn visited_infinitely_often<R: Regions>(
    regions: &mut R,
    start: R::Region,
    enough: &mut dyn FnMut(&mut R, &R::Region) -> Result<bool, Stop>,
) -> Result<Option<R::Region>, Stop> {
    let mut before = start;
    loop {
        let next = regions.step(&before)?;
        let seed = regions.accepting(&next)?;
        let after = all_reachable(regions, &seed)?;
        if enough(regions, &after)? {
            return Ok(None);
        }
        if regions.includes(&after, &before)? && regions.includes(&before, &after)? {
            return Ok(Some(after));
        }
        before = after;
    }
}
