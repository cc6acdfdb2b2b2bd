//! Random formulas by length \[DGV99\].
//!
//! A formula of length 1 is one of the propositions `p1` to `pN`, all equally likely. A longer one
//! begins with an operator: with a given probability a temporal one, else another, uniformly among
//! those of its kind that there is room for. A binary operator splits the rest of the length
//! uniformly.
//!
//! - `random` is the model of \[RV11\]: the temporal operators are `X U R G F` and `GF`, which
//!   counts as one operator; the others are `! | &`.
//! - `random-until` is that of \[DGV99\] and \[DDMR08\]: the temporal operators are `U` and `R`;
//!   the next is one of the others, `! X & |`.
//!
//! A seed yields the same formula for ever, hence **the order in which numbers are drawn is part of
//! the interface**: for each operator its kind, itself, and the length of its left operand, the
//! formula from the left to the right.

use super::{Family, Parameter, ParameterKind};
use crate::operator::{BinaryOp, UnaryOp};
use crate::store::{Formula, Node, Store};
use kermode_base::Rng;

/// `random LENGTH PROPS [P] [SEED]`.
pub const FAMILY: Family = Family {
    name: "random",
    suffixes: &[],
    summary: "random: X U R G F GF with probability P, else ! | &",
    parameters: PARAMETERS,
    paper: "RV11",
    build: |store, instance| Random::of(RandomModel::All, &instance.values).draw(store),
};

/// `random-until LENGTH PROPS [P] [SEED]`.
pub const UNTIL: Family = Family {
    name: "random-until",
    suffixes: &[],
    summary: "random: U R with probability P, else ! X & |",
    parameters: PARAMETERS,
    paper: "DGV99",
    build: |store, instance| Random::of(RandomModel::Until, &instance.values).draw(store),
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "LENGTH",
        kind: ParameterKind::Number { least: 1, most: 1_000_000 },
        default: None,
        help: "operators and propositions as written, GF being one",
    },
    Parameter {
        name: "PROPS",
        kind: ParameterKind::Number { least: 1, most: 1_000_000 },
        default: None,
        help: "how many propositions there are",
    },
    Parameter {
        name: "P",
        kind: ParameterKind::Probability,
        default: Some("0.5"),
        help: "how likely an operator is temporal",
    },
    Parameter {
        name: "SEED",
        kind: ParameterKind::Number { least: 0, most: u64::MAX },
        default: Some("1"),
        help: "a range gives as many formulas",
    },
];

/// Which operators there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RandomModel {
    /// `! | &`, and as temporal ones `X U R G F GF`.
    All,
    /// `! X & |`, and as temporal ones `U R`.
    Until,
}

/// What a random formula looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random {
    /// Which operators there are.
    pub model: RandomModel,
    /// Operators and propositions as written.
    pub length: usize,
    /// How many propositions there are to choose from.
    pub propositions: usize,
    /// In how many of a million draws an operator is temporal.
    pub temporal: u64,
    /// The seed.
    pub seed: u64,
}

/// An operator that is drawn.
#[derive(Clone, Copy)]
enum Operator {
    Unary(UnaryOp),
    Binary(BinaryOp),
    GloballyFinally,
}

/// Operators of one kind, those with one operand first.
struct Group {
    operators: &'static [Operator],
    unary: usize,
}

impl Group {
    /// The operators that fit into a formula of that length.
    fn fitting(&self, length: usize) -> &'static [Operator] {
        if length < 3 { &self.operators[..self.unary] } else { self.operators }
    }
}

const NOT: Operator = Operator::Unary(UnaryOp::Not);
const NEXT: Operator = Operator::Unary(UnaryOp::Next);
const FINALLY: Operator = Operator::Unary(UnaryOp::Finally);
const GLOBALLY: Operator = Operator::Unary(UnaryOp::Globally);
const AND: Operator = Operator::Binary(BinaryOp::And);
const OR: Operator = Operator::Binary(BinaryOp::Or);
const UNTIL_OP: Operator = Operator::Binary(BinaryOp::Until);
const RELEASE: Operator = Operator::Binary(BinaryOp::Release);

impl RandomModel {
    fn group(self, temporal: bool) -> Group {
        match (self, temporal) {
            (RandomModel::All, true) => Group {
                operators: &[NEXT, GLOBALLY, FINALLY, Operator::GloballyFinally, UNTIL_OP, RELEASE],
                unary: 4,
            },
            (RandomModel::All, false) => Group { operators: &[NOT, OR, AND], unary: 1 },
            (RandomModel::Until, true) => Group { operators: &[UNTIL_OP, RELEASE], unary: 0 },
            (RandomModel::Until, false) => Group { operators: &[NOT, NEXT, AND, OR], unary: 2 },
        }
    }
}

/// A pending task of drawing.
enum Task {
    Draw(usize),
    Build(Operator),
}

impl Random {
    /// The formula of the values of the parameters.
    fn of(model: RandomModel, values: &[u64]) -> Self {
        let [length, propositions] = [values[0] as usize, values[1] as usize];
        Random { model, length, propositions, temporal: values[2], seed: values[3] }
    }

    /// Draws the formula.
    ///
    /// # Panics
    /// When the length or the number of propositions is 0.
    pub fn draw(&self, store: &mut Store) -> Formula {
        assert!(self.length > 0, "a formula has a node");
        let mut rng = Rng::new(self.seed);
        let mut tasks = vec![Task::Draw(self.length)];
        let mut done = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Draw(1) => {
                    let number = rng.between(1, self.propositions);
                    done.push(store.named(&format!("p{number}")));
                }
                Task::Draw(length) => self.draw_operator(length, &mut rng, &mut tasks),
                Task::Build(operator) => {
                    let formula = build(store, operator, &mut done);
                    done.push(formula);
                }
            }
        }
        done.pop().expect("the whole formula")
    }

    fn draw_operator(&self, length: usize, rng: &mut Rng, tasks: &mut Vec<Task>) {
        let temporal = (rng.below(1_000_000) as u64) < self.temporal;
        let mut fitting = self.model.group(temporal).fitting(length);
        if fitting.is_empty() {
            fitting = self.model.group(!temporal).fitting(length);
        }
        let operator = rng.choose(fitting);
        tasks.push(Task::Build(operator));
        match operator {
            Operator::Binary(_) => {
                let left = rng.between(1, length - 2);
                tasks.push(Task::Draw(length - 1 - left));
                tasks.push(Task::Draw(left));
            }
            Operator::Unary(_) | Operator::GloballyFinally => tasks.push(Task::Draw(length - 1)),
        }
    }
}

/// The formula of an operator whose operands are done.
fn build(store: &mut Store, operator: Operator, done: &mut Vec<Formula>) -> Formula {
    let last = done.pop().expect("an operand");
    let node = match operator {
        Operator::Unary(op) => Node::Unary(op, last),
        Operator::Binary(op) => Node::Binary(op, done.pop().expect("a left operand"), last),
        Operator::GloballyFinally => {
            let finally = store.intern(Node::Unary(UnaryOp::Finally, last));
            Node::Unary(UnaryOp::Globally, finally)
        }
    };
    store.intern(node)
}
