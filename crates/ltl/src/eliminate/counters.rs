//! Replaces bounded operators by counters: a window of `n` positions costs about `log n`
//! propositions.
//!
//! The formula is first brought into negation normal form. There every operator is monotone, so a
//! bounded operator may be replaced by a fresh proposition that *implies* it. Each word of the
//! result is then a word of the original formula. Conversely, a word of the original formula
//! extends to a word of the result: the fresh proposition holds exactly where the operator does.
//! The kind of counter depends on the positions at which the value of the operator is needed:
//!
//! - *The first position only*: all such operators share one clock `t`. The clock counts positions
//!   and stops after the largest bound. `a U[l,h] b` becomes `(a & t <= h) U (l <= t <= h & b)`,
//!   and `R[]` is the dual.
//! - *Any positions*, with lower bound 0: each operator has its own counter, which runs down from
//!   `n`. For `F[0,n] b` the earliest deadline counts: a request starts the counter if it is at
//!   rest, `b` stops it, and `b` is forced at 1. For `G[0,n] b` the latest deadline counts: each
//!   request restarts the counter, and `b` is forced while it runs. For `O[0,n] b` and `H[0,n] b`
//!   the counter is started by `b` or `!b`, and the operator depends on whether it runs.
//!   `a U[0,n] b` is `(a U b) & F[0,n] b`, and `R[]` is the dual.
//! - *One position*, with a positive lower bound: the counters are the same, but a counter starts
//!   only when it is at rest.
//!
//! All other operators are written out. Most of them have a positive lower bound and overlapping
//! windows. Small bounds are written out as well, because that costs less.
//!
//! Invariant: the word and the fresh propositions that start and stop counters determine the
//! counters. A counter without requests is at rest.

use super::Fresh;
use super::past::Memory;
use crate::normal::{Allowance, ExpansionTooLarge, expand_node, negation_normal_form};
use crate::operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Interval, Node, Proposition, Store, Subformulas};
use crate::word::WordKind;

/// Bounds up to this one are written out.
pub(super) const WRITTEN_OUT: u32 = 8;

/// A formula without bounded operators that is satisfiable if and only if `root` is. Models of the
/// result are models of `root`. Bounds up to `near` are written out; this adds at most `limit`
/// subformulas.
pub(super) fn count_windows(
    store: &mut Store,
    root: Formula,
    words: WordKind,
    near: u32,
    limit: u64,
) -> Result<Formula, ExpansionTooLarge> {
    let far = |store: &Store, formula| {
        bounds_of(store, store.node(formula)).is_some_and(|bounds| bounds.high > near)
    };
    if !store.subformulas(root).iter().any(|formula| far(store, formula)) {
        return crate::normal::expand_bounded(store, root, words, limit);
    }
    let root = negation_normal_form(store, root, words);
    let subformulas = store.subformulas(root);
    let asked = asked(store, &subformulas);
    let present = present(store, &subformulas);
    let mut windows = Windows {
        words,
        near,
        names: Fresh::new("window"),
        allowance: Allowance { limit, left: limit },
        memories: Vec::new(),
        laws: Vec::new(),
        clock: None,
        latest: latest(store, &subformulas, &asked),
    };
    let mut replaced: Vec<Formula> = Vec::with_capacity(subformulas.len());
    for (position, formula) in subformulas.iter().enumerate() {
        let operand = |a: Formula| {
            let position = subformulas.position(a);
            Operand { formula: replaced[position], present: present[position] }
        };
        let node = store.node(formula);
        let result = match bounds_of(store, node) {
            Some(bounds) => windows.replace(store, node, bounds, asked[position], operand)?,
            None => store.intern(node.map(|a| operand(a).formula)),
        };
        replaced.push(result);
    }
    let formula = replaced.pop().unwrap_or(root);
    Ok(windows.constrained(store, formula))
}

fn bounds_of(store: &Store, node: Node) -> Option<Interval> {
    match node {
        Node::BoundedUnary(_, bounds, _) | Node::BoundedBinary(_, bounds, _, _) => {
            Some(store.interval(bounds))
        }
        _ => None,
    }
}

/// The positions at which the value of a subformula may be needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Asked {
    AtFirst,
    /// At one position.
    Once,
    Anywhere,
}

