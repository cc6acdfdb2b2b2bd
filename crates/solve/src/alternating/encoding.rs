//! States as assignments: sets of locations, and pairs of Miyano and Hayashi [MH84], over the
//! variables of decision diagrams.
//!
//! A location `l` that can be reached has a variable `x_l` for its being in `s`, and `x'_l` right
//! after it for its being in the next set. Locations that may owe a visit have `y_l` and `y'_l` as
//! well, for their being in `o`. A set is a pair that owes nothing. Invariant: an assignment is a
//! state if `o` is a subset of `s`, so regions of pairs are below [`Encoding::valid`].
//!
//! Departs from the paper in who may owe: not all locations that are not accepting, but those of
//! them that can come back to themselves. No path visits another one twice, so to call it accepting
//! changes nothing.

use kermode_automata::structure::Structure;
use kermode_automata::{AlternatingAutomaton, Location, Term};
use kermode_base::BitSet;
use kermode_bdd::{Bdd, Capacity, Cube, Manager, OutOfNodes, Variable};
use kermode_ltl::Letter;

use super::accepting;
use super::layout::{Layout, Meaning};
use super::miyano_hayashi::Pair;
use super::transitions::{Transitions, X, by_x};
use crate::frame::bdd_manager::{MOST_NODES, manager_with};
use crate::frame::budget::{Budget, Stop};

/// Of which state a variable speaks: its number is that of the copies of `x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    Current = X as isize,
    Next,
}

/// The copies of `y` follow those of `x`.
const OWED: usize = 2;

/// How a location goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// To locations of `s`.
    Follow,
    /// To locations of `o`, or accepting ones of `s`.
    Owe,
    /// To other locations of `s` than itself.
    Leave,
}

/// The variables of an automaton's states and letters.
pub(crate) struct Encoding<'a> {
    transitions: Transitions<'a>,
    /// The locations that can be reached.
    locations: Vec<Location>,
    owing: BitSet,
    settled: Bdd,
    valid: Bdd,
}

impl<'a> Encoding<'a> {
    /// States in which only these locations may owe a visit.
    pub(crate) fn new(
        automaton: &'a AlternatingAutomaton,
        owing: BitSet,
        most_nodes: Option<usize>,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let copies = |location: Location| if owing.contains(location.index()) { 4 } else { 2 };
        let layout = Layout::new(automaton, copies);
        let cache = (layout.len() * 1024).next_power_of_two().clamp(1 << 12, 1 << 20);
        let nodes = most_nodes.unwrap_or(MOST_NODES);
        let manager = manager_with(Capacity { variables: layout.len(), nodes, cache }, budget)?;
        let locations = automaton.locations().filter(|&location| layout.has(location)).collect();
        let (settled, valid) = (manager.top(), manager.top());
        let transitions = Transitions::within(manager, automaton, layout, 4);
        let mut encoding = Encoding { transitions, locations, owing, settled, valid };
        for location in encoding.owing_locations() {
            let y = encoding.y(location, Moment::Current)?;
            encoding.settled = encoding.settled.and_not(&y)?;
            let x = encoding.x(location, Moment::Current)?;
            encoding.valid = encoding.valid.and(&y.implies(&x)?)?;
        }
        Ok(encoding)
    }

    pub(crate) fn manager(&self) -> &Manager {
        &self.transitions.manager
    }

