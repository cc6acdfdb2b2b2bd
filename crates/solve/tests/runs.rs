//! Runs of models whose words satisfy a formula, judged by an independent question: the model and
//! its atoms are written as a formula over its variables, and that formula together with the
//! property is decided by other engines.

mod common;
#[path = "../../system/tests/oracle/mod.rs"]
mod oracle;

use common::random_formula;
use kermode_base::Rng;
use kermode_ltl::{BinaryOp, Formula, Node, Proposition, Store, UnaryOp, WordKind, replace};
use kermode_solve::{
    Budget, EngineSpec, Language, Problem, Silent, Stop, Verdict, Witness, decide,
};
use kermode_system::{Below, Domain, Expression, Graph, Model, SymbolKind, Term, Trace, Variable};
use oracle::random;

/// Expressions as formulas, by position in `below`; variables are propositions.
fn formulas(
    store: &mut Store,
    graph: &Graph,
    below: &Below,
    names: &[Proposition],
) -> Vec<Formula> {
    let mut built: Vec<Formula> = Vec::new();
    let of = |store: &mut Store, v: Variable| store.intern(Node::Proposition(names[v.index()]));
    for expression in below.iter() {
        let operand = |a: Expression| built[below.position(a)];
        let node = match graph.term(expression) {
            Term::Constant(value) => Node::Constant(value),
            Term::Current(v) => Node::Proposition(names[v.index()]),
            Term::Next(v) => {
                let now = of(store, v);
                Node::Unary(UnaryOp::Next, now)
            }
            Term::Not(a) => Node::Unary(UnaryOp::Not, operand(a)),
            Term::And(a, b) => Node::Binary(BinaryOp::And, operand(a), operand(b)),
            Term::Or(a, b) => Node::Binary(BinaryOp::Or, operand(a), operand(b)),
            Term::Implies(a, b) => Node::Binary(BinaryOp::Implies, operand(a), operand(b)),
            Term::Iff(a, b) => Node::Binary(BinaryOp::Iff, operand(a), operand(b)),
        };
        built.push(store.intern(node));
    }
    built
}

/// The formula whose words are the fair runs of a model that satisfy a property.
fn as_formula(store: &mut Store, model: &Model, property: Formula) -> Formula {
    let names: Vec<Proposition> =
        (0..model.graph.variable_count()).map(|v| store.proposition(&format!("v{v}"))).collect();
    let system = &model.system;
    let mut roots = system.constraints();
    roots.extend(model.atoms.values().copied());
    let below = Below::of(&model.graph, &roots);
    let written = formulas(store, &model.graph, &below, &names);
    let of = |expression: &Expression| written[below.position(*expression)];
    let mut parts: Vec<Formula> = system.initial().iter().map(of).collect();
    for constraint in system.transition().iter().chain(system.invariants()) {
        parts.push(store.intern(Node::Unary(UnaryOp::Globally, of(constraint))));
    }
    for constraint in system.justice() {
        let finally = store.intern(Node::Unary(UnaryOp::Finally, of(constraint)));
        parts.push(store.intern(Node::Unary(UnaryOp::Globally, finally)));
    }
    let atoms: Vec<(Formula, Formula)> = model
        .atoms
        .iter()
        .map(|(&atom, expression)| (store.intern(Node::Proposition(atom)), of(expression)))
        .collect();
    let instead = |formula| atoms.iter().find(|(atom, _)| *atom == formula).map(|pair| pair.1);
    parts.push(replace(store, property, instead));
    store.all(parts)
}

/// A model over a few variables whose atoms are `a` and `b`, any expressions over a step.
fn random_model(store: &mut Store, rng: &mut Rng, count: usize) -> Model {
    let mut model = Model::new();
    let variables: Vec<Variable> =
        (0..count).map(|number| model.auxiliary(&format!("v{number}"))).collect();
    model.system = random::system(&mut model.graph, rng, &variables);
    for name in ["a", "b", "c"] {
        let ahead = rng.below(3) == 0;
        let atom = random::expression(&mut model.graph, rng, &variables, ahead, 2);
        model.atoms.insert(store.proposition(name), atom);
    }
    model
}

