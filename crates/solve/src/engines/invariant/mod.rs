//! `invariant:forward`, `invariant:backward` and `invariant:both`: a shortest path of a model to a
//! target, by breadth-first search over decision diagrams.
//!
//! The violation of an invariant is a target, and so is a dead end. Paths are finite, so justice
//! plays no part. The model is reduced to the cone of influence of the target. Every target becomes
//! a set of states: the states that violate the invariant, the states with a step that violates it,
//! or the states without successor. A search ends as soon as it meets that set:
//!
//! - *forward*, rings of successors grow around the initial states;
//! - *backward*, rings of predecessors grow around the target;
//! - *both* grows the two in turn, each time the one whose frontier has the smaller diagram, until
//!   they meet.
//!
//! A state is in the ring of its distance, so the path is as short as any. This holds for `both`,
//! too: before the last step no state was known to both sides, so a shorter path, which would have
//! such a state, does not exist.

#[cfg(test)]
pub(crate) mod mutant_tests;

use kermode_system::{Expression, Model, Target};

use crate::compiled::compiled_model::variable_count;
use crate::compiled::path_search::{Goal, Side, search_model};
use crate::compiled::reduced::Reduced;
use crate::compiled::states::SystemStates;
use crate::compiled::{Compilation, check_declared};
use crate::engines::antichain::SIFTING;
use crate::engines::product::CLUSTER;
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::WorkCounters;
use crate::frame::answer::{Answer, ModelTrace, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::{Options, ValueError};
use crate::frame::problem::{Language, Problem};
use crate::frame::witness::nonempty;

pub(crate) const FORWARD: EngineInfo = EngineInfo {
    name: "invariant:forward",
    summary: "a shortest path to a target, by rings of successors around the initial states",
    build: |options| build(options, Side::Initial),
    ..BOTH
};

pub(crate) const BACKWARD: EngineInfo = EngineInfo {
    name: "invariant:backward",
    summary: "a shortest path to a target, by rings of predecessors around it",
    build: |options| build(options, Side::Target),
    ..BOTH
};

pub(crate) const BOTH: EngineInfo = EngineInfo {
    name: "invariant:both",
    summary: "a shortest path to a target, by rings around both ends that meet in the middle",
    paper: "BCMDH92",
    accepts: Accepts::TARGETS,
    options: &[&SIFTING, &CLUSTER],
    alias: None,
    build: |options| build(options, Side::Cheaper),
};

fn build(options: &Options, side: Side) -> Result<Box<dyn Engine>, ValueError> {
    Ok(Box::new(InvariantEngine {
        side,
        sifting: options.get(&SIFTING)?,
        cluster: usize::try_from(options.get(&CLUSTER)?).unwrap_or(usize::MAX),
        #[cfg(test)]
        mistake: None,
    }))
}

struct InvariantEngine {
    side: Side,
    sifting: bool,
    cluster: usize,
    #[cfg(test)]
    mistake: Option<mutant_tests::Mistake>,
}

impl Engine for InvariantEngine {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let Language::Paths { model, target } = problem.language else {
            return Err(Stop::Unsupported("this engine takes paths to a target only".to_owned()));
        };
        budget.check()?;
        check_target(model, target)?;
        let observed: Vec<Expression> = target.expression().into_iter().collect();
        let reduced = Reduced::new(model, model.system.without_justice(), &observed);
        let mut work = WorkCounters::default();
        let compilation = Compilation { sifting: self.sifting, top: 0, shared: problem.diagrams };
        let (compiled, context) = compilation.of(&reduced.model, budget, observer, &mut work)?;
        let direction = match self.side {
            Side::Initial | Side::Cheaper => Direction::Forward,
            Side::Target => Direction::Backward,
        };
        let mut states = SystemStates::new(compiled, direction, self.cluster, context)?;
        let goal = Goal::new(&mut states, model, target);
        #[cfg(test)]
        let goal = goal.and_then(|goal| {
            mutant_tests::mistaken(self.mistake, goal, &mut states, model, target)
        });
        let found = goal.and_then(|goal| {
            Ok((search_model(&mut states, &reduced.model, &goal, self.side)?, goal))
        });
        states.tell(variable_count(model));
        let (Some(meeting), goal) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(problem.witness, budget, |longest| {
            if goal.path_length(&meeting) > longest {
                return Ok(None);
            }
            let path = goal.path(&meeting, &mut states)?;
            let trace = reduced.trace(&path, None, longest, budget)?;
            Ok(trace.map(|trace| Witness::Trace(ModelTrace::of(model, trace))))
        }))
    }
}

/// An error if the target is not one of the model.
pub(crate) fn check_target(model: &Model, target: Target) -> Result<(), Stop> {
    let Some(expression) = target.expression() else { return check_declared(model, &[]) };
    check_declared(model, &[expression])?;
    if matches!(target, Target::State(_)) && model.is_about_steps(&[expression]) {
        let message = "the target is a state, but its expression is about a step";
        return Err(Stop::Unsupported(message.to_owned()));
    }
    Ok(())
}
