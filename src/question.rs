//! What commands ask, and their words for yes and no.

use kermode::ltl::{BinaryOp, Formula, Node, Store, UnaryOp};

/// What a command asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    Sat,
    Valid,
    Equiv,
    Implies,
    Empty,
}

impl Question {
    /// The command that asks it.
    pub(crate) fn command(self) -> &'static str {
        match self {
            Question::Sat => "sat",
            Question::Valid => "valid",
            Question::Equiv => "equiv",
            Question::Implies => "implies",
            Question::Empty => "empty",
        }
    }

    /// The words for yes and no.
    pub(crate) fn answer(self, yes: bool) -> &'static str {
        match (self, yes) {
            (Question::Sat, true) => "satisfiable",
            (Question::Sat, false) => "unsatisfiable",
            (Question::Valid, true) => "valid",
            (Question::Valid, false) => "not valid",
            (Question::Equiv, true) => "equivalent",
            (Question::Equiv, false) => "not equivalent",
            (Question::Implies, true) => "implied",
            (Question::Implies, false) => "not implied",
            (Question::Empty, true) => "empty",
            (Question::Empty, false) => "nonempty",
        }
    }

    /// Whether a word means yes; to the other questions it is a counterexample.
    pub(crate) fn word_means_yes(self) -> bool {
        self == Question::Sat
    }

    /// The formula whose words decide the question about formulas. It is taken as it stands: no engine's work is
    /// done here.
    pub(crate) fn formula(self, store: &mut Store, first: Formula, second: Formula) -> Formula {
        let node = match self {
            Question::Sat | Question::Empty => return first,
            Question::Valid => Node::Unary(UnaryOp::Not, first),
            Question::Equiv => Node::Binary(BinaryOp::Xor, first, second),
            Question::Implies => {
                let not_second = store.intern(Node::Unary(UnaryOp::Not, second));
                Node::Binary(BinaryOp::And, first, not_second)
            }
        };
        store.intern(node)
    }
}
