//! Expressions over a step as a circuit, and copies of it as clauses \[Tse68\].
//!
//! A circuit has conjunctions and equivalences whose inputs may be negated. Conjunctions that are
//! used only as inputs of others become part of them, so that a disjunction of ten literals is one
//! gate. *Claims* are clauses over gates that hold in each copy; a gate that is only claimed needs
//! no variable. Of the definition of a gate, a copy has the directions that are used
//! \[PG86\]: a gate that occurs only positively implies its inputs, and not the other way round.
//!
//! A copy is made in two parts: the gates over one state, and then the gates that read the next
//! values too. The next copy shares the variables of the state between them.

use std::mem::take;

use kermode_sat::Literal;
use kermode_system::{Below, Expression, Graph, Term, Variable};

use super::context::SatContext;
use super::mistakes::Mistake;

/// A gate, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signal {
    gate: u32,
    is_negated: bool,
}

impl std::ops::Not for Signal {
    type Output = Signal;

    fn not(self) -> Signal {
        Signal { is_negated: !self.is_negated, ..self }
    }
}

#[derive(Clone, Debug)]
enum Gate {
    Constant,
    Current(Variable),
    Next(Variable),
    And(Vec<Signal>),
    Iff([Signal; 2]),
}

/// A gate and what copies need of it.
#[derive(Clone, Debug)]
struct Wire {
    gate: Gate,
    /// Whether it depends on next values.
    is_ahead: bool,
    /// Whether it occurs positively: it must imply its definition.
    is_positive: bool,
    /// Whether it occurs negatively: its definition must imply it.
    is_negative: bool,
}

/// The literals of the gates in one copy. Gates that are not used, or not yet there, have no
/// meaning.
#[derive(Clone, Debug, Default)]
pub(super) struct CircuitCopy(Vec<Literal>);

impl CircuitCopy {
    /// The literal of a signal.
    pub(super) fn literal(&self, signal: Signal) -> Literal {
        let literal = self.0[signal.gate as usize];
        if signal.is_negated { !literal } else { literal }
    }
}

/// How a signal is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// If the signal is true, so is the expression.
    Positive,
    /// If the signal is false, so is the expression.
    Negative,
    /// Both.
    Both,
}

/// A circuit with its claims.
#[derive(Clone, Debug)]
pub(super) struct Circuit {
    wires: Vec<Wire>,
    state_claims: Vec<Vec<Signal>>,
    step_claims: Vec<Vec<Signal>>,
}

impl Circuit {
    /// The circuit that claims some expressions, and the signals of others, which are used in
    /// certain ways. Expressions of `claimed_steps` are about steps even if they have no next
    /// values.
    pub(super) fn new(
        graph: &Graph,
        claimed_states: &[Expression],
        claimed_steps: &[Expression],
        used: &[(Expression, Use)],
    ) -> (Circuit, Vec<Signal>) {
        let mut roots: Vec<Expression> = claimed_states.to_vec();
        roots.extend(claimed_steps);
        roots.extend(used.iter().map(|&(expression, _)| expression));
        let (mut circuit, signals) = Builder::new(graph, &roots).build();
        let (states, others) = signals.split_at(claimed_states.len());
        let (steps, observed) = others.split_at(claimed_steps.len());
        circuit.state_claims = states.iter().flat_map(|&root| circuit.clauses(root)).collect();
        circuit.step_claims = steps.iter().flat_map(|&root| circuit.clauses(root)).collect();
        circuit.find_uses(observed, used);
        (circuit, observed.to_vec())
    }

    /// Clauses that are equivalent to a signal.
    fn clauses(&self, root: Signal) -> Vec<Vec<Signal>> {
        let (mut clauses, mut todo) = (Vec::new(), vec![root]);
        while let Some(signal) = todo.pop() {
            match &self.wires[signal.gate as usize].gate {
                Gate::And(inputs) if !signal.is_negated => todo.extend(inputs),
                Gate::And(inputs) => clauses.push(inputs.iter().map(|&input| !input).collect()),
                &Gate::Iff([a, b]) => {
                    let b = if signal.is_negated { !b } else { b };
                    clauses.extend([vec![!a, b], vec![a, !b]]);
                }
                Gate::Constant | Gate::Current(_) | Gate::Next(_) => clauses.push(vec![signal]),
            }
        }
        clauses
    }

