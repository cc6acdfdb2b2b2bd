//! The value and the failure condition of each flat expression, over the bits of the variables.
//!
//! An expression under `next` is *shifted*: it has next values in place of current ones. Each
//! expression is encoded at most once in either form, operands first, and nothing recurses.
//!
//! **Failures.** A value fails if one of its operands does, with three exceptions: a connective
//! that one operand decides alone (`FALSE & e`, `e | TRUE`, `FALSE -> e`, `e -> TRUE`) does not
//! look at the other, and a conditional expression looks at the chosen branch only.

use kermode_base::terms::Handle;
use kermode_system::{Expression, Graph, Variable};

use super::arithmetic::{self, Shift};
use super::integer::Integer;
use super::scalar::{Encoded, Scalar};
use crate::flat::{
    Features, FlatBinary, FlatExpression, FlatModel, FlatTerm, FlatUnary, Type, VariableId,
};

/// A flat expression, and whether it stands under `next`.
pub(crate) type Place = (FlatExpression, bool);

/// The encoded expressions of one flat model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encoder {
    /// The bits of each variable of the flat model, the least significant first.
    variables: Vec<Vec<Variable>>,
    values: Vec<Encoded>,
    /// For each expression, the place of its value in `values` and that of its shifted form.
    places: Vec<[u32; 2]>,
}

const ABSENT: u32 = u32::MAX;

impl Encoder {
    /// An encoder for variables with these bits.
    pub(crate) fn new(variables: Vec<Vec<Variable>>) -> Self {
        Encoder { variables, ..Encoder::default() }
    }

    /// The bits of a variable, the least significant first.
    pub(crate) fn variables(&self, variable: VariableId) -> &[Variable] {
        &self.variables[variable.index()]
    }

    /// The current or next values of the bits of a variable.
    pub(crate) fn bits(
        &self,
        graph: &mut Graph,
        variable: VariableId,
        next: bool,
    ) -> Vec<Expression> {
        let bit = |&bit| if next { graph.next(bit) } else { graph.current(bit) };
        self.variables(variable).iter().map(bit).collect()
    }

    /// An encoded expression.
    ///
    /// # Panics
    /// When it was not encoded.
    pub(crate) fn get(&self, flat: &FlatModel, place: Place) -> &Encoded {
        let (expression, shifted) = normal(flat, place);
        &self.values[self.places[expression.index()][usize::from(shifted)] as usize]
    }

    fn is_known(&self, (expression, shifted): Place) -> bool {
        self.places[expression.index()][usize::from(shifted)] != ABSENT
    }

    /// Encodes an expression and all of its operands.
    ///
    /// # Panics
    /// When it has a temporal operator.
    pub(crate) fn encode(&mut self, graph: &mut Graph, flat: &FlatModel, place: Place) -> &Encoded {
        self.places.resize(self.places.len().max(flat.expressions.len()), [ABSENT; 2]);
        let mut todo = vec![normal(flat, place)];
        while let Some(&top) = todo.last() {
            if self.is_known(top) {
                todo.pop();
                continue;
            }
            let open = todo.len();
            let operands = operands(flat, top);
            todo.extend(operands.filter(|&operand| !self.is_known(operand)));
            if todo.len() == open {
                todo.pop();
                self.encode_one(graph, flat, top);
            }
        }
        self.get(flat, place)
    }

    /// Encodes an expression whose operands are encoded.
    fn encode_one(&mut self, graph: &mut Graph, flat: &FlatModel, place: Place) {
        let (expression, shifted) = place;
        let position = match flat.expressions.term(expression) {
            FlatTerm::Next(operand) => {
                let (operand, shifted) = normal(flat, (operand, true));
                self.places[operand.index()][usize::from(shifted)]
            }
            term => {
                let encoded = self.term(graph, flat, place, term);
                self.values.push(encoded);
                self.values.len() as u32 - 1
            }
        };
        self.places[expression.index()][usize::from(shifted)] = position;
    }

