//! Converts a formula into another dialect: it is expressed by the operators of the dialect, then
//! written.

use super::{Inexpressible, Syntax, Unwritable, express, write};
use crate::measure::Measure;
use crate::normal::ExpansionTooLarge;
use crate::store::{Formula, Store};

/// The largest number of nodes of a written tree; with sharing, a small formula can have a huge
/// tree.
const MOST_NODES: u64 = 100_000_000;

/// Why a formula cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unconvertible {
    /// The dialect lacks an operator.
    #[error(transparent)]
    Inexpressible(#[from] Inexpressible),
    /// Bounded operators are too large to be written out.
    #[error(transparent)]
    Expansion(#[from] ExpansionTooLarge),
    /// The text would be too long.
    #[error("written out, the formula has {size} nodes, more than {MOST_NODES}")]
    TooLarge {
        /// The number of nodes of the tree.
        size: u64,
    },
    /// The dialect cannot write a name or an operator.
    #[error("cannot be written in the syntax `{dialect}`")]
    Unwritable {
        /// The name of the dialect.
        dialect: &'static str,
        /// The reason.
        source: Unwritable,
    },
}

impl Unconvertible {
    /// Whether the formula is too large, as opposed to not expressible at all.
    pub fn is_limit(&self) -> bool {
        matches!(
            self,
            Unconvertible::Expansion(_)
                | Unconvertible::TooLarge { .. }
                | Unconvertible::Inexpressible(Inexpressible::TooLarge(_))
        )
    }
}

/// An equivalent formula in the operators of the dialect, and its text.
pub fn convert(
    store: &mut Store,
    formula: Formula,
    syntax: Syntax,
) -> Result<(Formula, String), Unconvertible> {
    let formula = express(store, formula, syntax)?;
    let size = Measure::of(store, formula).size;
    if size > MOST_NODES {
        return Err(Unconvertible::TooLarge { size });
    }
    let dialect = syntax.dialect.name();
    let written = write(store, formula, syntax);
    Ok((formula, written.map_err(|source| Unconvertible::Unwritable { dialect, source })?))
}
