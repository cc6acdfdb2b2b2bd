//! The two reference oracles against each other: exhaustively on small formulas, at random on
//! larger ones with everything in them.

use std::convert::Infallible;

use kermode_base::Rng;
use kermode_ltl::random::{Operators, RandomFormula, all_formulas};
use kermode_ltl::reference::{TableauStop, enumerate, tableau};
use kermode_ltl::semantics::naive;
use kermode_ltl::{
    BinaryOp, BoundedUnaryOp, Formula, Interval, Node, Proposition, Store, UnaryOp, Word, WordKind,
};

fn never() -> Result<(), Infallible> {
    Ok(())
}

fn try_words(store: &Store, formula: Formula, words: WordKind, letters: usize) -> Option<Word> {
    let Ok(word) = enumerate(store, formula, words, letters, &mut never, &mut never);
    word
}

/// The tableau's answer; a witness is judged first.
fn decide(store: &Store, formula: Formula, words: WordKind) -> Option<Word> {
    let word = tableau(store, formula, words, &mut never).expect("a small formula");
    if let Some(word) = &word {
        assert_eq!(word.kind(), words);
        assert!(
            naive::satisfies(store, formula, word),
            "{:?} of {store:?} is not satisfied by {word:?}",
            store.node(formula),
        );
    }
    word
}

fn two_propositions() -> (Store, [Proposition; 2]) {
    let mut store = Store::new();
    let propositions = ["a", "b"].map(|name| store.proposition(name));
    (store, propositions)
}

/// What came out of a comparison on all formulas of some sizes.
#[derive(Debug, PartialEq, Eq)]
struct Tally {
    formulas: usize,
    satisfiable: usize,
    /// Satisfiable, but by no word of four letters.
    long: usize,
}

/// Compares the oracles on all formulas of up to `size` nodes.
///
/// On infinite words four letters turn out to be enough for all that is satisfiable. On finite
/// words they are not where strong nexts force a fifth moment, as in `X X X X a`; those formulas
/// have at least four `X` above each other, and a word of `size` letters is found.
fn compare(unary: &[UnaryOp], binary: &[BinaryOp], size: usize, words: WordKind) -> Tally {
    let (mut store, propositions) = two_propositions();
    let by_size = all_formulas(&mut store, &propositions, unary, binary, size);
    let mut tally = Tally { formulas: 0, satisfiable: 0, long: 0 };
    for formula in by_size.into_iter().flatten() {
        let decided = decide(&store, formula, words);
        let mut found = try_words(&store, formula, words, 4);
        if words == WordKind::Finite && found.is_none() && next_depth(&store, formula) >= 4 {
            found = try_words(&store, formula, words, size);
            tally.long += usize::from(found.is_some());
        }
        assert_eq!(
            decided.is_some(),
            found.is_some(),
            "{:?}: {decided:?}, {found:?}",
            store.node(formula)
        );
        tally.formulas += 1;
        tally.satisfiable += usize::from(found.is_some());
    }
    tally
}

/// The deepest nesting of `X`.
fn next_depth(store: &Store, formula: Formula) -> usize {
    let subformulas = store.subformulas(formula);
    let mut depths: Vec<usize> = Vec::new();
    for subformula in subformulas.iter() {
        let node = store.node(subformula);
        let operands = node.operands().map(|a| depths[subformulas.position(a)]);
        let is_next = matches!(node, Node::Unary(UnaryOp::Next, _));
        depths.push(operands.max().unwrap_or(0) + usize::from(is_next));
    }
    depths[subformulas.position(formula)]
}

const FEW_UNARY: [UnaryOp; 2] = [UnaryOp::Not, UnaryOp::Next];
const FEW_BINARY: [BinaryOp; 2] = [BinaryOp::And, BinaryOp::Until];
const MANY_UNARY: [UnaryOp; 4] = [UnaryOp::Not, UnaryOp::Next, UnaryOp::Finally, UnaryOp::Globally];
const MANY_BINARY: [BinaryOp; 4] =
    [BinaryOp::And, BinaryOp::Or, BinaryOp::Until, BinaryOp::Release];

