//! Paths of a given shape, step by step.
//!
//! A path is extended from its last state. Paths to a goal are shortest: they follow the rings of
//! the fixpoint. Paths that stay in a set end in a loop that meets all justice constraints.

use kermode_base::BitSet;
use kermode_bdd::Bdd;
use kermode_system::ctl::evidence::Positions;

use super::countdown::Countdown;
use super::labels::{Labels, Shape, contains};
use super::mistakes::Mistake;
use crate::compiled::traces::ModelMoment;
use crate::fixpoint::Direction;
use crate::fixpoint::fixpoints::reachable;
use crate::fixpoint::trace::{Moment, Walk, approach, around};
use crate::frame::budget::Stop;

/// A path in progress.
pub(super) struct Path {
    /// The states that it has left.
    moments: Vec<ModelMoment>,
    /// The last state. A path with a loop has none.
    end: Option<BitSet>,
    loop_start: Option<usize>,
    /// The largest number of states.
    longest: usize,
}

impl Path {
    pub(super) fn new(start: BitSet, longest: usize) -> Self {
        Path { moments: Vec::new(), end: Some(start), loop_start: None, longest }
    }

    pub(super) fn positions(&self) -> Positions {
        let len = self.moments.len() + usize::from(self.end.is_some());
        Positions { len, loop_start: self.loop_start }
    }

    /// The state at a position.
    pub(super) fn state(&self, time: usize) -> &BitSet {
        let left = self.moments.get(time).map(|moment| &moment.state);
        left.or(self.end.as_ref()).expect("a position of the path")
    }

    /// The time of the last state, if the path can be extended.
    pub(super) fn end(&self) -> Option<usize> {
        self.end.is_some().then_some(self.moments.len())
    }

    /// The moments, and where the loop starts.
    pub(super) fn finish(
        mut self,
        labels: &Labels,
    ) -> Result<(Vec<ModelMoment>, Option<usize>), Stop> {
        if let Some(end) = self.end.take() {
            let label = labels.states.some_inputs(&end)?;
            self.moments.push(Moment { state: end, label });
        }
        Ok((self.moments, self.loop_start))
    }

    /// Extends the path by one of this shape, which starts in its last state. False if it gets too
    /// long.
    pub(super) fn extend(&mut self, labels: &mut Labels, shape: &Shape) -> Result<bool, Stop> {
        let Some(end) = self.end.clone() else { return Ok(false) };
        match shape {
            Shape::Next(set) => self.step(labels, set)?,
            Shape::Until { stay, goal, bounds: None } => {
                self.approach(labels, stay, goal, &end)?;
            }
            Shape::Globally { stay, bounds: None } => return self.close(labels, stay, &end),
            Shape::NotUntil { stay, goal, bounds: None } => {
                let waits = labels.all().and_not(goal)?;
                let fails = waits.and_not(stay)?;
                if !self.approach(labels, &waits, &fails, &end)? {
                    return self.close(labels, &waits, &end);
                }
            }
            Shape::Until { .. } | Shape::Globally { .. } | Shape::NotUntil { .. } => {
                let countdown = labels.countdown(shape)?.expect("the shape has bounds");
                return self.count(labels, shape, &countdown);
            }
        }
        Ok(self.moments.len() < self.longest)
    }

    /// The states of a set from which a fair path starts.
    fn visible(&self, labels: &Labels, set: &Bdd) -> Result<Bdd, Stop> {
        match labels.mistake() {
            Some(Mistake::PathsIgnoreFairness) => Ok(set.clone()),
            _ => Ok(set.and(labels.fair())?),
        }
    }

    /// One step into a set.
    fn step(&mut self, labels: &mut Labels, set: &Bdd) -> Result<(), Stop> {
        let set = self.visible(labels, set)?;
        let Some(end) = self.end.take() else { return Ok(()) };
        let next = labels.states.neighbour(&end, &set, None)?;
        self.moments.push(Moment { state: end, label: next.label });
        self.end = Some(next.state);
        Ok(())
    }

    /// A shortest path to a goal through a set. False if there is none.
    fn approach(
        &mut self,
        labels: &mut Labels,
        stay: &Bdd,
        goal: &Bdd,
        end: &BitSet,
    ) -> Result<bool, Stop> {
        let seed = self.visible(labels, goal)?;
        let mut space = labels.states.within(stay.clone());
        let mut rings = Vec::new();
        let all = reachable(&mut space, &seed, &mut |_, ring| {
            rings.push(ring.clone());
            Ok(contains(ring, end))
        })?;
        if all.is_some() {
            return Ok(false);
        }
        let mut walk = Walk::from(end.clone());
        approach(&mut space, &rings, &mut walk)?;
        self.end = Some(walk.here.clone());
        self.moments.extend(walk.in_time(Direction::Backward));
        Ok(true)
    }

    /// A fair path that stays in a set for ever. False if it gets too long.
    fn close(&mut self, labels: &mut Labels, stay: &Bdd, end: &BitSet) -> Result<bool, Stop> {
        let region = stay.and(labels.fair())?;
        let fair = labels.states.fair_within(region.clone())?;
        let mut space = labels.states.within(region);
        let left = self.longest.saturating_sub(self.moments.len());
        let Some(closed) = around(&mut space, &fair, end.clone(), left)? else {
            return Ok(false);
        };
        let late = usize::from(labels.mistake() == Some(Mistake::LoopIsLate));
        self.loop_start = Some(self.moments.len() + closed.begin + late);
        self.moments.extend(closed.walk.in_time(Direction::Backward));
        self.loop_start = self.loop_start.map(|start| start.min(self.moments.len() - 1));
        self.end = None;
        Ok(true)
    }

    /// A path of a bounded shape. It does not go on when it has arrived; within the bounds it
    /// arrives as early as possible.
    fn count(
        &mut self,
        labels: &mut Labels,
        shape: &Shape,
        countdown: &Countdown,
    ) -> Result<bool, Stop> {
        let bounds = countdown.bounds();
        for time in 0..bounds.high {
            let Some(end) = &self.end else { break };
            let in_time = time >= bounds.low;
            let is_done = match shape {
                Shape::Until { goal, .. } => in_time && contains(goal, end),
                Shape::NotUntil { stay, .. } => !contains(stay, end),
                _ => false,
            };
            if is_done {
                break;
            }
            if self.moments.len() >= self.longest {
                return Ok(false);
            }
            let nearer = match shape {
                Shape::Until { .. } if in_time => countdown.nearer(end),
                _ => None,
            };
            self.step(labels, nearer.unwrap_or_else(|| countdown.at(time + 1)))?;
        }
        Ok(self.moments.len() < self.longest)
    }
}
