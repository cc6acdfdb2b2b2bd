//! How Spot reads: texts against their fully parenthesised reading in Kermode's own syntax.

mod reading;

use kermode_ltl::dialect::parse;
use kermode_ltl::semantics::naive;
use kermode_ltl::{Dialect, Letter, Store, Syntax, Word, WordKind};
use reading::{names, reads, reads_in, refuses};

const FINITE: WordKind = WordKind::Finite;

// Spot: "Spot's Temporal Logic Formulas" (tl.pdf), its scanner scantl.ll and grammar parsetl.yy,
// and its tests sugar.test, equals.test, parseerr.test and ltlf.test.

#[test]
fn spot_precedence() {
    let table: &[(&str, &str)] = &[
        // parsetl.yy
        ("! a U b", "(!a) U b"),
        ("X a U b", "(X a) U b"),
        ("F a U b", "(F a) U b"),
        ("a U b & c", "(a U b) & c"),
        ("a -> b <-> c", "a -> (b <-> c)"),
        ("a <-> b -> c", "a <-> (b -> c)"),
        ("a & b | c ^ d", "(a & b) | (c ^ d)"),
        // tl.pdf's table of precedence has `xor` looser than `or`; the parser does not.
        ("a ^ b | c", "(a ^ b) | c"),
        ("a | b ^ c", "a | (b ^ c)"),
        ("a R b U c", "a R (b U c)"),
        ("a W b M c", "a W (b M c)"),
        ("a xor b xor c", "(a ^ b) ^ c"),
        ("a & b ^ c & d", "(a & b) ^ (c & d)"),
        ("a U b * c", "(a U b) & c"),
        ("a|b->c&d<->e", "(a | b) -> ((c & d) <-> e)"),
        ("a /\\ b \\/ c", "(a & b) | c"),
        ("a + b * c", "a | (b & c)"),
        // tl.pdf, "Operator precedence"
        ("a U b U c", "a U (b U c)"),
        ("a -> b -> c", "a -> (b -> c)"),
        ("a <-> b <-> c", "a <-> (b <-> c)"),
    ];
    reads(Dialect::Spot, table);
}

#[test]
fn spot_spellings() {
    let table: &[(&str, &str)] = &[
        ("~a", "!a"),
        ("¬a", "!a"),
        ("a && b", "a & b"),
        ("a ∧ b ∩ c", "(a & b) & c"),
        ("a || b", "a | b"),
        ("a ∨ b ∪ c", "(a | b) | c"),
        ("a ⊕ b", "a ^ b"),
        ("a => b", "a -> b"),
        ("a --> b", "a -> b"),
        ("a → b ⟶ c ⇒ d ⟹ e", "a -> (b -> (c -> (d -> e)))"),
        ("a <=> b", "a <-> b"),
        ("a <--> b", "a <-> b"),
        ("a ↔ b ⇔ c", "a <-> (b <-> c)"),
        ("()a", "X a"),
        ("○◯a", "X X a"),
        ("<>a", "F a"),
        ("◇⋄♢a", "F F F a"),
        ("[]a", "G a"),
        ("□⬜◻a", "G G G a"),
        ("a V b", "a R b"),
        ("1", "true"),
        ("0", "false"),
        // tl.pdf, "Boolean Constants": any case.
        ("tRuE & FALSE", "true & false"),
        ("Xtrue", "X true"),
        ("XTRUE", "X true"),
        ("Xfalse1", "X false1"),
        // sugar.test
        ("Ga=1*Gb=0", "(G a) & (G !b)"),
        ("F[]a|G[]b|X[]c", "((F G a) | (G G b)) | (X G c)"),
        // scantl.ll
        ("p=0UFXp=1", "(!p) U (F X p)"),
        ("a=1Ub=0", "a U (!b)"),
        ("\"a b\"=0", "!\"a b\""),
        ("a =0", "!a"),
        ("a\u{305} & b\u{304}", "(!a) & (!b)"),
        // Comments nest.
        ("a /* /* n */ */ U b", "a U b"),
        ("/** x */ a", "a"),
    ];
    reads(Dialect::Spot, table);
}

#[test]
fn spot_names_and_glue() {
    let table: &[(&str, &str)] = &[
        // tl.pdf, "Atomic Propositions"
        ("GFa", "G F a"),
        ("FINISHED", "F INISHED"),
        ("FX100", "F X100"),
        ("FFG__GFF", "F F G __GFF"),
        // scantl.ll
        ("GF1", "G F1"),
        ("X 0", "X false"),
        ("X(0)", "X false"),
        ("a Ub", "a U b"),
        ("a U Ub", "a U Ub"),
        ("(a)Ub", "a U b"),
        ("\"a\"Ub", "a U b"),
        ("a UGb", "a U G b"),
        ("(a)xor b", "a ^ b"),
        ("(1)Ua", "true U a"),
        ("1 U a", "true U a"),
    ];
    reads(Dialect::Spot, table);
    names(
        Dialect::Spot,
        &[
            ("aUb", "aUb"),
            ("F100ZX", "F100ZX"),
            ("F0", "F0"),
            ("X0", "X0"),
            ("a.b", "a.b"),
            ("_x", "_x"),
            (".", "."),
            ("Ub", "Ub"),
            ("M1", "M1"),
            ("xorb", "xorb"),
            ("true1", "true1"),
            ("falsey", "falsey"),
            ("tt", "tt"),
            ("\"\"", ""),
            ("\"\\n\\\"\\\\\"", "n\"\\"),
            ("\"first_match\"", "first_match"),
        ],
    );
    #[rustfmt::skip]
    let refused = [
        "FG", "U", "xor", "first_match", "FALSEx", "1Ua", "1 Ua", "10", "1a", "( )a", "[ ]a",
        "< >a", "a = 1", "a= 1", "a==1", "a=2", "a=10", "(a)=0", "true=1", "a U /**/ b", "a - b",
        "a@b", "a // x", "a U", "a b", "a &&& b", "a xorb", "aU b", "a U U", "a |-> b", "a;b",
        "a:b", "", "Y a", "a S b", "é", "a'",
    ];
    refuses(Dialect::Spot, &refused);
}

