//! Sets of states of a bounded operator, from its last time back to its first.
//!
//! The set of a time is computed from the set of the next time. With small numbers of states and
//! large bounds, sets repeat themselves: from then on they are known.

use kermode_base::BitSet;
use kermode_bdd::Bdd;
use kermode_system::ctl::StepBounds;

use super::labels::contains;
use crate::frame::budget::Stop;

/// For each time up to the end of the bounds, the states where the rest of a path may start.
pub(super) struct Countdown {
    bounds: StepBounds,
    /// By the number of steps before the last time: within the bounds.
    inside: Sequence,
    /// By the number of steps before the first time of the bounds.
    outside: Sequence,
}

impl Countdown {
    /// The sets that end with a last one. `before` gives the set of a time, from that of the next
    /// time and from whether the time is within the bounds.
    pub(super) fn new(
        bounds: StepBounds,
        last: Bdd,
        mut before: impl FnMut(&Bdd, bool) -> Result<Bdd, Stop>,
    ) -> Result<Self, Stop> {
        let inside = Sequence::new(last, bounds.high - bounds.low, |next| before(next, true))?;
        let first = inside.get(bounds.high - bounds.low).clone();
        let outside = Sequence::new(first, bounds.low, |next| before(next, false))?;
        Ok(Countdown { bounds, inside, outside })
    }

    /// The set of a time, which is not after the last one.
    pub(super) fn at(&self, time: u32) -> &Bdd {
        match time < self.bounds.low {
            true => self.outside.get(self.bounds.low - time),
            false => self.inside.get(self.bounds.high - time),
        }
    }

    /// Within the bounds, the set that is one step nearer to the last one than a state. The sets
    /// must be growing.
    pub(super) fn nearer(&self, state: &BitSet) -> Option<&Bdd> {
        let place = self.inside.sets.iter().position(|set| contains(set, state))?;
        self.inside.sets.get(place.checked_sub(1)?)
    }

    /// The bounds.
    pub(super) fn bounds(&self) -> StepBounds {
        self.bounds
    }
}

/// Sets, each computed from the one before, until some of them are repeated.
struct Sequence {
    sets: Vec<Bdd>,
    /// The place of the set that follows the last one, if there are not enough.
    back: usize,
}

impl Sequence {
    fn new(
        first: Bdd,
        steps: u32,
        mut next: impl FnMut(&Bdd) -> Result<Bdd, Stop>,
    ) -> Result<Self, Stop> {
        let (mut sets, mut back) = (vec![first], 0);
        while sets.len() <= steps as usize {
            let set = next(&sets[sets.len() - 1])?;
            if set == sets[back] {
                break;
            }
            // A repetition is found at the latest when its period has passed after such a place.
            if sets.len().is_power_of_two() {
                back = sets.len();
            }
            sets.push(set);
        }
        Ok(Sequence { sets, back })
    }

    fn get(&self, step: u32) -> &Bdd {
        let step = step as usize;
        let place = match step < self.sets.len() {
            true => step,
            false => self.back + (step - self.back) % (self.sets.len() - self.back),
        };
        &self.sets[place]
    }
}
