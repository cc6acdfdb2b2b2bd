//! From the text of a large model to its encoding: time and memory.
//!
//! Run with `cargo bench -p kermode-smv --bench models`. If the MB/s stay the same from 1 to 10 MB,
//! the work is linear. `read` is the reader, `flatten` resolves names and types, `encode` is the
//! encoding with the checks of ranges and failures; `flat MB/s` is reading and flattening.
//! Arguments choose styles by name.
//!
//! - `instances`: a few modules, many instances with parameters
//! - `modules`: many modules, one instance of each
//! - `defines`: one module, assignments that use definitions
//! - `case`: long case expressions
//! - `hierarchy`: a tree of instances with two children each
//! - `words`: arithmetic of words
//!
//! Memory is the growth of the resident set per flat variable, by the flat model and by everything,
//! on Linux only.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::convert::Infallible;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::time::Instant;

use kermode_base::Severity;
use kermode_smv::encoding::{Limits, encode};
use kermode_smv::meaning::flatten;
use kermode_smv::syntax::{ReadOptions, parse};

const MEGABYTE: f64 = 1_000_000.0;

/// The fastest of this many runs counts.
const RUNS: usize = 3;

/// The length of the text of an instance in `hierarchy`, about.
const BYTES_PER_INSTANCE: usize = 150;
const TEN_THOUSAND_INSTANCES: usize = 10_000 * BYTES_PER_INSTANCE;

type Generator = fn(usize) -> String;

const STYLES: [(&str, Generator); 6] = [
    ("instances", instances),
    ("modules", modules),
    ("defines", defines),
    ("case", cases),
    ("hierarchy", |bytes| hierarchy(bytes / BYTES_PER_INSTANCE)),
    ("words", words),
];

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if let [style, size] = &arguments[..] {
        return run(style, size.parse().expect("a number of bytes"));
    }
    println!(
        "{:<10} {:>6} {:>9} {:>9} {:>10} {:>7} {:>7} {:>8} {:>9} {:>8} {:>7}",
        "style",
        "MB",
        "instances",
        "variables",
        "terms",
        "read s",
        "flat s",
        "encode s",
        "flat MB/s",
        "flat B/v",
        "all B/v"
    );
    for (name, ..) in STYLES {
        if arguments.is_empty() || arguments.iter().any(|chosen| chosen == name) {
            [1, 2, 5, 10].into_iter().for_each(|megabytes| start(name, megabytes * 1_000_000));
        }
    }
    if arguments.is_empty() {
        start("hierarchy", TEN_THOUSAND_INSTANCES);
    }
}

/// Runs one row in a process of its own, since memory that was freed stays resident.
fn start(style: &str, bytes: usize) {
    let program = std::env::current_exe().expect("the path of this program");
    let status = Command::new(program).args([style, &bytes.to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()), "{style} {bytes}");
}

/// Four modules in a ring of instances, each with the one before it as a parameter.
fn instances(bytes: usize) -> String {
    let mut text = String::new();
    for i in 0..4 {
        let _ = write!(
            text,
            "MODULE cell_{i}(left, turn, limit)\nVAR\n  state : {{idle, busy, done}};\n  \
             counter : 0..7;\nASSIGN\n  init(state) := idle;\n  next(state) := case\n    \
             state = idle & left.full : {{idle, busy}};\n    state = busy & turn : done;\n    \
             TRUE : state;\n  esac;\n  next(counter) := (counter + 1) mod 8;\n\
             DEFINE full := counter >= limit;\nLTLSPEC G (state = busy -> F state = done)\n",
        );
    }
    text.push_str("MODULE main\nVAR\n  clock : boolean;\n");
    let count = bytes / 55;
    for i in 0..count {
        let left = (i + count - 1) % count;
        let _ = writeln!(text, "  cell{i} : cell_{}(cell{left}, clock, {});", i % 4, i % 7);
    }
    text
}

