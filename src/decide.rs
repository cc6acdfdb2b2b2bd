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
    let mut store = Store::new();
    let (text, reading) = (input::load(args.formula.as_deref(), &args.input)?, args.input.reading);
    let document = text.document(&mut store, reading, args.input.whole)?;
    let solver = Answerer::for_formulas(&args.solving, &args.rewriting)?;
    let session = Session::new(question, solver, &args.solving, args.output)?;
    let Some(cases) = Case::of_document(&mut store, &text, &document, reading, args.each) else {
        return session.refuse(text.first_error(&document.diagnostics).as_ref());
    };
    let sound = if document.is_sound() { Status::Yes } else { Status::Bad };
    session.decide_all(cases.iter().map(|case| (&store, case)), sound)
}

/// `equiv` and `implies`.
pub(crate) fn pair(args: &DecidePair, question: Question) -> anyhow::Result<Status> {
    let mut store = Store::new();
    let texts = match (&args.formula, &args.second) {
        (Some(first), Some(second)) if first != "-" => {
            vec![Text::argument("<first>", first), Text::argument("<second>", second)]
        }
        (first, None) => vec![Text::load(first.as_deref(), args.file.as_deref())?],
        (_, Some(_)) => bail!("standard input gives both formulas, one a line"),
    };
    let documents: anyhow::Result<Vec<Document>> =
        texts.iter().map(|text| text.document(&mut store, args.reading, false)).collect();
    let documents = documents?;
    let solver = Answerer::for_formulas(&args.solving, &args.rewriting)?;
    let session = Session::new(question, solver, &args.solving, args.output)?;
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
    let case = Case::single(written, subject);
    session.decide_all([(&store, &case)].into_iter(), Status::Yes)
}
