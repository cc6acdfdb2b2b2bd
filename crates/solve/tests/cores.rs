//! Cores and corrections against all subsets of small sets, on planted conflicts, and with engines
//! that are wrong.

use std::convert::Infallible;
use std::time::Duration;

use kermode_base::Rng;
use kermode_ltl::dialect::{parse, write};
use kermode_ltl::families::conflict::RequirementSet;
use kermode_ltl::families::random::{Random, RandomModel};
use kermode_ltl::reference::tableau;
use kermode_ltl::semantics::naive;
use kermode_ltl::{Dialect, Formula, Store, Syntax, WordKind};
use kermode_solve::cores::{CoreQuestion, Cores, CoresVerdict, outer_conjuncts};
use kermode_solve::portfolio::Decided;
use kermode_solve::{
    Budget, EngineSpec, InternalError, LeftOut, Problem, Silent, Solver, Statistics, Stop, Verdict,
};

fn formula(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).unwrap_or_else(|_| panic!("{text}")).formula
}

fn question(texts: &[&str], assumptions: &[&str], words: WordKind) -> CoreQuestion {
    let mut store = Store::new();
    let mut read = |texts: &[&str]| texts.iter().map(|text| formula(&mut store, text)).collect();
    let (members, assumptions) = (read(texts), read(assumptions));
    CoreQuestion { store, members, assumptions, words }
}

fn solver(name: &str) -> Solver {
    name.parse::<EngineSpec>().expect("an engine").into()
}

fn one(question: &CoreQuestion, solver: &Solver, budget: &Budget) -> Cores {
    let decide = &mut |problem: &Problem, budget: &Budget| {
        solver.decide(problem, budget, &mut Silent::default())
    };
    question.one(budget, decide).expect("no engine is wrong")
}

fn all(question: &CoreQuestion, solver: &Solver, budget: &Budget) -> Cores {
    let decide = &mut |problem: &Problem, budget: &Budget| {
        solver.decide(problem, budget, &mut Silent::default())
    };
    question.all(None, budget, decide, &mut |_| ()).expect("no engine is wrong")
}

/// The engines that are asked in turn.
const ENGINES: [&str; 5] = [
    "core:growing",
    "tgba:couvreur",
    "antichain:forward",
    "symbolic:nnf/sloppy/gba/default",
    "antichain:symbolic",
];

/// Whether formulas hold together, by the oracle.
fn satisfiable(store: &Store, formulas: &[Formula], words: WordKind) -> bool {
    let (mut store, formulas) = store.extract(formulas);
    let all = store.all(formulas);
    let word = tableau(&store, all, words, &mut || Ok::<(), Infallible>(()));
    word.expect("the formulas are small").is_some()
}

/// The satisfiable subsets, as bit masks.
fn satisfiable_subsets(question: &CoreQuestion) -> Vec<bool> {
    let subset = |mask: usize| {
        let chosen = question.members.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
        let chosen: Vec<Formula> = chosen.map(|(_, &member)| member).collect();
        [&chosen[..], &question.assumptions].concat()
    };
    let decide = |mask| satisfiable(&question.store, &subset(mask), question.words);
    (0..1 << question.members.len()).map(decide).collect()
}

fn mask(members: &[usize]) -> usize {
    members.iter().map(|member| 1 << member).sum()
}

/// Minimal unsatisfiable subsets, and the complements of maximal satisfiable ones.
fn expected(satisfiable: &[bool]) -> (Vec<usize>, Vec<usize>) {
    let full = satisfiable.len() - 1;
    let count = satisfiable.len().trailing_zeros();
    let neighbours = |mask: usize| (0..count).map(move |bit| mask ^ 1 << bit);
    let is_core = |&mask: &usize| {
        !satisfiable[mask] && neighbours(mask).all(|other| other > mask || satisfiable[other])
    };
    let is_maximal = |&mask: &usize| {
        satisfiable[mask] && neighbours(mask).all(|other| other < mask || !satisfiable[other])
    };
    let cores = (0..=full).filter(is_core).collect();
    (cores, (0..=full).filter(is_maximal).map(|mask| full ^ mask).collect())
}

