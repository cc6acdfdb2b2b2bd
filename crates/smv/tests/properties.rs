//! LTL specifications as formulas over atoms of the flat model, and the words of paths.

use std::convert::Infallible;
use std::ops::ControlFlow;

use kermode_ltl::semantics::naive;
use kermode_ltl::{Formula, Letter, Store, Word};
use kermode_smv::FlatModel;
use kermode_smv::flat::Value;
use kermode_smv::interpreter::{Fairness, Interpreter, Layout, Replay, State, Trace};
use kermode_smv::meaning::flatten;
use kermode_smv::property::{FlatAtoms, ltl_formula, word_of};
use kermode_smv::syntax::{ReadOptions, parse};

fn model(text: &str) -> FlatModel {
    let parsed = parse(text, &ReadOptions::default());
    assert!(!parsed.has_errors(), "{:?}", parsed.diagnostics);
    flatten::<Infallible>(text, &parsed.file, &mut || Ok(())).expect("a correct model").0
}

/// The formula of a specification of a model with variables `b`, `c`, `x`, `y` and an input `i`.
struct Read {
    flat: FlatModel,
    store: Store,
    atoms: FlatAtoms,
    formula: Formula,
}

const DECLARATIONS: &str = "MODULE main VAR b : boolean; c : boolean; x : 0..3; y : 0..3; \
                            w : word[2]; IVAR i : boolean; DEFINE d := x < y; LTLSPEC ";

fn read(specification: &str) -> Read {
    let flat = model(&format!("{DECLARATIONS}{specification}"));
    let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
    let formula = ltl_formula(&flat, flat.properties[0].operands[0], &mut store, &mut atoms);
    Read { flat, store, atoms, formula }
}

impl Read {
    fn text(&self) -> String {
        kermode_ltl::dialect::write_abbreviated(&self.store, self.formula, 1000)
    }

    fn names(&self) -> Vec<&str> {
        let atoms = self.atoms.of(&self.store, self.formula);
        atoms.into_iter().map(|(proposition, _)| self.store.name(proposition)).collect()
    }
}

#[test]
fn connectives_above_atoms_belong_to_the_formula() {
    let cases = [
        ("G (b -> F !c)", "G(b -> F !c)"),
        ("x = 1 & F x + y > 3", "\"x = 1\" & F \"x + y > 3\""),
        ("b xor X c", "b ^ X c"),
        ("b xnor c", "b <-> c"),
        ("b <-> Y c", "b <-> Y c"),
        ("b U c V b", "(b U c) R b"),
        ("b S c | b T c", "b S c | b T c"),
        ("O H Z b", "O H Z b"),
        ("F [1,2] b & G [0,3] c", "F[1,2] b & G[0,3] c"),
        ("F FALSE", "false"),
        // What is no connective stays whole, and so does a connective of words.
        ("b = c | F b", "\"b = c\" | F b"),
        ("(b ? c : i) U c", "\"b ? c : i\" U c"),
        ("F (w | !w) = w", "F \"(w | !w) = w\""),
        ("next(x) = 1 & i & X next(b)", "\"next(x) = 1\" & i & X \"next(b)\""),
        // Definitions have their names.
        ("G (d | b)", "G(d | b)"),
    ];
    for (specification, expected) in cases {
        assert_eq!(read(specification).text(), expected, "{specification}");
    }
}

/// A connective above an expression that may fail may mask the failure.
#[test]
fn masks_of_failures_stay_whole() {
    let cases = [
        ("G (y != 0 -> x / y < 2)", "G \"y != 0 -> x / y < 2\""),
        ("(y = 0 | x mod y = 1) & F b", "\"y = 0 | x mod y = 1\" & F b"),
        ("!(y > 0 & x / y = 1) U b", "\"!(y > 0 & x / y = 1)\" U b"),
        // A temporal operator is no mask, and nothing fails outside of the division.
        ("y != 0 -> X (b & c)", "\"y != 0\" -> X(b & c)"),
    ];
    for (specification, expected) in cases {
        assert_eq!(read(specification).text(), expected, "{specification}");
    }
}

/// NuSMV's `H[a,b] p` is false at the first `b` positions.
#[test]
fn bounded_historically_is_false_before_its_positions_exist() {
    let read = read("H [1,2] b");
    assert_eq!(read.text(), "H[1,2] b & O[2,2] true");
    let b = read.atoms.of(&read.store, read.formula)[0].0;
    let word = Word::lasso(vec![Letter::from_iter([b]); 3], vec![Letter::from_iter([b])]);
    let values = naive::evaluate(&read.store, read.formula, &word);
    let held: Vec<bool> = (0..4).map(|position| values.holds(read.formula, position)).collect();
    assert_eq!(held, [false, false, true, true]);
    // With a false operand it is false everywhere, at time 0 as well.
    let never = self::read("H [1,2] FALSE");
    let values = naive::evaluate(&never.store, never.formula, &word);
    assert!((0..4).all(|position| !values.holds(never.formula, position)));
    assert_eq!(self::read("O [1,2] b").text(), "O[1,2] b");
}

