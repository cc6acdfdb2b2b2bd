//! The table of engines. A name has the form `family:variant`; options follow it as `:key=value`, in
//! the same notation wherever engines are named: `reference:enumerate:letters=6`.

use std::fmt;
use std::str::FromStr;

use kermode_ltl::rewrite::{RuleSet, UnknownRule};

use crate::frame::answer::Answer;
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;
use crate::frame::problem::Problem;

/// A way to answer problems.
pub trait Engine {
    /// Answers, or stops within the budget.
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop>;
}

/// One line of the table.
pub struct EngineInfo {
    /// `family:variant`.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Where it comes from: a key into `docs/references.bib`.
    pub paper: &'static str,
    /// What it takes.
    pub accepts: Accepts,
    /// Its options.
    pub options: &'static [OptionInfo],
    /// Makes it from its options, which are known to be of this table.
    pub build: fn(&Options) -> Result<Box<dyn Engine>, SpecError>,
}

/// What an engine takes without preprocessing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepts {
    /// Infinite words.
    pub infinite: bool,
    /// Finite words.
    pub finite: bool,
    /// Past operators.
    pub past: bool,
    /// Alternating automata.
    pub automata: bool,
    /// Whether it settles every problem, within its limits.
    pub complete: bool,
}

/// One option of an engine.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// What stands before the `=`.
    pub key: &'static str,
    /// What holds if it is not given.
    pub default: &'static str,
    /// What it means.
    pub help: &'static str,
}

/// The options that were written behind a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options(Vec<(String, String)>);

impl Options {
    pub(crate) fn value<'o>(&'o self, info: &'o OptionInfo) -> &'o str {
        let given = self.0.iter().find(|(key, _)| key == info.key);
        given.map_or(info.default, |(_, value)| value.as_str())
    }

    /// The value of an option that selects rewriting rules: `all`, `none`, or names joined by `+`.
    pub fn rules(&self, info: &OptionInfo) -> Result<RuleSet, SpecError> {
        Ok(self.value(info).parse()?)
    }

    /// The value of an option that is one of some words.
    pub fn choice<T: Copy>(
        &self,
        info: &OptionInfo,
        choices: &[(&'static str, T)],
    ) -> Result<T, SpecError> {
        let value = self.value(info);
        let chosen = choices.iter().find(|(word, _)| *word == value);
        chosen.map(|&(_, choice)| choice).ok_or_else(|| SpecError::Choice {
            key: info.key,
            value: value.to_owned(),
            expected: choices.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" or "),
        })
    }

    /// The value of a numeric option, or its default.
    pub fn number(&self, info: &OptionInfo) -> Result<u64, SpecError> {
        self.parsed(info, "a whole number")
    }

    /// The value of an option, or its default, as something else.
    pub fn parsed<T: FromStr>(
        &self,
        info: &OptionInfo,
        expected: &'static str,
    ) -> Result<T, SpecError> {
        let value = self.value(info);
        let error = |_| SpecError::Value { key: info.key, value: value.to_owned(), expected };
        value.parse().map_err(error)
    }
}

/// An engine with its options, as it was written.
#[derive(Clone)]
pub struct EngineSpec {
    info: &'static EngineInfo,
    options: Options,
}

impl EngineSpec {
    /// An engine with the defaults of its options.
    pub fn of(info: &'static EngineInfo) -> Self {
        EngineSpec { info, options: Options::default() }
    }

    /// An engine with options as they are written: `key=value` each.
    pub(crate) fn written<'w>(
        info: &'static EngineInfo,
        parts: impl Iterator<Item = &'w str>,
    ) -> Result<Self, SpecError> {
        let mut options = Options::default();
        for part in parts {
            let form = || SpecError::Form { part: part.to_owned() };
            let (key, value) = part.split_once('=').ok_or_else(form)?;
            check_key(info, &options, key)?;
            options.0.push((key.to_owned(), value.to_owned()));
        }
        let spec = EngineSpec { info, options };
        spec.build()?;
        Ok(spec)
    }

    /// The same engine with one more option, or nothing if it has no such option.
    pub fn with(mut self, key: &str, value: &str) -> Result<Option<Self>, SpecError> {
        if !self.info.options.iter().any(|option| option.key == key) {
            return Ok(None);
        }
        check_key(self.info, &self.options, key)?;
        self.options.0.push((key.to_owned(), value.to_owned()));
        self.build()?;
        Ok(Some(self))
    }

    /// The line of the table.
    pub fn info(&self) -> &'static EngineInfo {
        self.info
    }

    /// The engine itself.
    pub fn build(&self) -> Result<Box<dyn Engine>, SpecError> {
        (self.info.build)(&self.options)
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.info.name)?;
        self.options.0.iter().try_for_each(|(key, value)| write!(f, ":{key}={value}"))
    }
}

impl fmt::Debug for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What is wrong with the name of an engine or its options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No engine has that name.
    #[error("there is no engine `{name}`; there are {known}")]
    Name {
        /// What was written.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The engine has no such option.
    #[error("engine {engine} has no option `{key}`; it has {known}")]
    Key {
        /// The engine.
        engine: &'static str,
        /// What was written.
        key: String,
        /// The options there are.
        known: String,
    },
    /// Options are `key=value`.
    #[error("`{part}` is not of the form key=value")]
    Form {
        /// What was written.
        part: String,
    },
    /// An option was given twice.
    #[error("option `{key}` is there twice")]
    Twice {
        /// The option.
        key: String,
    },
    /// A rewriting rule that does not exist.
    #[error(transparent)]
    Rule(#[from] UnknownRule),
    /// The value is none of those that the option takes.
    #[error("option `{key}` takes {expected}, not `{value}`")]
    Choice {
        /// The option.
        key: &'static str,
        /// What was written.
        value: String,
        /// What it takes.
        expected: String,
    },
    /// The value does not fit the option.
    #[error("option `{key}` takes {expected}, not `{value}`")]
    Value {
        /// The option.
        key: &'static str,
        /// What was written.
        value: String,
        /// What it takes.
        expected: &'static str,
    },
}

fn check_key(info: &EngineInfo, given: &Options, key: &str) -> Result<(), SpecError> {
    if given.0.iter().any(|(known, _)| known == key) {
        return Err(SpecError::Twice { key: key.to_owned() });
    }
    if info.options.iter().any(|option| option.key == key) {
        return Ok(());
    }
    let known: Vec<&str> = info.options.iter().map(|option| option.key).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Err(SpecError::Key { engine: info.name, key: key.to_owned(), known })
}
