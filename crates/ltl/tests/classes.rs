//! The classes against their meaning: bad prefixes by the tableau, limits of words by evaluation,
//! stuttering by repeating letters, and the table of textbook examples.

use std::convert::Infallible;

use kermode_base::Rng;
use kermode_ltl::dialect::{parse, write};
use kermode_ltl::normal::negation_normal_form;
use kermode_ltl::random::{Operators, RandomFormula, all_formulas, random_word};
use kermode_ltl::reference::tableau;
use kermode_ltl::semantics::holds;
use kermode_ltl::{
    BinaryOp, Class, Classes, Dialect, Formula, Letter, Proposition, Store, Syntax, UnaryOp, Word,
    WordKind,
};

fn show(store: &Store, formula: Formula) -> String {
    write(store, formula, Dialect::Kermode.into()).expect("plain names")
}

fn read(store: &mut Store, text: &str, words: WordKind) -> Formula {
    parse(store, text, Syntax { dialect: Dialect::Kermode, words }).expect("a formula").formula
}

/// The letters of each class of the hierarchy, in the order of [`Class::ALL`].
fn hierarchy(classes: Classes) -> String {
    let letters = Class::ALL.into_iter().zip("SGOPR".chars());
    letters.filter(|&(class, _)| classes.contains(class)).map(|(_, letter)| letter).collect()
}

#[test]
fn textbook_examples_on_infinite_words() {
    let cases = [
        ("a & X b", "SGOPR"),
        ("G a", "SOPR"),
        ("F a", "GOPR"),
        ("a U b", "GOPR"),
        ("a M b", "GOPR"),
        ("a W b", "SOPR"),
        ("a R b", "SOPR"),
        ("!(a U b)", "SOPR"),
        ("G (a -> O b)", "SOPR"),
        ("F (a & H b)", "GOPR"),
        ("G (a -> F[0,3] b)", "SOPR"),
        ("F a -> F b", "OPR"),
        ("F a <-> F b", "OPR"),
        ("(G a) U b", "OPR"),
        ("(F a) W b", "R"),
        ("G a W F b", "OPR"),
        ("a M G b", "OPR"),
        ("F a R G b", "OPR"),
        ("G F a", "R"),
        ("F G a", "P"),
        ("!G F a", "P"),
        ("G (a -> F b)", "R"),
        ("G F (a & Y b)", "R"),
        ("F a M G b", "OPR"),
        ("a M G F b", "R"),
        ("(G F a) U b", "R"),
        ("a U G b", "P"),
        ("a W F G b", "P"),
        ("G F a & F G b", ""),
        ("G F a -> G F b", ""),
    ];
    for (text, expected) in cases {
        let mut store = Store::new();
        let formula = read(&mut store, text, WordKind::Infinite);
        let classes = Classes::of(&store, formula, WordKind::Infinite);
        assert_eq!(hierarchy(classes), expected, "{text}");
    }
}

#[test]
fn textbook_examples_on_finite_words() {
    let cases = [
        ("a & Y b", "SGOPR"),
        ("X a", "GOPR"),
        ("N a", "SOPR"),
        ("X N a", "OPR"),
        ("G N a", "SOPR"),
        ("F X a", "GOPR"),
        ("G X a", ""),
        ("G F a", ""),
        ("F (a & N false)", ""),
        ("F[0,2] a", "GOPR"),
        ("G[0,2] a", "SOPR"),
        ("F a -> G b", "SOPR"),
        ("F a & G b", "OPR"),
        ("(G a) U b", ""),
    ];
    for (text, expected) in cases {
        let mut store = Store::new();
        let formula = read(&mut store, text, WordKind::Finite);
        let classes = Classes::of(&store, formula, WordKind::Finite);
        assert_eq!(hierarchy(classes), expected, "{text}");
    }
}

#[test]
fn what_moments_operators_see() {
    let cases = [
        ("a U (b S !c)", "stutter-invariant"),
        ("O a & (a T H b)", "stutter-invariant, pure past"),
        ("G (a -> F b)", "stutter-invariant, pure future"),
        ("a -> b", "stutter-invariant, pure past, pure future"),
        ("F[0,0] a", "stutter-invariant, pure past, pure future"),
        ("X a", "pure future"),
        ("G[0,1] a", "pure future"),
        ("Y a", "pure past"),
        ("O[1,1] a & Z a", "pure past"),
    ];
    for (text, expected) in cases {
        let mut store = Store::new();
        let formula = read(&mut store, text, WordKind::Infinite);
        let classes = Classes::of(&store, formula, WordKind::Infinite);
        assert!(classes.to_string().ends_with(expected), "{text}: {classes}");
        let stutters = expected.starts_with("stutter");
        assert_eq!(classes.contains(Class::StutterInvariant), stutters, "{text}");
    }
    let mut store = Store::new();
    let formula = read(&mut store, "X G F Y (a <-> G b)", WordKind::Infinite);
    assert_eq!(Classes::of(&store, formula, WordKind::Infinite).to_string(), "none");
}

