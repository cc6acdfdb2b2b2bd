//! Variables and definitions in the order in which NuSMV shows them in traces.
//!
//! NuSMV walks through the instances from `main` down. Of each instance the definitions come first:
//! its sections in the order of the text, but the definitions of one section from the last to the
//! first. Then come its variables, and the instances at the places of their declarations. A module
//! that is included by `ISA` is walked through like an instance. The elements of an array that is
//! written out are listed one by one, and an array that is another name for one is not listed. At
//! the end come the definitions `running`: that of a process before those of the processes inside
//! of it, and of two neighbours that of the later one first.

use super::instances::Home;
use super::scope::{ArrayId, InstanceId, Lookup, Operand, Slot};
use super::{Flattener, Unusable};
use crate::flat::{Definition, FlatExpression, FlatTerm};
use crate::syntax::{Declaration, Expression, Item, Name, NodeId, Span, Syntax};

/// The elements of a module in the order of traces, or of a module that it includes.
#[derive(Default)]
struct Body {
    /// The definitions: the keyword of the section and the numbers of its elements.
    sections: Vec<(Span, Vec<usize>)>,
    /// Variables, and what is included.
    rest: Vec<usize>,
}

impl Body {
    fn define(&mut self, section: Span, number: usize) {
        match self.sections.last_mut() {
            Some((last, numbers)) if *last == section => numbers.push(number),
            _ => self.sections.push((section, vec![number])),
        }
    }

    fn order(self) -> Vec<usize> {
        let sections = self.sections.into_iter();
        let mut order: Vec<usize> =
            sections.flat_map(|(_, numbers)| numbers.into_iter().rev()).collect();
        order.extend(self.rest);
        order
    }
}

impl<'f> Flattener<'f> {
    /// Fills the listing of the model, which has no errors.
    pub(super) fn list<E>(
        &mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), Unusable<E>> {
        let mut orders: Vec<Option<Vec<usize>>> = vec![None; self.file.modules.len()];
        let mut children: Vec<Vec<InstanceId>> = vec![Vec::new(); self.instances.len()];
        let mut pending = vec![(InstanceId::MAIN, 0)];
        while let Some((instance, place)) = pending.last_mut() {
            let (instance, module) = (*instance, self.instances[instance.index()].module);
            let order = orders[module].get_or_insert_with(|| self.listing_order(module));
            let Some(&number) = order.get(*place) else {
                pending.pop();
                continue;
            };
            *place += 1;
            if let Some(child) = self.list_item(instance, number) {
                interrupt()?;
                children[instance.index()].push(child);
                pending.push((child, 0));
            }
        }
        self.model.listing.variables.extend(self.model.process_selector);
        self.list_running(&children);
        Ok(())
    }

    /// The numbers of the variables and definitions of a module in its table, in listing order.
    fn listing_order(&self, module: usize) -> Vec<usize> {
        let mut number = 0;
        let mut pending = vec![(Body::default(), self.file.modules[module].items.iter())];
        loop {
            let Some((body, items)) = pending.last_mut() else { return Vec::new() };
            let Some(item) = items.next() else {
                let Some((body, _)) = pending.pop() else { return Vec::new() };
                let order = body.order();
                match pending.last_mut() {
                    Some((outer, _)) => outer.rest.extend(order),
                    None => return order,
                }
                continue;
            };
            match item {
                Item::Isa(name, _) => {
                    if let Some(&included) = self.modules.get(name) {
                        let items = self.file.modules[included].items.iter();
                        pending.push((Body::default(), items));
                    }
                    continue;
                }
                Item::Define { section, .. } => body.define(*section, number),
                Item::Variable { .. } => body.rest.push(number),
                _ => {}
            }
            number += 1;
        }
    }

