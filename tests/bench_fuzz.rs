//! `kermode bench fuzz` finds wrong engines, shows small formulas, and reports nothing about right
//! engines.
//!
//! Searches are limited by formulas, not by time: a seed finds the same on any machine.

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

use kermode::ltl::dialect::parse;
use kermode::ltl::reference::mutants::MUTANTS;
use kermode::ltl::{Dialect, Measure, Store};
use serde_json::Value;

const KERMODE: &str = env!("CARGO_BIN_EXE_kermode");
/// The largest formula, in nodes, that may show a mutant.
const SMALL: u64 = 6;

/// Engines get a generous time limit, so that results do not depend on the load of the machine.
fn fuzz(args: &[&str]) -> Output {
    let time: &[&str] = if args.contains(&"--timeout") { &[] } else { &["--timeout", "1m"] };
    let fuzz = [&["bench", "fuzz"], args, time].concat();
    Command::new(KERMODE).args(fuzz).output().expect("kermode runs")
}

fn lines(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().filter_map(Value::as_str).collect()
}

fn size(formula: &str) -> u64 {
    let mut store = Store::new();
    let parsed = parse(&mut store, formula, Dialect::Kermode.into()).expect("a formula");
    Measure::of(&store, parsed.formula).size
}

fn against(mutant: &str) -> String {
    format!("reference:tableau,mutant:tableau:wrong={mutant}")
}

/// The exit status of a command as it is printed.
fn status(command: &str) -> Option<i32> {
    let rest = command.strip_prefix("kermode ").expect("one of our commands");
    let shell = format!("'{KERMODE}' {rest}");
    Command::new("sh").args(["-c", &shell]).output().expect("a shell").status.code()
}

#[test]
fn every_mutant_is_caught_shrunk_and_shown_again() {
    for mutant in MUTANTS {
        let name = mutant.name;
        let engines = against(name);
        let args = ["--engines", &engines, "--formulas", "20000", "--seed", "1", "--json"];
        let output = fuzz(&[&args[..], &["--jobs", "2"]].concat());
        assert_eq!(output.status.code(), Some(4), "{name}: {output:?}");
        let found = lines(&output);
        let [finding, summary] = found.as_slice() else { panic!("{name}: {found:?}") };
        assert_eq!(summary["findings"], 1, "{name}");
        assert_eq!((&finding["minimal"], &finding["seen_again"]), (&true.into(), &true.into()));
        assert!(strings(&finding["engines"]).iter().any(|engine| engine.ends_with(name)), "{name}");
        let formula = finding["formula"].as_str().expect("a formula");
        assert!(size(formula) <= SMALL, "{name}: {formula}");
        assert_eq!(finding["size"], size(formula));
        let statuses: Vec<_> = strings(&finding["reproduce"]).into_iter().map(status).collect();
        match finding["finding"].as_str() {
            Some("witness") => assert_eq!(statuses, [Some(4)], "{name}"),
            Some("disagreement") => assert_eq!(statuses, [Some(0), Some(1)], "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn engines_that_are_right_are_left_alone() {
    let engines = "reference:tableau,reference:auto,preprocess:only";
    let args = ["--engines", engines, "--formulas", "3000", "--seed", "5", "--jobs", "2", "--json"];
    let output = fuzz(&args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let summary = &lines(&output)[0];
    assert_eq!((&summary["formulas"], &summary["findings"]), (&3000.into(), &0.into()));
    let tableau = &summary["engines"][0];
    for verdict in ["satisfiable", "unsatisfiable"] {
        assert!(tableau[verdict].as_u64() > Some(300), "{summary}");
    }
    assert_eq!(tableau["error"], 0);
}

#[test]
fn what_is_found_does_not_depend_on_the_number_of_workers() {
    let engines = against("release-unchecked");
    let with = |jobs: &str| {
        let args = ["--engines", &engines, "--formulas", "20000", "--seed", "2", "--json"];
        let args = [&args[..], &["--timeout", "1m"]].concat();
        lines(&fuzz(&[&args[..], &["--jobs", jobs]].concat()))[0].clone()
    };
    assert_eq!(with("1"), with("3"));
}

#[test]
fn people_are_told_who_is_wrong_and_how_to_see_it() {
    let args = ["--engines", &against("triggered-at-start"), "--formulas", "20000", "--seed", "1"];
    let output = fuzz(&args);
    let text = String::from_utf8_lossy(&output.stdout);
    for part in [
        "finding: reference:tableau and mutant:tableau:wrong=triggered-at-start disagree\n",
        "  words: ",
        "  mutant:tableau:wrong=triggered-at-start: unsatisfiable\n",
        "  mutant:tableau:wrong=triggered-at-start is wrong: the word was replayed\n",
        "shown again by\n  kermode sat ",
        "1 finding, ",
    ] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}

#[test]
fn one_finding_after_the_other_is_shown_once() {
    let args = ["--engines", &against("finally-unchecked"), "--formulas", "300", "--seed", "1"];
    let output = fuzz(&[&args[..], &["--keep-going", "--infinite", "--json"]].concat());
    assert_eq!(output.status.code(), Some(4));
    let mut found = lines(&output);
    let summary = found.pop().expect("a summary");
    assert_eq!(summary["findings"], found.len());
    let shown: Vec<&Value> = found.iter().map(|finding| &finding["formula"]).collect();
    assert!(!shown.is_empty());
    assert!((1..shown.len()).all(|i| !shown[..i].contains(&shown[i])), "{shown:?}");
    assert!(found.iter().all(|finding| finding["words"] == "infinite"));
}

#[test]
fn an_interrupt_ends_the_search_with_a_summary() {
    let mut command = Command::new(KERMODE);
    command.args(["bench", "fuzz", "--engines", "reference:tableau", "--seconds", "1h"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("kermode starts");
    // The seed is printed once interrupts are handled.
    let mut seed = String::new();
    let stderr = child.stderr.take().expect("a pipe");
    BufReader::new(stderr).read_line(&mut seed).expect("a line");
    assert!(seed.starts_with("seed "), "{seed}");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let output = child.wait_with_output().expect("kermode ends");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("nothing found, ") && text.contains(", interrupted"), "{text}");
}

#[test]
fn mutants_are_in_no_list_and_wrong_engines_are_usage_errors() {
    let listed = Command::new(KERMODE).arg("engines").output().expect("kermode runs");
    assert!(!String::from_utf8_lossy(&listed.stdout).contains("mutant"));
    let output = fuzz(&["--engines", "reference:tableau,no:such", "--formulas", "1"]);
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(complaint.contains("no:such") && !complaint.contains("mutant"), "{complaint}");
    assert_eq!(fuzz(&["--formulas", "1"]).status.code(), Some(2));
}

#[test]
fn models_are_drawn_by_seed_and_show_nothing() {
    let output = fuzz(&["--models", "30", "--seed", "7", "--jobs", "2", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let [summary] = &lines(&output)[..] else { panic!("{output:?}") };
    let counts = ["findings", "models", "gave_up", "seed"].map(|key| summary[key].as_u64());
    assert_eq!(counts, [0, 30, 0, 7].map(Some));
}

#[test]
fn models_go_without_formulas_and_engines_for_formulas() {
    for option in [["--engines", "reference:auto"], ["--formulas", "3"]] {
        let output = fuzz(&[&["--models", "1"], &option[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}
