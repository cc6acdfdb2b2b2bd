//! Every operation on all functions of three or four variables, compared with truth tables.

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::HashSet;

use common::{Table, all_functions, as_number, no_interrupt};
use kermode_base::Natural;
use kermode_bdd::{
    Bdd, Capacity, Clustering, Completion, CopiedVariable, Cube, Literal, Manager, OutOfNodes,
    Relation, RelationCase, Sifting, Variable,
};

fn manager(variables: usize) -> Manager {
    Manager::new(Capacity::small(variables)).unwrap()
}

/// Function number `n` has bit `a` of `n` as its value for assignment `a`.
fn table(variables: usize, number: usize) -> Table {
    Table::new(variables, |assignment| number >> assignment & 1 == 1)
}

fn subsets(variables: u32) -> impl Iterator<Item = Vec<Variable>> {
    (0..1u32 << variables)
        .map(move |set| (0..variables).filter(|v| set >> v & 1 == 1).map(Variable).collect())
}

#[test]
fn functions_are_canonical_and_evaluate() {
    let manager = manager(4);
    let functions = all_functions(&manager, 4);
    assert_eq!(functions.iter().collect::<HashSet<_>>().len(), 1 << 16);
    for (number, function) in functions.iter().enumerate() {
        assert_eq!(Table::of(function, 4), table(4, number));
        assert_eq!(function.is_bottom(), number == 0);
        assert_eq!(function.is_top(), number == (1 << 16) - 1);
        assert_eq!(function.not().unwrap(), functions[!number & 0xffff]);
    }
}

#[test]
fn binary_operations() {
    let manager = manager(3);
    let functions = all_functions(&manager, 3);
    for (i, f) in functions.iter().enumerate() {
        for (j, g) in functions.iter().enumerate() {
            let expect = |result: Result<Bdd, OutOfNodes>, number: usize| {
                assert_eq!(result.unwrap(), functions[number & 0xff], "{i} {j}");
            };
            expect(f.and(g), i & j);
            expect(f.or(g), i | j);
            expect(f.xor(g), i ^ j);
            expect(f.implies(g), !i | j);
            expect(f.iff(g), !(i ^ j));
            expect(f.and_not(g), i & !j);
            assert_eq!(f.entails(g).unwrap(), i & !j == 0);
        }
    }
}

#[test]
fn choice() {
    let manager = manager(3);
    let functions = all_functions(&manager, 3);
    for i in (0..256).step_by(3) {
        for j in (0..256).step_by(5) {
            for k in (0..256).step_by(7) {
                let result = functions[i].ite(&functions[j], &functions[k]).unwrap();
                assert_eq!(result, functions[i & j | !i & k], "{i} {j} {k}");
            }
        }
    }
}

#[test]
fn quantification() {
    let manager = manager(3);
    let functions = all_functions(&manager, 3);
    for variables in subsets(3) {
        let set = manager.variable_set(variables.iter().copied()).unwrap();
        for (i, f) in functions.iter().enumerate() {
            let [exists, forall] = [f.exists(&set), f.forall(&set)];
            assert_eq!(Table::of(&exists.unwrap(), 3), table(3, i).exists(&variables));
            assert_eq!(Table::of(&forall.unwrap(), 3), table(3, i).forall(&variables));
            for (j, g) in functions.iter().enumerate() {
                let together = f.and_exists(g, &set).unwrap();
                assert_eq!(together, functions[i & j].exists(&set).unwrap(), "{i} {j}");
            }
        }
    }
}

#[test]
fn cofactors_by_all_cubes() {
    let manager = manager(3);
    let functions = all_functions(&manager, 3);
    for values in 0..27 {
        let digits = (0..3).map(|v| (Variable(v), values / 3usize.pow(v) % 3));
        let literals = digits.filter(|&(_, digit)| digit > 0);
        let cube: Cube =
            literals.map(|(variable, d)| Literal { variable, positive: d == 2 }).collect();
        assert_eq!(Table::of(&manager.cube(&cube).unwrap(), 3), Table::of_cube(3, &cube));
        for (i, f) in functions.iter().enumerate() {
            let expected = cube
                .literals()
                .iter()
                .fold(table(3, i), |table, l| table.cofactor(l.variable, l.positive));
            assert_eq!(Table::of(&f.cofactor(&cube).unwrap(), 3), expected);
        }
    }
}

