//! From regions to runs: a walk through the rings of a fixpoint, against its direction.
//!
//! The *layer* `i` of a fixpoint has the states that are `i` steps, and no fewer, from its seed.
//! Ring `i` includes layer `i`, and may include states of earlier layers, if that makes it smaller,
//! but none of later ones. So a state of layer `i` is in no earlier ring than ring `i`, and the
//! first ring with a state is that of its layer. Its neighbours are at most one layer before it. So
//! it has a neighbour in ring `i - 1`, and every neighbour there is of layer `i - 1`: the walk goes
//! on from there in the same way.
//!
//! In a fixpoint of fair states the
//! walk meets the marks in turn: from the current state through the rings around the steps with the
//! mark, by such a step back into the fixpoint, and on to the next mark. One pass over all marks is
//! a *round*. The walk closes when a state recurs at the end of a round, or reaches a state from
//! which the steps since an earlier end can be repeated for ever. The choice of a neighbour depends
//! on state and ring only, so a state recurs at the latest when no new ones are left.

use std::hash::Hash;

use indexmap::IndexMap;
use kermode_ltl::{Letter, Word};
use rustc_hash::FxBuildHasher;

use super::fixpoints::reachable;
use super::{Direction, Images};
use crate::frame::budget::Stop;

/// An algebra with access to single states.
pub trait Traces: Images {
    /// One state.
    type State: Clone + Eq + Hash;
    /// What a walk stores of a step, such as its letter.
    type Label: Clone;

    /// The intersection of two regions.
    fn intersection(
        &mut self,
        one: &Self::Region,
        other: &Self::Region,
    ) -> Result<Self::Region, Stop>;

    /// Some state of a nonempty region.
    fn some_state(&self, region: &Self::Region) -> Self::State;

    /// Whether a state is in a region.
    fn contains(&self, region: &Self::Region, state: &Self::State) -> bool;

    /// A state of a region that is adjacent to a state, against the direction of the algebra, with
    /// the label of the step between them. If a mark is given, the step has it.
    fn neighbour(
        &mut self,
        state: &Self::State,
        region: &Self::Region,
        mark: Option<usize>,
    ) -> Result<(Self::Label, Self::State), Stop>;

    /// Whether the steps from a state to a later one can be repeated from there for ever.
    fn closes(&self, earlier: &Self::State, later: &Self::State) -> bool {
        earlier == later
    }

    /// Whether every infinite run is fair.
    fn is_safety(&self) -> bool;
}

/// States and the labels of the steps between them: step `i` has label `i` and leaves state `i`.
/// The state after the last step is [`Walk::here`].
#[derive(Clone, Debug)]
pub struct Walk<S, L = Letter> {
    states: Vec<S>,
    labels: Vec<L>,
    /// The last state.
    pub here: S,
}

impl<S, L> Walk<S, L> {
    /// An empty walk.
    pub fn from(start: S) -> Self {
        Walk { states: Vec::new(), labels: Vec::new(), here: start }
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether the walk has no step.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The part of the walk from a step on.
    pub(super) fn since(mut self, step: usize) -> Self {
        self.states.drain(..step);
        self.labels.drain(..step);
        self
    }

    /// Adds a step: its label, and the state that it leads to.
    pub(crate) fn step(&mut self, (label, next): (L, S)) {
        self.labels.push(label);
        self.states.push(std::mem::replace(&mut self.here, next));
    }

    /// The steps in the order of time, each with the state that it leaves. Walks through backward
    /// fixpoints are in that order, walks through forward ones in reverse.
    pub fn in_time(self, direction: Direction) -> Vec<Moment<S, L>> {
        let Walk { mut states, mut labels, here } = self;
        if direction == Direction::Forward {
            states.push(here);
            states.remove(0);
            states.reverse();
            labels.reverse();
        }
        states.into_iter().zip(labels).map(|(state, label)| Moment { state, label }).collect()
    }
}

/// A state of a run and the label of the step that leaves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment<S, L = Letter> {
    /// The state.
    pub state: S,
    /// The label.
    pub label: L,
}