/// Modules with a few variables each, and one instance of each in main.
fn modules(bytes: usize) -> String {
    let mut text = String::from("MODULE main\nVAR\n  clock : boolean;\n");
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

/// One module with many variables and definitions, whose names are used a few times each.
fn defines(bytes: usize) -> String {
    let mut text = String::from("MODULE main\nVAR\n");
    let count = bytes / 240;
    for i in 0..count {
        let _ = writeln!(text, "  signal_{i}_q : boolean;");
    }
    text.push_str("DEFINE\n");
    for i in 0..count {
        let other = (i * 7919) % count;
        let _ = writeln!(text, "  signal_{i}_d := signal_{i}_q & !signal_{other}_q;");
    }
    text.push_str("ASSIGN\n");
    for i in 0..count {
        let other = (i * 7919) % count;
        let _ = write!(
            text,
            "  init(signal_{i}_q) := FALSE;\n  next(signal_{i}_q) := signal_{other}_d ? \
             signal_{i}_q xor (signal_{}_d & !signal_{other}_q) : TRUE;\n",
            (other + 1) % count
        );
    }
    text
}

/// Variables that change in a case expression with a hundred branches each.
fn cases(bytes: usize) -> String {
    let mut text = String::from("MODULE main\nVAR\n");
    let count = bytes / 4700;
    for i in 0..count {
        let _ = writeln!(text, "  node_{i} : 0..99;");
    }
    text.push_str("ASSIGN\n");
    for i in 0..count {
        let _ = writeln!(text, "  next(node_{i}) := case");
        for value in 0..100 {
            let other = (i * 31 + value) % count;
            let _ = writeln!(
                text,
                "    node_{i} = {value} & node_{other} < {} : {};",
                value,
                (value * 7) % 100
            );
        }
        text.push_str("    TRUE : 0;\n  esac;\n");
    }
    text
}

/// A tree with so many instances and about as many modules. The parts of an instance read each
/// other.
fn hierarchy(instances: usize) -> String {
    let mut text = String::from("MODULE main\nVAR root : node_1(TRUE);\n");
    for i in 1..=instances {
        let _ = write!(text, "MODULE node_{i}(above)\nVAR\n  x : boolean;\n  n : 0..5;\n");
        for child in [2 * i, 2 * i + 1].into_iter().filter(|&child| child <= instances) {
            let _ = writeln!(text, "  {} : node_{child}(x);", ["l", "r"][child % 2]);
        }
        text.push_str("ASSIGN\n  next(x) := ");
        if 2 * i < instances {
            text.push_str("l.x & r.x | ");
        }
        text.push_str("above & n > 2;\n  next(n) := n < 5 ? n + 1 : 0;\n");
    }
    text
}

/// Registers with additions, shifts and comparisons.
fn words(bytes: usize) -> String {
    let mut text = String::from("MODULE main\nVAR\n");
    let count = bytes / 190;
    for i in 0..count {
        let _ = writeln!(text, "  register_{i} : unsigned word[8];");
    }
    text.push_str("ASSIGN\n");
    for i in 0..count {
        let other = (i * 7919) % count;
        let _ = write!(
            text,
            "  init(register_{i}) := 0ud8_{};\n  next(register_{i}) := register_{i} < \
             register_{other} ? register_{i} + 0ud8_3 : (register_{other} >> 1) xor register_{i};\n",
            i % 256
        );
    }
    text
}

fn run(name: &str, bytes: usize) {
    let style = STYLES.iter().find(|(style, _)| *style == name);
    let text = style.expect("the name of a style").1(bytes);
    let Measured { mut seconds, instances, variables, terms, flat_bytes, all_bytes } = once(&text);
    for _ in 1..RUNS {
        for (best, new) in seconds.iter_mut().zip(once(&text).seconds) {
            *best = best.min(new);
        }
    }
    let size = text.len() as f64 / MEGABYTE;
    let [read, flat, encode] = seconds;
    let speed = size / (read + flat);
    println!(
        "{name:<10} {size:>6.2} {instances:>9} {variables:>9} {terms:>10} {read:>7.3} {flat:>7.3} \
         {encode:>8.3} {speed:>9.1} {flat_bytes:>8} {all_bytes:>7}",
    );
}

struct Measured {
    /// Reading, flattening, encoding.
    seconds: [f64; 3],
    instances: usize,
    variables: usize,
    /// The number of different flat expressions.
    terms: usize,
    /// Resident bytes per flat variable, of the flat model and of everything.
    flat_bytes: usize,
    all_bytes: usize,
}

fn once(text: &str) -> Measured {
    let mut interrupt = || Ok::<(), Infallible>(());
    let before = resident();
    let start = Instant::now();
    let parsed = parse(text, &ReadOptions::default());
    let read = start.elapsed().as_secs_f64();
    assert!(!parsed.has_errors(), "{:?}", parsed.diagnostics);
    let after_reading = resident();
    let start = Instant::now();
    let flat = match flatten(text, &parsed.file, &mut interrupt) {
        Ok((flat, _)) => flat,
        Err(unusable) => panic!("{unusable:?}"),
    };
    let flattening = start.elapsed().as_secs_f64();
    let after_flattening = resident();
    let start = Instant::now();
    let Ok((encoded, diagnostics)) = encode(&flat, &Limits::default(), &mut interrupt);
    let encoding = start.elapsed().as_secs_f64();
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
    assert_eq!(errors.count(), 0, "{diagnostics:?}");
    let after_all = resident();
    let variables = flat.variables.len();
    drop(encoded);
    Measured {
        seconds: [read, flattening, encoding],
        instances: flat.instances.len(),
        variables,
        terms: flat.expressions.len(),
        flat_bytes: after_flattening.saturating_sub(after_reading) / variables,
        all_bytes: after_all.saturating_sub(before) / variables,
    }
}

/// The resident set of this process in bytes, or 0 where it is unknown.
fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
    kilobytes.unwrap_or(0) * 1024
}
