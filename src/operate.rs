//! `automaton`: operations on automata, one text per automaton; and with `--equiv` the question
//! whether automata accept the same words.

use std::path::PathBuf;

use anyhow::bail;
use kermode::automata::Automaton;
use kermode::automata::Difference;
use kermode::automata::alaska::LocationNames;
use kermode::ltl::Store;
use kermode::solve::operate::AutomatonKind;
use kermode::solve::translate::Format;
use kermode::solve::{Budget, Limits, Operated, Operation, OperationError, Question, Stop};
use serde_json::{Value, json};

use crate::args::{Operate, OperateFormat, OperateTo, Solving};
use crate::automaton::{File, Unread, different_words, refuse_repeated_stdin};
use crate::case::{Case, Subject};
use crate::deadline::{Before, Interrupts, in_time, or_end};
use crate::input::ReadError;
use crate::report::{self, case_json, complaint, error_json, print_line, print_text};
use crate::session::Session;
use crate::solver::Answerer;
use crate::status::Status;
use crate::translate::{comment, figure};

pub(crate) fn run(args: &Operate) -> anyhow::Result<Status> {
    match (&args.equiv, option_of_questions(args)) {
        (Some(other), _) => compare(args, other),
        (None, Some(option)) => bail!("`{option}` goes with `--equiv`"),
        (None, None) => operate(args),
    }
}

/// An option that was typed and has a meaning for questions only.
fn option_of_questions(args: &Operate) -> Option<&'static str> {
    let Solving { engine, racing, .. } = &args.solving;
    let options = [
        (args.output.quiet, "--quiet"),
        (engine.is_some(), "--engine"),
        (racing.portfolio.is_some(), "--portfolio"),
        (racing.jobs.is_some(), "--jobs"),
        (racing.deterministic, "--deterministic"),
        (racing.race, "--race"),
        (racing.all, "--all"),
    ];
    options.into_iter().find_map(|(typed, option)| typed.then_some(option))
}

/// `--equiv`: are automata equivalent to another one?
fn compare(args: &Operate, other: &PathBuf) -> anyhow::Result<Status> {
    let session = Session::new(Question::SameLanguage, &args.solving, args.output)?;
    let budget = session.budget();
    let solver = session.read(&budget, || Answerer::for_automata(&args.solving, &budget))?;
    refuse_repeated_stdin(args.files.iter().chain([other]))?;
    let mut store = Store::new();
    let (other, read) = File::only(&mut store, other, "`--equiv` takes", &budget);
    let subject = |name: &str, automaton: Automaton| match read.clone() {
        Err(unread) => unread.into(),
        Ok(read) => {
            let words = [(name, automaton.words()), (other.as_str(), read.words())];
            match different_words(words[0], words[1]) {
                Some(error) => error.into(),
                None => Subject::Automata(vec![
                    Difference::of(automaton.clone()).not(read.clone()),
                    Difference::of(read).not(automaton),
                ]),
            }
        }
    };
    let several = args.files.len() > 1;
    let mut cases: Vec<Case> = Vec::new();
    for file in &args.files {
        let file = File::read(&mut store, file, &budget);
        cases.extend(file.into_cases(several, subject));
    }
    for case in &mut cases {
        (case.equiv, case.left) = (Some(other.clone()), Some(budget.left()));
    }
    match &read {
        Err(Unread::Bad(error)) => session.refuse(Some(error)),
        _ => session.decide_all(&solver, cases.iter().map(|case| (&store, case)), Status::Yes),
    }
}

/// Writes the results of operations.
fn operate(args: &Operate) -> anyhow::Result<Status> {
    refuse_repeated_stdin(args.files.iter().chain(&args.and).chain(&args.or))?;
    let interrupts = Interrupts::new()?;
    let budget = interrupts.budget(args.solving.budgeting.limits());
    let say = |stop: &Stop| report::gave_up("automaton", args.output.json, stop);
    let mut store = Store::new();
    let read = || read_all(args, &mut store, &budget);
    let Some((operation, cases)) = or_end(&budget, &interrupts, say, read)? else {
        return Ok(Status::Bad);
    };
    let limits = budget.left();
    let mut work = Work { args, operation, store, limits, interrupts };
    let mut status = Status::Yes;
    let count = cases.len();
    for (index, (case, automaton)) in cases.into_iter().enumerate() {
        let before = Before { status, is_last: index + 1 == count };
        status = Status::of_all([status, work.show(&case, automaton, before)?]);
    }
    Ok(status)
}

/// An input, and its automaton unless it has an error.
type Input = (Case, Result<Automaton, Unread>);

/// Reads the operands, then the inputs; none if an operand has an error.
fn read_all(
    args: &Operate,
    store: &mut Store,
    budget: &Budget,
) -> anyhow::Result<Option<(Operation, Vec<Input>)>> {
    let mut operands = [Vec::new(), Vec::new()];
    for (operands, files) in operands.iter_mut().zip([&args.and, &args.or]) {
        for file in files {
            match File::only(store, file, "`--and` and `--or` take", budget).1 {
                Ok(automaton) => operands.push(automaton),
                Err(Unread::Stopped(stop)) => return Err(stop.into()),
                Err(Unread::Bad(error)) => {
                    if args.output.json {
                        report::print_refusal("automaton", Some(&error))?;
                    }
                    return Ok(None);
                }
            }
        }
    }
    let [and, or] = operands;
    let several = args.files.len() > 1;
    let mut inputs = Vec::new();
    for file in &args.files {
        let file = File::read(store, file, budget);
        let automata: Vec<_> = file.entries.iter().map(|e| e.automaton.clone()).collect();
        let stopped = |_: &str, _| Subject::Stopped(Stop::Cancelled);
        inputs.extend(file.into_cases(several, stopped).into_iter().zip(automata));
    }
    Ok(Some((args.operation(and, or), inputs)))
}

