//! One position of a word, as clauses: from a state to a letter and a successor.
//!
//! A *state* is the set of nodes that are demanded at a position \[LZPV15\]. The query for a
//! successor assumes them. Of the assignment only what the demands need is kept: the successor is
//! the set of targets of the requests that a justification of the demands uses. Nodes that hold at
//! every position, such as `G a` at the top of the formula, are clauses and in no state.
//!
//! Invariant: a state with fewer nodes has all the successors of a state with more.

use kermode_base::BitSet;
use kermode_ltl::{Letter, WordKind};
use kermode_sat::Literal;

use super::closure::{Closure, Demand, NodeId};
use super::context::SatContext;
use super::mistakes::Mistake;
use super::unrolling::constrain;
use crate::frame::budget::Stop;

/// The nodes that are demanded at a position, in increasing order.
pub(super) type State = Box<[NodeId]>;

/// A step from a state.
pub(super) struct Move {
    /// What is demanded at the next position.
    pub(super) state: State,
    pub(super) letter: Letter,
    /// The promises that are requested of the next position and not fulfilled at this one.
    pub(super) pending: BitSet,
}

/// What makes a state the last one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal {
    /// The word ends there if it is finite, or repeats one letter for ever.
    Word(WordKind),
    /// Each promise in turn was not pending at some position, and all of them this often.
    Rounds(usize),
}

/// The clauses of one position.
pub(super) struct OneStep<'c, 'b> {
    closure: &'c Closure,
    pub(super) context: SatContext<'b>,
    letters: Vec<Literal>,
    nodes: Vec<Literal>,
    /// The nodes that hold at each position.
    always: Vec<NodeId>,
    is_always: BitSet,
    /// For each node, whether it is requested of the next position. Nodes that nothing requests
    /// have no literal.
    requested: Vec<Option<Literal>>,
    /// How many requests the justification of a node can need at most, roughly.
    weights: Vec<u32>,
    /// The promises by their requests.
    promises: Vec<Vec<u32>>,
    /// The milestones of a round. At milestone `i` promise `i`, modulo their number, is not
    /// pending. The last milestone comes first. A state from which `m` of them remain has node
    /// `m - 1` after those of the closure.
    round: usize,
    /// The assumption that the goal is reached here.
    last: Literal,
}

impl<'c, 'b> OneStep<'c, 'b> {
    pub(super) fn new(closure: &'c Closure, goal: Goal, mut context: SatContext<'b>) -> Self {
        let letters: Vec<Literal> = closure.propositions.iter().map(|_| context.fresh()).collect();
        let nodes = constrain(closure, &mut context, &letters, false);
        let always: Vec<NodeId> =
            closure.conjuncts().into_iter().filter(|&node| closure.repeats(node)).collect();
        always.iter().for_each(|&node| context.clause(&[nodes[node as usize]]));
        let last = context.fresh();
        let mut step = OneStep {
            closure,
            context,
            letters,
            nodes,
            is_always: always.iter().map(|&node| node as usize).collect(),
            always,
            requested: vec![None; closure.nodes.len()],
            weights: weights(closure),
            promises: vec![Vec::new(); closure.nodes.len()],
            round: 0,
            last,
        };
        step.add_requests();
        for (index, promise) in closure.promises.iter().enumerate() {
            step.promises[promise.request as usize].push(index as u32);
        }
        match goal {
            Goal::Word(WordKind::Finite) => step.end_here(),
            Goal::Word(WordKind::Infinite) => step.repeat_here(),
            Goal::Rounds(rounds) => step.add_milestones(rounds),
        }
        step
    }

    /// The first state.
    pub(super) fn initial(&self) -> State {
        let conjuncts = self.closure.conjuncts().into_iter();
        let mut state: Vec<NodeId> =
            conjuncts.filter(|&node| !self.is_always.contains(node as usize)).collect();
        state.sort_unstable();
        state.extend(self.remaining(self.nodes.len() - self.closure.nodes.len()));
        state.into()
    }

    /// The node that says that so many milestones remain.
    fn remaining(&self, milestones: usize) -> Option<NodeId> {
        let last = milestones.checked_sub(1)?;
        Some((self.closure.nodes.len() + last) as NodeId)
    }

