//! The comparison of the two meanings of an SMV model: the explicit interpreter against the
//! encoding over bits, state by state.
//!
//! The interpreter shares no code with the encoding. So a mistake in one of them shows as a
//! difference: of the numbers of initial, reachable, fair and deadlock states and of the depth, of
//! the set of reachable states, or, for models with few states and steps, of the edges.

use kermode_base::Natural;
use kermode_smv::SmvModel;
use kermode_smv::interpreter::{Exploration, Interpreter, explore};
use rustc_hash::FxHashMap;

use super::{GraphError, StateGraph, list_states, state_graph, state_space};
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Silent;

/// Graphs with at most this many states and steps are compared edge by edge.
const MOST_STATES: usize = 2_000;
const MOST_STEPS: usize = 100_000;

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Both say the same about this many reachable states.
    Agree(usize),
    /// They differ; the text says in what.
    Differ(String),
    /// The model has more reachable states than the limit.
    TooLarge,
}

/// Compares the interpreter with the encoding on a model with at most `limit` reachable states.
///
/// # Errors
/// If the budget ends.
pub fn compare(model: &mut SmvModel, limit: usize, budget: &Budget) -> Result<Agreement, Stop> {
    let mut interpreter = Interpreter::new(&model.flat);
    let explicit = explore(&mut interpreter, limit, &mut || budget.check())?;
    if explicit.is_partial {
        return Ok(Agreement::TooLarge);
    }
    let show = |number: usize| interpreter.states().show(&explicit.states[number]);
    let system = &mut model.encoded.model;
    let symbolic = state_space(system, budget, &mut Silent::default(), &mut |_| ());
    if let Some(stop) = symbolic.stop {
        return Err(stop);
    }
    let fair = explicit.is_fair.iter().filter(|fair| **fair).count();
    let numbers = [
        ("initial states", explicit.initial, symbolic.initial),
        ("reachable states", explicit.states.len(), symbolic.reachable),
        ("fair states", fair, symbolic.fair),
        ("deadlock states", explicit.deadlocks.len(), symbolic.deadlocks),
        ("layers", explicit.depth, symbolic.depth.map(|depth| Natural::from(depth as u64))),
    ];
    for (what, explicit, symbolic) in numbers {
        let symbolic = symbolic.map_or_else(|| "unknown".to_owned(), |number| number.to_string());
        if explicit.to_string() != symbolic {
            return Ok(Agreement::Differ(format!("{what}: {explicit} and {symbolic}")));
        }
    }
    let always = system.graph.constant(true);
    let all = explicit.states.len();
    let listed = list_states(system, always, all, budget, &mut Silent::default())?;
    let states: FxHashMap<String, usize> = (0..all).map(|number| (show(number), number)).collect();
    let text = |state: &super::State| {
        let values = state.values(system);
        let values: Vec<String> =
            values.iter().map(|(symbol, value)| format!("{} = {value}", symbol.name)).collect();
        values.join(", ")
    };
    if let Some(state) = listed.states.iter().find(|state| !states.contains_key(&text(state))) {
        return Ok(Agreement::Differ(format!("only the encoding reaches {}", text(state))));
    }
    match state_graph(system, MOST_STATES, MOST_STEPS, budget, &mut Silent::default()) {
        Err(GraphError::Stop(stop)) => Err(stop),
        Err(GraphError::TooManyStates(_) | GraphError::TooManySteps(_)) => {
            Ok(Agreement::Agree(all))
        }
        Ok(graph) => Ok(match difference(&explicit, &graph, &|state| states[&text(state)]) {
            None => Agreement::Agree(all),
            Some((from, to)) => {
                let step = format!("from {} to {}", show(from), show(to));
                Agreement::Differ(format!("only one of them has the step {step}"))
            }
        }),
    }
}

/// An edge that only one of two graphs has.
fn difference(
    explicit: &Exploration,
    symbolic: &StateGraph,
    number: &dyn Fn(&super::State) -> usize,
) -> Option<(usize, usize)> {
    let numbers: Vec<usize> = symbolic.states.iter().map(number).collect();
    let mut one: Vec<(usize, usize)> =
        symbolic.edges.iter().map(|&(from, to)| (numbers[from], numbers[to])).collect();
    let mut other: Vec<(usize, usize)> = Vec::with_capacity(one.len());
    for from in 0..explicit.states.len() {
        let edges = explicit.first_edge[from]..explicit.first_edge[from + 1];
        other.extend(explicit.targets[edges].iter().map(|&to| (from, to as usize)));
    }
    for edges in [&mut one, &mut other] {
        edges.sort_unstable();
        edges.dedup();
    }
    let differs = one.iter().zip(&other).find(|(a, b)| a != b).map(|(&a, &b)| a.min(b));
    differs.or_else(|| {
        let shorter = one.len().min(other.len());
        one.get(shorter).or_else(|| other.get(shorter)).copied()
    })
}
