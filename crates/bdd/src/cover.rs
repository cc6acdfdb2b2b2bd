//! Irredundant covers: sums of prime implicants of which none can be dropped.
//!
//! The recursion of Minato and Morreale \[Min93\] over an interval of functions `lower <= upper`.
//! For the topmost variable it first covers what only a negative literal can cover, then what only
//! a positive one can, then the rest without the variable. A cube is found at the end of a path of
//! literals, so no sets of cubes are stored. An explicit stack replaces the recursion.

use crate::function::Bdd;
use crate::manager::OutOfNodes;
use crate::variable::{Cube, Literal, Variable};

/// A pending task. Each interval pushes the function of its cover to `covered`.
#[derive(Clone, Debug)]
enum Task {
    Interval(Bdd, Bdd),
    Enter(Literal),
    Leave,
    /// Covers the rest of an interval without its variable, after both literals.
    Rest(Box<Rest>),
    /// Joins the covers with the negative literal, the positive one, and none.
    Join(Variable),
}

#[derive(Clone, Debug)]
struct Rest {
    lower: [Bdd; 2],
    upper: [Bdd; 2],
}

/// An irredundant cover, enumerated cube by cube.
#[derive(Clone, Debug)]
pub struct IrredundantCover {
    tasks: Vec<Task>,
    path: Vec<Literal>,
    covered: Vec<Bdd>,
    found: Option<Cube>,
}

impl Bdd {
    /// Prime implicants whose disjunction is the function and of which none can be dropped, one by
    /// one.
    pub fn each_cube_of_a_cover(&self) -> IrredundantCover {
        IrredundantCover::between(self, self)
    }

    /// Prime implicants whose disjunction is the function and of which none can be dropped.
    pub fn irredundant_cover<E: From<OutOfNodes>>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<Cube>, E> {
        self.irredundant_cover_up_to(self, interrupt)
    }

    /// Prime implicants of `upper` whose disjunction lies between this function and `upper` and of
    /// which none can be dropped. This function must imply `upper`.
    pub fn irredundant_cover_up_to<E: From<OutOfNodes>>(
        &self,
        upper: &Bdd,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<Cube>, E> {
        let (mut cover, mut cubes) = (IrredundantCover::between(self, upper), Vec::new());
        while let Some(cube) = cover.next_cube(interrupt)? {
            cubes.push(cube);
        }
        Ok(cubes)
    }
}

impl IrredundantCover {
    fn between(lower: &Bdd, upper: &Bdd) -> Self {
        let tasks = vec![Task::Interval(lower.clone(), upper.clone())];
        IrredundantCover { tasks, path: Vec::new(), covered: Vec::new(), found: None }
    }

    /// The next cube.
    pub fn next_cube<E: From<OutOfNodes>>(
        &mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Cube>, E> {
        while let Some(task) = self.tasks.pop() {
            interrupt()?;
            self.step(task)?;
            if let Some(cube) = self.found.take() {
                return Ok(Some(cube));
            }
        }
        Ok(None)
    }

    fn step(&mut self, task: Task) -> Result<(), OutOfNodes> {
        match task {
            Task::Interval(lower, upper) => self.interval(lower, upper)?,
            Task::Enter(literal) => self.path.push(literal),
            Task::Leave => drop(self.path.pop()),
            Task::Rest(rest) => self.rest(&rest)?,
            Task::Join(variable) => self.join(variable)?,
        }
        Ok(())
    }

    fn interval(&mut self, lower: Bdd, upper: Bdd) -> Result<(), OutOfNodes> {
        if lower.is_bottom() {
            self.covered.push(lower);
            return Ok(());
        }
        let variable = upper.topmost_variable(std::slice::from_ref(&lower));
        let Some(variable) = variable.filter(|_| !upper.is_top()) else {
            self.found = Some(self.path.iter().copied().collect());
            self.covered.push(upper);
            return Ok(());
        };
        let (lower, upper) = (lower.cofactors(variable), upper.cofactors(variable));
        let only_negative = lower[0].and_not(&upper[1])?;
        let only_positive = lower[1].and_not(&upper[0])?;
        self.tasks.push(Task::Join(variable));
        let (negative_upper, positive_upper) = (upper[0].clone(), upper[1].clone());
        self.tasks.push(Task::Rest(Box::new(Rest { lower, upper })));
        self.literal(variable, true, only_positive, positive_upper);
        self.literal(variable, false, only_negative, negative_upper);
        Ok(())
    }

    fn literal(&mut self, variable: Variable, positive: bool, lower: Bdd, upper: Bdd) {
        let literal = Literal { variable, positive };
        self.tasks.extend([Task::Leave, Task::Interval(lower, upper), Task::Enter(literal)]);
    }

    fn rest(&mut self, Rest { lower, upper }: &Rest) -> Result<(), OutOfNodes> {
        let [.., negative, positive] = &self.covered[..] else { return Ok(()) };
        let rest = lower[0].and_not(negative)?.or(&lower[1].and_not(positive)?)?;
        self.tasks.push(Task::Interval(rest, upper[0].and(&upper[1])?));
        Ok(())
    }

    fn join(&mut self, variable: Variable) -> Result<(), OutOfNodes> {
        let covers = self.covered.split_off(self.covered.len() - 3);
        let variable = covers[0].manager().variable(variable)?;
        let decided = variable.ite(&covers[1], &covers[0])?;
        self.covered.push(decided.or(&covers[2])?);
        Ok(())
    }
}
