//! The dialects as tables: one table per dialect serves its reader, its writer and its hints.
//!
//! In all dialects prefix operators bind tighter than infix operators. So a grammar consists of
//! infix levels, spellings (the writer uses the first spelling of an operator), the form of names,
//! and a few switches. If a tool's manual and its parser disagree, the table follows the parser: a
//! text is read as the tool reads it. `docs/syntax.md` lists these cases.

use crate::operator::{BinaryOp, UnaryOp};

/// The meaning of a word or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Constant(bool),
    Prefix(UnaryOp),
    Infix(BinaryOp),
    /// An operator with the precedence of another one: NuSMV's `xnor` is `<->` at the level of
    /// `xor`.
    InfixLike(BinaryOp, BinaryOp),
    Open,
    Close,
    /// A word with a meaning outside of formulas; no proposition may have this name.
    Reserved,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Associativity {
    Left,
    Right,
}

/// How an operator is grouped with the operators before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grouping {
    /// By level and associativity.
    Precedence,
    /// BLACK's parser: after an operator that is followed by a tighter one, the right operand
    /// extends over all that follows, at any level.
    SwallowRight,
}

/// How bounds are written after an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bounds {
    /// The dialect has no bounds.
    None,
    /// `F[a,b] G[a,b] O[a,b] H[a,b] U[a,b] R[a,b] X[n] N[n]`, and `X[!]` for the strong next.
    Kermode,
    /// `F [a,b]`, and the same for `G`, `O` and `H`.
    Nusmv,
    /// `F[a:b]`, `F[a:]`, `F[a:b!]`, and the same for `G`; `X[n]`, `X[n!]`, `X[!]`.
    Spot,
}

/// How a name that is not plain is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    /// The dialect cannot write such names.
    None,
    /// `"a b"`, where `\n`, `\r` and `\t` have their usual meaning and `\c` is `c`.
    Escaped,
    /// `"a b"`, where `\c` is `c`.
    Plain,
    /// `{a b}`, where `\}` and `\\` stand for `}` and `\`.
    Braces,
    /// `(x > 1)`: a parenthesis without temporal operators, copied unchanged.
    Predicate,
}

/// Operators that need no blank before the next name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Glue {
    /// None: words are whole tokens.
    None,
    /// Spot: `F`, `G`, `X` unless a digit follows, and `U R V W M` after an operand.
    Spot,
    /// SPIN: a capital `X`, `U` or `V` at the start of a token.
    Spin,
}

pub(super) struct Grammar {
    /// The name of the dialect in messages.
    pub(super) name: &'static str,
    /// Words and signs; the writer uses the first spelling of an operator.
    pub(super) spellings: &'static [(&'static str, Meaning)],
    pub(super) reserved: &'static [&'static str],
    /// From loosest to tightest.
    pub(super) levels: &'static [(Associativity, &'static [BinaryOp])],
    pub(super) grouping: Grouping,
    pub(super) bounds: Bounds,
    pub(super) quoting: Quoting,
    pub(super) glue: Glue,
    /// Whether a name may begin with this byte; whether it may continue with it.
    pub(super) name_start: fn(u8) -> bool,
    pub(super) name_rest: fn(u8) -> bool,
    /// Whether `true` and `false` are constants in upper, lower and mixed case.
    pub(super) any_case_constants: bool,
    /// Whether every operand that is a binary formula is written in parentheses.
    pub(super) parenthesise_all: bool,
}

impl Grammar {
    /// How the dialect writes a meaning, if it can.
    pub(super) fn spelling(&self, meaning: Meaning) -> Option<&'static str> {
        self.spellings.iter().find(|(_, m)| *m == meaning).map(|(spelling, _)| *spelling)
    }

    /// The level of an operator, larger for tighter operators, and its associativity.
    fn level(&self, op: BinaryOp) -> Option<(usize, Associativity)> {
        let mut levels = self.levels.iter().enumerate();
        let (level, (associativity, _)) = levels.find(|(_, (_, ops))| ops.contains(&op))?;
        Some((level, *associativity))
    }
}

/// The length of `.x` or `[3]`, which continue a name.
fn part_length(text: &[u8], grammar: &Grammar) -> Option<usize> {
    match text {
        [b'.', next, ..] if (grammar.name_rest)(*next) => Some(2),
        [b'[', rest @ ..] if grammar.bounds == Bounds::Nusmv => {
            let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
            (digits > 0 && rest.get(digits) == Some(&b']')).then_some(digits + 2)
        }
        _ => None,
    }
}