/// The positions at which each subformula of a negation normal form is needed.
fn asked(store: &Store, subformulas: &Subformulas) -> Vec<Asked> {
    let mut asked: Vec<Option<Asked>> = vec![None; subformulas.len()];
    if let Some(root) = asked.last_mut() {
        *root = Some(Asked::AtFirst);
    }
    for (position, formula) in subformulas.iter().enumerate().rev() {
        let node = store.node(formula);
        let here = asked[position].unwrap_or(Asked::Anywhere);
        for (side, operand) in node.operands().enumerate() {
            let there = here.max(operand_asked(store, node, side));
            let operand = &mut asked[subformulas.position(operand)];
            *operand = Some(match *operand {
                None => there,
                // Two operators may need the operand at different positions.
                Some(before) if before.max(there) == Asked::AtFirst => Asked::AtFirst,
                Some(_) => Asked::Anywhere,
            });
        }
    }
    asked.into_iter().map(|asked| asked.unwrap_or(Asked::Anywhere)).collect()
}

/// Where an operator that is needed at one position needs its operand.
fn operand_asked(store: &Store, node: Node, side: usize) -> Asked {
    use BinaryOp::{And, Or, Release, Since, StrongRelease, Until, WeakUntil};
    use UnaryOp::{Finally, Next, Not, Once, WeakNext, WeakYesterday, Yesterday};
    let single = bounds_of(store, node).is_some_and(|bounds| bounds.low == bounds.high);
    let once = match node {
        Node::Unary(Not, _) | Node::Binary(And | Or, _, _) => return Asked::AtFirst,
        Node::Unary(op, _) => {
            matches!(op, Finally | Next | WeakNext | Once | Yesterday | WeakYesterday)
        }
        Node::Binary(Until | WeakUntil | Since, _, _) => side == 1,
        Node::Binary(Release | StrongRelease, _, _) => side == 0,
        Node::BoundedUnary(op, _, _) => {
            single || matches!(op, BoundedUnaryOp::Finally | BoundedUnaryOp::Once)
        }
        _ => false,
    };
    if once { Asked::Once } else { Asked::Anywhere }
}

/// Which subformulas have no temporal operators.
fn present(store: &Store, subformulas: &Subformulas) -> Vec<bool> {
    let mut present: Vec<bool> = Vec::with_capacity(subformulas.len());
    for formula in subformulas.iter() {
        let node = store.node(formula);
        let below = node.operands().all(|a| present[subformulas.position(a)]);
        present.push(below && !node.is_temporal());
    }
    present
}

/// The largest bound of the operators that are needed at the first position.
fn latest(store: &Store, subformulas: &Subformulas, asked: &[Asked]) -> u32 {
    let first = subformulas.iter().zip(asked).filter(|(_, asked)| **asked == Asked::AtFirst);
    let nodes = first.map(|(formula, _)| store.node(formula)).filter(|node| !node.is_past());
    nodes.filter_map(|node| bounds_of(store, node)).map(|bounds| bounds.high).max().unwrap_or(0)
}

/// An operand of a bounded operator. Its own bounded operators are already replaced.
#[derive(Clone, Copy)]
struct Operand {
    formula: Formula,
    /// Whether it has no temporal operators, so that it may be negated.
    present: bool,
}

/// The counters built so far.
struct Windows {
    words: WordKind,
    /// Bounds up to this one are written out.
    near: u32,
    names: Fresh,
    allowance: Allowance,
    /// The bits of all counters.
    memories: Vec<Memory>,
    /// Formulas that hold at every position.
    laws: Vec<Formula>,
    clock: Option<Counter>,
    /// The largest bound that the clock serves; the clock stops one position later.
    latest: u32,
}

impl Windows {
    /// The formula together with the constraints of the counters.
    fn constrained(self, store: &mut Store, formula: Formula) -> Formula {
        let mut start = formula;
        let mut laws = self.laws;
        for memory in &self.memories {
            let first = memory.first_value(store);
            start = store.and(start, first);
            laws.push(memory.law(store, self.words));
        }
        let laws = store.all(laws);
        let always = store.unary(UnaryOp::Globally, laws);
        store.and(start, always)
    }

