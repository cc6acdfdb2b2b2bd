//! The manifest of a campaign: TOML, read strictly. All errors in it, or in the files that it
//! names, are reported with their places before anything runs.
//!
//! The types of the fields check single values while they are read (`values`). Conditions on
//! several values are checked afterwards, over [`Spanned`] values.

mod models;
mod values;

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kermode_base::{Diagnostic, Source};
use kermode_ltl::text;
use kermode_ltl::{Dialect, Syntax, WordKind};
use kermode_solve::EngineSpec;
use rustix::fs::Access;
use serde::Deserialize;
use toml::Spanned;

use crate::inputs::{self, Input};
use crate::process::Limits;
use crate::record::Outcome;
use crate::shard::Shard;
use crate::tool::{OtherTool, PORTFOLIO, Tool};
use crate::unusable::{Unusable, shown};

pub(crate) use values::Sign;
use values::{AskedFor, Expected, Named, Positive, Read, Size, Time, once, wanted};

pub(crate) use models::{ModelFiles, ModelMembers};

/// The default wall-clock limit is three times the CPU time plus this.
const MORE_WALL: Duration = Duration::from_secs(5);

/// A campaign, ready to run.
#[derive(Debug)]
pub struct Campaign {
    /// What tools are run on.
    pub inputs: Vec<Input>,
    /// What is run on them.
    pub tools: Vec<Tool>,
    /// How often each run is made.
    pub repetitions: u32,
    /// After so many runs of a tool on smaller members of a family that a limit ended, larger
    /// members are not run.
    pub(crate) stop_after: Option<u32>,
    pub(crate) limits: Limits,
    /// The command that limits and guards the runs.
    pub(crate) kermode: PathBuf,
}

/// A manifest as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Manifest {
    limits: WrittenLimits,
    #[serde(default = "once")]
    repetitions: Positive,
    /// After how many runs that a limit ended larger members are left out.
    stop_after_limits: Option<Positive>,
    /// Whether our engines search for words, or for verdicts alone.
    #[serde(default = "wanted")]
    witness: bool,
    #[serde(default)]
    engines: Vec<Spanned<String>>,
    #[serde(default)]
    tools: Vec<WrittenTool>,
    #[serde(default)]
    tables: Vec<Files>,
    #[serde(default)]
    requirements: Vec<Files>,
    #[serde(default)]
    families: Vec<Members>,
    #[serde(default)]
    models: Vec<Spanned<models::WrittenModels>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenLimits {
    cpu: Time,
    wall: Option<Time>,
    memory: Size,
    address_space: Option<Size>,
}

/// Files of formulas.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Files {
    /// Paths relative to the manifest; `*`, `?`, `[..]` and `**` stand for many.
    pub(crate) files: Spanned<String>,
    /// The names of rows or files that are left out, whatever is in them.
    #[serde(default)]
    pub(crate) except: Vec<String>,
    family: Option<String>,
    expected: Option<Read<Expected>>,
    #[serde(default)]
    syntax: Read<Named>,
    #[serde(default)]
    finite: bool,
}

/// Members of a family, with arguments as for `kermode gen`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Members {
    /// The family and its arguments, which may be ranges.
    pub(crate) members: Spanned<Read<AskedFor>>,
    /// Whether to use their negations.
    #[serde(default)]
    pub(crate) negated: bool,
    /// The name of the argument for plots of growth; by default the first range.
    pub(crate) growing: Option<Spanned<String>>,
    family: Option<String>,
    expected: Option<Read<Expected>>,
    #[serde(default)]
    finite: bool,
}

/// How the texts of inputs are read.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    /// What tables call their family.
    pub(crate) family: Option<String>,
    /// The known verdict of all of them.
    pub(crate) expected: Option<Outcome>,
    /// Their dialect and kind of words.
    pub(crate) syntax: Syntax,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenTool {
    name: Spanned<String>,
    command: Spanned<Vec<String>>,
    /// A program without which the tool is left out.
    needs: Option<String>,
    #[serde(default)]
    syntax: Read<Named>,
    sat: Option<Sign>,
    unsat: Option<Sign>,
    holds: Option<Sign>,
    violated: Option<Sign>,
    unknown: Option<Sign>,
}

