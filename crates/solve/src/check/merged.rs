//! The model of a check without signals that are constant or equal to others.
//!
//! Properties about paths are decided on the smaller model, and their traces get the other
//! variables back before they are replayed. Formulas of CTL are decided on the whole model: their
//! evidence refers to the formula as it is written.

use std::time::Duration;

use kermode_system::merging::Merging;
use kermode_system::{Expression, Model, Target, Trace};
use rustc_hash::FxHashMap;

use super::property::Meaning;
use super::request::Checker;
use crate::compiled::equal_signals::equal_signals;
use crate::frame::budget::Budget;
use crate::frame::shared_diagrams::SharedDiagrams;

/// The most time of the search for such signals.
const MOST_TIME: Duration = Duration::from_millis(50);
/// The share of the time limit that the search has.
const SHARE: u32 = 100;

/// The smaller models. They share one graph, so that they share diagrams.
pub(super) struct Merged {
    merging: Merging,
    /// For invariants.
    pub(super) plain: Model,
    /// For LTL.
    pub(super) fair: Model,
    pub(super) diagrams: SharedDiagrams,
    /// The violations of invariants, by those of the whole model.
    targets: FxHashMap<Expression, Expression>,
}

impl Merged {
    /// The smaller models, if there are signals to remove.
    pub(super) fn of(checker: &Checker, budget: &Budget) -> Option<Merged> {
        let budget = budget.for_examination(SHARE, MOST_TIME);
        // What was not found in time is not removed.
        let merging = equal_signals(checker.plain(), &budget).ok()?;
        (!merging.is_empty()).then(|| Merged::new(checker, merging))
    }

    fn new(checker: &Checker, merging: Merging) -> Merged {
        let mut fair = merging.model(&checker.fair);
        // Both models are about expressions of the larger graph.
        let graph = std::mem::take(&mut fair.graph);
        let plain = Model { graph, ..checker.plain().clone() };
        let mut plain = merging.model(&plain);
        let expression = |property: &super::Property| match property.meaning {
            Meaning::Never { target, .. } => target.expression(),
            _ => None,
        };
        let wanted: Vec<Expression> = checker.properties.iter().filter_map(expression).collect();
        let replaced = merging.replaced(&mut plain.graph, &wanted);
        fair.graph = plain.graph.clone();
        let diagrams = SharedDiagrams::new(&plain);
        let targets = wanted.into_iter().zip(replaced).collect();
        Merged { merging, plain, fair, diagrams, targets }
    }

    /// The number of removed variables.
    pub(super) fn removed(&self) -> usize {
        self.merging.len()
    }

    /// The target of the smaller model.
    pub(super) fn target(&self, target: Target) -> Target {
        match target {
            Target::State(expression) => Target::State(self.targets[&expression]),
            Target::Step(expression) => Target::Step(self.targets[&expression]),
            Target::DeadEnd => Target::DeadEnd,
        }
    }

    /// The trace of the whole model from one of a smaller model.
    pub(super) fn whole(&self, checker: &Checker, trace: &Trace) -> Trace {
        // The models differ in variables that come last, and that the flat model does not have.
        let (whole, smaller) = match trace.variable_count() {
            count if count == self.plain.system.variables().len() => {
                (&checker.plain().system, &self.plain.system)
            }
            _ => (&checker.fair.system, &self.fair.system),
        };
        self.merging.extended(whole, smaller, trace)
    }
}
