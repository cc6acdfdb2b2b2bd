//! Random properties of cases: the common patterns of specifications, and other formulas.
//!
//! A pattern is written in postfix notation: `p p F -> G` is `G (p -> F p)`. Each `p` is another
//! condition; `#` stands for bounds.

use super::formula::{PropertyNode, RandomProperty};
use super::model::{Generator, Reads};
use crate::syntax::PropertyKind;

const LTL_PATTERNS: [&str; 24] = [
    "p G",
    "p F",
    "p F G",
    "p G F",
    "p p F -> G",
    "p p F -> G",
    "p p X -> G",
    "p p F# -> G",
    "p p G# -> G",
    "p p p U -> G",
    "p p p V -> G",
    "p p U",
    "p p V",
    "p F G p F G ->",
    "p G F p F G |",
    "p F p p F & F ->",
    "p p O -> G",
    "p p O# -> G",
    "p p p S -> G",
    "p p p T -> G",
    "p p Y & p F -> G",
    "p H# p -> G",
    "p p Y O -> F G",
    "p p Z & F",
];

const CTL_PATTERNS: [&str; 20] = [
    "p AG",
    "p EF",
    "p AF",
    "p EG",
    "p p AF -> AG",
    "p p EF -> AG",
    "p EF AG",
    "p AG EF",
    "p p EX -> AG",
    "p p AX -> AG",
    "p p p AU -> AG",
    "p p EU",
    "p p p EU -> AG",
    "p p EG -> AG",
    "p p EX & AF",
    "p p ABF# -> AG",
    "p p EBF# -> AG",
    "p p EBG# & EF",
    "p p ABG# -> AG",
    "p p p ABU# -> AG",
];

const INVARIANT_PATTERNS: [&str; 5] = ["p", "p p ->", "p p |", "p p & !", "p p & p ->"];

const CONNECTIVES: [&str; 6] = ["&", "|", "->", "xor", "<->", "xnor"];

/// Operators of LTL with one operand, then those with two.
const LTL_OPERATORS: ([&str; 13], [&str; 4]) =
    (["X", "F", "G", "F", "G", "Y", "Z", "O", "H", "F#", "G#", "O#", "H#"], ["U", "V", "S", "T"]);

/// Operators of CTL with one operand, then those with two.
const CTL_OPERATORS: ([&str; 10], [&str; 4]) = (
    ["EX", "AX", "EF", "AF", "EG", "AG", "EBF#", "ABF#", "EBG#", "ABG#"],
    ["EU", "AU", "EBU#", "ABU#"],
);

impl Generator<'_> {
    /// Draws a property of this kind.
    pub(super) fn draw_property(&mut self, kind: PropertyKind) -> RandomProperty {
        let reads = match kind {
            PropertyKind::Ctl => Reads::State,
            _ => self.rng.choose(&[Reads::State, Reads::Inputs, Reads::Step, Reads::Step]),
        };
        let mut tokens = Vec::new();
        match kind {
            PropertyKind::Invariant => {
                tokens.extend(self.rng.choose(&INVARIANT_PATTERNS).split(' '));
            }
            PropertyKind::Ctl if self.chance(60) => {
                tokens.extend(self.rng.choose(&CTL_PATTERNS).split(' '));
            }
            PropertyKind::Ctl => self.draw_tokens(&CTL_OPERATORS.0, &CTL_OPERATORS.1, &mut tokens),
            _ if self.chance(60) => tokens.extend(self.rng.choose(&LTL_PATTERNS).split(' ')),
            _ => self.draw_tokens(&LTL_OPERATORS.0, &LTL_OPERATORS.1, &mut tokens),
        }
        self.build(kind, reads, &tokens)
    }

    /// Draws a formula of a few operators: one operand after the other, each with some operators
    /// above it, joined by operators with two operands.
    fn draw_tokens(
        &mut self,
        unary: &[&'static str],
        binary: &[&'static str],
        tokens: &mut Vec<&'static str>,
    ) {
        for number in 0..self.rng.between(1, 3) {
            tokens.push("p");
            for _ in 0..self.rng.choose(&[0, 0, 1, 1, 2]) {
                tokens.push(self.rng.choose(unary));
            }
            if number > 0 {
                let operators: &[&str] = if self.chance(50) { binary } else { &CONNECTIVES };
                tokens.push(self.rng.choose(operators));
                if self.chance(20) {
                    tokens.push("!");
                }
            }
        }
        if self.chance(70) {
            tokens.push(self.rng.choose(unary));
        }
    }

    /// The formula of a text in postfix notation.
    fn build(
        &mut self,
        kind: PropertyKind,
        reads: Reads,
        tokens: &[&'static str],
    ) -> RandomProperty {
        let (mut nodes, mut stack) = (Vec::new(), Vec::new());
        for &token in tokens {
            let (operator, bounds) = self.operator(token, kind);
            let mut operand = || stack.pop().expect("an operand in postfix notation");
            let node = match token {
                "p" => PropertyNode::Leaf(self.property_condition(reads)),
                "U" | "V" | "S" | "T" | "&" | "|" | "->" | "xor" | "<->" | "xnor" => {
                    let (b, a) = (operand(), operand());
                    PropertyNode::Infix(operator, a, b)
                }
                "EU" | "AU" | "EBU#" | "ABU#" => {
                    let (b, a) = (operand(), operand());
                    let (quantifier, operator) = operator.split_at(1);
                    PropertyNode::Quantified(quantifier, format!("{operator}{bounds}"), a, b)
                }
                _ => PropertyNode::Prefix(format!("{operator}{bounds}"), operand()),
            };
            nodes.push(node);
            stack.push(nodes.len() - 1);
        }
        RandomProperty::new(kind, nodes)
    }

    /// An operator without its mark for bounds, and the bounds.
    fn operator<'t>(&mut self, token: &'t str, kind: PropertyKind) -> (&'t str, String) {
        let Some(operator) = token.strip_suffix('#') else { return (token, String::new()) };
        let low = self.rng.below(3);
        let high = low + self.rng.below(3);
        let bounds = match kind {
            PropertyKind::Ctl => format!(" {low}..{high}"),
            _ => format!(" [{low},{high}]"),
        };
        (operator, bounds)
    }
}
