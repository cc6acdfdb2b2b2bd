//! What can be wrong with a random model in SMV, and the smallest model that still shows it.
//!
//! A model is read, flattened and encoded. The interpreter and the encoding must agree state by
//! state, and the flat and the Boolean text of the model, read again, must have the same numbers of
//! states.

use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use kermode_base::{Natural, Severity};
use kermode_smv::print::{boolean_text, flat_text};
use kermode_smv::random::RandomModel;
use kermode_smv::{ReadOptions, SmvModel, Unusable};
use kermode_solve::state_space::{Agreement, StateSpace, Totality, compare, state_space};
use kermode_solve::{Budget, Silent, Stop, panic_message};

/// Models with more reachable states are not explored by the interpreter.
pub(crate) const MOST_STATES: usize = 100_000;

/// The same while a model shrinks: first few states for speed, then all.
const STATES_OF_CANDIDATES: [usize; 2] = [300, MOST_STATES];

/// Candidates that are tried for one fault.
const MOST_TRIES: usize = 5_000;

/// A change to a model between reading and comparison. Tests plant mistakes with it.
pub(crate) type Change = fn(&mut SmvModel);

/// What is wrong with a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelFault {
    /// The interpreter and the encoding differ; the text says in what.
    Disagreement(String),
    /// The flat or the Boolean text is refused, or has other numbers of states.
    Text {
        /// `flat` or `Boolean`.
        which: &'static str,
        /// What is wrong with it.
        what: String,
    },
    /// A drawn model is refused; this is the first message.
    Refused(String),
    /// Two engines contradict each other about a property.
    Verdicts {
        /// The property.
        property: String,
        /// Who says that it holds.
        holds: String,
        /// Who says that it is violated.
        violated: String,
    },
    /// An engine has an internal error, such as a trace that fails its replay.
    Engine {
        /// The engine.
        engine: String,
        /// What is wrong.
        message: String,
    },
    /// A panic, with its message.
    Panic(String),
}

impl ModelFault {
    /// The name of the kind of fault.
    pub fn kind(&self) -> &'static str {
        match self {
            ModelFault::Disagreement(_) => "disagreement",
            ModelFault::Text { .. } => "text",
            ModelFault::Refused(_) => "refused",
            ModelFault::Verdicts { .. } => "verdicts",
            ModelFault::Engine { .. } => "engine",
            ModelFault::Panic(_) => "panic",
        }
    }

    /// Whether another model shows the same mistake, as far as one can tell.
    fn is_like(&self, other: &ModelFault) -> bool {
        match (self, other) {
            (ModelFault::Disagreement(_), ModelFault::Disagreement(_)) => true,
            (ModelFault::Text { which: a, .. }, ModelFault::Text { which: b, .. }) => a == b,
            (
                ModelFault::Verdicts { holds, violated, .. },
                ModelFault::Verdicts { holds: other_holds, violated: other_violated, .. },
            ) => (holds, violated) == (other_holds, other_violated),
            (ModelFault::Engine { engine, .. }, ModelFault::Engine { engine: other, .. }) => {
                engine == other
            }
            _ => self == other,
        }
    }
}

impl fmt::Display for ModelFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelFault::Disagreement(what) => {
                write!(f, "interpreter and encoding disagree: {what}")
            }
            ModelFault::Text { which, what } => write!(f, "the {which} text is wrong: {what}"),
            ModelFault::Verdicts { property, holds, violated } => {
                write!(f, "{property}: {holds} says holds, {violated} says violated")
            }
            ModelFault::Engine { engine, message } => write!(f, "engine {engine}: {message}"),
            ModelFault::Refused(message) => write!(f, "a legal model is refused: {message}"),
            ModelFault::Panic(message) => write!(f, "panic: {message}"),
        }
    }
}

/// What is wrong with the text of a legal model, if anything.
///
/// # Errors
/// If the budget ends.
pub fn model_fault(text: &str, budget: &Budget) -> Result<Option<ModelFault>, Stop> {
    changed_fault(text, |_| (), MOST_STATES, budget)
}

/// The same for a model that is changed after it was read. Models with more states than the limit
/// count as right.
pub(crate) fn changed_fault(
    text: &str,
    change: Change,
    limit: usize,
    budget: &Budget,
) -> Result<Option<ModelFault>, Stop> {
    let find = || unguarded_fault(text, change, limit, budget);
    catch_unwind(AssertUnwindSafe(find))
        .unwrap_or_else(|panic| Ok(Some(ModelFault::Panic(panic_message(&*panic)))))
}

