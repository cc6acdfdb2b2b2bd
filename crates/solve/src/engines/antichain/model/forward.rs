//! `antichain:forward` on models: the reachable pairs, and those of them that a fair run visits
//! infinitely often.
//!
//! The reachable pairs are computed ring by ring. A fair run ends in an accepting component of the
//! graph of the states of the property ([`components`](crate::alternating::kripke::components)), so
//! the second fixpoint of \[DDMR08\] is computed in each of these components alone, and not at all
//! if there is none. That is also tried now and then before all pairs are reached: a fair run among
//! the pairs so far is enough. These tries may create a share of the nodes that the search has
//! created, so they take a share of the time.

use super::ModelQuestion;
use crate::alternating::InSpace;
use crate::alternating::by_letter::ByLetter;
use crate::alternating::kripke::components::accepting_components;
use crate::alternating::kripke::mistakes::{Mistake, is_planted};
use crate::alternating::kripke::property::OrderInUse;
use crate::alternating::kripke::region::Region;
use crate::alternating::kripke::states::KripkeStates;
use crate::fixpoint::Direction;
use crate::fixpoint::Images;
use crate::fixpoint::bdd_context::{BddContext, WorkCounters};
use crate::fixpoint::emptiness::{FairRun, FairSpace};
use crate::fixpoint::fixpoints::{Growth, fair_states, with_infinite_path};
use crate::frame::answer::Answer;
use crate::frame::budget::Stop;
use crate::frame::observer::Observer;
use crate::frame::witness::nonempty;

/// A try may create one node for this many nodes that were created before, and at least
/// `LEAST_NODES`.
const SHARE: u64 = 4;
const LEAST_NODES: u64 = 1 << 12;

/// The search in some space of the automaton.
pub(super) struct ForwardRuns<'q> {
    pub(super) question: &'q ModelQuestion<'q>,
    /// If the search is watched, the number of steps after which growth is checked.
    pub(super) patience: Option<u64>,
    pub(super) observer: &'q mut dyn Observer,
}

impl InSpace for ForwardRuns<'_> {
    type Output = Result<Answer, Stop>;

    fn run<S: ByLetter>(self, space: S) -> Result<Answer, Stop> {
        let ForwardRuns { question, patience, observer } = self;
        let (budget, work) = (question.budget, &mut WorkCounters::default());
        let mut states = question.states(space, Direction::Forward, budget, observer, work)?;
        states.patience = patience;
        let found = search(&mut states, question.problem.witness.wanted);
        states.patience = None;
        question.tell(&mut states);
        let Some(found) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(question.problem.witness, budget, |longest| {
            states.system.keep_order();
            let lasso = found.lasso(&mut states, longest)?;
            lasso.map_or(Ok(None), |lasso| question.witness(lasso, longest))
        }))
    }
}

/// Searches for a fair run. The rings around the initial pairs are stored if a witness is wanted.
fn search<S: ByLetter>(
    states: &mut KripkeStates<S>,
    with_rings: bool,
) -> Result<Option<FairRun<Region>>, Stop> {
    let initial = states.initial()?;
    let (mut growth, first) = Growth::new(&mut states.plain(), &initial)?;
    let (mut rings, mut tries) = (vec![first], Tries::default());
    while !growth.is_complete(&states.plain()) {
        if let Some(fair) = tries.fair_run(states, growth.all())? {
            return Ok(Some(FairRun::Before { fair, rings }));
        }
        let ring = growth.step(&mut states.plain())?;
        if with_rings {
            rings.push(ring);
        }
    }
    let mut reached = states.lift(growth.all())?;
    if is_planted(Mistake::AcceptingIsNotReachable) {
        let all: Vec<u32> = (0..states.property.len() as u32).collect();
        let anything = states.system.manager().top();
        reached = states.region(OrderInUse::Simulated, &all, &anything)?;
    }
    Ok(fair_among(states, &reached)?.map(|fair| FairRun::Before { fair, rings }))
}

/// Pairs of a region at the end of fair runs through the region, if there are any.
fn fair_among<S: ByLetter>(
    states: &mut KripkeStates<S>,
    region: &Region,
) -> Result<Option<Region>, Stop> {
    for component in accepting_components(states, region)? {
        if let Some(fair) = fair_in(states, component)? {
            return Ok(Some(fair));
        }
    }
    Ok(None)
}

/// The same for runs that stay in a component.
fn fair_in<S: ByLetter>(
    states: &mut KripkeStates<S>,
    mut component: Region,
) -> Result<Option<Region>, Stop> {
    let is_safety = states.is_safety();
    if is_safety && is_planted(Mistake::DeadEndsAreIgnored) {
        return Ok(Some(component));
    }
    if !is_safety && is_planted(Mistake::StartsAtAccepting) {
        let mut algebra = states.algebra(OrderInUse::Simulated, Some(component));
        let all = algebra.within.clone().unwrap_or_default();
        component = algebra.marked_image(&all, algebra.mark_count() - 1)?;
    }
    let mut algebra = states.algebra(OrderInUse::Simulated, Some(component.clone()));
    match is_safety {
        true => with_infinite_path(&mut algebra, component, &mut |_, left| Ok(left.is_empty())),
        false => fair_states(&mut algebra, component, &mut |_, left| Ok(left.is_empty())),
    }
}

/// The tries to find a fair run among the pairs that are reached so far.
#[derive(Default)]
struct Tries {
    /// The number of created nodes at which the next one is due.
    due: u64,
}

impl Tries {
    /// Pairs at the end of fair runs through a region, if a try is due and finds some.
    fn fair_run<S: ByLetter>(
        &mut self,
        states: &mut KripkeStates<S>,
        region: &Region,
    ) -> Result<Option<Region>, Stop> {
        let created = states.system.context().created();
        // Regions in the order of delayed simulation are closed when all of them are reached.
        if created < self.due || states.property.exchanges() {
            return Ok(None);
        }
        BddContext::begin_attempt(states.system.context(), (created / SHARE).max(LEAST_NODES));
        let found = fair_among(states, region);
        let is_over = BddContext::end_attempt(states.system.context());
        self.due = created + created / SHARE + LEAST_NODES;
        if states.system.context().created() > self.due {
            self.due = 2 * states.system.context().created();
        }
        match found {
            Err(Stop::Limit(_)) if is_over => Ok(None),
            found => found,
        }
    }
}
