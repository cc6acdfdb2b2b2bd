//! Acceptance conditions as marks.
//!
//! A condition without `Fin` is a conjunction of clauses, each a disjunction of `Inf`s, and each
//! clause is one mark: on every transition that is in one of its sets, or outside of a set whose
//! complement it names. A clause with a set and its complement always holds. So every condition
//! without `Fin` is a generalised Büchi condition; `t` has no marks, and `f` has one that no
//! transition carries.
//!
//! In a condition with `Fin`, every set and every complement that it names is a mark, and
//! [`crate::emerson_lei`] brings it to generalised Büchi acceptance.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use kermode_base::Diagnostic;

use super::formula::{Formula, Item, read_formula};
use super::reader::{Number, Reader};
use crate::emerson_lei::{Atom, Clause, Condition, Step};
use crate::tgba::Marks;

/// `Inf` or `Fin` of a set or of its complement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AcceptanceAtom {
    infinite: bool,
    complement: bool,
    set: Number,
    span: Range<usize>,
}

/// The acceptance condition of a header.
#[derive(Clone, Debug)]
pub(super) struct AcceptanceItem {
    /// The number of sets.
    pub(super) sets: Number,
    condition: Formula<AcceptanceAtom>,
}

/// Reads `Acceptance:` from after the colon.
pub(super) fn read_acceptance(reader: &mut Reader) -> Result<AcceptanceItem, Diagnostic> {
    let sets = reader.number("the number of acceptance sets")?;
    let condition = read_formula(reader, false, read_atom)?;
    Ok(AcceptanceItem { sets, condition })
}

fn read_atom(reader: &mut Reader) -> Result<AcceptanceAtom, Diagnostic> {
    const EXPECTED: &str = "`Inf`, `Fin`, `t` or `f`";
    let start = reader.span.start;
    let infinite = match reader.found() {
        "Inf" => true,
        "Fin" => false,
        _ => return Err(reader.unexpected(EXPECTED)),
    };
    reader.identifier(EXPECTED)?;
    reader.expect('(', "`(`")?;
    let complement = reader.takes('!')?;
    let set = reader.number("the number of an acceptance set")?;
    let span = start..reader.span.end;
    reader.expect(')', "`)`")?;
    Ok(AcceptanceAtom { infinite, complement, set, span })
}

/// The meaning of a header's acceptance condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Acceptance {
    /// How many marks there are.
    pub(super) mark_count: usize,
    /// The condition over the marks, if it has `Fin`; all marks are required otherwise.
    pub(super) with_fin: Option<Condition>,
    /// The marks of a set, and those of complements.
    of_set: BTreeMap<u64, Vec<usize>>,
    of_complement: Vec<(u64, usize)>,
}

impl AcceptanceItem {
    /// Reports sets that do not exist.
    pub(super) fn check(&self, errors: &mut Vec<Diagnostic>) {
        for item in &self.condition {
            if let Item::Leaf(atom) = item
                && atom.set.value >= self.sets.value
            {
                errors.push(no_such_set(&atom.set, self.sets.value));
            }
        }
    }

    /// The sets that the condition names, each with whether its complement is meant, in order; and
    /// the condition over the indices of this list.
    fn condition(&self) -> (Vec<NamedSet>, Condition) {
        let leaves = self.condition.iter().filter_map(|item| match item {
            Item::Leaf(atom) => Some(atom.named_set()),
            _ => None,
        });
        let sets: Vec<NamedSet> = leaves.collect::<BTreeSet<_>>().into_iter().collect();
        let step = |item: &Item<AcceptanceAtom>| match item {
            Item::Constant(value) => Step::Constant(*value),
            Item::Leaf(atom) => {
                let index = sets.partition_point(|&set| set < atom.named_set());
                Step::Atom(if atom.infinite { Atom::Inf(index) } else { Atom::Fin(index) })
            }
            Item::And => Step::And,
            Item::Or => Step::Or,
            Item::Not => unreachable!("acceptance conditions have no negation"),
        };
        let condition = Condition::of_postfix(self.condition.iter().map(step));
        (sets, condition)
    }

    /// The condition over the numbers of its sets, if no complement is named.
    pub(super) fn plain_condition(&self) -> Option<Condition> {
        let (sets, condition) = self.condition();
        let plain = sets.iter().all(|&(_, complement)| !complement);
        plain.then(|| condition.renumbered(|index| sets[index].0 as usize))
    }

    /// The place of the first `Fin`.
    pub(super) fn first_fin(&self) -> Option<Range<usize>> {
        self.condition.iter().find_map(|item| match item {
            Item::Leaf(atom) if !atom.infinite => Some(atom.span.clone()),
            _ => None,
        })
    }

    /// The meaning of the condition.
    pub(super) fn acceptance(&self) -> Result<Acceptance, Diagnostic> {
        let (sets, condition) = self.condition();
        if !condition.fin_sets().is_empty() {
            let marks = (0..sets.len()).map(|index| BTreeSet::from([index]));
            return Ok(Acceptance {
                with_fin: Some(condition),
                ..Acceptance::new(&sets, marks.collect())
            });
        }
        let mut clauses = condition.clauses().ok_or_else(|| self.too_large())?;
        clauses.retain(|clause| !always_holds(&sets, clause));
        Ok(Acceptance::new(&sets, clauses))
    }

    fn too_large(&self) -> Diagnostic {
        Diagnostic::error(self.sets.span.clone(), "the acceptance condition is too large")
            .label("it grows too much when it is made a conjunction of disjunctions")
    }
}

/// A set, and whether its complement is meant.
type NamedSet = (u64, bool);

impl AcceptanceAtom {
    fn named_set(&self) -> NamedSet {
        (self.set.value, self.complement)
    }
}

/// The error for a set number that is too large.
pub(super) fn no_such_set(set: &Number, sets: u64) -> Diagnostic {
    Diagnostic::error(set.span.clone(), format!("there is no acceptance set {}", set.value))
        .label(format!("`Acceptance:` declares {sets}"))
}

/// Whether a clause has a set and its complement.
fn always_holds(sets: &[NamedSet], clause: &Clause) -> bool {
    let positive = clause.iter().filter(|&&index| !sets[index].1);
    let mut opposites = positive.filter_map(|&i| sets.binary_search(&(sets[i].0, true)).ok());
    opposites.any(|opposite| clause.contains(&opposite))
}

impl Acceptance {
    /// One mark per clause over a list of sets.
    fn new(sets: &[NamedSet], clauses: Vec<Clause>) -> Self {
        let mut acceptance = Acceptance { mark_count: clauses.len(), ..Acceptance::default() };
        for (mark, clause) in clauses.iter().enumerate() {
            for &index in clause {
                match sets[index] {
                    (set, true) => acceptance.of_complement.push((set, mark)),
                    (set, false) => acceptance.of_set.entry(set).or_default().push(mark),
                }
            }
        }
        acceptance
    }

    /// The marks of a transition that is in these sets.
    pub(super) fn marks(&self, sets: &BTreeSet<u64>) -> Marks {
        let named = sets.iter().filter_map(|set| self.of_set.get(set)).flatten().copied();
        let outside = self.of_complement.iter().filter(|(set, _)| !sets.contains(set));
        named.chain(outside.map(|&(_, mark)| mark)).collect()
    }
}
