//! The conformance suite: what every engine of the table must do. A new engine is tested here by
//! being in the table.

use std::time::Duration;

use kermode_base::Rng;
use kermode_ltl::dialect::{Dialect, parse};
use kermode_ltl::random::{Operators, RandomFormula};
use kermode_ltl::reference::tableau;
use kermode_ltl::{Formula, Store, WordKind, semantics};
use kermode_solve::options::Takes;
use kermode_solve::{
    Budget, Cancellation, ENGINES, EngineInfo, EngineSpec, LeftOut, Limits, Problem, Silent,
    SpecError, Stop, Verdict, Witness, WitnessPolicy, decide,
};
use kermode_system::ctl::{CtlNode, PathFormula, Quantifier};
use kermode_system::{Ctl, Encoding, Model, Target};

const KINDS: [WordKind; 2] = [WordKind::Infinite, WordKind::Finite];

fn read(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).expect("a formula").formula
}

fn ask(problem: &Problem, engine: &EngineSpec, budget: &Budget) -> Verdict {
    decide(problem, engine, budget, &mut Silent::default()).expect("no internal error")
}

/// An engine that never says no gets only so much time to find a word.
fn patience(engine: &EngineInfo) -> Budget {
    let wall = (!engine.accepts.complete).then_some(Duration::from_millis(100));
    Budget::new(Limits { wall, ..Limits::default() }, Cancellation::new())
}

/// Whether a stop is what such an engine may end with. Engines for weak automata refuse others.
fn is_excused(engine: &EngineInfo, stop: &Stop) -> bool {
    match stop {
        Stop::Limit(_) | Stop::Timeout => !engine.accepts.complete,
        Stop::Unsupported(_) => engine.name.ends_with("/weak"),
        _ => false,
    }
}

fn spec(name: &str) -> EngineSpec {
    name.parse().expect("an engine of the table")
}

/// Each formula with whether it is satisfiable over infinite and over finite words.
const FACTS: [(&str, bool, bool); 24] = [
    ("true", true, true),
    ("false", false, false),
    ("a", true, true),
    ("a & !a", false, false),
    ("!(a W b) & G a", false, false),
    ("G F a & G F !a", true, false),
    ("G X true", true, false),
    ("G N true", true, true),
    ("X false", false, false),
    ("N false", false, true),
    ("F a & G !a", false, false),
    ("a U b & G !b", false, false),
    ("(a & X !b) U (a & X b)", true, true),
    ("G(a -> N b) & G(b -> N a) & F a & F G !a", false, true),
    ("Y true", false, false),
    ("X Y a & !a", false, false),
    ("F(b & H !a) & a", false, false),
    ("G(a <-> Z !a)", true, true),
    ("F(a S b) & G !b", false, false),
    ("F(a T b) & G !b", false, false),
    ("F[1,2] a & X !a & X X !a", false, false),
    ("G[0,3] a & X[3] b", true, true),
    ("X[4] true & !X[5] true", false, true),
    ("a R[1,2] b & X !b & !a", false, false),
];

#[test]
fn every_engine_knows_the_facts() {
    for engine in ENGINES {
        for (text, infinite, finite) in FACTS {
            for (words, expected) in [(WordKind::Infinite, infinite), (WordKind::Finite, finite)] {
                let mut store = Store::new();
                let formula = read(&mut store, text);
                let problem = Problem::satisfiability(&store, formula, words);
                if engine.accepts.lacks(&problem).is_some() {
                    continue;
                }
                let verdict = ask(&problem, &spec(engine.name), &patience(engine));
                let agrees = match &verdict {
                    Verdict::Nonempty(Ok(_)) => expected,
                    Verdict::Nonempty(Err(_)) => false,
                    Verdict::Empty(_) => !expected,
                    Verdict::Unknown(stop) => is_excused(engine, stop),
                };
                assert!(agrees, "{} on {words:?} words of `{text}`: {verdict:?}", engine.name);
            }
        }
    }
}

#[test]
fn enumeration_finds_a_word_wherever_there_is_a_short_one() {
    for (text, infinite, finite) in FACTS {
        for (words, expected) in [(WordKind::Infinite, infinite), (WordKind::Finite, finite)] {
            let mut store = Store::new();
            let formula = read(&mut store, text);
            let problem = Problem::satisfiability(&store, formula, words);
            let engine = spec("reference:enumerate:letters=5:words=50000");
            let verdict = ask(&problem, &engine, &Budget::unlimited());
            assert_eq!(matches!(verdict, Verdict::Nonempty(_)), expected, "{text}: {verdict:?}");
        }
    }
}

#[test]
fn preprocessing_alone_settles_what_it_can() {
    for (text, expected) in [
        ("p U (q R (G F r))", Some(true)),
        ("G p & G F !p", Some(false)),
        ("G(p <-> X q) & F p & G(q -> r)", Some(true)),
        ("F(a & !a) | X false", Some(false)),
        ("F a & F !a", None),
    ] {
        let mut store = Store::new();
        let formula = read(&mut store, text);
        let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
        let settled = match ask(&problem, &spec("preprocess:only"), &Budget::unlimited()) {
            Verdict::Nonempty(Ok(Witness::Word(_))) => Some(true),
            Verdict::Empty(_) => Some(false),
            _ => None,
        };
        assert_eq!(settled, expected, "{text}");
        let idle = spec("preprocess:only:rules=none");
        let verdict = ask(&problem, &idle, &Budget::unlimited());
        assert!(matches!(verdict, Verdict::Unknown(Stop::Limit(_))), "{text}");
    }
    assert!("preprocess:only:rules=eventual+no-such".parse::<EngineSpec>().is_err());
}

