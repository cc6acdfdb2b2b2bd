//! The algebra of the regions of a partitioned product, for the fixpoints and walks.

use kermode_base::BitSet;
use kermode_bdd::Bdd;

use super::mistakes::Mistake;
use super::partition::{Edge, KnownPreimage, PairState, Partition, PartitionedStates, ProductMark};
use crate::compiled::compiled_model::Justice;
use crate::compiled::label::Label;
use crate::compiled::states::PartialStep;
use crate::fixpoint::bdd_context::grow;
use crate::fixpoint::emptiness::FairSpace;
use crate::fixpoint::trace::{Moment, Traces};
use crate::fixpoint::{Direction, Images, Regions};
use crate::frame::budget::Stop;

/// The algebra, which borrows the states during a fixpoint.
pub(super) struct PartitionAlgebra<'s, 'o> {
    pub(super) states: &'s mut PartitionedStates<'o>,
    /// The region that steps lead to, if they are restricted.
    pub(super) within: Option<Partition>,
}

/// Which steps of the product are taken.
#[derive(Clone, Default)]
struct Chosen {
    /// Those whose transition has a mark of the property.
    mark: Option<usize>,
    /// Those of the model that satisfy a constraint.
    constraint: Option<Bdd>,
}

impl Chosen {
    fn has(&self, edge: &Edge) -> bool {
        self.mark.is_none_or(|mark| edge.marks.contains(mark))
    }

    /// A condition together with the constraint.
    fn with(&self, condition: &Bdd) -> Result<Bdd, Stop> {
        match &self.constraint {
            Some(constraint) => Ok(condition.and(constraint)?),
            None => Ok(condition.clone()),
        }
    }
}

impl PartitionAlgebra<'_, '_> {
    fn bottom(&self) -> Bdd {
        self.states.system.manager().bottom()
    }

    /// The part of a result that is in the bound and in the region.
    fn restricted(&self, property: usize, states: Bdd) -> Result<Bdd, Stop> {
        let bounds = [self.states.bound.as_ref().map(|bound| &bound.states), self.within.as_ref()];
        let mut states = states;
        for bound in bounds.into_iter().flatten() {
            states = states.and(&bound[property])?;
        }
        Ok(states)
    }

    /// A part that is simpler, and equal within the bound, if no step leaves the bound.
    fn simpler(&mut self, property: usize, part: &Bdd) -> Result<Bdd, Stop> {
        let budget = self.states.system.context().budget;
        match &self.states.bound {
            Some(bound) if bound.is_closed => {
                part.restrict(&bound.states[property], &mut || budget.check())
            }
            _ => Ok(part.clone()),
        }
    }

    fn step(&mut self, region: &Partition, chosen: &Chosen) -> Result<Partition, Stop> {
        let stepped = match self.states.direction() {
            Direction::Forward => self.images(region, chosen)?,
            Direction::Backward => self.preimages(region, chosen)?,
        };
        let parts = stepped.into_iter().enumerate();
        parts.map(|(property, part)| self.restricted(property, part)).collect()
    }

    /// One image per target.
    fn images(&mut self, region: &Partition, chosen: &Chosen) -> Result<Partition, Stop> {
        let mut result = self.none();
        for (target, part) in result.iter_mut().enumerate() {
            let (mut of_states, mut of_steps) = (self.bottom(), self.bottom());
            for &index in &self.states.property.incoming[target] {
                let edge = &self.states.property.edges[index];
                if !chosen.has(edge) || region[edge.source].is_bottom() {
                    continue;
                }
                match &edge.label {
                    Label::OfStates(label) => {
                        of_states = of_states.or(&region[edge.source].and(label)?)?;
                    }
                    Label::OfSteps(label) => {
                        of_steps = of_steps.or(&region[edge.source].and(label)?)?;
                    }
                }
            }
            if !of_states.is_bottom() {
                let system = &mut self.states.system;
                *part = system.unbounded_step(&of_states, chosen.constraint.as_ref(), None)?;
            }
            if !of_steps.is_bottom() {
                let (steps, all) = (chosen.with(&of_steps)?, self.states.system.manager().top());
                let by_steps = self.states.system.unbounded_step(&all, Some(&steps), None)?;
                *part = part.or(&by_steps)?;
            }
        }
        Ok(result)
    }

    /// One preimage per target, and one more for each label on steps.
    fn preimages(&mut self, region: &Partition, chosen: &Chosen) -> Result<Partition, Stop> {
        let mut result = self.none();
        for (target, part) in region.iter().enumerate().filter(|(_, part)| !part.is_bottom()) {
            let part = self.simpler(target, part)?;
            let mut before = None;
            for place in 0..self.states.property.incoming[target].len() {
                let index = self.states.property.incoming[target][place];
                let PartitionedStates { property, system, mistake, .. } = &mut *self.states;
                let edge = &property.edges[index];
                if !chosen.has(edge) {
                    continue;
                }
                let source = edge.source;
                let found = match &edge.label {
                    Label::OfSteps(label) => {
                        let steps = chosen.with(label)?;
                        system.unbounded_step(&part, Some(&steps), None)?
                    }
                    Label::OfStates(label) => {
                        let label = match mistake {
                            Some(Mistake::LabelsAreForgotten) => system.manager().top(),
                            _ => label.clone(),
                        };
                        if before.is_none() {
                            before = Some(self.preimage(target, &part, chosen)?);
                        }
                        label.and(before.as_ref().expect("the preimage just computed"))?
                    }
                };
                result[source] = result[source].or(&found)?;
            }
        }
        Ok(result)
    }

