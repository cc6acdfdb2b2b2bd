//! `kermode translate --to smv`: options, refusals, and files.

use super::command::{kermode, kermode_reading, stderr, stdout};
use super::json;

fn complaint(args: &[&str]) -> String {
    let output = kermode(args);
    assert_eq!((stdout(&output), output.status.code()), ("", Some(2)), "{args:?}");
    stderr(&output).to_owned()
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let smv = |more: &[&str]| complaint(&[&["translate", "G a", "--to", "smv"], more].concat());
    assert!(smv(&["--encoding", "bnf/sloppy/gba/naive"]).contains("is no encoding"));
    assert!(smv(&["--format", "hoa"]).contains("`--to smv` goes with `--format smv`"));
    assert!(smv(&["--finite"]).contains("infinite words"));
    assert!(smv(&["--universal", "--encoding", "nnf/fussy/gba/lexm"]).contains("cannot be used"));
    assert!(smv(&["--raw"]).contains("`--raw` go with `--to tgba`"));
    for option in [&["--universal"][..], &["--encoding", "nnf/fussy/gba/lexm"]] {
        let text = complaint(&[&["translate", "a", "--to", "abw"], option].concat());
        assert!(text.contains("go with `--to smv`"), "{text}");
    }
    let text = complaint(&["translate", "a", "--to", "tgba", "--format", "smv"]);
    assert!(text.contains("`--to smv` goes with `--format smv`"), "{text}");
}

#[test]
fn orders_are_written_to_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("order");
    let file = path.to_str().expect("UTF-8");
    let args = ["translate", "-", "--to", "smv", "--encoding", "nnf/fussy/gba/naive"];
    let args = [&args[..], &["--order-file", file]].concat();
    let output = kermode_reading(&args, b"X a & (b U c)\n");
    assert!(output.status.success(), "{}", stderr(&output));
    let order = std::fs::read_to_string(&path).expect("a file");
    assert_eq!(order, "EL_X_a\na\nEL_X__b_U_c\nb\nc\n");
    let output = kermode_reading(&args, b"a\nb\n");
    assert_eq!((stdout(&output), output.status.code()), ("", Some(2)));
    assert!(stderr(&output).contains("`--order-file` is for one formula"));
    let nowhere = folder.path().join("no/such/folder");
    let nowhere = nowhere.to_str().expect("UTF-8");
    let output = kermode(&["translate", "a", "--to", "smv", "--order-file", nowhere]);
    assert_eq!(stdout(&output), "");
    assert!(!output.status.success() && stderr(&output).contains("cannot write"));
}

/// Several formulas follow each other; JSON has the order; past and bounded operators are taken.
#[test]
fn formulas_become_models() {
    let output = kermode_reading(&["translate", "-", "--to", "smv", "--stats"], b"G a\nF b\n");
    let text = stdout(&output);
    assert_eq!(text.matches("MODULE main\n").count(), 2);
    assert_eq!(text.matches("\n-- justice constraints: ").count(), 2);
    let output = kermode(&["translate", "G(a -> O F[1,2] b)", "--to", "smv", "--json", "--stats"]);
    let object = json(stdout(&output));
    let order = object["order"].as_array().expect("an order");
    assert_eq!(object["statistics"]["variables"], order.len());
    assert!(object["automaton"].as_str().expect("a text").contains("\nLTLSPEC !("));
    let output = kermode(&["translate", "G(a -> O F[1,2] b)", "--to", "smv", "--universal"]);
    assert!(stdout(&output).ends_with("LTLSPEC !(G(a -> O F[1,2] b))\n"), "{}", stdout(&output));
}
