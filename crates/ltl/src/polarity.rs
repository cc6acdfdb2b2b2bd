//! The polarities of subformulas: below an even number of negations, an odd number, or both.

use crate::operator::{BinaryOp, UnaryOp};
use crate::store::{Node, Store, Subformulas};

/// For each subformula whether it occurs positively and whether it occurs negatively. The last one
/// is the root and occurs positively.
pub(crate) fn polarities(store: &Store, subformulas: &Subformulas) -> Vec<[bool; 2]> {
    let mut occurs = vec![[false; 2]; subformulas.len()];
    if let Some(root) = occurs.last_mut() {
        root[0] = true;
    }
    for (position, formula) in subformulas.iter().enumerate().rev() {
        let node = store.node(formula);
        let [positive, negative] = occurs[position];
        for (side, operand) in node.operands().enumerate() {
            let [same, flipped] = operand_polarities(node, side);
            let operand = &mut occurs[subformulas.position(operand)];
            operand[0] |= positive && same || negative && flipped;
            operand[1] |= positive && flipped || negative && same;
        }
    }
    occurs
}

/// Whether an operator has its operand in its own polarity, and whether in the other.
fn operand_polarities(node: Node, side: usize) -> [bool; 2] {
    match node {
        Node::Unary(UnaryOp::Not, _) => [false, true],
        Node::Binary(BinaryOp::Implies, _, _) => [side == 1, side == 0],
        Node::Binary(BinaryOp::Iff | BinaryOp::Xor, _, _) => [true, true],
        _ => [true, false],
    }
}
