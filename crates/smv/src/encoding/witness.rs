//! Values of variables that make a formula true.
//!
//! The formula is about a step: current and next values are independent, and each variable has a
//! legal code. If it has few bits, all valuations are tried, 64 at once. Otherwise the decision
//! diagram of the formula is built, in a manager that becomes larger when it is full, up to a
//! limit.
//!
//! A formula is first copied into a [`Circuit`] with numbers of its own. Instances of one module
//! have the same circuits, and each circuit is searched once.

use kermode_bdd::{Bdd, Capacity, Manager, OutOfNodes, Variable as Level};
use kermode_system::{Below, Expression, Graph, Model, Term, Variable};
use rustc_hash::FxHashMap;

/// Limits on the work of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest memory of decision diagrams, in bytes.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { memory: 1 << 27 }
    }
}

/// The current or next value of a variable of the system.
pub(crate) type Bit = (Variable, bool);

/// The values of bits. Bits that are not mentioned may have any value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Valuation(FxHashMap<Bit, bool>);

/// The result of a search.
#[derive(Clone, Debug)]
pub(crate) enum Search {
    /// The formula is false for all legal codes.
    Impossible,
    /// These values make it true.
    Found(Valuation),
    /// The search needs more memory than its limit.
    Unknown,
}

impl Valuation {
    /// The value of a bit; false if it may have any value.
    pub(crate) fn holds(&self, bit: Bit) -> bool {
        self.0.get(&bit).copied().unwrap_or(false)
    }

    /// The values of expressions, in their order.
    pub(crate) fn evaluate(&self, graph: &Graph, expressions: &[Expression]) -> Vec<bool> {
        let below = Below::of(graph, expressions);
        let value = |bit| if self.holds(bit) { u64::MAX } else { 0 };
        let values = graph.values(&below, |v| value((v, false)), |v| value((v, true)));
        expressions.iter().map(|&e| values[below.position(e)] & 1 == 1).collect()
    }
}

/// The bits of a formula, current and next values apart.
pub(crate) fn bits(graph: &Graph, formula: Expression) -> Vec<Bit> {
    Circuit::of(graph, formula).bits
}

/// Searches, with the results of earlier ones.
#[derive(Debug, Default)]
pub(crate) struct Searches {
    /// For each circuit, values of its bits by number.
    known: FxHashMap<Vec<Node>, Outcome>,
}

/// The result for a circuit. Bits that are not mentioned may have any value.
#[derive(Clone, Debug)]
enum Outcome {
    Impossible,
    Found(Vec<(u32, bool)>),
    Unknown,
}

