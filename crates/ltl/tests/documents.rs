//! Whole inputs: formulas line by line, requirement files, one formula over many lines, and what is
//! wrong with them, all of it at once.

use kermode_base::{Severity, Source};
use kermode_ltl::dialect::{Document, DocumentKind, ReadMode, parse, read_document, write};
use kermode_ltl::{Dialect, Store, Syntax};

fn read(store: &mut Store, text: &str, mode: ReadMode) -> Document {
    read_document(store, text, Dialect::Kermode.into(), mode)
}

/// Names, lines and formulas against what they should be; a formula that could not be read is `?`.
#[track_caller]
fn has(text: &str, mode: ReadMode, kind: DocumentKind, expected: &[(Option<&str>, usize, &str)]) {
    let mut store = Store::new();
    let document = read(&mut store, text, mode);
    assert_eq!(document.kind, kind, "{text:?}");
    assert_eq!(document.entries.len(), expected.len(), "{text:?}: {document:?}");
    for (entry, (name, line, formula)) in document.entries.iter().zip(expected) {
        assert_eq!(entry.name.as_deref(), *name, "{text:?}");
        assert_eq!(entry.line, *line, "{text:?}");
        let formula = match *formula {
            "?" => None,
            text => parse(&mut store, text, Dialect::Kermode.into()).ok().map(|read| read.formula),
        };
        assert_eq!(entry.formula.ok(), formula, "{text:?} line {line}");
        let source = Source { name: "x", text };
        assert_eq!(source.line_and_column(entry.span.start).0, *line);
    }
    let broken = expected.iter().any(|(_, _, formula)| *formula == "?");
    assert_eq!(document.is_sound(), !broken, "{:?}", document.diagnostics);
}

/// The messages with the line and column of each.
fn findings(text: &str, mode: ReadMode) -> Vec<(usize, usize, String)> {
    let document = read(&mut Store::new(), text, mode);
    let place = |byte| Source { name: "x", text }.line_and_column(byte);
    let finding = |d: &kermode_base::Diagnostic| {
        let (line, column) = place(d.span.start);
        (line, column, d.message.clone())
    };
    document.diagnostics.iter().map(finding).collect()
}

#[test]
fn one_formula_a_line() {
    use DocumentKind::Formulas;
    let lines = ReadMode::Lines;
    has("a\nG b\n", lines, Formulas, &[(None, 1, "a"), (None, 2, "G b")]);
    has("a", lines, Formulas, &[(None, 1, "a")]);
    has("", lines, Formulas, &[]);
    has("\n \n# x\n  -- y: z\n--> a\n", lines, Formulas, &[]);
    let text = "# first\r\n\r\na & b # why\r\n  -- x: y\r\n\tX c -- because\r\n";
    has(text, lines, Formulas, &[(None, 3, "a & b"), (None, 5, "X c")]);
    has("a\n(b\nc", lines, Formulas, &[(None, 1, "a"), (None, 2, "?"), (None, 3, "c")]);
}

#[test]
fn requirement_files() {
    use DocumentKind::Requirements;
    let lines = ReadMode::Lines;
    let text = "# requirements\n\nr1: G a\n  R.2-b : F b # c: d\n3 :X c\r\nü: d\n_x:e";
    let expected = [
        (Some("r1"), 3, "G a"),
        (Some("R.2-b"), 4, "F b"),
        (Some("3"), 5, "X c"),
        (Some("ü"), 6, "d"),
        (Some("_x"), 7, "e"),
    ];
    has(text, lines, Requirements, &expected);
    has("a: b & (\nc: d", lines, Requirements, &[(Some("a"), 1, "?"), (Some("c"), 2, "d")]);
    has("a:", lines, Requirements, &[(Some("a"), 1, "?")]);
}

/// A colon alone makes no requirement: Spot's bounds and SPIN's predicates have some.
#[test]
fn colons_in_formulas() {
    let mut store = Store::new();
    for (dialect, text) in [(Dialect::Spot, "F[2:4]a\nG[1:]b"), (Dialect::Spin, "(x -> y : z)\n")] {
        let document = read_document(&mut store, text, dialect.into(), ReadMode::Lines);
        assert_eq!(document.kind, DocumentKind::Formulas, "{text}");
    }
    let spot = Syntax::from(Dialect::Spot);
    let document = read_document(&mut store, "r: F[2:4]a", spot, ReadMode::Lines);
    assert_eq!(document.kind, DocumentKind::Requirements);
    assert!(document.is_sound());
}

#[test]
fn whole_texts() {
    use DocumentKind::Formulas;
    let whole = ReadMode::Whole;
    has("G (a ->\n  # because\n  F b)\n\n", whole, Formulas, &[(None, 1, "G (a -> F b)")]);
    has("a\nb", whole, Formulas, &[(None, 1, "?")]);
    has("", whole, Formulas, &[(None, 1, "?")]);
    let expected = vec![(3, 3, "`@` has no place in a formula".to_owned())];
    assert_eq!(findings("a &\nb &\n  @", whole), expected);
}

