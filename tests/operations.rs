//! `automaton` and `contains`: streams, errors in the place of results, exit statuses, JSON.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use kermode::{Decision, Operation, operate, same_language};

fn kermode(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kermode"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("kermode runs");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// A stream in which the second automaton has an error.
fn stream() -> String {
    let rabin = include_str!("../examples/rabin.hoa");
    let wrong = rabin.replace("[0] 0 {0}", "[7] 0 {0}");
    let buchi = include_str!("../examples/fairness.hoa");
    format!("{rabin}{wrong}{buchi}")
}

#[test]
fn an_error_in_a_stream_leaves_the_others() {
    let output = kermode(&["automaton", "-", "--complement"], &stream());
    assert_eq!(output.status.code(), Some(2));
    let written = text(&output.stdout);
    assert_eq!(written.matches("--END--").count(), 2, "{written}");
    assert!(written.contains(": error */"), "{written}");
    assert!(text(&output.stderr).contains("there is no proposition 7"), "{output:?}");
    let output = kermode(&["automaton", "-", "--json", "--stats"], &stream());
    let lines: Vec<serde_json::Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object"))
        .collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["statistics"]["states"], 2);
    assert_eq!(lines[1]["error"]["message"], "there is no proposition 7");
    assert_eq!(lines[2]["words"], "infinite");
}

#[test]
fn verdicts_and_their_statuses() {
    let [rabin, fairness] = ["examples/rabin.hoa", "examples/fairness.hoa"];
    let complement = text(&kermode(&["automaton", rabin, "--complement"], "").stdout).to_owned();
    let cases: [(&[&str], i32, &str); 7] = [
        (&["contains", "-", rabin], 1, "not contained"),
        (&["automaton", "-", "--equiv", rabin], 1, "not equivalent"),
        (&["automaton", rabin, "--equiv", rabin], 0, "equivalent"),
        (&["contains", rabin, rabin], 0, "contained"),
        (&["contains", fairness, "-", "--timeout", "0"], 3, "unknown (timeout)"),
        (&["contains", "examples/missing", rabin], 2, ""),
        (&["contains", "-", "-"], 2, ""),
    ];
    for (args, status, verdict) in cases {
        let output = kermode(&[args, &["-q"]].concat(), &complement);
        assert_eq!(output.status.code(), Some(status), "{args:?} {output:?}");
        assert_eq!(text(&output.stdout).trim(), verdict, "{args:?}");
    }
    let json = kermode(&["automaton", rabin, "--equiv", "-", "--json"], &complement);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("an object");
    assert_eq!((&json["equiv"], &json["accepts"][0]), (&"<stdin>".into(), &true.into()));
    assert_eq!(json["replayed"], true);
}

#[test]
fn finite_words_have_their_operations() {
    let translate = |formula: &str| {
        text(&kermode(&["translate", formula, "--to", "afw"], "").stdout).to_owned()
    };
    let automaton = translate("F a");
    let complement = kermode(&["automaton", "-", "--complement", "--reduce"], &automaton);
    assert_eq!(complement.status.code(), Some(0), "{complement:?}");
    assert!(text(&complement.stdout).contains("sAFW"));
    for (option, reason) in
        [("--l2s", "liveness to safety"), ("--relabel", "relabelling"), ("--format=hoa", "HOA")]
    {
        let output = kermode(&["automaton", "-", option], &automaton);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(text(&output.stderr).contains(reason), "{output:?}");
    }
    let mixed = kermode(&["contains", "examples/rabin.hoa", "-"], &automaton);
    assert_eq!(mixed.status.code(), Some(2));
    assert!(text(&mixed.stderr).contains("finite"), "{mixed:?}");
}

#[test]
fn the_library_does_what_the_command_does() {
    let rabin = include_str!("../examples/rabin.hoa");
    let complement = Operation { complement: true, ..Operation::default() };
    let once = operate(rabin, &complement).expect("a complement");
    let twice = operate(&once, &complement).expect("a complement");
    assert!(matches!(same_language(rabin, &twice), Ok(Decision::Yes(None))));
    assert!(matches!(same_language(rabin, &once), Ok(Decision::No(Some(_)))));
}

#[test]
fn options_of_questions_are_refused_without_one() {
    for option in ["--quiet", "--deterministic", "--race", "--engine=tgba:couvreur"] {
        let output = kermode(&["automaton", "examples/rabin.hoa", option], "");
        assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)), "{option}");
        assert!(text(&output.stderr).contains("goes with `--equiv`"), "{output:?}");
    }
}

/// Parallel edges of which one has all letters are written once, in every format.
#[test]
fn parallel_edges_are_written_once() {
    let parallel = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"a\" \"b\"\nAcceptance: 1 Inf(0)\n\
         --BODY--\nState: 0\n[0] 1\n[t] 1\n[0&1] 1\nState: 1 {0}\n[t] 1\n[t] 1\n--END--\n";
    let hoa = kermode(&["automaton", "-"], parallel);
    assert_eq!(text(&hoa.stdout).matches("\n[").count(), 2, "{hoa:?}");
    let alaska = kermode(&["automaton", "-", "--format", "alaska"], parallel);
    assert!(text(&alaska.stdout).contains("0 : \"1\"\n    , 1 : \"1\"\n"), "{alaska:?}");
    let finite = kermode(&["automaton", "-", "--l2s"], parallel);
    assert!(!text(&finite.stdout).contains("a &"), "{finite:?}");
}

