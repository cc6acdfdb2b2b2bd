//! Deliberately wrong rules: the checks of the real rules must reject each of them.

use std::convert::Infallible;

use super::machine::{self, Machine, Term};
use super::rule::{Apply, RULES, Rule, Soundness};
use super::spread::SPREADING;
use super::temporal;
use crate::operator::{BinaryOp, UnaryOp};
use crate::random::{Operators, RandomFormula, random_word};
use crate::semantics;
use crate::store::{Formula, Node, Store};
use crate::word::WordKind;
use kermode_base::Rng;

use BinaryOp::{And, Or, Until};
use UnaryOp::{Finally, Globally, Historically, Next, Not, Once, Yesterday};

/// Whether random words find a difference between a formula and its rewritten form, on a kind of
/// words that the rule claims. There are `tries` attempts without past operators and as many with
/// them.
fn is_caught(rule: Rule, tries: usize) -> bool {
    let kinds: &[WordKind] = match rule.soundness {
        Soundness::Both => &[WordKind::Infinite, WordKind::Finite],
        Soundness::Infinite => &[WordKind::Infinite],
    };
    let rules = [rule];
    let mut rng = Rng::new(8);
    (0..2 * tries).any(|round| {
        let words = kinds[round % kinds.len()];
        let mut store = Store::new();
        let propositions = ["a", "b", "c"].map(|name| store.proposition(name)).to_vec();
        let mut unary = vec![Not, Next, Finally, Globally];
        if round >= tries {
            unary.extend([Once, Historically, Yesterday]);
        }
        let operators = Operators {
            unary,
            binary: vec![And, Or, Until],
            constants: round % 3 == 0,
            ..Operators::default()
        };
        let size = 2 + round % 8;
        let random = RandomFormula { size, propositions: propositions.clone(), operators };
        let before = random.draw(&mut store, &mut rng);
        let mut never = || Ok::<(), Infallible>(());
        let Ok(simplified) = machine::run(&mut store, before, words, &rules, &[true], &mut never);
        let after = simplified.formula;
        (0..10).any(|_| {
            let word = random_word(&mut rng, &propositions, words, 3, 3);
            semantics::holds(&store, before, &word) != semantics::holds(&store, after, &word)
        })
    })
}

fn wrong(apply: Apply) -> Rule {
    Rule { name: "wrong", apply, soundness: Soundness::Both, ..RULES[0] }
}

fn unary_of(machine: &Machine, op: UnaryOp, a: Formula) -> Option<Formula> {
    match machine.store.node(a) {
        Node::Unary(inner, a) if inner == op => Some(a),
        _ => None,
    }
}

/// Rewrites `outer(a inner b)` to `outer a inner outer b`.
fn distribute(machine: &mut Machine, node: Node, outer: UnaryOp, inner: BinaryOp) -> Option<Term> {
    let Node::Unary(op, chain) = node else { return None };
    match machine.store.node(chain) {
        Node::Binary(found, a, b) if op == outer && found == inner => {
            Some(Term::Chain(inner, [a, b].map(|a| Term::unary(outer, a)).to_vec()))
        }
        _ => None,
    }
}

const MUTANTS: &[(&str, Apply)] = &[
    ("G X a = X G a on finite words", Apply::Node(temporal::next_out_infinite)),
    ("X true = true on finite words", Apply::Node(temporal::next_constants)),
    ("X s = s on finite words", Apply::Node(temporal::suspendable_next)),
    (
        "!X a = X !a on finite words",
        Apply::Node(|machine, node| {
            let Node::Unary(Not, a) = node else { return None };
            let a = unary_of(machine, Next, a)?;
            Some(Term::Unary(Next, Box::new(Term::unary(Not, a))))
        }),
    ),
    ("F(a & b) = F a & F b", Apply::Node(|m, node| distribute(m, node, Finally, And))),
    ("G(a | b) = G a | G b", Apply::Node(|m, node| distribute(m, node, Globally, Or))),
    (
        "a U b = F b",
        Apply::Node(|_, node| match node {
            Node::Binary(Until, _, b) => Some(Term::unary(Finally, b)),
            _ => None,
        }),
    ),
    (
        "F u = u for a universality",
        Apply::Node(|machine, node| match node {
            Node::Unary(Finally, a) if machine.purity(a).universal => Some(Term::Done(a)),
            _ => None,
        }),
    ),
    ("X Y a = a on finite words", Apply::Node(temporal::next_yesterday)),
    (
        "O e = e for an eventuality",
        Apply::Node(|machine, node| match node {
            Node::Unary(Once, a) if machine.purity(a).eventual => Some(Term::Done(a)),
            _ => None,
        }),
    ),
    (
        "Y s = s",
        Apply::Node(|machine, node| match node {
            Node::Unary(Yesterday, a) if machine.purity(a).suspendable() => Some(Term::Done(a)),
            _ => None,
        }),
    ),
    (
        "a & b = b if a implies b",
        Apply::Chain(|machine, op, operands| match operands {
            &[a, b] if op == And && a != b && super::implication::implies(machine.store, a, b) => {
                Some(Term::Done(b))
            }
            _ => None,
        }),
    ),
    (
        "(a U c) | (b U c) = (a | b) U c",
        Apply::Chain(|machine, op, operands| {
            let &[x, y] = operands else { return None };
            match (machine.store.node(x), machine.store.node(y)) {
                (Node::Binary(Until, a, c), Node::Binary(Until, b, d))
                    if op == Or && c == d && a != b =>
                {
                    let either = Term::chain(Or, [a, b]);
                    Some(Term::Binary(Until, Box::new(either), Box::new(Term::Done(c))))
                }
                _ => None,
            }
        }),
    ),
];

#[test]
fn wrong_rules_are_caught() {
    for &(name, apply) in MUTANTS {
        assert!(is_caught(wrong(apply), 100_000), "{name} was not caught");
    }
}

#[test]
fn the_real_rules_are_not() {
    for rule in RULES.iter().chain(SPREADING) {
        let copy = Rule { name: rule.name, ..*rule };
        assert!(!is_caught(copy, 2_000), "{}", rule.name);
    }
}
