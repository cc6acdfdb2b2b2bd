//! Explicit states of a model: its initial states and the steps from a state, in batches.
//!
//! A state is a vector of bits, one per variable of states, packed in words of 32. Inputs belong to
//! steps. A step has *observations*: the values of given expressions over it, such as atoms and
//! justice constraints.
//!
//! The constraints of a step become a circuit (`circuit.rs`). Next values that a constraint defines
//! are computed (`definitions.rs`); the other unknown values, which are inputs and nondeterministic
//! next values, are *choices*. The choices are enumerated in stages, 64 assignments at once
//! (`program.rs`, `enumerate.rs`).
//!
//! Invariants that mention inputs are conditions on steps that leave a state. So a state may be
//! reached that no inputs fit: no step leaves it, and no infinite run has it.

mod circuit;
mod definitions;
mod enumerate;
mod program;

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::graph::{Expression, Graph, Variable};
use crate::model::{Model, SymbolKind};
use circuit::{Circuit, Leaf, Wire};
use definitions::Definitions;
pub use enumerate::Position;
use enumerate::Search;
use program::{Program, Purpose};

/// The bits of a word of a state.
const WORD: usize = u32::BITS as usize;

/// The initial states and the steps of a model.
#[derive(Clone, Debug)]
pub struct ExplicitModel {
    /// The variables of states: the bits of a state.
    pub states: Vec<Variable>,
    /// The inputs.
    pub inputs: Vec<Variable>,
    observed: usize,
    initial: Search,
    steps: Search,
}

/// Some steps from a state, or some initial states.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The lanes of the solutions.
    pub lanes: u64,
    /// The number of words of a target and of its observations.
    widths: [usize; 2],
    targets: Vec<u32>,
    observations: Vec<u64>,
}

impl Batch {
    /// The state of a lane.
    #[inline]
    pub fn target(&self, lane: usize) -> &[u32] {
        &self.targets[lane * self.widths[0]..][..self.widths[0]]
    }

    /// The observations of a lane, packed in bits.
    #[inline]
    pub fn observations(&self, lane: usize) -> &[u64] {
        &self.observations[lane * self.widths[1]..][..self.widths[1]]
    }

    /// The lanes, in increasing order.
    #[inline]
    pub fn each_lane(&self) -> impl Iterator<Item = usize> + use<> {
        each_bit(self.lanes)
    }
}

impl ExplicitModel {
    /// Prepares a model whose steps are observed through some expressions. Steps that differ in
    /// inputs only may be one step.
    pub fn new(model: &Model, observed: &[Expression]) -> Self {
        ExplicitModel::prepared(model, observed, false)
    }

    /// The same, with the inputs of each step.
    pub fn with_inputs(model: &Model, observed: &[Expression]) -> Self {
        ExplicitModel::prepared(model, observed, true)
    }

    fn prepared(model: &Model, observed: &[Expression], with_inputs: bool) -> Self {
        let inputs = model.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Input);
        let inputs: FxHashSet<Variable> = inputs.flat_map(|symbol| &symbol.bits).copied().collect();
        let is_input = |variable: &Variable| inputs.contains(variable);
        let (inputs, states): (Vec<Variable>, Vec<Variable>) =
            model.system.variables().iter().copied().partition(is_input);
        let initial = initial_states(model, &states);
        let shown = if with_inputs { &inputs[..] } else { &[] };
        let steps = steps(model, &states, &inputs, observed, shown);
        ExplicitModel { states, inputs, observed: observed.len(), initial, steps }
    }

    /// The number of words of a state.
    pub fn width(&self) -> usize {
        self.states.len().div_ceil(WORD)
    }

    /// The number of gates that are evaluated for a step, and of choices.
    pub fn size(&self) -> (usize, usize) {
        (self.steps.program.gate_count(), self.steps.program.constants.len())
    }

    /// Some initial states, the first ones or those from a position on; none after the last one.
    /// The position is that of the next batch.
    pub fn initial<E>(
        &mut self,
        position: Option<&Position>,
        batch: &mut Batch,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Position>, E> {
        match position {
            Some(position) => self.initial.resume(&[], 0, position),
            None => self.initial.start(&[], 0),
        }
        let zeros = vec![0; self.width()];
        next_batch(&mut self.initial, &zeros, [self.states.len(), 0], batch, interrupt)
    }

    /// Some steps from a state, the first ones or those from a position on.
    pub fn steps<E>(
        &mut self,
        state: &[u32],
        position: Option<&Position>,
        batch: &mut Batch,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Position>, E> {
        let count = self.states.len();
        match position {
            Some(position) => self.steps.resume(state, count, position),
            None => self.steps.start(state, count),
        }
        let state = &state[..count.div_ceil(WORD)];
        next_batch(&mut self.steps, state, [count, self.observed], batch, interrupt)
    }

    /// The inputs that are true in a lane of the last batch of steps, of a model with inputs.
    pub fn inputs_of(&self, lane: usize) -> impl Iterator<Item = Variable> + '_ {
        let first = self.states.len() + self.observed;
        let is_true = move |place: usize| self.steps.result(first + place) >> lane & 1 == 1;
        let places = self.inputs.iter().enumerate();
        places.filter(move |(place, _)| is_true(*place)).map(|(_, &input)| input)
    }
}

