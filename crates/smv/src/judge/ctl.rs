//! CTL by explicit labelling \[CES86\]: for each subformula, the reachable states that satisfy it.
//!
//! Path quantifiers range over fair paths: infinite ones on which each justice condition holds
//! infinitely often. Compassion is ignored. A state without fair paths is invisible: `EX p` needs a
//! successor with `p` where a fair path starts, and `AG p` says nothing about states from which no
//! fair path starts.

use kermode_base::BitSet;
use kermode_base::terms::Dag;
use rustc_hash::FxHashMap;

use super::fair::FairGraph;
use super::graph::{Graph, justice};
use crate::flat::expression::Below;
use crate::flat::{Bounds, FlatBinary, FlatExpression, FlatTerm, FlatUnary, PathBinary, PathUnary};
use crate::interpreter::{Evaluation, Layout, Time};

/// The states that satisfy the subformulas of CTL formulas.
#[derive(Clone, Debug)]
pub struct Labelling {
    states: usize,
    fair: BitSet,
    sets: FxHashMap<FlatExpression, BitSet>,
}

impl Labelling {
    /// The states where fair paths start.
    pub fn fair(&self) -> &BitSet {
        &self.fair
    }

    /// The states, by their numbers in the graph, that satisfy a formula or one of its subformulas.
    /// Subformulas without temporal operators are known as far as they are operands of formulas.
    pub fn states(&self, formula: FlatExpression) -> Option<&BitSet> {
        self.sets.get(&formula)
    }

    /// Whether all initial states where fair paths start satisfy a formula.
    ///
    /// # Panics
    /// When the formula was not labelled.
    pub fn holds(&self, graph: &Graph<'_>, formula: FlatExpression) -> bool {
        let states = &self.sets[&formula];
        (0..graph.initial).all(|state| !self.fair.contains(state) || states.contains(state))
    }
}

/// Labels the states of a graph with formulas and all of their subformulas.
pub fn label<E>(
    graph: &Graph<'_>,
    formulas: &[FlatExpression],
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Labelling, E> {
    let paths = FairGraph {
        first_edge: graph.first_edge.clone(),
        targets: graph.edges.iter().map(|edge| edge.target).collect(),
        justice: justice(graph.model).map(|condition| graph.edges_with(condition)).collect(),
        compassion: Vec::new(),
    };
    let sources = paths.sources();
    let mut labeller = Labeller {
        labelling: Labelling {
            states: graph.states.len(),
            fair: BitSet::new(),
            sets: FxHashMap::default(),
        },
        paths,
        sources,
        interrupt,
    };
    let everywhere = labeller.labelling.everywhere();
    labeller.labelling.fair = labeller.exists_globally(&everywhere)?;
    let expressions = &graph.model.expressions;
    for part in Below::of(expressions, formulas).iter() {
        if expressions.features(part).is_temporal() {
            for operand in expressions.operands(part) {
                labeller.label_leaf(graph, operand)?;
            }
            let set = labeller.operator(graph, part)?;
            labeller.labelling.sets.insert(part, set);
        }
    }
    for &formula in formulas {
        labeller.label_leaf(graph, formula)?;
    }
    Ok(labeller.labelling)
}

struct Labeller<'i, E> {
    labelling: Labelling,
    paths: FairGraph,
    /// The source of each edge.
    sources: Vec<usize>,
    interrupt: &'i mut dyn FnMut() -> Result<(), E>,
}

impl Labelling {
    fn everywhere(&self) -> BitSet {
        (0..self.states).collect()
    }

    fn not(&self, set: &BitSet) -> BitSet {
        let mut rest = self.everywhere();
        rest.subtract(set);
        rest
    }
}

fn and(a: &BitSet, b: &BitSet) -> BitSet {
    let mut both = a.clone();
    both.intersect_with(b);
    both
}

fn or(a: &BitSet, b: &BitSet) -> BitSet {
    let mut either = a.clone();
    either.union_with(b);
    either
}

