//! The states that satisfy each subformula, as decision diagrams \[BCMDH92\].
//!
//! A *label* is a set of states. Operators about all paths are duals of those about some path, so
//! that only four kinds of sets are computed ([`Shape`]). States from which no fair path starts are
//! invisible: a path counts only if it leads to a state from which a fair path starts, and then all
//! of its states are such.

use kermode_base::BitSet;
use kermode_bdd::Bdd;
use kermode_system::ctl::{
    CtlConnective, CtlNode, PathFormula, Quantifier, StepBounds, Subformula,
};
use kermode_system::{Ctl, Model};

use super::countdown::Countdown;
use super::mistakes::Mistake;
use crate::compiled::states::SystemStates;
use crate::fixpoint::Direction;
use crate::fixpoint::emptiness::FairSpace;
use crate::fixpoint::fixpoints::{reachable, with_infinite_path};
use crate::frame::budget::Stop;

/// What some fair path must satisfy, in terms of sets of states.
pub(super) enum Shape {
    /// The next state is in the set.
    Next(Bdd),
    /// The path reaches the goal through `stay`.
    Until { stay: Bdd, goal: Bdd, bounds: Option<StepBounds> },
    /// All states are in the set.
    Globally { stay: Bdd, bounds: Option<StepBounds> },
    /// The opposite of `Until`.
    NotUntil { stay: Bdd, goal: Bdd, bounds: Option<StepBounds> },
}

/// The labels of the subformulas of a formula.
pub(super) struct Labels<'o> {
    pub(super) states: SystemStates<'o>,
    /// The states in question: the reachable ones, or all that satisfy the invariants.
    all: Bdd,
    /// Those from which a fair path starts.
    fair: Bdd,
    /// By subformula.
    labels: Vec<Bdd>,
    mistake: Option<Mistake>,
}

impl<'o> Labels<'o> {
    /// Computes the fair states; with a model, which is that of the states, among the reachable
    /// ones.
    pub(super) fn new(
        mut states: SystemStates<'o>,
        reach: Option<&Model>,
        mistake: Option<Mistake>,
    ) -> Result<Self, Stop> {
        if let Some(model) = reach {
            states.bound_by_closure_of(model)?;
        }
        states.face(Direction::Backward)?;
        let all = if reach.is_some() { FairSpace::all(&states) } else { states.legal()? };
        let mut labels =
            Labels { fair: all.clone(), labels: Vec::new(), all: all.clone(), states, mistake };
        labels.fair = match mistake {
            Some(Mistake::DeadEndsAreVisible) => all,
            Some(Mistake::JusticeIsForgotten) => labels.infinite_within(all)?,
            _ => labels.states.fair_within(all)?,
        };
        Ok(labels)
    }

    /// Computes the labels of all subformulas of a formula, in place of those of another one.
    pub(super) fn label(&mut self, model: &Model, formula: &Ctl) -> Result<(), Stop> {
        self.labels.clear();
        for subformula in formula.subformulas() {
            let label = match formula.node(subformula) {
                CtlNode::Atom(atom) => self.states.compile(model, atom)?.and(&self.all)?,
                CtlNode::Not(a) => self.set(a, false)?,
                CtlNode::Binary(connective, a, b) => self.connective(connective, a, b)?,
                CtlNode::Path(quantifier, path) => self.path(quantifier, path)?,
            };
            self.labels.push(label);
        }
        Ok(())
    }

    /// The mistake of these labels, for tests.
    pub(super) fn mistake(&self) -> Option<Mistake> {
        self.mistake
    }

    /// The states in question.
    pub(super) fn all(&self) -> &Bdd {
        &self.all
    }

    /// The states from which a fair path starts.
    pub(super) fn fair(&self) -> &Bdd {
        &self.fair
    }

    /// The initial states that violate the formula and from which a fair path starts.
    pub(super) fn violating(&self, formula: &Ctl) -> Result<Bdd, Stop> {
        let initial = match self.mistake {
            Some(Mistake::UnfairInitialStatesCount) => self.states.initial()?.and(&self.all)?,
            _ => self.states.initial()?.and(&self.fair)?,
        };
        let satisfying = &self.labels[formula.root().index()];
        match self.mistake {
            Some(Mistake::OneInitialStateIsEnough) if !initial.and(satisfying)?.is_bottom() => {
                Ok(initial.and_not(&initial)?)
            }
            _ => Ok(initial.and_not(satisfying)?),
        }
    }

