//! `contains`: does an automaton accept every word of another one? The second file may hold several
//! automata, each of which has a verdict.

use kermode::automata::{Automaton, Difference};
use kermode::ltl::Store;
use kermode::solve::Question;

use crate::args::Contains;
use crate::automaton::{File, Unread, different_words, refuse_repeated_stdin};
use crate::case::{Case, Subject};
use crate::session::Session;
use crate::solver::Answerer;
use crate::status::Status;

pub(crate) fn run(args: &Contains) -> anyhow::Result<Status> {
    let session = Session::new(Question::Contains, &args.solving, args.output)?;
    let budget = session.budget();
    let solver = session.read(&budget, || Answerer::for_automata(&args.solving, &budget))?;
    refuse_repeated_stdin([&args.container, &args.file])?;
    let mut store = Store::new();
    let (container, automaton) =
        File::only(&mut store, &args.container, "`contains` takes as its first argument", &budget);
    let file = File::read(&mut store, &args.file, &budget);
    if let Err(Unread::Bad(error)) = &automaton {
        return session.refuse(Some(error));
    }
    let subject = |name: &str, other: Automaton| match automaton.clone() {
        Err(unread) => unread.into(),
        Ok(automaton) => {
            let words = [(container.as_str(), automaton.words()), (name, other.words())];
            match different_words(words[0], words[1]) {
                Some(error) => error.into(),
                None => Subject::Automata(vec![Difference::of(other).not(automaton)]),
            }
        }
    };
    let left = Some(budget.left());
    let case = |case| Case { container: Some(container.clone()), left, ..case };
    let cases: Vec<Case> = file.into_cases(false, subject).into_iter().map(case).collect();
    session.decide_all(&solver, cases.iter().map(|case| (&store, case)), Status::Yes)
}
