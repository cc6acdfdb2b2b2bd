//! Mutual exclusion by tickets: a finite-state version of Lamport's bakery \[Lam74\].
//!
//! \[DDMR08\] section 6 checks "a finite state version" of the bakery without saying which. In
//! Lamport's algorithm the tickets grow without bound. To bound them by making processes wait would
//! cost what the protocol is for: of three processes, two may take turns so that the third one
//! finds no ticket left whenever it looks. The model is therefore the black-white bakery \[Tau04\],
//! whose tickets are bounded by the number of processes: tickets have the colour of the shop, the
//! shop changes its colour when somebody leaves, and the tickets of the other colour go first.
//! Further decisions:
//!
//! - A scheduler, which is an input, chooses the process that makes the next step; `p1_running`
//!   says that it is process 1.
//! - The tickets of the others are read one after the other, and one step reads or writes what
//!   belongs to one other process. Except for that, a step is one line of the algorithm; lowering
//!   the flag `choosing` is part of taking the ticket.
//! - A process returns from its rest when it is scheduled, and stays in the critical section for
//!   one step: the fairness property wants every process that runs to be in the critical section
//!   again and again.

use kermode_ltl::families::{Parameter, ParameterKind};

use super::layout::{comment, joined, lines};
use super::{FamilyModel, FamilyProperty, ModelFamily};

/// `bakery PROCESSES`.
pub const FAMILY: ModelFamily = ModelFamily {
    name: "bakery",
    suffixes: &[],
    summary: "mutual exclusion by tickets: the bakery with bounded tickets",
    parameters: &[Parameter {
        name: "PROCESSES",
        kind: ParameterKind::Number { least: 2, most: 200 },
        default: None,
        help: "how many processes",
    }],
    paper: "DDMR08, Tau04",
    build: |instance| bakery(instance.size(0)),
};

/// The bakery.
///
/// # Panics
/// With fewer than two processes.
pub fn bakery(processes: usize) -> FamilyModel {
    assert!(processes >= 2, "mutual exclusion is between two processes");
    let system = [
        comment(&HEADER.replace("@N", &processes.to_string())),
        module(processes),
        main(processes),
    ];
    FamilyModel::new(system.join("\n"), properties(processes))
}

const HEADER: &str = "\
Mutual exclusion of @N processes by tickets: a finite-state version of the bakery [DDMR08].

In Lamport's bakery a process takes a ticket with a number that is greater than all others, and \
the process with the least number enters the critical section; ties are decided by the numbers of \
the processes. In this version, the black-white bakery [Tau04], tickets also have a colour, so \
that @N numbers suffice: a process takes the colour of the shop and a number that is greater than \
all numbers of that colour. Tickets of the other colour go first. A process that leaves the \
critical section gives the shop the colour that its ticket does not have.
In each step the scheduler chooses one process. The scheduler may ignore a process forever.";

const MODULE: &str = "\
MODULE participant(me, scheduled, shop, @PROCESSES)
VAR
  location : {resting, colouring, scanning, taking, waiting, comparing, critical, leaving};
  colour : {black, white};  -- of its ticket
  number : 0..@N;  -- of its ticket; 0: it has none
  maximum : 0..@N;  -- the greatest number that it has read
  peer : 1..@N;  -- the process that it looks at
DEFINE
  runs := scheduled = me;
  choosing := location = colouring | location = scanning | location = taking;
  inside := location = critical;
  leaves := runs & location = critical;
  peer_choosing := case
@CHOOSING
  esac;
  peer_colour := case
@COLOUR
  esac;
  peer_number := case
@NUMBER
  esac;
  is_before_peer := number < peer_number | (number = peer_number & me <= peer);
  may_pass := peer_number = 0
    | (colour = peer_colour & is_before_peer)
    | (colour != peer_colour & colour != shop);
  is_last := peer = @N;
