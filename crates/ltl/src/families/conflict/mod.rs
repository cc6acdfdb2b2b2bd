//! Sets of requirements with planted conflicts, to measure how conflicts are found.
//!
//! A set describes some groups of propositions, as a specification describes some parts of a
//! system. Most requirements are drawn from the patterns of \[DAC99\]. A few others are conflicts
//! (`plant.rs`), in random places of the set.
//!
//! Invariant: the planted conflicts are exactly the minimal unsatisfiable subsets. Proof: for every
//! choice of one member of each conflict there is a word ([`RequirementSet::word_without`]) on
//! which all other requirements hold, because a pattern is taken only if it holds on all these
//! words. So an unsatisfiable subset includes a conflict, and proper subsets of a conflict are
//! satisfiable. A pattern shares propositions with at most one conflict; its value then depends on
//! one of the choices only, and the number of words to check is the number of members.
//!
//! A seed yields the same set for ever: the order in which numbers are drawn is part of the
//! interface.

mod plant;

use kermode_base::Rng;
use rustc_hash::FxHashSet;

use super::{Family, Instance, Parameter, ParameterKind};
use crate::Dialect;
use crate::dialect::parse;
use crate::operator::BinaryOp;
use crate::semantics::holds;
use crate::store::{Formula, Node, Proposition, Store};
use crate::word::{Letter, Word};
use plant::{LOOP, NEVER, PREFIX, Plant, Signal};

/// `conflict COUNT SIZE [TIMES] [SEED]`.
pub const FAMILY: Family = Family {
    name: "conflict",
    suffixes: &[],
    summary: "requirements with planted minimal conflicts, one conjunct each",
    parameters: &[
        Parameter {
            name: "COUNT",
            kind: ParameterKind::Number { least: 2, most: 100_000 },
            default: None,
            help: "how many requirements, at least the members of all conflicts",
        },
        Parameter {
            name: "SIZE",
            kind: ParameterKind::Number { least: 2, most: 12 },
            default: None,
            help: "how many requirements contradict each other",
        },
        Parameter {
            name: "TIMES",
            kind: ParameterKind::Number { least: 1, most: 100 },
            default: Some("1"),
            help: "how many such conflicts there are",
        },
        Parameter {
            name: "SEED",
            kind: ParameterKind::Number { least: 0, most: u64::MAX },
            default: Some("1"),
            help: "a range gives as many formulas",
        },
    ],
    paper: "DAC99",
    build: |store, instance| RequirementSet::of(store, instance).conjunction(store),
};

/// Propositions of one group.
const GROUP: usize = 10;
/// Requirements per proposition.
const DENSITY: usize = 3;

/// Requirements with planted conflicts.
#[derive(Clone, Debug)]
pub struct RequirementSet {
    /// The requirements.
    pub requirements: Vec<Formula>,
    /// The places of the members of each conflict.
    pub conflicts: Vec<Vec<usize>>,
    propositions: Vec<Proposition>,
    /// For each conflict, the first of its propositions in `propositions`, and for each member the
    /// signals without it.
    planted: Vec<(usize, Vec<Vec<Signal>>)>,
    signals: Vec<Signal>,
}

