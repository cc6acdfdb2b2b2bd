//! Formulas as alternating automata. The formula is simplified by rules that keep its language, bounded operators are
//! written out, and what has the same transitions becomes one location; `--no-rewrite` gives the plain translation.

use kermode::automata::{AlternatingAutomaton, Statistics, alaska, dot, from_ltl, hoa, trim};
use kermode::ltl::normal::expand_bounded;
use kermode::ltl::{Formula, Store, WordKind};
use kermode::solve::Budget;
use serde_json::{Value, json};

use super::failure::Failure;
use super::{Job, MOST_SUBFORMULAS, Translated};
use crate::args::AutomatonFormat;

/// The alternating automaton of a formula, whose name is its text.
pub(super) fn translate(
    job: &Job,
    store: &mut Store,
    formula: Formula,
    name: Option<&str>,
    budget: &Budget,
) -> Result<Translated, Failure> {
    let simplified = job.simplified(store, formula, budget)?;
    let automaton = match automaton(store, simplified, job.words)? {
        plain if job.args.no_rewrite => plain,
        plain => trim(&plain),
    };
    budget.check()?;
    let statistics = counted(&Statistics::of(&automaton)).into();
    let written = match job.format {
        AutomatonFormat::Alaska => alaska::write(store, &automaton, job.args.locations.into())?,
        AutomatonFormat::Dot => dot::to_dot(store, &automaton),
        _ => hoa::write(store, &automaton.into(), name)?,
    };
    Ok(Translated { written, statistics, order: None })
}

fn automaton(
    store: &mut Store,
    formula: Formula,
    words: WordKind,
) -> Result<AlternatingAutomaton, Failure> {
    let unbounded = expand_bounded(store, formula, words, MOST_SUBFORMULAS)?;
    Ok(from_ltl(store, unbounded, words)?)
}

fn counted(statistics: &Statistics) -> [(&'static str, Value); 6] {
    [
        ("locations", json!(statistics.locations)),
        ("accepting", json!(statistics.accepting)),
        ("propositions", json!(statistics.propositions)),
        ("expressions", json!(statistics.expressions)),
        ("weak", json!(statistics.weak)),
        ("very weak", json!(statistics.very_weak)),
    ]
}
