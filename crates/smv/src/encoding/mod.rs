//! The encoding of a flat model into a symbolic system over bits.
//!
//! Each variable becomes a symbol of a [`Model`], in the order of the flat model. Its bits are the
//! code of its value, the least significant first, and an invariant excludes illegal codes. An
//! assignment without sets becomes one constraint `next(bit) <-> e` for each bit; other assignments
//! and conditions become formulas.
//!
//! - `arithmetic`, `integer`, `scalar`: circuits, and what stands for the value of an expression
//! - `encoder`, `sets`: from expressions to circuits and formulas
//! - `checks`, `witness`: values outside of a domain, and failures
//! - `order`, `order_file`: the order of the bits in decision diagrams
//! - `decode`: traces over bits as traces of the flat model
//!
//! [`encode`] does everything. In steps: [`EncodedModel::declare`] makes the bits, [`check`]
//! searches for faults that need the encoded expressions, and [`EncodedModel::constrain`] adds the
//! constraints.

mod arithmetic;
mod checks;
mod decode;
mod encoder;
mod integer;
mod order;
mod order_file;
mod scalar;
mod sets;
mod witness;

use kermode_base::{Diagnostic, Severity};
use kermode_system::{Domain as BitDomain, Expression, Model, SymbolKind, Variable};

pub(crate) use checks::leaves;
pub use checks::{Findings, check, check_expression};
use encoder::{Encoder, Place};
pub use order::StaticOrder;
use rustc_hash::FxHashMap;
use scalar::Scalar;
use sets::conjuncts;
pub use witness::Limits;

use crate::flat::{Assignment, Domain, FlatExpression, FlatModel, VariableId};
use crate::syntax::{AssignmentKind, ConstraintKind, VariableKind};

/// A flat model as a symbolic system.
#[derive(Clone, Debug)]
pub struct EncodedModel {
    /// The system. Its symbols are the variables of the flat model, in the same order.
    pub model: Model,
    /// The pairs of compassion conditions.
    pub compassion: Vec<(Expression, Expression)>,
    encoder: Encoder,
    findings: Findings,
}

/// Checks and encodes a flat model. The model has no meaning if a diagnostic is an error.
pub fn encode<E>(
    flat: &FlatModel,
    limits: &Limits,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<(EncodedModel, Vec<Diagnostic>), E> {
    let mut encoded = EncodedModel::declare(flat);
    let diagnostics = check(&mut encoded, flat, limits, interrupt)?;
    if diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error) {
        encoded.constrain(flat);
    }
    Ok((encoded, diagnostics))
}

impl EncodedModel {
    /// The bits of the variables with their domain invariants, without other constraints.
    pub fn declare(flat: &FlatModel) -> Self {
        let mut model = Model::new();
        let bits = flat.variables.iter().map(|variable| {
            let kind = match variable.kind {
                VariableKind::State => SymbolKind::State,
                VariableKind::Input => SymbolKind::Input,
                VariableKind::Frozen => SymbolKind::Frozen,
            };
            let domain = match &variable.domain {
                Domain::Boolean => BitDomain::Boolean,
                &Domain::Range(low, high) => BitDomain::Range(low, high),
                &Domain::Word { signed, width } => BitDomain::Word { signed, width },
                Domain::Enumeration(values) => {
                    BitDomain::Values(values.iter().map(|&value| flat.show(value)).collect())
                }
            };
            model.declare(&variable.name, kind, domain).bits.clone()
        });
        let encoder = Encoder::new(bits.collect());
        EncodedModel { model, compassion: Vec::new(), encoder, findings: Findings::default() }
    }

    /// The bits of a variable, the least significant first.
    pub fn bits(&self, variable: VariableId) -> &[Variable] {
        self.encoder.variables(variable)
    }

