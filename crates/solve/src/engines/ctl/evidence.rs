//! One path that shows as much as it can of the violation of a formula.
//!
//! The path starts in an initial state that violates the formula. What has to be shown is a claim
//! about a time of the path, and so are the claims that show it. A claim that some path exists is
//! *open* until the path shows it. As long as there are open claims, the path is extended: first
//! for claims about its last state, then for older ones that an extension can still show, such as
//! `EF q` if no state so far satisfied `q` and the last one satisfies `EF q`. When there is nothing
//! to extend, or the path ends in a loop, the claims that are left are not shown.
//!
//! The labels give the truth value of every subformula in every state of the path, so that no claim
//! is wrong. Each extension shows a claim, and leaves claims about smaller formulas, so that there
//! is an end.

use std::collections::BTreeMap;

use kermode_base::BitSet;
use kermode_bdd::Bdd;
use kermode_system::Ctl;
use kermode_system::ctl::Quantifier::{All, Exists};
use kermode_system::ctl::evidence::{Claim, Evidence};
use kermode_system::ctl::{CtlConnective, CtlNode, PathFormula, Subformula};

use super::labels::{Labels, Shape};
use super::mistakes::Mistake;
use super::path::Path;
use crate::compiled::traces::ModelMoment;
use crate::fixpoint::emptiness::FairSpace;
use crate::fixpoint::trace::Traces;
use crate::frame::budget::Stop;

/// A path with its claims.
pub(super) struct Shown {
    pub(super) moments: Vec<ModelMoment>,
    pub(super) loop_start: Option<usize>,
    pub(super) evidence: Evidence,
}

/// Shows that a formula is false in one of some states, unless the path gets too long.
pub(super) fn show(
    labels: &mut Labels,
    formula: &Ctl,
    violating: &Bdd,
    longest: usize,
) -> Result<Option<Shown>, Stop> {
    let start = nearest(labels, formula, violating)?;
    let mut search = EvidenceSearch {
        labels,
        formula,
        ease: ease(formula),
        path: Path::new(start, longest),
        claims: BTreeMap::new(),
        open: Vec::new(),
    };
    search.settle(vec![Claim { time: 0, formula: formula.root(), holds: false }]);
    loop {
        search.show_open()?;
        let Some(claim) = search.next_claim() else { break };
        if !search.extend(claim)? {
            return Ok(None);
        }
    }
    search.finish().map(Some)
}

/// The state among those that violate a formula from which a path to the first goal is shortest.
fn nearest(labels: &mut Labels, formula: &Ctl, violating: &Bdd) -> Result<BitSet, Stop> {
    let (mut root, mut holds) = (formula.root(), false);
    let mut from = violating.clone();
    loop {
        match (formula.node(root), holds) {
            (CtlNode::Not(a), _) => (root, holds) = (a, !holds),
            (CtlNode::Binary(connective, a, b), _) => {
                let operands = match (connective, holds) {
                    (CtlConnective::And, true) => [(a, true), (b, true)],
                    (CtlConnective::Or, false) => [(a, false), (b, false)],
                    (CtlConnective::Implies, false) => [(a, true), (b, false)],
                    _ => break,
                };
                let is_temporal = |operand: &&(Subformula, bool)| {
                    !matches!(formula.node(operand.0), CtlNode::Atom(_))
                };
                let Some(&operand) = operands.iter().find(is_temporal) else { break };
                (root, holds) = operand;
            }
            (CtlNode::Path(quantifier, path), _) if (quantifier == Exists) == holds => {
                if let Shape::Until { stay, goal, bounds: None } = labels.shape(path, holds)? {
                    from = labels.nearest(&stay, &goal, &from)?;
                }
                break;
            }
            _ => break,
        }
    }
    Ok(labels.states.plain().some_state(&from))
}

struct EvidenceSearch<'a, 'o> {
    labels: &'a mut Labels<'o>,
    formula: &'a Ctl,
    ease: Vec<[Ease; 2]>,
    path: Path,
    /// All claims, and whether each is shown.
    claims: BTreeMap<Claim, bool>,
    /// The claims that a path exists and that are not shown yet.
    open: Vec<Claim>,
}

