//! Loops at dead ends (`check --dead`): their meaning by definition, and the verdicts of all
//! engines against the explicit judge.

use std::convert::Infallible;

use kermode_base::{Diagnostic, Severity};
use kermode_smv::interpreter::{Fairness, Replay};
use kermode_smv::judge::cases::case;
use kermode_smv::judge::{Graph, Limits, Unjudged, verdict};
use kermode_smv::syntax::PropertyKind;
use kermode_smv::{ReadOptions, SmvModel, Unusable};
use kermode_solve::check::{CheckSettings, CheckVerdict, CheckWorker, Checker, PropertyRequest};
use kermode_solve::{Budget, Silent};

const LIMITS: Limits = Limits { states: 300, steps: 20_000 };

/// The engines for LTL. Those for invariants and CTL are beside each.
const ENGINES: [&str; 8] = [
    "product:syntactic/el",
    "tgba:couvreur",
    "product:log/el",
    "tgba:magic",
    "product:pdp/el",
    "tgba:couvreur:automaton=reduced",
    "product:syntactic/l2s",
    "antichain:forward",
];

fn never() -> Result<(), Infallible> {
    Ok(())
}

fn read(text: &str, dead: Option<&str>) -> Result<SmvModel, Unusable<Infallible>> {
    let mut options = ReadOptions::default();
    if let Some(name) = dead {
        options.loop_dead_ends(name).expect("a name");
    }
    SmvModel::read(text, &options, &Default::default(), &mut never)
}

/// The states are those of the model without loops, exactly the dead ends have the mark, and their
/// only successors are themselves.
#[test]
fn exactly_the_dead_ends_have_loops() {
    let (mut ends, mut others) = (0, 0);
    for seed in 0..120 {
        let text = case(PropertyKind::Ltl, seed).text;
        let [plain, looped] = [None, Some("stuck")].map(|dead| read(&text, dead).expect("a model"));
        let graph = |model| Graph::new(model, [], LIMITS, &mut never);
        let (Ok(plain_graph), Ok(looped_graph)) = (graph(&plain.flat), graph(&looped.flat)) else {
            continue;
        };
        assert_eq!(plain_graph.states.len(), looped_graph.states.len(), "{text}");
        let flag = looped.flat.dead_loop.expect("a variable");
        let interpreter = kermode_smv::interpreter::Interpreter::new(&looped.flat);
        let layout = interpreter.states();
        for (place, state) in looped_graph.states.iter().enumerate() {
            let is_marked =
                layout.value(state, flag) == Some(kermode_smv::flat::Value::Boolean(true));
            let before = plain_graph.states.iter().position(|other| {
                let plain_layout = kermode_smv::interpreter::Layout::of_states(&plain.flat);
                let mut values = plain_layout.values(other);
                values.all(|(variable, value)| {
                    let name = &plain.flat.variable(variable).name;
                    let same = looped.flat.variables.iter().position(|v| v.name == *name);
                    let same = kermode_smv::flat::VariableId(same.expect("declared") as u32);
                    layout.value(state, same) == Some(value)
                })
            });
            let leaving = plain_graph.leaving(before.expect("the same state"));
            assert_eq!(is_marked, leaving.is_empty(), "{text}");
            let mut targets = looped_graph.leaving(place).map(|e| looped_graph.edges[e].target);
            match is_marked {
                true => {
                    ends += 1;
                    assert!(!looped_graph.leaving(place).is_empty());
                    assert!(targets.all(|target| target as usize == place), "{text}");
                }
                false => {
                    others += 1;
                    assert!(!looped_graph.leaving(place).is_empty(), "{text}");
                }
            }
        }
    }
    assert!(ends > 50 && others > 500, "{ends} {others}");
}

const ADDED: &str = "
LTLSPEC G !stuck
LTLSPEC G (stuck -> X stuck)
LTLSPEC F G !stuck | F G stuck
CTLSPEC EF stuck
CTLSPEC AG EX TRUE
INVARSPEC !stuck
";

