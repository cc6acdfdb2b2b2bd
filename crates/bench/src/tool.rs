//! What a campaign runs: our engines, and other tools by a template of their command.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, UNIX_EPOCH};

use anyhow::bail;
use kermode_ltl::{Dialect, WordKind};
use kermode_solve::EngineSpec;
use serde_json::{Map, Value};
use tempfile::NamedTempFile;

use crate::inputs::{Input, Question};
use crate::manifest::Sign;
use crate::process::Ended;
use crate::record::Outcome;
use crate::shard::hash;

/// The longest complaint that is kept.
const MOST_DETAIL: usize = 300;

/// Linux takes no longer argument, its last zero included.
const MOST_ARGUMENT: usize = 128 << 10;

/// The most CPU time that an engine is left for starting, reading, and telling what it has found.
const MOST_TO_TELL: Duration = Duration::from_millis(250);

/// What programs say when the limit on their address space is met: Rust, C++, the C library,
/// shells, Python.
const NO_MEMORY: [&str; 5] =
    ["memory allocation of", "bad_alloc", "cannot allocate memory", "out of memory", "memoryerror"];

/// What the portfolio is called among the engines.
pub(crate) const PORTFOLIO: &str = "portfolio";

/// A way to a verdict: one of our engines, the portfolio, or another program.
#[derive(Clone, Debug)]
pub struct Tool {
    name: String,
    /// The command and the build of its program, wherever they stand.
    identity: String,
    kind: ToolKind,
}

#[derive(Clone, Debug)]
enum ToolKind {
    /// Our own command, with these options.
    Own {
        program: PathBuf,
        options: Vec<String>,
    },
    Other(OtherTool),
}

/// A tool that is not ours.
#[derive(Clone, Debug)]
pub(crate) struct OtherTool {
    pub(crate) name: String,
    pub(crate) program: PathBuf,
    /// Arguments with `{formula}`, `{file}` and `{property}` in them.
    pub(crate) arguments: Vec<String>,
    /// What it reads.
    pub(crate) dialect: Dialect,
    /// The signs of its verdicts; the first that is seen counts.
    pub(crate) signs: Vec<(Outcome, Sign)>,
}

/// A command that is ready to be run on an input.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// The program and its arguments.
    pub(crate) words: Vec<OsString>,
    /// The formula or the model, for its standard input.
    pub(crate) stdin: String,
    /// The file that holds the formula or the model, for as long as this lives.
    _file: Option<NamedTempFile>,
}

/// What a tool said.
#[derive(Debug)]
pub(crate) struct ToolOutput {
    pub(crate) outcome: Outcome,
    pub(crate) detail: Option<String>,
    pub(crate) witness_letters: Option<u64>,
    pub(crate) replayed: Option<bool>,
    pub(crate) statistics: Map<String, Value>,
}

impl Tool {
    /// One of our engines, asked for words or for verdicts alone.
    pub(crate) fn engine(kermode: &Path, engine: &EngineSpec, witness: bool) -> Self {
        let name = engine.to_string();
        Tool::own(kermode, name.clone(), &["--engine", &name], witness)
    }

    /// All our engines, one at a time.
    pub(crate) fn portfolio(kermode: &Path, witness: bool) -> Self {
        Tool::own(kermode, PORTFOLIO.to_owned(), &["--jobs", "1"], witness)
    }

    fn own(kermode: &Path, name: String, options: &[&str], witness: bool) -> Self {
        let build = build_of(kermode);
        let silent: &[&str] = if witness { &[] } else { &["--witness", "none"] };
        let identity = [build.as_str()].iter().chain(silent).copied().collect::<Vec<_>>().join(" ");
        let options = options.iter().chain(silent).map(ToString::to_string).collect();
        let program = kermode.to_owned();
        Tool { name, identity, kind: ToolKind::Own { program, options } }
    }

    /// Another tool.
    pub(crate) fn other(other: OtherTool) -> Self {
        let OtherTool { name, program, arguments, dialect, signs } = &other;
        let identity = format!("{} {arguments:?} {dialect:?} {signs:?}", build_of(program));
        Tool { name: name.clone(), identity, kind: ToolKind::Other(other) }
    }

