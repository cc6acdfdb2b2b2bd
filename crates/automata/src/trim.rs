//! The same language with fewer locations, in time linear in the automaton.
//!
//! - A location that accepts every word becomes `true`, one that accepts none becomes `false`. The
//!   game (`game.rs`) on a single letter that represents all letters decides that: if the automaton
//!   wins although every literal is false, it accepts every word; if it loses although every
//!   literal is true, it accepts none. Both tests are incomplete, since `a` and `!a` cannot hold
//!   together.
//! - Locations with the same transition, up to a reference to themselves, and the same acceptance
//!   are merged. Components are visited successors first, so one pass merges long chains of equal
//!   locations in a very weak automaton. On infinite words the acceptance of a location without a
//!   cycle does not matter, and it becomes accepting.
//! - Locations that are not reachable from the initial condition are removed.
//!
//! On finite words a location with the transition `true` is not `true` unless it is final: it does
//! not accept the empty word. The expressions of transitions are not simplified.

use std::convert::Infallible;

use kermode_ltl::WordKind;
use rustc_hash::FxHashMap;

use crate::alternating::{AlternatingAutomaton, Location};
use crate::combine::include;
use crate::expression::{Expression, Term};
use crate::game::{Game, Winning};
use crate::structure::Structure;

/// An automaton with the same language and no more locations.
pub fn trim(automaton: &AlternatingAutomaton) -> AlternatingAutomaton {
    let (merged, origins) = Merging::new(automaton).run();
    reachable(&merged, &origins)
}

/// The game on one letter in which all literals have the same value.
fn winning_with_literals(automaton: &AlternatingAutomaton, literals: bool) -> Winning {
    let finite = automaton.words() == WordKind::Finite;
    let game = Game {
        automaton,
        length: 1,
        literal: &|_, _, _| literals,
        // A finite word may end anywhere. Accepting all words means that no end loses; accepting
        // none means that no end wins.
        location: &|l, next| match (finite, literals) {
            (false, _) => next,
            (true, true) => next || automaton.is_accepting(l),
            (true, false) => next && automaton.is_accepting(l),
        },
        greatest: &|l| if finite { !literals } else { automaton.is_accepting(l) },
    };
    let Ok(winning) = game.solve(&mut || Ok::<(), Infallible>(()));
    winning
}

struct Merging<'a> {
    old: &'a AlternatingAutomaton,
    new: AlternatingAutomaton,
    /// The original location of each new location.
    origins: Vec<Location>,
    structure: Structure,
    always: Winning,
    possibly: Winning,
    /// The image of each expression, once its component is done.
    images: Vec<Expression>,
    /// Locations by transition and acceptance.
    representatives: FxHashMap<(Expression, bool), Location>,
    /// A placeholder for a location in its own transition.
    own_reference: Expression,
}

impl<'a> Merging<'a> {
    fn new(old: &'a AlternatingAutomaton) -> Self {
        let mut new = AlternatingAutomaton::new(old.words(), old.propositions().to_vec());
        let own_reference = new.expressions_mut().location(Location::NOWHERE);
        Merging {
            old,
            new,
            origins: Vec::new(),
            structure: Structure::of(old),
            always: winning_with_literals(old, false),
            possibly: winning_with_literals(old, true),
            images: vec![own_reference; old.expressions().len()],
            representatives: FxHashMap::default(),
            own_reference,
        }
    }

    fn run(mut self) -> (AlternatingAutomaton, Vec<Location>) {
        for component in 0..self.structure.len() {
            let members: Vec<Expression> = self.structure.members(component).to_vec();
            let first_added = self.new.location_count();
            self.place_locations(&members, component);
            self.rebuild(&members);
            for index in first_added..self.new.location_count() {
                self.complete(Location::from_index(index));
            }
        }
        let initial = self.images[self.old.initial().index()];
        self.new.set_initial(initial);
        (self.new, self.origins)
    }

    /// Computes the images of expressions whose operands have theirs. Locations are placed before.
    fn rebuild(&mut self, members: &[Expression]) {
        for &expression in members {
            let term = self.old.expressions().term(expression);
            if !matches!(term, Term::Location(_)) {
                let operand = |e: Expression| self.images[e.index()];
                let image = self.new.expressions_mut().rebuild(term, operand, |location| location);
                self.images[expression.index()] = image;
            }
        }
    }

    /// Decides the image of each location of a component.
    fn place_locations(&mut self, members: &[Expression], component: usize) {
        let alone = self.structure.locations(self.old, component).nth(1).is_none();
        for &place in members {
            let Term::Location(location) = self.old.expressions().term(place) else { continue };
            let mut image = self.constant(place);
            if image.is_none() && alone {
                self.images[place.index()] = self.own_reference;
                self.rebuild(members);
                image = self.representative(location, component);
            }
            let image = image.unwrap_or_else(|| self.add(location, alone, component));
            self.images[place.index()] = image;
        }
    }

    /// `true` or `false`, if the location is equivalent to it.
    fn constant(&mut self, place: Expression) -> Option<Expression> {
        let value = match (self.always.get(place, 0), self.possibly.get(place, 0)) {
            (true, _) => true,
            (_, false) => false,
            _ => return None,
        };
        Some(self.new.expressions_mut().constant(value))
    }

    /// Whether the acceptance of the location does not matter.
    fn is_indifferent(&self, component: usize) -> bool {
        self.old.words() == WordKind::Infinite && !self.structure.is_recurrent(component)
    }

    /// A new location with the same transition, rebuilt with a placeholder for the location
    /// own_reference.
    fn representative(&mut self, location: Location, component: usize) -> Option<Expression> {
        let transition = self.images[self.old.transition(location).index()];
        let accepting = self.old.is_accepting(location);
        let same = self.representatives.get(&(transition, accepting));
        let other = self.representatives.get(&(transition, !accepting));
        let found = same.or(other.filter(|_| self.is_indifferent(component))).copied()?;
        Some(self.new.expressions_mut().location(found))
    }

    fn add(&mut self, location: Location, alone: bool, component: usize) -> Expression {
        let accepting = self.old.is_accepting(location) || self.is_indifferent(component);
        let added = self.new.add_location(self.old.label(location), accepting);
        self.origins.push(location);
        if alone {
            let transition = self.images[self.old.transition(location).index()];
            self.representatives.insert((transition, accepting), added);
        }
        self.new.expressions_mut().location(added)
    }

    /// Sets the transition of a new location. Other locations may have the same transition.
    fn complete(&mut self, added: Location) {
        let transition = self.images[self.old.transition(self.origins[added.index()]).index()];
        self.new.set_transition(added, transition);
        self.representatives.entry((transition, self.new.is_accepting(added))).or_insert(added);
    }
}

/// The automaton without the locations that are unreachable from its initial condition, in the
/// order of their original locations.
fn reachable(automaton: &AlternatingAutomaton, origins: &[Location]) -> AlternatingAutomaton {
    let reached = automaton.reached_expressions();
    let location = |(e, term): (Expression, Term)| match term {
        Term::Location(location) if reached[e.index()] => Some(location),
        _ => None,
    };
    let mut locations: Vec<Location> =
        automaton.expressions().iter().filter_map(location).collect();
    locations.sort_by_key(|l| origins[l.index()]);
    let propositions = automaton.propositions().to_vec();
    let mut rest = AlternatingAutomaton::new(automaton.words(), propositions);
    let initial = include(&mut rest, automaton, &locations, |e| reached[e.index()]);
    rest.set_initial(initial);
    rest
}
