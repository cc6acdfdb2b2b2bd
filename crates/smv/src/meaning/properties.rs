//! Specifications.

use kermode_base::Diagnostic;
use rustc_hash::FxHashSet;

use super::evaluate::Context;
use super::scope::{InstanceId, Operand};
use super::{Flattener, Unusable};
use crate::flat::expression::Below;
use crate::flat::{Features, FlatExpression, FlatTerm, Property};
use crate::syntax::{Expression, ExpressionKind, Item, Name, PropertyKind, VariableKind};

impl<'f> Flattener<'f> {
    pub(super) fn flatten_properties<E>(
        &mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), Unusable<E>> {
        let mut names: FxHashSet<(InstanceId, Name)> = FxHashSet::default();
        self.for_each_item(interrupt, &mut |flattener, instance, _, item| {
            let Item::Property { kind, name, context, operands, span, keyword } = item else {
                return;
            };
            if let &Some((name, span)) = name
                && !names.insert((instance, name))
            {
                let text = flattener.name(name);
                let message = format!("there is another specification with the name `{text}`");
                let error = Diagnostic::error(span.range(), message);
                flattener.report(error.label("declared twice").help("rename one of them"));
            }
            let Some(home) = flattener.context_of(instance, *context) else { return };
            let place = Context::of_property(*kind);
            let conditions =
                operands.iter().map(|&operand| flattener.condition(home, operand, place));
            let conditions: Option<Vec<_>> = conditions.collect();
            let Some(operands) = conditions else { return };
            let name = name.map(|(name, _)| flattener.full_name(instance, flattener.name(name)));
            let instance = flattener.instance(home).path.clone();
            let (kind, span, keyword) = (*kind, *span, *keyword);
            let property = Property { kind, name, instance, operands, span, keyword };
            flattener.model.properties.push(property);
        })?;
        self.model.properties.sort_by_key(|property| property.keyword);
        Ok(())
    }

    /// The expression without `next` of frozen variables and constants, which do not change. So an
    /// invariant such as `next(frozen) & x > 0` is about states, as in NuSMV.
    pub(super) fn without_idle_next(&mut self, root: FlatExpression) -> FlatExpression {
        let expressions = &mut self.model.expressions;
        if !expressions.features(root).has(Features::NEXT) {
            return root;
        }
        let below = Below::of(expressions, &[root]);
        let mut changes: Vec<bool> = Vec::with_capacity(below.len());
        let mut built: Vec<FlatExpression> = Vec::with_capacity(below.len());
        for part in below.iter() {
            let term = expressions.term(part);
            changes.push(match term {
                FlatTerm::Variable(variable) => {
                    self.model.variables[variable.index()].kind != VariableKind::Frozen
                }
                term => term.operands().any(|operand| changes[below.position(operand)]),
            });
            let of = |operand| built[below.position(operand)];
            let new = match term {
                FlatTerm::Next(a) if !changes[below.position(a)] => of(a),
                term if term.operands().all(|operand| of(operand) == operand) => part,
                term => expressions.intern(term.map(of), expressions.ty(part)),
            };
            if new != part
                && let Some(places) = self.model.failure_places.get(&part).cloned()
            {
                self.model.failure_places.entry(new).or_insert(places);
            }
            built.push(new);
        }
        built[below.position(root)]
    }

    /// The instance after `IN`, or the present one.
    fn context_of(&mut self, instance: InstanceId, path: Option<Expression>) -> Option<InstanceId> {
        let Some(path) = path else { return Some(instance) };
        match self.evaluate(instance, path, Context::of_property(PropertyKind::Ltl)) {
            Operand::Instance(home) => Some(home),
            Operand::Error => None,
            other => {
                if let Operand::Path(_) = other {
                    self.scalar(other, path.root);
                    return None;
                }
                let span = self.span(path);
                let error = Diagnostic::error(span.range(), "`IN` takes an instance of a module");
                self.report(error.help("remove `IN`, or name an instance such as `m` or `m.n`"));
                None
            }
        }
    }
}

impl Context {
    /// An expression that does not stand in the model.
    pub(super) fn of_expression(kind: ExpressionKind) -> Context {
        let state = Features::STATE;
        let step = state.with(Features::INPUT).with(Features::NEXT);
        let (place, allowed) = match kind {
            ExpressionKind::Simple => ("an expression about states", state),
            ExpressionKind::Next => ("an expression about steps", step),
            ExpressionKind::Ctl => ("a CTL formula", state.with(Features::CTL)),
            ExpressionKind::Ltl => ("an LTL formula", step.with(Features::LTL)),
        };
        Context { place, allowed, is_property: true, is_prefix: false }
    }

    fn of_property(kind: PropertyKind) -> Context {
        let state = Features::STATE;
        let step = state.with(Features::INPUT).with(Features::NEXT);
        let (place, allowed) = match kind {
            PropertyKind::Ctl => ("a CTL specification", state.with(Features::CTL)),
            PropertyKind::Ltl => ("an LTL specification", step.with(Features::LTL)),
            PropertyKind::Invariant => ("an invariant specification", step),
            PropertyKind::ComputeMin | PropertyKind::ComputeMax => {
                ("COMPUTE", state.with(Features::CTL))
            }
            PropertyKind::Psl => ("a PSL specification", step),
        };
        Context { place, allowed, is_property: true, is_prefix: false }
    }
}
