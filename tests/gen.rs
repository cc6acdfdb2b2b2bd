//! `kermode gen`: families as one formula per line, in every syntax, with helpful errors.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn kermode(args: &str) -> Output {
    let args = args.split(' ');
    Command::new(env!("CARGO_BIN_EXE_kermode")).args(args).output().expect("kermode runs")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

#[track_caller]
fn lines(args: &str) -> Vec<String> {
    let output = kermode(args);
    assert_eq!(output.status.code(), Some(0), "{args}: {output:?}");
    stdout(&output).lines().map(str::to_owned).collect()
}

#[test]
fn ranges_are_a_formula_a_line() {
    assert_eq!(lines("gen C1 1..3"), ["G F p1", "G F p1 | G F p2", "G F p1 | G F p2 | G F p3"]);
    assert_eq!(lines("gen random 20 3 0.5 1..50").len(), 50);
    assert_eq!(lines("gen random 20 3 0.5 7"), lines("gen random 20 3 0.5 7..7"));
}

#[test]
fn every_dialect_writes_every_family() {
    for dialect in ["kermode", "spot", "spin", "nusmv", "pltl"] {
        let rest = ["szymanski 3", "counter 3", "counter2-linear 3", "R2 4", "gf-chain"];
        for member in ["lift-b-f-l 3"].into_iter().chain(rest) {
            assert_eq!(lines(&format!("gen {member} --to {dialect}")).len(), 1, "{member}");
        }
    }
    assert_eq!(lines("gen R 2 --to spin"), ["[] <> p1 || <> [] p2"]);
}

#[test]
fn sizes_are_comments() {
    let shown = lines("gen lift 9 --stats");
    for size in ["temporal operators: 115", "Boolean operators: 388", "propositions: 21"] {
        assert!(shown.contains(&format!("# {size}")), "{shown:?}");
    }
}

#[test]
fn json_tells_the_arguments() {
    let shown = lines("gen lift-l-b 3..4 --json --stats");
    let second: serde_json::Value = serde_json::from_str(&shown[1]).expect("JSON");
    assert_eq!(second["family"], "lift-b-l");
    assert_eq!(second["arguments"]["FLOORS"], "4");
    assert_eq!(second["sizes"]["temporal_operators"], 60);
    let families = lines("gen --json");
    let first: serde_json::Value = serde_json::from_str(&families[0]).expect("JSON");
    assert_eq!(first["name"], "lift");
}

#[test]
fn errors_are_usage_errors() {
    for args in
        ["gen nothing 3", "gen lift", "gen lift 1", "gen S 3 4", "gen S 99999999999999999999"]
    {
        let output = kermode(args);
        assert_eq!(output.status.code(), Some(2), "{args}");
        assert!(output.stdout.is_empty(), "{args}");
        assert!(output.stderr.starts_with(b"error: "), "{args}: {output:?}");
    }
}

#[test]
fn long_members_are_written_soon() {
    let start = Instant::now();
    for name in ["S", "E", "Q", "U", "U2", "C1", "C2", "R", "R2"] {
        assert!(lines(&format!("gen {name} 1000"))[0].len() > 4_000, "{name}");
    }
    assert!(lines("gen U2 200000")[0].len() > 1_000_000);
    assert!(lines("gen counter-linear 5000")[0].len() > 10_000);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
