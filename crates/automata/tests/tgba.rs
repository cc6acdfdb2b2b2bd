//! Generalised Büchi automata: the graph itself, and what is made of it against brute force.

use std::collections::BTreeSet;

use kermode_automata::tgba::{
    Buchi, Components, Marks, RandomTgba, State, Tgba, TgbaStatistics, accepts, degeneralise,
    intersection, reachable, to_alternating, to_dot, trim, union,
};
use kermode_base::{Natural, Rng};
use kermode_bdd::{Bdd, CannotStart, Capacity, Manager, OutOfNodes, Variable};
use kermode_ltl::random::random_word;
use kermode_ltl::{Letter, Proposition, Store, Word, WordKind};

mod accepted;
mod snapshot;
use snapshot::matches_snapshot;

/// Why an operation of a test may fail; it never does.
#[derive(Debug)]
struct NoRoom;

impl From<OutOfNodes> for NoRoom {
    fn from(_: OutOfNodes) -> NoRoom {
        NoRoom
    }
}

impl From<CannotStart> for NoRoom {
    fn from(_: CannotStart) -> NoRoom {
        NoRoom
    }
}

fn go_on() -> Result<(), NoRoom> {
    Ok(())
}

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

/// A component for each way to be one: accepting, with one of two marks only, without a loop,
/// unreached.
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

/// A path through the automaton: where it begins and ends, and the marks it has seen.
type Path = (usize, usize, u32);

/// The paths of one letter.
fn steps(automaton: &Tgba, letter: &Letter) -> BTreeSet<Path> {
    let reads = automaton.transitions().filter(|(_, t)| automaton.reads(&t.label, letter));
    let marks = |marks: &Marks| marks.iter().fold(0, |mask, mark| mask | 1 << mark);
    reads.map(|(s, t)| (s.index(), t.target.index(), marks(&t.marks))).collect()
}

/// The paths that are made of one of these and one of those.
fn composed(these: &BTreeSet<Path>, those: &BTreeSet<Path>) -> BTreeSet<Path> {
    let mut paths = BTreeSet::new();
    for &(from, middle, first) in these {
        let onward = those.iter().filter(|path| path.0 == middle);
        paths.extend(onward.map(|&(_, to, second)| (from, to, first | second)));
    }
    paths
}

/// By the definition: some path reads the prefix and the loop a few times and comes back to where
/// it is on a path with all marks that reads the loop a few times. All paths are listed.
fn is_accepted_by_brute_force(automaton: &Tgba, word: &Word) -> bool {
    let read = |letters: &[Letter]| {
        let nowhere = (0..automaton.state_count()).map(|s| (s, s, 0)).collect::<BTreeSet<Path>>();
        letters.iter().fold(nowhere, |paths, l| composed(&paths, &steps(automaton, l)))
    };
    let round = read(word.cycle());
    let mut rounds = round.clone();
    loop {
        let more: BTreeSet<Path> = composed(&rounds, &round).union(&rounds).copied().collect();
        if more == rounds {
            break;
        }
        rounds = more;
    }
    let prefix = read(word.prefix());
    let arrivals: BTreeSet<Path> = composed(&prefix, &rounds).union(&prefix).copied().collect();
    let begins = |state: usize| automaton.initial().contains(&State::from_index(state));
    let all = (1 << automaton.mark_count()) - 1;
    let returns = |state: usize| rounds.contains(&(state, state, all));
    arrivals.iter().any(|&(from, to, _)| begins(from) && returns(to))
}

fn is_accepted(automaton: &Tgba, word: &Word) -> bool {
    accepts(automaton, word, &mut go_on).expect("no interruption")
}

/// Random automata over `a` and `b`.
struct Source {
    rng: Rng,
    manager: Manager,
    letters: Vec<Proposition>,
}

impl Source {
    fn new(seed: u64) -> Source {
        let mut store = Store::new();
        let letters = ["a", "b"].map(|name| store.proposition(name)).to_vec();
        let manager = Manager::new(Capacity::small(2)).expect("a small manager");
        Source { rng: Rng::new(seed), manager, letters }
    }

    fn draw(&mut self) -> Tgba {
        let shape = RandomTgba {
            states: self.rng.between(1, 5),
            marks: self.rng.below(4),
            propositions: self.letters.clone(),
            transitions: 3,
        };
        shape.draw(&self.manager, &mut self.rng).expect("room for labels")
    }

    fn words(&mut self, count: usize) -> Vec<Word> {
        let (letters, words) = (self.letters.clone(), WordKind::Infinite);
        (0..count).map(|_| random_word(&mut self.rng, &letters, words, 3, 4)).collect()
    }
}

