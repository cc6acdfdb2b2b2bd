//! Why a formula has no automaton, and what is said about that.

use std::ops::Range;

use kermode::automata::{Untranslatable, alaska, hoa};
use kermode::ltl::Diagnostic;
use kermode::ltl::normal::ExpansionTooLarge;

use crate::status::Status;

/// Why there is no text of an automaton.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Untranslatable(#[from] Untranslatable),
    #[error(transparent)]
    Expansion(#[from] ExpansionTooLarge),
    #[error(transparent)]
    Text(#[from] alaska::TextTooLarge),
    #[error(transparent)]
    Hoa(#[from] hoa::Unwritable),
}

impl Failure {
    pub(super) fn status(&self) -> Status {
        match self {
            Failure::Untranslatable(_) => Status::Bad,
            Failure::Expansion(_) | Failure::Text(_) | Failure::Hoa(_) => Status::Unknown,
        }
    }

    pub(super) fn diagnostic(&self, span: Range<usize>) -> Diagnostic {
        let error = Diagnostic::error(span, self.to_string());
        match self {
            Failure::Untranslatable(Untranslatable::Past { .. }) => {
                error.label("this has past operators").help(
                    "`kermode convert --expand past` replaces them by propositions that remember",
                )
            }
            Failure::Hoa(_) => error
                .label("this is too large to be written out")
                .help("`--format alaska` writes transitions as they are"),
            _ => error.label("this is too large to be written out"),
        }
    }
}