#[test]
fn all_renamings_of_three_variables() {
    let manager = manager(3);
    let functions = all_functions(&manager, 3);
    for to in 0..27 {
        let pairs: Vec<_> = (0..3).map(|v| (Variable(v), Variable(to / 3u32.pow(v) % 3))).collect();
        let renaming = manager.renaming(&pairs).unwrap();
        for (i, f) in functions.iter().enumerate() {
            assert_eq!(Table::of(&f.rename(&renaming).unwrap(), 3), table(3, i).rename(&pairs));
        }
    }
}

#[test]
fn all_substitutions_of_functions_of_two_variables() {
    let manager = manager(2);
    let functions = all_functions(&manager, 2);
    for (x, y) in (0..256).map(|number| (&functions[number / 16], &functions[number % 16])) {
        let pairs = [(Variable(0), x.clone()), (Variable(1), y.clone())];
        let substitution = manager.substitution(&pairs);
        for f in &functions {
            let substituted = f.substitute(&substitution).unwrap();
            for letter in 0..4 {
                let value = |Variable(v): Variable| letter >> v & 1 == 1;
                let inner = [x.eval(value), y.eval(value)];
                assert_eq!(substituted.eval(value), f.eval(|variable| inner[variable.index()]));
            }
        }
    }
}

#[test]
fn support_counts_cubes_and_models() {
    let manager = manager(4);
    let all = manager.variable_set(manager.variables()).unwrap();
    for (number, f) in all_functions(&manager, 4).iter().enumerate() {
        let table = table(4, number);
        assert_eq!(f.support(), table.support());
        assert_eq!(f.model_count(5), Natural::from(2 * table.count() as u64));
        let models: HashSet<usize> = f.models(&all).map(|model| as_number(&model)).collect();
        assert_eq!(models.len(), table.count());
        assert!(models.iter().all(|&model| table.0[model]));
        let cubes: Vec<Cube> = f.cubes().collect();
        assert_eq!(Table::of_cubes(4, &cubes), table);
        let sizes = cubes.iter().map(|cube| 16 >> cube.literals().len());
        assert_eq!(sizes.sum::<usize>(), table.count(), "cubes have no common models");
        match f.pick_cube() {
            Some(cube) => assert!(Table::of_cube(4, &cube).entails(&table)),
            None => assert_eq!(number, 0),
        }
    }
}

#[test]
fn minimal_models_of_all_monotone_functions() {
    let manager = manager(4);
    let functions = all_functions(&manager, 4);
    let monotone = (0..1 << 16).filter(|&number| table(4, number).is_monotone());
    let mut seen = 0;
    for number in monotone {
        seen += 1;
        let family = functions[number].minimal_models(&mut no_interrupt).unwrap();
        let mut sets: Vec<usize> = family.sets().map(|set| as_number(&set)).collect();
        sets.sort_unstable();
        assert_eq!(sets, table(4, number).minimal_models());
        assert_eq!(family.len(), sets.len() as u128);
        assert_eq!(family.is_empty(), number == 0);
    }
    assert_eq!(seen, 168, "Dedekind's number");
}

/// With complemented assignments, maximal models of antitone functions are minimal models of
/// monotone ones.
#[test]
fn maximal_models_of_all_antitone_functions() {
    let manager = manager(4);
    let functions = all_functions(&manager, 4);
    for (number, f) in functions.iter().enumerate() {
        let flipped = Table::new(4, |assignment| table(4, number).0[!assignment & 15]);
        if flipped.is_monotone() {
            let family = f.maximal_models(&mut no_interrupt).unwrap();
            let mut left_out: Vec<usize> = family.sets().map(|set| as_number(&set)).collect();
            left_out.sort_unstable();
            assert_eq!(left_out, flipped.minimal_models());
        }
    }
}

#[test]
fn closures_of_all_functions() {
    let manager = manager(4);
    let functions = all_functions(&manager, 4);
    for (number, f) in functions.iter().enumerate().step_by(3) {
        let (table, mask) = (table(4, number), number % 16);
        let chosen = (0..4).filter(|v| mask >> v & 1 == 1).map(Variable);
        let variables = manager.variable_set(chosen).unwrap();
        // Whether the first assignment is the second with some of the variables made true.
        let above = |high: usize, low: usize| low & !high == 0 && (high ^ low) & !mask == 0;
        let up = Table::new(4, |a| (0..16).any(|b| table.0[b] && above(a, b)));
        let down = Table::new(4, |a| (0..16).any(|b| table.0[b] && above(b, a)));
        assert_eq!(Table::of(&f.upward_closure(&variables, &mut no_interrupt).unwrap(), 4), up);
        assert_eq!(Table::of(&f.downward_closure(&variables, &mut no_interrupt).unwrap(), 4), down);
    }
}

