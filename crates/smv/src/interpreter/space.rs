//! Initial states and steps of a flat model.
//!
//! Init(s) is the conjunction of `INIT`, initial assignments, `INVAR` and current assignments.
//! Step(s, i, s') is the conjunction of `TRANS`, next assignments, and `INVAR` and current
//! assignments on both states; frozen variables keep their values. A constraint or an assignment
//! that fails does not hold. Dead ends may have loops ([`dead_loops`](super::dead_loops)).

use std::cell::RefCell;
use std::ops::ControlFlow;

use rustc_hash::FxHashSet;

use super::dead_loops::{DeadLoops, RightMarks};
use super::evaluate::{Program, Time};
use super::network::Network;
use super::operations::Slot;
use super::search::{Wanted, assume, solutions};
use super::state::{Layout, State};
use crate::flat::{Features, FlatBinary, FlatExpression, FlatModel, Value, VariableId};
use crate::syntax::{AssignmentKind, ConstraintKind, VariableKind};

/// The step relation over variables of the current state, inputs, and variables of the next state;
/// or a condition on states.
#[derive(Clone, Debug)]
pub(super) struct Relation<'m> {
    network: Network<'m>,
    places: Places,
}

/// The variables of a [`Relation`].
#[derive(Clone, Debug)]
struct Places {
    /// The variables of the given state with their instructions; of a condition there are none.
    given: Vec<(VariableId, u32)>,
    /// By leaf: whether it is a variable of the next state; of a condition, of the state.
    is_target: Vec<bool>,
    /// By leaf: whether it is one of those or an input.
    is_chosen: Vec<bool>,
    /// By variable: its instruction in the target state, or that of the input.
    chosen: Vec<u32>,
    /// The instructions of justice conditions with inputs.
    observed: Vec<u32>,
}

const INVARIANT: (ConstraintKind, AssignmentKind) =
    (ConstraintKind::Invar, AssignmentKind::Current);
const INITIAL: (ConstraintKind, AssignmentKind) = (ConstraintKind::Init, AssignmentKind::Init);
const STEP: (ConstraintKind, AssignmentKind) = (ConstraintKind::Trans, AssignmentKind::Next);

/// Enumerates the states and steps of a model.
#[derive(Clone, Debug)]
pub struct Interpreter<'m> {
    model: &'m FlatModel,
    states: Layout<'m>,
    inputs: Layout<'m>,
    initial: Relation<'m>,
    invariant: Relation<'m>,
    step: Relation<'m>,
    dead: Option<DeadLoops<'m>>,
}

impl<'m> Interpreter<'m> {
    /// The interpreter of a model.
    pub fn new(model: &'m FlatModel) -> Self {
        Interpreter {
            model,
            states: Layout::of_states(model),
            inputs: Layout::of_inputs(model),
            initial: Relation::of_states(model, true),
            invariant: Relation::of_states(model, false),
            step: Relation::of_steps(model),
            dead: DeadLoops::of(model),
        }
    }

    /// The model.
    pub fn model(&self) -> &'m FlatModel {
        self.model
    }

    /// How states are read.
    pub fn states(&self) -> &Layout<'m> {
        &self.states
    }

    /// How inputs are read.
    pub fn inputs(&self) -> &Layout<'m> {
        &self.inputs
    }

    /// Calls `visit` for each initial state once, until it breaks.
    pub fn initial_states<E>(
        &mut self,
        visit: &mut dyn FnMut(State) -> ControlFlow<()>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let Interpreter { states, initial, dead, .. } = self;
        initial.states(states, dead.as_mut(), visit, interrupt)
    }

    /// Calls `visit` for each state that satisfies `INVAR` and the current assignments once,
    /// reachable or not, until it breaks.
    pub fn invariant_states<E>(
        &mut self,
        visit: &mut dyn FnMut(State) -> ControlFlow<()>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let Interpreter { states, invariant, dead, .. } = self;
        invariant.states(states, dead.as_mut(), visit, interrupt)
    }

    /// Calls `visit` for each step that leaves a state once, with its inputs and its target, until
    /// it breaks.
    pub fn steps<E>(
        &mut self,
        state: &State,
        visit: &mut dyn FnMut(State, State) -> ControlFlow<()>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let Interpreter { states, inputs, step, dead, .. } = self;
        let (relation, dead) = leaving(step, dead, states, state);
        let Relation { network, places } = relation;
        let interrupt = &RefCell::new(interrupt);
        let mut marks = RightMarks::new(dead, states, interrupt);
        let wanted = Wanted { leaves: &places.is_chosen, observed: &[] };
        let mut visit = |network: &Network<'_>| match (
            places.read(network, inputs),
            places.read(network, states),
        ) {
            (Some(inputs), Some(target)) if marks.pass(&target)? => visit(inputs, target),
            _ => ControlFlow::Continue(()),
        };
        let values = places.values(states, state);
        let go_on = &mut || (interrupt.borrow_mut())();
        let result = from_state(network, values, &wanted, &mut visit, go_on);
        marks.end(result)
    }

    /// Calls `visit` for each successor of a state once, until it breaks.
    pub fn successors<E>(
        &mut self,
        state: &State,
        visit: &mut dyn FnMut(State) -> ControlFlow<()>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut seen = FxHashSet::default();
        self.edges(
            state,
            false,
            &mut |target, _| {
                if seen.insert(target.clone()) { visit(target) } else { ControlFlow::Continue(()) }
            },
            interrupt,
        )
    }

    /// Whether a state has a successor.
    pub fn has_successor<E>(
        &mut self,
        state: &State,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        let mut found = false;
        self.edges(
            state,
            false,
            &mut |_, _| {
                found = true;
                ControlFlow::Break(())
            },
            interrupt,
        )?;
        Ok(found)
    }

    /// Calls `visit` for the successors of a state, at least once for each, with the values of the
    /// justice conditions that have inputs if those are `observed`.
    pub(super) fn edges<E>(
        &mut self,
        state: &State,
        observed: bool,
        visit: &mut dyn FnMut(State, &[bool]) -> ControlFlow<()>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let Interpreter { states, step, dead, .. } = self;
        let (relation, dead) = leaving(step, dead, states, state);
        let interrupt = &RefCell::new(interrupt);
        let mut right = RightMarks::new(dead, states, interrupt);
        let mut visit = |target: State, marks: &[bool]| match right.pass(&target)? {
            true => visit(target, marks),
            false => ControlFlow::Continue(()),
        };
        let go_on = &mut || (interrupt.borrow_mut())();
        let result = relation.edges(states, state, observed, &mut visit, go_on);
        right.end(result)
    }
}

