//! CTL and COMPUTE on small models: each operator, bounds, justice and dead ends.

use kermode_smv::judge::{Graph, Limits, label};

use crate::support::{assert_verdicts, model, never};

/// 0 may stay or go to 1; 1 goes to 2 or 3; 2 stays for ever; 3 is a dead end.
const FORK: &str = "MODULE main VAR x : 0..3; INIT x = 0 TRANS case x = 0 : next(x) in {0, 1}; \
                    x = 1 : next(x) in {2, 3}; x = 2 : next(x) = 2; TRUE : FALSE; esac";

/// The states, by their values of `x`, that satisfy a formula.
fn states(model_text: &str, formula: &str) -> Vec<String> {
    let model = model(&format!("{model_text} SPEC {formula}"));
    let graph = Graph::new(&model, [], Limits::default(), &mut never).expect("small");
    let formula = model.properties[0].operands[0];
    let Ok(labelling) = label(&graph, &[formula], &mut never);
    let layout = kermode_smv::interpreter::Layout::of_states(&model);
    let states = labelling.states(formula).expect("labelled");
    let mut texts: Vec<String> =
        states.iter().map(|state| layout.show(&graph.states[state]).replace("x = ", "")).collect();
    texts.sort();
    texts
}

#[test]
fn labels_of_each_operator() {
    let cases: [(&str, &[&str]); 26] = [
        ("x >= 2", &["2", "3"]),
        // No fair path starts in 3: it is invisible as a successor, and everything about all of its
        // paths is true.
        ("EX TRUE", &["0", "1", "2"]),
        ("EX x = 3", &[]),
        ("EX x = 2", &["1", "2"]),
        ("AX x = 2", &["1", "2", "3"]),
        ("AX FALSE", &["3"]),
        ("EF x = 2", &["0", "1", "2"]),
        ("EF x = 3", &[]),
        ("AG x != 3", &["0", "1", "2", "3"]),
        ("AG x = 2", &["2", "3"]),
        ("EG x = 0", &["0"]),
        ("EG x <= 1", &["0"]),
        ("AF x = 2", &["1", "2", "3"]),
        ("AF FALSE", &["3"]),
        ("E [x = 0 U x = 1]", &["0", "1"]),
        ("E [x = 1 U x = 2]", &["1", "2"]),
        ("A [x = 1 U x = 2]", &["1", "2", "3"]),
        ("A [x = 0 U x = 1]", &["1", "3"]),
        // Bounds count steps from 0.
        ("EBF 1..1 x = 2", &["1", "2"]),
        ("EBF 0..2 x = 2", &["0", "1", "2"]),
        ("ABF 0..1 x = 2", &["1", "2", "3"]),
        ("EBG 1..2 x = 0", &["0"]),
        ("ABG 2..2 x = 2", &["1", "2", "3"]),
        ("E [x < 2 BU 2..3 x = 2]", &["0"]),
        ("A [x > 0 BU 0..1 x = 2]", &["1", "2", "3"]),
        ("!EX x = 2 xor AX x = 2", &["0", "1", "2"]),
    ];
    for (formula, expected) in cases {
        assert_eq!(states(FORK, formula), expected, "{formula}");
    }
}

/// The definition by paths: q at a time from i to j, and p at all times before, from time 0 on.
#[test]
fn bounded_until_demands_its_first_operand_from_the_beginning() {
    let line = "MODULE main VAR x : 0..4; INIT x = 0 TRANS next(x) = (x = 4 ? 4 : x + 1)";
    let cases: [(&str, &[&str]); 6] = [
        ("E [x < 2 BU 2..2 x = 2]", &["0"]),
        ("E [x > 0 BU 2..2 x = 2]", &[]),
        ("E [x > 0 BU 2..2 x >= 3]", &["1", "2", "3", "4"]),
        ("A [x < 3 BU 1..3 x = 3]", &["0", "1", "2"]),
        ("A [x < 3 BU 0..0 x = 3]", &["3"]),
        ("A [FALSE BU 0..2 x = 3]", &["3"]),
    ];
    for (formula, expected) in cases {
        assert_eq!(states(line, formula), expected, "{formula}");
    }
}

