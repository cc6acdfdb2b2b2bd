//! `sat`, `valid`, `equiv` and `implies`: each question becomes a question of satisfiability.

use std::path::{Path, PathBuf};

use anyhow::bail;
use kermode::ltl::dialect::{Document, DocumentKind};
use kermode::ltl::{Formula, Store};
use kermode::solve::{Budget, Question};

use crate::args::{Assuming, Decide, DecidePair, Reading, Sat};
use crate::case::{Case, Subject};
use crate::cores::{CoreCase, Explainer, Member, conjuncts_of, members_of, refuted};
use crate::input::{ReadError, Text};
use crate::report::complain;
use crate::session::Session;
use crate::solver::Answerer;
use crate::status::Status;

/// `sat`.
pub(crate) fn satisfiable(args: &Sat) -> anyhow::Result<Status> {
    single(&args.decide, Question::Sat, args.certify.as_deref())
}

/// `sat` and `valid`.
pub(crate) fn single(
    args: &Decide,
    question: Question,
    certify: Option<&Path>,
) -> anyhow::Result<Status> {
    let session = Session::new(question, &args.solving, args.output)?.certifying(certify)?;
    let budget = session.budget();
    let mut store = Store::new();
    let input = FormulaInput {
        formula: args.formula.as_deref(),
        files: &args.file,
        whole: args.whole,
        each: args.each,
        conjoin: args.conjoin,
        reading: args.reading,
        assuming: &args.assuming,
    };
    let (read, solver) = session.read(&budget, || {
        let read = read_cases(&mut store, &input, &budget)?;
        Ok((read, Answerer::for_formulas(&args.solving, &args.rewriting, &budget)?))
    })?;
    let ReadFormulas { mut cases, members, status: sound } = match read {
        Ok(read) => read,
        Err(error) => return session.refuse(error.as_ref()),
    };
    cases.iter_mut().for_each(|case| case.left = Some(budget.left()));
    if args.coring.is_wanted() {
        let named =
            (question == Question::Sat).then_some(members).filter(|named| !named.is_empty());
        let cases = core_cases(&mut store, question, cases, named);
        let (show, reading) = (args.solving.witness, args.reading);
        let (coring, output, answerer) = (&args.coring, args.output, &solver);
        let session = &session;
        let explainer = Explainer { session, answerer, question, coring, output, show, reading };
        return explainer.run(&store, &cases, sound);
    }
    session.decide_all(&solver, cases.iter().map(|case| (&store, case)), sound)
}

/// The formulas of a command, as typed.
pub(crate) struct FormulaInput<'a> {
    pub(crate) formula: Option<&'a str>,
    pub(crate) files: &'a [PathBuf],
    pub(crate) whole: bool,
    pub(crate) each: bool,
    pub(crate) conjoin: bool,
    pub(crate) reading: Reading,
    pub(crate) assuming: &'a Assuming,
}

/// The formulas of a command, as read.
pub(crate) struct ReadFormulas {
    pub(crate) cases: Vec<Case>,
    /// The members of the conjunction that is the first case, if there is one.
    pub(crate) members: Vec<Member>,
    /// Whether all inputs could be read.
    pub(crate) status: Status,
}

/// What was read; or the first error, if nothing is left to decide.
pub(crate) type ReadCases = Result<ReadFormulas, Option<ReadError>>;

/// Reads formulas, one case each or all together. Errors are reported here.
pub(crate) fn read_cases(
    store: &mut Store,
    input: &FormulaInput,
    budget: &Budget,
) -> anyhow::Result<ReadCases> {
    let &FormulaInput { formula, files, whole, each, conjoin, reading, assuming } = input;
    let together = formula.is_some() && !files.is_empty();
    if together && each {
        bail!("`--each` takes requirements one by one: give the formula by `--assume`");
    }
    let formulas: Vec<&str> = formula.into_iter().collect();
    let typed = Typed { files, formulas: &formulas, whole };
    let inputs = Inputs::read(store, typed, reading, budget)?;
    let assumptions = Assumptions::read(store, assuming, &inputs, reading)?;
    let joins = |document: &Document| {
        let named = document.kind == DocumentKind::Requirements && !each;
        together || conjoin || named
    };
    let (mut cases, mut members) = (Vec::new(), Vec::new());
    let (joined, single): (Vec<_>, Vec<_>) =
        inputs.iter().partition(|(_, document)| joins(document));
    if !joined.is_empty() {
        match Case::conjunction(store, &joined, reading) {
            Some(case) => cases.push(case),
            None => return Ok(Err(inputs.first_error())),
        }
        members = members_of(store, &joined);
    }
    for (text, document) in single {
        if document.kind == DocumentKind::Mixture {
            return Ok(Err(inputs.first_error()));
        }
        cases.extend(Case::of_entries(text, document, reading, inputs.all.len() > 1));
    }
    if let Some(error) = assumptions.error {
        return Ok(Err(Some(error)));
    }
    assumptions.add_to(store, &mut cases, reading);
    let status = if inputs.are_sound() { Status::Yes } else { Status::Bad };
    Ok(Ok(ReadFormulas { cases, members, status }))
}

