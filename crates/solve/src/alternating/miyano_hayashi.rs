//! The state space of an alternating Büchi automaton after Miyano and Hayashi \[MH84\], section 3
//! of \[DDMR08\].
//!
//! A state `<s, o>` has the set `s` of locations at one level of a run and the set `o` of
//! obligations: those locations that have not visited an accepting location since the last
//! breakpoint. A state without obligations is accepting (a breakpoint), and all locations of the
//! next level become obligations. A state subsumes another if its sets are included in the other's
//! and both or none are accepting.
//!
//! **Minimal successors as minimal models.** Let `x_l` say that `l` is in `s'`, and `y_l`, for
//! non-accepting `l`, that it is in `o'`. From `<s, {}>` the sets `s'` are the models of `exists P.
//! /\_{l in s} delta(l)[x]`, which is monotone. From `<s, o>` with obligations they are those of
//!
//! ```text
//! exists P. /\_{l in s \ o} delta(l)[x | y]
//!         & /\_{l in o} delta(l)[y, and x for accepting locations]
//! ```
//!
//! with `s' = x + y` and `o' = y`, so `o'` is a subset of `s'` by construction. A minimal model may
//! still be a pair that another one subsumes (`x_l` against `y_l`); such pairs are removed.
//!
//! Departs from the paper in one more way: if the locations of `s'` need no obligations, successors
//! with obligations and no smaller `s'` are left out. The words accepted from `<s, o>` depend on
//! `s` alone, so a run through such a successor can be replaced by one through the accepting one.
//! Each replacement visits an accepting state.
//!
//! **Sharper orders.** With direct simulation both sets are closed under implication, `o` without
//! accepting locations. The order is again a forward simulation: for each step of the larger pair,
//! each location of the smaller one has a step below it, because a location that implies it has
//! one. A non-accepting obligation of the smaller pair is implied by a non-accepting obligation of
//! the larger one, or it is met sooner than there; then the smaller pair is accepting and accepts
//! no less. With delayed simulation, a pair without obligations represents all pairs that accept no
//! more.

use kermode_automata::space::{AllSteps, NextStep, Ordered, Reversible, Space, Step};
use kermode_automata::{AlternatingAutomaton, Location};
use kermode_base::BitSet;
use kermode_bdd::{Bdd, Manager, OutOfNodes, Variable};
use kermode_ltl::{Letter, Proposition};

use super::algorithm_one::AlgorithmOne;
use super::by_letter::{ByLetter, intersection, union};
use super::conjunctions::{Conjunctions, DemandRules, Demands};
use super::kripke::mistakes::{Mistake, is_planted};
use super::layout::{Layout, Meaning};
use super::predecessors::{Goal, Predecessors};
use super::transitions::{Transitions, X, by_x};
use super::{Sharpen, Successors, accepting, check_length, folded, is_above_initial, labels};
use crate::alternating::order::{Orders, Sharper};
use crate::frame::budget::{Budget, Stop};

/// A state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pair {
    /// The locations of a level.
    pub(crate) s: BitSet,
    /// The obligations: locations that still have to visit an accepting location.
    pub(crate) o: BitSet,
}

impl Pair {
    /// Whether it accepts all words that the other accepts: its sets are included in the other's,
    /// and both or none are accepting.
    pub(crate) fn subsumes(&self, other: &Pair) -> bool {
        (self.o.is_empty() == other.o.is_empty() || is_planted(Mistake::KindsAreMixed))
            && self.s.is_subset(&other.s)
            && self.o.is_subset(&other.o)
    }
}

/// The state space of an automaton.
pub(crate) struct MiyanoHayashi<'a> {
    automaton: &'a AlternatingAutomaton,
    budget: &'a Budget,
    accepting: BitSet,
    method: PairMethod<'a>,
    sharper: Sharper,
    /// Built on demand.
    predecessors: Option<Predecessors>,
    predecessors_by_letter: Option<Predecessors>,
}

enum PairMethod<'a> {
    MinimalModels(Box<MinimalModels<'a>>),
    AlgorithmOne(Box<AlgorithmOne<'a>>),
}

/// How the locations of a transition are interpreted.
const ONLY: usize = 0;
const EITHER: usize = 1;
const OBLIGATION: usize = 2;

/// The copy of a location's variable that says whether it is an obligation.
const Y: usize = 1;

struct MinimalModels<'a> {
    transitions: Transitions<'a>,
    conjunctions: Conjunctions<Demands>,
    /// The same by letter, built on demand.
    by_letter: Option<Conjunctions<Demands>>,
}

