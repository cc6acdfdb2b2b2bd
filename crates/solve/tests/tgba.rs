//! Couvreur's emptiness check and the magic search: on the paper's example, on random automata, and
//! on formulas against the antichain engines. Every word is replayed.

mod common;

use kermode_automata::couvreur::{Construction, Couvreur, StepSelection, Tableau, to_tgba_in};
use kermode_automata::on_letter::Along;
use kermode_automata::tgba::{Marks, RandomTgba, State, Tgba, intersection};
use kermode_base::Rng;
use kermode_bdd::{Capacity, Manager, Variable};
use kermode_ltl::dialect::{Dialect, parse, write};
use kermode_ltl::random::{Operators, RandomFormula, all_formulas, random_word};
use kermode_ltl::{BinaryOp, Formula, Store, UnaryOp, WordKind};
use kermode_solve::search::SearchCounts;
use kermode_solve::{Budget, EngineSpec, Problem, Silent, Stop, Verdict, Witness, decide};

use common::{
    KINDS, by_couvreur, by_magic, compare, compare_on_automata, has_accepting_component,
    is_accepted, is_nonempty, random_formula, satisfies, verdict_stands_without_word,
};

/// An automaton over no propositions by its edges, each with its marks; states are named by
/// letters, the first is initial.
fn graph(marks: usize, edges: &[(&str, &[usize])]) -> Tgba {
    let manager = Manager::new(Capacity::small(0)).expect("a small manager");
    let top = manager.top();
    let mut automaton = Tgba::new(manager, Vec::new(), marks);
    let state = |name: u8| State::from_index(usize::from(name - b'A'));
    for (edge, marks) in edges {
        let [from, to] = edge.as_bytes() else { panic!("an edge has two ends") };
        while automaton.state_count() <= usize::from(from.max(to) - b'A') {
            automaton.add_state();
        }
        let marks: Marks = marks.iter().copied().collect();
        automaton.add_transition(state(*from), state(*to), top.clone(), marks);
    }
    automaton.add_initial(State::from_index(0));
    automaton
}

/// Fig. 4, as Tables 3 and 4 tell it; the marks `a` and `b` are 0 and 1.
fn figure_four() -> Tgba {
    let (a, b, none): (&[usize], &[usize], &[usize]) = (&[0], &[1], &[]);
    graph(
        2,
        &[
            ("AB", none),
            ("BC", a),
            ("BF", none),
            ("CA", none),
            ("CD", none),
            ("CF", b),
            ("DE", none),
            ("ED", b),
            ("FG", none),
            ("GF", a),
            ("GH", none),
            ("GI", none),
            ("HF", b),
            ("IJ", none),
            ("JK", none),
            ("KI", none),
            ("KL", none),
            ("LK", none),
        ],
    )
}

/// The one search ends with the fourteenth row of Table 3, in which `{F, G, H}` is complete and
/// `{D, E}` was removed. The other begins its second search with the thirtieth row of Table 4.
#[test]
fn the_example_of_the_paper() {
    let automaton = figure_four();
    let (word, counts) = by_couvreur(&automaton);
    let SearchCounts { states, transitions, components, rows, depth, .. } = counts;
    assert_eq!((states, transitions, components, rows, depth), (8, 11, 1, 14, 6));
    // The way A B C F and the cycle F G F G H.
    let lengths = word.map(|word| (word.prefix().len(), word.cycle().len()));
    assert_eq!(lengths, Some((3, 5)));
    let (word, counts) = by_magic(&automaton);
    assert!(word.is_some());
    assert_eq!((counts.rows, counts.states), (30, 16));
}

/// As printed, line 19 asks for the order of `v`: the second edge to a state that is removed would
/// make one component of all, here with both marks.
#[test]
fn parallel_edges() {
    let automaton = graph(1, &[("AB", &[0]), ("AB", &[0])]);
    assert_eq!(by_couvreur(&automaton).0, None);
    assert_eq!(by_magic(&automaton).0, None);
    let automaton = graph(1, &[("AB", &[0]), ("AB", &[0]), ("BA", &[])]);
    assert!(by_couvreur(&automaton).0.is_some());
}

