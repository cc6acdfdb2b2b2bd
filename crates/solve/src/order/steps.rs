//! Random steps of locations, sixty-four at a time.
//!
//! A step of a location is a letter and a set of locations that satisfy its transition. Steps are drawn in the bits of a word,
//! called lanes, by passes through the expressions of the transition. Letters begin at random. Then, a few times, the
//! truth of all expressions is computed, operands first, as if all locations followed; and where the transition is
//! false, another pass, operators first, asks for what would make it true: both operands of a conjunction, and one of
//! a disjunction, by a throw of a coin if both are false. Literals that are asked for are granted. Where that
//! succeeds, a last pass of that kind through what is true picks the literals and locations that make up the step. So the sets
//! are small, as those of minimal models are.
//!
//! A step that contradicts a claim about locations refutes it; a step that a claim asks for proves it.

use kermode_automata::{AlternatingAutomaton, Expression, Location, Term};
use kermode_bdd::BitSet;
use kermode_ltl::random::Rng;

use crate::space::layout::Layout;
use crate::space::transitions::Transitions;

/// What is drawn is the same every time.
const SEED: u64 = 2005;
/// How often letters are mended.
const ROUNDS: usize = 4;
/// With so many lanes we are content.
const ENOUGH: u32 = 24;

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
    /// Sorts, and joins what is said of a proposition.
    fn sort(&mut self) {
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

/// Draws steps.
pub(super) struct Drawer<'a> {
    automaton: &'a AlternatingAutomaton,
    /// The expressions below each transition that can be reached, operands first.
    below: Vec<Vec<Expression>>,
    /// The variable of the proposition of each literal.
    variables: Vec<usize>,
    rng: Rng,
    /// Which propositions hold, by variable.
    letters: Vec<u64>,
    /// The truth of expressions.
    values: Vec<u64>,
    /// The lanes that ask for an expression; none between two passes.
    asked: Vec<u64>,
}

/// A location that takes a step, and the locations that must not follow it.
pub(super) type Part<'p> = (usize, &'p dyn Fn(usize) -> bool);

impl<'a> Drawer<'a> {
    pub(super) fn new(transitions: &Transitions<'a>) -> Self {
        let (automaton, layout) = (transitions.automaton, &transitions.layout);
        let expressions = automaton.expressions();
        let mut below = vec![Vec::new(); automaton.location_count()];
        for location in layout.reachable() {
            below[location.index()] = expressions.below(&[automaton.transition(location)]);
        }
        let mut variables = vec![usize::MAX; expressions.len()];
        for &expression in below.iter().flatten() {
            if let Term::Literal { proposition, .. } = expressions.term(expression) {
                variables[expression.index()] = layout.proposition(proposition).index();
            }
        }
        Drawer {
            automaton,
            below,
            variables,
            rng: Rng::new(SEED),
            letters: vec![0; layout.len()],
            values: vec![0; expressions.len()],
            asked: vec![0; expressions.len()],
        }
    }

    /// Steps of each location that can be reached.
    pub(super) fn each(&mut self, layout: &Layout) -> Vec<Steps> {
        let mut steps = vec![Steps::default(); self.below.len()];
        for location in layout.reachable() {
            let mut drawn = self.draw(&[(location.index(), &|_| false)]);
            steps[location.index()] = drawn.pop().unwrap_or_default();
        }
        steps
    }

    /// Steps of several locations on the same letters.
    pub(super) fn draw(&mut self, parts: &[Part]) -> Vec<Steps> {
        for &(location, _) in parts {
            for &literal in &self.below[location] {
                if let Some(letters) = self.letters.get_mut(self.variables[literal.index()]) {
                    *letters = self.rng.next_u64();
                }
            }
        }
        for _ in 0..ROUNDS {
            let possible = parts.iter().fold(u64::MAX, |all, part| all & self.mend(part));
            if possible.count_ones() >= ENOUGH {
                break;
            }
        }
        parts.iter().map(|part| self.pick(part)).collect()
    }

    fn root(&self, location: usize) -> Expression {
        self.automaton.transition(Location::from_index(location))
    }

    /// The lanes in which the transition is true; where it is not, letters are changed in its favour.
    fn mend(&mut self, &(location, excluded): &Part) -> u64 {
        self.evaluate(location, excluded);
        let root = self.root(location);
        let possible = self.values[root.index()];
        if possible == u64::MAX {
            return possible;
        }
        self.asked[root.index()] = !possible;
        for place in (0..self.below[location].len()).rev() {
            let expression = self.below[location][place];
            let lanes = std::mem::take(&mut self.asked[expression.index()]);
            match self.automaton.expressions().term(expression) {
                Term::Literal { positive, .. } => {
                    let letters = &mut self.letters[self.variables[expression.index()]];
                    if positive { *letters |= lanes } else { *letters &= !lanes }
                }
                term => self.ask(term, lanes),
            }
        }
        possible
    }

    /// What makes up a step of a location where its transition is true.
    fn pick(&mut self, &(location, excluded): &Part) -> Steps {
        self.evaluate(location, excluded);
        let root = self.root(location);
        let mut steps = Steps { possible: self.values[root.index()], ..Steps::default() };
        self.asked[root.index()] = steps.possible;
        for place in (0..self.below[location].len()).rev() {
            let expression = self.below[location][place];
            let lanes = std::mem::take(&mut self.asked[expression.index()]);
            match self.automaton.expressions().term(expression) {
                Term::Literal { positive, .. } => {
                    let variable = self.variables[expression.index()];
                    let (holds, fails) = if positive { (lanes, 0) } else { (0, lanes) };
                    steps.demands.push(Demand { variable, holds, fails });
                }
                Term::Location(target) => steps.targets.push((target.index(), lanes)),
                term => self.ask(term, lanes),
            }
        }
        steps.sort();
        steps
    }

    /// Passes what is asked of an operator on to its operands; of a disjunction to a true one, if there is one.
    fn ask(&mut self, term: Term, lanes: u64) {
        match term {
            Term::And(a, b) => [a, b].iter().for_each(|e| self.asked[e.index()] |= lanes),
            Term::Or(a, b) => {
                let [first, second] = [a, b].map(|operand| self.values[operand.index()]);
                let coin = self.rng.next_u64();
                let to_first = (first & !second) | (!(first ^ second) & coin);
                self.asked[a.index()] |= lanes & to_first;
                self.asked[b.index()] |= lanes & !to_first;
            }
            Term::Constant(_) | Term::Literal { .. } | Term::Location(_) => {}
        }
    }

    /// The truth of what is below a transition.
    fn evaluate(&mut self, location: usize, excluded: &dyn Fn(usize) -> bool) {
        for &expression in &self.below[location] {
            self.values[expression.index()] = value(
                self.automaton.expressions().term(expression),
                &self.values,
                || self.letters[self.variables[expression.index()]],
                |target| if excluded(target) { 0 } else { u64::MAX },
            );
        }
    }
}

/// The truth of an expression, given that of its operands, of its proposition and of locations.
pub(super) fn value(
    term: Term,
    values: &[u64],
    letters: impl Fn() -> u64,
    follows: impl Fn(usize) -> u64,
) -> u64 {
    match term {
        Term::Constant(true) => u64::MAX,
        Term::Constant(false) => 0,
        Term::Literal { positive: true, .. } => letters(),
        Term::Literal { positive: false, .. } => !letters(),
        Term::Location(location) => follows(location.index()),
        Term::And(a, b) => values[a.index()] & values[b.index()],
        Term::Or(a, b) => values[a.index()] | values[b.index()],
    }
}
