//! The table of rules. Each rule has a row here and a function that applies it.

use std::str::FromStr;

use super::machine::{Machine, Term};
use super::{bounded, chains, temporal};
use crate::operator::BinaryOp;
use crate::store::{Formula, Node};
use crate::word::WordKind;

/// The words on which a rule preserves the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Soundness {
    /// On infinite and on finite words.
    Both,
    /// On infinite words only.
    Infinite,
}

/// The property of a formula that a rule preserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// The language, and the value of any subformula at each position.
    Language,
    /// The language of the whole formula only.
    WholeLanguage,
    /// Satisfiability; words are mapped back.
    Satisfiability,
}

/// The part of a formula that a rule sees.
#[derive(Clone, Copy)]
pub(super) enum Apply {
    /// A node with simplified operands.
    Node(fn(&mut Machine, Node) -> Option<Term>),
    /// The simplified operands of a conjunction or disjunction.
    Chain(fn(&mut Machine, BinaryOp, &[Formula]) -> Option<Term>),
    /// A whole formula; [`crate::preprocess`] applies such rules.
    Whole,
}

/// A rewriting rule.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its equations.
    pub equations: &'static str,
    /// The words on which it is sound.
    pub soundness: Soundness,
    /// The property that it preserves.
    pub keeps: Keeps,
    /// A formula in which it fires, and the result of this rule and the rules for constants.
    pub example: (&'static str, &'static str),
    /// Whether it merges several operators into one. This enlarges a formula that uses them
    /// elsewhere.
    pub(super) merges: bool,
    pub(super) apply: Apply,
}

const fn rule(
    name: &'static str,
    equations: &'static str,
    example: (&'static str, &'static str),
    apply: Apply,
) -> Rule {
    let (soundness, keeps, merges) = (Soundness::Both, Keeps::Language, false);
    Rule { name, equations, soundness, keeps, example, merges, apply }
}

const fn whole(
    name: &'static str,
    equations: &'static str,
    example: (&'static str, &'static str),
    keeps: Keeps,
) -> Rule {
    Rule { keeps, ..rule(name, equations, example, Apply::Whole) }
}

pub(super) const fn node(
    name: &'static str,
    equations: &'static str,
    example: (&'static str, &'static str),
    apply: fn(&mut Machine, Node) -> Option<Term>,
) -> Rule {
    rule(name, equations, example, Apply::Node(apply))
}

pub(super) const fn chain(
    name: &'static str,
    equations: &'static str,
    example: (&'static str, &'static str),
    apply: fn(&mut Machine, BinaryOp, &[Formula]) -> Option<Term>,
) -> Rule {
    rule(name, equations, example, Apply::Chain(apply))
}

pub(super) const fn infinite(rule: Rule) -> Rule {
    Rule { soundness: Soundness::Infinite, ..rule }
}

pub(super) const fn merging(rule: Rule) -> Rule {
    Rule { merges: true, ..rule }
}

