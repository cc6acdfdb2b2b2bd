//! Splits texts into tokens, for all dialects.
//!
//! The same letters have different meanings in the place of an operand and in the place of an
//! operator (`Ub` in Spot). So the parser asks for the kind that it expects. The scanner never
//! moves back, and copies only quoted names.

use std::borrow::Cow;
use std::ops::Range;

use super::grammar::{Bounds, Glue, Meaning, Quoting, Table};
use super::{Dialect, EXPANSION_LIMIT, Syntax, bounds, hints, spin, terms};
use crate::normal::unroll;
use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Interval, Node, Store};
use crate::word::WordKind;
use kermode_base::Diagnostic;
use kermode_base::quoting::unescape;

#[derive(Clone, Debug)]
pub(super) enum Token<'t> {
    Constant(bool),
    Name(Cow<'t, str>),
    /// Spot's `a=0`.
    NegatedName(Cow<'t, str>),
    /// `LAST`: there is no next position.
    LastPosition,
    /// SPIN's parenthesis without temporal operators, with the range of its contents.
    Predicate(Range<usize>),
    Prefix(Prefix),
    Infix(Infix),
    Open,
    Close,
    End,
}

/// An operator before its operand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Prefix {
    Plain(UnaryOp),
    Bounded(BoundedUnaryOp, Interval),
    /// `X^n` before an unbounded operator: Spot's `F[n:]`.
    Delayed(BoundedUnaryOp, Interval, UnaryOp),
    /// Bounds that are written out immediately, because no operator has their meaning.
    Unrolled {
        step: UnaryOp,
        connective: BinaryOp,
        bounds: Interval,
    },
    /// NuSMV's `H[a,b]`, which is false if there is no position at distance `b`. As a formula:
    /// `H[a,b] p & O[b,b] true`.
    StrongHistorically(Interval),
}

/// An operator between its operands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Infix {
    Plain(BinaryOp),
    /// The first operator with the precedence of the second.
    Like(BinaryOp, BinaryOp),
    Bounded(BoundedBinaryOp, Interval),
}

impl Prefix {
    pub(super) fn apply(self, store: &mut Store, a: Formula) -> Formula {
        let node = match self {
            Prefix::Plain(op) => Node::Unary(op, a),
            Prefix::Bounded(op, bounds) => Node::BoundedUnary(op, store.interval_id(bounds), a),
            Prefix::Delayed(delay, bounds, op) => {
                let later = store.intern(Node::Unary(op, a));
                Node::BoundedUnary(delay, store.interval_id(bounds), later)
            }
            Prefix::Unrolled { step, connective, bounds } => {
                return unroll(store, step, connective, bounds, a);
            }
            Prefix::StrongHistorically(bounds) => {
                let (window, end) =
                    (store.interval_id(bounds), store.interval_id(Interval::exactly(bounds.high)));
                let held =
                    store.intern(Node::BoundedUnary(BoundedUnaryOp::Historically, window, a));
                let truth = store.intern(Node::Constant(true));
                let exists = store.intern(Node::BoundedUnary(BoundedUnaryOp::Once, end, truth));
                Node::Binary(BinaryOp::And, held, exists)
            }
        };
        store.intern(node)
    }
}

impl Infix {
    pub(super) fn apply(self, store: &mut Store, a: Formula, b: Formula) -> Formula {
        let node = match self {
            Infix::Plain(op) | Infix::Like(op, _) => Node::Binary(op, a, b),
            Infix::Bounded(op, bounds) => Node::BoundedBinary(op, store.interval_id(bounds), a, b),
        };
        store.intern(node)
    }

    /// The operator whose precedence this one has.
    pub(super) fn unbounded(self) -> BinaryOp {
        match self {
            Infix::Plain(op) | Infix::Like(_, op) => op,
            Infix::Bounded(BoundedBinaryOp::Until, _) => BinaryOp::Until,
            Infix::Bounded(BoundedBinaryOp::Release, _) => BinaryOp::Release,
        }
    }
}

/// The largest number of names that are kept because they look like operators glued to a name.
const GLUED_NAMES: usize = 16;

pub(super) struct Lexer<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    end: usize,
    pub(super) syntax: Syntax,
    pub(super) table: &'static Table,
    after_constant: bool,
    /// The number of nodes that were added by writing out bounds.
    written_out: u64,
    /// The last operand, for hints.
    previous: Range<usize>,
    pub(super) glued_names: Vec<Range<usize>>,
    /// SPIN's predicates, the last one first.
    predicates: Vec<Range<usize>>,
    /// Whether comparisons and calls are propositions.
    with_terms: bool,
    pub(super) warnings: Vec<Diagnostic>,
}

