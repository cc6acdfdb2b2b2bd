//! The named acceptance conditions of the format, which `acc-name:` may claim.

use super::acceptance::AcceptanceItem;
use crate::emerson_lei::{Atom, Condition};
use crate::tgba::Marks;

/// The largest number of sets for which a name is checked, by all sets of visited sets.
const MOST_SETS: u64 = 10;

/// Whether the condition is the one that a name stands for; true for names that are not checked.
pub(super) fn is_right_name(name: &str, acceptance: &AcceptanceItem) -> bool {
    let words: Vec<&str> = name.split(' ').collect();
    let numbers: Option<Vec<u64>> = words[1..].iter().map(|word| word.parse().ok()).collect();
    let Some((sets, expected)) = expected(&words, numbers.as_deref()) else { return true };
    if sets != Some(acceptance.sets.value) {
        return false;
    }
    match (acceptance.plain_condition(), expected) {
        (Some(condition), Some(expected)) => {
            let visited =
                |bits: u64| (0..MOST_SETS as usize).filter(move |set| bits >> set & 1 == 1);
            let agree = |bits| {
                let visited: Marks = visited(bits).collect();
                condition.holds(&visited) == expected.holds(&visited)
            };
            (0..1 << acceptance.sets.value).all(agree)
        }
        // Complements are not in any named condition.
        (None, Some(_)) => false,
        (_, None) => true,
    }
}

/// For a known name the number of sets, and the condition if there are few of them.
fn expected(words: &[&str], numbers: Option<&[u64]>) -> Option<(Option<u64>, Option<Condition>)> {
    let inf = |set: u64| Condition::from(Atom::Inf(set as usize));
    let fin = |set: u64| Condition::from(Atom::Fin(set as usize));
    let few = |sets: Option<u64>, condition: &dyn Fn() -> Condition| {
        let is_few = sets.is_some_and(|sets| sets <= MOST_SETS);
        Some((sets, is_few.then(condition)))
    };
    match (words, numbers) {
        (["all"], _) => few(Some(0), &|| Condition::constant(true)),
        (["none"], _) => few(Some(0), &|| Condition::constant(false)),
        (["Buchi"], _) => few(Some(1), &|| inf(0)),
        (["co-Buchi"], _) => few(Some(1), &|| fin(0)),
        (["generalized-Buchi", _], Some(&[n])) => few(Some(n), &|| Condition::all((0..n).map(inf))),
        (["generalized-co-Buchi", _], Some(&[n])) => {
            few(Some(n), &|| Condition::any((0..n).map(fin)))
        }
        (["Rabin", _], Some(&[n])) => {
            let pair = |pair| Condition::all([fin(2 * pair), inf(2 * pair + 1)]);
            few(n.checked_mul(2), &|| Condition::any((0..n).map(pair)))
        }
        (["Streett", _], Some(&[n])) => {
            let pair = |pair| Condition::any([fin(2 * pair), inf(2 * pair + 1)]);
            few(n.checked_mul(2), &|| Condition::all((0..n).map(pair)))
        }
        (["generalized-Rabin", ..], Some([n, infs @ ..])) if *n == infs.len() as u64 => {
            let sets = infs.iter().try_fold(*n, |sets, more| sets.checked_add(*more));
            few(sets, &|| generalised_rabin(infs))
        }
        (["parity", least @ ("min" | "max"), wanted @ ("even" | "odd"), count], _) => {
            let sets = count.parse().ok();
            few(sets, &|| parity(sets.unwrap_or(0), *least == "min", *wanted == "even"))
        }
        _ => None,
    }
}

/// A disjunction of one `Fin` and several `Inf`s each, over consecutive sets.
fn generalised_rabin(infs: &[u64]) -> Condition {
    let mut next = 0;
    let mut set = || {
        next += 1;
        next - 1
    };
    let pairs = infs.iter().map(|&count| {
        let fin = Condition::from(Atom::Fin(set()));
        let infs: Vec<Condition> = (0..count).map(|_| Atom::Inf(set()).into()).collect();
        Condition::all(std::iter::once(fin).chain(infs))
    });
    Condition::any(pairs.collect::<Vec<_>>())
}

/// The least or greatest number of a set that is visited infinitely often has the parity. If there
/// is no such set, the innermost `Fin` or `Inf` of the format decides.
fn parity(sets: u64, min: bool, even: bool) -> Condition {
    let is_wanted = |set: u64| set.is_multiple_of(2) == even;
    let numbers: Vec<u64> = if min { (0..sets).rev().collect() } else { (0..sets).collect() };
    let mut condition = Condition::constant(numbers.first().map_or(!even, |&set| !is_wanted(set)));
    for set in numbers {
        let number = set as usize;
        condition = match is_wanted(set) {
            true => Condition::any([Atom::Inf(number).into(), condition]),
            false => Condition::all([Atom::Fin(number).into(), condition]),
        };
    }
    condition
}
