//! Many solutions of one function, each with values given for some variables: what a walk along a
//! relation asks, state by state.
//!
//! The diagram is copied once, and each question is a descent: given values are followed, open
//! variables are tried, false first. A node from which nothing is found under the values of a
//! question is not entered again for it, so that a question takes no longer than the diagram is
//! large, and most take as long as it is deep. Nothing is built and nothing is locked.

use crate::function::Bdd;
use crate::graph::{BOTTOM, Graph, TOP};
use crate::variable::{Literal, Variable};

/// A copy of a function that is asked for solutions.
#[derive(Clone, Debug)]
pub struct Completion {
    graph: Graph,
    /// The last question for which there was nothing below each node.
    vain: Vec<u32>,
    question: u32,
}

impl Completion {
    /// Of a function.
    pub fn of(function: &Bdd) -> Self {
        let graph = Graph::of(function);
        Completion { vain: vec![0; graph.nodes.len()], graph, question: 0 }
    }

    /// Values that make the function true together with those that are given, if there are any: the
    /// decisions on the way, those on given variables among them. Open variables are false where
    /// they may be; what is not mentioned may be anything.
    pub fn find(&mut self, given: impl Fn(Variable) -> Option<bool>) -> Option<Vec<Literal>> {
        self.next_question();
        let mut path: Vec<(u32, Literal)> = Vec::new();
        let mut place = self.graph.root;
        while place != TOP {
            place = match self.is_vain(place) {
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

    /// Goes back to the last open variable that was tried with false only, and on with true.
    fn turn_back(
        &mut self,
        path: &mut Vec<(u32, Literal)>,
        given: &impl Fn(Variable) -> Option<bool>,
    ) -> Option<u32> {
        loop {
            let (place, literal) = path.pop()?;
            if literal.positive || given(literal.variable).is_some() {
                self.vain[place as usize] = self.question;
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

    fn is_vain(&self, place: u32) -> bool {
        place == BOTTOM || self.vain[place as usize] == self.question
    }

    fn next_question(&mut self) {
        self.question = self.question.wrapping_add(1);
        if self.question == 0 {
            self.vain.fill(0);
            self.question = 1;
        }
    }
}
