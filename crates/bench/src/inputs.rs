//! The inputs of a campaign: lines of tables, requirement files, members of families. Those that
//! are properties of models are in `models`.

use std::ops::Range;
use std::path::{Path, PathBuf};

use kermode_base::{Diagnostic, Severity, Source};
use kermode_ltl::dialect::{Document, DocumentKind, ReadMode, convert, parse, read_document};
use kermode_ltl::families::{Instance, MemberKind, Request};
use kermode_ltl::text::{self, TextError};
use kermode_ltl::{BinaryOp, Dialect, Formula, Node, Store, Syntax, UnaryOp};

use toml::Spanned;

use crate::manifest::{Checker, Files, Members, Reading};
use crate::models::ModelProperty;
use crate::record::Outcome;

/// The largest number of members of a family, so that a typing error in a range does not fill the
/// memory.
const MOST_MEMBERS: usize = 1_000_000;

/// One input of a campaign.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name, which no other input of the campaign has.
    pub name: String,
    /// The family that tables sum over.
    pub family: String,
    /// The parameter for plots of growth.
    pub parameter: Option<f64>,
    /// The verdict that is known.
    pub expected: Option<Outcome>,
    pub(crate) question: Question,
}

/// What is asked about an input.
#[derive(Clone, Debug)]
pub(crate) enum Question {
    /// Is there a word?
    Formula(AskedFormula),
    /// Does the model have the property?
    Property(ModelProperty),
}

/// A formula, or a conjunction of requirements.
#[derive(Clone, Debug)]
pub(crate) struct AskedFormula {
    pub(crate) syntax: Syntax,
    body: Body,
}

#[derive(Clone, Debug)]
enum Body {
    /// One formula.
    Formula(String),
    /// A requirement file.
    Requirements(String),
    /// A formula that is built when it is needed.
    Member { instance: Instance, negated: bool },
}

impl AskedFormula {
    /// The formula in a dialect, unchanged if it is already in that dialect.
    pub(crate) fn written(&self, dialect: Dialect) -> anyhow::Result<String> {
        let mut store = Store::new();
        let formula = match &self.body {
            Body::Formula(text) if dialect == self.syntax.dialect => return Ok(text.clone()),
            Body::Formula(text) => {
                let parsed = parse(&mut store, text, self.syntax);
                parsed.map_err(|error| anyhow::anyhow!(error.message))?.formula
            }
            Body::Requirements(text) => {
                let document = read_document(&mut store, text, self.syntax, ReadMode::Lines);
                conjunction(&mut store, &document)
            }
            Body::Member { instance, negated } => {
                let member = instance.build(&mut store);
                if *negated { store.intern(Node::Unary(UnaryOp::Not, member)) } else { member }
            }
        };
        let syntax = Syntax { dialect, words: self.syntax.words };
        Ok(convert(&mut store, formula, syntax)?.1)
    }

    fn identity(&self) -> String {
        let body = match &self.body {
            Body::Formula(text) | Body::Requirements(text) => text.clone(),
            Body::Member { instance, negated } => format!("{negated} {instance}"),
        };
        format!("{:?} {body}", self.syntax)
    }
}

impl Input {
    /// The property, if the input is one of a model.
    pub(crate) fn property(&self) -> Option<&ModelProperty> {
        match &self.question {
            Question::Formula(_) => None,
            Question::Property(property) => Some(property),
        }
    }

    /// A text that distinguishes it from other inputs with the same name.
    pub(crate) fn identity(&self) -> String {
        let question = match &self.question {
            Question::Formula(formula) => formula.identity(),
            Question::Property(property) => property.identity(),
        };
        let Input { family, parameter, expected, .. } = self;
        format!("{family} {parameter:?} {expected:?} {question}")
    }
}

/// All requirements together.
fn conjunction(store: &mut Store, document: &Document) -> Formula {
    let formulas: Vec<Formula> =
        document.entries.iter().filter_map(|entry| entry.formula.ok()).collect();
    let both = |left, right| store.intern(Node::Binary(BinaryOp::And, left, right));
    let all = formulas.into_iter().reduce(both);
    all.unwrap_or_else(|| store.constant(true))
}

impl Files {
    fn leaves_out(&self, name: &str) -> bool {
        self.except.iter().any(|left_out| left_out == name)
    }
}