    pub(crate) fn automaton(&self) -> &'a AlternatingAutomaton {
        self.transitions.automaton
    }

    /// The locations that can be reached.
    pub(crate) fn locations(&self) -> Vec<Location> {
        self.locations.clone()
    }

    /// Whether a location can be reached.
    pub(crate) fn has(&self, location: Location) -> bool {
        self.transitions.layout.has(location)
    }

    pub(crate) fn may_owe(&self, location: Location) -> bool {
        self.owing.contains(location.index())
    }

    fn owing_locations(&self) -> Vec<Location> {
        self.locations.iter().copied().filter(|&location| self.may_owe(location)).collect()
    }

    pub(crate) fn x_variable(&self, location: Location, moment: Moment) -> Variable {
        self.transitions.layout.location(location, moment as usize)
    }

    pub(crate) fn y_variable(&self, location: Location, moment: Moment) -> Variable {
        self.transitions.layout.location(location, OWED + moment as usize)
    }

    /// Where a location is in `s`.
    pub(crate) fn x(&self, location: Location, moment: Moment) -> Result<Bdd, OutOfNodes> {
        self.manager().variable(self.x_variable(location, moment))
    }

    /// Where a location is in `o`.
    pub(crate) fn y(&self, location: Location, moment: Moment) -> Result<Bdd, OutOfNodes> {
        self.manager().variable(self.y_variable(location, moment))
    }

    /// Where nothing is owed.
    pub(crate) fn settled(&self) -> &Bdd {
        &self.settled
    }

    /// Where `o` is a subset of `s`.
    pub(crate) fn valid(&self) -> &Bdd {
        &self.valid
    }

    /// The variables of `s`, of `o`, or of both, each with the one of the next moment.
    pub(crate) fn state_variables(&self, s: bool, o: bool) -> Vec<(Variable, Variable)> {
        let [current, next] = [Moment::Current, Moment::Next];
        let x = |&l: &Location| (self.x_variable(l, current), self.x_variable(l, next));
        let y = |l: Location| (self.y_variable(l, current), self.y_variable(l, next));
        let s = self.locations.iter().filter(|_| s).map(x);
        s.chain(self.owing_locations().into_iter().filter(|_| o).map(y)).collect()
    }

    /// The variables of the propositions.
    pub(crate) fn inputs(&self) -> Vec<Variable> {
        let layout = &self.transitions.layout;
        let is_input = |v: &Variable| matches!(layout.meaning(*v), Meaning::Proposition(_));
        self.manager().variables().filter(is_input).collect()
    }

    /// What a location demands of the letter and of a moment.
    pub(crate) fn transition(
        &mut self,
        location: Location,
        demand: Demand,
        moment: Moment,
    ) -> Result<Bdd, OutOfNodes> {
        let owing = &self.owing;
        let follow = |manager: &Manager, layout: &Layout, l: Location| {
            manager.variable(layout.location(l, moment as usize))
        };
        let owe = |manager: &Manager, layout: &Layout, l: Location| {
            let copy = if owing.contains(l.index()) { OWED } else { X };
            manager.variable(layout.location(l, copy + moment as usize))
        };
        let leave = |manager: &Manager, layout: &Layout, l: Location| match l == location {
            true => Ok(manager.bottom()),
            false => follow(manager, layout, l),
        };
        match demand {
            Demand::Follow => self.transitions.of(location, moment as usize, &follow),
            Demand::Owe => self.transitions.of(location, OWED + moment as usize, &owe),
            Demand::Leave => self.transitions.once(location, &leave),
        }
    }

    /// What a location demands of the letter, if a state comes next.
    pub(crate) fn letters(
        &self,
        location: Location,
        demand: Demand,
        next: &Pair,
    ) -> Result<Bdd, OutOfNodes> {
        let follows = |l: Location| match demand {
            Demand::Owe if self.may_owe(l) => next.o.contains(l.index()),
            Demand::Leave if l == location => false,
            _ => next.s.contains(l.index()),
        };
        let constant = |manager: &Manager, _: &Layout, l: Location| match follows(l) {
            true => Ok(manager.top()),
            false => Ok(manager.bottom()),
        };
        self.transitions.once(location, &constant)
    }

    /// The sets with which words begin.
    pub(crate) fn initial(&self) -> Result<Bdd, OutOfNodes> {
        self.transitions.initial(&by_x)
    }

    /// Where finite words may end: sets of accepting locations.
    pub(crate) fn accepting_sets(&self) -> Result<Bdd, OutOfNodes> {
        let alpha = accepting(self.automaton());
        let others = self.locations.iter().filter(|location| !alpha.contains(location.index()));
        others.copied().try_fold(self.manager().top(), |sets, location| {
            sets.and_not(&self.x(location, Moment::Current)?)
        })
    }

    /// The letter and the state that a cube speaks of: what it leaves open is false.
    pub(crate) fn read(&self, cube: &Cube) -> (Letter, Pair) {
        let mut pair = Pair { s: BitSet::new(), o: BitSet::new() };
        for literal in cube.literals().iter().filter(|literal| literal.positive) {
            match self.transitions.layout.meaning(literal.variable) {
                Meaning::Location(location, X) => drop(pair.s.insert(location.index())),
                Meaning::Location(location, OWED) => drop(pair.o.insert(location.index())),
                Meaning::Location(..) | Meaning::Proposition(_) => {}
            }
        }
        (self.transitions.letter_of(cube), pair)
    }

    /// Whether a state is in a region.
    pub(crate) fn contains(&self, region: &Bdd, state: &Pair) -> bool {
        region.eval(|variable| self.is_in(variable, state))
    }

    /// Whether a state has what a current variable stands for.
    pub(crate) fn is_in(&self, variable: Variable, state: &Pair) -> bool {
        match self.transitions.layout.meaning(variable) {
            Meaning::Location(location, X) => state.s.contains(location.index()),
            Meaning::Location(location, OWED) => state.o.contains(location.index()),
            Meaning::Location(..) | Meaning::Proposition(_) => false,
        }
    }
}

/// The locations that a run may visit again and again without ever visiting an accepting one.
pub(crate) fn may_stay(automaton: &AlternatingAutomaton) -> BitSet {
    let structure = Structure::of(automaton);
    let mut stay = BitSet::new();
    for (expression, term) in automaton.expressions().iter() {
        if let Term::Location(location) = term {
            let again = structure.is_recurrent(structure.component(expression));
            if again && !automaton.is_accepting(location) {
                stay.insert(location.index());
            }
        }
    }
    stay
}
