//! A model, from its text to its encoding.

use kermode_base::{Diagnostic, Severity};

use crate::encoding::{EncodedModel, Limits, encode};
use crate::flat::{FlatExpression, FlatModel};
use crate::meaning::{Unusable, flatten, flatten_with};
use crate::syntax::{ExpressionKind, File, ReadOptions, parse, parse_expression};

/// A model that was read.
#[derive(Clone, Debug)]
pub struct SmvModel {
    /// The flat model.
    pub flat: FlatModel,
    /// The model over bits.
    pub encoded: EncodedModel,
    /// What is legal and perhaps not meant.
    pub warnings: Vec<Diagnostic>,
    text: String,
    file: File,
}

impl SmvModel {
    /// Reads, flattens, checks and encodes a model.
    ///
    /// # Errors
    /// If the model has errors, or if the caller interrupts. All diagnostics refer to the text.
    pub fn read<E>(
        text: &str,
        options: &ReadOptions,
        limits: &Limits,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<SmvModel, Unusable<E>> {
        let parsed = parse(text, options);
        if parsed.has_errors() {
            return Err(Unusable::Wrong(parsed.diagnostics));
        }
        let mut warnings = parsed.diagnostics;
        let (flat, more) = flatten(text, &parsed.file, interrupt)?;
        warnings.extend(more);
        let (encoded, more) = encode(&flat, limits, interrupt).map_err(Unusable::Stopped)?;
        warnings.extend(more);
        warnings.sort_by_key(|diagnostic| diagnostic.span.start);
        if warnings.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            return Err(Unusable::Wrong(warnings));
        }
        Ok(SmvModel { flat, encoded, warnings, text: text.to_owned(), file: parsed.file })
    }

    /// The text of the model.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The syntax tree of the model.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Reads a Boolean expression with the names of `main`, and adds it to the flat model. Handles
    /// of other expressions stay valid.
    ///
    /// # Errors
    /// If the text is no such expression. Places in the diagnostics refer to it.
    pub fn expression<E>(
        &mut self,
        text: &str,
        kind: ExpressionKind,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<FlatExpression, Unusable<E>> {
        let expression = parse_expression(text, kind, &mut self.file).map_err(Unusable::Wrong)?;
        // Flattening is deterministic, so the handles are those of the first time.
        let added = (text, expression, kind);
        let (flat, expression) = flatten_with(&self.text, &self.file, added, interrupt)?;
        self.flat = flat;
        Ok(expression)
    }
}
