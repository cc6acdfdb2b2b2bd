//! Random sequences of operations, compared with truth tables, with reordering, garbage collection
//! and full tables in between.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Random, Table, as_number, no_interrupt};
use kermode_base::Natural;
use kermode_bdd::{
    Bdd, Capacity, Cube, Manager, OutOfNodes, Renaming, Sifting, Variable, VariableSet,
};

const VARIABLES: usize = 8;

/// Functions beside their tables.
struct Pool {
    manager: Manager,
    random: Random,
    functions: Vec<(Bdd, Table)>,
    sets: Vec<VariableSet>,
    renamings: Vec<(Renaming, Vec<(Variable, Variable)>)>,
    failures: usize,
}

impl Pool {
    fn new(nodes: usize, seed: u64) -> Pool {
        let capacity = Capacity { variables: VARIABLES, nodes, cache: 1 << 8 };
        let manager = Manager::new(capacity).unwrap();
        let mut random = Random(seed);
        let sets = (0..4).map(|_| {
            let chosen = random.below(1 << VARIABLES);
            let variables = manager.variables().filter(|&v| common::bit(chosen, v));
            manager.variable_set(variables).unwrap()
        });
        let sets = sets.collect();
        let swap: Vec<_> = manager.variables().map(|v| (v, Variable(v.0 ^ 1))).collect();
        let anywhere = manager.variables().map(|v| (v, Variable(random.below(VARIABLES) as u32)));
        let renamings = [swap, anywhere.collect()]
            .map(|pairs: Vec<_>| (manager.renaming(&pairs).unwrap(), pairs));
        let functions = manager
            .variables()
            .map(|v| (manager.variable(v).unwrap(), Table::variable(VARIABLES, v)));
        let functions = functions.collect();
        Pool { manager, random, functions, sets, renamings: renamings.into(), failures: 0 }
    }

    fn pick(&mut self) -> (Bdd, Table) {
        let place = self.random.below(self.functions.len());
        self.functions[place].clone()
    }

    /// A random operation on random functions.
    fn operate(&mut self) {
        let [(f, a), (g, b), (h, c)] = [(); 3].map(|()| self.pick());
        let set = self.sets[self.random.below(self.sets.len())].clone();
        let (renaming, pairs) = self.renamings[self.random.below(self.renamings.len())].clone();
        let (result, table) = match self.random.below(12) {
            0 => (f.not(), a.not()),
            1 => (f.and(&g), a.with(&b, |a, b| a && b)),
            2 => (f.or(&g), a.with(&b, |a, b| a || b)),
            3 => (f.xor(&g), a.with(&b, |a, b| a != b)),
            4 => (f.implies(&g), a.with(&b, |a, b| !a || b)),
            5 => (f.iff(&g), a.with(&b, |a, b| a == b)),
            6 => (f.and_not(&g), a.with(&b, |a, b| a && !b)),
            7 => (f.ite(&g, &h), a.ite(&b, &c)),
            8 => (f.exists(&set), a.exists(set.variables())),
            9 => (f.forall(&set), a.forall(set.variables())),
            10 => {
                let conjunction = a.with(&b, |a, b| a && b);
                (f.and_exists(&g, &set), conjunction.exists(set.variables()))
            }
            _ => (f.rename(&renaming), a.rename(&pairs)),
        };
        match result {
            Ok(function) => self.keep(function, table),
            Err(OutOfNodes) => self.failures += 1,
        }
    }

    fn keep(&mut self, function: Bdd, table: Table) {
        match self.functions.len() < 40 {
            true => self.functions.push((function, table)),
            // Variables are kept: otherwise all functions would become constant.
            false => {
                let place = VARIABLES + self.random.below(40 - VARIABLES);
                self.functions[place] = (function, table);
            }
        }
    }

    /// All functions have their expected values, and are equal exactly if their tables are.
    fn check(&self) {
        for (function, table) in &self.functions {
            assert_eq!(Table::of(function, VARIABLES), *table);
            for (other, other_table) in &self.functions {
                assert_eq!(function == other, table == other_table);
            }
        }
    }

    fn look_closer(&mut self) {
        let (function, table) = self.pick();
        assert_eq!(function.support(), table.support());
        assert_eq!(function.model_count(VARIABLES), Natural::from(table.count() as u64));
        let cubes: Vec<Cube> = function.cubes().collect();
        assert_eq!(Table::of_cubes(VARIABLES, &cubes), table);
        if let Ok(cover) = function.irredundant_cover(&mut no_interrupt) {
            assert_eq!(Table::of_cubes(VARIABLES, &cover), table);
        }
    }

    fn sift(&mut self, limit: usize) {
        let pairs = (0..VARIABLES as u32 / 2).map(|i| vec![Variable(2 * i), Variable(2 * i + 1)]);
        let mut groups: Vec<_> = pairs.collect();
        groups.truncate(self.random.below(groups.len() + 1));
        let mut moves = 0;
        let result = self.manager.sift(&groups, &Sifting::default(), &mut || {
            moves += 1;
            if moves > limit { Err(()) } else { Ok(()) }
        });
        let Ok(sifted) = result else { return };
        assert!(sifted.after <= sifted.before.max(64) * 2);
        let order = self.manager.order();
        let room = self.manager.capacity().nodes > 10_000;
        let together = |group: &Vec<Variable>| order.windows(2).any(|pair| pair == &group[..]);
        assert!(!room || groups.iter().all(together), "{order:?}");
    }
}

