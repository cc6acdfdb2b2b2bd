//! Merges states that simulate each other, and removes transitions that others make redundant.
//!
//! Of states that simulate each other one is kept, and the transitions to the others lead to it.
//! Then simulation is a partial order. Of the transitions of a state on a letter, only those matter
//! that no other one exceeds: a transition with at least its marks to a state that simulates its
//! target. The label of a transition loses the letters on which it is exceeded.
//!
//! A transition that leaves its component is taken at most once, so its marks do not matter: it may
//! exceed transitions with more marks. Then a transition must be exceeded by one that is kept, not
//! by one that is itself exceeded: `a` with a mark, `b` that leaves, and `c` without marks may
//! exceed each other in this order, and a run that takes `c` in place of `a` again and again loses
//! the mark. So transitions to greater states come first, and only kept ones count.
//!
//! For reverse simulation all of this holds with transitions reversed: the transitions that *enter*
//! one of the states are kept, and of the transitions into a state those from simulated states are
//! dropped.

use std::cmp::Reverse;

use kermode_base::components_of_edges;
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
    mut arcs: Vec<Arc>,
    simulation: &Simulation,
    time: StepDirection,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<(), E> {
    let edges = arcs.iter().map(|(source, t)| (source.index(), t.target.index()));
    let component = components_of_edges(merged.state_count(), edges, interrupt)?;
    let stays = |(source, t): &Arc| component[source.index()] == component[t.target.index()];
    let ends = |(source, transition): &Arc| time.ends(*source, transition.target);
    let exceeds = |better: &Arc, arc: &Arc| {
        let (worse_end, better_end) = (ends(arc).1, ends(better).1);
        (worse_end != better_end || arc.1.marks != better.1.marks)
            && (!stays(better) || arc.1.marks.is_subset(&better.1.marks))
            && simulation.is_simulated(worse_end, better_end)
    };
    let below = simulation.below_counts();
    arcs.sort_by_key(|arc| Reverse((below[ends(arc).1.index()], arc.1.marks.len())));
    let mut kept: Vec<Vec<Arc>> = vec![Vec::new(); merged.state_count()];
    for arc in arcs {
        interrupt()?;
        let mut label = arc.1.label.clone();
        let group = &mut kept[ends(&arc).0.index()];
        for better in group.iter().filter(|better| exceeds(better, &arc)) {
            label = label.and_not(&better.1.label)?;
        }
        if !label.is_bottom() {
            group.push((arc.0, Transition { label, ..arc.1 }));
        }
    }
    for (source, Transition { target, label, marks }) in kept.into_iter().flatten() {
        merged.add_transition(source, target, label, marks);
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
