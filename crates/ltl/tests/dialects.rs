//! How each dialect reads: texts against their fully parenthesised reading in Kermode's own syntax.
//!
//! The readings come from the documentation and the sources of the tools, named at each table;
//! `docs/syntax.md` tells the same to users, and its tables are checked too. Diagnostics and files
//! have test crates of their own.

use kermode_base::Rng;
use kermode_ltl::dialect::{parse, write};
use kermode_ltl::{BinaryOp, Dialect, Formula, Node, Store};

mod reading;

use reading::{names, reads, refuses};

// Kermode's own syntax: the product's contract, section "Formula syntax".

#[test]
fn union_spellings() {
    let table: &[(&str, &str)] = &[
        ("~a", "!a"),
        ("not a", "!a"),
        ("a && b", "a & b"),
        ("a /\\ b", "a & b"),
        ("a and b", "a & b"),
        ("a || b", "a | b"),
        ("a \\/ b", "a | b"),
        ("a or b", "a | b"),
        ("a xor b", "a ^ b"),
        ("a => b", "a -> b"),
        ("a <=> b", "a <-> b"),
        ("()a", "X a"),
        ("X[!]a", "X a"),
        ("X [ ! ] a", "X a"),
        ("wX a", "N a"),
        ("<>a", "F a"),
        ("[]a", "G a"),
        ("[]<>a", "G F a"),
        ("a V b", "a R b"),
        ("true & True & TRUE & 1", "((1 & 1) & 1) & 1"),
        ("false | False | FALSE | 0", "((0 | 0) | 0) | 0"),
        ("X[3] a", "F[3,3] a"),
        ("N[3] a", "G[3,3] a"),
        ("X[0] a", "F[0,0] a"),
        ("F [ 1 , 2 ] a", "F[1,2] a"),
        ("G[]a", "G G a"),
        ("F []a", "F G a"),
        ("a -- the rest is silence", "a"),
        ("a # the rest is silence", "a"),
        ("# first\n-- second\na\n&\nb # third", "a & b"),
        ("--> an arrow at the start of a line begins a comment\na", "a"),
        ("\ta\r\n\u{b}& \u{c}b", "a & b"),
    ];
    reads(Dialect::Kermode, table);
    // Operators that have one spelling each are all there, and all different.
    let mut store = Store::new();
    let mut seen: Vec<Formula> = Vec::new();
    for text in [
        "a",
        "!a",
        "X a",
        "N a",
        "F a",
        "G a",
        "Y a",
        "Z a",
        "O a",
        "H a",
        "a & b",
        "a | b",
        "a ^ b",
        "a -> b",
        "a <-> b",
        "a U b",
        "a W b",
        "a R b",
        "a M b",
        "a S b",
        "a T b",
        "F[1,2] a",
        "G[1,2] a",
        "O[1,2] a",
        "H[1,2] a",
        "a U[1,2] b",
        "a R[1,2] b",
        "X[2] a",
        "N[2] a",
    ] {
        let formula = parse(&mut store, text, Dialect::Kermode.into()).unwrap().formula;
        assert!(!seen.contains(&formula), "{text}");
        seen.push(formula);
    }
}

/// Each pair of neighbouring levels in both orders, and each level with itself.
#[test]
fn union_precedence() {
    const TEMPORAL: [&str; 7] = ["U", "W", "R", "V", "M", "S", "T"];
    // From tightest; whether the level groups to the right.
    let levels: [(&[&str], bool); 6] = [
        (&TEMPORAL, true),
        (&["&"], false),
        (&["^"], false),
        (&["|"], false),
        (&["->"], true),
        (&["<->"], false),
    ];
    for (level, &(operators, right)) in levels.iter().enumerate() {
        for op in operators {
            for other in operators {
                let text = format!("a {op} b {other} c");
                let expected = match right {
                    true => format!("a {op} (b {other} c)"),
                    false => format!("(a {op} b) {other} c"),
                };
                reads(Dialect::Kermode, &[(&text, &expected)]);
            }
            for (looser, _) in &levels[level + 1..] {
                let loose = looser[0];
                let one = (format!("a {op} b {loose} c"), format!("(a {op} b) {loose} c"));
                let two = (format!("a {loose} b {op} c"), format!("a {loose} (b {op} c)"));
                reads(Dialect::Kermode, &[(&one.0, &one.1), (&two.0, &two.1)]);
            }
            for prefix in ["!", "X ", "N ", "F ", "G ", "Y ", "Z ", "O ", "H ", "F[1,2] ", "X[2] "]
            {
                let text = format!("{prefix}a {op} {prefix}{prefix}b");
                let expected = format!("({prefix}a) {op} ({prefix}({prefix}b))");
                reads(Dialect::Kermode, &[(&text, &expected)]);
            }
        }
    }
    reads(
        Dialect::Kermode,
        &[
            ("a U[1,2] b U c", "a U[1,2] (b U c)"),
            ("a & b R[0,3] c", "a & (b R[0,3] c)"),
            ("! a U b", "(!a) U b"),
            ("a -> b <-> c -> d", "(a -> b) <-> (c -> d)"),
            ("a | b ^ c & d U e", "a | (b ^ (c & (d U e)))"),
        ],
    );
}

