//! Implications between the locations of an alternating automaton over finite words: `l` implies
//! `m` if `m` accepts every word that `l` accepts.
//!
//! The proof is by induction on the length of the word. On the empty word acceptance decides. If
//! the implications hold for a word `w`, then `l -> m` holds for `w` with a letter in front if they
//! and the transition of `l` imply the transition of `m`. A new implication may rely on those found
//! before and on itself. So they are found one by one, in passes over all pairs. Most pairs that
//! are no implications are refuted by random words first.
//!
//! Not all implications are found. Locations whose numbers are far apart are not compared if there
//! are many: the locations of `F[0,1000] a` have consecutive numbers.

use kermode_base::{BitSet, Rng};
use kermode_bdd::{Bdd, OutOfNodes};
use kermode_ltl::Letter;

use super::progression::Functions;
use crate::alternating::{AlternatingAutomaton, Location};

/// About how many pairs of locations are compared.
const MOST_PAIRS: usize = 1 << 14;
/// No implications are searched between more locations.
const MOST_LOCATIONS: usize = 1 << 10;
/// How often all pairs are tried.
const PASSES: usize = 4;
/// How many random words are tried.
const WORDS: usize = 6;
/// The length of the words beyond the number of locations: some locations reject all shorter ones.
const LENGTH: usize = 16;

/// The conjunction of implications between locations.
pub(super) fn implications<E: From<OutOfNodes>>(
    automaton: &AlternatingAutomaton,
    functions: &Functions,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Bdd, E> {
    let mut known = functions.manager.top();
    let is_small = automaton.location_count() <= MOST_LOCATIONS;
    let mut candidates = if is_small { candidates(automaton, interrupt)? } else { Vec::new() };
    for _ in 0..PASSES {
        let before = candidates.len();
        let mut open = Vec::new();
        for (l, m) in candidates {
            interrupt()?;
            let implication = functions.location(l)?.implies(&functions.location(m)?)?;
            let assumed = known.and(&implication)?;
            match assumed.and(&functions.transitions[l])?.entails(&functions.transitions[m])? {
                true => known = assumed,
                false => open.push((l, m)),
            }
        }
        candidates = open;
        if candidates.len() == before {
            break;
        }
    }
    Ok(known)
}

/// The pairs of different locations that no random word refutes.
fn candidates<E>(
    automaton: &AlternatingAutomaton,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<(usize, usize)>, E> {
    let count = automaton.location_count();
    let samples = samples(automaton, interrupt)?;
    let distance = (MOST_PAIRS / count.max(1)).max(1);
    let near = |l: usize| l.saturating_sub(distance)..count.min(l + distance + 1);
    let pairs = (0..count).flat_map(|l| near(l).map(move |m| (l, m))).filter(|(l, m)| l != m);
    let survives =
        |&(l, m): &(usize, usize)| samples.iter().all(|s| !s.contains(l) || s.contains(m));
    Ok(pairs.filter(survives).collect())
}

/// The sets of locations that accept some random words.
fn samples<E>(
    automaton: &AlternatingAutomaton,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<BitSet>, E> {
    let mut rng = Rng::new(1);
    let accepting = |&l: &Location| automaton.is_accepting(l);
    let end: BitSet = automaton.locations().filter(accepting).map(Location::index).collect();
    let mut samples = vec![end.clone()];
    for _ in 0..WORDS {
        let mut accepted = end.clone();
        for _ in 0..automaton.location_count() + LENGTH {
            interrupt()?;
            let letter: Letter =
                automaton.propositions().iter().copied().filter(|_| rng.coin()).collect();
            let values = automaton.values(&letter, |l| accepted.contains(l.index()));
            let holds = |&l: &Location| values[automaton.transition(l).index()];
            accepted = automaton.locations().filter(holds).map(Location::index).collect();
            samples.push(accepted.clone());
        }
    }
    Ok(samples)
}