/// What a campaign asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    /// Whether formulas have words.
    Formulas,
    /// Whether models have properties.
    Models,
}

impl Files {
    /// How the formulas of the files are taken.
    pub(crate) fn reading(&self) -> Reading {
        Reading::new(&self.family, &self.expected, self.syntax.0.0, self.finite)
    }
}

impl Members {
    /// How the members are taken.
    pub(crate) fn reading(&self) -> Reading {
        Reading::new(&self.family, &self.expected, Dialect::Kermode, self.finite)
    }
}

impl Reading {
    fn new(
        family: &Option<String>,
        expected: &Option<Read<Expected>>,
        dialect: Dialect,
        finite: bool,
    ) -> Self {
        let words = if finite { WordKind::Finite } else { WordKind::Infinite };
        let (family, expected) = (family.clone(), expected.as_ref().map(|expected| expected.0.0));
        Reading { family, expected, syntax: Syntax { dialect, words } }
    }
}

impl WrittenLimits {
    /// The default wall-clock limit is far above the CPU limit; the default address space allows
    /// more reservations than use.
    fn limits(&self) -> Limits {
        Limits {
            cpu: self.cpu.0,
            wall: self
                .wall
                .map_or(self.cpu.0.saturating_mul(3).saturating_add(MORE_WALL), |wall| wall.0),
            memory: self.memory.0,
            address_space: self
                .address_space
                .map_or(self.memory.0.saturating_mul(2), |size| size.0),
        }
    }
}

/// The base of paths, and the errors found.
pub(crate) struct Checker<'m> {
    /// The folder of the manifest.
    pub(crate) folder: &'m Path,
    /// The command that our engines are run by.
    kermode: &'m Path,
    /// What is wrong with the manifest itself.
    findings: Vec<Diagnostic>,
    /// The errors in files that it names, as text.
    pub(crate) shown: String,
}

impl Checker<'_> {
    /// Notes an error at a place of the manifest.
    pub(crate) fn error(&mut self, span: Range<usize>, message: impl Into<String>, label: &str) {
        self.findings.push(Diagnostic::error(span, message).label(label));
    }

    /// Notes errors of a file that the manifest names.
    pub(crate) fn wrong_file(&mut self, source: Source, wrong: &[Diagnostic]) {
        self.shown.push_str(&shown(source, wrong));
    }
}

impl Campaign {
    /// Reads a manifest and all that it names. `kermode` is the command that runs our engines, and
    /// limits and guards all runs.
    pub fn load(path: &Path, kermode: &Path) -> anyhow::Result<Campaign> {
        let (name, text) = (path.display().to_string(), text::read_file(path)?);
        let source = Source { name: &name, text: &text };
        let summary = format!("nothing was run: `{name}` cannot be used");
        let manifest: Manifest = match toml::from_str(&text) {
            Ok(manifest) => manifest,
            Err(error) => {
                let shown = shown(source, &[diagnostic(&error)]);
                return Err(Unusable { summary, shown }.into());
            }
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut checker = Checker { folder, kermode, findings: Vec::new(), shown: String::new() };
        let campaign = manifest.check(&mut checker);
        let shown = checker.shown + &shown(source, &checker.findings);
        match shown.is_empty() {
            true => Ok(campaign),
            false => Err(Unusable { summary, shown }.into()),
        }
    }

    /// Keeps the inputs of a part.
    pub fn keep(&mut self, shard: Shard) {
        self.inputs.retain(|input| shard.has(&input.name));
    }

    /// How many runs the campaign has.
    pub fn count_runs(&self) -> usize {
        self.inputs.len() * self.tools.len() * self.repetitions as usize
    }
}

/// The error of the TOML reader; what it expected stands beside the caret.
fn diagnostic(error: &toml::de::Error) -> Diagnostic {
    let message = error.message().trim_end().replace('\n', ", ");
    let (message, label) = match message.find("expected ") {
        Some(at) if at > 0 => {
            (message[..at].trim_end_matches([',', ' ', ';']).to_owned(), message[at..].to_owned())
        }
        _ => (message, String::new()),
    };
    Diagnostic::error(error.span().unwrap_or_default(), message).label(label)
}

impl Manifest {
    fn check(self, checker: &mut Checker) -> Campaign {
        let tools = self.check_tools(checker);
        let inputs = self.check_inputs(checker);
        if tools.is_empty() && checker.findings.is_empty() {
            checker.error(0..0, "there is nothing to run", "expected `engines` or `[[tools]]`");
        }
        Campaign {
            inputs,
            tools,
            repetitions: self.repetitions.0,
            stop_after: self.stop_after_limits.map(|count| count.0),
            limits: self.limits.limits(),
            kermode: checker.kermode.to_owned(),
        }
    }

