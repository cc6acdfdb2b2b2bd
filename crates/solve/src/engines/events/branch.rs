//! A branch of the search: points in time, the literals that hold at them, and the demands that are
//! still open.
//!
//! Each point has an unknown time. The search expands the demands of a formula in negation normal
//! form at a point. A conjunction becomes its operands. `F[l,h] a` becomes a new point at that
//! distance, with the demand `a`. `G[l,h] a` becomes a *guard* on every point: the point lies
//! outside the window, or `a` holds there. A proposition without a demand is false. So a
//! disjunction with the operand `!p` stays true until `p` is demanded.

use std::collections::VecDeque;

use kermode_base::BitSet;
use kermode_ltl::{
    BinaryOp, BoundedBinaryOp, BoundedUnaryOp, Formula, Node, Proposition, Store, UnaryOp,
};

use super::distances::{Distances, UNBOUNDED};

/// The nesting depth to which [`Branch::truth`] evaluates conjunctions and disjunctions.
const DEPTH: usize = 3;

/// The literals of a point.
#[derive(Clone, Debug, Default)]
pub(super) struct Point {
    pub(super) holds: BitSet,
    pub(super) fails: BitSet,
    /// The number of points on the chain that created this one.
    depth: u32,
}

/// The demand that `body` holds at all positions from `from + low` to `to + high`.
#[derive(Clone, Copy, Debug)]
struct Guard {
    from: usize,
    low: i64,
    to: usize,
    high: i64,
    body: Formula,
}

/// The demand that `body` holds at some position from `from + low` to `from + high`, and that
/// `meanwhile` holds at all positions between `from` and that one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    from: usize,
    low: i64,
    high: i64,
    body: Formula,
    meanwhile: Option<Formula>,
}

/// How a search creates points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Whether each wanted formula gets a point of its own immediately.
    pub(super) own_points: bool,
    /// The largest number of points.
    pub(super) points: usize,
    /// The greatest length of a chain of points.
    pub(super) depth: u32,
}

/// The branch is contradictory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Closed;

/// The truth of a formula at a point, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    /// True unless further demands are added at the point.
    Yes,
    No,
    Unknown,
}

/// A step that splits the branch.
pub(super) enum Choice {
    /// One of these formulas holds at the point of the clause with this index.
    Clause(usize, Vec<Formula>),
    /// The point lies outside the window of the guard, or the body holds; an index into
    /// `unapplied`.
    Guard(usize),
    /// Some point satisfies this demand.
    Point(Wanted),
}

#[derive(Clone, Debug)]
pub(super) struct Branch {
    distances: Distances,
    pub(super) points: Vec<Point>,
    guards: Vec<Guard>,
    /// Pairs of a guard and a point to which it was not yet applied.
    unapplied: Vec<(usize, usize)>,
    /// Formulas to expand, each with its point.
    todo: VecDeque<(Formula, usize)>,
    /// Disjunctions that must hold, each with its point.
    clauses: Vec<(Formula, usize)>,
    wanted: VecDeque<Wanted>,
    /// Whether a demand was dropped. A model of such a branch need not be a model of the formula.
    pub(super) incomplete: bool,
}

impl Branch {
    pub(super) fn new(formula: Formula) -> Self {
        Branch {
            distances: Distances::new(),
            points: vec![Point::default()],
            guards: Vec::new(),
            unapplied: Vec::new(),
            todo: VecDeque::from([(formula, 0)]),
            clauses: Vec::new(),
            wanted: VecDeque::new(),
            incomplete: false,
        }
    }

