//! `antichain:symbolic` on models: the fixpoints over diagrams of both parts, in either direction.
//!
//! Backward fixpoints begin with all states, and if that creates many nodes, again with those whose
//! states of the model are reachable, as for the semi-symbolic representation.

use kermode_bdd::Bdd;

use super::{CLUSTER, ModelQuestion};
use crate::alternating::kripke::symbolic::SymbolicProduct;
use crate::compiled::Compilation;
use crate::compiled::compiled_model::variable_count;
use crate::compiled::path_search::{Goal, Side, search as search_goal};
use crate::compiled::states::SystemStates;
use crate::compiled::traces::ModelMoment;
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::{BddContext, WorkCounters};
use crate::fixpoint::emptiness::{self, FairRun};
use crate::frame::answer::Answer;
use crate::frame::budget::Stop;
use crate::frame::observer::Observer;
use crate::frame::problem::PathEnd;
use crate::frame::witness::nonempty;

/// The nodes that the search among all states may create.
const ALL_NODES: u64 = 1 << 16;

impl ModelQuestion<'_> {
    /// Whether a fair run has a word that the automaton accepts. If a number of nodes is given, the
    /// search is limited to it and to all states.
    pub(super) fn symbolic_runs(
        &self,
        direction: Direction,
        generalised: bool,
        nodes: Option<u64>,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let product = SymbolicProduct::new(self.model, self.automaton, generalised, self.budget)?;
        let work = &mut WorkCounters::default();
        let mut states = self.symbolic_states(&product, direction, observer, work)?;
        let found = match (direction, nodes) {
            (Direction::Backward, None) => self.search_backward(&mut states),
            (_, nodes) => within(nodes, &mut states, emptiness::search),
        };
        states.tell(variable_count(&product.model));
        let Some(found) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(self.problem.witness, self.budget, |longest| {
            states.keep_order();
            let Some(lasso) = found.lasso(&mut states, longest)? else { return Ok(None) };
            let start = Some(lasso.prefix.len());
            let moments: Vec<ModelMoment> = [lasso.prefix, lasso.cycle].concat();
            (self.witness_of)(&product.model.order, &moments, start, longest)
        }))
    }

    /// The states of the product as one model.
    fn symbolic_states<'o>(
        &self,
        product: &SymbolicProduct,
        direction: Direction,
        observer: &'o mut dyn Observer,
        work: &'o mut WorkCounters,
    ) -> Result<SystemStates<'o>, Stop>
    where
        Self: 'o,
    {
        let shared = self.problem.diagrams;
        let compilation = Compilation { sifting: self.sifting, top: 0, shared };
        let (compiled, context) = compilation.of(&product.model, self.budget, observer, work)?;
        SystemStates::new(compiled, direction, CLUSTER, context)
    }

    /// Searches among all states, then among those whose state of the model is reachable.
    fn search_backward(&self, states: &mut SystemStates) -> Result<Option<FairRun<Bdd>>, Stop> {
        BddContext::begin_attempt(states.context(), ALL_NODES);
        let found = emptiness::search(states);
        match (BddContext::end_attempt(states.context()), found) {
            (true, Err(Stop::Limit(_))) => {}
            (_, found) => return found,
        }
        let factor = kermode_system::Model { atoms: Default::default(), ..self.model.clone() };
        states.bound_by_factor(&factor)?;
        emptiness::search(states)
    }

    /// Whether a nonempty finite path has a word that the automaton accepts.
    pub(super) fn symbolic_paths(
        &self,
        direction: Direction,
        nodes: Option<u64>,
        end: PathEnd,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let product = SymbolicProduct::new(self.model, self.automaton, false, self.budget)?;
        let work = &mut WorkCounters::default();
        let mut states = self.symbolic_states(&product, direction, observer, work)?;
        let found = self.last_pairs(&mut states, &product, end).and_then(|goal| {
            let side = direction.of(Side::Initial, Side::Target);
            let search = |states: &mut SystemStates| search_goal(states, &goal, side);
            Ok((within(nodes, &mut states, search)?, goal))
        });
        states.tell(variable_count(&product.model));
        let (Some(meeting), goal) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(self.problem.witness, self.budget, |longest| {
            if goal.path_length(&meeting) > longest {
                return Ok(None);
            }
            let path = goal.path(&meeting, &mut states)?;
            (self.witness_of)(&product.model.order, &path, None, longest)
        }))
    }

    /// The last states of paths of the product.
    fn last_pairs(
        &self,
        states: &mut SystemStates,
        product: &SymbolicProduct,
        end: PathEnd,
    ) -> Result<Goal, Stop> {
        let accepting = states.compile(&product.model, product.last)?;
        let mut ends = states.legal()?.and(&accepting)?;
        if end == PathEnd::DeadEnd {
            // The property may block steps of the model: only those of the model count.
            let with_successor = states.with_successor_in(self.model)?;
            ends = ends.and_not(&with_successor)?;
        }
        Ok(Goal::of_states(ends))
    }
}

/// Runs a search that may create a number of nodes. It then ends by [`Stop::Limit`].
fn within<'o, T>(
    nodes: Option<u64>,
    states: &mut SystemStates<'o>,
    search: impl FnOnce(&mut SystemStates<'o>) -> Result<T, Stop>,
) -> Result<T, Stop> {
    if let Some(nodes) = nodes {
        BddContext::begin_attempt(states.context(), nodes);
    }
    let found = search(states);
    BddContext::end_attempt(states.context());
    found
}
