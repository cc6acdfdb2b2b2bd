//! The value of every operator, compared with plain arithmetic and with values written by hand.

use kermode_smv::flat::{
    FailureKind, FlatBinary, FlatExpression, FlatExpressions, FlatTerm, FlatUnary, Symbol, Type,
    Value, VariableId, Word,
};
use kermode_smv::interpreter::{Constants, Evaluation, Failure, FailureReason, Outcome, Time};

const INTEGERS: [i32; 11] = [i32::MIN, -2_000_000_000, -7, -2, -1, 0, 1, 2, 7, 3, i32::MAX];

fn integer(value: i32) -> Value {
    Value::Integer(value)
}

fn boolean(value: bool) -> Value {
    Value::Boolean(value)
}

fn word(bits: u64, width: u8, signed: bool) -> Value {
    Value::Word(Word { bits, width, signed })
}

/// The word with this number, reduced to its width.
fn number(number: i128, width: u8, signed: bool) -> Value {
    word((number.rem_euclid(1 << width)) as u64, width, signed)
}

fn as_number(bits: u64, width: u8, signed: bool) -> i128 {
    let bits = i128::from(bits);
    if signed && bits >= 1 << (width - 1) { bits - (1 << width) } else { bits }
}

/// Builds and evaluates constant expressions.
#[derive(Default)]
struct Bench {
    owner: FlatExpressions,
    constants: Constants,
}

impl Bench {
    fn constant(&mut self, value: Value) -> FlatExpression {
        self.owner.constant(value)
    }

    fn term(&mut self, term: FlatTerm) -> FlatExpression {
        // The interpreter does not read types.
        self.owner.intern(term, Type::Boolean)
    }

    fn outcome(&mut self, root: FlatExpression) -> Outcome {
        let constant = self.constants.outcome(&self.owner, root).expect("a constant expression");
        let mut evaluation = Evaluation::new(&self.owner, &[root]);
        evaluation.run(|_, _| None);
        assert_eq!(evaluation.outcome(0), constant);
        constant
    }

    fn value(&mut self, root: FlatExpression) -> Result<Value, FailureReason> {
        match self.outcome(root) {
            Outcome::Scalar(value) => Ok(value),
            Outcome::Failure(Failure { reason, .. }) => Err(reason),
            other => panic!("{other:?} is no scalar"),
        }
    }

    fn unary(&mut self, operator: FlatUnary, a: Value) -> Value {
        let a = self.constant(a);
        let root = self.term(FlatTerm::Unary(operator, a));
        self.value(root).expect("unary operators do not fail")
    }

    fn binary(&mut self, operator: FlatBinary, a: Value, b: Value) -> Result<Value, FailureReason> {
        let (a, b) = (self.constant(a), self.constant(b));
        let root = self.term(FlatTerm::Binary(operator, a, b));
        self.value(root)
    }
}

#[test]
fn integers_wrap_at_32_bits() {
    let mut bench = Bench::default();
    for a in INTEGERS {
        assert_eq!(bench.unary(FlatUnary::Minus, integer(a)), integer(a.wrapping_neg()));
        assert_eq!(bench.unary(FlatUnary::Bool, integer(a)), boolean(a != 0));
        assert_eq!(bench.unary(FlatUnary::ToInt, integer(a)), integer(a));
        for b in INTEGERS {
            let mut binary = |operator| bench.binary(operator, integer(a), integer(b));
            assert_eq!(binary(FlatBinary::Add), Ok(integer(a.wrapping_add(b))));
            assert_eq!(binary(FlatBinary::Subtract), Ok(integer(a.wrapping_sub(b))));
            assert_eq!(binary(FlatBinary::Multiply), Ok(integer(a.wrapping_mul(b))));
            let (quotient, rest) = if b == 0 {
                (Err(FailureReason::DivisionByZero), Err(FailureReason::DivisionByZero))
            } else {
                (Ok(integer(a.wrapping_div(b))), Ok(integer(a.wrapping_rem(b))))
            };
            assert_eq!(binary(FlatBinary::Divide), quotient);
            assert_eq!(binary(FlatBinary::Modulo), rest);
            assert_eq!(binary(FlatBinary::Equal), Ok(boolean(a == b)));
            assert_eq!(binary(FlatBinary::NotEqual), Ok(boolean(a != b)));
            assert_eq!(binary(FlatBinary::Less), Ok(boolean(a < b)));
            assert_eq!(binary(FlatBinary::LessEqual), Ok(boolean(a <= b)));
            assert_eq!(binary(FlatBinary::Greater), Ok(boolean(a > b)));
            assert_eq!(binary(FlatBinary::GreaterEqual), Ok(boolean(a >= b)));
        }
    }
    let mut binary = |operator, a, b| bench.binary(operator, integer(a), integer(b));
    assert_eq!(binary(FlatBinary::Divide, -7, 2), Ok(integer(-3)));
    assert_eq!(binary(FlatBinary::Modulo, -7, 2), Ok(integer(-1)));
    assert_eq!(binary(FlatBinary::Add, i32::MAX, 1), Ok(integer(i32::MIN)));
}

