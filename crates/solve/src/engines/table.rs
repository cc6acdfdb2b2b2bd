//! The table of engines.

use std::str::FromStr;

use super::{
    antichain, counting, ctl, events, growing_core, invariant, preprocessing, product, reference,
    sat, tgba,
};
use crate::frame::engine::{EngineInfo, EngineSpec, SpecError};

/// Every engine. A new one is a file and a line here.
pub static ENGINES: &[EngineInfo] = &[
    reference::AUTO,
    reference::TABLEAU,
    reference::ENUMERATE,
    preprocessing::ONLY,
    events::NETWORK,
    counting::DENSITY,
    antichain::FORWARD,
    antichain::BACKWARD,
    antichain::SYMBOLIC,
    antichain::HYBRID,
    tgba::COUVREUR,
    tgba::MAGIC,
    product::SYNTACTIC_EL,
    product::SYNTACTIC_L2S,
    product::LOG_EL,
    product::LOG_L2S,
    product::LOG_WEAK,
    product::PDP_EL,
    product::PDP_L2S,
    product::PDP_WEAK,
    growing_core::GROWING,
    sat::BMC,
    sat::TABLEAU,
    sat::EXPLICIT,
    sat::FRAMES,
    sat::K_LIVENESS,
    invariant::FORWARD,
    invariant::BACKWARD,
    invariant::BOTH,
    ctl::FIXPOINT,
];

/// Engines with a deliberate mistake, which no list includes.
#[cfg(feature = "mutants")]
static MUTANTS: &[EngineInfo] = &[reference::MUTANT];
#[cfg(not(feature = "mutants"))]
static MUTANTS: &[EngineInfo] = &[];

/// Names that one might expect, and why there is no such engine.
static ABSENT: &[(&str, &str)] = &[(
    "product:syntactic/weak",
    "a symbolic automaton has no components that could be classified as terminal or weak; \
     `product:log/weak` and `product:pdp/weak` have explicit automata",
)];

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        EngineSpec::find(ENGINES, MUTANTS, ABSENT, text)
    }
}
