//! Reads NuSMV's traces, also from its whole output.
//!
//! A value that a block does not have is that of the block before. Values of definitions are
//! compared with those that the model gives them, unless NuSMV has not evaluated them. The marks of
//! loops are checked: a state with a mark equals the last one.

use kermode_base::Diagnostic;
use rustc_hash::FxHashMap;

use super::definitions::Definitions;
use super::lines::{Block, BlockKind, Entry, RawTrace, split};
use crate::flat::expression::Below;
use crate::flat::{
    Definition, FlatExpression, FlatExpressions, FlatModel, FlatTerm, Value, VariableId,
};
use crate::interpreter::{Layout, State, Time};
use crate::syntax::{VariableKind, word_literal};
use crate::trace::read_trace::{Ending, Names, ReadTrace};
use crate::trace::values::{MOST_ERRORS, complete, unknown_variable, wrong_value};

/// Reads all traces of a text. Those that NuSMV began without printing a state are left out, and so
/// are those whose first state it left empty, if there are others.
///
/// # Errors
/// If there is no trace, or one does not fit the model.
pub fn read(text: &str, model: &FlatModel) -> Result<Vec<ReadTrace>, Vec<Diagnostic>> {
    let mut reader = Reader::new(text, model);
    let (raw, errors) = split(text, &|name| reader.names.contains_key(name));
    reader.errors = errors;
    let mut traces = Vec::new();
    for raw in reader.usable(&raw) {
        if reader.errors.len() >= MOST_ERRORS {
            break;
        }
        traces.extend(reader.trace(raw));
    }
    if traces.is_empty() && reader.errors.is_empty() {
        let begun = raw.first().map_or(0..0, |raw| raw.span.clone());
        reader.errors.push(match raw.is_empty() {
            true => Diagnostic::error(begun, "there is no trace")
                .label("expected NuSMV's output or JSON")
                .help("a trace begins with a line such as `-> State: 1.1 <-`"),
            false => Diagnostic::error(begun, "this trace has no state").help(
                "NuSMV gives up printing a trace when a definition divides by zero: remove the \
                 definition",
            ),
        });
    }
    if reader.errors.is_empty() { Ok(traces) } else { Err(reader.errors) }
}

/// What a name of a trace denotes.
#[derive(Clone, Copy)]
enum Named {
    Variable(VariableId),
    /// The index of a listed definition.
    Definition(usize),
}

/// A value of a definition: in which step, which definition, and where it is written.
struct Claim<'r> {
    position: usize,
    definition: usize,
    entry: &'r Entry,
}

struct Reader<'m> {
    text: &'m str,
    model: &'m FlatModel,
    states: Layout<'m>,
    inputs: Layout<'m>,
    names: FxHashMap<&'m str, Named>,
    /// Made for the first trace with definitions.
    definitions: Option<Definitions<'m>>,
    errors: Vec<Diagnostic>,
}

impl<'m> Reader<'m> {
    fn new(text: &'m str, model: &'m FlatModel) -> Self {
        let mut names = FxHashMap::default();
        for (index, definition) in model.listing.definitions.iter().enumerate() {
            names.insert(definition.name.as_str(), Named::Definition(index));
        }
        for (index, variable) in model.variables.iter().enumerate() {
            names.insert(variable.name.as_str(), Named::Variable(VariableId(index as u32)));
        }
        Reader {
            text,
            model,
            states: Layout::of_states(model),
            inputs: Layout::of_inputs(model),
            names,
            definitions: None,
            errors: Vec::new(),
        }
    }