/// Formulas with every operator over two propositions, and their store.
fn random_formula(rng: &mut Rng, largest: usize) -> (Store, Formula, Vec<Proposition>) {
    let mut store = Store::new();
    let propositions = vec![store.proposition("a"), store.proposition("b")];
    let operators =
        Operators::future().with_weak_next().with_constants().with_past().with_bounds(2);
    let size = rng.between(2, largest);
    let shape = RandomFormula { size, propositions: propositions.clone(), operators };
    let formula = shape.draw(&mut store, rng);
    (store, formula, propositions)
}

/// Negation normal form changes no class of the hierarchy.
#[test]
fn negations_may_stand_anywhere() {
    let mut rng = Rng::new(41);
    for _ in 0..5_000 {
        let (mut store, formula, _) = random_formula(&mut rng, 15);
        for words in [WordKind::Infinite, WordKind::Finite] {
            let normal = negation_normal_form(&mut store, formula, words);
            let (before, after) =
                (Classes::of(&store, formula, words), Classes::of(&store, normal, words));
            assert_eq!(before, after, "{}", show(&store, formula));
        }
    }
}

/// "The word begins with these letters and satisfies the formula."
fn after_prefix(
    store: &mut Store,
    formula: Formula,
    letters: &[Letter],
    propositions: &[Proposition],
) -> Formula {
    let mut prefix = store.constant(true);
    for letter in letters.iter().rev() {
        prefix = store.unary(UnaryOp::Next, prefix);
        for &p in propositions {
            let atom = store.atom(p);
            let literal = if letter.contains(p) { atom } else { store.not(atom) };
            prefix = store.and(literal, prefix);
        }
    }
    store.and(prefix, formula)
}

fn satisfiable(store: &Store, formula: Formula) -> Option<Word> {
    let never = &mut || Ok::<(), Infallible>(());
    tableau(store, formula, WordKind::Infinite, never).expect("a small formula")
}

/// Whether no word that begins like this lasso satisfies the formula.
fn has_bad_prefix(
    store: &mut Store,
    formula: Formula,
    word: &Word,
    propositions: &[Proposition],
) -> bool {
    let unrolled = word.unrolled(2 / word.cycle().len() + 1);
    let begins = after_prefix(store, formula, unrolled.letters(), propositions);
    satisfiable(store, begins).is_none()
}

/// Each violation of safety, and each fulfilment of a guarantee, is sealed by a prefix: on the
/// tableau's word and on random ones.
fn check_prefixes(
    store: &mut Store,
    formula: Formula,
    propositions: &[Proposition],
    rng: &mut Rng,
) -> usize {
    let classes = Classes::of(store, formula, WordKind::Infinite);
    let negation = store.not(formula);
    let mut checked = 0;
    for (class, refuted) in [(Class::Safety, formula), (Class::Guarantee, negation)] {
        if !classes.contains(class) {
            continue;
        }
        let opposite = store.not(refuted);
        let mut words: Vec<Word> = satisfiable(store, opposite).into_iter().collect();
        words.push(random_word(rng, propositions, WordKind::Infinite, 2, 2));
        words.retain(|word| !holds(store, refuted, word));
        for word in words {
            let bad = has_bad_prefix(store, refuted, &word, propositions);
            assert!(bad, "{class:?} {} {word:?}", show(store, formula));
            checked += 1;
        }
    }
    checked
}

/// All formulas of up to 4 nodes with each operator.
fn small_formulas() -> (Store, Vec<Formula>, [Proposition; 2]) {
    let mut store = Store::new();
    let propositions = ["a", "b"].map(|name| store.proposition(name));
    let formulas = all_formulas(&mut store, &propositions[..1], &UnaryOp::ALL, &BinaryOp::ALL, 4);
    (store, formulas.into_iter().flatten().collect(), propositions)
}

#[test]
fn safety_and_guarantee_are_sealed_by_prefixes() {
    let mut rng = Rng::new(42);
    let (mut store, formulas, propositions) = small_formulas();
    let mut checked = 0;
    for formula in formulas {
        checked += check_prefixes(&mut store, formula, &propositions[..1], &mut rng);
    }
    for _ in 0..500 {
        let (mut store, formula, propositions) = random_formula(&mut rng, 6);
        checked += check_prefixes(&mut store, formula, &propositions, &mut rng);
    }
    assert!(checked > 1_000, "{checked}");
}

/// How often parts are repeated: more often than automata of formulas this small can count.
const OFTEN: usize = 5;

fn repeat(letters: &[Letter], times: usize) -> Vec<Letter> {
    vec![letters; times].concat()
}

/// Words `u (x^k y)^n x^w` and their limit `u (x^k y)^w`.
struct Limit {
    steps: Vec<Word>,
    limit: Word,
}

