//! The interpreter counts the states of the models in `models/` as NuSMV does, and so it does after
//! they are printed and read again.

use std::convert::Infallible;
use std::fs;
use std::path::Path;

use kermode_smv::FlatModel;
use kermode_smv::interpreter::{Interpreter, Totality, explore, totality};
use kermode_smv::meaning::{Unusable, flatten};
use kermode_smv::print::flat_text;
use kermode_smv::syntax::{ReadOptions, parse};

/// At most this many states are explored, or tried for totality.
const LIMIT: usize = 200_000;

/// The columns `initial`, `reachable`, `diameter`, `total` and `fair` of the table.
fn counts(model: &FlatModel) -> [String; 5] {
    let mut interpreter = Interpreter::new(model);
    let Ok(found) = explore::<Infallible>(&mut interpreter, LIMIT, &mut || Ok(()));
    let Ok(total) = totality::<Infallible>(model, &found, LIMIT, &mut || Ok(()));
    assert!(!found.is_partial);
    let total = match total {
        Some(Totality::Total) => "yes",
        Some(Totality::UnreachableDeadlock) => "no-unreachable",
        Some(Totality::Deadlock) => "no-deadlock",
        None => "unknown",
    };
    let fair = found.is_fair.iter().filter(|fair| **fair).count();
    let numbers = [found.initial, found.states.len(), found.depth];
    let [initial, reachable, depth] = numbers.map(|number| number.to_string());
    [initial, reachable, depth, total.to_owned(), fair.to_string()]
}

fn read(text: &str) -> Result<FlatModel, String> {
    let parsed = parse(text, &ReadOptions::default());
    if parsed.has_errors() {
        return Err(format!("{:?}", parsed.diagnostics));
    }
    match flatten::<Infallible>(text, &parsed.file, &mut || Ok(())) {
        Ok((model, _)) => Ok(model),
        Err(Unusable::Wrong(errors)) => Err(format!("{errors:?}")),
    }
}

#[test]
fn models_have_the_same_numbers_of_states() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let table = fs::read_to_string(folder.join("results.tsv")).expect("the table is there");
    let (mut seen, mut wrong) = (0, Vec::new());
    for row in table.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        if columns[1] != "yes" {
            continue;
        }
        let text = fs::read_to_string(folder.join(columns[0])).expect("the model is there");
        seen += 1;
        let model = match read(&text) {
            Ok(model) => model,
            Err(errors) => {
                wrong.push(format!("{}: {errors}", columns[0]));
                continue;
            }
        };
        let found = counts(&model);
        if found != columns[4..9] {
            wrong.push(format!("{}: {found:?} instead of {:?}", columns[0], &columns[4..9]));
        }
        let printed = flat_text(&model);
        match read(&printed).map(|model| counts(&model)) {
            Ok(again) if again == found => {}
            other => wrong.push(format!("{}: {other:?} after printing\n{printed}", columns[0])),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 130, "{seen}");
}
