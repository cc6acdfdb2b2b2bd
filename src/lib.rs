//! Kermode decides linear temporal logic: satisfiability, validity, equivalence and implication of
//! formulas over infinite and finite words, and emptiness of automata.
//!
//! ```
//! use kermode::{Decision, satisfiable};
//!
//! let Decision::Yes(Some(word)) = satisfiable("G(request -> F grant) & G F request")? else {
//!     panic!("the requirements contradict each other");
//! };
//! println!("{word}");
//! assert!(matches!(satisfiable("!(a W b) & G a")?, Decision::No));
//! # Ok::<(), kermode::Error>(())
//! ```
//!
//! This small face is for the usual case. The crates behind it are the library proper: [`ltl`] has
//! formulas, dialects, words and semantics, [`automata`] automata and their texts, [`system`] symbolic systems and
//! encodings, [`solve`] problems, verdicts, budgets and engines. [`base`] has what they all need, such as
//! diagnostics.

pub use kermode_automata as automata;
pub use kermode_base as base;
pub use kermode_ltl as ltl;
pub use kermode_solve as solve;
pub use kermode_system as system;

use base::Source;
use ltl::{Dialect, Store, WordKind};
use solve::portfolio::{Schedule, on_threads};
use solve::{Budget, Problem, Verdict, Witness};

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Yes, with the word that proves it where there is one to show, in Spot's notation.
    Yes(Option<String>),
    /// No.
    No,
    /// Nobody knows, and why.
    Unknown(solve::Stop),
}

/// Why a question could not be asked or answered.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The formula cannot be read; the text shows where and why.
    #[error("{0}")]
    Syntax(String),
    /// An engine contradicted itself: a bug.
    #[error(transparent)]
    Internal(#[from] solve::InternalError),
}

/// Is there an infinite word that satisfies the formula, written in Kermode's own syntax?
pub fn satisfiable(formula: &str) -> Result<Decision, Error> {
    let mut store = Store::new();
    let parsed = ltl::dialect::parse(&mut store, formula, Dialect::Kermode.into())
        .map_err(|diagnostic| syntax_error(formula, &diagnostic))?;
    let words = WordKind::Infinite;
    let problem = Problem::satisfiability(&store, parsed.formula, words);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let decided = on_threads(&problem, &Schedule::standard(), threads, &Budget::unlimited());
    Ok(match decided.verdict? {
        Verdict::Nonempty(Ok(Witness::Word(word))) => {
            Decision::Yes(Some(ltl::word::to_spot(&store, &word, &[])))
        }
        Verdict::Nonempty(Err(_)) => Decision::Yes(None),
        Verdict::Empty(_) => Decision::No,
        Verdict::Unknown(stop) => Decision::Unknown(stop),
    })
}

fn syntax_error(text: &str, diagnostic: &base::Diagnostic) -> Error {
    let rendered = Source { name: "<formula>", text }.render(diagnostic);
    Error::Syntax(anstream::adapter::strip_str(&rendered).to_string())
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
