//! Couvreur's construction: the sizes that the paper prints, and membership of words against the
//! semantics.

use std::convert::Infallible;
use std::error::Error;

use kermode_automata::Untranslatable;
use kermode_automata::couvreur::{
    Construction, Couvreur, StepSelection, Tableau, to_tgba, to_tgba_in,
};
use kermode_automata::on_letter::{LetterKnowledge, OnLetter};
use kermode_automata::space::Space;
use kermode_automata::tgba::{State, Tgba, Transition, accepts};
use kermode_base::Rng;
use kermode_bdd::{Capacity, Manager};
use kermode_ltl::dialect::{Dialect, parse, write};
use kermode_ltl::random::{Operators, RandomFormula, all_formulas, random_word};
use kermode_ltl::{BinaryOp, Formula, Letter, Store, UnaryOp, Word, WordKind, semantics};

type Failed = Box<dyn Error>;

fn go_on() -> Result<(), Failed> {
    Ok(())
}

fn read(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).expect("a formula").formula
}

/// Nodes and transitions.
fn size(text: &str, construction: Construction) -> (usize, usize) {
    let mut store = Store::new();
    let formula = read(&mut store, text);
    let automaton = to_tgba(&mut store, formula, construction, &mut go_on).expect("an automaton");
    (automaton.state_count(), automaton.transitions().count())
}

/// Table 1, with the number of marks. The paper prints 3 nodes and 6 transitions for `!((pU(qUs))`,
/// a misprint: these are the sizes of `!((p U q) U s)`.
#[test]
fn table_one() {
    for (text, marks, expected) in [
        ("p U q", 1, (2, 3)),
        ("p U (q U s)", 2, (3, 6)),
        ("!(p U (q U s))", 0, (4, 11)),
        ("!((p U q) U s)", 0, (3, 6)),
        ("G F p -> G F q", 2, (5, 11)),
        ("(F p) U (G q)", 2, (4, 10)),
        ("(G p) U q", 1, (4, 6)),
        ("!(F F p <-> F p)", 2, (3, 5)),
    ] {
        let mut store = Store::new();
        let formula = read(&mut store, text);
        let plain = to_tgba(&mut store, formula, Construction::PLAIN, &mut go_on).expect("small");
        let size = (plain.state_count(), plain.transitions().count());
        assert_eq!((plain.mark_count(), size), (marks, expected), "{text}");
    }
}

#[test]
fn table_two() {
    for (text, expected) in [
        ("G F p -> G F q", (4, 9)),
        ("!(F F p <-> F p)", (2, 3)),
        // What the paper does not print.
        ("!(p U (q U s))", (3, 7)),
        ("p U q", (2, 3)),
        ("p U (q U s)", (3, 6)),
        ("!((p U q) U s)", (3, 6)),
        ("(F p) U (G q)", (4, 10)),
        ("(G p) U q", (4, 6)),
    ] {
        assert_eq!(size(text, Construction::MERGED), expected, "{text}");
    }
}

/// Examples 1 and 2 of the paper, transition by transition.
#[test]
fn the_examples_of_the_paper() {
    let edges = |text: &str| {
        let mut store = Store::new();
        let formula = read(&mut store, text);
        let automaton =
            to_tgba(&mut store, formula, Construction::PLAIN, &mut go_on).expect("small");
        let edge = |(source, t): (State, &Transition)| {
            let name = |state| automaton.name(state).expect("nodes have names").to_owned();
            let cube = t.label.pick_cube().expect("no label is false");
            (name(source), cube.literals().len(), t.marks.iter().collect(), name(t.target))
        };
        automaton.transitions().map(edge).collect::<Vec<(String, usize, Vec<usize>, String)>>()
    };
    let [f, g] = ["{p U q U s}", "{q U s}"];
    let expected = [
        (f, 1, vec![0, 1], "{}"),
        (f, 1, vec![0], g),
        (f, 1, vec![1], f),
        ("{}", 0, vec![0, 1], "{}"),
        (g, 1, vec![0, 1], "{}"),
        (g, 1, vec![0], g),
    ];
    let expected = expected.map(|(a, l, m, b)| (a.to_owned(), l, m, b.to_owned()));
    assert_eq!(edges("p U (q U s)"), expected);
    let [f, both] = ["{G X F p}", "{G X F p, F p}"];
    let expected = [(f, 0, vec![0], both), (both, 1, vec![0], both), (both, 0, vec![], both)];
    let expected = expected.map(|(a, l, m, b)| (a.to_owned(), l, m, b.to_owned()));
    assert_eq!(edges("G X F p"), expected);
}