/// The lines of tables `name<TAB>expected<TAB>formula`.
pub(crate) fn tables(files: &Files, checker: &mut Checker) -> Vec<Input> {
    let mut inputs = Vec::new();
    for path in matching(&files.files, checker) {
        let Some(text) = read(&path, files.files.span(), checker) else { continue };
        let name = path.display().to_string();
        let (found, wrong) = table(&text, &path, files);
        checker.wrong_file(Source { name: &name, text: &text }, &wrong);
        if rows(&text).next().is_none() {
            let message = format!("`{name}` has no rows");
            checker.error(files.files.span(), message, "expected tables that have some");
        }
        inputs.extend(found);
    }
    inputs
}

/// The inputs of one table, and its errors.
fn table(text: &str, path: &Path, files: &Files) -> (Vec<Input>, Vec<Diagnostic>) {
    let reading = files.reading();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let family = reading.family.clone().unwrap_or(stem);
    let (mut inputs, mut wrong) = (Vec::new(), Vec::new());
    for (start, row) in rows(text) {
        if !files.leaves_out(row.split('\t').next().unwrap_or(row)) {
            match table_row(row, &family, &reading) {
                Ok(input) => inputs.push(input),
                Err(diagnostic) => wrong.push(diagnostic.shifted(start)),
            }
        }
    }
    (inputs, wrong)
}

/// The rows of a table that are not blank, and where they start.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    let rows = text.split_inclusive('\n').map(move |line| {
        start += line.len();
        (start - line.len(), line.trim_end_matches(['\n', '\r']))
    });
    rows.filter(|(_, row)| !row.trim().is_empty())
}

fn table_row(row: &str, family: &str, reading: &Reading) -> Result<Input, Diagnostic> {
    let fields: Vec<&str> = row.splitn(3, '\t').collect();
    let [name, expected, formula] = fields[..] else {
        let message = format!("this row has {} of 3 columns", fields.len());
        let label = "expected name, verdict and formula, with tabs between them";
        return Err(Diagnostic::error(0..row.len(), message).label(label));
    };
    let verdict = Outcome::of_formula(expected);
    if verdict.is_none() && !matches!(expected, "UNKNOWN" | "NA" | "unknown" | "?" | "") {
        let (start, end) = (name.len() + 1, name.len() + 1 + expected.len());
        let error = Diagnostic::error(start..end, format!("`{expected}` is no verdict"));
        return Err(error.label("expected SAT, UNSAT, UNKNOWN or NA"));
    }
    let syntax = reading.syntax;
    let start = row.len() - formula.len();
    parse(&mut Store::new(), formula, syntax).map_err(|error| error.shifted(start))?;
    Ok(Input {
        name: name.to_owned(),
        family: family.to_owned(),
        parameter: None,
        expected: verdict.or(reading.expected),
        question: asked(syntax, Body::Formula(formula.to_owned())),
    })
}

fn asked(syntax: Syntax, body: Body) -> Question {
    Question::Formula(AskedFormula { syntax, body })
}

/// Requirement files, each an input.
pub(crate) fn requirements(files: &Files, checker: &mut Checker) -> Vec<Input> {
    let (mut inputs, reading) = (Vec::new(), files.reading());
    for path in matching(&files.files, checker) {
        let relative = path.strip_prefix(checker.folder).unwrap_or(&path);
        if files.leaves_out(&relative.to_string_lossy()) {
            continue;
        }
        let Some(text) = read(&path, files.files.span(), checker) else { continue };
        let wrong = wrong_requirements(&text, reading.syntax);
        let name = path.display().to_string();
        checker.wrong_file(Source { name: &name, text: &text }, &wrong);
        let family = || folder_of(relative).unwrap_or("requirements".to_owned());
        inputs.push(Input {
            name: relative.display().to_string(),
            family: reading.family.clone().unwrap_or_else(family),
            parameter: None,
            expected: reading.expected,
            question: asked(reading.syntax, Body::Requirements(text)),
        });
    }
    inputs
}

