//! Readers and writers of formulas in several dialects.
//!
//! `grammar` has the tables, `lex` and `bounds` split a text into tokens, `parse` builds formulas
//! from tokens, and `write` writes formulas as text. `express` replaces operators that a dialect
//! lacks, and `convert` combines it with `write`. `document` reads whole files: one formula per
//! line, requirement files, or one long formula.

mod atoms;
mod bounds;
mod convert;
mod document;
mod express;
mod grammar;
mod hints;
mod lex;
mod parse;
mod spin;
mod terms;
mod write;

use std::ops::Range;
use std::sync::LazyLock;

pub use atoms::Atoms;
pub use convert::{Unconvertible, convert};
pub use document::{
    Document, DocumentKind, Entry, ReadMode, plain_text, read_document, without_comments,
};
pub use express::{EXPANSION_LIMIT, Inexpressible, express};
pub use write::{Unwritable, write, write_abbreviated, write_name};

use crate::store::{Formula, Store};
use crate::word::WordKind;
use grammar::{Grammar, Table};
use kermode_base::Diagnostic;

/// A notation for formulas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The union of the common notations; operators are whole tokens.
    #[default]
    Kermode,
    /// The notation of Spot: operators may be glued (`GFa`).
    Spot,
    /// The notation of `spin -f`.
    Spin,
    /// The notation of NuSMV after LTLSPEC, over Boolean variables.
    Nusmv,
    /// The notation of BLACK.
    Pltl,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 5] =
        [Dialect::Kermode, Dialect::Spot, Dialect::Spin, Dialect::Nusmv, Dialect::Pltl];

    /// The name of the dialect on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Kermode => "kermode",
            Dialect::Spot => "spot",
            Dialect::Spin => "spin",
            Dialect::Nusmv => "nusmv",
            Dialect::Pltl => "pltl",
        }
    }

    /// Whether a name can be written without quotes: it is one word and not reserved.
    pub fn is_plain_name(self, name: &str) -> bool {
        self.table().is_plain_name(name)
    }

    fn table(self) -> &'static Table {
        static KERMODE: LazyLock<Table> = LazyLock::new(|| Table::new(&grammar::KERMODE));
        static SPOT: LazyLock<Table> = LazyLock::new(|| Table::new(&grammar::SPOT));
        static SPIN: LazyLock<Table> = LazyLock::new(|| Table::new(&grammar::SPIN));
        static NUSMV: LazyLock<Table> = LazyLock::new(|| Table::new(&grammar::NUSMV));
        static PLTL: LazyLock<Table> = LazyLock::new(|| Table::new(&grammar::PLTL));
        match self {
            Dialect::Kermode => &KERMODE,
            Dialect::Spot => &SPOT,
            Dialect::Spin => &SPIN,
            Dialect::Nusmv => &NUSMV,
            Dialect::Pltl => &PLTL,
        }
    }

    fn grammar(self) -> &'static Grammar {
        self.table().grammar
    }
}

/// A dialect and a kind of words. The kind matters for Spot, where `X` is the weak next on finite
/// words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Syntax {
    /// The notation.
    pub dialect: Dialect,
    /// The kind of words.
    pub words: WordKind,
}

impl From<Dialect> for Syntax {
    fn from(dialect: Dialect) -> Self {
        Syntax { dialect, words: WordKind::Infinite }
    }
}

/// A formula that was read, and the warnings about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The formula as written; it is not simplified.
    pub formula: Formula,
    /// Findings that do not prevent reading.
    pub warnings: Vec<Diagnostic>,
}

/// Reads the whole text, which may have several lines, as one formula.
pub fn parse(store: &mut Store, text: &str, syntax: Syntax) -> Result<Parsed, Diagnostic> {
    let with_terms = syntax.dialect == Dialect::Nusmv;
    let (mut parsed, glued_names) = parse_atoms(store, text, syntax, with_terms)?;
    parsed.warnings.extend(hints::glued_names(text, &glued_names, store));
    Ok(parsed)
}

/// The same without warnings about names that look like operators glued to a name; these names are
/// returned instead. With `with_terms`, comparisons and calls are propositions if the dialect
/// permits them.
fn parse_atoms(
    store: &mut Store,
    text: &str,
    syntax: Syntax,
    with_terms: bool,
) -> Result<(Parsed, Vec<Range<usize>>), Diagnostic> {
    // Most texts have at least five bytes per new subformula; for long texts the store is enlarged
    // first.
    if text.len() > 1 << 16 {
        store.reserve(text.len() / 8);
    }
    let with_terms = with_terms && matches!(syntax.dialect, Dialect::Kermode | Dialect::Nusmv);
    parse::Parser::new(store, text, syntax, with_terms).parse()
}
