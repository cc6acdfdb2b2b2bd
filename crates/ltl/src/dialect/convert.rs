//! A formula in another dialect: expressed by the operators that the dialect has, and written.

use super::{Inexpressible, Syntax, Unwritable, express, write};
use crate::measure::Measure;
use crate::store::{Formula, Store};

/// The largest formula that is written, in nodes of its tree: sharing makes trees of any size.
const MOST_NODES: u64 = 100_000_000;

/// Why a formula cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unconvertible {
    /// The dialect lacks an operator.
    #[error(transparent)]
    Inexpressible(#[from] Inexpressible),
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
