//! Several engines on one problem, which is what questions are answered by unless an engine is named.
//!
//! The engines that the schedule has first are tried in this process, one after the other: most problems are easy, and are
//! decided before another process would have begun. The others race in processes of their own (`race`, `runners`), since an engine that
//! crashes, takes too much memory or does not stop must not take the answer of another with it. A problem that
//! cannot be written down for them is left to threads. `worker` is the process, `process` what its parent knows
//! of it, `question` what they tell each other, and `board` what is known while an engine is at work here.

mod board;
mod process;
mod question;
mod race;
mod runners;
pub(crate) mod worker;

use std::time::Duration;

use kermode::solve::portfolio::{Decided, Schedule, Turn, agreement, in_steps, on_threads};
use kermode::solve::{
    Budget, EngineSpec, InternalError, LeftOut, Problem, Statistics, Stop, Verdict, Witness,
    WitnessPolicy, decide,
};

use crate::progress::Progress;
pub(crate) use board::Board;
use question::Written;
use race::{Race, Rules};

/// How the engines of a schedule are run.
#[derive(Clone, Debug)]
pub(crate) struct Portfolio {
    pub(crate) schedule: Schedule,
    /// How many run at a time.
    pub(crate) jobs: usize,
    /// Whether all are waited for.
    pub(crate) all: bool,
    /// Whether steps are counted and not time.
    pub(crate) deterministic: bool,
}

/// What became of a problem, and of all who tried.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) result: Result<Verdict, InternalError>,
    /// Whose answer it is.
    pub(crate) engine: Option<EngineSpec>,
    pub(crate) statistics: Statistics,
    pub(crate) entrants: Vec<Entrant>,
    /// CPU time of other processes.
    pub(crate) cpu: Duration,
}

/// How it went with an engine.
#[derive(Clone, Debug)]
pub(crate) struct Entrant {
    pub(crate) engine: EngineSpec,
    pub(crate) end: End,
    /// When, since the problem was asked.
    pub(crate) wall: Duration,
    /// What it used.
    pub(crate) cpu: Duration,
}

#[derive(Clone, Debug)]
pub(crate) enum End {
    /// It answered that there is a word, or that there is none.
    Answered(bool),
    /// It gave up.
    Stopped(Stop),
    /// It broke, and how.
    Failed(String),
    /// It was ended since nobody waited for it any more, or by the budget, and why that had ended.
    Ended(Option<Stop>),
}

impl Answered {
    pub(crate) fn nothing() -> Answered {
        let result = Ok(Verdict::Unknown(Stop::Timeout));
        let (statistics, entrants) = (Statistics::default(), Vec::new());
        Answered { result, engine: None, statistics, entrants, cpu: Duration::ZERO }
    }

    fn decided(&mut self, engine: EngineSpec, verdict: Verdict, statistics: Statistics) {
        (self.engine, self.result, self.statistics) = (Some(engine), Ok(verdict), statistics);
    }

    /// The verdict, if there is one, and whose it is.
    fn answer(&self) -> Option<(&EngineSpec, &Verdict)> {
        Some((self.engine.as_ref()?, self.result.as_ref().ok()?))
    }

    /// Takes down another answer, which must agree with the first; that counts unless it lacks its word.
    fn hear(&mut self, engine: EngineSpec, verdict: Verdict, statistics: Statistics) {
        let agreed = self.answer().map_or(Ok(()), |known| agreement(known, (&engine, &verdict)));
        match agreed {
            Err(error) => self.result = Err(error),
            Ok(()) => self.decided(engine, verdict, statistics),
        }
    }

    /// Takes down why there is no answer, unless there is one.
    fn give_up(&mut self, stop: Stop) {
        if self.engine.is_none() {
            self.result = Ok(Verdict::Unknown(stop));
        }
    }

    /// Whether nothing is left to be found: a word for which a slice was too short may still be.
    fn is_settled(&self) -> bool {
        let stopped = Witness::LeftOut(LeftOut::Stopped(Stop::Timeout));
        let left_out = self.answer().is_some_and(|(_, v)| *v == Verdict::Satisfiable(stopped));
        self.result.is_err() || (self.engine.is_some() && !left_out)
    }

