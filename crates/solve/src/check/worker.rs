//! Decides properties one by one.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kermode_automata::Difference;
use kermode_ltl::{Formula, Store};
use kermode_smv::flat::FlatExpression;
use kermode_smv::interpreter::{Fairness, Trace};
use kermode_smv::property::CtlSpecification;
use kermode_system::Target;
use kermode_system::ctl::evidence::Evidence;

use super::counterexample::{Counterexample, Replayer, atoms_of, variables};
use super::examine::CheckWarning;
use super::merged::Merged;
use super::outcome::{CheckOutcome, CheckVerdict};
use super::property::{Meaning, Property};
use super::request::Checker;
use super::settings::{CheckSettings, EarlyTurn, InProcess, PropertyRace};
use super::shorten::shortened;
use crate::engines::ctl::compute;
use crate::frame::answer::{InternalError, LeftOut, ModelTrace, Verdict, Witness};
use crate::frame::budget::{Budget, Stop, thread_time};
use crate::frame::decide::decide;
use crate::frame::engine::EngineSpec;
use crate::frame::observer::{Observer, Statistics};
use crate::frame::problem::{PathEnd, Problem, RunProperty};
use crate::frame::shared_diagrams::SharedDiagrams;
use crate::portfolio::{Counting, Decided, Entrant};

/// Whether a trace is a counterexample; of CTL, with the claims that it shows.
type Judge<'j> = dyn Fn(&Trace, Option<&Evidence>) -> Result<bool, Stop> + 'j;

/// Decides properties of a model. Diagrams that are built for one property are there for the next.
pub struct CheckWorker<'c> {
    pub(super) checker: &'c Checker,
    pub(super) settings: &'c CheckSettings,
    race: &'c dyn PropertyRace,
    pub(super) diagrams: SharedDiagrams,
    /// The model without signals that others determine, once it is known.
    merged: OnceLock<Option<Merged>>,
    /// Whether the paths that count for LTL, and those that count for CTL, were examined.
    pub(super) paths_are_examined: [AtomicBool; 2],
    /// Whether an examination has shown that diagrams are slow.
    pub(super) diagrams_are_slow: AtomicBool,
}

impl<'c> CheckWorker<'c> {
    /// A worker without diagrams.
    pub fn new(checker: &'c Checker, settings: &'c CheckSettings) -> Self {
        let diagrams = SharedDiagrams::new(checker.plain());
        CheckWorker {
            checker,
            settings,
            race: &InProcess,
            diagrams,
            merged: OnceLock::new(),
            paths_are_examined: Default::default(),
            diagrams_are_slow: AtomicBool::new(false),
        }
    }

    /// The same worker, with another way to run the engines of a schedule.
    #[must_use]
    pub fn racing(self, race: &'c dyn PropertyRace) -> Self {
        CheckWorker { race, ..self }
    }

    /// The smaller model, if there are signals to remove.
    fn merged(&self, budget: &Budget) -> Option<&Merged> {
        self.merged.get_or_init(|| Merged::of(self.checker, budget)).as_ref()
    }

    /// The smaller model, if it was computed before.
    pub(super) fn known_merged(&self) -> Option<&Merged> {
        self.merged.get().and_then(Option::as_ref)
    }

    /// The variable order of the diagrams, as an order file, if there are diagrams. Sifting may
    /// have changed it.
    pub fn order_file(&self) -> Option<String> {
        let mut encoded = self.checker.model.encoded.clone();
        let smaller = self.known_merged().and_then(|merged| merged.diagrams.present_order());
        let order = smaller.or_else(|| self.diagrams.present_order())?;
        // Variables that are not in the diagrams come last.
        let mut left = std::mem::take(&mut encoded.model.order);
        left.retain(|variable| !order.contains(variable));
        encoded.model.order = [order, left].concat();
        Some(encoded.write_order())
    }

    /// The part of a budget for which diagrams are made: those of a schedule are for its first
    /// engines. An operation on diagrams that exceeds the slice ends when the table is full.
    pub(super) fn diagram_budget(&self, budget: &Budget) -> Budget {
        let slices = self.settings.schedule.first.iter().map(|turn| turn.slice);
        match slices.max().filter(|_| self.settings.engines.is_empty()) {
            Some(slice) => budget.slice(slice),
            None => budget.part(budget.cancellation().clone()),
        }
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
        let reached = match &property.meaning {
            Meaning::Unsupported(why) => Reached::unsupported(why.clone()),
            Meaning::Paths(formula) => self.paths(*formula, budget, &mut counting),
            Meaning::Words(violation) => self.words(violation, budget, &mut counting),
            Meaning::Never { .. } | Meaning::Branches(_) | Meaning::Compute { .. }
                if self.checker.assumption.is_some() =>
            {
                Reached::unsupported("assumptions are about paths of LTL properties".to_owned())
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
                let verdict = length.map_or_else(CheckVerdict::Unknown, CheckVerdict::Computed);
                Reached::without_engine(verdict)
            }
        };
        let Reached { engine, result, statistics, entrants, worker_cpu } = reached;
        if matches!(result, Ok(CheckVerdict::Holds)) {
            warnings.extend(self.examine_paths(property.kind, budget));
        }
        CheckOutcome {
            engine,
            warnings,
            result,
            statistics: statistics.unwrap_or(counting.counted.statistics),
            entrants,
            wall: began.elapsed(),
            cpu: thread_time().saturating_sub(cpu) + worker_cpu,
        }
    }

