//! The checks of ranges and failures, with the values that lead to a fault.

use std::convert::Infallible;

use kermode_base::{Diagnostic, Severity};
use kermode_smv::encoding::{Limits, check_expression, encode};
use kermode_smv::flat::{
    Assigned, Assignment, Constraint, Domain, FailureKind, FlatBinary, FlatExpression, FlatModel,
    FlatTerm, FlatVariable, PathUnary, Property, Symbol, Type, Value, VariableId,
};
use kermode_smv::syntax::{AssignmentKind, ConstraintKind, PropertyKind, Span, VariableKind};

const HERE: Span = Span { start: 3, end: 7 };

/// A model with variables of these domains, named `a`, `b` and so on.
fn model(domains: &[Domain]) -> (FlatModel, Vec<FlatExpression>) {
    let mut flat = FlatModel::default();
    flat.symbols.extend(["red", "green", "blue"].map(String::from));
    let mut variables = Vec::new();
    for (number, domain) in (0..).zip(domains) {
        let name = char::from(b'a' + number as u8).to_string();
        let (kind, span) = (VariableKind::State, Span::default());
        flat.variables.push(FlatVariable { name, kind, domain: domain.clone(), span });
        variables.push(flat.expressions.variable(VariableId(number), domain.ty(), false));
    }
    (flat, variables)
}

fn binary(
    flat: &mut FlatModel,
    operator: FlatBinary,
    a: FlatExpression,
    b: FlatExpression,
    ty: Type,
) -> FlatExpression {
    flat.expressions.intern(FlatTerm::Binary(operator, a, b), ty)
}

fn integer(flat: &mut FlatModel, value: i32) -> FlatExpression {
    flat.expressions.constant(Value::Integer(value))
}

fn assign(flat: &mut FlatModel, value: FlatExpression) -> Vec<Diagnostic> {
    let (kind, variable) = (AssignmentKind::Next, VariableId(0));
    let assigned = vec![Assigned { value, span: HERE, process: 0 }];
    flat.assignments.push(Assignment { kind, variable, value, assigned });
    faults(flat)
}

fn constrain(flat: &mut FlatModel, kind: ConstraintKind, e: FlatExpression) -> Vec<Diagnostic> {
    flat.constraints.push(Constraint { kind, condition: e, span: HERE });
    faults(flat)
}

fn faults(flat: &FlatModel) -> Vec<Diagnostic> {
    let Ok((_, faults)) = encode::<Infallible>(flat, &Limits::default(), &mut || Ok(()));
    faults
}

/// The only diagnostic: an error at the place of the expression.
fn only(faults: &[Diagnostic]) -> (&str, &str) {
    let [fault] = faults else { panic!("not one fault: {faults:?}") };
    assert_eq!((fault.severity, fault.span.clone()), (Severity::Error, HERE.range()));
    assert!(fault.help.is_some());
    (&fault.message, &fault.label)
}

#[test]
fn values_out_of_range_are_refused_with_an_example() {
    let (mut flat, v) = model(&[Domain::Range(0, 3), Domain::Boolean]);
    let one = integer(&mut flat, 1);
    let sum = binary(&mut flat, FlatBinary::Add, v[0], one, Type::Integer);
    let faults = assign(&mut flat, sum);
    assert_eq!(
        only(&faults),
        ("`a` cannot be assigned 4: its values are 0..3", "this is 4 if a = 3")
    );
}

#[test]
fn branches_exclude_values_and_other_constraints_do_not() {
    let build = |guarded: bool| {
        let (mut flat, v) = model(&[Domain::Range(0, 4), Domain::Range(0, 4)]);
        let [one, four] = [1, 4].map(|value| integer(&mut flat, value));
        let sum = binary(&mut flat, FlatBinary::Add, v[1], one, Type::Integer);
        let less = binary(&mut flat, FlatBinary::Less, v[1], four, Type::Boolean);
        constrain(&mut flat, ConstraintKind::Invar, less);
        let ite = FlatTerm::IfThenElse(less, sum, four);
        let value = if guarded { flat.expressions.intern(ite, Type::Integer) } else { sum };
        assign(&mut flat, value)
    };
    assert!(build(true).is_empty());
    let faults = build(false);
    let (message, label) = only(&faults);
    assert_eq!(message, "`a` cannot be assigned 5: its values are 0..4");
    assert_eq!(label, "this is 5 if b = 4");
}

