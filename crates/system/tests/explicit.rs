//! Explicit states and steps of random models, compared with all assignments one by one.

mod oracle;

use std::collections::BTreeSet;

use kermode_base::Rng;
use kermode_system::{
    Batch, Below, Domain, ExplicitModel, Expression, Graph, Model, Position, SymbolKind, Variable,
};
use oracle::random::{expression, system};

/// A step: the target, and the observations.
type Step = (u32, u64);

/// A model over some variables, the last of which are inputs.
struct Case {
    model: Model,
    observed: Vec<Expression>,
}

impl Case {
    fn new(rng: &mut Rng, count: usize, inputs: usize) -> Case {
        let mut model = Model::new();
        for number in 0..count {
            let kind = if number < count - inputs { SymbolKind::State } else { SymbolKind::Input };
            model.declare(&format!("v{number}"), kind, Domain::Boolean);
        }
        let variables = model.order.clone();
        // No constraint mentions the next value of an input.
        let states = &variables[..count - inputs];
        let constraints = system(&mut model.graph, rng, states);
        let ahead = constraints.transition().to_vec();
        for constraint in ahead {
            let input = rng.choose(&variables);
            let input = model.graph.current(input);
            let constraint = match rng.below(3) {
                0 => constraint,
                1 => model.graph.or(constraint, input),
                _ => model.graph.implies(input, constraint),
            };
            model.system.add_transition(&model.graph, constraint);
        }
        for &constraint in constraints.initial() {
            model.system.add_initial(&model.graph, constraint);
        }
        for &constraint in constraints.invariants() {
            model.system.add_invariant(&model.graph, constraint);
        }
        if rng.coin() {
            let constraint = expression(&mut model.graph, rng, &variables, false, 1);
            model.system.add_invariant(&model.graph, constraint);
        }
        let mut observed: Vec<Expression> =
            (0..rng.below(3)).map(|_| expression(&mut model.graph, rng, states, true, 1)).collect();
        observed.push(model.graph.current(rng.choose(&variables)));
        Case { model, observed }
    }

    fn is_input(&self, variable: Variable) -> bool {
        let symbols = self.model.symbols.iter();
        let mut inputs = symbols.filter(|symbol| symbol.kind == SymbolKind::Input);
        inputs.any(|symbol| symbol.bits.contains(&variable))
    }

    fn states(&self) -> usize {
        self.model.order.iter().filter(|&&variable| !self.is_input(variable)).count()
    }

    /// The values of expressions with these values of the variables and of the next ones.
    fn values(&self, expressions: &[Expression], now: u32, next: u32) -> Vec<bool> {
        let graph: &Graph = &self.model.graph;
        let below = Below::of(graph, expressions);
        let of = |values: u32, v: Variable| u64::from(values >> v.index() & 1);
        let values = graph.values(&below, |v| of(now, v), |v| of(next, v));
        expressions.iter().map(|&e| values[below.position(e)] & 1 == 1).collect()
    }

    fn holds(&self, constraints: &[Expression], now: u32, next: u32) -> bool {
        self.values(constraints, now, next).into_iter().all(|holds| holds)
    }

    /// All assignments of the inputs, at the places of their variables.
    fn inputs(&self) -> impl Iterator<Item = u32> {
        let states = self.states();
        (0..1_u32 << (self.model.order.len() - states)).map(move |inputs| inputs << states)
    }

    /// The states that satisfy the constraints with some inputs, by the definition.
    fn some(&self, constraints: &[Expression]) -> BTreeSet<u32> {
        let is_one =
            |state: &u32| self.inputs().any(|inputs| self.holds(constraints, state | inputs, 0));
        (0..1 << self.states()).filter(is_one).collect()
    }

    /// The invariants without inputs.
    fn invariants_of_states(&self) -> Vec<Expression> {
        let all = self.model.system.invariants().iter().copied();
        let is_of_states = |e: &Expression| {
            !self.model.graph.variables(&[*e]).into_iter().any(|v| self.is_input(v))
        };
        all.filter(is_of_states).collect()
    }

    /// The steps from a state, by the definition.
    fn steps(&self, state: u32) -> BTreeSet<Step> {
        let system = &self.model.system;
        let now: Vec<Expression> = [system.transition(), system.invariants()].concat();
        let later = self.invariants_of_states();
        let mut steps = BTreeSet::new();
        for inputs in self.inputs() {
            for next in (0..1 << self.states()).filter(|&next| self.holds(&later, next, 0)) {
                if self.holds(&now, state | inputs, next) {
                    let seen = self.values(&self.observed, state | inputs, next);
                    let seen = seen.iter().enumerate().map(|(i, &b)| u64::from(b) << i).sum();
                    steps.insert((next, seen));
                }
            }
        }
        steps
    }
}

/// All batches of a search.
fn all(mut next: impl FnMut(Option<&Position>, &mut Batch) -> Option<Position>) -> Vec<Step> {
    let (mut found, mut batch, mut position) = (Vec::new(), Batch::default(), None);
    loop {
        position = next(position.as_ref(), &mut batch);
        for lane in batch.each_lane() {
            let target = batch.target(lane).first().copied().unwrap_or(0);
            let seen = batch.observations(lane).first().copied().unwrap_or(0);
            found.push((target, seen));
        }
        if position.is_none() {
            return found;
        }
    }
}

fn go_on() -> Result<(), ()> {
    Ok(())
}

