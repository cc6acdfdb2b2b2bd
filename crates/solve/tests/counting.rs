//! The counting argument refutes pigeon holes of any size, and nothing that has a word.

use kermode_ltl::dialect::parse;
use kermode_ltl::{Dialect, Store, WordKind};
use kermode_solve::{Budget, EngineSpec, Problem, Silent, Stop, Verdict, decide};

fn ask(engine: &str, text: &str) -> Verdict {
    let mut store = Store::new();
    let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
    let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
    let engine: EngineSpec = engine.parse().expect("an engine");
    decide(&problem, &engine, &Budget::unlimited(), &mut Silent::default()).expect("no bug")
}

/// Pigeons that exclude each other and come again after the given numbers of positions.
fn pigeons(distances: &[usize]) -> String {
    let count = distances.len();
    let pairs = (0..count).flat_map(|i| (0..i).map(move |j| format!("G(p{i} -> !p{j})")));
    let comes = distances.iter().enumerate();
    let comes = comes.map(|(i, &k)| format!("F p{i} & G(p{i} -> {}p{i})", "X ".repeat(k)));
    pairs.chain(comes).collect::<Vec<_>>().join(" & ")
}

#[test]
fn pigeon_holes_are_refuted() {
    for count in [2, 3, 10, 30, 70] {
        let text = pigeons(&vec![count - 1; count]);
        assert_eq!(ask("counting:density", &text), Verdict::Empty(None), "{count}");
    }
    assert_eq!(ask("counting:density", &pigeons(&[2, 3, 5])), Verdict::Empty(None));
    let bounded = "G !(a & b) & a & F b & G(a -> F[1,2] a) & G(b -> X F[0,0] b)";
    assert_eq!(ask("counting:density", bounded), Verdict::Empty(None));
}

/// Against another engine, for all small distances.
#[test]
fn nothing_with_a_word_is_refuted() {
    let mut refuted = 0;
    for code in 0..64 {
        let distances = [1 + code % 4, 1 + code / 4 % 4, 1 + code / 16];
        let text = pigeons(&distances);
        match ask("counting:density", &text) {
            Verdict::Empty(_) => {
                refuted += 1;
                assert_eq!(ask("tgba:couvreur", &text), Verdict::Empty(None), "{distances:?}");
            }
            Verdict::Unknown(Stop::Limit(_)) => {}
            other => panic!("{distances:?}: {other:?}"),
        }
    }
    assert!(refuted > 20, "{refuted}");
}
