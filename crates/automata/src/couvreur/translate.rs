//! The whole construction as an explicit automaton: all nodes, breadth first, and one transition
//! per step.

use kermode_bdd::{CannotStart, Capacity, Manager, OutOfNodes};
use kermode_ltl::{Formula, Store, Untranslatable};

use super::space::{Couvreur, Node};
use super::tableau::Tableau;
use super::{Construction, StepSelection};
use crate::space::Space;
use crate::tgba::{State, Tgba};

/// A table of 170 MB, which is only reserved at first.
const NODES: usize = 1 << 22;

/// The automaton of a formula over infinite words, without past and bounded operators. It accepts
/// exactly the words that satisfy the formula, so it uses all prime implicants in place of
/// [`StepSelection::Least`], which loses words.
pub fn to_tgba<E>(
    store: &mut Store,
    formula: Formula,
    construction: Construction,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E>
where
    E: From<OutOfNodes> + From<CannotStart> + From<Untranslatable>,
{
    let tableau = Tableau::new(store, formula, construction)?;
    let manager = new_manager(tableau.variable_count())?;
    to_tgba_in(tableau, manager, interrupt)
}

/// A manager for the functions and labels of one or more tableaux.
pub(crate) fn new_manager(variables: usize) -> Result<Manager, CannotStart> {
    // The cache is written when it is built, so few variables get a small one.
    let cache = (variables * 256).next_power_of_two().clamp(1 << 12, 1 << 14);
    Manager::new(Capacity { variables, nodes: NODES, cache })
}

/// As [`to_tgba`], with labels in an existing manager.
///
/// # Panics
/// When the manager has fewer variables than the tableau needs.
pub fn to_tgba_in<E: From<OutOfNodes>>(
    mut tableau: Tableau,
    manager: Manager,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    if tableau.construction.steps == StepSelection::Least {
        tableau.construction.steps = StepSelection::Primes;
    }
    let mut construction = Couvreur::new(tableau, manager.clone(), interrupt);
    let propositions = construction.propositions().to_vec();
    let mut automaton = Tgba::new(manager, propositions, construction.mark_count());
    for node in construction.initial()? {
        add_states(&mut automaton, &construction);
        automaton.add_initial(State::from_index(node.index()));
    }
    let mut next = 0;
    while next < automaton.state_count() {
        add_transitions(&mut automaton, &mut construction, Node::from_index(next))?;
        next += 1;
    }
    Ok(automaton)
}

/// Adds states for all discovered nodes, with the numbers of the nodes.
fn add_states<E: From<OutOfNodes>>(automaton: &mut Tgba, construction: &Couvreur<E>) {
    while automaton.state_count() < construction.node_count() {
        let state = automaton.add_state();
        let node = Node::from_index(state.index());
        automaton.set_name(state, construction.describe(&node));
    }
}

fn add_transitions<E: From<OutOfNodes>>(
    automaton: &mut Tgba,
    construction: &mut Couvreur<E>,
    node: Node,
) -> Result<(), E> {
    let source = State::from_index(node.index());
    if construction.which_steps() == StepSelection::Cover {
        for (step, label) in construction.choices(node)? {
            add_states(automaton, construction);
            automaton.add_transition(source, State::from_index(step.to.index()), label, step.marks);
        }
        return Ok(());
    }
    let mut steps = construction.steps(&node)?;
    while let Some((step, implicant)) = construction.next_step(&mut steps)? {
        add_states(automaton, construction);
        let label = construction.manager().cube(&construction.label(&implicant))?;
        automaton.add_transition(source, State::from_index(step.to.index()), label, step.marks);
    }
    Ok(())
}
