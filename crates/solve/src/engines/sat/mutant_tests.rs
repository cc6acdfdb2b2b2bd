//! Each planted mistake is found by comparison with the reference tableau on random formulas, or
//! with the explicit judge on random models.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use kermode_base::Rng;
use kermode_ltl::dialect::{Syntax, parse};
use kermode_ltl::random::{Operators, RandomFormula};
use kermode_ltl::reference::tableau;
use kermode_ltl::{Formula, Store, UnaryOp, WordKind};
use kermode_system::{Domain, Expression, Graph, Model, SymbolKind};

use super::mistakes::Mistake;
use super::{BMC, EXPLICIT, FRAMES, K_LIVENESS, TABLEAU};
use crate::engines::invariant::mutant_tests::cases as invariants;
use crate::engines::product::mutant_tests::Case as RunCase;
use crate::frame::answer::Answer;
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Silent;
use crate::frame::options::Options;
use crate::frame::problem::Problem;

/// The time of one problem.
const SLICE: Duration = Duration::from_millis(100);

thread_local! {
    static PLANTED: Cell<Option<Mistake>> = const { Cell::new(None) };
}

/// The mistake that engines on this thread make.
pub(super) fn planted() -> Option<Mistake> {
    PLANTED.get()
}

/// The mistakes, each with an engine that it concerns.
const MISTAKES: [(Mistake, &EngineInfo); 21] = [
    (Mistake::LoopIgnoresPromises, &BMC),
    (Mistake::LoopIgnoresPromises, &TABLEAU),
    (Mistake::FulfilledBeforeLoop, &BMC),
    (Mistake::LoopIgnoresRequests, &BMC),
    (Mistake::LoopIgnoresMemories, &BMC),
    (Mistake::LoopIgnoresMemories, &TABLEAU),
    (Mistake::PastBeforeFirst, &BMC),
    (Mistake::PastBeforeFirst, &TABLEAU),
    (Mistake::EndIgnoresRequests, &BMC),
    (Mistake::EndIgnoresRequests, &EXPLICIT),
    (Mistake::EndIgnoresRequests, &FRAMES),
    (Mistake::PruneIgnoresProgress, &TABLEAU),
    (Mistake::PruneIgnoresMemories, &TABLEAU),
    (Mistake::CoreIsTooSmall, &EXPLICIT),
    (Mistake::CoreIsTooSmall, &FRAMES),
    (Mistake::MergeIgnoresEntry, &EXPLICIT),
    (Mistake::RepetitionIgnoresPromises, &EXPLICIT),
    (Mistake::CoreIgnoresEnd, &EXPLICIT),
    (Mistake::CoresArePushed, &FRAMES),
    (Mistake::CoreIsTooSmall, &K_LIVENESS),
    (Mistake::CoresArePushed, &K_LIVENESS),
];

fn built(info: &EngineInfo) -> Box<dyn Engine> {
    let mut options = Options::default();
    options.push("rules", "none");
    (info.build)(&options).expect("an engine without rewriting")
}

/// Whether an engine answers a problem wrongly, panics, or gives a witness that fails its replay.
fn is_wrong(engine: &dyn Engine, problem: &Problem, expected: bool) -> bool {
    let budget = Budget::within(Duration::from_secs(20)).in_steps();
    let budget = budget.slice(SLICE);
    let solve = || engine.solve(problem, &budget, &mut Silent::default());
    match catch_unwind(AssertUnwindSafe(solve)) {
        Ok(Ok(Answer::Nonempty(Ok(witness)))) => {
            let unlimited = Budget::unlimited();
            !expected || problem.language.judge(problem.store, &witness, &unlimited) != Ok(true)
        }
        Ok(Ok(Answer::Nonempty(Err(_)))) => !expected,
        Ok(Ok(Answer::Empty(_))) => expected,
        Ok(Err(Stop::Timeout | Stop::Limit(_) | Stop::Unsupported(_))) => false,
        Ok(Err(_)) | Err(_) => true,
    }
}

