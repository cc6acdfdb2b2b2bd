//! Kinds of expressions: where `next` and temporal operators may stand.
//!
//! One grammar serves all expressions; this pass over the nodes of a finished expression refuses
//! operators that its kind does not have. Temporal operators may stand only below temporal
//! operators and Boolean connectives.

use kermode_base::Diagnostic;

use super::tree::{BinaryOperator, Expression, File, NodeId, Syntax, UnaryOperator};

/// What an expression may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// Neither `next` nor temporal operators.
    Simple,
    /// `next`, but no temporal operators.
    Next,
    /// Operators of CTL.
    Ctl,
    /// `next` and operators of LTL.
    Ltl,
}

/// The logic to which a temporal operator belongs.
#[derive(Clone, Copy, PartialEq)]
enum Logic {
    Ltl,
    Ctl,
}

/// What is below a node.
#[derive(Clone, Copy, Default)]
struct Below {
    next: bool,
    /// A temporal operator, the outermost one.
    temporal: Option<NodeId>,
}

impl Below {
    fn and(self, other: Below) -> Below {
        Below { next: self.next || other.next, temporal: self.temporal.or(other.temporal) }
    }
}

/// Checks that an expression contains what its kind allows.
pub(super) fn check(
    file: &File,
    expression: Expression,
    kind: ExpressionKind,
) -> Result<(), Diagnostic> {
    let first = expression.first.index();
    let mut below: Vec<Below> = Vec::with_capacity(expression.root.index() + 1 - first);
    for index in first..=expression.root.index() {
        let node = NodeId(index as u32);
        let of = |operand: NodeId| below[operand.index() - first];
        let syntax = file.node(node);
        let operands = operands(file, syntax, of);
        let own = match logic(syntax) {
            Some(logic) => {
                allow_temporal(file, node, logic, kind)?;
                Below { temporal: Some(node), ..operands }
            }
            None if is_connective(syntax) => operands,
            None => {
                if let Some(temporal) = operands.temporal {
                    return Err(misplaced(file, temporal, syntax));
                }
                match syntax {
                    Syntax::Unary(UnaryOperator::Next, _) => {
                        allow_next(file, node, operands.next, kind)?;
                        Below { next: true, temporal: None }
                    }
                    Syntax::Bits(word, high, low) => {
                        let word = of(word);
                        if of(high).next || of(low).next {
                            return Err(next_refused(file, node, "in the bounds of bits"));
                        }
                        word
                    }
                    _ => operands,
                }
            }
        };
        below.push(own);
    }
    Ok(())
}

/// What is below all operands of a node.
fn operands(file: &File, syntax: Syntax, of: impl Fn(NodeId) -> Below) -> Below {
    match syntax {
        Syntax::Boolean(_)
        | Syntax::Integer(_)
        | Syntax::Word(_)
        | Syntax::Name(_)
        | Syntax::SelfInstance
        | Syntax::Range(..)
        | Syntax::Error => Below::default(),
        Syntax::Component(a, _) | Syntax::Unary(_, a) | Syntax::BoundedUnary(_, a, _) => of(a),
        Syntax::Index(a, b) | Syntax::Binary(_, a, b) | Syntax::BoundedBinary(_, a, b, _) => {
            of(a).and(of(b))
        }
        Syntax::Bits(a, b, c) | Syntax::Conditional(a, b, c) => of(a).and(of(b)).and(of(c)),
        Syntax::Set(list) | Syntax::Array(list) | Syntax::Count(list) | Syntax::Case(list) => {
            file.list(list).iter().fold(Below::default(), |all, &operand| all.and(of(operand)))
        }
    }
}

