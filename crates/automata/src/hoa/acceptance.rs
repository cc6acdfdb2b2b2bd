//! Acceptance conditions as marks.
//!
//! A condition without `Fin` is a conjunction of clauses, each a disjunction of `Inf`s. One of
//! finitely many sets is visited infinitely often exactly if their union is, so a clause is one
//! mark: on every transition that is in one of its sets, or outside of a set whose complement it
//! names. A clause with a set and its complement always holds. So every condition without `Fin` is
//! a generalised Büchi condition; `t` has no marks, and `f` has one that no transition carries.
//!
//! `Fin` would require changes to the automaton, and is refused with the name of the condition.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use kermode_base::Diagnostic;

use super::formula::{Formula, Item, read_formula};
use super::reader::{Number, Reader};
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

/// A disjunction of `Inf`s: sets, each with whether its complement is meant.
type Clause = BTreeSet<(u64, bool)>;

/// The largest number of `Inf`s that are written while clauses are computed.
const MOST_WORK: usize = 1 << 20;
/// The largest number of clauses that are compared with each other.
const FEW_CLAUSES: usize = 256;

/// The clauses of a condition, each of which becomes a mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clauses {
    clauses: Vec<Clause>,
    /// The clauses that name a set, and those that name a complement.
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

    /// Whether the condition is `Inf(0) & .. & Inf(n - 1)` of all its sets.
    pub(super) fn is_generalised_buchi(&self) -> bool {
        let clauses = self.clauses("").unwrap_or_default().clauses;
        let expected = (0..clauses.len() as u64).map(|set| Clause::from([(set, false)]));
        clauses.len() as u64 == self.sets.value && clauses.into_iter().eq(expected)
    }

    /// The condition as clauses. `name` is what `acc-name:` calls it.
    pub(super) fn clauses(&self, name: &str) -> Result<Clauses, Diagnostic> {
        let mut values: Vec<BTreeSet<Clause>> = Vec::new();
        let mut left = MOST_WORK;
        for item in &self.condition {
            let mut operand = || values.pop().unwrap_or_default();
            let value = match item {
                Item::Constant(true) => BTreeSet::new(),
                Item::Constant(false) | Item::Not => BTreeSet::from([Clause::new()]),
                Item::Leaf(atom) if atom.infinite => {
                    BTreeSet::from([Clause::from([(atom.set.value, atom.complement)])])
                }
                Item::Leaf(atom) => return Err(self.refusal(atom, name)),
                Item::And => both(operand(), operand()),
                Item::Or => {
                    either(operand(), operand(), &mut left).ok_or_else(|| self.too_large())?
                }
            };
            values.push(value);
        }
        Ok(Clauses::new(values.pop().unwrap_or_default()))
    }

    fn too_large(&self) -> Diagnostic {
        Diagnostic::error(self.sets.span.clone(), "the acceptance condition is too large")
            .label("it grows too much when it is made a conjunction of disjunctions")
    }

    fn refusal(&self, atom: &AcceptanceAtom, name: &str) -> Diagnostic {
        let kind = match (name, &self.condition[..]) {
            ("", [_]) => "co-Büchi acceptance".to_owned(),
            ("", _) => "acceptance with `Fin`".to_owned(),
            (name, _) => format!("acceptance `{name}`"),
        };
        Diagnostic::error(atom.span.clone(), format!("{kind} is not supported"))
            .label("only `Inf`, `t` and `f` are read")
            .help("turn it into a generalised Büchi automaton first; `autfilt --gba` of Spot does")
    }
}

/// The error for a set number that is too large.
pub(super) fn no_such_set(set: &Number, sets: u64) -> Diagnostic {
    Diagnostic::error(set.span.clone(), format!("there is no acceptance set {}", set.value))
        .label(format!("`Acceptance:` declares {sets}"))
}

/// The union of two sets, reusing the larger one.
fn both<T: Ord>(mut a: BTreeSet<T>, mut b: BTreeSet<T>) -> BTreeSet<T> {
    if a.len() < b.len() {
        std::mem::swap(&mut a, &mut b);
    }
    a.extend(b);
    a
}

/// All disjunctions of a clause of the one and a clause of the other, unless that is too much work.
fn either(
    mut a: BTreeSet<Clause>,
    mut b: BTreeSet<Clause>,
    left: &mut usize,
) -> Option<BTreeSet<Clause>> {
    let size = |clauses: &BTreeSet<Clause>| clauses.iter().map(BTreeSet::len).sum::<usize>();
    // Long disjunctions of single sets are common, and need not be copied at each step.
    let alone = a.len() == 1 && b.len() == 1;
    let work = match alone {
        true => size(&a).min(size(&b)),
        false => size(&a) * b.len() + size(&b) * a.len(),
    };
    *left = left.checked_sub(work)?;
    Some(match (alone, a.pop_first(), b.pop_first()) {
        (true, Some(a), Some(b)) => BTreeSet::from([both(a, b)]),
        (_, first, second) => {
            a.extend(first);
            b.extend(second);
            a.iter().flat_map(|a| b.iter().map(move |b| a | b)).collect()
        }
    })
}

fn always_holds(clause: &Clause) -> bool {
    clause.iter().any(|&(set, complement)| !complement && clause.contains(&(set, true)))
}

impl Clauses {
    fn new(clauses: BTreeSet<Clause>) -> Self {
        let clauses = without_weaker(clauses);
        let mut of_set: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        let mut of_complement = Vec::new();
        for (mark, clause) in clauses.iter().enumerate() {
            for &(set, complement) in clause {
                match complement {
                    true => of_complement.push((set, mark)),
                    false => of_set.entry(set).or_default().push(mark),
                }
            }
        }
        Clauses { clauses, of_set, of_complement }
    }

    /// How many marks there are.
    pub(super) fn len(&self) -> usize {
        self.clauses.len()
    }

    /// The marks of a transition that is in these sets.
    pub(super) fn marks(&self, sets: &BTreeSet<u64>) -> Marks {
        let named = sets.iter().filter_map(|set| self.of_set.get(set)).flatten().copied();
        let outside = self.of_complement.iter().filter(|(set, _)| !sets.contains(set));
        named.chain(outside.map(|&(_, mark)| mark)).collect()
    }
}

/// Clauses that neither always hold nor are implied by others. With many clauses, implied ones are
/// kept.
fn without_weaker(clauses: BTreeSet<Clause>) -> Vec<Clause> {
    let clauses: Vec<Clause> = clauses.into_iter().filter(|c| !always_holds(c)).collect();
    if clauses.len() > FEW_CLAUSES {
        return clauses;
    }
    let implied =
        |clause: &Clause| clauses.iter().any(|other| other != clause && other.is_subset(clause));
    clauses.iter().filter(|clause| !implied(clause)).cloned().collect()
}
