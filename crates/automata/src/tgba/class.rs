//! How much acceptance matters for the emptiness of a product with an automaton \[BRS99\].
//!
//! In a *terminal* automaton every word is accepted once a run reaches an accepting component. In
//! a *weak* one a run is accepted exactly if it stays in accepting components: of no component
//! both an accepted and a rejected run stays there for ever. Emptiness of a product then needs one
//! fixpoint instead of two nested ones. Departs from the paper: marks need not be the same on all
//! transitions of a component, it is enough that all its cycles accept or none does (*inherently
//! weak* in the HOA format).

use std::fmt;

use kermode_bdd::OutOfNodes;

use super::components::Components;
use super::graph::Tgba;
use super::statistics::{is_inherently_weak, is_terminal};

/// The classes, each a part of the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AcceptanceClass {
    /// Every word is accepted from each accepting component on.
    Terminal,
    /// The cycles of each component all accept, or none does.
    Weak,
    /// Some component has both kinds of cycles.
    Neither,
}

impl AcceptanceClass {
    /// The smallest class of an automaton.
    pub fn of(automaton: &Tgba, components: &Components) -> Result<Self, OutOfNodes> {
        let is_weak = is_inherently_weak(automaton, components);
        match is_weak && is_terminal(automaton, components)? {
            true => Ok(AcceptanceClass::Terminal),
            false if is_weak => Ok(AcceptanceClass::Weak),
            false => Ok(AcceptanceClass::Neither),
        }
    }
}

impl fmt::Display for AcceptanceClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AcceptanceClass::Terminal => "terminal",
            AcceptanceClass::Weak => "weak",
            AcceptanceClass::Neither => "neither",
        })
    }
}
