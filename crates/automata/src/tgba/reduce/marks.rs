//! Removes marks that do not matter.
//!
//! Only cycles matter for acceptance, so marks can be changed as long as each cycle accepts as
//! before:
//! - outside of accepting components, all marks are removed;
//! - inside of such a component a mark is removed if every cycle with all other marks has it. A
//!   component in which all cycles accept needs no mark. Components are independent: each numbers
//!   its own marks, and if it has fewer than others, the remaining numbers are on all of its
//!   transitions;
//! - a transition gets a mark if all cycles through it have the mark. So for each mark that a
//!   transition lacks some cycle lacks it, and states that differ in nothing else become equal.

use std::convert::Infallible;

use kermode_base::components_of_edges;

use crate::tgba::components::Components;
use crate::tgba::graph::{Marks, State, Tgba};

/// A transition inside of an accepting component: its ends by number, its component, and its marks.
struct Inner {
    source: usize,
    target: usize,
    part: usize,
    marks: Marks,
}

/// The automaton with the same states, transitions and language, and a minimal set of marks.
pub(super) fn necessary_marks(automaton: Tgba) -> Tgba {
    let parts = Components::of(&automaton);
    let states = automaton.state_count();
    let mut inner = inner(&automaton, &parts);
    let needed = needed(&automaton, &parts, &inner);
    let rejects = (0..parts.len()).any(|c| parts.is_recurrent(c) && !parts.is_accepting(c));
    let most = needed.iter().map(Marks::len).max().unwrap_or(0).max(usize::from(rejects));
    renumber(&mut inner, &needed, most);
    (0..most).for_each(|mark| saturate(states, &mut inner, mark));
    with_marks(automaton, &parts, inner, most)
}

fn is_inner(parts: &Components, source: State, target: State) -> bool {
    parts.are_together(source, target) && parts.is_accepting(parts.component(source))
}

fn inner(automaton: &Tgba, parts: &Components) -> Vec<Inner> {
    let transitions = automaton.transitions().filter(|(s, t)| is_inner(parts, *s, t.target));
    let inner = transitions.map(|(source, t)| Inner {
        source: source.index(),
        target: t.target.index(),
        part: parts.component(source),
        marks: t.marks.clone(),
    });
    inner.collect()
}

/// The necessary marks of each component, removed one after the other.
fn needed(automaton: &Tgba, parts: &Components, inner: &[Inner]) -> Vec<Marks> {
    let mut needed: Vec<Marks> = (0..parts.len())
        .map(|part| if parts.is_accepting(part) { automaton.all_marks() } else { Marks::new() })
        .collect();
    for mark in 0..automaton.mark_count() {
        for marks in &mut needed {
            marks.remove(mark);
        }
        let lacking: Vec<&Inner> = inner.iter().filter(|t| !t.marks.contains(mark)).collect();
        for (part, seen) in cycles(automaton.state_count(), &lacking) {
            if needed[part].is_subset(&seen) {
                needed[part].insert(mark);
            }
        }
    }
    needed
}

/// The components of the graph of some transitions: for each, the component of the automaton that
/// contains it, and its marks.
fn cycles(states: usize, transitions: &[&Inner]) -> Vec<(usize, Marks)> {
    let component = component_of(states, transitions);
    let mut seen: Vec<Option<(usize, Marks)>> = vec![None; states];
    for t in transitions {
        if component[t.source] == component[t.target] {
            let entry = seen[component[t.source]].get_or_insert((t.part, Marks::new()));
            entry.1.union_with(&t.marks);
        }
    }
    seen.into_iter().flatten().collect()
}

/// The components of the graph of some transitions, for each state.
fn component_of(states: usize, transitions: &[&Inner]) -> Vec<usize> {
    let edges = transitions.iter().map(|t| (t.source, t.target));
    let Ok(component) = components_of_edges(states, edges, &mut || Ok::<(), Infallible>(()));
    component
}

/// Renumbers the necessary marks below `most`, keeping their numbers where possible, and puts the
/// unused numbers on all transitions.
fn renumber(inner: &mut [Inner], needed: &[Marks], most: usize) {
    let numbers: Vec<(Vec<(usize, usize)>, Marks)> =
        needed.iter().map(|needed| numbers(needed, most)).collect();
    for t in inner {
        let (numbers, unused) = &numbers[t.part];
        let kept = numbers.iter().filter(|(mark, _)| t.marks.contains(*mark));
        let mut marks: Marks = kept.map(|&(_, number)| number).collect();
        marks.union_with(unused);
        t.marks = marks;
    }
}

/// Each necessary mark with its number, and the unused numbers.
fn numbers(needed: &Marks, most: usize) -> (Vec<(usize, usize)>, Marks) {
    let mut unused: Marks = (0..most).filter(|&mark| !needed.contains(mark)).collect();
    let mut numbers = Vec::new();
    for mark in needed.iter() {
        let number = if mark < most { Some(mark) } else { unused.iter().next() };
        let number = number.expect("there are as many numbers as marks are needed");
        unused.remove(number);
        numbers.push((mark, number));
    }
    (numbers, unused)
}

/// Adds the mark to all transitions that are on no cycle without it.
fn saturate(states: usize, inner: &mut [Inner], mark: usize) {
    let lacking: Vec<&Inner> = inner.iter().filter(|t| !t.marks.contains(mark)).collect();
    let component = component_of(states, &lacking);
    for t in inner.iter_mut().filter(|t| component[t.source] != component[t.target]) {
        t.marks.insert(mark);
    }
}

fn with_marks(
    mut automaton: Tgba,
    parts: &Components,
    inner: Vec<Inner>,
    mark_count: usize,
) -> Tgba {
    let mut inner = inner.into_iter();
    automaton.replace_marks(mark_count, |source, target| {
        let next = if is_inner(parts, source, target) { inner.next() } else { None };
        next.map(|t| t.marks).unwrap_or_default()
    });
    automaton
}
