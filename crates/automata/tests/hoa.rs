//! The HOA format: a corpus of files with every feature, each with words that it accepts and
//! rejects; files that are wrong, with what is said about them; and what is written is read as the
//! same language.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use kermode_automata::hoa::{Hoa, Unwritable, read, write};
use kermode_automata::random::RandomAutomaton;
use kermode_automata::tgba::{Marks, RandomTgba, Tgba};
use kermode_automata::{Automaton, NoBranches, from_ltl, trim};
use kermode_base::Rng;
use kermode_base::{Diagnostic, Source};
use kermode_bdd::{Capacity, Manager};
use kermode_ltl::dialect::parse;
use kermode_ltl::random::random_word;
use kermode_ltl::word::read_word;
use kermode_ltl::{Dialect, Store, Word, WordKind};

mod snapshot;
use snapshot::matches_snapshot;

fn is_accepted(automaton: &Automaton, word: &Word) -> bool {
    let Ok(accepted) = automaton.accepts(word, &mut || Ok::<(), Infallible>(()));
    accepted
}

/// The files of a folder of the corpus, by name.
fn files(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = std::fs::read_dir(folder).expect("the corpus");
    let paths = entries.map(|entry| entry.expect("a file").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some()).collect();
    paths.sort();
    let text = |path: &PathBuf| std::fs::read_to_string(path).expect("a text");
    paths.into_iter().map(|path| (path.clone(), text(&path))).collect()
}

fn read_well(store: &mut Store, text: &str) -> Vec<Hoa> {
    let automata = read(store, text).into_iter();
    automata.map(|hoa| hoa.unwrap_or_else(|errors| panic!("{errors:?} in {text}"))).collect()
}

/// The only automaton of a text.
fn read_one(store: &mut Store, text: &str) -> Hoa {
    let mut automata = read_well(store, text);
    assert_eq!(automata.len(), 1, "{text}");
    automata.remove(0)
}

fn written(store: &Store, automaton: &Automaton) -> String {
    write(store, automaton, None).expect("a small automaton")
}

/// The words that comments before each automaton promise to be accepted or rejected, in order.
fn promises(text: &str) -> Vec<Vec<(bool, String)>> {
    let mut all = vec![Vec::new()];
    for line in text.lines() {
        let promise =
            |prefix: &str| Some(line.strip_prefix(prefix)?.strip_suffix(" */")?.to_owned());
        let accepts = promise("/* accepts ").map(|word| (true, word));
        let promise = accepts.or_else(|| promise("/* rejects ").map(|word| (false, word)));
        match promise {
            Some(promise) => all.last_mut().expect("one").push(promise),
            None if line.starts_with("HOA:") && !all.last().expect("one").is_empty() => {
                all.push(Vec::new());
            }
            None => {}
        }
    }
    all.pop();
    all
}

#[test]
fn the_corpus_is_read_as_its_comments_say() {
    let corpus = files("hoa");
    assert!(corpus.len() > 15);
    for (path, text) in corpus {
        let mut store = Store::new();
        let automata = read_well(&mut store, &text);
        let promises = promises(&text);
        assert_eq!(automata.len(), promises.len(), "{path:?}");
        for (hoa, promises) in automata.iter().zip(promises) {
            assert_eq!(hoa.warnings, [], "{path:?}");
            for (expected, word) in promises {
                let read = read_word(&mut store, &word).expect("a word");
                assert_eq!(is_accepted(&hoa.automaton, &read), expected, "{path:?}: {word}");
            }
        }
    }
}

/// Written and read again, an automaton accepts the same words, and its text does not change any
/// more.
#[test]
fn the_corpus_comes_back() {
    for (path, text) in files("hoa") {
        let mut store = Store::new();
        for hoa in read_well(&mut store, &text) {
            let once = hoa.write(&store).expect("a small automaton");
            let again = read_one(&mut store, &once);
            assert_eq!(again.warnings, [], "{path:?}: {once}");
            assert_eq!(again.write(&store).as_deref(), Ok(once.as_str()), "{path:?}");
            assert_eq!((&again.name, &again.items), (&hoa.name, &hoa.items), "{path:?}");
            let letters = hoa.automaton.propositions().to_vec();
            assert_eq!(again.automaton.propositions(), letters, "{path:?}");
            let mut rng = Rng::new(5);
            for _ in 0..50 {
                let word = random_word(&mut rng, &letters, WordKind::Infinite, 3, 4);
                let [one, other] = [&hoa, &again].map(|hoa| is_accepted(&hoa.automaton, &word));
                assert_eq!(one, other, "{path:?} {word:?}");
            }
        }
    }
}

#[test]
fn which_kind_it_is() {
    let mut store = Store::new();
    for (path, text) in files("hoa") {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        for hoa in read_well(&mut store, &text) {
            let alternates = matches!(hoa.automaton, Automaton::Alternating(_));
            assert_eq!(alternates, name.starts_with("alternating"), "{name}");
        }
    }
}

