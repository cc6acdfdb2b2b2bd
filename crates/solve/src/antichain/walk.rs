//! From regions to words: a walk through the rings of a fixpoint, against its direction.
//!
//! Each state of a ring has a neighbour in the ring before it. In a fixpoint of acceptance, conditions are met in turn: from the
//! state at hand through the rings around the steps that meet the condition, by such a step back into the fixpoint, and on to
//! the next condition. One time around all of them is a *round*. The walk closes when, at the end of a round, the later of two
//! states is below the earlier one, in the direction of time: then the steps between them can be taken again and again, since smaller
//! states can do what larger ones can. Neighbours are chosen by their state and ring alone, so states come again at the latest when there are no
//! more new ones.

use indexmap::IndexMap;
use kermode_bdd::Bdd;
use kermode_ltl::Letter;
use rustc_hash::FxBuildHasher;

use crate::budget::Stop;
use crate::region::Regions;
use crate::region::fixpoints::reachable;
use crate::region::symbolic::Symbolic;
use crate::space::miyano_hayashi::Pair;
use crate::space::steps::Direction;

/// So many ends of rounds are compared by order, more of them by equality.
const MOST_COMPARED: usize = 256;

/// A closed walk.
pub(crate) struct Trail {
    /// The letters in the order of the walk.
    pub(crate) letters: Vec<Letter>,
    /// Where the cycle begins.
    pub(crate) begin: usize,
    /// Where the walk ended.
    pub(crate) last: Pair,
}

/// Some state of a region that is not empty.
pub(crate) fn pick(symbolic: &Symbolic, region: &Bdd) -> Pair {
    let cube = region.pick_cube().expect("the region has a state");
    symbolic.encoding().read(&cube).1
}

/// The letters on the way from a state of some ring to the first ring.
pub(crate) fn through(
    symbolic: &mut Symbolic,
    rings: &[Bdd],
    start: Pair,
) -> Result<Vec<Letter>, Stop> {
    let (mut letters, mut state) = (Vec::new(), start);
    approach(symbolic, rings, &mut state, &mut letters)?;
    Ok(letters)
}

/// Walks to the first ring.
fn approach(
    symbolic: &mut Symbolic,
    rings: &[Bdd],
    state: &mut Pair,
    letters: &mut Vec<Letter>,
) -> Result<(), Stop> {
    let place = rings.iter().position(|ring| symbolic.encoding().contains(ring, state));
    let place = place.expect("the state is in a ring");
    for ring in rings[..place].iter().rev() {
        let (letter, next) = symbolic.neighbour(state, ring, None)?;
        letters.push(letter);
        *state = next;
    }
    Ok(())
}

/// Walks in a fixpoint of acceptance until the walk closes, or gives it up when it gets too long.
pub(crate) fn around(
    symbolic: &mut Symbolic,
    fixpoint: &Bdd,
    start: Pair,
    longest: usize,
) -> Result<Option<Trail>, Stop> {
    // Without conditions any step will do.
    let mut rings = vec![Vec::new(); symbolic.mark_count()];
    let (mut letters, mut state) = (Vec::new(), start);
    let mut ends: IndexMap<Pair, usize, FxBuildHasher> = IndexMap::default();
    while letters.len() <= longest {
        if let Some(begin) = closed(symbolic.direction(), &ends, &state) {
            return Ok(Some(Trail { letters, begin, last: state }));
        }
        ends.insert(state.clone(), letters.len());
        for (condition, rings) in rings.iter_mut().enumerate() {
            extend(symbolic, rings, fixpoint, condition, &state)?;
            approach(symbolic, rings, &mut state, &mut letters)?;
            let (letter, next) = symbolic.neighbour(&state, fixpoint, Some(condition))?;
            letters.push(letter);
            state = next;
        }
    }
    Ok(None)
}

/// Makes rings around the steps that meet a condition until the state is in one of them. Most states are in the first.
fn extend(
    symbolic: &mut Symbolic,
    rings: &mut Vec<Bdd>,
    fixpoint: &Bdd,
    condition: usize,
    state: &Pair,
) -> Result<(), Stop> {
    if symbolic.is_safety() {
        rings.resize(1, fixpoint.clone());
    }
    if rings.iter().any(|ring| symbolic.encoding().contains(ring, state)) {
        return Ok(());
    }
    let seed = match rings.first() {
        Some(first) => first.clone(),
        None => symbolic.marked_step(fixpoint, condition)?,
    };
    rings.clear();
    reachable(symbolic, &seed, &mut |symbolic, ring| {
        rings.push(ring.clone());
        Ok(symbolic.encoding().contains(ring, state))
    })?;
    Ok(())
}

/// Where the cycle begins that this end of a round closes.
fn closed(
    direction: Direction,
    ends: &IndexMap<Pair, usize, FxBuildHasher>,
    state: &Pair,
) -> Option<usize> {
    let closes = |earlier: &Pair| match direction {
        Direction::Backward => state.subsumes(earlier),
        Direction::Forward => earlier.subsumes(state),
    };
    let equal = ends.get(state).copied();
    equal.or_else(|| {
        let mut compared = ends.iter().take(MOST_COMPARED);
        compared.find_map(|(earlier, &begin)| closes(earlier).then_some(begin))
    })
}
