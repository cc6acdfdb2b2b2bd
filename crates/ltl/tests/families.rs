//! The families have the sizes and the models that the papers give them, and are the formulas of
//! the public collections. Those live in a folder `shared` beside the repository; without it the
//! checks against them are skipped and say so.

use std::collections::HashMap;
use std::convert::Infallible;
use std::path::Path;

use kermode_base::Rng;
use kermode_ltl::dialect::{parse, write};
use kermode_ltl::families::counter::counter;
use kermode_ltl::families::counter2::counter2;
use kermode_ltl::families::patterns::{Pattern, pattern};
use kermode_ltl::families::random::{Random, RandomModel};
use kermode_ltl::families::{FAMILIES, Request, RequestError};
use kermode_ltl::reference::tableau;
use kermode_ltl::semantics::holds;
use kermode_ltl::{
    BinaryOp, Dialect, Formula, Letter, Measure, Node, Store, UnaryOp, Word, WordKind,
};

/// The one member that a line such as `lift-b 3` asks for.
#[track_caller]
fn member(store: &mut Store, line: &str) -> Formula {
    let mut words = line.split(' ');
    let name = words.next().expect("a name");
    let arguments: Vec<&str> = words.collect();
    let request = Request::parse(name, &arguments).unwrap_or_else(|error| panic!("{error}"));
    let instance = request.instances().next().expect("a member");
    instance.build(store)
}

#[track_caller]
fn read(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).unwrap_or_else(|_| panic!("{text}")).formula
}

fn text(store: &Store, formula: Formula) -> String {
    write(store, formula, Dialect::Kermode.into()).expect("a text")
}

/// Temporal operators, Boolean operators, occurrences of propositions, distinct propositions.
type Sizes = [u64; 4];

#[track_caller]
fn sizes(line: &str) -> Sizes {
    let mut store = Store::new();
    let formula = member(&mut store, line);
    let m = Measure::of(&store, formula);
    assert_eq!(store.proposition_count() as u64, m.propositions, "{line}: a name is not used");
    [m.temporal_operators, m.boolean_operators, m.occurrences, m.propositions]
}

// Sizes.

fn lift_sizes(n: u64) -> Sizes {
    [12 * n + 7, n * n + 34 * n + 1, (n * n + 63 * n - 2) / 2, 2 * n + 3]
}

/// Every floor stands in 14 places, the ends in 11, floor 0 in `n` more; there it is a cube of
/// `bits` literals, negated where the bit is 0.
fn lift_b_sizes(n: u64) -> Sizes {
    let bits = u64::from(n.next_power_of_two().ilog2());
    let places = |i| if i == 0 { 11 + n } else { 14 - 3 * u64::from(i == n - 1) };
    let zeros = |i: u64| bits - u64::from(i.count_ones());
    let cubes: u64 = (0..n).map(|i| places(i) * (bits - 1 + zeros(i))).sum();
    let occurrences = 14 * n + 5 + 3 * bits + (15 * n - 6) * bits;
    [11 * n + bits + 6, 32 * n + 4 * bits + 1 + cubes, occurrences, n + bits + 3]
}

#[test]
fn lifts_have_their_sizes() {
    for n in (2..=40).chain([127, 128, 129, 300]) {
        for (encoding, [temporal, boolean, occurrences, propositions]) in
            [("lift", lift_sizes(n)), ("lift-b", lift_b_sizes(n))]
        {
            let plain = [temporal, boolean, occurrences, propositions];
            let fixed = [temporal + 2 * (n - 1), boolean, occurrences, propositions];
            let live = |[t, b, o, p]: Sizes| [t + 2 * n, b + n, o + n, p];
            assert_eq!(sizes(&format!("{encoding} {n}")), plain, "{encoding} {n}");
            assert_eq!(sizes(&format!("{encoding}-f {n}")), fixed, "{encoding}-f {n}");
            assert_eq!(sizes(&format!("{encoding}-l {n}")), live(plain), "{encoding}-l {n}");
            assert_eq!(sizes(&format!("{encoding}-f-l {n}")), live(fixed), "{encoding}-f-l {n}");
        }
    }
}

