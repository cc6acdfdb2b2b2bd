//! Steps of sets of locations one at a time, by a SAT solver.
//!
//! The minimal successors of a set are the minimal models of a monotone function
//! (`alternating/very_weak.rs`, `alternating/afa_subset.rs`). A decision diagram of that function
//! may be too large, and the function may have exponentially many minimal models. Here no diagram
//! of a step is built, only the clauses of transitions, each of them once, and a model is found
//! when it is asked for:
//!
//! 1. A query for a model, under the assumption that the transitions of the locations hold.
//! 2. Queries for a smaller model, until there is none: what is false stays false, and something
//!    that is true becomes false.
//! 3. A clause that excludes the model and all larger ones. It holds under an assumption of the
//!    cursor, so that several cursors are in use at a time.
//!
//! Step 3 lists each minimal model once, so a cursor that is read to its end has the steps of
//! `post=minimal`. States, marks and order are those of the space that is wrapped.

use kermode_automata::space::{NextStep, Ordered, Space, Step};
use kermode_automata::{AlternatingAutomaton, Expression, Location, Term};
use kermode_base::BitSet;
use kermode_ltl::{Letter, Proposition};
use kermode_sat::Literal;
use rustc_hash::FxHashMap;

use crate::alternating::order::Orders;
use crate::alternating::{SetSpace, Sharpen};
use crate::engines::sat::SatContext;
use crate::frame::budget::{Budget, Stop};

/// A space of sets whose steps a SAT solver finds.
pub(super) struct BySat<'a, S> {
    space: S,
    automaton: &'a AlternatingAutomaton,
    context: SatContext<'a>,
    propositions: FxHashMap<Proposition, Literal>,
    /// By location, whether it is in the next set.
    next: Vec<Literal>,
    /// By location, whether it stays in the set because of its own transition.
    stays: Vec<Literal>,
    /// The literals of transitions, each of which implies its transition.
    transitions: FxHashMap<Location, Literal>,
    /// The literals of expressions; those that contain the location of their transition, if it has
    /// a mark, are kept apart.
    expressions: FxHashMap<(Expression, Option<Location>), Literal>,
}

/// The minimal steps of a set that were not found yet.
pub(super) struct SatCursor {
    /// The assumptions: the transitions of the set, and that no model is found again.
    assumptions: Vec<Literal>,
    /// The assumption that no model is found again.
    is_new: Literal,
    /// What models are compared by: locations of the next set, and then those that stay, which
    /// have larger numbers.
    elements: Vec<(usize, Literal)>,
    is_finished: bool,
}

impl<'a, S: SetSpace> BySat<'a, S> {
    pub(super) fn new(space: S, automaton: &'a AlternatingAutomaton, budget: &'a Budget) -> Self {
        let mut context = SatContext::new(budget);
        let count = automaton.location_count();
        let next: Vec<Literal> = (0..count).map(|_| context.reluctant()).collect();
        let stays: Vec<Literal> = (0..count).map(|_| context.reluctant()).collect();
        for location in (0..count).filter(|&location| space.is_marked(location)) {
            context.clause(&[!stays[location], next[location]]);
        }
        BySat {
            space,
            automaton,
            context,
            propositions: FxHashMap::default(),
            next,
            stays,
            transitions: FxHashMap::default(),
            expressions: FxHashMap::default(),
        }
    }

    /// The literal of the transition of a location.
    fn transition(&mut self, location: Location) -> Literal {
        if let Some(&literal) = self.transitions.get(&location) {
            return literal;
        }
        let own = self.space.is_marked(location.index()).then_some(location);
        let literal = self.compile(self.automaton.transition(location), own);
        self.transitions.insert(location, literal);
        literal
    }

