//! What can be typed. Nothing here decides anything; `input` and the
//! commands turn it into ready objects.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use kermode::automata::alaska::LocationNames;
use kermode::automata::translation::Level;
use kermode::ltl::Dialect;
use kermode::ltl::rewrite::{RuleSet, UnknownRule};
use kermode::solve::{EngineSpec, Limits, WitnessTime, duration, size};
use kermode::system::Encoding;

use crate::bench::{Bench, jobs};

/// Decides linear temporal logic and the emptiness of automata.
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
    Sat(Decide),
    /// Does every word satisfy the formula? If not, a word that does not.
    Valid(Decide),
    /// Do two formulas mean the same? If not, a word that tells them apart.
    Equiv(DecidePair),
    /// Does every word that satisfies the first formula satisfy the second? If not, one that does
    /// not.
    Implies(DecidePair),
    /// Is the language of an automaton empty? If not, a word that it accepts.
    Empty(Empty),
    /// Does a word satisfy the formula? Shows where each subformula holds. Or: does an automaton
    /// accept it?
    Eval(Eval),
    /// Writes formulas as automata.
    Translate(Translate),
    /// Writes formulas in another syntax or in a normal form.
    Convert(Convert),
    /// Writes formulas of the families that papers measure themselves by, or random ones.
    Gen(Gen),
    /// Campaigns: many runs, measured and recorded.
    #[command(subcommand)]
    Bench(Bench),
    /// Lists the rewriting rules, what each does, and on which words.
    Rules(Listing),
    /// Lists the engines, what each accepts, and its paper.
    Engines(Listing),
    /// Prints the completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Prints the manual page, or writes one for each command into a folder.
    Man {
        /// The folder.
        folder: Option<PathBuf>,
    },
}

/// Where formulas come from and how they are written.
#[derive(Debug, Args)]
pub(crate) struct Input {
    /// Read formulas from a file, one a line, or a requirement file (`name: formula`).
    #[arg(short, long, value_name = "FILE", conflicts_with = "formula")]
    pub(crate) file: Option<PathBuf>,

    /// Read the input as one formula over many lines.
    #[arg(long)]
    pub(crate) whole: bool,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Reading {
    /// How formulas are written.
    #[arg(short, long, value_name = "DIALECT", default_value = "kermode", value_parser = dialect())]
    pub(crate) syntax: Dialect,

    /// Speak about finite words (LTLf), not infinite ones.
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

#[derive(Debug, Args)]
pub(crate) struct Decide {
    /// The formula; `-` reads standard input.
    #[arg(required_unless_present = "file")]
    pub(crate) formula: Option<String>,

    #[command(flatten)]
    pub(crate) input: Input,

    /// Decide the requirements of a requirement file one by one.
    #[arg(long)]
    pub(crate) each: bool,

    #[command(flatten)]
    pub(crate) rewriting: Rewriting,

    #[command(flatten)]
    pub(crate) solving: Solving,

    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
pub(crate) struct DecidePair {
    /// The first formula, or `-` to read both from standard input, one a line.
    #[arg(required_unless_present = "file")]
    pub(crate) formula: Option<String>,

    /// The second formula.
    pub(crate) second: Option<String>,

    /// Read both formulas from a file, one a line.
    #[arg(short, long, value_name = "FILE", conflicts_with = "formula")]
    pub(crate) file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) rewriting: Rewriting,

    #[command(flatten)]
    pub(crate) solving: Solving,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Which rewriting goes before.
#[derive(Debug, Args)]
pub(crate) struct Rewriting {
    /// The rewriting rules that the engine may use, joined by `+`; see `kermode rules`.
    #[arg(long, value_name = "RULES", conflicts_with = "no_rewrite")]
    pub(crate) rules: Option<String>,

    /// No rewriting before the engine runs.
    #[arg(long)]
    pub(crate) no_rewrite: bool,
}

/// How several engines are run.
#[derive(Debug, Args)]
pub(crate) struct Racing {
    /// The engines that are tried and for how long, a line each: `500ms antichain:forward`; see
    /// docs/portfolio.md.
    #[arg(long, value_name = "FILE", conflicts_with = "engine")]
    pub(crate) portfolio: Option<PathBuf>,

    /// How many engines run at a time; as many as there are processors unless told.
    #[arg(short, long, value_name = "N", conflicts_with = "engine", value_parser = jobs)]
    pub(crate) jobs: Option<usize>,

    /// Count steps instead of time, so that the answer and who gives it are the same on every
    /// machine.
    #[arg(long, conflicts_with_all = ["engine", "jobs"])]
    pub(crate) deterministic: bool,

    /// Tell which engine has answered, and what became of the others.
    #[arg(long, conflicts_with = "engine")]
    pub(crate) race: bool,

    /// Wait for all engines, and compare what they say.
    #[arg(long, conflicts_with_all = ["engine", "deterministic"])]
    pub(crate) all: bool,
}

/// With which engines, and under which budget.
#[derive(Debug, Args)]
pub(crate) struct Solving {
    /// One engine alone, `family:variant` with options `:key=value`; see `kermode engines`.
    #[arg(short, long, value_name = "ENGINE")]
    pub(crate) engine: Option<EngineSpec>,

    #[command(flatten)]
    pub(crate) racing: Racing,

    #[command(flatten)]
    pub(crate) budgeting: Budgeting,

    /// How much of the word is shown.
    #[arg(long, value_name = "HOW", default_value = "short")]
    pub(crate) witness: ShowWitness,

    /// How the word is written.
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) word_format: WordFormat,

    /// The most letters of a word that is replayed and shown.
    #[arg(long, value_name = "LETTERS", default_value_t = 1_000_000)]
    pub(crate) witness_limit: usize,

    /// How long the word may take after the verdict is known: a time, or percent of the time that
    /// the verdict took, which is at least 2 s.
    #[arg(long, value_name = "TIME|PERCENT%", default_value_t = WitnessTime::default())]
    pub(crate) witness_time: WitnessTime,
}

/// How much each input may cost.
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
    /// A table that fits on the screen; what is left out is said.
    Short,
    /// All of it.
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
    /// One JSON object a verdict, a line each.
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) json: bool,