#[test]
fn union_names() {
    names(
        Dialect::Kermode,
        &[
            ("Xu", "Xu"),
            ("GF", "GF"),
            ("aUb", "aUb"),
            ("_", "_"),
            ("_x1", "_x1"),
            ("U1", "U1"),
            ("xorb", "xorb"),
            ("TRUEx", "TRUEx"),
            ("tRUE", "tRUE"),
            ("elevator.door", "elevator.door"),
            ("a.b.1", "a.b.1"),
            ("\"a b\"", "a b"),
            ("\"X\"", "X"),
            ("\"\"", ""),
            ("\"a\\\"b\\\\c\\n\\r\\td\"", "a\"b\\c\n\r\td"),
            ("\"中 é\"", "中 é"),
            ("\"# no -- comment\"", "# no -- comment"),
        ],
    );
    refuses(
        Dialect::Kermode,
        &["a.", ".a", "a.b.", "X.a", "é", "a'", "a@b", "a[3]", "a-b", "1a", "12"],
    );
    // Operators do not stick to names: there is a warning where that looks like a mistake.
    for (text, expected) in
        [("Xu & u", 1), ("GFa", 1), ("Xu & Xu & u", 1), ("Xu & v", 0), ("FROM", 0)]
    {
        let warnings = parse(&mut Store::new(), text, Dialect::Kermode.into()).unwrap().warnings;
        assert_eq!(warnings.len(), expected, "{text}: {warnings:?}");
    }
}

// SPIN 6.5: its manual page ltl, and tl_lex.c and tl_parse.c of its sources, compiled with -DNXT as
// its makefile does.

#[test]
fn spin_precedence() {
    let table: &[(&str, &str)] = &[
        ("a U b U c", "(a U b) U c"),
        ("a V b U c", "(a R b) U c"),
        ("! a U b", "(!a) U b"),
        ("X a U b", "(X a) U b"),
        ("[] a U b", "(G a) U b"),
        ("<> a && b", "(F a) & b"),
        ("a U b && c", "(a U b) & c"),
        ("a && b U c", "a & (b U c)"),
        ("a || b && c", "(a | b) & c"),
        ("a -> b -> c", "(a -> b) -> c"),
        ("a <-> b <-> c", "(a <-> b) <-> c"),
        ("a -> b <-> c", "(a -> b) <-> c"),
        ("a <-> b -> c", "(a <-> b) -> c"),
        ("a -> b && c", "(a -> b) & c"),
        ("a || b -> c && d", "((a | b) -> c) & d"),
        ("[] a -> <> b", "(G a) -> (F b)"),
        ("a /\\ b", "a & b"),
        ("a \\/ b", "a | b"),
        ("always eventually a", "G F a"),
        ("p until q until r", "(p U q) U r"),
        ("not a", "!a"),
        ("next a", "X a"),
        ("!!a", "!!a"),
        ("!a U !b", "(!a) U (!b)"),
        ("<> (p U q)", "F (p U q)"),
        ("true U false", "1 U 0"),
        ("a # comment )\n && (b > 1 # (\n)", "a & \"b > 1 # (\""),
    ];
    reads(Dialect::Spin, table);
}

