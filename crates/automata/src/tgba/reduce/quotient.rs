//! Merges states that simulate each other, and removes transitions that others make redundant.
//!
//! Of states that simulate each other one is kept, and the transitions to the others lead to it.
//! Then simulation is a partial order. Of the transitions of a state on a letter, only those matter
//! that no other one exceeds: a transition with at least its marks to a state that simulates its
//! target. The label of a transition loses the letters on which it is exceeded.
//!
//! For reverse simulation all of this holds with transitions reversed: the transitions that *enter*
//! one of the states are kept, and of the transitions into a state those from simulated states are
//! dropped.

use kermode_bdd::OutOfNodes;

use super::simulation::{Simulation, StepDirection};
use crate::tgba::graph::{State, Tgba, Transition};

/// A transition with its source.
type Arc = (State, Transition);

/// The automaton with one state for each class of a simulation; its language is the same.
pub(super) fn quotient<E: From<OutOfNodes>>(
    automaton: &Tgba,
    simulation: &Simulation,
    time: StepDirection,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    let chosen = representatives(automaton, simulation, time);
    let is_chosen = |state: State| chosen[state.index()] == state;
    let mut arcs: Vec<Arc> = Vec::new();
    for (source, transition) in automaton.transitions() {
        if is_chosen(time.ends(source, transition.target).0) {
            let target = chosen[transition.target.index()];
            arcs.push((chosen[source.index()], Transition { target, ..transition.clone() }));
        }
    }
    let mut merged = automaton.sibling_with_states(automaton.mark_count());
    add_greatest(&mut merged, arcs, simulation, time, interrupt)?;
    initial(automaton, &chosen, simulation, time).for_each(|state| merged.add_initial(state));
    merged.merge_transitions()?;
    Ok(merged.restricted(is_chosen))
}

/// The representative of each state: a member of its class with few transitions.
fn representatives(automaton: &Tgba, simulation: &Simulation, time: StepDirection) -> Vec<State> {
    let mut steps = vec![0; automaton.state_count()];
    for (source, transition) in automaton.transitions() {
        steps[time.ends(source, transition.target).0.index()] += 1;
    }
    let choose = |state| {
        let fewest = simulation.equals(state).min_by_key(|s| (steps[s.index()], s.index()));
        fewest.expect("a state simulates itself")
    };
    automaton.states().map(choose).collect()
}

/// Adds the transitions, each on the letters on which no other exceeds it.
fn add_greatest<E: From<OutOfNodes>>(
    merged: &mut Tgba,
    arcs: Vec<Arc>,
    simulation: &Simulation,
    time: StepDirection,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<(), E> {
    let ends = |(source, transition): &Arc| time.ends(*source, transition.target);
    let mut groups: Vec<Vec<&Arc>> = vec![Vec::new(); merged.state_count()];
    arcs.iter().for_each(|arc| groups[ends(arc).0.index()].push(arc));
    let exceeds = |better: &Arc, arc: &Arc| {
        let (worse_end, better_end) = (ends(arc).1, ends(better).1);
        (worse_end != better_end || arc.1.marks != better.1.marks)
            && arc.1.marks.is_subset(&better.1.marks)
            && simulation.is_simulated(worse_end, better_end)
    };
    for arc in &arcs {
        interrupt()?;
        let mut label = arc.1.label.clone();
        let group = &groups[ends(arc).0.index()];
        for better in group.iter().filter(|better| exceeds(better, arc)) {
            label = label.and_not(&better.1.label)?;
        }
        merged.add_transition(arc.0, arc.1.target, label, arc.1.marks.clone());
    }
    Ok(())
}

/// The initial states that no other initial state simulates.
fn initial<'a>(
    automaton: &'a Tgba,
    chosen: &'a [State],
    simulation: &'a Simulation,
    time: StepDirection,
) -> impl Iterator<Item = State> + 'a {
    let states = automaton.initial().iter().map(|state| chosen[state.index()]);
    states.clone().filter(move |&state| {
        let better = |other: State| other != state && simulation.is_simulated(state, other);
        time == StepDirection::Reverse || !states.clone().any(better)
    })
}