impl EvidenceSearch<'_, '_> {
    fn is_true(&self, claim: Claim) -> bool {
        self.labels.has_value(self.path.state(claim.time), claim.formula, claim.holds)
    }

    /// Adds claims, and those that they follow from at their own time.
    fn settle(&mut self, mut todo: Vec<Claim>) {
        while let Some(claim) = todo.pop() {
            if self.claims.contains_key(&claim) {
                continue;
            }
            let is_open = self.is_existential(claim);
            let support = match self.formula.node(claim.formula) {
                CtlNode::Atom(_) => Some(Vec::new()),
                _ if is_open => None,
                CtlNode::Binary(connective, a, b) => self
                    .easier(connective, [a, b].map(|formula| Claim { formula, ..claim }))
                    .or_else(|| self.support(claim)),
                _ => self.support(claim),
            };
            self.claims.insert(claim, support.is_some());
            if is_open {
                self.open.push(claim);
            }
            todo.extend(support.into_iter().flatten());
        }
    }

    /// Whether a claim says that a path exists.
    fn is_existential(&self, claim: Claim) -> bool {
        match self.formula.node(claim.formula) {
            CtlNode::Path(Exists, _) => claim.holds,
            CtlNode::Path(All, _) => !claim.holds,
            _ => false,
        }
    }

    /// The true claims from which a claim follows on the path so far.
    fn support(&self, claim: Claim) -> Option<Vec<Claim>> {
        self.path.positions().support(self.formula, claim, |claim| self.is_true(claim))
    }

    /// If one operand is enough for a connective, and both would do: the one that is easier to
    /// show.
    fn easier(&self, connective: CtlConnective, [a, b]: [Claim; 2]) -> Option<Vec<Claim>> {
        let needed = match (connective, a.holds) {
            (CtlConnective::And, false) | (CtlConnective::Or, true) => [a, b],
            (CtlConnective::Implies, true) => [Claim { holds: false, ..a }, b],
            _ => return None,
        };
        let ease = |claim: Claim| self.ease[claim.formula.index()][usize::from(claim.holds)];
        let both = needed.iter().all(|&claim| self.is_true(claim));
        both.then(|| vec![if ease(needed[0]) <= ease(needed[1]) { needed[0] } else { needed[1] }])
    }

    /// Shows the open claims that the path shows by now.
    fn show_open(&mut self) -> Result<(), Stop> {
        let mut left = Vec::new();
        while let Some(claim) = self.open.pop() {
            self.labels.states.check_budget()?;
            match self.support(claim) {
                Some(support) => {
                    self.claims.insert(claim, true);
                    self.settle(support);
                }
                None => left.push(claim),
            }
        }
        left.sort_unstable();
        self.open = left;
        Ok(())
    }

    /// The open claim for which the path is extended next.
    fn next_claim(&self) -> Option<Claim> {
        let end = self.path.end()?;
        let candidates = self.open.iter().copied().filter(|&claim| self.can_extend(claim, end));
        candidates.min_by_key(|&claim| (claim.time != end, self.haste(claim), claim))
    }

    /// Whether an extension of the path can show a claim.
    fn can_extend(&self, claim: Claim, end: usize) -> bool {
        let CtlNode::Path(_, path) = self.formula.node(claim.formula) else { return false };
        let holds = |formula, value| {
            let mut times = claim.time..end;
            times.all(|time| self.is_true(Claim { time, formula, holds: value }))
        };
        let waits = match path {
            _ if claim.time == end => return true,
            PathFormula::Next(_)
            | PathFormula::Eventually(_, Some(_))
            | PathFormula::Globally(_, Some(_))
            | PathFormula::Until(_, _, Some(_)) => false,
            PathFormula::Eventually(_, None) if claim.holds => true,
            PathFormula::Globally(_, None) if !claim.holds => true,
            PathFormula::Eventually(a, None) | PathFormula::Globally(a, None) => {
                holds(a, claim.holds)
            }
            PathFormula::Until(a, _, None) if claim.holds => holds(a, true),
            PathFormula::Until(_, b, None) => holds(b, false),
        };
        waits && self.is_true(Claim { time: end, ..claim })
    }

