//! Rules that keep satisfiability: judged by the tableau, and every word that is brought back is
//! replayed on the original formula.

use kermode_base::Rng;
use kermode_ltl::dialect::{Dialect, parse, write};
use kermode_ltl::families::Request;
use kermode_ltl::preprocess::{Preprocessed, preprocess};
use kermode_ltl::random::{Operators, RandomFormula, all_formulas};
use kermode_ltl::reference::tableau;
use kermode_ltl::rewrite::{Keeps, RULES, RuleSet};
use kermode_ltl::semantics::naive;
use kermode_ltl::{BinaryOp, Formula, Letter, Node, Store, UnaryOp, Word, WordKind, semantics};

const KINDS: [WordKind; 2] = [WordKind::Infinite, WordKind::Finite];
const OF_WHOLE_FORMULAS: [&str; 5] =
    ["beginning", "pure-literals", "definitions", "split", "segments"];

fn read(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).expect("a formula").formula
}

fn show(store: &Store, formula: Formula) -> String {
    write(store, formula, Dialect::Kermode.into()).expect("Kermode writes all")
}

fn decide(store: &Store, formula: Formula, words: WordKind) -> Option<Option<Word>> {
    let mut never = || Ok::<(), ()>(());
    tableau(store, formula, words, &mut never).ok()
}

/// The words of all parts, nothing if one has none.
fn part_words(store: &Store, preprocessed: &Preprocessed, words: WordKind) -> Option<Vec<Word>> {
    let word = |&part: &Formula| decide(store, part, words).expect("parts are small");
    preprocessed.parts.iter().map(word).collect()
}

/// Compares verdicts and replays the word; false if the formula is too large for the tableau.
#[track_caller]
fn keeps_satisfiability(
    store: &mut Store,
    formula: Formula,
    words: WordKind,
    rules: &RuleSet,
) -> bool {
    let Some(expected) = decide(store, formula, words) else { return false };
    let preprocessed = preprocess(store, formula, words, rules);
    let found = part_words(store, &preprocessed, words);
    let text = show(store, formula);
    assert_eq!(expected.is_some(), found.is_some(), "{text} over {words:?} words");
    if let Some(value) = preprocessed.decided(store) {
        assert_eq!(value, expected.is_some(), "{text} over {words:?} words");
    }
    if let Some(found) = found {
        let word = preprocessed.restore(store, &found, 10_000).expect("short words");
        assert!(naive::satisfies(store, formula, &word), "{text} over {words:?} words: {word:?}");
    }
    true
}

#[test]
fn examples_are_true() {
    for rule in RULES.iter().filter(|rule| rule.keeps != Keeps::Language) {
        let mut store = Store::new();
        let (before, after) = rule.example;
        let formula = read(&mut store, before);
        let rules = RuleSet::named(["constants", "chain-constants", rule.name]).expect("known");
        let preprocessed = preprocess(&mut store, formula, WordKind::Infinite, &rules);
        let parts: Vec<String> =
            preprocessed.parts.iter().map(|&part| show(&store, part)).collect();
        assert_eq!(parts.join("; "), after, "{}", rule.name);
        assert!(keeps_satisfiability(&mut store, formula, WordKind::Infinite, &rules));
    }
}

#[test]
fn all_small_formulas_keep_their_satisfiability() {
    use BinaryOp::{And, Or, Release, Since, Triggered, Until};
    use UnaryOp::{Finally, Globally, Historically, Next, Not, Once, WeakYesterday, Yesterday};
    for words in KINDS {
        for (unary, binary, size) in [
            (&[Not, Next][..], &[And, Until][..], 7),
            (&[Not, Next, Finally, Globally], &[And, Or, Until, Release], 6),
            (&[Not, Next, Yesterday, WeakYesterday, Historically], &[And, Since], 5),
            (&[Not, Finally, Once], &[Or, Since, Triggered], 5),
        ] {
            let mut store = Store::new();
            let propositions = ["a", "b"].map(|name| store.proposition(name));
            let formulas = all_formulas(&mut store, &propositions, unary, binary, size);
            for formula in formulas.into_iter().flatten() {
                assert!(keeps_satisfiability(&mut store, formula, words, &RuleSet::all()));
            }
        }
    }
}