    /// The predecessors in the model of the part of a target.
    fn preimage(&mut self, target: usize, part: &Bdd, chosen: &Chosen) -> Result<Bdd, Stop> {
        let PartitionedStates { known, system, mistake, .. } = &mut *self.states;
        if let Some(constraint) = &chosen.constraint {
            return system.unbounded_step(part, Some(constraint), None);
        }
        if let Some(known) = &known[target]
            && (known.of == *part || *mistake == Some(Mistake::StalePreimage))
        {
            return Ok(known.preimage.clone());
        }
        let preimage = system.unbounded_step(part, None, None)?;
        known[target] = Some(KnownPreimage { of: part.clone(), preimage: preimage.clone() });
        Ok(preimage)
    }

    /// The steps of the product from one part: those of one case of the model's relation, or those
    /// whose labels are about steps. Gives states of the product with their parts.
    fn partial_step(
        &mut self,
        property: usize,
        part: &Bdd,
        case: PartialStep,
    ) -> Result<Vec<(usize, Bdd)>, Stop> {
        let direction = self.states.direction();
        let PartitionedStates { property: graph, system, .. } = &mut *self.states;
        let edges = direction.of(&graph.outgoing, &graph.incoming)[property].iter();
        let mut found = Vec::new();
        let mut before = None;
        for edge in edges.map(|&index| &graph.edges[index]) {
            let other = direction.of(edge.target, edge.source);
            let states = match (&edge.label, case, direction) {
                (Label::OfSteps(label), PartialStep::OfLabels, _) => {
                    system.unbounded_step(part, Some(label), None)?
                }
                (Label::OfStates(label), PartialStep::Case(case), Direction::Forward) => {
                    system.unbounded_step(&part.and(label)?, None, case)?
                }
                (Label::OfStates(label), PartialStep::Case(case), Direction::Backward) => {
                    if before.is_none() {
                        before = Some(system.unbounded_step(part, None, case)?);
                    }
                    label.and(before.as_ref().expect("the preimage just computed"))?
                }
                _ => continue,
            };
            found.push((other, states));
        }
        let restrict = |(other, states)| Ok((other, self.restricted(other, states)?));
        found.into_iter().map(restrict).collect()
    }

    /// Takes one kind of steps from the parts of a component until it finds nothing new, or is
    /// outdated. Returns whether a part had states from which it was not taken before.
    fn saturate_all(
        &mut self,
        all: &mut Partition,
        members: &[usize],
        step: PartialStep,
        done: &mut [Bdd],
    ) -> Result<bool, Stop> {
        let mut has_changed = false;
        loop {
            let mut is_done = true;
            for (&property, done) in members.iter().zip(&mut *done) {
                is_done &= !self.saturate(all, property, step, done)?;
            }
            if is_done {
                return Ok(has_changed);
            }
            has_changed = true;
            if self.states.system.is_outdated(step) {
                return Ok(true);
            }
        }
    }

    /// Takes one kind of steps from one part until it finds nothing new there, or is outdated.
    fn saturate(
        &mut self,
        all: &mut Partition,
        property: usize,
        step: PartialStep,
        done: &mut Bdd,
    ) -> Result<bool, Stop> {
        let mut has_changed = false;
        loop {
            let new = all[property].and_not(done)?;
            if new.is_bottom() {
                return Ok(has_changed);
            }
            has_changed = true;
            *done = all[property].clone();
            for (other, states) in self.partial_step(property, &new, step)? {
                all[other] = all[other].or(&states)?;
            }
            if self.states.system.is_outdated(step) {
                return Ok(true);
            }
            if self.states.mistake == Some(Mistake::UntilStopsEarly) {
                return Ok(false);
            }
        }
    }
}

impl Regions for PartitionAlgebra<'_, '_> {
    type Region = Partition;

    fn none(&self) -> Partition {
        vec![self.bottom(); self.states.property.state_count()]
    }

    fn is_empty(&self, region: &Partition) -> bool {
        region.iter().all(Bdd::is_bottom)
    }

    fn add(&mut self, region: &mut Partition, more: &Partition) -> Result<Partition, Stop> {
        let budget = self.states.system.context().budget;
        region.iter_mut().zip(more).map(|(part, more)| grow(part, more, budget)).collect()
    }

