//! The scalable families of formulas of the literature, and random formulas.
//!
//! There is one file per family. Formulas are stored as printed, through [`Store::intern`], so that
//! their sizes are those of the papers. [`FAMILIES`] is the table; [`Request`] reads a name and
//! arguments. Tables of families with other members, such as models, have the same form; the
//! parameter [`MemberKind`] of the types says what the members are.
//!
//! ```
//! use kermode_ltl::families::Request;
//! use kermode_ltl::{Measure, Store};
//!
//! let request = Request::parse("lift-b", &["2..9"])?;
//! for instance in request.instances() {
//!     let mut store = Store::new();
//!     let formula = instance.build(&mut store);
//!     println!("{instance}: {}", Measure::of(&store, formula).temporal_operators);
//! }
//! # Ok::<(), kermode_ltl::families::RequestError>(())
//! ```

pub mod arbiter;
pub mod conflict;
pub mod counter;
pub mod counter2;
pub mod diners;
pub mod gf_chain;
pub mod lift;
pub mod patterns;
pub mod random;
pub mod szymanski;

mod pen;
mod request;

pub use request::{Instance, Request, RequestError};

use std::fmt;

use crate::store::{Formula, Store};

/// What the members of a table of families are.
pub trait MemberKind: Copy + fmt::Debug + 'static {
    /// A function that builds a member from valid values.
    type Build: Copy + Sync + 'static;
}

/// Members that are formulas.
#[derive(Clone, Copy, Debug)]
pub struct Formulas;

impl MemberKind for Formulas {
    type Build = fn(&mut Store, &Instance) -> Formula;
}

/// One line of the table.
pub struct Family<K: MemberKind = Formulas> {
    /// The name without suffixes.
    pub name: &'static str,
    /// The optional suffixes of the name, each once and after a hyphen: `lift-b`.
    pub suffixes: &'static [Suffix],
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// The parameters in order; those with defaults come last.
    pub parameters: &'static [Parameter],
    /// The paper: a key into `docs/references.bib`.
    pub paper: &'static str,
    /// Builds a member from valid values.
    pub build: K::Build,
}

/// A variant of a family.
#[derive(Clone, Copy, Debug)]
pub struct Suffix {
    /// What stands behind the hyphen.
    pub name: &'static str,
    /// What it changes.
    pub help: &'static str,
}

/// One parameter of a family.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// What messages call it.
    pub name: &'static str,
    /// What it takes.
    pub kind: ParameterKind,
    /// What holds if it is not given.
    pub default: Option<&'static str>,
    /// What it means.
    pub help: &'static str,
}

/// The values of a parameter. Every value is stored as a number.
#[derive(Clone, Copy, Debug)]
pub enum ParameterKind {
    /// A whole number, or a range of them.
    Number {
        /// The smallest.
        least: u64,
        /// The largest: what is larger would not fit.
        most: u64,
    },
    /// One of these words; its value is its place.
    Choice(&'static [&'static str]),
    /// A probability; its value is in millionths.
    Probability,
}

/// Every family. A new one is a file and a line here.
pub static FAMILIES: &[Family] = &[
    lift::FAMILY,
    szymanski::FAMILY,
    counter::FAMILY,
    counter2::FAMILY,
    patterns::S,
    patterns::E,
    patterns::Q,
    patterns::U,
    patterns::U2,
    patterns::C1,
    patterns::C2,
    patterns::R,
    patterns::R2,
    gf_chain::FAMILY,
    arbiter::FAMILY,
    diners::FAMILY,
    random::FAMILY,
    random::UNTIL,
    conflict::FAMILY,
];

impl<K: MemberKind> Family<K> {
    /// How it is called: `lift[-b][-f][-l] FLOORS`.
    pub fn usage(&self) -> String {
        let parameters = self.parameters.iter().map(|parameter| match parameter.default {
            Some(_) => format!(" [{}]", parameter.name),
            None => format!(" {}", parameter.name),
        });
        std::iter::once(self.name_with_suffixes()).chain(parameters).collect()
    }

    /// The name with its possible suffixes: `lift[-b][-f][-l]`.
    pub fn name_with_suffixes(&self) -> String {
        let suffixes = self.suffixes.iter().map(|suffix| format!("[-{}]", suffix.name));
        std::iter::once(self.name.to_owned()).chain(suffixes).collect()
    }
}

impl<K: MemberKind> fmt::Debug for Family<K> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.usage())
    }
}

/// The permitted values.
impl fmt::Display for ParameterKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ParameterKind::Number { least, most: u64::MAX } => write!(f, "from {least} on"),
            ParameterKind::Number { least, most } => write!(f, "from {least} to {most}"),
            ParameterKind::Choice(words) => write!(f, "one of {}", words.join(", ")),
            ParameterKind::Probability => f.write_str("from 0 to 1"),
        }
    }
}
