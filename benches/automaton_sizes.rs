//! Sizes of automata, as in `docs/results/automata.md`: `cargo bench --bench automaton_sizes`
//! translates the formulas of `bench/tgba/sizes.tsv`, which stands in a folder `shared` beside the
//! repository, at every level, and prints the sums beside those of Spot 2.12; with `-- table` a
//! line for each formula at the highest level, with `-- NAME` that automaton.
//!
//! With `-- products [FILE]` it translates the formulas of `bench/tgba/products.tsv` with each
//! preference and prints sizes and the sums of the sampled products. FILE has the automata of
//! another tool for these formulas in the HOA format, in the same order; their products are
//! computed as well.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::Path;
use std::time::{Duration, Instant};

use kermode_automata::from_ltl::Untranslatable;
use kermode_automata::tgba::{ProductSize, Tgba, TgbaStatistics};
use kermode_automata::translation::{Goal, Level, Preference, to_buchi, translate};
use kermode_automata::{Automaton, hoa};
use kermode_bdd::{CannotStart, OutOfNodes};
use kermode_ltl::Store;
use kermode_ltl::dialect::{Dialect, parse};

/// A formula, with the sizes that Spot reaches with little and with all of its effort.
struct Row {
    name: String,
    text: String,
    low: [usize; 2],
    high: [usize; 2],
    seconds: f64,
}

#[derive(Debug)]
enum Stop {
    OutOfNodes,
    Untranslatable,
}

impl From<OutOfNodes> for Stop {
    fn from(_: OutOfNodes) -> Self {
        Stop::OutOfNodes
    }
}

impl From<CannotStart> for Stop {
    fn from(_: CannotStart) -> Self {
        Stop::OutOfNodes
    }
}

impl From<Untranslatable> for Stop {
    fn from(_: Untranslatable) -> Self {
        Stop::Untranslatable
    }
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/bench/tgba");
    let read = |name: &str| std::fs::read_to_string(folder.join(name));
    let (Ok(sizes), Ok(products)) = (read("sizes.tsv"), read("products.tsv")) else {
        println!("skipped: there is no folder `shared` beside the repository");
        return;
    };
    let rows: Vec<Row> = sizes.lines().skip(1).map(row).collect();
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    match arguments.next() {
        Some(argument) if argument == "table" => print_table(&rows),
        Some(argument) if argument == "products" => {
            print_products(&products, arguments.next().as_deref());
        }
        Some(name) => print_automaton(&rows, &name),
        None => print_sums(&rows),
    }
}

fn row(line: &str) -> Row {
    let fields: Vec<&str> = line.split('\t').collect();
    let number = |field: usize| fields[field].parse().expect("a number");
    Row {
        name: fields[0].to_owned(),
        text: fields[1].to_owned(),
        low: [number(2), number(3)],
        high: [number(6), number(7)],
        seconds: fields[9].parse().expect("seconds"),
    }
}

/// The automaton of a formula in Spot's syntax, and how long it took from the text on.
fn automaton(row: &Row, level: Level) -> (Store, Tgba, Duration) {
    let start = Instant::now();
    let mut store = Store::new();
    let formula = parse(&mut store, &row.text, Dialect::Spot.into()).expect("a formula").formula;
    let automaton = translate(&mut store, formula, level, &mut || Ok::<(), Stop>(()));
    (store, automaton.expect("an automaton"), start.elapsed())
}

fn print_sums(rows: &[Row]) {
    let sum = |sizes: fn(&Row) -> [usize; 2]| {
        rows.iter().map(sizes).fold([0, 0], |sum, size| [sum[0] + size[0], sum[1] + size[1]])
    };
    println!("level\tstates\tedges\tseconds");
    println!("Spot low\t{}\t{}", sum(|row| row.low)[0], sum(|row| row.low)[1]);
    let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
    println!("Spot high\t{}\t{}\t{seconds:.3}", sum(|row| row.high)[0], sum(|row| row.high)[1]);
    for level in [Level::Raw, Level::Low, Level::Medium, Level::High] {
        let start = Instant::now();
        let sizes = rows.iter().map(|row| automaton(row, level).1);
        let sizes = sizes.map(|automaton| (automaton.state_count(), automaton.edge_count()));
        let (states, edges) = sizes.fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1));
        println!("{level:?}\t{states}\t{edges}\t{:.3}", start.elapsed().as_secs_f64());
    }
}

