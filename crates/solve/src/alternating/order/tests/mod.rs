//! The relations against their definitions, against words, and on examples.

mod naive;

use std::convert::Infallible;

use kermode_automata::explicit::Explicit;
use kermode_automata::random::RandomAutomaton;
use kermode_automata::{AlternatingAutomaton, Location, accepts, from_ltl};
use kermode_base::BitSet;
use kermode_base::Rng;
use kermode_ltl::dialect::{Dialect, parse};
use kermode_ltl::random::{Operators, RandomFormula, random_word};
use kermode_ltl::{Formula, Store, WordKind};

use super::delayed::delayed_with;
use super::direct::direct_with;
use super::incompatible::incompatible_with;
use super::steps::ALL_LANES;
use super::*;
use crate::alternating::layout::Layout;
use crate::frame::budget::{Budget, Cancellation, Limits, Stop};
use naive::Naive;

const KINDS: [WordKind; 2] = [WordKind::Infinite, WordKind::Finite];

struct Relations {
    direct: LocationOrder,
    delayed: LocationOrder,
    incompatible: Incompatible,
}

fn transitions<'a>(automaton: &'a AlternatingAutomaton, budget: &Budget) -> Transitions<'a> {
    let layout = Layout::new(automaton, |_| 1);
    Transitions::new(automaton, layout, 1, budget).expect("room for diagrams")
}

fn relations(automaton: &AlternatingAutomaton) -> Relations {
    relations_with(automaton, ALL_LANES)
}

fn relations_with(automaton: &AlternatingAutomaton, lanes: u64) -> Relations {
    let budget = &Budget::unlimited();
    let transitions = &mut transitions(automaton, budget);
    Relations {
        direct: direct_with(transitions, &BitSet::new(), budget, lanes).expect("no limits"),
        delayed: delayed_with(transitions, budget, lanes).expect("no limits"),
        incompatible: incompatible_with(transitions, budget, lanes).expect("no limits"),
    }
}

/// All steps, a few, or none, so that diagrams must tell.
const LANES: [u64; 3] = [ALL_LANES, 1, 0];

/// The automaton from which all these locations begin.
fn beginning(automaton: &AlternatingAutomaton, locations: &[usize]) -> AlternatingAutomaton {
    let mut automaton = automaton.clone();
    let expressions = automaton.expressions_mut();
    let locations: Vec<_> =
        locations.iter().map(|&l| expressions.location(Location::from_index(l))).collect();
    let initial = expressions.all(locations);
    automaton.set_initial(initial);
    automaton
}

/// An automaton all of whose locations can be reached.
fn draw(
    round: usize,
    locations: usize,
    group: Option<usize>,
    rng: &mut Rng,
) -> AlternatingAutomaton {
    let mut store = Store::new();
    let names = &["a", "b"][..1 + round % 2];
    let propositions = names.iter().map(|name| store.proposition(name)).collect();
    let words = KINDS[round / 2 % 2];
    let random = RandomAutomaton { words, propositions, locations, leaves: 6, group };
    let all: Vec<usize> = (0..locations).collect();
    beginning(&random.draw(rng), &all)
}

fn pairs(relation: &[BitSet]) -> usize {
    relation.iter().map(BitSet::len).sum()
}

#[test]
fn simulations_are_what_games_say() {
    let mut rng = Rng::new(2005);
    let (mut of_direct, mut of_delayed) = (0, 0);
    for round in 0..2_000 {
        let group = [None, Some(1), Some(2)][round % 3];
        let automaton = draw(round, 2 + round % 3, group, &mut rng);
        let lanes = LANES[round / 4 % 3];
        let (found, naive) = (relations_with(&automaton, lanes), Naive::new(&automaton));
        assert_eq!(found.direct.implies, naive.direct(), "direct, round {round}");
        let expected = match automaton.words() {
            WordKind::Infinite => naive.delayed(),
            WordKind::Finite => naive.direct(),
        };
        assert_eq!(found.delayed.implies, expected, "delayed, round {round}");
        of_direct += pairs(&found.direct.implies) - naive.locations;
        of_delayed += pairs(&found.delayed.implies) - naive.locations;
    }
    assert!(of_direct > 2_000 && of_delayed > of_direct + 400, "{of_direct}, {of_delayed}");
}