#[test]
fn all_small_formulas_with_few_operators_on_infinite_words() {
    let tally = compare(&FEW_UNARY, &FEW_BINARY, 7, WordKind::Infinite);
    let expected = Tally { formulas: 8_246, satisfiable: 7_914, long: 0 };
    assert_eq!(tally, expected);
}

#[test]
fn all_small_formulas_with_few_operators_on_finite_words() {
    let tally = compare(&FEW_UNARY, &FEW_BINARY, 7, WordKind::Finite);
    let expected = Tally { formulas: 8_246, satisfiable: 7_916, long: 78 };
    assert_eq!(tally, expected);
}

#[test]
fn all_small_formulas_with_many_operators_on_infinite_words() {
    let tally = compare(&MANY_UNARY, &MANY_BINARY, 6, WordKind::Infinite);
    let expected = Tally { formulas: 20_090, satisfiable: 19_746, long: 0 };
    assert_eq!(tally, expected);
}

#[test]
fn all_small_formulas_with_many_operators_on_finite_words() {
    let tally = compare(&MANY_UNARY, &MANY_BINARY, 6, WordKind::Finite);
    let expected = Tally { formulas: 20_090, satisfiable: 18_406, long: 18 };
    assert_eq!(tally, expected);
}

/// Random formulas with every operator: the tableau's witnesses are judged, and what it calls
/// unsatisfiable has no short word.
fn compare_at_random(words: WordKind, seed: u64, rounds: usize) {
    let mut rng = Rng::new(seed);
    let (mut satisfiable, mut unsatisfiable) = (0, 0);
    for _ in 0..rounds {
        let (mut store, propositions) = two_propositions();
        let operators =
            Operators::future().with_weak_next().with_constants().with_past().with_bounds(2);
        let shape = RandomFormula {
            size: rng.between(2, 13),
            propositions: propositions.into(),
            operators,
        };
        let formula = shape.draw(&mut store, &mut rng);
        if elementary(&store, formula) > 12 {
            continue;
        }
        if decide(&store, formula, words).is_some() {
            satisfiable += 1;
            continue;
        }
        let found = try_words(&store, formula, words, 4);
        assert_eq!(found, None, "{formula:?} of {store:?}");
        unsatisfiable += 1;
    }
    assert!(satisfiable > rounds / 2 && unsatisfiable > rounds / 8);
    assert!(satisfiable + unsatisfiable > rounds / 10 * 9);
}

/// At most how many elementary formulas the tableau of a formula has.
fn elementary(store: &Store, formula: Formula) -> usize {
    let cost = |f| match store.node(f) {
        Node::BoundedUnary(_, bounds, _) | Node::BoundedBinary(_, bounds, _, _) => {
            store.interval(bounds).high as usize
        }
        node => usize::from(node.is_temporal() || matches!(node, Node::Proposition(_))),
    };
    store.subformulas(formula).iter().map(cost).sum()
}

#[test]
fn random_formulas_on_infinite_words() {
    compare_at_random(WordKind::Infinite, 5, 20_000);
}

#[test]
fn random_formulas_on_finite_words() {
    compare_at_random(WordKind::Finite, 6, 20_000);
}

fn globally_finally(store: &mut Store, a: Formula) -> Formula {
    let finally = store.unary(UnaryOp::Finally, a);
    store.unary(UnaryOp::Globally, finally)
}

#[test]
fn fairness_is_conjunctive() {
    let mut store = Store::new();
    let a = store.named("a");
    let not_a = store.not(a);
    let often = globally_finally(&mut store, a);
    let seldom = globally_finally(&mut store, not_a);
    let both = store.and(often, seldom);
    let word = decide(&store, both, WordKind::Infinite).expect("a word that alternates");
    assert_eq!(word.cycle().len(), 2);
    assert_eq!(decide(&store, both, WordKind::Finite), None);
    let always = store.unary(UnaryOp::Globally, a);
    let never = store.and(always, seldom);
    assert_eq!(decide(&store, never, WordKind::Infinite), None);
}

