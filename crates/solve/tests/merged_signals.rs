//! Signals that are constant or equal to others are removed before the engines of a schedule run:
//! no verdict changes, traces have all variables, and what only seems constant stays.

mod checking;

use std::sync::atomic::{AtomicUsize, Ordering};

use checking::read;
use kermode_base::Rng;
use kermode_smv::random::{ModelShape, random_model};
use kermode_solve::check::{
    CheckOutcome, CheckSettings, CheckVerdict, CheckWorker, Checker, EarlyTurn, PropertyRace,
    PropertyRequest,
};
use kermode_solve::portfolio::{Decided, Schedule, Turn, on_threads};
use kermode_solve::{Budget, Observer, PathEnd, Problem, Silent};

fn outcomes(text: &str, settings: &CheckSettings, finite: Option<PathEnd>) -> Vec<CheckOutcome> {
    outcomes_by(text, settings, finite, None)
}

fn outcomes_by(
    text: &str,
    settings: &CheckSettings,
    finite: Option<PathEnd>,
    race: Option<&dyn PropertyRace>,
) -> Vec<CheckOutcome> {
    let budget = Budget::unlimited();
    let requests = [PropertyRequest::Declared, PropertyRequest::Deadlock];
    let checker = Checker::new(read(text), &requests, &[], finite, &budget).expect("a model");
    let mut worker = CheckWorker::new(&checker, settings);
    if let Some(race) = race {
        worker = worker.racing(race);
    }
    let properties = checker.properties().iter();
    properties.map(|property| worker.check(property, &budget, &mut Silent::default())).collect()
}

fn words(outcomes: &[CheckOutcome]) -> Vec<&'static str> {
    let word = |outcome: &CheckOutcome| outcome.result.as_ref().expect("no internal error").word();
    outcomes.iter().map(word).collect()
}

/// The number of variables that were removed for a property.
fn merged(outcome: &CheckOutcome) -> u64 {
    let mut counters = outcome.statistics.iter();
    counters.find(|(name, _)| *name == "merged_variables").map_or(0, |(_, value)| value)
}

#[test]
fn equal_and_constant_signals_are_removed_and_come_back_in_traces() {
    let text = "MODULE main VAR a : boolean; b : boolean; c : boolean; e : {x, y, z}; i : boolean;
        ASSIGN init(a) := FALSE; next(a) := i ? !a : a; init(b) := TRUE; next(b) := i ? !b : b;
        init(c) := TRUE; next(c) := a != b; init(e) := x; next(e) := c ? x : z;
        LTLSPEC G (a != b)  LTLSPEC G !a  INVARSPEC c  INVARSPEC b  INVARSPEC e = x
        CTLSPEC AG (a != b)";
    let outcomes = outcomes(text, &CheckSettings::default(), None);
    let expected = ["holds", "violated", "holds", "violated", "holds", "holds", "holds"];
    assert_eq!(words(&outcomes), expected);
    // One of `a` and `b`, `c`, and both bits of `e`.
    let counts: Vec<u64> = outcomes.iter().map(merged).collect();
    assert_eq!(counts, [4, 4, 4, 4, 4, 0, 4]);
    let Ok(CheckVerdict::Violated(Ok(found))) = &outcomes[3].result else { panic!("a trace") };
    assert_eq!(found.trace.states.len(), 2);
}

#[test]
fn what_is_constant_for_long_is_not_removed() {
    let text = "MODULE main VAR n : 0..400; late : boolean;
        ASSIGN init(n) := 0; next(n) := n < 400 ? n + 1 : 400;
        init(late) := FALSE; next(late) := n = 399;
        INVARSPEC !late  LTLSPEC G !late";
    let outcomes = outcomes(text, &CheckSettings::default(), None);
    assert_eq!(words(&outcomes)[..2], ["violated", "violated"]);
    let Ok(CheckVerdict::Violated(Ok(found))) = &outcomes[0].result else { panic!("a trace") };
    assert_eq!(found.trace.states.len(), 401);
}

#[test]
fn verdicts_on_random_models_do_not_change() {
    let shape = ModelShape { bits: 7, depth: 2, properties: 6, ..ModelShape::default() };
    let (portfolio, single) = (CheckSettings::default(), CheckSettings::one_engine_each());
    let mut removed = 0;
    for seed in 100..140 {
        let text = random_model(&mut Rng::new(seed), &shape).text();
        let finite = [None, Some(PathEnd::Anywhere)][(seed % 2) as usize];
        let found = outcomes(&text, &portfolio, finite);
        let expected = outcomes(&text, &single, finite);
        assert_eq!(words(&found), words(&expected), "seed {seed}\n{text}");
        removed += found.iter().filter(|outcome| merged(outcome) > 0).count();
    }
    assert!(removed > 10, "{removed}");
}

/// The first engine decides every other property before signals are removed.
#[derive(Default)]
struct EveryOther {
    asked: AtomicUsize,
}

impl PropertyRace for EveryOther {
    fn early_turn(
        &self,
        problem: &Problem,
        turn: &Turn,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> EarlyTurn {
        if self.asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
            return EarlyTurn::Undecided;
        }
        let schedule = Schedule { first: vec![turn.clone()], turns: Vec::new() };
        EarlyTurn::Decided(Box::new(on_threads(problem, &schedule, 1, budget, observer)))
    }

    fn decide(
        &self,
        problem: &Problem,
        schedule: &Schedule,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Decided {
        on_threads(problem, schedule, 1, budget, observer)
    }
}

#[test]
fn turns_before_and_after_signals_are_removed_agree() {
    let schedule =
        "first 1h slow 1h tgba:couvreur\nfirst 1h product:pdp/el\nfirst 1h invariant:forward
        first 1h invariant:both\nfirst 1h ctl:fixpoint\n1h ctl:fixpoint";
    let schedule = Schedule::read(schedule).expect("a schedule");
    let portfolio = CheckSettings { schedule, ..CheckSettings::default() };
    let single = CheckSettings::one_engine_each();
    let shape = ModelShape { bits: 7, depth: 2, properties: 6, ..ModelShape::default() };
    let (mut early, mut late) = (0, 0);
    for seed in 200..230 {
        let text = random_model(&mut Rng::new(seed), &shape).text();
        let race = EveryOther::default();
        let found = outcomes_by(&text, &portfolio, None, Some(&race));
        assert_eq!(words(&found), words(&outcomes(&text, &single, None)), "seed {seed}\n{text}");
        let decided_by = |name: &str| {
            found.iter().filter(|outcome| outcome.engine.as_deref() == Some(name)).count()
        };
        early += decided_by("tgba:couvreur");
        late += decided_by("product:pdp/el");
    }
    assert!(early > 10 && late > 10, "{early}, {late}");
}
