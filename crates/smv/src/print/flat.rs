//! A flat model as one module.
//!
//! Variables and definitions keep their full names, which may be declared as they are. Expressions
//! that are shared get definitions `shared_1`, `shared_2` and so on. A symbolic constant that is no
//! identifier, such as the name of a process in an instance, is put between quotation marks.

use std::convert::Infallible;
use std::fmt::Write;

use kermode_base::components_of_edges;
use rustc_hash::{FxHashMap, FxHashSet};

use super::expressions::Printer;
use super::sharing::shared;
use crate::flat::expression::Below;
use crate::flat::{
    Domain, Features, FlatExpression, FlatModel, FlatTerm, FlatVariable, Property, Value,
};
use crate::syntax::{AssignmentKind, ConstraintKind, PropertyKind, VariableKind};

/// The text of a model. Properties in PSL are left out: a comment says so.
pub fn flat_text(model: &FlatModel) -> String {
    let mut taken: FxHashSet<&str> = model.variables.iter().map(|v| v.name.as_str()).collect();
    taken.extend(model.definitions.iter().map(|definition| definition.name.as_str()));
    let symbols = symbol_texts(model, &taken);
    taken.extend(symbols.iter().map(String::as_str));
    let (names, extra) = names(model, &taken);
    let printer = Printer { model, names, symbols: symbols.clone() };
    let mut text = "MODULE main\n".to_owned();
    let mut writer = Writer { printer: &printer, text: &mut text };
    writer.variables();
    writer.constants();
    writer.definitions(&extra);
    writer.assignments();
    writer.constraints();
    writer.properties();
    text
}

/// The texts of symbolic constants: different from each other and from all declared names.
fn symbol_texts(model: &FlatModel, taken: &FxHashSet<&str>) -> Vec<String> {
    let all: FxHashSet<&str> = model.symbols.iter().map(String::as_str).collect();
    let mut texts = Vec::with_capacity(all.len());
    for symbol in &model.symbols {
        let mut text = symbol.clone();
        if !is_identifier(symbol) || taken.contains(symbol.as_str()) {
            let inner = symbol.replace('"', "'");
            text = format!("\"{inner}\"");
            for number in 2.. {
                if !taken.contains(text.as_str()) && !all.contains(text.as_str()) {
                    break;
                }
                text = format!("\"{inner} {number}\"");
            }
        }
        texts.push(text);
    }
    texts
}

/// Whether a text is one token: an identifier, or any text between quotation marks.
fn is_identifier(text: &str) -> bool {
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_$#-".contains(c);
    let quoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match quoted {
        Some(inner) => !inner.contains('"'),
        None => text.starts_with(is_start) && text.chars().all(is_part),
    }
}

/// The names of expressions: those of the first definition with that body, or new ones. The second
/// part has the expressions with new names.
fn names(
    model: &FlatModel,
    taken: &FxHashSet<&str>,
) -> (FxHashMap<FlatExpression, String>, Vec<FlatExpression>) {
    let mut bodies: FxHashMap<FlatExpression, &str> = FxHashMap::default();
    for definition in &model.definitions {
        bodies.entry(definition.body).or_insert(&definition.name);
    }
    let (mut names, mut extra, mut number) = (FxHashMap::default(), Vec::new(), 0);
    for expression in shared(&model.expressions, &roots(model), |e| bodies.contains_key(&e)) {
        if let Some(&name) = bodies.get(&expression) {
            names.insert(expression, name.to_owned());
            continue;
        }
        let mut name = String::new();
        while name.is_empty() || taken.contains(name.as_str()) {
            number += 1;
            name = format!("shared_{number}");
        }
        names.insert(expression, name);
        extra.push(expression);
    }
    (names, extra)
}

