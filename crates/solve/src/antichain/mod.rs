//! The antichain engines ([DDMR08], [DDMR08b]).

mod backward;
mod counts;
mod edges;
mod forward;
mod reverse_search;
mod search;
mod states;

use kermode_ltl::Word;

use crate::budget::Stop;
use crate::verdict::{Answer, LeftOut};

pub(crate) use backward::BACKWARD;
pub(crate) use forward::FORWARD;

/// The answer if a word was looked for. If the budget ended while its letters were, there is one still.
fn answer(word: Option<Result<Word, Stop>>) -> Answer {
    match word {
        None => Answer::Unsatisfiable,
        Some(Ok(word)) => Answer::Satisfiable(word),
        Some(Err(stop)) => Answer::SatisfiableUnseen(LeftOut::Stopped(stop)),
    }
}
