//! The one place that says which diagrams of the package are used.
//!
//! Plain diagrams, not those with complement edges: see `docs/performance.md`.

pub(crate) use oxidd::bdd::{
    BDDFunction as PackageFunction, BDDManagerRef as PackageManager, new_manager,
};
