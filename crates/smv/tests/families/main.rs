//! The families of models: their states, sizes, texts and verdicts.
//!
//! The enumerators in the other files of this folder are written from the descriptions in the
//! papers, in plain Rust. They share no code with the generated texts.

mod bakery;
mod enumerate;
mod gas;
mod lcr;
mod philosophers;
mod stack;

use std::collections::BTreeSet;
use std::convert::Infallible;

use kermode_ltl::families::RequestError;
use kermode_smv::encoding::Limits as EncodingLimits;
use kermode_smv::families::{FamilyModel, MODEL_FAMILIES, ModelRequest, build};
use kermode_smv::interpreter::{Interpreter, explore};
use kermode_smv::judge::{Limits, verdict};
use kermode_smv::{ReadOptions, SmvModel};
use kermode_system::SymbolKind;

use enumerate::{Counts, System, counts};

fn members(request: &str) -> Vec<FamilyModel> {
    let mut words = request.split(' ');
    let name = words.next().expect("a name");
    let arguments: Vec<&str> = words.collect();
    let found = ModelRequest::find(MODEL_FAMILIES, name, &arguments).expect("a family");
    let request = found.unwrap_or_else(|error| panic!("{request}: {error}"));
    request.instances().map(|instance| build(&instance)).collect()
}

fn member(request: &str) -> FamilyModel {
    let mut members = members(request);
    assert_eq!(members.len(), 1, "{request}");
    members.remove(0)
}

fn read(text: &str) -> SmvModel {
    let (options, limits) = (ReadOptions::default(), EncodingLimits::default());
    match SmvModel::read::<Infallible>(text, &options, &limits, &mut || Ok(())) {
        Ok(model) => model,
        Err(error) => panic!("{error:?}\n{text}"),
    }
}

/// The numbers of the interpreter.
fn interpreted(request: &str) -> Counts {
    let model = read(&member(request).text);
    let mut interpreter = Interpreter::new(&model.flat);
    let Ok(found) = explore::<Infallible>(&mut interpreter, 200_000, &mut || Ok(()));
    assert!(!found.is_partial, "{request}");
    assert_eq!(found.deadlocks.len(), usize::from(request.starts_with("philosophers")));
    let (initial, states, depth) = (found.initial, found.states.len(), found.depth);
    Counts { initial, states, depth, edges: found.targets.len() }
}

fn same_states<S: System>(request: &str, initial: Vec<S>) {
    assert_eq!(interpreted(request), counts(initial), "{request}");
}

#[test]
fn the_states_are_those_of_the_descriptions() {
    for size in [2, 3] {
        same_states(&format!("gas {size}"), vec![gas::Station::new(size)]);
        same_states(&format!("bakery {size}"), vec![bakery::Shop::new(size)]);
        same_states(&format!("lcr {size}"), lcr::Ring::all(size));
    }
    for size in 1..=4 {
        same_states(&format!("stack {size}"), vec![stack::Stack::new(size)]);
    }
    same_states("lcr 4", lcr::Ring::all(4));
    for size in 3..=6 {
        same_states(&format!("philosophers {size}"), vec![philosophers::Table::new(size)]);
    }
}

/// The numbers in the header of the family.
#[test]
fn the_states_of_philosophers_are_pell_lucas_numbers() {
    for (size, states) in [(3, 14), (4, 34), (5, 82), (6, 198), (7, 478)] {
        assert_eq!(counts(vec![philosophers::Table::new(size)]).states, states);
    }
}

/// The closed form in the header of the family.
#[test]
fn the_states_of_the_gas_station_are_all_combinations() {
    for n in [2_usize, 3] {
        let all: usize = (0..=n as u32).map(|length| n.pow(length)).sum();
        let (full, pump) = (n.pow(n as u32), 5 * n + 1);
        let idle = all * pump;
        let collecting = (all - full) * pump * n; // with one customer who certainly pays
        let (activating, refunding) = (all - 1, n * all);
        let states = (1 << n) * (idle + activating + refunding) + (1 << (n - 1)) * collecting;
        assert_eq!(counts(vec![gas::Station::new(n)]).states, states);
    }
}

/// Table 2 of the paper has the variables of the transition relation, that is twice the state bits
/// and, where the scheduler is an input, its bits.
#[test]
fn the_sizes_are_close_to_those_of_the_paper() {
    let table = [
        ("stack 5", 49),
        ("stack 7", 57),
        ("stack 9", 69),
        ("stack 11", 77),
        ("gas 8", 132),
        ("gas 14", 220),
        ("gas 20", 344),
        ("gas 26", 444),
        ("gas 32", 604),
        ("gas 38", 712),
        ("gas 44", 824),
        ("gas 50", 932),
        ("bakery 2", 42),
        ("bakery 3", 70),
        ("bakery 4", 91),
    ];
    for (request, printed) in table {
        let model = read(&member(request).text);
        let symbols = model.encoded.model.symbols.iter();
        let states = symbols.filter(|symbol| symbol.kind != SymbolKind::Input);
        let bits: usize = states.map(|symbol| symbol.bits.len()).sum();
        let ratio = 2.0 * bits as f64 / f64::from(printed);
        assert!((0.85..=1.15).contains(&ratio), "{request}: {bits} bits, {ratio}");
    }
}