/// The arc into the component of `C` comes from `A`, not from `B`, which is just before it in
/// order.
#[test]
fn the_arc_into_a_component() {
    let automaton = graph(1, &[("AB", &[]), ("BA", &[]), ("AC", &[]), ("CC", &[0])]);
    let (word, counts) = by_couvreur(&automaton);
    assert_eq!(counts.rows, 6);
    assert_eq!(word.map(|word| (word.prefix().len(), word.cycle().len())), Some((1, 1)));
}

/// A step that goes back completes a component as soon as it is taken, not when its states are
/// left.
#[test]
fn without_marks_every_cycle_accepts() {
    assert!(by_couvreur(&graph(0, &[("AB", &[]), ("BC", &[])])).0.is_none());
    let loops = graph(0, &[("AB", &[]), ("BB", &[]), ("BC", &[])]);
    let (word, counts) = by_couvreur(&loops);
    assert_eq!((word.is_some(), counts.states, counts.transitions), (true, 2, 2));
    assert!(by_magic(&loops).0.is_some());
}

#[test]
fn random_graphs() {
    let mut store = Store::new();
    let propositions = ["a", "b"].map(|name| store.proposition(name)).to_vec();
    let manager = Manager::new(Capacity::small(2)).expect("a small manager");
    let mut rng = Rng::new(3);
    let mut nonempty = 0;
    for round in 0..6_000 {
        let shape = RandomTgba {
            states: 1 + round % 12,
            marks: round / 12 % 4,
            propositions: propositions.clone(),
            transitions: 1 + round % 3,
        };
        let automaton = shape.draw(&manager, &mut rng).expect("room for labels");
        let expected = has_accepting_component(&automaton);
        for (word, counts) in [by_couvreur(&automaton), by_magic(&automaton)] {
            assert_eq!(word.is_some(), expected, "round {round}");
            let Some(word) = word else { continue };
            assert!(is_accepted(&automaton, &word), "round {round}: {word:?}, {counts:?}");
        }
        nonempty += usize::from(expected);
    }
    assert!((1_500..4_500).contains(&nonempty), "{nonempty}");
}

/// Fairness as marks: the product with a fair system has as many states as that with the system,
/// and more marks.
#[test]
fn fairness_of_a_system_is_marks() {
    let mut store = Store::new();
    let p = store.proposition("p");
    let manager = Manager::new(Capacity::small(8)).expect("a small manager");
    // The system stays where it is or goes to the other of two states; fairness wants the other
    // again and again.
    let system = |fair: bool| {
        let label = |positive| manager.literal(Variable(0), positive).expect("room");
        let mut system = Tgba::new(manager.clone(), vec![p], usize::from(fair));
        let states = [system.add_state(), system.add_state()];
        system.add_initial(states[0]);
        for (from, to) in [(0, 0), (0, 1), (1, 0)] {
            let marks: Marks = (fair && from != to).then_some(0).into_iter().collect();
            system.add_transition(states[from], states[to], label(from == 1), marks);
        }
        system
    };
    // Does a run never see `p`?
    let never = parse(&mut store, "G !p", Dialect::Kermode.into()).expect("a formula").formula;
    let tableau = Tableau::new(&mut store, never, Construction::PLAIN).expect("no past");
    let property: Result<Tgba, Stop> = to_tgba_in(tableau, manager.clone(), &mut || Ok(()));
    let property = property.expect("room");
    let product = |fair| {
        let both: Result<Tgba, Stop> = intersection(&system(fair), &property, &mut || Ok(()));
        both.expect("room")
    };
    let [unfair, fair] = [product(false), product(true)];
    assert_eq!((unfair.state_count(), unfair.mark_count()), (fair.state_count(), 0));
    assert_eq!(fair.mark_count(), 1);
    assert!(by_couvreur(&unfair).0.is_some() && by_couvreur(&fair).0.is_none());
}

/// Formulas in one manager.
struct Judge {
    manager: Manager,
    antichain: EngineSpec,
}

impl Judge {
    fn new() -> Judge {
        let capacity = Capacity { variables: 128, nodes: 1 << 18, cache: 1 << 14 };
        let antichain = "antichain:forward".parse().expect("an engine");
        Judge { manager: Manager::new(capacity).expect("room"), antichain }
    }

