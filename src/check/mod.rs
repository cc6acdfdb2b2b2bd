//! `check`: the verdicts of the properties of a model.
//!
//! Worker threads decide properties; this thread prints their outcomes in the order of the
//! properties, each as soon as it and those before it are known.

mod order_cache;
mod race;
mod report;
mod trace_check;

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, scope};

use anyhow::{Context, bail};
use kermode::base::Diagnostic;
use kermode::certificate::Subject;
use kermode::ltl::dialect::{DocumentKind, Entry, ReadMode, read_document, without_comments};
use kermode::ltl::{Dialect, Store, Syntax, WordKind};
use kermode::solve::certify::{certify_model, model_claim};
use kermode::solve::check::{
    CheckError, CheckOutcome, CheckSettings, CheckVerdict, CheckWorker, Checker, Property,
    PropertyRequest, TypedPlace,
};
use kermode::solve::question::unknown;
use kermode::solve::{Budget, Limits, PathEnd, Stop, WitnessPolicy};

use crate::args::{Check, FinitePaths, ShowWitness, TraceFormat};
use crate::automaton::refuse_repeated_stdin;
use crate::certificate::{CertificateFile, Certified};
use crate::deadline::{Interrupts, end, in_time, or_end};
use crate::input::{ReadError, Text};
use crate::model_source;
use crate::progress::Progress;
use crate::report::{self as printed, print_refusal};
use crate::solver;
use crate::status::Status;
use order_cache::OrderCache;
use race::WorkerRace;
use report::CheckReport;

/// The stack of a worker, for deep diagrams and formulas.
const STACK: usize = 64 << 20;

pub(crate) fn run(args: &Check) -> anyhow::Result<Status> {
    let interrupts = Interrupts::new()?;
    let budget = interrupts.budget(args.budgeting.limits());
    let say = |stop: &Stop| printed::stopped("check", args.output.json, stop);
    if let Some(file) = &args.trace_check {
        return or_end(&budget, &interrupts, say, || {
            let source = ("check", args.output.json);
            match model_source::read_looped(&args.source, args.dead.as_deref(), source, &budget)? {
                Some((text, model)) => trace_check::run(args, &model, &text, file, &budget),
                None => Ok(Status::Bad),
            }
        });
    }
    if args.showing.trace_format == TraceFormat::Vcd && args.showing.trace_file.is_none() {
        bail!("a value change dump is a file of its own: name it by `--trace-file`");
    }
    let read = or_end(&budget, &interrupts, say, || read(args, &budget))?;
    let Some(Read { text, checker, cache }) = read else { return Ok(Status::Bad) };
    let settings = or_end(&budget, &interrupts, say, || settings(args, &budget))?;
    let session = CheckSession {
        args,
        checker: &checker,
        settings: &settings,
        interrupts: &interrupts,
        cache: cache.as_ref(),
        first: budget.left(),
        next: AtomicUsize::new(0),
        certificate: args
            .certify
            .as_ref()
            .map(|file| CertificateFile::create(file, Subject::Model))
            .transpose()?,
    };
    session.run(CheckReport::new(args, &text, &checker))
}

fn settings(args: &Check, budget: &Budget) -> anyhow::Result<CheckSettings> {
    let showing = &args.showing;
    let witness = WitnessPolicy {
        wanted: showing.witness != ShowWitness::None,
        limit: showing.witness_limit,
        time: showing.witness_time,
    };
    let engines = args.engine.clone();
    let settings = CheckSettings { witness, engines, ..CheckSettings::default() };
    Ok(match &args.racing.portfolio {
        Some(file) => CheckSettings { schedule: solver::read(file, budget)?, ..settings },
        None => settings,
    })
}

/// What was read.
struct Read {
    text: Text,
    checker: Checker,
    cache: Option<OrderCache>,
}

/// Reads the model and the properties. Errors are reported here.
fn read(args: &Check, budget: &Budget) -> anyhow::Result<Option<Read>> {
    let source = ("check", args.output.json);
    let read = model_source::read_looped(&args.source, args.dead.as_deref(), source, budget)?;
    let Some((text, mut model)) = read else { return Ok(None) };
    let folder = args.order_cache.as_ref();
    let cache = folder.map(|folder| OrderCache::new(folder, &text.text, &args.source.definitions));
    if let Some(cache) = &cache {
        cache.load(&mut model);
    }
    let asked = &args.asked;
    let files = asked.automaton.iter().chain(&asked.atoms);
    refuse_repeated_stdin(files.chain([&args.source.model]))?;
    let typed = Typed {
        definitions: asked
            .atoms
            .as_ref()
            .map(|file| Text::load(None, Some(file), budget))
            .transpose()?,
        requests: requests(args, budget)?,
    };
    let dialect = args.asked.syntax;
    let assumed: Vec<(String, Option<Dialect>)> =
        args.assume.iter().map(|text| (text.clone(), dialect)).collect();
    let finite = path_end(args);
    let properties = typed.requests.iter().map(|asked| asked.request.clone()).collect::<Vec<_>>();
    let definitions = typed.definitions.as_ref().map_or("", |text| &text.text);
    let checker =
        Checker::with_definitions(model, definitions, &properties, &assumed, finite, budget);
    match checker {
        Ok(checker) if checker.properties().is_empty() => {
            bail!("`{}` has no specification; give a formula by `-p`", text.name)
        }
        Ok(checker) => {
            for (place, warning) in checker.warnings() {
                typed.show(*place, "", std::slice::from_ref(warning));
            }
            Ok(Some(Read { text, checker, cache }))
        }
        Err(errors) => {
            refuse(args, &errors, &typed)?;
            Ok(None)
        }
    }
}

