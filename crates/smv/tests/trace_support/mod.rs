//! What the tests of traces share.

use std::convert::Infallible;

use kermode_base::Rng;
use kermode_smv::FlatModel;
use kermode_smv::interpreter::{Interpreter, Trace, WalkEnd, random_walk};
use kermode_smv::meaning::flatten;
use kermode_smv::random::{ModelShape, random_model};
use kermode_smv::syntax::{File, ReadOptions, parse};

/// The syntax tree and the flat model of a text.
pub(crate) fn read_model(text: &str) -> (File, FlatModel) {
    let parsed = parse(text, &ReadOptions::default());
    assert!(!parsed.has_errors(), "{:?}", parsed.diagnostics);
    let (flat, _) = flatten::<Infallible>(text, &parsed.file, &mut || Ok(())).expect("a model");
    (parsed.file, flat)
}

/// The flat model of a text.
#[allow(dead_code, reason = "each test uses a part")]
pub(crate) fn model(text: &str) -> FlatModel {
    read_model(text).1
}

/// A random path of a model, if it has an initial state.
#[allow(dead_code, reason = "each test uses a part")]
pub(crate) fn walk(model: &FlatModel, rng: &mut Rng, steps: usize, end: WalkEnd) -> Option<Trace> {
    let mut interpreter = Interpreter::new(model);
    let Ok(trace) = random_walk::<Infallible>(&mut interpreter, rng, steps, end, &mut || Ok(()));
    trace
}

/// Random models with random paths: half of them infinite if possible.
#[allow(dead_code, reason = "each test uses a part")]
pub(crate) fn random_traces(seeds: std::ops::Range<u64>) -> Vec<(u64, String, FlatModel, Trace)> {
    let shape = ModelShape { bits: 8, inputs: 2, depth: 2, properties: 1 };
    let mut traces = Vec::new();
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let text = random_model(&mut rng, &shape).text();
        let flat = model(&text);
        let end = if seed % 2 == 0 { WalkEnd::Loop } else { WalkEnd::Finite };
        let steps = rng.below(8) + if end == WalkEnd::Loop { 20 } else { 0 };
        if let Some(trace) = walk(&flat, &mut rng, steps, end) {
            traces.push((seed, text, flat, trace));
        }
    }
    traces
}
