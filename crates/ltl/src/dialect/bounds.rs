//! Bounds in brackets after an operator: `F[2,5]`, `X[3]`, Spot's `F[2:5]`.
//!
//! Spot writes bounded operators out with `X`. On finite words this `X` is weak, or strong if the
//! bounds end in `!`. If a bounded operator of Kermode has the same meaning, the reader builds that
//! operator. Otherwise (weak `F` and strong `G` on finite words) it writes the formula out.
//!
//! NuSMV's `H[a,b] p` is false where one of the positions does not exist, and Kermode's is not. The
//! reader adds that the first position exists, `O[b,b] true`, and `express` writes Kermode's
//! operator as `!O[a,b] !p`.

use super::grammar::Bounds;
use super::lex::{Infix, Lexer, Prefix};
use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::Interval;
use crate::word::WordKind;
use kermode_base::Diagnostic;

/// The largest bound that Spot accepts; the writer uses no larger one.
pub(super) const SPOT_LARGEST: u32 = 254;
/// The largest number of NuSMV.
pub(super) const NUSMV_LARGEST: u32 = i32::MAX as u32;

/// The bounds after a prefix operator, if there are any.
pub(super) fn after_prefix(
    lexer: &mut Lexer,
    op: UnaryOp,
    start: usize,
) -> Result<Prefix, Diagnostic> {
    match lexer.table.grammar.bounds {
        Bounds::Kermode => kermode_prefix(lexer, op, start),
        Bounds::Nusmv => match bounded(op) {
            Some(bounded) if opens(lexer) => Ok(nusmv_prefix(bounded, pair(lexer, start)?)),
            _ => Ok(Prefix::Plain(op)),
        },
        Bounds::Spot => spot_prefix(lexer, op, start),
        Bounds::None => Ok(Prefix::Plain(op)),
    }
}

/// The bounds after an infix operator, if there are any.
pub(super) fn after_infix(
    lexer: &mut Lexer,
    op: BinaryOp,
    start: usize,
) -> Result<Infix, Diagnostic> {
    if lexer.table.grammar.bounds != Bounds::Kermode || !opens(lexer) {
        return Ok(Infix::Plain(op));
    }
    let op = match op {
        BinaryOp::Until => BoundedBinaryOp::Until,
        BinaryOp::Release => BoundedBinaryOp::Release,
        _ => return Err(no_bounds(lexer, start)),
    };
    Ok(Infix::Bounded(op, pair(lexer, start)?))
}

fn kermode_prefix(lexer: &mut Lexer, op: UnaryOp, start: usize) -> Result<Prefix, Diagnostic> {
    if !opens(lexer) {
        return Ok(Prefix::Plain(op));
    }
    let step = match op {
        UnaryOp::Next => BoundedUnaryOp::Finally,
        UnaryOp::WeakNext => BoundedUnaryOp::Globally,
        _ => {
            let bounded = bounded(op).ok_or_else(|| no_bounds(lexer, start))?;
            return Ok(Prefix::Bounded(bounded, pair(lexer, start)?));
        }
    };
    expect(lexer, "[")?;
    if op == UnaryOp::Next && accept(lexer, "!") {
        expect(lexer, "]")?;
        return Ok(Prefix::Plain(UnaryOp::Next));
    }
    let distance = number(lexer)?;
    expect(lexer, "]")?;
    Ok(Prefix::Bounded(step, Interval::exactly(distance)))
}

fn nusmv_prefix(op: BoundedUnaryOp, bounds: Interval) -> Prefix {
    match has_same_meaning_in_nusmv(op, bounds) {
        true => Prefix::Bounded(op, bounds),
        false => Prefix::StrongHistorically(bounds),
    }
}

/// Whether an operator of NuSMV means the same as Kermode's. NuSMV's `H[a,b]` is false where not
/// all positions exist; at distance 0 there is always one.
pub(super) fn has_same_meaning_in_nusmv(op: BoundedUnaryOp, bounds: Interval) -> bool {
    op != BoundedUnaryOp::Historically || bounds.high == 0
}

