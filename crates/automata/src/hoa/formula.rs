//! Formulas of `&`, `|`, parentheses and, in labels, `!`, for labels and acceptance conditions. `!`
//! binds most tightly, then `&`, then `|`.
//!
//! A formula becomes a list in which operators follow their operands, so it is evaluated by a loop
//! with a stack of values. Pending operators and parentheses are on an explicit stack while
//! reading.

use std::ops::Range;

use kermode_base::Diagnostic;

use super::lex::Token;
use super::reader::Reader;

/// A part of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item<L> {
    Leaf(L),
    Constant(bool),
    Not,
    And,
    Or,
}

/// A formula, operands before their operators.
pub(super) type Formula<L> = Vec<Item<L>>;

enum Pending {
    Not,
    And,
    Or,
    Parenthesis(Range<usize>),
}

/// Reads a formula up to the first token that cannot belong to it. `leaf` reads one leaf, or fails.
pub(super) fn read_formula<L>(
    reader: &mut Reader,
    negation: bool,
    mut leaf: impl FnMut(&mut Reader) -> Result<L, Diagnostic>,
) -> Result<Formula<L>, Diagnostic> {
    let (mut formula, mut pending) = (Vec::new(), Vec::new());
    loop {
        match reader.token {
            Token::Sign('!') if negation => {
                pending.push(Pending::Not);
                reader.advance()?;
                continue;
            }
            Token::Sign('(') => {
                pending.push(Pending::Parenthesis(reader.span.clone()));
                reader.advance()?;
                continue;
            }
            Token::Identifier if matches!(reader.found(), "t" | "f") => {
                formula.push(Item::Constant(reader.found() == "t"));
                reader.advance()?;
            }
            _ => formula.push(Item::Leaf(leaf(reader)?)),
        }
        if !read_operator(reader, &mut formula, &mut pending)? {
            return Ok(formula);
        }
    }
}

/// Reads closing parentheses and an operator after an operand. Returns whether there is an
/// operator.
fn read_operator<L>(
    reader: &mut Reader,
    formula: &mut Formula<L>,
    pending: &mut Vec<Pending>,
) -> Result<bool, Diagnostic> {
    loop {
        match reader.token {
            Token::Sign('&') => {
                close(formula, pending, false);
                pending.push(Pending::And);
            }
            Token::Sign('|') => {
                close(formula, pending, true);
                pending.push(Pending::Or);
            }
            Token::Sign(')') => {
                close(formula, pending, true);
                if pending.pop().is_none() {
                    return Err(Diagnostic::error(reader.span.clone(), "`)` without `(`")
                        .label("no parenthesis is open here"));
                }
                reader.advance()?;
                continue;
            }
            _ => {
                close(formula, pending, true);
                return match pending.pop() {
                    Some(Pending::Parenthesis(open)) => Err(unclosed(open)),
                    _ => Ok(false),
                };
            }
        }
        reader.advance()?;
        return Ok(true);
    }
}

/// Completes pending negations and conjunctions with the last operand, and disjunctions if asked
/// to.
fn close<L>(formula: &mut Formula<L>, pending: &mut Vec<Pending>, disjunctions: bool) {
    loop {
        formula.push(match pending.last() {
            Some(Pending::Not) => Item::Not,
            Some(Pending::And) => Item::And,
            Some(Pending::Or) if disjunctions => Item::Or,
            _ => return,
        });
        pending.pop();
    }
}

fn unclosed(open: Range<usize>) -> Diagnostic {
    Diagnostic::error(open, "`(` is never closed").label("expected `)` before the formula ends")
}
