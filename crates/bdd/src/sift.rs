//! Reordering by sifting groups of variables.
//!
//! Sifting \[Rud93\] moves one variable after the other through the whole order and leaves it where
//! the diagrams are smallest. Here whole groups move, so that a current variable and its next one
//! stay side by side \[PS95\]. The group with the most nodes is first. It moves to the nearer end
//! before the other one, and a direction is abandoned when the diagrams grow too much, or when no
//! place in that direction can be better than the best one so far \[DG99\].
//!
//! The package aborts the process when an exchange of two levels finds no free slot. An exchange
//! creates at most two nodes per node of the upper level, so it only starts with that much space.
//! Sifting ends when there is less. A group may then be split until the next sifting, which costs
//! speed only.

use std::cmp::Reverse;
use std::ops::Range;

use oxidd::ManagerRef as _;
use oxidd_core::{HasLevel, LevelView as _};

use crate::manager::Manager;
use crate::variable::Variable;

/// Parameters of sifting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sifting {
    /// A direction is abandoned when the diagrams have this many times as many nodes as at the best
    /// place.
    pub growth: f64,
    /// How many groups are moved, those with the most nodes first.
    pub groups: usize,
    /// No further group is moved after exchanges of levels with this many nodes in all: a measure
    /// of the time that sifting takes.
    pub work: u64,
    /// This many variables, which are on top of the order, stay above all others: both blocks are
    /// sifted separately.
    pub top: usize,
}

impl Default for Sifting {
    fn default() -> Self {
        Sifting { growth: 1.2, groups: 1_000, work: u64::MAX, top: 0 }
    }
}

/// The result of sifting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sifted {
    /// Nodes in use before.
    pub before: usize,
    /// Nodes in use after.
    pub after: usize,
}

impl Manager {
    /// Searches for a better order that has the variables of each group side by side in the given
    /// order. Variables in no group move alone. `interrupt` is called between moves. When it
    /// returns an error, the order stays as it is then. It must not use the manager, which is
    /// locked, and must not panic.
    ///
    /// # Panics
    /// When a variable is in two groups.
    pub fn sift<E>(
        &self,
        groups: &[Vec<Variable>],
        sifting: &Sifting,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Sifted, E> {
        let groups = self.all_groups(groups);
        self.collect_garbage();
        let capacity = self.capacity().nodes;
        self.0.package.with_manager_exclusive(|manager| {
            LevelOrder::change(manager, capacity, |order| {
                let before = order.size;
                match order.gather(groups).and_then(|()| order.sift(sifting, interrupt)) {
                    Err(SiftingEnd::Interrupted(error)) => Err(error),
                    Err(SiftingEnd::NoRoom) | Ok(()) => Ok(Sifted { before, after: order.size }),
                }
            })
        })
    }

    /// The groups, with all other variables as groups of their own.
    fn all_groups(&self, groups: &[Vec<Variable>]) -> Vec<Vec<Variable>> {
        let mut grouped = vec![false; self.capacity().variables];
        for variable in groups.iter().flatten() {
            assert!(!grouped[variable.index()], "{variable:?} is in two groups");
            grouped[variable.index()] = true;
        }
        let alone = self.variables().filter(|variable| !grouped[variable.index()]);
        let groups = groups.iter().filter(|group| !group.is_empty()).cloned();
        groups.chain(alone.map(|variable| vec![variable])).collect()
    }
}

/// Why sifting ends early.
enum SiftingEnd<E> {
    NoRoom,
    Interrupted(E),
}

/// The order during sifting. Levels and groups are counted from the top.
struct LevelOrder<'a, M> {
    manager: &'a M,
    /// The number of nodes of each level.
    sizes: Vec<usize>,
    /// The number of nodes, and the largest permitted number.
    size: usize,
    capacity: usize,
    /// The sum of the numbers of nodes of all exchanged levels.
    work: u64,
    groups: Vec<Vec<Variable>>,
}

