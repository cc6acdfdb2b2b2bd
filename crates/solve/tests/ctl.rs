//! The engine for CTL: NuSMV's answers, answers derived by hand, and random models compared with
//! explicit labelling. Every path is replayed on the interpreter, and each truth value that it
//! claims is that of the labelling.

mod checking;

use std::collections::HashMap;
use std::convert::Infallible;

use checking::{golden, read};
use kermode_base::Rng;
use kermode_ltl::Store;
use kermode_smv::SmvModel;
use kermode_smv::flat::FlatExpression;
use kermode_smv::interpreter::{Fairness, Replay, State};
use kermode_smv::judge::{self, Graph, Labelling, Limits};
use kermode_smv::property::{CtlSpecification, ctl_formula};
use kermode_smv::random::{ModelShape, random_model};
use kermode_smv::syntax::{ExpressionKind, PropertyKind};
use kermode_solve::{
    BranchTrace, Budget, EngineSpec, Problem, Silent, Stop, Verdict, Witness, decide,
};

const ENGINES: [&str; 3] =
    ["ctl:fixpoint", "ctl:fixpoint:reach=off", "ctl:fixpoint:cluster=1:sifting=off"];

fn none() -> &'static mut dyn FnMut() -> Result<(), Infallible> {
    Box::leak(Box::new(|| Ok(())))
}

/// The evidence of an engine against a formula, which is a path of the flat model.
fn violation(model: &SmvModel, formula: &CtlSpecification, engine: &str) -> Option<BranchTrace> {
    let store = Store::new();
    let problem = Problem::branches(&store, &model.encoded.model, &formula.formula);
    let spec: EngineSpec = engine.parse().expect("an engine");
    let verdict = decide(&problem, &spec, &Budget::unlimited(), &mut Silent::default());
    match verdict {
        Ok(Verdict::Empty(_)) => None,
        Ok(Verdict::Nonempty(Ok(Witness::Branch(branch)))) => {
            let trace = model.encoded.decode(&model.flat, &branch.run.trace).expect("values");
            let replayed = Replay::new(&model.flat).check(&trace, Fairness::Justice);
            assert_eq!(replayed, Ok(()), "{engine}\n{}", model.text());
            Some(*branch)
        }
        other => panic!("{engine}: {other:?}\n{}", model.text()),
    }
}

fn formula(model: &mut SmvModel, expression: FlatExpression) -> CtlSpecification {
    ctl_formula(&model.flat, &mut model.encoded, expression)
}

#[test]
fn formulas_of_the_table_are_as_by_nusmv() {
    let (mut checked, mut differences) = (0, Vec::new());
    for answer in golden(&["CTL"]) {
        let mut model = read(&answer.text);
        let property = model.flat.properties[answer.number - 1].clone();
        assert_eq!(property.kind, PropertyKind::Ctl, "{}", answer.place());
        let formula = formula(&mut model, property.operands[0]);
        for engine in ENGINES {
            let found = violation(&model, &formula, engine).is_none().to_string();
            if found != answer.verdict {
                differences.push(format!("{}: {found}, not {}", answer.place(), answer.verdict));
            }
        }
        checked += 1;
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(checked > 80, "{checked} formulas");
}

/// The reachable states of a model, by the explicit judge.
struct Explicit<'m> {
    graph: Graph<'m>,
    numbers: HashMap<State, usize>,
}

impl<'m> Explicit<'m> {
    fn new(model: &'m SmvModel) -> Option<Self> {
        let limits = Limits { states: 3_000, steps: 60_000 };
        let graph = Graph::new(&model.flat, [], limits, none()).ok()?;
        let numbers = graph.states.iter().cloned().enumerate();
        let numbers = numbers.map(|(number, state)| (state, number)).collect();
        Some(Explicit { graph, numbers })
    }

    fn label(&self, formula: FlatExpression) -> Labelling {
        let Ok(labelling) = judge::label(&self.graph, &[formula], none());
        labelling
    }

    /// Each claim along a path is true, and a fair path starts in each state.
    fn judge(
        &self,
        model: &SmvModel,
        formula: &CtlSpecification,
        labelling: &Labelling,
        branch: &BranchTrace,
    ) {
        let trace = model.encoded.decode(&model.flat, &branch.run.trace).expect("values");
        let states: Vec<usize> = trace.states.iter().map(|state| self.numbers[state]).collect();
        assert!(states.iter().all(|&state| labelling.fair().contains(state)));
        for claim in branch.evidence.shown.iter().chain(&branch.evidence.not_shown) {
            let label = labelling.states(formula.origin(claim.formula)).expect("a subformula");
            let holds = label.contains(states[claim.time]);
            assert_eq!(holds, claim.holds, "{claim:?}\n{}", model.text());
        }
    }
}

