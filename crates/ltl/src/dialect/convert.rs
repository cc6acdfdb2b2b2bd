//! A formula in another dialect: expressed by the operators that the dialect has, and written.

use super::{Inexpressible, Syntax, Unwritable, express, write};
use crate::measure::Measure;
use crate::normal::ExpansionTooLarge;
use crate::store::{Formula, Store};

/// The largest formula that is written, in nodes of its tree: sharing makes trees of any size.
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
        /// How many nodes the tree has.
        size: u64,
    },
    /// The dialect has no such names.
    #[error("cannot be written in the syntax `{dialect}`")]
    Unwritable {
        /// The name of the dialect.
        dialect: &'static str,
        /// Why not.
        source: Unwritable,
    },
}

impl Unconvertible {
    /// Whether the formula is too large, and not such that it has no text at all.
    pub fn is_limit(&self) -> bool {
        matches!(
            self,
            Unconvertible::Expansion(_)
                | Unconvertible::TooLarge { .. }
                | Unconvertible::Inexpressible(Inexpressible::TooLarge(_))
        )
    }
}

/// An equivalent formula with no operator that the dialect lacks, and its text.
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