    fn term(&self, graph: &mut Graph, flat: &FlatModel, place: Place, term: FlatTerm) -> Encoded {
        let shifted = place.1;
        let never = graph.constant(false);
        let known = |operand| self.get(flat, (operand, shifted));
        match term {
            FlatTerm::Constant(constant) => {
                let value = Scalar::constant(graph, flat.expressions.value(constant));
                Encoded { value, failure: never }
            }
            FlatTerm::Variable(variable) => {
                let bits = self.bits(graph, variable, shifted);
                let value = Scalar::variable(graph, &flat.variable(variable).domain, &bits);
                Encoded { value, failure: never }
            }
            FlatTerm::Failure(_, ty) => {
                Encoded { value: Scalar::arbitrary(graph, ty), failure: graph.constant(true) }
            }
            FlatTerm::Interval(..) => Encoded { value: Scalar::Set, failure: never },
            FlatTerm::Unary(operator, a) => {
                let Encoded { value, failure } = known(a);
                let signed = is_signed(flat.expressions.ty(a));
                Encoded { value: unary(graph, operator, value, signed), failure: *failure }
            }
            FlatTerm::Bits { word, high, low } => {
                let Encoded { value, failure } = known(word);
                let Scalar::Word(bits) = value else { panic!("bits of a word") };
                let value = Scalar::Word(bits[usize::from(low)..=usize::from(high)].to_vec());
                Encoded { value, failure: *failure }
            }
            FlatTerm::Binary(FlatBinary::In, a, b) => {
                let failure = graph.or(known(a).failure, known(b).failure);
                let included = self.is_subset(graph, flat, (a, shifted), (b, shifted));
                Encoded { value: Scalar::Boolean(included), failure }
            }
            FlatTerm::Binary(operator, a, b) => {
                let signed = is_signed(flat.expressions.ty(a));
                binary(graph, operator, known(a), known(b), signed)
            }
            FlatTerm::IfThenElse(a, b, c) => {
                let is_set = flat.expressions.ty(place.0).is_set();
                choose(graph, known(a), known(b), known(c), is_set)
            }
            FlatTerm::Next(_) => panic!("`next` has the value of its operand"),
            FlatTerm::PathUnary(..) | FlatTerm::PathBinary(..) => {
                panic!("a temporal operator has no value in one state")
            }
        }
    }
}

/// The place with the same meaning that all users of it share: constants are not shifted.
pub(crate) fn normal(flat: &FlatModel, (expression, shifted): Place) -> Place {
    (expression, shifted && flat.expressions.features(expression).has(Features::STATE))
}

/// The operands of an expression, with `next` applied to them.
pub(crate) fn operands(
    flat: &FlatModel,
    (expression, shifted): Place,
) -> impl Iterator<Item = Place> {
    let term = flat.expressions.term(expression);
    let shifted = shifted || matches!(term, FlatTerm::Next(_));
    term.operands().map(move |operand| normal(flat, (operand, shifted)))
}

fn is_signed(ty: Type) -> bool {
    matches!(ty, Type::Word { signed: true, .. } | Type::Integer)
}

fn unary(graph: &mut Graph, operator: FlatUnary, value: &Scalar, signed: bool) -> Scalar {
    match (operator, value) {
        (FlatUnary::Not, &Scalar::Boolean(a)) => Scalar::Boolean(graph.not(a)),
        (FlatUnary::Not, Scalar::Word(bits)) => Scalar::Word(arithmetic::complement(graph, bits)),
        (FlatUnary::Minus, Scalar::Integer(a)) => Scalar::Integer(Integer::negate(graph, a)),
        (FlatUnary::Minus, Scalar::Word(bits)) => Scalar::Word(arithmetic::negate(graph, bits)),
        (FlatUnary::Bool, &Scalar::Boolean(a)) => Scalar::Boolean(a),
        (FlatUnary::Bool, Scalar::Integer(Integer { bits, .. }) | Scalar::Word(bits)) => {
            Scalar::Boolean(arithmetic::is_not_zero(graph, bits))
        }
        (FlatUnary::ToInt, &Scalar::Boolean(a)) => {
            Scalar::Integer(Integer::from_code(graph, &[a], 0, 1))
        }
        (FlatUnary::ToInt, Scalar::Integer(a)) => Scalar::Integer(a.clone()),
        (FlatUnary::ToInt, Scalar::Word(bits)) => {
            Scalar::Integer(Integer::from_word(graph, bits, signed))
        }
        (FlatUnary::Word1, &Scalar::Boolean(a)) => Scalar::Word(vec![a]),
        (FlatUnary::Signed | FlatUnary::Unsigned, Scalar::Word(bits)) => Scalar::Word(bits.clone()),
        (FlatUnary::Extend(more), Scalar::Word(bits)) => {
            let width = bits.len() + usize::from(more);
            Scalar::Word(arithmetic::resize(graph, bits, width, signed))
        }
        (FlatUnary::Resize(width), Scalar::Word(bits)) => {
            let mut resized = arithmetic::resize(graph, bits, width.into(), signed);
            if let (true, Some(top), Some(&sign)) = (signed, resized.last_mut(), bits.last()) {
                *top = sign;
            }
            Scalar::Word(resized)
        }
        _ => panic!("{operator:?} of an operand of another type"),
    }
}

