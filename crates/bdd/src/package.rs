//! The only file that names the package's type of diagrams.
//!
//! Kermode uses plain diagrams, without complement edges: `docs/results/performance.md` says why.

use oxidd::BooleanFunction;
pub(crate) use oxidd::bdd::{
    BDDFunction as PackageFunction, BDDManagerRef as PackageManager, new_manager,
};
use oxidd_core::function::{EdgeOfFunc, INodeOfFunc};
use oxidd_core::util::Ref;

/// The low and the high child of a node.
pub(crate) fn operands<'a, 'id>(
    node: &'a INodeOfFunc<'id, PackageFunction>,
) -> [Ref<'a, EdgeOfFunc<'id, PackageFunction>>; 2] {
    // Edges of plain diagrams carry no tag.
    let (high, low) = PackageFunction::cofactors_node((), node);
    [low, high]
}
