//! `pdp`: property-driven partitioning \[STV05\]. A set of states of the product is an array of
//! diagrams, one per state of the property.
//!
//! A step of the product is a step of the model and a transition of the property whose label the
//! step satisfies. Backward, the preimage of the part of each target is computed once, and
//! intersected with the labels of the transitions that lead there. Forward, the parts of all
//! sources are intersected with the labels and joined, and one image is computed per target. An
//! empty part costs nothing, so only the parts that changed since the last step of a least
//! fixpoint are expanded. In greatest fixpoints all parts are expanded again and again, so the
//! last preimage of each part is stored together with the part that it belongs to.
//!
//! Least fixpoints in any order of steps go through the components of the property, so that each
//! is finished before the next one begins, and inside of it through the cases of the model's
//! relation.
//!
//! Invariant: without bound, all regions except for the first one of a fixpoint satisfy the
//! invariants of the model, as its steps do.

use kermode_automata::tgba::Marks;
use kermode_base::BitSet;
use kermode_bdd::Bdd;
use kermode_system::{Expression, Model};

use super::automaton::{PropertyAutomaton, PropertyEdge};
use super::mistakes::Mistake;
use super::partition_algebra::PartitionAlgebra;
use super::reach::BoundedSpace;
use crate::compiled::label::Label;
use crate::compiled::states::SystemStates;
use crate::fixpoint::Direction;
use crate::fixpoint::Images;
use crate::fixpoint::bdd_context::BddContext;
use crate::fixpoint::emptiness::{FairSpace, TwoWaySpace};
use crate::frame::budget::Stop;

/// A set of states of the product: a set of states of the model for each state of the property.
pub(super) type Partition = Vec<Bdd>;

/// A state of the product.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PairState {
    pub(super) property: usize,
    pub(super) system: BitSet,
}

/// A transition of the property.
pub(super) struct Edge {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) label: Label,
    pub(super) marks: Marks,
}

/// The property of a product.
pub(super) struct PropertyGraph {
    pub(super) edges: Vec<Edge>,
    pub(super) initial: Vec<usize>,
    pub(super) mark_count: usize,
    /// The indices of the edges that lead to each state, and of those that leave it.
    pub(super) incoming: Vec<Vec<usize>>,
    pub(super) outgoing: Vec<Vec<usize>>,
    /// The states of each component. A transition leads to the same component or to an earlier one.
    pub(super) components: Vec<Vec<usize>>,
}

impl PropertyGraph {
    /// The graph with these edges. `component` has the number of the component of each state; a
    /// transition leads to the same or to a smaller number.
    pub(super) fn new(
        edges: Vec<Edge>,
        initial: Vec<usize>,
        mark_count: usize,
        component: &[usize],
    ) -> Self {
        let count = component.len();
        let (mut incoming, mut outgoing) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for (index, edge) in edges.iter().enumerate() {
            incoming[edge.target].push(index);
            outgoing[edge.source].push(index);
        }
        let mut components = vec![Vec::new(); component.iter().max().map_or(0, |last| last + 1)];
        component.iter().enumerate().for_each(|(state, &c)| components[c].push(state));
        PropertyGraph { edges, initial, mark_count, incoming, outgoing, components }
    }

    /// The graph of an automaton, with or without its marks.
    pub(super) fn of(
        property: &PropertyAutomaton,
        with_marks: bool,
        model: &Model,
        system: &mut SystemStates,
    ) -> Result<Self, Stop> {
        let labels: Vec<Expression> = property.edges.iter().map(|edge| edge.label).collect();
        let labels = system.compile_all(model, &labels)?;
        let edge = |(edge, label): (&PropertyEdge, Bdd)| Edge {
            source: edge.source,
            target: edge.target,
            label: Label::new(label, system),
            marks: edge.marks.clone(),
        };
        let edges = property.edges.iter().zip(labels).map(edge).collect();
        let mark_count = if with_marks { property.mark_count } else { 0 };
        Ok(PropertyGraph::new(edges, property.initial.clone(), mark_count, &property.component))
    }

    /// The number of states.
    pub(super) fn state_count(&self) -> usize {
        self.incoming.len()
    }
}

/// A region that backward steps do not leave.
pub(super) struct PartitionBound {
    pub(super) states: Partition,
    /// Whether no step leaves it forward either.
    pub(super) is_closed: bool,
}

/// A preimage, with the set that it belongs to.
pub(super) struct KnownPreimage {
    pub(super) of: Bdd,
    pub(super) preimage: Bdd,
}

/// The states of a product.
pub(super) struct PartitionedStates<'o> {
    pub(super) system: SystemStates<'o>,
    pub(super) property: PropertyGraph,
    pub(super) bound: Option<PartitionBound>,
    /// The last preimage of each part.
    pub(super) known: Vec<Option<KnownPreimage>>,
    /// Whether the marks of the property come before the justice constraints of the model.
    property_first: bool,
    pub(super) mistake: Option<Mistake>,
}

