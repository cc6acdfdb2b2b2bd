//! The command line. This file only describes it; `input` and the commands turn arguments into
//! values.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use kermode::automata::alaska::LocationNames;
use kermode::automata::translation::{Level, Preference};
use kermode::ltl::Dialect;
use kermode::ltl::rewrite::{RuleSet, UnknownRule};
use kermode::smv::encoding::StaticOrder;
use kermode::solve::{EngineSpec, Limits, WitnessTime, duration, size};
use kermode::system::Encoding;

use crate::bench::{Bench, jobs};
use crate::help;

/// Decides linear temporal logic, checks models, and decides the emptiness of automata.
///
/// Exit status: 0 yes, 1 no, 2 usage or input error, 3 unknown, 4 internal error. With several
/// inputs it is the first of 4, 2, 1, 3, 0 that any of them gave.
#[derive(Debug, Parser)]
#[command(name = "kermode", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Is there a word that satisfies the formula?
    #[command(after_help = help::SAT)]
    Sat(Sat),
    /// Does every word satisfy the formula? If not, shows a word that violates it.
    #[command(after_help = help::VALID)]
    Valid(Decide),
    /// Are two formulas equivalent? If not, shows a word that satisfies one of them only.
    #[command(after_help = help::EQUIV)]
    Equiv(DecidePair),
    /// Does the first formula imply the second? If not, shows a word that satisfies only the first.
    #[command(after_help = help::IMPLIES)]
    Implies(DecidePair),
    /// Is the language of an automaton empty? If not, shows a word that it accepts.
    #[command(after_help = help::EMPTY)]
    Empty(Empty),
    /// Does the first automaton accept every word of the second? If not, shows such a word.
    #[command(after_help = help::CONTAINS)]
    Contains(Contains),
    /// Combines, complements, reduces and converts automata, or compares them (`--equiv`).
    #[command(after_help = help::AUTOMATON)]
    Automaton(Box<Operate>),
    /// Does a word satisfy a formula, or does an automaton accept it? Shows where each subformula
    /// holds.
    #[command(after_help = help::EVAL)]
    Eval(Eval),
    /// Translates formulas to automata or to models for NuSMV.
    #[command(after_help = help::TRANSLATE)]
    Translate(Translate),
    /// Does every property of a model in the language of NuSMV hold? If not, shows a trace that
    /// violates it.
    #[command(after_help = help::CHECK)]
    Check(Box<Check>),
    /// Does a certificate of `check` or `sat` prove what it claims? Judged with code of its own.
    #[command(after_help = help::VERIFY)]
    Verify(Verify),
    /// Shows a model in the language of NuSMV: its parts, its states, or its text.
    #[command(after_help = help::MODEL)]
    Model(Model),
    /// Writes formulas in another syntax or in a normal form.
    #[command(after_help = help::CONVERT)]
    Convert(Convert),
    /// Writes benchmark formulas and models of the literature, or random formulas.
    #[command(after_help = help::GEN)]
    Gen(Gen),
    /// Measures engines and other tools, and fuzzes engines.
    #[command(subcommand)]
    Bench(Bench),
    /// Lists the rewriting rules.
    #[command(after_help = help::RULES)]
    Rules(Listing),
    /// Lists the engines and their options.
    #[command(after_help = help::ENGINES)]
    Engines(Listing),
    /// Prints completions for a shell.
    #[command(after_help = help::COMPLETIONS)]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Prints the manual page, or writes one page per command to a folder.
    #[command(after_help = help::MAN)]
    Man {
        /// The folder.
        folder: Option<PathBuf>,
    },
}

/// The source of formulas.
#[derive(Debug, Args)]
pub(crate) struct Input {
    /// Read formulas from a file, one per line, or a requirement file (`name: formula`).
    #[arg(short, long, value_name = "FILE", conflicts_with = "formula")]
    pub(crate) file: Option<PathBuf>,

