//! The complement against membership and brute force, and what it costs.

use kermode_automata::explicit::Explicit;
use kermode_automata::random::RandomAutomaton;
use kermode_automata::tgba::{RandomTgba, Uncomplemented};
use kermode_automata::{
    AlternatingAutomaton, AlternatingStatistics, Automaton, ComplementTooLarge, Difference,
    Location, complement, from_ltl,
};
use kermode_base::Rng;
use kermode_bdd::{Capacity, Manager};
use kermode_ltl::random::{Operators, RandomFormula, random_word};
use kermode_ltl::{Letter, Node, Proposition, Store, UnaryOp, Word, WordKind};

mod accepted;
use accepted::is_accepted;

const KINDS: [WordKind; 2] = [WordKind::Infinite, WordKind::Finite];

fn propositions(store: &mut Store) -> Vec<Proposition> {
    ["a", "b"].map(|name| store.proposition(name)).into()
}

/// The complement of an automaton that is not too large.
fn complemented(automaton: &AlternatingAutomaton) -> AlternatingAutomaton {
    complement(automaton, &mut || Ok::<(), ComplementTooLarge>(())).expect("it is small")
}

/// An automaton over infinite words that is not weak.
fn not_weak(rng: &mut Rng, propositions: &[Proposition]) -> AlternatingAutomaton {
    loop {
        let shape = RandomAutomaton {
            words: WordKind::Infinite,
            locations: rng.between(2, 6),
            propositions: propositions.to_vec(),
            leaves: 5,
            group: None,
        };
        let automaton = shape.draw(rng);
        if !AlternatingStatistics::of(&automaton).weak {
            return automaton;
        }
    }
}

fn weak(rng: &mut Rng, propositions: &[Proposition], words: WordKind) -> AlternatingAutomaton {
    let (locations, propositions) = (rng.between(1, 6), propositions.to_vec());
    let group = Some(rng.between(1, 3));
    RandomAutomaton { words, locations, propositions, leaves: 6, group }.draw(rng)
}

#[test]
fn a_lasso_is_accepted_by_exactly_one_of_an_automaton_and_its_complement() {
    let letters = propositions(&mut Store::new());
    let mut rng = Rng::new(2001);
    let (mut accepted, mut ranked) = ([0, 0], 0);
    for round in 0..20_000 {
        let automaton = match round % 2 {
            0 => not_weak(&mut rng, &letters),
            _ => weak(&mut rng, &letters, WordKind::Infinite),
        };
        let other = complemented(&automaton);
        assert!(AlternatingStatistics::of(&other).weak, "{automaton:?}");
        let word = random_word(&mut rng, &letters, WordKind::Infinite, 3, 4);
        let expected = is_accepted(&automaton, &word);
        assert_ne!(is_accepted(&other, &word), expected, "round {round}: {word:?} {automaton:?}");
        accepted[round % 2] += usize::from(expected);
        ranked += usize::from(other.location_count() > automaton.location_count());
    }
    // Both kinds accept and reject enough, and ranks are needed often.
    assert!(accepted.iter().all(|&count| count > 2_000 && count < 8_000), "{accepted:?}");
    assert!(ranked > 2_000, "{ranked}");
}

#[test]
fn a_finite_word_is_accepted_by_exactly_one_of_an_automaton_and_its_complement() {
    let letters = propositions(&mut Store::new());
    let mut rng = Rng::new(2002);
    let (mut accepted, mut empty) = (0, 0);
    for round in 0..5_000 {
        let group = [None, Some(1), Some(2)][round % 3];
        let (locations, propositions) = (rng.between(1, 6), letters.clone());
        let automaton =
            RandomAutomaton { words: WordKind::Finite, locations, propositions, leaves: 6, group }
                .draw(&mut rng);
        let other = complemented(&automaton);
        assert!(other.location_count() <= locations);
        let word = random_word(&mut rng, &letters, WordKind::Finite, 5, 0);
        for (word, count) in [(word, &mut accepted), (Word::finite(Vec::new()), &mut empty)] {
            let expected = is_accepted(&automaton, &word);
            assert_ne!(is_accepted(&other, &word), expected, "{word:?} {automaton:?}");
            *count += usize::from(expected);
        }
    }
    assert!(accepted > 1_000 && accepted < 4_000, "{accepted}");
    assert!(empty > 1_000 && empty < 4_000, "{empty}");
}

/// No game is played here: both automata become explicit ones.
#[test]
fn brute_force_agrees() {
    let letters = &propositions(&mut Store::new())[..1];
    let mut rng = Rng::new(2003);
    let mut compared = 0;
    while compared < 300 {
        let words = KINDS[compared % 2];
        let automaton = match words {
            WordKind::Infinite => not_weak(&mut rng, letters),
            WordKind::Finite => weak(&mut rng, letters, words),
        };
        let Ok(explicit) = Explicit::new(&automaton) else { continue };
        let Ok(other) = Explicit::new(&complemented(&automaton)) else { continue };
        for _ in 0..20 {
            let word = random_word(&mut rng, letters, words, 3, 3);
            assert_ne!(explicit.accepts(&word), other.accepts(&word), "{word:?} {automaton:?}");
        }
        compared += 1;
    }
}

