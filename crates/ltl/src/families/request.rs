//! Members of families as people ask for them: `lift-b 2..10`, `random 100 3 0.5 1..500`.

use std::fmt;
use std::ops::RangeInclusive;

use super::{FAMILIES, Family, Formulas, MemberKind, Parameter, ParameterKind};
use crate::store::{Formula, Store};

/// Millionths in a probability of 1.
const MILLION: f64 = 1e6;

/// One member of a family.
#[derive(Clone, Debug)]
pub struct Instance<K: MemberKind = Formulas> {
    family: &'static Family<K>,
    suffixes: Vec<bool>,
    /// The values of the parameters, as [`ParameterKind`] tells them.
    pub(super) values: Vec<u64>,
}

impl Instance {
    /// The formula.
    pub fn build(&self, store: &mut Store) -> Formula {
        (self.family.build)(store, self)
    }
}

impl<K: MemberKind> Instance<K> {
    /// The family.
    pub fn family(&self) -> &'static Family<K> {
        self.family
    }

    /// The name with its suffixes.
    pub fn name(&self) -> String {
        let suffixes = self.family.suffixes.iter().zip(&self.suffixes);
        let given = suffixes.filter(|(_, given)| **given).map(|(suffix, _)| suffix.name);
        std::iter::once(self.family.name).chain(given).collect::<Vec<_>>().join("-")
    }

    /// The arguments, as they may be typed, with the names of their parameters.
    pub fn arguments(&self) -> impl Iterator<Item = (&'static str, String)> + '_ {
        let parameters = self.family.parameters.iter().zip(&self.values);
        parameters.map(|(parameter, &value)| (parameter.name, parameter.kind.show(value)))
    }

    /// Whether the suffix at that place of the table is given.
    pub(super) fn has(&self, suffix: usize) -> bool {
        self.suffixes[suffix]
    }

    /// The value of the parameter at that place of the table.
    pub fn size(&self, parameter: usize) -> usize {
        self.values[parameter] as usize
    }
}

/// As it may be typed.
impl<K: MemberKind> fmt::Display for Instance<K> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.name())?;
        self.arguments().try_for_each(|(_, value)| write!(f, " {value}"))
    }
}

/// A family with arguments: one member, or many when an argument is a range.
#[derive(Clone, Debug)]
pub struct Request<K: MemberKind = Formulas> {
    family: &'static Family<K>,
    suffixes: Vec<bool>,
    ranges: Vec<RangeInclusive<u64>>,
}

/// Why a request cannot be met.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// No family has that name.
    #[error("there is no family `{name}`; there are {known}")]
    Name {
        /// What was written.
        name: String,
        /// The families there are.
        known: String,
    },
    /// An argument is missing.
    #[error("{parameter} is missing in `{usage}`: {expected}")]
    Missing {
        /// The parameter.
        parameter: &'static str,
        /// How the family is called.
        usage: String,
        /// What it takes.
        expected: String,
    },
    /// There are more arguments than parameters.
    #[error("`{value}` is one argument too many; expected `{usage}`")]
    Extra {
        /// The first argument too many.
        value: String,
        /// How the family is called.
        usage: String,
    },
    /// An argument does not fit.
    #[error("{parameter} takes {expected}, not `{value}`")]
    Value {
        /// The parameter.
        parameter: &'static str,
        /// What it takes.
        expected: String,
        /// What was written.
        value: String,
    },
}

impl Request {
    /// Reads a name with its suffixes, and arguments.
    pub fn parse<S: AsRef<str>>(name: &str, arguments: &[S]) -> Result<Self, RequestError> {
        let unknown = || {
            let known: Vec<String> = FAMILIES.iter().map(Family::name_with_suffixes).collect();
            RequestError::Name { name: name.to_owned(), known: known.join(", ") }
        };
        Request::find(FAMILIES, name, arguments).ok_or_else(unknown)?
    }
}

impl<K: MemberKind> Request<K> {
    /// Reads a name with its suffixes, and arguments; nothing if no family of the table has that
    /// name.
    pub fn find<S: AsRef<str>>(
        families: &'static [Family<K>],
        name: &str,
        arguments: &[S],
    ) -> Option<Result<Self, RequestError>> {
        let mut families = families.iter();
        let (family, suffixes) =
            families.find_map(|family| Some((family, suffixes(family, name)?)))?;
        Some(Request::read(family, suffixes, arguments))
    }

