//! From a trace over bits back to values of variables.

use kermode_system::{Trace, Variable};
use rustc_hash::FxHashMap;

use super::EncodedModel;
use crate::flat::{FlatModel, Value, VariableId};
use crate::interpreter::{self, Layout, State};

impl EncodedModel {
    /// A trace of the system as a trace of the flat model, which the interpreter can replay. The
    /// inputs of the last state of a finite trace are dropped.
    ///
    /// The trace has the variables of the system in their order. It may have more variables after
    /// them, such as those of a formula; they are ignored. `None` if variables are missing, or if
    /// some bits encode no value.
    pub fn decode(&self, flat: &FlatModel, trace: &Trace) -> Option<interpreter::Trace> {
        let variables = self.model.system.variables();
        if trace.variable_count() < variables.len() {
            return None;
        }
        let decoder = Decoder {
            encoded: self,
            flat,
            trace,
            columns: variables.iter().enumerate().map(|(column, &bit)| (bit, column)).collect(),
        };
        let (states, inputs) = (Layout::of_states(flat), Layout::of_inputs(flat));
        let is_left = |&position: &usize| trace.successor(position).is_some();
        Some(interpreter::Trace {
            states: (0..trace.len())
                .map(|position| decoder.state(&states, position))
                .collect::<Option<_>>()?,
            inputs: (0..trace.len())
                .filter(is_left)
                .map(|position| decoder.state(&inputs, position))
                .collect::<Option<_>>()?,
            loop_start: trace.loop_start(),
        })
    }
}

struct Decoder<'d> {
    encoded: &'d EncodedModel,
    flat: &'d FlatModel,
    trace: &'d Trace,
    /// Where the trace has the values of each bit.
    columns: FxHashMap<Variable, usize>,
}

impl Decoder<'_> {
    fn state(&self, layout: &Layout<'_>, position: usize) -> Option<State> {
        layout.state(|variable| self.value(variable, position))
    }

    fn value(&self, variable: VariableId, position: usize) -> Option<Value> {
        let mut code = 0;
        for (place, bit) in self.encoded.bits(variable).iter().enumerate() {
            let value = self.trace.value(position, *self.columns.get(bit)?);
            code |= u64::from(value) << place;
        }
        self.flat.variable(variable).domain.value(code)
    }
}
