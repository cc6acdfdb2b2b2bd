//! Dining philosophers, who take the left fork first and may block each other \[Dij71\].
//!
//! The standard example of a deadlock, and of the growth of explicit state spaces. What was
//! decided:
//!
//! - A philosopher thinks, holds the left fork, or eats. Each step of a philosopher takes one fork,
//!   or puts both back.
//! - A scheduler, which is an input, chooses a philosopher who can move. If all hold their left
//!   forks, nobody can: that state is a dead end.
//!
//! A philosopher who eats holds the left fork of the next one, who therefore thinks. Everything
//! else is possible, so `n` philosophers have `(1 + sqrt 2)^n + (1 - sqrt 2)^n` states: these
//! numbers are 14, 34, 82, ..., each twice its predecessor plus the one before.

use kermode_ltl::families::{Parameter, ParameterKind};

use super::layout::{comment, joined, lines};
use super::{FamilyModel, FamilyProperty, ModelFamily};

/// `philosophers PHILOSOPHERS`.
pub const FAMILY: ModelFamily = ModelFamily {
    name: "philosophers",
    suffixes: &[],
    summary: "dining philosophers, who may block each other",
    parameters: &[Parameter {
        name: "PHILOSOPHERS",
        kind: ParameterKind::Number { least: 3, most: 200 },
        default: None,
        help: "how many philosophers",
    }],
    paper: "Dij71",
    build: |instance| philosophers(instance.size(0)),
};

/// The table.
///
/// # Panics
/// With fewer than three philosophers.
pub fn philosophers(count: usize) -> FamilyModel {
    assert!(count >= 3, "a philosopher has two neighbours");
    let system =
        [comment(&HEADER.replace("@N", &count.to_string())), PHILOSOPHER.to_owned(), main(count)];
    FamilyModel::new(system.join("\n"), properties(count))
}

const HEADER: &str = "\
@N dining philosophers [Dij71].

Between two neighbours is one fork. A philosopher takes the left fork, then the right one, eats, \
and puts both back. In each step the scheduler chooses a philosopher who can move. If all hold \
their left forks, nobody can, and the state has no successor. The scheduler may ignore a \
philosopher forever.";

const PHILOSOPHER: &str = "\
MODULE philosopher(me, scheduled, left, right)
VAR
  place : {thinking, holding, eating};
DEFINE
  -- The left fork is the right one of the left neighbour, who holds it while eating.
  can_move := case
    place = thinking : left.place != eating;
    place = holding : right.place = thinking;
    TRUE : TRUE;
  esac;
ASSIGN
  init(place) := thinking;
  next(place) := case
    scheduled != me : place;
    place = thinking : holding;
    place = holding : eating;
    TRUE : thinking;
  esac;
TRANS
  scheduled = me -> can_move;
";

fn main(count: usize) -> String {
    let philosopher = |i: usize| {
        let left = if i == 1 { count } else { i - 1 };
        let right = if i == count { 1 } else { i + 1 };
        format!("  p{i} : philosopher({i}, scheduled, p{left}, p{right});")
    };
    [
        &format!("MODULE main\nIVAR\n  scheduled : 1..{count};\nVAR\n"),
        &lines(count, philosopher),
        "DEFINE\n",
        &format!("  somebody_eats := {};\n", joined("|", (1..=count).map(eats))),
    ]
    .concat()
}

fn eats(i: usize) -> String {
    format!("p{i}.place = eating")
}

fn properties(count: usize) -> Vec<FamilyProperty> {
    let pairs = (1..=count).map(|i| (i, if i == count { 1 } else { i + 1 }));
    let apart = pairs.map(|(i, j)| format!("!({} & {})", eats(i), eats(j)));
    vec![
        FamilyProperty::new(
            "neighbours",
            format!("G ({})", joined("&", apart)),
            "Neighbours do not eat at the same time.",
        )
        .holds("both would hold the fork between them."),
        FamilyProperty::new(
            "progress",
            "G F somebody_eats",
            "On infinite paths, somebody eats again and again.",
        )
        .holds("each step takes a fork or ends a meal, and there are finitely many forks."),
        FamilyProperty::new(
            "first_eats",
            "G (p1.place = holding -> F p1.place = eating)",
            "A philosopher who holds a fork will eat.",
        )
        .fails("the scheduler may ignore the philosopher forever."),
    ]
}