/// A run that ends in a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso<S, L = Letter> {
    /// The steps before the loop.
    pub prefix: Vec<Moment<S, L>>,
    /// The loop, which is not empty.
    pub cycle: Vec<Moment<S, L>>,
}

impl<S> Lasso<S> {
    /// The word of the run.
    pub fn into_word(self) -> Word {
        let letters = |moments: Vec<Moment<S>>| moments.into_iter().map(|m| m.label).collect();
        Word::lasso(letters(self.prefix), letters(self.cycle))
    }
}

/// This many ends of rounds are compared by `closes`, further ones by equality only.
const MOST_COMPARED: usize = 256;

/// A closed walk, and the step at which its cycle begins.
pub(crate) struct ClosedWalk<S, L> {
    pub(crate) walk: Walk<S, L>,
    pub(crate) begin: usize,
}

/// A closed walk in an algebra.
pub(crate) type ClosedWalkIn<T> = ClosedWalk<<T as Traces>::State, <T as Traces>::Label>;

/// Walks from a state of some ring to the first ring, by as few steps as possible. The rings are
/// those of a breadth-first search, so that the next ring has a neighbour (see above).
pub fn approach<T: Traces>(
    space: &mut T,
    rings: &[T::Region],
    walk: &mut Walk<T::State, T::Label>,
) -> Result<(), Stop> {
    let place = rings.iter().position(|ring| space.contains(ring, &walk.here));
    let place = place.expect("the state is in a ring");
    for ring in rings[..place].iter().rev() {
        walk.step(space.neighbour(&walk.here, ring, None)?);
    }
    Ok(())
}

/// Walks among fair states until the walk closes. Gives up when it gets too long.
pub(crate) fn around<T: Traces>(
    space: &mut T,
    fair: &T::Region,
    start: T::State,
    longest: usize,
) -> Result<Option<ClosedWalkIn<T>>, Stop> {
    // Without marks, any step is enough.
    let mut rings = vec![Vec::new(); space.mark_count()];
    let mut walk = Walk::from(start);
    let mut ends: Ends<T::State> = IndexMap::default();
    while walk.len() <= longest {
        if let Some(begin) = closed(space, &ends, &walk.here) {
            return Ok(Some(ClosedWalk { walk, begin }));
        }
        ends.insert(walk.here.clone(), walk.len());
        for (mark, rings) in rings.iter_mut().enumerate() {
            extend(space, rings, fair, mark, &walk.here)?;
            approach(space, rings, &mut walk)?;
            walk.step(space.neighbour(&walk.here, fair, Some(mark))?);
        }
    }
    Ok(None)
}

/// Computes rings around the steps with a mark until the state is in one of them. Most states are
/// in the first.
fn extend<T: Traces>(
    space: &mut T,
    rings: &mut Vec<T::Region>,
    fair: &T::Region,
    mark: usize,
    state: &T::State,
) -> Result<(), Stop> {
    if space.is_safety() {
        rings.resize(1, fair.clone());
    }
    if rings.iter().any(|ring| space.contains(ring, state)) {
        return Ok(());
    }
    let seed = match rings.first() {
        Some(first) => first.clone(),
        None => space.marked_image(fair, mark)?,
    };
    rings.clear();
    reachable(space, &seed, &mut |space, ring| {
        rings.push(ring.clone());
        Ok(space.contains(ring, state))
    })?;
    Ok(())
}

/// The states at the ends of rounds, with the number of steps before them.
type Ends<S> = IndexMap<S, usize, FxBuildHasher>;

