//! How a path shows that a formula is false in its first state.
//!
//! A [`Claim`] says that a subformula is true or false at a time of the path. A claim *follows*
//! from claims about the operands of the subformula ([`Positions::support`]):
//!
//! - a connective from claims about its operands at the same time;
//! - that some path exists, that is, that `E...` is true or `A...` is false, from claims about the
//!   operands at later times: this path is one;
//! - a formula about all paths, if claims about its own time settle it, such as `AF p` from `p`.
//!
//! Other claims need more than one path: that `AG p` is true, or that both `EX p` and `EX !p` are.
//! They are *not shown*: the path is evidence only if they hold.
//!
//! [`Evidence::judge`] checks the claims that are shown, and evaluates atoms. Two things are not
//! checked, since a path cannot show them: claims that are not shown, and, for a finite path, that
//! a fair path continues from its last state.

use rustc_hash::FxHashSet;

use super::{Ctl, CtlConnective, CtlNode, PathFormula, Quantifier, StepBounds, Subformula};
use crate::model::Model;
use crate::trace::{Trace, columns};

/// The truth value of a subformula at a time of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Claim {
    /// The time: a position of the trace.
    pub time: usize,
    /// The subformula.
    pub formula: Subformula,
    /// Whether it is true.
    pub holds: bool,
}

/// The claims that a path makes about a formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The claims that follow from the states of the path and from other claims, sorted.
    pub shown: Vec<Claim>,
    /// The claims that the path does not show, sorted.
    pub not_shown: Vec<Claim>,
}

impl Evidence {
    /// Whether the claims include that the formula is false in the first state of a trace, and each
    /// claim that is shown follows from others.
    ///
    /// # Panics
    /// When the trace has another number of variables than the model.
    pub fn judge<E>(
        &self,
        model: &Model,
        formula: &Ctl,
        trace: &Trace,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        let is_about_trace = |c: &Claim| c.time < trace.len() && c.formula.index() < formula.len();
        let root = Claim { time: 0, formula: formula.root(), holds: false };
        let claims: FxHashSet<Claim> = self.shown.iter().chain(&self.not_shown).copied().collect();
        if !claims.iter().all(is_about_trace) || !claims.contains(&root) {
            return Ok(false);
        }
        let atoms = formula.atoms();
        let values = columns(&model.graph, &model.system, trace, &atoms);
        let positions = Positions::of(trace);
        for claim in &self.shown {
            interrupt()?;
            let follows = match formula.node(claim.formula) {
                CtlNode::Atom(atom) => {
                    let place = atoms.iter().position(|&other| other == atom);
                    let column = &values[place.expect("an atom of the formula")];
                    (column[claim.time / 64] >> (claim.time % 64) & 1 == 1) == claim.holds
                }
                _ => positions.support(formula, *claim, |claim| claims.contains(&claim)).is_some(),
            };
            if !follows {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The evidence of a longer trace that repeats the loop of a shorter one before its own loop.
    pub fn unrolled(&self, shorter: Positions, length: usize) -> Evidence {
        let longer = |claims: &[Claim]| {
            let mut repeated = Vec::with_capacity(claims.len());
            for time in 0..length {
                let Some(original) = shorter.after(0, time) else { break };
                let first = claims.partition_point(|claim| claim.time < original);
                let here = claims[first..].iter().take_while(|claim| claim.time == original);
                repeated.extend(here.map(|&claim| Claim { time, ..claim }));
            }
            repeated
        };
        Evidence { shown: longer(&self.shown), not_shown: longer(&self.not_shown) }
    }
}

/// Bounds of an operator, if it has any.
type Bounds = Option<StepBounds>;

/// The positions of a path: how many there are, and where the last one leads back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Positions {
    /// The number of positions.
    pub len: usize,
    /// The position after the last one, if the path is infinite.
    pub loop_start: Option<usize>,
}

impl Positions {
    /// The positions of a trace.
    pub fn of(trace: &Trace) -> Self {
        Positions { len: trace.len(), loop_start: trace.loop_start() }
    }

    /// The position after a number of steps from a time. None if the path ends before.
    pub fn after(&self, time: usize, steps: usize) -> Option<usize> {
        let far = time.saturating_add(steps);
        match self.loop_start {
            _ if far < self.len => Some(far),
            Some(start) => Some(start + (far - start) % (self.len - start)),
            None => None,
        }
    }

    /// The claims about operands from which a claim follows, if the path shows it that way. `has`
    /// says which claims there are. Atoms follow from nothing.
    pub fn support(
        &self,
        formula: &Ctl,
        claim: Claim,
        has: impl Fn(Claim) -> bool,
    ) -> Option<Vec<Claim>> {
        let Claim { time, formula: subformula, holds } = claim;
        let rules = Rules { positions: *self, time, has };
        match formula.node(subformula) {
            CtlNode::Atom(_) => None,
            CtlNode::Not(a) => rules.all(&[(time, a, !holds)]),
            CtlNode::Binary(connective, a, b) => rules.connective(connective, a, b, holds),
            CtlNode::Path(quantifier, path) => match (quantifier, holds) {
                (Quantifier::Exists, true) | (Quantifier::All, false) => rules.path(path, holds),
                (Quantifier::Exists, false) | (Quantifier::All, true) => rules.state(path, holds),
            },
        }
    }
}

/// The rules for claims about one time.
struct Rules<H> {
    positions: Positions,
    time: usize,
    has: H,
}

/// The claims from which another one follows.
type Support = Option<Vec<Claim>>;

impl<H: Fn(Claim) -> bool> Rules<H> {
    fn claimed(&self, (time, formula, holds): (usize, Subformula, bool)) -> Option<Claim> {
        Some(Claim { time, formula, holds }).filter(|&claim| (self.has)(claim))
    }

    fn all(&self, claims: &[(usize, Subformula, bool)]) -> Support {
        claims.iter().map(|&claim| self.claimed(claim)).collect()
    }

    fn connective(
        &self,
        connective: CtlConnective,
        a: Subformula,
        b: Subformula,
        holds: bool,
    ) -> Support {
        let now = self.time;
        let both = |x, y| self.all(&[(now, a, x), (now, b, y)]);
        let either = |x, y| self.all(&[(now, a, x)]).or_else(|| self.all(&[(now, b, y)]));
        match (connective, holds) {
            (CtlConnective::And, true) => both(true, true),
            (CtlConnective::And, false) => either(false, false),
            (CtlConnective::Or, true) => either(true, true),
            (CtlConnective::Or, false) => both(false, false),
            (CtlConnective::Implies, true) => either(false, true),
            (CtlConnective::Implies, false) => both(true, false),
            (CtlConnective::Iff, same) => both(true, same).or_else(|| both(false, !same)),
            (CtlConnective::Xor, differ) => both(true, !differ).or_else(|| both(false, differ)),
        }
    }

    /// The path from this time on satisfies a path formula, or violates it.
    fn path(&self, path: PathFormula, holds: bool) -> Support {
        match path {
            PathFormula::Next(a) => self.all(&[(self.positions.after(self.time, 1)?, a, holds)]),
            PathFormula::Eventually(a, bounds) if holds => self.somewhere(bounds, a, true),
            PathFormula::Eventually(a, bounds) => self.everywhere(bounds, a, false),
            PathFormula::Globally(a, bounds) if holds => self.everywhere(bounds, a, true),
            PathFormula::Globally(a, bounds) => self.somewhere(bounds, a, false),
            PathFormula::Until(a, b, bounds) if holds => self.until(bounds, a, b),
            PathFormula::Until(a, b, bounds) => self.not_until(bounds, a, b),
        }
    }

    /// The positions at distances in some bounds; none where the path has ended. Positions repeat
    /// themselves in a loop, so that one pass is enough.
    fn window(&self, bounds: Bounds) -> impl Iterator<Item = Option<usize>> + '_ {
        let bounds = bounds.unwrap_or(StepBounds { low: 0, high: u32::MAX });
        let (low, high) = (bounds.low as usize, bounds.high as usize);
        let last = low.saturating_add(self.positions.len).min(high);
        (low..=last).map(|steps| self.positions.after(self.time, steps))
    }

    /// The positions at distances below the bounds; none where the path has ended.
    fn before(&self, bounds: Bounds) -> impl Iterator<Item = Option<usize>> + '_ {
        let low = bounds.map_or(0, |bounds| bounds.low as usize);
        (0..low.min(self.positions.len)).map(|steps| self.positions.after(self.time, steps))
    }