#[test]
fn counters_have_their_sizes() {
    for n in (1..=40).chain([300]) {
        let three = |temporal| [temporal, 4 * n + 33, 2 * n + 24, 3];
        let two = |temporal| [temporal, 4 * n + 34, 2 * n + 27, 2];
        assert_eq!(sizes(&format!("counter {n}")), three(n * n + 6 * n + 17), "{n}");
        assert_eq!(sizes(&format!("counter-linear {n}")), three(8 * n + 7), "{n}");
        assert_eq!(sizes(&format!("counter2 {n}")), two(n * n + 8 * n + 9), "{n}");
        assert_eq!(sizes(&format!("counter2-linear {n}")), two(10 * n + 5), "{n}");
    }
}

/// Rows of Table 1 of [DDMR08]; those of Pnueli 2 and 3 are what the formulas in print have.
#[test]
fn sizes_are_those_of_table_1() {
    let rows = [
        ("szymanski live", [68, 46, 34, 9]),
        ("szymanski 1", [80, 55, 41, 11]),
        ("szymanski 2", [80, 57, 43, 13]),
        ("szymanski 3", [80, 58, 44, 14]),
        ("lift 2", [31, 73, 64, 7]),
        ("lift 9", [115, 388, 323, 21]),
        ("lift-b 2", [29, 82, 60, 6]),
        ("lift-b 5", [64, 451, 291, 11]),
        ("lift-b 9", [109, 1029, 659, 16]),
        ("counter 2", [33, 41, 28, 3]),
        ("counter 16", [369, 97, 56, 3]),
        ("counter-linear 2", [23, 41, 28, 3]),
        ("counter-linear 16", [135, 97, 56, 3]),
        ("gf-chain", [34, 17, 18, 9]),
    ];
    for (line, expected) in rows {
        assert_eq!(sizes(line), expected, "{line}");
    }
}

#[test]
fn patterns_are_what_they_are() {
    let expected = [
        ("S 3", "G p1 & G p2 & G p3"),
        ("E 3", "F p1 & F p2 & F p3"),
        ("Q 3", "(F p1 | G p2) & (F p2 | G p3)"),
        ("U 4", "((p1 U p2) U p3) U p4"),
        ("U2 4", "p1 U (p2 U (p3 U p4))"),
        ("C1 3", "G F p1 | G F p2 | G F p3"),
        ("C2 3", "G F p1 & G F p2 & G F p3"),
        ("R 3", "(G F p1 | F G p2) & (G F p2 | F G p3)"),
        ("R2 4", "((p1 R p2) R p3) R p4"),
        ("U 1", "p1"),
        ("C1 1", "G F p1"),
        (
            "gf-chain",
            "((G F p0 -> G F p1) & (G F p2 -> G F p0) & (G F p3 -> G F p2) & (G F p4 -> G F p2) & \
             (G F p5 -> G F p3) & (G F p6 -> G F (p5 | p4)) & (G F p7 -> G F p6) & \
             (G F p1 -> G F p7)) -> G F p8",
        ),
    ];
    for (line, formula) in expected {
        let mut store = Store::new();
        assert_eq!(member(&mut store, line), read(&mut store, formula), "{line}");
    }
}

#[test]
fn long_members_are_fast() {
    let mut store = Store::new();
    for name in [Pattern::S, Pattern::Q, Pattern::U, Pattern::U2, Pattern::R2] {
        let formula = pattern(&mut store, name, 200_000);
        assert_eq!(Measure::of(&store, formula).propositions, 200_000);
    }
    assert_eq!(sizes("counter 2000")[0], 2000 * 2000 + 6 * 2000 + 17);
}

// Equality with what is published.

/// The columns of the lines of a table of the shared data, if it is there.
#[expect(clippy::print_stdout, reason = "a check that is skipped says so")]
fn table(path: &str) -> Option<Vec<Vec<String>>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if !path.exists() {
        println!("skipped: {} is not there", path.display());
        return None;
    }
    let table = std::fs::read_to_string(path).expect("a text");
    Some(table.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}

#[test]
fn formulas_are_the_golden_ones() {
    let Some(lines) = table("golden/families.tsv") else { return };
    for line in &lines[1..] {
        let [family, n, .., formula] = &line[..] else { panic!("a short line") };
        let mut store = Store::new();
        let built = member(&mut store, &format!("{family} {n}"));
        assert!(built == read(&mut store, formula), "{family} {n}");
    }
}

