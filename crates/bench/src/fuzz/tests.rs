//! Engines that break in ways that no mutant of the tableau does.

use std::time::Duration;

use kermode_ltl::dialect::parse;
use kermode_ltl::{BinaryOp, Dialect, Letter, Node, Store, Word, WordKind};
use kermode_solve::options::{Options, ValueError};
use kermode_solve::{
    Accepts, Answer as Told, Budget, Cancellation, Engine, EngineInfo, EngineSpec, LeftOut, Limits,
    Observer, Problem, Stop, Verdict, Witness,
};

use super::check::{Answer, Desk, EngineAnswer, Fault, Panel};
use super::sample::Sample;
use super::shrink::shrink;

fn sample(text: &str) -> Sample {
    let mut store = Store::new();
    let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
    Sample::new(&store, formula, WordKind::Infinite)
}

/// An engine with a given behaviour.
pub(crate) struct Puppet(pub(crate) fn(&Problem) -> Result<Told, Stop>);

impl Engine for Puppet {
    fn solve(&self, problem: &Problem, _: &Budget, _: &mut dyn Observer) -> Result<Told, Stop> {
        (self.0)(problem)
    }
}

/// What it takes: infinite words, and no past.
pub(crate) const fn puppet(
    build: fn(&Options) -> Result<Box<dyn Engine>, ValueError>,
) -> EngineInfo {
    let accepts = Accepts { finite: false, past: false, ..Accepts::FORMULAS };
    EngineInfo { accepts, ..EngineInfo::new("test:puppet", build) }
}

fn panel(engines: Vec<EngineSpec>) -> Panel {
    let limits = Limits { wall: Some(Duration::from_secs(1)), ..Limits::default() };
    Panel { engines, limits, cancellation: Cancellation::new() }
}

fn has_until(problem: &Problem) -> bool {
    let is_until = |f| matches!(problem.store.node(f), Node::Binary(BinaryOp::Until, ..));
    problem
        .formula()
        .is_ok_and(|(formula, _)| problem.store.subformulas(formula).iter().any(is_until))
}

#[test]
fn a_panic_is_a_fault_and_is_shrunk() {
    static PANICS: EngineInfo = puppet(|_| {
        Ok(Box::new(Puppet(|problem| {
            assert!(!has_until(problem), "there is an until");
            Ok(Told::Empty(None))
        })))
    });
    let panel = panel(vec![EngineSpec::of(&PANICS)]);
    let desk = Desk::default();
    let still = |sample: &Sample| {
        panel.faults(&panel.ask(sample, &[0], &desk)).contains(&Fault::Panic(0)).then_some(())
    };
    let drawn = sample("G(p -> X(q U (r & F p))) & F q");
    assert!(still(&drawn).is_some());
    let shrunk = shrink(&drawn, (), still, || true);
    assert!(shrunk.minimal);
    assert_eq!(shrunk.sample.text(), "true U true");
}

#[test]
fn shrinking_stops_when_the_time_is_over() {
    let drawn = sample("G(p -> X(q U (r & F p))) & F q");
    let shrunk = shrink(&drawn, (), |_| Some(()), || false);
    assert_eq!((shrunk.minimal, shrunk.sample.text()), (false, drawn.text()));
}

fn unknown(wall: Duration) -> EngineAnswer {
    Some(Answer { result: Ok(Verdict::Unknown(Stop::Timeout)), wall })
}

fn said(verdict: Verdict) -> EngineAnswer {
    Some(Answer { result: Ok(verdict), wall: Duration::ZERO })
}

#[test]
fn faults_name_who_is_wrong() {
    let panel = panel(Vec::new());
    let word = Word::lasso(Vec::new(), vec![Letter::default()]);
    let proved = said(Verdict::Nonempty(Ok(Witness::Word(word))));
    let unproved = said(Verdict::Nonempty(Err(LeftOut::NotAsked)));
    let no = said(Verdict::Empty(None));
    let quick = unknown(Duration::from_secs(1));
    let late = unknown(Duration::from_secs(9));
    let faults = |said: &[&EngineAnswer]| {
        panel.faults(&said.iter().map(|&said| said.clone()).collect::<Vec<_>>())
    };
    assert_eq!(faults(&[&proved, &unproved, &quick, &None]), []);
    assert_eq!(faults(&[&no, &no, &quick]), []);
    // An engine with a replayed word is the one to compare with.
    let disagreements = faults(&[&unproved, &no, &proved, &no]);
    let of = |no| Fault::Disagreement { yes: 2, no };
    assert_eq!(disagreements, [of(1), of(3)]);
    assert_eq!(faults(&[&quick, &late, &no]), [Fault::Overrun(1)]);
}

#[test]
fn engines_are_not_asked_what_they_do_not_take() {
    static NEVER: EngineInfo = puppet(|_| Ok(Box::new(Puppet(|_| Ok(Told::Empty(None))))));
    let panel = panel(vec![EngineSpec::of(&NEVER)]);
    let asked = |sample: &Sample| panel.ask(sample, &[0], &Desk::default())[0].is_some();
    assert!(asked(&sample("F a")));
    assert!(!asked(&sample("O a")));
    assert!(!asked(&Sample { words: WordKind::Finite, ..sample("F a") }));
}
