//! A gas station: customers prepay an operator, who activates the pump for one after the other.
//!
//! The system is described in \[STV05\] section 4.1 and in \[DDMR08\] section 6, and its properties
//! are in Table 1 of the former and in appendix B.4 of the latter, with different names for the
//! same observations. What the papers leave open was decided so:
//!
//! - The queue has one place per customer, and a customer may prepay again while she waits or
//!   pumps; so a name may be in the queue more than once. This is what the sizes in Table 2 of
//!   \[DDMR08\] suggest: half of the numbers there are N * ceil(log2(N+1)) for the queue, three
//!   bits per customer, and two variables of 3N+1 values. And without repetition the contents of
//!   the queue are the partial permutations, which have no small decision diagram.
//! - For that reason the second property fails: its assumption excludes payments between the start
//!   of the pump and the change only, not two payments before the start. One more property has an
//!   assumption that suffices.
//! - All agents move at the same time; each may wait, except that the operator ends a task after
//!   one step. There is no fairness: all properties are about safety.
//!
//! All combinations of independent parts are reachable. With L = 1 + N + .. + N^N contents of the
//! queue and P = 5N + 1 situations at the pump there are 2^N * (L*P + (L - N^N) * P * N/2 + (L - 1)
//! + N*L) states.

use kermode_ltl::families::{Parameter, ParameterKind};

use super::layout::{comment, joined, lines};
use super::{FamilyModel, FamilyProperty, ModelFamily};

/// `gas CUSTOMERS`.
pub const FAMILY: ModelFamily = ModelFamily {
    name: "gas",
    suffixes: &[],
    summary: "a gas station with one pump, whose customers prepay and queue",
    parameters: &[Parameter {
        name: "CUSTOMERS",
        kind: ParameterKind::Number { least: 2, most: 1_000 },
        default: None,
        help: "how many customers, and places in the queue",
    }],
    paper: "STV05, DDMR08",
    build: |instance| gas(instance.size(0)),
};

/// The gas station.
///
/// # Panics
/// With fewer than two customers.
pub fn gas(customers: usize) -> FamilyModel {
    assert!(customers >= 2, "the properties are about two customers");
    let system = [
        comment(&HEADER.replace("@N", &customers.to_string())),
        MODULES.replace("@N", &customers.to_string()),
        main(customers),
    ];
    let mut properties = properties("stv05", &Names::of_stv05());
    properties.extend(self::properties("ddmr08", &Names::of_ddmr08()));
    properties.push(served_in_turn(&Names::of_stv05()));
    FamilyModel::new(system.join("\n"), properties)
}

const HEADER: &str = "\
A gas station with one pump, one operator and @N customers [STV05, DDMR08].

A customer prepays: she holds out money until the operator takes it and puts her at the end of \
the queue. When the pump is off, the operator activates it for the first customer in the queue. \
She takes the nozzle, and the pump starts. She hangs it up, and the pump has charged. The \
operator gives her the change, and the pump is off again.
A customer may hold out money at any time, also while she is in the queue or at the pump. A full \
queue accepts nobody.
All move at the same time and may wait, except that a task of the operator takes one step.";

const MODULES: &str = "\
MODULE customer(me, operator, pump, first, room)
VAR
  paying : boolean;                             -- she holds out money
  stage : {away, starting, pumping, finished};  -- what she does at the pump
DEFINE
  prepaid := operator.task = collect & operator.customer = me;
  activated := operator.task = activate & first = me;
  change := operator.task = refund & pump.customer = me;
  started := pump.state = flowing & pump.customer = me;
  charged := pump.state = closed & pump.customer = me;
ASSIGN
  init(paying) := FALSE;
  next(paying) := case
    paying & !prepaid : TRUE;
    TRUE : {FALSE, TRUE};
  esac;
  init(stage) := away;
  next(stage) := case
    stage = away & pump.state = ready & pump.customer = me : {away, starting};
    stage = starting : pumping;
    stage = pumping : {pumping, finished};
    stage = finished & change : away;
    TRUE : stage;
  esac;
TRANS
  next(prepaid) -> paying & room;

MODULE operator(pump, first)
VAR
  task : {none, collect, activate, refund};
  customer : 0..@N;  -- whose money is collected
INIT
  task = none;
INVAR
  task = collect <-> customer != 0;
TRANS
  task != none -> next(task) = none;
TRANS
  next(task) = activate -> pump.state = off & first != 0;
TRANS
  next(task) = refund -> pump.state = closed;

MODULE pump(operator, first, nozzle_taken, nozzle_back)
VAR
  state : {off, ready, flowing, closed};
  customer : 0..@N;  -- for whom it is activated
ASSIGN
  init(state) := off;
  next(state) := case
    state = off & operator.task = activate : ready;
    state = ready & nozzle_taken : flowing;
    state = flowing & nozzle_back : closed;
    state = closed & operator.task = refund : off;
    TRUE : state;
  esac;
  init(customer) := 0;
  next(customer) := case
    state = off & operator.task = activate : first;
    state = closed & operator.task = refund : 0;
    TRUE : customer;
  esac;

-- A place in the queue. A new customer takes the first one that is free.
MODULE place(operator, before, behind)
VAR
  customer : 0..@N;
ASSIGN
  init(customer) := 0;
  next(customer) := case
    operator.task = collect & before != 0 & customer = 0 : operator.customer;
    operator.task = activate : behind;
    TRUE : customer;
  esac;
";

