//! Messages: what is wrong, and what to write instead.

use std::ops::Range;

use kermode_base::Diagnostic;

use super::operators::Function;
use super::token::{Kind, Reserved, Sign, Token};
use super::tree::{Span, VariableKind};

/// A line that begins with `#`.
pub(super) fn preprocessor(span: Range<usize>, word: &str, at_line_start: bool) -> Diagnostic {
    let error = Diagnostic::error(span, "this is no line of the SMV language");
    match word {
        "define" => error.label("a definition for a preprocessor").help(
            "write a DEFINE section, give `-D NAME=VALUE`, or run the preprocessor `cpp -P` first",
        ),
        _ if !at_line_start => error
            .label("no token begins with `#`")
            .help("a name may contain `#`, but it begins with a letter or `_`"),
        "" => {
            error.label("a line number is missing").help("write for example `# 12 \"model.smv\"`")
        }
        _ => error
            .label("only line directives such as `# 12 \"model.smv\"` are read")
            .help("run the preprocessor first: `cpp -P model.smv`"),
    }
}

/// The name `a-` in `a->b`.
pub(super) fn arrow(name: &str, start: usize) -> Diagnostic {
    let end = start + name.len();
    let message = format!("`{name}` is read as a name, and `>` as a comparison");
    Diagnostic::warning(start..end + 1, message)
        .label("`-` may be part of a name")
        .help(format!("put a blank before the arrow: `{} ->`", name.trim_end_matches('-')))
}

/// A real number.
pub(super) fn real(text: &str, start: usize) -> Diagnostic {
    Diagnostic::error(start..start + text.len(), format!("`{text}` is a real number"))
        .label("models have integers and words, but no reals")
        .help("scale the values to integers")
}

/// A character that begins no token.
pub(super) fn character(c: char, start: usize) -> Diagnostic {
    let shown = match c {
        '\'' => c.to_string(),
        _ => c.escape_debug().to_string(),
    };
    let error = Diagnostic::error(
        start..start + c.len_utf8(),
        format!("`{shown}` has no place in the SMV language"),
    );
    match c {
        '%' => error.label("no operator").help("write `mod` for the remainder"),
        '^' => error.label("no operator").help("write `xor` for the exclusive or"),
        '~' => error.label("no operator").help("write `!` for the negation"),
        '@' => error
            .label("an operator or annotation of nuXmv")
            .help("models have no real time; write the operators of LTL, such as `F` and `O`"),
        '\\' => error.label("names are not escaped").help("quote the name: `\"a b\"`"),
        '\'' => error
            .label("no quotation mark, and no next value")
            .help("write `next(x)` for the next value of x; quote names by `\"`"),
        '∧' => error.label("no operator").help("write `&`"),
        '∨' => error.label("no operator").help("write `|`"),
        '¬' => error.label("no operator").help("write `!`"),
        '→' | '⇒' => error.label("no operator").help("write `->`"),
        '↔' | '⇔' => error.label("no operator").help("write `<->`"),
        '≤' => error.label("no operator").help("write `<=`"),
        '≥' => error.label("no operator").help("write `>=`"),
        '≠' => error.label("no operator").help("write `!=`"),
        '∈' => error.label("no operator").help("write `in`"),
        '\u{feff}' => error.label("a byte order mark").help("save the text without it"),
        _ if !c.is_ascii() => error
            .label("only comments may contain characters outside of ASCII")
            .help("use letters, digits, `_`, `$`, `#` and `-` in names"),
        _ => error.label("no token begins with this character"),
    }
}

/// `<<<` or `>>>`.
pub(super) fn triple_shift(text: &str, start: usize) -> Diagnostic {
    Diagnostic::error(start..start + 3, format!("`{text}` is no operator"))
        .label("words are rotated by no operator")
        .help(format!("write `{}` for a shift", &text[..2]))
}

/// `+` before something other than a literal.
pub(super) fn unary_plus(span: Span) -> Diagnostic {
    Diagnostic::error(span.range(), "`+` has no left operand")
        .label("`+` as a sign stands before an integer literal only")
        .help("remove it")
}

/// The text does not begin with a module. `rest` is the text from its first token on.
pub(super) fn no_module(span: Span, rest: &str) -> Diagnostic {
    let error = Diagnostic::error(span.range(), "a model begins with `MODULE`");
    let help = if rest.is_empty() {
        return error
            .label("the text contains no module")
            .help("write `MODULE main` and its sections");
    } else if rest.starts_with("//") || rest.starts_with("/*") {
        "write comments as `-- ..` or `/-- .. --/`"
    } else if rest.len() > 6 && rest.as_bytes()[..6].eq_ignore_ascii_case(b"module") {
        "write `MODULE` in capital letters"
    } else {
        "write `MODULE main` before it"
    };
    error.label("this is before the first module").help(help)
}

