//! A binary counter of `n` bits in three propositions \[RV07\], \[DDMR08\] B.3.
//!
//! The values 0, 1, 2, .. follow each other, each for `n` positions, least significant bit first:
//! `m` marks the first position of a value, `b` is the bit, `c` the carry out of it when one is
//! added. The only model has period `n * 2^n`.
//!
//! As printed, part 6 lacks `X b ->` and is unsatisfiable; it is corrected here. The suffix
//! `linear` nests the nexts, `X(!m & X(..))`, so that the formula is linear in `n` and not
//! quadratic. The collection \[SD11\] calls the two `counterCarry` and `counterCarryLinear`, and
//! `m` `a`; it does not group part 2.

use super::pen::{Pen, Term, all, write};
use super::{Family, Parameter, ParameterKind, Suffix};
use crate::store::{Formula, Store};

/// `counter[-linear] BITS`.
pub const FAMILY: Family = Family {
    name: "counter",
    suffixes: &[LINEAR],
    summary: "a binary counter in three propositions: marker, bit and carry",
    parameters: &[BITS],
    paper: "DDMR08",
    build: |store, instance| counter(store, instance.size(0), instance.has(0)),
};

/// The suffix that both counters have.
pub(super) const LINEAR: Suffix = Suffix { name: "linear", help: "nexts are nested" };

/// The parameter that both counters have.
pub(super) const BITS: Parameter = Parameter {
    name: "BITS",
    kind: ParameterKind::Number { least: 1, most: 5_000 },
    default: None,
    help: "how many bits a value has",
};

/// The counter with a carry.
///
/// # Panics
/// Without bits.
pub fn counter(store: &mut Store, bits: usize, linear: bool) -> Formula {
    assert!(bits > 0, "a counter has a bit");
    write(store, |pen| conjunction(pen, bits, linear))
}

fn conjunction(pen: &Pen, bits: usize, linear: bool) -> Term<'_> {
    let [m, b, c] = ["m", "b", "c"].map(|name| pen.named(name));
    let first = [m & marked(m, bits, linear).globally(), all(zeros(b, bits, linear))];
    let even = (m & !b).implies(!c & b.next_by(bits));
    let odd = (m & b).implies(c & (!b).next_by(bits));
    let rules = [even, odd, keep(m, b, c, bits, linear), add(b, c, bits, linear)];
    all(first.into_iter().chain(rules.map(Term::globally)))
}

/// Without a carry the next bit of this value is that of the next value, and has no carry.
fn keep<'p>(m: Term<'p>, b: Term<'p>, c: Term<'p>, bits: usize, linear: bool) -> Term<'p> {
    let next = |term: Term<'p>| shared_next(term, linear);
    let same = |bit: Term<'p>| next(bit).implies(next(bit.next_by(bits)));
    let kept = (next(!c) & same(b)) & same(!b);
    (!c & (!m).next()).implies(if linear { kept.next() } else { kept })
}

/// With a carry the next bit is flipped, and has a carry if it was 1.
fn add<'p>(b: Term<'p>, c: Term<'p>, bits: usize, linear: bool) -> Term<'p> {
    let next = |term: Term<'p>| shared_next(term, linear);
    let last = next(!b).implies(next(!c) & next(b.next_by(bits)));
    let ripple = next(b).implies(next(c) & next((!b).next_by(bits)));
    let added = last & ripple;
    c.implies(if linear { added.next() } else { added })
}

/// The next operator before each part of a formula, unless one stands before the whole formula.
fn shared_next(term: Term<'_>, linear: bool) -> Term<'_> {
    if linear { term } else { term.next() }
}

/// A mark is followed by `bits - 1` positions without a mark, and then by a mark.
pub(super) fn marked(m: Term<'_>, bits: usize, linear: bool) -> Term<'_> {
    if linear {
        let rest = (1..bits).fold(m, |rest, _| !m & rest.next());
        return m.implies(rest.next());
    }
    let unmarked = (1..bits).map(|i| (!m).next_by(i));
    m.implies(all(unmarked.chain([m.next_by(bits)])))
}

/// The conjuncts of: the first value is zero.
pub(super) fn zeros(b: Term<'_>, bits: usize, linear: bool) -> Vec<Term<'_>> {
    if !linear {
        return (0..bits).map(|i| (!b).next_by(i)).collect();
    }
    let rest = (2..bits).fold(!b, |rest, _| !b & rest.next());
    if bits == 1 { vec![!b] } else { vec![!b, rest.next()] }
}