    /// The label of a subformula.
    pub(super) fn of(&self, formula: Subformula) -> &Bdd {
        &self.labels[formula.index()]
    }

    /// Whether a subformula has a truth value in a state.
    pub(super) fn has_value(&self, state: &BitSet, formula: Subformula, holds: bool) -> bool {
        contains(self.of(formula), state) == holds
    }

    /// The states where a subformula has a truth value.
    fn set(&self, formula: Subformula, holds: bool) -> Result<Bdd, Stop> {
        let label = self.of(formula);
        if holds { Ok(label.clone()) } else { Ok(self.all.and_not(label)?) }
    }

    fn connective(
        &self,
        connective: CtlConnective,
        a: Subformula,
        b: Subformula,
    ) -> Result<Bdd, Stop> {
        let (a, b) = (self.of(a), self.of(b));
        Ok(match connective {
            CtlConnective::And => a.and(b)?,
            CtlConnective::Or => a.or(b)?,
            CtlConnective::Implies => self.all.and_not(&a.and_not(b)?)?,
            CtlConnective::Iff => self.all.and_not(&a.xor(b)?)?,
            CtlConnective::Xor => a.xor(b)?,
        })
    }

    fn path(&mut self, quantifier: Quantifier, path: PathFormula) -> Result<Bdd, Stop> {
        let is_swapped = self.mistake == Some(Mistake::AllEventuallyIsSome)
            && matches!(path, PathFormula::Eventually(..));
        match quantifier {
            Quantifier::All if !is_swapped => {
                let shape = self.shape(path, false)?;
                let refuted = self.exists(&shape)?;
                Ok(self.all.and_not(&refuted)?)
            }
            _ => {
                let shape = self.shape(path, true)?;
                self.exists(&shape)
            }
        }
    }

    /// What a path must be like that satisfies a path formula, or violates it.
    pub(super) fn shape(&self, path: PathFormula, holds: bool) -> Result<Shape, Stop> {
        Ok(match path {
            PathFormula::Next(a) => Shape::Next(self.set(a, holds)?),
            PathFormula::Eventually(a, bounds) if holds => self.reaching(a, true, bounds)?,
            PathFormula::Globally(a, bounds) if !holds => self.reaching(a, false, bounds)?,
            PathFormula::Eventually(a, bounds) | PathFormula::Globally(a, bounds) => {
                Shape::Globally { stay: self.set(a, holds)?, bounds: self.bounds(bounds) }
            }
            PathFormula::Until(a, b, bounds) => {
                let (stay, goal) = (self.of(a).clone(), self.of(b).clone());
                let bounds = self.bounds(bounds);
                match holds {
                    true => Shape::Until { stay, goal, bounds },
                    false => Shape::NotUntil { stay, goal, bounds },
                }
            }
        })
    }

    fn reaching(
        &self,
        a: Subformula,
        holds: bool,
        bounds: Option<StepBounds>,
    ) -> Result<Shape, Stop> {
        let (stay, goal) = (self.all.clone(), self.set(a, holds)?);
        Ok(Shape::Until { stay, goal, bounds: self.bounds(bounds) })
    }

    fn bounds(&self, bounds: Option<StepBounds>) -> Option<StepBounds> {
        let StepBounds { low, high } = bounds?;
        Some(match self.mistake {
            Some(Mistake::LastStepIsExcluded) if low < high => StepBounds { low, high: high - 1 },
            Some(Mistake::FirstStepIsTooEarly) => StepBounds { low: low.saturating_sub(1), high },
            _ => StepBounds { low, high },
        })
    }

    /// The states where a fair path of this shape starts.
    fn exists(&mut self, shape: &Shape) -> Result<Bdd, Stop> {
        match shape {
            Shape::Next(set) => self.before(set),
            Shape::Until { stay, goal, bounds: None } => self.until(stay, goal),
            Shape::Globally { stay, bounds: None } => self.globally(stay),
            Shape::NotUntil { stay, goal, bounds: None } => {
                let waits = self.all.and_not(goal)?;
                let fails = self.until(&waits, &waits.and_not(stay)?)?;
                match self.mistake {
                    Some(Mistake::AllUntilIsWeak) => Ok(fails),
                    _ => Ok(fails.or(&self.globally(&waits)?)?),
                }
            }
            Shape::Until { .. } | Shape::Globally { .. } | Shape::NotUntil { .. } => {
                let countdown = self.countdown(shape)?.expect("the shape has bounds");
                Ok(countdown.at(0).clone())
            }
        }
    }

