//! `kermode empty`, `kermode translate` and `kermode eval --automaton`: verdicts, words, bad files, budgets, and
//! agreement with `sat`.

mod command;

use std::path::PathBuf;

use command::{expect, kermode, kermode_reading, stderr, stdout};
use kermode::automata::hoa::{self, Automaton};
use kermode::automata::tgba::to_alternating;
use kermode::automata::{AlternatingAutomaton, accepts, alaska, from_ltl, trim};
use kermode::ltl::normal::expand_bounded;
use kermode::ltl::random::{Operators, RandomFormula, Rng};
use kermode::ltl::rewrite::{RuleSet, simplify};
use kermode::ltl::word::read_word;
use kermode::ltl::{Formula, Store, WordKind};
use kermode::solve::{Budget, EngineSpec, Problem, Silent, Verdict, WitnessPolicy, decide};
use serde_json::Value;
use tempfile::TempDir;

/// The automaton of figure 1 of the paper on ALASKA.
const ALASKA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/alaska.abw");
/// The formula of that figure.
const FORMULA: &str = "(a & X !b) U (a & X b)";

/// An automaton over `a`, as short as can be.
fn text(kind: &str, locations: &str, initial: &str, accepting: &str, transitions: &str) -> String {
    format!(
        "(automaton_type = \"{kind}\", locations = [{locations}], propositions = [\"a\"],\n  \
         initial_constraint = \"{initial}\", accepting_locations = [{accepting}],\n  \
         transition_function = {{{transitions}}})\n"
    )
}

/// Location 0 is accepting and sees `a`, location 1 is not and waits for `!a`: they reach each other, so that the
/// automaton is not weak. Location 2 wants `a` for ever.
fn not_weak(initial: &str) -> String {
    let transitions = r#"0 : "a & 1", 1 : "a & 1 | ~a & 0", 2 : "a & 2""#;
    text("sABW", "0, 1, 2", initial, "0, 2", transitions)
}

