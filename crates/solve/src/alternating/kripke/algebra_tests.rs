//! The algebra of regions compared with explicit sets of states of products: random systems with
//! two variables, random automata with two or three locations, and all pairs of a state of one and
//! a state of the other.

use std::collections::BTreeSet;

use kermode_automata::random::RandomAutomaton;
use kermode_automata::{AlternatingAutomaton, AlternatingStatistics, Location, from_ltl};
use kermode_base::{BitSet, Rng};
use kermode_bdd::{Bdd, Literal, Variable};
use kermode_ltl::{Letter, Store, UnaryOp, WordKind};
use kermode_system::{Below, Domain, Model, SymbolKind};

use super::convert::LocationInDiagrams;
use super::property::{OrderInUse, PropertyStates};
use super::region::Region;
use super::states::{KripkeMark, KripkeState, KripkeStates};
use crate::alternating::Successors;
use crate::alternating::afa_subset::AfaSubset;
use crate::alternating::by_letter::ByLetter;
use crate::alternating::miyano_hayashi::{MiyanoHayashi, Pair};
use crate::alternating::oracle::random;
use crate::alternating::order::Orders;
use crate::alternating::symbolic_tests::Definitions;
use crate::alternating::very_weak::VeryWeak;
use crate::compiled::Compilation;
use crate::compiled::states::SystemStates;
use crate::fixpoint::bdd_context::WorkCounters;
use crate::fixpoint::emptiness::FairSpace;
use crate::fixpoint::trace::Traces;
use crate::fixpoint::{Direction, Images, Regions};
use crate::frame::budget::Budget;
use crate::frame::observer::Silent;

/// The steps of a model between the states `0..4`: the letter, and the justice constraints that the
/// step satisfies.
struct ExplicitModel {
    steps: Vec<(usize, usize, Letter, Vec<bool>)>,
}

impl ExplicitModel {
    fn new(model: &Model) -> Self {
        let atoms: Vec<_> = model.atoms.iter().collect();
        let mut roots = model.system.constraints();
        roots.extend(atoms.iter().map(|(_, atom)| **atom));
        let below = Below::of(&model.graph, &roots);
        let place = |v| model.order.iter().position(|&w| w == v).expect("a variable");
        let mut steps = Vec::new();
        for (from, to) in (0..4).flat_map(|from| (0..4).map(move |to| (from, to))) {
            let value =
                |state: usize| move |v| if state >> place(v) & 1 == 1 { u64::MAX } else { 0 };
            let values = model.graph.values(&below, value(from), value(to));
            let holds = |&e: &_| values[below.position(e)] & 1 == 1;
            if model.system.transition().iter().all(holds) {
                let letter = atoms.iter().filter(|(_, atom)| holds(atom)).map(|(p, _)| **p);
                let just = model.system.justice().iter().map(holds).collect();
                steps.push((from, to, letter.collect(), just));
            }
        }
        ExplicitModel { steps }
    }
}

/// A set of states of the product: a state of the model, and the number of one of the property.
type Pairs = BTreeSet<(usize, u32)>;

/// Whether the property has a step on a letter between two states, optionally with a mark.
type IsStep<'s, S> = &'s dyn Fn(&Letter, &S, &S, Option<usize>) -> bool;

/// A product with everything that its operations are compared with.
struct Comparison<'c, 'o, S: ByLetter> {
    states: KripkeStates<'o, S>,
    model: &'c ExplicitModel,
    /// All states of the property, by their numbers.
    universe: Vec<S::State>,
    locations: Vec<LocationInDiagrams>,
    is_step: IsStep<'c, S::State>,
    /// Whether a state of the property may represent a successor that it does not simulate.
    represents: &'c dyn Fn(&S::State, &S::State) -> bool,
    rng: &'c mut Rng,
}

impl<S: ByLetter> Comparison<'_, '_, S> {
    fn direction(&self) -> Direction {
        self.states.property.direction()
    }

