//! The table of engines. A name has the form `family:variant`; options follow it as `:key=value`, in
//! the same notation wherever engines are named: `reference:enumerate:letters=6`.

use std::str::FromStr;

use super::{antichain, growing_core, preprocessing, reference, symbolic, tgba};
use crate::frame::engine::{EngineInfo, EngineSpec, SpecError};

/// Every engine. A new one is a file and a line here.
pub static ENGINES: &[EngineInfo] = &[
    reference::AUTO,
    reference::TABLEAU,
    reference::ENUMERATE,
    preprocessing::ONLY,
    antichain::FORWARD,
    antichain::BACKWARD,
    antichain::SYMBOLIC,
    antichain::HYBRID,
    tgba::COUVREUR,
    tgba::MAGIC,
    symbolic::SYMBOLIC,
    growing_core::GROWING,
];

/// Engines that differ from one of the table in the encoding of formulas alone, that one among them.
pub static ENCODINGS: &[EngineInfo] = &symbolic::ENCODINGS;

/// The engine of that name, be it in the table or wrong on purpose.
fn find(name: &str) -> Option<&'static EngineInfo> {
    #[cfg(feature = "mutants")]
    if name == reference::MUTANT.name {
        return Some(&reference::MUTANT);
    }
    ENGINES.iter().chain(ENCODINGS).find(|info| info.name == name)
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut parts = text.split(':');
        let name: Vec<&str> = parts.by_ref().take(2).collect();
        let name = name.join(":");
        let info = find(&name).ok_or_else(|| {
            let known: Vec<&str> = ENGINES.iter().map(|info| info.name).collect();
            SpecError::Name { name, known: known.join(", ") }
        })?;
        EngineSpec::written(info, parts)
    }
}
