//! Direct simulation between the locations of an alternating automaton [FW05], [GKSV03].
//!
//! The relation is the greatest one such that, wherever `k` implies `l`, `l` is accepting if `k` is (final, on
//! finite words), and
//!
//! ```text
//! delta(k)  entails  delta(l)[x_m := \/ { x_j | j implies m }].
//! ```
//!
//! Put as a game: whatever letter and set `S` of successors one player picks for `k`, the other finds successors `T` of `l`, and
//! whichever `m` of `T` the first then follows, the second can follow a `j` of `S` that implies it. As transitions
//! are monotone in locations, the best `T` is all that `S` implies, and the entailment says just that.
//!
//! **It implies inclusion of languages.** Take an accepting run from `k` and let the second player follow it. The
//! locations `m` that come up in the game form a run from `l` on the same word; each of its paths is matched by a path of
//! the run from `k`, and accepting at least wherever that is (on finite words: final at the end). It is the largest
//! such relation that is preserved by single steps and acceptance; this is what the order of Miyano and Hayashi's pairs
//! needs, where a location ceases to owe when it is accepting. It is reflexive, and transitive since strategies compose.
//!
//! The greatest fixpoint is found by removal. First [`Steps`] are held against all pairs of their location: a step of `k`, and what
//! it implies by what is left of the relation, must satisfy `delta(l)`. What survives is shown by one entailment of
//! diagrams a pair, and again only if a pair it rests on is removed: one of a target of `k` and a target of `l`.

use kermode_automata::{Expression, Location, Term};
use kermode_bdd::{Bdd, BitSet, Manager, OutOfNodes};
use kermode_ltl::random::Rng;

use super::steps::Steps;
use super::{LocationOrder, comparable, converse};
use crate::budget::{Budget, Stop};
use crate::space::accepting;
use crate::space::layout::Layout;
use crate::space::transitions::{Transitions, by_x};

/// What locations imply by direct simulation; some are to be implied by nothing but themselves.
pub(crate) fn direct_simulation(
    transitions: &mut Transitions,
    apart: &BitSet,
    budget: &Budget,
) -> Result<LocationOrder, Stop> {
    let locations = transitions.automaton.location_count();
    let Some(reachable) = comparable(transitions) else {
        return Ok(LocationOrder::identity(locations));
    };
    let mut simulation = Simulation::new(transitions, &reachable);
    simulation.respect_acceptance();
    simulation.set_apart(apart);
    simulation.refine(transitions, budget)?;
    Ok(LocationOrder::new(simulation.implies))
}

/// A relation on its way to a simulation.
pub(super) struct Simulation {
    pub(super) implies: Vec<BitSet>,
    pub(super) implied_by: Vec<BitSet>,
    /// From where each location can be reached in one step.
    pub(super) predecessors: Vec<BitSet>,
    pub(super) accepting: BitSet,
    sampler: Sampler,
    /// Locations whose steps are to be held against what they imply.
    to_sample: BitSet,
    /// Locations some of whose pairs are to be shown by diagrams.
    to_show: BitSet,
    /// The pairs that diagrams have shown, given the relation as it is.
    shown: Vec<BitSet>,
    /// `delta(l)` with what implies its locations instead of them, given the relation as it is.
    weakened: Vec<Option<Bdd>>,
}

impl Simulation {
    /// All locations that can be reached imply each other.
    pub(super) fn new(transitions: &Transitions, reachable: &BitSet) -> Self {
        let automaton = transitions.automaton;
        let sampler = Sampler::new(transitions, reachable);
        let all = |location: usize| match reachable.contains(location) {
            true => reachable.clone(),
            false => BitSet::from_iter([location]),
        };
        let implies: Vec<BitSet> = (0..automaton.location_count()).map(all).collect();
        let targets: Vec<BitSet> = sampler.steps.iter().map(Steps::target_set).collect();
        Simulation {
            implied_by: implies.clone(),
            shown: vec![BitSet::new(); implies.len()],
            weakened: vec![None; implies.len()],
            implies,
            predecessors: converse(&targets),
            accepting: accepting(automaton),
            sampler,
            to_sample: reachable.clone(),
            to_show: reachable.clone(),
        }
    }

    /// Removes the pairs of an accepting location and one that is not.
    pub(super) fn respect_acceptance(&mut self) {
        for k in self.accepting.clone().iter() {
            let mut wrong = self.implies[k].clone();
            wrong.subtract(&self.accepting);
            wrong.iter().for_each(|l| self.remove(k, l));
        }
    }

    /// Removes what implies some locations, but for themselves.
    fn set_apart(&mut self, apart: &BitSet) {
        for l in apart.iter() {
            let others = self.implied_by[l].clone();
            others.iter().filter(|&k| k != l).for_each(|k| self.remove(k, l));
        }
    }

