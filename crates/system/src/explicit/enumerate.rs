//! The solutions of constraints over a step, one batch of at most 64 after the other.
//!
//! Stages are a backtracking search: each evaluates all values of its choices at once, and those
//! that satisfy its conditions are *open*. The open lanes of the last stage are a batch. The search
//! can be stopped after a batch and resumed later from a [`Position`], which has two numbers per
//! stage.

use super::circuit::{GateKind, Wire};
use super::program::{Program, Stage};

/// A search for the solutions of a program.
#[derive(Clone, Debug)]
pub(super) struct Search {
    pub(super) program: Program,
    values: Vec<u64>,
    /// The open lanes of each stage.
    open: Vec<u64>,
    /// The picked lane of each stage but the last.
    picked: Vec<u32>,
    stage: usize,
}

/// Where a search is after a batch.
#[derive(Clone, Debug)]
pub struct Position {
    open: Vec<u64>,
    picked: Vec<u32>,
}

impl Search {
    pub(super) fn new(program: Program) -> Self {
        let mut values = vec![0; program.slot_count];
        for &(slot, word) in &program.constants {
            values[slot] = word;
        }
        let count = program.stages.len();
        Search { program, values, open: vec![0; count], picked: vec![0; count], stage: 0 }
    }

    /// Begins with these values of the known leaves, packed in bits.
    pub(super) fn start(&mut self, known: &[u32], count: usize) {
        self.give(known, count);
        self.stage = 0;
        self.open[0] = self.evaluated(0);
    }

    /// Continues at a position with the values that the search began with.
    pub(super) fn resume(&mut self, known: &[u32], count: usize, position: &Position) {
        self.give(known, count);
        let last = self.open.len() - 1;
        for stage in 0..last {
            self.evaluated(stage);
            self.pick(stage, position.picked[stage]);
        }
        self.evaluated(last);
        self.open.copy_from_slice(&position.open);
        self.picked.copy_from_slice(&position.picked);
        self.stage = last;
    }

    /// The position after a batch, unless it was the last one.
    pub(super) fn position(&self) -> Option<Position> {
        let last = self.open.len() - 1;
        let is_over = self.open[..last].iter().all(|&open| open == 0);
        (!is_over).then(|| Position { open: self.open.clone(), picked: self.picked.clone() })
    }

    /// The lanes of the next batch; none after the last one.
    pub(super) fn next_batch<E>(
        &mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<u64>, E> {
        let last = self.open.len() - 1;
        loop {
            let open = self.open[self.stage];
            if open == 0 {
                let Some(before) = self.stage.checked_sub(1) else { return Ok(None) };
                self.stage = before;
            } else if self.stage == last {
                self.open[last] = 0;
                return Ok(Some(open));
            } else {
                interrupt()?;
                self.open[self.stage] &= open - 1;
                self.pick(self.stage, open.trailing_zeros());
                self.stage += 1;
                self.open[self.stage] = self.evaluated(self.stage);
            }
        }
    }

    fn give(&mut self, known: &[u32], count: usize) {
        for place in 0..count {
            let bit = known[place / 32] >> (place % 32) & 1;
            self.values[1 + place] = 0_u64.wrapping_sub(u64::from(bit));
        }
    }

    /// Copies what later stages read from a lane.
    fn pick(&mut self, stage: usize, lane: u32) {
        self.picked[stage] = lane;
        for &(from, to) in &self.program.stages[stage].copies {
            self.values[to] = 0_u64.wrapping_sub(self.values[from] >> lane & 1);
        }
    }

    /// Evaluates a stage; the lanes that satisfy its conditions.
    fn evaluated(&mut self, stage: usize) -> u64 {
        let Stage { lanes, runs, first_slot, conditions, .. } = &self.program.stages[stage];
        let values = &mut self.values;
        let mut slot = *first_slot;
        for (kind, gates) in runs {
            match kind {
                GateKind::And => gates.iter().for_each(|&[a, b]| {
                    values[slot] = read(values, a) & read(values, b);
                    slot += 1;
                }),
                // The operands of these have no negations.
                GateKind::Xor => gates.iter().for_each(|&[a, b]| {
                    values[slot] = values[a.node()] ^ values[b.node()];
                    slot += 1;
                }),
            }
        }
        conditions.iter().fold(*lanes, |open, &condition| open & read(values, condition))
    }

    /// The value of a result in all lanes of the batch.
    pub(super) fn result(&self, number: usize) -> u64 {
        read(&self.values, self.program.results[number])
    }
}

/// The word of a wire.
fn read(values: &[u64], wire: Wire) -> u64 {
    values[wire.node()] ^ 0_u64.wrapping_sub(u64::from(wire.is_negated()))
}
