//! Reads traces from JSON.
//!
//! A text has one trace or several, one after the other or in an array. An object that has no
//! states but a member `trace` stands for that; all other members are ignored. So the output of
//! `check --json` can be read.

use std::ops::Range;

use kermode_base::Diagnostic;
use rustc_hash::FxHashMap;

use super::scan::{Member, Scalar, Scan, Scanner};
use crate::flat::{Domain, FlatModel, Value, VariableId};
use crate::interpreter::{Layout, State};
use crate::syntax::VariableKind;
use crate::trace::read_trace::{Ending, Names, ReadTrace};
use crate::trace::values::{
    MOST_ERRORS, complete, unknown_variable, variables_by_name, wrong_value,
};

/// Reads all traces of a text.
///
/// # Errors
/// If the text is no JSON, has no trace, or has one that does not fit the model.
pub fn read(text: &str, model: &FlatModel) -> Result<Vec<ReadTrace>, Vec<Diagnostic>> {
    let raw = scan(text).map_err(|error| vec![error])?;
    if raw.is_empty() {
        let error = Diagnostic::error(0..text.len().min(1), "there is no trace")
            .label("expected an object with `states`");
        return Err(vec![error.help("for example {\"states\": [{\"x\": 0}], \"loop_start\": 0}")]);
    }
    let mut reader = Reader {
        model,
        states: Layout::of_states(model),
        inputs: Layout::of_inputs(model),
        names: variables_by_name(model),
        errors: Vec::new(),
    };
    let traces: Vec<ReadTrace> = raw.into_iter().filter_map(|raw| reader.trace(raw)).collect();
    if reader.errors.is_empty() { Ok(traces) } else { Err(reader.errors) }
}

/// Values with the place of their object.
type Values = (Vec<Member>, Range<usize>);

/// A trace before its values are read.
#[derive(Default)]
struct RawTrace {
    states: Option<Vec<Values>>,
    inputs: Option<Vec<Values>>,
    loop_start: Option<(Scalar, Range<usize>)>,
    span: Range<usize>,
}

fn scan(text: &str) -> Scan<Vec<RawTrace>> {
    let mut scanner = Scanner::new(text);
    let mut traces = Vec::new();
    while let Some(next) = scanner.peek() {
        match next {
            b'[' => scanner.array(&mut |scanner| {
                traces.extend(scan_object(scanner)?);
                Ok(())
            })?,
            _ => traces.extend(scan_object(&mut scanner)?),
        }
    }
    Ok(traces)
}

/// An object with a trace, or that is one.
fn scan_object(scanner: &mut Scanner<'_>) -> Scan<Option<RawTrace>> {
    let mut inner = None;
    let outer = scan_trace(scanner, &mut |scanner| {
        inner = Some(scan_trace(scanner, &mut |scanner| scanner.value().map(|_| ()))?);
        Ok(())
    })?;
    let has_states = |trace: &RawTrace| trace.states.is_some();
    Ok(Some(outer).filter(has_states).or(inner.filter(has_states)))
}

/// An object whose member `trace` is left to the caller, unless it is no object.
fn scan_trace(
    scanner: &mut Scanner<'_>,
    inner: &mut dyn FnMut(&mut Scanner<'_>) -> Scan,
) -> Scan<RawTrace> {
    scanner.peek();
    let (start, mut trace) = (scanner.at(), RawTrace::default());
    scanner.object(&mut |scanner, name, span| {
        let is_array = scanner.peek() == Some(b'[');
        match name.as_str() {
            "states" | "inputs" if !is_array => {
                return Err(scanner.unexpected(&format!("expected the array of `{name}`")));
            }
            "states" | "inputs" => {
                let part = if name == "states" { &mut trace.states } else { &mut trace.inputs };
                if part.is_some() {
                    return Err(Diagnostic::error(span, format!("`{name}` is given twice"))
                        .label("the second time"));
                }
                let mut values = Vec::new();
                scanner.array(&mut |scanner| {
                    values.push(scanner.members()?);
                    Ok(())
                })?;
                *part = Some(values);
            }
            "loop_start" => trace.loop_start = Some(scanner.value()?),
            "trace" if scanner.peek() == Some(b'{') => inner(scanner)?,
            _ => {
                scanner.value()?;
            }
        }
        Ok(())
    })?;
    trace.span = start..scanner.at();
    Ok(trace)
}

struct Reader<'m> {
    model: &'m FlatModel,
    states: Layout<'m>,
    inputs: Layout<'m>,
    names: FxHashMap<&'m str, VariableId>,
    errors: Vec<Diagnostic>,
}

