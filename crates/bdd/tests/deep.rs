//! Diagrams of many levels: no operation overflows the stack of the thread that calls it.

#![allow(clippy::unwrap_used)]

mod common;

use common::no_interrupt;
use kermode_base::{BitSet, Natural};
use kermode_bdd::{Bdd, CannotStart, Capacity, Literal, MOST_VARIABLES, Manager, Variable};

const LEVELS: usize = 20_000;

fn manager(variables: usize) -> Manager {
    Manager::new(Capacity { variables, nodes: 1 << 20, cache: 1 << 16 }).unwrap()
}

fn conjunction(manager: &Manager, parity: u32) -> Bdd {
    let literals = manager.variables().filter(|v| v.0 % 2 == parity);
    let literals = literals.map(|variable| Literal { variable, positive: true });
    manager.cube(&literals.collect()).unwrap()
}

#[test]
fn operations_on_twenty_thousand_levels() {
    operations_on(LEVELS);
}

/// Operations on the caller's stack leave room on it.
#[test]
fn operations_on_a_small_stack() {
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    thread.spawn(|| operations_on(2_000)).unwrap().join().unwrap();
}

fn operations_on(levels: usize) {
    let manager = manager(levels);
    let [even, odd] = [0, 1].map(|parity| conjunction(&manager, parity));
    let all = even.and(&odd).unwrap();
    assert_eq!(all.node_count(), levels);
    assert_eq!(all.support().len(), levels);
    assert!(all.entails(&odd).unwrap() && !odd.entails(&all).unwrap());
    let evens = manager.variable_set(even.support()).unwrap();
    assert_eq!(all.exists(&evens).unwrap(), odd);
    assert_eq!(even.and_exists(&odd, &evens).unwrap(), odd);
    assert!(all.forall(&evens).unwrap().is_bottom());
    assert_eq!(even.not().unwrap().not().unwrap(), even);
    assert_eq!(even.xor(&odd).unwrap().or(&all).unwrap(), even.or(&odd).unwrap());
    assert!(even.ite(&odd, &all).unwrap().iff(&all).unwrap().is_top());
    let pairs: Vec<_> = even.support().into_iter().map(|v| (v, Variable(v.0 + 1))).collect();
    assert_eq!(even.rename(&manager.renaming(&pairs).unwrap()).unwrap(), odd);
    assert!(all.eval(|_| true) && !all.eval(|v| v.0 != 77));
}

#[test]
fn looking_at_twenty_thousand_levels() {
    let manager = manager(LEVELS);
    let even = conjunction(&manager, 0);
    assert_eq!(even.model_count(LEVELS / 2), Natural::from(1u64));
    assert_eq!(even.model_count(LEVELS), Natural::from(1u64).times_two_to(LEVELS / 2));
    assert_eq!(even.cubes().count(), 1);
    let cube = even.pick_cube().unwrap();
    assert_eq!(cube.literals().len(), LEVELS / 2);
    assert!(even.cofactor(&cube).unwrap().is_top());
    let family = even.minimal_models(&mut no_interrupt).unwrap();
    let evens: BitSet = (0..LEVELS).step_by(2).collect();
    assert_eq!(family.sets().collect::<Vec<_>>(), [evens]);
    assert_eq!(even.irredundant_cover(&mut no_interrupt).unwrap(), std::slice::from_ref(&cube));
    assert_eq!(even.to_dot(|v| format!("x{}", v.0)).lines().count(), 3 * LEVELS / 2 + 6);
}

/// A sum of many variables, built from the top down: every step rebuilds the whole diagram.
#[test]
fn prime_implicants_of_a_long_sum() {
    let levels = 2_500;
    let manager = manager(levels);
    let sum = manager.variables().fold(manager.bottom(), |sum, variable| {
        sum.or(&manager.variable(variable).unwrap()).unwrap()
    });
    assert_eq!(sum.prime_implicants(&mut no_interrupt).unwrap().len(), levels);
    assert_eq!(sum.irredundant_cover(&mut no_interrupt).unwrap().len(), levels);
    assert_eq!(sum.minimal_models(&mut no_interrupt).unwrap().len(), levels as u128);
}

#[test]
fn too_many_variables_and_too_much_memory_are_errors() {
    let variables = MOST_VARIABLES + 1;
    assert_eq!(
        Manager::new(Capacity::small(variables)).err(),
        Some(CannotStart::TooManyVariables(variables))
    );
    let capacity = Capacity { variables: 1, nodes: 1 << 30, cache: 1 << 62 };
    assert!(matches!(Manager::new(capacity).err(), Some(CannotStart::NoMemory(_))));
}
