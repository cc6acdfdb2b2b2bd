//! The reference oracles as engines: slow, obviously right, and without any preprocessing.

mod auto;
mod enumerate;
mod tableau;

pub(crate) use auto::AUTO;
pub(crate) use enumerate::ENUMERATE;
pub(crate) use tableau::TABLEAU;
