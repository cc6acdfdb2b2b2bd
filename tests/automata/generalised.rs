//! `kermode translate --to tgba` and `ba`: every level has the words of the formula, whatever its
//! operators; shapes, counts, usage, and budgets.

use std::convert::Infallible;

use kermode::automata::{Automaton, Tgba, hoa, tgba};
use kermode::base::Rng;
use kermode::ltl::dialect::{Dialect, write};
use kermode::ltl::random::{Operators, RandomFormula, random_word};
use kermode::ltl::{Formula, Store, Word, WordKind, semantics};
use serde_json::{Value, json as value};

use super::command::{expect, kermode, kermode_interrupted, kermode_reading, stderr, stdout};
use super::{files, json, keys};

/// The only automaton of a text.
fn read(store: &mut Store, text: &str) -> Tgba {
    let Ok([Ok(read)]) = <[_; 1]>::try_from(hoa::read(store, text)) else { panic!("{text}") };
    assert!(read.warnings.is_empty(), "{:?} in {text}", read.warnings);
    let Automaton::Tgba(automaton) = read.automaton else { panic!("`Inf` and choices only") };
    (*automaton).clone()
}

fn is_accepted(automaton: &Tgba, word: &Word) -> bool {
    let Ok(accepted) = tgba::accepts(automaton, word, &mut || Ok::<(), Infallible>(()));
    accepted
}

fn satisfies(store: &Store, formula: Formula, word: &Word) -> bool {
    let Ok(holds) = semantics::satisfies(store, formula, word, &mut || Ok::<(), Infallible>(()));
    holds
}

/// Formulas with operators of all kinds.
fn random_formulas(store: &mut Store, rng: &mut Rng, count: usize) -> Vec<Formula> {
    let propositions = ["a", "b"].map(|name| store.proposition(name)).to_vec();
    let formula = |round: usize| {
        let operators = match round % 3 {
            0 => Operators::future().with_constants(),
            1 => Operators::future().with_bounds(2),
            _ => Operators::future().with_past().with_bounds(2),
        };
        let (size, propositions) = (1 + round % 8, propositions.clone());
        RandomFormula { size, propositions, operators }.draw(store, rng)
    };
    (0..count).map(formula).collect()
}

/// The automata that one command makes of formulas.
fn translated(texts: &[String], options: &[&str]) -> Vec<Value> {
    let args = [&["translate", "-", "--json", "--stats"], options].concat();
    let output = kermode_reading(&args, texts.join("\n").as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output).lines().map(json).collect()
}

