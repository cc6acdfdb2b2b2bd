//! Products that are made on the way: with explicit automata, with Couvreur's construction on
//! either side, nested, and along a word. Verdicts are those of the explicit product, and words are
//! replayed on each of the factors.

mod common;

use kermode_automata::couvreur::{Construction, Couvreur, StepSelection, Tableau, to_tgba_in};
use kermode_automata::on_letter::Along;
use kermode_automata::product::Product;
use kermode_automata::space::Space;
use kermode_automata::tgba::{Marks, RandomTgba, Tgba, intersection};
use kermode_base::Rng;
use kermode_bdd::{Capacity, Manager, OutOfNodes};
use kermode_ltl::dialect::{Dialect, parse};
use kermode_ltl::random::{Operators, RandomFormula, random_word};
use kermode_ltl::{Formula, Proposition, Store, Word, WordKind};
use kermode_solve::Stop;

use common::{by_couvreur, by_magic, has_accepting_component, is_accepted, satisfies};

fn both(a: &Tgba, b: &Tgba) -> Tgba {
    intersection::<Stop>(a, b, &mut || Ok(())).expect("room")
}

/// Random automata, each over two of three propositions and with labels in a manager of its own.
struct Source {
    rng: Rng,
    propositions: [Proposition; 3],
}

impl Source {
    fn new(store: &mut Store, seed: u64) -> Source {
        let propositions = ["a", "b", "c"].map(|name| store.proposition(name));
        Source { rng: Rng::new(seed), propositions }
    }

    fn draw(&mut self, round: usize) -> Tgba {
        let [a, b, c] = self.propositions;
        let propositions = [[a, b], [b, c], [c, a]][round % 3].to_vec();
        let (states, marks) = (self.rng.between(1, 6), self.rng.below(3));
        let shape = RandomTgba { states, marks, propositions, transitions: 3 };
        let manager = Manager::new(Capacity::small(2)).expect("a small manager");
        shape.draw(&manager, &mut self.rng).expect("room for labels")
    }

    fn formula(&mut self, store: &mut Store, round: usize) -> Formula {
        let (size, operators) = (1 + round % 9, Operators::future());
        let propositions = self.propositions.to_vec();
        RandomFormula { size, propositions, operators }.draw(store, &mut self.rng)
    }
}

/// What both searches find in a space; the words of both are judged.
fn judge<S: Space>(mut space: impl FnMut() -> S, expected: bool, judges: &dyn Fn(&Word) -> bool)
where
    Stop: From<S::Stop>,
{
    for (word, counts) in [by_couvreur(space()), by_magic(space())] {
        assert_eq!(word.is_some(), expected, "{counts:?}");
        assert!(word.as_ref().is_none_or(judges), "{word:?}");
    }
}

#[test]
fn two_and_three_automata() {
    let mut source = Source::new(&mut Store::new(), 11);
    let mut nonempty = [0, 0];
    for round in 0..1_500 {
        let [a, b, c] = [0, 1, 2].map(|offset| source.draw(round / 2 + offset));
        let (two, three) = (both(&a, &b), both(&both(&a, &b), &c));
        let expected = [&two, &three].map(has_accepting_component);
        let of_two = |word: &Word| is_accepted(&a, word) && is_accepted(&b, word);
        let of_three = |word: &Word| of_two(word) && is_accepted(&c, word);
        judge(|| Product::new(&a, &b), expected[0], &of_two);
        judge(|| Product::new(Product::new(&a, &b), &c), expected[1], &of_three);
        judge(|| Product::new(&a, Product::new(&b, &c)), expected[1], &of_three);
        nonempty[0] += usize::from(expected[0]);
        nonempty[1] += usize::from(expected[1]);
    }
    assert!(nonempty.iter().all(|count| (150..1_200).contains(count)), "{nonempty:?}");
}