    /// Claims about the next states come first, and those that close the path last.
    fn haste(&self, claim: Claim) -> u8 {
        match self.formula.node(claim.formula) {
            CtlNode::Path(_, PathFormula::Next(_)) => 0,
            CtlNode::Path(
                _,
                PathFormula::Eventually(_, Some(_))
                | PathFormula::Globally(_, Some(_))
                | PathFormula::Until(_, _, Some(_)),
            ) => 1,
            CtlNode::Path(_, PathFormula::Eventually(..)) if claim.holds => 2,
            CtlNode::Path(_, PathFormula::Globally(..)) if !claim.holds => 2,
            CtlNode::Path(_, PathFormula::Until(..)) => 2,
            _ => 3,
        }
    }

    /// Extends the path so that it shows a claim. False if it gets too long.
    fn extend(&mut self, claim: Claim) -> Result<bool, Stop> {
        let CtlNode::Path(_, path) = self.formula.node(claim.formula) else {
            unreachable!("an open claim is about paths")
        };
        let shape = self.labels.shape(path, claim.holds)?;
        if !self.path.extend(self.labels, &shape)? {
            return Ok(false);
        }
        let shown = self.support(claim).expect("the path was extended to show the claim");
        self.claims.insert(claim, true);
        self.open.retain(|&open| open != claim);
        self.settle(shown);
        Ok(true)
    }

    fn finish(self) -> Result<Shown, Stop> {
        let everything = self.labels.mistake() == Some(Mistake::EverythingIsShown);
        let mut evidence = Evidence::default();
        for (claim, is_shown) in self.claims {
            match is_shown || everything {
                true => evidence.shown.push(claim),
                false => evidence.not_shown.push(claim),
            }
        }
        let (moments, loop_start) = self.path.finish(self.labels)?;
        Ok(Shown { moments, loop_start, evidence })
    }
}

/// How much a claim needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ease {
    /// One state.
    State,
    /// One path.
    Path,
    /// More than that.
    Tree,
}

/// For each subformula, how much is needed to show that it is false, and that it is true.
fn ease(formula: &Ctl) -> Vec<[Ease; 2]> {
    let mut known: Vec<[Ease; 2]> = Vec::with_capacity(formula.len());
    for subformula in formula.subformulas() {
        let of = |a: Subformula, holds: bool| known[a.index()][usize::from(holds)];
        let both = |a: Ease, b: Ease| match (a, b) {
            (Ease::State, other) | (other, Ease::State) => other,
            _ => Ease::Tree,
        };
        let along = |a: Ease| if a == Ease::State { Ease::Path } else { Ease::Tree };
        let value = |holds: bool| match formula.node(subformula) {
            CtlNode::Atom(_) => Ease::State,
            CtlNode::Not(a) => of(a, !holds),
            CtlNode::Binary(connective, a, b) => match (connective, holds) {
                (CtlConnective::And, true) => both(of(a, true), of(b, true)),
                (CtlConnective::And, false) => of(a, false).min(of(b, false)),
                (CtlConnective::Or, true) => of(a, true).min(of(b, true)),
                (CtlConnective::Or, false) => both(of(a, false), of(b, false)),
                (CtlConnective::Implies, true) => of(a, false).min(of(b, true)),
                (CtlConnective::Implies, false) => both(of(a, true), of(b, false)),
                (CtlConnective::Iff | CtlConnective::Xor, _) => {
                    let worst = |a| of(a, false).max(of(a, true));
                    both(worst(a), worst(b))
                }
            },
            CtlNode::Path(quantifier, path) if (quantifier == Exists) == holds => match path {
                PathFormula::Next(a) => of(a, holds).max(Ease::Path),
                PathFormula::Eventually(a, _) if holds => of(a, true).max(Ease::Path),
                PathFormula::Globally(a, _) if !holds => of(a, false).max(Ease::Path),
                PathFormula::Eventually(a, _) | PathFormula::Globally(a, _) => along(of(a, holds)),
                PathFormula::Until(a, b, _) if holds => along(of(a, true)).max(of(b, true)),
                PathFormula::Until(a, b, _) => along(of(b, false)).max(of(a, false)),
            },
            CtlNode::Path(..) => Ease::Tree,
        };
        let values = [value(false), value(true)];
        known.push(values);
    }
    known
}
