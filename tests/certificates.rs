//! `check --certify`, `sat --certify` and `verify`: files, verdicts, statuses, errors and budgets.

#[allow(dead_code, reason = "each test uses a part")]
mod command;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use command::{kermode, stderr, stdout};
use serde_json::Value;

/// A folder, and the paths of files in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::write(&path, text).expect("a file");
        path
    }
}

fn example(name: &str) -> String {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
    root.display().to_string()
}

/// Runs a command that has this status, and returns its output.
fn run(args: &[&str], status: i32) -> String {
    let output = kermode(args);
    let shown = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(status), "{args:?}: {shown:?}");
    shown.0.to_owned()
}

#[test]
fn what_holds_is_certified_and_verified() {
    let folder = Folder::new();
    let (model, cert) = (example("peterson.smv"), folder.path("peterson.cert"));
    let shown = run(&["check", &model, "--certify", &cert, "--witness", "none", "--deadlock"], 1);
    assert_eq!(shown.matches("  certified: ").count(), 2, "{shown}");
    assert_eq!(shown.matches("  not certified: ").count(), 1, "{shown}");
    let shown = run(&["verify", &model, &cert], 0);
    assert!(shown.contains("INVARSPEC !(u1.at = inside & u2.at = inside): verified"), "{shown}");
    assert!(shown.contains("no dead end is reachable: verified"), "{shown}");
    assert_eq!(run(&["verify", "--quiet", &model, &cert], 0), "verified\nverified\n");

    let shown = run(&["check", &model, "--certify", &cert, "--json", "--property", "exclusion"], 0);
    let object: Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!(object["certified"], true);
    let shown = run(&["verify", &model, &cert, "--json"], 0);
    let object: Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!(object["command"], "verify");
    assert_eq!(object["claim"], "invariant");
    assert_eq!(object["number"], 1);
    assert_eq!(object["verdict"], "verified");
}

#[test]
fn typed_properties_assumptions_and_finite_paths_are_certified() {
    let folder = Folder::new();
    let model = folder.write(
        "model.smv",
        "MODULE main VAR x : 0..N; ASSIGN init(x) := 0; next(x) := {x, (x + 1) mod (N + 1)};",
    );
    let cert = folder.path("cert");
    let certify = |args: &[&str]| {
        let all = [&["check", &model, "-D", "N=3", "--certify", &cert], args].concat();
        let shown = run(&all, 0);
        assert!(shown.contains("  certified: "), "{shown}");
        run(&["verify", "-D", "N=3", &model, &cert], 0)
    };
    let shown = certify(&["-p", "G F x = 3", "--assume", "G (x = 0 -> F x != 0) & G F x = 0"]);
    assert!(!shown.contains("refused"), "{shown}");
    assert!(shown.contains("LTLSPEC G F x = 3, assuming G (x = 0"), "{shown}");
    let shown = certify(&["-p", "G(\"x = 2\" -> N \"x != 1\")", "--syntax", "kermode", "--finite"]);
    assert!(shown.contains("over finite paths: verified"), "{shown}");
    certify(&["-p", "F x = 1", "--finite=maximal"]);
    certify(&["--invariant", "x <= 3 & next(x) != x + 2"]);
    // With another constant the model is another one.
    let shown = run(&["verify", "-D", "N=9", &model, &cert], 1);
    assert!(shown.contains("refused"), "{shown}");
}

#[test]
fn unsatisfiable_formulas_are_certified_and_verified() {
    let folder = Folder::new();
    let cert = folder.path("cert");
    let certified = |args: &[&str]| {
        let shown = run(&[&["sat", "--certify", &cert], args].concat(), 1);
        assert!(shown.contains("unsatisfiable\n"), "{shown}");
        assert!(shown.contains("  certified: "), "{shown}");
        let shown = run(&[&["verify"], args, &[cert.as_str()]].concat(), 0);
        assert!(shown.ends_with("verified\n"), "{shown}");
    };
    certified(&["!(a W b) & G a"]);
    certified(&["--finite", "G X true"]);
    certified(&["--syntax", "spot", "GFa & FG!a"]);
    certified(&["F a", "--assume", "G !a"]);
    certified(&["-f", &example("contradiction.req")]);
    let formulas = folder.write("formulas", "a & !a\nF a\nG b & F !b\n");
    let shown = run(&["sat", "-f", &formulas, "--certify", &cert], 1);
    assert_eq!(shown.matches("  certified: ").count(), 2, "{shown}");
    let shown = run(&["verify", "-f", &formulas, &cert], 1);
    let lines: Vec<&str> = shown.lines().filter(|line| line.starts_with("line")).collect();
    assert_eq!(lines, ["line 1: verified", "line 2: refused", "line 3: verified"]);
    let shown = run(&["sat", "X false", "--certify", &cert, "--json"], 1);
    let object: Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!(object["certified"], true);
}

