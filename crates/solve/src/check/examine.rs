//! What is said before verdicts: a model without initial states, without fair paths, or with dead
//! ends makes properties true that the user may not expect to be.
//!
//! Each examination has a hundredth of the time limit, and at most a quarter of a second.
//!
//! The examination of states also shows whether diagrams are slow on this model: it compiles the
//! constraints and, if some state has no successor, computes the reachable states. An explicit
//! search then gets more time.

use std::fmt;
use std::sync::atomic::Ordering;
use std::time::Duration;

use kermode_system::{Model, Target};

use super::property::CheckedKind;
use super::request::Checker;
use super::worker::CheckWorker;
use crate::compiled::Compilation;
use crate::compiled::path_search::{Goal, Side, search_model};
use crate::compiled::states::SystemStates;
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::WorkCounters;
use crate::fixpoint::emptiness::search;
use crate::frame::answer::Verdict;
use crate::frame::budget::{Budget, Stop};
use crate::frame::decide::decide;
use crate::frame::engine::EngineSpec;
use crate::frame::observer::Silent;
use crate::frame::problem::{Problem, WitnessPolicy};

/// The most time of an examination.
const MOST_TIME: Duration = Duration::from_millis(250);
/// The share of the time limit that an examination has.
const SHARE: u32 = 100;
/// Diagrams are slow on a model if an examination creates more nodes than this, or does not end.
const MANY_NODES: u64 = 7 << 12;
/// The time of an explicit search for a path that counts.
const EXPLICIT_TIME: Duration = Duration::from_millis(5);
/// The largest number of nodes of a joined part of the transition relation.
const CLUSTER: usize = 500;

/// Something that users should know before a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CheckWarning {
    /// There is no initial state.
    NoInitialState,
    /// No path that counts for LTL exists.
    NoPathForLtl,
    /// No path that counts for CTL exists.
    NoPathForCtl,
    /// It is not known whether a path is fair.
    FairnessNotExamined,
    /// A dead end is reachable.
    DeadEnd,
    /// It is not known whether a dead end is reachable.
    DeadlocksNotChecked,
    /// CTL does not take compassion into account.
    CompassionIgnored,
}

impl CheckWarning {
    /// Whether it says only what was not examined.
    pub fn is_note(self) -> bool {
        matches!(self, CheckWarning::FairnessNotExamined | CheckWarning::DeadlocksNotChecked)
    }
}

impl fmt::Display for CheckWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CheckWarning::NoInitialState => "the model has no initial state, so every property holds",
            CheckWarning::NoPathForLtl => {
                "no path from an initial state is of the kind in question, fair and as assumed, so every LTL property holds, and every property by an automaton"
            }
            CheckWarning::NoPathForCtl => {
                "no path from an initial state is infinite and fair, so every CTL property holds"
            }
            CheckWarning::FairnessNotExamined => "fair paths: not checked whether there are any",
            CheckWarning::DeadEnd => {
                "a dead end is reachable: LTL and CTL consider infinite paths only; `--deadlock` shows a path to it"
            }
            CheckWarning::DeadlocksNotChecked => "deadlocks: not checked",
            CheckWarning::CompassionIgnored => "COMPASSION does not count for CTL properties",
        })
    }
}

