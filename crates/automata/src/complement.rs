//! The complement of an automaton.
//!
//! The *dual* exchanges conjunction and disjunction, a literal and its negation, `true` and
//! `false`, in the transitions and in the initial condition. The players of the game (`game.rs`)
//! change places, so the dual with the opposite winning condition wins where the automaton loses.
//! On finite words, the empty one included, the opposite condition makes the other locations final.
//! On infinite words it is co-Büchi: every path visits `alpha` finitely often. This is turned into
//! a Büchi condition component by component, since every path stays in one component from some
//! point on.
//!
//! - A component without cycles does not matter. A component without locations in `alpha` becomes
//!   accepting. In any other component let `R` be the locations on cycles outside of `alpha`, and
//!   `m` their number: a path that stays in the component visits `alpha` finitely often iff it
//!   stays in `R` from some point on. If `R` is empty, the component becomes rejecting. So the
//!   complement of a weak automaton is its dual, with acceptance flipped.
//! - Otherwise locations get *ranks*, after Kupferman and Vardi \[KV01\]. A location of `R` has a
//!   copy for each of the ranks `0..=2m`, any other location for the even ranks. Odd ranks are
//!   accepting. A path that enters the component starts with rank `2m`. An even rank stays, or
//!   decreases by one, by choice, on a step into `R`. An odd rank stays on a step into `R`, and
//!   decreases by one on any other step.
//!
//! **Accepted words are not in the language.** In a component ranks never increase, so a path that
//! stays there has a constant rank from some point on. The rank is odd, since the path is accepted,
//! so the path stays in `R`.
//!
//! **Words that are not in the language are accepted.** The dual then has a memoryless run in which
//! every path visits `alpha` finitely often. Take the graph of its pairs of a location of the
//! component and a time. Alternately remove the nodes that reach finitely many nodes only (rank 0),
//! then those that reach no node outside of `R` (rank 1), again those that reach finitely many
//! (rank 2), and so on. If a node is left before an odd step, some node reaches nothing outside of
//! `R`: otherwise a path would leave `R` infinitely often. Each remaining node reaches infinitely
//! many others. So the odd step removes an infinite path in `R`, which has one of the `m` locations
//! at each time from some time on. After `m` odd steps only finitely many nodes in `R` are left,
//! and no infinite path, so the rest is removed with rank `2m`. These ranks `f` never increase
//! along edges, are odd from some point on along paths that stay in the component, and are even
//! outside of `R`. The complement follows the run with ranks `r >= f`, and decreases an even `r` if
//! it is above `f`. Once `f` stays at an odd rank the path is in `R`; then an even `r` decreases,
//! an odd one stays, and the path is accepted.
//!
//! A component of `n` locations gets `m(2m + 1) + (n - m)(m + 1)` of them, each reachable, and
//! copies of its expressions for each rank. The complement is weak. Departures from \[KV01\]: ranks
//! are counted per component and by `m` instead of `n`. They decrease by one instead of to any
//! smaller one, and odd ones without a choice, so that a location in a transition becomes at most
//! two instead of `2n`.

use kermode_ltl::WordKind;

use crate::alternating::{AlternatingAutomaton, Location};
use crate::expression::{Expression, Term};
use crate::structure::{Structure, rejecting_components};

/// The largest number of expressions, one per rank, in components with ranks.
const LIMIT: u64 = 1 << 22;

/// The error for a complement that would be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComplementTooLarge {
    /// Too many expressions with ranks.
    #[error("a complement takes {size} expressions with ranks, more than {LIMIT}")]
    Ranks {
        /// The number of expressions, each counted once per rank.
        size: u64,
    },
    /// Too many slices, or transitions between them.
    #[error("a complement has too many states or transitions")]
    Slices,
}

