//! The engines that ask a SAT solver, compared with the reference tableau on many more formulas than
//! the other engines are: each word is replayed by the naive semantics.

use kermode_base::Rng;
use kermode_ltl::random::{Operators, RandomFormula};
use kermode_ltl::reference::tableau;
use kermode_ltl::{Formula, Store, WordKind, semantics};
use kermode_solve::{Budget, EngineSpec, Problem, Silent, Stop, Verdict, Witness, decide};

const COMPLETE: [&str; 3] = ["sat:explicit", "sat:tableau", "sat:frames"];

fn spec(text: &str) -> EngineSpec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The verdict of an engine, after its word was replayed.
fn decided(engine: &str, store: &Store, formula: Formula, words: WordKind) -> Option<bool> {
    let problem = Problem::satisfiability(store, formula, words);
    let budget = Budget::unlimited();
    let verdict = decide(&problem, &spec(engine), &budget, &mut Silent::default());
    match verdict.unwrap_or_else(|error| panic!("{error}")) {
        Verdict::Nonempty(Ok(Witness::Word(word))) => {
            assert!(semantics::naive::satisfies(store, formula, &word), "{engine}: {word:?}");
            Some(true)
        }
        Verdict::Empty(_) => Some(false),
        Verdict::Unknown(Stop::Limit(_)) => None,
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
                assert_eq!(answer, Some(expected), "{engine} on {words:?} {:?}", shown());
            }
            let engine = format!("sat:bmc:length=6:rules={rules}");
            let answer = decided(&engine, &store, formula, words);
            assert!(answer.is_none_or(|answer| answer == expected), "{engine}: {:?}", shown());
        }
    }
}

#[test]
fn random_formulas_of_the_future() {
    compare(Operators::future().with_weak_next(), 2, 3..11, 1500);
}

#[test]
fn random_formulas_with_past_and_bounds() {
    compare(Operators::future().with_weak_next().with_past().with_bounds(2), 2, 3..9, 1500);
}

#[test]
fn random_formulas_of_three_propositions() {
    compare(Operators::future().with_past(), 3, 6..12, 600);
}
