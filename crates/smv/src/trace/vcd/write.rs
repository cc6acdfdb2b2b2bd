//! Writes a value change dump.

use std::fmt::Write;

use super::{LOOP, MAIN, OWN_SCOPE, escape};
use crate::flat::{Domain, FlatModel, Value, VariableId};
use crate::interpreter::{Layout, Trace};
use crate::syntax::VariableKind;

/// The text of a trace.
pub fn write(model: &FlatModel, trace: &Trace) -> String {
    let mut text = header(model, trace);
    let event = code(model.variables.len());
    let (states, inputs) = (Layout::of_states(model), Layout::of_inputs(model));
    let mut written: Vec<Option<String>> = vec![None; model.variables.len()];
    for time in 0..=trace.states.len() {
        let _ = writeln!(text, "#{time}");
        // After the last state comes the one where the loop begins.
        let place = match trace.loop_start {
            Some(start) if time == trace.states.len() => start,
            _ => time,
        };
        if Some(place) == trace.loop_start {
            let _ = writeln!(text, "1{event}");
        }
        let Some(state) = trace.states.get(place) else { break };
        for (index, variable) in model.variables.iter().enumerate() {
            let id = VariableId(index as u32);
            let value = match variable.kind {
                VariableKind::Input => {
                    trace.inputs.get(place).and_then(|step| inputs.value(step, id))
                }
                VariableKind::State | VariableKind::Frozen => states.value(state, id),
            };
            let change = change(model, &variable.domain, value, &code(index));
            if written[index].as_ref() != Some(&change) {
                text.push_str(&change);
                text.push('\n');
                written[index] = Some(change);
            }
        }
    }
    text
}

fn header(model: &FlatModel, trace: &Trace) -> String {
    let ending = match trace.loop_start {
        Some(start) => format!("the last one is followed by state {start} again"),
        None => "no loop".to_owned(),
    };
    let mut text = format!("$comment a trace with {} states, {ending} $end\n", trace.states.len());
    text.push_str("$version Kermode $end\n$timescale 1 ns $end\n");
    let mut variables: Vec<(Vec<&str>, usize)> = Vec::with_capacity(model.variables.len());
    for (index, variable) in model.variables.iter().enumerate() {
        variables.push((path(&variable.name), index));
    }
    // Variables of one scope stand together.
    variables.sort_by(|(a, _), (b, _)| a[..a.len() - 1].cmp(&b[..b.len() - 1]));
    let _ = writeln!(text, "$scope module {MAIN} $end");
    let mut open: Vec<&str> = Vec::new();
    for (path, index) in variables {
        let Some((name, scopes)) = path.split_last() else { continue };
        let common = open.iter().zip(scopes).take_while(|(a, b)| a == b).count();
        for _ in common..open.len() {
            text.push_str("$upscope $end\n");
        }
        for scope in &scopes[common..] {
            let _ = writeln!(text, "$scope module {} $end", escape(scope));
        }
        open = scopes.to_vec();
        let (kind, bits) = match &model.variables[index].domain {
            Domain::Boolean => ("wire", 1),
            Domain::Range(..) => ("integer", 32),
            Domain::Word { width, .. } => ("wire", *width),
            Domain::Enumeration(_) => ("string", 1),
        };
        let _ = writeln!(text, "$var {kind} {bits} {} {} $end", code(index), escape(name));
    }
    for _ in 0..=open.len() {
        text.push_str("$upscope $end\n");
    }
    let event = code(model.variables.len());
    let _ = writeln!(text, "$scope module {OWN_SCOPE} $end\n$var event 1 {event} {LOOP} $end");
    text.push_str("$upscope $end\n$enddefinitions $end\n");
    text
}

/// The parts of a name between dots. A name with quotation marks is one part.
fn path(name: &str) -> Vec<&str> {
    match name.contains('"') {
        true => vec![name],
        false => name.split('.').collect(),
    }
}

/// The identifier code of a variable: its number in the printable characters as digits.
fn code(mut number: usize) -> String {
    let mut code = String::new();
    loop {
        code.push((b'!' + (number % 94) as u8) as char);
        number /= 94;
        if number == 0 {
            return code;
        }
        number -= 1;
    }
}

/// The line that gives a variable a value; without one it is unknown.
fn change(model: &FlatModel, domain: &Domain, value: Option<Value>, code: &str) -> String {
    match (domain, value) {
        (Domain::Enumeration(_), None) => format!("s {code}"),
        (Domain::Enumeration(_), Some(value)) => format!("s{} {code}", escape(&model.show(value))),
        (Domain::Boolean, None) => format!("x{code}"),
        (_, None) => format!("bx {code}"),
        (_, Some(Value::Boolean(value))) => format!("{}{code}", u8::from(value)),
        (_, Some(Value::Integer(value))) => format!("b{value:b} {code}"),
        (_, Some(Value::Word(word))) => {
            let width = usize::from(word.width);
            format!("b{:0width$b} {code}", word.bits)
        }
        (_, Some(Value::Symbol(_))) => unreachable!("only enumerations have symbols"),
    }
}
