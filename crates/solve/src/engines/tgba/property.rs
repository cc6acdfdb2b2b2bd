//! The automaton of a property as a product sees it: numbered nodes, and their steps on the letter
//! of a step of the model alone (the end of section 3 of \[Cou99\]).
//!
//! The *observation* of a step of the model has the values of the property's atoms, which are its
//! letter, and of the justice constraints of the model, which are marks. Steps are computed once
//! for each node and observation. Propositions that are no atoms of the model, such as those that
//! eliminate bounded operators, are open: the automaton chooses them.

use std::ops::Range;

use indexmap::IndexSet;
use kermode_automata::on_letter::{LetterKnowledge, Literals, OnLetter};
use kermode_base::BitSet;
use kermode_ltl::Proposition;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::mistakes::Mistake;
use crate::frame::budget::Stop;
use crate::search::{MarkSet, MarkSets};

/// A step of the property, with the marks of the model's step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PropertyStep {
    pub(super) node: u32,
    pub(super) marks: MarkSet,
}

/// The steps of a node on an observation.
#[derive(Clone, Copy, Debug, Default)]
struct Recent {
    observed: u64,
    /// The node plus one; zero if nothing was looked up.
    node: u32,
    observation: u32,
    steps: (u32, u32),
}

/// The logarithm of the number of recent lookups.
const RECENT: u32 = 10;

/// A property on demand.
pub(super) struct Property<P: OnLetter> {
    space: P,
    /// The atoms and the number of justice constraints, in the order of observations.
    atoms: Vec<Proposition>,
    justice: usize,
    mistake: Option<Mistake>,
    nodes: IndexSet<P::State, FxBuildHasher>,
    numbers: FxHashMap<Box<[u64]>, u32>,
    observations: Vec<Box<[u64]>>,
    /// What was looked up recently, for observations of one word.
    recent: Vec<Recent>,
    /// The steps of a node on an observation, as a range of `steps`.
    known: FxHashMap<(u32, u32), (u32, u32)>,
    steps: Vec<PropertyStep>,
}

