//! Generalised Büchi automata: the graph itself.

use kermode_automata::tgba::{Components, Marks, State, Tgba, reachable, trim};
use kermode_bdd::{Bdd, Capacity, Manager, Variable};
use kermode_ltl::Store;

/// An automaton over `a` and `b` with so many states and marks, and the functions of both.
fn automaton(states: usize, marks: usize) -> (Tgba, [Bdd; 2]) {
    let mut store = Store::new();
    let propositions = ["a", "b"].map(|name| store.proposition(name));
    let manager = Manager::new(Capacity::small(2)).expect("a small manager");
    let variable = |number| manager.variable(Variable(number)).expect("a node");
    let variables = [0, 1].map(variable);
    let mut automaton = Tgba::new(manager, propositions.to_vec(), marks);
    for _ in 0..states {
        automaton.add_state();
    }
    (automaton, variables)
}

fn state(index: usize) -> State {
    State::from_index(index)
}

fn marks<const N: usize>(marks: [usize; N]) -> Marks {
    marks.into_iter().collect()
}

#[test]
fn parallel_transitions_become_one() {
    let (mut automaton, [a, b]) = automaton(2, 2);
    let (not_a, not_b) = (a.not().unwrap(), b.not().unwrap());
    let mut add = |target, label: &Bdd, marks| {
        automaton.add_transition(state(0), state(target), label.clone(), marks);
    };
    add(0, &a, marks([0]));
    add(0, &not_a, marks([0]));
    add(1, &a, marks([0]));
    add(1, &a.and(&b).unwrap(), marks([1]));
    add(1, &a.and(&not_b).unwrap(), marks([1]));
    add(1, &a.and(&not_a).unwrap(), marks([0, 1]));
    assert_eq!((automaton.transitions().count(), automaton.edge_count()), (5, 3));
    automaton.merge_transitions().unwrap();
    assert_eq!((automaton.transitions().count(), automaton.edge_count()), (2, 2));
    let [stay, leave] = automaton.successors(state(0)) else { panic!("two are left") };
    assert!(stay.label.is_top() && stay.marks == marks([0]));
    assert!(leave.label == a && leave.marks == marks([0, 1]));
}

/// A component for each way to be one: accepting, with one of two marks only, without a loop, unreached.
#[test]
fn what_does_not_matter_goes() {
    let (mut automaton, [a, _]) = automaton(6, 2);
    let edges: [(usize, usize, Marks); 7] = [
        (0, 1, marks([0, 1])),
        (1, 2, marks([0])),
        (2, 1, marks([1])),
        (0, 3, marks([])),
        (3, 3, marks([0])),
        (4, 1, marks([])),
        (2, 5, marks([])),
    ];
    for (source, target, marks) in edges {
        automaton.add_transition(state(source), state(target), a.clone(), marks);
    }
    automaton.set_name(state(2), "two");
    automaton.add_initial(state(0));
    automaton.add_initial(state(3));
    automaton.add_initial(state(0));
    assert_eq!(automaton.initial(), [state(0), state(3)]);
    assert_eq!(reachable(&automaton), [true, true, true, true, false, true]);

    let components = Components::of(&automaton);
    assert_eq!(components.len(), 5);
    assert!(components.are_together(state(1), state(2)));
    let accepting = |index| components.is_accepting(components.component(state(index)));
    assert_eq!([0, 1, 3, 4, 5].map(accepting), [false, true, false, false, false]);

    let trimmed = trim(&automaton);
    assert_eq!((trimmed.state_count(), trimmed.edge_count()), (3, 3));
    assert_eq!(trimmed.initial(), [state(0)]);
    assert_eq!(trimmed.name(state(2)), Some("two"));
}

#[test]
#[should_panic(expected = "marks are below their count")]
fn a_mark_that_is_not_there_is_a_bug() {
    let (mut automaton, [a, _]) = automaton(1, 1);
    automaton.add_transition(state(0), state(0), a, marks([1]));
}
