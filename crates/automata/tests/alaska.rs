//! ALASKA's syntax: what is read, what is written, and what is said about files that are wrong.

use kermode_automata::alaska::{LocationNames, TextTooLarge, read, write};
use kermode_automata::random::RandomAutomaton;
use kermode_automata::{AlternatingAutomaton, from_ltl};
use kermode_base::Rng;
use kermode_base::Source;
use kermode_ltl::dialect::parse;
use kermode_ltl::random::random_word;
use kermode_ltl::word::read_word;
use kermode_ltl::{Dialect, Proposition, Store, WordKind};

mod accepted;
mod snapshot;
use accepted::is_accepted;
use snapshot::matches_snapshot;

const ALASKA: &str = include_str!("../../../examples/alaska.abw");
const FIGURE_1: &str = include_str!("../../../examples/figure1.abw");

fn read_well(store: &mut Store, text: &str) -> AlternatingAutomaton {
    read(store, text).unwrap_or_else(|errors| panic!("{errors:?} in {text}"))
}

/// What is said about a text, without styles.
fn complaints(text: &str) -> String {
    let errors = read(&mut Store::new(), text).expect_err(text);
    let source = Source { name: "file.abw", text };
    let rendered = source.render_all(&errors).join("\n");
    let mut plain = String::new();
    let mut parts = rendered.split('\u{1b}');
    plain.push_str(parts.next().unwrap_or_default());
    parts.for_each(|part| plain.push_str(part.split_once('m').map_or("", |(_, rest)| rest)));
    plain
}

/// Checks the message, the line and column, and what is marked, of the only error.
#[track_caller]
fn refuses(text: &str, message: &str, place: (usize, usize), marked: &str) {
    let errors = read(&mut Store::new(), text).expect_err(text);
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(messages, [message]);
    let source = Source { name: "file.abw", text };
    assert_eq!(source.line_and_column(errors[0].span.start), place, "{message}");
    assert_eq!(&text[errors[0].span.clone()], marked, "{message}");
    assert!(!errors[0].label.is_empty(), "{message}");
}

#[test]
fn the_example_of_the_paper_is_read_and_written() {
    let mut store = Store::new();
    let automaton = read_well(&mut store, ALASKA);
    assert_eq!(automaton.words(), WordKind::Infinite);
    assert_eq!(automaton.location_count(), 3);
    assert_eq!(write(&store, &automaton, LocationNames::Labels).as_deref(), Ok(ALASKA));
    assert_eq!(write(&store, &automaton, LocationNames::Numbers).as_deref(), Ok(ALASKA));
}

/// The formula of the paper, its automaton, and the word that ALASKA found for it.
#[test]
fn the_formula_of_the_paper() {
    let mut store = Store::new();
    let text = "(a & X !b) U (a & X b)";
    let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
    let automaton = from_ltl(&mut store, formula, WordKind::Infinite).expect("a translation");
    let written = write(&store, &automaton, LocationNames::Numbers).expect("a small automaton");
    matches_snapshot("formula.abw", &written);
    let word = "initial part :\n[a, !b] [a, b]\nomega loop :\n[!a, b]\n";
    let word = read_word(&mut store, word).expect("a word");
    assert!(is_accepted(&automaton, &word));
    let word = read_word(&mut store, "a & !b; a & !b; cycle{!a & !b}").expect("a word");
    assert!(!is_accepted(&automaton, &word));
}

/// As the paper prints it, three signs are missing: each is missed where it should stand.
#[test]
fn the_example_as_printed() {
    let lines: Vec<&str> = ALASKA.lines().collect();
    let without_first_line = lines[1..].join("\n");
    let expected = "unexpected `automaton_type`";
    refuses(&without_first_line, expected, (1, 5), "automaton_type");
    let without_comma = ALASKA.replace("    , 1 :", "      1 :");
    refuses(&without_comma, "unexpected `1`", (9, 7), "1");
    let without_brace = ALASKA.replace("    }\n", "");
    refuses(&without_brace, "unexpected `)`", (11, 1), ")");
}

