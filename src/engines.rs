//! `engines`: the table of engines.

use kermode::solve::{ENGINES, listing};

use crate::args::Listing;
use crate::report::{print_line, print_text};
use crate::status::Status;

pub(crate) fn run(args: &Listing) -> anyhow::Result<Status> {
    match args.json {
        true => ENGINES.iter().try_for_each(|e| print_line(&listing::json(e).to_string()))?,
        false => ENGINES.iter().try_for_each(|e| print_text(&listing::text(e)))?,
    }
    Ok(Status::Yes)
}