    fn of_threads(decided: Result<Decided, InternalError>, budget: &Budget) -> Answered {
        let mut answered = Answered::nothing();
        match decided {
            Err(error) => answered.result = Err(error),
            Ok(Decided { verdict, engine, statistics, failures }) => {
                let (wall, cpu) = (budget.elapsed(), Duration::ZERO);
                let failed = |(engine, error): (EngineSpec, InternalError)| Entrant {
                    engine,
                    end: End::Failed(error.to_string()),
                    wall,
                    cpu,
                };
                answered.entrants = failures.into_iter().map(failed).collect();
                if let Some(engine) = &engine {
                    let end = End::Answered(matches!(verdict, Verdict::Satisfiable(_)));
                    let cpu = budget.cpu_elapsed();
                    answered.entrants.push(Entrant { engine: engine.clone(), end, wall, cpu });
                }
                (answered.engine, answered.statistics) = (engine, statistics);
                answered.result = Ok(verdict);
            }
        }
        answered
    }
}

impl Portfolio {
    /// Decides a problem.
    pub(crate) fn decide(
        &self,
        problem: &Problem,
        policy: WitnessPolicy,
        budget: &Budget,
        progress: &mut Progress,
        board: &Board,
    ) -> Answered {
        if self.deterministic {
            return Answered::of_threads(in_steps(problem, &self.schedule, policy, budget), budget);
        }
        let mut answered = Answered::nothing();
        if !self.all {
            self.try_first(problem, policy, budget, progress, board, &mut answered);
            if answered.is_settled() {
                return answered;
            }
        }
        self.race(problem, policy, budget, progress, answered)
    }

    /// Tries those that come first.
    fn try_first(
        &self,
        problem: &Problem,
        policy: WitnessPolicy,
        budget: &Budget,
        progress: &mut Progress,
        board: &Board,
        answered: &mut Answered,
    ) {
        for Turn { slice, engine } in &self.schedule.first {
            let part = budget.slice(*slice);
            board.begin(engine, budget);
            let result = decide(problem, engine, policy, &part, progress);
            let end = match result {
                Err(error @ InternalError::Panic { .. }) => End::Failed(error.to_string()),
                Err(error) => {
                    answered.result = Err(error);
                    return;
                }
                Ok(Verdict::Unknown(stop)) => {
                    answered.give_up(stop.clone());
                    End::Stopped(stop)
                }
                Ok(verdict) => {
                    let end = End::Answered(matches!(verdict, Verdict::Satisfiable(_)));
                    let statistics = std::mem::take(&mut progress.statistics);
                    answered.decided(engine.clone(), verdict, statistics);
                    end
                }
            };
            let (wall, cpu) = (budget.elapsed(), part.cpu_elapsed());
            let entrant = Entrant { engine: engine.clone(), end, wall, cpu };
            board.end(&entrant);
            answered.entrants.push(entrant);
            if answered.is_settled() || budget.check().is_err() {
                return;
            }
        }
    }

    /// Lets the others race, in processes if the problem can be written down.
    fn race(
        &self,
        problem: &Problem,
        policy: WitnessPolicy,
        budget: &Budget,
        progress: &mut Progress,
        known: Answered,
    ) -> Answered {
        let turns = self.turns();
        if turns.is_empty() {
            return known;
        }
        let written = Written::of(problem).and_then(|written| Ok(serde_json::to_string(&written)?));
        let Ok(question) = written else {
            let schedule = Schedule { first: Vec::new(), turns };
            let decided = on_threads(problem, &schedule, policy, self.jobs, budget);
            let answered = Answered::of_threads(decided, budget);
            return if answered.is_settled() { answered } else { known };
        };
        let rules = Rules { policy, jobs: self.jobs, all: self.all };
        let race = Race::new(problem, &question, turns, rules, budget);
        race.run(progress, known).unwrap_or_else(|error| {
            let stop = Stop::Limit(format!("processes: {error}"));
            Answered { result: Ok(Verdict::Unknown(stop)), ..Answered::nothing() }
        })
    }

    /// The engines that race; where all are waited for, also those that come first otherwise.
    fn turns(&self) -> Vec<Turn> {
        let mut turns = self.schedule.turns.clone();
        if self.all {
            let names: Vec<String> = turns.iter().map(|turn| turn.engine.to_string()).collect();
            let others = self.schedule.first.iter();
            turns.extend(others.filter(|turn| !names.contains(&turn.engine.to_string())).cloned());
        }
        turns
    }
}
