//! Traces that are no paths are refused at the right step, with the reason.
//!
//! Which step is wrong is computed here by plain functions over texts, written from the models by
//! hand.

mod plain;
mod trace_support;

use std::collections::BTreeMap;

use kermode_base::{Rng, Source};
use kermode_smv::FlatModel;
use kermode_smv::flat::VariableId;
use kermode_smv::interpreter::{Fairness, Layout, Rule, State, Trace, WalkEnd};
use kermode_smv::syntax::{AssignmentKind, ConstraintKind, VariableKind};
use kermode_smv::trace::nusmv::{Heading, Marks};
use kermode_smv::trace::{self, NoPath, Refusal, check, json, nusmv};
use plain::without_styles;
use trace_support::{model, walk};

/// The values of a state or of inputs, as texts.
type Values = BTreeMap<String, String>;

/// A model with its rules in Rust.
struct Rules {
    text: &'static str,
    initial: fn(&Values) -> bool,
    invariant: fn(&Values) -> bool,
    step: fn(&Values, &Values, &Values) -> bool,
}

fn number(values: &Values, name: &str) -> i32 {
    values[name].parse().expect("a number")
}

fn is_true(values: &Values, name: &str) -> bool {
    values[name] == "TRUE"
}

/// By assignments, with inputs and a frozen variable.
const LIFT: Rules = Rules {
    text: "MODULE main
IVAR call : 0..3; stop : boolean;
FROZENVAR top : 2..3;
VAR floor : 0..3; door : {open, closed}; moving : boolean;
ASSIGN
  init(floor) := 0; init(door) := closed; init(moving) := FALSE;
  next(floor) := moving & floor < top ? floor + 1 : floor;
  next(moving) := call > floor & !stop;
  next(door) := moving ? closed : {open, closed};
",
    initial: |s| number(s, "floor") == 0 && s["door"] == "closed" && !is_true(s, "moving"),
    invariant: |_| true,
    step: |s, i, t| {
        let rises = is_true(s, "moving") && number(s, "floor") < number(s, "top");
        number(t, "floor") == number(s, "floor") + i32::from(rises)
            && is_true(t, "moving")
                == (number(i, "call") > number(s, "floor") && !is_true(i, "stop"))
            && (!is_true(s, "moving") || t["door"] == "closed")
    },
};

/// By constraints, with an instance and a current assignment.
const BUFFER: Rules = Rules {
    text: "MODULE cell VAR v : 0..2; w : boolean;
MODULE main
IVAR put : boolean;
VAR a : cell; b : cell; sum : 0..4; mark : {low, high};
FROZENVAR size : 1..4;
INIT a.v = 0 & b.v = 0
INVAR a.v + b.v <= size
TRANS put -> next(a.v) != a.v
TRANS next(b.v) = a.v | next(b.v) = b.v
ASSIGN sum := a.v + b.v; mark := sum > 2 ? high : {low, high};
INVAR a.w -> b.w
",
    initial: |s| number(s, "a.v") == 0 && number(s, "b.v") == 0,
    invariant: |s| {
        let sum = number(s, "a.v") + number(s, "b.v");
        sum <= number(s, "size")
            && number(s, "sum") == sum
            && (number(s, "sum") <= 2 || s["mark"] == "high")
            && (!is_true(s, "a.w") || is_true(s, "b.w"))
    },
    step: |s, i, t| {
        (!is_true(i, "put") || t["a.v"] != s["a.v"])
            && (t["b.v"] == s["a.v"] || t["b.v"] == s["b.v"])
    },
};

