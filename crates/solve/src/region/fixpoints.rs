//! The fixpoints of [DDMR08], section 3, forward: what can be reached, and what can be visited infinitely often.

use super::Regions;
use crate::budget::Stop;

/// `mu x. (Post(x) + seed)`, or nothing if `enough` ends the search: it is asked after every step.
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
        let next = regions.post(&part)?;
        let new = regions.add(&mut all, &next)?;
        regions.add(&mut frontier, &new)?;
    }
    Ok(Some(all))
}

/// `mu x. (Post(x) + seed)`.
fn all_reachable<R: Regions>(regions: &mut R, seed: &R::Region) -> Result<R::Region, Stop> {
    let reached = reachable(regions, seed, &mut |_| Ok(false))?;
    Ok(reached.unwrap_or_else(|| regions.none()))
}

/// `F' = nu y. mu x. (Post(x) + (Post(y) & R_alpha))`: states before which accepting states can have been visited
/// infinitely often. Or nothing, if `enough` ends the search: it is asked after every round.
///
/// The greatest fixpoint begins with all that is `reached`. Everything computed from there is reachable, so that
/// `R_alpha` need not be intersected with: being accepting is enough.
pub(crate) fn visited_infinitely_often<R: Regions>(
    regions: &mut R,
    reached: R::Region,
    enough: &mut dyn FnMut(&mut R) -> Result<bool, Stop>,
) -> Result<Option<R::Region>, Stop> {
    let mut before = reached;
    loop {
        let next = regions.post(&before)?;
        let seed = regions.accepting(&next)?;
        let after = all_reachable(regions, &seed)?;
        if enough(regions)? {
            return Ok(None);
        }
        if regions.includes(&after, &before)? && regions.includes(&before, &after)? {
            return Ok(Some(after));
        }
        before = after;
    }
}
