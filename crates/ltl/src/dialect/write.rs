//! Writes formulas as text, with no more parentheses than the dialect needs.
//!
//! An explicit stack of parts that are still to be written replaces recursion. The text reads back,
//! in the same dialect, as the same formula. An operator that the dialect lacks is an error here
//! ([`super::express`] replaces it).

use super::bounds::{NUSMV_LARGEST, SPOT_LARGEST, has_same_meaning_in_nusmv};
use super::grammar::{Associativity, Bounds, Grammar, Meaning, Quoting, Table};
use super::{Dialect, Syntax, spin, terms};
use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Interval, Node, Proposition, Store};
use crate::word::WordKind;
use kermode_base::quoting::{enclose, quote};

/// Why a formula cannot be written in a dialect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// The dialect has no such operator.
    #[error("{dialect} has no operator for {operator}")]
    Operator {
        /// The missing operator, in words of the logic.
        operator: String,
        /// The name of the dialect in messages.
        dialect: &'static str,
    },
    /// The dialect cannot have a proposition with this name.
    #[error("{dialect} cannot have a proposition named {name:?}")]
    Name {
        /// The name.
        name: String,
        /// The name of the dialect in messages.
        dialect: &'static str,
    },
}

/// Writes a formula.
///
/// The text has the size of the formula as a tree, which can be exponential in the number of stored
/// nodes because of sharing. Callers can ask [`crate::Measure`] first.
pub fn write(store: &Store, formula: Formula, syntax: Syntax) -> Result<String, Unwritable> {
    let mut writer = Writer { store, syntax, table: syntax.dialect.table(), out: String::new() };
    let mut todo = vec![Todo::Formula(formula)];
    while let Some(next) = todo.pop() {
        writer.step(next, &mut todo)?;
    }
    Ok(writer.out)
}

/// Writes a formula in Kermode's notation for a message, cut off after `length` bytes.
pub fn write_abbreviated(store: &Store, formula: Formula, length: usize) -> String {
    let syntax = Syntax::from(Dialect::Kermode);
    let mut writer = Writer { store, syntax, table: syntax.dialect.table(), out: String::new() };
    let mut todo = vec![Todo::Formula(formula)];
    while let Some(next) = todo.pop() {
        if writer.out.len() > length {
            let end = (0..=length).rev().find(|&end| writer.out.is_char_boundary(end)).unwrap_or(0);
            writer.out.truncate(end);
            writer.out.push('…');
            break;
        }
        if writer.step(next, &mut todo).is_err() {
            writer.out.push('?');
        }
    }
    writer.out
}

/// The parts that are still to be written, the last one first.
enum Todo {
    Formula(Formula),
    Text(&'static str),
    Infix(Infix),
}

#[derive(Clone, Copy)]
enum Infix {
    Plain(BinaryOp),
    Bounded(BoundedBinaryOp, Interval),
}

struct Writer<'s> {
    store: &'s Store,
    syntax: Syntax,
    table: &'static Table,
    out: String,
}