    /// Lists one element of an instance. An instance that it declares is returned.
    fn list_item(&mut self, instance: InstanceId, number: usize) -> Option<InstanceId> {
        let table = self.tables[self.instance(instance).module].as_ref()?;
        let item = table.items[number];
        let (declaration, body) = match item.item {
            Item::Define { declaration, body, .. } => (declaration, Some(*body)),
            Item::Variable { declaration, .. } => (declaration, None),
            _ => return None,
        };
        let (slot, home, name) = match item.slot {
            Some(slot) => {
                let slot = self.slots[self.instance(instance).slots + slot];
                (slot, instance, declaration.name)
            }
            None => self.suffixed_slot(instance, declaration)?,
        };
        let name = self.full_name(home, self.name(name));
        let span = declaration.span;
        match (slot, body) {
            (Slot::Instance(child), _) => return Some(child),
            (Slot::Variable(variable), _) => self.model.listing.variables.push(variable),
            (Slot::Constant(value), _) => self.list_scalar(name, value, span),
            (Slot::Array(array), _) => self.list_elements(name, array, None, span),
            (Slot::Define(cell), Some(body)) => match self.evaluate_cell(cell) {
                Operand::Scalar(scalar) => self.list_scalar(name, scalar, span),
                Operand::Array(array) => self.list_elements(name, array, Some(body), span),
                _ => {}
            },
            _ => {}
        }
        None
    }

    /// What a name with suffixes denotes, the instance that it belongs to, and its name there.
    fn suffixed_slot(
        &mut self,
        instance: InstanceId,
        declaration: &Declaration,
    ) -> Option<(Slot, InstanceId, Name)> {
        let Home::At(home, name) = self.home(instance, declaration) else { return None };
        match self.look_up(home, name) {
            Lookup::Slot(slot) => Some((slot, home, name)),
            Lookup::Parameter(_) | Lookup::Nothing => None,
        }
    }

    /// Lists a definition with this name.
    fn list_scalar(&mut self, name: String, body: FlatExpression, span: Span) {
        self.model.listing.definitions.push(Definition { name, body, span });
    }

    /// Lists the elements of an array variable, or of an array that a definition writes out. There
    /// are at most 64 dimensions.
    fn list_elements(
        &mut self,
        name: String,
        array: ArrayId,
        body: Option<Expression>,
        span: Span,
    ) {
        let mut pending = vec![(name, Operand::Array(array), body.map(|body| body.root))];
        while let Some((name, operand, node)) = pending.pop() {
            match operand {
                Operand::Array(array) => self.push_elements(&name, array, node, &mut pending),
                Operand::Scalar(scalar) => match self.model.expressions.term(scalar) {
                    FlatTerm::Variable(variable) if body.is_none() => {
                        self.model.listing.variables.push(variable);
                    }
                    _ => self.list_scalar(name, scalar, span),
                },
                _ => {}
            }
        }
    }

    /// Puts the elements of an array on a stack, the first one on top. Those of a definition have
    /// nodes; an array that is no literal is left out.
    fn push_elements(
        &self,
        name: &str,
        array: ArrayId,
        node: Option<NodeId>,
        pending: &mut Vec<(String, Operand, Option<NodeId>)>,
    ) {
        let nodes = match node.map(|node| self.file.node(node)) {
            None => None,
            Some(Syntax::Array(list)) => Some(self.file.list(list)),
            Some(_) => return,
        };
        let known = &self.arrays[array.0 as usize];
        for (place, &element) in known.elements.iter().enumerate().rev() {
            let index = i64::from(known.low) + place as i64;
            let node = nodes.and_then(|nodes| nodes.get(place)).copied();
            pending.push((format!("{name}[{index}]"), element, node));
        }
    }

    /// Lists `running` of all processes.
    fn list_running(&mut self, children: &[Vec<InstanceId>]) {
        let mut pending = vec![InstanceId::MAIN];
        while let Some(instance) = pending.pop() {
            if let Some(running) = self.is_running(instance) {
                let name = self.full_name(instance, "running");
                self.list_scalar(name, running, Span::default());
            }
            pending.extend(&children[instance.index()]);
        }
    }
}
