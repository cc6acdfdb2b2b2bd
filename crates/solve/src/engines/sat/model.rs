//! A model unrolled over the positions of a path, as clauses: the letters of its words.
//!
//! A state has one variable per variable of the system, and a step is a copy of the circuit of all
//! constraints. A letter that reads next values needs the state after it; the unrolling then has
//! one state more than letters. The loop of an infinite run closes where that state is the state at
//! the start of the loop. Only variables whose next values are mentioned are compared: the others,
//! such as inputs, are chosen anew at each position. A justice constraint must hold on a step in
//! the loop.
//!
//! What letters may follow depends on the same variables, if letters read next values: then the
//! state after a letter is not yet fixed otherwise. If they do not, the last letter has fixed all
//! variables of its state but the inputs, and the step that leaves the state reads them.

use kermode_sat::Literal;
use kermode_system::{Expression, Model, SymbolKind, Trace, Variable};
use rustc_hash::FxHashSet;

use super::circuit::{Circuit, CircuitCopy, Signal, Use};
use super::context::SatContext;
use super::mistakes::Mistake;
use super::unrolling::{Closing, Letters};

/// A proposition: an expression over a step and how it is used, or a free variable.
pub(super) type Atom = Option<(Expression, Use)>;

/// The letters of the paths of a model.
pub(super) struct ModelLetters<'m> {
    model: &'m Model,
    /// Whether letters may read the state after them.
    looks_ahead: bool,
    initial: Circuit,
    circuit: Circuit,
    /// The propositions of the formula; those without a signal are free.
    propositions: Vec<Option<Signal>>,
    /// The justice constraints.
    justice: Vec<Signal>,
    /// The variables whose next values are mentioned.
    compared: Vec<Variable>,
    /// The variables of the last state that the letters after it depend on.
    decisive: Vec<Variable>,
    /// The literals of the variables of the graph, by state.
    states: Vec<Vec<Literal>>,
    /// The copy of the circuit over the last state, before a step leaves it.
    last: CircuitCopy,
    /// The literals of the justice constraints at the last position.
    just: Vec<Literal>,
    /// Whether each justice constraint has held in the loop.
    held: Vec<Literal>,
    /// The state that the start and the end of the loop have in common.
    meeting: Vec<Literal>,
}

impl<'m> ModelLetters<'m> {
    pub(super) fn new(model: &'m Model, atoms: &[Atom], looks_ahead: bool) -> Self {
        let Model { graph, system, .. } = model;
        let (initial, _) = Circuit::new(graph, system.initial(), &[], &[]);
        let mut used: Vec<(Expression, Use)> = atoms.iter().flatten().copied().collect();
        used.extend(system.justice().iter().map(|&justice| (justice, Use::Positive)));
        let (circuit, signals) =
            Circuit::new(graph, system.invariants(), system.transition(), &used);
        let (known, justice) = signals.split_at(signals.len() - system.justice().len());
        let mut known = known.iter().copied();
        let propositions = atoms.iter().map(|atom| atom.and_then(|_| known.next())).collect();
        let compared = circuit.next_variables();
        let decisive = match looks_ahead {
            true => compared.clone(),
            false => fixed_variables(model),
        };
        ModelLetters {
            model,
            looks_ahead,
            initial,
            propositions,
            justice: justice.to_vec(),
            compared,
            decisive,
            circuit,
            states: Vec::new(),
            last: CircuitCopy::default(),
            just: Vec::new(),
            held: Vec::new(),
            meeting: Vec::new(),
        }
    }

    /// A new last state, which satisfies the invariants.
    fn add_state(&mut self, context: &mut SatContext) {
        let mut state = vec![context.constant(false); self.model.graph.variable_count()];
        for variable in self.model.system.variables() {
            state[variable.index()] = context.fresh();
        }
        if self.states.is_empty() && !context.has(Mistake::RunStartsAnywhere) {
            self.initial.state(context, &state);
        }
        self.last = self.circuit.state(context, &state);
        self.states.push(state);
    }

    /// A step to a new last state. Returns its copy of the circuit.
    fn add_step(&mut self, context: &mut SatContext) -> CircuitCopy {
        let mut step = std::mem::take(&mut self.last);
        self.add_state(context);
        let next = self.states.last().expect("a state was added");
        self.circuit.step(context, &mut step, next);
        step
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
        if position == 0 {
            self.add_state(context);
        }
        let step = (self.looks_ahead || position > 0).then(|| self.add_step(context));
        let copy = step.filter(|_| self.looks_ahead);
        let copy = copy.as_ref().unwrap_or(&self.last);
        self.just = self.justice.iter().map(|&signal| copy.literal(signal)).collect();
        let literal = |signal: &Option<Signal>| match signal {
            Some(signal) => copy.literal(*signal),
            None => context.fresh(),
        };
        self.propositions.iter().map(literal).collect()
    }

    fn close(&mut self, context: &mut SatContext, position: usize, closing: Closing) {
        let Closing { start, inside, end } = closing;
        if position == 0 {
            self.meeting = self.compared.iter().map(|_| context.fresh()).collect();
            self.held = vec![context.constant(false); self.just.len()];
        }
        for (state, holds) in [(position, start), (position + 1, end)] {
            for (variable, &meeting) in self.compared.iter().zip(&self.meeting) {
                let literal = self.states[state][variable.index()];
                context.clause(&[!holds, !literal, meeting]);
                if !context.has(Mistake::RunNeedNotReturn) {
                    context.clause(&[!holds, literal, !meeting]);
                }
            }
        }
        for (held, &just) in self.held.iter_mut().zip(&self.just) {
            let now = context.fresh();
            if !context.has(Mistake::JusticeBeforeLoop) {
                context.clause(&[!now, *held, inside]);
            }
            context.clause(&[!now, *held, just]);
            if !context.has(Mistake::RunIgnoresJustice) {
                context.clause(&[!end, now]);
            }
            *held = now;
        }
    }

    fn state(&self) -> Vec<Literal> {
        let last = self.states.last().expect("a position has a state");
        self.decisive.iter().map(|variable| last[variable.index()]).collect()
    }

    fn justice(&self) -> &[Literal] {
        &self.just
    }
}

/// The variables of a state that are fixed before a step leaves it: all but inputs that no initial
/// constraint mentions.
fn fixed_variables(model: &Model) -> Vec<Variable> {
    let Model { graph, system, symbols, .. } = model;
    let inputs = symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Input);
    let inputs: FxHashSet<Variable> = inputs.flat_map(|symbol| symbol.bits.clone()).collect();
    let initial: FxHashSet<Variable> = graph.variables(system.initial()).into_iter().collect();
    let is_fixed = |v: &Variable| !inputs.contains(v) || initial.contains(v);
    system.variables().iter().copied().filter(is_fixed).collect()
}
