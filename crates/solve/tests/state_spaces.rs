//! State spaces: known models, and random ones compared with all states and steps written out.

#[path = "../../system/tests/oracle/random.rs"]
#[allow(dead_code, reason = "this test uses a part")]
mod random;

use std::collections::{BTreeMap, BTreeSet};

use kermode_base::{Natural, Rng};
use kermode_solve::state_space::{GraphError, Totality, list_states, state_graph, state_space};
use kermode_solve::{Budget, Cancellation, Limits, Silent, Stop};
use kermode_system::{Below, Domain, Expression, Model, SymbolKind, Variable};

fn measured(model: &Model) -> kermode_solve::state_space::StateSpace {
    state_space(model, &Budget::unlimited(), &mut Silent::default(), &mut |_| ())
}

fn number(number: usize) -> Option<Natural> {
    Some(Natural::from(number as u64))
}

/// A range of numbers.
fn range(end: usize) -> Domain {
    Domain::Values((0..end).map(|value| value.to_string()).collect())
}

/// The condition that a symbol has the value with a code, now or next.
fn has_value(model: &mut Model, bits: &[Variable], code: usize, next: bool) -> Expression {
    let literals: Vec<Expression> = (0..bits.len())
        .map(|place| {
            let graph = &mut model.graph;
            let bit = if next { graph.next(bits[place]) } else { graph.current(bits[place]) };
            if code >> place & 1 == 1 { bit } else { graph.not(bit) }
        })
        .collect();
    model.graph.all(literals)
}

/// A counter from 0 to `end - 1` that an input may stop. At the end it stays, or it has no
/// successor.
fn counter(end: usize, stays: bool) -> Model {
    let mut model = Model::new();
    let bits = model.declare("x", SymbolKind::State, range(end)).bits.clone();
    let stop = model.declare("stop", SymbolKind::Input, Domain::Boolean).bits[0];
    let first = has_value(&mut model, &bits, 0, false);
    model.system.add_initial(&model.graph, first);
    for code in 0..end {
        let here = has_value(&mut model, &bits, code, false);
        let kept = has_value(&mut model, &bits, code, true);
        let stop = model.graph.current(stop);
        let target = match (code + 1 < end, stays) {
            (true, _) => {
                let next = has_value(&mut model, &bits, code + 1, true);
                model.graph.if_then_else(stop, kept, next)
            }
            (false, true) => kept,
            (false, false) => model.graph.constant(false),
        };
        let step = model.graph.implies(here, target);
        model.system.add_transition(&model.graph, step);
    }
    model
}

#[test]
fn a_counter() {
    let space = measured(&counter(6, true));
    assert_eq!((space.state_bits, space.input_bits), (3, 1));
    assert_eq!((space.initial, space.reachable), (number(1), number(6)));
    assert_eq!((space.fair, space.deadlocks), (number(6), number(0)));
    assert_eq!((space.depth, space.totality), (Some(6), Some(Totality::Total)));
    assert_eq!(space.stop, None);
    assert!(space.reachable_nodes.is_some_and(|nodes| nodes > 0 && space.peak_nodes > nodes));
}

#[test]
fn a_counter_that_ends() {
    let space = measured(&counter(6, false));
    assert_eq!((space.reachable, space.deadlocks), (number(6), number(1)));
    assert_eq!((space.depth, space.totality), (Some(6), Some(Totality::Deadlocks)));
    // The input may stop the counter for ever before.
    assert_eq!(space.fair, number(5));
}

/// The input `stop` is false infinitely often, so the counter reaches its last value, which has no
/// successor.
#[test]
fn justice_about_an_input() {
    let mut model = counter(6, false);
    let stop = model.symbols[1].bits[0];
    let runs = model.graph.current(stop);
    let runs = model.graph.not(runs);
    model.system.add_justice(runs);
    assert_eq!(measured(&model).fair, number(0));
    let mut model = counter(6, true);
    let runs = model.graph.current(stop);
    model.system.add_justice(runs);
    assert_eq!(measured(&model).fair, number(6));
}

#[test]
fn free_models_have_exact_numbers() {
    let mut model = Model::new();
    for name in 0..150 {
        model.declare(&format!("x{name}"), SymbolKind::State, range(3));
    }
    let space = measured(&model);
    // 3^150
    let expected = "369988485035126972924700782451696644186473100389722973815184405301748249";
    assert_eq!(space.reachable.expect("a number").to_string(), expected);
    assert_eq!(space.fair.expect("a number").to_string(), expected);
    assert_eq!((space.depth, space.state_bits), (Some(1), 300));
}

#[test]
fn no_state_and_no_variable() {
    let space = measured(&Model::new());
    assert_eq!((space.initial, space.reachable, space.fair), (number(1), number(1), number(1)));
    assert_eq!(space.depth, Some(1));
    let mut model = counter(4, true);
    let never = model.graph.constant(false);
    model.system.add_initial(&model.graph, never);
    let space = measured(&model);
    assert_eq!((space.initial, space.reachable, space.fair), (number(0), number(0), number(0)));
    assert_eq!((space.depth, space.totality), (Some(0), Some(Totality::Total)));
}

