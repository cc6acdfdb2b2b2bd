//! The portfolio beside single engines on the families of formulas, as in
//! `docs/results/families.md`: `cargo bench --bench families` runs all families, `-- lift-f-l U2`
//! only those.
//!
//! Each member is decided as it is generated and as two *variants*: propositions have random names,
//! so that their order differs, and the operands of conjunctions and disjunctions are shuffled. The
//! portfolio has 10 s of CPU time, and each engine the time that the portfolio took. So the best
//! engine is found, and no time is lost on slower ones. The bound that should hold is three times
//! the CPU time of the best engine plus 20 ms.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use kermode::ltl::dialect::write;
use kermode::ltl::families::{Instance, Request};
use kermode::ltl::{BinaryOp, Formula, Node, Proposition, Store, Syntax};
use kermode::solve::portfolio::Schedule;
use kermode_base::Rng;
use wait4::Wait4;

/// The members of each family: other sizes than those of the collections, too.
const MEMBERS: &[(&str, &[&str])] = &[
    ("lift", &["4", "6", "8", "11"]),
    ("lift-b", &["4", "6", "8", "11"]),
    ("lift-f", &["4", "6", "8", "11"]),
    ("lift-b-f", &["4", "6", "8", "11"]),
    ("lift-l", &["4", "6", "8", "11"]),
    ("lift-b-l", &["4", "6", "8", "11"]),
    ("lift-f-l", &["4", "6", "8", "10", "13", "16"]),
    ("lift-b-f-l", &["4", "6", "8", "10", "13"]),
    ("szymanski", &["live", "1", "2", "3"]),
    ("counter", &["4", "7", "10"]),
    ("counter-linear", &["4", "7", "10"]),
    ("counter2", &["4", "7", "10"]),
    ("counter2-linear", &["4", "7", "10"]),
    ("S", &["4", "40", "400"]),
    ("E", &["4", "40", "400"]),
    ("Q", &["4", "40", "400"]),
    ("U", &["4", "8", "40"]),
    ("U2", &["4", "40", "400"]),
    ("C1", &["4", "40", "400"]),
    ("C2", &["4", "40", "400"]),
    ("R", &["4", "40", "400"]),
    ("R2", &["4", "40", "400"]),
    ("gf-chain", &[]),
    ("arbiter", &["4", "8", "16", "23"]),
    ("diners", &["4", "8", "16", "40"]),
    ("diners-greedy", &["4", "8", "16", "40"]),
    ("random", &["40 4", "150 6"]),
    ("random-until", &["40 4", "150 6"]),
    ("conflict", &["60 4", "200 8"]),
];

/// The number of variants of each member.
const VARIANTS: u64 = 2;
/// The CPU time of the portfolio.
const TIME: Duration = Duration::from_secs(10);
/// The least CPU time of an engine.
const LEAST: Duration = Duration::from_millis(50);
/// The portfolio may take this many times the CPU time of the best engine, and a little more.
const FACTOR: u32 = 3;
const MORE: Duration = Duration::from_millis(20);

/// The CPU time of a run, and its verdict if there is one.
struct Run {
    cpu: Duration,
    verdict: Option<&'static str>,
}

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let engines = engines();
    println!("| member | verdict | version | portfolio | best engine | its time | within bound |");
    println!("|---|---|---|---|---|---|---|");
    let (mut rows, mut within) = (0, 0);
    for &(family, sizes) in MEMBERS.iter().filter(|(name, _)| is_wanted(name)) {
        let sizes = if sizes.is_empty() { &[""] } else { sizes };
        for size in sizes {
            let arguments: Vec<&str> = size.split_whitespace().collect();
            let request = Request::parse(family, &arguments).expect("a family");
            for instance in request.instances() {
                for version in 0..=VARIANTS {
                    rows += 1;
                    within += usize::from(row(&instance, version, &engines));
                }
            }
        }
    }
    println!("\nwithin three times the best engine plus 20 ms: {within} of {rows}");
}

/// The engines of the standard schedule, each once.
fn engines() -> BTreeSet<String> {
    let schedule = Schedule::standard();
    let turns = schedule.first.iter().chain(&schedule.turns);
    turns.map(|turn| turn.engine.to_string()).collect()
}

