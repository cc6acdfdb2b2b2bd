//! Transitions as decision diagrams, built on demand.
//!
//! The same transition is needed with different variables for its locations: a [`Reading`] is one
//! interpretation of locations. Common subexpressions of transitions are compiled once per reading.

use kermode_automata::{AlternatingAutomaton, Expression, Location, Term};
use kermode_base::BitSet;
use kermode_bdd::{Bdd, Cube, Manager, OutOfNodes};
use kermode_ltl::{Letter, Proposition};
use rustc_hash::FxHashMap;

use super::layout::{Layout, Meaning};
use crate::frame::bdd_manager::manager;
use crate::frame::budget::{Budget, Stop};

/// An interpretation of the locations of a transition: a number that only the owner of the
/// transitions understands.
pub(crate) type Reading = usize;

/// The copy of a location's variable that says whether it is in the next set.
pub(crate) const X: usize = 0;

/// A location as its variable `x`.
pub(crate) fn by_x(
    manager: &Manager,
    layout: &Layout,
    location: Location,
) -> Result<Bdd, OutOfNodes> {
    manager.variable(layout.location(location, X))
}

/// The transitions of an automaton.
pub(crate) struct Transitions<'a> {
    pub(crate) automaton: &'a AlternatingAutomaton,
    pub(crate) manager: Manager,
    pub(crate) layout: Layout,
    compiled: Vec<FxHashMap<Expression, Bdd>>,
}

impl<'a> Transitions<'a> {
    pub(crate) fn new(
        automaton: &'a AlternatingAutomaton,
        layout: Layout,
        readings: usize,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let manager = manager(layout.len(), budget)?;
        Ok(Transitions::within(manager, automaton, layout, readings))
    }

    /// Transitions in a manager that has the variables of the layout.
    pub(crate) fn within(
        manager: Manager,
        automaton: &'a AlternatingAutomaton,
        layout: Layout,
        readings: usize,
    ) -> Self {
        let compiled = vec![FxHashMap::default(); readings];
        Transitions { automaton, manager, layout, compiled }
    }

    /// The transition of a location. `leaf` interprets its locations and must belong to this
    /// reading.
    pub(crate) fn of(
        &mut self,
        location: Location,
        reading: Reading,
        leaf: &dyn Fn(&Manager, &Layout, Location) -> Result<Bdd, OutOfNodes>,
    ) -> Result<Bdd, OutOfNodes> {
        let transition = self.automaton.transition(location);
        let mut compiled = std::mem::take(&mut self.compiled[reading]);
        let result = self.compile(transition, &mut compiled, leaf);
        self.compiled[reading] = compiled;
        result
    }

    /// The same, if it takes at most about `most` new nodes. Partial results are cached.
    pub(crate) fn of_within(
        &mut self,
        location: Location,
        reading: Reading,
        leaf: &dyn Fn(&Manager, &Layout, Location) -> Result<Bdd, OutOfNodes>,
        most: usize,
    ) -> Result<Option<Bdd>, OutOfNodes> {
        let mut compiled = std::mem::take(&mut self.compiled[reading]);
        let result = self.compile_within(location, &mut compiled, leaf, most);
        self.compiled[reading] = compiled;
        result
    }

    /// The transition of a location with a one-time interpretation, if it takes at most about
    /// `most` new nodes.
    pub(crate) fn once_within(
        &self,
        location: Location,
        leaf: &dyn Fn(&Manager, &Layout, Location) -> Result<Bdd, OutOfNodes>,
        most: usize,
    ) -> Result<Option<Bdd>, OutOfNodes> {
        self.compile_within(location, &mut FxHashMap::default(), leaf, most)
    }

    /// Compiles the expressions of a transition one by one, until there are too many nodes.
    fn compile_within(
        &self,
        location: Location,
        compiled: &mut FxHashMap<Expression, Bdd>,
        leaf: &dyn Fn(&Manager, &Layout, Location) -> Result<Bdd, OutOfNodes>,
        most: usize,
    ) -> Result<Option<Bdd>, OutOfNodes> {
        let root = self.automaton.transition(location);
        let before = self.manager.statistics().nodes;
        for expression in self.automaton.expressions().below(&[root]) {
            if compiled.contains_key(&expression) {
                continue;
            }
            self.compile(expression, compiled, leaf)?;
            if self.manager.statistics().nodes > before.saturating_add(most) {
                return Ok(None);
            }
        }
        Ok(compiled.get(&root).cloned())
    }