#[test]
fn what_the_header_says_is_kept() {
    let mut store = Store::new();
    let text = include_str!("hoa/headers.hoa");
    let hoa = read_one(&mut store, text);
    assert_eq!(hoa.name.as_deref(), Some("a \"quoted\" name with a \\ and ü --BODY--"));
    let items: Vec<(&str, &str)> =
        hoa.items.iter().map(|(name, content)| (name.as_str(), content.as_str())).collect();
    let expected = [
        ("tool", "\"some tool\" \"1.0\""),
        ("controllable-AP", "1"),
        ("spot.highlight.edges", "1 2"),
        ("remark", "t f \"text\" word 12"),
    ];
    assert_eq!(items, expected);
    let properties = ["trans-labels", "explicit-labels", "!deterministic", "unheard-of"];
    assert_eq!(hoa.properties, properties);
    assert_eq!(&text[hoa.span.clone()], text[hoa.span.start..].trim_end());
}

/// What is said about a text, without styles.
fn complaints(name: &str, text: &str) -> String {
    let findings = read(&mut Store::new(), text).into_iter();
    let findings: Vec<Diagnostic> =
        findings.flat_map(|hoa| hoa.map_or_else(|errors| errors, |hoa| hoa.warnings)).collect();
    for finding in &findings {
        assert!(text.get(finding.span.clone()).is_some(), "{finding:?}");
        assert!(!finding.label.is_empty(), "{finding:?}");
    }
    let rendered = Source { name, text }.render_all(&findings).join("\n");
    let mut parts = rendered.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or("", |(_, rest)| rest))
}

#[test]
fn files_that_are_wrong() {
    let corpus = files("hoa/wrong");
    assert!(corpus.len() > 25);
    let mut all = String::new();
    for (path, text) in corpus {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let complaints = complaints(&name, &text);
        assert!(!complaints.is_empty(), "{name}");
        all.push_str(&format!("{complaints}\n"));
    }
    matches_snapshot("hoa.txt", &all);
}

/// No prefix of a text makes the reader panic, and each is either cut at its end or complained
/// about.
#[test]
fn texts_that_end_too_early() {
    for (path, text) in files("hoa") {
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            let mut store = Store::new();
            let automata = read(&mut store, &text[..end]);
            let whole = text[..end].matches("--END--").count();
            let errors = automata.iter().filter(|hoa| hoa.is_err()).count();
            assert!(errors <= 1 && automata.len() <= whole + 2, "{path:?} {end}");
        }
    }
}

/// One byte less or another one: no panic, and places are inside of the text.
#[test]
fn texts_with_slips() {
    let signs =
        ["", "&", "!", ")", "(", "[", "]", "{", "}", "\"", "@", "0", "9", "-", "t", "/*", "\n"];
    for (index, (name, text)) in files("hoa").iter().enumerate() {
        let mut rng = Rng::new(index as u64);
        for _ in 0..300 {
            let at = rng.below(text.len());
            let (Some(before), Some(after)) = (text.get(..at), text.get(at + 1..)) else {
                continue;
            };
            let changed = format!("{before}{}{after}", rng.choose(&signs));
            complaints(&name.display().to_string(), &changed);
        }
    }
}

#[test]
fn random_automata_come_back() {
    let mut store = Store::new();
    let letters = ["a", "b", "c"].map(|name| store.proposition(name)).to_vec();
    let manager = Manager::new(Capacity::small(3)).expect("a small manager");
    let mut rng = Rng::new(4);
    for round in 0..300 {
        let automaton: Automaton = match round % 2 {
            0 => RandomTgba {
                states: rng.between(1, 5),
                marks: rng.below(4),
                propositions: letters.clone(),
                transitions: 3,
            }
            .draw(&manager, &mut rng)
            .expect("room for labels")
            .into(),
            _ => RandomAutomaton {
                words: WordKind::Infinite,
                locations: rng.between(1, 5),
                propositions: letters.clone(),
                leaves: 6,
                group: None,
            }
            .draw(&mut rng)
            .into(),
        };
        let text = written(&store, &automaton);
        let again = read_one(&mut store, &text);
        assert_eq!(again.warnings, [], "{text}");
        for _ in 0..10 {
            let word = random_word(&mut rng, &letters, WordKind::Infinite, 3, 4);
            let [one, other] = [&automaton, &again.automaton].map(|a| is_accepted(a, &word));
            assert_eq!(one, other, "{word:?} {text}");
        }
        let once = again.write(&store).expect("a small automaton");
        let twice = read_one(&mut store, &once).write(&store);
        assert_eq!(twice.as_deref(), Ok(once.as_str()));
    }
}

/// Alternating automata of formulas: initial conditions and transitions with constants,
/// conjunctions and choices.
#[test]
fn automata_of_formulas() {
    let mut store = Store::new();
    let mut texts = String::new();
    for text in ["G(a -> F b)", "(a & X !b) U (a & X b)", "F a & (G b | F c)", "a", "true", "false"]
    {
        let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
        let automaton = from_ltl(&mut store, formula, WordKind::Infinite).expect("a translation");
        let name = Some(text);
        texts += &write(&store, &trim(&automaton).into(), name).expect("a small automaton");
    }
    matches_snapshot("formulas.hoa", &texts);
    assert_eq!(read_well(&mut store, &texts).len(), 6);
}

