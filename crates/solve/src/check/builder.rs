//! Reads what was typed, and translates properties.

use kermode_base::{Diagnostic, Source};
use kermode_ltl::dialect::{self, Syntax, plain_text};
use kermode_ltl::{Dialect, Formula, Proposition, Store, WordKind};
use kermode_smv::SmvModel;
use kermode_smv::encoding::Limits;
use kermode_smv::flat::{self, FlatExpression};
use kermode_smv::property::{CtlSpecification, FlatAtoms, ctl_formula, ltl_formula, violation};
use kermode_smv::syntax::{ExpressionKind, PropertyKind, Span};
use kermode_system::Target;

use super::property::{CheckedKind, Meaning, Property};
use super::request::{CheckError, Checker, PropertyRequest, TypedPlace};
use crate::engines::ctl::ComputeKind;
use crate::frame::budget::Budget;
use crate::frame::problem::PathEnd;

/// A text that was typed.
struct TypedText<'r> {
    place: TypedPlace,
    text: &'r str,
    notation: Notation,
}

#[derive(Clone, Copy)]
enum Notation {
    Smv(ExpressionKind),
    Other(Dialect),
}

/// What a typed text means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Read {
    Expression(FlatExpression),
    Formula(Formula),
}

/// The texts that were read, by place.
pub(super) struct ReadTexts(Vec<(TypedPlace, Read)>);

impl ReadTexts {
    fn at(&self, place: TypedPlace) -> Option<Read> {
        self.0.iter().find(|(known, _)| *known == place).map(|&(_, read)| read)
    }
}

pub(super) struct Builder {
    model: SmvModel,
    store: Store,
    atoms: FlatAtoms,
    finite: Option<PathEnd>,
    properties: Vec<Property>,
}

impl Builder {
    pub(super) fn new(model: SmvModel, finite: Option<PathEnd>) -> Self {
        let (store, atoms) = (Store::new(), FlatAtoms::default());
        Builder { model, store, atoms, finite, properties: Vec::new() }
    }

    /// Reads all typed texts together: the model is flattened once for all of them.
    pub(super) fn read(
        &mut self,
        requests: &[PropertyRequest],
        assumptions: &[(String, Option<Dialect>)],
        budget: &Budget,
    ) -> Result<ReadTexts, Vec<CheckError>> {
        let texts = typed_texts(requests, assumptions);
        let mut errors = Vec::new();
        // The formulas of other dialects, by the index of the text.
        let mut formulas: Vec<Option<Formula>> = vec![None; texts.len()];
        // What is flattened: the text, its kind, the index of its typed text, and its proposition.
        let mut parts: Vec<(String, ExpressionKind, usize, Option<Proposition>)> = Vec::new();
        for (index, typed) in texts.iter().enumerate() {
            match typed.notation {
                Notation::Smv(kind) => parts.push((typed.text.to_owned(), kind, index, None)),
                Notation::Other(dialect) => match self.parse(typed.text, dialect) {
                    Ok(formula) => {
                        formulas[index] = Some(formula);
                        for proposition in self.store.propositions(formula) {
                            let name = self.store.name(proposition).to_owned();
                            parts.push((name, ExpressionKind::Next, index, Some(proposition)));
                        }
                    }
                    Err(diagnostic) => errors.push(typed.wrong(vec![diagnostic])),
                },
            }
        }
        let all: Vec<(&str, ExpressionKind)> =
            parts.iter().map(|(text, kind, ..)| (text.as_str(), *kind)).collect();
        let interrupt = &mut || budget.check();
        let read = self.model.expressions(&all, &Limits::default(), interrupt);
        let read = read.map_err(|stop| vec![CheckError::Stopped(stop)])?;
        let mut known: Vec<(TypedPlace, Read)> = Vec::new();
        for ((name, _, index, proposition), result) in parts.iter().zip(read) {
            let typed = &texts[*index];
            match (result, proposition) {
                (Ok(expression), Some(proposition)) => self.atoms.bind(*proposition, expression),
                (Ok(expression), None) => known.push((typed.place, Read::Expression(expression))),
                (Err(diagnostics), None) => errors.push(typed.wrong(diagnostics)),
                (Err(diagnostics), Some(_)) => errors.push(typed.wrong_part(name, diagnostics)),
            }
        }
        let formulas = texts.iter().zip(formulas);
        known.extend(formulas.filter_map(|(typed, f)| Some((typed.place, Read::Formula(f?)))));
        if errors.is_empty() { Ok(ReadTexts(known)) } else { Err(errors) }
    }

    fn words(&self) -> WordKind {
        if self.finite.is_some() { WordKind::Finite } else { WordKind::Infinite }
    }

    fn parse(&mut self, text: &str, dialect: Dialect) -> Result<Formula, Diagnostic> {
        let syntax = Syntax { dialect, words: self.words() };
        Ok(dialect::parse(&mut self.store, text, syntax)?.formula)
    }