    /// The verdict alone.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Add what was counted and how long it took.
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

    /// Read the formula from a file; it may go over many lines.
    #[arg(short, long, value_name = "FILE", group = "subject")]
    pub(crate) file: Option<PathBuf>,

    /// Ask whether the automaton of a file accepts the word: ALASKA's syntax or the HOA format.
    #[arg(short, long, value_name = "FILE", group = "subject", conflicts_with_all = ["syntax", "full"])]
    pub(crate) automaton: Option<PathBuf>,

    /// Read the word from a file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) word_file: Option<PathBuf>,

    /// How the formula is written.
    #[arg(short, long, value_name = "DIALECT", default_value = "kermode", value_parser = dialect())]
    pub(crate) syntax: Dialect,

    /// Show all of a long word.
    #[arg(long)]
    pub(crate) full: bool,

    #[command(flatten)]
    pub(crate) budgeting: Budgeting,

    /// One JSON object.
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) json: bool,

    /// The verdict alone.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Empty {
    /// Files with an automaton in ALASKA's syntax, or with several in the HOA format; `-` reads
    /// standard input.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Ask about the words only that the automaton of this file accepts, too; may be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) and: Vec<PathBuf>,

    /// Ask about the words only that the automaton of this file does not accept; may be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) not: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) solving: Solving,

    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
pub(crate) struct Translate {
    /// The formula; `-` reads standard input.
    #[arg(required_unless_present = "file")]
    pub(crate) formula: Option<String>,

    #[command(flatten)]
    pub(crate) input: Input,

    /// Translate the requirements of a requirement file one by one.
    #[arg(long)]
    pub(crate) each: bool,

    /// The kind of automaton.
    #[arg(long, value_name = "KIND")]
    pub(crate) to: Target,

    /// How the automaton is written; `hoa` unless it is about finite words, of which that format
    /// knows nothing.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<AutomatonFormat>,

    /// What locations are called in ALASKA's syntax.
    #[arg(long, value_name = "NAMES", default_value = "numbers")]
    pub(crate) locations: LocationNaming,

    /// The rewriting rules that may be used, joined by `+`; see `kermode rules`.
    #[arg(long, value_name = "RULES", conflicts_with = "no_rewrite", value_parser = rule_set)]
    pub(crate) rules: Option<RuleSet>,

    /// No rewriting before the translation; of alternating automata, no merging of locations behind
    /// it either.
    #[arg(long)]
    pub(crate) no_rewrite: bool,

    #[command(flatten)]
    pub(crate) effort: Effort,

    #[command(flatten)]
    pub(crate) smv: SmvOptions,

    #[command(flatten)]
    pub(crate) budgeting: Budgeting,

    /// Add what can be counted of the automaton, in comments.
    #[arg(long)]
    pub(crate) stats: bool,

    /// One JSON object a formula, a line each.
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
    /// Models for NuSMV, over infinite words.
    Smv,
}