impl CheckWorker<'_> {
    /// Examines initial states and, if a property is about infinite paths, dead ends.
    pub(super) fn examine_states(&self, budget: &Budget) -> Vec<CheckWarning> {
        let properties = self.checker.properties();
        let of_infinite_paths = properties.iter().any(|p| p.kind.is_of_infinite_paths());
        let examined = self.examined(self.checker.plain(), budget, |states, model| {
            if states.model().initial.is_bottom() {
                return Ok(Some(CheckWarning::NoInitialState));
            }
            if !of_infinite_paths {
                return Ok(None);
            }
            let goal = Goal::new(states, model, Target::DeadEnd)?;
            states.face(Direction::Forward)?;
            let path = search_model(states, model, &goal, Side::Initial)?;
            let is_slow = states.context().created() > MANY_NODES;
            self.diagrams_are_slow.store(is_slow, Ordering::Relaxed);
            Ok(path.map(|_| CheckWarning::DeadEnd))
        });
        if examined.is_err() {
            self.diagrams_are_slow.store(true, Ordering::Relaxed);
        }
        let not_checked = of_infinite_paths.then_some(CheckWarning::DeadlocksNotChecked);
        examined.unwrap_or(not_checked).into_iter().collect()
    }

    /// Examines, once for each kind of property, whether there is a path that counts for it.
    pub(super) fn examine_paths(&self, kind: CheckedKind, budget: &Budget) -> Option<CheckWarning> {
        let (place, warning) = match kind {
            CheckedKind::Ltl
            | CheckedKind::FiniteLtl
            | CheckedKind::Automaton
            | CheckedKind::FiniteAutomaton => (0, CheckWarning::NoPathForLtl),
            CheckedKind::Ctl => (1, CheckWarning::NoPathForCtl),
            _ => return None,
        };
        if self.paths_are_examined[place].swap(true, Ordering::Relaxed) {
            return None;
        }
        let examined = match kind {
            CheckedKind::Ctl => self.examined(self.checker.plain(), budget, |states, _| {
                states.face(Direction::Backward)?;
                Ok(search(states)?.is_none().then_some(warning))
            }),
            _ => self.has_path(budget).map(|has_path| (!has_path).then_some(warning)),
        };
        examined.unwrap_or(Some(CheckWarning::FairnessNotExamined))
    }

    /// Whether some path that counts for LTL satisfies the assumptions.
    ///
    /// If the engines of a schedule decide, an explicit search tries first: most models have such a
    /// path near the initial states. Then the diagrams of the smaller model are used, if there is
    /// one: the engines have built them.
    fn has_path(&self, budget: &Budget) -> Result<bool, Stop> {
        let Checker { store, fair, finite, assumption, .. } = self.checker;
        let mut store = store.clone();
        let wanted = assumption.unwrap_or_else(|| store.constant(true));
        let (model, diagrams) = match self.known_merged() {
            Some(merged) => (&merged.fair, &merged.diagrams),
            None => (fair, &self.diagrams),
        };
        let problem = match *finite {
            None => Problem::runs(&store, model, wanted),
            Some(end) => Problem::finite_runs(&store, model, wanted, end),
        };
        let no_witness = WitnessPolicy { wanted: false, ..WitnessPolicy::default() };
        let problem = problem.sharing(diagrams).with_witness(no_witness);
        let part = budget.for_examination(SHARE, MOST_TIME);
        let nonempty_by = |engine: &str, budget: &Budget| {
            let engine: EngineSpec = engine.parse().expect("a name of the table");
            match decide(&problem, &engine, budget, &mut Silent::default()) {
                Ok(Verdict::Unknown(stop)) => Err(stop),
                Ok(verdict) => Ok(verdict.is_nonempty()),
                Err(error) => Err(Stop::Unsupported(error.to_string())),
            }
        };
        if self.settings.engines.is_empty()
            && let Ok(has_path) = nonempty_by("tgba:couvreur", &part.slice(EXPLICIT_TIME))
        {
            return Ok(has_path);
        }
        // The diagrams are for the property, not for the examination.
        diagrams.manager(model.order.len(), &self.diagram_budget(budget))?;
        nonempty_by("product:syntactic/el", &part)
    }

    fn examined(
        &self,
        model: &Model,
        budget: &Budget,
        examine: impl FnOnce(&mut SystemStates, &Model) -> Result<Option<CheckWarning>, Stop>,
    ) -> Result<Option<CheckWarning>, Stop> {
        // The diagrams are for the property, not for the examination.
        self.diagrams.manager(model.order.len(), &self.diagram_budget(budget))?;
        let (budget, mut work) =
            (budget.for_examination(SHARE, MOST_TIME), WorkCounters::default());
        let observer = &mut Silent::default();
        // The engines inherit the order of variables, and a sifting that the end of the time
        // interrupts leaves a worse one.
        let compilation = Compilation { sifting: false, top: 0, shared: Some(&self.diagrams) };
        let (compiled, context) = compilation.of(model, &budget, observer, &mut work)?;
        let mut states = SystemStates::new(compiled, Direction::Backward, CLUSTER, context)?;
        examine(&mut states, model)
    }
}
