//! The symbolic algebra compared with the definitions, on all states of small automata.

use kermode_automata::random::RandomAutomaton;
use kermode_automata::structure::AlternatingStatistics;
use kermode_automata::{AlternatingAutomaton, Location};
use kermode_base::BitSet;
use kermode_base::Rng;
use kermode_bdd::Bdd;
use kermode_ltl::{Letter, Store, WordKind};

use super::symbolic::{Settings, SymbolicCounts, SymbolicSpace};
use crate::alternating::encoding::{StateEncoding, may_stay};
use crate::alternating::miyano_hayashi::Pair;
use crate::fixpoint::emptiness::FairSpace;
use crate::fixpoint::{Direction, Images};
use crate::frame::budget::Budget;
use crate::frame::observer::Silent;

/// All subsets of a set.
fn subsets(set: &BitSet) -> Vec<BitSet> {
    let elements: Vec<usize> = set.iter().collect();
    let chosen = |mask: usize| (0..elements.len()).filter(move |bit| mask >> bit & 1 == 1);
    (0..1 << elements.len()).map(|mask| chosen(mask).map(|bit| elements[bit]).collect()).collect()
}

/// The definitions, over the reachable locations.
pub(super) struct Definitions<'a> {
    automaton: &'a AlternatingAutomaton,
    locations: BitSet,
    pub(super) obligations: BitSet,
    letters: Vec<Letter>,
}

impl<'a> Definitions<'a> {
    fn new(encoding: &StateEncoding<'a>) -> Self {
        let automaton = encoding.automaton();
        let locations: BitSet = encoding.locations().into_iter().map(Location::index).collect();
        Definitions::of(automaton, locations, may_stay(automaton))
    }

    /// Those of an automaton with these reachable locations and possible obligations.
    pub(super) fn of(
        automaton: &'a AlternatingAutomaton,
        locations: BitSet,
        mut obligations: BitSet,
    ) -> Self {
        obligations.intersect_with(&locations);
        let letter = |mask: usize| {
            let propositions = automaton.propositions().iter().enumerate();
            propositions.filter(|(bit, _)| mask >> bit & 1 == 1).map(|(_, &p)| p).collect()
        };
        let letters = (0..1 << automaton.propositions().len()).map(letter).collect();
        Definitions { automaton, locations, obligations, letters }
    }

    pub(super) fn pairs(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for s in subsets(&self.locations) {
            let mut obligations = s.clone();
            obligations.intersect_with(&self.obligations);
            pairs.extend(subsets(&obligations).into_iter().map(|o| Pair { s: s.clone(), o }));
        }
        pairs
    }

    pub(super) fn sets(&self) -> Vec<Pair> {
        self.pairs().into_iter().filter(|pair| pair.o.is_empty()).collect()
    }

    /// Whether each location of a set has another set as a successor.
    fn follow(&self, letter: &Letter, from: &BitSet, to: &BitSet) -> bool {
        let values = self.automaton.values(letter, |l| to.contains(l.index()));
        let holds = |l| values[self.automaton.transition(Location::from_index(l)).index()];
        from.iter().all(holds)
    }

    /// A step of Miyano and Hayashi's construction, or one to a larger state.
    fn is_step(&self, from: &Pair, to: &Pair) -> bool {
        self.letters.iter().any(|letter| self.is_step_on(letter, from, to))
    }

    /// The same on one letter.
    pub(super) fn is_step_on(&self, letter: &Letter, from: &Pair, to: &Pair) -> bool {
        let mut next = subsets(&self.locations).into_iter();
        next.any(|s| self.follow(letter, &from.s, &s) && self.leads(letter, from, &s, to))
    }

    fn leads(&self, letter: &Letter, from: &Pair, s: &BitSet, to: &Pair) -> bool {
        let above = |o: &BitSet| {
            let mut obligation = o.clone();
            obligation.intersect_with(&self.obligations);
            Pair { s: s.clone(), o: obligation }.subsumes(to)
        };
        match from.o.is_empty() {
            true => above(s),
            false => subsets(s).iter().any(|o| self.follow(letter, &from.o, o) && above(o)),
        }
    }

    /// A step between sets, optionally one that leaves a location.
    fn is_set_step(&self, from: &Pair, to: &Pair, left: Option<usize>) -> bool {
        self.letters.iter().any(|letter| self.is_set_step_on(letter, &from.s, &to.s, left))
    }

    /// The same on one letter.
    pub(super) fn is_set_step_on(
        &self,
        letter: &Letter,
        from: &BitSet,
        to: &BitSet,
        left: Option<usize>,
    ) -> bool {
        let leaves = || {
            let Some(left) = left.filter(|&left| from.contains(left)) else { return true };
            let mut others = to.clone();
            others.remove(left);
            self.follow(letter, &BitSet::from_iter([left]), &others)
        };
        self.follow(letter, from, to) && leaves()
    }
}

fn for_random_automata(rounds: usize, mut check: impl FnMut(&AlternatingAutomaton, &mut Rng)) {
    let mut rng = Rng::new(1984);
    for round in 0..rounds {
        let mut store = Store::new();
        let propositions = vec![store.proposition("a")];
        let (group, locations) = ([None, Some(1), Some(2)][round % 3], 2 + round % 2);
        let words = WordKind::Infinite;
        let random = RandomAutomaton { words, propositions, locations, leaves: 6, group };
        check(&random.draw(&mut rng), &mut rng);
    }
}

