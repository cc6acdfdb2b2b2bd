//! The antichain engines ([DDMR08], [DDMR08b]).

mod edges;
pub(crate) mod forward;
pub(crate) mod search;

pub(crate) use forward::FORWARD;
