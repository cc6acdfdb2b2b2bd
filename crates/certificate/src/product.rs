//! The system that a claim is about: the model or the free system, with bits for compassion and for
//! the tableau of a formula. A claim holds if no path of the system meets its [`Goal`].
//!
//! Inputs are bits of states here, as in [`System`]: the value at a state is that of the step that
//! leaves it. All justice constraints are about states.
//!
//! **Compassion** `(p, q)`: `p` infinitely often implies `q` infinitely often. A bit may become
//! true at any time, then stays true and forbids `p`; it is infinitely often true, or `q` is. Each
//! path with the constraint has values of the bit that satisfy this: true behind the last `p` or,
//! if `q` holds infinitely often, always false.

use kermode_smv::encoding::EncodedModel;
use kermode_system::{Domain, Expression, Model, SymbolKind, System, Variable};

use crate::certificate::{BitName, JusticeName};

/// A system, and what none of its paths meets if a claim holds.
#[derive(Clone, Debug)]
pub struct Product {
    /// The system.
    pub model: Model,
    /// The names of its variables.
    pub bits: Vec<(BitName, Variable)>,
    /// The names of its justice constraints, in their order.
    pub justice: Vec<JusticeName>,
    /// What is never met.
    pub goal: Goal,
    /// The part without the bits of a formula.
    pub factor: System,
}

/// What no path from an initial state meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// It is infinite and fair.
    FairPath,
    /// A state in which an expression holds.
    State(Expression),
    /// A step on which an expression holds.
    Step(Expression),
    /// A state in which an expression holds, and which no step of the factor leaves.
    DeadEnd(Expression),
}

impl Product {
    /// The paths of a model, without fairness.
    pub(crate) fn of_model(model: &Model) -> Product {
        let system = model.system.without_justice();
        let model = Model { atoms: Default::default(), system, ..model.clone() };
        Product::with_names(model)
    }

    /// The free system over some propositions.
    pub(crate) fn free<'n>(propositions: impl Iterator<Item = &'n str>) -> Product {
        let mut model = Model::new();
        for name in propositions {
            model.declare(name, SymbolKind::State, Domain::Boolean);
        }
        Product::with_names(model)
    }

    fn with_names(model: Model) -> Product {
        let bits = model.symbols.iter().flat_map(|symbol| {
            let name = |bit| BitName::Variable { name: symbol.name.clone(), bit };
            (0..).map(name).zip(symbol.bits.iter().copied())
        });
        let (bits, factor) = (bits.collect(), model.system.clone());
        Product { model, bits, justice: Vec::new(), goal: Goal::FairPath, factor }
    }

    /// Demands the fairness of a model. Constraints on steps are left out, which makes more paths
    /// fair.
    pub(crate) fn demand_fairness(&mut self, encoded: &EncodedModel) {
        for (number, &constraint) in (1..).zip(encoded.model.system.justice()) {
            if !self.model.graph.looks_ahead(constraint) {
                self.add_justice(JusticeName::Model(number), constraint);
            }
        }
        for (number, &(p, q)) in (1..).zip(&encoded.compassion) {
            let (variable, ended) = self.add_bit(BitName::Ended { compassion: number });
            let graph = &mut self.model.graph;
            let next = graph.next(variable);
            let stays = graph.implies(ended, next);
            let both = graph.and(ended, p);
            let forbidden = graph.not(both);
            let justice = graph.or(ended, q);
            self.model.system.add_transition(&self.model.graph, stays);
            self.model.system.add_invariant(&self.model.graph, forbidden);
            self.add_justice(JusticeName::Compassion(number), justice);
        }
        self.factor = self.model.system.clone();
    }

    /// A new bit of states, and its current value.
    pub(crate) fn add_bit(&mut self, name: BitName) -> (Variable, Expression) {
        let variable = self.model.auxiliary(&name.to_string());
        self.bits.push((name, variable));
        (variable, self.model.graph.current(variable))
    }

    pub(crate) fn add_justice(&mut self, name: JusticeName, constraint: Expression) {
        self.justice.push(name);
        self.model.system.add_justice(constraint);
    }
}
