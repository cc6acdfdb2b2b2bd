//! Whether two locations have a common step: is there a letter on which both have successors, no
//! two of which are known to be incompatible?
//!
//! [`SampledSteps`] that were drawn once for each, combined with each other in a few ways, usually
//! show such successors; otherwise steps drawn for both together; otherwise diagrams decide. If the
//! diagrams would be too large ([`WorkLimit`]), the answer is yes, which is sound for finding
//! incompatible pairs.

use kermode_automata::Location;
use kermode_base::BitSet;
use kermode_bdd::{Bdd, Cube, Literal, OutOfNodes};

use super::effort::WorkLimit;
use super::operations::Operations;
use super::steps::{Drawer, SampledSteps};
use crate::alternating::transitions::{Transitions, X};

/// By how many lanes the steps of one location are shifted against those of the other.
const SHIFTS: [u32; 4] = [0, 1, 19, 42];

/// The required common step of two locations.
#[derive(Clone, Copy)]
pub(super) struct JointStep<'q> {
    pub(super) s: usize,
    pub(super) t: usize,
    /// Locations that must not be among the successors of `t`.
    pub(super) avoids: &'q BitSet,
    /// A location that must be among the successors of `t`.
    pub(super) visits: Option<usize>,
    /// The permitted successors, if they are restricted.
    pub(super) within: Option<&'q BitSet>,
    /// The locations that each location is incompatible with.
    pub(super) incompatible: &'q [BitSet],
}

impl<'q> JointStep<'q> {
    /// A common step in which the second location avoids some locations.
    pub(super) fn step(s: usize, t: usize, avoids: &'q BitSet, incompatible: &'q [BitSet]) -> Self {
        JointStep { s, t, avoids, visits: None, within: None, incompatible }
    }
}

/// The data for answering these questions.
pub(super) struct Joint<'o> {
    drawer: Drawer<'o>,
    steps: Vec<SampledSteps>,
    pub(super) targets: Vec<BitSet>,
    effort: WorkLimit,
}

impl<'o> Joint<'o> {
    pub(super) fn new(operations: &'o Operations, lanes: u64) -> Self {
        let mut drawer = Drawer::new(operations, lanes);
        let steps = drawer.each();
        let targets = steps.iter().map(SampledSteps::target_set).collect();
        Joint { drawer, steps, targets, effort: WorkLimit::new() }
    }

    /// Whether the common step is possible.
    pub(super) fn is_possible(
        &mut self,
        transitions: &mut Transitions,
        question: &JointStep,
    ) -> Result<bool, OutOfNodes> {
        Ok(self.is_shown_by_steps(question) || self.some_model(transitions, question)?)
    }

    /// Whether drawn steps show it.
    pub(super) fn is_shown_by_steps(&mut self, question: &JointStep) -> bool {
        let (first, second) = (&self.steps[question.s], &self.steps[question.t]);
        SHIFTS.into_iter().any(|shift| question.lanes(first, second, shift) != 0)
            || self.draw(question)
    }

    /// Whether steps of both, drawn together, show it.
    fn draw(&mut self, question: &JointStep) -> bool {
        let outside = |m| question.is_outside(m);
        let avoided = |m| question.avoids.contains(m) || question.is_outside(m);
        let [first, second] = self.drawer.draw([(question.s, &outside), (question.t, &avoided)]);
        question.lanes(&first, &second, 0) != 0
    }

    /// Whether the conjunction of the requirements has a model.
    fn some_model(
        &mut self,
        transitions: &mut Transitions,
        question: &JointStep,
    ) -> Result<bool, OutOfNodes> {
        let first = self.effort.transition(transitions, question.s)?;
        let second = self.effort.transition(transitions, question.t)?;
        let (Some((first, size)), Some((second, other))) = (first, second) else {
            return Ok(true);
        };
        if !self.effort.allows(size, other) {
            return Ok(true);
        }
        let Some(cube) = question.cube(transitions, &self.targets) else { return Ok(false) };
        let avoided = question.avoids.iter().filter(|&l| self.targets[question.t].contains(l));
        let avoided = avoided.map(|l| literal(transitions, l, false)).collect();
        let cube = transitions.manager.cube(&cube)?;
        let joint = first.and(&second.cofactor(&avoided)?)?.and(&cube)?;
        self.some_clique(transitions, question, joint)
    }

