//! Supertrace: the magic search with a table of bits in place of the states that it has met
//! \[Hol87\].
//!
//! A state is taken as met if all of its bits are set, which other states may have set. So the
//! search may miss states, and what it does not find may exist. What it finds is right: the states
//! on its path are stored as vectors, and a cycle is closed by an equal vector. The first and the
//! second search have different bits in one table.

use std::time::Instant;

use kermode_automata::on_letter::OnLetter;
use kermode_base::vector_set::hash_from;
use kermode_system::Position;

use super::product::{Product, Targets};
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;
use crate::search::SearchCounts;

/// The bits of a state, for each of the two searches.
const BITS_PER_STATE: u64 = 3;
/// Progress is shown once for so many expanded states.
const BETWEEN_CHECKS: u64 = 32;

/// A table of bits.
struct BitTable {
    words: Vec<u64>,
    /// The number of bits is a power of two.
    mask: u64,
    set: u64,
}

impl BitTable {
    fn new(logarithm: u32) -> Self {
        let words = vec![0; (1_usize << logarithm) / 64];
        BitTable { words, mask: (1 << logarithm) - 1, set: 0 }
    }

    /// Sets the bits of a vector in a search; whether one was not set.
    fn insert(&mut self, search: WhichSearch, vector: &[u32]) -> bool {
        let mut is_new = false;
        for number in 0..BITS_PER_STATE {
            let seed = number * 2 + search as u64 + 1;
            let bit = hash_from(seed.wrapping_mul(0xA076_1D64_78BD_642F), vector) & self.mask;
            let word = &mut self.words[(bit / 64) as usize];
            let is_set = *word >> (bit % 64) & 1 == 1;
            *word |= 1 << (bit % 64);
            self.set += u64::from(!is_set);
            is_new |= !is_set;
        }
        is_new
    }

