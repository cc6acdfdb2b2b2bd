//! Normal forms and smart constructors: their shape, and that they mean the same as the original on
//! random words of both kinds, by the naive evaluator.

use kermode_base::Rng;
use kermode_ltl::dialect::{express, parse, write};
use kermode_ltl::normal::{
    ExpansionTooLarge, boolean_normal_form, expand_bounded, negation_normal_form,
};
use kermode_ltl::random::{Operators, RandomFormula, random_word};
use kermode_ltl::semantics::naive;
use kermode_ltl::{
    BinaryOp, BoundedBinaryOp, BoundedUnaryOp, Dialect, Formula, Interval, Node, Proposition,
    Store, UnaryOp, WordKind,
};

const KINDS: [WordKind; 2] = [WordKind::Infinite, WordKind::Finite];

fn read(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).expect("a formula").formula
}

fn text(store: &Store, formula: Formula) -> String {
    write(store, formula, Dialect::Kermode.into()).expect("Kermode has all operators")
}

#[track_caller]
fn assert_equivalent(
    store: &Store,
    [original, changed]: [Formula; 2],
    propositions: &[Proposition],
    words: WordKind,
    rng: &mut Rng,
    rounds: usize,
) {
    for _ in 0..rounds {
        let word = random_word(rng, propositions, words, 3, 3);
        assert_eq!(
            naive::satisfies(store, original, &word),
            naive::satisfies(store, changed, &word),
            "{} and {} on {word:?}",
            text(store, original),
            text(store, changed),
        );
    }
}

/// Checks a normal form of 1,500 random formulas over all operators for each kind of words.
fn check(
    seed: u64,
    form: impl Fn(&mut Store, Formula, WordKind) -> Formula,
    fits: impl Fn(&Store, Node, WordKind) -> bool,
) {
    let mut rng = Rng::new(seed);
    for words in KINDS {
        for _ in 0..150 {
            let mut store = Store::new();
            let propositions: Vec<_> = ["a", "b", "c"].map(|p| store.proposition(p)).to_vec();
            let operators = Operators::future().with_weak_next().with_past().with_constants();
            let operators = operators.with_bounds(4);
            let mut random =
                RandomFormula { size: 1, propositions: propositions.clone(), operators };
            for _ in 0..10 {
                random.size = rng.between(1, 18);
                let formula = random.draw(&mut store, &mut rng);
                let normal = form(&mut store, formula, words);
                for part in store.subformulas(normal).iter() {
                    let node = store.node(part);
                    assert!(fits(&store, node, words), "{node:?} in {}", text(&store, normal));
                }
                let pair = [formula, normal];
                assert_equivalent(&store, pair, &propositions, words, &mut rng, 8);
                assert_eq!(form(&mut store, normal, words), normal, "a form of a form is itself");
            }
        }
    }
}

#[test]
fn negation_normal_forms() {
    check(1, negation_normal_form, |store, node, words| match node {
        Node::Unary(UnaryOp::Not, a) => matches!(store.node(a), Node::Proposition(_)),
        Node::Unary(UnaryOp::WeakNext, _) => words == WordKind::Finite,
        Node::Binary(BinaryOp::Implies | BinaryOp::Iff | BinaryOp::Xor, _, _) => false,
        _ => true,
    });
}

#[test]
fn boolean_normal_forms() {
    check(2, boolean_normal_form, |_, node, _| match node {
        Node::Constant(_) | Node::Proposition(_) => true,
        Node::Unary(op, _) => {
            use UnaryOp::*;
            matches!(op, Not | Next | Finally | Yesterday | Once)
        }
        Node::Binary(op, _, _) => matches!(op, BinaryOp::Or | BinaryOp::Until | BinaryOp::Since),
        Node::BoundedUnary(op, _, _) => {
            matches!(op, BoundedUnaryOp::Finally | BoundedUnaryOp::Once)
        }
        Node::BoundedBinary(op, _, _, _) => op == BoundedBinaryOp::Until,
    });
}