/// States, steps and observations are those of the definition, and each step has inputs.
#[test]
fn states_and_steps_are_those_of_the_definition() {
    let (mut several_batches, mut dead_ends) = (0, 0);
    for seed in 0..300 {
        let rng = &mut Rng::new(seed);
        let (count, inputs) = (2 + rng.below(7), rng.below(3));
        let case = Case::new(rng, count + inputs, inputs);
        let mut explicit = ExplicitModel::new(&case.model, &case.observed);
        let mut traced = ExplicitModel::with_inputs(&case.model, &case.observed);
        let initial = [case.model.system.initial(), case.model.system.invariants()].concat();
        let found = all(|p, batch| explicit.initial(p, batch, &mut go_on).expect("no interrupt"));
        let states: BTreeSet<u32> = found.iter().map(|step| step.0).collect();
        assert_eq!(states, case.some(&initial), "seed {seed}");
        for state in (0..1 << case.states()).step_by(1 + (1 << case.states()) / 8) {
            let mut batches = 0;
            let found = all(|position, batch| {
                batches += 1;
                explicit.steps(&[state], position, batch, &mut go_on).expect("no interrupt")
            });
            several_batches += usize::from(batches > 1);
            dead_ends += usize::from(found.is_empty());
            let steps: BTreeSet<Step> = found.into_iter().collect();
            assert_eq!(steps, case.steps(state), "seed {seed}, state {state}");
            check_inputs(&case, &mut traced, state);
        }
    }
    assert!(several_batches > 50 && dead_ends > 50, "{several_batches}, {dead_ends}");
}

/// The steps with inputs satisfy all constraints.
fn check_inputs(case: &Case, traced: &mut ExplicitModel, state: u32) {
    let system = &case.model.system;
    let constraints = [system.transition(), system.invariants()].concat();
    let (mut batch, mut position) = (Batch::default(), None);
    let mut steps = BTreeSet::new();
    loop {
        let next = traced.steps(&[state], position.as_ref(), &mut batch, &mut go_on);
        position = next.expect("no interrupt");
        for lane in batch.each_lane() {
            let inputs: u32 = traced.inputs_of(lane).map(|input| 1 << input.index()).sum();
            let target = batch.target(lane)[0];
            assert!(case.holds(&constraints, state | inputs, target), "{state}, {inputs}");
            let seen = case.values(&case.observed, state | inputs, target);
            let seen: u64 = seen.iter().enumerate().map(|(i, &b)| u64::from(b) << i).sum();
            assert_eq!(batch.observations(lane)[0], seen, "{state}, {inputs}, {target}");
            steps.insert((target, seen));
        }
        if position.is_none() {
            break;
        }
    }
    assert_eq!(steps, case.steps(state));
}

/// A model without variables has one state and one step, and a false constraint none.
#[test]
fn models_without_variables() {
    let mut model = Model::new();
    let mut explicit = ExplicitModel::new(&model, &[]);
    assert_eq!(all(|p, b| explicit.initial(p, b, &mut go_on).expect("no interrupt")), [(0, 0)]);
    assert_eq!(all(|p, b| explicit.steps(&[], p, b, &mut go_on).expect("no interrupt")), [(0, 0)]);
    let no = model.graph.constant(false);
    model.system.add_transition(&model.graph, no);
    let mut explicit = ExplicitModel::new(&model, &[]);
    assert!(all(|p, b| explicit.steps(&[], p, b, &mut go_on).expect("no interrupt")).is_empty());
}

/// A state without steps has none, also after a state whose steps were left after the first batch.
#[test]
fn steps_that_were_left_are_not_those_of_other_states() {
    let mut model = Model::new();
    for number in 0..20 {
        model.declare(&format!("v{number}"), SymbolKind::State, Domain::Boolean);
    }
    let first = model.graph.current(model.order[0]);
    let constraint = model.graph.not(first);
    model.system.add_transition(&model.graph, constraint);
    let mut explicit = ExplicitModel::new(&model, &[]);
    let mut batch = Batch::default();
    let rest = explicit.steps(&[0], None, &mut batch, &mut go_on).expect("no interrupt");
    assert!(rest.is_some(), "{rest:?} {}", batch.each_lane().count());
    let rest = explicit.steps(&[1], None, &mut batch, &mut go_on).expect("no interrupt");
    assert!(rest.is_none() && batch.each_lane().count() == 0, "{rest:?}");
}

/// Constraints prune early: of forty free bits with one value each, only that value is tried.
#[test]
fn constraints_are_checked_as_early_as_possible() {
    let mut model = Model::new();
    for number in 0..40 {
        let bit = model.declare(&format!("v{number}"), SymbolKind::State, Domain::Boolean).bits[0];
        let (now, next) = (model.graph.current(bit), model.graph.next(bit));
        // Not the shape of a definition.
        let rises = model.graph.implies(now, next);
        let falls = model.graph.implies(next, now);
        model.system.add_transition(&model.graph, rises);
        model.system.add_transition(&model.graph, falls);
    }
    let mut explicit = ExplicitModel::new(&model, &[]);
    let (mut batch, mut checks) = (Batch::default(), 0);
    let state = [0xDEAD_BEEF, 0x5A];
    let count = &mut || {
        checks += 1;
        Ok::<(), ()>(())
    };
    let rest = explicit.steps(&state, None, &mut batch, count).expect("no interrupt");
    assert!(rest.is_none() && checks < 10, "{checks}");
    assert_eq!(
        batch.each_lane().map(|lane| batch.target(lane).to_vec()).collect::<Vec<_>>(),
        [state]
    );
}
