//! The steps around the core of an engine: rewriting, elimination of operators that the core does
//! not support, one call per independent part, and the map of words back to the problem.
//!
//! Cores get formulas without past and bounded operators, over words of the same kind as those of
//! the problem.

use kermode_automata::{AlternatingAutomaton, from_ltl};
use kermode_ltl::eliminate::{Eliminated, eliminate_finite, to_future, to_unbounded};
use kermode_ltl::normal::ExpansionTooLarge;
use kermode_ltl::preprocess::{Preprocessed, preprocess_unless};
use kermode_ltl::rewrite::RuleSet;
use kermode_ltl::{Formula, Letter, Node, Store, Word, WordKind};

use crate::frame::answer::{Answer, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::options::Rules;
use crate::frame::problem::{Language, Problem, WitnessPolicy};
use crate::frame::witness::nonempty;

/// The option of all engines that rewrite.
pub(crate) const RULES: Rules = Rules {
    key: "rules",
    help: "rewriting rules: all, none, language (those that preserve it), or names joined by `+`; see `kermode rules`",
};

/// The largest number of subformulas that writing out bounded operators may add.
pub(crate) const EXPANSION_LIMIT: u64 = 1 << 20;

/// Decides a formula without past and bounded operators.
pub(crate) type Core<'c> =
    dyn FnMut(&mut Store, Formula, WordKind, &Budget) -> Result<Answer, Stop> + 'c;

/// The preprocessed formula of a problem, in a store of its own, and the kind of its words.
pub(crate) fn preprocessed(
    problem: &Problem,
    rules: &RuleSet,
    budget: &Budget,
) -> Result<(Store, Preprocessed, WordKind), Stop> {
    budget.check()?;
    let (formula, words) = problem.formula()?;
    let mut store = problem.store.clone();
    let left = preprocess_unless(&mut store, formula, words, rules, &mut || budget.check())?;
    Ok((store, left, words))
}

/// Removes operators that a core does not support, with a limit on the subformulas that this adds.
type Eliminate = fn(&mut Store, Formula, WordKind, u64) -> Result<Eliminated, ExpansionTooLarge>;

/// Decides a problem through a core.
pub(crate) fn solve_parts(
    problem: &Problem,
    rules: &RuleSet,
    budget: &Budget,
    core: &mut Core,
) -> Result<Answer, Stop> {
    solve_parts_after(to_future, problem, rules, budget, core)
}

/// Decides a problem through a core that supports past operators.
pub(crate) fn solve_parts_with_past(
    problem: &Problem,
    rules: &RuleSet,
    budget: &Budget,
    core: &mut Core,
) -> Result<Answer, Stop> {
    solve_parts_after(to_unbounded, problem, rules, budget, core)
}

fn solve_parts_after(
    eliminate: Eliminate,
    problem: &Problem,
    rules: &RuleSet,
    budget: &Budget,
    core: &mut Core,
) -> Result<Answer, Stop> {
    let (mut store, left, words) = preprocessed(problem, rules, budget)?;
    if left.decided(&store) == Some(false) {
        return Ok(Answer::Empty(None));
    }
    let (mut found, mut unseen) = (Vec::with_capacity(left.parts.len()), None);
    for (index, &part) in left.parts.iter().enumerate() {
        // The other parts are known to have words, so a word of the last part decides the problem.
        let own = (index + 1 < left.parts.len()).then(|| budget.for_another_question());
        let budget = own.as_ref().unwrap_or(budget);
        match solve_part(eliminate, &mut store, part, words, budget, core)? {
            Answer::Nonempty(Ok(witness)) => found.push(witness.into_word()),
            Answer::Nonempty(Err(reason)) => unseen = Some(reason),
            Answer::Empty(_) => return Ok(Answer::Empty(None)),
        }
    }
    match unseen {
        Some(reason) => Ok(Answer::Nonempty(Err(reason))),
        None => Ok(restored(&left, &store, &found, problem.witness, budget)),
    }
}

/// Decides a problem through a core that supports automata.
pub(crate) fn solve_automata(
    problem: &Problem,
    rules: &RuleSet,
    budget: &Budget,
    core: &mut dyn FnMut(&AlternatingAutomaton, &Budget) -> Result<Answer, Stop>,
) -> Result<Answer, Stop> {
    match problem.language {
        Language::Formula { .. } => {
            solve_parts(problem, rules, budget, &mut |store, formula, words, budget| {
                core(&from_ltl(store, formula, words)?, budget)
            })
        }
        _ => core(&*problem.automaton(budget)?, budget),
    }
}

fn solve_part(
    eliminate: Eliminate,
    store: &mut Store,
    part: Formula,
    words: WordKind,
    budget: &Budget,
    core: &mut Core,
) -> Result<Answer, Stop> {
    if store.node(part) == Node::Constant(true) {
        return Ok(Answer::word(any_word(words)));
    }
    let left = eliminate(store, part, words, EXPANSION_LIMIT)?;
    let answer = core(store, left.formula, words, budget)?;
    Ok(answer.map_word(|word| left.restore.word(&word)))
}

/// Decides a formula over words of the given kind through a core for infinite words.
pub(crate) fn over_infinite_words(
    store: &mut Store,
    formula: Formula,
    words: WordKind,
    core: &mut dyn FnMut(&mut Store, Formula) -> Result<Answer, Stop>,
) -> Result<Answer, Stop> {
    if words == WordKind::Infinite {
        return core(store, formula);
    }
    let infinite = eliminate_finite(store, formula);
    let answer = core(store, infinite.formula)?;
    Ok(answer.map_word(|word| infinite.restore.word(&word)))
}

/// A shortest word.
pub(crate) fn any_word(words: WordKind) -> Word {
    match words {
        WordKind::Infinite => Word::lasso(Vec::new(), vec![Letter::default()]),
        WordKind::Finite => Word::finite(vec![Letter::default()]),
    }
}

/// The answer with the word that is built from the words of the parts, unless it is too long.
pub(crate) fn restored(
    left: &Preprocessed,
    store: &Store,
    found: &[Word],
    witness: WitnessPolicy,
    budget: &Budget,
) -> Answer {
    nonempty(witness, budget, |limit| {
        let word = left.restore_unless(store, found, limit, &mut || budget.check())?;
        Ok(word.map(Witness::Word))
    })
}
