//! The algebra of the regions of a product, for the fixpoints and walks. One code serves both
//! directions of time: the property has the steps of its direction, and the order says what covers
//! what.
//!
//! Forward, the parts of all sources are intersected with the labels and joined, and one image is
//! computed per target. Backward, one preimage is computed per part, and intersected with the
//! labels; in greatest fixpoints the same parts come again, so the last preimage of each is stored.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use kermode_base::BitSet;
use kermode_bdd::Bdd;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::mistakes::{Mistake, is_planted};
use super::property::OrderInUse;
use super::region::{Covers, Region};
use super::states::{KnownPreimage, KripkeMark, KripkeState, KripkeStates};
use crate::alternating::by_letter::ByLetter;
use crate::compiled::compiled_model::Justice;
use crate::compiled::label::Label;
use crate::compiled::states::PartialStep;
use crate::fixpoint::trace::{Moment, Traces};
use crate::fixpoint::{Direction, Images, Regions};
use crate::frame::budget::Stop;

/// The algebra, which borrows the states during a fixpoint.
pub(crate) struct KripkeAlgebra<'s, 'o, S: ByLetter> {
    pub(crate) states: &'s mut KripkeStates<'o, S>,
    pub(crate) order: OrderInUse,
    /// The region that steps lead to, if they are restricted.
    pub(crate) within: Option<Region>,
}

/// Which steps of the product are taken.
#[derive(Clone, Default)]
struct Chosen {
    /// Those of the property with a mark.
    mark: Option<usize>,
    /// Those of the model that satisfy a constraint.
    constraint: Option<Bdd>,
}

impl Chosen {
    /// A condition together with the constraint.
    fn with(&self, condition: &Bdd) -> Result<Bdd, Stop> {
        match &self.constraint {
            Some(constraint) => Ok(condition.and(constraint)?),
            None => Ok(condition.clone()),
        }
    }
}

/// The sources of one target: with labels on states, and with labels on steps.
struct Sources {
    of_states: Bdd,
    of_steps: Bdd,
}