type Scanned<'t> = Result<(Token<'t>, Range<usize>), Diagnostic>;

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str, syntax: Syntax, with_terms: bool) -> Self {
        let predicates = match syntax.dialect {
            Dialect::Spin => spin::predicates(text),
            _ => Vec::new(),
        };
        Lexer {
            text,
            at: 0,
            end: text.len(),
            syntax,
            table: syntax.dialect.table(),
            after_constant: false,
            written_out: 0,
            previous: 0..0,
            glued_names: Vec::new(),
            predicates,
            with_terms,
            warnings: Vec::new(),
        }
    }

    /// A scanner for the inside of a SPIN predicate, where Promela's precedence holds; `parts` are
    /// the parentheses in it that are copied unchanged, the last one first.
    pub(super) fn of_predicate(
        text: &'t str,
        range: Range<usize>,
        parts: Vec<Range<usize>>,
    ) -> Self {
        Lexer {
            text,
            at: range.start,
            end: range.end,
            syntax: Syntax::from(Dialect::Spin),
            table: spin::predicate_table(),
            after_constant: false,
            written_out: 0,
            previous: 0..0,
            glued_names: Vec::new(),
            predicates: parts,
            with_terms: false,
            warnings: Vec::new(),
        }
    }

    /// The last word that was read as an operand.
    pub(super) fn previous_word(&self) -> &'t str {
        self.slice(&self.previous)
    }

    pub(super) fn slice(&self, span: &Range<usize>) -> &'t str {
        &self.text[span.clone()]
    }

    /// Counts the nodes of bounds that are written out, so that a short text cannot become a huge
    /// formula.
    pub(super) fn charge(&mut self, bounds: Interval, start: usize) -> Result<(), Diagnostic> {
        self.written_out += 2 * u64::from(bounds.high);
        match self.written_out <= EXPANSION_LIMIT {
            true => Ok(()),
            false => Err(Diagnostic::error(start..self.at, "there are too many bounds like this")
                .label(format!(
                    "together they are written out to more than {EXPANSION_LIMIT} nodes"
                ))),
        }
    }

    /// The rest of the text.
    pub(super) fn rest(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.at..self.end]
    }

    /// The next token, in the place of an operand.
    pub(super) fn operand(&mut self) -> Scanned<'t> {
        self.skip()?;
        let start = self.at;
        let token = self.operand_token()?;
        self.after_constant = matches!(token, Token::Constant(_));
        self.previous = start..self.at;
        Ok((token, start..self.at))
    }

    /// The next token, in the place of an operator.
    pub(super) fn operator(&mut self) -> Scanned<'t> {
        self.skip()?;
        let start = self.at;
        let glued = self.table.grammar.glue == Glue::Spot && !self.after_constant;
        let token = match self.rest().first() {
            Some(b'U' | b'R' | b'V' | b'W' | b'M') if glued => self.spelled()?,
            _ => self.operand_token()?,
        };
        self.after_constant = false;
        Ok((token, start..self.at))
    }

    fn operand_token(&mut self) -> Result<Token<'t>, Diagnostic> {
        let Some(&first) = self.rest().first() else {
            return Ok(Token::End);
        };
        let grammar = self.table.grammar;
        if self.with_terms && self.may_begin_term(first) {
            let text = self.text;
            if let Some(atom) = terms::atom(&text[self.at..self.end], self.table) {
                self.at += atom.length;
                let name = Cow::Owned(atom.name);
                return Ok(if atom.negated { Token::NegatedName(name) } else { Token::Name(name) });
            }
        }
        if self.table.begins_name(first) {
            return self.word();
        }
        match (first, grammar.quoting) {
            (b'"', Quoting::Escaped | Quoting::Plain) | (b'{', Quoting::Braces) => self.quoted(),
            (b'(' | b'{', Quoting::Predicate) => self.parenthesis_or_predicate(),
            (b'0'..=b'9', _) => self.number(),
            _ => self.spelled(),
        }
    }

    /// A word that is an operator, a constant or a name.
    fn word(&mut self) -> Result<Token<'t>, Diagnostic> {
        if let Some(token) = self.glued_operator()? {
            return Ok(token);
        }
        let start = self.at;
        self.at += self.table.word_length(self.rest()).unwrap_or(1);
        let word = &self.text[start..self.at];
        match self.table.word(word) {
            Some(meaning) => self.meaning(meaning, start),
            None if self.with_terms && terms::is_last_position(word) => {
                Ok(self.last_position(start))
            }
            None => {
                self.remember_if_glued(start);
                self.name(Cow::Borrowed(word))
            }
        }
    }

    /// Whether a term may begin with this byte; after a name an operator must follow.
    fn may_begin_term(&self, first: u8) -> bool {
        if !self.table.begins_name(first) {
            return matches!(first, b'(' | b'-' | b'"' | b'0'..=b'9');
        }
        let rest = &self.rest()[self.table.word_length(self.rest()).unwrap_or(1)..];
        let blanks = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
        match rest[blanks..].first() {
            Some(b'(') => blanks == 0,
            Some(b'm') => rest[blanks..].starts_with(b"mod"),
            Some(b'=' | b'<' | b'>' | b'!' | b'+' | b'-' | b'*' | b'/') => true,
            _ => false,
        }
    }

    /// The last position of a finite word; infinite words have none.
    fn last_position(&mut self, start: usize) -> Token<'t> {
        if self.syntax.words == WordKind::Finite {
            return Token::LastPosition;
        }
        if self.warnings.is_empty() {
            let word = &self.text[start..self.at];
            let message =
                format!("`{word}` is read as false: infinite words have no last position");
            self.warnings.push(
                Diagnostic::warning(start..self.at, message)
                    .label("the last position of a finite word")
                    .help("`--finite` is about finite words; another name makes it a proposition"),
            );
        }
        Token::Constant(false)
    }

    /// Spot's `F`, `G` and `X`, which need no blank after them unless a digit follows.
    fn glued_operator(&mut self) -> Result<Option<Token<'t>>, Diagnostic> {
        if self.table.grammar.glue != Glue::Spot {
            return Ok(None);
        }
        match self.rest() {
            [b'F' | b'G' | b'X', next, ..] if next.is_ascii_digit() => Ok(None),
            [b'F', rest @ ..] if rest.len() >= 4 && rest[..4].eq_ignore_ascii_case(b"alse") => {
                self.at += 5;
                Ok(Some(Token::Constant(false)))
            }
            [b'F' | b'G' | b'X', ..] => self.spelled().map(Some),
            _ => Ok(None),
        }
    }

    /// A name, with the suffixes that Spot allows.
    fn name(&mut self, name: Cow<'t, str>) -> Result<Token<'t>, Diagnostic> {
        if self.syntax.dialect != Dialect::Spot {
            return Ok(Token::Name(name));
        }
        let before = self.at;
        self.skip()?;
        for (suffix, negates) in [("=0", true), ("=1", false), ("\u{305}", true), ("\u{304}", true)]
        {
            let rest = self.rest();
            let ends = !rest.get(suffix.len()).is_some_and(|b| b.is_ascii_digit());
            if rest.starts_with(suffix.as_bytes()) && ends {
                self.at += suffix.len();
                return Ok(if negates { Token::NegatedName(name) } else { Token::Name(name) });
            }
        }
        self.at = before;
        Ok(Token::Name(name))
    }

    fn number(&mut self) -> Result<Token<'t>, Diagnostic> {
        let start = self.at;
        self.at +=
            self.rest().iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        match self.table.word(&self.text[start..self.at]) {
            Some(meaning) => self.meaning(meaning, start),
            None => Err(hints::number(self.slice(&(start..self.at)), start, self.table.grammar)),
        }
    }

    /// An operator or parenthesis, by its longest spelling.
    fn spelled(&mut self) -> Result<Token<'t>, Diagnostic> {
        let start = self.at;
        match self.table.longest(self.rest()) {
            Some((spelling, meaning)) => {
                self.at += spelling.len();
                self.meaning(meaning, start)
            }
            None => Err(hints::unknown_sign(&self.text[..self.end], start, self.table.grammar)),
        }
    }

    fn meaning(&mut self, meaning: Meaning, start: usize) -> Result<Token<'t>, Diagnostic> {
        Ok(match meaning {
            Meaning::Constant(value) => Token::Constant(value),
            Meaning::Prefix(op) => Token::Prefix(bounds::after_prefix(self, op, start)?),
            Meaning::Infix(op) => Token::Infix(bounds::after_infix(self, op, start)?),
            Meaning::InfixLike(op, place) => Token::Infix(Infix::Like(op, place)),
            Meaning::Open => Token::Open,
            Meaning::Close => Token::Close,
            Meaning::Reserved => {
                return Err(hints::reserved(self.slice(&(start..self.at)), start, self.table));
            }
        })
    }

    fn parenthesis_or_predicate(&mut self) -> Result<Token<'t>, Diagnostic> {
        let start = self.at;
        while self.predicates.last().is_some_and(|inside| inside.start <= start) {
            self.predicates.pop();
        }
        match self.predicates.pop_if(|inside| inside.start == start + 1) {
            Some(inside) => {
                self.at = inside.end + 1;
                Ok(Token::Predicate(inside))
            }
            None => self.spelled(),
        }
    }

    fn quoted(&mut self) -> Result<Token<'t>, Diagnostic> {
        let start = self.at;
        let quoting = self.table.grammar.quoting;
        let close = if quoting == Quoting::Braces { '}' } else { '"' };
        let mut name = String::new();
        let mut characters = self.text[start + 1..self.end].char_indices();
        while let Some((offset, c)) = characters.next() {
            if c == close {
                self.at = start + 1 + offset + 1;
                return self.name(Cow::Owned(name));
            }
            if c != '\\' {
                name.push(c);
                continue;
            }
            match characters.next() {
                Some((_, c)) if quoting != Quoting::Braces || matches!(c, '}' | '\\') => {
                    name.push(if quoting == Quoting::Escaped { unescape(c) } else { c });
                }
                Some((end, c)) => {
                    let place = start + 1 + offset..start + 1 + end + c.len_utf8();
                    return Err(Diagnostic::error(
                        place,
                        format!("`\\{c}` stands for nothing here"),
                    )
                    .label("only `\\}` and `\\\\` do"));
                }
                None => break,
            }
        }
        Err(Diagnostic::error(start..start + 1, "this quoted name is never closed")
            .label(format!("expected `{close}` somewhere after this")))
    }

    /// Skips blanks and comments.
    fn skip(&mut self) -> Result<(), Diagnostic> {
        loop {
            let blanks =
                self.rest().iter().take_while(|b| matches!(b, b'\t'..=b'\r' | b' ')).count();
            self.at += blanks;
            match self.rest() {
                [b'#', ..] => self.skip_line(),
                [b'-', b'-', b'>', ..] if self.syntax.dialect == Dialect::Spot => return Ok(()),
                [b'-', b'-', b'>', ..] if self.is_doubtful_comment() => {
                    return Err(Diagnostic::error(self.at..self.at + 3, "`-->` begins a comment")
                        .label("the rest of this line would be ignored")
                        .help(
                            "write `->` for an implication, or a blank after `--` for a comment",
                        ));
                }
                [b'-', b'-', ..] => self.skip_line(),
                [b'/', b'*', ..] if self.syntax.dialect == Dialect::Spot => self.skip_nested()?,
                [b'/', b'-', b'-', ..] if self.syntax.dialect == Dialect::Nusmv => {
                    self.skip_to(b"--/", 3)?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// `-->` after other text on its line, in a dialect without this arrow. NuSMV reads it as a
    /// comment.
    fn is_doubtful_comment(&self) -> bool {
        let line = self.text[..self.at].rfind('\n').map_or(0, |newline| newline + 1);
        self.syntax.dialect != Dialect::Nusmv && !self.text[line..self.at].trim().is_empty()
    }

    fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
    }

    fn skip_to(&mut self, close: &[u8], from: usize) -> Result<(), Diagnostic> {
        let body = self.rest().get(from..).unwrap_or_default();
        match body.windows(close.len()).position(|window| window == close) {
            Some(length) => {
                self.at += from + length + close.len();
                Ok(())
            }
            None => Err(Diagnostic::error(self.at..self.at + 2, "this comment is never closed")),
        }
    }

    /// Skips Spot's comments, which nest.
    fn skip_nested(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let mut depth = 0usize;
        while self.at < self.end {
            match self.rest() {
                [b'/', b'*', ..] => {
                    depth += 1;
                    self.at += 1;
                    // The opening sign includes all stars that follow: `/**/` does not close
                    // itself.
                    self.at += self.rest().iter().take_while(|&&b| b == b'*').count();
                }
                [b'*', b'/', ..] => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return Ok(());
                    }
                }
                _ => self.at += 1,
            }
        }
        Err(Diagnostic::error(start..start + 2, "this comment is never closed"))
    }

    fn remember_if_glued(&mut self, start: usize) {
        let bounds = self.table.grammar.bounds;
        let name = &self.text.as_bytes()[start..self.at];
        if bounds == Bounds::Kermode
            && self.glued_names.len() < GLUED_NAMES
            && hints::glued_operators(name) > 0
        {
            self.glued_names.push(start..self.at);
        }
    }
}