/// Everything that a result claims, by the plain semantics and the oracle.
#[track_caller]
fn check(question: &CoreQuestion, found: &Cores, context: &str) {
    for core in &found.cores {
        assert!(core.is_minimal(), "{context}");
        assert!(core.confirmed_by.is_some(), "{context}");
        for (place, word) in core.words.iter().enumerate() {
            let word = word.as_ref().expect("a word");
            for (other, &member) in core.members.iter().enumerate() {
                let holds = naive::satisfies(&question.store, question.members[member], word);
                assert_eq!(holds, other != place, "{context}");
            }
            let assumed = question.assumptions.iter();
            assert!(assumed.copied().all(|a| naive::satisfies(&question.store, a, word)));
        }
    }
    for correction in &found.corrections {
        let word = correction.word.as_ref().expect("a word");
        for (index, &member) in question.members.iter().enumerate() {
            let holds = naive::satisfies(&question.store, member, word);
            assert!(holds || correction.members.contains(&index), "{context}");
        }
    }
    let sizes: Vec<usize> = found.cores.iter().map(|core| core.members.len()).collect();
    assert!(sizes.is_sorted(), "{context}: {sizes:?}");
}

/// Random members over three propositions; every fourth set has an assumption.
fn random_question(rng: &mut Rng, words: WordKind) -> CoreQuestion {
    let mut store = Store::new();
    let mut draw = |rng: &mut Rng| {
        let (model, temporal) = (RandomModel::All, 500_000);
        let (length, seed) = (rng.between(1, 6), rng.next_u64());
        Random { model, length, propositions: 3, temporal, seed }.draw(&mut store)
    };
    let members = (0..rng.between(1, 6)).map(|_| draw(rng)).collect();
    let assumptions = (0..usize::from(rng.below(4) == 0)).map(|_| draw(rng)).collect();
    CoreQuestion { store, members, assumptions, words }
}

#[test]
fn cores_and_corrections_are_those_of_all_subsets() {
    let mut rng = Rng::new(1);
    let mut contradictions = 0;
    for round in 0..240 {
        let words = [WordKind::Infinite, WordKind::Finite][round % 2];
        let question = random_question(&mut rng, words);
        let texts: Vec<String> = question
            .members
            .iter()
            .chain(&question.assumptions)
            .map(|&member| write(&question.store, member, Syntax::default()).expect("a text"))
            .collect();
        let engine = ENGINES[round % ENGINES.len()];
        let context = format!("{words:?}, {engine}: {texts:?}");
        let satisfiable = satisfiable_subsets(&question);
        let (mut cores, mut corrections) = expected(&satisfiable);
        let found = all(&question, &solver(engine), &Budget::unlimited());
        check(&question, &found, &context);
        assert!(found.complete, "{context}");
        let mut masks: Vec<usize> = found.cores.iter().map(|core| mask(&core.members)).collect();
        let mut left_out: Vec<usize> =
            found.corrections.iter().map(|correction| mask(&correction.members)).collect();
        for list in [&mut cores, &mut corrections, &mut masks, &mut left_out] {
            list.sort_unstable();
        }
        assert_eq!((masks, left_out), (cores.clone(), corrections), "{context}");
        let single = one(&question, &solver(engine), &Budget::unlimited());
        check(&question, &single, &context);
        match single.verdict {
            CoresVerdict::Satisfiable(_) => assert!(cores.is_empty(), "{context}"),
            CoresVerdict::Unsatisfiable => {
                contradictions += 1;
                assert!(cores.contains(&mask(&single.cores[0].members)), "{context}");
                check_reduced(&question, &single, &context);
            }
            CoresVerdict::Unknown(stop) => panic!("{context}: {stop}"),
        }
    }
    assert!(contradictions > 60, "{contradictions}");
}

/// Reduced members are weaker than the originals, and contradict each other.
#[track_caller]
fn check_reduced(question: &CoreQuestion, found: &Cores, context: &str) {
    let core = &found.cores[0];
    let reduced = core.reduced.as_ref().expect("a reduction");
    assert!(reduced.complete, "{context}");
    let mut store = found.store.clone();
    for (&member, &weaker) in core.members.iter().zip(&reduced.formulas) {
        let not_weaker = store.not(weaker);
        let both = [question.members[member], not_weaker];
        assert!(!satisfiable(&store, &both, question.words), "{context}");
    }
    let together = [&reduced.formulas[..], &question.assumptions].concat();
    assert!(!satisfiable(&store, &together, question.words), "{context}");
}

