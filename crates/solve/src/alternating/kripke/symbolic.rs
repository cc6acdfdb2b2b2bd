//! The product of a model and an alternating automaton as one model: the fully symbolic counterpart
//! of regions in the form of antichains \[DDMR08b\].
//!
//! A location `l` becomes a variable `x_l`: it is in `s`. For pairs of Miyano and Hayashi a
//! location that may be an obligation has a second one, `y_l`: it is in `o`. The relation is that
//! of `steps`, closed upwards (Lemma 3 of \[DDMR08\]), with the propositions replaced by the atoms
//! of the model. So regions are closed, upwards if steps go forward and downwards if they go
//! backward; `convert` goes from one representation to the other.

use kermode_automata::{AlternatingAutomaton, AlternatingStatistics, Location, Term};
use kermode_base::BitSet;
use kermode_ltl::{Proposition, WordKind};
use kermode_system::{Expression, Model, Variable};
use rustc_hash::FxHashMap;

use crate::alternating::encoding::may_stay;
use crate::frame::budget::{Budget, Stop};

/// The variables of a location.
pub(crate) struct LocationVariables {
    pub(crate) location: Location,
    pub(crate) x: Variable,
    /// If it may be an obligation.
    pub(crate) y: Option<Variable>,
}

/// The product.
pub(crate) struct SymbolicProduct {
    /// The product as a model. Its variables come after those of the given model.
    pub(crate) model: Model,
    /// Over finite words, what holds at the last state of an accepted path.
    pub(crate) last: Expression,
}

impl SymbolicProduct {
    /// The product. If it is generalised, very weak automata have a justice constraint for each
    /// location that must be left, in place of pairs.
    pub(crate) fn new(
        model: &Model,
        automaton: &AlternatingAutomaton,
        generalised: bool,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let conditions = match automaton.words() {
            WordKind::Infinite => may_stay(automaton),
            WordKind::Finite => BitSet::new(),
        };
        let generalised = generalised && AlternatingStatistics::of(automaton).very_weak;
        let mut builder = Builder::new(model, automaton, &conditions, !generalised);
        builder.begin();
        builder.follow(budget)?;
        match generalised {
            true => builder.leave(),
            false if conditions.is_empty() => {}
            false => builder.discharge(budget)?,
        }
        let last = match automaton.words() {
            WordKind::Finite => builder.ends(),
            WordKind::Infinite => builder.model.graph.constant(true),
        };
        let Builder { mut model, .. } = builder;
        // A trace gives its word, so atoms are not needed.
        model.atoms.clear();
        Ok(SymbolicProduct { model, last })
    }
}

/// What is true of a location where it occurs in a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// It is in `s`.
    Now,
    /// It is in the next `s`.
    Next,
    /// It is in the next `s`, and is another one than this.
    Leaving(Location),
    /// It is in the next `o`, or in the next `s` if it cannot be an obligation.
    Discharged,
    /// It is accepting: there is no next state.
    End,
}

struct Builder<'a> {
    automaton: &'a AlternatingAutomaton,
    model: Model,
    locations: Vec<LocationVariables>,
    /// The indices of locations in `locations`.
    places: FxHashMap<Location, usize>,
    conditions: &'a BitSet,
    /// The meaning of propositions.
    atoms: FxHashMap<Proposition, Expression>,
}

impl<'a> Builder<'a> {
    /// Declares the variables: of reachable locations, and of propositions that are no atoms.
    fn new(
        given: &Model,
        automaton: &'a AlternatingAutomaton,
        conditions: &'a BitSet,
        pairs: bool,
    ) -> Self {
        let (mut model, mut atoms) = (given.clone(), FxHashMap::default());
        for &proposition in automaton.propositions() {
            let atom = match model.atoms.get(&proposition) {
                Some(&atom) => atom,
                None => {
                    let free = model.auxiliary("free");
                    model.graph.current(free)
                }
            };
            atoms.insert(proposition, atom);
        }
        let (mut locations, mut places) = (Vec::new(), FxHashMap::default());
        for location in reachable(automaton) {
            let label = automaton.label(location);
            let x = model.auxiliary(label);
            let may_owe = pairs && conditions.contains(location.index());
            let y = may_owe.then(|| model.auxiliary(label));
            places.insert(location, locations.len());
            locations.push(LocationVariables { location, x, y });
        }
        Builder { automaton, model, locations, places, conditions, atoms }
    }

    /// The expression of a location.
    fn location(&mut self, location: Location, reading: Reading) -> Expression {
        let LocationVariables { x, y, .. } = self.locations[self.places[&location]];
        let graph = &mut self.model.graph;
        match reading {
            Reading::Now => graph.current(x),
            Reading::Next => graph.next(x),
            Reading::Leaving(left) if left == location => graph.constant(false),
            Reading::Leaving(_) => graph.next(x),
            Reading::Discharged => graph.next(y.unwrap_or(x)),
            Reading::End => graph.constant(self.automaton.is_accepting(location)),
        }
    }