#[test]
fn the_complement_of_the_complement_is_the_language() {
    let letters = propositions(&mut Store::new());
    let mut rng = Rng::new(2004);
    for round in 0..3_000 {
        let automaton = match round % 3 {
            0 => not_weak(&mut rng, &letters),
            kind => weak(&mut rng, &letters, KINDS[kind - 1]),
        };
        let once = complemented(&automaton);
        let twice = complemented(&once);
        assert!(twice.location_count() <= once.location_count(), "nothing is ranked twice");
        for _ in 0..4 {
            let word = random_word(&mut rng, &letters, automaton.words(), 3, 4);
            let expected = is_accepted(&automaton, &word);
            assert_eq!(is_accepted(&twice, &word), expected, "{word:?} {automaton:?}");
        }
    }
}

#[test]
fn the_complement_of_a_formula_is_that_of_its_negation() {
    let mut rng = Rng::new(2005);
    for round in 0..2_000 {
        let mut store = Store::new();
        let letters = propositions(&mut store);
        let operators = Operators::future().with_weak_next().with_constants();
        let shape =
            RandomFormula { size: rng.between(3, 16), propositions: letters.clone(), operators };
        let formula = shape.draw(&mut store, &mut rng);
        let negation = store.intern(Node::Unary(UnaryOp::Not, formula));
        let words = KINDS[round % 2];
        let automaton = from_ltl(&mut store, formula, words).expect("a translation");
        let expected = from_ltl(&mut store, negation, words).expect("a translation");
        let other = complemented(&automaton);
        assert!(AlternatingStatistics::of(&other).very_weak);
        assert!(other.location_count() <= automaton.location_count());
        for _ in 0..8 {
            let word = random_word(&mut rng, &letters, words, 3, 4);
            if !word.is_empty() {
                assert_eq!(is_accepted(&other, &word), is_accepted(&expected, &word));
            }
        }
    }
}

/// A nondeterministic automaton with as many stages as are wanted. In each it may stay for ever or
/// go on, and only the step into the next is accepting; where `a` holds, the last stage may go back
/// to the beginning.
fn stages(count: usize, a: Proposition) -> AlternatingAutomaton {
    let mut automaton = AlternatingAutomaton::new(WordKind::Infinite, vec![a]);
    for stage in 0..count {
        automaton.add_location(format!("into {stage}"), true);
        automaton.add_location(format!("in {stage}"), false);
    }
    for stage in 0..count {
        let [into, inside, next] =
            [2 * stage, 2 * stage + 1, (2 * stage + 2) % (2 * count)].map(Location::from_index);
        let expressions = automaton.expressions_mut();
        let [stay, on, back] = [
            expressions.location(inside),
            expressions.location(next),
            expressions.literal(a, true),
        ];
        let on = if stage + 1 == count { expressions.and(on, back) } else { on };
        let either = expressions.or(stay, on);
        automaton.set_transition(into, stay);
        automaton.set_transition(inside, either);
    }
    let initial = automaton.expressions_mut().location(Location::from_index(0));
    automaton.set_initial(initial);
    automaton
}

#[test]
fn all_ranks_are_needed() {
    let a = Store::new().proposition("a");
    let [without, with]: [Letter; 2] = [Letter::default(), [a].into_iter().collect()];
    for count in 1..8 {
        let automaton = stages(count, a);
        let other = complemented(&automaton);
        // Every stage has a location on a cycle of its own: `m` is their number.
        assert_eq!(other.location_count(), count * (2 * count + 1) + count * (count + 1));
        for (letter, expected) in [(&without, false), (&with, true)] {
            let word = Word::lasso(vec![with.clone()], vec![letter.clone()]);
            assert_eq!(is_accepted(&automaton, &word), expected);
            assert_eq!(is_accepted(&other, &word), !expected, "{count} stages");
        }
    }
}

#[test]
fn components_that_are_alike_have_no_ranks() {
    // Location 0 and 1 reach each other, and every cycle passes 0.
    let mut automaton = AlternatingAutomaton::new(WordKind::Infinite, Vec::new());
    let locations = [true, false].map(|accepting| automaton.add_location("", accepting));
    let [first, second] = locations.map(|l| automaton.expressions_mut().location(l));
    automaton.set_transition(locations[0], second);
    automaton.set_transition(locations[1], first);
    automaton.set_initial(second);
    let other = complemented(&automaton);
    assert_eq!(AlternatingStatistics::of(&other).accepting, 0);
    assert_eq!(other.location_count(), 2);
    // What the initial condition does not lead to is left out.
    let truth = automaton.expressions_mut().constant(true);
    automaton.set_initial(truth);
    assert_eq!(complemented(&automaton).location_count(), 0);
}

