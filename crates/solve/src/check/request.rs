//! From a model and what the caller asks for to properties that engines decide.
//!
//! Everything is translated before the first check: expressions are encoded into the graph of the
//! model, and all later problems share that graph.

use kermode_base::Diagnostic;
use kermode_ltl::{Dialect, Formula, Store};
use kermode_smv::SmvModel;
use kermode_smv::property::FlatAtoms;
use kermode_system::Model;

use super::builder::Builder;
use super::dead_loops::loop_dead_ends;
use super::property::Property;
use crate::frame::budget::{Budget, Stop};
use crate::frame::problem::PathEnd;

/// What to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyRequest {
    /// All specifications of the model.
    Declared,
    /// The specification with this name or, counted from 1, with this number.
    Selected(String),
    /// An LTL formula: an LTL expression of SMV, or a formula of another dialect whose propositions
    /// are Boolean expressions of SMV.
    Ltl {
        /// A name for it.
        name: Option<String>,
        /// The text.
        text: String,
        /// The dialect.
        dialect: Option<Dialect>,
    },
    /// Automata in the HOA format, or one in ALASKA's syntax. Their propositions are Boolean
    /// expressions of SMV, or are defined as such.
    Automata {
        /// Where the text comes from.
        source: String,
        /// The text.
        text: String,
        /// Whether each automaton accepts the words of no path, in place of those of all paths.
        none: bool,
    },
    /// A CTL formula.
    Ctl(String),
    /// An invariant.
    Invariant(String),
    /// No dead end is reachable.
    Deadlock,
}

/// Why there is nothing to check.
#[derive(Clone, Debug)]
pub enum CheckError {
    /// No specification has this name or number.
    NoSuchProperty {
        /// The name or number.
        wanted: String,
        /// The number of specifications.
        count: usize,
        /// Their names.
        names: Vec<String>,
    },
    /// A typed formula is wrong. Places refer to its text.
    Wrong {
        /// Where it was typed.
        place: TypedPlace,
        /// The text.
        text: String,
        /// What is wrong.
        diagnostics: Vec<Diagnostic>,
    },
    /// The budget ended.
    Stopped(Stop),
}

/// Where a text was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypedPlace {
    /// The request with this index.
    Request(usize),
    /// The assumption with this index.
    Assumption(usize),
    /// The definitions of propositions.
    Definitions,
}

impl From<Stop> for CheckError {
    fn from(stop: Stop) -> Self {
        CheckError::Stopped(stop)
    }
}

/// A model with the properties to decide.
#[derive(Clone, Debug)]
pub struct Checker {
    pub(super) model: SmvModel,
    /// The owner of formulas about paths.
    pub(super) store: Store,
    pub(super) atoms: FlatAtoms,
    /// The model with compassion, unless paths are finite, and with the atoms of all formulas about
    /// paths.
    pub(super) fair: Model,
    /// Whether LTL is about finite paths in place of fair ones, and where these end.
    pub(super) finite: Option<PathEnd>,
    pub(super) properties: Vec<Property>,
    /// The paths in question satisfy this.
    pub(super) assumption: Option<Formula>,
    pub(super) warnings: Vec<(TypedPlace, Diagnostic)>,
}

impl Checker {
    /// Translates the requested properties. All paths in question satisfy the assumptions, which
    /// are texts in the dialect. With `finite`, LTL and automata are about finite paths with such
    /// ends.
    ///
    /// # Errors
    /// If a text is wrong, a name is unknown, or the budget ends.
    pub fn new(
        model: SmvModel,
        requests: &[PropertyRequest],
        assumptions: &[(String, Option<Dialect>)],
        finite: Option<PathEnd>,
        budget: &Budget,
    ) -> Result<Checker, Vec<CheckError>> {
        Checker::with_definitions(model, "", requests, assumptions, finite, budget)
    }

    /// The same with definitions of propositions, one per line: `name := expression`. They are for
    /// automata and for formulas of other dialects.
    ///
    /// # Errors
    /// If a text is wrong, a name is unknown, or the budget ends.
    pub fn with_definitions(
        mut model: SmvModel,
        definitions: &str,
        requests: &[PropertyRequest],
        assumptions: &[(String, Option<Dialect>)],
        finite: Option<PathEnd>,
        budget: &Budget,
    ) -> Result<Checker, Vec<CheckError>> {
        loop_dead_ends(&mut model, budget).map_err(|stop| vec![stop.into()])?;
        let mut builder = Builder::new(model, finite);
        let texts = builder.read(requests, assumptions, definitions, budget)?;
        builder.add(requests, &texts)?;
        let assumption = builder.conjunction(&texts, assumptions.len());
        if let Some(assumption) = assumption {
            builder.assume_words(assumption, budget).map_err(|stop| vec![stop.into()])?;
        }
        Ok(builder.finish(assumption))
    }

    /// Warnings about the texts.
    pub fn warnings(&self) -> &[(TypedPlace, Diagnostic)] {
        &self.warnings
    }

    /// The model.
    pub fn model(&self) -> &SmvModel {
        &self.model
    }

    /// The properties, in the order of their verdicts.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The model without compassion and atoms, for CTL and invariants.
    pub(super) fn plain(&self) -> &Model {
        &self.model.encoded.model
    }
}
