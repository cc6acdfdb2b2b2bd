//! A deterministic automaton from a weak one of the complement: the breakpoint construction
//! \[MH84\].
//!
//! In a weak automaton each component accepts or rejects as a whole, so a run accepts if it
//! finally stays in one accepting component: a co-Büchi condition. A word is rejected if no run
//! does so. The deterministic automaton follows the set of all runs, and which of these have stayed
//! in an accepting component since the last *breakpoint*. When none is left there is a breakpoint,
//! which is the mark, and the runs that are then in accepting components are followed next. A run
//! that finally stays is followed for ever after some breakpoint, and without such a run
//! breakpoints never end.
//!
//! So the languages whose complement has a weak automaton, those of *recurrence* formulas, have
//! deterministic automata with one mark.

use indexmap::IndexSet;
use kermode_base::BitSet;
use kermode_bdd::{Bdd, OutOfNodes};
use rustc_hash::FxBuildHasher;

use super::letter_classes::LetterClasses;
use crate::tgba::components::Components;
use crate::tgba::graph::{Marks, State, Tgba};

/// The largest number of pairs of a state and a class of letters.
const MOST_STEPS: usize = 1 << 14;
/// A deterministic automaton this many times larger than the complement is not expected to help.
const MOST_GROWTH: usize = 4;

/// A state of the deterministic automaton.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Runs {
    all: BitSet,
    /// Those that have stayed in an accepting component since the last breakpoint.
    followed: BitSet,
}

/// A deterministic and complete automaton that accepts what the given one rejects. Nothing if that
/// one is not weak or the result would be large.
pub(crate) fn breakpoint_complement<E: From<OutOfNodes>>(
    automaton: &Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Tgba>, E> {
    let letters = LetterClasses::of(automaton, interrupt)?;
    let Some(classes) = letters.classes() else { return Ok(None) };
    let most = (MOST_STEPS / classes.len()).min(MOST_GROWTH * (automaton.state_count() + 4));
    let Some(weak) = WeakSteps::of(automaton, &letters, classes) else { return Ok(None) };
    let mut deterministic = automaton.sibling(1);
    let initial = automaton.initial().iter().map(|state| state.index()).collect();
    let mut known: IndexSet<Runs, FxBuildHasher> = IndexSet::default();
    known.insert(weak.at_breakpoint(initial));
    while let Some(runs) = known.get_index(deterministic.state_count()).cloned() {
        interrupt()?;
        deterministic.add_state();
        for class in 0..classes.len() {
            let next = known.insert_full(weak.after(&runs, class).0).0;
            if next > most {
                return Ok(None);
            }
        }
    }
    deterministic.add_initial(State::from_index(0));
    for (number, runs) in known.iter().enumerate() {
        for (class, letters) in classes.iter().enumerate() {
            let (next, is_breakpoint) = weak.after(runs, class);
            let target = known.get_index_of(&next).expect("all successors are known");
            let [source, target] = [number, target].map(State::from_index);
            let marks: Marks = is_breakpoint.then_some(0).into_iter().collect();
            deterministic.add_transition(source, target, letters.clone(), marks);
        }
    }
    deterministic.merge_transitions()?;
    Ok(Some(deterministic))
}

/// The steps of a weak automaton by classes of letters.
struct WeakSteps {
    classes: usize,
    /// For each state and class the targets.
    targets: Vec<BitSet>,
    /// Those of them that are in the same accepting component.
    staying: Vec<BitSet>,
    /// The states of accepting components.
    accepting: BitSet,
}

impl WeakSteps {
    /// The steps of an automaton, if it is weak.
    fn of(automaton: &Tgba, letters: &LetterClasses, classes: &[Bdd]) -> Option<WeakSteps> {
        let components = Components::of(automaton);
        let accepts = |state: State| components.is_accepting(components.component(state));
        let count = automaton.state_count() * classes.len();
        let mut steps = WeakSteps {
            classes: classes.len(),
            targets: vec![BitSet::new(); count],
            staying: vec![BitSet::new(); count],
            accepting: automaton.states().filter(|&s| accepts(s)).map(State::index).collect(),
        };
        for (source, t) in automaton.transitions() {
            let stays = accepts(source) && components.are_together(source, t.target);
            if stays && t.marks.len() < automaton.mark_count() {
                return None;
            }
            for class in letters.of_label(&t.label).needed.iter() {
                let place = source.index() * classes.len() + class;
                steps.targets[place].insert(t.target.index());
                if stays {
                    steps.staying[place].insert(t.target.index());
                }
            }
        }
        Some(steps)
    }

    fn at_breakpoint(&self, all: BitSet) -> Runs {
        let mut followed = all.clone();
        followed.intersect_with(&self.accepting);
        Runs { all, followed }
    }

    /// The runs after a letter, and whether there is a breakpoint.
    fn after(&self, runs: &Runs, class: usize) -> (Runs, bool) {
        let image = |states: &BitSet, steps: &[BitSet]| {
            let mut image = BitSet::new();
            states.iter().for_each(|s| image.union_with(&steps[s * self.classes + class]));
            image
        };
        let all = image(&runs.all, &self.targets);
        let followed = image(&runs.followed, &self.staying);
        match followed.is_empty() {
            true => (self.at_breakpoint(all), true),
            false => (Runs { all, followed }, false),
        }
    }
}