/// What `F` within fewer steps implies leaves the node, so that only the nearest deadline stays.
/// What a stronger demand postpones by itself leaves it as well, but not `F b` for `X F b`, which
/// would never be postponed.
#[test]
fn implied_demands_leave_nodes() {
    let bounded = |bound: usize| {
        let within = (0..bound).fold("b".to_owned(), |within, _| format!("(b | X {within})"));
        format!("G(a -> {within})")
    };
    assert_eq!(size(&bounded(5), Construction::MERGED).0, 17);
    let implied = Construction { implied: true, ..Construction::PLAIN };
    for bound in [5, 14, 100] {
        assert_eq!(size(&bounded(bound), Construction::SMALL).0, bound + 1);
    }
    let goals = "F a & X(F(a & b) & F b)";
    assert!(size(goals, implied).0 < size(goals, Construction::PLAIN).0);
    assert_eq!(size("G X X F b", implied), size("G X X F b", Construction::PLAIN));
}

/// With merged nodes there is one node, and with both improvements; the identity alone leaves the
/// conjunction as a node of its own. Without any, a node remembers which of the `F p_i` were put
/// off.
#[test]
fn fairness_is_one_node() {
    for n in 2..=6 {
        let conjuncts: Vec<String> = (0..n).map(|i| format!("G F p{i}")).collect();
        let text = conjuncts.join(" & ");
        assert_eq!(size(&text, Construction::MERGED), (1, 1 << n));
        assert_eq!(size(&text, Construction::SMALL), (1, 1 << n));
        assert_eq!(size(&text, Construction::RECURRENCE), (2, 2 << n));
        assert_eq!(size(&text, Construction::PLAIN).0, 1 + (1 << n));
    }
}

/// On a letter, of these `2^n` steps there is one.
#[test]
fn fairness_has_one_step_a_letter() {
    let mut store = Store::new();
    let conjuncts: Vec<String> = (0..40).map(|i| format!("G F p{i}")).collect();
    let formula = read(&mut store, &conjuncts.join(" & "));
    let construction = Construction { recurrence: true, ..Construction::MERGED };
    let tableau = Tableau::new(&mut store, formula, construction).expect("no past");
    let manager = Manager::new(Capacity::small(tableau.variable_count())).expect("small");
    let mut interrupt = go_on;
    let mut space = Couvreur::new(tableau, manager, &mut interrupt);
    let start = space.initial().expect("a node")[0];
    let propositions = space.propositions().to_vec();
    let letter: Letter = propositions.iter().copied().step_by(3).collect();
    let mut steps = space.steps_on(&start, &LetterKnowledge::Letter(letter)).expect("a function");
    let (step, implicant) = space.next_step(&mut steps).expect("a step").expect("a step");
    let label = space.label(&implicant);
    assert_eq!((step.to, step.marks.len(), label.literals().len()), (start, 14, 40));
    assert!(space.next_step(&mut steps).expect("no step").is_none());
}

const FORMS: [Construction; 6] = [
    Construction::PLAIN,
    Construction::MERGED,
    Construction::RECURRENCE,
    Construction::SMALL,
    Construction { steps: StepSelection::Cover, ..Construction::PLAIN },
    Construction { implied: true, ..Construction::PLAIN },
];