/// Two processes: the one that does not run keeps its variable.
const PROCESSES: Rules = Rules {
    text: "MODULE user(other) VAR s : 0..2; ASSIGN init(s) := 0;
  next(s) := case s = 0 : {0, 1}; s = 1 & other < 2 : 2; s = 2 : 0; TRUE : s; esac;
MODULE main VAR p : process user(q.s); q : process user(p.s); n : boolean;
",
    initial: |s| number(s, "p.s") == 0 && number(s, "q.s") == 0,
    invariant: |_| true,
    step: |s, i, t| {
        let moves = |own: &str, other: &str| {
            let (now, then) = (number(s, own), number(t, own));
            match now {
                0 => then <= 1,
                1 if number(s, other) < 2 => then == 2,
                2 => then == 0,
                _ => then == now,
            }
        };
        let keeps = |own: &str| s[own] == t[own];
        match i["_process_selector_"].as_str() {
            "p" => moves("p.s", "q.s") && keeps("q.s"),
            "q" => moves("q.s", "p.s") && keeps("p.s"),
            _ => keeps("p.s") && keeps("q.s"),
        }
    },
};

fn values(flat: &FlatModel, layout: &Layout<'_>, state: &State) -> Values {
    let show = |(id, value)| (flat.variable(id).name.clone(), flat.show(value));
    layout.values(state).map(show).collect()
}

/// Whether a state or a step is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    State(usize),
    Step(usize),
}

/// The first wrong place of a trace, by the rules in Rust.
fn first_wrong(rules: &Rules, flat: &FlatModel, trace: &Trace) -> Option<Wrong> {
    let (states, inputs) = (Layout::of_states(flat), Layout::of_inputs(flat));
    let all: Vec<Values> = trace.states.iter().map(|s| values(flat, &states, s)).collect();
    let steps: Vec<Values> = trace.inputs.iter().map(|s| values(flat, &inputs, s)).collect();
    for (position, state) in all.iter().enumerate() {
        if position == 0 && !(rules.initial)(state) || !(rules.invariant)(state) {
            return Some(Wrong::State(position));
        }
        let Some(step) = steps.get(position) else { continue };
        let next = all.get(position + 1).or(trace.loop_start.map(|start| &all[start]));
        let next = next.expect("a step leads to a state");
        let frozen = flat.variables.iter().filter(|v| v.kind == VariableKind::Frozen);
        let mut frozen = frozen.map(|v| v.name.as_str());
        if !(rules.step)(state, step, next) || frozen.any(|name| state[name] != next[name]) {
            return Some(Wrong::Step(position));
        }
    }
    None
}

const MUTATIONS: [&str; 6] = ["value", "input", "frozen", "swap", "loop", "drop"];

/// Changes a trace. `None` if that is not possible.
fn mutate(flat: &FlatModel, trace: &Trace, mutation: &str, rng: &mut Rng) -> Option<Trace> {
    let mut new = trace.clone();
    let (states, inputs) = (Layout::of_states(flat), Layout::of_inputs(flat));
    let change = |layout: &Layout<'_>, state: &State, kind: VariableKind, rng: &mut Rng| {
        let of_kind = |id: &&VariableId| flat.variable(**id).kind == kind;
        let ids: Vec<VariableId> = layout.variables().iter().filter(of_kind).copied().collect();
        let changed = if ids.is_empty() { return None } else { rng.choose(&ids) };
        let domain = &flat.variable(changed).domain;
        let code = domain.code(layout.value(state, changed)?)?;
        let shift = 1 + rng.below(domain.size() as usize - 1) as u64;
        let other = domain.value((code + shift) % domain.size() as u64);
        layout.state(|id| if id == changed { other } else { layout.value(state, id) })
    };
    let position = rng.below(trace.states.len());
    match mutation {
        "value" => {
            new.states[position] =
                change(&states, &trace.states[position], VariableKind::State, rng)?;
        }
        "frozen" => {
            new.states[position] =
                change(&states, &trace.states[position], VariableKind::Frozen, rng)?;
        }
        "input" => {
            let position = rng.below(trace.inputs.len().max(1));
            new.inputs[position] =
                change(&inputs, trace.inputs.get(position)?, VariableKind::Input, rng)?;
        }
        "swap" => {
            let other = rng.below(trace.states.len());
            new.states.swap(position, other);
        }
        "loop" => new.loop_start = trace.loop_start.map(|_| position),
        _ => {
            new.inputs.get(position)?;
            new.states.remove(position);
            new.inputs.remove(position);
            let last = new.states.len().checked_sub(1)?;
            new.loop_start = trace.loop_start.map(|start| start.min(last));
        }
    }
    (new != *trace).then_some(new)
}

