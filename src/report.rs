//! The output for users and programs: a verdict line and a table, one JSON object per line, or a
//! single word. Results go to standard output, everything else to standard error.

use std::io::{self, IsTerminal, Write};

use kermode::base::quoting::escape_controls;
use kermode::base::{Diagnostic, LineMap, Source};
use kermode::ltl::Store;
use kermode::ltl::timeline::{Extent, Screen, Timeline};
use kermode::ltl::word::{to_alaska, to_spot};
use kermode::solve::portfolio::{End, Entrant};
use kermode::solve::question::unknown;
use kermode::solve::{InternalError, LeftOut, Problem, Stop, Verdict, Witness};
use serde_json::{Map, Value, json};

use crate::args::{Output, ShowWitness, Solving, WordFormat};
use crate::case::Case;
use crate::certificate::Certified;
use crate::input::ReadError;
use crate::session::Outcome;
use crate::status::Status;

/// Prints outcomes.
pub(crate) struct Reporter {
    output: Output,
    show: ShowWitness,
    format: WordFormat,
    /// Whether the outcomes of all engines are printed.
    race: bool,
}

impl Reporter {
    pub(crate) fn new(output: Output, solving: &Solving) -> Self {
        let race = solving.racing.race || solving.racing.all;
        Reporter { output, show: solving.witness, format: solving.word_format, race }
    }

    /// Prints the outcome of a problem.
    pub(crate) fn outcome(&self, problem: &Problem, outcome: &Outcome) -> io::Result<()> {
        let store = problem.store;
        if let Err(error) = &outcome.result {
            complain(&internal_error(store, outcome, error));
        }
        complain_of_failures(&outcome.entrants);
        if self.output.json {
            let mut object = outcome_json(store, outcome, self.output.stats);
            if self.race {
                object["race"] = race_json(&outcome.entrants, &answer_of(outcome));
            }
            return print_line(&object.to_string());
        }
        let verdict = outcome.question.line(&outcome.result);
        print_line(&labelled(outcome.case, &verdict, self.output.quiet))?;
        if !self.output.quiet {
            let mut order = outcome.case.order.iter();
            order.try_for_each(|assumed| print_line(&format!("  assuming {assumed}")))?;
        }
        if !self.output.quiet
            && let Ok(Verdict::Nonempty(witness)) = &outcome.result
        {
            self.witness(problem, outcome, witness)?;
        }
        if self.race {
            show_race(&outcome.entrants, &answer_of(outcome))?;
        }
        if self.output.stats && !self.output.quiet {
            self.statistics(outcome)?;
        }
        Ok(())
    }

    /// Whether verdicts are JSON objects, which also have what is known of a proof.
    pub(crate) fn is_json(&self) -> bool {
        self.output.json
    }

    /// Prints what is known of the proof of a verdict that is printed.
    pub(crate) fn certified(&self, certified: &Certified) -> io::Result<()> {
        match self.output.json || self.output.quiet {
            true => Ok(()),
            false => print_line(&certified.line()),
        }
    }

    fn witness(
        &self,
        problem: &Problem,
        outcome: &Outcome,
        witness: &Result<Witness, LeftOut>,
    ) -> io::Result<()> {
        let word = match witness {
            Ok(witness) => witness.word(),
            Err(_) if self.show == ShowWitness::None => return Ok(()),
            Err(reason) => {
                return print_line(&format!("  the word is left out: {reason}"));
            }
        };
        if let Some([first, second]) = outcome.sides {
            let (subject, says): (_, [&str; 2]) = match outcome.question.is_about_automata() {
                true => ("automaton", ["rejects", "accepts"]),
                false => ("formula", ["does not hold", "holds"]),
            };
            let [first, second] = [first, second].map(|holds| says[usize::from(holds)]);
            print_line(&format!("  first {subject} {first}, second {second}:"))?;
        }
        let (store, propositions) = (problem.store, problem.propositions());
        match self.format {
            WordFormat::Table | WordFormat::Spot if word.is_empty() => {
                print_line("  the empty word")
            }
            WordFormat::Spot => print_line(&format!("  {}", to_spot(store, word, &propositions))),
            WordFormat::Alaska => print_text(&to_alaska(store, word, &propositions)),
            WordFormat::Table => {
                let extent = match self.show {
                    ShowWitness::Full => Extent::All,
                    ShowWitness::Short | ShowWitness::None => Extent::Screen("--witness full"),
                };
                print_text(&Timeline::of_word(store, word, &propositions).render(extent, screen()))
            }
        }
    }