    /// Read the input as one formula over several lines.
    #[arg(long)]
    pub(crate) whole: bool,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Reading {
    /// The dialect of the formulas.
    #[arg(short, long, value_name = "DIALECT", default_value = "kermode", value_parser = dialect())]
    pub(crate) syntax: Dialect,

    /// Use finite words (LTLf) instead of infinite ones.
    #[arg(long)]
    pub(crate) finite: bool,
}

fn dialect() -> impl clap::builder::TypedValueParser<Value = Dialect> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(Dialect::ALL.map(Dialect::name)).map(|name| {
        let known = Dialect::ALL.into_iter().find(|dialect| dialect.name() == name);
        known.unwrap_or_default()
    })
}

/// Assumptions about words.
#[derive(Debug, Args)]
pub(crate) struct Assuming {
    /// Consider only words that satisfy this formula (repeatable).
    #[arg(long, value_name = "FORMULA")]
    pub(crate) assume: Vec<String>,

    /// Assume nothing about comparisons: `x < 3` and `x < 5` are independent propositions.
    #[arg(long)]
    pub(crate) independent_atoms: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Decide {
    /// The formula; `-` reads standard input. With files it is one more requirement.
    #[arg(required_unless_present = "file")]
    pub(crate) formula: Option<String>,

    /// Read formulas from a file, one per line, or a requirement file (`name: formula`);
    /// repeatable.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) file: Vec<PathBuf>,

    /// Read each input as one formula over many lines.
    #[arg(long)]
    pub(crate) whole: bool,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// Decide each requirement of a requirement file separately.
    #[arg(long)]
    pub(crate) each: bool,

    /// Decide all formulas of the files together, as one conjunction, although they have no names.
    #[arg(long, conflicts_with = "each")]
    pub(crate) conjoin: bool,

    #[command(flatten)]
    pub(crate) assuming: Assuming,

    #[command(flatten)]
    pub(crate) coring: Coring,

    #[command(flatten)]
    pub(crate) rewriting: Rewriting,

    #[command(flatten)]
    pub(crate) solving: Solving,

    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
pub(crate) struct Sat {
    #[command(flatten)]
    pub(crate) decide: Decide,

    /// Write proofs that formulas are unsatisfiable to FILE, for `kermode verify`.
    #[arg(long, value_name = "FILE")]
    pub(crate) certify: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The file with the model, or the formula; with `--file`, the certificate.
    #[arg(value_name = "MODEL|FORMULA")]
    pub(crate) subject: String,

    /// The certificate.
    #[arg(required_unless_present = "file", conflicts_with = "file")]
    pub(crate) certificate: Option<PathBuf>,

    /// Replace a name of the model by a constant everywhere, before reading (repeatable).
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub(crate) definitions: Vec<String>,

    /// Read formulas from a file, as `sat` does (repeatable).
    #[arg(short, long, value_name = "FILE")]
    pub(crate) file: Vec<PathBuf>,

    /// Read each input as one formula over many lines.
    #[arg(long)]
    pub(crate) whole: bool,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// Judge each requirement of a requirement file separately.
    #[arg(long)]
    pub(crate) each: bool,

    /// Judge all formulas of the files together, as one conjunction, although they have no names.
    #[arg(long, conflicts_with = "each")]
    pub(crate) conjoin: bool,

    #[command(flatten)]
    pub(crate) assuming: Assuming,

    #[command(flatten)]
    pub(crate) budgeting: Budgeting,

    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
pub(crate) struct DecidePair {
    /// The first formula, or `-` to read both from standard input, one per line. With files it is
    /// the second formula.
    #[arg(required_unless_present = "file")]
    pub(crate) formula: Option<String>,

    /// The second formula.
    #[arg(conflicts_with = "file")]
    pub(crate) second: Option<String>,

    /// Read both formulas from a file, one per line; or, with a formula argument, read the first
    /// formula as the conjunction of all formulas in the file (repeatable).
    #[arg(short, long, value_name = "FILE")]
    pub(crate) file: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) assuming: Assuming,

    #[command(flatten)]
    pub(crate) coring: Coring,

    #[command(flatten)]
    pub(crate) rewriting: Rewriting,

    #[command(flatten)]
    pub(crate) solving: Solving,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Explanations of contradictions.
#[derive(Debug, Args)]
pub(crate) struct Coring {
    /// Explain why there is no word: show a minimal set of conjuncts that contradict each other,
    /// and what is needed of them.
    #[arg(long, conflicts_with_all = ["all_cores", "race", "all"])]
    pub(crate) core: bool,

    /// Show all such sets, and the smallest sets of conjuncts whose removal repairs the rest; with
    /// a number, at most so many smallest ones.
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0",
        conflicts_with_all = ["race", "all"]
    )]
    pub(crate) all_cores: Option<usize>,
}

impl Coring {
    pub(crate) fn is_wanted(&self) -> bool {
        self.core || self.all_cores.is_some()
    }
}

/// Rewriting before the engine runs.
#[derive(Debug, Args)]
pub(crate) struct Rewriting {
    /// Use only these rewriting rules, joined by `+`; see `kermode rules`.
    #[arg(long, value_name = "RULES", conflicts_with = "no_rewrite")]
    pub(crate) rules: Option<String>,