    /// The earliest times of all points.
    pub(super) fn times(&self) -> impl Iterator<Item = i64> + '_ {
        (0..self.points.len()).map(|point| self.distances.earliest(point))
    }

    /// Takes all steps that need no choice.
    pub(super) fn propagate(&mut self, store: &mut Store, limits: Limits) -> Result<(), Closed> {
        loop {
            if let Some((formula, point)) = self.todo.pop_front() {
                self.expand(store, formula, point)?;
            } else if limits.own_points
                && let Some(wanted) = self.wanted.pop_front()
            {
                self.own_point(wanted, limits)?;
            } else if !self.unit_clause(store)? && !self.unit_guard(store)? {
                return Ok(());
            }
        }
    }

    fn demand(&mut self, point: usize, p: Proposition, value: bool) -> Result<(), Closed> {
        let Point { holds, fails, .. } = &mut self.points[point];
        let (demanded, excluded) = if value { (holds, fails) } else { (fails, holds) };
        demanded.insert(p.index());
        if excluded.contains(p.index()) { Err(Closed) } else { Ok(()) }
    }

    fn expand(&mut self, store: &mut Store, formula: Formula, at: usize) -> Result<(), Closed> {
        use BinaryOp::{And, Or, Release, StrongRelease, Until, WeakUntil};
        use BoundedUnaryOp::{Finally, Globally, Historically, Once};
        let bounds = |bounds| {
            let bounds = store.interval(bounds);
            (i64::from(bounds.low), i64::from(bounds.high))
        };
        match store.node(formula) {
            Node::Constant(value) => return if value { Ok(()) } else { Err(Closed) },
            Node::Proposition(p) => return self.demand(at, p, true),
            Node::Unary(UnaryOp::Not, a) => match store.node(a) {
                Node::Proposition(p) => return self.demand(at, p, false),
                _ => self.incomplete = true,
            },
            Node::Binary(And, a, b) => self.todo.extend([(a, at), (b, at)]),
            Node::Binary(Or, _, _) => self.clauses.push((formula, at)),
            Node::Unary(UnaryOp::Next, a) => self.want(at, (1, 1), a, None),
            Node::Unary(UnaryOp::Finally, a) => self.want(at, (0, UNBOUNDED), a, None),
            Node::Unary(UnaryOp::Yesterday, a) => self.want(at, (-1, -1), a, None),
            Node::Unary(UnaryOp::Once, a) => self.want(at, (-UNBOUNDED, 0), a, None),
            Node::Unary(UnaryOp::WeakNext, a) => self.guard(at, (1, 1), a),
            Node::Unary(UnaryOp::Globally, a) => self.guard(at, (0, UNBOUNDED), a),
            Node::Unary(UnaryOp::WeakYesterday, a) => self.guard(at, (-1, -1), a),
            Node::Unary(UnaryOp::Historically, a) => self.guard(at, (-UNBOUNDED, 0), a),
            Node::BoundedUnary(op, interval, a) => {
                let (low, high) = bounds(interval);
                match op {
                    Finally => self.want(at, (low, high), a, None),
                    Once => self.want(at, (-high, -low), a, None),
                    Globally => self.guard(at, (low, high), a),
                    Historically => self.guard(at, (-high, -low), a),
                }
            }
            Node::Binary(Until, a, b) => self.want(at, (0, UNBOUNDED), b, Some(a)),
            Node::BoundedBinary(BoundedBinaryOp::Until, interval, a, b) => {
                self.want(at, bounds(interval), b, Some(a));
            }
            Node::Binary(op @ (Release | WeakUntil | StrongRelease), a, b) => {
                let both = store.and(a, b);
                let (always, end, until) = match op {
                    WeakUntil => (Some(a), b, a),
                    Release => (Some(b), both, b),
                    _ => (None, both, b),
                };
                let until = store.intern(Node::Binary(Until, until, end));
                let either = always.map(|a| store.intern(Node::Unary(UnaryOp::Globally, a)));
                let either = either.map_or(until, |a| store.intern(Node::Binary(Or, a, until)));
                self.todo.push_back((either, at));
            }
            _ => self.incomplete = true,
        }
        Ok(())
    }

    fn want(
        &mut self,
        from: usize,
        (low, high): (i64, i64),
        body: Formula,
        meanwhile: Option<Formula>,
    ) {
        self.wanted.push_back(Wanted { from, low, high, body, meanwhile });
    }

    fn guard(&mut self, from: usize, (low, high): (i64, i64), body: Formula) {
        self.add_guard(Guard { from, low, to: from, high, body });
    }

    fn add_guard(&mut self, guard: Guard) {
        let number = self.guards.len();
        self.guards.push(guard);
        self.unapplied.extend((0..self.points.len()).map(|point| (number, point)));
    }

    /// Creates a point for a demand. Drops the demand if a limit is reached.
    fn own_point(&mut self, wanted: Wanted, limits: Limits) -> Result<(), Closed> {
        let depth = self.points[wanted.from].depth + 1;
        if self.points.len() >= limits.points || depth > limits.depth {
            self.incomplete = true;
            return Ok(());
        }
        let point = self.distances.add_point();
        self.points.push(Point { depth, ..Point::default() });
        self.unapplied.extend((0..self.guards.len()).map(|guard| (guard, point)));
        self.settle(wanted, point)
    }

    /// Satisfies a demand at the given point.
    fn settle(&mut self, wanted: Wanted, point: usize) -> Result<(), Closed> {
        let Wanted { from, low, high, body, meanwhile } = wanted;
        let above = low <= -UNBOUNDED || self.distances.require(point, from, -low);
        let below = high >= UNBOUNDED || self.distances.require(from, point, high);
        if !above || !below {
            return Err(Closed);
        }
        if let Some(meanwhile) = meanwhile {
            self.add_guard(Guard { from, low: 0, to: point, high: -1, body: meanwhile });
        }
        self.todo.push_back((body, point));
        Ok(())
    }

    /// The truth of a formula at a point, without regard to other points.
    fn truth(&self, store: &Store, formula: Formula, point: usize) -> Truth {
        self.truth_within(store, formula, point, DEPTH)
    }

    /// The same, to the given nesting depth of conjunctions and disjunctions.
    fn truth_within(&self, store: &Store, formula: Formula, point: usize, depth: usize) -> Truth {
        let Point { holds, fails, .. } = &self.points[point];
        let (op, settles, other) = match store.node(formula) {
            Node::Constant(true) => return Truth::Yes,
            Node::Constant(false) => return Truth::No,
            Node::Proposition(p) if holds.contains(p.index()) => return Truth::Yes,
            Node::Proposition(p) if fails.contains(p.index()) => return Truth::No,
            Node::Unary(UnaryOp::Not, a) => match store.node(a) {
                Node::Proposition(p) if holds.contains(p.index()) => return Truth::No,
                Node::Proposition(_) => return Truth::Yes,
                _ => return Truth::Unknown,
            },
            Node::Binary(op @ BinaryOp::And, ..) if depth > 0 => (op, Truth::No, Truth::Yes),
            Node::Binary(op @ BinaryOp::Or, ..) if depth > 0 => (op, Truth::Yes, Truth::No),
            _ => return Truth::Unknown,
        };
        let mut all = true;
        for operand in operands(store, op, formula) {
            let truth = self.truth_within(store, operand, point, depth - 1);
            if truth == settles {
                return settles;
            }
            all &= truth == other;
        }
        if all { other } else { Truth::Unknown }
    }

    /// The operands of a clause that can still hold at its point; `None` if the clause holds
    /// already.
    fn open_operands(&self, store: &Store, clause: usize) -> Option<Vec<Formula>> {
        let (formula, point) = self.clauses[clause];
        let mut open = Vec::new();
        for operand in operands(store, BinaryOp::Or, formula) {
            match self.truth(store, operand, point) {
                Truth::Yes => return None,
                Truth::No => {}
                Truth::Unknown => open.push(operand),
            }
        }
        Some(open)
    }

    /// Applies a clause that has only one operand left.
    fn unit_clause(&mut self, store: &Store) -> Result<bool, Closed> {
        for clause in 0..self.clauses.len() {
            match self.open_operands(store, clause).as_deref() {
                Some([]) => return Err(Closed),
                Some(&[only]) => {
                    let (_, point) = self.clauses.swap_remove(clause);
                    self.todo.push_back((only, point));
                    return Ok(true);
                }
                _ => {}
            }
        }
        Ok(false)
    }

    /// Whether the point can lie before, inside and after the window of a guard.
    fn places(&self, guard: Guard, point: usize) -> [bool; 3] {
        let Guard { from, low, to, high, .. } = guard;
        let distances = &self.distances;
        let after_low = low <= -UNBOUNDED || distances.allows(point, from, -low);
        let before_high = high >= UNBOUNDED || distances.allows(to, point, high);
        [
            low > -UNBOUNDED && distances.allows(from, point, low - 1),
            after_low && before_high,
            high < UNBOUNDED && distances.allows(point, to, -high - 1),
        ]
    }

    /// Applies a guard if only one place is left for its point.
    fn unit_guard(&mut self, store: &Store) -> Result<bool, Closed> {
        let mut position = 0;
        while position < self.unapplied.len() {
            let (number, point) = self.unapplied[position];
            let guard = self.guards[number];
            let truth = self.truth(store, guard.body, point);
            let [before, inside, behind] = self.places(guard, point);
            match [before, inside && truth != Truth::No, behind] {
                _ if !inside => {
                    self.unapplied.swap_remove(position);
                }
                _ if truth == Truth::Yes && (before || behind) => position += 1,
                [false, false, false] => return Err(Closed),
                [false, true, false] => {
                    self.unapplied.swap_remove(position);
                    self.todo.push_back((guard.body, point));
                    return Ok(true);
                }
                [true, false, false] => {
                    self.unapplied.swap_remove(position);
                    self.place_before(guard, point)?;
                    return Ok(true);
                }
                [false, false, true] => {
                    self.unapplied.swap_remove(position);
                    self.place_behind(guard, point)?;
                    return Ok(true);
                }
                _ => position += 1,
            }
        }
        Ok(false)
    }

    fn place_before(&mut self, guard: Guard, point: usize) -> Result<(), Closed> {
        let done = self.distances.require(guard.from, point, guard.low - 1);
        if done { Ok(()) } else { Err(Closed) }
    }

    fn place_behind(&mut self, guard: Guard, point: usize) -> Result<(), Closed> {
        let done = self.distances.require(point, guard.to, -guard.high - 1);
        if done { Ok(()) } else { Err(Closed) }
    }

    fn place_inside(&mut self, guard: Guard, point: usize) -> Result<(), Closed> {
        let Guard { from, low, to, high, body } = guard;
        let above = low <= -UNBOUNDED || self.distances.require(point, from, -low);
        let below = high >= UNBOUNDED || self.distances.require(to, point, high);
        if !above || !below {
            return Err(Closed);
        }
        self.todo.push_back((body, point));
        Ok(())
    }

    /// The next choice; `None` if the branch is a model.
    pub(super) fn choice(&mut self, store: &Store) -> Option<Choice> {
        for (position, &(number, point)) in self.unapplied.iter().enumerate() {
            let truth = self.truth(store, self.guards[number].body, point);
            if truth != Truth::Yes {
                return Some(Choice::Guard(position));
            }
        }
        let clauses = (0..self.clauses.len())
            .filter_map(|clause| self.open_operands(store, clause).map(|open| (clause, open)));
        if let Some((clause, open)) = clauses.min_by_key(|(_, open)| open.len()) {
            return Some(Choice::Clause(clause, open));
        }
        self.wanted.pop_front().map(Choice::Point)
    }

    /// The branches of a choice, the most promising one last.
    pub(super) fn branches(self, store: &Store, choice: Choice, limits: Limits) -> Vec<Branch> {
        let mut branches = Vec::new();
        match choice {
            Choice::Clause(clause, open) => {
                let mut rest = self;
                let (_, point) = rest.clauses.swap_remove(clause);
                for operand in open {
                    let mut branch = rest.clone();
                    branch.todo.push_back((operand, point));
                    branches.push(branch);
                }
            }
            Choice::Guard(position) => {
                let mut rest = self;
                let (number, point) = rest.unapplied.swap_remove(position);
                let guard = rest.guards[number];
                let mut add = |place: fn(&mut Branch, Guard, usize) -> Result<(), Closed>| {
                    let mut branch = rest.clone();
                    if place(&mut branch, guard, point).is_ok() {
                        branches.push(branch);
                    }
                };
                if guard.low > -UNBOUNDED {
                    add(Branch::place_before);
                }
                if guard.high < UNBOUNDED {
                    add(Branch::place_behind);
                }
                add(Branch::place_inside);
            }
            Choice::Point(wanted) => self.points_for(store, wanted, limits, &mut branches),
        }
        branches
    }

    /// One branch for each point that may satisfy the demand. The most promising points are those
    /// where the formula holds already, then the point of the demand itself, then a new point.
    fn points_for(self, store: &Store, wanted: Wanted, limits: Limits, branches: &mut Vec<Branch>) {
        let mut add = |point: Option<usize>| {
            let mut branch = self.clone();
            let settled = match point {
                Some(point) => branch.settle(wanted, point),
                None => branch.own_point(wanted, limits),
            };
            if settled.is_ok() {
                branches.push(branch);
            }
        };
        let truth = |point: usize| self.truth(store, wanted.body, point);
        let points = || 0..self.points.len();
        let others = points().filter(|&p| p != wanted.from && truth(p) == Truth::Unknown);
        others.for_each(|point| add(Some(point)));
        add(None);
        if truth(wanted.from) == Truth::Unknown {
            add(Some(wanted.from));
        }
        points().rev().filter(|&p| truth(p) == Truth::Yes).for_each(|point| add(Some(point)));
    }
}

