//! The description of an engine: its name, the problems it supports, its options, and how it is
//! built. A name has the form `family:variant`; options follow as `:key=value`, in the same
//! notation everywhere: `reference:enumerate:letters=6`.

use std::fmt;

use kermode_base::closest;
use kermode_ltl::{Node, WordKind};

use crate::frame::answer::Answer;
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;
use crate::frame::options::{EngineOption, Options, ValueError};
use crate::frame::problem::{Language, Problem, RunProperty};

/// A decision procedure.
pub trait Engine {
    /// Answers the problem, or stops within the budget.
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop>;
}

/// What is known of an engine before it runs. Only the name and `build` have no default:
///
/// ```
/// # use kermode_solve::{Answer, Budget, Engine, EngineInfo, Observer, Problem, Stop};
/// # struct Mine;
/// # impl Engine for Mine {
/// #     fn solve(&self, _: &Problem, _: &Budget, _: &mut dyn Observer) -> Result<Answer, Stop> {
/// #         Ok(Answer::Empty(None))
/// #     }
/// # }
/// static MINE: EngineInfo = EngineInfo {
///     summary: "says that there is no word",
///     ..EngineInfo::new("mine:pessimist", |_| Ok(Box::new(Mine)))
/// };
/// ```
pub struct EngineInfo {
    /// `family:variant`.
    pub name: &'static str,
    /// A summary in one sentence.
    pub summary: &'static str,
    /// The paper: a key into `docs/references.bib`.
    pub paper: &'static str,
    /// The supported problems.
    pub accepts: Accepts,
    /// Its options.
    pub options: &'static [&'static dyn EngineOption],
    /// Short names of the engine with a value of an option, if there are any.
    pub alias: Option<Alias>,
    /// Builds it from valid options.
    pub build: fn(&Options) -> Result<Box<dyn Engine>, ValueError>,
}

/// Short names of an engine: `family:VALUE` is the engine with this value of the option.
#[derive(Clone, Copy)]
pub struct Alias {
    /// The family of the names.
    pub family: &'static str,
    /// One of the options of the engine.
    pub option: &'static dyn EngineOption,
}

/// The problems that an engine supports. For any other problem the engine is not run, and the
/// verdict is unknown (unsupported).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepts {
    /// Infinite words.
    pub infinite: bool,
    /// Finite words.
    pub finite: bool,
    /// Past operators.
    pub past: bool,
    /// Formulas without bounded operators.
    pub unbounded: bool,
    /// Alternating automata.
    pub automata: bool,
    /// Runs of models.
    pub models: bool,
    /// Automata as properties of the runs of models.
    pub run_automata: bool,
    /// Paths of models to a target.
    pub targets: bool,
    /// Formulas of CTL about models.
    pub ctl: bool,
    /// Whether it decides every problem within its limits.
    pub complete: bool,
}

impl Accepts {
    /// All formulas, no automata and no models; complete.
    pub const FORMULAS: Accepts = Accepts {
        infinite: true,
        finite: true,
        past: true,
        unbounded: true,
        automata: false,
        models: false,
        run_automata: false,
        targets: false,
        ctl: false,
        complete: true,
    };

    /// All formulas and automata; complete.
    pub const AUTOMATA: Accepts = Accepts { automata: true, ..Accepts::FORMULAS };

    /// Paths of models to a target, no formulas and no automata; complete.
    pub const TARGETS: Accepts =
        Accepts { infinite: false, finite: false, past: false, targets: true, ..Accepts::FORMULAS };

    /// Formulas of CTL about models, and nothing else; complete.
    pub const CTL: Accepts = Accepts { targets: false, ctl: true, ..Accepts::TARGETS };

    /// The unsupported feature of a problem, if there is one.
    pub fn lacks(&self, problem: &Problem) -> Option<&'static str> {
        let has = |formula, is: fn(Node) -> bool| {
            let subformulas = problem.store.subformulas(formula);
            subformulas.iter().any(|subformula| is(problem.store.node(subformula)))
        };
        match (problem.language, problem.words()) {
            (Language::Automata(_), _) if !self.automata => Some("automata"),
            (Language::Runs { .. } | Language::FiniteRuns { .. }, _) if !self.models => {
                Some("models")
            }
            (
                Language::Runs { property: RunProperty::Automata(_), .. }
                | Language::FiniteRuns { property: RunProperty::Automata(_), .. },
                _,
            ) if !self.run_automata => Some("automata as properties of models"),
            (Language::Paths { .. }, _) if self.targets => None,
            (Language::Paths { .. }, _) => Some("paths of models to a target"),
            (Language::Branches { .. }, _) if self.ctl => None,
            (Language::Branches { .. }, _) => Some("formulas of CTL"),
            (Language::Formula { .. }, _) if !self.infinite && !self.finite => Some("formulas"),
            (_, WordKind::Infinite) if !self.infinite => Some("infinite words"),
            (_, WordKind::Finite) if !self.finite => Some("finite words"),
            (
                Language::Formula { formula, .. }
                | Language::Runs { property: RunProperty::Formula(formula), .. }
                | Language::FiniteRuns { property: RunProperty::Formula(formula), .. },
                _,
            ) => {
                if !self.past && has(formula, Node::is_past) {
                    Some("past operators")
                } else if !self.unbounded && !has(formula, Node::is_bounded) {
                    Some("formulas without bounded operators")
                } else {
                    None
                }
            }
            (Language::Automata(_) | Language::Runs { .. } | Language::FiniteRuns { .. }, _) => {
                None
            }
        }
    }
}

