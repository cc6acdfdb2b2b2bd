//! The HOA format in all commands: streams, differences, membership, and agreement with `sat`.

use kermode::automata::{Difference, hoa};
use kermode::base::Rng;
use kermode::ltl::{Store, WordKind};
use kermode::solve::Problem;
use serde_json::Value;

use super::command::{expect, kermode, kermode_reading, stderr, stdout};
use super::{
    ALASKA, GENERALISED, files, formula_file, is_satisfiable, json, keys, only_a, random_formula,
    translated,
};

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
    // The line says which of them cannot be compared.
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
        (
            stream,
            format!("`{stream}` holds 2 automata, and `--and` and `--not` take one automaton"),
        ),
        (none, format!("there is no automaton in {none}")),
        (broken, String::new()),
    ];
    for ((bad, message), option) in cases.iter().flat_map(|case| [(case, "--and"), (case, "--not")])
    {
        let output = kermode(&["empty", single, ALASKA, option, bad]);
        assert_eq!((stdout(&output), output.status.code()), ("", Some(2)), "{option} {bad}");
        assert!(stderr(&output).contains(bad), "{}", stderr(&output));
        let output = kermode(&["empty", single, option, ALASKA, option, bad, "--json"]);
        let error = json(stdout(&output))["error"].clone();
        assert!(error["message"].as_str().is_some_and(|m| m.starts_with(message)), "{error}");
        assert_eq!(error["file"], *bad);
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

/// An automaton that HOA cannot express is refused with advice.
#[test]
fn transitions_that_are_too_large_for_hoa() {
    let parts: Vec<String> = (0..30).map(|i| format!("(F a{i} | G b{i})")).collect();
    let formula = parts.join(" & ");
    let output = kermode(&["translate", &formula, "--to", "abw"]);
    assert_eq!((stdout(&output), output.status.code()), ("", Some(3)));
    assert!(stderr(&output).contains("--format alaska"), "{}", stderr(&output));
    expect(&["translate", &formula, "--to", "abw", "--format", "alaska"], "(", 0);
}

/// Labels whose diagrams double with each product, in the order of the propositions.
fn labels_that_take_long() -> String {
    let names: Vec<String> = (0..60).map(|index| format!("\"p{index}\"")).collect();
    let products: Vec<String> = (0..30).map(|index| format!("{index} & {}", index + 30)).collect();
    format!(
        "HOA: v1 Start: 0 AP: 60 {} Acceptance: 0 t --BODY-- State: 0 [{}] 0 --END--\n",
        names.join(" "),
        products.join(" | ")
    )
}

/// Reading is part of the budget, of the automaton itself and of those that it is compared with.
#[test]
fn a_budget_ends_while_a_file_is_read() {
    let (_folder, paths) = files(&[GENERALISED, &labels_that_take_long()]);
    let [small, large] = [0, 1].map(|index| paths[index].as_str());
    for engine in ["antichain:forward", "tgba:couvreur"] {
        let output = kermode(&["empty", large, small, "-e", engine, "--timeout", "0.05"]);
        let shown: Vec<&str> = stdout(&output).lines().collect();
        assert_eq!(shown[0], format!("{large}: unknown (timeout)"));
        assert_eq!((shown[1], output.status.code()), (&*format!("{small}: nonempty"), Some(1)));
    }
    let output = kermode(&["empty", small, "--not", large, "--timeout", "0.05", "--json"]);
    let answer = json(stdout(&output));
    assert_eq!((&answer["verdict"], &answer["reason"]), (&"unknown".into(), &"timeout".into()));
    assert_eq!(output.status.code(), Some(3));
    // Without a budget the table gets full in the end.
    let output = kermode(&["empty", large]);
    assert_eq!((stdout(&output), output.status.code()), ("", Some(2)));
    assert!(stderr(&output).contains("the labels cannot be read"), "{}", stderr(&output));
}

/// The engines for generalised automata search them directly: one discovers the only state, the
/// other that state at each level of two marks.
#[test]
fn generalised_automata_are_searched_as_they_are() {
    let args = ["empty", "-", "--json", "--stats", "--engine"];
    for (engine, states) in [("tgba:couvreur", 1), ("tgba:magic", 3)] {
        let output = kermode_reading(&[&args[..], &[engine]].concat(), GENERALISED.as_bytes());
        let answer = json(stdout(&output));
        assert_eq!(answer["replayed"], true, "{answer}");
        assert_eq!(answer["statistics"]["states_met"], states, "{answer}");
    }
}

/// Random formulas through the HOA format: written as alternating automata and read back.
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
        let difference = Difference::of(read.automaton);
        let problem = Problem::emptiness(&own, &difference);
        for engine in ["antichain:forward", "tgba:couvreur", "tgba:magic"] {
            assert_eq!(is_satisfiable(&problem, engine), expected, "{engine}: {text}");
        }
    }
    assert!(yes > 10 && no > 10, "{yes} are satisfiable, {no} are not");
}
