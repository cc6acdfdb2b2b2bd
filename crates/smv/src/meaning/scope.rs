//! Instances and what their names denote.

use super::Flattener;
use super::modules::Local;
use crate::flat::{FlatExpression, VariableId};
use crate::syntax::{Expression, Name};

/// An instance, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct InstanceId(pub(super) u32);

impl InstanceId {
    pub(super) const MAIN: InstanceId = InstanceId(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An instance of a module.
pub(super) struct Instance {
    /// The index of the module.
    pub(super) module: usize,
    /// The full name; empty for `main`.
    pub(super) path: String,
    /// The first of its slots.
    pub(super) slots: usize,
    /// The first of the cells of its parameters.
    pub(super) parameters: usize,
    /// The nearest enclosing process: itself if it is one.
    pub(super) process: InstanceId,
}

/// What a declared name of an instance denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// Its declaration was not reached yet.
    Later,
    Variable(VariableId),
    /// A variable of an array type.
    Array(ArrayId),
    /// A variable with one value.
    Constant(FlatExpression),
    /// A definition.
    Define(CellId),
    Instance(InstanceId),
    /// Its declaration is wrong, which was reported.
    Error,
}

/// An array value, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ArrayId(pub(super) u32);

/// The elements of an array, which are scalars or arrays.
#[derive(Clone, Debug)]
pub(super) struct ArrayValue {
    /// The index of the first element.
    pub(super) low: i32,
    pub(super) elements: Vec<Operand>,
}

/// A definition or an actual parameter, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellId(pub(super) u32);

/// An expression that is flattened when it is first used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// Where its names are looked up.
    pub(super) instance: InstanceId,
    pub(super) expression: Expression,
    pub(super) state: CellState,
}

/// How far a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellState {
    New,
    /// It is being flattened: another use of it is circular.
    Active,
    Done(Operand),
}

/// The value of an expression during flattening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// A scalar or a set.
    Scalar(FlatExpression),
    Array(ArrayId),
    Instance(InstanceId),
    /// The beginning of a name with suffixes, by its index in the paths.
    Path(u32),
    /// An error was reported.
    Error,
}

/// The result of looking up a name.
pub(super) enum Lookup {
    Slot(Slot),
    Parameter(CellId),
    Nothing,
}

impl Flattener<'_> {
    pub(super) fn instance(&self, instance: InstanceId) -> &Instance {
        &self.instances[instance.index()]
    }

    pub(super) fn array(&mut self, low: i32, elements: Vec<Operand>) -> ArrayId {
        self.arrays.push(ArrayValue { low, elements });
        ArrayId(self.arrays.len() as u32 - 1)
    }

    pub(super) fn cell(&mut self, instance: InstanceId, expression: Expression) -> CellId {
        self.cells.push(Cell { instance, expression, state: CellState::New });
        CellId(self.cells.len() as u32 - 1)
    }

    /// What a name denotes in an instance, without symbolic constants.
    pub(super) fn look_up(&self, instance: InstanceId, name: Name) -> Lookup {
        let Instance { module, slots, parameters, .. } = *self.instance(instance);
        let table = self.tables[module].as_ref();
        match table.and_then(|table| table.locals.get(&name)) {
            Some(&Local::Slot(slot)) => Lookup::Slot(self.slots[slots + slot]),
            Some(&Local::Parameter(parameter)) => {
                Lookup::Parameter(CellId((parameters + parameter) as u32))
            }
            None if self.extra.is_empty() => Lookup::Nothing,
            None => match self.extra.get(&(instance, name)) {
                Some(&slot) => Lookup::Slot(slot),
                None => Lookup::Nothing,
            },
        }
    }

    /// The full name of something that is declared in an instance.
    pub(super) fn full_name(&self, instance: InstanceId, name: &str) -> String {
        match self.instance(instance).path.as_str() {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        }
    }

    /// How messages call an instance.
    pub(super) fn called(&self, instance: InstanceId) -> String {
        let Instance { module, path, .. } = self.instance(instance);
        let module = self.name(self.file.modules[*module].name);
        match path.as_str() {
            "" => "`main`".to_owned(),
            path => format!("`{path}`, an instance of `{module}`"),
        }
    }
}