#[test]
fn every_engine_agrees_with_the_tableau_on_random_formulas() {
    let mut rng = Rng::new(20081111);
    for round in 0..2000 {
        let words = KINDS[round % 2];
        let mut store = Store::new();
        let propositions = vec![store.proposition("a"), store.proposition("b")];
        let operators = Operators::future().with_weak_next().with_past().with_bounds(2);
        let random = RandomFormula { size: 1 + round % 9, propositions, operators };
        let formula = random.draw(&mut store, &mut rng);
        let problem = Problem::satisfiability(&store, formula, words);
        let mut never = || Ok::<(), ()>(());
        let Ok(expected) = tableau(&store, formula, words, &mut never) else { continue };
        let takes = |engine: &&EngineInfo| engine.accepts.lacks(&problem).is_none();
        for engine in ENGINES.iter().filter(takes) {
            if expected.is_none() && !engine.accepts.complete {
                continue;
            }
            match ask(&problem, &spec(engine.name), &patience(engine)) {
                Verdict::Nonempty(Ok(Witness::Word(word))) => {
                    assert!(expected.is_some());
                    assert!(semantics::naive::satisfies(&store, formula, &word));
                }
                Verdict::Empty(_) => assert!(expected.is_none()),
                Verdict::Unknown(stop) if is_excused(engine, &stop) => {}
                other => panic!("{}: {other:?}", engine.name),
            }
        }
    }
}

/// A model whose only variable is false at first and may change at any time, the violation of the
/// claim that it stays false, and this claim in CTL.
fn flag() -> (Model, Target, Ctl) {
    let mut model = Model::new();
    let flag = model.auxiliary("flag");
    let raised = model.graph.current(flag);
    let lowered = model.graph.not(raised);
    model.system.add_initial(&model.graph, lowered);
    let mut claim = Ctl::new();
    let lowered = claim.add(CtlNode::Atom(lowered));
    claim.add(CtlNode::Path(Quantifier::All, PathFormula::Globally(lowered, None)));
    (model, Target::State(raised), claim)
}

/// The first of some problems that an engine takes.
fn suitable<'p, 's>(engine: &EngineInfo, problems: &'p [Problem<'s>]) -> &'p Problem<'s> {
    let mut taken = problems.iter().filter(|problem| engine.accepts.lacks(problem).is_none());
    taken.next().unwrap_or_else(|| panic!("{} takes none of the problems", engine.name))
}

#[test]
fn every_engine_stops_when_it_is_told() {
    let mut store = Store::new();
    let formula = read(&mut store, "G(a | b U c) & F X(!a & !c) & F[1,2] !b");
    let (model, target, claim) = flag();
    let problems = [
        Problem::satisfiability(&store, formula, WordKind::Infinite),
        Problem::satisfiability(&store, formula, WordKind::Finite),
        Problem::paths(&store, &model, target),
        Problem::branches(&store, &model, &claim),
    ];
    for engine in ENGINES {
        let problem = *suitable(engine, &problems);
        let engine = spec(engine.name);
        let cancellation = Cancellation::new();
        cancellation.cancel();
        let cancelled = Budget::new(Limits::default(), cancellation);
        assert_eq!(ask(&problem, &engine, &cancelled), Verdict::Unknown(Stop::Cancelled));
        for limits in [
            Limits { wall: Some(Duration::ZERO), ..Limits::default() },
            Limits { cpu: Some(Duration::ZERO), ..Limits::default() },
        ] {
            let budget = Budget::new(limits, Cancellation::new());
            assert_eq!(ask(&problem, &engine, &budget), Verdict::Unknown(Stop::Timeout));
        }
        let little = Limits { memory: Some(1), ..Limits::default() };
        let budget = Budget::new(little, Cancellation::new());
        assert_eq!(ask(&problem, &engine, &budget), Verdict::Unknown(Stop::Memory));
    }
}

#[test]
fn no_engine_shows_a_word_that_nobody_asked_for() {
    let mut store = Store::new();
    let formula = read(&mut store, "G F a & G F !a");
    let ending = read(&mut store, "F a & F !a");
    let (model, target, claim) = flag();
    let problems = [
        Problem::satisfiability(&store, formula, WordKind::Infinite),
        Problem::satisfiability(&store, ending, WordKind::Finite),
        Problem::paths(&store, &model, target),
        Problem::branches(&store, &model, &claim),
    ];
    let unseen = WitnessPolicy { wanted: false, ..WitnessPolicy::default() };
    for engine in ENGINES.iter().filter(|engine| engine.accepts.complete) {
        let problem = suitable(engine, &problems).with_witness(unseen);
        let (engine, budget) = (spec(engine.name), Budget::unlimited());
        let verdict = decide(&problem, &engine, &budget, &mut Silent::default());
        let left_out = Err(LeftOut::NotAsked);
        assert_eq!(verdict, Ok(Verdict::Nonempty(left_out)), "{engine}");
    }
}

