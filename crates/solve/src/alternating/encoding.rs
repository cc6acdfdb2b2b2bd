//! States as assignments: sets of locations, and pairs of Miyano and Hayashi \[MH84\], over the
//! variables of decision diagrams.
//!
//! A reachable location `l` has a variable `x_l` for membership in `s`, and right after it `x'_l`
//! for membership in the next set. Locations that may be obligations also have `y_l` and `y'_l`,
//! for membership in `o`. A set is a pair without obligations. Invariant: an assignment is a state
//! if `o` is a subset of `s`, so regions of pairs imply [`StateEncoding::valid`].
//!
//! Departs from the paper in which locations may be obligations: only those non-accepting locations
//! that lie on a cycle. A path visits any other location at most once, so treating it as accepting
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

/// The state that a variable describes: the number of the copy of `x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimePoint {
    Current = X as isize,
    Next,
}

/// The copies of `y` follow those of `x`.
const OBLIGATION: usize = 2;

/// The demand of a location on the next state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// Successors in `s`.
    Follow,
    /// Successors in `o`, or accepting ones in `s`.
    Discharge,
    /// Successors in `s` other than the location itself.
    Leave,
}

/// The variables of an automaton's states and letters.
pub(crate) struct StateEncoding<'a> {
    transitions: Transitions<'a>,
    /// The reachable locations.
    locations: Vec<Location>,
    obligations: BitSet,
    breakpoints: Bdd,
    valid: Bdd,
}

