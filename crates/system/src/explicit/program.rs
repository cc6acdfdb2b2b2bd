//! A circuit as a program in stages, which is evaluated for 64 assignments at once.
//!
//! The choices of a circuit are divided into stages of at most six. A stage evaluates the gates
//! that depend on its choices, and on those of earlier stages, for all values of its choices: each
//! bit of a word, a *lane*, is one assignment. Conditions are checked in the first stage that knows
//! their values. Between two stages a lane is picked, and the values that later stages read are
//! copied from that lane into all lanes.
//!
//! Gates of one stage are sorted by depth and kind, so that no decision is made per gate. The
//! operands of a run of gates are computed before it.
//!
//! The first stage can also be evaluated again after few known leaves have changed: then only the
//! gates that depend on these leaves are.

use kermode_base::BitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::circuit::{Circuit, GateKind, Leaf, Node, Wire};

/// The choices of a stage: 2^6 lanes fill a word.
const CHOICES: usize = 6;

/// The words of the choices of a stage: lane `i` has bit `k` of `i` as the value of choice `k`.
const PATTERNS: [u64; CHOICES] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// What a program computes. Wires are those of the circuit.
pub(super) struct Purpose {
    /// The known leaves, in the order in which they are given.
    pub(super) known: Vec<Leaf>,
    /// What has to be true.
    pub(super) conditions: Vec<Wire>,
    /// The results.
    pub(super) results: Vec<Wire>,
}

/// A program. Its wires are *slots*: positions in the list of words.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) stages: Vec<Stage>,
    pub(super) results: Vec<Wire>,
    pub(super) slot_count: usize,
    /// The slots of choices, with the words that they have always.
    pub(super) constants: Vec<(usize, u64)>,
    /// The gates of the first stage that depend on each known leaf, by their places in the stage.
    pub(super) readers: Vec<BitSet>,
}

/// Gates of one kind, by the slots of their operands.
pub(super) type Run = (Operation, Vec<[u32; 2]>);

/// The kinds of gates with their negated operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operation {
    /// `a & b`
    And,
    /// `!a & b`
    Without,
    /// `!a & !b`
    Neither,
    /// `a ^ b`
    Xor,
}

impl Operation {
    /// The operation of a gate with operands in an order, negated operands first. Those of xor have
    /// no negations.
    fn of(kind: GateKind, a: Wire, b: Wire) -> (Operation, [Wire; 2]) {
        match (kind, a.is_negated(), b.is_negated()) {
            (GateKind::Xor, ..) => (Operation::Xor, [a, b]),
            (GateKind::And, false, false) => (Operation::And, [a, b]),
            (GateKind::And, true, false) => (Operation::Without, [a, b]),
            (GateKind::And, false, true) => (Operation::Without, [b, a]),
            (GateKind::And, true, true) => (Operation::Neither, [a, b]),
        }
    }

    /// The value of a gate.
    #[inline]
    pub(super) fn apply(self, a: u64, b: u64) -> u64 {
        match self {
            Operation::And => a & b,
            Operation::Without => !a & b,
            Operation::Neither => !(a | b),
            Operation::Xor => a ^ b,
        }
    }
}

/// A stage.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    /// The lanes that stand for assignments.
    pub(super) lanes: u64,
    /// Runs of gates of one kind. Their slots follow each other, from `first_slot` on.
    pub(super) runs: Vec<Run>,
    pub(super) first_slot: usize,
    pub(super) conditions: Vec<Wire>,
    /// Slots that later stages read, and the slots where they find the value of the picked lane.
    pub(super) copies: Vec<(usize, usize)>,
}

impl Program {
    /// The program of a circuit.
    pub(super) fn new(circuit: &Circuit, purpose: &Purpose) -> Program {
        let choices = ordered_choices(circuit, purpose);
        Layout::new(circuit, purpose, &choices).program(purpose)
    }

    /// The number of gates.
    pub(super) fn gate_count(&self) -> usize {
        let gates = |stage: &Stage| stage.runs.iter().map(|(_, gates)| gates.len()).sum::<usize>();
        self.stages.iter().map(gates).sum()
    }
}

/// The nodes of a circuit on which its purpose depends.
fn needed(circuit: &Circuit, purpose: &Purpose) -> Vec<bool> {
    let mut needed = vec![false; circuit.nodes.len()];
    for wire in purpose.conditions.iter().chain(&purpose.results) {
        needed[wire.node()] = true;
    }
    for node in (0..circuit.nodes.len()).rev() {
        if let (true, Node::Gate(_, a, b)) = (needed[node], circuit.nodes[node]) {
            needed[a.node()] = true;
            needed[b.node()] = true;
        }
    }
    needed
}

