//! Dining philosophers as a conjunction of many small constraints \[Dij71\].
//!
//! Each philosopher `i` is thinking (`t<i>`), hungry (`h<i>`) or eating (`e<i>`), one of the three.
//! Neighbours do not eat at the same time. All philosophers may change at each position, from
//! thinking to hungry to eating to thinking, so a state has exponentially many successors. Every
//! hungry philosopher eats eventually, and every philosopher is hungry infinitely often. `-greedy`
//! adds that no philosopher thinks while both neighbours think.

use super::pen::{Pen, Term, all, any, write};
use super::{Family, Parameter, ParameterKind, Suffix};
use crate::store::{Formula, Store};

/// `diners[-greedy] SEATS`.
pub const FAMILY: Family = Family {
    name: "diners",
    suffixes: &[Suffix { name: "greedy", help: "no three neighbours think at the same time" }],
    summary: "philosophers at a round table, who think, are hungry and eat",
    parameters: &[Parameter {
        name: "SEATS",
        kind: ParameterKind::Number { least: 2, most: 2_000 },
        default: None,
        help: "how many philosophers",
    }],
    paper: "Dij71",
    build: |store, instance| diners(store, instance.size(0), instance.has(0)),
};

/// The specification of a table.
///
/// # Panics
/// With fewer than two seats.
pub fn diners(store: &mut Store, seats: usize, greedy: bool) -> Formula {
    assert!(seats >= 2, "a philosopher has a neighbour");
    write(store, |pen| all(Table::new(pen, seats).parts(greedy)))
}

/// The propositions, by the seat.
struct Table<'p> {
    thinking: Vec<Term<'p>>,
    hungry: Vec<Term<'p>>,
    eating: Vec<Term<'p>>,
}

impl<'p> Table<'p> {
    fn new(pen: &'p Pen, seats: usize) -> Self {
        let [thinking, hungry, eating] = ["t", "h", "e"].map(|stem| pen.numbered(stem, 0..seats));
        Table { thinking, hungry, eating }
    }

    fn parts(&self, greedy: bool) -> Vec<Term<'p>> {
        let seats = self.thinking.len();
        let mut parts: Vec<Term<'p>> = self.thinking.iter().copied().take(seats.min(2)).collect();
        for i in 0..seats {
            let [t, h, e] = [self.thinking[i], self.hungry[i], self.eating[i]];
            let right = (i + 1) % seats;
            let always = [
                any([t, h, e]),
                !(t & h),
                !(t & e),
                !(h & e),
                !(e & self.eating[right]),
                t.implies((t | h).next()),
                h.implies((h | e).next()),
                e.implies((e | t).next()),
                h.implies(e.finally()),
            ];
            parts.extend(always.into_iter().map(Term::globally));
            parts.push(h.recurs());
            if greedy {
                let left = (i + seats - 1) % seats;
                let both = self.thinking[left] & self.thinking[right];
                parts.push((both.implies(!t)).globally());
            }
        }
        parts
    }
}
