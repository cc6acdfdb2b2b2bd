//! Words as text, in three forms that are recognised by their beginning.
//!
//! - ALASKA's (figure 1 of \[DDMR08b\]): `initial part :` and letters, `omega loop :` and letters,
//!   where a letter is `[a, !b]`; line breaks are blanks, and an empty initial part may be left
//!   out. A finite word is `finite word :` and letters, which is our extension.
//! - Spot's: `a & !b; b; cycle{!a; 1}`. A letter is a cube, a conjunction of literals, also with
//!   `&&`, `/\`, `~`, `not`, `and` and parentheses; `1` or `true` is the empty cube. Without
//!   `cycle` the word is finite, which Spot does not read.
//! - JSON, see [`WordJson`].
//!
//! Propositions that a letter does not mention do not hold. Names are identifiers or quoted; inside
//! of quotes `\"` and `\\` are a quote and a backslash.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::json::{WordJson, word_from_json};
use super::scan::{Scanner, not_decided};
use crate::store::{Proposition, Store};
use crate::word::{Letter, Word};
use kermode_base::Diagnostic;

/// Reads a word in any of the forms.
pub fn read_word(store: &mut Store, text: &str) -> Result<Word, Diagnostic> {
    let mut reader = Reader { store, text: Scanner::new(text) };
    reader.text.skip_blanks();
    match reader.text.rest() {
        "" => Err(Diagnostic::error(0..text.len(), "there is no word")
            .label("expected a word")
            .help("for example `a & !b; cycle{b}`, or `a; b` for a finite word")),
        rest if rest.starts_with('{') => read_json(reader.store, text),
        rest if begins_like_alaska(rest) => reader.alaska(),
        _ => reader.spot(),
    }
}

fn begins_like_alaska(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || c == ':');
    let first = words.next();
    let second = words.find(|word| !word.is_empty());
    text.starts_with('[')
        || TITLES.contains(&[first.unwrap_or_default(), second.unwrap_or_default()])
}

const INITIAL_PART: [&str; 2] = ["initial", "part"];
const OMEGA_LOOP: [&str; 2] = ["omega", "loop"];
const FINITE_WORD: [&str; 2] = ["finite", "word"];
const TITLES: [[&str; 2]; 3] = [INITIAL_PART, OMEGA_LOOP, FINITE_WORD];

fn read_json(store: &mut Store, text: &str) -> Result<Word, Diagnostic> {
    let example = "for example {\"prefix\": [[\"a\"], []], \"loop\": [[\"b\"]]}, \
                   or {\"word\": [[\"a\"]]} for a finite word";
    let json: WordJson = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        Diagnostic::error(json_span(text, &error), message).help(example)
    })?;
    word_from_json(store, &json).map_err(|error| {
        let start = text.len() - text.trim_start().len();
        let span = start..text.trim_end().len();
        Diagnostic::error(span, error.to_string()).help(example)
    })
}

/// The character at which reading JSON stopped; lines and columns count from 1, columns in bytes.
fn json_span(text: &str, error: &serde_json::Error) -> Range<usize> {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let line_start: usize = lines.map(str::len).sum();
    let mut start = (line_start + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    start..start + text[start..].chars().next().map_or(0, char::len_utf8)
}

/// The literals of a letter.
#[derive(Default)]
struct LiteralCube(FxHashMap<Proposition, bool>);

impl LiteralCube {
    fn letter(self) -> Letter {
        let held = self.0.into_iter().filter(|&(_, holds)| holds);
        held.map(|(proposition, _)| proposition).collect()
    }
}

/// What a literal is about.
enum LiteralAtom {
    Constant(bool),
    Proposition(Proposition),
}

/// A position in the text, and the store for propositions.
struct Reader<'a> {
    store: &'a mut Store,
    text: Scanner<'a>,
}

