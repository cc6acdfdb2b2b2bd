//! From a problem to a verdict: run the engine, then replay its witness.
//!
//! Invariant: the witness of a [`Verdict`] is in the language by the plain semantics. Replay runs
//! inside the budget. If the budget ends during replay, the verdict is kept and the witness is left
//! out.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::frame::answer::{Answer, InternalError, LeftOut, Verdict, Witness};
use crate::frame::bdd_manager::more_time_gives_more_nodes;
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::EngineSpec;
use crate::frame::observer::Observer;
use crate::frame::problem::Problem;

/// The largest number of positions that a replay evaluates.
const MOST_POSITIONS: usize = 10_000_000;

/// Runs an engine and checks its answer.
pub fn decide(
    problem: &Problem,
    engine: &EngineSpec,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Verdict, InternalError> {
    match ask(problem, engine, budget, observer)? {
        Ok(answer) => judge(problem, answer, budget, &engine.to_string()),
        Err(stop) => Ok(Verdict::Unknown(stop)),
    }
}

/// Runs an engine. Its answer is not yet checked.
pub fn ask(
    problem: &Problem,
    engine: &EngineSpec,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Result<Answer, Stop>, InternalError> {
    if let Some(lack) = engine.info().accepts.lacks(problem) {
        return Ok(Err(Stop::Unsupported(format!("this engine takes no {lack}"))));
    }
    let run = || match engine.build() {
        Ok(engine) => engine.solve(problem, budget, observer),
        Err(error) => Err(Stop::Unsupported(error.to_string())),
    };
    let said = catch_unwind(AssertUnwindSafe(run)).map_err(|panic| InternalError::Panic {
        engine: engine.to_string(),
        message: panic_message(&*panic),
    });
    let said = said?;
    if let (Err(Stop::Nodes), Some(diagrams)) = (&said, problem.diagrams) {
        diagrams.clear();
    }
    Ok(in_time(said, budget))
}

/// The answer of an engine; a full table of nodes is a timeout if the table was small for lack of
/// time.
pub(crate) fn in_time(said: Result<Answer, Stop>, budget: &Budget) -> Result<Answer, Stop> {
    let settled = |stop| match stop {
        Stop::Nodes if more_time_gives_more_nodes(budget) => Stop::Timeout,
        stop => stop,
    };
    match said {
        Ok(Answer::Nonempty(Err(LeftOut::Stopped(stop)))) => {
            Ok(Answer::Nonempty(Err(budget.explain(LeftOut::Stopped(settled(stop))))))
        }
        said => said.map_err(settled),
    }
}

/// Checks the answer of an engine, which may have run in another process.
pub fn judge(
    problem: &Problem,
    answer: Answer,
    budget: &Budget,
    engine: &str,
) -> Result<Verdict, InternalError> {
    match answer {
        Answer::Empty(certificate) => Ok(Verdict::Empty(certificate)),
        Answer::Nonempty(_) if !problem.witness.wanted => {
            Ok(Verdict::Nonempty(Err(LeftOut::NotAsked)))
        }
        Answer::Nonempty(Err(reason)) => Ok(Verdict::Nonempty(Err(reason))),
        Answer::Nonempty(Ok(witness)) => {
            replay(problem, witness, budget, engine.to_owned()).map(Verdict::Nonempty)
        }
    }
}

/// The message of a caught panic.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// The shortened witness, or the reason why it is not shown.
fn replay(
    problem: &Problem,
    witness: Witness,
    budget: &Budget,
    engine: String,
) -> Result<Result<Witness, LeftOut>, InternalError> {
    let (length, limit) = (witness.word().len(), problem.witness.limit);
    if length > limit {
        return Ok(Err(LeftOut::TooLong { length, limit }));
    }
    let witness = witness.shortened();
    let positions = problem.language.judged_positions(problem.store, witness.word());
    if positions > MOST_POSITIONS {
        return Ok(Err(LeftOut::TooFar { positions, limit: MOST_POSITIONS }));
    }
    let judge = || problem.language.judge(problem.store, &witness, budget);
    let judged = match catch_unwind(AssertUnwindSafe(judge)) {
        Ok(judged) => judged,
        Err(panic) => {
            let message = format!("judging its witness: {}", panic_message(&*panic));
            return Err(InternalError::Panic { engine, message });
        }
    };
    match judged {
        Ok(true) => Ok(Ok(witness)),
        Ok(false) => Err(InternalError::WitnessFails { engine, witness }),
        Err(stop) => Ok(Err(budget.explain(LeftOut::Stopped(stop)))),
    }
}

#[cfg(test)]
mod tests {
    use kermode_automata::{Difference, from_ltl};
    use kermode_ltl::{Letter, Node, Store, UnaryOp, Word, WordKind};

    use super::*;
    use crate::frame::engine::{Accepts, Engine, EngineInfo};
    use crate::frame::observer::Silent;
    use crate::frame::options::ValueError;

    /// An engine with a fixed answer to all problems.
    struct Liar(fn() -> Answer);

    impl Engine for Liar {
        fn solve(&self, _: &Problem, _: &Budget, _: &mut dyn Observer) -> Result<Answer, Stop> {
            Ok((self.0)())
        }
    }

    const fn liar(
        build: fn(&crate::frame::options::Options) -> Result<Box<dyn Engine>, ValueError>,
    ) -> EngineInfo {
        EngineInfo { accepts: Accepts::AUTOMATA, ..EngineInfo::new("test:liar", build) }
    }

    fn empty_loop() -> Answer {
        Answer::Nonempty(Ok(Witness::Word(Word::lasso(Vec::new(), vec![Letter::default()]))))
    }

    fn say(info: &'static EngineInfo, problem: &Problem) -> Result<Verdict, InternalError> {
        let budget = Budget::unlimited();
        decide(problem, &EngineSpec::of(info), &budget, &mut Silent::default())
    }

    fn ask(
        info: &'static EngineInfo,
        name: &str,
        words: WordKind,
    ) -> Result<Verdict, InternalError> {
        let mut store = Store::new();
        let formula = store.named(name);
        say(info, &Problem::satisfiability(&store, formula, words))
    }

    #[test]
    fn a_word_that_does_not_satisfy_the_formula_is_an_internal_error() {
        static FALSE: EngineInfo = liar(|_| Ok(Box::new(Liar(empty_loop))));
        let result = ask(&FALSE, "a", WordKind::Infinite);
        assert!(matches!(result, Err(InternalError::WitnessFails { .. })), "{result:?}");
    }

    #[test]
    fn a_word_of_the_wrong_kind_is_an_internal_error() {
        static INFINITE: EngineInfo = liar(|_| Ok(Box::new(Liar(empty_loop))));
        let result = ask(&INFINITE, "a", WordKind::Finite);
        assert!(matches!(result, Err(InternalError::WitnessFails { .. })), "{result:?}");
        static EMPTY: EngineInfo = liar(|_| {
            Ok(Box::new(Liar(|| Answer::Nonempty(Ok(Witness::Word(Word::finite(Vec::new())))))))
        });
        let result = ask(&EMPTY, "a", WordKind::Finite);
        assert!(matches!(result, Err(InternalError::WitnessFails { .. })), "{result:?}");
    }

    /// Each part of a difference checks the word separately.
    #[test]
    fn a_word_that_one_part_does_not_agree_with_is_an_internal_error() {
        static SAYS_SO: EngineInfo = liar(|_| Ok(Box::new(Liar(empty_loop))));
        let mut store = Store::new();
        let (yes, no) = (store.constant(true), store.constant(false));
        let [all, none] = [yes, no].map(|formula| {
            from_ltl(&mut store, formula, WordKind::Infinite).expect("a translation")
        });
        let all_of = || Difference::of(all.clone());
        for (difference, fails) in [
            (all_of().and(all.clone()).not(none.clone()), false),
            (all_of().and(none.clone()), true),
            (all_of().not(none.clone()).not(all.clone()), true),
            (Difference::of(none.clone()), true),
        ] {
            let result = say(&SAYS_SO, &Problem::emptiness(&store, &difference));
            let failed = matches!(result, Err(InternalError::WitnessFails { .. }));
            assert_eq!(failed, fails, "{difference:?}");
        }
    }

    #[test]
    fn an_engine_is_not_run_on_what_it_does_not_take() {
        const BUILD: fn(&crate::frame::options::Options) -> Result<Box<dyn Engine>, ValueError> =
            |_| Ok(Box::new(Liar(|| panic!("it was run"))));
        static FORMULAS: EngineInfo = EngineInfo::new("test:formulas", BUILD);
        const FUTURE: Accepts = Accepts { finite: false, past: false, ..Accepts::FORMULAS };
        static INFINITE: EngineInfo =
            EngineInfo { accepts: FUTURE, ..EngineInfo::new("test:infinite", BUILD) };
        let mut store = Store::new();
        let a = store.named("a");
        let once = store.intern(Node::Unary(UnaryOp::Once, a));
        let refuses = |said, what| {
            let why = format!("this engine takes no {what}");
            assert_eq!(said, Ok(Verdict::Unknown(Stop::Unsupported(why))));
        };
        let finite = Problem::satisfiability(&store, a, WordKind::Finite);
        refuses(say(&INFINITE, &finite), "finite words");
        let past = Problem::satisfiability(&store, once, WordKind::Infinite);
        refuses(say(&INFINITE, &past), "past operators");
        let automaton = from_ltl(&mut store, a, WordKind::Infinite).expect("a translation");
        let difference = Difference::of(automaton);
        refuses(say(&FORMULAS, &Problem::emptiness(&store, &difference)), "automata");
    }

    #[test]
    fn a_panic_is_an_internal_error_that_names_the_engine() {
        static PANIC: EngineInfo = liar(|_| Ok(Box::new(Liar(|| panic!("out of order")))));
        let Err(InternalError::Panic { engine, message }) = ask(&PANIC, "a", WordKind::Infinite)
        else {
            panic!("a panic is reported");
        };
        assert_eq!((engine.as_str(), message.as_str()), ("test:liar", "out of order"));
    }
}
