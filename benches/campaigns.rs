//! What a campaign costs beyond its commands, and how soon its limits are noticed.
//!
//! Run with `cargo bench --bench campaigns`. The cost is that of 10,000 runs of `true` by
//! `kermode bench run`, less that of 10,000 plain processes, made in turns of 1,000 so that noise
//! hits both alike.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const TURNS: usize = 10;
const RUNS_A_TURN: usize = 1_000;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    overhead(folder.path());
    println!("\n| exceeds | limit | recorded at |\n|---|---|---|");
    let spin = "while :; do :; done";
    let grow = "head -c 2000000000 /dev/zero | tail -n 1";
    latency(folder.path(), "cpu_seconds", spin, "cpu = 1\nwall = 60\nmemory = \"1G\"", 1.0);
    let spins = format!("({spin}) & ({spin}) & wait");
    latency(folder.path(), "cpu_seconds", &spins, "cpu = 1\nwall = 60\nmemory = \"1G\"", 1.0);
    latency(folder.path(), "wall_seconds", "sleep 9", "cpu = 9\nwall = 1\nmemory = \"1G\"", 1.0);
    let memory = "cpu = 60\nwall = 60\nmemory = \"200M\"\naddress-space = \"4G\"";
    latency(folder.path(), "peak_bytes", grow, memory, 200.0 * 1024.0 * 1024.0);
}

fn overhead(folder: &Path) {
    let mut table = String::new();
    for row in 0..RUNS_A_TURN {
        let _ = writeln!(table, "row {row}\tSAT\ta");
    }
    std::fs::write(folder.join("table.tsv"), table).expect("a table");
    let tool = "[[tools]]\nname = \"true\"\ncommand = [\"true\"]\nsat.exit = 0\n";
    let limits = "cpu = 10\nmemory = \"1G\"";
    manifest(folder, &format!("[limits]\n{limits}\n[[tables]]\nfiles = \"table.tsv\"\n{tool}"));
    let (mut plain, mut campaign) = (Duration::ZERO, Duration::ZERO);
    for turn in 0..TURNS {
        plain += time(|| {
            (0..RUNS_A_TURN).for_each(|_| {
                Command::new("true").status().expect("true runs");
            });
        });
        campaign += time(|| run(folder, &format!("overhead-{turn}")));
    }
    let each = |time: Duration| time.as_secs_f64() * 1e3 / (TURNS * RUNS_A_TURN) as f64;
    println!("| a run of `true` | ms |\n|---|---|");
    println!("| by itself | {:.2} |", each(plain));
    println!("| in a campaign | {:.2} |", each(campaign));
    println!("| beyond itself | {:.2} |", each(campaign) - each(plain));
}

fn latency(folder: &Path, field: &str, script: &str, limits: &str, limit: f64) {
    let tool = format!(
        "[[tools]]\nname = \"t\"\ncommand = [\"sh\", \"-c\", '''{script}''']\nsat.exit = 0\n"
    );
    manifest(folder, &format!("[limits]\n{limits}\n[[families]]\nmembers = \"U2 2\"\n{tool}"));
    let records = "latency";
    let _ = std::fs::remove_file(folder.join(records));
    run(folder, records);
    let text = std::fs::read_to_string(folder.join(records)).expect("a record");
    let record: Value = serde_json::from_str(&text).expect("a record");
    println!(
        "| {field}: `{script}` | {limit} | {} after {:.2} s |",
        record[field], record["wall_seconds"]
    );
}

fn manifest(folder: &Path, text: &str) {
    std::fs::write(folder.join("campaign.toml"), text).expect("a manifest");
}

fn run(folder: &Path, records: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kermode"));
    command.args(["bench", "run", "campaign.toml", "--records", records]);
    let status = command.current_dir(folder).stderr(Stdio::null()).status();
    assert!(status.expect("kermode runs").success());
}

fn time(work: impl FnOnce()) -> Duration {
    let started = Instant::now();
    work();
    started.elapsed()
}