impl<'a> StateEncoding<'a> {
    /// An encoding in which only these locations may be obligations.
    pub(crate) fn new(
        automaton: &'a AlternatingAutomaton,
        obligations: BitSet,
        most_nodes: Option<usize>,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let copies =
            |location: Location| if obligations.contains(location.index()) { 4 } else { 2 };
        let layout = Layout::new(automaton, copies);
        let cache = (layout.len() * 1024).next_power_of_two().clamp(1 << 12, 1 << 20);
        let nodes = most_nodes.unwrap_or(MOST_NODES);
        let manager = manager_with(Capacity { variables: layout.len(), nodes, cache }, budget)?;
        let locations = automaton.locations().filter(|&location| layout.has(location)).collect();
        let (breakpoints, valid) = (manager.top(), manager.top());
        let transitions = Transitions::within(manager, automaton, layout, 4);
        let mut encoding =
            StateEncoding { transitions, locations, obligations, breakpoints, valid };
        for location in encoding.owing_locations() {
            let y = encoding.y(location, TimePoint::Current)?;
            encoding.breakpoints = encoding.breakpoints.and_not(&y)?;
            let x = encoding.x(location, TimePoint::Current)?;
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

    /// The reachable locations.
    pub(crate) fn locations(&self) -> Vec<Location> {
        self.locations.clone()
    }

    /// Whether a location is reachable.
    pub(crate) fn has(&self, location: Location) -> bool {
        self.transitions.layout.has(location)
    }

    pub(crate) fn may_be_obligation(&self, location: Location) -> bool {
        self.obligations.contains(location.index())
    }

    fn owing_locations(&self) -> Vec<Location> {
        self.locations
            .iter()
            .copied()
            .filter(|&location| self.may_be_obligation(location))
            .collect()
    }

    pub(crate) fn x_variable(&self, location: Location, moment: TimePoint) -> Variable {
        self.transitions.layout.location(location, moment as usize)
    }

    pub(crate) fn y_variable(&self, location: Location, moment: TimePoint) -> Variable {
        self.transitions.layout.location(location, OBLIGATION + moment as usize)
    }

    /// The states with a location in `s`.
    pub(crate) fn x(&self, location: Location, moment: TimePoint) -> Result<Bdd, OutOfNodes> {
        self.manager().variable(self.x_variable(location, moment))
    }

    /// The states with a location in `o`.
    pub(crate) fn y(&self, location: Location, moment: TimePoint) -> Result<Bdd, OutOfNodes> {
        self.manager().variable(self.y_variable(location, moment))
    }

    /// The states without obligations.
    pub(crate) fn breakpoints(&self) -> &Bdd {
        &self.breakpoints
    }

    /// Where `o` is a subset of `s`.
    pub(crate) fn valid(&self) -> &Bdd {
        &self.valid
    }

    /// The variables of `s`, of `o`, or of both, each with that of the next moment.
    pub(crate) fn state_variables(&self, s: bool, o: bool) -> Vec<(Variable, Variable)> {
        let [current, next] = [TimePoint::Current, TimePoint::Next];
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

    /// The demand of a location on the letter and on a state.
    pub(crate) fn transition(
        &mut self,
        location: Location,
        demand: Demand,
        moment: TimePoint,
    ) -> Result<Bdd, OutOfNodes> {
        let obligations = &self.obligations;
        let follow = |manager: &Manager, layout: &Layout, l: Location| {
            manager.variable(layout.location(l, moment as usize))
        };
        let by_obligation = |manager: &Manager, layout: &Layout, l: Location| {
            let copy = if obligations.contains(l.index()) { OBLIGATION } else { X };
            manager.variable(layout.location(l, copy + moment as usize))
        };
        let leave = |manager: &Manager, layout: &Layout, l: Location| match l == location {
            true => Ok(manager.bottom()),
            false => follow(manager, layout, l),
        };
        match demand {
            Demand::Follow => self.transitions.of(location, moment as usize, &follow),
            Demand::Discharge => {
                self.transitions.of(location, OBLIGATION + moment as usize, &by_obligation)
            }
            Demand::Leave => self.transitions.once(location, &leave),
        }
    }

    /// The demand of a location on the letter, for a given next state.
    pub(crate) fn letters(
        &self,
        location: Location,
        demand: Demand,
        next: &Pair,
    ) -> Result<Bdd, OutOfNodes> {
        let follows = |l: Location| match demand {
            Demand::Discharge if self.may_be_obligation(l) => next.o.contains(l.index()),
            Demand::Leave if l == location => false,
            _ => next.s.contains(l.index()),
        };
        let constant = |manager: &Manager, _: &Layout, l: Location| match follows(l) {
            true => Ok(manager.top()),
            false => Ok(manager.bottom()),
        };
        self.transitions.once(location, &constant)
    }

    /// The initial sets.
    pub(crate) fn initial(&self) -> Result<Bdd, OutOfNodes> {
        self.transitions.initial(&by_x)
    }

    /// The sets in which finite words may end: sets of accepting locations.
    pub(crate) fn accepting_sets(&self) -> Result<Bdd, OutOfNodes> {
        let alpha = accepting(self.automaton());
        let others = self.locations.iter().filter(|location| !alpha.contains(location.index()));
        others.copied().try_fold(self.manager().top(), |sets, location| {
            sets.and_not(&self.x(location, TimePoint::Current)?)
        })
    }

    /// The letter and the state of a cube. Variables that it does not mention are false.
    pub(crate) fn read(&self, cube: &Cube) -> (Letter, Pair) {
        let mut pair = Pair { s: BitSet::new(), o: BitSet::new() };
        for literal in cube.literals().iter().filter(|literal| literal.positive) {
            match self.transitions.layout.meaning(literal.variable) {
                Meaning::Location(location, X) => drop(pair.s.insert(location.index())),
                Meaning::Location(location, OBLIGATION) => drop(pair.o.insert(location.index())),
                Meaning::Location(..) | Meaning::Proposition(_) => {}
            }
        }
        (self.transitions.letter_of(cube), pair)
    }

    /// Whether a state is in a region.
    pub(crate) fn contains(&self, region: &Bdd, state: &Pair) -> bool {
        region.eval(|variable| self.is_in(variable, state))
    }

    /// Whether a state contains the location of a current variable.
    pub(crate) fn is_in(&self, variable: Variable, state: &Pair) -> bool {
        match self.transitions.layout.meaning(variable) {
            Meaning::Location(location, X) => state.s.contains(location.index()),
            Meaning::Location(location, OBLIGATION) => state.o.contains(location.index()),
            Meaning::Location(..) | Meaning::Proposition(_) => false,
        }
    }
}

/// The locations on cycles without accepting locations.
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
