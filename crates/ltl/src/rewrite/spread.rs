//! Rules for translations into automata.
//!
//! The rules of [`RULES`](super::RULES) make formulas smaller. For a small automaton it is better
//! to separate parts that hold at every position or never from parts that must be waited for. An
//! automaton for `a W F b` needs a state that waits, one for `G a | F b` chooses once. An automaton
//! for `G(a U b)` follows each until, one for `G((a | b) & F b)` has one mark and no additional
//! state. These rules may add operators, so the translation tries the formula with them and without
//! them.
//!
//! Here `e` is a pure eventuality, `u` a pure universality (see `purity.rs`), and words are
//! infinite.

use super::implication::implies;
use super::machine::{FLATTENED, Machine, Term, at_most, chain_op, chain_operands};
use super::rule::{Rule, chain, infinite, merging, node};
use crate::operator::{BinaryOp, UnaryOp};
use crate::store::{Formula, Node};

use BinaryOp::{And, Or, Release, StrongRelease, Until, WeakUntil};
use UnaryOp::{Finally, Globally, Next, Not};

/// The rules, in the order in which they are tried, after all rules of [`RULES`](super::RULES).
pub static SPREADING: &[Rule] = &[
    merging(node(
        "pure-operand",
        "e M a = e & a, u W a = u | a, a W e = G a | e, a M u = F a & u, a M e = F(a & e), a W u = G(a | u), a R e = G e | F(a & e)",
        ("a W F b", "G a | F b"),
        pure_operand,
    )),
    merging(infinite(node(
        "next-of-same",
        "X a R a = X a M a = a & X a, X a U a = X a W a = a | X a",
        ("X a R a", "X a & a"),
        next_of_same,
    ))),
    merging(node(
        "pure-out",
        "a U (b | e) = (a U b) | e, a R (b & u) = (a R b) & u; W as U, M as R",
        ("a U (b | F c)", "(a U b) | F c"),
        pure_out,
    )),
    merging(infinite(node(
        "recurrent-parts",
        "G(a & F(b & e)) = G(a & F b & e), G(a & X e) = G(a & e), F(a | G(b | u)) = F(a | G b | u), F(a | X u) = F(a | u)",
        ("G F(a & F b)", "G(F a & F b)"),
        recurrent_parts,
    ))),
    merging(node(
        "implied-part",
        "F(a & u) = F u if u implies F a, G(a | e) = G e if G a implies e",
        ("F(a & G F a)", "F(G F a)"),
        implied_part,
    )),
    merging(node(
        "until-always",
        "G(a M b) = G(b & F a), G(a U b) = G((a | b) & F b), F(a W b) = F(b | G a), F(a R b) = F((a & b) | G b)",
        ("G(a M b)", "G(b & F a)"),
        until_always,
    )),
    merging(infinite(chain(
        "implied-next",
        "X a & G b = G b if G b implies a, X a | F b = F b if a implies F b",
        ("X F a & G(b & F a)", "G(b & F a)"),
        implied_next,
    ))),
    merging(chain(
        "weak-until",
        "(a U b) | G a = a W b, (a R b) & F a = a M b",
        ("(a U b) | G a", "a W b"),
        weak_until,
    )),
    merging(chain(
        "first-time",
        "G !p | F(p & e) = !p W (p & e), F !p & G(p | u) = !p M (p | u), for a proposition p or its negation",
        ("G !a | F(a & F b)", "!a W (a & F b)"),
        first_time,
    )),
    merging(chain(
        "pure-in",
        "F a | e = F(a | e), G a & u = G(a & u)",
        ("F G a | G F b", "F(G a | G F b)"),
        pure_in,
    )),
];

/// Rules that compare operands skip longer chains.
const LONGEST_CHAIN: usize = 64;

fn pure_operand(machine: &mut Machine, node: Node) -> Option<Term> {
    let Node::Binary(op, a, b) = node else { return None };
    let (left, right) = (machine.purity(a), machine.purity(b));
    match op {
        StrongRelease if left.eventual => Some(Term::chain(And, [a, b])),
        WeakUntil if left.universal => Some(Term::chain(Or, [a, b])),
        WeakUntil if right.eventual => {
            Some(Term::Chain(Or, vec![Term::unary(Globally, a), Term::Done(b)]))
        }
        StrongRelease if right.universal => {
            Some(Term::Chain(And, vec![Term::unary(Finally, a), Term::Done(b)]))
        }
        StrongRelease if right.eventual => {
            Some(Term::Unary(Finally, Box::new(Term::chain(And, [a, b]))))
        }
        WeakUntil if right.universal => {
            Some(Term::Unary(Globally, Box::new(Term::chain(Or, [a, b]))))
        }
        Release if right.eventual => Some(Term::Chain(
            Or,
            vec![
                Term::unary(Globally, b),
                Term::Unary(Finally, Box::new(Term::chain(And, [a, b]))),
            ],
        )),
        _ => None,
    }
}