/// Decides after each growth of a region whether it is enough. It gets the new states of the model
/// for a state of the property.
pub(crate) type EnoughPairs<'e, 'o, S> =
    dyn FnMut(&mut KripkeStates<'o, S>, u32, &Bdd) -> Result<bool, Stop> + 'e;

impl<'o, S: ByLetter> KripkeAlgebra<'_, 'o, S> {
    fn step(&mut self, region: &Region, chosen: &Chosen) -> Result<Region, Stop> {
        self.states.counts.steps += region.len() as u64;
        self.states.check_growth()?;
        let stepped = match self.states.property.direction() {
            Direction::Forward => self.images(region, chosen)?,
            Direction::Backward => self.preimages(region, chosen)?,
        };
        debug_assert!(stepped.is_in_form(self.states.property.order(self.order)));
        Ok(stepped)
    }

    /// Adds the pairs to a region that are in the region to which steps are restricted. Returns the
    /// new ones.
    fn insert(&self, region: &mut Region, property: u32, states: &Bdd) -> Result<Bdd, Stop> {
        let order = self.states.property.order(self.order);
        match &self.within {
            Some(within) => {
                let inside = within.present(order, property, states)?;
                Ok(region.insert(order, property, &inside)?)
            }
            None => Ok(region.insert(order, property, states)?),
        }
    }

    /// One image per target.
    fn images(&mut self, region: &Region, chosen: &Chosen) -> Result<Region, Stop> {
        let none = self.states.system.manager().bottom();
        let mut targets: IndexMap<u32, Sources, FxBuildHasher> = IndexMap::default();
        for (source, part) in region.iter() {
            let KripkeStates { system, property, .. } = &mut *self.states;
            for step in property.steps(source, chosen.mark, system)?.iter() {
                let found = targets
                    .entry(step.other)
                    .or_insert_with(|| Sources { of_states: none.clone(), of_steps: none.clone() });
                let more = match &step.label {
                    Label::OfStates(_) if is_planted(Mistake::LetterOfNextState) => part.clone(),
                    label => part.and(label.condition())?,
                };
                match &step.label {
                    Label::OfStates(_) => found.of_states = found.of_states.or(&more)?,
                    Label::OfSteps(_) => found.of_steps = found.of_steps.or(&more)?,
                }
            }
        }
        let mut result = Region::default();
        for (target, Sources { of_states, of_steps }) in targets {
            let system = &mut self.states.system;
            if !of_states.is_bottom() {
                let constraint = chosen.constraint.as_ref();
                let next = system.unbounded_step(&of_states, constraint, None)?;
                self.insert(&mut result, target, &next)?;
            }
            if !of_steps.is_bottom() {
                let (steps, all) = (chosen.with(&of_steps)?, self.states.system.manager().top());
                let next = self.states.system.unbounded_step(&all, Some(&steps), None)?;
                self.insert(&mut result, target, &next)?;
            }
        }
        Ok(result)
    }

    /// One preimage per part, and one more for each label on steps.
    fn preimages(&mut self, region: &Region, chosen: &Chosen) -> Result<Region, Stop> {
        let mut result = Region::default();
        for (target, part) in region.iter() {
            let part = &self.simpler(part)?;
            let KripkeStates { system, property, .. } = &mut *self.states;
            let steps = property.steps(target, chosen.mark, system)?;
            for step in steps.iter() {
                let found = match &step.label {
                    Label::OfSteps(label) => {
                        let steps = chosen.with(label)?;
                        self.states.system.unbounded_step(part, Some(&steps), None)?
                    }
                    Label::OfStates(label) => label.and(&self.preimage(target, part, chosen)?)?,
                };
                let found = self.bounded(found)?;
                self.insert(&mut result, step.other, &found)?;
            }
        }
        Ok(result)
    }

    /// A part that is simpler, and equal within the bound of backward steps.
    fn simpler(&mut self, part: &Bdd) -> Result<Bdd, Stop> {
        let budget = self.states.system.context().budget;
        match &self.states.bound {
            Some(bound) => part.restrict(bound, &mut || budget.check()),
            None => Ok(part.clone()),
        }
    }

    /// The states of the model that are within the bound of backward steps.
    fn bounded(&self, states: Bdd) -> Result<Bdd, Stop> {
        match &self.states.bound {
            Some(bound) => Ok(states.and(bound)?),
            None => Ok(states),
        }
    }

    /// The predecessors in the model of the part of a state of the property.
    fn preimage(&mut self, target: u32, part: &Bdd, chosen: &Chosen) -> Result<Bdd, Stop> {
        let KripkeStates { known, system, .. } = &mut *self.states;
        if let Some(constraint) = &chosen.constraint {
            return system.unbounded_step(part, Some(constraint), None);
        }
        if let Some(known) = known.get(&target)
            && (known.of == *part || is_planted(Mistake::StalePreimage))
        {
            return Ok(known.preimage.clone());
        }
        let preimage = system.unbounded_step(part, None, None)?;
        let entry = KnownPreimage { of: part.clone(), preimage: preimage.clone() };
        known.insert(target, entry);
        Ok(preimage)
    }

    /// The steps of one kind from one part.
    fn partial_step(
        &mut self,
        source: u32,
        part: &Bdd,
        kind: PartialStep,
    ) -> Result<Vec<(u32, Bdd)>, Stop> {
        let KripkeStates { system, property, counts, .. } = &mut *self.states;
        let direction = property.direction();
        let (mut found, mut before) = (Vec::new(), None);
        for step in property.steps(source, None, system)?.iter() {
            let states = match (&step.label, kind, direction) {
                (Label::OfSteps(label), PartialStep::OfLabels, _) => {
                    system.unbounded_step(part, Some(label), None)?
                }
                (Label::OfStates(label), PartialStep::Case(case), Direction::Forward) => {
                    let from = match is_planted(Mistake::LetterOfNextState) {
                        true => part.clone(),
                        false => part.and(label)?,
                    };
                    if from.is_bottom() {
                        continue;
                    }
                    system.unbounded_step(&from, None, case)?
                }
                (Label::OfStates(label), PartialStep::Case(case), Direction::Backward) => {
                    if before.is_none() {
                        before = Some(system.unbounded_step(part, None, case)?);
                    }
                    label.and(before.as_ref().expect("the preimage just computed"))?
                }
                _ => continue,
            };
            counts.steps += 1;
            found.push((step.other, states));
        }
        self.states.check_growth()?;
        Ok(found)
    }

    /// `mu x. (Image(x) + seed)`, by steps from one state of the property after the other: each
    /// kind of steps is taken as long as it finds new pairs there. Nothing if `enough` ends it.
    pub(crate) fn closure_until(
        &mut self,
        seed: &Region,
        enough: &mut EnoughPairs<'_, 'o, S>,
    ) -> Result<Option<Region>, Stop> {
        let mut kinds = self.states.system.partial_steps(true)?;
        let mut all = Region::default();
        let mut waiting = BTreeSet::new();
        for (property, states) in seed.iter() {
            let new = self.insert(&mut all, property, states)?;
            if enough(self.states, property, &new)? {
                return Ok(None);
            }
            waiting.insert(self.states.property.order(self.order).representative(property));
        }
        let mut done: FxHashMap<(u32, PartialStep), Bdd> = FxHashMap::default();
        while let Some(property) = waiting.pop_first() {
            if self.states.system.is_outdated(kinds[0]) {
                kinds = self.states.system.partial_steps(true)?;
                done.clear();
            }
            for &kind in &kinds {
                while let Some(part) = all.part(property).cloned() {
                    let new = match done.get(&(property, kind)) {
                        Some(done) => part.and_not(done)?,
                        None => part.clone(),
                    };
                    if new.is_bottom() {
                        break;
                    }
                    let is_lost = is_planted(Mistake::ClosureStopsEarly);
                    if is_lost && done.contains_key(&(property, kind)) {
                        break;
                    }
                    done.insert((property, kind), part);
                    for (other, states) in self.partial_step(property, &new, kind)? {
                        let states = self.bounded(states)?;
                        let new = self.insert(&mut all, other, &states)?;
                        if new.is_bottom() {
                            continue;
                        }
                        let order = self.states.property.order(self.order);
                        waiting.insert(order.representative(other));
                        if enough(self.states, other, &new)? {
                            return Ok(None);
                        }
                    }
                    if self.states.system.is_outdated(kind) {
                        waiting.insert(property);
                        break;
                    }
                }
            }
            self.note_size(&all);
        }
        debug_assert!(all.is_in_form(self.states.property.order(self.order)));
        Ok(Some(all))
    }

    fn note_size(&mut self, region: &Region) {
        let largest = &mut self.states.counts.largest;
        *largest = (*largest).max(region.len());
    }
}

