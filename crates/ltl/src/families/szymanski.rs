//! Liveness of Szymanski's mutual exclusion protocol, and of Pnueli's variant of it \[STV05\],
//! \[DDMR08\] B.1.
//!
//! Each is `fairness -> goal`. A run is fair if every transition of a process is taken again and
//! again, where of the two ways out of its waiting room it takes the one that `p5` decides on; or
//! if no transition is taken for ever. The bracketed choice stands inside the big conjunction, once
//! for each of its members: so printed sizes are met. (Those printed for Pnueli 2 and 3 are
//! impossible.)
//!
//! The collection \[SD11\] has Pnueli 1 over the names of transitions:
//! `taken12 taken01 taken70 taken67 taken56 taken45 taken35 taken34 taken23 bPc1 bPc7` for `p0` to
//! `p10`.

use super::pen::{Term, all, write};
use super::{Family, Parameter, ParameterKind};
use crate::store::{Formula, Store};

/// `szymanski live|1|2|3`.
pub const FAMILY: Family = Family {
    name: "szymanski",
    suffixes: &[],
    summary: "liveness of Szymanski's mutual exclusion, and of Pnueli's variant",
    parameters: &[Parameter {
        name: "PROPERTY",
        kind: ParameterKind::Choice(&["live", "1", "2", "3"]),
        default: None,
        help: "`live`, or the number of Pnueli's property",
    }],
    paper: "DDMR08",
    build: |store, instance| szymanski(store, Property::ALL[instance.size(0)]),
};

/// What is claimed of fair runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// `G F p8`, of Szymanski's own protocol.
    Live,
    /// `G(p9 -> F p10)`, of Pnueli's.
    Pnueli1,
    /// `G(p9 & p11 -> (!p10 U p12))`.
    Pnueli2,
    /// `G(p9 & (p13 | p11) -> (!p12 U p10))`.
    Pnueli3,
}

impl Property {
    /// Every property.
    pub const ALL: [Property; 4] =
        [Property::Live, Property::Pnueli1, Property::Pnueli2, Property::Pnueli3];

    fn propositions(self) -> usize {
        match self {
            Property::Live => 9,
            Property::Pnueli1 => 11,
            Property::Pnueli2 => 13,
            Property::Pnueli3 => 14,
        }
    }
}

/// Fairness implies a property.
pub fn szymanski(store: &mut Store, property: Property) -> Formula {
    write(store, |pen| {
        let p = pen.numbered("p", 0..property.propositions());
        let fair = match property {
            Property::Live => fair(&p[..8], &[0, 1, 2, 6, 7], [3, 4]),
            _ => fair(&p[..9], &[0, 1, 2, 3, 4, 8], [7, 6]),
        };
        fair.implies(goal(&p, property))
    })
}

/// All of the transitions `always` and one of two `exits` recur, or no transition does.
fn fair<'p>(p: &[Term<'p>], always: &[usize], exits: [usize; 2]) -> Term<'p> {
    let recurs = |i: usize| p[i].recurs();
    let choice = (recurs(5) & recurs(exits[0])) | (!recurs(5) & recurs(exits[1]));
    let active = all(always.iter().flat_map(|&i| [recurs(i), choice]));
    active | all((0..p.len()).map(|i| !recurs(i)))
}

fn goal<'p>(p: &[Term<'p>], property: Property) -> Term<'p> {
    match property {
        Property::Live => p[8].recurs(),
        Property::Pnueli1 => p[9].implies(p[10].finally()).globally(),
        Property::Pnueli2 => (p[9] & p[11]).implies((!p[10]).until(p[12])).globally(),
        Property::Pnueli3 => (p[9] & (p[13] | p[11])).implies((!p[12]).until(p[10])).globally(),
    }
}
