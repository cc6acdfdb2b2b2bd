//! The readers of traces: what they accept, the errors of wrong texts, and no panic on any text.

mod plain;
mod trace_support;

use kermode_base::{Diagnostic, Rng, Source};
use kermode_smv::FlatModel;
use kermode_smv::trace::{self, Ending, Names, json, nusmv, vcd};
use plain::without_styles;
use trace_support::{model, random_traces};

const MODEL: &str = "MODULE cell VAR v : boolean;
MODULE main
IVAR go : boolean;
FROZENVAR k : 0..1;
VAR x : 0..3; mode : {idle, busy}; w : word[4]; c : cell;
DEFINE double := 2 * x; moves := go & x = 0; both := {x, 3};
";

/// NuSMV's output with all that comes with it.
const OUTPUT: &str = "*** This is a banner
*** of several lines

WARNING *** something ***
-- specification AG x < 4  is true
-- specification case
x = 0 : c.v;
TRUE : mode = idle;
esac  is false
-- as demonstrated by the following execution sequence
Trace Description: LTL Counterexample 
Trace Type: Counterexample 
  -> State: 1.1 <-
    k = 1
    x = 0
    mode = idle
    w = 0ud4_3
    c.v = FALSE
    double = 0
    both = 0, 3
    moves = TRUE
  -> Input: 1.2 <-
    go = TRUE
  -- Loop starts here
  -> State: 1.2 <-
    x = 3
    double = 6
    both = 3
    moves = FALSE
  -> Input: 1.3 <-
  -- Loop starts here
  -> State: 1.3 <-
  -> Input: 1.4 <-
    go = FALSE
  -> State: 1.4 <-
-- invariant x < 3  is false
-- as demonstrated by the following execution sequence
    Trace Description: AG alpha Counterexample 
    Trace Type: Counterexample 
      -> State: 2.1 <-
        k = 0
        x = 3
        mode = busy
        w = 0uh4_f
        c.v = TRUE
";

/// The errors of a text.
fn errors(flat: &FlatModel, text: &str) -> Vec<Diagnostic> {
    trace::read(text, flat).expect_err("a wrong text")
}

/// The first error of a text, with its place.
fn first(flat: &FlatModel, text: &str) -> String {
    without_styles(&Source { name: "t", text }.render(&errors(flat, text)[0]))
}

#[test]
fn the_whole_output_is_read() {
    let flat = model(MODEL);
    let read = trace::read(OUTPUT, &flat).expect("traces");
    assert_eq!(read.len(), 2);
    assert_eq!((read[0].states.len(), read[0].inputs.len()), (4, 3));
    assert_eq!(read[0].ending, Ending::Repetition(vec![1, 2]));
    assert_eq!((read[0].names, read[1].names), (Names::Numbered(1), Names::Numbered(2)));
    assert_eq!((read[1].states.len(), &read[1].ending), (1, &Ending::Finite));
    let paths = read[0].paths();
    assert_eq!(paths.len(), 3);
    assert_eq!((paths[0].states.len(), paths[0].inputs.len()), (3, 3));
    assert_eq!(
        paths.iter().map(|path| path.loop_start).collect::<Vec<_>>(),
        [Some(1), Some(2), None]
    );
    assert_eq!(read[0].name(2), "1.3");
    let place = &OUTPUT[read[0].places[3].clone()];
    assert_eq!(place, "-> State: 1.4 <-");
    assert!(OUTPUT[read[0].span.clone()].starts_with("Trace Description: LTL"));
    assert!(OUTPUT[read[0].span.clone()].ends_with("-> State: 1.4 <-"));
}

