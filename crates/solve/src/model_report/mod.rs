//! Views of an SMV model, as texts for people and as JSON.
//!
//! A [`ModelView`] says what to show. Only the views that need decision diagrams take long: they
//! run under a budget, and statistics that the budget cuts short are reported as far as they go.

mod listing;
mod picture;
mod statistics;
mod summary;

use std::sync::Mutex;

use kermode_base::{Diagnostic, Natural};
use kermode_smv::print::{boolean_text, flat_text};
use kermode_smv::{SmvModel, Unusable};
use serde_json::{Map, Value, json};

use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;
use crate::state_space::GraphError;

/// What to show of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelView {
    /// Modules, variables, constraints and properties.
    Summary,
    /// The flat model as a text that NuSMV reads.
    Flat,
    /// The model over bits as a text that NuSMV reads.
    Boolean,
    /// The size of its state space.
    Statistics,
    /// The reachable states that satisfy an expression.
    States {
        /// The expression.
        condition: String,
        /// The largest number of states to list.
        most: usize,
    },
    /// The reachable states and steps as a picture for Graphviz.
    Picture,
}

/// A view of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelReport {
    /// The text for people, or for other tools.
    pub text: String,
    /// The same as data.
    pub json: Map<String, Value>,
    /// What users should know about the model.
    pub warnings: Vec<String>,
    /// Why a part is missing.
    pub stop: Option<Stop>,
}

/// What is known while a view is computed: an operation on diagrams cannot be interrupted, and a
/// caller may not want to wait for its end.
#[derive(Debug, Default)]
pub struct PartialReport(Mutex<Option<ModelReport>>);

impl PartialReport {
    /// What is known.
    pub fn take(&self) -> Option<ModelReport> {
        self.0.lock().ok().and_then(|mut report| report.take())
    }

    fn set(&self, report: ModelReport) {
        if let Ok(mut place) = self.0.lock() {
            *place = Some(report);
        }
    }
}

/// Why there is no view.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelViewError {
    /// The expression has errors.
    #[error("the expression cannot be read")]
    Expression(Vec<Diagnostic>),
    /// The reachable graph is too large for a picture.
    #[error("{0}, too many for a picture: there may be {1}")]
    TooLarge(GraphError, usize),
    /// The budget ended.
    #[error(transparent)]
    Stop(#[from] Stop),
}

impl From<Unusable<Stop>> for ModelViewError {
    fn from(error: Unusable<Stop>) -> ModelViewError {
        match error {
            Unusable::Wrong(diagnostics) => ModelViewError::Expression(diagnostics),
            Unusable::Stopped(stop) => ModelViewError::Stop(stop),
        }
    }
}

impl ModelView {
    /// Shows a model. Numbers that are known early are in `partial` meanwhile.
    pub fn of(
        &self,
        model: &mut SmvModel,
        budget: &Budget,
        observer: &mut dyn Observer,
        partial: &PartialReport,
    ) -> Result<ModelReport, ModelViewError> {
        match self {
            ModelView::Summary => Ok(summary::report(model)),
            ModelView::Flat => Ok(ModelReport::of_text("model", flat_text(&model.flat))),
            ModelView::Boolean => {
                let text = boolean_text(&model.flat, &model.encoded);
                Ok(ModelReport::of_text("model", text))
            }
            ModelView::Statistics => {
                Ok(statistics::report(&model.encoded.model, budget, observer, partial))
            }
            ModelView::States { condition, most } => {
                listing::report(model, condition, *most, budget, observer)
            }
            ModelView::Picture => picture::report(&model.encoded.model, budget, observer),
        }
    }
}

impl ModelReport {
    /// A text for other tools.
    fn of_text(key: &str, text: String) -> ModelReport {
        let json = Map::from_iter([(key.to_owned(), json!(text))]);
        ModelReport { text, json, warnings: Vec::new(), stop: None }
    }
}

/// A number, as a text where readers of JSON may not support its size.
fn number_json(number: &Natural) -> Value {
    match u64::try_from(number) {
        Ok(number) if number < 1 << 53 => json!(number),
        _ => json!(number.to_string()),
    }
}

/// A count with its noun.
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