fn spot_prefix(lexer: &mut Lexer, op: UnaryOp, start: usize) -> Result<Prefix, Diagnostic> {
    let finite = lexer.syntax.words == WordKind::Finite;
    let weak = if finite { UnaryOp::WeakNext } else { UnaryOp::Next };
    let plain = if op == UnaryOp::Next { weak } else { op };
    // Only letters take bounds, not the signs `()`, `<>` and `[]`.
    let letter = lexer.text.as_bytes()[start].is_ascii_alphabetic();
    if !letter
        || !matches!(op, UnaryOp::Next | UnaryOp::Finally | UnaryOp::Globally)
        || !opens(lexer)
    {
        return Ok(Prefix::Plain(plain));
    }
    expect(lexer, "[")?;
    if op == UnaryOp::Next && accept(lexer, "!]") {
        return Ok(Prefix::Plain(UnaryOp::Next));
    }
    let low = number(lexer)?;
    if op == UnaryOp::Next {
        let strong = spot_close(lexer)?;
        return Ok(delay(low, strong || !finite));
    }
    if ![":", "..", ",", "to"].iter().any(|separator| accept(lexer, separator)) {
        return Err(expected(lexer, "`:` and the second bound"));
    }
    let high = match accept(lexer, "$") || accept(lexer, "inf") {
        true => None,
        false if lexer.rest().first().is_some_and(u8::is_ascii_digit) => Some(number(lexer)?),
        false => None,
    };
    let strong = spot_close(lexer)? || !finite;
    let Some(high) = high else {
        return Ok(match delay(low, strong) {
            Prefix::Bounded(step, bounds) => Prefix::Delayed(step, bounds, op),
            other => other,
        });
    };
    let bounds = Interval { low: low.min(high), high: low.max(high) };
    Ok(match (op, strong) {
        (UnaryOp::Finally, true) => Prefix::Bounded(BoundedUnaryOp::Finally, bounds),
        (UnaryOp::Finally, false) => {
            lexer.charge(bounds, start)?;
            Prefix::Unrolled { step: UnaryOp::WeakNext, connective: BinaryOp::Or, bounds }
        }
        (_, true) if finite => {
            lexer.charge(bounds, start)?;
            Prefix::Unrolled { step: UnaryOp::Next, connective: BinaryOp::And, bounds }
        }
        _ => Prefix::Bounded(BoundedUnaryOp::Globally, bounds),
    })
}

/// `n` nexts, strong or weak.
fn delay(n: u32, strong: bool) -> Prefix {
    let op = if strong { BoundedUnaryOp::Finally } else { BoundedUnaryOp::Globally };
    Prefix::Bounded(op, Interval::exactly(n))
}

/// `]`, or `!]` for strong bounds.
fn spot_close(lexer: &mut Lexer) -> Result<bool, Diagnostic> {
    if accept(lexer, "!]") {
        return Ok(true);
    }
    expect(lexer, "]").map(|()| false)
}

fn bounded(op: UnaryOp) -> Option<BoundedUnaryOp> {
    match op {
        UnaryOp::Finally => Some(BoundedUnaryOp::Finally),
        UnaryOp::Globally => Some(BoundedUnaryOp::Globally),
        UnaryOp::Once => Some(BoundedUnaryOp::Once),
        UnaryOp::Historically => Some(BoundedUnaryOp::Historically),
        _ => None,
    }
}

/// `[low,high]` after the operator that begins at `start`.
fn pair(lexer: &mut Lexer, start: usize) -> Result<Interval, Diagnostic> {
    let (operator, brackets) = (lexer.slice(&(start..lexer.at)), lexer.at);
    plain_pair(lexer).map_err(|error| match other_bounds(&lexer.text[brackets..], operator) {
        Some(help) => error.help(help),
        None => error,
    })
}

