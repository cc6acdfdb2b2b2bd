//! Every operation on automata against membership of all short words.

use std::collections::BTreeSet;

use kermode_automata::complement::needs_ranks;
use kermode_automata::liveness_to_safety::{accepting_sink, liveness_to_safety};
use kermode_automata::random::RandomAutomaton;
use kermode_automata::relabel::{Relabelled, relabel};
use kermode_automata::tgba::{
    self, Buchi, RandomTgba, SliceComplement, State, Tgba, TgbaStatistics, Uncomplemented,
    degeneralise, to_alternating,
};
use kermode_automata::{AlternatingAutomaton, Automaton, dealternate};
use kermode_base::Rng;
use kermode_bdd::{Capacity, Manager};
use kermode_ltl::random::{Operators, RandomFormula};
use kermode_ltl::rewrite::Rewriting;
use kermode_ltl::{Formula, Letter, Proposition, Store, Word, WordKind};

mod accepted;
mod lassos;
use accepted::is_accepted;
use lassos::all_words;

fn go_on() -> Result<(), Uncomplemented> {
    Ok(())
}

fn accepts(automaton: &Tgba, word: &Word) -> bool {
    tgba::accepts(automaton, word, &mut go_on).expect("no interrupt")
}

/// Propositions and all words that are compared.
struct Setting {
    store: Store,
    propositions: Vec<Proposition>,
    words: Vec<Word>,
}

impl Setting {
    fn new(propositions: usize, most: u32) -> Setting {
        let mut store = Store::new();
        let propositions: Vec<Proposition> =
            ["a", "b"].iter().take(propositions).map(|name| store.proposition(name)).collect();
        let words = all_words(&propositions, WordKind::Infinite, most);
        Setting { store, propositions, words }
    }

    fn random(&self, rng: &mut Rng, most_states: usize) -> Tgba {
        let manager = Manager::new(Capacity::small(self.propositions.len())).expect("a manager");
        let shape = RandomTgba {
            states: rng.between(1, most_states),
            marks: rng.below(3),
            propositions: self.propositions.clone(),
            transitions: 4,
        };
        shape.draw(&manager, rng).expect("room for labels")
    }

    fn of_formula(&mut self, rng: &mut Rng) -> Tgba {
        let shape = RandomFormula {
            size: rng.between(2, 9),
            propositions: self.propositions.clone(),
            operators: Operators::future(),
        };
        let formula = shape.draw(&mut self.store, rng);
        kermode_automata::of_formula::generalised(
            &mut self.store,
            formula,
            kermode_automata::translation::Level::Low,
            &Rewriting::Standard,
            &mut go_formula,
        )
        .expect("a small automaton")
    }

    fn draw(&mut self, rng: &mut Rng, round: usize) -> Tgba {
        match round % 3 {
            0 => self.of_formula(rng),
            _ => self.random(rng, 4),
        }
    }
}

/// Errors of translations, none of which occurs.
#[derive(Debug)]
struct Never;

impl<T: std::error::Error> From<T> for Never {
    fn from(error: T) -> Never {
        panic!("{error}")
    }
}

fn go_formula() -> Result<(), Never> {
    Ok(())
}

fn compare_complements(setting: &mut Setting, seed: u64, rounds: usize) {
    let mut rng = Rng::new(seed);
    let (mut deterministic, mut weak, mut others) = (0, 0, 0);
    for round in 0..rounds {
        let automaton = setting.draw(&mut rng, round);
        let shape = TgbaStatistics::of(&automaton).expect("room");
        match (shape.deterministic, shape.inherently_weak) {
            (true, _) => deterministic += 1,
            (_, true) => weak += 1,
            _ => others += 1,
        }
        let complement = tgba::complement(&automaton, &mut go_on).expect("it is small");
        let slices = SliceComplement::of(&automaton, &mut go_on).expect("room").expect("few");
        let slices = slices.written_out(&mut go_on).expect("it is small");
        for word in &setting.words {
            let expected = !accepts(&automaton, word);
            assert_eq!(accepts(&complement, word), expected, "{round} {word:?} {automaton:?}");
            assert_eq!(accepts(&slices, word), expected, "slices {round} {word:?} {automaton:?}");
        }
    }
    assert!(deterministic > rounds / 20 && weak > rounds / 20 && others > rounds / 20);
}

#[test]
fn complements() {
    compare_complements(&mut Setting::new(1, 5), 3001, 300);
    compare_complements(&mut Setting::new(2, 3), 3002, 100);
}

#[test]
#[ignore = "takes minutes"]
fn complements_at_length() {
    compare_complements(&mut Setting::new(1, 6), 3003, 5_000);
    compare_complements(&mut Setting::new(2, 4), 3004, 1_000);
}

