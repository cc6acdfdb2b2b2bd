//! The inputs of a campaign that are properties of models: those of members of families, whose
//! verdicts are known, and those of files, whose verdicts a table may tell.

use std::collections::HashMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kermode_base::{Diagnostic, Source};
use kermode_smv::encoding::Limits as EncodingLimits;
use kermode_smv::families::{FamilyProperty, ModelInstance, build};
use kermode_smv::flat::Property;
use kermode_smv::syntax::{PropertyKind, line_map};
use kermode_smv::{ReadOptions, SmvModel, Unusable};
use toml::Spanned;

use crate::inputs::{self, Input, Question, folder_of, growing, instances, matching, parameter};
use crate::manifest::{Checker, ModelFiles, ModelMembers};
use crate::record::Outcome;

/// A property of a model.
#[derive(Clone, Debug)]
pub(crate) struct ModelProperty {
    model: ModelText,
    /// Its name or, without one, its number, counted from 1.
    pub(crate) label: String,
}

#[derive(Clone, Debug)]
enum ModelText {
    File(Arc<str>),
    /// A model that is built when it is needed.
    Member(ModelInstance),
}

impl ModelProperty {
    /// The text of the model.
    pub(crate) fn model(&self) -> String {
        match &self.model {
            ModelText::File(text) => text.to_string(),
            ModelText::Member(instance) => build(instance).text,
        }
    }

    /// A text that distinguishes it from other properties with the same name.
    pub(crate) fn identity(&self) -> String {
        format!("{} {}", self.label, self.model())
    }
}

/// The properties of members of a family.
pub(crate) fn members(members: &ModelMembers, checker: &mut Checker) -> Vec<Input> {
    let asked = members.members;
    let instances = instances(&asked.get_ref().0.0, asked.span(), checker);
    let growing = growing(members.growing, &instances, checker);
    let mut inputs = Vec::new();
    for instance in instances {
        let properties = build(&instance).properties;
        let names: Vec<&str> = properties.iter().map(|property| property.name.as_str()).collect();
        if !are_known(members.properties, &names, &instance.to_string(), checker) {
            return Vec::new();
        }
        let parameter = growing.and_then(|place| parameter(&instance, place));
        let input = |property: &FamilyProperty| Input {
            name: format!("{instance} {}", property.name),
            family: members.family.clone().unwrap_or_else(|| instance.name()),
            parameter,
            expected: Some(if property.holds { Outcome::Holds } else { Outcome::Violated }),
            question: Question::Property(ModelProperty {
                model: ModelText::Member(instance.clone()),
                label: property.name.clone(),
            }),
        };
        let asked = properties.iter().filter(|p| is_asked_for(members.properties, &p.name));
        inputs.extend(asked.map(input));
    }
    inputs
}

/// Whether a property is asked for: without any names, all are.
fn is_asked_for(wanted: &[Spanned<String>], label: &str) -> bool {
    wanted.is_empty() || wanted.iter().any(|wanted| wanted.get_ref() == label)
}

/// Notes the first property that a model does not have.
fn are_known(
    wanted: &[Spanned<String>],
    labels: &[&str],
    model: &str,
    checker: &mut Checker,
) -> bool {
    let unknown = wanted.iter().find(|wanted| !labels.contains(&wanted.get_ref().as_str()));
    if let Some(unknown) = unknown {
        let message = format!("`{}` is no property of `{model}`", unknown.get_ref());
        let expected = format!("expected one of {}", labels.join(", "));
        checker.error(unknown.span(), message, &expected);
    }
    unknown.is_none()
}

/// The properties of files.
pub(crate) fn files(files: &ModelFiles, checker: &mut Checker) -> Vec<Input> {
    let verdicts = files.verdicts.map(|table| Verdicts::read(table, checker)).unwrap_or_default();
    let mut inputs = Vec::new();
    for path in matching(files.files, checker) {
        let relative = path.strip_prefix(checker.folder).unwrap_or(&path);
        let name = relative.to_string_lossy().into_owned();
        if files.except.contains(&name) {
            continue;
        }
        let Some(text) = inputs::read(&path, files.files.span(), checker) else { continue };
        let Some(labels) = labels(&path, &text, checker) else { continue };
        let known: Vec<&str> = labels.iter().map(String::as_str).collect();
        if known.is_empty() {
            let message = format!("`{name}` has no property with a verdict");
            checker.error(files.files.span(), message, "expected LTLSPEC, INVARSPEC or CTLSPEC");
        }
        if known.is_empty() || !are_known(files.properties, &known, &name, checker) {
            continue;
        }
        let text: Arc<str> = text.into();
        let input = |label: &&String| Input {
            name: if known.len() == 1 { name.clone() } else { format!("{name} {label}") },
            family: files.family.clone().or_else(|| folder_of(relative)).unwrap_or("models".into()),
            parameter: None,
            expected: verdicts.find(&path, label, known.len() == 1).or(files.expected),
            question: Question::Property(ModelProperty {
                model: ModelText::File(Arc::clone(&text)),
                label: (*label).clone(),
            }),
        };
        let asked = labels.iter().filter(|label| is_asked_for(files.properties, label));
        inputs.extend(asked.collect::<Vec<_>>().iter().map(input));
    }
    inputs
}

