//! Expressions, products, the cone of influence and replay, on random systems and by their
//! definitions.

mod oracle;

use kermode_base::Rng;
use kermode_system::{
    ConstraintKind, Graph, System, Trace, Variable, Violation, by_name, cone_of_influence, product,
    replay,
};
use oracle::Explicit;
use oracle::random::{expression, holds, system, trace};

fn replayed(graph: &Graph, system: &System, trace: &Trace) -> Result<(), Violation> {
    replay::<()>(graph, system, trace, &mut || Ok(())).expect("no interrupt")
}

fn variables(graph: &mut Graph, names: &[&str]) -> Vec<Variable> {
    names.iter().map(|name| graph.variable(name)).collect()
}

/// The violation by the definition: steps in order, at each step the kinds in the order of replay.
fn violation(
    graph: &Graph,
    system: &System,
    trace: &Trace,
) -> Option<(ConstraintKind, usize, usize)> {
    let kinds = [
        (ConstraintKind::Initial, system.initial()),
        (ConstraintKind::Invariant, system.invariants()),
        (ConstraintKind::Transition, system.transition()),
    ];
    for step in 0..trace.len() {
        for (kind, constraints) in kinds {
            let counts = match kind {
                ConstraintKind::Initial => step == 0,
                ConstraintKind::Transition => trace.successor(step).is_some(),
                _ => true,
            };
            if counts {
                let fails = |&e: &_| !holds(graph, system, trace, step, e);
                if let Some(number) = constraints.iter().position(fails) {
                    return Some((kind, number, step));
                }
            }
        }
    }
    let mut steps = trace.loop_start()?..trace.len();
    let never = |&e: &_| !steps.clone().any(|step| holds(graph, system, trace, step, e));
    let number = system.justice().iter().position(never)?;
    Some((ConstraintKind::Justice, number, steps.next().expect("a step")))
}

#[test]
fn replay_is_the_definition() {
    let mut rng = Rng::new(1);
    let (mut accepted, mut finite) = (0, 0);
    for _ in 0..2000 {
        let mut graph = Graph::new();
        let variables = variables(&mut graph, &["x", "y", "z"]);
        let system = system(&mut graph, &mut rng, &variables);
        let steps = rng.between(1, 4);
        let trace = trace(&mut rng, 3, steps);
        let found = replayed(&graph, &system, &trace).err().map(|v| (v.kind, v.number, v.step));
        assert_eq!(found, violation(&graph, &system, &trace));
        accepted += usize::from(found.is_none());
        finite += usize::from(found.is_none() && trace.loop_start().is_none());
    }
    assert!(accepted - finite > 50, "{accepted} traces were runs");
    assert!(finite > 20, "{finite} finite traces were paths");
}

/// Values are kept in words of 64 steps: long traces, with one constraint that one step violates.
#[test]
fn replay_of_long_traces() {
    let mut rng = Rng::new(2);
    for steps in [1, 63, 64, 65, 127, 128, 129, 200] {
        let mut graph = Graph::new();
        let mut system = System::free(&mut graph, ["x", "y"]);
        let (x, y) = (system.variables()[0], system.variables()[1]);
        let (now, next) = (graph.current(x), graph.next(y));
        let copies = graph.iff(now, next);
        system.add_transition(&graph, copies);
        for _ in 0..50 {
            let start = rng.below(steps);
            let is_finite = rng.below(4) == 0;
            let xs: Vec<bool> = (0..steps).map(|_| rng.coin()).collect();
            // `y` is what `x` was, which at the beginning of the loop must be one value.
            let mut rows: Vec<[bool; 2]> =
                (0..steps).map(|i| [xs[i], i > 0 && xs[i - 1]]).collect();
            if !is_finite {
                rows[start][1] = xs[steps - 1];
            }
            let trace = Trace::new(2, rows, (!is_finite).then_some(start));
            let found = replayed(&graph, &system, &trace).err().map(|v| (v.kind, v.number, v.step));
            assert_eq!(found, violation(&graph, &system, &trace), "{steps} steps");
        }
    }
}

#[test]
fn violations_say_what_and_where() {
    let mut graph = Graph::new();
    let mut system = System::free(&mut graph, ["x"]);
    let x = system.variables()[0];
    let (now, next) = (graph.current(x), graph.next(x));
    let change = graph.xor(now, next);
    system.add_transition(&graph, change);
    let rising = graph.not(now);
    let rising = graph.and(rising, next);
    system.add_justice(rising);
    let row = |value| [value];
    let fair = Trace::new(1, [true, false].map(row), Some(0));
    assert_eq!(replayed(&graph, &system, &fair), Ok(()));
    let stays = Trace::new(1, [true, false, false].map(row), Some(0));
    let violation = replayed(&graph, &system, &stays).expect_err("it stays");
    assert_eq!(violation.to_string(), "transition constraint 1 fails from step 1 to the next");
    let mut system = System::free(&mut graph, []);
    system.add_variable(x);
    system.add_justice(rising);
    let never = Trace::new(1, [false, true, true].map(row), Some(1));
    let violation = replayed(&graph, &system, &never).expect_err("it rises once only");
    assert_eq!(
        violation.to_string(),
        "justice constraint 1 never holds in the loop from step 1 on"
    );
}