    /// Whether a region with the first state has the second, for the same state of the model.
    fn covers(&self, one: &S::State, other: &S::State) -> bool {
        let space = self.states.property.space();
        match self.direction() {
            Direction::Forward => space.simulates(one, other),
            Direction::Backward => space.simulates(other, one),
        }
    }

    /// A random region, and its closure.
    fn draw(&mut self) -> (Region, Pairs) {
        let (mut region, mut pairs) = (Region::default(), Pairs::new());
        let share = 2 + self.rng.below(6);
        for (number, state) in self.universe.iter().enumerate() {
            let chosen: Vec<usize> = (0..4).filter(|_| self.rng.below(share) == 0).collect();
            for q in chosen {
                let literal = |place: u32| Literal {
                    variable: Variable(2 * place),
                    positive: q >> place & 1 == 1,
                };
                let cube = [0, 1].map(literal).into_iter().collect();
                let diagram = self.states.system.manager().cube(&cube).expect("room");
                let order = self.states.property.order(OrderInUse::Simulated);
                region.insert(order, number as u32, &diagram).expect("room");
                assert!(region.is_in_form(order));
                let covered = self.universe.iter().enumerate();
                let covered = covered.filter(|(_, other)| self.covers(state, other));
                pairs.extend(covered.map(|(number, _)| (q, number as u32)));
            }
        }
        (region, pairs)
    }

    /// All pairs of a region.
    fn pairs(&mut self, region: &Region) -> Pairs {
        assert!(region.is_in_form(self.states.property.order(OrderInUse::Simulated)));
        let algebra = self.states.algebra(OrderInUse::Simulated, None);
        let numbers = 0..self.universe.len() as u32;
        let all = (0..4).flat_map(|q| numbers.clone().map(move |number| (q, number)));
        let is_in = |&(q, property): &(usize, u32)| {
            algebra.contains(region, &KripkeState { property, system: bits(q) })
        };
        all.filter(is_in).collect()
    }

    /// All pairs of a diagram over the variables of the model and the locations.
    fn pairs_of_diagram(&self, diagram: &Bdd) -> Pairs {
        let mut found = Pairs::new();
        for (number, state) in self.universe.iter().enumerate() {
            let Pair { s, o } = self.states.property.space().sets(state);
            let is_in = |variable: Variable, q: usize| match variable.index() / 2 {
                place @ 0..2 => q >> place & 1 == 1,
                _ => self.locations.iter().any(|l| {
                    l.x == variable && s.contains(l.location)
                        || l.y == Some(variable) && o.contains(l.location)
                }),
            };
            let has = (0..4).filter(|&q| diagram.eval(|variable| is_in(variable, q)));
            found.extend(has.map(|q| (q, number as u32)));
        }
        found
    }

    /// The neighbours of some pairs by steps with a mark.
    fn neighbours(&self, pairs: &Pairs, mark: KripkeMark) -> Pairs {
        let (place, mark) = match mark {
            KripkeMark::System(place) => (Some(place), None),
            KripkeMark::Property(mark) => (None, Some(mark)),
            KripkeMark::None => (None, None),
        };
        let steps = self.model.steps.iter();
        let mut found = Pairs::new();
        for (from, to, letter, _) in steps.filter(|step| place.is_none_or(|at| step.3[at])) {
            let (near, far) = match self.direction() {
                Direction::Forward => (*from, *to),
                Direction::Backward => (*to, *from),
            };
            for &(_, number) in pairs.iter().filter(|&&(q, _)| q == near) {
                let state = &self.universe[number as usize];
                for (other_number, other) in self.universe.iter().enumerate() {
                    let (before, after) = match self.direction() {
                        Direction::Forward => (state, other),
                        Direction::Backward => (other, state),
                    };
                    if (self.is_step)(letter, before, after, mark) {
                        found.insert((far, other_number as u32));
                    }
                }
            }
        }
        found
    }