/// Each rule alone and all together, on conjunctions in which they have something to do.
#[test]
fn random_conjunctions_keep_their_satisfiability() {
    let mut rng = Rng::new(2011);
    let mut alone: Vec<RuleSet> =
        OF_WHOLE_FORMULAS.iter().map(|&name| RuleSet::named([name]).expect("known")).collect();
    alone.push(RuleSet::all());
    let mut compared = 0;
    for round in 0..6000 {
        let mut store = Store::new();
        let names = ["a", "b", "p", "q"].map(|name| store.proposition(name));
        let operators = Operators::future().with_weak_next();
        let operators = if round % 3 == 0 { operators.with_past() } else { operators };
        let mut draw = |store: &mut Store, propositions: &[_], size| {
            let random = RandomFormula {
                size,
                propositions: propositions.to_vec(),
                operators: operators.clone(),
            };
            random.draw(store, &mut rng)
        };
        let meaning = draw(&mut store, &names[..2], 1 + round % 4);
        let p = store.intern(Node::Proposition(names[2]));
        let same = store.intern(Node::Binary(BinaryOp::Iff, p, meaning));
        let definition = store.intern(Node::Unary(UnaryOp::Globally, same));
        let first = draw(&mut store, &names[..3], 2 + round % 5);
        let second = draw(&mut store, &names[3..], 2 + round % 3);
        let both = store.intern(Node::Binary(BinaryOp::And, first, definition));
        let formula = store.intern(Node::Binary(BinaryOp::And, both, second));
        let rules = &alone[round % alone.len()];
        let words = KINDS[(round / 5) % 2];
        compared += usize::from(keeps_satisfiability(&mut store, formula, words, rules));
    }
    assert!(compared > 5000, "only {compared} were small enough");
}

/// Bounded operators at the first position look back at nothing, or at that position alone.
#[test]
fn the_past_of_the_first_position() {
    let rules = RuleSet::named(["beginning"]).expect("known");
    for (text, left) in [
        ("O[0,3] a", "a"),
        ("O[1,3] a", "false"),
        ("H[0,3] (a | b)", "a | b"),
        ("H[1,3] a", "true"),
        ("(a T O b) <-> !(a S Z b)", "b <-> !true"),
        ("X O a", "X O a"),
        ("(Y a) U H b", "(Y a) U H b"),
        ("F[0,3] O a", "F[0,3] O a"),
    ] {
        let mut store = Store::new();
        let formula = read(&mut store, text);
        let left = read(&mut store, left);
        let preprocessed = preprocess(&mut store, formula, WordKind::Infinite, &rules);
        assert_eq!(show(&store, preprocessed.parts[0]), show(&store, left), "{text}");
        for words in KINDS {
            assert!(keeps_satisfiability(&mut store, formula, words, &rules), "{text}");
        }
    }
}

#[test]
fn definitions_may_use_each_other_but_not_in_circles() {
    for (text, parts) in [
        ("G(p <-> X q) & G(q <-> F a) & F(p & !a) & F(!p & !a)", 1),
        ("G(p <-> X q) & G(q <-> X !p) & F p", 1),
        ("G(p <-> !q) & G(q <-> !p) & F p & F q", 1),
        ("G(p <-> q) & G(q <-> p) & F p & F !q", 1),
        ("G(p <-> !q) & G(q <-> p)", 1),
        ("G p & G !p", 1),
        ("G !p & F(p | a) & F !a", 1),
        ("G(!p <-> a) & F(p ^ X p)", 1),
        ("G(p ^ a) & F(p & X a)", 1),
        ("G(p <-> Y a) & F(p & !a) & G F(a & p)", 1),
    ] {
        for words in KINDS {
            let mut store = Store::new();
            let formula = read(&mut store, text);
            let preprocessed = preprocess(&mut store, formula, words, &RuleSet::all());
            assert_eq!(preprocessed.parts.len(), parts, "{text}");
            assert!(keeps_satisfiability(&mut store, formula, words, &RuleSet::all()), "{text}");
        }
    }
}

#[test]
fn parts_are_joined_within_a_limit_and_never_on_finite_words() {
    let mut store = Store::new();
    let text = "a & G(a <-> X X !a) & b & X(!b & X !b) & G(b <-> X X X b)";
    let formula = read(&mut store, text);
    let rules = RuleSet::named(["split"]).expect("known");
    let preprocessed = preprocess(&mut store, formula, WordKind::Infinite, &rules);
    assert_eq!(preprocessed.parts.len(), 2);
    let words = part_words(&store, &preprocessed, WordKind::Infinite).expect("satisfiable");
    let word = preprocessed.restore(&store, &words, 1000).expect("within the limit");
    assert_eq!(word.cycle().len(), 12);
    assert!(naive::satisfies(&store, formula, &word));
    assert!(preprocessed.restore(&store, &words, 11).is_none());
    let finite = preprocess(&mut store, formula, WordKind::Finite, &rules);
    assert_eq!(finite.parts.len(), 1);
}

/// The patterns of [RV11] are monotone in their propositions: nothing is left of them.
#[test]
fn the_patterns_are_decided_without_an_engine() {
    for pattern in ["S", "E", "Q", "U", "U2", "C1", "C2", "R", "R2"] {
        let request = Request::parse(pattern, &["1000".to_owned()]).expect("a family");
        for instance in request.instances() {
            let mut store = Store::new();
            let formula = instance.build(&mut store);
            let left = preprocess(&mut store, formula, WordKind::Infinite, &RuleSet::all());
            assert_eq!(left.decided(&store), Some(true), "{pattern}");
            let any = Word::lasso(Vec::new(), vec![Letter::default()]);
            let word = left.restore(&store, &[any], 1000).expect("a short word");
            assert!(semantics::holds(&store, formula, &word), "{pattern}");
        }
    }
}

