//! Sets of states as decision diagrams: the fully symbolic counterpart of antichains [DDMR08b].
//!
//! Regions are closed upwards when the algebra works forward, downwards when it works backward (`space/steps.rs` has
//! the proof), and are not represented by their least or greatest states but by all of them. First the states are sets. What is
//! accepted from `<s, o>` depends on `s` alone, and from `<s, o>` there is an endless run exactly if there is one from `s`: owe whatever
//! is in `s'` and is not accepting. So what is reached and what is endless is computed on sets, for half of the variables; only the
//! fixpoint of acceptance needs more, pairs or conditions ([`Fair::with_acceptance`]).

use kermode_automata::structure::Statistics;
use kermode_automata::{AlternatingAutomaton, Location};
use kermode_base::BitSet;
use kermode_bdd::{Bdd, Variable};
use kermode_ltl::{Letter, WordKind};

use crate::alternating::encoding::{Encoding, may_stay};
use crate::alternating::miyano_hayashi::Pair;
use crate::alternating::neighbours::{Ahead, Between, predecessor};
use crate::alternating::steps::Steps;
use crate::fixpoint::Direction;
use crate::fixpoint::Regions;
use crate::fixpoint::bdd_context::{BddContext, Work, grow};
use crate::fixpoint::lasso::Fair;
use crate::fixpoint::walk::Walk;
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;

/// How the algebra works.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) direction: Direction,
    /// Whether very weak automata get a condition for each location that may not stay, in the place of pairs.
    pub(crate) generalised: bool,
    /// Whether a better order of variables is looked for when diagrams get large.
    pub(crate) sifting: bool,
    /// How many nodes there may be, if that is limited.
    pub(crate) most_nodes: Option<usize>,
}

/// What the states are and which of their steps are fair.
enum Acceptance {
    /// Sets of locations. Nothing has to be met.
    None,
    /// Pairs, whose breakpoints have to be met.
    Breakpoints(Box<StepsOfPairs>),
    /// Sets of locations, some of which have to be left.
    Leaving(Vec<(Location, Steps)>),
}

/// The steps from pairs that owe nothing, and from those that owe something.
struct StepsOfPairs {
    settled: Steps,
    owing: Steps,
}

/// What was counted, over all questions for one answer.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) locations: usize,
    work: Work,
}

/// A walk looks after the nodes when it has asked for so many neighbours.
const NEIGHBOURS_A_LOOK: usize = 64;

/// The algebra.
pub(crate) struct Symbolic<'a, 'o> {
    encoding: Encoding<'a>,
    settings: Settings,
    sets: Steps,
    acceptance: Acceptance,
    /// Locations that may not stay: they owe a visit, or have to be left.
    conditions: BitSet,
    ahead: Ahead,
    neighbours: usize,
    /// How many locations were counted, over all questions for one answer.
    counted: usize,
    context: BddContext<'o>,
}

impl<'a, 'o> Symbolic<'a, 'o> {
    /// The algebra of an automaton, on sets of locations.
    pub(crate) fn new(
        automaton: &'a AlternatingAutomaton,
        mut settings: Settings,
        budget: &'o Budget,
        observer: &'o mut dyn Observer,
        counts: &'o mut Counts,
    ) -> Result<Self, Stop> {
        let conditions = match automaton.words() {
            WordKind::Infinite => may_stay(automaton),
            WordKind::Finite => BitSet::new(),
        };
        settings.generalised &= Statistics::of(automaton).very_weak;
        let owing = if settings.generalised { BitSet::new() } else { conditions.clone() };
        let mut encoding = Encoding::new(automaton, owing, settings.most_nodes, budget)?;
        counts.locations += encoding.locations().len();
        let conditions =
            conditions.iter().filter(|&index| encoding.has(Location::from_index(index))).collect();
        let sets = Steps::of_sets(&mut encoding, settings.direction, budget)?;
        let groups = settings.sifting.then(|| groups(&encoding));
        let manager = encoding.manager().clone();
        Ok(Symbolic {
            encoding,
            settings,
            sets,
            acceptance: Acceptance::None,
            conditions,
            ahead: Ahead::default(),
            neighbours: 0,
            counted: counts.locations,
            context: BddContext::new(manager, groups, budget, observer, &mut counts.work),
        })
    }

    pub(crate) fn encoding(&self) -> &Encoding<'a> {
        &self.encoding
    }

    /// Tells what was counted.
    pub(crate) fn tell(&mut self) {
        self.context.tell(("locations", self.counted));
    }

    /// From now on another budget is heeded.
    pub(crate) fn set_budget(&mut self, budget: &'o Budget) {
        self.context.budget = budget;
    }

    fn counted_step(
        &mut self,
        step: impl FnOnce(&mut Self) -> Result<Bdd, Stop>,
    ) -> Result<Bdd, Stop> {
        let began = self.context.begin_step()?;
        let result = step(self);
        self.context.end_step(began);
        result
    }

    /// The states that owe nothing, or those that owe something, of a region.
    fn split(&self, region: &Bdd) -> Result<[Bdd; 2], Stop> {
        let settled = self.encoding.settled();
        Ok([region.and(settled)?, region.and_not(settled)?])
    }

    fn step_of_pairs(&self, steps: &StepsOfPairs, region: &Bdd) -> Result<Bdd, Stop> {
        let StepsOfPairs { settled, owing } = steps;
        match self.settings.direction {
            Direction::Forward => {
                let [from_settled, from_owing] = self.split(region)?;
                let next = settled.of(&from_settled, self.context.budget)?;
                Ok(next.or(&owing.of(&from_owing, self.context.budget)?)?)
            }
            Direction::Backward => {
                let [to_settled, _] = self.split(&settled.of(region, self.context.budget)?)?;
                let [_, to_owing] = self.split(&owing.of(region, self.context.budget)?)?;
                Ok(to_settled.or(&to_owing.and(self.encoding.valid())?)?)
            }
        }
    }
}