#[test]
fn a_certificate_about_something_else_is_refused() {
    let folder = Folder::new();
    let (model, cert) = (example("mutex.smv"), example("mutex.cert"));
    let other = example("race.smv");
    let shown = run(&["verify", &other, &cert], 1);
    assert!(shown.contains("refused\n  specification 1 of the model is"), "{shown}");
    let text = fs::read_to_string(&cert).expect("a certificate");
    let wrong = folder.write("wrong", &text.replace("set 8", "set 1"));
    let shown = run(&["verify", &model, &wrong], 1);
    assert!(shown.contains("refused\n  a state of the set is as it must not be"), "{shown}");
    let shown = run(&["verify", &model, &wrong, "--json"], 1);
    let object: Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!(object["verdict"], "refused");
    assert!(object["reason"].as_str().is_some_and(|why| why.contains("as it must not be")));
    let empty = folder.write("empty", "kermode certificate 1 model\n");
    let shown = run(&["verify", &model, &empty], 1);
    assert_eq!(shown, "refused\n  the certificate has no proof\n");
}

#[test]
fn errors_have_a_place_and_budgets_a_word() {
    let folder = Folder::new();
    let (model, cert) = (example("mutex.smv"), example("mutex.cert"));
    let text = fs::read_to_string(&cert).expect("a certificate");
    let bad = folder.write("bad", &text.replace("nodes 7", "nodes seven"));
    let output = kermode(&["verify", &model, &bad]);
    assert_eq!(output.status.code(), Some(2));
    let shown = stderr(&output);
    assert!(shown.contains("expected the number of nodes"), "{shown}");
    assert!(shown.contains("bad:11:7"), "{shown}");
    let shown = run(&["verify", &model, &bad, "--json"], 2);
    let object: Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!(object["error"]["line"], 11);
    run(&["verify", &model, &folder.path("absent")], 2);
    run(&["verify", &folder.path("absent"), &cert], 2);
    run(&["verify", "a & !a", &model], 2);
    run(&["verify", "-f", &model, &cert], 2);
    run(&["verify", "a & (", &example("contradiction.cert")], 2);
    run(&["verify", "-D", "N=1", "a", &example("contradiction.cert")], 2);
    run(&["check", &model, "--certify", &folder.path("no/such/folder")], 2);
    assert_eq!(run(&["verify", "--timeout", "0", &model, &cert], 3), "unknown (timeout)\n");
}

/// An explicit search decides this model at once. A proof takes as many steps of diagrams as there
/// are values.
const LONG_PROOF: &str = "MODULE main VAR x : unsigned word[20];
    ASSIGN init(x) := 0ud20_0; next(x) := x + 0ud20_1;
    LTLSPEC G F x = 0ud20_5";

/// Runs a command whose first line must not wait for the proof, and interrupts it after that line.
/// Returns the first line, the others and the status.
fn interrupted_proof(args: &[&str]) -> (String, String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kermode"))
        .args(args)
        .stdout(Stdio::piped())
        .spawn()
        .expect("kermode runs");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let (mut first, mut rest) = (String::new(), String::new());
    out.read_line(&mut first).expect("a line");
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.expect("kill runs").success());
    out.read_to_string(&mut rest).expect("lines");
    (first, rest, child.wait().expect("it ends").code())
}

#[test]
fn verdicts_do_not_wait_for_proofs() {
    let folder = Folder::new();
    let (model, cert) = (folder.write("model", LONG_PROOF), folder.path("cert"));
    let cancelled = "  not certified: unknown (cancelled)\n".to_owned();
    let shown = interrupted_proof(&["check", &model, "-e", "tgba:couvreur", "--certify", &cert]);
    let verdict = "LTLSPEC G F x = 0ud20_5: holds\n".to_owned();
    assert_eq!(shown, (verdict, cancelled.clone(), Some(0)));
    let counter = run(&["gen", "counter", "22"], 0);
    let formula = format!("{} & F false", counter.trim());
    let shown = interrupted_proof(&["sat", &formula, "--certify", &cert]);
    assert_eq!(shown, ("unsatisfiable\n".to_owned(), cancelled, Some(1)));
    // One object has the verdict and what is known of the proof.
    let json = ["check", &model, "-e", "tgba:couvreur", "--certify", &cert, "--json"];
    let shown = run(&[&json[..], &["--timeout", "10"]].concat(), 0);
    let object: Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!((&object["verdict"], &object["certified"]), (&"holds".into(), &false.into()));
    assert_eq!(object["not_certified"], "unknown (timeout)");
}
