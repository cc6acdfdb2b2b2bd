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

use super::closure::{Closure, Demand, NodeId, Supporters};
use super::context::SatContext;
use super::mistakes::Mistake;
use crate::frame::answer::{Answer, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;
use crate::frame::problem::WitnessPolicy;
use crate::frame::witness::nonempty;

/// The literals of one position that close a loop.
#[derive(Clone, Copy)]
pub(super) struct Closing {
    /// The loop starts here.
    pub(super) start: Literal,
    /// The loop has started here or before.
    pub(super) inside: Literal,
    /// The loop ends here: an assumption.
    pub(super) end: Literal,
}

/// The source of letters: all words, or those of the runs of a model.
pub(super) trait Letters {
    /// The literals of the propositions of the formula at the next position.
    fn extend(&mut self, context: &mut SatContext, position: usize) -> Vec<Literal>;

    /// What a loop demands of the letters.
    fn close(&mut self, context: &mut SatContext, position: usize, closing: Closing);

    /// The state after the last position, which determines the possible letters after it.
    fn state(&self) -> Vec<Literal>;

    /// The justice constraints at the last position: each must hold at infinitely many positions.
    fn justice(&self) -> &[Literal];
}

/// The letters of all words over this number of propositions.
pub(super) struct AllLetters(pub(super) usize);

impl Letters for AllLetters {
    fn extend(&mut self, context: &mut SatContext, _: usize) -> Vec<Literal> {
        (0..self.0).map(|_| context.fresh()).collect()
    }

    fn close(&mut self, _: &mut SatContext, _: usize, _: Closing) {}

    fn state(&self) -> Vec<Literal> {
        Vec::new()
    }

    fn justice(&self) -> &[Literal] {
        &[]
    }
}

/// A formula over the first positions of a word.
pub(super) struct Unrolling<'c, 'b, L> {
    pub(super) source: L,
    /// What may demand each node, if nodes may hold only where something demands them.
    supporters: Option<Vec<Option<Supporters>>>,
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

impl<'c, 'b, L: Letters> Unrolling<'c, 'b, L> {
    /// No position yet.
    pub(super) fn new(
        closure: &'c Closure,
        source: L,
        words: WordKind,
        mut context: SatContext<'b>,
    ) -> Self {
        let mut fresh = |count: usize| (0..count).map(|_| context.fresh()).collect::<Vec<_>>();
        let (meeting, remembered) = match words {
            WordKind::Infinite => (fresh(closure.requests.len()), fresh(closure.memories.len())),
            WordKind::Finite => (Vec::new(), Vec::new()),
        };
        let never = context.constant(false);
        let fulfilled = vec![never; closure.promises.len()];
        let (letters, nodes, start, inside) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Unrolling {
            source,
            supporters: None,
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

    /// The same, where nodes hold only if something demands them: this leaves fewer assignments.
    /// Loops are then found later, because the end of a loop demands nothing of its start.
    pub(super) fn supported(mut self) -> Self {
        self.supporters = Some(self.closure.supporters());
        self
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
        let letters = self.source.extend(&mut self.context, position);
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
        self.support(position);
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

    /// At a position nodes hold only if something demands them.
    fn support(&mut self, position: usize) {
        let Some(supporters) = &self.supporters else { return };
        for (node, supporters) in supporters.iter().enumerate() {
            let Some(Supporters { here, before }) = supporters else { continue };
            if position == 0 && node as NodeId == self.closure.root {
                continue;
            }
            let here = here.iter().map(|&by| self.nodes[position][by as usize]);
            let mut clause: Vec<Literal> = here.collect();
            if position > 0 {
                clause.extend(before.iter().map(|&by| self.nodes[position - 1][by as usize]));
            }
            clause.push(!self.nodes[position][node]);
            self.context.clause(&clause);
        }
    }

    /// At the end of a finite word nothing is requested of a next position.
    fn end_at(&mut self, position: usize, end: Literal) {
        for &request in &self.closure.requests {
            if self.closure.is_strong(request) && !self.context.has(Mistake::EndIgnoresRequests) {
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
        self.source.close(&mut self.context, position, Closing { start, inside, end });
        for (index, &request) in self.closure.requests.iter().enumerate() {
            let (meeting, target) = (self.meeting[index], self.closure.target(request));
            let served = [!start, !meeting, self.at(position, target)];
            let made = [!end, !self.at(position, request), meeting];
            if !self.context.has(Mistake::LoopIgnoresRequests) {
                self.context.clause(&served);
            }
            self.context.clause(&made);
        }
        for (index, &memory) in self.closure.memories.iter().enumerate() {
            let (remembered, target) = (self.remembered[index], self.closure.target(memory));
            let needed = [!start, !self.at(position, memory), remembered];
            let supported = [!end, !remembered, self.at(position, target)];
            self.context.clause(&needed);
            if !self.context.has(Mistake::LoopIgnoresMemories) {
                self.context.clause(&supported);
            }
        }
        for (index, promise) in self.closure.promises.iter().enumerate() {
            let (before, now) = (self.fulfilled[index], self.context.fresh());
            let pending = self.nodes[position][promise.request as usize];
            let fulfilled = self.nodes[position][promise.fulfilled as usize];
            if !self.context.has(Mistake::FulfilledBeforeLoop) {
                self.context.clause(&[!now, before, inside]);
            }
            self.context.clause(&[!now, before, fulfilled]);
            if !self.context.has(Mistake::LoopIgnoresPromises) {
                self.context.clause(&[!end, !pending, now]);
            }
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
            WordKind::Infinite => Word::from_letters(letters, self.loop_start()),
        }
    }

    /// The start of the loop in the last assignment.
    pub(super) fn loop_start(&self) -> Option<usize> {
        self.start.iter().position(|&start| self.context.value(start))
    }

    /// The first position whose letter has a proposition, by its index, in the last assignment.
    pub(super) fn first_with(&self, proposition: usize) -> Option<usize> {
        self.letters.iter().position(|letter| self.context.value(letter[proposition]))
    }

    fn letter(&self, literals: &[Literal]) -> Letter {
        let held = literals.iter().zip(&self.closure.propositions);
        held.filter(|&(&literal, _)| self.context.value(literal)).map(|(_, &p)| p).collect()
    }

    /// The answer of a search for a word, after its counters are reported.
    pub(super) fn answer(
        &self,
        found: Result<bool, Stop>,
        policy: WitnessPolicy,
        budget: &Budget,
        observer: &mut dyn Observer,
        witness: impl FnOnce(usize) -> Result<Option<Witness>, Stop>,
    ) -> Result<Answer, Stop> {
        self.context.tell(observer);
        observer.statistic("positions", self.len() as u64);
        match found? {
            true => Ok(nonempty(policy, budget, witness)),
            false => Ok(Answer::Empty(None)),
        }
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
            Demand::Previous { strong: true, .. }
                if is_first && !context.has(Mistake::PastBeforeFirst) =>
            {
                context.constant(false)
            }
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