#[test]
fn unneeded_subformulas_are_left_out() {
    let texts = ["G(a -> X(b & F c))", "a & F d", "X !b | X(!b & e)"];
    let found =
        one(&question(&texts, &[], WordKind::Infinite), &Solver::default(), &Budget::unlimited());
    let reduced = found.cores[0].reduced.as_ref().expect("a reduction");
    let shown: Vec<String> = reduced
        .formulas
        .iter()
        .map(|&formula| write(&found.store, formula, Syntax::default()).expect("a text"))
        .collect();
    assert_eq!(found.cores[0].members, [0, 1, 2]);
    assert_eq!(shown, ["G(a -> X b)", "a", "X !b"]);
}

#[test]
fn assumptions_hold_anyway() {
    let texts = ["G F a", "F b", "G !b"];
    let question_assuming = question(&texts, &["F G !a"], WordKind::Infinite);
    let found = all(&question_assuming, &Solver::default(), &Budget::unlimited());
    let cores: Vec<&[usize]> = found.cores.iter().map(|core| &core.members[..]).collect();
    assert_eq!(cores, [&[0][..], &[1, 2]]);
    let alone = question(&texts, &["F c & G !c"], WordKind::Infinite);
    let found = all(&alone, &Solver::default(), &Budget::unlimited());
    assert_eq!(found.cores.len(), 1);
    assert!(found.cores[0].members.is_empty() && found.corrections.is_empty());
}

/// On finite words members share the length of the word, even without common propositions.
#[test]
fn members_of_finite_words_are_not_independent() {
    let found = all(
        &question(&["X a", "!X true", "F b"], &[], WordKind::Finite),
        &Solver::default(),
        &Budget::unlimited(),
    );
    assert_eq!(found.cores[0].members, [0, 1]);
    assert!(found.complete && found.cores.len() == 1);
}

#[test]
fn planted_conflicts_are_found() {
    for (seed, engine) in (0..10).zip(ENGINES.iter().cycle()) {
        let (members, conflicts) = (2 + seed as usize % 6, 1 + seed as usize % 2);
        let mut store = Store::new();
        let set = RequirementSet::new(&mut store, 80, members, conflicts, seed);
        let words = WordKind::Infinite;
        let members = set.requirements.clone();
        let question = CoreQuestion { store, members, assumptions: Vec::new(), words };
        let found = all(&question, &solver(engine), &Budget::unlimited());
        check(&question, &found, engine);
        assert!(found.complete);
        let mut planted = set.conflicts;
        planted.iter_mut().for_each(|conflict| conflict.sort_unstable());
        planted.sort_unstable();
        let mut cores: Vec<Vec<usize>> = found.cores.into_iter().map(|core| core.members).collect();
        cores.sort_unstable();
        assert_eq!(cores, planted, "seed {seed}");
    }
}

#[test]
fn at_most_so_many_smallest_cores() {
    let texts = ["a", "!a", "F(b & c)", "G !b", "G F d", "F G(!d & e)", "G !e | G(e & !d)"];
    let question = question(&texts, &[], WordKind::Infinite);
    let (solver, budget) = (Solver::default(), Budget::unlimited());
    let decide = &mut |problem: &Problem, budget: &Budget| {
        solver.decide(problem, budget, &mut Silent::default())
    };
    let mut reported = Vec::new();
    let report = &mut |core: &kermode_solve::cores::Core| reported.push(core.members.clone());
    let found = question.all(Some(2), &budget, decide, report).expect("no bug");
    assert!(found.cores.len() >= 2 && found.cores[1].members.len() == 2);
    assert!(found.smallest_open >= 2);
    assert_eq!(reported.len(), found.cores.len());
}

