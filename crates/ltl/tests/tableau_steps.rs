//! The tableau along letters decides membership of single words as the naive evaluator does.

use std::collections::HashMap;
use std::convert::Infallible;

use kermode_base::{Rng, components};
use kermode_ltl::random::{Operators, RandomFormula, random_word};
use kermode_ltl::reference::{Atom, Row, TableauSteps, TableauStop};
use kermode_ltl::semantics::naive;
use kermode_ltl::{BoundedUnaryOp, Formula, Interval, Store, Word, WordKind};

fn steps(store: &Store, formula: Formula, words: WordKind) -> TableauSteps {
    TableauSteps::new::<Infallible>(store, formula, words).expect("a small formula")
}

fn atoms(tableau: &TableauSteps, before: Option<Row>, word: &Word, position: usize) -> Vec<Atom> {
    let letter = &word.letters()[position];
    let letter: Vec<bool> = tableau.propositions().iter().map(|&p| letter.contains(p)).collect();
    let mut atoms = Vec::new();
    let mut visit = |atom| {
        atoms.push(atom);
        Ok::<(), Infallible>(())
    };
    let Ok(()) = tableau.atoms(before, &letter, &mut visit, &mut || Ok(()));
    atoms
}

/// Whether the word satisfies the formula: its product with the tableau has a fair component that
/// is reachable, or reaches a last atom.
fn accepts(tableau: &TableauSteps, word: &Word) -> bool {
    let (mut numbers, mut nodes) = (HashMap::new(), vec![(0, None)]);
    let (mut start, mut edges): (_, Vec<(usize, Atom)>) = (vec![0], Vec::new());
    while start.len() <= nodes.len() {
        let (position, before) = nodes[start.len() - 1];
        for atom in atoms(tableau, before, word, position) {
            let Some(next) = word.successor(position) else {
                if atom.last {
                    return true;
                }
                continue;
            };
            let node = (next, Some(atom.to));
            let number = *numbers.entry(node).or_insert_with(|| {
                nodes.push(node);
                nodes.len() - 1
            });
            edges.push((number, atom));
        }
        start.push(edges.len());
    }
    let Ok(component) = components::<Infallible>(&start, |edge| edges[edge].0, &mut || Ok(()));
    let mut fair: Vec<Option<Row>> = vec![None; nodes.len()];
    for node in 0..nodes.len() {
        for &(target, atom) in &edges[start[node]..start[node + 1]] {
            if component[target] == component[node] {
                *fair[component[node]].get_or_insert(0) |= atom.fair;
            }
        }
    }
    word.kind() == WordKind::Infinite && fair.contains(&Some(tableau.all_fair()))
}

#[test]
fn single_words_are_judged_as_by_the_definitions() {
    let mut rng = Rng::new(19);
    let (mut satisfied, mut violated) = (0, 0);
    for round in 0..4_000 {
        let mut store = Store::new();
        let propositions: Vec<_> = ["a", "b"].map(|name| store.proposition(name)).into();
        let words = [WordKind::Infinite, WordKind::Finite][round % 2];
        let operators = Operators::future().with_weak_next().with_past().with_bounds(3);
        let size = 2 + round % 9;
        let shape = RandomFormula { size, propositions: propositions.clone(), operators };
        let formula = shape.draw(&mut store, &mut rng);
        let tableau = steps(&store, formula, words);
        for _ in 0..3 {
            let word = random_word(&mut rng, &propositions, words, 3, 3);
            let expected = naive::satisfies(&store, formula, &word);
            assert_eq!(accepts(&tableau, &word), expected, "round {round}: {word:?}");
            *if expected { &mut satisfied } else { &mut violated } += 1;
        }
    }
    assert!(satisfied > 3_000 && violated > 3_000, "{satisfied}, {violated}");
}

#[test]
fn large_formulas_are_refused_and_searches_can_be_stopped() {
    let mut store = Store::new();
    let a = store.named("a");
    let far = store.bounded_unary(BoundedUnaryOp::Finally, Interval::exactly(200), a);
    let stop = TableauSteps::new::<Infallible>(&store, far, WordKind::Infinite);
    let expected = TableauStop::TooLarge { elementary: 200, limit: 128 };
    assert_eq!(stop.expect_err("too large"), expected);
    // The other promises are not tried after the visitor stops: there are 2^100.
    let near = store.bounded_unary(BoundedUnaryOp::Finally, Interval::exactly(100), a);
    let tableau = steps(&store, near, WordKind::Infinite);
    let (mut stop, mut go_on) = (|_| Err("stop"), || Ok(()));
    assert_eq!(tableau.atoms(None, &[true], &mut stop, &mut go_on), Err("stop"));
    let (mut go_on, mut stop) = (|_| Ok(()), || Err("stop"));
    assert_eq!(tableau.atoms(None, &[true], &mut go_on, &mut stop), Err("stop"));
    let constant = store.constant(true);
    assert_eq!(steps(&store, constant, WordKind::Finite).all_fair(), 0);
}
