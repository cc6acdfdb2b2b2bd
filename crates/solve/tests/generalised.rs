//! Emptiness of generalised Büchi automata of all kinds, by every engine that takes automata. The
//! answer is that of a component check without any search; a word has been replayed on the
//! automaton itself, and where there is none, no short lasso is accepted.

mod common;

use std::convert::Infallible;

use kermode_automata::emerson_lei::TooManyRegions;
use kermode_automata::tgba::{Buchi, RandomTgba, Tgba, Transition, degeneralise};
use kermode_automata::{Automaton, Difference};
use kermode_base::Rng;
use kermode_bdd::{Capacity, Manager};
use kermode_ltl::random::random_word;
use kermode_ltl::{Letter, Proposition, Store, Word, WordKind};
use kermode_solve::{ENGINES, EngineSpec, Problem};

use common::{has_accepting_component, is_accepted, is_nonempty};

fn go_on() -> Result<(), Infallible> {
    Ok(())
}

/// All transitions of a state get the marks of its first.
fn with_marks_on_states(mut automaton: Tgba) -> Tgba {
    for state in automaton.states() {
        let transitions = automaton.take_transitions(state);
        let marks = transitions.first().map(|first| first.marks.clone()).unwrap_or_default();
        for Transition { target, label, .. } in transitions {
            automaton.add_transition(state, target, label, marks.clone());
        }
    }
    automaton
}

/// A fourth of them each: marks on transitions, marks on states, and Büchi automata of both forms.
/// Many have several initial states.
fn draw(shape: &RandomTgba, manager: &Manager, rng: &mut Rng, round: usize) -> Tgba {
    let drawn = shape.draw(manager, rng).expect("room for labels");
    let buchi = |form| match degeneralise(&drawn, form, &mut go_on) {
        Ok(buchi) => buchi,
    };
    match round % 4 {
        0 => drawn,
        1 => with_marks_on_states(drawn),
        2 => buchi(Buchi::OnTransitions),
        _ => buchi(Buchi::OnStates),
    }
}

/// All lassos over a proposition with at most two letters before the loop and three in it.
fn short_lassos(proposition: Proposition) -> Vec<Word> {
    let letter =
        |bit: usize| -> Letter { (bit & 1 == 1).then_some(proposition).into_iter().collect() };
    let letters = |length: usize, bits: usize| (0..length).map(|i| letter(bits >> i)).collect();
    let mut lassos = Vec::new();
    for (prefix, cycle) in (0..3).flat_map(|prefix| (1..4).map(move |cycle| (prefix, cycle))) {
        for bits in 0..1 << (prefix + cycle) {
            lassos.push(Word::lasso(letters(prefix, bits), letters(cycle, bits >> prefix)));
        }
    }
    lassos
}

fn engines() -> Vec<EngineSpec> {
    let able = ENGINES.iter().filter(|engine| engine.accepts.automata);
    able.map(EngineSpec::of).collect()
}

#[test]
fn all_engines_agree_on_all_kinds_of_automata() {
    let mut store = Store::new();
    let proposition = store.proposition("a");
    let manager = Manager::new(Capacity::small(1)).expect("a small manager");
    let (mut rng, lassos, engines) = (Rng::new(7), short_lassos(proposition), engines());
    assert!(engines.len() > 5, "{engines:?}");
    let mut nonempty = 0;
    for round in 0..240 {
        let propositions = vec![proposition];
        let (states, marks) = (1 + round % 5, round / 4 % 4);
        let shape = RandomTgba { states, marks, propositions, transitions: 2 };
        let automaton = draw(&shape, &manager, &mut rng, round);
        let expected = has_accepting_component(&automaton);
        let accepted = lassos.iter().find(|word| is_accepted(&automaton, word));
        assert!(expected || accepted.is_none(), "round {round}: {accepted:?}");
        let difference = Difference::of(automaton);
        let problem = Problem::emptiness(&store, &difference);
        for engine in &engines {
            assert_eq!(is_nonempty(&problem, engine), expected, "{engine}, round {round}");
        }
        nonempty += usize::from(expected);
    }
    assert!((60..200).contains(&nonempty), "{nonempty}");
}

/// What automata have in common, and what one has that another has not: the engines that search
/// products, and one that knows alternating automata only.
#[test]
fn differences_of_generalised_automata() {
    let mut store = Store::new();
    let propositions = ["a", "b"].map(|name| store.proposition(name)).to_vec();
    let engines = ["antichain:forward", "tgba:couvreur", "tgba:magic"];
    let engines = engines.map(|name| name.parse::<EngineSpec>().expect("an engine"));
    let mut rng = Rng::new(8);
    let mut seen = [0, 0];
    for round in 0..300 {
        let mut next = |offset: usize| {
            let manager = Manager::new(Capacity::small(2)).expect("a small manager");
            let (states, marks) = (1 + rng.below(3), rng.below(3));
            let propositions = propositions.clone();
            let shape = RandomTgba { states, marks, propositions, transitions: 3 };
            Automaton::from(draw(&shape, &manager, &mut rng, round + offset))
        };
        let [a, b, c] = [0, 1, 2].map(&mut next);
        let difference = match round % 3 {
            0 => Difference::of(a).and(b),
            1 => Difference::of(a).and(b).and(c),
            _ => Difference::of(a).not(b),
        };
        let generalised = difference.generalised(&mut || Ok::<(), TooManyRegions>(()));
        assert!(generalised.is_ok_and(|automata| automata.is_some()));
        let problem = Problem::emptiness(&store, &difference);
        let verdicts = engines.each_ref().map(|engine| is_nonempty(&problem, engine));
        assert!(verdicts.iter().all(|&verdict| verdict == verdicts[0]), "{verdicts:?}, {round}");
        for _ in 0..20 {
            let word = random_word(&mut rng, &propositions, WordKind::Infinite, 2, 3);
            let inside = difference.contains(&word, &mut go_on);
            assert!(verdicts[0] || inside == Ok(false), "round {round}: {word:?}");
        }
        seen[usize::from(verdicts[0])] += 1;
    }
    assert!(seen.iter().all(|&count| count > 60), "{seen:?}");
}
