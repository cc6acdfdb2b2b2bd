//! Invariants and dead ends.

use kermode_smv::interpreter::Fairness;
use kermode_smv::judge::{Graph, Limits, dead_end};

use crate::support::{assert_path, assert_verdicts, model, never};

/// Counts to 3, where it ends; `i` is free but for the step from 1.
const LINE: &str = "MODULE main VAR x : 0..3; IVAR i : boolean; INIT x = 0 \
                    TRANS x < 3 & next(x) = x + 1 TRANS x = 1 -> i JUSTICE FALSE";

#[test]
fn invariants_are_about_reachable_states_or_steps() {
    assert_verdicts(
        LINE,
        &[
            // States at the end of finite paths count, and fairness does not.
            ("INVARSPEC x < 3", "false"),
            ("INVARSPEC x < 4", "true"),
            ("INVARSPEC FALSE", "false"),
            // A state without steps does not violate an invariant about steps.
            ("INVARSPEC x = 3 -> i", "true"),
            ("INVARSPEC x = 1 -> i", "true"),
            ("INVARSPEC x = 2 -> i", "false"),
            ("INVARSPEC next(x) > x", "true"),
            ("INVARSPEC next(x) < 3", "false"),
            ("INVARSPEC x < 3 | next(x = 3)", "true"),
            // `next` of a constant makes no invariant about steps.
            ("INVARSPEC x < 3 | next(FALSE)", "false"),
        ],
    );
    let dead = "MODULE main VAR x : 0..1; IVAR i : boolean; INIT x = 0 TRANS FALSE";
    assert_verdicts(
        dead,
        &[
            ("INVARSPEC FALSE & (i | !i)", "true"),
            ("INVARSPEC next(x) = 2", "true"),
            ("INVARSPEC next(FALSE)", "false"),
            ("INVARSPEC x = 1", "false"),
        ],
    );
}

#[test]
fn violations_are_shown_by_shortest_paths() {
    let text = "MODULE main VAR x : 0..9; INIT x = 0 | x = 4 TRANS next(x) in {(x + 1) mod 10, 0} \
                INVARSPEC x != 7";
    let model = model(text);
    let verdict =
        kermode_smv::judge::verdict(&model, &model.properties[0], Limits::default(), &mut never);
    let Ok(kermode_smv::judge::Verdict::Violated(Some(trace))) = verdict else {
        panic!("{verdict:?}")
    };
    assert_eq!(trace.states.len(), 4);
}

#[test]
fn dead_ends_are_found() {
    let line = model(LINE);
    let graph = Graph::new(&line, [], Limits::default(), &mut never).expect("small");
    let trace = dead_end(&graph).expect("3 has no successor");
    assert_path(&line, &trace, Fairness::Ignored);
    assert_eq!(trace.states.len(), 4);
    let total = model("MODULE main VAR x : 0..3; INIT x = 0 TRANS next(x) = x | x = 0");
    let graph = Graph::new(&total, [], Limits::default(), &mut never).expect("small");
    assert!(dead_end(&graph).is_none());
}