    /// Do not rewrite.
    #[arg(long)]
    pub(crate) no_rewrite: bool,
}

/// Options of the portfolio.
#[derive(Debug, Args)]
pub(crate) struct Racing {
    /// The schedule: one engine with its time per line, such as `500ms antichain:forward`; see
    /// docs/portfolio.md.
    #[arg(long, value_name = "FILE", conflicts_with = "engine")]
    pub(crate) portfolio: Option<PathBuf>,

    /// Run this many engines at a time [default: the number of processors].
    #[arg(short, long, value_name = "N", conflicts_with = "engine", value_parser = jobs)]
    pub(crate) jobs: Option<usize>,

    /// Count steps instead of time, so that answer and engine are the same on every machine.
    #[arg(long, conflicts_with_all = ["engine", "jobs"])]
    pub(crate) deterministic: bool,

    /// Show which engine answered, and the results of the others.
    #[arg(long, conflicts_with = "engine")]
    pub(crate) race: bool,

    /// Wait for all engines, and compare their answers.
    #[arg(long, conflicts_with_all = ["engine", "deterministic"])]
    pub(crate) all: bool,
}

/// Engines, budget and display of words.
#[derive(Debug, Args)]
pub(crate) struct Solving {
    /// Run this engine alone: `family:variant` with options `:key=value`; see `kermode engines`.
    #[arg(short, long, value_name = "ENGINE")]
    pub(crate) engine: Option<EngineSpec>,

    #[command(flatten)]
    pub(crate) racing: Racing,

    #[command(flatten)]
    pub(crate) budgeting: Budgeting,

    /// How much of the word to show.
    #[arg(long, value_name = "HOW", default_value = "short")]
    pub(crate) witness: ShowWitness,

    /// The format of the word.
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) word_format: WordFormat,

    /// Leave out words with more letters than this.
    #[arg(long, value_name = "LETTERS", default_value_t = 1_000_000)]
    pub(crate) witness_limit: usize,

    /// How long the word may take after the verdict is known: a time, or percent of the time that
    /// the verdict took, which is at least 2 s.
    #[arg(long, value_name = "TIME|PERCENT%", default_value_t = WitnessTime::default())]
    pub(crate) witness_time: WitnessTime,
}

/// Limits for each input.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Budgeting {
    /// Wall-clock time for each input: seconds, or with a unit (500ms, 10s, 5m, 1h).
    #[arg(short, long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,

    /// CPU time for each input, of all processes together.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) cpu: Option<Duration>,

    /// Memory of all processes together: bytes, or with a unit (512M, 4G).
    #[arg(short, long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory: Option<u64>,
}

