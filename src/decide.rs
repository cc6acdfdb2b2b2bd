//! `sat`, `valid`, `equiv` and `implies`: each question becomes a question of satisfiability.

use std::time::Duration;

use anyhow::bail;
use kermode::ltl::dialect::{Document, DocumentKind, Entry};
use kermode::ltl::{BinaryOp, Dialect, Formula, Node, Store, UnaryOp, WordKind, semantics};
use kermode::solve::{
    Budget, Cancellation, EngineSpec, InternalError, Limits, Problem, Statistics, Verdict, Witness,
    WitnessPolicy, decide, default_engine,
};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::args::{Decide, DecidePair, Output, Reading, ShowWitness, Solving};
use crate::input::{self, ReadError, Text};
use crate::progress::Progress;
use crate::report::Reporter;
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

/// One input and what became of it.
pub(crate) struct Outcome<'c> {
    pub(crate) question: Question,
    pub(crate) case: &'c Case,
    pub(crate) syntax: Dialect,
    pub(crate) words: WordKind,
    pub(crate) engine: &'c EngineSpec,
    pub(crate) result: Result<Verdict, InternalError>,
    /// Which formulas of a pair hold on the word that tells them apart.
    pub(crate) sides: Option<[bool; 2]>,
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
    pub(crate) fn reproduce(&self) -> String {
        let quoted = |text: &String| format!("'{}'", text.replace('\'', "'\\''"));
        let formulas: Vec<String> = self.case.texts.iter().map(quoted).collect();
        let syntax = match self.syntax {
            Dialect::Kermode => String::new(),
            dialect => format!(" --syntax {}", dialect.name()),
        };
        let finite = if self.words == WordKind::Finite { " --finite" } else { "" };
        format!(
            "kermode {}{syntax}{finite} --engine {} {}",
            self.question.command(),
            self.engine,
            formulas.join(" ")
        )
    }
}

/// `sat` and `valid`.
pub(crate) fn single(args: &Decide, question: Question) -> anyhow::Result<Status> {
    let mut store = Store::new();
    let text = input::load(args.formula.as_deref(), &args.input)?;
    let document = text.document(&mut store, args.input.reading, args.input.whole)?;
    let session = Session::new(question, args.input.reading, &args.solving, args.output)?;
    let sound = if document.is_sound() { Status::Yes } else { Status::Bad };
    let cases: Vec<Case> = match document.kind {
        DocumentKind::Mixture => return session.refuse(&text, &document),
        DocumentKind::Requirements if !args.each => match document.is_sound() {
            true => vec![conjunction(&mut store, &text, &document)],
            false => return session.refuse(&text, &document),
        },
        _ => document.entries.iter().map(|entry| case(&text, entry, &document)).collect(),
    };
    let statuses: anyhow::Result<Vec<Status>> =
        cases.iter().map(|case| session.decide(&store, case)).collect();
    Ok(Status::of_all(statuses?.into_iter().chain([sound])))
}

/// `equiv` and `implies`.
pub(crate) fn pair(args: &DecidePair, question: Question) -> anyhow::Result<Status> {
    let mut store = Store::new();
    let texts = match (&args.formula, &args.second) {
        (Some(first), Some(second)) if first != "-" => {
            vec![Text::argument("<first>", first), Text::argument("<second>", second)]
        }
        (first, None) => vec![Text::load(first.as_deref(), args.file.as_deref())?],
        (_, Some(_)) => bail!("standard input gives both formulas, one a line"),
    };
    let documents: anyhow::Result<Vec<Document>> =
        texts.iter().map(|text| text.document(&mut store, args.reading, false)).collect();
    let documents = documents?;
    let session = Session::new(question, args.reading, &args.solving, args.output)?;
    let both = || texts.iter().zip(&documents);
    if let Some((text, document)) = both().find(|(_, document)| !document.is_sound()) {
        return session.refuse(text, document);
    }
    let entries =
        || both().flat_map(|(text, document)| document.entries.iter().map(move |e| (text, e)));
    let case = Case {
        texts: entries().map(|(text, entry)| text.excerpt(entry.span.clone())).collect(),
        formulas: entries().filter_map(|(_, entry)| entry.formula.ok()).collect(),
        ..Case::default()
    };
    match case.formulas.len() {
        2 => session.decide(&store, &case),
        1 => bail!("`{}` takes two formulas, and there is 1", question.command()),
        more => bail!("`{}` takes two formulas, and there are {more}", question.command()),
    }
}

fn case(text: &Text, entry: &Entry, document: &Document) -> Case {
    let several = document.entries.len() > 1;
    let label = entry.name.clone().or_else(|| several.then(|| format!("line {}", entry.line)));
    let error =
        entry.formula.err().map(|index| text.read_error(&document.diagnostics[index], entry.line));
    Case {
        label,
        name: entry.name.clone(),
        line: several.then_some(entry.line),
        texts: vec![text.excerpt(entry.span.clone())],
        formulas: entry.formula.ok().into_iter().collect(),
        error,
    }
}

