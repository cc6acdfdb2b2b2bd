//! Deliberate mistakes in searches of products: tests plant them, and show that each is found.

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(test), allow(dead_code, reason = "only tests plant mistakes"))]
pub(crate) enum Mistake {
    /// The order of pairs lacks its third condition: both or none are without obligations.
    KindsAreMixed,
    /// The second fixpoint is as printed: with all accepting states, reachable or not.
    AcceptingIsNotReachable,
    /// The greatest fixpoint begins with the accepting reachable states only.
    StartsAtAccepting,
    /// A state of the property stays in a region when its last pair is covered.
    EmptyPartStays,
    /// Diagrams of comparable states of the property are not made disjoint.
    PairsOverlap,
    /// A step of the property reads the letter of the state that the step leads to.
    LetterOfNextState,
    /// Justice constraints of the model are no marks.
    JusticeIsIgnored,
    /// The last mark of the property is forgotten.
    MarkIsDropped,
    /// Least fixpoints expand each state of the property once.
    ClosureStopsEarly,
    /// Without marks, every reachable pair is said to have an infinite run.
    DeadEndsAreIgnored,
    /// A preimage is used again although its region has changed.
    StalePreimage,
    /// Backward, every state of the property is taken for an initial one.
    EveryStateIsInitial,
    /// Over finite words, a path may end with obligations.
    PathsEndEarly,
}

#[cfg(test)]
thread_local! {
    static PLANTED: std::cell::Cell<Option<Mistake>> = const { std::cell::Cell::new(None) };
}

/// Plants a mistake in this thread, or removes it.
#[cfg(test)]
pub(crate) fn plant(mistake: Option<Mistake>) {
    PLANTED.set(mistake);
}

/// Whether a mistake is planted in this thread.
#[cfg(test)]
pub(crate) fn is_planted(mistake: Mistake) -> bool {
    PLANTED.get() == Some(mistake)
}

/// Mistakes are planted by tests only.
#[cfg(not(test))]
pub(crate) fn is_planted(_: Mistake) -> bool {
    false
}
