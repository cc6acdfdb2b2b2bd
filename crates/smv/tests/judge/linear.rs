//! LTL on small models, with justice, compassion, inputs, `next`, past and bounded operators, dead
//! ends; and finite readings.

use kermode_ltl::Store;
use kermode_smv::interpreter::Fairness;
use kermode_smv::judge::{Ending, Graph, Limits, Unjudged, fair_path, finite_path};
use kermode_smv::property::{FlatAtoms, ltl_formula};

use crate::support::{assert_path, assert_satisfies, assert_verdicts, model, never};

/// A counter 0, 1, 2, 0, .. that may wait in any state.
const WAITING: &str = "MODULE main VAR x : 0..2; INIT x = 0 TRANS next(x) in {x, (x + 1) mod 3}";

#[test]
fn justice_forbids_to_wait_for_ever() {
    let without = [("LTLSPEC F x = 1", "false"), ("LTLSPEC G F x = 2", "false")];
    assert_verdicts(WAITING, &without);
    // A path that leaves each state again and again visits all of them.
    let leaving = "JUSTICE x != 0 JUSTICE x != 1 JUSTICE x != 2";
    let with = [
        ("LTLSPEC F x = 1", "true"),
        ("LTLSPEC G F x = 2", "true"),
        ("LTLSPEC F G x = 2", "false"),
        ("LTLSPEC X x = 1", "false"),
        ("LTLSPEC FALSE", "false"),
    ];
    assert_verdicts(&format!("{WAITING} {leaving}"), &with);
    // Waiting in 0 meets the first condition only.
    let some = [("LTLSPEC F x = 1", "false"), ("LTLSPEC F G x = 0", "false")];
    assert_verdicts(&format!("{WAITING} JUSTICE x = 0"), &some);
    // No path is fair, so that everything holds.
    assert_verdicts(&format!("{WAITING} JUSTICE x = 3"), &[("LTLSPEC FALSE", "true")]);
}

/// From 0, a step to 1 is always possible, and 1 leads back.
const CHOICE: &str = "MODULE main VAR x : 0..2; INIT x = 0 \
                      TRANS next(x) in case x = 0 : {0, 1, 2}; TRUE : {0}; esac";

#[test]
fn compassion_demands_q_if_p_infinitely_often() {
    assert_verdicts(
        &format!("{CHOICE} COMPASSION (x = 0, x = 1)"),
        // All loops pass 0, so all fair paths pass 1 again and again; 2 may be left out.
        &[
            ("LTLSPEC G F x = 1", "true"),
            ("LTLSPEC G F x = 2", "false"),
            ("LTLSPEC F G x != 2", "false"),
        ],
    );
    assert_verdicts(
        &format!("{CHOICE} COMPASSION (x = 1, FALSE) COMPASSION (x = 2, x = 1)"),
        // 1 only finitely often, hence 2 only finitely often: from some time on, x is 0.
        &[
            ("LTLSPEC F G x = 0", "true"),
            ("LTLSPEC G x = 0", "false"),
            ("LTLSPEC F x = 1", "false"),
        ],
    );
    // The removal of edges with p leaves nothing that meets the justice condition.
    assert_verdicts(
        &format!("{CHOICE} JUSTICE x = 1 COMPASSION (x = 1, x = 3)"),
        &[("LTLSPEC FALSE", "true")],
    );
    // Removing 2 because of the first pair makes the second one fail inside of the rest: recursion.
    let chain = "MODULE main VAR x : 0..3; INIT x = 0 \
                 TRANS next(x) in case x = 0 : {0, 1}; x = 1 : {2, 0}; x = 2 : {1, 3}; TRUE : {3}; esac \
                 COMPASSION (x = 2, FALSE) COMPASSION (x = 1, x = 2)";
    assert_verdicts(
        chain,
        &[
            ("LTLSPEC F G x = 0 | F G x = 3", "true"),
            ("LTLSPEC F G x = 0", "false"),
            ("LTLSPEC G F x = 1", "false"),
            ("LTLSPEC !(G F x = 1)", "true"),
        ],
    );
}

/// Each step of this model has an input, and the inputs of steps between the same states differ.
const INPUTS: &str = "MODULE main VAR x : 0..1; IVAR i : boolean; j : boolean; INIT x = 0 \
                      TRANS next(x) = (i ? 1 - x : x) TRANS j -> i";

