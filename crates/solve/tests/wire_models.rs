//! Models on their way to worker processes and back: an engine that reads a written problem says
//! what it says about the problem itself, and its trace is a witness of the problem.

mod checking;

use std::cell::Cell;
use std::sync::Mutex;
use std::time::Duration;

use checking::read;
use kermode_base::Rng;
use kermode_smv::random::{ModelShape, random_model};
use kermode_solve::check::{CheckSettings, CheckWorker, Checker, PropertyRace, PropertyRequest};
use kermode_solve::portfolio::wire::{Reply, WrittenProblem};
use kermode_solve::portfolio::{Decided, Schedule};
use kermode_solve::{
    Budget, Observer, PathEnd, Problem, Silent, Statistics, Verdict, decide, judge,
};

/// Asks each engine twice: here, and through two texts.
#[derive(Default)]
struct Twice {
    /// The numbers of verdicts: nonempty and empty.
    counts: Mutex<Cell<[usize; 2]>>,
}

impl PropertyRace for Twice {
    fn decide(
        &self,
        problem: &Problem,
        schedule: &Schedule,
        budget: &Budget,
        _: &mut dyn Observer,
    ) -> Decided {
        let engine = schedule.first[0].engine.clone();
        let here = decide(problem, &engine, budget, &mut Silent::default()).expect("no error");
        let question = WrittenProblem::of(problem).expect("a text");
        let question = serde_json::to_string(&question).expect("JSON");
        let question: WrittenProblem = serde_json::from_str(&question).expect("a question");
        let reply = question.ask(&engine, budget).expect("a reply");
        let reply = serde_json::to_string(&reply).expect("JSON");
        let reply: Reply = serde_json::from_str(&reply).expect("a reply");
        let answer =
            reply.answer(problem).expect("an engine that does not fail").expect("an answer");
        let there = judge(problem, answer, budget, "there").expect("a right witness");
        assert_eq!(here.is_nonempty(), there.is_nonempty(), "{engine}");
        assert_eq!(here.word().is_some(), there.word().is_some(), "{engine}");
        let counts = self.counts.lock().expect("one thread");
        let mut both = counts.get();
        both[usize::from(matches!(there, Verdict::Empty(_)))] += 1;
        counts.set(both);
        Decided {
            verdict: Ok(there),
            engine: Some(engine),
            statistics: Statistics::default(),
            entrants: Vec::new(),
            worker_cpu: Duration::ZERO,
        }
    }
}

/// Checks properties of random models, with traces that the check layer replays.
fn compare(schedule: &str, requests: &[PropertyRequest], finite: Option<PathEnd>) -> [usize; 2] {
    let schedule = Schedule::read(schedule).expect("a schedule");
    let settings = CheckSettings { schedule, ..CheckSettings::default() };
    let shape = ModelShape { bits: 6, depth: 2, properties: 6, ..ModelShape::default() };
    let race = Twice::default();
    for seed in 0..25 {
        let text = random_model(&mut Rng::new(seed), &shape).text();
        let budget = Budget::unlimited();
        let checker = Checker::new(read(&text), requests, &[], finite, &budget);
        let checker = checker.expect("a model");
        let worker = CheckWorker::new(&checker, &settings).racing(&race);
        for property in checker.properties() {
            let outcome = worker.check(property, &budget, &mut Silent::default());
            assert!(outcome.result.is_ok(), "seed {seed}: {:?}\n{text}", outcome.result);
        }
    }
    race.counts.into_inner().expect("one thread").into_inner()
}

#[test]
fn engines_say_the_same_about_a_written_model() {
    let schedule = "first 1s product:syntactic/el\nfirst 1s ctl:fixpoint\nfirst 1s invariant:both";
    let declared = [PropertyRequest::Declared, PropertyRequest::Deadlock];
    let [violated, holds] = compare(schedule, &declared, None);
    assert!(violated > 20 && holds > 20, "{violated}, {holds}");
}

#[test]
fn engines_say_the_same_about_finite_paths_and_automata_of_a_written_model() {
    let schedule = "first 1s product:syntactic/el";
    for end in [PathEnd::Anywhere, PathEnd::DeadEnd] {
        let [violated, holds] = compare(schedule, &[PropertyRequest::Declared], Some(end));
        assert!(violated + holds > 10, "{violated}, {holds}");
    }
}
