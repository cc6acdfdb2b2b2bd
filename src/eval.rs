//! `eval`: the truth of a formula and of all its subformulas along a word. The form of the word
//! says whether it is finite, and the formula is read accordingly. `membership.rs` does the same
//! for automata.

use anyhow::bail;
use kermode::base::Diagnostic;
use kermode::ltl::dialect::{DocumentKind, ReadMode, parse, read_document};
use kermode::ltl::semantics::{self, Unevaluable, checked_length, evaluate_all};
use kermode::ltl::timeline::{Cell, Extent, Row, Timeline};
use kermode::ltl::word::{read_word, word_to_json};
use kermode::ltl::{Formula, Proposition, Store, Syntax, Word};
use kermode::solve::{Budget, Stop};
use serde_json::{Value, json};

use crate::args::Eval;
use crate::deadline::{Interrupts, or_end};
use crate::input::Text;
use crate::membership;
use crate::report::{self, complain, error_json, print_line, print_refusal, print_text, screen};
use crate::status::Status;

/// The largest number of truth values that are kept for display, and below for JSON.
const MOST_BITS: usize = 1 << 30;
const MOST_JSON_BITS: usize = 1 << 24;
/// The largest number of subformulas that are shown, outermost first.
const MOST_ROWS: usize = 1_000;
/// The largest length of a subformula's text for display, and below for JSON.
const LABEL: usize = 48;
const LONG_LABEL: usize = 100_000;

pub(crate) fn run(args: &Eval) -> anyhow::Result<Status> {
    let interrupts = Interrupts::new()?;
    let budget = &interrupts.budget(args.budgeting.limits());
    let say = |stop: &Stop| report::stopped("eval", args.json, stop);
    or_end(budget, &interrupts, say, || match &args.automaton {
        Some(file) => membership::run(args, file, budget),
        None => run_on_formula(args, budget),
    })
}

fn run_on_formula(args: &Eval, budget: &Budget) -> anyhow::Result<Status> {
    let (formula_text, word_text) = texts(args, budget)?;
    if args.file.is_some() && DocumentKind::is_requirements(&formula_text.text) {
        return each_requirement(args, &formula_text, &word_text);
    }
    let mut store = Store::new();
    let word = read_word(&mut store, &word_text.text);
    let known = store.proposition_count();
    let words = word.as_ref().map(Word::kind).unwrap_or_default();
    let formula = parse(&mut store, &formula_text.text, Syntax { dialect: args.syntax, words });
    let findings =
        formula.as_ref().map_or_else(|error| vec![error.clone()], |f| f.warnings.clone());
    report::diagnostics(formula_text.source(), &findings);
    report::diagnostics(word_text.source(), word.as_ref().err().map_or(&[], std::slice::from_ref));
    let (word, parsed) = match (word, formula) {
        (Ok(word), Ok(parsed)) => (word, parsed),
        (_, Err(error)) => return refuse(args, &formula_text, &error),
        (Err(error), _) => return refuse(args, &word_text, &error),
    };
    let positions = checked_length(&store, parsed.formula, &word);
    if let Err(empty @ Unevaluable::EmptyWord) = positions {
        return Err(empty.into());
    }
    warn_of_unmentioned(&store, &store.propositions(parsed.formula), known);
    let positions = match positions {
        Ok(positions) => positions,
        Err(too_far) => return unknown(args, &formula_text.text, &format!("limit: {too_far}")),
    };
    let satisfied = show(args, &store, &formula_text.text, parsed.formula, &word, positions)?;
    Ok(if satisfied { Status::Yes } else { Status::No })
}

/// One verdict per requirement of a file; the gravest is the status.
fn each_requirement(args: &Eval, text: &Text, word_text: &Text) -> anyhow::Result<Status> {
    let mut store = Store::new();
    let word = match read_word(&mut store, &word_text.text) {
        Ok(word) => word,
        Err(error) => {
            report::diagnostics(word_text.source(), std::slice::from_ref(&error));
            return refuse(args, word_text, &error);
        }
    };
    let known = store.proposition_count();
    let syntax = Syntax { dialect: args.syntax, words: word.kind() };
    let document = read_document(&mut store, &text.text, syntax, ReadMode::Lines);
    report::diagnostics(text.source(), &document.diagnostics);
    let formulas: Vec<Formula> = document.entries.iter().filter_map(|e| e.formula.ok()).collect();
    let mut propositions: Vec<Proposition> =
        formulas.iter().flat_map(|&formula| store.propositions(formula)).collect();
    propositions.sort_unstable();
    propositions.dedup();
    warn_of_unmentioned(&store, &propositions, known);
    let mut statuses = vec![if document.is_sound() { Status::Yes } else { Status::Bad }];
    for entry in &document.entries {
        let positions = entry.formula.map(|formula| checked_length(&store, formula, &word));
        let (verdict, status) = match (entry.formula, positions) {
            (Ok(_), Ok(Err(empty @ Unevaluable::EmptyWord))) => return Err(empty.into()),
            (Ok(_), Ok(Err(too_far))) => (format!("unknown (limit: {too_far})"), Status::Unknown),
            (Ok(formula), _) => match semantics::holds(&store, formula, &word) {
                true => ("satisfied".to_owned(), Status::Yes),
                false => ("not satisfied".to_owned(), Status::No),
            },
            (Err(_), _) => ("error".to_owned(), Status::Bad),
        };
        statuses.push(status);
        let name = entry.name.as_deref().unwrap_or_default();
        let mut object = json!({
            "command": "eval", "formula": text.excerpt(entry.span.clone()), "name": name,
            "line": entry.line, "words": word.kind().name(), "verdict": verdict,
        });
        if let Err(index) = entry.formula {
            let error = text.entry_error(&document.diagnostics[index], entry);
            object["error"] = error_json(Some(&error));
        }
        match (args.json, args.quiet) {
            (true, _) => print_line(&object.to_string())?,
            (_, true) => print_line(&verdict)?,
            _ => print_line(&format!("{name}: {verdict}"))?,
        }
    }
    Ok(Status::of_all(statuses))
}