/// The verdicts of all engines on random models, and the paths, are those of the judge.
#[test]
fn verdicts_are_those_of_the_judge() {
    let mut counts = [0; 2];
    for seed in 0..72 {
        let text = case(PropertyKind::Ltl, seed).text + ADDED;
        let model = read(&text, Some("stuck")).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let flat = model.flat.clone();
        let expected: Vec<Result<Option<bool>, Unjudged<Infallible>>> = flat
            .properties
            .iter()
            .map(|property| Ok(verdict(&flat, property, LIMITS, &mut never)?.holds()))
            .collect();
        let budget = Budget::unlimited();
        let checker = Checker::new(model, &[PropertyRequest::Declared], &[], None, &budget);
        let checker = checker.expect("properties");
        let engine = ENGINES[seed as usize % ENGINES.len()];
        let engines = [engine, "invariant:forward", "ctl:fixpoint"];
        let engines = engines.map(|engine| engine.parse().expect("an engine")).to_vec();
        let settings = CheckSettings { engines, ..CheckSettings::default() };
        let worker = CheckWorker::new(&checker, &settings);
        for (property, expected) in checker.properties().iter().zip(expected) {
            let Ok(Some(expected)) = expected else { continue };
            let outcome = worker.check(property, &budget, &mut Silent::default());
            let place = || format!("seed {seed}, {engine}, {}\n{text}", property.label());
            let found = match outcome.result.unwrap_or_else(|_| panic!("{}", place())) {
                CheckVerdict::Holds => true,
                CheckVerdict::Violated(found) => {
                    let found = found.expect("a trace");
                    let mut replay = Replay::new(&flat);
                    assert_eq!(replay.check(&found.trace, Fairness::Ignored), Ok(()));
                    false
                }
                other => panic!("{other:?}: {}", place()),
            };
            assert_eq!(found, expected, "{}", place());
            counts[usize::from(found)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 60), "{counts:?}");
}

/// A trace that stays in a state with successors, or that leaves a dead end, is refused.
#[test]
fn wrong_loops_are_refused() {
    let text = "MODULE main\nVAR x : 0..2;\nASSIGN init(x) := 0;\nTRANS next(x) = x + 1\n";
    let model = read(text, Some("stuck")).expect("a model");
    let budget = Budget::unlimited();
    let (name, text) = (None, "G !stuck".to_owned());
    let requests = [PropertyRequest::Ltl { name, text, dialect: None }];
    let checker = Checker::new(model, &requests, &[], None, &budget).expect("a property");
    let settings = CheckSettings::default();
    let worker = CheckWorker::new(&checker, &settings);
    let outcome = worker.check(&checker.properties()[0], &budget, &mut Silent::default());
    let Ok(CheckVerdict::Violated(Ok(found))) = outcome.result else { panic!("{outcome:?}") };
    let mut replay = Replay::new(&checker.model().flat);
    let right = found.trace;
    assert_eq!(right.loop_start, Some(2));
    assert_eq!(replay.check(&right, Fairness::Ignored), Ok(()));
    let mut early = right.clone();
    early.loop_start = Some(1);
    assert!(replay.check(&early, Fairness::Ignored).is_err());
    let mut short = right.clone();
    short.states.truncate(2);
    short.inputs.truncate(2);
    short.loop_start = Some(1);
    assert!(replay.check(&short, Fairness::Ignored).is_err());
    let mut ended = right;
    ended.loop_start = None;
    ended.inputs.pop();
    assert_eq!(replay.check(&ended, Fairness::Ignored), Ok(()));
}

/// Names that have a meaning, and uses that would decide steps, are errors at their places.
#[test]
fn clashes_are_errors() {
    let errors = |text: &str, name: &str| match read(text, Some(name)) {
        Err(Unusable::Wrong(errors)) => {
            let is_error = |found: &Diagnostic| found.severity == Severity::Error;
            let first = errors.into_iter().find(is_error).expect("an error");
            (text[first.span.clone()].to_owned(), first.message)
        }
        other => panic!("{other:?}"),
    };
    let model = "MODULE main\nVAR x : {a, b};\nDEFINE d := x = a;\n";
    for name in ["x", "a", "d"] {
        let (place, message) = errors(model, name);
        assert_eq!(place, name);
        assert!(message.contains("--dead"), "{message}");
    }
    for constraint in ["INVAR !stuck", "TRANS stuck -> x = a", "INIT !stuck"] {
        let (_, message) = errors(&format!("{model}{constraint}\n"), "stuck");
        assert!(message.contains("decides no step"), "{message}");
    }
    let (_, message) = errors(&format!("{model}ASSIGN next(stuck) := TRUE;\n"), "stuck");
    assert!(message.contains("decides no step"), "{message}");
    assert!(read(&format!("{model}FAIRNESS !stuck\nLTLSPEC G !stuck\n"), Some("stuck")).is_ok());
    let mut options = ReadOptions::default();
    assert!(options.loop_dead_ends("two words").is_err());
    assert!(options.loop_dead_ends("TRANS").is_err());
}