    /// Replaces a bounded operator. Its operands have no bounded operators.
    fn replace(
        &mut self,
        store: &mut Store,
        node: Node,
        bounds: Interval,
        asked: Asked,
        operand: impl Fn(Formula) -> Operand,
    ) -> Result<Formula, ExpansionTooLarge> {
        use BoundedUnaryOp::{Finally, Globally, Historically, Once};
        let far = bounds.high > self.near;
        let counted = far && (bounds.low == 0 || asked == Asked::Once);
        let (yes, no) = (store.constant(true), store.constant(false));
        Ok(match node {
            Node::BoundedUnary(op @ (Once | Historically), _, b) if asked == Asked::AtFirst => {
                match bounds.low {
                    0 => operand(b).formula,
                    _ => store.constant(op == Historically),
                }
            }
            Node::BoundedUnary(Finally, _, b) if far && asked == Asked::AtFirst => {
                self.until_by_clock(store, yes, bounds, operand(b).formula)
            }
            Node::BoundedUnary(Globally, _, b) if far && asked == Asked::AtFirst => {
                self.release_by_clock(store, no, bounds, operand(b).formula)
            }
            Node::BoundedBinary(op, _, a, b) if far && asked == Asked::AtFirst => {
                let [a, b] = [a, b].map(|a| operand(a).formula);
                match op {
                    BoundedBinaryOp::Until => self.until_by_clock(store, a, bounds, b),
                    BoundedBinaryOp::Release => self.release_by_clock(store, a, bounds, b),
                }
            }
            Node::BoundedUnary(Finally, _, b) if counted => {
                self.deadline(store, bounds, operand(b)).0
            }
            Node::BoundedUnary(Globally, _, b) if counted => {
                self.hold(store, bounds, operand(b).formula)
            }
            Node::BoundedBinary(BoundedBinaryOp::Until, _, a, b) if counted => {
                let (a, b) = (operand(a).formula, operand(b));
                let (request, done) = self.deadline(store, bounds, b);
                let goal = if bounds.low == 0 { b.formula } else { done };
                let until = store.binary(BinaryOp::Until, a, goal);
                store.and(until, request)
            }
            Node::BoundedBinary(BoundedBinaryOp::Release, _, a, b)
                if counted && bounds.low == 0 =>
            {
                let (a, b) = (operand(a).formula, operand(b).formula);
                let release = store.binary(BinaryOp::Release, a, b);
                let hold = self.hold(store, bounds, b);
                store.or(release, hold)
            }
            Node::BoundedUnary(op @ (Once | Historically), _, b) if far && bounds.low == 0 => {
                self.recent(store, op, bounds.high, operand(b))
            }
            node => {
                let node = node.map(|a| operand(a).formula);
                return expand_node(store, node, self.words, &mut self.allowance);
            }
        })
    }

    fn fresh(&mut self, store: &mut Store) -> Formula {
        let proposition = self.names.proposition(store);
        store.atom(proposition)
    }

    /// A formula that implies the operand and may be negated.
    fn lower(&mut self, store: &mut Store, operand: Operand) -> Formula {
        if operand.present {
            return operand.formula;
        }
        let lower = self.fresh(store);
        let law = store.binary(BinaryOp::Implies, lower, operand.formula);
        self.laws.push(law);
        lower
    }

    /// A request for `F[bounds] b`, and the formula that fulfils it: `b` inside the window.
    fn deadline(&mut self, store: &mut Store, bounds: Interval, b: Operand) -> (Formula, Formula) {
        let b = self.lower(store, b);
        let request = self.fresh(store);
        let counter = self.counter(store, u64::from(bounds.high));
        let runs = counter.nonzero(store);
        let done = match bounds.low {
            0 => b,
            low => {
                let inside = counter.at_most(store, u64::from(bounds.high - low) + 1);
                store.all([runs, inside, b])
            }
        };
        let pending = store.or(request, runs);
        let open = store.not(done);
        let goes_on = store.and(pending, open);
        let less = counter.minus_one(store);
        let next = counter.bits.iter().enumerate().map(|(bit, _)| {
            let started = store.constant(has_bit(u64::from(bounds.high), bit));
            let next = choose(store, runs, less[bit], started);
            store.and(goes_on, next)
        });
        let next: Vec<Formula> = next.collect();
        self.remember(&counter, next);
        let last = counter.equals(store, 1);
        let due = store.binary(BinaryOp::Implies, last, done);
        self.laws.push(due);
        if self.words == WordKind::Finite {
            let yes = store.constant(true);
            let another = store.unary(UnaryOp::Next, yes);
            let lasts = store.binary(BinaryOp::Implies, goes_on, another);
            self.laws.push(lasts);
        }
        self.start_at_rest(store, bounds, request, runs);
        (request, done)
    }

    /// A request for `G[bounds] b`.
    fn hold(&mut self, store: &mut Store, bounds: Interval, b: Formula) -> Formula {
        let request = self.fresh(store);
        let counter = self.counter(store, u64::from(bounds.high));
        let runs = counter.nonzero(store);
        self.run_down(store, &counter, request, bounds.high);
        let held = match bounds.low {
            0 => store.or(request, runs),
            low => {
                let inside = counter.at_most(store, u64::from(bounds.high - low) + 1);
                store.and(runs, inside)
            }
        };
        let law = store.binary(BinaryOp::Implies, held, b);
        self.laws.push(law);
        self.start_at_rest(store, bounds, request, runs);
        request
    }

