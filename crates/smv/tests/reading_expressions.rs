//! Expressions: precedence and associativity of all operators, literals, kinds of expressions, and
//! nesting of any depth.

use kermode_smv::syntax::{
    Expression, ExpressionKind, File, NodeId, ReadOptions, Syntax, parse, parse_expression,
};

/// The expression with all parentheses and with the names of its operators.
fn show(file: &File, node: NodeId) -> String {
    let of = |node| show(file, node);
    let list = |list| {
        let shown: Vec<String> = file.list(list).iter().map(|&node| of(node)).collect();
        shown.join(", ")
    };
    let bounds = |index: u32| {
        let (low, high) = file.bounds[index as usize];
        format!("{low}..{high}")
    };
    match file.node(node) {
        Syntax::Boolean(value) => value.to_string().to_uppercase(),
        Syntax::Integer(value) => value.to_string(),
        Syntax::Word(index) => {
            let word = file.words[index as usize];
            format!("{}{}_{}", if word.signed { 's' } else { 'u' }, word.width, word.bits)
        }
        Syntax::Name(name) => file.names.text(name).to_owned(),
        Syntax::SelfInstance => "self".to_owned(),
        Syntax::Component(a, name) => format!("{}.{}", of(a), file.names.text(name)),
        Syntax::Index(a, b) => format!("{}[{}]", of(a), of(b)),
        Syntax::Bits(a, b, c) => format!("{}[{}:{}]", of(a), of(b), of(c)),
        Syntax::Range(low, high) => format!("<{low}..{high}>"),
        Syntax::Set(elements) => format!("{{{}}}", list(elements)),
        Syntax::Array(elements) => format!("[{}]", list(elements)),
        Syntax::Count(elements) => format!("count({})", list(elements)),
        Syntax::Case(elements) => format!("case({})", list(elements)),
        Syntax::Unary(operator, a) => format!("{operator:?}({})", of(a)),
        Syntax::BoundedUnary(operator, a, b) => format!("{operator:?}[{}]({})", bounds(b), of(a)),
        Syntax::Binary(operator, a, b) => format!("({} {operator:?} {})", of(a), of(b)),
        Syntax::BoundedBinary(operator, a, b, c) => {
            format!("({} {operator:?}[{}] {})", of(a), bounds(c), of(b))
        }
        Syntax::Conditional(a, b, c) => format!("({} ? {} : {})", of(a), of(b), of(c)),
        Syntax::Error => "error".to_owned(),
    }
}

fn read(text: &str, kind: ExpressionKind) -> Result<String, String> {
    let mut file = File::default();
    match parse_expression(text, kind, &ReadOptions::default(), &mut file) {
        Ok(Expression { root, .. }) => Ok(show(&file, root)),
        Err(errors) => Err(errors[0].message.clone()),
    }
}

/// Reads with the first kind that has the operators of the text.
fn shape(text: &str) -> String {
    let kinds = [ExpressionKind::Ltl, ExpressionKind::Ctl];
    let results: Vec<_> = kinds.iter().map(|&kind| read(text, kind)).collect();
    match results.iter().find_map(|result| result.as_ref().ok()) {
        Some(shown) => shown.clone(),
        None => panic!("{text}: {results:?}"),
    }
}

fn same(pairs: &[(&str, &str)]) {
    for (short, long) in pairs {
        assert_eq!(shape(short), shape(long), "{short}");
    }
}

fn refused(texts: &[&str]) {
    for text in texts {
        for kind in [ExpressionKind::Ltl, ExpressionKind::Ctl] {
            let result = read(text, kind);
            assert!(result.is_err(), "{text}: {result:?}");
        }
    }
}