impl<'a> PairMethod<'a> {
    fn transitions(&self) -> &Transitions<'a> {
        match self {
            PairMethod::MinimalModels(method) => &method.transitions,
            PairMethod::AlgorithmOne(method) => &method.transitions,
        }
    }

    fn transitions_mut(&mut self) -> &mut Transitions<'a> {
        match self {
            PairMethod::MinimalModels(method) => &mut method.transitions,
            PairMethod::AlgorithmOne(method) => &mut method.transitions,
        }
    }
}

impl<'a> MiyanoHayashi<'a> {
    pub(crate) fn new(
        automaton: &'a AlternatingAutomaton,
        successors: Successors,
        orders: Orders,
        budget: &'a Budget,
    ) -> Result<Self, Stop> {
        let mut method = match successors {
            Successors::MinimalModels => {
                PairMethod::MinimalModels(Box::new(MinimalModels::new(automaton, budget)?))
            }
            Successors::AlgorithmOne => {
                PairMethod::AlgorithmOne(Box::new(AlgorithmOne::for_pairs(automaton, budget)?))
            }
        };
        let accepting = accepting(automaton);
        let sharper = Sharper::new(orders, method.transitions_mut(), &BitSet::new(), budget)?;
        Ok(MiyanoHayashi {
            automaton,
            budget,
            accepting,
            method,
            sharper,
            predecessors: None,
            predecessors_by_letter: None,
        })
    }

    fn transitions(&self) -> &Transitions<'a> {
        self.method.transitions()
    }

    fn successor_pairs(&mut self, pair: &Pair) -> Result<Vec<Pair>, Stop> {
        let pair = &self.reduced(pair);
        let most = self.sharper.most_successors();
        let found = match &mut self.method {
            PairMethod::MinimalModels(method) => method.successors(pair, most, self.budget)?,
            PairMethod::AlgorithmOne(method) => return method.successors(pair, self.budget),
        };
        Ok(self.minimal(pair, found))
    }

    /// The minimal ones of the pairs of minimal models; after a breakpoint, with their obligations.
    fn minimal(&self, pair: &Pair, mut found: Vec<Pair>) -> Vec<Pair> {
        if pair.o.is_empty() {
            for successor in &mut found {
                successor.o = successor.s.clone();
                successor.o.subtract(&self.accepting);
            }
            return found;
        }
        least(found)
    }

    /// The locations of a pair that no other location of the pair implies.
    fn reduced(&self, pair: &Pair) -> Pair {
        let o = self.sharper.reduced(&pair.o);
        let mut s = self.sharper.reduced(&pair.s);
        s.union_with(&o);
        Pair { s, o }
    }

    /// The closure of a pair under implication, or nothing if it accepts nothing.
    fn closed(&self, pair: Pair) -> Option<Pair> {
        let s = self.sharper.closed(pair.s);
        let mut o = self.sharper.closed(pair.o);
        o.subtract(&self.accepting);
        (!self.sharper.forbids(&s)).then_some(Pair { s, o })
    }
}

impl<'a> MinimalModels<'a> {
    fn new(automaton: &'a AlternatingAutomaton, budget: &Budget) -> Result<Self, Stop> {
        let copies = |location| if automaton.is_accepting(location) { 1 } else { 2 };
        let layout = Layout::new(automaton, copies);
        let transitions = Transitions::new(automaton, layout, 3, budget)?;
        let conjunctions = Conjunctions::new(&transitions)?;
        Ok(MinimalModels { transitions, conjunctions, by_letter: None })
    }

    /// The function by letter whose minimal models are the successors of a pair.
    fn function(&mut self, pair: &Pair) -> Result<Bdd, OutOfNodes> {
        let MinimalModels { transitions, by_letter, .. } = self;
        let conjunctions = by_letter.get_or_insert_with(|| Conjunctions::by_letter(transitions));
        demanded(transitions, conjunctions, pair)
    }

    fn successors(
        &mut self,
        pair: &Pair,
        most: Option<u128>,
        budget: &Budget,
    ) -> Result<Vec<Pair>, Stop> {
        let function = demanded(&mut self.transitions, &mut self.conjunctions, pair)?;
        self.pairs_of(&function, most, budget)
    }

