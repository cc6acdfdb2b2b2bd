//! Reads models.

use anyhow::Context;
use kermode::smv::encoding::{Limits as EncodingLimits, StaticOrder};
use kermode::smv::syntax::line_map;
use kermode::smv::{ReadOptions, SmvModel, Unusable};
use kermode::solve::Budget;

use crate::args::ModelSource;
use crate::input::Text;
use crate::report::{self, print_refusal};

/// Reads a model with its order for a command, whose output may be JSON. Errors and warnings are
/// reported here.
pub(crate) fn read(
    source: &ModelSource,
    command: (&str, bool),
    budget: &Budget,
) -> anyhow::Result<Option<(Text, SmvModel)>> {
    read_looped(source, None, command, budget)
}

/// The same; dead ends have loops if there is a proposition for them.
pub(crate) fn read_looped(
    source: &ModelSource,
    dead: Option<&str>,
    (command, json): (&str, bool),
    budget: &Budget,
) -> anyhow::Result<Option<(Text, SmvModel)>> {
    let mut options = ReadOptions::default();
    if let Some(name) = dead {
        options.loop_dead_ends(name).with_context(|| format!("`--dead {name}` names nothing"))?;
    }
    for definition in &source.definitions {
        let wrong = || format!("`-D {definition}` is no definition");
        options.define(definition).with_context(wrong)?;
    }
    let text = Text::load(None, Some(&source.model), budget)?;
    let limits = EncodingLimits::default();
    let mut model = match SmvModel::read(&text.text, &options, &limits, &mut || budget.check()) {
        Ok(model) => model,
        Err(Unusable::Stopped(stop)) => return Err(stop.into()),
        Err(Unusable::Wrong(diagnostics)) => {
            let lines = line_map(&text.text);
            report::mapped_diagnostics(text.source(), &diagnostics, &lines);
            if json {
                print_refusal(command, text.first_mapped_error(&diagnostics, &lines).as_ref())?;
            }
            return Ok(None);
        }
    };
    report::mapped_diagnostics(text.source(), &model.warnings, &model.file().lines);
    if source.order != StaticOrder::default() {
        model.encoded.arrange(source.order);
    }
    if let Some(file) = &source.order_file {
        let order = Text::of_file(file, budget)?;
        let warnings = model.encoded.read_order(&order.text);
        report::diagnostics(order.source(), &warnings);
    }
    Ok(Some((text, model)))
}