    /// The literal of an expression, which implies the expression. The location `own` stands for
    /// its staying.
    fn compile(&mut self, root: Expression, own: Option<Location>) -> Literal {
        let all = self.automaton.expressions();
        let mut built: FxHashMap<Expression, (Literal, Option<Location>)> = FxHashMap::default();
        for expression in all.below(&[root]) {
            let term = all.term(expression);
            let mentioned = match term {
                Term::Location(location) if Some(location) == own => own,
                Term::And(a, b) | Term::Or(a, b) => built[&a].1.or(built[&b].1),
                _ => None,
            };
            let key = (expression, mentioned);
            let literal = match self.expressions.get(&key) {
                Some(&literal) => literal,
                None => {
                    let literal = self.literal(term, mentioned, |operand| built[&operand].0);
                    self.expressions.insert(key, literal);
                    literal
                }
            };
            built.insert(expression, (literal, mentioned));
        }
        built[&root].0
    }

    fn literal(
        &mut self,
        term: Term,
        own: Option<Location>,
        of: impl Fn(Expression) -> Literal,
    ) -> Literal {
        let context = &mut self.context;
        match term {
            Term::Constant(value) => context.constant(value),
            Term::Literal { proposition, positive } => {
                let literal =
                    *self.propositions.entry(proposition).or_insert_with(|| context.fresh());
                if positive { literal } else { !literal }
            }
            Term::Location(location) if own.is_some() => self.stays[location.index()],
            Term::Location(location) => self.next[location.index()],
            Term::And(a, b) => {
                let both = context.reluctant();
                context.clause(&[!both, of(a)]);
                context.clause(&[!both, of(b)]);
                both
            }
            Term::Or(a, b) => {
                let either = context.reluctant();
                context.clause(&[!either, of(a), of(b)]);
                either
            }
        }
    }

    /// The models of some demands, compared by locations of the next set and locations that stay.
    fn cursor(&mut self, demands: Vec<Literal>, next: &BitSet, stays: &BitSet) -> SatCursor {
        let is_new = self.context.fresh();
        let mut assumptions = demands;
        assumptions.push(is_new);
        let next = next.iter().map(|location| (location, self.next[location]));
        let count = self.next.len();
        let stays = stays.iter().map(|location| (count + location, self.stays[location]));
        let elements = next.chain(stays).collect();
        SatCursor { assumptions, is_new, elements, is_finished: false }
    }

    /// The next minimal model.
    fn next_model(&mut self, cursor: &mut SatCursor) -> Result<Option<BitSet>, Stop> {
        if cursor.is_finished || !self.context.query(&cursor.assumptions)? {
            self.context.clause(&[!cursor.is_new]);
            cursor.is_finished = true;
            return Ok(None);
        }
        let context = &mut self.context;
        let (mut model, mut absent): (Vec<_>, Vec<_>) =
            cursor.elements.iter().copied().partition(|&(_, literal)| context.value(literal));
        while !model.is_empty() {
            let is_smaller = context.fresh();
            let mut clause = vec![!is_smaller];
            clause.extend(model.iter().map(|&(_, literal)| !literal));
            context.clause(&clause);
            let mut assumptions = cursor.assumptions.clone();
            assumptions.push(is_smaller);
            assumptions.extend(absent.iter().map(|&(_, literal)| !literal));
            let found = context.query(&assumptions)?;
            let (kept, removed): (Vec<_>, Vec<_>) =
                model.iter().copied().partition(|&(_, literal)| !found || context.value(literal));
            context.clause(&[!is_smaller]);
            if !found {
                break;
            }
            model = kept;
            absent.extend(removed);
        }
        let mut clause = vec![!cursor.is_new];
        clause.extend(model.iter().map(|&(_, literal)| !literal));
        context.clause(&clause);
        Ok(Some(model.into_iter().map(|(element, _)| element).collect()))
    }

