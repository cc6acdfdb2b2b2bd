//! `kermode translate --to abw` and `afw`: texts, rewriting, and agreement with `sat`.

use kermode::automata::{Difference, alaska};
use kermode::base::Rng;
use kermode::ltl::{Store, WordKind};
use kermode::solve::Problem;

use super::command::{expect, kermode, kermode_reading, stderr, stdout};
use super::{FORMULA, files, is_satisfiable, json, keys, random_formula, translated};

#[test]
fn past_operators_are_refused_and_bounded_ones_written_out() {
    let output = kermode(&["translate", "a & F Y b", "--to", "abw", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let complaint = stderr(&output);
    assert!(complaint.contains("`Y b` looks back, and automata do not"), "{complaint}");
    assert!(complaint.contains("kermode convert --expand past"), "{complaint}");
    assert_eq!(json(stdout(&output))["error"]["line"], 1);
    // The requirement with past operators is shown.
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
        let automata = Difference::of(automaton);
        let problem = Problem::emptiness(&own, &automata);
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
