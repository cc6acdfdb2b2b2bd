//! Expressions in the context of an instance.
//!
//! The nodes of an expression are contiguous with operands first, so flattening is a loop over
//! them. A name may stand for a definition or a parameter that is not flattened yet. Its expression
//! then becomes a new *frame* on a stack, and the present one continues when it is done.

use kermode_base::Diagnostic;

use super::Flattener;
use super::messages::{called, hint, undefined};
use super::scope::{CellId, CellState, InstanceId, Lookup, Operand, Slot};
use crate::flat::{
    Bounds, Features, FlatBinary, FlatExpression, FlatTerm, Symbol, Type, Value, Word,
};
use crate::syntax::{Expression, List, Name, NodeId, Span, Syntax, UnaryOperator};

/// Where an expression stands, and what may occur there.
#[derive(Clone, Copy)]
pub(super) struct Context {
    /// How messages call it.
    pub(super) place: &'static str,
    /// What may occur in it.
    pub(super) allowed: Features,
    /// Whether it is a specification.
    pub(super) is_property: bool,
    /// Whether more suffixes follow, so that the whole may be the beginning of a declared name.
    pub(super) is_prefix: bool,
}

impl Context {
    /// Definitions and parameters: the place of their use decides.
    const ANYWHERE: Context = Context {
        place: "a definition",
        allowed: Features::STATE.with(Features::INPUT).with(Features::NEXT),
        is_property: false,
        is_prefix: false,
    };

    /// Bounds and widths of types.
    const TYPE: Context =
        Context { place: "a type", allowed: Features::STATE, is_property: false, is_prefix: false };

    /// The beginning of a name with suffixes.
    pub(super) const PREFIX: Context = Context { is_prefix: true, ..Context::ANYWHERE };
}

/// An expression that is being flattened.
struct Frame {
    /// The cell that the expression belongs to.
    cell: Option<CellId>,
    instance: InstanceId,
    expression: Expression,
    /// The next node.
    node: u32,
    /// The place of the first node's value among the values.
    values: usize,
    context: Context,
}

/// The result of one node.
enum Progress {
    Value(Operand),
    /// This cell has to be flattened first.
    Needs(CellId),
}

