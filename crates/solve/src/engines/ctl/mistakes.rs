//! Deliberate mistakes: tests plant them, and show that each is found.

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(test), allow(dead_code, reason = "only tests plant mistakes"))]
pub(super) enum Mistake {
    /// `EX p` is satisfied by any successor.
    NextIgnoresFairness,
    /// `E[p U q]` may end in any state.
    UntilIgnoresFairness,
    /// `EG p` is satisfied by a path that is not fair.
    GloballyIgnoresJustice,
    /// All infinite paths are fair.
    JusticeIsForgotten,
    /// All states have fair paths.
    DeadEndsAreVisible,
    /// The formula must hold in initial states without fair paths, too.
    UnfairInitialStatesCount,
    /// The formula must hold in one initial state only.
    OneInitialStateIsEnough,
    /// Bounds end one step too early.
    LastStepIsExcluded,
    /// Bounds begin one step too early.
    FirstStepIsTooEarly,
    /// In `E[p BU 2..3 q]`, `p` must hold from the second step on only.
    UntilWaitsInTimeOnly,
    /// `A[p U q]` is satisfied by `p` for ever.
    AllUntilIsWeak,
    /// `E[p U q]` is satisfied by `p` for ever.
    ExistsUntilIsWeak,
    /// `AF p` is read as `EF p`.
    AllEventuallyIsSome,
    /// A path ends in a state without fair paths.
    PathsIgnoreFairness,
    /// A path is said to show claims about all paths.
    EverythingIsShown,
    /// The loop of a path begins one step too late.
    LoopIsLate,
}
