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

use std::mem::{replace, take};

use kermode_base::BitSet;
use kermode_bdd::{Bdd, Manager};
use kermode_ltl::{Letter, Word};
use kermode_system::{Expression, Model};

use super::ahead::{Neighbour, StepQuery};
use super::algebra::SystemAlgebra;
use super::compiled_model::{CompiledModel, compile_expressions};
use super::one_way::OneWay;
use super::traces::{ModelMoment, values};
use crate::fixpoint::bdd_context::BddContext;
use crate::fixpoint::emptiness::{FairSpace, TwoWaySpace, fair_within};
use crate::fixpoint::fixpoints::reachable;
use crate::fixpoint::trace::{Lasso, Moment};
use crate::fixpoint::{Direction, Images};
use crate::frame::budget::Stop;

/// The states of a system and their transition relation.
pub(crate) struct SystemStates<'o> {
    model: CompiledModel,
    pub(super) direction: Direction,
    /// The relations, clustered for forward steps, for backward steps, and for backward steps
    /// within a bound. The present one is there, the others if they were needed before.
    ways: [Option<OneWay>; 3],
    /// The largest number of nodes of joined parts of the relation.
    cluster: usize,
    /// The states to which steps are restricted.
    bound: Option<Bound>,
    pub(super) context: BddContext<'o>,
}

/// A set of states that backward steps do not leave.
struct Bound {
    states: Bdd,
    /// Whether no step leaves it forward either.
    is_closed: bool,
}

/// A part of the steps of the product of the system and a property.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PartialStep {
    /// The steps with labels on states, of one case of the system's relation or of all.
    Case(Option<usize>),
    /// The steps with labels on steps.
    OfLabels,
}

impl<'o> SystemStates<'o> {
    pub(crate) fn new(
        model: CompiledModel,
        direction: Direction,
        cluster: usize,
        context: BddContext<'o>,
    ) -> Result<Self, Stop> {
        let mut states = SystemStates {
            model,
            direction,
            ways: [None, None, None],
            cluster,
            bound: None,
            context,
        };
        states.face(direction)?;
        Ok(states)
    }

    /// The index of the present relation.
    fn place(&self) -> usize {
        match (self.direction, &self.bound) {
            (Direction::Forward, _) => 0,
            (Direction::Backward, None) => 1,
            (Direction::Backward, Some(_)) => 2,
        }
    }

    fn way(&self) -> &OneWay {
        self.ways[self.place()].as_ref().expect("the relation of this direction")
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
        self.bound_by(reached, true);
        self.face(direction)?;
        Ok(layers)
    }

    /// Restricts all further steps to the reachable states, which are computed by steps in any
    /// order.
    pub(crate) fn bound_by_closure(&mut self) -> Result<(), Stop> {
        let direction = self.direction;
        let reached = self.closure_of_initial()?;
        self.bound_by(Some(reached), true);
        self.face(direction)
    }

    /// The same, where an earlier problem about the same model may have computed these states.
    pub(crate) fn bound_by_closure_of(&mut self, model: &Model) -> Result<(), Stop> {
        let direction = self.direction;
        let reached = match self.kept_reachable(model) {
            Some(reached) => reached,
            None => {
                let reached = self.closure_of_initial()?;
                self.keep_reachable(model, &reached);
                reached
            }
        };
        self.bound_by(Some(reached), true);
        self.face(direction)
    }

    /// Restricts all further steps to states that another model over the first of these variables
    /// can reach: a factor of this one, such as the model of a product. A step of the product is a
    /// step of the factor, so no step leaves these states.
    pub(crate) fn bound_by_factor(&mut self, model: &Model) -> Result<(), Stop> {
        let reached = match self.kept_reachable(model) {
            Some(reached) => reached,
            None => {
                let reached = self.in_factor(model, Self::closure_of_initial)?;
                self.keep_reachable(model, &reached);
                reached
            }
        };
        self.bound_by(Some(reached), true);
        self.face(self.direction)
    }

    /// The reachable states of a model over the first of these variables, if an earlier problem
    /// has computed them.
    pub(crate) fn kept_reachable(&self, model: &Model) -> Option<Bdd> {
        let shared = self.context.shared.as_ref()?;
        shared.reachable_states(self.context.manager(), &model.system)
    }

    /// Keeps the reachable states of such a model for later problems.
    pub(crate) fn keep_reachable(&self, model: &Model, reached: &Bdd) {
        if let Some(shared) = &self.context.shared {
            shared.put_reachable_states(self.context.manager(), &model.system, reached);
        }
    }

