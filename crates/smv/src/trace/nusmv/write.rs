//! Writes a trace as NuSMV prints it.
//!
//! Only values that are not the last ones printed for their names are printed. An infinite path
//! ends with a repetition of the state where its loop begins. Every state that equals the last one
//! is marked as the beginning of a loop, also in a finite path; frozen variables do not count. For
//! LTL, NuSMV compares states of the product of the model with a tableau: not all of these states
//! begin a loop that violates the property.

use std::fmt::Write;

use super::definitions::{Definitions, Group};
use super::literals::Origin;
use crate::flat::{FlatModel, Value, VariableId};
use crate::interpreter::{Layout, State, Time, Trace};
use crate::syntax::{PropertyKind, VariableKind};

/// What stands before a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The number of the trace in the output, from 1.
    pub number: usize,
    /// What the trace is.
    pub description: String,
}

impl Heading {
    /// A counterexample of a property.
    pub fn counterexample(number: usize, kind: PropertyKind) -> Self {
        let description = match kind {
            PropertyKind::Ctl | PropertyKind::ComputeMin | PropertyKind::ComputeMax => "CTL",
            PropertyKind::Ltl | PropertyKind::Psl => "LTL",
            PropertyKind::Invariant => "AG alpha",
        };
        Heading { number, description: format!("{description} Counterexample") }
    }
}

/// Which states are marked as the beginning of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks<'p> {
    /// All that equal the last one, as in counterexamples of CTL and of invariants.
    Equal,
    /// Those among them that have one of these indices, as in counterexamples of LTL.
    Among(&'p [usize]),
}

/// The text of a trace with its heading.
pub fn write(model: &FlatModel, trace: &Trace, heading: &Heading, marks: Marks<'_>) -> String {
    let mut writer = Writer::new(model, heading.number);
    let _ = writeln!(writer.text, "Trace Description: {} ", heading.description);
    let _ = writeln!(writer.text, "Trace Type: Counterexample ");
    let mut states: Vec<&State> = trace.states.iter().collect();
    states.extend(trace.loop_start.and_then(|start| trace.states.get(start)));
    for (place, state) in states.iter().enumerate() {
        let step = trace.inputs.get(place).zip(states.get(place + 1).copied());
        let last = states[states.len() - 1];
        let may_be_marked = match marks {
            Marks::Equal => true,
            Marks::Among(starts) => starts.contains(&place),
        };
        let is_marked = may_be_marked && place + 1 < states.len() && writer.is_same(state, last);
        writer.state(place + 1, state, is_marked, step);
        if let Some((inputs, _)) = step {
            writer.inputs(place + 2, inputs);
        }
    }
    writer.text
}

struct Writer<'m> {
    model: &'m FlatModel,
    states: Layout<'m>,
    inputs: Layout<'m>,
    definitions: Definitions<'m>,
    /// Frozen variables first.
    state_variables: Vec<VariableId>,
    input_variables: Vec<VariableId>,
    /// The values that were printed last, by variable, and by definition.
    printed_values: Vec<Option<Value>>,
    printed_texts: Vec<Option<(String, Origin)>>,
    number: usize,
    text: String,
}

impl<'m> Writer<'m> {
    fn new(model: &'m FlatModel, number: usize) -> Self {
        let of_kind = |kind| {
            let listed = model.listing.variables.iter().copied();
            listed.filter(move |&id| model.variable(id).kind == kind)
        };
        let state_variables = of_kind(VariableKind::Frozen).chain(of_kind(VariableKind::State));
        Writer {
            model,
            states: Layout::of_states(model),
            inputs: Layout::of_inputs(model),
            definitions: Definitions::new(model),
            state_variables: state_variables.collect(),
            input_variables: of_kind(VariableKind::Input).collect(),
            printed_values: vec![None; model.variables.len()],
            printed_texts: vec![None; model.listing.definitions.len()],
            number,
            text: String::new(),
        }
    }

    /// Whether the state variables, without the frozen ones, have the same values.
    fn is_same(&self, a: &State, b: &State) -> bool {
        let is_frozen = |&id: &VariableId| self.model.variable(id).kind == VariableKind::Frozen;
        let mut variables = self.state_variables.iter().filter(|id| !is_frozen(id));
        variables.all(|&id| self.states.value(a, id) == self.states.value(b, id))
    }

    /// A state, with the definitions about the step that leaves it: inputs and next state.
    fn state(
        &mut self,
        number: usize,
        state: &State,
        is_marked: bool,
        step: Option<(&State, &State)>,
    ) {
        if is_marked {
            self.text.push_str("  -- Loop starts here\n");
        }
        let _ = writeln!(self.text, "  -> State: {}.{number} <-", self.number);
        for place in 0..self.state_variables.len() {
            let id = self.state_variables[place];
            self.variable(id, self.states.value(state, id));
        }
        let Writer { definitions, states, inputs, .. } = self;
        definitions.run(|id, time| match (time, step) {
            (Time::Current, None) => states.value(state, id),
            (Time::Current, Some((input, _))) => {
                states.value(state, id).or_else(|| inputs.value(input, id))
            }
            (Time::Next, Some((_, next))) => states.value(next, id),
            (Time::Next, None) => None,
        });
        self.group(Group::STATE);
        if step.is_some() {
            Group::STEP.into_iter().for_each(|group| self.group(group));
        }
    }

    /// The inputs of the step that leads to the state with this number. The definitions were
    /// evaluated for this step.
    fn inputs(&mut self, number: usize, inputs: &State) {
        if self.input_variables.is_empty() {
            return;
        }
        let _ = writeln!(self.text, "  -> Input: {}.{number} <-", self.number);
        for place in 0..self.input_variables.len() {
            let id = self.input_variables[place];
            self.variable(id, self.inputs.value(inputs, id));
        }
        self.group(Group::INPUT);
    }

    fn variable(&mut self, id: VariableId, value: Option<Value>) {
        let Some(value) = value else { return };
        let printed = &mut self.printed_values[id.index()];
        if *printed == Some(value) {
            return;
        }
        *printed = Some(value);
        let (name, shown) = (&self.model.variable(id).name, self.model.show(value));
        let _ = writeln!(self.text, "    {name} = {shown}");
    }

    /// The definitions of a group, as they were evaluated last.
    fn group(&mut self, group: Group) {
        for index in self.definitions.in_group(group) {
            let Some(shown) = self.definitions.text(index) else { continue };
            let printed = &mut self.printed_texts[index];
            if printed.as_ref() == Some(&shown) {
                continue;
            }
            let name = &self.model.listing.definitions[index].name;
            let _ = writeln!(self.text, "    {name} = {}", shown.0);
            *printed = Some(shown);
        }
    }
}