impl<P: OnLetter> Property<P>
where
    Stop: From<P::Stop>,
{
    /// A property whose atoms and justice constraints are observed in this order.
    pub(super) fn new(
        space: P,
        atoms: Vec<Proposition>,
        justice: usize,
        mistake: Option<Mistake>,
    ) -> Self {
        Property {
            space,
            atoms,
            justice,
            mistake,
            nodes: IndexSet::default(),
            numbers: FxHashMap::default(),
            observations: Vec::new(),
            recent: vec![Recent::default(); 1 << RECENT],
            known: FxHashMap::default(),
            steps: Vec::new(),
        }
    }

    /// The number of marks: those of justice first, then those of the property.
    pub(super) fn mark_count(&self) -> usize {
        self.justice + self.space.mark_count()
    }

    /// Whether a mistake is planted.
    pub(super) fn has_mistake(&self, mistake: Mistake) -> bool {
        self.mistake == Some(mistake)
    }

    /// The numbers of the initial nodes.
    pub(super) fn initial(&mut self) -> Result<Vec<u32>, Stop> {
        let initial = self.space.initial()?;
        Ok(initial.into_iter().map(|node| self.number(node)).collect())
    }

    /// The numbers of discovered nodes, of expansions, and of the steps that these had.
    pub(super) fn counts(&self) -> [usize; 3] {
        [self.nodes.len(), self.known.len(), self.steps.len()]
    }

    fn number(&mut self, node: P::State) -> u32 {
        self.nodes.insert_full(node).0 as u32
    }

    /// The number of an observation.
    fn observation(&mut self, observed: &[u64]) -> u32 {
        if let Some(&number) = self.numbers.get(observed) {
            return number;
        }
        let number = self.observations.len() as u32;
        self.observations.push(observed.into());
        self.numbers.insert(observed.into(), number);
        number
    }

    /// The number of an observation, and where the steps of a node on it are.
    #[inline]
    pub(super) fn steps_on(
        &mut self,
        node: u32,
        observed: &[u64],
        sets: &mut MarkSets,
    ) -> Result<(u32, Range<usize>), Stop> {
        let &[word] = observed else {
            let observation = self.observation(observed);
            return Ok((observation, self.steps_on_number(node, observation, sets)?));
        };
        let hash = (word ^ u64::from(node) << 48).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let place = (hash >> (64 - RECENT)) as usize;
        let recent = self.recent[place];
        if recent.node == node + 1 && recent.observed == word {
            let (start, end) = recent.steps;
            return Ok((recent.observation, start as usize..end as usize));
        }
        let observation = self.observation(observed);
        let steps = self.steps_on_number(node, observation, sets)?;
        let (start, end) = (steps.start as u32, steps.end as u32);
        self.recent[place] =
            Recent { observed: word, node: node + 1, observation, steps: (start, end) };
        Ok((observation, steps))
    }

    /// The observation with a number.
    pub(super) fn observed(&self, number: u32) -> &[u64] {
        &self.observations[number as usize]
    }

    /// Where the steps of a node on the observation with a number are.
    fn steps_on_number(
        &mut self,
        node: u32,
        observation: u32,
        sets: &mut MarkSets,
    ) -> Result<Range<usize>, Stop> {
        if let Some(&(start, end)) = self.known.get(&(node, observation)) {
            return Ok(start as usize..end as usize);
        }
        let start = self.steps.len();
        self.expand(node, observation, sets)?;
        let end = self.steps.len();
        self.known.insert((node, observation), (start as u32, end as u32));
        Ok(start..end)
    }

    /// The step at a place.
    pub(super) fn step(&self, place: usize) -> PropertyStep {
        self.steps[place]
    }

    /// Adds the steps of a node on an observation, except for those with fewer marks than another
    /// to the same node.
    fn expand(&mut self, node: u32, observation: u32, sets: &mut MarkSets) -> Result<(), Stop> {
        let (mut letter, mut just) = self.meaning(observation);
        match self.mistake {
            Some(Mistake::LettersAreForgotten) => {
                letter = LetterKnowledge::Literals(Literals::default());
            }
            Some(Mistake::JusticeIsForgotten) => just = (0..self.justice).collect(),
            Some(Mistake::PromisesAreKept) => just.extend(self.justice..self.mark_count()),
            _ => {}
        }
        let from = self.nodes[node as usize].clone();
        let mut cursor = self.space.steps_on(&from, &letter)?;
        let mut found: Vec<(u32, BitSet)> = Vec::new();
        while let Some((step, _)) = self.space.next_step(&mut cursor)? {
            let mut marks = just.clone();
            marks.extend(step.marks.iter().map(|mark| self.justice + mark));
            let to = self.number(step.to);
            let is_worse = |(other, more): &(u32, BitSet)| *other == to && marks.is_subset(more);
            if !found.iter().any(is_worse) {
                found.retain(|(other, fewer)| *other != to || !fewer.is_subset(&marks));
                found.push((to, marks));
            }
        }
        if self.mistake == Some(Mistake::OneStepIsEnough) {
            found.truncate(1);
        }
        let step = |(node, marks)| PropertyStep { node, marks: sets.number(marks) };
        self.steps.extend(found.into_iter().map(step));
        Ok(())
    }

    /// The letter of an observation, and the marks of justice.
    fn meaning(&self, observation: u32) -> (LetterKnowledge, BitSet) {
        let observed = &self.observations[observation as usize];
        let holds = |place: usize| observed[place / 64] >> (place % 64) & 1 == 1;
        let atoms = self.atoms.iter().enumerate();
        let literals: Literals = atoms.map(|(place, &atom)| (atom, holds(place))).collect();
        let first = self.atoms.len();
        let just = (0..self.justice).filter(|&number| holds(first + number)).collect();
        (LetterKnowledge::Literals(literals), just)
    }
}