fn run(nodes: usize, seed: u64, steps: usize) -> Pool {
    let mut pool = Pool::new(nodes, seed);
    for step in 1..=steps {
        pool.operate();
        match step % 100 {
            20 => pool.manager.collect_garbage(),
            40 => pool.look_closer(),
            60 => pool.sift(usize::MAX),
            80 => pool.sift(10),
            99 => pool.check(),
            _ => {}
        }
    }
    pool.check();
    pool
}

#[test]
fn with_room_nothing_fails() {
    for seed in 1..=5 {
        let pool = run(1 << 17, seed * 7_919, 2_000);
        assert_eq!(pool.failures, 0);
        assert!(pool.manager.statistics().reorderings > 0);
    }
}

/// Garbage fills the table again and again, faster than the package's thread collects it. The nodes
/// in use always fit.
#[test]
fn full_of_garbage_nothing_fails() {
    for nodes in [1 << 12, 1 << 14, 1 << 16, 1 << 17] {
        let manager = Manager::new(Capacity { variables: 20, nodes, cache: 1 << 10 }).unwrap();
        let mut random = Random(nodes as u64);
        let mut last = manager.top();
        for _ in 0..1_500 {
            let next = random_function(&manager, &mut random, 8).unwrap();
            assert_eq!(last.xor(&next).unwrap().xor(&next).unwrap(), last);
            last = next;
        }
        let statistics = manager.statistics();
        assert!(statistics.collections >= 3, "{nodes}: {statistics:?}");
        assert!(statistics.peak <= nodes);
    }
}

/// A sum of products of three literals.
fn random_function(
    manager: &Manager,
    random: &mut Random,
    products: usize,
) -> Result<Bdd, OutOfNodes> {
    let variables = manager.capacity().variables;
    let mut literal =
        || manager.literal(Variable(random.below(variables) as u32), random.below(2) == 0);
    (0..products).try_fold(manager.bottom(), |sum, _| {
        sum.or(&literal()?.and(&literal()?)?.and(&literal()?)?)
    })
}

/// The nodes in use fill the table: operations fail, and existing functions keep their values.
#[test]
fn a_full_table_is_an_error_and_nothing_else() {
    let mut failures = 0;
    for (seed, nodes) in [60, 99, 120, 200, 400, 800, 1_200].into_iter().enumerate() {
        failures += run(nodes, seed as u64 * 15_485_863 + 1, 2_000).failures;
    }
    assert!(failures > 100, "{failures}");
}

#[test]
fn room_comes_back() {
    let capacity = Capacity { variables: 16, nodes: 300, cache: 64 };
    let manager = Manager::new(capacity).unwrap();
    let mut random = Random(99);
    let mut kept = Vec::new();
    for _ in 0..20 {
        let full =
            (0..1_000).map(|_| random_function(&manager, &mut random, 10)).find_map(|result| {
                match result {
                    Ok(function) => {
                        kept.push(function);
                        None
                    }
                    Err(error) => Some(error),
                }
            });
        assert_eq!(full, Some(OutOfNodes));
        kept.clear();
        manager.collect_garbage();
        assert_eq!(manager.statistics().nodes, 0);
        assert!(manager.variable(Variable(3)).is_ok());
    }
    assert!(manager.statistics().peak <= 300);
}

#[test]
fn minimal_models_of_random_monotone_functions() {
    let variables = 10;
    let manager = Manager::new(Capacity::small(variables)).unwrap();
    let mut random = Random(4_711);
    for round in 0..300 {
        let sets: Vec<usize> =
            (0..random.below(12)).map(|_| random.below(1 << variables)).collect();
        let function = sets.iter().fold(manager.bottom(), |sum, &set| {
            let chosen = manager.variables().filter(|&v| common::bit(set, v));
            let product = chosen.fold(manager.top(), |product, v| {
                product.and(&manager.variable(v).unwrap()).unwrap()
            });
            sum.or(&product).unwrap()
        });
        if round % 50 == 49 {
            manager.sift(&[], &Sifting::default(), &mut no_interrupt).unwrap();
        }
        let minimal = sets.iter().filter(|&&a| !sets.iter().any(|&b| a != b && b & a == b));
        let mut expected: Vec<usize> = minimal.copied().collect();
        expected.sort_unstable();
        expected.dedup();
        let family = function.minimal_models(&mut no_interrupt).unwrap();
        let mut found: Vec<usize> = family.sets().map(|set| as_number(&set)).collect();
        found.sort_unstable();
        assert_eq!(found, expected);
    }
}

