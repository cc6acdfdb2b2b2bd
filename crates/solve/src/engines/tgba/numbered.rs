//! The product as a graph over numbered states, for the exact searches.
//!
//! The vectors of all states are in a [`VectorSet`], which numbers them. The steps of the states on
//! the path of a search that are not yet taken are on one stack, because the last frame that was
//! begun ends first: a frame has two numbers, and a step that waits has two.

use std::time::Instant;

use kermode_automata::on_letter::OnLetter;
use kermode_base::VectorSet;
use kermode_system::Position;

use super::product::{Product, ProductStep, Targets};
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;
use crate::search::{Leaving, MarkSets, MarkedGraph, SearchCounts, SearchGraph, Taken};

/// The budget is checked and progress is shown once for so many expanded states.
const BETWEEN_CHECKS: u64 = 32;
/// Among so many steps of a state, those that lead to the same state are found.
const COMPARED: usize = 16;

/// A product whose states have numbers.
pub(super) struct NumberedProduct<'b, P: OnLetter> {
    pub(super) product: Product<'b, P>,
    pub(super) states: VectorSet,
    pub(super) counts: SearchCounts,
    /// The initial states that were met, and how many of them the search has begun with.
    pub(super) initial: Vec<u32>,
    begun: usize,
    rest: InitialRest,
    /// The steps that were not yet taken, those of the last frame on top.
    pending: Vec<Taken>,
    /// Where the steps of frames continue after their last pending step, by depth.
    positions: Vec<(u32, Position)>,
    depth: u32,
    expanded: u64,
    vector: Vec<u32>,
    targets: Targets,
    budget: &'b Budget,
    observer: &'b mut dyn Observer,
    started: Instant,
}

/// The initial states that were not met.
enum InitialRest {
    All,
    From(Position),
    None,
}

/// A state on the path of a search.
pub(super) struct ProductFrame {
    state: u32,
    /// The number of pending steps of the frames below.
    first: u32,
}

impl<'b, P: OnLetter> NumberedProduct<'b, P>
where
    Stop: From<P::Stop>,
{
    pub(super) fn new(
        product: Product<'b, P>,
        budget: &'b Budget,
        observer: &'b mut dyn Observer,
    ) -> Self {
        NumberedProduct {
            states: VectorSet::new(product.layout.width()),
            product,
            counts: SearchCounts::default(),
            initial: Vec::new(),
            begun: 0,
            rest: InitialRest::All,
            pending: Vec::new(),
            positions: Vec::new(),
            depth: 0,
            expanded: 0,
            vector: Vec::new(),
            targets: Targets::default(),
            budget,
            observer,
            started: Instant::now(),
        }
    }

    /// Reports the counters.
    pub(super) fn tell(&mut self) {
        self.counts.tell(self.observer);
        let [nodes, expansions, steps] = self.product.property_counts();
        self.observer.statistic("property_nodes", nodes as u64);
        self.observer.statistic("property_expansions", expansions as u64);
        self.observer.statistic("property_steps", steps as u64);
        self.observer.statistic("vector_bytes", 4 * self.states.width() as u64);
        let own = self.states.table_bytes() + self.pending.capacity() * size_of::<Taken>();
        self.observer.statistic("search_bytes", self.counts.bytes + own as u64);
    }

    /// Checks the budget and shows progress from time to time.
    fn keep_going(&mut self) -> Result<(), Stop> {
        self.expanded += 1;
        if !self.expanded.is_multiple_of(BETWEEN_CHECKS) {
            return Ok(());
        }
        let (SearchCounts { states, transitions, .. }, started) = (self.counts, self.started);
        self.observer.progress(&|| {
            let per_second = states as f64 / started.elapsed().as_secs_f64();
            format!("{states} states, {transitions} transitions, {per_second:.0} states per second")
        });
        self.budget.check()
    }

    /// Numbers the targets, and puts the steps to them on the stack.
    fn push_targets(&mut self) {
        let first = self.pending.len();
        let may_repeat = self.product.may_repeat_steps();
        // The first step is taken first.
        for (vector, ProductStep { marks, .. }) in self.targets.iter().rev() {
            let (to, is_new) = self.states.insert(vector);
            self.counts.states += u64::from(is_new);
            let is_same = |taken: &Taken| taken.to == to && taken.marks == marks;
            let last = &self.pending[first.max(self.pending.len().saturating_sub(COMPARED))..];
            if !may_repeat || !last.iter().any(is_same) {
                self.pending.push(Taken { to, marks });
            }
        }
    }

    /// Puts the steps of a state on the stack, the first ones or those from a position on.
    fn expand(&mut self, state: u32, position: Option<&Position>) -> Result<(), Stop> {
        self.keep_going()?;
        self.vector.clear();
        self.vector.extend_from_slice(self.states.get(state));
        let next = self.product.expand(&self.vector, position, &mut self.targets)?;
        self.push_targets();
        self.positions.extend(next.map(|position| (self.depth, position)));
        Ok(())
    }
}

