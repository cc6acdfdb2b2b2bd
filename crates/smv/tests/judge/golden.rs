//! The verdicts of NuSMV 2.6 on the models of `tests/models`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use kermode_smv::judge::{Limits, Unjudged, verdict};

use crate::support::{check_path, model, never, written};

#[test]
fn verdicts_are_those_of_nusmv() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let table = fs::read_to_string(folder.join("verdicts.tsv")).expect("a table of verdicts");
    let mut judged: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut wrong, mut too_large) = (Vec::new(), Vec::new());
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|l| l.split('\t').collect()).collect();
    for of_file in rows.chunk_by(|a, b| a[0] == b[0]) {
        let file = of_file[0][0];
        let text = fs::read_to_string(folder.join(file)).expect("a model");
        let model = model(&text);
        assert_eq!(model.properties.len(), of_file.len(), "{file}");
        for (property, row) in model.properties.iter().zip(of_file) {
            let (number, kind, expected) = (row[1], row[2], row[6]);
            match verdict(&model, property, Limits::default(), &mut never) {
                Ok(found) => {
                    check_path(&model, property, &found);
                    if written(&found) != expected {
                        wrong.push(format!("{file} {number} {kind}: {expected} expected"));
                    }
                    *judged.entry(kind).or_default() += 1;
                }
                Err(Unjudged::Unsupported) => assert_eq!(kind, "PSL"),
                Err(Unjudged::TooLarge { what, .. }) => {
                    too_large.push(format!("{file} {number} {kind}: {what}"));
                }
                Err(Unjudged::Interrupted(never)) => match never {},
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(too_large.is_empty(), "{too_large:?}");
    let all = BTreeMap::from([("COMPUTE", 19), ("CTL", 87), ("INV", 277), ("LTL", 320)]);
    assert_eq!(judged, all);
}
