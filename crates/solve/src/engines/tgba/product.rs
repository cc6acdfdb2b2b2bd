//! The product of a model's explicit states and a property, one state after the other.
//!
//! A state of the product is a vector of bits ([`Layout`]). Steps come in batches, as the steps of
//! the model do. With *levels*, the product is degeneralised as in `search/levels.rs`: the level is
//! a part of the state.

use std::ops::Range;

use kermode_automata::on_letter::OnLetter;
use kermode_base::BitSet;
use kermode_system::{Batch, ExplicitModel, Position};

use super::layout::Layout;
use super::mistakes::Mistake;
use super::property::Property;
use crate::frame::budget::{Budget, Stop};
use crate::search::{MarkSet, MarkSets, raised};

/// Some states of the product, with the steps that lead to them.
#[derive(Default)]
pub(super) struct Targets {
    /// One vector after the other.
    vectors: Vec<u32>,
    width: usize,
    steps: Vec<ProductStep>,
}

/// A step of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProductStep {
    pub(super) marks: MarkSet,
    /// The number of the observation of the model's step.
    pub(super) observation: u32,
}

impl Targets {
    fn clear(&mut self, width: usize) {
        self.vectors.clear();
        self.steps.clear();
        self.width = width;
    }

    /// All vectors, one after the other.
    pub(super) fn vectors(&self) -> &[u32] {
        &self.vectors
    }

    /// The vector and the marks at an index.
    pub(super) fn at(&self, index: usize) -> (&[u32], MarkSet) {
        (&self.vectors[index * self.width..][..self.width], self.steps[index].marks)
    }

    /// The vectors with the steps to them.
    pub(super) fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = (&[u32], ProductStep)> + ExactSizeIterator {
        self.vectors.chunks_exact(self.width).zip(self.steps.iter().copied())
    }
}

/// A product on demand.
pub(super) struct Product<'b, P: OnLetter> {
    model: ExplicitModel,
    property: Property<P>,
    pub(super) layout: Layout,
    with_levels: bool,
    /// The marks of the product, before degeneralisation.
    pub(super) marks: MarkSets,
    mark_count: usize,
    budget: &'b Budget,
    batch: Batch,
    state: Vec<u32>,
    /// Whether the property has more nodes than the layout can store.
    pub(super) has_overflown: bool,
}

impl<'b, P: OnLetter> Product<'b, P>
where
    Stop: From<P::Stop>,
{
    /// The product of a model and a property that observes its steps.
    pub(super) fn new(
        model: ExplicitModel,
        property: Property<P>,
        with_levels: bool,
        is_wide: bool,
        budget: &'b Budget,
    ) -> Self {
        let mark_count = property.mark_count();
        let last_level = if with_levels { mark_count } else { 0 };
        let layout = Layout::new(model.states.len(), last_level, is_wide);
        Product {
            model,
            property,
            layout,
            with_levels,
            marks: MarkSets::new(mark_count),
            mark_count,
            budget,
            batch: Batch::default(),
            state: Vec::new(),
            has_overflown: false,
        }
    }

    /// The number of marks of the graph that is searched.
    pub(super) fn mark_count(&self) -> usize {
        if self.with_levels { 1 } else { self.mark_count }
    }

    /// Whether steps that differ in inputs only may lead to the same state.
    pub(super) fn may_repeat_steps(&self) -> bool {
        !self.model.inputs.is_empty()
    }

    /// What the property counted.
    pub(super) fn property_counts(&self) -> [usize; 3] {
        self.property.counts()
    }

    /// The observation with a number.
    pub(super) fn observed(&self, number: u32) -> &[u64] {
        self.property.observed(number)
    }

    /// Whether a round of marks is complete in a state.
    pub(super) fn is_accepting(&self, vector: &[u32]) -> bool {
        self.with_levels && self.layout.level(vector) == self.mark_count
    }

    /// Some initial states: the first ones, or those from a position on. The position of the next
    /// ones, if there are more.
    pub(super) fn initial(
        &mut self,
        position: Option<&Position>,
        targets: &mut Targets,
    ) -> Result<Option<Position>, Stop> {
        targets.clear(self.layout.width());
        let nodes = self.property.initial()?;
        let budget = self.budget;
        let next = self.model.initial(position, &mut self.batch, &mut || budget.check())?;
        for lane in self.batch.each_lane() {
            for &node in &nodes {
                self.layout.write(&mut targets.vectors, self.batch.target(lane), 0, node);
                targets.steps.push(ProductStep { marks: MarkSet::EMPTY, observation: 0 });
            }
        }
        Ok(next)
    }

    /// Some steps from a state: the first ones, or those from a position on. The position of the
    /// next ones, if there are more.
    pub(super) fn expand(
        &mut self,
        vector: &[u32],
        position: Option<&Position>,
        targets: &mut Targets,
    ) -> Result<Option<Position>, Stop> {
        targets.clear(self.layout.width());
        let (node, level) = (self.layout.node(vector), self.layout.level(vector));
        let budget = self.budget;
        self.layout.state(vector, &mut self.state);
        let interrupt = &mut || budget.check();
        let next = self.model.steps(&self.state, position, &mut self.batch, interrupt)?;
        // Observations are often the same on all steps.
        let mut before: Option<(usize, u32, Range<usize>)> = None;
        for lane in self.batch.each_lane() {
            let observed = self.batch.observations(lane);
            let same = before.take().filter(|&(other, ..)| {
                self.batch.observations(other).iter().zip(observed).all(|(a, b)| a == b)
            });
            let (observation, steps) = match same {
                Some((_, observation, steps)) => (observation, steps),
                None => self.property.steps_on(node, observed, &mut self.marks)?,
            };
            for place in steps.clone() {
                let step = self.property.step(place);
                if !self.layout.fits(step.node) {
                    self.has_overflown = true;
                    return Err(Stop::Limit("the property has too many nodes".to_owned()));
                }
                let (to, marks) = self.levelled(level, step.marks);
                self.layout.write(&mut targets.vectors, self.batch.target(lane), to, step.node);
                targets.steps.push(ProductStep { marks, observation });
            }
            before = Some((lane, observation, steps));
        }
        Ok(next)
    }

    /// The level after a step and its marks in the graph that is searched.
    fn levelled(&mut self, level: usize, marks: MarkSet) -> (usize, MarkSet) {
        if !self.with_levels {
            return (0, marks);
        }
        let mut to = raised(level, self.marks.get(marks), self.mark_count);
        if self.property.has_mistake(Mistake::RoundsEndEarly) && to + 1 == self.mark_count {
            to = self.mark_count;
        }
        let is_complete = level == self.mark_count;
        (to, if is_complete { self.marks.number(BitSet::of_word(1)) } else { MarkSet::EMPTY })
    }
}
