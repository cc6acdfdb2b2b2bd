//! The meaning of a syntax tree: names, types, instances and processes, as a flat model.
//!
//! 1. `modules`: which modules are in use, and what each of them declares.
//! 2. `instances`: the hierarchy from `main` down, with its variables.
//! 3. `evaluate`: expressions in the context of an instance, with the types of `operators`.
//! 4. `assignments`: single assignment, processes, circular dependencies.
//! 5. `properties`: specifications.
//! 6. `listing`: variables and definitions in the order of NuSMV's traces.
//! 7. `warnings`: what is legal and perhaps not meant.
//!
//! Work is linear in the flat model: the body of a definition and an actual parameter are flattened
//! once per instance, and every use shares the result. Nothing recurses over the input.

mod assignments;
mod circular;
mod evaluate;
mod instances;
mod listing;
mod messages;
mod modules;
mod operators;
mod overflow;
mod properties;
mod scope;
mod sections;
mod selection;
mod warnings;

use kermode_base::{Diagnostic, Severity};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::flat::{FlatExpression, FlatModel, Symbol, VariableId};
use crate::interpreter::Constants;
use crate::syntax::{Expression, ExpressionKind, File, Name, Span};
use evaluate::Context;
use modules::ModuleTable;
use scope::{ArrayValue, Cell, CellId, Instance, InstanceId, Operand, Slot};

/// Flattening stopped before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable<E> {
    /// The model has errors. Warnings may be among them.
    Wrong(Vec<Diagnostic>),
    /// The caller interrupted.
    Stopped(E),
}

impl<E> From<E> for Unusable<E> {
    fn from(stop: E) -> Self {
        Unusable::Stopped(stop)
    }
}

/// After this many errors flattening stops.
const MOST_ERRORS: usize = 20;

/// The flat model of a file without syntax errors, and warnings.
pub fn flatten<E>(
    text: &str,
    file: &File,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<(FlatModel, Vec<Diagnostic>), Unusable<E>> {
    let mut flattener = Flattener::new(text, file);
    flattener.run(interrupt)?;
    let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
    if flattener.diagnostics.iter().any(is_error) {
        flattener.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        return Err(Unusable::Wrong(flattener.diagnostics));
    }
    Ok((flattener.model, flattener.diagnostics))
}

/// A Boolean expression over the names of `main` that does not stand in the model.
#[derive(Clone, Copy, Debug)]
pub struct TypedExpression<'t> {
    /// The text to which the places of the expression refer.
    pub text: &'t str,
    /// The expression, as a part of the file of the model.
    pub expression: Expression,
    /// What may occur in it.
    pub kind: ExpressionKind,
}

/// The expressions that were flattened, or the diagnostics of their texts.
pub type Flattened = Vec<Result<FlatExpression, Vec<Diagnostic>>>;