    /// Prints an input that could not be read, in its place among the verdicts. The error was
    /// reported before; the output of a single input needs no line in its place.
    pub(crate) fn unreadable(
        &self,
        command: &str,
        case: &Case,
        error: &ReadError,
    ) -> io::Result<()> {
        if self.output.json {
            let mut object = case_json(command, case);
            object.insert("error".to_owned(), error_json(Some(error)));
            return print_line(&Value::Object(object).to_string());
        }
        match case.label {
            Some(_) => print_line(&labelled(case, "error", self.output.quiet)),
            None => Ok(()),
        }
    }

    /// Prints an input whose budget ended before it was read.
    pub(crate) fn stopped(&self, command: &str, case: &Case, stop: &Stop) -> io::Result<()> {
        if self.output.json {
            let mut object = case_json(command, case);
            object.insert("verdict".to_owned(), json!("unknown"));
            object.insert("reason".to_owned(), json!(stop.to_string()));
            return print_line(&Value::Object(object).to_string());
        }
        print_line(&labelled(case, &unknown(stop), self.output.quiet))
    }

    /// Prints a text that leaves nothing to decide.
    pub(crate) fn refused(&self, command: &str, error: Option<&ReadError>) -> io::Result<()> {
        match self.output.json {
            true => print_refusal(command, error),
            false => Ok(()),
        }
    }

    fn statistics(&self, outcome: &Outcome) -> io::Result<()> {
        print_line(&format!("  engine: {}", outcome.engine))?;
        print_line(&format!("  wall time: {:.6} s", outcome.wall.as_secs_f64()))?;
        print_line(&format!("  CPU time: {:.6} s", outcome.cpu.as_secs_f64()))?;
        for (name, value) in outcome.statistics.iter() {
            print_line(&format!("  {name}: {value}"))?;
        }
        Ok(())
    }
}

/// Prints a question whose budget ended before its input was read.
pub(crate) fn stopped(command: &str, json: bool, stop: &Stop) -> io::Result<Status> {
    let object = json!({ "command": command, "verdict": "unknown", "reason": stop.to_string() });
    print_line(&if json { object.to_string() } else { unknown(stop) })?;
    Ok(Status::Unknown)
}

/// Prints that the budget of a command without a verdict ended; no part of its result is written.
pub(crate) fn gave_up(command: &str, json: bool, stop: &Stop) -> io::Result<Status> {
    let error = complaint(&anyhow::anyhow!("there is no result: {stop}"));
    if json {
        print_refusal(command, Some(&error))?;
    }
    Ok(Status::Unknown)
}

/// The JSON of a command whose input could not be read.
pub(crate) fn print_refusal(command: &str, error: Option<&ReadError>) -> io::Result<()> {
    print_line(&json!({ "command": command, "error": error_json(error) }).to_string())
}

pub(crate) fn error_json(error: Option<&ReadError>) -> Value {
    let object = error.map(|error| {
        let mut object = Map::new();
        object.insert("message".to_owned(), json!(error.message));
        if let Some(file) = &error.file {
            object.insert("file".to_owned(), json!(file));
        }
        if let Some((line, column)) = error.place {
            object.insert("line".to_owned(), json!(line));
            object.insert("column".to_owned(), json!(column));
            object.insert("help".to_owned(), json!(error.help));
        }
        object
    });
    json!(object)
}

pub(crate) fn labelled(case: &Case, verdict: &str, quiet: bool) -> String {
    match &case.label {
        Some(label) if !quiet => format!("{}: {verdict}", escape_controls(label)),
        _ => verdict.to_owned(),
    }
}

pub(crate) fn case_json(command: &str, case: &Case) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("command".to_owned(), json!(command));
    for (key, file) in
        [("container", &case.container), ("file", &case.file), ("equiv", &case.equiv)]
    {
        if let Some(file) = file {
            object.insert(key.to_owned(), json!(file));
        }
    }
    for (key, files) in [("and", &case.and), ("not", &case.not)] {
        if !files.is_empty() {
            object.insert(key.to_owned(), json!(files));
        }
    }
    match case.texts.as_slice() {
        [] => None,
        [formula] => object.insert("formula".to_owned(), json!(formula)),
        formulas => object.insert("formulas".to_owned(), json!(formulas)),
    };
    for (key, formulas) in [("assume", &case.assume), ("assumptions", &case.order)] {
        if !formulas.is_empty() {
            object.insert(key.to_owned(), json!(formulas));
        }
    }
    if let Some(name) = &case.name {
        object.insert("name".to_owned(), json!(name));
    }
    if let Some(line) = case.line {
        object.insert("line".to_owned(), json!(line));
    }
    object
}