/// All requirements of a file together, as they stand.
fn conjunction(store: &mut Store, text: &Text, document: &Document) -> Case {
    let parts: Vec<Formula> =
        document.entries.iter().filter_map(|entry| entry.formula.ok()).collect();
    let all =
        parts.into_iter().reduce(|all, next| store.intern(Node::Binary(BinaryOp::And, all, next)));
    let written = |entry: &Entry| format!("({})", text.excerpt(entry.span.clone()));
    let texts: Vec<String> = document.entries.iter().map(written).collect();
    Case { texts: vec![texts.join(" & ")], formulas: all.into_iter().collect(), ..Case::default() }
}

/// What all inputs of one command share.
struct Session {
    question: Question,
    reading: Reading,
    engine: EngineSpec,
    limits: Limits,
    policy: WitnessPolicy,
    cancellation: Cancellation,
    reporter: Reporter,
}

impl Session {
    /// To be made when the input is read: from then on interrupts end the work, not the process.
    fn new(
        question: Question,
        reading: Reading,
        solving: &Solving,
        output: Output,
    ) -> anyhow::Result<Session> {
        Ok(Session {
            question,
            reading,
            engine: engine(solving)?,
            limits: Limits { wall: solving.timeout, cpu: solving.cpu, memory: solving.memory },
            policy: WitnessPolicy {
                wanted: solving.witness != ShowWitness::None,
                limit: solving.witness_limit,
            },
            cancellation: ended_by_signals()?,
            reporter: Reporter::new(output, solving),
        })
    }

    /// Decides one case.
    fn decide(&self, store: &Store, case: &Case) -> anyhow::Result<Status> {
        // A store of its own, so that one of many formulas does not pay for the others.
        let (mut store, formulas) = store.extract(&case.formulas);
        let Some(&first) = formulas.first() else {
            self.reporter.unreadable(self.question, case)?;
            return Ok(Status::Bad);
        };
        let second = formulas.get(1).copied().unwrap_or(first);
        let formula = self.question.formula(&mut store, first, second);
        let words = self.reading.words();
        let problem = Problem::satisfiability(&store, formula, words);
        let budget = Budget::new(self.limits, self.cancellation.clone());
        let mut progress = Progress::new();
        let result = decide(&problem, &self.engine, self.policy, &budget, &mut progress);
        let outcome = Outcome {
            question: self.question,
            case,
            syntax: self.reading.syntax,
            words,
            engine: &self.engine,
            sides: sides(&store, &formulas, &result, &budget),
            result,
            statistics: std::mem::take(&mut progress.statistics),
            wall: budget.elapsed(),
            cpu: budget.cpu_elapsed(),
        };
        drop(progress);
        self.reporter.outcome(&store, formula, &outcome)?;
        Ok(outcome.status())
    }

    /// A text with errors that leave nothing to decide.
    fn refuse(&self, text: &Text, document: &Document) -> anyhow::Result<Status> {
        self.reporter.refused(self.question.command(), text.first_error(document).as_ref())?;
        Ok(Status::Bad)
    }
}

/// The engine that was asked for, with the rules that were.
fn engine(solving: &Solving) -> anyhow::Result<EngineSpec> {
    let engine = solving.engine.clone().unwrap_or_else(default_engine);
    match (&solving.rules, solving.no_rewrite) {
        (Some(rules), _) => match engine.clone().with("rules", rules)? {
            Some(engine) => Ok(engine),
            None => bail!("engine {engine} does no rewriting, so that it takes no `--rules`"),
        },
        (None, true) => Ok(engine.clone().with("rules", "none")?.unwrap_or(engine)),
        (None, false) => Ok(engine),
    }
}

/// Which of two formulas hold on the word that tells them apart.
fn sides(
    store: &Store,
    formulas: &[Formula],
    result: &Result<Verdict, InternalError>,
    budget: &Budget,
) -> Option<[bool; 2]> {
    let (&[first, second], Ok(Verdict::Satisfiable(Witness::Replayed(word)))) = (formulas, result)
    else {
        return None;
    };
    let holds = |formula| semantics::satisfies(store, formula, word, &mut || budget.check()).ok();
    Some([holds(first)?, holds(second)?])
}

/// A flag that the first interrupt raises, so that work ends with `unknown (cancelled)`; the second one
/// ends the process at once.
pub(crate) fn ended_by_signals() -> std::io::Result<Cancellation> {
    let cancellation = Cancellation::new();
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let exit = i32::from(u8::from(Status::Unknown));
        signal_hook::flag::register_conditional_shutdown(signal, exit, cancellation.flag())?;
        signal_hook::flag::register(signal, cancellation.flag())?;
    }
    Ok(cancellation)
}
