//! From one representation of a closed set of pairs to the other: an antichain of pairs of a
//! diagram and a state of the property, and one diagram over the variables of the model and of the
//! locations.
//!
//! The diagram of a state of the property is its closure: upwards if steps go forward, downwards if
//! they go backward. States without obligations and states with obligations are not comparable, so
//! each kind is closed by itself. The way back takes any pair of the diagram, all states of the
//! model that have the same state of the property, and removes what they cover; the form of the
//! antichain does not depend on the choice.

use kermode_base::BitSet;
use kermode_bdd::{Bdd, Cube, Literal, Variable};

use super::property::OrderInUse;
use super::region::Region;
use super::states::KripkeStates;
use crate::alternating::by_letter::ByLetter;
use crate::alternating::miyano_hayashi::Pair;
use crate::fixpoint::Direction;
use crate::frame::budget::Stop;

/// The variables of a location in diagrams: it is in `s`, and in `o` if it may be.
pub(crate) struct LocationInDiagrams {
    pub(crate) location: usize,
    pub(crate) x: Variable,
    pub(crate) y: Option<Variable>,
}

impl LocationInDiagrams {
    /// The variables, each with its value in a state.
    fn literals(&self, pair: &Pair) -> impl Iterator<Item = Literal> {
        let literal =
            |variable, set: &BitSet| Literal { variable, positive: set.contains(self.location) };
        let x = literal(self.x, &pair.s);
        [Some(x), self.y.map(|y| literal(y, &pair.o))].into_iter().flatten()
    }
}

impl<S: ByLetter> KripkeStates<'_, S> {
    /// The diagram of a region.
    pub(crate) fn to_diagram(
        &self,
        region: &Region,
        locations: &[LocationInDiagrams],
    ) -> Result<Bdd, Stop> {
        let mut diagram = self.system.manager().bottom();
        for (state, part) in region.iter() {
            let closure = self.closure_of(&self.property.sets(state), locations)?;
            diagram = diagram.or(&part.and(&closure)?)?;
        }
        Ok(diagram)
    }

    /// The region of a diagram that is closed in the direction of the steps.
    pub(crate) fn of_diagram(
        &mut self,
        diagram: &Bdd,
        locations: &[LocationInDiagrams],
    ) -> Result<Region, Stop> {
        let (mut region, mut left) = (Region::default(), diagram.clone());
        while let Some(cube) = left.pick_cube() {
            self.system.check_budget()?;
            let is_in = |variable: Variable| cube.value(variable) == Some(true);
            let set = |has: &dyn Fn(&&LocationInDiagrams) -> bool| -> BitSet {
                locations.iter().filter(has).map(|location| location.location).collect()
            };
            let pair = Pair { s: set(&|l| is_in(l.x)), o: set(&|l| l.y.is_some_and(is_in)) };
            let state: Cube = locations.iter().flat_map(|l| l.literals(&pair)).collect();
            let part = diagram.cofactor(&state)?;
            left = left.and_not(&part.and(&self.closure_of(&pair, locations)?)?)?;
            let number = self.property.number_of(pair);
            region.insert(self.property.order(OrderInUse::Simulated), number, &part)?;
        }
        debug_assert!(region.is_in_form(self.property.order(OrderInUse::Simulated)));
        Ok(region)
    }

    /// The states of the property that one of them covers.
    fn closure_of(&self, pair: &Pair, locations: &[LocationInDiagrams]) -> Result<Bdd, Stop> {
        let manager = self.system.manager();
        let positive = self.property.direction() == Direction::Forward;
        let literals = locations.iter().flat_map(|location| location.literals(pair));
        let fixed: Cube = literals.filter(|literal| literal.positive == positive).collect();
        let mut closure = manager.cube(&fixed)?;
        let mut owed = manager.bottom();
        for LocationInDiagrams { x, y, .. } in locations {
            let Some(y) = y else { continue };
            let y = manager.variable(*y)?;
            closure = closure.and(&y.implies(&manager.variable(*x)?)?)?;
            owed = owed.or(&y)?;
        }
        match pair.o.is_empty() {
            true => Ok(closure.and_not(&owed)?),
            false => Ok(closure.and(&owed)?),
        }
    }
}
