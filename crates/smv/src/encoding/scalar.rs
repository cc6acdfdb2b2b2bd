//! Encoded values: what bits and conditions stand for the value of an expression.

use kermode_system::{Expression, Graph};

use super::arithmetic;
use super::integer::Integer;
use crate::flat::{Domain, Symbol, Type, Value};

/// The value of an expression, with the condition under which it has none.
#[derive(Clone, Debug)]
pub(crate) struct Encoded {
    /// The value. It is arbitrary where the expression fails.
    pub(crate) value: Scalar,
    /// When the evaluation fails.
    pub(crate) failure: Expression,
}

/// The value of an expression over bits.
#[derive(Clone, Debug)]
pub(crate) enum Scalar {
    /// A Boolean value.
    Boolean(Expression),
    /// An integer.
    Integer(Integer),
    /// A symbol, or one of symbols and integers.
    Enumerated(Enumerated),
    /// The bits of a word, the least significant first.
    Word(Vec<Expression>),
    /// A set. It is not represented by bits; see the module `sets`.
    Set,
}

/// A symbol or an integer. One of the conditions holds for each legal valuation without failure,
/// and no two hold at once.
#[derive(Clone, Debug)]
pub(crate) struct Enumerated {
    /// When the value is an integer, and which one.
    pub(crate) integer: Option<(Expression, Integer)>,
    /// When the value is which symbol, in the order of symbols.
    pub(crate) symbols: Vec<(Symbol, Expression)>,
}

impl Scalar {
    /// The value of a constant.
    pub(crate) fn constant(graph: &mut Graph, value: Value) -> Self {
        match value {
            Value::Boolean(value) => Scalar::Boolean(graph.constant(value)),
            Value::Integer(value) => Scalar::Integer(Integer::constant(graph, value)),
            Value::Symbol(symbol) => Scalar::Enumerated(Enumerated {
                integer: None,
                symbols: vec![(symbol, graph.constant(true))],
            }),
            Value::Word(word) => {
                Scalar::Word(arithmetic::constant(graph, word.bits as i64, word.width.into()))
            }
        }
    }

    /// Some value of a type, for expressions that always fail.
    pub(crate) fn arbitrary(graph: &mut Graph, ty: Type) -> Self {
        match ty {
            Type::Boolean => Scalar::Boolean(graph.constant(false)),
            Type::Integer => Scalar::Integer(Integer::constant(graph, 0)),
            Type::Symbolic | Type::Mixed => {
                Scalar::Enumerated(Enumerated { integer: None, symbols: Vec::new() })
            }
            Type::Word { width, .. } => Scalar::Word(arithmetic::constant(graph, 0, width.into())),
            _ => Scalar::Set,
        }
    }

    /// The value of a variable with these bits.
    pub(crate) fn variable(graph: &mut Graph, domain: &Domain, bits: &[Expression]) -> Self {
        let values = match domain {
            Domain::Boolean => return Scalar::Boolean(bits[0]),
            Domain::Word { .. } => return Scalar::Word(bits.to_vec()),
            &Domain::Range(low, high) => {
                let last = (i64::from(high) - i64::from(low)) as u64;
                return Scalar::Integer(Integer::from_code(graph, bits, low, last));
            }
            Domain::Enumeration(values) => values,
        };
        let conditions = codes(graph, bits, values.len());
        let mut symbols = Vec::new();
        let mut integers = Vec::new();
        for (&value, condition) in values.iter().zip(conditions) {
            match value {
                Value::Integer(value) => integers.push((value, condition)),
                Value::Symbol(symbol) => symbols.push((symbol, condition)),
                Value::Boolean(_) | Value::Word(_) => {}
            }
        }
        symbols.sort_unstable_by_key(|&(symbol, _)| symbol);
        let integer = listed(graph, &integers);
        match integer {
            Some((_, integer)) if symbols.is_empty() => Scalar::Integer(integer),
            integer => Scalar::Enumerated(Enumerated { integer, symbols }),
        }
    }

    /// The value as one of symbols and integers, with which it can be compared.
    fn enumerated(&self, graph: &mut Graph) -> Enumerated {
        match self {
            Scalar::Enumerated(value) => value.clone(),
            Scalar::Integer(integer) => Enumerated {
                integer: Some((graph.constant(true), integer.clone())),
                symbols: Vec::new(),
            },
            _ => Enumerated { integer: None, symbols: Vec::new() },
        }
    }

