//! Sets, and the values of assignments, as formulas.
//!
//! An expression for a set is a tree of unions and conditional expressions over scalars and
//! intervals. It has no bits of its own: what is needed are formulas such as "this value is an
//! element". A *fold* computes them from the leaves up, once for each subexpression, in linear
//! time.

use kermode_system::{Expression, Graph};
use rustc_hash::FxHashMap;

use super::arithmetic;
use super::encoder::{Encoder, Place, normal, operands};
use super::integer::Integer;
use super::scalar::Scalar;
use crate::flat::{
    Domain, FlatBinary, FlatExpression, FlatModel, FlatTerm, Type, Value, VariableId,
};

/// A part of a set.
pub(crate) enum Leaf {
    /// The elements from the first to the second; none if the first is larger.
    Interval(i32, i32),
    /// One element.
    Scalar(Place),
}

impl Encoder {
    /// A formula about the parts of a set that are chosen: it holds of a union if it holds of one
    /// of its two sets. The expression must be encoded.
    fn any_leaf(
        &self,
        graph: &mut Graph,
        flat: &FlatModel,
        root: Place,
        mut leaf: impl FnMut(&mut Graph, Leaf) -> Expression,
    ) -> Expression {
        self.fold(
            graph,
            flat,
            root,
            &mut FxHashMap::default(),
            |graph, place| match flat.expressions.term(place.0) {
                FlatTerm::Interval(low, high) => Some(leaf(graph, Leaf::Interval(low, high))),
                FlatTerm::Failure(..) => Some(graph.constant(false)),
                _ if flat.expressions.ty(place.0).is_set() => None,
                _ => Some(leaf(graph, Leaf::Scalar(place))),
            },
            |graph, condition, a, b| match condition {
                Some(condition) => graph.if_then_else(condition, a, b),
                None => graph.or(a, b),
            },
        )
    }

    /// Computes a result from the leaves of a tree of unions and conditional expressions. `leaf`
    /// returns the results of leaves, and nothing for inner nodes. `join` combines two results, of
    /// a conditional expression with its condition. `results` has those of earlier folds.
    fn fold<T: Clone>(
        &self,
        graph: &mut Graph,
        flat: &FlatModel,
        root: Place,
        results: &mut FxHashMap<Place, T>,
        mut leaf: impl FnMut(&mut Graph, Place) -> Option<T>,
        join: impl Fn(&mut Graph, Option<Expression>, T, T) -> T,
    ) -> T {
        let root = normal(flat, root);
        let always = graph.constant(true);
        let mut todo = vec![root];
        while let Some(&top) = todo.last() {
            if results.contains_key(&top) {
                todo.pop();
                continue;
            }
            if let Some(result) = leaf(graph, top) {
                results.insert(top, result);
                continue;
            }
            let term = flat.expressions.term(top.0);
            let condition = match term {
                FlatTerm::IfThenElse(condition, ..) => Some((condition, top.1)),
                _ => None,
            };
            let skipped = usize::from(condition.is_some());
            // A branch that always fails has no result; the other one stands for it.
            let parts = operands(flat, top).skip(skipped).collect::<Vec<Place>>();
            let fails = |place: Place| self.get(flat, place).failure == always;
            let parts: Vec<Place> = match (condition, &parts[..]) {
                (Some(_), &[yes, no]) if fails(no) => vec![yes],
                (Some(_), &[yes, no]) if fails(yes) => vec![no],
                _ => parts,
            };
            let open = todo.len();
            todo.extend(parts.iter().filter(|&place| !results.contains_key(place)));
            if todo.len() > open {
                continue;
            }
            let result = match (&parts[..], condition) {
                (&[a, b], Some(condition)) => {
                    let (yes, no) = (results[&a].clone(), results[&b].clone());
                    let Scalar::Boolean(condition) = self.get(flat, condition).value else {
                        panic!("a condition is Boolean")
                    };
                    join(graph, Some(condition), yes, no)
                }
                (&[a, b], None) => join(graph, None, results[&a].clone(), results[&b].clone()),
                (parts, _) => results[&parts[0]].clone(),
            };
            results.insert(top, result);
        }
        results[&root].clone()
    }

    /// Whether a value is an element of a set, or equal to a scalar. The set must be encoded.
    pub(crate) fn is_element(
        &self,
        graph: &mut Graph,
        flat: &FlatModel,
        element: &Scalar,
        set: Place,
    ) -> Expression {
        self.any_leaf(graph, flat, set, |graph, leaf| match leaf {
            Leaf::Interval(low, high) => element.is_within(graph, low, high),
            Leaf::Scalar(place) => Scalar::equal(graph, element, &self.get(flat, place).value),
        })
    }

    /// Whether each element of one set is an element of another one. Both must be encoded.
    pub(crate) fn is_subset(
        &self,
        graph: &mut Graph,
        flat: &FlatModel,
        set: Place,
        superset: Place,
    ) -> Expression {
        let missing = self.any_leaf(graph, flat, set, |graph, leaf| {
            let included = match leaf {
                Leaf::Scalar(place) => {
                    let element = &self.get(flat, place).value;
                    self.is_element(graph, flat, element, superset)
                }
                Leaf::Interval(low, high) => {
                    let samples = self.samples(graph, flat, low, high, superset);
                    let samples = samples.into_iter().map(|sample| {
                        let element = Scalar::Integer(Integer::constant(graph, sample));
                        self.is_element(graph, flat, &element, superset)
                    });
                    let included: Vec<Expression> = samples.collect();
                    graph.all(included)
                }
            };
            graph.not(included)
        });
        graph.not(missing)
    }

