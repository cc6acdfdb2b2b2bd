//! Decisions about subsets of the members, with as few calls of engines as possible.
//!
//! - A word that satisfies some members is evaluated on all of them. It then answers for every
//!   subset of the members that hold on it.
//! - Members without common propositions are independent on infinite words: each part is decided
//!   separately and once, and the words of the parts are joined. On finite words they are not,
//!   because they have the length of the word in common.
//! - A large subset is decided by growing parts of it: an engine finds a word for the part, local
//!   search ([`super::repair`]) makes it satisfy most other members, and members that it violates
//!   join the part, until the part is unsatisfiable or a word satisfies all \[CGJLV00\]. So engines
//!   see only the few members that are hard to satisfy together.
//!
//! Invariant: all members and assumptions that a [`Model`] claims hold on its word by the plain
//! semantics.

use std::rc::Rc;
use std::time::Duration;

use kermode_base::BitSet;
use kermode_ltl::semantics::{checked_length, satisfies};
use kermode_ltl::{Formula, Letter, Proposition, Store, Word, WordKind};
use rustc_hash::FxHashMap;

use super::repair::Repair;
use crate::frame::answer::{InternalError, Verdict};
use crate::frame::budget::{Budget, Limits, Stop};
use crate::frame::problem::Problem;
use crate::portfolio::Decided;

/// Answers a problem within a budget, by any engines.
pub type Decide<'d> = dyn FnMut(&Problem, &Budget) -> Decided + 'd;

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Interruption {
    Stop(Stop),
    Bug(InternalError),
}

impl From<Stop> for Interruption {
    fn from(stop: Stop) -> Self {
        Interruption::Stop(stop)
    }
}

impl From<InternalError> for Interruption {
    fn from(error: InternalError) -> Self {
        Interruption::Bug(error)
    }
}

/// Members that hold together.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) satisfied: BitSet,
    /// The word, unless it was left out.
    pub(super) word: Option<Rc<Word>>,
}

/// Whether the members of a subset hold together.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// The model with this number.
    Model(usize),
    /// An unsatisfiable subset of it.
    Conflict(BitSet),
}

/// What is known of members that are connected by propositions.
#[derive(Clone)]
enum Part {
    Satisfiable(Option<Rc<Word>>),
    Unsatisfiable,
}

/// Subsets of at most this size are decided at once.
const SMALL: usize = 16;
/// The number of violated members that join a part at once.
const MOST_ADDED: usize = 3;
/// The longest loop of joined words.
const LONGEST_LOOP: usize = 2_000;
/// The longest word that is evaluated on all members.
const LONGEST_WORD: usize = 100_000;
/// How long a part may take at first, and how often it is tried with twice the time before a larger
/// part is tried.
const PATIENCE: Duration = Duration::from_millis(500);
const TRIES: u32 = 2;

/// Decides subsets of the members.
pub(super) struct Oracle<'o> {
    pub(super) store: Store,
    pub(super) members: Vec<Formula>,
    pub(super) assumptions: Vec<Formula>,
    pub(super) words: WordKind,
    pub(super) budget: &'o Budget,
    decide: &'o mut Decide<'o>,
    /// The propositions and the size of each member, then of each assumption.
    propositions: Vec<Vec<Proposition>>,
    sizes: Vec<usize>,
    pub(super) models: Vec<Model>,
    repair: Repair,
    parts: FxHashMap<Vec<usize>, Part>,
    /// The engines that found something unsatisfiable.
    pub(super) refuted_by: Vec<String>,
    /// The number of problems that engines decided.
    pub(super) calls: u64,
    /// The CPU time of other processes.
    pub(super) worker_cpu: Duration,
}

impl<'o> Oracle<'o> {
    pub(super) fn new(
        store: Store,
        members: Vec<Formula>,
        assumptions: Vec<Formula>,
        words: WordKind,
        budget: &'o Budget,
        decide: &'o mut Decide<'o>,
    ) -> Self {
        let all = || members.iter().chain(&assumptions);
        let propositions = all().map(|&formula| store.propositions(formula)).collect();
        let sizes = all().map(|&formula| store.subformulas(formula).len()).collect();
        let repair = Repair::new(&store, &[&members[..], &assumptions].concat());
        Oracle {
            store,
            members,
            assumptions,
            words,
            budget,
            decide,
            propositions,
            sizes,
            models: Vec::new(),
            repair,
            parts: FxHashMap::default(),
            refuted_by: Vec::new(),
            calls: 0,
            worker_cpu: Duration::ZERO,
        }
    }

