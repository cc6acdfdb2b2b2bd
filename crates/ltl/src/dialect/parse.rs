//! Operator precedence over an explicit stack ([Pra73] without the recursion).
//!
//! The parser has two states: it expects an operand, or it has one and expects an operator. Open
//! operators and parentheses are on the stack. An operator closes those on the stack that bind
//! tighter. Memory is linear in the nesting, and there is no recursion.

use std::ops::Range;

use super::grammar::{Associativity, Grouping};
use super::lex::{Infix, Lexer, Prefix, Token};
use super::{Parsed, Syntax, hints, spin};
use crate::operator::UnaryOp;
use crate::store::{Formula, Node, Store};
use kermode_base::Diagnostic;

/// An operator or parenthesis that is still open.
enum Open {
    Parenthesis(usize),
    Prefix(Prefix),
    Infix(Infix, Formula),
}

pub(super) struct Parser<'s, 't> {
    store: &'s mut Store,
    lexer: Lexer<'t>,
    open: Vec<Open>,
    /// The number of open infix operators per open parenthesis, outermost first; only for
    /// [`Grouping::SwallowRight`].
    pending: Vec<usize>,
}

impl<'s, 't> Parser<'s, 't> {
    pub(super) fn new(
        store: &'s mut Store,
        text: &'t str,
        syntax: Syntax,
        with_terms: bool,
    ) -> Self {
        let lexer = Lexer::new(text, syntax, with_terms);
        Parser { store, lexer, open: Vec::new(), pending: vec![0] }
    }

    /// The formula, and the names in it that look like operators glued to a name.
    pub(super) fn parse(mut self) -> Result<(Parsed, Vec<Range<usize>>), Diagnostic> {
        let formula = self.formula()?;
        let (warnings, glued_names) = (self.lexer.warnings, self.lexer.glued_names);
        Ok((Parsed { formula, warnings }, glued_names))
    }

    fn formula(&mut self) -> Result<Formula, Diagnostic> {
        loop {
            let operand = self.operand()?;
            if let Some(formula) = self.operators(operand)? {
                return Ok(formula);
            }
        }
    }

    /// Reads prefix operators and opening parentheses up to the next operand, and the operand.
    fn operand(&mut self) -> Result<Formula, Diagnostic> {
        loop {
            let (token, span) = self.lexer.operand()?;
            match token {
                Token::Prefix(prefix) => self.open.push(Open::Prefix(prefix)),
                Token::Open => {
                    self.open.push(Open::Parenthesis(span.start));
                    self.pending.push(0);
                }
                Token::Constant(value) => return Ok(self.store.intern(Node::Constant(value))),
                Token::Name(name) => return Ok(self.raw_atom(&name)),
                Token::NegatedName(name) => {
                    let atom = self.raw_atom(&name);
                    return Ok(self.store.intern(Node::Unary(UnaryOp::Not, atom)));
                }
                Token::LastPosition => {
                    let truth = self.store.intern(Node::Constant(true));
                    let next = self.store.intern(Node::Unary(UnaryOp::Next, truth));
                    return Ok(self.store.intern(Node::Unary(UnaryOp::Not, next)));
                }
                Token::Predicate(inside) => return self.predicate(inside),
                Token::Infix(_) | Token::Close | Token::End => {
                    return Err(self.missing_operand(&token, span));
                }
            }
        }
    }

    fn raw_atom(&mut self, name: &str) -> Formula {
        let proposition = self.store.proposition(name);
        self.store.intern(Node::Proposition(proposition))
    }

    fn predicate(&mut self, inside: Range<usize>) -> Result<Formula, Diagnostic> {
        let Some(parts) = spin::opaque_parts(self.lexer.text, inside.clone()) else {
            let text = self.lexer.slice(&inside);
            return match spin::foreign_sign(text) {
                None => Ok(self.raw_atom(text.trim())),
                Some(sign) => Err(hints::not_promela(sign, inside.start)),
            };
        };
        let lexer = Lexer::of_predicate(self.lexer.text, inside, parts);
        Parser { store: self.store, lexer, open: Vec::new(), pending: vec![0] }.formula()
    }

    /// Reads the tokens after an operand. Returns the whole formula at the end of the text, and
    /// `None` if another operand must follow.
    fn operators(&mut self, mut left: Formula) -> Result<Option<Formula>, Diagnostic> {
        loop {
            let (token, span) = self.lexer.operator()?;
            match token {
                Token::Infix(infix) => {
                    left = match self.lexer.table.grammar.grouping {
                        Grouping::Precedence => self.close_tighter(left, infix),
                        Grouping::SwallowRight => self.close_like_black(left, infix),
                    };
                    self.open.push(Open::Infix(infix, left));
                    return Ok(None);
                }
                Token::Close => {
                    left = self.close_all(left);
                    self.pending.pop();
                    if self.open.pop().is_none() {
                        return Err(Diagnostic::error(span, "this parenthesis closes nothing")
                            .label("no parenthesis is open here")
                            .help("remove it, or open one before"));
                    }
                }
                Token::End => {
                    left = self.close_all(left);
                    return match self.innermost_parenthesis() {
                        None => Ok(Some(left)),
                        Some(open) => Err(Diagnostic::error(
                            open..open + 1,
                            "this parenthesis is never closed",
                        )
                        .label("opened here")
                        .help("add `)` where it ends")),
                    };
                }
                token => return Err(self.missing_operator(&token, span)),
            }
        }
    }

