//! Sets of states of a system as decision diagrams: an algebra for the fixpoints, in either
//! direction of time.
//!
//! A step is the image or preimage under a clustered relation. The relation includes the invariants
//! of the states that a step leads to, so all regions satisfy them; the initial region of a
//! fixpoint need not.
//!
//! Backward steps may be restricted to the reachable states. The successors of reachable states are
//! reachable, so the other states of a region are don't cares: the preimage of a simpler region is
//! the same within the bound. In particular, one step from all reachable states becomes a step from
//! all states, in which next variables are quantified early.
//!
//! A step has the mark of a justice constraint if its states satisfy the constraint, or its first
//! state if the constraint has no next values and no inputs of steps.

use kermode_base::BitSet;
use kermode_bdd::{Bdd, Clustering, Manager, Relation};
use kermode_ltl::{Letter, Word};
use kermode_system::{Expression, Model};

use super::ahead::{Neighbour, NeighbourSearch, StepQuery};
use super::compiled_model::{CompiledModel, Justice, compile_expression};
use super::traces::{ModelMoment, values};
use crate::fixpoint::bdd_context::{BddContext, DiagramRegions};
use crate::fixpoint::emptiness::FairSpace;
use crate::fixpoint::fixpoints::{fair_states, reachable, with_infinite_path};
use crate::fixpoint::trace::{Lasso, Moment, Traces};
use crate::fixpoint::{Direction, Images, Regions};
use crate::frame::budget::{Budget, Stop};

/// The states of a system and their transition relation.
pub(crate) struct SystemStates<'o> {
    model: CompiledModel,
    direction: Direction,
    /// The relations, clustered for forward and for backward steps. That of the present direction
    /// is there, the other one if it was needed before.
    ways: [Option<OneWay>; 2],
    /// The largest number of nodes of joined parts of the relation.
    cluster: usize,
    /// The reachable states, if steps are restricted to them.
    bound: Option<Bdd>,
    context: BddContext<'o>,
}

/// The relation for steps in one direction, and the search for single steps.
struct OneWay {
    relation: Relation,
    ahead: NeighbourSearch,
}

impl<'o> SystemStates<'o> {
    pub(crate) fn new(
        model: CompiledModel,
        direction: Direction,
        cluster: usize,
        mut context: BddContext<'o>,
    ) -> Result<Self, Stop> {
        let mut ways = [None, None];
        let parts = model.parts(direction);
        let way = OneWay::new(&model, parts, direction, cluster, &mut context)?;
        ways[direction.of(0, 1)] = Some(way);
        Ok(SystemStates { model, direction, ways, cluster, bound: None, context })
    }

    fn way(&self) -> &OneWay {
        self.ways[self.direction.of(0, 1)].as_ref().expect("the relation of this direction")
    }

    /// Restricts all further steps to the reachable states, and returns the number of their layers:
    /// those of a breadth-first search, the initial states first.
    pub(crate) fn bound_by_reached(&mut self) -> Result<usize, Stop> {
        let direction = self.direction;
        self.face(Direction::Forward)?;
        let initial = self.model.initial.clone();
        let mut layers = 0;
        let reached = reachable(&mut self.plain(), &initial, &mut |_, new| {
            layers += usize::from(!new.is_bottom());
            Ok(false)
        })?;
        self.bound = reached;
        // Backward steps within the bound have other constraints.
        self.ways[Direction::Backward.of(0, 1)] = None;
        self.face(direction)?;
        Ok(layers)
    }

    /// The diagrams of the model.
    pub(crate) fn model(&self) -> &CompiledModel {
        &self.model
    }

    /// Whether all states that satisfy the invariants have a successor, reachable or not. Steps
    /// must be backward and restricted to the reachable states.
    pub(crate) fn is_total(&mut self) -> Result<bool, Stop> {
        debug_assert!(self.bound.is_some() && self.direction == Direction::Backward);
        let legal = self.model.legal(&mut self.context)?;
        let (all, bound) = (self.context.manager().top(), self.bound.take());
        let with_successor = self.step_where(&all, None);
        self.bound = bound;
        Ok(legal.entails(&with_successor?)?)
    }

    /// The states with a successor in another model over the first of these variables, such as a
    /// factor of a product.
    pub(crate) fn with_successor_in(&mut self, model: &Model) -> Result<Bdd, Stop> {
        let context = &mut self.context;
        let factor = CompiledModel::new(model, None, context)?;
        let direction = Direction::Backward;
        let parts = factor.parts(Direction::Forward);
        let way = OneWay::new(&factor, parts, direction, self.cluster, context)?;
        let all = context.manager().top();
        way.relation.preimage(&all, &mut || context.keep())
    }

