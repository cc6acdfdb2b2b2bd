//! `sat:tableau`: a tree-shaped tableau with the rule PRUNE \[Rey16\], whose branches a SAT solver
//! searches \[GGM19\].
//!
//! The formula is unrolled as for `sat:bmc`, and nodes hold only where something demands them. This
//! leaves few states, which matters because states are compared. A *state* is the set of requests
//! at a position and of the values that memories at the next position refer to. Over a model, the
//! state of the model after the position belongs to it. If the search has not found a word that
//! ends at the last position, it excludes branches that make no progress:
//!
//! - On infinite words a state that occurs three times is useless if between the second and the
//!   third time no pending promise is fulfilled that was not fulfilled between the first and the
//!   second. The justice constraints of a model are promises that are always pending.
//! - On finite words a state is useless if an earlier one requested no more and offered no less,
//!   with the same state of the model.
//!
//! If no branch is left, there is no word. A word that exists has a branch that is never excluded.
//! A state occurs at most as often as there are promises, and twice more, because from one time to
//! the next more promises have been fulfilled since the first. There are finitely many states, so
//! the search ends.

use kermode_ltl::WordKind;
use kermode_ltl::rewrite::RuleSet;
use kermode_sat::Literal;

use super::closure::Closure;
use super::context::SatContext;
use super::mistakes::Mistake;
use super::paths::PathQuestion;
use super::unrolling::{AllLetters, Letters, Unrolling};
use crate::frame::answer::{Answer, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::prepare::{RULES, solve_parts_with_past};
use crate::frame::problem::{Problem, WitnessPolicy};

pub(crate) const TABLEAU: EngineInfo = EngineInfo {
    summary: "a tableau unrolled by a SAT solver, which prunes branches without progress",
    paper: "GGM19",
    accepts: Accepts { models: true, targets: true, ..Accepts::FORMULAS },
    options: &[&RULES],
    ..EngineInfo::new("sat:tableau", |options| {
        Ok(Box::new(TableauSearch { rules: options.get(&RULES)? }))
    })
};

struct TableauSearch {
    rules: RuleSet,
}

impl Engine for TableauSearch {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let policy = problem.witness;
        if let Some(question) = PathQuestion::of(problem, &self.rules, budget)? {
            let PathQuestion { closure, words, .. } = &question;
            let branches = Branches::new(closure, question.letters(), *words, budget);
            return branches.answer(policy, observer, |found, longest| {
                question.witness(found, longest, budget)
            });
        }
        solve_parts_with_past(problem, &self.rules, budget, &mut |store, formula, words, budget| {
            let closure = Closure::of(store, formula, words);
            let letters = AllLetters(closure.propositions.len());
            let branches = Branches::new(&closure, letters, words, budget);
            branches.answer(policy, observer, |found, _| Ok(Some(Witness::Word(found.word()))))
        })
    }
}

/// The branches of the tableau that are not excluded.
struct Branches<'c, 'b, L> {
    unrolling: Unrolling<'c, 'b, L>,
    words: WordKind,
    budget: &'b Budget,
    /// The literals of the state at each position.
    states: Vec<State>,
    /// `fulfilled[j][i][p]`: promise `p` is fulfilled after position `i`, up to position `j`. The
    /// promises of the formula come first, then the justice constraints.
    fulfilled: Vec<Vec<Vec<Literal>>>,
    /// `differs[j][i]` implies that the states at positions `j` and `i` differ.
    differs: Vec<Vec<Literal>>,
}

/// A state: the more requests it has the harder it is, the more values it offers the easier.
struct State {
    requests: Vec<Literal>,
    values: Vec<Literal>,
    /// The state of the model.
    model: Vec<Literal>,
}

impl<'c, 'b, L: Letters> Branches<'c, 'b, L> {
    fn new(closure: &'c Closure, letters: L, words: WordKind, budget: &'b Budget) -> Self {
        let context = SatContext::new(budget);
        let unrolling = Unrolling::new(closure, letters, words, context).supported();
        let (states, fulfilled, differs) = (Vec::new(), Vec::new(), Vec::new());
        Branches { unrolling, words, budget, states, fulfilled, differs }
    }

    /// Whether there is a word. The witness is made of the unrolling, with a limit on its length.
    fn answer(
        mut self,
        policy: WitnessPolicy,
        observer: &mut dyn Observer,
        witness: impl FnOnce(&Unrolling<L>, usize) -> Result<Option<Witness>, Stop>,
    ) -> Result<Answer, Stop> {
        let found = self.search(observer);
        let unrolling = &self.unrolling;
        unrolling
            .answer(found, policy, self.budget, observer, |longest| witness(unrolling, longest))
    }

    /// Whether there is a word.
    fn search(&mut self, observer: &mut dyn Observer) -> Result<bool, Stop> {
        loop {
            self.budget.check()?;
            observer.progress(&|| format!("{} positions", self.unrolling.len() + 1));
            let end = self.unrolling.extend();
            if self.unrolling.query(&[end])? {
                return Ok(true);
            }
            if self.unrolling.context.core().is_empty() {
                return Ok(false);
            }
            self.remember();
            match self.words {
                WordKind::Finite => self.prune_harder()?,
                WordKind::Infinite => self.prune_repeated()?,
            }
            if !self.unrolling.query(&[])? {
                return Ok(false);
            }
        }
    }