#[test]
fn other_lines_between_values_do_not_matter() {
    let flat = model(MODEL);
    let noisy = OUTPUT
        .replace("    mode = idle\n", "TYPE ERROR file m: line 3 : a message\n\n    mode = idle\n")
        .replace('\n', "\r\n");
    assert_eq!(trace::read(&noisy, &flat).expect("traces").len(), 2);
    // No heading, no indentation.
    let bare = "-> State: 7.1 <-\nk = 1\nx = 0\nmode = idle\nw=0ud4_3\nc.v = FALSE\n";
    let read = trace::read(bare, &flat).expect("a trace");
    assert_eq!(read[0].names, Names::Numbered(7));
    // Two traces without headings.
    let two = format!("{bare}{}", bare.replace("7.1", "8.1"));
    assert_eq!(trace::read(&two, &flat).expect("traces").len(), 2);
    // A trace that NuSMV began and gave up, and one with an empty first state.
    let begun = "Trace Description: CTL Counterexample \nTrace Type: Counterexample \n\
                 -- specification x = 0  is false\n";
    let empty = "Trace Description: CTL Counterexample \n  -> State: 1.1 <-\n  -> State: 1.2 <-\n";
    let read = trace::read(&format!("{begun}{empty}-- and\n{OUTPUT}"), &flat).expect("traces");
    assert_eq!(read.len(), 2);
    // An expression that NuSMV has not evaluated is no value that could be compared.
    let narrow = model("MODULE main VAR x : 0..1; DEFINE d := x in 0..0; e := x in 0..1;");
    let state = |d, e| format!("-> State: 1.1 <-\n  x = 0\n  d = {d}\n  e = {e}\n");
    // NuSMV's value is wrong.
    assert_eq!(trace::read(&state("FALSE", "TRUE"), &narrow).expect("a trace").len(), 1);
    assert_eq!(errors(&narrow, &state("TRUE", "FALSE")).len(), 1);
    let unevaluated = OUTPUT.replace("double = 0", "double = red != 7");
    assert_eq!(trace::read(&unevaluated, &flat).expect("traces").len(), 2);
}

#[test]
fn wrong_outputs_are_explained() {
    let flat = model(MODEL);
    let cases: [(&str, &str, &[&str]); 23] = [
        ("    x = 0\n", "    z = 0\n", &["t:15:5", "no variable `z`", "full names"]),
        ("    mode = idle\n", "    mod = idle\n", &["t:16:5", "did you mean `mode`?"]),
        ("x = 0\n    mode", "x = 4\n    mode", &["t:15:9", "`x` cannot be `4`", "from 0 to 3"]),
        ("mode = idle\n    w", "mode = lazy\n    w", &["t:16:12", "idle, busy"]),
        ("w = 0ud4_3", "w = 0ud5_3", &["unsigned words of 4 bits"]),
        ("w = 0ud4_3", "w = 3", &["`w` cannot be `3`"]),
        ("c.v = FALSE", "c.v = 0", &["TRUE and FALSE"]),
        ("    c.v = FALSE\n", "", &["t:13:3", "state 1.1 has no value for `c.v`"]),
        ("    k = 1\n    x = 0\n", "", &["has no value for `k`, `x`"]),
        ("    go = TRUE\n", "", &["t:24:3", "the step to state 1.2 has no value for `go`"]),
        ("State: 1.2", "State: 1.3", &["t:25:3", "expected `-> State: 1.2 <-`"]),
        ("Input: 1.3", "Input: 1.2", &["expected `-> Input: 1.3 <-`"]),
        ("State: 1.3", "State: 2.3", &["expected `-> State: 1.3 <-`"]),
        ("-> State: 1.3 <-", "-> State: x <-", &["no number of a state"]),
        ("    go = TRUE", "    x = 1", &["`x` is no input", "after `-> State: .. <-`"]),
        ("double = 6", "go = TRUE", &["`go` is an input", "after `-> Input: .. <-`"]),
        ("double = 6", "double = 5", &["`double` does not have this value", "it is 6"]),
        ("both = 0, 3", "both = 3, 0", &["it is 0, 3 by the values"]),
        ("moves = TRUE", "moves = FALSE", &["`moves` does not have this value"]),
        ("    go = FALSE\n  -> State: 1.4 <-\n", "    go = FALSE\n", &["leads to no state"]),
        (
            "    x = 3\n    double = 6\n    both = 3\n",
            "    x = 2\n    double = 4\n    both = 2, 3\n    x = 2\n",
            &["`x` has two values"],
        ),
        (
            "    go = FALSE\n  -> State: 1.4 <-\n",
            "    go = FALSE\n  -> State: 1.4 <-\n    x = 1\n",
            &["t:24:3", "no loop starts here", "`x` is 3 here, and 1 in the last state"],
        ),
        ("    k = 1\n", "    k : 1\n", &["t:14:5", "this is no line of a trace"]),
    ];
    for (from, to, expected) in cases {
        assert!(OUTPUT.contains(from), "{from}");
        let shown = first(&flat, &OUTPUT.replacen(from, to, 1));
        for part in expected {
            assert!(shown.contains(part), "{part} in\n{shown}");
        }
    }
    let last = OUTPUT.replacen("    go = FALSE\n", "    go = FALSE\n  -- Loop starts here\n", 1);
    assert!(first(&flat, &last).contains("this is the last state"));
    let begins_with_input = "-> Input: 1.1 <-\n  go = TRUE\n";
    assert!(first(&flat, begins_with_input).contains("a trace begins with a state"));
    let twice =
        OUTPUT.replacen("  -> Input: 1.3 <-\n", "  -> Input: 1.3 <-\n  -> Input: 1.3 <-\n", 1);
    assert!(first(&flat, &twice).contains("were given before"));
    for nothing in ["", "no trace at all", "-- specification TRUE  is true\n"] {
        assert!(first(&flat, nothing).contains("there is no trace"));
    }
    let begun = "Trace Description: LTL Counterexample \nTrace Type: Counterexample \n";
    assert!(first(&flat, begun).contains("divides by zero"));
}

