//! Reading of long models: throughput, and time per byte and node.
//!
//! Run with `cargo bench -p kermode-smv --bench model_text`. If the figures per byte stay the same
//! from 1 to 10 MB, the work is linear. `modules` has many small modules, `assign` one module with
//! fresh names, `formula` one long expression, and `deep` is deeply nested.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::fmt::Write as _;
use std::time::Instant;

use kermode_smv::syntax::{ReadOptions, parse};

const MEGABYTE: f64 = 1_000_000.0;

/// The fastest of this many runs counts.
const RUNS: usize = 5;

fn main() {
    println!(
        "{:<8} {:>6} {:>10} {:>10} {:>8} {:>8} {:>8}",
        "input", "MB", "nodes", "names", "MB/s", "ns/byte", "ns/node"
    );
    for megabytes in [1.0, 5.0, 10.0] {
        let bytes = (megabytes * MEGABYTE) as usize;
        run("modules", &modules(bytes));
        run("assign", &assignments(bytes));
        run("formula", &formula(bytes));
        run("deep", &deep(bytes));
    }
}

/// Modules with a few variables each, and one instance of each in main.
fn modules(bytes: usize) -> String {
    let mut text = String::from("MODULE main\nVAR\n");
    let count = bytes / 440;
    for i in 0..count {
        let _ = writeln!(text, "  cell{i} : cell_{i}(clock, {});", i % 7);
    }
    for i in 0..count {
        let _ = write!(
            text,
            "-- cell number {i}\nMODULE cell_{i}(clock, limit)\nVAR\n  state : {{idle, busy, done}};\n  \
             counter : 0..7;\nASSIGN\n  init(state) := idle;\n  init(counter) := 0;\n  \
             next(state) := case\n    state = idle & clock : {{idle, busy}};\n    \
             state = busy & counter >= limit : done;\n    TRUE : state;\n  esac;\n  \
             next(counter) := (counter + 1) mod 8;\nDEFINE full := counter = 7;\n\
             LTLSPEC G (state = busy -> F (state = done | full))\n",
        );
    }
    text
}

/// One module with many variables, whose names are used a few times each.
fn assignments(bytes: usize) -> String {
    let mut text = String::from("MODULE main\nVAR\n");
    let count = bytes / 180;
    for i in 0..count {
        let _ = writeln!(text, "  signal_{i}_q : boolean;");
    }
    text.push_str("ASSIGN\n");
    for i in 0..count {
        let other = (i * 7919) % count;
        let _ = write!(
            text,
            "  init(signal_{i}_q) := FALSE;\n  next(signal_{i}_q) := signal_{other}_q ? \
             signal_{i}_q xor (signal_{}_q & !signal_{other}_q) : TRUE;\n",
            (other + 1) % count
        );
    }
    text
}

/// One long conjunction.
fn formula(bytes: usize) -> String {
    let part = "(x + 1 < y | w[3:0] = 0ud4_5 & m.state in {idle, busy} -> next(z) = -3)";
    format!("MODULE main\nTRANS {}", vec![part; bytes / (part.len() + 3)].join(" & "))
}

fn deep(bytes: usize) -> String {
    let levels = bytes / 5;
    format!("MODULE main\nLTLSPEC {}a{}", "X(!".repeat(levels), " )".repeat(levels))
}

fn run(name: &str, text: &str) {
    let mut seconds = f64::INFINITY;
    let mut parsed = parse(text, &ReadOptions::default());
    for _ in 0..RUNS {
        let start = Instant::now();
        parsed = parse(text, &ReadOptions::default());
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    assert!(!parsed.has_errors(), "{:?}", parsed.diagnostics);
    println!(
        "{name:<8} {:>6.2} {:>10} {:>10} {:>8.1} {:>8.1} {:>8.1}",
        text.len() as f64 / MEGABYTE,
        parsed.file.nodes.len(),
        parsed.file.names.len(),
        text.len() as f64 / MEGABYTE / seconds,
        seconds * 1e9 / text.len() as f64,
        seconds * 1e9 / parsed.file.nodes.len() as f64,
    );
}