#[test]
fn expansions() {
    let expand = |store: &mut Store, formula, words| {
        expand_bounded(store, formula, words, 1_000_000).expect("small bounds")
    };
    check(3, expand, |_, node, _| {
        !matches!(node, Node::BoundedUnary(..) | Node::BoundedBinary(..))
    });
    let mut store = Store::new();
    for (bounded, infinite, finite) in [
        ("F[1,2] a", "X(a | X a)", "X(a | X a)"),
        ("G[1,2] a", "X(a & X a)", "N(a & N a)"),
        ("X[2] a", "X X a", "X X a"),
        ("N[2] a", "X X a", "N N a"),
        ("O[1,2] a", "Y(a | Y a)", "Y(a | Y a)"),
        ("H[1,2] a", "Z(a & Z a)", "Z(a & Z a)"),
        ("a U[0,1] b", "b | a & X b", "b | a & X b"),
        ("a U[1,2] b", "a & X(b | a & X b)", "a & X(b | a & X b)"),
        ("a R[1,2] b", "a | X(b & (a | X b))", "a | N(b & (a | N b))"),
        ("F[0,0] a", "a", "a"),
        ("a U[0,0] b", "b", "b"),
    ] {
        let formula = read(&mut store, bounded);
        for (words, expected) in KINDS.into_iter().zip([infinite, finite]) {
            let expanded = expand_bounded(&mut store, formula, words, 100).unwrap();
            let expected = read(&mut store, expected);
            assert_eq!(expanded, expected, "{bounded} is {}", text(&store, expanded));
        }
    }
}

#[test]
fn expansion_has_a_limit() {
    let mut store = Store::new();
    let huge = read(&mut store, "F[0,4000000000] a");
    let before = store.len();
    let result = expand_bounded(&mut store, huge, WordKind::Infinite, 1_000_000);
    assert_eq!(result, Err(ExpansionTooLarge { limit: 1_000_000 }));
    assert!(store.len() <= before + 1, "nothing is built in vain");
    // The limit is for all bounded operators together.
    let two = read(&mut store, "F[0,100] a & G[0,100] b");
    assert!(expand_bounded(&mut store, two, WordKind::Infinite, 400).is_err());
    assert!(expand_bounded(&mut store, two, WordKind::Infinite, 600).is_ok());
    // So it is where a dialect has no bounds; either of these would fit for itself.
    let one = read(&mut store, "X[1700000] a");
    assert!(express(&mut store, one, Dialect::Pltl.into()).is_ok());
    let two = read(&mut store, "X[1700000] a & X[1700000] b");
    assert!(express(&mut store, two, Dialect::Pltl.into()).is_err());
}

/// Writing out nested bounded operators looks at each of them once.
#[test]
fn expressing_nested_bounds_is_linear() {
    let mut store = Store::new();
    let mut formula = read(&mut store, "a");
    let bounds = store.interval_id(Interval { low: 1, high: 2 });
    for _ in 0..100_000 {
        formula = store.intern(Node::BoundedUnary(BoundedUnaryOp::Globally, bounds, formula));
    }
    let expressed = express(&mut store, formula, Dialect::Pltl.into()).unwrap();
    assert_eq!(store.subformulas(expressed).len(), 300_001);
}

#[test]
fn forms_by_hand() {
    let mut store = Store::new();
    let table = [
        ("!(a -> b)", "a & !b", "a & !b"),
        ("!X a", "X !a", "N !a"),
        ("!N a", "X !a", "X !a"),
        ("N a", "X a", "N a"),
        ("!(a U b)", "!a R !b", "!a R !b"),
        ("!(a W b)", "!a M !b", "!a M !b"),
        ("!(a S b)", "!a T !b", "!a T !b"),
        ("!Y a", "Z !a", "Z !a"),
        ("!G F a", "F G !a", "F G !a"),
        ("!O H a", "H O !a", "H O !a"),
        ("!F[1,2] a", "G[1,2] !a", "G[1,2] !a"),
        ("!(a U[1,2] b)", "!a R[1,2] !b", "!a R[1,2] !b"),
        ("a <-> b", "a & b | !a & !b", "a & b | !a & !b"),
        ("a ^ b", "a & !b | !a & b", "a & !b | !a & b"),
        ("!(a <-> b)", "a & !b | !a & b", "a & !b | !a & b"),
        ("!(a ^ b)", "a & b | !a & !b", "a & b | !a & !b"),
        ("!true", "false", "false"),
        ("!!!a", "!a", "!a"),
    ];
    for (original, infinite, finite) in table {
        let formula = read(&mut store, original);
        for (words, expected) in KINDS.into_iter().zip([infinite, finite]) {
            let normal = negation_normal_form(&mut store, formula, words);
            let expected_formula = read(&mut store, expected);
            assert_eq!(normal, expected_formula, "{original}: {}", text(&store, normal));
        }
    }
    for (original, expected) in [
        ("a & b", "!(!a | !b)"),
        ("G a", "!F !a"),
        ("a R b", "!(!a U !b)"),
        ("a -> b", "!a | b"),
        ("a W b", "!(!b U !(a | b))"),
        ("a M b", "b U !(!a | !b)"),
        ("H a", "!O !a"),
        ("a T b", "!(!a S !b)"),
        ("Z a", "!Y !a"),
        ("G[1,2] a", "!F[1,2] !a"),
        ("!!a", "a"),
    ] {
        let formula = read(&mut store, original);
        let normal = boolean_normal_form(&mut store, formula, WordKind::Infinite);
        let expected_formula = read(&mut store, expected);
        assert_eq!(normal, expected_formula, "{original}: {}", text(&store, normal));
    }
}

