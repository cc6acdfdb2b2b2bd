//! The hierarchy of instances and its variables.
//!
//! Instances are made depth first, each at the place of its declaration, and bounds of types are
//! computed at once. So `0..m.K` needs the instance `m` before it, as in NuSMV.

use kermode_base::Diagnostic;
use rustc_hash::FxHashMap;

use super::evaluate::Context;
use super::messages::undefined;
use super::modules::TableItem;
use super::scope::{Instance, InstanceId, Lookup, Operand, Slot};
use super::{Flattener, Unusable};
use crate::flat::{Definition, Domain, FlatVariable, Symbol, Type, Value, VariableId};
use crate::syntax::{
    BaseType, Declaration, EnumerationValue, Expression, Item, Name, Span, Syntax, TypeSyntax,
    VariableKind,
};

/// The largest numbers of instances and of array elements.
const MOST_INSTANCES: usize = 1_000_000;
const MOST_ELEMENTS: usize = 10_000_000;

/// An instance whose elements are being declared.
struct Pending {
    instance: InstanceId,
    /// The next element.
    item: usize,
}

/// Where a declared name belongs.
pub(super) enum Home {
    /// In this instance, under this name.
    At(InstanceId, Name),
    /// The first name is an instance that is not there yet.
    Later,
}

impl<'f> Flattener<'f> {
    pub(super) fn create_instances<E>(
        &mut self,
        main: usize,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), Unusable<E>> {
        let mut active = vec![0_u32; self.file.modules.len()];
        let mut processes = Vec::new();
        let parameters = self.cells.len();
        let process = InstanceId::MAIN;
        let instance = self.create(main, String::new(), parameters, process);
        active[main] += 1;
        let mut pending = vec![Pending { instance, item: 0 }];
        while let Some(Pending { instance, item }) = pending.last_mut() {
            let (instance, number) = (*instance, *item);
            let module = self.instance(instance).module;
            let items = self.tables[module].as_ref().map_or(&[][..], |table| &table.items);
            let Some(&TableItem { slot, item: declared }) = items.get(number) else {
                active[module] -= 1;
                pending.pop();
                continue;
            };
            *item += 1;
            let Item::Variable { kind, declaration, ty } = declared else {
                if let Item::Define { declaration, body, .. } = declared
                    && slot.is_none()
                {
                    self.declare_suffixed_define(instance, number, declaration, *body);
                }
                continue;
            };
            let home = match slot {
                Some(_) => Home::At(instance, declaration.name),
                None => self.home(instance, declaration),
            };
            let Home::At(home, name) = home else {
                self.postponed.push((instance, number));
                continue;
            };
            let value = match &ty.base {
                BaseType::Instance { process, .. } => {
                    interrupt()?;
                    let path = self.full_name(home, self.name(name));
                    match self.child(instance, path, ty, &active) {
                        None => Slot::Error,
                        Some(child) => {
                            if *process {
                                self.instances[child.index()].process = child;
                                processes.push(child);
                            }
                            active[self.instance(child).module] += 1;
                            pending.push(Pending { instance: child, item: 0 });
                            Slot::Instance(child)
                        }
                    }
                }
                _ => self.new_variable(instance, home, name, *kind, declaration.span, ty),
            };
            self.fill(instance, slot, home, name, value, declaration.span);
            if self.has_enough() {
                return Ok(());
            }
        }
        self.has_all_instances = true;
        self.declare_postponed();
        self.make_selector(&processes);
        Ok(())
    }

    /// A new instance, with its definitions. Its process is that of its parent for now.
    fn create(
        &mut self,
        module: usize,
        path: String,
        parameters: usize,
        process: InstanceId,
    ) -> InstanceId {
        let id = InstanceId(self.instances.len() as u32);
        let slots = self.slots.len();
        let name = self.name(self.file.modules[module].name).to_owned();
        self.model.instances.push((path.clone(), name));
        self.instances.push(Instance { module, path, slots, parameters, process });
        let Some(table) = &self.tables[module] else { return id };
        self.slots.resize(slots + table.slots, Slot::Later);
        let defines: Vec<(usize, Expression)> = table
            .items
            .iter()
            .filter_map(|TableItem { slot, item }| match item {
                Item::Define { body, .. } => Some(((*slot)?, *body)),
                _ => None,
            })
            .collect();
        for (slot, body) in defines {
            self.slots[slots + slot] = Slot::Define(self.cell(id, body));
        }
        id
    }