/// What a mark of the product is.
pub(super) enum ProductMark {
    /// A mark of the property.
    Property(usize),
    /// A justice constraint of the model.
    System(usize),
    /// There are no marks: all steps have the only one.
    None,
}

impl<'o> PartitionedStates<'o> {
    pub(super) fn new(
        system: SystemStates<'o>,
        property: PropertyGraph,
        property_first: bool,
        mistake: Option<Mistake>,
    ) -> Self {
        let known = property.incoming.iter().map(|_| None).collect();
        PartitionedStates { system, property, bound: None, known, property_first, mistake }
    }

    /// The region with the same states of the model for all chosen states of the property.
    pub(super) fn region(&self, states: &Bdd, is_chosen: impl Fn(usize) -> bool) -> Partition {
        let none = self.system.manager().bottom();
        let part = |b| if is_chosen(b) { states.clone() } else { none.clone() };
        (0..self.property.state_count()).map(part).collect()
    }

    /// The number of justice constraints of the model.
    fn justice_count(&self) -> usize {
        self.system.model().justice.len()
    }

    /// The number of marks, perhaps none.
    pub(super) fn mark_count(&self) -> usize {
        self.justice_count() + self.property.mark_count
    }

    /// A mark by its number.
    pub(super) fn mark(&self, number: usize) -> ProductMark {
        let (justice, marks) = (self.justice_count(), self.property.mark_count);
        let place = match self.property_first {
            true if number < marks => return ProductMark::Property(number),
            true => number - marks,
            false => number,
        };
        match place {
            _ if justice + marks == 0 => ProductMark::None,
            place if place < justice => ProductMark::System(place),
            place => ProductMark::Property(place - justice),
        }
    }
}

impl<'o> FairSpace for PartitionedStates<'o> {
    type Region = Partition;
    type State = PairState;
    type Label = BitSet;
    type Plain<'s>
        = PartitionAlgebra<'s, 'o>
    where
        Self: 's;
    type Marked<'s>
        = PartitionAlgebra<'s, 'o>
    where
        Self: 's;

    fn direction(&self) -> Direction {
        self.system.direction()
    }

    fn all(&self) -> Partition {
        match &self.bound {
            Some(bound) => bound.states.clone(),
            None => self.region(&self.system.manager().top(), |_| true),
        }
    }

    fn initial(&self) -> Result<Partition, Stop> {
        let initial = self.system.initial()?;
        Ok(self.region(&initial, |b| self.property.initial.contains(&b)))
    }

    fn is_safety(&self) -> bool {
        self.mark_count() == 0
    }

    fn plain(&mut self) -> PartitionAlgebra<'_, 'o> {
        PartitionAlgebra { states: self, within: None }
    }

    fn marked(&mut self) -> Result<PartitionAlgebra<'_, 'o>, Stop> {
        Ok(self.plain())
    }

    fn lift(&mut self, region: &Partition) -> Result<Partition, Stop> {
        Ok(region.clone())
    }

    fn lower(&self, state: PairState) -> PairState {
        state
    }
}

impl TwoWaySpace for PartitionedStates<'_> {
    fn face(&mut self, direction: Direction) -> Result<(), Stop> {
        self.system.face(direction)
    }

    fn within(&mut self, region: Partition) -> Self::Plain<'_> {
        PartitionAlgebra { states: self, within: Some(region) }
    }

    fn size(&self, region: &Partition) -> usize {
        region.iter().map(Bdd::node_count).sum()
    }
}

impl BoundedSpace for PartitionedStates<'_> {
    fn bound_by(&mut self, states: Option<Partition>, is_closed: bool) {
        // The model needs to know only that there is a bound.
        let marker = states.is_some().then(|| self.system.manager().top());
        self.system.bound_by(marker, is_closed);
        self.known.iter_mut().for_each(|known| *known = None);
        self.bound = states.map(|states| PartitionBound { states, is_closed });
    }

    fn bound_by_closure(&mut self) -> Result<(), Stop> {
        let direction = self.direction();
        self.bound_by(None, true);
        self.face(Direction::Forward)?;
        let initial = self.initial()?;
        let reached = self.plain().closure(&initial, None)?;
        self.bound_by(Some(reached), true);
        self.face(direction)
    }

    fn bound_by_factor(&mut self, _model: &Model) -> Result<(), Stop> {
        let direction = self.direction();
        let reached = self.system.closure_of_initial()?;
        let reached = self.region(&reached, |_| true);
        self.bound_by(Some(reached), true);
        self.face(direction)
    }

    fn begin_attempt(&mut self, nodes: u64) {
        BddContext::begin_attempt(self.system.context(), nodes);
    }

    fn end_attempt(&mut self) -> bool {
        BddContext::end_attempt(self.system.context())
    }
}
