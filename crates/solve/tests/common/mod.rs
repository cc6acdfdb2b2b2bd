//! What tests of engines share: questions to engines, and the oracle's answers.

#![allow(dead_code, unreachable_pub)]

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use kermode_automata::Difference;
use kermode_automata::explicit::Explicit;
use kermode_automata::random::RandomAutomaton;
use kermode_automata::space::Space;
use kermode_automata::tgba::{Components, Tgba, accepts, reachable};
use kermode_base::Rng;
use kermode_ltl::dialect::Dialect;
use kermode_ltl::random::{Operators, RandomFormula};
use kermode_ltl::reference::tableau;
use kermode_ltl::{Formula, Store, Word, WordKind, semantics};
use kermode_solve::search::{Levels, SearchCounts, Traversal, couvreur, magic};
use kermode_solve::{
    Budget, Cancellation, EngineSpec, LeftOut, Limits, Observer, Problem, Silent, Stop, Verdict,
    Witness, decide,
};

pub const KINDS: [WordKind; 2] = [WordKind::Infinite, WordKind::Finite];

/// Whether there is a word; one that is shown was replayed.
pub fn is_nonempty(problem: &Problem, engine: &EngineSpec) -> bool {
    let budget = Budget::unlimited();
    match decide(problem, engine, &budget, &mut Silent::default()) {
        Ok(Verdict::Nonempty(Ok(Witness::Word(_)))) => true,
        Ok(Verdict::Empty(_)) => false,
        other => panic!("{engine}: {other:?}"),
    }
}

/// Whether an automaton accepts a word.
pub fn is_accepted(automaton: &Tgba, word: &Word) -> bool {
    let Ok(accepted) = accepts(automaton, word, &mut || Ok::<(), Infallible>(()));
    accepted
}

/// Whether an automaton accepts some word, by its components, without any search.
pub fn has_accepting_component(automaton: &Tgba) -> bool {
    let (components, reached) = (Components::of(automaton), reachable(automaton));
    let accepting = |state| components.is_accepting(components.component(state));
    automaton.states().any(|state| reached[state.index()] && accepting(state))
}

/// Whether a word satisfies a formula.
pub fn satisfies(store: &Store, formula: Formula, word: &Word) -> bool {
    let Ok(holds) = semantics::satisfies(store, formula, word, &mut || Ok::<(), Infallible>(()));
    holds
}

pub fn expected(store: &Store, formula: Formula, words: WordKind) -> Option<bool> {
    let word = tableau(store, formula, words, &mut || Ok::<(), Infallible>(()));
    word.ok().map(|word| word.is_some())
}

/// Each engine agrees with the oracle. The formula gets a store of its own, because engines copy
/// the store.
pub fn compare(store: &Store, formula: Formula, words: WordKind, engines: &[EngineSpec]) {
    let (store, formulas) = store.extract(&[formula]);
    let formula = formulas[0];
    let Some(expected) = expected(&store, formula, words) else { return };
    let problem = Problem::satisfiability(&store, formula, words);
    for engine in engines {
        let shown = || kermode_ltl::dialect::write(&store, formula, Dialect::Kermode.into());
        assert_eq!(is_nonempty(&problem, engine), expected, "{engine}, {words:?}: {:?}", shown());
    }
}

/// How many automata that were drawn are weak by construction, and how many accept a word.
pub struct Drawn {
    pub weak: usize,
    pub nonempty: usize,
}

/// Each engine agrees with brute force on random alternating automata; `groups` are the sizes of
/// their components.
pub fn compare_on_automata(
    seed: u64,
    rounds: usize,
    groups: &[Option<usize>],
    engines: &[EngineSpec],
) -> Drawn {
    let mut rng = Rng::new(seed);
    let mut drawn = Drawn { weak: 0, nonempty: 0 };
    for round in 0..rounds {
        let mut store = Store::new();
        let names = &["a", "b"][..1 + round % 2];
        let propositions = names.iter().map(|name| store.proposition(name)).collect();
        let (locations, words) = (1 + round % 4, KINDS[round / 4 % 2]);
        let group = groups[round / 2 % groups.len()];
        let automaton =
            RandomAutomaton { words, propositions, locations, leaves: 6, group }.draw(&mut rng);
        let explicit = Explicit::new(&automaton).expect("a small automaton");
        let expected = explicit.word().is_some();
        let automata = Difference::of(automaton);
        let problem = Problem::emptiness(&store, &automata);
        for engine in engines {
            assert_eq!(is_nonempty(&problem, engine), expected, "{engine}, round {round}");
        }
        drawn.weak += usize::from(group.is_some());
        drawn.nonempty += usize::from(expected);
    }
    drawn
}

