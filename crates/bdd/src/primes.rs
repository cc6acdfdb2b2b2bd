//! All prime implicants of a function.
//!
//! The prime implicants without the topmost variable `x` are those of `f0 & f1`. Those with `!x`
//! are the prime implicants of `f0` that do not imply `f1`, and those with `x` are the prime
//! implicants of `f1` that do not imply `f0` \[CM92\]. The functions that must not be implied are
//! carried along and split like the function: with a literal they become their cofactor, without
//! one the conjunction of both cofactors. A branch ends as soon as the function itself implies one
//! of them. A prime implicant is found at the end of a path of literals.

use crate::function::Bdd;
use crate::manager::OutOfNodes;
use crate::variable::{Cube, Literal};

#[derive(Clone, Debug)]
enum Task {
    /// Searches for prime implicants of a function that imply none of the others.
    Find(Bdd, Vec<Bdd>),
    Enter(Literal),
    Leave,
}

/// The prime implicants of a function, enumerated one by one: there can be exponentially many.
#[derive(Clone, Debug)]
pub struct PrimeImplicants {
    tasks: Vec<Task>,
    path: Vec<Literal>,
}

impl PrimeImplicants {
    /// The next one. Those without the topmost variable come first.
    pub fn next_prime<E: From<OutOfNodes>>(
        &mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Cube>, E> {
        while let Some(task) = self.tasks.pop() {
            interrupt()?;
            match task {
                Task::Enter(literal) => self.path.push(literal),
                Task::Leave => drop(self.path.pop()),
                Task::Find(function, _) if function.is_top() => {
                    return Ok(Some(self.path.iter().copied().collect()));
                }
                Task::Find(function, avoided) => split(&function, avoided, &mut self.tasks)?,
            }
        }
        Ok(None)
    }
}

impl Bdd {
    /// The prime implicants, one by one.
    pub fn each_prime_implicant(&self) -> PrimeImplicants {
        PrimeImplicants { tasks: vec![Task::Find(self.clone(), Vec::new())], path: Vec::new() }
    }

    /// All prime implicants.
    pub fn prime_implicants<E: From<OutOfNodes>>(
        &self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<Cube>, E> {
        let (mut primes, mut found) = (self.each_prime_implicant(), Vec::new());
        while let Some(prime) = primes.next_prime(interrupt)? {
            found.push(prime);
        }
        Ok(found)
    }
}

fn split(function: &Bdd, avoided: Vec<Bdd>, tasks: &mut Vec<Task>) -> Result<(), OutOfNodes> {
    let Some(variable) = function.topmost_variable(&avoided) else { return Ok(()) };
    let cofactors = function.cofactors(variable);
    let avoided: Vec<[Bdd; 2]> = avoided.iter().map(|other| other.cofactors(variable)).collect();
    let both = avoided.iter().map(|[low, high]| low.and(high)).collect::<Result<_, _>>()?;
    for positive in [false, true] {
        let mut avoided: Vec<Bdd> =
            avoided.iter().map(|other| other[usize::from(positive)].clone()).collect();
        avoided.push(cofactors[usize::from(!positive)].clone());
        let literal = Literal { variable, positive };
        find(cofactors[usize::from(positive)].clone(), avoided, Some(literal), tasks)?;
    }
    find(cofactors[0].and(&cofactors[1])?, both, None, tasks)
}

/// Pushes a search on the stack unless it cannot succeed.
fn find(
    function: Bdd,
    mut avoided: Vec<Bdd>,
    literal: Option<Literal>,
    tasks: &mut Vec<Task>,
) -> Result<(), OutOfNodes> {
    // Nothing implies the false function.
    avoided.retain(|other| !other.is_bottom());
    for other in &avoided {
        if function.entails(other)? {
            return Ok(());
        }
    }
    tasks.extend(literal.map(|_| Task::Leave));
    tasks.push(Task::Find(function, avoided));
    tasks.extend(literal.map(Task::Enter));
    Ok(())
}
