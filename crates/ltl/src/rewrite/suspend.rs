//! Formulas about the limit: Boolean combinations of `G F a` and `F G a`.
//!
//! Whether such a formula holds does not depend on any finite prefix, so an automaton may wait with
//! it as long as it likes (it is *suspendable* \[BBDKS13\]). A tableau of a conjunction of such
//! formulas decides on each conjunct at another moment and needs a node for each set of decisions
//! made so far. Here the formula becomes a disjunction of cases of the form
//!
//! ```text
//! G F b_1 & .. & G F b_k      or      F(G a & G F b_1 & .. & G F b_k)
//! ```
//!
//! and the cases of the second form share one `F`, since `F a | F b = F(a | b)`. Its automaton
//! waits in one state, chooses the case once, and stays in one state per case.
//!
//! `F G a` is `!(G F !a)`, so each formula is a Boolean function of variables `G F a`. It is kept
//! as a sum of products, where a product has the variables that hold and those that do not.
//! Products with the same negative variables are one case: their positive parts form a monotone
//! function, and a product of sums of `G F b` is a product of `G F(b | ..)`. Sums of products that
//! become too long are not computed, and the subformula stays as it is.

use indexmap::{IndexMap, IndexSet};
use kermode_base::BitSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::normal::negation_normal_form;
use crate::operator::{BinaryOp, UnaryOp};
use crate::store::{Formula, Node, Store, Subformulas};
use crate::substitution::replace;
use crate::word::WordKind;

/// Larger formulas stay as they are.
const MOST_SUBFORMULAS: usize = 1 << 9;
/// Longer sums are not computed.
const MOST_PRODUCTS: usize = 1 << 8;
/// A case has at most this many `G F b`; each is a mark of an automaton.
const MOST_RECURRENCES: usize = 10;

/// Writes the subformulas about the limit as disjunctions of cases. The formula is in negation
/// normal form, over infinite words, without past and bounded operators.
pub fn suspend<E>(
    store: &mut Store,
    formula: Formula,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Formula, E> {
    let subformulas = store.subformulas(formula);
    if subformulas.len() > MOST_SUBFORMULAS || !mentions_limits(store, &subformulas) {
        return Ok(formula);
    }
    let mut limits = Limits { variables: IndexSet::default(), values: FxHashMap::default() };
    let mut cases = FxHashMap::default();
    for subformula in subformulas.iter() {
        interrupt()?;
        let value = limits.value(store, subformula, interrupt)?;
        if let Some(sum) = &value.limit
            && sum.variable_count() != 1
        {
            cases.insert(subformula, limits.formula_of(store, sum));
        }
        limits.values.insert(subformula, value);
    }
    Ok(replace(store, formula, |subformula| cases.get(&subformula).copied()))
}

/// Whether there is a `G` with an `F` somewhere below, or the reverse.
fn mentions_limits(store: &Store, subformulas: &Subformulas) -> bool {
    let mut below = Vec::with_capacity(subformulas.len());
    for subformula in subformulas.iter() {
        let node = store.node(subformula);
        let (mut finally, mut globally) = (false, false);
        for operand in node.operands() {
            let (f, g): (bool, bool) = below[subformulas.position(operand)];
            (finally, globally) = (finally | f, globally | g);
        }
        match node {
            Node::Unary(UnaryOp::Finally, _) if globally => return true,
            Node::Unary(UnaryOp::Globally, _) if finally => return true,
            Node::Unary(UnaryOp::Finally, _) => finally = true,
            Node::Unary(UnaryOp::Globally, _) => globally = true,
            _ => {}
        }
        below.push((finally, globally));
    }
    false
}

/// A product of variables and negated variables.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Product {
    positive: BitSet,
    negative: BitSet,
}

/// A sum of products, none of which implies another.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sum(Vec<Product>);

impl Sum {
    fn constant(value: bool) -> Sum {
        let product = Product { positive: BitSet::new(), negative: BitSet::new() };
        Sum(if value { vec![product] } else { Vec::new() })
    }

    fn literal(variable: usize, is_positive: bool) -> Sum {
        let (one, none) = ([variable].into_iter().collect(), BitSet::new());
        let (positive, negative) = if is_positive { (one, none) } else { (none, one) };
        Sum(vec![Product { positive, negative }])
    }