#[test]
fn each_element_of_a_set_is_checked() {
    let (mut flat, v) = model(&[Domain::Range(0, 3), Domain::Range(0, 6)]);
    let two = integer(&mut flat, 2);
    let set = binary(&mut flat, FlatBinary::Union, two, v[1], Type::IntegerSet);
    let faults = assign(&mut flat, set);
    let (message, label) = only(&faults);
    assert!(message.starts_with("`a` cannot be assigned "), "{message}");
    let value = message["`a` cannot be assigned ".len()..].split(':').next().expect("a value");
    assert_eq!(label, format!("this is {value} if b = {value}"));

    let (mut flat, _) = model(&[Domain::Range(0, 3)]);
    let set = flat.expressions.intern(FlatTerm::Interval(2, 9), Type::IntegerSet);
    let faults = assign(&mut flat, set);
    assert_eq!(only(&faults), ("`a` cannot be assigned 4: its values are 0..3", "this is 4"));
}

#[test]
fn symbols_outside_of_the_enumeration_are_refused() {
    let colours = [0, 1].map(|symbol| Value::Symbol(Symbol(symbol)));
    let (mut flat, _) = model(&[Domain::Enumeration(colours.to_vec())]);
    let blue = flat.expressions.constant(Value::Symbol(Symbol(2)));
    let faults = assign(&mut flat, blue);
    let text = "`a` cannot be assigned blue: its values are {red, green}";
    assert_eq!(only(&faults), (text, "this is blue"));
}

#[test]
fn next_values_and_inputs_are_independent() {
    let (mut flat, v) = model(&[Domain::Range(0, 3), Domain::Range(0, 1), Domain::Range(0, 1)]);
    flat.variables[2].kind = VariableKind::Input;
    let next = flat.expressions.intern(FlatTerm::Next(v[1]), Type::Integer);
    let sum = binary(&mut flat, FlatBinary::Add, v[1], next, Type::Integer);
    let sum = binary(&mut flat, FlatBinary::Add, sum, v[2], Type::Integer);
    let one = integer(&mut flat, 1);
    let sum = binary(&mut flat, FlatBinary::Add, sum, one, Type::Integer);
    let faults = assign(&mut flat, sum);
    let (message, label) = only(&faults);
    assert_eq!(message, "`a` cannot be assigned 4: its values are 0..3");
    assert_eq!(label, "this is 4 if b = 1, next(b) = 1, c = 1");
}

