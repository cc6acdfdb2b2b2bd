//! A chain of fairness assumptions that is hard for translators to automata, \[STV05\] section 4.6.
//!
//! Eight implications between `G F` formulas, which together imply another. As printed the lines
//! lack `&` at their ends.

use super::Family;
use super::pen::{all, write};
use crate::store::{Formula, Store};

/// `gf-chain`.
pub const FAMILY: Family = Family {
    name: "gf-chain",
    suffixes: &[],
    summary: "eight implications between GF formulas imply another: a large automaton",
    parameters: &[],
    paper: "STV05",
    build: |store, _| gf_chain(store),
};

/// The chain.
pub fn gf_chain(store: &mut Store) -> Formula {
    write(store, |pen| {
        let p = pen.numbered("p", 0..9);
        let links = [(0, 1), (2, 0), (3, 2), (4, 2), (5, 3)].map(|(i, j)| (p[i], p[j]));
        let rest = [(p[6], p[5] | p[4]), (p[7], p[6]), (p[1], p[7])];
        let links = links.into_iter().chain(rest);
        let chain = all(links.map(|(a, b)| a.recurs().implies(b.recurs())));
        chain.implies(p[8].recurs())
    })
}