#[test]
fn primes_and_covers() {
    let manager = manager(4);
    let functions = all_functions(&manager, 4);
    for (number, f) in functions.iter().enumerate().step_by(7) {
        let table = table(4, number);
        let primes = f.prime_implicants(&mut no_interrupt).unwrap();
        assert_eq!(primes.iter().collect::<HashSet<_>>().len(), primes.len());
        assert!(primes.iter().all(|cube| table.has_prime(cube)));
        assert_eq!(Table::of_cubes(4, &primes), table);
        let cover = f.irredundant_cover(&mut no_interrupt).unwrap();
        assert_eq!(Table::of_cubes(4, &cover), table);
        assert!(cover.iter().all(|cube| primes.contains(cube)));
        for left_out in 0..cover.len() {
            let mut rest = cover.clone();
            rest.remove(left_out);
            assert_ne!(Table::of_cubes(4, &rest), table, "{number}: a cube too many");
        }
    }
}

#[test]
fn all_primes_are_found() {
    let manager = manager(3);
    let cubes: Vec<Cube> = (0..27)
        .map(|values: u32| {
            let digits = (0..3).map(|v| (Variable(v), values / 3u32.pow(v) % 3));
            let literals = digits.filter(|&(_, digit)| digit > 0);
            literals.map(|(variable, d)| Literal { variable, positive: d == 2 }).collect()
        })
        .collect();
    for (number, f) in all_functions(&manager, 3).iter().enumerate() {
        let found: HashSet<Cube> =
            f.prime_implicants(&mut no_interrupt).unwrap().into_iter().collect();
        let table = table(3, number);
        let expected = cubes.iter().filter(|cube| table.has_prime(cube)).cloned();
        assert_eq!(found, expected.collect::<HashSet<_>>(), "{number}");
    }
}

#[test]
fn covers_of_intervals() {
    let manager = manager(3);
    let functions = all_functions(&manager, 3);
    for lower in 0..256 {
        for upper in (0..256).filter(|upper| lower & !upper == 0) {
            let cover = functions[lower]
                .irredundant_cover_up_to(&functions[upper], &mut no_interrupt)
                .unwrap();
            let sum = Table::of_cubes(3, &cover);
            assert!(table(3, lower).entails(&sum) && sum.entails(&table(3, upper)));
        }
    }
}

/// Two state bits, their next ones, and an input: relations in one part and in three.
#[test]
fn images_and_preimages() {
    let manager = manager(5);
    let [x, y, next_x, next_y, input] = [0, 2, 1, 3, 4].map(Variable);
    let pairs = [(x, next_x), (y, next_y)];
    let value = |v| manager.variable(v).unwrap();
    let parts = vec![
        value(next_x).iff(&value(x).xor(&value(input)).unwrap()).unwrap(),
        value(next_y).implies(&value(x)).unwrap(),
        value(y).or(&value(input)).unwrap(),
    ];
    let whole = parts.iter().fold(manager.top(), |all, part| all.and(part).unwrap());
    let constraint = value(x).or(&value(next_y)).unwrap();
    let current = manager.variable_set([x, y, input]).unwrap();
    let next = manager.variable_set([next_x, next_y, input]).unwrap();
    let back = manager.renaming(&[(next_x, x), (next_y, y)]).unwrap();
    let forth = manager.renaming(&pairs).unwrap();
    for parts in [vec![whole.clone()], parts] {
        let relation = Relation::new(&manager, parts, &pairs, &[input]).unwrap();
        for states in 0..16 {
            let states = Table::new(5, |a| states >> (a & 1 | a >> 1 & 2) & 1 == 1);
            let states = of_table(&manager, &states);
            let image = whole.and_exists(&states, &current).unwrap().rename(&back).unwrap();
            assert_eq!(relation.image(&states, &mut no_interrupt).unwrap(), image);
            let after = states.rename(&forth).unwrap();
            let preimage = whole.and_exists(&after, &next).unwrap();
            assert_eq!(relation.preimage(&states, &mut no_interrupt).unwrap(), preimage);
            let just = whole.and(&constraint).unwrap();
            let image = just.and_exists(&states, &current).unwrap().rename(&back).unwrap();
            let by_some = relation.image_where(&states, &constraint, &mut no_interrupt).unwrap();
            assert_eq!(by_some, image);
            let preimage = just.and_exists(&after, &next).unwrap();
            let by_some = relation.preimage_where(&states, &constraint, &mut no_interrupt).unwrap();
            assert_eq!(by_some, preimage);
        }
    }
}

