//! LTL specifications as formulas of a store.
//!
//! The atoms of the formula are expressions of the flat model about a step. Boolean connectives
//! above them belong to the formula, so that rewriting sees them. An expression that may fail stays
//! whole: its connectives may mask the failure, as in `y != 0 -> x / y < 9`.
//!
//! NuSMV's `H[a,b] p` is false as long as not all of its positions exist. It becomes our `H[a,b] p
//! & O[b,b] true`.

use std::collections::BTreeMap;

use kermode_base::terms::Dag;
use kermode_ltl::{
    BinaryOp, BoundedUnaryOp, Formula, Interval, Letter, Proposition, Store, UnaryOp, Word,
};
use rustc_hash::FxHashMap;

use crate::flat::{
    Bounds, Features, FlatBinary, FlatExpression, FlatModel, FlatTerm, FlatUnary, PathBinary,
    PathUnary, Type, Value,
};
use crate::interpreter::{Evaluation, Layout, Time, Trace};
use crate::print::short_text;

/// The propositions of formulas about a flat model, and the expressions that they stand for.
#[derive(Clone, Debug, Default)]
pub struct FlatAtoms {
    propositions: FxHashMap<FlatExpression, Proposition>,
    expressions: BTreeMap<Proposition, FlatExpression>,
}

impl FlatAtoms {
    /// The proposition of an expression, named by its text. The name is new if the text is too long
    /// or the name of another proposition.
    pub fn proposition(
        &mut self,
        flat: &FlatModel,
        store: &mut Store,
        expression: FlatExpression,
    ) -> Proposition {
        if let Some(&known) = self.propositions.get(&expression) {
            return known;
        }
        let is_new = |store: &Store, name: &str| store.find_proposition(name).is_none();
        let name = short_text(flat, expression).filter(|name| is_new(store, name));
        let numbered = || (1..).map(|number| format!("atom {number}"));
        let name = name.or_else(|| numbered().find(|name| is_new(store, name)));
        let proposition = store.proposition(&name.expect("one of infinitely many names is new"));
        self.bind(proposition, expression);
        proposition
    }

    /// Makes a proposition stand for an expression.
    pub fn bind(&mut self, proposition: Proposition, expression: FlatExpression) {
        self.propositions.entry(expression).or_insert(proposition);
        self.expressions.insert(proposition, expression);
    }

    /// The expression of a proposition.
    pub fn expression(&self, proposition: Proposition) -> Option<FlatExpression> {
        self.expressions.get(&proposition).copied()
    }

    /// All atoms.
    pub fn iter(&self) -> impl Iterator<Item = (Proposition, FlatExpression)> + '_ {
        self.expressions.iter().map(|(&proposition, &expression)| (proposition, expression))
    }

    /// The atoms of a formula. Propositions without an expression are left out.
    pub fn of(&self, store: &Store, formula: Formula) -> Vec<(Proposition, FlatExpression)> {
        let propositions = store.propositions(formula).into_iter();
        propositions.filter_map(|p| Some((p, self.expression(p)?))).collect()
    }
}

/// The formula of an LTL specification, or of another expression that is Boolean and has no
/// operator of CTL.
pub fn ltl_formula(
    flat: &FlatModel,
    specification: FlatExpression,
    store: &mut Store,
    atoms: &mut FlatAtoms,
) -> Formula {
    let mut formulas: FxHashMap<FlatExpression, Formula> = FxHashMap::default();
    for part in parts(flat, specification) {
        let formula = match is_operator(flat, part) {
            true => operator(flat, part, &formulas, store),
            false => leaf(flat, part, store, atoms),
        };
        formulas.insert(part, formula);
    }
    formulas[&specification]
}

/// Whether the outermost operator of an expression belongs to the formula.
fn is_operator(flat: &FlatModel, expression: FlatExpression) -> bool {
    let features = flat.expressions.features(expression);
    if features.is_temporal() {
        return true;
    }
    let is_connective = match flat.expressions.term(expression) {
        FlatTerm::Unary(FlatUnary::Not, _) => true,
        FlatTerm::Binary(operator, a, _) => {
            connective(operator).is_some() && flat.expressions.ty(a) == Type::Boolean
        }
        _ => false,
    };
    let is_boolean = flat.expressions.ty(expression) == Type::Boolean;
    is_connective && is_boolean && !features.has(Features::MAY_FAIL)
}

/// The operators and leaves of a formula, operands first.
fn parts(flat: &FlatModel, specification: FlatExpression) -> Vec<FlatExpression> {
    let mut parts = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut todo = vec![specification];
    while let Some(part) = todo.pop() {
        if seen.insert(part) {
            parts.push(part);
            if is_operator(flat, part) {
                todo.extend(flat.expressions.operands(part));
            }
        }
    }
    parts.sort_unstable();
    parts
}

