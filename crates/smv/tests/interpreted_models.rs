//! The interpreter counts the states of the models in `models/` as NuSMV does, and so it does after
//! they are printed and read again.

mod golden_table;

use std::convert::Infallible;

use kermode_smv::FlatModel;
use kermode_smv::interpreter::{Interpreter, Totality, explore, totality};
use kermode_smv::meaning::{Unusable, flatten};
use kermode_smv::print::flat_text;
use kermode_smv::syntax::{ReadOptions, parse};

use golden_table::rows;

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
    let (mut seen, mut wrong) = (0, Vec::new());
    for row in rows().into_iter().filter(|row| row.accepted) {
        seen += 1;
        let model = match read(&row.text) {
            Ok(model) => model,
            Err(errors) => {
                wrong.push(format!("{}: {errors}", row.file));
                continue;
            }
        };
        let found = counts(&model);
        let expected = [row.initial, row.reachable, row.diameter, row.total, row.fair];
        if found != expected {
            wrong.push(format!("{}: {found:?} instead of {:?}", row.file, expected));
        }
        let printed = flat_text(&model);
        match read(&printed).map(|model| counts(&model)) {
            Ok(again) if again == found => {}
            other => wrong.push(format!("{}: {other:?} after printing\n{printed}", row.file)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 130, "{seen}");
}