/// A lasso is a run of the product if and only if it is, seen on their variables, a run of both.
#[test]
fn products_have_the_common_runs() {
    let mut rng = Rng::new(3);
    let mut common = 0;
    for _ in 0..300 {
        let mut graph = Graph::new();
        let (ours, theirs) =
            (variables(&mut graph, &["x", "y"]), variables(&mut graph, &["z", "y"]));
        let first = system(&mut graph, &mut rng, &ours);
        let second = system(&mut graph, &mut rng, &theirs);
        let shared = by_name(&graph, &first, &second);
        assert_eq!(shared, [(theirs[1], ours[1])]);
        let both = product(&mut graph, &first, &second, &shared);
        assert_eq!(both.variables(), [ours[0], ours[1], theirs[0]]);
        for _ in 0..100 {
            let steps = rng.between(1, 3);
            let whole = trace(&mut rng, 3, steps);
            let seen = |positions: [usize; 2]| {
                let row = |step| positions.map(|position| whole.value(step, position));
                Trace::new(2, (0..whole.len()).map(row), whole.loop_start())
            };
            let is_common = replayed(&graph, &first, &seen([0, 1])).is_ok()
                && replayed(&graph, &second, &seen([2, 1])).is_ok();
            assert_eq!(replayed(&graph, &both, &whole).is_ok(), is_common);
            common += usize::from(is_common);
        }
    }
    assert!(common > 100, "{common} common runs");
}

/// The cone and the whole are empty together, also when something more is demanded of what is
/// looked at.
#[test]
fn cones_keep_what_can_be_seen() {
    let mut rng = Rng::new(4);
    let (mut dropped, mut empty) = (0, 0);
    for _ in 0..1500 {
        let mut graph = Graph::new();
        let variables = variables(&mut graph, &["v", "w", "x", "y", "z"]);
        let mut whole = system(&mut graph, &mut rng, &variables);
        let observed = [rng.choose(&variables)];
        let reduced = cone_of_influence(&graph, &whole, &observed);
        let mut cone = reduced.system.clone();
        assert!(cone.variables().contains(&observed[0]));
        dropped += whole.variables().len() - cone.variables().len();
        for system in [&mut whole, &mut cone] {
            let mut rng = rng.clone();
            let demand = expression(&mut graph, &mut rng, &observed, false, 1);
            system.add_initial(&graph, demand);
            let demand = expression(&mut graph, &mut rng, &observed, true, 2);
            system.add_justice(demand);
        }
        let runs = [&whole, &cone].map(|system| Explicit::new(&graph, system).fair_run());
        let verdicts = [runs[0].is_some(), runs[1].is_some()];
        assert_eq!(verdicts[0], verdicts[1], "{whole:?}\n{cone:?}\n{graph:?}");
        empty += usize::from(!verdicts[0]);
        if let Some(run) = &runs[1] {
            let run = reduced.extended::<()>(&graph, &whole, run, 1_000, &mut || Ok(()));
            let run = run.expect("no interrupt").expect("a short run");
            assert_eq!(replayed(&graph, &whole, &run), Ok(()), "{whole:?}\n{cone:?}\n{graph:?}");
        }
    }
    assert!(dropped > 500, "{dropped} variables were dropped");
    assert!(empty > 100, "{empty} systems were empty");
}

/// What is not connected to the observed variable, but empty, stays; what is assigned goes.
#[test]
fn cones_keep_what_can_be_empty() {
    let mut graph = Graph::new();
    let mut system = System::free(&mut graph, ["x", "counter", "stuck"]);
    let [x, counter, stuck] = [0, 1, 2].map(|i| system.variables()[i]);
    let (now, next) = (graph.current(counter), graph.next(counter));
    let toggles = graph.xor(next, now);
    system.add_transition(&graph, toggles);
    let (now, next) = (graph.current(stuck), graph.next(stuck));
    let (stays, never) = (graph.iff(next, now), graph.not(now));
    system.add_initial(&graph, now);
    system.add_transition(&graph, stays);
    system.add_justice(never);
    let cone = cone_of_influence(&graph, &system, &[x]).system;
    assert!(cone.variables().contains(&stuck));
    assert!(Explicit::new(&graph, &cone).fair_run().is_none());
    assert!(!cone.variables().contains(&counter), "a toggle can always follow");
}

#[test]
fn expressions_are_shared_and_folded() {
    let mut graph = Graph::new();
    let [x, y] = ["x", "y"].map(|name| graph.variable(name)).map(|v| graph.current(v));
    let (both, swapped) = (graph.and(x, y), graph.and(y, x));
    assert_eq!(both, swapped);
    let not = graph.not(x);
    let (truth, falsity) = (graph.constant(true), graph.constant(false));
    assert_eq!(graph.or(x, not), truth);
    assert_eq!(graph.iff(not, x), falsity);
    assert_eq!(graph.implies(x, not), not);
    assert_eq!(graph.if_then_else(x, y, y), y);
    let later = graph.shift(&[both])[0];
    assert!(graph.looks_ahead(later) && !graph.looks_ahead(both));
    let all = graph.and(both, not);
    assert_eq!(graph.conjuncts(all), [x, y, not]);
    assert_eq!(graph.conjuncts(truth), []);
}