    /// The pairs of the minimal models of a function without propositions.
    fn pairs_of(
        &self,
        function: &Bdd,
        most: Option<u128>,
        budget: &Budget,
    ) -> Result<Vec<Pair>, Stop> {
        let models = function.minimal_models(&mut || budget.check())?;
        check_length(&models, most)?;
        let (layout, locations) =
            (&self.transitions.layout, self.transitions.automaton.location_count());
        let element = |variable| match layout.meaning(variable) {
            Meaning::Location(location, copy) => location.index() + copy * locations,
            Meaning::Proposition(_) => unreachable!("propositions are quantified"),
        };
        let mut found = Vec::new();
        for set in models.sets_of(element) {
            budget.check()?;
            found.push(unfold(&set, locations));
        }
        Ok(found)
    }
}

/// The conjunction of the demands on the successors of a pair.
fn demanded(
    transitions: &mut Transitions,
    conjunctions: &mut Conjunctions<Demands>,
    pair: &Pair,
) -> Result<Bdd, OutOfNodes> {
    let pairs = !pair.o.is_empty();
    let demands = Demands { all: pair.s.clone(), special: pair.o.clone(), reading: pairs };
    let manager = transitions.manager.clone();
    let mut leaf = |location: Location, demands: &Demands| match (
        pairs,
        demands.special.contains(location.index()),
    ) {
        (false, _) => transitions.of(location, ONLY, &by_x),
        (true, false) => transitions.of(location, EITHER, &either),
        (true, true) => transitions.of(location, OBLIGATION, &obligation),
    };
    let mut rules = DemandRules { of_part: &Demands::of, of_location: &mut leaf };
    conjunctions.quantified(&manager, &demands, &mut rules)
}

/// The pair of a model: `x` from 0 on, `y` from `locations` on.
fn unfold(model: &BitSet, locations: usize) -> Pair {
    let o: BitSet = model.iter().filter(|&e| e >= locations).map(|e| e - locations).collect();
    let mut s: BitSet = model.iter().take_while(|&e| e < locations).collect();
    s.union_with(&o);
    Pair { s, o }
}

fn has_y(layout: &Layout, location: Location) -> bool {
    let after = layout.location(location, Y);
    after.index() < layout.len() && layout.meaning(after) == Meaning::Location(location, Y)
}

fn either(manager: &Manager, layout: &Layout, location: Location) -> Result<Bdd, OutOfNodes> {
    let x = by_x(manager, layout, location)?;
    match has_y(layout, location) {
        true => x.or(&manager.variable(layout.location(location, Y))?),
        false => Ok(x),
    }
}

fn obligation(manager: &Manager, layout: &Layout, location: Location) -> Result<Bdd, OutOfNodes> {
    let copy = if has_y(layout, location) { Y } else { X };
    manager.variable(layout.location(location, copy))
}

impl MiyanoHayashi<'_> {
    /// The minimal successors.
    fn successors(&mut self, pair: &Pair) -> Result<Vec<Step<Pair>>, Stop> {
        let found = self.successor_pairs(pair)?;
        let marks: BitSet = pair.o.is_empty().then_some(0).into_iter().collect();
        let found = found.into_iter().filter_map(|pair| self.closed(pair));
        Ok(found.map(|to| Step { to, marks: marks.clone() }).collect())
    }
}

impl Space for MiyanoHayashi<'_> {
    type State = Pair;
    type Label = ();
    type Cursor = AllSteps<Pair>;
    type Stop = Stop;

    fn initial(&mut self) -> Result<Vec<Pair>, Stop> {
        let transitions = self.transitions();
        let initial = transitions.initial(&by_x)?.minimal_models(&mut || self.budget.check())?;
        let element = |variable| match transitions.layout.meaning(variable) {
            Meaning::Location(location, _) => location.index(),
            Meaning::Proposition(_) => unreachable!("initial conditions have no literals"),
        };
        let pairs = initial.sets_of(element).map(|s| Pair { s, o: BitSet::new() });
        Ok(pairs.filter_map(|pair| self.closed(pair)).collect())
    }

    fn mark_count(&self) -> usize {
        1
    }

    fn steps(&mut self, pair: &Pair) -> Result<AllSteps<Pair>, Stop> {
        Ok(self.successors(pair)?.into_iter())
    }

    fn next_step(&mut self, cursor: &mut AllSteps<Pair>) -> NextStep<Self> {
        Ok(cursor.next().map(|step| (step, ())))
    }

    fn is_final(&self, _: &Pair) -> bool {
        false
    }

    fn letter(&mut self, from: &Pair, step: &Step<Pair>, (): &()) -> Result<Letter, Stop> {
        let to = &step.to;
        let in_s = |location: Location| to.s.contains(location.index());
        let in_o = |location: Location| {
            to.o.contains(location.index())
                || (to.s.contains(location.index()) && self.accepting.contains(location.index()))
        };
        let mut steps: Vec<(Location, &dyn Fn(Location) -> bool)> = Vec::new();
        for index in from.s.iter() {
            let is_obligation = from.o.is_empty() || from.o.contains(index);
            let follows: &dyn Fn(Location) -> bool = if is_obligation { &in_o } else { &in_s };
            steps.push((Location::from_index(index), follows));
        }
        self.transitions().letter(&steps)
    }

    fn describe(&self, pair: &Pair) -> String {
        format!("<{}, {}>", labels(self.automaton, &pair.s), labels(self.automaton, &pair.o))
    }
}