    /// The instance of a declaration.
    fn child(
        &mut self,
        parent: InstanceId,
        path: String,
        ty: &TypeSyntax,
        active: &[u32],
    ) -> Option<InstanceId> {
        let BaseType::Instance { module, module_span: span, actuals, .. } = &ty.base else {
            return None;
        };
        let (module, span) = (*module, *span);
        let text = self.name(module);
        if !ty.dimensions.is_empty() {
            let error =
                Diagnostic::error(ty.span.range(), "an array cannot have instances as elements");
            self.report(
                error
                    .help("declare instances one by one, for instance `m[0] : cell; m[1] : cell;`"),
            );
            return None;
        }
        let Some(&index) = self.modules.get(&module) else {
            let known = self.file.modules.iter().map(|module| self.name(module.name));
            let error = undefined(span, "module", text, known);
            self.report(error);
            return None;
        };
        let formal = self.file.modules[index].parameters.len();
        if formal != actuals.len() {
            let problem = if actuals.len() < formal { "few" } else { "many" };
            let plural = if formal == 1 { "" } else { "s" };
            let message = format!("too {problem} parameters for the module `{text}`");
            let formals = self.file.modules[index].parameters.iter();
            let formals: Vec<&str> = formals.map(|&(name, _)| self.name(name)).collect();
            self.report(
                Diagnostic::error(span.range(), message)
                    .label(format!(
                        "it takes {formal} parameter{plural}, and {} are given",
                        actuals.len()
                    ))
                    .help(format!("the module is declared as `{text}({})`", formals.join(", "))),
            );
            return None;
        }
        if active[index] > 0 {
            let message = format!("the module `{text}` contains an instance of itself");
            let error = Diagnostic::error(span.range(), message).label("inside of itself");
            self.report(
                error.help("the hierarchy of instances must be finite: remove this instance"),
            );
            return None;
        }
        if self.instances.len() >= MOST_INSTANCES {
            let message = format!("the model has more than {MOST_INSTANCES} instances");
            let error = Diagnostic::error(span.range(), message).label("one too many");
            self.report(
                error.help("check the constants that the size of the hierarchy depends on"),
            );
            return None;
        }
        let parameters = self.cells.len();
        for &actual in actuals {
            self.cell(parent, actual);
        }
        let process = self.instance(parent).process;
        Some(self.create(index, path, parameters, process))
    }

    /// Where a name with suffixes belongs: `u.ack` belongs to the instance `u` if there is one.
    pub(super) fn home(&mut self, instance: InstanceId, declaration: &Declaration) -> Home {
        let Some(path) = declaration.path else { return Home::At(instance, declaration.name) };
        let here = Home::At(instance, declaration.name);
        let Syntax::Component(base, last) = self.file.node(path.root) else { return here };
        let begin = match self.file.node(path.first) {
            Syntax::Name(begin) => begin,
            _ => return here,
        };
        match self.look_up(instance, begin) {
            Lookup::Nothing => here,
            Lookup::Slot(Slot::Later) => Home::Later,
            // The instance that a parameter stands for may be declared later.
            Lookup::Parameter(_) if !self.has_all_instances => Home::Later,
            _ => {
                let base = Expression { first: path.first, root: base };
                match self.evaluate(instance, base, Context::PREFIX) {
                    Operand::Instance(home) => Home::At(home, last),
                    _ => here,
                }
            }
        }
    }

    fn declare_suffixed_define(
        &mut self,
        instance: InstanceId,
        number: usize,
        declaration: &'f Declaration,
        body: Expression,
    ) {
        match self.home(instance, declaration) {
            Home::Later => self.postponed.push((instance, number)),
            Home::At(home, name) => {
                let cell = self.cell(instance, body);
                self.suffixed.insert((instance, declaration.name), cell);
                self.fill(instance, None, home, name, Slot::Define(cell), declaration.span);
            }
        }
    }

    /// Declares what had to wait for instances.
    fn declare_postponed(&mut self) {
        for (instance, number) in std::mem::take(&mut self.postponed) {
            let module = self.instance(instance).module;
            let Some(table) = &self.tables[module] else { continue };
            match table.items[number].item {
                Item::Define { declaration, body, .. } => {
                    self.declare_suffixed_define(instance, number, declaration, *body);
                }
                Item::Variable { kind, declaration, ty } => {
                    let Home::At(home, name) = self.home(instance, declaration) else {
                        continue;
                    };
                    let value = match ty.base {
                        BaseType::Instance { .. } => {
                            let message =
                                format!("`{}` is declared too early", self.name(declaration.name));
                            let error = Diagnostic::error(declaration.span.range(), message);
                            self.report(
                                error.help(
                                    "declare the instance that its name begins with before it",
                                ),
                            );
                            Slot::Error
                        }
                        _ => self.new_variable(instance, home, name, *kind, declaration.span, ty),
                    };
                    self.fill(instance, None, home, name, value, declaration.span);
                }
                _ => {}
            }
        }
        self.postponed.clear();
    }

