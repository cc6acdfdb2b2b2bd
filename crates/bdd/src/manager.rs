//! The manager: the table of the nodes of all diagrams over the same variables.
//!
//! All memory is allocated when the manager is built, because the package allocates its tables up
//! front. The table of nodes is reserved, and its pages are touched as it fills, so a large table
//! costs address space only. The cache is written when it is built and emptied by each garbage
//! collection, so a cache larger than the problem costs time.
//!
//! The package collects garbage in a thread of its own once the table is nearly full. An operation
//! may fill the table before that thread is done. So a failed operation is tried again after a
//! collection (see [`SharedManager::collect`]), and only a second failure is [`OutOfNodes`].

use std::cmp::Reverse;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use oxidd::{BooleanFunction, Function, Manager as _, ManagerRef as _};
use oxidd_core::DiagramRules;
use oxidd_core::util::{AllocResult, Own};

use crate::cache::Cache;
use crate::function::Bdd;
use crate::idle;
use crate::package::{PackageFunction, PackageManager, new_manager};
use crate::stack::MOST_VARIABLES;
use crate::variable::{Cube, Variable, VariableSet};

/// The table is full of nodes in use, or there is no memory for the stack of a deep operation. All
/// functions built before are intact. Dropping some of them frees space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the work needs more memory than it may use")]
pub struct OutOfNodes;

/// Why a manager could not be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotStart {
    /// More variables than [`MOST_VARIABLES`].
    #[error("{0} variables are more than the largest number, {MOST_VARIABLES}")]
    TooManyVariables(usize),
    /// The tables do not fit in memory or in the address space.
    #[error("{0} bytes of memory are not available")]
    NoMemory(usize),
}

/// The size of a manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// The number of variables.
    pub variables: usize,
    /// The largest number of nodes, garbage included.
    pub nodes: usize,
    /// The number of results of operations cached at first, rounded up to a power of two.
    pub cache: usize,
}

impl Capacity {
    /// Bytes per node, including its share of the hash table.
    const NODE_BYTES: usize = 40;
    /// Bytes per cached result.
    const RESULT_BYTES: usize = 24;
    /// The package's worker thread reserves this much for its stack and never uses it.
    const STACK_BYTES: usize = 1 << 30;
    /// A larger cache takes longer to build and to empty than it saves on most problems.
    const MOST_RESULTS: usize = 1 << 22;

    /// For small problems, which most are.
    pub fn small(variables: usize) -> Self {
        Capacity { variables, nodes: 1 << 16, cache: 1 << 14 }
    }

    /// As much as fits in this many bytes, with one cached result per four to eight nodes.
    pub fn within(variables: usize, memory: u64) -> Self {
        let bytes = usize::try_from(memory).unwrap_or(usize::MAX);
        let nodes = bytes / (Capacity::NODE_BYTES + Capacity::RESULT_BYTES / 4);
        let nodes = nodes.clamp(1 << 10, 1 << 30);
        let cache = 1 << (nodes / 4).ilog2();
        Capacity { variables, nodes, cache: cache.min(Capacity::MOST_RESULTS) }
    }

    /// The memory of the manager when its table is full.
    pub fn memory(&self) -> usize {
        let cache = self.cache.checked_next_power_of_two().unwrap_or(usize::MAX);
        let cache = cache.saturating_mul(Capacity::RESULT_BYTES);
        self.nodes.saturating_mul(Capacity::NODE_BYTES).saturating_add(cache)
    }
}

/// Counters of a manager and its present size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ManagerStatistics {
    /// Nodes in the table, uncollected garbage included.
    pub nodes: usize,
    /// The largest number of nodes observed before a collection or by this function.
    pub peak: usize,
    /// How often garbage was collected.
    pub collections: u64,
    /// How often the order was changed.
    pub reorderings: u64,
}

/// The data that a manager and its functions share.
pub(crate) struct SharedManager {
    pub(crate) package: PackageManager,
    pub(crate) capacity: Capacity,
    /// The collections of the package before this manager reused it (see `idle.rs`).
    collections_before: u64,
    peak: AtomicUsize,
    /// How often an operation failed because the table was full.
    failures: AtomicU64,
    cache: Cache,
}