#[test]
fn quantifiers_range_over_fair_paths() {
    let just = format!("{FORK} JUSTICE x = 2");
    let cases: [(&str, &[&str]); 5] = [
        ("EG x = 0", &[]),
        ("AF x = 2", &["0", "1", "2", "3"]),
        ("A [x < 2 U x = 2]", &["0", "1", "2", "3"]),
        ("EG TRUE", &["0", "1", "2"]),
        ("EF x = 1", &["0", "1"]),
    ];
    for (formula, expected) in cases {
        assert_eq!(states(&just, formula), expected, "{formula}");
    }
    // Compassion is ignored.
    assert_eq!(states(&format!("{FORK} COMPASSION (TRUE, FALSE)"), "EG x = 0"), ["0"]);
    assert_verdicts(&format!("{FORK} JUSTICE x = 3"), &[("SPEC FALSE", "true")]);
    assert_verdicts(&format!("{FORK} JUSTICE x = 0"), &[("SPEC EX x = 1", "false")]);
    // Initial states without fair paths do not count.
    let two = FORK.replace("INIT x = 0", "INIT x = 0 | x = 3");
    assert_verdicts(&two, &[("SPEC x = 0", "true"), ("SPEC x = 3", "false")]);
}

/// A justice condition over inputs holds on steps: 0 may stay, but only with the input 0.
#[test]
fn justice_over_inputs_belongs_to_steps() {
    let text = "MODULE main VAR x : 0..1; IVAR i : 0..1; INIT x = 0 \
                TRANS next(x) >= x TRANS x = 0 & next(x) = 0 -> i = 0";
    assert_eq!(states(text, "EG x = 0"), ["0"]);
    let just = format!("{text} JUSTICE i = 1");
    assert_eq!(states(&just, "EG x = 0"), Vec::<String>::new());
    assert_eq!(states(&just, "EG x = 1"), ["1"]);
    let both = format!("{text} JUSTICE i = 1 JUSTICE i = 0");
    assert_eq!(states(&both, "EG x = 1"), ["1"]);
}

#[test]
fn compute_counts_steps_between_visible_states() {
    assert_verdicts(
        FORK,
        &[
            ("COMPUTE MIN [x = 0, x = 2]", "2"),
            ("COMPUTE MIN [x = 0, x <= 1]", "0"),
            ("COMPUTE MIN [x = 2, x = 0]", "infinite"),
            ("COMPUTE MAX [x = 1, x = 2]", "1"),
            ("COMPUTE MAX [x = 0, x = 2]", "infinite"),
            ("COMPUTE MAX [x = 2, x = 2]", "0"),
            // No fair path starts in 3, so it belongs to no set.
            ("COMPUTE MIN [x = 1, x = 3]", "infinite"),
            ("COMPUTE MAX [x = 1, x = 3]", "undefined"),
            ("COMPUTE MAX [x = 3, x = 2]", "undefined"),
            ("COMPUTE MAX [FALSE, TRUE]", "undefined"),
            ("COMPUTE MIN [FALSE, TRUE]", "infinite"),
            ("COMPUTE MIN [x = 0, AX x = 2]", "1"),
        ],
    );
    // A path that waits in 0 is not fair, but counts all the same.
    assert_verdicts(
        &format!("{FORK} JUSTICE x = 2"),
        &[("COMPUTE MAX [x = 0, x = 2]", "infinite"), ("COMPUTE MAX [x = 1, x = 2]", "1")],
    );
    // If no state at all is visible, only emptiness of the sets counts.
    assert_verdicts(
        &format!("{FORK} JUSTICE FALSE"),
        &[
            ("COMPUTE MAX [x = 0, x = 2]", "0"),
            ("COMPUTE MAX [x = 0, x = 4]", "undefined"),
            ("COMPUTE MIN [x = 0, x = 0]", "infinite"),
        ],
    );
}

#[test]
fn labelling_can_be_stopped() {
    let model = model(&format!("{FORK} SPEC EBF 0..2147483647 x = 3"));
    let graph = Graph::new(&model, [], Limits::default(), &mut never).expect("small");
    let stopped = label(&graph, &model.properties[0].operands, &mut || Err("stop"));
    assert_eq!(stopped.err(), Some("stop"));
    // Large bounds end when nothing changes any more.
    assert!(label(&graph, &model.properties[0].operands, &mut never).is_ok());
}