    /// With a positive lower bound, a counter serves one request at a time.
    fn start_at_rest(
        &mut self,
        store: &mut Store,
        bounds: Interval,
        request: Formula,
        runs: Formula,
    ) {
        if bounds.low > 0 {
            let rests = store.not(runs);
            let law = store.binary(BinaryOp::Implies, request, rests);
            self.laws.push(law);
        }
    }

    /// A formula that implies `O[0,high] b` or `H[0,high] b`.
    fn recent(&mut self, store: &mut Store, op: BoundedUnaryOp, high: u32, b: Operand) -> Formula {
        let once = op == BoundedUnaryOp::Once;
        let event = match once {
            true => self.lower(store, b),
            false if b.present => store.not(b.formula),
            false => {
                let event = self.fresh(store);
                let law = store.or(event, b.formula);
                self.laws.push(law);
                event
            }
        };
        let counter = self.counter(store, u64::from(high));
        self.run_down(store, &counter, event, high);
        let runs = counter.nonzero(store);
        let recent = store.or(event, runs);
        if once { recent } else { store.not(recent) }
    }

    /// The event sets the counter to `from`. Otherwise the counter runs down to 0.
    fn run_down(&mut self, store: &mut Store, counter: &Counter, event: Formula, from: u32) {
        let runs = counter.nonzero(store);
        let less = counter.minus_one(store);
        let mut next = Vec::with_capacity(counter.bits.len());
        for (bit, &less) in less.iter().enumerate() {
            let started = store.constant(has_bit(u64::from(from), bit));
            let less = store.and(runs, less);
            next.push(choose(store, event, started, less));
        }
        self.remember(counter, next);
    }

    /// `(a & t <= high) U (low <= t <= high & b)`.
    fn until_by_clock(
        &mut self,
        store: &mut Store,
        a: Formula,
        bounds: Interval,
        b: Formula,
    ) -> Formula {
        let (before_end, inside) = self.by_clock(store, bounds);
        let a = store.and(a, before_end);
        let b = store.and(inside, b);
        store.binary(BinaryOp::Until, a, b)
    }

    /// `(a | t > high) R (low <= t <= high -> b)`.
    fn release_by_clock(
        &mut self,
        store: &mut Store,
        a: Formula,
        bounds: Interval,
        b: Formula,
    ) -> Formula {
        let (before_end, inside) = self.by_clock(store, bounds);
        let behind_end = store.not(before_end);
        let a = store.or(a, behind_end);
        let outside = store.not(inside);
        let b = store.or(outside, b);
        store.binary(BinaryOp::Release, a, b)
    }

    /// Two formulas: the clock is at most `high`, and it is between `low` and `high`.
    fn by_clock(
        &mut self,
        store: &mut Store,
        Interval { low, high }: Interval,
    ) -> (Formula, Formula) {
        let clock = match self.clock.take() {
            Some(clock) => clock,
            None => self.started_clock(store),
        };
        let before_end = clock.at_most(store, u64::from(high));
        let inside = match low.checked_sub(1) {
            None => before_end,
            Some(before) => {
                let early = clock.at_most(store, u64::from(before));
                let begun = store.not(early);
                store.and(begun, before_end)
            }
        };
        self.clock = Some(clock);
        (before_end, inside)
    }

    /// A clock that counts positions, up to the largest bound plus one.
    fn started_clock(&mut self, store: &mut Store) -> Counter {
        let end = u64::from(self.latest) + 1;
        let clock = self.counter(store, end);
        let ended = clock.equals(store, end);
        let more = clock.plus_one(store);
        let next = clock.bits.iter().zip(more).map(|(&bit, more)| {
            let bit = store.atom(bit);
            choose(store, ended, bit, more)
        });
        let next = next.collect();
        self.remember(&clock, next);
        clock
    }

    fn remember(&mut self, counter: &Counter, next: Vec<Formula>) {
        let bits = counter.bits.iter().zip(next);
        let memory = |(&proposition, next)| Memory { proposition, initial: false, next };
        self.memories.extend(bits.map(memory));
    }
}

impl Windows {
    /// A counter with values from 0 to `largest` and initial value 0.
    fn counter(&mut self, store: &mut Store, largest: u64) -> Counter {
        let width = u64::BITS - largest.leading_zeros();
        let bits = (0..width).map(|_| self.names.proposition(store)).collect();
        Counter { bits }
    }
}

