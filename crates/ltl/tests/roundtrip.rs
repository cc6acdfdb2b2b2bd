//! What is written in a dialect reads back as the same formula, and what `express` rewrites for a
//! dialect means the same: random formulas in the five dialects, over both kinds of words.

use kermode_base::Rng;
use kermode_ltl::dialect::{Inexpressible, Unwritable, express, parse, write};
use kermode_ltl::random::{Operators, RandomFormula, random_word};
use kermode_ltl::{
    BinaryOp, BoundedUnaryOp, Dialect, Formula, Proposition, Store, Syntax, UnaryOp, WordKind,
    semantics,
};

const KINDS: [WordKind; 2] = [WordKind::Infinite, WordKind::Finite];

/// Names that every dialect can have, most of them plain everywhere.
const PLAIN: [&str; 4] = ["a", "b", "p1", "busy_2"];

/// The operators of a dialect, by hand from its documentation.
fn operators(syntax: Syntax) -> Operators {
    let all = Operators::future().with_weak_next().with_past().with_constants();
    let finite = syntax.words == WordKind::Finite;
    match syntax.dialect {
        Dialect::Kermode => all.with_bounds(9),
        Dialect::Spot => {
            let future = Operators::future().with_constants();
            let mut future = if finite { future.with_weak_next() } else { future };
            future.bounded_unary = vec![BoundedUnaryOp::Finally, BoundedUnaryOp::Globally];
            future.max_bound = 254;
            future
        }
        Dialect::Spin => {
            let mut future = Operators::future().with_constants();
            future.binary.retain(|op| {
                !matches!(op, BinaryOp::Xor | BinaryOp::WeakUntil | BinaryOp::StrongRelease)
            });
            future
        }
        Dialect::Nusmv => {
            let mut all = all.with_bounds(9);
            all.unary.retain(|&op| op != UnaryOp::WeakNext);
            all.binary.retain(|op| !matches!(op, BinaryOp::WeakUntil | BinaryOp::StrongRelease));
            all.bounded_binary.clear();
            // NuSMV's `H[a,b]` is another operator: it is false where a position is missing.
            all.bounded_unary.retain(|&op| op != BoundedUnaryOp::Historically);
            all
        }
        Dialect::Pltl => {
            let mut all = all;
            all.binary.retain(|&op| op != BinaryOp::Xor);
            all
        }
    }
}

/// A character that is likely to be trouble somewhere.
fn odd_character(rng: &mut Rng) -> char {
    const ODD: &str = "aZ09_ .\"\\{}()[]|&!<>-=+*/#$:;,'~^\t\n\rFGXUé∧\u{305}中";
    let odd: Vec<char> = ODD.chars().collect();
    rng.choose(&odd)
}

/// A name that needs quotes, most of the time.
fn odd_name(rng: &mut Rng) -> String {
    const WORDS: [&str; 24] = [
        "X",
        "F",
        "true",
        "TRUE",
        "false",
        "xor",
        "not",
        "next",
        "until",
        "always",
        "U",
        "V",
        "NOT",
        "Falsey",
        "GF",
        "first_match",
        "c_expr",
        "x.y",
        "x-y",
        "-- x",
        "/* x */",
        "x > 1",
        "len(q) == 0",
        "",
    ];
    match rng.below(3) {
        0 => rng.choose(&WORDS).to_owned(),
        _ => (0..rng.between(1, 4)).map(|_| odd_character(rng)).collect(),
    }
}

/// Propositions that a dialect can write: those whose name round-trips on its own.
fn propositions(store: &mut Store, syntax: Syntax, rng: &mut Rng) -> Vec<Proposition> {
    let mut names: Vec<String> = PLAIN.iter().map(|&name| name.to_owned()).collect();
    names.extend((0..6).map(|_| odd_name(rng)));
    let mut kept = Vec::new();
    for name in names {
        let atom = store.named(&name);
        match write(store, atom, syntax) {
            Ok(_) => kept.push(store.proposition(&name)),
            Err(Unwritable::Name { .. }) => assert!(!PLAIN.contains(&name.as_str())),
            Err(error) => panic!("{name:?} in {}: {error}", syntax.dialect.name()),
        }
    }
    kept
}

