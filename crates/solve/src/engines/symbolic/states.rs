//! Sets of states of a system as decision diagrams: an algebra for the fixpoints, in either direction of time.
//!
//! A step is the image or preimage by a relation in clusters. Regions satisfy the invariants: what a step leads to does
//! so by the relation, and the states where a fixpoint begins need not. Steps backward may be kept within what can be
//! reached. A step is marked by a justice constraint if that holds of both of its states, or of the first one if it does not look
//! ahead.

use kermode_base::BitSet;
use kermode_bdd::{Bdd, Clustering, Relation};
use kermode_ltl::Letter;

use super::ahead::{Ahead, Steps};
use super::model::{Justice, Model};
use crate::fixpoint::Direction;
use crate::fixpoint::Regions;
use crate::fixpoint::bdd_context::{BddContext, grow};
use crate::fixpoint::fixpoints::reachable;
use crate::fixpoint::lasso::Fair;
use crate::fixpoint::walk::Walk;
use crate::frame::budget::Stop;

/// The algebra.
pub(crate) struct States<'o> {
    model: Model,
    direction: Direction,
    relation: Relation,
    /// Parts of the relation are joined while they have no more nodes.
    cluster: usize,
    /// What can be reached, if steps are kept within it.
    bound: Option<Bdd>,
    ahead: Ahead,
    context: BddContext<'o>,
}

impl<'o> States<'o> {
    pub(crate) fn new(
        model: Model,
        direction: Direction,
        cluster: usize,
        mut context: BddContext<'o>,
    ) -> Result<Self, Stop> {
        let relation = relation(&model, direction, cluster, &mut context)?;
        let (bound, ahead) = (None, Ahead::default());
        Ok(States { model, direction, relation, cluster, bound, ahead, context })
    }

    /// From now on steps are kept within what can be reached.
    pub(crate) fn bound_by_reached(&mut self) -> Result<(), Stop> {
        let direction = self.direction;
        self.face(Direction::Forward)?;
        let initial = self.model.initial.clone();
        let reached = reachable(self, &initial, &mut |_, _| Ok(false))?;
        self.face(direction)?;
        self.bound = reached;
        Ok(())
    }

    fn face(&mut self, direction: Direction) -> Result<(), Stop> {
        if self.direction != direction {
            self.relation = relation(&self.model, direction, self.cluster, &mut self.context)?;
            self.direction = direction;
        }
        Ok(())
    }

    /// Tells what was counted.
    pub(crate) fn tell(&mut self, variables: usize) {
        self.context.tell(("variables", variables));
    }

    /// The states from which, or to which, steps lead that satisfy a constraint.
    fn step_where(&mut self, region: &Bdd, constraint: Option<&Bdd>) -> Result<Bdd, Stop> {
        let began = self.context.begin_step()?;
        let (relation, context) = (&self.relation, &mut self.context);
        // A bad order shows while clusters are conjoined, and may be mended there.
        let interrupt = &mut || context.keep();
        let states = match (self.direction, constraint) {
            (Direction::Forward, None) => relation.image(region, interrupt),
            (Direction::Forward, Some(c)) => relation.image_where(region, c, interrupt),
            (Direction::Backward, None) => relation.preimage(region, interrupt),
            (Direction::Backward, Some(c)) => relation.preimage_where(region, c, interrupt),
        };
        let states = match &self.bound {
            Some(bound) => states.and_then(|states| Ok(states.and(bound)?)),
            None => states,
        };
        self.context.end_step(began);
        states
    }
}

fn relation(
    model: &Model,
    direction: Direction,
    most_nodes: usize,
    context: &mut BddContext,
) -> Result<Relation, Stop> {
    let start = model.start(direction);
    let clustering = Clustering { start: &start, inputs: &[], most_nodes };
    let clusters = clustering.of(&model.parts(direction), &mut || context.keep())?;
    let parts = clusters.into_iter().map(|cluster| cluster.relation).collect();
    Ok(Relation::new(context.manager(), parts, &model.pairs, &[])?)
}

