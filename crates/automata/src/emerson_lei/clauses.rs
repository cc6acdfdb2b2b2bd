//! Conditions without `Fin` as generalised Büchi conditions.
//!
//! Such a condition is a conjunction of clauses, each a disjunction of `Inf`s. One of finitely many
//! sets is visited infinitely often exactly if their union is, so a clause is one mark, on every
//! transition that is in one of its sets.

use std::collections::BTreeSet;

use super::condition::Condition;
use crate::tgba::Marks;

/// The largest number of `Inf`s that are written while clauses are computed.
const MOST_WORK: usize = 1 << 20;
/// The largest number of clauses that are compared with each other.
const FEW_CLAUSES: usize = 256;

/// A disjunction of `Inf`s: sets.
pub(crate) type Clause = BTreeSet<usize>;

impl Condition {
    /// The clauses of a condition without `Fin`, unless there are too many. A condition that is
    /// always satisfied has none; one that never is has an empty one.
    pub(crate) fn clauses(&self) -> Option<Vec<Clause>> {
        let mut left = MOST_WORK;
        let leaf = |leaf: Result<usize, bool>| match leaf {
            Ok(set) => BTreeSet::from([Clause::from([set])]),
            Err(true) => BTreeSet::new(),
            Err(false) => BTreeSet::from([Clause::new()]),
        };
        let clauses = self.fold(leaf, |conjunction, operands| {
            let mut operands = operands.into_iter();
            let first = operands.next()?;
            match conjunction {
                true => Some(operands.fold(first, both)),
                false => operands.try_fold(first, |a, b| either(a, b, &mut left)),
            }
        });
        Some(without_weaker(clauses?))
    }
}

/// The marks of a transition that is in these sets: the clauses that have one of them.
pub(crate) fn satisfied(clauses: &[Clause], sets: &Marks) -> Marks {
    let meets = |clause: &Clause| clause.iter().any(|&set| sets.contains(set));
    clauses.iter().enumerate().filter(|(_, clause)| meets(clause)).map(|(mark, _)| mark).collect()
}

/// Whether every run that satisfies all clauses of the one satisfies those of the other.
pub(super) fn imply(clauses: &[Clause], others: &[Clause]) -> bool {
    others.iter().all(|weak| clauses.iter().any(|strong| strong.is_subset(weak)))
}

/// The union of two sets, reusing the larger one.
fn both<T: Ord>(mut a: BTreeSet<T>, mut b: BTreeSet<T>) -> BTreeSet<T> {
    if a.len() < b.len() {
        std::mem::swap(&mut a, &mut b);
    }
    a.extend(b);
    a
}

/// All disjunctions of a clause of the one and a clause of the other, unless that is too much work.
fn either(
    mut a: BTreeSet<Clause>,
    mut b: BTreeSet<Clause>,
    left: &mut usize,
) -> Option<BTreeSet<Clause>> {
    let size = |clauses: &BTreeSet<Clause>| clauses.iter().map(BTreeSet::len).sum::<usize>();
    // Long disjunctions of single sets are common, and need not be copied at each step.
    let alone = a.len() == 1 && b.len() == 1;
    let work = match alone {
        true => size(&a).min(size(&b)),
        false => size(&a) * b.len() + size(&b) * a.len(),
    };
    *left = left.checked_sub(work)?;
    Some(match (alone, a.pop_first(), b.pop_first()) {
        (true, Some(a), Some(b)) => BTreeSet::from([both(a, b)]),
        (_, first, second) => {
            a.extend(first);
            b.extend(second);
            a.iter().flat_map(|a| b.iter().map(move |b| a | b)).collect()
        }
    })
}

/// Clauses that are not implied by others. With many clauses, implied ones are kept.
fn without_weaker(clauses: BTreeSet<Clause>) -> Vec<Clause> {
    if clauses.len() > FEW_CLAUSES {
        return clauses.into_iter().collect();
    }
    let implied =
        |clause: &Clause| clauses.iter().any(|other| other != clause && other.is_subset(clause));
    clauses.iter().filter(|clause| !implied(clause)).cloned().collect()
}