/// Automata in one manager, and words to try.
struct Judge {
    manager: Manager,
    words: Vec<Word>,
    /// How often a word was not accepted, and how often it was.
    seen: [usize; 2],
}

impl Judge {
    fn new(store: &mut Store, names: &[&str], words: usize, seed: u64) -> Judge {
        let propositions: Vec<_> = names.iter().map(|name| store.proposition(name)).collect();
        let mut rng = Rng::new(seed);
        let word = |_| random_word(&mut rng, &propositions, WordKind::Infinite, 3, 3);
        let words = (0..words).map(word).collect();
        let capacity = Capacity { variables: 64, nodes: 1 << 18, cache: 1 << 14 };
        Judge { manager: Manager::new(capacity).expect("room"), words, seen: [0, 0] }
    }

    fn automaton(&self, store: &mut Store, formula: Formula, form: Construction) -> Tgba {
        let tableau = Tableau::new(store, formula, form).expect("neither past nor bounds");
        to_tgba_in(tableau, self.manager.clone(), &mut go_on).expect("room")
    }

    /// Compares the automaton of a formula with the semantics.
    fn judge(&mut self, store: &mut Store, formula: Formula, form: Construction) {
        let automaton = self.automaton(store, formula, form);
        for word in &self.words {
            let accepted = accepts(&automaton, word, &mut go_on).expect("no interruption");
            let Ok(expected) =
                semantics::satisfies(store, formula, word, &mut || Ok::<(), Infallible>(()));
            let shown = || write(store, formula, Dialect::Kermode.into());
            assert_eq!(accepted, expected, "{form:?} of {:?} on {word:?}", shown());
            self.seen[usize::from(accepted)] += 1;
        }
    }

    /// All forms of a formula and, in one of them, its negation.
    fn judge_all(&mut self, store: &mut Store, formula: Formula, round: usize) {
        FORMS.into_iter().for_each(|form| self.judge(store, formula, form));
        let negated = store.unary(UnaryOp::Not, formula);
        self.judge(store, negated, FORMS[round % FORMS.len()]);
    }
}

fn judge_small(unary: &[UnaryOp], binary: &[BinaryOp], size: usize) {
    let mut store = Store::new();
    let mut judge = Judge::new(&mut store, &["a", "b"], 6, 7);
    let propositions = ["a", "b"].map(|name| store.proposition(name));
    let by_size = all_formulas(&mut store, &propositions, unary, binary, size);
    for (round, formula) in by_size.into_iter().flatten().enumerate() {
        judge.judge_all(&mut store, formula, round);
    }
    assert!(judge.seen.iter().all(|&count| count > 10_000), "{:?}", judge.seen);
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

#[test]
fn random_formulas() {
    let mut store = Store::new();
    let mut judge = Judge::new(&mut store, &["a", "b", "c"], 6, 99);
    let propositions = ["a", "b", "c"].map(|name| store.proposition(name));
    let mut rng = Rng::new(1999);
    for round in 0..20_000 {
        let propositions = propositions[..1 + round % 3].to_vec();
        let operators = Operators::future().with_weak_next().with_constants();
        let random = RandomFormula { size: 1 + round % 12, propositions, operators };
        let formula = random.draw(&mut store, &mut rng);
        judge.judge(&mut store, formula, FORMS[round % FORMS.len()]);
        let negated = store.unary(UnaryOp::Not, formula);
        judge.judge(&mut store, negated, FORMS[(round + 1) % FORMS.len()]);
    }
    assert!(judge.seen.iter().all(|&count| count > 10_000), "{:?}", judge.seen);
}

#[test]
fn what_looks_back_has_no_automaton() {
    let mut store = Store::new();
    let formula = read(&mut store, "G(a -> O b)");
    let error = Tableau::new(&mut store, formula, Construction::PLAIN).err();
    assert!(matches!(error, Some(Untranslatable::Past { .. })));
}