    /// A region has the expected pairs, or pairs that represent them.
    fn assert_is(&mut self, region: &Region, expected: &Pairs, what: &str) {
        let found = self.pairs(region);
        assert!(found.is_subset(expected), "{what}: {:?}", found.difference(expected));
        for &(q, number) in expected.difference(&found) {
            let missing = &self.universe[number as usize];
            let represents = |&&(p, number): &&(usize, u32)| {
                p == q && (self.represents)(&self.universe[number as usize], missing)
            };
            assert!(found.iter().any(|pair| represents(&pair)), "{what}: {q}, {number}");
        }
    }

    fn run(mut self) {
        for (number, state) in self.universe.clone().into_iter().enumerate() {
            assert_eq!(self.states.property.number(state), number as u32);
        }
        for _ in 0..3 {
            let ((one, first), (other, second)) = (self.draw(), self.draw());
            self.check_sets(&one, &first, &other, &second);
            self.check_steps(&one, &first);
        }
    }

    fn check_sets(&mut self, one: &Region, first: &Pairs, other: &Region, second: &Pairs) {
        assert_eq!(&self.pairs(one), first);
        let mut algebra = self.states.algebra(OrderInUse::Simulated, None);
        let both = algebra.intersection(one, other).expect("room");
        let mut either = one.clone();
        algebra.add(&mut either, other).expect("room");
        let includes = algebra.includes(one, other).expect("room");
        assert_eq!(includes, second.is_subset(first));
        assert_eq!(algebra.is_empty(one), first.is_empty());
        let diagram = self.states.to_diagram(one, &self.locations).expect("room");
        assert_eq!(&self.pairs_of_diagram(&diagram), first);
        let back = self.states.of_diagram(&diagram, &self.locations).expect("room");
        assert!(back == *one, "a region has one form");
        assert_eq!(self.pairs(&both), first & second);
        assert_eq!(self.pairs(&either), first | second);
    }

    fn check_steps(&mut self, region: &Region, pairs: &Pairs) {
        let image = self.states.algebra(OrderInUse::Simulated, None).image(region);
        let expected = self.neighbours(pairs, KripkeMark::None);
        self.assert_is(&image.expect("room"), &expected, "image");
        for mark in 0..self.states.mark_count() {
            let mut algebra = self.states.algebra(OrderInUse::Simulated, None);
            let image = algebra.marked_image(region, mark).expect("room");
            let expected = self.neighbours(pairs, self.states.mark(mark));
            self.assert_is(&image, &expected, "marked image");
        }
        let mut closed = pairs.clone();
        loop {
            let more = &closed | &self.neighbours(&closed, KripkeMark::None);
            if more == closed {
                break;
            }
            closed = more;
        }
        let closure = self.states.algebra(OrderInUse::Simulated, None).closure(region, None);
        self.assert_is(&closure.expect("room"), &closed, "closure");
    }
}

fn bits(number: usize) -> BitSet {
    (0..2).filter(|bit| number >> bit & 1 == 1).collect()
}

/// A random system with two variables and no invariants, and a meaning for each proposition.
fn random_model(automaton: &AlternatingAutomaton, about_steps: bool, rng: &mut Rng) -> Model {
    let mut model = Model::new();
    let variables = ["v", "w"].map(|name| model.auxiliary(name));
    let system = random::system(&mut model.graph, rng, &variables);
    for &constraint in system.transition() {
        model.system.add_transition(&model.graph, constraint);
    }
    system.justice().iter().for_each(|&constraint| model.system.add_justice(constraint));
    for &proposition in automaton.propositions() {
        let ahead = about_steps && rng.coin();
        let atom = random::expression(&mut model.graph, rng, &variables, ahead, 1);
        model.atoms.insert(proposition, atom);
    }
    model
}