/// A parenthesis without temporal operators is Promela: `&&` binds tighter than `||` in it, and
/// what is no Boolean combination of names is one proposition (is_predicate in tl_lex.c).
#[test]
fn spin_predicates() {
    let table: &[(&str, &str)] = &[
        ("(a || b && c)", "a | (b & c)"),
        ("(a || b && c) U d", "(a | (b & c)) U d"),
        ("[](a || b && []c)", "G ((a | b) & (G c))"),
        ("[](a || b && c)", "G (a | (b & c))"),
        ("((a && b) -> c)", "(a & b) -> c"),
        ("((a || b && c) U d)", "(a | (b & c)) U d"),
        ("(true)", "true"),
        ("(1) U (0)", "true U false"),
        ("(P)", "P"),
        ("{P} U a", "P U a"),
        ("(X p)", "X p"),
        ("(a > b) U c", "\"a > b\" U c"),
        ("{a==1} U {b>2}", "\"a==1\" U \"b>2\""),
        ("[] ( len(q) == 0 )", "G \"len(q) == 0\""),
        ("(len(q))", "\"len(q)\""),
        ("(a<b)", "\"a<b\""),
        ("(p[0]@lab)", "\"p[0]@lab\""),
        // Parentheses inside of a predicate may hold a comparison and stay one proposition each.
        ("(a && (x > 1)) U b", "(a & \"x > 1\") U b"),
        ("(!(x > 1) || (y == (z + 1)))", "(!\"x > 1\") | \"y == (z + 1)\""),
        ("((x > 1) && ((y < 2) || (P)))", "\"x > 1\" & (\"y < 2\" | P)"),
        ("(a &&  # here too\n b)", "a & b"),
    ];
    reads(Dialect::Spin, table);
    // `(X)` is temporal to SPIN: no proposition has that name.
    refuses(
        Dialect::Spin,
        &["(X) || a", "{a U b}", "(a<-b)", "(U)", "()", "(a /\\ b)", "[](a => b)"],
    );
}

#[test]
fn spin_names() {
    names(
        Dialect::Spin,
        &[
            ("aUb", "aUb"),
            ("truex", "truex"),
            ("alwaysp", "alwaysp"),
            ("aU", "aU"),
            ("(Xp)", "Xp"),
            ("(_p)", "_p"),
            ("nextp", "nextp"),
        ],
    );
    reads(
        Dialect::Spin,
        &[("a Ub", "a U b"), ("(a)U(b)", "a U b"), ("a U(b)", "a U b"), ("XXp", "X X p")],
    );
    #[rustfmt::skip]
    let refused = [
        "a W b", "a R b", "a M b", "a release b", "a implies b", "a weakuntil b", "a & b", "a | b",
        "a => b", "a --> b", "a ^ b", "a xor b", "~a", "TRUE", "True", "1", "0", "P", "_p",
        "\"a\"", "a==1", "a[0]", "a.b", "F a", "G a", "a U", "a &&", "-> a", "(a", "a)", "U a",
        "[ ] p", "< > p", "a /* c */", "until", "c_expr", "a and b", "",
        // SPIN swallows one token behind a complete formula; we do not.
        "a b", "a (b)", "a !", "a ;", "aU b", "a b c", "a (b U c)",
    ];
    refuses(Dialect::Spin, &refused);
}

// NuSMV 2.6: user manual, sections 2.2.3 and 2.4.3, and the grammar of its sources (grammar.y,
// input.l).

