//! Ordering the parts of a relation, and joining them while they are small \[RABPP95\].
//!
//! During an image computation the variables of the given set of states are quantified and those of
//! the other moment are introduced. The best next part is the one after which the intermediate
//! result has few variables: variables that no other part mentions can be quantified at once.
//! Neighbours in that order are joined while their conjunction has few nodes, since each part costs
//! one operation per image.
//!
//! Departs from the paper in the weights: a quantified variable counts twice as much as an
//! introduced one, and nothing else counts. And it compares two orders, and takes the one with the
//! smaller largest number of live variables. One chooses the best next part; it cannot see that
//! several parts together pay for a variable. The other chooses the best next variable to quantify,
//! and takes all parts that mention it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

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
                if both.has_at_most(self.most_nodes) {
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
        let supports: Vec<BitSet> = parts.iter().map(support).collect();
        let by_part = self.by_part(&supports, interrupt)?;
        let by_variable = self.by_variable(&supports, interrupt)?;
        let most_live = |order: &[usize]| {
            let mut step = ImageStep::new(self, supports.iter());
            order.iter().map(|&place| step.take(&supports[place])).max()
        };
        let is_better = most_live(&by_variable) < most_live(&by_part);
        Ok(if is_better { by_variable } else { by_part })
    }

    /// The order by the best next part.
    fn by_part<E>(
        &self,
        supports: &[BitSet],
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<usize>, E> {
        let mut left: Vec<usize> = (0..supports.len()).collect();
        let mut step = ImageStep::new(self, supports.iter());
        let mut ordered = Vec::with_capacity(left.len());
        while !left.is_empty() {
            interrupt()?;
            let gain = |&at: &usize| (step.gain(&supports[left[at]]), Reverse(left[at]));
            let best = (0..left.len()).max_by_key(gain).unwrap_or(0);
            let place = left.swap_remove(best);
            step.take(&supports[place]);
            ordered.push(place);
        }
        Ok(ordered)
    }

    /// The order by the best next variable to quantify.
    fn by_variable<E>(
        &self,
        supports: &[BitSet],
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<usize>, E> {
        let mut step = ImageStep::new(self, supports.iter());
        // Variables with the same users, such as the bits of a word, need one comparison.
        let mut groups: BTreeSet<Vec<usize>> = BTreeSet::new();
        for variable in step.going.iter() {
            let mentions = |&place: &usize| supports[place].contains(variable);
            groups.insert((0..supports.len()).filter(mentions).collect());
        }
        let mut ordered = Vec::with_capacity(supports.len());
        while let Some(best) = groups
            .iter()
            .filter(|users| !users.is_empty())
            .max_by_key(|users| (step.gain_of_all(users, supports), Reverse(users.len())))
        {
            interrupt()?;
            let best = best.clone();
            for &place in &best {
                step.take(&supports[place]);
            }
            let is_left = |place: &usize| best.binary_search(place).is_err();
            let left = |users: Vec<usize>| users.into_iter().filter(is_left).collect();
            groups = std::mem::take(&mut groups).into_iter().map(left).collect();
            ordered.extend(best);
        }
        let taken: BitSet = ordered.iter().copied().collect();
        ordered.extend((0..supports.len()).filter(|&place| !taken.contains(place)));
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

    /// The value of choosing several parts next: by how much they reduce the live variables.
    fn gain_of_all(&self, parts: &[usize], supports: &[BitSet]) -> isize {
        let mut users: FxHashMap<usize, usize> = FxHashMap::default();
        for variable in parts.iter().flat_map(|&place| supports[place].iter()) {
            *users.entry(variable).or_default() += 1;
        }
        let goes = |&(v, count): &(&usize, &usize)| {
            self.users.get(v) == Some(count) && self.going.contains(*v)
        };
        let gone = users.iter().filter(goes).count();
        let new = users.keys().filter(|&&v| !self.here.contains(v)).count();
        gone as isize - new as isize
    }

    /// Chooses a part. Returns the number of live variables before the quantification.
    fn take(&mut self, support: &BitSet) -> usize {
        self.here.union_with(support);
        let live = self.here.len();
        for variable in support.iter() {
            let users = self.users.get_mut(&variable).expect("a user of each variable");
            *users -= 1;
            if *users == 0 && self.going.contains(variable) {
                self.here.remove(variable);
            }
        }
        live
    }
}