/// The formula with each node changed, operands first.
fn changed(
    store: &mut Store,
    root: Formula,
    change: impl Fn(&mut Store, Node) -> Formula,
) -> Formula {
    let order: Vec<Formula> = store.subformulas(root).iter().collect();
    let mut images: HashMap<Formula, Formula> = HashMap::new();
    for formula in order {
        let node = store.node(formula).map(|operand| images[&operand]);
        let image = change(store, node);
        images.insert(formula, image);
    }
    images[&root]
}

/// The same formula over other names.
fn renamed(store: &mut Store, root: Formula, names: &[(&str, &str)]) -> Formula {
    changed(store, root, |store, node| {
        let Node::Proposition(p) = node else { return store.intern(node) };
        let new = names.iter().find(|(old, _)| *old == store.name(p)).map(|(_, new)| *new);
        match new {
            Some(new) => store.named(new),
            None => store.atom(p),
        }
    })
}

/// `a R b` as `!(!a U !b)`.
fn without_release(store: &mut Store, node: Node) -> Formula {
    let Node::Binary(BinaryOp::Release, a, b) = node else { return store.intern(node) };
    let [a, b] = [a, b].map(|operand| store.intern(Node::Unary(UnaryOp::Not, operand)));
    let until = store.intern(Node::Binary(BinaryOp::Until, a, b));
    store.intern(Node::Unary(UnaryOp::Not, until))
}

/// `X u` as the proposition `Xu`.
fn with_glued_next(store: &mut Store, node: Node) -> Formula {
    match node {
        Node::Unary(UnaryOp::Next, a) if a == store.named("u") => store.named("Xu"),
        _ => store.intern(node),
    }
}

/// The conjuncts of a formula, however they are grouped.
fn conjuncts(store: &Store, root: Formula) -> Vec<Formula> {
    let (mut found, mut open) = (Vec::new(), vec![root]);
    while let Some(formula) = open.pop() {
        match store.node(formula) {
            Node::Binary(BinaryOp::And, a, b) => open.extend([b, a]),
            _ => found.push(formula),
        }
    }
    found
}

/// What the name of a formula in the collection begins with, and its number.
fn numbered(name: &str) -> (String, u64) {
    let stem = name.rsplit('/').next().and_then(|file| file.strip_suffix(".pltl")).expect("a file");
    let digits = stem.len() - stem.bytes().rev().take_while(u8::is_ascii_digit).count();
    (stem[..digits].to_owned(), stem[digits..].parse().expect("a number"))
}

#[test]
fn lifts_are_those_of_the_collection() {
    let Some(lines) = table("bench/atva11/alaska-lift.tsv") else { return };
    for line in &lines {
        let [name, verdict, formula] = &line[..] else { panic!("a short line") };
        let (family, floors) = numbered(name);
        let family = family.trim_end_matches('_').replace('_', "-");
        let mut store = Store::new();
        let built = member(&mut store, &format!("{family} {floors}"));
        let built = changed(&mut store, built, without_release);
        let built = changed(&mut store, built, with_glued_next);
        assert!(built == read(&mut store, formula), "{name}");
        let stuck = family.ends_with("-l") && !family.contains("-f");
        assert_eq!(verdict == "UNSAT", stuck, "{name}");
    }
}

#[test]
fn counters_are_those_of_the_collection() {
    let Some(lines) = table("bench/atva11/rozier-counter.tsv") else { return };
    for line in &lines {
        let [name, _, formula] = &line[..] else { panic!("a short line") };
        let (family, bits) = numbered(name);
        let bits = usize::try_from(bits).unwrap();
        let linear = family.ends_with("Linear");
        let mut store = Store::new();
        let build = if family.contains("Carry") { counter } else { counter2 };
        let built = build(&mut store, bits, linear);
        let theirs = read(&mut store, formula);
        let theirs = renamed(&mut store, theirs, &[("a", "m")]);
        assert!(conjuncts(&store, built) == conjuncts(&store, theirs), "{name}");
        assert!(family.contains("Carry") || built == theirs, "{name}");
    }
}

#[test]
fn szymanski_is_that_of_the_collection() {
    let Some(lines) = table("bench/atva11/alaska-szymanski.tsv") else { return };
    let names = [
        ("p0", "taken12"),
        ("p1", "taken01"),
        ("p2", "taken70"),
        ("p3", "taken67"),
        ("p4", "taken56"),
        ("p5", "taken45"),
        ("p6", "taken35"),
        ("p7", "taken34"),
        ("p8", "taken23"),
        ("p9", "bPc1"),
        ("p10", "bPc7"),
    ];
    for line in lines.iter().filter(|line| line[0].ends_with("/zp1.pltl")) {
        let mut store = Store::new();
        let built = member(&mut store, "szymanski 1");
        let built = renamed(&mut store, built, &names);
        assert!(built == read(&mut store, &line[2]));
    }
}