/// The leaves that are not known, by the node of each. The choices of a condition with the fewest
/// new choices come first, so that conditions are checked as early as possible.
fn ordered_choices(circuit: &Circuit, purpose: &Purpose) -> Vec<usize> {
    let needed = needed(circuit, purpose);
    let known: FxHashSet<Leaf> = purpose.known.iter().copied().collect();
    let is_choice = |node: usize| match circuit.nodes[node] {
        Node::Leaf(leaf) => needed[node] && !known.contains(&leaf),
        _ => false,
    };
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    let mut choices: Vec<usize> =
        (0..circuit.nodes.len()).filter(|&node| is_choice(node)).collect();
    choices.sort_by_key(|&node| match circuit.nodes[node] {
        Node::Leaf(leaf) => leaf,
        _ => unreachable!("choices are leaves"),
    });
    numbers.extend(choices.iter().enumerate().map(|(number, &node)| (node, number)));
    let supports = supports(circuit, &numbers);
    let mut open: Vec<BitSet> =
        purpose.conditions.iter().map(|wire| supports[wire.node()].clone()).collect();
    let mut ordered: Vec<usize> = Vec::with_capacity(choices.len());
    let mut is_placed = vec![false; choices.len()];
    loop {
        open.retain(|support| !support.is_empty());
        let Some(next) = open.iter().min_by_key(|support| support.len()).cloned() else { break };
        for number in next.iter() {
            is_placed[number] = true;
            ordered.push(choices[number]);
        }
        open.iter_mut().for_each(|support| support.subtract(&next));
    }
    ordered.extend((0..choices.len()).filter(|&n| !is_placed[n]).map(|n| choices[n]));
    ordered
}

/// The choices on which each node depends.
fn supports(circuit: &Circuit, choices: &FxHashMap<usize, usize>) -> Vec<BitSet> {
    let mut supports: Vec<BitSet> = Vec::with_capacity(circuit.nodes.len());
    for (place, node) in circuit.nodes.iter().enumerate() {
        supports.push(match *node {
            Node::False => BitSet::new(),
            Node::Leaf(_) => choices.get(&place).copied().into_iter().collect(),
            Node::Gate(_, a, b) => {
                let mut support = supports[a.node()].clone();
                support.union_with(&supports[b.node()]);
                support
            }
        });
    }
    supports
}

/// A gate of a stage: its depth, its operation and its node.
type GatePlace = (usize, Operation, usize);

/// The gates of the first stage that depend on each of the known leaves.
fn readers(stage: &Stage, known: usize) -> Vec<BitSet> {
    let gates = stage.runs.iter().flat_map(|(_, gates)| gates);
    let mut depends: Vec<BitSet> = Vec::new();
    let mut readers = vec![BitSet::new(); known];
    for (place, operands) in gates.enumerate() {
        let mut leaves = BitSet::new();
        for slot in operands.map(|slot| slot as usize) {
            match slot.checked_sub(stage.first_slot) {
                Some(before) => leaves.union_with(&depends[before]),
                None if (1..=known).contains(&slot) => {
                    leaves.insert(slot - 1);
                }
                None => {}
            }
        }
        leaves.iter().for_each(|leaf| {
            readers[leaf].insert(place);
        });
        depends.push(leaves);
    }
    readers
}

/// The slots of the nodes of a circuit.
struct Layout<'c> {
    circuit: &'c Circuit<'c>,
    stage_count: usize,
    /// The stage in which each needed node is evaluated.
    stage: Vec<Option<usize>>,
    slot: Vec<usize>,
    /// The slot in which later stages find the value of a node.
    copy: FxHashMap<usize, usize>,
    slot_count: usize,
    constants: Vec<(usize, u64)>,
    choice_count: usize,
}

impl<'c> Layout<'c> {
    fn new(circuit: &'c Circuit, purpose: &Purpose, choices: &[usize]) -> Self {
        let count = circuit.nodes.len();
        let mut layout = Layout {
            circuit,
            stage_count: choices.len().div_ceil(CHOICES).max(1),
            stage: vec![None; count],
            slot: vec![0; count],
            copy: FxHashMap::default(),
            slot_count: 1 + purpose.known.len(),
            constants: Vec::with_capacity(choices.len()),
            choice_count: choices.len(),
        };
        layout.stage[0] = Some(0);
        let places: FxHashMap<Leaf, usize> =
            purpose.known.iter().enumerate().map(|(place, &leaf)| (leaf, place)).collect();
        for (node, kind) in circuit.nodes.iter().enumerate() {
            if let Node::Leaf(leaf) = kind
                && let Some(place) = places.get(leaf)
            {
                layout.stage[node] = Some(0);
                layout.slot[node] = 1 + place;
            }
        }
        for (place, &node) in choices.iter().enumerate() {
            layout.stage[node] = Some(place / CHOICES);
            layout.slot[node] = layout.slot_count;
            layout.constants.push((layout.slot_count, PATTERNS[place % CHOICES]));
            layout.slot_count += 1;
        }
        layout
    }

