//! Products that are partitioned by the states of an explicit automaton.

use kermode_automata::tgba::AcceptanceClass;
use kermode_base::BitSet;

use super::ProductEngine;
use super::looping::LoopingProperty;
use super::mistakes::Mistake;
use super::options::Schedule;
use super::partition::{PairState, PartitionedStates, PropertyGraph};
use super::reach::search_backward;
use super::search::{Question, Search, continued};
use super::to_safety::to_safety;
use super::weak::{WeakTarget, checked, fair_states_of, weak_search};
use crate::fixpoint::Direction;
use crate::fixpoint::emptiness::{FairSpace, TwoWaySpace, search};
use crate::fixpoint::path_search::{self, Side};
use crate::fixpoint::trace::{Lasso, Moment, around};
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
            Direction::Backward => {
                search_backward(&mut space, reach, factor, &mut |space| search(space))
            }
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
        let mistake = self.engine.mistake;
        let mut safety = to_safety(&question.model, false, mistake);
        let property = self.property(&mut question, true, &mut safety.model)?;
        self.counts.runs[1] += 1;
        self.counts.justice += property.mark_count + question.model.system.justice().len();
        self.count(&safety.model);
        let (problem, budget, variables) = (self.problem, self.budget, self.counts.variables);
        let mut system = self.compiled(&safety.model, 0, Direction::Forward)?;
        let LoopingProperty { graph, looped } =
            LoopingProperty::new(&property, &safety, &mut system, mistake)?;
        let mut space = PartitionedStates::new(system, graph, false, mistake);
        let found = path_search::search(&mut space, &looped, Side::Initial);
        space.system.tell(variables);
        let Some(meeting) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(problem.witness, budget, |longest| {
            if meeting.length() > longest {
                return Ok(None);
            }
            space.system.keep_order();
            let (path, _) = meeting.path(&mut space)?;
            let lasso = without_property(safety.lasso(path, |state: &PairState| &state.system));
            (question.witness_of)(&space.system, &safety.model.order, lasso, longest)
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
        let found = search_backward(&mut space, reach, factor, &mut |space| {
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

fn moment_without_property(moment: Moment<PairState, BitSet>) -> Moment<BitSet, BitSet> {
    Moment { state: moment.state.system, label: moment.label }
}

/// The lasso of the model.
fn without_property(lasso: Lasso<PairState, BitSet>) -> Lasso<BitSet, BitSet> {
    let [prefix, cycle] = [lasso.prefix, lasso.cycle]
        .map(|moments| moments.into_iter().map(moment_without_property).collect());
    Lasso { prefix, cycle }
}