#[test]
fn connectives_work_on_truth_values_and_on_bits() {
    use FlatBinary::{And, Iff, Implies, Or, Xnor, Xor};
    let mut bench = Bench::default();
    for (operator, table) in [
        (And, [false, false, false, true]),
        (Or, [false, true, true, true]),
        (Xor, [false, true, true, false]),
        (Xnor, [true, false, false, true]),
        (Iff, [true, false, false, true]),
        (Implies, [true, true, false, true]),
    ] {
        for (row, &expected) in table.iter().enumerate() {
            let (a, b) = (row & 2 != 0, row & 1 != 0);
            assert_eq!(bench.binary(operator, boolean(a), boolean(b)), Ok(boolean(expected)));
        }
        for signed in [false, true] {
            for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
                let bit = |n: u32| table[((a >> n & 1) << 1 | b >> n & 1) as usize];
                let bits = (0..3).map(|n| u64::from(bit(n)) << n).sum();
                let found = bench.binary(operator, word(a, 3, signed), word(b, 3, signed));
                assert_eq!(found, Ok(word(bits, 3, signed)), "{operator:?} {a} {b}");
            }
        }
    }
    assert_eq!(bench.unary(FlatUnary::Not, boolean(true)), boolean(false));
    assert_eq!(bench.unary(FlatUnary::Not, word(0b0110, 4, true)), word(0b1001, 4, true));
    assert_eq!(bench.unary(FlatUnary::Not, word(0, 64, false)), word(u64::MAX, 64, false));
}

#[test]
fn words_count_modulo_their_width() {
    let mut bench = Bench::default();
    for (width, signed) in [(1, false), (1, true), (3, false), (3, true), (4, true)] {
        for (a, b) in (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))) {
            let (x, y) = (as_number(a, width, signed), as_number(b, width, signed));
            let (first, second) = (word(a, width, signed), word(b, width, signed));
            let mut binary = |operator| bench.binary(operator, first, second);
            assert_eq!(binary(FlatBinary::Add), Ok(number(x + y, width, signed)));
            assert_eq!(binary(FlatBinary::Subtract), Ok(number(x - y, width, signed)));
            assert_eq!(binary(FlatBinary::Multiply), Ok(number(x * y, width, signed)));
            let failure = Err(FailureReason::DivisionByZero);
            let quotient = if y == 0 { failure } else { Ok(number(x / y, width, signed)) };
            let rest = if y == 0 { failure } else { Ok(number(x % y, width, signed)) };
            assert_eq!(binary(FlatBinary::Divide), quotient);
            assert_eq!(binary(FlatBinary::Modulo), rest);
            assert_eq!(binary(FlatBinary::Equal), Ok(boolean(a == b)));
            assert_eq!(binary(FlatBinary::Less), Ok(boolean(x < y)));
            assert_eq!(binary(FlatBinary::GreaterEqual), Ok(boolean(x >= y)));
            let joined = word(a << width | b, 2 * width, false);
            assert_eq!(binary(FlatBinary::Concatenate), Ok(joined));
            assert_eq!(bench.unary(FlatUnary::Minus, first), number(-x, width, signed));
            assert_eq!(bench.unary(FlatUnary::ToInt, first), integer(x as i32));
        }
    }
    // The quotient of the smallest number and -1 is the smallest number again.
    let quotient = bench.binary(FlatBinary::Divide, number(-8, 4, true), number(-1, 4, true));
    assert_eq!(quotient, Ok(number(-8, 4, true)));
    let all = word(u64::MAX, 64, false);
    assert_eq!(bench.binary(FlatBinary::Multiply, all, all), Ok(word(1, 64, false)));
    assert_eq!(bench.binary(FlatBinary::Add, all, word(2, 64, false)), Ok(word(1, 64, false)));
    let halves = bench.binary(FlatBinary::Concatenate, word(1, 32, true), word(5, 32, false));
    assert_eq!(halves, Ok(word(1 << 32 | 5, 64, false)));
    let long = bench.binary(FlatBinary::Concatenate, word(1, 1, false), word(0, 63, false));
    assert_eq!(long, Ok(word(1 << 63, 64, false)));
}

