//! Classes of letters that no label distinguishes, so that labels become bit sets.
//!
//! Reductions often ask whether the letters of one label are covered by those of others. The labels
//! of an automaton split the letters into classes, a label is a set of classes, and the question
//! becomes one about bit sets. There can be exponentially many classes. In that case each label is
//! a class of its own, and contains the classes of the labels that imply it: then only labels that
//! several others cover together are missed.

use indexmap::IndexMap;
use kermode_base::BitSet;
use kermode_bdd::{Bdd, OutOfNodes};
use rustc_hash::FxBuildHasher;

use crate::tgba::graph::Tgba;
use crate::tgba::letter_set::letter_set;

/// With up to this many propositions a set of letters fits into one word.
const FEW_PROPOSITIONS: usize = 6;
/// The largest number of classes.
const MOST_CLASSES: usize = 1 << 10;
/// The largest number of operations to compute them.
const MOST_OPERATIONS: usize = 1 << 16;

/// The letters of a label.
#[derive(Clone, Debug, Default)]
pub(in crate::tgba) struct ClassSets {
    /// The classes that others must have to cover this label.
    pub(in crate::tgba) needed: BitSet,
    /// The classes that this label covers.
    pub(in crate::tgba) covered: BitSet,
}

/// The classes of letters of an automaton.
pub(in crate::tgba) struct LetterClasses {
    letters: IndexMap<Bdd, ClassSets, FxBuildHasher>,
    /// The letters of each class, unless there are too many or they were not wanted.
    classes: Option<Vec<Bdd>>,
}

impl LetterClasses {
    /// Those of an automaton's labels.
    pub(in crate::tgba) fn of<E: From<OutOfNodes>>(
        automaton: &Tgba,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        LetterClasses::at_most(MOST_CLASSES, automaton, interrupt)
    }

    /// The same to compare labels only: the letters of the classes are not available, and with few
    /// propositions each letter is a class.
    pub(in crate::tgba) fn for_comparison<E: From<OutOfNodes>>(
        automaton: &Tgba,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        if automaton.propositions().len() > FEW_PROPOSITIONS {
            return LetterClasses::of(automaton, interrupt);
        }
        let mut letters: IndexMap<Bdd, ClassSets, FxBuildHasher> = IndexMap::default();
        for (_, transition) in automaton.transitions() {
            if !letters.contains_key(&transition.label) {
                let set = BitSet::of_word(letter_set::<1>(&transition.label)[0]);
                let sets = ClassSets { needed: set.clone(), covered: set };
                letters.insert(transition.label.clone(), sets);
            }
        }
        interrupt()?;
        Ok(LetterClasses { letters, classes: None })
    }

    /// The same, with a given limit.
    pub(in crate::tgba) fn at_most<E: From<OutOfNodes>>(
        most: usize,
        automaton: &Tgba,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let labels: IndexMap<Bdd, (), FxBuildHasher> =
            automaton.transitions().map(|(_, t)| (t.label.clone(), ())).collect();
        let labels: Vec<Bdd> = labels.into_keys().collect();
        match split(automaton, &labels, most, interrupt)? {
            Some(classes) => Ok(LetterClasses::exact(labels, classes)),
            None => LetterClasses::by_label(labels, interrupt),
        }
    }

    fn exact(labels: Vec<Bdd>, classes: Vec<(Bdd, BitSet)>) -> Self {
        let letters = labels.into_iter().enumerate().map(|(number, label)| {
            let has = |(class, (_, inside)): (usize, &(Bdd, BitSet))| {
                inside.contains(number).then_some(class)
            };
            let set: BitSet = classes.iter().enumerate().filter_map(has).collect();
            (label, ClassSets { needed: set.clone(), covered: set })
        });
        let letters = letters.collect();
        let classes = classes.into_iter().map(|(class, _)| class).collect();
        LetterClasses { letters, classes: Some(classes) }
    }

    fn by_label<E: From<OutOfNodes>>(
        labels: Vec<Bdd>,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut letters = IndexMap::default();
        let compares = labels.len().saturating_mul(labels.len()) <= MOST_OPERATIONS;
        for (number, label) in labels.iter().enumerate() {
            let mut covered: BitSet = [number].into_iter().collect();
            for (other, stronger) in labels.iter().enumerate().filter(|_| compares) {
                interrupt()?;
                if stronger.entails(label)? {
                    covered.insert(other);
                }
            }
            letters.insert(
                label.clone(),
                ClassSets { needed: [number].into_iter().collect(), covered },
            );
        }
        Ok(LetterClasses { letters, classes: None })
    }

    /// The letters of a label of the automaton.
    pub(in crate::tgba) fn of_label(&self, label: &Bdd) -> &ClassSets {
        &self.letters[label]
    }

    /// The letters of each class. Together they are all letters, and each label is a disjunction of
    /// some of them.
    pub(in crate::tgba) fn classes(&self) -> Option<&[Bdd]> {
        self.classes.as_deref()
    }
}

/// The classes, each with its labels.
fn split<E: From<OutOfNodes>>(
    automaton: &Tgba,
    labels: &[Bdd],
    most: usize,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Vec<(Bdd, BitSet)>>, E> {
    let mut operations = 0;
    let mut classes = vec![(automaton.manager().top(), BitSet::new())];
    for (number, label) in labels.iter().enumerate() {
        for class in 0..classes.len() {
            interrupt()?;
            let inside = classes[class].0.and(label)?;
            if inside.is_bottom() {
                continue;
            }
            let outside = classes[class].0.and_not(label)?;
            if !outside.is_bottom() {
                let labels = classes[class].1.clone();
                classes.push((outside, labels));
            }
            classes[class].0 = inside;
            classes[class].1.insert(number);
        }
        operations += classes.len();
        if classes.len() > most || operations > MOST_OPERATIONS {
            return Ok(None);
        }
    }
    Ok(Some(classes))
}
