//! Helpers of the targets for traces: a model, and what every reader does with any text.

use kermode_base::Source;
use kermode_smv::FlatModel;
use kermode_smv::interpreter::Fairness;
use kermode_smv::meaning::flatten;
use kermode_smv::syntax::{ReadOptions, parse};
use kermode_smv::trace::{ReadTrace, check};

const MODEL: &str = "MODULE cell(p) VAR v : boolean; a : array 0..1 of -1..2;
  DEFINE d := p & v; e := [v, a[0] = 1];
MODULE main
IVAR go : boolean; way : {left, right, 3};
FROZENVAR k : 0..1;
VAR x : 0..3; mode : {idle, busy, \"two words\"}; w : word[4]; s : signed word[3]; c : cell(go);
DEFINE double := 2 * x; moves := go & x = 0; both := {x, 3, 1..2}; grows := next(x) > x;
ASSIGN init(x) := 0; next(x) := x < 3 ? x + 1 : {0, 3};
TRANS go -> next(mode) != mode
INVAR x = 0 -> mode = idle
FAIRNESS x = 0
COMPASSION (x = 1, go)
";

/// The model that the texts are about.
pub fn model() -> FlatModel {
    let parsed = parse(MODEL, &ReadOptions::default());
    let flattened = flatten::<()>(MODEL, &parsed.file, &mut || Ok(()));
    flattened.expect("a correct model").0
}

/// Replays all traces that a reader accepted, or looks at its errors.
pub fn inspect(
    text: &str,
    model: &FlatModel,
    read: Result<Vec<ReadTrace>, Vec<kermode_base::Diagnostic>>,
) -> Vec<ReadTrace> {
    let traces = match read {
        Ok(traces) => traces,
        Err(errors) => {
            assert!(!errors.is_empty());
            for error in &errors {
                assert!(text.get(error.span.clone()).is_some() && !error.message.is_empty());
                assert!(!error.label.is_empty() || error.help.is_some(), "{error:?}");
            }
            Source { name: "fuzz", text }.render_all(&errors);
            return Vec::new();
        }
    };
    for trace in &traces {
        assert!(text.get(trace.span.clone()).is_some());
        assert_eq!(trace.places.len(), trace.states.len());
        for fairness in [Fairness::Ignored, Fairness::JusticeAndCompassion] {
            if let Ok(paths) = check::<()>(model, trace, fairness, &mut || Ok(())) {
                assert!(!paths.is_empty());
            }
        }
    }
    traces
}