/// The place of a refusal.
fn place(flat: &FlatModel, refusal: &Refusal) -> Wrong {
    let position = refusal.violation.position;
    let is_step = match refusal.violation.rule {
        Rule::Constraint(index) => flat.constraints[index].kind == ConstraintKind::Trans,
        Rule::Assignment(index) => flat.assignments[index].kind == AssignmentKind::Next,
        Rule::Frozen(_) => true,
        other => panic!("{other:?}"),
    };
    if is_step { Wrong::Step(position) } else { Wrong::State(position) }
}

/// Reads a trace from a text and replays it.
fn judge(flat: &FlatModel, text: &str) -> Result<Vec<Trace>, Box<Refusal>> {
    let read = trace::read(text, flat).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    assert_eq!(read.len(), 1);
    check::<()>(flat, &read[0], Fairness::Ignored, &mut || Ok(())).map_err(|no| match no {
        NoPath::Refused(refusal) => refusal,
        NoPath::Stopped(()) => unreachable!("nothing interrupts"),
    })
}

#[test]
fn wrong_traces_are_refused_at_the_right_step() {
    let mut rng = Rng::new(0xbad_7ace);
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut accepted, mut at_states) = (0, 0);
    for rules in [LIFT, BUFFER, PROCESSES] {
        let flat = model(rules.text);
        for round in 0..150 {
            let end = if round % 2 == 0 { WalkEnd::Loop } else { WalkEnd::Finite };
            let steps = if round % 2 == 0 { 40 } else { rng.between(1, 8) };
            let trace = walk(&flat, &mut rng, steps, end).expect("an initial state");
            assert_eq!(first_wrong(&rules, &flat, &trace), None);
            for mutation in MUTATIONS {
                let Some(wrong) = mutate(&flat, &trace, mutation, &mut rng) else { continue };
                let expected = first_wrong(&rules, &flat, &wrong);
                let heading = Heading { number: 1, description: "Simulation".to_owned() };
                let text = match rng.coin() {
                    true => json::write(&flat, &wrong),
                    false => nusmv::write(&flat, &wrong, &heading, Marks::Equal),
                };
                match (judge(&flat, &text), expected) {
                    (Ok(paths), None) => {
                        assert!(paths.contains(&wrong), "{text}");
                        accepted += 1;
                    }
                    (Err(refusal), Some(expected)) => {
                        assert_eq!(place(&flat, &refusal), expected, "{mutation}\n{text}");
                        check_messages(rules.text, &text, &refusal);
                        *refused.entry(mutation).or_default() += 1;
                        at_states += usize::from(matches!(expected, Wrong::State(_)));
                    }
                    (found, expected) => panic!("{mutation}: {found:?} {expected:?}\n{text}"),
                }
            }
        }
    }
    assert!(refused.len() == MUTATIONS.len() && refused.values().all(|&n| n >= 40), "{refused:?}");
    assert!(accepted >= 40 && at_states >= 100, "{accepted} {at_states}");
}

/// The messages point to places in both texts and have something to say.
fn check_messages(model: &str, trace: &str, refusal: &Refusal) {
    for (text, diagnostic) in [(trace, &refusal.in_trace), (model, &refusal.in_model)] {
        let place = text.get(diagnostic.span.clone()).expect("a place in the text");
        assert!(!place.is_empty() && !diagnostic.label.is_empty(), "{diagnostic:?}");
    }
}

/// Both messages of a refusal, as a user sees them.
fn shown(model: &str, trace: &str, fairness: Fairness) -> String {
    let flat = self::model(model);
    let read = trace::read(trace, &flat).expect("a trace").remove(0);
    let Err(NoPath::Refused(refusal)) = check::<()>(&flat, &read, fairness, &mut || Ok(())) else {
        panic!("a refusal of {trace}");
    };
    let in_trace = Source { name: "t", text: trace }.render(&refusal.in_trace);
    let in_model = Source { name: "m", text: model }.render(&refusal.in_model);
    without_styles(&(in_trace + &in_model))
}

