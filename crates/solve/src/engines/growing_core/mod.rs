//! `core:growing`: satisfiability of large conjunctions by few of their conjuncts.
//!
//! Specifications are conjunctions, and they are often unsatisfiable because of a few conjuncts, a
//! *core*. A word that satisfies the core is evaluated on all conjuncts. If it satisfies all of
//! them, it is the answer. If not, some violated conjuncts join the core, and another engine
//! searches a word of the new core. This is counterexample-guided refinement \[CGJLV00\], with
//! conjuncts in place of predicates.
//!
//! Some parts of a conjunction are harder than the whole, because they lack the constraints that
//! keep the number of states small. So the engine tries the whole formula first, for a short time,
//! and then repeatedly for twice as long. If a core takes as long as all the work before, a larger
//! core with half of the remaining conjuncts may be easier. If it is not, the core gets another try
//! of at least twice the time, then an even larger core, in the end the whole formula. So no core
//! is given up for good, and a slow machine finds, a little later, what a fast one does.
//!
//! Invariant: the core is a subset of the conjuncts, so the formula implies it; if the core has no
//! word, the formula has none. The core grows each time a word of it is found, and after each
//! timeout the next try is twice as long.

mod conjuncts;

use std::time::Duration;

use kermode_ltl::rewrite::RuleSet;
use kermode_ltl::{Formula, Store, Word, WordKind, semantics};

use crate::engines::{antichain, product, tgba};
use crate::frame::answer::{Answer, LeftOut};
use crate::frame::budget::{Budget, Stop};
use crate::frame::decide::in_time;
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::{Choice, Number, Options, ValueError};
use crate::frame::prepare::{RULES, any_word, solve_parts};
use crate::frame::problem::{Language, Problem, WitnessPolicy};
use crate::frame::witness::WitnessTime;
use conjuncts::Core;

const BY: Choice<[&'static EngineInfo; 2]> = Choice {
    key: "by",
    help: "the engine that searches for words",
    values: &[
        (
            "first",
            "tgba:couvreur for infinite words, antichain:forward for finite ones",
            [&tgba::COUVREUR, &antichain::FORWARD],
        ),
        ("second", "the other way round", [&antichain::FORWARD, &tgba::COUVREUR]),
        ("couvreur", "tgba:couvreur", [&tgba::COUVREUR; 2]),
        ("forward", "antichain:forward", [&antichain::FORWARD; 2]),
        ("symbolic", "symbolic:nnf/sloppy/gba/default, formulas only", [&product::SYNTACTIC_EL; 2]),
    ],
};

const PATIENCE: Number = Number {
    key: "patience",
    help: "milliseconds for the whole formula before its parts",
    default: "10",
    range: 0..=u64::MAX,
};

pub(crate) const GROWING: EngineInfo = EngineInfo {
    name: "core:growing",
    summary: "starts with few conjuncts, and adds those that the words found so far violate",
    paper: "CGJLV00",
    accepts: Accepts::AUTOMATA,
    options: &[&BY, &PATIENCE, &RULES],
    alias: None,
    build: |options| Ok(Box::new(GrowingCore::new(options)?)),
};

struct GrowingCore {
    /// The engine for infinite words, and the engine for finite words.
    inner: [Box<dyn Engine>; 2],
    patience: Duration,
    rules: RuleSet,
}

impl GrowingCore {
    fn new(options: &Options) -> Result<Self, ValueError> {
        let [infinite, finite] = options.get(&BY)?;
        let mut inner = Options::default();
        inner.push(RULES.key, &options.text(&RULES));
        Ok(GrowingCore {
            inner: [(infinite.build)(&inner)?, (finite.build)(&inner)?],
            patience: Duration::from_millis(options.get(&PATIENCE)?),
            rules: options.get(&RULES)?,
        })
    }

    fn inner(&self, words: WordKind) -> &dyn Engine {
        let [infinite, finite] = &self.inner;
        match words {
            WordKind::Infinite => &**infinite,
            WordKind::Finite => &**finite,
        }
    }
}

