//! The size of a formula, by several measures.
//!
//! Table 1 of \[DDMR08\] counts operators and propositions *as written*: a subformula that occurs
//! twice counts twice. Because of sharing, written sizes may be exponential in the stored size, so
//! these counts saturate.

use crate::store::{Formula, Node, Store};

/// The sizes of one formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measure {
    /// Temporal operators as written (Table 1, first column).
    pub temporal_operators: u64,
    /// Boolean operators as written, negations included (second column).
    pub boolean_operators: u64,
    /// Occurrences of propositions (third column).
    pub occurrences: u64,
    /// Distinct propositions (fourth column).
    pub propositions: u64,
    /// Nodes of the syntax tree: operators, propositions and constants as written.
    pub size: u64,
    /// Distinct subformulas, which is the stored size.
    pub distinct: u64,
    /// The deepest nesting of temporal operators.
    pub temporal_depth: u64,
    /// The deepest nesting of past operators.
    pub past_depth: u64,
}

impl Measure {
    /// Measures a formula in one pass over its distinct subformulas.
    pub fn of(store: &Store, root: Formula) -> Self {
        let subformulas = store.subformulas(root);
        let mut measures: Vec<Measure> = Vec::with_capacity(subformulas.len());
        let mut propositions = 0;
        for formula in subformulas.iter() {
            let node = store.node(formula);
            let mut sum = Measure::default();
            for operand in node.operands() {
                sum.add(&measures[subformulas.position(operand)]);
            }
            sum.count(node);
            propositions += u64::from(matches!(node, Node::Proposition(_)));
            measures.push(sum);
        }
        let root = measures.pop().unwrap_or_default();
        Measure { propositions, distinct: subformulas.len() as u64, ..root }
    }

    /// Each size with its key in JSON and its name for display.
    pub fn named(&self) -> [(&'static str, &'static str, u64); 8] {
        [
            ("temporal_operators", "temporal operators", self.temporal_operators),
            ("boolean_operators", "Boolean operators", self.boolean_operators),
            ("occurrences", "occurrences of propositions", self.occurrences),
            ("propositions", "propositions", self.propositions),
            ("size", "nodes of the tree", self.size),
            ("distinct", "distinct subformulas", self.distinct),
            ("temporal_depth", "temporal depth", self.temporal_depth),
            ("past_depth", "past depth", self.past_depth),
        ]
    }

    fn add(&mut self, operand: &Measure) {
        self.temporal_operators =
            self.temporal_operators.saturating_add(operand.temporal_operators);
        self.boolean_operators = self.boolean_operators.saturating_add(operand.boolean_operators);
        self.occurrences = self.occurrences.saturating_add(operand.occurrences);
        self.size = self.size.saturating_add(operand.size);
        self.temporal_depth = self.temporal_depth.max(operand.temporal_depth);
        self.past_depth = self.past_depth.max(operand.past_depth);
    }

    fn count(&mut self, node: Node) {
        let counter = match node {
            Node::Constant(_) => None,
            Node::Proposition(_) => Some(&mut self.occurrences),
            _ if node.is_temporal() => Some(&mut self.temporal_operators),
            _ => Some(&mut self.boolean_operators),
        };
        if let Some(counter) = counter {
            *counter = counter.saturating_add(1);
        }
        self.size = self.size.saturating_add(1);
        self.temporal_depth += u64::from(node.is_temporal());
        self.past_depth += u64::from(node.is_past());
    }
}
