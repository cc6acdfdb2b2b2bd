//! `sat:tableau`: a tree-shaped tableau with the rule PRUNE \[Rey16\], whose branches a SAT solver
//! searches \[GGM19\].
//!
//! The formula is unrolled as for `sat:bmc`, and nodes hold only where something demands them. This
//! leaves few states, which matters because states are compared. A *state* is the set of requests
//! at a position and of the values that memories at the next position refer to. If the search has
//! not found a word that ends at the last position, it excludes branches that make no progress:
//!
//! - On infinite words a state that occurs three times is useless if between the second and the
//!   third time no pending promise is fulfilled that was not fulfilled between the first and the
//!   second.
//! - On finite words a state is useless if an earlier one requested no more and offered no less.
//!
//! If no branch is left, there is no word. A word that exists has a branch that is never excluded,
//! and there are finitely many states, so the search ends.

use kermode_ltl::WordKind;
use kermode_ltl::rewrite::RuleSet;
use kermode_sat::Literal;

use super::closure::Closure;
use super::context::SatContext;
use super::mistakes::Mistake;
use super::unrolling::{AllLetters, Letters, Unrolling};
use crate::frame::answer::{Answer, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::prepare::{RULES, solve_parts_with_past};
use crate::frame::problem::{Problem, WitnessPolicy};
use crate::frame::witness::nonempty;

pub(crate) const TABLEAU: EngineInfo = EngineInfo {
    summary: "a tableau unrolled by a SAT solver, which prunes branches without progress",
    paper: "GGM19",
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
        solve_parts_with_past(problem, &self.rules, budget, &mut |store, formula, words, budget| {
            let closure = Closure::of(store, formula, words);
            let letters = AllLetters(closure.propositions.len());
            let context = SatContext::new(budget);
            let unrolling = Unrolling::new(&closure, letters, words, context).supported();
            let mut branches = Branches::new(unrolling, budget);
            let answer = branches.search(words, problem.witness, observer);
            branches.unrolling.context.tell(observer);
            observer.statistic("positions", branches.unrolling.len() as u64);
            answer
        })
    }
}

/// The branches of the tableau that are not excluded.
struct Branches<'c, 'b, L> {
    unrolling: Unrolling<'c, 'b, L>,
    budget: &'b Budget,
    /// The literals of the state at each position.
    states: Vec<State>,
    /// `fulfilled[j][i][p]`: promise `p` is fulfilled after position `i`, up to position `j`.
    fulfilled: Vec<Vec<Vec<Literal>>>,
    /// `differs[j][i]` implies that the states at positions `j` and `i` differ.
    differs: Vec<Vec<Literal>>,
}

/// A state: the more requests it has the harder it is, the more values it offers the easier.
struct State {
    requests: Vec<Literal>,
    values: Vec<Literal>,
}

impl<'c, 'b, L: Letters> Branches<'c, 'b, L> {
    fn new(unrolling: Unrolling<'c, 'b, L>, budget: &'b Budget) -> Self {
        let (states, fulfilled, differs) = (Vec::new(), Vec::new(), Vec::new());
        Branches { unrolling, budget, states, fulfilled, differs }
    }

    fn search(
        &mut self,
        words: WordKind,
        witness: WitnessPolicy,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        loop {
            self.budget.check()?;
            observer.progress(&|| format!("{} positions", self.unrolling.len() + 1));
            let end = self.unrolling.extend();
            if self.unrolling.query(&[end])? {
                let word = || Ok(Some(Witness::Word(self.unrolling.word())));
                return Ok(nonempty(witness, self.budget, |_| word()));
            }
            if self.unrolling.context.core().is_empty() {
                return Ok(Answer::Empty(None));
            }
            self.remember();
            match words {
                WordKind::Finite => self.prune_harder()?,
                WordKind::Infinite => self.prune_repeated()?,
            }
            if !self.unrolling.query(&[])? {
                return Ok(Answer::Empty(None));
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
        self.states.push(State { requests, values });
    }

    /// The last state has fewer requests or offers more values than each earlier one.
    fn prune_harder(&mut self) -> Result<(), Stop> {
        let last = self.states.len() - 1;
        for earlier in 0..last {
            self.budget.check()?;
            let [before, now] = [&self.states[earlier], &self.states[last]];
            let fewer = before.requests.iter().copied().zip(now.requests.iter().map(|&r| !r));
            let forgets = self.unrolling.context.has(Mistake::PruneIgnoresMemories);
            let values = before.values.iter().filter(|_| !forgets);
            let more = values.map(|&v| !v).zip(now.values.iter().copied());
            let pairs: Vec<(Literal, Literal)> = fewer.chain(more).collect();
            let context = &mut self.unrolling.context;
            let mut differs = Vec::with_capacity(pairs.len());
            for (one, other) in pairs {
                let both = context.fresh();
                context.clause(&[!both, one]);
                context.clause(&[!both, other]);
                differs.push(both);
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
                let forgets = self.unrolling.context.has(Mistake::PruneIgnoresProgress);
                let both = new.into_iter().zip(old).enumerate().filter(|_| !forgets);
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

    /// For each promise, whether it is fulfilled after the earlier position, up to the last one.
    fn fulfilled_since(&mut self, earlier: usize) -> Vec<Literal> {
        let last = self.states.len() - 1;
        let unrolling = &mut self.unrolling;
        let promises = unrolling.closure.promises.iter().enumerate();
        promises
            .map(|(index, promise)| {
                let now = unrolling.at(last, promise.fulfilled);
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
        let both = |state: &State| -> Vec<Literal> {
            state.requests.iter().chain(&state.values).copied().collect()
        };
        let pairs: Vec<_> = both(before).into_iter().zip(both(now)).collect();
        let context = &mut self.unrolling.context;
        let differs = context.fresh();
        let mut clause = vec![!differs];
        for (one, other) in pairs {
            let here = context.fresh();
            context.clause(&[!here, one, other]);
            context.clause(&[!here, !one, !other]);
            clause.push(here);
        }
        context.clause(&clause);
        differs
    }

    /// A literal that implies that a promise is pending at the last position and was fulfilled in
    /// the new interval, but not in the old one.
    fn progress(&mut self, promise: usize, new: Literal, old: Literal) -> Literal {
        let request = self.unrolling.closure.promises[promise].request;
        let pending = self.unrolling.at(self.states.len() - 1, request);
        let context = &mut self.unrolling.context;
        let progress = context.fresh();
        context.clause(&[!progress, pending]);
        context.clause(&[!progress, new]);
        context.clause(&[!progress, !old]);
        progress
    }
}