    /// The traces that have a state, with values unless that is true of none.
    fn usable<'r>(&self, raw: &'r [RawTrace]) -> Vec<&'r RawTrace> {
        let with_states: Vec<_> = raw.iter().filter(|raw| !raw.blocks.is_empty()).collect();
        let has_values = |raw: &&RawTrace| {
            let mut names =
                raw.blocks[0].entries.iter().map(|entry| &self.text[entry.name.clone()]);
            names.any(|name| !matches!(self.names.get(name), Some(Named::Definition(_))))
        };
        let with_values: Vec<_> = with_states.iter().copied().filter(has_values).collect();
        if with_values.is_empty() || self.states.variables().is_empty() {
            return with_states;
        }
        with_values
    }

    /// The trace of some blocks. Without a value, an error was reported.
    fn trace(&mut self, raw: &RawTrace) -> Option<ReadTrace> {
        let before = self.errors.len();
        let number = raw.blocks[0].number.0;
        let mut trace = ReadTrace {
            states: Vec::new(),
            inputs: Vec::new(),
            ending: Ending::Finite,
            names: Names::Numbered(number),
            span: raw.span.clone(),
            places: Vec::new(),
        };
        let mut claims = Vec::new();
        let mut values: Vec<Option<Value>> = vec![None; self.model.variables.len()];
        for (place, block) in raw.blocks.iter().enumerate() {
            let follows_input = place > 0 && raw.blocks[place - 1].kind == BlockKind::Input;
            self.check_number(block, number, trace.states.len() + 1, follows_input)?;
            self.entries(block, trace.states.len(), &mut values, &mut claims);
            if self.errors.len() > before {
                return None;
            }
            if block.kind == BlockKind::State {
                self.add_state(block, &values, &mut trace)?;
            }
        }
        if let Some(last) = raw.blocks.last().filter(|last| last.kind == BlockKind::Input) {
            let error = Diagnostic::error(last.span.clone(), "this step leads to no state");
            self.errors.push(error.label("the end of the trace").help("a trace ends with a state"));
            return None;
        }
        self.check_claims(&trace, &claims);
        self.read_marks(raw, &mut trace);
        (self.errors.len() == before).then_some(trace)
    }

    /// States are numbered one by one from 1, and inputs have the number of the state after them.
    fn check_number(
        &mut self,
        block: &Block,
        trace: usize,
        expected: usize,
        follows_input: bool,
    ) -> Option<()> {
        let span = block.span.clone();
        let error = if block.number != (trace, expected) {
            let what = match block.kind {
                BlockKind::State => "State",
                BlockKind::Input => "Input",
            };
            Diagnostic::error(span, "the numbers of this trace are wrong")
                .label(format!("expected `-> {what}: {trace}.{expected} <-`"))
                .help("states are numbered from 1, and a step has the number of the next state")
        } else if block.kind == BlockKind::Input && (expected == 1 || follows_input) {
            Diagnostic::error(span, "a step without a state before it").label(match expected {
                1 => "a trace begins with a state",
                _ => "the inputs of this step were given before",
            })
        } else {
            return Some(());
        };
        self.errors.push(error);
        None
    }

    /// Takes the values of a block, which belongs to the state with this index or leads to it.
    fn entries<'r>(
        &mut self,
        block: &'r Block,
        position: usize,
        values: &mut [Option<Value>],
        claims: &mut Vec<Claim<'r>>,
    ) {
        let mut given: Vec<VariableId> = Vec::with_capacity(block.entries.len());
        for entry in &block.entries {
            if self.errors.len() >= MOST_ERRORS {
                return;
            }
            let name = &self.text[entry.name.clone()];
            let id = match self.names.get(name) {
                Some(&Named::Variable(id)) => id,
                Some(&Named::Definition(definition)) => {
                    let position = position - usize::from(block.kind == BlockKind::Input);
                    claims.push(Claim { position, definition, entry });
                    continue;
                }
                None => {
                    self.errors.push(unknown_variable(entry.name.clone(), name, self.model));
                    continue;
                }
            };
            let variable = self.model.variable(id);
            let is_input = variable.kind == VariableKind::Input;
            if is_input != (block.kind == BlockKind::Input) {
                self.errors.push(misplaced(entry, name, is_input));
                continue;
            }
            let text = &self.text[entry.value.clone()];
            match self.model.read_value(&variable.domain, text) {
                Some(value) => values[id.index()] = Some(value),
                None => {
                    self.errors.push(wrong_value(entry.value.clone(), self.model, id, text));
                }
            }
            given.push(id);
        }
        given.sort_unstable();
        if let Some(pair) = given.windows(2).find(|pair| pair[0] == pair[1]) {
            let name = &self.model.variable(pair[0]).name;
            let error = Diagnostic::error(block.span.clone(), format!("`{name}` has two values"));
            self.errors.push(error.label("in this block").help("remove one of them"));
        }
    }

    /// Adds a state, with the inputs of the step that leads to it.
    fn add_state(
        &mut self,
        block: &Block,
        values: &[Option<Value>],
        trace: &mut ReadTrace,
    ) -> Option<()> {
        let value = |id: VariableId| values[id.index()];
        let (position, span) = (trace.states.len(), block.span.clone());
        if position > 0 {
            let what = format!("the step to state {}", trace.name(position));
            let inputs = complete(&self.inputs, self.model, &what, span.clone(), value);
            trace.inputs.push(inputs.map_err(|error| self.errors.push(error)).ok()?);
        }
        let what = format!("state {}", trace.name(position));
        let state = complete(&self.states, self.model, &what, span.clone(), value);
        trace.states.push(state.map_err(|error| self.errors.push(error)).ok()?);
        trace.places.push(span);
        Some(())
    }

    /// Compares values of definitions with those of the model.
    fn check_claims(&mut self, trace: &ReadTrace, claims: &[Claim<'_>]) {
        let definitions = match claims {
            [] => return,
            _ => self.definitions.get_or_insert_with(|| Definitions::new(self.model)),
        };
        let mut evaluated = None;
        for claim in claims {
            if evaluated != Some(claim.position) {
                evaluated = Some(claim.position);
                let state = &trace.states[claim.position];
                let step = trace.inputs.get(claim.position);
                let next = trace.states.get(claim.position + 1);
                let (states, inputs) = (&self.states, &self.inputs);
                definitions.run(|id, time| match time {
                    Time::Current => states
                        .value(state, id)
                        .or_else(|| step.and_then(|step| inputs.value(step, id))),
                    Time::Next => next.and_then(|next| states.value(next, id)),
                });
            }
            let text = &self.text[claim.entry.value.clone()];
            let known = definitions.text(claim.definition).map(|(text, _)| text);
            if known.as_deref() == Some(text) || !is_value(self.model, text) {
                continue;
            }
            let Definition { name, body, .. } = &self.model.listing.definitions[claim.definition];
            if has_narrow_interval(&self.model.expressions, *body) {
                continue;
            }
            let error = Diagnostic::error(
                claim.entry.value.clone(),
                format!("the definition `{name}` does not have this value"),
            );
            self.errors.push(match known {
                Some(known) => error.label(format!("it is {known} by the values of the variables")),
                None => error.label("it has no value here"),
            });
            if self.errors.len() >= MOST_ERRORS {
                return;
            }
        }
    }

    /// Takes the marks of loops.
    fn read_marks(&mut self, raw: &RawTrace, trace: &mut ReadTrace) {
        let states = raw.blocks.iter().filter(|block| block.kind == BlockKind::State);
        let mut starts = Vec::new();
        for (position, block) in states.enumerate() {
            let Some(mark) = &block.mark else { continue };
            let problem = match trace.states.split_last() {
                Some((_, before)) if position == before.len() => {
                    Some("this is the last state".to_owned())
                }
                Some((last, before)) => self.difference(&before[position], last),
                None => None,
            };
            match problem {
                None => starts.push(position),
                Some(problem) => self.errors.push(
                    Diagnostic::error(mark.clone(), "no loop starts here").label(problem).help(
                        "the last state of a trace with a loop repeats the one after the mark",
                    ),
                ),
            }
        }
        if !starts.is_empty() {
            trace.ending = Ending::Repetition(starts);
        }
    }

    /// A variable that has different values in two states, in words. Frozen variables do not count:
    /// if one changes, no step of the model does that.
    fn difference(&self, state: &State, last: &State) -> Option<String> {
        let value = |state, id| self.states.value(state, id);
        let is_frozen = |id: VariableId| self.model.variable(id).kind == VariableKind::Frozen;
        let mut variables = self.states.variables().iter().filter(|&&id| !is_frozen(id));
        let id = *variables.find(|&&id| value(state, id) != value(last, id))?;
        let show = |state| value(state, id).map(|value| self.model.show(value)).unwrap_or_default();
        let name = &self.model.variable(id).name;
        Some(format!("`{name}` is {} here, and {} in the last state", show(state), show(last)))
    }
}

