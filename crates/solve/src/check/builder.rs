//! Reads what was typed, and translates properties.

use std::ops::Range;

use kermode_base::{Diagnostic, Source};
use kermode_ltl::dialect::{self, Syntax, plain_text};
use kermode_ltl::{Dialect, Formula, Proposition, Store, WordKind};
use kermode_smv::SmvModel;
use kermode_smv::encoding::Limits;
use kermode_smv::flat::{self, FlatExpression};
use kermode_smv::property::{CtlSpecification, FlatAtoms, ctl_formula, ltl_formula, violation};
use kermode_smv::syntax::{ExpressionKind, PropertyKind, Span};
use kermode_system::Target;

use super::atom_file::{Definition, read_definitions, unused};
use super::automata::{Specification, Specifications, assumed, violation as violating_words};
use super::mistakes::{Mistake, is_planted};
use super::property::{CheckedKind, Meaning, Property};
use super::request::{CheckError, Checker, PropertyRequest, TypedPlace};
use crate::engines::ctl::ComputeKind;
use crate::frame::budget::{Budget, Stop};
use crate::frame::problem::PathEnd;

/// A text that was typed.
#[derive(Clone, Copy)]
struct TypedText<'r> {
    place: TypedPlace,
    text: &'r str,
    notation: Notation,
}

#[derive(Clone, Copy)]
enum Notation {
    Smv(ExpressionKind),
    Other(Dialect),
    Automata,
    Definitions,
}

/// What a typed text means.
#[derive(Clone, Debug)]
pub(super) enum Read {
    Expression(FlatExpression),
    Formula(Formula),
    Automata(Vec<Specification>),
}

/// The texts that were read, by place.
pub(super) struct ReadTexts(Vec<(TypedPlace, Read)>);

impl ReadTexts {
    fn at(&self, place: TypedPlace) -> Option<&Read> {
        self.0.iter().find(|(known, _)| *known == place).map(|(_, read)| read)
    }
}

/// A part of a typed text that is an expression of SMV.
struct Part {
    text: String,
    kind: ExpressionKind,
    /// The index of the typed text, and the place in it.
    typed: usize,
    place: Range<usize>,
    /// The proposition that stands for the expression; if there is none, the part is the whole
    /// text.
    proposition: Option<Proposition>,
}

/// What is known of typed texts while they are read.
struct Reading<'r> {
    /// The texts, the definitions first.
    texts: Vec<TypedText<'r>>,
    parts: Vec<Part>,
    known: Vec<(TypedPlace, Read)>,
    errors: Vec<CheckError>,
    /// The definitions, and whether each is used.
    definitions: Vec<(Definition, bool)>,
}

impl Reading<'_> {
    /// Adds the expression of a proposition: its definition, or its name, which is at a place of a
    /// text.
    fn bind(&mut self, name: &str, proposition: Proposition, typed: usize, place: Range<usize>) {
        if self.parts.iter().any(|part| part.proposition == Some(proposition)) {
            return;
        }
        let mut definitions = self.definitions.iter_mut();
        let (text, typed, place) = match definitions.find(|(known, _)| known.name == name) {
            Some((definition, is_used)) => {
                *is_used = true;
                let place = definition.place.clone();
                (self.texts[0].text[place.clone()].to_owned(), 0, place)
            }
            None => (name.to_owned(), typed, place),
        };
        let kind = ExpressionKind::Next;
        self.parts.push(Part { text, kind, typed, place, proposition: Some(proposition) });
    }

    /// What the part with an index means.
    fn flattened(
        &mut self,
        part: Part,
        read: Result<FlatExpression, Vec<Diagnostic>>,
        atoms: &mut FlatAtoms,
    ) {
        let typed = &self.texts[part.typed];
        match (read, part.proposition) {
            (Ok(expression), Some(proposition)) => atoms.bind(proposition, expression),
            (Ok(expression), None) => {
                self.known.push((typed.place, Read::Expression(expression)));
            }
            (Err(diagnostics), None) => self.errors.push(typed.wrong(diagnostics)),
            (Err(diagnostics), Some(_)) => {
                self.errors.push(typed.wrong_part(&part.text, part.place, diagnostics));
            }
        }
    }
}

pub(super) struct Builder {
    model: SmvModel,
    store: Store,
    atoms: FlatAtoms,
    finite: Option<PathEnd>,
    properties: Vec<Property>,
    warnings: Vec<(TypedPlace, Diagnostic)>,
}

impl Builder {
    pub(super) fn new(model: SmvModel, finite: Option<PathEnd>) -> Self {
        let (store, atoms) = (Store::new(), FlatAtoms::default());
        Builder { model, store, atoms, finite, properties: Vec::new(), warnings: Vec::new() }
    }

