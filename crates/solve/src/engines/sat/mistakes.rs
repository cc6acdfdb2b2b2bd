//! Deliberate mistakes: tests plant them, and show that each is found.

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(test), allow(dead_code, reason = "only tests plant mistakes"))]
pub(super) enum Mistake {
    /// A loop need not fulfil promises.
    LoopIgnoresPromises,
    /// A promise that was fulfilled before the loop counts.
    FulfilledBeforeLoop,
    /// The start of the loop need not serve the requests of its end.
    LoopIgnoresRequests,
    /// The end of the loop need not support the memories of its start.
    LoopIgnoresMemories,
    /// The first position has a previous one.
    PastBeforeFirst,
    /// A finite word may end although a next position is requested.
    EndIgnoresRequests,
    /// A branch is pruned when a state occurs for the third time, with or without progress.
    PruneIgnoresProgress,
    /// On finite words states are compared by their requests only.
    PruneIgnoresMemories,
    /// The last demand of each core is forgotten.
    CoreIsTooSmall,
    /// The step that leads to a component does not count when components are merged.
    MergeIgnoresEntry,
    /// A letter is repeated although a promise stays pending.
    RepetitionIgnoresPromises,
    /// States are excluded for their steps only, although the word may end there.
    CoreIgnoresEnd,
    /// Cores move to the next frame without a query.
    CoresArePushed,
    /// States of a tableau are compared without the state of the model.
    PruneIgnoresModel,
    /// In a tableau justice is no progress.
    PruneIgnoresJustice,
    /// The loop of a run need not return to the same state.
    RunNeedNotReturn,
    /// The loop of a run need not be fair.
    RunIgnoresJustice,
    /// A justice constraint that held before the loop counts.
    JusticeBeforeLoop,
    /// A run may start in any state.
    RunStartsAnywhere,
    /// The path to a step ends before the step.
    LastStepIsMissing,
    /// The definition of a gate does not imply the gate.
    GatesAreNotImplied,
}