    /// The steps that start in a region, over current and next variables.
    pub(crate) fn steps_from(&mut self, region: &Bdd) -> Result<Bdd, Stop> {
        self.face(Direction::Forward)?;
        let mut steps = region.clone();
        for part in self.way().relation.parts() {
            self.context.budget.check()?;
            steps = steps.and(part)?;
        }
        let inputs = self.context.manager().variable_set(self.model.inputs.iter().copied())?;
        Ok(steps.exists(&inputs)?)
    }

    /// The diagram of an expression of the model over current and next variables.
    pub(crate) fn compile(&mut self, model: &Model, expression: Expression) -> Result<Bdd, Stop> {
        compile_expression(model, expression, &mut self.context)
    }

    /// Sets the direction of further steps.
    pub(crate) fn face(&mut self, direction: Direction) -> Result<(), Stop> {
        let way = &mut self.ways[direction.of(0, 1)];
        if way.is_none() {
            // Regions within the bound are simplified, so they need not satisfy the invariants.
            let states = if self.bound.is_some() { Direction::Forward } else { direction };
            let (parts, context) = (self.model.parts(states), &mut self.context);
            *way = Some(OneWay::new(&self.model, parts, direction, self.cluster, context)?);
        }
        self.direction = direction;
        Ok(())
    }

    /// The algebra of the steps whose results are in a region: backward, of the paths that stay in
    /// the region until they arrive.
    pub(crate) fn within(&mut self, region: Bdd) -> SystemAlgebra<'_, 'o> {
        SystemAlgebra { states: self, within: Some(region) }
    }

    /// A state of a region that is adjacent to a state, against the direction, with the inputs of
    /// the step between them, which satisfies a constraint. There is such a state.
    pub(crate) fn neighbour(
        &mut self,
        state: &BitSet,
        region: &Bdd,
        constraint: Option<&Bdd>,
    ) -> Result<ModelMoment, Stop> {
        self.context.keep()?;
        let direction = self.direction;
        let way = self.ways[direction.of(0, 1)].as_mut().expect("the relation of this direction");
        let steps =
            StepQuery { model: &self.model, relation: &way.relation, constraint, direction };
        let found = way.ahead.neighbour(&steps, state, region, self.context.budget)?;
        let Neighbour { state, inputs } = found.expect("a ring was made from the one before");
        Ok(Moment { state, label: inputs })
    }

    /// The states of a region from which a fair path starts that stays in the region. Steps must be
    /// backward.
    pub(crate) fn fair_within(&mut self, region: Bdd) -> Result<Bdd, Stop> {
        debug_assert_eq!(self.direction, Direction::Backward);
        let is_safety = FairSpace::is_safety(self);
        let mut paths = self.within(region.clone());
        let infinite = with_infinite_path(&mut paths, region, &mut |_, _| Ok(false))?;
        let infinite = infinite.unwrap_or_else(|| paths.none());
        if is_safety {
            return Ok(infinite);
        }
        let fair = fair_states(&mut paths, infinite, &mut |_, _| Ok(false))?;
        Ok(fair.unwrap_or_else(|| paths.none()))
    }

    /// The manager of the diagrams.
    #[cfg(test)]
    pub(crate) fn manager(&self) -> &Manager {
        self.context.manager()
    }

    /// The states that satisfy the invariants.
    pub(crate) fn legal(&mut self) -> Result<Bdd, Stop> {
        self.model.legal(&mut self.context)
    }

    /// Inputs with which a state satisfies the invariants.
    pub(crate) fn some_inputs(&self, state: &BitSet) -> Result<BitSet, Stop> {
        self.model.some_inputs(state)
    }

    /// The word of a run.
    pub(crate) fn word(&self, lasso: &Lasso<BitSet, BitSet>) -> Word {
        let moments = lasso.prefix.iter().chain(&lasso.cycle);
        let values: Vec<BitSet> = moments.map(values).collect();
        let start = lasso.prefix.len();
        let next = |place| values.get(place + 1).unwrap_or(&values[start]);
        let letters: Vec<Letter> =
            (0..values.len()).map(|place| self.model.letter(&values[place], next(place))).collect();
        Word::from_letters(letters, Some(start))
    }

    /// An error if the budget has ended.
    pub(crate) fn check_budget(&self) -> Result<(), Stop> {
        self.context.budget.check()
    }

    /// Reports the counters.
    pub(crate) fn tell(&mut self, variables: usize) {
        self.context.tell(("variables", variables));
    }

