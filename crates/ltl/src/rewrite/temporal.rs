//! Rules for nodes other than conjunctions and disjunctions.

use super::implication::implies;
use super::machine::{FLATTENED, Machine, Term, at_most, chain_op};
use crate::operator::{BinaryOp, UnaryOp};
use crate::store::{Formula, Node, Store};

use BinaryOp::{
    And, Iff, Implies, Or, Release, Since, StrongRelease, Triggered, Until, WeakUntil, Xor,
};
use UnaryOp::{
    Finally, Globally, Historically, Next, Not, Once, WeakNext, WeakYesterday, Yesterday,
};

fn constant(store: &Store, formula: Formula) -> Option<bool> {
    match store.node(formula) {
        Node::Constant(value) => Some(value),
        _ => None,
    }
}

fn is_not(store: &Store, a: Formula, b: Formula) -> bool {
    store.node(a) == Node::Unary(Not, b)
}

pub(super) fn constants(machine: &mut Machine, node: Node) -> Option<Term> {
    let store = &*machine.store;
    match node {
        Node::Unary(op, a) => {
            let value = constant(store, a)?;
            match op {
                Not => Some(Term::Constant(!value)),
                Finally | Globally | Once | Historically => Some(Term::Done(a)),
                Next | Yesterday if !value => Some(Term::Done(a)),
                WeakNext | WeakYesterday if value => Some(Term::Done(a)),
                _ => None,
            }
        }
        Node::Binary(op, a, b) => binary_constants(store, op, a, b),
        _ => None,
    }
}

fn binary_constants(store: &Store, op: BinaryOp, a: Formula, b: Formula) -> Option<Term> {
    let (left, right) = (constant(store, a), constant(store, b));
    let negated = |a| Term::unary(Not, a);
    match (op, left, right) {
        (Until | Since | Release | Triggered, _, Some(_)) => Some(Term::Done(b)),
        (Until | Since | WeakUntil, Some(false), _) => Some(Term::Done(b)),
        (Release | Triggered | StrongRelease, Some(true), _) => Some(Term::Done(b)),
        (WeakUntil, Some(true), _) | (WeakUntil, _, Some(true)) => Some(Term::Constant(true)),
        (StrongRelease, Some(false), _) | (StrongRelease, _, Some(false)) => {
            Some(Term::Constant(false))
        }
        (Implies, Some(false), _) | (Implies, _, Some(true)) => Some(Term::Constant(true)),
        (Implies | Iff, Some(true), _) | (Xor, Some(false), _) => Some(Term::Done(b)),
        (Iff, _, Some(true)) | (Xor, _, Some(false)) => Some(Term::Done(a)),
        (Implies | Iff, _, Some(false)) | (Xor, _, Some(true)) => Some(negated(a)),
        (Iff, Some(false), _) | (Xor, Some(true), _) => Some(negated(b)),
        _ => None,
    }
}

pub(super) fn next_constants(machine: &mut Machine, node: Node) -> Option<Term> {
    match node {
        Node::Unary(Next | WeakNext, a) if constant(machine.store, a).is_some() => {
            Some(Term::Done(a))
        }
        _ => None,
    }
}

