//! The formulas that automata and symbolic systems support: future operators without bounds.
//!
//! The caller eliminates past operators ([`crate::eliminate`]) and expands bounded ones
//! ([`crate::normal::expand_bounded`]) first, because it knows the limits. Translations check here
//! first.

use crate::dialect::write_abbreviated;
use crate::store::{Node, Store, Subformulas};

/// Past this many bytes an operator is cut off in a message.
const ABBREVIATION: usize = 60;

/// Why a formula cannot be translated directly.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Untranslatable {
    /// Automata look ahead only.
    #[error("`{operator}` looks back, and automata do not")]
    Past {
        /// The subformula, abbreviated.
        operator: String,
    },
    /// Bounded operators are written out before.
    #[error("`{operator}` is bounded: bounded operators are written out first")]
    Bounded {
        /// The subformula, abbreviated.
        operator: String,
    },
}

/// An error if there are operators that automata do not support.
pub fn check_translatable(store: &Store, subformulas: &Subformulas) -> Result<(), Untranslatable> {
    for formula in subformulas.iter() {
        let operator = || write_abbreviated(store, formula, ABBREVIATION);
        match store.node(formula) {
            node if node.is_past() => return Err(Untranslatable::Past { operator: operator() }),
            Node::BoundedUnary(..) | Node::BoundedBinary(..) => {
                return Err(Untranslatable::Bounded { operator: operator() });
            }
            _ => {}
        }
    }
    Ok(())
}