/// A grammar prepared for reading: the spellings by first byte, and the level of each operator.
pub(super) struct Table {
    pub(super) grammar: &'static Grammar,
    by_first_byte: Vec<Vec<(&'static str, Meaning)>>,
    /// For each byte, whether a name may begin with it and whether it may continue with it.
    name_bytes: [(bool, bool); 256],
    levels: [(usize, Associativity); BinaryOp::ALL.len()],
}

impl Table {
    pub(super) fn new(grammar: &'static Grammar) -> Self {
        let mut by_first_byte: Vec<Vec<(&'static str, Meaning)>> = vec![Vec::new(); 256];
        let reserved = grammar.reserved.iter().map(|word| (*word, Meaning::Reserved));
        for (spelling, meaning) in grammar.spellings.iter().copied().chain(reserved) {
            by_first_byte[usize::from(spelling.as_bytes()[0])].push((spelling, meaning));
        }
        for spellings in &mut by_first_byte {
            spellings.sort_by_key(|(spelling, _)| std::cmp::Reverse(spelling.len()));
        }
        let levels = BinaryOp::ALL.map(|op| grammar.level(op).unwrap_or((0, Associativity::Left)));
        let name_byte = |b: usize| ((grammar.name_start)(b as u8), (grammar.name_rest)(b as u8));
        let name_bytes = std::array::from_fn(name_byte);
        Table { grammar, by_first_byte, name_bytes, levels }
    }

    pub(super) fn level(&self, op: BinaryOp) -> (usize, Associativity) {
        self.levels[op as usize]
    }

    fn beginning_like(&self, text: &[u8]) -> &[(&'static str, Meaning)] {
        text.first().map_or(&[], |&first| &self.by_first_byte[usize::from(first)])
    }

    /// The meaning of a whole word; `None` if it is a name.
    pub(super) fn word(&self, text: &str) -> Option<Meaning> {
        let alike = self.beginning_like(text.as_bytes());
        match alike.iter().find(|(word, _)| same(word.as_bytes(), text.as_bytes())) {
            Some(&(_, meaning)) => Some(meaning),
            None if self.grammar.any_case_constants => any_case_constant(text),
            None => None,
        }
    }

    /// The longest spelling at the start of `text`.
    pub(super) fn longest(&self, text: &[u8]) -> Option<(&'static str, Meaning)> {
        let alike = self.beginning_like(text);
        let begins = |sign: &[u8]| text.get(..sign.len()).is_some_and(|start| same(sign, start));
        alike.iter().find(|(sign, _)| begins(sign.as_bytes())).copied()
    }

    /// Whether a name may begin with this byte.
    pub(super) fn begins_name(&self, byte: u8) -> bool {
        self.name_bytes[usize::from(byte)].0
    }

    /// The length of the word at the start of `text`; `None` if no word begins there.
    pub(super) fn word_length(&self, text: &[u8]) -> Option<usize> {
        if !text.first().is_some_and(|&b| self.begins_name(b)) {
            return None;
        }
        let goes_on = |b: &&u8| self.name_bytes[usize::from(**b)].1;
        let plain = |from: usize| from + text[from..].iter().take_while(goes_on).count();
        let mut length = plain(1);
        // The dialects of SMV and Kermode have names with parts: `elevator.door`, `floor[3]`.
        if matches!(self.grammar.bounds, Bounds::Kermode | Bounds::Nusmv)
            && matches!(text.get(length), Some(b'.' | b'['))
            && std::str::from_utf8(&text[..length]).is_ok_and(|word| self.word(word).is_none())
        {
            while let Some(part) = part_length(&text[length..], self.grammar) {
                length = plain(length + part);
            }
        }
        Some(length)
    }

    /// Whether a name can be written without quotes.
    pub(super) fn is_plain_name(&self, name: &str) -> bool {
        let bytes = name.as_bytes();
        let glued = match (self.grammar.glue, bytes) {
            (Glue::Spot, [b'F' | b'G' | b'X', rest @ ..]) => {
                !rest.first().is_some_and(u8::is_ascii_digit)
            }
            _ => false,
        };
        let whole = self.word_length(bytes) == Some(bytes.len());
        whole && !glued && self.word(name).is_none()
    }
}

/// Equality of a few bytes; faster than a call of the library function.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

fn any_case_constant(text: &str) -> Option<Meaning> {
    match text.len() {
        4 => text.eq_ignore_ascii_case("true").then_some(Meaning::Constant(true)),
        5 => text.eq_ignore_ascii_case("false").then_some(Meaning::Constant(false)),
        _ => None,
    }
}

fn letter(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_'
}

fn letter_or_digit(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

use Associativity::{Left, Right};
use BinaryOp::{
    And, Iff, Implies, Or, Release, Since, StrongRelease, Triggered, Until, WeakUntil, Xor,
};
use Meaning::{Close, Constant, Infix, InfixLike, Open, Prefix};
use UnaryOp::{
    Finally, Globally, Historically, Next, Not, Once, WeakNext, WeakYesterday, Yesterday,
};

/// The union of the common notations; operators are whole tokens.
pub(super) static KERMODE: Grammar = Grammar {
    name: "Kermode",
    spellings: &[
        ("true", Constant(true)),
        ("True", Constant(true)),
        ("TRUE", Constant(true)),
        ("1", Constant(true)),
        ("false", Constant(false)),
        ("False", Constant(false)),
        ("FALSE", Constant(false)),
        ("0", Constant(false)),
        ("!", Prefix(Not)),
        ("~", Prefix(Not)),
        ("not", Prefix(Not)),
        ("&", Infix(And)),
        ("&&", Infix(And)),
        ("/\\", Infix(And)),
        ("and", Infix(And)),
        ("|", Infix(Or)),
        ("||", Infix(Or)),
        ("\\/", Infix(Or)),
        ("or", Infix(Or)),
        ("^", Infix(Xor)),
        ("xor", Infix(Xor)),
        ("->", Infix(Implies)),
        ("=>", Infix(Implies)),
        ("<->", Infix(Iff)),
        ("<=>", Infix(Iff)),
        ("X", Prefix(Next)),
        ("()", Prefix(Next)),
        ("N", Prefix(WeakNext)),
        ("wX", Prefix(WeakNext)),
        ("F", Prefix(Finally)),
        ("<>", Prefix(Finally)),
        ("G", Prefix(Globally)),
        ("[]", Prefix(Globally)),
        ("U", Infix(Until)),
        ("W", Infix(WeakUntil)),
        ("R", Infix(Release)),
        ("V", Infix(Release)),
        ("M", Infix(StrongRelease)),
        ("Y", Prefix(Yesterday)),
        ("Z", Prefix(WeakYesterday)),
        ("O", Prefix(Once)),
        ("H", Prefix(Historically)),
        ("S", Infix(Since)),
        ("T", Infix(Triggered)),
        ("(", Open),
        (")", Close),
    ],
    reserved: &[],
    levels: &[
        (Left, &[Iff]),
        (Right, &[Implies]),
        (Left, &[Or]),
        (Left, &[Xor]),
        (Left, &[And]),
        (Right, &[Until, WeakUntil, Release, StrongRelease, Since, Triggered]),
    ],
    grouping: Grouping::Precedence,
    bounds: Bounds::Kermode,
    quoting: Quoting::Escaped,
    glue: Glue::None,
    name_start: letter,
    name_rest: letter_or_digit,
    any_case_constants: false,
    parenthesise_all: false,
};

/// Spot 2: "Spot's Temporal Logic Formulas" (tl.pdf) and its scanner and grammar.
pub(super) static SPOT: Grammar = Grammar {
    name: "Spot",
    spellings: &[
        ("1", Constant(true)),
        ("0", Constant(false)),
        ("!", Prefix(Not)),
        ("~", Prefix(Not)),
        ("¬", Prefix(Not)),
        ("&", Infix(And)),
        ("&&", Infix(And)),
        ("/\\", Infix(And)),
        ("*", Infix(And)),
        ("∧", Infix(And)),
        ("∩", Infix(And)),
        ("|", Infix(Or)),
        ("||", Infix(Or)),
        ("\\/", Infix(Or)),
        ("+", Infix(Or)),
        ("∨", Infix(Or)),
        ("∪", Infix(Or)),
        ("^", Infix(Xor)),
        ("⊕", Infix(Xor)),
        ("xor", Infix(Xor)),
        ("->", Infix(Implies)),
        ("-->", Infix(Implies)),
        ("=>", Infix(Implies)),
        ("→", Infix(Implies)),
        ("⟶", Infix(Implies)),
        ("⇒", Infix(Implies)),
        ("⟹", Infix(Implies)),
        ("<->", Infix(Iff)),
        ("<-->", Infix(Iff)),
        ("<=>", Infix(Iff)),
        ("↔", Infix(Iff)),
        ("⇔", Infix(Iff)),
        ("X", Prefix(Next)),
        ("()", Prefix(Next)),
        ("○", Prefix(Next)),
        ("◯", Prefix(Next)),
        ("F", Prefix(Finally)),
        ("<>", Prefix(Finally)),
        ("◇", Prefix(Finally)),
        ("⋄", Prefix(Finally)),
        ("♢", Prefix(Finally)),
        ("G", Prefix(Globally)),
        ("[]", Prefix(Globally)),
        ("□", Prefix(Globally)),
        ("⬜", Prefix(Globally)),
        ("◻", Prefix(Globally)),
        ("U", Infix(Until)),
        ("W", Infix(WeakUntil)),
        ("R", Infix(Release)),
        ("V", Infix(Release)),
        ("M", Infix(StrongRelease)),
        ("(", Open),
        (")", Close),
    ],
    reserved: &["first_match"],
    levels: &[
        (Right, &[Implies, Iff]),
        (Left, &[Or]),
        (Left, &[Xor]),
        (Left, &[And]),
        (Right, &[Until, WeakUntil, Release, StrongRelease]),
    ],
    grouping: Grouping::Precedence,
    bounds: Bounds::Spot,
    quoting: Quoting::Plain,
    glue: Glue::Spot,
    name_start: |b| letter(b) || b == b'.',
    name_rest: |b| letter_or_digit(b) || b == b'.',
    any_case_constants: true,
    parenthesise_all: false,
};

/// SPIN 6 as `spin -f` reads it: its manual page ltl, and its parser.
pub(super) static SPIN: Grammar = Grammar {
    name: "SPIN",
    spellings: &[
        ("true", Constant(true)),
        ("false", Constant(false)),
        ("!", Prefix(Not)),
        ("not", Prefix(Not)),
        ("&&", Infix(And)),
        ("/\\", Infix(And)),
        ("||", Infix(Or)),
        ("\\/", Infix(Or)),
        ("->", Infix(Implies)),
        ("<->", Infix(Iff)),
        ("X", Prefix(Next)),
        ("next", Prefix(Next)),
        ("<>", Prefix(Finally)),
        ("eventually", Prefix(Finally)),
        ("[]", Prefix(Globally)),
        ("always", Prefix(Globally)),
        ("U", Infix(Until)),
        ("until", Infix(Until)),
        ("V", Infix(Release)),
        ("(", Open),
        (")", Close),
    ],
    reserved: &["c_expr"],
    levels: &[(Left, &[Or, And, Implies, Iff]), (Left, &[Until, Release])],
    grouping: Grouping::Precedence,
    bounds: Bounds::None,
    quoting: Quoting::Predicate,
    glue: Glue::Spin,
    name_start: |b| b.is_ascii_lowercase(),
    name_rest: letter_or_digit,
    any_case_constants: false,
    parenthesise_all: true,
};

/// The inside of a SPIN predicate, where Promela's precedence holds.
pub(super) static SPIN_PREDICATE: Grammar = Grammar {
    name: "Promela",
    spellings: &[
        ("true", Constant(true)),
        ("1", Constant(true)),
        ("false", Constant(false)),
        ("0", Constant(false)),
        ("!", Prefix(Not)),
        ("&&", Infix(And)),
        ("||", Infix(Or)),
        ("(", Open),
        (")", Close),
    ],
    reserved: &[],
    levels: &[(Left, &[Or]), (Left, &[And])],
    grouping: Grouping::Precedence,
    bounds: Bounds::None,
    quoting: Quoting::Predicate,
    glue: Glue::None,
    name_start: letter,
    name_rest: letter_or_digit,
    any_case_constants: false,
    parenthesise_all: true,
};

/// LTLSPEC of NuSMV 2.6 over Boolean variables: its user manual, section 2.4.3, and its grammar.
pub(super) static NUSMV: Grammar = Grammar {
    name: "NuSMV",
    spellings: &[
        ("TRUE", Constant(true)),
        ("FALSE", Constant(false)),
        ("!", Prefix(Not)),
        ("&", Infix(And)),
        ("|", Infix(Or)),
        ("xor", Infix(Xor)),
        ("->", Infix(Implies)),
        ("<->", Infix(Iff)),
        ("xnor", InfixLike(Iff, Xor)),
        ("X", Prefix(Next)),
        ("F", Prefix(Finally)),
        ("G", Prefix(Globally)),
        ("U", Infix(Until)),
        ("V", Infix(Release)),
        ("Y", Prefix(Yesterday)),
        ("Z", Prefix(WeakYesterday)),
        ("O", Prefix(Once)),
        ("H", Prefix(Historically)),
        ("S", Infix(Since)),
        ("T", Infix(Triggered)),
        ("(", Open),
        (")", Close),
    ],
    reserved: &[
        "A",
        "ABF",
        "ABG",
        "AF",
        "AG",
        "ASSIGN",
        "AX",
        "BU",
        "COMPASSION",
        "COMPID",
        "COMPUTE",
        "COMPWFF",
        "CONSTANTS",
        "CONSTRAINT",
        "CTLSPEC",
        "CTLWFF",
        "DEFINE",
        "E",
        "EBF",
        "EBG",
        "EF",
        "EG",
        "EX",
        "FAIRNESS",
        "FROZENVAR",
        "FUN",
        "IN",
        "INIT",
        "INVAR",
        "INVARSPEC",
        "ISA",
        "ITYPE",
        "IVAR",
        "Integer",
        "JUSTICE",
        "LTLSPEC",
        "LTLWFF",
        "MAX",
        "MDEFINE",
        "MIN",
        "MIRROR",
        "MODULE",
        "NAME",
        "NEXTWFF",
        "PRED",
        "PREDICATES",
        "PSLSPEC",
        "PSLWFF",
        "READ",
        "Real",
        "SIMPWFF",
        "SPEC",
        "TRANS",
        "VAR",
        "WRITE",
        "Word",
        "abs",
        "array",
        "bool",
        "boolean",
        "case",
        "count",
        "esac",
        "extend",
        "in",
        "init",
        "integer",
        "max",
        "min",
        "mod",
        "next",
        "of",
        "process",
        "real",
        "resize",
        "self",
        "signed",
        "sizeof",
        "swconst",
        "toint",
        "union",
        "unsigned",
        "uwconst",
        "word",
        "word1",
    ],
    levels: &[
        (Right, &[Implies]),
        (Left, &[Iff]),
        (Left, &[Or, Xor]),
        (Left, &[And]),
        (Left, &[Until, Release, Since, Triggered]),
    ],
    grouping: Grouping::Precedence,
    bounds: Bounds::Nusmv,
    quoting: Quoting::None,
    glue: Glue::None,
    name_start: letter,
    name_rest: |b| letter_or_digit(b) || matches!(b, b'$' | b'#' | b'-'),
    any_case_constants: false,
    parenthesise_all: false,
};

/// BLACK's input syntax: its documentation, "Input syntax", and its parser.
pub(super) static PLTL: Grammar = Grammar {
    name: "BLACK",
    spellings: &[
        ("True", Constant(true)),
        ("False", Constant(false)),
        ("!", Prefix(Not)),
        ("~", Prefix(Not)),
        ("NOT", Prefix(Not)),
        ("&", Infix(And)),
        ("&&", Infix(And)),
        ("AND", Infix(And)),
        ("|", Infix(Or)),
        ("||", Infix(Or)),
        ("OR", Infix(Or)),
        ("->", Infix(Implies)),
        ("=>", Infix(Implies)),
        ("THEN", Infix(Implies)),
        ("<->", Infix(Iff)),
        ("<=>", Infix(Iff)),
        ("IFF", Infix(Iff)),
        ("X", Prefix(Next)),
        ("wX", Prefix(WeakNext)),
        ("F", Prefix(Finally)),
        ("G", Prefix(Globally)),
        ("U", Infix(Until)),
        ("W", Infix(WeakUntil)),
        ("R", Infix(Release)),
        ("V", Infix(Release)),
        ("M", Infix(StrongRelease)),
        ("Y", Prefix(Yesterday)),
        ("Z", Prefix(WeakYesterday)),
        ("O", Prefix(Once)),
        ("H", Prefix(Historically)),
        ("S", Infix(Since)),
        ("T", Infix(Triggered)),
        ("(", Open),
        (")", Close),
    ],
    reserved: &[
        "Int", "Real", "distinct", "div", "equal", "exists", "forall", "next", "prev", "to_int",
        "to_real", "wnext", "wprev",
    ],
    levels: &[
        (Left, &[Or]),
        (Left, &[And]),
        (Left, &[Implies, Iff]),
        (Left, &[Until, WeakUntil, Release, StrongRelease, Since, Triggered]),
    ],
    grouping: Grouping::SwallowRight,
    bounds: Bounds::None,
    quoting: Quoting::Braces,
    glue: Glue::None,
    name_start: letter,
    name_rest: letter_or_digit,
    any_case_constants: false,
    parenthesise_all: true,
};
