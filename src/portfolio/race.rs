//! The race: workers take turns on some processors until one of them has a sound answer.
//!
//! As many workers run at the same time as there are jobs. If there are more workers, one that has
//! used up its slice of CPU time is suspended and waits for its next turn, which is twice as long.
//! A suspended worker loses none of its results. The first answer ends all other workers; its word
//! is replayed here first. When the budget ends, the workers get a signal and a short time to
//! report that there is a word, in case they know it and were still building the word.
//!
//! The limits on CPU time and memory apply to all processes together. If they take too much memory,
//! the largest worker is killed and the others continue.

use std::io;
use std::time::{Duration, Instant};

use kermode::solve::portfolio::{End, Entrant, SharedTally, Spent, Turn};
use kermode::solve::{
    Answer, Budget, EngineSpec, LeftOut, Observer, Problem, Statistics, Stop, judge, processes,
};
use rustix::process::getpid;

use super::process::{Ended, Process};
use super::runners::{Runners, Waiting};

/// The time between two checks of limits.
const LOOK: Duration = Duration::from_millis(10);
/// The time that workers have for their report after the end of the budget.
const GRACE: Duration = Duration::from_millis(200);

/// The largest ratio of wall-clock time to slice for one turn.
const MOST_STRETCH: u32 = 10;

/// A running race.
pub(super) struct Race<'r> {
    problem: &'r Problem<'r>,
    budget: &'r Budget,
    question: &'r str,
    jobs: usize,
    /// Whether to wait for all workers instead of the first answer.
    all: bool,
    runners: Runners,
    /// The ratio of wall-clock time to slice after which a turn ends.
    stretch: u32,
    /// The time of the last check of the processes.
    looked: Option<Instant>,
    tally: &'r SharedTally,
    /// Whether an engine of this race has answered.
    answered: bool,
}

/// The data that all races of a command share.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    pub(super) jobs: usize,
    pub(super) all: bool,
}

impl<'r> Race<'r> {
    /// A race that adds to the given tally.
    pub(super) fn new(
        problem: &'r Problem<'r>,
        question: &'r str,
        turns: Vec<Turn>,
        Rules { jobs, all }: Rules,
        budget: &'r Budget,
        tally: &'r SharedTally,
    ) -> Self {
        let stretch = stretch(&turns, jobs, budget);
        let (runners, looked, answered) = (Runners::new(turns), None, false);
        Race { problem, budget, question, jobs, all, runners, stretch, looked, tally, answered }
    }

    /// Runs the race. Returns the stop if the budget has ended.
    pub(super) fn run(mut self, progress: &mut dyn Observer) -> io::Result<Option<Stop>> {
        let over = self.until_settled(progress);
        let reason = over.as_ref().ok().filter(|_| !self.is_decided()).cloned();
        self.end_all(reason.flatten())?;
        over
    }

    /// Continues until the race is decided or no worker is left. Returns the stop if the budget has
    /// ended.
    fn until_settled(&mut self, progress: &mut dyn Observer) -> io::Result<Option<Stop>> {
        loop {
            if let Err(stop) = self.check() {
                self.wind_up(&stop)?;
                return Ok(Some(stop));
            }
            self.fill();
            if self.runners.running.is_empty() {
                return Ok(None);
            }
            let ended = self.runners.listen(LOOK)?;
            self.note_discoveries();
            self.take_down(ended, None);
            if self.is_decided() {
                return Ok(None);
            }
            self.look();
            self.runners.take_turns();
            let left = self.runners.len();
            progress.progress(&|| format!("{left} engines at work"));
        }
    }

    /// Records which workers know that there is a word. After the first of them, only the time for
    /// the word is left. If all engines are waited for, each worker has its own time for the word.
    fn note_discoveries(&self) {
        for worker in self.runners.running.iter().filter(|worker| worker.knows_nonempty()) {
            self.tally.lock().know_nonempty(&worker.engine);
            if !self.all {
                self.budget.known_nonempty(self.problem.witness.time);
            }
        }
    }

    /// Whether no further worker is waited for.
    fn is_decided(&self) -> bool {
        self.tally.lock().has_error() || (self.answered && !self.all)
    }

    /// An error if the race must stop; the limits apply to all processes together.
    fn check(&mut self) -> Result<(), Stop> {
        self.budget.check()?;
        let live = self.runners.live().map(|worker| worker.usage.cpu).sum::<Duration>();
        let used = self.budget.cpu_elapsed() + self.tally.lock().worker_cpu() + live;
        match self.budget.cpu_limit() {
            Some(most) if used >= most => Err(Stop::Timeout),
            _ => Ok(()),
        }
    }