    /// Whether a function has a model without incompatible pairs.
    fn some_clique(
        &mut self,
        transitions: &Transitions,
        question: &JointStep,
        mut joint: Bdd,
    ) -> Result<bool, OutOfNodes> {
        let targets = question.targets(&self.targets);
        for m in targets.iter() {
            let mut others = question.incompatible[m].clone();
            others.intersect_with(&targets);
            if joint.is_bottom() || others.is_empty() {
                continue;
            }
            if !self.effort.allows(joint.node_count(), others.len() + 1) {
                return Ok(true);
            }
            joint = joint.and(&excludes(transitions, m, &others)?)?;
        }
        Ok(!joint.is_bottom())
    }
}

impl JointStep<'_> {
    fn is_outside(&self, location: usize) -> bool {
        self.within.is_some_and(|within| !within.contains(location))
    }

    /// The targets of both.
    fn targets(&self, targets: &[BitSet]) -> BitSet {
        let mut both = targets[self.s].clone();
        both.union_with(&targets[self.t]);
        both
    }

    /// The requirements on single locations, unless they are contradictory.
    fn cube(&self, transitions: &Transitions, targets: &[BitSet]) -> Option<Cube> {
        if self.visits.is_some_and(|location| self.is_outside(location)) {
            return None;
        }
        let targets = self.targets(targets);
        let outside = targets.iter().filter(|&l| self.is_outside(l));
        let outside = outside.map(|l| literal(transitions, l, false));
        let visited = self.visits.map(|l| literal(transitions, l, true));
        Some(outside.chain(visited).collect())
    }

    /// The lanes in which steps of `s` and shifted steps of `t` satisfy the requirements.
    fn lanes(&self, first: &SampledSteps, second: &SampledSteps, shift: u32) -> u64 {
        let mut lanes = second.possible;
        self.avoids.iter().for_each(|location| lanes &= !second.lanes_to(location));
        if let Some(location) = self.visits {
            lanes &= second.lanes_to(location);
        }
        lanes = first.possible & lanes.rotate_left(shift) & !contradictions(first, second, shift);
        let follows = |m| first.lanes_to(m) | second.lanes_to(m).rotate_left(shift);
        for &(m, _) in first.targets.iter().chain(&second.targets) {
            if lanes == 0 {
                break;
            }
            if self.is_outside(m) {
                lanes &= !follows(m);
            }
            if !self.incompatible[m].is_empty() {
                let others = first.targets.iter().chain(&second.targets);
                let others = others.filter(|&&(n, _)| self.incompatible[m].contains(n));
                others.for_each(|&(n, _)| lanes &= !(follows(m) & follows(n)));
            }
        }
        lanes
    }
}

/// The lanes in which steps demand contradictory letters.
fn contradictions(first: &SampledSteps, second: &SampledSteps, shift: u32) -> u64 {
    let (mut lanes, mut rest) = (0, second.demands.as_slice());
    for one in &first.demands {
        let before = rest.iter().take_while(|other| other.variable < one.variable).count();
        rest = &rest[before..];
        let Some(other) = rest.first().filter(|other| other.variable == one.variable) else {
            continue;
        };
        lanes |= one.holds & other.fails.rotate_left(shift);
        lanes |= one.fails & other.holds.rotate_left(shift);
    }
    lanes
}

/// Not both a location and one of the others, which may include itself.
fn excludes(transitions: &Transitions, m: usize, others: &BitSet) -> Result<Bdd, OutOfNodes> {
    let absent = |l: usize| literal(transitions, l, false);
    let none = transitions.manager.cube(&others.iter().map(absent).collect())?;
    transitions.manager.cube(&Cube::from_iter([absent(m)]))?.or(&none)
}

/// A location is among the successors, or is not.
fn literal(transitions: &Transitions, location: usize, positive: bool) -> Literal {
    let variable = transitions.layout.location(Location::from_index(location), X);
    Literal { variable, positive }
}
