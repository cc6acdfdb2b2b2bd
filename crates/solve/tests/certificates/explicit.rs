//! The conditions of proofs, checked state by state: the judge of the judge.

use kermode_certificate::{Argument, BitName, Goal, JusticeName, Product, Proof, Round};
use kermode_system::{Below, Expression, SymbolKind, System, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// The states over the listed bits, as numbers, and the steps between them.
struct Explicit<'p> {
    product: &'p Product,
    proof: &'p Proof,
    /// The places of the listed bits.
    places: BTreeMap<Variable, usize>,
    legal: Vec<bool>,
    successors: Vec<Vec<usize>>,
}

/// Whether a proof fulfils all conditions. Only for few bits.
pub(crate) fn is_proof(product: &Product, proof: &Proof) -> bool {
    let known: BTreeMap<String, Variable> =
        product.bits.iter().map(|(name, variable)| (name.to_string(), *variable)).collect();
    let mut places = BTreeMap::new();
    for (place, name) in proof.bits.iter().enumerate() {
        let Some(&variable) = known.get(&BitName::to_string(name)) else { return false };
        if places.insert(variable, place).is_some() {
            return false;
        }
    }
    let mut explicit =
        Explicit { product, proof, places, legal: Vec::new(), successors: Vec::new() };
    explicit.legal = explicit.all(product.model.system.invariants());
    explicit.successors = explicit.steps(&product.model.system);
    match (&proof.argument, product.goal) {
        (Argument::NoFairPath { start, rounds }, Goal::FairPath) => {
            explicit.no_fair_path(*start, rounds)
        }
        (Argument::Inductive(set), goal) if goal != Goal::FairPath => {
            explicit.is_inductive(*set, goal)
        }
        _ => false,
    }
}

impl Explicit<'_> {
    fn states(&self) -> std::ops::Range<usize> {
        0..1 << self.proof.bits.len()
    }

    fn used(&self, constraints: &[Expression]) -> Vec<Expression> {
        let graph = &self.product.model.graph;
        let is_used = |c: &&Expression| {
            graph.variables(&[**c]).iter().all(|variable| self.places.contains_key(variable))
        };
        constraints.iter().filter(is_used).copied().collect()
    }

    fn value(&self, state: usize, variable: Variable) -> u64 {
        match state >> self.places[&variable] & 1 {
            1 => u64::MAX,
            _ => 0,
        }
    }

    /// The states in which all of the constraints hold.
    fn all(&self, constraints: &[Expression]) -> Vec<bool> {
        let (graph, used) = (&self.product.model.graph, self.used(constraints));
        let below = Below::of(graph, &used);
        let holds = |state| {
            let now = |variable| self.value(state, variable);
            let values = graph.values(&below, now, |_| 0);
            used.iter().all(|&root| values[below.position(root)] & 1 == 1)
        };
        self.states().map(holds).collect()
    }

    /// The successors of each state.
    fn steps(&self, system: &System) -> Vec<Vec<usize>> {
        let legal = self.all(system.invariants());
        let (graph, used) = (&self.product.model.graph, self.used(system.transition()));
        let below = Below::of(graph, &used);
        let holds = |from: usize, to: usize| {
            let (now, next) = (|v| self.value(from, v), |v| self.value(to, v));
            let values = graph.values(&below, now, next);
            used.iter().all(|&root| values[below.position(root)] & 1 == 1)
        };
        let after = |from: usize| {
            let steps = self.states().filter(|&to| legal[from] && legal[to] && holds(from, to));
            steps.collect()
        };
        self.states().map(after).collect()
    }

    fn set(&self, set: u32) -> Vec<bool> {
        let member = |state: usize| {
            let mut values = vec![false, true];
            for node in &self.proof.nodes {
                let branch = if state >> node.bit & 1 == 1 { node.high } else { node.low };
                values.push(values[branch as usize]);
            }
            values[set as usize]
        };
        self.states().map(member).collect()
    }

    fn initial(&self) -> Vec<bool> {
        let initial = self.all(self.product.model.system.initial());
        initial.iter().zip(&self.legal).map(|(a, b)| *a && *b).collect()
    }

    fn includes_paths(&self, set: &[bool]) -> bool {
        let initial = self.initial();
        self.states().all(|s| !initial[s] || set[s])
            && self.states().all(|s| !set[s] || self.successors[s].iter().all(|&t| set[t]))
    }

    fn no_fair_path(&self, start: u32, rounds: &[Round]) -> bool {
        let mut before = self.set(start);
        if !self.includes_paths(&before) {
            return false;
        }
        for Round { justice, reach, left } in rounds {
            let (reach, left) = (self.set(*reach), self.set(*left));
            let just = match justice {
                JusticeName::Always => vec![true; self.legal.len()],
                name => match self.product.justice.iter().position(|known| known == name) {
                    Some(place) => self.all(&[self.product.model.system.justice()[place]]),
                    None => return false,
                },
            };
            let first = |s: usize| !(self.legal[s] && just[s] && before[s]) || reach[s];
            let leads = |s: usize| before[s] && self.successors[s].iter().any(|&t| reach[t]);
            let second = |s: usize| !leads(s) || reach[s] && left[s];
            if !self.states().all(|s| first(s) && second(s)) {
                return false;
            }
            before = left;
        }
        let initial = self.initial();
        self.states().all(|s| !(initial[s] && before[s]))
    }

    fn is_inductive(&self, set: u32, goal: Goal) -> bool {
        let set = self.set(set);
        let graph = &self.product.model.graph;
        self.includes_paths(&set)
            && match goal {
                Goal::FairPath => false,
                Goal::State(goal) => {
                    let goal = self.all(&[goal]);
                    self.states().all(|s| !(set[s] && self.legal[s] && goal[s]))
                }
                Goal::Step(goal) => {
                    let below = Below::of(graph, &[goal]);
                    let meets = |s: usize, t: usize| {
                        let (now, next) = (|v| self.value(s, v), |v| self.value(t, v));
                        graph.values(&below, now, next)[below.position(goal)] & 1 == 1
                    };
                    let steps = |s: usize| self.successors[s].iter().map(move |&t| (s, t));
                    self.states().filter(|&s| set[s]).flat_map(steps).all(|(s, t)| !meets(s, t))
                }
                Goal::DeadEnd(goal) => {
                    let (goal, steps) = (self.all(&[goal]), self.steps(&self.product.factor));
                    let inputs: BTreeSet<usize> = self
                        .product
                        .model
                        .symbols
                        .iter()
                        .filter(|symbol| symbol.kind == SymbolKind::Input)
                        .flat_map(|symbol| &symbol.bits)
                        .filter_map(|bit| self.places.get(bit).copied())
                        .collect();
                    let mask: usize = inputs.iter().map(|place| 1 << place).sum();
                    let leaves: BTreeSet<usize> = self
                        .states()
                        .filter(|&s| !steps[s].is_empty())
                        .map(|s| s & !mask)
                        .collect();
                    self.states().all(|s| {
                        !(set[s] && self.legal[s] && goal[s]) || leaves.contains(&(s & !mask))
                    })
                }
            }
    }
}
