//! Comparisons, arithmetic and calls as propositions, and what they imply about each other.

use kermode_ltl::dialect::{Atoms, ReadMode, parse, read_document, write};
use kermode_ltl::{Dialect, Formula, Store, Syntax, WordKind};

/// A formula as it stands in a requirement file.
fn requirement(store: &mut Store, text: &str) -> Option<Formula> {
    let document = read_document(store, text, Syntax::default(), ReadMode::Requirement);
    document.entries[0].formula.ok()
}

fn written(store: &Store, formula: Formula, dialect: Dialect) -> String {
    write(store, formula, dialect.into()).expect("a text")
}

#[test]
fn atoms_are_propositions_under_their_own_text() {
    for (text, reading) in [
        ("x+1<=y", "\"x + 1 <= y\""),
        ("mode = landing", "\"mode = landing\""),
        ("mode == landing", "\"mode = landing\""),
        ("preBool(init,p)", "\"preBool(init, p)\""),
        ("preInt( 0 ,  f(x) ) < 3", "\"preInt(0, f(x)) < 3\""),
        ("x != 3", "!\"x = 3\""),
        ("x > 3", "!\"x <= 3\""),
        ("x >= 3", "!\"x < 3\""),
        ("3 < x", "!\"x <= 3\""),
        ("3 >= x", "\"x <= 3\""),
        ("x = -03.50", "\"x = -3.5\""),
        ("x = -0.0", "\"x = 0\""),
        ("(x + 1) * 2 < -y", "\"(x + 1) * 2 < -y\""),
        ("(x < 3 | y) & z", "(\"x < 3\" | y) & z"),
        ("((x)) < 3 -> a", "\"((x)) < 3\" -> a"),
        ("x < 3 <-> y <= 2 => z", "\"x < 3\" <-> \"y <= 2\" -> z"),
        ("x mod 2 = 0 U p", "\"x mod 2 = 0\" U p"),
        ("x = TRUE & !(y = FALSE)", "x & !!y"),
        ("G mode = \"Full Auto\"", "G \"mode = \\\"Full Auto\\\"\""),
        ("a -> b <-> c", "a -> b <-> c"),
        ("0 -> 1", "false -> true"),
        ("F a & X (b)", "F a & X b"),
    ] {
        let mut store = Store::new();
        let formula = requirement(&mut store, text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(written(&store, formula, Dialect::Kermode), reading, "{text}");
    }
    for text in ["x +", "x + 1", "x = ", "x = F", "(a & b) = c", "f(x", "x < y < z", "2x < 3"] {
        assert_eq!(requirement(&mut Store::new(), text), None, "{text}");
    }
}

#[test]
fn atoms_are_written_so_that_they_read_back() {
    for text in ["G(x + 1 <= y -> F !(mode = landing))", "preBool(init, p) U x < 3", "a & x != 3"] {
        let mut store = Store::new();
        let formula = parse(&mut store, text, Dialect::Nusmv.into()).expect("a formula").formula;
        for dialect in Dialect::ALL {
            let shown = written(&store, formula, dialect);
            let again = parse(&mut store, &shown, dialect.into()).expect(&shown).formula;
            assert_eq!(again, formula, "{dialect:?}: {shown}");
        }
    }
}

#[test]
fn the_last_position_has_no_next_one() {
    let syntax = Syntax { dialect: Dialect::Nusmv, words: WordKind::Finite };
    for text in ["LAST", "last"] {
        let mut store = Store::new();
        let finite = parse(&mut store, text, syntax).expect("a formula");
        assert_eq!(written(&store, finite.formula, Dialect::Kermode), "!X true");
        let infinite = parse(&mut store, text, Dialect::Nusmv.into()).expect("a formula");
        assert_eq!(written(&store, infinite.formula, Dialect::Kermode), "false");
        assert!(infinite.warnings[0].message.contains("no last position"));
        let plain = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula");
        assert_eq!(written(&store, plain.formula, Dialect::Kermode), format!("\"{text}\""));
    }
}

/// What is assumed about the atoms of a formula, and which are independent.
fn assumed(text: &str) -> (Vec<String>, Vec<String>) {
    let mut store = Store::new();
    let formula = requirement(&mut store, text).expect("a formula");
    let atoms = Atoms::of(&mut store, &[formula], Dialect::Kermode);
    let shown = atoms.assumptions.iter().map(|&f| written(&store, f, Dialect::Kermode));
    (shown.map(|text| text.replace('"', "'")).collect(), atoms.independent)
}

#[test]
fn comparisons_of_one_term_are_ordered() {
    for (text, assumptions) in [
        ("x < 3 & x < 5", vec!["G('x < 3' -> 'x < 5')"]),
        ("x <= 3 & x = 4", vec!["G('x = 4' -> !'x <= 3')"]),
        ("x < 3 & x <= 3", vec!["G('x < 3' -> 'x <= 3')"]),
        ("x = 3 & x = 4", vec!["G !('x = 4' & 'x = 3')"]),
        ("m = on & m = off", vec!["G !('m = off' & 'm = on')"]),
        ("x < -1.5 & x < -1.25", vec!["G('x < -1.5' -> 'x < -1.25')"]),
        ("x < 3 & y < 5", vec![]),
        ("x + 1 < 3 & x + 1 < 5", vec!["G('x + 1 < 3' -> 'x + 1 < 5')"]),
        ("x < y & x < z", vec![]),
        // `off` is a variable here.
        ("m = on & m = off & off", vec![]),
        ("m = on & m = off & off < 2", vec![]),
    ] {
        assert_eq!(assumed(text).0, assumptions, "{text}");
    }
    assert_eq!(assumed("x < y & p(q) & m = on").1, ["x < y", "p(q)"]);
    assert_eq!(assumed("x = 1234567890123456789012345").1.len(), 1);
}

#[test]
fn n_thresholds_need_few_constraints() {
    let thresholds: Vec<String> = (0..200).map(|n| format!("x < {n}")).collect();
    let mut store = Store::new();
    let formula = requirement(&mut store, &thresholds.join(" & ")).expect("a formula");
    let before = store.len();
    let atoms = Atoms::of(&mut store, &[formula], Dialect::Kermode);
    assert_eq!(atoms.assumptions.len(), 1);
    // 199 implications and as many conjunctions.
    assert!(store.len() - before <= 2 * 200, "{}", store.len() - before);
    let equalities: Vec<String> = (0..200).map(|n| format!("x = {n}")).collect();
    let formula = requirement(&mut store, &equalities.join(" & ")).expect("a formula");
    let before = store.len();
    Atoms::of(&mut store, &[formula], Dialect::Kermode);
    assert!(store.len() - before <= 5 * 200, "{}", store.len() - before);
}

/// Every value of `x` is allowed, and nothing that no value allows.
#[test]
fn assumptions_are_exact_on_small_sets_of_atoms() {
    let all = ["x < 1", "x <= 1", "x = 1", "x < 2", "x <= 2", "x = 2", "x = 1.5"];
    for mask in 1u32..1 << all.len() {
        let chosen: Vec<&str> =
            (0..all.len()).filter(|i| mask >> i & 1 == 1).map(|i| all[i]).collect();
        let mut store = Store::new();
        let formula = requirement(&mut store, &chosen.join(" & ")).expect("a formula");
        let atoms = Atoms::of(&mut store, &[formula], Dialect::Kermode);
        let truth = |value: f64| -> u32 {
            let holds = |atom: &&str| {
                let (sign, number) = atom[2..].split_once(' ').expect("two parts");
                let number: f64 = number.parse().expect("a number");
                match sign {
                    "<" => value < number,
                    "<=" => value <= number,
                    _ => value == number,
                }
            };
            chosen.iter().enumerate().map(|(i, atom)| u32::from(holds(atom)) << i).sum()
        };
        let possible: Vec<u32> = [0.0, 1.0, 1.2, 1.5, 1.7, 2.0, 3.0].map(truth).to_vec();
        for letter in 0u32..1 << chosen.len() {
            let literals: Vec<String> = chosen
                .iter()
                .enumerate()
                .map(|(i, atom)| {
                    format!("{}\"{atom}\"", if letter >> i & 1 == 1 { "" } else { "!" })
                })
                .collect();
            let word = format!("cycle{{{}}}", literals.join(" & "));
            let word = kermode_ltl::word::read_word(&mut store, &word).expect("a word");
            let allowed = atoms
                .assumptions
                .iter()
                .all(|&assumption| kermode_ltl::semantics::holds(&store, assumption, &word));
            assert_eq!(allowed, possible.contains(&letter), "{chosen:?} {letter:b}");
        }
    }
}

/// Random texts of tokens: nothing panics, and what is read is written so that it reads back.
#[test]
fn random_texts_read_back() {
    let tokens = [
        "x", "y", "mode", "f(", "(", ")", ",", "+", "-", "*", "/", "mod", "=", "==", "!=", "<",
        "<=", ">", ">=", "3", "0.50", "-1", "TRUE", "&", "|", "->", "<->", "!", "G", "U", "last",
        "\"a b\"", "é", "#", "--", ";", "[", "]",
    ];
    let mut random = kermode_base::Rng::new(17);
    let mut read = 0;
    for _ in 0..100_000 {
        let length = random.between(1, 9);
        let mut text = String::new();
        for _ in 0..length {
            text.push_str(random.choose(&tokens));
            text.push_str(if random.below(3) == 0 { "" } else { " " });
        }
        for dialect in [Dialect::Kermode, Dialect::Nusmv] {
            let syntax = Syntax { dialect, words: WordKind::Finite };
            let mut store = Store::new();
            let parse = |store: &mut Store, text: &str| {
                let document = read_document(store, text, syntax, ReadMode::Requirement);
                document.entries[0].formula.ok()
            };
            let Some(formula) = parse(&mut store, &text) else { continue };
            read += 1;
            Atoms::of(&mut store, &[formula], dialect);
            let written = write(&store, formula, syntax).expect(&text);
            assert_eq!(parse(&mut store, &written), Some(formula), "{dialect:?} {text}: {written}");
        }
    }
    assert!(read > 1000, "{read}");
}
