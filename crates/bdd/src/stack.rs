//! Room for deep recursion.
//!
//! The package recurses once a level. A diagram of a few thousand levels fits on any thread's
//! stack; a deeper operation moves to a thread of its own with a stack for it, which costs some 20
//! microseconds. The number of variables is capped, and with it that stack: see [`MOST_VARIABLES`].

use crate::manager::OutOfNodes;

/// How many variables a manager may have: a stack for so many levels is 1 GiB, reserved and not
/// touched.
pub const MOST_VARIABLES: usize = 1 << 18;

/// How many levels an operation may go down on the caller's stack.
pub(crate) const LEVELS_HERE: usize = 2_000;

/// Room for a frame of any operation, without optimisation as well.
const STACK_PER_LEVEL: usize = 4 << 10;

/// Runs an operation where its recursion by so many levels has room.
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
