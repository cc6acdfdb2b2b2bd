//! `translate`: formulas as automata and models, one text per formula.

use std::ops::Range;

use anyhow::bail;
use clap::ValueEnum;
use kermode::automata::dfa::Extent;
use kermode::automata::{Untranslatable, hoa};
use kermode::base::Diagnostic;
use kermode::ltl::dialect::{Document, Entry};
use kermode::ltl::rewrite::Rewriting;
use kermode::ltl::{Measure, Store, WordKind};
use kermode::solve::translate::{Format, SmvModel, Target as Into};
use kermode::solve::{Limits, Stop, Translated, Translation, TranslationError};
use serde_json::{Value, json};

use crate::args::{AutomatonFormat, Reading, SmvOptions, Target, Translate};
use crate::case::{Case, Subject};
use crate::deadline::{Before, Interrupts, in_time, or_end};
use crate::input::{self, ReadError, Text};
use crate::report::{self, case_json, error_json, print_line, print_refusal, print_text};
use crate::status::Status;

pub(crate) fn run(args: &Translate) -> anyhow::Result<Status> {
    let reading = reading(args)?;
    let mut store = Store::new();
    let interrupts = Interrupts::new()?;
    let budget = interrupts.budget(args.budgeting.limits());
    let say = |stop: &Stop| report::gave_up("translate", args.json, stop);
    let (text, document, cases) = or_end(&budget, &interrupts, say, || {
        let text = input::load(args.formula.as_deref(), &args.input, &budget)?;
        let document = text.document(&mut store, reading, args.input.whole, false)?;
        let cases = Case::of_document(&mut store, &text, &document, reading, args.each);
        Ok((text, document, cases))
    })?;
    let Some(cases) = cases else {
        if args.json {
            print_refusal("translate", text.first_error(&document.diagnostics).as_ref())?;
        }
        return Ok(Status::Bad);
    };
    let sound = if document.is_sound() { Status::Yes } else { Status::Bad };
    let format = format(args)?;
    check_smv(args, cases.len())?;
    let translation = args.translation(format);
    let limits = budget.left();
    let store = &store;
    let work = Work { args, translation, store, text, document, limits, interrupts };
    let mut status = sound;
    for (index, case) in cases.iter().enumerate() {
        let before = Before { status, is_last: index + 1 == cases.len() };
        status = Status::of_all([status, work.show(case, before)?]);
    }
    Ok(status)
}

/// How formulas are read: the kind of automaton determines the kind of words.
fn reading(args: &Translate) -> anyhow::Result<Reading> {
    let reading = args.input.reading;
    match args.to {
        Target::Afw | Target::Dfa => Ok(Reading { finite: true, ..reading }),
        to if reading.finite => {
            let to = to.name();
            bail!(
                "`--to {to}` speaks about infinite words: `--finite` goes with `--to afw` and \
                 `--to dfa`"
            )
        }
        _ => Ok(reading),
    }
}

/// How automata are written.
fn format(args: &Translate) -> anyhow::Result<AutomatonFormat> {
    let generalised = matches!(args.to, Target::Tgba | Target::Ba);
    let finite = matches!(args.to, Target::Afw | Target::Dfa);
    match args.format {
        _ if !generalised && args.effort.level().is_some() => {
            bail!("levels such as `--low` and `--raw` go with `--to tgba` and `--to ba`")
        }
        _ if !generalised && args.preferred.preference() != Default::default() => {
            bail!("`--deterministic` and `--small` go with `--to tgba` and `--to ba`")
        }
        // Deterministic automata are complete unless they are trimmed.
        _ if !generalised && args.complete && args.to != Target::Dfa => {
            bail!("`--complete` goes with `--to tgba`, `--to ba` and `--to dfa`")
        }
        _ if args.trim && args.to != Target::Dfa => bail!("`--trim` goes with `--to dfa`"),
        Some(AutomatonFormat::Mona) if args.to != Target::Dfa => {
            bail!("MONA's format is for deterministic automata: `--to dfa`")
        }
        Some(AutomatonFormat::Hoa) if finite => {
            let to = args.to.name();
            bail!("{}: `--to {to}` goes with `--format alaska`", hoa::Unwritable::FiniteWords)
        }
        Some(AutomatonFormat::Alaska) if generalised => {
            bail!("ALASKA's syntax is for alternating automata: `--to abw` and `--to afw`")
        }
        Some(format) if (args.to == Target::Smv) != (format == AutomatonFormat::Smv) => {
            bail!("`--to smv` goes with `--format smv`, and no other kind does")
        }
        Some(format) => Ok(format),
        None if args.to == Target::Smv => Ok(AutomatonFormat::Smv),
        None if finite => Ok(AutomatonFormat::Alaska),
        None => Ok(AutomatonFormat::Hoa),
    }
}

