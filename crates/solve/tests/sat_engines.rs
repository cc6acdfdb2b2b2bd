//! The engines that ask a SAT solver, compared with the reference tableau on more formulas than the
//! other engines are: each word is replayed by the naive semantics.

use std::time::Duration;

use kermode_base::Rng;
use kermode_ltl::random::{Operators, RandomFormula};
use kermode_ltl::reference::tableau;
use kermode_ltl::{Formula, Store, UnaryOp, WordKind, semantics};
use kermode_solve::{Budget, EngineSpec, Problem, Silent, Stop, Verdict, Witness, decide};

const COMPLETE: [&str; 3] = ["sat:explicit", "sat:tableau", "sat:frames"];

fn spec(text: &str) -> EngineSpec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The verdict of an engine, after its word was replayed.
fn decided(engine: &str, store: &Store, formula: Formula, words: WordKind) -> Option<bool> {
    let problem = Problem::satisfiability(store, formula, words);
    // Some formulas take `sat:tableau` very long. Steps are the same on every machine.
    let budget = match engine.starts_with("sat:tableau") {
        true => Budget::unlimited().in_steps().slice(Duration::from_millis(500)),
        false => Budget::unlimited(),
    };
    let verdict = decide(&problem, &spec(engine), &budget, &mut Silent::default());
    match verdict.unwrap_or_else(|error| panic!("{error}")) {
        Verdict::Nonempty(Ok(Witness::Word(word))) => {
            assert!(semantics::naive::satisfies(store, formula, &word), "{engine}: {word:?}");
            Some(true)
        }
        Verdict::Empty(_) => Some(false),
        Verdict::Unknown(Stop::Limit(_)) => None,
        Verdict::Unknown(Stop::Timeout) if engine.starts_with("sat:tableau") => None,
        other => panic!("{engine}: {other:?}"),
    }
}

fn compare(
    operators: Operators,
    propositions: usize,
    sizes: std::ops::Range<usize>,
    rounds: usize,
) {
    let mut rng = Rng::new(20231118);
    let (mut decided_by_tableau, mut contradictions, mut refuted) = (0, 0, 0);
    for round in 0..rounds {
        let words = [WordKind::Infinite, WordKind::Finite][round % 2];
        let mut store = Store::new();
        let propositions = (0..propositions).map(|i| store.proposition(&format!("p{i}"))).collect();
        let size = rng.between(sizes.start, sizes.end);
        let random = RandomFormula { size, propositions, operators: operators.clone() };
        let formula = random.draw(&mut store, &mut rng);
        let mut never = || Ok::<(), ()>(());
        let Ok(expected) = tableau(&store, formula, words, &mut never) else { continue };
        let expected = expected.is_some();
        let shown =
            || kermode_ltl::dialect::write(&store, formula, kermode_ltl::Dialect::Kermode.into());
        for rules in ["all", "none"] {
            for engine in COMPLETE {
                if engine == "sat:frames" && words == WordKind::Infinite {
                    continue;
                }
                let engine = format!("{engine}:rules={rules}");
                let answer = decided(&engine, &store, formula, words);
                assert!(
                    answer == Some(expected)
                        || answer.is_none() && engine.starts_with("sat:tableau"),
                    "{engine} on {words:?} {:?}",
                    shown()
                );
                decided_by_tableau += usize::from(answer.is_some() && engine.starts_with("sat:t"));
            }
            let engine = format!("sat:bmc:length=6:rules={rules}");
            let answer = decided(&engine, &store, formula, words);
            assert!(answer.is_none_or(|answer| answer == expected), "{engine}: {:?}", shown());
            if words == WordKind::Infinite {
                let engine = format!("sat:k-liveness:rounds=4:rules={rules}");
                let answer = decided(&engine, &store, formula, words);
                assert!(answer.is_none_or(|answer| answer == expected), "{engine}: {:?}", shown());
                contradictions += usize::from(!expected);
                refuted += usize::from(answer.is_some());
            }
        }
    }
    assert!(decided_by_tableau > rounds * 3 / 2, "{decided_by_tableau}");
    assert!(refuted > contradictions * 3 / 4, "{refuted} of {contradictions}");
}

#[test]
fn random_formulas_of_the_future() {
    compare(Operators::future().with_weak_next(), 2, 3..11, 600);
}

#[test]
fn random_formulas_with_past_and_bounds() {
    compare(Operators::future().with_weak_next().with_past().with_bounds(2), 2, 3..9, 600);
}

#[test]
fn random_formulas_of_three_propositions() {
    compare(Operators::future().with_past(), 3, 6..12, 200);
}

/// Words of one letter that satisfy random clauses. `sat:bmc` gives up after some conflicts, and
/// longer words do not exist: it must not conclude that there is no word.
#[test]
fn a_length_that_was_left_undecided_is_not_excluded() {
    let mut rng = Rng::new(5);
    let mut words_exist = 0;
    for _ in 0..5 {
        let mut store = Store::new();
        let names: Vec<String> = (0..180).map(|i| format!("p{i}")).collect();
        let no_next = store.constant(false);
        let mut formula = store.unary(UnaryOp::WeakNext, no_next);
        for _ in 0..756 {
            let mut clause = store.constant(false);
            for _ in 0..3 {
                let proposition = store.named(&names[rng.below(names.len())]);
                let literal = if rng.coin() { proposition } else { store.not(proposition) };
                clause = store.or(clause, literal);
            }
            formula = store.and(formula, clause);
        }
        let expected = decided("sat:explicit:rules=none", &store, formula, WordKind::Finite);
        words_exist += usize::from(expected == Some(true));
        let found = decided("sat:bmc:rules=none", &store, formula, WordKind::Finite);
        assert!(found.is_none() || found == expected);
    }
    assert!(words_exist > 0);
}
