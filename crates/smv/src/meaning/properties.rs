//! Specifications.

use kermode_base::Diagnostic;
use rustc_hash::FxHashSet;

use super::evaluate::Context;
use super::scope::{InstanceId, Operand};
use super::{Flattener, Unusable};
use crate::flat::{Features, Property};
use crate::syntax::{Expression, ExpressionKind, Item, Name, PropertyKind};

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
