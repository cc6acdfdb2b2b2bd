//! Splits a file into its six fields. Each occurs once; their contents are checked later.

use std::ops::Range;

use kermode_base::Diagnostic;
use kermode_base::quoting::unescaped;

use super::lex::{Lexer, Token};
use crate::name::Name;

/// The contents of a file. Conditions are ranges of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields {
    pub(super) automaton_type: Name,
    pub(super) locations: Vec<Name>,
    pub(super) propositions: Vec<Name>,
    pub(super) initial: Range<usize>,
    pub(super) accepting: Vec<Name>,
    pub(super) transitions: Vec<(Name, Range<usize>)>,
}

const FIELDS: [&str; 6] = [
    "automaton_type",
    "locations",
    "propositions",
    "initial_constraint",
    "accepting_locations",
    "transition_function",
];

/// Takes a text apart.
pub(super) fn read_fields(text: &str) -> Result<Fields, Diagnostic> {
    let mut reader = Reader::new(text)?;
    let open = reader.span.clone();
    reader.expect('(', "`(`, with which an automaton begins")?;
    let mut fields = Fields::default();
    let mut seen = [false; FIELDS.len()];
    while reader.token != Token::Sign(')') {
        reader.field(&mut fields, &mut seen)?;
        reader.comma_or(')', &open)?;
    }
    if let Some(missing) = seen.iter().position(|seen| !seen) {
        let message = format!("the field `{}` is missing", FIELDS[missing]);
        return Err(Diagnostic::error(reader.span, message).label("the automaton ends here"));
    }
    reader.advance()?;
    match reader.token {
        Token::End => Ok(fields),
        _ => Err(reader.unexpected("nothing behind the automaton")),
    }
}

/// The text from a token on.
struct Reader<'t> {
    lexer: Lexer<'t>,
    token: Token,
    span: Range<usize>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Result<Self, Diagnostic> {
        let mut lexer = Lexer::of_file(text);
        let (token, span) = lexer.next()?;
        Ok(Reader { lexer, token, span })
    }

    fn advance(&mut self) -> Result<(), Diagnostic> {
        (self.token, self.span) = self.lexer.next()?;
        Ok(())
    }

    fn found(&self) -> &'t str {
        self.lexer.slice(&self.span)
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        let message = match self.token {
            Token::End => "the text ends too early".to_owned(),
            Token::Text(_) => "unexpected string".to_owned(),
            _ => format!("unexpected `{}`", self.found()),
        };
        Diagnostic::error(self.span.clone(), message).label(format!("expected {expected}"))
    }

    fn expect(&mut self, sign: char, expected: &str) -> Result<(), Diagnostic> {
        match self.token == Token::Sign(sign) {
            true => self.advance(),
            false => Err(self.unexpected(expected)),
        }
    }

    /// A comma, or the closing sign, which is not consumed.
    fn comma_or(&mut self, close: char, open: &Range<usize>) -> Result<(), Diagnostic> {
        match self.token {
            Token::Sign(',') => self.advance(),
            Token::Sign(sign) if sign == close => Ok(()),
            Token::End => {
                let opened = self.lexer.slice(open);
                Err(Diagnostic::error(open.clone(), format!("`{opened}` is never closed"))
                    .label(format!("expected `{close}` somewhere after this")))
            }
            _ => Err(self.unexpected(&format!("`,` or `{close}`"))),
        }
    }

    fn field(
        &mut self,
        fields: &mut Fields,
        seen: &mut [bool; FIELDS.len()],
    ) -> Result<(), Diagnostic> {
        let name = if self.token == Token::Word { self.found() } else { "" };
        let Some(field) = FIELDS.iter().position(|&field| field == name) else {
            let help = format!("the fields are `{}`", FIELDS.join("`, `"));
            return Err(self.unexpected("the name of a field").help(help));
        };
        if std::mem::replace(&mut seen[field], true) {
            let message = format!("the field `{name}` is there twice");
            return Err(Diagnostic::error(self.span.clone(), message).label("one is enough"));
        }
        self.advance()?;
        self.expect('=', "`=`")?;
        match name {
            "automaton_type" => fields.automaton_type = self.quoted("a string")?,
            "locations" => fields.locations = self.list(Self::location)?,
            "propositions" => fields.propositions = self.list(Self::proposition)?,
            "initial_constraint" => fields.initial = self.string("a string with a condition")?,
            "accepting_locations" => fields.accepting = self.list(Self::location)?,
            _ => fields.transitions = self.transitions()?,
        }
        Ok(())
    }

    /// The inside of a string.
    fn string(&mut self, expected: &str) -> Result<Range<usize>, Diagnostic> {
        match self.token.clone() {
            Token::Text(inside) => {
                self.advance()?;
                Ok(inside)
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    fn quoted(&mut self, expected: &str) -> Result<Name, Diagnostic> {
        let span = self.span.clone();
        let inside = self.string(expected)?;
        Ok(Name { name: unescaped(self.lexer.slice(&inside)), span })
    }

    fn proposition(&mut self) -> Result<Name, Diagnostic> {
        let bare = self.token == Token::Word;
        let help = format!("propositions are quoted: \"{}\"", self.found());
        let name = self.quoted("a proposition in quotes");
        name.map_err(|error| if bare { error.help(help) } else { error })
    }

    /// A number or a name in quotes.
    fn location(&mut self) -> Result<Name, Diagnostic> {
        let word = self.found();
        if self.token != Token::Word {
            return self.quoted("a location: a number, or a name in quotes");
        }
        let Some(name) = number(word) else {
            let error = self.unexpected("a location: a number, or a name in quotes");
            return Err(match FIELDS.contains(&word) {
                true => error.help("the list or the table before this field is not closed"),
                false => error.help(format!("names of locations are quoted: \"{word}\"")),
            });
        };
        let name = Name { name: name.to_owned(), span: self.span.clone() };
        self.advance()?;
        Ok(name)
    }

    fn list(
        &mut self,
        element: impl Fn(&mut Self) -> Result<Name, Diagnostic>,
    ) -> Result<Vec<Name>, Diagnostic> {
        let open = self.span.clone();
        self.expect('[', "a list, which begins with `[`")?;
        let mut elements = Vec::new();
        while self.token != Token::Sign(']') {
            elements.push(element(self)?);
            self.comma_or(']', &open)?;
        }
        self.advance()?;
        Ok(elements)
    }

    fn transitions(&mut self) -> Result<Vec<(Name, Range<usize>)>, Diagnostic> {
        let open = self.span.clone();
        self.expect('{', "`{`, with which the transitions begin")?;
        let mut transitions = Vec::new();
        while self.token != Token::Sign('}') {
            let location = self.location()?;
            self.expect(':', "`:`")?;
            transitions.push((location, self.string("a string with the transition")?));
            self.comma_or('}', &open)?;
        }
        self.advance()?;
        Ok(transitions)
    }
}

/// The digits of a number, without zeros in front.
pub(super) fn number(word: &str) -> Option<&str> {
    let digits = word.bytes().all(|b| b.is_ascii_digit()) && !word.is_empty();
    let zeros = word.bytes().take_while(|&b| b == b'0').count();
    digits.then(|| &word[zeros.min(word.len() - 1)..])
}