/// Three locations of which one is in two at once. By ranks the complement takes 29 locations, and
/// the breakpoint construction of these does not end.
#[test]
fn alternating_automata_that_are_not_weak_are_complemented_without_ranks() {
    let alternating = "HOA: v1\nStates: 3\nStart: 0\nAP: 2 \"a\" \"b\"\n\
         Acceptance: 1 Inf(0)\n--BODY--\n\
         State: 0\n[0] 0 {0}\n[1 & 0] 0\n[0] 2\n[1 & !0] 1 {0}\n\
         State: 1\n[!0] 1\n[1 & !1] 2\n[t] 2\n[0 & 1] 0\n\
         State: 2\n[0 & 1] 0\n[!0] 1&2\n[1] 1\n--END--\n";
    let limit = ["-t", "20"];
    for kind in [["--to", "tgba"], ["--to", "ba"]] {
        let args = [&["automaton", "-", "--complement"][..], &kind, &limit].concat();
        let output = kermode(&args, alternating);
        assert_eq!(output.status.code(), Some(0), "{kind:?} {output:?}");
        let complement = text(&output.stdout).to_owned();
        assert!(!complement.contains("univ-branch"), "{complement}");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("complement.hoa");
        std::fs::write(&path, &complement).expect("a file");
        let path = path.to_str().expect("a plain path");
        // The two automata share no word, and every word is accepted by one of them.
        let both = kermode(&["empty", path, "--and", "-"], alternating);
        assert_eq!(text(&both.stdout), "empty\n", "{kind:?}");
        let args = ["automaton", path, "--or", "-", "--complement", "--to", "ba"];
        let neither = kermode(&[&args[..], &limit].concat(), alternating);
        let neither = kermode(&["empty", "-"], text(&neither.stdout));
        assert_eq!(text(&neither.stdout), "empty\n", "{kind:?}");
    }
    let engine = ["contains", "-", "examples/fairness.hoa", "--engine", "tgba:couvreur"];
    let output = kermode(&[&engine[..], &limit].concat(), alternating);
    assert!(text(&output.stdout).starts_with("not contained\n"), "{output:?}");
}

/// A deterministic Streett automaton with three pairs: its generalised Büchi automaton guesses, and
/// the complement of that one is out of reach.
#[test]
fn deterministic_containers_keep_their_condition() {
    let edge = |letter: usize| {
        let literal = |bit: usize| match letter >> bit & 1 {
            1 => bit.to_string(),
            _ => format!("!{bit}"),
        };
        let label: Vec<String> = (0..6).map(literal).collect();
        let sets: Vec<String> =
            (0..6).filter(|bit| letter >> bit & 1 == 1).map(|bit| bit.to_string()).collect();
        format!("[{}] 0 {{{}}}\n", label.join("&"), sets.join(" "))
    };
    let edges: String = (0..64).map(edge).collect();
    let streett = format!(
        "HOA: v1\nStates: 1\nStart: 0\nAP: 6 \"a\" \"b\" \"c\" \"d\" \"e\" \"f\"\n\
         acc-name: Streett 3\n\
         Acceptance: 6 (Fin(0) | Inf(1)) & (Fin(2) | Inf(3)) & (Fin(4) | Inf(5))\n\
         --BODY--\nState: 0\n{edges}--END--\n"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("streett.hoa");
    std::fs::write(&path, &streett).expect("a file");
    let path = path.to_str().expect("a plain path");
    let contained = kermode(&["contains", path, "-", "--engine", "tgba:couvreur"], &streett);
    assert_eq!((text(&contained.stdout), contained.status.code()), ("contained\n", Some(0)));
}

/// A condition that needs too many copies is no error of the text: what needs no copies works, and
/// the rest is unknown.
#[test]
fn a_condition_with_too_many_copies_is_a_limit() {
    let pair = |pair: usize| format!("(Fin({}) | Inf({}))", 2 * pair, 2 * pair + 1);
    let condition = (0..18).map(pair).collect::<Vec<_>>().join(" & ");
    let edges: String = (0..36).map(|set| format!("[t] 0 {{{set}}}\n")).collect();
    let streett = format!(
        "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"a\"\nAcceptance: 36 {condition}\n\
         --BODY--\nState: 0\n{edges}--END--\n"
    );
    let reason = "limit: the acceptance condition needs too many copies of the automaton";
    let empty = kermode(&["empty", "-"], &streett);
    let expected = format!("unknown ({reason})\n");
    assert_eq!((text(&empty.stdout), empty.status.code()), (expected.as_str(), Some(3)));
    let accepted = kermode(&["eval", "--automaton", "-", "cycle{a}"], &streett);
    assert_eq!((text(&accepted.stdout), accepted.status.code()), ("accepted\n", Some(0)));
    let reduced = kermode(&["automaton", "-", "--reduce", "--json"], &streett);
    let object: serde_json::Value = serde_json::from_slice(&reduced.stdout).expect("an object");
    assert_eq!((&object["verdict"], &object["reason"]), (&"unknown".into(), &reason.into()));
    assert!(object.get("error").is_none(), "{object}");
    assert_eq!(reduced.status.code(), Some(3));
}
