//! `antichain:forward` on models: the reachable pairs, and those of them that a fair run visits
//! infinitely often.

use crate::alternating::InSpace;
use crate::alternating::by_letter::ByLetter;
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::WorkCounters;
use crate::fixpoint::emptiness;
use crate::frame::answer::Answer;
use crate::frame::budget::Stop;
use crate::frame::observer::Observer;
use crate::frame::witness::nonempty;

use super::ModelQuestion;

/// The search in some space of the automaton.
pub(super) struct ForwardRuns<'q> {
    pub(super) question: &'q ModelQuestion<'q>,
    pub(super) observer: &'q mut dyn Observer,
}

impl InSpace for ForwardRuns<'_> {
    type Output = Result<Answer, Stop>;

    fn run<S: ByLetter>(self, space: S) -> Result<Answer, Stop> {
        let ForwardRuns { question, observer } = self;
        let (budget, work) = (question.budget, &mut WorkCounters::default());
        let mut states = question.states(space, Direction::Forward, budget, observer, work)?;
        let found = emptiness::search(&mut states);
        question.tell(&mut states);
        let Some(found) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(question.problem.witness, budget, |longest| {
            states.system.keep_order();
            let lasso = found.lasso(&mut states, longest)?;
            lasso.map_or(Ok(None), |lasso| question.witness(lasso, longest))
        }))
    }
}
