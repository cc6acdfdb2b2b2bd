//! Random cases for model checking: a small model with fairness, inputs and dead ends, and a
//! property of it.
//!
//! [`random_model`](super::random_model) aims at all constructs of the language, and most of its
//! properties are true or false for trivial reasons. Here the constructs are few, and the behaviour
//! is rich: variables may wait, conditions on justice and compassion decide about liveness, and
//! some states have no successors. What makes dead ends stands in constraints of its own, so that
//! it can be left out.

mod formula;
mod model;
mod property;

use kermode_base::Rng;

pub use formula::RandomProperty;

use super::{RandomItem, RandomModel};
use crate::syntax::PropertyKind;
use model::Generator;

/// A model and a property of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomCase {
    /// The model, without the property.
    pub model: RandomModel,
    /// The property.
    pub property: RandomProperty,
    /// The texts of the TRANS items that take all successors from some states.
    dead_ends: Vec<String>,
}

/// What is left out of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// Nothing.
    Nothing,
    /// All justice conditions.
    Justice,
    /// All compassion conditions.
    Compassion,
    /// The constraints that make dead ends.
    DeadEnds,
}

/// Draws a case with a property of this kind: LTL, CTL or an invariant. It depends on the state of
/// the random numbers alone.
pub fn random_case(rng: &mut Rng, kind: PropertyKind) -> RandomCase {
    let mut generator = Generator::new(rng);
    generator.draw_model();
    let property = generator.draw_property(kind);
    let (model, dead_ends) = generator.finish();
    RandomCase { model, property, dead_ends }
}

impl RandomCase {
    /// The text of the case.
    pub fn text(&self) -> String {
        self.text_with(LeftOut::Nothing, &self.property)
    }

    /// The text with another property and without some parts.
    pub fn text_with(&self, left_out: LeftOut, property: &RandomProperty) -> String {
        let is_kept = |item: &RandomItem| match left_out {
            LeftOut::Nothing => true,
            LeftOut::Justice => item.section != "JUSTICE",
            LeftOut::Compassion => item.section != "COMPASSION",
            LeftOut::DeadEnds => !self.dead_ends.contains(&item.text),
        };
        let model = self.model.retain(is_kept).text();
        format!("{model}{} {};\n", property.kind.keyword(), property.formula())
    }

    /// Whether a part is there that could be left out.
    pub fn has(&self, part: LeftOut) -> bool {
        let mut items = self.model.modules.iter().flat_map(|module| &module.items);
        match part {
            LeftOut::Nothing => true,
            LeftOut::Justice => items.any(|item| item.section == "JUSTICE"),
            LeftOut::Compassion => items.any(|item| item.section == "COMPASSION"),
            LeftOut::DeadEnds => !self.dead_ends.is_empty(),
        }
    }
}
