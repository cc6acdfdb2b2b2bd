//! Portfolios on threads and in steps.

mod common;
#[path = "../../../tests/pigeons/mod.rs"]
mod pigeons;

use std::time::Duration;

use common::{expected, random_formula};
use kermode_base::Rng;
use kermode_ltl::Store;
use kermode_ltl::WordKind;
use kermode_ltl::dialect::{Dialect, parse};
use kermode_solve::portfolio::{Decided, Schedule, in_steps, on_threads};
use kermode_solve::{
    Budget, Cancellation, EngineSpec, Limits, Observer, Problem, Silent, Stop, Verdict, Witness,
    decide,
};
use pigeons::pigeons;

fn schedule(text: &str) -> Schedule {
    Schedule::read(text).expect("a schedule")
}

const SHORT: &str = "first 0ms antichain:forward\n1ms tgba:couvreur\n1ms antichain:hybrid\n1ms tgba:magic\n1ms antichain:symbolic";

#[test]
fn portfolios_agree_with_the_tableau() {
    let (mut rng, schedule) = (Rng::new(8), schedule(SHORT));
    for round in 0..300 {
        let mut store = Store::new();
        let (formula, words) = random_formula(&mut store, &mut rng, round);
        let Some(expected) = expected(&store, formula, words) else { continue };
        let problem = Problem::satisfiability(&store, formula, words);
        let (budget, silent) = (Budget::unlimited(), &mut Silent::default());
        let decided = match round % 4 {
            0 => in_steps(&problem, &schedule, &budget, silent),
            threads => on_threads(&problem, &schedule, 2 * threads - 1, &budget, silent),
        };
        match decided.verdict.expect("no internal error") {
            Verdict::Nonempty(Ok(Witness::Word(_))) => assert!(expected),
            Verdict::Empty(_) => assert!(!expected),
            other => panic!("{other:?}"),
        }
    }
}

fn ask(text: &str, schedule: &Schedule, threads: usize, limits: Limits) -> Decided {
    let mut store = Store::new();
    let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
    let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
    let budget = Budget::new(limits, Cancellation::new());
    on_threads(&problem, schedule, threads, &budget, &mut Silent::default())
}

/// Progress of engines on all threads reaches the observer on the thread of the caller.
#[test]
fn progress_is_told_across_threads() {
    struct Lines(usize);
    impl Observer for Lines {
        fn progress(&mut self, describe: &dyn Fn() -> String) {
            self.0 += usize::from(!describe().is_empty());
        }
    }
    let mut store = Store::new();
    let text = pigeons(20);
    let formula = parse(&mut store, &text, Dialect::Kermode.into()).expect("a formula").formula;
    let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
    let schedule = schedule("1s reference:enumerate\n1s antichain:forward\n1s tgba:couvreur");
    for threads in [1, 3] {
        let (mut lines, budget) = (Lines(0), Budget::within(Duration::from_secs(1)));
        let decided = on_threads(&problem, &schedule, threads, &budget, &mut lines);
        assert!(decided.engine.is_none(), "{decided:?}");
        assert!(lines.0 > 0, "with {threads} threads");
    }
}

#[test]
fn who_gives_up_leaves_it_to_the_others() {
    let schedule = schedule("1s reference:enumerate:letters=1\n1s preprocess:only\n1s tgba:magic");
    for threads in [1, 2, 3] {
        let decided = ask("F a & F !a", &schedule, threads, Limits::default());
        assert_eq!(decided.engine.map(|engine| engine.to_string()).as_deref(), Some("tgba:magic"));
    }
}

#[test]
fn where_nobody_is_left_it_is_said_why() {
    let schedule = schedule("1s reference:enumerate:letters=1\n1s preprocess:only");
    for threads in [1, 2] {
        let decided = ask("F a & F !a", &schedule, threads, Limits::default());
        let Ok(Verdict::Unknown(Stop::Limit(why))) = decided.verdict else { panic!("a limit") };
        assert!(why.contains("reference:enumerate") && why.contains("preprocess:only"), "{why}");
        let wall = Some(Duration::ZERO);
        let late = ask("a", &schedule, threads, Limits { wall, ..Limits::default() });
        assert_eq!(late.verdict, Ok(Verdict::Unknown(Stop::Timeout)));
    }
}

/// One operation on diagrams of these can be longer than a slice. It ends for lack of nodes, and
/// that counts as time.
#[test]
fn slices_end_inside_an_operation() {
    let mut store = Store::new();
    let text = pigeons(20);
    let formula = parse(&mut store, &text, Dialect::Kermode.into()).expect("a formula").formula;
    let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
    let memory = Some(1 << 30);
    let budget = Budget::new(Limits { memory, ..Limits::default() }, Cancellation::new());
    for engine in ["tgba:couvreur", "antichain:forward"] {
        let slice = budget.in_steps().slice(Duration::from_millis(5));
        let engine: EngineSpec = engine.parse().expect("an engine");
        let said = decide(&problem, &engine, &slice, &mut Silent::default());
        assert_eq!(said.expect("no internal error"), Verdict::Unknown(Stop::Timeout), "{engine}");
        assert_eq!(slice.check(), Ok(()), "{engine} has steps left");
    }
}
