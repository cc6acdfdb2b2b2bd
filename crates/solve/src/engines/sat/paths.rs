//! Questions about the paths of a model, prepared for unrolling.
//!
//! The model is reduced to the cone of influence of the property, and traces found in the cone are
//! extended to the whole model. Past operators stay in the formula. A path to a target is a finite
//! path with the formula `F target`; the trace ends at a position where the target is met.

use kermode_ltl::eliminate::to_unbounded;
use kermode_ltl::rewrite::{RuleSet, simplify_unless};
use kermode_ltl::{Formula, Store, UnaryOp, WordKind};
use kermode_system::{Atoms, Expression, Model, Target};

use super::circuit::Use;
use super::closure::{Closure, Demand};
use super::mistakes::Mistake;
use super::model::{Atom, ModelLetters};
use super::unrolling::Unrolling;
use crate::compiled::reduced::Reduced;
use crate::engines::invariant::check_target;
use crate::engines::product::check_atoms;
use crate::frame::answer::{ModelTrace, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::prepare::EXPANSION_LIMIT;
use crate::frame::problem::{Language, PathEnd, Problem, RunProperty};

/// The question whether a path of a model has a word that satisfies a formula, or meets a target.
pub(super) struct PathQuestion<'m> {
    given: &'m Model,
    /// The part of the model that the question depends on.
    part: Reduced,
    pub(super) closure: Closure,
    pub(super) words: WordKind,
    /// The propositions of the closure.
    atoms: Vec<Atom>,
    target: Option<Target>,
}

impl<'m> PathQuestion<'m> {
    /// The question of a problem about paths of a model; nothing if it is about something else.
    pub(super) fn of(
        problem: &Problem<'m>,
        rules: &RuleSet,
        budget: &Budget,
    ) -> Result<Option<Self>, Stop> {
        let dead_ends = || Err(Stop::Unsupported("paths that end in dead ends".to_owned()));
        let (model, property, words) = match problem.language {
            Language::Runs { model, property } => (model, property, WordKind::Infinite),
            Language::FiniteRuns { model, property, end: PathEnd::Anywhere } => {
                (model, property, WordKind::Finite)
            }
            Language::FiniteRuns { end: PathEnd::DeadEnd, .. }
            | Language::Paths { target: Target::DeadEnd, .. } => return dead_ends(),
            Language::Paths {
                model,
                target: target @ (Target::State(expression) | Target::Step(expression)),
            } => return Self::of_target(model, target, expression).map(Some),
            Language::Formula { .. } | Language::Automata(_) | Language::Branches { .. } => {
                return Ok(None);
            }
        };
        let RunProperty::Formula(formula) = property else {
            return Err(Stop::Unsupported("automata as properties of models".to_owned()));
        };
        budget.check()?;
        check_atoms(problem.store, model, property)?;
        let mut store = problem.store.clone();
        let interrupt = &mut || budget.check();
        let simple = simplify_unless(&mut store, formula, words, rules, interrupt)?;
        let left = to_unbounded(&mut store, simple.formula, words, EXPANSION_LIMIT)?;
        Ok(Some(PathQuestion::new(&mut store, model, &model.atoms, left.formula, words)))
    }

    fn of_target(model: &'m Model, target: Target, expression: Expression) -> Result<Self, Stop> {
        check_target(model, target)?;
        let mut store = Store::new();
        let atoms = Atoms::from([(store.proposition("target"), expression)]);
        let met = store.named("target");
        let formula = store.unary(UnaryOp::Finally, met);
        let question = PathQuestion::new(&mut store, model, &atoms, formula, WordKind::Finite);
        Ok(PathQuestion { target: Some(target), ..question })
    }

    fn new(
        store: &mut Store,
        model: &'m Model,
        atoms: &Atoms,
        formula: Formula,
        words: WordKind,
    ) -> Self {
        let closure = Closure::of(store, formula, words);
        let propositions = closure.propositions.iter().zip(uses(&closure));
        let atom = |(proposition, used)| Some((*atoms.get(proposition)?, used));
        let atoms: Vec<Atom> = propositions.map(atom).collect();
        let observed: Vec<Expression> = atoms.iter().flatten().map(|&(atom, _)| atom).collect();
        let system = match words {
            WordKind::Infinite => model.system.clone(),
            WordKind::Finite => model.system.without_justice(),
        };
        let part = Reduced::new(model, system, &observed);
        PathQuestion { given: model, part, closure, words, atoms, target: None }
    }

    /// The letters of the paths.
    pub(super) fn letters(&self) -> ModelLetters<'_> {
        ModelLetters::new(&self.part.model, &self.atoms, self.looks_ahead())
    }

    fn looks_ahead(&self) -> bool {
        self.words == WordKind::Infinite || matches!(self.target, Some(Target::Step(_)))
    }

    /// The trace of the last assignment, unless it is too long.
    pub(super) fn witness(
        &self,
        found: &Unrolling<ModelLetters>,
        longest: usize,
        budget: &Budget,
    ) -> Result<Option<Witness>, Stop> {
        let positions = match self.target {
            Some(_) => 1 + found.first_with(0).expect("the target is met"),
            None => found.len(),
        };
        let is_step = matches!(self.target, Some(Target::Step(_)));
        let after = usize::from(is_step && !found.context.has(Mistake::LastStepIsMissing));
        let trace = found.source.trace(&found.context, positions + after, found.loop_start());
        let whole = self.part.extended(trace, longest, budget)?;
        Ok(whole.map(|trace| Witness::Trace(ModelTrace::of(self.given, trace))))
    }
}

/// How a closure uses each proposition.
fn uses(closure: &Closure) -> Vec<Use> {
    let mut occurs = vec![[false; 2]; closure.propositions.len()];
    for demand in &closure.nodes {
        if let Demand::Literal(index, value) = *demand {
            occurs[index as usize][usize::from(value)] = true;
        }
    }
    let used = |occurs: [bool; 2]| match occurs {
        [false, true] => Use::Positive,
        [true, false] => Use::Negative,
        _ => Use::Both,
    };
    occurs.into_iter().map(used).collect()
}