impl Reader<'_> {
    /// The trace. Without a value, an error was reported.
    fn trace(&mut self, raw: RawTrace) -> Option<ReadTrace> {
        let before = self.errors.len();
        let written = raw.states.unwrap_or_default();
        let ending = self.ending(raw.loop_start, written.len())?;
        if written.is_empty() {
            let error = Diagnostic::error(raw.span, "this trace has no state");
            self.errors.push(error.label("`states` is empty"));
            return None;
        }
        let steps = written.len() - usize::from(ending == Ending::Finite);
        let places = written.iter().map(|(_, span)| span.clone()).collect();
        let states = self.all(written, VariableKind::State);
        let inputs = match raw.inputs {
            // A model without inputs needs none.
            None if self.inputs.variables().is_empty() => {
                let none = self.inputs.state(|_| None)?;
                vec![none; steps]
            }
            None => {
                let error = Diagnostic::error(raw.span, "this trace has no inputs");
                self.errors.push(error.label("`inputs` is missing").help(INPUTS));
                return None;
            }
            Some(inputs) if inputs.len() != steps => {
                let message = format!("this trace has inputs for {} steps", inputs.len());
                let error = Diagnostic::error(raw.span, message);
                self.errors.push(error.label(format!("it has {steps} steps")).help(INPUTS));
                return None;
            }
            Some(inputs) => self.all(inputs, VariableKind::Input),
        };
        (self.errors.len() == before).then_some(ReadTrace {
            states,
            inputs,
            ending,
            names: Names::Index,
            span: raw.span,
            places,
        })
    }

    fn ending(
        &mut self,
        loop_start: Option<(Scalar, Range<usize>)>,
        states: usize,
    ) -> Option<Ending> {
        let (scalar, span) = match loop_start {
            None | Some((Scalar::Null, _)) => return Some(Ending::Finite),
            Some(given) => given,
        };
        let start = match &scalar {
            Scalar::Number(text) => text.parse().ok(),
            _ => None,
        };
        match start.filter(|&start| start < states) {
            Some(start) => Some(Ending::Loop(start)),
            None => {
                let error = Diagnostic::error(span, "the loop does not start at a state")
                    .label(format!("expected `null` or a number below {states}"));
                self.errors.push(error.help("states are counted from 0"));
                None
            }
        }
    }

    /// The states or inputs of some objects. There is one for each, unless an error was reported.
    fn all(&mut self, written: Vec<Values>, kind: VariableKind) -> Vec<State> {
        let mut all = Vec::with_capacity(written.len());
        for (index, (members, span)) in written.into_iter().enumerate() {
            if self.errors.len() >= MOST_ERRORS {
                break;
            }
            let mut values: FxHashMap<VariableId, Value> = FxHashMap::default();
            let before = self.errors.len();
            for member in &members {
                if let Err(error) = self.member(member, kind, &mut values) {
                    self.errors.push(error);
                }
            }
            if self.errors.len() > before {
                continue;
            }
            let (layout, what) = match kind {
                VariableKind::Input => (&self.inputs, "the step that leaves state"),
                VariableKind::State | VariableKind::Frozen => (&self.states, "state"),
            };
            let what = format!("{what} {index}");
            let value = |id| values.get(&id).copied();
            match complete(layout, self.model, &what, span, value) {
                Ok(state) => all.push(state),
                Err(error) => self.errors.push(error),
            }
        }
        all
    }

    fn member(
        &self,
        member: &Member,
        kind: VariableKind,
        values: &mut FxHashMap<VariableId, Value>,
    ) -> Result<(), Diagnostic> {
        let Member { name, name_span, value, value_span } = member;
        let unknown = || unknown_variable(name_span.clone(), name, self.model);
        let id = *self.names.get(name.as_str()).ok_or_else(unknown)?;
        let is_input = self.model.variable(id).kind == VariableKind::Input;
        if is_input != (kind == VariableKind::Input) {
            let (what, place) = if is_input { ("an", "inputs") } else { ("no", "states") };
            return Err(Diagnostic::error(name_span.clone(), format!("`{name}` is {what} input"))
                .label("it has no value here")
                .help(format!("its values stand in `{place}`")));
        }
        let (text, read) = scalar_value(self.model, &self.model.variable(id).domain, value);
        let wrong = || wrong_value(value_span.clone(), self.model, id, &text);
        if values.insert(id, read.ok_or_else(wrong)?).is_some() {
            return Err(Diagnostic::error(name_span.clone(), format!("`{name}` has two values"))
                .label("the second one"));
        }
        Ok(())
    }
}

const INPUTS: &str = "each step has an object with its inputs: those of a finite trace are one \
                      less than its states";

/// The value of a domain that a scalar stands for, and the text of the scalar.
fn scalar_value(model: &FlatModel, domain: &Domain, scalar: &Scalar) -> (String, Option<Value>) {
    match scalar {
        Scalar::Null => ("null".to_owned(), None),
        Scalar::Other => ("..".to_owned(), None),
        &Scalar::Boolean(value) => {
            let read = Value::Boolean(value);
            (value.to_string(), domain.code(read).map(|_| read))
        }
        Scalar::Number(text) => {
            let read = text.parse().ok().map(Value::Integer);
            (text.clone(), read.filter(|&value| domain.code(value).is_some()))
        }
        Scalar::Text(text) => {
            let read = model.read_value(domain, text);
            let is_text = |value: &Value| matches!(value, Value::Symbol(_) | Value::Word(_));
            (format!("\"{text}\""), read.filter(is_text))
        }
    }
}