    /// Adds the requested properties.
    pub(super) fn add(
        &mut self,
        requests: &[PropertyRequest],
        texts: &ReadTexts,
    ) -> Result<(), Vec<CheckError>> {
        let mut errors = Vec::new();
        for (index, request) in requests.iter().enumerate() {
            let read = texts.at(TypedPlace::Request(index));
            match (request, read) {
                (PropertyRequest::Declared, _) => {
                    (0..self.model.flat.properties.len()).for_each(|number| self.declared(number));
                }
                (PropertyRequest::Selected(wanted), _) => match self.find(wanted) {
                    Ok(found) => found.into_iter().for_each(|number| self.declared(number)),
                    Err(error) => errors.push(error),
                },
                (PropertyRequest::Ltl { name, text, .. }, Some(read)) => {
                    let meaning = match read {
                        Read::Expression(expression) => self.paths(expression),
                        Read::Formula(formula) => self.formula(formula),
                    };
                    self.typed(self.path_kind(), name.clone(), text, meaning);
                }
                (PropertyRequest::Invariant(text), Some(Read::Expression(expression))) => {
                    let meaning = self.invariant(expression);
                    self.typed(CheckedKind::Invariant, None, text, meaning);
                }
                (PropertyRequest::Ctl(text), Some(Read::Expression(expression))) => {
                    let meaning = self.branches(expression);
                    self.typed(CheckedKind::Ctl, None, text, meaning);
                }
                (PropertyRequest::Deadlock, _) => {
                    let text = "no dead end is reachable";
                    let meaning = Meaning::Never { target: Target::DeadEnd, invariant: None };
                    self.typed(CheckedKind::Deadlock, None, text, meaning);
                }
                (_, Some(Read::Formula(_)) | None) => unreachable!("each typed text was read"),
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    fn path_kind(&self) -> CheckedKind {
        if self.finite.is_some() { CheckedKind::FiniteLtl } else { CheckedKind::Ltl }
    }

    fn typed(&mut self, kind: CheckedKind, name: Option<String>, text: &str, meaning: Meaning) {
        let (instance, text) = (String::new(), plain_text(text));
        let property = Property { number: None, kind, name, instance, line: None, text, meaning };
        self.properties.push(property);
    }

    /// The indices of the specifications with a name, or of the one with a number.
    fn find(&self, wanted: &str) -> Result<Vec<usize>, CheckError> {
        let all = &self.model.flat.properties;
        let named: Vec<usize> =
            (0..all.len()).filter(|&i| all[i].name.as_deref() == Some(wanted)).collect();
        if !named.is_empty() {
            return Ok(named);
        }
        let number = wanted.parse::<usize>().ok().filter(|number| (1..=all.len()).contains(number));
        number.map(|number| vec![number - 1]).ok_or_else(|| CheckError::NoSuchProperty {
            wanted: wanted.to_owned(),
            count: all.len(),
            names: all.iter().filter_map(|property| property.name.clone()).collect(),
        })
    }

    /// Adds the specification with this index.
    fn declared(&mut self, index: usize) {
        let flat::Property { kind, name, instance, operands, span, keyword } =
            self.model.flat.properties[index].clone();
        let (kind, meaning) = match (kind, operands.as_slice()) {
            (PropertyKind::Ltl, &[formula]) => (self.path_kind(), self.paths(formula)),
            (PropertyKind::Invariant, &[expression]) => {
                (CheckedKind::Invariant, self.invariant(expression))
            }
            (PropertyKind::Ctl, &[formula]) => (CheckedKind::Ctl, self.branches(formula)),
            (PropertyKind::ComputeMin, &[from, to]) => {
                let (kind, from, to) = (ComputeKind::Min, self.ctl(from), self.ctl(to));
                (CheckedKind::ComputeMin, Meaning::Compute { kind, from, to })
            }
            (PropertyKind::ComputeMax, &[from, to]) => {
                let (kind, from, to) = (ComputeKind::Max, self.ctl(from), self.ctl(to));
                (CheckedKind::ComputeMax, Meaning::Compute { kind, from, to })
            }
            _ => {
                let why = "PSL specifications are not supported".to_owned();
                (CheckedKind::Psl, Meaning::Unsupported(why))
            }
        };
        let property = Property {
            number: Some(index + 1),
            kind,
            name,
            instance,
            line: Some(self.line(keyword)),
            text: plain_text(&self.model.text()[span.range()]),
            meaning,
        };
        self.properties.push(property);
    }

    /// The line of a place, by the line directives of the text.
    fn line(&self, place: Span) -> usize {
        let source = Source { name: "", text: self.model.text() };
        source.file_and_line(place.range().start, &self.model.file().lines).1
    }

    /// The meaning of an LTL specification.
    fn paths(&mut self, specification: FlatExpression) -> Meaning {
        let Builder { model, store, atoms, .. } = self;
        let formula = ltl_formula(&model.flat, specification, store, atoms);
        self.formula(formula)
    }

    fn formula(&self, formula: Formula) -> Meaning {
        match self.reads_step(formula) {
            Some(why) if self.finite.is_some() => Meaning::Unsupported(why),
            _ => Meaning::Paths(formula),
        }
    }

    /// Why a formula is not about finite paths: an atom of it is about steps.
    fn reads_step(&self, formula: Formula) -> Option<String> {
        let expressions = &self.model.flat.expressions;
        let mut atoms = self.atoms.of(&self.store, formula).into_iter();
        let (proposition, _) = atoms.find(|&(_, atom)| expressions.is_about_steps(atom))?;
        let name = self.store.name(proposition);
        let why = "reads inputs or `next`, and the last state of a finite path has no step";
        Some(format!("`{name}` {why}"))
    }

    fn invariant(&mut self, invariant: FlatExpression) -> Meaning {
        let SmvModel { flat, encoded, .. } = &mut self.model;
        let target = violation(flat, encoded, invariant);
        Meaning::Never { target, invariant: Some(invariant) }
    }

    fn branches(&mut self, formula: FlatExpression) -> Meaning {
        Meaning::Branches(self.ctl(formula))
    }

    fn ctl(&mut self, formula: FlatExpression) -> CtlSpecification {
        let SmvModel { flat, encoded, .. } = &mut self.model;
        ctl_formula(flat, encoded, formula)
    }

    /// The conjunction of the assumptions.
    pub(super) fn conjunction(&mut self, texts: &ReadTexts, count: usize) -> Option<Formula> {
        let mut all = None;
        for index in 0..count {
            let formula = match texts.at(TypedPlace::Assumption(index))? {
                Read::Expression(expression) => {
                    let Builder { model, store, atoms, .. } = self;
                    ltl_formula(&model.flat, expression, store, atoms)
                }
                Read::Formula(formula) => formula,
            };
            all = Some(match all {
                Some(before) => self.store.and(before, formula),
                None => formula,
            });
        }
        all
    }

    /// Encodes the atoms, and adds compassion.
    pub(super) fn finish(mut self, assumption: Option<Formula>) -> Checker {
        if self.finite.is_some()
            && let Some(why) = assumption.and_then(|assumed| self.reads_step(assumed))
        {
            for property in &mut self.properties {
                if let Meaning::Paths(_) = property.meaning {
                    property.meaning = Meaning::Unsupported(why.clone());
                }
            }
        }
        let SmvModel { flat, encoded, .. } = &mut self.model;
        let atoms: Vec<_> = self.atoms.iter().collect();
        let atoms: Vec<_> =
            atoms.into_iter().map(|(p, atom)| (p, encoded.boolean(flat, atom))).collect();
        let mut fair = encoded.model.clone();
        if self.finite.is_none() {
            encoded.compassion.iter().for_each(|&(p, q)| fair.demand_compassion(p, q));
        }
        fair.atoms.extend(atoms);
        let Builder { model, store, atoms, finite, properties } = self;
        Checker { model, store, atoms, fair, finite, properties, assumption }
    }
}

impl TypedText<'_> {
    fn wrong(&self, diagnostics: Vec<Diagnostic>) -> CheckError {
        CheckError::Wrong { place: self.place, text: self.text.to_owned(), diagnostics }
    }

    /// An error in a proposition of the text.
    fn wrong_part(&self, name: &str, diagnostics: Vec<Diagnostic>) -> CheckError {
        let start = self.text.find(name).unwrap_or(0);
        let end = if self.text[start..].starts_with(name) { start + name.len() } else { start };
        let moved = diagnostics.into_iter().map(|diagnostic| {
            let span = diagnostic.span.clone();
            let span = (start + span.start).min(end)..(start + span.end).min(end);
            Diagnostic { span, ..diagnostic }
        });
        self.wrong(moved.collect())
    }
}

fn typed_texts<'r>(
    requests: &'r [PropertyRequest],
    assumptions: &'r [(String, Option<Dialect>)],
) -> Vec<TypedText<'r>> {
    let notation = |dialect: Option<Dialect>| match dialect {
        None | Some(Dialect::Nusmv) => Notation::Smv(ExpressionKind::Ltl),
        Some(dialect) => Notation::Other(dialect),
    };
    let requested = requests.iter().enumerate().filter_map(|(index, request)| {
        let (text, notation) = match request {
            PropertyRequest::Ltl { text, dialect, .. } => (text, notation(*dialect)),
            PropertyRequest::Ctl(text) => (text, Notation::Smv(ExpressionKind::Ctl)),
            PropertyRequest::Invariant(text) => (text, Notation::Smv(ExpressionKind::Next)),
            PropertyRequest::Declared
            | PropertyRequest::Selected(_)
            | PropertyRequest::Deadlock => return None,
        };
        Some(TypedText { place: TypedPlace::Request(index), text, notation })
    });
    let assumed = assumptions.iter().enumerate().map(|(index, (text, dialect))| TypedText {
        place: TypedPlace::Assumption(index),
        text,
        notation: notation(*dialect),
    });
    requested.chain(assumed).collect()
}