fn leaf(
    flat: &FlatModel,
    expression: FlatExpression,
    store: &mut Store,
    atoms: &mut FlatAtoms,
) -> Formula {
    if let FlatTerm::Constant(constant) = flat.expressions.term(expression)
        && let Value::Boolean(value) = flat.expressions.value(constant)
    {
        return store.constant(value);
    }
    let proposition = atoms.proposition(flat, store, expression);
    store.atom(proposition)
}

fn operator(
    flat: &FlatModel,
    expression: FlatExpression,
    formulas: &FxHashMap<FlatExpression, Formula>,
    store: &mut Store,
) -> Formula {
    let expressions = &flat.expressions;
    match expressions.term(expression) {
        FlatTerm::Unary(FlatUnary::Not, a) => store.unary(UnaryOp::Not, formulas[&a]),
        FlatTerm::Binary(operator, a, b) => {
            let connective = connective(operator).expect("a connective");
            store.binary(connective, formulas[&a], formulas[&b])
        }
        FlatTerm::PathUnary(operator, a, bounds) => match expressions.bounds(bounds) {
            None => store.unary(unary(operator), formulas[&a]),
            Some(bounds) => bounded(store, operator, bounds, formulas[&a]),
        },
        FlatTerm::PathBinary(operator, a, b, _) => {
            store.binary(binary(operator), formulas[&a], formulas[&b])
        }
        _ => unreachable!("an operator of a formula"),
    }
}

fn connective(operator: FlatBinary) -> Option<BinaryOp> {
    match operator {
        FlatBinary::And => Some(BinaryOp::And),
        FlatBinary::Or => Some(BinaryOp::Or),
        FlatBinary::Xor => Some(BinaryOp::Xor),
        FlatBinary::Xnor | FlatBinary::Iff => Some(BinaryOp::Iff),
        FlatBinary::Implies => Some(BinaryOp::Implies),
        _ => None,
    }
}

fn unary(operator: PathUnary) -> UnaryOp {
    match operator {
        PathUnary::Next => UnaryOp::Next,
        PathUnary::Eventually => UnaryOp::Finally,
        PathUnary::Globally => UnaryOp::Globally,
        PathUnary::Yesterday => UnaryOp::Yesterday,
        PathUnary::WeakYesterday => UnaryOp::WeakYesterday,
        PathUnary::Once => UnaryOp::Once,
        PathUnary::Historically => UnaryOp::Historically,
        _ => unreachable!("an operator of LTL"),
    }
}

fn binary(operator: PathBinary) -> BinaryOp {
    match operator {
        PathBinary::Until => BinaryOp::Until,
        PathBinary::Release => BinaryOp::Release,
        PathBinary::Since => BinaryOp::Since,
        PathBinary::Triggered => BinaryOp::Triggered,
        PathBinary::ExistsUntil | PathBinary::AllUntil => unreachable!("an operator of LTL"),
    }
}

fn bounded(store: &mut Store, operator: PathUnary, bounds: Bounds, a: Formula) -> Formula {
    let interval = Interval { low: bounds.low, high: bounds.high };
    let of = |store: &mut Store, operator| store.bounded_unary(operator, interval, a);
    match operator {
        PathUnary::Eventually => of(store, BoundedUnaryOp::Finally),
        PathUnary::Globally => of(store, BoundedUnaryOp::Globally),
        PathUnary::Once => of(store, BoundedUnaryOp::Once),
        PathUnary::Historically => {
            let held = of(store, BoundedUnaryOp::Historically);
            let always = store.constant(true);
            let far = Interval::exactly(bounds.high);
            let exists = store.bounded_unary(BoundedUnaryOp::Once, far, always);
            store.and(held, exists)
        }
        _ => unreachable!("an operator of LTL with bounds"),
    }
}

/// The word of a path: at each state the propositions whose expressions are true there, by the
/// interpreter. An expression that fails, or that reads inputs or `next` at the end of a finite
/// path, is not true.
pub fn word_of(flat: &FlatModel, trace: &Trace, atoms: &[(Proposition, FlatExpression)]) -> Word {
    let (states, inputs) = (Layout::of_states(flat), Layout::of_inputs(flat));
    let roots: Vec<FlatExpression> = atoms.iter().map(|&(_, expression)| expression).collect();
    let mut evaluation = Evaluation::new(&flat.expressions, &roots);
    let letters = trace.states.iter().enumerate().map(|(position, state)| {
        let input = trace.inputs.get(position);
        let next = match trace.states.get(position + 1) {
            Some(next) => Some(next),
            None => trace.loop_start.map(|start| &trace.states[start]),
        };
        evaluation.run(|variable, time| match time {
            Time::Current => {
                let of_input = || inputs.value(input?, variable);
                states.value(state, variable).or_else(of_input)
            }
            Time::Next => states.value(next?, variable),
        });
        let held = atoms.iter().enumerate().filter(|&(number, _)| evaluation.is_true(number));
        held.map(|(_, &(proposition, _))| proposition).collect::<Letter>()
    });
    Word::from_letters(letters.collect(), trace.loop_start)
}