/// The errors of all traces are reported together, up to a limit.
#[test]
fn many_errors_are_reported() {
    let flat = model(MODEL);
    let both = OUTPUT.replace("mode = ", "mode = not_");
    assert_eq!(errors(&flat, &both).len(), 2);
    let lines = "    y = 1\n".repeat(100);
    let many = format!("-> State: 1.1 <-\n{lines}");
    assert_eq!(errors(&flat, &many).len(), 20);
    let garbage = format!("-> State: 1.1 <-\n{}", "   garbage\n".repeat(1_000));
    assert_eq!(errors(&flat, &garbage).len(), 20);
}

const JSON: &str = r#"{
  "states": [
    {"k": 1, "x": 0, "mode": "idle", "w": "0ud4_3", "c.v": false},
    {"k": 1, "x": 3, "mode": "busy", "w": "0ub4_11", "c.v": true}
  ],
  "inputs": [{"go": true}, {"go": false}],
  "loop_start": 1
}"#;

#[test]
fn json_is_read_from_several_forms() {
    let flat = model(MODEL);
    let read = trace::read(JSON, &flat).expect("a trace");
    assert_eq!((read.len(), &read[0].ending), (1, &Ending::Loop(1)));
    assert_eq!((read[0].names, read[0].name(1)), (Names::Index, "1".to_owned()));
    assert!(JSON[read[0].places[1].clone()].starts_with("{\"k\": 1, \"x\": 3"));
    assert_eq!(&JSON[read[0].span.clone()], JSON);
    let forms = [
        (format!("{JSON}\n{JSON}"), 2),
        (format!("[{JSON}, {JSON}, {JSON}]"), 3),
        (
            format!(
                "{{\"verdict\": \"violated\", \"more\": [{{\"a\": [1, -2.5e3]}}], \"trace\": {JSON}}}"
            ),
            1,
        ),
        (format!("{{\"verdict\": \"holds\", \"trace\": null}}\n{JSON}"), 1),
        (JSON.replace("\"loop_start\": 1", "\"note\": \"\\u00e9 \\\" ]\", \"loop_start\": 1"), 1),
    ];
    for (text, count) in forms {
        let read = trace::read(&text, &flat);
        assert_eq!(read.map(|read| read.len()).map_err(|e| format!("{e:?}")), Ok(count), "{text}");
    }
    // A model without inputs needs none.
    let plain = model("MODULE main VAR b : boolean;");
    let read = trace::read(r#"{"states": [{"b": true}], "loop_start": 0}"#, &plain);
    assert_eq!(read.expect("a trace")[0].inputs.len(), 1);
    let read = trace::read(r#"{"states": [{"b": true}]}"#, &plain);
    assert_eq!(read.expect("a trace")[0].ending, Ending::Finite);
}

#[test]
fn wrong_json_is_explained() {
    let flat = model(MODEL);
    let cases: [(&str, &str, &[&str]); 25] = [
        ("\"x\": 0", "\"y\": 0", &["t:3:14", "no variable `y`"]),
        ("\"x\": 0", "\"x\": 4", &["t:3:19", "`x` cannot be `4`"]),
        ("\"x\": 0", "\"x\": \"0\"", &["cannot be `\"0\"`"]),
        ("\"x\": 0", "\"x\": 0.5", &["cannot be `0.5`"]),
        ("\"x\": 0", "\"x\": [0]", &["cannot be `..`"]),
        ("\"x\": 0", "\"x\": null", &["cannot be `null`"]),
        ("\"x\": 0", "\"x\": zero", &["t:3:19", "expected a value"]),
        ("\"x\": 0", "\"x\": 0x1", &["`0x1` is no number"]),
        ("\"x\": 0, ", "", &["t:3:5", "state 0 has no value for `x`"]),
        ("\"x\": 0", "\"x\": 0, \"x\": 1", &["`x` has two values"]),
        ("\"idle\"", "\"lazy\"", &["idle, busy"]),
        ("\"idle\"", "true", &["cannot be `true`"]),
        ("\"0ud4_3\"", "\"0sd4_3\"", &["unsigned words of 4 bits"]),
        ("false}", "\"FALSE\"}", &["`c.v` cannot be"]),
        ("{\"go\": true}", "{\"x\": 1}", &["`x` is no input", "`states`"]),
        ("\"x\": 3", "\"go\": true", &["`go` is an input", "`inputs`"]),
        ("{\"go\": true}, ", "", &["inputs for 1 steps", "it has 2 steps"]),
        ("\"inputs\"", "\"input\"", &["`inputs` is missing"]),
        ("{\"go\": true}", "{}", &["the step that leaves state 0 has no value for `go`"]),
        ("\"loop_start\": 1", "\"loop_start\": 2", &["t:7:17", "a number below 2"]),
        ("\"loop_start\": 1", "\"loop_start\": -1", &["does not start at a state"]),
        ("\"loop_start\": 1", "\"loop_start\": true", &["does not start at a state"]),
        ("\"states\": [", "\"states\": {", &["expected the array of `states`"]),
        ("\"idle\"", "\"id\nle\"", &["t:3:30", "this string is wrong"]),
        ("\"states\"", "\"stages\"", &["there is no trace"]),
    ];
    for (from, to, expected) in cases {
        assert!(JSON.contains(from), "{from}");
        let shown = first(&flat, &JSON.replacen(from, to, 1));
        for part in expected {
            assert!(shown.contains(part), "{part} in\n{shown}");
        }
    }
    let others: [(&str, &str); 8] = [
        ("{", "the text ends"),
        ("[1]", "expected `{`"),
        ("{\"states\": []}", "`states` is empty"),
        ("{\"states\": [], \"states\": []}", "given twice"),
        ("{\"a\": [1, 2}}", "expected a value"),
        ("{\"states\": [{\"k\": 1", "expected `}`"),
        ("{} x", "expected `{`"),
        ("{\"\\q\": 1}", "this string is wrong"),
    ];
    for (text, expected) in others {
        let shown = first(&flat, text);
        assert!(shown.contains(expected), "{expected} in\n{shown}");
    }
    let deep = format!("{{\"a\": {}", "[".repeat(1_000_000));
    assert!(first(&flat, &deep).contains("the text ends"));
}

/// What every reader does with any text: no panic, errors with places and explanations.
fn feed(flat: &FlatModel, text: &str) -> bool {
    let mut readable = false;
    for read in [trace::read, json::read, nusmv::read] {
        match read(text, flat) {
            Ok(traces) => {
                readable = true;
                for read in traces {
                    assert!(text.get(read.span.clone()).is_some());
                    let check = trace::check(
                        flat,
                        &read,
                        kermode_smv::interpreter::Fairness::JusticeAndCompassion,
                        &mut || Ok::<(), ()>(()),
                    );
                    drop(check);
                }
            }
            Err(errors) => {
                assert!(!errors.is_empty());
                for error in &errors {
                    assert!(text.get(error.span.clone()).is_some(), "{error:?}");
                    assert!(!error.label.is_empty() || error.help.is_some(), "{error:?}");
                }
                Source { name: "t", text }.render_all(&errors);
            }
        }
    }
    if let Err(error) = vcd::read(text, flat) {
        assert!(text.get(error.span.clone()).is_some(), "{error:?}");
    }
    readable
}

/// A text with a few random edits.
fn mutated(text: &str, rng: &mut Rng) -> String {
    const PIECES: [&str; 24] = [
        "\n",
        " ",
        "=",
        "-> State: 1.2 <-\n",
        "-> Input: 1.2 <-\n",
        "-- Loop starts here\n",
        "0",
        "TRUE",
        "{",
        "}",
        "[",
        "]",
        "\"",
        ",",
        ":",
        "\\",
        "é",
        "#3",
        "$end",
        "-0sd4_8",
        "9999999999999999999",
        "Trace Type: x\n",
        "\u{0}",
        "--",
    ];
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..rng.between(1, 4) {
        let at = rng.below(characters.len() + 1);
        match rng.below(4) {
            0 => drop(characters.drain(at..(at + rng.below(12)).min(characters.len()))),
            1 => {
                let piece: Vec<char> = rng.choose(&PIECES).chars().collect();
                drop(characters.splice(at..at, piece));
            }
            2 => {
                let end = (at + rng.below(60)).min(characters.len());
                let copy: Vec<char> = characters[at..end].to_vec();
                let to = rng.below(characters.len() + 1);
                drop(characters.splice(to..to, copy));
            }
            _ if at < characters.len() => {
                characters[at] = char::from(rng.below(128) as u8);
            }
            _ => {}
        }
    }
    characters.into_iter().collect()
}

#[test]
fn no_text_makes_the_readers_panic() {
    let flat = model(MODEL);
    let mut rng = Rng::new(0xf022);
    for _ in 0..3_000 {
        let bytes: Vec<u8> = (0..rng.below(80)).map(|_| rng.next_u64() as u8).collect();
        feed(&flat, &String::from_utf8_lossy(&bytes));
    }
    let mut readable = 0;
    for round in 0..6_000 {
        let text = if round % 2 == 0 { OUTPUT } else { JSON };
        readable += usize::from(feed(&flat, &mutated(text, &mut rng)));
    }
    assert!((300..5_700).contains(&readable), "{readable}");
    for (_, _, flat, trace) in random_traces(0..60) {
        let heading = nusmv::Heading { number: 1, description: "Simulation".to_owned() };
        let texts = [
            json::write(&flat, &trace),
            nusmv::write(&flat, &trace, &heading, nusmv::Marks::Equal),
            vcd::write(&flat, &trace),
        ];
        for text in &texts {
            for _ in 0..20 {
                feed(&flat, &mutated(text, &mut rng));
            }
        }
    }
}