    fn read<S: AsRef<str>>(
        family: &'static Family<K>,
        suffixes: Vec<bool>,
        arguments: &[S],
    ) -> Result<Self, RequestError> {
        if let Some(extra) = arguments.get(family.parameters.len()) {
            let (value, usage) = (extra.as_ref().to_owned(), family.usage());
            return Err(RequestError::Extra { value, usage });
        }
        let given = arguments.iter().map(|argument| Some(argument.as_ref()));
        let ranges = family.parameters.iter().zip(given.chain(std::iter::repeat(None)));
        let ranges = ranges.map(|(parameter, given)| family.range(parameter, given));
        Ok(Request { family, suffixes, ranges: ranges.collect::<Result<_, _>>()? })
    }

    /// All members that were asked for, the last argument changing fastest.
    pub fn instances(&self) -> impl Iterator<Item = Instance<K>> + '_ {
        let first: Vec<u64> = self.ranges.iter().map(|range| *range.start()).collect();
        let values = std::iter::successors(Some(first), |values| self.after(values));
        let (family, suffixes) = (self.family, &self.suffixes);
        values.map(move |values| Instance { family, suffixes: suffixes.clone(), values })
    }

    /// The values that follow these, as on an odometer.
    fn after(&self, values: &[u64]) -> Option<Vec<u64>> {
        let mut values = values.to_owned();
        for (value, range) in values.iter_mut().zip(&self.ranges).rev() {
            if *value < *range.end() {
                *value += 1;
                return Some(values);
            }
            *value = *range.start();
        }
        None
    }
}

impl<K: MemberKind> Family<K> {
    fn range(
        &self,
        parameter: &Parameter,
        given: Option<&str>,
    ) -> Result<RangeInclusive<u64>, RequestError> {
        let (name, expected) = (parameter.name, || parameter.kind.expected());
        let Some(text) = given.or(parameter.default) else {
            let usage = self.usage();
            return Err(RequestError::Missing { parameter: name, usage, expected: expected() });
        };
        parameter.kind.read(text).ok_or_else(|| RequestError::Value {
            parameter: name,
            expected: expected(),
            value: text.to_owned(),
        })
    }
}

impl ParameterKind {
    /// The values that a text stands for.
    fn read(&self, text: &str) -> Option<RangeInclusive<u64>> {
        match *self {
            ParameterKind::Number { least, most } => {
                let (low, high) = text.split_once("..").unwrap_or((text, text));
                let (low, high) = (low.parse().ok()?, high.parse().ok()?);
                (least <= low && low <= high && high <= most).then_some(low..=high)
            }
            ParameterKind::Choice(words) => {
                let place = words.iter().position(|&word| word == text)? as u64;
                Some(place..=place)
            }
            ParameterKind::Probability => {
                let number: f64 = text.parse().ok()?;
                let millionths = (number * MILLION).round() as u64;
                (0.0..=1.0).contains(&number).then_some(millionths..=millionths)
            }
        }
    }

    /// What would have been right.
    fn expected(&self) -> String {
        match self {
            ParameterKind::Number { .. } => {
                format!("a whole number {self} or a range such as 2..10")
            }
            ParameterKind::Choice(_) => self.to_string(),
            ParameterKind::Probability => format!("a probability {self}"),
        }
    }

    /// The text that stands for a value.
    fn show(&self, value: u64) -> String {
        match self {
            ParameterKind::Number { .. } => value.to_string(),
            ParameterKind::Choice(words) => words[value as usize].to_owned(),
            ParameterKind::Probability => (value as f64 / MILLION).to_string(),
        }
    }
}

/// Which suffixes a name has, if it is one of the family's.
fn suffixes<K: MemberKind>(family: &Family<K>, name: &str) -> Option<Vec<bool>> {
    let mut given = vec![false; family.suffixes.len()];
    let rest = name.strip_prefix(family.name)?;
    // What stands before the first hyphen must be nothing.
    let mut parts = rest.split('-');
    parts.next().filter(|before| before.is_empty())?;
    for part in parts {
        let place = family.suffixes.iter().position(|suffix| suffix.name == part)?;
        if std::mem::replace(&mut given[place], true) {
            return None;
        }
    }
    Some(given)
}
