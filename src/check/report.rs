//! Prints the outcomes of properties: verdict lines with traces, or JSON.

use std::path::PathBuf;

use anyhow::Context;
use kermode::base::quoting::escape_controls;
use kermode::ltl::timeline::Extent;
use kermode::smv::syntax::PropertyKind;
use kermode::smv::trace::nusmv::{DEMONSTRATED, Heading, Marks, property_text, verdict_line};
use kermode::smv::trace::table::{TableOptions, write_table};
use kermode::smv::trace::{json as json_trace, nusmv, vcd};
use kermode::solve::check::{
    CheckOutcome, CheckVerdict, CheckWarning, CheckedKind, Checker, Counterexample, Property,
};
use kermode::solve::engines::ctl::ComputeResult;
use kermode::solve::question::{shell_word, unknown};
use kermode::solve::{InternalError, LeftOut, NodeSample};
use serde_json::{Map, Value, json};

use crate::args::{Check, FinitePaths, ShowWitness, TraceFormat};
use crate::certificate::Certified;
use crate::input::Text;
use crate::report::{
    complain, complain_of_failures, failures_json, print_line, print_text, race_json, screen,
    show_race,
};
use crate::status::Status;

/// Prints outcomes one after the other.
pub(super) struct CheckReport<'c> {
    args: &'c Check,
    model: &'c Text,
    checker: &'c Checker,
    /// The number of traces shown so far.
    traces: usize,
    /// What was said before verdicts.
    warned: Vec<CheckWarning>,
}

impl<'c> CheckReport<'c> {
    pub(super) fn new(args: &'c Check, model: &'c Text, checker: &'c Checker) -> Self {
        CheckReport { args, model, checker, traces: 0, warned: Vec::new() }
    }

    /// Prints the outcome of a property; in JSON with what is known of its proof.
    pub(super) fn show(
        &mut self,
        property: &Property,
        outcome: &CheckOutcome,
        certified: Option<&Certified>,
    ) -> anyhow::Result<Status> {
        for &warning in &outcome.warnings {
            if !self.warned.contains(&warning) {
                self.warned.push(warning);
                let what = if warning.is_note() { "note" } else { "warning" };
                complain(&format!("{what}: {warning}\n"));
            }
        }
        if let Err(error) = &outcome.result {
            complain(&self.internal_error(property, outcome, error));
        }
        complain_of_failures(&outcome.entrants);
        let (output, racing) = (self.args.output, &self.args.racing);
        if output.json {
            let mut object = self.json(property, outcome);
            object.extend(certified.into_iter().flat_map(Certified::json));
            print_line(&Value::Object(object).to_string())?;
        } else if output.quiet {
            print_line(&verdict(outcome))?;
        } else {
            print_line(&self.line(property, outcome))?;
        }
        if let Ok(CheckVerdict::Violated(found)) = &outcome.result {
            self.trace(property, found.as_deref())?;
        }
        if (racing.race || racing.all) && !output.json {
            show_race(&outcome.entrants, &verdict_of_engine)?;
        }
        if let (false, Some(covered)) = (output.json || output.quiet, covered(outcome)) {
            print_line(&covered)?;
        }
        if output.stats && !output.json && !output.quiet {
            statistics(outcome)?;
        }
        Ok(status(outcome))
    }

    /// Prints what is known of the proof of a verdict that is printed, and returns the status of
    /// both.
    pub(super) fn certified(
        &self,
        certified: &Certified,
        status: Status,
    ) -> anyhow::Result<Status> {
        let output = self.args.output;
        if !output.json && !output.quiet {
            print_line(&certified.line())?;
        }
        Ok(certified.status(status))
    }

    /// The verdict line, in the format of NuSMV if traces are.
    fn line(&self, property: &Property, outcome: &CheckOutcome) -> String {
        let verdict = verdict(outcome);
        let kind = nusmv_kind(property.kind);
        if let (TraceFormat::Nusmv, Some(kind)) = (self.args.showing.trace_format, kind) {
            let declared = property.number.and_then(|number| {
                let model = self.checker.model();
                property_text(model.file(), &model.flat.properties[number - 1])
            });
            let text = declared.unwrap_or_else(|| property.text.clone());
            let result = match &outcome.result {
                Ok(CheckVerdict::Holds) => "true".to_owned(),
                Ok(CheckVerdict::Violated(_)) => "false".to_owned(),
                Ok(CheckVerdict::Computed(ComputeResult::Infinite)) => "infinity".to_owned(),
                _ => verdict,
            };
            return verdict_line(kind, &text, &property.instance, &result).trim_end().to_owned();
        }
        format!("{}: {verdict}", escape_controls(&property.label()))
    }