#[test]
fn what_cannot_be_written() {
    let mut store = Store::new();
    let formula = |store: &mut Store, text: &str, words| {
        let formula = parse(store, text, Dialect::Kermode.into()).expect("a formula").formula;
        from_ltl(store, formula, words).expect("a translation")
    };
    let finite = formula(&mut store, "F a", WordKind::Finite).into();
    assert_eq!(write(&store, &finite, None), Err(Unwritable::FiniteWords));
    let parts: Vec<String> = (0..30).map(|i| format!("(F a{i} | G b{i})")).collect();
    let large = formula(&mut store, &parts.join(" & "), WordKind::Infinite).into();
    assert_eq!(write(&store, &large, None), Err(Unwritable::NoBranches(NoBranches::TooLarge)));
}

/// A label with very many products is written with an alias for each of its nodes.
#[test]
fn large_labels_become_aliases() {
    let mut store = Store::new();
    let names: Vec<String> = (0..40).map(|i| format!("p{i}")).collect();
    let letters: Vec<_> = names.iter().map(|name| store.proposition(name)).collect();
    let manager = Manager::new(Capacity::small(40)).expect("a small manager");
    let parity = manager.variables().fold(manager.bottom(), |sum, variable| {
        sum.xor(&manager.variable(variable).expect("a node")).expect("room")
    });
    let mut automaton = Tgba::new(manager, letters, 0);
    let state = automaton.add_state();
    automaton.add_initial(state);
    automaton.add_transition(state, state, parity.clone(), Marks::new());
    let text = written(&store, &automaton.into());
    assert!(
        text.contains("\nAlias: @n0 39 & f | !39 & t\n") && text.lines().count() < 100,
        "{text}"
    );
    let Automaton::Tgba(again) = read_one(&mut store, &text).automaton else { panic!("{text}") };
    let label = &again.successors(again.initial()[0])[0].label;
    assert_eq!(label.node_count(), parity.node_count());
}

/// Deep labels, long lists, and numbers for which there is no memory.
#[test]
fn large_texts() {
    let with = |label: &str, acceptance: &str| {
        format!(
            "HOA: v1 Start: 0 AP: 2 \"a\" \"b\" Acceptance: {acceptance} --BODY-- State: 0 \
             [{label}] 0 {{0}} --END--"
        )
    };
    let mut store = Store::new();
    let deep = format!("{}0{}", "!(!(1 | ".repeat(50_000), "))".repeat(50_000));
    assert_eq!(read(&mut store, &with(&deep, "1 Inf(0)")).iter().filter(|a| a.is_ok()).count(), 1);
    let open = "(".repeat(1_000_000);
    assert_eq!(read(&mut store, &with(&open, "1 Inf(0)")).iter().filter(|a| a.is_err()).count(), 1);
    for (sign, marks) in [("&", 20_000), ("|", 1)] {
        let sets: Vec<String> = (0..20_000).map(|set| format!("Inf({set})")).collect();
        let hoa = read_one(&mut store, &with("t", &format!("20000 {}", sets.join(sign))));
        let Automaton::Tgba(automaton) = hoa.automaton else { panic!("no branching") };
        assert_eq!(automaton.mark_count(), marks);
    }
    // The diagram of a label in the worst of orders.
    let pairs: Vec<String> = (0..40).map(|i| format!("{i} & {}", i + 40)).collect();
    let names: Vec<String> = (0..80).map(|i| format!("\"p{i}\"")).collect();
    let text = with(&pairs.join(" | "), "1 Inf(0)");
    let text = text.replace("AP: 2 \"a\" \"b\"", &format!("AP: 80 {}", names.join(" ")));
    let errors = read(&mut store, &text);
    assert!(
        matches!(&errors[..], [Err(errors)] if errors[0].message.contains("more memory than it may use"))
    );
    // Each clause is one of two to the power of 40.
    let pairs: Vec<String> =
        (0..40).map(|i| format!("(Inf({}) & Inf({}))", 2 * i, 2 * i + 1)).collect();
    let errors = read(&mut store, &with("t", &format!("80 {}", pairs.join("|"))));
    assert!(matches!(&errors[..], [Err(errors)] if errors[0].message.contains("too large")));
}

/// What `docs/automata.md` shows is what is read.
#[test]
fn the_documentation_is_true() {
    let documentation = include_str!("../../../docs/automata.md");
    let example = include_str!("../../../examples/fairness.hoa");
    let (_, automaton) = example.split_once('\n').expect("a comment before the automaton");
    assert!(documentation.contains(&format!("```text\n{automaton}```")));
    assert_eq!(read_one(&mut Store::new(), example).warnings, []);
}