#[test]
fn everything_wrong_is_reported_together() {
    let text = "a & (b\nX c\nGF a\n# @\nd @ e\n";
    let expected = [
        (1, 5, "this parenthesis is never closed"),
        (3, 4, "expected an operator, found `a`"),
        (5, 3, "`@` has no place in a formula"),
    ];
    let expected: Vec<_> = expected.map(|(l, c, m)| (l, c, m.to_owned())).into();
    assert_eq!(findings(text, ReadMode::Lines), expected);
    let text = "r1: a & \nr2: b =)\n";
    let expected =
        [(1, 9, "expected a formula, found the end"), (2, 7, "a plain formula compares nothing")];
    let expected: Vec<_> = expected.map(|(l, c, m)| (l, c, m.to_owned())).into();
    assert_eq!(findings(text, ReadMode::Lines), expected);
}

#[test]
fn names_twice() {
    let text = "a: x\nb: y\n  a : z\nb: w";
    let expected =
        [(3, 3, "requirement `a` is there twice"), (4, 1, "requirement `b` is there twice")];
    let expected: Vec<_> = expected.map(|(l, c, m)| (l, c, m.to_owned())).into();
    assert_eq!(findings(text, ReadMode::Lines), expected);
    let document = read(&mut Store::new(), text, ReadMode::Lines);
    assert!(!document.is_sound());
    assert_eq!(document.diagnostics[0].label, "line 1 has that name already");
    assert_eq!(&text[document.diagnostics[0].span.clone()], "a");
}

#[test]
fn mixtures() {
    let named = "a named requirement among formulas without names".to_owned();
    assert_eq!(findings("a\nr: b\nc", ReadMode::Lines), [(2, 1, named)]);
    let unnamed = "a formula without a name in a requirement file".to_owned();
    let text = "# x\nr: a\n& b\ns: c\nd\n";
    assert_eq!(findings(text, ReadMode::Lines), [(3, 1, unnamed.clone()), (5, 1, unnamed)]);
    let document = read(&mut Store::new(), text, ReadMode::Lines);
    assert_eq!(document.entries.len(), 2);
    assert!(document.diagnostics.iter().all(|d| d.help.is_some()));
}

#[test]
fn warnings_do_not_make_a_text_unsound() {
    let text = "r1: G u\nr2: Xu & u\n";
    let document = read(&mut Store::new(), text, ReadMode::Lines);
    assert!(document.is_sound());
    let [warning] = &document.diagnostics[..] else { panic!("{:?}", document.diagnostics) };
    assert_eq!(warning.severity, Severity::Warning);
    assert_eq!(&text[warning.span.clone()], "Xu");
}

#[test]
fn requirements_are_one_conjunction_if_all_can_be_read() {
    let mut store = Store::new();
    let mut read = |text: &str| {
        let document = read_document(&mut store, text, Dialect::Kermode.into(), ReadMode::Lines);
        let all = document.conjunction(&mut store);
        all.map(|all| write(&store, all, Dialect::Kermode.into()).expect("a text"))
    };
    assert_eq!(read("one: G a\ntwo: F b\nthree: c").as_deref(), Some("G a & F b & c"));
    assert_eq!(read("one: G a\ntwo: F"), None);
    assert_eq!(read("one: G a\none: F b"), None);
    assert_eq!(read("# none"), None);
}

#[test]
fn names_as_people_write_them() {
    let text = "[G-02b]: a\nFSM 1: b\nLM-012: c;\n";
    let document = read(&mut Store::new(), text, ReadMode::Lines);
    assert!(document.is_sound(), "{:?}", document.diagnostics);
    let names: Vec<_> = document.entries.iter().filter_map(|e| e.name.as_deref()).collect();
    assert_eq!(names, ["G-02b", "FSM 1", "LM-012"]);
}

#[test]
fn requirements_go_on_over_lines() {
    let text = "a: G(x ->\n     F y)\n\n# why\n\n  & z -- because\nb: F\n(x\n);\nc: y; -- done\n";
    let mut store = Store::new();
    let document = read(&mut store, text, ReadMode::Lines);
    assert!(document.is_sound(), "{:?}", document.diagnostics);
    let formulas: Vec<String> = document
        .entries
        .iter()
        .map(|e| write(&store, e.formula.unwrap(), Dialect::Kermode.into()).unwrap())
        .collect();
    assert_eq!(formulas, ["G(x -> F y) & z", "F x", "y"]);
    let lines: Vec<usize> = document.entries.iter().map(|entry| entry.line).collect();
    assert_eq!(lines, [1, 7, 10]);
    let expected = vec![(3, 3, "`@` has no place in a formula".to_owned())];
    assert_eq!(findings("a: x &\n  y\n  @", ReadMode::Lines), expected);
    assert!(findings("x;\ny ; # done\n", ReadMode::Lines).is_empty());
    let mixture = read(&mut Store::new(), "a: x\ny\n", ReadMode::Lines);
    assert_eq!(mixture.kind, DocumentKind::Mixture);
}

#[test]
fn operators_glued_to_a_name_are_noticed_in_the_whole_file() {
    let found = findings("r: G Fb\ns: F b\n", ReadMode::Lines);
    assert_eq!(found, [(1, 6, "`Fb` is read as one proposition".to_owned())]);
}