    /// Closes the operators that bind tighter than `infix`, which comes after `left`.
    fn close_tighter(&mut self, mut left: Formula, infix: Infix) -> Formula {
        let (level, associativity) = self.lexer.table.level(infix.unbounded());
        loop {
            let closes = match self.open.last() {
                None | Some(Open::Parenthesis(_)) => false,
                Some(Open::Prefix(_)) => true,
                Some(Open::Infix(before, _)) => {
                    let (before, _) = self.lexer.table.level(before.unbounded());
                    before > level || before == level && associativity == Associativity::Left
                }
            };
            if !closes {
                return left;
            }
            left = self.close_one(left);
        }
    }

    /// Groups as BLACK does, level numbers included. Its parser calls itself for a right operand
    /// when a tighter operator follows. This call returns only for an operator whose number (20 for
    /// `|` up to 50 for `U`) is below the depth of the calls. An operator that is not tighter
    /// closes only the one before it.
    fn close_like_black(&mut self, mut left: Formula, infix: Infix) -> Formula {
        while let Some(Open::Prefix(_)) = self.open.last() {
            left = self.close_one(left);
        }
        let (level, _) = self.lexer.table.level(infix.unbounded());
        let number = 20 + 10 * level;
        let mut depth = self.pending.pop().unwrap_or(0);
        if let Some(Open::Infix(before, _)) = self.open.last() {
            let tighter = self.lexer.table.level(before.unbounded()).0 < level;
            if !tighter || number < depth {
                left = self.close_one(left);
                depth -= 1;
            }
            while depth > 0 && number < depth {
                left = self.close_one(left);
                depth -= 1;
            }
        }
        self.pending.push(depth + 1);
        left
    }

    /// Closes everything up to the innermost parenthesis or the start.
    fn close_all(&mut self, mut operand: Formula) -> Formula {
        while !matches!(self.open.last(), None | Some(Open::Parenthesis(_))) {
            operand = self.close_one(operand);
        }
        operand
    }

    fn close_one(&mut self, operand: Formula) -> Formula {
        match self.open.pop() {
            Some(Open::Prefix(prefix)) => prefix.apply(self.store, operand),
            Some(Open::Infix(infix, left)) => infix.apply(self.store, left, operand),
            Some(Open::Parenthesis(_)) | None => unreachable!("only operators are closed"),
        }
    }

    fn innermost_parenthesis(&self) -> Option<usize> {
        self.open.iter().rev().find_map(|open| match open {
            Open::Parenthesis(start) => Some(*start),
            _ => None,
        })
    }

    fn missing_operand(&self, token: &Token, span: Range<usize>) -> Diagnostic {
        let message = match token {
            Token::End if self.open.is_empty() => "there is no formula here".to_owned(),
            Token::End => "expected a formula, found the end".to_owned(),
            _ => format!("expected a formula, found `{}`", self.lexer.slice(&span)),
        };
        let diagnostic =
            Diagnostic::error(span.clone(), message).label("a formula is missing here");
        match (token, self.open.last(), self.innermost_parenthesis()) {
            (Token::Close, Some(Open::Parenthesis(_)), _) => {
                diagnostic.help("write a formula between the parentheses")
            }
            (Token::End, _, Some(_)) => {
                diagnostic.help("a parenthesis is not closed either: add `)` after the formula")
            }
            (Token::Infix(_), _, _) => {
                // `&&` in a dialect that writes `&`.
                let doubled = span.start.saturating_sub(1)..span.end;
                match self
                    .lexer
                    .text
                    .get(doubled)
                    .and_then(|text| hints::lacks(text, self.lexer.table))
                {
                    Some(help) => diagnostic.help(help),
                    None => diagnostic,
                }
            }
            _ => diagnostic,
        }
    }

    fn missing_operator(&self, token: &Token, span: Range<usize>) -> Diagnostic {
        let table = self.lexer.table;
        let found = self.lexer.slice(&span).trim_end();
        if found == "!" && self.lexer.rest().first() == Some(&b'=') {
            return hints::comparison(span.start..span.end + 1, table.grammar);
        }
        let help = match token {
            Token::Name(_) => hints::misplaced_word(self.lexer.previous_word(), found, table),
            Token::Open | Token::Prefix(_) => hints::english(self.lexer.previous_word(), table),
            _ => None,
        };
        let message = format!("expected an operator, found `{found}`");
        let diagnostic =
            Diagnostic::error(span, message).label("an operator is missing before this");
        match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}
