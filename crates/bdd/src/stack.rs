//! Stack space for deep recursion.
//!
//! The package recurses once per level. A diagram of a few thousand levels fits on any thread's
//! stack. A deeper operation runs in a thread of its own with a large enough stack, which takes
//! about 20 microseconds. The number of variables is limited, and with it that stack: see
//! [`MOST_VARIABLES`].

use crate::manager::OutOfNodes;

/// The largest number of variables of a manager. The stack for this many levels is 1 GiB, reserved
/// and not touched.
pub const MOST_VARIABLES: usize = 1 << 18;

/// How many levels an operation may recurse on the caller's stack.
pub(crate) const LEVELS_HERE: usize = 2_000;

/// Space for a frame of any operation, even without optimisation.
const STACK_PER_LEVEL: usize = 4 << 10;

/// Runs an operation on a stack with space for this many levels of recursion.
pub(crate) fn with_stack<T: Send>(
    levels: usize,
    operation: impl FnOnce() -> Result<T, OutOfNodes> + Send,
) -> Result<T, OutOfNodes> {
    if levels <= LEVELS_HERE {
        return operation();
    }
    std::thread::scope(|scope| {
        let stack = levels * STACK_PER_LEVEL;
        let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, operation);
        match thread.map_err(|_| OutOfNodes)?.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
