//! The philosophers, from the description: forks lie between neighbours, the left one is taken
//! first, and both are put back after the meal. The state has the owner of each fork.

use super::enumerate::System;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Table {
    /// By fork: who holds it. Philosopher `i` has fork `i` on the left and `i + 1` on the right.
    forks: Vec<Option<usize>>,
}

impl Table {
    pub(crate) fn new(count: usize) -> Self {
        Table { forks: vec![None; count] }
    }

    fn moved(&self, who: usize) -> Option<Table> {
        let (left, right) = (who, (who + 1) % self.forks.len());
        let mut table = self.clone();
        match (self.forks[left], self.forks[right]) {
            (None, _) => table.forks[left] = Some(who),
            (Some(owner), None) if owner == who => table.forks[right] = Some(who),
            (Some(owner), Some(other)) if owner == who && other == who => {
                (table.forks[left], table.forks[right]) = (None, None);
            }
            _ => return None,
        }
        Some(table)
    }
}

impl System for Table {
    fn successors(&self) -> Vec<Self> {
        (0..self.forks.len()).filter_map(|who| self.moved(who)).collect()
    }

    fn is_dead_end(&self) -> bool {
        self.forks.iter().enumerate().all(|(fork, owner)| *owner == Some(fork))
    }
}