/// One verdict as JSON.
fn outcome_json(store: &Store, outcome: &Outcome, stats: bool) -> Value {
    let mut object = case_json(outcome.question.command(), outcome.case);
    object.insert("words".to_owned(), json!(outcome.words.name()));
    object.insert("engine".to_owned(), json!(outcome.engine));
    match &outcome.result {
        Err(error) => {
            object.insert("error".to_owned(), json!({ "message": error.to_string() }));
            let again = outcome.reproduce(store).join("\n");
            object.insert("reproduce".to_owned(), json!(again));
        }
        Ok(verdict) => {
            object.extend(outcome.question.verdict_json(store, verdict));
            if let Some(sides) = outcome.sides {
                let key = if outcome.question.is_about_automata() { "accepts" } else { "holds" };
                object.insert(key.to_owned(), json!(sides));
            }
        }
    }
    object.extend(outcome.certified.iter().flat_map(Certified::json));
    object.extend(failures_json(&outcome.entrants).map(|failed| ("failures".to_owned(), failed)));
    if stats {
        object.insert("statistics".to_owned(), statistics_json(outcome));
    }
    Value::Object(object)
}

/// The engines of a portfolio that failed or took too much memory, with the reasons.
fn failures(entrants: &[Entrant]) -> impl Iterator<Item = (&Entrant, String)> {
    entrants.iter().filter_map(|entrant| match &entrant.end {
        End::Failed(reason) => Some((entrant, reason.clone())),
        End::Stopped(stop @ (Stop::Memory | Stop::Nodes)) => Some((entrant, stop.to_string())),
        _ => None,
    })
}

/// Names the engines of a portfolio that failed or took too much memory.
pub(crate) fn complain_of_failures(entrants: &[Entrant]) {
    for (entrant, reason) in failures(entrants) {
        complain(&format!("warning: engine {} failed: {reason}\n", entrant.engine));
    }
}

/// The same as JSON, if there is one.
pub(crate) fn failures_json(entrants: &[Entrant]) -> Option<Value> {
    let failed = |(entrant, reason): (&Entrant, String)| json!({ "engine": entrant.engine.to_string(), "reason": reason });
    let failures: Vec<Value> = failures(entrants).map(failed).collect();
    (!failures.is_empty()).then(|| json!(failures))
}

/// The verdict of an engine that says whether there is a word.
fn answer_of(outcome: &Outcome) -> impl Fn(bool) -> String {
    let question = outcome.question;
    move |word| question.answer(word == question.word_means_yes()).to_owned()
}

/// The outcome of an engine, and the reason.
fn end_of(entrant: &Entrant, answer: &dyn Fn(bool) -> String) -> (String, Option<String>) {
    match &entrant.end {
        End::Answered { nonempty } => (answer(*nonempty), None),
        End::Stopped(stop) => ("unknown".to_owned(), Some(stop.to_string())),
        End::Failed(reason) => ("failed".to_owned(), Some(reason.clone())),
        End::Ended(stop) => ("ended".to_owned(), stop.as_ref().map(Stop::to_string)),
    }
}

/// Shows the engines of a portfolio; `answer` is the verdict if there is a word, or none.
pub(crate) fn show_race(entrants: &[Entrant], answer: &dyn Fn(bool) -> String) -> io::Result<()> {
    entrants.iter().try_for_each(|entrant| {
        let (end, reason) = end_of(entrant, answer);
        let reason = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
        let (wall, cpu) = (entrant.wall.as_secs_f64(), entrant.cpu.as_secs_f64());
        print_line(&format!(
            "  {}: {end}{reason} after {wall:.3} s, {cpu:.3} s of CPU time",
            entrant.engine
        ))
    })
}

