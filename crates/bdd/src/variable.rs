//! Variables, sets of them, literals and cubes.

use crate::function::Bdd;

/// A variable: its number never changes, its place in the order may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(pub u32);

impl Variable {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of variables to quantify, built once by
/// [`Manager::variable_set`](crate::Manager::variable_set) and used often: the results of
/// quantification over the same set are cached.
#[derive(Clone, Debug)]
pub struct VariableSet {
    pub(crate) variables: Vec<Variable>,
    /// The conjunction of the variables, as the package requires it.
    pub(crate) conjunction: Bdd,
}

impl VariableSet {
    /// The variables, from the smallest number on.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Whether the variable is in it.
    pub fn contains(&self, variable: Variable) -> bool {
        self.variables.binary_search(&variable).is_ok()
    }
}

/// A variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// Its variable.
    pub variable: Variable,
    /// Whether it is the variable itself, not its negation.
    pub positive: bool,
}

/// A conjunction of literals of different variables, from the smallest variable on. The empty one
/// is true.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube(Vec<Literal>);

impl Cube {
    /// The literals, from the smallest variable on.
    pub fn literals(&self) -> &[Literal] {
        &self.0
    }

    /// The value of the variable in the cube, if the cube mentions it.
    pub fn value(&self, variable: Variable) -> Option<bool> {
        let place = self.0.binary_search_by_key(&variable, |literal| literal.variable).ok()?;
        Some(self.0[place].positive)
    }
}

impl FromIterator<Literal> for Cube {
    /// # Panics
    /// When a variable comes twice.
    fn from_iter<I: IntoIterator<Item = Literal>>(literals: I) -> Self {
        let mut literals: Vec<Literal> = literals.into_iter().collect();
        literals.sort_unstable();
        assert!(
            literals.windows(2).all(|pair| pair[0].variable != pair[1].variable),
            "a cube has a variable once"
        );
        Cube(literals)
    }
}