fn unguarded_fault(
    text: &str,
    change: Change,
    limit: usize,
    budget: &Budget,
) -> Result<Option<ModelFault>, Stop> {
    let mut model = match read(text, budget)? {
        Ok(model) => model,
        Err(message) => return Ok(Some(ModelFault::Refused(message))),
    };
    change(&mut model);
    if let Agreement::Differ(what) = compare(&mut model, limit, budget)? {
        return Ok(Some(ModelFault::Disagreement(what)));
    }
    let expected = numbers(&model, budget)?;
    let texts =
        [("flat", flat_text(&model.flat)), ("Boolean", boolean_text(&model.flat, &model.encoded))];
    for (which, text) in texts {
        let what = match read(&text, budget)? {
            Err(message) => message,
            Ok(again) => {
                let found = numbers(&again, budget)?;
                if found == expected {
                    continue;
                }
                format!("{found} in place of {expected}")
            }
        };
        return Ok(Some(ModelFault::Text { which, what }));
    }
    Ok(None)
}

/// The model of a text, or the message of its first error.
pub(super) fn read(text: &str, budget: &Budget) -> Result<Result<SmvModel, String>, Stop> {
    let (options, limits) = (ReadOptions::default(), Default::default());
    match SmvModel::read(text, &options, &limits, &mut || budget.check()) {
        Ok(model) => Ok(Ok(model)),
        Err(Unusable::Stopped(stop)) => Err(stop),
        Err(Unusable::Wrong(diagnostics)) => {
            let first = diagnostics.iter().find(|d| d.severity == Severity::Error);
            Ok(Err(first.map(|d| d.message.clone()).unwrap_or_default()))
        }
    }
}

/// The numbers of states of a model.
fn numbers(model: &SmvModel, budget: &Budget) -> Result<String, Stop> {
    let system = &model.encoded.model;
    let space = state_space(system, budget, &mut Silent::default(), &mut |_| ());
    let StateSpace { initial, reachable, fair, deadlocks, depth, totality, stop, .. } = space;
    if let Some(stop) = stop {
        return Err(stop);
    }
    let show = |number: Option<Natural>| number.unwrap_or_default().to_string();
    Ok(format!(
        "{} initial, {} reachable, {} fair and {} deadlock states, depth {}, {}",
        show(initial),
        show(reachable),
        show(fair),
        show(deadlocks),
        depth.unwrap_or(0),
        match totality {
            Some(Totality::Total) => "total",
            Some(Totality::UnreachableDeadlocks) => "total where reachable",
            Some(Totality::Deadlocks) | None => "not total",
        },
    ))
}

/// What is left of a model.
#[derive(Debug)]
pub(crate) struct ShrunkModel {
    pub(crate) model: RandomModel,
    pub(crate) fault: ModelFault,
    /// Whether each single part is needed to show the fault.
    pub(crate) minimal: bool,
}

/// Leaves out parts as long as the model shows a fault of the same kind. `fault_of` judges a
/// candidate with at most so many states, and `may_go_on` says whether there is time.
pub(crate) fn shrink_model(
    model: RandomModel,
    fault: ModelFault,
    fault_of: impl Fn(&RandomModel, usize) -> Option<ModelFault>,
    may_go_on: impl Fn() -> bool,
) -> ShrunkModel {
    let mut best = ShrunkModel { model, fault, minimal: false };
    let mut tries = 0;
    for limit in STATES_OF_CANDIDATES {
        let mut candidates = simpler_models(&best.model).into_iter();
        while let Some(model) = candidates.next() {
            if tries == MOST_TRIES || !may_go_on() {
                return best;
            }
            tries += 1;
            let fault = fault_of(&model, limit);
            if let Some(fault) = fault.filter(|fault| fault.is_like(&best.fault)) {
                best = ShrunkModel { model, fault, minimal: false };
                candidates = simpler_models(&best.model).into_iter();
            }
        }
    }
    ShrunkModel { minimal: true, ..best }
}

/// Models with fewer parts: without all items of a section, without a declared name and all items
/// that mention it, and without a single part. Some of them may be refused.
fn simpler_models(model: &RandomModel) -> Vec<RandomModel> {
    let items = || model.modules.iter().flat_map(|module| &module.items);
    let sections: BTreeSet<&str> = items().map(|item| item.section).collect();
    let declared = items().filter(|item| DECLARING.contains(&item.section));
    let names: BTreeSet<&str> = declared.filter_map(|item| words(&item.text).next()).collect();
    let without_section =
        sections.into_iter().map(|section| model.retain(|item| item.section != section));
    let without_name = names
        .into_iter()
        .map(|name| model.retain(|item| !words(&item.text).any(|word| word == name)));
    // Later parts use earlier ones, so they go first.
    let without_part = (0..model.parts()).rev().map(|part| model.without(part));
    let several = without_section.chain(without_name);
    several.filter(|simpler| simpler.parts() < model.parts()).chain(without_part).collect()
}

/// The sections whose items begin with the name that they declare.
const DECLARING: [&str; 5] = ["VAR", "IVAR", "FROZENVAR", "DEFINE", "MDEFINE"];

/// The identifiers and numbers of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_#$".contains(c);
    text.split(move |c| !is_part(c)).filter(|word| !word.is_empty())
}
