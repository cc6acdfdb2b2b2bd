//! The wording of errors about names and types.

use kermode_base::{Diagnostic, Source, closest};

use super::Flattener;
use crate::flat::Type;
use crate::syntax::{NodeId, Span};

/// Advice that several errors share.
pub(super) mod hint {
    pub(crate) const SYMBOLS_ARE_GLOBAL: &str =
        "symbolic constants are known in all modules: rename the constant or the other name";
}

impl Flattener<'_> {
    /// The line and column of the beginning of a span.
    pub(super) fn place(&self, span: Span) -> (usize, usize) {
        Source { name: "", text: self.text }.line_and_column(span.start as usize)
    }

    /// The place of the operator between two operands.
    pub(super) fn between(&self, node: NodeId, left: NodeId, right: NodeId) -> Span {
        let (from, to) = (self.file.span(left).end, self.file.span(right).start);
        let whole = self.file.span(node);
        let Some(gap) = self.text.get(from as usize..to as usize) else { return whole };
        let bytes = gap.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b')' | b'(' => at += 1,
                byte if byte.is_ascii_whitespace() => at += 1,
                b'-' if bytes.get(at + 1) == Some(&b'-') => {
                    at += gap[at..].find('\n').unwrap_or(gap.len() - at);
                }
                b'/' if gap[at..].starts_with("/--") => {
                    at += gap[at..].find("--/").map_or(gap.len() - at, |end| end + 3);
                }
                _ => {
                    let is_word = |byte: &u8| byte.is_ascii_alphabetic();
                    let is_sign = |byte: &u8| byte.is_ascii_punctuation() && *byte != b'(';
                    let rest = &bytes[at..];
                    let length = match is_word(&rest[0]) {
                        true => rest.iter().take_while(|byte| is_word(byte)).count(),
                        false => rest.iter().take_while(|byte| is_sign(byte)).count(),
                    };
                    let start = from as usize + at;
                    return Span::new(start, start + length.max(1));
                }
            }
        }
        whole
    }
}

/// The error that a name is not declared.
pub(super) fn undefined<'n>(
    span: Span,
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'n str>,
) -> Diagnostic {
    let error = Diagnostic::error(span.range(), format!("there is no {what} `{name}`"));
    error.help(advice(name, known).unwrap_or_else(|| {
        format!(
            "check the spelling, or declare the {what} `{name}`; a module sees its own names only"
        )
    }))
}

fn advice<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    let foreign = match name {
        "true" | "True" => Some("the constant is written `TRUE`"),
        "false" | "False" => Some("the constant is written `FALSE`"),
        "else" | "default" | "otherwise" => {
            Some("the last branch of a `case` is written `TRUE : ..;`")
        }
        "running" => Some("only processes have `running`: declare the instance with `process`"),
        "integer" | "Integer" | "int" => {
            Some("integers need bounds, for instance `0..255`, or use `signed word[32]`")
        }
        "real" | "Real" | "clock" => Some("only types with finitely many values are supported"),
        "bool" | "Boolean" | "Bool" => Some("the type is written `boolean`"),
        "not" | "and" | "or" | "implies" | "iff" => {
            Some("operators are written `!`, `&`, `|`, `->`, `<->`")
        }
        "floor" | "sin" | "cos" | "tan" | "exp" | "ln" | "pow" | "pi" | "time" => {
            Some("nuXmv's functions on reals are not supported")
        }
        _ => None,
    };
    if let Some(advice) = foreign {
        return Some(advice.to_owned());
    }
    if let Some(known) = closest(name, known) {
        return Some(format!("did you mean `{known}`?"));
    }
    name.contains('-').then(|| {
        let (left, right) = name.split_once('-').unwrap_or((name, ""));
        format!("`-` is part of names: write `{left} - {right}` for a difference, `{left} -> ..` for an implication")
    })
}

/// A type, as messages call it.
pub(super) fn called(ty: Type) -> String {
    match ty {
        Type::Boolean => "a Boolean value".to_owned(),
        Type::Integer => "an integer".to_owned(),
        Type::Symbolic => "a symbolic constant".to_owned(),
        Type::Mixed => "an integer or symbolic constant".to_owned(),
        Type::Word { signed: true, width } => format!("a signed word of {width} bits"),
        Type::Word { signed: false, width } => format!("an unsigned word of {width} bits"),
        Type::BooleanSet => "a set of Boolean values".to_owned(),
        Type::IntegerSet => "a set of integers".to_owned(),
        Type::SymbolicSet => "a set of symbolic constants".to_owned(),
        Type::MixedSet => "a set of integers and symbolic constants".to_owned(),
    }
}