/// Whether a text consists of values. NuSMV sometimes shows an expression that it has not
/// evaluated, such as `red != 7`.
fn is_value(model: &FlatModel, text: &str) -> bool {
    let mut words = text.split([' ', ',', '(', ')']).filter(|word| !word.is_empty());
    words.all(|word| {
        matches!(word, "TRUE" | "FALSE" | "union" | "..")
            || word.parse::<i32>().is_ok()
            || word_literal(word.strip_prefix('-').unwrap_or(word)).is_some()
            || model.symbols.iter().any(|symbol| symbol == word)
    })
}

/// Whether an expression has an interval with one element. NuSMV computes wrong values in traces
/// for membership in one.
fn has_narrow_interval(expressions: &FlatExpressions, root: FlatExpression) -> bool {
    let below = Below::of(expressions, &[root]);
    let mut terms = below.iter().map(|expression| expressions.term(expression));
    terms.any(|term| matches!(term, FlatTerm::Interval(low, high) if low == high))
}

/// An input among the values of a state, or the other way round.
fn misplaced(entry: &Entry, name: &str, is_input: bool) -> Diagnostic {
    let (what, place) = match is_input {
        true => ("an input", "after `-> Input: .. <-`"),
        false => ("no input", "after `-> State: .. <-`"),
    };
    Diagnostic::error(entry.name.clone(), format!("`{name}` is {what}"))
        .label("it has no value here")
        .help(format!("its values stand {place}"))
}
