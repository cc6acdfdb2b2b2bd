//! `kermode check`: verdicts, typed properties, traces in all formats, errors, budgets.

#[allow(dead_code, reason = "each test uses a part")]
mod command;

use command::{kermode, kermode_reading};
use serde_json::Value;

const RACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/race.smv");
const PETERSON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/peterson.smv");

/// A counter that ends.
const ENDS: &[u8] = b"MODULE main VAR x : 0..9; INIT x = 0 TRANS next(x) = x + 1
    LTLSPEC FALSE INVARSPEC x < 9";

/// Status, standard output and standard error.
fn run(args: &[&str]) -> (i32, String, String) {
    parts(&kermode(&[&["check"], args].concat()))
}

fn run_on(args: &[&str], model: &[u8]) -> (i32, String, String) {
    parts(&kermode_reading(&[&["check", "-"], args].concat(), model))
}

fn parts(output: &std::process::Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("a status"), text(&output.stdout), text(&output.stderr))
}

fn objects(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn verdicts_come_in_the_order_of_the_file_whatever_the_number_of_jobs() {
    for jobs in ["1", "3"] {
        let (status, out, _) = run(&[PETERSON, "--quiet", "--jobs", jobs]);
        assert_eq!((status, out.as_str()), (1, "holds\nviolated\nholds\n"), "{jobs}");
    }
}

#[test]
fn properties_are_selected_by_name_and_number() {
    assert_eq!(run(&[PETERSON, "--property", "exclusion"]).1, "INVARSPEC exclusion: holds\n");
    assert_eq!(run(&[PETERSON, "--property", "1", "--quiet"]).1, "holds\n");
    let (status, out, err) = run(&[PETERSON, "--property", "safety"]);
    assert!(status == 2 && out.is_empty(), "{out}");
    assert!(err.contains("numbers 1 to 3, and names: exclusion, service, chance"), "{err}");
}

/// Antichain engines answer themselves: their own counters are there, and those of no other engine.
#[test]
fn antichain_engines_hand_nothing_over() {
    let waits = "G F runs = 1 & G F runs = 2 -> G (u1.at = waiting -> F u1.at = inside)";
    let engines = [("antichain:forward", "post_calls"), ("antichain:backward", "pre_calls")];
    for (engine, calls) in engines {
        let (status, out, _) = run(&[PETERSON, "-p", waits, "-e", engine, "--json", "--stats"]);
        let found = &objects(&out)[0];
        let statistics = &found["statistics"];
        assert_eq!((status, found["engine"].as_str()), (0, Some(engine)), "{out}");
        assert!(statistics[calls].as_u64() > Some(5), "{out}");
        assert!(statistics["largest_antichain"].as_u64() > Some(1), "{out}");
        assert!(statistics["antichains_given_up"].is_null(), "{out}");
    }
}

#[test]
fn typed_properties_take_the_place_of_those_of_the_model() {
    let waits = "G (u1.at = waiting -> F u1.at = inside)";
    let (status, out, _) = run(&[PETERSON, "-p", waits, "--quiet"]);
    assert_eq!((status, out.as_str()), (1, "violated\n"));
    let fair = ["--assume", "G F runs = 1", "--assume", "G F runs = 2"];
    let (status, out, _) = run(&[&[PETERSON, "-p", waits, "--quiet"], &fair[..]].concat());
    assert_eq!((status, out.as_str()), (0, "holds\n"));
    let quoted = ["--syntax", "kermode", "-p", r#"F "u1.asks""#, "--deadlock", "--quiet"];
    let (status, out, _) = run(&[&[PETERSON], &quoted[..]].concat());
    assert_eq!((status, out.as_str()), (1, "violated\nholds\n"));
    let others = ["--invariant", "turn in 1..2", "--ctl", "EF u1.at = inside", "--quiet"];
    let (status, out, _) = run(&[&[PETERSON], &others[..]].concat());
    assert_eq!((status, out.as_str()), (0, "holds\nholds\n"));
}

#[test]
fn definitions_of_the_command_line_reach_typed_formulas() {
    let model = b"MODULE main VAR x : 0..N; ASSIGN init(x) := 0; next(x) := x < N ? x + 1 : 0;";
    let (status, out, err) = run_on(&["-D", "N=2", "-p", "F x = N", "--quiet"], model);
    assert_eq!((status, out.as_str()), (0, "holds\n"), "{err}");
}

#[test]
fn requirements_of_a_file_have_a_verdict_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("users.req");
    let text = "# two requirements\nsafe: G !(u1.at = inside & u2.at = inside) -- always\n\
        live: G (u1.at = waiting\n    -> F u1.at = inside);\n";
    std::fs::write(&file, text).expect("a file");
    let file = file.to_str().expect("a path");
    let (status, out, _) = run(&[PETERSON, "-f", file, "--witness", "none"]);
    assert_eq!(status, 1);
    assert_eq!(out, "LTLSPEC safe: holds\nLTLSPEC live: violated\n");
    std::fs::write(file, "safe: G u1.at = outside\n").expect("a file");
    let (status, _, err) = run(&[PETERSON, "-f", file]);
    assert!(status == 2 && err.contains("users.req:1:17"), "{err}");
}

#[test]
fn wrong_formulas_are_shown_at_their_place() {
    for (option, text) in
        [("-p", "G u1.place"), ("--ctl", "AG u1.place"), ("--invariant", "u1.place")]
    {
        let (status, out, err) = run(&[PETERSON, option, text]);
        assert!(status == 2 && out.is_empty(), "{out}");
        assert!(err.contains(&format!("{option}:1:")) && err.contains("`place`"), "{err}");
    }
    let (status, _, err) = run(&[PETERSON, "--syntax", "spin", "-p", "[] nobody"]);
    assert!(status == 2 && err.contains("-p:1:4"), "{err}");
    let (status, out, err) = run(&[PETERSON, "--json", "-p", "G ("]);
    assert!(status == 2 && err.contains("-p:1:"), "{err}");
    assert_eq!(objects(&out)[0]["error"]["line"], 1);
    let (status, _, err) = run_on(&[], b"MODULE main VAR x : boolean;");
    assert!(status == 2 && err.contains("no specification"), "{err}");
}

#[test]
fn dead_ends_and_missing_initial_states_are_said_before_the_verdict() {
    let (status, out, err) = run_on(&["--quiet"], ENDS);
    assert_eq!((status, out.as_str()), (1, "holds\nviolated\n"));
    assert!(err.contains("warning: a dead end is reachable"), "{err}");
    assert!(
        err.contains("warning: no path from an initial state is of the kind in question"),
        "{err}"
    );
    let (status, out, _) =
        run_on(&["--deadlock", "--invariant", "TRUE", "--witness", "none"], ENDS);
    assert_eq!(
        (status, out.as_str()),
        (1, "INVARSPEC TRUE: holds\nno dead end is reachable: violated\n")
    );
    let (_, _, err) = run_on(&[], b"MODULE main VAR x : boolean; INIT x INIT !x INVARSPEC FALSE");
    assert!(err.contains("warning: the model has no initial state"), "{err}");
}

#[test]
fn finite_paths() {
    let check = |args: &[&str]| run_on(&[args, &["--quiet"]].concat(), ENDS).1;
    // The path with only the initial state has no 9; every maximal path does.
    assert_eq!(check(&["--finite", "-p", "F x = 9"]), "violated\n");
    assert_eq!(check(&["--finite=maximal", "-p", "F x = 9"]), "holds\n");
    assert_eq!(check(&["--finite", "-p", "G (x = 3 -> !X x = 5)"]), "holds\n");
    assert_eq!(check(&["--finite=maximal", "-p", "F (x = 9 & X TRUE)"]), "violated\n");
    let weak = ["--finite", "--syntax", "kermode", "-p", r#"G ("x = 3" -> N "x = 4")"#];
    assert_eq!(check(&weak), "holds\n");
    let (_, _, err) = run_on(&["--finite=maximal", "-p", "FALSE", "--assume", "F x = 12"], ENDS);
    assert!(err.contains("so every LTL property holds"), "{err}");
    let out = check(&["--finite", "-p", "F x = 9", "--assume", "next(x) = 1"]);
    assert!(out.starts_with("unknown (unsupported: `next(x) = 1` reads inputs"), "{out}");
    let out = check(&["--finite", "-p", "G next(x) = x + 1"]);
    assert!(out.starts_with("unknown (unsupported: `next(x) = x + 1` reads inputs"), "{out}");
}

#[test]
fn json_has_the_trace_and_the_trace_can_be_checked_again() {
    let (status, out, _) = run(&[RACE, "--json", "--stats"]);
    assert_eq!(status, 1);
    let objects = objects(&out);
    assert_eq!(objects[0]["verdict"], "violated");
    assert_eq!((&objects[0]["number"], &objects[0]["kind"]), (&1.into(), &"INVARSPEC".into()));
    assert_eq!((&objects[0]["name"], &objects[0]["line"]), (&"exclusion".into(), &23.into()));
    assert_eq!(objects[0]["trace"]["states"].as_array().map(Vec::len), Some(5));
    assert!(objects[0]["statistics"]["cpu_seconds"].is_number());
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("trace.txt");
    let path = file.to_str().expect("a path");
    for trace in [&objects[0]["trace"], &objects[1]["trace"]] {
        std::fs::write(&file, trace.to_string()).expect("a file");
        let (status, out, err) = run(&[RACE, "--trace-check", path]);
        assert_eq!((status, out.as_str()), (0, "accepted\n"), "{err}");
    }
    let wrong = objects[0]["trace"].to_string().replacen("\"looked\"", "\"inside\"", 1);
    std::fs::write(&file, wrong).expect("a file");
    let (status, out, err) = run(&[RACE, "--trace-check", path]);
    assert_eq!((status, out.as_str()), (1, "refused\n"), "{err}");
    assert!(err.contains("race.smv:"), "{err}");
}

#[test]
fn traces_in_the_format_of_nusmv_are_read_again() {
    let (_, out, _) = run(&[RACE, "--trace-format", "nusmv"]);
    assert!(
        out.starts_with("-- invariant !(u1.at = inside & u2.at = inside)  is false\n"),
        "{out}"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("nusmv.txt");
    std::fs::write(&file, out).expect("a file");
    let path = file.to_str().expect("a path");
    let (status, out, err) = run(&[RACE, "--trace-check", path]);
    assert_eq!((status, out.as_str()), (0, "trace 1: accepted\ntrace 2: accepted\n"), "{err}");
}

#[test]
fn traces_go_to_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("race.vcd");
    let path = file.to_str().expect("a path");
    let (status, out, _) = run(&[RACE, "--trace-format", "vcd", "--trace-file", path]);
    assert!(status == 1 && out.contains("race.vcd") && out.contains("race-2.vcd"), "{out}");
    for name in ["race.vcd", "race-2.vcd"] {
        let text = std::fs::read_to_string(folder.path().join(name)).expect("a trace");
        assert!(text.contains("$enddefinitions $end"), "{text}");
    }
    let (status, _, err) = run(&[RACE, "--trace-format", "vcd"]);
    assert!(status == 2 && err.contains("--trace-file"), "{err}");
}

#[test]
fn budgets_end_with_unknown_and_engines_that_do_not_fit_say_so() {
    let (status, out, _) = run(&[PETERSON, "--timeout", "0", "--quiet", "--property", "service"]);
    assert_eq!((status, out.as_str()), (3, "unknown (timeout)\n"));
    let (status, out, _) = run(&[PETERSON, "-e", "invariant:backward", "--quiet"]);
    assert_eq!(status, 3);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0] == "holds" && lines[1].starts_with("unknown (unsupported:"), "{out}");
}