/// Where finite paths end, if properties are about those.
fn path_end(args: &Check) -> Option<PathEnd> {
    args.finite.map(|finite| match finite {
        FinitePaths::All => PathEnd::Anywhere,
        FinitePaths::Maximal => PathEnd::DeadEnd,
    })
}

/// What was typed.
struct Typed {
    /// The meaning of propositions.
    definitions: Option<Text>,
    requests: Vec<Asked>,
}

/// A request, and where it was typed.
struct Asked {
    request: PropertyRequest,
    origin: Origin,
}

enum Origin {
    /// An argument of this option.
    Argument(&'static str),
    /// A file, from this byte on.
    File(Rc<Text>, usize),
}

/// What is asked for: typed properties, or those of the model.
fn requests(args: &Check, budget: &Budget) -> anyhow::Result<Vec<Asked>> {
    let asked = &args.asked;
    let mut requests: Vec<Asked> = Vec::new();
    let mut add = |request, option| {
        requests.push(Asked { request, origin: Origin::Argument(option) });
    };
    for wanted in &asked.property {
        add(PropertyRequest::Selected(wanted.clone()), "--property");
    }
    for text in &asked.formulas {
        let (name, text, dialect) = (None, text.clone(), asked.syntax);
        add(PropertyRequest::Ltl { name, text, dialect }, "-p");
    }
    for text in &asked.ctl {
        add(PropertyRequest::Ctl(text.clone()), "--ctl");
    }
    for text in &asked.invariant {
        add(PropertyRequest::Invariant(text.clone()), "--invariant");
    }
    for file in &asked.automaton {
        requests.push(automata(file, asked.none, budget)?);
    }
    for file in &asked.file {
        requests.extend(requirements(file, asked.syntax, budget)?);
    }
    if requests.is_empty() {
        requests.push(Asked { request: PropertyRequest::Declared, origin: Origin::Argument("") });
    }
    if asked.deadlock {
        let origin = Origin::Argument("--deadlock");
        requests.push(Asked { request: PropertyRequest::Deadlock, origin });
    }
    Ok(requests)
}

/// The automata of a file.
fn automata(file: &Path, none: bool, budget: &Budget) -> anyhow::Result<Asked> {
    let text = Rc::new(Text::load(None, Some(file), budget)?);
    let (source, content) = (text.name.clone(), text.text.clone());
    Ok(Asked {
        request: PropertyRequest::Automata { source, text: content, none },
        origin: Origin::File(text, 0),
    })
}

/// The requirements of a file, one by one.
fn requirements(
    file: &Path,
    dialect: Option<Dialect>,
    budget: &Budget,
) -> anyhow::Result<Vec<Asked>> {
    let text = Rc::new(Text::of_file(file, budget)?);
    // Only names and places count here: formulas are read with the model.
    let syntax = Syntax { dialect: dialect.unwrap_or_default(), words: WordKind::Infinite };
    let document = read_document(&mut Store::new(), &text.text, syntax, ReadMode::Lines);
    if document.kind == DocumentKind::Mixture {
        printed::diagnostics(text.source(), &document.diagnostics);
        bail!("`{}` has formulas with and without names", text.name);
    }
    if document.entries.is_empty() {
        bail!("there is no formula in {}", text.name);
    }
    let entry = |entry: &Entry| Asked {
        request: PropertyRequest::Ltl {
            name: entry.name.clone(),
            text: without_comments(&text.text[entry.span.clone()]),
            dialect,
        },
        origin: Origin::File(Rc::clone(&text), entry.span.start),
    };
    Ok(document.entries.iter().map(entry).collect())
}

/// Reports what is wrong with the requests.
fn refuse(args: &Check, errors: &[CheckError], typed: &Typed) -> anyhow::Result<()> {
    let mut first: Option<ReadError> = None;
    for error in errors {
        let found = match error {
            CheckError::Stopped(stop) => return Err(stop.clone().into()),
            CheckError::NoSuchProperty { wanted, count, names } => {
                printed::complaint(&no_such_property(wanted, *count, names))
            }
            CheckError::Wrong { place, text, diagnostics } => typed.show(*place, text, diagnostics),
        };
        first.get_or_insert(found);
    }
    if args.output.json {
        print_refusal("check", first.as_ref())?;
    }
    Ok(())
}

fn no_such_property(wanted: &str, count: usize, names: &[String]) -> anyhow::Error {
    let known = match (count, names) {
        (0, _) => "the model has none".to_owned(),
        (count, []) => format!("they have the numbers 1 to {count}"),
        (count, names) => {
            format!("they have the numbers 1 to {count}, and names: {}", names.join(", "))
        }
    };
    anyhow::anyhow!("there is no specification `{wanted}`: {known}")
}

impl Typed {
    /// Shows diagnostics of a typed text, and returns its first error.
    fn show(&self, place: TypedPlace, text: &str, diagnostics: &[Diagnostic]) -> ReadError {
        let shown = |text: &Text, diagnostics: &[Diagnostic]| {
            printed::diagnostics(text.source(), diagnostics);
            text.first_error(diagnostics).unwrap_or_default()
        };
        match (place, &self.definitions) {
            (TypedPlace::Assumption(_), _) => shown(&Text::argument("--assume", text), diagnostics),
            (TypedPlace::Definitions, Some(file)) => shown(file, diagnostics),
            (TypedPlace::Definitions, None) => shown(&Text::argument("--atoms", text), diagnostics),
            (TypedPlace::Request(index), _) => match &self.requests[index].origin {
                Origin::Argument(option) => shown(&Text::argument(option, text), diagnostics),
                Origin::File(file, start) => {
                    let shifted = diagnostics.iter().map(|d| d.clone().shifted(*start));
                    shown(file, &shifted.collect::<Vec<_>>())
                }
            },
        }
    }
}

/// The check of all properties.
struct CheckSession<'c> {
    args: &'c Check,
    checker: &'c Checker,
    settings: &'c CheckSettings,
    interrupts: &'c Interrupts,
    cache: Option<&'c OrderCache>,
    /// What reading has left for the first property. Each further one has the whole budget.
    first: Limits,
    /// The property to decide next.
    next: AtomicUsize,
    /// Where proofs are written.
    certificate: Option<CertificateFile>,
}

