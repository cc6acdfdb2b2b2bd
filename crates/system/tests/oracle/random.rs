//! Random systems, and the truth of their constraints as the definitions have it.

use kermode_base::Rng;
use kermode_system::{Expression, Graph, System, Term, Trace, Variable};

/// A random expression over some variables, with next values or without.
pub(crate) fn expression(
    graph: &mut Graph,
    rng: &mut Rng,
    variables: &[Variable],
    ahead: bool,
    depth: usize,
) -> Expression {
    if depth == 0 || rng.below(5) == 0 {
        let variable = rng.choose(variables);
        let leaf = match ahead && rng.coin() {
            true => graph.next(variable),
            false => graph.current(variable),
        };
        return if rng.coin() { leaf } else { graph.not(leaf) };
    }
    let a = expression(graph, rng, variables, ahead, depth - 1);
    let b = expression(graph, rng, variables, ahead, depth - 1);
    match rng.below(6) {
        0 => graph.and(a, b),
        1 => graph.or(a, b),
        2 => graph.implies(a, b),
        3 => graph.iff(a, b),
        4 => graph.xor(a, b),
        _ => {
            let c = expression(graph, rng, variables, ahead, depth - 1);
            graph.if_then_else(a, b, c)
        }
    }
}

/// A random system over some variables, with a few constraints of each kind; some are assignments.
pub(crate) fn system(graph: &mut Graph, rng: &mut Rng, variables: &[Variable]) -> System {
    let mut system = System::new();
    variables.iter().for_each(|&variable| system.add_variable(variable));
    for _ in 0..rng.below(3) {
        let constraint = assignment_or_not(graph, rng, variables, false);
        system.add_initial(graph, constraint);
    }
    for _ in 0..rng.below(4) {
        let constraint = assignment_or_not(graph, rng, variables, true);
        system.add_transition(graph, constraint);
    }
    if rng.below(3) == 0 {
        let constraint = expression(graph, rng, variables, false, 2);
        system.add_invariant(graph, constraint);
    }
    for _ in 0..rng.below(3) {
        let constraint = expression(graph, rng, variables, true, 1);
        system.add_justice(constraint);
    }
    system
}

fn assignment_or_not(
    graph: &mut Graph,
    rng: &mut Rng,
    variables: &[Variable],
    ahead: bool,
) -> Expression {
    let value = expression(graph, rng, variables, ahead, 2);
    if rng.below(3) == 0 {
        return value;
    }
    let target = rng.choose(variables);
    let target = if ahead { graph.next(target) } else { graph.current(target) };
    graph.iff(target, value)
}

/// A random trace of so many steps; one in four is finite.
pub(crate) fn trace(rng: &mut Rng, variables: usize, steps: usize) -> Trace {
    let rows: Vec<Vec<bool>> =
        (0..steps).map(|_| (0..variables).map(|_| rng.coin()).collect()).collect();
    let loop_start = rng.below(steps);
    Trace::new(variables, rows, (rng.below(4) > 0).then_some(loop_start))
}

/// The truth of an expression at a step of a trace, by recursion.
pub(crate) fn holds(
    graph: &Graph,
    system: &System,
    trace: &Trace,
    at: usize,
    e: Expression,
) -> bool {
    let position =
        |v| system.variables().iter().position(|&w| w == v).expect("a variable of the system");
    let holds = |e| holds(graph, system, trace, at, e);
    match graph.term(e) {
        Term::Constant(value) => value,
        Term::Current(variable) => trace.value(at, position(variable)),
        Term::Next(variable) => {
            let next = trace.successor(at);
            next.is_some_and(|next| trace.value(next, position(variable)))
        }
        Term::Not(a) => !holds(a),
        Term::And(a, b) => holds(a) && holds(b),
        Term::Or(a, b) => holds(a) || holds(b),
        Term::Implies(a, b) => !holds(a) || holds(b),
        Term::Iff(a, b) => holds(a) == holds(b),
    }
}
