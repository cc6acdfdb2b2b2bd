//! Couvreur's construction \[Cou99\]: from a formula to a generalised Büchi automaton, node by node
//! and step by step.
//!
//! A node is a set of formulas that the rest of the word has to satisfy. What they say together of
//! the next letter and of the rest behind it is a Boolean function of three kinds of variables:
//! propositions, `r_Xg` for "from the next letter on `g` holds", and `a_g` for "`g` holds, but its
//! end is put off", for `g` an until or a kindred operator. Each prime implicant of that function
//! is a step: its propositions are the label, its `r_Xg` the next node, and it has the marks of all
//! `g` whose `a_g` it lacks. A run that puts `g` off for ever lacks the mark of `g` from some step
//! on.
//!
//! | what a caller wants | where it is |
//! |---|---|
//! | which form of it | [`Construction`] |
//! | the formula made ready | [`Tableau`] |
//! | nodes and steps on demand | [`Couvreur`], a [`Space`](crate::space::Space) space, also on a given letter |
//! | the whole automaton | [`to_tgba`] |
//!
//! Departs from the paper in reading `F G W M` as they are instead of as abbreviations; the
//! functions are the same. `X true` and `X false` are constants here.

mod functions;
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
    /// Nodes are the same if their functions are, not only if their sets of formulas are (Table 2).
    pub merged: bool,
    /// `G F g` is one operator that puts `g` off again and again: `r_GFg = (r_g + a_GFg) r_XGFg`.
    pub recurrence: bool,
    /// Which steps a node has.
    pub steps: Steps,
}

/// Which implicants of a node's function are its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Steps {
    /// All prime implicants, as in the paper.
    #[default]
    Primes,
    /// An irredundant cover by prime implicants.
    Cover,
    /// The least of what some letter demands and puts off: the prime implicants of the function
    /// with its propositions quantified. Words are lost, but not all of them: a node accepts
    /// whatever nodes with more formulas accept. A step still has a letter, and the word that a run
    /// reads satisfies the formula.
    Least,
}

impl Construction {
    /// Theorem 1.
    pub const PLAIN: Construction =
        Construction { merged: false, recurrence: false, steps: Steps::Primes };
    /// With merged nodes, as in Table 2.
    pub const MERGED: Construction = Construction { merged: true, ..Construction::PLAIN };
    /// With the identity of `G F`.
    pub const RECURRENCE: Construction = Construction { recurrence: true, ..Construction::PLAIN };
    /// With all that makes automata smaller.
    pub const SMALL: Construction =
        Construction { merged: true, recurrence: true, steps: Steps::Cover };
}