/// All but `S`: there the collection has a disjunction, the paper a conjunction.
#[test]
fn patterns_are_those_of_the_collection() {
    let Some(lines) = table("bench/atva11/rozier-pattern.tsv") else { return };
    for line in &lines {
        let (family, size) = numbered(&line[0]);
        let family = family.strip_suffix("formula").unwrap();
        let mut store = Store::new();
        let mut built = member(&mut store, &format!("{family} {size}"));
        if family == "S" {
            built = changed(&mut store, built, |store, node| match node {
                Node::Binary(BinaryOp::And, a, b) => store.intern(Node::Binary(BinaryOp::Or, a, b)),
                _ => store.intern(node),
            });
        }
        assert!(built == read(&mut store, &line[2]), "{}", line[0]);
    }
}

// Models.

/// Counting from 0 to 2^bits - 1 for ever; `flip` is a moment where a proposition is wrong.
fn counting(store: &mut Store, bits: usize, carry: bool, flip: Option<(usize, &str)>) -> Word {
    let letter = |store: &mut Store, moment: usize| -> Letter {
        let (value, bit) = (moment / bits, moment % bits);
        let ones = (1 << (bit + 1)) - 1;
        let truths =
            [("m", bit == 0), ("b", value >> bit & 1 == 1), ("c", carry && value & ones == ones)];
        let wrong = |name: &str| flip == Some((moment, name));
        let held = truths.into_iter().filter(|&(name, truth)| truth != wrong(name));
        held.map(|(name, _)| store.proposition(name)).collect()
    };
    let letters = (0..bits << bits).map(|moment| letter(store, moment)).collect();
    Word::lasso(Vec::new(), letters)
}

const COUNTERS: [(&str, bool); 4] =
    [("counter", true), ("counter-linear", true), ("counter2", false), ("counter2-linear", false)];

#[test]
fn counters_count() {
    for bits in 1..=8 {
        for (family, carry) in COUNTERS {
            let mut store = Store::new();
            let formula = member(&mut store, &format!("{family} {bits}"));
            let word = counting(&mut store, bits, carry, None);
            assert_eq!(word.clone().shortened().len(), bits << bits, "{family} {bits}");
            assert!(holds(&store, formula, &word), "{family} {bits}");
        }
    }
}

/// The model is the only one: any other word with one wrong letter is rejected.
#[test]
fn counters_do_not_miscount() {
    let mut rng = Rng::new(42);
    for bits in 1..=8 {
        for (family, carry) in COUNTERS {
            let mut store = Store::new();
            let formula = member(&mut store, &format!("{family} {bits}"));
            let names: &[&str] = if carry { &["m", "b", "c"] } else { &["m", "b"] };
            let moments = bits << bits;
            let some: Vec<usize> = match bits {
                1..=3 => (0..moments).collect(),
                _ => (0..20).map(|_| rng.below(moments)).collect(),
            };
            for (moment, &name) in some.iter().flat_map(|&m| names.iter().map(move |n| (m, n))) {
                let word = counting(&mut store, bits, carry, Some((moment, name)));
                assert!(!holds(&store, formula, &word), "{family} {bits}: {name} at {moment}");
            }
        }
    }
}

fn decided(store: &Store, formula: Formula) -> Option<Word> {
    tableau(store, formula, WordKind::Infinite, &mut || Ok::<(), Infallible>(()))
        .expect("a small formula")
}

/// The oracle finds the only model, and nothing but it.
#[test]
fn the_oracle_counts() {
    for (line, bits, carry) in [
        ("counter 1", 1, true),
        ("counter-linear 1", 1, true),
        ("counter2 1", 1, false),
        ("counter2-linear 1", 1, false),
        ("counter-linear 2", 2, true),
        ("counter2-linear 2", 2, false),
    ] {
        let mut store = Store::new();
        let formula = member(&mut store, line);
        let found = decided(&store, formula).unwrap();
        let expected = counting(&mut store, bits, carry, None);
        assert_eq!(found.shortened(), expected.shortened(), "{line}");
    }
}

