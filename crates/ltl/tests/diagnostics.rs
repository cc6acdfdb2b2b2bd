//! Diagnostics of formulas: message, place, help, and the rendered text.

use kermode_base::{Diagnostic, Severity, Source};
use kermode_ltl::dialect::parse;
use kermode_ltl::{Dialect, Store};

fn error(dialect: Dialect, text: &str) -> Diagnostic {
    match parse(&mut Store::new(), text, dialect.into()) {
        Ok(_) => panic!("{dialect:?} reads {text}"),
        Err(error) => error,
    }
}

/// Checks message, span and a part of the help; an empty part is no help at all.
#[track_caller]
fn says(dialect: Dialect, table: &[(&str, &str, [usize; 2], &str)]) {
    for (text, message, [start, end], help) in table {
        let error = error(dialect, text);
        assert_eq!(error.severity, Severity::Error);
        assert_eq!(error.message, *message, "{dialect:?} {text}");
        assert_eq!(error.span, *start..*end, "{dialect:?} {text}");
        match (&error.help, *help) {
            (None, "") => {}
            (Some(said), part) if !part.is_empty() && said.contains(part) => {}
            (said, part) => panic!("{dialect:?} {text}: the help is {said:?}, not {part}"),
        }
    }
}

#[test]
fn parentheses() {
    let closed = "this parenthesis closes nothing";
    let open = "this parenthesis is never closed";
    let end = "expected a formula, found the end";
    for dialect in Dialect::ALL {
        says(
            dialect,
            &[
                ("a)", closed, [1, 2], "remove it"),
                ("(a) ) U (b)", closed, [4, 5], "remove it"),
                ("(a", open, [0, 1], "add `)`"),
                ("((a) U b", open, [0, 1], "add `)`"),
                ("a U (b", open, [4, 5], "add `)`"),
                ("X a U (", end, [7, 7], "add `)`"),
                ("(a U", end, [4, 4], "add `)`"),
            ],
        );
    }
    let found = "expected a formula, found `)`";
    says(
        Dialect::Pltl,
        &[("()", found, [1, 2], "between the parentheses"), ("(a U )", found, [5, 6], "")],
    );
}

#[test]
fn nothing_there() {
    for dialect in Dialect::ALL {
        for text in ["", " \t", "\n\n", "# a", "-- a", "-- a\n # b"] {
            let end = text.len();
            says(dialect, &[(text, "there is no formula here", [end, end], "")]);
        }
        says(dialect, &[("a U", "expected a formula, found the end", [3, 3], "")]);
        says(dialect, &[("a U U a", "expected a formula, found `U`", [4, 5], "")]);
        says(dialect, &[("a a", "expected an operator, found `a`", [2, 3], "")]);
    }
}

#[test]
fn glued_operators() {
    let found = "expected an operator, found `a`";
    says(
        Dialect::Kermode,
        &[
            ("GF a", found, [3, 4], "write `G F`"),
            ("XX a", found, [3, 4], "write `X X`"),
            ("b Ua", "expected an operator, found `Ua`", [2, 4], "write `U a`"),
        ],
    );
    says(Dialect::Nusmv, &[("GF a", found, [3, 4], "write `G F`")]);
    says(Dialect::Pltl, &[("GF a", found, [3, 4], "write `G F`")]);
    let parsed = parse(&mut Store::new(), "u <-> !(Xu)", Dialect::Kermode.into()).unwrap();
    let [warning] = &parsed.warnings[..] else { panic!("{:?}", parsed.warnings) };
    assert_eq!(warning.severity, Severity::Warning);
    assert_eq!(warning.message, "`Xu` is read as one proposition");
    assert_eq!(warning.span, 8..10);
    assert_eq!(
        warning.help.as_deref(),
        Some("write `X u` if that is meant, or use `--syntax spot`")
    );
}

#[test]
fn comparisons() {
    let message = "a plain formula compares nothing";
    // NuSMV has propositions that compare.
    for dialect in Dialect::ALL.into_iter().filter(|dialect| *dialect != Dialect::Nusmv) {
        says(
            dialect,
            &[
                ("a = b", message, [2, 3], "<->"),
                ("a != b", message, [2, 4], "<->"),
                ("a < b", message, [2, 3], "<->"),
                ("a > b", message, [2, 3], "<->"),
            ],
        );
    }
    says(Dialect::Kermode, &[("a = b", message, [2, 3], "`\"x = 1\"`")]);
    says(Dialect::Spin, &[("a == b", message, [2, 3], "`(x == 1)`")]);
    says(Dialect::Pltl, &[("a = b", message, [2, 3], "`{x = 1}`")]);
}

