//! Whether two locations can go on together: is there a letter, and are there successors of both on it, no two of which are known
//! to be incompatible?
//!
//! [`Steps`] of both, held against each other in a few ways, mostly find such successors. If not, diagrams tell. They are
//! not asked about transitions that lead to too many locations: then the answer is yes, which is sound for whoever
//! looks for incompatible pairs.

use kermode_automata::Location;
use kermode_bdd::{Bdd, BitSet, Literal, OutOfNodes};

use super::steps::Steps;
use crate::space::transitions::{Transitions, X, by_x};

/// By how many lanes the steps of one location are shifted against those of the other.
const SHIFTS: [u32; 4] = [0, 1, 19, 42];

/// The most locations to which two transitions may lead together for their diagrams to be asked.
const MOST_TARGETS: usize = 64;

/// How two locations are to go on.
#[derive(Clone, Copy)]
pub(super) struct Question<'q> {
    pub(super) s: usize,
    pub(super) t: usize,
    /// What the successors of `t` must not have in them.
    pub(super) avoids: &'q BitSet,
    /// What the successors of `t` must have in them.
    pub(super) visits: Option<usize>,
    /// What all successors must be, if not anything.
    pub(super) within: Option<&'q BitSet>,
    /// What each location is incompatible with.
    pub(super) incompatible: &'q [BitSet],
}

impl<'q> Question<'q> {
    /// Do both go on, the second without what it avoids?
    pub(super) fn step(s: usize, t: usize, avoids: &'q BitSet, incompatible: &'q [BitSet]) -> Self {
        Question { s, t, avoids, visits: None, within: None, incompatible }
    }
}

/// What questions are answered by.
pub(super) struct Joint {
    steps: Vec<Steps>,
    pub(super) targets: Vec<BitSet>,
}

impl Joint {
    pub(super) fn new(transitions: &Transitions) -> Self {
        let steps = Steps::of_all(transitions);
        let targets = steps.iter().map(Steps::target_set).collect();
        Joint { steps, targets }
    }

    /// Whether both can go on like that.
    pub(super) fn is_possible(
        &self,
        transitions: &mut Transitions,
        question: &Question,
    ) -> Result<bool, OutOfNodes> {
        if self.some_lane(question) {
            return Ok(true);
        }
        let mut targets = self.targets[question.s].clone();
        targets.union_with(&self.targets[question.t]);
        if targets.len() > MOST_TARGETS {
            return Ok(true);
        }
        some_model(transitions, question, &targets)
    }

    /// Whether a step that was drawn for one and a step that was drawn for the other go together. A yes is certain.
    pub(super) fn some_lane(&self, question: &Question) -> bool {
        SHIFTS.into_iter().any(|shift| self.lanes(question, shift) != 0)
    }

    /// The lanes in which the steps of `s` and the shifted ones of `t` go together.
    fn lanes(&self, question: &Question, shift: u32) -> u64 {
        let (first, second) = (&self.steps[question.s], &self.steps[question.t]);
        let mut lanes = second.possible;
        for location in question.avoids.iter() {
            lanes &= !second.lanes_to(location);
        }
        if let Some(location) = question.visits {
            lanes &= second.lanes_to(location);
        }
        lanes = first.possible & lanes.rotate_left(shift) & !contradictions(first, second, shift);
        let follows = |m| first.lanes_to(m) | second.lanes_to(m).rotate_left(shift);
        for &(m, _) in first.targets.iter().chain(&second.targets) {
            if lanes == 0 {
                break;
            }
            if question.within.is_some_and(|within| !within.contains(m)) {
                lanes &= !follows(m);
            }
            if !question.incompatible[m].is_empty() {
                let others = first.targets.iter().chain(&second.targets);
                let others = others.filter(|&&(n, _)| question.incompatible[m].contains(n));
                others.for_each(|&(n, _)| lanes &= !(follows(m) & follows(n)));
            }
        }
        lanes
    }
}

/// The lanes in which steps ask contrary things of the letter.
fn contradictions(first: &Steps, second: &Steps, shift: u32) -> u64 {
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

/// Whether the conjunction of what is asked has a model.
fn some_model(
    transitions: &mut Transitions,
    question: &Question,
    targets: &BitSet,
) -> Result<bool, OutOfNodes> {
    let [first, second] =
        [question.s, question.t].map(|l| transitions.of(Location::from_index(l), 0, &by_x));
    let (first, second) = (first?, second?);
    let literal = |transitions: &Transitions, location: usize, positive| Literal {
        variable: transitions.layout.location(Location::from_index(location), X),
        positive,
    };
    let avoided = question.avoids.iter().filter(|&l| targets.contains(l));
    let avoided = avoided.map(|l| literal(transitions, l, false)).collect();
    let mut joint = first.and(&second.cofactor(&avoided)?)?;
    let outside = |&l: &usize| question.within.is_some_and(|within| !within.contains(l));
    let ruled_out = targets.iter().filter(outside).map(|l| literal(transitions, l, false));
    let wanted = question.visits.map(|l| literal(transitions, l, true));
    // A location that must be visited and lies outside cannot be: then two literals would contradict each other.
    if question.visits.as_ref().is_some_and(outside) {
        return Ok(false);
    }
    joint = joint.and(&transitions.manager.cube(&ruled_out.chain(wanted).collect())?)?;
    for m in targets.iter() {
        if joint.is_bottom() {
            break;
        }
        let mut others = question.incompatible[m].clone();
        others.intersect_with(targets);
        if !others.is_empty() {
            joint = joint.and(&excludes(transitions, m, &others)?)?;
        }
    }
    Ok(!joint.is_bottom())
}

/// Not a location together with one of the others, which may be itself.
fn excludes(transitions: &Transitions, m: usize, others: &BitSet) -> Result<Bdd, OutOfNodes> {
    let negative = |l: usize| Literal {
        variable: transitions.layout.location(Location::from_index(l), X),
        positive: false,
    };
    let none = transitions.manager.cube(&others.iter().map(negative).collect())?;
    transitions.manager.cube(&[negative(m)].into_iter().collect())?.or(&none)
}
