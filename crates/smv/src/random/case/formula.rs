//! Random properties as trees, whose parts can be replaced.
//!
//! A property is a list of nodes, operands first; the last one is the whole formula. To see whether
//! a part matters, it is replaced by a constant.

use crate::syntax::PropertyKind;

/// A property over texts of Boolean expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomProperty {
    /// LTL, CTL or an invariant.
    pub kind: PropertyKind,
    nodes: Vec<PropertyNode>,
}

/// A node of a property. Operands are given by their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PropertyNode {
    /// A Boolean expression.
    Leaf(String),
    /// An operator before its operand, with its bounds.
    Prefix(String, usize),
    /// A connective or temporal operator between its operands.
    Infix(&'static str, usize, usize),
    /// `A [p U q]` and the like: the quantifier, the operator with its bounds, and the operands.
    Quantified(&'static str, String, usize, usize),
}

impl RandomProperty {
    pub(super) fn new(kind: PropertyKind, nodes: Vec<PropertyNode>) -> Self {
        RandomProperty { kind, nodes }
    }

    /// The formula, with parentheses around each operator.
    pub fn formula(&self) -> String {
        let mut texts: Vec<String> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            texts.push(match node {
                PropertyNode::Leaf(text) => format!("({text})"),
                PropertyNode::Prefix(operator, a) => format!("({operator} {})", texts[*a]),
                PropertyNode::Infix(operator, a, b) => {
                    format!("({} {operator} {})", texts[*a], texts[*b])
                }
                PropertyNode::Quantified(quantifier, operator, a, b) => {
                    format!("{quantifier} [{} {operator} {}]", texts[*a], texts[*b])
                }
            });
        }
        texts.pop().unwrap_or_default()
    }

    /// The places of the Boolean expressions.
    pub fn leaves(&self) -> impl Iterator<Item = usize> {
        self.places(|node| matches!(node, PropertyNode::Leaf(_)))
    }

    /// The places of past operators.
    pub fn past(&self) -> impl Iterator<Item = usize> {
        let is_past = |operator: &str| operator.starts_with(['Y', 'Z', 'O', 'H', 'S', 'T']);
        self.places(move |node| match node {
            PropertyNode::Prefix(operator, _) => is_past(operator),
            PropertyNode::Infix(operator, ..) => is_past(operator),
            PropertyNode::Leaf(_) | PropertyNode::Quantified(..) => false,
        })
    }

    fn places(&self, is_wanted: impl Fn(&PropertyNode) -> bool) -> impl Iterator<Item = usize> {
        (0..self.nodes.len()).filter(move |&place| is_wanted(&self.nodes[place]))
    }

    /// The property with a constant in place of the part at a place.
    pub fn replaced(&self, place: usize, value: bool) -> RandomProperty {
        let mut changed = self.clone();
        let text = if value { "TRUE" } else { "FALSE" };
        changed.nodes[place] = PropertyNode::Leaf(text.to_owned());
        changed
    }
}
