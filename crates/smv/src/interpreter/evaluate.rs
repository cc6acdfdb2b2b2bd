//! The values of expressions: compiled once, evaluated for many valuations of the variables.
//!
//! The compiled form is a list of instructions, operands first, with one result each. `next` leaves
//! no instruction: an expression below it is compiled for the next state, so that an expression has
//! at most two instructions. Nothing recurses, and a shared subexpression is evaluated once.

use kermode_base::terms::{Dag, Handle};
use rustc_hash::FxHashMap;

use super::operations::{Failure, Slot, apply};
use super::sets::{Sets, ValueSet};
use crate::flat::{FlatBinary, FlatExpression, FlatExpressions, FlatTerm, Value, VariableId};

/// Whether a variable is read in the current or in the next state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Time {
    /// The current state, or the step that leaves it.
    Current,
    /// The next state.
    Next,
}

/// The result of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It depends on a variable without value, or on a temporal operator.
    Unknown,
    /// A scalar.
    Scalar(Value),
    /// A set.
    Set(ValueSet),
    /// No value.
    Failure(Failure),
}

impl Outcome {
    /// Whether it is the Boolean value `TRUE`.
    pub fn is_true(&self) -> bool {
        *self == Outcome::Scalar(Value::Boolean(true))
    }

    pub(super) fn of(slot: Slot, sets: &Sets) -> Outcome {
        match slot {
            Slot::Unknown => Outcome::Unknown,
            Slot::Scalar(value) => Outcome::Scalar(value),
            Slot::Set(set) => Outcome::Set(sets.get(set).clone()),
            Slot::Failure(failure) => Outcome::Failure(failure),
        }
    }
}

/// What an instruction computes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    /// The value of a variable.
    Variable(VariableId, Time),
    /// The operator of a term, with the expression that fails if the operator does.
    Term(FlatTerm, FlatExpression),
}

/// An operation with the indices of the instructions of its operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) operation: Operation,
    /// The first `arity` of these count.
    pub(super) operands: [u32; 3],
    pub(super) arity: u8,
}

impl Instruction {
    /// The operands.
    pub(super) fn operands(&self) -> &[u32] {
        &self.operands[..self.arity.into()]
    }
}

/// Expressions as instructions, operands first.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) instructions: Vec<Instruction>,
    places: FxHashMap<(FlatExpression, Time), u32>,
    variables: FxHashMap<(VariableId, Time), u32>,
}

impl Program {
    /// The index of the instruction of an expression. It is added with its operands if it is new.
    pub(super) fn add(&mut self, owner: &FlatExpressions, root: FlatExpression, time: Time) -> u32 {
        let mut stack = vec![(root, time)];
        while let Some(&(expression, time)) = stack.last() {
            let key = (expression, time);
            if self.places.contains_key(&key) {
                stack.pop();
                continue;
            }
            let term = owner.term(expression);
            let below = if matches!(term, FlatTerm::Next(_)) { Time::Next } else { time };
            let missing = stack.len();
            let operands = term.operands().map(|a| (a, below));
            stack.extend(operands.filter(|key| !self.places.contains_key(key)));
            if stack.len() > missing {
                continue;
            }
            stack.pop();
            let (mut operands, mut arity) = ([0; 3], 0);
            for operand in term.operands() {
                operands[usize::from(arity)] = self.places[&(operand, below)];
                arity += 1;
            }
            let place = match term {
                FlatTerm::Next(_) => operands[0],
                FlatTerm::Variable(variable) => self.variable(variable, time),
                _ => {
                    let operation = Operation::Term(term, expression);
                    self.push(Instruction { operation, operands, arity })
                }
            };
            self.places.insert(key, place);
        }
        self.places[&(root, time)]
    }

    /// The index of the instruction of a variable.
    pub(super) fn variable(&mut self, variable: VariableId, time: Time) -> u32 {
        if let Some(&place) = self.variables.get(&(variable, time)) {
            return place;
        }
        let operation = Operation::Variable(variable, time);
        let place = self.push(Instruction { operation, operands: [0; 3], arity: 0 });
        self.variables.insert((variable, time), place);
        place
    }

    /// Adds an operator that cannot fail on its own, such as `=` and `in`, to operands with these
    /// indices.
    pub(super) fn operator(&mut self, operator: FlatBinary, [a, b]: [u32; 2]) -> u32 {
        // No failure arises here, so that no expression need be named.
        let none = FlatExpression::from_index(0);
        let operation = Operation::Term(FlatTerm::Binary(operator, none, none), none);
        self.push(Instruction { operation, operands: [a, b, 0], arity: 2 })
    }

