//! Values of variables that make a formula true.
//!
//! The formula is about a step: current and next values are independent, and each variable has a
//! legal code. If it has few bits, all valuations are tried, 64 at once. Otherwise the decision
//! diagram of the formula is built, in a manager that becomes larger when it is full, up to a
//! limit.

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

/// The work of trying all valuations, in evaluated operators, up to which no diagrams are built.
const MOST_TRIED: usize = 1 << 18;

/// Searches for legal codes that make a formula true. `symbol` is the symbol of a variable.
pub(crate) fn search<E>(
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
    let mentioned = bits(&model.graph, formula);
    let mut legal: Vec<Expression> = Vec::new();
    let mut seen: Vec<(usize, bool)> =
        mentioned.iter().map(|&(v, next)| (symbol(v), next)).collect();
    seen.sort_unstable();
    seen.dedup();
    for (symbol, next) in seen {
        let Model { graph, symbols, .. } = &mut *model;
        let symbol = &symbols[symbol];
        let of = |&bit: &Variable| if next { graph.next(bit) } else { graph.current(bit) };
        let bits: Vec<Expression> = symbol.bits.iter().map(of).collect();
        legal.push(graph.at_most(&bits, symbol.domain.last_code()));
    }
    let graph = &mut model.graph;
    let legal = graph.all(legal);
    let formula = graph.and(legal, formula);
    let bits = bits(graph, formula);
    let below = Below::of(graph, &[formula]);
    let rounds = 1_usize.checked_shl((bits.len() as u32).saturating_sub(6));
    if rounds.is_some_and(|rounds| rounds.saturating_mul(below.len()) <= MOST_TRIED) {
        return Ok(try_all(graph, &below, formula, &bits));
    }
    let mut memory = 1 << 22;
    loop {
        match build(graph, &below, formula, &bits, memory.min(limits.memory), interrupt)? {
            Some(bdd) => {
                let Some(cube) = bdd.pick_cube() else { return Ok(Search::Impossible) };
                let literals = cube.literals().iter();
                let values = literals.map(|l| (bits[l.variable.index()], l.positive));
                return Ok(Search::Found(Valuation(values.collect())));
            }
            None if memory >= limits.memory => return Ok(Search::Unknown),
            None => memory *= 8,
        }
    }
}

/// The bits of a formula in the order of a depth-first search, which keeps the bits of one place
/// of an adder or comparison together.
pub(crate) fn bits(graph: &Graph, formula: Expression) -> Vec<Bit> {
    let below = Below::of(graph, &[formula]);
    let mut seen = vec![false; below.len()];
    let mut bits = Vec::new();
    let mut todo = vec![formula];
    while let Some(expression) = todo.pop() {
        if std::mem::replace(&mut seen[below.position(expression)], true) {
            continue;
        }
        match graph.term(expression) {
            Term::Current(variable) => bits.push((variable, false)),
            Term::Next(variable) => bits.push((variable, true)),
            term => todo.extend(term.operands().rev()),
        }
    }
    bits
}

/// Tries all valuations of the bits.
fn try_all(graph: &Graph, below: &Below, formula: Expression, bits: &[Bit]) -> Search {
    /// Bit `i` of entry `k` is bit `k` of the number `i`.
    const COUNTING: [u64; 6] = [
        0xAAAA_AAAA_AAAA_AAAA,
        0xCCCC_CCCC_CCCC_CCCC,
        0xF0F0_F0F0_F0F0_F0F0,
        0xFF00_FF00_FF00_FF00,
        0xFFFF_0000_FFFF_0000,
        0xFFFF_FFFF_0000_0000,
    ];
    let places: FxHashMap<Bit, usize> = bits.iter().copied().zip(0..).collect();
    for round in 0..1_usize << bits.len().saturating_sub(COUNTING.len()) {
        let column = |bit: Bit| {
            let place = places[&bit];
            match COUNTING.get(place) {
                Some(&column) => column,
                None if round >> (place - COUNTING.len()) & 1 == 1 => u64::MAX,
                None => 0,
            }
        };
        let values = graph.values(below, |v| column((v, false)), |v| column((v, true)));
        let values = values[below.position(formula)];
        if values != 0 {
            let row = values.trailing_zeros();
            let value = |&bit: &Bit| (bit, column(bit) >> row & 1 == 1);
            return Search::Found(Valuation(bits.iter().map(value).collect()));
        }
    }
    Search::Impossible
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

/// The diagram of a formula, if it fits in this memory.
fn build<E>(
    graph: &Graph,
    below: &Below,
    formula: Expression,
    bits: &[Bit],
    memory: u64,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Bdd>, E> {
    let Ok(manager) = Manager::new(Capacity::within(bits.len(), memory)) else { return Ok(None) };
    match try_to_build(graph, below, formula, bits, &manager, interrupt) {
        Ok(bdd) => Ok(Some(bdd)),
        Err(Unbuilt::Full) => Ok(None),
        Err(Unbuilt::Interrupted(error)) => Err(error),
    }
}

fn try_to_build<E>(
    graph: &Graph,
    below: &Below,
    formula: Expression,
    bits: &[Bit],
    manager: &Manager,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Bdd, Unbuilt<E>> {
    let levels: FxHashMap<Bit, u32> = bits.iter().copied().zip(0..).collect();
    // A diagram is dropped after its last use.
    let mut uses = vec![0_usize; below.len()];
    uses[below.position(formula)] = 1;
    for expression in below.iter() {
        graph.term(expression).operands().for_each(|a| uses[below.position(a)] += 1);
    }
    let mut built: Vec<Option<Bdd>> = vec![None; below.len()];
    for (position, expression) in below.iter().enumerate() {
        interrupt().map_err(Unbuilt::Interrupted)?;
        let of = |a: Expression| built[below.position(a)].as_ref().expect("an operand in use");
        let term = graph.term(expression);
        let bdd = match term {
            Term::Constant(true) => manager.top(),
            Term::Constant(false) => manager.bottom(),
            Term::Current(variable) => manager.variable(Level(levels[&(variable, false)]))?,
            Term::Next(variable) => manager.variable(Level(levels[&(variable, true)]))?,
            Term::Not(a) => of(a).not()?,
            Term::And(a, b) => of(a).and(of(b))?,
            Term::Or(a, b) => of(a).or(of(b))?,
            Term::Implies(a, b) => of(a).implies(of(b))?,
            Term::Iff(a, b) => of(a).iff(of(b))?,
        };
        for operand in term.operands() {
            let place = below.position(operand);
            uses[place] -= 1;
            if uses[place] == 0 {
                built[place] = None;
            }
        }
        built[position] = Some(bdd);
    }
    Ok(built[below.position(formula)].take().expect("the formula"))
}
