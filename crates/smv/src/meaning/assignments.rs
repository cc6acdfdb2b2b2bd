//! Assignments: their targets, single assignment, and processes.
//!
//! A `next` assignment belongs to the nearest enclosing process. In a model with processes, the
//! next value of a variable is that of the running process if it assigns the variable; otherwise
//! the variable keeps its value. A variable without any `next` assignment stays free.

use kermode_base::Diagnostic;
use rustc_hash::FxHashMap;

use super::evaluate::Context;
use super::messages::called;
use super::operators::common;
use super::scope::{InstanceId, Lookup, Operand, Slot};
use super::{Flattener, Unusable};
use crate::flat::{
    Assigned, Assignment, Features, FlatBinary, FlatExpression, FlatTerm, Type, Value, VariableId,
};
use crate::syntax::{AssignmentKind, Expression, Item, Span, Syntax, VariableKind};

/// An assignment to a scalar variable.
struct Written {
    process: InstanceId,
    value: FlatExpression,
    /// The right side.
    span: Span,
    /// The whole assignment.
    whole: Span,
}

impl Written {
    fn assigned(&self) -> Assigned {
        Assigned { value: self.value, span: self.span, process: self.process.0 }
    }
}

impl<'f> Flattener<'f> {
    pub(super) fn flatten_assignments<E>(
        &mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), Unusable<E>> {
        let mut written: FxHashMap<(VariableId, AssignmentKind), usize> = FxHashMap::default();
        let mut all: Vec<(VariableId, AssignmentKind, Vec<Written>)> = Vec::new();
        self.for_each_item(interrupt, &mut |flattener, instance, _, item| {
            let &Item::Assignment { kind, target, value } = item else { return };
            let operand = flattener.target(instance, target, kind);
            let context = Context::of_assignment(kind);
            let right = flattener.evaluate(instance, value, context);
            let (Some(operand), process) = (operand, flattener.instance(instance).process) else {
                return;
            };
            let whole = flattener.span(target).to(flattener.span(value));
            flattener.pair_up(operand, right, value, &mut |flattener, variable, right| {
                let span = flattener.span(value);
                let new = Written { process, value: right, span, whole };
                let place = *written.entry((variable, kind)).or_insert_with(|| {
                    all.push((variable, kind, Vec::new()));
                    all.len() - 1
                });
                flattener.add(variable, kind, &mut all[place].2, new);
            });
        })?;
        self.check_kinds(&all, &written);
        for (variable, kind, written) in all {
            let assignment = self.composed(variable, kind, written);
            self.model.assignments.push(assignment);
        }
        Ok(())
    }

    /// The variables on the left of an assignment, if they may be assigned.
    fn target(
        &mut self,
        instance: InstanceId,
        target: Expression,
        kind: AssignmentKind,
    ) -> Option<Operand> {
        let (span, text) = (self.span(target), self.source(self.span(target)));
        let operand = match self.target_of(instance, target) {
            Ok(operand) => operand,
            Err(None) => return None,
            Err(Some(problem)) => {
                let message = format!("`{text}` cannot be assigned");
                self.report(Diagnostic::error(span.range(), message).label(problem).help(
                    "the left side of `:=` is a state variable, or a parameter that stands for one",
                ));
                return None;
            }
        };
        let mut todo = vec![operand];
        while let Some(operand) = todo.pop() {
            match operand {
                Operand::Array(array) => todo.extend(&self.arrays[array.0 as usize].elements),
                Operand::Scalar(scalar) => {
                    let FlatTerm::Variable(variable) = self.model.expressions.term(scalar) else {
                        let message = format!("`{text}` cannot be assigned");
                        let error = Diagnostic::error(span.range(), message);
                        self.report(
                            error.label("not a variable").help("only state variables, and elements of arrays with a constant index, are assigned"),
                        );
                        return None;
                    };
                    let (problem, remedy) = match (self.model.variable(variable).kind, kind) {
                        (VariableKind::Input, _) => (
                            "an input variable",
                            "inputs are chosen freely in every step: use VAR instead of IVAR",
                        ),
                        (VariableKind::Frozen, AssignmentKind::Current | AssignmentKind::Next) => (
                            "a frozen variable",
                            "a frozen variable keeps its value: only `init` can be assigned",
                        ),
                        _ => continue,
                    };
                    let message = format!("`{text}` cannot be assigned");
                    let error = Diagnostic::error(span.range(), message);
                    self.report(error.label(problem).help(remedy));
                    return None;
                }
                _ => return None,
            }
        }
        Some(operand)
    }

