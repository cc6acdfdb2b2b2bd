//! A formula unrolled over the positions of a word, as clauses.
//!
//! Position by position, each node of the closure is a variable, and clauses say what the node
//! demands if it is true: nodes are never defined, only constrained, because they all have positive
//! polarity. A request at one position demands its target at the next one.
//!
//! A word ends at its last position, or it loops back from there. Clauses about the end at position
//! `k` hold only under the assumption `end[k]`, so that the solver keeps what it learns when the
//! word becomes longer. The start of the loop is a choice: `start[i]` says that position `i` comes
//! after the last one. As in \[BHJLS06\] the requests at the end and the memories at the start meet
//! in variables of their own, so that each position adds a number of clauses that depends on the
//! formula only.
//!
//! Past operators need no elimination \[BHJLS06\]: a memory at the start of the loop must be right
//! for both predecessors, the position before and the last position.

use kermode_ltl::{Letter, Word, WordKind};
use kermode_sat::Literal;

use super::closure::{Closure, Demand, NodeId};
use super::context::SatContext;
use crate::frame::budget::Stop;

/// A formula over the first positions of a word.
pub(super) struct Unrolling<'c, 'b> {
    pub(super) closure: &'c Closure,
    pub(super) context: SatContext<'b>,
    words: WordKind,
    /// The literals of propositions, by position.
    letters: Vec<Vec<Literal>>,
    /// The literals of nodes, by position.
    nodes: Vec<Vec<Literal>>,
    /// Whether the loop starts at a position.
    start: Vec<Literal>,
    /// Whether the loop has started at a position.
    inside: Vec<Literal>,
    /// Whether each promise is fulfilled in the loop, up to the last position.
    fulfilled: Vec<Literal>,
    /// For each request, whether the end of the loop makes it, so that its start serves it.
    meeting: Vec<Literal>,
    /// For each memory, whether the start of the loop has it, so that its end supports it.
    remembered: Vec<Literal>,
}

impl<'c, 'b> Unrolling<'c, 'b> {
    /// No position yet.
    pub(super) fn new(closure: &'c Closure, words: WordKind, mut context: SatContext<'b>) -> Self {
        let mut fresh = |count: usize| (0..count).map(|_| context.fresh()).collect::<Vec<_>>();
        let (meeting, remembered) = match words {
            WordKind::Infinite => (fresh(closure.requests.len()), fresh(closure.memories.len())),
            WordKind::Finite => (Vec::new(), Vec::new()),
        };
        let never = context.constant(false);
        let fulfilled = vec![never; closure.promises.len()];
        let (letters, nodes, start, inside) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Unrolling {
            closure,
            context,
            words,
            letters,
            nodes,
            start,
            inside,
            fulfilled,
            meeting,
            remembered,
        }
    }

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The literal of a node at a position.
    pub(super) fn at(&self, position: usize, node: NodeId) -> Literal {
        self.nodes[position][node as usize]
    }

    /// Adds a position, and returns the assumption that the word ends there or loops from there.
    pub(super) fn extend(&mut self) -> Literal {
        let position = self.len();
        let letters: Vec<Literal> =
            self.closure.propositions.iter().map(|_| self.context.fresh()).collect();
        let nodes = constrain(self.closure, &mut self.context, &letters, position == 0);
        self.letters.push(letters);
        self.nodes.push(nodes);
        match position {
            0 => {
                let root = self.at(0, self.closure.root);
                self.context.clause(&[root]);
            }
            _ => self.connect(position - 1, position),
        }
        let end = self.context.fresh();
        match self.words {
            WordKind::Finite => self.end_at(position, end),
            WordKind::Infinite => self.loop_from(position, end),
        }
        end
    }

    /// Requests at one position are served at the next, memories come from the one before.
    fn connect(&mut self, before: usize, after: usize) {
        for &request in &self.closure.requests {
            let target = self.at(after, self.closure.target(request));
            let clause = [!self.at(before, request), target];
            self.context.clause(&clause);
        }
        for &memory in &self.closure.memories {
            let target = self.at(before, self.closure.target(memory));
            let clause = [!self.at(after, memory), target];
            self.context.clause(&clause);
        }
    }

