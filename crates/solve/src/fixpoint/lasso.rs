//! Emptiness over infinite words by the fixpoints, in either direction of time, and the lasso that proves the contrary.
//!
//! Backward, all states are taken to be endless first, and those that cannot go on are taken out; then those are kept
//! from which acceptance can be met for ever. As soon as no initial state is left there is no word. Forward, what can be reached is
//! computed, then what of it lies behind acceptance that was met for ever \[EL86\].

use kermode_bdd::Bdd;
use kermode_ltl::Word;

use super::fixpoints::{endless, infinitely_often, reachable};
use super::walk::{self, Walk};
use crate::fixpoint::Direction;
use crate::frame::answer::{Answer, LeftOut};
use crate::frame::budget::Stop;
use crate::frame::problem::WitnessPolicy;

/// An algebra in which infinite words are looked for.
pub(crate) trait Fair: Walk {
    fn direction(&self) -> Direction;

    /// All states that come into question; no step leaves them.
    fn all(&self) -> Bdd;

    fn initial(&self) -> Result<Bdd, Stop>;

    /// From now on steps are told apart by what they meet. Gives the same region, as it looks then.
    fn with_acceptance(&mut self, region: &Bdd) -> Result<Bdd, Stop>;

    /// From now on steps are not told apart. Gives the same state, as it looks then.
    fn without_acceptance(&mut self, state: Self::State) -> Self::State;
}

/// What proves that there is a word.
pub(crate) enum Found {
    /// States from which acceptance can be met for ever, and initial ones among them.
    After { fixpoint: Bdd, initial: Bdd },
    /// States before which acceptance can have been met for ever, and the rings in which they were reached.
    Before { fixpoint: Bdd, rings: Vec<Bdd> },
}

/// Looks for a word.
pub(crate) fn search<F: Fair>(space: &mut F) -> Result<Option<Found>, Stop> {
    match space.direction() {
        Direction::Backward => after(space),
        Direction::Forward => before(space),
    }
}

fn after<F: Fair>(space: &mut F) -> Result<Option<Found>, Stop> {
    let initial = space.initial()?;
    let mut none_is_left = |_: &mut F, states: &Bdd| Ok(states.and(&initial)?.is_bottom());
    let all = space.all();
    let Some(mut fixpoint) = endless(space, all, &mut none_is_left)? else { return Ok(None) };
    if !space.is_safety() {
        let start = space.with_acceptance(&fixpoint)?;
        match infinitely_often(space, start, &mut none_is_left)? {
            Some(states) => fixpoint = states,
            None => return Ok(None),
        }
    }
    let initial = initial.and(&fixpoint)?;
    Ok(Some(Found::After { fixpoint, initial }))
}

fn before<F: Fair>(space: &mut F) -> Result<Option<Found>, Stop> {
    let initial = space.initial()?;
    let mut rings = Vec::new();
    let reached = reachable(space, &initial, &mut |_, ring| {
        rings.push(ring.clone());
        Ok(false)
    })?;
    let mut none_is_left = |_: &mut F, states: &Bdd| Ok(states.is_bottom());
    let reached = reached.unwrap_or_else(|| space.none());
    let mut fixpoint = endless(space, reached, &mut none_is_left)?;
    if let Some(states) = fixpoint.as_ref().filter(|_| !space.is_safety()) {
        let start = space.with_acceptance(states)?;
        fixpoint = infinitely_often(space, start, &mut none_is_left)?;
    }
    Ok(fixpoint.map(|fixpoint| Found::Before { fixpoint, rings }))
}

impl Found {
    /// The word, unless it gets too long.
    pub(crate) fn word<F: Fair>(
        &self,
        space: &mut F,
        longest: usize,
    ) -> Result<Option<Word>, Stop> {
        match self {
            Found::After { fixpoint, initial } => {
                let state = space.some_state(initial);
                let trail = walk::around(space, fixpoint, state, longest)?;
                let Some(trail) = trail else { return Ok(None) };
                let (mut prefix, begin) = (trail.letters, trail.begin);
                let cycle = prefix.split_off(begin);
                Ok(Some(Word::lasso(prefix, cycle)))
            }
            Found::Before { fixpoint, rings } => {
                let state = space.some_state(fixpoint);
                let trail = walk::around(space, fixpoint, state, longest)?;
                let Some(trail) = trail else { return Ok(None) };
                let last = space.without_acceptance(trail.last);
                let mut prefix = walk::through(space, rings, last)?;
                prefix.reverse();
                let cycle = trail.letters.into_iter().skip(trail.begin).rev().collect();
                Ok(Some(Word::lasso(prefix, cycle)))
            }
        }
    }
}

/// The answer that there is a word, with the word if that is wanted: there may be a million letters to what a few steps of a
/// fixpoint have found.
pub(crate) fn answer_with(
    WitnessPolicy { wanted, limit }: WitnessPolicy,
    word: impl FnOnce(usize) -> Result<Option<Word>, Stop>,
) -> Answer {
    if !wanted {
        return Answer::Nonempty(Err(LeftOut::NotAsked));
    }
    match word(limit) {
        Ok(Some(word)) => Answer::word(word),
        Ok(None) => Answer::Nonempty(Err(LeftOut::NotMade { limit })),
        Err(stop) => Answer::Nonempty(Err(LeftOut::Stopped(stop))),
    }
}
