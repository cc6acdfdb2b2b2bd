//! Labels: formulas over numbers of propositions and aliases, and their functions.
//!
//! Header items come in any order, so a label is read before the propositions and aliases are
//! known. It is stored as written with the places of its leaves, and evaluated afterwards.

use std::ops::Range;

use indexmap::IndexMap;
use kermode_base::Diagnostic;
use kermode_bdd::{Bdd, Manager, OutOfNodes, Variable};
use rustc_hash::FxBuildHasher;

use super::formula::{Formula, Item, read_formula};
use super::lex::Token;
use super::reader::{Number, Reader};

/// What a label is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    /// A proposition, by its place in `AP:`.
    Proposition(Number),
    /// An alias; the range is its name with the `@`.
    Alias(Range<usize>),
}

pub(super) type Label = Formula<Leaf>;

/// Reads a label, without the brackets around it.
pub(super) fn read_label(reader: &mut Reader) -> Result<Label, Diagnostic> {
    read_formula(reader, true, |reader| match reader.token {
        Token::Alias => {
            let name = reader.span.clone();
            reader.advance()?;
            Ok(Leaf::Alias(name))
        }
        _ => Ok(Leaf::Proposition(reader.number("a proposition's number, an alias, `t` or `f`")?)),
    })
}

/// Reads a label in brackets, if it is there.
pub(super) fn read_optional_label(reader: &mut Reader) -> Result<Option<Label>, Diagnostic> {
    if !reader.takes('[')? {
        return Ok(None);
    }
    let label = read_label(reader)?;
    reader.expect(']', "`&`, `|` or `]`")?;
    Ok(Some(label))
}

/// The functions of aliases by name.
pub(super) type Aliases<'t> = IndexMap<&'t str, Bdd, FxBuildHasher>;

/// The function of a label whose leaves were checked.
pub(super) fn function<E: From<OutOfNodes>>(
    text: &str,
    label: &Label,
    manager: &Manager,
    aliases: &Aliases,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Bdd, E> {
    let mut values: Vec<Bdd> = Vec::new();
    let missing = || manager.bottom();
    for item in label {
        interrupt()?;
        let mut operand = || values.pop().unwrap_or_else(missing);
        let value = match item {
            Item::Constant(true) => manager.top(),
            Item::Constant(false) => manager.bottom(),
            Item::Leaf(Leaf::Proposition(number)) => {
                manager.variable(Variable(number.value as u32))?
            }
            Item::Leaf(Leaf::Alias(name)) => {
                aliases.get(&text[name.clone()]).cloned().unwrap_or_else(missing)
            }
            Item::Not => operand().not()?,
            Item::And => operand().and(&operand())?,
            Item::Or => operand().or(&operand())?,
        };
        values.push(value);
    }
    Ok(values.pop().unwrap_or_else(missing))
}