/// Measures one version of a member and prints the row. Returns whether the bound holds.
fn row(instance: &Instance, version: u64, engines: &BTreeSet<String>) -> bool {
    let mut store = Store::new();
    let mut formula = instance.build(&mut store);
    if version > 0 {
        formula = variant(&mut store, formula, version);
    }
    let text = write(&store, formula, Syntax::default()).expect("Kermode's own syntax");
    let portfolio = run(&["--jobs", "1"], TIME, &text);
    let time = if portfolio.verdict.is_some() { portfolio.cpu.max(LEAST) } else { TIME };
    let mut best: Option<(Duration, &str)> = None;
    for engine in engines {
        let Run { cpu, verdict } = run(&["--engine", engine], time, &text);
        let Some(verdict) = verdict else { continue };
        assert!(portfolio.verdict.is_none_or(|other| other == verdict), "{engine}: {text}");
        if best.is_none_or(|(least, _)| cpu < least) {
            best = Some((cpu, engine));
        }
    }
    let holds = match (portfolio.verdict, best) {
        (Some(_), Some((least, _))) => portfolio.cpu <= least * FACTOR + MORE,
        (Some(_), None) => true,
        (None, best) => best.is_none(),
    };
    let version = if version == 0 { "generated".to_owned() } else { format!("variant {version}") };
    println!(
        "| {instance} | {} | {version} | {:.3} s | {} | {} | {} |",
        portfolio.verdict.unwrap_or("open"),
        portfolio.cpu.as_secs_f64(),
        best.map_or("none", |(_, engine)| engine),
        best.map_or("–".to_owned(), |(cpu, _)| format!("{:.3} s", cpu.as_secs_f64())),
        if holds { "yes" } else { "no" },
    );
    holds
}

/// Runs `kermode sat` on a formula.
fn run(options: &[&str], time: Duration, formula: &str) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kermode"));
    command.args(["sat", "--whole", "-f", "-", "--quiet", "--memory", "4G", "--cpu"]);
    command.arg(format!("{}ms", time.as_millis())).args(options);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("kermode runs");
    // An engine that refuses a formula may end before it has read all of it.
    let _ = child.stdin.take().expect("a pipe").write_all(formula.as_bytes());
    let used = child.wait4().expect("its end");
    let verdict = match used.status.code() {
        Some(0) => Some("satisfiable"),
        Some(1) => Some("unsatisfiable"),
        _ => None,
    };
    Run { cpu: used.rusage.utime + used.rusage.stime, verdict }
}

/// The same formula with random names, and with shuffled operands of conjunctions and
/// disjunctions.
fn variant(store: &mut Store, root: Formula, seed: u64) -> Formula {
    let mut rng = Rng::new(seed);
    let names = random_names(&store.propositions(root), &mut rng);
    let mut images: HashMap<Formula, Formula> = HashMap::new();
    for formula in store.subformulas(root).iter() {
        let image = match store.node(formula) {
            Node::Proposition(p) => store.named(&names[&p]),
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => {
                let mut operands = operands(store, op, formula);
                shuffle(&mut operands, &mut rng);
                let images = operands.iter().map(|operand| images[operand]);
                let joined = images.reduce(|a, b| store.intern(Node::Binary(op, a, b)));
                joined.expect("two operands at least")
            }
            node => store.intern(node.map(|operand| images[&operand])),
        };
        images.insert(formula, image);
    }
    images[&root]
}

/// The operands of nested conjunctions, or disjunctions.
fn operands(store: &Store, op: BinaryOp, root: Formula) -> Vec<Formula> {
    let (mut found, mut open) = (Vec::new(), vec![root]);
    while let Some(formula) = open.pop() {
        match store.node(formula) {
            Node::Binary(other, a, b) if other == op => open.extend([b, a]),
            _ => found.push(formula),
        }
    }
    found
}

/// A name for each proposition, in random order.
fn random_names(propositions: &[Proposition], rng: &mut Rng) -> HashMap<Proposition, String> {
    let mut numbers: Vec<usize> = (0..propositions.len()).collect();
    shuffle(&mut numbers, rng);
    propositions.iter().zip(numbers).map(|(&p, number)| (p, format!("v{number}"))).collect()
}

fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for end in (1..items.len()).rev() {
        items.swap(end, rng.below(end + 1));
    }
}