#[test]
fn nusmv_precedence() {
    let table: &[(&str, &str)] = &[
        ("a & b | c", "(a & b) | c"),
        ("X a & b", "(X a) & b"),
        ("! a U b", "(!a) U b"),
        ("! X a U b", "(!(X a)) U b"),
        ("! ! a U b", "(!(!a)) U b"),
        ("G a U b", "(G a) U b"),
        ("X G a U F b", "(X (G a)) U (F b)"),
        ("a U b U c", "(a U b) U c"),
        ("a S b U c", "(a S b) U c"),
        ("a T b S c", "(a T b) S c"),
        ("a U b V c", "(a U b) R c"),
        ("a U G b U c", "(a U (G b)) U c"),
        ("a U Y b S c", "(a U (Y b)) S c"),
        ("a U b & c", "(a U b) & c"),
        ("a & b U c & d", "(a & (b U c)) & d"),
        ("a | b xor c", "(a | b) ^ c"),
        ("a xor b | c", "(a ^ b) | c"),
        ("a xnor b xor c", "(a <-> b) ^ c"),
        ("a xor b xnor c", "(a ^ b) <-> c"),
        ("a | b xnor c", "(a | b) <-> c"),
        ("a xnor b | c", "(a <-> b) | c"),
        ("a <-> b xnor c", "a <-> (b <-> c)"),
        ("a & b xor c & d", "(a & b) ^ (c & d)"),
        ("a -> b -> c", "a -> (b -> c)"),
        ("a <-> b <-> c", "(a <-> b) <-> c"),
        ("a <-> b -> c", "(a <-> b) -> c"),
        ("a -> b <-> c", "a -> (b <-> c)"),
        ("a -> b U c -> d", "a -> ((b U c) -> d)"),
        ("a | b <-> c | d -> a", "((a | b) <-> (c | d)) -> a"),
        ("G[0,3]a U b", "(G[0,3] a) U b"),
        ("! F [0,3] a & b", "(!(F[0,3] a)) & b"),
        ("O [ 1 , 2 ] H[0,0] a", "O[1,2] H[0,0] a"),
        ("H [1,2] a", "(H[1,2] a) & (O[2,2] true)"),
        ("! H [0,1] a S b", "(!((H[0,1] a) & (O[1,1] true))) S b"),
        ("H [0,2147483647] a", "(H[0,2147483647] a) & (O[2147483647,2147483647] true)"),
        ("TRUE & FALSE", "1 & 0"),
        ("Z a | Y O H b", "(Z a) | (Y O H b)"),
        ("a<->b", "a <-> b"),
        // The rest is a comment.
        ("a --> b", "a"),
        ("a -- b\n& c", "a & c"),
        ("a /-- b\n --/ & c", "a & c"),
    ];
    reads(Dialect::Nusmv, table);
}

#[test]
fn nusmv_names() {
    names(
        Dialect::Nusmv,
        &[
            ("a-b", "a-b"),
            ("a--b", "a--b"),
            ("a$b#c", "a$b#c"),
            ("Xa", "Xa"),
            ("GF", "GF"),
            ("R", "R"),
            ("W", "W"),
            ("true", "true"),
            ("True", "True"),
            ("Xor", "Xor"),
            ("module", "module"),
            ("elevator.door", "elevator.door"),
            ("floor[3].door", "floor[3].door"),
        ],
    );
    reads(Dialect::Nusmv, &[("a-b -> c", "\"a-b\" -> c")]);
    #[rustfmt::skip]
    let refused = [
        "F [0,-1] a", "F [0,+3] a", "F 0..3 a", "X [1,2] a", "a U [0,3] b", "X^2 a", "a R b",
        "a W b", "a M b", "a && b", "a || b", "a => b", "a <=> b", "a ^ b", "~ a", "not a",
        "a and b", "GF a", "next(a)", "EX a", "a BU 0..3 b", "1 & a", "F [3,1] a", "G a ? b : c",
        "(F a) = b", "a;;", "a->b", "\"a\"", "MODULE", "self", "in", "case", "", "a = F", "a + b",
        "P a", "F", "X[2] a",
    ];
    refuses(Dialect::Nusmv, &refused);
}

// BLACK: docs/syntax.rst ("Input syntax"), and lex.cpp and parser.cpp of its sources.

