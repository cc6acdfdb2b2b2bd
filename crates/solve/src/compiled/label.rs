//! The label of a transition of a property in its product with a model.

use kermode_bdd::{Bdd, Variable};

use super::states::SystemStates;

/// The condition of a transition of a property on the step of the model.
#[derive(Clone)]
pub(crate) enum Label {
    /// On the state that a step leaves.
    OfStates(Bdd),
    /// On the step.
    OfSteps(Bdd),
}

impl Label {
    /// A condition over current and next variables and inputs.
    pub(crate) fn new(condition: Bdd, system: &SystemStates) -> Self {
        // Next variables have odd numbers.
        let model = system.model();
        let is_of_steps = |&v: &Variable| v.index() % 2 == 1 || model.is_input(v);
        match condition.support().iter().any(is_of_steps) {
            true => Label::OfSteps(condition),
            false => Label::OfStates(condition),
        }
    }

    /// The condition.
    pub(crate) fn condition(&self) -> &Bdd {
        let (Label::OfStates(condition) | Label::OfSteps(condition)) = self;
        condition
    }
}
