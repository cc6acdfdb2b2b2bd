//! The steps of a compiled model in one direction of time.
//!
//! The relation is a clustered conjunction. If it has a *selector*, such as the input that says
//! which process runs, it is also a disjunction: one case for each value of the selector, in which
//! most variables keep their values ([`RelationCase`]). Images are then unions over the cases.
//!
//! A fixpoint over cases can go on with one case as long as it finds new states, before it turns to
//! the next one. For interleaved processes that takes fewer and smaller steps than a breadth-first
//! search, which has to represent all interleavings of the same length.
//!
//! Cases take longer to compute than the relation, and longer than many small models need as a
//! whole. So they are computed when some nodes have been created without them.

use kermode_bdd::{Bdd, Clustering, Cube, Literal, Relation, RelationCase, Variable};
use rustc_hash::FxHashMap;

use super::ahead::NeighbourSearch;
use super::compiled_model::CompiledModel;
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::BddContext;
use crate::frame::budget::Stop;

/// A selector keeps the values of this share of the variables in the mean over its values.
const LEAST_FIXED: f64 = 0.25;
/// A selector has at most this many values.
const MOST_CASES: u64 = 64;

/// Selectors are compared by this many of their values.
const SAMPLE: u64 = 6;

/// Cases are computed when this many nodes have been created without them. In debug builds that is
/// soon, so that tests on small models use relations with and without cases.
const NODES_WITHOUT_CASES: u64 = if cfg!(debug_assertions) { 1 << 6 } else { 1 << 14 };

/// A symbol that may be a selector: the variables of its bits, and its largest code.
pub(super) struct Selector {
    pub(super) bits: Vec<Variable>,
    pub(super) last_code: u64,
}

/// The relation for steps in one direction, and the search for single steps.
pub(super) struct OneWay {
    pub(super) relation: Relation,
    cases: Cases,
    pub(super) ahead: NeighbourSearch,
    direction: Direction,
}

/// The cases of the relation.
enum Cases {
    /// They are computed from these parts when this many nodes are created.
    Due(u64, Vec<Bdd>),
    /// Empty if the relation has no selector.
    Known(Vec<Relation>),
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
        let cases = Cases::Due(context.created() + NODES_WITHOUT_CASES, parts);
        Ok(OneWay { relation, cases, ahead: NeighbourSearch::default(), direction })
    }

    /// Computes the cases if they are due.
    pub(super) fn prepare_cases(
        &mut self,
        model: &CompiledModel,
        most_nodes: usize,
        context: &mut BddContext,
    ) -> Result<(), Stop> {
        let Cases::Due(created, parts) = &self.cases else { return Ok(()) };
        if context.created() < *created {
            return Ok(());
        }
        let mut cases = Vec::new();
        for case in cases_of(model, parts, context)? {
            let start: Vec<Variable> = match self.direction {
                Direction::Forward => case.lost(),
                Direction::Backward => case.moving.iter().map(|&(_, next)| next).collect(),
            };
            let clustering = Clustering { start: &start, inputs: &model.inputs, most_nodes };
            let clusters = clustering.of(&case.parts, &mut || context.keep())?;
            let joined = clusters.into_iter().map(|cluster| cluster.relation).collect();
            cases.push(Relation::of_case(context.manager(), &case, joined, &model.inputs)?);
        }
        self.cases = Cases::Known(cases);
        Ok(())
    }

    /// The cases; empty if the relation has no selector, or they are not computed yet.
    fn cases(&self) -> &[Relation] {
        match &self.cases {
            Cases::Due(..) => &[],
            Cases::Known(cases) => cases,
        }
    }

    /// The number of cases; zero if the relation has no selector, or they are not computed yet.
    pub(super) fn case_count(&self) -> usize {
        self.cases().len()
    }

    /// The image or preimage by steps that satisfy a constraint.
    pub(super) fn step(
        &self,
        region: &Bdd,
        constraint: Option<&Bdd>,
        context: &mut BddContext,
    ) -> Result<Bdd, Stop> {
        let Some((first, rest)) = self.cases().split_first() else {
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
        self.step_by(&self.cases()[case], region, None, context)
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
    let (mut best, mut most) = (None, LEAST_FIXED);
    let candidates = Candidates::new(model, parts, context)?;
    for selector in model.selectors.iter().filter(|selector| selector.last_code < MOST_CASES) {
        let share = candidates.fixed_share(selector, context)?;
        if share > most {
            (best, most) = (Some(selector), share);
        }
    }
    let Some(selector) = best else { return Ok(Vec::new()) };
    let (manager, mut cases) = (context.manager().clone(), Vec::new());
    for code in 0..=selector.last_code {
        let (values, pairs) = (selector.values(code), &model.state_pairs);
        let case = RelationCase::new(&manager, parts, pairs, values, &mut || context.keep())?;
        cases.extend(case);
    }
    Ok(cases)
}

/// The parts of a relation, by which selectors are compared. All cases of a selector take long to
/// compute, so a selector is judged by a few of its values, and by the variables alone that keep
/// their values.
struct Candidates<'p> {
    parts: Vec<Candidate<'p>>,
    variables: usize,
}

