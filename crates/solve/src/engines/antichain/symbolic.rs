//! `antichain:symbolic`: emptiness of alternating automata by the fixpoints of [DDMR08] over decision diagrams, without
//! antichains, in either direction of time.
//!
//! Infinite words are looked for by `region/lasso.rs`. Finite words need nothing but what can be reached, or what
//! can reach the end.

use kermode_bdd::Bdd;
use kermode_ltl::rewrite::RuleSet;
use kermode_ltl::{Word, WordKind};

use crate::alternating::symbolic::{Counts, Settings, Symbolic};
use crate::fixpoint::Direction;
use crate::fixpoint::fixpoints::reachable;
use crate::fixpoint::lasso::{self, Fair, answer_with};
use crate::fixpoint::walk::{self, Walk};
use crate::frame::answer::Answer;
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo, OptionInfo, Options, SpecError};
use crate::frame::observer::Observer;
use crate::frame::prepare::{RULES, solve_automata};
use crate::frame::problem::{Problem, WitnessPolicy};

pub(crate) const DIRECTION: OptionInfo = OptionInfo {
    key: "direction",
    default: "backward",
    help: "where the fixpoints start: backward (from all states) or forward (from the initial ones)",
};

const ACCEPTANCE: OptionInfo = OptionInfo {
    key: "acceptance",
    default: "generalised",
    help: "generalised (a condition a location where the automaton is very weak) or breakpoint (pairs for all)",
};

pub(crate) const SIFTING: OptionInfo = OptionInfo {
    key: "sifting",
    default: "on",
    help: "on or off: whether better orders of variables are looked for",
};

pub(crate) const SYMBOLIC: EngineInfo = EngineInfo {
    name: "antichain:symbolic",
    summary: "the fixpoints of antichains over decision diagrams, backward or forward",
    paper: "DDMR08",
    accepts: Accepts { infinite: true, finite: true, past: true, automata: true, complete: true },
    options: &[DIRECTION, ACCEPTANCE, SIFTING, RULES],
    build: |options| {
        let settings = Settings {
            direction: direction(options)?,
            generalised: options
                .choice(&ACCEPTANCE, &[("generalised", true), ("breakpoint", false)])?,
            sifting: options.choice(&SIFTING, &[("on", true), ("off", false)])?,
            most_nodes: None,
        };
        Ok(Box::new(FullySymbolic { settings, rules: options.rules(&RULES)? }))
    },
};

/// The direction that was chosen.
pub(crate) fn direction(options: &Options) -> Result<Direction, SpecError> {
    let directions = [("backward", Direction::Backward), ("forward", Direction::Forward)];
    options.choice(&DIRECTION, &directions)
}

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
        let counts = &mut Counts::default();
        solve_automata(problem, &self.rules, budget, &mut |automaton| {
            let symbolic = Symbolic::new(automaton, self.settings, budget, observer, counts)?;
            answer_by_diagrams(symbolic, problem.witness, budget)
        })
    }
}

/// Whether the automaton of an algebra accepts a word, and if that is wanted, which: the letters have a budget of their
/// own.
pub(super) fn answer_by_diagrams<'o>(
    mut symbolic: Symbolic<'_, 'o>,
    witness: WitnessPolicy,
    letters: &'o Budget,
) -> Result<Answer, Stop> {
    let found = search(&mut symbolic);
    symbolic.tell();
    let Some(found) = found? else { return Ok(Answer::Empty(None)) };
    symbolic.set_budget(letters);
    Ok(answer_with(witness, |longest| found.word(&mut symbolic, longest)))
}

fn search(symbolic: &mut Symbolic) -> Result<Option<Found>, Stop> {
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
        (WordKind::Infinite, _) => Ok(lasso::search(symbolic)?.map(Found::Lasso)),
    }
}

/// What proves that there is a word.
enum Found {
    /// Rings of sets, the last of which meets a goal.
    Path {
        rings: Vec<Bdd>,
        goal: Bdd,
    },
    Lasso(lasso::Found),
}

/// Goes on from a seed until a goal is met.
fn path(symbolic: &mut Symbolic, seed: &Bdd, goal: Bdd) -> Result<Option<Found>, Stop> {
    let mut rings = Vec::new();
    let all = reachable(symbolic, seed, &mut |_, ring| {
        rings.push(ring.clone());
        Ok(!ring.and(&goal)?.is_bottom())
    })?;
    Ok(all.is_none().then_some(Found::Path { rings, goal }))
}

impl Found {
    /// The word, unless it gets too long.
    fn word(&self, symbolic: &mut Symbolic, longest: usize) -> Result<Option<Word>, Stop> {
        match self {
            Found::Path { rings, goal } => {
                let last = rings.last().map_or_else(|| Ok(goal.clone()), |ring| ring.and(goal))?;
                let state = symbolic.some_state(&last);
                let mut letters = walk::through(symbolic, rings, state)?;
                if symbolic.direction() == Direction::Forward {
                    letters.reverse();
                }
                Ok(Some(Word::finite(letters)))
            }
            Found::Lasso(found) => found.word(symbolic, longest),
        }
    }
}

#[cfg(test)]
mod tests {
    use kermode_ltl::Store;
    use kermode_ltl::dialect::{Dialect, parse};

    use super::*;
    use crate::frame::answer::{LeftOut, Witness};
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
