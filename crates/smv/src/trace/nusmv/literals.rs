//! Where the value of a word comes from.
//!
//! NuSMV keeps a word literal apart from a word that it computed, also if the values are equal. So
//! it prints the value of a definition such as `c ? 0ud2_1 : w` again when the chosen branch
//! changes and the value does not. Two equal literals are not told apart here, as they are in
//! NuSMV.

use rustc_hash::FxHashMap;

use super::strict::{Scalars, Timed};
use crate::flat::{FlatExpression, FlatTerm, FlatUnary, Type, Value};
use crate::interpreter::Time;

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// It was computed, or is no word.
    Computed,
    /// A literal.
    Literal(FlatExpression),
}

/// An expression whose value is that of one of its parts, or its own.
#[derive(Clone, Copy)]
enum Source {
    Known(Origin),
    /// The number of a condition, and the places of the branches.
    Choice(usize, usize, usize),
}

/// The origins of words.
#[derive(Default)]
pub(super) struct Origins {
    /// Branches come first.
    sources: Vec<Source>,
    places: FxHashMap<Timed, usize>,
    results: Vec<Origin>,
}

impl Origins {
    /// The number of an expression in the current state. It is added with its branches if it is
    /// new.
    pub(super) fn add(&mut self, scalars: &mut Scalars<'_>, root: FlatExpression) -> usize {
        let root = (root, Time::Current);
        let mut stack = vec![root];
        while let Some(&timed) = stack.last() {
            if self.places.contains_key(&timed) {
                stack.pop();
                continue;
            }
            let (expression, time) = timed;
            let expressions = scalars.expressions();
            let is_word = matches!(expressions.ty(expression), Type::Word { .. });
            let term = expressions.term(expression);
            let branches = match term {
                FlatTerm::IfThenElse(_, a, b) if is_word => vec![(a, time), (b, time)],
                FlatTerm::Next(a) if is_word => vec![(a, Time::Next)],
                _ => Vec::new(),
            };
            let count = stack.len();
            stack.extend(branches.iter().filter(|branch| !self.places.contains_key(branch)));
            if stack.len() > count {
                continue;
            }
            stack.pop();
            let is_constant = |e| matches!(expressions.term(e), FlatTerm::Constant(_));
            let source = match (term, branches.as_slice()) {
                (FlatTerm::IfThenElse(condition, ..), [a, b]) => {
                    let (a, b) = (self.places[a], self.places[b]);
                    Source::Choice(scalars.add(condition, time), a, b)
                }
                (_, [a]) => self.sources[self.places[a]],
                (FlatTerm::Constant(_), _) if is_word => Source::Known(Origin::Literal(expression)),
                (FlatTerm::Unary(FlatUnary::Minus, a), _) if is_word && is_constant(a) => {
                    Source::Known(Origin::Literal(expression))
                }
                _ => Source::Known(Origin::Computed),
            };
            self.sources.push(source);
            self.places.insert(timed, self.sources.len() - 1);
        }
        self.places[&root]
    }

    /// Finds all origins, after the scalars were evaluated.
    pub(super) fn run(&mut self, scalars: &Scalars<'_>) {
        self.results.clear();
        for source in &self.sources {
            let origin = match *source {
                Source::Known(origin) => origin,
                Source::Choice(condition, a, b) => {
                    let is_true = scalars.value(condition) == Some(Value::Boolean(true));
                    self.results[if is_true { a } else { b }]
                }
            };
            self.results.push(origin);
        }
    }

    /// The origin of an expression by the last run.
    pub(super) fn origin(&self, number: usize) -> Origin {
        self.results[number]
    }
}