/// A random formula, or a conjunction of recurring demands, with its verdict.
fn formula(rng: &mut Rng, store: &mut Store, words: WordKind) -> Option<(Formula, bool)> {
    let propositions = vec![store.proposition("a"), store.proposition("b")];
    let operators = Operators::future().with_weak_next().with_past();
    let random = RandomFormula { size: rng.between(3, 9), propositions, operators };
    let mut formula = random.draw(store, rng);
    if rng.coin() {
        let other = random.draw(store, rng);
        let recurs = store.unary(UnaryOp::Finally, other);
        let recurs = store.unary(UnaryOp::Globally, recurs);
        formula = store.and(formula, recurs);
    }
    let verdict = tableau(store, formula, words, &mut || Ok::<(), ()>(())).ok()?;
    Some((formula, verdict.is_some()))
}

/// A word goes back to one state after each demand, and each demand takes a walk of its own. The
/// state occurs as often as there are demands, with progress between any two times.
fn walks(store: &mut Store, demands: usize) -> Formula {
    let mut text = "s & G(s <-> X !s)".to_owned();
    for i in 0..demands {
        text += &format!(" & G F d{i} & G(d{i} -> !s)");
        (0..i).for_each(|j| text += &format!(" & G !(d{i} & d{j})"));
    }
    parse(store, &text, Syntax::default()).expect("a formula").formula
}

/// The number of the first formula that shows that an engine is wrong: a formula of walks, or one
/// of this many random ones.
fn first_wrong(engine: &EngineInfo, rounds: usize) -> Option<usize> {
    let engine_built = built(engine);
    if engine.accepts.infinite {
        let wrong = |&demands: &usize| {
            let mut store = Store::new();
            let formula = walks(&mut store, demands);
            let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
            is_wrong(&*engine_built, &problem, true)
        };
        if let Some(demands) = (2..5).find(wrong) {
            return Some(demands);
        }
    }
    let mut rng = Rng::new(23);
    (0..rounds).find(|round| {
        let words = match engine.accepts {
            Accepts { infinite: true, finite: true, .. } if round % 2 == 0 => WordKind::Infinite,
            Accepts { finite: true, .. } => WordKind::Finite,
            _ => WordKind::Infinite,
        };
        let mut store = Store::new();
        let Some((formula, expected)) = formula(&mut rng, &mut store, words) else { return false };
        let problem = Problem::satisfiability(&store, formula, words);
        is_wrong(&*engine_built, &problem, expected)
    })
}

#[test]
fn mistakes_about_words_are_found() {
    for engine in [&BMC, &TABLEAU, &EXPLICIT, &FRAMES, &K_LIVENESS] {
        assert_eq!(first_wrong(engine, 300), None, "{} without a mistake", engine.name);
    }
    let is_missed = |&(mistake, engine): &(Mistake, &EngineInfo)| {
        PLANTED.set(Some(mistake));
        let found = first_wrong(engine, 5_000);
        PLANTED.set(None);
        found.is_none()
    };
    let missed: Vec<_> = MISTAKES.into_iter().filter(is_missed).collect();
    let missed: Vec<_> = missed.iter().map(|(mistake, engine)| (mistake, engine.name)).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

/// What a mistake is found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// Runs of random models.
    Runs,
    /// Paths of random models to a target.
    Targets,
    /// Runs of a model that serves justice constraints one at a time.
    Rounds,
}

/// The mistakes about models, each with an engine that it concerns.
const MODEL_MISTAKES: [(Mistake, &EngineInfo, About); 18] = [
    (Mistake::RunNeedNotReturn, &BMC, About::Runs),
    (Mistake::RunNeedNotReturn, &TABLEAU, About::Runs),
    (Mistake::RunIgnoresJustice, &BMC, About::Runs),
    (Mistake::RunIgnoresJustice, &TABLEAU, About::Runs),
    (Mistake::JusticeBeforeLoop, &BMC, About::Runs),
    (Mistake::RunStartsAnywhere, &BMC, About::Runs),
    (Mistake::RunStartsAnywhere, &TABLEAU, About::Targets),
    (Mistake::GatesAreNotImplied, &BMC, About::Runs),
    (Mistake::GatesAreNotImplied, &TABLEAU, About::Targets),
    (Mistake::LoopIgnoresRequests, &BMC, About::Runs),
    (Mistake::LoopIgnoresPromises, &BMC, About::Runs),
    (Mistake::PastBeforeFirst, &BMC, About::Runs),
    (Mistake::LastStepIsMissing, &BMC, About::Targets),
    (Mistake::LastStepIsMissing, &TABLEAU, About::Targets),
    (Mistake::PruneIgnoresModel, &TABLEAU, About::Runs),
    (Mistake::PruneIgnoresModel, &TABLEAU, About::Targets),
    (Mistake::PruneIgnoresProgress, &TABLEAU, About::Rounds),
    (Mistake::PruneIgnoresJustice, &TABLEAU, About::Rounds),
];

