//! `antichain:symbolic`: emptiness of alternating automata by the fixpoints of \[DDMR08\] over
//! decision diagrams, without antichains, in either direction of time.
//!
//! `fixpoint/emptiness.rs` searches for infinite words. Finite words need only the states that are
//! reachable, or that reach the end.

use kermode_bdd::Bdd;
use kermode_ltl::rewrite::RuleSet;
use kermode_ltl::{Word, WordKind};

use super::model::{Manner, ModelSettings, solve_model};
use crate::alternating::order::Orders;
use crate::alternating::symbolic::{Settings, SymbolicCounts, SymbolicSpace};
use crate::fixpoint::Direction;
use crate::fixpoint::emptiness::{self, FairRun, FairSpace};
use crate::fixpoint::fixpoints::reachable;
use crate::fixpoint::trace::{Lasso, Traces, Walk, approach};
use crate::frame::answer::{Answer, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::options::{Choice, Flag};
use crate::frame::prepare::{RULES, solve_automata};
use crate::frame::problem::{Problem, WitnessPolicy};
use crate::frame::witness::nonempty;

pub(crate) const DIRECTION: Choice<Direction> = Choice {
    key: "direction",
    help: "where the fixpoints start",
    values: &[
        ("backward", "from all states", Direction::Backward),
        ("forward", "from the initial ones", Direction::Forward),
    ],
};

const ACCEPTANCE: Choice<bool> = Choice {
    key: "acceptance",
    help: "how acceptance is represented",
    values: &[
        ("generalised", "one mark per location where the automaton is very weak", true),
        ("breakpoint", "pairs for all automata", false),
    ],
};

pub(crate) const SIFTING: Flag =
    Flag { key: "sifting", help: "whether to search for better variable orders", default: true };

pub(crate) const SYMBOLIC: EngineInfo = EngineInfo {
    name: "antichain:symbolic",
    summary: "the fixpoints of antichains over decision diagrams, backward or forward",
    paper: "DDMR08",
    accepts: Accepts { models: true, run_automata: true, ..Accepts::AUTOMATA },
    options: &[&DIRECTION, &ACCEPTANCE, &SIFTING, &RULES],
    alias: None,
    build: |options| {
        let settings = Settings {
            direction: options.get(&DIRECTION)?,
            generalised: options.get(&ACCEPTANCE)?,
            sifting: options.get(&SIFTING)?,
            most_nodes: None,
        };
        Ok(Box::new(FullySymbolic { settings, rules: options.get(&RULES)? }))
    },
};

struct FullySymbolic {
    settings: Settings,
    rules: RuleSet,
}

impl Engine for FullySymbolic {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        if problem.language.has_model() {
            let Settings { direction, generalised, sifting, .. } = self.settings;
            let manner = Manner::Symbolic { direction, generalised };
            let (orders, rules) = (Orders::default(), &self.rules);
            let settings = ModelSettings { manner, orders, rules, sifting };
            return solve_model(problem, &settings, budget, observer);
        }
        let counts = &mut SymbolicCounts::default();
        solve_automata(problem, &self.rules, budget, &mut |automaton, budget| {
            let symbolic = SymbolicSpace::new(automaton, self.settings, budget, observer, counts)?;
            answer_by_diagrams(symbolic, problem.witness, budget)
        })
    }
}

/// Whether the automaton of an algebra accepts a word, with the word if requested. The letters have
/// a budget of their own.
pub(super) fn answer_by_diagrams<'o>(
    mut symbolic: SymbolicSpace<'_, 'o>,
    witness: WitnessPolicy,
    letters: &'o Budget,
) -> Result<Answer, Stop> {
    let found = search(&mut symbolic);
    symbolic.tell();
    let Some(found) = found? else { return Ok(Answer::Empty(None)) };
    symbolic.set_budget(letters);
    Ok(nonempty(witness, letters, |longest| {
        let word = found.word(&mut symbolic, longest)?;
        Ok(word.map(Witness::Word))
    }))
}

