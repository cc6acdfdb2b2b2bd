//! Random formulas stay what they are: seeds are written down in reports.

use kermode_base::Rng;
use kermode_ltl::random::{Operators, RandomFormula, all_formulas, random_word};
use kermode_ltl::{BinaryOp, Measure, Node, Store, UnaryOp, WordKind};

#[test]
fn formulas_have_the_size_asked_for() {
    let mut rng = Rng::new(9);
    for round in 0..2_000 {
        let mut store = Store::new();
        let propositions = vec![store.proposition("a"), store.proposition("b")];
        let operators = Operators::future().with_past().with_bounds(5);
        let size = rng.between(1, 40);
        let shape = RandomFormula { size, propositions, operators };
        let formula = shape.draw(&mut store, &mut rng);
        assert_eq!(Measure::of(&store, formula).size, size as u64, "round {round}");
    }
}

#[test]
fn binary_operators_alone_make_odd_sizes() {
    let mut rng = Rng::new(10);
    let mut store = Store::new();
    let operators =
        Operators { binary: vec![BinaryOp::And, BinaryOp::Until], ..Operators::default() };
    let shape = RandomFormula { size: 101, propositions: vec![store.proposition("a")], operators };
    let formula = shape.draw(&mut store, &mut rng);
    assert_eq!(Measure::of(&store, formula).size, 101);
}

#[test]
fn the_same_seed_gives_the_same() {
    let draw = || {
        let (mut store, mut rng) = (Store::new(), Rng::new(11));
        let propositions = vec![store.proposition("a"), store.proposition("b")];
        let word = random_word(&mut rng, &propositions, WordKind::Infinite, 5, 5);
        let shape = RandomFormula {
            size: 30,
            propositions,
            operators: Operators::future().with_weak_next(),
        };
        (shape.draw(&mut store, &mut rng), store.len(), word)
    };
    assert_eq!(draw(), draw());
}

#[test]
fn large_formulas_do_not_overflow_the_stack() {
    let (mut store, mut rng) = (Store::new(), Rng::new(12));
    let operators = Operators { unary: vec![UnaryOp::Next], ..Operators::default() };
    let shape =
        RandomFormula { size: 1_000_000, propositions: vec![store.proposition("a")], operators };
    let formula = shape.draw(&mut store, &mut rng);
    assert_eq!(formula.index(), 999_999);
}

#[test]
fn all_formulas_are_counted_as_written() {
    let mut store = Store::new();
    let propositions = ["a", "b"].map(|name| store.proposition(name));
    let unary = [UnaryOp::Not, UnaryOp::Next];
    let binary = [BinaryOp::And, BinaryOp::Until];
    let by_size = all_formulas(&mut store, &propositions, &unary, &binary, 7);
    let counts: Vec<usize> = by_size.iter().map(Vec::len).collect();
    assert_eq!(counts, [2, 4, 16, 64, 288, 1_344, 6_528]);
    assert_eq!(counts.iter().sum::<usize>(), store.len());
}

#[test]
fn sizes_are_split_uniformly() {
    let (mut store, mut rng) = (Store::new(), Rng::new(13));
    let shape = RandomFormula {
        size: 8,
        propositions: vec![store.proposition("a")],
        operators: Operators::future(),
    };
    let mut counts = [0; 7];
    for _ in 0..6_000 {
        let formula = shape.draw(&mut store, &mut rng);
        if let Node::Binary(_, left, _) = store.node(formula) {
            counts[Measure::of(&store, left).size as usize] += 1;
        }
    }
    // Nine operators of thirteen are binary, and six sizes are possible on the left.
    let expected = 6_000 * 9 / 13 / 6;
    let near = |&count: &i32| (count - expected).abs() < expected / 5;
    assert!(counts[1..].iter().all(near), "{counts:?}");
}

/// What a seed yields is part of the interface: this formula must never change.
#[test]
fn seeds_keep_their_meaning() {
    let (mut store, mut rng) = (Store::new(), Rng::new(14));
    let shape = RandomFormula {
        size: 6,
        propositions: vec![store.proposition("a"), store.proposition("b")],
        operators: Operators::future().with_past().with_bounds(9),
    };
    let formula = shape.draw(&mut store, &mut rng);
    let subformulas = store.subformulas(formula);
    let nodes: Vec<String> = subformulas.iter().map(|f| format!("{:?}", store.node(f))).collect();
    let expected = [
        "Proposition(Proposition(1))",
        "BoundedUnary(Historically, IntervalId(0), Formula(0))",
        "BoundedUnary(Finally, IntervalId(1), Formula(1))",
        "Proposition(Proposition(0))",
        "Binary(Iff, Formula(2), Formula(3))",
        "BoundedUnary(Once, IntervalId(1), Formula(4))",
    ];
    assert_eq!(nodes, expected);
}
