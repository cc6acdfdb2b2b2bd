//! Spellings of other languages, and what to write instead.

use super::token::Reserved;

/// Two signs of one character, or a sign of two and one more, that stand side by side.
pub(super) fn sign(both: &str) -> Option<(String, &'static str)> {
    let help = match both {
        "&&" => "write `&`",
        "||" => "write `|`",
        "==" => "write `=`",
        "!==" => "write `!=`",
        "=>" => "write `->` for an implication, `>=` for a comparison",
        "=<" => "write `<=`",
        "<>" => "write `!=` for \"not equal\", `F` for \"eventually\"",
        "<=>" => "write `<->`",
        "<->" | "<-" => "write `->` with its operands exchanged, or `<->`",
        "//" => "comments begin with `--`",
        "/*" => "write comments as `-- ..` or `/-- .. --/`",
        "**" => "there are no powers; write a product",
        "++" => "write `x + 1`",
        "+=" => "write `next(x) := x + ..;`",
        ":==" => "write `:=`",
        _ => return None,
    };
    Some((format!("there is no `{both}`"), help))
}

/// Two characters that begin no operand.
pub(super) fn opening_sign(both: &str) -> Option<(String, &'static str)> {
    let help = match both {
        "[]" => "write `G` for \"always\"",
        "<>" => "write `F` for \"eventually\"",
        "()" => "write `X` for \"next\"",
        "//" => "comments begin with `--`",
        "/*" => "write comments as `-- ..` or `/-- .. --/`",
        _ => return None,
    };
    Some((format!("there is no `{both}`"), help))
}

/// A name that is an operator before its operand in other languages.
pub(super) fn prefix_word(word: &str) -> Option<(String, String)> {
    let help = match word {
        "not" | "NOT" | "Not" => "write `!` for the negation",
        "if" | "IF" => "write `c ? a : b`, or `case c : a; TRUE : b; esac`",
        "ite" => "write `c ? a : b`",
        "always" | "globally" => "write `G`",
        "eventually" | "finally" => "write `F`",
        "never" => "write `G !`",
        "forall" | "exists" => "write the cases one by one, or one instance of a module for each",
        "floor" | "sin" | "cos" | "tan" | "exp" | "ln" | "pow" | "pi" => {
            "functions on reals are nuXmv's; models have integers and words"
        }
        "time_since" | "time_until" | "time" => {
            "models have no real time; write `O`, `F` or a counter"
        }
        "sum" => "write the sum with `+`; `count(b, ..)` counts Boolean values",
        "swap" | "bitcast" => "there is no such function",
        "integer" | "int" => "write `toint(e)`",
        "boolean" => "write `bool(e)`",
        "prev" | "last" | "previous" => "write `Y` in LTL, or keep the value in a variable",
        "M" | "W" | "R" | "N" => {
            return Some((
                format!("`{word}` is a name and no operator"),
                "write operators as `X F G U V Y Z O H S T`".to_owned(),
            ));
        }
        _ => {
            let parts = glued_operators(word)?;
            return Some((
                format!("`{word}` is read as one name"),
                format!("put blanks between temporal operators: `{parts}`"),
            ));
        }
    };
    Some((format!("there is no operator `{word}`"), help.to_owned()))
}

/// `GF` as `G F`, and `AGEF` as `AG EF`.
fn glued_operators(word: &str) -> Option<String> {
    let is_ctl = |pair: &[u8]| matches!(pair, [b'A' | b'E', b'X' | b'F' | b'G']);
    let bytes = word.as_bytes();
    if bytes.len() < 2 {
        return None;
    }
    if bytes.len().is_multiple_of(2) && bytes.chunks(2).all(is_ctl) {
        let parts: Vec<&str> = (0..bytes.len()).step_by(2).map(|i| &word[i..i + 2]).collect();
        return Some(parts.join(" "));
    }
    let is_ltl = |byte: &u8| matches!(byte, b'X' | b'F' | b'G' | b'Y' | b'Z' | b'H' | b'O');
    bytes.iter().all(is_ltl).then(|| {
        let letters: Vec<String> = word.chars().map(String::from).collect();
        letters.join(" ")
    })
}