#[test]
fn failures_are_named() {
    let trivial = |flat: &mut FlatModel, e| binary(flat, FlatBinary::Equal, e, e, Type::Boolean);
    let word = Domain::Word { signed: false, width: 4 };
    for (operator, message, label) in [
        (FlatBinary::Divide, "division by zero", "the divisor is 0 if b = 0"),
        (FlatBinary::Modulo, "division by zero", "the divisor is 0 if b = 0"),
    ] {
        let (mut flat, v) = model(&[Domain::Range(0, 3), Domain::Range(0, 3)]);
        let quotient = binary(&mut flat, operator, v[0], v[1], Type::Integer);
        let condition = trivial(&mut flat, quotient);
        let faults = constrain(&mut flat, ConstraintKind::Init, condition);
        assert_eq!(only(&faults), (message, label));
    }
    let (mut flat, v) = model(&[word.clone(), Domain::Range(-1, 4)]);
    let shifted = binary(&mut flat, FlatBinary::ShiftLeft, v[0], v[1], word.ty());
    let condition = trivial(&mut flat, shifted);
    let faults = constrain(&mut flat, ConstraintKind::Justice, condition);
    let (message, label) = only(&faults);
    assert_eq!(message, "a word of 4 bits cannot be shifted by -1");
    assert!(label.ends_with("if b = -1"), "{label}");
    for (kind, message) in [
        (FailureKind::NoCase, "the conditions of `case` are not exhaustive"),
        (FailureKind::OutOfBounds, "an array index is out of bounds"),
    ] {
        let (mut flat, v) = model(&[Domain::Boolean]);
        let failure =
            flat.expressions.intern(FlatTerm::Failure(kind, Type::Boolean), Type::Boolean);
        let term = FlatTerm::IfThenElse(v[0], v[0], failure);
        let condition = flat.expressions.intern(term, Type::Boolean);
        let faults = constrain(&mut flat, ConstraintKind::Invar, condition);
        let (found, label) = only(&faults);
        assert_eq!(found, message);
        assert!(label.ends_with("if a = FALSE"), "{label}");
    }
}

/// `a != 0 & 3 / a = 1`: its conjuncts are checked alone in TRANS only.
#[test]
fn transition_conditions_are_split() {
    for (kind, faulty) in [(ConstraintKind::Trans, true), (ConstraintKind::Init, false)] {
        let (mut flat, v) = model(&[Domain::Range(0, 3)]);
        let [zero, one, three] = [0, 1, 3].map(|value| integer(&mut flat, value));
        let nonzero = binary(&mut flat, FlatBinary::NotEqual, v[0], zero, Type::Boolean);
        let quotient = binary(&mut flat, FlatBinary::Divide, three, v[0], Type::Integer);
        let equal = binary(&mut flat, FlatBinary::Equal, quotient, one, Type::Boolean);
        let both = binary(&mut flat, FlatBinary::And, nonzero, equal, Type::Boolean);
        let faults = constrain(&mut flat, kind, both);
        assert_eq!(!faults.is_empty(), faulty, "{kind:?}: {faults:?}");
    }
}

/// Temporal operators do not guard: `a = 0 | X (3 / a = 1)`.
#[test]
fn properties_are_checked_below_temporal_operators() {
    let (mut flat, v) = model(&[Domain::Range(0, 3)]);
    let [zero, one, three] = [0, 1, 3].map(|value| integer(&mut flat, value));
    let is_zero = binary(&mut flat, FlatBinary::Equal, v[0], zero, Type::Boolean);
    let quotient = binary(&mut flat, FlatBinary::Divide, three, v[0], Type::Integer);
    let equal = binary(&mut flat, FlatBinary::Equal, quotient, one, Type::Boolean);
    let guarded = binary(&mut flat, FlatBinary::Or, is_zero, equal, Type::Boolean);
    for (operand, faulty) in [(guarded, false), (equal, true)] {
        let bounds = kermode_smv::flat::expression::BoundsId::NONE;
        let term = FlatTerm::PathUnary(PathUnary::Next, operand, bounds);
        let next = flat.expressions.intern(term, Type::Boolean);
        let formula = binary(&mut flat, FlatBinary::Or, is_zero, next, Type::Boolean);
        flat.properties = vec![Property {
            kind: PropertyKind::Ltl,
            name: None,
            instance: String::new(),
            operands: vec![formula],
            span: HERE,
            keyword: Span::default(),
        }];
        let faults = faults(&flat);
        assert_eq!(!faults.is_empty(), faulty, "{faults:?}");
    }
}