impl Budgeting {
    pub(crate) fn limits(self) -> Limits {
        Limits { wall: self.timeout, cpu: self.cpu, memory: self.memory }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowWitness {
    /// No word.
    None,
    /// A table that fits on the screen.
    Short,
    /// The whole word.
    Full,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WordFormat {
    /// Propositions by time, the loop marked.
    Table,
    /// As Spot writes words: `a & !b; cycle{b & !a}`.
    Spot,
    /// As ALASKA writes words, in two parts.
    Alaska,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Output {
    /// Print one JSON object per verdict and line.
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) json: bool,

    /// Print the verdict only.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Add statistics and times.
    #[arg(long)]
    pub(crate) stats: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Eval {
    /// The formula, unless it or an automaton comes from a file; `-` reads standard input.
    #[arg(value_name = "FORMULA")]
    pub(crate) first: Option<String>,

    /// The word: `a & !b; cycle{b}` as Spot writes it, `initial part : [a] omega loop : [b]` as
    /// ALASKA does, or JSON; `-` reads standard input.
    #[arg(value_name = "WORD")]
    pub(crate) second: Option<String>,

    /// Read the formula from a file, over as many lines as it has; a requirement file has a verdict
    /// for each requirement.
    #[arg(short, long, value_name = "FILE", group = "subject")]
    pub(crate) file: Option<PathBuf>,

    /// Evaluate the automaton in FILE (HOA or ALASKA format) instead of a formula.
    #[arg(short, long, value_name = "FILE", group = "subject", conflicts_with_all = ["syntax", "full"])]
    pub(crate) automaton: Option<PathBuf>,

    /// Read the word from a file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) word_file: Option<PathBuf>,

    /// The dialect of the formula.
    #[arg(short, long, value_name = "DIALECT", default_value = "kermode", value_parser = dialect())]
    pub(crate) syntax: Dialect,

    /// Show the whole word, however long.
    #[arg(long)]
    pub(crate) full: bool,

    #[command(flatten)]
    pub(crate) budgeting: Budgeting,

    /// Print one JSON object.
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) json: bool,

    /// Print the verdict only.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Empty {
    /// Files with an automaton in ALASKA's syntax, or with several in the HOA format; `-` reads
    /// standard input.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Intersect with the automaton in FILE (repeatable).
    #[arg(long, value_name = "FILE")]
    pub(crate) and: Vec<PathBuf>,

    /// Subtract the language of the automaton in FILE (repeatable).
    #[arg(long, value_name = "FILE")]
    pub(crate) not: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) solving: Solving,

    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
pub(crate) struct Contains {
    /// The file with the automaton that may contain the words, in the HOA format or in ALASKA's
    /// syntax; `-` reads standard input.
    #[arg(value_name = "A")]
    pub(crate) container: PathBuf,

    /// The file with the automaton whose words are in question, or with several.
    #[arg(value_name = "B")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) solving: Solving,

    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
pub(crate) struct Operate {
    /// Files with an automaton in ALASKA's syntax, or with several in the HOA format; `-` reads
    /// standard input. Each automaton is processed, in order.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Intersect with the automaton in FILE (repeatable).
    #[arg(long, value_name = "FILE")]
    pub(crate) and: Vec<PathBuf>,

    /// Then unite with the automaton in FILE (repeatable).
    #[arg(long, value_name = "FILE")]
    pub(crate) or: Vec<PathBuf>,

    /// Then complement.
    #[arg(long)]
    pub(crate) complement: bool,

    /// Make the automaton smaller.
    #[arg(long)]
    pub(crate) reduce: bool,

    /// The kind of automaton to write [default: generalised Büchi, or alternating if an input is].
    #[arg(long, value_name = "KIND")]
    pub(crate) to: Option<OperateTo>,

    /// Replace propositions that occur together only by fewer fresh ones, and leave out unused
    /// ones; comments define the fresh ones.
    #[arg(long)]
    pub(crate) relabel: bool,

    /// Write an automaton over finite words that is empty exactly if this one is: its words are a
    /// prefix and a loop of accepted words.
    #[arg(long)]
    pub(crate) l2s: bool,

    /// The format of the automaton [default: hoa; alaska for finite words].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<OperateFormat>,

    /// Do not write an automaton, but decide whether it is equivalent to the automaton in FILE.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["and", "or", "complement", "reduce", "to", "relabel", "l2s", "format"])]
    pub(crate) equiv: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) solving: Solving,

    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OperateTo {
    /// Alternating Büchi automata.
    Abw,
    /// Generalised Büchi automata with marks on transitions.
    Tgba,
    /// Büchi automata with accepting states.
    Ba,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OperateFormat {
    /// The Hanoi omega-automata format, for infinite words.
    Hoa,
    /// ALASKA's syntax.
    Alaska,
    /// A picture for Graphviz.
    Dot,
}

#[derive(Debug, Args)]
pub(crate) struct Translate {
    /// The formula; `-` reads standard input.
    #[arg(required_unless_present = "file")]
    pub(crate) formula: Option<String>,

    #[command(flatten)]
    pub(crate) input: Input,

    /// Translate each requirement of a requirement file separately.
    #[arg(long)]
    pub(crate) each: bool,

    /// The kind of automaton.
    #[arg(long, value_name = "KIND")]
    pub(crate) to: Target,

    /// The format of the automaton [default: hoa; alaska for `--to afw` and `--to dfa`; smv for
    /// `--to smv`].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<AutomatonFormat>,

    /// The names of locations in ALASKA's syntax.
    #[arg(long, value_name = "NAMES", default_value = "numbers")]
    pub(crate) locations: LocationNaming,

    /// Use only these rewriting rules, joined by `+`; see `kermode rules`.
    #[arg(long, value_name = "RULES", conflicts_with = "no_rewrite", value_parser = rule_set)]
    pub(crate) rules: Option<RuleSet>,

    /// Do not rewrite the formula, and do not merge locations of alternating automata.
    #[arg(long)]
    pub(crate) no_rewrite: bool,

    #[command(flatten)]
    pub(crate) effort: Effort,

    /// Leave out the state from which nothing is accepted, and all transitions to it (`dfa`).
    #[arg(long)]
    pub(crate) trim: bool,

    #[command(flatten)]
    pub(crate) preferred: Preferred,

    /// Add a sink if needed, so that every letter has a transition (`tgba`, `ba`;
    /// `dfa` always has it, unless `--trim` removes it).
    #[arg(long, conflicts_with = "trim")]
    pub(crate) complete: bool,

    #[command(flatten)]
    pub(crate) smv: SmvOptions,

    #[command(flatten)]
    pub(crate) budgeting: Budgeting,

    /// Add statistics of the automaton as comments.
    #[arg(long)]
    pub(crate) stats: bool,

    /// Print one JSON object per formula and line.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// Alternating Büchi automata, over infinite words.
    Abw,
    /// Alternating automata over finite words.
    Afw,
    /// Generalised Büchi automata with marks on transitions.
    Tgba,
    /// Büchi automata with accepting states.
    Ba,
    /// Minimal deterministic automata over finite words.
    Dfa,
    /// Models for NuSMV, over infinite words.
    Smv,
}

/// Options of `--to smv`.
#[derive(Clone, Debug, Args)]
pub(crate) struct SmvOptions {
    /// The encoding with its variable order, such as `nnf/sloppy/tgba/lexp` (`smv`)
    /// [default: nnf/sloppy/gba/default].
    #[arg(long, value_name = "ENCODING")]
    pub(crate) encoding: Option<Encoding>,

    /// Write the variable order for `NuSMV -i` to FILE (`smv`, one formula).
    #[arg(long, value_name = "FILE")]
    pub(crate) order_file: Option<PathBuf>,

    /// Write the model of all words with the negated formula as its specification (`smv`).
    #[arg(long, conflicts_with = "encoding")]
    pub(crate) universal: bool,
}

/// The effort for small automata.
#[derive(Clone, Copy, Debug, Args)]
#[group(multiple = false)]
pub(crate) struct Effort {
    /// Reduce automata with almost no extra time (`tgba`, `ba`).
    #[arg(long)]
    pub(crate) low: bool,

    /// Reduce automata with little extra time (`tgba`, `ba`).
    #[arg(long)]
    pub(crate) medium: bool,

    /// Make automata as small as possible (`tgba`, `ba`); this is the default.
    #[arg(long)]
    pub(crate) high: bool,

    /// Use the plain construction of the paper: no rewriting, no reduction (`tgba`, `ba`).
    #[arg(long, conflicts_with = "rules")]
    pub(crate) raw: bool,
}

impl Effort {
    /// The chosen level.
    pub(crate) fn level(self) -> Option<Level> {
        let levels = [
            (self.raw, Level::Raw),
            (self.low, Level::Low),
            (self.medium, Level::Medium),
            (self.high, Level::High),
        ];
        levels.into_iter().find(|(wanted, _)| *wanted).map(|(_, level)| level)
    }
}

/// The choice among several automata; the default is the one with the smallest products.
#[derive(Clone, Copy, Debug, Args)]
#[group(multiple = false)]
pub(crate) struct Preferred {
    /// Prefer deterministic automata to small products (`tgba`, `ba`).
    #[arg(long, conflicts_with_all = ["raw", "low", "medium"])]
    pub(crate) deterministic: bool,

    /// Prefer few states to small products (`tgba`, `ba`).
    #[arg(long, conflicts_with_all = ["raw", "low", "medium"])]
    pub(crate) small: bool,
}

impl Preferred {
    /// The chosen preference.
    pub(crate) fn preference(self) -> Preference {
        match self {
            Preferred { deterministic: true, .. } => Preference::Deterministic,
            Preferred { small: true, .. } => Preference::Small,
            _ => Preference::Product,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AutomatonFormat {
    /// The Hanoi omega-automata format, for infinite words.
    Hoa,
    /// ALASKA's syntax.
    Alaska,
    /// The format in which MONA prints automata (`dfa`).
    Mona,
    /// A picture for Graphviz.
    Dot,
    /// NuSMV's input language.
    Smv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LocationNaming {
    /// Numbers, with the subformulas in comments.
    Numbers,
    /// Subformulas, where they are unique.
    Labels,
}

impl From<LocationNaming> for LocationNames {
    fn from(naming: LocationNaming) -> LocationNames {
        match naming {
            LocationNaming::Numbers => LocationNames::Numbers,
            LocationNaming::Labels => LocationNames::Labels,
        }
    }
}

/// The source of a model.
#[derive(Clone, Debug, Args)]
pub(crate) struct ModelSource {
    /// The file with the model; `-` reads standard input.
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,

    /// Replace a name by a constant everywhere, before reading (repeatable).
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub(crate) definitions: Vec<String>,

    /// Read the variable order from FILE, as `NuSMV -i` does.
    #[arg(long, value_name = "FILE")]
    pub(crate) order_file: Option<PathBuf>,

    /// The variable order to start with: force, declared, dependency or modules.
    #[arg(long, value_name = "ORDER", default_value = "force", conflicts_with = "order_file")]
    pub(crate) order: StaticOrder,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) source: ModelSource,

    #[command(flatten)]
    pub(crate) asked: AskedProperties,

    /// Consider only paths that satisfy this LTL formula (repeatable).
    #[arg(long, value_name = "FORMULA")]
    pub(crate) assume: Vec<String>,

    /// Read LTL and automata over finite paths, in place of fair ones: all nonempty paths from
    /// initial states, or with `--finite=maximal` those that end in a dead end.
    #[arg(
        long,
        value_name = "maximal",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all"
    )]
    pub(crate) finite: Option<FinitePaths>,

    /// Give each state without successor a loop on which the new proposition PROP is true and
    /// nothing changes. PROP is false on all other steps.
    #[arg(long, value_name = "PROP", conflicts_with_all = ["deadlock", "finite"])]
    pub(crate) dead: Option<String>,

    /// Use this engine: `family:variant` with options `:key=value`; see `kermode engines`. If it is
    /// repeated, the first that supports a property decides it.
    #[arg(short, long, value_name = "ENGINE")]
    pub(crate) engine: Vec<EngineSpec>,

    #[command(flatten)]
    pub(crate) racing: CheckRacing,

    /// Keep variable orders in DIR: start with the order that the last check of the same model
    /// ended with.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["order_file", "order"])]
    pub(crate) order_cache: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) budgeting: Budgeting,

    #[command(flatten)]
    pub(crate) showing: ShowTraces,

    /// Check that the traces in FILE, as `--trace-format json` or NuSMV writes them, are paths of
    /// the model; no property is decided.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["asked", "engine", "assume", "finite"])]
    pub(crate) trace_check: Option<PathBuf>,

    /// Write proofs of the LTL properties and invariants that hold to FILE, for `kermode verify`.
    #[arg(long, value_name = "FILE", conflicts_with = "trace_check")]
    pub(crate) certify: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Several engines on one property.
#[derive(Clone, Debug, Args)]
pub(crate) struct CheckRacing {
    /// The schedule: one engine with its time per line, such as `2s product:syntactic/el`; see
    /// docs/portfolio.md.
    #[arg(long, value_name = "FILE", conflicts_with = "engine")]
    pub(crate) portfolio: Option<PathBuf>,

    /// Check this many properties at a time; if there are fewer, run several engines on each
    /// [default: one property at a time, by as many engines as there are processors].
    #[arg(short, long, value_name = "N", value_parser = jobs)]
    pub(crate) jobs: Option<usize>,

    /// Count steps instead of time, so that answer and engine are the same on every machine.
    #[arg(long, conflicts_with = "engine")]
    pub(crate) deterministic: bool,

    /// Show which engine answered, and the results of the others.
    #[arg(long, conflicts_with = "engine")]
    pub(crate) race: bool,

    /// Wait for all engines, and compare their answers.
    #[arg(long, conflicts_with_all = ["engine", "deterministic"])]
    pub(crate) all: bool,
}

/// The properties to check, in place of all specifications of the model.
#[derive(Clone, Debug, Args)]
#[group(id = "asked", multiple = true)]
pub(crate) struct AskedProperties {
    /// Check this LTL formula, written as in LTLSPEC unless `--syntax` is given (repeatable).
    #[arg(short = 'p', long = "formula", value_name = "FORMULA")]
    pub(crate) formulas: Vec<String>,

    /// Check this CTL formula (repeatable).
    #[arg(long, value_name = "FORMULA")]
    pub(crate) ctl: Vec<String>,

    /// Check that this expression holds in all reachable states (repeatable).
    #[arg(long, value_name = "EXPR")]
    pub(crate) invariant: Vec<String>,

    /// Check that the automata of FILE, in the HOA format or in ALASKA's syntax, accept the words
    /// of all paths, each automaton by itself; `-` reads standard input (repeatable). Propositions
    /// are Boolean expressions of the model.
    #[arg(long, value_name = "FILE")]
    pub(crate) automaton: Vec<PathBuf>,

    /// Check that the automata accept the word of no path.
    #[arg(long, requires = "automaton")]
    pub(crate) none: bool,

    /// Read the meaning of propositions of automata, and of formulas with `--syntax`, from the
    /// lines `name := expression` of FILE.
    #[arg(long, value_name = "FILE")]
    pub(crate) atoms: Option<PathBuf>,

    /// Check the requirements (`name: formula`) of FILE one by one (repeatable).
    #[arg(short, long, value_name = "FILE")]
    pub(crate) file: Vec<PathBuf>,

    /// Check the specification with this name or, counted from 1, with this number (repeatable).
    #[arg(long, value_name = "NAME|NUMBER")]
    pub(crate) property: Vec<String>,

    /// Check also that no dead end is reachable.
    #[arg(long)]
    pub(crate) deadlock: bool,

    /// The dialect of typed LTL formulas. Their propositions are Boolean expressions of the model,
    /// such as names of DEFINEs.
    #[arg(short, long, value_name = "DIALECT", value_parser = dialect())]
    pub(crate) syntax: Option<Dialect>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FinitePaths {
    /// All nonempty finite paths.
    All,
    /// The paths that end in a dead end.
    Maximal,
}

/// How traces are shown.
#[derive(Clone, Debug, Args)]
pub(crate) struct ShowTraces {
    /// How much of a trace to show.
    #[arg(long, value_name = "HOW", default_value = "short")]
    pub(crate) witness: ShowWitness,

    /// The format of traces.
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) trace_format: TraceFormat,

    /// Write the first trace to FILE, and further ones beside it with numbers.
    #[arg(long, value_name = "FILE")]
    pub(crate) trace_file: Option<PathBuf>,

    /// Show variables that the property does not mention and that keep their values.
    #[arg(long)]
    pub(crate) all_variables: bool,

    /// Leave out traces with more states than this.
    #[arg(long, value_name = "STATES", default_value_t = 1_000_000)]
    pub(crate) witness_limit: usize,

    /// How long a trace may take after the verdict is known: a time, or percent of the time that
    /// the verdict took, which is at least 2 s.
    #[arg(long, value_name = "TIME|PERCENT%", default_value_t = WitnessTime::default())]
    pub(crate) witness_time: WitnessTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraceFormat {
    /// Variables by time, the loop marked.
    Table,
    /// As NuSMV prints traces.
    Nusmv,
    /// One JSON object.
    Json,
    /// A value change dump, for viewers of waves.
    Vcd,
}

#[derive(Debug, Args)]
pub(crate) struct Model {
    #[command(flatten)]
    pub(crate) source: ModelSource,

    #[command(flatten)]
    pub(crate) view: View,

    /// List at most this many states.
    #[arg(long, value_name = "N", default_value_t = 100, requires = "states")]
    pub(crate) max: usize,

    /// Write the variable order for `NuSMV -i` to FILE.
    #[arg(long, value_name = "FILE")]
    pub(crate) write_order: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) budgeting: Budgeting,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What to show of a model, in place of the summary.
#[derive(Clone, Debug, Args)]
#[group(multiple = false)]
pub(crate) struct View {
    /// Print the model without modules, arrays and processes, for NuSMV.
    #[arg(long)]
    pub(crate) flat: bool,

    /// Print the model over bits, for NuSMV.
    #[arg(long)]
    pub(crate) boolean: bool,

    /// Count states: initial, reachable, fair and deadlock states; depth; BDD nodes.
    #[arg(long)]
    pub(crate) stats: bool,

    /// List the reachable states that satisfy an expression.
    #[arg(long, value_name = "EXPR")]
    pub(crate) states: Option<String>,

    /// Draw the reachable states and steps of a small model.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<PictureFormat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureFormat {
    /// A picture for Graphviz.
    Dot,
}

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// The formula; `-` reads standard input.
    #[arg(required_unless_present = "file")]
    pub(crate) formula: Option<String>,

    #[command(flatten)]
    pub(crate) input: Input,

    /// The dialect to write; operators that it lacks are replaced.
    #[arg(long, value_name = "DIALECT", default_value = "kermode", value_parser = dialect())]
    pub(crate) to: Dialect,

    /// Negation normal form.
    #[arg(long, conflicts_with = "bnf")]
    pub(crate) nnf: bool,

    /// Boolean normal form: `!`, `|`, `X`, `U` and `F`.
    #[arg(long)]
    pub(crate) bnf: bool,

    /// Replace operators by others.
    #[arg(long, value_name = "WHICH", value_delimiter = ',')]
    pub(crate) expand: Vec<Expand>,

    /// Simplify by rewriting rules that preserve the language.
    #[arg(long)]
    pub(crate) simplify: bool,

    /// The rules of `--simplify`, joined by `+`; see `kermode rules`.
    #[arg(long, value_name = "RULES", requires = "simplify", value_parser = rule_set)]
    pub(crate) rules: Option<RuleSet>,

    #[command(flatten)]
    pub(crate) budgeting: Budgeting,

    /// Add the sizes and the classes of the written formula.
    #[arg(long)]
    pub(crate) stats: bool,

    /// Print one JSON object per formula and line.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Expand {
    /// Bounded operators, by next and yesterday.
    Bounded,
    /// Past operators, by fresh propositions that store their values; preserves satisfiability.
    Past,
}

#[derive(Debug, Args)]
pub(crate) struct Gen {
    /// The family with its suffixes, such as `lift-b`; without one all are listed.
    pub(crate) family: Option<String>,

    /// Its arguments; numbers may be ranges, both ends included: `2..10`.
    #[arg(value_name = "ARGS")]
    pub(crate) arguments: Vec<String>,

    /// The dialect of formulas; operators that it lacks are replaced [default: kermode].
    #[arg(long, value_name = "DIALECT", value_parser = dialect())]
    pub(crate) to: Option<Dialect>,

    /// The number of pushes in the property of a `stack`, or a range.
    #[arg(long, value_name = "N")]
    pub(crate) pushes: Option<String>,

    /// Write the conjuncts of a formula as a requirement file, with the planted conflicts of
    /// `conflict` as comments.
    #[arg(long, conflicts_with_all = ["json", "stats"])]
    pub(crate) requirements: bool,

    /// Add the sizes of the formula or model as comments.
    #[arg(long)]
    pub(crate) stats: bool,

    /// Print one JSON object per formula, model or family, and line.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Listing {
    /// Print one JSON object per entry and line.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Rules that preserve the language.
fn rule_set(names: &str) -> Result<RuleSet, String> {
    let rules: RuleSet = names.parse().map_err(|error: UnknownRule| error.to_string())?;
    match rules.beyond_language() {
        Some(rule) => Err(format!("rule `{}` is for questions, not for rewriting", rule.name)),
        None => Ok(rules),
    }
}