/// `equiv` and `implies`.
pub(crate) fn pair(args: &DecidePair, question: Question) -> anyhow::Result<Status> {
    let session = Session::new(question, &args.solving, args.output)?;
    let budget = session.budget();
    let mut store = Store::new();
    let (reading, files) = (args.reading, &args.file);
    let formulas: Vec<&str> =
        [&args.formula, &args.second].into_iter().flatten().map(String::as_str).collect();
    if formulas.len() > 1 && formulas.contains(&"-") {
        bail!("standard input gives both formulas, one per line");
    }
    let (inputs, assumptions, solver) = session.read(&budget, || {
        let typed = Typed { files, formulas: &formulas, whole: false };
        let inputs = Inputs::read(&mut store, typed, reading, &budget)?;
        let assumptions = Assumptions::read(&mut store, &args.assuming, &inputs, reading)?;
        let solver = Answerer::for_formulas(&args.solving, &args.rewriting, &budget)?;
        Ok((inputs, assumptions, solver))
    })?;
    let error = inputs.first_error().filter(|_| !inputs.are_sound());
    if let Some(error) = error.as_ref().or(assumptions.error.as_ref()) {
        return session.refuse(Some(error));
    }
    // With a formula argument, all files are the first formula. Without one, two files are one
    // formula each.
    let all: Vec<_> = inputs.iter().collect();
    let sides = match (files.len(), formulas.len()) {
        (0, _) | (1, 0) => None,
        (count, 1) => Some(all.split_at(count)),
        (2, 0) => Some(all.split_at(1)),
        _ => bail!("`{}` takes files and one formula, or two files", question.command()),
    };
    let mut named = None;
    let sides: Option<Vec<Case>> = match sides {
        Some((first, second)) => {
            named = Some([first, second].map(|side| members_of(&mut store, side)));
            let both = [first, second].map(|side| Case::conjunction(&mut store, side, reading));
            both.into_iter().collect()
        }
        None => {
            let entries = |(text, document)| Case::of_entries(text, document, reading, false);
            Some(inputs.iter().flat_map(entries).collect())
        }
    };
    let sides = sides.unwrap_or_default();
    let formulas: Vec<Formula> = sides.iter().filter_map(Case::formula).collect();
    let &[first, second] = formulas.as_slice() else {
        let are = if formulas.len() == 1 { "is" } else { "are" };
        bail!("`{}` takes two formulas, and there {are} {}", question.command(), formulas.len());
    };
    let written = sides.into_iter().flat_map(|side| side.texts).collect();
    let subject = Subject::Formulas { first, second: Some(second), reading };
    let mut cases = [Case { left: Some(budget.left()), ..Case::single(written, subject) }];
    assumptions.add_to(&mut store, &mut cases, reading);
    if args.coring.is_wanted() {
        let premises =
            named.unwrap_or_else(|| [first, second].map(|f| conjuncts_of(&mut store, f, None)));
        let both = [(&premises[0], second), (&premises[1], first)];
        let directions = if question == Question::Implies { &both[..1] } else { &both };
        let members = directions.iter().map(|&(premises, conclusion)| {
            [premises.clone(), refuted(&mut store, conclusion)].concat()
        });
        let questions = members.collect();
        let [case] = cases;
        let show = args.solving.witness;
        let (coring, output, answerer) = (&args.coring, args.output, &solver);
        let session = &session;
        let explainer = Explainer { session, answerer, question, coring, output, show, reading };
        return explainer.run(&store, &[CoreCase { case, questions }], Status::Yes);
    }
    session.decide_all(&solver, cases.iter().map(|case| (&store, case)), Status::Yes)
}