#[test]
fn incompatible_pairs_are_what_games_say() {
    let mut rng = Rng::new(7);
    let (mut found_pairs, mut lost) = (0, 0);
    for round in 0..2_000 {
        let group = [None, Some(1), Some(1), Some(2)][round % 4];
        let automaton = draw(round / 4, 2 + round % 3, group, &mut rng);
        let incompatible = relations_with(&automaton, LANES[round / 8 % 3]).incompatible;
        let found: Vec<BitSet> =
            automaton.locations().map(|l| incompatible.with(l.index()).clone()).collect();
        let expected = Naive::new(&automaton).incompatible();
        found_pairs += pairs(&found);
        if automaton.words() == WordKind::Finite || group == Some(1) {
            assert_eq!(found, expected, "round {round}");
        }
        // Where locations wait for each other, some may be overlooked.
        let within = found.iter().zip(&expected).all(|(found, expected)| found.is_subset(expected));
        assert!(within, "round {round}: {found:?}, {expected:?}");
        lost += pairs(&expected) - pairs(&found);
    }
    assert!(found_pairs > 5_000 && lost < found_pairs / 20, "{found_pairs}, {lost}");
}

/// Brute force: emptiness of the automaton that begins in both.
#[test]
fn no_word_is_accepted_from_incompatible_locations() {
    let mut rng = Rng::new(1984);
    let (mut checked, mut overlooked) = (0, 0);
    for round in 0..400 {
        let group = [None, Some(1), Some(2)][round % 3];
        let automaton = draw(round, 4, group, &mut rng);
        let found = relations(&automaton).incompatible;
        for k in 0..4 {
            for l in 0..=k {
                let explicit = Explicit::new(&beginning(&automaton, &[k, l]));
                let is_empty = explicit.expect("a small automaton").word().is_none();
                let incompatible = found.with(k).contains(l);
                assert!(is_empty || !incompatible, "round {round}: {k}, {l}");
                assert_eq!(
                    found.forbids(&BitSet::from_iter([k, l])),
                    incompatible || found.with(k).contains(k) || found.with(l).contains(l)
                );
                checked += usize::from(incompatible);
                overlooked += usize::from(is_empty && !incompatible);
            }
        }
    }
    assert!(checked > 800 && overlooked < checked / 10, "{checked}, {overlooked}");
}

/// The locations from which a word is accepted.
fn accepting_it(from_each: &[AlternatingAutomaton], word: &kermode_ltl::Word) -> BitSet {
    let accepted = |&l: &usize| {
        let Ok(accepted) = accepts(&from_each[l], word, &mut || Ok::<(), Infallible>(()));
        accepted
    };
    (0..from_each.len()).filter(accepted).collect()
}

/// No word contradicts what was found, and orders are preorders.
fn compare_with_words(automaton: &AlternatingAutomaton, words: usize, rng: &mut Rng) -> usize {
    let Relations { direct, delayed, incompatible } = relations(automaton);
    for order in [&direct, &delayed] {
        assert_preorder(order);
    }
    for (more, less) in delayed.implies.iter().zip(&direct.implies) {
        assert!(less.is_subset(more));
    }
    let from_each: Vec<_> =
        automaton.locations().map(|l| beginning(automaton, &[l.index()])).collect();
    for _ in 0..words {
        let word = random_word(rng, automaton.propositions(), automaton.words(), 3, 3);
        let accepted = accepting_it(&from_each, &word);
        assert!(!incompatible.forbids(&accepted), "{accepted:?}");
        for k in accepted.iter() {
            assert!(delayed.implies[k].is_subset(&accepted), "{k}: {word:?}");
        }
    }
    pairs(&delayed.implies) - automaton.location_count()
}

fn assert_preorder(order: &LocationOrder) {
    for (k, implied) in order.implies.iter().enumerate() {
        assert!(implied.contains(k));
        implied.iter().for_each(|l| assert!(order.implies[l].is_subset(implied)));
    }
}

#[test]
fn no_word_contradicts_what_is_found_of_automata() {
    let (mut rng, mut found) = (Rng::new(42), 0);
    for round in 0..600 {
        let group = [None, Some(1), Some(2), Some(3)][round % 4];
        let mut automaton = draw(round, 5 + round % 8, group, &mut rng);
        if round % 3 == 0 {
            // Then some of the others cannot be reached.
            automaton = beginning(&automaton, &[0, round % 5]);
        }
        found += compare_with_words(&automaton, 40, &mut rng);
    }
    assert!(found > 2_000, "{found}");
}

