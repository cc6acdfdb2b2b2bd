//! The state space of a very weak alternating Büchi automaton, such as that of an LTL formula: sets
//! of locations, without the obligations of Miyano and Hayashi.
//!
//! An infinite path of a run stays in one location from some level on, since locations of a very
//! weak automaton \[Roh97\] cannot reach each other. So each non-accepting location `f` with a
//! self-loop has an acceptance mark of its own, as in the translation of Gastin and Oddoux
//! \[GO01\]: a step from `s` has the mark of `f` if `f` is not in `s`, or if the successors of `f`
//! do not include `f`. That is the same acceptance:
//! - A path that stays in `f` for ever takes no step with the mark of `f`.
//! - If the mark of `f` is missing from some step on, `f` is at each level from there and is
//!   followed by itself. A run has one set of successors per location and level, so this is a path,
//!   and it stays in `f`.
//!
//! **Minimal successors.** Let `x_l` say that `l` is in `s'`, and `y_f` that `f` stays. In the
//! transition of each `f` in `s` its own occurrences are interpreted as `x_f & y_f`, all other
//! locations as `x`. The conjunction, with the propositions quantified, is monotone, and its
//! minimal models are the steps: a step has the marks of all `f` without `y_f`.
//!
//! **Order.** A set simulates its supersets: it can follow their steps with at least the same
//! marks. Compared with pairs, states that differ in `o` only are one state here, and no step waits
//! for the last obligation.
//! - With direct simulation sets are closed under implication. No other location implies a location
//!   with a mark: then a set that follows another takes the same steps from it, and gets its mark
//!   whenever the other does.
//! - With delayed simulation a set without locations with marks, all of whose steps have all marks,
//!   represents every set that accepts no more.

use kermode_automata::space::{AllSteps, NextStep, Ordered, Reversible, Space, Step};
use kermode_automata::{AlternatingAutomaton, Location};
use kermode_base::BitSet;
use kermode_bdd::{Bdd, Literal, OutOfNodes, Variable};
use kermode_ltl::{Letter, Proposition};

use super::by_letter::{ByLetter, intersection, union};
use super::conjunctions::{Conjunctions, DemandRules, Demands};
use super::layout::{Layout, Meaning};
use super::miyano_hayashi::Pair;
use super::predecessors::{Goal, Predecessors};
use super::transitions::{Transitions, X, by_x};
use super::{SetSpace, Sharpen, check_length, folded, is_above_initial, labels};
use crate::alternating::order::{Orders, Sharper};
use crate::frame::budget::{Budget, Stop};

/// The copy of a location's variable that says whether it stays.
const Y: usize = 1;

/// The state space of an automaton.
pub(crate) struct VeryWeak<'a> {
    budget: &'a Budget,
    transitions: Transitions<'a>,
    conjunctions: Conjunctions<Demands>,
    /// The same by letter, built on demand.
    by_letter: Option<Conjunctions<Demands>>,
    /// Built on demand.
    predecessors: Option<Predecessors>,
    predecessors_by_letter: Option<Predecessors>,
    sharper: Sharper,
    /// The locations that have a mark.
    marked: BitSet,
    /// The mark of each location that has one.
    mark_of: Vec<Option<usize>>,
    mark_count: usize,
}

impl<'a> VeryWeak<'a> {
    /// The space of a very weak automaton.
    pub(crate) fn new(
        automaton: &'a AlternatingAutomaton,
        orders: Orders,
        budget: &'a Budget,
    ) -> Result<Self, Stop> {
        let mut mark_of = vec![None; automaton.location_count()];
        let mut mark_count = 0;
        for location in automaton.locations().filter(|&l| !automaton.is_accepting(l)) {
            if automaton.targets(location).any(|target| target == location) {
                mark_of[location.index()] = Some(mark_count);
                mark_count += 1;
            }
        }
        let copies = |location: Location| 1 + usize::from(mark_of[location.index()].is_some());
        let layout = Layout::new(automaton, copies);
        let mut transitions = Transitions::new(automaton, layout, 1, budget)?;
        let marked = (0..mark_of.len()).filter(|&location| mark_of[location].is_some()).collect();
        let sharper = Sharper::new(orders, &mut transitions, &marked, budget)?;
        Ok(VeryWeak {
            budget,
            conjunctions: Conjunctions::new(&transitions)?,
            by_letter: None,
            predecessors: None,
            predecessors_by_letter: None,
            transitions,
            sharper,
            marked,
            mark_of,
            mark_count,
        })
    }