#[test]
fn chains_of_definitions_and_literals_stay_linear() {
    let mut store = Store::new();
    let doubling: Vec<String> =
        (1..60).map(|i| format!("G(p{i} <-> p{} & p{})", i - 1, i - 1)).collect();
    let formula = read(&mut store, &format!("p59 & a & {}", doubling.join(" & ")));
    let rules = RuleSet::named(["definitions"]).expect("known");
    let left = preprocess(&mut store, formula, WordKind::Infinite, &rules);
    assert_eq!(left.parts.len(), 1);

    let chain: Vec<String> = (1..20_000).map(|i| format!("G(q{} <-> X q{i})", i - 1)).collect();
    let formula = read(&mut store, &format!("z & {}", chain.join(" & ")));
    let left = preprocess(&mut store, formula, WordKind::Infinite, &RuleSet::all());
    assert_eq!(left.decided(&store), Some(true));
    let any = Word::lasso(Vec::new(), vec![Letter::default()]);
    let word = left.restore(&store, &[any], 1000).expect("a short word");
    assert!(semantics::holds(&store, formula, &word));

    let cascade: Vec<String> = (1..500).map(|i| format!("(r{} -> r{i})", i - 1)).collect();
    let formula = read(&mut store, &cascade.join(" & "));
    let left = preprocess(&mut store, formula, WordKind::Infinite, &RuleSet::all());
    assert_eq!(left.decided(&store), Some(true));
}

/// Engines may give values to propositions that are not theirs.
#[test]
fn what_a_word_says_of_other_parts_is_ignored() {
    let mut store = Store::new();
    let formula = read(&mut store, "F a & F !a & F(b ^ X b) & G !c");
    let left = preprocess(&mut store, formula, WordKind::Infinite, &RuleSet::all());
    assert_eq!(left.parts.len(), 2);
    let all: Letter = ["a", "b", "c"].map(|name| store.proposition(name)).into_iter().collect();
    let words = part_words(&store, &left, WordKind::Infinite).expect("satisfiable");
    let noisy = words.iter().zip(&left.parts).map(|(word, &part)| {
        let own = store.propositions(part);
        let noise = |letter: &Letter| -> Letter {
            let others = all.iter().filter(|p| !own.contains(p));
            letter.iter().chain(others).collect()
        };
        Word::from_letters(word.letters().iter().map(noise).collect(), word.loop_start())
    });
    let noisy: Vec<Word> = noisy.collect();
    let word = left.restore(&store, &noisy, 1000).expect("a short word");
    assert!(naive::satisfies(&store, formula, &word), "{word:?}");
}

/// Random windows over literals, with bounds that are long compared with their number.
#[test]
fn short_segments_keep_satisfiability() {
    let mut rng = Rng::new(3);
    let rules = RuleSet::named(["segments"]).expect("known");
    let (mut short, mut satisfiable) = (0, 0);
    for round in 0..1_000 {
        let words = KINDS[round % 2];
        let mut store = Store::new();
        let parts: Vec<String> = (0..rng.between(2, 4))
            .map(|_| {
                let low = rng.below(4);
                let high = low + rng.below(5);
                let op = ["F", "G", "X", "F", "G", ""][rng.below(6)];
                let bounds = format!("[{low},{high}]");
                let bounds = if matches!(op, "F" | "G") { bounds.as_str() } else { "" };
                let bounds = if rng.below(8) == 0 { "" } else { bounds };
                let literal = ["a", "!a", "b", "!b", "(a ^ b)"][rng.below(5)];
                format!("{op}{bounds} {literal}")
            })
            .collect();
        let formula = read(&mut store, &parts.join(if round % 3 == 0 { " | " } else { " & " }));
        if decide(&store, formula, words).is_none() {
            continue;
        }
        let preprocessed = preprocess(&mut store, formula, words, &rules);
        short += usize::from(preprocessed.parts != [formula]);
        satisfiable += usize::from(part_words(&store, &preprocessed, words).is_some());
        assert!(keeps_satisfiability(&mut store, formula, words, &rules));
    }
    assert!(short > 300 && (300..900).contains(&satisfiable), "{short}, {satisfiable}");
}

#[test]
fn windows_of_any_size_are_decided_by_their_order() {
    let mut store = Store::new();
    let formula = read(&mut store, "F[0,10001] p & G[0,10000] !p");
    let preprocessed = preprocess(&mut store, formula, WordKind::Infinite, &RuleSet::all());
    let found = part_words(&store, &preprocessed, WordKind::Infinite).expect("satisfiable");
    let word = preprocessed.restore(&store, &found, 1_000_000).expect("within the limit");
    assert!(word.len() > 10_000, "{}", word.len());
    assert!(semantics::holds(&store, formula, &word));
    assert_eq!(preprocessed.restore(&store, &found, 10_000), None);
}
