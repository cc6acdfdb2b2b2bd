//! Values of expressions in which every failure counts.
//!
//! A definition has no value in NuSMV's traces if any part of it fails, except for the branches of
//! conditional expressions that are not chosen. In conditions of a model, `FALSE & e` is false even
//! if `e` fails; here it has no value.

use kermode_base::terms::Dag;
use rustc_hash::FxHashMap;

use crate::flat::{
    Features, FlatBinary, FlatExpression, FlatExpressions, FlatTerm, Value, VariableId,
};
use crate::interpreter::{Evaluation, Outcome, Time};

/// An expression at a time.
pub(super) type Timed = (FlatExpression, Time);

/// An expression that may fail. Its operands that cannot fail are left out.
struct Fallible {
    /// The number of the expression if its operator may fail.
    own: Option<usize>,
    /// The number of the condition of a conditional expression, with the branches.
    choice: Option<(usize, [Option<usize>; 2])>,
    /// The operands that count.
    operands: Vec<usize>,
}

/// Expressions that denote scalars.
pub(super) struct Scalars<'m> {
    expressions: &'m FlatExpressions,
    roots: Vec<Timed>,
    numbers: FxHashMap<Timed, usize>,
    /// By number of the scalar: its place among the expressions that may fail.
    fallible_roots: Vec<Option<usize>>,
    /// Operands come first.
    fallible: Vec<Fallible>,
    places: FxHashMap<Timed, usize>,
    evaluation: Evaluation<'m>,
    /// Whether each expression that may fail does so, by the last run.
    fails: Vec<bool>,
}

impl<'m> Scalars<'m> {
    pub(super) fn new(expressions: &'m FlatExpressions) -> Self {
        Scalars {
            expressions,
            roots: Vec::new(),
            numbers: FxHashMap::default(),
            fallible_roots: Vec::new(),
            fallible: Vec::new(),
            places: FxHashMap::default(),
            evaluation: Evaluation::at(expressions, &[]),
            fails: Vec::new(),
        }
    }

    /// The owner of the expressions.
    pub(super) fn expressions(&self) -> &'m FlatExpressions {
        self.expressions
    }

    /// The number of an expression, which is added if it is new.
    pub(super) fn add(&mut self, expression: FlatExpression, time: Time) -> usize {
        let number = self.number((expression, time));
        if self.fallible_roots[number].is_none() && self.may_fail(expression) {
            let place = self.add_fallible((expression, time));
            self.fallible_roots[number] = Some(place);
        }
        number
    }

    /// Prepares for evaluation, after the last expression was added.
    pub(super) fn compile(&mut self) {
        self.evaluation = Evaluation::at(self.expressions, &self.roots);
    }

    /// Evaluates all expressions.
    pub(super) fn run(&mut self, value: impl FnMut(VariableId, Time) -> Option<Value>) {
        self.evaluation.run(value);
        self.fails.clear();
        for place in 0..self.fallible.len() {
            let Fallible { own, choice, operands } = &self.fallible[place];
            let branch = choice.and_then(|(condition, branches)| {
                branches[usize::from(!self.evaluation.is_true(condition))]
            });
            let is_failure =
                |&number: &usize| matches!(self.evaluation.outcome(number), Outcome::Failure(_));
            let fails = own.as_ref().is_some_and(is_failure)
                || operands.iter().chain(&branch).any(|&operand| self.fails[operand]);
            self.fails.push(fails);
        }
    }

    /// The value of an expression by the last run.
    pub(super) fn value(&self, number: usize) -> Option<Value> {
        if self.fallible_roots[number].is_some_and(|place| self.fails[place]) {
            return None;
        }
        match self.evaluation.outcome(number) {
            Outcome::Scalar(value) => Some(value),
            Outcome::Unknown | Outcome::Set(_) | Outcome::Failure(_) => None,
        }
    }

    fn number(&mut self, timed: Timed) -> usize {
        let new = self.roots.len();
        let number = *self.numbers.entry(timed).or_insert(new);
        if number == new {
            self.roots.push(timed);
            self.fallible_roots.push(None);
        }
        number
    }

    fn may_fail(&self, expression: FlatExpression) -> bool {
        self.expressions.features(expression).has(Features::MAY_FAIL)
    }

    /// The place of an expression that may fail. It is added with its operands if it is new.
    fn add_fallible(&mut self, root: Timed) -> usize {
        let mut stack = vec![root];
        while let Some(&timed) = stack.last() {
            if self.places.contains_key(&timed) {
                stack.pop();
                continue;
            }
            let (expression, time) = timed;
            let term = self.expressions.term(expression);
            let below = if matches!(term, FlatTerm::Next(_)) { Time::Next } else { time };
            let operands = self.expressions.operands(expression);
            let operands: Vec<Timed> = operands
                .filter(|&operand| self.may_fail(operand))
                .map(|operand| (operand, below))
                .collect();
            let count = stack.len();
            let missing = operands.iter().filter(|operand| !self.places.contains_key(operand));
            stack.extend(missing);
            if stack.len() > count {
                continue;
            }
            stack.pop();
            let new = self.fallible_term(term, timed, &operands);
            self.fallible.push(new);
            self.places.insert(timed, self.fallible.len() - 1);
        }
        self.places[&root]
    }

    fn fallible_term(&mut self, term: FlatTerm, timed: Timed, operands: &[Timed]) -> Fallible {
        let (_, time) = timed;
        let place = |operand| self.places.get(&(operand, time)).copied();
        match term {
            FlatTerm::IfThenElse(condition, a, b) => {
                let branches = [place(a), place(b)];
                let operands = place(condition).into_iter().collect();
                let condition = self.number((condition, time));
                Fallible { own: None, choice: Some((condition, branches)), operands }
            }
            _ => {
                let is_own = matches!(
                    term,
                    FlatTerm::Failure(..)
                        | FlatTerm::Binary(
                            FlatBinary::Divide
                                | FlatBinary::Modulo
                                | FlatBinary::ShiftLeft
                                | FlatBinary::ShiftRight,
                            ..
                        )
                );
                let operands = operands.iter().map(|operand| self.places[operand]).collect();
                let own = is_own.then(|| self.number(timed));
                Fallible { own, choice: None, operands }
            }
        }
    }
}
