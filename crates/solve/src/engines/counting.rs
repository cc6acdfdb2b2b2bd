//! `counting:density`: refutes demands for more positions than there are.
//!
//! A proposition that occurs once, and after each occurrence again within `k` positions, holds at
//! one of `k` positions in the long run. Propositions that exclude each other share the positions.
//! So a set of them has no word if the sum of their densities `1/k` is more than 1. This is the
//! counting argument of the pigeon holes \[SD11\], which resolution and decision diagrams do not
//! see; it is not restricted to equal distances. The set is a clique of the graph of exclusions,
//! which is searched greedily: the engine is incomplete, and never finds a word.
//!
//! Invariant: every fact is a conjunct of the formula, and densities are rounded down.

use kermode_ltl::conjuncts::conjuncts;
use kermode_ltl::normal::negation_normal_form;
use kermode_ltl::{BinaryOp, BoundedUnaryOp, Formula, Node, Proposition, Store, UnaryOp, WordKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::frame::answer::Answer;
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::problem::Problem;

pub(crate) const DENSITY: EngineInfo = EngineInfo {
    summary: "refutes propositions that exclude each other and recur too often; finds no words",
    paper: "SD11",
    accepts: Accepts { finite: false, complete: false, ..Accepts::FORMULAS },
    ..EngineInfo::new("counting:density", |_| Ok(Box::new(Density)))
};

/// The number of propositions from which cliques are grown.
const STARTS: usize = 16;
/// More than the rounding errors of a sum of densities.
const ROUNDING: f64 = 1e-9;

struct Density;

impl Engine for Density {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        let (formula, _) = problem.formula()?;
        let (mut store, roots) = problem.store.extract(&[formula]);
        let normal = negation_normal_form(&mut store, roots[0], WordKind::Infinite);
        let mut facts = Facts::default();
        for conjunct in conjuncts(&mut store, normal) {
            budget.check()?;
            facts.learn(&store, conjunct);
        }
        observer.statistic("exclusions", facts.exclusions.len() as u64);
        match facts.is_too_dense(budget)? {
            true => Ok(Answer::Empty(None)),
            false => Err(Stop::Limit("no set of propositions is known to be too dense".to_owned())),
        }
    }
}

/// What the conjuncts say about single propositions and pairs.
#[derive(Default)]
struct Facts {
    /// Pairs that do not hold together, the smaller first.
    exclusions: FxHashSet<(Proposition, Proposition)>,
    /// Propositions that hold somewhere.
    occurring: FxHashSet<Proposition>,
    /// The largest distance from one occurrence to the next.
    distances: FxHashMap<Proposition, u64>,
}

impl Facts {
    fn learn(&mut self, store: &Store, conjunct: Formula) {
        match store.node(conjunct) {
            Node::Proposition(p) => drop(self.occurring.insert(p)),
            Node::Unary(UnaryOp::Finally, a) => self.occurring.extend(proposition(store, a)),
            Node::Unary(UnaryOp::Globally, body) => self.learn_always(store, body),
            _ => {}
        }
    }

    /// Learns what holds at all positions.
    fn learn_always(&mut self, store: &Store, body: Formula) {
        match store.node(body) {
            Node::Proposition(p) => {
                self.occurring.insert(p);
                self.recurs(p, 1);
            }
            Node::Unary(UnaryOp::Finally, a) => self.occurring.extend(proposition(store, a)),
            Node::Binary(BinaryOp::Or, a, b) => match (negated(store, a), negated(store, b)) {
                (Some(p), Some(q)) if p != q => {
                    self.exclusions.insert((p.min(q), p.max(q)));
                }
                (Some(p), None) => self.learn_next(store, p, b),
                (None, Some(p)) => self.learn_next(store, p, a),
                _ => {}
            },
            _ => {}
        }
    }

    /// Learns what follows each occurrence of a proposition.
    fn learn_next(&mut self, store: &Store, p: Proposition, consequence: Formula) {
        if let Some((q, distance)) = later(store, consequence)
            && p == q
        {
            self.recurs(p, distance);
        }
    }

    fn recurs(&mut self, p: Proposition, distance: u64) {
        let known = self.distances.entry(p).or_insert(distance);
        *known = distance.min(*known);
    }

    /// Whether some propositions that exclude each other need more positions than there are.
    fn is_too_dense(&self, budget: &Budget) -> Result<bool, Stop> {
        let recurring = self.distances.iter().filter(|(p, _)| self.occurring.contains(p));
        let mut recurring: Vec<(u64, Proposition)> =
            recurring.map(|(&p, &distance)| (distance, p)).collect();
        recurring.sort_unstable();
        for &(distance, start) in recurring.iter().take(STARTS) {
            let (mut clique, mut density) = (vec![start], 1.0 / distance as f64);
            for &(distance, p) in &recurring {
                budget.check()?;
                let excludes = |&q: &Proposition| self.exclusions.contains(&(p.min(q), p.max(q)));
                if clique.iter().all(excludes) {
                    clique.push(p);
                    density += 1.0 / distance as f64;
                }
            }
            if density > 1.0 + ROUNDING {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn proposition(store: &Store, formula: Formula) -> Option<Proposition> {
    match store.node(formula) {
        Node::Proposition(p) => Some(p),
        _ => None,
    }
}

fn negated(store: &Store, formula: Formula) -> Option<Proposition> {
    match store.node(formula) {
        Node::Unary(UnaryOp::Not, a) => proposition(store, a),
        _ => None,
    }
}

/// The proposition that holds at some later position, and the largest distance to it.
fn later(store: &Store, mut formula: Formula) -> Option<(Proposition, u64)> {
    let (mut least, mut most) = (0, 0);
    loop {
        match store.node(formula) {
            Node::Unary(UnaryOp::Next | UnaryOp::WeakNext, a) => {
                (least, most, formula) = (least + 1, most + 1, a);
            }
            Node::BoundedUnary(BoundedUnaryOp::Finally, bounds, a) => {
                let bounds = store.interval(bounds);
                least += u64::from(bounds.low);
                most += u64::from(bounds.high);
                formula = a;
            }
            Node::Proposition(p) if least > 0 => return Some((p, most)),
            _ => return None,
        }
    }
}