    /// Starts or resumes workers up to the number of jobs.
    fn fill(&mut self) {
        while self.runners.running.len() < self.jobs
            && let Some(next) = self.runners.waiting.pop_front()
        {
            match next {
                Waiting::Suspended(mut worker) => {
                    worker.resume();
                    self.runners.running.push(worker);
                }
                Waiting::New(Turn { slice, engine, .. }) => {
                    let memory = self.budget.limits().memory;
                    let started =
                        Process::start(engine.clone(), slice, self.question, memory, self.stretch);
                    match started {
                        Ok(worker) => self.runners.running.push(worker),
                        Err(error) => {
                            let end = End::Failed(format!("it cannot be started: {error}"));
                            self.enter(engine, end, Duration::ZERO);
                        }
                    }
                }
            }
        }
    }

    /// Records the replies of workers that have ended. After the end of the budget, the budget is
    /// the reason for missing answers.
    fn take_down(&mut self, ended: Vec<Ended>, over: Option<&Stop>) {
        for Ended { engine, cpu, reply, starved } in ended {
            self.tally.lock().add_worker_cpu(cpu);
            let end = match reply {
                _ if self.is_decided() => End::Ended(None),
                Err(_) if starved => End::Stopped(Stop::Memory),
                Err(_) if over.is_some() => End::Ended(over.cloned()),
                Err(failure) => End::Failed(failure),
                Ok(reply) => {
                    let statistics = reply.statistics.clone();
                    match reply.answer(self.problem) {
                        Ok(Ok(answer)) => {
                            self.hear(&engine, in_budget(answer, over), statistics, cpu);
                            continue;
                        }
                        Ok(Err(Stop::Cancelled)) => End::Ended(over.cloned()),
                        Ok(Err(stop)) => End::Stopped(stop),
                        Err(failure) => End::Failed(failure),
                    }
                }
            };
            self.enter(engine, end, cpu);
        }
    }

    /// Checks an answer and records it.
    fn hear(&mut self, engine: &EngineSpec, answer: Answer, statistics: Statistics, cpu: Duration) {
        if !self.all {
            self.runners.live().for_each(Process::kill);
        }
        let verdict = judge(self.problem, answer, self.budget, &engine.to_string());
        self.answered |= verdict.is_ok();
        let spent = Spent { wall: self.budget.elapsed(), cpu };
        self.tally.lock().hear(engine, verdict, statistics, spent);
    }

    /// Records the outcome of an engine without an answer.
    fn enter(&mut self, engine: EngineSpec, end: End, cpu: Duration) {
        self.tally.lock().enter(Entrant { engine, end, wall: self.budget.elapsed(), cpu });
    }

    /// Measures the workers at intervals, and kills the largest if they take too much memory
    /// together.
    fn look(&mut self) {
        if self.looked.is_some_and(|looked| looked.elapsed() < LOOK) {
            return;
        }
        self.looked = Some(Instant::now());
        self.runners.running.iter_mut().for_each(Process::look);
        let own = processes::process(getpid()).map_or(0, |own| own.resident);
        let used = own + self.runners.live().map(|worker| worker.usage.resident).sum::<u64>();
        if self.budget.limits().memory.is_some_and(|most| used > most) {
            self.runners.kill_largest();
        }
    }

    /// Collects the replies of workers after the end of the budget.
    fn wind_up(&mut self, stop: &Stop) -> io::Result<()> {
        self.runners.gather();
        self.runners.running.iter().for_each(Process::wind_up);
        let since = Instant::now();
        while !self.runners.running.is_empty() && since.elapsed() < GRACE && !self.is_decided() {
            let ended = self.runners.listen(LOOK)?;
            self.take_down(ended, Some(stop));
        }
        Ok(())
    }

    /// Ends all remaining workers, because of the end of the budget or because they are not needed
    /// any more.
    fn end_all(&mut self, over: Option<Stop>) -> io::Result<()> {
        self.runners.live().for_each(Process::kill);
        self.runners.gather();
        for worker in std::mem::take(&mut self.runners.running) {
            let Ended { engine, cpu, .. } = worker.end()?;
            self.tally.lock().add_worker_cpu(cpu);
            self.enter(engine, End::Ended(over.clone()), cpu);
        }
        Ok(())
    }
}

/// The ratio of wall-clock time to slice after which a turn ends. On a busy machine each engine
/// should have its turn within half of the remaining time.
fn stretch(turns: &[Turn], jobs: usize, budget: &Budget) -> u32 {
    let round: f64 = turns.iter().map(|turn| turn.slice.as_secs_f64()).sum();
    let Some(left) = budget.left().wall else { return MOST_STRETCH };
    let times = left.as_secs_f64() / 2.0 * jobs as f64 / round;
    (times as u32).clamp(1, MOST_STRETCH)
}

/// The answer of a worker. If the worker got the signal to end during its search for a witness, the
/// reason is the end of the budget.
fn in_budget(answer: Answer, over: Option<&Stop>) -> Answer {
    match (answer, over) {
        (Answer::Nonempty(Err(LeftOut::Stopped(Stop::Cancelled))), Some(stop)) => {
            Answer::Nonempty(Err(LeftOut::Stopped(stop.clone())))
        }
        (answer, _) => answer,
    }
}