/// Accepts finite words of `a` only, the empty one among them.
fn only_a(initial: &str) -> String {
    text("sAFW", "0, 1", initial, "0", r#"0 : "a & 0", 1 : "true""#)
}

/// Files in a folder that goes with them.
fn files(texts: &[&str]) -> (TempDir, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |(index, text): (usize, &&str)| {
        let path: PathBuf = folder.path().join(format!("{index}.abw"));
        std::fs::write(&path, text).expect("a file is written");
        path.display().to_string()
    };
    let paths = texts.iter().enumerate().map(write).collect();
    (folder, paths)
}

#[track_caller]
fn json(line: &str) -> Value {
    serde_json::from_str(line).expect("JSON")
}

/// The fields of an object.
fn keys(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

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
    is("engine", "antichain:forward");
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
    // Location 1 wants a letter, as formulas do.
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

/// Infinitely often `p`; the automaton is not weak.
const OFTEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/often.abw");

/// A file with the automaton of a formula, by `translate`.
fn formula_file(folder: &TempDir, name: &str, formula: &str, options: &[&str]) -> String {
    let path = folder.path().join(name);
    let output = kermode(&[&["translate", formula], options].concat());
    std::fs::write(&path, output.stdout).expect("a file is written");
    path.display().to_string()
}

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
    // Nothing can be decided if one of those that all are compared with cannot be read.
    let (_folder, broken) = files(&["(automaton_type"]);
    for bad in [broken[0].as_str(), "no-such-file.abw"] {
        for option in ["--and", "--not"] {
            let output = kermode(&["empty", OFTEN, &always, option, bad]);
            assert_eq!((stdout(&output), output.status.code()), ("", Some(2)));
            let output = kermode(&["empty", OFTEN, &always, option, bad, "--json"]);
            let message = json(stdout(&output))["error"]["message"].clone();
            assert!(message.as_str().is_some_and(|text| text.contains(bad)), "{message}");
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

/// As many locations as are wanted, all of which reach each other; every other one is accepting.
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
        ("F a".to_owned(), "unexpected `F`", 1, 1),
        (String::new(), "the text ends too early", 1, 1),
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

/// A counter of 16 bits: its only word has more than a million letters, and the search for it goes through as many
/// states.
fn long_work() -> Vec<u8> {
    let counter = kermode(&["gen", "counter", "16"]);
    kermode_reading(&["translate", "-", "--to", "abw", "--format", "alaska"], &counter.stdout)
        .stdout
}

#[test]
fn limits_end_a_fixpoint_in_the_middle() {
    let automaton = long_work();
    // The last memory is enough to begin with, and too little for what is then met.
    for (option, limit, reason) in [
        ("--timeout", "0.5", "timeout"),
        ("--cpu", "0.5", "timeout"),
        ("--memory", "1M", "memory"),
        ("--memory", "16M", "memory"),
    ] {
        let output =
            kermode_reading(&["empty", "-", option, limit, "--json", "--stats"], &automaton);
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

#[test]
fn past_operators_are_refused_and_bounded_ones_written_out() {
    let output = kermode(&["translate", "a & F Y b", "--to", "abw", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let complaint = stderr(&output);
    assert!(complaint.contains("`Y b` looks back, and automata do not"), "{complaint}");
    assert!(complaint.contains("kermode convert --expand past"), "{complaint}");
    assert_eq!(json(stdout(&output))["error"]["line"], 1);
    // Of requirements the one that looks back is shown.
    let file = b"first: G a\nsecond: G O b\n";
    for each in [&[][..], &["--each"]] {
        let args = [&["translate", "-", "--to", "afw"], each].concat();
        let output = kermode_reading(&args, file);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("--> <stdin>:2:"), "{}", stderr(&output));
        assert_eq!(stdout(&output).contains("# second: error\n"), !each.is_empty());
    }
    let expanded = kermode_reading(&["convert", "-", "--expand", "past", "--finite"], file);
    let output = kermode_reading(&["translate", "-", "--to", "afw"], &expanded.stdout);
    let output = kermode_reading(&["empty", "-", "--quiet"], &output.stdout);
    assert_eq!(stdout(&output), "nonempty\n");

    let output = kermode(&["translate", "F[0,3] a", "--to", "abw"]);
    let output = kermode_reading(&["empty", "-", "--quiet"], &output.stdout);
    assert_eq!(stdout(&output), "nonempty\n");
    let output = kermode(&["translate", "F[0,4000000000] a", "--to", "abw"]);
    assert_eq!((stdout(&output), output.status.code()), ("", Some(3)));
}

#[test]
fn translations_are_counted_drawn_and_named() {
    let output = kermode(&["translate", FORMULA, "--to", "abw", "--stats", "--format", "alaska"]);
    assert!(stdout(&output).ends_with(
        ")\n# locations: 3\n# accepting: 2\n# propositions: 2\n# expressions: 10\n# weak: true\n# \
         very weak: true\n"
    ));
    assert_eq!(kermode_reading(&["empty", "-"], &output.stdout).status.code(), Some(1));
    let output = kermode(&["translate", FORMULA, "--to", "afw", "--stats", "--json"]);
    let answer = json(stdout(&output));
    assert_eq!(keys(&answer), ["command", "formula", "words", "automaton", "statistics"]);
    assert_eq!((&answer["command"], &answer["words"]), (&"translate".into(), &"finite".into()));
    assert_eq!(
        keys(&answer["statistics"]),
        ["locations", "accepting", "propositions", "expressions", "weak", "very_weak"]
    );
    let text = answer["automaton"].as_str().expect("a text");
    assert!(text.contains("sAFW"), "{text}");
    let output = kermode(&["translate", "F G a", "--to", "abw", "--format", "dot"]);
    assert!(stdout(&output).starts_with("digraph"), "{}", stdout(&output));
    let args = ["translate", "F G a", "--to", "abw", "--format", "alaska", "--locations", "labels"];
    let output = kermode(&args);
    assert!(stdout(&output).contains("initial_constraint = \"'F G a'\""), "{}", stdout(&output));
}

#[test]
fn rewriting_is_on_unless_it_is_off() {
    let locations = |options: &[&str]| {
        let args = [&["translate", "F F F a", "--to", "abw", "--stats"], options].concat();
        let output = kermode(&args);
        let mut lines = stdout(&output).lines();
        lines.find(|line| line.starts_with("/* locations")).map(str::to_owned).unwrap_or_default()
    };
    assert_eq!(locations(&[]), "/* locations: 1 */");
    assert_eq!(locations(&["--rules", "same-operands"]), "/* locations: 1 */");
    assert_eq!(locations(&["--no-rewrite"]), "/* locations: 3 */");
    for args in [
        &["translate", "a", "--to", "abw", "--no-rewrite", "--rules", "eventual"][..],
        &["translate", "a", "--to", "abw", "--rules", "split"],
        &["translate", "a", "--to", "abw", "--finite"],
        &["translate", "a", "--to", "afw", "--format", "hoa"],
        &["translate", "a", "--to", "nbw"],
        &["translate", "a"],
        &["translate", "a & (", "--to", "abw"],
    ] {
        let output = kermode(args);
        assert_eq!((stdout(&output), output.status.code()), ("", Some(2)), "{args:?}");
    }
    expect(&["translate", "a", "--to", "afw", "--finite"], "(", 0);
}

#[test]
fn spots_next_is_weak_on_finite_words() {
    for (syntax, verdict) in [("spot", "nonempty\n"), ("kermode", "empty\n")] {
        let output = kermode(&["translate", "X false", "--to", "afw", "--syntax", syntax]);
        let output = kermode_reading(&["empty", "-", "--quiet"], &output.stdout);
        assert_eq!(stdout(&output), verdict);
    }
}

/// What `translate` writes, in either way.
fn translated(
    store: &mut Store,
    formula: Formula,
    words: WordKind,
    rewriting: bool,
) -> AlternatingAutomaton {
    let formula = match rewriting {
        true => simplify(store, formula, words, &RuleSet::all()).formula,
        false => formula,
    };
    let formula = expand_bounded(store, formula, words, 1000).expect("bounds are small");
    let automaton = from_ltl(store, formula, words).expect("no past operators");
    if rewriting { trim(&automaton) } else { automaton }
}

fn is_satisfiable(problem: &Problem, engine: &str) -> bool {
    let engine: EngineSpec = engine.parse().expect("an engine of the table");
    let (budget, policy) = (Budget::unlimited(), WitnessPolicy::default());
    match decide(problem, &engine, policy, &budget, &mut Silent::default()) {
        Ok(Verdict::Satisfiable(_)) => true,
        Ok(Verdict::Unsatisfiable) => false,
        other => panic!("{other:?}"),
    }
}

/// A conjunction, so that enough of them cannot be satisfied.
fn random_formula(store: &mut Store, rng: &mut Rng, size: usize) -> Formula {
    let propositions = vec![store.proposition("a"), store.proposition("b")];
    let operators = Operators::future().with_weak_next().with_bounds(2);
    let random = RandomFormula { size, propositions, operators };
    let parts: Vec<Formula> = (0..4).map(|_| random.draw(store, rng)).collect();
    store.all(parts)
}

#[test]
fn translation_and_emptiness_agree_with_satisfiability() {
    let mut rng = Rng::new(20080331);
    let (mut yes, mut no) = (0, 0);
    for round in 0..400 {
        let words = [WordKind::Infinite, WordKind::Finite][round % 2];
        let mut store = Store::new();
        let formula = random_formula(&mut store, &mut rng, 1 + round % 6);
        let problem = Problem::satisfiability(&store, formula, words);
        let expected = is_satisfiable(&problem, "reference:auto");
        *(if expected { &mut yes } else { &mut no }) += 1;
        let automaton = translated(&mut store, formula, words, round % 4 < 2);
        let text = alaska::write(&store, &automaton, Default::default()).expect("it is small");
        let mut own = Store::new();
        let automaton = alaska::read(&mut own, &text).expect("what was written is read");
        let problem = Problem::emptiness(&own, &automaton);
        assert_eq!(is_satisfiable(&problem, "antichain:forward"), expected, "{text}");
    }
    assert!(yes > 20 && no > 20, "{yes} are satisfiable, {no} are not");
}

#[test]
fn the_commands_in_a_pipe_agree_with_sat() {
    let formulas = "F a & G !a\nG F a & G F !a\nX false\nN false\na U b & G !b\nG X true\n(a U b) & !F b | G N a\n";
    for (to, finite) in [("abw", &[][..]), ("afw", &["--finite"])] {
        let automata =
            kermode_reading(&["translate", "-", "--to", to, "--json"], formulas.as_bytes());
        let texts: Vec<String> = stdout(&automata)
            .lines()
            .map(|line| json(line)["automaton"].as_str().expect("a text").to_owned())
            .collect();
        let (_folder, paths) = files(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let mut args = vec!["empty", "--quiet"];
        args.extend(paths.iter().map(String::as_str));
        let output = kermode(&args);
        let empty: Vec<bool> = stdout(&output).lines().map(|line| line == "empty").collect();
        let output =
            kermode_reading(&[&["sat", "-", "--quiet"], finite].concat(), formulas.as_bytes());
        let unsatisfiable: Vec<bool> =
            stdout(&output).lines().map(|line| line == "unsatisfiable").collect();
        assert_eq!(empty, unsatisfiable);
        assert_eq!(empty.len(), 7);
    }
}

/// Two states and two sets on edges: `a` and `b` again and again.
const GENERALISED: &str = r#"HOA: v1
name: "GF a & GF b"
Start: 0
AP: 2 "a" "b"
Acceptance: 2 Inf(0) & Inf(1)
--BODY--
State: 0
[0&1] 0 {0 1}
[0&!1] 0 {0}
[!0&1] 0 {1}
[!0&!1] 0
--END--
"#;

#[test]
fn automata_in_the_hoa_format_are_decided() {
    let output = kermode_reading(&["empty", "-", "--json"], GENERALISED.as_bytes());
    let answer = json(stdout(&output));
    assert_eq!(output.status.code(), Some(1));
    let fields = ["command", "file", "name", "words", "engine", "verdict", "replayed", "witness"];
    assert_eq!(keys(&answer), fields);
    assert_eq!(answer["name"], "GF a & GF b");
    let word = answer["witness"].to_string();
    expect(&["eval", "G F a & G F b", &word], "satisfied", 0);
    // Nothing has both sets.
    let empty = GENERALISED.replace("[0&1] 0 {0 1}\n", "").replace("{1}", "");
    let output = kermode_reading(&["empty", "-"], empty.as_bytes());
    assert_eq!((stdout(&output), output.status.code()), ("empty\n", Some(0)));
    // An alternating one, through the same engine.
    let output = kermode(&["translate", "G F a & F G !a", "--to", "abw", "--no-rewrite"]);
    assert!(stdout(&output).contains(" univ-branch "), "{}", stdout(&output));
    let output = kermode_reading(&["empty", "-"], &output.stdout);
    assert_eq!((stdout(&output), output.status.code()), ("empty\n", Some(0)));
}

#[test]
fn a_stream_has_a_verdict_for_each_automaton() {
    let stream = format!(
        "/* two */\n{GENERALISED}HOA: v1 Start: 0 --ABORT--\nHOA: v1 States: none --END--\n"
    );
    let (_folder, paths) = files(&[&stream, GENERALISED, "/* none */"]);
    let [stream, single, none] = [0, 1, 2].map(|index| paths[index].as_str());
    let output = kermode(&["empty", stream, single, "--witness", "none"]);
    let expected = format!("{stream}:2: nonempty\n{stream}:15: error\n{single}: nonempty\n");
    assert_eq!((stdout(&output), output.status.code()), (expected.as_str(), Some(2)));
    assert!(stderr(&output).contains(&format!("{stream}:15:17")), "{}", stderr(&output));
    let output = kermode(&["empty", stream, "--quiet"]);
    assert_eq!(stdout(&output), "nonempty\nerror\n");
    let output = kermode(&["eval", "--automaton", stream, "cycle{a & b}"]);
    let expected = format!("{stream}:2: accepted\n{stream}:15: error\n");
    assert_eq!((stdout(&output), output.status.code()), (expected.as_str(), Some(2)));
    for args in [&["empty", none][..], &["eval", "-a", none, "cycle{a}"]] {
        let output = kermode(args);
        assert_eq!((stdout(&output), output.status.code()), ("", Some(2)));
        assert!(stderr(&output).contains("there is no automaton in"), "{}", stderr(&output));
    }
}

/// Both syntaxes, and both kinds of automata, on either side of `--and` and `--not`.
#[test]
fn syntaxes_mix_in_differences() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name, formula, format| {
        formula_file(&folder, name, formula, &["--to", "abw", "--format", format])
    };
    let (_folder, generalised) = files(&[GENERALISED]);
    let generalised = generalised[0].as_str();
    for format in ["hoa", "alaska"] {
        let same = file("same", "G F a & G F b", format);
        let less = file("less", "G (a & b)", format);
        let more = file("more", "G F b", format);
        for (args, verdict) in [
            (vec![generalised, "--not", &same], "empty"),
            (vec![&same, "--not", generalised], "empty"),
            (vec![&less, "--not", generalised], "empty"),
            (vec![generalised, "--not", &less], "nonempty"),
            (vec![generalised, "--not", &more], "empty"),
            (vec![&more, "--not", generalised], "nonempty"),
            (vec![&more, "--and", generalised, "--not", &less], "nonempty"),
            (vec![&more, "--and", generalised, "--not", &same], "empty"),
        ] {
            let status = if verdict == "empty" { 0 } else { 1 };
            expect(&[&["empty"], &args[..]].concat(), verdict, status);
        }
    }
    // One proposition, whatever its place in each file: the word is the one that all automata see.
    let (_folder, turned) = files(&["HOA: v1 Start: 0 AP: 2 \"b\" \"a\" Acceptance: 0 t\n\
         --BODY-- State: 0 [0 & !1] 0 --END--\n"]);
    let (more, turned) = (file("more", "G F b", "alaska"), turned[0].as_str());
    for (first, second, verdict) in
        [(turned, generalised, "empty"), (turned, &more, "nonempty"), (&more, turned, "nonempty")]
    {
        let status = if verdict == "empty" { 0 } else { 1 };
        expect(&["empty", first, "--and", second], verdict, status);
    }
    let output = kermode(&["empty", turned, "--not", generalised, "--json"]);
    let word = json(stdout(&output))["witness"].to_string();
    expect(&["eval", "-a", turned, &word], "accepted", 0);
    expect(&["eval", "-a", generalised, &word], "rejected", 1);
    expect(&["eval", "G (b & !a)", &word], "satisfied", 0);
}

#[test]
fn each_automaton_of_a_stream_is_compared_with_the_others() {
    let often_a = GENERALISED.replace("Inf(0) & Inf(1)", "Inf(0)").replace("GF a & GF b", "GF a");
    let stream = format!("{GENERALISED}{often_a}");
    let (_folder, paths) = files(&[&stream, GENERALISED, &only_a("0")]);
    let [stream, single, finite] = [0, 1, 2].map(|index| paths[index].as_str());
    let output = kermode(&["empty", stream, "--not", single, "--witness", "none"]);
    let expected = format!("{stream}:1: empty\n{stream}:13: nonempty\n");
    assert_eq!((stdout(&output), output.status.code()), (expected.as_str(), Some(1)));
    let output = kermode(&["empty", stream, "--not", single, "--json"]);
    let answers: Vec<Value> = stdout(&output).lines().map(json).collect();
    assert_eq!(answers[1]["name"], "GF a");
    assert_eq!((&answers[1]["line"], &answers[1]["not"]), (&13.into(), &vec![single].into()));
    let word = answers[1]["witness"].to_string();
    expect(&["eval", "G F a & F G !b", &word], "satisfied", 0);
    // Which of them cannot be compared is told by its line.
    let output = kermode(&["empty", stream, single, "--and", finite, "--quiet"]);
    assert_eq!((stdout(&output), output.status.code()), ("error\nerror\nerror\n", Some(2)));
    for name in [&format!("{stream}:1"), &format!("{stream}:13"), single] {
        let complaint =
            format!("error: `{name}` is about infinite words and `{finite}` about finite ones\n");
        assert!(stderr(&output).contains(&complaint), "{}", stderr(&output));
    }
}

#[test]
fn a_file_to_compare_with_holds_one_automaton() {
    let stream = format!("{GENERALISED}{GENERALISED}");
    let broken = GENERALISED.replace("--END--", "");
    let (_folder, paths) = files(&[GENERALISED, &stream, "/* none */", &broken]);
    let [single, stream, none, broken] = [0, 1, 2, 3].map(|index| paths[index].as_str());
    let cases = [
        (stream, format!("`{stream}` holds 2 automata, and `--and` and `--not` take one each")),
        (none, format!("there is no automaton in {none}")),
        (broken, format!("`{broken}`: ")),
    ];
    for ((bad, message), option) in cases.iter().flat_map(|case| [(case, "--and"), (case, "--not")])
    {
        let output = kermode(&["empty", single, ALASKA, option, bad]);
        assert_eq!((stdout(&output), output.status.code()), ("", Some(2)), "{option} {bad}");
        assert!(stderr(&output).contains(bad), "{}", stderr(&output));
        let output = kermode(&["empty", single, option, ALASKA, option, bad, "--json"]);
        let error = json(stdout(&output))["error"]["message"].clone();
        assert!(error.as_str().is_some_and(|error| error.starts_with(message)), "{error}");
    }
    // Standard input is such a file, too.
    for (input, expected) in [
        (GENERALISED, ("empty\n", Some(0))),
        (&format!("{GENERALISED}\n{GENERALISED}"), ("", Some(2))),
    ] {
        let output = kermode_reading(&["empty", single, "--not", "-"], input.as_bytes());
        assert_eq!((stdout(&output), output.status.code()), expected, "{}", stderr(&output));
    }
}

#[test]
fn membership_of_words() {
    let (_folder, paths) = files(&[GENERALISED, &only_a("0"), "cycle{b}"]);
    let [generalised, finite, word] = [0, 1, 2].map(|index| paths[index].as_str());
    let cases = [
        (generalised, "a & !b; cycle{a & !b; b & !a}", "accepted", 0),
        (generalised, "a & b; cycle{a & !b}", "rejected", 1),
        (ALASKA, "cycle{!a}", "accepted", 0),
        (ALASKA, "cycle{a & !b}", "rejected", 1),
        (finite, "a; a", "accepted", 0),
        (finite, "a; !a", "rejected", 1),
        (finite, r#"{"word": []}"#, "accepted", 0),
    ];
    for (file, word, verdict, status) in cases {
        expect(&["eval", "--automaton", file, word], verdict, status);
        expect(&["eval", "-a", file, word, "--quiet"], verdict, status);
        let output = kermode(&["eval", "-a", file, word, "--json"]);
        let answer = json(stdout(&output));
        assert_eq!((&answer["verdict"], output.status.code()), (&verdict.into(), Some(status)));
        assert_eq!(answer["file"], file);
    }
    let output = kermode(&["eval", "-a", generalised, "-w", word]);
    assert_eq!((stdout(&output), output.status.code()), ("rejected\n", Some(1)));
    assert!(stderr(&output).contains("the word does not speak of `a`"), "{}", stderr(&output));
    let output = kermode(&["eval", "-a", generalised, "a & b"]);
    assert_eq!(stdout(&output), "rejected\n");
    assert!(stderr(&output).contains("about infinite words"), "{}", stderr(&output));
    for args in [
        &["eval", "-a", generalised][..],
        &["eval", "-a", generalised, "cycle{"],
        &["eval", "-a", generalised, "a", "cycle{a}"],
        &["eval", "-a", generalised, "cycle{a}", "-w", word],
        &["eval", "-a", generalised, "-f", word, "cycle{a}"],
        &["eval", "-a", generalised, "cycle{a}", "--full"],
        &["eval", "-a", "no-such-file.hoa", "cycle{a}"],
        &["eval", "-a", word, "cycle{a}"],
    ] {
        let output = kermode(args);
        assert_eq!((stdout(&output), output.status.code()), ("", Some(2)), "{args:?}");
        assert!(!stderr(&output).is_empty(), "{args:?}");
    }
}

/// What HOA cannot hold is said, with the way out.
#[test]
fn transitions_that_are_too_large_for_hoa() {
    let parts: Vec<String> = (0..30).map(|i| format!("(F a{i} | G b{i})")).collect();
    let formula = parts.join(" & ");
    let output = kermode(&["translate", &formula, "--to", "abw"]);
    assert_eq!((stdout(&output), output.status.code()), ("", Some(3)));
    assert!(stderr(&output).contains("--format alaska"), "{}", stderr(&output));
    expect(&["translate", &formula, "--to", "abw", "--format", "alaska"], "(", 0);
}

/// Random formulas through the HOA format: written as alternating automata, read as what they are then.
#[test]
fn emptiness_through_hoa_agrees_with_satisfiability() {
    let mut rng = Rng::new(20150718);
    let (mut yes, mut no) = (0, 0);
    for round in 0..150 {
        let mut store = Store::new();
        let formula = random_formula(&mut store, &mut rng, 1 + round % 5);
        let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
        let expected = is_satisfiable(&problem, "reference:auto");
        *(if expected { &mut yes } else { &mut no }) += 1;
        let automaton = translated(&mut store, formula, WordKind::Infinite, round % 2 == 0);
        let text = hoa::write(&store, &automaton.into(), None).expect("it is small");
        let mut own = Store::new();
        let Ok([Ok(read)]) = <[_; 1]>::try_from(hoa::read(&mut own, &text)) else {
            panic!("{text}")
        };
        let automaton = match read.automaton {
            Automaton::Alternating(automaton) => automaton,
            Automaton::Tgba(automaton) => {
                to_alternating(&automaton, &mut || Ok::<(), ()>(())).expect("it is small")
            }
        };
        let problem = Problem::emptiness(&own, &automaton);
        assert_eq!(is_satisfiable(&problem, "antichain:forward"), expected, "{text}");
    }
    assert!(yes > 10 && no > 10, "{yes} are satisfiable, {no} are not");
}