/// A server takes requests `r`, is busy for two steps, and may break while it is busy, in a state
/// that no step leaves. There is a request at first.
const SERVER: &str = "\
MODULE main
VAR s : {idle, busy, done, broken}; r : boolean;
INIT s = idle & r
TRANS s = idle -> next(s) in {idle, busy} & (next(s) = busy -> r)
TRANS s = busy -> next(s) in {done, broken}
TRANS s = done -> next(s) = idle
TRANS s != broken
";

/// What a path against a formula looks like: the states of `s`, the start of the loop, and how many
/// claims are not shown.
fn path(text: &str, fairness: &str) -> Option<(String, Option<usize>, usize)> {
    let mut model = read(&format!("{SERVER}{fairness}"));
    let expression = model.expression(text, ExpressionKind::Ctl, none()).expect("a formula");
    let formula = formula(&mut model, expression);
    let branch = ENGINES.map(|engine| violation(&model, &formula, engine));
    let explicit = Explicit::new(&model).expect("a small model");
    let labelling = explicit.label(expression);
    for branch in branch.iter().flatten() {
        explicit.judge(&model, &formula, &labelling, branch);
    }
    assert_eq!(branch[0].is_none(), labelling.holds(&explicit.graph, expression), "{text}");
    let branch = branch[0].as_ref()?;
    let trace = model.encoded.decode(&model.flat, &branch.run.trace).expect("values");
    let layout = kermode_smv::interpreter::Layout::of_states(&model.flat);
    let value = |state: &State| {
        let shown = layout.show(state);
        shown[4..6].to_owned()
    };
    let states: Vec<String> = trace.states.iter().map(value).collect();
    let not_shown = branch.evidence.not_shown.len();
    Some((states.join(" "), trace.loop_start, not_shown))
}

#[test]
fn answers_derived_by_hand() {
    let found = |text: &str, fairness: &str| path(text, fairness);
    let shows = |states: &str, start, not_shown| Some((states.to_owned(), start, not_shown));
    // No step leaves `broken`, so no fair path leads there.
    assert_eq!(found("AG s != broken", ""), None);
    assert_eq!(found("EF s = broken", ""), shows("id", None, 1));
    assert_eq!(found("AG s != done", ""), shows("id bu do", None, 0));
    // The server may stay idle for ever.
    let idles = |text: &str| match found(text, "") {
        Some((states, Some(_), 0)) => states.split(' ').all(|state| state == "id"),
        _ => false,
    };
    assert!(idles("AF s = busy"));
    assert_eq!(found("AF s = busy", "FAIRNESS s = busy"), None);
    // A path to a busy state with `r` false, and from there on without `idle & r`.
    let (states, start, not_shown) =
        found("AG (s = busy -> AF (s = idle & r))", "").expect("it may stay idle without `r`");
    assert_eq!((states.as_str(), start, not_shown), ("id bu do id", Some(3), 0));
    // Nested claims about some path are continued.
    assert_eq!(found("AX AX AX s != done", ""), shows("id id bu do", None, 0));
    assert_eq!(
        found("!EF (s = busy & EX (s = done & EX s = idle))", ""),
        shows("id bu do id", None, 0)
    );
    // Claims about all paths are named, as the second of two claims that need two paths.
    assert_eq!(found("!AG EF s = idle", ""), shows("id", None, 1));
    assert_eq!(found("!EF (s = busy & AX s = done)", ""), shows("id bu", None, 1));
    assert_eq!(found("!(EX s = idle & EX s = busy)", ""), shows("id id", None, 1));
    // The path to one goal leads on to the other.
    assert_eq!(found("!(EF s = done & EF s = busy)", ""), shows("id bu do", None, 0));
    // Of two sufficient claims the one is taken that a path shows.
    assert_eq!(found("!(AG EF s = idle | EX s = busy)", ""), shows("id bu", None, 0));
    // A claim about all paths that one state settles.
    assert_eq!(found("!AF s = idle", ""), shows("id", None, 0));
    assert_eq!(found("!A [s = done U s = idle]", ""), shows("id", None, 0));
    assert_eq!(found("EG s = busy", ""), shows("id", None, 0));
    assert_eq!(found("E [s = done U s = busy]", ""), shows("id", None, 0));
    // Bounds count steps.
    assert_eq!(found("ABG 0..1 s != done", ""), None);
    assert_eq!(found("ABG 1..2 s != done", ""), shows("id bu do", None, 0));
    assert_eq!(found("ABF 0..3 s = busy", ""), shows("id id id id", None, 0));
    assert_eq!(found("!EBF 2..2 s = busy", ""), shows("id id bu", None, 0));
    assert_eq!(found("!EBG 1..3 s = idle", ""), shows("id id id id", None, 0));
    assert_eq!(found("!E [s = idle BU 2..2 s = busy]", ""), shows("id id bu", None, 0));
    assert_eq!(found("!E [s = idle BU 0..9 s = busy]", ""), shows("id bu", None, 0));
    assert_eq!(found("A [s = idle BU 0..2 s = busy]", ""), shows("id id id", None, 0));
    // `s = idle` must hold from the beginning, not only from the first bound on.
    assert_eq!(found("A [s = busy BU 1..4 s = idle]", ""), shows("id", None, 0));
    // After an until, the weak half: `busy` never comes.
    assert!(idles("A [s = idle U s = busy]"));
    assert_eq!(found("A [r U s = busy]", ""), shows("id id", None, 0));
}

