//! Automata as specifications of models: verdicts of every engine against the explicit judge
//! (`kermode_smv::judge`) on random automata, and against formulas that mean the same. Every trace
//! was replayed on the automaton.

mod checking;

use std::convert::Infallible;
use std::ops::Range;

use checking::{golden, read};
use kermode_automata::alaska::{self, LocationNames};
use kermode_automata::emerson_lei::{Atom, Condition};
use kermode_automata::random::RandomAutomaton;
use kermode_automata::tgba::RandomTgba;
use kermode_automata::{AlternatingAutomaton, Automaton, EmersonLei, hoa};
use kermode_base::Rng;
use kermode_bdd::{Capacity, Manager};
use kermode_ltl::rewrite::Rewriting;
use kermode_ltl::{Formula, Proposition, Store, UnaryOp, WordKind};
use kermode_smv::families::{MODEL_FAMILIES, ModelRequest, build};
use kermode_smv::flat::{FlatExpression, FlatModel};
use kermode_smv::interpreter::Fairness;
use kermode_smv::judge::cases::{case, flat_model};
use kermode_smv::judge::{Acceptance, Ending, Graph, Limits, Unjudged, fair_words, finite_words};
use kermode_smv::property::{FlatAtoms, ltl_formula};
use kermode_smv::syntax::PropertyKind;
use kermode_solve::check::{CheckSettings, CheckVerdict, CheckWorker, Checker, PropertyRequest};
use kermode_solve::translate::{Target, Translation};
use kermode_solve::{Budget, PathEnd, Silent};

/// All products, searches on the fly and antichains, some with options. `weak` need not decide all
/// questions, and `syntactic/l2s` leaves some of the campaign open: it doubles the variables of
/// complements. Forward fixpoints leave some of them open for the same reason: the order of
/// variables decides whether they fit into a table of diagrams.
const ENGINES: [&str; 17] = [
    "product:syntactic/el",
    "product:syntactic/el:direction=forward:top=on",
    "product:syntactic/l2s",
    "product:log/el",
    "product:log/el:level=raw:top=on",
    "product:log/l2s",
    "product:log/weak",
    "product:pdp/el",
    "product:pdp/l2s",
    "product:pdp/weak",
    "tgba:couvreur",
    "tgba:couvreur:level=raw",
    "tgba:magic",
    "antichain:forward",
    "antichain:backward",
    "antichain:symbolic",
    "antichain:hybrid",
];

/// The engines that search for finite paths.
const FINITE: [&str; 6] = [
    "product:syntactic/el",
    "product:syntactic/el:direction=forward:top=on",
    "antichain:forward",
    "antichain:backward",
    "antichain:symbolic",
    "antichain:hybrid",
];

const LIMITS: Limits = Limits { states: 60, steps: 20_000 };

fn never() -> Result<(), Infallible> {
    Ok(())
}

/// Whether the only requested property holds; nothing if the engine does not support it.
fn holds(
    model: (&str, &str),
    request: PropertyRequest,
    finite: Option<PathEnd>,
    engine: &str,
) -> Option<bool> {
    holds_if(model, request, &[], finite, engine)
}

/// The same on paths that satisfy assumptions.
fn holds_if(
    (model, definitions): (&str, &str),
    request: PropertyRequest,
    assumed: &[&str],
    finite: Option<PathEnd>,
    engine: &str,
) -> Option<bool> {
    let budget = Budget::unlimited();
    let requests = [request];
    let assumed: Vec<_> = assumed.iter().map(|&text| (text.to_owned(), None)).collect();
    let checker =
        Checker::with_definitions(read(model), definitions, &requests, &assumed, finite, &budget);
    let checker = checker.unwrap_or_else(|errors| panic!("{errors:?}\n{model}\n{requests:?}"));
    let engines = vec![engine.parse().expect("an engine")];
    let settings = CheckSettings { engines, ..CheckSettings::default() };
    let worker = CheckWorker::new(&checker, &settings);
    let outcome = worker.check(&checker.properties()[0], &budget, &mut Silent::default());
    match outcome.result.expect("no internal error") {
        CheckVerdict::Holds => Some(true),
        CheckVerdict::Violated(Ok(_)) => Some(false),
        CheckVerdict::Violated(Err(reason)) => panic!("no trace: {reason:?}\n{model}"),
        CheckVerdict::Computed(_) => panic!("a verdict is wanted"),
        CheckVerdict::Unknown(_) => None,
    }
}