    fn program(mut self, purpose: &Purpose) -> Program {
        let gates = self.gates_by_stage(purpose);
        let last = self.stage_count - 1;
        let mut stages: Vec<Stage> = Vec::with_capacity(self.stage_count);
        for (number, gates) in gates.into_iter().enumerate() {
            let (first_slot, runs) = self.runs(number, gates);
            let chosen = (self.choice_count - number * CHOICES).min(CHOICES);
            let lanes = u64::MAX >> (64 - (1 << chosen));
            let (conditions, copies) = (Vec::new(), Vec::new());
            stages.push(Stage { lanes, runs, first_slot, conditions, copies });
        }
        for &condition in &purpose.conditions {
            let stage = self.stage[condition.node()].expect("a needed node");
            let wire = self.read(condition, stage);
            stages[stage].conditions.push(wire);
        }
        let results = purpose.results.iter().map(|&wire| self.read(wire, last)).collect();
        let mut copies: Vec<(usize, usize)> =
            self.copy.iter().map(|(&n, &slot)| (n, slot)).collect();
        copies.sort_unstable();
        for (node, slot) in copies {
            let stage = self.stage[node].expect("a needed node");
            stages[stage].copies.push((self.slot[node], slot));
        }
        let readers = readers(&stages[0], purpose.known.len());
        let (slot_count, constants) = (self.slot_count, self.constants);
        Program { stages, results, slot_count, constants, readers }
    }

    /// The needed gates of each stage, each with its depth within the stage.
    fn gates_by_stage(&mut self, purpose: &Purpose) -> Vec<Vec<GatePlace>> {
        let needed = needed(self.circuit, purpose);
        let mut gates = vec![Vec::new(); self.stage_count];
        let mut depth = vec![0; self.circuit.nodes.len()];
        for (node, &kind) in self.circuit.nodes.iter().enumerate() {
            let (true, Node::Gate(kind, a, b)) = (needed[node], kind) else { continue };
            let of = |wire: Wire| self.stage[wire.node()].expect("operands are first");
            let stage = of(a).max(of(b));
            let inside = [a, b].into_iter().filter(|&wire| of(wire) == stage);
            depth[node] = 1 + inside.map(|wire| depth[wire.node()]).max().unwrap_or(0);
            self.stage[node] = Some(stage);
            gates[stage].push((depth[node], Operation::of(kind, a, b).0, node));
        }
        gates
    }

    /// The gates of a stage in runs, with their slots.
    fn runs(&mut self, stage: usize, mut gates: Vec<GatePlace>) -> (usize, Vec<Run>) {
        gates.sort_unstable();
        // Copies of values of earlier stages are before the gates that read them.
        for &(_, _, node) in &gates {
            let Node::Gate(_, a, b) = self.circuit.nodes[node] else { continue };
            for wire in [a, b] {
                if self.stage[wire.node()] != Some(stage) {
                    self.read(wire, stage);
                }
            }
        }
        let first_slot = self.slot_count;
        for &(_, _, node) in &gates {
            self.slot[node] = self.slot_count;
            self.slot_count += 1;
        }
        let (mut runs, mut run_depth): (Vec<Run>, usize) = (Vec::new(), 0);
        for (depth, _, node) in gates {
            let Node::Gate(kind, a, b) = self.circuit.nodes[node] else { continue };
            let (operation, operands) = Operation::of(kind, a, b);
            let operands = operands.map(|wire| self.read(wire, stage).node() as u32);
            match runs.last_mut() {
                Some((last, run)) if *last == operation && run_depth == depth => run.push(operands),
                _ => runs.push((operation, vec![operands])),
            }
            run_depth = depth;
        }
        (first_slot, runs)
    }

    /// The wire that a stage reads. Values of earlier stages are copied.
    fn read(&mut self, wire: Wire, stage: usize) -> Wire {
        let node = wire.node();
        let is_fixed = matches!(self.circuit.nodes[node], Node::False)
            || (self.slot[node] > 0 && self.slot[node] < self.first_choice());
        if is_fixed || self.stage[node] == Some(stage) {
            return wire.moved(self.slot[node]);
        }
        let next = self.slot_count;
        let slot = *self.copy.entry(node).or_insert(next);
        if slot == next {
            self.slot_count += 1;
        }
        wire.moved(slot)
    }

    /// The first slot behind those of known leaves.
    fn first_choice(&self) -> usize {
        self.constants.first().map_or(usize::MAX, |&(slot, _)| slot)
    }
}