#[test]
fn a_stop_keeps_what_was_found() {
    let limits = Limits { wall: Some(std::time::Duration::ZERO), ..Limits::default() };
    let budget = Budget::new(limits, Cancellation::new());
    let space = state_space(&counter(6, true), &budget, &mut Silent::default(), &mut |_| ());
    assert_eq!((space.stop, space.reachable), (Some(Stop::Timeout), None));
    assert_eq!((space.state_bits, space.input_bits), (3, 1));
}

#[test]
fn states_as_values() {
    let mut model = counter(6, true);
    let bits = model.symbols[0].bits.clone();
    let small = model.graph.current(bits[2]);
    let small = model.graph.not(small);
    let list = |most| {
        let (budget, observer) = (&Budget::unlimited(), &mut Silent::default());
        list_states(&model, small, most, budget, observer).expect("a list")
    };
    let all = list(100);
    assert_eq!(Some(all.total), number(4));
    let values = |state: &kermode_solve::state_space::State| {
        let values = state.values(&model).into_iter();
        values.map(|(symbol, value)| format!("{}={value}", symbol.name)).collect::<String>()
    };
    let found: BTreeSet<String> = all.states.iter().map(values).collect();
    assert_eq!(found, ["x=0", "x=1", "x=2", "x=3"].map(str::to_owned).into());
    let some = list(3);
    assert_eq!((some.states.len(), Some(some.total)), (3, number(4)));
}

#[test]
fn large_graphs_are_refused() {
    let graph = |states, steps| {
        let (budget, observer) = (&Budget::unlimited(), &mut Silent::default());
        state_graph(&counter(6, true), states, steps, budget, observer)
    };
    assert_eq!(graph(5, 99), Err(GraphError::TooManyStates(Natural::from(6u64))));
    assert_eq!(graph(6, 10), Err(GraphError::TooManySteps(Natural::from(11u64))));
    assert_eq!(graph(6, 11).expect("a graph").edges.len(), 11);
}

/// All states and steps of a model, written out. A state is a number whose bits are the values of
/// the state variables.
struct Explicit<'m> {
    model: &'m Model,
    below: Below,
    states: Vec<Variable>,
    inputs: Vec<Variable>,
}

/// The targets of the steps of a state with the justice constraints that they satisfy.
type Steps = BTreeSet<(usize, Vec<bool>)>;

impl<'m> Explicit<'m> {
    fn new(model: &'m Model) -> Self {
        let of_kind = |input: bool| {
            let symbols = model.symbols.iter();
            let symbols = symbols.filter(|symbol| (symbol.kind == SymbolKind::Input) == input);
            symbols.flat_map(|symbol| symbol.bits.clone()).collect()
        };
        let below = Below::of(&model.graph, &model.system.constraints());
        Explicit { model, below, states: of_kind(false), inputs: of_kind(true) }
    }

    /// Whether each expression holds.
    fn hold(&self, now: usize, input: usize, next: usize, all: &[Expression]) -> Vec<bool> {
        let value = |number: usize, variables: &[Variable], variable| {
            let place = variables.iter().position(|&other| other == variable)?;
            Some(if number >> place & 1 == 1 { u64::MAX } else { 0 })
        };
        let current = |variable| {
            let input = value(input, &self.inputs, variable);
            value(now, &self.states, variable).or(input).expect("a variable")
        };
        let later = |variable| value(next, &self.states, variable).expect("a state variable");
        let values = self.model.graph.values(&self.below, current, later);
        all.iter().map(|&e| values[self.below.position(e)] & 1 == 1).collect()
    }

    fn all_hold(&self, now: usize, input: usize, next: usize, all: &[Expression]) -> bool {
        self.hold(now, input, next, all).into_iter().all(|holds| holds)
    }

    fn is_legal(&self, state: usize) -> bool {
        self.inputs().any(|i| self.all_hold(state, i, 0, self.model.system.invariants()))
    }

    fn is_initial(&self, state: usize) -> bool {
        let system = &self.model.system;
        let both: Vec<_> = system.invariants().iter().chain(system.initial()).copied().collect();
        self.inputs().any(|input| self.all_hold(state, input, 0, &both))
    }

    fn inputs(&self) -> std::ops::Range<usize> {
        0..1 << self.inputs.len()
    }

    fn steps(&self, state: usize) -> Steps {
        let system = &self.model.system;
        let both: Vec<_> = system.invariants().iter().chain(system.transition()).copied().collect();
        let mut steps = Steps::new();
        for next in (0..1 << self.states.len()).filter(|&next| self.is_legal(next)) {
            for input in self.inputs().filter(|&input| self.all_hold(state, input, next, &both)) {
                steps.insert((next, self.hold(state, input, next, system.justice())));
            }
        }
        steps
    }
}

