//! The engines, one file each, and the table of them. A new engine is a file with an
//! [`EngineInfo`](crate::EngineInfo) and a line in [`ENGINES`].

pub mod antichain;
mod counting;
pub mod ctl;
mod events;
mod growing_core;
mod invariant;
mod preprocessing;
mod product;
mod reference;
mod sat;
mod table;
mod tgba;

pub use table::ENGINES;
