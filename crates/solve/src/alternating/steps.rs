//! The steps between states as relations in parts.
//!
//! By Lemma 3 of [DDMR08] a space accepts no more words if its successors are closed upwards: if a
//! state may go on as `q`, then as any state that `q` subsumes. That makes successors a conjunction
//! of one constraint a location:
//!
//! - **Sets**, for finite words and where only endless runs are asked for: `s -> s'` iff each `l`
//!   in `s` has `delta(l)[s']`, which is closed upwards in `s'` because `delta` is monotone.
//! - **Pairs**. Let `t' = o' + (s' & alpha)`. From `<s, {}>` the construction leads to
//!   `<s', s' \ alpha>` with `delta(l)[s']` for each `l` in `s`. Above such a successor is
//!   `<s'', o''>` exactly if `delta(l)[t'']` for each `l` in `s`: from left to right since `s'` is
//!   a subset of `t''`; from right to left take `s' = t''`, whose part outside `alpha` is `o''`, so
//!   that both or none are empty. From `<s, o>` with something owed it leads to `<s', o' \ alpha>`
//!   with `delta(l)[s']` for `l` in `s` and `delta(l)[o']` for `l` in `o`, where `o'` is within
//!   `s'`. Above is `<s'', o''>` exactly if `delta(l)[s'']` for `l` in `s` and `delta(l)[t'']` for
//!   `l` in `o`: from right to left take `s' = s''` and `o' = t''`.
//! - **Fair steps** of very weak automata [GO01]. There a path can stay in one location `f` alone,
//!   so a run accepts iff for each `f` that may not stay it leaves `f`, or is not in `f`,
//!   infinitely often. A step does if `f` is not in `s` or `delta(f)[s' \ f]`. One condition a
//!   location takes the place of `o`.
//!
//! All constraints are antitone in the current state and monotone in the next one. So predecessors
//! of a set that is closed downwards are closed downwards, and successors of one closed upwards are
//! closed upwards.
//!
//! The parts are put together by [`Clustering`].

use kermode_automata::Location;
use kermode_bdd::{Bdd, Cluster, Clustering, OutOfNodes, Relation, Variable};

use super::encoding::{Demand, Encoding, Moment};
use crate::fixpoint::Direction;
use crate::frame::budget::{Budget, Stop};

/// Parts are joined while they have no more nodes.
const CLUSTER: usize = 500;

/// A part of a relation: what some locations demand.
#[derive(Clone)]
struct Part {
    relation: Bdd,
    locations: Vec<Location>,
}

/// A relation that is used in one direction.
pub(crate) struct Steps {
    direction: Direction,
    parts: Vec<Part>,
    relation: Relation,
    variables: Vec<(Variable, Variable)>,
}

impl Steps {
    /// Steps between sets.
    pub(crate) fn of_sets(
        encoding: &mut Encoding,
        direction: Direction,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let parts = follow_all(encoding, Demand::Follow, budget)?;
        let variables = encoding.state_variables(true, false);
        Steps::new(encoding, parts, variables, direction, budget)
    }

    /// Steps from pairs that owe nothing.
    pub(crate) fn from_settled(
        encoding: &mut Encoding,
        direction: Direction,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let mut parts = within(encoding)?;
        parts.extend(follow_all(encoding, Demand::Owe, budget)?);
        let variables = encoding.state_variables(true, true);
        Steps::new(encoding, parts, variables, direction, budget)
    }

    /// Steps from pairs that owe something.
    pub(crate) fn from_owing(
        encoding: &mut Encoding,
        direction: Direction,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let mut parts = within(encoding)?;
        for location in encoding.locations() {
            budget.check()?;
            parts.push(follow(encoding, location, Demand::Follow)?);
            if encoding.may_owe(location) {
                let demanded = encoding.transition(location, Demand::Owe, Moment::Next)?;
                let relation = encoding.y(location, Moment::Current)?.implies(&demanded)?;
                parts.push(Part { relation, locations: vec![location] });
            }
        }
        let variables = encoding.state_variables(true, true);
        Steps::new(encoding, parts, variables, direction, budget)
    }

    /// Those of these steps between sets that do not stay in a location.
    pub(crate) fn leaving(
        &self,
        encoding: &mut Encoding,
        location: Location,
    ) -> Result<Self, Stop> {
        let mut parts = self.parts.clone();
        let leave = follow(encoding, location, Demand::Leave)?;
        for part in parts.iter_mut().filter(|part| part.locations.contains(&location)) {
            part.relation = part.relation.and(&leave.relation)?;
        }
        Steps::in_order(encoding, parts, self.variables.clone(), self.direction)
    }

    fn new(
        encoding: &Encoding,
        parts: Vec<Part>,
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
            Part { relation, locations: locations.copied().collect() }
        };
        let parts = clusters.into_iter().map(joined).collect();
        Steps::in_order(encoding, parts, variables, direction)
    }

    fn in_order(
        encoding: &Encoding,
        parts: Vec<Part>,
        variables: Vec<(Variable, Variable)>,
        direction: Direction,
    ) -> Result<Self, Stop> {
        let relations = parts.iter().map(|part| part.relation.clone()).collect();
        let relation =
            Relation::new(encoding.manager(), relations, &variables, &encoding.inputs())?;
        Ok(Steps { direction, parts, relation, variables })
    }

    /// The successors or predecessors of a region.
    pub(crate) fn of(&self, region: &Bdd, budget: &Budget) -> Result<Bdd, Stop> {
        match self.direction {
            Direction::Forward => self.relation.image(region, &mut || budget.check()),
            Direction::Backward => self.relation.preimage(region, &mut || budget.check()),
        }
    }
}

/// The demands of all locations are met.
fn follow_all(encoding: &mut Encoding, demand: Demand, budget: &Budget) -> Result<Vec<Part>, Stop> {
    let mut parts = Vec::new();
    for location in encoding.locations() {
        budget.check()?;
        parts.push(follow(encoding, location, demand)?);
    }
    Ok(parts)
}

/// If a location is in `s`, its demand is met.
fn follow(encoding: &mut Encoding, location: Location, demand: Demand) -> Result<Part, OutOfNodes> {
    let demanded = encoding.transition(location, demand, Moment::Next)?;
    let relation = encoding.x(location, Moment::Current)?.implies(&demanded)?;
    Ok(Part { relation, locations: vec![location] })
}

/// `o'` is a subset of `s'`.
fn within(encoding: &Encoding) -> Result<Vec<Part>, OutOfNodes> {
    let owing = encoding.locations().into_iter().filter(|&location| encoding.may_owe(location));
    let part = |location| {
        let (x, y) = (encoding.x(location, Moment::Next)?, encoding.y(location, Moment::Next)?);
        Ok(Part { relation: y.implies(&x)?, locations: Vec::new() })
    };
    owing.map(part).collect()
}
