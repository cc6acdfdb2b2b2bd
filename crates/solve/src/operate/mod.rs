//! Operations on automata: texts in, automata combined and transformed, texts out, under a budget.
//!
//! An [`Operation`] is data. Its steps are applied in a fixed order: intersections, unions, the
//! complement, the reduction and the kind of automaton, fewer propositions, liveness to safety.
//! Nondeterministic automata stay nondeterministic. Once an operand alternates, all do, until the
//! kind asks for an automaton without alternation. Automata over finite words are alternating ones.

use kermode_automata::alaska::{self, LocationNames};
use kermode_automata::difference::generalised;
use kermode_automata::liveness_to_safety::{accepting_sink, liveness_to_safety};
use kermode_automata::relabel::{Relabelled, relabel};
use kermode_automata::tgba::{self, Effort, Tgba, TgbaStatistics};
use kermode_automata::translation::{Level, to_buchi};
use kermode_automata::{
    AlternatingAutomaton, AlternatingStatistics, Automaton, complement, dealternate, dot, hoa,
    intersection, trim, union,
};
use kermode_bdd::{CannotStart, OutOfNodes};
use kermode_ltl::dialect::write_abbreviated;
use kermode_ltl::{Store, WordKind};
use serde_json::Value;

use crate::frame::budget::{Budget, Stop};
use crate::translate::Format;
use crate::translate::statistics::{Counted, of_alternating, of_generalised};

/// The largest length of a displayed definition of a proposition.
const LONGEST_DEFINITION: usize = 2_000;

/// A kind of automaton over infinite words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutomatonKind {
    /// Alternating, with accepting locations.
    Alternating,
    /// Generalised Büchi, with marks on transitions.
    Generalised,
    /// Büchi, with accepting states.
    Buchi,
}

/// What is done with an automaton.
#[derive(Clone, Debug, Default)]
pub struct Operation {
    /// Intersect with these.
    pub and: Vec<Automaton>,
    /// Then unite with these.
    pub or: Vec<Automaton>,
    /// Then complement.
    pub complement: bool,
    /// Make it smaller.
    pub reduce: bool,
    /// Make it an automaton of this kind.
    pub kind: Option<AutomatonKind>,
    /// Replace propositions by fewer ones.
    pub relabel: bool,
    /// Make it an automaton over finite words that is empty exactly if this one is.
    pub liveness_to_safety: bool,
    /// The format of the text.
    pub format: Option<Format>,
    /// Whether to compute statistics.
    pub statistics: bool,
}

