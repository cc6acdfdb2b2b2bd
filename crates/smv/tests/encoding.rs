//! The encoding of expressions and models, against plain arithmetic.

use std::convert::Infallible;

use kermode_smv::encoding::{EncodedModel, Limits, encode};
use kermode_smv::flat::{
    Assigned, Assignment, Constraint, Domain, FailureKind, FlatBinary, FlatExpression, FlatModel,
    FlatTerm, FlatUnary, FlatVariable, Symbol, Type, Value, VariableId, Word,
};
use kermode_smv::syntax::{AssignmentKind, ConstraintKind, Span, VariableKind};
use kermode_system::{Below, Expression, SymbolKind, Term, cone_of_influence};

/// An operator on numbers.
type Arithmetic = fn(i64, i64) -> i64;

/// An operator on Boolean values, of which failures have none.
type Connective = fn(Option<bool>, Option<bool>) -> Option<bool>;

/// A model with variables of these domains, named `a`, `b` and so on.
fn model(domains: &[Domain]) -> (FlatModel, Vec<FlatExpression>) {
    let mut flat = FlatModel::default();
    flat.symbols.extend(["red", "green", "blue"].map(String::from));
    let mut variables = Vec::new();
    for (number, domain) in (0..).zip(domains) {
        let letter = char::from(b'a' + (number % 26) as u8);
        let name = if number < 26 { letter.to_string() } else { format!("{letter}{number}") };
        let (kind, span) = (VariableKind::State, Span::default());
        flat.variables.push(FlatVariable { name, kind, domain: domain.clone(), span });
        variables.push(flat.expressions.variable(VariableId(number), domain.ty(), false));
    }
    (flat, variables)
}