#[test]
fn work_that_is_interrupted_passes_the_error_on() {
    let manager = Manager::new(Capacity::small(120)).unwrap();
    // At least 60 of 120 variables.
    let mut at_least = vec![manager.bottom(); 61];
    at_least[0] = manager.top();
    for variable in manager.variables() {
        let variable = manager.variable(variable).unwrap();
        for many in (1..at_least.len()).rev() {
            at_least[many] = variable.ite(&at_least[many - 1], &at_least[many]).unwrap();
        }
    }
    let function = at_least[60].clone();
    let sets = 96_614_908_840_363_322_603_893_139_521_372_656;
    #[derive(Debug, PartialEq)]
    enum Stop {
        Nodes,
        Interrupted,
    }
    impl From<OutOfNodes> for Stop {
        fn from(_: OutOfNodes) -> Stop {
            Stop::Nodes
        }
    }
    fn after(mut calls: usize) -> impl FnMut() -> Result<(), Stop> {
        move || {
            calls -= 1;
            if calls == 0 { Err(Stop::Interrupted) } else { Ok(()) }
        }
    }
    let family = function.minimal_models(&mut after(usize::MAX)).unwrap();
    assert_eq!(family.len(), sets);
    assert_eq!(family.sets().take(10).count(), 10);
    assert_eq!(function.minimal_models(&mut after(1)).err(), Some(Stop::Interrupted));
    assert_eq!(function.prime_implicants(&mut after(100)).err(), Some(Stop::Interrupted));
    assert_eq!(function.irredundant_cover(&mut after(100)).err(), Some(Stop::Interrupted));
    let sifted = manager.sift(&[], &Sifting::default(), &mut after(5));
    assert_eq!(sifted.err(), Some(Stop::Interrupted));
    assert_eq!(function.minimal_models(&mut no_interrupt).unwrap().len(), sets);
}

/// Products of pairs far apart: exponential in this order, linear with the pairs side by side.
#[test]
fn sifting_finds_the_order() {
    let manager = Manager::new(Capacity { variables: 24, nodes: 1 << 16, cache: 1 << 12 }).unwrap();
    let value = |v| manager.variable(Variable(v)).unwrap();
    let function = (0..12)
        .fold(manager.bottom(), |sum, i| sum.or(&value(i).and(&value(i + 12)).unwrap()).unwrap());
    let before = function.node_count();
    let sifted = manager.sift(&[], &Sifting::default(), &mut no_interrupt).unwrap();
    assert_eq!(before, 2 * ((1 << 12) - 1));
    assert!(sifted.after < 200, "{sifted:?}");
    assert_eq!(function.node_count(), 24);
    assert_eq!(function.model_count(24), Natural::from((1 << 24) - 3u64.pow(12)));
    // Groups keep their variables side by side.
    let groups: Vec<_> = (0..12).map(|i| vec![Variable(2 * i), Variable(2 * i + 1)]).collect();
    manager.sift(&groups, &Sifting::default(), &mut no_interrupt).unwrap();
    let order = manager.order();
    assert!(groups.iter().all(|group| order.chunks(2).any(|pair| pair == &group[..])));
    assert_eq!(function.model_count(24), Natural::from((1 << 24) - 3u64.pow(12)));
}

/// The same products: limited work moves some variables only, and leaves the functions as they are.
#[test]
fn sifting_ends_when_its_work_is_done() {
    let manager = Manager::new(Capacity { variables: 24, nodes: 1 << 16, cache: 1 << 12 }).unwrap();
    let value = |v| manager.variable(Variable(v)).unwrap();
    let function = (0..12)
        .fold(manager.bottom(), |sum, i| sum.or(&value(i).and(&value(i + 12)).unwrap()).unwrap());
    // A group that has begun to move gets to its best place: one pair comes together.
    let (before, once) = (function.node_count(), Sifting { work: 1, ..Sifting::default() });
    manager.sift(&[], &once, &mut no_interrupt).unwrap();
    let after = function.node_count();
    assert!(before / 3 < after && after < before, "{before} -> {after}");
    assert_eq!(function.model_count(24), Natural::from((1 << 24) - 3u64.pow(12)));
    manager.sift(&[], &Sifting::default(), &mut no_interrupt).unwrap();
    assert_eq!(function.node_count(), 24);
}

/// The same products: pairs cannot come together if one half of the variables stays on top.
#[test]
fn sifting_keeps_the_first_variables_on_top() {
    let manager = Manager::new(Capacity { variables: 16, nodes: 1 << 16, cache: 1 << 12 }).unwrap();
    let value = |v| manager.variable(Variable(v)).unwrap();
    // Both halves have an order of their own to find: the pairs are 0-2, 1-3, and so on.
    let function = [0, 1, 4, 5, 8, 9, 12, 13]
        .into_iter()
        .fold(manager.bottom(), |sum, i| sum.or(&value(i).and(&value(i + 2)).unwrap()).unwrap());
    let crossing = value(0).and(&value(15)).unwrap();
    let before = function.node_count();
    let sifting = Sifting { top: 8, ..Sifting::default() };
    manager.sift(&[], &sifting, &mut no_interrupt).unwrap();
    let order = manager.order();
    assert!(order[..8].iter().all(|variable| variable.index() < 8), "{order:?}");
    assert!(function.node_count() < before);
    assert_eq!(crossing.model_count(16), Natural::from(1u64 << 14));
}