#[test]
fn names_of_engines_round_trip() {
    for engine in ENGINES {
        assert_eq!(spec(engine.name).to_string(), engine.name);
        for option in engine.options {
            let option = option.info();
            let full = format!("{}:{}={}", engine.name, option.key, option.default);
            assert_eq!(spec(&full).to_string(), full);
        }
    }
    let encodings: Vec<Encoding> = Encoding::all().collect();
    assert_eq!(encodings.len(), 30);
    for encoding in encodings {
        let name = format!("product:syntactic/el:encoding={encoding}:reach=model");
        assert_eq!(spec(&name).to_string(), name);
        assert_eq!(spec(&format!("symbolic:{encoding}:reach=model")).to_string(), name);
    }
}

/// What the table says of an option is what its engine takes.
#[test]
fn options_take_the_values_that_they_list_and_no_others() {
    for engine in ENGINES {
        for option in engine.options {
            let info = option.info();
            let (right, wrong): (Vec<String>, Vec<String>) = match &info.takes {
                Takes::Choice(words) | Takes::Several(words) => {
                    let words: Vec<String> =
                        words.iter().map(|(word, _)| word.to_string()).collect();
                    (words, vec!["no-such-word".to_owned(), String::new()])
                }
                Takes::Flag => (vec!["on".into(), "off".into()], vec!["yes".into()]),
                Takes::Number(range) => {
                    let ends = vec![range.start().to_string(), range.end().to_string()];
                    (ends, vec!["-1".into(), "many".into()])
                }
                Takes::Rules => (vec!["all".into(), "none".into()], vec!["no-such-rule".into()]),
            };
            assert!(
                right.contains(&info.default.to_owned()) || !matches!(info.takes, Takes::Choice(_))
            );
            for value in right {
                let with = EngineSpec::of(engine).with(info.key, &value);
                assert!(matches!(with, Ok(Some(_))), "{}:{}={value}", engine.name, info.key);
            }
            for value in wrong {
                let with = EngineSpec::of(engine).with(info.key, &value);
                assert!(with.is_err(), "{}:{}={value}", engine.name, info.key);
            }
        }
    }
}

#[test]
fn wrong_names_and_options_say_what_there_is() {
    let error = |text: &str| text.parse::<EngineSpec>().expect_err("not an engine");
    assert!(matches!(error("reference"), SpecError::Name { .. }));
    assert!(error("no:such").to_string().contains("reference:tableau"));
    let message = |text: &str| error(text).to_string();
    assert_eq!(
        message("product:log/elo"),
        "there is no engine `product:log/elo`; did you mean `product:log/el`?"
    );
    let family = message("product:nothing-like-it-at-all");
    assert!(family.contains("pdp/weak") && !family.contains("antichain"), "{family}");
    assert!(message("product:syntactic/weak").contains("no components"));
    assert!(matches!(error("reference:tableau:a=1"), SpecError::Key { .. }));
    assert!(matches!(error("reference:enumerate:letters"), SpecError::Form { .. }));
    assert!(matches!(error("reference:enumerate:letters=x"), SpecError::Value(_)));
    assert!(matches!(error("reference:enumerate:words=1:words=2"), SpecError::Twice { .. }));
}

#[test]
fn enumeration_counts_what_it_tries_and_ends_at_its_limits() {
    let mut store = Store::new();
    let formula = read(&mut store, "a & !a");
    let problem = Problem::satisfiability(&store, formula, WordKind::Finite);
    let mut observer = Silent::default();
    let engine = spec("reference:enumerate:letters=3");
    let verdict = decide(&problem, &engine, &Budget::unlimited(), &mut observer);
    assert!(matches!(verdict, Ok(Verdict::Unknown(Stop::Limit(why))) if why.contains("3 letters")));
    // Words of one, two and three letters over one proposition.
    assert_eq!(observer.statistics.iter().collect::<Vec<_>>(), [("words", 2 + 4 + 8)]);
    let engine = spec("reference:enumerate:words=5");
    let verdict = ask(&problem, &engine, &Budget::unlimited());
    assert!(matches!(verdict, Verdict::Unknown(Stop::Limit(why)) if why.contains("first 5 words")));
}

#[test]
fn past_that_reaches_too_far_is_a_limit_not_a_crash() {
    let mut store = Store::new();
    let formula = read(&mut store, "F O[3000000000,4000000000] a");
    let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
    for engine in ENGINES.iter().filter(|engine| engine.accepts.lacks(&problem).is_none()) {
        let verdict = ask(&problem, &spec(engine.name), &Budget::unlimited());
        // Engines that need not write the bounds out know that there is a word.
        let stops = matches!(verdict, Verdict::Unknown(Stop::Limit(_)) | Verdict::Nonempty(Err(_)));
        assert!(stops, "{}: {verdict:?}", engine.name);
    }
}
