//! Managers that follow each other on one thread, which reuses dropped ones: each behaves like a
//! new one.

#![allow(clippy::unwrap_used)]

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use common::{Random, Table, no_interrupt};
use kermode_bdd::{Bdd, Capacity, Manager, ManagerStatistics, OutOfNodes, Sifting, Variable};

/// A sum of products of two literals, and its table.
fn random_function(manager: &Manager, random: &mut Random) -> Result<(Bdd, Table), OutOfNodes> {
    let variables = manager.capacity().variables;
    let mut literal = || {
        let (variable, positive) = (Variable(random.below(variables) as u32), random.below(2) == 0);
        let table = Table::variable(variables, variable);
        let table = if positive { table } else { table.not() };
        Ok((manager.literal(variable, positive)?, table))
    };
    let nothing = (manager.bottom(), Table::constant(variables, false));
    (0..6).try_fold(nothing, |(sum, values), _| {
        let ((a, a_values), (b, b_values)) = (literal()?, literal()?);
        let products = a_values.with(&b_values, |a, b| a && b);
        Ok((sum.or(&a.and(&b)?)?, values.with(&products, |a, b| a || b)))
    })
}

#[test]
fn each_manager_is_as_a_new_one() {
    let mut random = Random(4_711);
    let mut survivors = Vec::new();
    for round in 0..400 {
        let variables = 1 + random.below(8);
        let nodes = [60, 1 << 12, 1 << 18][random.below(3)];
        let capacity = Capacity { variables, nodes, cache: 1 << 8 };
        let manager = Manager::new(capacity).unwrap();
        assert_eq!(manager.capacity(), capacity);
        assert_eq!(manager.statistics(), ManagerStatistics::default(), "round {round}");
        assert!(manager.order().into_iter().eq(manager.variables()));
        assert_eq!(manager.variables().count(), variables);

        let functions = (0..random.below(12)).map(|_| random_function(&manager, &mut random));
        let functions: Vec<(Bdd, Table)> = functions.map_while(Result::ok).collect();
        match random.below(8) {
            0 => manager.collect_garbage(),
            1 => drop(manager.sift(&[], &Sifting::default(), &mut no_interrupt).unwrap()),
            // A renaming keeps nodes alive without a manager.
            2 => survivors.extend(manager.renaming(&[(Variable(0), Variable(0))])),
            _ => {}
        }
        let order = manager.order();
        assert_eq!(order.len(), variables);
        for (function, table) in &functions {
            assert_eq!(Table::of(function, variables), *table, "round {round}");
            assert_eq!(function.support(), table.support());
        }
        if random.below(4) == 0 {
            survivors.clear();
        }
    }
}

/// A reused manager does not show the additional variables of its last user.
#[test]
fn there_are_no_more_variables_than_were_asked_for() {
    drop(Manager::new(Capacity::small(9)).unwrap());
    let manager = Manager::new(Capacity::small(3)).unwrap();
    assert!(catch_unwind(AssertUnwindSafe(|| manager.variable(Variable(3)))).is_err());
    assert!(catch_unwind(AssertUnwindSafe(|| manager.variable_set([Variable(8)]))).is_err());
    assert!(manager.variable(Variable(2)).is_ok());
}

/// Functions outlive the handle of their manager, and another manager does not reuse their nodes.
#[test]
fn functions_keep_their_manager() {
    let first = Manager::new(Capacity::small(2)).unwrap();
    let a = first.variable(Variable(0)).unwrap();
    drop(first);
    let second = Manager::new(Capacity::small(2)).unwrap();
    assert_ne!(a.manager(), second);
    assert_eq!(second.statistics().nodes, 0);
    assert!(a.and(&a.not().unwrap()).unwrap().is_bottom());
}