    fn judge(&self, store: &mut Store, formula: Formula, round: usize) {
        let form = FORMS[round % FORMS.len()];
        let problem = Problem::satisfiability(store, formula, WordKind::Infinite);
        let expected = is_nonempty(&problem, &self.antichain);
        let tableau = Tableau::new(store, formula, form).expect("neither past nor bounds");
        for nested in [false, true] {
            let mut interrupt = || Ok::<(), Stop>(());
            let space = Couvreur::new(tableau.clone(), self.manager.clone(), &mut interrupt);
            let word = if nested { by_magic(space).0 } else { by_couvreur(space).0 };
            let shown = || write(store, formula, Dialect::Kermode.into());
            assert_eq!(word.is_some(), expected, "{form:?}: {:?}", shown());
            assert!(word.is_none_or(|word| satisfies(store, formula, &word)), "{:?}", shown());
        }
    }
}

const FORMS: [Construction; 7] = [
    Construction::PLAIN,
    Construction::MERGED,
    Construction::RECURRENCE,
    Construction::SMALL,
    Construction { steps: StepSelection::Cover, ..Construction::PLAIN },
    Construction { steps: StepSelection::Least, ..Construction::PLAIN },
    Construction { steps: StepSelection::Least, ..Construction::SMALL },
];

fn judge_small(unary: &[UnaryOp], binary: &[BinaryOp], size: usize) {
    let mut store = Store::new();
    let propositions = ["a", "b"].map(|name| store.proposition(name));
    let by_size = all_formulas(&mut store, &propositions, unary, binary, size);
    let judge = Judge::new();
    for (round, formula) in by_size.into_iter().flatten().enumerate() {
        let (mut store, formulas) = store.extract(&[formula]);
        judge.judge(&mut store, formulas[0], round);
    }
}

#[test]
fn all_small_formulas_of_next_and_until() {
    judge_small(&[UnaryOp::Not, UnaryOp::Next], &[BinaryOp::And, BinaryOp::Until], 7);
}

#[test]
fn all_small_formulas_of_all_operators() {
    let unary = [UnaryOp::Not, UnaryOp::Next, UnaryOp::Finally, UnaryOp::Globally];
    let binary = [BinaryOp::And, BinaryOp::Or, BinaryOp::Until, BinaryOp::Release];
    judge_small(&unary, &binary, 6);
}

const VARIANTS: [&str; 5] = [
    "tgba:couvreur",
    "tgba:couvreur:rules=none",
    "tgba:couvreur:nodes=plain:steps=primes:rules=none",
    "tgba:couvreur:nodes=merged:steps=cover:rules=none",
    "tgba:magic:nodes=gf:steps=primes:rules=none",
];

#[test]
fn random_formulas_with_everything() {
    let mut rng = Rng::new(1999);
    let engines = VARIANTS.map(|name| name.parse::<EngineSpec>().expect("an engine"));
    for round in 0..20_000 {
        let mut store = Store::new();
        let (formula, words) = random_formula(&mut store, &mut rng, round);
        let engine = round / 8 % engines.len();
        compare(&store, formula, words, &engines[engine..=engine]);
    }
}

/// A word is accepted if its product with the construction is not empty, where each node goes on
/// with one letter.
#[test]
fn membership_on_the_fly() {
    let mut store = Store::new();
    let propositions = ["a", "b", "c"].map(|name| store.proposition(name));
    let (judge, mut rng) = (Judge::new(), Rng::new(24));
    let mut seen = [0, 0];
    for round in 0..8_000 {
        let operators = Operators::future().with_constants();
        let (size, propositions) = (1 + round % 16, propositions.to_vec());
        let word = random_word(&mut rng, &propositions, WordKind::Infinite, 3, 3);
        let formula = RandomFormula { size, propositions, operators }.draw(&mut store, &mut rng);
        let form = FORMS[round % FORMS.len()];
        let tableau = Tableau::new(&mut store, formula, form).expect("no past");
        let mut interrupt = || Ok::<(), Stop>(());
        let space = Couvreur::new(tableau, judge.manager.clone(), &mut interrupt);
        let found = by_couvreur(Along::new(space, &word)).0;
        let expected = satisfies(&store, formula, &word);
        let shown = || write(&store, formula, Dialect::Kermode.into());
        assert_eq!(found.is_some(), expected, "{:?} on {word:?}", shown());
        assert!(found.is_none_or(|found| found.shortened() == word.shortened()));
        seen[usize::from(expected)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 2_000), "{seen:?}");
}

