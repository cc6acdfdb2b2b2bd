//! Formulas as generalised Büchi automata, and as Büchi automata with accepting states. Bounded operators are written out, and
//! past operators replaced by propositions that remember, which are taken out of the labels again. A word has one way to
//! remember its past, so that the automaton accepts the words that satisfy the formula.

use kermode::automata::hoa;
use kermode::automata::tgba::{self, Statistics, Tgba};
use kermode::automata::translation::{self, Level};
use kermode::ltl::eliminate::{Eliminated, to_future};
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
    let statistics = match job.args.stats {
        true => counted(&Statistics::of(&automaton).map_err(Stop::from)?).into(),
        false => Vec::new(),
    };
    let written = match job.format {
        AutomatonFormat::Dot => tgba::to_dot(store, &automaton),
        _ => hoa::write(store, &automaton.into(), name)?,
    };
    Ok(Translated { written, statistics, order: None })
}

fn automaton(
    job: &Job,
    store: &mut Store,
    formula: Formula,
    budget: &Budget,
) -> Result<Tgba, Failure> {
    let interrupt = &mut || budget.check();
    let level = job.args.effort.level().unwrap_or_default();
    let rewriting = match &job.args.rules {
        _ if job.args.no_rewrite || level == Level::Raw => None,
        Some(rules) => Some(rules.clone()),
        None => Some(RuleSet::all()),
    };
    let formula = match &rewriting {
        Some(rules) => {
            simplify_unless(store, formula, WordKind::Infinite, rules, interrupt)?.formula
        }
        None => formula,
    };
    let future = to_future(store, formula, WordKind::Infinite, MOST_SUBFORMULAS)?;
    // Levels rewrite what they get, unless somebody has said what is to be done.
    let translate = match rewriting.is_some() && job.args.rules.is_none() {
        true => translation::translate::<Stop>,
        false => translation::translate_as_it_is::<Stop>,
    };
    let automaton = translate(store, future.formula, level, interrupt)?;
    let automaton = match automaton.propositions().iter().any(|&p| future.restore.adds(p)) {
        true => translation::reduce(projected(&automaton, &future)?, level, interrupt)?,
        false => automaton,
    };
    match job.args.to {
        Target::Ba => Ok(translation::to_buchi(&automaton, level, interrupt)?),
        _ => Ok(automaton),
    }
}

/// The automaton without the propositions that remember.
fn projected(automaton: &Tgba, future: &Eliminated) -> Result<Tgba, Stop> {
    Ok(automaton.projected(|proposition| future.restore.adds(proposition))?)
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