/// How many milliseconds to wait for a collection by the package's own thread.
const PATIENCE: u32 = 100;

/// How many slots a thread takes from the package's table, or returns, at once.
const CHUNK: usize = 1 << 16;

impl SharedManager {
    /// Removes all nodes that are not in use.
    ///
    /// The exclusive lock waits for a running collection of the package's thread. That thread
    /// returns free slots only after it has released the lock, and until then the count of nodes is
    /// too high. This function waits for that.
    pub(crate) fn collect(&self) {
        self.package.with_manager_exclusive(|manager| {
            self.peak.fetch_max(manager.num_inner_nodes(), Ordering::Relaxed);
            manager.gc()
        });
        for _ in 0..PATIENCE {
            if self.slots_are_back() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether the package's count of nodes is right. The package does not subtract one node for
    /// each time that the table is full, and one for each `CHUNK` of nodes that a collection
    /// removes.
    fn slots_are_back(&self) -> bool {
        let failures = self.failures.load(Ordering::Relaxed);
        self.package.with_manager_shared(|manager| {
            let collections = manager.gc_count() - self.collections_before;
            let chunks = collections * (self.capacity.nodes / CHUNK) as u64;
            let forgotten = usize::try_from(failures + chunks).unwrap_or(usize::MAX);
            manager.approx_num_inner_nodes().saturating_sub(forgotten) <= manager.num_inner_nodes()
        })
    }

    /// Runs an operation of the package, and once more after a collection if the table was full.
    pub(crate) fn attempt(
        &self,
        operation: impl Fn() -> AllocResult<PackageFunction>,
    ) -> Result<PackageFunction, OutOfNodes> {
        self.cache.keep_up(&self.package);
        operation().or_else(|_| {
            self.failures.fetch_add(1, Ordering::Relaxed);
            self.collect();
            operation().map_err(|_| {
                self.failures.fetch_add(1, Ordering::Relaxed);
                OutOfNodes
            })
        })
    }
}

impl Drop for SharedManager {
    fn drop(&mut self) {
        if !self.cache.has_grown(&self.capacity) {
            idle::keep(&self.package, &self.capacity, self.collections_before);
        }
    }
}

/// A handle of a manager. Clones are handles of the same manager.
#[derive(Clone)]
pub struct Manager(pub(crate) Arc<SharedManager>);

impl PartialEq for Manager {
    /// Whether both are handles of one manager.
    fn eq(&self, other: &Manager) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Manager {}

impl fmt::Debug for Manager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Manager").field(&self.0.capacity).finish()
    }
}

impl Manager {
    /// A manager whose variables are `0..capacity.variables`, ordered by number.
    pub fn new(capacity: Capacity) -> Result<Self, CannotStart> {
        if capacity.variables > MOST_VARIABLES {
            return Err(CannotStart::TooManyVariables(capacity.variables));
        }
        let package = match idle::take(&capacity) {
            Some(package) => package,
            None => start(&capacity)?,
        };
        let collections_before = package.with_manager_shared(|manager| manager.gc_count());
        let (peak, failures) = (AtomicUsize::new(0), AtomicU64::new(0));
        let cache = Cache::new(&capacity);
        let shared = SharedManager { package, capacity, collections_before, peak, failures, cache };
        Ok(Manager(Arc::new(shared)))
    }

    /// The size of the manager.
    pub fn capacity(&self) -> Capacity {
        self.0.capacity
    }

    /// All variables, by number.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + use<> {
        (0..self.0.capacity.variables as u32).map(Variable)
    }

    /// The variables in their present order, from the top.
    pub fn order(&self) -> Vec<Variable> {
        self.0.package.with_manager_shared(|manager| {
            let levels = 0..self.0.capacity.variables as u32;
            levels.map(|level| Variable(manager.level_to_var(level))).collect()
        })
    }

    /// The true function.
    pub fn top(&self) -> Bdd {
        self.wrap(self.0.package.with_manager_shared(PackageFunction::t))
    }

    /// The false function.
    pub fn bottom(&self) -> Bdd {
        self.wrap(self.0.package.with_manager_shared(PackageFunction::f))
    }

    /// The function that is the value of a variable.
    ///
    /// # Panics
    /// When there is no such variable.
    pub fn variable(&self, variable: Variable) -> Result<Bdd, OutOfNodes> {
        self.literal(variable, true)
    }

