//! `COMPUTE`: the smallest and the largest number of steps from some states to others \[CCMMH94\].
//!
//! What NuSMV 2.6 does, found by running it:
//!
//! - Both sets are restricted to the reachable states from which a fair path starts, and so are all
//!   paths. Apart from that fairness is ignored: a path may stay in a loop that is not fair.
//! - The smallest number is that of the steps of a shortest path; it is infinite if there is none.
//! - The largest number is undefined if one of the sets is empty, and infinite if a path never
//!   arrives. Otherwise it is the number of steps after which every path has arrived.
//! - If no reachable state has a fair path, the smallest number is infinite. The largest one is
//!   undefined if one of the sets has no reachable state, and 0 otherwise.

use std::fmt;

use kermode_bdd::Bdd;
use kermode_system::{Ctl, Model};

use super::check;
use super::labels::Labels;
use crate::compiled::Compilation;
use crate::compiled::reduced::Reduced;
use crate::compiled::states::SystemStates;
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::WorkCounters;
use crate::fixpoint::fixpoints::reachable;
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;
use crate::frame::shared_diagrams::SharedDiagrams;

/// Which number of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComputeKind {
    /// The smallest one.
    Min,
    /// The largest one.
    Max,
}

/// A number of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComputeResult {
    /// This many steps.
    Steps(u64),
    /// No path arrives, or some path never arrives.
    Infinite,
    /// There is no state to start from, or none to arrive at.
    Undefined,
}

impl fmt::Display for ComputeResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ComputeResult::Steps(steps) => write!(f, "{steps}"),
            ComputeResult::Infinite => f.write_str("infinite"),
            ComputeResult::Undefined => f.write_str("undefined"),
        }
    }
}

/// The number of steps from states that satisfy `from` to states that satisfy `to`. `diagrams` are
/// shared with other problems about the same model.
///
/// # Errors
/// If the budget ends, or if the formulas are not about states of the model.
pub fn compute(
    model: &Model,
    kind: ComputeKind,
    from: &Ctl,
    to: &Ctl,
    diagrams: Option<&SharedDiagrams>,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<ComputeResult, Stop> {
    budget.check()?;
    check(model, from)?;
    check(model, to)?;
    let observed = [from.atoms(), to.atoms()].concat();
    let reduced = Reduced::new(model, model.system.clone(), &observed);
    let mut work = WorkCounters::default();
    let compilation = Compilation { sifting: true, top: 0, shared: diagrams };
    let (compiled, context) = compilation.of(&reduced.model, budget, observer, &mut work)?;
    let states = SystemStates::new(compiled, Direction::Backward, CLUSTER, context)?;
    let mut labels = Labels::new(states, Some(&reduced.model), None)?;
    let [from, to] = [from, to].map(|formula| {
        labels.label(model, formula)?;
        Ok::<Bdd, Stop>(labels.of(formula.root()).clone())
    });
    let (from, to) = (from?, to?);
    match kind {
        ComputeKind::Min => shortest(&mut labels, &from, &to),
        ComputeKind::Max => longest(&mut labels, &from, &to),
    }
}

/// The largest number of nodes of a joined part of the transition relation.
const CLUSTER: usize = 2_000;

fn shortest(labels: &mut Labels, from: &Bdd, to: &Bdd) -> Result<ComputeResult, Stop> {
    let fair = labels.fair().clone();
    let (from, to) = (from.and(&fair)?, to.and(&fair)?);
    let mut steps = 0;
    let mut paths = labels.states.within(fair);
    let all = reachable(&mut paths, &to, &mut |_, ring| {
        let arrives = !ring.and(&from)?.is_bottom();
        steps += u64::from(!arrives);
        Ok(arrives)
    })?;
    Ok(if all.is_none() { ComputeResult::Steps(steps) } else { ComputeResult::Infinite })
}

fn longest(labels: &mut Labels, from: &Bdd, to: &Bdd) -> Result<ComputeResult, Stop> {
    let fair = labels.fair().clone();
    let visible = if fair.is_bottom() { labels.all().clone() } else { fair.clone() };
    let (from, to) = (from.and(&visible)?, to.and(&visible)?);
    if from.is_bottom() || to.is_bottom() {
        return Ok(ComputeResult::Undefined);
    }
    // The states from which a path of this many steps stays outside of `to`.
    let mut outside = fair.and_not(&to)?;
    for steps in 0.. {
        if from.and(&outside)?.is_bottom() {
            return Ok(ComputeResult::Steps(steps));
        }
        let longer = labels.states.step_where(&outside, None)?.and(&outside)?;
        if longer == outside {
            break;
        }
        outside = longer;
    }
    Ok(ComputeResult::Infinite)
}