    fn add_requests(&mut self) {
        for &request in &self.closure.requests {
            let (target, literal) = (self.closure.target(request), self.nodes[request as usize]);
            let known = self.requested[target as usize];
            let either = match known {
                None => literal,
                // A strong and a weak request have the same target.
                Some(known) => {
                    let either = self.context.fresh();
                    self.context.clause(&[!known, either]);
                    self.context.clause(&[!literal, either]);
                    either
                }
            };
            self.requested[target as usize] = Some(either);
        }
    }

    /// The word may end here if nothing requests a next position.
    fn end_here(&mut self) {
        for &request in &self.closure.requests {
            if self.closure.is_strong(request) && !self.context.has(Mistake::EndIgnoresRequests) {
                self.context.clause(&[!self.last, !self.nodes[request as usize]]);
            }
        }
    }

    /// The letter may be repeated for ever if it serves all requests and fulfils all promises.
    fn repeat_here(&mut self) {
        for &request in &self.closure.requests {
            let target = self.nodes[self.closure.target(request) as usize];
            self.context.clause(&[!self.last, !self.nodes[request as usize], target]);
        }
        if self.context.has(Mistake::RepetitionIgnoresPromises) {
            return;
        }
        for promise in &self.closure.promises {
            let fulfilled = self.nodes[promise.fulfilled as usize];
            self.context.clause(&[!self.last, !self.nodes[promise.request as usize], fulfilled]);
        }
    }

    /// Each milestone remains at the next position, unless its promise is not pending here. Those
    /// that come later in time remain as well, and a step belongs to one round only.
    fn add_milestones(&mut self, rounds: usize) {
        let free = self.closure.promises.iter().map(|promise| {
            let free = self.context.fresh();
            let request = self.nodes[promise.request as usize];
            self.context.clause(&[!free, !request, self.nodes[promise.fulfilled as usize]]);
            free
        });
        let mut free: Vec<Literal> = free.collect();
        if free.is_empty() {
            // Each step is a round.
            free.push(self.context.constant(true));
        }
        self.round = free.len();
        let mut before = None;
        for index in 0..rounds * self.round {
            let (here, next) = (self.context.reluctant(), self.context.reluctant());
            let (free, is_new_round) = (free[index % self.round], index % self.round == 0);
            self.context.clause(&[!here, next, free]);
            self.context.clause(&[!self.last, !here, free]);
            if let Some((here_before, next_before)) = before {
                self.context.clause(&[!here, here_before]);
                self.context.clause(&[!next, next_before]);
                if is_new_round {
                    self.context.clause(&[!here, next_before]);
                    self.context.clause(&[!here, !self.last]);
                }
            }
            before = Some((here, next));
            self.nodes.push(here);
            self.requested.push(Some(next));
        }
    }

    /// The assumptions for a state and some other literals.
    fn assumptions(&self, state: &[NodeId], others: &[Literal]) -> Vec<Literal> {
        let state = state.iter().map(|&node| self.nodes[node as usize]);
        others.iter().copied().chain(state).collect()
    }

    /// Whether the goal can be reached in a state.
    pub(super) fn is_last(&mut self, state: &[NodeId]) -> Result<bool, Stop> {
        let assumptions = self.assumptions(state, &[self.last]);
        self.context.query(&assumptions)
    }

    /// A move from a state, under other assumptions, if there is one.
    pub(super) fn next(
        &mut self,
        state: &[NodeId],
        others: &[Literal],
    ) -> Result<Option<Move>, Stop> {
        let assumptions = self.assumptions(state, others);
        match self.context.query(&assumptions)? {
            true => Ok(Some(self.justified(state))),
            false => Ok(None),
        }
    }

    /// The nodes of a state that the last query needed for its contradiction.
    pub(super) fn core(&self, state: &[NodeId]) -> State {
        let core: Vec<Literal> = self.context.core().to_vec();
        let needed = |node: &&NodeId| core.contains(&self.nodes[**node as usize]);
        let needed = state.iter().filter(needed).copied();
        let mut core: Vec<NodeId> = needed.collect();
        if self.context.has(Mistake::CoreIsTooSmall) {
            core.pop();
        }
        core.into()
    }

    /// The letter of the last assignment.
    pub(super) fn letter(&self) -> Letter {
        let held = self.letters.iter().zip(&self.closure.propositions);
        held.filter(|&(&literal, _)| self.context.value(literal)).map(|(_, &p)| p).collect()
    }

