//! A model reduced to the cone of influence of a property, and the way back to traces of the whole
//! model.

use kermode_system::{Cone, Expression, Model, System, Trace, cone_of_influence};

use super::traces::{ModelMoment, trace};
use crate::frame::budget::{Budget, Stop};

/// A part of a model on which some expressions depend.
pub(crate) struct Reduced {
    /// The part. It has no atoms.
    pub(crate) model: Model,
    /// The system of the whole model.
    whole: System,
    cone: Cone,
}

impl Reduced {
    /// The part of a model, with this system in place of its own, on which expressions depend.
    pub(crate) fn new(model: &Model, whole: System, observed: &[Expression]) -> Self {
        let variables = model.graph.variables(observed);
        let cone = cone_of_influence(&model.graph, &whole, &variables);
        let model = Model {
            graph: model.graph.clone(),
            system: cone.system.clone(),
            order: model.order.clone(),
            symbols: model.symbols.clone(),
            atoms: Default::default(),
        };
        Reduced { model, whole, cone }
    }

    /// The trace of the whole model with these moments of its part, unless it gets too long. A loop
    /// may become longer: its first passes then precede the loop.
    pub(crate) fn trace(
        &self,
        moments: &[ModelMoment],
        loop_start: Option<usize>,
        longest: usize,
        budget: &Budget,
    ) -> Result<Option<Trace>, Stop> {
        let variables = self.cone.system.variables();
        let part = trace(&self.model.order, variables, moments, loop_start);
        self.extended(part, longest, budget)
    }

    /// The trace of the whole model that extends one of its part, unless it gets too long.
    pub(crate) fn extended(
        &self,
        part: Trace,
        longest: usize,
        budget: &Budget,
    ) -> Result<Option<Trace>, Stop> {
        match self.cone.is_whole(&self.whole) {
            true => Ok(Some(part).filter(|part| part.len() <= longest)),
            false => {
                let interrupt = &mut || budget.check();
                self.cone.extended(&self.model.graph, &self.whole, &part, longest, interrupt)
            }
        }
    }
}