impl Regions for States<'_> {
    type Region = Bdd;

    fn none(&self) -> Bdd {
        self.context.manager().bottom()
    }

    fn is_empty(&self, region: &Bdd) -> bool {
        region.is_bottom()
    }

    fn add(&mut self, region: &mut Bdd, more: &Bdd) -> Result<Bdd, Stop> {
        grow(region, more, self.context.budget)
    }

    fn includes(&mut self, larger: &Bdd, smaller: &Bdd) -> Result<bool, Stop> {
        Ok(larger == smaller || smaller.entails(larger)?)
    }

    fn are_identical(&self, one: &Bdd, other: &Bdd) -> bool {
        one == other
    }

    fn pick(&mut self, region: &mut Bdd) -> Bdd {
        std::mem::replace(region, self.context.manager().bottom())
    }

    fn step(&mut self, region: &Bdd) -> Result<Bdd, Stop> {
        self.step_where(region, None)
    }

    fn mark_count(&self) -> usize {
        self.model.justice.len().max(1)
    }

    fn marked_step(&mut self, region: &Bdd, mark: usize) -> Result<Bdd, Stop> {
        match (self.model.justice.get(mark), self.direction) {
            (None, _) => self.step(region),
            (Some(Justice::OfSteps(steps)), _) => {
                let steps = steps.clone();
                self.step_where(region, Some(&steps))
            }
            (Some(Justice::OfStates(states)), Direction::Forward) => {
                let just = region.and(states)?;
                self.step(&just)
            }
            (Some(Justice::OfStates(states)), Direction::Backward) => {
                let just = states.clone();
                Ok(self.step(region)?.and(&just)?)
            }
        }
    }
}

impl Walk for States<'_> {
    /// The places of the variables that are true.
    type State = BitSet;

    fn some_state(&self, region: &Bdd) -> BitSet {
        let cube = region.pick_cube().expect("the region has a state");
        let variables = self.model.pairs.iter().enumerate();
        let is_true = |&(_, &(current, _)): &(usize, &(_, _))| cube.value(current) == Some(true);
        variables.filter(is_true).map(|(place, _)| place).collect()
    }

    fn contains(&self, region: &Bdd, state: &BitSet) -> bool {
        // Current variables have even numbers.
        region.eval(|variable| state.contains(variable.index() / 2))
    }

    fn neighbour(
        &mut self,
        state: &BitSet,
        region: &Bdd,
        condition: Option<usize>,
    ) -> Result<(Letter, BitSet), Stop> {
        self.context.keep()?;
        let justice = condition.and_then(|condition| self.model.justice.get(condition));
        let constraint = justice.map(Justice::constraint);
        let (model, relation) = (&self.model, &self.relation);
        let steps = Steps { model, relation, constraint, direction: self.direction };
        let next = self.ahead.neighbour(&steps, state, region, self.context.budget)?;
        let next = next.expect("a ring was made from the one before");
        let letter = self.model.letter(match self.direction {
            Direction::Backward => state,
            Direction::Forward => &next,
        });
        Ok((letter, next))
    }

    fn is_safety(&self) -> bool {
        self.model.justice.is_empty()
    }
}

impl Fair for States<'_> {
    fn direction(&self) -> Direction {
        self.direction
    }

    fn all(&self) -> Bdd {
        self.bound.clone().unwrap_or_else(|| self.context.manager().top())
    }

    fn initial(&self) -> Result<Bdd, Stop> {
        Ok(self.model.initial.clone())
    }

    /// States are the same.
    fn with_acceptance(&mut self, region: &Bdd) -> Result<Bdd, Stop> {
        Ok(region.clone())
    }

    fn without_acceptance(&mut self, state: BitSet) -> BitSet {
        state
    }
}