fn next_of_same(machine: &mut Machine, node: Node) -> Option<Term> {
    let Node::Binary(op, a, b) = node else { return None };
    if machine.store.node(a) != Node::Unary(Next, b) {
        return None;
    }
    match op {
        Release | StrongRelease => Some(Term::chain(And, [a, b])),
        Until | WeakUntil => Some(Term::chain(Or, [a, b])),
        _ => None,
    }
}

/// The operands of a chain; a formula that is not a chain is its own operand.
fn operands(machine: &Machine, op: BinaryOp, formula: Formula) -> Vec<Formula> {
    match chain_op(machine.store.node(formula)) == Some(op) {
        true => chain_operands(machine.store, formula, at_most(FLATTENED)),
        false => vec![formula],
    }
}

/// The operands of a chain, split by the test.
fn parted(
    machine: &mut Machine,
    op: BinaryOp,
    chain: Formula,
    is_pure: impl Fn(&mut Machine, Formula) -> bool,
) -> (Vec<Formula>, Vec<Formula>) {
    operands(machine, op, chain).into_iter().partition(|&operand| is_pure(machine, operand))
}

fn is_eventual(machine: &mut Machine, formula: Formula) -> bool {
    machine.purity(formula).eventual
}

fn is_universal(machine: &mut Machine, formula: Formula) -> bool {
    machine.purity(formula).universal
}

fn pure_out(machine: &mut Machine, node: Node) -> Option<Term> {
    let Node::Binary(op, a, b) = node else { return None };
    let (inner, is_pure): (_, fn(&mut Machine, Formula) -> bool) = match op {
        Until | WeakUntil => (Or, is_eventual),
        Release | StrongRelease => (And, is_universal),
        _ => return None,
    };
    if chain_op(machine.store.node(b)) != Some(inner) {
        return None;
    }
    let (pure, rest) = parted(machine, inner, b, is_pure);
    if pure.is_empty() || rest.is_empty() {
        return None;
    }
    let rest = Term::Binary(op, Box::new(Term::Done(a)), Box::new(Term::chain(inner, rest)));
    Some(Term::Chain(inner, vec![rest, Term::chain(inner, pure)]))
}

fn recurrent_parts(machine: &mut Machine, node: Node) -> Option<Term> {
    let Node::Unary(outer, body) = node else { return None };
    let (op, inner, is_pure): (_, _, fn(&mut Machine, Formula) -> bool) = match outer {
        Globally => (And, Finally, is_eventual),
        Finally => (Or, Globally, is_universal),
        _ => return None,
    };
    let operands = operands(machine, op, body);
    let mut parts = Vec::new();
    for &operand in &operands {
        parts.push(match machine.store.node(operand) {
            Node::Unary(Next, pure) if is_pure(machine, pure) => Term::Done(pure),
            Node::Unary(first, below) if first == inner => {
                let (pure, rest) = parted(machine, op, below, is_pure);
                if pure.is_empty() || rest.is_empty() {
                    continue;
                }
                let rest = Term::Unary(inner, Box::new(Term::chain(op, rest)));
                Term::Chain(op, vec![rest, Term::chain(op, pure)])
            }
            _ => continue,
        });
        let others = operands.iter().filter(|&&other| other != operand);
        parts.extend(others.map(|&other| Term::Done(other)));
        return Some(Term::Unary(outer, Box::new(Term::Chain(op, parts))));
    }
    None
}

fn implied_part(machine: &mut Machine, node: Node) -> Option<Term> {
    let Node::Unary(outer, body) = node else { return None };
    let (op, is_pure): (_, fn(&mut Machine, Formula) -> bool) = match outer {
        Finally => (And, is_universal),
        Globally => (Or, is_eventual),
        _ => return None,
    };
    if chain_op(machine.store.node(body)) != Some(op) {
        return None;
    }
    // One other operand only: several operands may each recur without recurring together.
    let (pure, rest) = parted(machine, op, body, is_pure);
    let &[part] = &rest[..] else { return None };
    let repeated = machine.store.intern(Node::Unary(outer, part));
    let is_implied = pure.iter().any(|&pure| match outer {
        Finally => implies(machine.store, pure, repeated),
        _ => implies(machine.store, repeated, pure),
    });
    is_implied.then(|| Term::Unary(outer, Box::new(Term::chain(op, pure))))
}

fn until_always(machine: &mut Machine, node: Node) -> Option<Term> {
    let Node::Unary(outer, body) = node else { return None };
    let Node::Binary(op, a, b) = machine.store.node(body) else { return None };
    let parts = match (outer, op) {
        (Globally, StrongRelease) => (And, Term::Done(b), Term::unary(Finally, a)),
        (Globally, Until) => (And, Term::chain(Or, [a, b]), Term::unary(Finally, b)),
        (Finally, WeakUntil) => (Or, Term::Done(b), Term::unary(Globally, a)),
        (Finally, Release) => (Or, Term::chain(And, [a, b]), Term::unary(Globally, b)),
        _ => return None,
    };
    Some(Term::Unary(outer, Box::new(Term::Chain(parts.0, vec![parts.1, parts.2]))))
}