impl Branch {
    /// Whether the branch describes a word that satisfies its demands. The word has the events of
    /// the branch at their earliest times and no others. Points with the same time must agree, and
    /// guards must hold at positions without events.
    pub(super) fn is_model(&self, store: &Store) -> bool {
        let mut merged = self.clone();
        let times: Vec<i64> = self.times().collect();
        for (point, &time) in times.iter().enumerate() {
            for (other, _) in times.iter().enumerate().filter(|&(_, &other)| other == time) {
                merged.points[point].holds.union_with(&self.points[other].holds);
            }
        }
        let agrees = |point: &Point| point.holds.is_disjoint(&point.fails);
        let nothing = Branch { points: vec![Point::default()], ..self.clone() };
        let is_quiet = |guard: &Guard| nothing.truth(store, guard.body, 0) == Truth::Yes;
        let holds = |&(formula, point): &(Formula, usize)| {
            merged.truth(store, formula, point) == Truth::Yes
        };
        let guarded = |&(number, point): &(usize, usize)| {
            let Guard { from, low, to, high, body } = self.guards[number];
            let time = times[point];
            let inside = time - times[from] >= low && time - times[to] <= high;
            !inside || merged.truth(store, body, point) == Truth::Yes
        };
        merged.points.iter().all(agrees)
            && self.guards.iter().all(is_quiet)
            && self.clauses.iter().all(holds)
            && self.unapplied.iter().all(guarded)
    }
}

/// The operands of a chain.
fn operands(store: &Store, op: BinaryOp, chain: Formula) -> Vec<Formula> {
    let (mut operands, mut todo) = (Vec::new(), vec![chain]);
    while let Some(formula) = todo.pop() {
        match store.node(formula) {
            Node::Binary(same, a, b) if same == op => todo.extend([b, a]),
            _ => operands.push(formula),
        }
    }
    operands
}
