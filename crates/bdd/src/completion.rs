//! Many solutions of one function, each with given values for some variables. A walk along a
//! transition relation needs one per state.
//!
//! The diagram is copied once, and each query is a descent: it follows given values and tries open
//! variables with false first. A node without a solution under the given values is not entered
//! again in the same query. So a query takes at most linear time in the size of the diagram, and
//! usually time linear in its depth. It builds no nodes and takes no locks.

use crate::function::Bdd;
use crate::graph::{BOTTOM, DiagramGraph, TOP};
use crate::variable::{Literal, Variable};

/// A copy of a function for queries.
#[derive(Clone, Debug)]
pub struct Completion {
    graph: DiagramGraph,
    /// For each node, the last query for which it had no solution.
    without_solution: Vec<u32>,
    query: u32,
}

impl Completion {
    /// Copies a function.
    pub fn of(function: &Bdd) -> Self {
        let graph = DiagramGraph::of(function);
        Completion { without_solution: vec![0; graph.nodes.len()], graph, query: 0 }
    }

    /// Values that make the function true together with the given ones, if there are any: the
    /// decisions on the path, including those on given variables. Open variables are false where
    /// possible. Variables that are not mentioned may have any value.
    pub fn find(&mut self, given: impl Fn(Variable) -> Option<bool>) -> Option<Vec<Literal>> {
        self.next_query();
        let mut path: Vec<(u32, Literal)> = Vec::new();
        let mut place = self.graph.root;
        while place != TOP {
            place = match self.has_no_solution(place) {
                false => {
                    let variable = self.graph.node(place).variable;
                    let positive = given(variable).unwrap_or(false);
                    path.push((place, Literal { variable, positive }));
                    self.follow(place, positive)
                }
                true => self.turn_back(&mut path, &given)?,
            };
        }
        Some(path.into_iter().map(|(_, literal)| literal).collect())
    }

    /// Backtracks to the last open variable that was tried with false only, and tries true.
    fn turn_back(
        &mut self,
        path: &mut Vec<(u32, Literal)>,
        given: &impl Fn(Variable) -> Option<bool>,
    ) -> Option<u32> {
        loop {
            let (place, literal) = path.pop()?;
            if literal.positive || given(literal.variable).is_some() {
                self.without_solution[place as usize] = self.query;
                continue;
            }
            path.push((place, Literal { positive: true, ..literal }));
            return Some(self.follow(place, true));
        }
    }

    fn follow(&self, place: u32, positive: bool) -> u32 {
        let node = self.graph.node(place);
        if positive { node.high } else { node.low }
    }

    fn has_no_solution(&self, place: u32) -> bool {
        place == BOTTOM || self.without_solution[place as usize] == self.query
    }

    fn next_query(&mut self) {
        self.query = self.query.wrapping_add(1);
        if self.query == 0 {
            self.without_solution.fill(0);
            self.query = 1;
        }
    }
}
