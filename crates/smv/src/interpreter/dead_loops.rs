//! Dead ends that have loops ([`crate::dead_loops`]): which states have them, and their steps.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::space::Relation;
use super::state::{Layout, State};
use crate::flat::{FlatModel, Value, VariableId};

/// The loops of the dead ends of a model.
#[derive(Clone, Debug)]
pub(super) struct DeadLoops<'m> {
    pub(super) variable: VariableId,
    /// The steps without the loops.
    steps: Relation<'m>,
    /// The steps of a state to itself, with any inputs.
    pub(super) loops: Relation<'m>,
}

impl<'m> DeadLoops<'m> {
    /// The loops of a model, if its dead ends have some.
    pub(super) fn of(model: &'m FlatModel) -> Option<Self> {
        let variable = model.dead_loop?;
        let (steps, loops) = (Relation::of_steps(model), Relation::of_loops(model));
        Some(DeadLoops { variable, steps, loops })
    }

    /// Whether a state has the mark of dead ends.
    pub(super) fn is_marked(&self, layout: &Layout<'_>, state: &State) -> bool {
        layout.value(state, self.variable) == Some(Value::Boolean(true))
    }

    /// Whether exactly the dead ends have the mark, as far as a state is concerned.
    pub(super) fn is_right<E>(
        &mut self,
        layout: &Layout<'_>,
        state: &State,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        let mut has_step = false;
        let mut visit = |_, _: &[bool]| {
            has_step = true;
            ControlFlow::Break(())
        };
        self.steps.edges(layout, state, false, &mut visit, interrupt)?;
        Ok(has_step != self.is_marked(layout, state))
    }
}

/// What a caller interrupts with.
pub(super) type Interrupt<'i, E> = &'i mut (dyn FnMut() -> Result<(), E> + 'i);

/// Lets the states of an enumeration pass that have the mark exactly if they are dead ends.
pub(super) struct RightMarks<'f, 'm, 'i, E> {
    dead: Option<&'f mut DeadLoops<'m>>,
    layout: &'f Layout<'m>,
    interrupt: &'f RefCell<Interrupt<'i, E>>,
    stopped: Option<E>,
}

impl<'f, 'm, 'i, E> RightMarks<'f, 'm, 'i, E> {
    pub(super) fn new(
        dead: Option<&'f mut DeadLoops<'m>>,
        layout: &'f Layout<'m>,
        interrupt: &'f RefCell<Interrupt<'i, E>>,
    ) -> Self {
        RightMarks { dead, layout, interrupt, stopped: None }
    }

    /// Whether a state passes; a break if the caller interrupts.
    pub(super) fn pass(&mut self, state: &State) -> ControlFlow<(), bool> {
        let Some(dead) = &mut self.dead else { return ControlFlow::Continue(true) };
        match dead.is_right(self.layout, state, &mut || (self.interrupt.borrow_mut())()) {
            Ok(passes) => ControlFlow::Continue(passes),
            Err(stop) => {
                self.stopped = Some(stop);
                ControlFlow::Break(())
            }
        }
    }

    /// The result of an enumeration that ended with `result`.
    pub(super) fn end(self, result: Result<(), E>) -> Result<(), E> {
        self.stopped.map_or(result, Err)
    }
}
