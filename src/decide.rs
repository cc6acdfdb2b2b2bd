//! `sat`, `valid`, `equiv` and `implies`: each question becomes a question of satisfiability.

use std::time::Duration;

use kermode::ltl::dialect::{Document, DocumentKind, Entry, Unwritable, write};
use kermode::ltl::{
    BinaryOp, Diagnostic, Dialect, Formula, Node, Severity, Source, Store, UnaryOp, WordKind,
};
use kermode::solve::{
    Budget, Cancellation, EngineSpec, InternalError, Limits, Problem, Statistics, Verdict,
    WitnessPolicy, decide, default_engine,
};

use crate::args::{Decide, DecidePair, ShowWitness, Solving};
use crate::input::{self, Text};
use crate::progress::Progress;
use crate::report::{self, Reporter};
use crate::status::Status;

/// What a command asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    Sat,
    Valid,
    Equiv,
    Implies,
}

impl Question {
    /// The command that asks it.
    pub(crate) fn command(self) -> &'static str {
        match self {
            Question::Sat => "sat",
            Question::Valid => "valid",
            Question::Equiv => "equiv",
            Question::Implies => "implies",
        }
    }

    /// The words for yes and no.
    pub(crate) fn answer(self, yes: bool) -> &'static str {
        match (self, yes) {
            (Question::Sat, true) => "satisfiable",
            (Question::Sat, false) => "unsatisfiable",
            (Question::Valid, true) => "valid",
            (Question::Valid, false) => "not valid",
            (Question::Equiv, true) => "equivalent",
            (Question::Equiv, false) => "not equivalent",
            (Question::Implies, true) => "implied",
            (Question::Implies, false) => "not implied",
        }
    }

    /// Whether a word means yes; to the other questions it is a counterexample.
    pub(crate) fn word_means_yes(self) -> bool {
        self == Question::Sat
    }

    /// The formula whose words decide the question. It is taken as it stands: no engine's work is
    /// done here.
    fn formula(self, store: &mut Store, first: Formula, second: Formula) -> Formula {
        let node = match self {
            Question::Sat => return first,
            Question::Valid => Node::Unary(UnaryOp::Not, first),
            Question::Equiv => Node::Binary(BinaryOp::Xor, first, second),
            Question::Implies => {
                let not_second = store.intern(Node::Unary(UnaryOp::Not, second));
                Node::Binary(BinaryOp::And, first, not_second)
            }
        };
        store.intern(node)
    }
}

/// One input.
#[derive(Default)]
pub(crate) struct Case {
    /// The requirement's name or the line, where there are several inputs.
    pub(crate) label: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) line: Option<usize>,
    /// The formulas as they were written.
    pub(crate) texts: Vec<String>,
    /// The formulas: one, or the two of a pair; none if there is an error in them.
    pub(crate) formulas: Vec<Formula>,
    pub(crate) error: Option<ReadError>,
}

/// What is wrong with a formula that could not be read, and where.
pub(crate) struct ReadError {
    pub(crate) message: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) help: Option<String>,
}

/// One input and what became of it.
pub(crate) struct Outcome<'c> {
    pub(crate) question: Question,
    pub(crate) case: &'c Case,
    pub(crate) words: WordKind,
    pub(crate) engine: &'c EngineSpec,
    pub(crate) result: Result<Verdict, InternalError>,
    pub(crate) statistics: Statistics,
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
}

impl Outcome<'_> {
    fn status(&self) -> Status {
        match &self.result {
            Err(_) => Status::Internal,
            Ok(Verdict::Unknown(_)) => Status::Unknown,
            Ok(verdict) => match self.is_yes(verdict) {
                true => Status::Yes,
                false => Status::No,
            },
        }
    }

    pub(crate) fn is_yes(&self, verdict: &Verdict) -> bool {
        matches!(verdict, Verdict::Satisfiable(_)) == self.question.word_means_yes()
    }

    /// A command that asks the same question again.
    pub(crate) fn reproduce(&self, store: &Store) -> String {
        let syntax = Dialect::Kermode.into();
        let written: Result<Vec<String>, Unwritable> =
            self.case.formulas.iter().map(|&formula| write(store, formula, syntax)).collect();
        let quoted = |text: &String| format!("'{}'", text.replace('\'', "'\\''"));
        let formulas: Vec<String> = written.unwrap_or_default().iter().map(quoted).collect();
        let finite = if self.words == WordKind::Finite { " --finite" } else { "" };
        format!(
            "kermode {}{finite} --engine {} {}",
            self.question.command(),
            self.engine,
            formulas.join(" ")
        )
    }
}

/// `sat` and `valid`.
pub(crate) fn single(
    args: &Decide,
    question: Question,
    cancellation: &Cancellation,
) -> anyhow::Result<Status> {
    let mut store = Store::new();
    let text = input::load(args.formula.as_deref(), &args.input)?;
    let document = text.document(&mut store, args.input.reading, args.input.whole)?;
    let together = document.kind == DocumentKind::Requirements && !args.each;
    let cases = match together {
        true if !document.is_sound() => return Ok(Status::Bad),
        true => vec![conjunction(&mut store, &text, &document)],
        false => document.entries.iter().map(|entry| case(&text, entry, &document)).collect(),
    };
    let sound = match document.is_sound() {
        true => Status::Yes,
        false => Status::Bad,
    };
    let mut reporter = Reporter::new(args.output, &args.solving);
    let words = args.input.reading.words();
    let statuses =
        run(&mut store, &cases, question, words, &args.solving, cancellation, &mut reporter)?;
    Ok(Status::of_all(statuses.into_iter().chain([sound])))
}

