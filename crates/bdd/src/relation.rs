//! Renaming, and images under partitioned transition relations.
//!
//! A relation is a conjunction over current variables, next variables and inputs. Its parts are
//! conjoined one after the other, and a variable is quantified as soon as no later part mentions it
//! \[BCL91\], which keeps the intermediate diagrams small.

use oxidd::Subst;

use crate::cases::{CopiedVariable, RelationCase};
use crate::function::Bdd;
use crate::manager::{Manager, OutOfNodes};
use crate::package::PackageFunction;
use crate::variable::{Cube, Variable, VariableSet};

/// A replacement of variables by variables, built once and used often: results are cached.
#[derive(Clone)]
pub struct Renaming {
    pub(crate) substitution: Subst<PackageFunction>,
}

impl Manager {
    /// Replaces the first of each pair by the second, all at once: `[(x, y), (y, x)]` swaps. Fast
    /// if the order of the new variables is that of the old ones.
    ///
    /// # Panics
    /// When a variable is replaced twice.
    pub fn renaming(&self, pairs: &[(Variable, Variable)]) -> Result<Renaming, OutOfNodes> {
        let mut from: Vec<u32> = pairs.iter().map(|(from, _)| from.0).collect();
        let to = pairs.iter().map(|&(_, to)| Ok(self.variable(to)?.function));
        let substitution = Subst::new(from.clone(), to.collect::<Result<Vec<_>, OutOfNodes>>()?);
        from.sort_unstable();
        assert!(from.windows(2).all(|pair| pair[0] != pair[1]), "a variable is replaced once");
        Ok(Renaming { substitution })
    }
}

/// A replacement of variables by functions, built once and used often: results are cached.
#[derive(Clone)]
pub struct Substitution {
    pub(crate) substitution: Subst<PackageFunction>,
}

impl Manager {
    /// Replaces each of the variables by its function, all at once.
    ///
    /// # Panics
    /// When a variable is replaced twice.
    pub fn substitution(&self, pairs: &[(Variable, Bdd)]) -> Substitution {
        let mut from: Vec<u32> = pairs.iter().map(|(from, _)| from.0).collect();
        let to: Vec<PackageFunction> = pairs.iter().map(|(_, to)| to.function.clone()).collect();
        let substitution = Subst::new(from.clone(), to);
        from.sort_unstable();
        assert!(from.windows(2).all(|pair| pair[0] != pair[1]), "a variable is replaced once");
        Substitution { substitution }
    }
}

/// A partitioned transition relation.
#[derive(Clone)]
pub struct Relation {
    parts: Vec<RelationPart>,
    /// Current variables and inputs that no part mentions, and next variables and inputs that no
    /// part mentions.
    unused: [VariableSet; 2],
    /// Between current variables on one side, and next variables and copied ones on the other.
    to_current: Renaming,
    to_next: Renaming,
    /// What all steps have in common, if this is one case of a relation.
    common: Option<CommonValues>,
}

/// What all steps of a case have in common.
#[derive(Clone)]
struct CommonValues {
    values: Cube,
    /// Replaces the next variables of the copies by the variables that are copied.
    to_source: Renaming,
}

impl CommonValues {
    /// A constraint that is equal for these steps.
    fn simplify(&self, constraint: &Bdd) -> Result<Bdd, OutOfNodes> {
        constraint.cofactor(&self.values)?.rename(&self.to_source)
    }
}

/// A part, and the variables that are quantified after it.
#[derive(Clone)]
struct RelationPart {
    relation: Bdd,
    image: VariableSet,
    preimage: VariableSet,
}

impl Relation {
    /// The conjunction of the parts, which are used in this order. `pairs` has each state variable
    /// with its next one; `inputs` are quantified in images and preimages.
    pub fn new(
        manager: &Manager,
        parts: Vec<Bdd>,
        pairs: &[(Variable, Variable)],
        inputs: &[Variable],
    ) -> Result<Relation, OutOfNodes> {
        let current: Vec<Variable> = pairs.iter().map(|&(current, _)| current).collect();
        Relation::with_copies(manager, parts, (&current, pairs, &[]), inputs)
    }

    /// The steps of one case of a relation, with its parts ordered and joined in another way.
    pub fn of_case(
        manager: &Manager,
        case: &RelationCase,
        parts: Vec<Bdd>,
        inputs: &[Variable],
    ) -> Result<Relation, OutOfNodes> {
        let sources: Vec<_> = case.copies.iter().map(|copy| (copy.next, copy.source)).collect();
        let to_source = manager.renaming(&sources)?;
        let common = CommonValues { values: case.values.clone(), to_source };
        let variables = (&case.lost()[..], &case.moving[..], &case.copies[..]);
        let relation = Relation::with_copies(manager, parts, variables, inputs)?;
        Ok(Relation { common: Some(common), ..relation })
    }