    /// Shows the trace of a property that is violated, or says why there is none.
    fn trace(
        &mut self,
        property: &Property,
        found: Result<&Counterexample, &LeftOut>,
    ) -> anyhow::Result<()> {
        let (showing, output) = (&self.args.showing, self.args.output);
        let silent = output.json || output.quiet;
        let found = match found {
            Ok(found) => found,
            Err(_) if silent || showing.witness == ShowWitness::None => return Ok(()),
            Err(reason) => {
                return Ok(print_line(&format!("  the trace is left out: {reason}"))?);
            }
        };
        self.traces += 1;
        if let Some(file) = &showing.trace_file {
            let file = self.numbered(file);
            let cannot = || format!("cannot write `{}`", file.display());
            std::fs::write(&file, self.text(property, found)).with_context(cannot)?;
            if !silent {
                print_line(&format!("  the trace is in {}", file.display()))?;
            }
        } else if !silent {
            if showing.trace_format == TraceFormat::Nusmv {
                print_text(DEMONSTRATED)?;
            }
            print_text(&self.text(property, found))?;
        }
        if !silent {
            let comment = if showing.trace_format == TraceFormat::Nusmv { "--" } else { " " };
            let mut claims = found.not_shown.iter();
            claims.try_for_each(|claim| {
                print_line(&format!("{comment} not shown by this path: {claim}"))
            })?;
        }
        Ok(())
    }

    /// The name of the file for the present trace.
    fn numbered(&self, file: &std::path::Path) -> PathBuf {
        if self.traces == 1 {
            return file.to_owned();
        }
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let ending = file.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
        file.with_file_name(format!("{stem}-{}{}", self.traces, ending.unwrap_or_default()))
    }

    /// The text of a trace.
    fn text(&self, property: &Property, found: &Counterexample) -> String {
        let (flat, trace) = (&self.checker.model().flat, &found.trace);
        let showing = &self.args.showing;
        match showing.trace_format {
            TraceFormat::Json => json_trace::write(flat, trace),
            TraceFormat::Vcd => vcd::write(flat, trace),
            TraceFormat::Nusmv => {
                let kind = nusmv_kind(property.kind).unwrap_or(PropertyKind::Invariant);
                let heading = Heading::counterexample(self.traces, kind);
                let starts: Vec<usize> = trace.loop_start.into_iter().collect();
                let marks = match kind {
                    PropertyKind::Ltl => Marks::Among(&starts),
                    _ => Marks::Equal,
                };
                nusmv::write(flat, trace, &heading, marks)
            }
            TraceFormat::Table => {
                let extent = match showing.witness {
                    ShowWitness::Full => Extent::All,
                    ShowWitness::Short | ShowWitness::None => Extent::Screen("--witness full"),
                };
                let options = TableOptions {
                    first: &found.variables,
                    all_variables: showing.all_variables,
                    extent,
                    screen: screen(),
                    ..TableOptions::default()
                };
                write_table(flat, trace, &options)
            }
        }
    }

