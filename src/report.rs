//! What people and programs see: a verdict line and a table, one JSON object a line, or a bare word.
//! Results go to standard output, everything else to standard error.

use std::io::{self, Write};

use kermode::ltl::word::{to_alaska, to_spot, word_to_json};
use kermode::ltl::{Diagnostic, Formula, Proposition, Source, Store, Word, WordKind, semantics};
use kermode::solve::{InternalError, Statistics, Verdict, Witness};
use serde_json::{Map, Value, json};

use crate::args::{Output, ShowWitness, Solving, WordFormat};
use crate::decide::{Case, Outcome, Question};
use crate::table::{Extent, Row, Table, screen_width};

/// How outcomes are shown.
pub(crate) struct Reporter {
    output: Output,
    show: ShowWitness,
    format: WordFormat,
}

impl Reporter {
    pub(crate) fn new(output: Output, solving: &Solving) -> Self {
        Reporter { output, show: solving.witness, format: solving.word_format }
    }

    /// Shows one outcome.
    pub(crate) fn outcome(&self, store: &Store, outcome: &Outcome) -> io::Result<()> {
        if let Err(error) = &outcome.result {
            internal_error(store, outcome, error);
        }
        if self.output.json {
            return print_line(&outcome_json(store, outcome, self.output.stats).to_string());
        }
        let verdict = verdict_line(outcome, self.output.quiet);
        let verdict = labelled(outcome.case, &verdict, self.output.quiet);
        print_line(&verdict)?;
        if self.output.quiet {
            return Ok(());
        }
        if let Ok(Verdict::Satisfiable(witness)) = &outcome.result {
            self.witness(store, outcome, witness)?;
        }
        if self.output.stats {
            self.statistics(outcome)?;
        }
        Ok(())
    }

