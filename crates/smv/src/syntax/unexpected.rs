//! Messages about tokens that do not fit, with what was probably meant.

use kermode_base::Diagnostic;

use super::expressions::FrameKind;
use super::foreign;
use super::literals;
use super::token::{Kind, Reserved, Sign, Token};
use super::tree::Span;

/// A token that does not fit.
pub(super) struct Unexpected<'t> {
    pub(super) text: &'t str,
    pub(super) token: Token,
    pub(super) previous: Span,
    /// The word that began the section.
    pub(super) section: Reserved,
    pub(super) expected: &'t str,
    /// The bracket that is open, and where it begins.
    pub(super) bracket: Option<(FrameKind, u32)>,
}

impl<'t> Unexpected<'t> {
    fn spelling(&self) -> &'t str {
        &self.text[self.token.span.range()]
    }

    fn previous(&self) -> &'t str {
        &self.text[self.previous.range()]
    }

    /// The text behind the token.
    fn rest(&self) -> &'t str {
        &self.text[self.token.span.end as usize..]
    }

    fn is_adjacent(&self) -> bool {
        self.previous.end == self.token.span.start
    }

    /// The line of a byte, from 1.
    fn line(&self, byte: u32) -> usize {
        let newlines = self.text.as_bytes()[..byte as usize].iter().filter(|&&b| b == b'\n');
        newlines.count() + 1
    }

    /// The message in an element of a section.
    pub(super) fn diagnostic(&self) -> Diagnostic {
        let special = self
            .foreign_sign()
            .or_else(|| self.foreign_word())
            .or_else(|| self.reserved())
            .or_else(|| self.number());
        if let Some(diagnostic) = special {
            return diagnostic;
        }
        let message = match self.token.kind {
            Kind::End => "the text ends too early".to_owned(),
            _ => format!("`{}` does not fit here", self.spelling()),
        };
        let error = Diagnostic::error(self.token.span.range(), message)
            .label(format!("expected {}", self.expected));
        error.help(self.remedy().unwrap_or_else(|| format!("write {}", self.expected)))
    }

    fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.token.span.range(), message)
    }

    /// An error at the token before the present one, if both are in one line.
    fn error_at_previous(&self, message: impl Into<String>) -> Diagnostic {
        let between = &self.text[self.previous.start as usize..self.token.span.start as usize];
        let span = if between.contains('\n') { self.token.span } else { self.previous };
        Diagnostic::error(span.range(), message)
    }

    /// Signs of other languages, which are read as two tokens.
    fn foreign_sign(&self) -> Option<Diagnostic> {
        let both = &self.text[self.previous.start as usize..self.token.span.end as usize];
        if self.is_adjacent()
            && let Some((message, help)) = foreign::sign(both)
        {
            let span = self.previous.to(self.token.span).range();
            let label = "no sign of the SMV language";
            return Some(Diagnostic::error(span, message).label(label).help(help));
        }
        let start = self.token.span.start as usize;
        let opening: String = self.text[start..].chars().take(2).collect();
        if !self.expected.contains("expression") && !opening.starts_with('/') {
            return None;
        }
        let (message, help) = foreign::opening_sign(&opening)?;
        let span = start..start + opening.len();
        Some(Diagnostic::error(span, message).label("no sign of the SMV language").help(help))
    }

    /// Words of other languages: the token, or the name before it.
    fn foreign_word(&self) -> Option<Diagnostic> {
        let at_operator = self.expected.contains("operator") || self.expected.contains("section");
        let at_operator = at_operator || self.bracket.is_some() || self.expected.contains("`;`");
        if !at_operator {
            return None;
        }
        let previous = self.previous();
        let is_call = self.token.is(Sign::Open);
        let begins_operand = is_call
            || matches!(self.token.kind, Kind::Name(_) | Kind::Integer(_))
            || matches!(self.token.kind, Kind::Reserved(word) if word.is_temporal());
        if begins_operand && let Some((message, help)) = foreign::prefix_word(previous) {
            let label = "this is read as a name";
            return Some(self.error_at_previous(message).label(label).help(help));
        }
        if let Kind::Name(_) = self.token.kind
            && let Some((message, help)) = foreign::infix_word(self.spelling())
        {
            return Some(self.error(message).label("no operator of the SMV language").help(help));
        }
        let is_name = previous.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if is_call && is_name && !Reserved::ALL.iter().any(|&(_, text)| text == previous) {
            let message = format!("`{previous}` is no function");
            return Some(self.error_at_previous(message).label("names are not called").help(
                "functions over values are nuXmv's; write a DEFINE, or an operator such as `&`",
            ));
        }
        None
    }

    /// Reserved words in the place of an expression or of a name.
    fn reserved(&self) -> Option<Diagnostic> {
        let Kind::Reserved(word) = self.token.kind else { return None };
        let spelling = word.text();
        if word.begins_section() {
            return self.section_word(word);
        }
        let error = self.error(format!("`{spelling}` does not fit here"));
        let expected = format!("expected {}", self.expected);
        if !self.expected.contains("expression") && !self.expected.contains("name") {
            return match word {
                Reserved::Esac if self.expected.contains("`;`") => {
                    Some(error.label(expected).help("each branch ends in `;`, the last one too"))
                }
                Reserved::InInstance => None,
                _ if word.is_temporal() && self.bracket.is_none() => {
                    Some(error.label(expected).help(format!("`{spelling}` is a temporal operator")))
                }
                _ => None,
            };
        }
        Some(match word {
            Reserved::Esac => error.label(expected).help("`esac` closes a `case`"),
            Reserved::InitOf if self.expected.contains("name of the") => {
                error.label("a reserved word is no name").help("choose another name")
            }
            Reserved::InitOf => error.label("`init` is no function on values").help(
                "write initial values as `init(x) := ..` in ASSIGN, or as a condition in INIT",
            ),
            Reserved::Next => error
                .label(expected)
                .help("write `next(x) := ..` in ASSIGN, or a condition with `next(x)` in TRANS"),
            Reserved::Boolean | Reserved::Word | Reserved::CapitalWord | Reserved::Array => error
                .label("a type is no expression")
                .help("types stand behind `:` in VAR, as in `x : boolean;`"),
            Reserved::Process => error
                .label(expected)
                .help("`process` stands before the module of an instance: `p : process m;`"),
            Reserved::Read | Reserved::Write | Reserved::Constarray | Reserved::Typeof => error
                .label("an operator of nuXmv for infinite arrays")
                .help("write `a[i]` to read an element, and one assignment per element"),
            Reserved::Fun | Reserved::Itype => {
                error.label("a word of nuXmv").help("write a DEFINE")
            }
            _ if word.is_temporal() => error.label("a reserved word: a temporal operator").help(
                format!("a name must be longer, such as `{spelling}_`; operators need operands"),
            ),
            Reserved::Of
            | Reserved::ComputeMin
            | Reserved::ComputeMax
            | Reserved::NameWord
            | Reserved::InInstance => error.label(expected).help(format!(
                "`{spelling}` is a reserved word; choose another name, such as `{spelling}_`"
            )),
            _ if self.expected.contains("name") => error
                .label("a reserved word is no name")
                .help(format!("choose another name, such as `{spelling}_`")),
            _ => error.label(expected).help(format!("`{spelling}` needs an operand before it")),
        })
    }

    /// A section begins where an element is not complete.
    fn section_word(&self, word: Reserved) -> Option<Diagnostic> {
        let (spelling, section) = (word.text(), self.section.text());
        if let Some(diagnostic) = self.unclosed() {
            return Some(diagnostic);
        }
        let expected = format!("expected {}", self.expected);
        if self.expected.contains("`;`") {
            let message = format!("`;` is missing before `{spelling}`");
            return Some(self.error(message).label(expected).help(format!(
                "put `;` behind `{}` in line {}",
                self.previous(),
                self.line(self.previous.start)
            )));
        }
        if self.expected.contains("expression") {
            let message = format!("an expression is missing before `{spelling}`");
            let help = if self.previous() == section {
                format!("write a formula behind `{section}`, or remove it")
            } else {
                format!("complete the expression behind `{}`", self.previous())
            };
            return Some(self.error(message).label(expected).help(help));
        }
        if self.expected.contains("name") {
            return Some(
                self.error(format!("`{spelling}` is a reserved word"))
                    .label(expected)
                    .help(format!("choose another name, such as `{}`", spelling.to_lowercase())),
            );
        }
        None
    }

    /// A bracket that is not closed where something else begins.
    fn unclosed(&self) -> Option<Diagnostic> {
        let (kind, open) = self.bracket?;
        let line = self.line(open);
        let (bracket, closing) = match kind {
            FrameKind::Parenthesis | FrameKind::Call(_) => ("parenthesis", "`)`"),
            FrameKind::Set => ("set", "`}`"),
            FrameKind::Array => ("array", "`]`"),
            FrameKind::Index | FrameKind::Bits => ("index", "`]`"),
            FrameKind::CaseCondition => ("`case`", "`esac`"),
            FrameKind::UntilLeft(_) | FrameKind::UntilRight(..) => ("bracket", "`]`"),
            _ => return None,
        };
        let message = format!("the {bracket} of line {line} is not closed");
        let help = format!("put {closing} before this");
        Some(self.error(message).label(format!("expected {}", self.expected)).help(help))
    }

    /// Numbers glued to names.
    fn number(&self) -> Option<Diagnostic> {
        let previous = self.previous();
        let after_digit = previous.starts_with(|c: char| c.is_ascii_digit());
        if !after_digit || !self.is_adjacent() || !matches!(self.token.kind, Kind::Name(_)) {
            return None;
        }
        let span = self.previous.to(self.token.span).range();
        let message = format!("`{}` is no name and no number", &self.text[span.clone()]);
        let error = Diagnostic::error(span, message);
        Some(if previous == "0" && literals::resembles_word(self.spelling()) {
            error
                .label("no word literal either")
                .help("a word is written as `0ud8_255`: sign, base, width, `_`, digits")
        } else {
            error
                .label("a name begins with a letter or `_`")
                .help("put an operator between, or rename it")
        })
    }

    /// What to do about a token that is fine elsewhere.
    fn remedy(&self) -> Option<String> {
        let expected = self.expected;
        let help = match self.token.kind {
            Kind::Sign(Sign::Equal) if expected.contains("`:=`") => "write `:=` instead of `=`",
            Kind::Sign(Sign::Colon) if expected.contains("`:=`") => "write `:=` instead of `:`",
            Kind::Sign(Sign::Assign) if expected.contains("`:` and a type") => {
                "write `:` and a type here, or move the definition to DEFINE or ASSIGN"
            }
            Kind::Sign(Sign::Comma) if expected.contains("`:` and a type") => {
                "declare each variable by itself: `a : boolean; b : boolean;`"
            }
            Kind::Sign(Sign::Equal) if expected.contains("`:` and a type") => {
                "write `:` between the name and its type"
            }
            Kind::Sign(Sign::Assign) if matches!(self.section, Reserved::Var) => {
                "give the initial value in ASSIGN: `init(x) := ..;`"
            }
            Kind::Sign(Sign::Assign) if self.bracket.is_some_and(|(kind, _)| is_case(kind)) => {
                "close the `case` by `esac;` before the next assignment"
            }
            Kind::Sign(Sign::Assign) => "write `=` to compare; `:=` stands in ASSIGN and DEFINE",
            Kind::Sign(Sign::OpenBrace) if expected.contains("expression") => {
                "a set is no operand of the operator before it; put it in parentheses"
            }
            Kind::Sign(Sign::CloseBrace) if self.previous() == "," => "remove the comma",
            Kind::Sign(Sign::CloseBrace) if self.previous() == "{" => {
                "a set or an enumeration has at least one value"
            }
            Kind::Sign(Sign::Close) if self.previous() == "," => "remove the comma",
            Kind::Sign(Sign::Close) if expected.contains("pair") => {
                "write two conditions: `COMPASSION (p, q)`"
            }
            Kind::Sign(Sign::Close)
                if self.bracket.is_none() && !expected.contains("expression") =>
            {
                "there is no `(` to close: remove it, or put `(` before"
            }
            Kind::Sign(Sign::Range) if expected.contains("`}`") => {
                "write a range of integers without braces: `1..3`"
            }
            Kind::Sign(Sign::Range) => {
                "bounds of `..` in expressions are integer literals; a range is no operand of \
                 arithmetic"
            }
            Kind::Sign(Sign::Dot) if self.previous() == ".." => "write two points: `0..3`",
            Kind::Sign(Sign::Minus) if expected.contains("`..`") => "write `..` between bounds",
            Kind::Sign(Sign::OpenBracket) if self.previous() == "array" => {
                "write `array 0..3 of boolean`, without brackets"
            }
            Kind::Sign(Sign::OpenBracket)
                if matches!(self.previous(), "U" | "V" | "S" | "T" | "X" | "Y" | "Z") =>
            {
                return Some(format!(
                    "`{}` has no bounds; only `F`, `G`, `O` and `H` have them",
                    self.previous()
                ));
            }
            _ if expected.contains("MDEFINE") => "write DEFINE instead of MDEFINE",
            _ if expected.contains("and the other value") => {
                "write both values: `condition ? value : other value`"
            }
            Kind::Sign(Sign::OpenBracket) if expected.contains("expression") => {
                "array literals stand in DEFINE only; write a set as `{..}`"
            }
            Kind::Sign(Sign::Comma)
                if matches!(self.bracket, Some((FrameKind::Parenthesis, _)))
                    && self.section != Reserved::Compassion =>
            {
                "a parenthesis has one expression; pairs belong to COMPASSION"
            }
            Kind::Sign(Sign::Semicolon) if expected.contains("a type") => "write a type before `;`",
            Kind::Sign(Sign::Semicolon) if expected.contains("expression") => {
                "write an expression before `;`"
            }
            Kind::Sign(sign) if expected.contains("expression") => {
                return Some(format!("`{}` needs an operand before it", sign.text()));
            }
            Kind::Name(_) if expected.contains("`;`") => {
                return Some(format!("put `;` or an operator behind `{}`", self.previous()));
            }
            _ => return self.unclosed().and_then(|error| error.help),
        };
        Some(help.to_owned())
    }

    /// The message where an element or a section is expected.
    pub(super) fn section(&self) -> Diagnostic {
        let spelling = self.spelling();
        let special = self.foreign_sign().or_else(|| self.foreign_word()).or_else(|| self.number());
        if let Some(diagnostic) = special {
            return diagnostic;
        }
        let section = self.section.text();
        match self.token.kind {
            Kind::Name(_) => self.name_as_section(spelling, section),
            Kind::Reserved(Reserved::InitOf | Reserved::Next) => self
                .error(format!("`{spelling}(x) := ..` stands in ASSIGN only"))
                .label(format!("this follows a section {section}"))
                .help("write `ASSIGN` before it"),
            Kind::Reserved(Reserved::Boolean | Reserved::Word | Reserved::Array) => self
                .error(format!("a declaration does not begin with `{spelling}`"))
                .label("expected a name")
                .help("write the name first: `x : boolean;`"),
            Kind::Reserved(Reserved::Fun) => self
                .error("functions are not part of the language")
                .label("a section of nuXmv")
                .help("write a DEFINE, or a module with parameters"),
            Kind::Reserved(Reserved::Esac) => self
                .error("`esac` closes no `case`")
                .label("no `case` is open here")
                .help("remove it, or write `case` before the branches"),
            Kind::Reserved(Reserved::InInstance) => self
                .error("`IN` follows a formula")
                .label("no formula is before it")
                .help("write `LTLSPEC p IN instance`"),
            Kind::Reserved(word) => self
                .error(format!("`{spelling}` is a reserved word"))
                .label("expected a name or a section")
                .help(if word.is_temporal() {
                    format!("temporal operators are no names; write for example `{spelling}_`")
                } else {
                    format!("choose another name, such as `{spelling}_`")
                }),
            Kind::Integer(_) if self.rest().starts_with(|c: char| c.is_ascii_alphabetic()) => self
                .error(format!("a name does not begin with a digit: `{spelling}..`"))
                .label("expected a name or a section")
                .help("begin the name with a letter or `_`"),
            Kind::Integer(_) | Kind::WordLiteral(_) => self
                .error(format!("`{spelling}` begins neither a declaration nor a section"))
                .label("expected a name or a section")
                .help("a name begins with a letter or `_`"),
            Kind::Sign(sign) => self.sign_as_section(sign, section),
            Kind::End | Kind::Bad => self.error("the text ends too early"),
        }
    }

    fn name_as_section(&self, spelling: &str, section: &str) -> Diagnostic {
        if let Some((label, help)) = foreign::section(spelling) {
            return self.error(format!("there is no section `{spelling}`")).label(label).help(help);
        }
        let rest = self.rest().trim_start();
        let error = self.error(format!("`{spelling}` does not fit here"));
        if rest.starts_with(":=") {
            error
                .label(format!("an assignment in a section {section}"))
                .help("write `ASSIGN` or `DEFINE` before it")
        } else if rest.starts_with(':') {
            error
                .label(format!("a declaration in a section {section}"))
                .help("write `VAR` before it")
        } else {
            error
                .label("expected an operator, `;` or a section")
                .help(format!("put an operator between `{}` and `{spelling}`", self.previous()))
        }
    }

    fn sign_as_section(&self, sign: Sign, section: &str) -> Diagnostic {
        let spelling = sign.text();
        let error = self.error(format!("`{spelling}` does not fit here"));
        match sign {
            Sign::Semicolon if self.previous() == ";" => {
                error.label("a second `;`").help("remove it")
            }
            Sign::Semicolon if self.section == Reserved::Module => {
                error.label("the head of a module has no `;`").help("remove it")
            }
            Sign::Semicolon if self.section == Reserved::Isa => {
                error.label("`ISA m` has no `;`").help("remove it")
            }
            Sign::Semicolon => error.label("nothing is before this `;`").help("remove it"),
            Sign::Assign => error
                .label(format!("a section {section} has no assignments"))
                .help("write `=` in a condition, or move the assignment to ASSIGN"),
            Sign::Close => {
                error.label("no parenthesis is open").help("remove it, or put `(` before")
            }
            Sign::CloseBracket => error.label("no `[` is open").help("remove it"),
            Sign::CloseBrace => {
                error.label("no `{` is open").help("remove it; sections are not put in braces")
            }
            Sign::OpenBrace => error
                .label("sections are not put in braces")
                .help("remove the braces; a section ends where the next one begins"),
            Sign::Colon => error
                .label(format!("this is in a section {section}"))
                .help("write `VAR` before declarations, and `case .. esac` around branches"),
            Sign::Comma => error
                .label(format!("a section {section} has one expression"))
                .help("write `&` between conditions"),
            _ => {
                error.label("expected a name or a section").help("remove it, or complete the line")
            }
        }
    }
}

fn is_case(kind: FrameKind) -> bool {
    matches!(kind, FrameKind::CaseCondition | FrameKind::CaseValue)
}
