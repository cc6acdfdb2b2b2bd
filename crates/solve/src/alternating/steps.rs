//! The steps between states as partitioned relations.
//!
//! By Lemma 3 of \[DDMR08\] a space accepts no more words if its successors are closed upwards: if
//! `q` is a successor of a state, so is every state that `q` subsumes. That makes the successor
//! relation a conjunction of one constraint per location:
//!
//! - **Sets**, for finite words and for infinite runs without acceptance: `s -> s'` iff each `l` in
//!   `s` has `delta(l)[s']`, which is closed upwards in `s'` because `delta` is monotone.
//! - **Pairs**. Let `t' = o' + (s' & alpha)`. From `<s, {}>` the construction leads to `<s', s' \
//!   alpha>` with `delta(l)[s']` for each `l` in `s`. `<s'', o''>` is above such a successor
//!   exactly if `delta(l)[t'']` for each `l` in `s`: from left to right since `s'` is a subset of
//!   `t''`; from right to left take `s' = t''`, whose part outside `alpha` is `o''`, so that both
//!   or none are empty. From `<s, o>` with obligations it leads to `<s', o' \ alpha>` with
//!   `delta(l)[s']` for `l` in `s` and `delta(l)[o']` for `l` in `o`, where `o'` is a subset of
//!   `s'`. `<s'', o''>` is above it exactly if `delta(l)[s'']` for `l` in `s` and `delta(l)[t'']`
//!   for `l` in `o`: from right to left take `s' = s''` and `o' = t''`.
//! - **Fair steps** of very weak automata \[GO01\]. There a path can stay in a single location `f`
//!   only, so a run accepts iff for each non-accepting `f` it has infinitely many steps that leave
//!   `f` or start without `f`: `f` is not in `s`, or `delta(f)[s' \ f]`. One condition per location
//!   replaces `o`.
//!
//! All constraints are antitone in the current state and monotone in the next one. So predecessors
//! of a downward-closed set are closed downwards, and successors of an upward-closed set are closed
//! upwards.
//!
//! [`Clustering`] joins the parts.

use kermode_automata::Location;
use kermode_bdd::{Bdd, Cluster, Clustering, OutOfNodes, Relation, Variable};

use super::encoding::{Demand, StateEncoding, TimePoint};
use crate::fixpoint::Direction;
use crate::frame::budget::{Budget, Stop};

/// The largest number of nodes of a joined part.
const CLUSTER: usize = 500;

/// A part of a relation: the demands of some locations.
#[derive(Clone)]
struct Constraint {
    relation: Bdd,
    locations: Vec<Location>,
}

/// A relation that is used in one direction.
pub(crate) struct StepRelation {
    direction: Direction,
    parts: Vec<Constraint>,
    relation: Relation,
    variables: Vec<(Variable, Variable)>,
}

impl StepRelation {
    /// Steps between sets.
    pub(crate) fn of_sets(
        encoding: &mut StateEncoding,
        direction: Direction,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let parts = follow_all(encoding, Demand::Follow, budget)?;
        let variables = encoding.state_variables(true, false);
        StepRelation::new(encoding, parts, variables, direction, budget)
    }

    /// Steps from pairs without obligations.
    pub(crate) fn from_breakpoints(
        encoding: &mut StateEncoding,
        direction: Direction,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let mut parts = within(encoding)?;
        parts.extend(follow_all(encoding, Demand::Discharge, budget)?);
        let variables = encoding.state_variables(true, true);
        StepRelation::new(encoding, parts, variables, direction, budget)
    }

    /// Steps from pairs with obligations.
    pub(crate) fn from_obligations(
        encoding: &mut StateEncoding,
        direction: Direction,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let mut parts = within(encoding)?;
        for location in encoding.locations() {
            budget.check()?;
            parts.push(follow(encoding, location, Demand::Follow)?);
            if encoding.may_be_obligation(location) {
                let demanded = encoding.transition(location, Demand::Discharge, TimePoint::Next)?;
                let relation = encoding.y(location, TimePoint::Current)?.implies(&demanded)?;
                parts.push(Constraint { relation, locations: vec![location] });
            }
        }
        let variables = encoding.state_variables(true, true);
        StepRelation::new(encoding, parts, variables, direction, budget)
    }