/// `equiv` and `implies`.
pub(crate) fn pair(
    args: &DecidePair,
    question: Question,
    cancellation: &Cancellation,
) -> anyhow::Result<Status> {
    let mut store = Store::new();
    let texts = match (&args.formula, &args.second) {
        (Some(first), Some(second)) if first != "-" => {
            vec![Text::argument("<first>", first), Text::argument("<second>", second)]
        }
        (first, None) => vec![Text::load(first.as_deref(), args.file.as_deref())?],
        (_, Some(_)) => anyhow::bail!("standard input gives both formulas, one a line"),
    };
    let mut formulas = Vec::new();
    let mut written = Vec::new();
    let mut sound = true;
    for text in &texts {
        let document = text.document(&mut store, args.reading, false)?;
        sound &= document.is_sound();
        written.extend(document.entries.iter().map(|entry| excerpt(text.source(), entry)));
        formulas.extend(document.entries.iter().filter_map(|entry| entry.formula));
    }
    if !sound {
        return Ok(Status::Bad);
    }
    if formulas.len() != 2 {
        let (command, count) = (question.command(), formulas.len());
        anyhow::bail!("`{command}` takes two formulas, and there {} {count}", are(count));
    }
    let case = Case { texts: written, formulas, ..Case::default() };
    let mut reporter = Reporter::new(args.output, &args.solving);
    let words = args.reading.words();
    let statuses =
        run(&mut store, &[case], question, words, &args.solving, cancellation, &mut reporter)?;
    Ok(Status::of_all(statuses))
}

fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

fn excerpt(source: Source, entry: &Entry) -> String {
    source.text[entry.span.clone()].trim().to_owned()
}

fn case(text: &Text, entry: &Entry, document: &Document) -> Case {
    let several = document.entries.len() > 1;
    let label = entry.name.clone().or_else(|| several.then(|| format!("line {}", entry.line)));
    Case {
        label,
        name: entry.name.clone(),
        line: several.then_some(entry.line),
        texts: vec![excerpt(text.source(), entry)],
        formulas: entry.formula.into_iter().collect(),
        error: read_error(text.source(), entry, document),
    }
}

fn read_error(source: Source, entry: &Entry, document: &Document) -> Option<ReadError> {
    let inside = |d: &&Diagnostic| {
        d.severity == Severity::Error && (entry.span.start..=entry.span.end).contains(&d.span.start)
    };
    let diagnostic = document.diagnostics.iter().find(inside)?;
    let (line, column) = source.line_and_column(diagnostic.span.start);
    let (message, help) = (diagnostic.message.clone(), diagnostic.help.clone());
    Some(ReadError { message, line, column, help })
}

/// All requirements of a file together, as they stand.
fn conjunction(store: &mut Store, text: &Text, document: &Document) -> Case {
    let parts: Vec<Formula> = document.entries.iter().filter_map(|entry| entry.formula).collect();
    let all =
        parts.into_iter().reduce(|all, next| store.intern(Node::Binary(BinaryOp::And, all, next)));
    let written = |entry: &Entry| format!("({})", excerpt(text.source(), entry));
    let texts: Vec<String> = document.entries.iter().map(written).collect();
    Case { texts: vec![texts.join(" & ")], formulas: all.into_iter().collect(), ..Case::default() }
}

/// Decides cases one after the other.
fn run(
    store: &mut Store,
    cases: &[Case],
    question: Question,
    words: WordKind,
    solving: &Solving,
    cancellation: &Cancellation,
    reporter: &mut Reporter,
) -> anyhow::Result<Vec<Status>> {
    let engine = solving.engine.clone().unwrap_or_else(default_engine);
    let limits = Limits { wall: solving.timeout, cpu: solving.cpu, memory: solving.memory };
    let policy = WitnessPolicy {
        wanted: solving.witness != ShowWitness::None,
        limit: solving.witness_limit,
    };
    let mut statuses = Vec::new();
    for case in cases {
        let Some(&first) = case.formulas.first() else {
            report::unreadable(reporter, question, case)?;
            continue;
        };
        let second = case.formulas.get(1).copied().unwrap_or(first);
        let formula = question.formula(store, first, second);
        let problem = Problem { store, formula, words };
        let budget = Budget::new(limits, cancellation.clone());
        let mut progress = Progress::new();
        let result = decide(&problem, &engine, policy, &budget, &mut progress);
        let (wall, cpu) = (budget.elapsed(), budget.cpu_elapsed());
        let statistics = std::mem::take(&mut progress.statistics);
        drop(progress);
        let engine = &engine;
        let outcome = Outcome { question, case, words, engine, result, statistics, wall, cpu };
        reporter.outcome(store, &outcome)?;
        statuses.push(outcome.status());
    }
    Ok(statuses)
}