    /// At the end of a finite word nothing is requested of a next position.
    fn end_at(&mut self, position: usize, end: Literal) {
        for &request in &self.closure.requests {
            if self.closure.is_strong(request) {
                let clause = [!end, !self.at(position, request)];
                self.context.clause(&clause);
            }
        }
    }

    /// The loop may start here, and it ends here under the assumption.
    fn loop_from(&mut self, position: usize, end: Literal) {
        let (start, inside) = (self.context.fresh(), self.context.fresh());
        match self.inside.last() {
            Some(&before) => self.context.clause(&[!inside, before, start]),
            None => self.context.clause(&[!inside, start]),
        }
        self.context.clause(&[!end, inside]);
        for (index, &request) in self.closure.requests.iter().enumerate() {
            let (meeting, target) = (self.meeting[index], self.closure.target(request));
            let served = [!start, !meeting, self.at(position, target)];
            let made = [!end, !self.at(position, request), meeting];
            self.context.clause(&served);
            self.context.clause(&made);
        }
        for (index, &memory) in self.closure.memories.iter().enumerate() {
            let (remembered, target) = (self.remembered[index], self.closure.target(memory));
            let needed = [!start, !self.at(position, memory), remembered];
            let supported = [!end, !remembered, self.at(position, target)];
            self.context.clause(&needed);
            self.context.clause(&supported);
        }
        for (index, promise) in self.closure.promises.iter().enumerate() {
            let (before, now) = (self.fulfilled[index], self.context.fresh());
            let pending = self.nodes[position][promise.request as usize];
            let fulfilled = self.nodes[position][promise.fulfilled as usize];
            self.context.clause(&[!now, before, inside]);
            self.context.clause(&[!now, before, fulfilled]);
            self.context.clause(&[!end, !pending, now]);
            self.fulfilled[index] = now;
        }
        self.start.push(start);
        self.inside.push(inside);
    }

    /// The word of the last assignment, which was found under an assumption of the last position.
    pub(super) fn word(&self) -> Word {
        let letters = self.letters.iter().map(|literals| self.letter(literals)).collect();
        match self.words {
            WordKind::Finite => Word::finite(letters),
            WordKind::Infinite => {
                let start = self.start.iter().position(|&start| self.context.value(start));
                Word::from_letters(letters, start)
            }
        }
    }

    fn letter(&self, literals: &[Literal]) -> Letter {
        let held = literals.iter().zip(&self.closure.propositions);
        held.filter(|&(&literal, _)| self.context.value(literal)).map(|(_, &p)| p).collect()
    }

    /// Whether the assumption can hold; an error if the budget ends.
    pub(super) fn query(&mut self, assumptions: &[Literal]) -> Result<bool, Stop> {
        self.context.query(assumptions)
    }
}

/// The literals of all nodes at one position, with the clauses that say what they demand there.
pub(super) fn constrain(
    closure: &Closure,
    context: &mut SatContext,
    letters: &[Literal],
    is_first: bool,
) -> Vec<Literal> {
    let mut literals: Vec<Literal> = Vec::with_capacity(closure.nodes.len());
    let mut clause = Vec::new();
    for demand in &closure.nodes {
        let literal = match demand {
            Demand::Constant(value) => context.constant(*value),
            Demand::Literal(index, true) => letters[*index as usize],
            Demand::Literal(index, false) => !letters[*index as usize],
            Demand::Next { .. } => context.reluctant(),
            Demand::Previous { strong: true, .. } if is_first => context.constant(false),
            Demand::Previous { .. } => context.fresh(),
            Demand::And(parts) => {
                let literal = context.fresh();
                for &part in parts {
                    context.clause(&[!literal, literals[part as usize]]);
                }
                literal
            }
            Demand::Or(parts) => {
                let literal = context.fresh();
                clause.clear();
                clause.push(!literal);
                clause.extend(parts.iter().map(|&part| literals[part as usize]));
                context.clause(&clause);
                literal
            }
        };
        literals.push(literal);
    }
    literals
}
