//! The two evaluators: against truth tables written by hand, and against each other.

use kermode_base::Rng;
use kermode_ltl::dialect::parse;
use kermode_ltl::random::{Operators, RandomFormula, random_word};
use kermode_ltl::semantics::{self, Unevaluable, checked_length, evaluate_all, naive, unrolling};
use kermode_ltl::word::read_word;
use kermode_ltl::{
    BinaryOp, BoundedBinaryOp, BoundedUnaryOp, Dialect, Formula, Interval, Letter, Node,
    Proposition, Store, UnaryOp, Word, WordKind,
};

/// A word such as `a ab (b -)`: blanks between letters, `-` for none, the loop in parentheses.
fn word(store: &mut Store, text: &str) -> Word {
    let (prefix, cycle) = text.split_once('(').unwrap_or((text, ""));
    let mut letters = |text: &str| -> Vec<Letter> {
        let names = text.split_whitespace().map(|letter| letter.trim_matches('-'));
        names
            .map(|names| names.chars().map(|c| store.proposition(&c.to_string())).collect())
            .collect()
    };
    match text.contains('(') {
        true => Word::lasso(letters(prefix), letters(cycle.trim_end_matches(')'))),
        false => Word::finite(letters(prefix)),
    }
}

/// Checks where a formula holds, one digit a stored position of the unrolled word; further
/// positions go round the loop.
#[track_caller]
fn check(store: &mut Store, formula: Formula, text: &str, expected: &str) {
    let word = word(store, text);
    let values = naive::evaluate(store, formula, &word);
    let table = evaluate_all(store, formula, &word);
    let mut position = Some(0);
    for (i, digit) in expected.chars().enumerate() {
        let at = position.unwrap_or_else(|| panic!("{text} has no position {i}"));
        assert_eq!(values.holds(formula, at), digit == '1', "naive, {text}, position {i}");
        assert_eq!(table.holds(formula, at), digit == '1', "columns, {text}, position {i}");
        position = values.word().successor(at);
    }
}

#[test]
fn unary_operators() {
    let cases: &[(UnaryOp, &str, &str)] = &[
        (UnaryOp::Not, "a - a", "010"),
        (UnaryOp::Not, "a (- a)", "01010"),
        (UnaryOp::Next, "a - a", "010"),
        (UnaryOp::Next, "a - -", "000"),
        (UnaryOp::Next, "- (a -)", "10101"),
        (UnaryOp::WeakNext, "a - -", "001"),
        (UnaryOp::WeakNext, "a a a", "111"),
        (UnaryOp::WeakNext, "a (-)", "000"),
        (UnaryOp::Finally, "- a -", "110"),
        (UnaryOp::Finally, "a - (-)", "1000"),
        (UnaryOp::Finally, "- (a -)", "11111"),
        (UnaryOp::Globally, "a - a", "001"),
        (UnaryOp::Globally, "- a (a)", "0111"),
        (UnaryOp::Globally, "a (a -)", "0000"),
        (UnaryOp::Yesterday, "a - a", "010"),
        (UnaryOp::Yesterday, "(a)", "0111"),
        (UnaryOp::Yesterday, "- (- a)", "000101"),
        (UnaryOp::WeakYesterday, "- a a", "101"),
        (UnaryOp::WeakYesterday, "(-)", "1000"),
        (UnaryOp::Once, "- a -", "011"),
        (UnaryOp::Once, "- (- a)", "001111"),
        (UnaryOp::Once, "(-)", "000"),
        (UnaryOp::Historically, "a a -", "110"),
        (UnaryOp::Historically, "(a a -)", "1100000"),
        (UnaryOp::Historically, "(a)", "111"),
    ];
    for &(op, text, expected) in cases {
        let mut store = Store::new();
        let a = store.named("a");
        let formula = store.intern(Node::Unary(op, a));
        check(&mut store, formula, text, expected);
    }
}

