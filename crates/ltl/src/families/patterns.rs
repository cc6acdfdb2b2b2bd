//! Nine patterns, each about one or two temporal operators over `p1` to `pn` \[GH06\], \[RV11\]
//! appendix B.
//!
//! `Q` and `R` relate neighbours, so their index stops before `n`. `S` is the conjunction that
//! \[RV11\] prints; the collection \[SD11\] has a disjunction under that name, and agrees in all
//! others.

use super::pen::{Term, all, any, join, write};
use super::{Family, Instance, Parameter, ParameterKind};
use crate::store::{Formula, Store};

/// `S N`.
pub const S: Family = row("S", "all G p_i", &[SIZE], |s, i| pattern(s, Pattern::S, i.size(0)));
/// `E N`.
pub const E: Family = row("E", "all F p_i", &[SIZE], |s, i| pattern(s, Pattern::E, i.size(0)));
/// `Q N`.
pub const Q: Family =
    row("Q", "all F p_i | G p_i+1", &[PAIRS], |s, i| pattern(s, Pattern::Q, i.size(0)));
/// `U N`.
pub const U: Family =
    row("U", "(..(p_1 U p_2) U ..) U p_n", &[SIZE], |s, i| pattern(s, Pattern::U, i.size(0)));
/// `U2 N`.
pub const U2: Family =
    row("U2", "p_1 U (p_2 U (.. U p_n))", &[SIZE], |s, i| pattern(s, Pattern::U2, i.size(0)));
/// `C1 N`.
pub const C1: Family =
    row("C1", "some G F p_i", &[SIZE], |s, i| pattern(s, Pattern::C1, i.size(0)));
/// `C2 N`.
pub const C2: Family = row("C2", "all G F p_i", &[SIZE], |s, i| pattern(s, Pattern::C2, i.size(0)));
/// `R N`.
pub const R: Family =
    row("R", "all G F p_i | F G p_i+1", &[PAIRS], |s, i| pattern(s, Pattern::R, i.size(0)));
/// `R2 N`.
pub const R2: Family =
    row("R2", "(..(p_1 R p_2) R ..) R p_n", &[SIZE], |s, i| pattern(s, Pattern::R2, i.size(0)));

const SIZE: Parameter = Parameter {
    name: "N",
    kind: ParameterKind::Number { least: 1, most: 1_000_000 },
    default: None,
    help: "how many propositions",
};

const PAIRS: Parameter =
    Parameter { kind: ParameterKind::Number { least: 2, most: 1_000_000 }, ..SIZE };

const fn row(
    name: &'static str,
    summary: &'static str,
    parameters: &'static [Parameter],
    build: fn(&mut Store, &Instance) -> Formula,
) -> Family {
    Family { name, suffixes: &[], summary, parameters, paper: "RV11", build }
}

/// The names of the patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// `G p1 & .. & G pn`.
    S,
    /// `F p1 & .. & F pn`.
    E,
    /// `(F p1 | G p2) & .. & (F pn-1 | G pn)`.
    Q,
    /// `(..(p1 U p2) U ..) U pn`.
    U,
    /// `p1 U (p2 U (.. U pn))`.
    U2,
    /// `G F p1 | .. | G F pn`.
    C1,
    /// `G F p1 & .. & G F pn`.
    C2,
    /// `(G F p1 | F G p2) & .. & (G F pn-1 | F G pn)`.
    R,
    /// `(..(p1 R p2) R ..) R pn`.
    R2,
}

/// A pattern over `size` propositions.
///
/// # Panics
/// Without propositions; `Q` and `R` need two.
pub fn pattern(store: &mut Store, pattern: Pattern, size: usize) -> Formula {
    write(store, |pen| {
        let p = pen.numbered("p", 1..=size);
        let each = p.iter().copied();
        match pattern {
            Pattern::S => all(each.map(Term::globally)),
            Pattern::E => all(each.map(Term::finally)),
            Pattern::Q => neighbours(&p, |a, b| a.finally() | b.globally()),
            Pattern::U => join(each, Term::until),
            Pattern::U2 => join(each.rev(), |rest, a| a.until(rest)),
            Pattern::C1 => any(each.map(Term::recurs)),
            Pattern::C2 => all(each.map(Term::recurs)),
            Pattern::R => neighbours(&p, |a, b| a.recurs() | b.globally().finally()),
            Pattern::R2 => join(each, Term::release),
        }
    })
}

/// What is said of each two neighbours.
fn neighbours<'p>(p: &[Term<'p>], say: impl Fn(Term<'p>, Term<'p>) -> Term<'p>) -> Term<'p> {
    all(p.windows(2).map(|pair| say(pair[0], pair[1])))
}
