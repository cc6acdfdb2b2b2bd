//! Why a proof is refused, or has no system that it is about.

use kermode_bdd::Cube;

use crate::certificate::{BitName, JusticeName};

/// The largest number of bits that a refusal shows.
const MOST_SHOWN: usize = 12;

/// The largest number of bits of a tableau.
pub(crate) const MOST_BITS: usize = 100_000;

/// A tableau would have too many bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tableau of the formula has more than {MOST_BITS} bits")]
pub struct TooLarge;

/// Why a proof is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It lists a bit that the system lacks.
    #[error("it lists the bit `{0}`, which does not exist here")]
    UnknownBit(BitName),
    /// It lists a bit twice.
    #[error("it lists the bit `{0}` twice")]
    RepeatedBit(BitName),
    /// It uses a justice constraint that the system lacks.
    #[error("it uses the justice constraint `{0}`, which does not exist here")]
    UnknownJustice(JusticeName),
    /// Its sets are of another kind than the claim needs.
    #[error("its sets prove another kind of claim")]
    WrongArgument,
    /// A claim about dead ends needs all bits of the model.
    #[error("a claim about dead ends needs all bits of the model, and one is not listed")]
    MissingBits,
    /// A condition does not hold.
    #[error("{condition}: a counterexample has {state}")]
    Condition {
        /// The condition.
        condition: String,
        /// Some bits of a state that violates it.
        state: String,
    },
}

impl Refusal {
    /// A condition with a state that violates it. Current values have even variables.
    pub(crate) fn condition(condition: String, state: &Cube, bits: &[BitName]) -> Refusal {
        let current = state.literals().iter().filter(|literal| literal.variable.0 % 2 == 0);
        let shown = current.take(MOST_SHOWN).map(|literal| {
            let name = &bits[literal.variable.index() / 2];
            format!("`{name}` = {}", u8::from(literal.positive))
        });
        let shown: Vec<String> = shown.collect();
        let state = if shown.is_empty() { "any values".to_owned() } else { shown.join(", ") };
        Refusal::Condition { condition, state }
    }
}