    /// What records call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it does with an input, in a number: another command, another build of the program and
    /// another input have another one.
    pub(crate) fn fingerprint(&self, input: &Input) -> String {
        format!("{:016x}", hash(&format!("{}\n{}", self.identity, input.identity())))
    }

    /// The command for an input, on which it may use so much CPU time.
    pub(crate) fn prepare(&self, input: &Input, cpu: Duration) -> anyhow::Result<Prepared> {
        match &self.kind {
            ToolKind::Own { program, options } => prepare_own(program, options, input, cpu),
            ToolKind::Other(other) => other.prepare(input),
        }
    }

    /// What the end of a run means.
    pub(crate) fn read(&self, ended: &Ended) -> ToolOutput {
        if let Some(limit) = ended.exceeded {
            return ToolOutput::only(limit, None);
        }
        match &self.kind {
            ToolKind::Own { .. } => read_own(ended),
            ToolKind::Other(other) => other.read(ended),
        }
    }
}

impl OtherTool {
    fn prepare(&self, input: &Input) -> anyhow::Result<Prepared> {
        let (text, suffix) = match &input.question {
            Question::Formula(formula) => (formula.written(self.dialect)? + "\n", ".ltl"),
            Question::Property(property) => (property.model(), ".smv"),
        };
        let needs_file = self.arguments.iter().any(|argument| argument.contains("{file}"));
        let file = needs_file.then(|| file_with(&text, suffix)).transpose()?;
        let path = file.as_ref().map(|file| file.path().display().to_string()).unwrap_or_default();
        let property = input.property().map_or("", |property| &property.label);
        let values = [("{formula}", text.trim_end()), ("{file}", &path), ("{property}", property)];
        let mut words = vec![self.program.clone().into_os_string()];
        words.extend(self.arguments.iter().map(|argument| fill(argument, &values).into()));
        if words.iter().any(|word| word.len() >= MOST_ARGUMENT) {
            bail!("the formula is too long for an argument; `{{file}}` has no such limit");
        }
        Ok(Prepared { words, stdin: text, _file: file })
    }

    fn read(&self, ended: &Ended) -> ToolOutput {
        let shown = self.signs.iter().find(|(_, sign)| sign.shows(ended.status, &ended.stdout));
        match shown {
            Some((outcome, _)) => ToolOutput::only(*outcome, None),
            None => ToolOutput::nothing(ended),
        }
    }
}

impl Sign {
    /// Whether the end of a run shows this sign. A process that a signal ended shows none.
    fn shows(&self, status: ExitStatus, stdout: &str) -> bool {
        let Some(code) = status.code() else { return false };
        self.exit.as_ref().is_none_or(|codes| codes.iter().any(|&c| i32::from(c) == code))
            && self.stdout.as_ref().is_none_or(|text| stdout.contains(text))
    }
}

impl ToolOutput {
    fn only(outcome: Outcome, detail: Option<String>) -> Self {
        let (witness_letters, replayed, statistics) = (None, None, Map::new());
        ToolOutput { outcome, detail, witness_letters, replayed, statistics }
    }

    /// That a run ended without a verdict: for want of memory, if it says so, or by a crash.
    fn nothing(ended: &Ended) -> Self {
        let complaints = ended.stderr.to_ascii_lowercase();
        let starved = NO_MEMORY.iter().any(|words| complaints.contains(words));
        let outcome = if starved { Outcome::MemoryLimit } else { Outcome::Crash };
        ToolOutput::only(outcome, Some(complaint(ended)))
    }

    /// That a tool could not even be run.
    pub(crate) fn not_run(error: &anyhow::Error) -> Self {
        ToolOutput::only(Outcome::Crash, Some(format!("{error:#}")))
    }
}

/// What tells a build of a program from others: its length and when it was written.
fn build_of(program: &Path) -> String {
    let Ok(data) = std::fs::metadata(program) else { return String::new() };
    let written = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    format!("{name} {} {}", data.len(), written.unwrap_or_default().as_nanos())
}

