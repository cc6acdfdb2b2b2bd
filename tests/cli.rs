//! The command: verdicts, exit status, inputs, budgets, signals.

mod command;

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use command::{expect, kermode, kermode_interrupted, kermode_reading, stderr, stdout};

#[test]
fn facts_of_the_logic() {
    expect(&["sat", "!(a W b) & G a"], "unsatisfiable", 1);
    expect(&["sat", "GF a & GF !a", "--syntax", "spot"], "satisfiable", 0);
    expect(&["sat", "G F a & G F !a"], "satisfiable", 0);
    expect(&["sat", "--finite", "G X true"], "unsatisfiable", 1);
    expect(&["sat", "G X true"], "satisfiable", 0);
    expect(&["valid", "--finite", "G N true"], "valid", 0);
    expect(&["valid", "--finite", "X true"], "not valid", 1);
    expect(&["equiv", "F a", "true U a"], "equivalent", 0);
    expect(&["equiv", "X a", "N a"], "equivalent", 0);
    expect(&["equiv", "--finite", "X a", "N a"], "not equivalent", 1);
    expect(&["implies", "G a", "F a"], "implied", 0);
    expect(&["implies", "F a", "G a"], "not implied", 1);
    expect(&["sat", "X false"], "unsatisfiable", 1);
    expect(&["sat", "O[2,2] a & !X true"], "unsatisfiable", 1);
    expect(&["sat", "--finite", "F(O[2,2] a & !X true)"], "satisfiable", 0);
    expect(&["sat", "Y true"], "unsatisfiable", 1);
    expect(&["valid", "Z false"], "valid", 0);
}

#[test]
fn operators_are_whole_tokens_unless_spot_says_otherwise() {
    let count = |args: &[&str]| {
        let output = kermode(args);
        let line = stdout(&output).lines().find(|line| line.starts_with("# propositions"));
        line.map(str::to_owned)
    };
    let two = count(&["convert", "--stats", "u <-> !(Xu)"]);
    assert_eq!(two.as_deref(), Some("# propositions: 2"));
    let one = count(&["convert", "--stats", "--syntax", "spot", "u <-> !(Xu)"]);
    assert_eq!(one.as_deref(), Some("# propositions: 1"));
}

#[test]
fn the_word_that_is_shown_proves_the_answer() {
    let output = kermode(&["implies", "F a", "G a", "--word-format", "spot"]);
    let word = stdout(&output).lines().last().expect("a word").trim().to_owned();
    expect(&["eval", "F a", &word], "satisfied", 0);
    expect(&["eval", "G a", &word], "not satisfied", 1);

    let output = kermode(&["sat", "--json", "G(a -> X !a) & G F a"]);
    let json: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!(json["verdict"], "satisfiable");
    assert_eq!(json["replayed"], true);
    expect(&["eval", "G(a -> X !a) & G F a", &json["witness"].to_string()], "satisfied", 0);
}

#[test]
fn a_syntax_error_shows_the_caret_and_exits_2() {
    let output = kermode(&["sat", "a & ("]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "");
    let shown: Vec<&str> = stderr(&output).lines().collect();
    assert_eq!(shown[1], " --> <argument>:1:6");
    assert_eq!(shown[3], "1 | a & (");
    assert!(shown[4].starts_with("  |      ^"), "{}", shown[4]);
}

