//! Formulas as generalised Büchi automata, and as Büchi automata with accepting states. Bounded operators are written out, and
//! past operators replaced by propositions that remember, which are taken out of the labels again. A word has one way to
//! remember its past, so that the automaton accepts the words that satisfy the formula.

use kermode::automata::hoa;
use kermode::automata::tgba::{self, Statistics, Tgba};
use kermode::automata::translation::{self, Level};
use kermode::ltl::eliminate::to_future;
use kermode::ltl::rewrite::{RuleSet, simplify_unless};
use kermode::ltl::{Formula, Store, WordKind};
use kermode::solve::{Budget, Stop};
use serde_json::{Value, json};

use super::failure::Failure;
use super::{Job, MOST_SUBFORMULAS, Translated};
use crate::args::{AutomatonFormat, Target};

/// The automaton of a formula, whose name is its text.
pub(super) fn translate(
    job: &Job,
    store: &mut Store,
    formula: Formula,
    name: Option<&str>,
    budget: &Budget,
) -> Result<Translated, Failure> {
    let automaton = automaton(job, store, formula, budget)?;
    budget.check()?;
    let statistics = Statistics::of(&automaton).map_err(Stop::from)?;
    let statistics = counted(&statistics).into();
    let written = match job.format {
        AutomatonFormat::Dot => tgba::to_dot(store, &automaton),
        _ => hoa::write(store, &automaton.into(), name)?,
    };
    Ok(Translated { written, statistics })
}

fn automaton(
    job: &Job,
    store: &mut Store,
    formula: Formula,
    budget: &Budget,
) -> Result<Tgba, Failure> {
    let interrupt = &mut || budget.check();
    let (level, rules) = (job.args.effort.level().unwrap_or_default(), &job.args.rules);
    let plain = job.args.no_rewrite || level == Level::Raw;
    let formula = match plain {
        true => formula,
        false => {
            let rules = rules.clone().unwrap_or_else(RuleSet::all);
            simplify_unless(store, formula, WordKind::Infinite, &rules, interrupt)?.formula
        }
    };
    let future = to_future(store, formula, WordKind::Infinite, MOST_SUBFORMULAS)?;
    // Levels rewrite what they get, unless somebody has said which rules are to be used.
    let translate = match plain || rules.is_some() {
        true => translation::translate_as_it_is::<Stop>,
        false => translation::translate::<Stop>,
    };
    let mut automaton = translate(store, future.formula, level, interrupt)?;
    if automaton.propositions().iter().any(|&p| future.restore.adds(p)) {
        let projected = automaton.projected(|proposition| future.restore.adds(proposition));
        let projected = projected.map_err(Stop::from)?;
        automaton = translation::reduce(projected, level, interrupt)?;
    }
    match job.args.to {
        Target::Ba => Ok(translation::to_buchi(&automaton, level, interrupt)?),
        _ => Ok(automaton),
    }
}

fn counted(statistics: &Statistics) -> [(&'static str, Value); 9] {
    [
        ("states", json!(statistics.states)),
        ("edges", json!(statistics.edges)),
        ("transitions", number(statistics.transitions)),
        ("marks", json!(statistics.marks)),
        ("propositions", json!(statistics.propositions)),
        ("weak", json!(statistics.weak)),
        ("terminal", json!(statistics.terminal)),
        ("deterministic", json!(statistics.deterministic)),
        ("complete", json!(statistics.complete)),
    ]
}

/// A number, which is a text where readers of JSON may have no room for it.
fn number(count: Option<u128>) -> Value {
    match count {
        None => json!("2^128 or more"),
        Some(count) => match u64::try_from(count) {
            Ok(count) => json!(count),
            Err(_) => json!(count.to_string()),
        },
    }
}
