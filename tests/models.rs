//! `kermode model`: views of a model, options, errors.

#[allow(dead_code, reason = "each test uses a part")]
mod command;

use command::{kermode, kermode_reading};
use serde_json::Value;

const MUTEX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/mutex.smv");

/// A counter that ends.
const ENDS: &[u8] = b"MODULE main VAR x : 0..9; INIT x = 0 TRANS next(x) = x + 1";

fn output(args: &[&str], input: &[u8]) -> (i32, String, String) {
    let output = kermode_reading(&[&["model", "-"], args].concat(), input);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("a status"), text(&output.stdout), text(&output.stderr))
}

fn json(args: &[&str], input: &[u8]) -> Value {
    let (_, out, err) = output(&[args, &["--json"]].concat(), input);
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"))
}

#[test]
fn dead_ends_are_counted_and_warned_about() {
    let (status, out, err) = output(&["--stats"], ENDS);
    assert_eq!(status, 0);
    assert!(out.contains("reachable states: 10\nfair states: 0\ndeadlock states: 1\ndepth: 10\n"));
    assert!(err.contains("warning: 1 reachable state has no successor"), "{err}");
    assert!(err.contains("warning: the model has no fair state"), "{err}");
    let object = json(&["--stats"], ENDS);
    assert_eq!((&object["total"], &object["deadlocks"]), (&"no-deadlock".into(), &1.into()));
    assert_eq!(object["warnings"].as_array().map(Vec::len), Some(2));
    let (status, _, err) = output(&["--stats"], b"MODULE main VAR x : boolean; INIT x INIT !x");
    assert!(status == 0 && err.contains("warning: the model has no initial state"), "{err}");
}

#[test]
fn large_numbers_are_texts() {
    let model = b"MODULE main VAR a : array 0..19 of signed word[32];";
    let object = json(&["--stats"], model);
    let two_to_640 = "4562440617622195218641171605700291324893228507248559930579192517899275167208677386505912811317371399778642309573594407310688704721375437998252661319722214188251994674360264950082874192246603776";
    assert_eq!(object["reachable"], two_to_640);
}

#[test]
fn wrong_models_are_refused() {
    let (status, out, err) = output(&[], b"MODULE main\nVAR x : 0..3;\nASSIGN next(x) := x + 1;");
    assert!(status == 2 && out.is_empty() && err.contains("<stdin>:3:"), "{err}");
    let object = json(&["--stats"], b"MODULE main\nVAR x : 0..3\nINIT x = 0");
    assert_eq!((&object["command"], &object["error"]["line"]), (&"model".into(), &3.into()));
    let missing = kermode(&["model", "no-such-file.smv"]);
    assert_eq!(missing.status.code(), Some(2));
    let (status, _, err) = output(&["-D", "x"], b"MODULE main");
    assert!(status == 2 && err.contains("-D x"), "{err}");
}

#[test]
fn large_graphs_are_not_drawn() {
    let (status, out, err) =
        output(&["--format", "dot"], b"MODULE main VAR x : 0..1000; ASSIGN next(x) := x;");
    assert!(status == 2 && out.is_empty(), "{out}");
    assert!(err.contains("1001 reachable states, too many for a picture"), "{err}");
    let (status, out, _) = output(&["--format", "dot"], ENDS);
    assert!(status == 0 && out.contains("initial -> s0") && out.contains("x = 9"), "{out}");
}

#[test]
fn definitions_and_order_files() {
    let model = b"MODULE main VAR x : 0..N; y : boolean;";
    assert_eq!(json(&["--stats", "-D", "N=7"], model)["reachable"], 16);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("order").display().to_string();
    let args = ["-D", "N=7", "--write-order", &file];
    assert_eq!(output(&args, model).0, 0);
    let order = std::fs::read_to_string(&file).expect("an order");
    assert_eq!(order.lines().count(), 4, "{order}");
    std::fs::write(&file, "y\nx\nz\n").expect("a file");
    let (status, out, err) = output(&["-D", "N=7", "--stats", "--order-file", &file], model);
    assert!(status == 0 && out.contains("reachable states: 16"), "{out}");
    assert!(err.contains("names `z`, which is no variable"), "{err}");
}

#[test]
fn a_stop_is_unknown() {
    let late = kermode(&["model", MUTEX, "--stats", "--timeout", "0"]);
    assert_eq!(late.status.code(), Some(3));
}

#[test]
fn states_as_json() {
    let object = json(&["--states", "x > 6", "--max", "2"], ENDS);
    assert_eq!((&object["total"], object["states"].as_array().map(Vec::len)), (&3.into(), Some(2)));
}

#[test]
fn line_directives_move_the_places_of_messages() {
    let model = b"# 12 \"part.smv\"\nMODULE main\nVAR x : 0..0;\nINVARSPEC y\n";
    let (status, _, err) = output(&[], model);
    assert_eq!(status, 2);
    assert!(err.contains("part.smv:13:9"), "the warning: {err}");
    assert!(err.contains("part.smv:14:11"), "the error: {err}");
    let error = &json(&[], model)["error"];
    assert_eq!((&error["file"], &error["line"]), (&"part.smv".into(), &14.into()));
}