/// A member of a family of models as a file.
fn member(folder: &tempfile::TempDir, family: &str, size: &str) -> String {
    let output = kermode(&["gen", family, size]);
    let file = folder.path().join(format!("{family}{size}.smv"));
    std::fs::write(&file, &output.stdout).expect("a file");
    file.to_str().expect("a path").to_owned()
}

#[test]
fn a_stopped_search_says_what_it_covered() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = member(&folder, "philosophers", "30");
    let property = ["--property", "progress", "-e", "tgba:couvreur"];
    let args = [&[model.as_str(), "--timeout", "4s"][..], &property[..]].concat();
    let (status, out, err) = run(&args);
    assert_eq!(status, 3, "{out}{err}");
    assert!(out.contains("unknown (timeout)\n  the search had met "), "{out}{err}");
}

#[test]
fn dead_ends_get_loops() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/philosophers.smv");
    let (status, out, err) = run(&[model, "--dead", "stuck", "--quiet", "-p", "G !stuck"]);
    assert_eq!((status, out.as_str(), err.as_str()), (1, "violated\n", ""));
    let (status, _, err) = run(&[model, "--dead", "p1"]);
    assert!(status == 2 && err.contains("`p1` is declared here"), "{err}");
    for option in ["--deadlock", "--finite"] {
        let (status, _, err) = run(&[model, "--dead", "stuck", option]);
        assert!(status == 2 && err.contains("--dead"), "{err}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("trace.json");
    let path = file.to_str().expect("a path");
    let trace = ["--trace-format", "json", "--trace-file", path];
    run(&[&[model, "--dead", "stuck", "-p", "G !stuck"][..], &trace[..]].concat());
    let (status, out, err) = run(&[model, "--dead", "stuck", "--trace-check", path]);
    assert_eq!((status, out.as_str()), (0, "accepted\n"), "{err}");
}