    fn json(&self, property: &Property, outcome: &CheckOutcome) -> Map<String, Value> {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
        put("command", json!("check"));
        put("file", json!(self.model.name));
        put("kind", json!(property.kind.keyword()));
        if let Some(number) = property.number {
            put("number", json!(number));
        }
        if let Some(name) = &property.name {
            put("name", json!(name));
        }
        if let Some(line) = property.line {
            put("line", json!(line));
            put("instance", json!(property.instance));
        }
        match property.kind {
            CheckedKind::Automaton | CheckedKind::FiniteAutomaton => {
                put("automaton", json!(property.text));
                put("none", json!(property.wants_none()));
            }
            _ => put("formula", json!(property.text)),
        }
        if let Some(engine) = &outcome.engine {
            put("engine", json!(engine));
        }
        match &outcome.result {
            Err(error) => {
                put("error", json!({ "message": error.to_string() }));
                put("reproduce", json!(self.reproduce(property, outcome, error).join("\n")));
            }
            Ok(CheckVerdict::Computed(length)) => {
                let value = match length {
                    ComputeResult::Steps(steps) => json!(steps),
                    other => json!(other.to_string()),
                };
                put("value", value);
            }
            Ok(verdict) => {
                put("verdict", json!(verdict.word()));
                match verdict {
                    CheckVerdict::Unknown(stop) => put("reason", json!(stop.to_string())),
                    CheckVerdict::Holds | CheckVerdict::Computed(_) => {}
                    CheckVerdict::Violated(Err(reason)) => {
                        put("replayed", json!(false));
                        put("left_out", json!(reason.to_string()));
                    }
                    CheckVerdict::Violated(Ok(found)) => {
                        let flat = &self.checker.model().flat;
                        put("replayed", json!(true));
                        put("trace", json_trace::to_json(flat, &found.trace));
                        if !found.not_shown.is_empty() {
                            put("not_shown", json!(found.not_shown));
                        }
                    }
                }
            }
        }
        if !outcome.warnings.is_empty() {
            let warnings = outcome.warnings.iter().map(|warning| json!(warning.to_string()));
            put("warnings", warnings.collect());
        }
        if let Some(failures) = failures_json(&outcome.entrants) {
            put("failures", failures);
        }
        if self.args.racing.race || self.args.racing.all {
            put("race", race_json(&outcome.entrants, &verdict_of_engine));
        }
        if self.args.output.stats {
            put("statistics", statistics_json(outcome));
        }
        object
    }

    fn internal_error(
        &self,
        property: &Property,
        outcome: &CheckOutcome,
        error: &InternalError,
    ) -> String {
        let mut text =
            format!("internal error: {error}\nthis is a bug in Kermode; reproduce it with\n");
        let commands = self.reproduce(property, outcome, error);
        commands.iter().for_each(|command| text.push_str(&format!("  {command}\n")));
        text
    }

    /// The options that ask for an automaton.
    fn automaton(&self, property: &Property) -> String {
        let asked = &self.args.asked;
        let names = asked.automaton.iter().map(|file| file.display().to_string());
        let file = names.filter(|name| property.text.starts_with(name)).max_by_key(String::len);
        let mut options = format!(" --automaton {}", shell_word(file.as_deref().unwrap_or("-")));
        if asked.none {
            options += " --none";
        }
        if let Some(file) = &asked.atoms {
            options += &format!(" --atoms {}", shell_word(&file.display().to_string()));
        }
        options
    }

    /// The commands that check the property again, one per engine that is wrong.
    fn reproduce(
        &self,
        property: &Property,
        outcome: &CheckOutcome,
        error: &InternalError,
    ) -> Vec<String> {
        let engines = match error {
            InternalError::Disagreement { nonempty, empty } => {
                vec![nonempty.clone(), empty.clone()]
            }
            InternalError::WitnessFails { engine, .. } => vec![engine.clone()],
            InternalError::Panic { .. } => outcome.engine.iter().cloned().collect(),
        };
        let command = self.command(property);
        match engines.is_empty() {
            true => vec![command],
            false => engines.iter().map(|e| format!("{command} -e {}", shell_word(e))).collect(),
        }
    }

    /// The command that checks the property, without engine.
    fn command(&self, property: &Property) -> String {
        let mut command = format!("kermode check {}", shell_word(&self.model.name));
        for definition in &self.args.source.definitions {
            command += &format!(" -D {}", shell_word(definition));
        }
        command += &match (property.number, property.kind) {
            (Some(number), _) => format!(" --property {number}"),
            (None, CheckedKind::Ctl) => format!(" --ctl {}", shell_word(&property.text)),
            (None, CheckedKind::Invariant) => {
                format!(" --invariant {}", shell_word(&property.text))
            }
            (None, CheckedKind::Deadlock) => " --deadlock".to_owned(),
            (None, CheckedKind::Automaton | CheckedKind::FiniteAutomaton) => {
                self.automaton(property)
            }
            (None, _) => format!(" -p {}", shell_word(&property.text)),
        };
        if let (Some(dialect), None) = (self.args.asked.syntax, property.number) {
            command += &format!(" --syntax {}", dialect.name());
        }
        command += match self.args.finite {
            None => "",
            Some(FinitePaths::All) => " --finite",
            Some(FinitePaths::Maximal) => " --finite=maximal",
        };
        if let Some(file) = &self.args.source.order_file {
            command += &format!(" --order-file {}", shell_word(&file.display().to_string()));
        }
        for assumed in &self.args.assume {
            command += &format!(" --assume {}", shell_word(assumed));
        }
        command
    }
}