/// An automaton that accepts exactly the words of the same kind that this one rejects.
pub fn complement<E: From<ComplementTooLarge>>(
    automaton: &AlternatingAutomaton,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<AlternatingAutomaton, E> {
    let complement = Complement::new(automaton);
    match complement.size_with_ranks() {
        size if size > LIMIT => Err(ComplementTooLarge::Ranks { size }.into()),
        _ => complement.run(interrupt),
    }
}

/// Whether the complement has locations with several ranks. That of a weak automaton has none. If
/// there are too many of them, the automaton is too large for other constructions as well, and
/// [`complement`] says so.
pub fn needs_ranks(automaton: &AlternatingAutomaton) -> bool {
    (1..=LIMIT).contains(&Complement::new(automaton).size_with_ranks())
}

/// The ranks of a component, both ends included.
#[derive(Clone, Copy, Debug)]
struct Ranks {
    lowest: usize,
    highest: usize,
}

impl Ranks {
    fn only(rank: usize) -> Self {
        Ranks { lowest: rank, highest: rank }
    }

    fn iter(self) -> std::ops::RangeInclusive<usize> {
        self.lowest..=self.highest
    }

    fn is_single(self) -> bool {
        self.lowest == self.highest
    }

    /// Whether a location may have a rank: odd ranks require `R`, unless there is one rank only.
    fn allows(self, rank: usize, in_r: bool) -> bool {
        in_r || (rank - self.lowest).is_multiple_of(2)
    }

    /// The index of a rank among those of a location, or of the next lower one.
    fn place(self, rank: usize, in_r: bool) -> usize {
        (rank - self.lowest) / if in_r { 1 } else { 2 }
    }
}

struct Complement<'a> {
    old: &'a AlternatingAutomaton,
    new: AlternatingAutomaton,
    structure: Structure,
    /// The expressions that are reachable from the initial condition.
    reached: Vec<bool>,
    /// The locations in `R`.
    returning: Vec<bool>,
    /// The ranks of each component.
    ranks: Vec<Ranks>,
    /// The copy with the lowest rank of each location; those with higher ranks follow it.
    copies: Vec<Location>,
    /// The image of each expression: during the visit of its component, within a rank; afterwards,
    /// for paths that enter the component.
    images: Vec<Expression>,
}

impl<'a> Complement<'a> {
    fn new(old: &'a AlternatingAutomaton) -> Self {
        let structure = Structure::of(old);
        let returning = returning_outside_alpha(old);
        let ranks = |component| ranks(old, &structure, &returning, component);
        let ranks: Vec<Ranks> = (0..structure.len()).map(ranks).collect();
        let new = AlternatingAutomaton::new(old.words(), old.propositions().to_vec());
        Complement {
            old,
            reached: old.reached_expressions(),
            returning,
            ranks,
            copies: vec![Location::NOWHERE; old.location_count()],
            images: vec![new.initial(); old.expressions().len()],
            new,
            structure,
        }
    }

    /// The components that are reachable from the initial condition.
    fn components(&self) -> impl Iterator<Item = usize> {
        let is_reached = |&c: &usize| self.reached[self.structure.members(c)[0].index()];
        (0..self.structure.len()).filter(is_reached)
    }

    fn size_with_ranks(&self) -> u64 {
        let ranked = self.components().filter(|&c| !self.ranks[c].is_single());
        ranked
            .map(|c| self.ranks[c].iter().count() as u64 * self.structure.members(c).len() as u64)
            .sum()
    }