    /// The steps between sets that leave a location.
    pub(crate) fn leaving(
        &self,
        encoding: &mut StateEncoding,
        location: Location,
    ) -> Result<Self, Stop> {
        let mut parts = self.parts.clone();
        let leave = follow(encoding, location, Demand::Leave)?;
        for part in parts.iter_mut().filter(|part| part.locations.contains(&location)) {
            part.relation = part.relation.and(&leave.relation)?;
        }
        StepRelation::in_order(encoding, parts, self.variables.clone(), self.direction)
    }

    fn new(
        encoding: &StateEncoding,
        parts: Vec<Constraint>,
        variables: Vec<(Variable, Variable)>,
        direction: Direction,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let start = variables.iter().map(|&(current, next)| direction.of(current, next));
        let (start, inputs): (Vec<_>, _) = (start.collect(), encoding.inputs());
        let clustering = Clustering { start: &start, inputs: &inputs, most_nodes: CLUSTER };
        let relations: Vec<Bdd> = parts.iter().map(|part| part.relation.clone()).collect();
        let clusters = clustering.of(&relations, &mut || budget.check())?;
        let joined = |Cluster { relation, members }: Cluster| {
            let locations = members.iter().flat_map(|&member| &parts[member].locations);
            Constraint { relation, locations: locations.copied().collect() }
        };
        let parts = clusters.into_iter().map(joined).collect();
        StepRelation::in_order(encoding, parts, variables, direction)
    }

    fn in_order(
        encoding: &StateEncoding,
        parts: Vec<Constraint>,
        variables: Vec<(Variable, Variable)>,
        direction: Direction,
    ) -> Result<Self, Stop> {
        let relations = parts.iter().map(|part| part.relation.clone()).collect();
        let relation =
            Relation::new(encoding.manager(), relations, &variables, &encoding.inputs())?;
        Ok(StepRelation { direction, parts, relation, variables })
    }

    /// The successors or predecessors of a region.
    pub(crate) fn of(&self, region: &Bdd, budget: &Budget) -> Result<Bdd, Stop> {
        match self.direction {
            Direction::Forward => self.relation.image(region, &mut || budget.check()),
            Direction::Backward => self.relation.preimage(region, &mut || budget.check()),
        }
    }
}

/// The demands of all locations are satisfied.
fn follow_all(
    encoding: &mut StateEncoding,
    demand: Demand,
    budget: &Budget,
) -> Result<Vec<Constraint>, Stop> {
    let mut parts = Vec::new();
    for location in encoding.locations() {
        budget.check()?;
        parts.push(follow(encoding, location, demand)?);
    }
    Ok(parts)
}

/// If a location is in `s`, its demand is satisfied.
fn follow(
    encoding: &mut StateEncoding,
    location: Location,
    demand: Demand,
) -> Result<Constraint, OutOfNodes> {
    let demanded = encoding.transition(location, demand, TimePoint::Next)?;
    let relation = encoding.x(location, TimePoint::Current)?.implies(&demanded)?;
    Ok(Constraint { relation, locations: vec![location] })
}

/// `o'` is a subset of `s'`.
fn within(encoding: &StateEncoding) -> Result<Vec<Constraint>, OutOfNodes> {
    let obligations =
        encoding.locations().into_iter().filter(|&location| encoding.may_be_obligation(location));
    let part = |location| {
        let (x, y) =
            (encoding.x(location, TimePoint::Next)?, encoding.y(location, TimePoint::Next)?);
        Ok(Constraint { relation: y.implies(&x)?, locations: Vec::new() })
    };
    obligations.map(part).collect()
}
