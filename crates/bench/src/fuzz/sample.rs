//! A sample: a formula, and the kind of its words.
//!
//! Only this file, `draw` and `simpler` know that samples are formulas. Another kind of input would
//! be another variant here; the other files would stay as they are.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kermode_ltl::dialect::write;
use kermode_ltl::{Dialect, Formula, Measure, Store, WordKind};
use kermode_solve::{
    Accepts, Budget, EngineSpec, InternalError, Problem, Silent, Verdict, decide, panic_message,
};

/// A formula in a store of its own.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) store: Store,
    pub(crate) formula: Formula,
    pub(crate) words: WordKind,
}

impl Sample {
    /// A formula of another store.
    pub(crate) fn new(store: &Store, formula: Formula, words: WordKind) -> Self {
        let (store, formulas) = store.extract(&[formula]);
        Sample { store, formula: formulas[0], words }
    }

    /// The formula as a user would type it.
    pub(crate) fn text(&self) -> String {
        let written = write(&self.store, self.formula, Dialect::Kermode.into());
        written.unwrap_or_else(|error| error.to_string())
    }

    /// Nodes as written.
    pub(crate) fn size(&self) -> u64 {
        Measure::of(&self.store, self.formula).size
    }

    /// Whether an engine supports such samples.
    pub(crate) fn suits(&self, accepts: Accepts) -> bool {
        let words = match self.words {
            WordKind::Infinite => accepts.infinite,
            WordKind::Finite => accepts.finite,
        };
        words && (accepts.past || Measure::of(&self.store, self.formula).past_depth == 0)
    }

    /// Runs an engine. A panic of the code that checks the engine counts as one of the engine.
    pub(crate) fn ask(
        &self,
        engine: &EngineSpec,
        budget: &Budget,
    ) -> Result<Verdict, InternalError> {
        let problem = Problem::satisfiability(&self.store, self.formula, self.words);
        let ask = || decide(&problem, engine, budget, &mut Silent::default());
        catch_unwind(AssertUnwindSafe(ask)).unwrap_or_else(|panic| {
            let (engine, message) = (engine.to_string(), panic_message(&*panic));
            Err(InternalError::Panic { engine, message })
        })
    }
}
