//! Typed options of engines. One declaration gives the permitted texts, the value for the engine,
//! and the description for the command line.
//!
//! An engine declares its options as constants and lists them in its
//! [`EngineInfo`](crate::EngineInfo); its `build` reads them with [`Options::get`].

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::panic::RefUnwindSafe;

use kermode_ltl::rewrite::{RuleSet, UnknownRule};

/// The description of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionInfo {
    /// The key, before the `=`.
    pub key: &'static str,
    /// The default value.
    pub default: &'static str,
    /// The purpose of the option.
    pub help: &'static str,
    /// The permitted values.
    pub takes: Takes,
}

/// The values of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Takes {
    /// One of some words, each with its meaning.
    Choice(Vec<(Cow<'static, str>, &'static str)>),
    /// One or more of some words, joined by `+`, each with its meaning.
    Several(Vec<(Cow<'static, str>, &'static str)>),
    /// A whole number in a range.
    Number(RangeInclusive<u64>),
    /// `on` or `off`.
    Flag,
    /// Rewriting rules: `all`, `none`, `language`, or names joined by `+`.
    Rules,
}

/// An option with a value of any type.
pub trait EngineOption: Sync + RefUnwindSafe {
    /// The description.
    fn info(&self) -> OptionInfo;

    /// An error if the value is not permitted.
    fn check(&self, value: &str) -> Result<(), ValueError>;
}

/// An option with the type of its value.
pub trait Typed: EngineOption {
    /// The type of the value.
    type Value;

    /// Reads a value.
    fn read(&self, value: &str) -> Result<Self::Value, ValueError>;
}

/// An option has a wrong value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// The value is not permitted.
    #[error("option `{key}` takes {expected}, not `{value}`")]
    Unexpected {
        /// The option.
        key: &'static str,
        /// The text of the value.
        value: String,
        /// The permitted values.
        expected: String,
    },
    /// A rewriting rule that does not exist.
    #[error(transparent)]
    Rule(#[from] UnknownRule),
}

impl ValueError {
    /// The error for a value that is not permitted.
    pub fn unexpected(key: &'static str, value: &str, expected: impl Into<String>) -> Self {
        ValueError::Unexpected { key, value: value.to_owned(), expected: expected.into() }
    }
}

/// One of some words. The first of them is the default.
pub struct Choice<T: 'static> {
    /// The key.
    pub key: &'static str,
    /// The purpose of the option.
    pub help: &'static str,
    /// The words, their descriptions, and their values.
    pub values: &'static [(&'static str, &'static str, T)],
}

impl<T> Choice<T> {
    fn find(&self, value: &str) -> Result<&T, ValueError> {
        let chosen = self.values.iter().find(|&&(word, ..)| word == value);
        chosen.map(|(_, _, choice)| choice).ok_or_else(|| {
            let words: Vec<&str> = self.values.iter().map(|&(word, ..)| word).collect();
            ValueError::unexpected(self.key, value, words.join(" or "))
        })
    }
}

impl<T: Sync + RefUnwindSafe> EngineOption for Choice<T> {
    fn info(&self) -> OptionInfo {
        let default = self.values.first().map_or("", |value| value.0);
        let words = self.values.iter().map(|&(word, meaning, _)| (word.into(), meaning)).collect();
        OptionInfo { key: self.key, default, help: self.help, takes: Takes::Choice(words) }
    }

    fn check(&self, value: &str) -> Result<(), ValueError> {
        self.find(value).map(drop)
    }
}

impl<T: Copy + Sync + RefUnwindSafe> Typed for Choice<T> {
    type Value = T;

    fn read(&self, value: &str) -> Result<T, ValueError> {
        self.find(value).copied()
    }
}

/// `on` or `off`.
pub struct Flag {
    /// The key.
    pub key: &'static str,
    /// The purpose of the option.
    pub help: &'static str,
    /// The default.
    pub default: bool,
}

impl EngineOption for Flag {
    fn info(&self) -> OptionInfo {
        let default = if self.default { "on" } else { "off" };
        OptionInfo { key: self.key, default, help: self.help, takes: Takes::Flag }
    }