/// Expansion laws alone would accept an until that is never fulfilled and an always never refuted.
#[test]
fn fixpoints_are_exact() {
    let mut store = Store::new();
    let (a, b) = (store.named("a"), store.named("b"));
    let not_b = store.not(b);
    let (always_a, never_b) =
        (store.unary(UnaryOp::Globally, a), store.unary(UnaryOp::Globally, not_b));
    let until = store.binary(BinaryOp::Until, a, b);
    let unfulfilled = store.and(until, never_b);
    let doubted = store.not(always_a);
    let unrefuted = {
        let not_a = store.not(a);
        let finally = store.unary(UnaryOp::Finally, not_a);
        let no = store.not(finally);
        store.and(doubted, no)
    };
    for words in [WordKind::Infinite, WordKind::Finite] {
        assert_eq!(decide(&store, unfulfilled, words), None);
        assert_eq!(decide(&store, unrefuted, words), None);
    }
}

#[test]
fn past_is_read_natively() {
    let mut store = Store::new();
    let a = store.named("a");
    let yesterday = store.unary(UnaryOp::Yesterday, a);
    assert_eq!(decide(&store, yesterday, WordKind::Infinite), None);
    let later = store.unary(UnaryOp::Finally, yesterday);
    assert!(decide(&store, later, WordKind::Finite).is_some());
    // Once `a`, always so: the first pass through a loop differs from the others.
    let once = store.unary(UnaryOp::Once, a);
    let lost = store.not(once);
    let lost = store.unary(UnaryOp::Finally, lost);
    let lost = store.and(a, lost);
    assert_eq!(decide(&store, lost, WordKind::Infinite), None);
}

#[test]
fn what_is_too_large_is_said_at_once() {
    let mut store = Store::new();
    let atoms: Vec<Formula> = (0..100).map(|i| store.named(&format!("p{i}"))).collect();
    let all = store.all(atoms);
    let stop = tableau(&store, all, WordKind::Infinite, &mut never).expect_err("too large");
    let expected = TableauStop::TooLarge { elementary: 100, limit: 22 };
    assert_eq!(stop, expected);
    let bounds = Interval { low: 0, high: u32::MAX };
    let far = store.bounded_unary(BoundedUnaryOp::Finally, bounds, all);
    let stop = tableau(&store, far, WordKind::Infinite, &mut never).expect_err("too large");
    assert!(matches!(stop, TableauStop::Expansion(_)));
}

/// Letters are counted, not listed: 2^100 of them are no obstacle when an early one will do.
#[test]
fn enumeration_takes_many_propositions() {
    let mut store = Store::new();
    let mut any = store.constant(false);
    for i in 0..100 {
        let p = store.named(&format!("p{i}"));
        any = store.or(any, p);
    }
    let word = try_words(&store, any, WordKind::Finite, 1).expect("the second letter");
    assert_eq!(word.letters()[0].iter().len(), 1);
}

#[test]
fn oracles_can_be_stopped() {
    let mut store = Store::new();
    let a = store.named("a");
    let not_a = store.not(a);
    let formula = store.intern(Node::Binary(BinaryOp::And, a, not_a));
    let mut stop = || Err("stopped");
    let mut go_on = || Ok::<(), &str>(());
    let words = WordKind::Finite;
    assert_eq!(enumerate(&store, formula, words, 9, &mut stop, &mut go_on), Err("stopped"));
    assert_eq!(enumerate(&store, formula, words, 9, &mut go_on, &mut stop), Err("stopped"));
    assert_eq!(
        tableau(&store, formula, WordKind::Finite, &mut stop),
        Err(TableauStop::Interrupted("stopped"))
    );
}