/// The formula of a round, with everything that formulas may have, and the kind of its words.
pub fn random_formula(store: &mut Store, rng: &mut Rng, round: usize) -> (Formula, WordKind) {
    let names = &["a", "b", "c"][..1 + round % 3];
    let propositions = names.iter().map(|name| store.proposition(name)).collect();
    let operators = match round % 4 {
        0 | 1 => Operators::future(),
        2 => Operators::future().with_weak_next().with_bounds(2),
        _ => Operators::future().with_weak_next().with_past().with_bounds(2),
    };
    let random = RandomFormula { size: 1 + round % 14, propositions, operators };
    (random.draw(store, rng), KINDS[round / 4 % 2])
}

/// Shares cases out to as many threads as there are cores. Every thread walks through all cases,
/// and does those for which its argument says so: each case is for the first thread that is free.
/// Returns how many were done.
pub fn share_out(walk: impl Fn(&mut dyn FnMut() -> bool) + Sync) -> usize {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let walk_as_one_of_many = || {
        let (mut case, mut mine) = (0, None);
        walk(&mut || {
            let place = *mine.get_or_insert_with(|| next.fetch_add(1, Ordering::Relaxed));
            let is_mine = place == case;
            if is_mine {
                mine = None;
                done.fetch_add(1, Ordering::Relaxed);
            }
            case += 1;
            is_mine
        });
    };
    thread::scope(|scope| {
        (0..threads).for_each(|_| drop(scope.spawn(walk_as_one_of_many)));
    });
    done.into_inner()
}

/// A search of some space: the word that it finds, and what it counts.
pub type Found = (Option<Word>, SearchCounts);

pub fn by_couvreur<S: Space>(space: S) -> Found
where
    Stop: From<S::Stop>,
{
    let (budget, mut counts, mut silent) =
        (Budget::unlimited(), SearchCounts::default(), Silent::default());
    let mut traversal = Traversal::new(space, &budget, &mut silent, &mut counts);
    let component = couvreur(&mut traversal).expect("no stop");
    let word = component.map(|component| traversal.word(&component).expect("no stop"));
    (word, counts)
}

pub fn by_magic<S: Space>(space: S) -> Found
where
    Stop: From<S::Stop>,
{
    let (budget, mut counts, mut silent) =
        (Budget::unlimited(), SearchCounts::default(), Silent::default());
    let mut traversal = Traversal::of_levels(Levels::new(space), &budget, &mut silent, &mut counts);
    let cycle = magic(&mut traversal).expect("no stop");
    let word = cycle.map(|cycle| traversal.word(&cycle).expect("no stop"));
    (word, counts)
}

/// Cancels the work when a statistic is reported.
struct CancelsAt(&'static str, Cancellation);

impl Observer for CancelsAt {
    fn statistic(&mut self, name: &'static str, _value: u64) {
        if name == self.0 {
            self.1.cancel();
        }
    }

    fn progress(&mut self, _describe: &dyn Fn() -> String) {}
}

/// A problem is satisfiable even if the work ends when the search is over, which a statistic tells,
/// and the letters of its word are still to be found.
pub fn verdict_stands_without_word(problem: &Problem, engine: &EngineSpec, told: &'static str) {
    let cancellation = Cancellation::new();
    let budget = Budget::new(Limits::default(), cancellation.clone());
    let mut observer = CancelsAt(told, cancellation);
    let verdict = decide(problem, engine, &budget, &mut observer);
    let left_out = Err(LeftOut::Stopped(Stop::Cancelled));
    assert_eq!(verdict.expect("no internal error"), Verdict::Nonempty(left_out), "{engine}");
}