/// Some of the states, as a list and as a region.
fn draw(encoding: &StateEncoding, states: &[Pair], rng: &mut Rng) -> (Vec<Pair>, Bdd) {
    let chosen: Vec<Pair> = states.iter().filter(|_| rng.below(3) == 0).cloned().collect();
    let region = chosen.iter().fold(encoding.manager().bottom(), |region, state| {
        let alone = encoding.upwards(std::slice::from_ref(state)).expect("room");
        let alone = alone.and(&encoding.downwards(std::slice::from_ref(state)).expect("room"));
        region.or(&alone.expect("room")).expect("room")
    });
    (chosen, region)
}

fn agrees(
    encoding: &StateEncoding,
    states: &[Pair],
    region: &Bdd,
    expected: impl Fn(&Pair) -> bool,
) {
    for state in states {
        assert_eq!(
            encoding.contains(region, state),
            expected(state),
            "{}",
            encoding.describe(state)
        );
    }
}

#[test]
fn closures_and_their_elements() {
    for_random_automata(200, |automaton, rng| {
        let budget = Budget::unlimited();
        let encoding =
            StateEncoding::new(automaton, may_stay(automaton), None, &budget).expect("room");
        let states = Definitions::new(&encoding).pairs();
        let (chosen, region) = draw(&encoding, &states, rng);
        agrees(&encoding, &states, &region, |state| chosen.contains(state));
        let above = |state: &Pair| chosen.iter().any(|other| other.subsumes(state));
        let below = |state: &Pair| chosen.iter().any(|other| state.subsumes(other));
        for up in [encoding.closed_upwards(&region, &budget), encoding.upwards(&chosen)] {
            agrees(&encoding, &states, &up.expect("room"), above);
        }
        for down in [encoding.closed_downwards(&region, &budget), encoding.downwards(&chosen)] {
            agrees(&encoding, &states, &down.expect("room"), below);
        }
        let is_least = |s: &Pair| chosen.iter().all(|other| other == s || !other.subsumes(s));
        let is_greatest = |s: &Pair| chosen.iter().all(|other| other == s || !s.subsumes(other));
        let least = encoding.least(&region, &budget).expect("room");
        let greatest = encoding.greatest(&region, &budget).expect("room");
        for state in &chosen {
            assert_eq!(least.contains(state), is_least(state));
            assert_eq!(greatest.contains(state), is_greatest(state));
        }
        assert!(least.iter().chain(&greatest).all(|state| chosen.contains(state)));
    });
}

/// Checks a step of an algebra from some of the states.
fn check_step(
    symbolic: &mut SymbolicSpace,
    states: &[Pair],
    rng: &mut Rng,
    step: impl Fn(&mut SymbolicSpace, &Bdd) -> Bdd,
    is_step: impl Fn(&Pair, &Pair) -> bool,
) {
    let (chosen, region) = draw(symbolic.encoding(), states, rng);
    let found = step(symbolic, &region);
    let forward = symbolic.direction() == Direction::Forward;
    agrees(symbolic.encoding(), states, &found, |state| {
        let next =
            |other: &Pair| if forward { is_step(other, state) } else { is_step(state, other) };
        chosen.iter().any(next)
    });
}

#[test]
fn steps_are_those_of_the_definitions() {
    let mut fair = 0;
    for_random_automata(150, |automaton, rng| {
        for direction in [Direction::Forward, Direction::Backward] {
            for generalised in [false, true] {
                let settings =
                    Settings { direction, generalised, most_nodes: None, sifting: false };
                let (budget, observer) = (Budget::unlimited(), &mut Silent::default());
                let counts = &mut SymbolicCounts::default();
                let mut symbolic =
                    SymbolicSpace::new(automaton, settings, &budget, observer, counts)
                        .expect("room");
                let explicit = Definitions::new(symbolic.encoding());
                let step = |symbolic: &mut SymbolicSpace, region: &Bdd| {
                    symbolic.marked().expect("room").image(region).expect("room")
                };
                if !generalised || !AlternatingStatistics::of(automaton).very_weak {
                    let is_step = |from: &Pair, to: &Pair| explicit.is_step(from, to);
                    check_step(&mut symbolic, &explicit.pairs(), rng, step, is_step);
                    continue;
                }
                let sets = explicit.sets();
                let is_step = |from: &Pair, to: &Pair| explicit.is_set_step(from, to, None);
                check_step(&mut symbolic, &sets, rng, step, is_step);
                for (condition, left) in explicit.obligations.iter().enumerate() {
                    fair += 1;
                    let step = |symbolic: &mut SymbolicSpace, region: &Bdd| {
                        let mut marked = symbolic.marked().expect("room");
                        marked.marked_image(region, condition).expect("room")
                    };
                    let is_step =
                        |from: &Pair, to: &Pair| explicit.is_set_step(from, to, Some(left));
                    check_step(&mut symbolic, &sets, rng, step, is_step);
                }
            }
        }
    });
    assert!(fair > 20, "{fair}");
}
