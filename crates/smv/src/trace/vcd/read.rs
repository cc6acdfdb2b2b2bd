//! Reads the value change dumps that `write` writes.

use std::ops::Range;

use kermode_base::Diagnostic;
use rustc_hash::FxHashMap;

use super::{LOOP, MAIN, OWN_SCOPE, unescape};
use crate::flat::{Domain, FlatModel, Value, VariableId, Word};
use crate::interpreter::{Layout, State, Trace};
use crate::trace::values::{complete, unknown_variable, variables_by_name, wrong_value};

/// What an identifier code stands for.
#[derive(Clone, Copy)]
enum Signal {
    Variable(VariableId),
    Loop,
}

/// Reads a trace.
///
/// # Errors
/// If the text is no dump of a trace of the model.
pub fn read(text: &str, model: &FlatModel) -> Result<Trace, Diagnostic> {
    let mut reader = Reader {
        text,
        model,
        at: 0,
        states: Layout::of_states(model),
        inputs: Layout::of_inputs(model),
        values: vec![None; model.variables.len()],
        found: Vec::new(),
        steps: Vec::new(),
        loop_start: None,
        time: None,
    };
    let signals = reader.header()?;
    reader.changes(&signals)?;
    reader.trace()
}

struct Reader<'m> {
    text: &'m str,
    model: &'m FlatModel,
    at: usize,
    states: Layout<'m>,
    inputs: Layout<'m>,
    values: Vec<Option<Value>>,
    /// The states, and the inputs at their times if they are known.
    found: Vec<State>,
    steps: Vec<Option<State>>,
    loop_start: Option<usize>,
    time: Option<usize>,
}

impl<'m> Reader<'m> {
    /// The next word, and its place. The word is empty at the end.
    fn word(&mut self) -> (&'m str, Range<usize>) {
        let rest = &self.text[self.at..];
        let start = self.at + rest.len() - rest.trim_start().len();
        let rest = &self.text[start..];
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at = start + length;
        (&rest[..length], start..start + length)
    }