#[test]
fn operators_have_their_levels() {
    same(&[
        ("!a[0]", "!(a[0])"),
        ("w::v[1:0]", "w::(v[1:0])"),
        ("-w::v", "(-w)::v"),
        ("!w::v", "(!w)::v"),
        ("a::b::c", "(a::b)::c"),
        ("a * b::c", "a * (b::c)"),
        ("7 mod 4 * 2", "(7 mod 4) * 2"),
        ("a / b mod c", "(a / b) mod c"),
        ("a + b * c", "a + (b * c)"),
        ("a - b + c", "(a - b) + c"),
        ("w << 1 + 1", "w << (1 + 1)"),
        ("w >> 1 << 2", "(w >> 1) << 2"),
        ("a union b union c", "(a union b) union c"),
        ("a union b << 1", "a union (b << 1)"),
        ("a in b union c", "a in (b union c)"),
        ("a in b in c", "(a in b) in c"),
        ("a = b in c", "a = (b in c)"),
        ("a = b = c", "(a = b) = c"),
        ("1 < x < 3", "(1 < x) < 3"),
        ("a = b != c", "(a = b) != c"),
        ("a & b | c", "(a & b) | c"),
        ("a | b & c", "a | (b & c)"),
        ("a xor b | c xnor d", "((a xor b) | c) xnor d"),
        ("a | b ? c : d", "(a | b) ? c : d"),
        ("a ? b : c | d", "a ? b : (c | d)"),
        ("a ? b : c ? d : e", "a ? b : (c ? d : e)"),
        ("a ? b -> c : d", "a ? (b -> c) : d"),
        ("a ? b ? c : d : e", "a ? (b ? c : d) : e"),
        ("a ? b : c <-> d", "(a ? b : c) <-> d"),
        ("a <-> b <-> c", "(a <-> b) <-> c"),
        ("a -> b -> c", "a -> (b -> c)"),
        ("a -> b ? c : d", "a -> (b ? c : d)"),
        ("a ? b : c -> d", "(a ? b : c) -> d"),
        ("a -> b <-> c -> d", "a -> ((b <-> c) -> d)"),
        ("a<->b", "a <-> b"),
        ("!a = b", "(!a) = b"),
        ("x = c ? 1 : 0", "(x = c) ? 1 : 0"),
        ("3-1", "3 - 1"),
        ("x=-1", "x = (-1)"),
        ("(a)->b", "a -> b"),
        ("!!-a", "!(!(-a))"),
    ]);
}

#[test]
fn temporal_operators_take_comparisons() {
    same(&[
        ("G a = b", "G (a = b)"),
        ("F x + 1 = 2", "F ((x + 1) = 2)"),
        ("G a & b", "(G a) & b"),
        ("X a U b", "(X a) U b"),
        ("a & b U c", "a & (b U c)"),
        ("G a -> b", "(G a) -> b"),
        ("!G a = b", "!(G (a = b))"),
        ("!!G a = b", "!(!(G (a = b)))"),
        ("a & !G b = c", "a & (!(G (b = c)))"),
        ("a U !G b", "a U (!(G b))"),
        ("G !G b U a", "(G (!(G b))) U a"),
        ("a U b V c", "(a U b) V c"),
        ("a S b T c U d", "((a S b) T c) U d"),
        ("G F a", "G (F a)"),
        ("X Y Z H O a", "X (Y (Z (H (O a))))"),
        ("G [1,2] a = b", "G [1,2] (a = b)"),
        ("EX a = b & c", "(EX (a = b)) & c"),
        ("AG EF a", "AG (EF a)"),
        ("!AG a = b", "!(AG (a = b))"),
        ("EX !AG a = b", "EX (!(AG (a = b)))"),
        ("EBF 1..2 a = b", "EBF 1..2 (a = b)"),
        ("A [!AG a U b -> c]", "A [(!(AG a)) U (b -> c)]"),
        ("A [a -> b U b <-> a]", "A [(a -> b) U (b <-> a)]"),
        ("!A [a U b] & c", "(!(A [a U b])) & c"),
        ("AG A [a BU 1..2 b]", "AG (A [a BU 1..2 b])"),
    ]);
    assert_eq!(shape("a V b"), "(a Release b)");
    assert_eq!(shape("G[0,3] p"), "Globally[0..3](p)");
    assert_eq!(shape("ABG 0..3 p"), "AllGlobally[0..3](p)");
    assert_eq!(shape("E[p BU 2..5 q]"), "(p ExistsUntil[2..5] q)");
    refused(&[
        "a = !G b",
        "a = G b",
        "-G b",
        "AG G a",
        "A [a U b] = a",
        "A [a ? b : c U b]",
        "A [a U b U c]",
        "A [G a U b]",
        "A a U b",
        "E (a U b)",
        "A [a]",
        "X [1,2] a",
        "G [2,1] a",
        "G [1] a",
        "G [a,2] b",
        "G [-1,2] b",
        "EBF 2..1 a",
        "EBF -1..2 a",
        "EBF a",
        "a U",
    ]);
}

#[test]
fn sets_and_ranges_are_no_operands_of_arithmetic() {
    same(&[
        ("x in 1..2 union {3}", "x in ((1..2) union {3})"),
        ("{1} union 2..3 union {a}", "({1} union (2..3)) union {a}"),
        ("({1, 2}) + 3", "(({1, 2})) + 3"),
        ("{a} = {1}", "({a}) = ({1})"),
    ]);
    assert_eq!(shape("x in -1..+2"), "(x In <-1..2>)");
    assert_eq!(shape("x = -1..2"), "(x Equal <-1..2>)");
    assert_eq!(shape("{1, {2, 3}}"), "{1, {2, 3}}");
    refused(&[
        "{1, 2} + 3",
        "3 + {1, 2}",
        "!{TRUE}",
        "x + 1..2",
        "x in (-1)..2",
        "x in 1..top",
        "x in N..3",
        "- -1..2",
        "{}",
        "{1,}",
        "{1; 2}",
    ]);
}