    /// What all inputs are.
    fn subject(&self) -> Subject {
        if self.models.is_empty() { Subject::Formulas } else { Subject::Models }
    }

    fn check_tools(&self, checker: &mut Checker) -> Vec<Tool> {
        let mut tools: Vec<(Range<usize>, Tool)> = Vec::new();
        for engine in &self.engines {
            if engine.get_ref() == PORTFOLIO {
                tools.push((engine.span(), Tool::portfolio(checker.kermode, self.witness)));
                continue;
            }
            match engine.get_ref().parse::<EngineSpec>() {
                Ok(spec) => {
                    let tool = Tool::engine(checker.kermode, &spec, self.witness);
                    tools.push((engine.span(), tool));
                }
                Err(error) => {
                    checker.error(engine.span(), error.to_string(), "expected an engine");
                }
            }
        }
        let is_at_hand = |tool: &&WrittenTool| {
            let needs = tool.needs.as_ref();
            needs.is_none_or(|program| find_program(checker.folder, program).is_some())
        };
        let at_hand: Vec<&WrittenTool> = self.tools.iter().filter(is_at_hand).collect();
        for tool in at_hand {
            let other = tool.check(self.subject(), checker);
            tools.extend(other.map(|other| (tool.name.span(), Tool::other(other))));
        }
        let mut names = HashSet::new();
        for (span, tool) in &tools {
            if !names.insert(tool.name().to_owned()) {
                let message = format!("the tool `{}` is there twice", tool.name());
                checker.error(span.clone(), message, "expected another name");
            }
        }
        tools.into_iter().map(|(_, tool)| tool).collect()
    }