/// Checks options for models that exclude each other.
fn check_smv(args: &Translate, cases: usize) -> anyhow::Result<()> {
    let SmvOptions { encoding, order_file, universal } = &args.smv;
    if args.to != Target::Smv && (encoding.is_some() || order_file.is_some() || *universal) {
        bail!("`--encoding`, `--order-file` and `--universal` go with `--to smv`")
    }
    if order_file.is_some() && cases > 1 {
        bail!("`--order-file` is for one formula, and here are {cases}")
    }
    Ok(())
}

impl Translate {
    fn translation(&self, format: AutomatonFormat) -> Translation {
        let level = self.effort.level().unwrap_or_default();
        let model = match self.smv.encoding {
            _ if self.smv.universal => SmvModel::Universal,
            Some(encoding) => SmvModel::Encoded(encoding),
            None => SmvModel::default(),
        };
        Translation {
            target: match self.to {
                Target::Abw => Into::Alternating(WordKind::Infinite),
                Target::Afw => Into::Alternating(WordKind::Finite),
                Target::Tgba => Into::Generalised(level),
                Target::Ba => Into::Buchi(level),
                Target::Dfa if self.trim => Into::Deterministic(Extent::Trimmed),
                Target::Dfa => Into::Deterministic(Extent::Complete),
                Target::Smv => Into::Smv(model),
            },
            format: match format {
                AutomatonFormat::Hoa => Format::Hoa,
                AutomatonFormat::Alaska => Format::Alaska(self.locations.into()),
                AutomatonFormat::Mona => Format::Mona,
                AutomatonFormat::Dot => Format::Dot,
                AutomatonFormat::Smv => Format::Smv,
            },
            rewriting: match &self.rules {
                _ if self.no_rewrite => Rewriting::None,
                Some(rules) => Rewriting::Rules(rules.clone()),
                None => Rewriting::Standard,
            },
            preference: self.preferred.preference(),
            complete: self.complete,
            statistics: self.stats,
        }
    }
}

/// The data that all formulas of one command share.
struct Work<'w> {
    args: &'w Translate,
    translation: Translation,
    store: &'w Store,
    text: Text,
    document: Document,
    limits: Limits,
    interrupts: Interrupts,
}