/// The step at which the cycle begins that this end of a round closes.
fn closed<T: Traces>(space: &T, ends: &Ends<T::State>, state: &T::State) -> Option<usize> {
    let equal = ends.get(state).copied();
    equal.or_else(|| {
        let mut compared = ends.iter().take(MOST_COMPARED);
        compared.find_map(|(earlier, &begin)| space.closes(earlier, state).then_some(begin))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kermode_base::Rng;

    use super::*;
    use crate::fixpoint::Regions;

    /// A random graph whose rings include random states of earlier layers.
    struct Graph {
        successors: Vec<BTreeSet<usize>>,
        rng: Rng,
    }

    impl Regions for Graph {
        type Region = BTreeSet<usize>;

        fn none(&self) -> BTreeSet<usize> {
            BTreeSet::new()
        }

        fn is_empty(&self, region: &BTreeSet<usize>) -> bool {
            region.is_empty()
        }

        fn add(
            &mut self,
            region: &mut BTreeSet<usize>,
            more: &BTreeSet<usize>,
        ) -> Result<BTreeSet<usize>, Stop> {
            let mut new: BTreeSet<usize> = more.difference(region).copied().collect();
            if !new.is_empty() {
                new.extend(region.iter().filter(|_| self.rng.below(2) == 0));
            }
            region.extend(more);
            Ok(new)
        }

        fn includes(
            &mut self,
            larger: &BTreeSet<usize>,
            smaller: &BTreeSet<usize>,
        ) -> Result<bool, Stop> {
            Ok(larger.is_superset(smaller))
        }

        fn pick(&mut self, region: &mut BTreeSet<usize>) -> BTreeSet<usize> {
            std::mem::take(region)
        }
    }

    impl Images for Graph {
        fn image(&mut self, region: &BTreeSet<usize>) -> Result<BTreeSet<usize>, Stop> {
            Ok(region.iter().flat_map(|&state| &self.successors[state]).copied().collect())
        }

        fn mark_count(&self) -> usize {
            1
        }

        fn marked_image(
            &mut self,
            region: &BTreeSet<usize>,
            _: usize,
        ) -> Result<BTreeSet<usize>, Stop> {
            self.image(region)
        }
    }

    impl Traces for Graph {
        type State = usize;
        type Label = ();

        fn intersection(
            &mut self,
            one: &BTreeSet<usize>,
            other: &BTreeSet<usize>,
        ) -> Result<BTreeSet<usize>, Stop> {
            Ok(one & other)
        }

        fn some_state(&self, region: &BTreeSet<usize>) -> usize {
            *region.first().expect("a state")
        }

        fn contains(&self, region: &BTreeSet<usize>, state: &usize) -> bool {
            region.contains(state)
        }

        fn neighbour(
            &mut self,
            state: &usize,
            region: &BTreeSet<usize>,
            _: Option<usize>,
        ) -> Result<((), usize), Stop> {
            let before: Vec<usize> = region
                .iter()
                .copied()
                .filter(|&before| self.successors[before].contains(state))
                .collect();
            assert!(!before.is_empty(), "no neighbour of {state} in {region:?}");
            Ok(((), before[self.rng.below(before.len())]))
        }

        fn is_safety(&self) -> bool {
            true
        }
    }

    /// The number of steps from state 0 to each state.
    fn distances(successors: &[BTreeSet<usize>]) -> Vec<Option<usize>> {
        let mut found = vec![None; successors.len()];
        found[0] = Some(0);
        for distance in 1..successors.len() {
            let reached = (0..successors.len()).filter(|&s| found[s] == Some(distance - 1));
            for next in reached.collect::<Vec<_>>().into_iter().flat_map(|s| &successors[s]) {
                found[*next].get_or_insert(distance);
            }
        }
        found
    }

    #[test]
    fn walks_through_rings_with_old_states_are_shortest() {
        let mut rng = Rng::new(7);
        let mut longest = 0;
        for round in 0..500 {
            let mut successors = vec![BTreeSet::new(); 12];
            for _ in 0..18 {
                let [from, to] = [(); 2].map(|()| rng.below(12));
                successors[from].insert(to);
            }
            let expected = distances(&successors);
            let mut graph = Graph { successors, rng: Rng::new(round) };
            let mut rings = Vec::new();
            let found = reachable(&mut graph, &BTreeSet::from([0]), &mut |_, ring| {
                rings.push(ring.clone());
                Ok(false)
            });
            for state in found.expect("no stop").expect("all states") {
                let mut walk = Walk::from(state);
                approach(&mut graph, &rings, &mut walk).expect("no stop");
                assert_eq!((walk.here, Some(walk.len())), (0, expected[state]));
                longest = longest.max(walk.len());
            }
        }
        assert!(longest > 6, "{longest}");
    }
}
