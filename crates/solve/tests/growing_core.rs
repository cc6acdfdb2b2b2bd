//! `core:growing` against the oracle, on conjunctions: satisfiable and not, over both kinds of
//! words, with each engine that is asked for words of the core; and that it does without most
//! conjuncts where few matter.

mod common;

use kermode_base::Rng;
use kermode_ltl::dialect::{Dialect, parse};
use kermode_ltl::random::{Operators, RandomFormula};
use kermode_ltl::{Formula, Store, WordKind};
use kermode_solve::{Budget, EngineSpec, Problem, Silent, Verdict, decide};

use common::{KINDS, compare};

fn variants() -> Vec<EngineSpec> {
    let options =
        ["by=first", "by=second", "by=symbolic", "by=first:rules=none", "by=second:rules=none"];
    let options = options.into_iter().flat_map(|by| [by.to_owned(), format!("{by}:patience=0")]);
    let spec = |options: String| format!("core:growing:{options}").parse().expect("an engine");
    options.map(spec).collect()
}

/// A conjunction of random formulas, some of which hold always.
fn random_conjunction(store: &mut Store, rng: &mut Rng) -> Formula {
    let propositions: Vec<_> = ["a", "b", "c"].map(|name| store.proposition(name)).to_vec();
    let operators = Operators::future().with_weak_next().with_past();
    let count = rng.between(2, 6);
    let conjuncts: Vec<Formula> = (0..count)
        .map(|_| {
            let (size, operators) = (rng.between(2, 5), operators.clone());
            RandomFormula { size, propositions: propositions.clone(), operators }.draw(store, rng)
        })
        .collect();
    store.all(conjuncts)
}

#[test]
fn random_conjunctions() {
    let mut rng = Rng::new(2000);
    let variants = variants();
    for round in 0..800 {
        let mut store = Store::new();
        let formula = random_conjunction(&mut store, &mut rng);
        let engine = &variants[round % variants.len()];
        for words in KINDS {
            compare(&store, formula, words, std::slice::from_ref(engine));
        }
    }
}

/// Chains of obligations, two of which cannot be met together.
fn contradiction_among(count: usize) -> String {
    let others = (0..count).map(|i| format!("G(p{i} -> X F p{})", i + 1));
    let all: Vec<String> = others.chain(["F(q & X r)".into(), "G(q -> X !r)".into()]).collect();
    all.join(" & ")
}

#[test]
fn few_conjuncts_of_many_are_looked_at() {
    let mut store = Store::new();
    let text = contradiction_among(40);
    let formula = parse(&mut store, &text, Dialect::Kermode.into()).expect("a formula").formula;
    for by in ["forward", "couvreur", "symbolic"] {
        let engine =
            format!("core:growing:by={by}:rules=none:patience=0").parse().expect("an engine");
        let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
        let (mut observer, budget) = (Silent::default(), Budget::unlimited());
        let verdict = decide(&problem, &engine, &budget, &mut observer);
        assert_eq!(verdict, Ok(Verdict::Empty(None)), "{engine}");
        let core = observer.statistics.iter().find(|(name, _)| *name == "core");
        let core = core.expect("it is counted").1;
        assert!((2..=4).contains(&core), "{engine}: {core}");
    }
}
