//! The race: workers take turns on some processors until one of them has a sound answer.
//!
//! So many workers run at a time as there are jobs. If more are left than that, one whose slice of CPU time is used up is
//! suspended and waits for its next turn, which is twice as long; nothing that it has found is lost. The first
//! that answers ends all others at once; its word is replayed here before it counts. When the budget ends the workers are told
//! and have a moment to say that there is a word, if they know and were only busy with its letters.
//!
//! CPU time and memory are those of all processes together. If that is too much memory, the largest worker is killed
//! and the others go on.

use std::io;
use std::time::{Duration, Instant};

use kermode::solve::portfolio::{Turn, agreement, nobody_is_left};
use kermode::solve::{
    Answer, Budget, EngineSpec, InternalError, LeftOut, Observer, Problem, Statistics, Stop,
    Verdict, Witness, WitnessPolicy, judge,
};
use rustix::process::getpid;

use super::process::{Ended, Process};
use super::question::{Reply, Said, word_of};
use super::runners::{Runners, Waiting};
use super::{Answered, End, Entrant};
use crate::processes;
use crate::progress::Progress;

/// How often limits are looked at.
const LOOK: Duration = Duration::from_millis(10);
/// How long workers have to say what they know when the budget has ended.
const GRACE: Duration = Duration::from_millis(200);

/// A race that is under way.
pub(super) struct Race<'r> {
    problem: &'r Problem<'r>,
    policy: WitnessPolicy,
    budget: &'r Budget,
    question: &'r str,
    jobs: usize,
    /// Whether all are waited for, and not the first alone.
    all: bool,
    runners: Runners,
    /// When the processes were last looked at.
    looked: Option<Instant>,
    entrants: Vec<Entrant>,
    /// CPU time of workers that have ended.
    cpu: Duration,
    stops: Vec<(EngineSpec, Stop)>,
    answer: Option<(EngineSpec, Verdict, Statistics)>,
}

/// Why there is no more to come, which nobody asks if there is an answer; or what is wrong with it.
type Settled = Result<Stop, InternalError>;

/// What all races of a command share.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    pub(super) policy: WitnessPolicy,
    pub(super) jobs: usize,
    pub(super) all: bool,
}

impl<'r> Race<'r> {
    pub(super) fn new(
        problem: &'r Problem<'r>,
        question: &'r str,
        turns: Vec<Turn>,
        Rules { policy, jobs, all }: Rules,
        budget: &'r Budget,
    ) -> Self {
        let (looked, entrants) = (None, Vec::new());
        let (cpu, stops, answer) = (Duration::ZERO, Vec::new(), None);
        Race {
            problem,
            policy,
            budget,
            question,
            jobs,
            all,
            runners: Runners::new(turns),
            looked,
            entrants,
            cpu,
            stops,
            answer,
        }
    }

    /// Runs the race, adding to what is known already.
    pub(super) fn run(
        mut self,
        progress: &mut Progress,
        mut known: Answered,
    ) -> io::Result<Answered> {
        let settled = self.until_settled(progress);
        let over = settled.as_ref().ok().and_then(|settled| settled.as_ref().ok());
        self.end_all(over.filter(|_| !self.is_decided()).cloned())?;
        known.entrants.append(&mut self.entrants);
        known.cpu += self.cpu;
        match (settled?, self.answer) {
            (Err(error), _) => known.result = Err(error),
            (Ok(_), Some((engine, verdict, statistics))) => {
                known.hear(engine, verdict, statistics);
            }
            (Ok(stop), None) => known.give_up(stop),
        }
        Ok(known)
    }

    /// Goes on until there is what is looked for, or tells why there is no more to come.
    fn until_settled(&mut self, progress: &mut Progress) -> io::Result<Settled> {
        loop {
            if let Err(stop) = self.check() {
                return self.wind_up(stop);
            }
            self.fill();
            if self.runners.running.is_empty() {
                return Ok(Ok(nobody_is_left(&self.stops)));
            }
            let ended = self.runners.listen(LOOK)?;
            match self.take_down(ended, None) {
                Err(error) => return Ok(Err(error)),
                Ok(()) if self.is_decided() => return Ok(Ok(Stop::Cancelled)),
                Ok(()) => {}
            }
            self.look();
            self.runners.take_turns();
            let left = self.runners.len();
            progress.progress(&|| format!("{left} engines at work"));
        }
    }

    /// Whether nobody is waited for any more.
    fn is_decided(&self) -> bool {
        self.answer.is_some() && !self.all
    }

    /// Whether the race may go on, all processes together.
    fn check(&mut self) -> Result<(), Stop> {
        self.budget.check()?;
        let limits = self.budget.limits();
        let live = self.runners.live().map(|worker| worker.usage.cpu).sum::<Duration>();
        match limits.cpu {
            Some(most) if self.budget.cpu_elapsed() + self.cpu + live >= most => Err(Stop::Timeout),
            _ => Ok(()),
        }
    }

