//! Cores: why formulas contradict each other.
//!
//! The *members* of a question are formulas, such as the requirements of a specification. A *core*
//! is a minimal subset of them that has no word. A maximal satisfiable subset leaves out a
//! *correction*: some members whose removal repairs the whole. [`CoreQuestion::one`] finds a core,
//! [`CoreQuestion::all`] enumerates cores and corrections by size. Both take any way to decide
//! problems, such as a [`Solver`](crate::portfolio::Solver).
//!
//! Cores are not trusted. For each member of a core there is a word on which all others hold by the
//! plain semantics, so none can be left out. An engine of another family confirms that the core has
//! no word. What the budget did not permit to show is said to be unknown.
//!
//! ```
//! use kermode_ltl::dialect::parse;
//! use kermode_ltl::{Store, WordKind};
//! use kermode_solve::cores::CoreQuestion;
//! use kermode_solve::{Budget, Problem, Silent, Solver};
//!
//! let mut store = Store::new();
//! let texts = ["G F a", "G(b -> c)", "F G !a", "F b"];
//! let read = |text| parse(&mut store, text, Default::default()).expect("a formula").formula;
//! let members = texts.map(read).to_vec();
//! let question = CoreQuestion { store, members, assumptions: vec![], words: WordKind::Infinite };
//! let (solver, budget) = (Solver::default(), Budget::unlimited());
//! let decide = &mut |problem: &Problem<'_>, budget: &Budget| {
//!     solver.decide(problem, budget, &mut Silent::default())
//! };
//! let found = question.one(&budget, decide)?;
//! assert_eq!(found.cores[0].members, [0, 2]);
//! assert!(found.cores[0].is_minimal());
//! # Ok::<(), kermode_solve::InternalError>(())
//! ```

mod confirm;
mod enumerate;
mod hitting;
mod members;
mod oracle;
mod reduce;
mod repair;
mod shrink;
mod signals;

use std::rc::Rc;

use kermode_base::BitSet;
use kermode_ltl::{Formula, Store, Word, WordKind};

use crate::frame::answer::InternalError;
use crate::frame::budget::{Budget, Stop};
use confirm::confirm;
use enumerate::Map;
pub use members::outer_conjuncts;
pub use oracle::Decide;
use oracle::{Found, Interruption, Oracle};
use reduce::reduce;

/// Formulas that perhaps contradict each other.
#[derive(Clone, Debug)]
pub struct CoreQuestion {
    /// The owner of the formulas.
    pub store: Store,
    /// The formulas in question.
    pub members: Vec<Formula>,
    /// Formulas that hold anyway.
    pub assumptions: Vec<Formula>,
    /// The kind of words.
    pub words: WordKind,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Cores {
    /// The owner of all formulas, the reduced ones included.
    pub store: Store,
    /// Whether all members hold together.
    pub verdict: CoresVerdict,
    /// The cores, those with fewer members first.
    pub cores: Vec<Core>,
    /// The corrections, those with fewer members first; without them all other members hold.
    pub corrections: Vec<Correction>,
    /// Whether all cores and corrections are listed.
    pub complete: bool,
    /// Every core with fewer members is listed.
    pub smallest_open: usize,
    /// Why the search ended early.
    pub stop: Option<Stop>,
    /// The number of problems that engines decided.
    pub calls: u64,
    /// The engines that decided that there is no word.
    pub engines: Vec<String>,
}

/// Whether all members hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoresVerdict {
    /// They do, on this word unless it is left out.
    Satisfiable(Option<Word>),
    /// They do not.
    Unsatisfiable,
    /// The budget ended before that was known.
    Unknown(Stop),
}

/// Members that contradict each other.
#[derive(Clone, Debug)]
pub struct Core {
    /// The indices of the members, ascending.
    pub members: Vec<usize>,
    /// For each member, a word on which all others hold; absent if that is not shown.
    pub words: Vec<Option<Word>>,
    /// The engine that confirmed that there is no word; its family is not that of the first engine.
    pub confirmed_by: Option<String>,
    /// For each member, the weakest formula that was found to be enough.
    pub reduced: Option<Reduced>,
}

impl Core {
    /// Whether words show that no member can be left out.
    pub fn is_minimal(&self) -> bool {
        self.words.iter().all(Option::is_some)
    }
}

/// What a core needs of its members.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The members with unneeded subformulas replaced by constants.
    pub formulas: Vec<Formula>,
    /// Whether no other subformula can be replaced.
    pub complete: bool,
}

/// Members whose removal makes the others satisfiable.
#[derive(Clone, Debug)]
pub struct Correction {
    /// The indices of the members, ascending.
    pub members: Vec<usize>,
    /// A word on which all others hold, unless it is left out.
    pub word: Option<Word>,
}