/// The engines of a portfolio as JSON.
pub(crate) fn race_json(entrants: &[Entrant], answer: &dyn Fn(bool) -> String) -> Value {
    let json = |entrant: &Entrant| {
        let (end, reason) = end_of(entrant, answer);
        let mut object = json!({ "engine": entrant.engine.to_string(), "verdict": end });
        if let Some(reason) = reason {
            object["reason"] = json!(reason);
        }
        object["wall_seconds"] = json!(entrant.wall.as_secs_f64());
        object["cpu_seconds"] = json!(entrant.cpu.as_secs_f64());
        object
    };
    entrants.iter().map(json).collect()
}

fn statistics_json(outcome: &Outcome) -> Value {
    let mut object = Map::new();
    object.insert("wall_seconds".to_owned(), json!(outcome.wall.as_secs_f64()));
    object.insert("cpu_seconds".to_owned(), json!(outcome.cpu.as_secs_f64()));
    let counted = outcome.statistics.iter();
    object.extend(counted.map(|(name, value)| (name.to_owned(), json!(value))));
    Value::Object(object)
}

fn internal_error(store: &Store, outcome: &Outcome, error: &InternalError) -> String {
    let mut text =
        format!("internal error: {error}\nthis is a bug in Kermode; reproduce it with\n");
    let commands = outcome.reproduce(store);
    commands.iter().for_each(|command| text.push_str(&format!("  {command}\n")));
    if let InternalError::WitnessFails { witness, .. } = error {
        text.push_str(&format!("the word is {}\n", to_spot(store, witness.word(), &[])));
    }
    text
}

/// Prints diagnostics of a text.
pub(crate) fn diagnostics(source: Source, diagnostics: &[Diagnostic]) {
    mapped_diagnostics(source, diagnostics, &LineMap::default());
}

/// Prints diagnostics of a text that a preprocessor made from other files.
pub(crate) fn mapped_diagnostics(source: Source, diagnostics: &[Diagnostic], lines: &LineMap) {
    let rendered = source.render_mapped(diagnostics, lines);
    if !rendered.is_empty() {
        complain(&rendered.join("\n"));
    }
}

/// Prints why a command could not be run.
pub(crate) fn usage_error(error: &anyhow::Error) {
    complain(&format!("error: {}\n", escape_controls(&format!("{error:#}"))));
}

/// Prints the requested help or version, or the error in the arguments.
pub(crate) fn parsing_ended(error: &clap::Error) -> anyhow::Result<Status> {
    let shown = error.render();
    if error.use_stderr() {
        complain(&shown.ansi().to_string());
        return Ok(Status::Bad);
    }
    match has_styles() {
        true => print_text(&shown.ansi().to_string())?,
        false => print_text(&shown.to_string())?,
    }
    Ok(Status::Yes)
}

/// Prints an error without a place in a text, and returns it as data for JSON.
pub(crate) fn complaint(error: &anyhow::Error) -> ReadError {
    usage_error(error);
    ReadError { message: format!("{error:#}"), ..ReadError::default() }
}

/// Prints that Kermode itself failed.
pub(crate) fn panicked(message: &str) {
    let version = env!("CARGO_PKG_VERSION");
    complain(&format!(
        "internal error in kermode {version}: {message}\nthis is a bug in Kermode\n"
    ));
}

/// Writes to standard error; a closed standard error is ignored.
pub(crate) fn complain(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}

/// Writes a line of results.
pub(crate) fn print_line(line: &str) -> io::Result<()> {
    print_text(&format!("{line}\n"))
}

/// Writes results.
pub(crate) fn print_text(text: &str) -> io::Result<()> {
    print_bytes(text.as_bytes())
}

/// Writes results unchanged: names may have any characters, so nothing is filtered here.
pub(crate) fn print_bytes(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|error| {
        io::Error::new(error.kind(), format!("cannot write to standard output: {error}"))
    })
}

/// Whether results may have styles: they go to a terminal, and the user permits styles.
fn has_styles() -> bool {
    let stdout = io::stdout();
    stdout.is_terminal() && anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never
}

/// The screen of results. Styles are for terminals, unless the user turns them off. The width is
/// that of `COLUMNS`, or of the terminal if there is one.
pub(crate) fn screen() -> Screen {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let columns = said.or_else(seen).filter(|&columns: &usize| columns > 0);
    let columns = columns.unwrap_or(Screen::default().columns);
    Screen { columns, styled: has_styles() }
}
