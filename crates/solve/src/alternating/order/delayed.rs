//! Delayed simulation between the locations of an alternating Büchi automaton \[FW05\].
//!
//! The game is that of direct simulation, with a bit that says: `k` has been accepting and `l` has
//! not been since. `l` need not become accepting at once, only at some later time: the second
//! player wins a play in which the bit is zero infinitely often. After a step to `j` and `m`, the
//! bit becomes zero if `m` is accepting, otherwise one if `j` is, otherwise it stays. The triples
//! `(k, l, bit)` from which the second player wins are
//!
//! ```text
//! nu Y. mu X. { (k, l, b) | delta(k) entails delta(l)[x_m := \/ { x_j | (j, m, b') is good }] }
//! ```
//!
//! where `b'` is the bit after the step, and `(j, m, b')` is good if it is in `Y` and `b'` is zero,
//! or in `X`. `k` implies `l` if `(k, l, 0)` is among them.
//!
//! **It implies inclusion of languages.** Take an accepting run from `k` and let the second player
//! follow it with a winning strategy. The locations `m` of the plays form a run from `l` on the
//! same word, and each of its paths is matched by a path of the run from `k`, which is accepting
//! infinitely often. Each time the bit is one or `m` is accepting, and when the bit becomes zero
//! again later, `m` is accepting then: infinitely often. The relation is reflexive (a copy of the
//! play keeps the bit at zero) and transitive: if `k` is accepting at some time, then `l` is at
//! that time or later, then so is `p`.
//!
//! It contains direct simulation, in which the bit stays zero and which is computed first. The
//! algorithm then considers the other pairs that drawn steps do not refute, and the triples that
//! plays reach from them; again steps refute most triples before diagrams are used.
//!
//! Departs from the paper: acceptance of the first `k` and `l` does not matter, since languages do
//! not depend on it. So `G a` implies `F a` although only the first is accepting. On finite words
//! acceptance cannot be delayed, and this is direct simulation.

use kermode_base::BitSet;
use kermode_bdd::{Bdd, OutOfNodes};
use kermode_ltl::WordKind;

use super::direct::{LocationSimulation, direct_with, weakened};
use super::steps::ALL_LANES;
use super::{LocationOrder, comparable, converse, transitive};
use crate::alternating::transitions::Transitions;
use crate::frame::budget::{Budget, Stop};

/// Delayed simulation between the locations.
pub(crate) fn delayed_simulation(
    transitions: &mut Transitions,
    budget: &Budget,
) -> Result<LocationOrder, Stop> {
    delayed_with(transitions, budget, ALL_LANES)
}

/// The same with some lanes of steps only.
pub(super) fn delayed_with(
    transitions: &mut Transitions,
    budget: &Budget,
    lanes: u64,
) -> Result<LocationOrder, Stop> {
    let comparable = match transitions.automaton.words() {
        WordKind::Finite => None,
        WordKind::Infinite => comparable(transitions),
    };
    let Some((reachable, operations)) = comparable else {
        return direct_with(transitions, &BitSet::new(), budget, lanes);
    };
    let mut simulation = LocationSimulation::new(transitions, &reachable, operations, lanes);
    simulation.respect_acceptance();
    simulation.refine(transitions, budget)?;
    let direct = simulation.implied_by.clone();
    simulation.forget_acceptance(&reachable, budget)?;
    let implied_by = DelayedGame { transitions, budget, direct, simulation }.won()?;
    Ok(LocationOrder::new(transitive(converse(&implied_by))))
}

/// Triples by bit and `l`: the sets of `k`.
type Triples = [Vec<BitSet>; 2];

struct DelayedGame<'g, 'a> {
    transitions: &'g mut Transitions<'a>,
    budget: &'g Budget,
    /// For each location, the locations that imply it by direct simulation.
    direct: Vec<BitSet>,
    /// The pairs that steps do not refute, regardless of acceptance, and other data of the
    /// automaton.
    simulation: LocationSimulation,
}

impl DelayedGame<'_, '_> {
    /// The pairs from which the second player wins when the bit is zero.
    fn won(&mut self) -> Result<Vec<BitSet>, Stop> {
        let mut within = self.relevant()?;
        loop {
            let reached = self.zero_is_reached(&within)?;
            if reached == within {
                let [zero, _] = reached;
                return Ok(zero);
            }
            within = reached;
        }
    }