pub(super) fn double_negation(machine: &mut Machine, node: Node) -> Option<Term> {
    match node {
        Node::Unary(Not, a) => match machine.store.node(a) {
            Node::Unary(Not, inner) => Some(Term::Done(inner)),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn same_operands(machine: &mut Machine, node: Node) -> Option<Term> {
    let store = &*machine.store;
    match node {
        Node::Unary(op @ (Finally | Globally | Once | Historically), a) => match store.node(a) {
            Node::Unary(inner, _) if inner == op => Some(Term::Done(a)),
            _ => None,
        },
        Node::Binary(op, a, b) if a == b => match op {
            Implies | Iff => Some(Term::Constant(true)),
            Xor => Some(Term::Constant(false)),
            _ => Some(Term::Done(a)),
        },
        Node::Binary(op, a, b) if is_not(store, a, b) || is_not(store, b, a) => match op {
            Iff => Some(Term::Constant(false)),
            Xor => Some(Term::Constant(true)),
            Implies => Some(Term::Done(b)),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn shorter_operators(machine: &mut Machine, node: Node) -> Option<Term> {
    let store = &*machine.store;
    let Node::Binary(op, a, b) = node else { return None };
    match (op, constant(store, a), constant(store, b)) {
        (Until, Some(true), _) => Some(Term::unary(Finally, b)),
        (Release, Some(false), _) => Some(Term::unary(Globally, b)),
        (WeakUntil, _, Some(false)) => Some(Term::unary(Globally, a)),
        (StrongRelease, _, Some(true)) => Some(Term::unary(Finally, a)),
        (Since, Some(true), _) => Some(Term::unary(Once, b)),
        (Triggered, Some(false), _) => Some(Term::unary(Historically, b)),
        _ => None,
    }
}

pub(super) fn eventual(machine: &mut Machine, node: Node) -> Option<Term> {
    match node {
        Node::Unary(Finally | Historically, a) | Node::Binary(Until | Triggered, _, a)
            if machine.purity(a).eventual =>
        {
            Some(Term::Done(a))
        }
        _ => None,
    }
}

pub(super) fn universal(machine: &mut Machine, node: Node) -> Option<Term> {
    match node {
        Node::Unary(Globally | Once, a) | Node::Binary(Release | Since, _, a)
            if machine.purity(a).universal =>
        {
            Some(Term::Done(a))
        }
        _ => None,
    }
}

pub(super) fn suspendable_next(machine: &mut Machine, node: Node) -> Option<Term> {
    match node {
        Node::Unary(Next | WeakNext, a) if machine.purity(a).suspendable() => Some(Term::Done(a)),
        _ => None,
    }
}

pub(super) fn suspendable_out(machine: &mut Machine, node: Node) -> Option<Term> {
    let (inner, body) = match node {
        Node::Unary(Finally | Once, a) | Node::Binary(Until | Since, _, a) => (And, a),
        Node::Unary(Globally | Historically, a) | Node::Binary(Release | Triggered, _, a) => {
            (Or, a)
        }
        _ => return None,
    };
    if chain_op(machine.store.node(body)) != Some(inner) {
        return None;
    }
    let (out, rest) = suspendable_parts(machine, inner, body);
    if out.is_empty() {
        return None;
    }
    let rest = Box::new(Term::chain(inner, rest));
    let kept = match node {
        Node::Binary(op, a, _) => Term::Binary(op, Box::new(Term::Done(a)), rest),
        Node::Unary(op, _) => Term::Unary(op, rest),
        _ => return None,
    };
    // The moved operands stay one chain, so that the next outer operator moves them together.
    Some(Term::Chain(inner, vec![kept, Term::chain(inner, out)]))
}

/// The suspendable operands of a chain, and the others.
fn suspendable_parts(
    machine: &mut Machine,
    op: BinaryOp,
    chain: Formula,
) -> (Vec<Formula>, Vec<Formula>) {
    let (mut out, mut rest) = (Vec::new(), Vec::new());
    let mut goes_on = at_most(FLATTENED);
    let mut todo = vec![chain];
    while let Some(next) = todo.pop() {
        let node = machine.store.node(next);
        if machine.purity(next).suspendable() {
            out.push(next);
        } else if chain_op(node) == Some(op) && goes_on(next) {
            todo.extend(node.operands().rev());
        } else {
            rest.push(next);
        }
    }
    (out, rest)
}

pub(super) fn absorbed_until(machine: &mut Machine, node: Node) -> Option<Term> {
    let Node::Unary(op, a) = node else { return None };
    match (op, machine.store.node(a)) {
        (Finally, Node::Binary(Until, _, b))
        | (Globally, Node::Binary(Release, _, b))
        | (Once, Node::Binary(Since, _, b))
        | (Historically, Node::Binary(Triggered, _, b)) => Some(Term::unary(op, b)),
        (Finally, Node::Binary(StrongRelease, a, b)) => {
            Some(Term::Unary(Finally, Box::new(Term::chain(And, [a, b]))))
        }
        (Globally, Node::Binary(WeakUntil, a, b)) => {
            Some(Term::Unary(Globally, Box::new(Term::chain(Or, [a, b]))))
        }
        _ => None,
    }
}

/// `next` in front, if both operands begin with `next`.
fn next_before(store: &Store, next: UnaryOp, op: BinaryOp, a: Formula, b: Formula) -> Option<Term> {
    match (store.node(a), store.node(b)) {
        (Node::Unary(first, a), Node::Unary(second, b)) if first == next && second == next => {
            Some(Term::Unary(next, Box::new(Term::binary(op, a, b))))
        }
        _ => None,
    }
}

/// `next` in front, if the operand begins with `next`.
fn next_before_unary(store: &Store, next: UnaryOp, op: UnaryOp, a: Formula) -> Option<Term> {
    match store.node(a) {
        Node::Unary(first, a) if first == next => {
            Some(Term::Unary(next, Box::new(Term::unary(op, a))))
        }
        _ => None,
    }
}

pub(super) fn next_out(machine: &mut Machine, node: Node) -> Option<Term> {
    let store = &*machine.store;
    match node {
        Node::Unary(Finally, a) => next_before_unary(store, Next, Finally, a),
        Node::Unary(Globally, a) => next_before_unary(store, WeakNext, Globally, a),
        Node::Binary(op @ (Until | StrongRelease), a, b) => next_before(store, Next, op, a, b),
        Node::Binary(op @ (Release | WeakUntil), a, b) => next_before(store, WeakNext, op, a, b),
        _ => None,
    }
}

pub(super) fn next_out_infinite(machine: &mut Machine, node: Node) -> Option<Term> {
    let store = &*machine.store;
    match node {
        Node::Unary(Globally, a) => next_before_unary(store, Next, Globally, a),
        Node::Unary(Finally, a) => next_before_unary(store, WeakNext, Finally, a),
        Node::Binary(op @ (Release | WeakUntil), a, b) => next_before(store, Next, op, a, b),
        Node::Binary(op @ (Until | StrongRelease), a, b) => next_before(store, WeakNext, op, a, b),
        _ => None,
    }
}

pub(super) fn next_yesterday(machine: &mut Machine, node: Node) -> Option<Term> {
    let Node::Unary(Next | WeakNext, a) = node else { return None };
    match machine.store.node(a) {
        Node::Unary(Yesterday | WeakYesterday, a) => Some(Term::Done(a)),
        _ => None,
    }
}

pub(super) fn implied_operand(machine: &mut Machine, node: Node) -> Option<Term> {
    let store = &*machine.store;
    let Node::Binary(op, a, b) = node else { return None };
    let weaker = |a, b| implies(store, a, b);
    match op {
        Until | WeakUntil | Since if weaker(a, b) => Some(Term::Done(b)),
        Release | StrongRelease | Triggered if weaker(b, a) => Some(Term::Done(b)),
        Implies if weaker(a, b) => Some(Term::Constant(true)),
        Until | Release => match store.node(b) {
            Node::Binary(inner, c, _) if inner == op => {
                let superfluous = if op == Until { weaker(a, c) } else { weaker(c, a) };
                superfluous.then_some(Term::Done(b))
            }
            _ => None,
        },
        _ => None,
    }
}