impl<E> Labeller<'_, E> {
    /// Evaluates an expression without temporal operators, unless it is known.
    fn label_leaf(&mut self, graph: &Graph<'_>, expression: FlatExpression) -> Result<(), E> {
        if self.labelling.sets.contains_key(&expression) {
            return Ok(());
        }
        let layout = Layout::of_states(graph.model);
        let mut evaluation = Evaluation::new(&graph.model.expressions, &[expression]);
        let mut set = BitSet::new();
        for (number, state) in graph.states.iter().enumerate() {
            (self.interrupt)()?;
            evaluation.run(|variable, time| match time {
                Time::Current => layout.value(state, variable),
                Time::Next => None,
            });
            if evaluation.is_true(0) {
                set.insert(number);
            }
        }
        self.labelling.sets.insert(expression, set);
        Ok(())
    }

    /// The states of a formula, given those of its operands.
    fn operator(&mut self, graph: &Graph<'_>, formula: FlatExpression) -> Result<BitSet, E> {
        let expressions = &graph.model.expressions;
        let of = |operand: FlatExpression| self.labelling.sets[&operand].clone();
        match expressions.term(formula) {
            FlatTerm::Unary(FlatUnary::Not, a) => Ok(self.labelling.not(&of(a))),
            FlatTerm::Binary(operator, a, b) => Ok(self.connective(operator, &of(a), &of(b))),
            FlatTerm::PathUnary(operator, a, bounds) => {
                let a = of(a);
                match expressions.bounds(bounds) {
                    None => self.unary(operator, &a),
                    Some(bounds) => self.bounded(operator, bounds, &a),
                }
            }
            FlatTerm::PathBinary(operator, a, b, bounds) => {
                let (a, b, bounds) = (of(a), of(b), expressions.bounds(bounds));
                match (operator, bounds) {
                    (PathBinary::ExistsUntil, None) => self.exists_until(&a, &b),
                    (PathBinary::ExistsUntil, Some(bounds)) => {
                        self.exists_bounded_until(&a, &b, bounds)
                    }
                    (PathBinary::AllUntil, None) => self.all_until(&a, &b),
                    (PathBinary::AllUntil, Some(bounds)) => self.all_bounded_until(&a, &b, bounds),
                    _ => unreachable!("an operator of CTL"),
                }
            }
            _ => unreachable!("an operator of CTL or a connective above one"),
        }
    }

    fn connective(&self, operator: FlatBinary, a: &BitSet, b: &BitSet) -> BitSet {
        let not = |set| self.labelling.not(set);
        match operator {
            FlatBinary::And => and(a, b),
            FlatBinary::Or => or(a, b),
            FlatBinary::Implies => or(&not(a), b),
            FlatBinary::Xnor | FlatBinary::Iff => or(&and(a, b), &and(&not(a), &not(b))),
            FlatBinary::Xor => or(&and(a, &not(b)), &and(&not(a), b)),
            _ => unreachable!("a connective"),
        }
    }

    /// An operator for all paths is the dual of one for some path.
    fn unary(&mut self, operator: PathUnary, a: &BitSet) -> Result<BitSet, E> {
        let everywhere = self.labelling.everywhere();
        let not_a = self.labelling.not(a);
        Ok(match operator {
            PathUnary::ExistsNext => self.exists_next(a),
            PathUnary::ExistsEventually => self.exists_until(&everywhere, a)?,
            PathUnary::ExistsGlobally => self.exists_globally(a)?,
            PathUnary::AllNext => self.labelling.not(&self.exists_next(&not_a)),
            PathUnary::AllGlobally => {
                let refuted = self.exists_until(&everywhere, &not_a)?;
                self.labelling.not(&refuted)
            }
            PathUnary::AllEventually => {
                let refuted = self.exists_globally(&not_a)?;
                self.labelling.not(&refuted)
            }
            _ => unreachable!("an operator of CTL"),
        })
    }

    fn bounded(&mut self, operator: PathUnary, bounds: Bounds, a: &BitSet) -> Result<BitSet, E> {
        let everywhere = self.labelling.everywhere();
        let not_a = self.labelling.not(a);
        Ok(match operator {
            PathUnary::ExistsEventually => self.exists_bounded_until(&everywhere, a, bounds)?,
            PathUnary::ExistsGlobally => self.exists_bounded_globally(a, bounds)?,
            PathUnary::AllGlobally => {
                let refuted = self.exists_bounded_until(&everywhere, &not_a, bounds)?;
                self.labelling.not(&refuted)
            }
            PathUnary::AllEventually => {
                let refuted = self.exists_bounded_globally(&not_a, bounds)?;
                self.labelling.not(&refuted)
            }
            _ => unreachable!("an operator of CTL with bounds"),
        })
    }

    /// `EX a`: some successor satisfies `a` and is the start of a fair path.
    fn exists_next(&self, a: &BitSet) -> BitSet {
        let mut set = BitSet::new();
        for (edge, &source) in self.sources.iter().enumerate() {
            let target = self.paths.targets[edge] as usize;
            if a.contains(target) && self.labelling.fair.contains(target) {
                set.insert(source);
            }
        }
        set
    }

    /// `E [a U b]`: a path through `a` leads to a state with `b` where a fair path starts.
    fn exists_until(&mut self, a: &BitSet, b: &BitSet) -> Result<BitSet, E> {
        let goal = and(b, &self.labelling.fair);
        let sources = &self.sources;
        self.paths.backward(&goal, |edge| a.contains(sources[edge]), self.interrupt)
    }

    /// `EG a`: a path through `a` leads to a component of states with `a` that has a fair path.
    fn exists_globally(&mut self, a: &BitSet) -> Result<BitSet, E> {
        let Labeller { paths, sources, interrupt, .. } = self;
        let inside =
            |edge: usize| a.contains(sources[edge]) && a.contains(paths.targets[edge] as usize);
        let fair = paths.fair_edges(inside, interrupt)?;
        let goal: BitSet = (0..sources.len()).filter(|&e| fair[e]).map(|e| sources[e]).collect();
        paths.backward(&goal, inside, interrupt)
    }

    /// `A [a U b]` fails where `b` stays false for ever, or until `a` is false as well.
    fn all_until(&mut self, a: &BitSet, b: &BitSet) -> Result<BitSet, E> {
        let (not_a, not_b) = (self.labelling.not(a), self.labelling.not(b));
        let never = self.exists_globally(&not_b)?;
        let too_late = self.exists_until(&not_b, &and(&not_a, &not_b))?;
        Ok(self.labelling.not(&or(&never, &too_late)))
    }

    /// `E [a BU low..high b]`: `b` at a time from `low` to `high`, and `a` at all times before.
    fn exists_bounded_until(
        &mut self,
        a: &BitSet,
        b: &BitSet,
        bounds: Bounds,
    ) -> Result<BitSet, E> {
        let b = and(b, &self.labelling.fair);
        self.count_down(bounds, BitSet::new(), |later, in_time| {
            let delayed = and(a, &later);
            if in_time { or(&b, &delayed) } else { delayed }
        })
    }

    /// `EBG low..high a`: `a` at all times from `low` to `high`.
    fn exists_bounded_globally(&mut self, a: &BitSet, bounds: Bounds) -> Result<BitSet, E> {
        let fair = self.labelling.fair.clone();
        self.count_down(bounds, fair, |later, in_time| if in_time { and(a, &later) } else { later })
    }

    /// `A [a BU low..high b]` fails where `a` becomes false before `b` holds in time, or where time
    /// is over. As in NuSMV, the last time for `b` must be in a state where a fair path starts;
    /// only COMPUTE can tell.
    fn all_bounded_until(&mut self, a: &BitSet, b: &BitSet, bounds: Bounds) -> Result<BitSet, E> {
        let b = and(b, &self.labelling.fair);
        let (not_a, not_b) = (self.labelling.not(a), self.labelling.not(&b));
        let everywhere = self.labelling.everywhere();
        let refuted = self.count_down(bounds, everywhere, |later, in_time| {
            let goes_on = or(&not_a, &later);
            if in_time { and(&not_b, &goes_on) } else { goes_on }
        })?;
        Ok(self.labelling.not(&refuted))
    }

    /// The states at time 0, computed from the last time of the bounds to the first. `rule` gives
    /// the states at a time, from those with a successor for the next time and from whether the
    /// time is within the bounds. At the last time these are the states of `end`.
    fn count_down(
        &mut self,
        bounds: Bounds,
        end: BitSet,
        rule: impl Fn(BitSet, bool) -> BitSet,
    ) -> Result<BitSet, E> {
        let mut now = rule(end, true);
        for (times, in_time) in [(bounds.high - bounds.low, true), (bounds.low, false)] {
            for _ in 0..times {
                (self.interrupt)()?;
                let before = rule(self.exists_next(&now), in_time);
                if before == now {
                    break;
                }
                now = before;
            }
        }
        Ok(now)
    }
}