    /// Whether `a = b`.
    pub(crate) fn equal(graph: &mut Graph, a: &Scalar, b: &Scalar) -> Expression {
        match (a, b) {
            (&Scalar::Boolean(a), &Scalar::Boolean(b)) => graph.iff(a, b),
            (Scalar::Integer(a), Scalar::Integer(b)) => Integer::equal(graph, a, b),
            (Scalar::Word(a), Scalar::Word(b)) => arithmetic::equal(graph, a, b),
            _ => {
                let (a, b) = (a.enumerated(graph), b.enumerated(graph));
                Enumerated::equal(graph, &a, &b)
            }
        }
    }

    /// `yes` if the condition holds, else `no`.
    pub(crate) fn choose(
        graph: &mut Graph,
        condition: Expression,
        yes: &Scalar,
        no: &Scalar,
    ) -> Scalar {
        match (yes, no) {
            (&Scalar::Boolean(yes), &Scalar::Boolean(no)) => {
                Scalar::Boolean(graph.if_then_else(condition, yes, no))
            }
            (Scalar::Integer(yes), Scalar::Integer(no)) => {
                Scalar::Integer(Integer::choose(graph, condition, yes, no))
            }
            (Scalar::Word(yes), Scalar::Word(no)) => {
                Scalar::Word(arithmetic::choose(graph, condition, yes, no))
            }
            (Scalar::Set, _) | (_, Scalar::Set) => Scalar::Set,
            _ => {
                let (yes, no) = (yes.enumerated(graph), no.enumerated(graph));
                Scalar::Enumerated(Enumerated::choose(graph, condition, &yes, &no))
            }
        }
    }

    /// Whether the value is an integer within bounds, which are included.
    pub(crate) fn is_within(&self, graph: &mut Graph, low: i32, high: i32) -> Expression {
        match self {
            Scalar::Integer(integer) => integer.is_within(graph, low, high),
            Scalar::Enumerated(Enumerated { integer: Some((condition, integer)), .. }) => {
                let within = integer.is_within(graph, low, high);
                graph.and(*condition, within)
            }
            _ => graph.constant(false),
        }
    }

    /// Whether the value is one of a domain of the same type, or of a part of it.
    pub(crate) fn is_in(&self, graph: &mut Graph, domain: &Domain) -> Expression {
        match domain {
            Domain::Boolean | Domain::Word { .. } => graph.constant(true),
            &Domain::Range(low, high) => self.is_within(graph, low, high),
            Domain::Enumeration(values) if self.has_symbols_of(values) => graph.constant(true),
            Domain::Enumeration(values) => {
                let own = values.iter().map(|&value| {
                    let value = Scalar::constant(graph, value);
                    Scalar::equal(graph, self, &value)
                });
                let own: Vec<Expression> = own.collect();
                graph.any(own)
            }
        }
    }

    /// Whether the value is a symbol, and only symbols in `values` are possible.
    fn has_symbols_of(&self, values: &[Value]) -> bool {
        let Scalar::Enumerated(Enumerated { integer: None, symbols }) = self else { return false };
        symbols.iter().all(|&(symbol, _)| values.contains(&Value::Symbol(symbol)))
    }

    /// The code of the value in a domain. It is arbitrary if the value is not in the domain.
    pub(crate) fn code(&self, graph: &mut Graph, domain: &Domain) -> Vec<Expression> {
        match (self, domain) {
            (&Scalar::Boolean(value), _) => vec![value],
            (Scalar::Word(bits), _) => bits.clone(),
            (_, &Domain::Range(low, high)) => {
                let none = Integer::constant(graph, low);
                let integer = match self {
                    Scalar::Integer(integer) => integer,
                    Scalar::Enumerated(Enumerated { integer: Some((_, integer)), .. }) => integer,
                    _ => &none,
                };
                let low = Integer::constant(graph, low);
                let code = Integer::subtract(graph, integer, &low);
                code.resized(graph, code_width((i64::from(high) - low.low) as u64))
            }
            (_, Domain::Enumeration(values)) => {
                let value = self.enumerated(graph);
                let width = code_width(values.len() as u64 - 1);
                let mut code = vec![graph.constant(false); width];
                for (own, condition) in (0_u64..).zip(value.conditions(graph, values)) {
                    for (place, bit) in code.iter_mut().enumerate() {
                        if own >> place & 1 == 1 {
                            *bit = graph.or(*bit, condition);
                        }
                    }
                }
                code
            }
            _ => Vec::new(),
        }
    }
}

/// The number of bits of codes up to a last one.
fn code_width(last: u64) -> usize {
    (u64::BITS - last.leading_zeros()) as usize
}