/// All rules, in the order in which they are tried.
pub static RULES: &[Rule] = &[
    node(
        "constants",
        "F true = true, false U a = a, ...",
        ("F true & a", "a"),
        temporal::constants,
    ),
    infinite(node(
        "next-constants",
        "X true = true, N false = false",
        ("X true & a", "a"),
        temporal::next_constants,
    )),
    node("double-negation", "!!a = a", ("!!a", "a"), temporal::double_negation),
    node(
        "same-operands",
        "a U a = a, a -> a = true, F F a = F a, ...",
        ("(a U a) & F F b", "a & F b"),
        temporal::same_operands,
    ),
    node(
        "shorter-operators",
        "true U a = F a, false R a = G a, a W false = G a, a M true = F a, true S a = O a, false T a = H a",
        ("true U a", "F a"),
        temporal::shorter_operators,
    ),
    node(
        "eventual",
        "F e = e, a U e = e, H e = e, a T e = e, for a pure eventuality e",
        ("a U F b", "F b"),
        temporal::eventual,
    ),
    node(
        "universal",
        "G u = u, a R u = u, O u = u, a S u = u, for a pure universality u",
        ("a R G b", "G b"),
        temporal::universal,
    ),
    infinite(node(
        "suspendable-next",
        "X s = s, for s both an eventuality and a universality",
        ("X G F a", "G F a"),
        temporal::suspendable_next,
    )),
    merging(node(
        "suspendable-out",
        "F(a & s) = F a & s, G(a | s) = G a | s, a U (b & s) = (a U b) & s, a R (b | s) = (a R b) | s; O as F, H as G, S as U, T as R",
        ("F(a & G F b)", "F a & G F b"),
        temporal::suspendable_out,
    )),
    merging(node(
        "absorbed-until",
        "F(a U b) = F b, G(a R b) = G b, F(a M b) = F(a & b), G(a W b) = G(a | b), O(a S b) = O b, H(a T b) = H b",
        ("F(a U b)", "F b"),
        temporal::absorbed_until,
    )),
    merging(node(
        "next-out",
        "X a U X b = X(a U b), F X a = X F a, N a R N b = N(a R b), G N a = N G a; M as U, W as R",
        ("F X a", "X F a"),
        temporal::next_out,
    )),
    merging(infinite(node(
        "next-out-infinite",
        "X a R X b = X(a R b), G X a = X G a; W as R; the same with N for X",
        ("G X a", "X G a"),
        temporal::next_out_infinite,
    ))),
    infinite(node(
        "next-yesterday",
        "X Y a = a, X Z a = a; the same with N for X",
        ("X Y a", "a"),
        temporal::next_yesterday,
    )),
    node(
        "implied-operand",
        "a U b = b if a implies b, a R b = b if b implies a, a U (b U c) = b U c if a implies b, ...",
        ("(a & b) U a", "a"),
        temporal::implied_operand,
    ),
    node(
        "bounded-constants",
        "F[l,h] false = false, G[l,h] true = true, F[0,h] true = true, F[0,0] a = a, true U[l,h] a = F[l,h] a, ...",
        ("F[0,9] true & G[2,5] true & a", "a"),
        bounded::constants,
    ),
    infinite(node(
        "bounded-constants-infinite",
        "F[l,h] true = true, G[l,h] false = false, a U[l,h] true = G[0,l-1] a, a R[l,h] false = F[0,l-1] a",
        ("a U[3,5] true", "G[0,2] a"),
        bounded::constants_infinite,
    )),
    merging(node(
        "bounded-negation",
        "!F[l,h] a = G[l,h] !a, !(a U[l,h] b) = !a R[l,h] !b, ...",
        ("!F[2,5] a", "G[2,5] !a"),
        bounded::negation,
    )),
    node(
        "bounded-step",
        "F[1,1] a = X a, G[1,1] a = N a, O[1,1] a = Y a, H[1,1] a = Z a",
        ("F[1,1] a", "X a"),
        bounded::single_step,
    ),
    merging(node(
        "bounded-nested",
        "F[l,h] F[m,n] a = F[l+m,h+n] a, X F[l,h] a = F[l,h] X a = F[l+1,h+1] a; G with N, O with Y, H with Z",
        ("F[1,2] X F[3,4] a", "F[5,7] a"),
        bounded::nested,
    )),
    merging(infinite(node(
        "bounded-nested-infinite",
        "X G[l,h] a = G[l,h] X a = G[l+1,h+1] a, F[n,n] G[l,h] a = G[l,h] F[n,n] a = G[l+n,h+n] a; the same for F and N",
        ("X G[3,4] a", "G[4,5] a"),
        bounded::nested_infinite,
    ))),
    node(
        "bounded-pure-operand",
        "F[l,h] e = F[l,l] e, H[l,h] e = H[l,l] e for a pure eventuality e, G[l,h] u = G[l,l] u, O[l,h] u = O[l,l] u for a pure universality u",
        ("F[2,7] F a", "F[2,2] F a"),
        bounded::pure_operand,
    ),
    infinite(node(
        "bounded-suspendable",
        "F[l,h] s = s, G[l,h] s = s, for s both an eventuality and a universality",
        ("F[2,7] G F a", "G F a"),
        bounded::suspendable,
    )),
    merging(node(
        "bounded-absorbed",
        "F F[0,h] a = F a, G G[0,h] a = G a, O O[0,h] a = O a, H H[0,h] a = H a",
        ("F F[0,7] a", "F a"),
        bounded::absorbed,
    )),
    merging(infinite(node(
        "bounded-absorbed-infinite",
        "F F[l,h] a = F[l,l] F a, G G[l,h] a = G[l,l] G a, G F[n,n] a = F[n,n] G a, F G[n,n] a = G[n,n] F a",
        ("F F[3,7] a", "F[3,3] F a"),
        bounded::absorbed_infinite,
    ))),
    node(
        "bounded-implied-operand",
        "a U[0,h] b = b if a implies b, a R[0,h] b = b if b implies a",
        ("(a & b) U[0,7] a", "a"),
        bounded::implied_operand,
    ),
    chain(
        "chain-constants",
        "a & true = a, a & false = false, a | true = true, a | false = a",
        ("a & true", "a"),
        chains::constants,
    ),
    chain("duplicates", "a & a = a, a | a = a", ("a & b & a", "a & b"), chains::duplicates),
    chain(
        "complements",
        "a & !a = false, a | !a = true",
        ("a & b & !a", "false"),
        chains::complements,
    ),
    chain(
        "absorption",
        "a & b = a and a | b = b if a implies b",
        ("G a & a", "G a"),
        chains::absorption,
    ),
    merging(chain(
        "merge-unary",
        "G a & G b = G(a & b), F a | F b = F(a | b), X a & X b = X(a & b), ..., the same for the past",
        ("G a & G b", "G(a & b)"),
        chains::merge_unary,
    )),
    merging(chain(
        "merge-suspendable",
        "G F a | G F b = G F(a | b), F G a & F G b = F G(a & b)",
        ("G F a | G F b", "G F(a | b)"),
        chains::merge_suspendable,
    )),
    merging(chain(
        "merge-binary",
        "(a U b) | (a U c) = a U (b | c), (a U c) & (b U c) = (a & b) U c, the same for W; R, M dually; S, T",
        ("(a U b) | (a U c)", "a U (b | c)"),
        chains::merge_binary,
    )),
    merging(chain(
        "bounded-join",
        "F[l,h] a | F[m,n] a = F[min(l,m),max(h,n)] a if the intervals touch, a is F[0,0] a and X a is F[1,1] a; G with &, O with |, H with &",
        ("a | F[1,4] a | F[5,6] a", "F[0,6] a"),
        bounded::join,
    )),
    merging(chain(
        "bounded-narrow",
        "F[l,h] a & G[m,n] b without the distances of F that G covers, if b implies !a; O with H; dually G[l,h] a | F[m,n] b",
        ("F[0,8] a & G[0,7] !a", "F[8,8] a & G[0,7] !a"),
        bounded::narrow,
    )),
    merging(chain(
        "bounded-merge",
        "F[l,h] a | F[l,h] b = F[l,h](a | b), G[l,h] a & G[l,h] b = G[l,h](a & b), F[n,n] a & F[n,n] b = F[n,n](a & b), ...",
        ("G[2,5] a & G[2,5] b", "G[2,5](a & b)"),
        bounded::merge,
    )),
    whole(
        BEGINNING,
        "Y a = false, Z a = true, O a = a, H a = a, a S b = b, a T b = b at the first position",
        ("(O F a | Y a) & G(Y a -> b)", "F a & G(Y a -> b)"),
        Keeps::WholeLanguage,
    ),
    whole(
        PURE_LITERALS,
        "p = true if p occurs only positively, p = false if only negatively",
        ("p U G !q", "true"),
        Keeps::Satisfiability,
    ),
    whole(
        DEFINITIONS,
        "f & G(p <-> g) = f with g for p, if p is not in g; the same for G p and G !p",
        ("F(p & !q) & G(p <-> X q) & F(p ^ q)", "F(X q & !q) & F(X q ^ q)"),
        Keeps::Satisfiability,
    ),
    infinite(whole(
        SPLIT,
        "f & g is satisfiable if f and g are, if they have no proposition in common",
        ("F a & F !a & F(b ^ X b)", "F a & F !a; F(b ^ X b)"),
        Keeps::Satisfiability,
    )),
    whole(
        SEGMENTS,
        "windows over the present with smaller bounds, where only their order matters",
        ("G[0,8] !p & F[9,9] p", "G[0,1] !p & X[2] p"),
        Keeps::Satisfiability,
    ),
];