/// sugar.test and the rules of parsetl.yy: what Spot accepts in brackets.
#[test]
fn spot_bounds() {
    let table: &[(&str, &str)] = &[
        ("F[2:4]a", "F[2,4] a"),
        ("F[4:2]a", "F[2,4] a"),
        ("F[2..4]a", "F[2,4] a"),
        ("F[2,4]a", "F[2,4] a"),
        ("F[2to4]a", "F[2,4] a"),
        ("F [ 2 : 4 ] a", "F[2,4] a"),
        ("G[2:3]a", "G[2,3] a"),
        ("X [4]a | b", "(X[4] a) | b"),
        ("X[!]a", "X a"),
        ("X[2!]a", "X[2] a"),
        ("F[2:]a", "X[2] F a"),
        ("F[2:$]a", "X[2] F a"),
        ("G[2..inf]a", "X[2] G a"),
        ("F[1:2] a U b", "(F[1,2] a) U b"),
        ("F[0:254]a", "F[0,254] a"),
        // On infinite words strong and weak are the same.
        ("F[2:4!]a", "F[2,4] a"),
        ("F[2:$!]a", "X[2] F a"),
        ("X[255]a", "X[255] a"),
        ("F[1:4294967295]a", "F[1,4294967295] a"),
        ("G [2..3!] a", "G[2,3] a"),
        ("G[2:3 !]a", "G[2,3] a"),
    ];
    reads(Dialect::Spot, table);
    #[rustfmt::skip]
    let refused = [
        "F[2]a", "G[4!]a", "F[2!]a", "X[2:4]a", "F[3:1]", "F[:3]a", "F[..3]a", "X[!2]a",
        "F[!2:3]a", "X[4294967296]a", "F[2:3! ]a", "X[! ]a", "X[ ! ]a", "<>[1:2]a",
        "[][1:2]a", "()[2]a", "a U[1:2] b", "F[1:2", "F[1:2a",
    ];
    refuses(Dialect::Spot, &refused);
}

/// On finite words `X` is weak, `X[!]` strong, and so are bounds without and with `!` (ltlf.test).
#[test]
fn spot_on_finite_words() {
    let table: &[(&str, &str)] = &[
        ("Xa", "N a"),
        ("()a", "N a"),
        ("○a", "N a"),
        ("X[!]a", "X a"),
        ("X[2]a", "N[2] a"),
        ("X[2!]a", "X[2] a"),
        ("F[1:2!]a", "F[1,2] a"),
        ("G[1:2]a", "G[1,2] a"),
        ("F[1:2]a", "N (a | N a)"),
        ("F[0:2]a", "a | N (a | N a)"),
        ("G[1:2!]a", "X (a & X a)"),
        ("F[2:]a", "N[2] F a"),
        ("F[2:!]a", "X[2] F a"),
        ("G[2:$]a", "N[2] G a"),
        ("G[2:$!]a", "X[2] G a"),
        ("a U X b", "a U N b"),
    ];
    reads_in(Dialect::Spot, FINITE, table);
}

/// The bounded operators mean what Spot writes them out as, on every finite word up to six letters.
#[test]
fn spot_bounds_mean_what_spot_writes_out() {
    let infinite = [
        ("F[2:4]a", "X X (a | X (a | X a))"),
        ("G[2:4]a", "X X (a & X (a & X a))"),
        ("F[1:]a", "X F a"),
        ("G[1:]a", "X G a"),
        ("X[3]a", "X X X a"),
    ];
    for (text, written_out) in infinite {
        let weak = written_out.replace('X', "N");
        let strong_text = match text {
            "X[3]a" => "X[3!]a".to_owned(),
            text => text.replace(']', "!]"),
        };
        for (text, written_out) in [(text, &weak), (&strong_text, &written_out.to_owned())] {
            let mut store = Store::new();
            let syntax = Syntax { dialect: Dialect::Spot, words: FINITE };
            let read = parse(&mut store, text, syntax).unwrap().formula;
            let kermode = parse(&mut store, written_out, Dialect::Kermode.into()).unwrap().formula;
            let a = store.proposition("a");
            for length in 1..=6 {
                for bits in 0..1u32 << length {
                    let holds = |i: u32| (bits >> i & 1 == 1).then_some(a);
                    let letters: Vec<Letter> =
                        (0..length).map(|i| holds(i).into_iter().collect()).collect();
                    let word = Word::finite(letters);
                    assert_eq!(
                        naive::satisfies(&store, read, &word),
                        naive::satisfies(&store, kermode, &word),
                        "{text} and {written_out} on {bits:b} of {length}"
                    );
                }
            }
        }
    }
}
