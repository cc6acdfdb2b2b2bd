//! One way to satisfy a formula: points in time, what holds at them, and what is still to be done.
//!
//! A point has an unknown time. What a formula in negation normal form demands at a point is
//! expanded: a conjunction into its operands, `F[l,h] a` into a point at that distance with the
//! demand `a`, `G[l,h] a` into a *guard* for every point: it lies outside the window, or `a` holds
//! there. A proposition that nothing demands is false, so a disjunction with `!p` waits until `p`
//! is demanded.

use std::collections::VecDeque;

use kermode_base::BitSet;
use kermode_ltl::{
    BinaryOp, BoundedBinaryOp, BoundedUnaryOp, Formula, Node, Proposition, Store, UnaryOp,
};

use super::distances::{Distances, UNBOUNDED};

/// What happens at a point.
#[derive(Clone, Debug, Default)]
pub(super) struct Point {
    pub(super) holds: BitSet,
    pub(super) fails: BitSet,
    /// How many points led to this one.
    depth: u32,
}

/// A formula that holds from `low` behind one point to `high` behind another.
#[derive(Clone, Copy, Debug)]
struct Guard {
    from: usize,
    low: i64,
    to: usize,
    high: i64,
    body: Formula,
}

/// A formula that is to hold at some point, from `low` to `high` behind another, and another one
/// at all positions in between.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    from: usize,
    low: i64,
    high: i64,
    body: Formula,
    meanwhile: Option<Formula>,
}

/// How points are made for what is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Whether each wanted formula gets a point of its own at once.
    pub(super) own_points: bool,
    /// How many points there may be.
    pub(super) points: usize,
    /// How long chains of points may get.
    pub(super) depth: u32,
}

/// The branch is contradictory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Closed;

/// What is known of a formula at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    /// True as long as nothing more is demanded there.
    Yes,
    No,
    Unknown,
}

/// What a branch cannot do without a choice.
pub(super) enum Choice {
    /// One of these formulas holds at the point; the clause of that number.
    Clause(usize, Vec<Formula>),
    /// The point is outside the window, or the body holds; the guard of that number.
    Guard(usize),
    /// Some point is the wanted one.
    Point(Wanted),
}

#[derive(Clone, Debug)]
pub(super) struct Branch {
    distances: Distances,
    pub(super) points: Vec<Point>,
    guards: Vec<Guard>,
    /// Which guards were not applied to which points yet.
    unapplied: Vec<(usize, usize)>,
    /// Formulas that are to be expanded at points.
    todo: VecDeque<(Formula, usize)>,
    /// Disjunctions that are to hold at points.
    clauses: Vec<(Formula, usize)>,
    wanted: VecDeque<Wanted>,
    /// Whether something was left out, so that a model need not be one of the formula.
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

    /// The least times of all points.
    pub(super) fn times(&self) -> impl Iterator<Item = i64> + '_ {
        (0..self.points.len()).map(|point| self.distances.earliest(point))
    }

    /// Does all that needs no choice.
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

    /// A new point for what is wanted, unless that would be too many.
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

    /// A point is the wanted one.
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

    /// What is known of a formula at a point without looking at other points.
    fn truth(&self, store: &Store, formula: Formula, point: usize) -> Truth {
        let Point { holds, fails, .. } = &self.points[point];
        match store.node(formula) {
            Node::Constant(true) => Truth::Yes,
            Node::Constant(false) => Truth::No,
            Node::Proposition(p) if holds.contains(p.index()) => Truth::Yes,
            Node::Proposition(p) if fails.contains(p.index()) => Truth::No,
            Node::Unary(UnaryOp::Not, a) => match store.node(a) {
                Node::Proposition(p) if holds.contains(p.index()) => Truth::No,
                Node::Proposition(_) => Truth::Yes,
                _ => Truth::Unknown,
            },
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => {
                let (settles, other) = match op {
                    BinaryOp::And => (Truth::No, Truth::Yes),
                    _ => (Truth::Yes, Truth::No),
                };
                let mut all = true;
                for operand in operands(store, op, formula) {
                    // Operands that are chains again are rare; what they say is not needed.
                    let truth = match store.node(operand) {
                        Node::Binary(..) => Truth::Unknown,
                        _ => self.truth(store, operand, point),
                    };
                    if truth == settles {
                        return settles;
                    }
                    all &= truth == other;
                }
                if all { other } else { Truth::Unknown }
            }
            _ => Truth::Unknown,
        }
    }

    /// The operands of a clause that can hold at its point; nothing if it holds already.
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

    /// Applies a clause that has one operand left.
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

    /// Whether a point can be before a window, inside, and behind it.
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

    /// Applies a guard whose point has one place left.
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

    /// What is to be chosen next; nothing if the branch is a model.
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

    /// The branches of a choice, the most promising last.
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

    /// A branch for each point that may be the wanted one. The most promising is one where it holds
    /// already, then the one that wants it, then a new one.
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
    /// Whether the word with the events of this branch at their least times, all else false,
    /// satisfies what was demanded: events of one time agree, and where nothing happens all that is
    /// demanded of many positions is true by itself.
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
