//! The parts of a relation, brought into an order and joined while they are small \[RABPP95\].
//!
//! While a step is under way, the variables of a set of states go and those of the other moment
//! come. The part that is best to go on with is the one after which few variables are there: those
//! that no other part mentions can be quantified at once. Neighbours in that order are joined as
//! long as their conjunction has few nodes, since each part costs an operation a step.
//!
//! Departs from the paper in the weights: what goes counts twice as much as what comes, and nothing
//! else counts.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use crate::function::Bdd;
use crate::manager::OutOfNodes;
use crate::variable::Variable;
use kermode_base::BitSet;

/// Parts that became one.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Their conjunction.
    pub relation: Bdd,
    /// Which they are, by their places among all.
    pub members: Vec<usize>,
}

/// How parts are put together.
#[derive(Clone, Copy, Debug)]
pub struct Clustering<'v> {
    /// The variables of the set of states from which a step starts.
    pub start: &'v [Variable],
    /// Variables of the parts alone, which are quantified as well.
    pub inputs: &'v [Variable],
    /// Parts are joined while they have no more nodes.
    pub most_nodes: usize,
}

impl Clustering<'_> {
    /// Puts parts together.
    pub fn of<E: From<OutOfNodes>>(
        &self,
        parts: &[Bdd],
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<Cluster>, E> {
        let mut joined: Vec<Cluster> = Vec::new();
        for place in self.order(parts, interrupt)? {
            interrupt()?;
            if let Some(last) = joined.last_mut() {
                let both = last.relation.and(&parts[place])?;
                if both.node_count() <= self.most_nodes {
                    last.relation = both;
                    last.members.push(place);
                    continue;
                }
            }
            joined.push(Cluster { relation: parts[place].clone(), members: vec![place] });
        }
        Ok(joined)
    }

    /// The places of the parts in an order in which few variables are there at a time.
    fn order<E>(
        &self,
        parts: &[Bdd],
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<usize>, E> {
        let support = |part: &Bdd| part.support().into_iter().map(Variable::index).collect();
        let mut left: Vec<(BitSet, usize)> =
            parts.iter().enumerate().map(|(place, part)| (support(part), place)).collect();
        let mut step = Step::new(self, left.iter().map(|(support, _)| support));
        let mut ordered = Vec::with_capacity(left.len());
        while !left.is_empty() {
            interrupt()?;
            let gain = |&at: &usize| (step.gain(&left[at].0), Reverse(left[at].1));
            let best = (0..left.len()).max_by_key(gain).unwrap_or(0);
            let (support, place) = left.swap_remove(best);
            step.take(&support);
            ordered.push(place);
        }
        Ok(ordered)
    }
}

/// The variables of a step that is under way.
struct Step {
    /// Those that are to be quantified.
    going: BitSet,
    /// Those that are there: at first the ones of a set of states.
    here: BitSet,
    /// How many parts that are left mention each variable.
    users: FxHashMap<usize, usize>,
}

impl Step {
    fn new<'s>(clustering: &Clustering, supports: impl Iterator<Item = &'s BitSet>) -> Self {
        let here: BitSet = clustering.start.iter().map(|variable| variable.index()).collect();
        let mut going = here.clone();
        going.extend(clustering.inputs.iter().map(|input| input.index()));
        let mut users: FxHashMap<usize, usize> = FxHashMap::default();
        for variable in supports.flat_map(BitSet::iter) {
            *users.entry(variable).or_default() += 1;
        }
        Step { going, here, users }
    }

    /// How good it is to go on with a part: variables that go weigh twice as much as those that
    /// come.
    fn gain(&self, support: &BitSet) -> isize {
        let goes = |v: &usize| self.users.get(v) == Some(&1) && self.going.contains(*v);
        let gone = support.iter().filter(goes).count();
        let new = support.iter().filter(|&v| !self.here.contains(v)).count();
        2 * gone as isize - new as isize
    }

    /// Goes on with a part.
    fn take(&mut self, support: &BitSet) {
        for variable in support.iter() {
            self.users.entry(variable).and_modify(|users| *users -= 1);
        }
        self.here.union_with(support);
    }
}
