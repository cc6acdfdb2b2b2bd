//! A model, from its text to its encoding.

use kermode_base::{Diagnostic, Severity};

use crate::dead_loops;
use crate::encoding::{EncodedModel, Limits, check_expression, encode, leaves};
use crate::flat::{FlatExpression, FlatModel};
use crate::meaning::{Flattened, TypedExpression, Unusable, flatten, flatten_with};
use crate::syntax::{Expression, ExpressionKind, File, ReadOptions, Span, parse, parse_expression};

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
    options: ReadOptions,
    /// The typed expressions so far, with their texts and kinds.
    typed: Vec<(String, Expression, ExpressionKind)>,
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
        let mut parsed = parse(text, options);
        if !parsed.has_errors()
            && let Some(name) = &options.dead
        {
            parsed.diagnostics.extend(dead_loops::declare(&mut parsed.file, name).err());
        }
        if parsed.has_errors() {
            return Err(Unusable::Wrong(parsed.diagnostics));
        }
        let mut warnings = parsed.diagnostics;
        let (mut flat, mut more) = flatten(text, &parsed.file, interrupt)?;
        if let Some(name) = &options.dead {
            dead_loops::mark(&mut flat, name);
            more.retain(|warning| !dead_loops::is_about_flag(&flat, warning));
            warnings.extend(dead_loops::uses(&flat));
        }
        warnings.extend(more);
        let (encoded, more) = encode(&flat, limits, interrupt).map_err(Unusable::Stopped)?;
        warnings.extend(more);
        warnings.sort_by_key(|diagnostic| diagnostic.span.start);
        if warnings.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            return Err(Unusable::Wrong(warnings));
        }
        Ok(SmvModel {
            flat,
            encoded,
            warnings,
            text: text.to_owned(),
            file: parsed.file,
            options: options.clone(),
            typed: Vec::new(),
        })
    }

    /// The text of the model.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The syntax tree of the model.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Reads Boolean expressions with the names of `main`, and adds them to the flat model. Handles
    /// of other expressions stay valid.
    ///
    /// A text may be no such expression, or its evaluation may fail. Places in its diagnostics
    /// refer to the text.
    ///
    /// # Errors
    /// If the caller interrupts.
    pub fn expressions<E>(
        &mut self,
        texts: &[(&str, ExpressionKind)],
        limits: &Limits,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Flattened, E> {
        let mut results: Vec<Option<Result<FlatExpression, Vec<Diagnostic>>>> =
            vec![None; texts.len()];
        // Earlier typed expressions are flattened again, so that their handles stay valid.
        let (mut typed, before) = (self.typed.clone(), self.typed.len());
        let mut numbers = Vec::with_capacity(texts.len());
        for (number, &(text, kind)) in texts.iter().enumerate() {
            match parse_expression(text, kind, &self.options, &mut self.file) {
                Ok(expression) => {
                    numbers.push(number);
                    typed.push((text.to_owned(), expression, kind));
                }
                Err(diagnostics) => results[number] = Some(Err(diagnostics)),
            }
        }
        let added: Vec<TypedExpression> = typed
            .iter()
            .map(|(text, expression, kind)| TypedExpression {
                text,
                expression: *expression,
                kind: *kind,
            })
            .collect();
        // Flattening is deterministic, so the handles are those of the first time.
        let (flat, flattened) = match flatten_with(&self.text, &self.file, &added, interrupt) {
            Ok(flattened) => flattened,
            Err(Unusable::Stopped(stop)) => return Err(stop),
            Err(Unusable::Wrong(_)) => unreachable!("the model has no errors"),
        };
        self.flat = flat;
        if let Some(name) = &self.options.dead {
            dead_loops::mark(&mut self.flat, name);
        }
        self.typed = typed;
        for (number, expression) in numbers.into_iter().zip(flattened.into_iter().skip(before)) {
            results[number] = Some(match expression {
                Ok(expression) => self.checked(texts[number].0, expression, limits, interrupt)?,
                wrong => wrong,
            });
        }
        Ok(results.into_iter().map(|result| result.expect("each text was read")).collect())
    }

    /// Reads one Boolean expression with the names of `main`. See [`SmvModel::expressions`].
    ///
    /// # Errors
    /// If the text is no such expression, or if the caller interrupts.
    pub fn expression<E>(
        &mut self,
        text: &str,
        kind: ExpressionKind,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<FlatExpression, Unusable<E>> {
        let mut read = self.expressions(&[(text, kind)], &Limits::default(), interrupt)?;
        read.swap_remove(0).map_err(Unusable::Wrong)
    }

    /// The expression, unless its evaluation may fail.
    fn checked<E>(
        &mut self,
        text: &str,
        expression: FlatExpression,
        limits: &Limits,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Result<FlatExpression, Vec<Diagnostic>>, E> {
        for leaf in leaves(&self.flat, expression) {
            let place = (leaf, Span::default());
            let found = check_expression(&mut self.encoded, &self.flat, place, limits, interrupt)?;
            let mut errors = found.into_iter().filter(|d| d.severity == Severity::Error);
            if let Some(error) = errors.next() {
                // Places in the message may refer to the model.
                let whole = Diagnostic::error(0..text.len(), error.message);
                return Ok(Err(vec![whole.label("evaluated here")]));
            }
        }
        Ok(Ok(expression))
    }
}