    fn witness(&self, store: &Store, outcome: &Outcome, witness: &Witness) -> io::Result<()> {
        let word = match witness {
            Witness::Replayed(word) => word,
            Witness::LeftOut(_) if self.show == ShowWitness::None => return Ok(()),
            Witness::LeftOut(reason) => {
                return print_line(&format!("  the word is left out: {reason}"));
            }
        };
        if let Some((first, second)) = sides(store, outcome, word) {
            let says = |holds| if holds { "holds" } else { "does not hold" };
            print_line(&format!("  first formula {}, second {}:", says(first), says(second)))?;
        }
        let propositions = case_propositions(store, &outcome.case.formulas);
        match self.format {
            WordFormat::Spot => print_line(&format!("  {}", to_spot(store, word, &propositions))),
            WordFormat::Alaska => print_text(&to_alaska(store, word, &propositions)),
            WordFormat::Table => {
                let width = screen_width();
                let extent = match self.show {
                    ShowWitness::Full => Extent::All(width),
                    ShowWitness::Short | ShowWitness::None => Extent::Screen(width),
                };
                print_text(&word_table(store, word, &propositions).render(extent, "--witness full"))
            }
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

/// An input that could not be read, in its place among the verdicts. What is wrong with it was said
/// before; a single input has no place to keep.
pub(crate) fn unreadable(reporter: &Reporter, question: Question, case: &Case) -> io::Result<()> {
    if reporter.output.json {
        let mut object = case_json(question, case);
        let error = case.error.as_ref().map(|error| {
            json!({
                "message": error.message,
                "line": error.line,
                "column": error.column,
                "help": error.help,
            })
        });
        object.insert("error".to_owned(), json!(error));
        return print_line(&Value::Object(object).to_string());
    }
    match case.label {
        Some(_) => print_line(&labelled(case, "error", reporter.output.quiet)),
        None => Ok(()),
    }
}

fn labelled(case: &Case, verdict: &str, quiet: bool) -> String {
    match &case.label {
        Some(label) if !quiet => format!("{label}: {verdict}"),
        _ => verdict.to_owned(),
    }
}

fn verdict_line(outcome: &Outcome, quiet: bool) -> String {
    match &outcome.result {
        Err(_) => "internal error".to_owned(),
        Ok(Verdict::Unknown(_)) if quiet => "unknown".to_owned(),
        Ok(Verdict::Unknown(stop)) => format!("unknown ({stop})"),
        Ok(verdict) => outcome.question.answer(outcome.is_yes(verdict)).to_owned(),
    }
}

/// Which of the two formulas of a pair holds on the word that tells them apart.
fn sides(store: &Store, outcome: &Outcome, word: &Word) -> Option<(bool, bool)> {
    let &[first, second] = outcome.case.formulas.as_slice() else { return None };
    let holds = |formula| semantics::holds(store, formula, word);
    Some((holds(first), holds(second)))
}

/// The propositions of all formulas of a case.
fn case_propositions(store: &Store, formulas: &[Formula]) -> Vec<Proposition> {
    let mut all: Vec<Proposition> = formulas.iter().flat_map(|&f| store.propositions(f)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn word_table(store: &Store, word: &Word, propositions: &[Proposition]) -> Table {
    let row = |&proposition: &Proposition| Row {
        label: store.name(proposition).to_owned(),
        holds: word.letters().iter().map(|letter| letter.contains(proposition)).collect(),
    };
    let rows = propositions.iter().map(row).collect();
    Table { length: word.len(), loop_start: word.loop_start(), rows }
}

fn case_json(question: Question, case: &Case) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("command".to_owned(), json!(question.command()));
    match case.texts.as_slice() {
        [formula] => object.insert("formula".to_owned(), json!(formula)),
        formulas => object.insert("formulas".to_owned(), json!(formulas)),
    };
    if let Some(name) = &case.name {
        object.insert("name".to_owned(), json!(name));
    }
    if let Some(line) = case.line {
        object.insert("line".to_owned(), json!(line));
    }
    object
}

fn outcome_json(store: &Store, outcome: &Outcome, stats: bool) -> Value {
    let mut object = case_json(outcome.question, outcome.case);
    let mut set = |key: &str, value: Value| object.insert(key.to_owned(), value);
    set("words", json!(kind_name(outcome.words)));
    set("engine", json!(outcome.engine.to_string()));
    match &outcome.result {
        Err(error) => {
            set("error", json!({ "message": error.to_string() }));
            set("reproduce", json!(outcome.reproduce(store)));
        }
        Ok(verdict) => {
            set("verdict", json!(verdict_line(outcome, true)));
            match verdict {
                Verdict::Unknown(stop) => drop(set("reason", json!(stop.to_string()))),
                Verdict::Satisfiable(Witness::Replayed(word)) => {
                    set("replayed", json!(true));
                    set("witness", json!(word_to_json(store, word)));
                    if let Some((first, second)) = sides(store, outcome, word) {
                        set("holds", json!([first, second]));
                    }
                }
                Verdict::Satisfiable(Witness::LeftOut(reason)) => {
                    set("replayed", json!(false));
                    set("left_out", json!(reason.to_string()));
                }
                Verdict::Unsatisfiable => {}
            }
        }
    }
    if stats {
        set("statistics", statistics_json(outcome, &outcome.statistics));
    }
    Value::Object(object)
}

fn statistics_json(outcome: &Outcome, statistics: &Statistics) -> Value {
    let mut object = Map::new();
    object.insert("wall_seconds".to_owned(), json!(outcome.wall.as_secs_f64()));
    object.insert("cpu_seconds".to_owned(), json!(outcome.cpu.as_secs_f64()));
    object.extend(statistics.iter().map(|(name, value)| (name.to_owned(), json!(value))));
    Value::Object(object)
}

/// How JSON calls a kind of words.
pub(crate) fn kind_name(words: WordKind) -> &'static str {
    match words {
        WordKind::Infinite => "infinite",
        WordKind::Finite => "finite",
    }
}

fn internal_error(store: &Store, outcome: &Outcome, error: &InternalError) {
    let mut text =
        format!("internal error: {error}\nthis is a bug in Kermode; it is shown again by\n");
    text.push_str(&format!("  {}\n", outcome.reproduce(store)));
    if let InternalError::WitnessFails { word, .. } = error {
        text.push_str(&format!("the word is {}\n", to_spot(store, word, &[])));
    }
    complain(&text);
}

/// Shows findings about a text.
pub(crate) fn diagnostics(source: Source, diagnostics: &[Diagnostic]) {
    let rendered: Vec<String> = diagnostics.iter().map(|d| source.render(d)).collect();
    if !rendered.is_empty() {
        complain(&rendered.join("\n"));
    }
}

/// Shows why a command could not be carried out.
pub(crate) fn usage_error(error: &anyhow::Error) {
    complain(&format!("error: {error:#}\n"));
}

/// Shows that Kermode itself broke.
pub(crate) fn panicked(message: &str) {
    let version = env!("CARGO_PKG_VERSION");
    complain(&format!(
        "internal error in kermode {version}: {message}\nthis is a bug in Kermode\n"
    ));
}

/// Writes to standard error; if that is gone there is nobody to tell.
pub(crate) fn complain(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}

/// Writes a line of results.
pub(crate) fn print_line(line: &str) -> io::Result<()> {
    print_text(&format!("{line}\n"))
}

/// Writes results.
pub(crate) fn print_text(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
