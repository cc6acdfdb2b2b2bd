//! Exploration, fairness and the replay of traces on small models.

use std::convert::Infallible;
use std::ops::ControlFlow;

use kermode_smv::FlatModel;
use kermode_smv::interpreter::{
    Exploration, FailureReason, Fairness, Interpreter, Outcome, Replay, Rule, State, Totality,
    Trace, explore, totality,
};
use kermode_smv::meaning::flatten;
use kermode_smv::syntax::{ReadOptions, parse};

fn model(text: &str) -> FlatModel {
    let parsed = parse(text, &ReadOptions::default());
    assert!(!parsed.has_errors(), "{:?}", parsed.diagnostics);
    let flattened = flatten::<Infallible>(text, &parsed.file, &mut || Ok(()));
    flattened.expect("a correct model").0
}

fn explored(model: &FlatModel) -> (Interpreter<'_>, Exploration) {
    let mut interpreter = Interpreter::new(model);
    let Ok(found) = explore::<Infallible>(&mut interpreter, usize::MAX, &mut || Ok(()));
    (interpreter, found)
}

/// The texts of the states that are fair.
fn fair(text: &str) -> Vec<String> {
    let model = model(text);
    let (interpreter, found) = explored(&model);
    let states = found.states.iter().zip(&found.is_fair).filter(|(_, fair)| **fair);
    let mut states: Vec<String> =
        states.map(|(state, _)| interpreter.states().show(state)).collect();
    states.sort();
    states
}

const FORK: &str = "MODULE main VAR x : 0..3; INIT x = 0 \
                    TRANS next(x) in case x = 0 : {0, 1, 2}; x = 1 : {1}; x = 2 : {3}; \
                    TRUE : {3}; esac & (x = 3 -> FALSE)";

#[test]
fn fair_paths_are_infinite() {
    // From 2 on, all paths end.
    assert_eq!(fair(FORK), ["x = 0", "x = 1"]);
    assert_eq!(fair(&format!("{FORK} JUSTICE x = 1")), ["x = 0", "x = 1"]);
    assert_eq!(fair(&format!("{FORK} JUSTICE x = 0")), ["x = 0"]);
    assert_eq!(fair(&format!("{FORK} JUSTICE x = 0 JUSTICE x = 1")), Vec::<String>::new());
    assert_eq!(fair(&format!("{FORK} JUSTICE x = 3")), Vec::<String>::new());
    assert_eq!(fair(&format!("{FORK} COMPASSION (TRUE, FALSE)")), ["x = 0", "x = 1"]);
}

/// A condition with inputs belongs to steps: several steps between the same states count together.
#[test]
fn justice_with_inputs_holds_on_steps() {
    let text = "MODULE main IVAR i : 0..2; VAR x : 0..1; INIT x = 0 TRANS next(x) = x \
                TRANS x = 1 -> i = 0 ";
    assert_eq!(fair(&format!("{text} JUSTICE i = 1 JUSTICE i = 2")), ["x = 0"]);
    assert_eq!(fair(&format!("{text} INVAR x = x JUSTICE i = 1 & i = 2")), Vec::<String>::new());
    let both = text.replace("INIT x = 0", "");
    assert_eq!(fair(&format!("{both} JUSTICE i = 1")), ["x = 0"]);
    assert_eq!(fair(&format!("{both} JUSTICE i = 0 JUSTICE x = 1")), ["x = 1"]);
}

#[test]
fn exploration_counts_layers_edges_and_deadlocks() {
    let model = model(FORK);
    let (interpreter, found) = explored(&model);
    assert_eq!((found.initial, found.states.len(), found.depth), (1, 4, 3));
    assert_eq!(found.targets.len(), 5);
    let show = |state: &State| interpreter.states().show(state);
    let deadlocks: Vec<_> =
        found.deadlocks.iter().map(|&state| show(&found.states[state as usize])).collect();
    assert_eq!(deadlocks, ["x = 3"]);
    let total = totality::<Infallible>(interpreter.model(), &found, 0, &mut || Ok(()));
    assert_eq!(total, Ok(Some(Totality::Deadlock)));
}

#[test]
fn limits_and_interrupts_end_the_exploration() {
    let model =
        model("MODULE main VAR x : 0..999; ASSIGN init(x) := 0; next(x) := (x + 1) mod 1000;");
    let mut interpreter = Interpreter::new(&model);
    let Ok(found) = explore::<Infallible>(&mut interpreter, 10, &mut || Ok(()));
    assert!(found.is_partial && found.states.len() == 10 && found.deadlocks.is_empty());
    let mut calls = 0;
    let stopped = explore(&mut interpreter, usize::MAX, &mut || {
        calls += 1;
        if calls > 100 { Err("stop") } else { Ok(()) }
    });
    assert_eq!(stopped.err(), Some("stop"));
    // The interpreter is as before.
    let Ok(found) = explore::<Infallible>(&mut interpreter, usize::MAX, &mut || Ok(()));
    assert_eq!((found.states.len(), found.depth), (1000, 1000));
}

