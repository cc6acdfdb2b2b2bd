//! The exit status.

use std::process::ExitCode;

/// The status of one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// The answer to the question of the command is yes.
    Yes,
    /// The answer is no.
    No,
    /// The input or the usage is wrong.
    Bad,
    /// There is no answer.
    Unknown,
    /// A bug in Kermode.
    Internal,
}

/// With several inputs the gravest status is the exit status.
const GRAVEST_FIRST: [Status; 5] =
    [Status::Internal, Status::Bad, Status::No, Status::Unknown, Status::Yes];

impl Status {
    /// The status of several inputs together.
    pub(crate) fn of_all(statuses: impl IntoIterator<Item = Status>) -> Status {
        let given: Vec<Status> = statuses.into_iter().collect();
        GRAVEST_FIRST.into_iter().find(|status| given.contains(status)).unwrap_or(Status::Yes)
    }
}

impl From<Status> for u8 {
    fn from(status: Status) -> u8 {
        match status {
            Status::Yes => 0,
            Status::No => 1,
            Status::Bad => 2,
            Status::Unknown => 3,
            Status::Internal => 4,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(u8::from(status))
    }
}