/// Operators that a dialect lacks or spells differently.
#[test]
fn foreign_operators() {
    let found = |what: &str| format!("expected an operator, found `{what}`");
    says(
        Dialect::Nusmv,
        &[
            ("a W b", &found("W"), [2, 3], "`a W b` is `b V (a | b)`"),
            ("a M b", &found("M"), [2, 3], "`a M b` is `b U (a & b)`"),
            ("a R b", &found("R"), [2, 3], "write `V`"),
            ("a and b", &found("and"), [2, 5], "write `&`"),
            ("not a", &found("a"), [4, 5], "NuSMV does not have `not`: write `!`"),
            ("N a", &found("a"), [2, 3], "`N a` is `!X !a`"),
            (
                "a && b",
                "expected a formula, found `&`",
                [3, 4],
                "NuSMV does not have `&&`: write `&`",
            ),
            ("a || b", "expected a formula, found `|`", [3, 4], "write `|`"),
            ("a ^ b", "NuSMV does not have `^`", [2, 3], "write `xor`"),
            ("[]a", "NuSMV does not have `[]`", [0, 2], "write `G`"),
            (
                "a->b",
                "the `-` of this arrow belongs to the name before it",
                [1, 3],
                "put a blank before",
            ),
            ("EX a", "`EX` is a reserved word of NuSMV", [0, 2], ""),
            ("1 & a", "`1` is not a proposition", [0, 1], "write `TRUE`"),
            ("\"a\"", "NuSMV has no quoted names", [0, 1], ""),
        ],
    );
    says(
        Dialect::Pltl,
        &[
            ("a ^ b", "BLACK does not have `^`", [2, 3], "`a ^ b` is `!(a <-> b)`"),
            ("a xor b", &found("xor"), [2, 5], "`a ^ b` is `!(a <-> b)`"),
            ("N a", &found("a"), [2, 3], "write `wX`"),
            ("<>a", "BLACK does not have `<>`", [0, 2], "write `F`"),
            ("0", "`0` is not a proposition", [0, 1], "write `False`"),
            ("Int", "`Int` is a reserved word of BLACK", [0, 3], "`{Int}`"),
        ],
    );
    says(
        Dialect::Spin,
        &[
            ("a & b", "SPIN does not have `&`", [2, 3], "write `&&`"),
            ("a | b", "SPIN does not have `|`", [2, 3], "write `||`"),
            ("a W b", "SPIN does not have `W`", [2, 3], "`a W b` is `b V (a || b)`"),
            ("a R b", "SPIN does not have `R`", [2, 3], "write `V`"),
            ("G a", "SPIN does not have `G`", [0, 1], "write `[]`"),
            ("Y a", "SPIN does not have `Y`", [0, 1], "nothing like it"),
            ("a => b", "SPIN does not have `=>`", [2, 4], "write `->`"),
            ("TRUE", "SPIN does not have `TRUE`", [0, 4], "write `true`"),
            ("Ready U a", "`Ready` is not a name in SPIN", [0, 5], "`(Ready)`"),
            ("[](a /\\ b)", "Promela does not have `/\\`", [5, 7], "`&&`"),
            ("c_expr", "`c_expr` is a reserved word of SPIN", [0, 6], ""),
        ],
    );
    says(
        Dialect::Spot,
        &[
            ("Y a", &found("a"), [2, 3], "Spot does not have `Y`"),
            ("a S b", &found("S"), [2, 3], "nothing like it"),
            ("a and b", &found("and"), [2, 5], "write `&`"),
            (
                "first_match",
                "`first_match` is a reserved word of Spot",
                [0, 11],
                "`\"first_match\"`",
            ),
        ],
    );
    says(Dialect::Kermode, &[("a ∧ b", "Kermode does not have `∧`", [2, 5], "write `&`")]);
}

#[test]
fn doubtful_comments() {
    for dialect in [Dialect::Kermode, Dialect::Spin, Dialect::Pltl] {
        let message = "`-->` begins a comment";
        says(
            dialect,
            &[
                ("a --> b", message, [2, 5], "write `->`"),
                ("a U\nb --> c", message, [6, 9], "write `->`"),
            ],
        );
    }
    says(
        Dialect::Spot,
        &[
            ("a /* b", "this comment is never closed", [2, 4], ""),
            ("/* /* */ a", "this comment is never closed", [0, 2], ""),
        ],
    );
    says(Dialect::Nusmv, &[("a /-- b", "this comment is never closed", [2, 4], "")]);
}