#[test]
fn formulas_about_steps_are_refused() {
    let mut model = read("MODULE main\nIVAR i : boolean;\nVAR x : boolean;\n");
    let step = model.expression("i & next(x)", ExpressionKind::Next, none()).expect("a step");
    let formula = formula(&mut model, step);
    let store = Store::new();
    let problem = Problem::branches(&store, &model.encoded.model, &formula.formula);
    let spec: EngineSpec = "ctl:fixpoint".parse().expect("an engine");
    let verdict = decide(&problem, &spec, &Budget::unlimited(), &mut Silent::default());
    assert!(matches!(verdict, Ok(Verdict::Unknown(Stop::Unsupported(_)))), "{verdict:?}");
}

#[test]
fn large_bounds_repeat_themselves() {
    // At time n, x is n mod 3.
    let text = "MODULE main\nVAR x : 0..2;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 3;";
    for (formula_text, expected) in [
        ("EBF 1999999998..1999999998 x = 0", true),
        ("EBF 1999999999..1999999999 x = 0", false),
        ("ABG 1999999997..1999999998 x != 1", true),
        ("ABG 1999999997..1999999999 x != 1", false),
        ("A [x < 2 BU 1000000..2000000 x = 2]", false),
        ("A [TRUE BU 1000000..2000000 x = 2]", true),
    ] {
        let mut model = read(text);
        let expression = model.expression(formula_text, ExpressionKind::Ctl, none());
        let formula = formula(&mut model, expression.expect("a formula"));
        let store = Store::new();
        let problem = Problem::branches(&store, &model.encoded.model, &formula.formula);
        let spec: EngineSpec = "ctl:fixpoint".parse().expect("an engine");
        let verdict = decide(&problem, &spec, &Budget::unlimited(), &mut Silent::default());
        let holds = matches!(verdict, Ok(Verdict::Empty(_)));
        assert_eq!(holds, expected, "{formula_text}: {verdict:?}");
    }
}

/// Compares the engine with explicit labelling on random models. Counts the formulas that hold and
/// that are violated, the paths that show everything, the loops, and paths of three states or more.
fn random_models(seeds: std::ops::Range<u64>) -> [usize; 5] {
    let [mut holding, mut violated, mut shown, mut loops, mut long] = [0; 5];
    for seed in seeds {
        let shape = ModelShape { bits: 8, properties: 10, ..ModelShape::default() };
        let mut model = read(&random_model(&mut Rng::new(seed), &shape).text());
        let copy = model.clone();
        let Some(explicit) = Explicit::new(&copy) else { continue };
        let properties = copy.flat.properties.iter();
        for property in properties.filter(|property| property.kind == PropertyKind::Ctl) {
            let formula = formula(&mut model, property.operands[0]);
            let labelling = explicit.label(property.operands[0]);
            let expected = labelling.holds(&explicit.graph, property.operands[0]);
            for engine in ENGINES {
                let found = violation(&model, &formula, engine);
                assert_eq!(found.is_none(), expected, "{engine}, seed {seed}\n{}", model.text());
                let Some(branch) = found else {
                    holding += 1;
                    continue;
                };
                explicit.judge(&model, &formula, &labelling, &branch);
                violated += 1;
                shown += usize::from(branch.evidence.not_shown.is_empty());
                loops += usize::from(branch.run.trace.loop_start().is_some());
                long += usize::from(branch.run.trace.len() > 2);
            }
        }
    }
    [holding, violated, shown, loops, long]
}

#[test]
fn random_models_agree_with_labelling() {
    let counts = random_models(0..250);
    assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
}

#[test]
#[ignore = "a campaign of some minutes"]
fn two_thousand_random_models_agree_with_labelling() {
    let counts = random_models(250..2_250);
    println!("{counts:?}");
}