/// PSLSPEC without `;`.
pub(super) fn psl_without_end(keyword: Span) -> Diagnostic {
    Diagnostic::error(keyword.range(), "the end of this PSLSPEC is missing")
        .label("it begins here")
        .help("end it by `;`")
}

/// Whether a name is a type of another language, unless a module has this name.
pub(super) fn is_foreign_type(name: &str) -> bool {
    foreign_type_help(name).is_some()
}

/// The label and the remedy for a type of another language.
fn foreign_type_help(name: &str) -> Option<(&'static str, &'static str)> {
    Some(match name {
        "integer" | "Integer" => (
            "unbounded integers are a type of nuXmv",
            "write a range such as `0..100`, or a word such as `signed word[16]`",
        ),
        "real" | "Real" | "clock" | "Clock" => {
            ("a type of nuXmv", "models are finite: scale the values to a range such as `0..100`")
        }
        "int" | "nat" | "natural" | "number" => {
            ("no type of this language", "write a range such as `0..100`")
        }
        "bool" | "Boolean" | "BOOLEAN" | "Bool" | "BOOL" | "bit" => {
            ("no type of this language", "write `boolean`")
        }
        _ => return None,
    })
}

/// A type of another language.
pub(super) fn foreign_type(name: &str, span: Span) -> Diagnostic {
    let message = match name {
        "integer" | "Integer" | "real" | "Real" | "clock" | "Clock" => {
            format!("the type `{name}` has no finite domain")
        }
        _ => format!("there is neither a type nor a module `{name}`"),
    };
    let error = Diagnostic::error(span.range(), message);
    match foreign_type_help(name) {
        Some((label, help)) => error.label(label).help(help),
        None => error,
    }
}

/// An array without bounds.
pub(super) fn array_without_bounds(span: Span) -> Diagnostic {
    Diagnostic::error(span.range(), "the bounds of this array are missing")
        .label("an array type is `array 0..3 of boolean`")
        .help("write the first and the last index between `array` and `of`")
}

/// An array whose indices are words or all integers.
pub(super) fn unbounded_array(span: Span) -> Diagnostic {
    Diagnostic::error(span.range(), "arrays are indexed by ranges of integers only")
        .label("an array for engines of infinite systems")
        .help("write a range such as `array 0..15 of`")
}

/// An instance where there cannot be one.
pub(super) fn instance_refused(kind: VariableKind, element: bool, span: Span) -> Diagnostic {
    let error = Diagnostic::error(span.range(), "an instance of a module is not allowed here");
    match kind {
        _ if element => error
            .label("arrays do not have instances as elements")
            .help("declare them one by one, for example `c[0] : m; c[1] : m;`"),
        VariableKind::Input => error.label("an input has a type").help("declare it in VAR"),
        _ => error.label("a frozen variable has a type").help("declare it in VAR"),
    }
}

/// `word` without `[width]`.
pub(super) fn word_without_width(token: Span) -> Diagnostic {
    Diagnostic::error(token.range(), "the width of this word type is missing")
        .label("expected `[` and the number of bits")
        .help("write for example `word[8]`")
}

/// `a.b` in an enumeration.
pub(super) fn dotted_constant(span: Span) -> Diagnostic {
    Diagnostic::error(span.range(), "a symbolic constant has no components")
        .label("`.` selects from an instance")
        .help("write `_` instead of `.`")
}

/// A reserved word as a value of an enumeration.
pub(super) fn reserved_value(word: Reserved, span: Span) -> Diagnostic {
    let spelling = word.text();
    let error =
        Diagnostic::error(span.range(), format!("`{spelling}` is no value of an enumeration"));
    match word {
        Reserved::True | Reserved::False => {
            error.label("a Boolean constant").help("write the type `boolean`")
        }
        _ if word.is_temporal() => error
            .label("a reserved word: a temporal operator")
            .help(format!("choose a longer name, such as `{spelling}_`")),
        _ => error
            .label("a reserved word")
            .help(format!("choose another name, such as `{spelling}_`")),
    }
}

/// A wrong number of arguments. `call` is the text from the name of the function on.
pub(super) fn arity(function: Function, call: &str, span: Span) -> Diagnostic {
    let name: String = call.chars().take_while(char::is_ascii_alphanumeric).collect();
    let count = function.smallest_arity();
    let (s, pattern) = if count == 1 { ("", "(e)") } else { ("s", "(e, f)") };
    Diagnostic::error(span.range(), format!("`{name}` has {count} argument{s}"))
        .label(if count == 1 { "expected `)`" } else { "expected two arguments" })
        .help(format!("write `{name}{pattern}`"))
}

/// A bound of `i..j` in an expression.
pub(super) fn range_bound(text: &str, span: Span) -> Diagnostic {
    Diagnostic::error(span.range(), format!("`{text}` is no integer literal"))
        .label("the bounds of `..` in an expression are integer literals")
        .help("compare instead: `1 <= x & x <= top`, or write the bound as a number")
}

