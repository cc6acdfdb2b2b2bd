//! The fundamental identities: the demands of each subformula on the next letter and on the rest.
//!
//! The formula is in negation normal form. Each subformula has an [`Identity`] that builds its
//! function from those of its operands:
//!
//! ```text
//! r_aUb = r_b + a_aUb r_a r_X(aUb)      r_aRb = r_b (r_a + r_X(aRb))
//! r_Fb  = r_b + a_Fb r_X(Fb)            r_Gb  = r_b r_X(Gb)
//! r_aWb = r_b + r_a r_X(aWb)            r_aMb = r_b (r_a + a_aMb r_X(aMb))
//! ```
//!
//! Operands are positions among the subformulas, so the tableau does not need the formula's store.

use kermode_ltl::dialect::write_abbreviated;
use kermode_ltl::normal::negation_normal_form;
use kermode_ltl::{
    BinaryOp, Formula, Node, Proposition, Store, Subformulas, UnaryOp, Untranslatable, WordKind,
    check_translatable,
};

use super::Construction;
use super::variables::Variables;
use crate::from_ltl::LABEL_LENGTH;

/// How the function of a subformula is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Identity {
    Constant(bool),
    /// A proposition, by its number, or its negation.
    Literal(usize, bool),
    And(usize, usize),
    Or(usize, usize),
    /// The variable that demands the operand of the rest.
    Next(usize),
    /// `r_goal + a r_hold r_X`, where both factors may be missing: `F U W`.
    Until {
        hold: Option<usize>,
        goal: usize,
        promised: bool,
    },
    /// `r_hold (r_release + a r_X)`, where `r_release` and `a` may be missing: `G R M`.
    Release {
        release: Option<usize>,
        hold: usize,
        promised: bool,
    },
    /// `(r_g + a) r_X`: `G F g`.
    Recurrence(usize),
}

impl Identity {
    /// The subformulas whose functions it uses.
    pub(super) fn operands(self) -> impl Iterator<Item = usize> {
        let operands = match self {
            Identity::Constant(_) | Identity::Literal(..) | Identity::Next(_) => [None, None],
            Identity::And(a, b) | Identity::Or(a, b) => [Some(a), Some(b)],
            Identity::Until { hold, goal, .. } => [hold, Some(goal)],
            Identity::Release { release, hold, .. } => [release, Some(hold)],
            Identity::Recurrence(a) => [Some(a), None],
        };
        operands.into_iter().flatten()
    }

    /// The subformulas in it, the operand of a next included.
    pub(super) fn subformulas(self) -> impl Iterator<Item = usize> {
        let next = if let Identity::Next(a) = self { Some(a) } else { None };
        self.operands().chain(next)
    }

    /// Whether the subformula is demanded of the rest itself, and whether its goal may be
    /// postponed.
    pub(super) fn unfolds(self) -> (bool, bool) {
        match self {
            Identity::Until { promised, .. } | Identity::Release { promised, .. } => {
                (true, promised)
            }
            Identity::Recurrence(_) => (true, true),
            _ => (false, false),
        }
    }
}

/// A formula prepared for the construction: the identities of its subformulas, and their variables.
#[derive(Clone, Debug)]
pub struct Tableau {
    pub(super) identities: Vec<Identity>,
    pub(super) variables: Variables,
    pub(super) propositions: Vec<Proposition>,
    pub(super) construction: Construction,
    /// The formulas that may be demanded of the rest, for display.
    pub(super) names: Vec<String>,
}

impl Tableau {
    /// The identities of a formula over infinite words, without past and bounded operators.
    pub fn new(
        store: &mut Store,
        formula: Formula,
        construction: Construction,
    ) -> Result<Tableau, Untranslatable> {
        let normal = negation_normal_form(store, formula, WordKind::Infinite);
        let subformulas = store.subformulas(normal);
        check_translatable(store, &subformulas)?;
        let propositions = store.propositions(formula);
        let reading =
            TableauBuilder { store, subformulas: &subformulas, propositions: &propositions };
        let identity = |formula| reading.identity(formula, construction.recurrence);
        let identities: Vec<Identity> = subformulas.iter().map(identity).collect();
        let variables =
            Variables::new(&identities, subformulas.position(normal), propositions.len());
        let name =
            |&position: &usize| write_abbreviated(store, subformulas.at(position), LABEL_LENGTH);
        let names = variables.demanded().iter().map(name).collect();
        Ok(Tableau { identities, variables, propositions, construction, names })
    }

    /// The number of variables of the decision diagrams.
    pub fn variable_count(&self) -> usize {
        self.variables.len()
    }
}

struct TableauBuilder<'a> {
    store: &'a Store,
    subformulas: &'a Subformulas,
    propositions: &'a [Proposition],
}

impl TableauBuilder<'_> {
    fn identity(&self, formula: Formula, recurrence: bool) -> Identity {
        let at = |formula| self.subformulas.position(formula);
        match self.store.node(formula) {
            Node::Constant(value) => Identity::Constant(value),
            Node::Proposition(p) => Identity::Literal(self.number(p), true),
            Node::Unary(UnaryOp::Not, a) => self.negated(a),
            Node::Unary(UnaryOp::Next, a) => match self.store.node(a) {
                Node::Constant(value) => Identity::Constant(value),
                _ => Identity::Next(at(a)),
            },
            Node::Unary(UnaryOp::Finally, b) => {
                Identity::Until { hold: None, goal: at(b), promised: true }
            }
            Node::Unary(UnaryOp::Globally, b) => match self.store.node(b) {
                Node::Unary(UnaryOp::Finally, g) if recurrence => Identity::Recurrence(at(g)),
                _ => Identity::Release { release: None, hold: at(b), promised: false },
            },
            Node::Binary(BinaryOp::And, a, b) => Identity::And(at(a), at(b)),
            Node::Binary(BinaryOp::Or, a, b) => Identity::Or(at(a), at(b)),
            Node::Binary(op @ (BinaryOp::Until | BinaryOp::WeakUntil), a, b) => {
                let promised = op == BinaryOp::Until;
                Identity::Until { hold: Some(at(a)), goal: at(b), promised }
            }
            Node::Binary(op @ (BinaryOp::Release | BinaryOp::StrongRelease), a, b) => {
                let promised = op == BinaryOp::StrongRelease;
                Identity::Release { release: Some(at(a)), hold: at(b), promised }
            }
            _ => unreachable!("no other operators are left in negation normal form"),
        }
    }

    fn negated(&self, a: Formula) -> Identity {
        match self.store.node(a) {
            Node::Proposition(p) => Identity::Literal(self.number(p), false),
            _ => unreachable!("in negation normal form only propositions are negated"),
        }
    }

    fn number(&self, proposition: Proposition) -> usize {
        let place = self.propositions.binary_search(&proposition);
        place.expect("the propositions of a formula are sorted")
    }
}