/// Checks the products of random models and automata.
fn check(words: WordKind, rounds: usize) {
    let mut rng = Rng::new(2008);
    let budget = Budget::unlimited();
    let mut very_weak = 0;
    for round in 0..rounds {
        let mut store = Store::new();
        let propositions = ["a", "b"].map(|name| store.proposition(name)).to_vec();
        let (group, locations) = ([None, Some(1), Some(2)][round % 3], 2 + round % 2);
        let random = RandomAutomaton { words, propositions, locations, leaves: 6, group };
        let automaton = random.draw(&mut rng);
        let model = random_model(&automaton, words == WordKind::Infinite, &mut rng);
        let locations: BitSet =
            super::symbolic::reachable(&automaton).into_iter().map(Location::index).collect();
        let is_accepting = |&l: &usize| automaton.is_accepting(Location::from_index(l));
        let obligations = locations.iter().filter(|l| !is_accepting(l)).collect();
        let explicit = Definitions::of(&automaton, locations, obligations);
        let product = RandomProduct { automaton: &automaton, model: &model, explicit: &explicit };
        for direction in [Direction::Forward, Direction::Backward] {
            match words {
                WordKind::Finite => product.check_finite(direction, &budget, &mut rng),
                WordKind::Infinite => {
                    product.check_pairs(direction, &budget, &mut rng);
                    if AlternatingStatistics::of(&automaton).very_weak {
                        very_weak += 1;
                        product.check_sets(direction, &budget, &mut rng);
                    }
                }
            }
        }
    }
    assert!(words == WordKind::Finite || very_weak * 3 >= rounds, "{very_weak}");
}

struct RandomProduct<'p> {
    automaton: &'p AlternatingAutomaton,
    model: &'p Model,
    explicit: &'p Definitions<'p>,
}

impl RandomProduct<'_> {
    fn check_pairs(&self, direction: Direction, budget: &Budget, rng: &mut Rng) {
        let minimal = Successors::MinimalModels;
        let space = MiyanoHayashi::new(self.automaton, minimal, Orders::default(), budget);
        let is_step = |letter: &Letter, from: &Pair, to: &Pair, mark: Option<usize>| {
            (mark.is_none() || from.o.is_empty()) && self.explicit.is_step_on(letter, from, to)
        };
        // A successor without obligations makes those with obligations unnecessary.
        let represents = |one: &Pair, other: &Pair| {
            direction == Direction::Forward && one.o.is_empty() && one.s.is_subset(&other.s)
        };
        let universe = self.explicit.pairs();
        self.compare(space.expect("room"), direction, universe, &is_step, &represents, budget, rng);
    }

    fn check_sets(&self, direction: Direction, budget: &Budget, rng: &mut Rng) {
        let orders = Orders { very_weak: true, ..Orders::default() };
        let space = VeryWeak::new(self.automaton, orders, budget).expect("room");
        let marked: Vec<usize> = self
            .automaton
            .locations()
            .filter(|&l| !self.automaton.is_accepting(l))
            .filter(|&l| self.automaton.targets(l).any(|target| target == l))
            .map(Location::index)
            .collect();
        let is_step = |letter: &Letter, from: &BitSet, to: &BitSet, mark: Option<usize>| {
            self.explicit.is_set_step_on(letter, from, to, mark.map(|mark| marked[mark]))
        };
        self.compare(space, direction, self.sets(), &is_step, &|_, _| false, budget, rng);
    }

    fn check_finite(&self, direction: Direction, budget: &Budget, rng: &mut Rng) {
        let minimal = Successors::MinimalModels;
        let space = AfaSubset::new(self.automaton, minimal, Orders::default(), budget);
        let is_step = |letter: &Letter, from: &BitSet, to: &BitSet, _: Option<usize>| {
            self.explicit.is_set_step_on(letter, from, to, None)
        };
        let (space, universe) = (space.expect("room"), self.sets());
        self.compare(space, direction, universe, &is_step, &|_, _| false, budget, rng);
    }

    fn sets(&self) -> Vec<BitSet> {
        self.explicit.sets().into_iter().map(|pair| pair.s).collect()
    }

    #[expect(clippy::too_many_arguments, reason = "a product and its definition")]
    fn compare<S: ByLetter>(
        &self,
        space: S,
        direction: Direction,
        universe: Vec<S::State>,
        is_step: IsStep<'_, S::State>,
        represents: &dyn Fn(&S::State, &S::State) -> bool,
        budget: &Budget,
        rng: &mut Rng,
    ) {
        let (observer, work) = (&mut Silent::default(), &mut WorkCounters::default());
        let compilation = Compilation { sifting: false, top: 0, shared: None };
        let (with_locations, locations) = self.with_locations(&space, &universe);
        let (compiled, context) =
            compilation.of(&with_locations, budget, observer, work).expect("room");
        let mut system = SystemStates::new(compiled, direction, 500, context).expect("room");
        let mut property =
            PropertyStates::new(space, direction, self.automaton, &with_locations, &mut system)
                .expect("room");
        for state in &universe {
            property.number(state.clone());
        }
        let states = KripkeStates::new(system, property).expect("room");
        let model = &ExplicitModel::new(self.model);
        Comparison { states, model, universe, locations, is_step, represents, rng }.run();
    }

    /// The model with a free variable for each location, and for each location that some state has
    /// as an obligation.
    fn with_locations<S: ByLetter>(
        &self,
        space: &S,
        universe: &[S::State],
    ) -> (Model, Vec<LocationInDiagrams>) {
        let (mut model, mut all) = (self.model.clone(), [BitSet::new(), BitSet::new()]);
        for Pair { s, o } in universe.iter().map(|state| space.sets(state)) {
            all[0].union_with(&s);
            all[1].union_with(&o);
        }
        let [in_s, in_o] = all;
        let mut variable = |name: &str| {
            model.auxiliary(name);
            Variable(2 * (model.order.len() as u32 - 1))
        };
        let of_location = |location: usize| LocationInDiagrams {
            location,
            x: variable("x"),
            y: in_o.contains(location).then(|| variable("y")),
        };
        let locations = in_s.iter().map(of_location).collect();
        (model, locations)
    }
}

