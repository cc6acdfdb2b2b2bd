//! Merges states of a Büchi automaton by *delayed* simulation.
//!
//! A state `r` simulates `q` with delay if it matches every step of `q` such that whenever the run
//! from `q` is in an accepting state, the run from `r` is in one at that moment or later \[EWS05\].
//! Direct simulation demands it at that moment, so it distinguishes states that wait for the same
//! mark at different levels. Two states that simulate each other with delay can be one state, which
//! has the transitions of both and accepts if one of them does. Transitions that others exceed with
//! delay must stay: a run that takes the better one each time may delay for ever.
//!
//! The relation is a game with two kinds of pairs: `free` ones, and those with an open *debt*: `q`
//! was accepting and `r` has not been since. Pairs with a debt form a least fixpoint inside of the
//! greatest one, because each debt is paid after finitely many steps.

use kermode_base::BitSet;
use kermode_bdd::OutOfNodes;

use super::letter_classes::{ClassSets, LetterClasses};
use crate::tgba::graph::{Marks, State, Tgba};

/// The largest number of pairs that are checked, repetitions included.
const MOST_CHECKS: usize = 1 << 20;

/// The automaton with one state for each class of states that simulate each other with delay. Its
/// only mark is on states, before and after.
pub(super) fn merged_with_delay<E: From<OutOfNodes>>(
    automaton: &Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let classes = LetterClasses::for_comparison(automaton, interrupt)?;
    let game = Game::of(automaton, &classes);
    if game.accepting.iter().all(|&accepts| accepts) {
        // Then it is direct simulation.
        return Ok(automaton.clone());
    }
    let Some(free) = game.solve(interrupt)? else { return Ok(automaton.clone()) };
    let is_simulated = |q: State, r: State| free[q.index()].contains(r.index());
    let chosen: Vec<State> = automaton
        .states()
        .map(|q| {
            let mut equals = automaton.states().filter(|&r| is_simulated(q, r));
            equals.find(|&r| is_simulated(r, q)).expect("a state simulates itself")
        })
        .collect();
    let mut merged = automaton.sibling_with_states(automaton.mark_count());
    for (source, t) in automaton.transitions() {
        let [source, target] = [source, t.target].map(|state| chosen[state.index()]);
        merged.add_transition(source, target, t.label.clone(), Marks::new());
    }
    merged.merge_transitions()?;
    for state in automaton.states().filter(|&state| automaton.is_accepting(state)) {
        merged.mark_all(chosen[state.index()], &automaton.all_marks());
    }
    let initial = automaton.initial();
    for &state in initial {
        let exceeds = |&other: &State| is_simulated(state, other) && !is_simulated(other, state);
        if !initial.iter().any(exceeds) {
            merged.add_initial(chosen[state.index()]);
        }
    }
    Ok(merged.restricted(|state| chosen[state.index()] == state))
}

/// For each state those that are in a relation with it.
type Pairs = Vec<BitSet>;

struct Game<'a> {
    /// The letters and targets of the transitions of each state.
    steps: Vec<Vec<(&'a ClassSets, usize)>>,
    accepting: Vec<bool>,
}

impl<'a> Game<'a> {
    fn of(automaton: &Tgba, classes: &'a LetterClasses) -> Self {
        let steps = |state| {
            let transitions = automaton.successors(state).iter();
            transitions.map(|t| (classes.of_label(&t.label), t.target.index())).collect()
        };
        Game {
            steps: automaton.states().map(steps).collect(),
            accepting: automaton.states().map(|state| automaton.is_accepting(state)).collect(),
        }
    }

    /// The free pairs from which every step can be matched for ever, unless that takes long.
    fn solve<E>(&self, interrupt: &mut dyn FnMut() -> Result<(), E>) -> Result<Option<Pairs>, E> {
        let states = self.steps.len();
        let mut free: Pairs = vec![(0..states).collect(); states];
        let mut checks = 0;
        loop {
            let paid = self.paid(&free, &mut checks, interrupt)?;
            let before = free.clone();
            self.strike_out(&mut free, &paid, &mut checks, interrupt)?;
            if checks > MOST_CHECKS {
                return Ok(None);
            }
            if free == before {
                return Ok(Some(free));
            }
        }
    }

    /// Removes free pairs that do not match, or lead to a debt that cannot be paid.
    fn strike_out<E>(
        &self,
        free: &mut Pairs,
        paid: &Pairs,
        checks: &mut usize,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut changed = true;
        while changed && *checks <= MOST_CHECKS {
            changed = false;
            // Successors usually have larger numbers.
            for q in (0..free.len()).rev() {
                interrupt()?;
                *checks += free[q].len();
                let stays = |&r: &usize| match self.accepting[q] && !self.accepting[r] {
                    true => paid[q].contains(r),
                    false => self.matches(q, r, free),
                };
                let kept: BitSet = free[q].iter().filter(stays).collect();
                changed |= kept != free[q];
                free[q] = kept;
            }
        }
        Ok(())
    }

    /// The pairs with a debt that can be paid and then lead to free pairs only.
    fn paid<E>(
        &self,
        free: &Pairs,
        checks: &mut usize,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Pairs, E> {
        let mut paid: Pairs = vec![BitSet::new(); free.len()];
        let mut changed = true;
        while changed && *checks <= MOST_CHECKS {
            changed = false;
            for q in (0..free.len()).rev() {
                interrupt()?;
                *checks += free[q].len();
                let pays = |&r: &usize| {
                    let next = if self.accepting[r] { free } else { &paid };
                    paid[q].contains(r) || self.matches(q, r, next)
                };
                let more: BitSet = free[q].iter().filter(pays).collect();
                changed |= more != paid[q];
                paid[q] = more;
            }
        }
        Ok(paid)
    }

    /// Whether `r` has for each step of `q` one on the same letter into the relation.
    fn matches(&self, q: usize, r: usize, relation: &Pairs) -> bool {
        self.steps[q].iter().all(|&(letters, target)| {
            let mut open = letters.needed.clone();
            for &(answer, end) in &self.steps[r] {
                if relation[target].contains(end) {
                    open.subtract(&answer.covered);
                    if open.is_empty() {
                        return true;
                    }
                }
            }
            false
        })
    }
}