/// The result of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Operated {
    /// The automaton.
    pub text: String,
    /// Its format.
    pub format: Format,
    /// The kind of its words.
    pub words: WordKind,
    /// The statistics, if requested.
    pub statistics: Vec<(&'static str, Value)>,
    /// Fresh propositions, each with its definition over the old ones.
    pub definitions: Vec<(String, String)>,
    /// Propositions that were left out because nothing depends on them.
    pub unused: Vec<String>,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OperationError {
    /// The automata have different kinds of words.
    #[error("the automata are about {0} words and about {1} words")]
    Words(&'static str, &'static str),
    /// An operation does not go with finite words.
    #[error("{0} is for automata over infinite words")]
    FiniteWords(&'static str),
    /// The format is not for automata.
    #[error("there is no text of this kind of automaton in this format")]
    Format,
    /// The text in ALASKA's syntax is too large.
    #[error(transparent)]
    Alaska(#[from] alaska::TextTooLarge),
    /// There is no text in the HOA format.
    #[error(transparent)]
    Hoa(#[from] hoa::Unwritable),
    /// The budget ended first, or a limit was reached.
    #[error("unknown ({0})")]
    Stopped(#[from] Stop),
}

impl From<OutOfNodes> for OperationError {
    fn from(error: OutOfNodes) -> Self {
        OperationError::Stopped(error.into())
    }
}

impl From<CannotStart> for OperationError {
    fn from(error: CannotStart) -> Self {
        OperationError::Stopped(error.into())
    }
}

/// An automaton on which operations are done.
enum Work {
    Generalised(Tgba),
    Alternating(AlternatingAutomaton),
}

impl Operation {
    /// Applies the operation. Fresh propositions become propositions of the store. The name is
    /// written if the automaton still accepts the words that it names.
    pub fn apply(
        &self,
        store: &mut Store,
        automaton: &Automaton,
        name: Option<&str>,
        budget: &Budget,
    ) -> Result<Operated, OperationError> {
        self.check(automaton)?;
        let work = self.of_kind(self.combined(automaton, budget)?, budget)?;
        let mut relabelled = None;
        let work = match work {
            Work::Generalised(automaton) if self.relabel => {
                let found = relabel::<Stop>(store, &automaton, &mut || budget.check())?;
                Work::Generalised(relabelled.insert(found).automaton.clone())
            }
            work => work,
        };
        let work = match work {
            Work::Generalised(automaton) if self.liveness_to_safety => {
                self.safe(&automaton, budget)?
            }
            Work::Generalised(mut automaton) => {
                automaton.merge_transitions()?;
                Work::Generalised(automaton)
            }
            work => work,
        };
        budget.check()?;
        let same = self.and.is_empty() && self.or.is_empty();
        let same = same && !self.complement && !self.liveness_to_safety && !self.relabel;
        self.written(store, work, name.filter(|_| same), relabelled)
    }

    /// Refuses operands of different kinds, and operations that the kind of words does not have.
    fn check(&self, automaton: &Automaton) -> Result<(), OperationError> {
        let words = automaton.words();
        let mut others = self.and.iter().chain(&self.or);
        if let Some(other) = others.find(|other| other.words() != words) {
            return Err(OperationError::Words(words.name(), other.words().name()));
        }
        let infinite = [
            (self.kind.is_some(), "the kind of automaton"),
            (self.relabel, "relabelling"),
            (self.liveness_to_safety, "liveness to safety"),
        ];
        match infinite.into_iter().find(|(wanted, _)| *wanted) {
            Some((_, what)) if words == WordKind::Finite => Err(OperationError::FiniteWords(what)),
            _ => Ok(()),
        }
    }

    /// The automaton after the operations on languages.
    fn combined(&self, automaton: &Automaton, budget: &Budget) -> Result<Work, Stop> {
        let all = std::iter::once(automaton).chain(&self.and).chain(&self.or);
        let interrupt = &mut || budget.check();
        let alternates = |automaton: &Automaton| matches!(automaton, Automaton::Alternating(_));
        if self.complement && self.and.is_empty() && self.or.is_empty() && !alternates(automaton) {
            // A deterministic automaton needs no generalised Büchi automaton for it.
            let complement = automaton.tgba_complement::<Stop>(interrupt)?;
            return Ok(Work::Generalised(complement));
        }
        match generalised::<Stop>(all, interrupt)? {
            Some(all) => self.generalised(&all, budget).map(Work::Generalised),
            None => self.alternating(automaton, budget),
        }
    }

    fn generalised(&self, all: &[&Tgba], budget: &Budget) -> Result<Tgba, Stop> {
        let interrupt = &mut || budget.check();
        let (and, or) = all[1..].split_at(self.and.len());
        let mut automaton = all[0].clone();
        for other in and {
            automaton = tgba::trim(&tgba::intersection::<Stop>(&automaton, other, interrupt)?);
        }
        for other in or {
            automaton = tgba::union::<Stop>(&automaton, other)?;
        }
        match self.complement {
            true => tgba::complement(&automaton, interrupt),
            false => Ok(automaton),
        }
    }

    fn alternating(&self, automaton: &Automaton, budget: &Budget) -> Result<Work, Stop> {
        let interrupt = &mut || budget.check();
        let mut all = automaton.alternating(interrupt)?.into_owned();
        for other in &self.and {
            all = intersection(&all, &*other.alternating(interrupt)?);
        }
        for other in &self.or {
            all = union(&all, &*other.alternating(interrupt)?);
        }
        Ok(match self.complement {
            true if self.removes_alternation() => {
                Work::Generalised(Automaton::from(all).tgba_complement::<Stop>(interrupt)?)
            }
            true => Work::Alternating(complement::<Stop>(&all, interrupt)?),
            false => Work::Alternating(all),
        })
    }

    /// Whether the result does not alternate, even if operands do.
    fn removes_alternation(&self) -> bool {
        match self.kind {
            Some(kind) => kind != AutomatonKind::Alternating,
            None => self.relabel || self.liveness_to_safety,
        }
    }

    /// The automaton in the requested kind, reduced if requested.
    fn of_kind(&self, work: Work, budget: &Budget) -> Result<Work, Stop> {
        let interrupt = &mut || budget.check();
        let nondeterministic = self.relabel || self.liveness_to_safety;
        let alternates = matches!(self.format, Some(Format::Alaska(_))) && !nondeterministic;
        let work = match work {
            Work::Alternating(automaton) if self.removes_alternation() => {
                Work::Generalised(dealternate::<Stop>(&automaton, interrupt)?)
            }
            work => work,
        };
        let level = if self.reduce { Level::High } else { Level::Raw };
        let work = match work {
            Work::Alternating(automaton) if self.reduce => Work::Alternating(trim(&automaton)),
            Work::Generalised(automaton) if self.reduce => {
                Work::Generalised(tgba::reduce::<Stop>(&automaton, Effort::Repeated, interrupt)?)
            }
            work => work,
        };
        match (work, self.kind) {
            (Work::Generalised(automaton), Some(AutomatonKind::Buchi)) => {
                Ok(Work::Generalised(to_buchi::<Stop>(&automaton, level, interrupt)?))
            }
            (Work::Generalised(automaton), kind)
                if kind == Some(AutomatonKind::Alternating) || alternates =>
            {
                Ok(Work::Alternating(tgba::to_alternating(&automaton, interrupt)?))
            }
            (work, _) => Ok(work),
        }
    }

    /// Liveness to safety: over finite words, or with an accepting sink for the HOA format.
    fn safe(&self, automaton: &Tgba, budget: &Budget) -> Result<Work, Stop> {
        let level = if self.reduce { Level::High } else { Level::Raw };
        let interrupt: &mut dyn FnMut() -> Result<(), Stop> = &mut || budget.check();
        let mut buchi = tgba::trim(&to_buchi(automaton, level, interrupt)?);
        buchi.merge_transitions()?;
        Ok(match self.format {
            Some(Format::Hoa) => Work::Generalised(accepting_sink(&buchi, interrupt)?),
            _ => Work::Alternating(liveness_to_safety(&buchi, interrupt)?),
        })
    }

    /// The text of an automaton with what is said about it.
    fn written(
        &self,
        store: &Store,
        work: Work,
        name: Option<&str>,
        relabelled: Option<Relabelled>,
    ) -> Result<Operated, OperationError> {
        let (words, statistics) = match &work {
            Work::Generalised(automaton) => {
                let shape = || Ok(of_generalised(&TgbaStatistics::of(automaton)?));
                (WordKind::Infinite, self.counted(shape)?)
            }
            Work::Alternating(automaton) => {
                let shape = || Ok(of_alternating(&AlternatingStatistics::of(automaton)));
                (automaton.words(), self.counted(shape)?)
            }
        };
        let format = self.format.unwrap_or(match words {
            WordKind::Infinite => Format::Hoa,
            WordKind::Finite => Format::Alaska(LocationNames::Numbers),
        });
        let text = match (work, format) {
            (Work::Generalised(automaton), Format::Hoa) => {
                hoa::write(store, &automaton.into(), name)?
            }
            (Work::Generalised(automaton), Format::Dot) => tgba::to_dot(store, &automaton),
            (Work::Alternating(automaton), Format::Hoa) => {
                hoa::write(store, &automaton.into(), name)?
            }
            (Work::Alternating(automaton), Format::Dot) => dot::to_dot(store, &automaton),
            (Work::Alternating(automaton), Format::Alaska(names)) => {
                alaska::write(store, &automaton, names)?
            }
            _ => return Err(OperationError::Format),
        };
        let (definitions, unused) = match relabelled {
            Some(Relabelled { definitions, unused, .. }) => (definitions, unused),
            None => Default::default(),
        };
        let named = |p| store.name(p).to_owned();
        let defined = |f| write_abbreviated(store, f, LONGEST_DEFINITION);
        let definitions = definitions.into_iter().map(|(p, f)| (named(p), defined(f))).collect();
        let unused = unused.into_iter().map(named).collect();
        Ok(Operated { text, format, words, statistics, definitions, unused })
    }

    fn counted(
        &self,
        count: impl FnOnce() -> Result<Counted, OutOfNodes>,
    ) -> Result<Counted, OutOfNodes> {
        if self.statistics { count() } else { Ok(Vec::new()) }
    }
}
