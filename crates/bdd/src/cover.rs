//! Irredundant covers: sums of prime implicants without a superfluous one.
//!
//! The recursion of Minato and Morreale \[Min93\] over an interval of functions `lower <= upper`: on the
//! topmost variable, first cover what only a negative literal can, then what only a positive one can,
//! then the rest without the variable. A cube is found at the end of a path of literals, so that no
//! sets of cubes are kept; an explicit stack takes the place of the recursion.

use crate::function::Bdd;
use crate::manager::OutOfNodes;
use crate::variable::{Cube, Literal, Variable};

/// What is left to do. Each interval leaves the function of its cover in `covered`.
enum Task {
    Interval(Bdd, Bdd),
    Enter(Literal),
    Leave,
    /// Covers what is left of an interval without its variable, once both literals are done.
    Rest(Box<Rest>),
    /// Joins the covers with the negative literal, the positive one, and none.
    Join(Variable),
}

struct Rest {
    lower: [Bdd; 2],
    upper: [Bdd; 2],
}

#[derive(Default)]
struct Covering {
    tasks: Vec<Task>,
    path: Vec<Literal>,
    covered: Vec<Bdd>,
    cubes: Vec<Cube>,
}

impl Bdd {
    /// Cubes whose disjunction it is: prime implicants, none of which can be left out.
    pub fn irredundant_cover<E: From<OutOfNodes>>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<Cube>, E> {
        self.irredundant_cover_up_to(self, interrupt)
    }

    /// Cubes whose disjunction is between this function and `upper`, which must be true wherever this
    /// one is: prime implicants of `upper`, none of which can be left out.
    pub fn irredundant_cover_up_to<E: From<OutOfNodes>>(
        &self,
        upper: &Bdd,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<Cube>, E> {
        let tasks = vec![Task::Interval(self.clone(), upper.clone())];
        let mut covering = Covering { tasks, ..Covering::default() };
        while let Some(task) = covering.tasks.pop() {
            interrupt()?;
            covering.step(task)?;
        }
        Ok(covering.cubes)
    }
}

impl Covering {
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
            self.cubes.push(self.path.iter().copied().collect());
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
