//! Flat models as texts that NuSMV and the reader accept, with the same meaning.

mod expressions;
mod flat;
mod sharing;

pub use flat::flat_text;
