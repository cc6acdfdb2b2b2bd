//! Elements of arrays and bits of words.

use kermode_base::Diagnostic;

use super::Flattener;
use super::messages::called;
use super::operators::common;
use super::scope::{ArrayId, Operand};
use crate::flat::{FailureKind, FlatBinary, FlatExpression, FlatTerm, Type, Value, Word};
use crate::syntax::{List, NodeId};

/// Arrays may be nested this deep.
const MOST_DIMENSIONS: usize = 64;

impl Flattener<'_> {
    /// `array[index]`. A dynamic index becomes a chain of comparisons with all indices.
    pub(super) fn select(
        &mut self,
        node: NodeId,
        base: NodeId,
        index_node: NodeId,
        array: Operand,
        index: Operand,
    ) -> Operand {
        let array = match array {
            Operand::Array(array) => array,
            Operand::Error => return Operand::Error,
            Operand::Scalar(scalar) => {
                let span = self.file.span(node);
                let ty = self.ty(scalar);
                let error =
                    Diagnostic::error(span.range(), format!("{} has no elements", called(ty)))
                        .label("the subscript of something that is no array");
                return self.wrong(match ty {
                    Type::Word { .. } => error.help("a bit of a word `w` is selected by `w[3:3]`"),
                    _ => error.help("only arrays have subscripts"),
                });
            }
            other => {
                self.scalar(other, base);
                return Operand::Error;
            }
        };
        let Some(index) = self.scalar(index, index_node) else { return Operand::Error };
        let ty = self.ty(index);
        if !matches!(ty, Type::Integer | Type::Word { .. }) {
            let span = self.file.span(index_node);
            let message =
                format!("a subscript is an integer or an unsigned word, not {}", called(ty));
            let help = match ty {
                Type::Boolean => "convert it by `toint`",
                _ => "number the values, for instance by a range",
            };
            let error = Diagnostic::error(span.range(), message).label("type error");
            return self.wrong(error.help(help));
        }
        let number = match self.constants.value(&self.model.expressions, index) {
            Some(Ok(Value::Integer(value))) => Some(i128::from(value)),
            Some(Ok(Value::Word(word))) => Some(i128::from(word.bits)),
            _ => None,
        };
        if let Some(number) = number {
            return self.element(array, number, index_node);
        }
        let is_signed = matches!(ty, Type::Word { signed: true, .. });
        if is_signed {
            let span = self.file.span(index_node);
            let error = Diagnostic::error(span.range(), "a subscript cannot be a signed word");
            return self
                .wrong(error.label("type error").help("convert it by `unsigned` or `toint`"));
        }
        self.dynamic_element(node, array, index)
    }

    fn element(&mut self, array: ArrayId, number: i128, node: NodeId) -> Operand {
        let known = &self.arrays[array.0 as usize];
        let low = i128::from(known.low);
        let place = usize::try_from(number - low).ok();
        if let Some(&element) = place.and_then(|place| known.elements.get(place)) {
            return element;
        }
        let last = low + known.elements.len() as i128 - 1;
        let span = self.file.span(node);
        let message = format!("the subscript {number} is out of bounds");
        let error = Diagnostic::error(span.range(), message).label("there is no such element");
        self.wrong(match known.elements.is_empty() {
            true => error.help("the array is empty: extend its bounds"),
            false => error.help(format!("the array has the elements {low} to {last}")),
        })
    }

    /// The element at an index that is not constant, level by level for nested arrays.
    fn dynamic_element(&mut self, node: NodeId, array: ArrayId, index: FlatExpression) -> Operand {
        let known = self.arrays[array.0 as usize].clone();
        let tests: Vec<Option<FlatExpression>> = (0..known.elements.len())
            .map(|place| self.is_index(index, i64::from(known.low) + place as i64))
            .collect();
        self.chosen(node, &tests, &known.elements)
    }

    /// Whether an index has a value, or nothing if its type does not have it.
    fn is_index(&mut self, index: FlatExpression, value: i64) -> Option<FlatExpression> {
        let value = match self.ty(index) {
            Type::Word { signed, width } => {
                let bits = u64::try_from(value).ok()?;
                if width < 64 && bits >> width != 0 {
                    return None;
                }
                Value::Word(Word { bits, width, signed })
            }
            _ => Value::Integer(i32::try_from(value).ok()?),
        };
        let value = self.model.expressions.constant(value);
        Some(self.intern(FlatTerm::Binary(FlatBinary::Equal, index, value), Type::Boolean))
    }

    /// The element whose test is true. Arrays among the elements are chosen element by element;
    /// the nesting is at most 64.
    fn chosen(
        &mut self,
        node: NodeId,
        tests: &[Option<FlatExpression>],
        elements: &[Operand],
    ) -> Operand {
        if let Some(Operand::Array(first)) = elements.first() {
            let (low, length) = {
                let first = &self.arrays[first.0 as usize];
                (first.low, first.elements.len())
            };
            let mut columns = vec![Vec::with_capacity(elements.len()); length];
            for &element in elements {
                let Operand::Array(row) = element else { return Operand::Error };
                let row = &self.arrays[row.0 as usize].elements;
                if row.len() != length {
                    return Operand::Error;
                }
                columns.iter_mut().zip(row).for_each(|(column, &value)| column.push(value));
            }
            let chosen: Vec<Operand> =
                columns.iter().map(|column| self.chosen(node, tests, column)).collect();
            return Operand::Array(self.array(low, chosen));
        }
        let mut scalars = Vec::with_capacity(elements.len());
        let mut ty: Option<Type> = None;
        for &element in elements {
            let Operand::Scalar(scalar) = element else { return Operand::Error };
            let here = self.ty(scalar);
            ty = match ty {
                None => Some(here),
                Some(before) => common(before, here),
            };
            if ty.is_none() {
                return Operand::Error;
            }
            scalars.push(scalar);
        }
        // The index of an empty array is always out of bounds.
        let ty = ty.unwrap_or(Type::Boolean);
        let mut rest = self.intern(FlatTerm::Failure(FailureKind::OutOfBounds, ty), ty);
        self.note_failure(rest, self.file.span(node));
        for (test, scalar) in tests.iter().zip(scalars).rev() {
            if let Some(test) = *test {
                rest = self.intern(FlatTerm::IfThenElse(test, scalar, rest), ty);
            }
        }
        Operand::Scalar(rest)
    }

    /// `[e, ..]` in a DEFINE.
    pub(super) fn array_literal(
        &mut self,
        node: NodeId,
        list: List,
        values: Vec<Operand>,
    ) -> Operand {
        let mut common_shape: Option<(Vec<usize>, Type)> = None;
        for (&element, &value) in self.file.list(list).iter().zip(&values) {
            if let Operand::Path(_) | Operand::Instance(_) = value {
                self.scalar(value, element);
            }
            let Some(shape) = self.shape(value) else { return Operand::Error };
            if shape.0.len() >= MOST_DIMENSIONS {
                let message = format!("an array has at most {MOST_DIMENSIONS} dimensions");
                let error = Diagnostic::error(self.file.span(node).range(), message);
                return self.wrong(error.help("use one array with computed subscripts"));
            }
            common_shape = match common_shape {
                None => Some(shape),
                Some((sizes, ty)) => {
                    let same = sizes == shape.0;
                    let Some(ty) = common(ty, shape.1).filter(|_| same) else {
                        let span = self.file.span(element);
                        let message = match same {
                            true => format!(
                                "the elements of an array have one type; {} follows {}",
                                called(shape.1),
                                called(ty)
                            ),
                            false => "the rows of an array have different lengths".to_owned(),
                        };
                        let error = Diagnostic::error(span.range(), message).label("type error");
                        return self.wrong(error.help("give all rows the same length and type"));
                    };
                    Some((sizes, ty))
                }
            };
        }
        Operand::Array(self.array(0, values))
    }

    /// The sizes of the dimensions of an array value, and the type of its scalars.
    fn shape(&self, value: Operand) -> Option<(Vec<usize>, Type)> {
        let mut sizes = Vec::new();
        let mut value = value;
        loop {
            match value {
                Operand::Scalar(scalar) => return Some((sizes, self.ty(scalar))),
                Operand::Array(array) => {
                    let known = &self.arrays[array.0 as usize];
                    sizes.push(known.elements.len());
                    match known.elements.first() {
                        Some(&first) => value = first,
                        None => return Some((sizes, Type::Boolean)),
                    }
                }
                _ => return None,
            }
        }
    }

    /// `word[high : low]`.
    pub(super) fn bits(
        &mut self,
        node: NodeId,
        nodes: [NodeId; 3],
        values: [Operand; 3],
    ) -> Operand {
        let operands = [0, 1, 2].map(|i| self.scalar(values[i], nodes[i]));
        let [Some(word), Some(high), Some(low)] = operands else { return Operand::Error };
        let Type::Word { width, .. } = self.ty(word) else {
            let span = self.file.span(node);
            let message =
                format!("bits are selected from words, not from {}", called(self.ty(word)));
            let error = Diagnostic::error(span.range(), message).label("type error");
            return self.wrong(error.help("an integer constant becomes a word by `uwconst`"));
        };
        let high = self.constant_operand(nodes[1], high, "the bound of a bit selection");
        let low = self.constant_operand(nodes[2], low, "the bound of a bit selection");
        let (Some(high), Some(low)) = (high, low) else { return Operand::Error };
        if !(0 <= low && low <= high && high < i32::from(width)) {
            let span = self.file.span(node);
            let message = format!("a word of {width} bits has no bits [{high}:{low}]");
            let error = Diagnostic::error(span.range(), message).label("not inside of the word");
            let last = width - 1;
            return self
                .wrong(error.help(format!("the higher bit comes first; bits are 0 to {last}")));
        }
        let ty = Type::Word { signed: false, width: (high - low + 1) as u8 };
        let term = FlatTerm::Bits { word, high: high as u8, low: low as u8 };
        Operand::Scalar(self.intern(term, ty))
    }
}