#[test]
fn unions_and_intersections() {
    let mut setting = Setting::new(1, 6);
    let mut rng = Rng::new(3005);
    for round in 0..100 {
        let a = setting.draw(&mut rng, round);
        let b = setting.draw(&mut rng, round + 1);
        let both = tgba::intersection(&a, &b, &mut go_on).expect("room");
        let either = tgba::union::<Uncomplemented>(&a, &b).expect("room");
        for word in &setting.words {
            let [in_a, in_b] = [&a, &b].map(|automaton| accepts(automaton, word));
            assert_eq!(accepts(&both, word), in_a && in_b, "{round} {word:?}");
            assert_eq!(accepts(&either, word), in_a || in_b, "{round} {word:?}");
        }
    }
}

#[test]
fn alternation_is_removed() {
    let setting = Setting::new(1, 6);
    let mut rng = Rng::new(3006);
    let mut accepting = 0;
    for round in 0..300 {
        let shape = RandomAutomaton {
            words: WordKind::Infinite,
            locations: rng.between(1, 5),
            propositions: setting.propositions.clone(),
            leaves: 5,
            group: [None, Some(1), Some(2)][round % 3],
        };
        let alternating: AlternatingAutomaton = shape.draw(&mut rng);
        let without =
            dealternate(&alternating, &mut || Ok::<(), Uncomplemented>(())).expect("small");
        for word in &setting.words {
            let expected = is_accepted(&alternating, word);
            assert_eq!(accepts(&without, word), expected, "{round} {word:?} {alternating:?}");
            accepting += usize::from(expected);
        }
    }
    let all = 300 * setting.words.len();
    assert!(accepting > all / 10 && accepting < all * 9 / 10, "{accepting} of {all}");
}

/// Complements of alternating automata without alternation. Those that are not weak go through a
/// nondeterministic automaton; by ranks, even three locations may be out of reach.
#[test]
fn complements_of_alternating_automata() {
    let setting = Setting::new(1, 5);
    let mut rng = Rng::new(3008);
    let mut ranked = 0;
    for round in 0..300 {
        let shape = RandomAutomaton {
            words: WordKind::Infinite,
            locations: rng.between(2, 4),
            propositions: setting.propositions.clone(),
            leaves: 8,
            group: [None, None, Some(2)][round % 3],
        };
        let alternating: AlternatingAutomaton = shape.draw(&mut rng);
        ranked += usize::from(needs_ranks(&alternating));
        let complement =
            Automaton::from(alternating.clone()).tgba_complement(&mut go_on).expect("small");
        for word in &setting.words {
            let expected = !is_accepted(&alternating, word);
            assert_eq!(accepts(&complement, word), expected, "{round} {word:?} {alternating:?}");
        }
    }
    assert!(ranked > 20, "{ranked}");
}

/// Alternation and back.
#[test]
fn alternation_is_added_and_removed() {
    let mut setting = Setting::new(1, 5);
    let mut rng = Rng::new(3007);
    for round in 0..100 {
        let automaton = setting.draw(&mut rng, round);
        let alternating = to_alternating(&automaton, &mut go_on).expect("no interrupt");
        let again = dealternate(&alternating, &mut go_on).expect("small");
        for word in &setting.words {
            assert_eq!(accepts(&again, word), accepts(&automaton, word), "{round} {word:?}");
        }
    }
}

/// The word over the old propositions, read with fresh ones that are true where their definitions
/// are.
fn translated(store: &Store, word: &Word, relabelled: &Relabelled) -> Word {
    let holds = |formula: Formula, letter: &Letter| {
        let alone = Word::lasso(Vec::new(), vec![letter.clone()]);
        kermode_ltl::semantics::holds(store, formula, &alone)
    };
    let letters = word.letters().iter().map(|letter| {
        let fresh = relabelled.definitions.iter().filter(|(_, f)| holds(*f, letter));
        letter.iter().chain(fresh.map(|(p, _)| *p)).collect::<Letter>()
    });
    Word::from_letters(letters.collect(), Some(word.len() - word.cycle().len()))
}

#[test]
fn relabelling_has_a_way_back() {
    let mut rng = Rng::new(3008);
    let (mut joined, mut unused) = (0, 0);
    for round in 0..300 {
        let mut store = Store::new();
        let letters: Vec<Proposition> =
            ["a", "b", "p0"].iter().map(|name| store.proposition(name)).collect();
        let manager = Manager::new(Capacity::small(3)).expect("a manager");
        let (states, transitions) = (rng.between(1, 2), rng.between(1, 2));
        let shape = RandomTgba { states, marks: 1, propositions: letters.clone(), transitions };
        let automaton = shape.draw(&manager, &mut rng).expect("room");
        let relabelled = relabel(&mut store, &automaton, &mut go_on).expect("room");
        joined += usize::from(!relabelled.definitions.is_empty());
        unused += usize::from(!relabelled.unused.is_empty());
        let count = relabelled.automaton.propositions().len();
        assert!(count + relabelled.definitions.len() + relabelled.unused.len() <= 3);
        for word in all_words(&letters, WordKind::Infinite, 2) {
            let other = translated(&store, &word, &relabelled);
            let expected = accepts(&automaton, &word);
            assert_eq!(accepts(&relabelled.automaton, &other), expected, "{round} {automaton:?}");
        }
    }
    assert!(joined > 50 && unused > 20, "{joined} {unused}");
}

