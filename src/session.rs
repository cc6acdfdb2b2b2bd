//! The steps of every question: it becomes a problem, one or several engines answer it within the
//! budget, and the outcome is shown.

use std::path::Path;
use std::time::Duration;

use kermode::automata::Difference;
use kermode::certificate::Subject as About;
use kermode::ltl::{Store, WordKind};
use kermode::solve::certify::{certify_formula, formula_claim};
use kermode::solve::portfolio::{Decided, Entrant, SharedTally, Spent};
use kermode::solve::question::unknown;
use kermode::solve::{
    Budget, InternalError, Limits, Query, Question, Statistics, Stop, Verdict, WitnessPolicy,
};

use crate::args::{Output, ShowWitness, Solving};
use crate::case::{Case, Subject};
use crate::certificate::{CertificateFile, Certified};
use crate::deadline::{Before, Interrupts, in_time, or_end};
use crate::input::ReadError;
use crate::progress::Progress;
use crate::report::Reporter;
use crate::solver::Answerer;
use crate::status::Status;
use crate::verify::asked;

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
    /// What is known of the proof, if one is wanted and printed together with the verdict.
    pub(crate) certified: Option<Certified>,
}

impl Outcome<'_> {
    fn status(&self) -> Status {
        let status = match &self.result {
            Err(_) => Status::Internal,
            Ok(verdict) => match self.question.is_yes(verdict) {
                Some(true) => Status::Yes,
                Some(false) => Status::No,
                None => Status::Unknown,
            },
        };
        self.certified.as_ref().map_or(status, |certified| certified.status(status))
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
    /// Where proofs are written.
    certificate: Option<CertificateFile>,
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
            certificate: None,
        })
    }

    /// The same session, which also writes proofs that formulas are unsatisfiable.
    pub(crate) fn certifying(self, file: Option<&Path>) -> anyhow::Result<Session> {
        let certificate = file.map(|file| CertificateFile::create(file, About::Formula));
        Ok(Session { certificate: certificate.transpose()?, ..self })
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

    /// The budget of a case, of which reading may have used a part.
    pub(crate) fn budget_of(&self, case: &Case) -> Budget {
        self.interrupts.budget(case.left.unwrap_or(self.limits))
    }

    pub(crate) fn interrupts(&self) -> &Interrupts {
        &self.interrupts
    }

    /// Shows an input that could not be read, in its place among the others.
    pub(crate) fn unreadable(&self, case: &Case, error: &ReadError) -> anyhow::Result<Status> {
        self.reporter.unreadable(self.question.command(), case, error)?;
        Ok(Status::Bad)
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
                self.ask(answerer, vec![query], store, case, before)
            }
            Subject::Automata(differences) => {
                let query = |difference: &Difference| {
                    Query::of_automata(self.question, store.clone(), difference.clone())
                };
                self.ask(answerer, differences.iter().map(query).collect(), store, case, before)
            }
            Subject::Unreadable(error) => self.unreadable(case, error),
            Subject::Stopped(stop) => {
                self.reporter.stopped(self.question.command(), case, stop)?;
                Ok(Status::Unknown)
            }
        }
    }

    /// Asks until one of the queries has a word, and shows the answer; for two formulas or automata
    /// also on which side of the difference the word is.
    fn ask(
        &self,
        answerer: &Answerer,
        queries: Vec<Query>,
        store: &Store,
        case: &Case,
        before: Before,
    ) -> anyhow::Result<Status> {
        let budget = self.budget_of(case);
        let queries: Vec<Query> =
            queries.into_iter().map(|query| query.with_witness(self.policy)).collect();
        let show = |index: usize, decided: Decided, certified: Option<Certified>| {
            let Decided { verdict, engine, statistics, entrants, worker_cpu } = decided;
            let result = verdict.map(|verdict| match verdict {
                Verdict::Nonempty(Err(reason)) => Verdict::Nonempty(Err(budget.explain(reason))),
                verdict => verdict,
            });
            let (query, problem) = (&queries[index], queries[index].problem());
            let sides = match &result {
                Ok(Verdict::Nonempty(_)) if queries.len() == 2 => Some([index == 0, index == 1]),
                Ok(verdict) => query.sides(verdict, &budget),
                Err(_) => None,
            };
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
                certified,
            };
            self.reporter.outcome(&problem, &outcome)?;
            Ok(outcome.status())
        };
        let tally = SharedTally::default();
        let work = || decide_in_turn(answerer, &queries, &budget, &tally);
        let late = |stop| {
            let mut known = tally.take();
            let spent = Spent { wall: budget.elapsed(), cpu: budget.cpu_elapsed() };
            known.end_all(&stop, spent);
            let status = show(0, known.decided(Some(stop)), None)?;
            before.end_if_due(&self.interrupts, status);
            Ok(status)
        };
        let (index, answered) = match in_time(work, &budget, &self.interrupts, late) {
            Ok(answered) => answered,
            Err(shown) => return shown,
        };
        let (Some(file), Ok(Verdict::Empty(_))) = (&self.certificate, &answered.verdict) else {
            return show(index, answered, None);
        };
        // The verdict does not wait for the proof; in JSON both are in one object.
        let shown = match self.reporter.is_json() {
            true => None,
            false => Some(show(index, answered.clone(), None)?),
        };
        let finish = |certified: Certified| {
            file.add(Some(&certified))?;
            let Some(status) = shown else { return show(index, answered.clone(), Some(certified)) };
            self.reporter.certified(&certified)?;
            Ok(certified.status(status))
        };
        let late = |stop: Stop| {
            let status = finish(Certified::Not(unknown(&stop)))?;
            before.end_if_due(&self.interrupts, status);
            Ok(status)
        };
        let prove = || certified(store.clone(), case, &budget);
        match in_time(prove, &budget, &self.interrupts, late) {
            Ok(certified) => finish(certified),
            Err(shown) => shown,
        }
    }

    /// Shows a text whose errors leave nothing to decide.
    pub(crate) fn refuse(&self, error: Option<&ReadError>) -> anyhow::Result<Status> {
        self.reporter.refused(self.question.command(), error)?;
        Ok(Status::Bad)
    }
}