ASSIGN
  init(location) := resting;
  next(location) := case
    !runs : location;
    location = resting : colouring;
    location = colouring : scanning;
    location = scanning & is_last : taking;
    location = taking : waiting;
    location = waiting & !peer_choosing : comparing;
    location = comparing & may_pass : is_last ? critical : waiting;
    location = critical : leaving;
    location = leaving : resting;
    TRUE : location;
  esac;
  init(colour) := black;
  next(colour) := case
    runs & location = colouring : shop;
    TRUE : colour;
  esac;
  init(number) := 0;
  next(number) := case
    runs & location = taking & maximum < @N : maximum + 1;
    runs & location = leaving : 0;
    TRUE : number;
  esac;
  init(maximum) := 0;
  next(maximum) := case
    runs & location = scanning & peer_colour = colour & peer_number > maximum : peer_number;
    runs & location = taking : 0;
    TRUE : maximum;
  esac;
  init(peer) := 1;
  next(peer) := case
    !runs : peer;
    location = scanning | (location = comparing & may_pass) : (peer mod @N) + 1;
    TRUE : peer;
  esac;
";

fn module(processes: usize) -> String {
    let peer = |name: &str| {
        let other = lines(processes - 1, |i| format!("    peer = {i} : p{i}.{name};"));
        format!("{other}    TRUE : p{processes}.{name};\n")
    };
    MODULE
        .replace("@CHOOSING\n", &peer("choosing"))
        .replace("@COLOUR\n", &peer("colour"))
        .replace("@NUMBER\n", &peer("number"))
        .replace("@PROCESSES", &names(processes))
        .replace("@N", &processes.to_string())
}

/// The names of all processes.
fn names(processes: usize) -> String {
    (1..=processes).map(|i| format!("p{i}")).collect::<Vec<_>>().join(", ")
}

fn main(processes: usize) -> String {
    let names = names(processes);
    let process = |i: usize| format!("  p{i} : participant({i}, scheduled, shop, {names});");
    let leaves = |i: usize| format!("    p{i}.leaves : p{i}.colour = black ? white : black;");
    [
        &format!("MODULE main\nIVAR\n  scheduled : 1..{processes};\nVAR\n"),
        "  shop : {black, white};\n",
        &lines(processes, process),
        "ASSIGN\n  init(shop) := black;\n  next(shop) := case\n",
        &lines(processes, leaves),
        "    TRUE : shop;\n  esac;\n",
        "\n-- The observations of [DDMR08].\nDEFINE\n",
        &lines(processes, |i| format!("  p{i}_running := p{i}.runs;")),
        &lines(processes, |i| format!("  cs{i} := p{i}.inside;")),
    ]
    .concat()
}

fn properties(processes: usize) -> Vec<FamilyProperty> {
    let running = (1..=processes).map(|i| format!("G F p{i}_running"));
    let fairness = format!("({})\n  -> G F cs1", joined("&", running));
    let tickets = (1..=processes).map(|i| format!("p{i}.maximum < {processes}"));
    vec![
        FamilyProperty::new(
            "ddmr08_fairness",
            fairness,
            "If every process runs infinitely often, then process 1 is in the critical section \
             infinitely often.",
        )
        .holds(
            "the least ticket of the leading colour always gets in, and a process that has left \
             takes a ticket behind those that wait.",
        ),
        FamilyProperty::new(
            "ddmr08_mutex",
            "G !(cs1 & cs2)",
            "Processes 1 and 2 are never in the critical section at the same time.",
        )
        .holds("a process that chooses while another is inside reads the other's ticket."),
        FamilyProperty::new(
            "fairness_of_one",
            "G F p1_running -> G F cs1",
            "If process 1 runs infinitely often, then it is in the critical section infinitely \
             often.",
        )
        .fails("another process may stop forever while it has a ticket or chooses one."),
        FamilyProperty::new(
            "tickets_suffice",
            format!("G ({})", joined("&", tickets)),
            "No process ever needs a number that does not exist.",
        )
        .holds("while a colour is the shop's, each process takes at most one ticket of it."),
    ]
}