#[test]
fn a_large_complement_is_quadratic_and_a_huge_one_is_refused() {
    let a = Store::new().proposition("a");
    let other = complemented(&stages(150, a));
    assert_eq!(other.location_count(), 150 * 301 + 150 * 151);
    // A transition costs no more than twice what it cost before, and so does a location.
    assert!(other.expressions().len() < 4 * other.location_count());
    let error = complement(&stages(10_000, a), &mut || Ok::<(), ComplementTooLarge>(()));
    let size = error.expect_err("too large");
    let ComplementTooLarge::Ranks { size } = size else { panic!("ranks") };
    assert!(size > 20_000 * 20_000, "{size}");
}

#[test]
fn a_complement_can_be_interrupted() {
    #[derive(Debug, PartialEq)]
    struct Enough;
    impl From<ComplementTooLarge> for Enough {
        fn from(_: ComplementTooLarge) -> Enough {
            unreachable!("it is small")
        }
    }
    let automaton = stages(50, Store::new().proposition("a"));
    let mut all = 0;
    let mut count = || {
        all += 1;
        Ok::<(), Enough>(())
    };
    complement(&automaton, &mut count).expect("no interrupt");
    for calls in [0, 60, 120, all - 1] {
        let mut left = calls;
        let mut interrupt = || {
            left -= 1;
            if left >= 0 { Ok(()) } else { Err(Enough) }
        };
        assert_eq!(complement(&automaton, &mut interrupt).err(), Some(Enough), "{calls} of {all}");
    }
}

#[test]
fn a_difference_is_judged_by_its_parts_and_has_one_automaton() {
    let letters = propositions(&mut Store::new());
    let mut rng = Rng::new(2006);
    let (mut inside, mut outside) = (0, 0);
    for round in 0..600 {
        let words = KINDS[round % 2];
        let [a, b, c] = [&letters[..], &letters[..1], &letters[1..]].map(|letters| match words {
            WordKind::Infinite if round % 4 == 0 => not_weak(&mut rng, letters),
            words => weak(&mut rng, letters, words),
        });
        let difference = Difference::of(a.clone()).and(b.clone()).not(c.clone());
        let automaton = difference.automaton(&mut || Ok::<(), Uncomplemented>(()));
        let automaton = automaton.expect("it is small");
        assert_eq!((difference.words(), difference.propositions()), (words, letters.clone()));
        for _ in 0..10 {
            let word = random_word(&mut rng, &letters, words, 3, 4);
            let expected =
                is_accepted(&a, &word) && is_accepted(&b, &word) && !is_accepted(&c, &word);
            assert_eq!(difference.contains(&word, &mut || Ok::<(), ()>(())), Ok(expected));
            assert_eq!(is_accepted(&automaton, &word), expected);
            *(if expected { &mut inside } else { &mut outside }) += 1;
        }
    }
    assert!(inside > 300 && outside > 3_000, "{inside} {outside}");
}

/// A difference of all words, and the generalised Büchi automaton of differences.
#[test]
fn differences_have_generalised_automata_and_need_no_part_that_accepts() {
    let letters = propositions(&mut Store::new());
    let mut rng = Rng::new(2007);
    let (mut inside, mut outside) = (0, 0);
    let interrupt = &mut || Ok::<(), Uncomplemented>(());
    let manager = Manager::new(Capacity::small(2)).expect("a small manager");
    let (states, transitions, marks, propositions) = (3, 2, 2, letters.clone());
    let shape = RandomTgba { states, transitions, marks, propositions };
    for round in 0..300 {
        let alternating = |automaton: AlternatingAutomaton| Automaton::from(automaton);
        let [a, b] = [0; 2].map(|_| match rng.below(3) {
            0 => alternating(weak(&mut rng, &letters, WordKind::Infinite)),
            1 => alternating(small_not_weak(&mut rng, &letters)),
            _ => shape.draw(&manager, &mut rng).expect("room").into(),
        });
        let differences = [
            Difference::outside(a.clone()),
            Difference::outside(a.clone()).not(b.clone()),
            Difference::outside(a.clone()).and(b.clone()),
            Difference::of(a).and(b),
        ];
        for difference in differences {
            let tgba = Automaton::from(difference.tgba(interrupt).expect("it is small"));
            let one = difference.automaton(interrupt).expect("it is small").into_owned().into();
            for _ in 0..4 {
                let word = random_word(&mut rng, &letters, WordKind::Infinite, 3, 3);
                let expected = difference.contains(&word, interrupt);
                for automaton in [&tgba, &one] {
                    let accepts = Automaton::accepts(automaton, &word, interrupt);
                    assert_eq!(accepts, expected, "round {round}: {word:?}");
                }
                *(if expected == Ok(true) { &mut inside } else { &mut outside }) += 1;
            }
        }
    }
    assert!(inside > 500 && outside > 500, "{inside} {outside}");
}

/// An automaton whose complement by ranks has a small automaton without alternation.
fn small_not_weak(rng: &mut Rng, propositions: &[Proposition]) -> AlternatingAutomaton {
    loop {
        let automaton = not_weak(rng, propositions);
        if automaton.location_count() < 4 {
            return automaton;
        }
    }
}
