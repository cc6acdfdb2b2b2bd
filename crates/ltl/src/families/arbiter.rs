//! An arbiter of a bus with several masters, in the manner of the AMBA specification of
//! \[BGJPPW07\].
//!
//! Masters request the bus (`req<i>`), perhaps for a locked access (`lock<i>`). The arbiter grants
//! it to one master at a time (`grant<i>`). At positions with `ready` and `start` the granted
//! master becomes the owner (`own<i>`); otherwise the owner stays. A locked access (`locked`) lasts
//! until its owner withdraws the request. Every request is served or withdrawn, and every master
//! requests infinitely often.
//!
//! The formula has about 16 conjuncts per master and one per pair of masters. Nearly all of them
//! are needed, and in one step all masters may change their requests: the number of successors of
//! a state grows exponentially with the masters, while each word is found easily.

use super::pen::{Pen, Term, all, any, write};
use super::{Family, Parameter, ParameterKind};
use crate::store::{Formula, Store};

/// `arbiter MASTERS`.
pub const FAMILY: Family = Family {
    name: "arbiter",
    suffixes: &[],
    summary: "a bus arbiter with requests, grants and locked accesses",
    parameters: &[Parameter {
        name: "MASTERS",
        kind: ParameterKind::Number { least: 2, most: 500 },
        default: None,
        help: "how many masters",
    }],
    paper: "BGJPPW07",
    build: |store, instance| arbiter(store, instance.size(0)),
};

/// The specification of an arbiter.
///
/// # Panics
/// With fewer than two masters.
pub fn arbiter(store: &mut Store, masters: usize) -> Formula {
    assert!(masters >= 2, "an arbiter has two masters");
    write(store, |pen| all(Arbiter::new(pen, masters).parts()))
}

/// The propositions of an arbiter.
struct Arbiter<'p> {
    requests: Vec<Term<'p>>,
    locks: Vec<Term<'p>>,
    grants: Vec<Term<'p>>,
    owners: Vec<Term<'p>>,
    ready: Term<'p>,
    start: Term<'p>,
    locked: Term<'p>,
}

impl<'p> Arbiter<'p> {
    fn new(pen: &'p Pen, masters: usize) -> Self {
        let [requests, locks, grants, owners] =
            ["req", "lock", "grant", "own"].map(|stem| pen.numbered(stem, 0..masters));
        let [ready, start, locked] = ["ready", "start", "locked"].map(|name| pen.named(name));
        Arbiter { requests, locks, grants, owners, ready, start, locked }
    }

    /// The conjuncts: the first position, the arbiter as a whole, pairs of masters, each master.
    fn parts(&self) -> Vec<Term<'p>> {
        let mut parts = vec![self.grants[0], self.owners[0], !self.locked, !self.start];
        parts.extend(self.requests.iter().chain(&self.locks).map(|&term| !term));
        parts.push(self.ready.recurs());
        parts.push((!self.ready).implies(!self.start.next()).globally());
        parts.push(any(self.grants.iter().copied()).globally());
        parts.push(self.locked.implies(self.release()).globally());
        for (i, &grant) in self.grants.iter().enumerate() {
            let others = self.grants[i + 1..].iter().map(|&other| (!(grant & other)).globally());
            parts.extend(others);
        }
        (0..self.requests.len()).for_each(|master| parts.extend(self.master(master)));
        parts
    }

    /// A locked access does not start anew before its owner withdraws the request.
    fn release(&self) -> Term<'p> {
        let withdrawn = |(&owner, &request): (&Term<'p>, &Term<'p>)| owner & !request;
        let over = any(self.owners.iter().zip(&self.requests).map(withdrawn));
        ((!self.start).until(over & !self.start)).next()
    }

    /// What is demanded of one master, and for it.
    fn master(&self, i: usize) -> Vec<Term<'p>> {
        let [request, lock, grant, owner] =
            [&self.requests, &self.locks, &self.grants, &self.owners].map(|terms| terms[i]);
        let hands_over = self.ready & self.start;
        let always = [
            lock.implies(request),
            (hands_over & grant).implies(owner.next()),
            (hands_over & !grant).implies((!owner).next()),
            ((!hands_over) & owner).implies(owner.next()),
            ((!hands_over) & !owner).implies((!owner).next()),
            (hands_over & grant & lock).implies(self.locked.next()),
            (hands_over & grant & !lock).implies((!self.locked).next()),
            ((!hands_over) & owner & request).implies(self.locked.iff(self.locked.next())),
            (owner & !request).implies((!self.locked).next()),
            ((!self.start) & grant & request).implies(grant.next()),
            (!grant).implies(request.release(!grant)),
            (grant & !request).implies((!lock).next()),
            request.implies(((!request) | owner).finally()),
        ];
        let mut parts: Vec<Term<'p>> = always.into_iter().map(Term::globally).collect();
        parts.push(request.recurs());
        parts
    }
}