impl RequirementSet {
    /// The set of a seed, with at least as many requirements as the conflicts have members.
    ///
    /// # Panics
    /// When a conflict has fewer than 2 or more than 12 members.
    pub fn new(
        store: &mut Store,
        requirements: usize,
        members: usize,
        conflicts: usize,
        seed: u64,
    ) -> RequirementSet {
        assert!((2..=12).contains(&members), "conflicts have 2 to 12 members");
        let mut rng = Rng::new(seed);
        let needed = conflicts * plant::propositions_needed(members);
        let count = needed + (requirements / DENSITY).max(GROUP);
        let mut names: Vec<String> =
            (0..count).map(|i| format!("g{}_{}", i / GROUP, i % GROUP)).collect();
        shuffle(&mut names, &mut rng);
        let propositions = names.iter().map(|name| store.proposition(name)).collect();
        let size = requirements.max(conflicts * members);
        let mut places: Vec<usize> = (0..size).collect();
        shuffle(&mut places, &mut rng);
        let mut set = RequirementSet {
            requirements: Vec::new(),
            conflicts: Vec::new(),
            propositions,
            planted: Vec::new(),
            signals: (0..count).map(|place| signal(place, needed, &mut rng)).collect(),
        };
        let mut all: Vec<Option<Formula>> = vec![None; size];
        for conflict in 0..conflicts {
            let first = conflict * plant::propositions_needed(members);
            let Plant { members: texts, without } = plant::draw(members, &names[first..], &mut rng);
            let mut chosen = places.split_off(places.len() - members);
            for (&place, text) in chosen.iter().zip(&texts) {
                all[place] = Some(read(store, text));
            }
            set.planted.push((first, without));
            // Members are in the order of the signals without them.
            set.conflicts.push(std::mem::take(&mut chosen));
        }
        let mut filler = Filler::new(&set, store, &names, all.iter().flatten().copied());
        set.requirements =
            all.into_iter().map(|member| member.unwrap_or_else(|| filler.draw(&mut rng))).collect();
        set
    }

    /// The set of a member of the family.
    pub fn of(store: &mut Store, instance: &Instance) -> RequirementSet {
        let [requirements, members, conflicts] = [0, 1, 2].map(|place| instance.size(place));
        RequirementSet::new(store, requirements, members, conflicts, instance.values[3])
    }

    /// The conjunction of the requirements, from the left.
    pub fn conjunction(&self, store: &mut Store) -> Formula {
        let both = |all, next| store.intern(Node::Binary(BinaryOp::And, all, next));
        let all = self.requirements.iter().copied().reduce(both);
        all.expect("there are requirements")
    }

    /// A word on which all requirements hold but one member of each conflict, which is given by its
    /// place in the conflict.
    ///
    /// # Panics
    /// When there is not a number for each conflict, or no member with it.
    pub fn word_without(&self, missing: &[usize]) -> Word {
        assert_eq!(missing.len(), self.planted.len(), "one member of each conflict is missing");
        let mut signals = self.signals.clone();
        for ((first, without), &member) in self.planted.iter().zip(missing) {
            let planted = &without[member];
            signals[*first..][..planted.len()].copy_from_slice(planted);
        }
        let letter = |position: usize| -> Letter {
            let all = self.propositions.iter().zip(&signals);
            all.filter(|(_, signal)| signal[position]).map(|(&p, _)| p).collect()
        };
        let prefix = (0..PREFIX).map(letter).collect();
        Word::lasso(prefix, (PREFIX..PREFIX + LOOP).map(letter).collect())
    }

    /// The conflict that a proposition belongs to, by its place among the propositions.
    fn conflict_of(&self, place: usize) -> Option<usize> {
        let last = self.planted.iter().rposition(|(first, _)| *first <= place);
        last.filter(|&conflict| {
            let (first, without) = &self.planted[conflict];
            place - first < without.len() - 1
        })
    }
}

/// The source of requirements that are in no conflict.
struct Filler<'f> {
    set: &'f RequirementSet,
    store: &'f mut Store,
    names: &'f [String],
    /// The places of the propositions of each group, by the number in their names.
    groups: Vec<Vec<usize>>,
    /// For each conflict, the words without one of its members. All choices for the others agree.
    words: Vec<Vec<Word>>,
    known: FxHashSet<Formula>,
}