fn implied_next(machine: &mut Machine, op: BinaryOp, operands: &[Formula]) -> Option<Term> {
    if operands.len() > LONGEST_CHAIN {
        return None;
    }
    let store = &*machine.store;
    let covers = |other: Formula, a: Formula| match (op, store.node(other)) {
        (And, Node::Unary(Globally, _)) => implies(store, other, a),
        (Or, Node::Unary(Finally, _)) => implies(store, a, other),
        _ => false,
    };
    let is_implied = |&operand: &Formula| match store.node(operand) {
        Node::Unary(Next, a) => operands.iter().any(|&other| covers(other, a)),
        _ => false,
    };
    let kept: Vec<Formula> = operands.iter().copied().filter(|a| !is_implied(a)).collect();
    (kept.len() < operands.len()).then(|| Term::chain(op, kept))
}

fn weak_until(machine: &mut Machine, op: BinaryOp, operands: &[Formula]) -> Option<Term> {
    if operands.len() > LONGEST_CHAIN {
        return None;
    }
    let (repeated, from, to) = match op {
        Or => (Globally, Until, WeakUntil),
        _ => (Finally, Release, StrongRelease),
    };
    let pair = operands.iter().find_map(|&operand| match machine.store.node(operand) {
        Node::Binary(binary, a, b) if binary == from => {
            let always = machine.store.intern(Node::Unary(repeated, a));
            operands.contains(&always).then_some((operand, always, Term::binary(to, a, b)))
        }
        _ => None,
    });
    let (until, always, joined) = pair?;
    let rest = operands.iter().copied().filter(|&operand| operand != until && operand != always);
    Some(Term::Chain(op, rest.map(Term::Done).chain([joined]).collect()))
}

fn first_time(machine: &mut Machine, op: BinaryOp, operands: &[Formula]) -> Option<Term> {
    if operands.len() > LONGEST_CHAIN {
        return None;
    }
    let (inner_op, never, once, to): (_, _, _, _) = match op {
        Or => (And, Globally, Finally, WeakUntil),
        _ => (Or, Finally, Globally, StrongRelease),
    };
    let is_pure = if op == Or { is_eventual } else { is_universal };
    for &operand in operands {
        let Node::Unary(first, body) = machine.store.node(operand) else { continue };
        if first != once || chain_op(machine.store.node(body)) != Some(inner_op) {
            continue;
        }
        let (_, literals) = parted(machine, inner_op, body, is_pure);
        let &[literal] = &literals[..] else { continue };
        let Some(opposite) = opposite(machine, literal) else { continue };
        let never = machine.store.intern(Node::Unary(never, opposite));
        if operands.contains(&never) {
            let joined = Term::binary(to, opposite, body);
            let rest = operands.iter().copied().filter(|&a| a != operand && a != never);
            return Some(Term::Chain(op, rest.map(Term::Done).chain([joined]).collect()));
        }
    }
    None
}

/// The negation of a proposition, or the proposition of a negated one.
fn opposite(machine: &mut Machine, literal: Formula) -> Option<Formula> {
    match machine.store.node(literal) {
        Node::Proposition(_) => Some(machine.store.intern(Node::Unary(Not, literal))),
        Node::Unary(Not, a) => matches!(machine.store.node(a), Node::Proposition(_)).then_some(a),
        _ => None,
    }
}

fn pure_in(machine: &mut Machine, op: BinaryOp, operands: &[Formula]) -> Option<Term> {
    if operands.len() > LONGEST_CHAIN {
        return None;
    }
    let (outer, is_pure): (_, fn(&mut Machine, Formula) -> bool) = match op {
        Or => (Finally, is_eventual),
        _ => (Globally, is_universal),
    };
    let body = |machine: &Machine, operand: Formula| match machine.store.node(operand) {
        Node::Unary(first, body) if first == outer => Some(body),
        _ => None,
    };
    let pure: Vec<Formula> =
        operands.iter().copied().filter(|&operand| is_pure(machine, operand)).collect();
    if pure.len() < 2 || !pure.iter().any(|&operand| body(machine, operand).is_some()) {
        return None;
    }
    let inside = pure.iter().map(|&operand| body(machine, operand).unwrap_or(operand));
    let together = Term::Unary(outer, Box::new(Term::chain(op, inside.collect::<Vec<_>>())));
    let rest = operands.iter().copied().filter(|operand| !pure.contains(operand));
    Some(Term::Chain(op, rest.map(Term::Done).chain([together]).collect()))
}