fn automaton(text: &str, none: bool) -> PropertyRequest {
    PropertyRequest::Automata { source: "automaton".to_owned(), text: text.to_owned(), none }
}

/// The text of an automaton; those over finite words have one in ALASKA's syntax only.
fn written(store: &Store, automaton: &Automaton) -> String {
    match automaton {
        Automaton::Alternating(automaton) => {
            alaska::write(store, automaton, LocationNames::Numbers).expect("it is small")
        }
        automaton => hoa::write(store, automaton, None).expect("it is small"),
    }
}

/// Compares the verdicts of all engines.
fn compare(
    model: (&str, &str),
    text: &str,
    finite: Option<PathEnd>,
    expected: Acceptance,
    engines: &[&str],
) -> usize {
    let mut decided = 0;
    for engine in engines {
        for (none, expected) in [(false, !expected.rejects_some), (true, !expected.accepts_some)] {
            let found = holds(model, automaton(text, none), finite, engine);
            let place = || format!("{engine}, none: {none}\n{}\n{}\n{text}", model.0, model.1);
            match found {
                Some(found) => assert_eq!(found, expected, "{}", place()),
                None => {
                    let is_campaign = engines.len() == ENGINES.len();
                    let is_large = is_campaign && *engine == "product:syntactic/l2s"
                        || !none && engine.contains("direction=forward");
                    assert!(engine.contains("/weak") || is_large, "{}", place());
                }
            }
            decided += usize::from(found.is_some());
        }
    }
    decided
}

/// A random model, and two propositions with the expressions of its property that they stand for.
struct Setting {
    text: String,
    model: FlatModel,
    store: Store,
    propositions: Vec<Proposition>,
    atoms: FlatAtoms,
    definitions: String,
}

impl Setting {
    fn new(seed: u64) -> Option<Setting> {
        let text = case(PropertyKind::Ltl, seed).text;
        let model = flat_model(&text);
        let (mut own, mut atoms) = (Store::new(), FlatAtoms::default());
        let formula = ltl_formula(&model, model.properties[0].operands[0], &mut own, &mut atoms);
        let mentioned = atoms.of(&own, formula);
        let named: Vec<(String, FlatExpression)> = mentioned
            .into_iter()
            .map(|(p, expression)| (own.name(p).to_owned(), expression))
            .filter(|(name, _)| !name.starts_with("atom "))
            .collect();
        let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
        let (mut propositions, mut definitions) = (Vec::new(), String::new());
        for ((text, expression), name) in named.into_iter().zip(["p", "q"]) {
            let proposition = store.proposition(name);
            atoms.bind(proposition, expression);
            propositions.push(proposition);
            definitions += &format!("{name} := {text}\n");
        }
        let setting = Setting { text, model, store, propositions, atoms, definitions };
        (!setting.propositions.is_empty()).then_some(setting)
    }

    fn graph(&self) -> Option<Graph<'_>> {
        let observed = self.atoms.iter().map(|(_, expression)| expression);
        Graph::new(&self.model, observed, LIMITS, &mut never).ok()
    }

    fn source(&self) -> (&str, &str) {
        (&self.text, &self.definitions)
    }
}

/// A condition over three sets, with `Fin` if there is a way.
fn random_condition(rng: &mut Rng) -> Condition {
    let mut atom = |_| match rng.coin() {
        true => Atom::Inf(rng.below(3)).into(),
        false => Atom::Fin(rng.below(3)).into(),
    };
    let [a, b, c]: [Condition; 3] = [0; 3].map(&mut atom);
    match rng.below(3) {
        0 => a,
        1 => Condition::any([Condition::all([a, b]), c]),
        _ => Condition::all([Condition::any([a, b]), c]),
    }
}