    fn run<E>(
        mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<AlternatingAutomaton, E> {
        self.add_locations(interrupt)?;
        let components: Vec<usize> = self.components().collect();
        for component in components {
            self.visit(component, interrupt)?;
        }
        self.new.set_initial(self.images[self.old.initial().index()]);
        Ok(self.new)
    }

    /// Adds the copies, in the order of the locations and then of ranks.
    fn add_locations<E>(&mut self, interrupt: &mut dyn FnMut() -> Result<(), E>) -> Result<(), E> {
        for (location, component) in self.reached_locations() {
            interrupt()?;
            self.copies[location.index()] = Location::from_index(self.new.location_count());
            let ranks = self.ranks[component];
            let in_r = self.returning[location.index()];
            for rank in ranks.iter().filter(|&rank| ranks.allows(rank, in_r)) {
                self.add_copy(location, rank, ranks);
            }
        }
        Ok(())
    }

    /// The locations that are reachable from the initial condition, and their components.
    fn reached_locations(&self) -> Vec<(Location, usize)> {
        let of_component = |c| self.structure.locations(self.old, c).map(move |l| (l, c));
        let mut locations: Vec<(Location, usize)> =
            self.components().flat_map(of_component).collect();
        locations.sort_unstable();
        locations
    }

    fn add_copy(&mut self, location: Location, rank: usize, ranks: Ranks) {
        let label = self.old.label(location);
        let label = match ranks.is_single() {
            true => format!("not {label}"),
            false => format!("not {label}, rank {rank}"),
        };
        let accepting = match self.old.words() {
            WordKind::Infinite => rank % 2 == 1,
            WordKind::Finite => !self.old.is_accepting(location),
        };
        self.new.add_location(label, accepting);
    }

    /// Sets the transitions of the copies of a component. Its successors were visited before.
    fn visit<E>(
        &mut self,
        component: usize,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let members: Vec<Expression> = self.structure.members(component).to_vec();
        let locations: Vec<Location> = self.structure.locations(self.old, component).collect();
        let ranks = self.ranks[component];
        for rank in ranks.iter() {
            interrupt()?;
            self.rebuild(&members, |this, l| this.follow(l, rank, ranks));
            for &location in &locations {
                self.complete(location, rank, ranks);
            }
        }
        interrupt()?;
        self.rebuild(&members, |this, l| this.enter(l, ranks));
        Ok(())
    }

    /// Sets the transition of the copy with a rank, if that copy exists.
    fn complete(&mut self, location: Location, rank: usize, ranks: Ranks) {
        if ranks.allows(rank, self.returning[location.index()]) {
            let transition = self.images[self.old.transition(location).index()];
            self.new.set_transition(self.copy(location, rank, ranks), transition);
        }
    }

    /// The images of a component's expressions, given those of its locations.
    fn rebuild(
        &mut self,
        members: &[Expression],
        location: impl Fn(&mut Self, Location) -> Expression,
    ) {
        for &member in members {
            let image = match self.old.expressions().term(member) {
                Term::Location(l) => location(self, l),
                term => self.dual(term),
            };
            self.images[member.index()] = image;
        }
    }

    fn dual(&mut self, term: Term) -> Expression {
        let (images, expressions) = (&self.images, self.new.expressions_mut());
        match term {
            Term::Constant(value) => expressions.constant(!value),
            Term::Literal { proposition, positive } => expressions.literal(proposition, !positive),
            Term::And(a, b) => expressions.or(images[a.index()], images[b.index()]),
            Term::Or(a, b) => expressions.and(images[a.index()], images[b.index()]),
            Term::Location(_) => unreachable!("locations have copies"),
        }
    }

    /// The copy of a location with a rank, or with the next lower even rank if the location may not
    /// have that one.
    fn copy(&self, location: Location, rank: usize, ranks: Ranks) -> Location {
        let place = ranks.place(rank, self.returning[location.index()]);
        Location::from_index(self.copies[location.index()].index() + place)
    }

    /// The image of a location for paths that enter its component.
    fn enter(&mut self, location: Location, ranks: Ranks) -> Expression {
        let copy = self.copy(location, ranks.highest, ranks);
        self.new.expressions_mut().location(copy)
    }

    /// The image of a location for paths that come from its component with a rank.
    fn follow(&mut self, location: Location, rank: usize, ranks: Ranks) -> Expression {
        let stays = self.copy(location, rank, ranks);
        let stays = self.new.expressions_mut().location(stays);
        if rank == ranks.lowest || rank % 2 == 1 || !self.returning[location.index()] {
            return stays;
        }
        let falls = self.copy(location, rank - 1, ranks);
        let falls = self.new.expressions_mut().location(falls);
        self.new.expressions_mut().or(stays, falls)
    }
}

/// The ranks of a component.
fn ranks(
    automaton: &AlternatingAutomaton,
    structure: &Structure,
    returning: &[bool],
    component: usize,
) -> Ranks {
    let locations = || structure.locations(automaton, component);
    match automaton.words() {
        WordKind::Finite => Ranks::only(0),
        WordKind::Infinite if !structure.is_recurrent(component) => Ranks::only(1),
        WordKind::Infinite if !locations().any(|l| automaton.is_accepting(l)) => Ranks::only(1),
        WordKind::Infinite => {
            let m = locations().filter(|l| returning[l.index()]).count();
            Ranks { lowest: 0, highest: 2 * m }
        }
    }
}

/// The locations that lie on cycles outside of `alpha`: `R` of all components.
fn returning_outside_alpha(automaton: &AlternatingAutomaton) -> Vec<bool> {
    let mut returning = vec![false; automaton.location_count()];
    for location in rejecting_components(automaton).into_iter().flatten() {
        returning[location.index()] = true;
    }
    returning
}
