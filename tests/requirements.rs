//! Requirements as people write them: files with formulas, assumptions, comparisons.

#[allow(dead_code, reason = "not every test needs all helpers")]
mod command;

use command::{expect, kermode, kermode_reading, stderr, stdout};
use serde_json::{Value, json};

/// A folder with files of these names and texts, and their paths.
fn files<const N: usize>(texts: [(&str, &str); N]) -> (tempfile::TempDir, [String; N]) {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = texts.map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("a name").to_owned()
    });
    (folder, paths)
}

fn object(args: &[&str]) -> Value {
    let output = kermode(args);
    serde_json::from_str(stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)))
}

#[test]
fn a_file_goes_together_with_a_formula() {
    let text =
        "[G-02b]: G(trigger -> F response)\nFSM 1: G(response ->\n   !error);\nLM-012: G error\n";
    let (_folder, [path]) = files([("r.req", text)]);
    expect(&["sat", "-f", &path], "satisfiable", 0);
    expect(&["sat", "-f", &path, "F trigger"], "unsatisfiable", 1);
    expect(&["implies", "-f", &path, "G !trigger"], "implied", 0);
    expect(&["implies", "-f", &path, "F trigger"], "not implied", 1);
    expect(&["equiv", "-f", &path, "G(!trigger & !response & error)"], "equivalent", 0);
    expect(&["equiv", "-f", &path, "G error"], "not equivalent", 1);
    let output = kermode(&["sat", "--each", "--witness", "none", "-f", &path]);
    assert_eq!(stdout(&output), "G-02b: satisfiable\nFSM 1: satisfiable\nLM-012: satisfiable\n");
    assert_eq!(kermode(&["sat", "--each", "-f", &path, "F trigger"]).status.code(), Some(2));
    assert_eq!(kermode(&["implies", "-f", &path, "a", "b"]).status.code(), Some(2));
}

#[test]
fn several_files_are_meant_together() {
    let (_folder, [first, second, plain]) =
        files([("a.req", "a: G p\n"), ("b.req", "b: F(q & r)\n"), ("c.ltl", "F !p\nG r;\n")]);
    expect(&["sat", "-f", &first, "-f", &second], "satisfiable", 0);
    expect(&["sat", "-f", &first, "-f", &second, "G !q"], "unsatisfiable", 1);
    expect(&["sat", "-f", &first, "-f", &plain, "--conjoin"], "unsatisfiable", 1);
    expect(&["sat", "-f", &plain, "--conjoin"], "satisfiable", 0);
    expect(&["sat", "-f", &plain, "G p", "--quiet"], "unsatisfiable", 1);
    expect(&["implies", "-f", &first, "-f", &second, "F(p & q)"], "implied", 0);
    expect(&["implies", "-f", &first, "-f", &second], "not implied", 1);
    let output = kermode(&["sat", "--witness", "none", "-f", &first, "-f", &plain]);
    let expected = format!("satisfiable\n{plain}:1: satisfiable\n{plain}:2: satisfiable\n");
    assert_eq!(stdout(&output), expected);
}

#[test]
fn assumptions_leave_words_out() {
    expect(&["sat", "F a", "--assume", "G !a"], "unsatisfiable", 1);
    expect(&["valid", "G F a", "--assume", "F G a"], "valid", 0);
    expect(&["valid", "G F a", "--assume", "F a", "--assume", "G(a -> X a)"], "valid", 0);
    expect(&["valid", "G F a", "--assume", "F a"], "not valid", 1);
    expect(&["implies", "F a", "F b", "--assume", "G(a -> b)"], "implied", 0);
    expect(&["equiv", "F a", "F b", "--assume", "G(a <-> b)"], "equivalent", 0);
    let output = kermode_reading(
        &["sat", "-", "--each", "--quiet", "--assume", "G !a"],
        b"r: F a\ns: F b\n",
    );
    assert_eq!(stdout(&output), "unsatisfiable\nsatisfiable\n");
    let output = kermode(&["sat", "F a", "--assume", "G ("]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("<assume>:1:4"), "{}", stderr(&output));
    assert_eq!(object(&["sat", "F a", "--json", "--assume", "G a"])["assume"], json!(["G a"]));
}