/// A random automaton over infinite words: alternating, weak or not, Büchi, generalised Büchi, with
/// any condition.
fn random_automaton(rng: &mut Rng, propositions: &[Proposition]) -> Automaton {
    let propositions = propositions.to_vec();
    let manager = Manager::new(Capacity::small(2)).expect("a small manager");
    let graph = |rng: &mut Rng, marks| {
        let (states, propositions) = (rng.between(1, 3), propositions.clone());
        let shape = RandomTgba { states, marks, propositions, transitions: 3 };
        shape.draw(&manager, rng).expect("room")
    };
    let alternating = |rng: &mut Rng, group| -> Automaton {
        let (words, propositions) = (WordKind::Infinite, propositions.clone());
        let locations = rng.between(1, 3);
        RandomAutomaton { words, locations, propositions, leaves: 5, group }.draw(rng).into()
    };
    match rng.below(6) {
        0 => alternating(rng, None),
        1 => alternating(rng, Some(1)),
        2 => alternating(rng, Some(2)),
        3 => graph(rng, 1).into(),
        4 => graph(rng, 2).into(),
        _ => {
            let (graph, condition) = (graph(rng, 3), random_condition(rng));
            EmersonLei::new(graph, condition).into()
        }
    }
}

/// Compares random automata over infinite words.
fn compare_random(seeds: Range<u64>, engines: impl Fn(u64) -> Vec<&'static str>) {
    let (mut seen, mut decided) = ([0; 4], 0);
    for seed in seeds {
        let Some(setting) = Setting::new(seed) else { continue };
        let Some(graph) = setting.graph() else { continue };
        let mut rng = Rng::new(seed);
        for round in 0..3 {
            let automaton = random_automaton(&mut rng, &setting.propositions);
            let fairness = Fairness::JusticeAndCompassion;
            let judged = fair_words(&graph, &automaton, &setting.atoms, fairness, &mut never);
            let expected = match judged {
                Ok(expected) => expected,
                Err(Unjudged::TooLarge { .. }) => continue,
                Err(other) => panic!("{other}"),
            };
            let text = written(&setting.store, &automaton);
            let engines = engines(3 * seed + round);
            decided += compare(setting.source(), &text, None, expected, &engines);
            let kind = usize::from(expected.accepts_some) + 2 * usize::from(expected.rejects_some);
            seen[kind] += 1;
        }
    }
    let all: usize = seen.iter().sum();
    assert!(decided > all, "{decided} {seen:?}");
    assert!(seen[1..].iter().all(|&count| count * 20 > all), "{seen:?}");
}

#[test]
fn random_automata_are_judged_alike_by_all_products() {
    compare_random(0..60, |number| {
        let number = number as usize;
        [0, 3, 7, 13].map(|offset| ENGINES[(number + offset) % ENGINES.len()]).to_vec()
    });
}

#[test]
#[ignore = "a campaign of some minutes"]
fn a_thousand_random_automata_are_judged_alike_by_all_products() {
    compare_random(0..1_000, |_| ENGINES.to_vec());
}

/// Compares random automata over finite words, in both readings.
fn compare_finite(seeds: Range<u64>) {
    let mut seen = [0; 4];
    for seed in seeds {
        let Some(setting) = Setting::new(seed) else { continue };
        let about_steps = |e: FlatExpression| setting.model.expressions.is_about_steps(e);
        if setting.atoms.iter().any(|(_, expression)| about_steps(expression)) {
            continue;
        }
        let Some(graph) = setting.graph() else { continue };
        let mut rng = Rng::new(seed);
        for group in [None, Some(1), Some(2)] {
            let (words, locations) = (WordKind::Finite, rng.between(1, 5));
            let propositions = setting.propositions.clone();
            let shape = RandomAutomaton { words, locations, propositions, leaves: 5, group };
            let automaton: AlternatingAutomaton = shape.draw(&mut rng);
            let text = written(&setting.store, &automaton.clone().into());
            for (end, ending) in
                [(PathEnd::Anywhere, Ending::Anywhere), (PathEnd::DeadEnd, Ending::DeadEnd)]
            {
                let expected = finite_words(&graph, &automaton, &setting.atoms, ending, &mut never);
                let expected = expected.expect("it is small");
                let engine = FINITE[seed as usize % FINITE.len()];
                compare(setting.source(), &text, Some(end), expected, &[engine]);
                let kind =
                    usize::from(expected.accepts_some) + 2 * usize::from(expected.rejects_some);
                seen[kind] += 1;
            }
        }
    }
    let all: usize = seen.iter().sum();
    assert!(seen[1..].iter().all(|&count| count * 20 > all), "{seen:?}");
}