/// The relation of the steps that leave a state, and what is asked about their targets: the target
/// of a loop is the state itself.
fn leaving<'r, 'm>(
    step: &'r mut Relation<'m>,
    dead: &'r mut Option<DeadLoops<'m>>,
    layout: &Layout<'m>,
    state: &State,
) -> (&'r mut Relation<'m>, Option<&'r mut DeadLoops<'m>>) {
    let loops = dead.as_ref().is_some_and(|dead| dead.is_marked(layout, state));
    match dead.as_mut() {
        Some(dead) if loops => (&mut dead.loops, None),
        dead => (step, dead),
    }
}

/// Calls `visit` for the solutions in which these instructions have these values.
fn from_state<E>(
    network: &mut Network<'_>,
    values: impl Iterator<Item = (u32, Value)>,
    wanted: &Wanted<'_>,
    visit: &mut dyn FnMut(&Network<'_>) -> ControlFlow<()>,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<(), E> {
    if network.is_contradictory() {
        return Ok(());
    }
    let bottom = network.mark();
    let possible = assume(network, values);
    let result = if possible { solutions(network, wanted, visit, interrupt) } else { Ok(()) };
    network.undo(bottom);
    result
}

impl Places {
    /// The target state, or the inputs, of a solution.
    fn read(&self, network: &Network<'_>, layout: &Layout<'_>) -> Option<State> {
        layout.state(|variable| match network.value(self.chosen[variable.index()]) {
            Slot::Scalar(value) => Some(value),
            _ => None,
        })
    }

    /// The instructions of the variables of the given state, with their values.
    fn values(&self, layout: &Layout<'_>, state: &State) -> impl Iterator<Item = (u32, Value)> {
        self.given
            .iter()
            .filter_map(|&(variable, place)| Some((place, layout.value(state, variable)?)))
    }
}

/// Whether a justice condition reads inputs: it then belongs to steps, not to states.
pub(super) fn reads_inputs(model: &FlatModel, condition: FlatExpression) -> bool {
    model.expressions.features(condition).has(Features::INPUT)
}

impl<'m> Relation<'m> {
    /// The condition on states that satisfy `INVAR`, or on initial states.
    fn of_states(model: &'m FlatModel, initial: bool) -> Self {
        let (mut program, mut roots) = (Program::default(), Vec::new());
        add(model, &mut program, INVARIANT, Time::Current, &mut roots);
        if initial {
            add(model, &mut program, INITIAL, Time::Current, &mut roots);
        }
        Relation::new(model, program, roots, Time::Current, Vec::new())
    }

    /// The step relation, without the loops of dead ends.
    pub(super) fn of_steps(model: &'m FlatModel) -> Self {
        let (mut program, mut roots) = (Program::default(), Vec::new());
        add(model, &mut program, INVARIANT, Time::Current, &mut roots);
        add(model, &mut program, STEP, Time::Current, &mut roots);
        add(model, &mut program, INVARIANT, Time::Next, &mut roots);
        Relation::between_states(model, program, roots)
    }

    /// The steps in which nothing changes, with any inputs.
    pub(super) fn of_loops(model: &'m FlatModel) -> Self {
        let (mut program, mut roots) = (Program::default(), Vec::new());
        add(model, &mut program, INVARIANT, Time::Current, &mut roots);
        for (index, variable) in model.variables.iter().enumerate() {
            if variable.kind != VariableKind::Input {
                let id = VariableId(index as u32);
                let values = [Time::Current, Time::Next].map(|time| program.variable(id, time));
                roots.push(program.operator(FlatBinary::Equal, values));
            }
        }
        Relation::between_states(model, program, roots)
    }

    fn between_states(model: &'m FlatModel, mut program: Program, roots: Vec<u32>) -> Self {
        let justice = model.constraints.iter().filter(|c| c.kind == ConstraintKind::Justice);
        let observed = justice
            .filter(|constraint| reads_inputs(model, constraint.condition))
            .map(|justice| program.add(&model.expressions, justice.condition, Time::Current))
            .collect();
        Relation::new(model, program, roots, Time::Next, observed)
    }

    fn new(
        model: &'m FlatModel,
        mut program: Program,
        mut roots: Vec<u32>,
        target: Time,
        observed: Vec<u32>,
    ) -> Self {
        let (mut given, mut chosen) = (Vec::new(), vec![u32::MAX; model.variables.len()]);
        for (index, variable) in model.variables.iter().enumerate() {
            let id = VariableId(index as u32);
            if variable.kind == VariableKind::Input {
                // A condition on states has no inputs.
                if target == Time::Next {
                    chosen[index] = program.variable(id, Time::Current);
                }
                continue;
            }
            chosen[index] = program.variable(id, target);
            if target == Time::Next {
                let before = program.variable(id, Time::Current);
                given.push((id, before));
                if variable.kind == VariableKind::Frozen {
                    roots.push(program.operator(FlatBinary::Equal, [chosen[index], before]));
                }
            }
        }
        let network = Network::new(model, program, &roots);
        let is_input = |id| model.variable(id).kind == VariableKind::Input;
        let by_leaf = |with_inputs: bool| {
            let leaves = network.leaves().iter();
            leaves
                .map(|leaf| if is_input(leaf.variable) { with_inputs } else { leaf.time == target })
                .collect()
        };
        let (is_target, is_chosen) = (by_leaf(false), by_leaf(true));
        let places = Places { given, is_target, is_chosen, chosen, observed };
        Relation { network, places }
    }

    /// See [`Interpreter::edges`].
    pub(super) fn edges<E>(
        &mut self,
        states: &Layout<'_>,
        state: &State,
        observed: bool,
        visit: &mut dyn FnMut(State, &[bool]) -> ControlFlow<()>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let Relation { network, places } = self;
        let observed = if observed { places.observed.as_slice() } else { &[] };
        let wanted = Wanted { leaves: &places.is_target, observed };
        let mut marks = vec![false; observed.len()];
        let mut visit = |network: &Network<'_>| {
            for (mark, &place) in marks.iter_mut().zip(observed) {
                *mark = network.value(place) == Slot::TRUE;
            }
            match places.read(network, states) {
                Some(target) => visit(target, &marks),
                None => ControlFlow::Continue(()),
            }
        };
        from_state(network, places.values(states, state), &wanted, &mut visit, interrupt)
    }
    /// Calls `visit` for each state that satisfies the condition.
    fn states<E>(
        &mut self,
        layout: &Layout<'m>,
        dead: Option<&mut DeadLoops<'m>>,
        visit: &mut dyn FnMut(State) -> ControlFlow<()>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let Relation { network, places } = self;
        let interrupt = &RefCell::new(interrupt);
        let mut marks = RightMarks::new(dead, layout, interrupt);
        let wanted = Wanted { leaves: &places.is_target, observed: &[] };
        let mut visit = |network: &Network<'_>| match places.read(network, layout) {
            Some(state) if marks.pass(&state)? => visit(state),
            _ => ControlFlow::Continue(()),
        };
        let go_on = &mut || (interrupt.borrow_mut())();
        let result = from_state(network, std::iter::empty(), &wanted, &mut visit, go_on);
        marks.end(result)
    }
}

/// Adds the constraints and assignments of these kinds.
fn add(
    model: &FlatModel,
    program: &mut Program,
    (constraints, assignments): (ConstraintKind, AssignmentKind),
    time: Time,
    roots: &mut Vec<u32>,
) {
    for constraint in model.constraints.iter().filter(|c| c.kind == constraints) {
        roots.push(program.add(&model.expressions, constraint.condition, time));
    }
    for assignment in model.assignments.iter().filter(|a| a.kind == assignments) {
        let value = program.add(&model.expressions, assignment.value, time);
        let target = if assignments == AssignmentKind::Next { Time::Next } else { time };
        let variable = program.variable(assignment.variable, target);
        roots.push(program.operator(FlatBinary::In, [variable, value]));
    }
}

/// Adds `INVAR` and the current assignments, on the current state.
pub(super) fn add_invariant(model: &FlatModel, program: &mut Program, roots: &mut Vec<u32>) {
    add(model, program, INVARIANT, Time::Current, roots);
}