#[test]
fn usage_errors_exit_2() {
    for args in [
        &["sat"][..],
        &["sat", "a", "--engine", "no:such"],
        &["sat", "a", "--engine", "reference:enumerate:letters=many"],
        &["sat", "a", "--engine", "reference:enumerate:letters=1:letters=2"],
        &["sat", "a", "--engine", "reference:tableau:letters=1"],
        &["sat", "a", "--timeout", "soon"],
        &["sat", "a", "--memory", "4X"],
        &["sat", "a", "--json", "--quiet"],
        &["sat", "-f", "no/such/file"],
        &["equiv", "a"],
        &["eval", "a"],
        &["eval", "a", "cycle{}"],
        &["eval", "a & (", "cycle{a}"],
        &["frobnicate"],
    ] {
        let output = kermode(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(stdout(&output), "", "{args:?}");
        assert!(!stderr(&output).is_empty(), "{args:?}");
        assert!(!stderr(&output).contains("internal error"), "{args:?}");
    }
}

#[test]
fn lines_are_decided_in_order_and_errors_keep_their_place() {
    let input = b"a & X b\n# a comment\n\na & !a\n(b\n-- another\nF c\n";
    let output = kermode_reading(&["sat", "--quiet", "-"], input);
    assert_eq!(stdout(&output), "satisfiable\nunsatisfiable\nerror\nsatisfiable\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("<stdin>:5:1"));

    let output = kermode_reading(&["sat", "--json", "-"], input);
    let objects: Vec<serde_json::Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let lines: Vec<_> = objects.iter().map(|object| object["line"].clone()).collect();
    assert_eq!(lines, [1, 4, 5, 7]);
    assert_eq!(objects[2]["error"]["column"], 1);
}

#[test]
fn all_errors_of_a_file_are_reported_together() {
    let output = kermode_reading(&["sat", "-"], b"a &\nb\n(c\n");
    let places = ["<stdin>:1:4", "<stdin>:3:1"];
    assert!(places.iter().all(|place| stderr(&output).contains(place)), "{}", stderr(&output));
}

#[test]
fn the_gravest_status_counts() {
    for (input, status) in [
        ("a\nb\n", 0),
        ("a\nb & !b\n", 1),
        ("a & !a\n)\n", 2),
        ("a\nG F a & G(a -> X[25] !a) & F G(b | X[30] b)\n", 3),
        ("a & !a\nX[25] X[25] !a & X[50] a\n", 1),
    ] {
        let output =
            kermode_reading(&["sat", "-", "--engine", "reference:tableau"], input.as_bytes());
        assert_eq!(output.status.code(), Some(status), "{input}");
    }
}

#[test]
fn requirements_are_one_conjunction_unless_each_is_asked_for() {
    let file = b"first: G a\nsecond: F !a\n";
    let together = kermode_reading(&["sat", "-"], file);
    assert_eq!(stdout(&together), "unsatisfiable\n");
    let each = kermode_reading(&["sat", "-", "--each", "--witness", "none"], file);
    assert_eq!(stdout(&each), "first: satisfiable\nsecond: satisfiable\n");
    let broken = kermode_reading(&["sat", "-"], b"first: G a\nsecond: F (\nG b\n");
    assert_eq!(stdout(&broken), "");
    assert_eq!(broken.status.code(), Some(2));
    assert!(stderr(&broken).contains("<stdin>:2:12"));
    assert!(stderr(&broken).contains("<stdin>:3:1"));
}

#[test]
fn whole_reads_one_formula_over_many_lines() {
    let output =
        kermode_reading(&["sat", "--whole", "--quiet", "-"], b"G(a\n  -> F b) -- why\n& a\n");
    assert_eq!(stdout(&output), "satisfiable\n");
    let lines = kermode_reading(&["sat", "--quiet", "-"], b"G(a\n  -> F b) -- why\n& a\n");
    assert_eq!(lines.status.code(), Some(2));
}

#[test]
fn pairs_may_come_from_standard_input() {
    let output = kermode_reading(&["equiv", "-"], b"F a\ntrue U a\n");
    assert_eq!(stdout(&output), "equivalent\n");
    let output = kermode_reading(&["equiv", "-"], b"F a\n");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn bytes_that_are_no_text_are_an_error_with_a_place() {
    let output = kermode_reading(&["sat", "-"], b"a\nb \xff c\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("<stdin>:2:3"), "{}", stderr(&output));
    let marked = kermode_reading(&["sat", "-", "--quiet"], "\u{feff}a\r\nb & !b\r\n".as_bytes());
    assert_eq!(stdout(&marked), "satisfiable\nunsatisfiable\n");
    let empty = kermode_reading(&["sat", "-"], b"# nothing\n");
    assert_eq!(empty.status.code(), Some(2));
}

#[test]
fn nesting_of_300_000_ends_in_a_verdict_or_a_clear_unknown() {
    let depth = 300_000;
    let nested =
        |open: &str, close: &str| format!("{}a{}", open.repeat(depth), close.repeat(depth));
    for (formula, expected) in [
        (nested("(", ")"), "satisfiable"),
        (nested("!", ""), "satisfiable"),
        (nested("X ", ""), "satisfiable"),
        (nested("G(a & ", ")"), "satisfiable"),
        (nested("O ", "") + " & !a", "unsatisfiable"),
        (nested("(b S ", ")") + " & !a", "unsatisfiable"),
    ] {
        let output = kermode_reading(&["sat", "--timeout", "10", "-"], formula.as_bytes());
        let verdict = stdout(&output).lines().next().unwrap_or_default().to_owned();
        let clear = verdict == expected || verdict.starts_with("unknown (");
        assert!(clear, "{verdict} {:?} {}", output.status, stderr(&output));
    }
    for broken in ["(".repeat(depth), ")".repeat(depth), nested("(", "")] {
        let output = kermode_reading(&["sat", "-"], broken.as_bytes());
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stderr.len() < 2000);
    }
}

#[test]
fn budgets_end_the_work() {
    // Twelve propositions and no word: enumeration would never end.
    let hard = "G(a & b & c & d & e & f) & F(!a & g & h & i & j & k & l)";
    let engine = "reference:enumerate:letters=20:words=18446744073709551615";
    for (option, reason) in [("--timeout", "timeout"), ("--cpu", "timeout")] {
        let output = kermode(&["sat", hard, "--engine", engine, option, "0.3"]);
        assert_eq!(stdout(&output), format!("unknown ({reason})\n"));
        assert_eq!(output.status.code(), Some(3));
    }
    let output = kermode(&["sat", hard, "--engine", engine, "--memory", "1M"]);
    assert_eq!(stdout(&output), "unknown (memory)\n");
}

#[test]
fn an_interrupt_ends_the_work_with_unknown_cancelled() {
    let hard = "G(a & b & c & d & e & f) & F(!a & g & h & i & j & k & l)";
    let engine = "reference:enumerate:letters=20:words=18446744073709551615";
    let output = kermode_interrupted(&["sat", hard, "--engine", engine, "--timeout", "60"]);
    assert_eq!(stdout(&output), "unknown (cancelled)\n");
    assert_eq!(output.status.code(), Some(3));
}

/// One transition whose diagram takes many seconds, in operations that do not check a budget.
fn automaton_that_takes_long() -> String {
    let names: Vec<String> = (0..20_000).map(|index| format!("p{index}")).collect();
    format!(
        "(automaton_type=\"sABW\",locations=[0],propositions=[\"{}\"],initial_constraint=\"0\",\
         accepting_locations=[0],transition_function={{0:\"{} & 0\"}})",
        names.join("\",\""),
        names.join(" & ")
    )
}

#[test]
fn an_interrupt_is_heeded_without_limits_while_an_engine_is_busy() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kermode"))
        .args(["empty", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("kermode runs");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    stdin.write_all(automaton_that_takes_long().as_bytes()).expect("kermode reads");
    drop(stdin);
    std::thread::sleep(Duration::from_secs(3));
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.expect("kill runs").success());
    // A process that does not react is killed in the end, without output.
    for _ in 0..300 {
        if child.try_wait().expect("kermode is there").is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let _ = child.kill();
    let output = child.wait_with_output().expect("kermode ends");
    assert_eq!(stdout(&output), "unknown (cancelled)\n");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let formulas = "F a\n".repeat(20_000);
    let mut child = Command::new(env!("CARGO_BIN_EXE_kermode"))
        .args(["sat", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("kermode runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(formulas.as_bytes()).expect("all is fed");
    drop(stdin);
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("kermode ends");
    assert_eq!(stderr(&output), "");
    // No answer was printed: neither yes nor no.
    assert_eq!(output.status.code(), Some(141));
}

#[test]
fn a_word_that_is_not_wanted_or_too_long_is_left_out() {
    let output = kermode(&["sat", "!a & X(!a & X X a)", "--witness-limit", "2"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("the word is left out"), "{}", stdout(&output));
    let output = kermode(&["sat", "!a & X(!a & X X a)", "--witness-limit", "2", "--json"]);
    let json: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!((&json["replayed"], &json["verdict"]), (&false.into(), &"satisfiable".into()));
    let output = kermode(&["sat", "X X X a", "--witness", "none"]);
    assert_eq!(stdout(&output), "satisfiable\n");
}

#[test]
fn short_tables_say_what_they_leave_out() {
    let short = kermode(&["sat", "X[300] a & G(a -> X G !a)", "--engine", "reference:enumerate"]);
    assert_eq!(short.status.code(), Some(3), "nothing that short will do");
    let word = format!("{}a; cycle{{!a}}", "!a; ".repeat(200));
    let short = kermode(&["eval", "F a", &word]);
    assert!(stdout(&short).contains("more letters, then back to 201"), "{}", stdout(&short));
    let full = kermode(&["eval", "F a", &word, "--full"]);
    assert!(!stdout(&full).contains("more letters"));
    assert!(stdout(&full).lines().count() > 20);
}

#[test]
fn eval_reads_all_forms_of_words_and_warns_of_what_they_do_not_mention() {
    for word in [
        "a & !b; cycle{!a & b}",
        "initial part :\n[a, !b]\nomega loop :\n[!a, b]\n",
        r#"{"prefix": [["a"]], "loop": [["b"]]}"#,
    ] {
        expect(&["eval", "a & X G b", word], "satisfied", 0);
    }
    expect(&["eval", "a & X G b & !X X true", "a; b"], "satisfied", 0);
    expect(&["eval", "Xa", "!a; a", "--syntax", "spot"], "satisfied", 0);
    expect(&["eval", "Xfalse", "a", "--syntax", "spot"], "satisfied", 0);
    expect(&["eval", "X[!]false", "a", "--syntax", "spot"], "not satisfied", 1);
    let output = kermode(&["eval", "F aa", "cycle{a}"]);
    assert!(stderr(&output).contains("does not speak of `aa`"), "{}", stderr(&output));
}

#[test]
fn eval_marks_where_each_subformula_holds() {
    let output = kermode(&["eval", "Y a", "cycle{a; !a}", "--json"]);
    let json: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!(json["verdict"], "not satisfied");
    // The first pass through the loop is special: no position precedes it.
    assert_eq!(json["positions"], 4);
    assert_eq!(json["loop_start"], 2);
    assert_eq!(json["subformulas"][1], serde_json::json!({ "formula": "Y a", "holds": [1, 3] }));
}

#[test]
fn convert_says_what_a_dialect_cannot_express() {
    let output = kermode_reading(&["convert", "-", "--to", "spin"], b"a W b\nY a\n");
    assert_eq!(stdout(&output), "b V (a || b)\nerror\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("<stdin>:2"), "{}", stderr(&output));
    let output = kermode(&["convert", "--expand", "bounded", "F[0,4000000000] a"]);
    assert_eq!(output.status.code(), Some(3));
    // In negation normal form this is a tree of some 2^60 nodes, of which few are distinct.
    let equivalences: Vec<String> = (0..60).map(|i| format!("p{i}")).collect();
    let output = kermode(&["convert", "--nnf", &equivalences.join(" <-> ")]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("nodes, more than"), "{}", stderr(&output));
}

#[test]
fn completions_and_manual_pages_are_made() {
    for shell in ["bash", "zsh", "fish"] {
        let output = kermode(&["completions", shell]);
        assert!(output.status.success() && stdout(&output).contains("kermode"));
    }
    let output = kermode(&["man"]);
    assert!(stdout(&output).contains(".TH kermode"));
}

#[test]
fn no_colour_where_there_is_no_terminal() {
    let output = kermode(&["sat", "a & ("]);
    assert!(!stderr(&output).contains('\u{1b}'));
    assert!(!stdout(&kermode(&["sat", "a"])).contains('\u{1b}'));
}

#[test]
fn names_with_any_characters_survive() {
    let name = "\"a\u{1b}[31m\u{1}b\"";
    let output = kermode(&["convert", name]);
    assert_eq!(stdout(&output), format!("{name}\n"));
    let output = kermode(&["sat", &format!("{name} & !\"ab\""), "--word-format", "spot"]);
    let word = stdout(&output).lines().last().expect("a word").trim().to_owned();
    expect(&["eval", &format!("{name} & !\"ab\""), &word], "satisfied", 0);
    let table = kermode(&["sat", "\"a\\nb\" & \"\" & X"]);
    assert_eq!(table.status.code(), Some(2), "an operator without operand");
    let table = kermode(&["sat", "\"a\\nb\" & \"\" & \"X\""]);
    let labels: Vec<&str> =
        stdout(&table).lines().skip(3).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(labels, ["\"a\\nb\"", "\"\"", "\"X\""]);
}

#[test]
fn a_misspelt_option_is_not_a_formula() {
    for args in [&["sat", "--finit", "F a"][..], &["equiv", "a", "--jsn"], &["eval", "a", "--ful"]]
    {
        let output = kermode(args);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("unexpected argument"), "{}", stderr(&output));
    }
}

#[test]
fn mixtures_and_second_names_leave_nothing_to_decide() {
    let mixture = kermode_reading(&["sat", "-"], b"F a\nr1: G b\n");
    assert_eq!((stdout(&mixture), mixture.status.code()), ("", Some(2)));
    let twice = kermode_reading(&["sat", "--each", "--quiet", "-"], b"r: F a\nr: G b\n");
    assert_eq!((stdout(&twice), twice.status.code()), ("satisfiable\nerror\n", Some(2)));
}

#[test]
fn every_command_tells_programs_of_bad_input() {
    for args in [
        &["sat", "a & ("][..],
        &["equiv", "a", "b &"],
        &["eval", "a & (", "cycle{a}"],
        &["eval", "a", "cycle{}"],
        &["convert", "a & ("],
    ] {
        let output = kermode(&[args, &["--json"]].concat());
        let json: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
        assert!(json["error"]["message"].is_string(), "{args:?}: {json}");
        assert!(json["error"]["column"].is_number(), "{args:?}: {json}");
        assert_eq!(output.status.code(), Some(2));
    }
    let output = kermode_reading(&["sat", "--json", "-"], b"first: a\nsecond: (b\n");
    let json: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!((&json["error"]["line"], &json["error"]["column"]), (&2.into(), &9.into()));
}

#[test]
fn eval_takes_formula_and_word_from_where_they_are() {
    let output = kermode_reading(&["eval", "-", "cycle{a}"], b"G\n a");
    assert_eq!(stdout(&output).lines().next(), Some("satisfied"));
    let output = kermode_reading(&["eval", "G a", "-"], b"cycle{!a}");
    assert_eq!(stdout(&output).lines().next(), Some("not satisfied"));
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/lasso.word");
    expect(&["eval", "G(a -> X b)", "--word-file", file], "satisfied", 0);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/response.ltl");
    expect(&["eval", "--file", file, "cycle{request & grant}"], "satisfied", 0);
    expect(
        &["eval", "O[0,4000000000] a", "cycle{a}"],
        "unknown (limit: past operators reach over 4000000001 positions)",
        3,
    );
}

#[test]
fn eval_shows_the_outermost_subformulas_first_of_all() {
    let parts: Vec<String> = (0..60).map(|i| format!("p{i}")).collect();
    let output = kermode(&["eval", &parts.join(" & "), "cycle{p0}"]);
    let last_row = stdout(&output).lines().rev().nth(1).expect("a row");
    assert!(last_row.trim_start().starts_with("p0 & p1"), "{last_row}");
}

#[test]
fn many_errors_are_told_in_one_pass() {
    let output = kermode_reading(&["sat", "--json", "-"], "a & (\n".repeat(30_000).as_bytes());
    assert_eq!(stdout(&output).lines().count(), 30_000);
    let last: serde_json::Value =
        serde_json::from_str(stdout(&output).lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["error"]["line"], 30_000);
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let full = std::path::Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    for args in [&["sat", "a"][..], &["completions", "bash"], &["man"]] {
        let device = std::fs::OpenOptions::new().write(true).open(full).expect("a device");
        let output = Command::new(env!("CARGO_BIN_EXE_kermode")).args(args).stdout(device).output();
        let output = output.expect("kermode runs");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn propositions_that_remember_are_fresh_in_the_whole_file() {
    let file = b"r1: Y a | X Y a\nr2: Y b | G !Y b\nr3: X a & G !b\n";
    let before = kermode_reading(&["sat", "--quiet", "-"], file);
    let expanded = kermode_reading(&["convert", "--expand", "past", "-"], file);
    let after = kermode_reading(&["sat", "--quiet", "-"], &expanded.stdout);
    assert_eq!((stdout(&before), stdout(&after)), ("satisfiable\n", "satisfiable\n"));
}

#[test]
fn rules_are_chosen_and_contradictions_refused() {
    expect(&["convert", "--simplify", "F F a & X X true"], "F a", 0);
    expect(
        &["convert", "--simplify", "--rules", "same-operands", "F F a & X true"],
        "F a & X true",
        0,
    );
    expect(&["convert", "--simplify", "--rules", "none", "F F a"], "F F a", 0);
    expect(&["sat", "--engine", "preprocess:only", "G F p"], "satisfiable", 0);
    expect(
        &["sat", "--engine", "preprocess:only", "--no-rewrite", "G F p"],
        "unknown (limit: preprocessing does not settle it)",
        3,
    );
    for args in [
        &["convert", "--simplify", "--rules", "split", "a"][..],
        &["convert", "--simplify", "--rules", "no-such", "a"],
        &["sat", "--engine", "reference:auto", "--rules", "eventual", "a"],
        &["sat", "--rules", "no-such", "a"],
        &["sat", "--no-rewrite", "--engine", "preprocess:only:rules=all", "a"],
        &["sat", "--no-rewrite", "--rules", "eventual", "a"],
    ] {
        assert_eq!(kermode(args).status.code(), Some(2), "{args:?}");
    }
}