pub(crate) const BEGINNING: &str = "beginning";
pub(crate) const PURE_LITERALS: &str = "pure-literals";
pub(crate) const DEFINITIONS: &str = "definitions";
pub(crate) const SPLIT: &str = "split";
pub(crate) const SEGMENTS: &str = "segments";

/// A set of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSet(Vec<bool>);

/// There is no rule with this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no rule `{name}`; there are {known}")]
pub struct UnknownRule {
    name: String,
    known: String,
}

impl FromStr for RuleSet {
    type Err = UnknownRule;

    /// `all`, `none`, `language`, or names joined by `+`.
    fn from_str(text: &str) -> Result<Self, UnknownRule> {
        match text {
            "all" => Ok(RuleSet::all()),
            "none" => Ok(RuleSet::none()),
            "language" => Ok(RuleSet::all().keep(|rule| rule.keeps == Keeps::Language)),
            names => RuleSet::named(names.split('+')),
        }
    }
}

impl RuleSet {
    /// All rules.
    pub fn all() -> Self {
        RuleSet(vec![true; RULES.len()])
    }

    /// No rules.
    pub fn none() -> Self {
        RuleSet(vec![false; RULES.len()])
    }

    /// The rules with these names.
    pub fn named<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Self, UnknownRule> {
        let mut set = RuleSet::none();
        for name in names {
            let position = RULES.iter().position(|rule| rule.name == name).ok_or_else(|| {
                let known: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
                UnknownRule { name: name.to_owned(), known: known.join(", ") }
            })?;
            set.0[position] = true;
        }
        Ok(set)
    }

    /// The first rule of the set that applies only to whole formulas; `None` for the set of all
    /// rules.
    pub fn beyond_language(&self) -> Option<&'static Rule> {
        let mut chosen = RULES.iter().zip(&self.0).filter(|(_, in_set)| **in_set);
        let all = self.0.iter().all(|&in_set| in_set);
        chosen.find(|(rule, _)| !all && rule.keeps != Keeps::Language).map(|(rule, _)| rule)
    }

    /// Whether the set has the rule with this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        RULES.iter().zip(&self.0).any(|(rule, &in_set)| in_set && rule.name == name)
    }

    /// For each rule whether the set has it.
    pub(super) fn flags(&self) -> &[bool] {
        &self.0
    }

    fn keep(&self, keeps: impl Fn(&Rule) -> bool) -> Self {
        RuleSet(RULES.iter().zip(&self.0).map(|(rule, &in_set)| in_set && keeps(rule)).collect())
    }

    pub(crate) fn sound_on(&self, words: WordKind) -> Self {
        self.keep(|rule| words == WordKind::Infinite || rule.soundness == Soundness::Both)
    }

    pub(super) fn without_merging(&self) -> Self {
        self.keep(|rule| !rule.merges)
    }
}
