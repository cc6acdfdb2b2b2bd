//! Expressions in SMV, with names for shared parts.
//!
//! The text of an expression has the size of its tree, and the graph may be exponentially smaller.
//! So an expression that has a name is written as this name, and one step later as `next` of it. An
//! unnamed expression that is used more than once gets a name. Then all texts together are linear
//! in the graph.

use rustc_hash::FxHashMap;

use super::identifiers::identifiers;
use crate::graph::{Below, Expression, Graph, Term};
use crate::system::{Definition, System};

/// A system's names in SMV, and the texts of its expressions.
pub(super) struct Writer<'a> {
    graph: &'a Graph,
    /// The names of the system's variables, in its order.
    pub(super) variables: Vec<String>,
    /// By the index of the variable in the graph.
    identifiers: FxHashMap<usize, usize>,
    /// The names of expressions.
    names: FxHashMap<Expression, String>,
    /// The definitions, operands first.
    definitions: Vec<(String, Expression)>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(graph: &'a mut Graph, system: &System) -> Self {
        let defined = system.definitions();
        let plain = |d: &&Definition| !graph.looks_ahead(d.expression);
        let now: Vec<Expression> = defined.iter().filter(plain).map(|d| d.expression).collect();
        let later = graph.shift(&now);
        let graph: &Graph = graph;
        let mut names: Vec<&str> = system.variables().iter().map(|&v| graph.name(v)).collect();
        names.extend(defined.iter().map(|definition| definition.name.as_str()));
        let mut variables = identifiers(&names);
        let chosen = variables.split_off(system.variables().len());
        let places = system.variables().iter().enumerate();
        let identifiers = places.map(|(place, variable)| (variable.index(), place)).collect();
        let mut writer = Writer {
            graph,
            variables,
            identifiers,
            names: FxHashMap::default(),
            definitions: Vec::new(),
        };
        for (definition, name) in defined.iter().zip(chosen) {
            writer.names.entry(definition.expression).or_insert_with(|| name.clone());
            writer.definitions.push((name, definition.expression));
        }
        for (now, later) in now.into_iter().zip(later) {
            let name = format!("next({})", writer.names[&now]);
            writer.names.entry(later).or_insert(name);
        }
        writer.name_what_is_shared(system);
        writer
    }

    /// Names expressions that are written more than once.
    fn name_what_is_shared(&mut self, system: &System) {
        let mut roots = system.constraints();
        roots.extend(self.definitions.iter().map(|&(_, expression)| expression));
        let below = Below::of(self.graph, &roots);
        let mut uses = vec![0; below.len()];
        // Users come before their operands, so that the operands of a named expression are counted
        // once.
        roots.iter().for_each(|&root| uses[below.position(root)] += 1);
        for expression in below.iter().rev() {
            let is_written = uses[below.position(expression)] > 0;
            let by_name = self.names.get(&expression).is_some_and(|name| name.starts_with("next("));
            if is_written && !by_name {
                for operand in self.graph.term(expression).operands() {
                    uses[below.position(operand)] += 1;
                }
            }
        }
        let mut added = Vec::new();
        for expression in below.iter() {
            let shared =
                uses[below.position(expression)] > 1 && !self.names.contains_key(&expression);
            if shared && self.graph.term(expression).operands().count() == 2 {
                added.push(expression);
            }
        }
        self.define(added);
    }

    fn define(&mut self, expressions: Vec<Expression>) {
        let made: Vec<String> =
            (1..=expressions.len()).map(|number| format!("D_{number}")).collect();
        let mut all: Vec<&str> = self.variables.iter().map(String::as_str).collect();
        all.extend(self.definitions.iter().map(|(name, _)| name.as_str()));
        let used = all.len();
        all.extend(made.iter().map(String::as_str));
        let chosen = identifiers(&all).split_off(used);
        for (expression, name) in expressions.into_iter().zip(chosen) {
            self.names.insert(expression, name.clone());
            self.definitions.push((name, expression));
        }
        self.definitions.sort_by_key(|&(_, expression)| expression);
    }

    /// Definitions and their bodies, operands first.
    pub(super) fn definitions(&self) -> impl Iterator<Item = (&str, String)> {
        self.definitions.iter().map(|(name, expression)| {
            let own = self.names[expression] == *name;
            let body = if own { self.body(*expression) } else { self.text(*expression) };
            (name.as_str(), body)
        })
    }

    /// An expression, by name if it has one.
    pub(super) fn text(&self, expression: Expression) -> String {
        self.written(vec![Todo::Operand(expression)])
    }

    /// An expression whose outermost operator is written out.
    pub(super) fn body(&self, expression: Expression) -> String {
        let mut todo = Vec::new();
        self.expand(expression, &mut todo);
        self.written(todo)
    }

    fn written(&self, mut todo: Vec<Todo>) -> String {
        let mut text = String::new();
        while let Some(next) = todo.pop() {
            match next {
                Todo::Text(sign) => text.push_str(sign),
                Todo::Variable(index) => text.push_str(&self.variables[self.identifiers[&index]]),
                Todo::Operand(expression) => match self.names.get(&expression) {
                    Some(name) => text.push_str(name),
                    None => self.enclose(expression, &mut todo),
                },
            }
        }
        text
    }

    /// Pushes the text of an operand, in parentheses if it has two operands itself.
    fn enclose(&self, expression: Expression, todo: &mut Vec<Todo>) {
        if self.graph.term(expression).operands().count() < 2 {
            return self.expand(expression, todo);
        }
        todo.push(Todo::Text(")"));
        self.expand(expression, todo);
        todo.push(Todo::Text("("));
    }

    /// Pushes the text of the outermost operator, last part first.
    fn expand(&self, expression: Expression, todo: &mut Vec<Todo>) {
        let (sign, a, b) = match self.graph.term(expression) {
            Term::Constant(value) => {
                return todo.push(Todo::Text(if value { "TRUE" } else { "FALSE" }));
            }
            Term::Current(variable) => return todo.push(Todo::Variable(variable.index())),
            Term::Next(variable) => {
                return todo.extend([
                    Todo::Text(")"),
                    Todo::Variable(variable.index()),
                    Todo::Text("next("),
                ]);
            }
            Term::Not(a) => return todo.extend([Todo::Operand(a), Todo::Text("!")]),
            Term::And(a, b) => (" & ", a, b),
            Term::Or(a, b) => (" | ", a, b),
            Term::Implies(a, b) => (" -> ", a, b),
            Term::Iff(a, b) => (" = ", a, b),
        };
        todo.extend([Todo::Operand(b), Todo::Text(sign), Todo::Operand(a)]);
    }
}

/// A pending part of the text.
enum Todo {
    Text(&'static str),
    /// By its index in the graph.
    Variable(usize),
    Operand(Expression),
}