/// The cases with their members. The first case may have named ones; the members of the others are
/// the conjuncts of the formula whose words decide the question.
fn core_cases(
    store: &mut Store,
    question: Question,
    cases: Vec<Case>,
    mut named: Option<Vec<Member>>,
) -> Vec<CoreCase> {
    let with_members = cases.into_iter().map(|case| {
        let members = named.take().unwrap_or_else(|| match case.formula() {
            Some(formula) => {
                let decisive = question.formula(store, formula, formula);
                conjuncts_of(store, decisive, None)
            }
            None => Vec::new(),
        });
        CoreCase { case, questions: vec![members] }
    });
    with_members.collect()
}

/// The inputs of a command, as typed.
#[derive(Clone, Copy)]
struct Typed<'a> {
    files: &'a [PathBuf],
    formulas: &'a [&'a str],
    whole: bool,
}

/// The inputs of a command that were read: files first, then arguments.
struct Inputs {
    all: Vec<(Text, Document)>,
    /// Whether comparisons and calls are propositions in one of them.
    with_terms: bool,
}

impl Inputs {
    /// Reads files and formulas. Errors are reported here. A formula beside a requirement file may
    /// have comparisons and calls.
    fn read(
        store: &mut Store,
        Typed { files, formulas, whole }: Typed,
        reading: Reading,
        budget: &Budget,
    ) -> anyhow::Result<Inputs> {
        let mut inputs = Inputs { all: Vec::new(), with_terms: false };
        let files = files.iter().map(|file| Text::load(None, Some(file), budget));
        let typed = formulas.iter().enumerate().map(|(index, formula)| {
            let mut text = Text::load(Some(formula), None, budget)?;
            if formulas.len() == 2 {
                text.name = ["<first>", "<second>"][index].to_owned();
            }
            Ok(text)
        });
        let texts: anyhow::Result<Vec<Text>> = files.chain(typed).collect();
        for text in texts? {
            let document = text.document(store, reading, whole, inputs.with_terms)?;
            inputs.with_terms |= document.with_terms;
            inputs.all.push((text, document));
        }
        Ok(inputs)
    }

    fn iter(&self) -> impl Iterator<Item = (&Text, &Document)> {
        self.all.iter().map(|(text, document)| (text, document))
    }

    fn are_sound(&self) -> bool {
        self.all.iter().all(|(_, document)| document.is_sound())
    }

    fn first_error(&self) -> Option<ReadError> {
        self.all.iter().find_map(|(text, document)| text.first_error(&document.diagnostics))
    }
}

/// The assumptions about all words.
struct Assumptions<'a> {
    texts: &'a [String],
    formulas: Vec<Formula>,
    error: Option<ReadError>,
    /// Whether the order of numbers and the difference of constants are assumed.
    of_atoms: bool,
}

impl<'a> Assumptions<'a> {
    fn read(
        store: &mut Store,
        args: &'a Assuming,
        inputs: &Inputs,
        reading: Reading,
    ) -> anyhow::Result<Assumptions<'a>> {
        let (mut formulas, mut error) = (Vec::new(), None);
        for text in &args.assume {
            let text = Text::argument("<assume>", text);
            let document = text.document(store, reading, true, inputs.with_terms)?;
            formulas.extend(document.entries.iter().filter_map(|entry| entry.formula.ok()));
            error = error.or_else(|| text.first_error(&document.diagnostics));
        }
        let of_atoms = inputs.with_terms && !args.independent_atoms;
        Ok(Assumptions { texts: &args.assume, formulas, error, of_atoms })
    }

    /// Adds the assumptions to each case. Reports once which atoms are independent.
    fn add_to(&self, store: &mut Store, cases: &mut [Case], reading: Reading) {
        let mut independent = Vec::new();
        for case in cases {
            case.assume = self.texts.to_vec();
            case.assumptions.clone_from(&self.formulas);
            if self.of_atoms {
                independent.append(&mut case.assume_order(store, reading));
            }
        }
        if let Some(first) = independent.first() {
            complain(&format!(
                "note: nothing is assumed about the values in `{first}` and other such atoms: they \
                 are independent propositions\n"
            ));
        }
    }
}
