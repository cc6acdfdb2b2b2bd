//! Sets of states as decision diagrams: the fully symbolic counterpart of antichains \[DDMR08b\].
//!
//! Regions are closed upwards when the algebra works forward, downwards when it works backward
//! (`steps.rs` has the proof), and are represented by all of their states, not by the minimal or
//! maximal ones. There are two algebras over one encoding. In [`Sets`] a state is a set of
//! locations. The words accepted from `<s, o>` depend on `s` alone, and `<s, o>` has an infinite
//! run exactly if `s` has one: the next obligations may be all non-accepting locations of `s'`. So
//! the reachable states and the states with an infinite path are computed on sets, with half of the
//! variables. Only the fixpoint of acceptance needs more: in [`Marked`] a state is a pair, whose
//! breakpoints are the mark, or a set, with one mark per location that must be left.

use std::marker::PhantomData;

use kermode_automata::structure::AlternatingStatistics;
use kermode_automata::{AlternatingAutomaton, Location};
use kermode_base::BitSet;
use kermode_bdd::{Bdd, Manager, Variable};
use kermode_ltl::{Letter, WordKind};

use crate::alternating::encoding::{StateEncoding, may_stay};
use crate::alternating::miyano_hayashi::Pair;
use crate::alternating::neighbours::{Between, SuccessorSearch, predecessor};
use crate::alternating::steps::StepRelation;
use crate::fixpoint::bdd_context::{BddContext, DiagramRegions, WorkCounters};
use crate::fixpoint::emptiness::FairSpace;
use crate::fixpoint::trace::Traces;
use crate::fixpoint::{Direction, Images};
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;

/// Settings of the algebra.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) direction: Direction,
    /// Whether very weak automata have one acceptance condition per non-accepting location on a
    /// cycle, in place of pairs.
    pub(crate) generalised: bool,
    /// Whether variables are sifted when diagrams get large.
    pub(crate) sifting: bool,
    /// The largest number of nodes, if it is limited.
    pub(crate) most_nodes: Option<usize>,
}

/// The states of the marked algebra and the marks of their steps.
enum MarkedSteps {
    /// Pairs, whose breakpoints are the only mark.
    Breakpoints(Box<StepsOfPairs>),
    /// Sets of locations, with one mark per location that must be left.
    Leaving(Vec<(Location, StepRelation)>),
}

/// The steps from pairs without obligations, and from pairs with obligations.
struct StepsOfPairs {
    breakpoints: StepRelation,
    obligations: StepRelation,
}

/// Counters over all problems of one answer.
#[derive(Debug, Default)]
pub(crate) struct SymbolicCounts {
    pub(crate) locations: usize,
    work: WorkCounters,
}

/// How many neighbours a walk computes before it checks the number of nodes.
const NEIGHBOURS_PER_CHECK: usize = 64;

/// The states of an automaton, for both algebras.
pub(crate) struct SymbolicSpace<'a, 'o> {
    encoding: StateEncoding<'a>,
    settings: Settings,
    sets: StepRelation,
    /// The steps with marks, built on demand.
    acceptance: Option<MarkedSteps>,
    /// Non-accepting locations on cycles: obligations, or locations that must be left.
    conditions: BitSet,
    ahead: SuccessorSearch,
    neighbours: usize,
    /// How many locations were counted, over all problems of one answer.
    counted: usize,
    context: BddContext<'o>,
}