impl Work<'_> {
    /// Shows the automaton of a case, or that there is none.
    fn show(&self, case: &Case, before: Before) -> std::io::Result<Status> {
        let formula = match &case.subject {
            Subject::Formulas { first, .. } => *first,
            Subject::Unreadable(error) => {
                self.keep_place(case, error)?;
                return Ok(Status::Bad);
            }
            Subject::Automata(_) | Subject::Stopped(_) => unreachable!("formulas are read here"),
        };
        let budget = self.interrupts.budget(self.limits);
        let name = case.texts.first().map(String::as_str);
        let work = || self.translation.apply(self.store, formula, name, &budget);
        let late = |stop: Stop| {
            let status = self.show_failure(case, &stop.into())?;
            before.end_if_due(&self.interrupts, status);
            Ok(status)
        };
        match in_time(work, &budget, &self.interrupts, late) {
            Ok(Ok(translated)) => self.show_automaton(case, &translated).map(|()| Status::Yes),
            Ok(Err(failure)) => self.show_failure(case, &failure),
            Err(shown) => shown,
        }
    }

    fn show_failure(&self, case: &Case, failure: &TranslationError) -> std::io::Result<Status> {
        self.keep_place(case, &self.refuse(case, failure))?;
        match failure {
            TranslationError::Untranslatable(_) => Ok(Status::Bad),
            _ => Ok(Status::Unknown),
        }
    }

    /// Reports why a formula has no automaton. Of several requirements, one with past operators is
    /// shown.
    fn refuse(&self, case: &Case, failure: &TranslationError) -> ReadError {
        let is_about_past = matches!(failure, TranslationError::Untranslatable(_));
        let looks_back = |entry: &&Entry| {
            let looks_back = |formula| Measure::of(self.store, formula).past_depth > 0;
            is_about_past && entry.formula.is_ok_and(looks_back)
        };
        let of_case = |entry: &&Entry| case.line.is_none_or(|line| entry.line == line);
        let entries = || self.document.entries.iter().filter(of_case);
        let place = entries().find(looks_back).or_else(|| entries().next());
        let diagnostic = diagnostic(failure, place.map_or(0..0, |entry| entry.span.clone()));
        report::diagnostics(self.text.source(), std::slice::from_ref(&diagnostic));
        self.text.read_error(&diagnostic, place.map_or(1, |entry| entry.line))
    }

    /// With several formulas, a formula without an automaton leaves a comment in its place.
    fn keep_place(&self, case: &Case, error: &ReadError) -> std::io::Result<()> {
        if self.args.json {
            let mut object = case_json("translate", case);
            object.insert("error".to_owned(), error_json(Some(error)));
            return print_line(&Value::Object(object).to_string());
        }
        match &case.label {
            Some(label) => {
                print_line(&comment(self.translation.format, &format!("{label}: error")))
            }
            None => Ok(()),
        }
    }

    fn show_automaton(&self, case: &Case, translated: &Translated) -> std::io::Result<()> {
        let Translated { text, statistics, .. } = translated;
        self.write_order(translated)?;
        let say = |text: &str| print_line(&comment(self.translation.format, text));
        if self.args.json {
            return print_line(&self.json(case, translated).to_string());
        }
        case.label.iter().try_for_each(|label| say(label))?;
        print_text(text)?;
        match self.args.stats {
            true => statistics.iter().try_for_each(|(name, value)| say(&figure(name, value))),
            false => Ok(()),
        }
    }

    fn json(&self, case: &Case, translated: &Translated) -> Value {
        let mut object = case_json("translate", case);
        object.insert("words".to_owned(), json!(self.translation.target.words().name()));
        object.insert("automaton".to_owned(), json!(translated.text));
        if let Some(order) = &translated.order {
            object.insert("order".to_owned(), json!(order.lines().collect::<Vec<_>>()));
        }
        if self.args.stats {
            let counted = translated.statistics.iter();
            let counted = counted.map(|(name, value)| (name.replace(' ', "_"), value.clone()));
            object.insert("statistics".to_owned(), counted.collect());
        }
        Value::Object(object)
    }

    /// Writes the variable order to the file that the user named.
    fn write_order(&self, translated: &Translated) -> std::io::Result<()> {
        let (Some(path), Some(order)) = (&self.args.smv.order_file, &translated.order) else {
            return Ok(());
        };
        std::fs::write(path, order).map_err(|error| {
            std::io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()))
        })
    }
}

/// The reason why a formula has no automaton, with its place.
fn diagnostic(failure: &TranslationError, span: Range<usize>) -> Diagnostic {
    let error = Diagnostic::error(span, failure.to_string());
    match failure {
        TranslationError::Untranslatable(Untranslatable::Past { .. }) => error
            .label("this has past operators")
            .help("`kermode convert --expand past` replaces them by propositions that remember"),
        TranslationError::Stopped(_) => {
            error.label("there was no automaton yet when the work ended")
        }
        TranslationError::Hoa(_) => error
            .label("this is too large to be written out")
            .help("`--format alaska` writes transitions as they are"),
        _ => error.label("this is too large to be written out"),
    }
}

impl Target {
    /// Its name on the command line.
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// A figure of an automaton as people read it.
pub(crate) fn figure(name: &str, value: &Value) -> String {
    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    format!("{name}: {value}")
}

/// A line that readers of the format ignore.
pub(crate) fn comment(format: Format, text: &str) -> String {
    match format {
        Format::Hoa => format!("/* {} */", text.replace("*/", "* /").replace("/*", "/ *")),
        Format::Alaska(_) | Format::Mona => format!("# {text}"),
        Format::Dot => format!("// {text}"),
        Format::Smv => format!("-- {text}"),
    }
}