    /// The states with a successor in a set from which a fair path starts.
    fn before(&mut self, set: &Bdd) -> Result<Bdd, Stop> {
        let target = match self.mistake {
            Some(Mistake::NextIgnoresFairness) => set.clone(),
            _ => set.and(&self.fair)?,
        };
        self.states.step_where(&target, None)
    }

    fn until(&mut self, stay: &Bdd, goal: &Bdd) -> Result<Bdd, Stop> {
        let seed = match self.mistake {
            Some(Mistake::UntilIgnoresFairness) => goal.clone(),
            _ => goal.and(&self.fair)?,
        };
        let mut paths = self.states.within(stay.clone());
        let found = reachable(&mut paths, &seed, &mut |_, _| Ok(false))?;
        let found = found.unwrap_or(seed);
        match self.mistake {
            Some(Mistake::ExistsUntilIsWeak) => Ok(found.or(&self.globally(stay)?)?),
            _ => Ok(found),
        }
    }

    /// The states among some from which a path through `stay` to the goal is shortest.
    pub(super) fn nearest(&mut self, stay: &Bdd, goal: &Bdd, from: &Bdd) -> Result<Bdd, Stop> {
        let seed = goal.and(&self.fair)?;
        let mut paths = self.states.within(stay.clone());
        let mut nearest = from.clone();
        reachable(&mut paths, &seed, &mut |_, ring| {
            let here = ring.and(from)?;
            let arrives = !here.is_bottom();
            if arrives {
                nearest = here;
            }
            Ok(arrives)
        })?;
        Ok(nearest)
    }

    fn globally(&mut self, stay: &Bdd) -> Result<Bdd, Stop> {
        let region = stay.and(&self.fair)?;
        match self.mistake {
            Some(Mistake::GloballyIgnoresJustice) => self.infinite_within(region),
            _ => self.states.fair_within(region),
        }
    }

    /// The states of a region from which a path stays in it for ever, fair or not.
    fn infinite_within(&mut self, region: Bdd) -> Result<Bdd, Stop> {
        let mut paths = self.states.within(region.clone());
        let found = with_infinite_path(&mut paths, region.clone(), &mut |_, _| Ok(false))?;
        Ok(found.unwrap_or(region))
    }

    /// The sets of a bounded operator by time. None if it is not bounded.
    pub(super) fn countdown(&mut self, shape: &Shape) -> Result<Option<Countdown>, Stop> {
        let (fair, all) = (self.fair.clone(), self.all.clone());
        let early = self.mistake == Some(Mistake::UntilWaitsInTimeOnly);
        match shape {
            Shape::Until { stay, goal, bounds: Some(bounds) } => {
                let goal = goal.and(&fair)?;
                Countdown::new(*bounds, goal.clone(), |later, in_time| {
                    let later = self.before(later)?;
                    match in_time {
                        true => Ok(goal.or(&stay.and(&later)?)?),
                        false if early => Ok(later),
                        false => Ok(stay.and(&later)?),
                    }
                })
                .map(Some)
            }
            Shape::Globally { stay, bounds: Some(bounds) } => {
                Countdown::new(*bounds, stay.and(&fair)?, |later, in_time| {
                    let later = self.before(later)?;
                    if in_time { Ok(stay.and(&later)?) } else { Ok(later) }
                })
                .map(Some)
            }
            Shape::NotUntil { stay, goal, bounds: Some(bounds) } => {
                // As in NuSMV, the goal must be in a fair state. In other states only COMPUTE can
                // tell the difference.
                let (waits, fails) = (all.and_not(&goal.and(&fair)?)?, all.and_not(stay)?);
                Countdown::new(*bounds, waits.clone(), |later, in_time| {
                    let goes_on = fails.or(&self.before(later)?)?;
                    if in_time { Ok(waits.and(&goes_on)?) } else { Ok(goes_on) }
                })
                .map(Some)
            }
            _ => Ok(None),
        }
    }
}

/// Whether a state is in a set.
pub(super) fn contains(set: &Bdd, state: &BitSet) -> bool {
    // Current variables have even numbers.
    set.eval(|variable| state.contains(variable.index() / 2))
}
