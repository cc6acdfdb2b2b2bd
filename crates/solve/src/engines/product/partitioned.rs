//! Products that are partitioned by the states of an explicit automaton.

use kermode_automata::tgba::AcceptanceClass;
use kermode_base::BitSet;
use kermode_system::Model;

use super::ProductEngine;
use super::automaton::PropertyAutomaton;
use super::copies::CopiedModel;
use super::looping::LoopingProperty;
use super::mistakes::Mistake;
use super::options::Schedule;
use super::partition::{PairState, PartitionedStates, PropertyGraph};
use super::reach::{attempt, fair_run, search_backward};
use super::saving::{LoopKind, LoopSearch, SavedLoop};
use super::search::{Question, Search, continued};
use super::to_safety::to_safety;
use super::weak::{WeakTarget, checked, fair_states_of, weak_search};
use crate::fixpoint::emptiness::{FairSpace, TwoWaySpace, search};
use crate::fixpoint::path_search::{self, Side};
use crate::fixpoint::trace::{Lasso, Moment, Traces, around};
use crate::fixpoint::{Direction, Images};
use crate::frame::answer::Answer;
use crate::frame::budget::Stop;
use crate::frame::witness::nonempty;

impl Search<'_> {
    /// `pdp/el`.
    pub(super) fn partitioned_fixpoints(&mut self, mut question: Question) -> Result<Answer, Stop> {
        let ProductEngine { direction, reach, schedule, mistake, .. } = *self.engine;
        let mut model = question.model.clone();
        let property = self.property(&mut question, false, &mut model)?;
        self.counts.runs[0] += 1;
        self.counts.justice += property.mark_count + model.system.justice().len();
        self.count(&model);
        let (problem, budget, variables) = (self.problem, self.budget, self.counts.variables);
        let mut system = self.compiled(&model, 0, direction)?;
        let graph = PropertyGraph::of(&property, true, &model, &mut system)?;
        let first = schedule == Schedule::Formula;
        let mut space = PartitionedStates::new(system, graph, first, mistake);
        let factor = (!question.is_free).then_some(&model);
        let found = match direction {
            Direction::Forward => search(&mut space),
            Direction::Backward => search_backward(&mut space, reach, factor, &mut fair_run),
        };
        space.system.tell(variables);
        let Some(found) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(problem.witness, budget, |longest| {
            space.system.keep_order();
            let lasso = found.lasso(&mut space, longest)?.map(without_property);
            let witness =
                |lasso| (question.witness_of)(&space.system, &model.order, lasso, longest);
            lasso.map_or(Ok(None), witness)
        }))
    }

    /// `pdp/l2s`.
    pub(super) fn partitioned_saved_state(
        &mut self,
        mut question: Question,
    ) -> Result<Answer, Stop> {
        self.counts.runs[1] += 1;
        let mut model = question.model.clone();
        let property = self.property(&mut question, true, &mut model)?;
        self.counts.justice += property.mark_count + model.system.justice().len();
        if let Some(nodes) = self.engine.copies.nodes_for_all()
            && let Some(answer) =
                self.partitioned_looped_state(&question, &model, &property, nodes)?
        {
            return Ok(answer);
        }
        self.partitioned_saved_loop(&question, &model, &property)
    }

    /// A path to a looped state, with copies of all variables. Nothing if this many nodes are not
    /// enough.
    fn partitioned_looped_state(
        &mut self,
        question: &Question,
        model: &Model,
        property: &PropertyAutomaton,
        nodes: u64,
    ) -> Result<Option<Answer>, Stop> {
        let mistake = self.engine.mistake;
        let safety = to_safety(model, false, mistake);
        self.count(&safety.model);
        let (problem, budget, variables) = (self.problem, self.budget, self.counts.variables);
        let mut system = self.compiled(&safety.model, 0, Direction::Forward)?;
        let LoopingProperty { graph, looped } =
            LoopingProperty::new(property, &safety, &mut system, mistake)?;
        let mut space = PartitionedStates::new(system, graph, false, mistake);
        let found =
            attempt(&mut space, nodes, |space| path_search::search(space, &looped, Side::Initial));
        space.system.tell(variables);
        let Some(found) = found? else { return Ok(None) };
        let Some(meeting) = found else { return Ok(Some(Answer::Empty(None))) };
        Ok(Some(nonempty(problem.witness, budget, |longest| {
            if meeting.length() > longest {
                return Ok(None);
            }
            space.system.keep_order();
            let (path, _) = meeting.path(&mut space)?;
            let lasso = without_property(safety.lasso(path, |state: &PairState| &state.system));
            (question.witness_of)(&space.system, &safety.model.order, lasso, longest)
        })))
    }

    /// A loop of a saved state, with copies of as few variables as possible, for one accepting
    /// state of the property after the other.
    fn partitioned_saved_loop(
        &mut self,
        question: &Question,
        model: &Model,
        property: &PropertyAutomaton,
    ) -> Result<Answer, Stop> {
        let mistake = self.engine.mistake;
        let copies = CopiedModel::new(model);
        self.count(&copies.model);
        let (problem, budget, variables) = (self.problem, self.budget, self.counts.variables);
        let mut system = self.compiled_with_copies(&copies, 0)?;
        let graph = PropertyGraph::of(property, false, &copies.model, &mut system)?;
        let kind = LoopKind::new(system.model().justice.len(), false, mistake);
        let mut space = PartitionedStates::new(system, graph, false, mistake);
        let found = saved_loop_of_some(&mut space, property, &copies, &kind);
        space.system.tell(variables);
        let Some(found) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(problem.witness, budget, |longest| {
            space.system.keep_order();
            let lasso = found.lasso(&mut space, &kind, longest)?.map(without_property);
            let order = &copies.model.order;
            let witness = |lasso| (question.witness_of)(&space.system, order, lasso, longest);
            lasso.map_or(Ok(None), witness)
        }))
    }

    /// `pdp/weak`.
    pub(super) fn partitioned_weak(&mut self, mut question: Question) -> Result<Answer, Stop> {
        let ProductEngine { reach, mistake, .. } = *self.engine;
        let mut model = question.model.clone();
        let property = self.property(&mut question, false, &mut model)?;
        let class = checked(property.class, mistake)?;
        self.counts.runs[2 + usize::from(class == AcceptanceClass::Weak)] += 1;
        self.counts.justice += model.system.justice().len();
        self.count(&model);
        let (problem, budget, variables) = (self.problem, self.budget, self.counts.variables);
        let mut system = self.compiled(&model, 0, Direction::Backward)?;
        let graph = PropertyGraph::of(&property, false, &model, &mut system)?;
        let is_accepting = |b: usize| property.is_accepting[b];
        let fair = match class {
            AcceptanceClass::Terminal => {
                Some(fair_states_of(&mut system, &model, problem.diagrams)?)
            }
            _ => None,
        };
        let mut space = PartitionedStates::new(system, graph, false, mistake);
        let target = match &fair {
            Some(fair) if mistake != Some(Mistake::TerminalIsReachability) => {
                WeakTarget::Terminal(space.region(fair, is_accepting))
            }
            Some(_) => {
                WeakTarget::Terminal(space.region(&space.system.manager().top(), is_accepting))
            }
            None => WeakTarget::Weak(space.region(&space.system.manager().top(), is_accepting)),
        };
        let factor = (!question.is_free).then_some(&model);
        let found = search_backward(&mut space, reach, factor, &mut |space, _| {
            weak_search(space, &target, mistake)
        });
        space.system.tell(variables);
        let Some(run) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(problem.witness, budget, |longest| {
            space.system.keep_order();
            let (path, last) = run.meeting.path(&mut space)?;
            let left = longest.saturating_sub(path.len());
            let lasso = match (target, fair) {
                (WeakTarget::Terminal(_), Some(fair)) => {
                    let path = path.into_iter().map(moment_without_property).collect();
                    continued(path, around(&mut space.system.plain(), &fair, last.system, left)?)
                }
                (WeakTarget::Terminal(region) | WeakTarget::Weak(region), _) => {
                    let closed = around(&mut space.within(region), &run.fair, last, left)?;
                    continued(path, closed).map(without_property)
                }
            };
            let Some(lasso) = lasso else { return Ok(None) };
            (question.witness_of)(&space.system, &model.order, lasso, longest)
        }))
    }
}

