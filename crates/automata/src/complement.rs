//! The words that an automaton does not accept.
//!
//! The *dual* exchanges conjunction and disjunction, a literal and its negation, `true` and `false`, in the transitions
//! and in the initial condition. The players of the game (`game.rs`) change places, so the dual wins where the automaton
//! loses if it has the opposite winning condition. On finite words, the empty one included, that is: the
//! final locations are the others. On infinite words it is: `alpha` is visited only finitely often (co-Büchi).
//! Back to Büchi's condition it is brought component by component, since a path stays in one of them in the end.
//!
//! - Components to which no run returns decide nothing. Those without locations in `alpha` become accepting, and those
//!   that have no cycle outside of `alpha` become not accepting: every path that stays there visits it again and again.
//!   The complement of a weak automaton is its dual, with acceptance flipped.
//! - In any other component locations get *ranks*, after Kupferman and Vardi \[KV01\]. Let `m` be the number of its locations
//!   that lie on cycles outside of `alpha`. A location is copied for the ranks `0..=2m`, for the even ones only if it is
//!   in `alpha`; odd ranks are accepting. Who comes from elsewhere begins with rank `2m`. In the component
//!   the rank stays or falls by one; on the way into a location of `alpha` an odd rank falls and an even one stays.
//!
//! **Accepted words are not in the language.** In a component ranks never rise, so a path that stays there keeps one rank in
//! the end. It is odd, since the path is accepted, and then the path visits `alpha` no more.
//!
//! **Words that are not in the language are accepted.** The dual then has a run without memory, in which every path visits
//! `alpha` finitely often. Take the graph `G` of its pairs of a location of the component and a time. Remove in turn
//! the nodes from which only finitely many others are reached, and give them rank 0; then those from which `alpha` is not
//! reached, rank 1; again those that reach finitely many, rank 2; and so on. In an odd step, if anything is left, there
//! are nodes that do not reach `alpha`, or a path could visit it for ever; and all nodes reach infinitely many. So an infinite path outside of
//! `alpha` goes, which in the end stays on cycles outside of `alpha`: from some time on one of the `m` locations goes at
//! every time. After `m` odd steps an infinite path would have nowhere to stay but in `alpha`, so what is left goes with
//! rank `2m`. Now these ranks `f` do not rise along edges, are odd in the end on every path that stays in the component, and nodes of
//! `alpha` have even ones. The complement plays this run with ranks `r >= f`: into `alpha` the rank
//! is what it must be, and elsewhere it falls while it is above `f`. Where `f` remains, an odd number, `r` comes down to
//! it, and the path is accepted.
//!
//! So the complement of `n` locations, `k` of them in `alpha`, has at most `(2m + 1)(n - k) + (m + 1)k` with `m <= n - k`, and is weak.
//! Expressions are copied once a rank. Departures from \[KV01\]: ranks are counted by component and by `m` instead of `n`; and
//! a rank falls by one instead of to any smaller one, so that a location in a transition becomes two, not up to `2n`.

use kermode_ltl::WordKind;

use crate::alternating::{AlternatingAutomaton, Location};
use crate::expression::{Expression, Term};
use crate::structure::Structure;

/// How many expressions, ranks counted, the components that need ranks may have.
const LIMIT: u64 = 1 << 22;

/// The complement would be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a complement takes {size} expressions with ranks, more than {LIMIT}")]
pub struct ComplementTooLarge {
    /// How many expressions there would be, each counted with each of its ranks.
    pub size: u64,
}

/// An automaton that accepts the words of its kind that this one does not.
pub fn complement<E: From<ComplementTooLarge>>(
    automaton: &AlternatingAutomaton,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<AlternatingAutomaton, E> {
    let complement = Complement::new(automaton);
    match complement.size_with_ranks() {
        size if size > LIMIT => Err(ComplementTooLarge { size }.into()),
        _ => complement.run(interrupt),
    }
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

    /// Whether a location may have a rank: of several, those in `alpha` have only even ones.
    fn allows(self, rank: usize, accepting: bool) -> bool {
        !accepting || (rank - self.lowest).is_multiple_of(2)
    }

    /// The place of a rank among those that a location may have, or of the next one below it.
    fn place(self, rank: usize, accepting: bool) -> usize {
        (rank - self.lowest) / if accepting { 2 } else { 1 }
    }
}

struct Complement<'a> {
    old: &'a AlternatingAutomaton,
    new: AlternatingAutomaton,
    structure: Structure,
    /// What the initial condition leads to.
    reached: Vec<bool>,
    /// Of each component.
    ranks: Vec<Ranks>,
    /// The copy with the lowest rank of each location; those with higher ranks follow it.
    copies: Vec<Location>,
    /// What each expression becomes: while its component is visited, within a rank; later, for those who come from elsewhere.
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
            ranks,
            copies: vec![Location::NOWHERE; old.location_count()],
            images: vec![new.initial(); old.expressions().len()],
            new,
            structure,
        }
    }

    /// The components that the initial condition leads to.
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
            let accepting = self.old.is_accepting(location);
            for rank in ranks.iter().filter(|&rank| ranks.allows(rank, accepting)) {
                self.add_copy(location, rank, ranks);
            }
        }
        Ok(())
    }

    /// The locations that the initial condition leads to, and their components.
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

    /// Gives the copies of a component their transitions. What it leads to was visited before.
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

    /// Gives the copy with a rank its transition, if there is that copy.
    fn complete(&mut self, location: Location, rank: usize, ranks: Ranks) {
        if ranks.allows(rank, self.old.is_accepting(location)) {
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

    /// The copy of a location with a rank, or with the even one below it if the location may not have that.
    fn copy(&self, location: Location, rank: usize, ranks: Ranks) -> Location {
        let place = ranks.place(rank, self.old.is_accepting(location));
        Location::from_index(self.copies[location.index()].index() + place)
    }

    /// A location for those who come from elsewhere.
    fn enter(&mut self, location: Location, ranks: Ranks) -> Expression {
        let copy = self.copy(location, ranks.highest, ranks);
        self.new.expressions_mut().location(copy)
    }

    /// A location for those who come from its component with a rank.
    fn follow(&mut self, location: Location, rank: usize, ranks: Ranks) -> Expression {
        let stays = self.copy(location, rank, ranks);
        let stays = self.new.expressions_mut().location(stays);
        if rank == ranks.lowest || self.old.is_accepting(location) {
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

/// The locations that lie on cycles outside of `alpha`.
fn returning_outside_alpha(automaton: &AlternatingAutomaton) -> Vec<bool> {
    let mut outside = automaton.clone();
    let nothing = outside.expressions_mut().constant(false);
    for location in automaton.locations().filter(|&l| automaton.is_accepting(l)) {
        outside.set_transition(location, nothing);
    }
    let structure = Structure::of(&outside);
    let mut returning = vec![false; automaton.location_count()];
    for component in (0..structure.len()).filter(|&c| structure.is_recurrent(c)) {
        structure.locations(&outside, component).for_each(|l| returning[l.index()] = true);
    }
    returning
}
