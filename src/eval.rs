//! `eval`: the truth of a formula and of all its subformulas along a word. The word says itself
//! whether it is finite, and the formula is read accordingly.

use std::path::Path;

use anyhow::bail;
use kermode::ltl::dialect::{parse, write_abbreviated};
use kermode::ltl::semantics::{self, evaluate_all, unrolled_length};
use kermode::ltl::word::{read_word, word_to_json};
use kermode::ltl::{Diagnostic, Formula, Store, Syntax, Word};
use serde_json::{Value, json};

use crate::args::Eval;
use crate::input::Text;
use crate::report::{self, kind_name, print_line, print_text};
use crate::status::Status;
use crate::table::{Extent, Row, Table, screen_width};

/// How many positions are looked at; far bounds of past operators unroll loops.
const MOST_POSITIONS: usize = 10_000_000;
/// How many bits of truth are kept for showing.
const MOST_BITS: usize = 1 << 32;
/// How many subformulas are shown: the outermost ones.
const MOST_ROWS: usize = 1_000;
/// How much of a subformula's text people and programs get.
const LABEL: usize = 48;
const LONG_LABEL: usize = 100_000;

pub(crate) fn run(args: &Eval) -> anyhow::Result<Status> {
    let mut store = Store::new();
    let word_text = word_text(args.word.as_deref(), args.word_file.as_deref())?;
    let formula_text = Text::argument("<formula>", &args.formula);
    let word = read_word(&mut store, &word_text.text);
    let known = store.proposition_count();
    let words = word.as_ref().map(Word::kind).unwrap_or_default();
    let formula = parse(&mut store, &args.formula, Syntax { dialect: args.syntax, words });
    let findings =
        formula.as_ref().map_or_else(|error| vec![error.clone()], |f| f.warnings.clone());
    report::diagnostics(formula_text.source(), &findings);
    report::diagnostics(word_text.source(), word.as_ref().err().map_or(&[], std::slice::from_ref));
    let (Ok(word), Ok(parsed)) = (word, formula) else {
        return Ok(Status::Bad);
    };
    if word.is_empty() {
        bail!("formulas speak about words with at least one letter");
    }
    warn_of_unmentioned(&store, parsed.formula, known, &formula_text);
    let positions = unrolled_length(&store, parsed.formula, &word);
    if positions > MOST_POSITIONS {
        bail!(
            "the bounds of past operators reach over {positions} positions, more than {MOST_POSITIONS}"
        );
    }
    let satisfied = semantics::holds(&store, parsed.formula, &word);
    show(args, &store, parsed.formula, &word, positions, satisfied)?;
    Ok(if satisfied { Status::Yes } else { Status::No })
}

fn word_text(argument: Option<&str>, file: Option<&Path>) -> anyhow::Result<Text> {
    match argument {
        Some(word) if word != "-" => Ok(Text::argument("<word>", word)),
        _ => Text::load(argument, file),
    }
}

/// A proposition that the word never speaks of is more often a slip than meant.
fn warn_of_unmentioned(store: &Store, formula: Formula, known: usize, text: &Text) {
    let propositions = store.propositions(formula);
    let unmentioned = propositions.into_iter().filter(|p| p.index() >= known);
    let names: Vec<&str> = unmentioned.map(|p| store.name(p)).collect();
    if let Some(first) = names.first() {
        let at = text.text.find(first).unwrap_or(0);
        let end = (at + first.len()).min(text.text.len());
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("the word does not speak of {}", names.join(", "));
        let warning = Diagnostic::warning(at..end, message).label("taken as false at every moment");
        report::diagnostics(text.source(), &[warning]);
    }
}

fn show(
    args: &Eval,
    store: &Store,
    formula: Formula,
    word: &Word,
    positions: usize,
    satisfied: bool,
) -> anyhow::Result<()> {
    let verdict = if satisfied { "satisfied" } else { "not satisfied" };
    if args.quiet {
        return Ok(print_line(verdict)?);
    }
    let label = if args.json { LONG_LABEL } else { LABEL };
    let table = match store.subformulas(formula).len().saturating_mul(positions) {
        bits if bits <= MOST_BITS => Some(truth_table(store, formula, word, label)),
        _ => None,
    };
    if args.json {
        let mut object = json!({
            "command": "eval",
            "formula": args.formula,
            "words": kind_name(word.kind()),
            "word": word_to_json(store, word),
            "verdict": verdict,
        });
        if let Some(table) = &table {
            object["positions"] = json!(table.length);
            object["loop_start"] = json!(table.loop_start);
            object["subformulas"] = table.rows.iter().map(row_json).collect();
        }
        return Ok(print_line(&object.to_string())?);
    }
    print_line(verdict)?;
    match table {
        Some(table) => {
            let width = screen_width();
            let extent = if args.full { Extent::All(width) } else { Extent::Screen(width) };
            print_text(&table.render(extent, "--full"))?;
        }
        None => print_line("  too large to show where each subformula holds")?,
    }
    Ok(())
}

fn row_json(row: &Row) -> Value {
    let holds: Vec<usize> = (0..row.holds.len()).filter(|&i| row.holds[i]).collect();
    json!({ "formula": row.label, "holds": holds })
}

/// Subformulas from the smallest to the whole, at most [`MOST_ROWS`] of the outermost.
fn truth_table(store: &Store, formula: Formula, word: &Word, label: usize) -> Table {
    let truth = evaluate_all(store, formula, word);
    let length = truth.word().len();
    let row = |subformula| Row {
        label: write_abbreviated(store, subformula, label),
        holds: (0..length).map(|position| truth.holds(subformula, position)).collect(),
    };
    let mut rows: Vec<Row> = truth.subformulas().iter().rev().take(MOST_ROWS).map(row).collect();
    rows.reverse();
    Table { length, loop_start: truth.word().loop_start(), rows }
}
