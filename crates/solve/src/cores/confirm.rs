//! A second opinion on a core: an engine of another family decides that it is unsatisfiable.
//!
//! Engines of one family share code. `core:growing` calls engines of two other families, so its
//! relatives are these, too.

use std::time::Duration;

use kermode_ltl::Formula;

use super::oracle::{Oracle, limited};
use crate::frame::answer::{InternalError, Verdict};
use crate::frame::budget::Stop;
use crate::frame::decide::decide;
use crate::frame::engine::EngineSpec;
use crate::frame::observer::Silent;
use crate::frame::problem::Problem;

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

/// The family of an engine, by its name.
fn family(engine: &str) -> &str {
    engine.split(':').next().unwrap_or(engine)
}

/// The families that share code with an engine.
fn relatives(engine: &str) -> Vec<&str> {
    match family(engine) {
        "core" => vec!["core", "tgba", "antichain"],
        family => vec![family],
    }
}

/// The engine that confirms that the formulas contradict each other, or `None` if none does in
/// time. An engine that finds a word is a bug of one of the two.
pub(super) fn confirm(
    oracle: &Oracle,
    formulas: &[Formula],
) -> Result<Option<String>, InternalError> {
    let Oracle { store, words, refuted_by, budget, worker_cpu, .. } = oracle;
    let relatives: Vec<&str> = refuted_by.iter().flat_map(|engine| relatives(engine)).collect();
    let engines = CONFIRMERS.iter().filter_map(|name| name.parse::<EngineSpec>().ok());
    let is_other = |engine: &EngineSpec| !relatives.contains(&family(engine.info().name));
    let mut engines: Vec<EngineSpec> = engines.filter(is_other).collect();
    let (mut store, formulas) = store.extract(formulas);
    let conjunction = store.all(formulas);
    let problem = Problem::satisfiability(&store, conjunction, *words);
    for round in 0..ROUNDS {
        let mut undecided = Vec::new();
        for engine in engines {
            if budget.check_now().is_err() {
                return Ok(None);
            }
            let turn = limited(budget, Some(FIRST_TURN * 2_u32.pow(round)), *worker_cpu);
            match decide(&problem, &engine, &turn, &mut Silent::default())? {
                Verdict::Empty(_) => return Ok(Some(engine.to_string())),
                Verdict::Nonempty(_) => {
                    let empty = refuted_by.first().cloned().unwrap_or_default();
                    return Err(InternalError::Disagreement {
                        nonempty: engine.to_string(),
                        empty,
                    });
                }
                Verdict::Unknown(Stop::Timeout) => undecided.push(engine),
                Verdict::Unknown(_) => {}
            }
        }
        engines = undecided;
    }
    Ok(None)
}
