//! Formulas as texts of automata and of models, under a budget.
//!
//! A [`Translation`] is data: the target of a formula, its format, and the rewriting before. The
//! automata come from [`kermode_automata::of_formula`]. A model for NuSMV is a symbolic automaton
//! whose specification is false iff the formula is satisfiable, or the universal model with the
//! negated formula as its specification. For an encoding the formula is simplified, bounded
//! operators are expanded, and past operators become fresh propositions that store their values,
//! which are ordinary variables. The universal model has the original formula: NuSMV supports all
//! of these operators.

pub(crate) mod statistics;

use kermode_automata::alaska::{self, LocationNames};
use kermode_automata::dfa::{self, DfaStatistics, Extent, deterministic};
use kermode_automata::of_formula::{EXPANSION_LIMIT, alternating, buchi, generalised};
use kermode_automata::translation::{Goal, Level, Preference};
use kermode_automata::{
    AlternatingAutomaton, AlternatingStatistics, Dfa, Tgba, Untranslatable, dot, hoa, tgba,
};
use kermode_bdd::{CannotStart, OutOfNodes};
use kermode_ltl::eliminate::to_future;
use kermode_ltl::normal::ExpansionTooLarge;
use kermode_ltl::rewrite::Rewriting;
use kermode_ltl::{Formula, Store, WordKind};
use kermode_system::smv::{self, NoSpecification, SmvText};
use kermode_system::{Atoms, Encoding, Form, Graph, VariableOrder, encode};
use serde_json::Value;

use crate::frame::budget::{Budget, Stop};
use statistics::{Counted, of_alternating, of_deterministic, of_encoded, of_generalised};

/// The target of a translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// An alternating automaton over words of a kind. Past operators are refused.
    Alternating(WordKind),
    /// A generalised Büchi automaton with marks on transitions.
    Generalised(Level),
    /// A Büchi automaton with accepting states.
    Buchi(Level),
    /// The minimal deterministic automaton over finite words.
    Deterministic(Extent),
    /// A model for NuSMV.
    Smv(SmvModel),
}

/// A model for NuSMV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmvModel {
    /// A symbolic automaton.
    Encoded(Encoding),
    /// The universal model, which has all words.
    Universal,
}

impl Default for SmvModel {
    /// No encoding is best everywhere; every version of NuSMV reads this form.
    fn default() -> Self {
        SmvModel::Encoded(Encoding { form: Form::NnfSloppyGba, order: VariableOrder::Default })
    }
}

/// The format of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The Hanoi omega-automata format, for infinite words.
    Hoa,
    /// ALASKA's syntax, for alternating automata and deterministic ones over finite words.
    Alaska(LocationNames),
    /// The format in which MONA prints automata, for deterministic automata over finite words.
    Mona,
    /// A picture for Graphviz.
    Dot,
    /// NuSMV's input language, for models.
    Smv,
}

impl Target {
    /// The kind of words that the formula describes.
    pub fn words(self) -> WordKind {
        match self {
            Target::Alternating(words) => words,
            Target::Deterministic(_) => WordKind::Finite,
            Target::Generalised(_) | Target::Buchi(_) | Target::Smv(_) => WordKind::Infinite,
        }
    }

    /// The default format.
    pub fn usual_format(self) -> Format {
        match self {
            Target::Alternating(WordKind::Finite) | Target::Deterministic(_) => {
                Format::Alaska(LocationNames::default())
            }
            Target::Smv(_) => Format::Smv,
            _ => Format::Hoa,
        }
    }
}

impl Format {
    /// Whether there are texts of the target in this format.
    pub fn suits(self, target: Target) -> bool {
        match target {
            Target::Alternating(_) => !matches!(self, Format::Smv | Format::Mona),
            Target::Generalised(_) | Target::Buchi(_) => matches!(self, Format::Dot | Format::Hoa),
            Target::Deterministic(_) => !matches!(self, Format::Smv | Format::Hoa),
            Target::Smv(_) => self == Format::Smv,
        }
    }
}

/// A translation of formulas to texts.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The target.
    pub target: Target,
    /// The format.
    pub format: Format,
    /// The rewriting before.
    pub rewriting: Rewriting,
    /// The choice among generalised Büchi and Büchi automata of the formula.
    pub preference: Preference,
    /// Whether these have a transition on every letter.
    pub complete: bool,
    /// Whether to compute statistics, which takes additional time.
    pub statistics: bool,
}