#[test]
fn random_automata_over_finite_words_are_judged_alike() {
    compare_finite(0..80);
}

#[test]
#[ignore = "a campaign of some minutes"]
fn a_thousand_random_automata_over_finite_words_are_judged_alike() {
    compare_finite(0..1_000);
}

/// The automata of a formula whose propositions are named by their expressions.
fn translations(store: &Store, formula: Formula, words: WordKind) -> Vec<String> {
    let targets = match words {
        WordKind::Infinite => {
            let level = kermode_automata::translation::Level::High;
            vec![Target::Alternating(words), Target::Generalised(level), Target::Buchi(level)]
        }
        WordKind::Finite => vec![Target::Alternating(words)],
    };
    let translated = targets.into_iter().filter_map(|target| {
        let translation = Translation { rewriting: Rewriting::Standard, ..Translation::to(target) };
        let result = translation.apply(store, formula, None, &Budget::unlimited());
        result.ok().map(|translated| translated.text)
    });
    translated.collect()
}

/// The formula of an LTL specification, if all of its atoms have their texts as names.
fn named_formula(model: &FlatModel, index: usize) -> Option<(Store, Formula)> {
    let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
    let specification = model.properties[index].operands[0];
    let formula = ltl_formula(model, specification, &mut store, &mut atoms);
    // Long expressions have numbers, and that of running processes has a name that is not read.
    let is_other = |(p, _): (Proposition, _)| {
        store.name(p).starts_with("atom ") || store.name(p).contains("_process_selector_")
    };
    let is_named = !atoms.of(&store, formula).into_iter().any(is_other);
    is_named.then_some((store, formula))
}

/// Compares a specification with automata that mean the same.
fn compare_formula(text: &str, index: usize, finite: Option<PathEnd>, engine: &str) -> usize {
    let Some((store, formula)) = named_formula(&flat_model(text), index) else { return 0 };
    let words = if finite.is_some() { WordKind::Finite } else { WordKind::Infinite };
    let declared = PropertyRequest::Selected((index + 1).to_string());
    let Some(expected) = holds((text, ""), declared, finite, "product:syntactic/el") else {
        return 0;
    };
    let automata = translations(&store, formula, words);
    for written in &automata {
        let found = holds((text, ""), automaton(written, false), finite, engine);
        assert_eq!(found, Some(expected), "{engine}, property {index}\n{text}\n{written}");
    }
    automata.len()
}

#[test]
fn automata_of_formulas_have_their_verdicts() {
    let decides_all: Vec<&str> =
        ENGINES.into_iter().filter(|engine| !engine.contains("/weak")).collect();
    let mut compared = 0;
    for seed in 0..60 {
        let (text, number) = (case(PropertyKind::Ltl, seed).text, seed as usize);
        compared += compare_formula(&text, 0, None, decides_all[number % decides_all.len()]);
        for end in [PathEnd::Anywhere, PathEnd::DeadEnd] {
            compared += compare_formula(&text, 0, Some(end), FINITE[number % FINITE.len()]);
        }
    }
    assert!(compared > 120, "{compared}");
}