impl Engine for GrowingCore {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        // Automata have no conjuncts.
        if !matches!(problem.language, Language::Formula { .. }) {
            return self.inner(problem.words()).solve(problem, budget, observer);
        }
        solve_parts(problem, &self.rules, budget, &mut |store, formula, words, budget| {
            let mut search = CoreSearch {
                inner: self.inner(words),
                core: Core::new(store, formula),
                store,
                whole: formula,
                words,
                witness: problem.witness,
                budget,
                observer,
                rounds: 0,
                started: budget.cpu_elapsed(),
                patience: self.patience,
                on_whole: Duration::ZERO,
                part_patience: PART_PATIENCE,
            };
            let answer = search.run();
            search.tell();
            answer
        })
    }
}

/// The least time for the whole formula when it is tried again.
const LEAST_PATIENCE: Duration = Duration::from_millis(10);

/// The least time for a part.
const PART_PATIENCE: Duration = Duration::from_millis(50);

/// The whole formula is tried again after this many times the time that it had.
const PARTS_FIRST: u32 = 4;

/// In this many rounds a core doubles, unless it is small: then each round adds one conjunct.
const ROUNDS_TO_DOUBLE: usize = 16;

/// The result of a round.
enum CoreResult {
    /// A word of the core, to evaluate on the other conjuncts.
    Word(Word),
    /// The answer for the whole formula.
    Answer(Answer),
}

/// The result of a query.
enum PartOutcome {
    Found(CoreResult),
    /// The time was too short.
    TooSlow,
    /// More time would not help.
    TooLarge,
}

impl PartOutcome {
    /// The answer for the whole formula, if this is one.
    fn answer(self) -> Option<Answer> {
        match self {
            PartOutcome::Found(CoreResult::Answer(answer)) => Some(answer),
            _ => None,
        }
    }
}

/// The state of the growing core.
struct CoreSearch<'g> {
    inner: &'g dyn Engine,
    core: Core,
    store: &'g mut Store,
    whole: Formula,
    words: WordKind,
    witness: WitnessPolicy,
    budget: &'g Budget,
    observer: &'g mut dyn Observer,
    /// How often the other engine was called.
    rounds: u64,
    /// The CPU time of the budget at the start.
    started: Duration,
    /// The time of the last try of the whole formula.
    patience: Duration,
    /// The total time for the whole formula, which may exceed the planned time.
    on_whole: Duration,
    /// The least time for the next part: twice the time of the last one that was too slow.
    part_patience: Duration,
}