/// Two state bits of which one moves in each step: the selector is an input, or a third state bit.
#[test]
fn a_relation_is_the_union_of_its_cases() {
    let manager = manager(6);
    let [x, y, s, next_x, next_y, next_s] = [0, 2, 4, 1, 3, 5].map(Variable);
    let value = |v| manager.variable(v).unwrap();
    let stays = |now, next| value(next).iff(&value(now)).unwrap();
    let parts = [
        value(s).ite(&value(next_x).implies(&value(y)).unwrap(), &stays(x, next_x)).unwrap(),
        value(s).ite(&stays(y, next_y), &value(next_y).xor(&value(x)).unwrap()).unwrap(),
        value(next_x).and(&value(next_y)).unwrap().not().unwrap(),
    ];
    let constraint = value(next_x).or(&value(next_y)).unwrap().iff(&value(s)).unwrap();
    let of_state: &[_] = &[(x, next_x), (y, next_y), (s, next_s)];
    for (pairs, inputs) in [(&of_state[..2], &[s][..]), (of_state, &[])] {
        let whole = Relation::new(&manager, parts.to_vec(), pairs, inputs).unwrap();
        let cases = [false, true].map(|positive| {
            let values = Cube::from_iter([Literal { variable: s, positive }]);
            let case =
                RelationCase::new(&manager, &parts, pairs, values, &mut no_interrupt).unwrap();
            let case = case.expect("steps with this value");
            let (current, next) = if positive { (y, next_y) } else { (x, next_x) };
            let fixed = CopiedVariable { source: current, current, next };
            assert_eq!((&case.copies[..], case.moving.len()), (&[fixed][..], pairs.len() - 1));
            Relation::of_case(&manager, &case, case.parts.clone(), inputs).unwrap()
        });
        let bits = pairs.len();
        for states in 0..1_usize << (1 << bits) {
            let place = |a: usize| (a & 1 | a >> 1 & 2 | a >> 2 & 4) & ((1 << bits) - 1);
            let states = of_table(&manager, &Table::new(6, |a| states >> place(a) & 1 == 1));
            let union = |step: &dyn Fn(&Relation) -> Bdd| {
                let [one, other] = &cases;
                step(one).or(&step(other)).unwrap()
            };
            type Step<'s> = &'s dyn Fn(&Relation) -> Bdd;
            let steps: [Step; 4] = [
                &|r| r.image(&states, &mut no_interrupt).unwrap(),
                &|r| r.preimage(&states, &mut no_interrupt).unwrap(),
                &|r| r.image_where(&states, &constraint, &mut no_interrupt).unwrap(),
                &|r| r.preimage_where(&states, &constraint, &mut no_interrupt).unwrap(),
            ];
            for step in steps {
                assert_eq!(union(step), step(&whole));
            }
        }
        // A value without steps.
        let never = [value(s)];
        let values = Cube::from_iter([Literal { variable: s, positive: false }]);
        let case = RelationCase::new(&manager, &never, pairs, values, &mut no_interrupt).unwrap();
        assert!(case.is_none());
    }
}