    /// The relation with these lost variables, moving pairs and copies.
    fn with_copies(
        manager: &Manager,
        parts: Vec<Bdd>,
        (lost, moving, copies): (&[Variable], &[(Variable, Variable)], &[CopiedVariable]),
        inputs: &[Variable],
    ) -> Result<Relation, OutOfNodes> {
        let supports: Vec<Vec<Variable>> = parts.iter().map(Bdd::support).collect();
        let current = lost.iter().chain(inputs).copied();
        let next = moving.iter().map(|&(_, next)| next).chain(inputs.iter().copied());
        let (unused_current, image) = schedule(manager, &supports, current)?;
        let (unused_next, preimage) = schedule(manager, &supports, next)?;
        let sets = image.into_iter().zip(preimage);
        let parts = parts.into_iter().zip(sets);
        let moved = copies.iter().filter(|copy| !copy.stays());
        let copied = moved.map(|copy| (copy.current, copy.source));
        let forth: Vec<_> = moving.iter().copied().chain(copied).collect();
        let back: Vec<_> = forth.iter().map(|&(current, other)| (other, current)).collect();
        Ok(Relation {
            parts: parts
                .map(|(relation, (image, preimage))| RelationPart { relation, image, preimage })
                .collect(),
            unused: [unused_current, unused_next],
            to_current: manager.renaming(&back)?,
            to_next: manager.renaming(&forth)?,
            common: None,
        })
    }

    /// The successors of these states. `interrupt` is called between operations.
    pub fn image<E: From<OutOfNodes>>(
        &self,
        states: &Bdd,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Bdd, E> {
        let start = states.exists(&self.unused[0])?;
        self.image_from(start, interrupt)
    }

    /// The same for steps that also satisfy a constraint.
    pub fn image_where<E: From<OutOfNodes>>(
        &self,
        states: &Bdd,
        constraint: &Bdd,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Bdd, E> {
        let start = states.and_exists(&self.simpler(constraint)?, &self.unused[0])?;
        self.image_from(start, interrupt)
    }

    fn image_from<E: From<OutOfNodes>>(
        &self,
        start: Bdd,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Bdd, E> {
        let next = self.conjoin(start, |part| &part.image, interrupt)?;
        Ok(next.rename(&self.to_current)?)
    }

    /// The predecessors of these states. `interrupt` is called between operations.
    pub fn preimage<E: From<OutOfNodes>>(
        &self,
        states: &Bdd,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Bdd, E> {
        let start = states.rename(&self.to_next)?.exists(&self.unused[1])?;
        self.conjoin(start, |part| &part.preimage, interrupt)
    }

    /// The same for steps that also satisfy a constraint.
    pub fn preimage_where<E: From<OutOfNodes>>(
        &self,
        states: &Bdd,
        constraint: &Bdd,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Bdd, E> {
        let (next, constraint) = (states.rename(&self.to_next)?, self.simpler(constraint)?);
        let start = next.and_exists(&constraint, &self.unused[1])?;
        self.conjoin(start, |part| &part.preimage, interrupt)
    }

    /// A constraint that is equal for all steps of the relation.
    fn simpler(&self, constraint: &Bdd) -> Result<Bdd, OutOfNodes> {
        match &self.common {
            Some(common) => common.simplify(constraint),
            None => Ok(constraint.clone()),
        }
    }

    /// The states over next variables.
    pub fn as_next(&self, states: &Bdd) -> Result<Bdd, OutOfNodes> {
        states.rename(&self.to_next)
    }

    /// The parts, in their order.
    pub fn parts(&self) -> impl Iterator<Item = &Bdd> {
        self.parts.iter().map(|part| &part.relation)
    }

    fn conjoin<E: From<OutOfNodes>>(
        &self,
        start: Bdd,
        quantified: impl Fn(&RelationPart) -> &VariableSet,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Bdd, E> {
        self.parts.iter().try_fold(start, |states, part| {
            interrupt()?;
            Ok(states.and_exists(&part.relation, quantified(part))?)
        })
    }
}

/// The variables that no part mentions, and for each part those that no later part mentions.
fn schedule(
    manager: &Manager,
    supports: &[Vec<Variable>],
    variables: impl Iterator<Item = Variable>,
) -> Result<(VariableSet, Vec<VariableSet>), OutOfNodes> {
    let mut last = vec![Vec::new(); supports.len() + 1];
    for variable in variables {
        let part = supports.iter().rposition(|support| support.binary_search(&variable).is_ok());
        last[part.map_or(0, |part| part + 1)].push(variable);
    }
    let mut sets = last.into_iter().map(|variables| manager.variable_set(variables));
    let unused = sets.next().unwrap_or_else(|| manager.variable_set([]))?;
    Ok((unused, sets.collect::<Result<_, _>>()?))
}