    /// Stores what a declared name denotes.
    fn fill(
        &mut self,
        instance: InstanceId,
        slot: Option<usize>,
        home: InstanceId,
        name: Name,
        value: Slot,
        span: Span,
    ) {
        if let Some(slot) = slot {
            let first = self.instance(instance).slots;
            self.slots[first + slot] = value;
            return;
        }
        let is_new = matches!(self.look_up(home, name), Lookup::Nothing);
        if is_new {
            self.extra.insert((home, name), value);
            return;
        }
        let text = self.name(name);
        let message = format!("`{text}` is declared twice");
        let error = Diagnostic::error(span.range(), message);
        let called = self.called(home);
        self.report(
            error.label(format!("it is declared in {called} already")).help("rename one of them"),
        );
    }

    /// The variables of a declaration.
    fn new_variable(
        &mut self,
        instance: InstanceId,
        home: InstanceId,
        name: Name,
        kind: VariableKind,
        span: Span,
        ty: &'f TypeSyntax,
    ) -> Slot {
        let mut bounds = Vec::with_capacity(ty.dimensions.len());
        let mut elements = 1_usize;
        for &(low, high) in &ty.dimensions {
            let low = self.constant_integer(instance, low, "a bound of an array");
            let high = self.constant_integer(instance, high, "a bound of an array");
            let (Some(low), Some(high)) = (low, high) else { return Slot::Error };
            let size = (i64::from(high) - i64::from(low) + 1).max(0) as usize;
            elements = elements.saturating_mul(size);
            bounds.push((low, size));
        }
        self.elements = self.elements.saturating_add(elements);
        if self.elements > MOST_ELEMENTS {
            let message =
                format!("the arrays of the model have more than {MOST_ELEMENTS} elements");
            let error = Diagnostic::error(ty.span.range(), message).label("too large");
            self.report(error.help("check the bounds of the arrays"));
            return Slot::Error;
        }
        let Some(domain) = self.domain(instance, ty) else { return Slot::Error };
        let text = self.full_name(home, self.name(name));
        if domain.size() == 1 {
            let warning = format!("`{text}` has one value only");
            let value = domain.value(0).map(|value| self.model.show(value)).unwrap_or_default();
            self.report(
                Diagnostic::warning(ty.span.range(), warning)
                    .label(format!("it is always {value}"))
                    .help("it is treated as a DEFINE and cannot be assigned"),
            );
        }
        match self.elements_of(text, kind, span, &domain, &bounds) {
            Operand::Scalar(scalar) if bounds.is_empty() => match domain.size() {
                1 => Slot::Constant(scalar),
                _ => Slot::Variable(VariableId(self.model.variables.len() as u32 - 1)),
            },
            Operand::Array(array) => Slot::Array(array),
            _ => Slot::Error,
        }
    }

    /// The scalars of an array with these first indices and sizes. There are at most 64 dimensions.
    fn elements_of(
        &mut self,
        name: String,
        kind: VariableKind,
        span: Span,
        domain: &Domain,
        bounds: &[(i32, usize)],
    ) -> Operand {
        if let Some((&(low, size), inner)) = bounds.split_first() {
            let elements = (0..size)
                .map(|place| {
                    let index = i64::from(low) + place as i64;
                    self.elements_of(format!("{name}[{index}]"), kind, span, domain, inner)
                })
                .collect();
            return Operand::Array(self.array(low, elements));
        }
        if domain.size() == 1 {
            let value = domain.value(0).unwrap_or(Value::Boolean(false));
            let body = self.model.expressions.constant(value);
            self.model.definitions.push(Definition { name, body, span });
            return Operand::Scalar(body);
        }
        let variable = VariableId(self.model.variables.len() as u32);
        let ty = domain.ty();
        self.model.variables.push(FlatVariable { name, kind, domain: domain.clone(), span });
        let is_input = kind == VariableKind::Input;
        Operand::Scalar(self.model.expressions.variable(variable, ty, is_input))
    }