    /// The step of the last assignment, with no more requests than the state needs.
    fn justified(&self, state: &[NodeId]) -> Move {
        let mut seen = BitSet::new();
        let mut requests = Vec::new();
        let count = self.closure.nodes.len();
        let (state, remaining) = state.split_at(state.partition_point(|&n| (n as usize) < count));
        self.justify(state.iter().chain(&self.always).copied().collect(), &mut seen, &mut requests);
        // A fulfilled promise counts only together with all that it requests.
        let (mut pending, mut next) = (BitSet::new(), 0);
        while next < requests.len() {
            for &index in &self.promises[requests[next] as usize] {
                let fulfilled = self.closure.promises[index as usize].fulfilled;
                if self.context.value(self.nodes[fulfilled as usize]) {
                    self.justify(vec![fulfilled], &mut seen, &mut requests);
                } else {
                    pending.insert(index as usize);
                }
            }
            next += 1;
        }
        let targets = requests.iter().map(|&request| self.closure.target(request));
        let mut state: Vec<NodeId> =
            targets.filter(|&target| !self.is_always.contains(target as usize)).collect();
        state.sort_unstable();
        state.dedup();
        let mut remaining = remaining.first().map_or(0, |&node| node as usize - count + 1);
        while remaining > 0 && !pending.contains((remaining - 1) % self.round) {
            remaining -= 1;
            if remaining % self.round == 0 {
                break;
            }
        }
        state.extend(self.remaining(remaining));
        Move { state: state.into(), letter: self.letter(), pending }
    }

    /// Adds the requests that nodes need. They are all true in the last assignment.
    fn justify(&self, mut todo: Vec<NodeId>, seen: &mut BitSet, requests: &mut Vec<NodeId>) {
        while let Some(node) = todo.pop() {
            if !seen.insert(node as usize) {
                continue;
            }
            match &self.closure.nodes[node as usize] {
                Demand::And(parts) => todo.extend(parts),
                Demand::Or(parts) => {
                    let is_true = |part: &&NodeId| self.context.value(self.nodes[**part as usize]);
                    let cost = |part: &&NodeId| match seen.contains(**part as usize) {
                        true => 0,
                        false => self.weights[**part as usize],
                    };
                    todo.extend(parts.iter().filter(is_true).min_by_key(cost));
                }
                Demand::Next { .. } => requests.push(node),
                Demand::Constant(_) | Demand::Literal(..) | Demand::Previous { .. } => {}
            }
        }
    }

    /// Excludes successors that demand all of these nodes, unless one of the literals holds. Does
    /// nothing if one of the nodes is never requested.
    pub(super) fn exclude(&mut self, nodes: &[NodeId], unless: &[Literal]) {
        let refused =
            nodes.iter().map(|&node| self.requested[node as usize].map(|literal| !literal));
        let Some(refused) = refused.collect::<Option<Vec<Literal>>>() else { return };
        let clause: Vec<Literal> = unless.iter().copied().chain(refused).collect();
        self.context.clause(&clause);
    }

    /// The literals that say that pending promises are fulfilled.
    pub(super) fn fulfilments(&self, pending: &BitSet) -> Vec<Literal> {
        let promises = &self.closure.promises;
        pending.iter().map(|index| self.nodes[promises[index].fulfilled as usize]).collect()
    }
}

/// The demands of both.
pub(super) fn joined(a: &[NodeId], b: &[NodeId]) -> State {
    let mut all: Vec<NodeId> = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.into()
}

/// How many requests the justification of each node can need, roughly: the sum over the operands of
/// a conjunction, and the least operand of a disjunction.
fn weights(closure: &Closure) -> Vec<u32> {
    let mut weights: Vec<u32> = Vec::with_capacity(closure.nodes.len());
    for demand in &closure.nodes {
        let weight = |&part: &NodeId| weights[part as usize];
        let weight = match demand {
            Demand::And(parts) => parts.iter().map(weight).fold(0, u32::saturating_add),
            Demand::Or(parts) => parts.iter().map(weight).min().unwrap_or(0),
            Demand::Next { .. } => 1,
            Demand::Constant(_) | Demand::Literal(..) | Demand::Previous { .. } => 0,
        };
        weights.push(weight);
    }
    weights
}
