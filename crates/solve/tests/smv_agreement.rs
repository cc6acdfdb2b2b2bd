//! The interpreter and the encoding of SMV models agree, state by state: on the models of
//! `crates/smv/tests/models` and on random ones. The flat and the Boolean texts of random models,
//! read again, have the same numbers of states.

#[path = "../../smv/tests/golden_table/mod.rs"]
mod golden_table;

use std::collections::BTreeMap;

use kermode_base::Rng;
use kermode_smv::print::{boolean_text, flat_text};
use kermode_smv::random::{ModelShape, random_model};
use kermode_smv::{ReadOptions, SmvModel};
use kermode_solve::state_space::{Agreement, StateSpace, compare, state_space};
use kermode_solve::{Budget, Silent};

use golden_table::rows;

/// Models with more states are not explored explicitly.
const LIMIT: usize = 100_000;

fn read(text: &str) -> SmvModel {
    let (options, limits) = (ReadOptions::default(), Default::default());
    match SmvModel::read::<()>(text, &options, &limits, &mut || Ok(())) {
        Ok(model) => model,
        Err(error) => panic!("{error:?}\n{text}"),
    }
}

/// Initial, reachable, fair and deadlock states, depth and totality.
fn numbers(model: &SmvModel) -> String {
    let budget = Budget::unlimited();
    let space: StateSpace =
        state_space(&model.encoded.model, &budget, &mut Silent::default(), &mut |_| ());
    let StateSpace { initial, reachable, fair, deadlocks, depth, totality, .. } = space;
    format!("{initial:?} {reachable:?} {fair:?} {deadlocks:?} {depth:?} {totality:?}")
}

#[test]
fn both_agree_on_the_models_of_the_table() {
    let mut compared = 0;
    for row in rows().into_iter().filter(|row| row.accepted) {
        let found = compare(&mut read(&row.text), LIMIT, &Budget::unlimited());
        match found.expect("no limit") {
            Agreement::Agree(_) => compared += 1,
            Agreement::TooLarge => {}
            Agreement::Differ(what) => panic!("{}: {what}", row.file),
        }
    }
    assert!(compared > 130, "{compared} models");
}

/// Compares both meanings of random models, and the texts of the models.
fn compare_random(seeds: std::ops::Range<u64>) {
    let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
    let count = (seeds.end - seeds.start) as usize;
    for seed in seeds {
        let text = random_model(&mut Rng::new(seed), &ModelShape::default()).text();
        let mut model = read(&text);
        let found = compare(&mut model, LIMIT, &Budget::unlimited()).expect("no limit");
        match found {
            Agreement::Agree(states) => {
                let magnitude = states.checked_ilog10().unwrap_or(0);
                *sizes.entry(magnitude).or_default() += 1;
            }
            Agreement::TooLarge => {}
            Agreement::Differ(what) => panic!("seed {seed}: {what}\n{text}"),
        }
        let expected = numbers(&model);
        let texts = [flat_text(&model.flat), boolean_text(&model.flat, &model.encoded)];
        for printed in texts {
            assert_eq!(numbers(&read(&printed)), expected, "seed {seed}\n{text}\n{printed}");
        }
    }
    let with_many: usize = sizes.range(1..=5).map(|(_, models)| models).sum();
    assert!(with_many * 2 >= count, "few models have 10 to 10^5 states: {sizes:?}");
}

#[test]
fn both_agree_on_random_models() {
    compare_random(0..200);
}

#[test]
#[ignore = "a campaign of some minutes"]
fn both_agree_on_two_thousand_random_models() {
    compare_random(0..2_000);
}