/// A part, with its variables, and what it would say if it said only that one of its next variables
/// keeps its value.
struct Candidate<'p> {
    part: &'p Bdd,
    support: Vec<Variable>,
    stays: Vec<Bdd>,
}

impl<'p> Candidates<'p> {
    fn new(model: &CompiledModel, parts: &'p [Bdd], context: &BddContext) -> Result<Self, Stop> {
        let manager = context.manager();
        let pairs = model.state_pairs.iter();
        let current_of: FxHashMap<_, _> = pairs.map(|&(current, next)| (next, current)).collect();
        let candidate = |part: &'p Bdd| {
            let support = part.support();
            let pairs = support.iter().filter_map(|next| Some((*current_of.get(next)?, *next)));
            let stays = pairs
                .map(|(current, next)| manager.variable(current)?.iff(&manager.variable(next)?))
                .collect::<Result<_, _>>()?;
            Ok(Candidate { part, support, stays })
        };
        let parts = parts.iter().map(candidate).collect::<Result<_, Stop>>()?;
        Ok(Candidates { parts, variables: model.state_pairs.len() })
    }

    /// The mean share of variables that keep their values.
    fn fixed_share(&self, selector: &Selector, context: &mut BddContext) -> Result<f64, Stop> {
        let is_mentioned = |candidate: &&Candidate| {
            selector.bits.iter().any(|bit| candidate.support.binary_search(bit).is_ok())
        };
        let (mentioning, others): (Vec<&Candidate>, Vec<_>) =
            self.parts.iter().partition(is_mentioned);
        // A variable keeps its value for some value of the selector only if a part mentions both.
        if (mentioning.len() as f64) < LEAST_FIXED * self.variables as f64 {
            return Ok(0.0);
        }
        let always = others.iter().filter(|other| other.stays.contains(other.part)).count();
        let (mut fixed, mut cases) = (0, 0);
        'codes: for code in selector.sample() {
            let (values, mut stay) = (selector.values(code), always);
            for candidate in &mentioning {
                context.keep()?;
                let part = candidate.part.cofactor(&values)?;
                if part.is_bottom() {
                    continue 'codes;
                }
                stay += usize::from(candidate.stays.contains(&part));
            }
            fixed += stay;
            cases += 1;
        }
        Ok(fixed as f64 / (cases * self.variables).max(1) as f64)
    }
}

impl Selector {
    /// The codes by which it is compared with others: a few, the first and the last among them.
    fn sample(&self) -> impl Iterator<Item = u64> {
        let last = self.last_code.min(SAMPLE - 1);
        (0..=last).map(move |place| place * self.last_code / last.max(1))
    }

    fn values(&self, code: u64) -> Cube {
        let literal = |(place, &variable): (usize, &Variable)| Literal {
            variable,
            positive: code >> place & 1 == 1,
        };
        self.bits.iter().enumerate().map(literal).collect()
    }
}
