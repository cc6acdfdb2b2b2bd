//! What rewriting and the other rules leave of the public benchmark sets, by family, and how long
//! it takes.
//!
//! Run with `cargo bench --bench rewriting`. The sets stand in a folder `shared` beside the
//! repository; without it only the families of the papers are measured. Every formula that
//! preprocessing decides is compared with its published verdict, and every word is replayed.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use kermode::ltl::dialect::{Dialect, parse};
use kermode::ltl::families::Request;
use kermode::ltl::preprocess::preprocess;
use kermode::ltl::rewrite::{RULES, RuleSet, simplify};
use kermode::ltl::{Formula, Letter, Measure, Node, Store, Word, WordKind, semantics};

/// Sums over the formulas of one family.
#[derive(Default)]
struct Sums {
    formulas: usize,
    nodes: [u64; 2],
    distinct: [u64; 3],
    /// Formulas that rewriting alone turns into a constant.
    constant: usize,
    settled: [usize; 2],
    seconds: f64,
}

fn main() {
    let mut fired = vec![0; RULES.len()];
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/bench");
    header();
    if bench.is_dir() {
        published(&bench, &mut fired);
    } else {
        println!("(no folder `shared` beside the repository: published sets are left out)");
    }
    let patterns = ["S", "E", "Q", "U", "U2", "C1", "C2", "R", "R2"];
    for (family, argument) in patterns.map(|pattern| (pattern, "1000")) {
        generated(family, argument, &mut fired);
    }
    for (family, argument) in [("lift", "100"), ("counter", "200"), ("random", "1000000")] {
        generated(family, argument, &mut fired);
    }
    println!("\n| rule | fired |\n|---|---|");
    RULES.iter().zip(fired).for_each(|(rule, count)| println!("| {} | {count} |", rule.name));
}

fn header() {
    println!(
        "| family | formulas | nodes | simplified | distinct | simplified | preprocessed | constant | sat | \
         unsat | seconds |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
}

impl Sums {
    fn show(&self, name: &str) {
        let Sums { formulas, nodes, distinct, constant, settled, seconds } = self;
        println!(
            "| {name} | {formulas} | {} | {} | {} | {} | {} | {constant} | {} | {} | {seconds:.3} |",
            nodes[0], nodes[1], distinct[0], distinct[1], distinct[2], settled[0], settled[1]
        );
    }

    fn add(
        &mut self,
        store: &mut Store,
        formula: Formula,
        words: WordKind,
        expected: &str,
    ) -> Vec<u64> {
        let start = Instant::now();
        let simplified = simplify(store, formula, words, &RuleSet::all());
        let left = preprocess(store, formula, words, &RuleSet::all());
        self.seconds += start.elapsed().as_secs_f64();
        let [before, after] = [formula, simplified.formula].map(|f| Measure::of(store, f));
        let parts = left.parts.iter().map(|&part| Measure::of(store, part).distinct);
        self.formulas += 1;
        let is_constant = matches!(store.node(simplified.formula), Node::Constant(_));
        self.constant += usize::from(is_constant);
        self.nodes[0] += before.size;
        self.nodes[1] += after.size;
        self.distinct[0] += before.distinct;
        self.distinct[1] += after.distinct;
        self.distinct[2] += parts.sum::<u64>();
        if let Some(satisfiable) = left.decided(store) {
            self.settled[usize::from(!satisfiable)] += 1;
            let published = match expected {
                "SAT" => Some(true),
                "UNSAT" => Some(false),
                _ => None,
            };
            let wrong = published.is_some_and(|published| published != satisfiable);
            assert!(!wrong, "the published verdict is another");
            if satisfiable {
                let words = vec![any_word(words); left.parts.len()];
                let word = left.restore(store, &words, 1_000_000).expect("a word comes back");
                assert!(semantics::holds(store, formula, &word), "the word is replayed");
            }
        }
        simplified.fired
    }
}

fn any_word(words: WordKind) -> Word {
    match words {
        WordKind::Infinite => Word::lasso(Vec::new(), vec![Letter::default()]),
        WordKind::Finite => Word::finite(vec![Letter::default()]),
    }
}

fn published(bench: &Path, fired: &mut [u64]) {
    let sets =
        [("atva11", WordKind::Infinite), ("past", WordKind::Infinite), ("ltlf", WordKind::Finite)];
    for (set, words) in sets {
        let mut families: BTreeMap<String, Sums> = BTreeMap::new();
        for (family, expected, text) in tables(&bench.join(set)) {
            let mut store = Store::new();
            let Ok(parsed) = parse(&mut store, &text, Dialect::Kermode.into()) else {
                println!("(a formula of {set}/{family} cannot be read)");
                continue;
            };
            let sums = families.entry(format!("{set}/{family}")).or_default();
            let counts = sums.add(&mut store, parsed.formula, words, &expected);
            fired.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        families.iter().for_each(|(name, sums)| sums.show(name));
    }
    let mut sums = Sums::default();
    let sizes = std::fs::read_to_string(bench.join("tgba/sizes.tsv")).unwrap_or_default();
    for line in sizes.lines().skip(1) {
        let mut store = Store::new();
        let text = line.split('\t').nth(1).unwrap_or_default();
        let Ok(parsed) = parse(&mut store, text, Dialect::Spot.into()) else { continue };
        let counts = sums.add(&mut store, parsed.formula, WordKind::Infinite, "");
        fired.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    sums.show("tgba");
}

/// Family, verdict and formula of each line of the tables in a folder.
fn tables(folder: &Path) -> Vec<(String, String, String)> {
    let mut lines = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let family = entry.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
        for line in text.lines() {
            let mut fields = line.splitn(3, '\t').skip(1).map(str::to_owned);
            if let (Some(expected), Some(formula)) = (fields.next(), fields.next()) {
                lines.push((family.clone(), expected, formula));
            }
        }
    }
    lines
}

fn generated(family: &str, argument: &str, fired: &mut [u64]) {
    let mut arguments = vec![argument.to_owned()];
    if family == "random" {
        arguments.push("100".to_owned());
    }
    let request = Request::parse(family, &arguments).expect("a family");
    for instance in request.instances() {
        let mut store = Store::new();
        let formula = instance.build(&mut store);
        let mut sums = Sums::default();
        let counts = sums.add(&mut store, formula, WordKind::Infinite, "");
        fired.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        sums.show(&format!("{family} {}", arguments.join(" ")));
    }
}
