//! The steps of every question: it becomes a problem, one or several engines answer it within the
//! budget, and the outcome is shown.

use std::time::Duration;

use kermode::ltl::{Store, WordKind};
use kermode::solve::portfolio::{Decided, Entrant, SharedTally, Spent};
use kermode::solve::{
    Budget, InternalError, Limits, Query, Question, Statistics, Stop, Verdict, WitnessPolicy,
};

use crate::args::{Output, ShowWitness, Solving};
use crate::case::{Case, Subject};
use crate::deadline::{Before, Interrupts, in_time, or_end};
use crate::input::ReadError;
use crate::progress::Progress;
use crate::report::Reporter;
use crate::solver::Answerer;
use crate::status::Status;

/// One input and its outcome.
pub(crate) struct Outcome<'c> {
    pub(crate) question: Question,
    pub(crate) case: &'c Case,
    pub(crate) words: WordKind,
    /// The engine that answered.
    pub(crate) engine: String,
    /// The outcomes of the engines of a portfolio.
    pub(crate) entrants: Vec<Entrant>,
    pub(crate) result: Result<Verdict, InternalError>,
    /// Which formulas of a pair hold on the word that distinguishes them.
    pub(crate) sides: Option<[bool; 2]>,
    pub(crate) statistics: Statistics,
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
}

impl Outcome<'_> {
    fn status(&self) -> Status {
        match &self.result {
            Err(_) => Status::Internal,
            Ok(verdict) => match self.question.is_yes(verdict) {
                Some(true) => Status::Yes,
                Some(false) => Status::No,
                None => Status::Unknown,
            },
        }
    }

    /// The commands that ask the same question again, one per engine that is wrong.
    pub(crate) fn reproduce(&self, store: &Store) -> Vec<String> {
        let engines = match &self.result {
            Err(InternalError::Disagreement { nonempty, empty }) => {
                vec![nonempty, empty]
            }
            Err(InternalError::WitnessFails { engine, .. }) => vec![engine],
            _ => vec![&self.engine],
        };
        let arguments = self.case.arguments(store);
        engines.into_iter().map(|engine| self.question.command_line(engine, &arguments)).collect()
    }
}

/// The data that all inputs of one command share.
pub(crate) struct Session {
    question: Question,
    limits: Limits,
    policy: WitnessPolicy,
    interrupts: Interrupts,
    reporter: Reporter,
}

impl Session {
    /// Must be created before reading: from then on interrupts end the work, not the process.
    pub(crate) fn new(
        question: Question,
        solving: &Solving,
        output: Output,
    ) -> anyhow::Result<Session> {
        Ok(Session {
            question,
            limits: solving.budgeting.limits(),
            policy: WitnessPolicy {
                wanted: solving.witness != ShowWitness::None,
                limit: solving.witness_limit,
                time: solving.witness_time,
            },
            interrupts: Interrupts::new()?,
            reporter: Reporter::new(output, solving),
        })
    }

    /// The budget of one input, which starts now.
    pub(crate) fn budget(&self) -> Budget {
        self.interrupts.budget(self.limits)
    }

    /// Reads the input. If the budget ends first, prints that as the verdict and ends the process.
    pub(crate) fn read<T>(
        &self,
        budget: &Budget,
        work: impl FnOnce() -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let say = |stop: &Stop| {
            let case = Case::single(Vec::new(), Subject::Stopped(stop.clone()));
            self.reporter.stopped(self.question.command(), &case, stop)?;
            Ok(Status::Unknown)
        };
        or_end(budget, &self.interrupts, say, work)
    }

    /// Decides all cases. Returns their status together with the given one.
    pub(crate) fn decide_all<'c>(
        &self,
        answerer: &Answerer,
        cases: impl ExactSizeIterator<Item = (&'c Store, &'c Case)>,
        before: Status,
    ) -> anyhow::Result<Status> {
        let (mut status, count) = (before, cases.len());
        for (index, (store, case)) in cases.enumerate() {
            let before = Before { status, is_last: index + 1 == count };
            status = Status::of_all([status, self.decide(answerer, store, case, before)?]);
        }
        Ok(status)
    }

    /// Decides one case.
    fn decide(
        &self,
        answerer: &Answerer,
        store: &Store,
        case: &Case,
        before: Before,
    ) -> anyhow::Result<Status> {
        match &case.subject {
            Subject::Formulas { first, second, reading } => {
                let both = [*first, second.unwrap_or(*first)];
                let query =
                    Query::assuming(self.question, store, both, &case.assumptions, reading.words());
                self.ask(answerer, query, case, before)
            }
            Subject::Automata(difference) => {
                let query = Query::empty(store.clone(), difference.clone());
                self.ask(answerer, query, case, before)
            }
            Subject::Unreadable(error) => {
                self.reporter.unreadable(self.question.command(), case, error)?;
                Ok(Status::Bad)
            }
            Subject::Stopped(stop) => {
                self.reporter.stopped(self.question.command(), case, stop)?;
                Ok(Status::Unknown)
            }
        }
    }

    /// Asks for an answer and shows it; for two formulas also which of them hold on its word.
    fn ask(
        &self,
        answerer: &Answerer,
        query: Query,
        case: &Case,
        before: Before,
    ) -> anyhow::Result<Status> {
        let limits = case.left.unwrap_or(self.limits);
        let budget = self.interrupts.budget(limits);
        let query = query.with_witness(self.policy);
        let problem = &query.problem();
        let show = |decided: Decided| {
            let Decided { verdict, engine, statistics, entrants, worker_cpu } = decided;
            let result = verdict.map(|verdict| match verdict {
                Verdict::Nonempty(Err(reason)) => Verdict::Nonempty(Err(budget.explain(reason))),
                verdict => verdict,
            });
            let sides = result.as_ref().ok().and_then(|verdict| query.sides(verdict, &budget));
            let (wall, cpu) = (budget.elapsed(), budget.cpu_elapsed() + worker_cpu);
            let engine =
                engine.map_or_else(|| answerer.solver.to_string(), |engine| engine.to_string());
            let (question, words) = (self.question, problem.words());
            let outcome = Outcome {
                question,
                case,
                words,
                engine,
                entrants,
                result,
                sides,
                statistics,
                wall,
                cpu,
            };
            self.reporter.outcome(problem, &outcome)?;
            Ok(outcome.status())
        };
        let tally = SharedTally::default();
        let work = || answerer.decide(problem, &budget, &mut Progress::new(), &tally);
        let late = |stop| {
            let mut known = tally.take();
            let spent = Spent { wall: budget.elapsed(), cpu: budget.cpu_elapsed() };
            known.end_all(&stop, spent);
            let status = show(known.decided(Some(stop)))?;
            before.end_if_due(&self.interrupts, status);
            Ok(status)
        };
        match in_time(work, &budget, &self.interrupts, late) {
            Ok(answered) => show(answered),
            Err(shown) => shown,
        }
    }

    /// Shows a text whose errors leave nothing to decide.
    pub(crate) fn refuse(&self, error: Option<&ReadError>) -> anyhow::Result<Status> {
        self.reporter.refused(self.question.command(), error)?;
        Ok(Status::Bad)
    }
}
