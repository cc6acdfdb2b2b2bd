//! Published runs of other tools: rows `name tool expected verdict cpu peakMB`, separated by tabs.
//!
//! Such tables have neither families nor limits. The family of a row is that of the recorded input
//! with the same name, otherwise that of the table of formulas with the name, otherwise it is
//! derived from the name (`family_of_name`). The limit is given by the user, or is that of the
//! records.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use kermode_base::{Diagnostic, Source};
use kermode_ltl::text;
use serde_json::Map;

use super::results::Run;
use crate::inputs::rows;
use crate::record::{Outcome, Record};
use crate::unusable::{Unusable, shown};

/// What is known about an input before published runs are read.
#[derive(Clone, Debug)]
pub(crate) struct KnownInput {
    pub(crate) family: String,
    pub(crate) property: Option<String>,
    pub(crate) parameter: Option<f64>,
    pub(crate) expected: Option<Outcome>,
}

/// Inputs by their names.
pub(crate) type Inputs = HashMap<String, KnownInput>;

/// Adds the rows `name<TAB>expected<TAB>...` of the tables that a pattern stands for; the name of a
/// table is a family.
pub(crate) fn read_tables(pattern: &str, inputs: &mut Inputs) -> anyhow::Result<()> {
    let paths = glob::glob(pattern).with_context(|| format!("`{pattern}` is no pattern"))?;
    let paths: Vec<PathBuf> = paths.flatten().filter(|path| path.is_file()).collect();
    if paths.is_empty() {
        bail!("no file is called `{pattern}`");
    }
    for path in paths {
        let family = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (_, row) in rows(&text::read_file(&path)?) {
            let mut fields = row.split('\t');
            let name = fields.next().unwrap_or_default();
            let expected = fields.next().and_then(verdict);
            let (family, property, parameter) = (family.clone(), None, None);
            let known = KnownInput { family, property, parameter, expected };
            inputs.entry(name.to_owned()).or_insert(known);
        }
    }
    Ok(())
}

/// The runs of a table.
pub(crate) fn read_peers(path: &Path, limit: f64, inputs: &Inputs) -> anyhow::Result<Vec<Run>> {
    let (name, text) = (path.display().to_string(), text::read_file(path)?);
    let (mut runs, mut wrong) = (Vec::new(), Vec::new());
    for (start, row) in rows(&text) {
        match peer(row, limit, inputs) {
            Ok(record) => runs.push(Run { record, published: true }),
            Err(diagnostic) => wrong.push(diagnostic.shifted(start)),
        }
    }
    if !wrong.is_empty() {
        let summary = format!("`{name}` cannot be used");
        let shown = shown(Source { name: &name, text: &text }, &wrong);
        bail!(Unusable { summary, shown });
    }
    Ok(runs)
}

/// One row.
fn peer(row: &str, limit: f64, inputs: &Inputs) -> Result<Record, Diagnostic> {
    let fields: Vec<&str> = row.split('\t').collect();
    let [name, tool, expected, said, _, _] = fields[..] else {
        let message = format!("this row has {} of 6 columns", fields.len());
        let label = "expected name, tool, verdict that is known, verdict, CPU seconds and peak MB";
        return Err(Diagnostic::error(0..row.len(), message).label(label));
    };
    let outcome = outcome(said).ok_or_else(|| {
        let label = "expected sat, unsat, TRUE, FALSE, timeout, memory, crash or ?";
        misfit(&fields, 3, "is no verdict").label(label)
    })?;
    let (cpu, peak) = (number(&fields, 4)?, number(&fields, 5)?);
    let known = inputs.get(name);
    Ok(Record {
        input: name.to_owned(),
        family: known.map_or_else(|| family_of_name(name), |known| known.family.clone()),
        property: known.and_then(|known| known.property.clone()),
        parameter: known.and_then(|known| known.parameter),
        tool: tool.to_owned(),
        repetition: 0,
        expected: verdict(expected).or_else(|| known.and_then(|known| known.expected)),
        outcome,
        cpu_seconds: cpu,
        wall_seconds: cpu,
        peak_bytes: (peak * super::MEGABYTE) as u64,
        cpu_limit_seconds: limit,
        wall_limit_seconds: None,
        memory_limit_bytes: None,
        address_space_limit_bytes: None,
        fingerprint: None,
        witness_letters: None,
        replayed: None,
        detail: None,
        statistics: Map::new(),
    })
}