    /// A Boolean expression over the bits. It is false where its evaluation may fail.
    ///
    /// # Panics
    /// When it is not Boolean, or has a temporal operator.
    pub fn boolean(&mut self, flat: &FlatModel, expression: FlatExpression) -> Expression {
        let graph = &mut self.model.graph;
        let encoded = self.encoder.encode(graph, flat, (expression, false));
        let Scalar::Boolean(value) = encoded.value else { panic!("a Boolean expression") };
        match self.findings.may_fail(expression) {
            true => {
                let works = graph.not(encoded.failure);
                graph.and(works, value)
            }
            false => value,
        }
    }

    /// The bits of each variable that are side by side in the order.
    pub fn groups(&self) -> Vec<Vec<Variable>> {
        order::groups(&self.model)
    }

    /// Arranges the order of the bits.
    pub fn arrange(&mut self, order: StaticOrder) {
        order::arrange(&mut self.model, order);
    }

    /// Reads an order file of NuSMV. Bits that it does not mention stay after their present
    /// neighbours. Unknown and repeated names are ignored, with warnings.
    pub fn read_order(&mut self, text: &str) -> Vec<Diagnostic> {
        order_file::read(&mut self.model, text)
    }

    /// The order of the bits as a file for NuSMV.
    pub fn write_order(&self) -> String {
        order_file::write(&self.model)
    }

    /// Adds the assignments and conditions of the flat model, and arranges the order of the bits.
    pub fn constrain(&mut self, flat: &FlatModel) {
        for assignment in &flat.assignments {
            for constraint in self.assignment(flat, assignment) {
                let Model { graph, system, .. } = &mut self.model;
                match assignment.kind {
                    AssignmentKind::Current => system.add_invariant(graph, constraint),
                    AssignmentKind::Init => system.add_initial(graph, constraint),
                    AssignmentKind::Next => system.add_transition(graph, constraint),
                }
            }
        }
        for constraint in &flat.constraints {
            let parts = match constraint.kind {
                ConstraintKind::Trans => conjuncts(flat, constraint.condition),
                _ => vec![constraint.condition],
            };
            for part in parts {
                let condition = self.boolean(flat, part);
                let Model { graph, system, .. } = &mut self.model;
                match constraint.kind {
                    ConstraintKind::Init => system.add_initial(graph, condition),
                    ConstraintKind::Invar => system.add_invariant(graph, condition),
                    ConstraintKind::Trans => system.add_transition(graph, condition),
                    ConstraintKind::Justice => system.add_justice(condition),
                }
            }
        }
        for &(p, q, _) in &flat.compassion {
            let pair = (self.boolean(flat, p), self.boolean(flat, q));
            self.compassion.push(pair);
        }
        self.arrange(StaticOrder::default());
    }

    /// The constraints of an assignment: one per bit, if it is not a set.
    fn assignment(&mut self, flat: &FlatModel, assignment: &Assignment) -> Vec<Expression> {
        let graph = &mut self.model.graph;
        let next = assignment.kind == AssignmentKind::Next;
        let place: Place = (assignment.value, false);
        let failure = self.encoder.encode(graph, flat, place).failure;
        let of_assigned = |holds: fn(&Findings, FlatExpression) -> bool| {
            assignment.assigned.iter().any(|assigned| holds(&self.findings, assigned.value))
        };
        let (may_fail, may_leave) =
            (of_assigned(Findings::may_fail), of_assigned(Findings::may_leave));
        if may_fail || may_leave || flat.expressions.ty(assignment.value).is_set() {
            let target = (assignment.variable, next);
            let assigned = self.encoder.is_assigned(graph, flat, target, place, may_leave);
            let works = if may_fail { graph.not(failure) } else { graph.constant(true) };
            return vec![graph.and(works, assigned)];
        }
        let domain = &flat.variable(assignment.variable).domain;
        let bits = self.encoder.bits(graph, assignment.variable, next);
        let known = &mut FxHashMap::default();
        let code = self.encoder.code(graph, flat, place, domain, known);
        bits.iter().zip(code).map(|(&bit, code)| graph.iff(bit, code)).collect()
    }
}
