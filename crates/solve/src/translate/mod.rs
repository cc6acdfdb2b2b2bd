//! Formulas as texts of automata and of models, under a budget.
//!
//! A [`Translation`] is data: what a formula becomes, in which format, and what is rewritten
//! before. The automata themselves come from [`kermode_automata::of_formula`]. A model for NuSMV is
//! a symbolic automaton whose specification fails iff the formula is satisfiable, or the universal
//! model with the negated formula as its specification. For an encoding the formula is simplified,
//! bounded operators are written out, and past operators become propositions that remember, which
//! are variables like others. The universal model has the formula as it is: NuSMV knows all of
//! these operators.

mod statistics;

use kermode_automata::alaska::{self, LocationNames};
use kermode_automata::of_formula::{EXPANSION_LIMIT, alternating, buchi, generalised};
use kermode_automata::translation::Level;
use kermode_automata::{AlternatingAutomaton, Statistics, Tgba, Untranslatable, dot, hoa, tgba};
use kermode_bdd::{CannotStart, OutOfNodes};
use kermode_ltl::eliminate::to_future;
use kermode_ltl::normal::ExpansionTooLarge;
use kermode_ltl::rewrite::Rewriting;
use kermode_ltl::{Formula, Store, WordKind};
use kermode_system::smv::{self, NoSpecification, SmvText};
use kermode_system::{Atoms, Encoding, Form, Graph, Order, encode};
use serde_json::Value;

use crate::frame::budget::{Budget, Stop};
use statistics::{Counted, of_alternating, of_encoded, of_generalised};

/// What a formula becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// An alternating automaton over words of a kind. Past operators are refused.
    Alternating(WordKind),
    /// A generalised Büchi automaton with marks on transitions.
    Generalised(Level),
    /// A Büchi automaton with accepting states.
    Buchi(Level),
    /// A model for NuSMV.
    Smv(SmvModel),
}

/// A model for NuSMV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmvModel {
    /// A symbolic automaton.
    Encoded(Encoding),
    /// The model of all words.
    Universal,
}

impl Default for SmvModel {
    /// No encoding is best everywhere; every version of NuSMV reads this form.
    fn default() -> Self {
        SmvModel::Encoded(Encoding { form: Form::NnfSloppyGba, order: Order::Default })
    }
}

/// How it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The Hanoi omega-automata format, for infinite words.
    Hoa,
    /// ALASKA's syntax, for alternating automata.
    Alaska(LocationNames),
    /// A picture for Graphviz.
    Dot,
    /// NuSMV's input language, for models.
    Smv,
}

impl Target {
    /// The kind of words that the formula is about.
    pub fn words(self) -> WordKind {
        match self {
            Target::Alternating(words) => words,
            Target::Generalised(_) | Target::Buchi(_) | Target::Smv(_) => WordKind::Infinite,
        }
    }

    /// The format that is usual for it.
    pub fn usual_format(self) -> Format {
        match self {
            Target::Alternating(WordKind::Finite) => Format::Alaska(LocationNames::default()),
            Target::Smv(_) => Format::Smv,
            _ => Format::Hoa,
        }
    }
}

/// What is to be made of formulas.
#[derive(Clone, Debug)]
pub struct Translation {
    /// What they become.
    pub target: Target,
    /// How that is written.
    pub format: Format,
    /// What is rewritten before.
    pub rewriting: Rewriting,
    /// Whether what can be counted is counted, which takes time of its own.
    pub statistics: bool,
}