#[test]
fn automata_of_formulas_have_the_verdicts_of_nusmv() {
    let engines = ["product:syntactic/el", "product:log/el", "product:pdp/el", "antichain:forward"];
    let mut compared = 0;
    for (number, answer) in golden(&["LTL"]).iter().enumerate().step_by(3) {
        let engine = engines[number / 3 % engines.len()];
        compared += compare_formula(&answer.text, answer.number - 1, None, engine);
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn automata_of_families_have_the_expected_verdicts() {
    let mut compared = 0;
    for family in ["gas", "stack", "lcr"] {
        let request = ModelRequest::find(MODEL_FAMILIES, family, &["2..2"]).expect("a family");
        for instance in request.expect("arguments").instances() {
            let model = build(&instance);
            for (index, property) in model.properties.iter().enumerate() {
                let flat = flat_model(&model.text);
                if flat.properties[index].kind != PropertyKind::Ltl {
                    continue;
                }
                let Some((mut store, formula)) = named_formula(&flat, index) else { continue };
                // Complements of nondeterministic automata may be large; those of the others are
                // the automata of the negation.
                let alternating = translations(&store, formula, WordKind::Infinite).swap_remove(0);
                let negation = store.unary(UnaryOp::Not, formula);
                let negated = translations(&store, negation, WordKind::Infinite);
                let mut requests = vec![automaton(&alternating, false)];
                requests.extend(negated.iter().map(|written| automaton(written, true)));
                for (number, request) in requests.into_iter().enumerate() {
                    let engines = ["product:syntactic/el", "product:pdp/el", "antichain:forward"];
                    let engine = engines[(number + index) % engines.len()];
                    let found = holds((&model.text, ""), request, None, engine);
                    assert_eq!(found, Some(property.holds), "{instance}, {}", property.name);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 5, "{compared}");
}

/// The counter may wait in each state.
const COUNTER: &str = "MODULE main VAR x : 0..2; INIT x = 0 TRANS next(x) in {x, (x + 1) mod 3}";

#[test]
fn assumptions_restrict_the_words_of_automata() {
    let formulas = ["G F x = 2", "F x = 1", "F G x != 1", "x = 0 U x = 1", "G (x = 1 -> F x = 0)"];
    let assumptions: [&[&str]; 5] = [
        &[],
        &["G F x = 1"],
        &["F G x = 0"],
        &["G (x = 2 -> O x = 1)", "F x = 2"],
        &["G (x = 0 -> F[0,2] x = 1)"],
    ];
    let finite = [None, Some(PathEnd::Anywhere)];
    let mut seen = [0; 2];
    for formula in formulas {
        let text = format!("{COUNTER} LTLSPEC {formula}");
        let flat = flat_model(&text);
        let (store, parsed) = named_formula(&flat, 0).expect("short atoms");
        for assumed in assumptions {
            for finite in finite {
                let words = if finite.is_some() { WordKind::Finite } else { WordKind::Infinite };
                let declared = PropertyRequest::Declared;
                let engine = "product:syntactic/el";
                let expected = holds_if((&text, ""), declared, assumed, finite, engine);
                for written in translations(&store, parsed, words) {
                    let request = automaton(&written, false);
                    let found = holds_if((&text, ""), request, assumed, finite, engine);
                    // Automata over finite words have no past operators.
                    let is_past = finite.is_some() && assumed.iter().any(|a| a.contains('O'));
                    let expected = expected.filter(|_| !is_past);
                    assert_eq!(found, expected, "{formula}, {assumed:?}, {finite:?}\n{written}");
                    seen[usize::from(found == Some(true))] += 1;
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 15), "{seen:?}");
}

/// A text may have several automata, each of which is a property with its name.
#[test]
fn each_automaton_of_a_stream_is_a_property() {
    let one = |name: &str, label: &str| {
        format!(
            "HOA: v1\nname: \"{name}\"\nStates: 1\nStart: 0\nAP: 1 \"zero\"\n\
             Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[{label}] 0 {{0}}\n[t] 0\n--END--\n"
        )
    };
    let text = one("often zero", "0") + &one("often another", "!0");
    let requests = [automaton(&text, false), automaton(&text, true)];
    let (definitions, budget) = ("zero := x = 0\nunused := TRUE", Budget::unlimited());
    let checker =
        Checker::with_definitions(read(COUNTER), definitions, &requests, &[], None, &budget);
    let checker = checker.expect("properties");
    assert_eq!(checker.warnings().len(), 1, "{:?}", checker.warnings());
    let settings = CheckSettings::default();
    let worker = CheckWorker::new(&checker, &settings);
    let verdict = |property| {
        let outcome = worker.check(property, &budget, &mut Silent::default());
        (property.label(), outcome.result.expect("no internal error").word())
    };
    let verdicts: Vec<(String, &str)> = checker.properties().iter().map(verdict).collect();
    let expected = [
        ("every path is accepted by automaton:1 (often zero)", "violated"),
        ("every path is accepted by automaton:12 (often another)", "violated"),
        ("no path is accepted by automaton:1 (often zero)", "violated"),
        ("no path is accepted by automaton:12 (often another)", "violated"),
    ];
    assert_eq!(verdicts, expected.map(|(label, verdict)| (label.to_owned(), verdict)));
}