    fn source(&self, span: Span) -> &'f str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// What the left side denotes. Parameters are followed; definitions cannot be assigned. The
    /// error is the reason, or nothing if it was reported.
    fn target_of(
        &mut self,
        instance: InstanceId,
        target: Expression,
    ) -> Result<Operand, Option<&'static str>> {
        let (mut instance, mut target) = (instance, target);
        let whole = (instance, target);
        let simple = Context::of_assignment(AssignmentKind::Next);
        loop {
            let found = match self.file.node(target.root) {
                Syntax::Name(name) => self.look_up(instance, name),
                Syntax::Component(base, name) => {
                    let base = Expression { first: target.first, root: base };
                    match self.evaluate(instance, base, Context::PREFIX) {
                        Operand::Instance(home) => self.look_up(home, name),
                        Operand::Path(path) => {
                            let (home, begin) = &self.paths[path as usize];
                            let whole = format!("{begin}.{}", self.name(name));
                            match self.file.names.find(&whole) {
                                Some(whole) => self.look_up(*home, whole),
                                None => Lookup::Nothing,
                            }
                        }
                        _ => Lookup::Nothing,
                    }
                }
                // The base may not be a definition either.
                Syntax::Index(base, _) => {
                    target = Expression { first: target.first, root: base };
                    continue;
                }
                Syntax::Bits(..) => return Err(Some("bits of a word cannot be assigned")),
                Syntax::SelfInstance => return Err(Some("an instance")),
                _ => return Err(Some("an expression, not a variable")),
            };
            match found {
                Lookup::Parameter(cell) => {
                    let cell = self.cells[cell.0 as usize];
                    (instance, target) = (cell.instance, cell.expression);
                }
                Lookup::Slot(Slot::Define(_)) => return Err(Some("a definition")),
                Lookup::Slot(Slot::Constant(_)) => return Err(Some("it has one value only")),
                Lookup::Slot(Slot::Instance(_)) => return Err(Some("an instance")),
                Lookup::Slot(_) | Lookup::Nothing => break,
            }
        }
        let (instance, target) = whole;
        match self.evaluate(instance, target, simple) {
            Operand::Error => Err(None),
            Operand::Instance(_) => Err(Some("an instance")),
            Operand::Path(path) => {
                self.scalar(Operand::Path(path), target.root);
                Err(None)
            }
            operand => Ok(operand),
        }
    }

    /// Matches variables with values, element by element for arrays, and checks their types.
    fn pair_up(
        &mut self,
        target: Operand,
        value: Operand,
        right: Expression,
        assign: &mut dyn FnMut(&mut Self, VariableId, FlatExpression),
    ) {
        let mut todo = vec![(target, value)];
        while let Some(pair) = todo.pop() {
            match pair {
                (_, Operand::Error) | (Operand::Error, _) => return,
                (Operand::Array(target), Operand::Array(value)) => {
                    let [target, value] = [target, value].map(|a| &self.arrays[a.0 as usize]);
                    if (target.low, target.elements.len()) != (value.low, value.elements.len()) {
                        let span = self.span(right);
                        let error =
                            Diagnostic::error(span.range(), "the arrays have different bounds")
                                .label("elements without partner");
                        self.report(error.help(
                            "an array is assigned as a whole only from one with the same bounds",
                        ));
                        return;
                    }
                    let pairs = target.elements.iter().copied().zip(value.elements.iter().copied());
                    todo.extend(pairs.rev());
                }
                (Operand::Scalar(target), value) => {
                    let FlatTerm::Variable(variable) = self.model.expressions.term(target) else {
                        return;
                    };
                    let Some(value) = self.scalar(value, right.root) else { return };
                    if self.is_assignable(variable, value, right) {
                        assign(self, variable, value);
                    }
                }
                (Operand::Array(_), _) => {
                    let span = self.span(right);
                    let error = Diagnostic::error(
                        span.range(),
                        "an array cannot be assigned a single value",
                    );
                    self.report(error.label("type error").help("assign the elements one by one"));
                    return;
                }
                _ => return,
            }
        }
    }

    fn is_assignable(
        &mut self,
        variable: VariableId,
        value: FlatExpression,
        right: Expression,
    ) -> bool {
        let (own, ty) = (self.model.variable(variable).domain.ty(), self.ty(value));
        let element = ty.element();
        if element == own || own == Type::Mixed && common(own, element).is_some() {
            return true;
        }
        let name = &self.model.variable(variable).name;
        let message = format!("`{name}` is {}, and it is assigned {}", called(own), called(ty));
        let help = match (own, element) {
            (Type::Boolean, Type::Integer) => {
                "Boolean values are `TRUE` and `FALSE`; `bool` converts"
            }
            (Type::Integer, Type::Boolean) => "`toint` converts a Boolean value",
            (Type::Word { .. }, Type::Integer) => {
                "write a word literal such as `0ud8_5`, or use `uwconst`"
            }
            (Type::Word { .. }, Type::Word { .. }) => {
                "`resize`, `signed` and `unsigned` convert words"
            }
            _ => "the value must have the type of the variable",
        };
        let span = self.span(right);
        self.report(Diagnostic::error(span.range(), message).label("type error").help(help));
        false
    }

    /// Adds an assignment unless it is the second one of its process.
    fn add(
        &mut self,
        variable: VariableId,
        kind: AssignmentKind,
        written: &mut Vec<Written>,
        new: Written,
    ) {
        let has_processes = self.selector.is_some() && kind == AssignmentKind::Next;
        let second = written.iter().find(|old| !has_processes || old.process == new.process);
        if let Some(old) = second {
            let (line, _) = self.place(old.whole);
            let name = &self.model.variable(variable).name;
            let message = format!("{} is assigned twice", spelled(kind, name));
            let error = Diagnostic::error(new.whole.range(), message);
            self.report(match old.whole == new.whole {
                true => error
                    .label("two instances of this module assign the same variable")
                    .help("give each instance a variable of its own, or assign it in the parent"),
                false => error
                    .label(format!("assigned before, in line {line}"))
                    .help("join the assignments by `case`, or remove one of them"),
            });
            return;
        }
        written.push(new);
    }

    /// A variable with a current assignment has no other.
    fn check_kinds(
        &mut self,
        all: &[(VariableId, AssignmentKind, Vec<Written>)],
        written: &FxHashMap<(VariableId, AssignmentKind), usize>,
    ) {
        for (variable, kind, current) in all {
            if *kind != AssignmentKind::Current {
                continue;
            }
            for other in [AssignmentKind::Init, AssignmentKind::Next] {
                let Some(&place) = written.get(&(*variable, other)) else { continue };
                let (Some(current), Some(other_place)) = (current.first(), all[place].2.first())
                else {
                    continue;
                };
                let name = &self.model.variable(*variable).name;
                let (line, _) = self.place(other_place.whole);
                let message =
                    format!("`{name}` is assigned as a whole, and {} too", spelled(other, name));
                self.report(
                    Diagnostic::error(current.whole.range(), message)
                        .label(format!("the other assignment is in line {line}"))
                        .help(format!(
                            "`{name} := ..` fixes the value in all states: remove one of them"
                        )),
                );
            }
        }
    }

    /// The assignment of a variable, depending on the running process if there are processes.
    fn composed(
        &mut self,
        variable: VariableId,
        kind: AssignmentKind,
        written: Vec<Written>,
    ) -> Assignment {
        let assigned: Vec<Assigned> = written.iter().map(Written::assigned).collect();
        let value = match &self.selector {
            Some((selector, symbols)) if kind == AssignmentKind::Next => {
                let selector = *selector;
                let symbols: Vec<_> = written.iter().map(|w| symbols[&w.process]).collect();
                let domain = self.model.variable(variable).domain.ty();
                let is_input = false;
                let expressions = &mut self.model.expressions;
                let running = expressions.variable(selector, Type::Symbolic, true);
                let mut value = expressions.variable(variable, domain, is_input);
                for (written, symbol) in written.iter().zip(symbols).rev() {
                    let process = expressions.constant(Value::Symbol(symbol));
                    let term = FlatTerm::Binary(FlatBinary::Equal, running, process);
                    let is_running = expressions.intern(term, Type::Boolean);
                    let types = (expressions.ty(written.value), expressions.ty(value));
                    let ty = common(types.0, types.1).unwrap_or(types.0);
                    let term = FlatTerm::IfThenElse(is_running, written.value, value);
                    value = expressions.intern(term, ty);
                }
                value
            }
            _ => written[0].value,
        };
        Assignment { kind, variable, value, assigned }
    }
}

impl Context {
    fn of_assignment(kind: AssignmentKind) -> Context {
        let (place, allowed) = match kind {
            AssignmentKind::Current => ("an assignment `x := ..`", Features::STATE),
            AssignmentKind::Init => ("an assignment `init(x) := ..`", Features::STATE),
            AssignmentKind::Next => (
                "an assignment `next(x) := ..`",
                Features::STATE.with(Features::INPUT).with(Features::NEXT),
            ),
        };
        Context { place, allowed, is_property: false, is_prefix: false }
    }
}

/// The left side of an assignment to a variable.
fn spelled(kind: AssignmentKind, name: &str) -> String {
    match kind {
        AssignmentKind::Current => format!("`{name}`"),
        AssignmentKind::Init => format!("`init({name})`"),
        AssignmentKind::Next => format!("`next({name})`"),
    }
}
