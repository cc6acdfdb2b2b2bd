//! Membership, for tests that do not want to be interrupted.

use std::convert::Infallible;

use kermode_automata::{AlternatingAutomaton, accepts};
use kermode_ltl::Word;

/// Whether the automaton accepts the word.
pub(crate) fn is_accepted(automaton: &AlternatingAutomaton, word: &Word) -> bool {
    let Ok(accepted) = accepts(automaton, word, &mut || Ok::<(), Infallible>(()));
    accepted
}
