//! The subformulas of a formula in topological order: the backbone of every pass.
//!
//! A pass keeps one value a subformula in a plain vector and fills it from the front (operands
//! first) or from the back (contexts first). That is a recursion without a stack, whatever the
//! nesting.

use crate::store::{Formula, Store};

/// Subformulas in increasing order of their handles, which puts operands first.
#[derive(Clone, Debug)]
pub struct Subformulas {
    order: Vec<Formula>,
}

impl Subformulas {
    /// The subformulas of several formulas together.
    pub fn of(store: &Store, roots: &[Formula]) -> Self {
        let end = roots.iter().map(|f| f.index() + 1).max().unwrap_or(0);
        let mut seen = vec![0u64; end.div_ceil(64)];
        let mut mark = |f: Formula| {
            let (word, bit) = (f.index() / 64, 1u64 << (f.index() % 64));
            let fresh = seen[word] & bit == 0;
            seen[word] |= bit;
            fresh
        };
        let mut order: Vec<Formula> = Vec::new();
        order.extend(roots.iter().copied().filter(|&f| mark(f)));
        let mut next = 0;
        while next < order.len() {
            let node = store.node(order[next]);
            order.extend(node.operands().filter(|&f| mark(f)));
            next += 1;
        }
        if order.len() == end {
            // Everything below the root is its subformula: the usual case of a parsed formula.
            order = (0..end).map(Formula::from_index).collect();
        } else {
            order.sort_unstable();
        }
        Subformulas { order }
    }

    /// How many subformulas there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is none (only without any root).
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Operands first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Formula> + ExactSizeIterator + '_ {
        self.order.iter().copied()
    }

    /// The subformula at a position.
    pub fn at(&self, position: usize) -> Formula {
        self.order[position]
    }

    /// The position of a subformula in this order.
    ///
    /// # Panics
    /// When `formula` is not one of them.
    pub fn position(&self, formula: Formula) -> usize {
        // Handles are dense in a store that holds little else: look there first.
        let guess = formula.index();
        if self.order.get(guess) == Some(&formula) {
            return guess;
        }
        self.order.binary_search(&formula).expect("a subformula of the roots")
    }
}