#[test]
fn layout_does_not_matter() {
    let text = r#"
        # any order, other quotation marks, commas behind last elements
        ( transition_function = { 1 : 'b', "0" : """( a & 0
              & 1 ) | ! a | ((a) & b & 02)""", 2:"b&2", }, # so
          accepting_locations = [2,], initial_constraint="0|1", propositions = ['a', "b"],
          locations = [0, 1, "2"], automaton_type = "sABW",
        )"#;
    let mut store = Store::new();
    let automaton = read_well(&mut store, text);
    assert_eq!(write(&store, &automaton, LocationNames::Labels).as_deref(), Ok(ALASKA));
}

#[test]
fn negations_are_pushed_to_propositions() {
    for (condition, expected) in [
        ("~(a & b)", "~a | ~b"),
        ("~(a | ~(b & ~a)) | 0", "(~a & b & ~a) | 0"),
        ("~~0", "0"),
        ("!(~a)", "a"),
        ("~true | 0 & false", "false"),
        ("a | b & 0", "a | (b & 0)"),
        ("a | ~a", "true"),
        ("True & (a | FALSE)", "a"),
    ] {
        let text = ALASKA.replace("(a & 0 & 1) | ~a | (a & b & 2)", condition);
        let mut store = Store::new();
        let automaton = read_well(&mut store, &text);
        let written = write(&store, &automaton, LocationNames::Labels).expect("a small automaton");
        assert!(written.contains(&format!("0 : \"{expected}\"")), "{condition}: {written}");
    }
}

#[test]
fn files_that_are_wrong() {
    let replace = |from: &str, to: &str| {
        assert!(ALASKA.contains(from), "{from}");
        ALASKA.replace(from, to)
    };
    // Locations.
    refuses(&replace("\"b & 2\"", "\"b & 7\""), "unknown location `7`", (10, 16), "7");
    refuses(&replace("= [2]", "= [2,3]"), "unknown location `3`", (6, 30), "3");
    refuses(&replace("0 | 1", "0 | 9"), "unknown location `9`", (5, 31), "9");
    refuses(&replace("    , 2 : \"b & 2\"\n", ""), "location `2` has no transition", (3, 22), "2");
    let text = replace(", 2 : \"b & 2\"", ", 2 : \"b & 2\", 1 : \"b\"");
    refuses(&text, "location `1` has two transitions", (10, 20), "1");
    let text = replace(", 2 : \"b & 2\"", ", 2 : \"b & 2\", 5 : \"true\"");
    refuses(&text, "unknown location `5`", (10, 20), "5");
    refuses(&replace("[0,1,2]", "[0,1,2,0]"), "`0` is declared twice", (3, 24), "0");
    // Names.
    let text = replace("[\"a\",\"b\"]", "[\"a\",\"b\",\"0\"]");
    refuses(&text, "`0` is a location and a proposition", (4, 29), "\"0\"");
    let text = replace("[\"a\",\"b\"]", "[\"a\",\"b\",\"a\"]");
    refuses(&text, "`a` is declared twice", (4, 29), "\"a\"");
    refuses(&replace("\"b & 2\"", "\"c & 2\""), "unknown name `c`", (10, 12), "c");
    // The type.
    refuses(&replace("sABW", "sNBW"), "unknown type of automaton `sNBW`", (2, 22), "\"sNBW\"");
    refuses(&replace("\"sABW\"", "sABW"), "unexpected `sABW`", (2, 22), "sABW");
    // Conditions.
    refuses(&replace("\"b & 2\"", "\"b & ~2\""), "location `2` is negated", (10, 17), "2");
    refuses(&replace("\"b & 2\"", "\"~(b & (2))\""), "location `2` is negated", (10, 19), "2");
    let text = replace("0 | 1", "0 | a");
    refuses(&text, "proposition `a` in the initial constraint", (5, 31), "a");
    refuses(&replace("\"b & 2\"", "\"b & \""), "the condition ends too early", (10, 16), "");
    refuses(&replace("\"b & 2\"", "\"\""), "the condition ends too early", (10, 12), "");
    refuses(&replace("\"b & 2\"", "\"b && 2\""), "unexpected `&`", (10, 15), "&");
    refuses(&replace("\"b & 2\"", "\"b 2\""), "unexpected `2`", (10, 14), "2");
    refuses(&replace("\"b & 2\"", "\"b -> 2\""), "unexpected `-`", (10, 14), "-");
    refuses(&replace("\"b & 2\"", "\"(b & 2\""), "`(` is never closed", (10, 12), "(");
    refuses(&replace("\"b & 2\"", "\"b & 2)\""), "`)` without `(`", (10, 17), ")");
    refuses(&replace("\"b & 2\"", "\"b & 2 # c\""), "unexpected `#`", (10, 18), "#");
    // Fields.
    let text = replace("  , accepting_locations = [2]\n", "");
    refuses(&text, "the field `accepting_locations` is missing", (11, 1), ")");
    let text = replace("locations = [0,1,2]", "locations = [0,1,2], locations = [0]");
    refuses(&text, "the field `locations` is there twice", (3, 26), "locations");
    refuses(&replace("propositions", "variables"), "unexpected `variables`", (4, 5), "variables");
    refuses(&replace("[0,1,2]", "\"0\""), "unexpected string", (3, 17), "\"0\"");
    refuses(&replace("[0,1,2]", "[0,one,2]"), "unexpected `one`", (3, 20), "one");
    refuses(&replace("[\"a\",\"b\"]", "[a,\"b\"]"), "unexpected `a`", (4, 21), "a");
    refuses(&replace("[0,1,2]", "[0,1,2"), "unexpected `propositions`", (4, 5), "propositions");
    refuses(&replace("\n)\n", ""), "`(` is never closed", (1, 1), "(");
    refuses(&replace("0 | 1\"", "0 | 1"), "this string is never closed", (5, 26), "\"");
    refuses(&replace("\n)\n", "\n)\n(\n"), "unexpected `(`", (13, 1), "(");
    refuses("", "the text ends too early", (1, 1), "");
}