#[test]
fn membership_and_brute_force_agree() {
    let mut source = Source::new(1);
    let mut verdicts = [0, 0];
    for _ in 0..1_500 {
        let automaton = source.draw();
        for word in source.words(6) {
            let expected = is_accepted_by_brute_force(&automaton, &word);
            assert_eq!(is_accepted(&automaton, &word), expected, "{word:?} {automaton:?}");
            verdicts[usize::from(expected)] += 1;
        }
        assert!(!is_accepted(&automaton, &Word::finite(Vec::new())));
    }
    assert!(verdicts.iter().all(|&count| count > 500), "{verdicts:?}");
}

/// Merging, trimming and degeneralisation keep the language; so does the way to alternating
/// automata.
#[test]
fn other_forms_accept_the_same_words() {
    let mut source = Source::new(2);
    for _ in 0..600 {
        let automaton = source.draw();
        let on_transitions =
            degeneralise(&automaton, Buchi::OnTransitions, &mut go_on).expect("no interruption");
        let on_states =
            degeneralise(&automaton, Buchi::OnStates, &mut go_on).expect("no interruption");
        assert!(on_states.is_state_based());
        let mut merged = automaton.clone();
        merged.merge_transitions().expect("room for labels");
        assert!(merged.transitions().count() == merged.edge_count());
        let trimmed = trim(&automaton);
        assert!(trimmed.state_count() <= automaton.state_count());
        let alternating = to_alternating(&automaton, &mut go_on).expect("no interruption");
        for word in source.words(8) {
            let expected = is_accepted(&automaton, &word);
            for (form, other) in [
                ("transitions", &on_transitions),
                ("states", &on_states),
                ("merged", &merged),
                ("trimmed", &trimmed),
            ] {
                assert_eq!(is_accepted(other, &word), expected, "{form} {word:?} {automaton:?}");
            }
            assert_eq!(accepted::is_accepted(&alternating, &word), expected);
        }
    }
}

#[test]
fn products_and_unions() {
    let mut source = Source::new(3);
    for _ in 0..400 {
        let (a, b) = (source.draw(), source.draw());
        let both = intersection(&a, &b, &mut go_on).expect("room for labels");
        let either = union::<NoRoom>(&a, &b).expect("room for labels");
        for word in source.words(8) {
            let [of_a, of_b] = [&a, &b].map(|automaton| is_accepted(automaton, &word));
            assert_eq!(is_accepted(&both, &word), of_a && of_b, "{word:?} {a:?} {b:?}");
            assert_eq!(is_accepted(&either, &word), of_a || of_b, "{word:?} {a:?} {b:?}");
        }
    }
}

/// Automata with different propositions, each in a manager of its own, meet in a third one.
#[test]
fn automata_over_different_letters_are_combined() {
    let mut store = Store::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| store.proposition(name));
    let always = |propositions: [Proposition; 2]| {
        let manager = Manager::new(Capacity::small(2)).expect("a small manager");
        let label = manager.variable(Variable(1)).expect("a node");
        let mut automaton = Tgba::new(manager, propositions.to_vec(), 0);
        let state = automaton.add_state();
        automaton.add_initial(state);
        automaton.add_transition(state, state, label, Marks::new());
        automaton
    };
    let (always_b, always_c) = (always([a, b]), always([b, c]));
    let both = intersection(&always_b, &always_c, &mut go_on).expect("room for labels");
    let either = union::<NoRoom>(&always_b, &always_c).expect("room for labels");
    assert_eq!(both.propositions(), [a, b, c]);
    for (letter, in_both, in_either) in
        [(vec![b, c], true, true), (vec![c, a], false, true), (vec![a], false, false)]
    {
        let word = Word::lasso(Vec::new(), vec![letter.into_iter().collect()]);
        assert_eq!((is_accepted(&both, &word), is_accepted(&either, &word)), (in_both, in_either));
    }
}

