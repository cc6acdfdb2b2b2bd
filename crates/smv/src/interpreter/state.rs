//! States and inputs as packed vectors of codes.

use crate::flat::{FlatModel, Value, VariableId};
use crate::syntax::VariableKind;

/// The values of all state and frozen variables, or of all inputs, of some model. It is read with
/// the [`Layout`] of that model.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(Box<[u64]>);

/// Where the code of a variable is.
#[derive(Clone, Copy, Debug)]
struct Place {
    word: usize,
    shift: u32,
    mask: u64,
}

/// The places of variables in a [`State`]. A code has as many bits as it needs, and does not cross
/// the border of a word.
#[derive(Clone, Debug)]
pub struct Layout<'m> {
    model: &'m FlatModel,
    variables: Vec<VariableId>,
    /// By variable of the model.
    places: Vec<Option<Place>>,
    words: usize,
}

impl<'m> Layout<'m> {
    /// The layout of state and frozen variables.
    pub fn of_states(model: &'m FlatModel) -> Self {
        Layout::new(model, |kind| kind != VariableKind::Input)
    }

    /// The layout of inputs.
    pub fn of_inputs(model: &'m FlatModel) -> Self {
        Layout::new(model, |kind| kind == VariableKind::Input)
    }

    fn new(model: &'m FlatModel, includes: impl Fn(VariableKind) -> bool) -> Self {
        let (mut word, mut shift) = (0, 0);
        let (mut variables, mut places) = (Vec::new(), vec![None; model.variables.len()]);
        for (index, variable) in model.variables.iter().enumerate() {
            if !includes(variable.kind) {
                continue;
            }
            let bits = 128 - (variable.domain.size() - 1).leading_zeros();
            if shift + bits > 64 {
                (word, shift) = (word + 1, 0);
            }
            let mask = u64::MAX.checked_shr(64 - bits).unwrap_or(0);
            places[index] = Some(Place { word, shift: shift % 64, mask });
            variables.push(VariableId(index as u32));
            shift += bits;
        }
        Layout { model, variables, places, words: word + 1 }
    }

    /// The variables, in the order of the model.
    pub fn variables(&self) -> &[VariableId] {
        &self.variables
    }

    /// The state with these values. `None` if a value is missing or outside of the domain.
    pub fn state(&self, mut value: impl FnMut(VariableId) -> Option<Value>) -> Option<State> {
        let mut words = vec![0; self.words];
        for &variable in &self.variables {
            let code = self.model.variable(variable).domain.code(value(variable)?)?;
            let place = self.places[variable.index()]?;
            words[place.word] |= code << place.shift;
        }
        Some(State(words.into()))
    }

    /// The value of a variable in a state. `None` if the layout does not have the variable.
    pub fn value(&self, state: &State, variable: VariableId) -> Option<Value> {
        let place = self.places[variable.index()]?;
        let code = state.0.get(place.word)? >> place.shift & place.mask;
        self.model.variable(variable).domain.value(code)
    }

    /// The variables with their values.
    pub fn values(&self, state: &State) -> impl Iterator<Item = (VariableId, Value)> {
        self.variables.iter().filter_map(|&variable| Some((variable, self.value(state, variable)?)))
    }

    /// The text of a state, such as `x = 3, m.b = TRUE`.
    pub fn show(&self, state: &State) -> String {
        let show = |(variable, value): (VariableId, Value)| {
            format!("{} = {}", self.model.variable(variable).name, self.model.show(value))
        };
        self.values(state).map(show).collect::<Vec<_>>().join(", ")
    }
}
