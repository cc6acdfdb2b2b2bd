//! Truth tables: the naive implementation that tests compare diagrams with.

#![allow(dead_code, unreachable_pub)]

use kermode_base::BitSet;
use kermode_bdd::{Bdd, Cube, Manager, OutOfNodes, Variable};

/// The value of a function for each assignment; bit `v` of an assignment is the value of variable
/// `v`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table(pub Vec<bool>);

impl Table {
    pub fn new(variables: usize, value: impl FnMut(usize) -> bool) -> Table {
        Table((0..1 << variables).map(value).collect())
    }

    pub fn of(bdd: &Bdd, variables: usize) -> Table {
        Table::new(variables, |assignment| bdd.eval(|v| bit(assignment, v)))
    }

    pub fn variable(variables: usize, variable: Variable) -> Table {
        Table::new(variables, |assignment| bit(assignment, variable))
    }

    pub fn constant(variables: usize, value: bool) -> Table {
        Table::new(variables, |_| value)
    }

    pub fn variables(&self) -> usize {
        self.0.len().ilog2() as usize
    }

    pub fn with(&self, other: &Table, operation: impl Fn(bool, bool) -> bool) -> Table {
        Table(self.0.iter().zip(&other.0).map(|(&a, &b)| operation(a, b)).collect())
    }

    pub fn not(&self) -> Table {
        Table(self.0.iter().map(|&a| !a).collect())
    }

    pub fn ite(&self, yes: &Table, no: &Table) -> Table {
        Table::new(self.variables(), |a| if self.0[a] { yes.0[a] } else { no.0[a] })
    }

    pub fn cofactor(&self, variable: Variable, value: bool) -> Table {
        let mask = 1 << variable.0;
        Table::new(self.variables(), |a| self.0[if value { a | mask } else { a & !mask }])
    }

    pub fn exists(&self, variables: &[Variable]) -> Table {
        variables.iter().fold(self.clone(), |table, &v| {
            table.cofactor(v, false).with(&table.cofactor(v, true), |a, b| a || b)
        })
    }

    pub fn forall(&self, variables: &[Variable]) -> Table {
        self.not().exists(variables).not()
    }

    /// The function with variables replaced, all at once.
    pub fn rename(&self, pairs: &[(Variable, Variable)]) -> Table {
        Table::new(self.variables(), |a| {
            let renamed = pairs.iter().fold(a, |renamed, &(from, to)| {
                renamed & !(1 << from.0) | usize::from(bit(a, to)) << from.0
            });
            self.0[renamed]
        })
    }

    pub fn support(&self) -> Vec<Variable> {
        let variables = (0..self.variables() as u32).map(Variable);
        variables.filter(|&v| self.cofactor(v, false) != self.cofactor(v, true)).collect()
    }

    pub fn count(&self) -> usize {
        self.0.iter().filter(|&&value| value).count()
    }

    pub fn entails(&self, other: &Table) -> bool {
        self.with(other, |a, b| !a || b).count() == self.0.len()
    }

    pub fn is_monotone(&self) -> bool {
        let mut variables = (0..self.variables() as u32).map(Variable);
        variables.all(|v| self.cofactor(v, false).entails(&self.cofactor(v, true)))
    }

    /// The models none of whose subsets is a model.
    pub fn minimal_models(&self) -> Vec<usize> {
        let models: Vec<usize> = (0..self.0.len()).filter(|&a| self.0[a]).collect();
        let is_minimal = |&a: &usize| !models.iter().any(|&b| b != a && b & a == b);
        models.iter().copied().filter(is_minimal).collect()
    }

    pub fn of_cube(variables: usize, cube: &Cube) -> Table {
        Table::new(variables, |a| cube.literals().iter().all(|l| bit(a, l.variable) == l.positive))
    }

    pub fn of_cubes(variables: usize, cubes: &[Cube]) -> Table {
        let none = Table::constant(variables, false);
        cubes
            .iter()
            .fold(none, |sum, cube| sum.with(&Table::of_cube(variables, cube), |a, b| a || b))
    }

    /// Whether the cube implies it and no cube with fewer literals does.
    pub fn has_prime(&self, cube: &Cube) -> bool {
        let variables = self.variables();
        let implies = |cube: &Cube| Table::of_cube(variables, cube).entails(self);
        let without = |place: usize| {
            let literals = cube.literals().iter().enumerate();
            literals.filter(|&(other, _)| other != place).map(|(_, &literal)| literal).collect()
        };
        implies(cube) && !(0..cube.literals().len()).any(|place| implies(&without(place)))
    }
}

pub fn bit(assignment: usize, variable: Variable) -> bool {
    assignment >> variable.0 & 1 == 1
}

pub fn as_number(set: &BitSet) -> usize {
    set.iter().map(|element| 1 << element).sum()
}

pub fn no_interrupt() -> Result<(), OutOfNodes> {
    Ok(())
}

/// All functions of the first variables, by the number whose bits are the truth table.
pub fn all_functions(manager: &Manager, variables: u32) -> Vec<Bdd> {
    let mut functions = vec![manager.bottom(), manager.top()];
    for variable in (0..variables).map(Variable) {
        let variable = manager.variable(variable).unwrap();
        let pairs = functions.iter().flat_map(|high| functions.iter().map(move |low| (high, low)));
        functions = pairs.map(|(high, low)| variable.ite(high, low).unwrap()).collect();
    }
    functions
}

/// A xorshift generator: the same numbers each time.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}
