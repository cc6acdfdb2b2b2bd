//! The searches on the fly over models: what they expand, how many states they meet before they
//! find a violation, and what they say if they cannot answer.

mod checking;

use checking::read;
use kermode_smv::families::philosophers::philosophers;
use kermode_smv::judge::cases::case;
use kermode_smv::syntax::PropertyKind;
use kermode_solve::check::{
    CheckOutcome, CheckSettings, CheckVerdict, CheckWorker, Checker, PropertyRequest,
};
use kermode_solve::{Budget, Cancellation, Limits, Silent, Stop};

const SEARCHES: [&str; 2] = ["tgba:couvreur", "tgba:magic"];

/// The outcome of an LTL property.
fn checked(model: &str, formula: &str, engine: &str, budget: &Budget) -> CheckOutcome {
    let (name, text) = (None, formula.to_owned());
    let requests = [PropertyRequest::Ltl { name, text, dialect: None }];
    let unlimited = Budget::unlimited();
    let checker = Checker::new(read(model), &requests, &[], None, &unlimited).expect("a property");
    let engines = vec![engine.parse().expect("an engine")];
    let settings = CheckSettings { engines, ..CheckSettings::default() };
    let worker = CheckWorker::new(&checker, &settings);
    worker.check(&checker.properties()[0], budget, &mut Silent::default())
}

fn holds(outcome: &CheckOutcome) -> bool {
    match outcome.result.as_ref().expect("no internal error") {
        CheckVerdict::Holds => true,
        CheckVerdict::Violated(Ok(_)) => false,
        other => panic!("{other:?}"),
    }
}

fn count(outcome: &CheckOutcome, wanted: &str) -> u64 {
    let found = outcome.statistics.iter().find(|(name, _)| *name == wanted);
    found.unwrap_or_else(|| panic!("no {wanted} in {:?}", outcome.statistics)).1
}

/// The negated property is `G F p1 & ... & G F p6`, whose automaton has one node and 2^6 steps. The
/// last proposition is never true, so all 32 states are visited, and each letter expands the node
/// once and finds one step.
#[test]
fn recurrence_expands_one_matching_step_per_letter() {
    let model = "MODULE main\nVAR p1 : boolean; p2 : boolean; p3 : boolean; p4 : boolean;\n\
                 p5 : boolean; p6 : boolean;\nINVAR !p6\n";
    let recur: Vec<String> = (1..=6).map(|i| format!("G F p{i}")).collect();
    let formula = format!("!({})", recur.join(" & "));
    let outcome = checked(model, &formula, "tgba:couvreur", &Budget::unlimited());
    assert!(holds(&outcome));
    let counts = ["property_nodes", "property_expansions", "property_steps", "states_met"];
    assert_eq!(counts.map(|name| count(&outcome, name)), [1, 32, 32, 32]);
}

/// A path of `depth` steps leads to the only state from which the property can be violated, and
/// that state has a loop. The search meets the states of the path once with the open promise, and
/// the last one again with nothing left to promise: `depth + 2` states of more than a million.
#[test]
fn a_violation_near_the_initial_state_is_found_after_few_states() {
    for depth in [3, 40] {
        let model = format!(
            "MODULE main\nVAR x : 0..1000;\nFROZENVAR y : 0..1000;\nASSIGN init(x) := 0;\n\
             next(x) := case x = {depth} : {depth}; x < 1000 : x + 1; TRUE : 0; esac;\n"
        );
        let formula = format!("G x != {depth}");
        let outcome = checked(&model, &formula, "tgba:couvreur", &Budget::unlimited());
        assert!(!holds(&outcome));
        assert_eq!(count(&outcome, "states_met"), depth + 2);
        // The magic search has a level more: it raises it on the loop, and then closes it.
        let outcome = checked(&model, &formula, "tgba:magic", &Budget::unlimited());
        assert!(!holds(&outcome));
        assert!(count(&outcome, "states_met") <= depth + 4);
    }
}

/// The paths are so long that steps are forgotten and computed again. No state may be lost: the
/// numbers are those of the closed form of the family.
#[test]
fn forgotten_steps_are_found_again() {
    for (size, states) in [(8, 1154), (10, 6726)] {
        let family = philosophers(size);
        let neighbours = &family.properties[0];
        for engine in SEARCHES {
            let outcome = checked(&family.text, &neighbours.formula, engine, &Budget::unlimited());
            assert!(holds(&outcome));
            assert_eq!(count(&outcome, "states_met"), states, "{engine}");
            assert!(count(&outcome, "search_depth") > 500, "{engine}");
        }
    }
}