impl<'f> Filler<'f> {
    fn new(
        set: &'f RequirementSet,
        store: &'f mut Store,
        names: &'f [String],
        members: impl Iterator<Item = Formula>,
    ) -> Filler<'f> {
        let mut groups = vec![Vec::new(); names.len().div_ceil(GROUP)];
        for (place, name) in names.iter().enumerate() {
            let group = name[1..].split('_').next().and_then(|number| number.parse().ok());
            groups[group.unwrap_or(0_usize)].push(place);
        }
        let count = set.planted.len();
        let words = set.planted.iter().enumerate().map(|(conflict, (_, without))| {
            let word = |member| {
                let mut missing = vec![0; count];
                missing[conflict] = member;
                set.word_without(&missing)
            };
            (0..without.len()).map(word).collect()
        });
        let (words, known) = (words.collect(), members.collect());
        Filler { set, store, names, groups, words, known }
    }

    /// A new requirement that holds on all words.
    fn draw(&mut self, rng: &mut Rng) -> Formula {
        loop {
            let group = rng.below(self.groups.len());
            let places: [usize; 3] = std::array::from_fn(|_| {
                let group = if rng.below(8) == 0 { rng.below(self.groups.len()) } else { group };
                rng.choose(&self.groups[group])
            });
            let mut conflicts: Vec<usize> =
                places.iter().filter_map(|&place| self.set.conflict_of(place)).collect();
            conflicts.dedup();
            let literals = places.map(|place| literal(&self.names[place], rng));
            let text = pattern(&literals, rng);
            if conflicts.len() > 1 || literals_repeat(&places) {
                continue;
            }
            let formula = read(self.store, &text);
            let words = &self.words[conflicts.first().copied().unwrap_or(0)];
            let words = if conflicts.is_empty() { &words[..1] } else { words };
            if !self.known.contains(&formula)
                && words.iter().all(|word| holds(self.store, formula, word))
            {
                self.known.insert(formula);
                return formula;
            }
        }
    }
}

fn literals_repeat([a, b, c]: &[usize; 3]) -> bool {
    a == b || b == c || a == c
}

/// The proposition, sometimes negated.
fn literal(name: &str, rng: &mut Rng) -> String {
    if rng.below(3) == 0 { format!("!{name}") } else { name.to_owned() }
}

fn opposite(literal: &str) -> String {
    literal.strip_prefix('!').map_or_else(|| format!("!{literal}"), str::to_owned)
}

/// A requirement of one of the usual forms.
fn pattern([x, y, z]: &[String; 3], rng: &mut Rng) -> String {
    let time = rng.between(1, 5);
    let [not_x, not_y] = [x, y].map(|literal| opposite(literal));
    match rng.below(20) {
        0 => format!("G({not_x} | {not_y})"),
        1 => format!("G({x} -> {y})"),
        2 => format!("G({x} & {y} -> {z})"),
        3 | 4 => format!("G({x} -> F {y})"),
        5 => format!("G({x} & {y} -> F {z})"),
        6 => format!("G({x} -> X {y})"),
        7 => format!("G({x} & {y} -> X {z})"),
        8 => format!("G F {x}"),
        9 => format!("F {x}"),
        10 => format!("{not_x} W {y}"),
        11 => format!("F {x} -> {not_y} U {x}"),
        12 => format!("G({x} -> {y} U {z})"),
        13 => format!("G({x} -> {y} W {z})"),
        14 => format!("G({x} -> F[0,{time}] {y})"),
        15 => format!("G({x} & {y} -> F[0,{time}] {z})"),
        16 => format!("G({x} -> G[0,{time}] {y})"),
        17 => format!("G({x} -> O {y})"),
        18 => format!("G({x} & X {not_x} -> X F {y})"),
        _ => format!("G F {x} -> G F {y}"),
    }
}

/// A signal of a proposition that is in no conflict; those in conflicts have their own.
fn signal(place: usize, planted: usize, rng: &mut Rng) -> Signal {
    if place < planted {
        return NEVER;
    }
    let (time, period) = (rng.below(PREFIX), rng.choose(&[1, 2, 3, 4, 6]));
    match rng.below(6) {
        0 => NEVER,
        1 => std::array::from_fn(|position| position == time),
        2 => std::array::from_fn(|position| position >= time),
        3 | 4 => std::array::from_fn(|position| position % period == time % period),
        _ => std::array::from_fn(|_| rng.coin()),
    }
}

fn read(store: &mut Store, text: &str) -> Formula {
    let read = parse(store, text, Dialect::Kermode.into());
    read.expect("the patterns are formulas").formula
}

/// Puts items into a random order.
fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for place in (1..items.len()).rev() {
        items.swap(place, rng.below(place + 1));
    }
}
