//! Random steps of locations, sixty-four at a time.
//!
//! A step of a location is a letter and a set of locations that satisfy its transition. One pass through the
//! expressions of a transition, operators first, draws a step in each bit of a word, called a lane: both operands of a conjunction
//! are wanted, and of a disjunction one by a throw of a coin. So the sets are small, as those of minimal models are,
//! and no lane is lost to chance; only where a proposition is wanted to be true and false is there no step.
//!
//! A step that contradicts a claim about locations refutes it; a step that a claim asks for proves it.

use kermode_automata::{Location, Term};
use kermode_bdd::BitSet;
use kermode_ltl::random::Rng;

use crate::space::transitions::Transitions;

/// What is drawn is the same every time.
const SEED: u64 = 2005;

/// Steps of a location, a lane each.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    /// The lanes that have a step.
    pub(super) possible: u64,
    /// What the letters must say, by variable.
    pub(super) demands: Vec<Demand>,
    /// Where the transition leads, by number, and in which lanes it does.
    pub(super) targets: Vec<(usize, u64)>,
}

/// What letters say of a proposition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    /// The number of its variable.
    pub(super) variable: usize,
    /// The lanes in which it must hold.
    pub(super) holds: u64,
    /// The lanes in which it must not.
    pub(super) fails: u64,
}

impl Steps {
    /// Steps of all locations that can be reached.
    pub(super) fn of_all(transitions: &Transitions) -> Vec<Steps> {
        let mut steps = vec![Steps::default(); transitions.automaton.location_count()];
        let mut wanted = vec![0; transitions.automaton.expressions().len()];
        let mut rng = Rng::new(SEED);
        for location in transitions.layout.reachable() {
            steps[location.index()] = Steps::draw(transitions, location, &mut rng, &mut wanted);
        }
        steps
    }

    /// Draws steps. `wanted` has the lanes that want an expression, none before and after.
    fn draw(
        transitions: &Transitions,
        location: Location,
        rng: &mut Rng,
        wanted: &mut [u64],
    ) -> Steps {
        let (automaton, layout) = (transitions.automaton, &transitions.layout);
        let root = automaton.transition(location);
        let mut steps = Steps { possible: u64::MAX, ..Steps::default() };
        wanted[root.index()] = u64::MAX;
        for expression in automaton.expressions().below(&[root]).into_iter().rev() {
            let lanes = std::mem::take(&mut wanted[expression.index()]);
            match automaton.expressions().term(expression) {
                Term::Constant(true) => {}
                Term::Constant(false) => steps.possible &= !lanes,
                Term::Literal { proposition, positive } => {
                    let variable = layout.proposition(proposition).index();
                    let (holds, fails) = if positive { (lanes, 0) } else { (0, lanes) };
                    steps.demands.push(Demand { variable, holds, fails });
                }
                Term::Location(target) => steps.targets.push((target.index(), lanes)),
                Term::And(a, b) => [a, b].iter().for_each(|e| wanted[e.index()] |= lanes),
                Term::Or(a, b) => {
                    let first = rng.next_u64();
                    wanted[a.index()] |= lanes & first;
                    wanted[b.index()] |= lanes & !first;
                }
            }
        }
        steps.settle();
        steps
    }

    /// Sorts, joins what is said of a proposition and gives up the lanes in which that contradicts itself.
    fn settle(&mut self) {
        self.targets.sort_unstable();
        self.demands.sort_unstable_by_key(|demand| demand.variable);
        self.demands.dedup_by(|next, joined| {
            let same = next.variable == joined.variable;
            if same {
                joined.holds |= next.holds;
                joined.fails |= next.fails;
            }
            same
        });
        self.demands.iter().for_each(|demand| self.possible &= !(demand.holds & demand.fails));
    }

    /// The lanes that lead to a location.
    pub(super) fn lanes_to(&self, location: usize) -> u64 {
        let place = self.targets.binary_search_by_key(&location, |&(target, _)| target);
        place.map_or(0, |place| self.targets[place].1)
    }

    /// Where the transition leads.
    pub(super) fn target_set(&self) -> BitSet {
        self.targets.iter().map(|&(target, _)| target).collect()
    }
}
