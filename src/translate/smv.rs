//! Formulas as models for NuSMV: a symbolic automaton whose specification fails iff the formula is satisfiable, or the
//! universal model with the negated formula as its specification.
//!
//! For an encoding the formula is simplified by rules that keep its language, unless told otherwise, bounded operators are
//! written out, and past operators replaced by propositions that remember, which become variables like others. The
//! universal model has the formula as it is: NuSMV knows all of these operators.

use anyhow::bail;
use kermode::ltl::eliminate::to_future;
use kermode::ltl::{Formula, Store, WordKind};
use kermode::solve::{Budget, Stop};
use kermode::system::smv::{self, SmvText};
use kermode::system::{Atoms, Encoded, Encoding, Form, Graph, Order, encode};
use serde_json::{Value, json};

use super::failure::Failure;
use super::{Job, MOST_SUBFORMULAS, Translated};
use crate::args::{SmvOptions, Target, Translate};

/// What is printed unless told. No encoding is best everywhere; every version of NuSMV reads this form.
const DEFAULT: Encoding = Encoding { form: Form::NnfSloppyGba, order: Order::Default };

/// Complains about options that do not go together.
pub(super) fn check(args: &Translate, cases: usize) -> anyhow::Result<()> {
    let SmvOptions { encoding, order_file, universal } = &args.smv;
    if args.to != Target::Smv && (encoding.is_some() || order_file.is_some() || *universal) {
        bail!("`--encoding`, `--order-file` and `--universal` go with `--to smv`")
    }
    if order_file.is_some() && cases > 1 {
        bail!("`--order-file` is for one formula, and here are {cases}")
    }
    Ok(())
}

/// The model of a formula.
pub(super) fn translate(
    job: &Job,
    store: &mut Store,
    formula: Formula,
    _name: Option<&str>,
    budget: &Budget,
) -> Result<Translated, Failure> {
    let (SmvText { text, order }, statistics) = match job.args.smv.universal {
        true => (smv::universal(store, formula)?, Vec::new()),
        false => encoded(job, store, formula, budget)?,
    };
    Ok(Translated { written: text, statistics, order: Some(order) })
}

type Counted = Vec<(&'static str, Value)>;

fn encoded(
    job: &Job,
    store: &mut Store,
    formula: Formula,
    budget: &Budget,
) -> Result<(SmvText, Counted), Failure> {
    let simplified = job.simplified(store, formula, budget)?;
    let future = to_future(store, simplified, WordKind::Infinite, MOST_SUBFORMULAS)?;
    let encoding = job.args.smv.encoding.unwrap_or(DEFAULT);
    let (mut graph, interrupt) = (Graph::new(), &mut || budget.check());
    let encoded =
        encode::<Stop>(&mut graph, store, future.formula, encoding, &Atoms::new(), interrupt)?;
    budget.check()?;
    let model = smv::encoded(&mut graph, store, formula, encoding, &encoded);
    Ok((model, counted(&encoded)))
}

fn counted(encoded: &Encoded) -> Counted {
    let system = &encoded.system;
    vec![
        ("variables", json!(system.variables().len())),
        ("propositions", json!(encoded.atoms.len())),
        ("transition constraints", json!(system.transition().len())),
        ("justice constraints", json!(system.justice().len())),
    ]
}

/// Writes the order of the variables where the user wants it.
pub(super) fn write_order(options: &SmvOptions, translated: &Translated) -> std::io::Result<()> {
    let (Some(path), Some(order)) = (&options.order_file, &translated.order) else { return Ok(()) };
    std::fs::write(path, order).map_err(|error| {
        std::io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()))
    })
}