#[track_caller]
fn reads_back(store: &mut Store, formula: Formula, syntax: Syntax) {
    let name = syntax.dialect.name();
    let text = write(store, formula, syntax)
        .unwrap_or_else(|error| panic!("{name}: {error}: {formula:?} {:?}", store.node(formula)));
    let read = parse(store, &text, syntax)
        .unwrap_or_else(|error| panic!("{name} does not read {text}: {error:?}"));
    if read.formula != formula {
        let kermode = Syntax { dialect: Dialect::Kermode, ..syntax };
        let meant = write(store, formula, kermode);
        let read = write(store, read.formula, kermode);
        panic!("{name} writes {text}\nfor   {meant:?}\nreads {read:?}");
    }
}

/// 100,000 formulas for each dialect, half of them over finite words, made of the operators that
/// the dialect has.
#[test]
fn what_is_written_reads_back() {
    let mut rng = Rng::new(0x0dd_ba11);
    for dialect in Dialect::ALL {
        for words in KINDS {
            let syntax = Syntax { dialect, words };
            for _ in 0..2_500 {
                let mut store = Store::new();
                let propositions = propositions(&mut store, syntax, &mut rng);
                let mut random =
                    RandomFormula { size: 1, propositions, operators: operators(syntax) };
                for _ in 0..20 {
                    random.size = rng.between(1, 40);
                    let formula = random.draw(&mut store, &mut rng);
                    reads_back(&mut store, formula, syntax);
                }
            }
        }
    }
}

/// Every formula with few nodes, exhaustively: no pair of operators is left to chance.
#[test]
fn all_small_formulas_read_back() {
    for dialect in Dialect::ALL {
        for words in KINDS {
            let syntax = Syntax { dialect, words };
            let operators = operators(syntax);
            let mut store = Store::new();
            let propositions = [store.proposition("a"), store.proposition("b")];
            let formulas = kermode_ltl::random::all_formulas(
                &mut store,
                &propositions,
                &operators.unary,
                &operators.binary,
                4,
            );
            for formula in formulas.into_iter().flatten() {
                reads_back(&mut store, formula, syntax);
            }
        }
    }
}

/// 3,000 formulas for each of the ten syntaxes, over all operators there are.
#[test]
fn what_is_expressed_reads_back_and_means_the_same() {
    let mut rng = Rng::new(0xe5c_a9e);
    for dialect in Dialect::ALL {
        for words in KINDS {
            let syntax = Syntax { dialect, words };
            let has_past = !matches!(dialect, Dialect::Spot | Dialect::Spin);
            let mut refused = 0;
            for round in 0..150 {
                let mut store = Store::new();
                let propositions: Vec<_> = PLAIN.iter().map(|p| store.proposition(p)).collect();
                let future = Operators::future().with_weak_next().with_constants();
                let past = round % 3 == 0;
                let operators = if past { future.with_past() } else { future }.with_bounds(4);
                let mut random =
                    RandomFormula { size: 1, propositions: propositions.clone(), operators };
                for _ in 0..20 {
                    random.size = rng.between(1, 25);
                    let formula = random.draw(&mut store, &mut rng);
                    let expressed = match express(&mut store, formula, syntax) {
                        Ok(expressed) => expressed,
                        Err(Inexpressible::Past { .. }) if past && !has_past => {
                            refused += 1;
                            continue;
                        }
                        Err(error) => panic!("{}: {error}", dialect.name()),
                    };
                    reads_back(&mut store, expressed, syntax);
                    for _ in 0..6 {
                        let word = random_word(&mut rng, &propositions, words, 3, 4);
                        assert_eq!(
                            semantics::holds(&store, formula, &word),
                            semantics::holds(&store, expressed, &word),
                            "{:?} as {:?} on {word:?}",
                            write(&store, formula, Dialect::Kermode.into()),
                            write(&store, expressed, syntax),
                        );
                    }
                }
            }
            assert_eq!(refused > 0, !has_past, "{}", dialect.name());
        }
    }
}

