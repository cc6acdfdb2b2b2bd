//! `sat`, `valid`, `equiv` and `implies`: each question becomes a question of satisfiability.

use anyhow::bail;
use kermode::ltl::dialect::Document;
use kermode::ltl::{Formula, Store};
use kermode::solve::Question;

use crate::args::{Decide, DecidePair};
use crate::case::{Case, Subject};
use crate::input::{self, Text};
use crate::session::Session;
use crate::solver::Answerer;
use crate::status::Status;

/// `sat` and `valid`.
pub(crate) fn single(args: &Decide, question: Question) -> anyhow::Result<Status> {
    let session = Session::new(question, &args.solving, args.output)?;
    let (budget, reading) = (session.budget(), args.input.reading);
    let mut store = Store::new();
    let (text, document, cases, solver) = session.read(&budget, || {
        let text = input::load(args.formula.as_deref(), &args.input, &budget)?;
        let document = text.document(&mut store, reading, args.input.whole)?;
        let cases = Case::of_document(&mut store, &text, &document, reading, args.each);
        let solver = Answerer::for_formulas(&args.solving, &args.rewriting, &budget)?;
        Ok((text, document, cases, solver))
    })?;
    let Some(mut cases) = cases else {
        return session.refuse(text.first_error(&document.diagnostics).as_ref());
    };
    cases.iter_mut().for_each(|case| case.left = Some(budget.left()));
    let sound = if document.is_sound() { Status::Yes } else { Status::Bad };
    session.decide_all(&solver, cases.iter().map(|case| (&store, case)), sound)
}

/// `equiv` and `implies`.
pub(crate) fn pair(args: &DecidePair, question: Question) -> anyhow::Result<Status> {
    let session = Session::new(question, &args.solving, args.output)?;
    let budget = session.budget();
    let mut store = Store::new();
    let (texts, documents, solver) = session.read(&budget, || {
        let texts = match (&args.formula, &args.second) {
            (Some(first), Some(second)) if first != "-" => {
                vec![Text::argument("<first>", first), Text::argument("<second>", second)]
            }
            (first, None) => vec![Text::load(first.as_deref(), args.file.as_deref(), &budget)?],
            (_, Some(_)) => bail!("standard input gives both formulas, one a line"),
        };
        let documents: anyhow::Result<Vec<Document>> =
            texts.iter().map(|text| text.document(&mut store, args.reading, false)).collect();
        let solver = Answerer::for_formulas(&args.solving, &args.rewriting, &budget)?;
        Ok((texts, documents?, solver))
    })?;
    let both = || texts.iter().zip(&documents);
    if let Some((text, document)) = both().find(|(_, document)| !document.is_sound()) {
        return session.refuse(text.first_error(&document.diagnostics).as_ref());
    }
    let entries =
        || both().flat_map(|(text, document)| document.entries.iter().map(move |e| (text, e)));
    let formulas: Vec<Formula> = entries().filter_map(|(_, entry)| entry.formula.ok()).collect();
    let &[first, second] = formulas.as_slice() else {
        let are = if formulas.len() == 1 { "is" } else { "are" };
        bail!("`{}` takes two formulas, and there {are} {}", question.command(), formulas.len());
    };
    let written = entries().map(|(text, entry)| text.excerpt(entry.span.clone())).collect();
    let subject = Subject::Formulas { first, second: Some(second), reading: args.reading };
    let case = Case { left: Some(budget.left()), ..Case::single(written, subject) };
    session.decide_all(&solver, [(&store, &case)].into_iter(), Status::Yes)
}
