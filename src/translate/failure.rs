//! Why a formula has no automaton, and what is said about that.

use std::ops::Range;

use kermode::automata::{Untranslatable, alaska, hoa};
use kermode::base::Diagnostic;
use kermode::ltl::normal::ExpansionTooLarge;
use kermode::solve::Stop;
use kermode::system::smv::NoSpecification;

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
    #[error(transparent)]
    Specification(#[from] NoSpecification),
    #[error("unknown ({0})")]
    Stopped(#[from] Stop),
}

impl Failure {
    pub(super) fn status(&self) -> Status {
        match self {
            Failure::Untranslatable(_) => Status::Bad,
            _ => Status::Unknown,
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
            Failure::Stopped(_) => error.label("there was no automaton yet when the work ended"),
            Failure::Hoa(_) => error
                .label("this is too large to be written out")
                .help("`--format alaska` writes transitions as they are"),
            _ => error.label("this is too large to be written out"),
        }
    }
}
