//! Decides properties one by one.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use kermode_automata::Difference;
use kermode_ltl::{Formula, Store};
use kermode_smv::flat::FlatExpression;
use kermode_smv::interpreter::{Fairness, Trace};
use kermode_smv::property::CtlSpecification;
use kermode_system::Target;
use kermode_system::ctl::evidence::Evidence;

use super::counterexample::{Counterexample, Replayer, atoms_of, variables};
use super::examine::CheckWarning;
use super::outcome::{CheckOutcome, CheckVerdict};
use super::property::{Meaning, Property};
use super::request::Checker;
use super::shorten::shortened;
use crate::engines::ctl::compute;
use crate::frame::answer::{InternalError, LeftOut, ModelTrace, Verdict, Witness};
use crate::frame::budget::{Budget, Stop, thread_time};
use crate::frame::decide::decide;
use crate::frame::engine::EngineSpec;
use crate::frame::observer::Observer;
use crate::frame::problem::{PathEnd, Problem, RunProperty, WitnessPolicy};
use crate::frame::shared_diagrams::SharedDiagrams;
use crate::portfolio::Counting;

/// The engines that are asked if the caller names none, one for each kind of property.
const STANDARD_ENGINES: [&str; 3] = ["product:syntactic/el", "invariant:forward", "ctl:fixpoint"];

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

/// Whether a trace is a counterexample; of CTL, with the claims that it shows.
type Judge<'j> = dyn Fn(&Trace, Option<&Evidence>) -> Result<bool, Stop> + 'j;

/// Decides properties of a model. Diagrams that are built for one property are there for the next.
#[derive(Debug)]
pub struct CheckWorker<'c> {
    pub(super) checker: &'c Checker,
    settings: &'c CheckSettings,
    pub(super) diagrams: SharedDiagrams,
    /// Whether the paths that count for LTL, and those that count for CTL, were examined.
    pub(super) paths_are_examined: [AtomicBool; 2],
}

impl<'c> CheckWorker<'c> {
    /// A worker without diagrams.
    pub fn new(checker: &'c Checker, settings: &'c CheckSettings) -> Self {
        let diagrams = SharedDiagrams::new(checker.plain());
        let paths_are_examined = Default::default();
        CheckWorker { checker, settings, diagrams, paths_are_examined }
    }

