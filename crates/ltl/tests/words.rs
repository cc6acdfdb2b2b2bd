//! Words in and out, in all three forms, and what is said about words that are none.

use kermode_base::Diagnostic;
use kermode_base::Rng;
use kermode_ltl::random::random_word;
use kermode_ltl::word::{WordJson, read_word, to_alaska, to_spot, word_from_json, word_to_json};
use kermode_ltl::{Letter, Store, Word, WordKind};

fn letters(store: &mut Store, letters: &[&[&str]]) -> Vec<Letter> {
    let mut letter = |names: &&[&str]| names.iter().map(|name| store.proposition(name)).collect();
    letters.iter().map(&mut letter).collect()
}

#[track_caller]
fn reads(text: &str, prefix: &[&[&str]], cycle: &[&[&str]]) {
    let mut store = Store::new();
    let word = read_word(&mut store, text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let prefix = letters(&mut store, prefix);
    let cycle = letters(&mut store, cycle);
    let expected = match cycle.is_empty() {
        true => Word::finite(prefix),
        false => Word::lasso(prefix, cycle),
    };
    assert_eq!(word, expected, "{text}");
}

/// Checks that a text is refused, with this message at this part of it (its last occurrence).
#[track_caller]
fn refuses(text: &str, part: &str, message: &str) {
    let error = refusal(text);
    let start = text.rfind(part).expect("the part stands in the text");
    assert_eq!(error.span, start..start + part.len(), "{text}: {error:?}");
    assert!(error.message.contains(message), "{text}: {error:?}");
}

#[track_caller]
fn refusal(text: &str) -> Diagnostic {
    read_word(&mut Store::new(), text).expect_err(text)
}

#[test]
fn reads_alaskas_words() {
    let figure = "initial part :\n[a, !b] [a, b]\nomega loop :\n[!a, b]\n";
    reads(figure, &[&["a"], &["a", "b"]], &[&["b"]]);
    let line = "initial part: [a,!b][a, b] omega loop : [!a ,b]";
    reads(line, &[&["a"], &["a", "b"]], &[&["b"]]);
    reads("omega loop : [] [a]", &[], &[&[], &["a"]]);
    reads("initial part :\n\nomega loop :\n[true, ~~a]", &[], &[&["a"]]);
    reads("finite word : [a] [\"x y\"]", &[&["a"], &["x y"]], &[]);
    reads("finite word :\n", &[], &[]);
}

#[test]
fn reads_spots_words() {
    let text = "a & !b; b; cycle{!a; 1}";
    reads(text, &[&["a"], &["b"]], &[&[], &[]]);
    reads("cycle{a}", &[], &[&["a"]]);
    reads(" cycle { a ; b }\n", &[], &[&["a"], &["b"]]);
    reads("a;b", &[&["a"], &["b"]], &[]);
    reads("true", &[&[]], &[]);
    reads("a && b /\\ c and !d & ~e & not f", &[&["a", "b", "c"]], &[]);
    reads("(a & (!b)) & !(c) & !(!(d & e))", &[&["a", "d", "e"]], &[]);
    reads("!!a & !0 & a", &[&["a"]], &[]);
    reads("cycle; cycled", &[&["cycle"], &["cycled"]], &[]);
    reads("initial & part", &[&["initial", "part"]], &[]);
    reads(r#""a;b" & !"c" & "\"\\""#, &[&["a;b", "\"\\"]], &[]);
    reads("größe.x & _1", &[&["größe.x", "_1"]], &[]);
}

#[test]
fn reads_json() {
    let text = r#"{"prefix":[["a"],[]],"loop":[["b"]]}"#;
    reads(text, &[&["a"], &[]], &[&["b"]]);
    reads(r#" {"loop": [["b", "b"]]} "#, &[], &[&["b"]]);
    reads(r#"{"word":[["a"]]}"#, &[&["a"]], &[]);
    reads(r#"{"word":[]}"#, &[], &[]);
    reads(r#"{"word":[{"a":true,"b":false},{}]}"#, &[&["a"], &[]], &[]);
}

#[test]
fn refuses_what_is_no_word() {
    refuses("  \n", "  \n", "no word");
    refuses("", "", "no word");
    refuses("a; cycle{}", "cycle{}", "the loop is empty");
    refuses("a; cycle{ }", "cycle{ }", "the loop is empty");
    refuses("a; b & c & !b; c", "!b", "contradicts itself: `b` and `!b`");
    refuses("!a & (b & a)", "a", "contradicts itself");
    refuses("a | b", "|", "leaves a choice");
    refuses("cycle{a || b}", "||", "leaves a choice");
    refuses("a \\/ b", "\\/", "leaves a choice");
    refuses("a or b", "or", "leaves a choice");
    refuses("a -> b", "->", "leaves a choice");
    refuses("!(a & b)", "&", "a negated conjunction leaves a choice");
    refuses("a; 0", "0", "no letter satisfies");
    refuses("a; !true & b", "!true", "no letter satisfies");
    refuses("a; false", "false", "no letter satisfies");
    refuses("a; (b & c ", "(", "`(` is never closed");
    refuses("cycle{a; b", "{", "`{` is never closed");
    refuses("cycle{a; ", "{", "`{` is never closed");
    refuses("a; \"b; c", "\"", "`\"` is never closed");
    refuses("cycle{a} b", "b", "unexpected `b`");
    refuses("a b", "b", "unexpected `b`");
    refuses("a)", ")", "unexpected `)`");
    refuses("a;", "", "the word ends where a proposition should stand");
    refuses("; a", ";", "unexpected `;`");
    refuses("12 & a", "12", "no proposition");
    refuses("a & é + b", "+", "unexpected `+`");
}

#[test]
fn an_open_parenthesis_wins_over_what_follows() {
    let error = refusal("(a & b");
    assert_eq!((error.span, error.message.as_str()), (0..1, "`(` is never closed"));
    assert_eq!(refusal("(a ; b)").span, 3..4);
}

#[test]
fn refuses_what_is_no_word_of_alaska() {
    let empty = "initial part : [a] omega loop : ";
    refuses(empty, "omega loop :", "the loop is empty");
    refuses("initial part : [a]", "", "the word ends where `omega loop :`");
    refuses("[a, b]", "[", "unexpected `[`");
    refuses("omega loop [a]", "[", "unexpected `[`");
    refuses("omega loop : [a, !a]", "!a", "contradicts itself");
    refuses("omega loop : [a | b]", "|", "leaves a choice");
    refuses("omega loop : [a, b", "[", "`[` is never closed");
    refuses("omega loop : [a,", "[", "`[` is never closed");
    refuses("omega loop : [", "[", "`[` is never closed");
    refuses("omega loop : [a b]", "b", "unexpected `b`");
    refuses("omega loop : [a,]", "]", "unexpected `]`");
    refuses("omega loop : [false]", "false", "no letter satisfies");
    refuses("omega loop : [a]\nformula is SATISFIABLE", "formula", "unexpected `formula`");
    refuses("omega loop : a", "a", "unexpected `a`");
    refuses("finite word : [a] omega loop : [b]", "omega", "unexpected `omega`");
}

#[test]
fn refuses_what_is_no_word_in_json() {
    let missing_comma = "{\"loop\": [[\"a\"],\n [\"b\" 7]]}";
    refuses(missing_comma, "7", "expected `,` or `]`");
    refuses(r#"{"loop": []}"#, r#"{"loop": []}"#, "the loop is empty");
    refuses(r#"{"prefix": [["a"]]}"#, r#"{"prefix": [["a"]]}"#, "needs a `loop`");
    let both = r#"{"word": [], "loop": [[]]}"#;
    refuses(both, both, "finite");
    assert!(refusal(r#"{"lop": []}"#).message.contains("unknown field `lop`"));
    assert!(refusal(r#"{"loop": [7]}"#).message.contains("a letter"));
    assert!(refusal(r#"{"loop": [{"a": true, "a": false}]}"#).message.contains("contradicts"));
    assert!(refusal(r#"{"loop": [["a"]"#).message.contains("EOF"));
    assert!(refusal(r#"{"loop": [["a"]]} x"#).message.contains("trailing"));
}

#[test]
fn writes_every_literal() {
    let mut store = Store::new();
    let prefix = letters(&mut store, &[&["a"], &["a", "b"]]);
    let cycle = letters(&mut store, &[&["b"]]);
    let word = Word::lasso(prefix, cycle);
    let figure = "initial part :\n[a, !b] [a, b]\nomega loop :\n[!a, b]\n";
    assert_eq!(to_alaska(&store, &word, &[]), figure);
    let spot = "a & !b; a & b; cycle{!a & b}";
    assert_eq!(to_spot(&store, &word, &[]), spot);
    let json = serde_json::to_string(&word_to_json(&store, &word)).unwrap();
    assert_eq!(json, r#"{"prefix":[["a"],["a","b"]],"loop":[["b"]]}"#);
    let c = store.proposition("c d");
    let spot = r#"!"c d" & a & !b; !"c d" & a & b; cycle{!"c d" & !a & b}"#;
    assert_eq!(to_spot(&store, &word, &[c]), spot);
    let operators = Word::finite(letters(&mut store, &[&["U", "GFa", "Up"]]));
    assert_eq!(to_spot(&store, &operators, &[]), r#""U" & "GFa" & Up"#);
    let nothing = Word::lasso(Vec::new(), vec![Letter::default()]);
    assert_eq!(to_spot(&store, &nothing, &[]), "cycle{1}");
    assert_eq!(to_alaska(&store, &Word::finite(Vec::new()), &[]), "finite word :\n\n");
}

#[test]
fn what_is_written_reads_back() {
    let names = ["a", "cycle", "true", "x y", "\"\\", "1", "é", "not", "a.b", "", "\n", "or"];
    let mut rng = Rng::new(7);
    for _ in 0..5_000 {
        let mut store = Store::new();
        let propositions = names.map(|name| store.proposition(name));
        let count = rng.between(0, names.len());
        for words in [WordKind::Infinite, WordKind::Finite] {
            let word = random_word(&mut rng, &propositions[..count], words, 3, 3);
            for text in [to_alaska(&store, &word, &[]), to_spot(&store, &word, &propositions)] {
                assert_eq!(read_word(&mut store, &text).as_ref(), Ok(&word), "{text}");
            }
            let json = word_to_json(&store, &word);
            let text = serde_json::to_string(&json).unwrap();
            assert_eq!(read_word(&mut store, &text).as_ref(), Ok(&word), "{text}");
            let again: WordJson = serde_json::from_str(&text).unwrap();
            assert_eq!(word_from_json(&mut store, &again), Ok(word));
        }
    }
}

/// Spans of errors lie on characters and inside the text, whatever the text.
#[test]
fn no_text_is_too_strange() {
    let parts = [
        "a",
        "!",
        "&",
        "|",
        ";",
        "cycle",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "(",
        ")",
        "\"",
        "\\",
        "é",
        " ",
        "\n",
        "1",
        "0",
        "initial part",
        "omega loop",
        "finite word",
        "{\"loop\":",
        "[[\"a\"]]",
        "<->",
        "not",
        "∞",
    ];
    let mut rng = Rng::new(8);
    for _ in 0..200_000 {
        let text: String = (0..rng.below(9)).map(|_| rng.choose(&parts)).collect();
        if let Err(error) = read_word(&mut Store::new(), &text) {
            assert!(text.get(error.span.clone()).is_some(), "{text:?}: {error:?}");
        }
    }
}

#[test]
fn parentheses_nest_deep() {
    let depth = 1_000_000;
    let text = format!("{}a{}", "!(".repeat(depth), ")".repeat(depth));
    reads(&text, &[&["a"]], &[]);
}