impl Searches {
    /// Searches for legal codes that make a formula true. `symbol` is the symbol of a variable.
    pub(crate) fn search<E>(
        &mut self,
        model: &mut Model,
        symbol: impl Fn(Variable) -> usize,
        formula: Expression,
        limits: &Limits,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Search, E> {
        if let Term::Constant(value) = model.graph.term(formula) {
            let found = Search::Found(Valuation::default());
            return Ok(if value { found } else { Search::Impossible });
        }
        let Circuit { nodes, bits } = legal_circuit(model, symbol, formula);
        let outcome = match self.known.get(&nodes) {
            Some(known) => known,
            None => {
                let outcome = solve(&nodes, bits.len(), limits, interrupt)?;
                self.known.entry(nodes).or_insert(outcome)
            }
        };
        Ok(match outcome {
            Outcome::Impossible => Search::Impossible,
            Outcome::Unknown => Search::Unknown,
            Outcome::Found(values) => {
                let values = values.iter().map(|&(bit, value)| (bits[bit as usize], value));
                Search::Found(Valuation(values.collect()))
            }
        })
    }
}

/// The conjunction of a formula and of the condition that all codes in it are legal.
fn legal_circuit(
    model: &mut Model,
    symbol: impl Fn(Variable) -> usize,
    formula: Expression,
) -> Circuit {
    let mentioned = bits(&model.graph, formula);
    let mut places: Vec<(usize, bool)> =
        mentioned.into_iter().map(|(variable, next)| (symbol(variable), next)).collect();
    places.sort_unstable();
    places.dedup();
    let Model { graph, symbols, .. } = model;
    let legal: Vec<Expression> = places
        .into_iter()
        .map(|(symbol, next)| {
            let symbol = &symbols[symbol];
            let of = |&bit: &Variable| if next { graph.next(bit) } else { graph.current(bit) };
            let bits: Vec<Expression> = symbol.bits.iter().map(of).collect();
            graph.at_most(&bits, symbol.domain.last_code())
        })
        .collect();
    let legal = graph.all(legal);
    let both = graph.and(legal, formula);
    Circuit::of(graph, both)
}

/// A formula with numbers of its own for its parts and bits.
struct Circuit {
    /// Operands come first; the last node is the formula.
    nodes: Vec<Node>,
    /// The bits in the order of a depth-first traversal. It keeps the bits of one place of an adder
    /// or comparison together.
    bits: Vec<Bit>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Constant(bool),
    Bit(u32),
    Not(u32),
    And(u32, u32),
    Or(u32, u32),
    Implies(u32, u32),
    Iff(u32, u32),
}

impl Node {
    fn operands(self) -> impl Iterator<Item = u32> {
        let (a, b) = match self {
            Node::Constant(_) | Node::Bit(_) => (None, None),
            Node::Not(a) => (Some(a), None),
            Node::And(a, b) | Node::Or(a, b) | Node::Implies(a, b) | Node::Iff(a, b) => {
                (Some(a), Some(b))
            }
        };
        a.into_iter().chain(b)
    }
}

impl Circuit {
    fn of(graph: &Graph, formula: Expression) -> Self {
        let mut circuit = Circuit { nodes: Vec::new(), bits: Vec::new() };
        let mut known: FxHashMap<Expression, u32> = FxHashMap::default();
        let mut todo = vec![formula];
        while let Some(&top) = todo.last() {
            if known.contains_key(&top) {
                todo.pop();
                continue;
            }
            let term = graph.term(top);
            let open = todo.len();
            todo.extend(term.operands().rev().filter(|operand| !known.contains_key(operand)));
            if todo.len() == open {
                todo.pop();
                let node = circuit.node(term, &known);
                known.insert(top, circuit.nodes.len() as u32);
                circuit.nodes.push(node);
            }
        }
        circuit
    }

