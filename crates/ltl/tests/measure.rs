//! Sizes of formulas: by hand, against the published ones of the scalable families, and on corpora
//! of benchmarks, which must all be readable. Corpora live in a folder `shared` beside the
//! repository; without it those checks are skipped and say so.

use std::path::{Path, PathBuf};

use kermode_base::Source;
use kermode_ltl::dialect::{express, parse, write};
use kermode_ltl::{Dialect, Measure, Store, Syntax, WordKind};

fn measure(text: &str) -> Measure {
    let mut store = Store::new();
    let formula = read(&mut store, text, Dialect::Kermode.into(), text);
    Measure::of(&store, formula)
}

#[test]
fn counts_by_hand() {
    // Temporal, Boolean, occurrences, propositions; size, distinct; depths.
    let table: &[(&str, [u64; 8])] = &[
        ("true", [0, 0, 0, 0, 1, 1, 0, 0]),
        ("a", [0, 0, 1, 1, 1, 1, 0, 0]),
        ("!a", [0, 1, 1, 1, 2, 2, 0, 0]),
        ("a & a", [0, 1, 2, 1, 3, 2, 0, 0]),
        ("a & !a", [0, 2, 2, 1, 4, 3, 0, 0]),
        ("X a U X a", [3, 0, 2, 1, 5, 3, 2, 0]),
        ("G (a -> F b)", [2, 1, 2, 2, 5, 5, 2, 0]),
        ("(a <-> b) ^ (a <-> b)", [0, 3, 4, 2, 7, 4, 0, 0]),
        ("Y O a S H b", [4, 0, 2, 2, 6, 6, 3, 3]),
        ("F (Y a & X Z b)", [4, 1, 2, 2, 7, 7, 3, 1]),
        ("F[1,5] a U[0,3] G[2,2] a", [3, 0, 2, 1, 5, 4, 2, 0]),
        ("O[1,5] X H[0,1] a", [3, 0, 1, 1, 4, 4, 3, 2]),
        ("true U (false R a)", [2, 0, 1, 1, 5, 5, 2, 0]),
    ];
    for (text, expected) in table {
        let m = measure(text);
        let counted = [
            m.temporal_operators,
            m.boolean_operators,
            m.occurrences,
            m.propositions,
            m.size,
            m.distinct,
            m.temporal_depth,
            m.past_depth,
        ];
        assert_eq!(counted, *expected, "{text}");
    }
}

/// A formula of 100 distinct subformulas has a tree of 2^100 nodes.
#[test]
fn counts_saturate() {
    let mut store = Store::new();
    let mut formula = store.named("a");
    for _ in 0..100 {
        let and = kermode_ltl::Node::Binary(kermode_ltl::BinaryOp::And, formula, formula);
        formula = store.intern(and);
    }
    let m = Measure::of(&store, formula);
    assert_eq!((m.distinct, m.propositions, m.temporal_operators), (101, 1, 0));
    assert_eq!((m.size, m.occurrences, m.boolean_operators), (u64::MAX, u64::MAX, u64::MAX));
}

/// A file or folder of the shared data, if it is there.
#[expect(clippy::print_stdout, reason = "a check that is skipped says so")]
fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if !path.exists() {
        println!("skipped: {} is not there", path.display());
    }
    path.exists().then_some(path)
}

/// The formula, with the error shown as a user would see it.
#[track_caller]
fn read(store: &mut Store, text: &str, syntax: Syntax, name: &str) -> kermode_ltl::Formula {
    match parse(store, text, syntax) {
        Ok(parsed) => parsed.formula,
        Err(error) => panic!("{}", Source { name, text }.render(&error)),
    }
}

/// Table 1 of [DDMR08] and the counts of the families at other sizes.
#[test]
fn families_have_the_published_sizes() {
    let Some(path) = shared("golden/families.tsv") else { return };
    let table = std::fs::read_to_string(path).unwrap();
    let mut checked = 0;
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [family, n, numbers @ .., text] = &columns[..] else { panic!("a short line") };
        let mut store = Store::new();
        let name = format!("{family} {n}");
        let formula = read(&mut store, text, Dialect::Kermode.into(), &name);
        let m = Measure::of(&store, formula);
        let counted = [m.temporal_operators, m.boolean_operators, m.occurrences, m.propositions];
        assert_eq!(counted.map(|count| count.to_string()), *numbers, "{family} {n}");
        checked += 1;
    }
    assert!(checked > 0, "a table without lines");
}

/// Published, and no formula: `LiVar632 (LiVar640...` lacks an operator.
const BROKEN: &str = "nasa-boeing/NASA-ATC/models/oss/universal_prop.pltl";

/// All formulas of the corpora can be read, written and read again.
#[test]
fn corpora_can_be_read() {
    let folders =
        [("atva11", WordKind::Infinite), ("ltlf", WordKind::Finite), ("past", WordKind::Infinite)];
    for (folder, words) in folders {
        let Some(folder) = shared(&format!("bench/{folder}")) else { continue };
        let syntax = Syntax { dialect: Dialect::Kermode, words };
        let mut checked = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "tsv") {
                continue;
            }
            for line in std::fs::read_to_string(&path).unwrap().lines() {
                let mut columns = line.split('\t');
                let (Some(name), Some(text)) = (columns.next(), columns.nth(1)) else {
                    panic!("{} has a short line", path.display());
                };
                let mut store = Store::new();
                if name.ends_with(BROKEN) {
                    assert!(parse(&mut store, text, syntax).is_err(), "{name}");
                    continue;
                }
                let formula = read(&mut store, text, syntax, name);
                let written = write(&store, formula, syntax).unwrap();
                assert_eq!(read(&mut store, &written, syntax, name), formula);
                checked += 1;
            }
        }
        assert!(checked > 0, "a folder without formulas");
    }
}

/// Formulas in Spot's notation.
#[test]
fn spots_formulas_can_be_read() {
    let Some(path) = shared("bench/tgba/sizes.tsv") else { return };
    let syntax = Syntax::from(Dialect::Spot);
    let table = std::fs::read_to_string(path).unwrap();
    let mut checked = 0;
    for line in table.lines().skip(1) {
        let mut columns = line.split('\t');
        let (Some(name), Some(text)) = (columns.next(), columns.next()) else {
            panic!("a short line");
        };
        let mut store = Store::new();
        let formula = read(&mut store, text, syntax, name);
        for dialect in Dialect::ALL {
            let syntax = Syntax::from(dialect);
            let expressed = express(&mut store, formula, syntax).unwrap();
            let written = write(&store, expressed, syntax).unwrap();
            assert_eq!(read(&mut store, &written, syntax, name), expressed);
        }
        checked += 1;
    }
    assert!(checked > 0, "a table without lines");
}
