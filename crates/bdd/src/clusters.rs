//! Ordering the parts of a relation, and joining them while they are small \[RABPP95\].
//!
//! During an image computation the variables of the given set of states are quantified and those of
//! the other moment are introduced. The best next part is the one after which the intermediate
//! result has few variables: variables that no other part mentions can be quantified at once.
//! Neighbours in that order are joined while their conjunction has few nodes, since each part costs
//! one operation per image.
//!
//! Departs from the paper in the weights: a quantified variable counts twice as much as an
//! introduced one, and nothing else counts.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use crate::function::Bdd;
use crate::manager::OutOfNodes;
use crate::variable::Variable;
use kermode_base::BitSet;

/// A conjunction of several parts.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Their conjunction.
    pub relation: Bdd,
    /// The indices of the parts.
    pub members: Vec<usize>,
}

/// How parts are ordered and joined.
#[derive(Clone, Copy, Debug)]
pub struct Clustering<'v> {
    /// The variables of the given set of states.
    pub start: &'v [Variable],
    /// Variables of the parts only, which are quantified as well.
    pub inputs: &'v [Variable],
    /// The largest number of nodes of a joined part.
    pub most_nodes: usize,
}

impl Clustering<'_> {
    /// Orders and joins parts.
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

    /// The indices of the parts, in an order that keeps the number of live variables small.
    fn order<E>(
        &self,
        parts: &[Bdd],
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<usize>, E> {
        let support = |part: &Bdd| part.support().into_iter().map(Variable::index).collect();
        let mut left: Vec<(BitSet, usize)> =
            parts.iter().enumerate().map(|(place, part)| (support(part), place)).collect();
        let mut step = ImageStep::new(self, left.iter().map(|(support, _)| support));
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

/// The state of an image computation.
struct ImageStep {
    /// The variables to quantify.
    going: BitSet,
    /// The live variables: at first those of the given set of states.
    here: BitSet,
    /// For each variable, how many of the remaining parts mention it.
    users: FxHashMap<usize, usize>,
}

impl ImageStep {
    fn new<'s>(clustering: &Clustering, supports: impl Iterator<Item = &'s BitSet>) -> Self {
        let here: BitSet = clustering.start.iter().map(|variable| variable.index()).collect();
        let mut going = here.clone();
        going.extend(clustering.inputs.iter().map(|input| input.index()));
        let mut users: FxHashMap<usize, usize> = FxHashMap::default();
        for variable in supports.flat_map(BitSet::iter) {
            *users.entry(variable).or_default() += 1;
        }
        ImageStep { going, here, users }
    }

    /// The value of choosing a part next: quantified variables weigh twice as much as introduced
    /// ones.
    fn gain(&self, support: &BitSet) -> isize {
        let goes = |v: &usize| self.users.get(v) == Some(&1) && self.going.contains(*v);
        let gone = support.iter().filter(goes).count();
        let new = support.iter().filter(|&v| !self.here.contains(v)).count();
        2 * gone as isize - new as isize
    }

    /// Chooses a part.
    fn take(&mut self, support: &BitSet) {
        for variable in support.iter() {
            self.users.entry(variable).and_modify(|users| *users -= 1);
        }
        self.here.union_with(support);
    }
}
