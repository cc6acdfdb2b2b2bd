//! The tables `[[models]]` of a manifest: members of a family of models, or files.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::Checker;
use super::values::{AskedForModels, ExpectedOfModels, Read};
use crate::inputs::Input;
use crate::models;
use crate::record::Outcome;

/// Models as written: either `members` or `files`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenModels {
    members: Option<Spanned<Read<AskedForModels>>>,
    files: Option<Spanned<String>>,
    /// The properties by name or number; all if there are none.
    #[serde(default)]
    properties: Vec<Spanned<String>>,
    family: Option<String>,
    growing: Option<Spanned<String>>,
    #[serde(default)]
    except: Vec<String>,
    expected: Option<Spanned<Read<ExpectedOfModels>>>,
    verdicts: Option<Spanned<String>>,
}

/// Members of a family of models, which know their verdicts.
pub(crate) struct ModelMembers<'m> {
    /// The family and its arguments, which may be ranges.
    pub(crate) members: &'m Spanned<Read<AskedForModels>>,
    /// The names of the properties; all if there are none.
    pub(crate) properties: &'m [Spanned<String>],
    /// What tables call their family.
    pub(crate) family: Option<String>,
    /// The name of the argument for plots of growth; by default the first range.
    pub(crate) growing: Option<&'m Spanned<String>>,
}

/// Files with models.
pub(crate) struct ModelFiles<'m> {
    /// Paths relative to the manifest; `*`, `?`, `[..]` and `**` stand for many.
    pub(crate) files: &'m Spanned<String>,
    /// The names of files that are left out, whatever is in them.
    pub(crate) except: &'m [String],
    /// The names or numbers of the properties; all if there are none.
    pub(crate) properties: &'m [Spanned<String>],
    /// What tables call their family.
    pub(crate) family: Option<String>,
    /// The known verdict of all properties that no table tells.
    pub(crate) expected: Option<Outcome>,
    /// The table of known verdicts.
    pub(crate) verdicts: Option<&'m Spanned<String>>,
}

impl WrittenModels {
    /// The properties of the models, each an input.
    pub(super) fn inputs(&self, span: Range<usize>, checker: &mut Checker) -> Vec<Input> {
        let (properties, family) = (self.properties.as_slice(), self.family.clone());
        match (&self.members, &self.files) {
            (Some(members), None) => {
                self.check_members(checker);
                let growing = self.growing.as_ref();
                models::members(&ModelMembers { members, properties, family, growing }, checker)
            }
            (None, Some(files)) => {
                if let Some(growing) = &self.growing {
                    let expected = "expected it beside `members`";
                    checker.error(growing.span(), "files have no argument that grows", expected);
                }
                let expected = self.expected.as_ref().map(|expected| expected.get_ref().0.0);
                let (except, verdicts) = (self.except.as_slice(), self.verdicts.as_ref());
                let files = ModelFiles { files, except, properties, family, expected, verdicts };
                models::files(&files, checker)
            }
            _ => {
                let message = "models are members of a family or files";
                checker.error(span, message, "expected either `members` or `files`");
                Vec::new()
            }
        }
    }

    /// Notes what is for files only.
    fn check_members(&self, checker: &mut Checker) {
        let expected = self.expected.as_ref().map(Spanned::span);
        let verdicts = self.verdicts.as_ref().map(Spanned::span);
        if let Some(span) = expected.or(verdicts) {
            let message = "the verdicts of members of families are known";
            checker.error(span, message, "expected it beside `files`");
        }
    }
}