impl Operate {
    fn operation(&self, and: Vec<Automaton>, or: Vec<Automaton>) -> Operation {
        Operation {
            and,
            or,
            complement: self.complement,
            reduce: self.reduce,
            kind: self.to.map(|to| match to {
                OperateTo::Abw => AutomatonKind::Alternating,
                OperateTo::Tgba => AutomatonKind::Generalised,
                OperateTo::Ba => AutomatonKind::Buchi,
            }),
            relabel: self.relabel,
            liveness_to_safety: self.l2s,
            format: self.format.map(|format| match format {
                OperateFormat::Hoa => Format::Hoa,
                OperateFormat::Alaska => Format::Alaska(LocationNames::Numbers),
                OperateFormat::Dot => Format::Dot,
            }),
            statistics: self.output.stats,
        }
    }
}

/// The data that all automata of one command share.
struct Work<'w> {
    args: &'w Operate,
    operation: Operation,
    store: Store,
    limits: Limits,
    interrupts: Interrupts,
}

impl Work<'_> {
    /// Shows the result for an input, or that there is none.
    fn show(
        &mut self,
        case: &Case,
        automaton: Result<Automaton, Unread>,
        before: Before,
    ) -> anyhow::Result<Status> {
        let automaton = match automaton {
            Ok(automaton) => automaton,
            Err(Unread::Bad(error)) => {
                self.keep_place(case, &error)?;
                return Ok(Status::Bad);
            }
            Err(Unread::Stopped(stop)) => return self.show_failure(case, &stop.into()),
        };
        let budget = self.interrupts.budget(self.limits);
        let (mut store, name) = (self.store.clone(), case.name.as_deref());
        let work = || self.operation.apply(&mut store, &automaton, name, &budget);
        let late = |stop: Stop| {
            let status = self.show_failure(case, &stop.into())?;
            before.end_if_due(&self.interrupts, status);
            Ok(status)
        };
        match in_time(work, &budget, &self.interrupts, late) {
            Ok(Ok(operated)) => self.show_result(case, &operated).map(|()| Status::Yes),
            Ok(Err(failure)) => self.show_failure(case, &failure),
            Err(shown) => shown,
        }
    }

    fn show_failure(&self, case: &Case, failure: &OperationError) -> anyhow::Result<Status> {
        let file = case.label.as_ref().or(case.file.as_ref());
        let error = match file {
            Some(file) => complaint(&anyhow::anyhow!("{file}: {failure}")).in_file(file),
            None => complaint(&anyhow::anyhow!("{failure}")),
        };
        match failure {
            OperationError::Stopped(stop) if self.args.output.json => {
                let mut object = case_json("automaton", case);
                object.insert("verdict".to_owned(), json!("unknown"));
                object.insert("reason".to_owned(), json!(stop.to_string()));
                print_line(&Value::Object(object).to_string())?;
            }
            _ => self.keep_place(case, &error)?,
        }
        Ok(match failure {
            OperationError::Words(..)
            | OperationError::FiniteWords(_)
            | OperationError::Format
            | OperationError::Hoa(kermode::automata::hoa::Unwritable::FiniteWords) => Status::Bad,
            OperationError::Alaska(_) | OperationError::Hoa(_) | OperationError::Stopped(_) => {
                Status::Unknown
            }
        })
    }

    /// With several automata, one without a result leaves a comment in its place.
    fn keep_place(&self, case: &Case, error: &ReadError) -> std::io::Result<()> {
        if self.args.output.json {
            let mut object = case_json("automaton", case);
            object.insert("error".to_owned(), error_json(Some(error)));
            return print_line(&Value::Object(object).to_string());
        }
        let format = self.operation.format.unwrap_or(Format::Hoa);
        match &case.label {
            Some(label) => print_line(&comment(format, &format!("{label}: error"))),
            None => Ok(()),
        }
    }

    fn show_result(&self, case: &Case, operated: &Operated) -> anyhow::Result<()> {
        if self.args.output.json {
            return Ok(print_line(&self.json(case, operated).to_string())?);
        }
        let say = |text: &str| print_line(&comment(operated.format, text));
        case.label.iter().try_for_each(|label| say(label))?;
        for (name, definition) in &operated.definitions {
            say(&format!("{name} = {definition}"))?;
        }
        if !operated.unused.is_empty() {
            say(&format!("unused: {}", operated.unused.join(", ")))?;
        }
        print_text(&operated.text)?;
        operated.statistics.iter().try_for_each(|(name, value)| say(&figure(name, value)))?;
        Ok(())
    }

    fn json(&self, case: &Case, operated: &Operated) -> Value {
        let mut object = case_json("automaton", case);
        let mut set = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
        set("words", json!(operated.words.name()));
        set("automaton", json!(operated.text));
        if self.args.relabel {
            let definitions = operated.definitions.iter().map(|(n, d)| (n.clone(), json!(d)));
            set("definitions", definitions.collect());
            set("unused", json!(operated.unused));
        }
        if self.args.output.stats {
            let counted = operated.statistics.iter();
            let counted = counted.map(|(name, value)| (name.replace(' ', "_"), value.clone()));
            set("statistics", counted.collect());
        }
        Value::Object(object)
    }
}