/// A search that is stopped has counted what it met by then.
#[test]
fn a_stopped_search_says_what_it_covered() {
    let family = philosophers(40);
    for engine in ["tgba:couvreur", "tgba:magic", "tgba:magic:hash=bits:bits=20"] {
        let cancellation = Cancellation::default();
        let budget = Budget::new(Limits::default(), cancellation.clone());
        let mut observer = Cancelling { cancellation, silent: Silent::default() };
        let (name, text) = (None, family.properties[0].formula.clone());
        let requests = [PropertyRequest::Ltl { name, text, dialect: None }];
        let model = read(&family.text);
        let checker = Checker::new(model, &requests, &[], None, &Budget::unlimited());
        let checker = checker.expect("a property");
        let engines = vec![engine.parse().expect("an engine")];
        let settings = CheckSettings { engines, ..CheckSettings::default() };
        let worker = CheckWorker::new(&checker, &settings);
        let outcome = worker.check(&checker.properties()[0], &budget, &mut observer);
        assert!(matches!(outcome.result, Ok(CheckVerdict::Unknown(Stop::Cancelled))), "{engine}");
        assert!(count(&outcome, "states_met") >= 1_000, "{engine}");
        assert!(count(&outcome, "transitions_touched") >= 999, "{engine}");
    }
}

/// Cancels the search when its progress shows a thousand states.
struct Cancelling {
    cancellation: Cancellation,
    silent: Silent,
}

impl kermode_solve::Observer for Cancelling {
    fn statistic(&mut self, name: &'static str, value: u64) {
        self.silent.statistic(name, value);
    }

    fn progress(&mut self, describe: &dyn Fn() -> String) {
        let text = describe();
        let states = text.split(' ').next().and_then(|count| count.parse::<u64>().ok());
        if states.is_some_and(|states| states >= 1_000) && text.contains("per second") {
            self.cancellation.cancel();
        }
    }
}

/// A table of bits may miss states, and never says that a property holds. With few bits it misses
/// many, and what it finds is right all the same.
#[test]
fn tables_of_bits_never_say_that_a_property_holds() {
    let mut found = 0;
    for seed in 0..60 {
        let case = case(PropertyKind::Ltl, seed);
        for engine in ["tgba:magic:hash=bits:bits=20", "tgba:magic:hash=bits:bits=6"] {
            let budget = Budget::unlimited();
            let model = read(&case.text);
            let requests = [PropertyRequest::Declared];
            let checker = Checker::new(model, &requests, &[], None, &budget).expect("a model");
            let engines = vec![engine.parse().expect("an engine")];
            let settings = CheckSettings { engines, ..CheckSettings::default() };
            let worker = CheckWorker::new(&checker, &settings);
            let property = &checker.properties()[0];
            let outcome = worker.check(property, &budget, &mut Silent::default());
            match outcome.result.expect("no internal error") {
                CheckVerdict::Unknown(Stop::Limit(text)) => {
                    assert!(text.contains("may miss states"), "{text}");
                }
                CheckVerdict::Violated(Ok(_)) => {
                    assert!(!case.holds, "seed {seed}");
                    found += 1;
                }
                other => panic!("seed {seed}: {other:?}"),
            }
        }
    }
    assert!(found > 20, "{found}");
}

/// Dead ends had steps of other states if those had many (several batches of 64): searches found
/// cycles through them.
#[test]
fn dead_ends_have_no_steps_of_other_states() {
    let model = "MODULE main
        VAR x0 : 0..3; x1 : 0..3; x2 : boolean; x3 : boolean; x4 : 0..3;
        IVAR i0 : 0..2; i1 : 0..2;
        ASSIGN init(x0) := 1; init(x2) := FALSE;
          next(x1) := case i1 != 0 : (x1 + 1) mod 4; TRUE : {(i1 + 1) mod 4, x4}; esac;
          next(x2) := {TRUE, i1 = 0};
          next(x3) := case x3 | i0 < 1 : x3; i0 != 1 : {x3, x4 = 3}; TRUE : x3; esac;
          next(x4) := case !x2 : {x4, x1}; TRUE : x4; esac;
        TRANS i0 != 1 ? next(x0) = x0 : next(x1 = 2);
        INVAR !x2 | !x3;
        TRANS !(x1 = 0 & (x4 != 0 -> x0 / x4 = 1));
        COMPASSION (x4 >= 3, x0 = 0);
        COMPASSION (!x3, x2);";
    for engine in SEARCHES {
        let formula = "G F (i1 < 2 -> O Y i1 = 0)";
        assert!(!holds(&checked(model, formula, engine, &Budget::unlimited())), "{engine}");
    }
}
