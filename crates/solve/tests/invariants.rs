//! The engines for invariants: NuSMV's answers, answers derived by hand, and random models compared
//! with explicit exploration. Every path is replayed on the interpreter and is a shortest one.

mod checking;

use std::convert::Infallible;
use std::ops::ControlFlow;

use checking::{golden, read, try_read};
use kermode_base::Rng;
use kermode_ltl::Store;
use kermode_smv::SmvModel;
use kermode_smv::flat::FlatExpression;
use kermode_smv::interpreter::{
    Evaluation, Exploration, Fairness, Interpreter, Replay, Time, Trace, explore,
};
use kermode_smv::property::violation;
use kermode_smv::random::{ModelShape, random_model};
use kermode_smv::syntax::{ExpressionKind, PropertyKind};
use kermode_solve::{Budget, EngineSpec, Problem, Silent, Stop, Verdict, Witness, decide};
use kermode_system::Target;

const ENGINES: [&str; 4] = [
    "invariant:forward",
    "invariant:backward",
    "invariant:both",
    "invariant:both:cluster=1:sifting=off",
];

fn none() -> &'static mut dyn FnMut() -> Result<(), Infallible> {
    Box::leak(Box::new(|| Ok(())))
}

/// The verdict of an engine. A path is a path of the flat model.
fn path(model: &SmvModel, target: Target, engine: &str) -> Option<Trace> {
    let store = Store::new();
    let problem = Problem::paths(&store, &model.encoded.model, target);
    let spec: EngineSpec = engine.parse().expect("an engine");
    let verdict = decide(&problem, &spec, &Budget::unlimited(), &mut Silent::default());
    match verdict.expect("no internal error") {
        Verdict::Empty(_) => None,
        Verdict::Nonempty(Ok(Witness::Trace(run))) => {
            let trace = model.encoded.decode(&model.flat, &run.trace).expect("values");
            let replayed = Replay::new(&model.flat).check(&trace, Fairness::Ignored);
            assert_eq!(replayed, Ok(()), "{engine}\n{}", model.text());
            Some(trace)
        }
        other => panic!("{engine}: {other:?}\n{}", model.text()),
    }
}

/// Whether an invariant is violated at the end of a path, by the interpreter.
fn is_violated_at_end(model: &SmvModel, invariant: FlatExpression, trace: &Trace) -> bool {
    let is_step = is_about_steps(model, invariant);
    let last = trace.states.len() - 1 - usize::from(is_step);
    let interpreter = Interpreter::new(&model.flat);
    let (states, inputs) = (interpreter.states(), interpreter.inputs());
    let mut evaluation = Evaluation::new(&model.flat.expressions, &[invariant]);
    evaluation.run(|variable, time| match time {
        Time::Next => states.value(&trace.states[last + 1], variable),
        Time::Current => states
            .value(&trace.states[last], variable)
            .or_else(|| inputs.value(trace.inputs.get(last)?, variable)),
    });
    !evaluation.is_true(0)
}

fn is_about_steps(model: &SmvModel, invariant: FlatExpression) -> bool {
    model.flat.expressions.is_about_steps(invariant)
}

/// Runs all engines on an invariant. Returns the number of states of the shortest violation.
fn violated(model: &mut SmvModel, invariant: FlatExpression) -> Option<usize> {
    let target = violation(&model.flat, &mut model.encoded, invariant);
    let lengths = ENGINES.map(|engine| {
        let trace = path(model, target, engine)?;
        assert!(is_violated_at_end(model, invariant, &trace), "{engine}\n{}", model.text());
        Some(trace.states.len())
    });
    assert!(lengths.iter().all(|length| *length == lengths[0]), "{lengths:?}\n{}", model.text());
    lengths[0]
}

