//! Bounded operators with counters and as events, against engines that write them out.

mod common;

use kermode_base::Rng;
use kermode_ltl::dialect::{Dialect, parse};
use kermode_ltl::eliminate::to_future_counting;
use kermode_ltl::{Formula, Store, WordKind, semantics};
use kermode_solve::{
    Budget, EngineSpec, Problem, Silent, Stop, Verdict, Witness, WitnessPolicy, decide,
};

use common::{KINDS, is_nonempty};

fn engine(name: &str) -> EngineSpec {
    name.parse().expect("a known engine")
}

fn read(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).expect("a formula").formula
}

/// A random requirement: a trigger, and what follows or goes before at some distance.
fn requirement(rng: &mut Rng) -> String {
    let names = ["a", "b", "c"];
    let name = |rng: &mut Rng| names[rng.below(3)];
    let literal = |rng: &mut Rng| format!("{}{}", ["", "!"][rng.below(2)], names[rng.below(3)]);
    let bounds = |rng: &mut Rng| {
        let low = [0, 0, 0, 1, 2][rng.below(5)];
        format!("[{low},{}]", low + rng.below(4))
    };
    let window = |rng: &mut Rng| {
        let op = ["F", "G", "O", "H"][rng.below(4)];
        format!("{op}{} {}", bounds(rng), literal(rng))
    };
    let trigger = name(rng);
    match rng.below(8) {
        0..4 => format!("G({trigger} -> {})", window(rng)),
        4 => format!("G({trigger} -> ({} | {}))", window(rng), window(rng)),
        5 => format!("G({trigger} & {} -> {})", name(rng), window(rng)),
        6 => {
            let op = ["U", "R"][rng.below(2)];
            let bounds = if rng.below(2) == 0 { bounds(rng) } else { String::new() };
            format!("G({trigger} -> ({} {op}{bounds} {}))", literal(rng), literal(rng))
        }
        _ => format!("G({trigger} -> F{} ({} & {}))", bounds(rng), literal(rng), window(rng)),
    }
}

/// A conjunction of random requirements and an event that sets them off.
fn requirements(rng: &mut Rng) -> String {
    let mut parts: Vec<String> = (0..rng.between(1, 4)).map(|_| requirement(rng)).collect();
    let name = ["a", "b", "c"][rng.below(3)];
    parts.push(match rng.below(3) {
        0 => name.to_owned(),
        1 => format!("F {name}"),
        _ => format!("F({name} & G[0,{}] !{})", rng.below(4), ["a", "b", "c"][rng.below(3)]),
    });
    parts.join(" & ")
}

/// What the events say, if anything: by words that the semantics judges, or, if no word may be
/// shown, by the demands on the events alone.
fn by_events(problem: &Problem) -> Option<bool> {
    let said =
        decide(problem, &engine("events:network"), &Budget::unlimited(), &mut Silent::default());
    match said.expect("no internal error") {
        Verdict::Nonempty(Ok(_) | Err(_)) => Some(true),
        Verdict::Empty(_) => Some(false),
        Verdict::Unknown(Stop::Limit(_) | Stop::Unsupported(_)) => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn events_agree_with_diagrams() {
    let mut rng = Rng::new(91);
    let [mut satisfiable, mut unsatisfiable, mut unknown] = [0; 3];
    for round in 0..600 {
        let mut store = Store::new();
        let text = requirements(&mut rng);
        let formula = read(&mut store, &text);
        let problem = Problem::satisfiability(&store, formula, KINDS[round % 2]);
        let expected = is_nonempty(&problem, &engine("symbolic:nnf/sloppy/gba/default"));
        let short = Problem { witness: WitnessPolicy { limit: 1, ..problem.witness }, ..problem };
        for said in [by_events(&problem), by_events(&short)] {
            assert!(said.is_none_or(|said| said == expected), "{text}: {said:?}");
            *match said {
                Some(true) => &mut satisfiable,
                Some(false) => &mut unsatisfiable,
                None => &mut unknown,
            } += 1;
        }
    }
    let decided = [satisfiable, unsatisfiable];
    assert!(satisfiable > 600 && unsatisfiable > 60 && unknown < 400, "{decided:?}, {unknown}");
}

/// Counters for all bounds, against formulas that are written out.
#[test]
fn counters_agree_with_what_is_written_out() {
    let mut rng = Rng::new(4);
    let symbolic = engine("symbolic:nnf/sloppy/gba/default");
    let mut unsatisfiable = 0;
    for round in 0..400 {
        let words = KINDS[round % 2];
        let mut store = Store::new();
        let text = requirements(&mut rng);
        let formula = read(&mut store, &text);
        let expected =
            is_nonempty(&Problem::satisfiability(&store, formula, words), &engine("tgba:couvreur"));
        let counted =
            to_future_counting(&mut store, formula, words, 0, 1 << 16).expect("small bounds");
        let problem = Problem::satisfiability(&store, counted.formula, words);
        let said = decide(&problem, &symbolic, &Budget::unlimited(), &mut Silent::default());
        match said.expect("no internal error") {
            Verdict::Nonempty(Ok(Witness::Word(word))) => {
                assert!(expected, "{text}");
                let word = counted.restore.word(&word);
                assert!(semantics::holds(&store, formula, &word), "{text}: {word:?}");
            }
            Verdict::Empty(_) => {
                unsatisfiable += 1;
                assert!(!expected, "{text}");
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(unsatisfiable > 20, "{unsatisfiable}");
}

/// Deadlines in a chain, exact to one position, whatever the size of the bounds.
#[test]
fn chains_of_deadlines_are_exact() {
    for bound in [10u32, 1_000, 1_000_000_000] {
        for (more, expected) in [(0, false), (1, true)] {
            let mut store = Store::new();
            let text = format!(
                "G(a -> F[0,{bound}] b) & G(b -> F[0,7] c) & F(a & G[0,{}] !c)",
                bound + 7 - more
            );
            let formula = read(&mut store, &text);
            let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
            assert_eq!(by_events(&problem), Some(expected), "{text}");
        }
    }
}

/// Past operators unroll a loop by their bounds, which a judge of words must not do with these.
#[test]
fn past_operators_may_have_large_bounds() {
    for (text, expected) in [
        ("F(!c & O[0,4294967295] c)", true),
        ("G(d -> H[0,1000000000] a) & F d & F !a", true),
        ("F(c & H[0,1000000000] !a) & G(c -> O[0,999999999] a)", false),
    ] {
        let mut store = Store::new();
        let formula = read(&mut store, text);
        let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
        let said = by_events(&problem);
        assert!(said.is_none_or(|said| said == expected), "{text}: {said:?}");
    }
}
