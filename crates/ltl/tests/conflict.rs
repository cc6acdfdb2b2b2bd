//! The planted conflicts of generated requirements are exactly the minimal unsatisfiable subsets.

use std::convert::Infallible;

use kermode_ltl::dialect::write;
use kermode_ltl::families::Request;
use kermode_ltl::families::conflict::RequirementSet;
use kermode_ltl::reference::{TableauStop, tableau};
use kermode_ltl::semantics::naive;
use kermode_ltl::{Dialect, Formula, Store, WordKind};

fn text(store: &Store, formula: Formula) -> String {
    write(store, formula, Dialect::Kermode.into()).expect("a text")
}

/// For each choice of one member of each conflict, all other requirements hold on a word and the
/// chosen members do not. With several conflicts, choices that differ in one place from the first
/// and choices along the diagonal are enough to see every member and every pattern.
#[test]
fn everything_but_one_member_of_each_conflict_holds_on_a_word() {
    for seed in 0..33 {
        let (members, conflicts) = (2 + seed as usize % 11, 1 + seed as usize % 3);
        let mut store = Store::new();
        let set = RequirementSet::new(&mut store, 60, members, conflicts, seed);
        assert_eq!(set.requirements.len(), 60);
        for missing in (0..members).flat_map(|i| [vec![i; conflicts], first_but(i, conflicts)]) {
            let word = set.word_without(&missing);
            let pairs = set.conflicts.iter().zip(&missing);
            let chosen: Vec<usize> = pairs.map(|(conflict, &member)| conflict[member]).collect();
            for (place, &requirement) in set.requirements.iter().enumerate() {
                let holds = naive::satisfies(&store, requirement, &word);
                let shown = text(&store, requirement);
                assert_eq!(holds, !chosen.contains(&place), "seed {seed}, {missing:?}: {shown}");
            }
        }
    }
}

fn first_but(member: usize, conflicts: usize) -> Vec<usize> {
    let mut missing = vec![0; conflicts];
    missing[conflicts - 1] = member;
    missing
}

#[test]
fn the_members_of_a_conflict_contradict_each_other() {
    let mut too_large = 0;
    for seed in 0..60 {
        let mut store = Store::new();
        let set = RequirementSet::new(&mut store, 12, 2 + seed as usize % 3, 1, seed);
        let members: Vec<Formula> =
            set.conflicts[0].iter().map(|&place| set.requirements[place]).collect();
        let all = store.all(members.iter().copied());
        let shown: Vec<String> = members.iter().map(|&member| text(&store, member)).collect();
        let word = tableau(&store, all, WordKind::Infinite, &mut || Ok::<(), Infallible>(()));
        match word {
            Ok(word) => assert!(word.is_none(), "seed {seed}: {shown:?}"),
            // Bounds make some of them too large for the oracle.
            Err(TableauStop::TooLarge { .. }) => too_large += 1,
            Err(stop) => panic!("seed {seed}: {stop:?}"),
        }
    }
    assert!(too_large < 20, "{too_large} of 60 were not decided");
}

/// The requirements of one seed.
const EXPECTED: &str = "G(!g0_2 -> F !g0_7) & G F !g0_7 & G(!g0_7 & X g0_7 -> X F g0_6) & \
    G F g0_8 & G(g0_8 -> g0_8 U g0_7) & F G !g0_7";

#[test]
fn a_seed_yields_the_same_set_for_ever() {
    let mut store = Store::new();
    let request = Request::parse("conflict", &["6", "3", "1", "7"]).expect("a request");
    let instance = request.instances().next().expect("a member");
    let formula = instance.build(&mut store);
    assert_eq!(text(&store, formula), EXPECTED);
    let set = RequirementSet::of(&mut store, &instance);
    assert_eq!(set.conflicts, [[3, 4, 5]]);
    assert_eq!(set.conjunction(&mut store), formula);
}