#[test]
fn primaries_take_components_indices_and_bits() {
    for (text, shown) in [
        ("a.b.3[x].c[2:1]", "a.b.3[x].c[2:1]"),
        ("self.a", "self.a"),
        ("(w + v)[3:0]", "(w Add v)[3:0]"),
        ("next(w)[3:0]", "Next(w)[3:0]"),
        ("case c : w; esac[1:0]", "case(c, w)[1:0]"),
        ("0ud4_3[1:0][0:0]", "u4_3[1:0][0:0]"),
        ("a[b ? 1 : 0]", "a[(b ? 1 : 0)]"),
        ("w[b ? 1 : 2 : 0]", "w[(b ? 1 : 2):0]"),
        ("a ? w[3:2] :: w[1:1] : v", "(a ? (w[3:2] Concatenate w[1:1]) : v)"),
        ("\"q x\".y", "\"q x\".y"),
        ("x-1", "x-1"),
        ("a--b", "a--b"),
        ("a$#-1 -b", "(a$#-1 Subtract b)"),
    ] {
        assert_eq!(shape(text), shown);
    }
    refused(&["a.TRUE", "a[]", "a[1", "a[1:2:3]", "-a.", "a.(b)"]);
}

#[test]
fn functions_have_their_arguments() {
    for (text, shown) in [
        ("count(a, b = c, TRUE)", "count(a, (b Equal c), TRUE)"),
        ("min(a, b) + max(a, -b)", "((a Min b) Add (a Max Minus(b)))"),
        ("extend(w, 3) :: resize(v, n)", "((w Extend 3) Concatenate (v Resize n))"),
        ("uwconst(3, 4)", "(3 UnsignedConstant 4)"),
        ("swconst(-3, 4)", "(Minus(3) SignedConstant 4)"),
        ("bool(toint(word1(a)))", "Bool(ToInt(Word1(a)))"),
        ("signed(unsigned(w))", "Signed(Unsigned(w))"),
        ("abs(sizeof(w))", "Abs(SizeOf(w))"),
        ("case a : b; c ? d : e : f; esac", "case(a, b, (c ? d : e), f)"),
        ("case a : case b : c; esac; esac", "case(a, case(b, c))"),
    ] {
        assert_eq!(shape(text), shown);
    }
    refused(&[
        "count()",
        "min(a)",
        "min(a, b, c)",
        "abs(a, b)",
        "abs a",
        "next x",
        "case esac",
        "case a : b esac",
        "case a; esac",
        "case a : b;",
        "f(x)",
        "init(x)",
        "[a, b]",
        "(a, b)",
        "(a",
        "a)",
        "",
    ]);
}

#[test]
fn literals_are_checked() {
    for (text, shown) in [
        ("007", "7"),
        ("2147483647", "2147483647"),
        ("+5", "5"),
        ("- +5", "Minus(5)"),
        ("0b_101", "u3_5"),
        ("0ub4_1__1", "u4_3"),
        ("0uD4_3", "u4_3"),
        ("0H_fF", "u8_255"),
        ("0o_17", "u6_15"),
        ("0sd4_8", "s4_8"),
        ("0sb4_1111", "s4_15"),
        ("-0sd4_3", "Minus(s4_3)"),
        ("0ud64_18446744073709551615", "u64_18446744073709551615"),
        ("0sd64_9223372036854775808", "s64_9223372036854775808"),
        ("0ud1_1", "u1_1"),
    ] {
        assert_eq!(shape(text), shown);
    }
    refused(&[
        "2147483648",
        "99999999999999999999999",
        "1.5",
        "1e3",
        "2.5e-3",
        "f'1/2",
        "3a",
        "0x1F",
        "0Ud4_3",
        "0d_3",
        "0ud4_16",
        "0sd4_9",
        "0b2_111",
        "0b_2",
        "0o_8",
        "0ud_3",
        "0ud0_0",
        "0ud65_0",
        "0ud64_18446744073709551616",
        "0b4__11",
        "0ud4",
        "+a",
        "+0ud4_3",
    ]);
}