    /// The steps of the minimal models of a function.
    fn least_steps(&self, function: &Bdd) -> Result<Vec<Step<BitSet>>, Stop> {
        let models = function.minimal_models(&mut || self.budget.check())?;
        check_length(&models, self.sharper.most_successors())?;
        let layout = &self.transitions.layout;
        let locations = self.mark_of.len();
        let element = |variable| match layout.meaning(variable) {
            Meaning::Location(location, copy) => location.index() + copy * locations,
            Meaning::Proposition(_) => unreachable!("propositions are quantified"),
        };
        let mut steps = Vec::new();
        for model in models.sets_of(element) {
            self.budget.check()?;
            // `x` from 0 on, `y` from `locations` on.
            let stays = model.iter().filter(|&element| element >= locations);
            let stays = stays.map(|element| element - locations).collect();
            steps.extend(self.step_of(model.within(0..locations), &stays));
        }
        Ok(steps)
    }
}

impl SetSpace for VeryWeak<'_> {
    fn is_marked(&self, location: usize) -> bool {
        self.mark_of[location].is_some()
    }

    fn leaves(&self, location: usize, marks: &BitSet) -> bool {
        self.mark_of[location].is_some_and(|mark| marks.contains(mark))
    }

    fn demanding(&self, set: &BitSet) -> BitSet {
        self.sharper.reduced(set)
    }

    fn step_of(&self, next: BitSet, stays: &BitSet) -> Option<Step<BitSet>> {
        let mut marks: BitSet = (0..self.mark_count).collect();
        stays.iter().filter_map(|location| self.mark_of[location]).for_each(|mark| {
            marks.remove(mark);
        });
        let to = self.sharper.closed(next);
        (!self.sharper.forbids(&to)).then_some(Step { to, marks })
    }
}

/// The transition of a location, with its own occurrences interpreted as `x & y` if it has a mark.
fn staying(
    transitions: &mut Transitions,
    location: Location,
    marked: bool,
) -> Result<Bdd, OutOfNodes> {
    let transition = transitions.of(location, 0, &by_x)?;
    if !marked {
        return Ok(transition);
    }
    let [x, y] = [X, Y].map(|copy| transitions.layout.location(location, copy));
    let stays = transitions.manager.variable(x)?.and(&transitions.manager.variable(y)?)?;
    let [with, without] = [true, false].map(|positive| {
        transition.cofactor(&[Literal { variable: x, positive }].into_iter().collect())
    });
    stays.ite(&with?, &without?)
}

impl VeryWeak<'_> {
    /// The minimal successors.
    fn successors(&mut self, set: &BitSet) -> Result<Vec<Step<BitSet>>, Stop> {
        let demands = Demands { all: self.demanding(set), ..Demands::default() };
        let VeryWeak { transitions, mark_of, conjunctions, .. } = self;
        let function = demanded(transitions, mark_of, conjunctions, &demands)?;
        self.least_steps(&function)
    }
}

/// The conjunction of the demands on a set.
fn demanded(
    transitions: &mut Transitions,
    mark_of: &[Option<usize>],
    conjunctions: &mut Conjunctions<Demands>,
    demands: &Demands,
) -> Result<Bdd, OutOfNodes> {
    let manager = transitions.manager.clone();
    let mut leaf = |location: Location, _: &Demands| {
        staying(transitions, location, mark_of[location.index()].is_some())
    };
    let mut rules = DemandRules { of_part: &Demands::of, of_location: &mut leaf };
    conjunctions.quantified(&manager, demands, &mut rules)
}

impl Space for VeryWeak<'_> {
    type State = BitSet;
    type Label = ();
    type Cursor = AllSteps<BitSet>;
    type Stop = Stop;

    fn initial(&mut self) -> Result<Vec<BitSet>, Stop> {
        let steps = self.least_steps(&self.transitions.initial(&by_x)?)?;
        Ok(steps.into_iter().map(|step| step.to).collect())
    }

    fn mark_count(&self) -> usize {
        self.mark_count
    }

    fn steps(&mut self, set: &BitSet) -> Result<AllSteps<BitSet>, Stop> {
        Ok(self.successors(set)?.into_iter())
    }

    fn next_step(&mut self, cursor: &mut AllSteps<BitSet>) -> NextStep<Self> {
        Ok(cursor.next().map(|step| (step, ())))
    }

    fn is_final(&self, _: &BitSet) -> bool {
        false
    }

    fn letter(&mut self, from: &BitSet, step: &Step<BitSet>, (): &()) -> Result<Letter, Stop> {
        let in_set = |location: Location| step.to.contains(location.index());
        let leaves = |location: Location| self.leaves(location.index(), &step.marks);
        let locations: Vec<Location> = from.iter().map(Location::from_index).collect();
        let follows = locations.iter().map(|&location| {
            move |target: Location| in_set(target) && !(target == location && leaves(location))
        });
        let follows: Vec<_> = follows.collect();
        let steps = locations.iter().zip(&follows);
        let steps: Vec<(Location, &dyn Fn(Location) -> bool)> =
            steps.map(|(&l, follows)| (l, follows as &dyn Fn(Location) -> bool)).collect();
        self.transitions.letter(&steps)
    }

    fn describe(&self, set: &BitSet) -> String {
        labels(self.transitions.automaton, set)
    }
}

