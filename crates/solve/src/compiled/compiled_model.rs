//! A model compiled to decision diagrams.
//!
//! Each variable of the model has a variable of the diagrams for its current value, and right after
//! it one for its next value, in the order of the model \[BCL91\]. Constraints stay in the parts
//! that the model has. The letter of a step follows from the atoms, which are expressions over a
//! step. Inputs belong to steps: states do not have them, and images quantify them.

use kermode_base::BitSet;
use kermode_bdd::{Bdd, Cube, Literal, Manager, Variable};
use kermode_ltl::{Letter, Proposition};
use kermode_system::{Below, Expression, Graph, Model, Symbol, SymbolKind, Term};

use super::one_way::Selector;
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::BddContext;
use crate::frame::budget::Stop;
use crate::frame::shared_diagrams::SharedDiagrams;

/// A constraint that holds in infinitely many steps.
pub(crate) enum Justice {
    /// A constraint on their first states.
    OfStates(Bdd),
    /// A constraint on both states.
    OfSteps(Bdd),
}

impl Justice {
    pub(crate) fn constraint(&self) -> &Bdd {
        match self {
            Justice::OfStates(constraint) | Justice::OfSteps(constraint) => constraint,
        }
    }
}

/// What a proposition means for a step.
enum CompiledAtom {
    /// The variable at this index of the order is true in the first state.
    Variable(usize),
    /// A constraint on both states.
    OfSteps(Bdd),
}

/// The diagrams.
pub(crate) struct CompiledModel {
    /// The variables of the diagrams, by the index of the model's variable in the order.
    pub(crate) pairs: Vec<(Variable, Variable)>,
    /// The pairs of the variables of states.
    pub(crate) state_pairs: Vec<(Variable, Variable)>,
    /// The current variables of inputs that belong to steps.
    pub(crate) inputs: Vec<Variable>,
    /// The invariants that mention those.
    input_invariants: Vec<Bdd>,
    pub(crate) initial: Bdd,
    pub(crate) steps: Vec<Bdd>,
    /// The invariants over current variables and over next variables.
    invariants: [Vec<Bdd>; 2],
    pub(crate) justice: Vec<Justice>,
    atoms: Vec<(Proposition, CompiledAtom)>,
    /// The symbols: one of them may select the variables that move in a step.
    pub(super) selectors: Vec<Selector>,
}

/// The number of BDD variables of a model.
pub(crate) fn variable_count(model: &Model) -> usize {
    2 * model.order.len()
}

/// The BDD variables of the model's variable at an index.
pub(crate) fn pair(place: usize) -> (Variable, Variable) {
    (Variable(2 * place as u32), Variable(2 * place as u32 + 1))
}

impl CompiledModel {
    /// Compiles a model within a manager that has its variables.
    pub(crate) fn new(
        model: &Model,
        shared: Option<&SharedDiagrams>,
        context: &mut BddContext,
    ) -> Result<Self, Stop> {
        let Model { graph, system, order, .. } = model;
        let places = places(model);
        let mut compiler = Compiler { graph, places: &places, shared, context };
        let initial = compiler.all(system.initial(), false)?;
        let mut steps = compiler.in_parts(system.transition())?;
        let now = compiler.all(system.invariants(), false)?;
        let next = compiler.all(system.invariants(), true)?;
        let justice = compiler.all(system.justice(), false)?;
        let mut atoms = Vec::with_capacity(model.atoms.len());
        for (&proposition, &atom) in &model.atoms {
            atoms.push((proposition, compiler.atom(atom)?));
        }
        let pairs: Vec<(Variable, Variable)> = (0..order.len()).map(pair).collect();
        let is_input = input_places(model, &places);
        let of_inputs: Vec<(Variable, Variable)> =
            is_input.iter().map(|place| pairs[place]).collect();
        let [inputs, next_inputs]: [Vec<Variable>; 2] = [
            of_inputs.iter().map(|pair| pair.0).collect(),
            of_inputs.iter().map(|pair| pair.1).collect(),
        ];
        let InputSplit { of_states: now, of_steps } = InputSplit::new(now, &inputs, context)?;
        let next = InputSplit::new(next, &next_inputs, context)?.of_states;
        steps.extend(of_steps.iter().cloned());
        let first: Vec<Bdd> = initial.iter().chain(&now).cloned().collect();
        let initial = conjunction(&first, context)?;
        let initial = initial.exists(&context.manager().variable_set(inputs.iter().copied())?)?;
        let justice_of = |(&expression, constraint): (&Expression, Bdd)| match graph
            .looks_ahead(expression)
            || mentions(&constraint, &inputs)
        {
            true => Justice::OfSteps(constraint),
            false => Justice::OfStates(constraint),
        };
        let is_state = |&(place, _): &(usize, _)| !is_input.contains(place);
        Ok(CompiledModel {
            state_pairs: pairs
                .iter()
                .copied()
                .enumerate()
                .filter(is_state)
                .map(|(_, pair)| pair)
                .collect(),
            pairs,
            initial,
            steps,
            invariants: [now, next],
            justice: system.justice().iter().zip(justice).map(justice_of).collect(),
            atoms,
            selectors: selectors(model, &places),
            inputs,
            input_invariants: of_steps,
        })
    }

