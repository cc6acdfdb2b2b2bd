//! From a problem to a verdict: run the engine, then replay its word.
//!
//! Invariant: a [`Witness::Replayed`] satisfies the formula by the semantics. Replay runs inside the
//! budget; if that ends there, the verdict stands and the word is left out.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use kermode_automata::accepts;
use kermode_ltl::{Word, semantics};
use serde::{Deserialize, Serialize};

use crate::frame::answer::{Answer, InternalError, LeftOut, Verdict, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{EngineSpec, SpecError};
use crate::frame::observer::Observer;
use crate::frame::problem::{Language, Problem};

/// Whether a word is wanted, and how long it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WitnessPolicy {
    /// Whether a word is wanted at all.
    pub wanted: bool,
    /// The most letters that are looked for and replayed.
    pub limit: usize,
}

impl Default for WitnessPolicy {
    fn default() -> Self {
        WitnessPolicy { wanted: true, limit: 1_000_000 }
    }
}

/// How many positions a replay looks at.
const MOST_POSITIONS: usize = 10_000_000;

/// Asks an engine and checks what it says.
pub fn decide(
    problem: &Problem,
    engine: &EngineSpec,
    policy: WitnessPolicy,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Verdict, InternalError> {
    match ask(problem, engine, policy, budget, observer)? {
        Ok(answer) => judge(problem, answer, policy, budget, &engine.to_string()),
        Err(stop) => Ok(Verdict::Unknown(stop)),
    }
}

/// Asks an engine. What it says is still to be judged.
pub fn ask(
    problem: &Problem,
    engine: &EngineSpec,
    policy: WitnessPolicy,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Result<Answer, Stop>, InternalError> {
    let wanting = Problem { witness: policy, ..*problem };
    let run = || match engine.build() {
        Ok(engine) => engine.solve(&wanting, budget, observer),
        Err(error) => Err(refused(&error)),
    };
    let said = catch_unwind(AssertUnwindSafe(run)).map_err(|panic| InternalError::Panic {
        engine: engine.to_string(),
        message: panic_message(&*panic),
    });
    Ok(blamed(said?, budget))
}

/// What an engine said, with what is to blame for a stop under its budget.
pub(crate) fn blamed(said: Result<Answer, Stop>, budget: &Budget) -> Result<Answer, Stop> {
    match said {
        Ok(Answer::SatisfiableUnseen(LeftOut::Stopped(stop))) => {
            Ok(Answer::SatisfiableUnseen(LeftOut::Stopped(budget.blame(stop))))
        }
        Ok(answer) => Ok(answer),
        Err(stop) => Err(budget.blame(stop)),
    }
}

/// Checks what an engine said, wherever it did.
pub fn judge(
    problem: &Problem,
    answer: Answer,
    policy: WitnessPolicy,
    budget: &Budget,
    engine: &str,
) -> Result<Verdict, InternalError> {
    match answer {
        Answer::Unsatisfiable => Ok(Verdict::Unsatisfiable),
        _ if !policy.wanted => Ok(Verdict::Satisfiable(Witness::LeftOut(LeftOut::NotAsked))),
        Answer::SatisfiableUnseen(reason) => Ok(Verdict::Satisfiable(Witness::LeftOut(reason))),
        Answer::Satisfiable(word) => {
            replay(problem, word, policy, budget, engine.to_owned()).map(Verdict::Satisfiable)
        }
    }
}

fn refused(error: &SpecError) -> Stop {
    Stop::Unsupported(error.to_string())
}

/// What a caught panic said.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

fn replay(
    problem: &Problem,
    word: Word,
    policy: WitnessPolicy,
    budget: &Budget,
    engine: String,
) -> Result<Witness, InternalError> {
    let may_be_empty = !matches!(problem.language, Language::Formula { .. });
    if word.kind() != problem.words() || (word.is_empty() && !may_be_empty) {
        return Err(InternalError::WitnessFails { engine, word });
    }
    let (length, limit) = (word.len(), policy.limit);
    if length > limit {
        return Ok(Witness::LeftOut(LeftOut::TooLong { length, limit }));
    }
    let word = word.shortened();
    let (positions, limit) = (replayed_positions(problem, &word), MOST_POSITIONS);
    if positions > limit {
        return Ok(Witness::LeftOut(LeftOut::TooFar { positions, limit }));
    }
    match is_in_language(problem, &word, budget) {
        Ok(true) => Ok(Witness::Replayed(word)),
        Ok(false) => Err(InternalError::WitnessFails { engine, word }),
        Err(stop) => Ok(Witness::LeftOut(LeftOut::Stopped(stop))),
    }
}

/// How many positions a replay looks at.
fn replayed_positions(problem: &Problem, word: &Word) -> usize {
    match problem.language {
        Language::Formula { formula, .. } => {
            semantics::unrolled_length(problem.store, formula, word)
        }
        Language::Automaton(_) | Language::Difference(_) => word.len(),
    }
}

/// Judges a word: a formula by the semantics, automata by the games that are their acceptance, each for itself.
fn is_in_language(problem: &Problem, word: &Word, budget: &Budget) -> Result<bool, Stop> {
    let interrupt = &mut || budget.check();
    match problem.language {
        Language::Formula { formula, .. } => {
            semantics::satisfies(problem.store, formula, word, interrupt)
        }
        Language::Automaton(automaton) => accepts(automaton, word, interrupt),
        Language::Difference(difference) => difference.contains(word, interrupt),
    }
}

#[cfg(test)]
mod tests {
    use kermode_automata::{Difference, from_ltl};
    use kermode_ltl::{Letter, Store, WordKind};

    use super::*;
    use crate::frame::engine::{Accepts, Engine, EngineInfo};
    use crate::frame::observer::Silent;

    /// An engine that says what it was told to say, whatever the question.
    struct Liar(fn() -> Answer);

    impl Engine for Liar {
        fn solve(&self, _: &Problem, _: &Budget, _: &mut dyn Observer) -> Result<Answer, Stop> {
            Ok((self.0)())
        }
    }

    const fn liar(
        build: fn(&crate::frame::engine::Options) -> Result<Box<dyn Engine>, SpecError>,
    ) -> EngineInfo {
        let accepts =
            Accepts { infinite: true, finite: true, past: true, automata: false, complete: true };
        EngineInfo { name: "test:liar", summary: "", paper: "", accepts, options: &[], build }
    }

    fn empty_loop() -> Answer {
        Answer::Satisfiable(Word::lasso(Vec::new(), vec![Letter::default()]))
    }

    fn say(info: &'static EngineInfo, problem: &Problem) -> Result<Verdict, InternalError> {
        let (budget, policy) = (Budget::unlimited(), WitnessPolicy::default());
        decide(problem, &EngineSpec::of(info), policy, &budget, &mut Silent::default())
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
        static EMPTY: EngineInfo =
            liar(|_| Ok(Box::new(Liar(|| Answer::Satisfiable(Word::finite(Vec::new()))))));
        let result = ask(&EMPTY, "a", WordKind::Finite);
        assert!(matches!(result, Err(InternalError::WitnessFails { .. })), "{result:?}");
    }

    /// Each part of a difference judges the word for itself.
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
            let result = say(&SAYS_SO, &Problem::difference(&store, &difference));
            let failed = matches!(result, Err(InternalError::WitnessFails { .. }));
            assert_eq!(failed, fails, "{difference:?}");
        }
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