/// For each code from 0 on, so many of them, whether the bits encode it.
fn codes(graph: &mut Graph, bits: &[Expression], count: usize) -> Vec<Expression> {
    let mut prefixes = vec![graph.constant(true)];
    for (place, &bit) in bits.iter().enumerate().rev() {
        let zero = graph.not(bit);
        let mut longer = Vec::with_capacity(2 * prefixes.len());
        for prefix in prefixes {
            longer.push(graph.and(prefix, zero));
            longer.push(graph.and(prefix, bit));
        }
        longer.truncate(count.div_ceil(1 << place));
        prefixes = longer;
    }
    prefixes
}

/// The integer that has each value under a condition, and when one of the conditions holds.
fn listed(graph: &mut Graph, values: &[(i32, Expression)]) -> Option<(Expression, Integer)> {
    let low = values.iter().map(|&(value, _)| value).min()?;
    let high = values.iter().map(|&(value, _)| value).max()?;
    let [least, most] = [low, high].map(|value| Integer::constant(graph, value));
    let width = least.bits.len().max(most.bits.len());
    let bits = (0..width).map(|place| {
        let with_bit = values.iter().filter(|(value, _)| i64::from(*value) >> place & 1 == 1);
        graph.any(with_bit.map(|&(_, condition)| condition))
    });
    let bits = bits.collect();
    let any = graph.any(values.iter().map(|&(_, condition)| condition));
    Some((any, Integer { bits, low: low.into(), high: high.into() }))
}

impl Enumerated {
    fn equal(graph: &mut Graph, a: &Enumerated, b: &Enumerated) -> Expression {
        let mut both = Vec::new();
        if let (Some((in_a, a)), Some((in_b, b))) = (&a.integer, &b.integer) {
            let (equal, are) = (Integer::equal(graph, a, b), graph.and(*in_a, *in_b));
            both.push(graph.and(are, equal));
        }
        let (few, many) = if a.symbols.len() < b.symbols.len() { (a, b) } else { (b, a) };
        for &(symbol, condition) in &few.symbols {
            let other = many.condition(graph, symbol);
            both.push(graph.and(condition, other));
        }
        graph.any(both)
    }

    /// When the value is this symbol.
    fn condition(&self, graph: &mut Graph, symbol: Symbol) -> Expression {
        match self.symbols.binary_search_by_key(&symbol, |&(symbol, _)| symbol) {
            Ok(place) => self.symbols[place].1,
            Err(_) => graph.constant(false),
        }
    }

    /// When the value is which of these.
    fn conditions(&self, graph: &mut Graph, values: &[Value]) -> Vec<Expression> {
        let condition = |&value: &Value| match (value, &self.integer) {
            (Value::Symbol(symbol), _) => self.condition(graph, symbol),
            (Value::Integer(value), Some((is_integer, integer))) => {
                let value = Integer::constant(graph, value);
                let equal = Integer::equal(graph, integer, &value);
                graph.and(*is_integer, equal)
            }
            _ => graph.constant(false),
        };
        values.iter().map(condition).collect()
    }

    fn choose(graph: &mut Graph, condition: Expression, yes: &Self, no: &Self) -> Self {
        let otherwise = graph.not(condition);
        let integer = match (&yes.integer, &no.integer) {
            (Some((in_yes, yes)), Some((in_no, no))) => {
                let is_integer = graph.if_then_else(condition, *in_yes, *in_no);
                Some((is_integer, Integer::choose(graph, condition, yes, no)))
            }
            (Some((in_yes, yes)), None) => Some((graph.and(condition, *in_yes), yes.clone())),
            (None, Some((in_no, no))) => Some((graph.and(otherwise, *in_no), no.clone())),
            (None, None) => None,
        };
        let guard = |graph: &mut Graph, guard, symbols: &[(Symbol, Expression)]| {
            let guarded = symbols.iter().map(|&(symbol, is)| (symbol, graph.and(guard, is)));
            guarded.collect::<Vec<_>>()
        };
        let mut all = guard(graph, condition, &yes.symbols);
        all.extend(guard(graph, otherwise, &no.symbols));
        all.sort_by_key(|&(symbol, _)| symbol);
        let never = graph.constant(false);
        let mut symbols: Vec<(Symbol, Expression)> = Vec::with_capacity(all.len());
        for (symbol, is) in all.into_iter().filter(|&(_, is)| is != never) {
            match symbols.last_mut() {
                Some((last, condition)) if *last == symbol => *condition = graph.or(*condition, is),
                _ => symbols.push((symbol, is)),
            }
        }
        Enumerated { integer, symbols }
    }
}