/// A complaint about one field of a row.
fn misfit(fields: &[&str], index: usize, complaint: &str) -> Diagnostic {
    let start: usize = fields[..index].iter().map(|field| field.len() + 1).sum();
    let (field, end) = (fields[index], start + fields[index].len());
    Diagnostic::error(start..end, format!("`{field}` {complaint}"))
}

fn number(fields: &[&str], index: usize) -> Result<f64, Diagnostic> {
    let number = fields[index].parse().ok();
    let number = number.filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| misfit(fields, index, "is not a number of at least 0"))
}

/// A verdict on a formula, or on a property of a model.
fn verdict(word: &str) -> Option<Outcome> {
    Outcome::of_formula(word).or_else(|| Outcome::of_property(word))
}

fn outcome(word: &str) -> Option<Outcome> {
    verdict(word).or_else(|| match word.to_ascii_lowercase().as_str() {
        "timeout" => Some(Outcome::CpuLimit),
        "memory" | "memout" => Some(Outcome::MemoryLimit),
        "crash" => Some(Outcome::Crash),
        "?" | "unknown" => Some(Outcome::Unknown),
        _ => None,
    })
}

/// The family derived from a name: of a path, the two folders below the first, so that
/// `future_only/trp/N5x/1/a.pltl` is of `trp-N5x`; of a member such as `counter 3`, the part before
/// the blank; of `dme3.p1.smv`, the part before the first digit or dot.
pub(crate) fn family_of_name(name: &str) -> String {
    let mut folders: Vec<&str> = name.split('/').filter(|folder| !folder.is_empty()).collect();
    let last = folders.pop().unwrap_or_default();
    let family = match folders[..] {
        [] => {
            let ends = |c: char| c == '.' || c.is_ascii_digit();
            let member = last.split_once(' ').map(|(family, _)| family);
            member.unwrap_or_else(|| last.split(ends).next().unwrap_or_default()).to_owned()
        }
        [only] => only.to_owned(),
        [_, only] => only.to_owned(),
        [_, first, second, ..] => format!("{first}-{second}"),
    };
    if family.is_empty() { "others".to_owned() } else { family }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_read_off_names() {
        let names = [
            ("future_only/trp/N5x/1/a.pltl", "trp-N5x"),
            ("future_only/forobots/forobotsr1f0.pltl", "forobots"),
            ("future_only/acacia/demo-v22/demo-v22.pltl", "acacia-demo-v22"),
            ("folder/a.pltl", "folder"),
            ("counter 3", "counter"),
            ("U2 3", "U2"),
            ("production-cell.p0.smv", "production-cell"),
            ("dme3.p1.smv", "dme"),
            ("3", "others"),
        ];
        for (name, family) in names {
            assert_eq!(family_of_name(name), family, "{name}");
        }
    }

    #[test]
    fn rows_are_runs() {
        let (property, parameter, expected) = (None, Some(2.0), None);
        let known = KnownInput { family: "f".to_owned(), property, parameter, expected };
        let inputs = Inputs::from([("known".to_owned(), known)]);
        let record = peer("known\tspot\tSAT\tunsat\t0.5\t2", 10.0, &inputs).unwrap();
        assert_eq!((record.family.as_str(), record.parameter), ("f", Some(2.0)));
        assert_eq!(record.expected, Some(Outcome::Satisfiable));
        assert_eq!(record.outcome, Outcome::Unsatisfiable);
        assert_eq!((record.cpu_seconds, record.peak_bytes), (0.5, 2 << 20));
        assert_eq!(record.cpu_limit_seconds, 10.0);
        let model = peer("abp4.smv\tnusmv\tUNKNOWN\tTRUE\t1\t1", 60.0, &inputs).unwrap();
        assert_eq!((model.expected, model.outcome), (None, Outcome::Holds));
        assert_eq!(model.family, "abp");
    }

    #[test]
    fn bad_rows_are_told_with_their_place() {
        let wrong = |row: &str| peer(row, 10.0, &Inputs::new()).unwrap_err();
        assert_eq!(wrong("a\tb\tSAT\tperhaps\t1\t1").span, 8..15);
        assert!(wrong("a\tb").message.contains("2 of 6"));
        assert!(wrong("a\tb\tSAT\tsat\t-1\t1").message.contains("`-1`"));
        assert!(wrong("a\tb\tSAT\tsat\t1\tNaN").message.contains("`NaN`"));
    }
}
