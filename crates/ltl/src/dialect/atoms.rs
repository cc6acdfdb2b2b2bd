//! Relations between comparisons: `x < 3` implies `x < 5`, `x <= 3` and `x = 4` exclude each other,
//! and so do `mode = landing` and `mode = taxi`.
//!
//! The propositions about one term are ordered. The term is the text of the left side. The sets
//! `x < c` and `x <= c` form a chain, so `n` of them need `n - 1` implications. An equality lies
//! between two neighbours of the chain, which separates it from all equalities in other gaps.
//! Equalities in the same gap exclude each other. Numbers are real numbers: `x < 3` and `x <= 2`
//! differ.
//!
//! A name on the right of `=` is a constant unless the formulas use it as a variable: as a
//! proposition, on the left of a comparison, or inside an expression. All other atoms, such as
//! `x <= y`, are independent of each other.

use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use super::terms::{self, Comparison, Parts};
use super::{Dialect, Table};
use crate::operator::{BinaryOp, UnaryOp};
use crate::store::{Formula, Proposition, Store};

/// The comparisons and calls of some formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Atoms {
    /// The relations that hold at every position, one formula `G ...` per compared term.
    pub assumptions: Vec<Formula>,
    /// The names of the atoms without such relations.
    pub independent: Vec<String>,
}

/// The largest number of digits on each side of the decimal point.
const MOST_DIGITS: usize = 18;

/// The comparisons of one term.
#[derive(Default)]
struct Group {
    /// `x < c` and `x <= c`; the key of the latter has `true`.
    cuts: Vec<((i128, bool), Formula)>,
    numbers: Vec<(i128, Formula)>,
    symbols: Vec<Formula>,
}

impl Atoms {
    /// The atoms of formulas that were read in the given dialect.
    pub fn of(store: &mut Store, formulas: &[Formula], dialect: Dialect) -> Atoms {
        let table = dialect.table();
        let mut propositions: Vec<Proposition> =
            formulas.iter().flat_map(|&formula| store.propositions(formula)).collect();
        propositions.sort_unstable();
        propositions.dedup();
        let is_atom = |p: &Proposition| terms::is_atom(store.name(*p), table);
        let (atoms, plain): (Vec<_>, Vec<_>) = propositions.into_iter().partition(is_atom);
        if atoms.is_empty() {
            return Atoms::default();
        }
        let compared: Vec<Option<Parts>> =
            atoms.iter().map(|&atom| terms::parts(store.name(atom), table)).collect();
        let mut variables = variables(store, &atoms, &compared, table);
        variables.extend(plain.iter().map(|&p| store.name(p).to_owned()));
        let mut groups: IndexMap<String, Group> = IndexMap::new();
        let mut independent = Vec::new();
        for (&atom, parts) in atoms.iter().zip(compared) {
            let formula = store.atom(atom);
            let is_known = parts.is_some_and(|parts| {
                let group = groups.entry(parts.left.clone()).or_default();
                group.add(&parts, formula, &variables)
            });
            if !is_known {
                independent.push(store.name(atom).to_owned());
            }
        }
        let assumptions = groups.into_values().filter_map(|group| group.assumption(store));
        Atoms { assumptions: assumptions.collect(), independent }
    }
}

/// The names that are not constants.
fn variables(
    store: &Store,
    atoms: &[Proposition],
    compared: &[Option<Parts>],
    table: &Table,
) -> FxHashSet<String> {
    let mut found = FxHashSet::default();
    let mut add = |term: &str| {
        found.extend(terms::names(term, table).into_iter().map(str::to_owned));
    };
    for (&atom, parts) in atoms.iter().zip(compared) {
        match parts {
            None => add(store.name(atom)),
            Some(Parts { left, comparison, right }) => {
                add(left);
                if *comparison != Comparison::Equal || !is_constant(right) {
                    add(right);
                }
            }
        }
    }
    found
}

/// Whether a term is one word or a quoted name.
fn is_constant(term: &str) -> bool {
    let quoted = term.len() > 1 && term.starts_with('"') && term.ends_with('"');
    quoted || !term.contains([' ', '(', '"']) && !term.starts_with('-')
}

