//! Signals that are constant or equal in all reachable states.
//!
//! Random walks give candidates: variables whose values never change, or always agree or differ
//! \[vE00\]. Induction keeps those that hold: each candidate follows from the constraints on the
//! first state, and after a step it follows from the constraints on that step, if all candidates
//! hold before it. Candidates that do not follow are dropped until all others do. Only constraints
//! that mention the variables of a candidate are used, and diagrams are small, so some candidates
//! are lost that a better proof would keep.

use kermode_base::Rng;
use kermode_bdd::{Bdd, Capacity, Manager, OutOfNodes, Variable as Level};
use kermode_system::merging::{Fact, Merging, state_variables};
use kermode_system::{Batch, Below, ExplicitModel, Expression, Graph, Model, Term, Variable};
use rustc_hash::FxHashMap;

use crate::frame::budget::{Budget, Stop};

/// The number of random walks, and of steps of each.
const WALKS: usize = 6;
const STEPS: usize = 60;
/// The nodes of the diagrams of one proof.
const NODES: usize = 1 << 14;

/// The facts about a model that walks suggest and induction proves.
pub(crate) fn equal_signals(model: &Model, budget: &Budget) -> Result<Merging, Stop> {
    let candidates = candidates(model, budget)?;
    if candidates.is_empty() {
        return Ok(Merging::default());
    }
    Induction::new(model, budget).proved(candidates)
}

/// The facts that hold in all states of some random walks.
fn candidates(model: &Model, budget: &Budget) -> Result<Vec<(Variable, Fact)>, Stop> {
    let mut explicit = ExplicitModel::new(model, &[]);
    let (mut random, mut batch) = (Rng::new(1), Batch::default());
    let interrupt = &mut || budget.check();
    // For each variable, its values in all states so far.
    let mut values: Vec<Vec<u64>> = vec![Vec::new(); explicit.states.len()];
    let mut count = 0;
    for _ in 0..WALKS {
        explicit.initial(None, &mut batch, interrupt)?;
        for _ in 0..STEPS {
            let lanes: Vec<usize> = batch.each_lane().collect();
            if lanes.is_empty() {
                break;
            }
            let state = batch.target(lanes[random.below(lanes.len())]).to_vec();
            for (place, column) in values.iter_mut().enumerate() {
                column.resize(count / 64 + 1, 0);
                column[count / 64] |=
                    u64::from(state[place / 32] >> (place % 32) & 1) << (count % 64);
            }
            count += 1;
            explicit.steps(&state, None, &mut batch, interrupt)?;
        }
    }
    if count == 0 {
        return Ok(Vec::new());
    }
    let may_change = state_variables(model);
    let mut first: FxHashMap<Vec<u64>, (Variable, bool)> = FxHashMap::default();
    let mut facts = Vec::new();
    for (&variable, mut column) in explicit.states.iter().zip(values) {
        if !may_change.contains(&variable) {
            continue;
        }
        // Columns are compared up to negation: the first value is false.
        let negated = column[0] & 1 == 1;
        if negated {
            column.iter_mut().for_each(|word| *word = !*word);
            if count % 64 > 0 {
                column[count / 64] &= (1 << (count % 64)) - 1;
            }
        }
        if column.iter().all(|&word| word == 0) {
            facts.push((variable, Fact::Constant(negated)));
            continue;
        }
        match first.get(&column) {
            Some(&(to, other)) => {
                facts.push((variable, Fact::Equal { to, negated: negated != other }));
            }
            None => drop(first.insert(column, (variable, negated))),
        }
    }
    Ok(facts)
}

/// The proof of candidates.
struct Induction<'m> {
    model: &'m Model,
    budget: &'m Budget,
    graph: Graph,
    /// The constraints on the first state, and those on a state after a step, by the variables
    /// that they are about.
    first: FxHashMap<Variable, Vec<Expression>>,
    after: FxHashMap<Variable, Vec<Expression>>,
    levels: FxHashMap<Variable, u32>,
}

impl<'m> Induction<'m> {
    fn new(model: &'m Model, budget: &'m Budget) -> Self {
        let mut graph = model.graph.clone();
        let system = &model.system;
        // Invariants that mention inputs are about steps.
        let states = state_variables(model);
        let is_of_states =
            |&e: &Expression| graph.variables(&[e]).iter().all(|v| states.contains(v));
        let invariants: Vec<Expression> =
            system.invariants().iter().copied().filter(is_of_states).collect();
        let later = graph.shift(&invariants);
        let mut first: FxHashMap<Variable, Vec<Expression>> = FxHashMap::default();
        for &constraint in system.initial().iter().chain(&invariants) {
            for variable in graph.variables(&[constraint]) {
                first.entry(variable).or_default().push(constraint);
            }
        }
        let mut after: FxHashMap<Variable, Vec<Expression>> = FxHashMap::default();
        for &constraint in system.transition().iter().chain(&later) {
            for variable in next_variables(&graph, constraint) {
                after.entry(variable).or_default().push(constraint);
            }
        }
        let levels = (0..).zip(&model.order).map(|(level, &variable)| (variable, level));
        let levels = levels.collect();
        Induction { model, budget, graph, first, after, levels }
    }

