//! Elimination of past operators, finite words and bounded operators: the result is satisfiable on
//! the same occasions (by the tableau), its witnesses come back as witnesses (by the naive
//! evaluator), every word has exactly one extension, and sizes are linear.

use std::convert::Infallible;
use std::thread::Builder;

use kermode_base::Rng;
use kermode_ltl::dialect::{parse, write};
use kermode_ltl::eliminate::{
    Defined, Eliminated, Memory, define_past, eliminate_finite, eliminate_past, to_future_infinite,
};
use kermode_ltl::normal::{ExpansionTooLarge, expand_bounded};
use kermode_ltl::random::{Operators, RandomFormula, all_formulas, random_word};
use kermode_ltl::reference::tableau;
use kermode_ltl::semantics::{holds, naive, unrolling};
use kermode_ltl::{
    BinaryOp, Dialect, Formula, Letter, Node, Proposition, Store, Syntax, UnaryOp, Word, WordKind,
};

const LIMIT: u64 = 1 << 20;

/// What is eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Past,
    Finite,
    All,
}

impl Step {
    const ALL: [Step; 3] = [Step::Past, Step::Finite, Step::All];

    fn applies(self, words: WordKind) -> bool {
        self != Step::Finite || words == WordKind::Finite
    }

    fn take(self, store: &mut Store, formula: Formula, words: WordKind) -> Eliminated {
        match self {
            Step::Past => eliminate_past(store, formula, words, LIMIT).expect("near bounds"),
            Step::Finite => eliminate_finite(store, formula),
            Step::All => to_future_infinite(store, formula, words, LIMIT).expect("near bounds"),
        }
    }

    /// The words that the result is about.
    fn words(self, words: WordKind) -> WordKind {
        if self == Step::Past { words } else { WordKind::Infinite }
    }

