//! Simplification by a care set: a function with the same values on the care set that is probably
//! smaller.
//!
//! The restriction of Coudert and Madre \[CM90\]. Where the care set is empty on one side of a
//! decision, the decision is dropped. A variable that occurs in the care set only is quantified in
//! it, so that the result gets no new variable. An explicit stack replaces the recursion, and
//! results are cached during one call.
//!
//! Departs from the paper: returns the function itself if the result is not smaller.

use rustc_hash::FxHashMap;

use crate::function::Bdd;
use crate::manager::OutOfNodes;
use crate::variable::Variable;

/// A pending task. Each function pushes its result to `results`.
enum Task {
    Restrict(Bdd, Bdd),
    /// Builds a node from the last two results, and caches it.
    Join(Variable, Bdd, Bdd),
    /// Caches the last result for another pair as well.
    Same(Bdd, Bdd),
}

impl Bdd {
    /// A function with the values of this one wherever `care` is true, with at most as many nodes.
    /// Elsewhere its values are chosen to make it small. `interrupt` is called between steps.
    pub fn restrict<E: From<OutOfNodes>>(
        &self,
        care: &Bdd,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Bdd, E> {
        if care.is_bottom() {
            return Ok(care.clone());
        }
        let mut restriction = Restriction::default();
        restriction.tasks.push(Task::Restrict(self.clone(), care.clone()));
        while let Some(task) = restriction.tasks.pop() {
            interrupt()?;
            restriction.step(task)?;
        }
        let result = restriction.results.pop().unwrap_or_else(|| self.clone());
        Ok(if result.node_count() < self.node_count() { result } else { self.clone() })
    }
}

#[derive(Default)]
struct Restriction {
    tasks: Vec<Task>,
    results: Vec<Bdd>,
    known: FxHashMap<(Bdd, Bdd), Bdd>,
}

impl Restriction {
    fn step(&mut self, task: Task) -> Result<(), OutOfNodes> {
        match task {
            Task::Restrict(function, care) => self.restrict(function, care)?,
            Task::Join(variable, function, care) => {
                let [high, low] = [self.results.pop(), self.results.pop()];
                if let (Some(high), Some(low)) = (high, low) {
                    let node = function.manager().variable(variable)?.ite(&high, &low)?;
                    self.known.insert((function, care), node.clone());
                    self.results.push(node);
                }
            }
            Task::Same(function, care) => {
                if let Some(result) = self.results.last() {
                    self.known.insert((function, care), result.clone());
                }
            }
        }
        Ok(())
    }

    fn restrict(&mut self, function: Bdd, care: Bdd) -> Result<(), OutOfNodes> {
        let Some(variable) = function.topmost_variable(&[]).filter(|_| !care.is_top()) else {
            self.results.push(function);
            return Ok(());
        };
        if let Some(known) = self.known.get(&(function.clone(), care.clone())) {
            self.results.push(known.clone());
            return Ok(());
        }
        // The care set is not constant, so it has a topmost variable.
        let first = function.topmost_variable(std::slice::from_ref(&care)).unwrap_or(variable);
        let [care_low, care_high] = care.cofactors(first);
        let [low, high] = function.cofactors(first);
        let [nothing_low, nothing_high] = [care_low.is_bottom(), care_high.is_bottom()];
        if first != variable || nothing_low || nothing_high {
            let (part, cared) = match (first != variable, nothing_low) {
                (true, _) => (function.clone(), care_low.or(&care_high)?),
                (false, true) => (high, care_high),
                (false, false) => (low, care_low),
            };
            self.tasks.push(Task::Same(function, care));
            self.tasks.push(Task::Restrict(part, cared));
        } else {
            self.tasks.push(Task::Join(first, function, care));
            self.tasks.push(Task::Restrict(high, care_high));
            self.tasks.push(Task::Restrict(low, care_low));
        }
        Ok(())
    }
}