    /// The percentage of bits that are set.
    fn filling(&self) -> u64 {
        (u128::from(self.set) * 100 / (u128::from(self.mask) + 1)) as u64
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WhichSearch {
    First,
    Second,
}

/// A state on the path.
struct SuperFrame {
    vector: Vec<u32>,
    /// The observation of the step to it.
    observation: u32,
    /// The steps that were not yet taken, the last one first.
    pending: Vec<(Vec<u32>, u32)>,
    rest: Option<Position>,
}

/// A path of vectors that ends with a cycle. Each has the observation of the step that leaves it.
pub(super) struct VectorLasso {
    pub(super) moments: Vec<(Vec<u32>, u32)>,
    pub(super) loop_start: usize,
}

/// A search with a table of bits.
pub(super) struct Supertrace<'b, P: OnLetter> {
    pub(super) product: Product<'b, P>,
    table: BitTable,
    pub(super) counts: SearchCounts,
    expanded: u64,
    targets: Targets,
    budget: &'b Budget,
    observer: &'b mut dyn Observer,
    started: Instant,
}

impl<'b, P: OnLetter> Supertrace<'b, P>
where
    Stop: From<P::Stop>,
{
    /// A search of a product with levels, with a table of `2^logarithm` bits.
    pub(super) fn new(
        product: Product<'b, P>,
        logarithm: u32,
        budget: &'b Budget,
        observer: &'b mut dyn Observer,
    ) -> Self {
        Supertrace {
            product,
            table: BitTable::new(logarithm),
            counts: SearchCounts::default(),
            expanded: 0,
            targets: Targets::default(),
            budget,
            observer,
            started: Instant::now(),
        }
    }

    /// Reports the counters.
    pub(super) fn tell(&mut self) {
        self.counts.tell(self.observer);
        self.observer.statistic("bits_set_percent", self.table.filling());
    }

    /// What the search has covered.
    pub(super) fn coverage(&self) -> String {
        let SearchCounts { states, transitions, .. } = self.counts;
        let filling = self.table.filling();
        format!(
            "hash=bits may miss states; it met {states} states and {transitions} transitions \
             and set {filling} % of its bits"
        )
    }

    /// A lasso with an accepting state on its cycle, if one is found.
    pub(super) fn search(&mut self) -> Result<Option<VectorLasso>, Stop> {
        let mut position = None;
        loop {
            position = self.product.initial(position.as_ref(), &mut self.targets)?;
            let starts: Vec<Vec<u32>> =
                self.targets.iter().map(|(vector, _)| vector.to_vec()).collect();
            for start in starts {
                if self.meet(WhichSearch::First, &start)
                    && let Some(lasso) = self.first_search(start)?
                {
                    return Ok(Some(lasso));
                }
            }
            if position.is_none() {
                return Ok(None);
            }
        }
    }

    fn meet(&mut self, search: WhichSearch, vector: &[u32]) -> bool {
        let is_new = self.table.insert(search, vector);
        self.counts.states += u64::from(is_new && search == WhichSearch::First);
        is_new
    }

    fn first_search(&mut self, start: Vec<u32>) -> Result<Option<VectorLasso>, Stop> {
        let mut path = vec![self.frame(start, 0)?];
        while let Some(frame) = path.last_mut() {
            if let Some((vector, observation)) = self.advance(frame)? {
                if self.meet(WhichSearch::First, &vector) {
                    path.push(self.frame(vector, observation)?);
                    self.counts.depth = self.counts.depth.max(path.len() as u64);
                }
                continue;
            }
            let is_accepting = self.product.is_accepting(&frame.vector);
            if is_accepting && let Some(found) = self.second_search(&frame.vector.clone())? {
                return Ok(Some(lasso(path, found)));
            }
            path.pop();
        }
        Ok(None)
    }

    /// A cycle through a state: the frames after it, and the observation of the last step.
    fn second_search(&mut self, seed: &[u32]) -> Result<Option<(Vec<SuperFrame>, u32)>, Stop> {
        let mut path = vec![self.frame(seed.to_vec(), 0)?];
        while let Some(frame) = path.last_mut() {
            match self.advance(frame)? {
                None => drop(path.pop()),
                Some((vector, observation)) if vector == seed => {
                    path.remove(0);
                    return Ok(Some((path, observation)));
                }
                Some((vector, observation)) => {
                    if self.meet(WhichSearch::Second, &vector) {
                        path.push(self.frame(vector, observation)?);
                    }
                }
            }
        }
        Ok(None)
    }

    fn frame(&mut self, vector: Vec<u32>, observation: u32) -> Result<SuperFrame, Stop> {
        let mut frame = SuperFrame { vector, observation, pending: Vec::new(), rest: None };
        self.expand(&mut frame, None)?;
        Ok(frame)
    }

    fn expand(&mut self, frame: &mut SuperFrame, position: Option<&Position>) -> Result<(), Stop> {
        self.keep_going()?;
        frame.rest = self.product.expand(&frame.vector, position, &mut self.targets)?;
        let steps = self.targets.iter().rev();
        frame.pending.extend(steps.map(|(vector, step)| (vector.to_vec(), step.observation)));
        Ok(())
    }

    fn advance(&mut self, frame: &mut SuperFrame) -> Result<Option<(Vec<u32>, u32)>, Stop> {
        while frame.pending.is_empty() {
            let Some(position) = frame.rest.take() else { return Ok(None) };
            self.expand(frame, Some(&position))?;
        }
        self.counts.transitions += 1;
        Ok(frame.pending.pop())
    }

    fn keep_going(&mut self) -> Result<(), Stop> {
        self.expanded += 1;
        if !self.expanded.is_multiple_of(BETWEEN_CHECKS) {
            return Ok(());
        }
        let (SearchCounts { states, .. }, started) = (self.counts, self.started);
        let filling = self.table.filling();
        self.observer.progress(&|| {
            let per_second = states as f64 / started.elapsed().as_secs_f64();
            format!("{states} states, {per_second:.0} per second, {filling} % of the bits are set")
        });
        self.budget.check()
    }
}

/// The lasso of the path of the first search and the cycle of the second.
fn lasso(path: Vec<SuperFrame>, (cycle, closing): (Vec<SuperFrame>, u32)) -> VectorLasso {
    let loop_start = path.len() - 1;
    let frames: Vec<SuperFrame> = path.into_iter().chain(cycle).collect();
    let leaving = frames.iter().skip(1).map(|frame| frame.observation).chain([closing]);
    let leaving: Vec<u32> = leaving.collect();
    let vectors = frames.into_iter().map(|frame| frame.vector);
    VectorLasso { moments: vectors.zip(leaving).collect(), loop_start }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two searches do not share bits, and a full table has met everything.
    #[test]
    fn bits_are_those_of_vector_and_search() {
        let mut table = BitTable::new(16);
        assert!(table.insert(WhichSearch::First, &[1, 2]));
        assert!(!table.insert(WhichSearch::First, &[1, 2]));
        assert!(table.insert(WhichSearch::Second, &[1, 2]));
        assert!(table.insert(WhichSearch::First, &[2, 1]));
        assert_eq!(table.set, 9);
        let mut small = BitTable::new(6);
        for word in 0..1_000 {
            small.insert(WhichSearch::First, &[word]);
        }
        assert_eq!(small.filling(), 100);
        assert!(!small.insert(WhichSearch::Second, &[7, 7]));
    }
}