    fn includes(&mut self, larger: &Partition, smaller: &Partition) -> Result<bool, Stop> {
        for (larger, smaller) in larger.iter().zip(smaller) {
            if larger != smaller && !smaller.entails(larger)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn are_identical(&self, one: &Partition, other: &Partition) -> bool {
        one == other
    }

    fn pick(&mut self, region: &mut Partition) -> Partition {
        std::mem::replace(region, self.none())
    }
}

impl Images for PartitionAlgebra<'_, '_> {
    fn image(&mut self, region: &Partition) -> Result<Partition, Stop> {
        self.step(region, &Chosen::default())
    }

    fn closure(&mut self, seed: &Partition, bound: Option<&Partition>) -> Result<Partition, Stop> {
        let of_steps = |edge: &Edge| matches!(edge.label, Label::OfSteps(_));
        let has_labels = self.states.property.edges.iter().any(of_steps);
        let mut steps = self.states.system.partial_steps(has_labels)?;
        let mut all = seed.clone();
        let count = self.states.property.components.len();
        for place in 0..count {
            // Components whose steps lead here come later backward, and earlier forward.
            let component = self.states.direction().of(count - 1 - place, place);
            let members = self.states.property.components[component].clone();
            let nothing = vec![self.bottom(); members.len()];
            // For each kind of steps, a region that they do not leave.
            let mut done = vec![nothing.clone(); steps.len()];
            let (mut kind, mut unchanged) = (0, 0);
            while unchanged < steps.len() {
                let has_changed =
                    self.saturate_all(&mut all, &members, steps[kind], &mut done[kind])?;
                if bound == Some(&all) {
                    return Ok(all);
                }
                unchanged = if has_changed { 1 } else { unchanged + 1 };
                kind = (kind + 1) % steps.len();
                if self.states.system.is_outdated(steps[0]) {
                    steps = self.states.system.partial_steps(has_labels)?;
                    done = vec![nothing.clone(); steps.len()];
                    (kind, unchanged) = (0, 0);
                }
            }
        }
        Ok(all)
    }

    fn mark_count(&self) -> usize {
        self.states.mark_count().max(1)
    }

    fn marked_image(&mut self, region: &Partition, mark: usize) -> Result<Partition, Stop> {
        let place = match self.states.mark(mark) {
            ProductMark::None => return self.image(region),
            ProductMark::Property(mark) => {
                return self.step(region, &Chosen { mark: Some(mark), constraint: None });
            }
            ProductMark::System(place) => place,
        };
        let of_part = |part: &Bdd, states: &Bdd| Ok::<Bdd, Stop>(part.and(states)?);
        match (&self.states.system.model().justice[place], self.states.direction()) {
            (Justice::OfSteps(steps), _) => {
                let constraint = Some(steps.clone());
                self.step(region, &Chosen { mark: None, constraint })
            }
            (Justice::OfStates(states), Direction::Forward) => {
                let just: Result<Partition, Stop> =
                    region.iter().map(|part| of_part(part, states)).collect();
                self.image(&just?)
            }
            (Justice::OfStates(states), Direction::Backward) => {
                let states = states.clone();
                self.image(region)?.iter().map(|part| of_part(part, &states)).collect()
            }
        }
    }
}

impl Traces for PartitionAlgebra<'_, '_> {
    type State = PairState;
    /// The indices of the true inputs, if inputs belong to steps.
    type Label = BitSet;

    fn intersection(&mut self, one: &Partition, other: &Partition) -> Result<Partition, Stop> {
        one.iter().zip(other).map(|(one, other)| Ok(one.and(other)?)).collect()
    }

    fn some_state(&self, region: &Partition) -> PairState {
        let property = region.iter().position(|part| !part.is_bottom());
        let property = property.expect("the region has a state");
        PairState { property, system: self.states.system.some_state(&region[property]) }
    }

    fn contains(&self, region: &Partition, state: &PairState) -> bool {
        // Current variables have even numbers.
        region[state.property].eval(|variable| state.system.contains(variable.index() / 2))
    }

    fn neighbour(
        &mut self,
        state: &PairState,
        region: &Partition,
        mark: Option<usize>,
    ) -> Result<(BitSet, PairState), Stop> {
        let mut chosen = Chosen::default();
        match mark.map(|mark| self.states.mark(mark)) {
            Some(ProductMark::Property(mark)) => chosen.mark = Some(mark),
            Some(ProductMark::System(place)) => {
                let justice = &self.states.system.model().justice[place];
                chosen.constraint = Some(justice.constraint().clone());
            }
            Some(ProductMark::None) | None => {}
        }
        let direction = self.states.direction();
        let PartitionedStates { property: graph, system, .. } = &mut *self.states;
        let edges = direction.of(&graph.incoming, &graph.outgoing)[state.property].iter();
        for edge in edges.map(|&index| &graph.edges[index]).filter(|edge| chosen.has(edge)) {
            let other = direction.of(edge.source, edge.target);
            if region[other].is_bottom() {
                continue;
            }
            let (Label::OfStates(label) | Label::OfSteps(label)) = &edge.label;
            let constraint = chosen.with(label)?;
            let found = system.find_neighbour(&state.system, &region[other], Some(&constraint))?;
            if let Some(Moment { state: system, label }) = found {
                return Ok((label, PairState { property: other, system }));
            }
        }
        panic!("a ring was made from the one before")
    }

    fn is_safety(&self) -> bool {
        FairSpace::is_safety(&*self.states)
    }
}
