//! The state space of an alternating automaton over finite words: sets of locations, all of which
//! must accept the rest of the word. A set subsumes its supersets. The minimal successors of a set
//! are the minimal models of `exists P. /\ delta(l)`, which is monotone.
//!
//! With direct simulation, sets are closed under implication. Delayed simulation is the same on
//! finite words.

use kermode_automata::space::{AllSteps, NextStep, Ordered, Reversible, Space, Step};
use kermode_automata::{AlternatingAutomaton, Location};
use kermode_base::BitSet;
use kermode_bdd::{Bdd, OutOfNodes, Variable};
use kermode_ltl::{Letter, Proposition};

use super::algorithm_one::AlgorithmOne;
use super::by_letter::{ByLetter, intersection, union};
use super::conjunctions::{Conjunctions, DemandRules, Demands};
use super::layout::{Layout, Meaning};
use super::miyano_hayashi::Pair;
use super::predecessors::{Goal, Predecessors};
use super::transitions::{Transitions, by_x};
use super::{
    SetSpace, Sharpen, Successors, accepting, check_length, folded, is_above_initial, labels,
};
use crate::alternating::order::{Orders, Sharper};
use crate::frame::budget::{Budget, Stop};

/// The state space of an automaton.
pub(crate) struct AfaSubset<'a> {
    automaton: &'a AlternatingAutomaton,
    budget: &'a Budget,
    accepting: BitSet,
    method: SetMethod<'a>,
    sharper: Sharper,
    /// Conjunctions of transitions by letter, built on demand.
    by_letter: Option<Conjunctions<Demands>>,
    /// Built on demand.
    predecessors: Option<Predecessors>,
    predecessors_by_letter: Option<Predecessors>,
}

enum SetMethod<'a> {
    MinimalModels { transitions: Transitions<'a>, conjunctions: Conjunctions<Demands> },
    AlgorithmOne(Box<AlgorithmOne<'a>>),
}

impl<'a> SetMethod<'a> {
    fn transitions(&self) -> &Transitions<'a> {
        match self {
            SetMethod::MinimalModels { transitions, .. } => transitions,
            SetMethod::AlgorithmOne(method) => &method.transitions,
        }
    }

    fn transitions_mut(&mut self) -> &mut Transitions<'a> {
        match self {
            SetMethod::MinimalModels { transitions, .. } => transitions,
            SetMethod::AlgorithmOne(method) => &mut method.transitions,
        }
    }
}

impl<'a> AfaSubset<'a> {
    pub(crate) fn new(
        automaton: &'a AlternatingAutomaton,
        successors: Successors,
        orders: Orders,
        budget: &'a Budget,
    ) -> Result<Self, Stop> {
        let mut method = match successors {
            Successors::MinimalModels => {
                let layout = Layout::new(automaton, |_| 1);
                let transitions = Transitions::new(automaton, layout, 1, budget)?;
                let conjunctions = Conjunctions::new(&transitions)?;
                SetMethod::MinimalModels { transitions, conjunctions }
            }
            Successors::AlgorithmOne => {
                SetMethod::AlgorithmOne(Box::new(AlgorithmOne::for_sets(automaton, budget)?))
            }
        };
        let accepting = accepting(automaton);
        let sharper = sharper(orders, &mut method, budget)?;
        Ok(AfaSubset {
            automaton,
            budget,
            accepting,
            method,
            sharper,
            by_letter: None,
            predecessors: None,
            predecessors_by_letter: None,
        })
    }