const COUNTER: &str = "MODULE main
IVAR up : boolean;
VAR x : 0..3; y : 0..3;
FROZENVAR k : 0..1;
ASSIGN
  init(x) := {0, 1};
  next(x) := up & x < 3 ? x + 1 : x;
INVAR x + y < 5
TRANS next(y) >= y & (up -> next(y) = 4 / (x + k))
FAIRNESS x = 3
COMPASSION (y = 0, up)
";

#[test]
fn an_assignment_is_explained() {
    let trace = r#"{"states": [{"x": 0, "y": 1, "k": 1}, {"x": 2, "y": 1, "k": 1}],
 "inputs": [{"up": false}], "loop_start": null}"#;
    let expected = "\
error: the step from state 0 to state 1 violates an assignment
 --> t:1:39
  |
1 | {\"states\": [{\"x\": 0, \"y\": 1, \"k\": 1}, {\"x\": 2, \"y\": 1, \"k\": 1}],
  |                                       ^^^^^^^^^^^^^^^^^^^^^^^^ `next(x)` is 2, and must be 0
error: this assignment is violated in the step from state 0 to state 1
 --> m:7:14
  |
7 |   next(x) := up & x < 3 ? x + 1 : x;
  |              ^^^^^^^^^^^^^^^^^^^^^^ `next(x)` is 2, and this is 0
  = help: the values on the right side: up = FALSE, x = 0
";
    assert_eq!(shown(COUNTER, trace, Fairness::Ignored), expected);
}