impl Writer<'_> {
    fn grammar(&self) -> &'static Grammar {
        self.table.grammar
    }

    fn step(&mut self, next: Todo, todo: &mut Vec<Todo>) -> Result<(), Unwritable> {
        match next {
            Todo::Formula(formula) => self.node(formula, todo),
            Todo::Infix(op) => self.infix(op),
            Todo::Text(text) => {
                self.out.push_str(text);
                Ok(())
            }
        }
    }

    fn node(&mut self, formula: Formula, todo: &mut Vec<Todo>) -> Result<(), Unwritable> {
        match self.store.node(formula) {
            Node::Constant(value) => {
                let text = self.grammar().spelling(Meaning::Constant(value));
                self.push(text, || value.to_string())
            }
            Node::Proposition(proposition) => self.name(proposition),
            Node::Unary(op, a) => {
                self.unary(op)?;
                self.prefix_operand(a, todo);
                Ok(())
            }
            Node::BoundedUnary(op, bounds, a) => {
                let bounds = self.store.interval(bounds);
                let text = bounded_prefix(op, bounds, self.syntax, self.grammar());
                self.push(text.as_deref(), || bounded_name(op, bounds))?;
                self.prefix_operand(a, todo);
                Ok(())
            }
            Node::Binary(op, a, b) => {
                self.infix_operands(Infix::Plain(op), a, b, todo);
                Ok(())
            }
            Node::BoundedBinary(op, bounds, a, b) => {
                let bounds = self.store.interval(bounds);
                self.infix_operands(Infix::Bounded(op, bounds), a, b, todo);
                Ok(())
            }
        }
    }

    /// Writes a spelling that a dialect may lack; `meant` describes its meaning.
    fn push(
        &mut self,
        text: Option<&str>,
        meant: impl FnOnce() -> String,
    ) -> Result<(), Unwritable> {
        match text {
            Some(text) => {
                self.out.push_str(text);
                Ok(())
            }
            None => Err(Unwritable::Operator { operator: meant(), dialect: self.grammar().name }),
        }
    }

    fn unary(&mut self, op: UnaryOp) -> Result<(), Unwritable> {
        self.push(prefix(op, self.syntax, self.grammar()), || format!("{op:?}"))
    }

    fn infix(&mut self, infix: Infix) -> Result<(), Unwritable> {
        self.out.push(' ');
        match infix {
            Infix::Plain(op) => {
                let text = self.grammar().spelling(Meaning::Infix(op));
                self.push(text, || format!("{op:?}"))?;
            }
            Infix::Bounded(op, Interval { low, high }) => {
                let letter = match op {
                    BoundedBinaryOp::Until => "U",
                    BoundedBinaryOp::Release => "R",
                };
                let text = format!("{letter}[{low},{high}]");
                let text = (self.grammar().bounds == Bounds::Kermode).then_some(text.as_str());
                self.push(text, || format!("bounded {op:?}"))?;
            }
        }
        self.out.push(' ');
        Ok(())
    }

    /// The operand of a prefix operator that was just written.
    fn prefix_operand(&mut self, a: Formula, todo: &mut Vec<Todo>) {
        if infix_of(self.store.node(a)).is_some() {
            self.out.push('(');
            todo.extend([Todo::Text(")"), Todo::Formula(a)]);
            return;
        }
        let glued =
            self.out.ends_with(|c: char| !c.is_ascii_alphanumeric() && c != ']' && c != '>');
        if !glued {
            self.out.push(' ');
        }
        todo.push(Todo::Formula(a));
    }

    fn infix_operands(&mut self, infix: Infix, a: Formula, b: Formula, todo: &mut Vec<Todo>) {
        self.infix_operand(infix, b, Associativity::Right, todo);
        todo.push(Todo::Infix(infix));
        self.infix_operand(infix, a, Associativity::Left, todo);
    }

    fn infix_operand(
        &self,
        infix: Infix,
        operand: Formula,
        side: Associativity,
        todo: &mut Vec<Todo>,
    ) {
        let inner = infix_of(self.store.node(operand));
        if inner.is_some_and(|inner| self.needs_parentheses(infix, inner, side)) {
            todo.extend([Todo::Text(")"), Todo::Formula(operand), Todo::Text("(")]);
        } else {
            todo.push(Todo::Formula(operand));
        }
    }

    fn needs_parentheses(&self, outer: Infix, inner: BinaryOp, side: Associativity) -> bool {
        let outer = match outer {
            Infix::Plain(op) => op,
            Infix::Bounded(BoundedBinaryOp::Until, _) => BinaryOp::Until,
            Infix::Bounded(BoundedBinaryOp::Release, _) => BinaryOp::Release,
        };
        let chain = matches!(outer, BinaryOp::And | BinaryOp::Or);
        if outer == inner && chain && side == Associativity::Left {
            return false;
        }
        // Spot's manual and Spot's parser disagree about the place of the exclusive or.
        let xor = outer == BinaryOp::Xor || inner == BinaryOp::Xor;
        let (outer, associativity) = self.table.level(outer);
        let (inner, _) = self.table.level(inner);
        self.grammar().parenthesise_all
            || xor
            || inner < outer
            || inner == outer && associativity != side
    }

    fn name(&mut self, proposition: Proposition) -> Result<(), Unwritable> {
        let name = self.store.name(proposition);
        match quoted_name(name, self.table) {
            Some(text) => {
                self.out.push_str(&text);
                Ok(())
            }
            None => Err(Unwritable::Name { name: name.to_owned(), dialect: self.grammar().name }),
        }
    }
}

/// The name of a proposition in Kermode's notation, quoted if necessary.
pub fn write_name(store: &Store, proposition: Proposition) -> String {
    let name = store.name(proposition);
    let written = quoted_name(name, Dialect::Kermode.table());
    written.map_or_else(|| quote(name), std::borrow::Cow::into_owned)
}

/// The operator that determines the precedence of a formula as an operand.
fn infix_of(node: Node) -> Option<BinaryOp> {
    match node {
        Node::Binary(op, _, _) => Some(op),
        Node::BoundedBinary(BoundedBinaryOp::Until, _, _, _) => Some(BinaryOp::Until),
        Node::BoundedBinary(BoundedBinaryOp::Release, _, _, _) => Some(BinaryOp::Release),
        _ => None,
    }
}

