//! The reference oracles as engines: slow, obviously right, and without any preprocessing.

mod auto;
mod enumerate;
#[cfg(feature = "mutants")]
mod mutants;
mod tableau;

pub(crate) use auto::AUTO;
pub(crate) use enumerate::ENUMERATE;
#[cfg(feature = "mutants")]
pub(crate) use mutants::MUTANT;
pub(crate) use tableau::TABLEAU;
