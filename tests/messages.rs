//! What the command says when something is wrong, and how it ends.

#[allow(dead_code, reason = "not every test needs all helpers")]
mod command;

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use command::{kermode, kermode_reading, stderr, stdout};

const HARD: &str = "G(a & b & c & d & e & f) & F(!a & g & h & i & j & k & l)";
const ENDLESS: &str = "reference:enumerate:letters=20:words=18446744073709551615";

#[test]
fn a_text_that_is_no_automaton_is_told_what_was_expected() {
    for text in
        ["", "# nothing\n", "never { /* F a */\nT0_init:\n  skip\n}\n", "2 1t\n0 1 -1\n1 t\n"]
    {
        let output = kermode_reading(&["empty", "-"], text.as_bytes());
        assert_eq!(output.status.code(), Some(2), "{text}");
        let shown = stderr(&output);
        assert!(shown.contains("expected an automaton in HOA or ALASKA format"), "{shown}");
    }
}

#[test]
fn quiet_keeps_the_reason_of_unknown_and_the_race() {
    let output = kermode(&["sat", "--quiet", "--timeout", "0", "F a"]);
    assert_eq!(stdout(&output), "unknown (timeout)\n");
    let output = kermode(&["eval", "--quiet", "O[0,4000000000] a", "cycle{a}"]);
    assert!(stdout(&output).starts_with("unknown (limit: "), "{}", stdout(&output));
    let output = kermode(&["sat", "--quiet", "--race", "F a"]);
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(lines[0], "satisfiable");
    assert!(lines[1].contains("of CPU time"), "{}", lines[1]);
}

#[test]
fn output_that_does_not_fit_is_an_error_with_a_message() {
    for args in
        [&["sat", "a"][..], &["--help"], &["sat", "--help"], &["--version"], &["help", "sat"]]
    {
        let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
        let output = Command::new(env!("CARGO_BIN_EXE_kermode")).args(args).stdout(full).output();
        let output = output.expect("kermode runs");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let shown = stderr(&output);
        assert!(shown.contains("cannot write to standard output"), "{args:?}: {shown}");
    }
}

#[test]
fn rules_without_a_name_are_an_error_that_lists_the_rules() {
    for args in [&["sat", "--rules", "", "a"][..], &["convert", "--simplify", "--rules", "", "a"]] {
        let output = kermode(args);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("pure-literals"), "{}", stderr(&output));
    }
}

#[test]
fn errors_for_programs_name_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.ltl");
    std::fs::write(&path, "a &\n").expect("a file");
    let path = path.to_str().expect("a name");
    for args in [&["sat"][..], &["convert"], &["translate", "--to", "abw"]] {
        let output = kermode(&[args, &["--json", "-f", path]].concat());
        let json: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
        assert_eq!(json["error"]["file"], path, "{args:?}");
    }
    let output = kermode(&["empty", "--json", path]);
    let json: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!(json["error"]["file"], path);
    let output = kermode(&["implies", "--json", "a", "b &"]);
    let json: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!(json["error"]["file"], "<second>");
}

#[test]
fn control_characters_in_file_names_are_escaped() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad\u{1b}[31m\nname");
    std::fs::write(&path, "a &\n").expect("a file");
    let path = path.to_str().expect("a name");
    let missing = format!("{path}x");
    for args in [&["sat", "-f", path][..], &["sat", "-f", &missing], &["empty", path, &missing]] {
        let output = kermode(args);
        assert_eq!(output.status.code(), Some(2));
        let shown = format!("{}{}", stdout(&output), stderr(&output));
        assert!(shown.contains("bad\\u{1b}[31m\\nname"), "{shown}");
        assert!(!shown.contains('\u{1b}'), "{shown}");
    }
}

/// Sends a signal to a process.
fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

#[test]
fn a_second_interrupt_ends_at_once_with_the_line_of_the_first() {
    // Labels that take long to read, in work that looks at no budget: the first interrupt is heard
    // late.
    let names: Vec<String> = (0..20_000).map(|index| format!("p{index}")).collect();
    let automaton = format!(
        "(automaton_type=\"sABW\",locations=[0],propositions=[\"{}\"],initial_constraint=\"0\",\
         accepting_locations=[0],transition_function={{0:\"{} & 0\"}})",
        names.join("\",\""),
        names.join(" & ")
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.abw");
    std::fs::write(&path, automaton).expect("a file");
    let mut child = Command::new(env!("CARGO_BIN_EXE_kermode"))
        .arg("empty")
        .args([&path, &path, &path])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("kermode runs");
    std::thread::sleep(Duration::from_secs(3));
    signal("-INT", child.id());
    std::thread::sleep(Duration::from_millis(100));
    signal("-INT", child.id());
    let since = Instant::now();
    while child.try_wait().expect("kermode is there").is_none() {
        assert!(since.elapsed() < Duration::from_secs(20), "it goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().expect("kermode ends");
    assert_eq!(output.status.code(), Some(3));
    let last = stdout(&output).lines().last().map(str::to_owned).unwrap_or_default();
    assert!(last.ends_with("unknown (cancelled)"), "{}", stdout(&output));
}

#[test]
fn a_hangup_is_ignored_under_nohup() {
    let mut child = Command::new("nohup")
        .args([env!("CARGO_BIN_EXE_kermode"), "sat", HARD, "--engine", ENDLESS, "--timeout", "2"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("nohup runs");
    std::thread::sleep(Duration::from_millis(700));
    signal("-HUP", child.id());
    let mut shown = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut shown).expect("UTF-8");
    assert_eq!(shown, "unknown (timeout)\n");
    assert_eq!(child.wait().expect("kermode ends").code(), Some(3));
}