/// The flat model of a file, with further expressions. The model itself has no errors.
pub fn flatten_with<E>(
    text: &str,
    file: &File,
    added: &[TypedExpression],
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<(FlatModel, Flattened), Unusable<E>> {
    let mut flattener = Flattener::new(text, file);
    flattener.run(interrupt)?;
    let mut flattened = Vec::with_capacity(added.len());
    for typed in added {
        flattener.diagnostics.clear();
        flattener.reported.clear();
        flattener.errors = 0;
        flattener.text = typed.text;
        let context = Context::of_expression(typed.kind);
        let condition = flattener.condition(InstanceId::MAIN, typed.expression, context);
        flattened.push(condition.ok_or_else(|| std::mem::take(&mut flattener.diagnostics)));
    }
    Ok((flattener.model, flattened))
}

/// The state of flattening.
struct Flattener<'f> {
    text: &'f str,
    file: &'f File,
    model: FlatModel,
    diagnostics: Vec<Diagnostic>,
    /// The places of diagnostics that were reported: an error in a module is reported once.
    reported: FxHashSet<(Span, String)>,
    errors: usize,
    /// The modules by name.
    modules: FxHashMap<Name, usize>,
    /// What the modules in use declare, by the index of the module.
    tables: Vec<Option<ModuleTable<'f>>>,
    /// The symbolic constants of the modules in use, with the first place of each.
    symbols: FxHashMap<Name, (Symbol, Span)>,
    instances: Vec<Instance>,
    /// The declared names of all instances, in the order of the tables of their modules.
    slots: Vec<Slot>,
    /// Names that are declared in an instance from outside of its module, or with suffixes.
    extra: FxHashMap<(InstanceId, Name), Slot>,
    /// Definitions and actual parameters.
    cells: Vec<Cell>,
    arrays: Vec<ArrayValue>,
    /// Beginnings of names with suffixes that are not declared by themselves.
    paths: Vec<(InstanceId, String)>,
    /// The values of the nodes of expressions that are being flattened.
    values: Vec<Operand>,
    constants: Constants,
    /// The variable that selects the running process, if there are processes.
    selector: Option<(VariableId, FxHashMap<InstanceId, Symbol>)>,
    /// The names `running` and `main`, if the file has them.
    running: Option<Name>,
    /// Whether the hierarchy is complete.
    has_all_instances: bool,
    /// Elements with suffixed names whose first name is an instance that is created later.
    postponed: Vec<(InstanceId, usize)>,
    /// The definitions whose names have suffixes, by the instance and the name as it is written.
    suffixed: FxHashMap<(InstanceId, Name), CellId>,
    /// The number of array elements created so far.
    elements: usize,
    /// The intervals of integer operands.
    intervals: FxHashMap<FlatExpression, overflow::Interval>,
}

impl<'f> Flattener<'f> {
    fn new(text: &'f str, file: &'f File) -> Self {
        Flattener {
            text,
            file,
            model: FlatModel::default(),
            diagnostics: Vec::new(),
            reported: FxHashSet::default(),
            errors: 0,
            modules: FxHashMap::default(),
            tables: Vec::new(),
            symbols: FxHashMap::default(),
            instances: Vec::new(),
            slots: Vec::new(),
            extra: FxHashMap::default(),
            cells: Vec::new(),
            arrays: Vec::new(),
            paths: Vec::new(),
            values: Vec::new(),
            constants: Constants::default(),
            selector: None,
            running: file.names.find("running"),
            has_all_instances: false,
            postponed: Vec::new(),
            suffixed: FxHashMap::default(),
            elements: 0,
            intervals: FxHashMap::default(),
        }
    }

    fn run<E>(&mut self, interrupt: &mut dyn FnMut() -> Result<(), E>) -> Result<(), Unusable<E>> {
        let Some(main) = self.read_modules() else { return Ok(()) };
        self.create_instances(main, interrupt)?;
        if self.errors > 0 {
            return Ok(());
        }
        self.check_symbols();
        self.flatten_definitions(interrupt)?;
        self.flatten_constraints(interrupt)?;
        self.flatten_assignments(interrupt)?;
        self.flatten_properties(interrupt)?;
        if self.errors == 0 {
            self.find_circular_assignments(interrupt)?;
        }
        if self.errors == 0 {
            self.list(interrupt)?;
            self.warn();
        }
        Ok(())
    }

    /// Whether so many errors were found that more would not help.
    fn has_enough(&self) -> bool {
        self.errors >= MOST_ERRORS
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        let span = Span::new(diagnostic.span.start, diagnostic.span.end);
        if !self.reported.insert((span, diagnostic.message.clone())) {
            return;
        }
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
            if self.errors > MOST_ERRORS {
                return;
            }
        }
        self.diagnostics.push(diagnostic);
    }

    /// Reports an error, and returns the operand that stands for it.
    fn wrong(&mut self, diagnostic: Diagnostic) -> Operand {
        self.report(diagnostic);
        Operand::Error
    }

    /// The text of a name.
    fn name(&self, name: Name) -> &'f str {
        self.file.names.text(name)
    }

    /// The place of an expression.
    fn span(&self, expression: Expression) -> Span {
        self.file.span(expression.root)
    }
}