    /// The expression of a condition of the automaton.
    fn condition(&mut self, root: kermode_automata::Expression, reading: Reading) -> Expression {
        let mut built: FxHashMap<kermode_automata::Expression, Expression> = FxHashMap::default();
        for expression in self.automaton.expressions().below(&[root]) {
            let result = match self.automaton.expressions().term(expression) {
                Term::Constant(value) => self.model.graph.constant(value),
                Term::Literal { proposition, positive: true } => self.atoms[&proposition],
                Term::Literal { proposition, positive: false } => {
                    self.model.graph.not(self.atoms[&proposition])
                }
                Term::Location(location) => self.location(location, reading),
                Term::And(a, b) => self.model.graph.and(built[&a], built[&b]),
                Term::Or(a, b) => self.model.graph.or(built[&a], built[&b]),
            };
            built.insert(expression, result);
        }
        built[&root]
    }

    /// The demand of the location at a place.
    fn demand(&mut self, place: usize, reading: Reading) -> Expression {
        let location = self.locations[place].location;
        self.condition(self.automaton.transition(location), reading)
    }

    /// `s` satisfies the initial condition, and there are no obligations.
    fn begin(&mut self) {
        let initial = self.condition(self.automaton.initial(), Reading::Now);
        let nothing_owed = self.breakpoint();
        let Model { graph, system, .. } = &mut self.model;
        system.add_initial(graph, initial);
        system.add_initial(graph, nothing_owed);
    }

    /// If a location is in `s`, its demand is satisfied.
    fn follow(&mut self, budget: &Budget) -> Result<(), Stop> {
        for place in 0..self.locations.len() {
            budget.check()?;
            let demand = self.demand(place, Reading::Next);
            self.add_implication(self.locations[place].x, demand);
        }
        Ok(())
    }

    /// `o` is in `s`; obligations are discharged, and after a breakpoint all locations are.
    fn discharge(&mut self, budget: &Budget) -> Result<(), Stop> {
        let breakpoint = self.breakpoint();
        for place in 0..self.locations.len() {
            budget.check()?;
            let demand = self.demand(place, Reading::Discharged);
            let LocationVariables { x, y, .. } = self.locations[place];
            let after = self.model.graph.implies(breakpoint, demand);
            self.add_implication(x, after);
            if let Some(y) = y {
                self.add_implication(y, demand);
                let Model { graph, system, .. } = &mut self.model;
                let [x, y] = [x, y].map(|variable| graph.current(variable));
                let inside = graph.implies(y, x);
                system.add_invariant(graph, inside);
            }
        }
        self.model.system.add_justice(breakpoint);
        Ok(())
    }

    /// Infinitely many steps start without a location, or their successors of it do not include it.
    fn leave(&mut self) {
        for index in self.conditions.iter() {
            let Some(&place) = self.places.get(&Location::from_index(index)) else { continue };
            let LocationVariables { location, x, .. } = self.locations[place];
            let demand = self.demand(place, Reading::Leaving(location));
            let graph = &mut self.model.graph;
            let is_in = graph.current(x);
            let leaves = graph.implies(is_in, demand);
            self.model.system.add_justice(leaves);
        }
    }

    /// All locations of `s` accept after the letter of the state.
    fn ends(&mut self) -> Expression {
        let mut all = self.model.graph.constant(true);
        for place in 0..self.locations.len() {
            let demand = self.demand(place, Reading::End);
            let graph = &mut self.model.graph;
            let is_in = graph.current(self.locations[place].x);
            let ends = graph.implies(is_in, demand);
            all = graph.and(all, ends);
        }
        all
    }

    /// There are no obligations.
    fn breakpoint(&mut self) -> Expression {
        let graph = &mut self.model.graph;
        let owed = self.locations.iter().filter_map(|location| location.y);
        let owed: Vec<Expression> = owed.map(|y| graph.current(y)).collect();
        let any = graph.any(owed);
        graph.not(any)
    }

    /// A step satisfies a constraint if the variable is true before it.
    fn add_implication(&mut self, variable: Variable, constraint: Expression) {
        let Model { graph, system, .. } = &mut self.model;
        let premise = graph.current(variable);
        let constraint = graph.implies(premise, constraint);
        system.add_transition(graph, constraint);
    }
}

/// The locations that the initial condition reaches, in the order of their discovery.
pub(super) fn reachable(automaton: &AlternatingAutomaton) -> Vec<Location> {
    let mut seen = BitSet::new();
    let mut found = Vec::new();
    let locations = |condition| {
        let below = automaton.expressions().below(&[condition]).into_iter();
        below.filter_map(|expression| match automaton.expressions().term(expression) {
            Term::Location(location) => Some(location),
            _ => None,
        })
    };
    let mut conditions = vec![automaton.initial()];
    while let Some(condition) = conditions.pop() {
        for location in locations(condition).filter(|location| seen.insert(location.index())) {
            found.push(location);
            conditions.push(automaton.transition(location));
        }
    }
    found
}