    /// The values of a type, if it has no error.
    fn domain(&mut self, instance: InstanceId, ty: &'f TypeSyntax) -> Option<Domain> {
        match &ty.base {
            BaseType::Boolean => Some(Domain::Boolean),
            BaseType::Enumeration(values) => self.enumeration(values),
            &BaseType::Range(low, high) => {
                let first = self.constant_integer(instance, low, "a bound of a range")?;
                let last = self.constant_integer(instance, high, "a bound of a range")?;
                if first > last {
                    let message = format!("the range {first}..{last} is empty");
                    let error = Diagnostic::error(ty.span.range(), message)
                        .label("a type has at least one value");
                    self.report(error.help(format!("did you mean `{last}..{first}`?")));
                    return None;
                }
                Some(Domain::Range(first, last))
            }
            &BaseType::Word { signed, width } => {
                let bits = self.constant_integer(instance, width, "the width of a word")?;
                if !(1..=64).contains(&bits) {
                    let message = format!("a word cannot have {bits} bits");
                    let error = Diagnostic::error(self.span(width).range(), message)
                        .label("the width of the word");
                    self.report(error.help("words have 1 to 64 bits"));
                    return None;
                }
                Some(Domain::Word { signed, width: bits as u8 })
            }
            BaseType::Instance { .. } | BaseType::Refused => None,
        }
    }

    fn enumeration(&mut self, values: &[(EnumerationValue, Span)]) -> Option<Domain> {
        let mut found: FxHashMap<Value, Span> = FxHashMap::default();
        let mut domain = Vec::with_capacity(values.len());
        for &(value, span) in values {
            let value = match value {
                EnumerationValue::Integer(value) => Value::Integer(value),
                EnumerationValue::Symbol(name) => Value::Symbol(self.symbols.get(&name)?.0),
            };
            if found.insert(value, span).is_some() {
                let message = format!("`{}` is in the enumeration twice", self.model.show(value));
                let error = Diagnostic::error(span.range(), message).label("the second one");
                self.report(error.help("remove one of them"));
                return None;
            }
            domain.push(value);
        }
        Some(Domain::Enumeration(domain))
    }

    /// The value of a constant integer expression.
    fn constant_integer(
        &mut self,
        instance: InstanceId,
        expression: Expression,
        what: &str,
    ) -> Option<i32> {
        let operand = self.evaluate_constant_context(instance, expression);
        let span = self.span(expression);
        let scalar = match operand {
            Operand::Error => return None,
            Operand::Scalar(scalar) => scalar,
            other => self.scalar(other, expression.root)?,
        };
        let value = self.constants.value(&self.model.expressions, scalar);
        let problem = match value {
            Some(Ok(Value::Integer(value))) => return Some(value),
            Some(Ok(_)) => "not an integer",
            Some(Err(_)) => "not defined: its computation fails",
            None if self.model.expressions.ty(scalar) != Type::Integer => "not an integer",
            None => "not constant",
        };
        let error = Diagnostic::error(span.range(), format!("{what} is {problem}"))
            .label("types are fixed before the first state");
        self.report(error.help("use literals, and DEFINEs and parameters that stand for them"));
        None
    }

    /// Declares the input that selects the running process.
    fn make_selector(&mut self, processes: &[InstanceId]) {
        if processes.is_empty() {
            return;
        }
        self.refuse_running();
        let mut symbols: FxHashMap<InstanceId, Symbol> = FxHashMap::default();
        let mut values = Vec::with_capacity(processes.len() + 1);
        for &process in std::iter::once(&InstanceId::MAIN).chain(processes) {
            let path = self.instance(process).path.clone();
            let text = if path.is_empty() { "main".to_owned() } else { path };
            // The names of processes are symbolic constants as well.
            let known = self.file.names.find(&text).and_then(|name| self.symbols.get(&name));
            let symbol = match known {
                Some(&(symbol, _)) => symbol,
                None => self.new_symbol(&text),
            };
            symbols.insert(process, symbol);
            values.push(Value::Symbol(symbol));
        }
        let variable = VariableId(self.model.variables.len() as u32);
        self.model.variables.push(FlatVariable {
            name: "_process_selector_".to_owned(),
            kind: VariableKind::Input,
            domain: Domain::Enumeration(values),
            span: Span::default(),
        });
        self.model.process_selector = Some(variable);
        self.selector = Some((variable, symbols));
    }

    /// In a model with processes, `running` and the selector are not free to be declared.
    fn refuse_running(&mut self) {
        let reserved = ["running", "_process_selector_"];
        for text in reserved {
            let Some(name) = self.file.names.find(text) else { continue };
            let places = self.tables.iter().flatten().filter_map(|table| table.places.get(&name));
            let places: Vec<Span> = places.copied().collect();
            for span in places {
                let message = format!("`{text}` cannot be declared in a model with processes");
                let error = Diagnostic::error(span.range(), message);
                self.report(
                    error.help("every process has a definition `running`: rename this one"),
                );
            }
        }
    }
}
