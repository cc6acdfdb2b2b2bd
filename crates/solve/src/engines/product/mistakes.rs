//! Deliberate mistakes: tests plant them, and show that each is found.

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(test), allow(dead_code, reason = "only tests plant mistakes"))]
pub(super) enum Mistake {
    /// Copies follow the rule of the print, and have no initial value.
    CopiesStayTrue,
    /// The last justice constraint has no bit.
    JusticeBitIsMissing,
    /// The loop of the property closes as printed: the saved state is compared with the target.
    ClosingComparesTarget,
    /// A return to any saved state closes the loop, whatever the copies say.
    SpuriousLoopsCount,
    /// A terminal automaton accepts as soon as it is reached.
    TerminalIsReachability,
    /// A path to an accepting component of a weak automaton is enough.
    WeakIgnoresDeadEnds,
    /// The justice of the model does not count in accepting components.
    WeakIgnoresJustice,
    /// Every automaton is treated as a weak one.
    AllAutomataAreWeak,
    /// The last mark of the property is forgotten.
    MarkIsDropped,
    /// The inner fixpoint takes one step from each state of the property.
    UntilStopsEarly,
    /// A preimage is used again although its source has changed.
    StalePreimage,
    /// Labels of transitions are forgotten in preimages.
    LabelsAreForgotten,
}