#[test]
fn invariants_of_the_table_are_as_by_nusmv() {
    let (mut checked, mut differences) = (0, Vec::new());
    for answer in golden(&["INV"]) {
        let mut model = read(&answer.text);
        let property = model.flat.properties[answer.number - 1].clone();
        assert_eq!(property.kind, PropertyKind::Invariant, "{}", answer.place());
        let found = violated(&mut model, property.operands[0]).is_none().to_string();
        if found != answer.verdict {
            differences.push(format!("{}: {found}, not {}", answer.place(), answer.verdict));
        }
        checked += 1;
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(checked > 250, "{checked} invariants");
}

/// The counter leaves 3 only upwards, stops at 5, and reads the input `i` where it is said.
const COUNTER: &str = "\
MODULE main
IVAR i : boolean;
VAR x : 0..7;
FROZENVAR f : 0..2;
INIT x = 0
TRANS x < 5 & (next(x) = x + 1 | x < 3 & next(x) = 0)
TRANS x = 4 -> i
FAIRNESS x = 7
";

#[test]
fn answers_derived_by_hand() {
    let lengths = [
        // The first state violates it.
        ("x > 0", Some(1)),
        // 0, 1, 2, 3, 4, 5, and 5 is a dead end; no fair path exists at all.
        ("x < 5", Some(6)),
        ("x < 6", None),
        // A step: 5 is left by none, so that it is not checked.
        ("x < 5 & (i | !i)", None),
        ("x < 5 & next(x) >= 0", None),
        // The step from 4 to 5 is one with the input.
        ("x = 4 -> i", None),
        ("x = 4 -> !i", Some(6)),
        ("x = 3 -> !i", Some(5)),
        // The steps back to 0 begin at most at 2.
        ("x = 2 -> next(x) = 3", Some(4)),
        ("next(x) = 0 -> x < 3", None),
        ("next(x) != 5", Some(6)),
        // No step leads to 6.
        ("next(x) < 6", None),
        ("TRUE", None),
        ("FALSE", Some(1)),
        // `next` of what never changes does not make it one about steps.
        ("x < 5 & next(f >= 0)", Some(6)),
        ("x < 5 & next(2 > 1)", Some(6)),
        ("next(f) < 2", Some(1)),
    ];
    for (text, expected) in lengths {
        let mut model = read(COUNTER);
        let invariant = model.expression(text, ExpressionKind::Next, none()).expect("an invariant");
        assert_eq!(violated(&mut model, invariant), expected, "{text}");
    }
}

#[test]
fn dead_ends_are_found() {
    let model = read(COUNTER);
    for engine in ENGINES {
        let trace = path(&model, Target::DeadEnd, engine).expect("5 is a dead end");
        assert_eq!(trace.states.len(), 6, "{engine}");
    }
    let total = read("MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 3;");
    // 3 is not reached; without initial states nothing is.
    let none = read("MODULE main\nVAR x : 0..3;\nINIT x > 3;\nTRANS FALSE");
    for engine in ENGINES {
        assert_eq!(path(&total, Target::DeadEnd, engine), None, "{engine}");
        assert_eq!(path(&none, Target::DeadEnd, engine), None, "{engine}");
    }
}

#[test]
fn targets_that_are_not_about_states_and_undeclared_ones_are_refused() {
    let mut model = read(COUNTER);
    let store = Store::new();
    let step = model.expression("next(x) = 1", ExpressionKind::Next, none()).expect("a step");
    let Target::Step(step) = violation(&model.flat, &mut model.encoded, step) else {
        panic!("`next` is about steps")
    };
    let graph = &mut model.encoded.model.graph;
    let other = graph.variable("other");
    let other = graph.current(other);
    for (target, reason) in [(step, "about a step"), (other, "`other`")] {
        let problem = Problem::paths(&store, &model.encoded.model, Target::State(target));
        let spec: EngineSpec = "invariant:both".parse().expect("an engine");
        let verdict = decide(&problem, &spec, &Budget::unlimited(), &mut Silent::default());
        match verdict {
            Ok(Verdict::Unknown(Stop::Unsupported(why))) => assert!(why.contains(reason), "{why}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_path_that_misses_the_target_is_refused() {
    let model = read(COUNTER);
    let store = Store::new();
    let found = |target| {
        let problem = Problem::paths(&store, &model.encoded.model, target);
        let spec: EngineSpec = "invariant:forward".parse().expect("an engine");
        let verdict = decide(&problem, &spec, &Budget::unlimited(), &mut Silent::default());
        match verdict {
            Ok(Verdict::Nonempty(Ok(witness))) => witness,
            other => panic!("{other:?}"),
        }
    };
    let mut other = read(COUNTER);
    let mut violating = |text| {
        let invariant = other.expression(text, ExpressionKind::Next, none()).expect("an invariant");
        violation(&other.flat, &mut other.encoded, invariant)
    };
    let targets = [violating("x < 5"), violating("x < 4"), violating("x = 3 -> !i")];
    let model = &other.encoded.model;
    let judge = |target, witness: &Witness| {
        let problem = Problem::paths(&store, model, target);
        problem.language.judge(&store, witness, &Budget::unlimited())
    };
    let dead = found(Target::DeadEnd);
    assert_eq!(judge(Target::DeadEnd, &dead), Ok(true));
    assert_eq!(judge(targets[0], &dead), Ok(true));
    // The path goes on after 4; its last step does not leave 3.
    assert_eq!(judge(targets[1], &dead), Ok(true), "5 violates it as well");
    assert_eq!(judge(targets[2], &dead), Ok(false));
    assert_eq!(judge(targets[0], &Witness::Word(dead.word().clone())), Ok(false));
    let Witness::Trace(mut short) = dead else { panic!("a path") };
    let rows: Vec<Vec<bool>> = (0..short.trace.len() - 1)
        .map(|at| (0..short.trace.variable_count()).map(|v| short.trace.value(at, v)).collect())
        .collect();
    short.trace = kermode_system::Trace::new(short.trace.variable_count(), rows, None);
    short.word = model.word(&short.trace);
    // 4 has a successor.
    assert_eq!(judge(Target::DeadEnd, &Witness::Trace(short.clone())), Ok(false));
    assert_eq!(judge(targets[0], &Witness::Trace(short)), Ok(false));
}

/// The reachable states of a model with their distances from the initial states.
struct Explicit {
    found: Exploration,
    distances: Vec<usize>,
}

impl Explicit {
    fn new(interpreter: &mut Interpreter<'_>) -> Option<Self> {
        let found = explore(interpreter, 20_000, none()).unwrap_or_else(|never| match never {});
        if found.is_partial {
            return None;
        }
        let mut distances = vec![0; found.states.len()];
        let mut known = vec![false; found.states.len()];
        known[..found.initial].fill(true);
        // States are numbered in the order of a breadth-first search.
        for state in 0..found.states.len() {
            for &target in &found.targets[found.first_edge[state]..found.first_edge[state + 1]] {
                if !std::mem::replace(&mut known[target as usize], true) {
                    distances[target as usize] = distances[state] + 1;
                }
            }
        }
        Some(Explicit { found, distances })
    }

    /// The number of states of a shortest violation.
    fn violation(&self, model: &SmvModel, invariant: FlatExpression) -> Option<usize> {
        let mut interpreter = Interpreter::new(&model.flat);
        let (states, inputs) = (interpreter.states().clone(), interpreter.inputs().clone());
        let mut evaluation = Evaluation::new(&model.flat.expressions, &[invariant]);
        for (number, state) in self.found.states.iter().enumerate() {
            let length = self.distances[number] + 1;
            if !is_about_steps(model, invariant) {
                evaluation.run(|variable, _| states.value(state, variable));
                if !evaluation.is_true(0) {
                    return Some(length);
                }
                continue;
            }
            let mut is_violated = false;
            let mut visit = |input, next| {
                evaluation.run(|variable, time| match time {
                    Time::Next => states.value(&next, variable),
                    Time::Current => {
                        states.value(state, variable).or(inputs.value(&input, variable))
                    }
                });
                is_violated |= !evaluation.is_true(0);
                if is_violated { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let Ok(()) = interpreter.steps(state, &mut visit, none());
            if is_violated {
                return Some(length + 1);
            }
        }
        None
    }

    fn dead_end(&self) -> Option<usize> {
        let dead = self.found.deadlocks.iter();
        dead.map(|&state| self.distances[state as usize] + 1).min()
    }
}

fn random_models(seeds: std::ops::Range<u64>) -> [usize; 5] {
    let [mut holding, mut violations, mut steps, mut dead, mut long] = [0; 5];
    for seed in seeds {
        let shape = ModelShape { bits: 9, properties: 8, ..ModelShape::default() };
        let text = random_model(&mut Rng::new(seed), &shape).text();
        // One model in thousands has a type error.
        let Some(mut model) = try_read(&text) else {
            continue;
        };
        let flat = model.flat.clone();
        let Some(explicit) = Explicit::new(&mut Interpreter::new(&flat)) else { continue };
        for engine in ENGINES {
            let found = path(&model, Target::DeadEnd, engine).map(|trace| trace.states.len());
            assert_eq!(found, explicit.dead_end(), "{engine}, seed {seed}\n{}", model.text());
        }
        dead += usize::from(explicit.dead_end().is_some());
        let properties = flat.properties.iter();
        let invariants = properties.filter(|property| property.kind == PropertyKind::Invariant);
        let mut invariants: Vec<FlatExpression> =
            invariants.map(|property| property.operands[0]).collect();
        if let Some(farthest) = explicit.found.states.last() {
            let state = Interpreter::new(&flat).states().show(farthest).replace(", ", " & ");
            let text = format!("!({state})");
            let read = model.expression(&text, ExpressionKind::Simple, none());
            invariants.push(read.expect("an invariant"));
        }
        for invariant in invariants {
            let expected = explicit.violation(&model, invariant);
            let found = violated(&mut model, invariant);
            assert_eq!(found, expected, "seed {seed}\n{}", model.text());
            let is_violated = usize::from(found.is_some());
            holding += 1 - is_violated;
            violations += is_violated;
            steps += is_violated * usize::from(is_about_steps(&model, invariant));
            long += usize::from(found.is_some_and(|length| length > 2));
        }
    }
    [holding, violations, steps, dead, long]
}

#[test]
fn random_models_agree_with_exploration() {
    let counts = random_models(0..250);
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}

#[test]
#[ignore = "a campaign of some minutes"]
fn two_thousand_random_models_agree_with_exploration() {
    random_models(250..2_250);
}
