//! `weak`: products with terminal and weak automata \[BRS99\], \[STV05\].
//!
//! A run of the product is fair if the model is fair and the property stays in its accepting
//! components. For a *terminal* automaton every word is accepted from there on, so it is enough to
//! reach an accepting component in a state from which the model has a fair path. These states are
//! computed once, without the property. For a *weak* automaton the states of the product are
//! computed from which a fair path of the model stays in accepting components: by the fixpoints of
//! Emerson and Lei with the justice of the model alone, which is one fixpoint if it has none.
//!
//! Departs from the paper, where a terminal automaton is a matter of reachability: that is wrong
//! where a state has no fair continuation, such as a dead end.

use kermode_automata::tgba::AcceptanceClass;
use kermode_bdd::Bdd;
use kermode_system::{Expression, Model, cone_of_influence};

use super::mistakes::Mistake;
use super::reach::{ALL_NODES, BoundedSpace, attempt};
use crate::compiled::states::SystemStates;
use crate::fixpoint::emptiness::fair_within;
use crate::fixpoint::fixpoints::with_infinite_path;
use crate::fixpoint::path_search::{Meeting, Side, search};
use crate::fixpoint::trace::Traces;
use crate::fixpoint::{Direction, Regions};
use crate::frame::budget::Stop;
use crate::frame::shared_diagrams::SharedDiagrams;

/// What a path has to reach.
pub(super) enum WeakTarget<R> {
    /// One of these states, from which every fair path of the model is accepted.
    Terminal(R),
    /// A fair path of the model that stays in this region.
    Weak(R),
}

/// A path to the states from which accepted runs start.
pub(super) struct WeakRun<R> {
    pub(super) meeting: Meeting<R>,
    /// The states at the end of the path.
    pub(super) fair: R,
}

/// Searches for an accepted run. The space faces backward and has the justice of the model only.
pub(super) fn weak_search<S: BoundedSpace>(
    space: &mut S,
    target: &WeakTarget<S::Region>,
    mistake: Option<Mistake>,
) -> Result<Option<WeakRun<S::Region>>, Stop> {
    let (WeakTarget::Terminal(region) | WeakTarget::Weak(region)) = target;
    let all = space.all();
    let region = space.plain().intersection(region, &all)?;
    let fair = match (target, mistake) {
        (WeakTarget::Terminal(_), _) | (_, Some(Mistake::WeakIgnoresDeadEnds)) => region,
        (_, Some(Mistake::WeakIgnoresJustice)) => {
            let mut paths = space.within(region.clone());
            let infinite = with_infinite_path(&mut paths, region, &mut |_, _| Ok(false))?;
            infinite.unwrap_or_else(|| paths.none())
        }
        (WeakTarget::Weak(_), _) => fair_within(space, region)?,
    };
    let meeting = search(space, &fair, Side::Target)?;
    Ok(meeting.map(|meeting| WeakRun { meeting, fair }))
}

/// The class of an automaton, unless it is neither terminal nor weak.
pub(super) fn checked(
    class: AcceptanceClass,
    mistake: Option<Mistake>,
) -> Result<AcceptanceClass, Stop> {
    match (class, mistake) {
        (AcceptanceClass::Neither, Some(Mistake::AllAutomataAreWeak)) => Ok(AcceptanceClass::Weak),
        (AcceptanceClass::Neither, _) => {
            let why = "the automaton of the formula is neither terminal nor weak";
            Err(Stop::Unsupported(why.to_owned()))
        }
        (class, _) => Ok(class),
    }
}

/// The states of a model from which a fair path starts; if that takes many nodes, those of them
/// that the model can reach. Steps must be backward and without bound, and stay so.
pub(super) fn fair_states_of(
    states: &mut SystemStates,
    model: &Model,
    shared: Option<&SharedDiagrams>,
) -> Result<Bdd, Stop> {
    let (key, manager) = (fairness(model), states.manager().clone());
    if let Some(fair) = shared.and_then(|shared| shared.fair_states(&manager, &key)) {
        return Ok(fair);
    }
    states.face(Direction::Backward)?;
    let fair = attempt(states, ALL_NODES, |states| {
        let legal = states.legal()?;
        states.fair_within(legal)
    })?;
    if let Some(fair) = fair {
        shared.iter().for_each(|shared| shared.put_fair_states(&manager, key.clone(), &fair));
        return Ok(fair);
    }
    let reached = states.closure_of_initial()?;
    states.bound_by(Some(reached.clone()), true);
    states.face(Direction::Backward)?;
    let fair = states.fair_within(reached);
    states.bound_by(None, true);
    states.face(Direction::Backward)?;
    fair
}

/// The constraints that determine the fair states: those of the cone of influence of nothing. So
/// they are the same for all properties that add no justice.
fn fairness(model: &Model) -> Vec<Expression> {
    let cone = cone_of_influence(&model.graph, &model.system, &[]);
    let system = cone.system;
    [system.transition(), system.invariants(), system.justice()].concat()
}