    /// The image or preimage by steps that satisfy a constraint.
    pub(crate) fn step_where(
        &mut self,
        region: &Bdd,
        constraint: Option<&Bdd>,
    ) -> Result<Bdd, Stop> {
        let began = self.context.begin_step()?;
        let simpler = match &self.bound {
            Some(bound) if self.direction == Direction::Backward => {
                Some(region.restrict(bound, &mut || self.context.budget.check())?)
            }
            _ => None,
        };
        let region = simpler.as_ref().unwrap_or(region);
        let way = self.ways[self.direction.of(0, 1)].as_ref();
        let relation = &way.expect("the relation of this direction").relation;
        let context = &mut self.context;
        // A bad variable order shows while clusters are conjoined, so sifting may run there.
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

impl OneWay {
    fn new(
        model: &CompiledModel,
        parts: Vec<Bdd>,
        direction: Direction,
        most_nodes: usize,
        context: &mut BddContext,
    ) -> Result<Self, Stop> {
        let start = model.start(direction);
        let clustering = Clustering { start: &start, inputs: &model.inputs, most_nodes };
        let clusters = clustering.of(&parts, &mut || context.keep())?;
        let parts = clusters.into_iter().map(|cluster| cluster.relation).collect();
        let relation = Relation::new(context.manager(), parts, &model.state_pairs, &model.inputs)?;
        Ok(OneWay { relation, ahead: NeighbourSearch::default() })
    }
}

/// The algebra, which borrows the states during a fixpoint.
pub(crate) struct SystemAlgebra<'s, 'o> {
    states: &'s mut SystemStates<'o>,
    /// The region that steps lead to, if they are restricted.
    within: Option<Bdd>,
}

impl SystemAlgebra<'_, '_> {
    fn step(&mut self, region: &Bdd, constraint: Option<&Bdd>) -> Result<Bdd, Stop> {
        let states = self.states.step_where(region, constraint)?;
        match &self.within {
            Some(within) => Ok(states.and(within)?),
            None => Ok(states),
        }
    }
}

impl DiagramRegions for SystemAlgebra<'_, '_> {
    fn manager(&self) -> &Manager {
        self.states.context.manager()
    }

    fn budget(&self) -> &Budget {
        self.states.context.budget
    }
}

impl Images for SystemAlgebra<'_, '_> {
    fn image(&mut self, region: &Bdd) -> Result<Bdd, Stop> {
        self.step(region, None)
    }

    fn mark_count(&self) -> usize {
        self.states.model.justice.len().max(1)
    }

    fn marked_image(&mut self, region: &Bdd, mark: usize) -> Result<Bdd, Stop> {
        match (self.states.model.justice.get(mark), self.states.direction) {
            (None, _) => self.image(region),
            (Some(Justice::OfSteps(steps)), _) => {
                let steps = steps.clone();
                self.step(region, Some(&steps))
            }
            (Some(Justice::OfStates(states)), Direction::Forward) => {
                let just = region.and(states)?;
                self.image(&just)
            }
            (Some(Justice::OfStates(states)), Direction::Backward) => {
                let just = states.clone();
                Ok(self.image(region)?.and(&just)?)
            }
        }
    }
}

impl Traces for SystemAlgebra<'_, '_> {
    /// The indices of the true variables.
    type State = BitSet;
    /// The indices of the true inputs, if inputs belong to steps.
    type Label = BitSet;

    fn intersection(&mut self, one: &Bdd, other: &Bdd) -> Result<Bdd, Stop> {
        Ok(one.and(other)?)
    }

    fn some_state(&self, region: &Bdd) -> BitSet {
        let cube = region.pick_cube().expect("the region has a state");
        let variables = self.states.model.pairs.iter().enumerate();
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
        mark: Option<usize>,
    ) -> Result<(BitSet, BitSet), Stop> {
        let justice = mark.and_then(|mark| self.states.model.justice.get(mark));
        let constraint = justice.map(Justice::constraint).cloned();
        let Moment { state, label } = self.states.neighbour(state, region, constraint.as_ref())?;
        Ok((label, state))
    }

    fn is_safety(&self) -> bool {
        self.states.model.justice.is_empty()
    }
}

/// Both algebras are the same: states have no obligations.
impl<'o> FairSpace for SystemStates<'o> {
    type Region = Bdd;
    type State = BitSet;
    type Label = BitSet;
    type Plain<'s>
        = SystemAlgebra<'s, 'o>
    where
        Self: 's;
    type Marked<'s>
        = SystemAlgebra<'s, 'o>
    where
        Self: 's;

    fn direction(&self) -> Direction {
        self.direction
    }

    fn all(&self) -> Bdd {
        self.bound.clone().unwrap_or_else(|| self.context.manager().top())
    }

    fn initial(&self) -> Result<Bdd, Stop> {
        Ok(self.model.initial.clone())
    }

    fn is_safety(&self) -> bool {
        self.model.justice.is_empty()
    }

    fn plain(&mut self) -> SystemAlgebra<'_, 'o> {
        SystemAlgebra { states: self, within: None }
    }

    fn marked(&mut self) -> Result<SystemAlgebra<'_, 'o>, Stop> {
        Ok(self.plain())
    }

    fn lift(&mut self, region: &Bdd) -> Result<Bdd, Stop> {
        Ok(region.clone())
    }

    fn lower(&self, state: BitSet) -> BitSet {
        state
    }
}