impl CoreSearch<'_> {
    fn run(&mut self) -> Result<Answer, Stop> {
        let mut word = any_word(self.words);
        loop {
            let violated = self.violated(&word)?;
            if violated.is_empty() {
                return Ok(Answer::word(word));
            }
            // The word violates the core, so it is not a word of the core, and nothing can be
            // learnt from it.
            if violated.iter().all(|&place| self.core.has(place)) {
                return self.ask(self.whole, self.witness, self.budget);
            }
            if self.rounds == 0
                && !self.core.is_single()
                && let Some(answer) = self.whole_within(self.patience)?.answer()
            {
                return Ok(answer);
            }
            self.core.grow(violated, 1 + self.core.len() / ROUNDS_TO_DOUBLE);
            match self.next()? {
                CoreResult::Word(next) => word = next,
                CoreResult::Answer(answer) => return Ok(answer),
            }
        }
    }

    /// A word of the core, or of a larger core if that is easier, or the answer for the whole
    /// formula.
    fn next(&mut self) -> Result<CoreResult, Stop> {
        let mut larger = None;
        while !self.core.is_all() {
            if let Some(answer) = self.whole_if_due()? {
                return Ok(CoreResult::Answer(answer));
            }
            let core = &self.core;
            self.observer.progress(&|| core.describe());
            let part = core.conjunction(self.store);
            match self.part(part)? {
                PartOutcome::Found(found) => return Ok(found),
                PartOutcome::TooLarge => (larger, self.core) = (None, self.core.with_half_more()),
                PartOutcome::TooSlow => {
                    if let Some(found) = self.with_more(&mut larger)? {
                        return Ok(found);
                    }
                }
            }
        }
        self.ask(self.whole, self.witness, self.budget).map(CoreResult::Answer)
    }

    /// The result for more conjuncts than the last time, which become the core.
    fn with_more(&mut self, larger: &mut Option<Core>) -> Result<Option<CoreResult>, Stop> {
        let core = larger.as_ref().unwrap_or(&self.core).with_half_more();
        let part = core.conjunction(self.store);
        if let PartOutcome::Found(found) = self.part(part)? {
            self.core = core;
            return Ok(Some(found));
        }
        *larger = Some(core);
        Ok(None)
    }

    /// The CPU time since the beginning.
    fn elapsed(&self) -> Duration {
        self.budget.cpu_elapsed().saturating_sub(self.started)
    }

    /// The result for some conjuncts, or for the whole, within the time that was used before.
    fn part(&mut self, part: Option<Formula>) -> Result<PartOutcome, Stop> {
        let patience = self.part_patience.max(self.elapsed());
        let outcome = match part {
            Some(part) => self.part_within(part, patience)?,
            None => self.whole_within(patience)?,
        };
        if matches!(outcome, PartOutcome::TooSlow) {
            self.part_patience = patience.saturating_mul(2);
        }
        Ok(outcome)
    }

    /// The outcome of a search on some conjuncts within the given time.
    fn part_within(&mut self, part: Formula, patience: Duration) -> Result<PartOutcome, Stop> {
        // A word is what parts are asked for: it takes part of their patience and has no other
        // limit.
        let time = WitnessTime::Fixed(Duration::MAX);
        let witness = WitnessPolicy { wanted: true, time, ..self.witness };
        let budget = self.budget.for_another_question().slice(patience);
        match self.ask(part, witness, &budget) {
            Ok(Answer::Nonempty(Ok(witness))) => {
                Ok(PartOutcome::Found(CoreResult::Word(witness.into_word())))
            }
            // Without a word nothing can be learnt.
            Ok(Answer::Nonempty(Err(LeftOut::Stopped(stop)))) => self.outcome(Err(stop)),
            Ok(Answer::Nonempty(Err(_))) => Ok(PartOutcome::TooLarge),
            result => self.outcome(result),
        }
    }

    /// The answer for the whole formula, if a try is due and succeeds.
    fn whole_if_due(&mut self) -> Result<Option<Answer>, Stop> {
        let taken = LEAST_PATIENCE.max(self.patience).max(self.on_whole);
        if self.elapsed() < taken.saturating_mul(PARTS_FIRST) {
            return Ok(None);
        }
        self.patience = LEAST_PATIENCE.max(self.patience.saturating_mul(2));
        self.whole_within(self.patience).map(PartOutcome::answer)
    }

    /// The result for the whole formula within a time. If there is a word, building it may take
    /// longer.
    fn whole_within(&mut self, patience: Duration) -> Result<PartOutcome, Stop> {
        let before = self.elapsed();
        let result = self.ask(self.whole, self.witness, &self.budget.slice(patience));
        self.on_whole += self.elapsed().saturating_sub(before);
        match result {
            Ok(Answer::Nonempty(Err(LeftOut::Stopped(stop)))) => {
                let word = self.ask(self.whole, self.witness, self.budget);
                let unseen = Answer::Nonempty(Err(LeftOut::Stopped(stop)));
                self.outcome(Ok(word.unwrap_or(unseen)))
            }
            result => self.outcome(result),
        }
    }

    /// Interprets a result, unless the budget for the whole is used up.
    fn outcome(&self, result: Result<Answer, Stop>) -> Result<PartOutcome, Stop> {
        let outcome = match result {
            Ok(answer) => return Ok(PartOutcome::Found(CoreResult::Answer(answer))),
            Err(Stop::Timeout) => PartOutcome::TooSlow,
            Err(Stop::Memory | Stop::Nodes | Stop::Limit(_)) => PartOutcome::TooLarge,
            Err(stop) => return Err(stop),
        };
        self.budget.check_now().map(|()| outcome)
    }

    fn ask(
        &mut self,
        formula: Formula,
        witness: WitnessPolicy,
        budget: &Budget,
    ) -> Result<Answer, Stop> {
        self.rounds += 1;
        let problem = Problem::satisfiability(self.store, formula, self.words);
        let problem = Problem { witness, ..problem };
        in_time(self.inner.solve(&problem, budget, self.observer), budget)
    }

    /// The indices of the conjuncts that a word violates.
    fn violated(&self, word: &Word) -> Result<Vec<usize>, Stop> {
        let (store, interrupt) = (&*self.store, &mut || self.budget.check());
        let mut violated = Vec::new();
        for (place, conjunct) in self.core.conjuncts().enumerate() {
            if !semantics::satisfies(store, conjunct, word, interrupt)? {
                violated.push(place);
            }
        }
        Ok(violated)
    }

    fn tell(&mut self) {
        self.observer.statistic("conjuncts", self.core.conjuncts().count() as u64);
        self.observer.statistic("core", self.core.len() as u64);
        self.observer.statistic("rounds", self.rounds);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::VecDeque;
    use std::rc::Rc;

    use kermode_ltl::dialect::{Dialect, parse};

    use super::*;
    use crate::frame::observer::Silent;

    /// An engine that gives prepared answers one after the other, repeats the last one, and takes a
    /// fixed number of steps for each.
    struct Stubborn {
        answers: RefCell<VecDeque<Result<Answer, Stop>>>,
        steps: usize,
        /// The number of propositions of each query.
        asked: Rc<RefCell<Vec<usize>>>,
    }

    impl Engine for Stubborn {
        fn solve(
            &self,
            problem: &Problem,
            budget: &Budget,
            _: &mut dyn Observer,
        ) -> Result<Answer, Stop> {
            self.asked.borrow_mut().push(problem.propositions().len());
            (0..self.steps).for_each(|_| drop(budget.check()));
            let mut left = self.answers.borrow_mut();
            if left.len() > 1 { left.pop_front().expect("one of several") } else { left[0].clone() }
        }
    }

    /// An engine that must not be called: the words are finite.
    struct Nobody;

    impl Engine for Nobody {
        fn solve(&self, _: &Problem, _: &Budget, _: &mut dyn Observer) -> Result<Answer, Stop> {
            unreachable!("words are finite")
        }
    }

    /// The result with such an engine, and the number of propositions of each query.
    fn ask(
        text: &str,
        steps: usize,
        answers: Vec<Result<Answer, Stop>>,
    ) -> (Result<Answer, Stop>, Vec<usize>) {
        let (asked, answers) = (Rc::default(), RefCell::new(answers.into()));
        let inner = Box::new(Stubborn { answers, steps, asked: Rc::clone(&asked) });
        (ask_of(inner, text), asked.take())
    }

    /// The result with an engine for finite words.
    fn ask_of(inner: Box<dyn Engine>, text: &str) -> Result<Answer, Stop> {
        let mut store = Store::new();
        let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
        let engine = GrowingCore {
            inner: [Box::new(Nobody), inner],
            patience: Duration::from_millis(10),
            rules: RuleSet::none(),
        };
        let problem = Problem::satisfiability(&store, formula, WordKind::Finite);
        let budget = Budget::unlimited().in_steps();
        engine.solve(&problem, &budget, &mut Silent::default())
    }

    fn empty_word() -> Answer {
        Answer::word(any_word(WordKind::Finite))
    }

    #[test]
    fn an_engine_whose_words_are_wrong_is_not_asked_for_ever() {
        let wrong = || Ok(empty_word());
        let answers = vec![Err(Stop::Timeout), wrong(), Ok(Answer::Empty(None))];
        assert_eq!(ask("a & !b", 1, answers), (Ok(Answer::Empty(None)), vec![2, 1, 2]));
        // Replay checks a word of the whole formula.
        let (answer, _) = ask("a & b & X c", 1, vec![Err(Stop::Timeout), wrong()]);
        assert_eq!(answer, wrong());
    }

    #[test]
    fn parts_are_asked_for_although_the_whole_is_too_large() {
        let answers = vec![Err(Stop::Limit("variables".to_owned())), Ok(Answer::Empty(None))];
        assert_eq!(ask("a & b", 1, answers), (Ok(Answer::Empty(None)), vec![2, 1]));
    }

    #[test]
    fn a_part_whose_word_is_not_there_says_nothing_of_the_whole() {
        for reason in [LeftOut::NotMade { limit: 1 }, LeftOut::Stopped(Stop::Timeout)] {
            let unseen = Ok(Answer::Nonempty(Err(reason)));
            let answers = vec![Err(Stop::Timeout), unseen, Ok(Answer::Empty(None))];
            assert_eq!(ask("a & b", 1, answers), (Ok(Answer::Empty(None)), vec![2, 1, 2]));
        }
    }

    #[test]
    fn a_core_of_which_no_word_is_found_grows_to_the_whole() {
        let late = vec![Err(Stop::Timeout), Err(Stop::Memory)];
        assert_eq!(ask("a & b & c & d", 1, late), (Err(Stop::Memory), vec![4, 1, 3, 4]));
    }

    #[test]
    fn a_core_that_takes_too_long_has_another_try_after_a_larger_one() {
        let late = || Err(Stop::Timeout);
        let once_more = vec![late(), late(), late(), Ok(Answer::Empty(None))];
        assert_eq!(ask("a & b & c & d", 1, once_more), (Ok(Answer::Empty(None)), vec![4, 1, 3, 1]));
        let whole = vec![late(), late(), late(), late(), Ok(Answer::Empty(None))];
        assert_eq!(ask("a & b & c & d", 1, whole), (Ok(Answer::Empty(None)), vec![4, 1, 3, 1, 4]));
    }

    /// An engine that stops early because its table is small for lack of time gets more time each
    /// time.
    #[test]
    fn whoever_is_too_slow_has_twice_the_time_the_next_time() {
        struct Hurried(Rc<RefCell<Vec<Duration>>>);
        impl Engine for Hurried {
            fn solve(
                &self,
                _: &Problem,
                budget: &Budget,
                _: &mut dyn Observer,
            ) -> Result<Answer, Stop> {
                let left = budget.time_left().expect("a slice");
                self.0.borrow_mut().push(left);
                if left < Duration::from_secs(60) {
                    return Err(Stop::Timeout);
                }
                Ok(Answer::Empty(None))
            }
        }
        let given = Rc::default();
        let answer = ask_of(Box::new(Hurried(Rc::clone(&given))), "a & b & c & d");
        assert_eq!(answer, Ok(Answer::Empty(None)));
        assert!(given.borrow().len() < 20, "{given:?}");
    }

    #[test]
    fn a_larger_core_that_is_easier_takes_the_place_of_the_core() {
        let mut answers = vec![Ok(empty_word()); 4];
        answers[..2].fill(Err(Stop::Timeout));
        answers[3] = Ok(Answer::Empty(None));
        let (answer, asked) = ask("a & b & c & d & e & f", 1, answers);
        assert_eq!((answer, asked), (Ok(Answer::Empty(None)), vec![6, 1, 4, 5]));
    }

    #[test]
    fn the_whole_is_asked_for_again_when_work_has_doubled() {
        let mut answers = vec![Ok(empty_word()); 5];
        (answers[0], answers[4]) = (Err(Stop::Timeout), Ok(Answer::Empty(None)));
        let quick = ask("a & b & c & d & e & f", 1, answers.clone());
        assert_eq!(quick, (Ok(Answer::Empty(None)), vec![6, 1, 2, 3, 4]));
        let slow = ask("a & b & c & d & e & f", 5_000, answers);
        assert_eq!(slow, (Ok(Answer::Empty(None)), vec![6, 1, 2, 3, 6]));
    }

    #[test]
    fn a_word_of_the_whole_gets_the_time_it_takes() {
        let stopped = Ok(Answer::Nonempty(Err(LeftOut::Stopped(Stop::Timeout))));
        let word = vec![stopped, Ok(empty_word())];
        assert_eq!(ask("a & b", 1, word), (Ok(empty_word()), vec![2, 2]));
        let stopped = || Ok(Answer::Nonempty(Err(LeftOut::Stopped(Stop::Timeout))));
        let word = vec![stopped(), Err(Stop::Timeout)];
        assert_eq!(ask("a & b", 1, word), (stopped(), vec![2, 2]));
    }
}