#[test]
fn pltl_precedence() {
    let table: &[(&str, &str)] = &[
        // docs/syntax.rst
        ("p && q || r", "(p & q) | r"),
        ("p & q <-> r", "p & (q <-> r)"),
        ("F p && q", "(F p) & q"),
        // parser.cpp
        ("a | b & c", "a | (b & c)"),
        ("a & b -> c", "a & (b -> c)"),
        ("a -> b & c", "(a -> b) & c"),
        ("a -> b -> c", "(a -> b) -> c"),
        ("a <-> b -> c", "(a <-> b) -> c"),
        ("a -> b <-> c", "(a -> b) <-> c"),
        ("a U b U c", "(a U b) U c"),
        ("a U b S c", "(a U b) S c"),
        ("a & b U c", "a & (b U c)"),
        ("a U b & c", "(a U b) & c"),
        ("a U b -> c", "(a U b) -> c"),
        ("a -> b U c -> d", "a -> ((b U c) -> d)"),
        ("a & b U c & d", "a & ((b U c) & d)"),
        ("a | b & c | d", "a | ((b & c) | d)"),
        ("a & b & c -> d & e", "(a & b) & ((c -> d) & e)"),
        // These differ from the table in the documentation.
        ("a -> b U c & d", "a -> ((b U c) & d)"),
        ("a & b U c | d", "a & ((b U c) | d)"),
        ("a & b -> c | d", "a & ((b -> c) | d)"),
        ("a | b -> c U d & e", "a | (b -> ((c U d) & e))"),
        ("!a U b", "(!a) U b"),
        ("! X a U b", "(!(X a)) U b"),
        ("G a U b", "(G a) U b"),
        ("Z a S b", "(Z a) S b"),
        ("X(a)U(b)", "(X a) U b"),
        ("NOT a AND b OR c THEN d IFF e", "((!a) & b) | ((c -> d) <-> e)"),
        ("a => b <=> c", "(a -> b) <-> c"),
        ("a V b", "a R b"),
        ("~wX a W b M c", "((!(N a)) W b) M c"),
        ("True | False", "1 | 0"),
    ];
    reads(Dialect::Pltl, table);
}

#[test]
fn pltl_names() {
    names(
        Dialect::Pltl,
        &[
            ("true", "true"),
            ("TRUE", "TRUE"),
            ("{p}", "p"),
            ("{X}", "X"),
            ("{a b}", "a b"),
            ("{}", ""),
            ("{a\\}b\\\\{\n}", "a}b\\{\n"),
            ("Xa", "Xa"),
            ("not", "not"),
        ],
    );
    reads(Dialect::Pltl, &[("{X} & {a b}", "\"X\" & \"a b\"")]);
    #[rustfmt::skip]
    let refused = [
        // BLACK's own tests
        "F", "F(p U)", "p || q &&", "(p && q", "(", "p 42", "x % 1",
        // lex.cpp and parser.cpp
        "GF a", "a xor b", "a ^ b", "a and b", "not a", "P a", "wY a", "1", "a // b", "a b", "a)",
        "", "Int", "next", "p(q)", "p (q)", "a = b", "a != b", "a < b", "a <- b", "\"a\"", "{a",
        "{a\\x}", "F[1,2] a", "()a", "[]a", "forall", "distinct",
    ];
    refuses(Dialect::Pltl, &refused);
}

/// BLACK's parser as its source has it, for texts of names and infix operators: `binary_rhs` calls
/// itself with the next larger number, not with the level of the operator.
struct Black<'a> {
    tokens: &'a [(BinaryOp, u32, Formula)],
    at: usize,
}

impl Black<'_> {
    fn next_level(&self) -> Option<u32> {
        self.tokens.get(self.at).map(|&(_, level, _)| level)
    }

    fn binary_rhs(&mut self, level: u32, mut left: Formula, store: &mut Store) -> Formula {
        while let Some(next) = self.next_level().filter(|&next| next >= level) {
            let (op, _, mut right) = self.tokens[self.at];
            self.at += 1;
            if self.next_level().is_some_and(|after| next < after) {
                right = self.binary_rhs(level + 1, right, store);
            }
            left = store.intern(Node::Binary(op, left, right));
        }
        left
    }
}

#[test]
fn pltl_groups_like_blacks_parser() {
    let operators = [
        ("|", BinaryOp::Or, 20),
        ("&", BinaryOp::And, 30),
        ("->", BinaryOp::Implies, 40),
        ("<->", BinaryOp::Iff, 40),
        ("U", BinaryOp::Until, 50),
        ("S", BinaryOp::Since, 50),
    ];
    let mut rng = Rng::new(0xb1ac);
    for round in 0..5_000 {
        let mut store = Store::new();
        let first = store.named("p");
        let mut text = "p".to_owned();
        // Long chains of tighter and tighter pairs get beyond the numbers of the levels.
        let length = if round % 10 == 0 { rng.between(40, 200) } else { rng.between(1, 12) };
        let mut tokens = Vec::new();
        for i in 0..length {
            let range = if round % 20 == 0 { 2 * (i % 2)..2 * (i % 2) + 2 } else { 0..6 };
            let (sign, op, level) = operators[rng.between(range.start, range.end - 1)];
            let name = rng.choose(&["a", "b", "c"]);
            text += &format!(" {sign} {name}");
            tokens.push((op, level, store.named(name)));
        }
        let mut black = Black { tokens: &tokens, at: 0 };
        let expected = black.binary_rhs(0, first, &mut store);
        assert_eq!(black.at, tokens.len());
        let read = parse(&mut store, &text, Dialect::Pltl.into()).unwrap().formula;
        assert_eq!(read, expected, "{text}");
    }
}