    /// The triples that plays reach from undecided pairs; pairs in direct simulation are decided.
    fn relevant(&self) -> Result<Triples, Stop> {
        let candidates = &self.simulation.implied_by;
        let none = vec![BitSet::new(); self.direct.len()];
        let mut relevant: Triples = [self.direct.clone(), none];
        let mut to_visit: Vec<(usize, usize, usize)> = Vec::new();
        for (l, candidates) in candidates.iter().enumerate() {
            let open = candidates.iter().filter(|&k| !self.direct[l].contains(k));
            to_visit.extend(open.map(|k| (k, l, 0)));
        }
        while let Some((k, l, bit)) = to_visit.pop() {
            self.budget.check()?;
            if !relevant[bit][l].insert(k) {
                continue;
            }
            for m in self.simulation.targets[l].iter() {
                let mut matching = candidates[m].clone();
                matching.intersect_with(&self.simulation.targets[k]);
                let accepting = &self.simulation.accepting;
                to_visit.extend(matching.iter().map(|j| (j, m, becomes(accepting, bit, j, m))));
            }
        }
        Ok(relevant)
    }

    /// The least fixpoint: the triples from which the play reaches a zero bit within `within`.
    fn zero_is_reached(&mut self, within: &Triples) -> Result<Triples, Stop> {
        let none = vec![BitSet::new(); within[1].len()];
        let mut reached: Triples = [self.direct.clone(), none];
        let mut to_play: BitSet = (0..within[1].len()).collect();
        while !to_play.is_empty() {
            let mut next = BitSet::new();
            for l in to_play.iter() {
                self.budget.check()?;
                if self.play(l, within, &mut reached)? {
                    next.union_with(&self.simulation.predecessors[l]);
                }
            }
            to_play = next;
        }
        Ok(reached)
    }

    /// Adds the triples of `l` that reach their goal in one step. Returns whether that may help
    /// others.
    fn play(&mut self, l: usize, within: &Triples, reached: &mut Triples) -> Result<bool, Stop> {
        let mut helps = false;
        for bit in [0, 1] {
            let open = self.open(l, bit, within, reached);
            if open.is_empty() {
                continue;
            }
            let Some((weakened, size)) = self.weaken(l, bit, &open, within, reached)? else {
                continue;
            };
            for k in open.iter() {
                self.budget.check()?;
                let effort = &mut self.simulation.effort;
                let Some((transition, other)) = effort.transition(self.transitions, k)? else {
                    continue;
                };
                if effort.allows(size, other) && transition.entails(&weakened)? {
                    helps |= reached[bit][l].insert(k) && bit == 1;
                }
            }
        }
        Ok(helps)
    }

    /// The triples of `l` that may reach their goal in one step, according to the drawn steps.
    fn open(&mut self, l: usize, bit: usize, within: &Triples, reached: &Triples) -> BitSet {
        let mut open = within[bit][l].clone();
        open.subtract(&reached[bit][l]);
        let LocationSimulation { sampler, accepting, .. } = &mut self.simulation;
        let good = |j, m| is_good(accepting, bit, j, m, within, reached);
        open.iter().filter(|&k| !sampler.refutes(k, l, good)).collect()
    }

    /// `delta(l)` with each location `m` replaced by those `j` that may be matched with it and
    /// follow one of `open`.
    fn weaken(
        &mut self,
        l: usize,
        bit: usize,
        open: &BitSet,
        within: &Triples,
        reached: &Triples,
    ) -> Result<Option<(Bdd, usize)>, OutOfNodes> {
        let LocationSimulation { targets, effort, accepting, .. } = &mut self.simulation;
        let mut following = BitSet::new();
        open.iter().for_each(|k| following.union_with(&targets[k]));
        let matching = |m: usize| {
            let good = |&j: &usize| is_good(accepting, bit, j, m, within, reached);
            (m, following.iter().filter(good).collect())
        };
        let matching = targets[l].iter().map(matching).collect();
        weakened(self.transitions, effort, l, matching)
    }
}

/// The value of the bit after a step to `j` and `m`.
fn becomes(accepting: &BitSet, bit: usize, j: usize, m: usize) -> usize {
    match (accepting.contains(j), accepting.contains(m)) {
        (_, true) => 0,
        (true, false) => 1,
        (false, false) => bit,
    }
}

/// Whether a step to `j` and `m` is good for the second player.
fn is_good(
    accepting: &BitSet,
    bit: usize,
    j: usize,
    m: usize,
    within: &Triples,
    reached: &Triples,
) -> bool {
    match becomes(accepting, bit, j, m) {
        0 => within[0][m].contains(j),
        _ => reached[1][m].contains(j),
    }
}
