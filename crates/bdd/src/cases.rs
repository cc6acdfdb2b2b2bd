//! The steps of a relation in which a selector has one value.
//!
//! In a model of interleaved processes a selector says which process moves, and the variables of
//! the others keep their values. Once the selector is fixed, many parts of the relation say only
//! that a next variable is equal to a current one: its own, or that of another variable, as in a
//! queue that moves up by one place. Such a next variable is replaced by the current one in the
//! other parts. Images then neither conjoin these parts nor quantify the variable: they touch only
//! the part of the state that moves, and rename variables that are copied.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::function::Bdd;
use crate::manager::{Manager, OutOfNodes};
use crate::variable::{Cube, Variable};

/// The steps of a relation in which some variables have given values.
#[derive(Clone, Debug)]
pub struct RelationCase {
    /// The given values.
    pub values: Cube,
    /// The parts, without the next variables of the copies.
    pub parts: Vec<Bdd>,
    /// The pairs of a current and a next variable that are not copies.
    pub moving: Vec<(Variable, Variable)>,
    /// The variables whose next value is the current value of a variable. No variable is copied
    /// twice.
    pub copies: Vec<CopiedVariable>,
}

/// A state variable whose next value is a current value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CopiedVariable {
    /// The variable that is copied: `current`, if its value stays.
    pub source: Variable,
    /// The variable.
    pub current: Variable,
    /// Its next variable.
    pub next: Variable,
}

impl CopiedVariable {
    /// Whether the variable keeps its value.
    pub fn stays(&self) -> bool {
        self.source == self.current
    }
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
        let current_of: FxHashMap<Variable, Variable> =
            pairs.iter().map(|&(current, next)| (next, current)).collect();
        let states: FxHashSet<Variable> = pairs.iter().map(|&(current, _)| current).collect();
        let (mut others, mut found) = (Vec::new(), Vec::new());
        for part in parts {
            interrupt()?;
            let part = part.cofactor(&values)?;
            if part.is_bottom() {
                return Ok(None);
            }
            match copy(manager, &part, &current_of, &states)? {
                Some(copied) => found.push((copied, part)),
                None if part.is_top() => {}
                None => others.push(part),
            }
        }
        let copies = chosen_copies(found, &mut others);
        let back: Vec<_> = copies.iter().map(|copy| (copy.next, copy.source)).collect();
        let renaming = manager.renaming(&back)?;
        for part in &mut others {
            interrupt()?;
            *part = part.rename(&renaming)?;
        }
        // The selector is part of the state: steps start in states with the value.
        if values.literals().iter().any(|literal| states.contains(&literal.variable)) {
            others.push(manager.cube(&values)?);
        }
        let copied: FxHashSet<Variable> = copies.iter().map(|copy| copy.current).collect();
        let is_moving = |pair: &&(Variable, Variable)| !copied.contains(&pair.0);
        let moving = pairs.iter().filter(is_moving).copied().collect();
        Ok(Some(RelationCase { values, parts: others, moving, copies }))
    }

    /// The current variables whose values are lost: images quantify them.
    pub fn lost(&self) -> Vec<Variable> {
        let sources: FxHashSet<Variable> = self.copies.iter().map(|copy| copy.source).collect();
        let current = self.moving.iter().map(|&(current, _)| current);
        let copied = self.copies.iter().map(|copy| copy.current);
        current.chain(copied).filter(|variable| !sources.contains(variable)).collect()
    }
}

/// The copies that are used, at most one for each variable and for each source. A variable that
/// keeps its value comes first. The parts of the others are added to `others`.
fn chosen_copies(
    mut found: Vec<(CopiedVariable, Bdd)>,
    others: &mut Vec<Bdd>,
) -> Vec<CopiedVariable> {
    found.sort_by_key(|(copy, _)| (!copy.stays(), *copy));
    let (mut copied, mut sources) = (FxHashSet::default(), FxHashSet::default());
    let mut copies = Vec::with_capacity(found.len());
    for (copy, part) in found {
        if copied.contains(&copy.current) || sources.contains(&copy.source) {
            others.push(part);
            continue;
        }
        copied.insert(copy.current);
        sources.insert(copy.source);
        copies.push(copy);
    }
    copies
}

/// The variable that a part says to be copied, if it says nothing else.
fn copy(
    manager: &Manager,
    part: &Bdd,
    current_of: &FxHashMap<Variable, Variable>,
    states: &FxHashSet<Variable>,
) -> Result<Option<CopiedVariable>, OutOfNodes> {
    let support = part.support();
    let [one, other] = support[..] else { return Ok(None) };
    let found = [(one, other), (other, one)].into_iter().find_map(|(source, next)| {
        let current = *current_of.get(&next)?;
        states.contains(&source).then_some(CopiedVariable { source, current, next })
    });
    let Some(copy) = found else { return Ok(None) };
    let equal = manager.variable(copy.source)?.iff(&manager.variable(copy.next)?)?;
    Ok((*part == equal).then_some(copy))
}
