//! Random parameters of modules, and the actual parameters of instances.

use super::Construct;
use super::generator::{Generator, Uses};
use super::instances::{TARGET, exported};
use super::scope::{Entry, Place, Role, Type, Word};

/// What a module expects as a parameter.
#[derive(Clone, Debug)]
pub(super) enum Parameter {
    /// A value, which may read inputs or next values.
    Value { ty: Type, input: bool, next: bool },
    /// A set of values.
    Set(Type),
    /// An array.
    Array(Type),
    /// A variable whose next value the module assigns.
    Target(Type),
    /// An instance of the module with this index.
    Instance(usize),
    /// `self` of the module with this name.
    Owner(String),
    /// Anything: the module does not use it.
    Unused,
}

impl Generator<'_> {
    /// Draws what a parameter is.
    pub(super) fn parameter(&mut self) -> Parameter {
        let scope_name = self.scope().name.clone();
        let instances = self.scope().instances.clone();
        let arrays = self.visible(Place::STATE, &|entry| {
            matches!(entry.ty, Type::Array(..)) && entry.ty.bits() <= 8
        });
        match self.rng.below(16) {
            0 => {
                let ty = self.some_type();
                Parameter::Set(ty)
            }
            1..=3 if !arrays.is_empty() && self.rng.coin() => {
                Parameter::Array(arrays[self.rng.below(arrays.len())].ty.clone())
            }
            2..=3 => {
                let ty = self.parameter_type();
                Parameter::Target(ty)
            }
            4..=6 if !instances.is_empty() => {
                Parameter::Instance(instances[self.rng.below(instances.len())].1)
            }
            4..=6 if self.rng.coin() => Parameter::Owner(scope_name),
            7 if self.rng.coin() => Parameter::Unused,
            8 => Parameter::Value { ty: Type::Boolean, input: true, next: false },
            9 => {
                let ty = self.parameter_type();
                Parameter::Value { ty, input: false, next: true }
            }
            _ => {
                let ty = self.parameter_type();
                Parameter::Value { ty, input: false, next: false }
            }
        }
    }

    /// A type for a parameter.
    fn parameter_type(&mut self) -> Type {
        match self.rng.below(5) {
            0..=1 => Type::Boolean,
            2 => Type::Range(0, self.number(1, 3)),
            3 => Type::Word(Word { signed: self.rng.coin(), width: 2 }),
            _ => Type::Range(-1, 2),
        }
    }

    /// The names that a parameter brings into the scope of its module.
    pub(super) fn bind(&mut self, parameter: &Parameter, formal: &str, entries: &mut Vec<Entry>) {
        let value = |text: String, ty: &Type| Entry {
            role: Role::Value,
            parameter: true,
            ..Entry::state(text, ty.clone(), 0)
        };
        match parameter {
            Parameter::Value { ty, input, next } => {
                let entry = value(formal.to_string(), ty);
                entries.push(Entry { input: *input, next: *next, ..entry });
            }
            Parameter::Set(ty) => {
                entries.push(Entry { set: true, ..value(formal.to_string(), ty) });
            }
            Parameter::Array(ty) => entries.push(value(formal.to_string(), ty)),
            Parameter::Target(ty) => {
                let entry = Entry::state(formal.to_string(), ty.clone(), TARGET);
                entries.push(Entry { role: Role::Target, ..entry });
            }
            Parameter::Instance(module) => {
                for entry in exported(&self.modules[*module].entries) {
                    let text = format!("{formal}.{}", entry.text);
                    entries.push(Entry { text, rank: 0, own: false, free: false, ..entry });
                }
            }
            Parameter::Owner(_) => {
                for entry in exported(&self.scope().entries.clone()) {
                    if entry.rank < TARGET && !entry.text.contains('.') {
                        let text = format!("{formal}.{}", entry.text);
                        entries.push(Entry { text, rank: 0, own: false, free: false, ..entry });
                    }
                }
            }
            Parameter::Unused => {}
        }
    }

    /// The text of an actual parameter that the module does not assign.
    pub(super) fn actual(&mut self, parameter: &Parameter, base: usize) -> String {
        self.uses = Uses::default();
        let limit = base + 1;
        // NuSMV refuses LTL and invariants in modules that read a variable index, also through
        // parameters.
        let at = Place { limit, next_limit: limit, body: true, index: false, ..Place::STATE };
        match parameter {
            Parameter::Value { ty, input, next } => {
                self.actual_value(ty, Place { inputs: *input, next: *next, ..at })
            }
            Parameter::Set(ty) => {
                self.mark(Construct::ParameterSet);
                self.set(ty, at, 1).text
            }
            Parameter::Array(ty) => {
                let arrays = self.visible(at, &|entry| entry.ty == *ty);
                if arrays.is_empty() {
                    // The module was drawn elsewhere: an array DEFINE of the same shape serves.
                    return self.array_for(ty);
                }
                self.mark(Construct::ParameterArray);
                let array = &arrays[self.rng.below(arrays.len())];
                self.note(array);
                array.text.clone()
            }
            Parameter::Target(_) => unreachable!("variables are declared for these"),
            Parameter::Instance(module) => {
                self.mark(Construct::ParameterInstance);
                let instances = self.scope().instances.clone();
                let fitting: Vec<&String> = instances
                    .iter()
                    .filter(|(_, found)| found == module)
                    .map(|(name, _)| name)
                    .collect();
                fitting[self.rng.below(fitting.len())].clone()
            }
            Parameter::Owner(_) => {
                self.mark(Construct::ParameterSelf);
                "self".to_string()
            }
            Parameter::Unused => {
                self.mark(Construct::UndefinedUnusedParameter);
                "nothing".to_string()
            }
        }
    }

    /// The variable that a module assigns: one that another process assigns too, or a new one,
    /// which is declared afterwards.
    pub(super) fn target(
        &mut self,
        ty: &Type,
        process: bool,
        taken: &[String],
        targets: &mut Vec<(String, Type)>,
    ) -> String {
        self.mark(Construct::ParameterAssigned);
        if process {
            let shared = self.scope().entries.iter().find(|entry| {
                entry.own && entry.next_assigned && entry.ty == *ty && !taken.contains(&entry.text)
            });
            if let Some(name) = shared.map(|entry| entry.text.clone()) {
                self.mark(Construct::SharedByProcesses);
                return name;
            }
        }
        let name = format!("t{}", self.fresh());
        targets.push((name.clone(), ty.clone()));
        name
    }

    /// An array variable of a type, declared for a parameter.
    fn array_for(&mut self, ty: &Type) -> String {
        let Type::Array(low, high, element) = ty else {
            unreachable!("the parameter is an array");
        };
        self.mark(Construct::ParameterArray);
        let used = std::mem::take(&mut self.used);
        let name = format!("a{}", self.fresh());
        self.mark(Construct::ArrayVariable);
        let text = element.text();
        self.item("FROZENVAR", format!("{name} : array {low}..{high} of {text};"));
        self.used = used;
        let scope = self.scope();
        scope.bits += ty.bits();
        // Nothing assigns it, so that its rank does not matter.
        let entry = Entry { role: Role::Frozen, ..Entry::state(name.clone(), ty.clone(), 0) };
        scope.entries.push(entry);
        name
    }

    fn actual_value(&mut self, ty: &Type, at: Place) -> String {
        let interval = ty.interval();
        let fits = |found: &Type| match (found.interval(), interval) {
            (Some((low, high)), Some((least, most))) => least <= low && high <= most,
            _ => found == ty,
        };
        let kind = self.rng.below(10);
        let mut simple = None;
        if at.next && kind < 6 {
            let value =
                self.next_of(at, 1, &mut |generator, at, depth| generator.value(ty, at, depth));
            self.mark(Construct::ParameterNext);
            return value.text;
        }
        if kind < 5 || at.inputs {
            let read = self.visible(at, &|entry| {
                !entry.set && fits(entry.ty.base()) && (entry.input || !at.inputs)
            });
            if !read.is_empty() {
                let array = read.iter().position(|entry| matches!(entry.ty, Type::Array(..)));
                let other = self.rng.below(read.len());
                let entry = &read[array.filter(|_| self.chance(80)).unwrap_or(other)];
                let text = self.read(entry, at).text;
                let array = matches!(entry.ty, Type::Array(..));
                simple = Some((text, array));
            }
        }
        if let Some((text, array)) = simple {
            self.mark(if array {
                Construct::ParameterElement
            } else {
                Construct::ParameterVariable
            });
            if self.uses.input {
                self.mark(Construct::ParameterInput);
            }
            return text;
        }
        if kind < 7 {
            self.mark(Construct::ParameterConstant);
            return self.constant(ty).text;
        }
        self.mark(Construct::ParameterExpression);
        let value = self.value(ty, at, 2);
        if self.uses.input {
            self.mark(Construct::ParameterInput);
        }
        if self.uses.next {
            self.mark(Construct::ParameterNext);
        }
        value.text
    }
}