    fn somewhere(&self, bounds: Bounds, a: Subformula, holds: bool) -> Support {
        let mut window = self.window(bounds).flatten();
        let claim = window.find_map(|position| self.claimed((position, a, holds)))?;
        Some(vec![claim])
    }

    fn everywhere(&self, bounds: Bounds, a: Subformula, holds: bool) -> Support {
        self.window(bounds).map(|position| self.claimed((position?, a, holds))).collect()
    }

    /// `b` in the window, and `a` before.
    fn until(&self, bounds: Bounds, a: Subformula, b: Subformula) -> Support {
        let waits = self.before(bounds).map(|position| self.claimed((position?, a, true)));
        let mut claims: Vec<Claim> = waits.collect::<Option<_>>()?;
        for position in self.window(bounds) {
            if let Some(arrives) = self.claimed((position?, b, true)) {
                claims.push(arrives);
                return Some(claims);
            }
            claims.push(self.claimed((position?, a, true))?);
        }
        None
    }

    /// `b` is false in the window, at least until `a` is false, too; or `a` is false before.
    fn not_until(&self, bounds: Bounds, a: Subformula, b: Subformula) -> Support {
        for position in self.before(bounds) {
            if let Some(too_early) = self.claimed((position?, a, false)) {
                return Some(vec![too_early]);
            }
        }
        let mut claims = Vec::new();
        for position in self.window(bounds) {
            claims.push(self.claimed((position?, b, false))?);
            if let Some(fails) = self.claimed((position?, a, false)) {
                claims.push(fails);
                return Some(claims);
            }
        }
        Some(claims)
    }

    /// What holds at this time settles a formula about all paths.
    fn state(&self, path: PathFormula, holds: bool) -> Support {
        let starts_now = |bounds: Bounds| bounds.is_none_or(|bounds| bounds.low == 0);
        let now = self.time;
        match path {
            PathFormula::Eventually(a, bounds) if holds && starts_now(bounds) => {
                self.all(&[(now, a, true)])
            }
            PathFormula::Globally(a, bounds) if !holds && starts_now(bounds) => {
                self.all(&[(now, a, false)])
            }
            PathFormula::Until(_, b, bounds) if holds && starts_now(bounds) => {
                self.all(&[(now, b, true)])
            }
            PathFormula::Until(a, b, bounds) if !holds => match starts_now(bounds) {
                true => self.all(&[(now, a, false), (now, b, false)]),
                false => self.all(&[(now, a, false)]),
            },
            _ => None,
        }
    }
}
