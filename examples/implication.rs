//! Does one formula imply another? If not, a word proves it, shown as a table and in Spot's
//! notation.
#![expect(clippy::print_stdout, reason = "the word is to be seen")]

use kermode::ltl::{Store, Syntax, WordKind};
use kermode::solve::{Budget, Query, Question, Silent, Solver};
use kermode::{holds, parse};

pub(crate) fn main() -> Result<(), kermode::Error> {
    let (strong, weak) = ("G(request -> X grant)", "G(request -> F grant)");
    let mut store = Store::new();
    let [strong_formula, weak_formula] =
        [strong, weak].map(|text| parse(&mut store, text, Syntax::default()));
    let query = Query::implies(&store, [weak_formula?, strong_formula?], WordKind::Infinite);

    let budget = Budget::unlimited();
    let decided = Solver::default().decide(&query.problem(), &budget, &mut Silent::default());
    let verdict = decided.verdict?;
    assert_eq!(Question::Implies.verdict_words(&verdict), "not implied");

    let word = verdict.word().expect("a counterexample");
    let spot = query.spot(word);
    println!("{}{spot}", query.timeline(word));
    assert_eq!(query.sides(&verdict, &budget), Some([true, false]));
    assert!(holds(weak, &spot)? && !holds(strong, &spot)?);
    Ok(())
}