    fn push(&mut self, instruction: Instruction) -> u32 {
        self.instructions.push(instruction);
        self.instructions.len() as u32 - 1
    }
}

/// Expressions that are evaluated together.
#[derive(Clone, Debug)]
pub struct Evaluation<'m> {
    owner: &'m FlatExpressions,
    program: Program,
    roots: Vec<u32>,
    results: Vec<Slot>,
    sets: Sets,
}

impl<'m> Evaluation<'m> {
    /// Compiles expressions.
    pub fn new(owner: &'m FlatExpressions, roots: &[FlatExpression]) -> Self {
        let timed: Vec<_> = roots.iter().map(|&root| (root, Time::Current)).collect();
        Evaluation::at(owner, &timed)
    }

    /// Compiles expressions, each read in the current state or in the next one.
    pub fn at(owner: &'m FlatExpressions, roots: &[(FlatExpression, Time)]) -> Self {
        let mut program = Program::default();
        let roots = roots.iter().map(|&(root, time)| program.add(owner, root, time)).collect();
        let results = vec![Slot::Unknown; program.instructions.len()];
        Evaluation { owner, program, roots, results, sets: Sets::default() }
    }

    /// Evaluates all expressions, with these values of variables.
    pub fn run(&mut self, mut variable: impl FnMut(VariableId, Time) -> Option<Value>) {
        for (place, instruction) in self.program.instructions.iter().enumerate() {
            let [a, b, c] = instruction.operands;
            let operands =
                [self.results[a as usize], self.results[b as usize], self.results[c as usize]];
            self.results[place] = match instruction.operation {
                Operation::Variable(id, time) => {
                    variable(id, time).map_or(Slot::Unknown, Slot::Scalar)
                }
                Operation::Term(FlatTerm::Constant(constant), _) => {
                    Slot::Scalar(self.owner.value(constant))
                }
                Operation::Term(term, at) => apply(term, at, operands, &mut self.sets),
            };
        }
    }

    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.roots.len()
    }

    /// Whether there are no expressions.
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// The result of the expression with this number, by the last run.
    pub fn outcome(&self, number: usize) -> Outcome {
        Outcome::of(self.results[self.roots[number] as usize], &self.sets)
    }

    /// Whether the expression with this number is `TRUE`, by the last run.
    pub fn is_true(&self, number: usize) -> bool {
        self.results[self.roots[number] as usize] == Slot::TRUE
    }
}

/// The values of constant expressions, each computed once.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    results: FxHashMap<FlatExpression, Slot>,
    sets: Sets,
}

impl Constants {
    /// The result of an expression without variables and temporal operators; `None` of others.
    ///
    /// The owner must be the same in all calls, though it may grow between them.
    pub fn outcome(&mut self, owner: &FlatExpressions, root: FlatExpression) -> Option<Outcome> {
        let features = owner.features(root);
        if !features.is_constant() || features.is_temporal() {
            return None;
        }
        let mut stack = vec![root];
        while let Some(&expression) = stack.last() {
            let missing = stack.len();
            if !self.results.contains_key(&expression) {
                let operands = owner.operands(expression);
                stack.extend(operands.filter(|operand| !self.results.contains_key(operand)));
            }
            if stack.len() > missing {
                continue;
            }
            stack.pop();
            let mut operands = [Slot::Unknown; 3];
            for (slot, operand) in operands.iter_mut().zip(owner.operands(expression)) {
                *slot = self.results[&operand];
            }
            let result = match owner.term(expression) {
                FlatTerm::Constant(constant) => Slot::Scalar(owner.value(constant)),
                FlatTerm::Next(_) => operands[0],
                term => apply(term, expression, operands, &mut self.sets),
            };
            self.results.insert(expression, result);
        }
        Some(Outcome::of(self.results[&root], &self.sets))
    }

    /// The value of an expression that denotes a scalar and has no variables; `None` of others.
    pub fn value(
        &mut self,
        owner: &FlatExpressions,
        root: FlatExpression,
    ) -> Option<Result<Value, Failure>> {
        match self.outcome(owner, root)? {
            Outcome::Scalar(value) => Some(Ok(value)),
            Outcome::Failure(failure) => Some(Err(failure)),
            Outcome::Set(_) | Outcome::Unknown => None,
        }
    }
}
