//! Election of a leader in a ring: the algorithm of Le Lann, Chang and Roberts \[Lyn96\].
//!
//! \[STV05\] section 4.6 checks a chain of fairness assumptions on this system, with propositions
//! that make it true in one case and false in another; which ones is not said. What was decided:
//!
//! - The nodes have different numbers in any order, chosen at the beginning. Channels are buffers
//!   for one message, and initially each holds the number of its sender: everybody has sent.
//! - A scheduler, which is an input, chooses the node that makes the next step. Nothing forces it
//!   to be fair: that messages do not wait forever is what the chain assumes.
//! - `p0` is always true, so the premise of the chain demands `p1`, `p7`, `p6` and `p2` infinitely
//!   often. They say that no message waits at a node of a quarter of the ring. So every message is
//!   received, and a leader is elected. In the true case `p8` says this; in the false case it says
//!   that a message is on its way, which ends with the election.
//! - `&` is missing at the line ends of the chain as printed.

use kermode_ltl::families::{Parameter, ParameterKind};

use super::layout::{comment, joined, lines};
use super::{FamilyModel, FamilyProperty, ModelFamily};

/// `lcr NODES`.
pub const FAMILY: ModelFamily = ModelFamily {
    name: "lcr",
    suffixes: &[],
    summary: "election of a leader in a ring, with a long chain of fairness assumptions",
    parameters: &[Parameter {
        name: "NODES",
        kind: ParameterKind::Number { least: 2, most: 200 },
        default: None,
        help: "how many nodes the ring has",
    }],
    paper: "STV05, Lyn96",
    build: |instance| lcr(instance.size(0)),
};

/// The parts of the ring that the propositions of the chain distinguish.
const PARTS: usize = 4;

/// The ring.
///
/// # Panics
/// With fewer than two nodes.
pub fn lcr(nodes: usize) -> FamilyModel {
    assert!(nodes >= 2, "a ring has two nodes");
    let system = [
        comment(&HEADER.replace("@N", &nodes.to_string())),
        NODE.replace("@N", &nodes.to_string()),
        main(nodes),
    ];
    FamilyModel::new(system.join("\n"), properties(nodes))
}

const HEADER: &str = "\
Election of a leader in a ring of @N nodes: Le Lann, Chang and Roberts [STV05, Lyn96].

The nodes have different numbers, in any order. Each node sends its number to the next one. A \
node that receives a greater number than its own passes it on; it discards a smaller one; and if \
it receives its own number, then that has passed all others: the node is the leader.
A channel holds one message, and a node that should pass on a number waits until its channel is \
free. In each step the scheduler chooses one node. The scheduler may ignore a node forever.";

const NODE: &str = "\
MODULE node(me, scheduled, before, after)
FROZENVAR
  number : 1..@N;
VAR
  outbox : 0..@N;  -- the message to the next node; 0: none
  leader : boolean;
DEFINE
  inbox := before.outbox;
  passes_on := scheduled = me & inbox > number & outbox = 0;
  receives := passes_on | (scheduled = me & inbox != 0 & inbox <= number);
ASSIGN
  init(outbox) := number;
  next(outbox) := case
    passes_on : inbox;
    after.receives : 0;
    TRUE : outbox;
  esac;
  init(leader) := FALSE;
  next(leader) := leader | (receives & inbox = number);
";

fn main(nodes: usize) -> String {
    let node = |i: usize| {
        let before = if i == 1 { nodes } else { i - 1 };
        let after = if i == nodes { 1 } else { i + 1 };
        format!("  node{i} : node({i}, scheduled, node{before}, node{after});")
    };
    let different = |i: usize| {
        let others = (i + 1..=nodes).map(|j| format!("node{i}.number != node{j}.number"));
        format!("INIT\n  {};", joined("&", others))
    };
    let some = |what: &str| joined("|", (1..=nodes).map(|i| format!("node{i}.{what}")));
    let quiet = |part: usize| {
        let members = (1..=nodes).filter(|i| i % PARTS == part % PARTS);
        let empty: Vec<String> = members.map(|i| format!("node{i}.inbox = 0")).collect();
        let empty = if empty.is_empty() { "TRUE".to_owned() } else { joined("&", empty) };
        format!("  quiet{part} := {empty};")
    };
    [
        &format!("MODULE main\nIVAR\n  scheduled : 1..{nodes};\nVAR\n"),
        &lines(nodes, node),
        &lines(nodes - 1, different),
        "DEFINE\n",
        &format!("  elected := {};\n", some("leader")),
        &format!("  in_transit := {};\n", some("outbox != 0")),
        "  -- No message waits at a node of a quarter of the ring.\n",
        &lines(PARTS, quiet),
        PROPOSITIONS,
    ]
    .concat()
}

const PROPOSITIONS: &str = "
-- The propositions of the chain [STV05]; p8 differs between its two cases.
DEFINE
  p0 := in_transit | elected;
  p1 := quiet1;
  p2 := quiet4;
  p3 := !in_transit;
  p4 := !in_transit;
  p5 := elected;
  p6 := quiet3;
  p7 := quiet2;
";

/// The chain of section 4.6.
fn chain(p8: &str) -> String {
    let links = [(0, "p1"), (2, "p0"), (3, "p2"), (4, "p2"), (5, "p3"), (6, "(p5 | p4)")];
    let links = links.into_iter().chain([(7, "p6"), (1, "p7")]);
    let links = links.map(|(from, to)| format!("(G F p{from} -> G F {to})"));
    format!("({})\n  -> G F {p8}", joined("&", links))
}

fn properties(nodes: usize) -> Vec<FamilyProperty> {
    let greatest = (1..=nodes).map(|i| format!("(node{i}.leader -> node{i}.number = {nodes})"));
    vec![
        FamilyProperty::new(
            "stv05_chain_true",
            chain("elected"),
            "If p0 to p7 recur as the chain says, then there is a leader again and again.",
        )
        .holds(
            "p0 is always true, so no message waits forever, and the greatest number gets around.",
        ),
        FamilyProperty::new(
            "stv05_chain_false",
            chain("in_transit"),
            "If p0 to p7 recur as the chain says, then a message is on its way again and again.",
        )
        .fails("after the election there are no messages."),
        FamilyProperty::new(
            "greatest_leader",
            format!("G ({})", joined("&", greatest)),
            "Only the node with the greatest number becomes leader; so there is at most one.",
        )
        .holds("a smaller number is discarded at that node at the latest."),
        FamilyProperty::new("election", "F elected", "A leader is elected.")
            .fails("the scheduler may ignore a node with a message forever."),
    ]
}