#[test]
fn shifts_fail_beyond_the_width() {
    use FlatBinary::{ShiftLeft, ShiftRight};
    let mut bench = Bench::default();
    for signed in [false, true] {
        for (a, amount) in (0..16).flat_map(|a| (-2..7).map(move |amount| (a, amount))) {
            let (value, x) = (word(a, 4, signed), as_number(a, 4, signed));
            let fits = (0..=4).contains(&amount);
            let failure = Err(FailureReason::ShiftAmount);
            let left = if fits { Ok(number(x << amount, 4, signed)) } else { failure };
            let right = if fits { Ok(number(x >> amount, 4, signed)) } else { failure };
            assert_eq!(bench.binary(ShiftLeft, value, integer(amount)), left);
            assert_eq!(bench.binary(ShiftRight, value, integer(amount)), right);
            if amount >= 0 {
                let by = word(amount as u64, 3, false);
                assert_eq!(bench.binary(ShiftLeft, value, by), left);
                assert_eq!(bench.binary(ShiftRight, value, by), right);
            }
        }
    }
    let (high, full) = (word(1 << 63, 64, true), word(u64::MAX, 64, false));
    assert_eq!(bench.binary(ShiftRight, high, integer(64)), Ok(word(u64::MAX, 64, true)));
    assert_eq!(bench.binary(ShiftLeft, full, integer(64)), Ok(word(0, 64, false)));
}