/// A name that is an operator between operands in other languages.
pub(super) fn infix_word(word: &str) -> Option<(String, &'static str)> {
    let help = match word {
        "and" | "AND" | "And" => "write `&`",
        "or" | "OR" | "Or" => "write `|`",
        "XOR" | "Xor" => "write `xor`",
        "XNOR" => "write `xnor`",
        "implies" | "IMPLIES" | "imp" => "write `->`",
        "iff" | "IFF" => "write `<->`",
        "not" | "NOT" => "write `!` for the negation",
        "notin" => "write `!(x in {..})`",
        "IS" | "is" | "eq" => "write `=`",
        "div" | "DIV" => "write `/`",
        "MOD" | "rem" => "write `mod`",
        "R" => "write `V` for \"release\"",
        "W" => "`p W q` is `q V (p | q)`",
        "M" => "`p M q` is `q U (p & q)`",
        "B" => "`p B q` is `!(!p U q)`",
        "until" | "UNTIL" => "write `U`",
        "since" => "write `S`",
        "releases" => "write `V`",
        "weakuntil" => "`p W q` is `q V (p | q)`",
        "then" | "THEN" => "write `c ? a : b`, or `case c : a; TRUE : b; esac`",
        "else" | "ELSE" | "elsif" => "write `c ? a : b`, or `case c : a; TRUE : b; esac`",
        "endif" | "end" | "END" => "remove it: `case` ends in `esac`, sections have no end",
        "UNION" | "cup" => "write `union`",
        "shl" => "write `<<`",
        "shr" => "write `>>`",
        "at" => "`at next` and `at last` are nuXmv's",
        _ => return None,
    };
    Some((format!("there is no operator `{word}`"), help))
}

/// A name where a section is expected.
pub(super) fn section(word: &str) -> Option<(&'static str, String)> {
    let upper = word.to_ascii_uppercase();
    let known =
        Reserved::ALL.iter().find(|(section, text)| section.begins_section() && *text == upper);
    if let Some((_, text)) = known {
        return Some(("sections are written in capital letters", format!("write `{text}`")));
    }
    let (label, help) = match word {
        "PARAMETER" | "PARAMETERS" => {
            ("a section of nuXmv", "give a constant in DEFINE, or a FROZENVAR")
        }
        "URGENT" => ("a section of nuXmv for real time", "models have no real time: remove it"),
        "PRED" | "PREDICATES" | "MIRROR" => {
            ("a section of another tool", "remove it: it does not change what the model means")
        }
        "OPAQUE" => ("a section of another tool", "remove it"),
        "CTL" => ("no section", "write `CTLSPEC`"),
        "LTL" | "LTLSPECS" => ("no section", "write `LTLSPEC`"),
        "SPECIFICATION" | "PROPERTY" | "CHECK" => ("no section", "write `LTLSPEC` or `CTLSPEC`"),
        "INVARIANT" | "INVARIANTS" => {
            ("no section", "write `INVAR` to constrain the model, `INVARSPEC` to check a property")
        }
        "INPUT" | "INPUTS" => ("no section", "write `IVAR`"),
        "VARS" | "VARIABLES" | "STATE" => ("no section", "write `VAR`"),
        "FROZEN" | "RIGID" => ("no section", "write `FROZENVAR`"),
        "CONST" | "CONSTANT" => {
            ("no section", "write `CONSTANTS` for symbols, `DEFINE` for values")
        }
        "DEFINES" | "LET" => ("no section", "write `DEFINE`"),
        "FAIR" | "STRONGFAIR" => ("no section", "write `JUSTICE` or `COMPASSION`"),
        "TRANSITION" | "TRANSITIONS" | "NEXT" => ("no section", "write `TRANS`, or `ASSIGN`"),
        "INITIAL" => ("no section", "write `INIT`, or `ASSIGN` with `init(x) := ..;`"),
        "IMPORT" | "INCLUDE" | "include" | "import" => {
            ("no section", "texts are not included: put all modules into one file")
        }
        "typedef" | "TYPE" | "enum" => ("no section", "write the type behind each variable"),
        _ => return None,
    };
    Some((label, help.to_owned()))
}
