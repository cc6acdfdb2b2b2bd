//! The options of the products.

use kermode_system::Encoding;

use crate::frame::options::{
    Choice, EngineOption, Flag, Number, OptionInfo, Takes, Typed, ValueError,
};

/// The order in which the fixpoints of fair states treat justice constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Schedule {
    Model,
    Formula,
    Smallest,
}

pub(super) const SCHEDULE: Choice<Schedule> = Choice {
    key: "schedule",
    help: "the order of the justice constraints",
    values: &[
        ("model", "those of the model before those of the formula", Schedule::Model),
        ("formula", "those of the formula before those of the model", Schedule::Formula),
        ("smallest", "those with the smallest diagrams first", Schedule::Smallest),
    ],
};

/// The variables that liveness as safety copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copied {
    Auto,
    All,
    Few,
}

pub(super) const COPIES: Choice<Copied> = Choice {
    key: "copies",
    help: "the variables whose values are saved",
    values: &[
        ("auto", "all, unless that gets large; then few", Copied::Auto),
        ("all", "all, in a breadth-first search from the initial states", Copied::All),
        ("few", "those that are needed, in a search from all reachable states", Copied::Few),
    ],
};

/// The nodes that the search with all copies may create before the other one begins.
const ALL_COPIES_NODES: u64 = 1 << 17;

impl Copied {
    /// The nodes that a search with copies of all variables may create, if it is run.
    pub(super) fn nodes_for_all(self) -> Option<u64> {
        match self {
            Copied::Auto => Some(ALL_COPIES_NODES),
            Copied::All => Some(u64::MAX),
            Copied::Few => None,
        }
    }
}

pub(crate) const CLUSTER: Number = Number {
    key: "cluster",
    help: "largest number of nodes of a joined part of the transition relation",
    default: "500",
    range: 0..=u64::MAX,
};

pub(super) const TOP: Flag = Flag {
    key: "top",
    help: "whether the variables of the formula are above those of the model in the variable order, and stay there",
    default: false,
};

/// The encoding of the formula.
pub(super) const ENCODING: EncodingOption = EncodingOption;

pub(super) struct EncodingOption;

impl EngineOption for EncodingOption {
    fn info(&self) -> OptionInfo {
        let names = Encoding::all().map(|encoding| (encoding.to_string().into(), ""));
        let takes = Takes::Choice(names.collect());
        let help = "the encoding of the formula: form and order of the variables";
        OptionInfo { key: "encoding", default: "nnf/sloppy/gba/default", help, takes }
    }

    fn check(&self, value: &str) -> Result<(), ValueError> {
        self.read(value).map(drop)
    }
}

impl Typed for EncodingOption {
    type Value = Encoding;

    fn read(&self, value: &str) -> Result<Encoding, ValueError> {
        let expected = "one of the encodings that `kermode engines` lists";
        value.parse().map_err(|_| ValueError::unexpected("encoding", value, expected))
    }
}
