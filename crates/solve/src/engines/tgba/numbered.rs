//! The product as a graph over numbered states, for the exact searches.
//!
//! The vectors of all states are in a [`VectorSet`], which numbers them as the search meets them.
//! Steps that are not yet taken wait on one stack ([`PendingSteps`]), because the last frame that
//! was begun ends first. That stack is bounded: the steps of frames far below are forgotten, and
//! computed again when the search returns to them. So a frame has two numbers, and the memory
//! beside the vectors is that of the table, of the [`Path`] and of the search itself.

use std::time::{Duration, Instant};

use kermode_automata::on_letter::OnLetter;
use kermode_base::VectorSet;
use kermode_system::Position;

use super::path::{Frame, Path};
use super::pending::PendingSteps;
use super::product::{Product, ProductStep, Targets};
use crate::frame::budget::{Budget, Stop, thread_time};
use crate::frame::observer::Observer;
use crate::search::{Leaving, MarkSets, MarkedGraph, SearchCounts, SearchGraph, Taken};

/// The budget is checked and progress is shown once for so many expanded states.
const BETWEEN_CHECKS: u64 = 32;

/// A product whose states have numbers.
pub(super) struct NumberedProduct<'b, P: OnLetter> {
    pub(super) product: Product<'b, P>,
    pub(super) states: VectorSet,
    pub(super) counts: SearchCounts,
    /// The initial states that were met.
    pub(super) initial: Vec<u32>,
    starts: Starts,
    /// The steps that were not yet taken, those of the last frame on top.
    pending: PendingSteps,
    /// The batches of frames that have several, by depth.
    batches: Vec<Batches>,
    path: Path,
    expanded: u64,
    vector: Vec<u32>,
    targets: Targets,
    budget: &'b Budget,
    observer: &'b mut dyn Observer,
    started: (Instant, Duration),
}

/// The initial states that were not met.
struct Starts {
    /// Some of them, one vector after the other, the next one last.
    vectors: Vec<u32>,
    rest: InitialRest,
}

enum InitialRest {
    All,
    From(Position),
    None,
}

