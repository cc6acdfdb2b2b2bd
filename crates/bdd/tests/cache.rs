//! Operations with many more results than the cache remembers.

#![allow(clippy::unwrap_used)]

use kermode_bdd::{Bdd, Capacity, Manager, OutOfNodes, Variable};

/// That the variables have a sum, each with a weight, that is 0 modulo `modulus`, and that as many
/// of them hold as the parity says.
fn sum(manager: &Manager, modulus: usize, weight: usize, odd: bool) -> Result<Bdd, OutOfNodes> {
    let variables: Vec<Variable> = manager.variables().collect();
    let index = |rest: usize, odd: usize| 2 * rest + odd;
    let mut below: Vec<Bdd> = vec![manager.bottom(); 2 * modulus];
    below[index(0, usize::from(odd))] = manager.top();
    for (place, &variable) in variables.iter().enumerate().rev() {
        let step = 1 + (place * weight) % (modulus - 1);
        let literal = manager.variable(variable)?;
        let mut here = Vec::with_capacity(2 * modulus);
        for rest in 0..modulus {
            for odd in 0..2 {
                let set = &below[index((rest + step) % modulus, 1 - odd)];
                here.push(literal.ite(set, &below[index(rest, odd)])?);
            }
        }
        below = here;
    }
    Ok(below[0].clone())
}

/// The parities contradict each other, which shows at the end alone: on each level all pairs of
/// remainders are met. With the cache that the manager starts with this takes hours.
#[test]
fn a_cache_that_is_too_small_grows() {
    let capacity = Capacity { variables: 44, nodes: 1 << 20, cache: 1 << 12 };
    let manager = Manager::new(capacity).unwrap();
    let one = sum(&manager, 41, 7, false).unwrap();
    let other = sum(&manager, 43, 11, true).unwrap();
    assert!(one.and(&other).unwrap().is_bottom());
    // What was there before the cache grew is as it was.
    let again = sum(&manager, 41, 7, false).unwrap();
    assert!(again == one && !one.is_bottom());
    manager.collect_garbage();
    assert!(one.and(&other).unwrap().is_bottom());
}