impl Ordered for VeryWeak<'_> {
    fn simulates(&self, small: &BitSet, large: &BitSet) -> bool {
        small.is_subset(large)
    }

    fn subsumes(&self, small: &BitSet, large: &BitSet) -> bool {
        small.is_subset(large)
            || small.is_disjoint(&self.marked) && self.sharper.accepts_no_less(small, large)
    }

    /// With delayed simulation, equivalent sets often differ in the locations with marks.
    fn size(&self, set: &BitSet) -> usize {
        let mut marked = set.clone();
        marked.intersect_with(&self.marked);
        self.sharper.weight(set).len() + marked.len()
    }

    fn largest_size(&self) -> usize {
        2 * self.mark_of.len()
    }

    fn sizes_are_strict(&self) -> bool {
        !self.sharper.exchanges()
    }

    fn signature(&self, set: &BitSet) -> u64 {
        folded(&self.sharper.weight(set))
    }
}

impl Sharpen for VeryWeak<'_> {
    fn sharpen(&mut self, orders: Orders) -> Result<(), Stop> {
        self.sharper = Sharper::new(orders, &mut self.transitions, &self.marked, self.budget)?;
        Ok(())
    }
}

impl<'a> VeryWeak<'a> {
    fn reversed(&mut self) -> Result<(&mut Predecessors, &Transitions<'a>), Stop> {
        Ok((Predecessors::made(&mut self.predecessors, &self.transitions)?, &self.transitions))
    }
}

impl Reversible for VeryWeak<'_> {
    fn greatest(&mut self) -> Result<Vec<BitSet>, Stop> {
        Ok(vec![self.reversed()?.0.reachable().clone()])
    }

    fn greatest_final(&mut self) -> Result<Vec<BitSet>, Stop> {
        Ok(Vec::new())
    }

    /// A step has the mark of `f` if `f` is not in the set or its successors do not include `f`.
    fn predecessors(&mut self, set: &BitSet, mark: Option<usize>) -> Result<Vec<BitSet>, Stop> {
        let goal = self.goals(set, mark).remove(0);
        let budget = self.budget;
        let (predecessors, transitions) = self.reversed()?;
        let found = predecessors.greatest(transitions, &goal, budget)?;
        Ok(found.into_iter().map(|(all, _)| all).collect())
    }

    fn is_above_initial(&self, set: &BitSet) -> bool {
        is_above_initial(self.transitions.automaton, set)
    }
}

impl ByLetter for VeryWeak<'_> {
    fn proposition(&self, proposition: Proposition) -> Option<Variable> {
        self.transitions.layout.find_proposition(proposition)
    }

    fn function_ahead(&mut self, from: &BitSet) -> Result<Bdd, Stop> {
        let demands = Demands { all: self.sharper.reduced(from), ..Demands::default() };
        let VeryWeak { transitions, mark_of, by_letter, .. } = self;
        let conjunctions = by_letter.get_or_insert_with(|| Conjunctions::by_letter(transitions));
        Ok(demanded(transitions, mark_of, conjunctions, &demands)?)
    }

    fn steps_on(&mut self, _: &BitSet, function: &Bdd) -> Result<Vec<Step<BitSet>>, Stop> {
        self.least_steps(function)
    }

    fn goals(&self, to: &BitSet, mark: Option<usize>) -> Vec<Goal> {
        let leaving = mark.and_then(|mark| self.mark_of.iter().position(|&of| of == Some(mark)));
        vec![Goal { leaving, ..Goal::set(to.clone()) }]
    }

    fn function_behind(&mut self, goal: &Goal) -> Result<Bdd, Stop> {
        let VeryWeak { transitions, predecessors_by_letter: made, .. } = self;
        let predecessors = made.get_or_insert_with(|| Predecessors::by_letter(transitions));
        Ok(predecessors.function(transitions, goal)?)
    }

    fn predecessors_on(&mut self, _: &Goal, function: &Bdd) -> Result<Vec<BitSet>, Stop> {
        let VeryWeak { transitions, predecessors_by_letter: made, budget, .. } = self;
        let predecessors = made.get_or_insert_with(|| Predecessors::by_letter(transitions));
        let found = predecessors.greatest_of(transitions, function, budget)?;
        Ok(found.into_iter().map(|(all, _)| all).collect())
    }

    fn join(&self, one: &BitSet, other: &BitSet) -> Option<BitSet> {
        Some(union(one, other))
    }

    fn meet(&self, one: &BitSet, other: &BitSet) -> Option<BitSet> {
        Some(intersection(one, other))
    }

    fn exchanges(&self) -> bool {
        self.sharper.exchanges()
    }

    fn sets(&self, state: &BitSet) -> Pair {
        Pair { s: state.clone(), o: BitSet::new() }
    }

    fn state_of(&self, sets: Pair) -> BitSet {
        sets.s
    }
}