    /// The step of the next minimal model that leads to a set from which some word is accepted.
    fn next_minimal(&mut self, cursor: &mut SatCursor) -> Result<Option<Step<BitSet>>, Stop> {
        let count = self.next.len();
        while let Some(model) = self.next_model(cursor)? {
            let next = model.within(0..count);
            let stays = model.iter().filter(|&element| element >= count);
            let stays = stays.map(|element| element - count).collect();
            if let Some(step) = self.space.step_of(next, &stays) {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    /// The literals of the transitions of a set, and their targets.
    fn demands(&mut self, set: &BitSet) -> (Vec<Literal>, BitSet) {
        let (mut literals, mut targets) = (Vec::new(), BitSet::new());
        for location in set.iter().map(Location::from_index) {
            literals.push(self.transition(location));
            for target in self.automaton.targets(location) {
                targets.insert(target.index());
            }
        }
        (literals, targets)
    }
}

impl<S: SetSpace> Space for BySat<'_, S> {
    type State = BitSet;
    type Label = ();
    type Cursor = SatCursor;
    type Stop = Stop;

    fn initial(&mut self) -> Result<Vec<BitSet>, Stop> {
        let initial = self.automaton.initial();
        let location =
            |&expression: &Expression| match self.automaton.expressions().term(expression) {
                Term::Location(location) => Some(location.index()),
                _ => None,
            };
        let all = self.automaton.expressions().below(&[initial]);
        let locations: BitSet = all.iter().filter_map(location).collect();
        let root = self.compile(initial, None);
        let mut cursor = self.cursor(vec![root], &locations, &BitSet::new());
        let mut states = Vec::new();
        while let Some(step) = self.next_minimal(&mut cursor)? {
            states.push(step.to);
        }
        Ok(states)
    }

    fn mark_count(&self) -> usize {
        self.space.mark_count()
    }

    fn steps(&mut self, set: &BitSet) -> Result<SatCursor, Stop> {
        let set = self.space.demanding(set);
        let (demands, targets) = self.demands(&set);
        let stays = set.iter().filter(|&location| self.space.is_marked(location)).collect();
        Ok(self.cursor(demands, &targets, &stays))
    }

    fn next_step(&mut self, cursor: &mut SatCursor) -> NextStep<Self> {
        Ok(self.next_minimal(cursor)?.map(|step| (step, ())))
    }

    fn is_final(&self, set: &BitSet) -> bool {
        self.space.is_final(set)
    }

    fn letter(&mut self, from: &BitSet, step: &Step<BitSet>, (): &()) -> Result<Letter, Stop> {
        let (mut assumptions, targets) = self.demands(from);
        let absent = targets.iter().filter(|&target| !step.to.contains(target));
        assumptions.extend(absent.map(|target| !self.next[target]));
        let leaves = from.iter().filter(|&location| self.space.leaves(location, &step.marks));
        assumptions.extend(leaves.map(|location| !self.stays[location]));
        assert!(self.context.query(&assumptions)?, "a letter leads from a state to its successor");
        let true_ones =
            self.propositions.iter().filter(|&(_, &literal)| self.context.value(literal));
        Ok(true_ones.map(|(&proposition, _)| proposition).collect())
    }

    fn describe(&self, set: &BitSet) -> String {
        self.space.describe(set)
    }
}

impl<S: SetSpace> Ordered for BySat<'_, S> {
    fn simulates(&self, small: &BitSet, large: &BitSet) -> bool {
        self.space.simulates(small, large)
    }

    fn subsumes(&self, small: &BitSet, large: &BitSet) -> bool {
        self.space.subsumes(small, large)
    }

    fn size(&self, set: &BitSet) -> usize {
        self.space.size(set)
    }

    fn sizes_are_strict(&self) -> bool {
        self.space.sizes_are_strict()
    }

    fn largest_size(&self) -> usize {
        self.space.largest_size()
    }

    fn signature(&self, set: &BitSet) -> u64 {
        self.space.signature(set)
    }
}

impl<S: SetSpace> Sharpen for BySat<'_, S> {
    fn sharpen(&mut self, orders: Orders) -> Result<(), Stop> {
        self.space.sharpen(orders)
    }
}