/// The states that remain when those are removed, again and again, from which no path within the
/// others has a step with this mark, for each mark.
fn fair(graph: &BTreeMap<usize, Steps>, marks: usize) -> BTreeSet<usize> {
    let mut left: BTreeSet<usize> = graph.keys().copied().collect();
    loop {
        let before = left.len();
        for mark in 0..marks.max(1) {
            let is_just = |just: &Vec<bool>| just.get(mark).copied().unwrap_or(true);
            let mut good: BTreeSet<usize> = BTreeSet::new();
            loop {
                let leads = |state: &usize| {
                    let mut steps = graph[state].iter().filter(|(next, _)| left.contains(next));
                    steps.any(|(next, just)| is_just(just) || good.contains(next))
                };
                let more: BTreeSet<usize> = left.iter().copied().filter(leads).collect();
                if more == good {
                    break;
                }
                good = more;
            }
            left = good;
        }
        if left.len() == before {
            return left;
        }
    }
}

fn check(model: &Model) -> [bool; 3] {
    let explicit = Explicit::new(model);
    let all: Vec<usize> = (0..1 << explicit.states.len()).collect();
    let initial: BTreeSet<usize> =
        all.iter().copied().filter(|&state| explicit.is_initial(state)).collect();
    let (mut graph, mut depth, mut layer) = (BTreeMap::new(), 0, initial.clone());
    while !layer.is_empty() {
        depth += 1;
        for &state in &layer {
            graph.insert(state, explicit.steps(state));
        }
        let next = layer.iter().flat_map(|state| &graph[state]).map(|&(next, _)| next);
        layer = next.filter(|next| !graph.contains_key(next)).collect();
    }
    let deadlocks = graph.values().filter(|steps| steps.is_empty()).count();
    let dead = |state: &&usize| explicit.is_legal(**state) && explicit.steps(**state).is_empty();
    let totality = match (deadlocks, all.iter().filter(dead).count()) {
        (0, 0) => Totality::Total,
        (0, _) => Totality::UnreachableDeadlocks,
        _ => Totality::Deadlocks,
    };
    let space = measured(model);
    let fair = fair(&graph, model.system.justice().len());
    assert_eq!((&space.stop, space.depth), (&None, Some(depth)));
    assert_eq!((space.initial, space.reachable), (number(initial.len()), number(graph.len())));
    assert_eq!((space.fair, space.deadlocks), (number(fair.len()), number(deadlocks)));
    assert_eq!(space.totality, Some(totality));

    let (budget, observer) = (&Budget::unlimited(), &mut Silent::default());
    let found = state_graph(model, 1_000, 100_000, budget, observer).expect("a graph");
    let edges = graph.values().map(|steps| {
        let targets: BTreeSet<usize> = steps.iter().map(|&(next, _)| next).collect();
        targets.len()
    });
    assert_eq!((found.states.len(), found.initial.len()), (graph.len(), initial.len()));
    assert_eq!(found.edges.len(), edges.sum::<usize>());
    let is_partly_fair = !fair.is_empty() && fair.len() < graph.len();
    [is_partly_fair, totality == Totality::UnreachableDeadlocks, depth > 2]
}

/// Constraints may mention inputs, but not their next values.
fn random_model(rng: &mut Rng) -> Model {
    let mut model = Model::new();
    let mut states = model.declare("x", SymbolKind::State, range(rng.between(2, 5))).bits.clone();
    for name in ["y", "z"] {
        states.extend(&model.declare(name, SymbolKind::State, Domain::Boolean).bits);
    }
    if rng.coin() {
        states.extend(&model.declare("f", SymbolKind::Frozen, Domain::Boolean).bits);
    }
    let mut all = states.clone();
    for name in ["i", "j"].iter().take(rng.below(3)) {
        all.extend(&model.declare(name, SymbolKind::Input, range(rng.between(2, 3))).bits);
    }
    let Model { graph, system, .. } = &mut model;
    for _ in 0..rng.between(1, 3) {
        let constraint = random::expression(graph, rng, &states, false, 2);
        system.add_initial(graph, constraint);
    }
    for _ in 0..rng.between(1, 4) {
        let condition = random::expression(graph, rng, &all, false, 2);
        let change = random::expression(graph, rng, &states, true, 2);
        let constraint = if rng.coin() {
            graph.iff(condition, change)
        } else {
            graph.implies(condition, change)
        };
        system.add_transition(graph, constraint);
    }
    if rng.below(3) == 0 {
        let constraint = random::expression(graph, rng, &all, false, 2);
        system.add_invariant(graph, constraint);
    }
    for _ in 0..rng.below(3) {
        let mut constraint = random::expression(graph, rng, &all, false, 2);
        if rng.below(3) == 0 {
            let ahead = random::expression(graph, rng, &states, true, 1);
            constraint = graph.and(constraint, ahead);
        }
        system.add_justice(constraint);
    }
    model
}

#[test]
fn random_models() {
    let mut rng = Rng::new(2006);
    let mut seen = [0; 3];
    for _ in 0..300 {
        let found = check(&random_model(&mut rng));
        seen.iter_mut().zip(found).for_each(|(seen, found)| *seen += usize::from(found));
    }
    assert!(seen.iter().all(|&times| times > 10), "{seen:?}");
}
