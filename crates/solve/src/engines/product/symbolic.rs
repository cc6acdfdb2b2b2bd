//! Products that are one model: symbolic automata, and explicit ones in logarithmic encoding.

use kermode_automata::tgba::AcceptanceClass;
use kermode_ltl::rewrite::RuleSet;
use kermode_system::{Expression, Model};

use super::alternating::AlternatingEncoding;
use super::copies::CopiedModel;
use super::logarithmic::LogEncoding;
use super::mistakes::Mistake;
use super::reach::{attempt, fair_run, search_backward};
use super::recurrence::with_justice;
use super::runs::Observed;
use super::saving::{LoopKind, LoopSearch};
use super::search::{Question, Search, WitnessOf, continued};
use super::to_safety::to_safety;
use super::weak::{WeakTarget, checked, fair_states_of, weak_search};
use super::{Algorithm, ProductEngine, Representation};
use crate::compiled::path_search::{Goal, Side, search as search_goal};
use crate::compiled::states::SystemStates;
use crate::fixpoint::Direction;
use crate::fixpoint::emptiness::{FairSpace, search};
use crate::fixpoint::path_search;
use crate::fixpoint::trace::around;
use crate::frame::answer::Answer;
use crate::frame::budget::Stop;
use crate::frame::problem::{PathEnd, RunProperty};
use crate::frame::witness::nonempty;

/// A product that is one model.
pub(super) struct SymbolicProduct<'q> {
    pub(super) model: Model,
    /// The model without the property.
    pub(super) factor: Model,
    /// Whether all words are words of the model.
    pub(super) is_free: bool,
    /// The number of variables that stay on top of the order.
    pub(super) top: usize,
    /// The class of the property, and its states in accepting components, for `weak`.
    pub(super) weak: Option<(AcceptanceClass, Expression)>,
    pub(super) witness_of: &'q WitnessOf<'q>,
}

impl SymbolicProduct<'_> {
    /// The model whose reachable states bound those of the product, unless it is free.
    fn part(&self) -> Option<&Model> {
        (!self.is_free).then_some(&self.factor)
    }
}

