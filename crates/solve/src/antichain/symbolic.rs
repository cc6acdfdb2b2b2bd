//! `antichain:symbolic`: emptiness of alternating automata by the fixpoints of [DDMR08] over decision diagrams, without
//! antichains, in either direction of time.
//!
//! Backward, all sets of locations are taken to be endless first, and those that cannot go on are taken out; then those are kept
//! from which acceptance can be met for ever. As soon as no initial state is left there is no word. Forward, what can be reached is computed,
//! then what of it lies behind acceptance that was met for ever. Finite words need nothing but what can be reached, or what
//! can reach the end. `walk` finds the word.

use kermode_bdd::{Bdd, BitSet};
use kermode_ltl::rewrite::RuleSet;
use kermode_ltl::{Word, WordKind};

use super::walk;
use crate::budget::{Budget, Stop};
use crate::decide::WitnessPolicy;
use crate::engine::{Accepts, Engine, EngineInfo, OptionInfo};
use crate::observer::Observer;
use crate::prepare::{RULES, solve_automata};
use crate::problem::Problem;
use crate::region::Regions;
use crate::region::fixpoints::{endless, infinitely_often, reachable};
use crate::region::symbolic::{Counts, Settings, Symbolic};
use crate::space::miyano_hayashi::Pair;
use crate::space::steps::Direction;
use crate::verdict::{Answer, LeftOut};

const DIRECTION: OptionInfo = OptionInfo {
    key: "direction",
    default: "backward",
    help: "where the fixpoints start: backward (from all states) or forward (from the initial ones)",
};

const ACCEPTANCE: OptionInfo = OptionInfo {
    key: "acceptance",
    default: "generalised",
    help: "generalised (a condition a location where the automaton is very weak) or breakpoint (pairs for all)",
};

const SIFTING: OptionInfo = OptionInfo {
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
        let directions = [("backward", Direction::Backward), ("forward", Direction::Forward)];
        let settings = Settings {
            direction: options.choice(&DIRECTION, &directions)?,
            generalised: options
                .choice(&ACCEPTANCE, &[("generalised", true), ("breakpoint", false)])?,
            sifting: options.choice(&SIFTING, &[("on", true), ("off", false)])?,
            most_nodes: None,
        };
        Ok(Box::new(FullySymbolic { settings, rules: options.rules(&RULES)? }))
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
        let counts = &mut Counts::default();
        solve_automata(problem, &self.rules, budget, &mut |automaton| {
            let symbolic = Symbolic::new(automaton, self.settings, budget, observer, counts)?;
            answer_by_diagrams(symbolic, problem.witness, budget)
        })
    }
}

/// Whether the automaton of an algebra accepts a word, and if that is wanted, which: the letters have a budget of their
/// own, since there may be a million of them to what a few steps of a fixpoint have found.
pub(super) fn answer_by_diagrams<'o>(
    mut symbolic: Symbolic<'_, 'o>,
    WitnessPolicy { wanted, limit }: WitnessPolicy,
    letters: &'o Budget,
) -> Result<Answer, Stop> {
    let found = search(&mut symbolic);
    symbolic.tell();
    let Some(found) = found? else { return Ok(Answer::Unsatisfiable) };
    if !wanted {
        return Ok(Answer::SatisfiableUnseen(LeftOut::NotAsked));
    }
    symbolic.set_budget(letters);
    Ok(match found.word(&mut symbolic, limit) {
        Ok(Some(word)) => Answer::Satisfiable(word),
        Ok(None) => Answer::SatisfiableUnseen(LeftOut::NotMade { limit }),
        Err(stop) => Answer::SatisfiableUnseen(LeftOut::Stopped(stop)),
    })
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
        (WordKind::Infinite, Direction::Backward) => after(symbolic),
        (WordKind::Infinite, Direction::Forward) => before(symbolic),
    }
}

