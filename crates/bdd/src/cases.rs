//! The steps of a relation in which a selector has one value.
//!
//! In a model of interleaved processes a selector says which process moves, and the variables of
//! the others keep their values. Once the selector is fixed, many parts of the relation say only
//! that a next variable is equal to its current one. Such a next variable is replaced by the
//! current one in the other parts. Images then neither conjoin these parts nor quantify or rename
//! the variable: they touch only the part of the state that moves.

use rustc_hash::FxHashMap;

use crate::function::Bdd;
use crate::manager::{Manager, OutOfNodes};
use crate::variable::{Cube, Variable};

/// The steps of a relation in which some variables have given values.
#[derive(Clone, Debug)]
pub struct RelationCase {
    /// The given values.
    pub values: Cube,
    /// The parts, without the next variables of the fixed pairs.
    pub parts: Vec<Bdd>,
    /// The pairs of a current and a next variable whose values may differ.
    pub moving: Vec<(Variable, Variable)>,
    /// The pairs whose values are equal in all these steps.
    pub fixed: Vec<(Variable, Variable)>,
}

impl RelationCase {
    /// The case of a conjunction of parts, or nothing if it has no step. `pairs` has each state
    /// variable with its next one. `interrupt` is called between operations.
    pub fn new<E: From<OutOfNodes>>(
        manager: &Manager,
        parts: &[Bdd],
        pairs: &[(Variable, Variable)],
        values: Cube,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<RelationCase>, E> {
        let next_of: FxHashMap<Variable, Variable> = pairs.iter().copied().collect();
        let (mut others, mut fixed) = (Vec::new(), Vec::new());
        for part in parts {
            interrupt()?;
            let part = part.cofactor(&values)?;
            if part.is_bottom() {
                return Ok(None);
            }
            match unchanged(manager, &part, &next_of)? {
                Some(pair) => fixed.push(pair),
                None if part.is_top() => {}
                None => others.push(part),
            }
        }
        fixed.sort_unstable();
        fixed.dedup();
        let back: Vec<_> = fixed.iter().map(|&(current, next)| (next, current)).collect();
        let renaming = manager.renaming(&back)?;
        for part in &mut others {
            interrupt()?;
            *part = part.rename(&renaming)?;
        }
        // The selector is part of the state: steps start in states with the value.
        if values.literals().iter().any(|literal| next_of.contains_key(&literal.variable)) {
            others.push(manager.cube(&values)?);
        }
        let is_moving = |pair: &&(Variable, Variable)| fixed.binary_search(pair).is_err();
        let moving = pairs.iter().filter(is_moving).copied().collect();
        Ok(Some(RelationCase { values, parts: others, moving, fixed }))
    }
}

/// The pair whose variables a part says to be equal, if it says nothing else.
fn unchanged(
    manager: &Manager,
    part: &Bdd,
    next_of: &FxHashMap<Variable, Variable>,
) -> Result<Option<(Variable, Variable)>, OutOfNodes> {
    let support = part.support();
    let [one, other] = support[..] else { return Ok(None) };
    let pair = [(one, other), (other, one)];
    let pair = pair.into_iter().find(|(current, next)| next_of.get(current) == Some(next));
    let Some((current, next)) = pair else { return Ok(None) };
    let equal = manager.variable(current)?.iff(&manager.variable(next)?)?;
    Ok((*part == equal).then_some((current, next)))
}