    /// The declarations.
    fn header(&mut self) -> Result<FxHashMap<&'m str, Signal>, Diagnostic> {
        let names = variables_by_name(self.model);
        let (mut signals, mut scopes) = (FxHashMap::default(), Vec::new());
        loop {
            let (keyword, span) = self.word();
            let mut words = Vec::new();
            loop {
                match self.word() {
                    ("$end", _) => break,
                    ("", _) => {
                        return Err(Diagnostic::error(span, "this is no value change dump")
                            .label("expected a declaration that ends with `$end`"));
                    }
                    word => words.push(word),
                }
            }
            match (keyword, words.as_slice()) {
                ("$enddefinitions", _) => return Ok(signals),
                ("$scope", [_, (name, _)]) => scopes.push(*name),
                ("$upscope", _) => drop(scopes.pop()),
                ("$var", [_, _, (code, _), (name, place)]) => {
                    let signal = self.signal(&names, &scopes, name, place.clone())?;
                    signals.insert(*code, signal);
                }
                ("$scope" | "$var", _) => {
                    return Err(Diagnostic::error(span, "this declaration has a wrong form")
                        .label(
                            "expected `$scope module name $end`, `$var type size code name $end`",
                        ));
                }
                _ => {}
            }
        }
    }

    fn signal(
        &self,
        names: &FxHashMap<&str, VariableId>,
        scopes: &[&str],
        name: &str,
        place: Range<usize>,
    ) -> Result<Signal, Diagnostic> {
        if scopes == [OWN_SCOPE] && name == LOOP {
            return Ok(Signal::Loop);
        }
        let inner = scopes.strip_prefix(&[MAIN]).unwrap_or(scopes);
        let path: Option<Vec<String>> = inner.iter().chain([&name]).map(|p| unescape(p)).collect();
        let full = path.unwrap_or_default().join(".");
        let unknown = || unknown_variable(place, &full, self.model);
        names.get(full.as_str()).map(|&id| Signal::Variable(id)).ok_or_else(unknown)
    }

    /// The values at each time. The last time has no state.
    fn changes(&mut self, signals: &FxHashMap<&str, Signal>) -> Result<(), Diagnostic> {
        loop {
            let (word, span) = self.word();
            let Some(kind) = word.chars().next() else { break };
            match kind {
                '#' => self.advance(&word[1..], span)?,
                '$' => {}
                'b' | 's' => {
                    let (code, place) = self.word();
                    self.change(signals, code, place, &word[1..], span)?;
                }
                '0' | '1' | 'x' => {
                    let (value, code) = word.split_at(1);
                    self.change(signals, code, span.clone(), value, span)?;
                }
                _ => {
                    return Err(Diagnostic::error(span, "this is no change of a value").label(
                        "expected `#time`, `b101 code`, `stext code`, or a digit and a code",
                    ));
                }
            }
        }
        Ok(())
    }

    /// The states and inputs that were found, as a trace.
    fn trace(mut self) -> Result<Trace, Diagnostic> {
        let is_complete =
            !self.found.is_empty() && self.loop_start.is_none_or(|start| start < self.found.len());
        if !is_complete {
            let expected = "expected at least two times, and the beginning of the loop among them";
            return Err(Diagnostic::error(0..0, "this dump has no trace").label(expected));
        }
        // A finite trace has no step that leaves its last state.
        if self.loop_start.is_none() {
            self.steps.pop();
        }
        let known: Option<Vec<State>> = self.steps.into_iter().collect();
        let inputs = known.ok_or_else(|| {
            Diagnostic::error(0..0, "a step of this dump has no inputs")
                .label("expected values of all inputs at each time, except at the last one")
        })?;
        Ok(Trace { states: self.found, inputs, loop_start: self.loop_start })
    }

    /// Adds the state at the time that ends.
    fn advance(&mut self, digits: &str, span: Range<usize>) -> Result<(), Diagnostic> {
        let next = self.time.map_or(0, |time| time + 1);
        if digits.parse() != Ok(next) {
            return Err(Diagnostic::error(span, "the times of this dump are wrong")
                .label(format!("expected `#{next}`")));
        }
        if self.time.is_some() {
            let value = |id: VariableId| self.values[id.index()];
            self.found.push(complete(&self.states, self.model, "this time", span, value)?);
            self.steps.push(self.inputs.state(value));
        }
        self.time = Some(next);
        Ok(())
    }

    fn change(
        &mut self,
        signals: &FxHashMap<&str, Signal>,
        code: &str,
        place: Range<usize>,
        text: &str,
        span: Range<usize>,
    ) -> Result<(), Diagnostic> {
        let (signal, time) = match (signals.get(code), self.time) {
            (Some(&signal), Some(time)) => (signal, time),
            (None, _) => {
                return Err(Diagnostic::error(place, format!("the code `{code}` is not declared"))
                    .label("expected the code of a variable"));
            }
            (_, None) => {
                return Err(Diagnostic::error(span, "this value has no time")
                    .label("expected `#0` before it"));
            }
        };
        match signal {
            Signal::Loop => {
                self.loop_start.get_or_insert(time);
            }
            Signal::Variable(id) => {
                let domain = &self.model.variable(id).domain;
                let is_unknown = text == "x" || text.is_empty();
                let value = if is_unknown { None } else { self.value(domain, text) };
                if value.is_none() && !is_unknown {
                    return Err(wrong_value(span, self.model, id, text));
                }
                self.values[id.index()] = value;
            }
        }
        Ok(())
    }

    fn value(&self, domain: &Domain, text: &str) -> Option<Value> {
        let value = match domain {
            Domain::Enumeration(_) => self.model.read_value(domain, &unescape(text)?)?,
            Domain::Boolean => Value::Boolean(text == "1"),
            Domain::Range(..) => Value::Integer(u32::from_str_radix(text, 2).ok()? as i32),
            &Domain::Word { signed, width } => {
                Value::Word(Word { bits: u64::from_str_radix(text, 2).ok()?, width, signed })
            }
        };
        domain.code(value).map(|_| value)
    }
}
