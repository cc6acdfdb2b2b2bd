//! Which expressions get a DEFINE of their own, so that the text stays linear in the graph.
//!
//! An expression that is used several times and is not tiny gets one, and so does one whose text
//! would nest too deep in parentheses. Temporal operators cannot stand in a DEFINE: formulas are
//! written as trees.

use kermode_base::terms::Dag;

use crate::flat::expression::Below;
use crate::flat::{Features, FlatBinary, FlatExpression, FlatExpressions, FlatTerm};

/// Expressions with fewer operators are repeated.
const SMALL: u32 = 4;

/// A body of a DEFINE with fewer operators is repeated rather than referred to.
const TINY: u32 = 3;

/// How deep parentheses may nest in one text.
const DEPTH: u32 = 40;

/// What is known of an expression below the roots.
#[derive(Clone, Copy, Default)]
struct Shape {
    /// How often it is an operand or a root.
    uses: u32,
    /// The number of operators of its text, at most [`SMALL`].
    size: u32,
    /// How deep the parentheses of its text nest.
    depth: u32,
}

/// The expressions that are written by name, operands first. `is_body` says which are bodies of
/// DEFINEs of the model: those have a name already.
pub(super) fn shared(
    expressions: &FlatExpressions,
    roots: &[FlatExpression],
    is_body: impl Fn(FlatExpression) -> bool,
) -> Vec<FlatExpression> {
    let below = Below::of(expressions, roots);
    let mut shapes = vec![Shape::default(); below.len()];
    roots.iter().for_each(|&root| shapes[below.position(root)].uses += 1);
    for expression in below.iter() {
        for operand in expressions.operands(expression) {
            shapes[below.position(operand)].uses += 1;
        }
    }
    let mut shared = Vec::new();
    for (position, expression) in below.iter().enumerate() {
        let term = expressions.term(expression);
        let (mut size, mut depth) = (0_u32, 0);
        for (number, operand) in expressions.operands(expression).enumerate() {
            let shape = shapes[below.position(operand)];
            size = (size + shape.size).min(SMALL);
            depth = depth.max(shape.depth + u32::from(nests(expressions, term, number, operand)));
        }
        let is_leaf = matches!(term, FlatTerm::Constant(_) | FlatTerm::Variable(_));
        size = (size + u32::from(!is_leaf)).min(SMALL);
        shapes[position].size = size;
        shapes[position].depth = depth;
        let temporal = expressions.features(expression).has(Features::LTL.with(Features::CTL));
        let needs_name = shapes[position].uses > 1 && size >= SMALL || depth >= DEPTH;
        if !temporal && (needs_name || size >= TINY && is_body(expression)) {
            shared.push(expression);
            // Its uses are names.
            (shapes[position].size, shapes[position].depth) = (0, 0);
        }
    }
    shared
}

/// Whether the text of an operand may stand in parentheses.
fn nests(
    expressions: &FlatExpressions,
    term: FlatTerm,
    number: usize,
    operand: FlatExpression,
) -> bool {
    match (term, expressions.term(operand)) {
        // Chains are written without parentheses.
        (FlatTerm::Binary(FlatBinary::Implies, ..), _) => true,
        (FlatTerm::Binary(a, ..), FlatTerm::Binary(b, ..)) => a != b || number == 1,
        (FlatTerm::IfThenElse(..), FlatTerm::IfThenElse(..)) => number < 2,
        _ => true,
    }
}