    fn node(&mut self, term: Term, known: &FxHashMap<Expression, u32>) -> Node {
        let mut bit = |bit: Bit| {
            self.bits.push(bit);
            Node::Bit(self.bits.len() as u32 - 1)
        };
        let of = |operand: Expression| known[&operand];
        match term {
            Term::Constant(value) => Node::Constant(value),
            Term::Current(variable) => bit((variable, false)),
            Term::Next(variable) => bit((variable, true)),
            Term::Not(a) => Node::Not(of(a)),
            Term::And(a, b) => Node::And(of(a), of(b)),
            Term::Or(a, b) => Node::Or(of(a), of(b)),
            Term::Implies(a, b) => Node::Implies(of(a), of(b)),
            Term::Iff(a, b) => Node::Iff(of(a), of(b)),
        }
    }
}

/// The work of trying all valuations, in evaluated operators, up to which no diagrams are built.
const MOST_TRIED: usize = 1 << 18;

/// Searches for values of the bits that make a circuit true.
fn solve<E>(
    nodes: &[Node],
    bits: usize,
    limits: &Limits,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Outcome, E> {
    let rounds = 1_usize.checked_shl((bits as u32).saturating_sub(6));
    if rounds.is_some_and(|rounds| rounds.saturating_mul(nodes.len()) <= MOST_TRIED) {
        return Ok(try_all(nodes, bits));
    }
    let mut memory = FIRST_MEMORY;
    loop {
        let capacity = Capacity::within(bits, memory.min(limits.memory));
        let built = match Manager::new(capacity) {
            Ok(manager) => build(nodes, &manager, interrupt),
            Err(_) => Err(Unbuilt::Full),
        };
        match built {
            Ok(bdd) => {
                let Some(cube) = bdd.pick_cube() else { return Ok(Outcome::Impossible) };
                let literals = cube.literals().iter();
                return Ok(Outcome::Found(literals.map(|l| (l.variable.0, l.positive)).collect()));
            }
            Err(Unbuilt::Interrupted(error)) => return Err(error),
            Err(Unbuilt::Full) if memory >= limits.memory => return Ok(Outcome::Unknown),
            Err(Unbuilt::Full) => memory *= 8,
        }
    }
}

/// The memory of the first manager; each further one has eight times as much.
const FIRST_MEMORY: u64 = 1 << 22;

/// Bit `i` of entry `k` is bit `k` of the number `i`.
const COUNTING: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// Tries all valuations of the bits.
fn try_all(nodes: &[Node], bits: usize) -> Outcome {
    let mut values: Vec<u64> = Vec::with_capacity(nodes.len());
    for round in 0..1_usize << bits.saturating_sub(COUNTING.len()) {
        let column = |bit: u32| match COUNTING.get(bit as usize) {
            Some(&column) => column,
            None if round >> (bit as usize - COUNTING.len()) & 1 == 1 => u64::MAX,
            None => 0,
        };
        values.clear();
        for &node in nodes {
            let of = |node: u32| values[node as usize];
            values.push(match node {
                Node::Constant(value) => u64::from(value).wrapping_neg(),
                Node::Bit(bit) => column(bit),
                Node::Not(a) => !of(a),
                Node::And(a, b) => of(a) & of(b),
                Node::Or(a, b) => of(a) | of(b),
                Node::Implies(a, b) => !of(a) | of(b),
                Node::Iff(a, b) => !(of(a) ^ of(b)),
            });
        }
        let found = values.last().copied().unwrap_or(0);
        if found != 0 {
            let row = found.trailing_zeros();
            let value = |bit| (bit, column(bit) >> row & 1 == 1);
            return Outcome::Found((0..bits as u32).map(value).collect());
        }
    }
    Outcome::Impossible
}

/// Why a diagram was not built.
enum Unbuilt<E> {
    Full,
    Interrupted(E),
}

impl<E> From<OutOfNodes> for Unbuilt<E> {
    fn from(_: OutOfNodes) -> Self {
        Unbuilt::Full
    }
}

/// The diagram of a circuit.
fn build<E>(
    nodes: &[Node],
    manager: &Manager,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Bdd, Unbuilt<E>> {
    // A diagram is dropped after its last use.
    let mut last_use: Vec<usize> = (0..nodes.len()).collect();
    for (place, node) in nodes.iter().enumerate() {
        node.operands().for_each(|operand| last_use[operand as usize] = place);
    }
    let mut built: Vec<Option<Bdd>> = Vec::with_capacity(nodes.len());
    for (place, &node) in nodes.iter().enumerate() {
        interrupt().map_err(Unbuilt::Interrupted)?;
        let of = |node: u32| built[node as usize].as_ref().expect("an operand in use");
        let bdd = match node {
            Node::Constant(true) => manager.top(),
            Node::Constant(false) => manager.bottom(),
            Node::Bit(bit) => manager.variable(Level(bit))?,
            Node::Not(a) => of(a).not()?,
            Node::And(a, b) => of(a).and(of(b))?,
            Node::Or(a, b) => of(a).or(of(b))?,
            Node::Implies(a, b) => of(a).implies(of(b))?,
            Node::Iff(a, b) => of(a).iff(of(b))?,
        };
        for operand in node.operands().filter(|&operand| last_use[operand as usize] == place) {
            built[operand as usize] = None;
        }
        built.push(Some(bdd));
    }
    Ok(built.pop().flatten().unwrap_or_else(|| manager.bottom()))
}