/// Help for the bounds of other tools: `[5]`, `[<=5]`, `[0:5]`, `[0..5]`.
fn other_bounds(text: &str, operator: &str) -> Option<String> {
    let inside = text.trim_start().strip_prefix('[')?;
    let inside = inside[..inside.find(']')?].trim();
    let number = |text: &str| text.trim().parse::<u32>().ok();
    if let Some(n) = number(inside) {
        return Some(format!(
            "write `{operator}[0,{n}]` for at most {n} steps, `{operator}[{n},{n}]` for exactly {n}"
        ));
    }
    let compared = |sign| inside.strip_prefix(sign).and_then(number);
    let pair = [":", "..", ";"].iter().find_map(|separator| {
        let (low, high) = inside.split_once(separator)?;
        Some((number(low)?, number(high)?))
    });
    let (low, high) = match (compared("<="), compared("<"), pair) {
        (Some(n), _, _) => (0, n),
        (_, Some(n), _) => (0, n.checked_sub(1)?),
        (_, _, pair) => pair?,
    };
    Some(format!("write `{operator}[{low},{high}]`"))
}

fn plain_pair(lexer: &mut Lexer) -> Result<Interval, Diagnostic> {
    expect(lexer, "[")?;
    let start = lexer.at;
    let low = number(lexer)?;
    expect(lexer, ",")?;
    let high = number(lexer)?;
    let place = start..lexer.at;
    expect(lexer, "]")?;
    Interval::new(low, high).ok_or_else(|| {
        Diagnostic::error(place, "these bounds leave nothing between them")
            .label("the first must not be larger than the second")
    })
}

/// Whether bounds follow: a bracket that is not the operator `[]`.
fn opens(lexer: &Lexer) -> bool {
    let rest = lexer.rest();
    let bracket = rest.iter().position(|b| !b.is_ascii_whitespace());
    let Some(bracket) = bracket.filter(|&at| rest[at] == b'[') else {
        return false;
    };
    rest.get(bracket + 1) != Some(&b']')
}

fn blanks(lexer: &mut Lexer) {
    lexer.at += lexer.rest().iter().take_while(|b| b.is_ascii_whitespace()).count();
}

fn accept(lexer: &mut Lexer, text: &str) -> bool {
    blanks(lexer);
    let found = lexer.rest().starts_with(text.as_bytes());
    if found {
        lexer.at += text.len();
        blanks(lexer);
    }
    found
}

fn expect(lexer: &mut Lexer, text: &str) -> Result<(), Diagnostic> {
    match accept(lexer, text) {
        true => Ok(()),
        false => Err(expected(lexer, &format!("`{text}`"))),
    }
}

fn number(lexer: &mut Lexer) -> Result<u32, Diagnostic> {
    blanks(lexer);
    let start = lexer.at;
    let digits = lexer.rest().iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 {
        return Err(expected(lexer, "a number"));
    }
    lexer.at += digits;
    let largest = match lexer.table.grammar.bounds {
        Bounds::Nusmv => NUSMV_LARGEST,
        _ => u32::MAX,
    };
    let bound = lexer.slice(&(start..start + digits)).parse().ok();
    bound.filter(|&bound| bound <= largest).ok_or_else(|| {
        Diagnostic::error(start..start + digits, "this bound is too large")
            .label(format!("the largest is {largest}"))
    })
}

fn expected(lexer: &Lexer, what: &str) -> Diagnostic {
    let rest = &lexer.text[lexer.at..];
    let found = match rest.chars().next() {
        Some(c) => format!("`{c}`"),
        None => "the end".to_owned(),
    };
    let width = rest.chars().next().map_or(0, char::len_utf8);
    Diagnostic::error(lexer.at..lexer.at + width, format!("expected {what}, found {found}"))
        .label("inside the bounds of an operator")
}

fn no_bounds(lexer: &Lexer, start: usize) -> Diagnostic {
    let operator = lexer.slice(&(start..lexer.at));
    Diagnostic::error(start..lexer.at, format!("`{operator}` takes no bounds"))
        .label("only `F G O H U R` with `[a,b]`, and `X N` with `[n]` do")
}