impl<'a, 'o> SymbolicSpace<'a, 'o> {
    /// The states of an automaton.
    pub(crate) fn new(
        automaton: &'a AlternatingAutomaton,
        mut settings: Settings,
        budget: &'o Budget,
        observer: &'o mut dyn Observer,
        counts: &'o mut SymbolicCounts,
    ) -> Result<Self, Stop> {
        let conditions = match automaton.words() {
            WordKind::Infinite => may_stay(automaton),
            WordKind::Finite => BitSet::new(),
        };
        settings.generalised &= AlternatingStatistics::of(automaton).very_weak;
        let obligations = if settings.generalised { BitSet::new() } else { conditions.clone() };
        let mut encoding = StateEncoding::new(automaton, obligations, settings.most_nodes, budget)?;
        counts.locations += encoding.locations().len();
        let conditions =
            conditions.iter().filter(|&index| encoding.has(Location::from_index(index))).collect();
        let sets = StepRelation::of_sets(&mut encoding, settings.direction, budget)?;
        let groups = settings.sifting.then(|| groups(&encoding));
        let manager = encoding.manager().clone();
        Ok(SymbolicSpace {
            encoding,
            settings,
            sets,
            acceptance: None,
            conditions,
            ahead: SuccessorSearch::default(),
            neighbours: 0,
            counted: counts.locations,
            context: BddContext::new(manager, groups, budget, observer, &mut counts.work),
        })
    }

    pub(crate) fn encoding(&self) -> &StateEncoding<'a> {
        &self.encoding
    }

    /// Reports the counters.
    pub(crate) fn tell(&mut self) {
        self.context.tell(("locations", self.counted));
    }

    /// Replaces the budget.
    pub(crate) fn set_budget(&mut self, budget: &'o Budget) {
        self.context.budget = budget;
    }

    /// Builds the steps with marks, once.
    fn make_acceptance(&mut self) -> Result<(), Stop> {
        if self.acceptance.is_some() {
            return Ok(());
        }
        let (encoding, direction) = (&mut self.encoding, self.settings.direction);
        self.acceptance = Some(match self.settings.generalised {
            true => {
                let mut leaving = Vec::new();
                for index in self.conditions.iter() {
                    self.context.budget.check()?;
                    let location = Location::from_index(index);
                    leaving.push((location, self.sets.leaving(encoding, location)?));
                }
                MarkedSteps::Leaving(leaving)
            }
            false => MarkedSteps::Breakpoints(Box::new(StepsOfPairs {
                breakpoints: StepRelation::from_breakpoints(
                    encoding,
                    direction,
                    self.context.budget,
                )?,
                obligations: StepRelation::from_obligations(
                    encoding,
                    direction,
                    self.context.budget,
                )?,
            })),
        });
        Ok(())
    }

    fn counted(&mut self, step: impl FnOnce(&mut Self) -> Result<Bdd, Stop>) -> Result<Bdd, Stop> {
        let began = self.context.begin_step()?;
        let result = step(self);
        self.context.end_step(began);
        result
    }

    /// The states of a region without obligations, and those with obligations.
    fn split(&self, region: &Bdd) -> Result<[Bdd; 2], Stop> {
        let breakpoints = self.encoding.breakpoints();
        Ok([region.and(breakpoints)?, region.and_not(breakpoints)?])
    }

    fn step_of_pairs(&self, steps: &StepsOfPairs, region: &Bdd) -> Result<Bdd, Stop> {
        let StepsOfPairs { breakpoints, obligations } = steps;
        match self.settings.direction {
            Direction::Forward => {
                let [from_breakpoints, from_obligations] = self.split(region)?;
                let next = breakpoints.of(&from_breakpoints, self.context.budget)?;
                Ok(next.or(&obligations.of(&from_obligations, self.context.budget)?)?)
            }
            Direction::Backward => {
                let [to_breakpoints, _] =
                    self.split(&breakpoints.of(region, self.context.budget)?)?;
                let [_, to_obligations] =
                    self.split(&obligations.of(region, self.context.budget)?)?;
                Ok(to_breakpoints.or(&to_obligations.and(self.encoding.valid())?)?)
            }
        }
    }

    /// The steps with marks, which exist already.
    fn acceptance(&self) -> &MarkedSteps {
        self.acceptance.as_ref().expect("the algebra was made with its steps")
    }

    /// A state of a region that is adjacent to a state, against the direction of the algebra, with
    /// the letter between them.
    fn neighbour(
        &mut self,
        state: &Pair,
        region: &Bdd,
        between: Between,
    ) -> Result<(Letter, Pair), Stop> {
        self.neighbours += 1;
        match self.neighbours.is_multiple_of(NEIGHBOURS_PER_CHECK) {
            true => self.context.keep()?,
            false => self.context.budget.check()?,
        }
        let cube = match self.settings.direction {
            Direction::Backward => {
                self.ahead.successor(&mut self.encoding, state, region, between)?
            }
            Direction::Forward => predecessor(&self.encoding, state, region, between)?,
        };
        Ok(self.encoding.read(&cube.expect("a ring was made from the one before")))
    }
}