    /// Makes variables, by their index in the order, parameters: steps keep their values. No
    /// constraint mentions them.
    pub(crate) fn make_parameters(&mut self, places: &BitSet) {
        self.state_pairs.retain(|(current, _)| !places.contains(current.index() / 2));
    }

    /// All states that satisfy the invariants.
    pub(crate) fn legal(&self, context: &mut BddContext) -> Result<Bdd, Stop> {
        conjunction(&self.invariants[0], context)
    }

    /// The constraints of steps from a region that satisfies the invariants: they include the
    /// invariants of the other state.
    pub(crate) fn parts(&self, direction: Direction) -> Vec<Bdd> {
        let [now, next] = &self.invariants;
        let states = match direction {
            Direction::Forward => next,
            Direction::Backward => now,
        };
        self.steps.iter().chain(states).cloned().collect()
    }

    /// The variables of the state from which a step starts.
    pub(crate) fn start(&self, direction: Direction) -> Vec<Variable> {
        self.state_pairs.iter().map(|&(current, next)| direction.of(current, next)).collect()
    }

    /// The letter of a step.
    pub(crate) fn letter(&self, now: &BitSet, next: &BitSet) -> Letter {
        // Current variables have even numbers, next variables odd numbers.
        let value = |variable: Variable| {
            let state = if variable.index().is_multiple_of(2) { now } else { next };
            state.contains(variable.index() / 2)
        };
        let holds = |atom: &CompiledAtom| match atom {
            CompiledAtom::Variable(place) => now.contains(*place),
            CompiledAtom::OfSteps(constraint) => constraint.eval(value),
        };
        let held = self.atoms.iter().filter(|(_, atom)| holds(atom));
        held.map(|&(proposition, _)| proposition).collect()
    }

    /// A state over current variables, or over next ones.
    pub(crate) fn cube(&self, state: &BitSet, next: bool) -> Cube {
        let literal = |&(now, then): &(Variable, Variable)| Literal {
            variable: if next { then } else { now },
            positive: state.contains(now.index() / 2),
        };
        self.state_pairs.iter().map(literal).collect()
    }

    /// Whether a variable is an input that belongs to steps.
    pub(crate) fn is_input(&self, variable: Variable) -> bool {
        self.inputs.binary_search(&variable).is_ok()
    }

    /// Inputs with which a state satisfies the invariants; none if inputs belong to states.
    pub(crate) fn some_inputs(&self, state: &BitSet) -> Result<BitSet, Stop> {
        let Some(first) = self.input_invariants.first() else { return Ok(BitSet::new()) };
        let given = self.cube(state, false);
        let mut all = first.cofactor(&given)?;
        for invariant in &self.input_invariants[1..] {
            all = all.and(&invariant.cofactor(&given)?)?;
        }
        let cube = all.pick_cube().expect("a state has inputs that satisfy the invariants");
        let is_true = cube.literals().iter().filter(|literal| literal.positive);
        Ok(is_true.map(|literal| literal.variable.index() / 2).collect())
    }
}

/// The diagrams of expressions of a model.
pub(super) fn compile_expressions(
    model: &Model,
    expressions: &[Expression],
    context: &mut BddContext,
) -> Result<Vec<Bdd>, Stop> {
    let places = places(model);
    let mut compiler = Compiler { graph: &model.graph, places: &places, shared: None, context };
    compiler.all(expressions, false)
}

/// The index in the order of each variable.
fn places(model: &Model) -> Vec<usize> {
    let mut places = vec![0; model.graph.variable_count()];
    for (place, variable) in model.order.iter().enumerate() {
        places[variable.index()] = place;
    }
    places
}

/// The indices of inputs in the order.
fn input_places(model: &Model, places: &[usize]) -> BitSet {
    let inputs = model.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Input);
    inputs.flat_map(|symbol| &symbol.bits).map(|bit| places[bit.index()]).collect()
}

/// The symbols with several values.
fn selectors(model: &Model, places: &[usize]) -> Vec<Selector> {
    let selector = |symbol: &Symbol| Selector {
        bits: symbol.bits.iter().map(|bit| pair(places[bit.index()]).0).collect(),
        last_code: symbol.domain.last_code(),
    };
    model.symbols.iter().filter(|symbol| !symbol.bits.is_empty()).map(selector).collect()
}

/// Invariants, where inputs belong to steps. A state satisfies them if there are inputs with which
/// it does.
struct InputSplit {
    of_states: Vec<Bdd>,
    /// Those that mention inputs.
    of_steps: Vec<Bdd>,
}