fn logic(syntax: Syntax) -> Option<Logic> {
    use {BinaryOperator as B, UnaryOperator as O};
    match syntax {
        Syntax::Unary(operator, _) | Syntax::BoundedUnary(operator, ..) => match operator {
            O::LtlNext
            | O::Eventually
            | O::Globally
            | O::Yesterday
            | O::WeakYesterday
            | O::Once
            | O::Historically => Some(Logic::Ltl),
            O::ExistsNext
            | O::AllNext
            | O::ExistsEventually
            | O::AllEventually
            | O::ExistsGlobally
            | O::AllGlobally => Some(Logic::Ctl),
            _ => None,
        },
        Syntax::Binary(operator, ..) | Syntax::BoundedBinary(operator, ..) => match operator {
            B::Until | B::Release | B::Since | B::Triggered => Some(Logic::Ltl),
            B::ExistsUntil | B::AllUntil => Some(Logic::Ctl),
            _ => None,
        },
        _ => None,
    }
}

fn is_connective(syntax: Syntax) -> bool {
    use BinaryOperator as B;
    match syntax {
        Syntax::Unary(operator, _) => operator == UnaryOperator::Not,
        Syntax::Binary(operator, ..) => {
            matches!(operator, B::And | B::Or | B::Xor | B::Xnor | B::Implies | B::Iff)
        }
        _ => false,
    }
}

fn allow_temporal(
    file: &File,
    node: NodeId,
    logic: Logic,
    kind: ExpressionKind,
) -> Result<(), Diagnostic> {
    let allowed = match logic {
        Logic::Ltl => kind == ExpressionKind::Ltl,
        Logic::Ctl => kind == ExpressionKind::Ctl,
    };
    if allowed {
        return Ok(());
    }
    let name = match logic {
        Logic::Ltl => "LTL",
        Logic::Ctl => "CTL",
    };
    let place = file.span(node).range();
    let error = Diagnostic::error(place, format!("an operator of {name} is not allowed here"));
    Err(match (logic, kind) {
        (Logic::Ltl, ExpressionKind::Ctl) => error
            .label("this is a formula of CTL")
            .help("write `AX`, `AF`, `AG` or `A [p U q]`, or move the formula to an `LTLSPEC`"),
        (Logic::Ctl, ExpressionKind::Ltl) => error
            .label("this is a formula of LTL")
            .help("write `X`, `F`, `G` or `p U q`, or move the formula to a `CTLSPEC`"),
        _ => error
            .label("temporal operators stand only in specifications")
            .help("write the whole formula in an `LTLSPEC` or `CTLSPEC`"),
    })
}

fn allow_next(
    file: &File,
    node: NodeId,
    nested: bool,
    kind: ExpressionKind,
) -> Result<(), Diagnostic> {
    if nested {
        let place = file.span(node).range();
        return Err(Diagnostic::error(place, "`next` stands inside of another `next`")
            .label("an expression sees one step and not two")
            .help("keep the value in another variable for one step"));
    }
    match kind {
        ExpressionKind::Next | ExpressionKind::Ltl => Ok(()),
        ExpressionKind::Simple => Err(next_refused(file, node, "here")),
        ExpressionKind::Ctl => Err(next_refused(file, node, "in CTL").help("write `AX` or `EX`")),
    }
}

fn next_refused(file: &File, node: NodeId, place: &str) -> Diagnostic {
    Diagnostic::error(file.span(node).range(), format!("`next` is not allowed {place}"))
        .label("this place sees the current state only")
        .help("write it in TRANS, or on the right side of `next(x) := ..`")
}

/// A temporal operator below an operator that is not Boolean.
fn misplaced(file: &File, temporal: NodeId, outer: Syntax) -> Diagnostic {
    use BinaryOperator as B;
    let error = Diagnostic::error(
        file.span(temporal).range(),
        "a temporal operator is not allowed below this operator",
    )
    .label("it may stand below `! & | xor xnor -> <->` and temporal operators only");
    match outer {
        Syntax::Binary(B::Equal, ..) => error.help("write `<->` instead of `=`"),
        Syntax::Binary(B::NotEqual, ..) => error.help("write `xor` instead of `!=`"),
        Syntax::Conditional(..) | Syntax::Case(_) => {
            error.help("`c ? p : q` is `(c -> p) & (!c -> q)`")
        }
        Syntax::Unary(UnaryOperator::Next, _) => error.help("write `X` instead of `next`"),
        _ => error.help("connect temporal formulas by Boolean connectives"),
    }
}
