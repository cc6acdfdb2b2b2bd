//! `--core` and `--all-cores`: names, JSON, all questions, budgets, and the requirements of FRET.

#[allow(dead_code, reason = "not every test needs all helpers")]
mod command;

use std::path::Path;

use command::{expect, kermode, kermode_reading, stderr, stdout};
use serde_json::{Value, json};

fn object(output: &std::process::Output) -> Value {
    serde_json::from_str(stdout(output)).unwrap_or_else(|_| panic!("{}", stderr(output)))
}

/// The names, or else the formulas, of the members of each core.
fn cores(answer: &Value) -> Vec<Vec<String>> {
    let name = |member: &Value| {
        let name = member.get("name").unwrap_or(&member["formula"]);
        name.as_str().expect("a name").to_owned()
    };
    let cores = answer["cores"].as_array().expect("cores");
    let members =
        |core: &Value| core["members"].as_array().expect("members").iter().map(name).collect();
    cores.iter().map(members).collect()
}

#[test]
fn requirements_have_names() {
    let text = b"# comment\na: G F p\nb: G(q -> r)\n\nc: F G !p\n";
    let output = kermode_reading(&["sat", "--core", "--json", "-"], text);
    assert_eq!(output.status.code(), Some(1));
    let answer = object(&output);
    assert_eq!(cores(&answer), [["a", "c"]]);
    let core = &answer["cores"][0];
    assert_eq!((&core["members"][1]["line"], &core["minimal"]), (&json!(5), &json!(true)));
    assert!(core["confirmed_by"].is_string() && core["members"][0]["without"].is_object());
}

#[test]
fn every_question_is_explained() {
    expect(&["sat", "--core", "F a & G b"], "satisfiable", 0);
    expect(&["sat", "--core", "--quiet", "F a & G !a"], "unsatisfiable", 1);
    expect(&["valid", "--core", "G a -> F a"], "valid", 0);
    expect(&["valid", "--core", "F a"], "not valid", 1);
    expect(&["implies", "--core", "F a", "G a"], "not implied", 1);
    let answer = object(&kermode(&["implies", "--core", "--json", "a & b & G c", "F c"]));
    assert_eq!(cores(&answer), [["G c", "not the conclusion"]]);
    let answer = object(&kermode(&["equiv", "--core", "--json", "F a", "true U a"]));
    assert_eq!(answer["verdict"], "equivalent");
    assert_eq!(answer["directions"].as_array().map(Vec::len), Some(2));
    expect(&["equiv", "--core", "F a", "G a"], "not equivalent", 1);
    expect(&["sat", "--finite", "--core", "X a & !X true"], "unsatisfiable", 1);
}

#[test]
fn assumptions_are_no_conjuncts() {
    let args = ["sat", "--all-cores", "--json", "F a & F b", "--assume", "G !a"];
    assert_eq!(cores(&object(&kermode(&args))), [["F a"]]);
}

#[test]
fn any_engine_will_do() {
    for engine in ["tgba:couvreur", "antichain:backward", "symbolic:nnf/sloppy/gba/default"] {
        let args = ["sat", "--all-cores", "--json", "-e", engine, "F a & G !a & G b & F !b"];
        let answer = object(&kermode(&args));
        assert_eq!(cores(&answer), [["F a", "G !a"], ["G b", "F !b"]], "{engine}");
        assert_eq!(answer["corrections"].as_array().map(Vec::len), Some(4));
        assert_eq!(answer["complete"], json!(true));
    }
}

#[test]
fn a_budget_that_is_too_small_is_said() {
    let output = kermode(&["sat", "--core", "--timeout", "0", "F a & G !a"]);
    assert_eq!(stdout(&output), "unknown (timeout)\n");
    assert_eq!(output.status.code(), Some(3));
}

/// One requirement of each project is contradicted by a new one.
#[test]
fn contradictions_in_the_requirements_of_fret_are_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/bench/requirements/fret");
    let Ok(text) = std::fs::read_to_string(folder.join("liquid-mixer.json")) else {
        eprintln!("skipped: {} is absent", folder.display());
        return;
    };
    let json: Value = serde_json::from_str(&text).expect("JSON");
    let line = |requirement: &Value| {
        let formula = requirement["semantics"]["ftInfAUExpanded"].as_str()?;
        Some(format!("{}: {formula}\n", requirement["reqid"].as_str()?))
    };
    let list = json["requirements"].as_array().expect("requirements");
    let lines: Vec<String> = list.iter().filter_map(line).collect();
    for line in &lines {
        let (name, formula) = line.split_once(": ").expect("a name");
        let all = format!("{}new: !({})\n", lines.concat(), formula.trim());
        let args = ["sat", "--all-cores", "--json", "--syntax", "nusmv", "-"];
        let answer = object(&kermode_reading(&args, all.as_bytes()));
        let found = cores(&answer);
        assert!(found.iter().take(5).any(|core| *core == [name, "new"]), "{name}: {found:?}");
    }
}