#[test]
fn refusals_name_rule_and_values() {
    let state = |x, y, k| format!(r#"{{"x": {x}, "y": {y}, "k": {k}}}"#);
    let lasso = |states: &[String], up: &[bool], start: usize| {
        let inputs: Vec<String> = up.iter().map(|up| format!(r#"{{"up": {up}}}"#)).collect();
        let (states, inputs) = (states.join(", "), inputs.join(", "));
        format!(r#"{{"states": [{states}], "inputs": [{inputs}], "loop_start": {start}}}"#)
    };
    let all = Fairness::JusticeAndCompassion;
    let cases: [(String, Fairness, &[&str]); 8] = [
        (
            lasso(&[state(2, 0, 0)], &[false], 0),
            all,
            &["state 0 violates an assignment", "`init(x)` is 2, and must be one of 0, 1"],
        ),
        (
            lasso(&[state(1, 2, 1)], &[true], 0),
            all,
            &[
                "the step from state 0 back to state 0 violates an assignment",
                "`next(x)` is 1, and must be 2",
            ],
        ),
        (
            lasso(&[state(1, 3, 0), state(1, 2, 0)], &[false, false], 1),
            all,
            &[
                "the step from state 0 to state 1 violates TRANS",
                "this TRANS is FALSE",
                "up = FALSE, x = 1, y = 3, next(y) = 2, k = 0",
            ],
        ),
        (
            lasso(&[state(0, 1, 0), state(1, 1, 0)], &[true, false], 1),
            all,
            &["this TRANS has no value (a division by zero) in the step from state 0 to state 1"],
        ),
        (
            lasso(&[state(0, 1, 0), state(0, 1, 1)], &[false, false], 1),
            all,
            &[
                "changes `k`, which is frozen",
                "k = 0, next(k) = 1",
                "`k` is frozen, but changes in the step from state 0 to state 1",
            ],
        ),
        (
            lasso(&[state(1, 1, 0), state(1, 3, 0)], &[false, false], 1),
            all,
            &[
                "the loop from state 1 to state 1 is not fair",
                "this FAIRNESS condition never holds in the loop",
            ],
        ),
        (
            lasso(&[state(1, 0, 1), state(2, 2, 1), state(3, 1, 1)], &[true, true, false], 2),
            all,
            &["the step from state 1 to state 2 violates TRANS"],
        ),
        (
            lasso(&[state(1, 3, 0)], &[false, false], 0).replace(", {\"up\": false}", ""),
            Fairness::Justice,
            &["is not fair", "x = 3"],
        ),
    ];
    for (text, fairness, expected) in cases {
        let shown = shown(COUNTER, &text, fairness);
        for part in expected {
            assert!(shown.contains(part), "{part} in\n{shown}");
        }
    }
}

/// In a model with processes, the assignment of the process that runs is shown, or that there is
/// none.
#[test]
fn the_running_process_is_named() {
    let text = |selector: &str, p: i32, q: i32| {
        format!(
            "-> State: 1.1 <-\n  p.s = 0\n  q.s = 0\n  n = TRUE\n-> Input: 1.2 <-\n  \
             _process_selector_ = {selector}\n-> State: 1.2 <-\n  p.s = {p}\n  q.s = {q}\n"
        )
    };
    let wrong = shown(PROCESSES.text, &text("p", 2, 0), Fairness::Ignored);
    assert!(wrong.contains("`next(p.s)` is 2, and must be one of 0, 1"), "{wrong}");
    assert!(wrong.contains("the step from state 1.1 to state 1.2"), "{wrong}");
    assert!(wrong.contains("2 |   next(s) := case"), "{wrong}");
    let kept = shown(PROCESSES.text, &text("p", 0, 1), Fairness::Ignored);
    assert!(kept.contains("the process `p` does not assign `q.s`, which changes"), "{kept}");
    let main = shown(PROCESSES.text, &text("main", 1, 0), Fairness::Ignored);
    assert!(main.contains("the process `main` does not assign `p.s`"), "{main}");
}

/// Of several marks, those that make the loop fair are kept.
#[test]
fn marks_that_make_a_loop_fair_are_accepted() {
    let text = "MODULE main IVAR i : boolean; VAR x : 0..2; INIT x = 0 \
                JUSTICE x = 1 COMPASSION (x = 2, i)";
    let flat = model(text);
    let written = |values: &[i32]| {
        let mut text = String::new();
        for (place, x) in values.iter().enumerate() {
            if place > 0 {
                text += &format!("-> Input: 1.{} <-\n  i = FALSE\n", place + 1);
            }
            if place + 1 < values.len() && x == &values[values.len() - 1] {
                text += "-- Loop starts here\n";
            }
            text += &format!("-> State: 1.{} <-\n  x = {x}\n", place + 1);
        }
        text
    };
    let starts = |values: &[i32], fairness| {
        let read = trace::read(&written(values), &flat).expect("a trace").remove(0);
        match check::<()>(&flat, &read, fairness, &mut || Ok(())) {
            Ok(paths) => Ok(paths.iter().map(|path| path.loop_start).collect::<Vec<_>>()),
            Err(NoPath::Refused(refusal)) => Err(refusal.violation.rule),
            Err(NoPath::Stopped(())) => unreachable!("nothing interrupts"),
        }
    };
    use Fairness::{Ignored, Justice, JusticeAndCompassion};
    // The first loop has all states; the second one has no state with x = 2.
    let both = [0, 2, 1, 0, 1, 0];
    assert_eq!(starts(&both, Ignored), Ok(vec![Some(0), Some(3), None]));
    assert_eq!(starts(&both, Justice), Ok(vec![Some(0), Some(3)]));
    assert_eq!(starts(&both, JusticeAndCompassion), Ok(vec![Some(3)]));
    assert_eq!(starts(&[0, 1, 0, 2, 0], Justice), Ok(vec![Some(0)]));
    assert!(matches!(starts(&[0, 1, 0, 2, 0], JusticeAndCompassion), Err(Rule::Compassion(0))));
    assert!(matches!(starts(&[0, 0], Justice), Err(Rule::Justice(_))));
    assert_eq!(starts(&[0, 1], Justice), Ok(vec![None]));
    let read = trace::read(&written(&both), &flat).expect("a trace").remove(0);
    let stopped = check(&flat, &read, Ignored, &mut || Err("stop"));
    assert_eq!(stopped, Err(NoPath::Stopped("stop")));
}