    /// Decides a property.
    pub fn check(
        &self,
        property: &Property,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> CheckOutcome {
        let (began, cpu) = (Instant::now(), thread_time());
        let budget = &budget.for_next_question();
        let mut counting = Counting::new(observer);
        let all = self.checker.properties();
        let mut warnings = match std::ptr::eq(property, &all[0]) {
            true => self.examine_states(budget),
            false => Vec::new(),
        };
        let (engine, result) = match &property.meaning {
            Meaning::Unsupported(why) => {
                (None, Ok(CheckVerdict::Unknown(Stop::Unsupported(why.clone()))))
            }
            Meaning::Paths(formula) => self.paths(*formula, budget, &mut counting),
            Meaning::Words(violation) => self.words(violation, budget, &mut counting),
            Meaning::Never { .. } | Meaning::Branches(_) | Meaning::Compute { .. }
                if self.checker.assumption.is_some() =>
            {
                let why = "assumptions are about paths of LTL properties".to_owned();
                (None, Ok(CheckVerdict::Unknown(Stop::Unsupported(why))))
            }
            &Meaning::Never { target, invariant } => {
                self.never(target, invariant, budget, &mut counting)
            }
            Meaning::Branches(formula) => {
                if !self.checker.model.flat.compassion.is_empty() {
                    warnings.push(CheckWarning::CompassionIgnored);
                }
                self.branches(formula, budget, &mut counting)
            }
            Meaning::Compute { kind, from, to } => {
                let (model, diagrams) = (self.checker.plain(), Some(&self.diagrams));
                let (from, to) = (&from.formula, &to.formula);
                let length = compute(model, *kind, from, to, diagrams, budget, &mut counting);
                if let Err(Stop::Nodes) = length {
                    self.diagrams.clear();
                }
                (None, Ok(length.map_or_else(CheckVerdict::Unknown, CheckVerdict::Computed)))
            }
        };
        if matches!(result, Ok(CheckVerdict::Holds)) {
            warnings.extend(self.examine_paths(property.kind, budget));
        }
        CheckOutcome {
            engine,
            warnings,
            result,
            statistics: counting.counted.statistics,
            wall: began.elapsed(),
            cpu: thread_time().saturating_sub(cpu),
        }
    }

    /// Does every path in question satisfy the formula?
    fn paths(
        &self,
        formula: Formula,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> (Option<String>, Result<CheckVerdict, InternalError>) {
        let checker = self.checker;
        let mut store = checker.store.clone();
        let negated = store.not(formula);
        let wanted = match checker.assumption {
            Some(assumed) => store.and(assumed, negated),
            None => negated,
        };
        self.no_run((&store, wanted.into()), formula.into(), budget, observer)
    }

    /// Has no path in question a word in the difference?
    fn words(
        &self,
        violation: &Difference,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> (Option<String>, Result<CheckVerdict, InternalError>) {
        self.no_run((&self.checker.store, violation.into()), violation.into(), budget, observer)
    }

    /// Has no path in question a word with a property? Traces show the variables of `mentioned`
    /// first.
    fn no_run(
        &self,
        (store, property): (&Store, RunProperty),
        mentioned: RunProperty,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> (Option<String>, Result<CheckVerdict, InternalError>) {
        let checker = self.checker;
        let model = &checker.fair;
        let problem = match checker.finite {
            None => Problem::runs(store, model, property),
            Some(end) => Problem::finite_runs(store, model, property, end),
        };
        let mentioned = atoms_of(store, &checker.atoms, mentioned);
        let roots: Vec<_> = mentioned.into_iter().map(|(_, expression)| expression).collect();
        let replay = Replayer { model: &checker.model, budget };
        let has = |trace: &Trace, property| replay.has(trace, store, &checker.atoms, property);
        self.decided(problem, &roots, budget, observer, &|trace, _| {
            let is_path = match checker.finite {
                None => replay.is_path(trace, Fairness::JusticeAndCompassion)?,
                Some(PathEnd::Anywhere) => replay.is_path(trace, Fairness::Ignored)?,
                Some(PathEnd::DeadEnd) => {
                    replay.is_path(trace, Fairness::Ignored)? && replay.is_dead_end(trace)?
                }
            };
            // The automaton of an assumption need not be trusted.
            let is_assumed = |trace| match checker.assumption {
                Some(assumed) => has(trace, assumed.into()),
                None => Ok(true),
            };
            Ok(is_path && has(trace, property)? && is_assumed(trace)?)
        })
    }

    /// Does no path end with the target?
    fn never(
        &self,
        target: Target,
        invariant: Option<FlatExpression>,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> (Option<String>, Result<CheckVerdict, InternalError>) {
        let checker = self.checker;
        let problem = Problem::paths(&checker.store, checker.plain(), target);
        let roots: Vec<_> = invariant.into_iter().collect();
        let replay = Replayer { model: &checker.model, budget };
        self.decided(problem, &roots, budget, observer, &|trace, _| {
            Ok(replay.is_path(trace, Fairness::Ignored)?
                && match invariant {
                    Some(invariant) => replay.violates(trace, target, invariant),
                    None => replay.is_dead_end(trace)?,
                })
        })
    }

    /// Does every fair initial state satisfy the formula?
    fn branches(
        &self,
        specification: &CtlSpecification,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> (Option<String>, Result<CheckVerdict, InternalError>) {
        let checker = self.checker;
        let formula = &specification.formula;
        let problem = Problem::branches(&checker.store, checker.plain(), formula);
        let root = [specification.origin(formula.root())];
        let replay = Replayer { model: &checker.model, budget };
        let judge: &Judge = &|trace, evidence| {
            let shown = evidence.map_or(&[][..], |evidence| &evidence.shown);
            Ok(replay.is_path(trace, Fairness::Justice)?
                && replay.are_right(trace, specification, shown))
        };
        let (engine, result) = self.decided(problem, &root, budget, observer, judge);
        let result = result.map(|verdict| match verdict {
            CheckVerdict::Violated(Ok(mut found)) => {
                // What a claim is about has a name here.
                found.describe(&checker.model, specification);
                CheckVerdict::Violated(Ok(found))
            }
            verdict => verdict,
        });
        (engine, result)
    }

    /// Asks the first engine that supports the problem, and replays its trace.
    fn decided(
        &self,
        problem: Problem,
        mentioned: &[FlatExpression],
        budget: &Budget,
        observer: &mut dyn Observer,
        judge: &Judge,
    ) -> (Option<String>, Result<CheckVerdict, InternalError>) {
        let problem = problem.sharing(&self.diagrams).with_witness(self.settings.witness);
        let problem = &problem;
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
                let (found, claims) = match &witness {
                    Witness::Trace(run) => (self.shortest(run, budget, judge), Vec::new()),
                    Witness::Branch(branch) => {
                        let claims = branch.evidence.not_shown.clone();
                        (self.judged(&branch.run, Some(&branch.evidence), judge), claims)
                    }
                    Witness::Word(_) => (Ok(None), Vec::new()),
                };
                match found {
                    Ok(Some(trace)) => {
                        let variables = variables(&self.checker.model, mentioned);
                        let found = Counterexample::new(trace, variables, claims);
                        Ok(CheckVerdict::Violated(Ok(Box::new(found))))
                    }
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

    /// The trace of a run, shortened, if it is a counterexample.
    fn shortest(
        &self,
        run: &ModelTrace,
        budget: &Budget,
        judge: &Judge,
    ) -> Result<Option<Trace>, Stop> {
        budget.check()?;
        let trace = self.judged(run, None, judge)?;
        Ok(trace.map(|trace| shortened(trace, &|trace| judge(trace, None))))
    }

    /// The trace of a run, if it is a counterexample.
    fn judged(
        &self,
        run: &ModelTrace,
        evidence: Option<&Evidence>,
        judge: &Judge,
    ) -> Result<Option<Trace>, Stop> {
        let model = &self.checker.model;
        match model.encoded.decode(&model.flat, &run.trace) {
            Some(trace) if judge(&trace, evidence)? => Ok(Some(trace)),
            _ => Ok(None),
        }
    }
}
