//! The table of models and answers in `tests/models`.

use std::fs;
use std::path::Path;

/// A model and the answers of NuSMV 2.6.
#[allow(dead_code, reason = "each test uses a part")]
pub(crate) struct Row {
    pub(crate) file: String,
    pub(crate) text: String,
    pub(crate) accepted: bool,
    pub(crate) error_line: Option<usize>,
    pub(crate) error_class: String,
    pub(crate) initial: String,
    pub(crate) reachable: String,
    /// The number of breadth-first layers.
    pub(crate) diameter: String,
    pub(crate) total: String,
    pub(crate) fair: String,
}

/// All rows.
pub(crate) fn rows() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../smv/tests/models");
    let table = fs::read_to_string(folder.join("results.tsv")).expect("a table of answers");
    let row = |line: &str| {
        let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        Row {
            text: fs::read_to_string(folder.join(&cells[0])).expect("a model"),
            file: cells[0].clone(),
            accepted: cells[1] == "yes",
            error_line: cells[2].parse().ok(),
            error_class: cells[3].clone(),
            initial: cells[4].clone(),
            reachable: cells[5].clone(),
            diameter: cells[6].clone(),
            total: cells[7].clone(),
            fair: cells[8].clone(),
        }
    };
    table.lines().skip(1).map(row).collect()
}
