//! A second opinion on a core: an engine of another family decides that it is unsatisfiable.
//!
//! Engines of one family share code. `core:growing` calls engines of two other families, so its
//! relatives are these, too.

use std::time::Duration;

use kermode_ltl::{Formula, Store, WordKind};

use super::oracle::limited;
use crate::frame::answer::{InternalError, Verdict};
use crate::frame::budget::Budget;
use crate::frame::decide::decide;
use crate::frame::engine::EngineSpec;
use crate::frame::observer::Silent;
use crate::frame::problem::{Problem, WitnessPolicy};

/// The engines that confirm, by preference: at least two families remain for each asker.
const CONFIRMERS: [&str; 5] = [
    "symbolic:nnf/sloppy/gba/default",
    "tgba:couvreur",
    "antichain:forward",
    "events:network",
    "reference:tableau",
];

/// The time of each engine in the first round; it doubles in each round.
const FIRST_TURN: Duration = Duration::from_millis(200);
/// The number of rounds.
const ROUNDS: u32 = 6;

/// The families that share code with an engine.
fn relatives(engine: &str) -> Vec<&str> {
    let family = engine.split(':').next().unwrap_or(engine);
    match family {
        "core" => vec![family, "tgba", "antichain"],
        _ => vec![family],
    }
}

/// The engine that confirms that the formulas contradict each other, or `None` if none does in
/// time. An engine that finds a word is a bug of one of the two.
pub(super) fn confirm(
    store: &Store,
    formulas: &[Formula],
    words: WordKind,
    refuted_by: &[String],
    budget: &Budget,
) -> Result<Option<String>, InternalError> {
    let relatives: Vec<&str> = refuted_by.iter().flat_map(|engine| relatives(engine)).collect();
    let others = CONFIRMERS.iter().filter(|name| {
        let family = name.split(':').next().unwrap_or(name);
        !relatives.contains(&family)
    });
    let mut engines: Vec<EngineSpec> = others.filter_map(|name| name.parse().ok()).collect();
    let (mut store, formulas) = store.extract(formulas);
    let conjunction = store.all(formulas);
    let problem =
        Problem::satisfiability(&store, conjunction, words).with_witness(WitnessPolicy::default());
    for round in 0..ROUNDS {
        let mut undecided = Vec::new();
        for engine in engines {
            if budget.check_now().is_err() {
                return Ok(None);
            }
            let turn = limited(budget, Some(FIRST_TURN * 2_u32.pow(round)));
            match decide(&problem, &engine, &turn, &mut Silent::default())? {
                Verdict::Empty(_) => return Ok(Some(engine.to_string())),
                Verdict::Nonempty(_) => {
                    let empty = refuted_by.first().cloned().unwrap_or_default();
                    return Err(InternalError::Disagreement {
                        nonempty: engine.to_string(),
                        empty,
                    });
                }
                Verdict::Unknown(crate::frame::budget::Stop::Timeout) => undecided.push(engine),
                Verdict::Unknown(_) => {}
            }
        }
        engines = undecided;
    }
    Ok(None)
}
