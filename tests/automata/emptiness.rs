//! `kermode empty`: verdicts, words, bad files, budgets.

use kermode::automata::{accepts, alaska};
use kermode::ltl::Store;
use kermode::ltl::word::read_word;

use super::command::{expect, kermode, kermode_reading, stderr, stdout};
use super::{ALASKA, FORMULA, files, json, keys, not_weak, only_a, text};

#[test]
fn the_example_of_the_paper_has_a_word_that_it_accepts() {
    let output = kermode(&["empty", ALASKA, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let answer = json(stdout(&output));
    assert_eq!(
        keys(&answer),
        ["command", "file", "words", "engine", "verdict", "replayed", "witness"]
    );
    let is = |key: &str, value: &str| assert_eq!(answer[key], value, "{key}");
    is("command", "empty");
    is("file", ALASKA);
    is("words", "infinite");
    is("engine", "core:growing");
    is("verdict", "nonempty");
    assert_eq!(answer["replayed"], true);

    let mut store = Store::new();
    let file = std::fs::read_to_string(ALASKA).expect("the example");
    let automaton = alaska::read(&mut store, &file).expect("an automaton");
    let word = read_word(&mut store, &answer["witness"].to_string()).expect("a word");
    assert_eq!(accepts(&automaton, &word, &mut || Ok::<(), ()>(())), Ok(true));
}

#[test]
fn the_formula_of_the_paper_is_decided_by_antichains_and_through_its_automaton() {
    expect(&["sat", FORMULA, "--engine", "antichain:forward"], "satisfiable", 0);
    expect(&["sat", "--finite", FORMULA, "--engine", "antichain:forward"], "satisfiable", 0);
    expect(&["valid", FORMULA, "--engine", "antichain:forward"], "not valid", 1);
    expect(&["equiv", "F a", "true U a", "--engine", "antichain:forward"], "equivalent", 0);
    expect(&["implies", FORMULA, "a", "--engine", "antichain:forward"], "implied", 0);
    let automaton = kermode(&["translate", FORMULA, "--to", "abw"]);
    let output = kermode_reading(&["empty", "-", "--word-format", "spot"], &automaton.stdout);
    let shown: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!((shown[0], output.status.code()), ("nonempty", Some(1)));
    expect(&["eval", FORMULA, shown[1].trim()], "satisfied", 0);
}

#[test]
fn automata_that_are_not_weak_are_decided() {
    for (initial, verdict, status) in [("0", "nonempty", 1), ("0 & 2", "empty", 0)] {
        let automaton = not_weak(initial);
        let output = kermode_reading(&["empty", "--quiet", "-"], automaton.as_bytes());
        assert_eq!(stdout(&output), format!("{verdict}\n"), "{initial}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(status));
    }
}

#[test]
fn the_empty_word_counts_and_is_called_by_its_name() {
    let automaton = only_a("0");
    for format in ["table", "spot"] {
        let output =
            kermode_reading(&["empty", "-", "--word-format", format], automaton.as_bytes());
        assert_eq!(stdout(&output), "nonempty\n  the empty word\n");
        assert_eq!(output.status.code(), Some(1));
    }
    let output = kermode_reading(&["empty", "-", "--json"], automaton.as_bytes());
    let answer = json(stdout(&output));
    assert_eq!((&answer["words"], &answer["replayed"]), (&"finite".into(), &true.into()));
    assert_eq!(answer["witness"], serde_json::json!({ "word": [] }));
    // Location 1 demands a letter, as formulas do.
    let output = kermode_reading(&["empty", "-", "--json"], only_a("0 & 1").as_bytes());
    assert_eq!(json(stdout(&output))["witness"], serde_json::json!({ "word": [["a"]] }));
    let output = kermode(&["translate", "--to", "afw", "G a"]);
    let output = kermode_reading(&["empty", "-", "--json"], &output.stdout);
    assert_eq!(json(stdout(&output))["witness"], serde_json::json!({ "word": [["a"]] }));
}

#[test]
fn several_files_have_a_verdict_each_and_the_gravest_status() {
    let (_folder, paths) = files(&[&not_weak("0 & 2"), "(automaton_type", &not_weak("0")]);
    let [empty, broken, nonempty] = [&paths[0], &paths[1], &paths[2]].map(String::as_str);
    let output = kermode(&["empty", empty, nonempty, "--witness", "none"]);
    assert_eq!(stdout(&output), format!("{empty}: empty\n{nonempty}: nonempty\n"));
    assert_eq!(output.status.code(), Some(1));
    let output = kermode(&["empty", empty, empty, "--quiet"]);
    assert_eq!((stdout(&output), output.status.code()), ("empty\nempty\n", Some(0)));
    for bad in [broken, "no-such-file.abw"] {
        let output = kermode(&["empty", nonempty, bad, empty, "--quiet"]);
        assert_eq!(stdout(&output), "nonempty\nerror\nempty\n");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(bad), "{}", stderr(&output));
        let output = kermode(&["empty", bad, "--json"]);
        assert!(json(stdout(&output))["error"]["message"].is_string());
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn bad_automata_are_shown_where_they_are_bad() {
    let bad = [
        (text("sABW", "0", "0", "1", r#"0 : "true""#), "unknown location `1`", 2, 52),
        (text("sABW", "0", "0", "", r#"0 : "a & 7""#), "unknown location `7`", 3, 35),
        (text("sABW", "0, 1", "0", "", r#"0 : "1""#), "location `1` has no transition", 1, 43),
        (
            text("sABW", r#""a""#, "a", "", r#""a" : "true""#),
            "is a location and a proposition",
            1,
            62,
        ),
        (text("sNBW", "0", "0", "", r#"0 : "true""#), "unknown type of automaton `sNBW`", 1, 19),
        ("F a".to_owned(), "expected an automaton in HOA or ALASKA format", 1, 1),
        (String::new(), "expected an automaton in HOA or ALASKA format", 1, 1),
    ];
    for (automaton, message, line, column) in bad {
        let output = kermode_reading(&["empty", "-", "--json"], automaton.as_bytes());
        assert_eq!(output.status.code(), Some(2), "{automaton}");
        let complaint = stderr(&output);
        assert!(complaint.contains(message), "{complaint}");
        assert!(complaint.contains(&format!("--> <stdin>:{line}:{column}\n")), "{complaint}");
        assert!(complaint.contains(" ^"), "{complaint}");
        let error = &json(stdout(&output))["error"];
        assert!(error["message"].as_str().is_some_and(|text| text.contains(message)), "{error}");
        assert_eq!((&error["line"], &error["column"]), (&line.into(), &column.into()));
    }
    let bytes = kermode_reading(&["empty", "-"], b"(automaton_type = \"\xff\")");
    assert_eq!(bytes.status.code(), Some(2));
    assert!(stderr(&bytes).contains("<stdin>:1:20"), "{}", stderr(&bytes));
}

#[test]
fn engines_that_take_no_automata_are_refused() {
    let output = kermode(&["empty", ALASKA, "--engine", "reference:auto"]);
    assert_eq!((stdout(&output), output.status.code()), ("", Some(2)));
    let complaint = stderr(&output);
    assert!(
        complaint.contains("takes no automata; those that do: antichain:forward"),
        "{complaint}"
    );
    assert_eq!(kermode(&["empty"]).status.code(), Some(2));
    let engines = kermode(&["engines", "--json"]);
    for engine in stdout(&engines).lines().map(json) {
        let takes = engine["automata"].as_bool().expect("a field of every engine");
        let name = engine["name"].as_str().expect("a name").to_owned();
        let status = kermode(&["empty", ALASKA, "--engine", &name]).status.code();
        assert_eq!(status, Some(if takes { 1 } else { 2 }), "{name}");
    }
    assert!(stdout(&kermode(&["engines"])).contains("alternating automata"));
}

/// A counter of 16 bits: its only word has more than a million letters, and the search for it goes
/// through as many states.
fn long_work() -> Vec<u8> {
    let counter = kermode(&["gen", "counter", "16"]);
    kermode_reading(&["translate", "-", "--to", "abw", "--format", "alaska"], &counter.stdout)
        .stdout
}

#[test]
fn limits_end_a_fixpoint_in_the_middle() {
    let automaton = long_work();
    // The last memory limit is enough for the start, and too little for the search.
    for (option, limit, reason) in [
        ("--timeout", "0.5", "timeout"),
        ("--cpu", "0.5", "timeout"),
        ("--memory", "1M", "memory"),
        ("--memory", "16M", "memory"),
    ] {
        let engine = ["empty", "-", "--engine", "antichain:forward", "--json", "--stats"];
        let output = kermode_reading(&[&engine[..], &[option, limit]].concat(), &automaton);
        let answer = json(stdout(&output));
        assert_eq!((&answer["verdict"], &answer["reason"]), (&"unknown".into(), &reason.into()));
        assert_eq!(output.status.code(), Some(3));
        let begun = answer["statistics"]["post_calls"].as_u64().is_some_and(|calls| calls > 10);
        assert_eq!(begun, limit != "1M", "{option} {limit}: {answer}");
    }
    let formula = kermode(&["gen", "counter", "16"]);
    let args = ["sat", "-", "--engine", "antichain:forward", "--timeout", "0.5"];
    let output = kermode_reading(&args, &formula.stdout);
    assert_eq!((stdout(&output), output.status.code()), ("unknown (timeout)\n", Some(3)));
}

#[test]
fn a_word_of_an_automaton_that_is_not_wanted_or_too_long_is_left_out() {
    let output = kermode(&["translate", "a & X X X !a", "--to", "abw"]);
    let short = kermode_reading(&["empty", "-", "--witness-limit", "2"], &output.stdout);
    assert_eq!(short.status.code(), Some(1));
    assert!(stdout(&short).starts_with("nonempty\n  the word is left out"), "{}", stdout(&short));
    let none = kermode_reading(&["empty", "-", "--witness", "none"], &output.stdout);
    assert_eq!(stdout(&none), "nonempty\n");
}