#[test]
fn the_oracle_finds_patterns_satisfiable() {
    for line in ["S 5", "E 5", "Q 4", "U 6", "U2 6", "C1 5", "C2 5", "R 3", "R2 6"] {
        let mut store = Store::new();
        let formula = member(&mut store, line);
        let word = decided(&store, formula).unwrap();
        assert!(holds(&store, formula, &word), "{line}");
    }
}

/// That nothing ever happens is fair: it satisfies what is claimed of requests, which there are
/// none, but nothing is live. Where all happens always, all is well.
#[test]
fn properties_of_szymanski_are_neither_valid_nor_unsatisfiable() {
    for (property, idle_is_well) in [("live", false), ("1", true), ("2", true), ("3", true)] {
        let mut store = Store::new();
        let formula = member(&mut store, &format!("szymanski {property}"));
        let idle = Word::lasso(Vec::new(), vec![Letter::default()]);
        assert_eq!(holds(&store, formula, &idle), idle_is_well, "{property}");
        let busy = store.propositions(formula).into_iter().collect();
        assert!(holds(&store, formula, &Word::lasso(Vec::new(), vec![busy])), "{property}");
        // Again and again p9 and p11 without an answer, and no transition.
        let asked = ["p9", "p11"].map(|name| store.proposition(name)).into_iter().collect();
        assert!(!holds(&store, formula, &Word::lasso(Vec::new(), vec![asked])), "{property}");
    }
}

/// After one round of rest all buttons are lit for ever, and the lift goes up and down.
fn rides(store: &mut Store, floors: usize, binary: bool) -> Word {
    let moves = 2 * (floors - 1);
    let letter = |store: &mut Store, moment: usize| -> Letter {
        let moved = moment.saturating_sub(1) / 2 % moves;
        let floor = if moved < floors { moved } else { moves - moved };
        let going_up = (1..floors).contains(&moved);
        let mut held = Vec::new();
        match binary {
            true => held.extend((0..8).filter(|i| floor >> i & 1 == 1).map(|i| format!("bf{i}"))),
            false => held.push(format!("f{floor}")),
        }
        if moment >= 2 {
            held.extend((0..floors).map(|i| format!("b{i}")));
            held.push("sb".to_owned());
        }
        let flags = [("u", moment % 2 == 1), ("up", going_up)];
        held.extend(flags.iter().filter(|flag| flag.1).map(|flag| flag.0.to_owned()));
        held.iter().map(|name| store.proposition(name)).collect()
    };
    let letters = (0..2 + 2 * moves).map(|moment| letter(store, moment)).collect();
    Word::from_letters(letters, Some(2))
}

#[test]
fn fixed_lifts_ride() {
    for floors in 2..=9 {
        for (encoding, binary) in [("lift", false), ("lift-b", true)] {
            let mut store = Store::new();
            let word = rides(&mut store, floors, binary);
            let mut accepts = |suffixes: &str| {
                let formula = member(&mut store, &format!("{encoding}{suffixes} {floors}"));
                holds(&store, formula, &word)
            };
            assert!(accepts("-f"), "{encoding} {floors}");
            assert!(accepts("-f-l"), "{encoding} {floors}");
            assert!(!accepts("") && !accepts("-l"), "{encoding} {floors}");
        }
    }
}

/// Why lifts that are not fixed rest on floor 0, so that with `-l` they have no model.
#[test]
fn lifts_as_printed_do_not_leave_floor_0() {
    let printed = "f0 & !up & G(f0 -> !f1) & G(f0 -> X(f0 | f1)) & \
                   G((f0 & X f0) -> (up <-> X up)) & G((f0 & X f1) -> up) & F f1";
    let fixed = printed.replace("X f1) -> up", "X f1) -> X up");
    let mut store = Store::new();
    let printed = read(&mut store, printed);
    let fixed = read(&mut store, &fixed);
    assert_eq!(decided(&store, printed), None);
    assert!(decided(&store, fixed).is_some());
}

/// A lift at rest is a model of every lift without requests.
#[test]
fn lifts_rest() {
    for (line, ground) in
        [("lift 4", "f0"), ("lift-f 4", "f0"), ("lift-b 5", ""), ("lift-b-f 5", "")]
    {
        let mut store = Store::new();
        let formula = member(&mut store, line);
        let ground = store.find_proposition(ground);
        let user = store.find_proposition("u");
        let cycle = [ground.into_iter().collect(), ground.into_iter().chain(user).collect()];
        assert!(holds(&store, formula, &Word::lasso(Vec::new(), cycle.to_vec())), "{line}");
    }
}