#[test]
fn all_errors_are_said_with_their_places() {
    let text = r#"(
    automaton_type = "sABA"
  , locations = [0,1,"a"]
  , propositions = ["a","b"]
  , initial_constraint = "0 & ~1"
  , accepting_locations = [4]
  , transition_function = { 0 : "b | 5", "a" : "true" }
)
"#;
    matches_snapshot("errors.txt", &complaints(text));
}

#[test]
fn names_of_all_kinds_come_back() {
    let names = [
        "a b",
        "it's",
        "say \"x\"",
        "back\\slash",
        "new\nline",
        "",
        "true",
        "007",
        "ü",
        "~",
        "a.b",
        "7",
    ];
    let mut store = Store::new();
    let propositions: Vec<Proposition> = names.iter().map(|name| store.proposition(name)).collect();
    let mut automaton = AlternatingAutomaton::new(WordKind::Finite, propositions.clone());
    for name in names {
        let location = automaton.add_location(format!("{name}'"), name.len() % 2 == 0);
        let expressions = automaton.expressions_mut();
        let itself = expressions.location(location);
        let literals: Vec<_> =
            propositions.iter().map(|&p| expressions.literal(p, p.index() % 2 == 0)).collect();
        let all = expressions.all(literals);
        let transition = expressions.or(all, itself);
        automaton.set_transition(location, transition);
        automaton.set_initial(itself);
    }
    for style in [LocationNames::Labels, LocationNames::Numbers] {
        let text = write(&store, &automaton, style).expect("a small automaton");
        let again = read_well(&mut store, &text);
        let again = write(&store, &again, style).expect("a small automaton");
        let is_comment = |line: &&str| line.trim_start().starts_with('#');
        let without_comments = text.lines().filter(|line| !is_comment(line));
        assert!(again.lines().eq(without_comments), "{text}");
    }
}

