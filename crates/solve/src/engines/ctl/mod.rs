//! `ctl:fixpoint`: formulas of CTL about a model, by fixpoints over decision diagrams \[BCMDH92\],
//! with justice as in \[EL86\].
//!
//! - `labels`: the states that satisfy each subformula
//! - `countdown`: the sets of bounded operators
//! - `path`, `evidence`: a path that shows the violation, as far as one path can
//! - `compute`: the smallest and the largest number of steps between two sets of states
//!
//! Fixpoints are backward. They are restricted to the reachable states, unless the option says
//! otherwise. The formula holds if every initial state satisfies it from which a fair path starts.

mod compute;
mod countdown;
mod evidence;
mod labels;
mod mistakes;
#[cfg(test)]
mod mutant_tests;
mod path;

use kermode_system::ctl::evidence::Positions;
use kermode_system::{Ctl, Model};

use crate::compiled::compiled_model::variable_count;
use crate::compiled::reduced::Reduced;
use crate::compiled::states::SystemStates;
use crate::compiled::{Compilation, check_declared};
use crate::engines::antichain::SIFTING;
use crate::engines::product::CLUSTER;
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::WorkCounters;
use crate::frame::answer::{Answer, BranchTrace, ModelTrace, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::Flag;
use crate::frame::problem::{Language, Problem};
use crate::frame::witness::nonempty;

pub use compute::{ComputeKind, ComputeResult, compute};
use evidence::{Shown, show};
use labels::Labels;
use mistakes::Mistake;

const REACH: Flag = Flag {
    key: "reach",
    help: "whether fixpoints are restricted to reachable states",
    default: true,
};

pub(crate) const FIXPOINT: EngineInfo = EngineInfo {
    name: "ctl:fixpoint",
    summary: "the states that satisfy each subformula, by fixpoints over decision diagrams",
    paper: "BCMDH92",
    accepts: Accepts::CTL,
    options: &[&REACH, &SIFTING, &CLUSTER],
    alias: None,
    build: |options| {
        Ok(Box::new(CtlEngine {
            reach: options.get(&REACH)?,
            sifting: options.get(&SIFTING)?,
            cluster: usize::try_from(options.get(&CLUSTER)?).unwrap_or(usize::MAX),
            mistake: None,
        }))
    },
};

struct CtlEngine {
    reach: bool,
    sifting: bool,
    cluster: usize,
    mistake: Option<Mistake>,
}

impl Engine for CtlEngine {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let Language::Branches { model, formula } = problem.language else {
            return Err(Stop::Unsupported("this engine takes formulas of CTL only".to_owned()));
        };
        budget.check()?;
        check(model, formula)?;
        let reduced = Reduced::new(model, model.system.clone(), &formula.atoms());
        let mut work = WorkCounters::default();
        let compilation = Compilation { sifting: self.sifting, top: 0, shared: problem.diagrams };
        let (compiled, context) = compilation.of(&reduced.model, budget, observer, &mut work)?;
        let states = SystemStates::new(compiled, Direction::Backward, self.cluster, context)?;
        let reach = self.reach.then_some(&reduced.model);
        let mut labels = Labels::new(states, reach, self.mistake)?;
        let labelled = labels.label(model, formula);
        labels.states.tell(variable_count(model));
        labelled?;
        let violating = labels.violating(formula)?;
        if violating.is_bottom() {
            return Ok(Answer::Empty(None));
        }
        Ok(nonempty(problem.witness, budget, |longest| {
            let shown = show(&mut labels, formula, &violating, longest)?;
            shown.map_or(Ok(None), |shown| branch(model, &reduced, shown, longest, budget))
        }))
    }
}

/// The path of the whole model, unless it gets too long.
fn branch(
    model: &Model,
    reduced: &Reduced,
    shown: Shown,
    longest: usize,
    budget: &Budget,
) -> Result<Option<Witness>, Stop> {
    let Shown { moments, loop_start, evidence } = shown;
    let positions = Positions { len: moments.len(), loop_start };
    let trace = reduced.trace(&moments, loop_start, longest, budget)?;
    let Some(trace) = trace else { return Ok(None) };
    let evidence = match trace.len() == positions.len {
        true => evidence,
        false => evidence.unrolled(positions, trace.len()),
    };
    let run = ModelTrace::of(model, trace);
    Ok(Some(Witness::Branch(Box::new(BranchTrace { run, evidence }))))
}

/// An error if the formula is not about states of the model.
fn check(model: &Model, formula: &Ctl) -> Result<(), Stop> {
    let atoms = formula.atoms();
    check_declared(model, &atoms)?;
    if model.is_about_steps(&atoms) {
        let message = "formulas of CTL are about states: no inputs, no next values";
        return Err(Stop::Unsupported(message.to_owned()));
    }
    Ok(())
}
