//! Random steps of locations, sixty-four at a time.
//!
//! A step of a location is a letter and a set of locations that satisfy its transition. Steps are
//! drawn in the bits of a machine word, called lanes, by passes through the expressions of the
//! transition. Letters are random at first. Then a few rounds repair them. A round computes the
//! truth of all expressions, operands first, under the assumption that all locations follow. In the
//! lanes where the transition is false, another pass, operators first, demands what would make it
//! true: both operands of a conjunction, and one operand of a disjunction, chosen at random if both
//! are false. Demanded literals are set. In the lanes where the transition is true, a final pass of
//! the same kind chooses the literals and locations of the step. So the sets are small, as minimal
//! models are.
//!
//! A step that contradicts a claim about locations refutes it. A step that a claim demands proves
//! it.

use kermode_base::BitSet;
use kermode_base::Rng;

use super::operations::{Operation, Operations};

/// The seed is fixed, so that the draws are reproducible.
const SEED: u64 = 2005;
/// All lanes. Tests use none, so that decision diagrams decide everything.
pub(super) const ALL_LANES: u64 = u64::MAX;
/// The number of rounds that repair letters.
const ROUNDS: usize = 4;
/// Rounds end when this many lanes have a step.
const ENOUGH: u32 = 24;

/// Steps of a location, one per lane.
#[derive(Clone, Debug, Default)]
pub(super) struct SampledSteps {
    /// The lanes that have a step.
    pub(super) possible: u64,
    /// The demands on letters, by variable.
    pub(super) demands: Vec<LetterDemand>,
    /// The target locations, each with the lanes that lead to it.
    pub(super) targets: Vec<(usize, u64)>,
}

/// The demand on a proposition.
#[derive(Clone, Copy, Debug)]
pub(super) struct LetterDemand {
    /// The number of its variable.
    pub(super) variable: usize,
    /// The lanes in which it must hold.
    pub(super) holds: u64,
    /// The lanes in which it must fail.
    pub(super) fails: u64,
}

impl SampledSteps {
    /// Sorts, and merges the demands on a proposition.
    fn sort(&mut self) {
        self.targets.sort_unstable();
        self.demands.sort_unstable_by_key(|demand| demand.variable);
        self.demands.dedup_by(|next, joined| {
            let same = next.variable == joined.variable;
            if same {
                joined.holds |= next.holds;
                joined.fails |= next.fails;
            }
            same
        });
    }

    /// The lanes that lead to a location.
    pub(super) fn lanes_to(&self, location: usize) -> u64 {
        let place = self.targets.binary_search_by_key(&location, |&(target, _)| target);
        place.map_or(0, |place| self.targets[place].1)
    }

    /// The target locations of all lanes.
    pub(super) fn target_set(&self) -> BitSet {
        self.targets.iter().map(|&(target, _)| target).collect()
    }
}

/// Draws steps.
pub(super) struct Drawer<'o> {
    operations: &'o Operations,
    /// The lanes that are used.
    lanes: u64,
    rng: Rng,
    /// Which propositions hold, by variable.
    letters: Vec<u64>,
    /// The truth of expressions.
    values: Vec<u64>,
    /// The lanes that demand an expression; empty between two passes.
    asked: Vec<u64>,
}

/// A location that takes a step, and the locations that must not follow it.
pub(super) type SteppingLocation<'p> = (usize, &'p dyn Fn(usize) -> bool);

impl<'o> Drawer<'o> {
    pub(super) fn new(operations: &'o Operations, lanes: u64) -> Self {
        Drawer {
            operations,
            lanes,
            rng: Rng::new(SEED),
            letters: vec![0; operations.variables],
            values: vec![0; operations.len()],
            asked: vec![0; operations.len()],
        }
    }

    /// Steps of each location; without lanes, if it cannot be reached.
    pub(super) fn each(&mut self) -> Vec<SampledSteps> {
        let mut steps = vec![SampledSteps::default(); self.operations.below.len()];
        for (location, steps) in steps.iter_mut().enumerate() {
            if !self.operations.below[location].is_empty() {
                *steps = self.draw([(location, &|_| false)])[0].clone();
            }
        }
        steps
    }

    /// Steps of several locations on the same letters.
    pub(super) fn draw<const N: usize>(
        &mut self,
        parts: [SteppingLocation; N],
    ) -> [SampledSteps; N] {
        for (location, _) in parts {
            for &expression in &self.operations.below[location] {
                if let Operation::Literal(variable, _) = self.operations.get(expression) {
                    self.letters[variable as usize] = self.rng.next_u64();
                }
            }
        }
        for _ in 0..ROUNDS {
            let possible = parts.iter().fold(u64::MAX, |all, part| all & self.mend(part));
            if possible.count_ones() >= ENOUGH {
                break;
            }
        }
        parts.map(|part| self.pick(&part))
    }

    /// The lanes in which the transition is true; where it is not, letters are changed in its
    /// favour.
    fn mend(&mut self, part: &SteppingLocation) -> u64 {
        let possible = self.evaluate(part);
        let (operations, location) = (self.operations, part.0);
        if possible == u64::MAX {
            return possible;
        }
        self.asked[operations.roots[location]] = !possible;
        for &expression in operations.below[location].iter().rev() {
            let lanes = std::mem::take(&mut self.asked[expression as usize]);
            match operations.get(expression) {
                Operation::Literal(variable, true) => self.letters[variable as usize] |= lanes,
                Operation::Literal(variable, false) => self.letters[variable as usize] &= !lanes,
                operation => self.ask(operation, lanes),
            }
        }
        possible
    }

    /// What makes up a step of a location where its transition is true.
    fn pick(&mut self, part: &SteppingLocation) -> SampledSteps {
        let possible = self.evaluate(part) & self.lanes;
        let mut steps = SampledSteps { possible, ..SampledSteps::default() };
        let (operations, location) = (self.operations, part.0);
        self.asked[operations.roots[location]] = steps.possible;
        for &expression in operations.below[location].iter().rev() {
            let lanes = std::mem::take(&mut self.asked[expression as usize]);
            match operations.get(expression) {
                Operation::Literal(variable, positive) => {
                    let (holds, fails) = if positive { (lanes, 0) } else { (0, lanes) };
                    steps.demands.push(LetterDemand { variable: variable as usize, holds, fails });
                }
                Operation::Location(target) => steps.targets.push((target as usize, lanes)),
                operation => self.ask(operation, lanes),
            }
        }
        steps.sort();
        steps
    }

    /// Passes what is asked of an operator on to its operands; of a disjunction to a true one, if
    /// there is one.
    fn ask(&mut self, operation: Operation, lanes: u64) {
        match operation {
            Operation::And(a, b) => [a, b].iter().for_each(|&e| self.asked[e as usize] |= lanes),
            Operation::Or(a, b) => {
                let [first, second] = [a, b].map(|operand| self.values[operand as usize]);
                let coin = self.rng.next_u64();
                let to_first = (first & !second) | (!(first ^ second) & coin);
                self.asked[a as usize] |= lanes & to_first;
                self.asked[b as usize] |= lanes & !to_first;
            }
            Operation::Constant(_) | Operation::Literal(..) | Operation::Location(_) => {}
        }
    }

    /// The truth of a transition, and of what is below it, if all locations follow that may.
    fn evaluate(&mut self, &(location, excluded): &SteppingLocation) -> u64 {
        let below = &self.operations.below[location];
        let follows = |target| if excluded(target) { 0 } else { u64::MAX };
        self.operations.evaluate(below, &self.letters, follows, &mut self.values);
        self.values[self.operations.roots[location]]
    }
}