/// Words of 16 bits have too many valuations to try them all.
#[test]
fn wide_operands_need_diagrams() {
    let word = Domain::Word { signed: false, width: 16 };
    let build = |guarded: bool| {
        let (mut flat, v) = model(&[word.clone(), word.clone(), word.clone()]);
        let sum = binary(&mut flat, FlatBinary::Add, v[1], v[2], word.ty());
        let quotient = binary(&mut flat, FlatBinary::Divide, v[0], sum, word.ty());
        let zero = binary(&mut flat, FlatBinary::Xor, v[0], v[0], word.ty());
        let is_zero = binary(&mut flat, FlatBinary::Equal, sum, zero, Type::Boolean);
        let equal = binary(&mut flat, FlatBinary::Equal, quotient, v[1], Type::Boolean);
        let guarded_equal = binary(&mut flat, FlatBinary::Or, is_zero, equal, Type::Boolean);
        constrain(&mut flat, ConstraintKind::Trans, if guarded { guarded_equal } else { equal })
    };
    let faults = build(false);
    assert_eq!(only(&faults).0, "division by zero");
    assert!(build(true).is_empty());
}

#[test]
fn searches_that_are_too_large_are_warnings_and_failures_count_as_false() {
    let word = Domain::Word { signed: false, width: 16 };
    let (mut flat, v) = model(&[word.clone(), word.clone()]);
    let product = binary(&mut flat, FlatBinary::Multiply, v[0], v[1], word.ty());
    let quotient = binary(&mut flat, FlatBinary::Divide, v[0], product, word.ty());
    let equal = binary(&mut flat, FlatBinary::Equal, quotient, v[1], Type::Boolean);
    flat.constraints.push(Constraint { kind: ConstraintKind::Trans, condition: equal, span: HERE });
    let limits = Limits { memory: 1 << 16 };
    let Ok((encoded, faults)) = encode::<Infallible>(&flat, &limits, &mut || Ok(()));
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    assert_eq!((fault.severity, fault.span.clone()), (Severity::Warning, HERE.range()));
    // All bits are 0: a division by zero.
    let graph = &encoded.model.graph;
    let below = kermode_system::Below::of(graph, encoded.model.system.transition());
    let values = graph.values(&below, |_| 0, |_| 0);
    let holds = |&e| values[below.position(e)] & 1 == 1;
    assert!(!encoded.model.system.transition().iter().all(holds));
}

#[test]
fn interrupts_stop_the_search() {
    let word = Domain::Word { signed: false, width: 16 };
    let (mut flat, v) = model(&[word.clone(), word.clone()]);
    let product = binary(&mut flat, FlatBinary::Multiply, v[0], v[1], word.ty());
    let quotient = binary(&mut flat, FlatBinary::Divide, v[0], product, word.ty());
    let equal = binary(&mut flat, FlatBinary::Equal, quotient, v[1], Type::Boolean);
    flat.constraints.push(Constraint { kind: ConstraintKind::Trans, condition: equal, span: HERE });
    let stopped = encode(&flat, &Limits::default(), &mut || Err("stop"));
    assert_eq!(stopped.map(|_| ()), Err("stop"));
}

#[test]
fn later_expressions_are_checked_and_encoded() {
    let (mut flat, v) = model(&[Domain::Range(0, 3)]);
    let Ok((mut encoded, faults)) = encode::<Infallible>(&flat, &Limits::default(), &mut || Ok(()));
    assert!(faults.is_empty());
    let three = integer(&mut flat, 3);
    let quotient = binary(&mut flat, FlatBinary::Divide, three, v[0], Type::Integer);
    let equal = binary(&mut flat, FlatBinary::Equal, quotient, three, Type::Boolean);
    let Ok(faults) = check_expression::<Infallible>(
        &mut encoded,
        &flat,
        (equal, HERE),
        &Limits::default(),
        &mut || Ok(()),
    );
    assert_eq!(only(&faults), ("division by zero", "the divisor is 0 if a = 0"));
    let is_three = binary(&mut flat, FlatBinary::Equal, v[0], three, Type::Boolean);
    let expression = encoded.boolean(&flat, is_three);
    assert_eq!(encoded.model.graph.variables(&[expression]).len(), 2);
}