fn choose(
    graph: &mut Graph,
    condition: &Encoded,
    yes: &Encoded,
    no: &Encoded,
    is_set: bool,
) -> Encoded {
    let Scalar::Boolean(chosen) = condition.value else { panic!("a condition is Boolean") };
    let (always, never) = (graph.constant(true), graph.constant(false));
    let value = match () {
        () if is_set => Scalar::Set,
        // A failing branch has no value, so the other one may stand for it.
        () if no.failure == always || chosen == always => yes.value.clone(),
        () if yes.failure == always || chosen == never => no.value.clone(),
        () => Scalar::choose(graph, chosen, &yes.value, &no.value),
    };
    let branch = graph.if_then_else(chosen, yes.failure, no.failure);
    Encoded { value, failure: graph.or(condition.failure, branch) }
}

fn binary(
    graph: &mut Graph,
    operator: FlatBinary,
    left: &Encoded,
    right: &Encoded,
    signed: bool,
) -> Encoded {
    let failure = graph.or(left.failure, right.failure);
    match (&left.value, &right.value) {
        _ if operator == FlatBinary::Union => Encoded { value: Scalar::Set, failure },
        (&Scalar::Boolean(a), &Scalar::Boolean(b)) => {
            let value = Scalar::Boolean(connective(graph, operator, a, b));
            Encoded { value, failure: undecided(graph, operator, left, right, failure) }
        }
        (Scalar::Word(a), Scalar::Word(b)) => {
            let (value, own) = of_words(graph, operator, a, b, signed);
            Encoded { value, failure: graph.or(failure, own) }
        }
        (Scalar::Word(a), Scalar::Integer(amount)) => {
            let none = Integer::constant(graph, 0);
            let negative = Integer::less(graph, amount, &none);
            let (value, own) = shift(graph, operator, a, &amount.bits, signed);
            let own = graph.or(negative, own);
            Encoded { value, failure: graph.or(failure, own) }
        }
        (Scalar::Integer(a), Scalar::Integer(b)) => {
            let (value, own) = of_integers(graph, operator, a, b);
            Encoded { value, failure: graph.or(failure, own) }
        }
        (a, b) => {
            let value = match operator {
                FlatBinary::Equal => Scalar::Boolean(Scalar::equal(graph, a, b)),
                FlatBinary::NotEqual => {
                    let equal = Scalar::equal(graph, a, b);
                    Scalar::Boolean(graph.not(equal))
                }
                _ => panic!("{operator:?} of operands of other types"),
            };
            Encoded { value, failure }
        }
    }
}

/// When a connective fails: not where an operand that does not fail decides it.
fn undecided(
    graph: &mut Graph,
    operator: FlatBinary,
    left: &Encoded,
    right: &Encoded,
    failure: Expression,
) -> Expression {
    let (&Scalar::Boolean(a), &Scalar::Boolean(b)) = (&left.value, &right.value) else {
        return failure;
    };
    let (a_decides, b_decides) = match operator {
        FlatBinary::And => (false, false),
        FlatBinary::Or => (true, true),
        FlatBinary::Implies => (false, true),
        _ => return failure,
    };
    // The failure of one operand counts if the other one fails, too, or does not decide.
    let mut counts = |failure, value, decides, other_failure| {
        let undecided = if decides { graph.not(value) } else { value };
        let open = graph.or(other_failure, undecided);
        graph.and(failure, open)
    };
    let of_left = counts(left.failure, b, b_decides, right.failure);
    let of_right = counts(right.failure, a, a_decides, left.failure);
    graph.or(of_left, of_right)
}

fn connective(graph: &mut Graph, operator: FlatBinary, a: Expression, b: Expression) -> Expression {
    match operator {
        FlatBinary::And => graph.and(a, b),
        FlatBinary::Or => graph.or(a, b),
        FlatBinary::Implies => graph.implies(a, b),
        FlatBinary::Xor | FlatBinary::NotEqual => graph.xor(a, b),
        FlatBinary::Xnor | FlatBinary::Iff | FlatBinary::Equal => graph.iff(a, b),
        _ => panic!("{operator:?} of Boolean operands"),
    }
}

