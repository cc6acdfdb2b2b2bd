//! What a model has: modules, variables, constraints, properties.

use indexmap::IndexMap;
use kermode_base::Source;
use kermode_smv::SmvModel;
use kermode_smv::syntax::{AssignmentKind, ConstraintKind, VariableKind};
use serde_json::{Map, Value, json};

use super::{ModelReport, counted};

/// Longer texts of properties are cut off, in characters.
const MOST_CHARACTERS: usize = 100;

pub(super) fn report(model: &SmvModel) -> ModelReport {
    let summary = Summary::of(model);
    let (text, json) = (summary.text(), summary.json());
    ModelReport { text, json, warnings: Vec::new(), stop: None }
}

/// A variable with its type, kind and bits.
struct VariableRow {
    name: String,
    kind: &'static str,
    domain: String,
    bits: usize,
}

/// A property with its number, place and text.
struct PropertyRow {
    kind: &'static str,
    name: Option<String>,
    instance: String,
    line: usize,
    text: String,
}

struct Summary {
    /// The modules with the numbers of their instances.
    modules: Vec<(String, usize)>,
    processes: bool,
    variables: Vec<VariableRow>,
    definitions: usize,
    /// Kinds of constraints and assignments with their numbers.
    constraints: Vec<(&'static str, usize)>,
    properties: Vec<PropertyRow>,
}

impl Summary {
    fn of(model: &SmvModel) -> Summary {
        let flat = &model.flat;
        let mut modules: IndexMap<String, usize> = IndexMap::new();
        for (_, module) in &flat.instances {
            *modules.entry(module.clone()).or_default() += 1;
        }
        let variables = flat.variables.iter().zip(&model.encoded.model.symbols);
        let variables = variables.map(|(variable, symbol)| VariableRow {
            name: variable.name.clone(),
            kind: kind_name(variable.kind),
            domain: symbol.domain.to_string(),
            bits: symbol.bits.len(),
        });
        let source = Source { name: "", text: model.text() };
        let properties = flat.properties.iter().map(|property| PropertyRow {
            kind: property.kind.keyword(),
            name: property.name.clone(),
            instance: property.instance.clone(),
            line: source.line_and_column(property.keyword.range().start).0,
            text: model.text().get(property.span.range()).map(one_line).unwrap_or_default(),
        });
        Summary {
            modules: modules.into_iter().collect(),
            processes: flat.process_selector.is_some(),
            variables: variables.collect(),
            definitions: flat.definitions.len(),
            constraints: constraints(model),
            properties: properties.collect(),
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let modules = self.modules.iter().map(|(module, instances)| match instances {
            1 => module.clone(),
            _ => format!("{module} ({instances} instances)"),
        });
        let processes = if self.processes { ", with processes" } else { "" };
        let list = modules.collect::<Vec<_>>().join(", ");
        text += &format!("{}{processes}: {list}\n", counted(self.modules.len(), "module"));
        text += &self.variable_lines();
        text += &format!("{}\n", counted(self.definitions, "definition"));
        let constraints: Vec<String> =
            self.constraints.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let total = self.constraints.iter().map(|(_, count)| count).sum();
        text += &format!("{}{}\n", counted(total, "constraint"), listed(&constraints));
        let total = self.properties.len();
        let noun = if total == 1 { "property" } else { "properties" };
        text += &format!("{total} {noun}\n");
        for (number, property) in (1_usize..).zip(&self.properties) {
            let PropertyRow { kind, name, instance, line, text: formula } = property;
            let name = name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
            let place = if instance.is_empty() { String::new() } else { format!(" in {instance}") };
            text += &format!("  {number}: {kind}{name}, line {line}{place}: {formula}\n");
        }
        text
    }

    fn variable_lines(&self) -> String {
        let of_kind = |kind: &str| {
            let rows = self.variables.iter().filter(move |row| row.kind == kind);
            rows.fold((0, 0), |(count, bits), row| (count + 1, bits + row.bits))
        };
        let kinds = ["state", "input", "frozen"].map(|kind| (kind, of_kind(kind)));
        let kinds = kinds.into_iter().filter(|(_, (count, _))| *count > 0);
        let kinds: Vec<String> = kinds
            .map(|(kind, (count, bits))| format!("{count} {kind} with {}", counted(bits, "bit")))
            .collect();
        let mut text = format!("{}{}\n", counted(self.variables.len(), "variable"), listed(&kinds));
        for VariableRow { name, kind, domain, bits } in &self.variables {
            let kind = if *kind == "state" { String::new() } else { format!("{kind} ") };
            text += &format!("  {kind}{name} : {domain} ({})\n", counted(*bits, "bit"));
        }
        text
    }

    fn json(&self) -> Map<String, Value> {
        let modules = self.modules.iter();
        let modules: Vec<Value> =
            modules.map(|(name, count)| json!({ "name": name, "instances": count })).collect();
        let variables = self.variables.iter().map(|row| {
            let VariableRow { name, kind, domain, bits } = row;
            json!({ "name": name, "kind": kind, "type": domain, "bits": bits })
        });
        let properties = (1..).zip(&self.properties).map(|(number, row): (usize, _)| {
            let PropertyRow { kind, name, instance, line, text } = row;
            json!({
                "number": number, "kind": kind, "name": name, "instance": instance, "line": line,
                "text": text,
            })
        });
        let constraints: Map<String, Value> =
            self.constraints.iter().map(|&(kind, count)| (kind.to_owned(), json!(count))).collect();
        Map::from_iter([
            ("modules".to_owned(), json!(modules)),
            ("processes".to_owned(), json!(self.processes)),
            ("variables".to_owned(), json!(variables.collect::<Vec<_>>())),
            ("definitions".to_owned(), json!(self.definitions)),
            ("constraints".to_owned(), Value::Object(constraints)),
            ("properties".to_owned(), json!(properties.collect::<Vec<_>>())),
        ])
    }
}

/// The kinds of constraints of a model with their numbers.
fn constraints(model: &SmvModel) -> Vec<(&'static str, usize)> {
    let flat = &model.flat;
    let conditions = |kind| flat.constraints.iter().filter(|c| c.kind == kind).count();
    let assignments = |kind| flat.assignments.iter().filter(|a| a.kind == kind).count();
    let all = [
        ("init assignments", assignments(AssignmentKind::Init)),
        ("next assignments", assignments(AssignmentKind::Next)),
        ("current assignments", assignments(AssignmentKind::Current)),
        ("INIT", conditions(ConstraintKind::Init)),
        ("TRANS", conditions(ConstraintKind::Trans)),
        ("INVAR", conditions(ConstraintKind::Invar)),
        ("JUSTICE", conditions(ConstraintKind::Justice)),
        ("COMPASSION", flat.compassion.len()),
    ];
    all.into_iter().filter(|(_, count)| *count > 0).collect()
}

fn kind_name(kind: VariableKind) -> &'static str {
    match kind {
        VariableKind::State => "state",
        VariableKind::Input => "input",
        VariableKind::Frozen => "frozen",
    }
}

/// A text on one line, cut off if it is long.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line,
    }
}

fn listed(parts: &[String]) -> String {
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) }
}