/// Searches for a proof that the formula of a case has no word.
fn certified(mut store: Store, case: &Case, budget: &Budget) -> Certified {
    let Subject::Formulas { reading, .. } = &case.subject else {
        return Certified::Not("there are no certificates for automata".to_owned());
    };
    let formula = asked(&mut store, case);
    let claim = formula.and_then(|formula| formula_claim(&store, formula, reading.words()));
    let (Some(formula), Some(claim)) = (formula, claim) else {
        return Certified::Not("the formula cannot be written".to_owned());
    };
    certify_formula((&store, formula), claim, budget, &mut Progress::new()).into()
}

/// Decides queries until one has a word or a bug shows. Otherwise the answer is that of the first
/// query that is not decided, or of the last.
fn decide_in_turn(
    answerer: &Answerer,
    queries: &[Query],
    budget: &Budget,
    tally: &SharedTally,
) -> (usize, Decided) {
    let mut undecided = None;
    for (index, query) in queries.iter().enumerate() {
        let decided = answerer.decide(&query.problem(), budget, &mut Progress::new(), tally);
        match decided.verdict {
            Ok(Verdict::Empty(_)) if index + 1 < queries.len() => {}
            Ok(Verdict::Empty(_)) => return undecided.unwrap_or((index, decided)),
            Ok(Verdict::Unknown(_)) => {
                undecided.get_or_insert((index, decided));
            }
            Ok(Verdict::Nonempty(_)) | Err(_) => return (index, decided),
        }
    }
    undecided.expect("there is a query, and the last one returns unless it is not decided")
}
