//! Regions for people: for each state of the property the number of states of the model, and some
//! of them with the values of the model's variables.

use std::fmt::Write;

use kermode_system::Model;

use super::region::Region;
use super::states::KripkeStates;
use crate::alternating::by_letter::ByLetter;
use crate::frame::budget::Stop;

impl<S: ByLetter> KripkeStates<'_, S> {
    /// A region as text: one paragraph per state of the property, with at most so many states of
    /// the model.
    pub(crate) fn describe(
        &self,
        model: &Model,
        region: &Region,
        most: usize,
    ) -> Result<String, Stop> {
        let mut text = String::new();
        for (state, part) in region.iter() {
            let count = part.model_count(self.system.model().state_pairs.len());
            let _ = writeln!(text, "{} with {count} states:", self.property.describe(state));
            let mut left = part.clone();
            for _ in 0..most {
                if left.is_bottom() {
                    break;
                }
                let values = self.system.some_state(&left);
                let place = |bit| model.order.iter().position(|&other| other == bit);
                let holds = |bit| place(bit).is_some_and(|place| values.contains(place));
                let value = |symbol: &kermode_system::Symbol| {
                    format!("{} = {}", symbol.name, symbol.value(holds).unwrap_or_default())
                };
                let symbols: Vec<String> = model.symbols.iter().map(value).collect();
                let _ = writeln!(text, "  {}", symbols.join(", "));
                let cube = self.system.model().cube(&values, false);
                left = left.and_not(&self.system.manager().cube(&cube)?)?;
            }
            if !left.is_bottom() {
                text.push_str("  ...\n");
            }
        }
        Ok(text)
    }
}