#[test]
fn totality_looks_at_unreachable_states() {
    let cases = [
        ("TRANS x < 3 -> next(x) = x", Some(Totality::Total)),
        ("TRANS x < 3 & next(x) = x", Some(Totality::UnreachableDeadlock)),
        ("TRANS x > 0", Some(Totality::Deadlock)),
        ("INVAR x < 3 TRANS x < 3 & next(x) = x", Some(Totality::Total)),
    ];
    for (constraints, expected) in cases {
        let model = model(&format!("MODULE main VAR x : 0..3; INIT x = 0 {constraints}"));
        let (interpreter, found) = explored(&model);
        let Ok(total) = totality::<Infallible>(interpreter.model(), &found, 4, &mut || Ok(()));
        assert_eq!(total, expected, "{constraints}");
    }
    let wide = model("MODULE main VAR x : 0..3; INIT x = 0 TRANS next(x) * x = x * x");
    let (interpreter, found) = explored(&wide);
    let Ok(total) = totality::<Infallible>(interpreter.model(), &found, 3, &mut || Ok(()));
    assert_eq!(total, None);
}

/// Assignments alone give each state a successor, even if the states are far too many to be tried.
#[test]
fn assignments_are_total_without_trying() {
    let text = "MODULE main VAR w : word[64]; v : word[64]; ASSIGN init(w) := 0ud64_0; \
                next(w) := 0ud64_1; v := w;";
    let model = model(text);
    let (interpreter, found) = explored(&model);
    let Ok(total) = totality::<Infallible>(interpreter.model(), &found, 10, &mut || Ok(()));
    assert_eq!((total, found.states.len()), (Some(Totality::Total), 2));
}

const COUNTER: &str = "MODULE main
IVAR i : boolean;
FROZENVAR f : boolean;
VAR x : 0..3; d : 0..9;
ASSIGN init(x) := 0; next(x) := {x, (x + 1) mod 4}; d := 2 * x;
TRANS i -> next(x) != x
INVAR f -> x < 3
JUSTICE x = 0
JUSTICE i
COMPASSION (x = 1, x = 3)
";

struct Paths {
    model: FlatModel,
}

impl Paths {
    fn state(&self, x: i32, d: i32, f: bool) -> State {
        use kermode_smv::flat::Value;
        let interpreter = Interpreter::new(&self.model);
        let value = |name: &str| match name {
            "x" => Value::Integer(x),
            "d" => Value::Integer(d),
            _ => Value::Boolean(f),
        };
        let states = interpreter.states();
        states.state(|id| Some(value(&self.model.variable(id).name))).expect("values of domains")
    }

    fn input(&self, i: bool) -> State {
        let interpreter = Interpreter::new(&self.model);
        let value = kermode_smv::flat::Value::Boolean(i);
        interpreter.inputs().state(|_| Some(value)).expect("a value of the domain")
    }

    /// Replays a path of values of `x`, with an input after each.
    fn check(
        &self,
        path: &[(i32, bool)],
        loop_start: Option<usize>,
        fairness: Fairness,
    ) -> Result<(), (usize, Rule, &'static str)> {
        let steps = path.len() - usize::from(loop_start.is_none());
        self.replay(
            &Trace {
                states: path.iter().map(|&(x, _)| self.state(x, 2 * x, false)).collect(),
                inputs: path[..steps].iter().map(|&(_, i)| self.input(i)).collect(),
                loop_start,
            },
            fairness,
        )
    }

    fn replay(&self, trace: &Trace, fairness: Fairness) -> Result<(), (usize, Rule, &'static str)> {
        Replay::new(&self.model).check(trace, fairness).map_err(|violation| {
            (violation.position, violation.rule, &COUNTER[violation.span.range()])
        })
    }
}