#[test]
fn binary_operators() {
    let cases: &[(BinaryOp, &str, &str)] = &[
        (BinaryOp::And, "- a b ab", "0001"),
        (BinaryOp::Or, "- a b ab", "0111"),
        (BinaryOp::Xor, "- a b ab", "0110"),
        (BinaryOp::Implies, "- a b ab", "1011"),
        (BinaryOp::Iff, "- a b ab", "1001"),
        (BinaryOp::Iff, "- (a b ab)", "10010"),
        (BinaryOp::Until, "a a b a", "1110"),
        (BinaryOp::Until, "a - b", "001"),
        (BinaryOp::Until, "(a)", "00"),
        (BinaryOp::Until, "b (a b)", "11111"),
        (BinaryOp::Until, "- (a - b)", "00010"),
        (BinaryOp::WeakUntil, "a a b a", "1111"),
        (BinaryOp::WeakUntil, "a - b", "001"),
        (BinaryOp::WeakUntil, "(a)", "11"),
        (BinaryOp::WeakUntil, "a (-)", "00"),
        (BinaryOp::Release, "b ab -", "110"),
        (BinaryOp::Release, "b b", "11"),
        (BinaryOp::Release, "b a b", "001"),
        (BinaryOp::Release, "b (b)", "11"),
        (BinaryOp::Release, "(b ab -)", "1101"),
        (BinaryOp::StrongRelease, "b ab -", "110"),
        (BinaryOp::StrongRelease, "b b", "00"),
        (BinaryOp::StrongRelease, "b (b)", "00"),
        (BinaryOp::StrongRelease, "b (b ab)", "1111"),
        (BinaryOp::Since, "b a a - a", "11100"),
        (BinaryOp::Since, "a b a", "011"),
        (BinaryOp::Since, "b (a)", "1111"),
        (BinaryOp::Since, "(a)", "000"),
        (BinaryOp::Since, "(a b a)", "0111111"),
        (BinaryOp::Triggered, "b b b", "111"),
        (BinaryOp::Triggered, "- b b", "000"),
        (BinaryOp::Triggered, "- ab b", "011"),
        (BinaryOp::Triggered, "(b -)", "10000"),
        (BinaryOp::Triggered, "(b - ab)", "1011011"),
    ];
    for &(op, text, expected) in cases {
        let mut store = Store::new();
        let (a, b) = (store.named("a"), store.named("b"));
        let formula = store.intern(Node::Binary(op, a, b));
        check(&mut store, formula, text, expected);
    }
}

#[test]
fn bounded_operators_of_one_operand() {
    use BoundedUnaryOp::*;
    let cases: &[(BoundedUnaryOp, u32, u32, &str, &str)] = &[
        (Finally, 1, 2, "a - - a -", "01100"),
        (Finally, 0, u32::MAX, "a - - a -", "11110"),
        (Finally, 3, 3, "(a - -)", "1001"),
        (Finally, u32::MAX, u32::MAX, "(a -)", "0101"),
        (Finally, 1, u32::MAX, "a (-)", "000"),
        (Globally, 1, 2, "a a a - a", "10011"),
        (Globally, 5, 9, "- - -", "111"),
        (Globally, 2, 3, "(a a - -)", "00100"),
        (Globally, 1, u32::MAX, "- (a)", "111"),
        (Once, 1, 2, "a - - -", "0110"),
        (Once, 0, 0, "a -", "10"),
        (Once, 2, 3, "a (-)", "0011000"),
        (Once, 1, u32::MAX, "- a - -", "0011"),
        (Historically, 1, 2, "- a a -", "1001"),
        (Historically, 2, 3, "- (a)", "1100111"),
        (Historically, 4, 7, "- - -", "111"),
    ];
    for &(op, low, high, text, expected) in cases {
        let mut store = Store::new();
        let a = store.named("a");
        let bounds = store.interval_id(Interval { low, high });
        let formula = store.intern(Node::BoundedUnary(op, bounds, a));
        check(&mut store, formula, text, expected);
    }
}

