//! `events:network`: decides formulas about the order of events and the distances between them. The
//! times of events are unknown and constrained by bounds on their differences \[DMP91\].
//!
//! The bounds of operators stay numbers, so the running time does not depend on them. The engine
//! refutes chains of deadlines and finds words with a few events among millions of positions. Two
//! searches share the [`Branch`]:
//!
//! - *Refutation.* Each wanted event gets a point of its own, and chains of points have limited
//!   length. These demands are weaker than the formula. So the formula is unsatisfiable if all
//!   branches close.
//! - *Search.* Wanted events may share a point. A branch without open demands describes a word with
//!   the events at their earliest times and no others. This word need not satisfy the formula: the
//!   branch has no demands between events, and two points may have the same time. The word is
//!   therefore checked by the semantics. If it is too long to build, the demands of the branch are
//!   checked instead.
//!
//! The engine gives up on formulas that neither search decides.

mod branch;
mod distances;

use kermode_ltl::normal::negation_normal_form;
use kermode_ltl::rewrite::RuleSet;
use kermode_ltl::semantics::{satisfies, unrolled_length};
use kermode_ltl::{Formula, Letter, Node, Proposition, Store, Word, WordKind};

use self::branch::{Branch, Limits};
use crate::frame::answer::{Answer, LeftOut};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::prepare::{RULES, any_word, preprocessed, restored};
use crate::frame::problem::Problem;

pub(crate) const NETWORK: EngineInfo = EngineInfo {
    name: "events:network",
    summary: "events at unknown times with bounds on their differences; refutes chains of deadlines, finds words with few events",
    paper: "DMP91",
    accepts: Accepts { unbounded: false, complete: false, ..Accepts::FORMULAS },
    options: &[&RULES],
    alias: None,
    build: |options| Ok(Box::new(Network { rules: options.get(&RULES)? })),
};

/// The engine rejects larger formulas.
const MOST_SUBFORMULAS: usize = 2_000;
/// The largest number of branches of one search.
const MOST_BRANCHES: usize = 1_000;
/// Words that past operators unroll to more positions are not judged by the plain semantics.
const MOST_POSITIONS: usize = 4_000_000;

/// The limits of each search.
const REFUTATION: Limits = Limits { own_points: true, points: 64, depth: 5 };
const SEARCH: Limits = Limits { own_points: false, points: 64, depth: 24 };

struct Network {
    rules: RuleSet,
}

impl Engine for Network {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let (mut store, left, words) = preprocessed(problem, &self.rules, budget)?;
        let longest = problem.witness.limit;
        let mut attempt = Attempt { words, longest, budget, looked_at: 0 };
        let found = attempt.parts(&mut store, &left.parts);
        observer.statistic("branches", attempt.looked_at as u64);
        match found? {
            None => Ok(Answer::Empty(None)),
            Some(found) => match found.into_iter().collect::<Option<Vec<Word>>>() {
                Some(found) => Ok(restored(&left, &store, &found, problem.witness, budget)),
                None => Ok(Answer::Nonempty(Err(LeftOut::NotMade { limit: longest }))),
            },
        }
    }
}

struct Attempt<'b> {
    words: WordKind,
    /// The greatest length of a word that is built.
    longest: usize,
    budget: &'b Budget,
    looked_at: usize,
}

impl Attempt<'_> {
    /// One word per part, `None` for a word that is too long. The outer `None` means that some part
    /// is unsatisfiable.
    fn parts(
        &mut self,
        store: &mut Store,
        parts: &[Formula],
    ) -> Result<Option<Vec<Option<Word>>>, Stop> {
        let mut normal = Vec::with_capacity(parts.len());
        for &part in parts {
            let size = store.subformulas(part).len();
            if size > MOST_SUBFORMULAS {
                let message = format!("more than {MOST_SUBFORMULAS} distinct subformulas");
                return Err(Stop::Limit(message));
            }
            normal.push(negation_normal_form(store, part, self.words));
        }
        for &part in &normal {
            if self.is_refuted(store, part)? {
                return Ok(None);
            }
        }
        let word = |part| self.word(store, part);
        normal.into_iter().map(word).collect::<Result<Vec<_>, Stop>>().map(Some)
    }

    fn is_refuted(&mut self, store: &mut Store, part: Formula) -> Result<bool, Stop> {
        let mut stack = vec![Branch::new(part)];
        for _ in 0..MOST_BRANCHES {
            let Some(mut branch) = stack.pop() else { return Ok(true) };
            self.look()?;
            if branch.propagate(store, REFUTATION).is_err() {
                continue;
            }
            match branch.choice(store) {
                Some(choice) => stack.extend(branch.branches(store, choice, REFUTATION)),
                None => return Ok(false),
            }
        }
        Ok(false)
    }

    /// A word that satisfies a part; `None` if the word is too long.
    fn word(&mut self, store: &mut Store, part: Formula) -> Result<Option<Word>, Stop> {
        if store.node(part) == Node::Constant(true) {
            return Ok(Some(any_word(self.words)));
        }
        let mut stack = vec![Branch::new(part)];
        for _ in 0..MOST_BRANCHES {
            let Some(mut branch) = stack.pop() else { break };
            self.look()?;
            if branch.propagate(store, SEARCH).is_err() || branch.incomplete {
                continue;
            }
            if let Some(choice) = branch.choice(store) {
                stack.extend(branch.branches(store, choice, SEARCH));
                continue;
            }
            let word = self.read_off(&store.propositions(part), &branch);
            let budget = self.budget;
            let judged = match &word {
                Some(word) if unrolled_length(store, part, word) <= MOST_POSITIONS => {
                    satisfies(store, part, word, &mut || budget.check())?
                }
                _ => branch.is_model(store),
            };
            if judged {
                return Ok(word);
            }
        }
        Err(Stop::Limit("the event network does not decide it".to_owned()))
    }

    fn look(&mut self) -> Result<(), Stop> {
        self.looked_at += 1;
        self.budget.check()
    }

    /// The word with the events of a branch at their earliest times; `None` if it is too long.
    fn read_off(&self, propositions: &[Proposition], branch: &Branch) -> Option<Word> {
        let last = branch.times().max().and_then(|last| usize::try_from(last).ok())?;
        if last >= self.longest {
            return None;
        }
        let mut held = vec![Vec::new(); last + 1];
        for (point, time) in branch.points.iter().zip(branch.times()) {
            let holds = |p: &&Proposition| point.holds.contains(p.index());
            held[time as usize].extend(propositions.iter().filter(holds));
        }
        let mut letters: Vec<Letter> =
            held.into_iter().map(|propositions| propositions.into_iter().collect()).collect();
        Some(match self.words {
            WordKind::Finite => Word::finite(letters),
            WordKind::Infinite => {
                letters.push(Letter::default());
                Word::from_letters(letters, Some(last + 1))
            }
        })
    }
}