impl Flattener<'_> {
    /// The value of an expression of a type.
    pub(super) fn evaluate_constant_context(
        &mut self,
        instance: InstanceId,
        expression: Expression,
    ) -> Operand {
        self.evaluate(instance, expression, Context::TYPE)
    }

    /// The value of a definition.
    pub(super) fn evaluate_cell(&mut self, cell: CellId) -> Operand {
        if let CellState::Done(operand) = self.cells[cell.0 as usize].state {
            return operand;
        }
        let frame = self.cell_frame(cell);
        self.run_frames(frame)
    }

    /// The value of an expression.
    pub(super) fn evaluate(
        &mut self,
        instance: InstanceId,
        expression: Expression,
        context: Context,
    ) -> Operand {
        let (node, values) = (expression.first.0, self.values.len());
        self.run_frames(Frame { cell: None, instance, expression, node, values, context })
    }

    fn cell_frame(&mut self, cell: CellId) -> Frame {
        let known = &mut self.cells[cell.0 as usize];
        known.state = CellState::Active;
        let (instance, expression) = (known.instance, known.expression);
        Frame {
            cell: Some(cell),
            instance,
            expression,
            node: expression.first.0,
            values: self.values.len(),
            context: Context::ANYWHERE,
        }
    }

    fn run_frames(&mut self, first: Frame) -> Operand {
        let mut frames = vec![first];
        let mut result = Operand::Error;
        while let Some(frame) = frames.last_mut() {
            if frame.node > frame.expression.root.0 {
                result = self.values.last().copied().unwrap_or(Operand::Error);
                self.values.truncate(frame.values);
                if let Some(cell) = frame.cell {
                    self.cells[cell.0 as usize].state = CellState::Done(result);
                }
                frames.pop();
                continue;
            }
            match self.node(frame) {
                Progress::Value(value) => {
                    frame.node += 1;
                    self.values.push(value);
                }
                Progress::Needs(cell) => {
                    // Flattening the cell once more would not end.
                    if self.cells[cell.0 as usize].state == CellState::Active {
                        let node = NodeId(frame.node);
                        frame.node += 1;
                        let value = self.circular(node);
                        self.values.push(value);
                    } else {
                        let frame = self.cell_frame(cell);
                        frames.push(frame);
                    }
                }
            }
        }
        result
    }

    fn circular(&mut self, node: NodeId) -> Operand {
        let span = self.file.span(node);
        let text = self.text.get(span.range()).unwrap_or("this name");
        self.wrong(
            Diagnostic::error(span.range(), format!("the definition of `{text}` is circular"))
                .label("this use closes the cycle")
                .help(
                    "a DEFINE or parameter cannot depend on itself: break the cycle by a variable",
                ),
        )
    }

    /// The value of the frame's present node.
    fn node(&mut self, frame: &Frame) -> Progress {
        let node = NodeId(frame.node);
        let first = frame.expression.first.0;
        let value_of = |values: &[Operand], operand: NodeId| {
            values[frame.values + (operand.0 - first) as usize]
        };
        let value = |flattener: &Self, operand| value_of(&flattener.values, operand);
        let operand = match self.file.node(node) {
            Syntax::Boolean(value) => self.constant(Value::Boolean(value)),
            Syntax::Integer(value) => self.constant(Value::Integer(value as i32)),
            Syntax::Word(index) => {
                let literal = self.file.words[index as usize];
                let (bits, width, signed) = (literal.bits, literal.width, literal.signed);
                self.constant(Value::Word(Word { bits, width, signed }))
            }
            Syntax::Range(low, high) if low > high => {
                let message = format!("the range {low}..{high} is empty");
                let error = Diagnostic::error(self.file.span(node).range(), message);
                self.wrong(error.help(format!("the smaller bound comes first: {high}..{low}")))
            }
            Syntax::Range(low, high) => {
                let term = FlatTerm::Interval(low, high);
                Operand::Scalar(self.model.expressions.intern(term, Type::IntegerSet))
            }
            Syntax::Name(name) => return self.named(frame, node, name),
            Syntax::SelfInstance => Operand::Instance(frame.instance),
            Syntax::Component(base, name) => match value(self, base) {
                Operand::Instance(instance) => return self.component(frame, node, instance, name),
                Operand::Path(path) => {
                    let text = format!("{}.{}", self.paths[path as usize].1, self.name(name));
                    return self.suffixed(frame, node, path, text);
                }
                Operand::Error => Operand::Error,
                _ => match self.declared_as_a_whole(frame, node) {
                    Some((name, found)) => return self.found(frame, node, name, found),
                    None => self.no_component(node, name),
                },
            },
            Syntax::Index(base, index) => match (value(self, base), value(self, index)) {
                (Operand::Path(path), index_value) => {
                    return self.indexed_name(frame, node, path, index, index_value);
                }
                (array, index_value) => {
                    if let Operand::Scalar(_) = array
                        && let Some((name, found)) = self.declared_as_a_whole(frame, node)
                    {
                        return self.found(frame, node, name, found);
                    }
                    self.select(node, base, index, array, index_value)
                }
            },
            Syntax::Bits(word, high, low) => {
                let [word_value, high_value, low_value] =
                    [word, high, low].map(|operand| value(self, operand));
                self.bits(node, [word, high, low], [word_value, high_value, low_value])
            }
            Syntax::Set(list) => {
                let values = self.list_values(list, |values, a| value_of(values, a));
                self.set(list, &values)
            }
            Syntax::Array(list) => {
                let values = self.list_values(list, |values, a| value_of(values, a));
                self.array_literal(node, list, values)
            }
            Syntax::Count(list) => {
                let values = self.list_values(list, |values, a| value_of(values, a));
                self.count(list, &values)
            }
            Syntax::Case(list) => {
                let values = self.list_values(list, |values, a| value_of(values, a));
                self.case(node, list, &values)
            }
            Syntax::Conditional(c, t, e) => {
                let values = [c, t, e].map(|operand| value(self, operand));
                self.conditional([c, t, e], values)
            }
            Syntax::Unary(operator, a) => {
                let a_value = value(self, a);
                self.unary(frame.context, node, operator, a, a_value)
            }
            Syntax::Binary(operator, a, b) => {
                let (a_value, b_value) = (value(self, a), value(self, b));
                self.binary(node, operator, [a, b], [a_value, b_value])
            }
            Syntax::BoundedUnary(operator, a, bounds) => {
                let a_value = value(self, a);
                let bounds = self.bounds(bounds);
                if operator == UnaryOperator::Historically {
                    self.warn_about_bounded_past(node, bounds);
                }
                self.path_unary(operator, a, a_value, bounds)
            }
            Syntax::BoundedBinary(operator, a, b, bounds) => {
                let (a_value, b_value) = (value(self, a), value(self, b));
                let bounds = self.bounds(bounds);
                self.path_binary(operator, [a, b], [a_value, b_value], bounds)
            }
            Syntax::Error => Operand::Error,
        };
        Progress::Value(operand)
    }

    fn bounds(&mut self, index: u32) -> crate::flat::expression::BoundsId {
        let (low, high) = self.file.bounds[index as usize];
        self.model.expressions.intern_bounds(Bounds { low, high })
    }

    fn list_values(
        &self,
        list: List,
        value: impl Fn(&[Operand], NodeId) -> Operand,
    ) -> Vec<Operand> {
        self.file.list(list).iter().map(|&operand| value(&self.values, operand)).collect()
    }

    pub(super) fn constant(&mut self, value: Value) -> Operand {
        Operand::Scalar(self.model.expressions.constant(value))
    }

    /// A name by itself.
    fn named(&mut self, frame: &Frame, node: NodeId, name: Name) -> Progress {
        let found = self.look_up(frame.instance, name);
        let symbol = self.symbols.get(&name).map(|&(symbol, _)| symbol);
        match (found, symbol) {
            (Lookup::Nothing, Some(symbol)) if !self.has_component(frame, node) => {
                Progress::Value(self.constant(Value::Symbol(symbol)))
            }
            (Lookup::Nothing, _) => match self.main_process(frame, node, name) {
                Some(symbol) => Progress::Value(self.constant(Value::Symbol(symbol))),
                None => self.unknown(frame, node, frame.instance, name),
            },
            (Lookup::Slot(Slot::Instance(instance)), Some(_)) => {
                Progress::Value(Operand::Instance(instance))
            }
            (_, Some(_)) => {
                let (span, text) = (self.file.span(node), self.name(name));
                let message = format!("`{text}` is ambiguous");
                Progress::Value(
                    self.wrong(
                        Diagnostic::error(span.range(), message)
                            .label("a name of this module and a symbolic constant")
                            .help(hint::SYMBOLS_ARE_GLOBAL),
                    ),
                )
            }
            (found, None) => self.found(frame, node, name, found),
        }
    }

    /// The value of the variable that selects the process, for `main` in a model with processes.
    fn main_process(&self, frame: &Frame, node: NodeId, name: Name) -> Option<Symbol> {
        let (_, symbols) = self.selector.as_ref()?;
        let is_main = self.name(name) == "main" && !self.is_beginning(frame, node);
        is_main.then(|| symbols[&InstanceId::MAIN])
    }

    /// A name that is not declared: `running`, the beginning of a name with suffixes, or an error.
    fn unknown(
        &mut self,
        frame: &Frame,
        node: NodeId,
        instance: InstanceId,
        name: Name,
    ) -> Progress {
        if Some(name) == self.running
            && let Some(running) = self.is_running(instance)
        {
            return Progress::Value(self.allowed(frame.context, node, running));
        }
        let text = self.name(name).to_owned();
        if self.is_beginning(frame, node) {
            self.paths.push((instance, text));
            return Progress::Value(Operand::Path(self.paths.len() as u32 - 1));
        }
        Progress::Value(self.undefined_name(node, instance, &text))
    }

    /// Whether a component of the node is taken. A symbolic constant has none, but a name with
    /// suffixes may begin with the same name.
    fn has_component(&self, frame: &Frame, node: NodeId) -> bool {
        let is_base = |next| matches!(next, Syntax::Component(base, _) if base == node);
        if node == frame.expression.root {
            return frame.context.is_prefix;
        }
        is_base(self.file.node(NodeId(node.0 + 1)))
    }

    /// Whether the node is the base of a component or an index, so that it may begin a name with
    /// suffixes.
    fn is_beginning(&self, frame: &Frame, node: NodeId) -> bool {
        if node == frame.expression.root {
            return frame.context.is_prefix;
        }
        match self.file.node(NodeId(node.0 + 1)) {
            Syntax::Component(base, _) => base == node,
            // The base of an index comes right before the nodes of the index.
            _ => {
                let mut index = node.0 + 1;
                while index <= frame.expression.root.0 {
                    if let Syntax::Index(base, _) = self.file.node(NodeId(index))
                        && base == node
                    {
                        return true;
                    }
                    index += 1;
                    if index > node.0 + 64 {
                        return false;
                    }
                }
                false
            }
        }
    }

    fn undefined_name(&mut self, node: NodeId, instance: InstanceId, text: &str) -> Operand {
        let span = self.file.span(node);
        let module = self.instance(instance).module;
        let locals = self.tables[module].iter().flat_map(|table| table.places.keys());
        let names = locals.chain(self.symbols.keys()).map(|&name| self.name(name));
        let error = undefined(span, "name", text, names);
        let called = self.called(instance);
        let error = error.label(format!("not declared in {called}"));
        self.wrong(error)
    }

    /// What a declared name denotes.
    fn found(&mut self, frame: &Frame, node: NodeId, name: Name, found: Lookup) -> Progress {
        let cell = match found {
            Lookup::Parameter(cell) | Lookup::Slot(Slot::Define(cell)) => cell,
            Lookup::Slot(Slot::Variable(variable)) => {
                let known = &self.model.variables[variable.index()];
                let is_input = known.kind == crate::syntax::VariableKind::Input;
                let ty = known.domain.ty();
                let scalar = self.model.expressions.variable(variable, ty, is_input);
                return Progress::Value(self.allowed(frame.context, node, scalar));
            }
            Lookup::Slot(Slot::Array(array)) => return Progress::Value(Operand::Array(array)),
            Lookup::Slot(Slot::Constant(scalar)) => {
                return Progress::Value(Operand::Scalar(scalar));
            }
            Lookup::Slot(Slot::Instance(instance)) => {
                return Progress::Value(Operand::Instance(instance));
            }
            Lookup::Slot(Slot::Error) => return Progress::Value(Operand::Error),
            Lookup::Slot(Slot::Later) => {
                let (span, text) = (self.file.span(node), self.name(name));
                let message = format!("`{text}` is declared later");
                return Progress::Value(
                    self.wrong(
                        Diagnostic::error(span.range(), message)
                            .label("types are computed in the order of declarations")
                            .help("move its declaration before this one"),
                    ),
                );
            }
            Lookup::Nothing => return self.unknown(frame, node, frame.instance, name),
        };
        match self.cells[cell.0 as usize].state {
            CellState::Done(Operand::Scalar(scalar)) => {
                Progress::Value(self.allowed(frame.context, node, scalar))
            }
            CellState::Done(operand) => Progress::Value(operand),
            CellState::New | CellState::Active => Progress::Needs(cell),
        }
    }

    /// A component of an instance.
    fn component(
        &mut self,
        frame: &Frame,
        node: NodeId,
        instance: InstanceId,
        name: Name,
    ) -> Progress {
        match self.look_up(instance, name) {
            Lookup::Nothing => self.unknown(frame, node, instance, name),
            found => self.found(frame, node, name, found),
        }
    }

    /// What a name such as `x.y` or `x[3]` denotes that is declared beside a variable `x`.
    fn declared_as_a_whole(&self, frame: &Frame, node: NodeId) -> Option<(Name, Lookup)> {
        let value =
            |node: NodeId| self.values[frame.values + (node.0 - frame.expression.first.0) as usize];
        let (mut base, mut suffix) = (node, String::new());
        let instance = loop {
            base = match self.file.node(base) {
                Syntax::Component(base, name) => {
                    suffix = format!(".{}{suffix}", self.name(name));
                    base
                }
                Syntax::Index(base, index) => {
                    let Syntax::Integer(number) = self.file.node(index) else { return None };
                    suffix = format!("[{number}]{suffix}");
                    base
                }
                Syntax::Name(name) => {
                    suffix = format!("{}{suffix}", self.name(name));
                    break frame.instance;
                }
                _ => return None,
            };
            if let Operand::Instance(instance) = value(base) {
                suffix = suffix.strip_prefix('.')?.to_owned();
                break instance;
            }
        };
        let name = self.file.names.find(&suffix)?;
        match self.look_up(instance, name) {
            Lookup::Nothing => None,
            found => Some((name, found)),
        }
    }

    fn no_component(&mut self, node: NodeId, name: Name) -> Operand {
        let (span, text) = (self.file.span(node), self.name(name));
        let message = format!("there is no name `{text}` here");
        self.wrong(
            Diagnostic::error(span.range(), message)
                .label("the name before the dot is not an instance")
                .help("only instances of modules have components"),
        )
    }

    /// A name with suffixes that is declared as a whole.
    fn suffixed(&mut self, frame: &Frame, node: NodeId, path: u32, text: String) -> Progress {
        let instance = self.paths[path as usize].0;
        if let Some(name) = self.file.names.find(&text) {
            let found = self.look_up(instance, name);
            if !matches!(found, Lookup::Nothing) {
                return self.found(frame, node, name, found);
            }
        }
        if self.is_beginning(frame, node) {
            self.paths.push((instance, text));
            return Progress::Value(Operand::Path(self.paths.len() as u32 - 1));
        }
        Progress::Value(self.undefined_name(node, instance, &text))
    }

    /// A name such as `c[3]` that is declared as a whole.
    fn indexed_name(
        &mut self,
        frame: &Frame,
        node: NodeId,
        path: u32,
        index: NodeId,
        value: Operand,
    ) -> Progress {
        let (instance, text) = self.paths[path as usize].clone();
        let Some(scalar) = self.scalar(value, index) else {
            return Progress::Value(Operand::Error);
        };
        match self.constants.value(&self.model.expressions, scalar) {
            Some(Ok(Value::Integer(number))) => {
                self.suffixed(frame, node, path, format!("{text}[{number}]"))
            }
            _ => Progress::Value(self.undefined_name(node, instance, &text)),
        }
    }

    /// `running` of an instance, if it is a process.
    pub(super) fn is_running(&mut self, instance: InstanceId) -> Option<FlatExpression> {
        let (variable, symbols) = self.selector.as_ref()?;
        let (variable, symbol) = (*variable, *symbols.get(&instance)?);
        let expressions = &mut self.model.expressions;
        let selector = expressions.variable(variable, Type::Symbolic, true);
        let process = expressions.constant(Value::Symbol(symbol));
        let equal = FlatTerm::Binary(FlatBinary::Equal, selector, process);
        Some(expressions.intern(equal, Type::Boolean))
    }

    /// A scalar, or an error if it may not occur in the present place.
    fn allowed(&mut self, context: Context, node: NodeId, scalar: FlatExpression) -> Operand {
        let features = self.model.expressions.features(scalar);
        let (problem, remedy) = if features.has(Features::INPUT)
            && !context.allowed.has(Features::INPUT)
        {
            (
                "an input variable",
                "inputs belong to steps: use a state variable (VAR), or a place about steps",
            )
        } else if features.has(Features::NEXT) && !context.allowed.has(Features::NEXT) {
            ("`next`", "`next` is allowed in TRANS, in `next(x) :=`, in INVARSPEC and in LTLSPEC")
        } else {
            return Operand::Scalar(scalar);
        };
        let span = self.file.span(node);
        let message = format!("{problem} is not allowed in {}", context.place);
        let label = match self.model.expressions.term(scalar) {
            FlatTerm::Variable(_) => format!("this is {problem}"),
            _ => format!("this stands for an expression with {problem}"),
        };
        self.wrong(Diagnostic::error(span.range(), message).label(label).help(remedy))
    }

    /// The scalar or set that an operand denotes, or an error at a node.
    pub(super) fn scalar(&mut self, operand: Operand, node: NodeId) -> Option<FlatExpression> {
        let what = match operand {
            Operand::Scalar(scalar) => return Some(scalar),
            Operand::Error => return None,
            Operand::Array(_) => "an array",
            Operand::Instance(_) => "an instance of a module",
            Operand::Path(path) => {
                let (instance, text) = self.paths[path as usize].clone();
                self.undefined_name(node, instance, &text);
                return None;
            }
        };
        let span = self.file.span(node);
        let error = Diagnostic::error(span.range(), format!("{what} is not a value here"))
            .label("expected a single value");
        let help = match operand {
            Operand::Array(_) => "select an element by `[..]`",
            _ => "select a variable or definition of it by `.name`",
        };
        self.report(error.help(help));
        None
    }

    /// A Boolean expression of a section or specification.
    pub(super) fn condition(
        &mut self,
        instance: InstanceId,
        expression: Expression,
        context: Context,
    ) -> Option<FlatExpression> {
        let operand = self.evaluate(instance, expression, context);
        let scalar = self.scalar(operand, expression.root)?;
        let ty = self.model.expressions.ty(scalar);
        if ty == Type::Boolean {
            let is_property = context.is_property;
            return Some(if is_property { self.without_idle_next(scalar) } else { scalar });
        }
        let (span, place) = (self.span(expression), context.place);
        let message = format!("{place} must be Boolean, and this is {}", called(ty));
        self.report(Diagnostic::error(span.range(), message).label("not Boolean").help(
            match ty.is_set() {
                true => "a set is no condition: ask for its elements by `in`",
                false => "compare it with a value, for instance by `=`",
            },
        ));
        None
    }

    /// The place where a term that may fail is written.
    pub(super) fn note_failure(&mut self, expression: FlatExpression, span: Span) {
        let places = self.model.failure_places.entry(expression).or_default();
        if !places.contains(&span) {
            places.push(span);
        }
    }
}