/// Our own command with these options.
fn prepare_own(
    program: &Path,
    options: &[String],
    input: &Input,
    cpu: Duration,
) -> anyhow::Result<Prepared> {
    let (asked, stdin): (Vec<&str>, String) = match &input.question {
        Question::Formula(formula) => {
            let (dialect, kind) = (formula.syntax.dialect, formula.syntax.words);
            let finite = (kind == WordKind::Finite).then_some("--finite");
            let asked = ["sat", "--whole", "--syntax", dialect.name()].into_iter().chain(finite);
            (asked.collect(), formula.written(dialect)?)
        }
        Question::Property(property) => {
            (vec!["check", "--property", &property.label], property.model())
        }
    };
    let cpu = format!("{}s", to_tell_in(cpu));
    let mut words = vec![program.as_os_str().to_owned()];
    words.extend(asked.into_iter().map(OsString::from));
    words.extend(options.iter().map(OsString::from));
    words.extend(["--json", "--stats", "--cpu", &cpu, "-"].map(OsString::from));
    Ok(Prepared { words, stdin, _file: None })
}

/// The seconds after which an engine ends by itself, so that it can still tell what it has found: a
/// verdict stands even if its word takes too long.
fn to_tell_in(cpu: Duration) -> f64 {
    (cpu - (cpu / 20).min(MOST_TO_TELL)).as_secs_f64()
}

/// Puts values in their places. What is put in is not looked at again.
fn fill(argument: &str, values: &[(&str, &str)]) -> String {
    match values {
        [] => argument.to_owned(),
        [(place, value), others @ ..] => {
            let parts = argument.split(place).map(|part| fill(part, others));
            parts.collect::<Vec<_>>().join(value)
        }
    }
}

fn file_with(text: &str, suffix: &str) -> std::io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix("kermode-").suffix(suffix).tempfile()?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}

/// Reads the JSON of `kermode sat` or of `kermode check`.
fn read_own(ended: &Ended) -> ToolOutput {
    let Ok(mut object) = serde_json::from_str::<Map<String, Value>>(ended.stdout.trim_end()) else {
        return ToolOutput::nothing(ended);
    };
    let text = |key: &str| object.get(key).and_then(Value::as_str).map(str::to_owned);
    let outcome = match text("verdict").as_deref() {
        Some("unknown") if text("reason").as_deref() == Some("timeout") => Outcome::CpuLimit,
        Some("unknown") => Outcome::Unknown,
        verdict => verdict.and_then(said).unwrap_or(Outcome::Crash),
    };
    let reason = object.get("error").map(|error| error["message"].as_str().unwrap_or("error"));
    let detail = text("reason").or(reason.map(str::to_owned));
    let replayed = object.get("replayed").and_then(Value::as_bool);
    let states = object.get("trace").and_then(|trace| trace["states"].as_array());
    let states = states.map(|states| states.len() as u64);
    let witness_letters = object.get("witness").map(letters).or(states);
    let statistics = match object.remove("statistics") {
        Some(Value::Object(statistics)) => statistics,
        _ => Map::new(),
    };
    ToolOutput { outcome, detail, witness_letters, replayed, statistics }
}

/// The verdict that our commands call so.
fn said(word: &str) -> Option<Outcome> {
    Outcome::of_formula(word).or_else(|| Outcome::of_property(word))
}

/// The letters of a word in all its parts.
fn letters(word: &Value) -> u64 {
    let parts = word.as_object().into_iter().flat_map(Map::values).filter_map(Value::as_array);
    parts.map(|part| part.len() as u64).sum()
}

/// How a run ended, and what it complained about.
fn complaint(ended: &Ended) -> String {
    let end = match (ended.status.code(), ended.status.signal()) {
        (Some(code), _) => format!("exit {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "no status".to_owned(),
    };
    let words: String = ended.stderr.trim().chars().take(MOST_DETAIL).collect();
    if words.is_empty() { end } else { format!("{end}: {words}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_into_a_template_is_not_a_template() {
        let filled = |argument: &str, formula: &str| {
            fill(argument, &[("{formula}", formula), ("{file}", "/x"), ("{property}", "p")])
        };
        assert_eq!(filled("-f={formula}", "{file}"), "-f={file}");
        assert_eq!(filled("{file}:{formula}", "a"), "/x:a");
        assert_eq!(filled("{property}{property}", "a"), "pp");
    }

    #[test]
    fn letters_are_counted_in_prefix_and_loop() {
        let word = serde_json::json!({ "prefix": [["a"], []], "loop": [["b"]] });
        assert_eq!(letters(&word), 3);
    }
}