    /// Lets as many run as may.
    fn fill(&mut self) {
        while self.runners.running.len() < self.jobs
            && let Some(next) = self.runners.waiting.pop_front()
        {
            match next {
                Waiting::Suspended(mut worker) => {
                    worker.resume();
                    self.runners.running.push(worker);
                }
                Waiting::New(Turn { slice, engine }) => {
                    let memory = self.budget.limits().memory;
                    let started =
                        Process::start(engine.clone(), slice, self.question, memory, self.policy);
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

    /// Takes down what workers said. A budget that has ended is the reason for whatever they left undone.
    fn take_down(&mut self, ended: Vec<Ended>, over: Option<&Stop>) -> Result<(), InternalError> {
        for Ended { engine, cpu, reply, starved } in ended {
            self.cpu += cpu;
            let end = match reply {
                _ if self.is_decided() => End::Ended(None),
                Err(_) if starved => End::Stopped(Stop::Memory),
                Err(_) if over.is_some() => End::Ended(over.cloned()),
                Err(failure) => End::Failed(failure),
                Ok(Reply { said, statistics }) => match self.answer_of(said, over) {
                    Ok(answer) => self.judged(&engine, answer, statistics)?,
                    Err(end) => end,
                },
            };
            self.enter(engine, end, cpu);
        }
        Ok(())
    }

    /// Judges an answer and takes it down: it must agree with what others have said, and the first with a word counts.
    fn judged(
        &mut self,
        engine: &EngineSpec,
        answer: Answer,
        statistics: Statistics,
    ) -> Result<End, InternalError> {
        if !self.all {
            self.runners.live().for_each(Process::kill);
        }
        let verdict = judge(self.problem, answer, self.policy, self.budget, &engine.to_string())?;
        if let Some((other, known, _)) = &self.answer {
            agreement((other, known), (engine, &verdict))?;
        }
        let end = End::Answered(matches!(verdict, Verdict::Satisfiable(_)));
        let without_word =
            |verdict: &Verdict| matches!(verdict, Verdict::Satisfiable(Witness::LeftOut(_)));
        if self.answer.as_ref().is_none_or(|(_, known, _)| without_word(known)) {
            self.answer = Some((engine.clone(), verdict, statistics));
        }
        Ok(end)
    }

    /// What a worker said, if it is an answer.
    fn answer_of(&self, said: Said, over: Option<&Stop>) -> Result<Answer, End> {
        match said {
            Said::Unsatisfiable => Ok(Answer::Unsatisfiable),
            Said::Satisfiable(word) => word_of(self.problem, &word)
                .map(Answer::Satisfiable)
                .map_err(|error| End::Failed(format!("its word cannot be read: {error}"))),
            Said::Unseen(LeftOut::Stopped(Stop::Cancelled)) => {
                let stop = over.cloned().unwrap_or(Stop::Cancelled);
                Ok(Answer::SatisfiableUnseen(LeftOut::Stopped(stop)))
            }
            Said::Unseen(reason) => Ok(Answer::SatisfiableUnseen(reason)),
            Said::Stopped(Stop::Cancelled) => Err(End::Ended(over.cloned())),
            Said::Stopped(stop) => Err(End::Stopped(stop)),
            Said::Panicked(message) => Err(End::Failed(format!("it panicked: {message}"))),
        }
    }

    /// Enters how it went with an engine.
    fn enter(&mut self, engine: EngineSpec, end: End, cpu: Duration) {
        if let End::Stopped(stop) = &end {
            self.stops.push((engine.clone(), stop.clone()));
        }
        self.entrants.push(Entrant { engine, end, wall: self.budget.elapsed(), cpu });
    }

    /// Looks at what the workers use now and then, and kills the largest if it is too much memory for all of them.
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

    /// Hears what workers have to say when the budget has ended.
    fn wind_up(&mut self, stop: Stop) -> io::Result<Settled> {
        self.runners.gather();
        self.runners.running.iter().for_each(Process::wind_up);
        let since = Instant::now();
        while !self.runners.running.is_empty() && since.elapsed() < GRACE && !self.is_decided() {
            let ended = self.runners.listen(LOOK)?;
            if let Err(error) = self.take_down(ended, Some(&stop)) {
                return Ok(Err(error));
            }
        }
        Ok(Ok(stop))
    }

    /// Ends all that are left, at once and together; unless they are not needed any more, for this reason.
    fn end_all(&mut self, over: Option<Stop>) -> io::Result<()> {
        self.runners.live().for_each(Process::kill);
        self.runners.gather();
        for worker in std::mem::take(&mut self.runners.running) {
            let Ended { engine, cpu, .. } = worker.end()?;
            self.cpu += cpu;
            self.enter(engine, End::Ended(over.clone()), cpu);
        }
        Ok(())
    }
}
