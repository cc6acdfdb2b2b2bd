//! The values of a manifest: each is checked while it is read, so that the TOML reader knows the
//! place of a wrong one.

use std::str::FromStr;
use std::time::Duration;

use kermode_ltl::Dialect;
use kermode_ltl::families::{Request, RequestError};
use kermode_smv::families::{MODEL_FAMILIES, ModelRequest};
use kermode_solve::{duration, size};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::record::Outcome;

/// How a verdict is recognised: by all of the given signs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, try_from = "WrittenSign")]
pub(crate) struct Sign {
    /// One of these exit codes.
    pub(crate) exit: Option<Vec<u8>>,
    /// This text somewhere in the output.
    pub(crate) stdout: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSign {
    exit: Option<OneOrMore>,
    stdout: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "this is no exit code, expected one from 0 to 255 or a list of them")]
enum OneOrMore {
    One(u8),
    More(Vec<u8>),
}

impl TryFrom<WrittenSign> for Sign {
    type Error = &'static str;

    fn try_from(written: WrittenSign) -> Result<Self, Self::Error> {
        let exit = written.exit.map(|exit| match exit {
            OneOrMore::One(code) => vec![code],
            OneOrMore::More(codes) => codes,
        });
        match (exit, written.stdout) {
            (None, None) => Err("a verdict needs a sign, expected `exit`, `stdout` or both"),
            (Some(exit), _) if exit.is_empty() => Err("no exit code at all, expected some"),
            (_, Some(stdout)) if stdout.is_empty() => Err("no text at all, expected some"),
            (exit, stdout) => Ok(Sign { exit, stdout }),
        }
    }
}

/// A value written as text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Read<T>(pub(crate) T);

impl<'de, T: FromStr<Err: std::fmt::Display>> Deserialize<'de> for Read<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Read).map_err(D::Error::custom)
    }
}

/// A dialect by its name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Named(pub(crate) Dialect);

impl FromStr for Named {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Dialect::ALL.into_iter().find(|dialect| dialect.name() == name);
        known.map(Named).ok_or_else(|| {
            let names = Dialect::ALL.map(Dialect::name).join(", ");
            format!("there is no syntax `{name}`, expected one of {names}")
        })
    }
}

/// A known verdict.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected(pub(crate) Outcome);

impl FromStr for Expected {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let outcome = Outcome::of_formula(word).map(Expected);
        outcome.ok_or_else(|| format!("`{word}` is no verdict, expected `sat` or `unsat`"))
    }
}

/// A known verdict on properties of models.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExpectedOfModels(pub(crate) Outcome);

impl FromStr for ExpectedOfModels {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let outcome = Outcome::of_property(word).map(ExpectedOfModels);
        outcome.ok_or_else(|| format!("`{word}` is no verdict, expected `holds` or `violated`"))
    }
}

/// A family of formulas with arguments.
#[derive(Clone, Debug)]
pub(crate) struct AskedFor(pub(crate) Request);

impl FromStr for AskedFor {
    type Err = RequestError;

    fn from_str(text: &str) -> Result<Self, RequestError> {
        let (family, arguments) = words(text);
        Request::parse(family, &arguments).map(AskedFor)
    }
}

/// A family of models with arguments.
#[derive(Clone, Debug)]
pub(crate) struct AskedForModels(pub(crate) ModelRequest);

impl FromStr for AskedForModels {
    type Err = RequestError;

    fn from_str(text: &str) -> Result<Self, RequestError> {
        let (family, arguments) = words(text);
        let unknown = || {
            let known: Vec<&str> = MODEL_FAMILIES.iter().map(|family| family.name).collect();
            RequestError::Name { name: family.to_owned(), known: known.join(", ") }
        };
        let request = ModelRequest::find(MODEL_FAMILIES, family, &arguments);
        request.ok_or_else(unknown)?.map(AskedForModels)
    }
}

/// The name of a family, and its arguments.
fn words(text: &str) -> (&str, Vec<&str>) {
    let mut words = text.split_whitespace();
    (words.next().unwrap_or_default(), words.collect())
}

/// A number, or a text with a unit.
#[derive(Deserialize)]
#[serde(untagged, expecting = "this is no quantity, expected a number, or a text with a unit")]
enum Quantity {
    Whole(u64),
    Number(f64),
    Text(String),
}

impl Quantity {
    fn text(&self) -> String {
        match self {
            Quantity::Whole(number) => number.to_string(),
            Quantity::Number(number) => number.to_string(),
            Quantity::Text(text) => text.clone(),
        }
    }
}

/// A positive time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time(pub(crate) Duration);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let time = duration(&Quantity::deserialize(deserializer)?.text());
        let time = time.map_err(|error| format!("{error}, expected one such as 10 or \"500ms\""));
        let positive = time.and_then(|time| match time {
            Duration::ZERO => Err("no time at all, expected more than 0".to_owned()),
            time => Ok(Time(time)),
        });
        positive.map_err(D::Error::custom)
    }
}

/// A positive size in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size(pub(crate) u64);

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let size = size(&Quantity::deserialize(deserializer)?.text());
        let size = size.map_err(|error| format!("{error}, expected one such as \"4G\""));
        let positive = size.and_then(|size| match size {
            0 => Err("no memory at all, expected more than 0".to_owned()),
            size => Ok(Size(size)),
        });
        positive.map_err(D::Error::custom)
    }
}

/// A number of at least 1.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "u32")]
pub(crate) struct Positive(pub(crate) u32);

impl TryFrom<u32> for Positive {
    type Error = &'static str;

    fn try_from(number: u32) -> Result<Self, Self::Error> {
        if number == 0 { Err("0 is too few, expected at least 1") } else { Ok(Positive(number)) }
    }
}

pub(crate) fn once() -> Positive {
    Positive(1)
}

pub(crate) fn wanted() -> bool {
    true
}
