//! SMV models with the verdicts of NuSMV 2.6, for tests of engines that check properties.

#![allow(dead_code, reason = "each test uses a part")]

use std::fs;
use std::path::Path;

use kermode_smv::{ReadOptions, SmvModel};

/// A property of a model and NuSMV's verdict.
pub(crate) struct Answer {
    pub(crate) file: String,
    /// The text of the model.
    pub(crate) text: String,
    /// The number of the property in the model, from 1.
    pub(crate) number: usize,
    pub(crate) kind: String,
    pub(crate) verdict: String,
}

impl Answer {
    pub(crate) fn place(&self) -> String {
        format!("{}, property {}", self.file, self.number)
    }
}

/// The verdicts on properties of some kinds.
pub(crate) fn golden(kinds: &[&str]) -> Vec<Answer> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../smv/tests/models");
    let table = fs::read_to_string(folder.join("verdicts.tsv")).expect("a table of verdicts");
    let answer = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        Answer {
            file: cells[0].to_owned(),
            text: fs::read_to_string(folder.join(cells[0])).expect("a model"),
            number: cells[1].parse().expect("a number"),
            kind: cells[2].to_owned(),
            verdict: cells[6].to_owned(),
        }
    };
    let answers = table.lines().skip(1).map(answer);
    answers.filter(|answer| kinds.contains(&answer.kind.as_str())).collect()
}

/// Reads a model that is right.
pub(crate) fn read(text: &str) -> SmvModel {
    let (options, limits) = (ReadOptions::default(), Default::default());
    match SmvModel::read::<()>(text, &options, &limits, &mut || Ok(())) {
        Ok(model) => model,
        Err(error) => panic!("{error:?}\n{text}"),
    }
}

/// Reads a model that may have errors.
pub(crate) fn try_read(text: &str) -> Option<SmvModel> {
    let (options, limits) = (ReadOptions::default(), Default::default());
    SmvModel::read::<()>(text, &options, &limits, &mut || Ok(())).ok()
}