    /// Works with a factor of this model, over the first of these variables, without a bound.
    pub(crate) fn in_factor<T>(
        &mut self,
        model: &Model,
        work: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let direction = self.direction;
        let factor = CompiledModel::new(model, None, &mut self.context)?;
        let whole = (replace(&mut self.model, factor), take(&mut self.ways), self.bound.take());
        let result = self.face(direction).and_then(|()| work(self));
        (self.model, self.ways, self.bound) = whole;
        self.direction = direction;
        result
    }

    /// The reachable states, computed by steps in any order. Ends the bound and faces forward.
    pub(crate) fn closure_of_initial(&mut self) -> Result<Bdd, Stop> {
        self.bound_by(None, true);
        self.face(Direction::Forward)?;
        let initial = self.model.initial.clone();
        self.plain().closure(&initial, None)
    }

    /// Restricts all further steps to some states, or to none in particular. Forward steps may
    /// leave them unless they are closed. The direction must be set afterwards.
    pub(crate) fn bound_by(&mut self, states: Option<Bdd>, is_closed: bool) {
        self.bound = states.map(|states| Bound { states, is_closed });
    }

    /// The order of the variables stays as it is from now on. A walk stores many regions, so
    /// that sifting would take long, and the order was good enough for the fixpoints.
    pub(crate) fn keep_order(&mut self) {
        self.context.keep_order();
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
        let all = self.context.manager().top();
        let with_successor =
            self.step_beyond(&all, |way, all, context| way.step(all, None, context));
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
        Ok(self.compile_all(model, &[expression])?.swap_remove(0))
    }

    /// The diagrams of several expressions of the model.
    pub(crate) fn compile_all(
        &mut self,
        model: &Model,
        expressions: &[Expression],
    ) -> Result<Vec<Bdd>, Stop> {
        compile_expressions(model, expressions, &mut self.context)
    }

    /// Sets the direction of further steps.
    pub(crate) fn face(&mut self, direction: Direction) -> Result<(), Stop> {
        self.direction = direction;
        let place = self.place();
        if self.ways[place].is_none() {
            // Regions within the bound are simplified, so they need not satisfy the invariants.
            let states = if self.bound.is_some() { Direction::Forward } else { direction };
            let (parts, context) = (self.model.parts(states), &mut self.context);
            let way = OneWay::new(&self.model, parts, direction, self.cluster, context)?;
            self.ways[place] = Some(way);
        }
        Ok(())
    }

    /// The algebra of the steps whose results are in a region: backward, of the paths that stay in
    /// the region until they arrive.
    pub(crate) fn within(&mut self, region: Bdd) -> SystemAlgebra<'_, 'o> {
        SystemAlgebra::new(self, Some(region))
    }

    /// A state of a region that is adjacent to a state, against the direction, with the inputs of
    /// the step between them, which satisfies a constraint. There is such a state.
    pub(crate) fn neighbour(
        &mut self,
        state: &BitSet,
        region: &Bdd,
        constraint: Option<&Bdd>,
    ) -> Result<ModelMoment, Stop> {
        let found = self.find_neighbour(state, region, constraint)?;
        Ok(found.expect("a ring was made from the one before"))
    }

    /// As [`SystemStates::neighbour`], where there may be no such state.
    pub(crate) fn find_neighbour(
        &mut self,
        state: &BitSet,
        region: &Bdd,
        constraint: Option<&Bdd>,
    ) -> Result<Option<ModelMoment>, Stop> {
        self.context.keep()?;
        let (direction, place) = (self.direction, self.place());
        let way = self.ways[place].as_mut().expect("the relation of this direction");
        let steps =
            StepQuery { model: &self.model, relation: &way.relation, constraint, direction };
        let found = way.ahead.neighbour(&steps, state, region, self.context.budget)?;
        Ok(found.map(|Neighbour { state, inputs }| Moment { state, label: inputs }))
    }

    /// The states of a region from which a fair path starts that stays in the region. Steps must be
    /// backward.
    pub(crate) fn fair_within(&mut self, region: Bdd) -> Result<Bdd, Stop> {
        fair_within(self, region)
    }

    /// The manager of the diagrams.
    pub(crate) fn manager(&self) -> &Manager {
        self.context.manager()
    }

    /// The budget, the counters and the observer.
    pub(crate) fn context(&mut self) -> &mut BddContext<'o> {
        &mut self.context
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

    /// Some state of a nonempty region: the indices of the true variables.
    pub(crate) fn some_state(&self, region: &Bdd) -> BitSet {
        let cube = region.pick_cube().expect("the region has a state");
        let is_true = |&(_, &(current, _)): &(usize, &(_, _))| cube.value(current) == Some(true);
        self.model.pairs.iter().enumerate().filter(is_true).map(|(place, _)| place).collect()
    }

