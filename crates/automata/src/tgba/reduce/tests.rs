//! Each reduction alone, on random automata with several initial states and up to three marks: the
//! language stays the same.

use std::error::Error;

use kermode_base::Rng;
use kermode_bdd::{Capacity, Manager};
use kermode_ltl::random::random_word;
use kermode_ltl::{Store, Word, WordKind};

use super::breakpoint::breakpoint_complement;
use super::language_merge::merged_by_language;
use super::letter_classes::LetterClasses;
use super::obligation::ObligationCandidate;
use super::simulation::StepDirection;
use super::*;
use crate::tgba::{Buchi, Components, RandomTgba, Transition, accepts, degeneralise, small_buchi};

type Failed = Box<dyn Error>;

fn go_on() -> Result<(), Failed> {
    Ok(())
}

struct Sample {
    automaton: Tgba,
    words: Vec<Word>,
}

/// So many random automata, each with words.
fn samples(rounds: usize, mut judge: impl FnMut(Sample) -> Result<(), Failed>) {
    let mut rng = Rng::new(2005);
    let mut store = Store::new();
    let propositions = ["a", "b"].map(|name| store.proposition(name)).to_vec();
    let capacity = Capacity { variables: 2, nodes: 1 << 12, cache: 1 << 10 };
    let manager = Manager::new(capacity).expect("a small manager");
    for round in 0..rounds {
        let random = RandomTgba {
            states: rng.between(1, 7),
            marks: round % 4,
            propositions: propositions.clone(),
            transitions: rng.between(1, 4),
        };
        let automaton = random.draw(&manager, &mut rng).expect("room for labels");
        let word = |_| random_word(&mut rng, &propositions, WordKind::Infinite, 3, 3);
        let words = (0..16).map(word).collect();
        judge(Sample { automaton, words }).expect("no limits");
    }
}

impl Sample {
    #[track_caller]
    fn accept_the_same(&self, other: &Tgba) -> Result<(), Failed> {
        for word in &self.words {
            let [before, after] =
                [&self.automaton, other].map(|automaton| accepts(automaton, word, &mut go_on));
            assert_eq!(before?, after?, "{:?} became {other:?}: {word:?}", self.automaton);
        }
        Ok(())
    }
}

#[test]
fn marks() {
    let mut fewer = 0;
    samples(5_000, |sample| {
        let changed = necessary_marks(sample.automaton.clone());
        fewer += usize::from(changed.mark_count() < sample.automaton.mark_count());
        sample.accept_the_same(&changed)
    });
    assert!(fewer > 1_000, "{fewer}");
}

/// In both directions, with classes of letters, without, and with single letters.
#[test]
fn quotients() {
    let mut smaller = [0, 0];
    samples(5_000, |sample| {
        let by_label = LetterClasses::at_most(1, &sample.automaton, &mut go_on)?;
        assert_eq!(by_label.classes().is_some(), sample.is_plain());
        let split = LetterClasses::at_most(1_000, &sample.automaton, &mut go_on)?;
        assert!(split.classes().is_some());
        let letters = LetterClasses::for_comparison(&sample.automaton, &mut go_on)?;
        for classes in [by_label, split, letters] {
            for time in [StepDirection::Forward, StepDirection::Reverse] {
                let simulation = Simulation::of(&sample.automaton, &classes, time, &mut go_on)?;
                let merged = quotient(&sample.automaton, &simulation, time, &mut go_on)?;
                sample.accept_the_same(&merged)?;
                let is_smaller = merged.size() < sample.automaton.size();
                smaller[usize::from(time == StepDirection::Reverse)] += usize::from(is_smaller);
            }
        }
        Ok(())
    });
    assert!(smaller.iter().all(|&count| count > 1_000), "{smaller:?}");
}

impl Sample {
    /// Whether all labels are the same one, true.
    fn is_plain(&self) -> bool {
        self.automaton.transitions().all(|(_, transition)| transition.label.is_top())
    }
}

/// Delayed simulation alone, fewer accepting states, and the choices of a small Büchi automaton.
#[test]
fn marks_on_states() {
    let mut smaller = [0, 0];
    samples(5_000, |sample| {
        let on_states = trim(&degeneralise(&sample.automaton, Buchi::OnStates, &mut go_on)?);
        sample.accept_the_same(&on_states)?;
        let merged = merged_with_delay(&on_states, &mut go_on)?;
        let fewest = on_states.with_fewest_accepting(&mut go_on)?;
        let small = small_buchi(&sample.automaton, &mut go_on)?;
        for changed in [&merged, &fewest, &small] {
            assert!(changed.is_state_based());
            sample.accept_the_same(changed)?;
        }
        let direct = reduce_on_states(&on_states, &mut go_on)?;
        let delayed = merged_with_delay(&direct, &mut go_on)?;
        smaller[0] += usize::from(delayed.state_count() < direct.state_count());
        smaller[1] += usize::from(small.state_count() < direct.state_count());
        Ok(())
    });
    assert!(smaller.iter().all(|&count| count > 20), "{smaller:?}");
}