#[test]
fn what_is_written_is_read_as_the_same_language() {
    let mut store = Store::new();
    let propositions: Vec<Proposition> = ["a", "b"].map(|name| store.proposition(name)).into();
    let mut rng = Rng::new(3);
    for round in 0..400 {
        let words = if round % 2 == 0 { WordKind::Infinite } else { WordKind::Finite };
        let shape = RandomAutomaton {
            words,
            locations: rng.between(1, 6),
            propositions: propositions.clone(),
            leaves: 8,
            group: None,
        };
        let automaton = shape.draw(&mut rng);
        let text = write(&store, &automaton, LocationNames::Numbers).expect("a small automaton");
        let again = read_well(&mut store, &text);
        assert_eq!(again.words(), words);
        for _ in 0..20 {
            let word = random_word(&mut rng, &propositions, words, 3, 4);
            assert_eq!(is_accepted(&automaton, &word), is_accepted(&again, &word), "{text}");
        }
        let once = write(&store, &again, LocationNames::Numbers).expect("a small automaton");
        let twice = read_well(&mut store, &once);
        assert_eq!(write(&store, &twice, LocationNames::Numbers), Ok(once));
    }
}

#[test]
fn deep_conditions() {
    let with = |condition: &str| ALASKA.replace("\"b & 2\"", &format!("\"{condition}\""));
    let deep = format!("{}b & 2{}", "(~~(".repeat(500_000), "))".repeat(500_000));
    let mut store = Store::new();
    let automaton = read_well(&mut store, &with(&deep));
    assert_eq!(write(&store, &automaton, LocationNames::Labels).as_deref(), Ok(ALASKA));
    let open = with(&"(".repeat(1_000_000));
    assert_eq!(read(&mut store, &open).expect_err("no end").len(), 1);
    let chain = format!("{}a & 2{}", "a & (b | (".repeat(100_000), "))".repeat(100_000));
    let automaton = read_well(&mut store, &with(&chain));
    let text = write(&store, &automaton, LocationNames::Labels).expect("a text");
    assert!(text.contains(&chain));
}

/// Sharing is lost in the text, so it may be too large although the automaton is small.
#[test]
fn texts_that_are_too_large_are_refused() {
    let mut store = Store::new();
    let mut text = String::from("a");
    for i in 0..40 {
        text = format!("(({text}) <-> p{i})");
    }
    let formula = parse(&mut store, &text, Dialect::Kermode.into()).expect("a formula").formula;
    let automaton = from_ltl(&mut store, formula, WordKind::Infinite).expect("a translation");
    let refusal = write(&store, &automaton, LocationNames::Numbers).expect_err("a large text");
    assert!(matches!(refusal, TextTooLarge { leaves } if leaves > 1 << 40));
}

#[test]
fn labels_of_formulas_become_comments() {
    let mut store = Store::new();
    let text = "G F p & F(!p & G !r)";
    let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
    let automaton = from_ltl(&mut store, formula, WordKind::Infinite).expect("a translation");
    let numbers = write(&store, &automaton, LocationNames::Numbers).expect("a small automaton");
    matches_snapshot("figure1_numbers.abw", &numbers);
    let labels = write(&store, &automaton, LocationNames::Labels).expect("a small automaton");
    matches_snapshot("figure1_labels.abw", &labels);
    // The same with the names of the paper.
    let figure = read_well(&mut store, FIGURE_1);
    let written = write(&store, &figure, LocationNames::Labels).expect("a small automaton");
    assert_eq!(
        written,
        FIGURE_1.lines().skip(1).map(|line| format!("{line}\n")).collect::<String>()
    );
}

/// What `docs/automata.md` shows is what happens.
#[test]
fn the_documentation_is_true() {
    let documentation = include_str!("../../../docs/automata.md");
    let errors = include_str!("snapshots/errors.txt");
    let missing = errors.split("\n\n").find(|error| error.contains("has no transition"));
    for text in [ALASKA, include_str!("snapshots/formula.abw"), missing.expect("that error")] {
        assert!(documentation.contains(&format!("```text\n{}\n```", text.trim_end())), "{text}");
    }
}