    /// Finds how each gate is used, from the claims and the used signals down.
    fn find_uses(&mut self, signals: &[Signal], used: &[(Expression, Use)]) {
        let Circuit { wires, state_claims, step_claims } = self;
        let mut occurs = |signal: Signal| wires[signal.gate as usize].occurs(signal.is_negated);
        state_claims.iter().chain(step_claims.iter()).flatten().copied().for_each(&mut occurs);
        for (&signal, (_, used)) in signals.iter().zip(used) {
            if *used != Use::Negative {
                occurs(signal);
            }
            if *used != Use::Positive {
                occurs(!signal);
            }
        }
        // The inputs of a gate are before it.
        for index in (0..wires.len()).rev() {
            let (before, from) = wires.split_at_mut(index);
            let Wire { gate, is_positive, is_negative, .. } = &from[0];
            let inputs: &[Signal] = match gate {
                Gate::And(inputs) => inputs,
                Gate::Iff(inputs) => inputs,
                Gate::Constant | Gate::Current(_) | Gate::Next(_) => &[],
            };
            let is_both = matches!(gate, Gate::Iff(_)) && (*is_positive || *is_negative);
            for input in inputs {
                let wire = &mut before[input.gate as usize];
                if *is_positive || is_both {
                    wire.occurs(input.is_negated);
                }
                if *is_negative || is_both {
                    wire.occurs(!input.is_negated);
                }
            }
        }
    }

    /// The variables whose next values are used, by increasing index.
    pub(super) fn next_variables(&self) -> Vec<Variable> {
        let used = self.wires.iter().filter(|wire| wire.is_used());
        let mut next: Vec<Variable> = used
            .filter_map(|wire| match wire.gate {
                Gate::Next(variable) => Some(variable),
                _ => None,
            })
            .collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    /// A copy over a state: the gates without next values, and the claims about states.
    pub(super) fn state(&self, context: &mut SatContext, current: &[Literal]) -> CircuitCopy {
        let mut copy = CircuitCopy(vec![context.constant(false); self.wires.len()]);
        for (index, wire) in self.wires.iter().enumerate() {
            if wire.is_used() && !wire.is_ahead {
                copy.0[index] = define(context, wire, &copy, current, &[]);
            }
        }
        claim(context, &self.state_claims, &copy);
        copy
    }

    /// Completes a copy by a step to the next state: the other gates, and the claims about steps.
    pub(super) fn step(&self, context: &mut SatContext, copy: &mut CircuitCopy, next: &[Literal]) {
        for (index, wire) in self.wires.iter().enumerate() {
            if wire.is_used() && wire.is_ahead {
                copy.0[index] = define(context, wire, copy, &[], next);
            }
        }
        claim(context, &self.step_claims, copy);
    }
}

impl Wire {
    fn occurs(&mut self, is_negated: bool) {
        self.is_positive |= !is_negated;
        self.is_negative |= is_negated;
    }