/// A number, given by the propositions of its bits, lowest first.
struct Counter {
    bits: Vec<Proposition>,
}

impl Counter {
    fn nonzero(&self, store: &mut Store) -> Formula {
        let none = store.constant(false);
        self.bits.iter().fold(none, |any, &bit| {
            let bit = store.atom(bit);
            store.or(any, bit)
        })
    }

    fn equals(&self, store: &mut Store, number: u64) -> Formula {
        let mut all = store.constant(true);
        for (position, &bit) in self.bits.iter().enumerate() {
            let atom = store.atom(bit);
            let bit = if has_bit(number, position) { atom } else { store.not(atom) };
            all = store.and(all, bit);
        }
        all
    }

    fn at_most(&self, store: &mut Store, number: u64) -> Formula {
        let mut at_most = store.constant(true);
        for (position, &bit) in self.bits.iter().enumerate() {
            let atom = store.atom(bit);
            let zero = store.not(atom);
            at_most = match has_bit(number, position) {
                true => store.or(zero, at_most),
                false => store.and(zero, at_most),
            };
        }
        at_most
    }

    /// The bits of this number minus one, if it is not 0.
    fn minus_one(&self, store: &mut Store) -> Vec<Formula> {
        self.changed(store, false)
    }

    /// The bits of this number plus one, if it is not the largest.
    fn plus_one(&self, store: &mut Store) -> Vec<Formula> {
        self.changed(store, true)
    }

    /// Flips each bit whose lower bits all have the given value.
    fn changed(&self, store: &mut Store, value: bool) -> Vec<Formula> {
        let mut flips = store.constant(true);
        let mut changed = Vec::with_capacity(self.bits.len());
        for &bit in &self.bits {
            let atom = store.atom(bit);
            changed.push(store.binary(BinaryOp::Xor, atom, flips));
            let carries = if value { atom } else { store.not(atom) };
            flips = store.and(flips, carries);
        }
        changed
    }
}

fn has_bit(number: u64, position: usize) -> bool {
    number >> position & 1 == 1
}

/// `condition ? a : b`.
fn choose(store: &mut Store, condition: Formula, a: Formula, b: Formula) -> Formula {
    let otherwise = store.not(condition);
    let (a, b) = (store.and(condition, a), store.and(otherwise, b));
    store.or(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{Dialect, write};
    use crate::normal::expand_bounded;
    use crate::random::{Operators, RandomFormula};
    use crate::reference::tableau;
    use crate::semantics;
    use kermode_base::Rng;

    /// A formula with counters for all bounds and the same formula written out are both satisfiable
    /// or both unsatisfiable, and a word of one is a word of the other. Formulas that are too large
    /// for the tableau are covered by the tests of the engines.
    #[test]
    fn random_formulas_are_counted_right() {
        let mut rng = Rng::new(1717);
        let (mut satisfiable, mut unsatisfiable) = (0, 0);
        for round in 0..2_000 {
            let words = [WordKind::Infinite, WordKind::Finite][round % 2];
            let mut store = Store::new();
            let propositions = ["a", "b"].map(|name| store.proposition(name)).to_vec();
            let operators = Operators::future().with_weak_next().with_constants();
            let operators = if round % 4 < 2 { operators } else { operators.with_past() };
            let operators = operators.with_bounds(3);
            let random = RandomFormula { size: 3 + round % 5, propositions, operators };
            let formula = random.draw(&mut store, &mut rng);
            let counted = count_windows(&mut store, formula, words, 0, 1 << 12).expect("small");
            let written_out = expand_bounded(&mut store, formula, words, 1 << 12).expect("small");
            if counted == formula || store.subformulas(counted).len() > 60 {
                continue;
            }
            let word = |formula| tableau(&store, formula, words, &mut || Ok::<(), ()>(()));
            let (Ok(found), Ok(expected)) = (word(counted), word(written_out)) else { continue };
            let text = write(&store, formula, Dialect::Kermode.into()).expect("Kermode writes all");
            match found {
                None => assert!(expected.is_none(), "{text} on {words:?} words: {expected:?}"),
                Some(word) => assert!(semantics::holds(&store, formula, &word), "{text}: {word:?}"),
            }
            *if expected.is_some() { &mut satisfiable } else { &mut unsatisfiable } += 1;
        }
        assert!(satisfiable > 100 && unsatisfiable > 10, "{satisfiable}, {unsatisfiable}");
    }
}