impl CoreQuestion {
    /// Decides whether the members hold together, and finds one core if not.
    pub fn one<'d>(
        &self,
        budget: &'d Budget,
        decide: &'d mut Decide<'d>,
    ) -> Result<Cores, InternalError> {
        let report = &mut |_: &Core| ();
        self.explore(budget, decide, report, Detail::Reduced, |oracle, map| {
            let all = oracle.all();
            match oracle.decide(&all)? {
                Found::Model(_) => {
                    map.corrections.push(BitSet::new());
                    map.complete = true;
                }
                Found::Conflict(conflict) => map.add_core(oracle, conflict)?,
            }
            Ok(())
        })
    }

    /// Finds all cores and corrections, or at most so many smallest cores. `report` gets each core
    /// when it is found.
    pub fn all<'d>(
        &self,
        most: Option<usize>,
        budget: &'d Budget,
        decide: &'d mut Decide<'d>,
        report: &mut dyn FnMut(&Core),
    ) -> Result<Cores, InternalError> {
        let search = |oracle: &mut Oracle, map: &mut Map| map.explore(oracle, most);
        self.explore(budget, decide, report, Detail::Members, search)
    }

    fn explore<'d>(
        &self,
        budget: &'d Budget,
        decide: &'d mut Decide<'d>,
        report: &mut dyn FnMut(&Core),
        detail: Detail,
        search: impl FnOnce(&mut Oracle<'d>, &mut Map) -> Result<(), Interruption>,
    ) -> Result<Cores, InternalError> {
        let (members, assumptions) = (self.members.clone(), self.assumptions.clone());
        let store = self.store.clone();
        let mut oracle = Oracle::new(store, members, assumptions, self.words, budget, decide);
        let mut map = Map::new(report);
        let searched = oracle.add_plain_words().and_then(|()| search(&mut oracle, &mut map));
        let mut stop = match searched {
            Ok(()) => None,
            Err(Interruption::Stop(stop)) => Some(stop),
            Err(Interruption::Bug(error)) => return Err(error),
        };
        let Map { described: mut cores, corrections, smallest_open, complete, .. } = map;
        cores.sort_by_key(|core| core.members.len());
        if let (Detail::Reduced, [core]) = (detail, &mut cores[..]) {
            let (formulas, ended) = reduce(&mut oracle, &core.members)?;
            core.reduced = Some(Reduced { formulas, complete: ended.is_none() });
            stop = stop.or(ended);
        }
        let mut corrections: Vec<Correction> =
            corrections.iter().map(|left_out| correction(&oracle, left_out)).collect();
        corrections.sort_by_key(|correction| correction.members.len());
        let verdict = match (&stop, corrections.first()) {
            _ if !cores.is_empty() => CoresVerdict::Unsatisfiable,
            (_, Some(first)) if first.members.is_empty() => {
                CoresVerdict::Satisfiable(first.word.clone())
            }
            (Some(stop), _) => CoresVerdict::Unknown(stop.clone()),
            (None, _) => unreachable!("a search that ends has a core or satisfies all"),
        };
        Ok(Cores {
            engines: std::mem::take(&mut oracle.refuted_by),
            calls: oracle.calls,
            store: oracle.store,
            verdict,
            cores,
            corrections,
            complete,
            smallest_open,
            stop,
        })
    }
}

/// How much is said of a core.
#[derive(Clone, Copy)]
enum Detail {
    Members,
    Reduced,
}

impl Core {
    /// A core with the words that show that it is minimal, and with its confirmation.
    fn describe(oracle: &mut Oracle, set: &BitSet) -> Result<Core, InternalError> {
        let mut words = Vec::new();
        for member in set.iter() {
            let mut others = set.clone();
            others.remove(member);
            match oracle.decide(&others) {
                Ok(Found::Model(model)) => words.push(word(&oracle.models[model].word)),
                // The subset is not minimal, or that is not known, because the budget ended.
                Ok(Found::Conflict(_)) | Err(Interruption::Stop(_)) => words.push(None),
                Err(Interruption::Bug(error)) => return Err(error),
            }
        }
        let members: Vec<usize> = set.iter().collect();
        let formulas = members.iter().map(|&member| oracle.members[member]);
        let formulas: Vec<Formula> = formulas.chain(oracle.assumptions.iter().copied()).collect();
        let confirmed_by = confirm(oracle, &formulas)?;
        Ok(Core { members, words, confirmed_by, reduced: None })
    }
}

fn correction(oracle: &Oracle, left_out: &BitSet) -> Correction {
    let rest = oracle::without(&oracle.all(), left_out);
    let model = oracle.models.iter().find(|model| rest.is_subset(&model.satisfied));
    let members = left_out.iter().collect();
    Correction { members, word: model.and_then(|model| word(&model.word)) }
}

fn word(shared: &Option<Rc<Word>>) -> Option<Word> {
    shared.as_ref().map(|word| (**word).clone())
}