impl Ordered for MiyanoHayashi<'_> {
    fn simulates(&self, small: &Pair, large: &Pair) -> bool {
        small.subsumes(large)
    }

    fn subsumes(&self, small: &Pair, large: &Pair) -> bool {
        self.simulates(small, large)
            || small.o.is_empty() && self.sharper.accepts_no_less(&small.s, &large.s)
    }

    fn size(&self, pair: &Pair) -> usize {
        self.sharper.weight(&pair.s).len() + pair.o.len()
    }

    fn largest_size(&self) -> usize {
        2 * self.automaton.location_count()
    }

    fn sizes_are_strict(&self) -> bool {
        !self.sharper.exchanges()
    }

    /// Half of the bits for each set. The lowest two distinguish accepting states from others. If
    /// pairs may represent pairs that they do not simulate, obligations have no bits.
    fn signature(&self, pair: &Pair) -> u64 {
        if self.sharper.exchanges() {
            return folded(&self.sharper.weight(&pair.s));
        }
        let half = |set| {
            let word = folded(set);
            (word | word >> 31 | word >> 62) & ((1 << 31) - 1)
        };
        let kind = if pair.o.is_empty() { 1 } else { 2 };
        half(&pair.s) << 33 | half(&pair.o) << 2 | kind
    }
}

impl Sharpen for MiyanoHayashi<'_> {
    fn sharpen(&mut self, orders: Orders) -> Result<(), Stop> {
        let transitions = self.method.transitions_mut();
        self.sharper = Sharper::new(orders, transitions, &BitSet::new(), self.budget)?;
        Ok(())
    }
}

/// Removes pairs that others subsume.
fn least(mut pairs: Vec<Pair>) -> Vec<Pair> {
    pairs.sort_by_key(|pair| (pair.s.len(), pair.o.len()));
    let mut kept: Vec<Pair> = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let better = |other: &Pair| other.o.is_subset(&pair.o) && other.s.is_subset(&pair.s);
        let fits = |other: &Pair| other.o.is_empty() || !pair.o.is_empty();
        if !kept.iter().any(|other| fits(other) && better(other)) {
            kept.push(pair);
        }
    }
    kept
}

impl<'a> MiyanoHayashi<'a> {
    fn reversed(&mut self) -> Result<(&mut Predecessors, &Transitions<'a>), Stop> {
        let transitions = self.method.transitions();
        Ok((Predecessors::made(&mut self.predecessors, transitions)?, transitions))
    }
}

/// Backward steps of the relation that Lemma 3 of \[DDMR08\] closes upwards. Let `t' = o' + (s' &
/// alpha)` be the possible successors of obligations:
/// - `<s, o>` with obligations has a step to `<s', o'>` or below iff, on one letter, `s` has a step
///   to `s'` and `o` one to `t'`;
/// - `<s, {}>` has one iff `s` has a step to `t'`: the step to `<t', t' \ alpha>`, which is below
///   `<s', o'>`, is the best one.
impl Reversible for MiyanoHayashi<'_> {
    fn greatest(&mut self) -> Result<Vec<Pair>, Stop> {
        let (predecessors, _) = self.reversed()?;
        let [s, o] =
            [predecessors.reachable().clone(), predecessors.possible_obligations().clone()];
        let nothing_owed = Pair { s: s.clone(), o: BitSet::new() };
        let something_owed = (!o.is_empty()).then_some(Pair { s, o });
        Ok(something_owed.into_iter().chain([nothing_owed]).collect())
    }

    fn greatest_final(&mut self) -> Result<Vec<Pair>, Stop> {
        Ok(Vec::new())
    }

    fn predecessors(&mut self, pair: &Pair, mark: Option<usize>) -> Result<Vec<Pair>, Stop> {
        let (goals, budget) = (self.goals(pair, mark), self.budget);
        let (predecessors, transitions) = self.reversed()?;
        let mut found = Vec::new();
        for goal in goals {
            let sets = predecessors.greatest(transitions, &goal, budget)?;
            found.extend(pairs_before(&goal, sets));
        }
        Ok(found)
    }

    fn is_above_initial(&self, pair: &Pair) -> bool {
        pair.o.is_empty() && is_above_initial(self.automaton, &pair.s)
    }
}