/// The variables of one location stay together.
fn groups(encoding: &StateEncoding) -> Vec<Vec<Variable>> {
    let variables = encoding.state_variables(true, true);
    variables.into_iter().map(|(current, next)| vec![current, next]).collect()
}

impl<'a, 'o> FairSpace for SymbolicSpace<'a, 'o> {
    type Region = Bdd;
    type State = Pair;
    type Label = Letter;
    type Plain<'s>
        = AlternatingAlgebra<'s, 'a, 'o, Sets>
    where
        Self: 's;
    type Marked<'s>
        = AlternatingAlgebra<'s, 'a, 'o, Marked>
    where
        Self: 's;

    fn direction(&self) -> Direction {
        self.settings.direction
    }

    fn all(&self) -> Bdd {
        self.encoding.manager().top()
    }

    fn initial(&self) -> Result<Bdd, Stop> {
        let initial = self.encoding.initial()?;
        match self.settings.direction {
            Direction::Backward => Ok(initial.and(self.encoding.breakpoints())?),
            Direction::Forward => Ok(initial),
        }
    }

    fn is_safety(&self) -> bool {
        self.conditions.is_empty()
    }

    fn plain(&mut self) -> AlternatingAlgebra<'_, 'a, 'o, Sets> {
        AlternatingAlgebra { symbolic: self, kind: PhantomData }
    }

    fn marked(&mut self) -> Result<AlternatingAlgebra<'_, 'a, 'o, Marked>, Stop> {
        self.make_acceptance()?;
        Ok(AlternatingAlgebra { symbolic: self, kind: PhantomData })
    }

    /// Sets become pairs if necessary, with all possible obligations.
    fn lift(&mut self, region: &Bdd) -> Result<Bdd, Stop> {
        Ok(region.and(self.encoding.valid())?)
    }

    /// Drops the obligations.
    fn lower(&self, state: Pair) -> Pair {
        Pair { s: state.s, o: BitSet::new() }
    }
}

/// An algebra of the states of an automaton.
pub(crate) struct AlternatingAlgebra<'s, 'a, 'o, K> {
    symbolic: &'s mut SymbolicSpace<'a, 'o>,
    kind: PhantomData<K>,
}

/// The differences between the algebras of one automaton.
pub(crate) trait AlgebraKind {
    /// Whether every infinite run is fair.
    const IS_SAFETY: bool;

    fn mark_count(symbolic: &SymbolicSpace) -> usize;

    /// The image by all steps, or by those with a mark.
    fn image(symbolic: &SymbolicSpace, region: &Bdd, mark: Option<usize>) -> Result<Bdd, Stop>;

    /// The steps among which neighbours are searched.
    fn between(symbolic: &SymbolicSpace, mark: Option<usize>) -> Between;
}

/// Sets of locations, without acceptance.
pub(crate) struct Sets;

impl AlgebraKind for Sets {
    const IS_SAFETY: bool = true;

    fn mark_count(_: &SymbolicSpace) -> usize {
        1
    }

    fn image(symbolic: &SymbolicSpace, region: &Bdd, _: Option<usize>) -> Result<Bdd, Stop> {
        symbolic.sets.of(region, symbolic.context.budget)
    }