    /// The sum of these products, unless it is long.
    fn of<E>(
        products: impl IntoIterator<Item = Product>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Sum>, E> {
        let mut kept: Vec<Product> = Vec::new();
        let implies = |a: &Product, b: &Product| {
            b.positive.is_subset(&a.positive) && b.negative.is_subset(&a.negative)
        };
        for product in products {
            interrupt()?;
            let is_false = !product.positive.is_disjoint(&product.negative);
            if !is_false && !kept.iter().any(|other| implies(&product, other)) {
                kept.retain(|other| !implies(other, &product));
                kept.push(product);
            }
            if kept.len() > MOST_PRODUCTS {
                return Ok(None);
            }
        }
        Ok(Some(Sum(kept)))
    }

    fn or<E>(
        &self,
        other: &Sum,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Sum>, E> {
        Sum::of(self.0.iter().chain(&other.0).cloned(), interrupt)
    }

    fn and<E>(
        &self,
        other: &Sum,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Sum>, E> {
        let pairs = self.0.iter().flat_map(|a| other.0.iter().map(move |b| (a, b)));
        let products = pairs.map(|(a, b)| {
            let mut product = a.clone();
            product.positive.union_with(&b.positive);
            product.negative.union_with(&b.negative);
            product
        });
        Sum::of(products, interrupt)
    }

    fn variable_count(&self) -> usize {
        let mut variables = BitSet::new();
        for product in &self.0 {
            variables.union_with(&product.positive);
            variables.union_with(&product.negative);
        }
        variables.len()
    }
}

/// Both operands combined, if both are known.
fn combined<E>(
    op: BinaryOp,
    a: &Option<Sum>,
    b: &Option<Sum>,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Sum>, E> {
    let (Some(a), Some(b)) = (a, b) else { return Ok(None) };
    if op == BinaryOp::And { a.and(b, interrupt) } else { a.or(b, interrupt) }
}

/// What is known of a formula `a` in the limit. Each part is unknown if it is too long.
#[derive(Clone, Debug, Default)]
struct LimitValue {
    /// `a` itself, if it is about the limit.
    limit: Option<Sum>,
    /// `G a`, if `a` is a combination of pure eventualities: those commute with `G`.
    always: Option<Sum>,
    /// `F a`, if `a` is a combination of pure universalities: those commute with `F`.
    once: Option<Sum>,
    /// `G F a`.
    recurs: Option<Sum>,
    /// `F G a`.
    persists: Option<Sum>,
}

/// A part of the value of one operand combined with the other operand, if that is pure:
/// `G F(a & e) = G F a & G e` for a pure eventuality, `G F(a & u) = G F a & F u` for a pure
/// universality, and the dual for `F G` of a disjunction.
fn split<E>(
    op: BinaryOp,
    [x, y]: [&LimitValue; 2],
    part: fn(&LimitValue) -> &Option<Sum>,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Sum>, E> {
    for (one, other) in [(x, y), (y, x)] {
        let pure = if other.always.is_some() { &other.always } else { &other.once };
        if let Some(sum) = combined(op, part(one), pure, interrupt)? {
            return Ok(Some(sum));
        }
    }
    Ok(None)
}

struct Limits {
    /// `G F a` is the variable of `a`.
    variables: IndexSet<Formula, FxBuildHasher>,
    values: FxHashMap<Formula, LimitValue>,
}

impl Limits {
    /// The value of a formula whose operands have values.
    fn value<E>(
        &mut self,
        store: &mut Store,
        formula: Formula,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<LimitValue, E> {
        use BinaryOp::{And, Or, Release, StrongRelease, Until, WeakUntil};
        use UnaryOp::{Finally, Globally, Next};
        Ok(match store.node(formula) {
            Node::Constant(value) => {
                let sum = Some(Sum::constant(value));
                let [always, once] = [sum.clone(), sum.clone()];
                LimitValue { limit: sum.clone(), always, once, recurs: sum.clone(), persists: sum }
            }
            Node::Unary(Next, a) => self.values[&a].clone(),
            Node::Unary(Finally, a) => {
                let LimitValue { once, recurs, .. } = self.values[&a].clone();
                let always = once.clone().or_else(|| recurs.clone());
                let persists = recurs.clone();
                LimitValue { limit: once.clone(), always, once, recurs, persists }
            }
            Node::Unary(Globally, a) => {
                let LimitValue { always, persists, .. } = self.values[&a].clone();
                let once = always.clone().or_else(|| persists.clone());
                let recurs = persists.clone();
                LimitValue { limit: always.clone(), always, once, recurs, persists }
            }
            Node::Binary(op @ (And | Or), a, b) => {
                self.chain(store, formula, (op, a, b), interrupt)?
            }
            node => {
                let mut value = self.opaque(store, formula);
                if let Node::Binary(op, a, b) = node {
                    let [a, b] = [&self.values[&a], &self.values[&b]];
                    match op {
                        Until => value.recurs = b.recurs.clone(),
                        Release => value.persists = b.persists.clone(),
                        WeakUntil => {
                            value.recurs = combined(Or, &b.recurs, &a.persists, interrupt)?;
                        }
                        StrongRelease => {
                            value.persists = combined(And, &b.persists, &a.recurs, interrupt)?;
                        }
                        _ => {}
                    }
                }
                value
            }
        })
    }

    /// `G F a` and `F G a` as variables of their own.
    fn opaque(&mut self, store: &mut Store, formula: Formula) -> LimitValue {
        let negated = store.not(formula);
        let negated = negation_normal_form(store, negated, WordKind::Infinite);
        let [recurs, persists] = [(formula, true), (negated, false)].map(|(body, is_positive)| {
            Some(Sum::literal(self.variables.insert_full(body).0, is_positive))
        });
        LimitValue { recurs, persists, ..LimitValue::default() }
    }

    /// The value of a conjunction or disjunction.
    fn chain<E>(
        &mut self,
        store: &mut Store,
        formula: Formula,
        (op, a, b): (BinaryOp, Formula, Formula),
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<LimitValue, E> {
        let opaque = self.opaque(store, formula);
        let operands @ [x, y] = [&self.values[&a], &self.values[&b]];
        let [recurs, persists] = match op == BinaryOp::And {
            true => [
                split(op, operands, |value| &value.recurs, interrupt)?.or(opaque.recurs),
                combined(op, &x.persists, &y.persists, interrupt)?,
            ],
            false => [
                combined(op, &x.recurs, &y.recurs, interrupt)?,
                split(op, operands, |value| &value.persists, interrupt)?.or(opaque.persists),
            ],
        };
        Ok(LimitValue {
            limit: combined(op, &x.limit, &y.limit, interrupt)?,
            always: combined(op, &x.always, &y.always, interrupt)?,
            once: combined(op, &x.once, &y.once, interrupt)?,
            recurs,
            persists,
        })
    }

    /// The disjunction of the cases of a sum.
    fn formula_of(&self, store: &mut Store, sum: &Sum) -> Formula {
        let mut groups: IndexMap<&BitSet, Vec<&BitSet>, FxBuildHasher> = IndexMap::default();
        for product in &sum.0 {
            groups.entry(&product.negative).or_default().push(&product.positive);
        }
        let (mut at_once, mut later) = (Vec::new(), Vec::new());
        for (negative, positives) in groups {
            for recurrences in alternatives(&positives) {
                let case = self.case(store, negative, &recurrences);
                if negative.is_empty() { at_once.push(case) } else { later.push(case) }
            }
        }
        if !later.is_empty() {
            let choice = disjunction(store, later);
            at_once.push(store.unary(UnaryOp::Finally, choice));
        }
        disjunction(store, at_once)
    }

    /// `G a & G F b_1 & ..`, where each `b` is a disjunction of variables.
    fn case(&self, store: &mut Store, negative: &BitSet, recurrences: &[BitSet]) -> Formula {
        let mut parts = Vec::new();
        if !negative.is_empty() {
            let never: Vec<Formula> = negative.iter().map(|v| self.variables[v]).collect();
            let never = disjunction(store, never);
            let never = store.not(never);
            let holds = negation_normal_form(store, never, WordKind::Infinite);
            parts.push(store.unary(UnaryOp::Globally, holds));
        }
        for clause in recurrences {
            let goals: Vec<Formula> = clause.iter().map(|v| self.variables[v]).collect();
            let goal = disjunction(store, goals);
            let finally = store.unary(UnaryOp::Finally, goal);
            parts.push(store.unary(UnaryOp::Globally, finally));
        }
        store.all(parts)
    }
}

fn disjunction(store: &mut Store, formulas: Vec<Formula>) -> Formula {
    let joined = formulas.into_iter().reduce(|a, b| store.or(a, b));
    joined.unwrap_or_else(|| store.constant(false))
}

/// A sum of products of positive variables as a product of sums, if that is short, and otherwise
/// each product by itself.
fn alternatives(products: &[&BitSet]) -> Vec<Vec<BitSet>> {
    let mut clauses: Vec<BitSet> = vec![BitSet::new()];
    for product in products {
        let longer = clauses.iter().flat_map(|clause| {
            product.iter().map(|variable| {
                let mut longer = clause.clone();
                longer.insert(variable);
                longer
            })
        });
        let mut smallest: Vec<BitSet> = Vec::new();
        for clause in longer {
            if !smallest.iter().any(|other| other.is_subset(&clause)) {
                smallest.retain(|other| !clause.is_subset(other));
                smallest.push(clause);
            }
        }
        if smallest.len() > MOST_RECURRENCES {
            let single = |variable: usize| [variable].into_iter().collect();
            let alone = |product: &&BitSet| product.iter().map(single).collect();
            return products.iter().map(alone).collect();
        }
        clauses = smallest;
    }
    vec![clauses]
}