#[test]
fn texts_are_read_without_warnings_and_have_the_listed_properties() {
    let mut requests: Vec<String> = (2..=6).map(|size| format!("gas {size}")).collect();
    requests.extend((1..=5).map(|size| format!("stack {size}")));
    requests.extend((2..=5).map(|size| format!("bakery {size}")));
    requests.extend((2..=9).map(|size| format!("lcr {size}")));
    requests.extend((3..=6).map(|size| format!("philosophers {size}")));
    requests.extend(["stack 3 1", "stack 2 7", "gas 40", "lcr 30", "bakery 20"].map(str::to_owned));
    for request in requests {
        let member = member(&request);
        let model = read(&member.text);
        assert!(model.warnings.is_empty(), "{request}: {:?}", model.warnings);
        let names = model.flat.properties.iter().map(|property| property.name.as_deref());
        let listed = member.properties.iter().map(|property| Some(property.name.as_str()));
        assert!(names.eq(listed), "{request}");
        let formulas = member.properties.iter().map(|property| property.formula.as_str());
        assert!(formulas.into_iter().all(|formula| member.text.contains(formula)), "{request}");
        let tabs = member.text.lines().find(|line| line.contains('\t') || line.ends_with(' '));
        assert_eq!(tabs, None, "{request}");
        let comments = member.text.lines().filter(|line| line.starts_with("--"));
        assert!(comments.into_iter().all(|line| line.len() <= 100), "{request}");
    }
}

/// The verdicts, each with its derivation. `true` means that the property holds.
///
/// gas. (1) The queue may be `1 1`: the pump is activated for the first 1 and started, then 2
/// prepays, the queue is `1 2`, and the pump is activated for 1: violated. (2) In that run 1 does
/// not prepay after the start, so the assumption is true: violated. (3) If 1 prepays before 2, an
/// entry 1 is in front of all entries 2. The pump is activated in the order of the queue and stays
/// with its customer until she is charged: holds, also if she never starts. (4) The pump has one
/// customer from its activation until it is off, which is after the charge: holds.
/// `served_in_turn`: at most one payment of 1 is without change at any time, and while 1 pumps it
/// is the one that she pumps for. So 1 is not in the queue, and 2 gets in before her: holds.
///
/// stack. (1) to (4): what is pushed stays in the stack until it is returned by pop, and a walk
/// from top to bottom that has begun is completed: hold. (5) as printed: `returnPopd2` is false
/// where `callPushd1` is true, so that the right side of until is true at once: holds. (5) as
/// meant: with three cells 1, 2 and 1 again are pushed, and then 1 is popped: violated. With two
/// cells the stack is `1 2` after the second push, and the only pop returns 2; with one cell 2
/// cannot be pushed while 1 is in: holds. The order of calls: with no pop the pushed elements stay
/// next to each other until the freeze, and every round of the walk calls them in reverse order:
/// holds for each number of pushes, vacuously if they do not fit in. Without the condition on pop:
/// 1 and 2 are pushed and 2 is popped, then the stack is frozen, and 2 is never called: violated if
/// two elements fit in.
///
/// bakery. Fairness and mutual exclusion are theorems about the black-white bakery \[Tau04\]; the
/// enumerator confirms fairness below. If process 2 stops after taking a ticket, process 1 waits
/// forever for it once its own ticket is behind: `fairness_of_one` is violated. A number that is
/// taken is one more than the maximum of the numbers of the other processes, and with one ticket
/// per process and colour that is below the number of processes: `tickets_suffice` holds.
///
/// lcr. The greatest number is never discarded before it has come around, so a message is on its
/// way or there is a leader: `p0` is always true. So the premise demands `G F p1`, then `G F p7`,
/// `G F p6`, `G F (p5 | p4)` and therefore `G F p2`: at no node does a message wait forever. Then
/// the greatest number comes around, and there is a leader forever: the chain about `elected`
/// holds. The run in which everybody is scheduled in turn satisfies the premise too, since in the
/// end there is no message: the chain about `in_transit` is violated. A number that comes around
/// has passed the node with the greatest number, so it is the greatest: `greatest_leader` holds. If
/// a node with a message at its door is never scheduled, nobody is elected: `election` is violated.
///
/// philosophers. An eater holds both forks, so neighbours cannot eat together: `neighbours` holds.
/// On an infinite path forks are taken infinitely often, so they are put back infinitely often,
/// which is the end of a meal: `progress` holds. The first one may hold a fork and never be
/// scheduled while another, not a neighbour or the next one, eats again and again: `first_eats` is
/// violated.
const VERDICTS: &[(&str, &[(&str, bool)])] = &[
    ("gas 2..3", GAS),
    ("stack 1", &[("stv05_prop5_meant", true), ("order_without_condition", true)]),
    ("stack 2", &[("stv05_prop5_meant", true), ("order_without_condition", false)]),
    ("stack 3", &[("stv05_prop5_meant", false), ("order_without_condition", false)]),
    ("stack 1..3", STACK),
    ("stack 1..3 1", &[("ddmr08_pushes1", true)]),
    ("bakery 2..3", BAKERY),
    ("lcr 2..3", LCR),
    ("philosophers 3..4", PHILOSOPHERS),
];

