//! Acceptance conditions: positive combinations of `Inf` and `Fin` of acceptance sets \[EL87\].
//!
//! `Inf(k)` holds on a run that takes transitions of set `k` infinitely often, and `Fin(k)` on any
//! other run. Terms are stored after their operands, so every operation is one loop over them.
//! Invariants: the last term is the whole condition; a conjunction or disjunction has at least two
//! different operands, none of which is constant or has the same operator.

use std::fmt;

use crate::tgba::Marks;

/// A part of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Term {
    Constant(bool),
    Inf(usize),
    Fin(usize),
    And(Vec<usize>),
    Or(Vec<usize>),
}

/// `Inf` or `Fin` of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// The set is visited infinitely often.
    Inf(usize),
    /// The set is visited finitely often.
    Fin(usize),
}

/// An acceptance condition over sets that are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    terms: Vec<Term>,
}

/// A step of a condition that is written with operators after their operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// True or false.
    Constant(bool),
    /// An atom.
    Atom(Atom),
    /// The conjunction of the last two operands.
    And,
    /// The disjunction of the last two operands.
    Or,
}

impl From<Atom> for Term {
    fn from(atom: Atom) -> Self {
        match atom {
            Atom::Inf(set) => Term::Inf(set),
            Atom::Fin(set) => Term::Fin(set),
        }
    }
}

impl From<Atom> for Condition {
    fn from(atom: Atom) -> Self {
        Condition { terms: vec![atom.into()] }
    }
}

impl Condition {
    /// A condition that every run satisfies, or none.
    pub fn constant(value: bool) -> Self {
        Condition { terms: vec![Term::Constant(value)] }
    }

    /// The conjunction.
    pub fn all(conditions: impl IntoIterator<Item = Condition>) -> Self {
        Condition::joined(conditions, true)
    }

    /// The disjunction.
    pub fn any(conditions: impl IntoIterator<Item = Condition>) -> Self {
        Condition::joined(conditions, false)
    }

    /// The condition of a list in which operators follow their operands. Missing operands are
    /// false.
    pub fn of_postfix(steps: impl IntoIterator<Item = Step>) -> Self {
        let mut builder = Builder::default();
        // The operands of an operator that may get more of them.
        let mut stack: Vec<(bool, Vec<usize>)> = Vec::new();
        for step in steps {
            let operands = match step {
                Step::Constant(value) => (true, vec![builder.add(Term::Constant(value))]),
                Step::Atom(atom) => (true, vec![builder.add(atom.into())]),
                Step::And | Step::Or => {
                    let conjunction = step == Step::And;
                    let (second, first) = (stack.pop(), stack.pop());
                    let mut operand = |operand: Option<(bool, Vec<usize>)>| match operand {
                        Some((operator, all)) if operator == conjunction => all,
                        Some((operator, all)) => vec![builder.join(&all, operator)],
                        None => vec![builder.add(Term::Constant(false))],
                    };
                    let (mut all, mut others) = (operand(first), operand(second));
                    if all.len() < others.len() {
                        std::mem::swap(&mut all, &mut others);
                    }
                    all.append(&mut others);
                    (conjunction, all)
                }
            };
            stack.push(operands);
        }
        let (operator, all) = stack.pop().unwrap_or((false, Vec::new()));
        let root = builder.join(&all, operator);
        builder.condition(root)
    }

    /// The condition with other numbers for its sets.
    pub(crate) fn renumbered(&self, number: impl Fn(usize) -> usize) -> Self {
        self.rebuilt(|builder, term| match term {
            Term::Inf(set) => builder.add(Term::Inf(number(*set))),
            Term::Fin(set) => builder.add(Term::Fin(number(*set))),
            other => builder.add(other.clone()),
        })
    }

    fn joined(conditions: impl IntoIterator<Item = Condition>, conjunction: bool) -> Self {
        let (mut builder, mut operands) = (Builder::default(), Vec::new());
        for condition in conditions {
            let copy = |builder: &mut Builder, term: &Term| builder.add(term.clone());
            operands.push(builder.include(&condition, copy));
        }
        let root = builder.join(&operands, conjunction);
        builder.condition(root)
    }

