//! `kermode empty --and` and `--not`: inclusion and equivalence.

use super::command::{expect, kermode, kermode_reading, stderr, stdout};
use super::{OFTEN, files, formula_file, json, keys, not_weak, only_a, text};

#[test]
fn inclusion_and_equivalence_of_automata() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name, formula| formula_file(&folder, name, formula, &["--to", "abw"]);
    let (always, often, later) =
        (file("always", "G p"), file("often", "G F p"), file("later", "F G p"));
    let (q, not_q) = (file("q", "q"), file("not_q", "!q"));
    for (args, verdict) in [
        (vec![OFTEN, "--not", &often], "empty"),
        (vec![&often, "--not", OFTEN], "empty"),
        (vec![&always, "--not", OFTEN], "empty"),
        (vec![&later, "--not", OFTEN], "empty"),
        (vec![OFTEN, "--not", &always], "nonempty"),
        (vec![OFTEN, "--not", &later], "nonempty"),
        (vec![OFTEN, "--not", &later, "--not", &often], "empty"),
        (vec![OFTEN, "--and", &often, "--not", &later], "nonempty"),
        (vec![OFTEN, "--and", &q, "--and", &not_q], "empty"),
        (vec![OFTEN, "--and", &q, "--not", &not_q], "nonempty"),
        (vec![OFTEN, "--and", &q, "--not", &q], "empty"),
        (vec![OFTEN, "--not", &q, "--not", &not_q], "empty"),
    ] {
        let status = if verdict == "empty" { 0 } else { 1 };
        expect(&[&["empty"], &args[..]].concat(), verdict, status);
    }
}

#[test]
fn the_word_of_a_difference_is_judged_by_its_parts() {
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = (
        formula_file(&folder, "a", "q", &["--to", "abw"]),
        formula_file(&folder, "b", "G p", &["--to", "abw"]),
    );
    let output = kermode(&["empty", OFTEN, "--json", "--not", &b, "--and", &a]);
    assert_eq!(output.status.code(), Some(1));
    let answer = json(stdout(&output));
    assert_eq!(
        keys(&answer),
        ["command", "file", "and", "not", "words", "engine", "verdict", "replayed", "witness"]
    );
    assert_eq!(
        (&answer["and"], &answer["not"]),
        (&vec![a.clone()].into(), &vec![b.clone()].into())
    );
    assert_eq!(answer["replayed"], true);
    let word = answer["witness"].to_string();
    for (file, verdict, status) in
        [(OFTEN, "accepted", 0), (&a, "accepted", 0), (&b, "rejected", 1)]
    {
        expect(&["eval", "--automaton", file, &word], verdict, status);
    }
    // The table has the propositions of all.
    let output = kermode(&["empty", OFTEN, "--not", &b, "--and", &a]);
    let rows: Vec<&str> = stdout(&output).lines().map(|line| line.trim()).collect();
    assert_eq!(rows[0], "nonempty");
    for name in ["p ", "q "] {
        assert_eq!(rows.iter().filter(|row| row.starts_with(name)).count(), 1, "{rows:?}");
    }
}

#[test]
fn each_of_several_files_is_compared_with_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let always = formula_file(&folder, "always", "G p", &["--to", "abw"]);
    let finite = formula_file(&folder, "finite", "G p", &["--to", "afw"]);
    let output = kermode(&["empty", OFTEN, &always, "--not", OFTEN, "--quiet"]);
    assert_eq!((stdout(&output), output.status.code()), ("empty\nempty\n", Some(0)));
    // Words of another kind cannot be compared: both files are named.
    let output = kermode(&["empty", &always, &finite, OFTEN, "--not", OFTEN, "--quiet"]);
    assert_eq!((stdout(&output), output.status.code()), ("empty\nerror\nempty\n", Some(2)));
    let complaint =
        format!("error: `{finite}` is about finite words and `{OFTEN}` about infinite ones\n");
    assert_eq!(stderr(&output), complaint);
    let output = kermode(&["empty", &finite, "--and", OFTEN, "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let message = json(stdout(&output))["error"]["message"].clone();
    assert!(complaint.contains(message.as_str().expect("a text")), "{message}");
    expect(&["empty", &finite, "--not", &finite], "empty", 0);
    // Nothing can be decided if one of the files to compare with cannot be read.
    let (_folder, broken) = files(&["(automaton_type"]);
    for bad in [broken[0].as_str(), "no-such-file.abw"] {
        for option in ["--and", "--not"] {
            let output = kermode(&["empty", OFTEN, &always, option, bad]);
            assert_eq!((stdout(&output), output.status.code()), ("", Some(2)));
            let output = kermode(&["empty", OFTEN, &always, option, bad, "--json"]);
            assert_eq!(json(stdout(&output))["error"]["file"], bad);
        }
    }
}

#[test]
fn standard_input_is_one_of_the_automata() {
    let folder = tempfile::tempdir().expect("a folder");
    let always = formula_file(&folder, "always", "G p", &["--to", "abw"]);
    let often = std::fs::read(OFTEN).expect("the example");
    for (args, expected) in [
        (["empty", "-", "--quiet", "--not", &always], ("nonempty\n", Some(1))),
        (["empty", &always, "--quiet", "--not", "-"], ("empty\n", Some(0))),
        (["empty", &always, "--quiet", "--and", "-"], ("nonempty\n", Some(1))),
        (["empty", "-", "--quiet", "--and", "-"], ("", Some(2))),
    ] {
        let output = kermode_reading(&args, &often);
        assert_eq!((stdout(&output), output.status.code()), expected, "{args:?}");
    }
}

/// A ring of this many locations, all of which reach each other; every other one is accepting.
fn ring(count: usize) -> String {
    let list = |step| (0..count).step_by(step).map(|l| l.to_string()).collect::<Vec<_>>().join(",");
    let transition = |l: usize| format!("{l} : \"{l} | {}\"", (l + 1) % count);
    let transitions: Vec<String> = (0..count).map(transition).collect();
    text("sABW", &list(1), "0", &list(2), &transitions.join(","))
}

#[test]
fn complements_that_are_too_large_or_take_too_long_leave_the_question_open() {
    let (_folder, paths) = files(&[&ring(20_000), &ring(1_000), &not_weak("0")]);
    let [huge, large, small] = [&paths[0], &paths[1], &paths[2]].map(String::as_str);
    let output = kermode(&["empty", small, "--not", huge]);
    assert_eq!(output.status.code(), Some(3));
    let shown = stdout(&output);
    assert!(shown.starts_with("unknown (limit: a complement takes"), "{shown}");
    let output = kermode(&["empty", small, "--not", large, "--timeout", "0.01"]);
    assert_eq!((stdout(&output), output.status.code()), ("unknown (timeout)\n", Some(3)));
}

#[test]
fn the_empty_word_may_be_what_makes_a_difference() {
    let (_folder, paths) = files(&[&only_a("0"), &only_a("0 & 1")]);
    let output = kermode(&["empty", &paths[0], "--not", &paths[1]]);
    assert_eq!((stdout(&output), output.status.code()), ("nonempty\n  the empty word\n", Some(1)));
    expect(&["empty", &paths[1], "--not", &paths[0]], "empty", 0);
}