#[test]
fn atoms_and_fairness_over_inputs_belong_to_steps() {
    assert_verdicts(
        INPUTS,
        &[
            ("LTLSPEC G (j -> X x != 1 | x = 0)", "true"),
            ("LTLSPEC G (x = 0 & i -> X x = 1)", "true"),
            ("LTLSPEC G (x = 0 & !i -> X x = 1)", "false"),
            ("LTLSPEC G (i -> next(x) != x)", "true"),
            ("LTLSPEC G (next(x) != x -> i)", "true"),
            // Two steps from 0 to 1 differ in j alone.
            ("LTLSPEC G (i -> j)", "false"),
            ("LTLSPEC G (next(x) = 1 -> X x = 1)", "true"),
            ("LTLSPEC G F i", "false"),
        ],
    );
    // The steps with j and those without j are both taken again and again.
    assert_verdicts(
        &format!("{INPUTS} JUSTICE j JUSTICE i & !j"),
        &[("LTLSPEC FALSE", "false"), ("LTLSPEC G F x = 1", "true"), ("LTLSPEC G F !i", "false")],
    );
    assert_verdicts(
        &format!("{INPUTS} COMPASSION (i, j) COMPASSION (!i, i)"),
        &[("LTLSPEC G F j", "true"), ("LTLSPEC G F !j", "false")],
    );
    // Conditions on disjoint steps, with compassion beside them.
    assert_verdicts(
        &format!("{INPUTS} JUSTICE i JUSTICE !i COMPASSION (FALSE, TRUE)"),
        &[("LTLSPEC FALSE", "false"), ("LTLSPEC G F i", "true"), ("LTLSPEC G F !i", "true")],
    );
}

/// 0, 1, 2, 0, 1, 2, ..
const CYCLE: &str = "MODULE main VAR x : 0..2; INIT x = 0 TRANS next(x) = (x + 1) mod 3";

#[test]
fn past_operators_look_back_to_the_beginning() {
    assert_verdicts(
        CYCLE,
        &[
            ("LTLSPEC G (x = 1 -> Y x = 0)", "true"),
            ("LTLSPEC G (x = 0 -> Y x = 2)", "false"),
            ("LTLSPEC G (x = 0 -> Z x = 2)", "true"),
            ("LTLSPEC G (x = 2 -> O x = 1)", "true"),
            ("LTLSPEC G O x = 0", "true"),
            ("LTLSPEC G O x = 1", "false"),
            ("LTLSPEC F H x < 2 & X X G !H x < 2", "true"),
            ("LTLSPEC G (x = 2 -> (x > 0 S x = 0))", "true"),
            ("LTLSPEC G (x > 0 S x = 1)", "false"),
            ("LTLSPEC X G (x > 0 S x <= 1)", "true"),
            ("LTLSPEC G (x = 1 T x < 2)", "false"),
            ("LTLSPEC X (x = 1 T x < 2)", "true"),
        ],
    );
}

#[test]
fn bounded_operators_count_steps() {
    assert_verdicts(
        CYCLE,
        &[
            ("LTLSPEC G F [0,2] x = 0", "true"),
            ("LTLSPEC G F [0,1] x = 0", "false"),
            ("LTLSPEC G (x = 0 -> F [1,1] x = 1)", "true"),
            ("LTLSPEC G [3,3] x = 0", "true"),
            ("LTLSPEC G [3,4] x = 0", "false"),
            ("LTLSPEC G (x = 2 -> O [1,2] x = 0)", "true"),
            ("LTLSPEC G O [0,2] x = 0", "true"),
            // H[0,2] is false as long as not all of its positions exist.
            ("LTLSPEC H [0,2] TRUE", "false"),
            ("LTLSPEC X X H [0,2] TRUE", "true"),
            ("LTLSPEC F H [1,2] x < 2", "true"),
            ("LTLSPEC G (H [1,2] x < 2 -> x = 2)", "true"),
        ],
    );
}

/// From 0 to 1 and 2; 2 is a dead end.
const DEAD_END: &str = "MODULE main VAR x : 0..2; INIT x = 0 \
                        TRANS case x = 0 : next(x) > 0; x = 1 : next(x) = 1; TRUE : FALSE; esac";

#[test]
fn finite_paths_do_not_count() {
    assert_verdicts(
        DEAD_END,
        &[
            ("LTLSPEC G x != 2", "true"),
            ("LTLSPEC F G x = 1", "true"),
            ("LTLSPEC X x = 2", "false"),
        ],
    );
    let dead = "MODULE main VAR x : boolean; TRANS FALSE";
    assert_verdicts(dead, &[("LTLSPEC FALSE", "true"), ("LTLSPEC x", "true")]);
    assert_verdicts("MODULE main VAR x : boolean; INIT FALSE", &[("LTLSPEC FALSE", "true")]);
}

