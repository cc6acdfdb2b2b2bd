//! The one place that says which diagrams of the package are used.
//!
//! Plain diagrams, not those with complement edges: `docs/results/performance.md` says why.

use oxidd::BooleanFunction;
pub(crate) use oxidd::bdd::{
    BDDFunction as PackageFunction, BDDManagerRef as PackageManager, new_manager,
};
use oxidd_core::function::{EdgeOfFunc, INodeOfFunc};
use oxidd_core::util::Ref;

/// Where a node leads when its variable is false, and when it is true.
pub(crate) fn operands<'a, 'id>(
    node: &'a INodeOfFunc<'id, PackageFunction>,
) -> [Ref<'a, EdgeOfFunc<'id, PackageFunction>>; 2] {
    // Edges of plain diagrams carry no tag.
    let (high, low) = PackageFunction::cofactors_node((), node);
    [low, high]
}