fn main(customers: usize) -> String {
    let place = |i: usize| {
        let before = if i == 1 { "1".to_owned() } else { format!("place{}.customer", i - 1) };
        let last = i == customers;
        let behind = if last { "0".to_owned() } else { format!("place{}.customer", i + 1) };
        format!("  place{i} : place(operator, {before}, {behind});")
    };
    let customer =
        |i: usize| format!("  customer{i} : customer({i}, operator, pump, place1.customer, room);");
    let stage =
        |stage: &str| joined("|", (1..=customers).map(|i| format!("customer{i}.stage = {stage}")));
    [
        "MODULE main\nVAR\n  operator : operator(pump, place1.customer);\n",
        "  pump : pump(operator, place1.customer, nozzle_taken, nozzle_back);\n",
        &lines(customers, place),
        &lines(customers, customer),
        &format!("DEFINE\n  room := place{customers}.customer = 0;\n"),
        &format!("  nozzle_taken := {};\n", stage("starting")),
        &format!("  nozzle_back := {};\n", stage("finished")),
        "\n-- The observations of the properties. Customers are symmetric: two of them suffice.\n",
        "DEFINE\n",
        &Names::of_stv05().definitions(),
        &Names::of_ddmr08().definitions(),
    ]
    .concat()
}

/// The names of the observations for customers 1 and 2.
struct Names {
    prepaid: [&'static str; 2],
    activate: [&'static str; 2],
    started: [&'static str; 2],
    charged: [&'static str; 2],
    change: [&'static str; 2],
}

impl Names {
    fn of_stv05() -> Self {
        Names {
            prepaid: ["operator_prepaid1", "operator_prepaid2"],
            activate: ["operator_activate1", "operator_activate2"],
            started: ["pump_started1", "pump_started2"],
            charged: ["pump_charged1", "pump_charged2"],
            change: ["operator_change1", "operator_change2"],
        }
    }

    /// Of pump 1. Prepayments name the customer first, activations the pump.
    fn of_ddmr08() -> Self {
        Names {
            prepaid: ["operator_prepaid_1_1", "operator_prepaid_2_1"],
            activate: ["operator_activate_1_1", "operator_activate_1_2"],
            started: ["pump1_started1", "pump1_started2"],
            charged: ["pump1_charged1", "pump1_charged2"],
            change: ["operator_change_1_1", "operator_change_1_2"],
        }
    }

    fn definitions(&self) -> String {
        let of = |names: [&str; 2], observation: &str| {
            lines(2, |i| format!("  {} := customer{i}.{observation};", names[i - 1]))
        };
        [
            of(self.prepaid, "prepaid"),
            of(self.activate, "activated"),
            of(self.started, "started"),
            of(self.charged, "charged"),
            of(self.change, "change"),
        ]
        .concat()
    }

    /// If customer 2 prepays while customer 1 pumps, then customer 2 is served next of the two.
    fn in_turn(&self) -> String {
        let Names { prepaid: [_, prepaid2], activate: [activate1, activate2], .. } = self;
        let (started1, charged1) = (self.started[0], self.charged[0]);
        format!(
            "G (({started1} & (!{charged1} U {prepaid2}))\n    \
             -> (!{activate1} U ({activate2} | G !{activate1})))"
        )
    }
}

/// The four properties of the papers, with the names of one of them.
fn properties(paper: &str, names: &Names) -> Vec<FamilyProperty> {
    let name = |number: u32| format!("{paper}_prop{number}");
    let Names { prepaid: [prepaid1, prepaid2], started: [started1, started2], .. } = names;
    let (charged1, change1, in_turn) = (names.charged[0], names.change[0], names.in_turn());
    let assumption = format!("G ({started1} -> (!{prepaid1} U ({change1} | G !{prepaid1})))");
    let first =
        format!("(!{prepaid2} U {prepaid1})\n  -> (!{started2} U ({started1} | G !{started2}))");
    let exclusive = format!("G ({started1} -> (!{started2} U ({charged1} | G !{started2})))");
    vec![
        FamilyProperty::new(
            &name(1),
            &in_turn,
            "If customer 2 prepays while customer 1 pumps, then the pump is activated for customer \
             2 before it is for customer 1 again.",
        )
        .fails("customer 1 may be in the queue again, in front of customer 2."),
        FamilyProperty::new(
            &name(2),
            format!("{assumption}\n  -> {in_turn}"),
            "The same, provided that customer 1 never prepays between the start of the pump and \
            her change.",
        )
        .fails("she may have prepaid twice before the pump started."),
        FamilyProperty::new(
            &name(3),
            first,
            "If customer 1 prepays before customer 2, then she starts the pump before customer 2.",
        )
        .holds("the first in the queue is served first, and the pump waits for her."),
        FamilyProperty::new(
            &name(4),
            exclusive,
            "When customer 1 has started the pump, customer 2 does not start it until customer 1 \
            is charged.",
        )
        .holds("the pump has one customer until it is off."),
    ]
}

/// The second property with a sufficient assumption.
fn served_in_turn(names: &Names) -> FamilyProperty {
    let (prepaid1, change1) = (names.prepaid[0], names.change[0]);
    let assumption = format!("G ({prepaid1} -> X (!{prepaid1} U ({change1} | G !{prepaid1})))");
    let formula = format!("{assumption}\n  -> {}", names.in_turn());
    FamilyProperty::new(
        "served_in_turn",
        formula,
        "The first property, provided that customer 1 gets her change before she prepays again.",
    )
    .holds("while she pumps she is not in the queue, so her next place is behind customer 2.")
}