    /// Reads all typed texts together: the model is flattened once for all of them.
    pub(super) fn read(
        &mut self,
        requests: &[PropertyRequest],
        assumptions: &[(String, Option<Dialect>)],
        definitions: &str,
        budget: &Budget,
    ) -> Result<ReadTexts, Vec<CheckError>> {
        let texts = typed_texts(requests, assumptions, definitions);
        let (parts, known, errors) = (Vec::new(), Vec::new(), Vec::new());
        let mut reading = Reading { texts, parts, known, errors, definitions: Vec::new() };
        for index in 0..reading.texts.len() {
            self.read_one(index, &mut reading, budget).map_err(|stop| vec![stop.into()])?;
        }
        let parts = std::mem::take(&mut reading.parts);
        let all: Vec<(&str, ExpressionKind)> =
            parts.iter().map(|part| (part.text.as_str(), part.kind)).collect();
        let interrupt = &mut || budget.check();
        let read = self.model.expressions(&all, &Limits::default(), interrupt);
        let read = read.map_err(|stop| vec![CheckError::Stopped(stop)])?;
        for (part, result) in parts.into_iter().zip(read) {
            reading.flattened(part, result, &mut self.atoms);
        }
        let not_used = reading.definitions.iter().filter(|(_, is_used)| !is_used);
        let not_used =
            not_used.map(|(definition, _)| (TypedPlace::Definitions, unused(definition)));
        self.warnings.extend(not_used);
        let Reading { known, errors, .. } = reading;
        if errors.is_empty() { Ok(ReadTexts(known)) } else { Err(errors) }
    }

