//! Does an automaton accept a word? Words that engines find are replayed with this module, so it
//! shares no code with engines: no sets of locations, no diagrams.
//!
//! Read backwards, an alternating automaton is deterministic: the locations that accept the rest of
//! the word determine those that accept one letter more. On a finite word this starts with the
//! final locations after the last letter. On a lasso it starts with the locations that win the game
//! (`game.rs`) on the loop.

use kermode_ltl::{Letter, Word, WordKind};

use crate::alternating::AlternatingAutomaton;
use crate::game::Game;

/// Whether the automaton accepts the word. It rejects words of the other kind.
pub fn accepts<E>(
    automaton: &AlternatingAutomaton,
    word: &Word,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    if word.kind() != automaton.words() {
        return Ok(false);
    }
    let mut accepted: Vec<bool> = match word.kind() {
        WordKind::Finite => automaton.locations().map(|l| automaton.is_accepting(l)).collect(),
        WordKind::Infinite => accepted_on_loop(automaton, word.cycle(), interrupt)?,
    };
    for letter in word.prefix().iter().rev() {
        interrupt()?;
        let values = automaton.values(letter, |l| accepted[l.index()]);
        let transitions = automaton.locations().map(|l| automaton.transition(l));
        accepted = transitions.map(|delta| values[delta.index()]).collect();
    }
    let values = automaton.values(&Letter::default(), |l| accepted[l.index()]);
    Ok(values[automaton.initial().index()])
}

/// The locations from which the repeated loop is accepted.
fn accepted_on_loop<E>(
    automaton: &AlternatingAutomaton,
    cycle: &[Letter],
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<bool>, E> {
    let game = Game {
        automaton,
        length: cycle.len(),
        literal: &|position, p, positive| cycle[position].contains(p) == positive,
        location: &|_, next| next,
        greatest: &|l| automaton.is_accepting(l),
    };
    let winning = game.solve(interrupt)?;
    Ok(automaton.locations().map(|l| winning.get(automaton.transition(l), 0)).collect())
}
