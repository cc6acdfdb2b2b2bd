//! A model compiled to decision diagrams.
//!
//! Each variable of the model has a variable of the diagrams for its current value, and right after
//! it one for its next value, in the order of the model \[BCL91\]. Constraints stay in the parts
//! that the model has. The letter of a step follows from the atoms, which are expressions over a
//! step.

use kermode_base::BitSet;
use kermode_bdd::{Bdd, Cube, Literal, Manager, Variable};
use kermode_ltl::{Letter, Proposition};
use kermode_system::{Below, Expression, Graph, Model, Term};

use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::BddContext;
use crate::frame::budget::Stop;

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
    pub(crate) initial: Bdd,
    pub(crate) steps: Vec<Bdd>,
    /// The invariants over current variables and over next variables.
    invariants: [Vec<Bdd>; 2],
    pub(crate) justice: Vec<Justice>,
    atoms: Vec<(Proposition, CompiledAtom)>,
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
    pub(crate) fn new(model: &Model, context: &mut BddContext) -> Result<Self, Stop> {
        let Model { graph, system, order, .. } = model;
        let mut places = vec![0; graph.variable_count()];
        for (place, variable) in order.iter().enumerate() {
            places[variable.index()] = place;
        }
        let mut compiler = Compiler { graph, places: &places, context };
        let initial = compiler.all(system.initial(), false)?;
        let steps = compiler.in_parts(system.transition())?;
        let now = compiler.all(system.invariants(), false)?;
        let next = compiler.all(system.invariants(), true)?;
        let justice = compiler.all(system.justice(), false)?;
        let mut atoms = Vec::with_capacity(model.atoms.len());
        for (&proposition, &atom) in &model.atoms {
            atoms.push((proposition, compiler.atom(atom)?));
        }
        let (mut parts, start) = (initial.iter().chain(&now), context.manager().top());
        let initial = parts.try_fold(start, |all, part| {
            context.keep()?;
            Ok::<_, Stop>(all.and(part)?)
        })?;
        let of_steps = |(&expression, constraint)| match graph.looks_ahead(expression) {
            true => Justice::OfSteps(constraint),
            false => Justice::OfStates(constraint),
        };
        Ok(CompiledModel {
            pairs: (0..order.len()).map(pair).collect(),
            initial,
            steps,
            invariants: [now, next],
            justice: system.justice().iter().zip(justice).map(of_steps).collect(),
            atoms,
        })
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
        self.pairs.iter().map(|&(current, next)| direction.of(current, next)).collect()
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
        let literal = |(place, &(now, then))| Literal {
            variable: if next { then } else { now },
            positive: state.contains(place),
        };
        self.pairs.iter().enumerate().map(literal).collect()
    }
}

/// Builds diagrams of expressions, each once.
struct Compiler<'c, 'h, 'o> {
    graph: &'c Graph,
    places: &'c [usize],
    context: &'h mut BddContext<'o>,
}

impl Compiler<'_, '_, '_> {
    /// The diagrams of expressions, optionally over next variables.
    fn all(&mut self, roots: &[Expression], later: bool) -> Result<Vec<Bdd>, Stop> {
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
