//! Couvreur's construction \[Cou99\]: from a formula to a generalised Büchi automaton, on the fly.
//!
//! A node is a set of formulas that the rest of the word must satisfy. Their demands on the next
//! letter and on the rest after it are a Boolean function of three kinds of variables:
//! propositions, `r_Xg` for "`g` holds from the next letter on", and `a_g` for "`g` holds, but its
//! goal is postponed", for `g` an `F`, `U` or `M`. Each prime implicant of that function is a step:
//! its propositions are the label, its `r_Xg` the next node, and it has the marks of all `g` whose
//! `a_g` it lacks. A run that postpones `g` for ever lacks the mark of `g` from some step on.
//!
//! - a form of the construction: [`Construction`]
//! - the prepared formula: [`Tableau`]
//! - nodes and steps on demand: [`Couvreur`], a [`Space`](crate::space::Space), also on a given
//!   letter
//! - the whole automaton: [`to_tgba`]
//!
//! Departs from the paper in treating `F G W M` directly instead of as abbreviations; the functions
//! are the same. `X true` and `X false` are constants here.

mod functions;
mod implied;
mod space;
mod tableau;
mod translate;
mod variables;

pub use space::{Couvreur, Implicants, Node};
pub use tableau::Tableau;
pub(crate) use translate::new_manager;
pub use translate::{to_tgba, to_tgba_in};

/// The forms of the construction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Construction {
    /// Merges nodes with the same function, not only those with the same set of formulas (Table 2).
    pub merged: bool,
    /// `G F g` is one operator that may postpone `g` after each visit: `r_GFg = (r_g + a_GFg)
    /// r_XGFg`.
    pub recurrence: bool,
    /// Demands that others imply leave the nodes.
    pub implied: bool,
    /// Which steps a node has.
    pub steps: StepSelection,
}

/// Which implicants of a node's function are its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepSelection {
    /// All prime implicants, as in the paper.
    #[default]
    Primes,
    /// An irredundant cover by prime implicants.
    Cover,
    /// The steps that demand and postpone least for some letter: the prime implicants of the
    /// function with its propositions quantified. Words may be lost, but emptiness is preserved: a
    /// node accepts every word that nodes with more formulas accept. A step still has a letter, and
    /// the word of a run satisfies the formula.
    Least,
}

impl Construction {
    /// Theorem 1.
    pub const PLAIN: Construction = Construction {
        merged: false,
        recurrence: false,
        implied: false,
        steps: StepSelection::Primes,
    };
    /// With merged nodes, as in Table 2.
    pub const MERGED: Construction = Construction { merged: true, ..Construction::PLAIN };
    /// With the identity of `G F`.
    pub const RECURRENCE: Construction = Construction { recurrence: true, ..Construction::PLAIN };
    /// With everything that makes automata smaller.
    pub const SMALL: Construction =
        Construction { merged: true, recurrence: true, implied: true, steps: StepSelection::Cover };
}
