//! Bounded operators are rewritten as numbers: what becomes of them means the same, and nothing is
//! written out on the way.

use kermode_base::Rng;
use kermode_ltl::dialect::{Dialect, parse, write};
use kermode_ltl::random::{Operators, RandomFormula};
use kermode_ltl::reference::tableau;
use kermode_ltl::rewrite::{RuleSet, simplify};
use kermode_ltl::{BinaryOp, Formula, Node, Store, UnaryOp, WordKind};

const KINDS: [WordKind; 2] = [WordKind::Infinite, WordKind::Finite];

fn read(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).expect("a formula").formula
}

fn show(store: &Store, formula: Formula) -> String {
    write(store, formula, Dialect::Kermode.into()).expect("Kermode writes all")
}

fn simplified(text: &str, words: WordKind) -> String {
    let mut store = Store::new();
    let formula = read(&mut store, text);
    let simplified = simplify(&mut store, formula, words, &RuleSet::all());
    show(&store, simplified.formula)
}

/// Two formulas are equal at every position of every word, by the tableau on their difference.
#[track_caller]
fn agree_everywhere(store: &mut Store, before: Formula, after: Formula, words: WordKind) {
    if before == after {
        return;
    }
    let difference = store.intern(Node::Binary(BinaryOp::Xor, before, after));
    let anywhere = store.intern(Node::Unary(UnaryOp::Finally, difference));
    let word = tableau(store, anywhere, words, &mut || Ok::<(), ()>(())).expect("small enough");
    let (before, after) = (show(store, before), show(store, after));
    assert!(word.is_none(), "{before} became {after} on {words:?} words: {word:?}");
}

#[test]
fn bounds_of_any_size_are_numbers() {
    for (before, after) in [
        ("F[0,4000000000] a | F[4000000001,4294967295] a", "F[0,4294967295] a"),
        ("F[0,10000] p & G[0,10000] !p", "false"),
        ("F[0,10001] p & G[0,10000] !p", "X[10001] p & G[0,10000] !p"),
        ("G a & !G[0,2000000] a", "false"),
        ("G(a & b) & F[7,2000000] !a", "false"),
        ("X F[0,4000000000] X a", "F[2,4000000002] a"),
        ("F[0,4000000000] F[0,4000000000] a", "F[0,4000000000] F[0,4000000000] a"),
        ("G[0,1000000] a & G[5,99] a", "G[0,1000000] a"),
        ("F[0,1000000] F a", "F a"),
        ("(a & b) U[0,1000000] b", "b"),
        ("G F[3,1000000] G F a", "G F a"),
        ("O[0,1000000] a & H[0,1000000] !a", "false"),
        ("G[0,1000000] a | F[0,1000000] !a", "true"),
    ] {
        assert_eq!(simplified(before, WordKind::Infinite), after, "{before}");
    }
    // At the end of a finite word a window may be empty.
    for (before, after) in [
        ("F[3,1000000] true", "X[3] true"),
        ("G[3,1000000] false", "N[3] false"),
        ("X G[0,1000000] a", "X G[0,1000000] a"),
        ("N G[0,1000000] a", "G[1,1000001] a"),
        ("F F[2,1000000] a", "F F[2,1000000] a"),
        ("F[0,10000] p & G[0,10000] !p", "false"),
    ] {
        assert_eq!(simplified(before, WordKind::Finite), after, "{before}");
    }
}

/// All pairs of windows with bounds up to 3: side by side, and one over the other.
#[test]
fn all_pairs_of_windows_keep_their_meaning() {
    let windows: Vec<String> = ["F", "G", "O", "H"]
        .iter()
        .flat_map(|op| {
            let bounds = (0..=3).flat_map(|low| (low..=3).map(move |high| (low, high)));
            bounds.map(move |(low, high)| format!("{op}[{low},{high}]"))
        })
        .chain(["", "X", "N", "Y", "Z", "F", "G", "O", "H"].map(str::to_owned))
        .collect();
    let mut changed = 0;
    for words in KINDS {
        for first in &windows {
            for second in &windows {
                let mut store = Store::new();
                for text in [
                    format!("{first} a & {second} !a"),
                    format!("{first} a | {second} !a"),
                    format!("{first} a & {second} a"),
                    format!("{first} a | {second} a"),
                    format!("{first} {second} a"),
                    format!("!{first} ({second} a)"),
                    format!("{first} G {second} a"),
                ] {
                    let before = read(&mut store, &text);
                    let after = simplify(&mut store, before, words, &RuleSet::all()).formula;
                    changed += usize::from(before != after);
                    agree_everywhere(&mut store, before, after, words);
                }
            }
        }
    }
    assert!(changed > 10_000, "{changed}");
}

#[test]
fn random_formulas_keep_their_meaning() {
    let mut rng = Rng::new(17);
    let mut changed = 0;
    for round in 0..3_000 {
        let words = KINDS[round % 2];
        let mut store = Store::new();
        let propositions = ["a", "b"].map(|name| store.proposition(name)).to_vec();
        let operators = Operators::future().with_weak_next().with_constants();
        let operators = if round % 4 < 2 { operators } else { operators.with_past() };
        let operators = operators.with_bounds(3);
        let random = RandomFormula { size: 3 + round % 6, propositions, operators };
        let before = random.draw(&mut store, &mut rng);
        let after = simplify(&mut store, before, words, &RuleSet::all()).formula;
        changed += usize::from(before != after);
        agree_everywhere(&mut store, before, after, words);
    }
    assert!(changed > 1_000, "{changed}");
}