#[test]
fn all_together() {
    samples(3_000, |sample| {
        for effort in [Effort::Once, Effort::Repeated] {
            let reduced = reduce(&sample.automaton, effort, &mut go_on)?;
            assert!(reduced.state_count() <= sample.automaton.state_count());
            sample.accept_the_same(&reduced)?;
        }
        let on_states = degeneralise(&sample.automaton, Buchi::OnStates, &mut go_on)?;
        let reduced = reduce_on_states(&on_states, &mut go_on)?;
        assert!(reduced.is_state_based());
        sample.accept_the_same(&reduced)
    });
}

/// A candidate that loses a word is rejected. The candidate for an automaton that is already
/// deterministic and weak is right, and not larger.
#[test]
fn candidates() {
    let (mut refused, mut same) = (0, 0);
    samples(5_000, |sample| {
        let Some(candidate) = ObligationCandidate::of(&sample.automaton, &mut go_on)? else {
            return Ok(());
        };
        let (mut lost, mut won) = (false, false);
        for word in &sample.words {
            let before = accepts(&sample.automaton, word, &mut go_on)?;
            let after = accepts(&candidate.automaton, word, &mut go_on)?;
            lost |= before && !after;
            won |= !before && after;
            assert_ne!(after, accepts(&candidate.complement(), word, &mut go_on)?);
        }
        if lost {
            assert!(!candidate.is_right(&sample.automaton, &candidate.complement(), &mut go_on)?);
        }
        refused += usize::from(lost);
        same += usize::from(!lost && !won);
        let again =
            ObligationCandidate::of(&candidate.automaton, &mut go_on)?.expect("it is small");
        assert!(again.automaton.state_count() <= candidate.automaton.state_count());
        assert!(again.is_right(&candidate.automaton, &candidate.complement(), &mut go_on)?);
        let weak = Sample { automaton: candidate.automaton, words: sample.words };
        weak.accept_the_same(&again.automaton)
    });
    assert!(same > 1_000 && refused > 100, "{same} {refused}");
}

/// Merged states lose no word, and win none of the complement.
#[test]
fn merging_by_language() {
    let mut smaller = 0;
    samples(5_000, |sample| {
        let automaton = &sample.automaton;
        let Some(candidate) = ObligationCandidate::of(automaton, &mut go_on)? else {
            return Ok(());
        };
        if !candidate.is_right(automaton, &candidate.complement(), &mut go_on)? {
            return Ok(());
        }
        let merged = merged_by_language(automaton, &candidate.complement(), &mut go_on)?;
        let Some(merged) = merged else { return Ok(()) };
        assert!(merged.state_count() < automaton.state_count());
        smaller += 1;
        for word in &sample.words {
            let after = accepts(&merged, word, &mut go_on)?;
            assert!(after || !accepts(automaton, word, &mut go_on)?, "{automaton:?} {word:?}");
            assert!(!after || accepts(&candidate.automaton, word, &mut go_on)?, "{word:?}");
        }
        Ok(())
    });
    assert!(smaller > 1_000, "{smaller}");
}

/// The automaton with the mark on all transitions inside of some components, and on no other.
fn weak(automaton: &Tgba, accepts: impl Fn(usize) -> bool) -> Tgba {
    let components = Components::of(automaton);
    let mut weak = automaton.sibling_with_states(1);
    for (source, Transition { target, label, .. }) in automaton.transitions() {
        let inside = components.are_together(source, *target);
        let marked = inside && accepts(components.component(source));
        let marks = marked.then_some(0).into_iter().collect();
        weak.add_transition(source, *target, label.clone(), marks);
    }
    automaton.initial().iter().for_each(|&state| weak.add_initial(state));
    weak
}

/// A word is accepted by a weak automaton or by its breakpoint automaton, and not by both.
#[test]
fn breakpoints() {
    let (mut made, mut round) = (0, 0);
    samples(5_000, |sample| {
        round += 1;
        let weak = weak(&sample.automaton, |component| (round + component) % 3 > 0);
        let Some(other) = breakpoint_complement(&weak, &mut go_on)? else { return Ok(()) };
        made += 1;
        assert!(other.is_deterministic()? && other.is_complete(|_| true)?);
        for word in &sample.words {
            let [before, after] = [&weak, &other].map(|a| accepts(a, word, &mut go_on));
            assert_ne!(before?, after?, "{weak:?} became {other:?}: {word:?}");
        }
        Ok(())
    });
    assert!(made > 3_000, "{made}");
}

/// Automata that are not weak have no breakpoint automaton.
#[test]
fn breakpoints_need_a_weak_automaton() {
    samples(1_000, |sample| {
        let made = breakpoint_complement(&sample.automaton, &mut go_on)?;
        let Some(other) = made else { return Ok(()) };
        for word in &sample.words {
            let [before, after] = [&sample.automaton, &other].map(|a| accepts(a, word, &mut go_on));
            assert_ne!(before?, after?, "{:?}: {word:?}", sample.automaton);
        }
        Ok(())
    });
}

#[test]
fn completion() {
    samples(1_000, |sample| {
        let complete = sample.automaton.completed()?;
        assert!(complete.is_complete(|_| true)? && !complete.initial().is_empty());
        assert!(complete.state_count() <= sample.automaton.state_count() + 1);
        let on_states = degeneralise(&sample.automaton, Buchi::OnStates, &mut go_on)?;
        assert!(on_states.completed()?.is_state_based());
        sample.accept_the_same(&complete)
    });
}