/// If the selector is true, three bits move up by one place as in a queue, and the first is also
/// copied to a fourth bit; else all stay but the last place. So one source has two copies, one
/// variable is lost, and one part mentions the next variable of a copy.
#[test]
fn cases_with_copied_variables() {
    let manager = manager(10);
    let current = [0, 2, 4, 6].map(Variable);
    let next = [1, 3, 5, 7].map(Variable);
    let [selector, free] = [8, 9].map(Variable);
    let pairs: Vec<_> = current.into_iter().zip(next).collect();
    let value = |v| manager.variable(v).unwrap();
    let copy = |to: usize, from: usize| value(next[to]).iff(&value(current[from])).unwrap();
    let choice = |one: Bdd, other: Bdd| value(selector).ite(&one, &other).unwrap();
    let parts = [
        choice(copy(0, 1), copy(0, 0)),
        choice(copy(1, 2), copy(1, 1)),
        choice(value(next[2]).iff(&value(free)).unwrap(), copy(2, 2)),
        choice(copy(3, 1), value(next[3]).implies(&value(next[1])).unwrap()),
    ];
    let constraint = value(next[0]).xor(&value(current[2])).unwrap();
    let inputs = [selector, free];
    let whole = Relation::new(&manager, parts.to_vec(), &pairs, &inputs).unwrap();
    let cases = [true, false].map(|positive| {
        let values = Cube::from_iter([Literal { variable: selector, positive }]);
        let case = RelationCase::new(&manager, &parts, &pairs, values, &mut no_interrupt).unwrap();
        let case = case.expect("steps with this value");
        let sources: Vec<_> = case.copies.iter().map(|copy| copy.source).collect();
        match positive {
            true => assert_eq!(sources, [current[1], current[2]]),
            false => assert_eq!(sources, current[..3]),
        }
        let staying = case.copies.iter().filter(|copy| copy.stays()).count();
        assert_eq!(staying, if positive { 0 } else { 3 });
        Relation::of_case(&manager, &case, case.parts.clone(), &inputs).unwrap()
    });
    for set in 0..1 << 16 {
        // All sets of few states, and a sample of the others.
        if u32::count_ones(set) > 2 && set % 61 != 0 {
            continue;
        }
        let literal = |state: usize, place: usize| Literal {
            variable: current[place],
            positive: state >> place & 1 == 1,
        };
        let cube = |state| manager.cube(&(0..4).map(|place| literal(state, place)).collect());
        let members = (0..16).filter(|state| set >> state & 1 == 1);
        let states =
            members.fold(manager.bottom(), |all, state| all.or(&cube(state).unwrap()).unwrap());
        type Step<'s> = &'s dyn Fn(&Relation) -> Bdd;
        let steps: [Step; 4] = [
            &|r| r.image(&states, &mut no_interrupt).unwrap(),
            &|r| r.preimage(&states, &mut no_interrupt).unwrap(),
            &|r| r.image_where(&states, &constraint, &mut no_interrupt).unwrap(),
            &|r| r.preimage_where(&states, &constraint, &mut no_interrupt).unwrap(),
        ];
        for step in steps {
            let [one, other] = &cases;
            assert_eq!(step(one).or(&step(other)).unwrap(), step(&whole), "{set}");
        }
    }
}

fn of_table(manager: &Manager, table: &Table) -> Bdd {
    (0..table.0.len()).filter(|&a| table.0[a]).fold(manager.bottom(), |sum, assignment| {
        let literals = manager
            .variables()
            .map(|variable| Literal { variable, positive: common::bit(assignment, variable) });
        sum.or(&manager.cube(&literals.collect()).unwrap()).unwrap()
    })
}

#[test]
fn restrictions_are_right_where_they_matter_and_not_larger() {
    let manager = manager(3);
    let functions = all_functions(&manager, 3);
    let mut smaller = 0;
    for (i, f) in functions.iter().enumerate() {
        for (j, care) in functions.iter().enumerate() {
            let restricted = f.restrict(care, &mut no_interrupt).unwrap();
            assert_eq!(restricted.and(care).unwrap(), functions[i & j], "{i} {j}");
            let nodes = f.node_count();
            assert!(restricted.node_count() <= nodes, "{i} {j}");
            assert!(f.has_at_most(nodes) && f.has_at_most(nodes + 1), "{i}");
            assert!(nodes == 0 || !f.has_at_most(nodes - 1), "{i}");
            let support = f.support();
            assert!(restricted.support().iter().all(|v| support.contains(v)), "{i} {j}");
            smaller += usize::from(restricted != *f);
        }
    }
    assert!(smaller > 20_000, "{smaller}");
}

#[test]
fn completions_of_all_cubes() {
    let manager = manager(3);
    for (i, f) in all_functions(&manager, 3).iter().enumerate() {
        let mut completion = Completion::of(f);
        for values in 0..27 {
            let given = |v: Variable| [None, Some(false), Some(true)][values / 3usize.pow(v.0) % 3];
            let fits = |a: usize, v: u32| {
                given(Variable(v)).is_none_or(|value| value == common::bit(a, Variable(v)))
            };
            let first = (0..8).find(|&a| i >> a & 1 == 1 && (0..3).all(|v| fits(a, v)));
            let found = completion.find(given);
            assert_eq!(found.is_some(), first.is_some(), "{i} {values}");
            let Some(literals) = found else { continue };
            let cube: Cube = literals.into_iter().collect();
            let value = |v| cube.value(v).or(given(v)).unwrap_or(false);
            assert!(f.eval(value), "{i} {values}");
            let agrees = |v| {
                cube.value(Variable(v)).is_none_or(|it| given(Variable(v)).is_none_or(|g| g == it))
            };
            assert!((0..3).all(agrees), "{i} {values}");
        }
    }
}