    fn is_used(&self) -> bool {
        self.is_positive || self.is_negative
    }
}

fn claim(context: &mut SatContext, claims: &[Vec<Signal>], copy: &CircuitCopy) {
    let mut clause = Vec::new();
    for signals in claims {
        clause.clear();
        clause.extend(signals.iter().map(|&signal| copy.literal(signal)));
        context.clause(&clause);
    }
}

/// The literal of a gate, with the clauses of its definition.
fn define(
    context: &mut SatContext,
    wire: &Wire,
    copy: &CircuitCopy,
    current: &[Literal],
    next: &[Literal],
) -> Literal {
    let positive = wire.is_positive;
    let negative = wire.is_negative && !context.has(Mistake::GatesAreNotImplied);
    match &wire.gate {
        Gate::Constant => context.constant(true),
        Gate::Current(variable) => current[variable.index()],
        Gate::Next(variable) => next[variable.index()],
        Gate::And(inputs) => {
            let gate = context.fresh();
            let inputs: Vec<Literal> = inputs.iter().map(|&input| copy.literal(input)).collect();
            if positive {
                inputs.iter().for_each(|&input| context.clause(&[!gate, input]));
            }
            if negative {
                let mut clause: Vec<Literal> = inputs.iter().map(|&input| !input).collect();
                clause.push(gate);
                context.clause(&clause);
            }
            gate
        }
        &Gate::Iff([a, b]) => {
            let gate = context.fresh();
            let (a, b) = (copy.literal(a), copy.literal(b));
            if positive {
                context.clause(&[!gate, !a, b]);
                context.clause(&[!gate, a, !b]);
            }
            if negative {
                context.clause(&[gate, a, b]);
                context.clause(&[gate, !a, !b]);
            }
            gate
        }
    }
}

struct Builder<'g> {
    graph: &'g Graph,
    roots: &'g [Expression],
    below: Below,
    /// How often an expression that is no negation is used.
    uses: Vec<u32>,
    wires: Vec<Wire>,
    /// The signals of the expressions.
    signals: Vec<Signal>,
}

impl<'g> Builder<'g> {
    fn new(graph: &'g Graph, roots: &'g [Expression]) -> Self {
        let below = Below::of(graph, roots);
        let mut builder =
            Builder { graph, roots, below, uses: Vec::new(), wires: Vec::new(), signals: vec![] };
        builder.uses = vec![0; builder.below.len()];
        for &root in roots {
            builder.count(root);
        }
        for position in 0..builder.below.len() {
            let term = graph.term(builder.below.at(position));
            if !matches!(term, Term::Not(_)) {
                term.operands().for_each(|operand| builder.count(operand));
            }
        }
        builder
    }

    /// Counts a use of an expression, below its negations.
    fn count(&mut self, mut expression: Expression) {
        while let Term::Not(inner) = self.graph.term(expression) {
            expression = inner;
        }
        self.uses[self.below.position(expression)] += 1;
    }

    fn build(mut self) -> (Circuit, Vec<Signal>) {
        for position in 0..self.below.len() {
            let signal = self.signal(self.graph.term(self.below.at(position)));
            self.signals.push(signal);
        }
        let signals = self.roots.iter().map(|&root| self.of(root)).collect();
        let (state_claims, step_claims) = (Vec::new(), Vec::new());
        (Circuit { wires: self.wires, state_claims, step_claims }, signals)
    }

    fn of(&self, expression: Expression) -> Signal {
        self.signals[self.below.position(expression)]
    }

    fn signal(&mut self, term: Term) -> Signal {
        match term {
            Term::Constant(true) => self.push(Gate::Constant, false),
            Term::Constant(false) => !self.push(Gate::Constant, false),
            Term::Current(variable) => self.push(Gate::Current(variable), false),
            Term::Next(variable) => self.push(Gate::Next(variable), true),
            Term::Not(a) => !self.of(a),
            Term::And(a, b) => self.and((a, false), (b, false)),
            Term::Or(a, b) => !self.and((a, true), (b, true)),
            Term::Implies(a, b) => !self.and((a, false), (b, true)),
            Term::Iff(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                let is_ahead = self.is_ahead(a) || self.is_ahead(b);
                self.push(Gate::Iff([a, b]), is_ahead)
            }
        }
    }

    fn is_ahead(&self, signal: Signal) -> bool {
        self.wires[signal.gate as usize].is_ahead
    }

    fn push(&mut self, gate: Gate, is_ahead: bool) -> Signal {
        let wire = Wire { gate, is_ahead, is_positive: false, is_negative: false };
        self.wires.push(wire);
        Signal { gate: self.wires.len() as u32 - 1, is_negated: false }
    }

    /// The conjunction of two expressions, each of which may be negated.
    fn and(&mut self, a: (Expression, bool), b: (Expression, bool)) -> Signal {
        let is_ahead = self.is_ahead(self.of(a.0)) || self.is_ahead(self.of(b.0));
        let mut inputs = self.inputs(a);
        let mut others = self.inputs(b);
        if inputs.len() < others.len() {
            std::mem::swap(&mut inputs, &mut others);
        }
        inputs.append(&mut others);
        self.push(Gate::And(inputs), is_ahead)
    }

