//! Steps of state spaces letter by letter: what the product with a model needs.
//!
//! The spaces alone quantify the propositions: for emptiness, some letter is enough. In a product
//! the letters belong to the model. So a state gives a *function* of the letter and of the
//! variables of locations, monotone in the latter. For a fixed letter its minimal models are the
//! minimal steps ahead, or what the maximal predecessors leave out.
//!
//! [`classes`] splits a function into its restrictions to letters, one proposition after the other.
//! Equal restrictions are joined, and conditions that no letter of the model satisfies are dropped,
//! so there are only as many as the function and the model can tell apart.

use kermode_automata::space::{Reversible, Step};
use kermode_base::BitSet;
use kermode_bdd::{Bdd, Literal, Variable};
use kermode_ltl::Proposition;

use super::miyano_hayashi::Pair;
use super::predecessors::Goal;
use crate::frame::budget::{Budget, Stop};

/// A space whose steps are found letter by letter.
pub(crate) trait ByLetter: Reversible<Stop = Stop> {
    /// The variable of a proposition in functions, if they depend on it.
    fn proposition(&self, proposition: Proposition) -> Option<Variable>;

    /// The function whose minimal models are the minimal steps of a state.
    fn function_ahead(&mut self, from: &Self::State) -> Result<Bdd, Stop>;

    /// The steps of a state on the letters for which the function of the state has this
    /// restriction.
    fn steps_on(
        &mut self,
        from: &Self::State,
        function: &Bdd,
    ) -> Result<Vec<Step<Self::State>>, Stop>;

    /// The goals of the predecessors of a state. If a mark is given, steps have it.
    fn goals(&self, to: &Self::State, mark: Option<usize>) -> Vec<Goal>;

    /// The function whose minimal models are what maximal predecessors leave out.
    fn function_behind(&mut self, goal: &Goal) -> Result<Bdd, Stop>;

    /// The maximal predecessors on the letters for which the function of the goal has this
    /// restriction.
    fn predecessors_on(&mut self, goal: &Goal, function: &Bdd) -> Result<Vec<Self::State>, Stop>;

    /// The smallest state above two states, if there is one.
    fn join(&self, one: &Self::State, other: &Self::State) -> Option<Self::State>;

    /// The largest state below two states, if there is one.
    fn meet(&self, one: &Self::State, other: &Self::State) -> Option<Self::State>;

    /// Whether a state may subsume others that it does not simulate.
    fn exchanges(&self) -> bool;

    /// The locations and the obligations of a state. Sets of locations have no obligations.
    fn sets(&self, state: &Self::State) -> Pair;

    /// The state with these locations and obligations.
    fn state_of(&self, sets: Pair) -> Self::State;
}

/// A set of letters of a model on which a function has the same restriction.
pub(crate) struct LetterClass {
    /// The condition on steps of the model, not false.
    pub(crate) condition: Bdd,
    /// The restriction, without propositions.
    pub(crate) function: Bdd,
}

/// A proposition: its variable in functions, and its meaning as a condition on steps of a model. A
/// proposition without meaning may have any value in any step.
pub(crate) struct Atom {
    pub(crate) variable: Variable,
    pub(crate) holds: Option<Bdd>,
}

/// The classes of letters of a function. `any` is the condition that all steps satisfy.
pub(crate) fn classes(
    function: Bdd,
    any: Bdd,
    atoms: &[Atom],
    budget: &Budget,
) -> Result<Vec<LetterClass>, Stop> {
    let mut classes = vec![LetterClass { condition: any, function }];
    for Atom { variable, holds } in atoms {
        let mut split: Vec<LetterClass> = Vec::with_capacity(classes.len());
        for LetterClass { condition, function } in classes {
            budget.check()?;
            for (condition, function) in halves(condition, function, *variable, holds.as_ref())? {
                match split.iter_mut().find(|class| class.function == function) {
                    Some(class) => class.condition = class.condition.or(&condition)?,
                    None => split.push(LetterClass { condition, function }),
                }
            }
        }
        classes = split;
    }
    Ok(classes)
}

/// The restrictions of a function to both values of a proposition, where they are possible.
fn halves(
    condition: Bdd,
    function: Bdd,
    variable: Variable,
    holds: Option<&Bdd>,
) -> Result<Vec<(Bdd, Bdd)>, Stop> {
    if function.support().binary_search(&variable).is_err() {
        return Ok(vec![(condition, function)]);
    }
    let mut halves = Vec::with_capacity(2);
    for positive in [true, false] {
        let condition = match (holds, positive) {
            (None, _) => condition.clone(),
            (Some(holds), true) => condition.and(holds)?,
            (Some(holds), false) => condition.and_not(holds)?,
        };
        if !condition.is_bottom() {
            let cube = [Literal { variable, positive }].into_iter().collect();
            let function = function.cofactor(&cube)?;
            if !function.is_bottom() {
                halves.push((condition, function));
            }
        }
    }
    Ok(halves)
}

/// The union of two sets.
pub(super) fn union(one: &BitSet, other: &BitSet) -> BitSet {
    let mut union = one.clone();
    union.union_with(other);
    union
}

/// The intersection of two sets.
pub(super) fn intersection(one: &BitSet, other: &BitSet) -> BitSet {
    let mut intersection = one.clone();
    intersection.intersect_with(other);
    intersection
}