    /// Does every path in question satisfy the formula?
    fn paths(&self, formula: Formula, budget: &Budget, observer: &mut dyn Observer) -> Reached {
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
    ) -> Reached {
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
    ) -> Reached {
        let checker = self.checker;
        let mentioned = atoms_of(store, &checker.atoms, mentioned);
        let roots: Vec<_> = mentioned.into_iter().map(|(_, expression)| expression).collect();
        let replay = Replayer { model: &checker.model, budget };
        let has = |trace: &Trace, property| replay.has(trace, store, &checker.atoms, property);
        let problems = Problems {
            about: &|merged| {
                let model = merged.map_or(&checker.fair, |merged| &merged.fair);
                match checker.finite {
                    None => Problem::runs(store, model, property),
                    Some(end) => Problem::finite_runs(store, model, property, end),
                }
            },
            may_merge: true,
        };
        self.decided(problems, &roots, budget, observer, &|trace, _| {
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
    ) -> Reached {
        let checker = self.checker;
        let roots: Vec<_> = invariant.into_iter().collect();
        let replay = Replayer { model: &checker.model, budget };
        let store = &checker.store;
        let problems = Problems {
            about: &|merged| match merged {
                Some(merged) => Problem::paths(store, &merged.plain, merged.target(target)),
                None => Problem::paths(store, checker.plain(), target),
            },
            may_merge: true,
        };
        self.decided(problems, &roots, budget, observer, &|trace, _| {
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
    ) -> Reached {
        let checker = self.checker;
        let formula = &specification.formula;
        let root = [specification.origin(formula.root())];
        let replay = Replayer { model: &checker.model, budget };
        let judge: &Judge = &|trace, evidence| {
            let shown = evidence.map_or(&[][..], |evidence| &evidence.shown);
            Ok(replay.is_path(trace, Fairness::Justice)?
                && replay.are_right(trace, specification, shown))
        };
        let problems = Problems {
            about: &|_| Problem::branches(&checker.store, checker.plain(), formula),
            may_merge: false,
        };
        let reached = self.decided(problems, &root, budget, observer, judge);
        let result = reached.result.map(|verdict| match verdict {
            CheckVerdict::Violated(Ok(mut found)) => {
                // What a claim is about has a name here.
                found.describe(&checker.model, specification);
                CheckVerdict::Violated(Ok(found))
            }
            verdict => verdict,
        });
        Reached { result, ..reached }
    }

    /// Decides a property, perhaps on the smaller model, and replays the trace.
    fn decided<'p>(
        &'p self,
        problems: Problems<'_, 'p>,
        mentioned: &[FlatExpression],
        budget: &Budget,
        observer: &mut dyn Observer,
        judge: &Judge,
    ) -> Reached {
        let decided = match self.settings.engines.is_empty() {
            true => self.raced(problems, budget, observer),
            false => self.by_engine(&self.problem(problems, None), budget, observer),
        };
        let (decided, merged) = match decided {
            Ok(decided) => decided,
            Err(why) => return Reached::unsupported(why),
        };
        let Decided { verdict, engine, mut statistics, entrants, worker_cpu } = decided;
        let engine = engine.map(|engine| engine.to_string());
        let name = engine.clone().unwrap_or_default();
        let result = verdict.and_then(|verdict| match verdict {
            Verdict::Empty(_) => Ok(CheckVerdict::Holds),
            Verdict::Unknown(stop) => Ok(CheckVerdict::Unknown(stop)),
            Verdict::Nonempty(Err(reason)) => Ok(CheckVerdict::Violated(Err(reason))),
            Verdict::Nonempty(Ok(witness)) => {
                let witness = match (witness, merged) {
                    (Witness::Trace(ModelTrace { trace, word }), Some(merged)) => {
                        let trace = merged.whole(self.checker, &trace);
                        Witness::Trace(ModelTrace { trace, word })
                    }
                    (witness, _) => witness,
                };
                self.replayed(name, witness, mentioned, budget, judge)
            }
        });
        if let Some(merged) = merged {
            statistics.set("merged_variables", merged.removed() as u64);
        }
        let statistics = Some(statistics).filter(|_| self.settings.engines.is_empty());
        Reached { engine, result, statistics, entrants, worker_cpu }
    }

    /// Asks the first engine that supports the problem, or says why none does.
    fn by_engine(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<(Decided, Option<&Merged>), String> {
        let engines = self.settings.engines.iter();
        let supports = |engine: &&EngineSpec| engine.info().accepts.lacks(problem).is_none();
        let Some(engine) = engines.clone().find(supports) else {
            return Err(no_engine(problem, engines));
        };
        let decided = Decided {
            verdict: decide(problem, engine, budget, observer),
            engine: Some(engine.clone()),
            statistics: Statistics::default(),
            entrants: Vec::new(),
            worker_cpu: Duration::ZERO,
        };
        Ok((decided, None))
    }

    /// Runs the engines of the schedule that support the problem, or says why none does. Returns
    /// the smaller model as well, if the answer is about that.
    ///
    /// The search for signals to remove takes longer than many properties, so the first engine of
    /// the schedule has its turn before it.
    fn raced<'p>(
        &'p self,
        problems: Problems<'_, 'p>,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<(Decided, Option<&'p Merged>), String> {
        let known = self.known_merged().filter(|_| problems.may_merge);
        let mut problem = self.problem(problems, known);
        let all = &self.settings.schedule;
        let mut schedule = all.clone().that(|accepts| accepts.lacks(&problem).is_none());
        if self.diagrams_are_slow.load(Ordering::Relaxed) {
            schedule = schedule.for_slow_diagrams();
        }
        if schedule.is_empty() {
            let turns = all.first.iter().chain(&all.turns);
            return Err(no_engine(&problem, turns.map(|turn| &turn.engine)));
        }
        // Of the first engines of schedules, only those without diagrams have a slice for models
        // whose diagrams are slow.
        let early = schedule.first.first().filter(|turn| turn.slow.is_some()).cloned();
        if let Some(turn) = early {
            match self.race.early_turn(&problem, &turn, budget, observer) {
                EarlyTurn::Decided(decided) => return Ok((*decided, known)),
                EarlyTurn::Undecided => drop(schedule.first.remove(0)),
                EarlyTurn::NotTaken => {}
            }
        }
        let merged = match problems.may_merge {
            true => self.merged(budget),
            false => None,
        };
        if known.is_none() && merged.is_some() {
            problem = self.problem(problems, merged);
        }
        Ok((self.race.decide(&problem, &schedule, budget, observer), merged))
    }

    /// The problem about the model as it is or about the smaller one, with the shared diagrams.
    fn problem<'p>(
        &'p self,
        problems: Problems<'_, 'p>,
        merged: Option<&'p Merged>,
    ) -> Problem<'p> {
        let diagrams = merged.map_or(&self.diagrams, |merged| &merged.diagrams);
        (problems.about)(merged).sharing(diagrams).with_witness(self.settings.witness)
    }

    /// The counterexample of a witness.
    fn replayed(
        &self,
        engine: String,
        witness: Witness,
        mentioned: &[FlatExpression],
        budget: &Budget,
        judge: &Judge,
    ) -> Result<CheckVerdict, InternalError> {
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
            Ok(None) => Err(InternalError::WitnessFails { engine, witness }),
            Err(stop) => {
                let reason = budget.explain(LeftOut::Stopped(stop));
                Ok(CheckVerdict::Violated(Err(reason)))
            }
        }
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

/// The problems that decide a property.
#[derive(Clone, Copy)]
struct Problems<'f, 'p> {
    /// The problem about the model as it is, or about the smaller model.
    about: &'f dyn Fn(Option<&'p Merged>) -> Problem<'p>,
    /// Whether the smaller model serves.
    may_merge: bool,
}

/// What the engines say about a property.
struct Reached {
    engine: Option<String>,
    result: Result<CheckVerdict, InternalError>,
    /// The counters of the engine that answered, if it is one of several.
    statistics: Option<Statistics>,
    entrants: Vec<Entrant>,
    worker_cpu: Duration,
}

impl Reached {
    fn without_engine(verdict: CheckVerdict) -> Self {
        Reached {
            engine: None,
            result: Ok(verdict),
            statistics: None,
            entrants: Vec::new(),
            worker_cpu: Duration::ZERO,
        }
    }

    fn unsupported(why: String) -> Self {
        Reached::without_engine(CheckVerdict::Unknown(Stop::Unsupported(why)))
    }
}

/// Why none of some engines supports a problem.
fn no_engine<'e>(problem: &Problem, engines: impl Iterator<Item = &'e EngineSpec>) -> String {
    let lacks = |engine: &EngineSpec| {
        let lack = engine.info().accepts.lacks(problem).unwrap_or_default();
        format!("{} takes no {lack}", engine.info().name)
    };
    engines.map(lacks).collect::<Vec<_>>().join("; ")
}

impl fmt::Debug for CheckWorker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckWorker").field("settings", self.settings).finish_non_exhaustive()
    }
}