/// A loop through an accepting state of the property, which stays in its component.
fn saved_loop_of_some<'o>(
    space: &mut PartitionedStates<'o>,
    property: &PropertyAutomaton,
    copies: &CopiedModel,
    kind: &LoopKind,
) -> Result<Option<SavedLoop<PartitionedStates<'o>>>, Stop> {
    space.face(Direction::Forward)?;
    let initial = space.initial()?;
    let reached = space.plain().closure(&initial, None)?;
    let all = space.system.manager().top();
    for state in property.marked_sources() {
        let component = property.component[state];
        let [component, saved] = [
            space.region(&all, |other| property.component[other] == component),
            space.region(&all, |other| other == state),
        ];
        let within = space.plain().intersection(&reached, &component)?;
        let saved = space.plain().intersection(&reached, &saved)?;
        let found = LoopSearch::new(space, copies, kind, saved, within).run()?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn moment_without_property(moment: Moment<PairState, BitSet>) -> Moment<BitSet, BitSet> {
    Moment { state: moment.state.system, label: moment.label }
}

/// The lasso of the model.
fn without_property(lasso: Lasso<PairState, BitSet>) -> Lasso<BitSet, BitSet> {
    let [prefix, cycle] = [lasso.prefix, lasso.cycle]
        .map(|moments| moments.into_iter().map(moment_without_property).collect());
    Lasso { prefix, cycle }
}