impl<P: OnLetter> SearchGraph for NumberedProduct<'_, P>
where
    Stop: From<P::Stop>,
{
    type Frame = ProductFrame;

    fn next_initial(&mut self) -> Result<Option<u32>, Stop> {
        while self.begun == self.initial.len() {
            let rest = std::mem::replace(&mut self.rest, InitialRest::None);
            let position = match &rest {
                InitialRest::All => None,
                InitialRest::From(position) => Some(position),
                InitialRest::None => return Ok(None),
            };
            self.budget.check()?;
            let next = self.product.initial(position, &mut self.targets)?;
            self.rest = next.map_or(InitialRest::None, InitialRest::From);
            for (vector, _) in self.targets.iter() {
                let (number, is_new) = self.states.insert(vector);
                self.counts.states += u64::from(is_new);
                self.initial.push(number);
            }
        }
        self.begun += 1;
        Ok(Some(self.initial[self.begun - 1]))
    }

    fn frame(&mut self, state: u32) -> Result<ProductFrame, Stop> {
        self.depth += 1;
        let first = self.pending.len() as u32;
        self.expand(state, None)?;
        Ok(ProductFrame { state, first })
    }

    fn state_of(&self, frame: &ProductFrame) -> u32 {
        frame.state
    }

    fn advance(&mut self, frame: &mut ProductFrame) -> Result<Option<Taken>, Stop> {
        loop {
            if self.pending.len() > frame.first as usize {
                self.counts.transitions += 1;
                return Ok(self.pending.pop());
            }
            match self.positions.pop_if(|(depth, _)| *depth == self.depth) {
                Some((_, position)) => self.expand(frame.state, Some(&position))?,
                None => {
                    self.depth -= 1;
                    return Ok(None);
                }
            }
        }
    }

    fn is_accepting(&self, state: u32) -> bool {
        self.product.is_accepting(self.states.get(state))
    }

    fn marks(&mut self) -> &mut MarkSets {
        &mut self.product.marks
    }

    fn counts(&mut self) -> &mut SearchCounts {
        &mut self.counts
    }
}

/// The graph of the states that the search has met. An edge has the number of its observation.
impl<P: OnLetter> MarkedGraph for NumberedProduct<'_, P>
where
    Stop: From<P::Stop>,
{
    type Edge = u32;

    fn mark_count(&self) -> usize {
        self.product.mark_count()
    }

    fn leaving(&mut self, state: u32) -> Result<Vec<Leaving<u32>>, Stop> {
        let vector = self.states.get(state).to_vec();
        let (mut leaving, mut position) = (Vec::new(), None);
        loop {
            self.budget.check()?;
            position = self.product.expand(&vector, position.as_ref(), &mut self.targets)?;
            for (target, ProductStep { marks, observation }) in self.targets.iter() {
                if let Some(to) = self.states.number(target) {
                    let marks = Some(self.product.marks.get(marks).clone());
                    leaving.push(Leaving { from: state, to, marks, edge: observation });
                }
            }
            if position.is_none() {
                return Ok(leaving);
            }
        }
    }
}
