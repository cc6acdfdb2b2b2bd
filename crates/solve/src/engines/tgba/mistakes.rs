//! Deliberate mistakes of the searches over models: tests plant them, and show that each is found.

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(test), allow(dead_code, reason = "only tests plant mistakes"))]
pub(super) enum Mistake {
    /// The justice of the model is no mark of its steps.
    JusticeIsForgotten,
    /// The marks of the property are forgotten, so that each of its promises is kept.
    PromisesAreKept,
    /// Nodes are expanded for all letters, and all of these steps are taken.
    LettersAreForgotten,
    /// Of the steps of a node on a letter, only the first one is taken.
    OneStepIsEnough,
    /// The counter of marks of the magic search begins a new round one mark too early.
    RoundsEndEarly,
    /// A search with a table of bits that finds nothing says that there is nothing.
    BitsAreTrusted,
    /// The words that an automaton of a specification rejects are those that it accepts.
    RejectingAccepts,
}