    /// Reads a typed text, except for its expressions of SMV, which are collected.
    fn read_one(
        &mut self,
        index: usize,
        reading: &mut Reading,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let TypedText { place, text, notation } = reading.texts[index];
        match notation {
            Notation::Smv(kind) => reading.parts.push(Part {
                text: text.to_owned(),
                kind,
                typed: index,
                place: 0..text.len(),
                proposition: None,
            }),
            Notation::Other(dialect) => match self.parse(text, dialect) {
                Ok(formula) => {
                    for proposition in self.store.propositions(formula) {
                        let name = self.store.name(proposition);
                        let start = text.find(name).unwrap_or(0);
                        let end = if text[start..].starts_with(name) { name.len() } else { 0 };
                        reading.bind(name, proposition, index, start..start + end);
                    }
                    reading.known.push((place, Read::Formula(formula)));
                }
                Err(diagnostic) => {
                    reading.errors.push(reading.texts[index].wrong(vec![diagnostic]));
                }
            },
            Notation::Automata => {
                let words = self.words();
                let read = Specifications::read(&mut self.store, text, words, budget)?;
                let first = read.propositions.first().map(|&(proposition, _)| proposition);
                for (proposition, declared) in read.propositions {
                    let bound = match is_planted(Mistake::AtomsAreMixedUp) {
                        true => first.unwrap_or(proposition),
                        false => proposition,
                    };
                    reading.bind(self.store.name(bound), proposition, index, declared);
                }
                self.warnings.extend(read.warnings.into_iter().map(|warning| (place, warning)));
                match read.errors.is_empty() {
                    true => reading.known.push((place, Read::Automata(read.all))),
                    false => reading.errors.push(reading.texts[index].wrong(read.errors)),
                }
            }
            Notation::Definitions => match read_definitions(text) {
                Ok(all) => reading.definitions = all.into_iter().map(|one| (one, false)).collect(),
                Err(errors) => reading.errors.push(reading.texts[index].wrong(errors)),
            },
        }
        Ok(())
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
                        Read::Expression(expression) => self.paths(*expression),
                        Read::Formula(formula) => self.formula(*formula),
                        Read::Automata(_) => unreachable!("a formula was typed"),
                    };
                    self.typed(self.path_kind(), name.clone(), text, meaning);
                }
                (PropertyRequest::Invariant(text), Some(Read::Expression(expression))) => {
                    let meaning = self.invariant(*expression);
                    self.typed(CheckedKind::Invariant, None, text, meaning);
                }
                (PropertyRequest::Ctl(text), Some(Read::Expression(expression))) => {
                    let meaning = self.branches(*expression);
                    self.typed(CheckedKind::Ctl, None, text, meaning);
                }
                (PropertyRequest::Automata { source, none, .. }, Some(Read::Automata(all))) => {
                    all.iter().for_each(|automaton| self.automaton(source, automaton, *none));
                }
                (PropertyRequest::Deadlock, _) => {
                    let text = "no dead end is reachable";
                    let meaning = Meaning::Never { target: Target::DeadEnd, invariant: None };
                    self.typed(CheckedKind::Deadlock, None, text, meaning);
                }
                (_, Some(_) | None) => unreachable!("each typed text was read"),
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Adds the property that an automaton accepts the words of all paths, or of none.
    fn automaton(&mut self, source: &str, specification: &Specification, none: bool) {
        let Specification { name, line, automaton } = specification;
        let atoms = self.atoms_of(automaton.propositions());
        let meaning = match self.reads_step(atoms) {
            Some(why) if self.finite.is_some() => Meaning::Unsupported(why),
            _ => Meaning::Words(violating_words(automaton.clone(), none)),
        };
        let text = line.map_or_else(|| source.to_owned(), |line| format!("{source}:{line}"));
        let kind = match self.finite.is_some() {
            true => CheckedKind::FiniteAutomaton,
            false => CheckedKind::Automaton,
        };
        self.typed(kind, name.clone(), &text, meaning);
    }

    fn atoms_of(&self, propositions: &[Proposition]) -> Vec<(Proposition, FlatExpression)> {
        let atom = |&p: &Proposition| Some((p, self.atoms.expression(p)?));
        propositions.iter().filter_map(atom).collect()
    }

    /// Restricts the words of automata to those that satisfy the assumption.
    pub(super) fn assume_words(
        &mut self,
        assumption: Formula,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let words = self.words();
        let is_automaton = |p: &Property| matches!(p.meaning, Meaning::Words(_));
        if !self.properties.iter().any(is_automaton) {
            return Ok(());
        }
        let assumed = match assumed(&mut self.store, assumption, words, budget) {
            Err(Stop::Unsupported(why)) => Err(format!("an automaton of the assumption: {why}")),
            assumed => Ok(assumed?),
        };
        for property in &mut self.properties {
            if let Meaning::Words(violation) = &property.meaning {
                property.meaning = match &assumed {
                    Ok(automaton) => Meaning::Words(violation.clone().and(automaton.clone())),
                    Err(why) => Meaning::Unsupported(why.clone()),
                };
            }
        }
        Ok(())
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
        match self.reads_step(self.atoms.of(&self.store, formula)) {
            Some(why) if self.finite.is_some() => Meaning::Unsupported(why),
            _ => Meaning::Paths(formula),
        }
    }

    /// Why a property with these atoms is not about finite paths: one of them is about steps.
    fn reads_step(&self, atoms: Vec<(Proposition, FlatExpression)>) -> Option<String> {
        let expressions = &self.model.flat.expressions;
        let mut atoms = atoms.into_iter();
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
                    ltl_formula(&model.flat, *expression, store, atoms)
                }
                Read::Formula(formula) => *formula,
                Read::Automata(_) => unreachable!("an assumption is a formula"),
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
            && let Some(assumed) = assumption
            && let Some(why) = self.reads_step(self.atoms.of(&self.store, assumed))
        {
            for property in &mut self.properties {
                if let Meaning::Paths(_) | Meaning::Words(_) = property.meaning {
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
        let Builder { model, store, atoms, finite, properties, warnings } = self;
        Checker { model, store, atoms, fair, finite, properties, assumption, warnings }
    }
}

impl TypedText<'_> {
    fn wrong(&self, diagnostics: Vec<Diagnostic>) -> CheckError {
        CheckError::Wrong { place: self.place, text: self.text.to_owned(), diagnostics }
    }

    /// An error in an expression of the text, which is at a place, perhaps in quotes.
    fn wrong_part(
        &self,
        expression: &str,
        place: Range<usize>,
        diagnostics: Vec<Diagnostic>,
    ) -> CheckError {
        let inside = [place.start, place.start + 1].into_iter().find(|&start| {
            self.text.get(start..place.end).is_some_and(|text| text.starts_with(expression))
        });
        let is_automaton = matches!(self.notation, Notation::Automata);
        let moved = diagnostics.into_iter().map(|diagnostic| {
            let span = match inside {
                Some(start) => {
                    let end = start + expression.len();
                    let Range { start: from, end: to } = diagnostic.span;
                    (start + from).min(end)..(start + to).min(end)
                }
                None => place.clone(),
            };
            let help = match is_automaton {
                true => Some(DEFINED_BY.to_owned()),
                false => diagnostic.help,
            };
            Diagnostic { span, help, ..diagnostic }
        });
        self.wrong(moved.collect())
    }
}

/// How a proposition of an automaton gets a meaning.
const DEFINED_BY: &str = "propositions are Boolean expressions of the model, or are defined in the file of `--atoms` by lines such as `name := expression`";

fn typed_texts<'r>(
    requests: &'r [PropertyRequest],
    assumptions: &'r [(String, Option<Dialect>)],
    definitions: &'r str,
) -> Vec<TypedText<'r>> {
    let notation = |dialect: Option<Dialect>| match dialect {
        None | Some(Dialect::Nusmv) => Notation::Smv(ExpressionKind::Ltl),
        Some(dialect) => Notation::Other(dialect),
    };
    let requested = requests.iter().enumerate().filter_map(|(index, request)| {
        let (text, notation) = match request {
            PropertyRequest::Ltl { text, dialect, .. } => (text, notation(*dialect)),
            PropertyRequest::Automata { text, .. } => (text, Notation::Automata),
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
    let (place, notation) = (TypedPlace::Definitions, Notation::Definitions);
    let defined = TypedText { place, text: definitions, notation };
    [defined].into_iter().chain(requested).chain(assumed).collect()
}
