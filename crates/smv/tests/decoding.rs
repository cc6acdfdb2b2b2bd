//! Traces over bits become traces of the flat model.

use kermode_smv::interpreter::{Fairness, Layout, Replay, Trace as FlatTrace};
use kermode_smv::{ReadOptions, SmvModel};
use kermode_system::Trace;

const MODEL: &str = "\
MODULE main
FROZENVAR f : {red, 3, green};
IVAR i : boolean;
VAR n : -1..1;
VAR w : signed word[2];
ASSIGN
  init(n) := -1;
  next(n) := i ? (n = 1 ? -1 : n + 1) : n;
  w := n = 1 ? 0sd2_1 : -0sd2_2;
";

fn model() -> SmvModel {
    let (options, limits) = (ReadOptions::default(), Default::default());
    SmvModel::read::<()>(MODEL, &options, &limits, &mut || Ok(())).expect("a model")
}

/// The trace with these codes of the variables `f`, `i`, `n` and `w` at each state.
fn trace(model: &SmvModel, rows: &[[u64; 4]], loop_start: Option<usize>) -> Trace {
    let system = &model.encoded.model;
    let bit = |row: &[u64; 4], variable| {
        let owner = system.symbols.iter().position(|symbol| symbol.bits.contains(&variable));
        let owner = owner.expect("each bit belongs to a symbol");
        let place = system.symbols[owner].bits.iter().position(|&other| other == variable);
        row[owner] >> place.expect("a bit of the symbol") & 1 == 1
    };
    let variables = system.system.variables();
    let rows = rows.iter().map(|row| variables.iter().map(|&v| bit(row, v)).collect::<Vec<_>>());
    Trace::new(variables.len(), rows, loop_start)
}

fn shown(model: &SmvModel, trace: &FlatTrace) -> (Vec<String>, Vec<String>) {
    let (states, inputs) = (Layout::of_states(&model.flat), Layout::of_inputs(&model.flat));
    let show = |layout: &Layout, all: &[_]| all.iter().map(|one| layout.show(one)).collect();
    (show(&states, &trace.states), show(&inputs, &trace.inputs))
}

#[test]
fn a_lasso_has_inputs_at_each_state() {
    let model = model();
    let bits = trace(&model, &[[1, 1, 0, 2], [1, 1, 1, 2], [1, 1, 2, 1]], Some(0));
    let flat = model.encoded.decode(&model.flat, &bits).expect("values");
    let (states, inputs) = shown(&model, &flat);
    let expected =
        ["f = 3, n = -1, w = -0sd2_2", "f = 3, n = 0, w = -0sd2_2", "f = 3, n = 1, w = 0sd2_1"];
    assert_eq!(states, expected);
    assert_eq!((inputs, flat.loop_start), (vec!["i = TRUE".to_owned(); 3], Some(0)));
    let mut replay = Replay::new(&model.flat);
    assert_eq!(replay.check(&flat, Fairness::JusticeAndCompassion), Ok(()));
}

#[test]
fn a_finite_trace_has_no_inputs_at_its_end() {
    let model = model();
    let bits = trace(&model, &[[2, 0, 0, 2], [2, 1, 0, 2], [2, 1, 1, 2]], None);
    let flat = model.encoded.decode(&model.flat, &bits).expect("values");
    let (states, inputs) = shown(&model, &flat);
    assert_eq!(states[2], "f = green, n = 0, w = -0sd2_2");
    assert_eq!((inputs, flat.loop_start), (vec!["i = FALSE".to_owned(), "i = TRUE".into()], None));
    assert_eq!(Replay::new(&model.flat).check(&flat, Fairness::Ignored), Ok(()));
}

#[test]
fn variables_of_a_formula_are_ignored_and_missing_ones_are_refused() {
    let model = model();
    let variables = model.encoded.model.system.variables().len();
    let wide = Trace::new(variables + 2, [vec![false; variables + 2]], None);
    assert!(model.encoded.decode(&model.flat, &wide).is_some());
    let narrow = Trace::new(variables - 1, [vec![false; variables - 1]], None);
    assert_eq!(model.encoded.decode(&model.flat, &narrow), None);
    // There is no fourth value of `f`.
    let illegal = trace(&model, &[[3, 0, 0, 2]], None);
    assert_eq!(model.encoded.decode(&model.flat, &illegal), None);
}
