//! The functions of the package for texts: answers, and errors as values with places.

use std::time::Duration;

use kermode::automata::translation::Level;
use kermode::ltl::families::RequestError;
use kermode::ltl::semantics::Unevaluable;
use kermode::ltl::{Conversion, Dialect, Store, Syntax, WordKind};
use kermode::solve::translate::{SmvModel, Target};
use kermode::solve::{Budget, EngineSpec, Query, Silent, Solver, Stop, Translation};
use kermode::solve::{TranslationError, portfolio::Schedule};
use kermode::{
    Decision, Error, accepts, ask, automaton, convert, empty, equivalent, generate, holds, implies,
    parse, requirements, satisfiable, translate, valid,
};

const NOTHING: &str = "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[t] 0\n--END--\n";

#[track_caller]
fn yes(decision: Result<Decision, Error>) -> Option<String> {
    match decision.expect("an answer") {
        Decision::Yes(word) => word,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn no(decision: Result<Decision, Error>) -> Option<String> {
    match decision.expect("an answer") {
        Decision::No(word) => word,
        other => panic!("{other:?}"),
    }
}

#[test]
fn words_prove_answers() {
    let word = yes(satisfiable("F a & F !a")).expect("a word");
    assert!(holds("F a & F !a", &word).expect("a truth value"));
    assert_eq!(no(satisfiable("F a & G !a")), None);
    assert_eq!(yes(valid("a | !a")), None);
    let word = no(valid("F a")).expect("a counterexample");
    assert!(!holds("F a", &word).expect("a truth value"));
    assert_eq!(yes(equivalent("F a", "true U a")), None);
    assert!(no(equivalent("F a", "G a")).is_some());
    assert_eq!(yes(implies("G a", "F a")), None);
    let word = no(implies("F a", "G a")).expect("a counterexample");
    assert!(holds("F a & !G a", &word).expect("a truth value"));
    assert_eq!(yes(empty(NOTHING)), None);
    let word = no(empty(include_str!("../examples/fairness.hoa"))).expect("a word");
    assert!(accepts(include_str!("../examples/fairness.hoa"), &word).expect("a truth value"));
}

#[test]
fn questions_have_words_engines_and_budgets() {
    let mut store = Store::new();
    let syntax = Syntax { words: WordKind::Finite, ..Syntax::default() };
    let formula = parse(&mut store, "X true", syntax).expect("a formula");
    let query = Query::valid(&store, formula, syntax.words);
    let engine: EngineSpec = "reference:enumerate".parse().expect("an engine");
    let schedule = Schedule::read("1s tgba:magic\n1s preprocess:only").expect("a schedule");
    for solver in [Solver::from(engine), schedule.into(), Solver::default()] {
        let decision = ask(&query, &solver, &Budget::unlimited(), &mut Silent::default());
        let word = no(decision).expect("a counterexample");
        assert!(!word.contains("cycle"), "{word}");
    }
    let over = Budget::within(Duration::ZERO);
    let decision = ask(&query, &Solver::default(), &over, &mut Silent::default());
    assert_eq!(decision.expect("no internal error"), Decision::Unknown(Stop::Timeout));
}

#[test]
fn requirements_are_meant_together() {
    let mut store = Store::new();
    let mut conjunction = |text: &str| requirements(&mut store, text, Syntax::default());
    assert!(conjunction(include_str!("../examples/elevator.req")).is_ok());
    let Err(Error::Syntax(wrong)) = conjunction("one: G a\ntwo: F\nthree: (b") else {
        panic!("two errors");
    };
    assert_eq!(wrong.diagnostics.len(), 2);
    let shown = wrong.to_string();
    assert!(shown.contains("<requirements>:2:7") && shown.contains(":3:8"), "{shown}");
    assert!(!shown.contains('\u{1b}'), "no styles: {shown}");
    let Err(Error::Syntax(none)) = conjunction("# nothing") else { panic!("there is none") };
    assert!(none.to_string().contains("no formula"), "{none}");
}

#[test]
fn what_is_wrong_has_a_place() {
    let Err(Error::Syntax(wrong)) = implies("F a", "a & (") else { panic!("a missing operand") };
    assert_eq!((wrong.name, wrong.text.as_str()), ("<formula>", "a & ("));
    assert_eq!(wrong.diagnostics[0].span, 5..5);
    let Err(Error::Syntax(wrong)) = holds("a", "cycle{") else { panic!("an unfinished word") };
    assert_eq!(wrong.name, "<word>");
    let Err(Error::Syntax(wrong)) = empty("HOA: v1\nStates: x\n") else { panic!("no number") };
    assert_eq!((wrong.name, wrong.diagnostics.is_empty()), ("<automaton>", false));
    let two = NOTHING.repeat(2);
    assert!(matches!(automaton(&mut Store::new(), &two), Err(Error::Automata { count: 2 })));
    let stream = "--ABORT--\n";
    assert!(matches!(empty(stream), Err(Error::Automata { count: 0 })));
}

#[test]
fn words_are_finite_or_not_by_themselves() {
    assert!(holds("N false", "a").expect("a truth value"));
    assert!(!holds("N false", "cycle{a}").expect("a truth value"));
    let far = holds("G O[0,4000000000] a", "cycle{a}");
    assert!(matches!(far, Err(Error::Evaluation(Unevaluable::TooFar { .. }))), "{far:?}");
    let none = holds("a", "{\"prefix\": []}");
    assert!(matches!(none, Err(Error::Evaluation(Unevaluable::EmptyWord)) | Err(Error::Syntax(_))));
    assert!(!accepts(NOTHING, "cycle{1}").expect("a truth value"));
}

#[test]
fn texts_are_converted_translated_and_generated() {
    let (from, to) = (Syntax::from(Dialect::Spot), Dialect::Nusmv);
    let written = convert("GFa -> (b W c)", from, &Conversion::default(), to);
    assert_eq!(written.expect("a text"), "G F a -> c V (b | c)");
    let past = convert("O a", Syntax::default(), &Conversion::default(), Dialect::Spin);
    assert!(matches!(past, Err(Error::Conversion(_))), "{past:?}");

    let tgba = translate("G O a", &Translation::to(Target::Generalised(Level::Medium)));
    assert!(tgba.expect("a text").starts_with("HOA: v1"));
    let smv = translate("G O a", &Translation::to(Target::Smv(SmvModel::Universal)));
    assert!(smv.expect("a text").starts_with("MODULE main"));
    let afw = translate("X a", &Translation::to(Target::Alternating(WordKind::Finite)));
    assert!(!accepts(&afw.expect("a text"), "a").expect("a truth value"));
    let abw = translate("G O a", &Translation::to(Target::Alternating(WordKind::Infinite)));
    assert!(matches!(abw, Err(Error::Translation(TranslationError::Untranslatable(_)))));

    assert_eq!(generate("C1", &["2"]).expect("a formula"), ["G F p1 | G F p2"]);
    let none = generate("none", &[]);
    assert!(matches!(none, Err(Error::Family(RequestError::Name { .. }))), "{none:?}");
}
