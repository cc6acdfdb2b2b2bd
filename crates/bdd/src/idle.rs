//! Idle managers: a thread keeps small managers that it has dropped, and reuses them.
//!
//! Starting a manager starts two threads of the package and touches the first part of its tables.
//! That takes ten times as long as a small problem. So a thread keeps a manager after a small
//! problem, and the next manager with tables of the same size reuses it.
//!
//! A reused manager behaves like a new one. Only managers without any garbage collection so far are
//! kept: their table was never full, and their variables are in the first order, because sifting
//! collects garbage, too. A manager is reused only if a collection leaves no node in it. It may
//! have more variables than requested: the additional ones are below all others, and no function
//! depends on them.

use std::cell::RefCell;

use oxidd::{Manager as _, ManagerRef as _};

use crate::manager::Capacity;
use crate::package::PackageManager;

/// How many managers a thread keeps.
const MOST_MANAGERS: usize = 4;
/// A manager with more nodes takes too much memory to keep.
const MOST_NODES: usize = 1 << 15;
/// Emptying a larger cache takes longer than allocating a new one.
const MOST_RESULTS: usize = 1 << 15;
/// A collection visits each level.
const MOST_LEVELS: u32 = 1 << 10;

/// A manager without functions, and the capacity that its last user asked for.
struct Idle {
    package: PackageManager,
    capacity: Capacity,
}

thread_local! {
    /// In the order in which they were dropped.
    static IDLE: RefCell<Vec<Idle>> = const { RefCell::new(Vec::new()) };
}

/// An empty manager with tables of this size and at least as many variables, ordered by number.
pub(crate) fn take(capacity: &Capacity) -> Option<PackageManager> {
    let idle = IDLE.try_with(|idle| {
        let mut idle = idle.borrow_mut();
        let fits = |idle: &Idle| {
            (idle.capacity.nodes, idle.capacity.cache) == (capacity.nodes, capacity.cache)
        };
        idle.iter().rposition(fits).map(|place| idle.remove(place))
    });
    let package = idle.ok()??.package;
    package
        .with_manager_exclusive(|manager| {
            manager.gc();
            let missing = (capacity.variables as u32).saturating_sub(manager.num_levels());
            manager.add_vars(missing);
            manager.num_inner_nodes() == 0
        })
        .then_some(package)
}

/// Keeps a manager without functions, if it is small and as good as new. `collections` is the
/// number of collections before its last user.
pub(crate) fn keep(package: &PackageManager, capacity: &Capacity, collections: u64) {
    let is_good = package.with_manager_shared(|manager| {
        manager.gc_count() == collections
            && manager.num_levels() <= MOST_LEVELS
            && manager.num_inner_nodes() <= MOST_NODES.min(capacity.nodes / 2)
    });
    if !is_good || capacity.cache > MOST_RESULTS || std::thread::panicking() {
        return;
    }
    let kept = Idle { package: package.clone(), capacity: *capacity };
    // A thread that is ending keeps nothing.
    let _ = IDLE.try_with(|idle| {
        let mut idle = idle.borrow_mut();
        if idle.len() == MOST_MANAGERS {
            idle.remove(0);
        }
        idle.push(kept);
    });
}

/// Drops all idle managers of this thread, to free memory.
pub(crate) fn drop_all() {
    // They are dropped after the borrow has ended.
    drop(IDLE.try_with(|idle| std::mem::take(&mut *idle.borrow_mut())));
}