impl<M: oxidd::Manager> LevelOrder<'_, M>
where
    M::InnerNode: HasLevel,
{
    /// Changes the order of a manager by exchanges of levels.
    fn change<T>(
        manager: &mut M,
        capacity: usize,
        by: impl FnOnce(&mut LevelOrder<'_, M>) -> T,
    ) -> T {
        manager.reorder(|manager| {
            manager.gc();
            let sizes: Vec<usize> = manager.levels().map(|level| level.len()).collect();
            let size = sizes.iter().sum();
            by(&mut LevelOrder { manager, sizes, size, capacity, work: 0, groups: Vec::new() })
        })
    }

    /// Exchanges a level with the one below.
    fn exchange<E>(&mut self, upper: usize) -> Result<(), SiftingEnd<E>> {
        if self.capacity.saturating_sub(self.size) <= 2 * self.sizes[upper] {
            return Err(SiftingEnd::NoRoom);
        }
        self.work += (self.sizes[upper] + self.sizes[upper + 1]) as u64;
        // SAFETY: only `change` builds an order, so this runs within the closure of `reorder`, and
        // the manager is borrowed mutably: nobody else accesses its nodes while the order lives.
        #[expect(unsafe_code, reason = "the package has no safe way to exchange two levels")]
        unsafe {
            oxidd_reorder::level_down(self.manager, upper as u32);
        }
        for level in [upper, upper + 1] {
            let size = self.manager.level(level as u32).len();
            self.size = self.size + size - self.sizes[level];
            self.sizes[level] = size;
        }
        Ok(())
    }

    /// Moves a level up by exchanges.
    fn raise<E>(&mut self, from: usize, to: usize) -> Result<(), SiftingEnd<E>> {
        (to..from).rev().try_for_each(|upper| self.exchange(upper))
    }

    fn level(&self, variable: Variable) -> usize {
        self.manager.var_to_level(variable.0) as usize
    }

    /// Brings the variables of each group together, groups in the order of their first variables.
    fn gather<E>(&mut self, mut groups: Vec<Vec<Variable>>) -> Result<(), SiftingEnd<E>> {
        groups.sort_by_key(|group| self.level(group[0]));
        for (to, &variable) in groups.iter().flatten().enumerate() {
            self.raise(self.level(variable), to)?;
        }
        self.groups = groups;
        Ok(())
    }

    /// Moves the groups with the most nodes to their best places.
    fn sift<E>(
        &mut self,
        sifting: &Sifting,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), SiftingEnd<E>> {
        let size = |group: &Vec<Variable>| group.iter().map(|&v| self.sizes[self.level(v)]).sum();
        let mut heaviest: Vec<(usize, Variable)> =
            self.groups.iter().map(|group| (size(group), group[0])).collect();
        // Groups without nodes are at their best place anywhere.
        heaviest.retain(|&(size, _)| size > 0);
        heaviest.sort_by_key(|&(size, _)| Reverse(size));
        let blocks = self.blocks(sifting.top);
        self.work = 0;
        for (_, first) in heaviest.into_iter().take(sifting.groups) {
            if self.work >= sifting.work {
                break;
            }
            self.sift_group(first, &blocks, sifting.growth, interrupt)?;
        }
        Ok(())
    }

    /// The ranges of groups that are sifted separately: those of the first `top` variables, and the
    /// others.
    fn blocks(&self, top: usize) -> [Range<usize>; 2] {
        let mut variables = 0;
        let is_on_top = |group: &&Vec<Variable>| {
            variables += group.len();
            variables <= top
        };
        let above = self.groups.iter().take_while(is_on_top).count();
        [0..above, above..self.groups.len()]
    }

    /// Moves the group with this first variable to its best place.
    fn sift_group<E>(
        &mut self,
        first: Variable,
        blocks: &[Range<usize>; 2],
        growth: f64,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), SiftingEnd<E>> {
        let place = self.groups.iter().position(|group| group[0] == first);
        let mut at = Place { group: place.unwrap_or(0), level: self.level(first) };
        let (mut best, mut smallest) = (at.group, self.size);
        let block = blocks.iter().find(|block| block.contains(&at.group));
        let Range { start, end } = block.cloned().unwrap_or(0..self.groups.len());
        let last = end - 1;
        let ends = if at.group * 2 < start + last { [start, last] } else { [last, start] };
        for end in ends {
            while at.group != end
                && self.size as f64 <= growth * smallest as f64
                && self.least_size(&at, end) < smallest
            {
                interrupt().map_err(SiftingEnd::Interrupted)?;
                self.step(&mut at, end)?;
                if self.size < smallest {
                    (best, smallest) = (at.group, self.size);
                }
            }
            // Back to the best place; the other direction starts there.
            while at.group != best {
                interrupt().map_err(SiftingEnd::Interrupted)?;
                self.step(&mut at, best)?;
            }
        }
        Ok(())
    }

    /// A size below which no place of a group between here and another one gets. Levels that the
    /// group does not pass stay as they are. Nodes of the first level that changes are functions
    /// that levels above refer to, so they stay, perhaps on other levels.
    fn least_size(&self, at: &Place, end: usize) -> usize {
        let mine = at.level..at.level + self.groups[at.group].len();
        let passed = |groups: Range<usize>| self.groups[groups].iter().map(Vec::len).sum::<usize>();
        let changing = match end > at.group {
            true => mine.start..mine.end + passed(at.group + 1..end + 1),
            false => mine.start - passed(end..at.group)..mine.end,
        };
        self.size - self.sizes[changing].iter().skip(1).sum::<usize>()
    }

    /// Moves a group by one towards another place.
    fn step<E>(&mut self, at: &mut Place, towards: usize) -> Result<(), SiftingEnd<E>> {
        let down = towards > at.group;
        let upper = if down { at.group } else { at.group - 1 };
        let [above, below] = [upper, upper + 1].map(|group| self.groups[group].len());
        let start = if down { at.level } else { at.level - above };
        for place in start..start + below {
            self.raise(place + above, place)?;
        }
        self.groups.swap(upper, upper + 1);
        *at = match down {
            true => Place { group: at.group + 1, level: at.level + below },
            false => Place { group: at.group - 1, level: start },
        };
        Ok(())
    }
}

/// Where a group is: among the groups, and its first level.
struct Place {
    group: usize,
    level: usize,
}
