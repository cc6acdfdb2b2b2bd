//! The product of the graph of a model with the tableau of a formula.
//!
//! A node is a state of the model and the row of the tableau before it; at the start there is no
//! row. An edge is an edge of the model together with an atom of the tableau that has the letter of
//! the edge and fits to the row.

use kermode_ltl::reference::{Atom, Row, TableauSteps};
use kermode_ltl::{Formula, Store, WordKind};
use rustc_hash::FxHashMap;

use super::{Graph, Unjudged};
use crate::interpreter::Trace;
use crate::property::FlatAtoms;

/// A node: a state and the row before it.
type Node = (u32, Option<Row>);

/// An edge.
pub(super) struct ProductEdge {
    /// The node where it leads.
    pub(super) target: u32,
    /// The edge of the model.
    pub(super) edge: usize,
    /// The bits to which the atom is fair.
    pub(super) fair: Row,
}

/// The reachable part of the product.
pub(super) struct Product<'g> {
    graph: &'g Graph<'g>,
    tableau: TableauSteps,
    /// The place of each proposition of the formula in letters of the graph.
    places: Vec<usize>,
    /// The nodes, the initial ones first: one for each initial state.
    pub(super) nodes: Vec<Node>,
    numbers: FxHashMap<Node, u32>,
    /// The edges that leave node `n` are `first_edge[n]..first_edge[n + 1]`.
    pub(super) first_edge: Vec<usize>,
    /// The edges.
    pub(super) edges: Vec<ProductEdge>,
    /// The atoms that fit to a row and a letter, found before.
    known: FxHashMap<(Option<Row>, u32), Vec<Atom>>,
}

impl<'g> Product<'g> {
    /// The initial nodes.
    pub(super) fn new<E>(
        graph: &'g Graph<'g>,
        store: &Store,
        formula: Formula,
        atoms: &FlatAtoms,
        words: WordKind,
    ) -> Result<Self, Unjudged<E>> {
        let tableau = TableauSteps::new(store, formula, words).map_err(Unjudged::of_tableau)?;
        let place = |&proposition: &_| {
            let expression = atoms.expression(proposition).expect("an atom of the model");
            graph.place(expression).expect("an observed expression")
        };
        let places = tableau.propositions().iter().map(place).collect();
        let mut product = Product {
            graph,
            tableau,
            places,
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
            first_edge: Vec::new(),
            edges: Vec::new(),
            known: FxHashMap::default(),
        };
        for state in 0..graph.initial {
            product.number((state as u32, None));
        }
        Ok(product)
    }

    /// The bits to which a path is fair.
    pub(super) fn all_fair(&self) -> Row {
        self.tableau.all_fair()
    }

    fn number(&mut self, node: Node) -> u32 {
        let Product { nodes, numbers, .. } = self;
        *numbers.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() as u32 - 1
        })
    }

    /// The atoms that fit to a row and a letter of the graph.
    pub(super) fn atoms<E>(
        &mut self,
        before: Option<Row>,
        letter: u32,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<&[Atom], Unjudged<E>> {
        let key = (before, letter);
        if !self.known.contains_key(&key) {
            let values = self.graph.letter(letter);
            let values: Vec<bool> = self.places.iter().map(|&place| values[place]).collect();
            let limit = self.graph.limits.steps;
            let mut atoms = Vec::new();
            let mut visit = |atom| {
                atoms.push(atom);
                match atoms.len() > limit {
                    true => Err(Unjudged::TooLarge { what: "atoms of a letter", limit }),
                    false => Ok(()),
                }
            };
            let mut interrupt = || interrupt().map_err(Unjudged::Interrupted);
            self.tableau.atoms(before, &values, &mut visit, &mut interrupt)?;
            self.known.insert(key, atoms);
        }
        Ok(&self.known[&key])
    }

    /// Adds the edges of the next node that has none. Returns the node, or nothing if all have
    /// theirs.
    pub(super) fn expand<E>(
        &mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Node>, Unjudged<E>> {
        let number = self.first_edge.len();
        self.first_edge.push(self.edges.len());
        let Some(&(state, before)) = self.nodes.get(number) else { return Ok(None) };
        interrupt().map_err(Unjudged::Interrupted)?;
        let graph = self.graph;
        for edge in graph.leaving(state as usize) {
            let (target, letter) = (graph.edges[edge].target, graph.edges[edge].letter);
            for number in 0..self.atoms(before, letter, interrupt)?.len() {
                let Atom { to, fair, .. } = self.known[&(before, letter)][number];
                let target = self.number((target, Some(to)));
                self.edges.push(ProductEdge { target, edge, fair });
            }
        }
        let limit = graph.limits.steps;
        match self.edges.len() > limit {
            true => Err(Unjudged::TooLarge { what: "edges of the product", limit }),
            false => Ok(Some((state, before))),
        }
    }

    /// The path of the model along edges of the product, with the state where it begins.
    pub(super) fn trace(&self, first: u32, path: &[usize], loop_start: Option<usize>) -> Trace {
        let state = |number: u32| self.graph.states[number as usize].clone();
        let mut trace = Trace { states: vec![state(first)], inputs: Vec::new(), loop_start };
        for &edge in path {
            let ProductEdge { target, edge, .. } = self.edges[edge];
            trace.inputs.push(self.graph.edges[edge].inputs.clone());
            trace.states.push(state(self.nodes[target as usize].0));
        }
        // The last state of a lasso is the first one of its loop again.
        if loop_start.is_some() {
            trace.states.pop();
        }
        trace
    }
}