/// The texts of the formula and of the word.
fn texts(args: &Eval, budget: &Budget) -> anyhow::Result<(Text, Text)> {
    let mut arguments = [&args.first, &args.second].into_iter().flatten();
    let formula = match &args.file {
        Some(file) => Text::load(None, Some(file), budget)?,
        None => match arguments.next().map(String::as_str) {
            Some("-") => Text::load(Some("-"), None, budget)?,
            Some(formula) => Text::argument("<formula>", formula),
            None => bail!("the formula is missing"),
        },
    };
    Ok((formula, word_text(args, arguments, budget)?))
}

/// The text of the word: an argument or a file. There must be no other arguments.
pub(crate) fn word_text<'a>(
    args: &Eval,
    mut arguments: impl Iterator<Item = &'a String>,
    budget: &Budget,
) -> anyhow::Result<Text> {
    let word = match (arguments.next().map(String::as_str), &args.word_file) {
        (Some(_), Some(_)) => bail!("the word is there twice"),
        (Some("-"), None) => Text::load(Some("-"), None, budget)?,
        (Some(word), None) => Text::argument("<word>", word),
        (None, Some(file)) => Text::load(None, Some(file), budget)?,
        (None, None) => bail!("the word is missing"),
    };
    match arguments.next() {
        Some(more) => bail!("unexpected argument `{more}`"),
        None => Ok(word),
    }
}

pub(crate) fn refuse(args: &Eval, text: &Text, error: &Diagnostic) -> anyhow::Result<Status> {
    if args.json {
        let (line, _) = text.source().line_and_column(error.span.start);
        print_refusal("eval", Some(&text.read_error(error, line)))?;
    }
    Ok(Status::Bad)
}

fn unknown(args: &Eval, formula: &str, reason: &str) -> anyhow::Result<Status> {
    let object = json!({
        "command": "eval", "formula": formula, "verdict": "unknown", "reason": reason,
    });
    match args.json {
        true => print_line(&object.to_string())?,
        false => print_line(&format!("unknown ({reason})"))?,
    }
    Ok(Status::Unknown)
}

/// Warns of propositions that the word does not mention, which are often mistyped.
pub(crate) fn warn_of_unmentioned(store: &Store, propositions: &[Proposition], known: usize) {
    let unmentioned = propositions.iter().filter(|p| p.index() >= known);
    let names: Vec<String> = unmentioned.map(|&p| format!("`{}`", store.name(p))).collect();
    if !names.is_empty() {
        let names = names.join(", ");
        complain(&format!("warning: the word does not speak of {names}: taken as false\n"));
    }
}

/// Shows the verdict and the truth of subformulas; returns whether the word satisfies the formula.
fn show(
    args: &Eval,
    store: &Store,
    text: &str,
    formula: Formula,
    word: &Word,
    positions: usize,
) -> anyhow::Result<bool> {
    let bits = store.subformulas(formula).len().saturating_mul(positions);
    let most = if args.json { MOST_JSON_BITS } else { MOST_BITS };
    let truth = (!args.quiet && bits <= most).then(|| evaluate_all(store, formula, word));
    let satisfied = match &truth {
        Some(truth) => truth.holds(formula, 0),
        None => semantics::holds(store, formula, word),
    };
    let verdict = if satisfied { "satisfied" } else { "not satisfied" };
    let label = if args.json { LONG_LABEL } else { LABEL };
    let table = truth.as_ref();
    let table = table.map(|truth| Timeline::of_subformulas(store, truth, MOST_ROWS, label));
    if args.json {
        print_line(&json(store, text, word, verdict, table.as_ref()).to_string())?;
        return Ok(satisfied);
    }
    print_line(verdict)?;
    match table {
        Some(table) => {
            let extent = if args.full { Extent::All } else { Extent::Screen("--full") };
            print_text(&table.render(extent, screen()))?;
        }
        None if args.quiet => {}
        None => print_line("  too large to show where each subformula holds")?,
    }
    Ok(satisfied)
}

fn json(store: &Store, text: &str, word: &Word, verdict: &str, table: Option<&Timeline>) -> Value {
    let mut object = json!({
        "command": "eval",
        "formula": text.trim(),
        "words": word.kind().name(),
        "word": word_to_json(store, word),
        "verdict": verdict,
    });
    if let Some(table) = table {
        object["positions"] = json!(table.length);
        object["loop_start"] = json!(table.loop_start);
        let row = |row: &Row| {
            let is_marked = |i: &usize| (row.cell)(*i) == Cell::Mark(true);
            let holds: Vec<usize> = (0..table.length).filter(is_marked).collect();
            json!({ "formula": row.label, "holds": holds })
        };
        object["subformulas"] = table.rows.iter().map(row).collect();
    }
    object
}
