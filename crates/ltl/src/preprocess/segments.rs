//! Shortens windows over the present at the first position.
//!
//! The rule applies if all temporal operators of a formula are evaluated at the first position and
//! have operands without temporal operators: `F[l,h] a`, `G[l,h] a`, `X a`, `F a`, `G a`, joined by
//! conjunctions and disjunctions. The bounds divide time into segments. A segment lies either
//! completely inside or completely outside of each window. A word needs one position for each `F`
//! that it satisfies. Any other position of a segment may be removed as long as one is left, and
//! any position may be repeated. So segments of `m` positions are enough, where `m` is the number
//! of `F`, and the new bounds do not depend on the size of the old ones.
//!
//! The map back repeats the last letter of each segment that was shortened.

use crate::normal::negation_normal_form;
use crate::operator::{BinaryOp, BoundedUnaryOp, UnaryOp};
use crate::store::{Formula, Interval, Node, Store};
use crate::word::{Letter, Word, WordKind};

/// Maps words of the shortened formula back to the original one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    /// The ends of segments in the short word, in order, and the number of letters missing at each.
    missing: Vec<(u64, u64)>,
}

/// The formula with short segments, and the map back; `None` if it has other operators or if all
/// its segments are short already.
pub(super) fn shorten(
    store: &mut Store,
    formula: Formula,
    words: WordKind,
) -> Option<(Formula, Stretch)> {
    let formula = negation_normal_form(store, formula, words);
    let windows = windows(store, formula)?;
    let wanted = windows.iter().filter(|window| window.op == BoundedUnaryOp::Finally).count();
    let segments = Segments::of(&windows, wanted.max(1) as u64);
    if segments.missing.is_empty() {
        return None;
    }
    let subformulas = store.subformulas(formula);
    let mut short: Vec<Formula> = Vec::with_capacity(subformulas.len());
    for subformula in subformulas.iter() {
        let node = store.node(subformula).map(|a| short[subformulas.position(a)]);
        let result = match windows.iter().find(|window| window.formula == subformula) {
            Some(&Window { op, bounds: Some(bounds), .. }) => {
                let body = node.operands().next()?;
                store.bounded_unary(op, segments.short(bounds)?, body)
            }
            _ => store.intern(node),
        };
        short.push(result);
    }
    Some((short.pop()?, Stretch { missing: segments.missing }))
}

/// A temporal operator at the first position.
#[derive(Clone, Copy, Debug)]
struct Window {
    formula: Formula,
    op: BoundedUnaryOp,
    /// `None` for operators without bounds.
    bounds: Option<Interval>,
}

/// The temporal operators of a negation normal form; `None` if one of them is not a window over the
/// present at the first position.
fn windows(store: &Store, formula: Formula) -> Option<Vec<Window>> {
    use BoundedUnaryOp::{Finally, Globally};
    let subformulas = store.subformulas(formula);
    let mut has_window = vec![false; subformulas.len()];
    let mut windows = Vec::new();
    for (position, formula) in subformulas.iter().enumerate() {
        let node = store.node(formula);
        let below = node.operands().any(|a| has_window[subformulas.position(a)]);
        let next = Some(Interval::exactly(1));
        let (op, bounds) = match node {
            Node::Binary(BinaryOp::And | BinaryOp::Or, _, _) => {
                has_window[position] = below;
                continue;
            }
            Node::Constant(_) | Node::Proposition(_) | Node::Unary(UnaryOp::Not, _) => continue,
            _ if below => return None,
            Node::BoundedUnary(op @ (Finally | Globally), bounds, _) => {
                (op, Some(store.interval(bounds)))
            }
            Node::Unary(UnaryOp::Next, _) => (Finally, next),
            Node::Unary(UnaryOp::WeakNext, _) => (Globally, next),
            Node::Unary(UnaryOp::Finally, _) => (Finally, None),
            Node::Unary(UnaryOp::Globally, _) => (Globally, None),
            _ => return None,
        };
        has_window[position] = true;
        windows.push(Window { formula, op, bounds });
    }
    Some(windows)
}

/// The segments between bounds.
struct Segments {
    /// The starts of segments before and after shortening, in order. The last segment has no end.
    begins: Vec<(u64, u64)>,
    missing: Vec<(u64, u64)>,
}

impl Segments {
    fn of(windows: &[Window], longest: u64) -> Self {
        let bounds = windows.iter().filter_map(|window| window.bounds);
        let ends = bounds.flat_map(|i| [u64::from(i.low), u64::from(i.high) + 1]);
        // A subformula without temporal operators is a window over the first position.
        let mut begins: Vec<u64> = ends.chain([0, 1]).collect();
        begins.sort_unstable();
        begins.dedup();
        let mut segments = Segments { begins: vec![(0, 0)], missing: Vec::new() };
        let mut short = 0;
        for pair in begins.windows(2) {
            let length = pair[1] - pair[0];
            let kept = length.min(longest);
            short += kept;
            segments.begins.push((pair[1], short));
            if kept < length {
                segments.missing.push((short, length - kept));
            }
        }
        segments
    }

    /// The start of a segment in the short word.
    fn begin(&self, before: u64) -> Option<u64> {
        let position = self.begins.binary_search_by_key(&before, |&(before, _)| before).ok()?;
        Some(self.begins[position].1)
    }

    fn short(&self, bounds: Interval) -> Option<Interval> {
        let low = self.begin(u64::from(bounds.low))?;
        let high = self.begin(u64::from(bounds.high) + 1)? - 1;
        Interval::new(u32::try_from(low).ok()?, u32::try_from(high).ok()?)
    }
}

impl Stretch {
    /// The word of the original formula; `None` if it has more than `limit` letters.
    pub(super) fn word(&self, word: &Word, limit: usize) -> Option<Word> {
        let last = self.missing.last().map_or(0, |&(end, _)| end);
        let prefix = word.prefix().len();
        // The loop must start after the last segment that is stretched.
        let unrolled = match word.loop_start() {
            None => word.letters().len(),
            Some(_) => prefix.max(usize::try_from(last).ok()?),
        };
        let missing: u64 = self.missing.iter().map(|&(_, missing)| missing).sum();
        if usize::try_from(missing).ok()?.checked_add(unrolled + word.cycle().len())? > limit {
            return None;
        }
        let mut letters: Vec<Letter> = Vec::new();
        let mut missing = self.missing.iter().peekable();
        let mut place = 0;
        for short in 0..unrolled {
            let letter = &word.letters()[place];
            letters.push(letter.clone());
            if let Some(&&(end, count)) = missing.peek()
                && end == short as u64 + 1
            {
                letters.extend(std::iter::repeat_n(letter.clone(), count as usize));
                missing.next();
            }
            place = word.successor(place).unwrap_or(place + 1);
        }
        let loop_start = word.loop_start().map(|_| letters.len());
        if word.loop_start().is_some() {
            for _ in word.cycle() {
                letters.push(word.letters()[place].clone());
                place = word.successor(place).unwrap_or(place + 1);
            }
        }
        Some(Word::from_letters(letters, loop_start))
    }
}