    /// Records the state of the last position.
    fn remember(&mut self) {
        let (unrolling, last) = (&self.unrolling, self.unrolling.len() - 1);
        let closure = unrolling.closure;
        let requests = closure.requests.iter().map(|&node| unrolling.at(last, node)).collect();
        let values = closure.memories.iter();
        let values = values.map(|&node| unrolling.at(last, closure.target(node))).collect();
        let model = match unrolling.context.has(Mistake::PruneIgnoresModel) {
            true => Vec::new(),
            false => unrolling.source.state(),
        };
        self.states.push(State { requests, values, model });
    }

    /// The last state has fewer requests or offers more values than each earlier one with the same
    /// state of the model.
    fn prune_harder(&mut self) -> Result<(), Stop> {
        let last = self.states.len() - 1;
        for earlier in 0..last {
            self.budget.check()?;
            let [before, now] = [&self.states[earlier], &self.states[last]];
            let fewer = before.requests.iter().copied().zip(now.requests.iter().map(|&r| !r));
            let forgets = self.unrolling.context.has(Mistake::PruneIgnoresMemories);
            let values = before.values.iter().filter(|_| !forgets);
            let more = values.map(|&v| !v).zip(now.values.iter().copied());
            let context = &mut self.unrolling.context;
            let mut differs = Vec::new();
            for (one, other) in fewer.chain(more) {
                let both = context.fresh();
                context.clause(&[!both, one]);
                context.clause(&[!both, other]);
                differs.push(both);
            }
            for (&one, &other) in before.model.iter().zip(&now.model) {
                differs.push(unequal(context, one, other));
            }
            context.clause(&differs);
        }
        Ok(())
    }

    /// The last state does not repeat two earlier ones without progress.
    fn prune_repeated(&mut self) -> Result<(), Stop> {
        let last = self.states.len() - 1;
        let (mut fulfilled, mut differs) = (Vec::new(), Vec::new());
        for earlier in 0..last {
            self.budget.check()?;
            fulfilled.push(self.fulfilled_since(earlier));
            differs.push(self.differs_from(earlier));
        }
        for middle in 1..last {
            for first in 0..middle {
                self.budget.check()?;
                let mut clause = vec![self.differs[middle][first], differs[middle]];
                let new = fulfilled[middle].clone();
                let old = self.fulfilled[middle][first].clone();
                let both = new.into_iter().zip(old).enumerate().take(self.counted_promises());
                for (index, (new, old)) in both {
                    clause.push(self.progress(index, new, old));
                }
                self.unrolling.context.clause(&clause);
            }
        }
        self.fulfilled.push(fulfilled);
        self.differs.push(differs);
        Ok(())
    }

    /// How many promises count as progress: all, unless a mistake is planted.
    fn counted_promises(&self) -> usize {
        let Unrolling { context, closure, .. } = &self.unrolling;
        if context.has(Mistake::PruneIgnoresProgress) {
            0
        } else if context.has(Mistake::PruneIgnoresJustice) {
            closure.promises.len()
        } else {
            usize::MAX
        }
    }

    /// For each promise, whether it is fulfilled after the earlier position, up to the last one.
    fn fulfilled_since(&mut self, earlier: usize) -> Vec<Literal> {
        let last = self.states.len() - 1;
        let unrolling = &mut self.unrolling;
        let promises = unrolling.closure.promises.iter();
        let promises = promises.map(|promise| unrolling.at(last, promise.fulfilled));
        let all: Vec<Literal> = promises.chain(unrolling.source.justice().to_vec()).collect();
        let all = all.into_iter().enumerate();
        all.map(|(index, now)| {
            let Some(&before) =
                self.fulfilled[last - 1].get(earlier).and_then(|row| row.get(index))
            else {
                return now;
            };
            let either = unrolling.context.fresh();
            unrolling.context.clause(&[!either, before, now]);
            unrolling.context.clause(&[either, !before]);
            unrolling.context.clause(&[either, !now]);
            either
        })
        .collect()
    }

    /// A literal that implies that the last state is not the earlier one.
    fn differs_from(&mut self, earlier: usize) -> Literal {
        let [before, now] = [&self.states[earlier], &self.states[self.states.len() - 1]];
        let context = &mut self.unrolling.context;
        let differs = context.fresh();
        let mut clause = vec![!differs];
        for (one, other) in before.literals().zip(now.literals()) {
            clause.push(unequal(context, one, other));
        }
        context.clause(&clause);
        differs
    }

    /// A literal that implies that a promise is pending at the last position and was fulfilled in
    /// the new interval, but not in the old one.
    fn progress(&mut self, promise: usize, new: Literal, old: Literal) -> Literal {
        let unrolling = &mut self.unrolling;
        let last = self.states.len() - 1;
        let promise = unrolling.closure.promises.get(promise);
        let pending = promise.map(|promise| unrolling.at(last, promise.request));
        let context = &mut unrolling.context;
        let progress = context.fresh();
        // Justice is always pending.
        if let Some(pending) = pending {
            context.clause(&[!progress, pending]);
        }
        context.clause(&[!progress, new]);
        context.clause(&[!progress, !old]);
        progress
    }
}

impl State {
    fn literals(&self) -> impl Iterator<Item = Literal> {
        self.requests.iter().chain(&self.values).chain(&self.model).copied()
    }
}

/// A literal that implies that two others have different values.
fn unequal(context: &mut SatContext, one: Literal, other: Literal) -> Literal {
    let differs = context.fresh();
    context.clause(&[!differs, one, other]);
    context.clause(&[!differs, !one, !other]);
    differs
}
