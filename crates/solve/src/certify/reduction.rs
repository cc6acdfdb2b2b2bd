//! The system of a claim, ready for diagrams: the cone of influence of the goal, and inputs that
//! belong to steps.
//!
//! The judge takes inputs as bits of states. Sets without inputs are smaller, so an input belongs
//! to steps here unless the proof needs it in states: if the first state, a justice constraint or
//! the tableau of a later position reads it.

use kermode_certificate::{Goal, Product};
use kermode_system::{
    Below, Domain, Expression, Graph, Model, Symbol, SymbolKind, System, Term, Variable,
    cone_of_influence,
};
use rustc_hash::FxHashSet;

/// A part of the system of a claim.
pub(super) struct Reduction {
    /// The part. Its justice constraints are those of the whole.
    pub(super) model: Model,
    /// The part of the part without the bits of a formula, over the first of its variables.
    pub(super) factor: Model,
}

impl Reduction {
    pub(super) fn of(product: &Product) -> Reduction {
        let Product { model, factor, goal, .. } = product;
        let (graph, whole) = (&model.graph, &model.system);
        let system = match *goal {
            Goal::DeadEnd(_) => whole.clone(),
            Goal::FairPath => cone_of_influence(graph, whole, &[]).system,
            Goal::State(goal) | Goal::Step(goal) => {
                cone_of_influence(graph, whole, &graph.variables(&[goal])).system
            }
        };
        let kept: FxHashSet<Variable> = system.variables().iter().copied().collect();
        let order: Vec<Variable> =
            model.order.iter().copied().filter(|variable| kept.contains(variable)).collect();
        let in_states = read_in_states(graph, &system);
        let symbols = symbols(&model.symbols, &kept, &in_states);
        let factor = restricted(graph, factor, &kept);
        let of_factor: FxHashSet<Variable> = factor.variables().iter().copied().collect();
        let factor_order = order.iter().copied().filter(|v| of_factor.contains(v)).collect();
        let part = |system, order, symbols| Model {
            graph: graph.clone(),
            system,
            order,
            symbols,
            atoms: Default::default(),
        };
        let factor_symbols = symbols.clone();
        Reduction {
            model: part(system, order, symbols),
            factor: part(factor, factor_order, factor_symbols),
        }
    }
}

/// The variables that the first state, justice or the next values of a step read.
fn read_in_states(graph: &Graph, system: &System) -> FxHashSet<Variable> {
    let states: Vec<Expression> = [system.initial(), system.justice()].concat();
    let mut read: FxHashSet<Variable> = graph.variables(&states).into_iter().collect();
    for expression in Below::of(graph, system.transition()).iter() {
        if let Term::Next(variable) = graph.term(expression) {
            read.insert(variable);
        }
    }
    read
}

/// The symbols of the kept bits. An input with a bit that is read in states, or that is not kept,
/// is taken apart into bits.
fn symbols(
    symbols: &[Symbol],
    kept: &FxHashSet<Variable>,
    in_states: &FxHashSet<Variable>,
) -> Vec<Symbol> {
    let mut all = Vec::new();
    for symbol in symbols {
        let is_input = symbol.kind == SymbolKind::Input;
        let is_whole = symbol.bits.iter().all(|bit| kept.contains(bit));
        let is_split = is_input && symbol.bits.iter().any(|bit| in_states.contains(bit));
        if is_whole && !is_split {
            all.push(symbol.clone());
        } else if is_input {
            let bits = symbol.bits.iter().filter(|bit| kept.contains(bit));
            all.extend(bits.map(|&bit| Symbol {
                name: symbol.name.clone(),
                kind: match in_states.contains(&bit) {
                    true => SymbolKind::State,
                    false => SymbolKind::Input,
                },
                domain: Domain::Boolean,
                bits: vec![bit],
            }));
        }
    }
    all
}

/// The constraints of a system over some variables. They allow all steps of the system.
fn restricted(graph: &Graph, system: &System, kept: &FxHashSet<Variable>) -> System {
    let mut part = System::new();
    let variables = system.variables().iter().copied();
    variables.filter(|v| kept.contains(v)).for_each(|v| part.add_variable(v));
    let is_kept = |constraint: &&Expression| {
        graph.variables(&[**constraint]).iter().all(|variable| kept.contains(variable))
    };
    system.initial().iter().filter(is_kept).for_each(|&c| part.add_initial(graph, c));
    system.transition().iter().filter(is_kept).for_each(|&c| part.add_transition(graph, c));
    system.invariants().iter().filter(is_kept).for_each(|&c| part.add_invariant(graph, c));
    part
}