    /// Some numbers of an interval: all of them are in a set exactly if the interval is included.
    ///
    /// The bounds of the intervals of the set divide the numbers into sections. If no chosen
    /// interval covers a section, then each of its numbers must be one of the scalars of the set.
    /// So one number more than there are scalars suffices for each section.
    fn samples(
        &self,
        graph: &mut Graph,
        flat: &FlatModel,
        low: i32,
        high: i32,
        superset: Place,
    ) -> Vec<i32> {
        let (low, high) = (i64::from(low), i64::from(high));
        let mut scalars = 0;
        let mut starts = vec![low];
        self.any_leaf(graph, flat, superset, |graph, leaf| {
            match leaf {
                Leaf::Interval(low, high) => starts.extend([low.into(), i64::from(high) + 1]),
                Leaf::Scalar(_) => scalars += 1,
            }
            graph.constant(false)
        });
        starts.retain(|start| (low..=high).contains(start));
        starts.sort_unstable();
        starts.dedup();
        let ends = starts.iter().skip(1).copied().chain([high + 1]);
        let sections = starts.iter().zip(ends);
        let samples = sections.flat_map(|(&start, end)| start..end.min(start + scalars + 1));
        samples.map(|sample| sample as i32).collect()
    }

    /// Whether the value of an assignment, or one of its possible values, is outside of a domain.
    /// The value must be encoded.
    pub(crate) fn leaves(
        &self,
        graph: &mut Graph,
        flat: &FlatModel,
        value: Place,
        domain: &Domain,
    ) -> Expression {
        self.any_leaf(graph, flat, value, |graph, leaf| {
            let inside = match (leaf, domain) {
                (Leaf::Scalar(place), domain) => {
                    let encoded = self.get(flat, place);
                    let inside = encoded.value.is_in(graph, domain);
                    graph.or(encoded.failure, inside)
                }
                (Leaf::Interval(low, high), _) if low > high => graph.constant(true),
                (Leaf::Interval(low, high), domain) => {
                    graph.constant(outside(domain, low, high).is_none())
                }
            };
            graph.not(inside)
        })
    }

    /// The code of a scalar in a domain, bit by bit. The scalar must be encoded. `known` has the
    /// codes of other scalars in the same domain.
    pub(crate) fn code(
        &self,
        graph: &mut Graph,
        flat: &FlatModel,
        value: Place,
        domain: &Domain,
        known: &mut FxHashMap<Place, Vec<Expression>>,
    ) -> Vec<Expression> {
        self.fold(
            graph,
            flat,
            value,
            known,
            |graph, place| match flat.expressions.term(place.0) {
                FlatTerm::IfThenElse(..) | FlatTerm::Next(_) => None,
                FlatTerm::Variable(variable) if flat.variable(variable).domain == *domain => {
                    Some(self.bits(graph, variable, place.1))
                }
                _ => Some(self.get(flat, place).value.code(graph, domain)),
            },
            |graph, condition, yes, no| match condition {
                Some(condition) => arithmetic::choose(graph, condition, &yes, &no),
                None => yes,
            },
        )
    }

    /// Whether a variable, or its next value, has the value of an assignment, or one of its
    /// possible values. If the value may be outside of the domain, it is `guarded`: values outside
    /// equal nothing. The value must be encoded.
    pub(crate) fn is_assigned(
        &self,
        graph: &mut Graph,
        flat: &FlatModel,
        (variable, next): (VariableId, bool),
        value: Place,
        guarded: bool,
    ) -> Expression {
        let domain = &flat.variable(variable).domain;
        let bits = self.bits(graph, variable, next);
        let own = Scalar::variable(graph, domain, &bits);
        let mut known = FxHashMap::default();
        self.any_leaf(graph, flat, value, |graph, leaf| match leaf {
            Leaf::Interval(low, high) => own.is_within(graph, low, high),
            Leaf::Scalar(place) if guarded => {
                Scalar::equal(graph, &own, &self.get(flat, place).value)
            }
            Leaf::Scalar(place) => {
                let code = self.code(graph, flat, place, domain, &mut known);
                arithmetic::equal(graph, &bits, &code)
            }
        })
    }
}

/// An element of an interval that is no value of a domain.
pub(crate) fn outside(domain: &Domain, low: i32, high: i32) -> Option<i32> {
    match *domain {
        Domain::Range(_, last) if low > last => (low <= high).then_some(low),
        Domain::Range(first, last) if low >= first => (high > last).then(|| last + 1),
        _ => (low..=high).find(|&value| domain.code(Value::Integer(value)).is_none()),
    }
}

/// The conjuncts of an expression, from left to right.
pub(crate) fn conjuncts(flat: &FlatModel, expression: FlatExpression) -> Vec<FlatExpression> {
    let is_boolean = |e| flat.expressions.ty(e) == Type::Boolean;
    let mut conjuncts = Vec::new();
    let mut todo = vec![expression];
    while let Some(expression) = todo.pop() {
        match flat.expressions.term(expression) {
            FlatTerm::Binary(FlatBinary::And, a, b) if is_boolean(expression) => {
                todo.extend([b, a]);
            }
            _ => conjuncts.push(expression),
        }
    }
    conjuncts
}