#[test]
fn every_level_accepts_the_words_of_the_formula() {
    let (mut store, mut rng) = (Store::new(), Rng::new(1999));
    let formulas = random_formulas(&mut store, &mut rng, 90);
    let written = |formula: &Formula| {
        write(&store, *formula, Dialect::Kermode.into()).expect("our own syntax has it all")
    };
    let texts: Vec<String> = formulas.iter().map(written).collect();
    let mut seen = [0, 0];
    for (level, to) in [
        (&["--raw"][..], "tgba"),
        (&["--low"], "tgba"),
        (&["--medium"], "ba"),
        (&["--high"], "tgba"),
        (&[], "ba"),
        (&["--raw"], "ba"),
        (&["--deterministic"], "tgba"),
        (&["--small", "--complete"], "ba"),
        (&["--no-rewrite"], "tgba"),
        (&["--rules", "same-operands+eventual"], "ba"),
    ] {
        let answers = translated(&texts, &[level, &["--to", to]].concat());
        assert_eq!(answers.len(), formulas.len());
        for (&formula, answer) in formulas.iter().zip(&answers) {
            let text = answer["automaton"].as_str().expect("a text");
            let automaton = read(&mut store, text);
            let own = ["a", "b"].map(|name| store.proposition(name));
            assert!(automaton.propositions().iter().all(|p| own.contains(p)), "{text}");
            assert!(to == "tgba" || automaton.is_state_based() && automaton.mark_count() == 1);
            for _ in 0..12 {
                let word = random_word(&mut rng, &own, WordKind::Infinite, 3, 3);
                let expected = satisfies(&store, formula, &word);
                assert_eq!(is_accepted(&automaton, &word), expected, "{word:?}: {text}");
                seen[usize::from(expected)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 2_000), "{seen:?}");
}

/// What the options promise is claimed in the header, where the language allows it.
#[test]
fn deterministic_and_complete_automata() {
    for (formula, claims) in [
        ("G(a -> X(b R c))", "deterministic complete"),
        ("G F (a & X X b)", "deterministic complete"),
        ("false", "deterministic complete"),
        ("F G a", "complete"),
    ] {
        for to in ["tgba", "ba"] {
            let args = ["translate", formula, "--to", to, "--deterministic", "--complete"];
            let output = kermode(&args);
            let text = stdout(&output);
            let properties = text.lines().find(|line| line.starts_with("properties:"));
            assert!(properties.is_some_and(|line| line.contains(claims)), "{text}");
        }
    }
}

/// Fairness has one state and, if acceptance is on states, one more per condition.
#[test]
fn counts_and_shapes() {
    let answer = |to: &str, formula: &str| {
        let output = kermode(&["translate", formula, "--to", to, "--stats", "--json"]);
        json(stdout(&output))
    };
    let fair = answer("tgba", "G F a & G F b");
    assert_eq!(keys(&fair), ["command", "formula", "words", "automaton", "statistics"]);
    assert_eq!(
        keys(&fair["statistics"]),
        [
            "states",
            "edges",
            "transitions",
            "marks",
            "propositions",
            "components",
            "accepting_components",
            "class",
            "nondeterministic_states",
            "deterministic",
            "complete"
        ]
    );
    assert_eq!(
        (&fair["statistics"]["states"], &fair["statistics"]["marks"]),
        (&1.into(), &2.into())
    );
    let fair = answer("ba", "G F a & G F b");
    assert_eq!(
        (&fair["statistics"]["states"], &fair["statistics"]["marks"]),
        (&3.into(), &1.into())
    );
    let text = fair["automaton"].as_str().expect("a text");
    assert!(text.contains("acc-name: Buchi\n") && text.contains(" state-acc"), "{text}");
    let until = answer("tgba", "a U b");
    assert_eq!(until["statistics"]["class"], value!("terminal"));
    // A number of letters that is too large for a JSON number is a text.
    let many: Vec<String> = (0..70).map(|index| format!("p{index}")).collect();
    let wide = answer("tgba", &many.join(" | "));
    assert!(wide["statistics"]["transitions"].is_string(), "{}", wide["statistics"]);
    let output = kermode(&["translate", "a U b", "--to", "tgba", "--stats"]);
    assert!(
        stdout(&output).contains("--END--\n/* states: 2 */\n/* edges: "),
        "{}",
        stdout(&output)
    );
    let output = kermode(&["translate", "a U b", "--to", "ba", "--format", "dot", "--stats"]);
    assert!(stdout(&output).starts_with("digraph"), "{}", stdout(&output));
    assert!(stdout(&output).contains("\n// states: 2\n"), "{}", stdout(&output));
}

/// The paper's automaton of `p U (q U s)` has 3 nodes and 6 transitions; `--raw` reduces nothing.
#[test]
fn raw_is_what_the_paper_has() {
    let counts = |options: &[&str], formula: &str| {
        let args = [&["translate", formula, "--to", "tgba", "--stats", "--json"], options].concat();
        let answer = json(stdout(&kermode(&args)));
        (answer["statistics"]["states"].clone(), answer["statistics"]["edges"].clone())
    };
    assert_eq!(counts(&["--raw"], "p U (q U s)"), (3.into(), 6.into()));
    assert_eq!(counts(&["--raw"], "!(p U (q U s))").0, 4);
    assert_eq!(counts(&["--raw"], "F F F a").0, 4);
    assert_eq!(counts(&[], "F F F a").0, 2);
    assert_eq!(counts(&["--no-rewrite", "--raw"], "F F F a").0, 4);
}

/// Past operators become propositions, which the labels do not mention any more.
#[test]
fn past_operators_are_projected() {
    let output = kermode(&["translate", "G(a -> O b)", "--to", "tgba"]);
    assert!(stdout(&output).contains("\nAP: 2 \"a\" \"b\"\n"), "{}", stdout(&output));
    let (_folder, paths) = files(&[stdout(&output)]);
    for (word, verdict, status) in [
        ("b & !a; cycle{a & !b}", "accepted", 0),
        ("cycle{a & b}", "accepted", 0),
        ("!a & !b; cycle{a & !b}", "rejected", 1),
    ] {
        expect(&["eval", "-a", &paths[0], word], verdict, status);
    }
}

#[test]
fn usage() {
    for (args, complaint) in [
        (&["--to", "tgba", "--finite"][..], "`--to tgba` speaks about infinite words"),
        (&["--to", "ba", "--finite"], "`--to ba` speaks about infinite words"),
        (&["--to", "tgba", "--format", "alaska"], "ALASKA's syntax is for alternating automata"),
        (&["--to", "abw", "--low"], "go with `--to tgba`"),
        (&["--to", "afw", "--raw"], "go with `--to tgba`"),
        (&["--to", "abw", "--small"], "`--small` go with `--to tgba`"),
        (&["--to", "smv", "--complete"], "`--complete` goes with `--to tgba`"),
        (&["--to", "dfa", "--complete", "--trim"], "cannot be used with"),
        (&["--to", "tgba", "--small", "--deterministic"], "cannot be used with"),
        (&["--to", "tgba", "--small", "--low"], "cannot be used with"),
        (&["--to", "tgba", "--raw", "--high"], "cannot be used with"),
        (&["--to", "tgba", "--raw", "--rules", "eventual"], "cannot be used with"),
        (&["--to", "tgba", "--timeout", "soon"], "`soon` is not a time"),
    ] {
        let output = kermode(&[&["translate", "a U b"], args].concat());
        assert_eq!((stdout(&output), output.status.code()), ("", Some(2)), "{args:?}");
        assert!(stderr(&output).contains(complaint), "{}", stderr(&output));
    }
}

/// An automaton with `2^20` states.
fn large_formula() -> String {
    let parts: Vec<String> = (0..20).map(|i| format!("(F p{i} | G q{i})")).collect();
    parts.join(" & ")
}

#[test]
fn a_budget_ends_a_translation_and_no_other() {
    let large = large_formula();
    for (to, option, limit, reason) in [
        ("tgba", "--timeout", "0.3", "timeout"),
        ("ba", "--cpu", "0.3", "timeout"),
        ("tgba", "--memory", "1M", "memory"),
        ("abw", "--timeout", "0", "timeout"),
    ] {
        let output = kermode(&["translate", &large, "--to", to, option, limit]);
        assert_eq!((stdout(&output), output.status.code()), ("", Some(3)), "{to} {option}");
        let complaint = format!("error: unknown ({reason})\n --> <argument>:1:1\n");
        assert!(stderr(&output).starts_with(&complaint), "{}", stderr(&output));
    }
    let formulas = format!("a U b\n{large}\nF a\n");
    let args = ["translate", "-", "--to", "tgba", "--timeout", "0.5"];
    let output = kermode_reading(&args, formulas.as_bytes());
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).starts_with("error: unknown (timeout)\n --> <stdin>:2:1\n"));
    assert_eq!(stdout(&output).matches("--END--").count(), 2);
    assert!(stdout(&output).contains("/* line 2: error */\n/* line 3 */\nHOA: v1\n"));
    let output = kermode_reading(&[&args[..], &["--json"]].concat(), formulas.as_bytes());
    let answers: Vec<Value> = stdout(&output).lines().map(json).collect();
    assert_eq!(answers[1]["error"]["message"], "unknown (timeout)");
    assert!(answers[1].get("automaton").is_none() && answers[2]["automaton"].is_string());
}

#[test]
fn an_interrupt_ends_a_translation() {
    let args = ["translate", &large_formula(), "--to", "tgba", "--timeout", "60"];
    let output = kermode_interrupted(&args);
    assert_eq!((stdout(&output), output.status.code()), ("", Some(3)));
    assert!(stderr(&output).starts_with("error: unknown (cancelled)\n"), "{}", stderr(&output));
}