/// A text with its statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct Translated {
    /// The text.
    pub text: String,
    /// The statistics, if requested.
    pub statistics: Vec<(&'static str, Value)>,
    /// The variable order for NuSMV, if the text is a model.
    pub order: Option<String>,
}

/// Why a formula has no such text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TranslationError {
    /// The automaton does not support an operator of the formula.
    #[error(transparent)]
    Untranslatable(#[from] Untranslatable),
    /// The format does not fit the target.
    #[error("there is no text of this kind of automaton in this format")]
    Format,
    /// The expansion of bounded operators is too large.
    #[error(transparent)]
    Expansion(#[from] ExpansionTooLarge),
    /// The text in ALASKA's syntax is too large.
    #[error(transparent)]
    Alaska(#[from] alaska::TextTooLarge),
    /// The text in MONA's format is too large.
    #[error(transparent)]
    Mona(#[from] dfa::TooManyPaths),
    /// There is no text in the HOA format.
    #[error(transparent)]
    Hoa(#[from] hoa::Unwritable),
    /// NuSMV has no such specification.
    #[error(transparent)]
    Specification(#[from] NoSpecification),
    /// The budget ended first.
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
    /// A translation with all rewriting, in the default format, without statistics.
    pub fn to(target: Target) -> Translation {
        let (format, rewriting) = (target.usual_format(), Rewriting::Standard);
        let preference = Preference::default();
        Translation { target, format, rewriting, preference, complete: false, statistics: false }
    }

    /// The text of a formula's automaton or model. Formats with names for automata get the formula
    /// as name.
    pub fn apply(
        &self,
        store: &Store,
        formula: Formula,
        name: Option<&str>,
        budget: &Budget,
    ) -> Result<Translated, TranslationError> {
        if !self.format.suits(self.target) {
            return Err(TranslationError::Format);
        }
        // A store of its own, so that the time for one of many formulas does not depend on the
        // others.
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
                let goal = Goal { level, preference: self.preference };
                let automaton = generalised(store, formula, goal, rewriting, interrupt)?;
                budget.check()?;
                self.written_generalised(store, automaton, name)
            }
            Target::Buchi(level) => {
                let goal = Goal { level, preference: self.preference };
                let automaton = buchi(store, formula, goal, rewriting, interrupt)?;
                budget.check()?;
                self.written_generalised(store, automaton, name)
            }
            Target::Deterministic(extent) => {
                let automaton = deterministic(store, formula, rewriting, interrupt)?;
                self.written_deterministic(store, &automaton, extent, budget)
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
        let statistics =
            self.counted(|| Ok(of_alternating(&AlternatingStatistics::of(&automaton))))?;
        let text = match self.format {
            Format::Alaska(locations) => alaska::write(store, &automaton, locations)?,
            Format::Dot => dot::to_dot(store, &automaton),
            Format::Hoa => hoa::write(store, &automaton.into(), name)?,
            Format::Mona | Format::Smv => return Err(TranslationError::Format),
        };
        Ok(Translated { text, statistics, order: None })
    }

    fn written_generalised(
        &self,
        store: &Store,
        mut automaton: Tgba,
        name: Option<&str>,
    ) -> Result<Translated, TranslationError> {
        if self.complete {
            automaton = automaton.completed()?;
        }
        let statistics =
            self.counted(|| Ok(of_generalised(&tgba::TgbaStatistics::of(&automaton)?)))?;
        let text = match self.format {
            Format::Dot => tgba::to_dot(store, &automaton),
            Format::Hoa => hoa::write(store, &automaton.into(), name)?,
            Format::Alaska(_) | Format::Mona | Format::Smv => return Err(TranslationError::Format),
        };
        Ok(Translated { text, statistics, order: None })
    }

    fn written_deterministic(
        &self,
        store: &Store,
        automaton: &Dfa,
        extent: Extent,
        budget: &Budget,
    ) -> Result<Translated, TranslationError> {
        let interrupt = &mut || budget.check().map_err(TranslationError::from);
        let statistics = self
            .counted(|| Ok(of_deterministic(&DfaStatistics::of(automaton, extent, interrupt)?)))?;
        let interrupt = &mut || budget.check().map_err(TranslationError::from);
        let text = match self.format {
            Format::Alaska(locations) => {
                let alternating = automaton.to_alternating(extent, interrupt)?;
                alaska::write(store, &alternating, locations)?
            }
            Format::Mona => automaton.to_mona(store, extent)?,
            Format::Dot => automaton.to_dot(store, extent, interrupt)?,
            Format::Hoa | Format::Smv => return Err(TranslationError::Format),
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