#[test]
fn bounded_operators_of_two_operands() {
    use BoundedBinaryOp::*;
    let cases: &[(BoundedBinaryOp, u32, u32, &str, &str)] = &[
        (Until, 0, 1, "a a b -", "0110"),
        (Until, 1, 2, "a ab b", "110"),
        (Until, 1, 2, "b b b", "000"),
        (Until, 2, u32::MAX, "a (ab)", "111"),
        (Until, u32::MAX - 1, u32::MAX, "(ab a)", "11"),
        (Until, 5, u32::MAX, "a a (ab -)", "0000"),
        (Release, 0, 1, "b b -", "100"),
        (Release, 1, 2, "- - b", "011"),
        (Release, 1, 2, "a - -", "101"),
        (Release, 1, 2, "- (- b)", "0000"),
        (Release, 1, u32::MAX, "- (b)", "111"),
        (Release, 2, u32::MAX, "- (- a)", "0111"),
    ];
    for &(op, low, high, text, expected) in cases {
        let mut store = Store::new();
        let (a, b) = (store.named("a"), store.named("b"));
        let bounds = store.interval_id(Interval { low, high });
        let formula = store.intern(Node::BoundedBinary(op, bounds, a, b));
        check(&mut store, formula, text, expected);
    }
}

#[test]
fn constants_hold_everywhere_or_nowhere() {
    for value in [false, true] {
        let mut store = Store::new();
        let constant = store.constant(value);
        let expected = if value { "111" } else { "000" };
        check(&mut store, constant, "- a -", expected);
        check(&mut store, constant, "- (a)", expected);
    }
}

/// A store with the propositions `a b c`, and formulas over all operators.
fn everything(size: usize, max_bound: u32) -> (Store, Vec<Proposition>, RandomFormula) {
    let mut store = Store::new();
    let propositions: Vec<_> = ["a", "b", "c"].map(|name| store.proposition(name)).into();
    let operators =
        Operators::future().with_weak_next().with_constants().with_past().with_bounds(max_bound);
    let shape = RandomFormula { size, propositions: propositions.clone(), operators };
    (store, propositions, shape)
}

fn replay(store: &Store, formula: Formula, word: &Word) -> bool {
    semantics::holds(store, formula, word)
}

fn compare_evaluators(words: WordKind, seed: u64) {
    let mut rng = Rng::new(seed);
    for round in 0..100_000 {
        let (mut store, propositions, mut shape) = everything(1, 4);
        shape.size = rng.between(1, 14);
        let formula = shape.draw(&mut store, &mut rng);
        let word = random_word(&mut rng, &propositions, words, 4, 4);
        let values = naive::evaluate(&store, formula, &word);
        let table = evaluate_all(&store, formula, &word);
        assert_eq!(values.word(), table.word());
        for subformula in table.subformulas().iter() {
            for position in 0..table.word().len() {
                assert_eq!(
                    values.holds(subformula, position),
                    table.holds(subformula, position),
                    "round {round}: {:?} at {position} of {word:?}",
                    store.node(subformula),
                );
            }
        }
        assert_eq!(values.holds(formula, 0), replay(&store, formula, &word));
    }
}

#[test]
fn evaluators_agree_on_infinite_words() {
    compare_evaluators(WordKind::Infinite, 1);
}

#[test]
fn evaluators_agree_on_finite_words() {
    compare_evaluators(WordKind::Finite, 2);
}

/// Columns of several machine words, with loops that begin and end anywhere in them.
#[test]
fn evaluators_agree_on_long_words() {
    let mut rng = Rng::new(3);
    for round in 0..600 {
        let (mut store, propositions, mut shape) = everything(1, 200);
        shape.size = rng.between(2, 6);
        let formula = shape.draw(&mut store, &mut rng);
        let words = if rng.coin() { WordKind::Infinite } else { WordKind::Finite };
        let mut word = random_word(&mut rng, &propositions, words, 130, 130);
        if rng.coin() {
            word = thinned(&word, &mut rng);
        }
        let values = naive::evaluate(&store, formula, &word);
        let table = evaluate_all(&store, formula, &word);
        for position in 0..table.word().len() {
            let holds = table.holds(formula, position);
            assert_eq!(values.holds(formula, position), holds, "round {round}, at {position}");
        }
    }
}

/// A word in which few letters differ from all the others, so that chains get long.
fn thinned(word: &Word, rng: &mut Rng) -> Word {
    let usual = word.letters()[0].clone();
    let mut thin = |letters: &[Letter]| -> Vec<Letter> {
        letters
            .iter()
            .map(|letter| if rng.below(60) == 0 { letter } else { &usual }.clone())
            .collect()
    };
    match word.kind() {
        WordKind::Infinite => Word::lasso(thin(word.prefix()), thin(word.cycle())),
        WordKind::Finite => Word::finite(thin(word.letters())),
    }
}