    /// A variable, or its negation.
    ///
    /// # Panics
    /// When there is no such variable.
    pub fn literal(&self, variable: Variable, positive: bool) -> Result<Bdd, OutOfNodes> {
        self.check(variable);
        let make = if positive { PackageFunction::var } else { PackageFunction::not_var };
        let package = &self.0.package;
        let function = self.0.attempt(|| package.with_manager_shared(|m| make(m, variable.0)))?;
        Ok(self.wrap(function))
    }

    /// The conjunction of a cube's literals.
    pub fn cube(&self, cube: &Cube) -> Result<Bdd, OutOfNodes> {
        self.conjunction_of(cube.literals().iter().map(|l| (l.variable, l.positive)).collect())
    }

    /// A set of variables to quantify.
    pub fn variable_set(
        &self,
        variables: impl IntoIterator<Item = Variable>,
    ) -> Result<VariableSet, OutOfNodes> {
        let mut variables: Vec<Variable> = variables.into_iter().collect();
        variables.sort_unstable();
        variables.dedup();
        let conjunction = self.conjunction_of(variables.iter().map(|&v| (v, true)).collect())?;
        Ok(VariableSet { variables, conjunction })
    }

    fn check(&self, variable: Variable) {
        assert!(variable.index() < self.0.capacity.variables, "there is no {variable:?}");
    }

    /// Built from the bottom of the order, one node per literal.
    fn conjunction_of(&self, mut literals: Vec<(Variable, bool)>) -> Result<Bdd, OutOfNodes> {
        literals.iter().for_each(|&(variable, _)| self.check(variable));
        let package = &self.0.package;
        package.with_manager_shared(|manager| {
            literals.sort_unstable_by_key(|&(v, _)| Reverse(manager.var_to_level(v.0)));
        });
        let build = || {
            package.with_manager_shared(|manager| {
                let top = PackageFunction::t(manager);
                literals.iter().try_fold(top, |rest, &(variable, positive)| {
                    let bottom = PackageFunction::f(manager);
                    let operands = if positive { [rest, bottom] } else { [bottom, rest] };
                    let operands = operands.map(|operand| operand.into_edge(manager));
                    let level = manager.var_to_level(variable.0);
                    let node = insert(manager, level, operands)?;
                    Ok(PackageFunction::from_edge(manager, node))
                })
            })
        };
        Ok(self.wrap(self.0.attempt(build)?))
    }

    /// Removes all nodes that are not in use, and empties the cache.
    pub fn collect_garbage(&self) {
        self.0.collect();
    }

    /// Counters and present size.
    pub fn statistics(&self) -> ManagerStatistics {
        self.0.package.with_manager_shared(|manager| {
            let nodes = manager.num_inner_nodes();
            ManagerStatistics {
                nodes,
                peak: self.0.peak.fetch_max(nodes, Ordering::Relaxed).max(nodes),
                collections: manager.gc_count() - self.0.collections_before,
                reorderings: manager.reorder_count(),
            }
        })
    }

    pub(crate) fn wrap(&self, function: PackageFunction) -> Bdd {
        Bdd { function, shared: Arc::clone(&self.0) }
    }
}

/// The node with these operands, the one for true first.
fn insert<M: oxidd::Manager>(
    manager: &M,
    level: u32,
    operands: [Own<M::Edge>; 2],
) -> AllocResult<Own<M::Edge>> {
    M::Rules::reduce(manager, level, operands).then_insert(manager, level)
}

/// Starts the package with new tables.
fn start(capacity: &Capacity) -> Result<PackageManager, CannotStart> {
    let bytes = capacity.memory().saturating_add(Capacity::STACK_BYTES);
    probe(bytes).or_else(|_| {
        idle::drop_all();
        probe(bytes)
    })?;
    let package = new_manager(capacity.nodes, capacity.cache, 1);
    package.with_manager_exclusive(|manager| manager.add_vars(capacity.variables as u32));
    Ok(package)
}

/// Allocates memory and frees it again: the package aborts the process if an allocation fails.
fn probe(bytes: usize) -> Result<(), CannotStart> {
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| CannotStart::NoMemory(bytes))
}