#[test]
fn comparisons_bring_assumptions_that_the_answer_names() {
    let nusmv = |args: &[&str], verdict: &str, status: i32| {
        expect(&[args, &["--syntax", "nusmv"]].concat(), verdict, status);
        let finite = [args, &["--syntax", "nusmv", "--finite"]].concat();
        expect(&finite, verdict, status);
    };
    nusmv(&["implies", "G x < 3", "G x < 5"], "implied", 0);
    nusmv(&["implies", "G x < 3", "G x < 5", "--independent-atoms"], "not implied", 1);
    nusmv(&["sat", "F(x <= 3 & x = 4)"], "unsatisfiable", 1);
    nusmv(&["sat", "F(mode = landing & mode = taxi)"], "unsatisfiable", 1);
    nusmv(&["sat", "F(mode = landing & !(mode != taxi))"], "unsatisfiable", 1);
    nusmv(&["valid", "G(x > 5 -> x >= 5)"], "valid", 0);
    nusmv(&["valid", "x < 3 | x > 1"], "valid", 0);
    nusmv(&["equiv", "x <= 3 & !(x < 3)", "x = 3"], "equivalent", 0);
    nusmv(&["sat", "F(x + 1 <= y & y < x)"], "satisfiable", 0);
    let output = kermode(&["implies", "G x < 3", "G x < 5", "--syntax", "nusmv"]);
    assert_eq!(stdout(&output), "implied\n  assuming G(\"x < 3\" -> \"x < 5\")\n");
    assert_eq!(stderr(&output), "");
    let answer = object(&["sat", "F(x <= 3 & x = 4)", "--json", "--syntax", "nusmv"]);
    assert_eq!(answer["assumptions"], json!(["G(\"x = 4\" -> !\"x <= 3\")"]));
    let (_folder, [path]) = files([("r.req", "a: G x < 3\nb: G(p(y) -> y <= x)\n")]);
    expect(&["implies", "-f", &path, "G x < 5"], "implied", 0);
    expect(&["sat", "-f", &path, "--assume", "F x > 7"], "unsatisfiable", 1);
}

#[test]
fn a_note_names_independent_atoms_once() {
    let text = b"a: G x + 1 <= y\nb: F preBool(init, p)\nc: F u < v\n";
    for each in [&[][..], &["--each"]] {
        let output = kermode_reading(&[&["sat", "-"], each].concat(), text);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(stderr(&output).matches("note:").count(), 1, "{}", stderr(&output));
        assert!(stderr(&output).contains("`x + 1 <= y`"), "{}", stderr(&output));
    }
    let output = kermode_reading(&["sat", "-", "--independent-atoms"], text);
    assert_eq!(stderr(&output), "");
}

#[test]
fn the_last_position_is_that_of_finite_words() {
    let file = b"a: F(last & done)\nb: G(LAST -> !done)\n";
    let output = kermode_reading(&["sat", "--finite", "-"], file);
    assert_eq!(stdout(&output), "unsatisfiable\n");
    expect(&["equiv", "--finite", "--syntax", "nusmv", "F LAST", "TRUE"], "equivalent", 0);
    let output = kermode(&["sat", "--syntax", "nusmv", "F last"]);
    assert_eq!(stdout(&output), "unsatisfiable\n");
    assert!(stderr(&output).contains("infinite words have no last position"));
}

#[test]
fn eval_has_a_verdict_for_each_requirement() {
    let text = "first: G(a ->\n  X b)\n[R 2]: F c\nlimit: O[0,4000000000] a\n";
    let (_folder, [path]) = files([("r.req", text)]);
    let output = kermode(&["eval", "-f", &path, "a & !b & !c; cycle{b}"]);
    let verdicts: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(verdicts[..2], ["first: satisfied", "R 2: not satisfied"]);
    assert!(verdicts[2].starts_with("limit: unknown (limit: "), "{}", verdicts[2]);
    assert_eq!(output.status.code(), Some(1));
    let output = kermode(&["eval", "--json", "-f", &path, "a & !b & !c; cycle{b}"]);
    let line = stdout(&output).lines().nth(1).expect("a line");
    let object: Value = serde_json::from_str(line).expect("JSON");
    assert_eq!((&object["name"], &object["verdict"]), (&json!("R 2"), &json!("not satisfied")));
    assert_eq!(object["line"], 3);
    let (_folder, [broken]) = files([("b.req", "a: G (\nb: F x\n")]);
    let output = kermode(&["eval", "-f", &broken, "cycle{x}"]);
    assert_eq!(stdout(&output), "a: error\nb: satisfied\n");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn errors_in_later_lines_of_a_requirement_have_their_line() {
    let output = kermode_reading(&["sat", "--json", "--each", "-"], b"a: G(x ->\n  y @ z)\n");
    let json: Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!((&json["error"]["line"], &json["error"]["column"]), (&json!(2), &json!(5)));
}
