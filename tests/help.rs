//! The help of every command ends with examples, and the examples work.

use std::process::{Command, Output};

const KERMODE: &str = env!("CARGO_BIN_EXE_kermode");

/// Examples that write files, read files of other examples, need a manual viewer or take minutes.
const NOT_RUN: [&str; 7] = [
    "kermode bench run",
    "kermode bench merge",
    "--output",
    "--seconds",
    "kermode completions",
    "kermode man |",
    "kermode man ~",
];

fn help(command: &[&str]) -> String {
    let output = Command::new(KERMODE).args(command).arg("--help").output().expect("kermode runs");
    assert_eq!(output.status.code(), Some(0), "{command:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The names in the list of commands of a help text.
fn commands(help: &str) -> Vec<&str> {
    let (_, list) = help.split_once("Commands:\n").expect("a list of commands");
    let list = list.split("\n\n").next().unwrap_or_default();
    let names = list.lines().filter(|line| !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|&name| name != "help").collect()
}

/// Runs an example in the folder of the repository.
fn run(example: &str) -> Output {
    let program = format!("'{KERMODE}'");
    let shell = example.replace("kermode ", &format!("{program} "));
    let root = env!("CARGO_MANIFEST_DIR");
    Command::new("sh").args(["-c", &shell]).current_dir(root).output().expect("a shell")
}

fn check(command: &[&str]) {
    let text = help(command);
    let (_, examples) = text.split_once("\nExamples:\n").unwrap_or_else(|| {
        panic!("{command:?} has no examples");
    });
    let examples: Vec<&str> = examples.lines().map(str::trim).filter(|e| !e.is_empty()).collect();
    assert!((1..=3).contains(&examples.len()), "{command:?}: {examples:?}");
    for example in examples {
        assert!(example.starts_with("kermode "), "{example}");
        if NOT_RUN.iter().any(|part| example.contains(part)) {
            continue;
        }
        let output = run(example);
        // The records of the examples have a conflict.
        let expected: &[i32] = if example.contains("bench report") { &[4] } else { &[0, 1] };
        let status = output.status.code().expect("an exit status");
        assert!(expected.contains(&status), "{example}: {output:?}");
        assert!(!output.stdout.is_empty(), "{example}");
    }
}

#[test]
fn every_help_ends_with_examples_that_work() {
    for name in commands(&help(&[])) {
        match name {
            "bench" => commands(&help(&["bench"])).iter().for_each(|part| check(&["bench", part])),
            name => check(&[name]),
        }
    }
}