fn wrong_requirements(text: &str, syntax: Syntax) -> Vec<Diagnostic> {
    let document = read_document(&mut Store::new(), text, syntax, ReadMode::Lines);
    let (kind, sound) = (document.kind, document.is_sound());
    let mut wrong = document.diagnostics;
    wrong.retain(|diagnostic| diagnostic.severity == Severity::Error);
    if sound && (kind != DocumentKind::Requirements || document.entries.is_empty()) {
        let error = Diagnostic::error(0..0, "this is no requirement file");
        wrong.push(error.label("expected lines `name: formula`"));
    }
    wrong
}

/// Members of a family.
pub(crate) fn members(members: &Members, checker: &mut Checker) -> Vec<Input> {
    let (reading, negated) = (members.reading(), members.negated);
    let instances = instances(&members.members.get_ref().0.0, members.members.span(), checker);
    let growing = growing(members.growing.as_ref(), &instances, checker);
    let sign = if negated { "!" } else { "" };
    let input = |instance: Instance| Input {
        name: format!("{sign}{instance}"),
        family: reading.family.clone().unwrap_or_else(|| format!("{sign}{}", instance.name())),
        parameter: growing.and_then(|place| parameter(&instance, place)),
        expected: reading.expected,
        question: asked(reading.syntax, Body::Member { instance, negated }),
    };
    instances.into_iter().map(input).collect()
}

/// The members that are asked for; none, with an error, if they are too many.
pub(crate) fn instances<K: MemberKind>(
    request: &Request<K>,
    span: Range<usize>,
    checker: &mut Checker,
) -> Vec<Instance<K>> {
    let instances: Vec<Instance<K>> = request.instances().take(MOST_MEMBERS + 1).collect();
    if instances.len() > MOST_MEMBERS {
        let label = format!("expected at most {MOST_MEMBERS}");
        checker.error(span, "there are too many members", &label);
        return Vec::new();
    }
    instances
}

/// The argument of a member at a place.
pub(crate) fn parameter<K: MemberKind>(instance: &Instance<K>, place: usize) -> Option<f64> {
    instance.arguments().nth(place)?.1.parse().ok()
}

/// The argument named as growing, or the first range; seeds do not grow.
pub(crate) fn growing<K: MemberKind>(
    wanted: Option<&Spanned<String>>,
    instances: &[Instance<K>],
    checker: &mut Checker,
) -> Option<usize> {
    let (first, last) = (instances.first()?, instances.last()?);
    let Some(wanted) = wanted else {
        let mut pairs = first.arguments().zip(last.arguments());
        return pairs.position(|((name, low), (_, high))| name != "SEED" && low != high);
    };
    let place = first.arguments().position(|(name, _)| name == wanted.get_ref());
    if place.is_none() {
        let names: Vec<&str> = first.arguments().map(|(name, _)| name).collect();
        let message = format!("`{}` is no argument of this family", wanted.get_ref());
        checker.error(wanted.span(), message, &format!("expected one of {}", names.join(", ")));
    }
    place
}

/// The folder of a path relative to the manifest; none if that is the folder of the manifest.
pub(crate) fn folder_of(relative: &Path) -> Option<String> {
    let folder = relative.parent()?.display().to_string();
    (!folder.is_empty()).then_some(folder)
}

/// The files that match a pattern, by name.
pub(crate) fn matching(pattern: &Spanned<String>, checker: &mut Checker) -> Vec<PathBuf> {
    let (pattern, span) = (pattern.get_ref(), pattern.span());
    let folder = glob::Pattern::escape(&checker.folder.to_string_lossy());
    let full = Path::new(&folder).join(pattern);
    let paths = match glob::glob(&full.to_string_lossy()) {
        Ok(paths) => paths.flatten().filter(|path| path.is_file()).collect::<Vec<_>>(),
        Err(error) => {
            checker.error(span, format!("this is no pattern: {}", error.msg), "");
            return Vec::new();
        }
    };
    if paths.is_empty() {
        let message = format!("no file is called `{pattern}`");
        checker.error(span, message, "expected a path or a pattern relative to the manifest");
    }
    paths
}

/// The text of a file that is named at a place of the manifest.
pub(crate) fn read(path: &Path, span: Range<usize>, checker: &mut Checker) -> Option<String> {
    let complain = |error: TextError| {
        if let TextError::NotText { shown, .. } = &error {
            checker.shown.push_str(shown);
        }
        checker.error(span, format!("{:#}", anyhow::Error::from(error)), "");
    };
    text::read_file(path).map_err(complain).ok()
}