/// All expressions of a model that are written.
fn roots(model: &FlatModel) -> Vec<FlatExpression> {
    let mut roots: Vec<FlatExpression> = Vec::new();
    roots.extend(model.definitions.iter().map(|definition| definition.body));
    roots.extend(model.assignments.iter().map(|assignment| assignment.value));
    roots.extend(model.constraints.iter().map(|constraint| constraint.condition));
    roots.extend(model.compassion.iter().flat_map(|&(p, q, _)| [p, q]));
    roots.extend(model.properties.iter().flat_map(|property| property.operands.iter().copied()));
    roots
}

struct Writer<'a, 'm> {
    printer: &'a Printer<'m>,
    text: &'a mut String,
}

impl Writer<'_, '_> {
    /// Adds a line. Writing into a string does not fail.
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        let written = self.text.write_fmt(line).and_then(|()| self.text.write_char('\n'));
        debug_assert!(written.is_ok());
    }

    fn variables(&mut self) {
        let mut section = None;
        for variable in &self.printer.model.variables {
            if section != Some(variable.kind) {
                section = Some(variable.kind);
                self.line(format_args!(
                    "{}",
                    match variable.kind {
                        VariableKind::State => "VAR",
                        VariableKind::Input => "IVAR",
                        VariableKind::Frozen => "FROZENVAR",
                    }
                ));
            }
            let ty = self.domain(variable);
            self.line(format_args!("  {} : {ty};", variable.name));
        }
    }

    fn domain(&self, variable: &FlatVariable) -> String {
        let value = |value| self.printer.value(value);
        match &variable.domain {
            Domain::Boolean => "boolean".to_owned(),
            &Domain::Range(low, high) => {
                format!("{}..{}", value(Value::Integer(low)), value(Value::Integer(high)))
            }
            Domain::Enumeration(values) => {
                let values: Vec<_> = values.iter().copied().map(value).collect();
                format!("{{{}}}", values.join(", "))
            }
            Domain::Word { signed, width } => {
                format!("{} word[{width}]", if *signed { "signed" } else { "unsigned" })
            }
        }
    }

    /// The symbolic constants that are values of no variable.
    fn constants(&mut self) {
        let model = self.printer.model;
        let mut is_value = vec![false; model.symbols.len()];
        for variable in &model.variables {
            let Domain::Enumeration(values) = &variable.domain else { continue };
            for value in values {
                if let Value::Symbol(symbol) = value {
                    is_value[symbol.0 as usize] = true;
                }
            }
        }
        let texts = self.printer.symbols.iter().zip(is_value);
        let others: Vec<_> =
            texts.filter(|(_, is_value)| !is_value).map(|(text, _)| text.as_str()).collect();
        if !others.is_empty() {
            self.line(format_args!("CONSTANTS\n  {};", others.join(", ")));
        }
    }

    fn definitions(&mut self, extra: &[FlatExpression]) {
        let Printer { model, names, .. } = self.printer;
        if model.definitions.is_empty() && extra.is_empty() {
            return;
        }
        self.line(format_args!("DEFINE"));
        for definition in &model.definitions {
            let is_own = names.get(&definition.body).is_some_and(|name| *name == definition.name);
            let body = definition.body;
            let text = if is_own { self.printer.body(body) } else { self.printer.text(body) };
            self.line(format_args!("  {} := {text};", definition.name));
        }
        for expression in extra {
            let text = self.printer.body(*expression);
            self.line(format_args!("  {} := {text};", names[expression]));
        }
    }

    fn assignments(&mut self) {
        let model = self.printer.model;
        let circular = circular_assignments(model);
        let numbered = model.assignments.iter().enumerate();
        let (conditions, assignments): (Vec<_>, Vec<_>) =
            numbered.partition(|(number, _)| circular.contains(number));
        if !assignments.is_empty() {
            self.line(format_args!("ASSIGN"));
        }
        for (_, assignment) in assignments {
            let name = &model.variable(assignment.variable).name;
            let target = match assignment.kind {
                AssignmentKind::Current => name.clone(),
                AssignmentKind::Init => format!("init({name})"),
                AssignmentKind::Next => format!("next({name})"),
            };
            let value = self.printer.text(assignment.value);
            self.line(format_args!("  {target} := {value};"));
        }
        for (_, assignment) in conditions {
            let name = &model.variable(assignment.variable).name;
            let operator = if model.expressions.ty(assignment.value).is_set() { "in" } else { "=" };
            let value = self.printer.text(assignment.value);
            self.line(format_args!("TRANS next({name}) {operator} ({value});"));
        }
    }

    fn constraints(&mut self) {
        let model = self.printer.model;
        for constraint in &model.constraints {
            let keyword = match constraint.kind {
                ConstraintKind::Init => "INIT",
                ConstraintKind::Invar => "INVAR",
                ConstraintKind::Trans => "TRANS",
                ConstraintKind::Justice => "JUSTICE",
            };
            // Top-level conjunctions do not mask failures in each other, but named ones do.
            let may_fail = model.expressions.features(constraint.condition).has(Features::MAY_FAIL);
            let condition = if may_fail {
                self.printer.conjunction(constraint.condition)
            } else {
                self.printer.text(constraint.condition)
            };
            self.line(format_args!("{keyword} {condition};"));
        }
        for &(p, q, _) in &model.compassion {
            let (p, q) = (self.printer.text(p), self.printer.text(q));
            self.line(format_args!("COMPASSION ({p}, {q});"));
        }
    }

    fn properties(&mut self) {
        for property in &self.printer.model.properties {
            let line = property_line(self.printer, property);
            self.line(format_args!("{line}"));
        }
    }
}