    fn transitions(&self) -> &Transitions<'a> {
        self.method.transitions()
    }

    /// The closure of a set under implication, or nothing if it accepts nothing.
    fn closed(&self, set: BitSet) -> Option<BitSet> {
        let set = self.sharper.closed(set);
        (!self.sharper.forbids(&set)).then_some(set)
    }

    fn minimal_models(&self, function: &Bdd) -> Result<Vec<BitSet>, Stop> {
        let models = function.minimal_models(&mut || self.budget.check())?;
        check_length(&models, self.sharper.most_successors())?;
        let layout = &self.transitions().layout;
        let element = |variable| match layout.meaning(variable) {
            Meaning::Location(location, _) => location.index(),
            Meaning::Proposition(_) => unreachable!("propositions are quantified"),
        };
        let sets = models.sets_of(element);
        sets.map(|set| self.budget.check().map(|()| set)).collect()
    }

    fn successor_sets(&mut self, set: &BitSet) -> Result<Vec<BitSet>, Stop> {
        let function = match &mut self.method {
            SetMethod::MinimalModels { transitions, conjunctions } => {
                demanded(transitions, conjunctions, set)?
            }
            SetMethod::AlgorithmOne(method) => return method.successor_sets(set, self.budget),
        };
        self.minimal_models(&function)
    }
}

impl AfaSubset<'_> {
    /// The minimal successors.
    fn successors(&mut self, set: &BitSet) -> Result<Vec<Step<BitSet>>, Stop> {
        let found = self.successor_sets(&self.demanding(set))?;
        Ok(found.into_iter().filter_map(|set| self.step_of(set, &BitSet::new())).collect())
    }
}

impl SetSpace for AfaSubset<'_> {
    fn is_marked(&self, _: usize) -> bool {
        false
    }

    fn leaves(&self, _: usize, _: &BitSet) -> bool {
        false
    }

    fn demanding(&self, set: &BitSet) -> BitSet {
        self.sharper.reduced(set)
    }

    fn step_of(&self, next: BitSet, _: &BitSet) -> Option<Step<BitSet>> {
        Some(Step { to: self.closed(next)?, marks: BitSet::new() })
    }
}

impl Space for AfaSubset<'_> {
    type State = BitSet;
    type Label = ();
    type Cursor = AllSteps<BitSet>;
    type Stop = Stop;

    fn initial(&mut self) -> Result<Vec<BitSet>, Stop> {
        let initial = self.transitions().initial(&by_x)?;
        let initial = self.minimal_models(&initial)?;
        Ok(initial.into_iter().filter_map(|set| self.closed(set)).collect())
    }

    fn mark_count(&self) -> usize {
        0
    }

    fn steps(&mut self, set: &BitSet) -> Result<AllSteps<BitSet>, Stop> {
        Ok(self.successors(set)?.into_iter())
    }

    fn next_step(&mut self, cursor: &mut AllSteps<BitSet>) -> NextStep<Self> {
        Ok(cursor.next().map(|step| (step, ())))
    }

    fn is_final(&self, set: &BitSet) -> bool {
        set.is_subset(&self.accepting)
    }

    fn letter(&mut self, from: &BitSet, step: &Step<BitSet>, (): &()) -> Result<Letter, Stop> {
        let follows = |location: Location| step.to.contains(location.index());
        let steps: Vec<(Location, &dyn Fn(Location) -> bool)> = from
            .iter()
            .map(|index| (Location::from_index(index), &follows as &dyn Fn(Location) -> bool))
            .collect();
        self.transitions().letter(&steps)
    }

    fn describe(&self, set: &BitSet) -> String {
        labels(self.automaton, set)
    }
}

/// Here accepting states may subsume others: a word that ends in one is accepted, and a search that
/// discovers it ends.
impl Ordered for AfaSubset<'_> {
    fn simulates(&self, small: &BitSet, large: &BitSet) -> bool {
        small.is_subset(large)
    }

    fn size(&self, set: &BitSet) -> usize {
        set.len()
    }

    fn largest_size(&self) -> usize {
        self.automaton.location_count()
    }

    fn signature(&self, set: &BitSet) -> u64 {
        folded(set)
    }
}