#[test]
fn casts_and_selections_of_bits() {
    let mut bench = Bench::default();
    // resize(0sb4_1011, 3) is 0sb3_111.
    assert_eq!(bench.unary(FlatUnary::Resize(3), word(0b1011, 4, true)), word(0b111, 3, true));
    assert_eq!(bench.unary(FlatUnary::Resize(3), word(0b0011, 4, true)), word(0b011, 3, true));
    assert_eq!(bench.unary(FlatUnary::Resize(1), word(0b1011, 4, true)), word(1, 1, true));
    assert_eq!(bench.unary(FlatUnary::Resize(3), word(0b1011, 4, false)), word(0b011, 3, false));
    assert_eq!(bench.unary(FlatUnary::Resize(6), word(0b1011, 4, true)), word(0b111011, 6, true));
    assert_eq!(bench.unary(FlatUnary::Resize(6), word(0b1011, 4, false)), word(0b1011, 6, false));
    assert_eq!(bench.unary(FlatUnary::Resize(4), word(0b1011, 4, true)), word(0b1011, 4, true));
    assert_eq!(bench.unary(FlatUnary::Extend(2), word(0b1011, 4, true)), word(0b111011, 6, true));
    assert_eq!(bench.unary(FlatUnary::Extend(2), word(0b1011, 4, false)), word(0b1011, 6, false));
    assert_eq!(bench.unary(FlatUnary::Extend(0), word(0b1011, 4, true)), word(0b1011, 4, true));
    assert_eq!(bench.unary(FlatUnary::Extend(60), word(8, 4, true)), number(-8, 64, true));
    assert_eq!(bench.unary(FlatUnary::Signed, word(0b1011, 4, false)), word(0b1011, 4, true));
    assert_eq!(bench.unary(FlatUnary::Unsigned, word(0b1011, 4, true)), word(0b1011, 4, false));
    assert_eq!(bench.unary(FlatUnary::Word1, boolean(true)), word(1, 1, false));
    assert_eq!(bench.unary(FlatUnary::Word1, boolean(false)), word(0, 1, false));
    assert_eq!(bench.unary(FlatUnary::Bool, word(1, 1, false)), boolean(true));
    assert_eq!(bench.unary(FlatUnary::Bool, word(0, 1, false)), boolean(false));
    assert_eq!(bench.unary(FlatUnary::Bool, boolean(true)), boolean(true));
    assert_eq!(bench.unary(FlatUnary::ToInt, boolean(true)), integer(1));
    assert_eq!(bench.unary(FlatUnary::ToInt, number(-1, 32, true)), integer(-1));
    for (bits, high, low) in [(0b1011_u64, 2, 1), (0b1011, 3, 0), (0b1011, 3, 3), (0b1011, 2, 2)] {
        let constant = bench.constant(word(bits, 4, true));
        let root = bench.term(FlatTerm::Bits { word: constant, high, low });
        let expected = bits >> low & ((1 << (high - low + 1)) - 1);
        assert_eq!(bench.value(root), Ok(word(expected, high - low + 1, false)));
    }
    let constant = bench.constant(word(u64::MAX, 64, false));
    let root = bench.term(FlatTerm::Bits { word: constant, high: 63, low: 0 });
    assert_eq!(bench.value(root), Ok(word(u64::MAX, 64, false)));
}

#[test]
fn membership_is_inclusion() {
    let mut bench = Bench::default();
    let mut set = |elements: &[i32]| {
        let constants: Vec<_> =
            elements.iter().map(|&element| bench.owner.constant(integer(element))).collect();
        let union =
            |a, b| bench.owner.intern(FlatTerm::Binary(FlatBinary::Union, a, b), Type::IntegerSet);
        constants.into_iter().reduce(union).expect("an element")
    };
    let (one, one_five, one_two) = (set(&[1]), set(&[1, 5]), set(&[1, 2, 1]));
    let interval = bench.term(FlatTerm::Interval(1, 2));
    let empty = bench.term(FlatTerm::Interval(2, 1));
    let symbol = bench.constant(Value::Symbol(Symbol(0)));
    let mixed = bench.term(FlatTerm::Binary(FlatBinary::Union, interval, symbol));
    for (a, b, expected) in [
        (one_five, one_two, false),
        (one, one_two, true),
        (one_two, one_two, true),
        (one_two, interval, true),
        (interval, one_two, true),
        (one, one, true),
        (one_two, one, false),
        (empty, one, true),
        (symbol, one_two, false),
        (symbol, mixed, true),
        (interval, mixed, true),
        (mixed, interval, false),
    ] {
        let root = bench.term(FlatTerm::Binary(FlatBinary::In, a, b));
        assert_eq!(bench.value(root), Ok(boolean(expected)), "{a:?} in {b:?}");
    }
    let zero = bench.constant(integer(0));
    let fails = bench.term(FlatTerm::Binary(FlatBinary::Divide, one, zero));
    let set = bench.term(FlatTerm::Binary(FlatBinary::Union, one, fails));
    let root = bench.term(FlatTerm::Binary(FlatBinary::In, one, set));
    assert_eq!(bench.value(root), Err(FailureReason::DivisionByZero));
    // A symbol is never equal to an integer.
    let root = bench.term(FlatTerm::Binary(FlatBinary::Equal, one, symbol));
    assert_eq!(bench.value(root), Ok(boolean(false)));
}