    /// All members.
    pub(super) fn all(&self) -> BitSet {
        (0..self.members.len()).collect()
    }

    /// The known model of a subset, if there is one.
    fn known_model(&self, set: &BitSet) -> Option<usize> {
        self.models.iter().position(|model| set.is_subset(&model.satisfied))
    }

    /// Whether a subset holds on a word; if not, an unsatisfiable subset of it.
    pub(super) fn decide(&mut self, set: &BitSet) -> Result<Found, Interruption> {
        if let Some(model) = self.known_model(set) {
            return Ok(Found::Model(model));
        }
        if set.len() <= SMALL {
            return self.decide_whole(set, None);
        }
        let (mut part, mut patience, mut tries) = (BitSet::new(), PATIENCE, 1);
        loop {
            let whole = part == *set;
            match self.decide_whole(&part, Some(patience).filter(|_| !whole)) {
                Ok(Found::Model(model)) => {
                    let model = self.improve(set, &part, model)?;
                    let violated = without(set, &self.models[model].satisfied);
                    if violated.is_empty() {
                        return Ok(Found::Model(model));
                    }
                    self.add_nearest(&mut part, violated, MOST_ADDED);
                }
                Err(Interruption::Stop(Stop::Timeout)) if !whole => {
                    self.budget.check_now()?;
                    // Some parts are harder than larger ones, which have fewer words.
                    if tries % TRIES == 0 {
                        let (rest, more) = (without(set, &part), (part.len() / 2).max(MOST_ADDED));
                        self.add_nearest(&mut part, rest, more);
                    }
                    (tries, patience) = (tries + 1, patience * 2);
                }
                other => return other,
            }
        }
    }

    /// A known model of the part that violates few members of the set: the given one, one that
    /// local search makes of it, or another.
    fn improve(
        &mut self,
        set: &BitSet,
        part: &BitSet,
        model: usize,
    ) -> Result<usize, Interruption> {
        let models = self.models.iter().enumerate();
        let models = models.filter(|(_, model)| part.is_subset(&model.satisfied));
        let violations = |model: &Model| without(set, &model.satisfied).len();
        let best = models.min_by_key(|(_, model)| violations(model));
        let best = best.map_or(model, |(index, _)| index);
        let Some(word) = self.models[best].word.clone() else { return Ok(best) };
        let hard: BitSet = part.iter().chain(self.assumption_indices()).collect();
        let Some(word) = self.repair.improve(&word, set, &hard, self.budget)? else {
            return Ok(best);
        };
        let satisfied = self.satisfied(&word)?;
        let fewer = without(set, &satisfied).len() < violations(&self.models[best]);
        if fewer && part.is_subset(&satisfied) && self.all_hold(&self.assumptions, &word)? {
            self.models.push(Model { satisfied, word: Some(Rc::new(word)) });
            return Ok(self.models.len() - 1);
        }
        Ok(best)
    }

    /// The members that are known to hold on a word.
    fn satisfied(&self, word: &Word) -> Result<BitSet, Stop> {
        let mut satisfied = BitSet::new();
        for (index, &member) in self.members.iter().enumerate() {
            if self.truth(member, word)? == Some(true) {
                satisfied.insert(index);
            }
        }
        Ok(satisfied)
    }

    /// Adds members with few propositions outside of the part; among them the small ones.
    fn add_nearest(&self, part: &mut BitSet, members: BitSet, count: usize) {
        let inside = part.iter().flat_map(|member| &self.propositions[member]);
        let inside: BitSet = inside.map(|proposition| proposition.index()).collect();
        let mut members: Vec<usize> = members.iter().collect();
        members.sort_by_cached_key(|&member| {
            let outside = |p: &&Proposition| !inside.contains(p.index());
            (self.propositions[member].iter().filter(outside).count(), self.sizes[member])
        });
        part.extend(members.into_iter().take(count));
    }