    fn check(&self, value: &str) -> Result<(), ValueError> {
        self.read(value).map(drop)
    }
}

impl Typed for Flag {
    type Value = bool;

    fn read(&self, value: &str) -> Result<bool, ValueError> {
        match value {
            "on" => Ok(true),
            "off" => Ok(false),
            _ => Err(ValueError::unexpected(self.key, value, "on or off")),
        }
    }
}

/// A whole number.
pub struct Number {
    /// The key.
    pub key: &'static str,
    /// The purpose of the option.
    pub help: &'static str,
    /// The default, as written.
    pub default: &'static str,
    /// The smallest and the largest value.
    pub range: RangeInclusive<u64>,
}

impl EngineOption for Number {
    fn info(&self) -> OptionInfo {
        let takes = Takes::Number(self.range.clone());
        OptionInfo { key: self.key, default: self.default, help: self.help, takes }
    }

    fn check(&self, value: &str) -> Result<(), ValueError> {
        self.read(value).map(drop)
    }
}

impl Typed for Number {
    type Value = u64;

    fn read(&self, value: &str) -> Result<u64, ValueError> {
        let number = value.parse().ok().filter(|number| self.range.contains(number));
        number.ok_or_else(|| {
            let (least, most) = (self.range.start(), self.range.end());
            let expected = match *most {
                u64::MAX if *least == 0 => "a whole number".to_owned(),
                u64::MAX => format!("a whole number from {least}"),
                most => format!("a whole number from {least} to {most}"),
            };
            ValueError::unexpected(self.key, value, expected)
        })
    }
}

/// Rewriting rules. The default is all of them.
pub struct Rules {
    /// The key.
    pub key: &'static str,
    /// The purpose of the option.
    pub help: &'static str,
}

impl EngineOption for Rules {
    fn info(&self) -> OptionInfo {
        OptionInfo { key: self.key, default: "all", help: self.help, takes: Takes::Rules }
    }

    fn check(&self, value: &str) -> Result<(), ValueError> {
        self.read(value).map(drop)
    }
}

impl Typed for Rules {
    type Value = RuleSet;

    fn read(&self, value: &str) -> Result<RuleSet, ValueError> {
        Ok(value.parse()?)
    }
}

/// The options after a name, as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options(Vec<(String, String)>);

impl Options {
    /// The value of an option as written, or its default.
    pub fn text(&self, option: &dyn EngineOption) -> String {
        let info = option.info();
        self.written(info.key).unwrap_or(info.default).to_owned()
    }

    /// The value of an option, or its default.
    pub fn get<O: Typed>(&self, option: &O) -> Result<O::Value, ValueError> {
        option.read(&self.text(option))
    }

    pub(crate) fn written(&self, key: &str) -> Option<&str> {
        let given = self.0.iter().find(|(known, _)| known == key);
        given.map(|(_, value)| value.as_str())
    }

    pub(crate) fn push(&mut self, key: &str, value: &str) {
        self.0.push((key.to_owned(), value.to_owned()));
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: Number = Number { key: "letters", help: "", default: "8", range: 1..=100 };
    const SHAPE: Choice<u8> =
        Choice { key: "shape", help: "", values: &[("round", "a circle", 0), ("long", "", 1)] };

    #[test]
    fn values_are_read_and_refused_by_type() {
        let mut options = Options::default();
        assert_eq!((options.get(&LETTERS), options.get(&SHAPE)), (Ok(8), Ok(0)));
        options.push("letters", "101");
        options.push("shape", "long");
        assert_eq!(options.get(&SHAPE), Ok(1));
        let refused = options.get(&LETTERS).expect_err("out of range");
        let message = "option `letters` takes a whole number from 1 to 100, not `101`";
        assert_eq!(refused.to_string(), message);
        let refused = SHAPE.check("square").expect_err("no such word");
        assert_eq!(refused.to_string(), "option `shape` takes round or long, not `square`");
    }
}
