//! Transitions of alternating automata as disjunctions of edges, each with a label over the letters
//! and a conjunction of locations.
//!
//! Every expression becomes a table from sets of locations to the letters on which they satisfy it,
//! operands first. A conjunction joins all pairs of sets, so the tables may be exponential; the
//! work is limited. A set is dropped if smaller ones are enough on all of its letters.

use std::collections::{BTreeMap, BTreeSet};

use kermode_bdd::{Bdd, CannotStart, Capacity, Manager, OutOfNodes, Variable};
use kermode_ltl::Proposition;
use rustc_hash::FxHashMap;

use crate::alternating::{AlternatingAutomaton, Location};
use crate::expression::{Expression, Term};

/// The largest number of joined sets.
const MOST_JOINS: usize = 1 << 20;
/// The largest number of sets that are compared with each other.
const FEW_SETS: usize = 256;
/// The largest number of nodes of labels.
const NODES: usize = 1 << 20;

/// Why transitions could not be written as edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoBranches {
    /// A transition has too many alternatives.
    #[error("a transition written out as alternatives is too large")]
    TooLarge,
    /// The table for labels is full.
    #[error(transparent)]
    OutOfNodes(#[from] OutOfNodes),
    /// There is no memory for labels.
    #[error(transparent)]
    CannotStart(#[from] CannotStart),
}

/// Sets of locations, and the letters on which each satisfies the expression.
pub(crate) type Branches = BTreeMap<BTreeSet<Location>, Bdd>;

/// The branches of every expression of an automaton that is used.
pub(crate) struct Forms {
    manager: Manager,
    variables: FxHashMap<Proposition, Variable>,
    forms: FxHashMap<Expression, Branches>,
    left: usize,
}

impl Forms {
    pub(crate) fn of(automaton: &AlternatingAutomaton) -> Result<Self, NoBranches> {
        let propositions = automaton.propositions();
        let small = Capacity::small(propositions.len());
        let manager =
            Manager::new(Capacity { nodes: NODES, ..small }).or_else(|error| match error {
                CannotStart::NoMemory(_) => Manager::new(small),
                CannotStart::TooManyVariables(_) => Err(error),
            })?;
        let variables = propositions.iter().zip(0..).map(|(&p, n)| (p, Variable(n))).collect();
        let mut forms = Forms { manager, variables, forms: FxHashMap::default(), left: MOST_JOINS };
        for expression in automaton.used_expressions() {
            let branches = forms.branches(automaton.expressions().term(expression))?;
            forms.forms.insert(expression, branches);
        }
        Ok(forms)
    }

    /// The branches of an expression that is used.
    pub(crate) fn get(&self, expression: Expression) -> &Branches {
        &self.forms[&expression]
    }

    /// The manager of the labels. Its variable `i` is the proposition `i` of the automaton.
    pub(crate) fn manager(&self) -> &Manager {
        &self.manager
    }

    /// The label that is always true.
    pub(crate) fn top(&self) -> Bdd {
        self.manager.top()
    }

    fn branches(&mut self, term: Term) -> Result<Branches, NoBranches> {
        let (nowhere, top) = (BTreeSet::new(), self.manager.top());
        Ok(match term {
            Term::Constant(true) => Branches::from([(nowhere, top)]),
            Term::Constant(false) => Branches::new(),
            Term::Literal { proposition, positive } => {
                let variable = self.variables[&proposition];
                Branches::from([(nowhere, self.manager.literal(variable, positive)?)])
            }
            Term::Location(location) => Branches::from([(BTreeSet::from([location]), top)]),
            Term::And(a, b) => {
                let (a, b) = (&self.forms[&a], &self.forms[&b]);
                self.left = self.left.checked_sub(a.len() * b.len()).ok_or(NoBranches::TooLarge)?;
                let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
                let pairs = pairs.map(|((s, f), (t, g))| Ok((s | t, f.and(g)?)));
                minimal(pairs)?
            }
            Term::Or(a, b) => {
                let (a, b) = (&self.forms[&a], &self.forms[&b]);
                self.left = self.left.checked_sub(a.len() + b.len()).ok_or(NoBranches::TooLarge)?;
                minimal(a.iter().chain(b).map(|(s, f)| Ok((s.clone(), f.clone()))))?
            }
        })
    }
}

/// Branches with the same set joined, without those that others make superfluous.
fn minimal(
    all: impl Iterator<Item = Result<(BTreeSet<Location>, Bdd), OutOfNodes>>,
) -> Result<Branches, OutOfNodes> {
    let mut branches = Branches::new();
    for branch in all {
        let (set, label) = branch?;
        if label.is_bottom() {
            continue;
        }
        let label = match branches.get(&set) {
            Some(other) => other.or(&label)?,
            None => label,
        };
        branches.insert(set, label);
    }
    if branches.len() > FEW_SETS {
        return Ok(branches);
    }
    let mut needed = Branches::new();
    for (set, label) in &branches {
        let mut rest = label.clone();
        for (_, other) in branches.iter().filter(|(s, _)| s.len() < set.len() && s.is_subset(set)) {
            rest = rest.and_not(other)?;
        }
        if !rest.is_bottom() {
            needed.insert(set.clone(), label.clone());
        }
    }
    Ok(needed)
}