#[test]
fn deeper_unrolling_changes_nothing() {
    let mut rng = Rng::new(4);
    let mut unrolled = 0;
    for round in 0..20_000 {
        let (mut store, propositions, mut shape) = everything(1, 3);
        shape.size = rng.between(1, 12);
        let formula = shape.draw(&mut store, &mut rng);
        let word = random_word(&mut rng, &propositions, WordKind::Infinite, 2, 4);
        let values = naive::evaluate(&store, formula, &word);
        let passes = unrolling(&store, formula, &word);
        unrolled += usize::from(passes > 0);
        let deeper = naive::evaluate_unrolled(&store, formula, word.unrolled(passes + 3));
        let mut position = 0;
        for deep in 0..deeper.word().len() {
            for subformula in store.subformulas(formula).iter() {
                assert_eq!(
                    values.holds(subformula, position),
                    deeper.holds(subformula, deep),
                    "round {round}, position {deep}",
                );
            }
            position = values.word().successor(position).expect("a lasso goes on");
        }
    }
    assert!(unrolled > 5_000, "only {unrolled} formulas needed unrolling");
}

/// No operator needs fewer positions than [`unrolling`] grants it: the bound is tight.
#[test]
fn unrolling_is_tight() {
    let mut store = Store::new();
    let a = store.named("a");
    let lasso = word(&mut store, "- (- a)");
    let once = store.intern(Node::Unary(UnaryOp::Once, a));
    assert_eq!(unrolling(&store, a, &lasso), 0);
    assert_eq!(unrolling(&store, once, &lasso), 1);
    let short = naive::evaluate_unrolled(&store, once, lasso.clone());
    assert!(!short.holds(once, 1), "the first pass differs from the others");
    let (mut chain, letter) = (a, word(&mut store, "(a)"));
    for depth in 1..=10 {
        chain = store.intern(Node::Unary(UnaryOp::Yesterday, chain));
        assert_eq!(unrolling(&store, chain, &letter), depth);
    }
}

#[test]
fn deep_formulas_do_not_overflow_the_stack() {
    let mut store = Store::new();
    let mut formula = store.named("a");
    for _ in 0..300_000 {
        formula = store.intern(Node::Unary(UnaryOp::Not, formula));
        formula = store.intern(Node::Unary(UnaryOp::Next, formula));
    }
    let lasso = word(&mut store, "a (- a)");
    assert!(replay(&store, formula, &lasso), "an even number of steps from a position of `a`");
    assert!(naive::satisfies(&store, formula, &lasso));
}

#[test]
fn replay_can_be_stopped() {
    let mut store = Store::new();
    let a = store.named("a");
    let formula = store.intern(Node::Unary(UnaryOp::Globally, a));
    let word = Word::finite(vec![Letter::default(); 1_000_000]);
    let mut calls = 0;
    let stopped = semantics::satisfies(&store, formula, &word, &mut || {
        calls += 1;
        if calls < 10 { Ok(()) } else { Err("stopped") }
    });
    assert_eq!(stopped, Err("stopped"));
}

#[test]
#[should_panic(expected = "empty word")]
fn the_empty_word_has_no_truth() {
    let mut store = Store::new();
    let a = store.named("a");
    evaluate_all(&store, a, &Word::finite(Vec::new()));
}

#[test]
fn what_cannot_be_evaluated_is_said_before() {
    let mut store = Store::new();
    let far = parse(&mut store, "G O[0,4000000000] a", Dialect::Kermode.into());
    let far = far.expect("a formula").formula;
    let lasso = read_word(&mut store, "cycle{a}").expect("a word");
    assert_eq!(checked_length(&store, far, &Word::finite(Vec::new())), Err(Unevaluable::EmptyWord));
    let refused = checked_length(&store, far, &lasso);
    assert!(matches!(refused, Err(Unevaluable::TooFar { positions }) if positions > 4_000_000_000));
    let a = store.named("a");
    assert_eq!(checked_length(&store, a, &lasso), Ok(1));
}