/// The pairs with a step to a goal: breakpoints, unless it has obligations.
fn pairs_before(goal: &Goal, sets: Vec<(BitSet, BitSet)>) -> Vec<Pair> {
    match goal.obligations {
        None => sets.into_iter().map(|(s, _)| Pair { s, o: BitSet::new() }).collect(),
        Some(_) => {
            let pairs = sets.into_iter().map(|(s, o)| Pair { s, o });
            pairs.filter(|pair| !pair.o.is_empty()).collect()
        }
    }
}

impl ByLetter for MiyanoHayashi<'_> {
    fn proposition(&self, proposition: Proposition) -> Option<Variable> {
        self.transitions().layout.find_proposition(proposition)
    }

    fn function_ahead(&mut self, from: &Pair) -> Result<Bdd, Stop> {
        let pair = self.reduced(from);
        match &mut self.method {
            PairMethod::MinimalModels(method) => Ok(method.function(&pair)?),
            PairMethod::AlgorithmOne(_) => {
                let why = "the product with a model finds successors as minimal models";
                Err(Stop::Unsupported(why.to_owned()))
            }
        }
    }

    fn steps_on(&mut self, from: &Pair, function: &Bdd) -> Result<Vec<Step<Pair>>, Stop> {
        let (reduced, most) = (self.reduced(from), self.sharper.most_successors());
        let found = match &self.method {
            PairMethod::MinimalModels(method) => method.pairs_of(function, most, self.budget)?,
            PairMethod::AlgorithmOne(_) => Vec::new(),
        };
        let marks: BitSet = from.o.is_empty().then_some(0).into_iter().collect();
        let found = self.minimal(&reduced, found).into_iter();
        let found = found.filter_map(|pair| self.closed(pair));
        Ok(found.map(|to| Step { to, marks: marks.clone() }).collect())
    }

    /// Steps from breakpoints, which have the mark, and from pairs with obligations.
    fn goals(&self, to: &Pair, mark: Option<usize>) -> Vec<Goal> {
        let discharging = union(&intersection(&to.s, &self.accepting), &to.o);
        let from_breakpoints = Goal::set(discharging.clone());
        let from_obligations = Goal { obligations: Some(discharging), ..Goal::set(to.s.clone()) };
        match mark {
            Some(_) => vec![from_breakpoints],
            None => vec![from_breakpoints, from_obligations],
        }
    }

    fn function_behind(&mut self, goal: &Goal) -> Result<Bdd, Stop> {
        let MiyanoHayashi { method, predecessors_by_letter: made, .. } = self;
        let transitions = method.transitions();
        let predecessors = made.get_or_insert_with(|| Predecessors::by_letter(transitions));
        Ok(predecessors.function(transitions, goal)?)
    }

    fn predecessors_on(&mut self, goal: &Goal, function: &Bdd) -> Result<Vec<Pair>, Stop> {
        let MiyanoHayashi { method, predecessors_by_letter: made, budget, .. } = self;
        let transitions = method.transitions();
        let predecessors = made.get_or_insert_with(|| Predecessors::by_letter(transitions));
        Ok(pairs_before(goal, predecessors.greatest_of(transitions, function, budget)?))
    }

    fn join(&self, one: &Pair, other: &Pair) -> Option<Pair> {
        let pair = Pair { s: union(&one.s, &other.s), o: union(&one.o, &other.o) };
        (one.o.is_empty() == other.o.is_empty()).then_some(pair)
    }

    fn meet(&self, one: &Pair, other: &Pair) -> Option<Pair> {
        let [s, o] =
            [(&one.s, &other.s), (&one.o, &other.o)].map(|(one, other)| intersection(one, other));
        let is_kind = o.is_empty() == one.o.is_empty() && o.is_empty() == other.o.is_empty();
        is_kind.then_some(Pair { s, o })
    }

    fn exchanges(&self) -> bool {
        self.sharper.exchanges()
    }

    fn sets(&self, state: &Pair) -> Pair {
        state.clone()
    }

    fn state_of(&self, sets: Pair) -> Pair {
        sets
    }
}
