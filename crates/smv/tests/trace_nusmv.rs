//! Traces and verdicts as NuSMV prints them, byte for byte.
//!
//! `tests/traces` has models and what NuSMV 2.6.0 prints for them, without its banner and warnings.
//! Which counterexample NuSMV chooses does not matter: each of its traces is read and written
//! again.

mod trace_support;

use std::fs;
use std::path::Path;

use kermode_smv::FlatModel;
use kermode_smv::flat::{Value, VariableId};
use kermode_smv::interpreter::{Fairness, Layout, State, Trace};
use kermode_smv::syntax::{File, PropertyKind};
use kermode_smv::trace::nusmv::{
    DEMONSTRATED, Heading, Marks, property_text, read, verdict_line, write,
};
use kermode_smv::trace::{Ending, Names, ReadTrace, check};
use trace_support::{model, read_model};

/// The models with NuSMV's output.
fn outputs() -> Vec<(String, File, FlatModel, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .filter_map(|name| name.strip_suffix(".smv").map(str::to_owned))
        .collect();
    names.sort();
    assert!(names.len() >= 12, "{names:?}");
    let text = |name: &str, extension: &str| {
        fs::read_to_string(folder.join(format!("{name}.{extension}"))).expect("a file")
    };
    let output = |name: String| {
        let (file, flat) = read_model(&text(&name, "smv"));
        let output = text(&name, "out");
        (name, file, flat, output)
    };
    names.into_iter().map(output).collect()
}

/// The parts of an output that are traces, with the kinds of their properties.
fn traces(output: &str) -> Vec<(PropertyKind, &str)> {
    let starts = output.match_indices("Trace Description: ").map(|(at, _)| at);
    let part = |at: usize| {
        let end = output[at..].find("\n--").map_or(output.len(), |end| at + end + 1);
        let kind = match &output[at + "Trace Description: ".len()..] {
            rest if rest.starts_with("LTL") => PropertyKind::Ltl,
            rest if rest.starts_with("CTL") => PropertyKind::Ctl,
            _ => PropertyKind::Invariant,
        };
        (kind, &output[at..end])
    };
    starts.map(part).collect()
}

/// The indices of the states that NuSMV marked.
fn marked(read: &ReadTrace) -> Vec<usize> {
    match &read.ending {
        Ending::Repetition(starts) => starts.clone(),
        Ending::Finite | Ending::Loop(_) => Vec::new(),
    }
}

#[test]
fn traces_are_written_as_nusmv_writes_them() {
    let (mut count, mut marks_of_ltl) = (0, 0);
    for (name, _, flat, output) in outputs() {
        let parts = traces(&output);
        let read =
            if parts.is_empty() { Vec::new() } else { read(&output, &flat).expect("traces") };
        assert_eq!(read.len(), parts.len(), "{name}");
        for (number, (read, (kind, text))) in read.iter().zip(parts).enumerate() {
            assert_eq!(read.names, Names::Numbered(number + 1), "{name}");
            let heading = Heading::counterexample(number + 1, kind);
            let given = marked(read);
            // NuSMV compares states of the product with a tableau if the property is in LTL.
            let marks = match kind {
                PropertyKind::Ltl => Marks::Among(&given),
                _ => Marks::Equal,
            };
            for path in read.paths() {
                let written = write(&flat, &path, &heading, marks);
                assert_eq!(written, text, "{name}, trace {}", number + 1);
                marks_of_ltl += usize::from(
                    kind == PropertyKind::Ltl
                        && write(&flat, &path, &heading, Marks::Equal) == text,
                );
            }
            let fairness = match kind {
                PropertyKind::Ltl => Fairness::JusticeAndCompassion,
                PropertyKind::Ctl => Fairness::Justice,
                _ => Fairness::Ignored,
            };
            let paths = check::<()>(&flat, read, fairness, &mut || Ok(())).expect("a path");
            assert!(!paths.is_empty());
            count += 1;
        }
    }
    assert!(count >= 25 && marks_of_ltl >= 10, "{count} {marks_of_ltl}");
}

/// The lines of an output outside of traces.
fn verdict_lines(output: &str) -> String {
    let mut rest = output.to_owned();
    for (_, text) in traces(output) {
        rest = rest.replacen(text, "", 1);
    }
    rest.replace(DEMONSTRATED, "")
}