    fn check_inputs(&self, checker: &mut Checker) -> Vec<Input> {
        let mut found: Vec<(Range<usize>, Input)> = Vec::new();
        let mut add = |span: Range<usize>, inputs: Vec<Input>| {
            found.extend(inputs.into_iter().map(|input| (span.clone(), input)));
        };
        self.tables.iter().for_each(|t| add(t.files.span(), inputs::tables(t, checker)));
        let requirements = self.requirements.iter();
        requirements.for_each(|r| add(r.files.span(), inputs::requirements(r, checker)));
        self.families.iter().for_each(|f| add(f.members.span(), inputs::members(f, checker)));
        if let (Some(models), false) = (self.models.first(), found.is_empty()) {
            let expected = "expected a manifest of their own for models";
            checker.error(models.span(), "a campaign has either formulas or models", expected);
        }
        let mut add = |span: Range<usize>, inputs: Vec<Input>| {
            found.extend(inputs.into_iter().map(|input| (span.clone(), input)));
        };
        self.models.iter().for_each(|m| add(m.span(), m.get_ref().inputs(m.span(), checker)));
        let mut names = HashSet::new();
        for (span, input) in &found {
            if !names.insert(input.name.as_str()) {
                let message = format!("the input `{}` is there twice", input.name);
                checker.error(span.clone(), message, "expected inputs with names of their own");
            }
        }
        if found.is_empty() && checker.findings.is_empty() && checker.shown.is_empty() {
            let expected =
                "expected `[[tables]]`, `[[requirements]]`, `[[families]]` or `[[models]]`";
            checker.error(0..0, "there is no input", expected);
        }
        found.into_iter().map(|(_, input)| input).collect()
    }
}

impl WrittenTool {
    fn check(&self, subject: Subject, checker: &mut Checker) -> Option<OtherTool> {
        let signs = self.check_signs(subject, checker);
        self.check_places(subject, checker);
        let Some((program, arguments)) = self.command.get_ref().split_first() else {
            checker.error(self.command.span(), "the command is empty", "expected a program");
            return None;
        };
        let Some(program) = find_program(checker.folder, program) else {
            let message = format!("there is no program `{program}` that can be run");
            let expected = "expected one on the PATH, or a path relative to the manifest";
            checker.error(self.command.span(), message, expected);
            return None;
        };
        let (name, arguments) = (self.name.get_ref().clone(), arguments.to_vec());
        Some(OtherTool { name, program, arguments, dialect: self.syntax.0.0, signs })
    }

    /// The signs of verdicts; no is looked for before yes, for `SAT` is a part of `UNSAT`.
    fn check_signs(&self, subject: Subject, checker: &mut Checker) -> Vec<(Outcome, Sign)> {
        let of_formulas = [
            (Outcome::Unsatisfiable, self.unsat.clone()),
            (Outcome::Unknown, self.unknown.clone()),
            (Outcome::Satisfiable, self.sat.clone()),
        ];
        let of_models = [
            (Outcome::Violated, self.violated.clone()),
            (Outcome::Unknown, self.unknown.clone()),
            (Outcome::Holds, self.holds.clone()),
        ];
        let (signs, others, expected) = match subject {
            Subject::Formulas => (of_formulas, of_models, "expected `sat`, `unsat` or `unknown`"),
            Subject::Models => {
                (of_models, of_formulas, "expected `holds`, `violated` or `unknown`")
            }
        };
        let given = |signs: [(Outcome, Option<Sign>); 3]| -> Vec<(Outcome, Sign)> {
            signs.into_iter().filter_map(|(outcome, sign)| Some((outcome, sign?))).collect()
        };
        let (signs, others, name) = (given(signs), given(others), self.name.get_ref());
        if others.iter().any(|(outcome, _)| *outcome != Outcome::Unknown) {
            let message =
                format!("`{name}` has signs of verdicts that no input of the campaign has");
            checker.error(self.name.span(), message, expected);
        } else if signs.is_empty() {
            let message = format!("nothing tells the verdicts of `{name}`");
            checker.error(self.name.span(), message, expected);
        }
        signs
    }

    /// Notes a place of the command that would stay empty.
    fn check_places(&self, subject: Subject, checker: &mut Checker) {
        let (empty, expected) = match subject {
            Subject::Formulas => ("{property}", "expected `{formula}` or `{file}`"),
            Subject::Models => ("{formula}", "expected `{file}` and `{property}`"),
        };
        if self.command.get_ref().iter().any(|word| word.contains(empty)) {
            let message = format!("`{empty}` stands for nothing in this campaign");
            checker.error(self.command.span(), message, expected);
        }
    }
}

/// The file that a program's name stands for.
fn find_program(folder: &Path, program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = match program.contains('/') {
        true => vec![folder.to_owned()],
        false => std::env::split_paths(&path).collect(),
    };
    let can_be_run =
        |file: &PathBuf| file.is_file() && rustix::fs::access(file, Access::EXEC_OK).is_ok();
    let found = folders.iter().map(|folder| folder.join(program)).find(can_be_run)?;
    std::path::absolute(found).ok()
}