/// One state with a loop for each of `n` propositions: the levels are as many as the marks, and
/// those that a transition has in a row are skipped.
#[test]
fn levels() {
    let (mut gf, [a, b]) = automaton(1, 2);
    gf.add_initial(state(0));
    let (not_a, not_b) = (a.not().unwrap(), b.not().unwrap());
    for (label, seen) in [
        (a.and(&b).unwrap(), marks([0, 1])),
        (a.and(&not_b).unwrap(), marks([0])),
        (not_a.and(&b).unwrap(), marks([1])),
        (not_a.and(&not_b).unwrap(), marks([])),
    ] {
        gf.add_transition(state(0), state(0), label, seen);
    }
    let sizes = |form| {
        let degeneral = degeneralise(&gf, form, &mut go_on).unwrap();
        (degeneral.state_count(), degeneral.mark_count())
    };
    assert_eq!(sizes(Buchi::OnTransitions), (2, 1));
    assert_eq!(sizes(Buchi::OnStates), (3, 1));
    let statistics = TgbaStatistics::of(&gf).unwrap();
    let expected = TgbaStatistics {
        states: 1,
        edges: 4,
        transitions: Natural::from(4u64),
        marks: 2,
        propositions: 2,
        components: 1,
        accepting_components: 1,
        nondeterministic_states: 0,
        deterministic: true,
        complete: true,
        weak: false,
        inherently_weak: false,
        very_weak: false,
        terminal: false,
    };
    assert_eq!(statistics, expected);
}

/// `F a` as a chain of two states: what a run waits for is on all transitions of the last state.
#[test]
fn shapes() {
    let (mut finally, [a, b]) = automaton(2, 1);
    let top = a.or(&a.not().unwrap()).unwrap();
    finally.add_initial(state(0));
    finally.add_transition(state(0), state(0), a.not().unwrap(), marks([]));
    finally.add_transition(state(0), state(1), a.clone(), marks([]));
    finally.add_transition(state(1), state(1), top, marks([0]));
    let shape = |automaton: &Tgba| {
        let s = TgbaStatistics::of(automaton).unwrap();
        [s.deterministic, s.complete, s.weak, s.inherently_weak, s.very_weak, s.terminal]
    };
    assert_eq!(shape(&finally), [true; 6]);
    // The label of the last state is no longer true.
    let mut partial = finally.clone();
    partial.take_transitions(state(1));
    partial.add_transition(state(1), state(1), b.clone(), marks([0]));
    assert_eq!(shape(&partial), [true, false, true, true, true, false]);
    // Two states of which one has the mark: each cycle has it.
    let mut inherently = partial.clone();
    inherently.add_transition(state(1), state(0), b.not().unwrap(), marks([0]));
    inherently.take_transitions(state(0));
    inherently.add_transition(state(0), state(1), a.clone(), marks([]));
    assert_eq!(shape(&inherently), [true, false, false, true, false, false]);
    // A second way.
    inherently.add_transition(state(0), state(0), a, marks([]));
    assert_eq!(shape(&inherently), [false, false, false, false, false, false]);
}

/// The labels of edges that differ in nothing else are joined before they are counted.
#[test]
fn edges_and_transitions_are_counted_as_others_do() {
    let (mut automaton, [a, b]) = automaton(1, 1);
    automaton.add_transition(state(0), state(0), a.clone(), marks([0]));
    automaton.add_transition(state(0), state(0), b, marks([0]));
    automaton.add_transition(state(0), state(0), a, marks([]));
    let statistics = TgbaStatistics::of(&automaton).unwrap();
    assert_eq!((statistics.edges, statistics.transitions), (2, Natural::from(5u64)));
}

#[test]
fn pictures() {
    let mut store = Store::new();
    let propositions = ["a", "b"].map(|name| store.proposition(name));
    let (mut automaton, [a, b]) = automaton(2, 2);
    assert_eq!(automaton.propositions(), propositions);
    automaton.add_initial(state(0));
    automaton.set_name(state(1), "\"b\" seen");
    automaton.add_transition(state(0), state(1), a.xor(&b).unwrap(), marks([1]));
    automaton.add_transition(state(1), state(0), a.or(&a.not().unwrap()).unwrap(), marks([0, 1]));
    automaton.add_transition(state(0), state(0), a.and(&b).unwrap(), marks([]));
    let buchi = degeneralise(&automaton, Buchi::OnStates, &mut go_on).unwrap();
    let mut parallel = automaton.clone();
    parallel.add_transition(state(0), state(1), a.clone(), marks([0]));
    parallel.add_transition(state(0), state(1), b.clone(), marks([0]));
    parallel.add_initial(state(1));
    let mut on_states = automaton.sibling(12);
    for _ in 0..2 {
        on_states.add_state();
    }
    on_states.add_transition(state(0), state(1), a, marks([3, 11]));
    on_states.add_transition(state(1), state(0), b, marks([]));
    let pictures = [&automaton, &buchi, &parallel, &on_states];
    matches_snapshot("tgba.dot", &pictures.map(|automaton| to_dot(&store, automaton)).concat());
}
