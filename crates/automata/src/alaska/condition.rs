//! The expressions inside the strings: `~` (or `!`), `&`, `|`, parentheses, constants, and names,
//! which are propositions or locations as declared. `~` binds most tightly, then `&`, then `|`.
//!
//! Negations are pushed to the propositions while reading: each parenthesis knows whether it stands
//! below an odd number of negations, and if so `&` builds a disjunction and `|` a conjunction. So
//! no unused expression is built, and a negated location is reported where it stands. Pending
//! operators and parentheses are on an explicit stack.

use std::ops::Range;

use indexmap::IndexMap;
use kermode_base::Diagnostic;
use kermode_base::quoting::unescaped;
use kermode_ltl::Proposition;
use rustc_hash::FxBuildHasher;

use super::constant;
use super::fields::number;
use super::lex::{Lexer, Token};
use crate::alternating::Location;
use crate::expression::{Expression, Expressions};

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Symbol {
    Location(Location),
    Proposition(Proposition),
}

/// All names; a name stands for one thing only.
pub(super) type Symbols = IndexMap<String, Symbol, FxBuildHasher>;

/// Where a condition stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Initial,
    Transition,
}

/// A construct that waits for its right side.
enum Pending {
    /// An operator as written, and its left operand.
    And(Expression),
    Or(Expression),
    /// A parenthesis, and whether what is around it is negated.
    Parenthesis(Range<usize>, bool),
}

/// Reads a condition, which is a part of the text.
pub(super) fn read_condition(
    text: &str,
    part: Range<usize>,
    role: Role,
    symbols: &Symbols,
    expressions: &mut Expressions,
) -> Result<Expression, Diagnostic> {
    let lexer = Lexer::of_string(text, part);
    Parser { lexer, role, symbols, expressions, pending: Vec::new(), negated: false }.parse()
}

struct Parser<'t, 'a> {
    lexer: Lexer<'t>,
    role: Role,
    symbols: &'a Symbols,
    expressions: &'a mut Expressions,
    pending: Vec<Pending>,
    /// Whether the present parenthesis is negated.
    negated: bool,
}

impl Parser<'_, '_> {
    fn parse(mut self) -> Result<Expression, Diagnostic> {
        loop {
            let mut operand = self.operand()?;
            loop {
                let (token, span) = self.lexer.next()?;
                match token {
                    Token::Sign('&') => {
                        let left = self.close(operand, false);
                        self.pending.push(Pending::And(left));
                        break;
                    }
                    Token::Sign('|') => {
                        let left = self.close(operand, true);
                        self.pending.push(Pending::Or(left));
                        break;
                    }
                    Token::Sign(')') => {
                        operand = self.close(operand, true);
                        match self.pending.pop() {
                            Some(Pending::Parenthesis(_, outside)) => self.negated = outside,
                            _ => return Err(unopened(span)),
                        }
                    }
                    Token::End => {
                        operand = self.close(operand, true);
                        return match self.pending.pop() {
                            Some(Pending::Parenthesis(open, _)) => Err(unclosed(open)),
                            _ => Ok(operand),
                        };
                    }
                    _ => return Err(self.unexpected_operator(&token, span)),
                }
            }
        }
    }

    /// Builds pending conjunctions with this operand, and pending disjunctions if asked to.
    fn close(&mut self, operand: Expression, disjunctions: bool) -> Expression {
        let mut whole = operand;
        loop {
            let (left, conjunction) = match self.pending.last() {
                Some(&Pending::And(left)) => (left, true),
                Some(&Pending::Or(left)) if disjunctions => (left, false),
                _ => return whole,
            };
            self.pending.pop();
            whole = match conjunction != self.negated {
                true => self.expressions.and(left, whole),
                false => self.expressions.or(left, whole),
            };
        }
    }

    /// Parentheses and negations, up to a leaf.
    fn operand(&mut self) -> Result<Expression, Diagnostic> {
        let mut negated = self.negated;
        loop {
            let (token, span) = self.lexer.next()?;
            match token {
                Token::Sign('~' | '!') => negated = !negated,
                Token::Sign('(') => {
                    self.pending.push(Pending::Parenthesis(span, self.negated));
                    self.negated = negated;
                }
                Token::Word => return self.word(span, negated),
                Token::Text(inside) => {
                    let name = unescaped(self.lexer.slice(&inside));
                    return self.named(&name, span, negated);
                }
                _ => return Err(self.missing_operand(&token, span)),
            }
        }
    }

    fn word(&mut self, span: Range<usize>, negated: bool) -> Result<Expression, Diagnostic> {
        let word = self.lexer.slice(&span);
        match constant(word) {
            Some(value) => Ok(self.expressions.constant(value != negated)),
            None => self.named(number(word).unwrap_or(word), span, negated),
        }
    }

    fn named(
        &mut self,
        name: &str,
        span: Range<usize>,
        negated: bool,
    ) -> Result<Expression, Diagnostic> {
        match self.symbols.get(name) {
            Some(Symbol::Location(_)) if negated => {
                Err(Diagnostic::error(span, format!("location `{name}` is negated"))
                    .label("only propositions can be negated"))
            }
            Some(&Symbol::Location(location)) => Ok(self.expressions.location(location)),
            Some(Symbol::Proposition(_)) if self.role == Role::Initial => {
                let message = format!("proposition `{name}` in the initial constraint");
                Err(Diagnostic::error(span, message)
                    .label("expected a location")
                    .help("no letter is read at the beginning: put it into a transition"))
            }
            Some(&Symbol::Proposition(p)) => Ok(self.expressions.literal(p, !negated)),
            None => Err(unknown(name, span)),
        }
    }

    fn missing_operand(&self, token: &Token, span: Range<usize>) -> Diagnostic {
        let message = match token {
            Token::End => "the condition ends too early".to_owned(),
            _ => format!("unexpected `{}`", self.lexer.slice(&span)),
        };
        let error = Diagnostic::error(span, message).label("expected a location or a proposition");
        match (token, self.pending.last()) {
            (Token::Sign('&'), Some(Pending::And(_))) => error.help("conjunction is written `&`"),
            (Token::Sign('|'), Some(Pending::Or(_))) => error.help("disjunction is written `|`"),
            (Token::End, None) => error.help("a condition that always holds is `true`"),
            _ => error,
        }
    }

    fn unexpected_operator(&self, token: &Token, span: Range<usize>) -> Diagnostic {
        let message = format!("unexpected `{}`", self.lexer.slice(&span));
        let error = Diagnostic::error(span, message).label("expected `&`, `|` or the end");
        match token {
            Token::Sign('-' | '=') => error.help("write `~a | b` for `a -> b`"),
            Token::Sign('<') => error.help("write `(a & b) | (~a & ~b)` for `a <-> b`"),
            _ => error,
        }
    }
}

fn unknown(name: &str, span: Range<usize>) -> Diagnostic {
    match number(name) {
        Some(_) => Diagnostic::error(span, format!("unknown location `{name}`"))
            .label("not among the `locations`"),
        None => Diagnostic::error(span, format!("unknown name `{name}`"))
            .label("neither among the `propositions` nor among the `locations`"),
    }
}

fn unopened(span: Range<usize>) -> Diagnostic {
    Diagnostic::error(span, "`)` without `(`").label("no parenthesis is open here")
}

fn unclosed(span: Range<usize>) -> Diagnostic {
    Diagnostic::error(span, "`(` is never closed").label("expected `)` before the condition ends")
}
