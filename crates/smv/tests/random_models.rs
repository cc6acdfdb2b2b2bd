//! Random models: fixed by their seed, of many kinds, and accepted by the reader.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use kermode_base::{Rng, Severity, Source};
use kermode_smv::random::{Construct, ModelShape, RandomModel, random_model};
use kermode_smv::{ReadOptions, SmvModel, Unusable};

fn model(seed: u64) -> RandomModel {
    random_model(&mut Rng::new(seed), &ModelShape::default())
}

const SNAPSHOT: &str = "\
MODULE main
IVAR
  i1 : boolean;
VAR
  x2 : boolean;
  x3 : word[2];
ASSIGN
  init(x2) := 1 != 3;
  next(x2) := {FALSE, x2, FALSE};
  x3 := case TRUE : 0ud2_3; TRUE : 0o2_2; esac;
TRANS i1 -> max(toint(i1), toint(i1)) >= 0;
FAIRNESS x3 >= x3 | x2 = i1 | x2;
SPEC ABF 2..4 (bool(x3[0:0]) <-> toint(x2) in {0, {toint(x2), 0}});

";

#[test]
fn a_seed_gives_a_fixed_text() {
    let shape = ModelShape { bits: 3, inputs: 1, depth: 1, properties: 2 };
    let text = random_model(&mut Rng::new(7), &shape).text();
    assert_eq!(text, SNAPSHOT, "reports contain seeds, so their models must not change:\n{text}");
}

#[test]
fn texts_differ() {
    let texts: BTreeSet<String> = (0..2000).map(|seed| model(seed).text()).collect();
    assert_eq!(texts.len(), 2000);
}

#[test]
fn every_construct_is_in_at_least_50_of_2000_models() {
    let mut models: BTreeMap<Construct, usize> = BTreeMap::new();
    for seed in 0..2000 {
        for construct in model(seed).constructs() {
            *models.entry(construct).or_default() += 1;
        }
    }
    let count = |construct| models.get(construct).copied().unwrap_or(0);
    let rare: Vec<(&Construct, usize)> = Construct::ALL
        .iter()
        .map(|construct| (construct, count(construct)))
        .filter(|&(_, count)| count < 50)
        .collect();
    assert!(rare.is_empty(), "{rare:?}");
}

#[test]
fn constructs_have_distinct_names_and_sentences() {
    let names: BTreeSet<&str> = Construct::ALL.iter().map(|construct| construct.name()).collect();
    assert_eq!(names.len(), Construct::ALL.len());
    for construct in Construct::ALL {
        let sentence = construct.documentation();
        assert!(sentence.ends_with('.'), "{sentence}");
    }
}

/// Parts are left out one at a time, and together they are the whole model.
#[test]
fn each_part_can_be_left_out() {
    for seed in 0..50 {
        let model = model(seed);
        let length = model.text().len();
        for part in 0..model.parts() {
            let smaller = model.without(part);
            assert!(smaller.text().len() < length, "seed {seed}, part {part}");
            assert!(smaller.constructs().is_subset(&model.constructs()));
        }
        let mut rest = model;
        while rest.parts() > 0 {
            rest = rest.without(rest.parts() - 1);
        }
        assert_eq!(rest.text(), "");
    }
}

#[test]
fn random_models_are_accepted() {
    let mut refused = Vec::new();
    for seed in 0..200 {
        let text = model(seed).text();
        if let Some(message) = refusal(&text) {
            refused.push(format!("seed {seed}: {message}"));
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// The first error in a text.
fn refusal(text: &str) -> Option<String> {
    let (options, limits) = (ReadOptions::default(), Default::default());
    let diagnostics = match SmvModel::read::<Infallible>(text, &options, &limits, &mut || Ok(())) {
        Ok(_) => return None,
        Err(Unusable::Stopped(never)) => match never {},
        Err(Unusable::Wrong(diagnostics)) => diagnostics,
    };
    let error = diagnostics.into_iter().find(|found| found.severity == Severity::Error)?;
    let (line, column) = Source { name: "", text }.line_and_column(error.span.start);
    Some(format!("line {line}, column {column}: {}", error.message))
}