/// A budget that is used up leaves an answer that says so.
#[test]
fn the_end_of_the_budget_is_no_answer() {
    let mut store = Store::new();
    let set = RequirementSet::new(&mut store, 100, 6, 2, 3);
    let members = set.requirements;
    let (assumptions, words) = (Vec::new(), WordKind::Infinite);
    let question = CoreQuestion { store, members, assumptions, words };
    let none = Budget::within(Duration::ZERO);
    let found = all(&question, &Solver::default(), &none);
    assert_eq!(found.verdict, CoresVerdict::Unknown(Stop::Timeout));
    assert!(!found.complete && found.cores.is_empty());
    let mut calls = 0;
    let solver = Solver::default();
    // The engine gives up after some calls: what is not shown is not claimed.
    let decide = &mut |problem: &Problem, budget: &Budget| {
        calls += 1;
        match calls {
            0..=3 => solver.decide(problem, budget, &mut Silent::default()),
            _ => decided(Verdict::Unknown(Stop::Memory)),
        }
    };
    let budget = Budget::unlimited();
    let found = question.all(None, &budget, decide, &mut |_| ()).expect("no bug");
    assert!(!found.complete);
    assert_eq!(found.stop, Some(Stop::Memory));
}

fn decided(verdict: Verdict) -> Decided {
    Decided {
        verdict: Ok(verdict),
        engine: "core:growing".parse().ok(),
        statistics: Statistics::default(),
        entrants: Vec::new(),
        worker_cpu: Duration::ZERO,
    }
}

/// Engines that are wrong in four ways. A core that is none is refused by the second engine; a core
/// that is not minimal is not called so.
#[test]
fn wrong_engines_are_caught() {
    let texts = ["G F a", "F b", "F G !a", "G(b -> F c)", "G !c", "F d"];
    let satisfiable_question = question(&["F a", "F !a", "G(a -> X !a)"], &[], WordKind::Infinite);
    let question = question(&texts, &[], WordKind::Infinite);
    let solver = Solver::default();
    let truth =
        |problem: &Problem, budget: &Budget| solver.decide(problem, budget, &mut Silent::default());
    let budget = Budget::unlimited();
    // Everything is called unsatisfiable.
    let denier = &mut |_: &Problem, _: &Budget| decided(Verdict::Empty(None));
    let refused = satisfiable_question.one(&budget, denier);
    assert!(matches!(refused, Err(InternalError::Disagreement { .. })), "{refused:?}");
    // Two members together are called unsatisfiable.
    let pessimist = &mut |problem: &Problem, budget: &Budget| {
        let (formula, _) = problem.formula().expect("a formula");
        match outer_conjuncts(&mut problem.store.clone(), formula).len() {
            2 => decided(Verdict::Empty(None)),
            _ => truth(problem, budget),
        }
    };
    let refused = satisfiable_question.all(None, &budget, pessimist, &mut |_| ());
    let is_caught = match &refused {
        Ok(found) => found.cores.is_empty(),
        Err(error) => matches!(error, InternalError::Disagreement { .. }),
    };
    assert!(is_caught, "{refused:?}");
    // Large problems are called satisfiable, without a word: then there is no core.
    let optimist =
        &mut |_: &Problem, _: &Budget| decided(Verdict::Nonempty(Err(LeftOut::NotAsked)));
    let found = question.one(&budget, optimist).expect("no contradiction is seen");
    assert_eq!(found.verdict, CoresVerdict::Satisfiable(None));
    // Words are left out for smaller sets only: the core is not shown to be minimal.
    let mut first = true;
    let silent = &mut |problem: &Problem, budget: &Budget| {
        let decided_now = truth(problem, budget);
        match decided_now.verdict {
            Ok(Verdict::Nonempty(_)) if !std::mem::take(&mut first) => {
                decided(Verdict::Nonempty(Err(LeftOut::NotAsked)))
            }
            _ => decided_now,
        }
    };
    let found = question.one(&budget, silent).expect("no bug");
    assert_eq!(found.verdict, CoresVerdict::Unsatisfiable);
    let shown = found.cores.iter().flat_map(|core| &core.words).flatten();
    for word in shown {
        assert!(!word.is_empty());
    }
}

#[test]
fn conjuncts_are_split_through_negations() {
    let mut store = Store::new();
    for (text, expected) in [
        ("a & (b & G(c & d))", vec!["a", "b", "G(c & d)"]),
        ("!(a | !b | (c -> d))", vec!["!a", "b", "c", "!d"]),
        ("a & a", vec!["a"]),
        ("a | b", vec!["a | b"]),
    ] {
        let read = formula(&mut store, text);
        let conjuncts = outer_conjuncts(&mut store, read);
        let shown: Vec<String> = conjuncts
            .into_iter()
            .map(|conjunct| write(&store, conjunct, Syntax::default()).expect("a text"))
            .collect();
        assert_eq!(shown, expected);
    }
}