#[test]
fn an_expression_has_one_proposition_and_a_name_of_its_own() {
    let Read { flat, mut store, mut atoms, formula } = read("G (x = 1) | F (x = 1) | b");
    assert_eq!(atoms.of(&store, formula).len(), 2);
    // The name belongs to another expression already.
    let expression = atoms.of(&store, formula)[0].1;
    let mut others = FlatAtoms::default();
    let other = others.proposition(&flat, &mut store, expression);
    assert_ne!(atoms.expression(other), Some(expression));
    assert_eq!(store.name(other), "atom 1");
    assert_eq!(others.proposition(&flat, &mut store, expression), other);
    // So it does if a formula has it that knows nothing of the model.
    let free = store.proposition("d");
    let definition = flat.definitions[0].body;
    let named = atoms.proposition(&flat, &mut store, definition);
    assert_ne!(named, free);
    assert_eq!((atoms.expression(free), store.name(named)), (None, "atom 2"));
    // A caller may choose the proposition.
    let chosen = store.proposition("chosen");
    let mut bound = FlatAtoms::default();
    bound.bind(chosen, definition);
    assert_eq!(bound.proposition(&flat, &mut store, definition), chosen);
}

#[test]
fn long_expressions_get_short_names() {
    let long = ["x"; 60].join(" + ");
    let read = read(&format!("G {long} > 3"));
    assert_eq!(read.names(), ["atom 1"]);
}

/// The path on which each step is the first one whose inputs and target have some values.
fn path(flat: &FlatModel, steps: &[(bool, i32)], loop_start: Option<usize>) -> Trace {
    let (states, inputs) = (Layout::of_states(flat), Layout::of_inputs(flat));
    let has = |layout: &Layout<'_>, state: &State, value: Value| {
        layout.values(state).any(|(_, found)| found == value)
    };
    let mut interpreter = Interpreter::new(flat);
    let mut first = None;
    let Ok(()) = interpreter.initial_states::<Infallible>(
        &mut |state| {
            first = Some(state);
            ControlFlow::Break(())
        },
        &mut || Ok(()),
    );
    let mut trace = Trace { states: vec![first.expect("a state")], inputs: Vec::new(), loop_start };
    for &(input, target) in steps {
        let mut found = None;
        let mut visit = |chosen: State, next: State| {
            let fits = has(&inputs, &chosen, Value::Boolean(input))
                && has(&states, &next, Value::Integer(target));
            if fits {
                found = Some((chosen, next));
            }
            if fits { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let last = trace.states[trace.states.len() - 1].clone();
        let Ok(()) = interpreter.steps::<Infallible>(&last, &mut visit, &mut || Ok(()));
        let (chosen, next) = found.expect("a step");
        trace.inputs.push(chosen);
        trace.states.push(next);
    }
    if loop_start.is_some() {
        trace.states.pop();
    }
    Replay::new(flat).check(&trace, Fairness::Ignored).expect("a path");
    trace
}

/// Atoms at a state are those of the step that leaves it; at the end of a finite path there is no
/// step.
#[test]
fn words_of_paths_read_inputs_and_next_values_of_the_leaving_step() {
    let flat = model(
        "MODULE main VAR x : 0..2; IVAR i : boolean; INIT x = 0 \
         TRANS next(x) = (i ? (x + 1) mod 3 : x) \
         LTLSPEC F (i & next(x) = 2 & x >= 1) & O (x != 0 -> 2 / x = 1)",
    );
    let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
    let formula = ltl_formula(&flat, flat.properties[0].operands[0], &mut store, &mut atoms);
    let atoms = atoms.of(&store, formula);
    let held = |word: &Word| -> Vec<Vec<String>> {
        let names = |letter: &Letter| {
            letter.iter().map(|proposition| store.name(proposition).to_owned()).collect()
        };
        let mut held: Vec<Vec<String>> = word.letters().iter().map(names).collect();
        held.iter_mut().for_each(|names| names.sort());
        held
    };
    let division = "x != 0 -> 2 / x = 1";
    // 0 -(i)-> 1 -(!i)-> 1 -(i)-> 2 -(i)-> 0, and again.
    let steps = [(true, 1), (false, 1), (true, 2), (true, 0)];
    let lasso = word_of(&flat, &path(&flat, &steps, Some(0)), &atoms);
    assert_eq!(lasso.loop_start(), Some(0));
    let expected = [
        vec!["i", division],
        vec!["x >= 1"],
        vec!["i", "next(x) = 2", "x >= 1"],
        vec!["i", division, "x >= 1"],
    ];
    assert_eq!(held(&lasso), expected);
    // The last state of a finite path has neither inputs nor next values.
    let finite = word_of(&flat, &path(&flat, &steps[..3], None), &atoms);
    assert_eq!(finite.loop_start(), None);
    let last = vec![division, "x >= 1"];
    assert_eq!(held(&finite), [&expected[..3], &[last]].concat());
    assert!(
        naive::satisfies(&store, formula, &lasso) && naive::satisfies(&store, formula, &finite)
    );
}