/// Writes the next batch of a search. Its targets differ from the given state in few bits.
fn next_batch<E>(
    search: &mut Search,
    state: &[u32],
    [bits, observed]: [usize; 2],
    batch: &mut Batch,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Position>, E> {
    batch.lanes = search.next_batch(interrupt)?.unwrap_or(0);
    batch.widths = [state.len(), observed.div_ceil(64)];
    let [width, observations] = batch.widths;
    batch.targets.resize(64 * width, 0);
    batch.observations.resize(64 * observations, 0);
    if batch.lanes != 0 {
        for (word, &now) in state.iter().enumerate() {
            let (first, mut rows) = (word * WORD, [0; WORD]);
            let results = first..bits.min(first + WORD);
            let changed = search.changes(results, now, batch.lanes, &mut rows);
            write_columns(now, changed, &rows, batch.lanes, &mut batch.targets[word..], width);
        }
        for word in 0..observations {
            let places = bits + word * 64..bits + observed.min((word + 1) * 64);
            write_observations(search, places, batch, word);
        }
    }
    Ok(search.position())
}

/// A matrix is transposed as a whole if it may have more ones than this.
const FEW_ONES: u32 = 256;

/// Writes a word of each target: the present one, changed by the columns of a matrix of bits, whose
/// rows are words of lanes. The rows in `changed` have ones. The word of a lane is written to the
/// place with the number of the lane times the width.
fn write_columns(
    now: u32,
    changed: u64,
    rows: &[u64; WORD],
    lanes: u64,
    columns: &mut [u32],
    width: usize,
) {
    if changed.count_ones() * lanes.count_ones() <= FEW_ONES {
        for lane in each_bit(lanes) {
            columns[lane * width] = now;
        }
        for row in each_bit(changed) {
            for lane in each_bit(rows[row] & lanes) {
                columns[lane * width] ^= 1 << row;
            }
        }
        return;
    }
    for half in [0, WORD] {
        let changes = transposed(rows.map(|row| (row >> half) as u32));
        for lane in each_bit(lanes >> half & u64::from(u32::MAX)) {
            columns[(half + lane) * width] = now ^ changes[lane];
        }
    }
}

/// The transpose of a square matrix of bits: blocks change places, first large ones, then the
/// smaller ones in each of them.
fn transposed(mut rows: [u32; WORD]) -> [u32; WORD] {
    let (mut size, mut low) = (WORD / 2, u32::MAX >> (WORD / 2));
    while size > 0 {
        for block in rows.chunks_exact_mut(2 * size) {
            let (first, second) = block.split_at_mut(size);
            for (a, b) in first.iter_mut().zip(second) {
                let change = (*a >> size ^ *b) & low;
                *a ^= change << size;
                *b ^= change;
            }
        }
        size /= 2;
        low ^= low << size;
    }
    rows
}

/// Writes a word of observations. Most of them are the same on all steps from a state.
fn write_observations(search: &Search, places: Range<usize>, batch: &mut Batch, word: usize) {
    let (lanes, width) = (batch.lanes, batch.widths[1]);
    let (mut common, mut different) = (0_u64, 0_u64);
    for (bit, place) in places.clone().enumerate() {
        let holds = search.result(place) & lanes;
        common |= u64::from(holds == lanes) << bit;
        different |= u64::from(holds != 0 && holds != lanes) << bit;
    }
    for lane in each_bit(lanes) {
        batch.observations[lane * width + word] = common;
    }
    for bit in each_bit(different) {
        for lane in each_bit(search.result(places.start + bit) & lanes) {
            batch.observations[lane * width + word] |= 1 << bit;
        }
    }
}

/// The places of the ones of a word, in increasing order.
fn each_bit(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (word != 0).then_some(word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(place)
    })
}

