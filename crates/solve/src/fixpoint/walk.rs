//! From regions to words: a walk through the rings of a fixpoint, against its direction.
//!
//! Each state of a ring has a neighbour in the ring before it. In a fixpoint of acceptance, conditions are met in turn: from the
//! state at hand through the rings around the steps that meet the condition, by such a step back into the fixpoint, and on to
//! the next condition. One time around all of them is a *round*. The walk closes when a state comes again at the end of a round, or one from which the
//! steps since can be taken again and again. Neighbours are chosen by their state and ring alone, so states come again at the latest when there are no
//! more new ones.

use std::hash::Hash;

use indexmap::IndexMap;
use kermode_bdd::Bdd;
use kermode_ltl::Letter;
use rustc_hash::FxBuildHasher;

use super::Regions;
use super::fixpoints::reachable;
use crate::frame::budget::Stop;

/// An algebra of decision diagrams whose single states can be looked at.
pub(crate) trait Walk: Regions<Region = Bdd> {
    type State: Clone + Eq + Hash;

    /// Some state of a region that is not empty.
    fn some_state(&self, region: &Bdd) -> Self::State;

    fn contains(&self, region: &Bdd, state: &Self::State) -> bool;

    /// A state of a region next to a state, against the direction of steps, with the letter between them. Perhaps the step
    /// between them is to meet a condition.
    fn neighbour(
        &mut self,
        state: &Self::State,
        region: &Bdd,
        condition: Option<usize>,
    ) -> Result<(Letter, Self::State), Stop>;

    /// Whether the steps of a walk from a state to another, later one can be taken from there again and again.
    fn closes(&self, earlier: &Self::State, later: &Self::State) -> bool {
        earlier == later
    }

    /// Whether every endless run accepts.
    fn is_safety(&self) -> bool;
}

/// So many ends of rounds are compared by order, more of them by equality.
const MOST_COMPARED: usize = 256;

/// A closed walk.
pub(crate) struct Trail<S> {
    /// The letters in the order of the walk.
    pub(crate) letters: Vec<Letter>,
    /// Where the cycle begins.
    pub(crate) begin: usize,
    /// Where the walk ended.
    pub(crate) last: S,
}

/// The letters on the way from a state of some ring to the first ring.
pub(crate) fn through<W: Walk>(
    space: &mut W,
    rings: &[Bdd],
    start: W::State,
) -> Result<Vec<Letter>, Stop> {
    let (mut letters, mut state) = (Vec::new(), start);
    approach(space, rings, &mut state, &mut letters)?;
    Ok(letters)
}

/// Walks to the first ring.
fn approach<W: Walk>(
    space: &mut W,
    rings: &[Bdd],
    state: &mut W::State,
    letters: &mut Vec<Letter>,
) -> Result<(), Stop> {
    let place = rings.iter().position(|ring| space.contains(ring, state));
    let place = place.expect("the state is in a ring");
    for ring in rings[..place].iter().rev() {
        let (letter, next) = space.neighbour(state, ring, None)?;
        letters.push(letter);
        *state = next;
    }
    Ok(())
}

/// Walks in a fixpoint of acceptance until the walk closes, or gives it up when it gets too long.
pub(crate) fn around<W: Walk>(
    space: &mut W,
    fixpoint: &Bdd,
    start: W::State,
    longest: usize,
) -> Result<Option<Trail<W::State>>, Stop> {
    // Without conditions any step will do.
    let mut rings = vec![Vec::new(); space.mark_count()];
    let (mut letters, mut state) = (Vec::new(), start);
    let mut ends: Ends<W::State> = IndexMap::default();
    while letters.len() <= longest {
        if let Some(begin) = closed(space, &ends, &state) {
            return Ok(Some(Trail { letters, begin, last: state }));
        }
        ends.insert(state.clone(), letters.len());
        for (condition, rings) in rings.iter_mut().enumerate() {
            extend(space, rings, fixpoint, condition, &state)?;
            approach(space, rings, &mut state, &mut letters)?;
            let (letter, next) = space.neighbour(&state, fixpoint, Some(condition))?;
            letters.push(letter);
            state = next;
        }
    }
    Ok(None)
}

/// Makes rings around the steps that meet a condition until the state is in one of them. Most states are in the first.
fn extend<W: Walk>(
    space: &mut W,
    rings: &mut Vec<Bdd>,
    fixpoint: &Bdd,
    condition: usize,
    state: &W::State,
) -> Result<(), Stop> {
    if space.is_safety() {
        rings.resize(1, fixpoint.clone());
    }
    if rings.iter().any(|ring| space.contains(ring, state)) {
        return Ok(());
    }
    let seed = match rings.first() {
        Some(first) => first.clone(),
        None => space.marked_step(fixpoint, condition)?,
    };
    rings.clear();
    reachable(space, &seed, &mut |space, ring| {
        rings.push(ring.clone());
        Ok(space.contains(ring, state))
    })?;
    Ok(())
}

/// The states at the ends of rounds, with the letters up to them.
type Ends<S> = IndexMap<S, usize, FxBuildHasher>;

/// Where the cycle begins that this end of a round closes.
fn closed<W: Walk>(space: &W, ends: &Ends<W::State>, state: &W::State) -> Option<usize> {
    let equal = ends.get(state).copied();
    equal.or_else(|| {
        let mut compared = ends.iter().take(MOST_COMPARED);
        compared.find_map(|(earlier, &begin)| space.closes(earlier, state).then_some(begin))
    })
}