    /// The candidates that induction proves.
    fn proved(mut self, mut facts: Vec<(Variable, Fact)>) -> Result<Merging, Stop> {
        let none = Merging::default();
        facts = self.kept(facts, &none, false)?;
        loop {
            let before = facts.len();
            let assumed = Merging::new(facts.iter().copied());
            facts = self.kept(facts, &assumed, true)?;
            if facts.len() == before {
                return Ok(Merging::new(facts));
            }
        }
    }

    /// The facts that follow from the constraints, in the first state or after a step.
    fn kept(
        &mut self,
        facts: Vec<(Variable, Fact)>,
        assumed: &Merging,
        after: bool,
    ) -> Result<Vec<(Variable, Fact)>, Stop> {
        let mut kept = Vec::with_capacity(facts.len());
        for (variable, fact) in facts {
            self.budget.check()?;
            if self.follows(variable, fact, assumed, after)? {
                kept.push((variable, fact));
            }
        }
        Ok(kept)
    }

    fn follows(
        &mut self,
        variable: Variable,
        fact: Fact,
        assumed: &Merging,
        after: bool,
    ) -> Result<bool, Stop> {
        let known = if after { &self.after } else { &self.first };
        let mut variables = vec![variable];
        if let Fact::Equal { to, .. } = fact {
            variables.push(to);
        }
        let about = variables.iter().filter_map(|variable| known.get(variable)).flatten();
        let mut constraints: Vec<Expression> = about.copied().collect();
        constraints.sort_unstable();
        constraints.dedup();
        let graph = &mut self.graph;
        let at = if after { Graph::next } else { Graph::current };
        let value = at(graph, variable);
        let claim = match fact {
            Fact::Constant(true) => value,
            Fact::Constant(false) => graph.not(value),
            Fact::Equal { to, negated } => {
                let other = at(graph, to);
                let equal = graph.iff(value, other);
                if negated { graph.not(equal) } else { equal }
            }
        };
        // Only values before the step are assumed to satisfy the facts.
        let constraints = assumed.replaced_now(graph, &constraints);
        match self.entails(&constraints, claim) {
            Ok(entails) => Ok(entails),
            Err(OutOfNodes) => Ok(false),
        }
    }

    /// Whether the conjunction of constraints implies a claim.
    fn entails(&self, constraints: &[Expression], claim: Expression) -> Result<bool, OutOfNodes> {
        let variables = 2 * self.model.order.len();
        let capacity = Capacity { variables, nodes: NODES, cache: NODES / 4 };
        let Ok(manager) = Manager::new(capacity) else { return Ok(false) };
        let mut left = self.diagram(&manager, claim)?.not()?;
        for &constraint in constraints {
            left = left.and(&self.diagram(&manager, constraint)?)?;
            if left.is_bottom() {
                return Ok(true);
            }
        }
        Ok(left.is_bottom())
    }

    fn diagram(&self, manager: &Manager, root: Expression) -> Result<Bdd, OutOfNodes> {
        let below = Below::of(&self.graph, &[root]);
        let mut built: Vec<Bdd> = Vec::with_capacity(below.len());
        for expression in below.iter() {
            let of = |operand| &built[below.position(operand)];
            let level = |variable, next: u32| Level(2 * self.levels[&variable] + next);
            built.push(match self.graph.term(expression) {
                Term::Constant(true) => manager.top(),
                Term::Constant(false) => manager.bottom(),
                Term::Current(variable) => manager.variable(level(variable, 0))?,
                Term::Next(variable) => manager.variable(level(variable, 1))?,
                Term::Not(a) => of(a).not()?,
                Term::And(a, b) => of(a).and(of(b))?,
                Term::Or(a, b) => of(a).or(of(b))?,
                Term::Implies(a, b) => of(a).not()?.or(of(b))?,
                Term::Iff(a, b) => of(a).xor(of(b))?.not()?,
            });
        }
        Ok(built[below.position(root)].clone())
    }
}

/// The variables of the state after a step that a constraint mentions.
fn next_variables(graph: &Graph, constraint: Expression) -> Vec<Variable> {
    let below = Below::of(graph, &[constraint]);
    let next = |expression| match graph.term(expression) {
        Term::Next(variable) => Some(variable),
        _ => None,
    };
    below.iter().filter_map(next).collect()
}