    /// Whether the result may have such an operator.
    fn keeps(self, node: Node) -> bool {
        let bounded = matches!(node, Node::BoundedUnary(..) | Node::BoundedBinary(..));
        match self {
            Step::Past => !node.is_past(),
            Step::Finite => true,
            Step::All => !node.is_past() && !bounded,
        }
    }
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

fn decide(store: &Store, formula: Formula, words: WordKind) -> Option<Word> {
    tableau(store, formula, words, &mut || Ok::<(), Infallible>(())).expect("a small formula")
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    satisfiable: usize,
    unsatisfiable: usize,
    skipped: usize,
}

/// Compares a formula with what each step makes of it.
fn judge(store: &mut Store, formula: Formula, words: WordKind, largest: usize, tally: &mut Tally) {
    let satisfiable = decide(store, formula, words).is_some();
    for step in Step::ALL.into_iter().filter(|step| step.applies(words)) {
        let Eliminated { formula: result, restore } = step.take(store, formula, words);
        assert!(store.subformulas(result).iter().all(|f| step.keeps(store.node(f))));
        if elementary(store, result) > largest {
            tally.skipped += 1;
            continue;
        }
        let word = decide(store, result, step.words(words));
        let about = (step, words, show(store, formula), show(store, result));
        assert_eq!(word.is_some(), satisfiable, "{about:?}");
        let Some(word) = word else {
            tally.unsatisfiable += 1;
            continue;
        };
        let back = restore.word(&word);
        assert_eq!(back.kind(), words, "{about:?}");
        assert!(back.letters().iter().flat_map(Letter::iter).all(|p| !restore.adds(p)));
        assert!(naive::satisfies(store, formula, &back), "{about:?} {back:?}");
        tally.satisfiable += 1;
    }
}

fn show(store: &Store, formula: Formula) -> String {
    write(store, formula, Dialect::Kermode.into()).expect("plain names")
}

/// All formulas of up to `size` nodes, and those of up to `below` under each of `F` and `G`.
fn judge_all(words: WordKind, size: usize, below: usize) -> Tally {
    use {BinaryOp::*, UnaryOp::*};
    let mut all = Store::new();
    let propositions = ["a", "b"].map(|name| all.proposition(name));
    let unary = [Not, Next, Yesterday, WeakYesterday, Once, Historically];
    let by_size =
        all_formulas(&mut all, &propositions, &unary, &[And, Until, Since, Triggered], size);
    let mut tally = Tally::default();
    for (index, formulas) in by_size.into_iter().enumerate() {
        for formula in formulas {
            let (mut store, formulas) = all.extract(&[formula]);
            let formula = formulas[0];
            judge(&mut store, formula, words, 15, &mut tally);
            for op in [Finally, Globally].into_iter().filter(|_| index < below) {
                let formula = store.intern(Node::Unary(op, formula));
                judge(&mut store, formula, words, 15, &mut tally);
            }
        }
    }
    tally
}

#[test]
fn all_small_formulas_on_infinite_words() {
    let tally = judge_all(WordKind::Infinite, 5, 4);
    assert_eq!(tally, Tally { satisfiable: 13_548, unsatisfiable: 3_992, skipped: 0 });
}

#[test]
fn all_small_formulas_on_finite_words() {
    let tally = judge_all(WordKind::Finite, 5, 4);
    assert_eq!(tally, Tally { satisfiable: 20_028, unsatisfiable: 6_282, skipped: 0 });
}

/// Formulas with every operator over two propositions, and their store.
fn random_formula(rng: &mut Rng, largest: usize) -> (Store, Formula, Vec<Proposition>) {
    let mut store = Store::new();
    let propositions = vec![store.proposition("a"), store.proposition("b")];
    let operators =
        Operators::future().with_weak_next().with_constants().with_past().with_bounds(2);
    let size = rng.between(2, largest);
    let shape = RandomFormula { size, propositions: propositions.clone(), operators };
    let formula = shape.draw(&mut store, rng);
    (store, formula, propositions)
}

#[test]
fn random_formulas_with_every_operator() {
    for (words, seed) in [(WordKind::Infinite, 31), (WordKind::Finite, 32)] {
        let mut rng = Rng::new(seed);
        let mut tally = Tally::default();
        for _ in 0..5_000 {
            let (mut store, formula, _) = random_formula(&mut rng, 9);
            judge(&mut store, formula, words, 13, &mut tally);
        }
        assert!(tally.satisfiable > 5_000 && tally.unsatisfiable > 1_000, "{words:?} {tally:?}");
        assert!(tally.skipped < 2_000, "{words:?} {tally:?}");
    }
}

/// The word with a proposition added where a column is true.
fn with_column(word: &Word, added: Proposition, column: impl Fn(usize) -> bool) -> Word {
    let add =
        |(i, letter): (usize, &Letter)| letter.iter().chain(column(i).then_some(added)).collect();
    Word::from_letters(word.letters().iter().enumerate().map(add).collect(), word.loop_start())
}

/// The word with the values of one memory, step by step from its first value and its next values.
fn remember(store: &Store, memory: &Memory, word: &Word) -> Word {
    let next = [false, true].map(|value| {
        naive::evaluate(store, memory.next, &with_column(word, memory.proposition, |_| value))
    });
    let after = |value: bool, i: usize| next[usize::from(value)].holds(memory.next, i);
    let mut column = vec![memory.initial];
    for i in 0..word.len() {
        column.push(after(column[i], i));
    }
    if let Some(start) = word.loop_start() {
        assert_eq!(column[start], column[word.len()], "the word is unrolled far enough");
    }
    with_column(word, memory.proposition, |i| column[i])
}

/// The one extension of a word on which the memories of `defined` obey their laws. `formula` is
/// where they come from.
fn extend(store: &Store, formula: Formula, defined: &Defined, word: &Word) -> Word {
    let unrolled = word.unrolled(unrolling(store, formula, word) + 1);
    defined.memories.iter().fold(unrolled, |word, memory| remember(store, memory, &word))
}

/// The word with the value of one memory at one position turned round.
fn disturb(word: &Word, proposition: Proposition, position: usize) -> Word {
    let value = |i: usize| word.letters()[i].contains(proposition);
    let others = |letter: &Letter| letter.iter().filter(|&p| p != proposition).collect();
    let bare = word.letters().iter().map(others).collect();
    let bare = Word::from_letters(bare, word.loop_start());
    with_column(&bare, proposition, |i| value(i) != (i == position))
}

/// A word satisfies a formula just when its extension satisfies the result; any other extension
/// does not.
#[test]
fn models_have_exactly_one_extension_by_memories() {
    for (words, seed) in [(WordKind::Infinite, 33), (WordKind::Finite, 34)] {
        let mut rng = Rng::new(seed);
        let mut satisfied = 0;
        for _ in 0..4_000 {
            let (mut store, formula, propositions) = random_formula(&mut rng, 14);
            let defined = define_past(&mut store.clone(), formula, LIMIT).unwrap();
            let result = eliminate_past(&mut store, formula, words, LIMIT).unwrap().formula;
            let word = random_word(&mut rng, &propositions, words, 3, 3);
            let extended = extend(&store, formula, &defined, &word);
            let value = naive::satisfies(&store, formula, &word);
            let about = (show(&store, formula), show(&store, result), &extended);
            assert_eq!(holds(&store, result, &extended), value, "{about:?}");
            satisfied += usize::from(value);
            let Some(memory) = defined.memories.last() else { continue };
            let wrong = disturb(&extended, memory.proposition, rng.below(extended.len()));
            assert!(!holds(&store, result, &wrong), "{about:?} {wrong:?}");
        }
        assert!(satisfied > 1_000);
    }
}

/// The letters of a finite word, alive, and any letters for ever after.
fn embed(rng: &mut Rng, word: &Word, alive: Proposition, propositions: &[Proposition]) -> Word {
    let rest = random_word(rng, propositions, WordKind::Infinite, 2, 2);
    let letters = word.letters().iter().chain(rest.letters()).cloned().collect();
    let start = rest.loop_start().map(|start| start + word.len());
    with_column(&Word::from_letters(letters, start), alive, |i| i < word.len())
}

/// The letters after the end do not matter, including the propositions that store the past.
#[test]
fn models_on_finite_words_have_extensions_beyond_their_end() {
    let mut rng = Rng::new(35);
    for _ in 0..4_000 {
        let (mut store, formula, propositions) = random_formula(&mut rng, 14);
        let word = random_word(&mut rng, &propositions, WordKind::Finite, 3, 3);
        let value = naive::satisfies(&store, formula, &word);
        // The same steps on a copy, to know what the fresh propositions are.
        let mut copy = store.clone();
        let relative = eliminate_finite(&mut copy, formula).formula;
        let alive = copy.find_proposition("alive0").unwrap();
        let embedded = embed(&mut rng, &word, alive, &propositions);
        assert_eq!(holds(&copy, relative, &embedded), value, "{}", show(&copy, relative));
        let plain = expand_bounded(&mut copy, relative, WordKind::Infinite, LIMIT).unwrap();
        let defined = define_past(&mut copy, plain, LIMIT).unwrap();
        let mut extended = extend(&copy, plain, &defined, &embedded);
        for memory in &defined.memories {
            // The last constraint that matters is about the position just after the end.
            let position = rng.between(word.len() + 1, word.len() + 4);
            extended = disturb(&extended, memory.proposition, position);
        }
        let Eliminated { formula: result, restore } =
            to_future_infinite(&mut store, formula, WordKind::Finite, LIMIT).unwrap();
        assert_eq!(holds(&store, result, &extended), value, "{}", show(&store, result));
        assert_eq!(restore.word(&extended), word);
    }
}

fn read(store: &mut Store, text: &str, words: WordKind) -> Formula {
    parse(store, text, Syntax { dialect: Dialect::Kermode, words }).expect("a formula").formula
}

/// What the steps make of some formulas, in full.
#[test]
fn examples() {
    use Step::{All, Finite, Past};
    use WordKind::Infinite;
    let cases = [
        (Past, Infinite, "F (a & Y b)", "F(a & past0) & !past0 & G(X past0 <-> b)"),
        (
            Past,
            WordKind::Finite,
            "F (a & Y b)",
            "F(a & past0) & !past0 & G((b -> N past0) & (!b -> N !past0))",
        ),
        (Past, Infinite, "G (a S b)", "G(b | a & past0) & !past0 & G(X past0 <-> b | a & past0)"),
        (
            Past,
            Infinite,
            "G (a T Z b)",
            "G(past0 & (a | past1)) & past0 & past1 \
             & G((X past0 <-> b) & (X past1 <-> past0 & (a | past1)))",
        ),
        (
            Finite,
            WordKind::Finite,
            "G (a -> X b)",
            "G((a -> X(b & alive0)) | !alive0) & alive0 & alive0 U G !alive0",
        ),
        (
            All,
            WordKind::Finite,
            "G (a -> O b)",
            "G((a -> b | past0) | !alive0) & alive0 & alive0 U G !alive0 & !past0 \
             & G(alive0 -> (X past0 <-> b | past0))",
        ),
        (
            All,
            WordKind::Finite,
            "F[1,2] a",
            "X(a & alive0 | X(a & alive0)) & alive0 & alive0 U G !alive0",
        ),
    ];
    for (step, words, text, expected) in cases {
        let mut store = Store::new();
        let formula = read(&mut store, text, words);
        let result = step.take(&mut store, formula, words).formula;
        assert_eq!(show(&store, result), expected, "{step:?} {words:?} {text}");
    }
}

#[test]
fn fresh_names_are_fresh() {
    let mut store = Store::new();
    let formula = read(&mut store, "past0 & alive0 & X (Y past1 & O past3)", WordKind::Finite);
    let before = store.proposition_count();
    let result = to_future_infinite(&mut store, formula, WordKind::Finite, LIMIT).unwrap();
    let added = store.propositions(result.formula).split_off(before);
    let names: Vec<&str> = added.into_iter().map(|p| store.name(p)).collect();
    assert_eq!(names, ["alive1", "past2", "past4"]);
}

#[test]
fn equal_memories_are_one() {
    let mut store = Store::new();
    let count = |store: &mut Store, text: &str| {
        let formula = read(store, text, WordKind::Infinite);
        define_past(store, formula, LIMIT).unwrap().memories.len()
    };
    assert_eq!(count(&mut store, "F (O a & Y O a & Y Y O a)"), 2);
    assert_eq!(count(&mut store, "F (Z H a & H a)"), 1);
    // `Y` and `Z` differ at first.
    assert_eq!(count(&mut store, "F (Y H a & H a)"), 2);
    assert_eq!(count(&mut store, "O[2,5] a & O[1,6] a & O[0,3] a"), 7);
}

#[test]
fn nothing_to_eliminate_leaves_the_formula() {
    let mut store = Store::new();
    let formula = read(&mut store, "G (a -> X (b U !a))", WordKind::Infinite);
    let result = to_future_infinite(&mut store, formula, WordKind::Infinite, 0).unwrap();
    assert_eq!(result.formula, formula);
    let a = store.proposition("a");
    let word = Word::lasso(vec![Letter::default()], vec![[a].into_iter().collect()]);
    assert_eq!(result.restore.word(&word), word);
}

#[test]
fn far_bounds_are_refused() {
    let mut store = Store::new();
    for text in ["F O[0,1000] a", "F[0,1000] a"] {
        for words in [WordKind::Infinite, WordKind::Finite] {
            let formula = read(&mut store, text, words);
            let result = to_future_infinite(&mut store, formula, words, 100);
            assert_eq!(result.unwrap_err(), ExpansionTooLarge { limit: 100 });
        }
    }
    let past = read(&mut store, "F O[0,1000] a", WordKind::Finite);
    assert!(eliminate_past(&mut store, past, WordKind::Finite, 100).is_err());
    let future = read(&mut store, "F[0,1000] a", WordKind::Finite);
    let kept = eliminate_past(&mut store, future, WordKind::Finite, 0).unwrap();
    assert_eq!(kept.formula, future);
}

/// A word that is no model comes back as something that a replay can reject.
#[test]
fn restoring_never_panics() {
    let mut store = Store::new();
    let formula = read(&mut store, "a", WordKind::Finite);
    let Eliminated { restore, .. } = eliminate_finite(&mut store, formula);
    let alive = store.find_proposition("alive0").unwrap();
    let dead = Word::lasso(Vec::new(), vec![Letter::default()]);
    assert_eq!(restore.word(&dead), Word::finite(Vec::new()));
    let for_ever = Word::lasso(Vec::new(), vec![[alive].into_iter().collect()]);
    assert_eq!(restore.word(&for_ever), Word::finite(vec![Letter::default()]));
}

/// How many distinct subformulas a formula and its result have.
fn sizes(store: &mut Store, formula: Formula, words: WordKind, step: Step) -> (usize, usize) {
    let result = step.take(store, formula, words).formula;
    (store.subformulas(formula).len(), store.subformulas(result).len())
}

/// How many subformulas a past operator and any other one may become.
fn costs(step: Step, words: WordKind) -> (usize, usize) {
    match (step, words) {
        (Step::Past, WordKind::Finite) => (12, 1),
        (Step::Past | Step::All, WordKind::Infinite) => (8, 1),
        (Step::Finite, _) => (1, 2),
        (Step::All, WordKind::Finite) => (8, 2),
    }
}

#[test]
fn sizes_are_linear() {
    let mut rng = Rng::new(36);
    let operators = Operators::future().with_weak_next().with_past();
    for _ in 0..300 {
        let mut store = Store::new();
        let propositions = vec![store.proposition("a"), store.proposition("b")];
        let size = rng.between(1, 3_000);
        let shape = RandomFormula { size, propositions, operators: operators.clone() };
        let formula = shape.draw(&mut store, &mut rng);
        let subformulas = store.subformulas(formula);
        let past = subformulas.iter().filter(|&f| store.node(f).is_past()).count();
        for words in [WordKind::Infinite, WordKind::Finite] {
            for step in Step::ALL.into_iter().filter(|step| step.applies(words)) {
                let (before, after) = sizes(&mut store.clone(), formula, words, step);
                let (cost, other) = costs(step, words);
                let bound = cost * past + other * (before - past) + 10;
                assert!(after <= bound, "{step:?} {words:?} {before} {past} {after}");
            }
        }
    }
}

const DEPTH: usize = 1_000_000;

/// A million operators above each other, on a thread with the default stack.
fn deep(unit: &'static str, factor: usize) {
    let test = move || {
        for words in [WordKind::Infinite, WordKind::Finite] {
            let mut store = Store::new();
            let formula = read(&mut store, &format!("{}a", unit.repeat(DEPTH / 2)), words);
            let (before, after) = sizes(&mut store, formula, words, Step::All);
            assert!(before > DEPTH && after <= factor * before + 10, "{unit} {before} {after}");
        }
    };
    let thread = Builder::new().stack_size(2 << 20).spawn(test).expect("a thread");
    thread.join().expect("a test that passes");
}

#[test]
fn a_million_past_operators() {
    deep("O H ", 7);
    deep("b S c T ", 8);
}

#[test]
fn a_million_past_and_future_operators() {
    deep("X Y ", 4);
    deep("G O ", 5);
}

/// The witness of a deep formula comes back.
#[test]
fn a_deep_witness_is_restored() {
    let mut store = Store::new();
    let formula = read(&mut store, &format!("{}a", "O H ".repeat(DEPTH / 2)), WordKind::Finite);
    let before = store.proposition_count();
    let defined = define_past(&mut store.clone(), formula, LIMIT).unwrap();
    let eliminated = eliminate_past(&mut store, formula, WordKind::Finite, LIMIT).unwrap();
    assert_eq!(store.proposition_count(), before + DEPTH);
    let a = store.proposition("a");
    let first = defined.memories.iter().filter(|memory| memory.initial);
    let letter: Letter = first.map(|memory| memory.proposition).chain([a]).collect();
    let word = Word::finite(vec![letter]);
    assert!(holds(&store, eliminated.formula, &word));
    assert_eq!(eliminated.restore.word(&word), Word::finite(vec![[a].into_iter().collect()]));
}