/// What proves that there is a word.
enum Found {
    /// Rings of sets, the last of which meets a goal.
    Path { rings: Vec<Bdd>, goal: Bdd },
    /// States from which acceptance can be met for ever, and initial ones among them.
    After { fixpoint: Bdd, initial: Bdd },
    /// States before which acceptance can have been met for ever, and the rings in which they were reached.
    Before { fixpoint: Bdd, rings: Vec<Bdd> },
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

fn after(symbolic: &mut Symbolic) -> Result<Option<Found>, Stop> {
    let initial = symbolic.encoding().initial()?.and(symbolic.encoding().settled())?;
    let mut none_is_left = |_: &mut Symbolic, states: &Bdd| Ok(states.and(&initial)?.is_bottom());
    let all = symbolic.encoding().manager().top();
    let Some(mut fixpoint) = endless(symbolic, all, &mut none_is_left)? else { return Ok(None) };
    if !symbolic.is_safety() {
        let start = symbolic.with_acceptance(&fixpoint)?;
        match infinitely_often(symbolic, start, &mut none_is_left)? {
            Some(states) => fixpoint = states,
            None => return Ok(None),
        }
    }
    let initial = initial.and(&fixpoint)?;
    Ok(Some(Found::After { fixpoint, initial }))
}

fn before(symbolic: &mut Symbolic) -> Result<Option<Found>, Stop> {
    let initial = symbolic.encoding().initial()?;
    let mut rings = Vec::new();
    let reached = reachable(symbolic, &initial, &mut |_, ring| {
        rings.push(ring.clone());
        Ok(false)
    })?;
    let mut none_is_left = |_: &mut Symbolic, states: &Bdd| Ok(states.is_bottom());
    let reached = reached.unwrap_or_else(|| symbolic.none());
    let mut fixpoint = endless(symbolic, reached, &mut none_is_left)?;
    if let Some(states) = fixpoint.as_ref().filter(|_| !symbolic.is_safety()) {
        let start = symbolic.with_acceptance(states)?;
        fixpoint = infinitely_often(symbolic, start, &mut none_is_left)?;
    }
    Ok(fixpoint.map(|fixpoint| Found::Before { fixpoint, rings }))
}

impl Found {
    /// The word, unless it gets too long.
    fn word(&self, symbolic: &mut Symbolic, longest: usize) -> Result<Option<Word>, Stop> {
        match self {
            Found::Path { rings, goal } => {
                let last = rings.last().map_or_else(|| Ok(goal.clone()), |ring| ring.and(goal))?;
                let state = walk::pick(symbolic, &last);
                let mut letters = walk::through(symbolic, rings, state)?;
                if symbolic.direction() == Direction::Forward {
                    letters.reverse();
                }
                Ok(Some(Word::finite(letters)))
            }
            Found::After { fixpoint, initial } => {
                let state = walk::pick(symbolic, initial);
                let trail = walk::around(symbolic, fixpoint, state, longest)?;
                let Some(trail) = trail else { return Ok(None) };
                let (mut prefix, begin) = (trail.letters, trail.begin);
                let cycle = prefix.split_off(begin);
                Ok(Some(Word::lasso(prefix, cycle)))
            }
            Found::Before { fixpoint, rings } => {
                let state = walk::pick(symbolic, fixpoint);
                let trail = walk::around(symbolic, fixpoint, state, longest)?;
                let Some(trail) = trail else { return Ok(None) };
                symbolic.without_acceptance();
                let mut prefix =
                    walk::through(symbolic, rings, Pair { s: trail.last.s, o: BitSet::new() })?;
                prefix.reverse();
                let cycle = trail.letters.into_iter().skip(trail.begin).rev().collect();
                Ok(Some(Word::lasso(prefix, cycle)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kermode_ltl::Store;
    use kermode_ltl::dialect::{Dialect, parse};

    use super::*;
    use crate::engine::EngineSpec;
    use crate::observer::Silent;

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
            assert!(matches!(answer(engine, wanted), Answer::Satisfiable(_)), "{engine}");
            let unwanted = WitnessPolicy { wanted: false, ..wanted };
            let not_asked = Answer::SatisfiableUnseen(LeftOut::NotAsked);
            assert_eq!(answer(engine, unwanted), not_asked, "{engine}");
            let short = WitnessPolicy { limit: 1, ..wanted };
            let not_made = Answer::SatisfiableUnseen(LeftOut::NotMade { limit: 1 });
            assert_eq!(answer(engine, short), not_made, "{engine}");
        }
    }
}