impl InputSplit {
    fn new(
        invariants: Vec<Bdd>,
        inputs: &[Variable],
        context: &mut BddContext,
    ) -> Result<Self, Stop> {
        let mentions = |invariant: &Bdd| mentions(invariant, inputs);
        let (of_steps, mut of_states): (Vec<Bdd>, Vec<Bdd>) =
            invariants.into_iter().partition(mentions);
        if !of_steps.is_empty() {
            let all = conjunction(&of_steps, context)?;
            let inputs = context.manager().variable_set(inputs.iter().copied())?;
            of_states.push(all.exists(&inputs)?);
        }
        Ok(InputSplit { of_states, of_steps })
    }
}

/// Whether a function depends on one of some variables, which are sorted.
fn mentions(function: &Bdd, variables: &[Variable]) -> bool {
    let is_one = |variable: &Variable| variables.binary_search(variable).is_ok();
    !variables.is_empty() && function.support().iter().any(is_one)
}

fn conjunction(parts: &[Bdd], context: &mut BddContext) -> Result<Bdd, Stop> {
    let mut all = context.manager().top();
    for part in parts {
        context.keep()?;
        all = all.and(part)?;
    }
    Ok(all)
}

/// Builds diagrams of expressions, each once.
struct Compiler<'c, 'h, 'o> {
    graph: &'c Graph,
    places: &'c [usize],
    shared: Option<&'c SharedDiagrams>,
    context: &'h mut BddContext<'o>,
}

impl Compiler<'_, '_, '_> {
    /// The diagrams of expressions, optionally over next variables.
    fn all(&mut self, roots: &[Expression], later: bool) -> Result<Vec<Bdd>, Stop> {
        let Some(shared) = self.shared else { return self.build(roots, later) };
        let manager = self.context.manager().clone();
        let mut found: Vec<Option<Bdd>> =
            roots.iter().map(|&root| shared.get(&manager, (root, later))).collect();
        let is_missing = |(_, found): &(_, &Option<Bdd>)| found.is_none();
        let missing = roots.iter().zip(&found).filter(is_missing).map(|(&root, _)| root);
        let mut built = self.build(&missing.collect::<Vec<_>>(), later)?.into_iter();
        for (&root, found) in roots.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            *found = built.next();
            found.iter().for_each(|diagram| shared.put(&manager, (root, later), diagram));
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// Builds the diagrams of expressions.
    fn build(&mut self, roots: &[Expression], later: bool) -> Result<Vec<Bdd>, Stop> {
        let below = Below::of(self.graph, roots);
        let mut diagrams: Vec<Bdd> = Vec::with_capacity(below.len());
        for expression in below.iter() {
            self.context.keep()?;
            let of = |operand| &diagrams[below.position(operand)];
            let manager = self.context.manager();
            diagrams.push(match self.graph.term(expression) {
                Term::Constant(true) => manager.top(),
                Term::Constant(false) => manager.bottom(),
                Term::Current(v) => self.variable(manager, v, later)?,
                Term::Next(v) => self.variable(manager, v, true)?,
                Term::Not(a) => of(a).not()?,
                Term::And(a, b) => of(a).and(of(b))?,
                Term::Or(a, b) => of(a).or(of(b))?,
                Term::Implies(a, b) => of(a).implies(of(b))?,
                Term::Iff(a, b) => of(a).iff(of(b))?,
            });
        }
        Ok(roots.iter().map(|&root| diagrams[below.position(root)].clone()).collect())
    }

    /// The diagrams of constraints, with implied conjunctions split into one implication per
    /// conjunct. Sloppy encodings imply whole conjunctions, for which an order that suits each
    /// conjunct may be bad.
    fn in_parts(&mut self, constraints: &[Expression]) -> Result<Vec<Bdd>, Stop> {
        let mut premises: Vec<Option<Expression>> = Vec::with_capacity(constraints.len());
        let mut conclusions: Vec<Expression> = Vec::with_capacity(constraints.len());
        for &constraint in constraints {
            match self.graph.term(constraint) {
                Term::Implies(premise, conclusion) => {
                    conclusions.extend(self.graph.conjuncts(conclusion));
                    premises.resize(conclusions.len(), Some(premise));
                }
                _ => {
                    conclusions.push(constraint);
                    premises.push(None);
                }
            }
        }
        let mut parts = self.all(&conclusions, false)?;
        for (part, premise) in parts.iter_mut().zip(premises) {
            if let Some(premise) = premise {
                *part = self.all(&[premise], false)?[0].implies(part)?;
            }
        }
        Ok(parts)
    }

    fn atom(&mut self, atom: Expression) -> Result<CompiledAtom, Stop> {
        match self.graph.term(atom) {
            Term::Current(variable) => Ok(CompiledAtom::Variable(self.places[variable.index()])),
            _ => Ok(CompiledAtom::OfSteps(self.all(&[atom], false)?.remove(0))),
        }
    }

    fn variable(
        &self,
        manager: &Manager,
        variable: kermode_system::Variable,
        next: bool,
    ) -> Result<Bdd, Stop> {
        let (now, then) = pair(self.places[variable.index()]);
        Ok(manager.variable(if next { then } else { now })?)
    }
}