impl Reader<'_> {
    fn alaska(&mut self) -> Result<Word, Diagnostic> {
        if self.title(FINITE_WORD)?.is_some() {
            let letters = self.bracketed_letters()?;
            self.text.end("another letter `[...]`")?;
            return Ok(Word::finite(letters));
        }
        let prefix = match self.title(INITIAL_PART)? {
            Some(_) => self.bracketed_letters()?,
            None => Vec::new(),
        };
        let Some(title) = self.title(OMEGA_LOOP)? else {
            let expected = "`omega loop :` and its letters";
            let help = "an infinite word is `initial part : [a] omega loop : [!a]`, \
                        a finite one `finite word : [a]`";
            return Err(self.text.unexpected(expected).help(help));
        };
        let cycle = self.bracketed_letters()?;
        if cycle.is_empty() && self.text.rest().is_empty() {
            return Err(empty_loop(title).help("a finite word is `finite word : [a]`"));
        }
        self.text.end("another letter `[...]`")?;
        Ok(Word::lasso(prefix, cycle))
    }

    /// The two words of a title and its colon, if they stand here.
    fn title(&mut self, [first, second]: [&str; 2]) -> Result<Option<Range<usize>>, Diagnostic> {
        let start = self.text.here();
        if !(self.text.eat_word(first) && self.text.eat_word(second)) {
            self.text.back(start);
            return Ok(None);
        }
        if !self.text.eat(":") {
            return Err(self.text.unexpected("`:`"));
        }
        Ok(Some(start..self.text.at()))
    }

    fn bracketed_letters(&mut self) -> Result<Vec<Letter>, Diagnostic> {
        let mut letters = Vec::new();
        loop {
            let open = self.text.here();
            if !self.text.eat("[") {
                return Ok(letters);
            }
            letters.push(self.bracketed_letter(open)?);
        }
    }

    /// The rest of `[a, !b]` after its bracket.
    fn bracketed_letter(&mut self, open: usize) -> Result<Letter, Diagnostic> {
        let mut cube = LiteralCube::default();
        if self.text.eat("]") {
            return Ok(cube.letter());
        }
        loop {
            self.text.closes(open)?;
            let start = self.text.here();
            let mut negative = false;
            while self.text.eat_not() {
                negative = !negative;
            }
            self.literal(start, negative, &mut cube)?;
            if self.text.eat("]") {
                return Ok(cube.letter());
            }
            self.text.closes(open)?;
            if !self.text.eat(",") {
                return Err(self.text.unexpected("`,` or `]`"));
            }
        }
    }

    fn spot(&mut self) -> Result<Word, Diagnostic> {
        let mut prefix = Vec::new();
        loop {
            if let Some(cycle) = self.cycle()? {
                self.text.end("nothing after the loop")?;
                return Ok(Word::lasso(prefix, cycle));
            }
            prefix.push(self.cube()?);
            if !self.text.eat(";") {
                self.text.end("`&`, `;` or the end of the word")?;
                return Ok(Word::finite(prefix));
            }
        }
    }

    /// `cycle{...}`, if it stands here.
    fn cycle(&mut self) -> Result<Option<Vec<Letter>>, Diagnostic> {
        let start = self.text.here();
        if !self.text.eat_word("cycle") || !self.text.eat("{") {
            self.text.back(start);
            return Ok(None);
        }
        let open = self.text.at() - 1;
        if self.text.eat("}") {
            let help = "a finite word has no `cycle{}`";
            return Err(empty_loop(start..self.text.at()).help(help));
        }
        let mut letters = Vec::new();
        loop {
            self.text.closes(open)?;
            letters.push(self.cube()?);
            if self.text.eat("}") {
                return Ok(Some(letters));
            }
            self.text.closes(open)?;
            if !self.text.eat(";") {
                return Err(self.text.unexpected("`&`, `;` or `}`"));
            }
        }
    }

    /// A conjunction of literals. Open parentheses are on an explicit stack, each with whether its
    /// context is below an odd number of negations.
    fn cube(&mut self) -> Result<Letter, Diagnostic> {
        let mut cube = LiteralCube::default();
        let mut open: Vec<(usize, bool)> = Vec::new();
        let mut negated = false;
        loop {
            let start = self.text.here();
            let mut negative = negated;
            while self.text.eat_not() {
                negative = !negative;
            }
            let parenthesis = self.text.here();
            if self.text.eat("(") {
                open.push((parenthesis, negated));
                negated = negative;
                continue;
            }
            self.literal(start, negative, &mut cube)?;
            while !open.is_empty() && self.text.eat(")") {
                negated = open.pop().is_some_and(|(_, outside)| outside);
            }
            let and = self.text.here();
            if !self.text.eat_and() {
                break;
            }
            if negated {
                return Err(not_decided(and..self.text.at(), "a negated conjunction"));
            }
        }
        match open.last() {
            None => Ok(cube.letter()),
            Some(&(parenthesis, _)) => {
                self.text.closes(parenthesis)?;
                Err(self.text.unexpected("`&` or `)`"))
            }
        }
    }

    /// A proposition or constant, whose literal began at `start`.
    fn literal(
        &mut self,
        start: usize,
        negative: bool,
        cube: &mut LiteralCube,
    ) -> Result<(), Diagnostic> {
        let atom = self.atom()?;
        let span = start..self.text.at();
        match atom {
            LiteralAtom::Constant(value) if value != negative => Ok(()),
            LiteralAtom::Constant(_) => Err(Diagnostic::error(span, "no letter satisfies `false`")
                .label("this is false")
                .help("a letter in which nothing holds is `1`, or `!a & !b`")),
            LiteralAtom::Proposition(proposition) => match cube.0.insert(proposition, !negative) {
                Some(before) if before == negative => {
                    let name = self.store.name(proposition);
                    let message = format!("the letter contradicts itself: `{name}` and `!{name}`");
                    Err(Diagnostic::error(span, message).label("the opposite literal comes before"))
                }
                _ => Ok(()),
            },
        }
    }

    fn atom(&mut self) -> Result<LiteralAtom, Diagnostic> {
        self.text.skip_blanks();
        if self.text.rest().starts_with('"') {
            let name = self.text.quoted()?;
            return Ok(LiteralAtom::Proposition(self.store.proposition(&name)));
        }
        let name = self.text.identifier();
        if matches!(name, "" | "or" | "xor") {
            return Err(self.text.unexpected("a proposition"));
        }
        let start = self.text.at();
        self.text.eat_word(name);
        match name {
            "1" | "true" | "True" | "TRUE" => Ok(LiteralAtom::Constant(true)),
            "0" | "false" | "False" | "FALSE" => Ok(LiteralAtom::Constant(false)),
            _ if name.starts_with(char::is_numeric) => {
                let message = format!("`{name}` is no proposition");
                Err(Diagnostic::error(start..self.text.at(), message)
                    .label("expected a name")
                    .help(format!("a proposition of that name is written \"{name}\"")))
            }
            _ => Ok(LiteralAtom::Proposition(self.store.proposition(name))),
        }
    }
}

fn empty_loop(span: Range<usize>) -> Diagnostic {
    Diagnostic::error(span, "the loop is empty").label("expected a letter in the loop")
}
