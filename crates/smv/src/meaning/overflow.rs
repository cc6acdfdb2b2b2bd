//! Warnings about integer arithmetic that may wrap around at 32 bits.
//!
//! The interval of an expression follows from the domains of its variables. It is an upper
//! approximation, because conditions are ignored.

use kermode_base::Diagnostic;

use super::Flattener;
use crate::flat::{
    Domain, FlatBinary, FlatExpression, FlatTerm, FlatUnary, Type, Value, VariableId,
};
use crate::syntax::Span;

/// The integers from the first to the second. Nothing is known about an expression without value,
/// and about one that was warned about, so that there is one warning for each mistake.
pub(super) type Interval = Option<(i64, i64)>;

impl Flattener<'_> {
    /// Warns if the value of an operator may need more than 32 bits.
    pub(super) fn warn_about_overflow(&mut self, made: FlatExpression, span: Span) {
        let FlatTerm::Binary(operator, a, b) = self.model.expressions.term(made) else { return };
        let [a, b] = [a, b].map(|operand| self.interval(operand));
        let Some((low, high)) = exact(operator, a, b).filter(|&interval| !fits(interval)) else {
            return;
        };
        let extreme = if high > i64::from(i32::MAX) { high } else { low };
        let warning =
            Diagnostic::warning(span.range(), "this arithmetic may leave the integers of 32 bits")
                .label(format!("{extreme} wraps around"))
                .help("use smaller ranges, or words, which have up to 64 bits");
        self.report(warning);
    }

    fn interval(&mut self, root: FlatExpression) -> Interval {
        let mut todo = vec![root];
        while let Some(&expression) = todo.last() {
            if self.intervals.contains_key(&expression) {
                todo.pop();
                continue;
            }
            let term = self.model.expressions.term(expression);
            let operands: &[FlatExpression] = match term {
                FlatTerm::Next(a) | FlatTerm::Unary(FlatUnary::Minus, a) => &[a],
                FlatTerm::Unary(FlatUnary::ToInt, a) if self.ty(a) == Type::Integer => &[a],
                FlatTerm::Binary(_, a, b) | FlatTerm::IfThenElse(_, a, b) => &[a, b],
                _ => &[],
            };
            let known = |expression: &&FlatExpression| !self.intervals.contains_key(*expression);
            let before = todo.len();
            todo.extend(operands.iter().filter(known));
            if todo.len() == before {
                let interval = self.interval_of(term, operands);
                self.intervals.insert(expression, interval);
            }
        }
        self.intervals[&root]
    }

    /// The interval of a term, given those of its operands.
    fn interval_of(&self, term: FlatTerm, operands: &[FlatExpression]) -> Interval {
        let known: Vec<Interval> = operands.iter().map(|a| self.intervals[a]).collect();
        let found = match (term, known.as_slice()) {
            (FlatTerm::Constant(constant), _) => match self.model.expressions.value(constant) {
                Value::Integer(value) => Some((value.into(), value.into())),
                _ => None,
            },
            (FlatTerm::Variable(variable), _) => self.domain_interval(variable),
            (FlatTerm::Next(_) | FlatTerm::Unary(FlatUnary::ToInt, _), &[a]) => a,
            (FlatTerm::Unary(FlatUnary::Minus, _), &[a]) => a.map(|(low, high)| (-high, -low)),
            (FlatTerm::Unary(FlatUnary::ToInt, a), _) => match self.ty(a) {
                Type::Word { signed: false, width: width @ ..=31 } => Some((0, (1 << width) - 1)),
                Type::Word { signed: true, width: width @ ..=32 } => {
                    Some((-(1 << (width - 1)), (1 << (width - 1)) - 1))
                }
                Type::Boolean => Some((0, 1)),
                _ => None,
            },
            (FlatTerm::Binary(operator, ..), &[a, b]) => exact(operator, a, b),
            (FlatTerm::IfThenElse(..), &[a, b]) => match (a, b) {
                (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
                (a, b) => a.or(b),
            },
            _ => None,
        };
        found.filter(|&interval| fits(interval))
    }

    fn domain_interval(&self, variable: VariableId) -> Interval {
        match &self.model.variable(variable).domain {
            Domain::Range(low, high) => Some(((*low).into(), (*high).into())),
            Domain::Enumeration(values) => {
                let integers = values.iter().filter_map(|value| match value {
                    Value::Integer(value) => Some(i64::from(*value)),
                    _ => None,
                });
                Some((integers.clone().min()?, integers.max()?))
            }
            _ => None,
        }
    }
}

fn fits((low, high): (i64, i64)) -> bool {
    i64::from(i32::MIN) <= low && high <= i64::from(i32::MAX)
}

/// The interval of an operator in integers without bounds.
fn exact(operator: FlatBinary, a: Interval, b: Interval) -> Interval {
    let ((a, b), (c, d)) = (a?, b?);
    match operator {
        FlatBinary::Add => Some((a + c, b + d)),
        FlatBinary::Subtract => Some((a - d, b - c)),
        FlatBinary::Multiply => {
            let products = [a * c, a * d, b * c, b * d];
            Some((*products.iter().min()?, *products.iter().max()?))
        }
        FlatBinary::Divide if c > 0 => Some(((a / c).min(a / d), (b / c).max(b / d))),
        FlatBinary::Divide => {
            let most = a.abs().max(b.abs()).min(i32::MAX.into());
            Some((-most, most))
        }
        FlatBinary::Modulo => {
            let most = (c.abs().max(d.abs()) - 1).clamp(0, a.abs().max(b.abs()));
            Some((if a < 0 { -most } else { 0 }, most))
        }
        _ => None,
    }
}