/// A finite word is accepted exactly if it is a prefix and a loop of an accepted word, through a
/// state that accepts: by brute force over all ways to cut it.
#[test]
fn liveness_becomes_safety() {
    let mut setting = Setting::new(1, 1);
    let finite = all_words(&setting.propositions, WordKind::Finite, 6);
    let mut rng = Rng::new(3009);
    let (mut accepted, mut empty) = (0, 0);
    for round in 0..150 {
        let automaton = setting.draw(&mut rng, round);
        let buchi = degeneralise(&automaton, Buchi::OnStates, &mut go_on).expect("no interrupt");
        let safe = liveness_to_safety(&buchi, &mut go_on).expect("no interrupt");
        let sink = accepting_sink(&buchi, &mut go_on).expect("no interrupt");
        let is_empty = tgba::trim(&automaton).initial().is_empty();
        assert_eq!(tgba::trim(&sink).initial().is_empty(), is_empty, "{round}");
        let mut none = true;
        for word in &finite {
            let expected = loops(&buchi, word);
            assert_eq!(is_accepted(&safe, word), expected, "{round} {word:?} {buchi:?}");
            // Everything behind an accepted prefix is accepted, with any loop.
            let mut letters = word.letters().to_vec();
            letters.push(Letter::default());
            let infinite = Word::from_letters(letters, Some(word.len()));
            let prefix = (0..=word.len() + 4).any(|end| {
                let at = |i: usize| infinite.letters()[i.min(word.len())].clone();
                loops(&buchi, &Word::finite((0..end).map(at).collect()))
            });
            assert!(!prefix || accepts(&sink, &infinite), "{round} {word:?}");
            (accepted, none) = (accepted + usize::from(expected), none && !expected);
        }
        assert!(none || !is_empty, "{round}");
        empty += usize::from(is_empty);
    }
    assert!(accepted > 500 && empty > 5 && empty < 145, "{accepted} {empty}");
}

/// Whether a word leads to an accepting state and then back to it.
fn loops(buchi: &Tgba, word: &Word) -> bool {
    let step = |states: &BTreeSet<State>, letter: &Letter| -> BTreeSet<State> {
        let leaving = states.iter().flat_map(|&state| buchi.successors(state));
        leaving.filter(|t| buchi.reads(&t.label, letter)).map(|t| t.target).collect()
    };
    let is_marked = |s: &State| buchi.state_marks(*s).is_some_and(|marks| !marks.is_empty());
    (0..word.len()).any(|cut| {
        let (prefix, rest) = word.letters().split_at(cut);
        let reached =
            prefix.iter().fold(buchi.initial().iter().copied().collect(), |s, l| step(&s, l));
        reached.into_iter().filter(is_marked).any(|state| {
            rest.iter().fold(BTreeSet::from([state]), |s, l| step(&s, l)).contains(&state)
        })
    })
}

/// A cycle of accepting states with the label `true`.
fn cycle(states: usize) -> (Store, Tgba) {
    let mut store = Store::new();
    let manager = Manager::new(Capacity::small(3)).expect("a manager");
    let propositions = ["a", "b", "c"].map(|name| store.proposition(name)).to_vec();
    let mut cycle = Tgba::new(manager.clone(), propositions, 1);
    let states: Vec<State> = (0..states).map(|_| cycle.add_state()).collect();
    for (place, &state) in states.iter().enumerate() {
        let next = states[(place + 1) % states.len()];
        cycle.add_transition(state, next, manager.top(), [0].into_iter().collect());
    }
    cycle.add_initial(states[0]);
    (store, cycle)
}

/// Copies are interrupted while they are made, not only between them.
#[test]
fn liveness_to_safety_is_interrupted() {
    let (_, cycle) = cycle(20);
    let stops = |calls: usize| {
        let mut left = calls;
        let mut interrupt = move || {
            left -= 1;
            if left == 0 { Err("stop") } else { Ok(()) }
        };
        [
            liveness_to_safety(&cycle, &mut interrupt.clone()).is_err(),
            accepting_sink(&cycle, &mut interrupt).is_err(),
        ]
    };
    assert_eq!(stops(20 * 20), [true, true]);
    assert_eq!(stops(usize::MAX), [false, false]);
}

/// The work of relabelling depends on the different labels, not on the transitions.
#[test]
fn equal_labels_are_compared_once() {
    let calls = |states: usize| {
        let (mut store, cycle) = cycle(states);
        let mut calls = 0;
        let mut count = || {
            calls += 1;
            Ok::<(), Uncomplemented>(())
        };
        let relabelled = relabel(&mut store, &cycle, &mut count).expect("room");
        assert_eq!(relabelled.unused.len(), 3);
        calls
    };
    assert_eq!(calls(2), calls(200));
}