    /// The condition of exactly the other runs.
    pub fn negated(&self) -> Self {
        self.rebuilt(|builder, term| match term {
            Term::Constant(value) => builder.add(Term::Constant(!value)),
            Term::Inf(set) => builder.add(Term::Fin(*set)),
            Term::Fin(set) => builder.add(Term::Inf(*set)),
            Term::And(operands) => builder.join(operands, false),
            Term::Or(operands) => builder.join(operands, true),
        })
    }

    /// The condition with constants for some of its atoms.
    pub fn assigned(&self, value: impl Fn(Atom) -> Option<bool>) -> Self {
        self.rebuilt(|builder, term| {
            let known = match *term {
                Term::Inf(set) => value(Atom::Inf(set)),
                Term::Fin(set) => value(Atom::Fin(set)),
                _ => None,
            };
            match (known, term) {
                (Some(known), _) => builder.add(Term::Constant(known)),
                (None, Term::And(operands)) => builder.join(operands, true),
                (None, Term::Or(operands)) => builder.join(operands, false),
                (None, atom) => builder.add(atom.clone()),
            }
        })
    }

    /// The condition from the images of all terms, operands first.
    fn rebuilt(&self, image: impl Fn(&mut Builder, &Term) -> usize) -> Self {
        let mut builder = Builder::default();
        let root = builder.include(self, image);
        builder.condition(root)
    }

    /// Whether a run that visits exactly these sets infinitely often satisfies it.
    pub fn holds(&self, visited: &Marks) -> bool {
        self.evaluate(|atom| match atom {
            Atom::Inf(set) => visited.contains(set),
            Atom::Fin(set) => !visited.contains(set),
        })
    }

    /// Its value, given those of its atoms.
    fn evaluate(&self, value: impl Fn(Atom) -> bool) -> bool {
        let mut values: Vec<bool> = Vec::with_capacity(self.terms.len());
        for term in &self.terms {
            values.push(match term {
                Term::Constant(value) => *value,
                Term::Inf(set) => value(Atom::Inf(*set)),
                Term::Fin(set) => value(Atom::Fin(*set)),
                Term::And(operands) => operands.iter().all(|&operand| values[operand]),
                Term::Or(operands) => operands.iter().any(|&operand| values[operand]),
            });
        }
        values.last().copied().unwrap_or_default()
    }

    /// Its value, if it is constant.
    pub fn as_constant(&self) -> Option<bool> {
        match self.root() {
            Term::Constant(value) => Some(*value),
            _ => None,
        }
    }

    /// The sets of its `Fin`s, without repetitions.
    pub fn fin_sets(&self) -> Marks {
        self.atoms().filter_map(|a| if let Atom::Fin(set) = a { Some(set) } else { None }).collect()
    }

    /// Its atoms.
    pub fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        self.terms.iter().filter_map(|term| match *term {
            Term::Inf(set) => Some(Atom::Inf(set)),
            Term::Fin(set) => Some(Atom::Fin(set)),
            _ => None,
        })
    }

    /// The operands of the outermost disjunction; the condition itself if it is none.
    pub(super) fn disjuncts(&self) -> Vec<Condition> {
        match self.root() {
            Term::Or(operands) => operands.iter().map(|&operand| self.part(operand)).collect(),
            _ => vec![self.clone()],
        }
    }

    /// The sets whose `Fin` is an operand of the outermost conjunction, or the condition itself.
    pub(super) fn required_fin_sets(&self) -> Marks {
        let fin = |term: &Term| if let Term::Fin(set) = term { Some(*set) } else { None };
        match self.root() {
            Term::And(operands) => operands.iter().filter_map(|&o| fin(&self.terms[o])).collect(),
            root => fin(root).into_iter().collect(),
        }
    }

    /// Folds over the terms of a condition without `Fin`, operands first.
    pub(super) fn fold<T: Clone>(
        &self,
        mut leaf: impl FnMut(Result<usize, bool>) -> T,
        mut join: impl FnMut(bool, Vec<T>) -> Option<T>,
    ) -> Option<T> {
        let mut values: Vec<T> = Vec::with_capacity(self.terms.len());
        for term in &self.terms {
            let operands = |all: &[usize]| all.iter().map(|&o| values[o].clone()).collect();
            let value = match term {
                Term::Constant(value) => leaf(Err(*value)),
                Term::Inf(set) | Term::Fin(set) => leaf(Ok(*set)),
                Term::And(all) => join(true, operands(all))?,
                Term::Or(all) => join(false, operands(all))?,
            };
            values.push(value);
        }
        values.pop()
    }

    fn root(&self) -> &Term {
        self.terms.last().expect("a condition has a term")
    }

    /// The condition of one term.
    fn part(&self, root: usize) -> Condition {
        let mut needed = vec![false; root + 1];
        needed[root] = true;
        for term in (0..=root).rev().filter(|&t| self.terms[t].operands().len() > 1) {
            if needed[term] {
                self.terms[term].operands().iter().for_each(|&operand| needed[operand] = true);
            }
        }
        let (mut place, mut terms) = (vec![0; root + 1], Vec::new());
        for index in (0..=root).filter(|&index| needed[index]) {
            place[index] = terms.len();
            terms.push(self.terms[index].with_operands(|operand| place[operand]));
        }
        Condition { terms }
    }
}

