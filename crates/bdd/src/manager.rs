//! The manager: the table in which the nodes of all diagrams over the same variables live.
//!
//! Everything about memory is decided here, when the manager is made, because the package allocates
//! its tables up front. The table of nodes is reserved and touched as it fills, so a generous one
//! costs address space only; the cache is written when it is made and emptied by each collection of
//! garbage, so a cache larger than the problem costs time.
//!
//! The package collects garbage in a thread of its own once the table is nearly full, and an
//! operation may fill the table before that thread is done. So an operation that fails is tried
//! again after a collection (see [`Shared::collect`]), and only a second failure is [`OutOfNodes`].

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

/// The table of nodes is full of nodes in use, or there is no memory for the stack of a deep
/// operation. All functions made before are intact; dropping some of them makes room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("out of decision diagram nodes")]
pub struct OutOfNodes;

/// Why there is no manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotStart {
    /// More variables than [`MOST_VARIABLES`].
    #[error("{0} variables are more than decision diagrams are made for ({MOST_VARIABLES})")]
    TooManyVariables(usize),
    /// The tables do not fit in memory or in the address space.
    #[error("no memory for decision diagrams ({0} bytes)")]
    NoMemory(usize),
}

/// How large a manager is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// How many variables there are.
    pub variables: usize,
    /// How many nodes there may be, garbage included.
    pub nodes: usize,
    /// How many results of operations are remembered at first; rounded up to a power of two.
    pub cache: usize,
}

impl Capacity {
    /// Bytes of a node and of its share of the table that finds it.
    const NODE_BYTES: usize = 40;
    /// Bytes of a remembered result.
    const RESULT_BYTES: usize = 24;
    /// The worker thread of the package reserves as much for its stack, and never uses it.
    const STACK_BYTES: usize = 1 << 30;
    /// A larger cache takes longer to make and to empty than it saves on most problems.
    pub(crate) const MOST_RESULTS: usize = 1 << 22;

    /// For problems that are probably small, which is most of them.
    pub fn small(variables: usize) -> Self {
        Capacity { variables, nodes: 1 << 16, cache: 1 << 14 }
    }

    /// As much as fits in so many bytes of memory, with a remembered result for four to eight
    /// nodes.
    pub fn within(variables: usize, memory: u64) -> Self {
        let bytes = usize::try_from(memory).unwrap_or(usize::MAX);
        let nodes = bytes / (Capacity::NODE_BYTES + Capacity::RESULT_BYTES / 4);
        let nodes = nodes.clamp(1 << 10, 1 << 30);
        let cache = 1 << (nodes / 4).ilog2();
        Capacity { variables, nodes, cache: cache.min(Capacity::MOST_RESULTS) }
    }

    /// How much memory the manager takes when its table is full.
    pub fn memory(&self) -> usize {
        let cache = self.cache.checked_next_power_of_two().unwrap_or(usize::MAX);
        let cache = cache.saturating_mul(Capacity::RESULT_BYTES);
        self.nodes.saturating_mul(Capacity::NODE_BYTES).saturating_add(cache)
    }
}

/// What a manager has done and how full it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Nodes in the table, garbage that is not yet collected included.
    pub nodes: usize,
    /// The most nodes that were seen in the table before a collection or by statistics.
    pub peak: usize,
    /// How often garbage was collected.
    pub collections: u64,
    /// How often the order was changed.
    pub reorderings: u64,
}

/// What a manager and its functions share.
pub(crate) struct Shared {
    pub(crate) package: PackageManager,
    pub(crate) capacity: Capacity,
    /// How often the package had collected garbage before this manager had it (see `idle.rs`).
    collections_before: u64,
    peak: AtomicUsize,
    /// How often the table was full.
    failures: AtomicU64,
    cache: Cache,
}

/// How many milliseconds a collection of the package's own thread is waited for.
const PATIENCE: u32 = 100;

/// How many slots a thread takes from the package's table, or gives back, at once.
const CHUNK: usize = 1 << 16;

impl Shared {
    /// Removes all nodes that are not in use.
    ///
    /// The exclusive lock waits for a collection that the package's thread has under way. That
    /// thread gives free slots back just after it has left the lock, and until then its count of
    /// nodes is too high: that is what is waited for.
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

    /// Whether the package counts as many nodes as there are. It forgets to subtract one for each
    /// time that the table is full, and one for each `CHUNK` of nodes that a collection removes.
    fn slots_are_back(&self) -> bool {
        let failures = self.failures.load(Ordering::Relaxed);
        self.package.with_manager_shared(|manager| {
            let collections = manager.gc_count() - self.collections_before;
            let chunks = collections * (self.capacity.nodes / CHUNK) as u64;
            let forgotten = usize::try_from(failures + chunks).unwrap_or(usize::MAX);
            manager.approx_num_inner_nodes().saturating_sub(forgotten) <= manager.num_inner_nodes()
        })
    }

    /// Does an operation of the package, after a collection once more if the table was full.
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

impl Drop for Shared {
    fn drop(&mut self) {
        if !self.cache.has_grown(&self.capacity) {
            idle::keep(&self.package, &self.capacity, self.collections_before);
        }
    }
}

/// A handle of a manager; clones are handles of the same.
#[derive(Clone)]
pub struct Manager(pub(crate) Arc<Shared>);

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
        let shared = Shared { package, capacity, collections_before, peak, failures, cache };
        Ok(Manager(Arc::new(shared)))
    }

    /// How large it is.
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

    /// The function that is a variable's value.
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

    /// Built from the bottom of the order, a node a literal.
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

    /// Removes all nodes that are not in use, and forgets all results.
    pub fn collect_garbage(&self) {
        self.0.collect();
    }

    /// What it has done and how full it is.
    pub fn statistics(&self) -> Statistics {
        self.0.package.with_manager_shared(|manager| {
            let nodes = manager.num_inner_nodes();
            Statistics {
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

/// Starts the package with tables of its own.
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

/// Asks for memory and gives it back: the package aborts the process where there is none.
fn probe(bytes: usize) -> Result<(), CannotStart> {
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| CannotStart::NoMemory(bytes))
}