    /// The initial condition; `leaf` interprets its locations.
    pub(crate) fn initial(
        &self,
        leaf: &dyn Fn(&Manager, &Layout, Location) -> Result<Bdd, OutOfNodes>,
    ) -> Result<Bdd, OutOfNodes> {
        self.compile(self.automaton.initial(), &mut FxHashMap::default(), leaf)
    }

    fn compile(
        &self,
        root: Expression,
        compiled: &mut FxHashMap<Expression, Bdd>,
        leaf: &dyn Fn(&Manager, &Layout, Location) -> Result<Bdd, OutOfNodes>,
    ) -> Result<Bdd, OutOfNodes> {
        let mut stack = vec![root];
        while let Some(&expression) = stack.last() {
            if compiled.contains_key(&expression) {
                stack.pop();
                continue;
            }
            let term = self.automaton.expressions().term(expression);
            let waiting = stack.len();
            stack.extend(term.operands().filter(|operand| !compiled.contains_key(operand)));
            if stack.len() > waiting {
                continue;
            }
            let bdd = match term {
                Term::Constant(true) => self.manager.top(),
                Term::Constant(false) => self.manager.bottom(),
                Term::Literal { proposition, positive } => {
                    self.manager.literal(self.layout.proposition(proposition), positive)?
                }
                Term::Location(location) => leaf(&self.manager, &self.layout, location)?,
                Term::And(a, b) => compiled[&a].and(&compiled[&b])?,
                Term::Or(a, b) => compiled[&a].or(&compiled[&b])?,
            };
            compiled.insert(expression, bdd);
        }
        Ok(compiled[&root].clone())
    }

    /// The transition of a location with a one-time interpretation.
    pub(crate) fn once(
        &self,
        location: Location,
        leaf: &dyn Fn(&Manager, &Layout, Location) -> Result<Bdd, OutOfNodes>,
    ) -> Result<Bdd, OutOfNodes> {
        self.compile(self.automaton.transition(location), &mut FxHashMap::default(), leaf)
    }

    /// The letters on which a location has the locations of a predicate as a successor.
    pub(crate) fn letters(
        &self,
        location: Location,
        follows: &dyn Fn(Location) -> bool,
    ) -> Result<Bdd, OutOfNodes> {
        let leaf = |manager: &Manager, _: &Layout, location| {
            Ok(if follows(location) { manager.top() } else { manager.bottom() })
        };
        self.once(location, &leaf)
    }

    /// A letter on which each of these locations has the locations of its predicate as a successor.
    pub(crate) fn letter(
        &self,
        steps: &[(Location, &dyn Fn(Location) -> bool)],
    ) -> Result<Letter, Stop> {
        let mut allowed = self.manager.top();
        for (location, follows) in steps {
            allowed = allowed.and(&self.letters(*location, follows)?)?;
        }
        let cube = allowed.pick_cube().expect("a letter leads from a state to its successor");
        Ok(self.letter_of(&cube))
    }

    /// The letter with the propositions that are true in a cube.
    pub(crate) fn letter_of(&self, cube: &Cube) -> Letter {
        let positive = cube.literals().iter().filter(|literal| literal.positive);
        let proposition = |meaning| match meaning {
            Meaning::Proposition(proposition) => Some(proposition),
            Meaning::Location(..) => None,
        };
        let letter = positive.filter_map(|l| proposition(self.layout.meaning(l.variable)));
        letter.collect::<Vec<Proposition>>().into_iter().collect()
    }

    /// The propositions in the transition of a location.
    pub(crate) fn propositions_of(&self, location: Location) -> Vec<Proposition> {
        let expressions = self.automaton.expressions();
        let below = expressions.below(&[self.automaton.transition(location)]);
        let proposition = |expression| match expressions.term(expression) {
            Term::Literal { proposition, .. } => Some(proposition),
            _ => None,
        };
        below.into_iter().filter_map(proposition).collect()
    }

    /// The locations in the transition of a location.
    pub(crate) fn targets_of(&self, location: Location) -> BitSet {
        self.automaton.targets(location).map(Location::index).collect()
    }
}
