//! One engine, or several that take turns.

use std::fmt;
use std::thread::available_parallelism;
use std::time::Duration;

use super::schedule::Schedule;
use super::tally::Decided;
use super::{Counting, on_threads};
use crate::engines::ENGINES;
use crate::frame::budget::Budget;
use crate::frame::decide::decide;
use crate::frame::engine::{Accepts, EngineSpec, SpecError};
use crate::frame::observer::Observer;
use crate::frame::problem::Problem;

/// One engine, or a schedule of several.
#[derive(Clone, Debug)]
pub enum Solver {
    /// One engine.
    Engine(EngineSpec),
    /// The engines of a schedule.
    Portfolio(Schedule),
}

/// Why there is no engine for a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// The engine does not rewrite.
    #[error("engine {engine} does not rewrite, so it takes no rules")]
    NoRewriting {
        /// The engine.
        engine: String,
    },
    /// The engine does not support automata.
    #[error("engine {engine} takes no automata; those that do: {able}")]
    NoAutomata {
        /// The engine.
        engine: String,
        /// The engines that do.
        able: String,
    },
    /// No engine of the schedule supports automata.
    #[error("no engine of the schedule takes automata; those that do: {able}")]
    NoneTakesAutomata {
        /// The engines that do.
        able: String,
    },
    /// The rules are invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

impl Default for Solver {
    /// The standard portfolio.
    fn default() -> Self {
        Solver::Portfolio(Schedule::standard())
    }
}

impl From<EngineSpec> for Solver {
    fn from(engine: EngineSpec) -> Self {
        Solver::Engine(engine)
    }
}

impl From<Schedule> for Solver {
    fn from(schedule: Schedule) -> Self {
        Solver::Portfolio(schedule)
    }
}

impl Solver {
    /// The same engines with these rewriting rules, in the notation of the option `rules`. Engines
    /// of a schedule that do not rewrite ignore them.
    pub fn with_rules(self, rules: &str) -> Result<Solver, SolverError> {
        match self {
            Solver::Engine(engine) => match engine.clone().with("rules", rules)? {
                Some(engine) => Ok(engine.into()),
                None => Err(SolverError::NoRewriting { engine: engine.to_string() }),
            },
            Solver::Portfolio(_) => self.rewriting_by(rules),
        }
    }

    /// The same engines without rewriting.
    pub fn without_rewriting(self) -> Result<Solver, SolverError> {
        self.rewriting_by("none")
    }

    /// The same engines, with these rules for those that rewrite.
    fn rewriting_by(self, rules: &str) -> Result<Solver, SolverError> {
        let with = |engine: EngineSpec| -> Result<EngineSpec, SpecError> {
            Ok(engine.clone().with("rules", rules)?.unwrap_or(engine))
        };
        Ok(match self {
            Solver::Engine(engine) => with(engine)?.into(),
            Solver::Portfolio(schedule) => schedule.with(with)?.into(),
        })
    }

    /// The engines that support automata.
    pub fn for_automata(self) -> Result<Solver, SolverError> {
        let takes = |accepts: Accepts| accepts.automata;
        let able = || {
            let able = ENGINES.iter().filter(|engine| takes(engine.accepts));
            able.map(|engine| engine.name).collect::<Vec<_>>().join(", ")
        };
        match self {
            Solver::Engine(engine) if !takes(engine.info().accepts) => {
                Err(SolverError::NoAutomata { engine: engine.to_string(), able: able() })
            }
            Solver::Engine(_) => Ok(self),
            Solver::Portfolio(schedule) => {
                let schedule = schedule.that(takes);
                match schedule.is_empty() {
                    true => Err(SolverError::NoneTakesAutomata { able: able() }),
                    false => Ok(schedule.into()),
                }
            }
        }
    }

    /// Decides a problem; the engines of a portfolio take turns on as many threads as there are
    /// processors.
    pub fn decide(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Decided {
        match self {
            Solver::Engine(engine) => by_engine(problem, engine, budget, observer),
            Solver::Portfolio(schedule) => {
                on_threads(problem, schedule, processors(), budget, observer)
            }
        }
    }
}

/// Decides a problem by one engine.
fn by_engine(
    problem: &Problem,
    engine: &EngineSpec,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Decided {
    let mut counting = Counting::new(observer);
    let verdict = decide(problem, engine, budget, &mut counting);
    let statistics = counting.counted.statistics;
    let (entrants, worker_cpu) = (Vec::new(), Duration::ZERO);
    Decided { verdict, engine: Some(engine.clone()), statistics, entrants, worker_cpu }
}

/// The number of threads that can run at the same time.
pub fn processors() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// The name of the solver when no single engine has answered.
impl fmt::Display for Solver {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Solver::Engine(engine) => engine.fmt(f),
            Solver::Portfolio(_) => f.write_str("portfolio"),
        }
    }
}

#[cfg(test)]
mod tests {
    use kermode_ltl::{Store, WordKind};

    use super::*;
    use crate::frame::observer::Silent;

    fn engine(text: &str) -> Solver {
        text.parse::<EngineSpec>().expect("an engine").into()
    }

    fn schedule(text: &str) -> Solver {
        Schedule::read(text).expect("a schedule").into()
    }

    #[test]
    fn rules_are_for_engines_that_rewrite() {
        let shown = |solver: Solver| format!("{solver:?}");
        let rewrites = engine("tgba:magic").with_rules("none").expect("rules");
        assert_eq!(rewrites.to_string(), "tgba:magic:rules=none");
        let refused = engine("reference:auto").with_rules("none").expect_err("no rewriting");
        let message = "engine reference:auto does not rewrite, so it takes no rules";
        assert_eq!(refused.to_string(), message);
        let plain = engine("reference:auto").without_rewriting().expect("no rewriting anyway");
        assert_eq!(plain.to_string(), "reference:auto");
        assert!(engine("tgba:magic").with_rules("no-such").is_err());
        let both = schedule("1s reference:auto\n1s tgba:magic").with_rules("none").expect("rules");
        assert!(shown(both).contains("tgba:magic:rules=none"));
    }

    #[test]
    fn engines_that_take_no_automata_are_left_out() {
        let able = engine("tgba:magic").for_automata().expect("it does");
        assert_eq!(able.to_string(), "tgba:magic");
        let refused = engine("reference:auto").for_automata().expect_err("it does not");
        assert!(refused.to_string().contains("those that do: antichain:forward"), "{refused}");
        let Ok(Solver::Portfolio(left)) =
            schedule("first 1s reference:auto\n1s tgba:magic").for_automata()
        else {
            panic!("one is left");
        };
        assert_eq!((left.first.len(), left.turns.len()), (0, 1));
        let none = schedule("1s reference:auto").for_automata().expect_err("none is left");
        assert!(matches!(none, SolverError::NoneTakesAutomata { .. }));
    }

    #[test]
    fn one_engine_and_several_decide_alike() {
        let mut store = Store::new();
        let formula = store.named("a");
        let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
        for solver in [Solver::default(), engine("tgba:couvreur")] {
            let decided = solver.decide(&problem, &Budget::unlimited(), &mut Silent::default());
            assert!(decided.verdict.expect("no internal error").is_nonempty());
            assert!(decided.engine.is_some());
        }
        assert_eq!(Solver::default().to_string(), "portfolio");
    }
}
