//! Decides properties one by one.

use std::time::Instant;

use kermode_ltl::Formula;
use kermode_smv::interpreter::Fairness;

use super::counterexample::{Counterexample, replayed, variables};
use super::outcome::{CheckOutcome, CheckVerdict};
use super::property::{Meaning, Property};
use super::request::Checker;
use crate::frame::answer::{InternalError, LeftOut, ModelTrace, Verdict, Witness};
use crate::frame::budget::{Budget, Stop, thread_time};
use crate::frame::decide::decide;
use crate::frame::engine::EngineSpec;
use crate::frame::observer::Observer;
use crate::frame::problem::{Problem, WitnessPolicy};
use crate::frame::shared_diagrams::SharedDiagrams;
use crate::portfolio::Counting;

/// The engines that are asked if the caller names none, one for each kind of property.
const STANDARD_ENGINES: [&str; 1] = ["product:syntactic/el"];

/// How properties are decided.
#[derive(Clone, Debug)]
pub struct CheckSettings {
    /// The engines. A property is decided by the first one that supports it.
    pub engines: Vec<EngineSpec>,
    /// Whether traces are wanted.
    pub witness: WitnessPolicy,
}

impl Default for CheckSettings {
    fn default() -> Self {
        let engine = |name: &str| name.parse().expect("a name of the table");
        let engines = STANDARD_ENGINES.into_iter().map(engine).collect();
        CheckSettings { engines, witness: WitnessPolicy::default() }
    }
}

/// Decides properties of a model. Diagrams that are built for one property are there for the next.
#[derive(Debug)]
pub struct CheckWorker<'c> {
    checker: &'c Checker,
    settings: &'c CheckSettings,
    diagrams: SharedDiagrams,
}

impl<'c> CheckWorker<'c> {
    /// A worker without diagrams.
    pub fn new(checker: &'c Checker, settings: &'c CheckSettings) -> Self {
        CheckWorker { checker, settings, diagrams: SharedDiagrams::new(checker.plain()) }
    }

    /// Decides a property.
    pub fn check(
        &self,
        property: &Property,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> CheckOutcome {
        let (began, cpu) = (Instant::now(), thread_time());
        let mut counting = Counting::new(observer);
        let (engine, result) = match &property.meaning {
            Meaning::Unsupported(why) => {
                (None, Ok(CheckVerdict::Unknown(Stop::Unsupported(why.clone()))))
            }
            Meaning::Paths(formula) => self.runs(*formula, budget, &mut counting),
        };
        CheckOutcome {
            engine,
            result,
            statistics: counting.counted.statistics,
            wall: began.elapsed(),
            cpu: thread_time().saturating_sub(cpu),
        }
    }

    /// Does every fair path satisfy the formula?
    fn runs(
        &self,
        formula: Formula,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> (Option<String>, Result<CheckVerdict, InternalError>) {
        let checker = self.checker;
        let mut store = checker.store.clone();
        let negated = store.not(formula);
        let negated = match checker.assumption {
            Some(assumed) => store.and(assumed, negated),
            None => negated,
        };
        let problem = Problem::runs(&store, &checker.fair, negated)
            .sharing(&self.diagrams)
            .with_witness(self.settings.witness);
        self.decided(&problem, budget, observer, &|run| {
            let language = (&store, &checker.atoms, negated);
            let fairness = Fairness::JusticeAndCompassion;
            let trace = replayed(&checker.model, language, fairness, run, budget)?;
            let mentioned = checker.atoms.of(&store, formula);
            let roots: Vec<_> = mentioned.into_iter().map(|(_, expression)| expression).collect();
            let variables = variables(&checker.model, &roots);
            let of = |trace| Counterexample { trace, variables, not_shown: Vec::new() };
            Ok(trace.map(of))
        })
    }

    /// Asks the first engine that supports the problem, and replays its trace.
    fn decided(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
        replayed: &dyn Fn(&ModelTrace) -> Result<Option<Counterexample>, Stop>,
    ) -> (Option<String>, Result<CheckVerdict, InternalError>) {
        let engines = self.settings.engines.iter();
        let supports = |engine: &&EngineSpec| engine.info().accepts.lacks(problem).is_none();
        let Some(engine) = engines.clone().find(supports) else {
            let lacks = |engine: &EngineSpec| {
                let lack = engine.info().accepts.lacks(problem).unwrap_or_default();
                format!("{} takes no {lack}", engine.info().name)
            };
            let why = engines.map(lacks).collect::<Vec<_>>().join("; ");
            return (None, Ok(CheckVerdict::Unknown(Stop::Unsupported(why))));
        };
        let name = engine.to_string();
        let verdict = decide(problem, engine, budget, observer);
        let result = verdict.and_then(|verdict| match verdict {
            Verdict::Empty(_) => Ok(CheckVerdict::Holds),
            Verdict::Unknown(stop) => Ok(CheckVerdict::Unknown(stop)),
            Verdict::Nonempty(Err(reason)) => Ok(CheckVerdict::Violated(Err(reason))),
            Verdict::Nonempty(Ok(witness)) => {
                let found = match &witness {
                    Witness::Trace(run) => replayed(run),
                    Witness::Word(_) => Ok(None),
                };
                match found {
                    Ok(Some(found)) => Ok(CheckVerdict::Violated(Ok(Box::new(found)))),
                    Ok(None) => Err(InternalError::WitnessFails { engine: name.clone(), witness }),
                    Err(stop) => {
                        let reason = budget.explain(LeftOut::Stopped(stop));
                        Ok(CheckVerdict::Violated(Err(reason)))
                    }
                }
            }
        });
        (Some(name), result)
    }
}