fn search(symbolic: &mut SymbolicSpace) -> Result<Option<Proof>, Stop> {
    let words = symbolic.encoding().automaton().words();
    match (words, symbolic.direction()) {
        (WordKind::Finite, Direction::Backward) => {
            let seed = symbolic.encoding().accepting_sets()?;
            let goal = symbolic.encoding().initial()?;
            path(symbolic, &seed, goal)
        }
        (WordKind::Finite, Direction::Forward) => {
            let seed = symbolic.encoding().initial()?;
            let goal = symbolic.encoding().accepting_sets()?;
            path(symbolic, &seed, goal)
        }
        (WordKind::Infinite, _) => Ok(emptiness::search(symbolic)?.map(Proof::FairRun)),
    }
}

/// The proof that there is a word.
enum Proof {
    /// Rings of sets, the last of which intersects the goal.
    Path {
        rings: Vec<Bdd>,
        goal: Bdd,
    },
    FairRun(FairRun<Bdd>),
}

/// Computes rings from a seed until one intersects the goal.
fn path(symbolic: &mut SymbolicSpace, seed: &Bdd, goal: Bdd) -> Result<Option<Proof>, Stop> {
    let mut rings = Vec::new();
    let all = reachable(&mut symbolic.plain(), seed, &mut |_, ring| {
        rings.push(ring.clone());
        Ok(!ring.and(&goal)?.is_bottom())
    })?;
    Ok(all.is_none().then_some(Proof::Path { rings, goal }))
}

impl Proof {
    /// The word, unless it gets too long.
    fn word(&self, symbolic: &mut SymbolicSpace, longest: usize) -> Result<Option<Word>, Stop> {
        match self {
            Proof::Path { rings, goal } => {
                let last = rings.last().map_or_else(|| Ok(goal.clone()), |ring| ring.and(goal))?;
                let (direction, mut sets) = (symbolic.direction(), symbolic.plain());
                let mut walk = Walk::from(sets.some_state(&last));
                approach(&mut sets, rings, &mut walk)?;
                let moments = walk.in_time(direction).into_iter();
                Ok(Some(Word::finite(moments.map(|moment| moment.label).collect())))
            }
            Proof::FairRun(found) => Ok(found.lasso(symbolic, longest)?.map(Lasso::into_word)),
        }
    }
}

#[cfg(test)]
mod tests {
    use kermode_ltl::Store;
    use kermode_ltl::dialect::{Dialect, parse};

    use super::*;
    use crate::frame::answer::LeftOut;
    use crate::frame::engine::EngineSpec;
    use crate::frame::observer::Silent;

    fn answer(engine: &str, witness: WitnessPolicy) -> Answer {
        let mut store = Store::new();
        let text = "G(a <-> X !a) & G F(b & X b) & G F !b";
        let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
        let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
        let problem = Problem { witness, ..problem };
        let engine: EngineSpec = engine.parse().expect("an engine");
        let engine = engine.build().expect("an engine");
        let observer = &mut Silent::default();
        engine.solve(&problem, &Budget::unlimited(), observer).expect("an answer")
    }

    #[test]
    fn words_that_nobody_wants_or_that_get_too_long_are_not_made() {
        for engine in ["antichain:symbolic", "antichain:symbolic:direction=forward"] {
            let wanted = WitnessPolicy::default();
            assert!(
                matches!(answer(engine, wanted), Answer::Nonempty(Ok(Witness::Word(_)))),
                "{engine}"
            );
            let unwanted = WitnessPolicy { wanted: false, ..wanted };
            let not_asked = Answer::Nonempty(Err(LeftOut::NotAsked));
            assert_eq!(answer(engine, unwanted), not_asked, "{engine}");
            let short = WitnessPolicy { limit: 1, ..wanted };
            let not_made = Answer::Nonempty(Err(LeftOut::NotMade { limit: 1 }));
            assert_eq!(answer(engine, short), not_made, "{engine}");
        }
    }
}
