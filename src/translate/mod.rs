//! `translate`: formulas as automata. Here is what all kinds of automata share: reading, formats, and what is shown; a
//! file beside it has each family of them.

mod alternating;
mod failure;
mod generalised;
mod smv;

use anyhow::bail;
use clap::ValueEnum;
use kermode::automata::hoa;
use kermode::ltl::dialect::{Document, Entry};
use kermode::ltl::rewrite::{RuleSet, simplify_unless};
use kermode::ltl::{Formula, Measure, Store, WordKind};
use kermode::solve::{Budget, Cancellation, Limits, Stop};
use serde_json::{Value, json};

use crate::args::{AutomatonFormat, Reading, Target, Translate};
use crate::case::{Case, Subject};
use crate::deadline::{end, ended_by_signals, in_time};
use crate::input::{self, ReadError, Text};
use crate::report::{self, case_json, error_json, print_line, print_refusal, print_text};
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
    smv::check(args, cases.len())?;
    let job = Job { args, format, words: reading.words() };
    let (limits, cancellation) = (args.budgeting.limits(), ended_by_signals()?);
    let work = Work { job, store: &store, text, document, limits, cancellation };
    let mut status = sound;
    for (index, case) in cases.iter().enumerate() {
        let last = (index + 1 == cases.len()).then_some(status);
        status = Status::of_all([status, work.show(case, last)?]);
    }
    Ok(status)
}

/// How formulas are read: the automaton says about which words they speak.
fn reading(args: &Translate) -> anyhow::Result<Reading> {
    let reading = args.input.reading;
    match args.to {
        Target::Afw => Ok(Reading { finite: true, ..reading }),
        to if reading.finite => {
            let to = to.name();
            bail!("`--to {to}` speaks about infinite words: `--finite` goes with `--to afw`")
        }
        _ => Ok(reading),
    }
}

/// How automata are written.
fn format(args: &Translate) -> anyhow::Result<AutomatonFormat> {
    let generalised = matches!(args.to, Target::Tgba | Target::Ba);
    match args.format {
        _ if !generalised && args.effort.level().is_some() => {
            bail!("levels such as `--low` and `--raw` go with `--to tgba` and `--to ba`")
        }
        Some(AutomatonFormat::Hoa) if args.to == Target::Afw => {
            bail!("{}: `--to afw` goes with `--format alaska`", hoa::Unwritable::FiniteWords)
        }
        Some(AutomatonFormat::Alaska) if generalised => {
            bail!("ALASKA's syntax is for alternating automata: `--to abw` and `--to afw`")
        }
        Some(format) if (args.to == Target::Smv) != (format == AutomatonFormat::Smv) => {
            bail!("`--to smv` goes with `--format smv`, and no other kind does")
        }
        Some(format) => Ok(format),
        None if args.to == Target::Smv => Ok(AutomatonFormat::Smv),
        None if args.to == Target::Afw => Ok(AutomatonFormat::Alaska),
        None => Ok(AutomatonFormat::Hoa),
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
        budget: &Budget,
    ) -> Result<Translated, Failure> {
        // A store of its own, so that one of many formulas does not pay for the others.
        let (mut store, formulas) = store.extract(&[formula]);
        let name = texts.first().map(String::as_str);
        let translate = match self.args.to {
            Target::Abw | Target::Afw => alternating::translate,
            Target::Tgba | Target::Ba => generalised::translate,
            Target::Smv => smv::translate,
        };
        translate(self, &mut store, formulas[0], name, budget)
    }

    /// The formula in fewer operators, unless nothing is to be rewritten.
    fn simplified(
        &self,
        store: &mut Store,
        formula: Formula,
        budget: &Budget,
    ) -> Result<Formula, Stop> {
        if self.args.no_rewrite {
            return Ok(formula);
        }
        let rules = self.args.rules.clone().unwrap_or_else(RuleSet::all);
        let interrupt = &mut || budget.check();
        Ok(simplify_unless(store, formula, self.words, &rules, interrupt)?.formula)
    }
}

/// An automaton in a text, and what was counted of it.
struct Translated {
    written: String,
    statistics: Vec<(&'static str, Value)>,
    /// The order of the variables, where the text is a model.
    order: Option<String>,
}

/// What all formulas of one command share.
struct Work<'w> {
    job: Job<'w>,
    store: &'w Store,
    text: Text,
    document: Document,
    limits: Limits,
    cancellation: Cancellation,
}

impl Work<'_> {
    /// Shows the automaton of a case, or that there is none: of the last one, if there is a status of the others.
    fn show(&self, case: &Case, last: Option<Status>) -> std::io::Result<Status> {
        let formula = match &case.subject {
            Subject::Formulas { first, .. } => *first,
            Subject::Unreadable(error) => {
                self.keep_place(case, error)?;
                return Ok(Status::Bad);
            }
            Subject::Automata(_) | Subject::Stopped(_) => unreachable!("formulas are read here"),
        };
        let budget = Budget::new(self.limits, self.cancellation.clone());
        let work = || self.job.translate(self.store, formula, &case.texts, &budget);
        let late = |stop: Stop| {
            let status = self.show_failure(case, &stop.into())?;
            match last {
                Some(others) => end(Status::of_all([others, status])),
                None => Ok(status),
            }
        };
        match in_time(work, &budget, late) {
            Ok(Ok(translated)) => self.show_automaton(case, &translated).map(|()| Status::Yes),
            Ok(Err(failure)) => self.show_failure(case, &failure),
            Err(shown) => shown,
        }
    }

    fn show_failure(&self, case: &Case, failure: &Failure) -> std::io::Result<Status> {
        self.keep_place(case, &self.refuse(case, failure))?;
        Ok(failure.status())
    }

    /// Says why a formula has no automaton. Of several requirements one that looks back is shown.
    fn refuse(&self, case: &Case, failure: &Failure) -> ReadError {
        let is_about_past = matches!(failure, Failure::Untranslatable(_));
        let looks_back = |entry: &&Entry| {
            let looks_back = |formula| Measure::of(self.store, formula).past_depth > 0;
            is_about_past && entry.formula.is_ok_and(looks_back)
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
        let Translated { written, statistics, .. } = translated;
        smv::write_order(&self.job.args.smv, translated)?;
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
        object.insert("words".to_owned(), json!(self.job.words.name()));
        object.insert("automaton".to_owned(), json!(translated.written));
        if let Some(order) = &translated.order {
            object.insert("order".to_owned(), json!(order.lines().collect::<Vec<_>>()));
        }
        if self.job.args.stats {
            let counted = translated.statistics.iter();
            let counted = counted.map(|(name, value)| (name.replace(' ', "_"), value.clone()));
            object.insert("statistics".to_owned(), counted.collect());
        }
        Value::Object(object)
    }
}

impl Target {
    /// What it is called on the command line.
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
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
            AutomatonFormat::Smv => format!("-- {text}"),
        }
    }
}