#[test]
fn replay_names_what_is_violated() {
    use Fairness::{Ignored, Justice, JusticeAndCompassion};
    let paths = Paths { model: model(COUNTER) };
    let constraint = |text: &str| {
        let spans = paths.model.constraints.iter().map(|c| &COUNTER[c.span.range()]);
        spans.into_iter().position(|span| span.contains(text)).expect("a constraint")
    };
    let path = [(0, true), (1, true), (2, false), (2, true), (3, true)];
    assert_eq!(paths.check(&path[..3], None, Ignored), Ok(()));
    assert_eq!(paths.check(&path, Some(0), JusticeAndCompassion), Ok(()));
    let violation = paths.check(&path[1..], None, Ignored).expect_err("not initial");
    assert!(matches!(violation, (0, Rule::Assignment(_), "0")), "{violation:?}");
    let violation = paths.check(&[(0, false), (2, false)], None, Ignored).expect_err("no step");
    assert!(matches!(violation.1, Rule::Assignment(_)), "{violation:?}");
    assert!(violation.2.contains("mod 4"), "{violation:?}");
    let violation = paths.check(&[(0, false), (0, true), (0, true)], None, Ignored);
    let violation = violation.expect_err("the input forbids it");
    assert_eq!((violation.0, violation.1), (1, Rule::Constraint(constraint("i -> "))));
    // The loop closes by a step, too.
    let violation = paths.check(&path[..3], Some(0), Ignored).expect_err("no step");
    assert_eq!(violation.0, 2);
    // Fairness.
    let lasso = [(0, true), (1, false)];
    assert_eq!(paths.check(&lasso, Some(1), Ignored), Ok(()));
    let violation = paths.check(&lasso, Some(1), Justice).expect_err("unfair");
    assert_eq!((violation.0, violation.1), (1, Rule::Justice(constraint("x = 0"))));
    let stay = [(0, false)];
    let violation = paths.check(&stay, Some(0), Justice).expect_err("unfair");
    assert!(matches!(violation, (0, Rule::Justice(_), "i")), "{violation:?}");
    let model = model(&COUNTER.replace("JUSTICE x = 0", "").replace("JUSTICE i", ""));
    let without = Paths { model };
    assert_eq!(without.check(&lasso, Some(1), Justice), Ok(()));
    let trace = Replay::new(&without.model).check(
        &Trace {
            states: vec![without.state(0, 0, false), without.state(1, 2, false)],
            inputs: vec![without.input(true), without.input(false)],
            loop_start: Some(1),
        },
        JusticeAndCompassion,
    );
    assert_eq!(trace.map_err(|violation| violation.rule), Err(Rule::Compassion(0)));
}

#[test]
fn replay_checks_states_frozen_variables_and_shape() {
    let paths = Paths { model: model(COUNTER) };
    let check = |states: Vec<State>, inputs: usize, loop_start| {
        let inputs = vec![paths.input(false); inputs];
        paths.replay(&Trace { states, inputs, loop_start }, Fairness::Ignored)
    };
    let (first, other) = (paths.state(0, 0, false), paths.state(0, 0, true));
    assert_eq!(check(vec![first.clone()], 0, None), Ok(()));
    let violation = check(vec![paths.state(0, 1, false)], 0, None).expect_err("d is wrong");
    assert_eq!((violation.0, violation.2), (0, "2 * x"));
    let violation = check(vec![first.clone(), other], 1, None).expect_err("f is frozen");
    assert!(matches!(violation, (0, Rule::Frozen(_), _)), "{violation:?}");
    for (states, inputs, loop_start) in
        [(vec![], 0, None), (vec![first.clone()], 1, None), (vec![first], 1, Some(1))]
    {
        let violation = check(states, inputs, loop_start).expect_err("a wrong shape");
        assert_eq!(violation.1, Rule::Shape);
    }
}

/// A constraint that fails does not hold, and the replay says why.
#[test]
fn failing_constraints_do_not_hold() {
    let model = model("MODULE main VAR x : 0..2; INVAR 4 / x > 1");
    let (interpreter, found) = explored(&model);
    assert_eq!(found.states.len(), 2);
    let zero = kermode_smv::flat::Value::Integer(0);
    let state = interpreter.states().state(|_| Some(zero)).expect("a value of the domain");
    let trace = Trace { states: vec![state], inputs: vec![], loop_start: None };
    let violation = Replay::new(&model).check(&trace, Fairness::Ignored).expect_err("it fails");
    let Outcome::Failure(failure) = violation.outcome else { panic!("{violation:?}") };
    assert_eq!(failure.reason, FailureReason::DivisionByZero);
}

/// Free variables are enumerated one by one, on demand.
#[test]
fn enumeration_ends_when_it_is_told_to() {
    let model = model("MODULE main VAR a : word[64]; b : word[64]; INVAR a = b");
    let mut interpreter = Interpreter::new(&model);
    let (mut count, mut visit) = (0, Vec::new());
    let Ok(()) = interpreter.initial_states::<Infallible>(
        &mut |state| {
            count += 1;
            visit.push(state);
            if count < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
        &mut || Ok(()),
    );
    let shown: Vec<_> = visit.iter().map(|state| interpreter.states().show(state)).collect();
    assert_eq!(shown[..2], ["a = 0ud64_0, b = 0ud64_0", "a = 0ud64_1, b = 0ud64_1"]);
    assert_eq!(shown.len(), 5);
}