#[test]
fn membership_in_a_product() {
    let mut source = Source::new(&mut Store::new(), 12);
    let mut seen = [0, 0];
    for round in 0..1_500 {
        let [a, b] = [0, 1].map(|offset| source.draw(round + offset));
        let word = random_word(&mut source.rng, &source.propositions, WordKind::Infinite, 2, 2);
        let expected = is_accepted(&a, &word) && is_accepted(&b, &word);
        let found = by_couvreur(Along::new(Product::new(&a, &b), &word)).0;
        assert_eq!(found.is_some(), expected, "{word:?}");
        seen[usize::from(expected)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

const FORMS: [Construction; 5] = [
    Construction::PLAIN,
    Construction::MERGED,
    Construction::SMALL,
    Construction { steps: StepSelection::Least, ..Construction::PLAIN },
    Construction { steps: StepSelection::Least, ..Construction::SMALL },
];

/// A formula is bound to the letters of an automaton; or the other way round, unless its steps are
/// the least, which lose words.
#[test]
fn an_automaton_and_a_formula() {
    let mut store = Store::new();
    let mut source = Source::new(&mut store, 13);
    let capacity = Capacity { variables: 128, nodes: 1 << 17, cache: 1 << 12 };
    let manager = Manager::new(capacity).expect("room");
    let mut nonempty = 0;
    for round in 0..2_000 {
        let (automaton, formula) = (source.draw(round), source.formula(&mut store, round));
        let tableau =
            |store: &mut Store, form| Tableau::new(store, formula, form).expect("no past");
        let explicit = tableau(&mut store, Construction::PLAIN);
        let explicit = to_tgba_in::<Stop>(explicit, manager.clone(), &mut || Ok(()));
        let expected = has_accepting_component(&both(&automaton, &explicit.expect("room")));
        nonempty += usize::from(expected);
        let form = FORMS[round % FORMS.len()];
        let tableau = tableau(&mut store, form);
        let judges =
            |word: &Word| is_accepted(&automaton, word) && satisfies(&store, formula, word);
        for nested in [false, true] {
            let mut go_on = || Ok::<(), Stop>(());
            let second = Couvreur::new(tableau.clone(), manager.clone(), &mut go_on);
            let product = Product::new(&automaton, second);
            let word = if nested { by_magic(product).0 } else { by_couvreur(product).0 };
            assert_eq!(word.is_some(), expected, "round {round}");
            assert!(word.as_ref().is_none_or(judges), "round {round}: {word:?}");
            if form.steps == StepSelection::Least {
                continue;
            }
            let mut go_on = || Ok::<(), OutOfNodes>(());
            let first = Couvreur::new(tableau.clone(), manager.clone(), &mut go_on);
            let product = Product::new(first, &automaton);
            let word = if nested { by_magic(product).0 } else { by_couvreur(product).0 };
            assert_eq!(word.is_some(), expected, "round {round}, the formula first");
            assert!(word.as_ref().is_none_or(judges), "round {round}: {word:?}");
        }
    }
    assert!((400..1_900).contains(&nonempty), "{nonempty}");
}

/// A ring of three states, each with one letter. The formula `G F p0 & .. & G F p23` has one node
/// with `2^24` steps, one of which reads a given letter and puts off least: the product has three
/// states, and a step is taken from each.
#[test]
fn letters_bind_what_is_expanded() {
    let mut store = Store::new();
    let fairness: Vec<String> = (0..24).map(|i| format!("G F p{i}")).collect();
    let text = fairness.join(" & ");
    let formula = parse(&mut store, &text, Dialect::Kermode.into()).expect("a formula").formula;
    let propositions: Vec<Proposition> = store.propositions(formula);
    let manager = Manager::new(Capacity::small(24)).expect("a small manager");
    let mut ring = Tgba::new(manager.clone(), propositions, 0);
    let states = [0; 3].map(|_| ring.add_state());
    ring.add_initial(states[0]);
    for (index, &state) in states.iter().enumerate() {
        let literals = manager.variables().map(|variable| kermode_bdd::Literal {
            variable,
            positive: variable.index() % 3 == index,
        });
        let letter = manager.cube(&literals.collect()).expect("room");
        ring.add_transition(state, states[(index + 1) % 3], letter, Marks::new());
    }
    let construction = Construction { recurrence: true, ..Construction::MERGED };
    let tableau = Tableau::new(&mut store, formula, construction).expect("no past");
    let capacity = Capacity { variables: tableau.variable_count(), nodes: 1 << 16, cache: 1 << 12 };
    let mut go_on = || Ok::<(), Stop>(());
    let second = Couvreur::new(tableau, Manager::new(capacity).expect("room"), &mut go_on);
    let (word, counts) = by_couvreur(Product::new(&ring, second));
    let word = word.expect("the ring is fair");
    assert!(is_accepted(&ring, &word) && satisfies(&store, formula, &word));
    assert_eq!((counts.states, counts.transitions), (3, 3));
}