fn integer(flat: &mut FlatModel, value: i32) -> FlatExpression {
    flat.expressions.constant(Value::Integer(value))
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

fn boolean(
    flat: &mut FlatModel,
    operator: FlatBinary,
    a: FlatExpression,
    b: FlatExpression,
) -> FlatExpression {
    binary(flat, operator, a, b, Type::Boolean)
}

fn ite(
    flat: &mut FlatModel,
    c: FlatExpression,
    t: FlatExpression,
    e: FlatExpression,
    ty: Type,
) -> FlatExpression {
    flat.expressions.intern(FlatTerm::IfThenElse(c, t, e), ty)
}

/// All codes of values of some domains.
fn valuations(domains: &[Domain]) -> Vec<Vec<u64>> {
    let mut all = vec![vec![]];
    for domain in domains {
        let longer = |codes: Vec<u64>| {
            (0..domain.size() as u64).map(move |code| [&codes[..], &[code]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// The value of expressions for given codes of the current and next values of variables.
fn evaluate(
    encoded: &EncodedModel,
    expressions: &[Expression],
    current: &[u64],
    next: &[u64],
) -> Vec<bool> {
    let graph = &encoded.model.graph;
    let below = Below::of(graph, expressions);
    let value = |codes: &[u64], variable| {
        let symbols = encoded.model.symbols.iter().zip(codes);
        let bits = symbols.flat_map(|(symbol, &code)| {
            symbol.bits.iter().enumerate().map(move |(place, &bit)| (bit, code >> place & 1))
        });
        bits.into_iter().find(|&(bit, _)| bit == variable).map_or(0, |(_, value)| value)
    };
    let values = graph.values(&below, |v| value(current, v), |v| value(next, v));
    expressions.iter().map(|&e| values[below.position(e)] & 1 == 1).collect()
}

/// Compares an expression over variables of these domains with a function of their values, which
/// returns nothing where the expression fails.
fn agrees(
    domains: &[Domain],
    build: impl Fn(&mut FlatModel, &[FlatExpression]) -> FlatExpression,
    expected: impl Fn(&[Value]) -> Option<Value>,
) {
    let (mut flat, variables) = model(domains);
    let expression = build(&mut flat, &variables);
    let all = valuations(domains);
    let values: Vec<Option<Value>> = all
        .iter()
        .map(|codes| {
            let values = domains.iter().zip(codes).map(|(d, &code)| d.value(code).expect("legal"));
            expected(&values.collect::<Vec<_>>())
        })
        .collect();
    let mut possible: Vec<Value> = values.iter().copied().flatten().collect();
    possible.sort_unstable();
    possible.dedup();
    let mut encoded = EncodedModel::declare(&flat);
    let mut is = Vec::new();
    for &value in &possible {
        let constant = flat.expressions.constant(value);
        let equal = boolean(&mut flat, FlatBinary::Equal, expression, constant);
        is.push(encoded.boolean(&flat, equal));
    }
    for (codes, value) in all.iter().zip(&values) {
        let Some(value) = value else { continue };
        let holds = evaluate(&encoded, &is, codes, codes);
        for (&possible, holds) in possible.iter().zip(holds) {
            let text = format!("{domains:?} {codes:?}: {possible:?}, not {value:?}");
            assert_eq!(holds, possible == *value, "{text}");
        }
    }
    // Failures are found exactly where there are some.
    let trivial = boolean(&mut flat, FlatBinary::Equal, expression, expression);
    let (kind, span) = (ConstraintKind::Trans, Span::default());
    flat.constraints.push(Constraint { kind, condition: trivial, span });
    let (_, diagnostics) = checked(&flat);
    assert_eq!(diagnostics.is_empty(), values.iter().all(Option::is_some), "{diagnostics:?}");
}

fn checked(flat: &FlatModel) -> (EncodedModel, Vec<kermode_base::Diagnostic>) {
    let Ok(encoded) = encode::<Infallible>(flat, &Limits::default(), &mut || Ok(()));
    encoded
}

fn number(value: Value) -> i64 {
    match value {
        Value::Boolean(value) => value.into(),
        Value::Integer(value) => value.into(),
        Value::Word(word) => word.number() as i64,
        Value::Symbol(_) => panic!("a symbol is no number"),
    }
}

fn range(low: i32, high: i32) -> Domain {
    Domain::Range(low, high)
}

fn listed(values: &[i32]) -> Domain {
    Domain::Enumeration(values.iter().map(|&value| Value::Integer(value)).collect())
}

fn word(signed: bool, width: u8) -> Domain {
    Domain::Word { signed, width }
}

/// A word with the lowest bits of a number.
fn wrapped(number: i64, width: u8, signed: bool) -> Value {
    let bits = number as u64 & u64::MAX >> (64 - width);
    Value::Word(Word { bits, width, signed })
}

const ARITHMETIC: [FlatBinary; 5] = [
    FlatBinary::Add,
    FlatBinary::Subtract,
    FlatBinary::Multiply,
    FlatBinary::Divide,
    FlatBinary::Modulo,
];

const COMPARISONS: [FlatBinary; 6] = [
    FlatBinary::Equal,
    FlatBinary::NotEqual,
    FlatBinary::Less,
    FlatBinary::LessEqual,
    FlatBinary::Greater,
    FlatBinary::GreaterEqual,
];

fn arithmetic(operator: FlatBinary, a: i64, b: i64) -> Option<i64> {
    match operator {
        FlatBinary::Add => Some(a + b),
        FlatBinary::Subtract => Some(a - b),
        FlatBinary::Multiply => Some(a.wrapping_mul(b)),
        FlatBinary::Divide => (b != 0).then(|| a / b),
        FlatBinary::Modulo => (b != 0).then(|| a % b),
        _ => panic!("{operator:?} is not arithmetic"),
    }
}

fn comparison(operator: FlatBinary, a: i64, b: i64) -> bool {
    match operator {
        FlatBinary::Equal => a == b,
        FlatBinary::NotEqual => a != b,
        FlatBinary::Less => a < b,
        FlatBinary::LessEqual => a <= b,
        FlatBinary::Greater => a > b,
        FlatBinary::GreaterEqual => a >= b,
        _ => panic!("{operator:?} is no comparison"),
    }
}

#[test]
fn integers_are_computed_exactly() {
    let domains = [
        range(0, 3),
        range(-3, 4),
        range(2, 5),
        range(-9, -5),
        range(-1, 1),
        listed(&[-2, 0, 5]),
        listed(&[7, 3]),
        range(i32::MAX - 2, i32::MAX),
        range(i32::MIN, i32::MIN + 2),
    ];
    for a in &domains {
        for b in &domains {
            let both = [a.clone(), b.clone()];
            for operator in ARITHMETIC {
                agrees(
                    &both,
                    |flat, v| binary(flat, operator, v[0], v[1], Type::Integer),
                    |v| {
                        let result = arithmetic(operator, number(v[0]), number(v[1]))?;
                        Some(Value::Integer(result as i32))
                    },
                );
            }
            for operator in COMPARISONS {
                agrees(
                    &both,
                    |flat, v| boolean(flat, operator, v[0], v[1]),
                    |v| Some(Value::Boolean(comparison(operator, number(v[0]), number(v[1])))),
                );
            }
        }
        agrees(
            std::slice::from_ref(a),
            |flat, v| {
                flat.expressions.intern(FlatTerm::Unary(FlatUnary::Minus, v[0]), Type::Integer)
            },
            |v| Some(Value::Integer(number(v[0]).wrapping_neg() as i32)),
        );
        agrees(
            std::slice::from_ref(a),
            |flat, v| {
                flat.expressions.intern(FlatTerm::Unary(FlatUnary::Bool, v[0]), Type::Boolean)
            },
            |v| Some(Value::Boolean(number(v[0]) != 0)),
        );
    }
}

#[test]
fn words_wrap_around() {
    for signed in [false, true] {
        for width in 1..=3 {
            let both = [word(signed, width), word(signed, width)];
            let ty = both[0].ty();
            for operator in ARITHMETIC {
                agrees(
                    &both,
                    |flat, v| binary(flat, operator, v[0], v[1], ty),
                    |v| {
                        let result = arithmetic(operator, number(v[0]), number(v[1]))?;
                        Some(wrapped(result, width, signed))
                    },
                );
            }
            for operator in COMPARISONS {
                agrees(
                    &both,
                    |flat, v| boolean(flat, operator, v[0], v[1]),
                    |v| Some(Value::Boolean(comparison(operator, number(v[0]), number(v[1])))),
                );
            }
            let connectives: [(FlatBinary, Arithmetic); 6] = [
                (FlatBinary::And, |a, b| a & b),
                (FlatBinary::Or, |a, b| a | b),
                (FlatBinary::Xor, |a, b| a ^ b),
                (FlatBinary::Xnor, |a, b| !(a ^ b)),
                (FlatBinary::Iff, |a, b| !(a ^ b)),
                (FlatBinary::Implies, |a, b| !a | b),
            ];
            for (operator, result) in connectives {
                agrees(
                    &both,
                    |flat, v| binary(flat, operator, v[0], v[1], ty),
                    |v| Some(wrapped(result(number(v[0]), number(v[1])), width, signed)),
                );
            }
        }
    }
}

#[test]
fn shifts_copy_the_sign_and_have_limits() {
    for signed in [false, true] {
        let ty = word(signed, 3).ty();
        for amount in [range(-1, 4), range(0, 1), range(0, 3), word(false, 1), word(false, 3)] {
            let domains = [word(signed, 3), amount];
            let possible = |v: &[Value]| (0..=3).contains(&number(v[1]));
            agrees(
                &domains,
                |flat, v| binary(flat, FlatBinary::ShiftLeft, v[0], v[1], ty),
                |v| possible(v).then(|| wrapped(number(v[0]) << number(v[1]), 3, signed)),
            );
            agrees(
                &domains,
                |flat, v| binary(flat, FlatBinary::ShiftRight, v[0], v[1], ty),
                |v| possible(v).then(|| wrapped(number(v[0]) >> number(v[1]), 3, signed)),
            );
        }
    }
}

#[test]
fn words_are_converted() {
    let unary = |operator: FlatUnary, ty: Type| {
        move |flat: &mut FlatModel, v: &[FlatExpression]| {
            flat.expressions.intern(FlatTerm::Unary(operator, v[0]), ty)
        }
    };
    for signed in [false, true] {
        for width in 1..=4 {
            let domain = [word(signed, width)];
            let ty = domain[0].ty();
            agrees(&domain, unary(FlatUnary::ToInt, Type::Integer), |v| {
                Some(Value::Integer(number(v[0]) as i32))
            });
            agrees(&domain, unary(FlatUnary::Not, ty), |v| {
                Some(wrapped(!number(v[0]), width, signed))
            });
            agrees(&domain, unary(FlatUnary::Minus, ty), |v| {
                Some(wrapped(-number(v[0]), width, signed))
            });
            let other = Type::Word { signed: !signed, width };
            let turn = if signed { FlatUnary::Unsigned } else { FlatUnary::Signed };
            agrees(&domain, unary(turn, other), |v| Some(wrapped(number(v[0]), width, !signed)));
            let wide = Type::Word { signed, width: width + 2 };
            agrees(&domain, unary(FlatUnary::Extend(2), wide), |v| {
                Some(wrapped(number(v[0]), width + 2, signed))
            });
            for target in 1..=6 {
                let resized = Type::Word { signed, width: target };
                agrees(&domain, unary(FlatUnary::Resize(target), resized), |v| {
                    let number = number(v[0]);
                    let low = number & ((1 << (target - 1)) - 1);
                    // A signed word that is cut keeps its sign as the highest bit.
                    let cut = if number < 0 { low - (1 << (target - 1)) } else { low };
                    let is_cut = signed && target < width;
                    Some(wrapped(if is_cut { cut } else { number }, target, signed))
                });
            }
            for high in 0..width {
                for low in 0..=high {
                    let ty = Type::Word { signed: false, width: high - low + 1 };
                    agrees(
                        &domain,
                        |flat, v| {
                            let term = FlatTerm::Bits { word: v[0], high, low };
                            flat.expressions.intern(term, ty)
                        },
                        |v| Some(wrapped(number(v[0]) >> low, high - low + 1, false)),
                    );
                }
            }
            let ty = Type::Word { signed: false, width: width + 2 };
            agrees(
                &[word(signed, width), word(true, 2)],
                |flat, v| binary(flat, FlatBinary::Concatenate, v[0], v[1], ty),
                |v| {
                    let (high, low) = (number(v[0]), number(v[1]));
                    Some(wrapped(high << 2 | (low & 3), width + 2, false))
                },
            );
        }
    }
    agrees(&[word(false, 1)], unary(FlatUnary::Bool, Type::Boolean), |v| {
        Some(Value::Boolean(number(v[0]) == 1))
    });
    let one = Type::Word { signed: false, width: 1 };
    agrees(&[Domain::Boolean], unary(FlatUnary::Word1, one), |v| {
        Some(wrapped(number(v[0]), 1, false))
    });
    agrees(&[Domain::Boolean], unary(FlatUnary::ToInt, Type::Integer), |v| {
        Some(Value::Integer(number(v[0]) as i32))
    });
}

fn colours() -> Domain {
    Domain::Enumeration([2, 0, 1].map(|symbol| Value::Symbol(Symbol(symbol))).to_vec())
}

fn mixed() -> Domain {
    let values = [Value::Integer(3), Value::Symbol(Symbol(1)), Value::Integer(-1)];
    Domain::Enumeration(values.to_vec())
}

#[test]
fn enumerations_are_compared_and_chosen() {
    let domains = [colours(), mixed(), range(-1, 3), listed(&[3, 4])];
    for a in &domains {
        for b in &domains {
            let both = [a.clone(), b.clone(), Domain::Boolean];
            if (a.ty() == Type::Symbolic) == (b.ty() == Type::Integer) && a.ty() != Type::Mixed {
                // Integers and symbols are not compared with each other.
                if a.ty() != b.ty() && b.ty() != Type::Mixed {
                    continue;
                }
            }
            agrees(
                &both,
                |flat, v| boolean(flat, FlatBinary::Equal, v[0], v[1]),
                |v| Some(Value::Boolean(v[0] == v[1])),
            );
        }
        for b in &domains {
            let ty = if a.ty() == b.ty() { a.ty() } else { Type::Mixed };
            agrees(
                &[a.clone(), b.clone(), Domain::Boolean],
                |flat, v| ite(flat, v[2], v[0], v[1], ty),
                |v| Some(if v[2] == Value::Boolean(true) { v[0] } else { v[1] }),
            );
        }
    }
}

#[test]
fn sets_are_included_element_by_element() {
    let domains = [range(0, 3), range(1, 2), Domain::Boolean];
    // `(c ? {a, 2} : 1..2) in ({b, 0} union 2..3)`
    agrees(
        &domains,
        |flat, v| {
            let (zero, two) = (integer(flat, 0), integer(flat, 2));
            let pair = binary(flat, FlatBinary::Union, v[0], two, Type::IntegerSet);
            let some = flat.expressions.intern(FlatTerm::Interval(1, 2), Type::IntegerSet);
            let left = ite(flat, v[2], pair, some, Type::IntegerSet);
            let pair = binary(flat, FlatBinary::Union, v[1], zero, Type::IntegerSet);
            let some = flat.expressions.intern(FlatTerm::Interval(2, 3), Type::IntegerSet);
            let right = binary(flat, FlatBinary::Union, pair, some, Type::IntegerSet);
            boolean(flat, FlatBinary::In, left, right)
        },
        |v| {
            let right = [number(v[1]), 0, 2, 3];
            let left = if v[2] == Value::Boolean(true) { [number(v[0]), 2] } else { [1, 2] };
            Some(Value::Boolean(left.iter().all(|element| right.contains(element))))
        },
    );
    // `0..3 in {a, b, c, 3}` needs three different variables.
    agrees(
        &[range(0, 3), range(0, 3), range(0, 3)],
        |flat, v| {
            let all = flat.expressions.intern(FlatTerm::Interval(0, 3), Type::IntegerSet);
            let three = integer(flat, 3);
            let set = [v[1], v[2], three].into_iter().fold(v[0], |set, element| {
                binary(flat, FlatBinary::Union, set, element, Type::IntegerSet)
            });
            boolean(flat, FlatBinary::In, all, set)
        },
        |v| {
            let set: Vec<i64> = v.iter().map(|&value| number(value)).chain([3]).collect();
            Some(Value::Boolean((0..=3).all(|element| set.contains(&element))))
        },
    );
    // An empty interval is included in everything, and `TRUE` in itself.
    agrees(
        &[Domain::Boolean],
        |flat, v| {
            let none = flat.expressions.intern(FlatTerm::Interval(1, 0), Type::IntegerSet);
            let one = integer(flat, 1);
            let empty = boolean(flat, FlatBinary::In, none, one);
            let truth = flat.expressions.constant(Value::Boolean(true));
            let is_true = boolean(flat, FlatBinary::In, v[0], truth);
            boolean(flat, FlatBinary::And, empty, is_true)
        },
        |v| Some(v[0]),
    );
}

/// The three-valued tables of the connectives: `c` fails where `d` is true.
#[test]
fn connectives_absorb_failures_on_either_side() {
    let truth = |value: Value| number(value) == 1;
    let tables: [(FlatBinary, Connective); 5] = [
        (FlatBinary::And, |a, b| match (a, b) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            _ => Some(a? & b?),
        }),
        (FlatBinary::Or, |a, b| match (a, b) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            _ => Some(a? | b?),
        }),
        (FlatBinary::Implies, |a, b| match (a, b) {
            (Some(false), _) | (_, Some(true)) => Some(true),
            _ => Some(!a? | b?),
        }),
        (FlatBinary::Xor, |a, b| Some(a? ^ b?)),
        (FlatBinary::Iff, |a, b| Some(a? == b?)),
    ];
    let failing = |flat: &mut FlatModel, value, fails| {
        let failure = FlatTerm::Failure(FailureKind::NoCase, Type::Boolean);
        let failure = flat.expressions.intern(failure, Type::Boolean);
        ite(flat, fails, failure, value, Type::Boolean)
    };
    for (operator, table) in tables {
        for fixed in [None, Some(false), Some(true)] {
            // The second operand is one that may fail, or a constant.
            agrees(
                &[Domain::Boolean, Domain::Boolean, Domain::Boolean],
                |flat, v| {
                    let a = failing(flat, v[0], v[2]);
                    let b = match fixed {
                        None => failing(flat, v[1], v[1]),
                        Some(value) => flat.expressions.constant(Value::Boolean(value)),
                    };
                    boolean(flat, operator, a, b)
                },
                |v| {
                    let a = (!truth(v[2])).then(|| truth(v[0]));
                    let b = fixed.or_else(|| (!truth(v[1])).then_some(false));
                    table(a, b).map(Value::Boolean)
                },
            );
        }
    }
}

#[test]
fn conditions_guard_their_branches() {
    // `a != 0 ? 6 / a : -1` never fails.
    agrees(
        &[range(-1, 3)],
        |flat, v| {
            let [zero, six, other] = [0, 6, -1].map(|value| integer(flat, value));
            let is_not = boolean(flat, FlatBinary::NotEqual, v[0], zero);
            let quotient = binary(flat, FlatBinary::Divide, six, v[0], Type::Integer);
            ite(flat, is_not, quotient, other, Type::Integer)
        },
        |v| Some(Value::Integer(6_i32.checked_div(number(v[0]) as i32).unwrap_or(-1))),
    );
    // A failure in the condition spreads.
    agrees(
        &[range(0, 2)],
        |flat, v| {
            let [one, two] = [1, 2].map(|value| integer(flat, value));
            let quotient = binary(flat, FlatBinary::Divide, two, v[0], Type::Integer);
            let condition = boolean(flat, FlatBinary::Equal, quotient, two);
            ite(flat, condition, one, two, Type::Integer)
        },
        |v| match number(v[0]) {
            0 => None,
            1 => Some(Value::Integer(1)),
            _ => Some(Value::Integer(2)),
        },
    );
}

fn assign(flat: &mut FlatModel, kind: AssignmentKind, variable: u32, value: FlatExpression) {
    let assigned = vec![Assigned { value, span: Span::new(0, 1), process: 0 }];
    flat.assignments.push(Assignment { kind, variable: VariableId(variable), value, assigned });
}

/// The steps of a model with the given domains as pairs of codes: the encoded ones.
fn steps(flat: &FlatModel, domains: &[Domain]) -> Vec<(Vec<u64>, Vec<u64>)> {
    let (encoded, diagnostics) = checked(flat);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let all = valuations(domains);
    let pairs = all.iter().flat_map(|now| all.iter().map(move |next| (now.clone(), next.clone())));
    let constraints = encoded.model.system.transition();
    pairs
        .filter(|(now, next)| evaluate(&encoded, constraints, now, next).iter().all(|&v| v))
        .collect()
}

#[test]
fn assignments_are_functions_of_bits() {
    // `next(a) := a < 5 ? a + 1 : -2` over -2..5.
    let domains = [range(-2, 5), Domain::Boolean];
    let (mut flat, v) = model(&domains);
    let [one, five, low] = [1, 5, -2].map(|value| integer(&mut flat, value));
    let less = boolean(&mut flat, FlatBinary::Less, v[0], five);
    let sum = binary(&mut flat, FlatBinary::Add, v[0], one, Type::Integer);
    let value = ite(&mut flat, less, sum, low, Type::Integer);
    assign(&mut flat, AssignmentKind::Next, 0, value);
    let found = steps(&flat, &domains);
    let expected = |now: &[u64], next: &[u64]| next[0] == (now[0] + 1) % 8;
    assert_eq!(found.len(), 8 * 2 * 2);
    assert!(found.iter().all(|(now, next)| expected(now, next)));
    // Nothing depends on the counter, and its steps are assignments: the cone drops it.
    let (encoded, _) = checked(&flat);
    let system = &encoded.model.system;
    assert_eq!(system.transition().len(), encoded.bits(VariableId(0)).len());
    let cone = cone_of_influence(&encoded.model.graph, system, encoded.bits(VariableId(1))).system;
    assert!(cone.transition().is_empty());
}

#[test]
fn assignments_of_the_same_domain_copy_bits() {
    let domains = [colours(), colours()];
    let (mut flat, v) = model(&domains);
    assign(&mut flat, AssignmentKind::Next, 0, v[1]);
    assign(&mut flat, AssignmentKind::Init, 0, v[1]);
    let next = flat.expressions.intern(FlatTerm::Next(v[0]), Type::Symbolic);
    assign(&mut flat, AssignmentKind::Next, 1, next);
    let (encoded, diagnostics) = checked(&flat);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let graph = &encoded.model.graph;
    let literal = |e| matches!(graph.term(e), Term::Next(_) | Term::Current(_));
    for &constraint in encoded.model.system.transition() {
        assert!(matches!(graph.term(constraint), Term::Iff(a, b) if literal(a) && literal(b)));
    }
    let found = steps(&flat, &domains);
    assert_eq!(found.len(), 9);
    assert!(found.iter().all(|(now, next)| next[0] == now[1] && next[1] == next[0]));
}

#[test]
fn sets_are_choices() {
    // `next(a) := b ? {a, 3} : 1..2`
    let domains = [range(1, 3), Domain::Boolean];
    let (mut flat, v) = model(&domains);
    let three = integer(&mut flat, 3);
    let pair = binary(&mut flat, FlatBinary::Union, v[0], three, Type::IntegerSet);
    let some = flat.expressions.intern(FlatTerm::Interval(1, 2), Type::IntegerSet);
    let value = ite(&mut flat, v[1], pair, some, Type::IntegerSet);
    assign(&mut flat, AssignmentKind::Next, 0, value);
    for (now, next) in steps(&flat, &domains) {
        let chosen = if now[1] == 1 { [now[0], 2] } else { [0, 1] };
        assert!(chosen.contains(&next[0]), "{now:?} {next:?}");
    }
    assert_eq!(steps(&flat, &domains).len(), 2 * (2 + 2 + 1) + 2 * (2 + 2 + 2));
}

#[test]
fn symbols_keep_their_kind_and_order() {
    let (mut flat, v) = model(&[Domain::Boolean, range(0, 2), word(true, 2)]);
    flat.variables[0].kind = VariableKind::Input;
    flat.variables[1].kind = VariableKind::Frozen;
    flat.compassion.push((v[0], v[0], Span::default()));
    let (kind, span) = (ConstraintKind::Justice, Span::default());
    flat.constraints.push(Constraint { kind, condition: v[0], span });
    let (encoded, diagnostics) = checked(&flat);
    assert!(diagnostics.is_empty());
    let symbols = &encoded.model.symbols;
    let kinds: Vec<SymbolKind> = symbols.iter().map(|symbol| symbol.kind).collect();
    assert_eq!(kinds, [SymbolKind::Input, SymbolKind::Frozen, SymbolKind::State]);
    assert_eq!(symbols[1].value(|_| false).as_deref(), Some("0"));
    assert_eq!(symbols[2].value(|_| true).as_deref(), Some("-0sd2_1"));
    assert_eq!(encoded.model.system.justice().len(), 1);
    assert_eq!(encoded.compassion.len(), 1);
    assert_eq!(encoded.model.undeclared(), None);
    assert_eq!(encoded.model.system.invariants().len(), 1);
}

/// A chain of counters, each of which counts when the one before it is full.
#[test]
fn many_instances_are_encoded() {
    const INSTANCES: u32 = 10_000;
    let domains: Vec<Domain> =
        (0..INSTANCES).flat_map(|_| [range(0, 4), Domain::Boolean, colours()]).collect();
    let (mut flat, v) = model(&domains);
    let [zero, one, four] = [0, 1, 4].map(|value| integer(&mut flat, value));
    for instance in 0..INSTANCES {
        let first = 3 * instance;
        let [count, flag, colour] = [0, 1, 2].map(|place| v[first as usize + place]);
        let before = v[(first as usize).saturating_sub(3)];
        let is_full = boolean(&mut flat, FlatBinary::Equal, before, four);
        let both = boolean(&mut flat, FlatBinary::And, is_full, flag);
        let less = boolean(&mut flat, FlatBinary::Less, count, four);
        let sum = binary(&mut flat, FlatBinary::Add, count, one, Type::Integer);
        let cyclic = ite(&mut flat, less, sum, zero, Type::Integer);
        let value = ite(&mut flat, both, cyclic, count, Type::Integer);
        assign(&mut flat, AssignmentKind::Next, first, value);
        assign(&mut flat, AssignmentKind::Init, first, zero);
        let [red, blue] =
            [0, 2].map(|symbol| flat.expressions.constant(Value::Symbol(Symbol(symbol))));
        let value = ite(&mut flat, less, red, blue, Type::Symbolic);
        let value = ite(&mut flat, flag, value, colour, Type::Symbolic);
        assign(&mut flat, AssignmentKind::Next, first + 2, value);
    }
    let (encoded, diagnostics) = checked(&flat);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(encoded.model.undeclared(), None);
    assert_eq!(encoded.model.system.transition().len(), 5 * INSTANCES as usize);
}

/// Expressions nested very deeply need no deep stack.
#[test]
fn deep_expressions_are_encoded() {
    const DEPTH: usize = 20_000;
    let domains = [Domain::Boolean, range(0, 3), colours()];
    let (mut flat, v) = model(&domains);
    let [mut sum, mut choice, mut colour] = [v[1], v[1], v[2]];
    let mut set = v[1];
    let [zero, one] = [0, 1].map(|value| integer(&mut flat, value));
    let red = flat.expressions.constant(Value::Symbol(Symbol(0)));
    for _ in 0..DEPTH {
        let condition = boolean(&mut flat, FlatBinary::Equal, choice, one);
        choice = ite(&mut flat, condition, choice, zero, Type::Integer);
        colour = ite(&mut flat, condition, red, colour, Type::Symbolic);
        set = binary(&mut flat, FlatBinary::Union, set, choice, Type::IntegerSet);
        let less = boolean(&mut flat, FlatBinary::Less, sum, one);
        sum = ite(&mut flat, less, one, sum, Type::Integer);
    }
    assign(&mut flat, AssignmentKind::Next, 1, set);
    assign(&mut flat, AssignmentKind::Next, 2, colour);
    let equal = boolean(&mut flat, FlatBinary::Equal, sum, one);
    let (kind, span) = (ConstraintKind::Trans, Span::default());
    flat.constraints.push(Constraint { kind, condition: equal, span });
    let (_, diagnostics) = checked(&flat);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
}
