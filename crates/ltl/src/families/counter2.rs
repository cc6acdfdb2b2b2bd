//! A binary counter of `n` bits in two propositions \[RV07\].
//!
//! Like `counter`, but without a carry: `U` finds the bit where adding one ends. After a 0 in the
//! least bit all others are kept until the next mark. After a 1, ones become zeros until a zero
//! becomes a one, and from there on the rest is kept. The only model has period `n * 2^n`.
//!
//! None of our papers prints these formulas: the general form is that of the instances `counter`
//! and `counterLinear` in the collection \[SD11\], with `m` for its `a`.

use super::Family;
use super::counter::{BITS, LINEAR, marked, zeros};
use super::pen::{Term, all, write};
use crate::store::{Formula, Store};

/// `counter2[-linear] BITS`.
pub const FAMILY: Family = Family {
    name: "counter2",
    suffixes: &[LINEAR],
    summary: "a binary counter in two propositions: marker and bit",
    parameters: &[BITS],
    paper: "RV07",
    build: |store, instance| counter2(store, instance.size(0), instance.has(0)),
};

/// The counter without a carry.
///
/// # Panics
/// Without bits.
pub fn counter2(store: &mut Store, bits: usize, linear: bool) -> Formula {
    assert!(bits > 0, "a counter has a bit");
    write(store, |pen| {
        let [m, b] = ["m", "b"].map(|name| pen.named(name));
        let mut parts = vec![m, marked(m, bits, linear).globally()];
        parts.extend(zeros(b, bits, linear));
        parts.extend(increment(m, b, bits, linear).map(Term::globally));
        all(parts)
    })
}

/// What becomes of even values and of odd ones.
fn increment<'p>(m: Term<'p>, b: Term<'p>, bits: usize, linear: bool) -> [Term<'p>; 2] {
    // The bit of the next value, and the formula from the next bit of this value on.
    let becomes = |bit: Term<'p>, rest: Term<'p>| match linear {
        true => vec![(bit.next_by(bits - 1) & rest).next()],
        false => vec![bit.next_by(bits), rest.next()],
    };
    let same = |bit: Term<'p>| bit.implies(bit.next_by(bits));
    let keep = ((!m & same(b)) & same(!b)).until(m);
    let last = all([!m & !b].into_iter().chain(becomes(b, keep)));
    let ripple = ((b & !m) & (!b).next_by(bits)).until(m | last);
    let even = (m & !b).implies(all(becomes(b, keep)));
    let odd = (m & b).implies(all(becomes(!b, ripple)));
    [even, odd]
}