#[test]
fn kinds_of_expressions_allow_their_operators() {
    use ExpressionKind::{Ctl, Ltl, Next, Simple};
    for (text, kinds) in [
        ("a & b = 3", &[Simple, Next, Ctl, Ltl][..]),
        ("next(a + 1) = 3", &[Next, Ltl]),
        ("a[next(x)]", &[Next, Ltl]),
        ("next(next(a))", &[]),
        ("next(a + next(b))", &[]),
        ("w[next(x):0] = v", &[]),
        ("AG a", &[Ctl]),
        ("AG (a -> X b)", &[]),
        ("G a", &[Ltl]),
        ("G next(a)", &[Ltl]),
        ("AG next(a)", &[]),
        ("G (a <-> X b)", &[Ltl]),
        ("!(F a xor F b) | (a xnor X b)", &[Ltl]),
        ("(G a) = b", &[]),
        ("!(G a) = b", &[]),
        ("a ? F b : c", &[]),
        ("F a ? b : c", &[]),
        ("next(F a)", &[]),
        ("(F a) in {TRUE}", &[]),
        ("case F a : b; esac", &[]),
        ("case TRUE : F a; esac", &[]),
        ("bool(F a)", &[]),
        ("count(F a)", &[]),
        ("a[F b]", &[]),
        ("G (a = b)", &[Ltl]),
        ("G case a : b; TRUE : c; esac", &[Ltl]),
        ("A [a U b] & E [a U b]", &[Ctl]),
    ] {
        for kind in [Simple, Next, Ctl, Ltl] {
            let result = read(text, kind);
            assert_eq!(result.is_ok(), kinds.contains(&kind), "{text} as {kind:?}: {result:?}");
        }
    }
}

#[test]
fn nodes_are_contiguous_and_operands_first() {
    let text = "MODULE main DEFINE d := [[a, b], [case a : {1, 2}; esac, c[1:0] ? 1..2 : !d]];";
    let parsed = parse(text, &ReadOptions::default());
    assert!(!parsed.has_errors(), "{:?}", parsed.diagnostics);
    let file = &parsed.file;
    let kermode_smv::syntax::Item::Define { body, .. } = &file.modules[0].items[0] else {
        panic!("a definition")
    };
    assert_eq!(body.root.index() + 1, file.nodes.len());
    assert_eq!(show(file, body.root), "[[a, b], [case(a, {1, 2}), (c[1:0] ? <1..2> : Not(d))]]");
    assert_eq!(file.spans.len(), file.nodes.len());
    for (index, span) in file.spans.iter().enumerate() {
        assert!(span.start < span.end, "node {index}");
    }
}

/// Each construct that nests, much deeper than the stack of a thread.
#[test]
fn nesting_may_be_deep() {
    let text = format!("{}a{}", "(".repeat(1_000_000), ")".repeat(1_000_000));
    assert_eq!(shape(&text), "a");
    let depth = 200_000;
    for (open, middle, close) in [
        ("!", "a", ""),
        ("- ", "a", ""),
        ("{", "a", "}"),
        ("case a : ", "a", "; esac"),
        ("case ", "a", " : b; esac"),
        ("next(", "a", ")"),
        ("a[", "a", "]"),
        ("w[", "a", " : 0]"),
        ("a ? ", "a", " : b"),
        ("a ? b : ", "a", ""),
        ("a -> ", "a", ""),
        ("a & (", "a", ")"),
        ("count(", "a", ")"),
        ("X ", "a", ""),
        ("G[1,2] ", "a", ""),
        ("EX ", "a", ""),
        ("A [a U ", "a", "]"),
        ("E [", "a", " BU 1..2 b]"),
        ("", "a", ".b"),
        ("", "a", "[0]"),
        ("", "a", " & b"),
    ] {
        let text = format!("{}{middle}{}", open.repeat(depth), close.repeat(depth));
        let mut file = File::default();
        let ctl = matches!(open.as_bytes(), [b'A' | b'E', ..]);
        let kind = if ctl { ExpressionKind::Ctl } else { ExpressionKind::Ltl };
        let result = parse_expression(&text, kind, &ReadOptions::default(), &mut file);
        assert!(result.is_ok() || open.starts_with("next"), "{open} {close}");
        let broken = format!("{}{middle}{};", open.repeat(depth), close.repeat(depth / 2));
        assert!(
            parse_expression(&broken, ExpressionKind::Simple, &ReadOptions::default(), &mut file)
                .is_err()
        );
    }
    let arrays = format!("MODULE main DEFINE d := {}a{};", "[".repeat(depth), "]".repeat(depth));
    assert!(!parse(&arrays, &ReadOptions::default()).has_errors());
    let types = format!("MODULE main VAR a : {} boolean;", "array 0..1 of ".repeat(depth));
    let parsed = parse(&types, &ReadOptions::default());
    assert!(parsed.diagnostics[0].message.contains("at most 64 dimensions"));
    let names = format!("MODULE main VAR a{} : boolean;", ".b".repeat(depth));
    assert!(!parse(&names, &ReadOptions::default()).has_errors());
}