impl Term {
    fn operands(&self) -> &[usize] {
        match self {
            Term::And(operands) | Term::Or(operands) => operands,
            _ => &[],
        }
    }

    fn with_operands(&self, moved: impl Fn(usize) -> usize) -> Term {
        let all = |operands: &[usize]| operands.iter().map(|&operand| moved(operand)).collect();
        match self {
            Term::And(operands) => Term::And(all(operands)),
            Term::Or(operands) => Term::Or(all(operands)),
            atom => atom.clone(),
        }
    }
}

/// Terms under construction, each once.
#[derive(Default)]
struct Builder {
    terms: indexmap::IndexSet<Term, rustc_hash::FxBuildHasher>,
}

impl Builder {
    fn add(&mut self, term: Term) -> usize {
        self.terms.insert_full(term).0
    }

    /// Adds the images of a condition's terms. `image` gets terms whose operands are images.
    fn include(
        &mut self,
        condition: &Condition,
        image: impl Fn(&mut Builder, &Term) -> usize,
    ) -> usize {
        let mut images: Vec<usize> = Vec::with_capacity(condition.terms.len());
        for term in &condition.terms {
            let term = term.with_operands(|operand| images[operand]);
            images.push(image(self, &term));
        }
        images.last().copied().expect("a condition has a term")
    }

    /// A conjunction or disjunction, simplified.
    fn join(&mut self, operands: &[usize], conjunction: bool) -> usize {
        let mut all: Vec<usize> = Vec::new();
        for &operand in operands {
            match &self.terms[operand] {
                Term::Constant(value) if *value == conjunction => {}
                Term::Constant(_) => return operand,
                Term::And(inner) if conjunction => all.extend(inner),
                Term::Or(inner) if !conjunction => all.extend(inner),
                _ => all.push(operand),
            }
        }
        all.sort_unstable();
        all.dedup();
        match (all.as_slice(), conjunction) {
            ([], _) => self.add(Term::Constant(conjunction)),
            ([only], _) => *only,
            (_, true) => self.add(Term::And(all)),
            (_, false) => self.add(Term::Or(all)),
        }
    }

    fn condition(self, root: usize) -> Condition {
        Condition { terms: self.terms.into_iter().collect() }.part(root)
    }
}

/// As the HOA format writes it.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        enum Todo<'t> {
            Term(usize),
            Text(&'t str),
        }
        let mut todo = vec![Todo::Term(self.terms.len() - 1)];
        while let Some(next) = todo.pop() {
            let index = match next {
                Todo::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Todo::Term(index) => index,
            };
            let (operands, sign) = match &self.terms[index] {
                Term::Constant(value) => {
                    f.write_str(if *value { "t" } else { "f" })?;
                    continue;
                }
                Term::Inf(set) => {
                    write!(f, "Inf({set})")?;
                    continue;
                }
                Term::Fin(set) => {
                    write!(f, "Fin({set})")?;
                    continue;
                }
                Term::And(operands) => (operands, "&"),
                Term::Or(operands) => (operands, "|"),
            };
            let inside = index + 1 < self.terms.len();
            todo.extend(inside.then_some(Todo::Text(")")));
            for (place, &operand) in operands.iter().enumerate().rev() {
                todo.push(Todo::Term(operand));
                todo.extend((place > 0).then_some(Todo::Text(sign)));
            }
            todo.extend(inside.then_some(Todo::Text("(")));
        }
        Ok(())
    }
}