/// The number of states of a shortest finite path that satisfies the first specification.
fn finite(text: &str, ending: Ending) -> Option<usize> {
    let model = model(text);
    let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
    let formula = ltl_formula(&model, model.properties[0].operands[0], &mut store, &mut atoms);
    let observed = atoms.of(&store, formula).into_iter().map(|(_, atom)| atom);
    let graph = Graph::new(&model, observed, Limits::default(), &mut never).expect("small");
    let path = finite_path(&graph, &store, formula, &atoms, ending, &mut never).expect("small");
    path.map(|trace| {
        assert_path(&model, &trace, Fairness::Ignored);
        assert_satisfies(&model, &trace, &store, formula, &atoms);
        trace.states.len()
    })
}

#[test]
fn finite_readings_end_anywhere_or_in_a_dead_end() {
    let cases = [
        // The shortest word has one letter.
        ("TRUE", Some(1), Some(2)),
        ("FALSE", None, None),
        ("X TRUE", Some(2), Some(2)),
        ("X X TRUE", Some(3), None),
        // Weak next is the dual of the strong one: here the word ends.
        ("!X TRUE", Some(1), None),
        ("x = 0 & X (x = 2 & !X TRUE)", Some(2), Some(2)),
        ("F x = 1", Some(2), None),
        ("G x = 0", Some(1), None),
        ("G F x = 2", Some(2), Some(2)),
        ("F (x = 2 & Y x = 0)", Some(2), Some(2)),
        ("F (x = 2 & Y x = 1)", None, None),
        ("G [0,5] x != 1", Some(1), Some(2)),
        ("F [2,2] x = 1", Some(3), None),
    ];
    for (formula, anywhere, dead_end) in cases {
        let text = format!("{DEAD_END} JUSTICE FALSE LTLSPEC {formula}");
        assert_eq!(finite(&text, Ending::Anywhere), anywhere, "{formula}");
        assert_eq!(finite(&text, Ending::DeadEnd), dead_end, "{formula}");
    }
}

#[test]
fn kinds_of_fairness_are_chosen_by_the_caller() {
    let model = model(&format!("{CHOICE} JUSTICE x = 2 COMPASSION (x = 0, x = 1) LTLSPEC F x > 0"));
    let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
    let formula = ltl_formula(&model, model.properties[0].operands[0], &mut store, &mut atoms);
    let [holds, violated] = [formula, store.not(formula)];
    let observed = atoms.of(&store, formula).into_iter().map(|(_, atom)| atom);
    let graph = Graph::new(&model, observed, Limits::default(), &mut never).expect("small");
    let cases = [
        (Fairness::Ignored, true),
        (Fairness::Justice, false),
        (Fairness::JusticeAndCompassion, false),
    ];
    for (fairness, has_path) in cases {
        let path = fair_path(&graph, &store, violated, &atoms, fairness, &mut never);
        let path = path.expect("small");
        assert_eq!(path.is_some(), has_path, "{fairness:?}");
        let path = fair_path(&graph, &store, holds, &atoms, fairness, &mut never).expect("small");
        assert_path(&model, &path.expect("x may change"), fairness);
    }
}

#[test]
fn large_products_are_refused_and_searches_can_be_stopped() {
    let model = model(&format!("{CHOICE} LTLSPEC F [0,12] x = 1 | G [3,14] x = 0"));
    let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
    let formula = ltl_formula(&model, model.properties[0].operands[0], &mut store, &mut atoms);
    let observed = atoms.of(&store, formula).into_iter().map(|(_, atom)| atom);
    let limits = Limits { states: 10, steps: 100 };
    let graph = Graph::new(&model, observed, limits, &mut never).expect("small");
    let fairness = Fairness::Justice;
    let refused = fair_path(&graph, &store, formula, &atoms, fairness, &mut never);
    assert!(matches!(refused, Err(Unjudged::TooLarge { limit: 100, .. })), "{refused:?}");
    let mut calls = 0;
    let mut stop = || {
        calls += 1;
        if calls > 5 { Err("stop") } else { Ok(()) }
    };
    let stopped = fair_path(&graph, &store, formula, &atoms, fairness, &mut stop);
    assert_eq!(stopped, Err(Unjudged::Interrupted("stop")));
}