// Random formulas.

fn draw(model: RandomModel, length: usize, temporal: u64, seed: u64) -> (Store, Formula) {
    let mut store = Store::new();
    let formula = Random { model, length, propositions: 3, temporal, seed }.draw(&mut store);
    (store, formula)
}

/// Seeds are written down in reports: these never change.
#[test]
fn random_formulas_are_pinned() {
    let pinned: [(&str, &str); 6] = [
        ("random 1 3", "p2"),
        ("random 12 3", "F(p2 U F p2 & G F(p1 & p1)) & p2"),
        ("random 12 3 0.5 2", "!((p2 U p2) U p2) & !F G F p2"),
        ("random 12 1 0.9 3", "G X F(G p1 U p1) U X G F G F p1"),
        ("random-until 12 2", "(!p2 & p1 R X p2) U !p1 & p1"),
        ("random-until 12 4 0.333333 7", "!(p1 U !X p4 & (p3 R p1 & p2))"),
    ];
    for (line, expected) in pinned {
        let mut store = Store::new();
        let formula = member(&mut store, line);
        assert_eq!(text(&store, formula), expected, "{line}");
    }
}

#[test]
fn random_formulas_have_their_length() {
    for seed in 0..300 {
        let length = 1 + seed as usize % 60;
        let (store, formula) = draw(RandomModel::Until, length, 500_000, seed);
        assert_eq!(Measure::of(&store, formula).size, length as u64);
        let (store, formula) = draw(RandomModel::All, length, 0, seed);
        assert_eq!(Measure::of(&store, formula).size, length as u64);
        // `GF` has two nodes and counts once.
        let (store, formula) = draw(RandomModel::All, length, 1_000_000, seed);
        let m = Measure::of(&store, formula);
        assert!((length as u64..2 * length as u64).contains(&m.size), "seed {seed}");
        assert_eq!(m.boolean_operators, 0, "seed {seed}");
    }
}

/// How often each operator is drawn first in formulas of a length.
#[track_caller]
fn expect_frequencies(model: RandomModel, length: usize, temporal: u64, expected: &[(&str, f64)]) {
    let rounds = 20_000;
    let mut counts: HashMap<String, u32> = HashMap::new();
    for seed in 0..rounds {
        let (store, formula) = draw(model, length, temporal, seed);
        let name = match store.node(formula) {
            Node::Unary(UnaryOp::Globally, a) if Measure::of(&store, a).size == length as u64 => {
                "GF".to_owned()
            }
            Node::Unary(op, _) => format!("{op:?}"),
            Node::Binary(op, _, _) => format!("{op:?}"),
            node => panic!("{node:?}"),
        };
        *counts.entry(name).or_default() += 1;
    }
    assert_eq!(counts.len(), expected.len(), "{counts:?}");
    for (name, frequency) in expected {
        let counted = f64::from(counts[*name]) / rounds as f64;
        assert!((counted - frequency).abs() < 0.012, "{name}: {counts:?}");
    }
}

/// The random formulas of the collection have these frequencies, too.
#[test]
fn until_and_release_share_the_probability() {
    for (temporal, p) in [(500_000, 0.5), (333_333, 1.0 / 3.0), (950_000, 0.95)] {
        let others = ["Not", "Next", "And", "Or"].map(|name| (name, (1.0 - p) / 4.0));
        let [until, release] = ["Until", "Release"].map(|name| (name, p / 2.0));
        let expected = [[until, release].as_slice(), &others].concat();
        expect_frequencies(RandomModel::Until, 9, temporal, &expected);
        expect_frequencies(RandomModel::Until, 2, temporal, &[("Not", 0.5), ("Next", 0.5)]);
    }
}