#[test]
fn verdicts_are_written_as_nusmv_writes_them() {
    let mut count = 0;
    for (name, file, flat, output) in outputs() {
        let mut rest = verdict_lines(&output);
        for property in &flat.properties {
            let text = property_text(&file, property).expect("no PSL");
            let results: &[&str] = match property.kind {
                PropertyKind::ComputeMin | PropertyKind::ComputeMax => {
                    &["0", "1", "2", "3", "infinity", "undefined"]
                }
                _ => &["true", "false"],
            };
            let lines = results
                .iter()
                .map(|result| verdict_line(property.kind, &text, &property.instance, result));
            let line = lines.into_iter().find(|line| rest.contains(line.as_str()));
            let line = line.unwrap_or_else(|| panic!("{name}: {text} is not in\n{rest}"));
            rest = rest.replacen(&line, "", 1);
            count += 1;
        }
        assert_eq!(rest.trim(), "", "{name}");
    }
    assert!(count >= 60, "{count}");
}

/// The example of the description of NuSMV's format.
#[test]
fn a_loop_that_begins_late() {
    let (file, flat) = read_model(
        "MODULE main IVAR i : boolean; VAR x : 0..1; \
         ASSIGN init(x) := 0; next(x) := i ? 1 : x; LTLSPEC G x = 0",
    );
    let (states, inputs) = (Layout::of_states(&flat), Layout::of_inputs(&flat));
    let state = |x| states.state(|_| Some(Value::Integer(x))).expect("a state");
    let input = |i| inputs.state(|_| Some(Value::Boolean(i))).expect("an input");
    let trace = Trace {
        states: vec![state(0), state(1), state(1)],
        inputs: vec![input(true), input(false), input(false)],
        loop_start: Some(2),
    };
    let property = &flat.properties[0];
    let text = property_text(&file, property).expect("a formula");
    let verdict = verdict_line(property.kind, &text, "", "false");
    let heading = Heading::counterexample(1, property.kind);
    let written = verdict + DEMONSTRATED + &write(&flat, &trace, &heading, Marks::Equal);
    let expected = [
        "-- specification  G x = 0  is false",
        "-- as demonstrated by the following execution sequence",
        "Trace Description: LTL Counterexample ",
        "Trace Type: Counterexample ",
        "  -> State: 1.1 <-",
        "    x = 0",
        "  -> Input: 1.2 <-",
        "    i = TRUE",
        "  -- Loop starts here",
        "  -> State: 1.2 <-",
        "    x = 1",
        "  -> Input: 1.3 <-",
        "    i = FALSE",
        "  -- Loop starts here",
        "  -> State: 1.3 <-",
        "  -> Input: 1.4 <-",
        "  -> State: 1.4 <-",
        "",
    ];
    assert_eq!(written, expected.join("\n"));
    let only_own = write(&flat, &trace, &heading, Marks::Among(&[2]));
    assert_eq!(only_own.matches("Loop starts here").count(), 1);
}

/// Formulas whose text would be exponential end with dots.
#[test]
fn long_formulas_end() {
    let mut minimum = "x".to_owned();
    for _ in 0..40 {
        minimum = format!("min({minimum}, {minimum})");
        if minimum.len() > 4_000 {
            break;
        }
    }
    let nested = (0..40).fold("x".to_owned(), |inner, _| format!("min(x, {inner})"));
    for term in [minimum, nested] {
        let text = format!("MODULE main VAR x : 0..1; LTLSPEC {term} = 0");
        let (file, flat) = read_model(&text);
        let printed = property_text(&file, &flat.properties[0]).expect("a formula");
        assert!(printed.len() < 1 << 21 && printed.ends_with("..."), "{}", printed.len());
    }
}

/// Definitions of large sets do not need more than their text.
#[test]
fn large_sets_are_left_out() {
    let mut text = "MODULE main VAR x : boolean; DEFINE d0 := {1, 2}; e0 := {3, 4};".to_owned();
    for level in 1..40 {
        let before = level - 1;
        text += &format!(
            "d{level} := d{before} union e{before}; e{level} := e{before} union d{before};"
        );
    }
    let flat = model(&text);
    let state: State =
        Layout::of_states(&flat).state(|_: VariableId| Some(Value::Boolean(true))).expect("x");
    let trace = Trace { states: vec![state], inputs: Vec::new(), loop_start: None };
    let heading = Heading::counterexample(1, PropertyKind::Invariant);
    let written = write(&flat, &trace, &heading, Marks::Equal);
    assert!(written.contains("    d2 = (1 union 2) union (3 union 4), 3 union 4, 1, 2\n"));
    assert!(!written.contains("d30 ="));
}