    /// Decides a subset without growing, within some time.
    fn decide_whole(
        &mut self,
        set: &BitSet,
        time: Option<Duration>,
    ) -> Result<Found, Interruption> {
        if let Some(model) = self.known_model(set) {
            return Ok(Found::Model(model));
        }
        let mut words = Vec::new();
        for part in self.parts_of(set) {
            match self.decide_part(&part, time)? {
                Part::Unsatisfiable => {
                    let members = part.into_iter().filter(|&index| index < self.members.len());
                    return Ok(Found::Conflict(members.collect()));
                }
                Part::Satisfiable(word) => words.push(word),
            }
        }
        let all: Option<Vec<Rc<Word>>> = words.into_iter().collect();
        let joined = match all {
            Some(words) => match joined(&words) {
                Some(word) => Some(Rc::new(word)),
                None => {
                    // The loop of the joined word would be long: let an engine find a word.
                    let whole = set.iter().chain(self.assumption_indices()).collect::<Vec<_>>();
                    match self.decide_part(&whole, time)? {
                        Part::Satisfiable(word) => word,
                        Part::Unsatisfiable => return Ok(Found::Conflict(set.clone())),
                    }
                }
            },
            None => None,
        };
        self.add_model(set, joined)
    }

    fn assumption_indices(&self) -> std::ops::Range<usize> {
        self.members.len()..self.propositions.len()
    }

    /// The parts of a subset and the assumptions that have no propositions in common, small ones
    /// first; all as one part on finite words.
    fn parts_of(&self, set: &BitSet) -> Vec<Vec<usize>> {
        let indices: Vec<usize> = set.iter().chain(self.assumption_indices()).collect();
        if self.words == WordKind::Finite {
            return vec![indices];
        }
        let mut owner: FxHashMap<Proposition, usize> = FxHashMap::default();
        let mut parents: Vec<usize> = (0..indices.len()).collect();
        for (place, &index) in indices.iter().enumerate() {
            for &proposition in &self.propositions[index] {
                let other = *owner.entry(proposition).or_insert(place);
                let (a, b) = (root(&mut parents, place), root(&mut parents, other));
                parents[a.max(b)] = a.min(b);
            }
        }
        let mut parts: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (place, &index) in indices.iter().enumerate() {
            parts.entry(root(&mut parents, place)).or_default().push(index);
        }
        let mut parts: Vec<Vec<usize>> = parts.into_values().collect();
        parts.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        parts
    }

    /// Decides members and assumptions, given by their indices.
    fn decide_part(
        &mut self,
        part: &[usize],
        time: Option<Duration>,
    ) -> Result<Part, Interruption> {
        if let Some(known) = self.parts.get(part) {
            return Ok(known.clone());
        }
        let formulas: Vec<Formula> = part.iter().map(|&index| self.formula(index)).collect();
        let (nonempty, word) = self.ask(&formulas, time)?;
        let found = match nonempty {
            true => Part::Satisfiable(word.map(Rc::new)),
            false => Part::Unsatisfiable,
        };
        self.parts.insert(part.to_vec(), found.clone());
        Ok(found)
    }

    fn formula(&self, index: usize) -> Formula {
        match index.checked_sub(self.members.len()) {
            None => self.members[index],
            Some(assumption) => self.assumptions[assumption],
        }
    }

    /// Whether some formulas hold together on a word, and the word.
    pub(super) fn ask(
        &mut self,
        formulas: &[Formula],
        time: Option<Duration>,
    ) -> Result<(bool, Option<Word>), Interruption> {
        self.budget.check()?;
        let (mut store, formulas) = self.store.extract(formulas);
        let conjunction = store.all(formulas);
        let problem = Problem::satisfiability(&store, conjunction, self.words);
        let budget = limited(self.budget, time, self.worker_cpu);
        budget.check_now()?;
        self.calls += 1;
        let Decided { verdict, engine, worker_cpu, .. } = (self.decide)(&problem, &budget);
        self.worker_cpu += worker_cpu;
        match verdict? {
            Verdict::Unknown(stop) => Err(stop.into()),
            Verdict::Empty(_) => {
                let engine = engine.map_or_else(String::new, |engine| engine.to_string());
                if !self.refuted_by.contains(&engine) {
                    self.refuted_by.push(engine);
                }
                Ok((false, None))
            }
            Verdict::Nonempty(Err(_)) => Ok((true, None)),
            Verdict::Nonempty(Ok(witness)) => {
                let back = |p: Proposition| self.store.find_proposition(store.name(p));
                let letter = |letter: &Letter| letter.iter().filter_map(back).collect::<Letter>();
                let word = witness.word();
                let letters = word.letters().iter().map(letter).collect();
                Ok((true, Some(Word::from_letters(letters, word.loop_start()))))
            }
        }
    }