#[test]
fn written_forms() {
    let table: [(&str, [&str; 5]); 6] = [
        (
            "G (a -> X b)",
            ["G(a -> X b)", "G(a -> X b)", "[](a -> X b)", "G(a -> X b)", "G(a -> X b)"],
        ),
        (
            "a & b & c | d",
            [
                "a & b & c | d",
                "a & b & c | d",
                "(a && b && c) || d",
                "a & b & c | d",
                "(a & b & c) | d",
            ],
        ),
        ("a U (b U c)", ["a U b U c", "a U b U c", "a U (b U c)", "a U (b U c)", "a U (b U c)"]),
        ("(a U b) U c", ["(a U b) U c", "(a U b) U c", "(a U b) U c", "a U b U c", "(a U b) U c"]),
        (
            "!!a <-> true",
            ["!!a <-> true", "!!a <-> 1", "!!a <-> true", "!!a <-> TRUE", "!!a <-> True"],
        ),
        ("a R b", ["a R b", "a R b", "a V b", "a V b", "a R b"]),
    ];
    for (text, expected) in table {
        let mut store = Store::new();
        let formula = parse(&mut store, text, Dialect::Kermode.into()).unwrap().formula;
        for (dialect, expected) in Dialect::ALL.into_iter().zip(expected) {
            assert_eq!(write(&store, formula, dialect.into()).as_deref(), Ok(expected));
        }
    }
}

/// Every reserved word of a dialect is refused as a name, and written in quotes if there are any.
#[test]
fn reserved_words() {
    let table: [(Dialect, &[&str], [&str; 2]); 4] = [
        (Dialect::Kermode, &["true", "TRUE", "not", "xor", "X", "wX", "T", "1"], ["\"", "\""]),
        (Dialect::Spot, &["true", "TrUe", "F", "M", "xor", "first_match", "FALSEx"], ["\"", "\""]),
        (Dialect::Pltl, &["True", "NOT", "THEN", "wX", "to_int", "wprev", "T"], ["{", "}"]),
        (
            Dialect::Nusmv,
            &["TRUE", "xnor", "X", "MODULE", "boolean", "BU", "Integer", "mod"],
            ["", ""],
        ),
    ];
    for (dialect, words, [open, close]) in table {
        for word in words {
            let mut store = Store::new();
            let atom = store.named(word);
            let read = parse(&mut store, word, dialect.into());
            assert!(
                read.is_err() || read.is_ok_and(|read| read.formula != atom),
                "{dialect:?} {word}"
            );
            let written = write(&store, atom, dialect.into());
            match open {
                "" => assert!(written.is_err(), "{dialect:?} {word}"),
                _ => assert_eq!(written, Ok(format!("{open}{word}{close}"))),
            }
        }
    }
}

/// The tables of `docs/syntax.md` with the columns *text* and *reading*.
#[test]
fn documented_readings() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/syntax.md");
    let page = std::fs::read_to_string(path).unwrap();
    let mut dialect = None;
    let mut in_table = false;
    let mut checked = 0;
    for line in page.lines() {
        if line.starts_with("## ") {
            let named = |d: &Dialect| line.contains(&format!("`--syntax {}`", d.name()));
            dialect = Dialect::ALL.into_iter().find(named);
        }
        in_table = line == "| text | reading |" || in_table && line.starts_with('|');
        let row = line.strip_prefix("| `").and_then(|row| row.strip_suffix(" |"));
        let (true, Some(row)) = (in_table, row) else { continue };
        let (text, reading) = row.split_once("` | ").expect("two columns");
        let [text, reading] = [text, reading].map(|cell| cell.replace("\\|", "|"));
        let dialect = dialect.expect("a table belongs to a dialect");
        match reading.as_str() {
            "error" => refuses(dialect, &[&text]),
            reading => reads(dialect, &[(&text, reading.trim_matches('`'))]),
        }
        checked += 1;
    }
    assert!(checked > 50, "only {checked} rows were found");
}
