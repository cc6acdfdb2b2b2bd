//! Refutes pairs of a relation: a step of `k` that `l` cannot match proves that `k` does not imply
//! `l`.
//!
//! [`SampledSteps`] of each location are drawn once. Propositions that a step does not mention get
//! random values. Which successors match depends on the relation, so a step may refute later what
//! it did not refute before.

use kermode_base::BitSet;
use kermode_base::Rng;

use super::operations::Operations;
use super::steps::{Drawer, SampledSteps};

/// The seed: the steps are the same every time.
const SEED: u64 = 2003;

/// Steps, and the data for comparing them with pairs.
pub(super) struct Sampler {
    operations: Operations,
    pub(super) steps: Vec<SampledSteps>,
    /// The values of propositions that steps do not mention, by variable.
    letters: Vec<u64>,
    /// The values of expressions.
    values: Vec<u64>,
}

impl Sampler {
    pub(super) fn new(operations: Operations, lanes: u64) -> Self {
        let mut rng = Rng::new(SEED);
        Sampler {
            steps: Drawer::new(&operations, lanes).each(),
            letters: (0..operations.variables).map(|_| rng.next_u64()).collect(),
            values: vec![0; operations.len()],
            operations,
        }
    }

    /// Some locations that `k` implies according to the relation, but not in truth.
    pub(super) fn refuted(&mut self, k: usize, implies: &[BitSet]) -> BitSet {
        let steps = &self.steps[k];
        let mut follows = vec![0; implies.len()];
        for &(j, lanes) in &steps.targets {
            implies[j].iter().for_each(|m| follows[m] |= lanes);
        }
        let letters = self.letters_of(k);
        let follows = |location: usize| follows[location];
        let (operations, values) = (&self.operations, &mut self.values);
        // One by one, if that is less work than all at once.
        if implies[k].iter().map(|l| operations.below[l].len()).sum::<usize>()
            < operations.all.len()
        {
            for l in implies[k].iter() {
                operations.evaluate(&operations.below[l], &letters, follows, values);
            }
        } else {
            operations.evaluate(&operations.all, &letters, follows, values);
        }
        implies[k].iter().filter(|&l| l != k && self.is_missed(k, l)).collect()
    }

    /// Whether a step of `k` refutes that `l` matches it, where `is_matched` says which `j` match
    /// an `m`.
    pub(super) fn refutes(
        &mut self,
        k: usize,
        l: usize,
        is_matched: impl Fn(usize, usize) -> bool,
    ) -> bool {
        let letters = self.letters_of(k);
        let targets = &self.steps[k].targets;
        let follows = |m: usize| {
            let matching = targets.iter().filter(|&&(j, _)| is_matched(j, m));
            matching.fold(0, |all, &(_, lanes)| all | lanes)
        };
        let below = &self.operations.below[l];
        self.operations.evaluate(below, &letters, follows, &mut self.values);
        self.is_missed(k, l)
    }

    /// Whether the transition of `l` was false where `k` had a step.
    fn is_missed(&self, k: usize, l: usize) -> bool {
        self.steps[k].possible & !self.values[self.operations.roots[l]] != 0
    }

    /// The letters of the steps of a location.
    fn letters_of(&self, k: usize) -> Vec<u64> {
        let mut letters = self.letters.clone();
        for demand in &self.steps[k].demands {
            letters[demand.variable] |= demand.holds;
            letters[demand.variable] &= !demand.fails;
        }
        letters
    }
}