/// A model of processes: an input, or a variable of the state, says which of them moves. The
/// variables of the others keep their values.
fn random_processes(store: &mut Store, rng: &mut Rng, kind: SymbolKind) -> Model {
    let mut model = Model::new();
    let processes = 2 + rng.below(2);
    let values = (0..processes).map(|process| format!("p{process}")).collect();
    let selector = model.declare("selector", kind, Domain::Values(values)).bits.clone();
    let bits: Vec<Variable> =
        (0..processes).map(|process| model.auxiliary(&format!("v{process}"))).collect();
    for (process, &bit) in bits.iter().enumerate() {
        let graph = &mut model.graph;
        let literals: Vec<Expression> = selector
            .iter()
            .enumerate()
            .map(|(place, &bit)| {
                let value = graph.current(bit);
                if process >> place & 1 == 1 { value } else { graph.not(value) }
            })
            .collect();
        let running = literals.into_iter().reduce(|all, literal| graph.and(all, literal));
        let running = running.expect("a selector has bits");
        let moved = random::expression(graph, rng, &bits, true, 2);
        let (now, next) = (graph.current(bit), graph.next(bit));
        let kept = graph.iff(next, now);
        let step = [graph.implies(running, moved), graph.or(running, kept)];
        // One constraint, as the reader of models makes it.
        let step = graph.and(step[0], step[1]);
        let always = graph.constant(true);
        let step = graph.implies(always, step);
        model.system.add_transition(&model.graph, step);
    }
    let first = random::expression(&mut model.graph, rng, &bits, false, 2);
    model.system.add_initial(&model.graph, first);
    if rng.below(2) == 0 {
        let justice = random::expression(&mut model.graph, rng, &bits, true, 1);
        model.system.add_justice(justice);
    }
    for name in ["a", "b", "c"] {
        let variables = [&bits[..], &selector].concat();
        let ahead = kind != SymbolKind::Input && rng.below(3) == 0;
        let atom = random::expression(&mut model.graph, rng, &variables, ahead, 1);
        model.atoms.insert(store.proposition(name), atom);
    }
    model
}

#[test]
fn random_processes_and_properties() {
    let mut rng = Rng::new(19);
    let (mut nonempty, mut empty) = (0, 0);
    for round in 0..300 {
        let mut store = Store::new();
        let (property, words) = random_formula(&mut store, &mut rng, round);
        if words == WordKind::Finite {
            continue;
        }
        let kind = if round % 2 == 0 { SymbolKind::Input } else { SymbolKind::State };
        let model = random_processes(&mut store, &mut rng, kind);
        let whole = as_formula(&mut store, &model, property);
        let expected =
            verdict(&Problem::satisfiability(&store, whole, WordKind::Infinite), "tgba:couvreur");
        let problem = Problem::runs(&store, &model, property);
        for search in SEARCHES {
            let name = format!("product:syntactic/el:{search}");
            match verdict(&problem, &name) {
                Verdict::Nonempty(Ok(Witness::Trace(_))) => {
                    assert!(expected.is_nonempty(), "{name}, round {round}");
                }
                Verdict::Empty(_) => assert!(!expected.is_nonempty(), "{name}, round {round}"),
                other => panic!("{name}, round {round}: {other:?}"),
            }
        }
        *if expected.is_nonempty() { &mut nonempty } else { &mut empty } += 1;
    }
    assert!(nonempty > 30 && empty > 30, "{nonempty}, {empty}");
}

fn engine(name: &str) -> EngineSpec {
    name.parse().expect("an engine")
}

fn verdict(problem: &Problem, name: &str) -> Verdict {
    let (engine, budget) = (engine(name), Budget::unlimited());
    decide(problem, &engine, &budget, &mut Silent::default()).expect("no internal error")
}

/// Every value of every option about the search.
const SEARCHES: [&str; 6] = [
    "direction=backward",
    "direction=forward:schedule=formula",
    "reach=off",
    "reach=model:schedule=smallest:cluster=0",
    "reach=product:rules=none",
    "reach=product:schedule=formula:sifting=off",
];