/// The steps of a frame come in several batches.
struct Batches {
    depth: usize,
    /// Where the batch of the pending steps begins, and where the next one.
    current: Option<Position>,
    next: Option<Position>,
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
        let width = product.layout.width();
        NumberedProduct {
            states: VectorSet::new(width),
            pending: PendingSteps::new(width, product.may_repeat_steps()),
            product,
            counts: SearchCounts::default(),
            initial: Vec::new(),
            starts: Starts { vectors: Vec::new(), rest: InitialRest::All },
            batches: Vec::new(),
            path: Path::default(),
            expanded: 0,
            vector: Vec::new(),
            targets: Targets::default(),
            budget,
            observer,
            started: (Instant::now(), thread_time()),
        }
    }

    /// Reports the counters.
    pub(super) fn tell(&mut self) {
        self.counts.tell(self.observer);
        let [nodes, expansions, steps] = self.product.property_counts();
        let own = self.states.table_bytes() + self.pending.bytes() + self.path.bytes();
        let micros = (thread_time() - self.started.1).as_micros().max(1);
        let per_second = u128::from(self.counts.states) * 1_000_000 / micros;
        for (name, value) in [
            ("property_nodes", nodes as u64),
            ("property_expansions", expansions as u64),
            ("property_steps", steps as u64),
            ("vector_bytes", 4 * self.states.width() as u64),
            ("search_bytes", self.counts.bytes + own as u64),
            ("states_per_cpu_second", per_second as u64),
        ] {
            self.observer.statistic(name, value);
        }
    }

    /// Checks the budget and shows progress from time to time.
    fn keep_going(&mut self) -> Result<(), Stop> {
        self.expanded += 1;
        if !self.expanded.is_multiple_of(BETWEEN_CHECKS) {
            return Ok(());
        }
        let (SearchCounts { states, transitions, .. }, started) = (self.counts, self.started.0);
        self.observer.progress(&|| {
            let per_second = states as f64 / started.elapsed().as_secs_f64();
            format!("{states} states, {transitions} transitions, {per_second:.0} states per second")
        });
        self.budget.check()
    }

    /// The number of a state; a new one if it was not met before.
    fn number(&mut self, vector: &[u32]) -> u32 {
        let (number, is_new) = self.states.insert(vector);
        self.counts.states += u64::from(is_new);
        number
    }

    /// Puts the last steps of a batch on the stack, and returns their number and the position of
    /// the next batch.
    fn expand(
        &mut self,
        state: u32,
        position: Option<&Position>,
        most: u32,
    ) -> Result<(u32, Option<Position>), Stop> {
        self.vector.clear();
        self.vector.extend_from_slice(self.states.get(state));
        let next = self.product.expand(&self.vector, position, &mut self.targets)?;
        let count = self.pending.push(&self.targets, &self.states, most);
        Ok((count, next))
    }

    /// Puts the steps on the stack again that the last frame has not yet taken.
    fn expand_again(&mut self) -> Result<(), Stop> {
        let (Frame { state, left }, depth) = (self.path.last, self.path.depth);
        let batches = self.batches.pop_if(|batches| batches.depth == depth);
        let position = batches.as_ref().and_then(|batches| batches.current.as_ref());
        self.expand(state, position, left)?;
        self.batches.extend(batches);
        Ok(())
    }

    /// Begins the next batch of the last frame, if there is one.
    fn next_batch(&mut self) -> Result<bool, Stop> {
        let depth = self.path.depth;
        let batches = self.batches.pop_if(|batches| batches.depth == depth);
        let Some(position) = batches.and_then(|batches| batches.next) else { return Ok(false) };
        self.keep_going()?;
        let (left, next) = self.expand(self.path.last.state, Some(&position), u32::MAX)?;
        self.path.last.left = left;
        self.batches.push(Batches { depth, current: Some(position), next });
        Ok(true)
    }
}

impl<P: OnLetter> SearchGraph for NumberedProduct<'_, P>
where
    Stop: From<P::Stop>,
{
    fn next_initial(&mut self) -> Result<Option<u32>, Stop> {
        while self.starts.vectors.is_empty() {
            let rest = std::mem::replace(&mut self.starts.rest, InitialRest::None);
            let position = match &rest {
                InitialRest::All => None,
                InitialRest::From(position) => Some(position),
                InitialRest::None => return Ok(None),
            };
            self.budget.check()?;
            let next = self.product.initial(position, &mut self.targets)?;
            self.starts.rest = next.map_or(InitialRest::None, InitialRest::From);
            for (vector, _) in self.targets.iter().rev() {
                self.starts.vectors.extend_from_slice(vector);
            }
        }
        let first = self.starts.vectors.len() - self.states.width();
        let vector: Vec<u32> = self.starts.vectors.drain(first..).collect();
        let number = self.number(&vector);
        self.initial.push(number);
        Ok(Some(number))
    }

    fn enter(&mut self, state: u32) -> Result<(), Stop> {
        self.keep_going()?;
        let (left, next) = self.expand(state, None, u32::MAX)?;
        self.path.push(Frame { state, left });
        if next.is_some() {
            self.batches.push(Batches { depth: self.path.depth, current: None, next });
        }
        Ok(())
    }

    fn depth(&self) -> usize {
        self.path.depth
    }

    fn last(&self) -> u32 {
        self.path.last.state
    }

    fn advance(&mut self) -> Result<Option<Taken>, Stop> {
        while self.path.last.left == 0 {
            if !self.next_batch()? {
                return Ok(None);
            }
        }
        if self.pending.is_empty() {
            self.expand_again()?;
        }
        self.path.last.left -= 1;
        self.counts.transitions += 1;
        let (taken, is_new) = self.pending.take(&mut self.states);
        self.counts.states += u64::from(is_new);
        Ok(Some(taken))
    }

    fn leave(&mut self) {
        self.path.pop();
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