const GAS: &[(&str, bool)] = &[
    ("stv05_prop1", false),
    ("stv05_prop2", false),
    ("stv05_prop3", true),
    ("stv05_prop4", true),
    ("ddmr08_prop1", false),
    ("ddmr08_prop2", false),
    ("ddmr08_prop3", true),
    ("ddmr08_prop4", true),
    ("served_in_turn", true),
];

const STACK: &[(&str, bool)] = &[
    ("stv05_prop1", true),
    ("stv05_prop2", true),
    ("stv05_prop3", true),
    ("stv05_prop4", true),
    ("stv05_prop5", true),
    ("ddmr08_pushes2", true),
    ("ddmr08_pushes3", true),
    ("ddmr08_pushes4", true),
    ("ddmr08_pushes5", true),
];

const BAKERY: &[(&str, bool)] = &[
    ("ddmr08_fairness", true),
    ("ddmr08_mutex", true),
    ("fairness_of_one", false),
    ("tickets_suffice", true),
];

const PHILOSOPHERS: &[(&str, bool)] =
    &[("neighbours", true), ("progress", true), ("first_eats", false)];

const LCR: &[(&str, bool)] = &[
    ("stv05_chain_true", true),
    ("stv05_chain_false", false),
    ("greatest_leader", true),
    ("election", false),
];

#[test]
fn the_expected_verdicts_are_the_derived_ones() {
    let mut listed = BTreeSet::new();
    for &(request, verdicts) in VERDICTS {
        for member in members(request) {
            for &(name, holds) in verdicts {
                let mut properties = member.properties.iter();
                let found = properties.find(|property| property.name == name);
                let found = found.unwrap_or_else(|| panic!("{request}: {name}"));
                assert_eq!(found.holds, holds, "{request}: {name}");
                listed.insert((request.split(' ').next(), name));
            }
        }
    }
    for family in MODEL_FAMILIES {
        let mut sizes = (2..10).map(|size: u32| size.to_string());
        let request =
            |size: String| ModelRequest::find(MODEL_FAMILIES, family.name, &[&size])?.ok();
        let smallest = sizes.find_map(request).expect("a size");
        let instance = smallest.instances().next().expect("a member");
        for property in build(&instance).properties {
            let key = (Some(family.name), property.name.as_str());
            assert!(listed.contains(&key), "{key:?} has no derivation");
        }
    }
}

#[test]
fn the_judge_confirms_the_expected_verdicts() {
    let few_pushes =
        |name: &str| !["ddmr08_pushes3", "ddmr08_pushes4", "ddmr08_pushes5"].contains(&name);
    for request in ["gas 2", "stack 1..3", "stack 3 1", "bakery 2", "lcr 2..3"] {
        confirm(request, few_pushes);
    }
}

/// More pushes than three are too many for the product with the tableau.
#[test]
#[ignore = "takes minutes"]
fn the_judge_confirms_the_expected_verdicts_of_larger_members() {
    for request in ["gas 3", "stack 1..3 3", "bakery 3", "lcr 4"] {
        confirm(request, |_| true);
    }
}

#[track_caller]
fn confirm(request: &str, chosen: impl Fn(&str) -> bool) {
    let limits = Limits { states: 100_000, steps: 20_000_000 };
    for member in members(request) {
        let model = read(&member.text);
        let properties = member.properties.iter().zip(&model.flat.properties);
        for (expected, property) in properties.filter(|(expected, _)| chosen(&expected.name)) {
            let judged = verdict::<Infallible>(&model.flat, property, limits, &mut || Ok(()));
            let holds = judged.map(|judged| judged.holds());
            assert_eq!(holds, Ok(Some(expected.holds)), "{request}: {}", expected.name);
        }
    }
}

/// Fairness of the bakery with three processes, on the states of the enumerator.
#[test]
fn the_bakery_is_fair() {
    for processes in [2, 3] {
        assert!(bakery::is_fair(processes, 1), "{processes}");
        assert!(bakery::is_fair(processes, processes), "{processes}");
    }
}

#[test]
fn requests_outside_of_the_ranges_are_errors() {
    let error = |name: &str, arguments: &[&str]| {
        let found = ModelRequest::find(MODEL_FAMILIES, name, arguments).expect("a family");
        found.expect_err("an error")
    };
    for name in ["gas", "bakery", "lcr"] {
        assert!(matches!(error(name, &["1"]), RequestError::Value { .. }), "{name}");
        assert!(matches!(error(name, &["3", "2"]), RequestError::Extra { .. }), "{name}");
        assert!(matches!(error(name, &[]), RequestError::Missing { .. }), "{name}");
    }
    assert!(matches!(error("stack", &["0"]), RequestError::Value { .. }));
    assert!(matches!(error("stack", &["3", "101"]), RequestError::Value { .. }));
    assert!(ModelRequest::find(MODEL_FAMILIES, "lift", &["2"]).is_none());
}