#[test]
fn random_models_and_properties() {
    let mut rng = Rng::new(2026);
    let (mut nonempty, mut empty) = (0, 0);
    for round in 0..600 {
        let mut store = Store::new();
        let (property, words) = random_formula(&mut store, &mut rng, round);
        if words == WordKind::Finite {
            continue;
        }
        let model = random_model(&mut store, &mut rng, 1 + round % 3);
        let encoding = kermode_system::Encoding::all().nth(round % 30).expect("thirty");
        let whole = as_formula(&mut store, &model, property);
        let expected =
            verdict(&Problem::satisfiability(&store, whole, WordKind::Infinite), "tgba:couvreur");
        let problem = Problem::runs(&store, &model, property);
        for search in SEARCHES {
            let name = format!("symbolic:{encoding}:{search}");
            match verdict(&problem, &name) {
                Verdict::Nonempty(Ok(Witness::Trace(_))) => {
                    assert!(expected.is_nonempty(), "{name}, round {round}");
                }
                Verdict::Empty(_) => assert!(!expected.is_nonempty(), "{name}, round {round}"),
                other => panic!("{name}, round {round}: {other:?}"),
            }
        }
        *if expected.is_nonempty() { &mut nonempty } else { &mut empty } += 1;
    }
    assert!(nonempty > 60 && empty > 60, "{nonempty}, {empty}");
}

#[test]
fn a_trace_that_is_no_run_or_whose_letters_are_wrong_is_refused() {
    let mut store = Store::new();
    let mut model = Model::new();
    let variable = model.auxiliary("v");
    let (now, next) = (model.graph.current(variable), model.graph.next(variable));
    let differs = model.graph.xor(now, next);
    model.system.add_transition(&model.graph, differs);
    let a = store.proposition("a");
    model.atoms.insert(a, now);
    let (property, never) = (store.constant(true), store.constant(false));
    let problem = Problem::runs(&store, &model, property);
    let Verdict::Nonempty(Ok(Witness::Trace(right))) =
        verdict(&problem, "symbolic:nnf/sloppy/gba/default")
    else {
        panic!("a run")
    };
    let budget = Budget::unlimited();
    let judge = |witness: &Witness| problem.language.judge(&store, witness, &budget);
    assert_eq!(judge(&Witness::Trace(right.clone())), Ok(true));
    assert_eq!(judge(&Witness::Word(right.word.clone())), Ok(false));
    // The value does not change.
    let mut stuck = right.clone();
    stuck.trace = Trace::new(1, [[true]], Some(0));
    stuck.word = model.word(&stuck.trace);
    assert_eq!(judge(&Witness::Trace(stuck)), Ok(false));
    // A path without a loop.
    let mut finite = right.clone();
    finite.trace = Trace::new(1, [[true], [false]], None);
    finite.word = model.word(&finite.trace);
    assert_eq!((finite.word.len(), finite.word.loop_start()), (2, None));
    assert_eq!(judge(&Witness::Trace(finite)), Ok(false));
    // Another number of variables.
    let mut wide = right.clone();
    wide.trace = Trace::new(2, [[true, true], [false, true]], Some(0));
    assert_eq!(judge(&Witness::Trace(wide)), Ok(false));
    // The letters are those of another run.
    let mut other = right.clone();
    other.word = model.word(&Trace::new(1, [[false], [true], [false]], Some(1)));
    if other.word != right.word {
        assert_eq!(judge(&Witness::Trace(other)), Ok(false));
    }
    let none = Language::Runs { model: &model, property: never.into() };
    assert_eq!(none.judge(&store, &Witness::Trace(right), &budget), Ok(false));
}

#[test]
fn a_model_that_does_not_declare_its_variables_is_refused() {
    let mut store = Store::new();
    let property = store.constant(true);
    let mut model = Model::new();
    let declared = model.auxiliary("declared");
    let other = model.graph.variable("other");
    let differ = {
        let (a, b) = (model.graph.current(declared), model.graph.current(other));
        model.graph.xor(a, b)
    };
    model.system.add_invariant(&model.graph, differ);
    let unordered = {
        let mut model = model.clone();
        model.system.add_variable(other);
        model
    };
    for model in [model, unordered] {
        let verdict =
            verdict(&Problem::runs(&store, &model, property), "symbolic:nnf/sloppy/gba/default");
        let Verdict::Unknown(Stop::Unsupported(why)) = verdict else { panic!("{verdict:?}") };
        assert!(why.contains("`other`"), "{why}");
    }
}

#[test]
fn engines_that_take_no_models_and_propositions_without_atom_say_so() {
    let mut store = Store::new();
    let property = store.named("p");
    let model = Model::new();
    let problem = Problem::runs(&store, &model, property);
    for name in ["tgba:couvreur", "antichain:forward", "symbolic:nnf/sloppy/gba/default"] {
        let verdict = verdict(&problem, name);
        assert!(matches!(verdict, Verdict::Unknown(Stop::Unsupported(_))), "{name}: {verdict:?}");
    }
}