/// What a worker says of a property.
enum Said {
    /// The outcome, and whether the worker now searches for a proof.
    Outcome(Box<CheckOutcome>, bool),
    Certified(Certified),
}

/// What is known of a property.
#[derive(Default)]
struct Known {
    /// The outcome, until it is printed.
    outcome: Option<Box<CheckOutcome>>,
    /// The status, once the outcome is printed.
    status: Option<Status>,
    /// Whether there is or will be something to say of a proof.
    is_certified: bool,
    certified: Option<Certified>,
}

impl Known {
    fn add(&mut self, said: Said) {
        match said {
            Said::Outcome(outcome, is_certified) => {
                (self.outcome, self.is_certified) = (Some(outcome), is_certified);
            }
            Said::Certified(certified) => self.certified = Some(certified),
        }
    }

    /// Whether nothing more will be known.
    fn is_complete(&self) -> bool {
        let is_proof_due = self.is_certified && self.certified.is_none();
        !is_proof_due && (self.outcome.is_some() || self.status.is_some())
    }
}

impl CheckSession<'_> {
    /// Decides and prints all properties.
    fn run(&self, mut report: CheckReport) -> anyhow::Result<Status> {
        let count = self.checker.properties().len();
        scope(|scope| {
            let (sender, receiver) = channel();
            for _ in 0..self.threads() {
                let sender = sender.clone();
                let worker = Builder::new().stack_size(STACK);
                let started = worker.spawn_scoped(scope, move || self.work(&sender));
                started.context("cannot start a thread")?;
            }
            drop(sender);
            let mut all: Vec<Known> = Vec::new();
            all.resize_with(count, Known::default);
            let (mut shown, mut status) = (0, Status::Yes);
            for (place, said) in receiver {
                all[place].add(said);
                while let Some(known) = all.get_mut(shown) {
                    let property = &self.checker.properties()[shown];
                    let printed = self.print(property, known, &mut report).inspect_err(|_| {
                        // Nobody reads what the other workers would find.
                        self.interrupts.cancellation.cancel();
                    });
                    let Some(printed) = printed? else { break };
                    status = Status::of_all([status, printed]);
                    shown += 1;
                }
                if shown == count {
                    // A worker may still be busy with an operation that nothing interrupts.
                    end(status);
                }
            }
            Ok(status)
        })
    }

    /// Prints what is known of a property and was not printed: the verdict first, and what is said
    /// of its proof when that is known. In JSON both are in one object. Returns the status if
    /// nothing is left to be printed.
    fn print(
        &self,
        property: &Property,
        known: &mut Known,
        report: &mut CheckReport,
    ) -> anyhow::Result<Option<Status>> {
        let json = self.args.output.json;
        if known.is_complete() && json {
            self.keep(known)?;
        }
        let is_due = known.is_complete() || !json;
        if let Some(outcome) = known.outcome.take_if(|_| is_due) {
            known.status = Some(report.show(property, &outcome, known.certified.as_ref())?);
        }
        let Some(status) = known.status.filter(|_| known.is_complete()) else { return Ok(None) };
        if !json {
            self.keep(known)?;
        }
        match &known.certified {
            Some(certified) => report.certified(certified, status).map(Some),
            None => Ok(Some(status)),
        }
    }

    /// Writes the proof of a property, if there is one.
    fn keep(&self, known: &Known) -> anyhow::Result<()> {
        match &self.certificate {
            Some(file) => file.add(known.certified.as_ref()),
            None => Ok(()),
        }
    }

    /// The number of properties that are decided at a time.
    fn threads(&self) -> usize {
        self.args.racing.jobs.unwrap_or(1).min(self.checker.properties().len())
    }

    /// The budget of a property.
    fn budget(&self, limits: Limits) -> Budget {
        let budget = self.timed_budget(limits);
        if self.args.racing.deterministic { budget.in_steps() } else { budget }
    }

    /// The same in time. Several workers share the memory, and each counts its own CPU time.
    fn timed_budget(&self, limits: Limits) -> Budget {
        let threads = self.threads() as u64;
        if threads == 1 {
            return self.interrupts.budget(limits);
        }
        let memory = limits.memory.map(|memory| memory / threads);
        let budget = self.interrupts.budget(Limits { cpu: None, memory, ..limits });
        match limits.cpu {
            Some(cpu) => budget.slice(cpu),
            None => budget,
        }
    }

    /// Searches for a proof of a property that holds.
    fn certified(&self, property: &Property, budget: &Budget) -> Certified {
        let (args, asked) = (self.args, &self.args.asked);
        if asked.atoms.is_some() && property.number.is_none() {
            return Certified::Not("its propositions are defined in a file".to_owned());
        }
        if args.dead.is_some() {
            return Certified::Not("a certificate is about the model without `--dead`".to_owned());
        }
        match model_claim(property, asked.syntax, &args.assume, path_end(args)) {
            Ok(claim) => {
                let model = self.checker.model();
                certify_model(model, claim, budget, &mut Progress::new()).into()
            }
            Err(why) => Certified::Not(why.to_owned()),
        }
    }

    /// Decides properties until none is left.
    fn work(&self, sender: &Sender<(usize, Said)>) {
        let race = WorkerRace::new(&self.args.racing, self.threads());
        let worker = CheckWorker::new(self.checker, self.settings).racing(&race);
        let properties = self.checker.properties();
        loop {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(property) = properties.get(place) else { return };
            let limits = if place == 0 { self.first } else { self.args.budgeting.limits() };
            let is_violated = Arc::new(AtomicBool::new(false));
            let violation_found = Arc::clone(&is_violated);
            let budget = self.budget(limits);
            let budget = budget.listened_to(move || violation_found.store(true, Ordering::Relaxed));
            let mut progress = Progress::new();
            race.begin();
            let work = || worker.check(property, &budget, &mut progress);
            // A late outcome is sent while the work still runs.
            let late = |stop| {
                let (race_is_violated, entrants) = race.end(&stop, &budget);
                let is_violated = race_is_violated || is_violated.load(Ordering::Relaxed);
                let outcome = CheckOutcome::stopped(stop, is_violated, &budget);
                let outcome = Box::new(CheckOutcome { entrants, ..outcome });
                let _ = sender.send((place, Said::Outcome(outcome, false)));
            };
            if let Ok(outcome) = in_time(work, &budget, self.interrupts, late) {
                drop(progress);
                if let (Some(cache), Some(order)) = (self.cache, worker.order_file()) {
                    cache.keep(order);
                }
                let holds = matches!(outcome.result, Ok(CheckVerdict::Holds));
                let is_certified = holds && self.certificate.is_some();
                // The verdict does not wait for the proof.
                let _ = sender.send((place, Said::Outcome(Box::new(outcome), is_certified)));
                if is_certified {
                    let send = |certified| drop(sender.send((place, Said::Certified(certified))));
                    let late = |stop| send(Certified::Not(unknown(&stop)));
                    let prove = || self.certified(property, &budget);
                    if let Ok(certified) = in_time(prove, &budget, self.interrupts, late) {
                        send(certified);
                    }
                }
            }
        }
    }
}