/// From one state a model goes to one of several others and back. Each must be visited infinitely
/// often, so the state recurs with progress in between.
fn rounds(places: usize) -> Model {
    let mut model = Model::new();
    let domain = Domain::Range(0, places as i32);
    let bits = model.declare("place", SymbolKind::State, domain).bits.clone();
    let graph = &mut model.graph;
    let now: Vec<Expression> = bits.iter().map(|&bit| graph.current(bit)).collect();
    let next: Vec<Expression> = bits.iter().map(|&bit| graph.next(bit)).collect();
    let is = |graph: &mut Graph, bits: &[Expression], value: usize| {
        let literal = |graph: &mut Graph, (place, &bit): (usize, &Expression)| {
            if value >> place & 1 == 1 { bit } else { graph.not(bit) }
        };
        let literals: Vec<_> = bits.iter().enumerate().map(|bit| literal(graph, bit)).collect();
        graph.all(literals)
    };
    let (here, there) = (is(graph, &now, 0), is(graph, &next, 0));
    let alternates = graph.xor(here, there);
    let visited: Vec<_> = (1..=places).map(|place| is(graph, &now, place)).collect();
    model.system.add_initial(&model.graph, here);
    model.system.add_transition(&model.graph, alternates);
    visited.into_iter().for_each(|visited| model.system.add_justice(visited));
    model
}

/// Whether an engine is wrong about the model with a number.
fn is_wrong_about(engine: &dyn Engine, about: About, number: u64) -> bool {
    match about {
        About::Runs => {
            let case = RunCase::new(number);
            let problem = Problem::runs(&case.store, &case.model, case.negated);
            is_wrong(engine, &problem, !case.holds)
        }
        About::Targets => invariants(number).iter().any(|case| {
            let store = Store::new();
            let problem = Problem::paths(&store, &case.model.encoded.model, case.target);
            is_wrong(engine, &problem, case.is_violated)
        }),
        About::Rounds => {
            let mut store = Store::new();
            let anything = store.constant(true);
            let model = rounds(number as usize % 5 + 1);
            is_wrong(engine, &Problem::runs(&store, &model, anything), true)
        }
    }
}

#[test]
fn mistakes_about_models_are_found() {
    for info in [&BMC, &TABLEAU] {
        let engine = built(info);
        for (about, count) in [(About::Runs, 40), (About::Targets, 20), (About::Rounds, 5)] {
            let wrong = |&number: &u64| is_wrong_about(&*engine, about, number);
            assert_eq!((0..count).find(wrong), None, "{} without a mistake", info.name);
        }
    }
    let is_missed = |&(mistake, info, about): &(Mistake, &EngineInfo, About)| {
        let engine = built(info);
        PLANTED.set(Some(mistake));
        let found = (0..2_000).find(|&number| is_wrong_about(&*engine, about, number));
        PLANTED.set(None);
        found.is_none()
    };
    let missed: Vec<_> = MODEL_MISTAKES.into_iter().filter(is_missed).collect();
    let missed: Vec<_> = missed.iter().map(|m| (m.0, m.1.name, m.2)).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

/// Most questions about small models are decided, so the comparison means something.
#[test]
fn most_small_models_are_decided() {
    for (info, least) in [(&BMC, 10), (&TABLEAU, 30)] {
        let engine = built(info);
        let decides = |&number: &u64| {
            let case = RunCase::new(number);
            let problem = Problem::runs(&case.store, &case.model, case.negated);
            let budget = Budget::unlimited().in_steps().slice(SLICE);
            engine.solve(&problem, &budget, &mut Silent::default()).is_ok()
        };
        let decided = (0..40).filter(decides).count();
        assert!(decided >= least, "{}: {decided} of 40", info.name);
    }
}