#[test]
fn random_alternating_automata() {
    let engines =
        ["tgba:couvreur", "tgba:magic"].map(|name| name.parse::<EngineSpec>().expect("an engine"));
    compare_on_automata(84, 3_000, &[None, Some(2), Some(1)], &engines);
}

fn conjunction(n: usize, rest: &str) -> String {
    let finally: Vec<String> = (0..n).map(|i| format!("F p{i}")).collect();
    format!("{}{rest}", finally.join(" & "))
}

/// States and transitions that an engine touches, and whether it finds a word.
fn touched(text: &str, engine: &str) -> (bool, u64, u64) {
    let mut store = Store::new();
    let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
    let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
    let engine: EngineSpec = engine.parse().expect("an engine");
    let budget = Budget::unlimited();
    let mut observer = Silent::default();
    let verdict = decide(&problem, &engine, &budget, &mut observer);
    let count = |name| observer.statistics.iter().find(|(known, _)| *known == name);
    let [states, transitions] =
        ["states_met", "transitions_touched"].map(|name| count(name).expect("a statistic").1);
    let found = matches!(verdict, Ok(Verdict::Nonempty(Ok(Witness::Word(_)))));
    (found, states, transitions)
}

/// The automaton of `/\_{i<=25} F p_i` has `2^25` nodes and its first node as many steps. What is
/// put off least comes first: all are fulfilled at once, and the empty node loops.
#[test]
fn what_is_not_needed_is_not_made() {
    let text = conjunction(25, "");
    for options in ["steps=primes", "nodes=plain:steps=primes", "steps=least"] {
        let engine = format!("tgba:couvreur:{options}:rules=none");
        assert_eq!(touched(&text, &engine), (true, 2, 2), "{engine}");
    }
    let (found, states, transitions) = touched(&text, "tgba:magic:steps=primes:rules=none");
    assert!(found && states <= 1_000 && transitions <= 10_000, "{states}, {transitions}");
}

/// `/\_{i<10} F p_i & G !p_0`: `F p_0` is put off for ever. A node has `G !p_0`, `F p_0` and any of
/// the other nine; a step fulfils any of those it has. That is `2^9 = 512` nodes, and those with
/// `k` of the nine, `C(9, k)` of them, have `2^k` steps each: `3^9 = 19,683`. The first node is one
/// of them if nodes are merged, that with all nine, and one of its own with `2^9` steps if they are
/// not. No component accepts, so all is touched.
#[test]
fn what_is_needed_is_made_once() {
    let text = conjunction(10, " & G !p0");
    let touched = |options| touched(&text, &format!("tgba:couvreur:{options}:rules=none"));
    assert_eq!(touched("nodes=merged:steps=primes"), (false, 512, 19_683));
    assert_eq!(touched("nodes=plain:steps=primes"), (false, 512 + 1, 19_683 + 512));
    // The least step fulfils all nine at once and comes to `{G !p_0, F p_0}`, which loops.
    assert_eq!(touched("nodes=plain:steps=least"), (false, 2, 2));
}

#[test]
fn the_verdict_stands_if_the_budget_ends_before_the_word_is_there() {
    let mut store = Store::new();
    let formula = parse(&mut store, "a U X b", Dialect::Kermode.into()).expect("a formula").formula;
    for (engine, words) in
        ["tgba:couvreur:rules=none", "tgba:magic:rules=none"].into_iter().zip(KINDS)
    {
        let engine: EngineSpec = engine.parse().expect("an engine");
        let problem = Problem::satisfiability(&store, formula, words);
        verdict_stands_without_word(&problem, &engine, "search_steps");
    }
}
