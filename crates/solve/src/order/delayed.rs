//! Delayed simulation between the locations of an alternating Büchi automaton [FW05].
//!
//! The game is that of direct simulation, with a bit that says: `k` has been accepting and `l` not since. Instead of being
//! accepting at once, `l` must become so some time later: the second player wins a play in which the bit is
//! zero again and again. When a step leads to `j` and `m`, the bit becomes zero if `m` is accepting, else one if `j` is, else
//! it stays as it was. The triples `(k, l, bit)` from which the second player wins are
//!
//! ```text
//! nu Y. mu X. { (k, l, b) | delta(k) entails delta(l)[x_m := \/ { x_j | (j, m, b') is in Y if b' = 0, in X if b' = 1 }] }
//! ```
//!
//! where `b'` is what `b` becomes. `k` implies `l` if `(k, l, 0)` is among them.
//!
//! **It implies inclusion of languages.** Take an accepting run from `k` and let the second player follow it with a winning strategy.
//! The locations `m` that come up form a run from `l` on the same word, and each of its paths is matched by a path of
//! the run from `k`. That is accepting infinitely often. Each time the bit is one or `m` is accepting, and as the
//! bit is zero again later, `m` is accepting then: infinitely often. The relation is reflexive (a copy of the play keeps the
//! bit at zero) and transitive: if `k` is accepting at some time, then `l` is at that time or later, then so is `p`.
//!
//! It contains direct simulation, in which the bit stays zero, and lies within the relation that forgets about
//! acceptance. Both come first, and only what lies between them is played.
//!
//! Departs from the paper: what the first `k` and `l` are does not count, since languages do not depend on it. So `G a` implies
//! `F a` though only the first is accepting. On finite words acceptance cannot wait, and this is direct simulation.

use kermode_automata::Location;
use kermode_bdd::{Bdd, BitSet, OutOfNodes};
use kermode_ltl::WordKind;

use super::direct::{Simulation, any_of};
use super::{LocationOrder, comparable, converse, direct_simulation};
use crate::budget::{Budget, Stop};
use crate::space::transitions::{Transitions, by_x};

/// What locations imply by delayed simulation.
pub(crate) fn delayed_simulation(
    transitions: &mut Transitions,
    budget: &Budget,
) -> Result<LocationOrder, Stop> {
    let reachable = match transitions.automaton.words() {
        WordKind::Finite => None,
        WordKind::Infinite => comparable(transitions),
    };
    let Some(reachable) = reachable else {
        return direct_simulation(transitions, &BitSet::new(), budget);
    };
    let mut simulation = Simulation::new(transitions, &reachable);
    simulation.refine(transitions, budget)?;
    let without_acceptance = simulation.implied_by.clone();
    simulation.respect_acceptance();
    simulation.refine(transitions, budget)?;
    if simulation.implied_by == without_acceptance {
        return Ok(LocationOrder::new(simulation.implies));
    }
    let mut game = Game { transitions, budget, simulation, reachable };
    let implied_by = game.won(without_acceptance)?;
    Ok(LocationOrder::new(converse(&implied_by)))
}

/// Triples by bit and `l`: the sets of `k`.
type Triples = [Vec<BitSet>; 2];

struct Game<'g, 'a> {
    transitions: &'g mut Transitions<'a>,
    budget: &'g Budget,
    /// Direct simulation, and what else is known of the automaton.
    simulation: Simulation,
    reachable: BitSet,
}

impl Game<'_, '_> {
    /// The pairs from which the second player wins when the bit is zero.
    fn won(&mut self, candidates: Vec<BitSet>) -> Result<Vec<BitSet>, Stop> {
        let mut within: Triples = [candidates.clone(), candidates];
        loop {
            let reached = self.zero_is_reached(&within)?;
            if reached == within {
                let [zero, _] = reached;
                return Ok(zero);
            }
            within = reached;
        }
    }

    /// The least fixpoint: the triples from which the play comes to a zero bit within `within`. Direct simulation is known to win.
    fn zero_is_reached(&mut self, within: &Triples) -> Result<Triples, Stop> {
        let none = vec![BitSet::new(); within[1].len()];
        let mut reached: Triples = [self.simulation.implied_by.clone(), none];
        let mut to_play = self.reachable.clone();
        while !to_play.is_empty() {
            let mut next = BitSet::new();
            for l in to_play.iter() {
                if self.play(l, within, &mut reached)? {
                    next.union_with(&self.simulation.predecessors[l]);
                }
            }
            to_play = next;
        }
        Ok(reached)
    }

    /// Adds the triples of `l` that reach their goal in a step; says whether that may help others.
    fn play(&mut self, l: usize, within: &Triples, reached: &mut Triples) -> Result<bool, Stop> {
        let mut helps = false;
        for bit in [0, 1] {
            let mut open = within[bit][l].clone();
            open.subtract(&reached[bit][l]);
            if open.is_empty() {
                continue;
            }
            let weakened = self.weakened(l, bit, within, reached)?;
            for k in open.iter() {
                self.budget.check()?;
                let transition = self.transitions.of(Location::from_index(k), 0, &by_x)?;
                if transition.entails(&weakened)? {
                    helps |= reached[bit][l].insert(k) && bit == 1;
                }
            }
        }
        Ok(helps)
    }

    /// `delta(l)` with each location `m` replaced by those `j` that may be matched with it.
    fn weakened(
        &self,
        l: usize,
        bit: usize,
        within: &Triples,
        reached: &Triples,
    ) -> Result<Bdd, OutOfNodes> {
        let accepting = &self.simulation.accepting;
        let leaf = |manager: &_, layout: &_, m: Location| {
            let m = m.index();
            if accepting.contains(m) {
                return any_of(manager, layout, &within[0][m]);
            }
            let mut matching = reached[1][m].clone();
            if bit == 0 {
                matching.intersect_with(accepting);
                let mut as_before = within[0][m].clone();
                as_before.subtract(accepting);
                matching.union_with(&as_before);
            }
            any_of(manager, layout, &matching)
        };
        self.transitions.with_locations(Location::from_index(l), &leaf)
    }
}