/// The verdict of an engine that says whether there is a counterexample.
fn verdict_of_engine(is_violated: bool) -> String {
    if is_violated { "violated" } else { "holds" }.to_owned()
}

/// The kind of specification that NuSMV has for a property.
fn nusmv_kind(kind: CheckedKind) -> Option<PropertyKind> {
    match kind {
        CheckedKind::Ltl | CheckedKind::FiniteLtl => Some(PropertyKind::Ltl),
        CheckedKind::Invariant => Some(PropertyKind::Invariant),
        CheckedKind::Ctl => Some(PropertyKind::Ctl),
        CheckedKind::ComputeMin => Some(PropertyKind::ComputeMin),
        CheckedKind::ComputeMax => Some(PropertyKind::ComputeMax),
        CheckedKind::Automaton
        | CheckedKind::FiniteAutomaton
        | CheckedKind::Deadlock
        | CheckedKind::Psl => None,
    }
}

/// The verdict as it is printed.
fn verdict(outcome: &CheckOutcome) -> String {
    match &outcome.result {
        Err(_) => "internal error".to_owned(),
        Ok(CheckVerdict::Unknown(stop)) => unknown(stop),
        Ok(CheckVerdict::Computed(length)) => length.to_string(),
        Ok(verdict) => verdict.word().to_owned(),
    }
}

fn status(outcome: &CheckOutcome) -> Status {
    match &outcome.result {
        Err(_) => Status::Internal,
        Ok(CheckVerdict::Holds | CheckVerdict::Computed(_)) => Status::Yes,
        Ok(CheckVerdict::Violated(_)) => Status::No,
        Ok(CheckVerdict::Unknown(_)) => Status::Unknown,
    }
}

/// At most this many samples of nodes are in one line.
const SHOWN_SAMPLES: usize = 8;

fn seconds(sample: &NodeSample) -> f64 {
    sample.microseconds as f64 / 1e6
}

/// What an explicit search had seen when it was stopped.
fn covered(outcome: &CheckOutcome) -> Option<String> {
    let Ok(CheckVerdict::Unknown(_)) = &outcome.result else { return None };
    let count = |wanted: &str| {
        let found = outcome.statistics.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, count)| count)
    };
    let (states, transitions) = (count("states_met")?, count("transitions_touched")?);
    Some(format!("  the search had met {states} states by {transitions} transitions"))
}

fn statistics(outcome: &CheckOutcome) -> std::io::Result<()> {
    if let Some(engine) = &outcome.engine {
        print_line(&format!("  engine: {engine}"))?;
    }
    print_line(&format!("  wall time: {:.6} s", outcome.wall.as_secs_f64()))?;
    print_line(&format!("  CPU time: {:.6} s", outcome.cpu.as_secs_f64()))?;
    let mut counted = outcome.statistics.iter();
    counted.try_for_each(|(name, value)| print_line(&format!("  {name}: {value}")))?;
    let samples = &outcome.statistics.timeline;
    if samples.len() < 2 {
        return Ok(());
    }
    // A line has room for some of the samples; the last one is always shown.
    let every = samples.len().div_ceil(SHOWN_SAMPLES);
    let shown = samples.iter().rev().step_by(every).collect::<Vec<_>>().into_iter().rev();
    let shown = shown.map(|sample| format!("{} at {:.2} s", sample.nodes, seconds(sample)));
    print_line(&format!("  nodes over time: {}", shown.collect::<Vec<_>>().join(", ")))
}

fn statistics_json(outcome: &CheckOutcome) -> Value {
    let mut object = Map::new();
    object.insert("wall_seconds".to_owned(), json!(outcome.wall.as_secs_f64()));
    object.insert("cpu_seconds".to_owned(), json!(outcome.cpu.as_secs_f64()));
    let counted = outcome.statistics.iter();
    object.extend(counted.map(|(name, value)| (name.to_owned(), json!(value))));
    let samples = &outcome.statistics.timeline;
    if !samples.is_empty() {
        let samples = samples.iter().map(|sample| json!([seconds(sample), sample.nodes]));
        object.insert("nodes_over_time".to_owned(), samples.collect());
    }
    Value::Object(object)
}