impl EngineInfo {
    /// An engine without options for all formulas.
    pub const fn new(
        name: &'static str,
        build: fn(&Options) -> Result<Box<dyn Engine>, ValueError>,
    ) -> EngineInfo {
        EngineInfo {
            name,
            summary: "",
            paper: "",
            accepts: Accepts::FORMULAS,
            options: &[],
            alias: None,
            build,
        }
    }

    /// The family, before the colon of the name.
    pub fn family(&self) -> &'static str {
        self.name.split(':').next().unwrap_or_default()
    }

    /// The option with a key, if the engine has it.
    fn option(&self, key: &str) -> Option<&'static dyn EngineOption> {
        self.options.iter().copied().find(|option| option.info().key == key)
    }
}

/// An engine with its options, as written.
#[derive(Clone)]
pub struct EngineSpec {
    info: &'static EngineInfo,
    options: Options,
}

impl EngineSpec {
    /// An engine with the defaults of its options.
    pub fn of(info: &'static EngineInfo) -> Self {
        EngineSpec { info, options: Options::default() }
    }

    /// An engine of a table, or a hidden one, by its name and options. Names that one might expect
    /// and that are absent come with the reason.
    pub(crate) fn find(
        table: &'static [EngineInfo],
        hidden: &'static [EngineInfo],
        absent: &[(&str, &'static str)],
        text: &str,
    ) -> Result<Self, SpecError> {
        let mut parts = text.split(':');
        let name: Vec<&str> = parts.by_ref().take(2).collect();
        let name = name.join(":");
        let mut spec = match table.iter().chain(hidden).find(|info| info.name == name) {
            Some(info) => EngineSpec::of(info),
            None => match absent.iter().find(|(absent, _)| *absent == name) {
                Some(&(_, why)) => return Err(SpecError::Absent { name, why }),
                None => EngineSpec::of_alias(table, &name)?,
            },
        };
        for part in parts {
            let form = || SpecError::Form { part: part.to_owned() };
            let (key, value) = part.split_once('=').ok_or_else(form)?;
            spec.add(key, value)?;
        }
        spec.build()?;
        Ok(spec)
    }

    fn of_alias(table: &'static [EngineInfo], name: &str) -> Result<Self, SpecError> {
        let (family, value) = name.split_once(':').unwrap_or((name, ""));
        for info in table {
            if let Some(alias) = info.alias
                && alias.family == family
                && alias.option.check(value).is_ok()
            {
                let mut spec = EngineSpec::of(info);
                spec.add(alias.option.info().key, value)?;
                return Ok(spec);
            }
        }
        Err(SpecError::Name { name: name.to_owned(), advice: advice(table, name) })
    }

    /// The same engine with one more option; `None` if it has no such option.
    pub fn with(mut self, key: &str, value: &str) -> Result<Option<Self>, SpecError> {
        if self.info.option(key).is_none() {
            return Ok(None);
        }
        self.add(key, value)?;
        self.build()?;
        Ok(Some(self))
    }

    fn add(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        let Some(option) = self.info.option(key) else {
            let keys: Vec<&str> =
                self.info.options.iter().map(|option| option.info().key).collect();
            let known = if keys.is_empty() { "none".to_owned() } else { keys.join(", ") };
            return Err(SpecError::Key { engine: self.info.name, key: key.to_owned(), known });
        };
        if self.options.written(key).is_some() {
            return Err(SpecError::Twice { key: key.to_owned() });
        }
        option.check(value)?;
        self.options.push(key, value);
        Ok(())
    }

    /// The description of the engine.
    pub fn info(&self) -> &'static EngineInfo {
        self.info
    }

    /// Builds the engine.
    pub fn build(&self) -> Result<Box<dyn Engine>, ValueError> {
        (self.info.build)(&self.options)
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.info.name)?;
        self.options.iter().try_for_each(|(key, value)| write!(f, ":{key}={value}"))
    }
}

impl fmt::Debug for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What to say about an unknown name: the name that was probably meant, or those of its family, or
/// all.
fn advice(table: &[EngineInfo], name: &str) -> String {
    let known = || table.iter().map(|info| info.name);
    if let Some(known) = closest(name, known()) {
        return format!("did you mean `{known}`?");
    }
    let family = |name: &str| name.split(':').next().map(str::to_owned);
    let relatives: Vec<&str> = known().filter(|known| family(known) == family(name)).collect();
    match relatives.is_empty() {
        true => format!("there are {}", known().collect::<Vec<_>>().join(", ")),
        false => format!("its family has {}", relatives.join(", ")),
    }
}

/// An error in the name of an engine or in its options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No engine has that name.
    #[error("there is no engine `{name}`; {advice}")]
    Name {
        /// The unknown name.
        name: String,
        /// The name that was probably meant, or known names.
        advice: String,
    },
    /// An engine that one might expect does not exist.
    #[error("there is no engine `{name}`: {why}")]
    Absent {
        /// The name.
        name: String,
        /// The reason.
        why: &'static str,
    },
    /// The engine has no such option.
    #[error("engine {engine} has no option `{key}`; it has {known}")]
    Key {
        /// The engine.
        engine: &'static str,
        /// The unknown key.
        key: String,
        /// The known options.
        known: String,
    },
    /// Options are `key=value`.
    #[error("`{part}` is not of the form key=value")]
    Form {
        /// The text in question.
        part: String,
    },
    /// An option was given twice.
    #[error("option `{key}` is there twice")]
    Twice {
        /// The option.
        key: String,
    },
    /// An option has a wrong value.
    #[error(transparent)]
    Value(#[from] ValueError),
}
