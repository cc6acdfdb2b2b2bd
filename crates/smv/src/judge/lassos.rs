//! All fair lassos of a model, up to what a nondeterministic automaton can tell apart.
//!
//! The *profile* of a finite word has, for each pair of states, the sets of marks that runs from
//! one to the other visit on the word. Words with the same profile can replace each other in a
//! loop, and words that lead to the same set of states can do so in front of it. There are finitely
//! many profiles, so a search for closed walks with profiles goes through all loops. As an
//! automaton reads the lasso for ever, it repeats the profile of the loop; a word is accepted if it
//! can reach a state by repetitions, and return to it by others with marks that satisfy its
//! condition. This is the idea of Büchi's proof that complements exist \[Buc62\], without any
//! complement.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use kermode_automata::emerson_lei::Condition;
use kermode_automata::tgba::Marks;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::automata::Acceptance;
use super::graph::justice;
use super::{Graph, Unjudged};
use crate::interpreter::Fairness;

/// A step of an automaton, or the two ends of a run with the marks that it has visited.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Step {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) marks: Marks,
}

/// A nondeterministic automaton that reads the letters of a graph.
pub(super) struct Nondeterministic {
    pub(super) initial: BTreeSet<usize>,
    /// The steps on each letter.
    pub(super) steps: Vec<Profile>,
    /// The condition on the marks that a run visits infinitely often.
    pub(super) condition: Condition,
}

/// The runs on a word, as steps.
type Profile = BTreeSet<Step>;

/// The runs on two words, one after the other.
fn joined(first: &Profile, second: &Profile) -> Profile {
    let from = |step: &Step| Step { source: step.target, target: 0, marks: Marks::new() };
    let both = first.iter().flat_map(|before| {
        let after = second.range(from(before)..).take_while(|s| s.source == before.target);
        after.map(|after| {
            let mut marks = before.marks.clone();
            marks.union_with(&after.marks);
            Step { source: before.source, target: after.target, marks }
        })
    });
    both.collect()
}

/// The runs on repetitions of a word.
fn repeated(profile: &Profile) -> Profile {
    let mut all = profile.clone();
    loop {
        let longer = joined(&all, profile);
        let count = all.len();
        all.extend(longer);
        if all.len() == count {
            return all;
        }
    }
}

/// The edges of each fairness condition.
struct Conditions {
    justice: Vec<kermode_base::BitSet>,
    compassion: Vec<[kermode_base::BitSet; 2]>,
}

impl Conditions {
    fn of(graph: &Graph<'_>, fairness: Fairness) -> Self {
        let edges = |expression| graph.edges_with(expression);
        let justice = justice(graph.model).map(edges);
        let compassion = graph.model.compassion.iter().map(|&(p, q, _)| [edges(p), edges(q)]);
        Conditions {
            justice: justice.filter(|_| fairness != Fairness::Ignored).collect(),
            compassion: compassion.filter(|_| fairness == Fairness::JusticeAndCompassion).collect(),
        }
    }

    /// The conditions that an edge meets: justice, then the two sides of compassion.
    fn met(&self, edge: usize) -> Marks {
        let sets = self.justice.iter().chain(self.compassion.iter().flatten()).enumerate();
        sets.filter(|(_, set)| set.contains(edge)).map(|(number, _)| number).collect()
    }

    /// Whether a loop that meets these conditions is fair.
    fn are_fair(&self, met: &Marks) -> bool {
        let count = self.justice.len();
        let pair = |number: usize| {
            let p = count + 2 * number;
            !met.contains(p) || met.contains(p + 1)
        };
        (0..count).all(|number| met.contains(number)) && (0..self.compassion.len()).all(pair)
    }
}

/// A walk in the model: where it is, its profile by number, and the conditions that it has met.
type Walk = (u32, usize, Marks);

struct Lassos<'g> {
    graph: &'g Graph<'g>,
    automaton: &'g Nondeterministic,
    conditions: Conditions,
    /// The sets of states of the automaton with which each state of the model is reached.
    stems: Vec<BTreeSet<BTreeSet<usize>>>,
    profiles: IndexSet<Profile, FxBuildHasher>,
    /// The profile after one more letter.
    longer: FxHashMap<(usize, u32), usize>,
    /// The runs on repetitions of each profile, as far as known.
    repeated: FxHashMap<usize, Profile>,
    work: usize,
}