/// A number in units of ten to the power of minus [`MOST_DIGITS`].
fn number(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let fits = |text: &str| text.len() <= MOST_DIGITS && all_digits(text);
    if whole.is_empty() || !fits(whole) || !fits(fraction) {
        return None;
    }
    let padded = format!("{whole}{fraction:0<MOST_DIGITS$}");
    let value: i128 = padded.parse().ok()?;
    Some(if negative { -value } else { value })
}

impl Group {
    /// Adds an atom; returns false if no relations of such atoms are known.
    fn add(&mut self, parts: &Parts, formula: Formula, variables: &FxHashSet<String>) -> bool {
        let is_new = |taken: bool| !taken;
        match (parts.comparison, number(&parts.right)) {
            (Comparison::Equal, Some(value)) => {
                let taken = self.numbers.iter().any(|(other, _)| *other == value);
                self.numbers.extend(is_new(taken).then_some((value, formula)));
                is_new(taken)
            }
            (Comparison::Equal, None) => {
                let known = is_constant(&parts.right) && !variables.contains(&parts.right);
                let known = known && !parts.right.starts_with(|c: char| c.is_ascii_digit());
                self.symbols.extend(known.then_some(formula));
                known
            }
            (comparison, Some(value)) => {
                let key = (value, comparison == Comparison::AtMost);
                let taken = self.cuts.iter().any(|(other, _)| *other == key);
                self.cuts.extend(is_new(taken).then_some((key, formula)));
                is_new(taken)
            }
            (_, None) => false,
        }
    }

    /// The relations of the group; `None` if there are none.
    fn assumption(mut self, store: &mut Store) -> Option<Formula> {
        self.cuts.sort_unstable();
        self.numbers.sort_unstable();
        let mut all = Vec::new();
        for pair in self.cuts.windows(2) {
            all.push(store.binary(BinaryOp::Implies, pair[0].1, pair[1].1));
        }
        let mut gaps: IndexMap<usize, Vec<Formula>> = IndexMap::new();
        for &(value, equal) in &self.numbers {
            let gap = self.cuts.partition_point(|&(cut, _)| cut < (value, true));
            if let Some(&(_, above)) = self.cuts.get(gap) {
                all.push(store.binary(BinaryOp::Implies, equal, above));
            }
            if let Some(&(_, below)) = gap.checked_sub(1).and_then(|below| self.cuts.get(below)) {
                let not_below = store.not(below);
                all.push(store.binary(BinaryOp::Implies, equal, not_below));
            }
            if let (Some(less), Some(at_most)) = (self.cut(value, false), self.cut(value, true)) {
                let either = store.or(less, equal);
                all.push(store.binary(BinaryOp::Implies, at_most, either));
            }
            // With names, all equalities are in one group, because no gap separates names from
            // numbers.
            let gap = if self.symbols.is_empty() { gap } else { 0 };
            gaps.entry(gap).or_default().push(equal);
        }
        gaps.entry(0).or_default().append(&mut self.symbols);
        for equalities in gaps.into_values() {
            at_most_one(store, &equalities, &mut all);
        }
        if all.is_empty() {
            return None;
        }
        let all = store.all(all);
        Some(store.unary(UnaryOp::Globally, all))
    }

    fn cut(&self, value: i128, closed: bool) -> Option<Formula> {
        let found = self.cuts.binary_search_by_key(&(value, closed), |&(key, _)| key).ok()?;
        Some(self.cuts[found].1)
    }
}

/// At most one of the formulas holds: each excludes the disjunction of those before it, which is
/// shared.
fn at_most_one(store: &mut Store, formulas: &[Formula], all: &mut Vec<Formula>) {
    let mut before: Option<Formula> = None;
    for &formula in formulas {
        before = Some(match before {
            None => formula,
            Some(before) => {
                let both = store.and(formula, before);
                all.push(store.not(both));
                store.or(before, formula)
            }
        });
    }
}
