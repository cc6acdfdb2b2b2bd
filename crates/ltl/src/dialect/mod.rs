//! Reading and writing formulas in the dialects that people have.
//!
//! `grammar` holds the tables, `lex` and `bounds` turn a text into tokens, `parse` tokens into
//! formulas, `write` formulas into text. `express` replaces operators that a dialect lacks,
//! `convert` does both, and `document` reads whole files: one formula a line, requirement files, or
//! one long formula.

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
pub use document::{Document, DocumentKind, Entry, ReadMode, plain_text, read_document};
pub use express::{EXPANSION_LIMIT, Inexpressible, express};
pub use write::{Unwritable, write, write_abbreviated, write_name};

use crate::store::{Formula, Store};
use crate::word::WordKind;
use grammar::{Grammar, Table};
use kermode_base::Diagnostic;

/// A way to write formulas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The union of the common notations; operators are whole tokens.
    #[default]
    Kermode,
    /// What Spot reads: operators may be glued (`GFa`).
    Spot,
    /// What `spin -f` reads.
    Spin,
    /// What NuSMV reads behind LTLSPEC, over Boolean variables.
    Nusmv,
    /// What BLACK reads.
    Pltl,
}

impl Dialect {
    /// Every dialect.
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

    /// Whether a name can stand for a proposition as it is, without quotes: it is one word and not
    /// reserved.
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

/// A dialect, and the words that its formulas are about: in Spot's reading `X` is the weak next on
/// finite words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Syntax {
    /// How formulas are written.
    pub dialect: Dialect,
    /// What they are about.
    pub words: WordKind,
}

impl From<Dialect> for Syntax {
    fn from(dialect: Dialect) -> Self {
        Syntax { dialect, words: WordKind::Infinite }
    }
}

/// A formula that was read, and what the reader wondered about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The formula as written: nothing is simplified.
    pub formula: Formula,
    /// Findings that do not prevent reading.
    pub warnings: Vec<Diagnostic>,
}

/// Reads all of `text` as one formula, over as many lines as it has.
pub fn parse(store: &mut Store, text: &str, syntax: Syntax) -> Result<Parsed, Diagnostic> {
    let with_terms = syntax.dialect == Dialect::Nusmv;
    let (mut parsed, glued_names) = parse_atoms(store, text, syntax, with_terms)?;
    parsed.warnings.extend(hints::glued_names(text, &glued_names, store));
    Ok(parsed)
}

/// The same without warnings about names that look like operators glued to a name, which are given
/// instead. Comparisons and calls are propositions where that is asked for and the dialect leaves
/// room for them.
fn parse_atoms(
    store: &mut Store,
    text: &str,
    syntax: Syntax,
    with_terms: bool,
) -> Result<(Parsed, Vec<Range<usize>>), Diagnostic> {
    // Most texts have five or more bytes for each new subformula; long ones are worth the guess.
    if text.len() > 1 << 16 {
        store.reserve(text.len() / 8);
    }
    let with_terms = with_terms && matches!(syntax.dialect, Dialect::Kermode | Dialect::Nusmv);
    parse::Parser::new(store, text, syntax, with_terms).parse()
}