#[test]
fn bounds() {
    says(
        Dialect::Kermode,
        &[
            ("F[3,1] a", "these bounds leave nothing between them", [2, 5], ""),
            ("a U[3,1] b", "these bounds leave nothing between them", [4, 7], ""),
            ("F[3] a", "expected `,`, found `]`", [3, 4], "`F[0,3]` for at most 3 steps"),
            ("F[5] a", "expected `,`, found `]`", [3, 4], "`F[5,5]` for exactly 5"),
            ("F[<=5] a", "expected a number, found `<`", [2, 3], "write `F[0,5]`"),
            ("F[<5] a", "expected a number, found `<`", [2, 3], "write `F[0,4]`"),
            ("a U[0:5] b", "expected `,`, found `:`", [5, 6], "write `U[0,5]`"),
            ("G[0..3] a", "expected `,`, found `.`", [3, 4], "write `G[0,3]`"),
            ("F[1,2 a", "expected `]`, found `a`", [6, 7], ""),
            ("F[1,", "expected a number, found the end", [4, 4], ""),
            ("F[1,é]", "expected a number, found `é`", [4, 6], ""),
            ("X[1,2] a", "expected `]`, found `,`", [3, 4], ""),
            ("F[0,4294967296] a", "this bound is too large", [4, 14], ""),
            ("X[99999999999999999999] a", "this bound is too large", [2, 22], ""),
            ("Y[2] a", "`Y` takes no bounds", [0, 1], ""),
            ("![2] a", "`!` takes no bounds", [0, 1], ""),
            ("a W[1,2] b", "`W` takes no bounds", [2, 3], ""),
        ],
    );
    let largest = parse(&mut Store::new(), "F[0,4294967295] a", Dialect::Kermode.into());
    assert!(largest.is_ok());
    says(Dialect::Spot, &[("F[2]a", "expected `:` and the second bound, found `]`", [3, 4], "")]);
    says(
        Dialect::Nusmv,
        &[
            ("F [3,1] a", "these bounds leave nothing between them", [3, 6], ""),
            ("F [0,2147483648] a", "this bound is too large", [5, 15], ""),
        ],
    );
    let largest = parse(&mut Store::new(), "F [0,2147483647] a", Dialect::Nusmv.into());
    assert!(largest.is_ok());
}

/// Operators as people say them.
#[test]
fn operators_in_words() {
    let found = |what: &str| format!("expected an operator, found `{what}`");
    says(
        Dialect::Kermode,
        &[
            ("always a", &found("a"), [7, 8], "write `G`"),
            ("always (a)", &found("("), [7, 8], "write `G`"),
            ("eventually a", &found("a"), [11, 12], "write `F`"),
            ("next !a", &found("!"), [5, 6], "write `X`"),
            ("a until b", &found("until"), [2, 7], "write `U`"),
            ("a implies b", &found("implies"), [2, 9], "write `->`"),
        ],
    );
    says(Dialect::Nusmv, &[("next a", "`next` is a reserved word of NuSMV", [0, 4], "write `X`")]);
    assert!(parse(&mut Store::new(), "always eventually a", Dialect::Spin.into()).is_ok());
}

#[test]
fn names_and_signs() {
    says(
        Dialect::Kermode,
        &[
            ("a & \"b c", "this quoted name is never closed", [4, 5], ""),
            ("\"a\\", "this quoted name is never closed", [0, 1], ""),
            ("2x", "`2x` is not a proposition", [0, 2], "`\"2x\"`"),
            ("a & 10", "`10` is not a proposition", [4, 6], "`\"10\"`"),
            ("é", "`é` has no place in a formula", [0, 2], ""),
            ("a & 中", "`中` has no place in a formula", [4, 7], ""),
            ("a @ b", "`@` has no place in a formula", [2, 3], ""),
            ("'a'", "`'` has no place in a formula", [0, 1], ""),
            ("a \u{0} b", "`\\0` has no place in a formula", [2, 3], ""),
            ("a \u{305}", "`\\u{305}` has no place in a formula", [2, 4], ""),
            ("a;", "a formula does not end in `;`", [1, 2], ""),
        ],
    );
    says(
        Dialect::Pltl,
        &[
            ("{a", "this quoted name is never closed", [0, 1], ""),
            ("{a\\é}", "`\\é` stands for nothing here", [2, 5], ""),
        ],
    );
}