/// A text, and what was counted of what it describes.
#[derive(Clone, Debug, PartialEq)]
pub struct Translated {
    /// The text.
    pub text: String,
    /// What was counted, if that was asked for.
    pub statistics: Vec<(&'static str, Value)>,
    /// The order of the variables for NuSMV, where the text is a model.
    pub order: Option<String>,
}

/// Why a formula has no such text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TranslationError {
    /// The formula has operators that the automaton has no place for.
    #[error(transparent)]
    Untranslatable(#[from] Untranslatable),
    /// The format is not for what the formula becomes.
    #[error("there is no text of this kind of automaton in this format")]
    Format,
    /// Bounded operators are too large to be written out.
    #[error(transparent)]
    Expansion(#[from] ExpansionTooLarge),
    /// The text in ALASKA's syntax is too large.
    #[error(transparent)]
    Alaska(#[from] alaska::TextTooLarge),
    /// There is no text in the HOA format.
    #[error(transparent)]
    Hoa(#[from] hoa::Unwritable),
    /// NuSMV has no such specification.
    #[error(transparent)]
    Specification(#[from] NoSpecification),
    /// The budget ended before.
    #[error("unknown ({0})")]
    Stopped(#[from] Stop),
}

impl From<OutOfNodes> for TranslationError {
    fn from(error: OutOfNodes) -> Self {
        TranslationError::Stopped(error.into())
    }
}

impl From<CannotStart> for TranslationError {
    fn from(error: CannotStart) -> Self {
        TranslationError::Stopped(error.into())
    }
}

impl Translation {
    /// A translation with all rewriting, in the format that is usual for it, and nothing counted.
    pub fn to(target: Target) -> Translation {
        let (format, rewriting) = (target.usual_format(), Rewriting::Standard);
        Translation { target, format, rewriting, statistics: false }
    }

    /// The text of a formula's automaton or model; formats that have names for automata get one.
    pub fn apply(
        &self,
        store: &Store,
        formula: Formula,
        name: Option<&str>,
        budget: &Budget,
    ) -> Result<Translated, TranslationError> {
        let suits = match self.target {
            Target::Alternating(_) => self.format != Format::Smv,
            Target::Generalised(_) | Target::Buchi(_) => {
                matches!(self.format, Format::Dot | Format::Hoa)
            }
            Target::Smv(_) => self.format == Format::Smv,
        };
        if !suits {
            return Err(TranslationError::Format);
        }
        // A store of its own, so that one of many formulas does not pay for the others.
        let (mut store, formulas) = store.extract(&[formula]);
        let (store, formula, rewriting) = (&mut store, formulas[0], &self.rewriting);
        let interrupt = &mut || budget.check().map_err(TranslationError::from);
        match self.target {
            Target::Alternating(words) => {
                let automaton = alternating(store, formula, words, rewriting, interrupt)?;
                budget.check()?;
                self.written_alternating(store, automaton, name)
            }
            Target::Generalised(level) => {
                let automaton = generalised(store, formula, level, rewriting, interrupt)?;
                budget.check()?;
                self.written_generalised(store, automaton, name)
            }
            Target::Buchi(level) => {
                let automaton = buchi(store, formula, level, rewriting, interrupt)?;
                budget.check()?;
                self.written_generalised(store, automaton, name)
            }
            Target::Smv(SmvModel::Universal) => {
                let SmvText { text, order } = smv::universal(store, formula)?;
                Ok(Translated { text, statistics: Vec::new(), order: Some(order) })
            }
            Target::Smv(SmvModel::Encoded(encoding)) => {
                self.encoded(store, formula, encoding, budget)
            }
        }
    }

    fn written_alternating(
        &self,
        store: &Store,
        automaton: AlternatingAutomaton,
        name: Option<&str>,
    ) -> Result<Translated, TranslationError> {
        let statistics = self.counted(|| Ok(of_alternating(&Statistics::of(&automaton))))?;
        let text = match self.format {
            Format::Alaska(locations) => alaska::write(store, &automaton, locations)?,
            Format::Dot => dot::to_dot(store, &automaton),
            Format::Hoa => hoa::write(store, &automaton.into(), name)?,
            Format::Smv => return Err(TranslationError::Format),
        };
        Ok(Translated { text, statistics, order: None })
    }

    fn written_generalised(
        &self,
        store: &Store,
        automaton: Tgba,
        name: Option<&str>,
    ) -> Result<Translated, TranslationError> {
        let statistics = self.counted(|| Ok(of_generalised(&tgba::Statistics::of(&automaton)?)))?;
        let text = match self.format {
            Format::Dot => tgba::to_dot(store, &automaton),
            Format::Hoa => hoa::write(store, &automaton.into(), name)?,
            Format::Alaska(_) | Format::Smv => return Err(TranslationError::Format),
        };
        Ok(Translated { text, statistics, order: None })
    }

    fn encoded(
        &self,
        store: &mut Store,
        formula: Formula,
        encoding: Encoding,
        budget: &Budget,
    ) -> Result<Translated, TranslationError> {
        let (words, interrupt) = (WordKind::Infinite, &mut || budget.check());
        let simplified = self.rewriting.simplified(store, formula, words, interrupt)?;
        let future = to_future(store, simplified, words, EXPANSION_LIMIT)?;
        let mut graph = Graph::new();
        let encoded =
            encode::<Stop>(&mut graph, store, future.formula, encoding, &Atoms::new(), interrupt)?;
        budget.check()?;
        let statistics = self.counted(|| Ok(of_encoded(&encoded)))?;
        let SmvText { text, order } = smv::encoded(&mut graph, store, formula, encoding, &encoded);
        Ok(Translated { text, statistics, order: Some(order) })
    }

    fn counted(
        &self,
        count: impl FnOnce() -> Result<Counted, TranslationError>,
    ) -> Result<Counted, TranslationError> {
        if self.statistics { count() } else { Ok(Vec::new()) }
    }
}
