//! Random paths of a model: for tests, fuzzing and examples.
//!
//! The initial state and each step are drawn from the first [`MOST_CHOICES`] ones in the order of
//! the interpreter, all with the same probability. The rest is never drawn, so that a variable
//! without constraints costs no more than that.

use std::ops::ControlFlow;

use kermode_base::Rng;
use rustc_hash::FxHashMap;

use super::replay::Trace;
use super::space::Interpreter;
use super::state::State;

/// The most states or steps that one is drawn from.
const MOST_CHOICES: usize = 256;

/// How a random path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// After the given number of steps, or in a dead end.
    Finite,
    /// With the loop that closes when a state comes back. If none comes back within the given
    /// number of steps, the path is finite.
    Loop,
}

/// A random path with at most this many steps. `None` if there is no initial state.
pub fn random_walk<E>(
    interpreter: &mut Interpreter<'_>,
    rng: &mut Rng,
    steps: usize,
    end: WalkEnd,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Trace>, E> {
    let mut initial = Draw::new(rng);
    interpreter.initial_states(&mut |state| initial.offer(state), interrupt)?;
    let Some(first) = initial.drawn else { return Ok(None) };
    let mut seen = FxHashMap::from_iter([(first.clone(), 0)]);
    let mut trace = Trace { states: vec![first], inputs: Vec::new(), loop_start: None };
    for number in 1..=steps {
        interrupt()?;
        let mut step = Draw::new(rng);
        let last = &trace.states[number - 1];
        interpreter.steps(last, &mut |inputs, target| step.offer((inputs, target)), interrupt)?;
        let Some((inputs, target)): Option<(State, State)> = step.drawn else { break };
        trace.inputs.push(inputs);
        match seen.get(&target) {
            Some(&start) if end == WalkEnd::Loop => {
                trace.loop_start = Some(start);
                break;
            }
            Some(_) => {}
            None => {
                seen.insert(target.clone(), number);
            }
        }
        trace.states.push(target);
    }
    Ok(Some(trace))
}

/// Draws one of several items while they are enumerated.
struct Draw<'r, T> {
    rng: &'r mut Rng,
    offered: usize,
    drawn: Option<T>,
}

impl<'r, T> Draw<'r, T> {
    fn new(rng: &'r mut Rng) -> Self {
        Draw { rng, offered: 0, drawn: None }
    }

    /// Takes an item instead of the present one with the right probability.
    fn offer(&mut self, item: T) -> ControlFlow<()> {
        self.offered += 1;
        if self.rng.below(self.offered) == 0 {
            self.drawn = Some(item);
        }
        match self.offered < MOST_CHOICES {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }
}