impl<S: ByLetter> Regions for KripkeAlgebra<'_, '_, S> {
    type Region = Region;

    fn none(&self) -> Region {
        Region::default()
    }

    fn is_empty(&self, region: &Region) -> bool {
        region.is_empty()
    }

    fn add(&mut self, region: &mut Region, more: &Region) -> Result<Region, Stop> {
        let new = region.add(self.states.property.order(self.order), more)?;
        self.note_size(region);
        Ok(new)
    }

    fn includes(&mut self, larger: &Region, smaller: &Region) -> Result<bool, Stop> {
        Ok(larger.includes(self.states.property.order(self.order), smaller)?)
    }

    fn are_identical(&self, one: &Region, other: &Region) -> bool {
        one == other
    }

    fn pick(&mut self, region: &mut Region) -> Region {
        std::mem::take(region)
    }
}

impl<S: ByLetter> Images for KripkeAlgebra<'_, '_, S> {
    fn image(&mut self, region: &Region) -> Result<Region, Stop> {
        self.step(region, &Chosen::default())
    }

    fn closure(&mut self, seed: &Region, _: Option<&Region>) -> Result<Region, Stop> {
        let all = self.closure_until(seed, &mut |_, _, _| Ok(false))?;
        Ok(all.unwrap_or_default())
    }