#[test]
fn products_with_pairs_and_sets_of_locations() {
    check(WordKind::Infinite, 60);
}

#[test]
fn products_over_finite_words() {
    check(WordKind::Finite, 60);
}

#[test]
fn a_region_for_people() {
    let (mut store, mut model) = (Store::new(), Model::new());
    let p = store.proposition("p");
    let formula = store.atom(p);
    let formula = store.unary(UnaryOp::Finally, formula);
    let automaton = from_ltl(&mut store, formula, WordKind::Infinite).expect("no past");
    let bit = model.declare("v", SymbolKind::State, Domain::Range(3, 5)).bits[0];
    let atom = model.graph.current(bit);
    model.atoms.insert(p, atom);
    let budget = Budget::unlimited();
    let orders = Orders { very_weak: true, ..Orders::default() };
    let space = VeryWeak::new(&automaton, orders, &budget).expect("room");
    let (observer, work) = (&mut Silent::default(), &mut WorkCounters::default());
    let compilation = Compilation { sifting: false, top: 0, shared: None };
    let (compiled, context) = compilation.of(&model, &budget, observer, work).expect("room");
    let mut system = SystemStates::new(compiled, Direction::Forward, 500, context).expect("room");
    let property = PropertyStates::new(space, Direction::Forward, &automaton, &model, &mut system);
    let states = KripkeStates::new(system, property.expect("room")).expect("room");
    let initial = states.initial().expect("room");
    let text = states.describe(&model, &initial, 2).expect("room");
    let (title, values) = text.split_once('\n').expect("lines");
    assert!(title.starts_with('{') && title.ends_with("} with 3 states:"), "{title}");
    let mut lines: Vec<&str> = values.lines().collect();
    assert_eq!(lines.pop(), Some("  ..."));
    assert!(lines.len() == 2 && lines.iter().all(|line| line.starts_with("  v = ")), "{text}");
}