    /// The image or preimage by steps that satisfy a constraint.
    pub(crate) fn step_where(
        &mut self,
        region: &Bdd,
        constraint: Option<&Bdd>,
    ) -> Result<Bdd, Stop> {
        let interrupt = &mut || self.context.budget.check();
        let simpler = match &self.bound {
            Some(Bound { states, is_closed: true }) if self.direction == Direction::Backward => {
                Some(region.restrict(states, interrupt)?)
            }
            _ => None,
        };
        let region = simpler.as_ref().unwrap_or(region);
        self.bounded(region, |way, region, context| way.step(region, constraint, context))
    }

    /// The image or preimage by steps that satisfy a constraint, of one case of the relation or of
    /// all, for callers with bounds of their own: the result may leave the bound.
    pub(crate) fn unbounded_step(
        &mut self,
        region: &Bdd,
        constraint: Option<&Bdd>,
        case: Option<usize>,
    ) -> Result<Bdd, Stop> {
        self.step_beyond(region, |way, region, context| match case {
            Some(case) => way.step_of(case, region, context),
            None => way.step(region, constraint, context),
        })
    }

    /// The image or preimage by steps of one case of the relation.
    pub(super) fn step_of(&mut self, case: usize, region: &Bdd) -> Result<Bdd, Stop> {
        self.bounded(region, |way, region, context| way.step_of(case, region, context))
    }

    /// The number of cases of the relation, which are computed if they are due. Zero if the
    /// relation has no selector, or they are not due yet.
    pub(super) fn case_count(&mut self) -> Result<usize, Stop> {
        self.prepare_cases()?;
        Ok(self.way().case_count())
    }

    fn prepare_cases(&mut self) -> Result<(), Stop> {
        let way = self.ways[self.place()].as_mut().expect("the relation of this direction");
        way.prepare_cases(&self.model, self.cluster, &mut self.context)
    }

    /// The parts into which a product takes apart its steps: one for each case of the relation and,
    /// if there are labels about steps, one for the steps with such labels.
    pub(crate) fn partial_steps(&mut self, has_labels: bool) -> Result<Vec<PartialStep>, Stop> {
        let mut steps = match self.case_count()? {
            0 => vec![PartialStep::Case(None)],
            cases => (0..cases).map(|case| PartialStep::Case(Some(case))).collect(),
        };
        steps.extend(has_labels.then_some(PartialStep::OfLabels));
        Ok(steps)
    }

    /// Whether a part is now several: the cases have been computed.
    pub(crate) fn is_outdated(&self, step: PartialStep) -> bool {
        step == PartialStep::Case(None) && self.way().case_count() > 0
    }

    /// A step within the bound.
    fn bounded(
        &mut self,
        region: &Bdd,
        step: impl FnOnce(&OneWay, &Bdd, &mut BddContext) -> Result<Bdd, Stop>,
    ) -> Result<Bdd, Stop> {
        let states = self.step_beyond(region, step)?;
        match &self.bound {
            Some(bound) => Ok(states.and(&bound.states)?),
            None => Ok(states),
        }
    }

    /// A step that may leave the bound.
    fn step_beyond(
        &mut self,
        region: &Bdd,
        step: impl FnOnce(&OneWay, &Bdd, &mut BddContext) -> Result<Bdd, Stop>,
    ) -> Result<Bdd, Stop> {
        self.prepare_cases()?;
        let began = self.context.begin_step()?;
        let way = self.ways[self.place()].as_ref().expect("the relation of this direction");
        let states = step(way, region, &mut self.context);
        self.context.end_step(began);
        states
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
        match &self.bound {
            Some(bound) => bound.states.clone(),
            None => self.context.manager().top(),
        }
    }

    fn initial(&self) -> Result<Bdd, Stop> {
        Ok(self.model.initial.clone())
    }

    fn is_safety(&self) -> bool {
        self.model.justice.is_empty()
    }

    fn plain(&mut self) -> SystemAlgebra<'_, 'o> {
        SystemAlgebra::new(self, None)
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

impl TwoWaySpace for SystemStates<'_> {
    fn face(&mut self, direction: Direction) -> Result<(), Stop> {
        SystemStates::face(self, direction)
    }

    fn within(&mut self, region: Bdd) -> Self::Plain<'_> {
        SystemStates::within(self, region)
    }

    fn size(&self, region: &Bdd) -> usize {
        region.node_count()
    }
}
