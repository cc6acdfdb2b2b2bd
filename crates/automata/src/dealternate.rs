//! From alternating automata to generalised Büchi automata: the breakpoint construction of Miyano
//! and Hayashi \[MH84\], written out.
//!
//! A state is a pair `<s, o>` of sets of locations: `s` is a level of a run, and `o` the subset
//! that has not visited `alpha` since the last *breakpoint*. A step chooses an edge of each
//! location of `s`. If no location is left in `o` after the step, the step carries the mark, and
//! the next `o` has all locations of the level outside of `alpha`. Departure from the paper: the
//! mark is on steps, so that breakpoints need no states of their own. Of the steps of a state only
//! minimal ones are kept: a smaller pair accepts more words, and if its `o` is empty it has the
//! mark.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;
use kermode_bdd::{Bdd, CannotStart, OutOfNodes};
use kermode_ltl::WordKind;
use rustc_hash::FxBuildHasher;

use crate::alternating::{AlternatingAutomaton, Location};
use crate::branches::{Forms, NoBranches};
use crate::tgba::{Marks, State, Tgba};

/// The largest number of pairs of sets.
const MOST_PAIRS: usize = 1 << 20;
/// The largest number of steps that are compared with each other.
const FEW_STEPS: usize = 256;

/// Why there is no generalised Büchi automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotDealternated {
    /// There would be too many states.
    #[error("an automaton without alternation has more than {MOST_PAIRS} states")]
    TooLarge,
    /// Transitions have too many alternatives.
    #[error(transparent)]
    NoBranches(#[from] NoBranches),
}

impl From<OutOfNodes> for NotDealternated {
    fn from(error: OutOfNodes) -> Self {
        NotDealternated::NoBranches(error.into())
    }
}

impl From<CannotStart> for NotDealternated {
    fn from(error: CannotStart) -> Self {
        NotDealternated::NoBranches(error.into())
    }
}

type Locations = BTreeSet<Location>;

/// A level of a run, and the locations that wait for `alpha`.
type Pair = (Locations, Locations);

/// An automaton with one mark and the same language. Its states are reachable.
///
/// # Panics
/// When the automaton accepts finite words.
pub fn dealternate<E: From<NotDealternated>>(
    automaton: &AlternatingAutomaton,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Tgba, E> {
    assert_eq!(automaton.words(), WordKind::Infinite, "finite words have no breakpoints");
    let forms = Forms::of(automaton).map_err(NotDealternated::from)?;
    let tgba = Tgba::new(forms.manager().clone(), automaton.propositions().to_vec(), 1);
    let mut breakpoints = Breakpoints { automaton, forms, tgba, pairs: IndexSet::default() };
    let initial: Vec<Locations> =
        breakpoints.forms.get(automaton.initial()).keys().cloned().collect();
    for level in initial {
        let pair = breakpoints.after_breakpoint(level);
        let state = breakpoints.place(pair);
        breakpoints.tgba.add_initial(state);
    }
    let mut next = 0;
    while let Some(pair) = breakpoints.pairs.get_index(next).cloned() {
        let source = State::from_index(next);
        for ((level, waiting), label) in breakpoints.steps(&pair, interrupt)? {
            breakpoints.add(source, level, waiting, label);
        }
        if breakpoints.pairs.len() > MOST_PAIRS {
            return Err(NotDealternated::TooLarge.into());
        }
        next += 1;
    }
    Ok(breakpoints.tgba)
}

struct Breakpoints<'a> {
    automaton: &'a AlternatingAutomaton,
    forms: Forms,
    tgba: Tgba,
    pairs: IndexSet<Pair, FxBuildHasher>,
}

impl Breakpoints<'_> {
    fn place(&mut self, pair: Pair) -> State {
        let (index, is_new) = self.pairs.insert_full(pair);
        if is_new {
            self.tgba.add_state();
        }
        State::from_index(index)
    }

    fn outside_alpha(&self, locations: &Locations) -> Locations {
        locations.iter().copied().filter(|&l| !self.automaton.is_accepting(l)).collect()
    }

    fn after_breakpoint(&self, level: Locations) -> Pair {
        let waiting = self.outside_alpha(&level);
        (level, waiting)
    }

    /// Adds a transition; `waiting` is what the step leaves of the waiting locations.
    fn add(&mut self, source: State, level: Locations, waiting: Locations, label: Bdd) {
        let waiting = self.outside_alpha(&waiting);
        let (pair, marks) = match waiting.is_empty() {
            true => (self.after_breakpoint(level), Marks::from_iter([0])),
            false => ((level, waiting), Marks::new()),
        };
        let target = self.place(pair);
        self.tgba.add_transition(source, target, label, marks);
    }

    /// The steps of a pair: one edge of each location of the level.
    fn steps<E: From<NotDealternated>>(
        &self,
        (level, waiting): &Pair,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<BTreeMap<Pair, Bdd>, E> {
        let mut steps = BTreeMap::from([((Locations::new(), Locations::new()), self.forms.top())]);
        for &location in level {
            let mut more: BTreeMap<Pair, Bdd> = BTreeMap::new();
            for ((targets, left), label) in &steps {
                for (set, letters) in self.forms.get(self.automaton.transition(location)) {
                    interrupt()?;
                    let both = label.and(letters).map_err(NotDealternated::from)?;
                    if both.is_bottom() {
                        continue;
                    }
                    let left = match waiting.contains(&location) {
                        true => left | &self.outside_alpha(set),
                        false => left.clone(),
                    };
                    let step = (targets | set, left);
                    let all = match more.get(&step) {
                        Some(other) => other.or(&both).map_err(NotDealternated::from)?,
                        None => both,
                    };
                    more.insert(step, all);
                }
            }
            if more.len() > MOST_PAIRS {
                return Err(NotDealternated::TooLarge.into());
            }
            steps = minimal(more).map_err(NotDealternated::from)?;
        }
        Ok(steps)
    }
}

/// The steps without the letters on which a smaller step is possible. With many steps, all are
/// kept.
fn minimal(steps: BTreeMap<Pair, Bdd>) -> Result<BTreeMap<Pair, Bdd>, OutOfNodes> {
    if steps.len() > FEW_STEPS {
        return Ok(steps);
    }
    let mut needed = BTreeMap::new();
    for (pair, label) in &steps {
        let is_smaller = |other: &Pair| {
            other != pair && other.0.is_subset(&pair.0) && other.1.is_subset(&pair.1)
        };
        let mut rest = label.clone();
        for (_, letters) in steps.iter().filter(|(other, _)| is_smaller(other)) {
            rest = rest.and_not(letters)?;
        }
        if !rest.is_bottom() {
            needed.insert(pair.clone(), rest);
        }
    }
    Ok(needed)
}