    fn between(_: &SymbolicSpace, _: Option<usize>) -> Between {
        Between::Sets(None)
    }
}

/// Pairs with breakpoints, or sets with locations that must be left.
pub(crate) struct Marked;

impl AlgebraKind for Marked {
    const IS_SAFETY: bool = false;

    fn mark_count(symbolic: &SymbolicSpace) -> usize {
        match symbolic.acceptance() {
            MarkedSteps::Breakpoints(_) => 1,
            MarkedSteps::Leaving(conditions) => conditions.len(),
        }
    }

    /// Forward, a pair without obligations is marked when it is reached.
    fn image(symbolic: &SymbolicSpace, region: &Bdd, mark: Option<usize>) -> Result<Bdd, Stop> {
        let budget = symbolic.context.budget;
        match (symbolic.acceptance(), mark) {
            (MarkedSteps::Breakpoints(steps), None) => symbolic.step_of_pairs(steps, region),
            (MarkedSteps::Breakpoints(steps), Some(_)) => {
                Ok(symbolic.step_of_pairs(steps, region)?.and(symbolic.encoding.breakpoints())?)
            }
            (MarkedSteps::Leaving(_), None) => symbolic.sets.of(region, budget),
            (MarkedSteps::Leaving(conditions), Some(mark)) => conditions[mark].1.of(region, budget),
        }
    }

    fn between(symbolic: &SymbolicSpace, mark: Option<usize>) -> Between {
        match (symbolic.acceptance(), mark) {
            (MarkedSteps::Breakpoints(_), _) => Between::Pairs,
            (MarkedSteps::Leaving(conditions), Some(mark)) => {
                Between::Sets(Some(conditions[mark].0))
            }
            (MarkedSteps::Leaving(_), None) => Between::Sets(None),
        }
    }
}

impl<K> DiagramRegions for AlternatingAlgebra<'_, '_, '_, K> {
    fn manager(&self) -> &Manager {
        self.symbolic.context.manager()
    }

    fn budget(&self) -> &Budget {
        self.symbolic.context.budget
    }
}

impl<K: AlgebraKind> Images for AlternatingAlgebra<'_, '_, '_, K> {
    fn image(&mut self, region: &Bdd) -> Result<Bdd, Stop> {
        self.symbolic.counted(|symbolic| K::image(symbolic, region, None))
    }

    fn mark_count(&self) -> usize {
        K::mark_count(self.symbolic)
    }

    fn marked_image(&mut self, region: &Bdd, mark: usize) -> Result<Bdd, Stop> {
        self.symbolic.counted(|symbolic| K::image(symbolic, region, Some(mark)))
    }
}

impl<K: AlgebraKind> Traces for AlternatingAlgebra<'_, '_, '_, K> {
    type State = Pair;
    type Label = Letter;

    fn intersection(&mut self, one: &Bdd, other: &Bdd) -> Result<Bdd, Stop> {
        Ok(one.and(other)?)
    }

    fn some_state(&self, region: &Bdd) -> Pair {
        let cube = region.pick_cube().expect("the region has a state");
        self.symbolic.encoding.read(&cube).1
    }

    fn contains(&self, region: &Bdd, state: &Pair) -> bool {
        self.symbolic.encoding.contains(region, state)
    }

    fn neighbour(
        &mut self,
        state: &Pair,
        region: &Bdd,
        mark: Option<usize>,
    ) -> Result<(Letter, Pair), Stop> {
        let between = K::between(self.symbolic, mark);
        self.symbolic.neighbour(state, region, between)
    }

    /// In the direction of time the later state is below the earlier one: smaller states can do
    /// what larger ones can.
    fn closes(&self, earlier: &Pair, later: &Pair) -> bool {
        match self.symbolic.settings.direction {
            Direction::Backward => later.subsumes(earlier),
            Direction::Forward => earlier.subsumes(later),
        }
    }

    fn is_safety(&self) -> bool {
        K::IS_SAFETY
    }
}