/// A property as a line of the text.
pub(super) fn property_line(printer: &Printer, property: &Property) -> String {
    let keyword = match property.kind {
        PropertyKind::Psl => return "-- A PSLSPEC is left out here.".to_owned(),
        kind => kind.keyword(),
    };
    let name = property.name.as_ref().map(|name| format!(" NAME {name} :="));
    let operands: Vec<_> = property.operands.iter().map(|&operand| printer.text(operand)).collect();
    let formula = match property.kind {
        PropertyKind::ComputeMin => format!("MIN [{}]", operands.join(", ")),
        PropertyKind::ComputeMax => format!("MAX [{}]", operands.join(", ")),
        _ => operands.join(", "),
    };
    format!("{keyword}{} {formula};", name.unwrap_or_default())
}

/// The assignments that are written as `TRANS`, by their indices. The right sides of several
/// processes are joined in one, and joined they may depend on each other's next values, which
/// assignments may not.
fn circular_assignments(model: &FlatModel) -> FxHashSet<usize> {
    if model.process_selector.is_none() {
        return FxHashSet::default();
    }
    let expressions = &model.expressions;
    let mut edges = Vec::new();
    for assignment in model.assignments.iter().filter(|a| a.kind == AssignmentKind::Next) {
        let mut under_next = Vec::new();
        for expression in Below::of(expressions, &[assignment.value]).iter() {
            if let FlatTerm::Next(operand) = expressions.term(expression) {
                under_next.push(operand);
            }
        }
        for expression in Below::of(expressions, &under_next).iter() {
            if let FlatTerm::Variable(read) = expressions.term(expression) {
                edges.push((assignment.variable.index(), read.index()));
            }
        }
    }
    let never = &mut || Ok::<(), Infallible>(());
    let Ok(component) = components_of_edges(model.variables.len(), edges.iter().copied(), never);
    let is_circular: FxHashSet<usize> = edges
        .iter()
        .filter(|&&(from, to)| component[from] == component[to])
        .map(|&(from, _)| from)
        .collect();
    let numbered = model.assignments.iter().enumerate();
    numbered
        .filter(|(_, a)| {
            a.kind == AssignmentKind::Next && is_circular.contains(&a.variable.index())
        })
        .map(|(number, _)| number)
        .collect()
}
