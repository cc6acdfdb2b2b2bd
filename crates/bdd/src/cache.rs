//! The cache of results, which grows with the number of nodes.
//!
//! The package caches results in a table of fixed size, where a new result replaces another. An
//! operation with many more results than that computes the same results again and again, which can
//! take exponential time: a conjunction as in `tests/cache.rs`, of two functions with 2,400 nodes
//! each, took 20 s with room for 2^13 results and 6 ms with 2^20. A large cache takes long to
//! allocate and to clear, and most problems are small. So the cache of a manager starts small and
//! follows the number of nodes, up to a size that still costs little: with 2^22 results, formulas
//! that fill the table took a third to a half more time.
//!
//! Invariant: the cache is replaced between operations, under the exclusive lock, so that no
//! operation and no garbage collection sees the replacement.

use std::sync::atomic::{AtomicUsize, Ordering};

use oxidd::{Manager as _, ManagerRef as _};
use oxidd_cache::direct::DMApplyCache;
use oxidd_core::HasApplyCache;
use oxidd_rules_bdd::simple::BDDOp;

use crate::manager::Capacity;
use crate::package::PackageManager;

/// The cache grows when it has fewer entries per node than this.
const LEAST_PER_NODE: usize = 2;
/// The number of entries per node after growing.
const RESULTS_PER_NODE: usize = 8;
/// The cache does not grow beyond this many results.
const LARGEST: usize = 1 << 17;
/// The number of operations between two counts of nodes, at least one per level. Counting visits
/// all levels, and this keeps its cost negligible.
const BETWEEN_COUNTS: usize = 64;

/// The size of the cache of a manager, and the time of its next check.
#[derive(Debug)]
pub(crate) struct Cache {
    size: AtomicUsize,
    most: usize,
    operations: AtomicUsize,
    between_counts: usize,
}

impl Cache {
    /// The cache of a new manager.
    pub(crate) fn new(capacity: &Capacity) -> Cache {
        let most = (capacity.nodes / 4).min(LARGEST).max(capacity.cache);
        let between_counts = BETWEEN_COUNTS.max(capacity.variables);
        let [size, operations] = [capacity.cache, 0].map(AtomicUsize::new);
        Cache { size, most, operations, between_counts }
    }

    /// Whether it is larger than at the start.
    pub(crate) fn has_grown(&self, capacity: &Capacity) -> bool {
        self.size.load(Ordering::Relaxed) > capacity.cache
    }

    /// Enlarges the cache before an operation if it is time for a check and there are too few
    /// entries.
    pub(crate) fn keep_up(&self, package: &PackageManager) {
        let operations = self.operations.fetch_add(1, Ordering::Relaxed);
        let size = self.size.load(Ordering::Relaxed);
        if !operations.is_multiple_of(self.between_counts) || size >= self.most {
            return;
        }
        let nodes = package.with_manager_shared(|manager| manager.num_inner_nodes());
        if size < nodes.saturating_mul(LEAST_PER_NODE) {
            let wanted = nodes.saturating_mul(RESULTS_PER_NODE).next_power_of_two();
            self.grow(package, wanted.min(self.most));
        }
    }

    fn grow(&self, package: &PackageManager, size: usize) {
        self.size.store(size, Ordering::Relaxed);
        package.with_manager_exclusive(|manager| {
            let cache = HasApplyCache::<_, BDDOp>::apply_cache_mut(manager);
            #[expect(unsafe_code, reason = "the package has no safe way to replace its cache")]
            // SAFETY: the cache is that of a manager, which tells it about its collections.
            let larger = unsafe { DMApplyCache::with_capacity(size) };
            *cache = larger;
        });
    }
}