/// How a dialect writes a prefix operator.
pub(super) fn prefix(op: UnaryOp, syntax: Syntax, grammar: &Grammar) -> Option<&'static str> {
    match (op, syntax.dialect, syntax.words) {
        (UnaryOp::Next, Dialect::Spot, WordKind::Finite) => Some("X[!]"),
        (UnaryOp::WeakNext, Dialect::Spot, WordKind::Finite) => Some("X"),
        _ => grammar.spelling(Meaning::Prefix(op)),
    }
}

/// How a dialect writes a bounded prefix operator.
pub(super) fn bounded_prefix(
    op: BoundedUnaryOp,
    bounds: Interval,
    syntax: Syntax,
    grammar: &Grammar,
) -> Option<String> {
    let Interval { low, high } = bounds;
    let finite = syntax.words == WordKind::Finite;
    match (grammar.bounds, op) {
        (Bounds::None, _) => None,
        (Bounds::Kermode, BoundedUnaryOp::Finally) if low == high => Some(format!("X[{low}]")),
        (Bounds::Kermode, BoundedUnaryOp::Globally) if low == high => Some(format!("N[{low}]")),
        (Bounds::Nusmv, _) if high > NUSMV_LARGEST => None,
        (Bounds::Nusmv, op) if !has_same_meaning_in_nusmv(op, bounds) => None,
        (Bounds::Kermode | Bounds::Nusmv, op) => Some(format!("{}[{low},{high}]", letter(op))),
        (Bounds::Spot, BoundedUnaryOp::Once | BoundedUnaryOp::Historically) => None,
        (Bounds::Spot, _) if high > SPOT_LARGEST => None,
        (Bounds::Spot, BoundedUnaryOp::Finally) => Some(match (low == high, finite) {
            (true, true) => format!("X[{low}!]"),
            (true, false) => format!("X[{low}]"),
            (false, true) => format!("F[{low}:{high}!]"),
            (false, false) => format!("F[{low}:{high}]"),
        }),
        (Bounds::Spot, BoundedUnaryOp::Globally) if low == high && finite => {
            Some(format!("X[{low}]"))
        }
        (Bounds::Spot, BoundedUnaryOp::Globally) => Some(format!("G[{low}:{high}]")),
    }
}

fn letter(op: BoundedUnaryOp) -> char {
    match op {
        BoundedUnaryOp::Finally => 'F',
        BoundedUnaryOp::Globally => 'G',
        BoundedUnaryOp::Once => 'O',
        BoundedUnaryOp::Historically => 'H',
    }
}

fn bounded_name(op: BoundedUnaryOp, Interval { low, high }: Interval) -> String {
    format!("{}[{low},{high}]", letter(op))
}

/// A name as a dialect writes it, if it can.
fn quoted_name<'n>(name: &'n str, table: &Table) -> Option<std::borrow::Cow<'n, str>> {
    // In dialects with atoms, `last` is not a name.
    let reserved = matches!(table.grammar.bounds, Bounds::Kermode | Bounds::Nusmv)
        && terms::is_last_position(name);
    if table.is_plain_name(name) && !reserved {
        return Some(name.into());
    }
    match table.grammar.quoting {
        // In parentheses, since NuSMV lets `!` bind tighter than comparisons.
        Quoting::None => terms::is_atom(name, table).then(|| format!("({name})").into()),
        Quoting::Escaped => Some(quote(name).into()),
        // Spot drops line breaks and blank names, and reads comments inside strings.
        Quoting::Plain => {
            let strange = name.contains(['\n', '\r'])
                || name.contains("/*")
                || !name.is_empty() && name.trim().is_empty();
            (!strange).then(|| enclose(name, '"', '"').into())
        }
        // A line break would end the formula in a file with one formula per line.
        Quoting::Braces if name.contains(['\n', '\r']) => None,
        Quoting::Braces => Some(enclose(name, '{', '}').into()),
        Quoting::Predicate => {
            let text = format!("({name})");
            let whole = spin::predicates(&text).first() == Some(&(1..text.len() - 1));
            let one_name = spin::predicate_table().is_plain_name(name);
            let taken_whole = !name.is_empty() && name.trim() == name;
            let opaque = spin::opaque_parts(name, 0..name.len()).is_none()
                && spin::foreign_sign(name).is_none();
            (whole && taken_whole && (one_name || opaque)).then_some(text.into())
        }
    }
}