impl Search<'_> {
    pub(super) fn symbolic_product<'q>(
        &mut self,
        mut question: Question<'q>,
    ) -> Result<SymbolicProduct<'q>, Stop> {
        let (budget, system_variables) = (self.budget, question.model.order.len());
        let mut model = question.model.clone();
        let mut factor = question.model.clone();
        let mut weak = None;
        match self.engine.representation {
            Representation::Syntactic => {
                let (encoding, interrupt) = (self.engine.encoding, &mut || budget.check());
                match question.property {
                    RunProperty::Formula(formula) => {
                        let formula = match self.engine.rules == RuleSet::none() {
                            true => formula,
                            false => with_justice(&mut model, question.store, formula),
                        };
                        model.constrain(question.store, formula, encoding, interrupt)?;
                    }
                    RunProperty::Automata(automata) => {
                        let automaton = automata.automaton(interrupt)?;
                        AlternatingEncoding::add(&mut model, &automaton, interrupt)?;
                    }
                }
            }
            _ => {
                let property = self.property(&mut question, false, &mut model)?;
                let is_weak = self.engine.algorithm == Algorithm::Weak;
                let class = property.class;
                if is_weak {
                    weak = Some((checked(class, self.engine.mistake)?, model.graph.constant(true)));
                }
                let encoding = LogEncoding::add(&mut model, &property, !is_weak);
                if let Some((_, accepting)) = &mut weak {
                    *accepting = encoding.any(&mut model, property.accepting());
                }
            }
        }
        let property_variables = model.order.len() - system_variables;
        self.counts.property_variables += property_variables;
        self.counts.justice += model.system.justice().len();
        let mut top = 0;
        if self.engine.top && !question.is_free {
            top = property_variables;
            model.order.rotate_right(property_variables);
            factor.graph.clone_from(&model.graph);
            factor.order.clone_from(&model.order);
        }
        if !question.is_free {
            // The trace gives the word, so atoms are not needed.
            model.atoms.clear();
        }
        factor.atoms.clear();
        let Question { is_free, witness_of, .. } = question;
        Ok(SymbolicProduct { model, factor, is_free, top, weak, witness_of })
    }

    /// `el`: the fixpoints of Emerson and Lei.
    pub(super) fn fixpoints(&mut self, product: SymbolicProduct) -> Result<Answer, Stop> {
        let ProductEngine { direction, reach, .. } = *self.engine;
        let SymbolicProduct { model, top, witness_of, .. } = &product;
        self.counts.runs[0] += 1;
        self.count(model);
        let (problem, budget, variables) = (self.problem, self.budget, self.counts.variables);
        let mut states = self.compiled(model, *top, direction)?;
        let found = match direction {
            Direction::Forward => search(&mut states),
            Direction::Backward => {
                search_backward(&mut states, reach, product.part(), &mut fair_run)
            }
        };
        states.tell(variables);
        let Some(found) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(problem.witness, budget, |longest| {
            states.keep_order();
            let lasso = found.lasso(&mut states, longest)?;
            lasso.map_or(Ok(None), |lasso| witness_of(&states, &model.order, lasso, longest))
        }))
    }

    /// `l2s`: a state that was saved before.
    pub(super) fn saved_state(&mut self, product: SymbolicProduct) -> Result<Answer, Stop> {
        self.counts.runs[1] += 1;
        if let Some(nodes) = self.engine.copies.nodes_for_all()
            && let Some(answer) = self.looped_state(&product, nodes)?
        {
            return Ok(answer);
        }
        self.saved_loop(&product)
    }

    /// A path to a looped state, with copies of all variables. Nothing if this many nodes are not
    /// enough.
    fn looped_state(
        &mut self,
        product: &SymbolicProduct,
        nodes: u64,
    ) -> Result<Option<Answer>, Stop> {
        let SymbolicProduct { model, top, witness_of, .. } = product;
        let safety = to_safety(model, true, self.engine.mistake);
        // The new variables are on top, and each copy is below its variable.
        let top = if *top == 0 { 0 } else { safety.added + 2 * top };
        self.count(&safety.model);
        let (problem, budget, variables) = (self.problem, self.budget, self.counts.variables);
        let mut states = self.compiled(&safety.model, top, Direction::Forward)?;
        let looped = states.compile(&safety.model, safety.looped)?;
        let found = attempt(&mut states, nodes, |states| {
            path_search::search(states, &looped, Side::Initial)
        });
        states.tell(variables);
        let Some(found) = found? else { return Ok(None) };
        let Some(meeting) = found else { return Ok(Some(Answer::Empty(None))) };
        Ok(Some(nonempty(problem.witness, budget, |longest| {
            if meeting.length() > longest {
                return Ok(None);
            }
            states.keep_order();
            let (path, _) = meeting.path(&mut states)?;
            let lasso = safety.lasso(path, |state| state);
            witness_of(&states, &safety.model.order, lasso, longest)
        })))
    }

    /// A loop of a saved state, with copies of as few variables as possible.
    fn saved_loop(&mut self, product: &SymbolicProduct) -> Result<Answer, Stop> {
        let SymbolicProduct { model, top, witness_of, .. } = product;
        let copies = CopiedModel::new(model);
        self.count(&copies.model);
        let mistake = self.engine.mistake;
        let (problem, budget, variables) = (self.problem, self.budget, self.counts.variables);
        let mut states = self.compiled_with_copies(&copies, *top)?;
        let kind = LoopKind::new(states.model().justice.len(), true, mistake);
        let found = states.closure_of_initial().and_then(|reached| {
            let (saved, within) = (reached.clone(), reached);
            LoopSearch::new(&mut states, &copies, &kind, saved, within).run()
        });
        states.tell(variables);
        let Some(found) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(problem.witness, budget, |longest| {
            states.keep_order();
            let lasso = found.lasso(&mut states, &kind, longest)?;
            lasso.map_or(Ok(None), |lasso| witness_of(&states, &copies.model.order, lasso, longest))
        }))
    }

    /// `weak`: a path to the states from which accepted runs start.
    pub(super) fn weak(&mut self, product: SymbolicProduct) -> Result<Answer, Stop> {
        let ProductEngine { reach, mistake, .. } = *self.engine;
        let SymbolicProduct { model, factor: system, top, weak, witness_of, .. } = &product;
        let (class, accepting) = weak.expect("the class of a property for `weak`");
        self.counts.runs[2 + usize::from(class == AcceptanceClass::Weak)] += 1;
        self.count(model);
        let (problem, budget, variables) = (self.problem, self.budget, self.counts.variables);
        let mut states = self.compiled(model, *top, Direction::Backward)?;
        let found = states.compile(model, accepting).and_then(|accepting| {
            let mut fair = None;
            let target = match class {
                AcceptanceClass::Terminal => {
                    let all = states.in_factor(system, |states| {
                        fair_states_of(states, system, problem.diagrams)
                    })?;
                    let goal = match mistake {
                        Some(Mistake::TerminalIsReachability) => accepting,
                        _ => accepting.and(&all)?,
                    };
                    fair = Some(all);
                    WeakTarget::Terminal(goal)
                }
                _ => WeakTarget::Weak(accepting),
            };
            let run = search_backward(&mut states, reach, product.part(), &mut |states, _| {
                weak_search(states, &target, mistake)
            })?;
            Ok(run.map(|run| (run, target, fair)))
        });
        states.tell(variables);
        let Some((run, target, fair)) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(problem.witness, budget, |longest| {
            states.keep_order();
            let (path, last) = run.meeting.path(&mut states)?;
            let left = longest.saturating_sub(path.len());
            let closed = match (target, fair) {
                (WeakTarget::Terminal(_), Some(fair)) => states
                    .in_factor(system, |states| around(&mut states.plain(), &fair, last, left))?,
                (WeakTarget::Terminal(region) | WeakTarget::Weak(region), _) => {
                    around(&mut states.within(region), &run.fair, last, left)?
                }
            };
            let Some(lasso) = continued(path, closed) else { return Ok(None) };
            witness_of(&states, &model.order, lasso, longest)
        }))
    }

    /// Searches for a finite path whose last state satisfies a condition.
    pub(super) fn finite(&mut self, observed: &Observed, end: PathEnd) -> Result<Answer, Stop> {
        let ProductEngine { direction, encoding, .. } = *self.engine;
        let (problem, budget) = (self.problem, self.budget);
        let (mut model, mut store) = (observed.model.clone(), observed.store.clone());
        let interrupt = &mut || budget.check();
        let last = match observed.property {
            RunProperty::Formula(formula) => {
                model.constrain_finite(&mut store, formula, encoding, interrupt)?
            }
            RunProperty::Automata(automata) => {
                let automaton = automata.automaton(interrupt)?;
                AlternatingEncoding::add_finite(&mut model, &automaton, interrupt)?
            }
        };
        model.atoms.clear();
        self.count(&model);
        let variables = self.counts.variables;
        let mut states = self.compiled(&model, 0, direction)?;
        let found = goal(&mut states, &model, last, &observed.model, end).and_then(|goal| {
            let side = direction.of(Side::Initial, Side::Target);
            Ok((search_goal(&mut states, &goal, side)?, goal))
        });
        states.tell(variables);
        let (Some(meeting), goal) = found? else { return Ok(Answer::Empty(None)) };
        Ok(nonempty(problem.witness, budget, |longest| {
            if goal.path_length(&meeting) > longest {
                return Ok(None);
            }
            let path = goal.path(&meeting, &mut states)?;
            observed.trace(&model.order, &path, None, longest, budget)
        }))
    }
}

/// The last states of paths.
fn goal(
    states: &mut SystemStates,
    product: &Model,
    last: Expression,
    model: &Model,
    end: PathEnd,
) -> Result<Goal, Stop> {
    let accepting = states.compile(product, last)?;
    let mut ends = states.legal()?.and(&accepting)?;
    if end == PathEnd::DeadEnd {
        // The automaton may block steps of the model: only those of the model count.
        let with_successor = states.with_successor_in(model)?;
        ends = ends.and_not(&with_successor)?;
    }
    Ok(Goal::of_states(ends))
}
