//! Boolean combinations of deterministic automata: products of which only the reachable pairs of
//! states are built. From a pair that accepts all words or none, whatever the other state does, the
//! product continues in one state.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::diagram::{Diagram, DiagramPair, Diagrams};
use super::graph::{Dfa, DfaState};

/// How often successors are built between two calls of `interrupt`.
const PACE: usize = 64;

/// A Boolean function of acceptance by two automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connective {
    /// Both accept.
    And,
    /// Both accept, or none does.
    Iff,
}

impl Connective {
    fn apply(self, a: bool, b: bool) -> bool {
        match self {
            Connective::And => a && b,
            Connective::Iff => a == b,
        }
    }
}

/// A state of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ProductState {
    Pair(u32, u32),
    /// No word is accepted from here.
    Nothing,
}

/// The automaton that accepts the words for which the connective holds.
///
/// # Panics
/// When the automata are over different lists of propositions.
pub fn combine<E>(
    connective: Connective,
    a: &Dfa,
    b: &Dfa,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Dfa, E> {
    assert_eq!(a.propositions(), b.propositions(), "the letters are the same");
    let mut product = Product::new(connective, a, b);
    let mut states = Vec::new();
    while let Some(&state) = product.found.get_index(states.len()) {
        if states.len().is_multiple_of(PACE) {
            interrupt()?;
        }
        states.push(product.expanded(states.len() as u32, state));
    }
    Ok(Dfa::new(a.propositions().to_vec(), product.diagrams, states))
}

struct Product<'a> {
    connective: Connective,
    automata: [&'a Dfa; 2],
    /// The states from which nothing is accepted.
    sinks: [Option<u32>; 2],
    found: IndexSet<ProductState, FxBuildHasher>,
    /// The diagrams of both automata and of the product. What their leaves are depends on their
    /// use.
    diagrams: Diagrams,
    /// The diagrams of the second automaton, copied.
    copies: FxHashMap<Diagram, Diagram>,
    joined: FxHashMap<DiagramPair, Diagram>,
}

impl<'a> Product<'a> {
    fn new(connective: Connective, a: &'a Dfa, b: &'a Dfa) -> Self {
        let mut product = Product {
            connective,
            automata: [a, b],
            sinks: [a.sink(), b.sink()],
            found: IndexSet::default(),
            diagrams: a.diagrams().clone(),
            copies: FxHashMap::default(),
            joined: FxHashMap::default(),
        };
        product.found.insert(product.state(0, 0));
        product
    }

    fn state(&self, a: u32, b: u32) -> ProductState {
        let is_dead = self.sinks[0] == Some(a) || self.sinks[1] == Some(b);
        match self.connective {
            Connective::And if is_dead => ProductState::Nothing,
            Connective::And | Connective::Iff => ProductState::Pair(a, b),
        }
    }

    /// The data of a state with a number. Its targets are added to the states found.
    fn expanded(&mut self, number: u32, state: ProductState) -> DfaState {
        let ProductState::Pair(p, q) = state else {
            return DfaState { accepting: false, successors: self.diagrams.leaf(number) };
        };
        let [a, b] = self.automata;
        let mut diagrams = std::mem::take(&mut self.diagrams);
        let mut joined = std::mem::take(&mut self.joined);
        let right = b.diagrams().copy(b.successors(q), &mut diagrams, &mut self.copies, |q| q);
        let successors = diagrams.join((a.successors(p), right), &mut joined, |p, q| {
            self.found.insert_full(self.state(p, q)).0 as u32
        });
        (self.joined, self.diagrams) = (joined, diagrams);
        let accepting = self.connective.apply(a.is_accepting(p), b.is_accepting(q));
        DfaState { accepting, successors }
    }
}