/// What becomes of a formula in SMV.
#[derive(Clone, Debug, Args)]
pub(crate) struct SmvOptions {
    /// The symbolic automaton and the order of its variables, such as `nnf/sloppy/tgba/lexp`
    /// (`smv`); `nnf/sloppy/gba/default` unless told.
    #[arg(long, value_name = "ENCODING")]
    pub(crate) encoding: Option<Encoding>,

    /// Where the order of the variables is written, for `NuSMV -i` (`smv`, one formula).
    #[arg(long, value_name = "FILE")]
    pub(crate) order_file: Option<PathBuf>,

    /// The model of all words, and the negated formula as its specification (`smv`).
    #[arg(long, conflicts_with = "encoding")]
    pub(crate) universal: bool,
}

/// How much is done for a small automaton.
#[derive(Clone, Copy, Debug, Args)]
#[group(multiple = false)]
pub(crate) struct Effort {
    /// Make automata smaller by what costs next to nothing (`tgba`, `ba`).
    #[arg(long)]
    pub(crate) low: bool,

    /// Make automata smaller by what costs little (`tgba`, `ba`).
    #[arg(long)]
    pub(crate) medium: bool,

    /// Make automata as small as can be (`tgba`, `ba`); this is what is done unless told.
    #[arg(long)]
    pub(crate) high: bool,

    /// Leave everything as the paper has it: no rewriting, and nothing made smaller (`tgba`, `ba`).
    #[arg(long, conflicts_with = "rules")]
    pub(crate) raw: bool,
}

impl Effort {
    /// The level that was asked for.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AutomatonFormat {
    /// The Hanoi omega-automata format, for infinite words.
    Hoa,
    /// ALASKA's syntax.
    Alaska,
    /// A picture for Graphviz.
    Dot,
    /// NuSMV's input language.
    Smv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LocationNaming {
    /// Numbers, with the subformulas in comments.
    Numbers,
    /// Subformulas, where they tell locations apart.
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

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// The formula; `-` reads standard input.
    #[arg(required_unless_present = "file")]
    pub(crate) formula: Option<String>,

    #[command(flatten)]
    pub(crate) input: Input,

    /// The syntax to write; what it lacks is expressed by what it has.
    #[arg(long, value_name = "DIALECT", default_value = "kermode", value_parser = dialect())]
    pub(crate) to: Dialect,

    /// Negation normal form.
    #[arg(long, conflicts_with = "bnf")]
    pub(crate) nnf: bool,

    /// Boolean normal form: `!`, `|`, `X`, `U` and `F`.
    #[arg(long)]
    pub(crate) bnf: bool,

    /// Write out operators by others.
    #[arg(long, value_name = "WHICH", value_delimiter = ',')]
    pub(crate) expand: Vec<Expand>,

    /// Simplify by rewriting rules that keep the language.
    #[arg(long)]
    pub(crate) simplify: bool,

    /// The rules of `--simplify`, joined by `+`; see `kermode rules`.
    #[arg(long, value_name = "RULES", requires = "simplify", value_parser = rule_set)]
    pub(crate) rules: Option<RuleSet>,

    #[command(flatten)]
    pub(crate) budgeting: Budgeting,

    /// Add the sizes and the classes of the formula that is written.
    #[arg(long)]
    pub(crate) stats: bool,

    /// One JSON object a formula, a line each.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Expand {
    /// Bounded operators, by next and yesterday.
    Bounded,
    /// Past operators, by propositions that remember; the formula stays satisfiable or not.
    Past,
}

#[derive(Debug, Args)]
#[command(after_help = "`kermode gen` without a family lists the families.")]
pub(crate) struct Gen {
    /// The family with its suffixes, such as `lift-b`; without one all are listed.
    pub(crate) family: Option<String>,

    /// Its arguments; numbers may be ranges, both ends included: `2..10`.
    #[arg(value_name = "ARGS")]
    pub(crate) arguments: Vec<String>,

    /// The syntax to write; what it lacks is expressed by what it has.
    #[arg(long, value_name = "DIALECT", default_value = "kermode", value_parser = dialect())]
    pub(crate) to: Dialect,

    /// Add the sizes of the formula.
    #[arg(long)]
    pub(crate) stats: bool,

    /// One JSON object a formula, or a family, a line each.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Listing {
    /// One JSON object for each, a line each.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Rules that keep the language.
fn rule_set(names: &str) -> Result<RuleSet, String> {
    let rules: RuleSet = names.parse().map_err(|error: UnknownRule| error.to_string())?;
    match rules.beyond_language() {
        Some(rule) => Err(format!("rule `{}` is for questions, not for rewriting", rule.name)),
        None => Ok(rules),
    }
}