/// A bound of a temporal operator.
pub(super) fn bound(text: &str, span: Span, separator: &str) -> Diagnostic {
    let error =
        Diagnostic::error(span.range(), format!("`{text}` is no bound of a temporal operator"));
    let example = if separator == "," { "`F [0,5] p`" } else { "`EBF 0..5 p`" };
    error
        .label("a bound is an integer literal from 0 on")
        .help(format!("write two numbers, as in {example}"))
}

/// `X [1,2]` and the like.
pub(super) fn no_bounds(span: Span) -> Diagnostic {
    Diagnostic::error(span.range(), "this operator has no bounds")
        .label("only `F G H O` have bounds")
        .help("repeat the operator: `X X p`")
}

/// Bounds in the wrong order.
pub(super) fn reversed_bounds(low: u32, high: u32, span: Span) -> Diagnostic {
    Diagnostic::error(span.range(), "the bounds of this operator are reversed")
        .label(format!("{low} is larger than {high}"))
        .help("write the smaller bound first")
}

/// `case esac`.
pub(super) fn empty_case(span: Span) -> Diagnostic {
    Diagnostic::error(span.range(), "this `case` has no branch")
        .label("expected `condition : value;`")
        .help("write at least `TRUE : value;`")
}

/// A temporal operator that cannot stand in its place.
pub(super) fn misplaced_temporal(
    word: Reserved,
    span: Span,
    previous: &str,
    in_until: bool,
) -> Diagnostic {
    let spelling = word.text();
    let error = Diagnostic::error(span.range(), format!("`{spelling}` is not allowed here"));
    let after_ctl = matches!(previous, "EX" | "AX" | "EF" | "AF" | "EG" | "AG");
    match previous {
        _ if in_until || after_ctl => error
            .label("an operator of LTL in a formula of CTL")
            .help("in CTL each temporal operator begins with `A` or `E`, as in `AG AF p`"),
        "=" => error
            .label("a temporal formula is no operand of `=`")
            .help(format!("write `<->` between formulas; `{spelling}` is a reserved word")),
        _ => {
            error.label("a temporal formula is no operand of the operator before it").help(format!(
                "`{spelling}` is a reserved word; if it is meant as an operator, put its formula \
                 in parentheses"
            ))
        }
    }
}

/// An infix operator that cannot follow its left operand.
pub(super) fn misplaced_operator(
    text: &str,
    span: Span,
    is_set: bool,
    is_array: bool,
    in_until: bool,
) -> Diagnostic {
    let error = Diagnostic::error(span.range(), format!("`{text}` is not allowed here"));
    if is_array {
        error.label("an array literal is no operand").help("define the array, and use its name")
    } else if is_set {
        error
            .label("a set is no operand of this operator")
            .help("put the set in parentheses, or use `in` and `union`")
    } else if in_until {
        error
            .label("operators of LTL and `?:` do not stand in `A [..]` and `E [..]`")
            .help("put the operand in parentheses")
    } else {
        error.label("this operator does not fit its left operand").help("use parentheses")
    }
}

/// A function without its parenthesis.
pub(super) fn after_function(word: Reserved, token: Token, previous: Span) -> Diagnostic {
    let spelling = word.text();
    if matches!(word, Reserved::Unsigned | Reserved::Signed)
        && matches!(token.kind, Kind::Reserved(Reserved::Word))
    {
        return Diagnostic::error(previous.to(token.span).range(), "a type is no expression")
            .label("casts to a type are nuXmv's")
            .help(format!("write `{spelling}(e)`, `resize(e, n)` or `extend(e, n)`"));
    }
    Diagnostic::error(token.span.range(), format!("`{spelling}` needs an argument"))
        .label("expected `(`")
        .help(format!("write `{spelling}(..)`; `{spelling}` is a reserved word and no name"))
}

/// `A` or `E` without its bracket.
pub(super) fn after_quantifier(word: Reserved, token: Token) -> Diagnostic {
    let spelling = word.text();
    let error = Diagnostic::error(token.span.range(), format!("`{spelling}` needs brackets"));
    if token.is(Sign::Open) {
        return error
            .label("expected `[`")
            .help(format!("write `{spelling} [p U q]` with square brackets"));
    }
    error.label("expected `[`").help(format!(
        "write `{spelling} [p U q]`; `{spelling}` is a reserved word, and no variable or value"
    ))
}

/// `X~`, `@F~` and other operators of nuXmv.
pub(super) fn timed_operator(text: &str, start: usize) -> Diagnostic {
    Diagnostic::error(start..start + text.len(), format!("there is no `{text}`"))
        .label("an operator or annotation of nuXmv")
        .help("models have no real time; write the operators of LTL, such as `X`, `F` and `O`")
}