#[test]
fn no_word_contradicts_what_is_found_of_formulas() {
    let (mut rng, mut found) = (Rng::new(43), 0);
    for round in 0..300 {
        let mut store = Store::new();
        let propositions = ["a", "b", "c"].map(|name| store.proposition(name)).to_vec();
        let operators = Operators::future().with_weak_next();
        let random = RandomFormula { size: 20 + round % 30, propositions, operators };
        let formula = random.draw(&mut store, &mut rng);
        let automaton = from_ltl(&mut store, formula, KINDS[round % 2]).expect("no past");
        found += compare_with_words(&automaton, 40, &mut rng);
    }
    assert!(found > 500, "{found}");
}

fn formula(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).expect("a formula").formula
}

/// The automaton of a conjunction of formulas, and for each of them the location with that label.
fn example(texts: [&str; 2], words: WordKind) -> (AlternatingAutomaton, [usize; 2]) {
    let mut store = Store::new();
    let conjunction = formula(&mut store, &texts.map(|text| format!("({text})")).join(" & "));
    let automaton = from_ltl(&mut store, conjunction, words).expect("no past");
    let place = |text: &str| {
        let found = automaton.locations().find(|&l| automaton.label(l) == text);
        found.unwrap_or_else(|| panic!("no location {text}: {automaton:?}")).index()
    };
    let places = texts.map(place);
    (automaton, places)
}

/// Whether the location of the first formula implies that of the second, directly and delayed.
fn implications(texts: [&str; 2], words: WordKind) -> (bool, bool) {
    let (automaton, [k, l]) = example(texts, words);
    let found = relations(&automaton);
    (found.direct.implies[k].contains(l), found.delayed.implies[k].contains(l))
}

/// Fair simulation lies between delayed simulation and inclusion of languages, and is not built: of
/// the pairs of locations whose languages are included, delayed simulation finds nearly all. Left
/// out are locations without words, which are incompatible with themselves, and those with all
/// words, and pairs of which one label is too long to be read back.
#[test]
fn delayed_simulation_leaves_little_to_fair_simulation() {
    let (mut rng, mut found, mut judged, mut missed) = (Rng::new(44), 0, 0, 0);
    let mut unjudged = 0;
    for round in 0..400 {
        let mut store = Store::new();
        let propositions = ["a", "b"].map(|name| store.proposition(name)).to_vec();
        let operators = Operators::future();
        let random = RandomFormula { size: 8 + round % 5, propositions, operators };
        let drawn = random.draw(&mut store, &mut rng);
        let automaton = from_ltl(&mut store, drawn, WordKind::Infinite).expect("no past");
        let Relations { delayed, incompatible, .. } = relations(&automaton);
        let labels: Vec<&str> = automaton.locations().map(|l| automaton.label(l)).collect();
        let mut is_empty = |text: String| -> Option<bool> {
            // Long labels are shortened.
            let formula = parse(&mut store, &text, Dialect::Kermode.into()).ok()?.formula;
            let automaton = from_ltl(&mut store, formula, WordKind::Infinite).expect("no past");
            Some(Explicit::new(&automaton).ok()?.word().is_none())
        };
        for (k, implied) in delayed.implies.iter().enumerate() {
            for l in (0..labels.len()).filter(|&l| l != k && !incompatible.with(k).contains(k)) {
                if is_empty(format!("!({})", labels[l])) != Some(false) {
                    continue;
                }
                if implied.contains(l) {
                    found += 1;
                    continue;
                }
                match is_empty(format!("({}) & !({})", labels[k], labels[l])) {
                    Some(is_missed) => {
                        judged += 1;
                        missed += usize::from(is_missed);
                    }
                    None => unjudged += 1,
                }
            }
        }
    }
    let counts = format!("{found} found, {missed} of {judged} missed, {unjudged} unjudged");
    assert!(found > 1_000 && missed > 0 && missed * 20 < found, "{counts}");
    assert!(judged > 7 * unjudged, "{counts}");
}

#[test]
fn examples_of_implication() {
    for (first, second, expected) in [
        ("a U b", "F b", (true, true)),
        ("F b", "a U b", (false, false)),
        ("a U (b & c)", "a U b", (true, true)),
        ("G(a & b)", "G a", (true, true)),
        ("G a", "F a", (false, true)),
        ("G F a", "F a", (false, true)),
        ("F a", "G F a", (false, false)),
        ("F G a", "G F a", (true, true)),
        ("G F a", "F G a", (false, false)),
        ("G a", "b R a", (true, true)),
    ] {
        assert_eq!(
            implications([first, second], WordKind::Infinite),
            expected,
            "{first}, {second}"
        );
    }
    assert_eq!(implications(["a U b", "F b"], WordKind::Finite), (true, true));
    assert_eq!(implications(["G a", "F a"], WordKind::Finite), (false, false));
}

