//! `translate`: formulas as automata. Here is what all kinds of automata share: reading, formats, and what is shown; a
//! file beside it has each family of them.

mod alternating;
mod failure;

use anyhow::bail;
use kermode::automata::hoa;
use kermode::ltl::dialect::{Document, Entry};
use kermode::ltl::{Formula, Measure, Store, WordKind};
use serde_json::{Value, json};

use crate::args::{AutomatonFormat, Reading, Target, Translate};
use crate::case::{Case, Subject};
use crate::input::{self, ReadError, Text};
use crate::report::{
    self, case_json, error_json, kind_name, print_line, print_refusal, print_text,
};
use crate::status::Status;
use failure::Failure;

/// How many subformulas bounded operators are written out to; each may become a location.
const MOST_SUBFORMULAS: u64 = 1 << 20;

pub(crate) fn run(args: &Translate) -> anyhow::Result<Status> {
    let reading = reading(args)?;
    let mut store = Store::new();
    let text = input::load(args.formula.as_deref(), &args.input)?;
    let document = text.document(&mut store, reading, args.input.whole)?;
    let Some(cases) = Case::of_document(&mut store, &text, &document, reading, args.each) else {
        if args.json {
            print_refusal("translate", text.first_error(&document.diagnostics).as_ref())?;
        }
        return Ok(Status::Bad);
    };
    let sound = if document.is_sound() { Status::Yes } else { Status::Bad };
    let format = format(args)?;
    let job = Job { args, format, words: reading.words() };
    let work = Work { job, store: &store, text, document };
    let statuses: std::io::Result<Vec<Status>> = cases.iter().map(|case| work.show(case)).collect();
    Ok(Status::of_all(statuses?.into_iter().chain([sound])))
}

/// How formulas are read: the automaton says about which words they speak.
fn reading(args: &Translate) -> anyhow::Result<Reading> {
    let reading = args.input.reading;
    match args.to {
        Target::Afw => Ok(Reading { finite: true, ..reading }),
        Target::Abw if reading.finite => {
            bail!("`--to abw` speaks about infinite words: `--finite` goes with `--to afw`")
        }
        Target::Abw => Ok(reading),
    }
}

/// How automata are written.
fn format(args: &Translate) -> anyhow::Result<AutomatonFormat> {
    match (args.format, args.to) {
        (Some(AutomatonFormat::Hoa), Target::Afw) => {
            bail!("{}: `--to afw` goes with `--format alaska`", hoa::Unwritable::FiniteWords)
        }
        (Some(format), _) => Ok(format),
        (None, Target::Abw) => Ok(AutomatonFormat::Hoa),
        (None, Target::Afw) => Ok(AutomatonFormat::Alaska),
    }
}

/// What is to be made of each formula.
struct Job<'a> {
    args: &'a Translate,
    format: AutomatonFormat,
    words: WordKind,
}

impl Job<'_> {
    /// The automaton of a formula, whose texts name it.
    fn translate(
        &self,
        store: &Store,
        formula: Formula,
        texts: &[String],
    ) -> Result<Translated, Failure> {
        // A store of its own, so that one of many formulas does not pay for the others.
        let (mut store, formulas) = store.extract(&[formula]);
        let name = texts.first().map(String::as_str);
        match self.args.to {
            Target::Abw | Target::Afw => {
                alternating::translate(self, &mut store, formulas[0], name)
            }
        }
    }
}

/// An automaton in a text, and what was counted of it.
struct Translated {
    written: String,
    statistics: Vec<(&'static str, Value)>,
}

/// What all formulas of one command share.
struct Work<'w> {
    job: Job<'w>,
    store: &'w Store,
    text: Text,
    document: Document,
}

impl Work<'_> {
    /// Shows the automaton of a case, or that there is none.
    fn show(&self, case: &Case) -> std::io::Result<Status> {
        let refused = match &case.subject {
            Subject::Formulas { first, .. } => {
                match self.job.translate(self.store, *first, &case.texts) {
                    Ok(translated) => {
                        self.show_automaton(case, &translated)?;
                        return Ok(Status::Yes);
                    }
                    Err(failure) => (failure.status(), &self.refuse(case, &failure)),
                }
            }
            Subject::Unreadable(error) => (Status::Bad, error),
            Subject::Automata(_) => unreachable!("formulas are read here"),
        };
        self.keep_place(case, refused.1)?;
        Ok(refused.0)
    }

    /// Says why a formula has no automaton. Of several requirements one that looks back is shown.
    fn refuse(&self, case: &Case, failure: &Failure) -> ReadError {
        let looks_back = |entry: &&Entry| {
            entry.formula.is_ok_and(|formula| Measure::of(self.store, formula).past_depth > 0)
        };
        let of_case = |entry: &&Entry| case.line.is_none_or(|line| entry.line == line);
        let entries = || self.document.entries.iter().filter(of_case);
        let place = entries().find(looks_back).or_else(|| entries().next());
        let diagnostic = failure.diagnostic(place.map_or(0..0, |entry| entry.span.clone()));
        report::diagnostics(self.text.source(), std::slice::from_ref(&diagnostic));
        self.text.read_error(&diagnostic, place.map_or(1, |entry| entry.line))
    }

    /// A formula without automaton leaves a comment in its place where there are several.
    fn keep_place(&self, case: &Case, error: &ReadError) -> std::io::Result<()> {
        if self.job.args.json {
            let mut object = case_json("translate", case);
            object.insert("error".to_owned(), error_json(Some(error)));
            return print_line(&Value::Object(object).to_string());
        }
        match &case.label {
            Some(label) => print_line(&self.job.format.comment(&format!("{label}: error"))),
            None => Ok(()),
        }
    }

    fn show_automaton(&self, case: &Case, translated: &Translated) -> std::io::Result<()> {
        let Translated { written, statistics } = translated;
        let comment = |text: &str| print_line(&self.job.format.comment(text));
        if self.job.args.json {
            return print_line(&self.json(case, translated).to_string());
        }
        case.label.iter().try_for_each(|label| comment(label))?;
        print_text(written)?;
        match self.job.args.stats {
            true => statistics.iter().try_for_each(|(n, v)| comment(&format!("{n}: {v}"))),
            false => Ok(()),
        }
    }

    fn json(&self, case: &Case, translated: &Translated) -> Value {
        let mut object = case_json("translate", case);
        object.insert("words".to_owned(), json!(kind_name(self.job.words)));
        object.insert("automaton".to_owned(), json!(translated.written));
        if self.job.args.stats {
            let counted = translated.statistics.iter();
            let counted = counted.map(|(name, value)| (name.replace(' ', "_"), value.clone()));
            object.insert("statistics".to_owned(), counted.collect());
        }
        Value::Object(object)
    }
}

impl AutomatonFormat {
    /// A line that readers of the format skip.
    fn comment(self, text: &str) -> String {
        match self {
            AutomatonFormat::Hoa => {
                format!("/* {} */", text.replace("*/", "* /").replace("/*", "/ *"))
            }
            AutomatonFormat::Alaska => format!("# {text}"),
            AutomatonFormat::Dot => format!("// {text}"),
        }
    }
}
