//! Flat models, and models over bits, as texts that NuSMV and the reader accept, with the same
//! meaning.

mod boolean;
mod expressions;
mod flat;
mod sharing;
mod short;

pub use boolean::boolean_text;
pub use flat::flat_text;
pub use short::short_text;