/// The value, and when the operator itself fails.
fn of_words(
    graph: &mut Graph,
    operator: FlatBinary,
    a: &[Expression],
    b: &[Expression],
    signed: bool,
) -> (Scalar, Expression) {
    let never = graph.constant(false);
    let value = match operator {
        FlatBinary::ShiftLeft | FlatBinary::ShiftRight => {
            return shift(graph, operator, a, b, signed);
        }
        FlatBinary::Divide | FlatBinary::Modulo => {
            let (quotient, remainder) = arithmetic::divide(graph, a, b, signed);
            let nonzero = arithmetic::is_not_zero(graph, b);
            let result = if operator == FlatBinary::Divide { quotient } else { remainder };
            return (Scalar::Word(result), graph.not(nonzero));
        }
        FlatBinary::Add => Scalar::Word(arithmetic::add(graph, a, b)),
        FlatBinary::Subtract => Scalar::Word(arithmetic::subtract(graph, a, b)),
        FlatBinary::Multiply => Scalar::Word(arithmetic::multiply(graph, a, b)),
        FlatBinary::Concatenate => Scalar::Word([b, a].concat()),
        FlatBinary::Equal => Scalar::Boolean(arithmetic::equal(graph, a, b)),
        FlatBinary::NotEqual => {
            let equal = arithmetic::equal(graph, a, b);
            Scalar::Boolean(graph.not(equal))
        }
        FlatBinary::Less | FlatBinary::GreaterEqual => {
            let less = arithmetic::less(graph, a, b, signed);
            Scalar::Boolean(if operator == FlatBinary::Less { less } else { graph.not(less) })
        }
        FlatBinary::Greater | FlatBinary::LessEqual => {
            let greater = arithmetic::less(graph, b, a, signed);
            let is_greater = operator == FlatBinary::Greater;
            Scalar::Boolean(if is_greater { greater } else { graph.not(greater) })
        }
        _ => {
            let bits = a.iter().zip(b).map(|(&a, &b)| connective(graph, operator, a, b));
            Scalar::Word(bits.collect())
        }
    };
    (value, never)
}

/// A shift by an amount that is not negative, and when it fails.
fn shift(
    graph: &mut Graph,
    operator: FlatBinary,
    a: &[Expression],
    amount: &[Expression],
    signed: bool,
) -> (Scalar, Expression) {
    let zero = graph.constant(false);
    let (direction, fill) = match (operator, a.last()) {
        (FlatBinary::ShiftLeft, _) => (Shift::Left, zero),
        (FlatBinary::ShiftRight, Some(&sign)) if signed => (Shift::Right, sign),
        (FlatBinary::ShiftRight, _) => (Shift::Right, zero),
        _ => panic!("{operator:?} of a word and an integer"),
    };
    let possible = graph.at_most(amount, a.len() as u64);
    (Scalar::Word(arithmetic::shift(graph, direction, a, amount, fill)), graph.not(possible))
}

/// The value, and when the operator itself fails.
fn of_integers(
    graph: &mut Graph,
    operator: FlatBinary,
    a: &Integer,
    b: &Integer,
) -> (Scalar, Expression) {
    let never = graph.constant(false);
    let value = match operator {
        FlatBinary::Add => Scalar::Integer(Integer::add(graph, a, b)),
        FlatBinary::Subtract => Scalar::Integer(Integer::subtract(graph, a, b)),
        FlatBinary::Multiply => Scalar::Integer(Integer::multiply(graph, a, b)),
        FlatBinary::Divide | FlatBinary::Modulo => {
            let (quotient, remainder) = Integer::divide(graph, a, b);
            let zero = Integer::constant(graph, 0);
            let by_zero = Integer::equal(graph, b, &zero);
            let result = if operator == FlatBinary::Divide { quotient } else { remainder };
            return (Scalar::Integer(result), by_zero);
        }
        FlatBinary::Equal => Scalar::Boolean(Integer::equal(graph, a, b)),
        FlatBinary::NotEqual => {
            let equal = Integer::equal(graph, a, b);
            Scalar::Boolean(graph.not(equal))
        }
        FlatBinary::Less | FlatBinary::GreaterEqual => {
            let less = Integer::less(graph, a, b);
            Scalar::Boolean(if operator == FlatBinary::Less { less } else { graph.not(less) })
        }
        FlatBinary::Greater | FlatBinary::LessEqual => {
            let greater = Integer::less(graph, b, a);
            let is_greater = operator == FlatBinary::Greater;
            Scalar::Boolean(if is_greater { greater } else { graph.not(greater) })
        }
        _ => panic!("{operator:?} of integers"),
    };
    (value, never)
}