/// The conjunction of the transitions of a set.
fn demanded(
    transitions: &mut Transitions,
    conjunctions: &mut Conjunctions<Demands>,
    set: &BitSet,
) -> Result<Bdd, OutOfNodes> {
    let demands = Demands { all: set.clone(), ..Demands::default() };
    let manager = transitions.manager.clone();
    let mut leaf = |location, _: &Demands| transitions.of(location, 0, &by_x);
    let mut rules = DemandRules { of_part: &Demands::of, of_location: &mut leaf };
    conjunctions.quantified(&manager, &demands, &mut rules)
}

/// The relations that the orders need; on finite words delayed simulation is direct simulation.
fn sharper(orders: Orders, method: &mut SetMethod, budget: &Budget) -> Result<Sharper, Stop> {
    let direct = orders.direct || orders.delayed;
    let orders = Orders { direct, delayed: false, ..orders };
    Sharper::new(orders, method.transitions_mut(), &BitSet::new(), budget)
}

impl Sharpen for AfaSubset<'_> {
    fn sharpen(&mut self, orders: Orders) -> Result<(), Stop> {
        self.sharper = sharper(orders, &mut self.method, self.budget)?;
        Ok(())
    }
}

impl<'a> AfaSubset<'a> {
    fn reversed(&mut self) -> Result<(&mut Predecessors, &Transitions<'a>), Stop> {
        let transitions = self.method.transitions();
        Ok((Predecessors::made(&mut self.predecessors, transitions)?, transitions))
    }
}

impl Reversible for AfaSubset<'_> {
    fn greatest(&mut self) -> Result<Vec<BitSet>, Stop> {
        Ok(vec![self.reversed()?.0.reachable().clone()])
    }

    fn greatest_final(&mut self) -> Result<Vec<BitSet>, Stop> {
        let mut last = self.reversed()?.0.reachable().clone();
        last.intersect_with(&self.accepting);
        Ok(vec![last])
    }

    fn predecessors(&mut self, set: &BitSet, _: Option<usize>) -> Result<Vec<BitSet>, Stop> {
        let budget = self.budget;
        let (predecessors, transitions) = self.reversed()?;
        let found = predecessors.greatest(transitions, &Goal::set(set.clone()), budget)?;
        Ok(found.into_iter().map(|(all, _)| all).collect())
    }

    fn is_above_initial(&self, set: &BitSet) -> bool {
        is_above_initial(self.automaton, set)
    }
}

impl ByLetter for AfaSubset<'_> {
    fn proposition(&self, proposition: Proposition) -> Option<Variable> {
        self.transitions().layout.find_proposition(proposition)
    }

    fn function_ahead(&mut self, from: &BitSet) -> Result<Bdd, Stop> {
        let set = self.sharper.reduced(from);
        let AfaSubset { method, by_letter, .. } = self;
        let transitions = method.transitions_mut();
        let conjunctions = by_letter.get_or_insert_with(|| Conjunctions::by_letter(transitions));
        Ok(demanded(transitions, conjunctions, &set)?)
    }

    fn steps_on(&mut self, _: &BitSet, function: &Bdd) -> Result<Vec<Step<BitSet>>, Stop> {
        let found = self.minimal_models(function)?.into_iter();
        let found = found.filter_map(|set| self.closed(set));
        Ok(found.map(|to| Step { to, marks: BitSet::new() }).collect())
    }

    fn goals(&self, to: &BitSet, _: Option<usize>) -> Vec<Goal> {
        vec![Goal::set(to.clone())]
    }

    fn function_behind(&mut self, goal: &Goal) -> Result<Bdd, Stop> {
        let AfaSubset { method, predecessors_by_letter: made, .. } = self;
        let transitions = method.transitions();
        let predecessors = made.get_or_insert_with(|| Predecessors::by_letter(transitions));
        Ok(predecessors.function(transitions, goal)?)
    }

    fn predecessors_on(&mut self, _: &Goal, function: &Bdd) -> Result<Vec<BitSet>, Stop> {
        let AfaSubset { method, predecessors_by_letter: made, budget, .. } = self;
        let transitions = method.transitions();
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