/// `<->` and `^` need both polarities of their operands, which are shared: 2,000 of them in a row
/// have a tree of more than 2^2000 nodes and six distinct subformulas each.
#[test]
fn nested_equivalences_stay_linear() {
    for sign in ["<->", "^"] {
        let mut store = Store::new();
        let long: Vec<String> = (0..=2_000).map(|i| format!("p{i}")).collect();
        let formula = read(&mut store, &long.join(&format!(" {sign} ")));
        for words in KINDS {
            let nnf = negation_normal_form(&mut store, formula, words);
            assert!(store.subformulas(nnf).len() <= 8 * 2_001);
            let bnf = boolean_normal_form(&mut store, formula, words);
            assert!(store.subformulas(bnf).len() <= 10 * 2_001);
        }
    }
}

/// Operands for the smart constructors: constants, literals, and nested operators of each kind.
fn operands(store: &mut Store) -> Vec<Formula> {
    let texts = [
        "true", "false", "a", "b", "!a", "!b", "!!a", "X a", "N true", "X true", "F a", "G a",
        "O a", "H a", "F b", "Y a", "Z a", "!F a",
    ];
    texts.iter().map(|text| read(store, text)).collect()
}

/// Each constructor on each operand, or pair of them, against the operator as it stands.
#[test]
fn smart_constructors_mean_the_operators() {
    let mut rng = Rng::new(4);
    let mut store = Store::new();
    let propositions = [store.proposition("a"), store.proposition("b")];
    let operands = operands(&mut store);
    let mut pairs: Vec<[Formula; 2]> = Vec::new();
    let intervals = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)];
    for &a in &operands {
        for op in UnaryOp::ALL {
            pairs.push([store.intern(Node::Unary(op, a)), store.unary(op, a)]);
        }
        for (low, high) in intervals {
            let bounds = Interval { low, high };
            let id = store.interval_id(bounds);
            for op in BoundedUnaryOp::ALL {
                let raw = store.intern(Node::BoundedUnary(op, id, a));
                pairs.push([raw, store.bounded_unary(op, bounds, a)]);
            }
            for &b in &operands {
                for op in BoundedBinaryOp::ALL {
                    let raw = store.intern(Node::BoundedBinary(op, id, a, b));
                    pairs.push([raw, store.bounded_binary(op, bounds, a, b)]);
                }
            }
        }
        for &b in &operands {
            for op in BinaryOp::ALL {
                pairs.push([store.intern(Node::Binary(op, a, b)), store.binary(op, a, b)]);
            }
        }
    }
    let folded = pairs.iter().filter(|[raw, smart]| raw != smart).count();
    assert!(folded > 500, "only {folded} of {} are simplified", pairs.len());
    for words in KINDS {
        for &pair in &pairs {
            assert_equivalent(&store, pair, &propositions, words, &mut rng, 12);
        }
    }
}

/// Constants leave nothing behind that could be a constant on both kinds of words.
#[test]
fn smart_constructors_fold_constants() {
    let mut store = Store::new();
    let constants = [store.constant(false), store.constant(true)];
    for op in BinaryOp::ALL {
        for a in constants {
            for b in constants {
                let folded = store.binary(op, a, b);
                assert!(constants.contains(&folded), "{op:?}: {}", text(&store, folded));
            }
        }
    }
    for (op, value, folds) in [
        (UnaryOp::Next, true, false),
        (UnaryOp::Next, false, true),
        (UnaryOp::WeakNext, true, true),
        (UnaryOp::WeakNext, false, false),
        (UnaryOp::Yesterday, true, false),
        (UnaryOp::WeakYesterday, false, false),
        (UnaryOp::Globally, true, true),
        (UnaryOp::Once, false, true),
    ] {
        let constant = store.constant(value);
        let result = store.unary(op, constant);
        assert_eq!(constants.contains(&result), folds, "{op:?} {value}");
    }
    let a = store.named("a");
    let not_a = store.not(a);
    assert_eq!(store.not(not_a), a);
    assert_eq!(store.and(a, not_a), constants[0]);
    assert_eq!(store.or(not_a, a), constants[1]);
    assert_eq!(store.and(a, a), a);
    assert_eq!(store.all([]), constants[1]);
    assert_eq!(store.all([a, constants[1]]), a);
}