/// NuSMV's `H[a,b] p` holds where `p` holds at all distances from `a` to `b`, and all exist. It is
/// written back as an equivalent formula, and Kermode's `H[a,b] p` as `!O[a,b] !p`.
#[test]
fn bounded_historically_of_nusmv() {
    let nusmv = Syntax::from(Dialect::Nusmv);
    for (text, expected) in [
        ("H[1,3] a", "!O[1,3] !a"),
        ("H[0,0] a", "H[0,0] a"),
        ("G H[0,2] (a -> H[1,1] b)", "G !O[0,2] !(a -> !O[1,1] !b)"),
    ] {
        let mut store = Store::new();
        let formula = parse(&mut store, text, Dialect::Kermode.into()).unwrap().formula;
        let expressed = express(&mut store, formula, nusmv).unwrap();
        assert_eq!(write(&store, expressed, nusmv).as_deref(), Ok(expected));
        reads_back(&mut store, expressed, nusmv);
        let directly = write(&store, formula, nusmv);
        assert_eq!(directly.is_ok(), text == "H[0,0] a", "{text}: {directly:?}");
    }
    let mut rng = Rng::new(0x5eed);
    let mut early = 0;
    for _ in 0..2_000 {
        let mut store = Store::new();
        let (low, high) = (rng.between(0, 3), rng.between(3, 6));
        let now = rng.between(0, 8);
        let text = format!("{}H [{low},{high}] a", "X ".repeat(now));
        let read = parse(&mut store, &text, nusmv).unwrap().formula;
        let a = store.proposition("a");
        let word = random_word(&mut rng, &[a], WordKind::Infinite, 6, 4);
        let holds_at = |time: usize| {
            let loop_start = word.loop_start().unwrap();
            let period = word.len() - loop_start;
            let place =
                if time < word.len() { time } else { loop_start + (time - loop_start) % period };
            word.letters()[place].contains(a)
        };
        let meant = now >= high && (now - high..=now - low).all(holds_at);
        assert_eq!(semantics::holds(&store, read, &word), meant, "{text} on {word:?}");
        early += usize::from(now < high);
        let written = express(&mut store, read, nusmv).unwrap();
        reads_back(&mut store, written, nusmv);
        assert_eq!(semantics::holds(&store, written, &word), meant, "{text} on {word:?}");
    }
    assert!((500..1_500).contains(&early), "{early}");
}

/// SPIN and Spot have nothing for the past.
#[test]
fn the_past_cannot_be_expressed_without_past_operators() {
    let past =
        ["Y a", "Z a", "O a", "H a", "a S b", "a T b", "G(a -> O b)", "O[0,2] a", "H[1,1] a"];
    for text in past {
        for dialect in [Dialect::Spot, Dialect::Spin] {
            let mut store = Store::new();
            let formula = parse(&mut store, text, Dialect::Kermode.into()).unwrap().formula;
            let result = express(&mut store, formula, dialect.into());
            assert!(matches!(result, Err(Inexpressible::Past { .. })), "{text}: {result:?}");
            let written = write(&store, formula, dialect.into());
            assert!(matches!(written, Err(Unwritable::Operator { .. })), "{text}: {written:?}");
        }
    }
}

/// What a dialect has is left alone.
#[test]
fn nothing_is_expressed_without_need() {
    let mut rng = Rng::new(7);
    for dialect in Dialect::ALL {
        for words in KINDS {
            let syntax = Syntax { dialect, words };
            let mut store = Store::new();
            let propositions: Vec<_> = PLAIN.iter().map(|p| store.proposition(p)).collect();
            let operators = operators(syntax);
            let random = RandomFormula { size: 20, propositions, operators };
            for _ in 0..200 {
                let formula = random.draw(&mut store, &mut rng);
                assert_eq!(express(&mut store, formula, syntax), Ok(formula));
            }
        }
    }
}
