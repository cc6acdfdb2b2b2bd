//! The steps of a compiled model in one direction of time.
//!
//! The relation is a clustered conjunction. If it has a *selector*, such as the input that says
//! which process runs, it is also a disjunction: one case for each value of the selector, in which
//! most variables keep their values ([`RelationCase`]). Images are then unions over the cases.
//!
//! A fixpoint over cases can go on with one case as long as it finds new states, before it turns to
//! the next one. For interleaved processes that takes fewer and smaller steps than a breadth-first
//! search, which has to represent all interleavings of the same length.

use kermode_bdd::{Bdd, Clustering, Cube, Literal, Relation, RelationCase, Variable};

use super::ahead::NeighbourSearch;
use super::compiled_model::CompiledModel;
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::BddContext;
use crate::frame::budget::Stop;

/// A selector keeps the values of this share of the variables in the mean over its values.
const LEAST_FIXED: f64 = 0.25;
/// A selector has at most this many values.
const MOST_CASES: u64 = 64;

/// A symbol that may be a selector: the variables of its bits, and its largest code.
pub(super) struct Selector {
    pub(super) bits: Vec<Variable>,
    pub(super) last_code: u64,
}

/// The relation for steps in one direction, and the search for single steps.
pub(super) struct OneWay {
    pub(super) relation: Relation,
    /// The cases of the relation; none if it has no selector.
    cases: Vec<Relation>,
    pub(super) ahead: NeighbourSearch,
    direction: Direction,
}

impl OneWay {
    pub(super) fn new(
        model: &CompiledModel,
        parts: Vec<Bdd>,
        direction: Direction,
        most_nodes: usize,
        context: &mut BddContext,
    ) -> Result<Self, Stop> {
        let start = model.start(direction);
        let clustering = Clustering { start: &start, inputs: &model.inputs, most_nodes };
        let clusters = clustering.of(&parts, &mut || context.keep())?;
        let joined = clusters.into_iter().map(|cluster| cluster.relation).collect();
        let relation = Relation::new(context.manager(), joined, &model.state_pairs, &model.inputs)?;
        let mut cases = Vec::new();
        for case in cases_of(model, &parts, context)? {
            let start: Vec<Variable> = match direction {
                Direction::Forward => case.lost(),
                Direction::Backward => case.moving.iter().map(|&(_, next)| next).collect(),
            };
            let clustering = Clustering { start: &start, inputs: &model.inputs, most_nodes };
            let clusters = clustering.of(&case.parts, &mut || context.keep())?;
            let joined = clusters.into_iter().map(|cluster| cluster.relation).collect();
            cases.push(Relation::of_case(context.manager(), &case, joined, &model.inputs)?);
        }
        Ok(OneWay { relation, cases, ahead: NeighbourSearch::default(), direction })
    }

    /// The number of cases; none if the relation has no selector.
    pub(super) fn case_count(&self) -> usize {
        self.cases.len()
    }

    /// The image or preimage by steps that satisfy a constraint.
    pub(super) fn step(
        &self,
        region: &Bdd,
        constraint: Option<&Bdd>,
        context: &mut BddContext,
    ) -> Result<Bdd, Stop> {
        let Some((first, rest)) = self.cases.split_first() else {
            return self.step_by(&self.relation, region, constraint, context);
        };
        let mut all = self.step_by(first, region, constraint, context)?;
        for case in rest {
            all = all.or(&self.step_by(case, region, constraint, context)?)?;
        }
        Ok(all)
    }

    /// The image or preimage by steps of one case.
    pub(super) fn step_of(
        &self,
        case: usize,
        region: &Bdd,
        context: &mut BddContext,
    ) -> Result<Bdd, Stop> {
        self.step_by(&self.cases[case], region, None, context)
    }

    fn step_by(
        &self,
        relation: &Relation,
        region: &Bdd,
        constraint: Option<&Bdd>,
        context: &mut BddContext,
    ) -> Result<Bdd, Stop> {
        // A bad variable order shows while clusters are conjoined, so sifting may run there.
        let interrupt = &mut || context.keep();
        match (self.direction, constraint) {
            (Direction::Forward, None) => relation.image(region, interrupt),
            (Direction::Forward, Some(c)) => relation.image_where(region, c, interrupt),
            (Direction::Backward, None) => relation.preimage(region, interrupt),
            (Direction::Backward, Some(c)) => relation.preimage_where(region, c, interrupt),
        }
    }
}

/// The cases of the selector that keeps the values of most variables; none if it keeps few.
fn cases_of(
    model: &CompiledModel,
    parts: &[Bdd],
    context: &mut BddContext,
) -> Result<Vec<RelationCase>, Stop> {
    let supports: Vec<Vec<Variable>> = parts.iter().map(Bdd::support).collect();
    // A variable keeps its value for some value of the selector only if a part mentions both.
    let is_mentioned = |selector: &&Selector| {
        let mentions = |support: &&Vec<Variable>| {
            selector.bits.iter().any(|bit| support.binary_search(bit).is_ok())
        };
        let users = supports.iter().filter(mentions).count();
        selector.last_code < MOST_CASES
            && users as f64 >= LEAST_FIXED * model.state_pairs.len() as f64
    };
    let (mut best, mut most) = (Vec::new(), LEAST_FIXED);
    for selector in model.selectors.iter().filter(is_mentioned) {
        let mut cases = Vec::new();
        for code in 0..=selector.last_code {
            let (manager, pairs) = (context.manager().clone(), &model.state_pairs);
            let values = selector.values(code);
            let case = RelationCase::new(&manager, parts, pairs, values, &mut || context.keep())?;
            cases.extend(case);
        }
        let fixed: usize = cases.iter().map(RelationCase::fixed_count).sum();
        let share = fixed as f64 / (cases.len() * model.state_pairs.len()).max(1) as f64;
        if share > most {
            (best, most) = (cases, share);
        }
    }
    Ok(best)
}

impl Selector {
    fn values(&self, code: u64) -> Cube {
        let literal = |(place, &variable): (usize, &Variable)| Literal {
            variable,
            positive: code >> place & 1 == 1,
        };
        self.bits.iter().enumerate().map(literal).collect()
    }
}