#[test]
fn clusters_are_the_parts() {
    let manager = manager(4);
    let functions = all_functions(&manager, 4);
    let parts: Vec<Bdd> = [0xaaf0, 0xcc33, 0xff0f, 0x8001, 0xffff, 0x0ff0]
        .map(|i: usize| functions[i].clone())
        .into();
    let whole = parts.iter().fold(manager.top(), |all, part| all.and(part).unwrap());
    for most_nodes in [0, 2, 4, 100] {
        let start = [Variable(0), Variable(2)];
        let clustering = Clustering { start: &start, inputs: &[], most_nodes };
        let clusters = clustering.of(&parts, &mut no_interrupt).unwrap();
        let mut members: Vec<usize> = clusters.iter().flat_map(|c| c.members.clone()).collect();
        members.sort_unstable();
        assert_eq!(members, [0, 1, 2, 3, 4, 5]);
        for cluster in &clusters {
            let all =
                cluster.members.iter().fold(manager.top(), |all, &m| all.and(&parts[m]).unwrap());
            assert_eq!(cluster.relation, all);
            assert!(cluster.members.len() == 1 || all.node_count() <= most_nodes);
        }
        let all = clusters.iter().fold(manager.top(), |all, c| all.and(&c.relation).unwrap());
        assert_eq!(all, whole);
    }
}

#[test]
fn copies_to_a_manager_with_another_order() {
    let [from, to] = [(); 2].map(|()| manager(3));
    to.sift(&[vec![Variable(2), Variable(0)]], &Sifting::default(), &mut no_interrupt).unwrap();
    assert_ne!(to.order(), from.order());
    for (number, f) in all_functions(&from, 3).iter().enumerate() {
        assert_eq!(Table::of(&f.copy_to(&to).unwrap(), 3), table(3, number));
        let renamed = |Variable(number): Variable| Variable((number + 1) % 3);
        let [once, thrice] = [1, 3]
            .map(|times| (0..times).fold(f.clone(), |f, _| f.copy_renamed(&to, renamed).unwrap()));
        assert_eq!(thrice, f.copy_to(&to).unwrap());
        assert!((0..8).all(|a: usize| {
            let value = |v: Variable| a >> v.index() & 1 == 1;
            once.eval(value) == f.eval(|v| value(renamed(v)))
        }));
    }
}

#[test]
fn a_function_is_what_its_first_decision_says() {
    let manager = manager(3);
    assert!(manager.top().decision().is_none() && manager.bottom().decision().is_none());
    for f in all_functions(&manager, 3) {
        let Some((variable, [low, high])) = f.decision() else { continue };
        assert_eq!(variable, f.support()[0]);
        assert_eq!(manager.variable(variable).unwrap().ite(&high, &low).unwrap(), f);
    }
}

#[test]
fn pictures() {
    let manager = manager(2);
    let [a, b] = [0, 1].map(|number| manager.variable(Variable(number)).unwrap());
    let picture = a.and(&b).unwrap().to_dot(|v| ["a", "the \"b\""][v.index()].into());
    let expected = "digraph bdd {
  n0 [shape=box, label=0];
  n1 [shape=box, label=1];
  n2 [label=\"the \\\"b\\\"\"];
  n2 -> n1;
  n2 -> n0 [style=dashed];
  n3 [label=\"a\"];
  n3 -> n2;
  n3 -> n0 [style=dashed];
  f [shape=none, label=\"\"];
  f -> n3;
}
";
    assert_eq!(picture, expected);
}

/// Handles move between threads, and several may use one manager.
#[test]
fn functions_of_several_threads_are_the_same() {
    let manager = manager(3);
    let functions = all_functions(&manager, 3);
    std::thread::scope(|scope| {
        let same = [(); 3].map(|()| scope.spawn(|| all_functions(&manager, 3) == functions));
        assert!(same.into_iter().all(|thread| thread.join().unwrap()));
    });
}
