//! Sizes of automata, as in `docs/results/automata.md`: `cargo bench --bench automaton_sizes`
//! translates the formulas of `bench/tgba/sizes.tsv`, which stands in a folder `shared` beside the
//! repository, at every level, and prints the sums beside those of Spot 2.12; with `-- table` a
//! line for each formula at the highest level, with `-- NAME` that automaton.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::Path;
use std::time::{Duration, Instant};

use kermode_automata::from_ltl::Untranslatable;
use kermode_automata::hoa;
use kermode_automata::tgba::Tgba;
use kermode_automata::translation::{Level, translate};
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
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/bench/tgba/sizes.tsv");
    let Ok(table) = std::fs::read_to_string(&path) else {
        println!("skipped: there is no folder `shared` beside the repository");
        return;
    };
    let rows: Vec<Row> = table.lines().skip(1).map(row).collect();
    match std::env::args().skip(1).find(|argument| !argument.starts_with('-')) {
        Some(argument) if argument == "table" => print_table(&rows),
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