    /// The error of an engine that finds no word for members that hold on a known one.
    pub(super) fn contradiction(&self) -> InternalError {
        let empty = self.refuted_by.first().cloned().unwrap_or_default();
        InternalError::Disagreement { nonempty: "semantics".to_owned(), empty }
    }

    /// Adds a word on which a subset holds, with everything else that holds on it.
    fn add_model(&mut self, set: &BitSet, word: Option<Rc<Word>>) -> Result<Found, Interruption> {
        let mut satisfied = set.clone();
        if let Some(word) = &word {
            for (index, &member) in self.members.iter().enumerate() {
                let truth = self.truth(member, word)?;
                assert!(truth != Some(false) || !set.contains(index), "parts are independent");
                if truth == Some(true) {
                    satisfied.insert(index);
                }
            }
        }
        self.models.push(Model { satisfied, word });
        Ok(Found::Model(self.models.len() - 1))
    }

    /// Adds the words of one letter as models, if the assumptions hold on them: the empty letter
    /// and the full one.
    pub(super) fn add_plain_words(&mut self) -> Result<(), Interruption> {
        let full: Letter = self.propositions.iter().flatten().copied().collect();
        for letter in [Letter::default(), full] {
            let word = match self.words {
                WordKind::Infinite => Word::lasso(Vec::new(), vec![letter]),
                WordKind::Finite => Word::finite(vec![letter]),
            };
            if self.all_hold(&self.assumptions, &word)? {
                self.add_model(&BitSet::new(), Some(Rc::new(word)))?;
            }
        }
        Ok(())
    }

    /// Whether all formulas are known to hold on a word.
    pub(super) fn all_hold(&self, formulas: &[Formula], word: &Word) -> Result<bool, Stop> {
        for &formula in formulas {
            if self.truth(formula, word)? != Some(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a formula holds on a word by the plain semantics, unless that would take long.
    fn truth(&self, formula: Formula, word: &Word) -> Result<Option<bool>, Stop> {
        match checked_length(&self.store, formula, word) {
            Ok(length) if length <= LONGEST_WORD => {
                let holds = satisfies(&self.store, formula, word, &mut || self.budget.check())?;
                Ok(Some(holds))
            }
            _ => Ok(None),
        }
    }
}

/// The elements of a set that are not in another.
pub(super) fn without(set: &BitSet, other: &BitSet) -> BitSet {
    let mut rest = set.clone();
    rest.subtract(other);
    rest
}

/// The rest of a budget for another question, with at most this wall-clock time. CPU time that
/// other processes used is charged, too.
pub(super) fn limited(budget: &Budget, time: Option<Duration>, worker_cpu: Duration) -> Budget {
    let left = budget.left();
    let wall = [left.wall, time].into_iter().flatten().min();
    let cpu = left.cpu.map(|left| left.saturating_sub(worker_cpu));
    Budget::new(Limits { wall, cpu, ..left }, budget.cancellation().clone())
}

/// The representative of a set of the union-find structure.
fn root(parents: &mut [usize], mut place: usize) -> usize {
    while parents[place] != place {
        parents[place] = parents[parents[place]];
        place = parents[place];
    }
    place
}

/// A word with the letters of all words at each position, unless its loop would be long. The
/// propositions of the words are different. Several words are infinite; without any, every letter
/// will do.
fn joined(words: &[Rc<Word>]) -> Option<Word> {
    if let [word] = words {
        return Some((**word).clone());
    }
    let prefix = words.iter().map(|word| word.prefix().len()).max().unwrap_or(0);
    let mut period = 1;
    for word in words {
        let cycle = word.cycle().len();
        period = period / gcd(period, cycle) * cycle;
        if period > LONGEST_LOOP {
            return None;
        }
    }
    let letter = |position: usize| -> Letter {
        let parts = words.iter().flat_map(|word| {
            let start = word.prefix().len();
            let place = match position.checked_sub(start) {
                None => position,
                Some(after) => start + after % word.cycle().len(),
            };
            word.letters()[place].iter()
        });
        parts.collect()
    };
    let letters = (0..prefix + period).map(letter).collect();
    Some(Word::from_letters(letters, Some(prefix)))
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
