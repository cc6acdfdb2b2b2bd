//! Binary decision diagrams: the only crate that uses the BDD package.
//!
//! A [`Manager`] owns the nodes of all functions over its variables; a [`Bdd`] is one function
//! \[Bry86\]. Two functions of a manager are equal exactly if they are the same node.
//!
//! ```
//! use kermode_bdd::{Capacity, Manager, OutOfNodes, Variable};
//!
//! let manager = Manager::new(Capacity::small(3))?;
//! let [a, b, c] = [0, 1, 2].map(|number| manager.variable(Variable(number)));
//! let (a, b, c) = (a?, b?, c?);
//! let majority = a.and(&b)?.or(&b.and(&c)?)?.or(&a.and(&c)?)?;
//! let some_a = majority.exists(&manager.variable_set([Variable(0)])?)?;
//! assert_eq!(some_a, b.or(&c)?);
//!
//! let minimal = majority.minimal_models::<OutOfNodes>(&mut || Ok(()))?;
//! let sets: Vec<String> = minimal.sets().map(|set| format!("{set:?}")).collect();
//! assert_eq!(sets, ["{1, 2}", "{0, 2}", "{0, 1}"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - a manager: [`Manager::new`] of a [`Capacity`]: [`small`](Capacity::small),
//!   [`within`](Capacity::within) a memory
//! - functions: [`Manager::top`], [`bottom`](Manager::bottom), [`variable`](Manager::variable),
//!   [`literal`](Manager::literal), [`cube`](Manager::cube)
//! - operations: [`Bdd::not`], [`and`](Bdd::and), [`or`](Bdd::or), [`xor`](Bdd::xor),
//!   [`implies`](Bdd::implies), [`iff`](Bdd::iff), [`and_not`](Bdd::and_not), [`ite`](Bdd::ite),
//!   [`cofactor`](Bdd::cofactor)
//! - questions: [`Bdd::is_top`], [`is_bottom`](Bdd::is_bottom), [`entails`](Bdd::entails),
//!   [`eval`](Bdd::eval), [`support`](Bdd::support), [`node_count`](Bdd::node_count),
//!   [`model_count`](Bdd::model_count), [`decision`](Bdd::decision)
//! - quantifiers: [`Bdd::exists`], [`forall`](Bdd::forall), [`and_exists`](Bdd::and_exists), each
//!   of a [`VariableSet`]
//! - simpler functions: [`Bdd::restrict`] to a care set
//! - closures: [`Bdd::upward_closure`], [`downward_closure`](Bdd::downward_closure) over a
//!   [`VariableSet`]
//! - successors: [`Bdd::rename`] by a [`Renaming`], [`substitute`](Bdd::substitute) by a
//!   [`Substitution`]; [`Relation::image`] and [`preimage`](Relation::preimage); [`Clustering`] of
//!   its parts; one [`RelationCase`] of it
//! - solutions: [`Bdd::pick_cube`], [`cubes`](Bdd::cubes), [`models`](Bdd::models),
//!   [`minimal_models`](Bdd::minimal_models), [`maximal_models`](Bdd::maximal_models)
//! - one solution after the other, with some values given: [`Completion`]
//! - sums of products: [`Bdd::prime_implicants`], [`irredundant_cover`](Bdd::irredundant_cover), or
//!   one by one [`each_prime_implicant`](Bdd::each_prime_implicant),
//!   [`each_cube_of_a_cover`](Bdd::each_cube_of_a_cover)
//! - a better order: [`Manager::sift`]
//! - statistics, garbage collection, pictures: [`Manager::statistics`],
//!   [`collect_garbage`](Manager::collect_garbage), [`Bdd::to_dot`]
//! - diagrams as lists of nodes: [`DiagramNodes`]
//! - more room, other variables: [`Bdd::copy_to`] another manager,
//!   [`copy_renamed`](Bdd::copy_renamed)
//!
//! **Memory.** The table of nodes of a manager never grows; only the cache of results does. An
//! operation that finds its table full collects garbage, tries again, and then fails with
//! [`OutOfNodes`], a value that travels by `?`. All functions built before are intact. Start with a
//! small manager, and copy to a larger one when it is full.
//!
//! **Time.** An operation cannot be interrupted. A method that makes many operations, or runs long
//! without any, takes an `interrupt` callback and passes its error on. So this crate needs no
//! budgets.
//!
//! **Depth.** The package recurses once per level. Deep operations run in a thread with a large
//! stack, and there may be [`MOST_VARIABLES`] variables, so that the stack cannot overflow.
//!
//! **Threads.** Handles may move between threads. A manager is meant for one thread at a time: with
//! several, results are right, but an operation may find the table full while another thread holds
//! free slots.
//!
//! **Cost.** A manager starts two threads, about 0.3 ms in all, and reserves 1 GiB of address space
//! for a stack that is not touched: an address-space limit counts it. A thread keeps up to four
//! small managers that it has dropped, and reusing one with tables of the same size takes 0.03 ms.

mod cache;
mod cases;
mod closure;
mod clusters;
mod completion;
mod cover;
mod dot;
mod function;
mod graph;
mod idle;
mod manager;
mod minimal;
mod models;
mod nodes;
mod package;
mod primes;
mod relation;
mod restrict;
mod sift;
mod stack;
mod variable;

pub use cases::{CopiedVariable, RelationCase};
pub use clusters::{Cluster, Clustering};
pub use completion::Completion;
pub use cover::IrredundantCover;
pub use function::Bdd;
pub use manager::{CannotStart, Capacity, Manager, ManagerStatistics, OutOfNodes};
pub use minimal::SetFamily;
pub use nodes::{DiagramNode, DiagramNodes};
pub use primes::PrimeImplicants;
pub use relation::{Relation, Renaming, Substitution};
pub use sift::{Sifted, Sifting};
pub use stack::MOST_VARIABLES;
pub use variable::{Cube, Literal, Variable, VariableSet};