/// Whether the locations of two formulas are found to be incompatible.
fn are_incompatible(texts: [&str; 2], words: WordKind) -> bool {
    let (automaton, [k, l]) = example(texts, words);
    relations(&automaton).incompatible.forbids(&BitSet::from_iter([k, l]))
}

#[test]
fn examples_of_incompatible_pairs() {
    for (first, second, expected) in [
        ("G a", "F !a", true),
        ("G !b", "a U (b & c)", true),
        ("G a", "F b", false),
        ("G F a", "F G !a", true),
        ("G F a", "G F !a", false),
        ("G a", "b U (c & F !a)", true),
        ("a U b", "G !b", true),
    ] {
        for words in KINDS {
            let found = are_incompatible([first, second], words);
            assert_eq!(found, expected, "{first}, {second}, {words:?}");
        }
    }
    // The empty rest of a finite word satisfies both.
    assert!(are_incompatible(["G a", "G !a"], WordKind::Infinite));
    assert!(!are_incompatible(["G a", "G !a"], WordKind::Finite));
}

#[test]
fn what_two_nexts_demand_is_incompatible() {
    for words in KINDS {
        let mut store = Store::new();
        let text = "(b U X X a) & (c U X X !a)";
        let conjunction = formula(&mut store, text);
        let automaton = from_ltl(&mut store, conjunction, words).expect("no past");
        let found = relations(&automaton).incompatible;
        let labels: Vec<&str> = automaton.locations().map(|l| automaton.label(l)).collect();
        let at =
            |label| labels.iter().position(|&l| l == label).unwrap_or_else(|| panic!("{labels:?}"));
        assert!(found.with(at("a")).contains(at("!a")));
        assert!(found.with(at("X a")).contains(at("X !a")));
        assert!(!found.with(at("X a")).contains(at("!a")));
    }
}

#[test]
fn sets_are_covered_and_reduced() {
    // 0 and 1 imply each other and 2; 3 stands alone.
    let order = LocationOrder::new(
        [vec![0, 1, 2], vec![0, 1, 2], vec![2], vec![3]].map(BitSet::from_iter).to_vec(),
    );
    let set = |elements: &[usize]| elements.iter().copied().collect::<BitSet>();
    for (full, reduced) in [
        (&[0, 1, 2, 3][..], &[0, 3][..]),
        (&[1, 2], &[1]),
        (&[2, 3], &[2, 3]),
        (&[0, 1], &[0]),
        (&[], &[]),
    ] {
        assert_eq!(order.reduced(&set(full)), set(reduced));
        assert!(order.covers(&set(full), &set(reduced)) && order.covers(&set(reduced), &set(full)));
    }
    assert!(order.covers(&set(&[2]), &set(&[1])) && !order.covers(&set(&[1]), &set(&[2])));
    assert!(!order.covers(&set(&[3]), &set(&[0, 1, 2])) && order.covers(&set(&[]), &set(&[])));
    assert!(!order.is_identity() && LocationOrder::identity(4).is_identity());
}

/// Locations that accept everything, if few enough to be compared.
#[test]
fn nothing_is_found_of_too_many_locations() {
    for (locations, found) in [(MOST_LOCATIONS, true), (MOST_LOCATIONS + 1, false)] {
        let mut automaton = AlternatingAutomaton::new(WordKind::Infinite, Vec::new());
        let truth = automaton.expressions_mut().constant(true);
        for _ in 0..locations {
            let location = automaton.add_location("", true);
            automaton.set_transition(location, truth);
        }
        let automaton = beginning(&automaton, &(0..locations).collect::<Vec<_>>());
        let order = relations(&automaton).direct;
        assert_eq!(order.is_identity(), !found);
        let all: BitSet = (0..locations).collect();
        assert_eq!(order.reduced(&all).len(), if found { 1 } else { locations });
    }
}

#[test]
fn all_heed_the_budget() {
    let (automaton, _) = example(["G F a", "F G !a"], WordKind::Infinite);
    let cancellation = Cancellation::new();
    let budget = &Budget::new(Limits::default(), cancellation.clone());
    let transitions = &mut transitions(&automaton, budget);
    cancellation.cancel();
    assert_eq!(direct_simulation(transitions, &BitSet::new(), budget), Err(Stop::Cancelled));
    assert_eq!(delayed_simulation(transitions, budget), Err(Stop::Cancelled));
    assert_eq!(incompatible_pairs(transitions, budget), Err(Stop::Cancelled));
}
