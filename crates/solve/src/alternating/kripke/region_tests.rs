//! The operations on regions compared with explicit sets of pairs: exhaustively for all preorders
//! of three states of a property and two states of a model.

use kermode_bdd::{Bdd, Capacity, Manager, Variable};

use super::region::{Covers, Region};

/// A preorder of three states: bit `3 * i + j` says that `i` covers `j`.
#[derive(Clone, Copy)]
struct Preorder(u32);

/// The preorder in the form that regions need.
struct Order {
    representatives: Vec<u32>,
    covering: Vec<Vec<u32>>,
    covered: Vec<Vec<u32>>,
}

impl Preorder {
    fn has(self, one: u32, other: u32) -> bool {
        self.0 >> (3 * one + other) & 1 == 1
    }

    fn is_preorder(self) -> bool {
        let reflexive = (0..3).all(|i| self.has(i, i));
        let shortcut = |i, j, k| !self.has(i, j) || !self.has(j, k) || self.has(i, k);
        let all = |i: u32| (0..3).all(|j| (0..3).all(|k| shortcut(i, j, k)));
        reflexive && (0..3).all(all)
    }

    fn order(self) -> Order {
        let is_class = |i, j| self.has(i, j) && self.has(j, i);
        let first = |i| (0..3).find(|&j| is_class(i, j)).expect("itself");
        let representatives: Vec<u32> = (0..3).map(first).collect();
        let strictly = |i: u32, j: u32| {
            let both = [i, j].into_iter().all(|k| representatives[k as usize] == k);
            both && i != j && self.has(i, j)
        };
        let covering = (0..3).map(|i| (0..3).filter(|&j| strictly(j, i)).collect()).collect();
        let covered = (0..3).map(|i| (0..3).filter(|&j| strictly(i, j)).collect()).collect();
        Order { representatives, covering, covered }
    }

    /// The closure of a set of pairs: bit `2 * state + q`.
    fn closed(self, set: u32) -> u32 {
        let mut closed = 0;
        for (one, other) in (0..3).flat_map(|one| (0..3).map(move |other| (one, other))) {
            if self.has(one, other) {
                closed |= (set >> (2 * one) & 3) << (2 * other);
            }
        }
        closed
    }
}

impl Covers for Order {
    fn representative(&self, state: u32) -> u32 {
        self.representatives[state as usize]
    }

    fn covering(&self, state: u32) -> &[u32] {
        &self.covering[state as usize]
    }

    fn covered(&self, state: u32) -> &[u32] {
        &self.covered[state as usize]
    }
}

/// The diagrams of the four sets of two states of a model: the values of one variable.
struct Diagrams([Bdd; 4]);

impl Diagrams {
    fn new() -> Self {
        let manager = Manager::new(Capacity::small(1)).expect("room");
        let variable = manager.variable(Variable(0)).expect("room");
        let other = variable.not().expect("room");
        Diagrams([manager.bottom(), other, variable, manager.top()])
    }

    /// The region of a set of pairs, which need not be closed.
    fn region(&self, order: &Order, set: u32) -> Region {
        let mut region = Region::default();
        for state in 0..3 {
            let part = &self.0[(set >> (2 * state) & 3) as usize];
            region.insert(order, state, part).expect("room");
            assert!(region.is_in_form(order));
        }
        region
    }
}

/// All pairs of a region.
fn pairs(order: &Order, region: &Region) -> u32 {
    let holds = |state: u32, q: u32| region.contains(order, state, |part| part.eval(|_| q == 1));
    let bits = (0..6).filter(|bit| holds(bit / 2, bit % 2));
    bits.map(|bit| 1 << bit).sum()
}

fn preorders() -> Vec<Preorder> {
    let all: Vec<Preorder> =
        (0..1 << 9).map(Preorder).filter(|order| order.is_preorder()).collect();
    assert_eq!(all.len(), 29);
    all
}

#[test]
fn a_region_has_one_form() {
    let diagrams = Diagrams::new();
    for preorder in preorders() {
        let order = preorder.order();
        let forms: Vec<Region> = (0..64).map(|set| diagrams.region(&order, set)).collect();
        for (set, region) in forms.iter().enumerate() {
            let closed = preorder.closed(set as u32);
            assert_eq!(pairs(&order, region), closed);
            assert!(*region == forms[closed as usize], "equal regions are equal maps");
            assert_eq!(region.is_empty(), set == 0);
        }
    }
}

#[test]
fn unions_inclusions_and_restrictions() {
    let diagrams = Diagrams::new();
    for preorder in preorders() {
        let order = preorder.order();
        let forms: Vec<Region> = (0..64).map(|set| diagrams.region(&order, set)).collect();
        let closed: Vec<u32> = (0..64).filter(|&set| preorder.closed(set) == set).collect();
        for &one in &closed {
            for &other in &closed {
                let mut union = forms[one as usize].clone();
                let new = union.add(&order, &forms[other as usize]).expect("room");
                assert!(union == forms[(one | other) as usize]);
                // What is new is in the closure of the new pairs, which has all of them.
                let added = pairs(&order, &new);
                assert_eq!(added & !other, 0);
                assert_eq!(other & !one & !added, 0);
                let includes = forms[one as usize].includes(&order, &forms[other as usize]);
                assert_eq!(includes.expect("room"), other & !one == 0);
            }
            for (states, diagram) in diagrams.0.iter().enumerate() {
                let restricted = forms[one as usize].restricted(diagram).expect("room");
                assert!(restricted.is_in_form(&order));
                let mask = states as u32 * 0b01_01_01;
                assert_eq!(pairs(&order, &restricted), one & mask);
            }
        }
    }
}
