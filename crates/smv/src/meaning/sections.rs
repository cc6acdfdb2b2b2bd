//! Definitions and constraints.

use super::evaluate::Context;
use super::scope::{InstanceId, Operand, Slot};
use super::{Flattener, Unusable};
use crate::flat::{Constraint, Definition, Features};
use crate::syntax::{ConstraintKind, Item};

/// A visitor of an element: in which instance it is, and its slot if it declares a name.
type Visit<'v, 'f> = dyn FnMut(&mut Flattener<'f>, InstanceId, Option<usize>, &'f Item) + 'v;

impl<'f> Flattener<'f> {
    /// The elements of each instance, instance by instance.
    pub(super) fn for_each_item<E>(
        &mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
        visit: &mut Visit<'_, 'f>,
    ) -> Result<(), Unusable<E>> {
        for index in 0..self.instances.len() {
            interrupt()?;
            let instance = InstanceId(index as u32);
            let module = self.instance(instance).module;
            let count = self.tables[module].as_ref().map_or(0, |table| table.items.len());
            for number in 0..count {
                let Some(table) = &self.tables[module] else { break };
                let item = table.items[number];
                visit(self, instance, item.slot, item.item);
                if self.has_enough() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Flattens all definitions, also those that nothing uses.
    pub(super) fn flatten_definitions<E>(
        &mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), Unusable<E>> {
        self.for_each_item(interrupt, &mut |flattener, instance, slot, item| {
            let Item::Define { declaration, .. } = item else { return };
            let cell = match slot {
                Some(slot) => match flattener.slots[flattener.instance(instance).slots + slot] {
                    Slot::Define(cell) => cell,
                    _ => return,
                },
                None => match flattener.suffixed.get(&(instance, declaration.name)) {
                    Some(&cell) => cell,
                    None => return,
                },
            };
            let (name, span) = (flattener.name(declaration.name), declaration.span);
            let name = flattener.full_name(instance, name);
            match flattener.evaluate_cell(cell) {
                Operand::Scalar(body) => {
                    flattener.model.definitions.push(Definition { name, body, span });
                }
                Operand::Array(_) | Operand::Error => {}
                other => {
                    let root = flattener.cells[cell.0 as usize].expression.root;
                    flattener.scalar(other, root);
                }
            }
        })
    }

    /// Flattens `INIT`, `INVAR`, `TRANS`, `FAIRNESS` and `COMPASSION`.
    pub(super) fn flatten_constraints<E>(
        &mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), Unusable<E>> {
        self.for_each_item(interrupt, &mut |flattener, instance, _, item| match *item {
            Item::Constraint { kind, condition } => {
                let span = flattener.span(condition);
                let context = Context::of_constraint(kind);
                if let Some(condition) = flattener.condition(instance, condition, context) {
                    flattener.model.constraints.push(Constraint { kind, condition, span });
                }
            }
            Item::Compassion(p, q) => {
                let span = flattener.span(p).to(flattener.span(q));
                let context = Context {
                    place: "COMPASSION",
                    ..Context::of_constraint(ConstraintKind::Justice)
                };
                let p = flattener.condition(instance, p, context);
                let q = flattener.condition(instance, q, context);
                if let (Some(p), Some(q)) = (p, q) {
                    flattener.model.compassion.push((p, q, span));
                }
            }
            _ => {}
        })
    }
}

impl Context {
    fn of_constraint(kind: ConstraintKind) -> Context {
        let (place, allowed) = match kind {
            ConstraintKind::Init => ("INIT", Features::STATE),
            ConstraintKind::Invar => ("INVAR", Features::STATE),
            ConstraintKind::Trans => {
                ("TRANS", Features::STATE.with(Features::INPUT).with(Features::NEXT))
            }
            ConstraintKind::Justice => ("FAIRNESS", Features::STATE.with(Features::INPUT)),
        };
        Context { place, allowed, is_property: false, is_prefix: false }
    }
}
