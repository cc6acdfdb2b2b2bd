//! A model unrolled over the positions of a run, as clauses: the letters of its words.
//!
//! A state has one variable per variable of the system. A step of an infinite run needs the state
//! after it, so the unrolling has one state more than letters; the loop closes where that state is
//! the state at the start of the loop. A justice constraint must hold on a step in the loop.

use kermode_ltl::{Proposition, WordKind};
use kermode_sat::Literal;
use kermode_system::{Below, Expression, Model, Term, Trace, Variable};

use super::context::SatContext;
use super::mistakes::Mistake;
use super::unrolling::{Closing, Letters};

/// The letters of the runs of a model.
pub(super) struct ModelLetters<'m> {
    model: &'m Model,
    words: WordKind,
    /// The propositions of the formula. Those that are no atoms of the model are free.
    propositions: Vec<Proposition>,
    /// The literals of the variables of the graph, by state.
    states: Vec<Vec<Literal>>,
    /// The literals of the justice constraints at the last position.
    justice: Vec<Literal>,
    /// Whether each justice constraint has held in the loop.
    held: Vec<Literal>,
    /// The state that the start and the end of the loop have in common.
    meeting: Vec<Literal>,
}

impl<'m> ModelLetters<'m> {
    pub(super) fn new(model: &'m Model, words: WordKind, propositions: Vec<Proposition>) -> Self {
        let (states, justice) = (Vec::new(), Vec::new());
        let (held, meeting) = (Vec::new(), Vec::new());
        ModelLetters { model, words, propositions, states, justice, held, meeting }
    }

    /// A new state, which satisfies the invariants.
    fn add_state(&mut self, context: &mut SatContext) {
        let count = self.model.graph.variable_count();
        let state: Vec<Literal> = (0..count).map(|_| context.fresh()).collect();
        let demanded = self.model.system.invariants();
        for literal in self.literals(context, demanded, &state, &state) {
            context.clause(&[literal]);
        }
        if self.states.is_empty() {
            for literal in self.literals(context, self.model.system.initial(), &state, &state) {
                context.clause(&[literal]);
            }
        }
        self.states.push(state);
    }

    /// The last two states are a step.
    fn add_step(&mut self, context: &mut SatContext) {
        let [.., before, after] = self.states.as_slice() else { return };
        for literal in self.literals(context, self.model.system.transition(), before, after) {
            context.clause(&[literal]);
        }
    }

    /// The literals of expressions over a step, each defined by clauses.
    fn literals(
        &self,
        context: &mut SatContext,
        roots: &[Expression],
        current: &[Literal],
        next: &[Literal],
    ) -> Vec<Literal> {
        let graph = &self.model.graph;
        let below = Below::of(graph, roots);
        let mut built: Vec<Literal> = Vec::with_capacity(below.len());
        for expression in below.iter() {
            let of = |operand| built[below.position(operand)];
            let literal = match graph.term(expression) {
                Term::Constant(value) => context.constant(value),
                Term::Current(variable) => current[variable.index()],
                Term::Next(variable) => next[variable.index()],
                Term::Not(a) => !of(a),
                Term::And(a, b) => conjunction(context, of(a), of(b)),
                Term::Or(a, b) => !conjunction(context, !of(a), !of(b)),
                Term::Implies(a, b) => !conjunction(context, of(a), !of(b)),
                Term::Iff(a, b) => equivalence(context, of(a), of(b)),
            };
            built.push(literal);
        }
        roots.iter().map(|&root| built[below.position(root)]).collect()
    }

    /// The trace of the last assignment, with so many states.
    pub(super) fn trace(
        &self,
        context: &SatContext,
        length: usize,
        loop_start: Option<usize>,
    ) -> Trace {
        let variables = self.model.system.variables();
        let state = |state: &Vec<Literal>| -> Vec<bool> {
            let value = |variable: &Variable| context.value(state[variable.index()]);
            variables.iter().map(value).collect()
        };
        Trace::new(variables.len(), self.states[..length].iter().map(state), loop_start)
    }
}

impl Letters for ModelLetters<'_> {
    fn extend(&mut self, context: &mut SatContext, position: usize) -> Vec<Literal> {
        let needed = match self.words {
            WordKind::Infinite => position + 2,
            WordKind::Finite => position + 1,
        };
        while self.states.len() < needed {
            self.add_state(context);
            self.add_step(context);
        }
        let (current, next) = (&self.states[position], &self.states[needed - 1]);
        let atoms = |proposition: &Proposition| self.model.atoms.get(proposition).copied();
        let roots: Vec<Expression> = self.propositions.iter().filter_map(atoms).collect();
        let mut known = self.literals(context, &roots, current, next).into_iter();
        let justice = self.model.system.justice();
        let justice = match self.words {
            WordKind::Infinite => self.literals(context, justice, current, next),
            WordKind::Finite => Vec::new(),
        };
        let letters = self.propositions.iter().map(|proposition| match atoms(proposition) {
            Some(_) => known.next().expect("a literal for each atom"),
            None => context.fresh(),
        });
        let letters = letters.collect();
        self.justice = justice;
        letters
    }

    fn close(&mut self, context: &mut SatContext, position: usize, closing: Closing) {
        let Closing { start, inside, end } = closing;
        let count = self.states[position].len();
        if self.meeting.is_empty() {
            self.meeting = (0..count).map(|_| context.fresh()).collect();
            self.held = vec![context.constant(false); self.justice.len()];
        }
        for (state, holds) in [(position, start), (position + 1, end)] {
            for (&literal, &meeting) in self.states[state].iter().zip(&self.meeting) {
                context.clause(&[!holds, !literal, meeting]);
                if !context.has(Mistake::RunNeedNotReturn) {
                    context.clause(&[!holds, literal, !meeting]);
                }
            }
        }
        for (held, &justice) in self.held.iter_mut().zip(&self.justice) {
            let now = context.fresh();
            context.clause(&[!now, *held, inside]);
            context.clause(&[!now, *held, justice]);
            if !context.has(Mistake::RunIgnoresJustice) {
                context.clause(&[!end, now]);
            }
            *held = now;
        }
    }
}

/// A literal that is equivalent to the conjunction of two.
fn conjunction(context: &mut SatContext, a: Literal, b: Literal) -> Literal {
    let both = context.fresh();
    context.clause(&[!both, a]);
    context.clause(&[!both, b]);
    context.clause(&[both, !a, !b]);
    both
}

/// A literal that says whether two are equal.
fn equivalence(context: &mut SatContext, a: Literal, b: Literal) -> Literal {
    let equal = context.fresh();
    context.clause(&[!equal, !a, b]);
    context.clause(&[!equal, a, !b]);
    context.clause(&[equal, a, b]);
    context.clause(&[equal, !a, !b]);
    equal
}
