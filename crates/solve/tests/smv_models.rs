//! The state spaces of the SMV models in `crates/smv/tests/models`, with the answers of NuSMV 2.6.
//! The flat and the Boolean texts of a model are read back, and have the same state space.

#[path = "../../smv/tests/golden_table/mod.rs"]
mod golden_table;

use kermode_smv::print::{boolean_text, flat_text};
use kermode_smv::{ReadOptions, SmvModel};
use kermode_solve::state_space::state_space;
use kermode_solve::{Budget, Silent};

use golden_table::rows;

fn read(text: &str) -> Result<SmvModel, String> {
    let (options, limits) = (ReadOptions::default(), Default::default());
    let read = SmvModel::read::<()>(text, &options, &limits, &mut || Ok(()));
    read.map_err(|error| format!("{error:?}"))
}

/// Initial, reachable and fair states, depth and totality, as the table has them.
fn numbers(model: &SmvModel) -> Option<[String; 5]> {
    let (budget, observer) = (Budget::unlimited(), &mut Silent::default());
    let space = state_space(&model.encoded.model, &budget, observer, &mut |_| ());
    Some([
        space.initial?.to_string(),
        space.reachable?.to_string(),
        space.fair?.to_string(),
        space.depth?.to_string(),
        space.totality?.name().to_owned(),
    ])
}

#[test]
fn numbers_of_states_are_those_of_nusmv() {
    let mut differences = Vec::new();
    let mut accepted = 0;
    for row in rows().into_iter().filter(|row| row.accepted) {
        accepted += 1;
        let expected = Some([row.initial, row.reachable, row.fair, row.diameter, row.total]);
        let model = read(&row.text).expect("a model");
        let texts = [flat_text(&model.flat), boolean_text(&model.flat, &model.encoded)];
        let again = texts.iter().map(|text| read(text).map(|model| numbers(&model)));
        let all = [Ok(numbers(&model))].into_iter().chain(again);
        for (form, found) in ["model", "flat", "boolean"].iter().zip(all) {
            if found.as_ref() != Ok(&expected) {
                differences.push(format!("{} ({form}): {found:?}, {expected:?}", row.file));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(accepted > 100, "{accepted} models");
}