/// The search for initial states. Their inputs are chosen later.
fn initial_states(model: &Model, states: &[Variable]) -> Search {
    let system = &model.system;
    let constraints = [system.initial(), system.invariants()].concat();
    let targets: Vec<Leaf> = states.iter().map(|&variable| Leaf::current(variable)).collect();
    let question = Constraints { constraints, known: Vec::new(), targets };
    question.search(&model.graph, &[], &[])
}

/// The search for steps.
fn steps(
    model: &Model,
    states: &[Variable],
    inputs: &[Variable],
    observed: &[Expression],
    shown: &[Variable],
) -> Search {
    let (mut graph, system) = (model.graph.clone(), &model.system);
    let is_of_states = |invariant: &Expression| {
        !graph.variables(&[*invariant]).iter().any(|variable| inputs.contains(variable))
    };
    let of_states: Vec<Expression> =
        system.invariants().iter().copied().filter(is_of_states).collect();
    let later = graph.shift(&of_states);
    let constraints = [system.transition(), system.invariants(), &later].concat();
    let known = states.iter().map(|&variable| Leaf::current(variable)).collect();
    let targets = states.iter().map(|&variable| Leaf::next(variable)).collect();
    Constraints { constraints, known, targets }.search(&graph, observed, shown)
}

/// Constraints over known and unknown leaves.
struct Constraints {
    constraints: Vec<Expression>,
    known: Vec<Leaf>,
    /// The unknown leaves whose values are wanted.
    targets: Vec<Leaf>,
}

impl Constraints {
    /// The search for values of the unknown leaves. The results are the targets, the observed
    /// expressions, and the inputs that are shown.
    fn search(self, graph: &Graph, observed: &[Expression], shown: &[Variable]) -> Search {
        let is_known: FxHashSet<Leaf> = self.known.iter().copied().collect();
        let found = Definitions::find(graph, &self.constraints, |leaf| !is_known.contains(&leaf));
        let mut circuit = Circuit::new(graph);
        for definition in &found.ordered {
            let value = definition.value.map_or(Wire::TRUE, |value| circuit.wire(value));
            circuit.replace(definition.leaf, value.negated_if(definition.is_negated));
        }
        let conditions =
            found.conditions.iter().map(|&condition| circuit.wire(condition)).collect();
        let mut results: Vec<Wire> =
            self.targets.iter().map(|&target| circuit.leaf(target)).collect();
        results.extend(observed.iter().map(|&expression| circuit.wire(expression)));
        // An input that nothing reads has any value.
        let shown = shown.iter().map(|&input| circuit.known_leaf(Leaf::current(input)));
        results.extend(shown.map(|wire| wire.unwrap_or(Wire::FALSE)));
        let purpose = Purpose { known: self.known, conditions, results };
        Search::new(Program::new(&circuit, &purpose))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matrices with few rows and lanes, and with all of them.
    #[test]
    fn columns_are_those_of_the_rows() {
        let mut random = kermode_base::Rng::new(21);
        for count in 0..=64 {
            let (mut lanes, mut changed) = (random.next_u64(), random.next_u64() >> WORD);
            while lanes.count_ones() > count {
                lanes &= lanes - 1;
            }
            while changed.count_ones() > count / 2 {
                changed &= changed - 1;
            }
            let row = |row| if changed >> row & 1 == 1 { random.next_u64() & lanes } else { 0 };
            let rows: [u64; WORD] = std::array::from_fn(row);
            let (now, mut columns) = (random.next_u64() as u32, [7; 2 * 64]);
            write_columns(now, changed, &rows, lanes, &mut columns, 2);
            for (lane, column) in columns.chunks(2).enumerate() {
                let bit = |bit: usize| ((rows[bit] >> lane & 1) as u32) << bit;
                let target = now ^ (0..WORD).map(bit).sum::<u32>();
                let is_open = lanes >> lane & 1 == 1;
                assert_eq!(column, [if is_open { target } else { 7 }, 7]);
            }
        }
    }
}