fn print_table(rows: &[Row]) {
    println!("name\tstates\tedges\tSpot's states\tSpot's edges\tms\tSpot's ms\tformula");
    for row in rows {
        let (_, automaton, time) = automaton(row, Level::High);
        let (states, edges) = (automaton.state_count(), automaton.edge_count());
        let [high_states, high_edges] = row.high;
        let (ours, theirs) = (time.as_secs_f64() * 1e3, row.seconds * 1e3);
        let (name, text) = (&row.name, &row.text);
        println!(
            "{name}\t{states}\t{edges}\t{high_states}\t{high_edges}\t{ours:.2}\t{theirs:.2}\t{text}"
        );
    }
}

fn print_automaton(rows: &[Row], name: &str) {
    let row = rows.iter().find(|row| row.name == name).expect("the name of a row");
    let (store, automaton, _) = automaton(row, Level::High);
    let written =
        hoa::write(&store, &automaton.into(), Some(&row.text)).expect("a small automaton");
    println!("{written}");
}

/// Sums over automata.
#[derive(Default)]
struct Sums {
    figures: [u64; 6],
    time: Duration,
}

impl Sums {
    fn add(&mut self, automaton: &Tgba) {
        let statistics = TgbaStatistics::of(automaton).expect("room for labels");
        let product = ProductSize::of(automaton);
        let nondeterministic = automaton.nondeterministic_states().expect("room for labels");
        let figures = [
            statistics.states as u64,
            statistics.edges as u64,
            statistics.transitions.to_string().parse().expect("few letters"),
            nondeterministic as u64,
            product.states,
            product.transitions,
        ];
        self.figures.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure);
    }

    fn print(&self, name: &str) {
        let figures: Vec<String> = self.figures.iter().map(u64::to_string).collect();
        println!("{name}\t{}\t{:.3}", figures.join("\t"), self.time.as_secs_f64());
    }
}

/// Sizes and products with each preference, beside the published sizes of Spot and the products of
/// the automata of another tool.
fn print_products(table: &str, others: Option<&str>) {
    println!(
        "\tstates\tedges\ttransitions\tnondeterministic\tproduct states\ttransitions\tseconds"
    );
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    let sum = |field: usize| -> u64 {
        rows.iter().map(|row| row[field].parse::<u64>().expect("a number")).sum()
    };
    println!("Spot\t{}\t{}\t{}\t{}", sum(1), sum(2), sum(3), sum(4));
    if let Some(path) = others {
        let text = std::fs::read_to_string(path).expect("a file of automata");
        let mut sums = Sums::default();
        for (row, text) in rows.iter().zip(text.split_inclusive("--END--")) {
            sums.add(&read_automaton(row[0], text));
        }
        sums.print(path);
    }
    for preference in [Preference::Product, Preference::Small, Preference::Deterministic] {
        let mut sums = Sums::default();
        for row in &rows {
            let (automaton, time) = preferred(row[0], preference);
            sums.add(&automaton);
            sums.time += time;
        }
        sums.print(&format!("{preference:?}"));
    }
    let buchi = |row: &Vec<&str>| {
        let automaton = preferred(row[0], Preference::Product).0;
        let buchi = to_buchi(&automaton, Level::High, &mut || Ok::<(), Stop>(()));
        buchi.expect("an automaton").state_count() as u64
    };
    println!("Büchi automata\t{}\tSpot's {}", rows.iter().map(buchi).sum::<u64>(), sum(7));
}

fn preferred(text: &str, preference: Preference) -> (Tgba, Duration) {
    let start = Instant::now();
    let mut store = Store::new();
    let formula = parse(&mut store, text, Dialect::Spot.into()).expect("a formula").formula;
    let goal = Goal { level: Level::High, preference };
    let automaton = translate(&mut store, formula, goal, &mut || Ok::<(), Stop>(()));
    (automaton.expect("an automaton"), start.elapsed())
}

/// The automaton that another tool wrote. Propositions are numbered as in the formula, so that
/// products are with the same systems.
fn read_automaton(formula: &str, text: &str) -> Tgba {
    let mut store = Store::new();
    parse(&mut store, formula, Dialect::Spot.into()).expect("a formula");
    let read = hoa::read(&mut store, text).pop().expect("an automaton").expect("no errors");
    match read.automaton {
        Automaton::Tgba(automaton) => (*automaton).clone(),
        _ => panic!("the automaton has `Fin` or alternates"),
    }
}