    /// Removes a pair; what rests on it is to be looked at again.
    fn remove(&mut self, k: usize, l: usize) {
        self.implies[k].remove(l);
        self.implied_by[l].remove(k);
        self.to_sample.union_with(&self.predecessors[k]);
        self.to_show.union_with(&self.predecessors[k]);
        for before in self.predecessors[k].iter() {
            self.shown[before].subtract(&self.predecessors[l]);
        }
        self.predecessors[l].iter().for_each(|before| self.weakened[before] = None);
    }

    /// Makes it the greatest simulation within itself.
    pub(super) fn refine(
        &mut self,
        transitions: &mut Transitions,
        budget: &Budget,
    ) -> Result<(), Stop> {
        self.refute(transitions, budget)?;
        while let Some(k) = take_first(&mut self.to_show) {
            for l in self.implies[k].clone().iter().filter(|&l| l != k) {
                budget.check()?;
                if !self.implies[k].contains(l) || self.shown[k].contains(l) {
                    continue;
                }
                if self.is_entailed(transitions, k, l)? {
                    self.shown[k].insert(l);
                } else {
                    self.remove(k, l);
                    self.refute(transitions, budget)?;
                }
            }
        }
        Ok(())
    }

    /// Removes what steps refute.
    fn refute(&mut self, transitions: &Transitions, budget: &Budget) -> Result<(), Stop> {
        while let Some(k) = take_first(&mut self.to_sample) {
            budget.check()?;
            for l in self.sampler.refuted(transitions, k, &self.implies).iter() {
                self.remove(k, l);
            }
        }
        Ok(())
    }

    fn is_entailed(
        &mut self,
        transitions: &mut Transitions,
        k: usize,
        l: usize,
    ) -> Result<bool, OutOfNodes> {
        let weakened = match self.weakened[l].take() {
            Some(weakened) => weakened,
            None => transitions
                .with_locations(Location::from_index(l), &|manager, layout, m| {
                    any_of(manager, layout, &self.implied_by[m.index()])
                })?,
        };
        let transition = transitions.of(Location::from_index(k), 0, &by_x)?;
        let entailed = transition.entails(&weakened)?;
        self.weakened[l] = Some(weakened);
        Ok(entailed)
    }
}

/// Whether one of the locations is in the next set.
pub(super) fn any_of(
    manager: &Manager,
    layout: &Layout,
    locations: &BitSet,
) -> Result<Bdd, OutOfNodes> {
    let mut any = manager.bottom();
    for location in locations.iter() {
        any = any.or(&by_x(manager, layout, Location::from_index(location))?)?;
    }
    Ok(any)
}

fn take_first(set: &mut BitSet) -> Option<usize> {
    let first = set.iter().next()?;
    set.remove(first);
    Some(first)
}

/// Steps, and what is needed to hold them against pairs.
struct Sampler {
    steps: Vec<Steps>,
    /// The expressions of all transitions that can be reached, operands first.
    expressions: Vec<Expression>,
    /// Letters where steps do not care, by variable.
    letters: Vec<u64>,
    /// The truth of expressions.
    values: Vec<u64>,
}

impl Sampler {
    fn new(transitions: &Transitions, reachable: &BitSet) -> Self {
        let automaton = transitions.automaton;
        let transition = |l| automaton.transition(Location::from_index(l));
        let roots: Vec<Expression> = reachable.iter().map(transition).collect();
        let mut rng = Rng::new(2003);
        Sampler {
            steps: Steps::of_all(transitions),
            expressions: automaton.expressions().below(&roots),
            letters: (0..transitions.layout.len()).map(|_| rng.next_u64()).collect(),
            values: vec![0; automaton.expressions().len()],
        }
    }

    /// Some of what `k` is said to imply and does not.
    fn refuted(&mut self, transitions: &Transitions, k: usize, implies: &[BitSet]) -> BitSet {
        let steps = &self.steps[k];
        let mut follows = vec![0; implies.len()];
        for &(j, lanes) in &steps.targets {
            implies[j].iter().for_each(|m| follows[m] |= lanes);
        }
        let mut letters = self.letters.clone();
        for demand in &steps.demands {
            letters[demand.variable] |= demand.holds;
            letters[demand.variable] &= !demand.fails;
        }
        let possible = steps.possible;
        self.evaluate(transitions, &letters, &follows);
        let value =
            |l| self.values[transitions.automaton.transition(Location::from_index(l)).index()];
        implies[k].iter().filter(|&l| l != k && possible & !value(l) != 0).collect()
    }

    /// The truth of all expressions, a lane each bit.
    fn evaluate(&mut self, transitions: &Transitions, letters: &[u64], follows: &[u64]) {
        for &expression in &self.expressions {
            let value = match transitions.automaton.expressions().term(expression) {
                Term::Constant(true) => u64::MAX,
                Term::Constant(false) => 0,
                Term::Literal { proposition, positive } => {
                    let letters = letters[transitions.layout.proposition(proposition).index()];
                    if positive { letters } else { !letters }
                }
                Term::Location(location) => follows[location.index()],
                Term::And(a, b) => self.values[a.index()] & self.values[b.index()],
                Term::Or(a, b) => self.values[a.index()] | self.values[b.index()],
            };
            self.values[expression.index()] = value;
        }
    }
}