#[test]
fn failures_are_masked_on_either_side() {
    use FlatBinary::{And, Equal, Iff, Implies, Or, Xnor, Xor};
    let mut bench = Bench::default();
    let fails = bench.term(FlatTerm::Failure(FailureKind::NoCase, Type::Boolean));
    let other = bench.term(FlatTerm::Failure(FailureKind::OutOfBounds, Type::Boolean));
    let (truth, falsity) = (bench.constant(boolean(true)), bench.constant(boolean(false)));
    let no_case = Err(FailureReason::NoCase);
    for (operator, a, b, expected) in [
        (And, falsity, fails, Ok(boolean(false))),
        (And, fails, falsity, Ok(boolean(false))),
        (And, truth, fails, no_case),
        (And, fails, truth, no_case),
        (Or, truth, fails, Ok(boolean(true))),
        (Or, fails, truth, Ok(boolean(true))),
        (Or, falsity, fails, no_case),
        (Or, fails, falsity, no_case),
        (Implies, falsity, fails, Ok(boolean(true))),
        (Implies, fails, truth, Ok(boolean(true))),
        (Implies, truth, fails, no_case),
        (Implies, fails, falsity, no_case),
        (Xor, falsity, fails, no_case),
        (Xnor, fails, truth, no_case),
        (Iff, truth, fails, no_case),
        (Equal, fails, truth, no_case),
        (And, fails, other, no_case),
        (And, other, fails, Err(FailureReason::OutOfBounds)),
    ] {
        let root = bench.term(FlatTerm::Binary(operator, a, b));
        assert_eq!(bench.value(root), expected, "{operator:?}");
    }
    for (condition, a, b, expected) in [
        (truth, truth, fails, Ok(boolean(true))),
        (falsity, fails, truth, Ok(boolean(true))),
        (truth, fails, truth, no_case),
        (fails, truth, truth, no_case),
    ] {
        let root = bench.term(FlatTerm::IfThenElse(condition, a, b));
        assert_eq!(bench.value(root), expected);
    }
    let root = bench.term(FlatTerm::Unary(FlatUnary::Not, fails));
    assert_eq!(bench.outcome(root), bench.outcome(fails));
    assert!(matches!(bench.outcome(root), Outcome::Failure(f) if f.expression == fails));
}

/// What is definite with some values unknown stays so, whatever they are.
#[test]
fn unknown_values_stay_unknown_until_they_do_not_matter() {
    let mut owner = FlatExpressions::default();
    let x = owner.variable(VariableId(0), Type::Boolean, false);
    let y = owner.variable(VariableId(1), Type::Boolean, true);
    let next = owner.intern(FlatTerm::Next(x), Type::Boolean);
    let both = owner.intern(FlatTerm::Binary(FlatBinary::And, next, y), Type::Boolean);
    let same = owner.intern(FlatTerm::Binary(FlatBinary::Equal, x, next), Type::Boolean);
    let mut evaluation = Evaluation::new(&owner, &[both, same, x]);
    let [truth, falsity] = [true, false].map(|value| Outcome::Scalar(boolean(value)));
    evaluation.run(|variable, time| match (variable.0, time) {
        (0, Time::Current) => Some(boolean(true)),
        (0, Time::Next) => Some(boolean(false)),
        _ => None,
    });
    assert_eq!([0, 1, 2].map(|n| evaluation.outcome(n)), [falsity.clone(), falsity.clone(), truth]);
    evaluation.run(|variable, time| match (variable.0, time) {
        (1, Time::Current) => Some(boolean(false)),
        _ => None,
    });
    let expected = [falsity, Outcome::Unknown, Outcome::Unknown];
    assert_eq!([0, 1, 2].map(|n| evaluation.outcome(n)), expected);
    assert_eq!(Constants::default().outcome(&owner, both), None);
}

#[test]
fn deep_and_shared_expressions_are_evaluated_in_linear_time() {
    let mut bench = Bench::default();
    let mut root = bench.constant(integer(1));
    for _ in 0..300_000 {
        root = bench.term(FlatTerm::Binary(FlatBinary::Add, root, root));
    }
    assert_eq!(bench.value(root), Ok(integer(0)));
}