/// The acceptance of the words of all fair lassos.
pub(super) fn classify<E>(
    graph: &Graph<'_>,
    automaton: &Nondeterministic,
    fairness: Fairness,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Acceptance, Unjudged<E>> {
    let mut lassos = Lassos {
        graph,
        automaton,
        conditions: Conditions::of(graph, fairness),
        stems: vec![BTreeSet::new(); graph.states.len()],
        profiles: automaton.steps.iter().cloned().collect(),
        longer: FxHashMap::default(),
        repeated: FxHashMap::default(),
        work: 0,
    };
    lassos.find_stems(interrupt)?;
    let mut found = Acceptance::default();
    for start in 0..graph.states.len() {
        lassos.loops(start, &mut found, interrupt)?;
        if found.is_full() {
            break;
        }
    }
    Ok(found)
}

impl Lassos<'_> {
    fn step<E>(&mut self, interrupt: &mut dyn FnMut() -> Result<(), E>) -> Result<(), Unjudged<E>> {
        interrupt().map_err(Unjudged::Interrupted)?;
        self.work += 1;
        let limit = self.graph.limits.steps;
        match self.work > limit {
            true => Err(Unjudged::TooLarge { what: "classes of lassos", limit }),
            false => Ok(()),
        }
    }

    fn find_stems<E>(
        &mut self,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), Unjudged<E>> {
        let initial = &self.automaton.initial;
        let mut todo: Vec<(usize, BTreeSet<usize>)> =
            (0..self.graph.initial).map(|state| (state, initial.clone())).collect();
        while let Some((state, set)) = todo.pop() {
            if !self.stems[state].insert(set.clone()) {
                continue;
            }
            self.step(interrupt)?;
            for edge in &self.graph.edges[self.graph.leaving(state)] {
                let steps = self.automaton.steps[edge.letter as usize].iter();
                let after = steps.filter(|step| set.contains(&step.source)).map(|step| step.target);
                todo.push((edge.target as usize, after.collect()));
            }
        }
        Ok(())
    }

    /// The number of the profile with one more letter.
    fn after(&mut self, profile: usize, letter: u32) -> usize {
        if let Some(&known) = self.longer.get(&(profile, letter)) {
            return known;
        }
        let all = joined(&self.profiles[profile], &self.automaton.steps[letter as usize]);
        let (number, _) = self.profiles.insert_full(all);
        self.longer.insert((profile, letter), number);
        number
    }

    /// Goes through the lassos whose loop begins in a state.
    fn loops<E>(
        &mut self,
        start: usize,
        found: &mut Acceptance,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), Unjudged<E>> {
        let (graph, automaton) = (self.graph, self.automaton);
        let first = |edge: usize| -> Walk {
            let letter = graph.edges[edge].letter as usize;
            let profile = self.profiles.get_index_of(&automaton.steps[letter]);
            (graph.edges[edge].target, profile.expect("a letter"), self.conditions.met(edge))
        };
        let mut todo: Vec<Walk> = graph.leaving(start).map(first).collect();
        let mut seen: IndexSet<Walk, FxBuildHasher> = IndexSet::default();
        while let Some(walk) = todo.pop() {
            if !seen.insert(walk.clone()) {
                continue;
            }
            self.step(interrupt)?;
            let (state, profile, met) = walk;
            if state as usize == start && self.conditions.are_fair(&met) {
                self.judge(start, profile, found);
                if found.is_full() {
                    return Ok(());
                }
            }
            for edge in graph.leaving(state as usize) {
                let longer = self.after(profile, graph.edges[edge].letter);
                let mut both = met.clone();
                both.union_with(&self.conditions.met(edge));
                todo.push((graph.edges[edge].target, longer, both));
            }
        }
        Ok(())
    }

    /// Adds the lassos with a loop of this profile at a state.
    fn judge(&mut self, state: usize, profile: usize, found: &mut Acceptance) {
        let profiles = &self.profiles;
        let runs = self.repeated.entry(profile).or_insert_with(|| repeated(&profiles[profile]));
        let condition = &self.automaton.condition;
        let accepts = |step: &&Step| step.source == step.target && condition.holds(&step.marks);
        let accepting: BTreeSet<usize> = runs.iter().filter(accepts).map(|s| s.source).collect();
        for stem in &self.stems[state] {
            let reaches = |s: &Step| stem.contains(&s.source) && accepting.contains(&s.target);
            found.add(!stem.is_disjoint(&accepting) || runs.iter().any(reaches));
        }
    }
}
