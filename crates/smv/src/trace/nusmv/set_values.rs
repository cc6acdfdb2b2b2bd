//! The values of definitions that denote sets.
//!
//! A set keeps the form in which it is written: NuSMV replaces the expressions in it by their
//! values, takes the chosen branches of conditional expressions, and one of two equal operands of
//! `union`. It removes no other element that occurs twice.

use rustc_hash::FxHashMap;

use super::strict::{Scalars, Timed};
use crate::flat::{FlatBinary, FlatExpression, FlatModel, FlatTerm, Value};
use crate::interpreter::Time;

/// The longest text of a set, about. Longer ones are left out.
const LONGEST: usize = 1 << 16;

/// An expression that denotes a set, or an operand of one.
#[derive(Clone, Copy)]
enum SetTerm {
    /// A scalar by its number.
    Scalar(usize),
    Interval(i32, i32),
    Union(usize, usize),
    /// The number of a condition, and two sets.
    Choice(usize, usize, usize),
    /// The set itself, under `next`.
    Same(usize),
    Failure,
}

/// A set in the form in which it is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Shape {
    Scalar(Value),
    Interval(i32, i32),
    Union(u32, u32),
}

/// Sets and their values.
#[derive(Default)]
pub(super) struct SetValues {
    /// Operands come first.
    terms: Vec<SetTerm>,
    places: FxHashMap<Timed, usize>,
    shapes: Vec<Shape>,
    shape_ids: FxHashMap<Shape, u32>,
    /// The shape of each set; none if it has no value.
    results: Vec<Option<u32>>,
}

impl SetValues {
    /// The number of a set in the current state. It is added with its operands if it is new.
    pub(super) fn add(&mut self, scalars: &mut Scalars<'_>, root: FlatExpression) -> usize {
        let root = (root, Time::Current);
        let mut stack = vec![root];
        while let Some(&timed) = stack.last() {
            if self.places.contains_key(&timed) {
                stack.pop();
                continue;
            }
            let (set, time) = timed;
            let is_set = scalars.expressions().ty(set).is_set();
            let term = scalars.expressions().term(set);
            let operands = match term {
                FlatTerm::Binary(FlatBinary::Union, a, b) => vec![(a, time), (b, time)],
                FlatTerm::IfThenElse(_, a, b) if is_set => vec![(a, time), (b, time)],
                FlatTerm::Next(a) if is_set => vec![(a, Time::Next)],
                _ => Vec::new(),
            };
            let count = stack.len();
            stack.extend(operands.iter().filter(|operand| !self.places.contains_key(operand)));
            if stack.len() > count {
                continue;
            }
            stack.pop();
            let places: Vec<usize> = operands.iter().map(|operand| self.places[operand]).collect();
            self.terms.push(match (term, places.as_slice()) {
                (FlatTerm::IfThenElse(condition, ..), &[a, b]) => {
                    SetTerm::Choice(scalars.add(condition, time), a, b)
                }
                (_, &[a, b]) => SetTerm::Union(a, b),
                (_, &[a]) => SetTerm::Same(a),
                (FlatTerm::Interval(low, high), _) => SetTerm::Interval(low, high),
                (FlatTerm::Failure(..), _) => SetTerm::Failure,
                _ => SetTerm::Scalar(scalars.add(set, time)),
            });
            self.places.insert(timed, self.terms.len() - 1);
        }
        self.places[&root]
    }

    /// Evaluates all sets, after the scalars were evaluated.
    pub(super) fn run(&mut self, scalars: &Scalars<'_>) {
        self.shapes.clear();
        self.shape_ids.clear();
        self.results.clear();
        for place in 0..self.terms.len() {
            let result = self.shape(scalars, place);
            self.results.push(result);
        }
    }

    /// The shape of a set whose operands have theirs.
    fn shape(&mut self, scalars: &Scalars<'_>, place: usize) -> Option<u32> {
        let shape = match self.terms[place] {
            SetTerm::Scalar(scalar) => Shape::Scalar(scalars.value(scalar)?),
            SetTerm::Interval(low, high) if low == high => Shape::Scalar(Value::Integer(low)),
            SetTerm::Interval(low, high) => Shape::Interval(low, high),
            SetTerm::Union(a, b) => match (self.results[a]?, self.results[b]?) {
                (a, b) if a == b => return Some(a),
                (a, b) => Shape::Union(a, b),
            },
            SetTerm::Choice(condition, a, b) => {
                let is_true = scalars.value(condition)? == Value::Boolean(true);
                return self.results[if is_true { a } else { b }];
            }
            SetTerm::Same(a) => return self.results[a],
            SetTerm::Failure => return None,
        };
        let new = self.shapes.len() as u32;
        let id = *self.shape_ids.entry(shape).or_insert(new);
        if id == new {
            self.shapes.push(shape);
        }
        Some(id)
    }

    /// The text of a set by the last run. Only the last `union` is written as a comma, and so are
    /// those in its right operand. `None` if the set has no value, or its text is too long.
    pub(super) fn text(&self, set: usize, model: &FlatModel) -> Option<String> {
        let (mut shape, mut text) = (self.results[set]?, String::new());
        while let Shape::Union(left, right) = self.shapes[shape as usize] {
            self.write(left, model, &mut text)?;
            text.push_str(", ");
            shape = right;
        }
        self.write(shape, model, &mut text)?;
        Some(text)
    }

    /// Writes a set with `union`. `None` if that gets too long.
    fn write(&self, shape: u32, model: &FlatModel, text: &mut String) -> Option<()> {
        enum Piece {
            Text(&'static str),
            /// A set, and whether it stands below `union`.
            Set(u32, bool),
        }
        let mut stack = vec![Piece::Set(shape, false)];
        while let Some(piece) = stack.pop() {
            if text.len() > LONGEST {
                return None;
            }
            let (shape, is_inner) = match piece {
                Piece::Text(part) => {
                    text.push_str(part);
                    continue;
                }
                Piece::Set(shape, is_inner) => (shape, is_inner),
            };
            let (open, close) = if is_inner { ("(", ")") } else { ("", "") };
            match self.shapes[shape as usize] {
                Shape::Scalar(value) => text.push_str(&model.show(value)),
                Shape::Interval(low, high) => {
                    text.push_str(&format!("{open}{low} .. {high}{close}"));
                }
                Shape::Union(left, right) => {
                    text.push_str(open);
                    stack.extend([Piece::Text(close), Piece::Set(right, true)]);
                    stack.extend([Piece::Text(" union "), Piece::Set(left, true)]);
                }
            }
        }
        Some(())
    }
}