/// What a diagnostic looks like, without its colours.
fn rendered(dialect: Dialect, text: &str) -> String {
    plain(&Source { name: "spec.ltl", text }.render(&error(dialect, text)))
}

/// The text without escape sequences.
fn plain(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('m').map_or("", |(_, rest)| rest))
}

#[test]
fn what_a_diagnostic_quotes_does_not_act_on_a_terminal() {
    let quoting = Diagnostic::error(0..1, "unknown `\u{1b}]0;title\u{7}`")
        .label("near `\u{1b}[2J`")
        .help("not\n`\r`");
    let shown = Source { name: "a\u{1b}[2J.abw", text: "b" }.render(&quoting);
    let expected = "\
error: unknown ` ]0;title `
 --> a\\u{1b}[2J.abw:1:1
  |
1 | b
  | ^ near ` [2J`
  = help: not ` `
";
    assert_eq!(plain(&shown), expected);
}

#[test]
fn snippets() {
    let expected = "\
error: a plain formula compares nothing
 --> spec.ltl:2:3
  |
2 | b = c
  |   ^ propositions are true or false, they have no values
  = help: write `<->` to say that two formulas agree; a comparison is a proposition if it is quoted (`\"x = 1\"`), and as it stands in requirement files and with `--syntax nusmv`
";
    assert_eq!(rendered(Dialect::Kermode, "a &\nb = c\n| d"), expected);
    let expected = "\
error: `first_match` is a reserved word of Spot
 --> spec.ltl:1:3
  |
1 | a first_match
  |   ^^^^^^^^^^^ no operator of linear temporal logic, and no name
  = help: quote it if it is a proposition: `\"first_match\"`
";
    assert_eq!(rendered(Dialect::Spot, "a first_match"), expected);
    // The end of the text gets a caret too.
    let expected = "\
error: expected a formula, found the end
 --> spec.ltl:1:4
  |
1 | a U
  |    ^ a formula is missing here
";
    assert_eq!(rendered(Dialect::Kermode, "a U"), expected);
}

/// The lines with the source and with the carets.
fn source_and_carets(text: &str) -> (String, String) {
    let rendered = rendered(Dialect::Kermode, text);
    let lines: Vec<&str> = rendered.lines().collect();
    let strip = |line: &str| line.split_once("| ").map_or("", |(_, rest)| rest).to_owned();
    let carets = strip(lines[4]);
    let marks = carets.rfind('^').map_or("", |end| &carets[..=end]).to_owned();
    (strip(lines[3]), marks)
}

#[test]
fn carets_stand_below_what_they_mean() {
    // Tabs are one blank wide, Chinese letters two columns, combining accents none.
    let table = [
        ("a\t&\t@", "a & @", "    ^"),
        ("\"中文\" @", "\"中文\" @", "       ^"),
        ("\"e\u{301}\" @", "\"e\u{301}\" @", "    ^"),
        ("a & 中", "a & 中", "    ^^"),
        ("a @\r\nb", "a @", "  ^"),
        ("a\u{7}@", "a @", " ^"),
    ];
    for (text, source, carets) in table {
        assert_eq!(source_and_carets(text), (source.to_owned(), carets.to_owned()), "{text:?}");
    }
    let text = "a &\r\nb @\r\n";
    let error = error(Dialect::Kermode, text);
    assert_eq!(Source { name: "x", text }.line_and_column(error.span.start), (2, 3));
}

/// Long lines are cut to a window around the caret, on both sides.
#[test]
fn long_lines_are_cut() {
    let many = "a & ".repeat(100_000);
    let text = format!("{many}@ & {many}a");
    let (source, carets) = source_and_carets(&text);
    assert!(source.starts_with('…') && source.ends_with('…'), "{source}");
    assert!(source.chars().count() < 130, "{source}");
    let column = carets.chars().count() - 1;
    assert_eq!(source.chars().nth(column), Some('@'));
    let error = error(Dialect::Kermode, &text);
    let place = Source { name: "x", text: &text }.line_and_column(error.span.start);
    assert_eq!(place, (1, 400_001));
    // A long span is cut as well.
    let name = "x".repeat(10_000);
    let (source, carets) = source_and_carets(&format!("a {name}"));
    assert!(source.chars().count() < 200 && carets.chars().count() < 200, "{source}");
}