    fn mark_count(&self) -> usize {
        self.states.mark_count().max(1)
    }

    fn marked_image(&mut self, region: &Region, mark: usize) -> Result<Region, Stop> {
        let place = match self.states.mark(mark) {
            KripkeMark::None => return self.image(region),
            KripkeMark::Property(mark) => {
                return self.step(region, &Chosen { mark: Some(mark), constraint: None });
            }
            KripkeMark::System(place) => place,
        };
        match (&self.states.system.model().justice[place], self.states.property.direction()) {
            (Justice::OfSteps(steps), _) => {
                let constraint = Some(steps.clone());
                self.step(region, &Chosen { mark: None, constraint })
            }
            (Justice::OfStates(states), Direction::Forward) => {
                let just = region.restricted(states)?;
                self.image(&just)
            }
            (Justice::OfStates(states), Direction::Backward) => {
                let states = states.clone();
                Ok(self.image(region)?.restricted(&states)?)
            }
        }
    }
}

impl<S: ByLetter> Traces for KripkeAlgebra<'_, '_, S> {
    type State = KripkeState;
    /// The indices of the true inputs, if inputs belong to steps.
    type Label = BitSet;

    fn intersection(&mut self, one: &Region, other: &Region) -> Result<Region, Stop> {
        self.states.property.intersection(one, other)
    }

    fn some_state(&self, region: &Region) -> KripkeState {
        let (property, part) = region.iter().next().expect("the region has a state");
        KripkeState { property, system: self.states.system.some_state(part) }
    }

    fn contains(&self, region: &Region, state: &KripkeState) -> bool {
        let order = self.states.property.order(self.order);
        // Current variables have even numbers.
        region.contains(order, state.property, |part| {
            part.eval(|variable| state.system.contains(variable.index() / 2))
        })
    }

    fn neighbour(
        &mut self,
        state: &KripkeState,
        region: &Region,
        mark: Option<usize>,
    ) -> Result<(BitSet, KripkeState), Stop> {
        let mut chosen = Chosen::default();
        match mark.map(|mark| self.states.mark(mark)) {
            Some(KripkeMark::Property(mark)) => chosen.mark = Some(mark),
            Some(KripkeMark::System(place)) => {
                let justice = &self.states.system.model().justice[place];
                chosen.constraint = Some(justice.constraint().clone());
            }
            Some(KripkeMark::None) | None => {}
        }
        for (other, part) in region.iter() {
            let KripkeStates { system, property, .. } = &mut *self.states;
            for step in property.steps(other, chosen.mark, system)?.iter() {
                if !property.order(self.order).covers(step.other, state.property) {
                    continue;
                }
                let constraint = chosen.with(step.label.condition())?;
                let found = system.find_neighbour(&state.system, part, Some(&constraint))?;
                if let Some(Moment { state: system, label }) = found {
                    return Ok((label, KripkeState { property: other, system }));
                }
            }
        }
        panic!("a ring was made from the one before")
    }

    /// A run that returns to the same state of the model, with less demanded than before, can
    /// repeat its steps.
    fn closes(&self, earlier: &KripkeState, later: &KripkeState) -> bool {
        let order = self.states.property.order(OrderInUse::Simulated);
        earlier.system == later.system && order.covers(earlier.property, later.property)
    }

    fn is_safety(&self) -> bool {
        self.states.mark_count() == 0
    }
}