/// `GF` is one operator: there is room for it where there is room for one.
#[test]
fn all_temporal_operators_share_the_probability() {
    let unary = ["Next", "Globally", "Finally", "GF"].map(|name| (name, 0.7 / 4.0));
    expect_frequencies(RandomModel::All, 2, 700_000, &[unary.as_slice(), &[("Not", 0.3)]].concat());
    let booleans = ["Not", "Or", "And"].map(|name| (name, 1.0 / 3.0));
    expect_frequencies(RandomModel::All, 9, 0, &booleans);
    let drawn = |seed| draw(RandomModel::All, 9, 1_000_000, seed);
    let binary = (0..6_000).map(drawn).filter(|(store, f)| {
        matches!(store.node(*f), Node::Binary(BinaryOp::Until | BinaryOp::Release, ..))
    });
    assert!((1_850..2_150).contains(&binary.count()), "two operators of six");
}

#[test]
fn propositions_are_equally_likely() {
    let mut counts = [0; 3];
    for seed in 0..9_000 {
        let (store, formula) = draw(RandomModel::All, 1, 500_000, seed);
        let name = text(&store, formula);
        counts[name[1..].parse::<usize>().unwrap() - 1] += 1;
    }
    assert!(counts.iter().all(|count| (2_800..3_200).contains(count)), "{counts:?}");
}

// Requests.

#[test]
fn ranges_give_every_member() {
    let lines = |name: &str, arguments: &[&str]| -> Vec<String> {
        let request = Request::parse(name, arguments).unwrap();
        request.instances().map(|instance| instance.to_string()).collect()
    };
    assert_eq!(lines("lift-l-b", &["2..4"]), ["lift-b-l 2", "lift-b-l 3", "lift-b-l 4"]);
    assert_eq!(lines("szymanski", &["live"]), ["szymanski live"]);
    assert_eq!(lines("gf-chain", &[]), ["gf-chain"]);
    assert_eq!(
        lines("random", &["3..4", "2", "0.25", "8..9"]),
        ["random 3 2 0.25 8", "random 3 2 0.25 9", "random 4 2 0.25 8", "random 4 2 0.25 9"]
    );
    assert_eq!(lines("random-until", &["3", "2"]), ["random-until 3 2 0.5 1"]);
    let last = lines("random", &["1", "1", "1", "18446744073709551615"]);
    assert_eq!(last, ["random 1 1 1 18446744073709551615"]);
}

#[test]
fn errors_say_what_was_expected() {
    let error = |line: &str| -> RequestError {
        let words: Vec<&str> = line.split(' ').collect();
        Request::parse(words[0], &words[1..]).expect_err(line)
    };
    for name in ["lfit", "lift-x", "lift-b-b", "lift-", "liftb", "counter3", "S-b", "s", ""] {
        assert!(matches!(error(&format!("{name} 3")), RequestError::Name { .. }), "{name}");
    }
    for value in ["1", "0", "2001", "x", "-3", "3..2", "2..", "..3", "1..3", "2..9999", "2...3", ""]
    {
        assert!(matches!(error(&format!("lift {value}")), RequestError::Value { .. }), "{value}");
    }
    for value in ["1.5", "-0.1", "NaN", "half", "inf", "0..1"] {
        let error = error(&format!("random 10 2 {value}"));
        assert!(matches!(error, RequestError::Value { .. }), "{value}");
    }
    assert!(matches!(error("lift"), RequestError::Missing { .. }));
    assert!(matches!(error("random 10"), RequestError::Missing { .. }));
    assert!(matches!(error("gf-chain 3"), RequestError::Extra { .. }));
    assert_eq!(error("szymanski 4").to_string(), "PROPERTY takes one of live, 1, 2, 3, not `4`");
    assert_eq!(
        error("Q 1").to_string(),
        "N takes a whole number from 2 to 1000000 or a range such as 2..10, not `1`"
    );
    assert_eq!(
        error("lift-f").to_string(),
        "FLOORS is missing in `lift[-b][-f][-l] FLOORS`: a whole number from 2 to 2000 or a range \
         such as 2..10"
    );
}

/// Each line of the table can be asked for, and its defaults are values.
#[test]
fn the_table_is_sound() {
    for family in FAMILIES {
        let required = family.parameters.iter().filter(|p| p.default.is_none()).count();
        let optional = &family.parameters[required..];
        assert!(optional.iter().all(|p| p.default.is_some()), "{family:?}");
        let first = if family.name == "szymanski" { "1" } else { "3" };
        let arguments = vec![first; required];
        let request = Request::parse(family.name, &arguments).unwrap();
        let mut store = Store::new();
        request.instances().next().unwrap().build(&mut store);
        assert!(!store.is_empty(), "{family:?}");
    }
}