    /// The inputs of a conjunction that an operand adds: those of a conjunction that is used
    /// nowhere else, or the operand itself.
    fn inputs(&mut self, (mut expression, is_negated): (Expression, bool)) -> Vec<Signal> {
        let signal = self.of(expression);
        let signal = if is_negated { !signal } else { signal };
        while let Term::Not(inner) = self.graph.term(expression) {
            expression = inner;
        }
        let is_single = self.uses[self.below.position(expression)] == 1;
        match &mut self.wires[signal.gate as usize].gate {
            Gate::And(inputs) if is_single && !signal.is_negated => take(inputs),
            _ => vec![signal],
        }
    }
}

#[cfg(test)]
mod tests {
    use kermode_base::Rng;

    use super::*;
    use crate::frame::budget::Budget;

    const VARIABLES: usize = 2;

    /// Random expressions, each over the ones before.
    fn expressions(graph: &mut Graph, rng: &mut Rng) -> Vec<Expression> {
        let variables: Vec<Variable> = (0..VARIABLES).map(|_| graph.variable("v")).collect();
        let mut all: Vec<Expression> = variables.iter().map(|&v| graph.current(v)).collect();
        all.extend(variables.iter().map(|&v| graph.next(v)));
        for _ in 0..12 {
            let [a, b] = [(); 2].map(|()| all[rng.below(all.len())]);
            all.push(match rng.below(6) {
                0 => graph.not(a),
                1 | 2 => graph.and(a, b),
                3 => graph.or(a, b),
                4 => graph.implies(a, b),
                _ => graph.iff(a, b),
            });
        }
        all
    }

    /// Whether an expression holds for the step with a number.
    fn holds(graph: &Graph, expression: Expression, step: usize) -> bool {
        let below = Below::of(graph, &[expression]);
        let word = |bit: usize| if step >> bit & 1 == 1 { u64::MAX } else { 0 };
        let values = graph.values(&below, |v| word(v.index()), |v| word(VARIABLES + v.index()));
        values[below.position(expression)] & 1 == 1
    }

    /// On all steps, signals have the values of their expressions in the directions that are used,
    /// and claims exclude exactly the steps that violate them.
    #[test]
    fn copies_mean_what_the_expressions_mean() {
        for seed in 0..300 {
            let (mut graph, mut rng) = (Graph::new(), Rng::new(seed));
            let all = expressions(&mut graph, &mut rng);
            let [a, b, c] = [(); 3].map(|()| all[rng.below(all.len())]);
            let used = [(a, Use::Positive), (b, Use::Negative), (c, Use::Both)];
            let claimed = all[all.len() - 1];
            let (circuit, signals) = Circuit::new(&graph, &[], &[claimed], &used);
            let budget = Budget::unlimited();
            let mut context = SatContext::new(&budget);
            let mut state = || (0..VARIABLES).map(|_| context.fresh()).collect::<Vec<Literal>>();
            let (now, next) = (state(), state());
            let mut copy = circuit.state(&mut context, &now);
            circuit.step(&mut context, &mut copy, &next);
            for step in 0..1 << (2 * VARIABLES) {
                let literals = now.iter().chain(&next).enumerate();
                let fixed = literals.map(|(i, &l)| if step >> i & 1 == 1 { l } else { !l });
                let fixed: Vec<Literal> = fixed.collect();
                let mut may_be = |signal: Signal| {
                    let with = [fixed.as_slice(), &[copy.literal(signal)]].concat();
                    context.query(&with).expect("no limit")
                };
                if !holds(&graph, claimed, step) {
                    assert!(signals.iter().all(|&signal| !may_be(signal)), "seed {seed}");
                    continue;
                }
                let [holds_a, holds_b, holds_c] = [a, b, c].map(|e| holds(&graph, e, step));
                assert_eq!(may_be(signals[0]), holds_a, "seed {seed}");
                assert_eq!(may_be(!signals[1]), !holds_b, "seed {seed}");
                assert_eq!([signals[2], !signals[2]].map(may_be), [holds_c, !holds_c]);
            }
        }
    }
}