/// The properties of a file that have verdicts; none, with errors, if it is no model.
fn labels(path: &Path, text: &str, checker: &mut Checker) -> Option<Vec<String>> {
    let limits = EncodingLimits::default();
    let read =
        SmvModel::read(text, &ReadOptions::default(), &limits, &mut || Ok::<(), Infallible>(()));
    match read {
        Ok(model) => {
            let properties = model.flat.properties.iter().zip(1..);
            let label = |(property, number): (&Property, usize)| {
                has_verdict(property.kind)
                    .then(|| property.name.clone().unwrap_or_else(|| number.to_string()))
            };
            Some(properties.filter_map(label).collect())
        }
        Err(Unusable::Wrong(wrong)) => {
            let name = path.display().to_string();
            let source = Source { name: &name, text };
            checker.shown.push_str(&source.render_mapped(&wrong, &line_map(text)).join("\n"));
            None
        }
        Err(Unusable::Stopped(never)) => match never {},
    }
}

fn has_verdict(kind: PropertyKind) -> bool {
    matches!(kind, PropertyKind::Ctl | PropertyKind::Ltl | PropertyKind::Invariant)
}

/// The known verdicts of the properties of files. The first row of their table has the names of
/// the columns: `file`, relative to the table, `result` and, for files with several properties,
/// `property`. There may be others.
#[derive(Debug, Default)]
struct Verdicts {
    /// By file and property.
    verdicts: HashMap<(PathBuf, String), Option<Outcome>>,
}

impl Verdicts {
    fn read(table: &Spanned<String>, checker: &mut Checker) -> Self {
        let path = checker.folder.join(table.get_ref());
        let Some(text) = inputs::read(&path, table.span(), checker) else {
            return Verdicts::default();
        };
        let (verdicts, wrong) = Verdicts::parse(&text, path.parent().unwrap_or(Path::new("")));
        let name = path.display().to_string();
        checker.wrong_file(Source { name: &name, text: &text }, &wrong);
        verdicts
    }

    /// The verdicts of a table whose files are in a folder, and its errors.
    fn parse(text: &str, folder: &Path) -> (Self, Vec<Diagnostic>) {
        let (mut table, mut wrong) = (Verdicts::default(), Vec::new());
        let mut rows = inputs::rows(text);
        let columns: Vec<&str> = rows.next().map_or("", |(_, row)| row).split('\t').collect();
        let place = |name: &str| columns.iter().position(|column| *column == name);
        let (Some(file), Some(result)) = (place("file"), place("result")) else {
            let error = Diagnostic::error(0..0, "the first row does not name the columns");
            return (table, vec![error.label("expected `file` and `result` among them")]);
        };
        for (start, row) in rows {
            let fields: Vec<&str> = row.split('\t').collect();
            let field = |place: usize| fields.get(place).copied().unwrap_or_default();
            let verdict = Outcome::of_property(field(result));
            if verdict.is_none() && !matches!(field(result), "UNKNOWN" | "NA") {
                let message = format!("`{}` is no verdict", field(result));
                let error = Diagnostic::error(start..start + row.len(), message);
                wrong.push(error.label("expected TRUE, FALSE, holds, violated, UNKNOWN or NA"));
            }
            let property = place("property").map_or("", field);
            table.verdicts.insert((folder.join(field(file)), property.to_owned()), verdict);
        }
        (table, wrong)
    }

    /// The verdict of a property. What the table calls the only property of a file does not
    /// matter.
    fn find(&self, path: &Path, label: &str, is_only: bool) -> Option<Outcome> {
        let is_meant =
            |(file, property): &(PathBuf, String)| file == path && (is_only || property == label);
        *self.verdicts.iter().find(|(key, _)| is_meant(key))?.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "file\tproperty\tresult\tcomment\n\
        one.smv\tother\tTRUE\t\n\
        two.smv\tsafe\tholds\t\n\
        two.smv\t2\tFALSE\tno name\n\
        two.smv\tlive\tNA\t\n";

    #[test]
    fn tables_tell_verdicts() {
        let (verdicts, wrong) = Verdicts::parse(TABLE, Path::new("folder"));
        assert!(wrong.is_empty(), "{wrong:?}");
        let find = |file: &str, label: &str, is_only: bool| {
            verdicts.find(&Path::new("folder").join(file), label, is_only)
        };
        assert_eq!(find("one.smv", "1", true), Some(Outcome::Holds));
        assert_eq!(find("one.smv", "1", false), None);
        assert_eq!(find("two.smv", "safe", false), Some(Outcome::Holds));
        assert_eq!(find("two.smv", "2", false), Some(Outcome::Violated));
        assert_eq!(find("two.smv", "live", false), None);
        assert_eq!(find("three.smv", "1", true), None);
    }

    #[test]
    fn wrong_tables_are_told_with_their_places() {
        let wrong = |text: &str| Verdicts::parse(text, Path::new("")).1;
        assert!(wrong("file\tverdict\na\tTRUE\n")[0].label.contains("`result`"));
        let verdict = &wrong("file\tresult\na.smv\tperhaps\n")[0];
        assert_eq!(
            (verdict.span.clone(), verdict.message.as_str()),
            (12..25, "`perhaps` is no verdict")
        );
    }
}