impl Limit {
    fn draw(rng: &mut Rng, propositions: &[Proposition]) -> Self {
        let mut part = || random_word(rng, propositions, WordKind::Finite, 1, 1).letters().to_vec();
        let (u, x, y) = (part(), part(), part());
        let round = [repeat(&x, OFTEN), y].concat();
        let step = |n| Word::lasso([u.clone(), repeat(&round, n)].concat(), x.clone());
        Limit { steps: (0..OFTEN).map(step).collect(), limit: Word::lasso(u.clone(), round) }
    }
}

/// Recurrence is kept by limits ([Lan69]): if all steps satisfy it because of what comes again and
/// again in `x^w`, that comes again and again in the limit. Persistence is the dual.
#[test]
fn recurrence_and_persistence_respect_limits() {
    let mut rng = Rng::new(43);
    let (mut said, mut told_apart) = (0, 0);
    let mut check = |store: &Store, formula, propositions: &[Proposition], rng: &mut Rng| {
        let classes = Classes::of(store, formula, WordKind::Infinite);
        for _ in 0..8 {
            let words = Limit::draw(rng, propositions);
            let at_limit = holds(store, formula, &words.limit);
            let mut steps = words.steps.iter().map(|word| holds(store, formula, word));
            // What all steps say and the limit denies.
            let Some(lost) = steps.next().filter(|&first| first != at_limit) else { continue };
            if !steps.all(|value| value == lost) {
                continue;
            }
            let class = if lost { Class::Recurrence } else { Class::Persistence };
            assert!(!classes.contains(class), "{class:?} {}", show(store, formula));
            told_apart += 1;
        }
        said += usize::from(
            classes.contains(Class::Recurrence) != classes.contains(Class::Persistence),
        );
    };
    let (store, formulas, propositions) = small_formulas();
    for formula in formulas {
        check(&store, formula, &propositions[..1], &mut rng);
    }
    for _ in 0..6_000 {
        let (store, formula, propositions) = random_formula(&mut rng, 9);
        check(&store, formula, &propositions, &mut rng);
    }
    assert!(said > 300 && told_apart > 150, "{said} {told_apart}");
}

/// The word with each stored letter repeated.
fn stuttered(rng: &mut Rng, word: &Word) -> Word {
    let mut repeat = |letters: &[Letter]| -> Vec<Letter> {
        letters.iter().flat_map(|letter| vec![letter.clone(); rng.between(1, 3)]).collect()
    };
    let (prefix, cycle) = (repeat(word.prefix()), repeat(word.cycle()));
    match word.kind() {
        WordKind::Infinite => Word::lasso(prefix, cycle),
        WordKind::Finite => Word::finite(prefix),
    }
}

#[test]
fn repeating_letters_does_not_change_stutter_invariant_formulas() {
    let mut rng = Rng::new(44);
    let (mut invariant, mut others) = (0, 0);
    for round in 0..20_000 {
        let (store, formula, propositions) = random_formula(&mut rng, 8);
        let words = [WordKind::Infinite, WordKind::Finite][round % 2];
        let word = random_word(&mut rng, &propositions, words, 3, 3);
        let same =
            holds(&store, formula, &word) == holds(&store, formula, &stuttered(&mut rng, &word));
        let said = Classes::of(&store, formula, words).contains(Class::StutterInvariant);
        assert!(same || !said, "{} {word:?}", show(&store, formula));
        invariant += usize::from(said);
        others += usize::from(!same);
    }
    assert!(invariant > 2_000 && others > 1_000, "{invariant} {others}");
}

/// On finite words prefixes preserve safety, continuations preserve guarantees, and the value of an
/// obligation changes along a word at most as often as it has subformulas.
#[test]
fn classes_on_finite_words() {
    let mut rng = Rng::new(45);
    let mut often_changing = 0;
    for _ in 0..10_000 {
        let (store, formula, propositions) = random_formula(&mut rng, 6);
        let classes = Classes::of(&store, formula, WordKind::Finite);
        let letters = Limit::draw(&mut rng, &propositions).limit.unrolled(2).letters().to_vec();
        let prefix = |end: usize| Word::finite(letters[..end].to_vec());
        let values: Vec<bool> =
            (1..=letters.len()).map(|end| holds(&store, formula, &prefix(end))).collect();
        let about = || (show(&store, formula), classes, &values);
        assert!(
            !classes.contains(Class::Safety) || values.is_sorted_by_key(|&v| !v),
            "{:?}",
            about()
        );
        assert!(!classes.contains(Class::Guarantee) || values.is_sorted(), "{:?}", about());
        let changes = values.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let many = changes > store.subformulas(formula).len();
        assert!(!classes.contains(Class::Obligation) || !many, "{:?}", about());
        often_changing += usize::from(many);
    }
    assert!(often_changing > 20, "{often_changing}");
}

#[test]
fn a_million_operators() {
    let mut store = Store::new();
    let text = format!("{}a", "! X (b U O ".repeat(250_000)) + &")".repeat(250_000);
    let formula = read(&mut store, &text, WordKind::Infinite);
    for words in [WordKind::Infinite, WordKind::Finite] {
        assert_eq!(Classes::of(&store, formula, words).to_string(), "none");
    }
}