/// Variables of one location stay together.
fn groups(encoding: &Encoding) -> Vec<Vec<Variable>> {
    let variables = encoding.state_variables(true, true);
    variables.into_iter().map(|(current, next)| vec![current, next]).collect()
}

impl Walk for Symbolic<'_, '_> {
    type State = Pair;

    fn some_state(&self, region: &Bdd) -> Pair {
        let cube = region.pick_cube().expect("the region has a state");
        self.encoding.read(&cube).1
    }

    fn contains(&self, region: &Bdd, state: &Pair) -> bool {
        self.encoding.contains(region, state)
    }

    fn neighbour(
        &mut self,
        state: &Pair,
        region: &Bdd,
        condition: Option<usize>,
    ) -> Result<(Letter, Pair), Stop> {
        self.neighbours += 1;
        match self.neighbours.is_multiple_of(NEIGHBOURS_A_LOOK) {
            true => self.context.keep()?,
            false => self.context.budget.check()?,
        }
        let between = match (&self.acceptance, condition) {
            (Acceptance::Breakpoints(_), _) => Between::Pairs,
            (Acceptance::Leaving(conditions), Some(condition)) => {
                Between::Sets(Some(conditions[condition].0))
            }
            _ => Between::Sets(None),
        };
        let cube = match self.settings.direction {
            Direction::Backward => {
                self.ahead.successor(&mut self.encoding, state, region, between)?
            }
            Direction::Forward => predecessor(&self.encoding, state, region, between)?,
        };
        Ok(self.encoding.read(&cube.expect("a ring was made from the one before")))
    }

    /// In the direction of time the later one is below the earlier one: smaller states can do what larger ones can.
    fn closes(&self, earlier: &Pair, later: &Pair) -> bool {
        match self.settings.direction {
            Direction::Backward => later.subsumes(earlier),
            Direction::Forward => earlier.subsumes(later),
        }
    }

    fn is_safety(&self) -> bool {
        self.conditions.is_empty()
    }
}

impl Fair for Symbolic<'_, '_> {
    fn direction(&self) -> Direction {
        self.settings.direction
    }

    fn all(&self) -> Bdd {
        self.encoding.manager().top()
    }

    fn initial(&self) -> Result<Bdd, Stop> {
        let initial = self.encoding.initial()?;
        match self.settings.direction {
            Direction::Backward => Ok(initial.and(self.encoding.settled())?),
            Direction::Forward => Ok(initial),
        }
    }

    /// States become pairs where that is needed, with all that may be owed.
    fn with_acceptance(&mut self, region: &Bdd) -> Result<Bdd, Stop> {
        let (encoding, direction) = (&mut self.encoding, self.settings.direction);
        self.acceptance = match self.settings.generalised {
            true => {
                let mut leaving = Vec::new();
                for index in self.conditions.iter() {
                    self.context.budget.check()?;
                    let location = Location::from_index(index);
                    leaving.push((location, self.sets.leaving(encoding, location)?));
                }
                Acceptance::Leaving(leaving)
            }
            false => Acceptance::Breakpoints(Box::new(StepsOfPairs {
                settled: Steps::from_settled(encoding, direction, self.context.budget)?,
                owing: Steps::from_owing(encoding, direction, self.context.budget)?,
            })),
        };
        Ok(region.and(encoding.valid())?)
    }

    /// Back to sets: what is owed is forgotten.
    fn without_acceptance(&mut self, state: Pair) -> Pair {
        self.acceptance = Acceptance::None;
        Pair { s: state.s, o: BitSet::new() }
    }
}

impl Regions for Symbolic<'_, '_> {
    type Region = Bdd;

    fn none(&self) -> Bdd {
        self.encoding.manager().bottom()
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

    fn pick(&mut self, region: &mut Bdd) -> Bdd {
        std::mem::replace(region, self.encoding.manager().bottom())
    }

    fn step(&mut self, region: &Bdd) -> Result<Bdd, Stop> {
        self.counted_step(|this| match &this.acceptance {
            Acceptance::Breakpoints(steps) => this.step_of_pairs(steps, region),
            _ => this.sets.of(region, this.context.budget),
        })
    }

    fn are_identical(&self, one: &Bdd, other: &Bdd) -> bool {
        one == other
    }

    fn mark_count(&self) -> usize {
        match &self.acceptance {
            Acceptance::None | Acceptance::Breakpoints(_) => 1,
            Acceptance::Leaving(conditions) => conditions.len(),
        }
    }

    /// Forward, pairs are marked that owe nothing once they are reached.
    fn marked_step(&mut self, region: &Bdd, mark: usize) -> Result<Bdd, Stop> {
        if let Acceptance::Leaving(_) = self.acceptance {
            return self.counted_step(|this| match &this.acceptance {
                Acceptance::Leaving(conditions) => {
                    conditions[mark].1.of(region, this.context.budget)
                }
                _ => this.sets.of(region, this.context.budget),
            });
        }
        let next = self.step(region)?;
        Ok(next.and(self.encoding.settled())?)
    }
}
